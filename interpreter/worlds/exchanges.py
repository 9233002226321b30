"""Exchanges: which cards must have changed places in the past of a run for a step that cannot be to be possible."""

from __future__ import annotations

from interpreter.worlds.observed import Piece, Step
from interpreter.worlds.runs import Drawn, Run
from interpreter.worlds.steering import Course, is_of_rules

TRIES = 6
"""How often a step is run to see whether an exchange makes it possible."""
SWAPS = 300
"""How many exchanges are tried where a step cannot be."""


class Exchanges:
    """The exchanges of a run that has come to a step that cannot be."""

    def __init__(self, run: Run) -> None:
        self.run, self.sampler, self.chance = run, run.sampler, run.chance
        self.game, self.seen, self.sight, self.bit = run.game, run.seen, run.sight, run.bit
        self.twin, self.keys = run.twin, run.keys

    def repaired(self, stay: bool = False) -> dict[Piece, int]:
        """Which cards must have changed places so that the step that cannot be is possible; nothing if none help.

        Args:
            stay: whether they change places here and now.
        """
        number = len(self.run.past)
        zones = self._unseen()
        if number == 0 or not any(len(found) > 1 or self._is_ordered(found[0]) for found in zones.values()):
            return {}
        step, before = self.seen.steps[number], self.run.S
        limits = self._limits(number)
        try:
            for _ in range(SWAPS):
                self.run.S = before.clone()
                places: dict[Piece, int] = {}
                for _ in range(self.chance.choice((1, 1, 2, 3, 6, 12))):
                    pair = self._pair(step, zones, limits)
                    if pair is not None:
                        self._exchange(*pair)
                        kind, one, other = pair
                        to_one, to_other = places.get((kind, one), one), places.get((kind, other), other)
                        places[kind, one], places[kind, other] = to_other, to_one
                self.twin._state._position = self.run.S
                if places and self._offers(step) and self._possible(number, step):
                    if stay:
                        before = self.run.S
                    return places
        finally:
            self.run.S = self.twin._state._position = before
        missing = [] if stay else self._missing(step)
        if missing:  # What the rules hold of a card in their middle has not changed places with it: not tried here.
            kind, one, other = self.chance.choice(missing)
            return {(kind, one): other, (kind, other): one}
        return {}

    def changed(self, places: dict[Piece, int]) -> list[Drawn] | None:
        """What to want from the start for cards to be in the places of others; None where that changes nothing."""
        if not places:
            return None
        back = {(kind, c): c0 for (kind, c0), c in places.items()}
        found = [self._changed(past, n, back) for n, past in enumerate(self.run.past)]
        return found if any(a.differs(b) for a, b in zip(self.run.past, found, strict=True)) else None

    def _limits(self, number: int) -> dict[Piece, int]:
        """Where the cards may lie before a step, as masks; one that is already where it will be seen stays there."""
        time = self.seen.times[number - 1]
        limits = {p: mask for p, mask in self.seen.places(time).items() if p[0] not in self.keys.first}
        for n, past in enumerate(self.run.past):
            orders = [order for name, order in past.outcomes if name == "shuffle"]
            for shuffle, order in zip(self.seen.steps[n].shuffles, orders, strict=False):
                shuffled = self.seen.shuffles[shuffle]
                for fate, c in zip(shuffled.fates, order, strict=False):
                    if not isinstance(fate[0], int) and shuffled.again.get(fate, -1) >= time:
                        limits[fate[0], c] = 0
        return limits

    def _is_ordered(self, number: int) -> bool:
        return self.game.spec.zones[self.game.layout.instances[number][0]].order != "none"

    def _exchange(self, kind: str, one: int, other: int) -> None:
        """Two components change places."""
        loc, z = getattr(self.run.S, f"loc_{kind}"), self.run.S.z
        a, b = loc[one], loc[other]
        loc[one], loc[other] = b, a
        swapped = {one: other, other: one}
        for number in {a, b}:
            z[number] = [swapped.get(c, c) for c in z[number]]
            zone = self.game.layout.zones[self.game.layout.instances[number][0]].zone
            if zone.order == "none" and not zone.laid_on:
                z[number].sort()
            elif self.sampler.explicit and number in self.run.S.unknown:  # Their order means nothing, nor may it tell.
                start, count = self.run.S.unknown[number]
                z[number][start : start + count] = sorted(z[number][start : start + count])

    def _unseen(self) -> dict[str, list[int]]:
        """By kind the zones, with a place for each, whose cards the seat does not see."""
        found: dict[str, list[int]] = {}
        for number, (name, _) in enumerate(self.game.layout.instances):
            if not self.sight.contents[number] & self.bit and self.run.S.z[number] and not name.startswith("box "):
                found.setdefault(self.game.layout.zones[name].zone.component, []).append(number)
        return found

    def _pair(self, step: Step, zones: dict[str, list[int]], limits: dict[Piece, int]) -> tuple[str, int, int] | None:
        """A kind and two cards of it that may lie unseen in each other's zone.

        Mostly one that must have been elsewhere for what is seen now, or one of whoever decides.
        """
        missing = self._missing(step) if self.chance.random() < 0.6 else []
        if missing:
            return self.chance.choice(missing)
        kind = self.chance.choice([k for k, found in zones.items() if len(found) > 1 or self._is_ordered(found[0])])
        own = [n for n in zones[kind] if self._owner(n) == step.who] if self.chance.random() < 0.6 else []
        one = self.chance.choice(own or zones[kind])
        card = self.chance.choice(self.run.S.z[one])
        if self._is_ordered(one) and self.chance.random() < 0.5:
            card = self.run.S.z[one][-1]
        mine = limits.get((kind, card), -1)
        cards = [
            c for n in zones[kind] if mine >> n & 1 and (n != one or self._is_ordered(n))
            for c in self.run.S.z[n] if c != card and limits.get((kind, c), -1) >> one & 1
        ]  # fmt: skip
        return (kind, card, self.chance.choice(cards)) if cards else None

    def _missing(self, step: Step) -> list[tuple[str, int, int]]:
        """Pairs of cards: one that is seen to leave a zone in a step, but lies elsewhere, and one in that zone."""
        found = []
        for key in step.keys or ():
            if key[0] != "move" or key[2] is None:
                continue
            _, kind, look, source, *_ = key
            inside = self.run.S.z[source]
            if self.sight.contents[source] & self.bit or any(self.keys.look(kind, c) == look for c in inside):
                continue
            loc = getattr(self.run.S, f"loc_{kind}")
            for c, zone in enumerate(loc):
                if self.keys.look(kind, c) == look and not self.sight.contents[zone] & self.bit:
                    found += [(kind, c, other) for other in inside]
        return found

    def _owner(self, number: int) -> int | None:
        name, index = self.game.layout.instances[number]
        per = self.game.layout.zones[name].per
        return self.sight.owner(per, self.game.layout.unflat(per, index))

    def _offers(self, step: Step) -> bool:
        """Works the options out again; whether there are any."""
        S = self.run.S
        decisions, module = self.sampler.log_module.decisions, self.sampler.log_module
        try:
            if S.branches is not None:
                for branch in S.branches:
                    if branch[0] == step.who:
                        branch[3] = module.function(decisions[branch[2]].options)(S, branch[1][-1])
                S.options = S.branches[0][3]
            elif not S.over:
                S.options = module.function(decisions[S.decision].options)(S, S.stack[-1])
        except Exception as problem:
            if not is_of_rules(problem, module):
                raise
            return False
        return bool(S.options)

    def _possible(self, number: int, step: Step) -> bool:
        """Whether a step can be taken from the position as it is."""
        for action in self.run.candidates(step, None):
            chosen = self.twin._state._meant(action, step.who)[1]
            course = Course(self.chance, (), lambda n, items: self.sampler.dealing.order(step, n, items, self.chance))
            for _ in range(TRIES):
                course.begin()
                decided = self.twin.decided(step.who, chosen)
                if self.run.ran(number, step, step.who, action, chosen, course, decided) is not None:
                    return True
                if not course.turn_back():
                    break
        return False

    def _changed(self, past: Drawn, number: int, places: dict[Piece, int]) -> Drawn:
        """A step of the past with cards in the places of others."""
        action = past.action
        if action is not None:
            key = [
                places.get((getattr(parameter.type, "name", ""), value), value) if isinstance(value, int) else value
                for parameter, value in zip(action.table.schema.parameters, action.key, strict=True)
            ]
            action = action.table.of(tuple(key))
        outcomes, shuffles = [], iter(self.seen.steps[number].shuffles)
        for name, outcome in past.outcomes:
            if name == "shuffle":
                outcome = self._reordered(next(shuffles, None), outcome, places)
            outcomes.append((name, outcome))
        return Drawn(action, outcomes)

    def _reordered(self, number: int | None, order: list[int], places: dict[Piece, int]) -> list[int]:
        if number is None:
            return order
        shuffled = self.seen.shuffles[number]
        kind = self.game.layout.zones[self.game.layout.instances[shuffled.zone][0]].zone.component
        new = [places.get((kind, c), c) for c in order]
        allowed = {} if kind in self.keys.first else self.sampler.dealing.allowed(number)
        for fate, c, was in zip(shuffled.fates, new, order, strict=True):
            if c != was and (not isinstance(fate[0], int) or fate not in allowed.get(c, (fate,))):
                return order
        return new


__all__ = ["Exchanges"]
