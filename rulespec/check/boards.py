"""Boards: grids, named columns, drawn maps, further spaces."""

from __future__ import annotations

import re
from fractions import Fraction
from math import prod

from attrs import evolve, frozen

from rulespec import checked as ir
from rulespec.check import core as ex
from rulespec.check import types as t
from rulespec.check import typing
from rulespec.check.context import Context, Scope
from rulespec.check.evaluate import Env, NotConstantError, constant, evaluate
from rulespec.check.typing import backquoted
from rulespec.diagnostics import Note
from rulespec.source import Span, Text
from rulespec.spec import model as m
from rulespec.spelling import did_you_mean

MOST_SPACES = 20_000
"""How many spaces a grid may have."""


@frozen
class Drawn:
    """A space of a drawn map: its name, where it stands, and its letter for a map with a legend."""

    name: str
    x: int
    y: int
    span: Span


def declare_board(board: m.Board, context: Context) -> None:
    """Fills `boards`, `tables`, `table_ids` and `row_names` for a board (cells of its rows come later)."""
    builder = _Builder(board, context)
    builder.build()


def space_name(board: str, column: int, row: int, context: Context) -> str:
    """The name of a cell of a grid, by column from 1 and row number."""
    shape = context.boards[board]
    if isinstance(shape.columns, t.EnumType):
        return f"{context.enums[shape.columns.name][column - 1]}{row}"
    if shape.names == "a1":
        return f"{chr(ord('a') + column - 1)}{row}"
    return f"c{column}r{row}"


def fixed_cells(board: str, context: Context, widest: bool = False) -> list[tuple[str, int, int]] | None:
    """The cells of a grid as (name, column from 1, row), row by row from the lowest.

    Args:
        board: its name.
        context: where it is declared.
        widest: where the grid depends on options, take the largest; `only` then counts if it can be known.

    Returns:
        None where the grid differs from game to game, or where it is no grid.
    """
    shape = context.boards[board]
    if shape.drawing or (shape.grid is None and shape.rows is None):
        return None
    width, height, first_row = _sizes(shape, context, widest)
    if width is None or height is None or first_row is None or width * height > MOST_SPACES:
        return None
    cells: list[tuple[str, int, int]] = []
    for row in range(first_row, first_row + height):
        for column in range(1, width + 1):
            if shape.only is not None:
                place = (column if shape.columns is None else column - 1, row)
                env = Env(context, locals=dict(zip(shape.locals, place, strict=True)))
                try:
                    if not evaluate(shape.only, env):
                        continue
                except NotConstantError:
                    if not widest:
                        return None
            cells.append((space_name(board, column, row, context), column, row))
    return cells


def _sizes(shape: ir.BoardShape, context: Context, widest: bool) -> tuple[int | None, int | None, int | None]:
    def size(expr: ir.Expr, high: bool) -> int | None:
        if widest:
            bound = typing.interval(expr, context)[1 if high else 0]
            return None if bound is None else int(bound)
        try:
            return int(constant(expr, context))
        except NotConstantError:
            return None

    if shape.rows is not None:
        low, high = size(shape.rows[0], False), size(shape.rows[1], True)
        assert isinstance(shape.columns, t.EnumType)
        return len(context.enums[shape.columns.name]), (None if low is None or high is None else high - low + 1), low
    assert shape.grid is not None
    return size(shape.grid[0], True), size(shape.grid[1], True), 1


class _Builder:
    def __init__(self, board: m.Board, context: Context) -> None:
        self.board = board
        self.context = context
        self.type = t.TableType("board", board.name)
        self.locals: tuple[ir.Local, ...] = ()
        self.grid: tuple[ir.Expr, ir.Expr] | None = None
        self.columns: t.Type | None = None
        self.rows: tuple[ir.Expr, ir.Expr] | None = None
        self.drawing: list[Drawn] = []
        self.links: list[tuple[str, str]] = []
        self.fields: dict[str, ir.Field] = {}

    def build(self) -> None:
        board = self.board
        if board.columns is not None and board.rows is not None:
            self._named_columns()
        elif board.grid is not None:
            self._plain_grid()
        elif board.map is not None and board.legend:
            self._lettered(board.map)
        elif board.map is not None:
            self._map(board.map)
        if board.fields and not board.legend and (board.grid or board.columns):
            self._error(
                "RS151",
                f"the spaces of `{board.name}` get no values for its fields",
                board.fields[0].span,
                "draw them as a `map:` with a `legend:`, or use a variable or table `per: " + board.name + "`",
            )
        self._finish()

    def _plain_grid(self) -> None:
        board, context = self.board, self.context
        assert board.grid is not None
        sizes = [
            typing.fixed_number(board.grid[0], context, "the width of a grid"),
            typing.fixed_number(board.grid[1], context, "the height of a grid"),
        ]
        one = ir.Const(1, type=t.NumberType(Fraction(1), Fraction(1)), span=board.name_span)
        for i, size in enumerate(sizes):
            least, most = typing.interval(size, context) if size is not None else (None, None)
            if size is not None and least is not None and least < 1:
                self._error("RS465", "a grid needs at least one column and one row", board.grid[i].span)
            if i == 0 and board.names == "a1" and most is not None and most > 26:
                self._error(
                    "RS466", "`names: a1` has letters for 26 columns only", board.grid[0].span, "leave `names:` out"
                )
        if sizes[0] is not None and sizes[1] is not None:
            self.grid = (sizes[0], sizes[1])
        bounds = [typing.interval(s, context)[1] if s is not None else None for s in sizes]
        spaces = prod(bound for bound in bounds if bound is not None)
        if spaces > MOST_SPACES:
            message = f"`{board.name}` would have {int(spaces):,} spaces"
            self._error("RS472", message, board.grid[0].span, f"the limit is {MOST_SPACES:,}")
            self.grid = None
            bounds = [Fraction(1), Fraction(1)]
        for name, bound, size in zip(("col", "row"), bounds, sizes, strict=True):
            domain = ir.DomainType(t.NumberType(Fraction(1), bound), one, size)
            self._field(name, domain)
        self._bind()

    def _named_columns(self) -> None:
        board, context = self.board, self.context
        assert board.columns is not None and board.rows is not None
        columns = typing.resolve_type(board.columns, context)
        rows = typing.resolve_type(board.rows, context)
        if columns.type != t.UNKNOWN and (not isinstance(columns.type, t.EnumType) or columns.values is not None):
            self._error("RS467", "the columns of a grid need an enum", board.columns.span, "or write `grid: 8 x 8`")
        elif columns.type != t.UNKNOWN:
            self.columns = columns.type
        if rows.type != t.UNKNOWN and (rows.low is None or rows.high is None):
            self._error("RS468", "the rows of a grid need an upper end", board.rows.span)
        elif rows.low is not None and rows.high is not None:
            self.rows = (rows.low, rows.high)
        self._field("column", columns)
        self._field("row", rows)
        if self.columns is None:
            self.rows = None
        self._bind()

    def _bind(self) -> None:
        scope = Scope(self.context, function=True)
        self.locals = tuple(scope.bind(name, field.type) for name, field in self.fields.items())

    def _checked_only(self) -> ir.Expr | None:
        only = self.board.only
        if only is None:
            return None
        if not self.locals:
            return None
        own = {local.name for local in self.locals}
        if not typing.only_fixed_names(only, self.context, "`only`", own):
            return None
        scope = Scope(self.context, names={local.name: local for local in self.locals}, function=True)
        return ex.check_condition(only, scope)

    # ------------------------------------------------------------ maps

    def _lettered(self, map: Text) -> None:
        board = self.board
        lines = [line.rstrip() for line in map.text.split("\n")]
        while lines and not lines[-1]:
            lines.pop()
        letters = {letter for letter, _ in board.legend}
        width, height = max((len(line) for line in lines), default=0), len(lines)
        for y, line in enumerate(lines):
            for x, letter in enumerate(line):
                if letter == " ":
                    continue
                span = map.place(y + 1, x + 1, y + 1, x + 2)
                if letter not in letters:
                    self._error(
                        "RS360",
                        f"`{letter}` is not in the legend",
                        span,
                        f"the legend has {backquoted(sorted(letters))}; a blank is no space",
                    )
                self.drawing.append(Drawn(self._cell_name(x + 1, height - y), x + 1, height - y, span))
        self.drawing.sort(key=lambda d: (d.y, d.x))
        for name, size in (("col", width), ("row", height)):
            ends = [ir.Const(n, type=t.NumberType(Fraction(n), Fraction(n)), span=map.span) for n in (1, max(size, 1))]
            self._field(name, ir.DomainType(t.NumberType(Fraction(1), Fraction(max(size, 1))), ends[0], ends[1]))
            if name == "row":
                self.grid = (self.fields["col"].declared.high, ends[1])  # type: ignore[union-attr, assignment]
        if not self.drawing:
            self._error("RS150", f"the map of `{board.name}` is empty", map.span)

    def _cell_name(self, column: int, row: int) -> str:
        if self.board.names == "a1" and column <= 26:
            return f"{chr(ord('a') + column - 1)}{row}"
        return f"c{column}r{row}"

    def _map(self, map: Text) -> None:
        lines = map.text.split("\n")
        at: dict[tuple[int, int], Drawn] = {}
        seen: dict[str, Drawn] = {}
        for y, line in enumerate(lines):
            for found in re.finditer(r"[A-Za-z_0-9]+|[^\s|-]", line):
                span = map.place(y + 1, found.start() + 1, y + 1, found.end() + 1)
                name = found.group()
                drawn = Drawn(name, found.start() + 1, y + 1, span)
                at.update({(x, y): drawn for x in range(found.start(), found.end())})
                if not re.fullmatch(r"[A-Za-z_]\w*", name):
                    hint = "a name has letters, digits and `_`; names are joined by `-` and `|`"
                    self._error("RS361", f"`{name}` is not the name of a space", span, hint)
                elif name in seen:
                    note = Note("the first one", seen[name].span)
                    self._error("RS362", f"`{name}` is drawn twice", span, "", (note,))
                else:
                    seen[name] = drawn
                    self.drawing.append(drawn)
        if not self.drawing:
            self._error("RS150", f"the map of `{self.board.name}` is empty", map.span)
        for y, line in enumerate(lines):
            for x, sign in enumerate(line):
                if sign in "-|":
                    self._link(map, lines, at, x, y, sign)

    def _link(self, map: Text, lines: list[str], at: dict[tuple[int, int], Drawn], x: int, y: int, sign: str) -> None:
        dx, dy = (1, 0) if sign == "-" else (0, 1)

        def look(step: int) -> Drawn | None:
            i, j = x + step * dx, y + step * dy
            while 0 <= j < len(lines) and 0 <= i < len(lines[j]):
                if (i, j) in at:
                    return at[i, j]
                if lines[j][i] != sign:
                    return None
                i, j = i + step * dx, j + step * dy
            return None

        one, other = look(-1), look(1)
        span = map.place(y + 1, x + 1, y + 1, x + 2)
        if one is None or other is None:
            side = {("-", True): "left", ("-", False): "right", ("|", True): "top", ("|", False): "bottom"}
            self._error("RS363", f"this `{sign}` joins nothing at its {side[sign, one is None]} end", span)
        elif (one.name, other.name) not in self.links:
            self.links.append((one.name, other.name))

    # ------------------------------------------------------------ fields, spaces, result

    def _field(self, name: str, domain: ir.DomainType) -> None:
        self.fields[name] = ir.Field(name, domain.type, domain, (), None, False, self.board.name_span)

    def _finish(self) -> None:
        board, context = self.board, self.context
        self._spaces_fields()
        for declared in board.fields:
            if declared.name in self.fields:
                self._error("RS358", f"`{declared.name}` is built in for the spaces of a grid", declared.span)
                continue
            domain = typing.resolve_type(declared.type, context) if declared.type is not None else typing.UNKNOWN
            self.fields[declared.name] = ir.Field(
                declared.name, domain.type, domain, (), None, declared.per_face, declared.span
            )
        shape = ir.BoardShape(
            board.name,
            self.grid,
            self.columns,
            self.rows,
            board.shape,
            board.names,
            None,
            self.locals,
            tuple(name for name, _ in board.spaces),
            (),
            tuple((d.name, d.x, d.y) for d in self.drawing),
        )
        context.boards[board.name] = shape
        context.tables[board.name] = ir.Table(
            board.name, "board", dict(self.fields), doc=board.doc, span=board.name_span
        )
        context.boards[board.name] = evolve(shape, only=self._checked_only())
        self._names()

    def _spaces_fields(self) -> None:
        """The ends of `row` and `col` take in the further spaces; where one has none, they are optional."""
        for name in ("col", "row", "column"):
            old = self.fields.get(name)
            if old is None or old.declared is None:
                continue
            given = [row.cells.get(name) for _, row in self.board.spaces]
            domain = old.declared
            numbers = [
                int(c.text.text)
                for c in given
                if c is not None and c.text is not None and re.fullmatch(r"-?\d+", c.text.text.strip())
            ]
            if isinstance(domain.type, t.NumberType) and numbers:
                low, high = domain.type.low, domain.type.high
                least = None if low is None else min([low, *map(Fraction, numbers)])
                most = None if high is None else max([high, *map(Fraction, numbers)])
                domain = ir.DomainType(t.NumberType(least, most, domain.type.step), domain.low, domain.high)
                domain = ir.DomainType(domain.type, *self._ends(domain, low, high))
            if any(cell is None for cell in given):
                domain = ir.DomainType(t.OptionalType(domain.type), domain.low, domain.high, domain.values)
            self._field(name, domain)

    def _ends(
        self, domain: ir.DomainType, low: Fraction | None, high: Fraction | None
    ) -> tuple[ir.Expr | None, ir.Expr | None]:
        assert isinstance(domain.type, t.NumberType)

        def end(expr: ir.Expr | None, before: Fraction | None, now: Fraction | None) -> ir.Expr | None:
            if before == now or now is None:
                return expr
            return ir.Const(int(now), type=t.NumberType(now, now), span=self.board.name_span)

        return end(domain.low, low, domain.type.low), end(domain.high, high, domain.type.high)

    def _names(self) -> None:
        board, context = self.board, self.context
        spaces = [name for name, _ in board.spaces]
        if self.drawing:
            names: list[str] | None = [d.name for d in self.drawing]
            widest = list(names or ())
        elif self.grid is None and self.rows is None:
            names, widest = [], []
        else:
            cells = fixed_cells(board.name, context)
            names = None if cells is None else [name for name, _, _ in cells]
            widest = names if names is not None else [n for n, _, _ in fixed_cells(board.name, context, True) or ()]
            # Without `only:` a grid without cells is refused for its size.
            if names == [] and not spaces and board.only is not None:
                self._error("RS150", f"no cell of `{board.name}` is left", board.only.span)
        for name, row in board.spaces:
            if name in widest:
                self._error("RS362", f"`{name}` is a cell of the grid already", row.span)
        if names is not None:
            context.table_ids[board.name] = (*names, *spaces)
        for name in (*widest, *spaces):
            context.row_names.setdefault(name, {})[board.name] = name
        self._beside(dict.fromkeys((*widest, *spaces)))

    def _beside(self, known: dict[str, None]) -> None:
        links = list(self.links)
        for name, row in self.board.spaces:
            cell = row.cells.get("beside")
            if cell is None:
                continue
            parts = cell.items or (() if cell.text is None else (cell,))
            for part in parts:
                for word in re.split(r"[\s,]+", part.text.text.strip("[] ")) if part.text is not None else ():
                    if word not in known:
                        self._error(
                            "RS364", f"`{self.board.name}` has no space `{word}`", part.span, did_you_mean(word, known)
                        )
                    elif word == name:
                        self._error("RS365", f"`{name}` is beside itself", part.span)
                    elif (word, name) not in links and (name, word) not in links:
                        links.append((name, word))
        shape = self.context.boards[self.board.name]
        self.context.boards[self.board.name] = evolve(shape, links=tuple(links))

    def _error(self, code: str, message: str, span: Span, hint: str = "", notes: tuple[Note, ...] = ()) -> None:
        self.context.reporter.error(code, message, span, hint, notes)
