"""What can only be judged of the whole game: rules that never end, are never used, or do what they may not."""

from __future__ import annotations

from rulespec import checked as ir
from rulespec.diagnostics import Reporter


def check(checked: ir.CheckedSpec, reporter: Reporter) -> None:
    """Reports mistakes in the course of play.

    Args:
        checked: a spec in which every expression and statement is in order.
        reporter: gets what is found.
    """
