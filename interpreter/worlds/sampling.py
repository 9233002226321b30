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
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.errors import WorldError
from interpreter.sight.logs import Twin, across
from interpreter.worlds.dealing import Dealing
from interpreter.worlds.exchanges import Exchanges
from interpreter.worlds.observed import Observed, observe
from interpreter.worlds.runs import Drawn, Record, Run, Spent

if TYPE_CHECKING:
    from interpreter.state import State
ATTEMPTS = 2000
"""How often the game is played again to find a world whose whole past is possible."""
STUCK = 10
"""How many changes of a run may help nothing before it goes back to a mark."""
LOOSE = 400
"""How often after that to find one in which cards may change places on the way."""


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
        return _finished(run)

    def _searched(self, chance: random.Random) -> Run | None:
        """A run to the end whose whole past is possible.

        Where a run cannot go on, cards change places in its past. Where that does not help, it goes back to its last
        mark and on from there with other chance; if that comes no further either, to the one before, and so on.
        """
        self.work = fails = farthest = 0
        back = 1
        try:
            run = Run(self, chance)
            run.go()
            for self.attempts in range(1, ATTEMPTS + 1):
                if run.is_done():
                    return run
                if len(run.past) > farthest:
                    farthest, back = len(run.past), 1
                wanted = _changed(run)
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
        except Spent:
            pass
        return None

    def _loose(self, chance: random.Random) -> Run | None:
        """A run to the end in which cards have changed places on the way."""
        self.work = farthest = 0
        back = 1
        try:
            run = Run(self, chance)
            for _ in range(LOOSE):
                self.attempts += 1
                while not run.go() and Exchanges(run).repaired(stay=True):
                    pass
                if run.is_done():
                    return run
                if len(run.past) > farthest:
                    farthest, back = len(run.past), 1
                place = len(run.marks) - back
                back, farthest = (back + 1, farthest) if place > 0 else (1, 0)
                run = run.again(max(0, place))
        except Spent:
            pass
        return None


def _changed(run: Run) -> list[Drawn] | None:
    """What to want of a run with cards in other places; None where no exchange helps."""
    exchanges = Exchanges(run)
    return exchanges.changed(exchanges.repaired())


def _finished(run: Run) -> State:
    """The world of a run as a state."""
    from interpreter.state import State as Played

    streams = [run.chance.getrandbits(64) for _ in run.sampler.module.streams]
    S = run.S
    S.rng = streams[:]
    if S.before is not None:
        S.before.rng, S.before.log = streams[:], None
    position = across(S, run.sampler.module)
    if S.before is not None:
        position.before = across(S.before, run.sampler.module)
    state = Played(run.game, run.sampler.module, position, run.chance.getrandbits(32), run.history)
    state._origin = position.clone()
    begin = run.twin.begin
    state._past, state._begun = Past(state.clone(), begin, run.records, run.history), run.history
    return state


class Past:
    """What happened in a sampled world before its origin; the log of it is made when it is first asked for."""

    def __init__(self, state: State, begin: Any, records: list[Record], reached: Any) -> None:
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
