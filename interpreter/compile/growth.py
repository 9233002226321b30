"""Which numbers that a body keeps under a name can come to be too large, and so are tested whenever they change."""

from __future__ import annotations

from typing import Any

from interpreter.compile.internal import CallUnit
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

MOST_START = 10**9
"""The largest number that a counter is ever set to."""
MOST_STEP = 10**4
"""The largest number by which a counter changes at once: to come to `LARGEST` takes it 10**11 changes."""


def counters(bodies: Any) -> frozenset[ir.Local]:
    """The locals of some bodies that are only ever set to small numbers and changed by small steps."""
    small: dict[ir.Local, bool] = {}
    for node in nodes(bodies):
        match node:
            case ir.Let(local=local, value=value):
                small[local] = small.get(local, True) and (_within(value, MOST_START) or _is_step(value, local))
            case CallUnit(local=ir.Local() as local):
                small[local] = False
    return frozenset(local for local, is_small in small.items() if is_small)


def _is_step(value: ir.Expr, local: ir.Local) -> bool:
    """Whether a value is that of a local and a little more or less."""
    match value:
        case ir.Binary(op="+" | "-", left=ir.LocalRead(local=changed), right=step):
            return changed is local and _within(step, MOST_STEP)
    return False


def _within(value: ir.Expr, most: int) -> bool:
    """Whether the numbers that a value can be are whole and at most so large, of either sign."""
    kind = value.type
    if not isinstance(kind, t.NumberType) or kind.step != 1 or kind.low is None or kind.high is None:
        return False
    return -most <= kind.low and kind.high <= most
