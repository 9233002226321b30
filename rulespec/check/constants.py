"""Constant tables: fixed values by index, written as lists and maps or drawn as text."""

from __future__ import annotations

import re
from itertools import product

from attrs import evolve, frozen

from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check import typing
from rulespec.check.cells import Reader
from rulespec.check.context import Context
from rulespec.check.rows import flatten
from rulespec.check.words import counted
from rulespec.source import Text
from rulespec.spec import model as m
from rulespec.syntax import nodes as n


@frozen
class _Level:
    """One index: the names of its values in the order in which they are written."""

    domain: ir.DomainType
    names: tuple[str, ...]
    backwards: bool


def declare_constants(table: m.ConstantTable, context: Context) -> None:
    """A table without its entries."""
    domain = typing.resolve_type(table.type, context)
    if isinstance(domain.type, (t.ListType, t.SetType)):
        context.reporter.error("RS494", "an entry of a table is one value", table.type.span)
        domain = typing.UNKNOWN
    per = tuple(_index(node, context)[0] for node in table.per)
    context.constants[table.name] = ir.ConstantTable(table.name, per, domain.type, (), table.doc, table.name_span)


def _index(node: n.TypeExpr, context: Context) -> tuple[ir.DomainType, bool]:
    """The type of an index, and whether its values are written from the last to the first (`5..1`)."""
    backwards = False
    if isinstance(node, n.RangeType) and isinstance(node.low, n.Number) and isinstance(node.high, n.Number):
        backwards = node.low.value > node.high.value
        if backwards:
            node = evolve(node, low=node.high, high=node.low)
    return typing.resolve_type(node, context), backwards


def read_constants(table: m.ConstantTable, context: Context) -> None:
    """The entries of a table."""
    declared = context.constants[table.name]
    domain = typing.resolve_type(table.type, context)
    levels: list[_Level] = []
    for node in table.per:
        index, backwards = _index(node, context)
        values = typing.values_of(index, context)
        if values is None or isinstance(index.type, t.OptionalType):
            if index.type != t.UNKNOWN:
                context.reporter.error(
                    "RS470",
                    f"the index of `{table.name}` must have the same values in every game",
                    node.span,
                    "use numbers, an enum, or a table with written rows",
                )
            return
        names = tuple(text for _, text in values)
        levels.append(_Level(index, names[::-1] if backwards else names, backwards))
    if domain.type == t.UNKNOWN or declared.type == t.UNKNOWN:
        return
    reader = _Entries(table, levels, domain, context)
    entries = reader.read()
    if entries is not None:
        context.constants[table.name] = evolve(declared, entries=tuple(entries))


class _Entries:
    def __init__(self, table: m.ConstantTable, levels: list[_Level], domain: ir.DomainType, context: Context) -> None:
        self.table = table
        self.levels = levels
        self.domain = domain
        self.context = context
        self.reader = Reader(context, written=True)
        self.what = f"`{table.name}`"

    def read(self) -> list[ir.Expr] | None:
        letters = self._letters()
        if letters is None:
            return None
        names = [list(level.names) for level in self.levels]
        undrawn = self._undrawn(self.table.values, names)
        cells = flatten(undrawn, names, self.what, self.context) if undrawn is not None else None
        if cells is None:
            return None
        values: list[ir.Expr | None] = []
        for cell in cells:
            text = cell.text.text if cell.text is not None else ""
            if letters and text in letters:
                values.append(evolve(letters[text], span=cell.span))
            else:
                values.append(self.reader.read(cell, self.domain, self.table.name))
        good = [value for value in values if value is not None]
        return self._in_order(good) if len(good) == len(values) else None

    def _letters(self) -> dict[str, ir.Expr] | None:
        result: dict[str, ir.Expr] = {}
        for letter, node in self.table.letters:
            value = typing.fixed(node, self.context, f"a letter of {self.what}", self.domain.type)
            if value is None:
                return None
            wrong = typing.outside(value, self.domain, self.context)
            if wrong is not None:
                self.context.reporter.error("RS462", f"{wrong}, the values of {self.what}", node.span)
                return None
            result[letter] = value
        return result

    def _in_order(self, values: list[ir.Expr]) -> list[ir.Expr]:
        """From the order in which they are written to that of the indices."""
        if not any(level.backwards for level in self.levels):
            return values
        written = list(product(*(range(len(level.names)) for level in self.levels)))
        sizes = [len(level.names) for level in self.levels]
        place = {
            tuple(
                size - 1 - i if level.backwards else i for i, level, size in zip(w, self.levels, sizes, strict=True)
            ): value
            for w, value in zip(written, values, strict=True)
        }
        return [place[index] for index in written]

    def _undrawn(self, cell: m.Cell, names: list[list[str]]) -> m.Cell | None:
        """The cell with drawn texts turned into lists."""
        if not names:
            return cell
        if cell.text is not None:
            if len(names) > 2 or (len(names) == 1 and not self._is_line(cell.text)):
                return cell
            return self._lines(cell, cell.text, names)
        items = [self._undrawn(part, names[1:]) for part in cell.items]
        named = [(name, self._undrawn(part, names[1:])) for name, part in cell.named]
        if any(item is None for item in items) or any(part is None for _, part in named):
            return None
        return evolve(
            cell, items=tuple(i for i in items if i is not None), named=tuple((k, p) for k, p in named if p is not None)
        )

    def _is_line(self, text: Text) -> bool:
        return bool(self.table.letters) or " " in text.text.strip()

    def _lines(self, cell: m.Cell, text: Text, names: list[list[str]]) -> m.Cell | None:
        lines = text.text.split("\n")
        while lines and not lines[-1].strip():
            lines.pop()
        height = len(names[0]) if len(names) == 2 else 1
        if len(lines) != height:
            self.context.reporter.error(
                "RS495",
                f"the map of {self.what} needs {counted(height, 'line')}, found {len(lines)}",
                cell.span,
                f"one for each of {typing.backquoted(names[0], 12)}" if len(names) == 2 else "",
            )
            return None
        rows = [self._line(text, y, line, names[-1]) for y, line in enumerate(lines)]
        good = [row for row in rows if row is not None]
        if len(good) < len(rows):
            return None
        return good[0] if len(names) == 1 else m.Cell(None, cell.span, items=tuple(good))

    def _line(self, text: Text, y: int, line: str, names: list[str]) -> m.Cell | None:
        letters = {letter for letter, _ in self.table.letters}
        span = text.place(y + 1, 1, y + 1, len(line) + 1)
        parts: list[m.Cell] = []
        for found in re.finditer(r"\S" if letters else r"\S+", line):
            place = text.place(y + 1, found.start() + 1, y + 1, found.end() + 1)
            word = found.group()
            if letters and word not in letters:
                self.context.reporter.error(
                    "RS360",
                    f"`{word}` is not among the letters of {self.what}",
                    place,
                    f"they are {typing.backquoted(sorted(letters))}",
                )
                return None
            parts.append(m.Cell(Text(word, place, ((place.line, place.column),)), place))
        if len(parts) != len(names):
            self.context.reporter.error(
                "RS495",
                f"this line of {self.what} needs {counted(len(names), 'value')}, found {len(parts)}",
                span,
                f"one for each of {typing.backquoted(names, 12)}",
            )
            return None
        return m.Cell(None, span, items=tuple(parts))
