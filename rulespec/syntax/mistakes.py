"""`Mistake`, how the parts of the parser say what is wrong."""

from __future__ import annotations

from rulespec.source import Span


class Mistake(Exception):
    """One syntax error. Only the first of a piece of text is reported, so it is raised.

    Attributes: as of Diagnostic.
    """

    def __init__(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint
        super().__init__(code, message, span, hint)


def join(first: Span, last: Span) -> Span:
    """The span from the start of one to the end of the other."""
    return Span(first.path, first.line, first.column, last.end_line, last.end_column)
