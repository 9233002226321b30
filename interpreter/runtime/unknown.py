"""Explicit chance: the order of a shuffled stack is found out card by card, where the rules first need it.

`S.unknown` has, by zone number, the part of the stack's list that is in no known order: (first index, length).
Cards above and below it are known. In that part the list's own order means nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interpreter.runtime.support import distinct


def shuffle_unknown(S: Any, number: int) -> None:
    """All order of the stack is forgotten."""
    count = len(S.z[number])
    S.unknown = {**S.unknown, number: (0, count)}
    S.z[number] = sorted(S.z[number])
    _tidy(S, number)


def _tidy(S: Any, number: int) -> None:
    """A part of one card or none is known."""
    if S.unknown[number][1] <= 1:
        S.unknown = {n: part for n, part in S.unknown.items() if n != number}


def leave_unknown(S: Any, number: int, component: int) -> None:
    """A component is about to leave a zone."""
    part = S.unknown.get(number)
    if part is None:
        return
    start, count = part
    place = S.z[number].index(component)
    if place < start:
        S.unknown = {**S.unknown, number: (start - 1, count)}
    elif place < start + count:
        S.unknown = {**S.unknown, number: (start, count - 1)}
        _tidy(S, number)


def enter_below(S: Any, number: int, below: bool) -> None:
    """A component has come into a zone, under everything else if `below`."""
    part = S.unknown.get(number)
    if part is not None and below:
        S.unknown = {**S.unknown, number: (part[0] + 1, part[1])}


def first_unknown(S: Any, wanted: Iterable[tuple[int, bool]]) -> int | None:
    """The first zone whose top (or, where True, whole order) is wanted and not known."""
    for number, whole in wanted:
        part = S.unknown.get(number)
        if part is not None and (whole or part[0] + part[1] == len(S.z[number])):
            return number
    return None


def _cards(S: Any, number: int, draws: Any) -> list[Any]:
    start, count = S.unknown[number]
    table = draws[number]
    return [table[c] for c in S.z[number][start : start + count]]


def unknown_cards(S: Any, number: int, draws: Any) -> list[Any]:
    """The outcomes: which of the unknown cards is uppermost. Look-alikes are one outcome."""
    looks = draws[number].looks
    cards = _cards(S, number, draws)
    return cards if looks is None else distinct(S, cards, looks)


def unknown_weights(S: Any, number: int, draws: Any) -> list[tuple[Any, int]]:
    """Every unknown card with equal weight."""
    return [(option, 1) for option in _cards(S, number, draws)]


def know_top(S: Any, number: int, component: int) -> None:
    """The uppermost of the unknown cards is this one."""
    start, count = S.unknown[number]
    S.z[number] = stack = S.z[number][:]
    stack.remove(component)
    stack.insert(start + count - 1, component)
    S.unknown = {**S.unknown, number: (start, count - 1)}
    _tidy(S, number)
