"""What the types of numbers tell: whether loops are short, ranges narrow, numbers large, indices sure."""

from __future__ import annotations

from interpreter.compile.layout import Domain
from interpreter.runtime.support import LARGEST, MOST_NUMBERS
from rulespec.check import types as t

MOST_UNCOUNTED = 20
"""Passes of a loop that are not counted as steps."""


def is_short(times: t.Type) -> bool:
    """Whether so many passes are surely too few to count them."""
    return isinstance(times, t.NumberType) and times.high is not None and times.high <= MOST_UNCOUNTED


def is_narrow(low: t.Type, high: t.Type) -> bool:
    """Whether a range from one number to another surely is not too long."""
    least = low.low if isinstance(low, t.NumberType) else None
    most = high.high if isinstance(high, t.NumberType) else None
    return least is not None and most is not None and most - least < MOST_NUMBERS


def may_miss(kind: t.Type, domain: Domain) -> bool:
    """Whether a number may be outside the indices of a variable, zone or table, as far as its type tells."""
    if not isinstance(kind, t.NumberType):
        return False
    last = domain.low + domain.size - 1
    return kind.low is None or kind.high is None or kind.low < domain.low or kind.high > last


def is_large(type: t.Type) -> bool:
    """Whether numbers of a type may be larger than rules may come to."""
    if not isinstance(type, t.NumberType):
        return False
    return type.low is None or type.high is None or max(-type.low, type.high) > LARGEST
