"""Rows as written: each cell read by the type of its field, for record types, components and boards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check import typing
from rulespec.check.cells import Reader
from rulespec.check.context import Context
from rulespec.check.tables import TableEntry
from rulespec.check.words import type_text
from rulespec.source import Span
from rulespec.spec import model as m
from rulespec.spelling import did_you_mean


def column_names(field: ir.Field, table: ir.Table, context: Context) -> list[str]:
    """The CSV columns of a field: one, or one for each index or face."""
    if field.per_face:
        return [f"{field.name}_{face}" for face in table.faces]
    if not field.index:
        return [field.name]
    values = [typing.values_of(domain, context) or [] for domain in field.index]
    numeric = isinstance(field.index[0].type, t.NumberType)
    return [
        field.name + "".join(f"{'' if numeric and i == 0 else '_'}{text}" for i, (_, text) in enumerate(combination))
        for combination in product(*values)
    ]


def read_rows(entry: TableEntry, context: Context) -> None:
    """Reads the values of written rows (rules in rows follow with the bodies)."""
    table = context.tables[entry.name]
    if entry.rows is None or entry.rows.all:
        return
    reader = _Rows(entry, table, context)
    context.tables[entry.name] = evolve(table, rows=tuple(reader.rows()))


class _Rows:
    def __init__(self, entry: TableEntry | m.Board, table: ir.Table, context: Context) -> None:
        self.entry = entry
        self.table = table
        self.context = context
        self.source = entry.rows if not isinstance(entry, m.Board) and entry.rows is not None else m.Rows()
        self.is_csv = bool(self.source.columns)
        self.reader = Reader(context, not self.is_csv)
        computed = {name for name, _ in table.computed}
        self.fields = [f for f in table.fields.values() if f.name not in computed]
        self.columns = {f.name: column_names(f, table, context) for f in self.fields if f.params is None}
        self.rules = [f.name for f in self.fields if f.params is not None]
        names = (column for columns in self.columns.values() for column in columns)
        self.known = dict.fromkeys(("id", *names, *self.rules))
        if table.kind == "component":
            self.known["count"] = None
        self.missing_columns: set[str] = set()

    def rows(self) -> Iterator[ir.TableRow]:
        assert not isinstance(self.entry, m.Board)
        self._check_columns()
        ids = self.context.table_ids.get(self.entry.name) or ()
        for row, name in zip(self.source.rows, ids, strict=False):
            self._unknown_cells(row)
            yield self.row(row, name)

    def row(self, row: m.Row, name: str) -> ir.TableRow:
        values: dict[str, Any] = {}
        for field in self.fields:
            if field.params is None:
                value = self._value(field, row)
                if value is not None:
                    values[field.name] = value
        return ir.TableRow(name, values, row.span, self._copies(row))

    def _check_columns(self) -> None:
        if not self.is_csv:
            return
        names = [name for name, _ in self.source.columns]
        first = self.source.columns[0][1]
        for name, span in self.source.columns:
            if name not in self.known:
                self._error(
                    "RS369", f"`{self.entry.name}` has no field for the column `{name}`", span, self._near(name)
                )
        for field, columns in self.columns.items():
            lacking = [c for c in columns if c not in names]
            if lacking and not self._may_lack(self.table.fields[field]):
                self._error(
                    "RS370",
                    f"the column {typing.backquoted(lacking)} of `{self.entry.name}` is missing",
                    first,
                    self._instead(columns[0], names),
                )
                self.missing_columns.add(field)
        for rule in self.rules:
            if rule not in names:
                self._error("RS370", f"the column `{rule}` of `{self.entry.name}` is missing", first)

    def _near(self, name: str) -> str:
        return did_you_mean(name, self.known) or f"its columns are {typing.backquoted(self.known, 12)}"

    def _instead(self, column: str, names: list[str]) -> str:
        near = did_you_mean(column, [n for n in names if n not in self.known])
        return near.replace("did you mean", "is it") if near else ""

    def _may_lack(self, field: ir.Field) -> bool:
        return isinstance(field.type, t.OptionalType) and not field.index and not field.per_face

    def _unknown_cells(self, row: m.Row) -> None:
        if self.is_csv:
            return
        known = {*self.known, *(f.name for f in self.fields)}
        for name, cell in row.cells.items():
            if name not in known:
                self._error("RS369", f"`{self.entry.name}` has no field `{name}`", cell.span, self._near(name))
        for rule in self.rules:
            if rule not in row.cells:
                self._error("RS371", f"this row of `{self.entry.name}` has no `{rule}`", row.span)

    def _copies(self, row: m.Row) -> int:
        cell = row.cells.get("count")
        if cell is None or self.table.kind != "component":
            return 1
        text = cell.text.text.strip() if cell.text is not None else ""
        if not text and self.is_csv:
            return 1
        if not re.fullmatch(r"\d{1,4}", text):
            self._error("RS473", f"`count` needs a whole number, not `{text}`", cell.span)
            return 1
        return int(text)

    def _value(self, field: ir.Field, row: m.Row) -> Any:
        assert field.declared is not None
        unknown = field.type == t.UNKNOWN or any(domain.type == t.UNKNOWN for domain in field.index)
        if unknown or field.name in self.missing_columns:
            return None
        shape = self.table.shape
        columns = self.columns[field.name]
        if columns == [field.name]:
            cell = row.cells.get(field.name)
            if cell is None:
                return self._lacking(field, row)
            if shape is not None and field.name == shape.column:
                return self._drawing(cell, shape)
            return self.reader.read(cell, field.declared, field.name)
        cells = self._cells(field, columns, row)
        if cells is None:
            return None
        values = tuple(self.reader.read(cell, field.declared, field.name) for cell in cells)
        return values if all(value is not None for value in values) else None

    def _lacking(self, field: ir.Field, row: m.Row) -> ir.Expr | None:
        if self._may_lack(field):
            return ir.Const(None, type=field.type, span=row.span)
        self._error(
            "RS371",
            f"this row of `{self.entry.name}` has no `{field.name}`",
            row.span,
            f"its type is `{type_text(field.type)}`; with `optional` before it, it may be left out",
        )
        return None

    def _cells(self, field: ir.Field, columns: list[str], row: m.Row) -> list[m.Cell] | None:
        whole = row.cells.get(field.name)
        if whole is not None and not self.is_csv:
            if field.per_face:
                texts = [[(face, face) for face in self.table.faces]]
            else:
                texts = [[(v, text) for v, text in typing.values_of(d, self.context) or []] for d in field.index]
            return flatten(whole, [[text for _, text in level] for level in texts], f"`{field.name}`", self.context)
        found = [row.cells.get(column) for column in columns]
        lacking = [column for column, cell in zip(columns, found, strict=True) if cell is None]
        if lacking:
            self._error(
                "RS371",
                f"this row of `{self.entry.name}` has no {typing.backquoted(lacking)}",
                row.span,
                f"write a list or a map in `{field.name}`" if len(lacking) == len(columns) else "",
            )
            return None
        return [cell for cell in found if cell is not None]

    def _drawing(self, cell: m.Cell, shape: ir.PieceShape) -> ir.Expr | None:
        """A drawn shape: its lines, which may be parted by `/` in a CSV file."""
        text = cell.text.text.strip("\n") if cell.text is not None else ""
        letters = {letter for letter, _ in shape.letters}
        lines = text.split("/") if "\n" not in text and "/" not in letters else text.split("\n")
        lines = [line.rstrip() for line in lines]
        wrong = next((x for line in lines for x in line if x != " " and x not in letters), "")
        if wrong:
            self._error(
                "RS372",
                f"`{wrong}` in the drawing is not a letter of the shape",
                cell.span,
                f"the letters are {typing.backquoted(sorted(letters))}; a blank is no cell",
            )
            return None
        if not any(line.strip() for line in lines):
            self._error("RS474", "the drawing of the shape is empty", cell.span)
            return None
        return ir.Const("\n".join(lines), type=t.TEXT, span=cell.span)

    def _error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.context.reporter.error(code, message, span, hint)


def flatten(cell: m.Cell, levels: list[list[str]], what: str, context: Context) -> list[m.Cell] | None:
    """The cells of nested lists or maps in row-major order; a wrong shape is reported."""
    if not levels:
        if cell.text is None and (cell.named or any(c.items or c.named for c in cell.items)):
            context.reporter.error("RS475", f"{what} is nested too deeply here", cell.span)
            return None
        return [cell]
    names = levels[0]
    if cell.named:
        given = dict(cell.named)
        wrong = [(name, c) for name, c in cell.named if name not in names]
        for name, part in wrong:
            context.reporter.error(
                "RS373",
                f"`{name}` is not an index of {what}",
                part.span,
                did_you_mean(name, names) or f"the indices are {typing.backquoted(names)}",
            )
        lacking = [name for name in names if name not in given]
        if lacking and not wrong:
            context.reporter.error("RS476", f"{what} has no value for {typing.backquoted(lacking)}", cell.span)
        if wrong or lacking:
            return None
        parts = [given[name] for name in names]
    elif cell.text is None:
        if len(cell.items) != len(names):
            context.reporter.error(
                "RS476",
                f"{what} needs {len(names)} values here, found {len(cell.items)}",
                cell.span,
                f"one for each of {typing.backquoted(names, 12)}",
            )
            return None
        parts = list(cell.items)
    else:
        context.reporter.error(
            "RS475",
            f"{what} needs a list or a map here, of {len(names)} values",
            cell.span,
            f"one for each of {typing.backquoted(names, 12)}",
        )
        return None
    found = [flatten(part, levels[1:], what, context) for part in parts]
    return [c for part in found if part is not None for c in part] if all(p is not None for p in found) else None


# ---------------------------------------------------------------- boards


def read_board(board: m.Board, context: Context) -> None:
    """The rows of a board: its further spaces, or all spaces where it is drawn."""
    table, shape = context.tables[board.name], context.boards[board.name]
    reader = _Rows(board, table, context)
    rows: list[ir.TableRow] = []
    if shape.drawing:
        legend = dict(board.legend)
        letters = _letters_at(board, shape) if legend else {}
        for name, x, y in shape.drawing:
            span = board.name_span
            values: dict[str, Any] = {}
            if legend and letters.get(name) in legend:
                row = legend[letters[name]]
                place = {"col": _number_const(x, row.span), "row": _number_const(y, row.span)}
                values = {**place, **_legend_values(reader, board, row)}
            rows.append(ir.TableRow(name, values, span))
    for name, row in board.spaces:
        known = [*table.fields, "beside"]
        for column, cell in row.cells.items():
            if column not in known:
                context.reporter.error(
                    "RS369",
                    f"the spaces of `{board.name}` have no field `{column}`",
                    cell.span,
                    did_you_mean(column, known) or f"the fields are {typing.backquoted(known)}",
                )
        rows.append(reader.row(row, name))
    context.tables[board.name] = evolve(table, rows=tuple(rows))


def _legend_values(reader: _Rows, board: m.Board, row: m.Row) -> dict[str, Any]:
    own = [f.name for f in board.fields]
    for name, cell in row.cells.items():
        if name not in own:
            reader._error(
                "RS369", f"the spaces of `{board.name}` have no field `{name}`", cell.span, did_you_mean(name, own)
            )
    fields = {name: f for name, f in reader.table.fields.items() if name in own}
    part = _Rows(board, evolve(reader.table, fields=fields), reader.context)
    return part.row(row, "").values


def _letters_at(board: m.Board, shape: ir.BoardShape) -> dict[str, str]:
    assert board.map is not None
    lines = [line.rstrip() for line in board.map.text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    return {name: lines[len(lines) - y][x - 1] for name, x, y in shape.drawing}


def _number_const(value: int, span: Span) -> ir.Const:
    return ir.Const(value, type=t.NumberType(Fraction(value), Fraction(value)), span=span)
