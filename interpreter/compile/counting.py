"""Nodes that count, put into checked trees by `interpreter.coverage`; other games have none and pay nothing."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from rulespec import checked as ir
from rulespec.records import frozen


@define(eq=False)
class Tally:
    """How often each point of a spec was reached: `counts` by number of the point. Emitted code adds to it."""

    counts: list[int] = field(factory=list)

    def passed(self, point: int, value: Any) -> Any:
        """Counts that a value was worked out."""
        self.counts[point] += 1
        return value

    def tested(self, point: int, value: Any) -> Any:
        """Counts a condition: the point itself where it holds, else the next one."""
        self.counts[point if value else point + 1] += 1
        return value


@frozen(eq=False)
class Hit(ir.Stmt):
    """A statement that only counts."""

    tally: Tally
    point: int


@frozen(eq=False)
class Counted(ir.Expr):
    """A value that counts when it is worked out; `is_test`: by whether it holds, see `Tally.tested`.

    It is not worked out beforehand, even where options decide it, so that only what is played counts.
    """

    tally: Tally
    point: int
    value: ir.Expr
    is_test: bool = False
