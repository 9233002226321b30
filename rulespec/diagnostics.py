"""Mistakes in a spec as values: `Diagnostic`, and `Reporter`, which collects them.

Codes by hundreds: RS0xx YAML, RS1xx structure, RS2xx syntax of the rules language, RS3xx names,
RS4xx types and values, RS5xx course of play, RS9xx warnings. `check/codes.py` has the table.
"""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from rulespec.source import Span


@frozen
class Note:
    """A second place that explains the first, as where a name was declared before."""

    message: str
    span: Span


@frozen
class Diagnostic:
    """One mistake: what, where, and what to do.

    Attributes:
        severity: "error" or "warning".
        code: as RS301.
        message: one sentence without a full stop; names in backquotes.
        span: the place; `path`, `line`, `column` (from 1) are read from it.
        hint: what to write instead, or "".
        notes: further places.
    """

    severity: str
    code: str
    message: str
    span: Span
    hint: str = ""
    notes: tuple[Note, ...] = ()

    @property
    def path(self) -> str:
        """The file."""
        return self.span.path

    @property
    def line(self) -> int:
        """The line, from 1."""
        return self.span.line

    @property
    def column(self) -> int:
        """The column in characters, from 1."""
        return self.span.column


class SpecError(Exception):
    """A spec that does not check. `.diagnostics` holds everything that was found."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        return "\n".join(short(d) for d in self.diagnostics)


class Reporter:
    """Collects diagnostics; the same message at the same place is kept once."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str, Span], Diagnostic] = {}

    def error(self, code: str, message: str, span: Span, hint: str = "", notes: tuple[Note, ...] = ()) -> None:
        """Adds an error."""
        self._add(Diagnostic("error", code, message, span, hint, notes))

    def warning(self, code: str, message: str, span: Span, hint: str = "", notes: tuple[Note, ...] = ()) -> None:
        """Adds a warning."""
        self._add(Diagnostic("warning", code, message, span, hint, notes))

    def _add(self, diagnostic: Diagnostic) -> None:
        self._found.setdefault((diagnostic.code, diagnostic.message, diagnostic.span), diagnostic)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """Everything found, by file, line and column."""
        return tuple(sorted(self._found.values(), key=lambda d: (d.path, d.line, d.column, d.code)))

    @property
    def failed(self) -> bool:
        """Whether there is an error."""
        return any(d.severity == "error" for d in self._found.values())

    def raise_if_failed(self) -> None:
        """Raises SpecError with everything found, if there is an error."""
        if self.failed:
            raise SpecError(self.diagnostics)


def short(diagnostic: Diagnostic) -> str:
    """One line: `file:line:column: error[RS301]: message; hint`."""
    hint = f"; {diagnostic.hint}" if diagnostic.hint else ""
    place = f"{diagnostic.path}:{diagnostic.line}:{diagnostic.column}"
    return f"{place}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.message}{hint}"
