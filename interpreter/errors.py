"""What can go wrong in play."""

from __future__ import annotations

from rulespec.source import Span


class Fault(Exception):
    """Raised by emitted code where a rule cannot be carried out; `RuleError` adds the place."""


class RuleError(Exception):
    """A fault of the spec in play: a rule that cannot be carried out, or does not end.

    The state is as it was before the action.

    Attributes:
        message: what went wrong.
        spans: the places in the spec, innermost first.
        action: text of the action that was being carried out, or "" at the start.
        seat: who acted, or None.
    """

    def __init__(self, message: str, spans: tuple[Span, ...], action: str, seat: int | None) -> None:
        self.message, self.spans, self.action, self.seat = message, spans, action, seat
        super().__init__(message, spans, action, seat)

    def __str__(self) -> str:
        place = f"{self.spans[0].path}:{self.spans[0].line}:{self.spans[0].column}: " if self.spans else ""
        others = [f"{s.path}:{s.line}" for s in self.spans[1:6]]
        through = f" (through {', '.join(others)})" if others else ""
        doing = f" while doing `{self.action}`" if self.action else ""
        return f"{place}{self.message}{through}{doing}"


class IllegalAction(ValueError):
    """An action that is not among the legal ones now. `reasons` says why, for the seat that asked."""

    def __init__(self, message: str, reasons: tuple[str, ...] = ()) -> None:
        self.message, self.reasons = message, reasons
        super().__init__(message, reasons)

    def __str__(self) -> str:
        return "; ".join([self.message, *self.reasons])


class SaveError(ValueError):
    """A save or a state that cannot be loaded."""


class UndoError(ValueError):
    """Why the last decision cannot be taken back."""


class WorldError(RuntimeError):
    """Why `State.sample_world` has no world to give."""
