"""Runs: a seat's game played again from its start, step by step, with chance and what others decided drawn anew."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from interpreter.runtime.notes import Note, tops_of
from interpreter.runtime.play import continue_branch, run
from interpreter.sight.logs import Decided, Twin
from interpreter.sight.told import HIDDEN, Keys
from interpreter.worlds.observed import Step, seen_tops
from interpreter.worlds.steering import Course, Expected, Mismatch, Watch, is_of_rules

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.worlds.sampling import Sampler

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
FAR = 30
"""How many steps without a shuffle may lie between two marks."""


class Spent(Exception):
    """So much work is not done for one world."""


Record = tuple[Any, "Decided | None", list[Note]]
"""The position after a step, its decision and its notes."""


def _copied(values: dict[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: entries[:] for name, entries in values.items()}


class Mark:
    """Where a run can begin again: before a step, with the position, the values of variables and the history there."""

    __slots__ = ("history", "number", "position", "values")

    def __init__(self, number: int, position: Any, values: dict[str, list[Any]], history: Any) -> None:
        self.number, self.position, self.values, self.history = number, position, values, history


class Drawn:
    """What a run has drawn in one step: the action as the rules know it, and the outcomes of its random events."""

    __slots__ = ("action", "outcomes")

    def __init__(self, action: Action | None, outcomes: list[Any]) -> None:
        self.action, self.outcomes = action, outcomes

    def differs(self, other: Drawn) -> bool:
        """Whether another has drawn something else."""
        return self.action is not other.action or self.outcomes != other.outcomes


class Run:
    """One attempt: the game played again, step by step."""

    def __init__(self, sampler: Sampler, chance: random.Random, wanted: Sequence[Drawn] = ()) -> None:
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
        self.past: list[Drawn] = []
        self.records: list[Record] = []
        self.marks = [Mark(0, begin, _copied(self.twin._old), None)]

    def again(self, place: int, wanted: Sequence[Drawn] = ()) -> Run:
        """A new run that is the same up to one of the marks."""
        run = Run(self.sampler, self.chance, wanted)
        mark = self.marks[place]
        run.marks, run.past, run.records = (
            self.marks[: place + 1],
            self.past[: mark.number],
            self.records[: mark.number],
        )
        run._return(mark)
        return run

    def marked(self, wanted: Sequence[Drawn]) -> int:
        """The place of the last mark before the first step that is wanted otherwise."""
        first = next(n for n, (own, other) in enumerate(zip(self.past, wanted, strict=True)) if own.differs(other))
        return sum(mark.number <= first for mark in self.marks) - 1

    def is_done(self) -> bool:
        """Whether all steps have been taken."""
        return len(self.past) == len(self.seen.steps)

    def _mark(self) -> Mark:
        return Mark(len(self.past), self.S, _copied(self.twin._old), self.history)

    def _return(self, mark: Mark) -> None:
        self.S, self.history = mark.position, mark.history
        self.twin._old, self.twin._state._position = _copied(mark.values), self.S
        del self.past[mark.number :], self.records[mark.number :]

    def go(self) -> bool:
        """Whether all steps could be taken; if not, `past` has those that could.

        What seats decide together fits or not as a whole: where it does not, it is begun again.
        """
        mark: Mark | None = None
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
        candidates = islice(self.candidates(step, wanted), CANDIDATES)
        return any(self._taken(number, step, step.who, action, wanted) for action in candidates)

    # ------------------------------------------------------------ decisions

    def candidates(self, step: Step, wanted: Drawn | None) -> Iterator[Action]:
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

    def _taken(self, number: int, step: Step, who: int, action: Action | None, wanted: Drawn | None) -> bool:
        """Whether a step could be taken; then it is."""
        chosen = None if action is None else self.twin._state._meant(action, who)[1]
        decided = None if chosen is None else self.twin.decided(who, chosen)
        same = wanted is not None and (action is None or self._alike(action, wanted.action))
        outcomes = wanted.outcomes if wanted is not None and same else ()
        course = Course(self.chance, outcomes, lambda n, items: self.sampler.dealing.order(step, n, items, self.chance))
        course.is_strict = number not in self.sampler.lax
        for tried in range(RUNS):
            course.begin()
            ran = self.ran(number, step, who, action, chosen, course, decided)
            if ran is not None:
                S, watch, expected = ran
                self.records.append((S, decided, watch.notes))
                for (name, index), value in expected.values.items():
                    self.twin._old[name][index] = value
                self.S = self.twin._state._position = S
                if action is not None:
                    self.history = (self.history, who, action)
                self.past.append(Drawn(chosen, course.outcomes()))
                return True
            if not course.turn_back(course.about) or (course.kept and tried >= STRICT):
                if not course.kept:
                    break
                self.sampler.lax.add(number)
                course.again()
        return False

    def ran(
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
            raise Spent
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


__all__ = ["Drawn", "Mark", "Record", "Run", "Spent"]
