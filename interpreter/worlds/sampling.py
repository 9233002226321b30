"""`State.sample_world`: a full state that a seat could be in, made from what it has seen alone.

The game is played again from its start. What the seat has decided is the same; chance, and what others have decided
unseen, is drawn anew, so that the seat sees the same at every step: the same events, options and views. So all that
others have openly done was possible for them in the sampled world, too.

How outcomes are drawn: `observed` tells, for each place of a shuffled stack, where its card went, and for each card
that is seen again, where it must lie in between. A shuffle is dealt within that. Other random events are drawn by
their weights, hidden decisions from the options alike, and what does not fit the step is drawn again. Where a step
cannot be (somebody plays what they cannot have), two cards that the seat has not told apart change places in all that
came before, and the game is played again.

The distribution: every arrangement of hidden cards that fits where cards were seen is about as likely. It is not
weighted by how likely the others would have acted as they did. docs/reference/secrets.md says more of it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from interpreter.errors import WorldError
from interpreter.runtime.notes import Note, tops_of
from interpreter.runtime.play import continue_branch, run
from interpreter.sight.logs import Decided, Twin, across
from interpreter.sight.told import HIDDEN, Keys
from interpreter.worlds.dealing import Dealing
from interpreter.worlds.observed import Observed, Piece, Step, observe, seen_tops
from interpreter.worlds.steering import Course, Expected, Mismatch, Watch, is_of_rules

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.state import State

WORK = 10_000
"""How many steps may be run altogether for one world."""
RUNS = 400
"""How often one step is run, with other chance, before it counts as impossible."""
STRICT = 40
"""How often of these a variable may not keep its value before it changes."""
TOGETHER = 40
"""How often what seats decide together is begun again."""
CANDIDATES = 60
"""How many hidden options of one decision are tried."""
ATTEMPTS = 2000
"""How often the game is played again to find a world whose whole past is possible."""
STUCK = 10
"""How many changes of a run may help nothing before it goes back to a mark."""
FAR = 30
"""How many steps without a shuffle may lie between two marks."""
LOOSE = 400
"""How often after that to find one in which cards may change places on the way."""
TRIES = 6
"""How often a step is run to see whether an exchange makes it possible."""
SWAPS = 300
"""How many exchanges are tried where a step cannot be."""


class Sampler:
    """Makes worlds from one observation."""

    def __init__(self, state: State, seat: int | None) -> None:
        self.game, self.seat, self.state = state.game, seat, state
        self.explicit, self.open = state.is_explicit, state._position.open
        self.seen: Observed = observe(state, seat)
        self.log_module = self.game.module(log=True, explicit=self.explicit)
        self.module = self.game.module(explicit=self.explicit)
        self.attempts = self.work = 0
        self.lax: set[int] = set()
        """The steps in which a variable may keep its value before it changes; see `Expected.take`."""
        self.dealing = Dealing(self.game, self.seen)

    def world(self, chance: random.Random) -> State:
        """A world.

        Raises:
            WorldError: none was found.
        """
        run = self._searched(chance) or self._loose(chance)
        if run is None:
            raise WorldError(f"no world was found that fits what was seen, in {self.attempts} attempts")
        return run.finished()

    def _searched(self, chance: random.Random) -> _Run | None:
        """A run to the end whose whole past is possible.

        Where a run cannot go on, cards change places in its past. Where that does not help, it goes back to its last
        mark and on from there with other chance; if that comes no further either, to the one before, and so on.
        """
        self.work = fails = farthest = 0
        back = 1
        try:
            run = _Run(self, chance)
            run.go()
            for self.attempts in range(1, ATTEMPTS + 1):
                if run.is_done():
                    return run
                if len(run.past) > farthest:
                    farthest, back = len(run.past), 1
                wanted = run.changed(run.repaired())
                if wanted is not None:
                    other = run.again(run.marked(wanted), wanted)
                    if other.go() or len(other.past) > len(run.past):
                        run, fails = other, 0
                        continue
                fails += 1
                if wanted is None or fails == STUCK:
                    place = len(run.marks) - back
                    back, farthest = (back + 1, farthest) if place > 0 else (1, 0)
                    run, fails = run.again(max(0, place)), 0
                    run.go()
        except _Spent:
            pass
        return None

    def _loose(self, chance: random.Random) -> _Run | None:
        """A run to the end in which cards have changed places on the way."""
        self.work = farthest = 0
        back = 1
        try:
            run = _Run(self, chance)
            for _ in range(LOOSE):
                self.attempts += 1
                while not run.go() and run.repaired(stay=True):
                    pass
                if run.is_done():
                    return run
                if len(run.past) > farthest:
                    farthest, back = len(run.past), 1
                place = len(run.marks) - back
                back, farthest = (back + 1, farthest) if place > 0 else (1, 0)
                run = run.again(max(0, place))
        except _Spent:
            pass
        return None


class _Spent(Exception):
    """So much work is not done for one world."""


_Record = tuple[Any, "Decided | None", list[Note]]
"""The position after a step, its decision and its notes."""


def _copied(values: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: entries[:] for name, entries in values.items()}


class _Mark:
    """Where a run can begin again: before a step, with the position, the values of variables and the history there."""

    __slots__ = ("history", "number", "position", "values")

    def __init__(self, number: int, position: Any, values: dict[str, list[Any]], history: Any) -> None:
        self.number, self.position, self.values, self.history = number, position, values, history


class _Past:
    """What a run has drawn in one step: the action as the rules know it, and the outcomes of its random events."""

    __slots__ = ("action", "outcomes")

    def __init__(self, action: Action | None, outcomes: list[Any]) -> None:
        self.action, self.outcomes = action, outcomes

    def differs(self, other: _Past) -> bool:
        """Whether another has drawn something else."""
        return self.action is not other.action or self.outcomes != other.outcomes


class _Run:
    """One attempt: the game played again, step by step."""

    def __init__(self, sampler: Sampler, chance: random.Random, wanted: Sequence[_Past] = ()) -> None:
        self.sampler, self.chance, self.wanted = sampler, chance, wanted
        self.game, self.seen, self.seat = sampler.game, sampler.seen, sampler.seat
        self.sight = self.game.sight
        self.bit = self.sight.bit(self.seat)
        self.code = sampler.log_module.code
        begin = self.game.first_position(sampler.log_module, 0)
        begin.open = sampler.open
        self.twin = Twin(sampler.state, begin)
        self.keys = Keys(self.game, self.seat, self.twin._words)
        self.S: Any = begin
        self.history: Any = None
        self.past: list[_Past] = []
        self.records: list[_Record] = []
        self.marks = [_Mark(0, begin, _copied(self.twin._old), None)]

    def again(self, place: int, wanted: Sequence[_Past] = ()) -> _Run:
        """A new run that is the same up to one of the marks."""
        run = _Run(self.sampler, self.chance, wanted)
        mark = self.marks[place]
        run.marks, run.past, run.records = (
            self.marks[: place + 1],
            self.past[: mark.number],
            self.records[: mark.number],
        )
        run._return(mark)
        return run

    def marked(self, wanted: Sequence[_Past]) -> int:
        """The place of the last mark before the first step that is wanted otherwise."""
        first = next(n for n, (own, other) in enumerate(zip(self.past, wanted, strict=True)) if own.differs(other))
        return sum(mark.number <= first for mark in self.marks) - 1

    def is_done(self) -> bool:
        """Whether all steps have been taken."""
        return len(self.past) == len(self.seen.steps)

    def _mark(self) -> _Mark:
        return _Mark(len(self.past), self.S, _copied(self.twin._old), self.history)

    def _return(self, mark: _Mark) -> None:
        self.S, self.history = mark.position, mark.history
        self.twin._old, self.twin._state._position = _copied(mark.values), self.S
        del self.past[mark.number :], self.records[mark.number :]

    def go(self) -> bool:
        """Whether all steps could be taken; if not, `past` has those that could.

        What seats decide together fits or not as a whole: where it does not, it is begun again.
        """
        mark: _Mark | None = None
        left = 0
        while not self.is_done():
            number = len(self.past)
            if self.S.branches is None:
                mark = None
                if number - self.marks[-1].number >= (1 if self.seen.steps[number].shuffles else FAR):
                    self.marks.append(self._mark())
            elif mark is None or mark.position.before is not self.S.before:
                mark, left = self._mark(), TOGETHER
            if not self._step(number):
                if mark is None or not left:
                    return False
                left -= 1
                self._return(mark)
        return True

    def _step(self, number: int) -> bool:
        step = self.seen.steps[number]
        wanted = self.wanted[number] if number < len(self.wanted) else None
        if number == 0:
            return self._taken(number, step, -1, None, wanted)
        candidates = islice(self._candidates(step, wanted), CANDIDATES)
        return any(self._taken(number, step, step.who, action, wanted) for action in candidates)

    # ------------------------------------------------------------ decisions

    def _candidates(self, step: Step, wanted: _Past | None) -> Iterator[Action]:
        """The options that may have been taken, in random order."""
        state = self.twin._state
        if step.who == -1:
            pairs = [(weight, action) for action, weight in state.chance_outcomes()]
            course = Course(self.chance, [] if wanted is None else [("one", [wanted.action])])
            while pairs:
                course.begin()
                yield course.weighted(pairs)[0]
                if not course.turn_back():
                    return
            return
        options = state.legal_actions(step.who)
        if step.who == self.seat:
            yield from [option for option in options if str(option) == step.text][:1]
            return
        fitting = [option for option in options if self._may_be(step, state._meant(option, step.who)[1])]
        self.chance.shuffle(fitting)
        if wanted is not None and wanted.action is not None:
            fitting.sort(key=lambda option: not self._alike(option, wanted.action))
        yield from fitting

    def _alike(self, one: Action, other: Action | None) -> bool:
        """Whether two options are the same but for look-alikes."""
        if other is None or one.table is not other.table:
            return False
        told = [self.keys.arguments(option, [False] * len(option.key)) for option in (one, other)]
        return told[0] == told[1]

    def _may_be(self, step: Step, option: Action) -> bool:
        """Whether an option is like what the seat knows of what was decided."""
        if step.name is None:
            return True
        if option.name != step.name:
            return False
        told = self.keys.arguments(option, [False] * len(option.key))
        return len(told) == len(step.args) and all(
            known is HIDDEN or known == own for known, own in zip(step.args, told, strict=True)
        )

    # ------------------------------------------------------------ one step

    def _taken(self, number: int, step: Step, who: int, action: Action | None, wanted: _Past | None) -> bool:
        """Whether a step could be taken; then it is."""
        chosen = None if action is None else self.twin._state._meant(action, who)[1]
        decided = None if chosen is None else self.twin.decided(who, chosen)
        same = wanted is not None and (action is None or self._alike(action, wanted.action))
        outcomes = wanted.outcomes if wanted is not None and same else ()
        course = Course(self.chance, outcomes, lambda n, items: self.sampler.dealing.order(step, n, items, self.chance))
        course.is_strict = number not in self.sampler.lax
        for tried in range(RUNS):
            course.begin()
            ran = self._ran(number, step, who, action, chosen, course, decided)
            if ran is not None:
                S, watch, expected = ran
                self.records.append((S, decided, watch.notes))
                for (name, index), value in expected.values.items():
                    self.twin._old[name][index] = value
                self.S = self.twin._state._position = S
                if action is not None:
                    self.history = (self.history, who, action)
                self.past.append(_Past(chosen, course.outcomes()))
                return True
            if not course.turn_back(course.about) or (course.kept and tried >= STRICT):
                if not course.kept:
                    break
                self.sampler.lax.add(number)
                course.again()
        return False

    def _ran(
        self,
        number: int,
        step: Step,
        who: int,
        action: Action | None,
        chosen: Action | None,
        course: Course,
        decided: Decided | None,
    ) -> tuple[Any, Watch, Expected] | None:
        """The position after a step with what has watched it; None where the seat would have seen something else."""
        self.sampler.work += 1
        if self.sampler.work > WORK + len(self.seen.steps):
            raise _Spent
        S = self.S.clone()
        if number:
            self._faced(S, step)
        S.rng = course
        expected = Expected(self.keys, self.twin._old, self.seen.values.get(number, {}), step, course)
        watch = S.log = Watch(self.sight, tops_of(self.sight, S), expected.take)
        try:
            self._do(S, who, action, chosen)
        except Mismatch as mismatch:
            course.about = mismatch.args[0] if mismatch.args else None
            return None
        except Exception as problem:
            if not is_of_rules(problem, self.sampler.log_module):
                raise
            return None  # A rule that cannot be carried out: this is not what has happened.
        S.log, S.rng = None, []
        if number == 0:
            self._faced(S, step)
        fits = expected.is_whole() and self._fits(number, step, S, watch.notes, decided)
        return (S, watch, expected) if fits else None

    def _faced(self, S: Any, step: Step) -> None:
        """Turns the components that come into sight in a step to the faces that are seen then.

        As long as they are out of sight, what face they have is one of the things that the seat does not know.
        """
        for (kind, c), face in step.faces:
            if not self.sight.component(S, kind, c) & self.bit or self.seen.steps[0] is step:
                getattr(S, f"face_{kind}")[c] = face

    def _do(self, S: Any, who: int, action: Action | None, chosen: Action | None) -> None:
        if action is None or chosen is None:
            run(S, self.code)
            return
        S.chosen = chosen
        if S.branches is not None:
            S.taken = (S.taken, who, action)
            continue_branch(S, self.code, who)
            return
        if who != S.seat:
            state = self.twin._state
            before, state._position = state._position, S
            try:
                state._interrupt(who, chosen)
            finally:
                state._position = before
        run(S, self.code)

    def _fits(self, number: int, step: Step, S: Any, notes: list[Note], decided: Decided | None) -> bool:
        """Whether a step that was run is what the seat has seen."""
        stop = self.twin.stop(S)
        if stop.deciding() != step.deciding:
            return False
        if (S.before is not None and S.before is self.S.before) != step.goes_on:
            return False
        own = stop.own(self.seat)
        if list(own) != list(step.options) and [str(option) for option in own] != step.texts():
            return False
        if step.keys is None:
            return True
        if seen_tops(self.game, self.bit, stop) != step.tops:
            return False
        others = decided is not None and step.who not in (-1, self.seat)
        if others or step.often or S.over:
            events = self.twin.events(S, decided, notes)
            if (step.often or S.over) and self.keys.events(events) != step.keys:
                return False
            if others and self.keys.decision(events[0], events) != (step.name, step.args):
                return False
        return not step.moved or self._within(number, S)

    def _within(self, number: int, S: Any) -> bool:
        """Whether the cards that are seen again later lie where they may."""
        for (kind, c), mask in self.seen.limits.get(self.seen.times[number], {}).items():
            if kind not in self.keys.first and not mask >> getattr(S, f"loc_{kind}")[c] & 1:
                return False
        return True

    # ------------------------------------------------------------ where a step cannot be

    def repaired(self, stay: bool = False) -> dict[Piece, int]:
        """Which cards must have changed places so that the step that cannot be is possible; nothing if none help.

        Args:
            stay: whether they change places here and now.
        """
        number = len(self.past)
        zones = self._unseen()
        if number == 0 or not any(len(found) > 1 or self._is_ordered(found[0]) for found in zones.values()):
            return {}
        step, before = self.seen.steps[number], self.S
        limits = self._limits(number)
        try:
            for _ in range(SWAPS):
                self.S = before.clone()
                places: dict[Piece, int] = {}
                for _ in range(self.chance.choice((1, 1, 2, 3, 6, 12))):
                    pair = self._pair(step, zones, limits)
                    if pair is not None:
                        self._exchange(*pair)
                        kind, one, other = pair
                        to_one, to_other = places.get((kind, one), one), places.get((kind, other), other)
                        places[kind, one], places[kind, other] = to_other, to_one
                self.twin._state._position = self.S
                if places and self._offers(step) and self._possible(number, step):
                    if stay:
                        before = self.S
                    return places
        finally:
            self.S = self.twin._state._position = before
        missing = [] if stay else self._missing(step)
        if missing:  # What the rules hold of a card in their middle has not changed places with it: not tried here.
            kind, one, other = self.chance.choice(missing)
            return {(kind, one): other, (kind, other): one}
        return {}

    def changed(self, places: dict[Piece, int]) -> list[_Past] | None:
        """What to want from the start for cards to be in the places of others; None where that changes nothing."""
        if not places:
            return None
        back = {(kind, c): c0 for (kind, c0), c in places.items()}
        found = [self._changed(past, n, back) for n, past in enumerate(self.past)]
        return found if any(a.differs(b) for a, b in zip(self.past, found, strict=True)) else None

    def _limits(self, number: int) -> dict[Piece, int]:
        """Where the cards may lie before a step, as masks; one that is already where it will be seen stays there."""
        time = self.seen.times[number - 1]
        limits = {p: mask for p, mask in self.seen.places(time).items() if p[0] not in self.keys.first}
        for n, past in enumerate(self.past):
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
        loc, z = getattr(self.S, f"loc_{kind}"), self.S.z
        a, b = loc[one], loc[other]
        loc[one], loc[other] = b, a
        swapped = {one: other, other: one}
        for number in {a, b}:
            z[number] = [swapped.get(c, c) for c in z[number]]
            zone = self.game.layout.zones[self.game.layout.instances[number][0]].zone
            if zone.order == "none" and not zone.laid_on:
                z[number].sort()

    def _unseen(self) -> dict[str, list[int]]:
        """By kind the zones, with a place for each, whose cards the seat does not see."""
        found: dict[str, list[int]] = {}
        for number, (name, _) in enumerate(self.game.layout.instances):
            if not self.sight.contents[number] & self.bit and self.S.z[number] and not name.startswith("box "):
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
        card = self.chance.choice(self.S.z[one])
        if self._is_ordered(one) and self.chance.random() < 0.5:
            card = self.S.z[one][-1]
        mine = limits.get((kind, card), -1)
        cards = [
            c for n in zones[kind] if mine >> n & 1 and (n != one or self._is_ordered(n))
            for c in self.S.z[n] if c != card and limits.get((kind, c), -1) >> one & 1
        ]  # fmt: skip
        return (kind, card, self.chance.choice(cards)) if cards else None

    def _missing(self, step: Step) -> list[tuple[str, int, int]]:
        """Pairs of cards: one that is seen to leave a zone in a step, but lies elsewhere, and one in that zone."""
        found = []
        for key in step.keys or ():
            if key[0] != "move" or key[2] is None:
                continue
            _, kind, look, source, *_ = key
            inside = self.S.z[source]
            if self.sight.contents[source] & self.bit or any(self.keys.look(kind, c) == look for c in inside):
                continue
            loc = getattr(self.S, f"loc_{kind}")
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
        S = self.S
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
        for action in self._candidates(step, None):
            chosen = self.twin._state._meant(action, step.who)[1]
            course = Course(self.chance, (), lambda n, items: self.sampler.dealing.order(step, n, items, self.chance))
            for _ in range(TRIES):
                course.begin()
                decided = self.twin.decided(step.who, chosen)
                if self._ran(number, step, step.who, action, chosen, course, decided) is not None:
                    return True
                if not course.turn_back():
                    break
        return False

    def _changed(self, past: _Past, number: int, places: dict[Piece, int]) -> _Past:
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
        return _Past(action, outcomes)

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

    # ------------------------------------------------------------ the end

    def finished(self) -> State:
        """The world as a state."""
        from interpreter.state import State as Played

        streams = [self.chance.getrandbits(64) for _ in self.sampler.module.streams]
        S = self.S
        S.rng = streams[:]
        if S.before is not None:
            S.before.rng, S.before.log = streams[:], None
        position = across(S, self.sampler.module)
        if S.before is not None:
            position.before = across(S.before, self.sampler.module)
        state = Played(self.game, self.sampler.module, position, self.chance.getrandbits(32), self.history)
        state._origin = position.clone()
        begin = self.twin.begin
        state._past, state._begun = Past(state.clone(), begin, self.records, self.history), self.history
        return state


class Past:
    """What happened in a sampled world before its origin; the log of it is made when it is first asked for."""

    def __init__(self, state: State, begin: Any, records: list[_Record], reached: Any) -> None:
        self._state, self._begin, self._records, self._reached = state, begin, records, reached
        self._twin: Twin | None = None

    def fork(self) -> Twin:
        """A twin that has come to the origin."""
        if self._twin is None:
            self._twin = twin = Twin(self._state, self._begin.clone())
            for S, decided, notes in self._records:
                twin.take(S, decided, notes)
            twin.reached = self._reached
        return self._twin.fork()

    def with_chance(self, streams: Sequence[int]) -> None:
        """Other random numbers from the origin on."""
        S = self._records[-1][0]
        S.rng = list(streams)
        if S.before is not None:
            S.before.rng = list(streams)


def sample_world(state: State, seat: int | None, chance: random.Random) -> State:
    """A full state that a seat could be in; see `State.sample_world`."""
    if seat is not None:
        seat = state.game.check_seat(seat)
    if state._origin is not None and state._past is None:
        raise WorldError("this state begins in the middle of a game: what was seen before is not known")
    return Sampler(state, seat).world(chance)


__all__ = ["Sampler", "sample_world"]
_ = Piece
