"""A position that shows only what one seat sees, to find out whether an answer rests on that alone.

What the rules read is let through where the seat sees it, and is a `Hidden` error where not. A function that ends
without one has read nothing hidden, and what it read first told it what to read next: its result is the same in every
position that looks the same to the seat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.game import Game


class Hidden(LookupError):
    """Something was read that the seat does not see."""


class _Entries(Sequence[Any]):
    """A list whose entries are seen or not. No list, so that nothing is read around it."""

    def __init__(self, values: Sequence[Any], sees: Callable[[int], bool], counted: bool = True) -> None:
        self._values, self._sees, self._counted = values, sees, counted

    def __len__(self) -> int:
        if not self._counted:
            raise Hidden
        return len(self._values)

    def __getitem__(self, place: Any) -> Any:
        count = len(self)
        if isinstance(place, slice):
            return [self[n] for n in range(*place.indices(count))]
        number = place + count if place < 0 else place
        if not 0 <= number < count:
            raise IndexError(place)
        if not self._sees(number):
            raise Hidden
        return self._values[number]

    def __iter__(self) -> Iterator[Any]:
        return (self[n] for n in range(len(self)))


class _Zones(Sequence[Any]):
    """The lists of all zone instances."""

    def __init__(self, game: Game, S: Any, bit: int) -> None:
        self._game, self._lists, self._bit = game, S.z, bit

    def __len__(self) -> int:
        return len(self._lists)

    def __getitem__(self, number: Any) -> Any:
        sight, bit = self._game.sight, self._bit
        if isinstance(number, slice):
            return [self[n] for n in range(*number.indices(len(self)))]
        cards = self._lists[number]
        if sight.contents[number] & bit:
            return cards
        top = len(cards) - 1 if sight.tops[number] & bit else -1
        return _Entries(cards, lambda place: place == top, bool(sight.counts[number] & bit))


def watched(game: Game, S: Any, seat: int) -> Any:
    """A copy of a position that shows only what a seat sees."""
    sight, layout, bit = game.sight, game.layout, game.sight.bit(seat)
    copy = S.clone()
    copy.z = _Zones(game, S, bit)
    for kind, table in game.spec.tables.items():
        if table.kind == "component":
            sees = _component(game, S, kind, bit)
            for name in (f"loc_{kind}", *([f"face_{kind}"] if table.faces else [])):
                setattr(copy, name, _Entries(getattr(S, name), sees))
    for name, place in layout.variables.items():
        if place.per:
            setattr(copy, f"v_{name}", _Entries(getattr(S, f"v_{name}"), _entry(game, S, name, bit)))
        elif not sight.entry(S, name, 0) & bit:
            delattr(copy, f"v_{name}")
    hidden = {f"memory_{record}" for record, names in game.spec.records.items() if not _is_open(game, names)}
    for kind, laid in game.tables.laid.items():
        if not all(sight.contents[number] & bit for number, _, _ in laid.zones):
            hidden |= {name for name in type(S).__slots__ if name.endswith(f"_{kind}") and not name.startswith("v_")}
    for name in hidden:
        delattr(copy, name)
    return copy


def _component(game: Game, S: Any, kind: str, bit: int) -> Callable[[int], bool]:
    return lambda component: bool(game.sight.component(S, kind, component) & bit)


def _entry(game: Game, S: Any, name: str, bit: int) -> Callable[[int], bool]:
    return lambda index: bool(game.sight.entry(S, name, index) & bit)


def _is_open(game: Game, names: Sequence[str]) -> bool:
    """Whether everybody sees all that a record is of."""
    zones, sight = game.spec.zones, game.sight
    return all(zones[n].seen_by == "everyone" if n in zones else sight.is_open(n) for n in names)
