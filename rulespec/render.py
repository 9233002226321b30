"""Diagnostics as text: `full` with the line of the file and a caret, `as_json`; `short` is in diagnostics."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from pathlib import Path

from attrs import define, field

from rulespec.diagnostics import Diagnostic, Note, short
from rulespec.source import Span

__all__ = ["Renderer", "as_json", "full", "short"]

MAX_WIDTH = 160
"""Columns of a line that are shown; a longer one is cut around the caret."""

_COLOURS = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
    "help": "\x1b[1;32m",
    "bar": "\x1b[34m",
}
_BOLD, _RESET = "\x1b[1m", "\x1b[0m"


@define
class Renderer:
    """Renders diagnostics, reading each file once.

    Attributes:
        colour: with terminal colours.
        root: the folder that relative paths are under, if it is not the current one.
    """

    colour: bool = False
    root: Path | None = None
    _files: dict[str, list[str]] = field(factory=dict)

    def full(self, diagnostic: Diagnostic) -> str:
        """Several lines: the message, the place, the line of the file with carets, notes and help."""
        notes = [note for note in diagnostic.notes if self._line(note.span) is not None]
        spans = [diagnostic.span, *(note.span for note in notes)]
        margin = " " * max(len(str(span.line)) for span in spans)
        kind = diagnostic.severity
        header = self._paint(f"{kind}[{diagnostic.code}]", kind) + self._bold(f": {diagnostic.message}")
        lines = [header, *self._place(diagnostic.span, margin, kind, "^")]
        for note in diagnostic.notes:
            lines += [f"{margin} {self._paint('=', 'bar')} {self._paint('note', 'note')}: {note.message}"]
            lines += self._place(note.span, margin, "note", "-")
        if diagnostic.hint:
            lines.append(f"{margin} {self._paint('=', 'bar')} {self._paint('help', 'help')}: {diagnostic.hint}")
        if lines[-1] == f"{margin} {self._paint('|', 'bar')}":
            lines.pop()
        return "\n".join(lines)

    def all(self, diagnostics: Iterable[Diagnostic]) -> str:
        """All of them with an empty line between; ends with a line break unless there are none."""
        return "\n".join(self.full(d) + "\n" for d in diagnostics)

    def _place(self, span: Span, margin: str, kind: str, mark: str) -> list[str]:
        bar = self._paint("|", "bar")
        lines = [f"{margin}{self._paint('-->', 'bar')} {span.path}:{span.line}:{span.column}"]
        row = self._line(span)
        if row is None:
            return lines
        end = span.end_column if span.end_line == span.line else len(row) + 1
        shown, before, width = _cut(row, span.column - 1, max(end - 1, span.column))
        carets = self._paint(mark * max(1, width), kind)
        number = str(span.line).rjust(len(margin))
        lines.append(f"{margin} {bar}")
        lines.append(f"{self._paint(number, 'bar')} {bar} {shown}".rstrip())
        lines.append(f"{margin} {bar} {' ' * before}{carets}")
        lines.append(f"{margin} {bar}")
        return lines

    def _line(self, span: Span) -> str | None:
        """The line of the file, or None if the file can't be read or has become shorter."""
        if span.path not in self._files:
            path = Path(span.path) if self.root is None else self.root / span.path
            try:
                text = path.read_bytes()[:5_000_000].decode("utf-8", "replace")
            except (OSError, ValueError):
                text = ""
            text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
            self._files[span.path] = text.split("\n") if text else []
        rows = self._files[span.path]
        return rows[span.line - 1] if 1 <= span.line <= len(rows) else None

    def _paint(self, text: str, kind: str) -> str:
        return f"{_COLOURS[kind]}{text}{_RESET}" if self.colour else text

    def _bold(self, text: str) -> str:
        return f"{_BOLD}{text}{_RESET}" if self.colour else text


def full(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """One diagnostic with its line of the file; for many use one `Renderer`."""
    return Renderer(colour=colour).full(diagnostic)


def as_json(diagnostic: Diagnostic) -> dict[str, object]:
    """A diagnostic as plain JSON types."""
    return {
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        **_span_json(diagnostic.span),
        "notes": [_note_json(note) for note in diagnostic.notes],
    }


def _note_json(note: Note) -> dict[str, object]:
    return {"message": note.message, **_span_json(note.span)}


def _span_json(span: Span) -> dict[str, object]:
    return {
        "path": span.path,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _cut(row: str, start: int, end: int) -> tuple[str, int, int]:
    """A line made fit for a terminal, the columns before the caret, and the columns it covers.

    `start` and `end` are offsets into the row, which may lie behind its end.
    """
    first = 0
    if len(row) > MAX_WIDTH:
        first = max(0, start - 40)
        row_end = first + MAX_WIDTH
        row, start, end = row[first:row_end], start - first, min(end - first, MAX_WIDTH)
    cells = [_shown(char) for char in row]
    before = sum(width for _, width in cells[:start]) + max(0, start - len(cells))
    covered = sum(width for _, width in cells[start:end]) + (1 if end > len(cells) else 0)
    text = "".join(shown for shown, _ in cells)
    return ("..." + text, before + 3, covered) if first else (text, before, covered)


def _shown(char: str) -> tuple[str, int]:
    """A character as printed, and how many columns of a terminal it takes."""
    if char == "\t":
        return "    ", 4
    if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cn"):
        return "\ufffd", 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return char, 0
    return char, 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
