"""Shuffles of a sampled world: dealt so that each card that the seat sees again lies where it must."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.worlds.steering import Mismatch

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.worlds.observed import Observed, Step


class Dealing:
    """The shuffles of one observation."""

    def __init__(self, game: Game, seen: Observed) -> None:
        self.game, self.seen = game, seen
        self._allowed: dict[int, dict[int, list[tuple[int, int]]]] = {}

    def _first(self, kind: str, c: int) -> int:
        first = self.game.tables.first.get(kind)
        return c if first is None else first[c]

    def allowed(self, number: int) -> dict[int, list[tuple[int, int]]]:
        """Of the cards of a shuffle that cannot have had every fate that its unknown cards had, those that they can."""
        if number not in self._allowed:
            shuffled = self.seen.shuffles[number]
            kind = self.game.layout.zones[self.game.layout.instances[shuffled.zone][0]].zone.component
            found: dict[int, list[tuple[int, int]]] = {}
            fates = list(dict.fromkeys(fate for fate in shuffled.fates if isinstance(fate[0], int)))
            for piece, seen in shuffled.again.items():
                if piece[0] == kind:
                    fitting = [
                        fate for fate in fates if fate[0] <= seen and self.seen.limits[fate[0]][piece] >> fate[1] & 1
                    ]
                    if len(fitting) < len(fates):
                        found[piece[1]] = fitting
            self._allowed[number] = found
        return self._allowed[number]

    def _limits(
        self, number: int, kind: str, cards: Sequence[int], chance: random.Random
    ) -> dict[int, list[tuple[int, int]]]:
        """What `allowed` says, for the cards that lie there. Of look-alikes any stands for one that is seen again."""
        allowed = self.allowed(number)
        if kind not in self.game.tables.first:
            return allowed
        shuffled = self.seen.shuffles[number]
        masks, here = self.seen.limits[shuffled.time], 1 << shuffled.zone
        placed = {fate[1] for fate in shuffled.fates if not isinstance(fate[0], int)}
        by_look: dict[int, list[int]] = {}
        for card in chance.sample(cards, len(cards)):
            by_look.setdefault(self._first(kind, card), []).append(card)
        found = {}
        copies = [copy for copy in allowed if masks[kind, copy] & here and copy not in placed]
        chance.shuffle(copies)
        for copy in sorted(copies, key=lambda copy: masks[kind, copy] != here):
            alike = by_look.get(self._first(kind, copy))
            if alike:
                found[alike.pop()] = allowed[copy]
        return found

    def order(self, step: Step, number: int, items: Sequence[int], chance: random.Random) -> list[int]:
        """A random order of a stack in which every card that is seen again lies where it may.

        Args:
            step: the step of the seat's observation.
            number: which shuffle of the step.
            items: the stack.
            chance: where the order comes from.

        Raises:
            Mismatch: there is no such order.
        """
        if number >= len(step.shuffles):
            return chance.sample(items, len(items))
        shuffled = self.seen.shuffles[step.shuffles[number]]
        if len(shuffled.fates) != len(items):
            raise Mismatch
        name, _ = self.game.layout.instances[shuffled.zone]
        kind = self.game.layout.zones[name].zone.component
        left = list(items)
        order: list[Any] = [None] * len(left)
        groups: dict[tuple[int, int], list[int]] = {}
        for place, fate in enumerate(shuffled.fates):
            if isinstance(fate[0], int):
                groups.setdefault(fate, []).append(place)
                continue
            card = fate[1]
            if card not in left:
                look = self._first(kind, card)
                card = next((c for c in left if self._first(kind, c) == look), None)
                if card is None:
                    raise Mismatch
            left.remove(card)
            order[place] = card
        limits = self._limits(step.shuffles[number], kind, left, chance)
        for fate, cards in _dealt(limits, left, groups, chance, kind in self.game.tables.first).items():
            chance.shuffle(cards)
            for place, card in zip(groups[fate], cards, strict=True):
                order[place] = card
        return order


def _dealt(
    limits: dict[int, list[tuple[int, int]]],
    cards: list[int],
    groups: dict[tuple[int, int], list[int]],
    chance: random.Random,
    is_lax: bool,
) -> dict[tuple[int, int], list[int]]:
    """Cards dealt to groups of places as large as these; each card to one where it may be.

    is_lax: a card for which there is no such place is dealt to any. Which of several look-alikes is seen again is only
    supposed, and may be wrong.
    """
    chance.shuffle(cards)
    allowed = {card: limits[card] for card in cards if card in limits}
    found: dict[tuple[int, int], list[int]] = {fate: [] for fate in groups}
    room = {fate: len(places) for fate, places in groups.items()}

    def put(card: int, tried: set[tuple[int, int]]) -> bool:
        fitting = [fate for fate in allowed[card] if fate not in tried]
        free = [fate for fate in fitting if len(found[fate]) < room[fate]]
        if free:
            weights = [room[fate] - len(found[fate]) for fate in free]
            found[chance.choices(free, weights)[0]].append(card)
            return True
        for fate in fitting:
            tried.add(fate)
            for other in found[fate]:
                if put(other, tried):
                    found[fate].remove(other)
                    found[fate].append(card)
                    return True
        return False

    rest = [card for card in cards if card not in allowed]
    for card in allowed:
        if not put(card, set()):
            if not is_lax:
                raise Mismatch
            rest.append(card)
    chance.shuffle(rest)
    for fate in groups:
        while len(found[fate]) < room[fate]:
            found[fate].append(rest.pop())
    return found


__all__ = ["Dealing"]
