"""Copies of one row that are not interchangeable: what the options that differ by them are called.

Copies of a row (`count`) have one text, and those that look alike are one option. Where a face or a variable tells them
apart, options with the same text are told apart by a number: `gold`, `gold#2`. It is the number of the copy among those
that the deciding seat sees, as they lie (see `shown_order`), so it is the one that the seat's view gives it. It says
nothing of which physical copy it is: two positions that look the same to a seat have the same options for it.

Outside, an option is the `Action` of the row's copy with that number. Inside, it is the one of the component that lies
there. `Copies` goes from one to the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from interpreter.runtime.support import look

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.game import Game


class Copies:
    """The names of options in a game with copies."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def names(self, seen: Callable[[], Any], options: Sequence[Action], seat: int | None) -> list[Action]:
        """What some options are called, in the order in which they are shown.

        Args:
            seen: gives the position as the seat sees it (see `views.seen_position`).
            options: of one decision, as the rules list them.
            seat: who decides; None for chance, which sees everything.
        """
        plain = [option.plain for option in options]
        if len(set(plain)) == len(plain):
            return plain
        return [name for name, _ in self._numbered(seen(), options, plain, seat)]

    def pairs(
        self, seen: Callable[[], Any], options: Sequence[Action], seat: int | None
    ) -> list[tuple[Action, Action]]:
        """The names with the options that they stand for; arguments as for `names`."""
        plain = [option.plain for option in options]
        if len(set(plain)) == len(plain):
            return list(zip(plain, options, strict=True))
        return self._numbered(seen(), options, plain, seat)

    def _numbered(
        self, S: Any, options: Sequence[Action], plain: Sequence[Action], seat: int | None
    ) -> list[tuple[Action, Action]]:
        by_text: dict[Action, list[int]] = {}
        for place, action in enumerate(plain):
            by_text.setdefault(action, []).append(place)
        numbers = self._numbers(S, options, seat)
        marked = {
            (kind, first[c])
            for places in by_text.values()
            for kind, first, values in _columns([options[place] for place in places])
            if len(values) > 1
            for c in values
        }
        names = [self._name(option, numbers, marked) for option in options]
        found = list(zip(names, options, strict=True))
        for places in by_text.values():
            # The order in which copies were made must not show.
            in_order = sorted((found[place] for place in places), key=lambda pair: _order(pair[0]))
            for place, pair in zip(places, in_order, strict=True):
                found[place] = pair
        return found

    def _numbers(self, S: Any, options: Sequence[Action], seat: int | None) -> dict[tuple[str, int], int]:
        """By kind and component its number among the copies of its row; those that are not seen come last."""
        numbers: dict[tuple[str, int], int] = {}
        met: dict[tuple[str, int], int] = {}
        kinds = {kind: first for option in options for kind, first, _ in _columns([option])}
        for kind, first in kinds.items():
            seen = seen_components(self.game, S, kind, ALL if seat is None else self.game.sight.bit(seat))
            known = set(seen)
            offered = [c for k, _, values in _columns(options) if k == kind for c in values if c not in known]
            for c in dict.fromkeys([*seen, *offered]):
                met[kind, first[c]] = numbers[kind, c] = met.get((kind, first[c]), 0) + 1
        return numbers

    @staticmethod
    def _name(option: Action, numbers: dict[tuple[str, int], int], marked: set[tuple[str, int]]) -> Action:
        key = list(option.plain.key)
        for n, (kind, first) in option.table.copied.items():
            value = option.key[n]
            if value is not None and (kind, first[value]) in marked:
                key[n] = first[value] + numbers[kind, value] - 1
        return option.table.of(tuple(key))


def copied_key(S: Any, option: Action) -> Any:
    """What tells an option from all that are not interchangeable with it."""
    looks = option.table.looks
    return option if looks is None else (option.table.signature, look(S, option.key, looks))


def _columns(options: Sequence[Action]) -> list[tuple[str, tuple[int, ...], list[int]]]:
    """Of each parameter that takes copies: the kind, the first copies, and the different values, in the order met."""
    found: dict[tuple[Any, int], tuple[str, tuple[int, ...], dict[int, None]]] = {}
    for option in options:
        for n, (kind, first) in option.table.copied.items():
            if option.key[n] is not None:
                found.setdefault((option.table.signature, n), (kind, first, {}))[2][option.key[n]] = None
    return [(kind, first, list(values)) for kind, first, values in found.values()]


def _order(name: Action) -> tuple[int, ...]:
    return tuple(name.key[n] for n in name.table.copied if name.key[n] is not None)


ALL = -1
"""In the place of a viewer's bit: one who sees everything."""


def seen_components(game: Game, S: Any, kind: str, bit: int) -> list[int]:
    """The components of a kind that a viewer sees, as they lie; bit: the viewer's, see `Sight.bit`, or `ALL`."""
    found: list[int] = []
    for place in game.layout.zones.values():
        if place.zone.component == kind:
            for number in range(place.base, place.base + place.count):
                lying = shown_order(game, S, number, bit)
                found += [c for c in lying if bit == ALL or game.sight.component(S, kind, c) & bit]
    return found


def shown_order(game: Game, S: Any, number: int, bit: int) -> list[int]:
    """The components of a zone in the order in which a viewer is shown them: a stack from the top.

    In a zone without order, copies of a row are put in the order of what the viewer sees of them, since their own order
    would tell which is which. number: of the zone's instance; bit: the viewer's, see `Sight.bit`, or `ALL`.
    """
    name, _ = game.layout.instances[number]
    zone = game.layout.zones[name].zone
    cards: list[int] = S.z[number]
    if zone.order == "stack":
        return cards[::-1]
    kind = zone.component
    told = game.told_apart.get(kind)
    if not told or zone.order != "none" or zone.laid_on or not game.sight.contents[number] & bit:
        return cards
    first = game.tables.first[kind]

    def seen(c: int) -> tuple[Any, ...]:
        values: list[Any] = []
        for name, size in told:
            entries = getattr(S, name)[c * size : (c + 1) * size]
            shown = [
                name.startswith("face_") or bool(game.sight.entry(S, name[2:], c * size + n) & bit) for n in range(size)
            ]
            values += [
                (0, 0) if not is_shown else (1, 0) if value is None else (2, value)
                for value, is_shown in zip(entries, shown, strict=True)
            ]
        return first[c], tuple(values)

    return sorted(cards, key=seen)
