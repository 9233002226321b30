"""Tables in CSV files, with the place of every value.

The dialect is the csv module's default one (commas, double quotes doubled inside quotes); it is read
here because that module does not say where a value stands.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import frozen

from rulespec.diagnostics import Note, Reporter
from rulespec.source import Span, Text
from rulespec.spec.model import Cell, Row
from rulespec.spec.outline import NAME
from rulespec.yaml_source import decode

MAX_ERRORS = 10


class _Broken(Exception):
    """Quotes are wrong; where values end can't be known from there on."""


@frozen
class Table:
    """A CSV file's columns, with their places, and its rows."""

    columns: tuple[tuple[str, Span], ...]
    rows: tuple[Row, ...]


def read_csv(path: str, data: bytes, reporter: Reporter) -> Table | None:
    """Reads a table whose first line names the columns; None after a report."""
    text = decode(path, data, reporter)
    if text is None:
        return None
    try:
        records = [r for r in _records(path, text, reporter) if len(r) > 1 or r[0].text]
    except _Broken:
        return None
    if not records:
        hint = "the first line has the names of the columns, with commas between"
        reporter.error("RS122", "the file is empty", Span(path, 1, 1, 1, 1), hint)
        return None
    columns = _header(records[0], reporter)
    if columns is None:
        return None
    if len(records) == 1:
        reporter.error("RS122", "the file has names of columns but no rows", _span(records[0]))
        return None
    return Table(columns, _rows(columns, records[1:], reporter))


def _rows(columns: tuple[tuple[str, Span], ...], records: list[list[Text]], reporter: Reporter) -> tuple[Row, ...]:
    rows: list[Row] = []
    wrong = 0
    for record in records:
        if len(record) != len(columns):
            wrong += 1
            if wrong <= MAX_ERRORS:
                values = "1 value" if len(record) == 1 else f"{len(record)} values"
                message = f"the row has {values}, but there are {len(columns)} columns"
                hint = "a value with a comma in it needs double quotes" if len(record) > len(columns) else ""
                reporter.error("RS125", message, _span(record), hint)
            continue
        cells = {name: Cell(text, text.span) for (name, _), text in zip(columns, record, strict=True)}
        rows.append(Row(cells, _span(record)))
    return tuple(rows)


def _header(record: list[Text], reporter: Reporter) -> tuple[tuple[str, Span], ...] | None:
    columns: dict[str, Span] = {}
    good = True
    for text in record:
        if not text.text:
            reporter.error("RS123", "a column has no name", text.span, "the first line names every column")
            good = False
        elif not NAME.match(text.text):
            separator = ";" if ";" in text.text else "\t" if "\t" in text.text else ""
            hint = "a name has letters, digits and `_`; the first line has the names of the columns"
            hint = "values are separated by commas" if separator and len(record) == 1 else hint
            reporter.error("RS123", f"`{text.text}` can't be the name of a column", text.span, hint)
            good = False
        elif text.text in columns:
            note = Note("it stands here first", columns[text.text])
            hint = "rename or delete one of them"
            reporter.error("RS124", f"the column `{text.text}` stands twice", text.span, hint, (note,))
            good = False
        else:
            columns[text.text] = text.span
    return tuple(columns.items()) if good else None


def _span(record: list[Text]) -> Span:
    first, last = record[0].span, record[-1].span
    return Span(first.path, first.line, first.column, last.end_line, last.end_column)


def _records(path: str, text: str, reporter: Reporter) -> Iterator[list[Text]]:
    """The lines of the file as lists of values."""
    position, line, line_start = 0, 1, 0
    while position < len(text):
        record: list[Text] = []
        while True:
            while text[position : position + 1] == " ":
                position += 1
            column = position - line_start + 1
            if text[position : position + 1] == '"':
                end = _closing_quote(text, position)
                if end < 0:
                    place = Span(path, line, column, line, column + 1)
                    hint = "a quote inside quotes is written twice"
                    reporter.error("RS126", "the quote is never closed", place, hint)
                    raise _Broken
                raw = text[position + 1 : end]
                value, rows = _quoted(path, raw, line, column)
                if rows:
                    line += rows
                    line_start = position + 1 + raw.rindex("\n") + 1
                position = end + 1
                while text[position : position + 1] == " ":
                    position += 1
                if text[position : position + 1] not in (",", "\n", ""):
                    at = position - line_start + 1
                    hint = "quotes go around the whole value; a quote inside is written twice"
                    reporter.error("RS126", "text after the closing quote", Span(path, line, at, line, at + 1), hint)
                    raise _Broken
            else:
                end = position
                while end < len(text) and text[end] not in ",\n":
                    end += 1
                raw = text[position:end].rstrip(" ")
                span = Span(path, line, column, line, column + len(raw))
                value = Text(raw, span, ((line, column),))
                position = end
            record.append(value)
            if text[position : position + 1] == ",":
                position += 1
                continue
            position += 1
            line, line_start = line + 1, position
            break
        yield record


def _closing_quote(text: str, opening: int) -> int:
    at = text.find('"', opening + 1)
    while at >= 0 and text[at + 1 : at + 2] == '"':
        at = text.find('"', at + 2)
    return at


def _quoted(path: str, raw: str, line: int, column: int) -> tuple[Text, int]:
    """The value between quotes, and the number of line breaks in it."""
    rows = raw.split("\n")
    breaks = len(rows) - 1
    end_column = len(rows[-1]) + 2 if breaks else column + len(raw) + 2
    span = Span(path, line, column, line + breaks, end_column)
    if '""' in raw:
        value = raw.replace('""', '"')
        return Text(value, span, ((line, column),) * (breaks + 1), exact=False), breaks
    starts = tuple((line + i, column + 1 if i == 0 else 1) for i in range(breaks + 1))
    return Text(raw, span, starts), breaks
