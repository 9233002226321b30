"""Many games played by bots, and what came of them: `simulate`."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from fractions import Fraction
from statistics import median
from time import perf_counter
from typing import Any

from attrs import field, frozen

from interpreter.bots import BOTS, Bot, random_bot
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.state import State
from interpreter.why.reasons import broken

MAX_DECISIONS = 100_000
"""How long a game may be before it counts as endless."""
BATCH = 25
"""Games that a worker plays at a time."""


@frozen
class Fault:
    """A game that went wrong.

    Attributes:
        seed: `game.new_state(seed)` and the bots with `random.Random(seed)` repeat it.
        message: what went wrong.
        decisions: how many had been made.
    """

    seed: int
    message: str
    decisions: int


@frozen
class Scores:
    """The scores of one seat."""

    least: Any
    mean: Fraction
    most: Any


@frozen
class SimulationReport:
    """What came of many games.

    Attributes:
        games: how many were played, those with faults included.
        decisions: made in all of them.
        seconds: from begin to end.
        wins: by seat, how many games it won; a shared victory counts for each.
        draws: games that ended with nobody or everybody a winner.
        scores: by seat, over the games that ended; empty where the game has no scores.
        returns: by seat, the mean.
        lengths: decisions of each game that ended, in the order of the games.
        faults: games that went wrong.
    """

    games: int
    decisions: int
    seconds: float = field(eq=False)
    wins: tuple[int, ...]
    draws: int
    scores: tuple[Scores, ...]
    returns: tuple[Fraction, ...]
    lengths: tuple[int, ...]
    faults: tuple[Fault, ...]

    @property
    def decisions_per_second(self) -> float:
        """How fast it went."""
        return self.decisions / self.seconds if self.seconds else 0.0

    @property
    def shortest(self) -> int:
        """Decisions of the shortest game that ended, 0 if none did."""
        return min(self.lengths, default=0)

    @property
    def longest(self) -> int:
        """Decisions of the longest game that ended, 0 if none did."""
        return max(self.lengths, default=0)

    @property
    def median_length(self) -> float:
        """Median of the decisions of the games that ended, 0 if none did."""
        return median(self.lengths) if self.lengths else 0


def simulate(
    game: Game,
    n: int,
    *,
    seed: int = 0,
    bots: str | Bot | Sequence[str | Bot] = "random",
    check_invariants: bool = False,
    executor: Executor | None = None,
    max_decisions: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> SimulationReport:
    """Plays games and counts. The result depends on the seed alone, not on the executor.

    Args:
        game: the game.
        n: how many games.
        seed: of all of them together.
        bots: a bot or its name for all seats, or one for each seat.
        check_invariants: whether the spec's invariants are tested at every decision.
        executor: shares the work, as a `ProcessPoolExecutor`; bots must then be functions that can be pickled.
        max_decisions: a longer game is a fault; 100,000 if None.
        progress: called with the number of games done after each batch.

    Raises:
        ValueError: a bot that there is not, or a wrong number of bots.
    """
    seats = bots_of(bots, game.seats)
    limit = MAX_DECISIONS if max_decisions is None else max_decisions
    started = perf_counter()
    batches = [range(start, min(start + BATCH, n)) for start in range(0, n, BATCH)]
    jobs = [_Job(game, seats, seed, batch, check_invariants, limit) for batch in batches]
    results: Iterable[list[_Played]] = map(_play_batch, jobs) if executor is None else executor.map(_play_batch, jobs)
    played: list[_Played] = []
    for batch_result in results:
        played += batch_result
        if progress is not None:
            progress(len(played))
    return _report(game.seats, played, perf_counter() - started)


def game_seed(seed: int, number: int) -> int:
    """The seed of one of many games."""
    digest = hashlib.blake2b(f"{seed}/{number}".encode(), digest_size=6).digest()
    return int.from_bytes(digest, "big")


def bots_of(bots: str | Bot | Sequence[str | Bot], seats: int) -> tuple[Bot, ...]:
    """One bot for each seat, from bots or their names.

    Raises:
        ValueError: a bot that there is not, or a wrong number of bots.
    """
    each = [bots] * seats if isinstance(bots, str) or callable(bots) else list(bots)
    if len(each) != seats:
        raise ValueError(f"there are {seats} seats and {len(each)} bots")
    for bot in each:
        if isinstance(bot, str) and bot not in BOTS:
            raise ValueError(f"there is no bot `{bot}`, only {', '.join(BOTS)}")
    return tuple(BOTS[bot] if isinstance(bot, str) else bot for bot in each)


# ---------------------------------------------------------------- the work


@frozen
class _Job:
    """Some of the games, for a worker."""

    game: Game
    bots: tuple[Bot, ...]
    seed: int
    numbers: range
    check_invariants: bool
    limit: int


@frozen
class _Played:
    """One game: its seed, its length, and how it ended, or the fault."""

    seed: int
    decisions: int
    fault: str
    winners: tuple[int, ...] = ()
    scores: tuple[Any, ...] = ()
    returns: tuple[Any, ...] = ()


def _play_batch(job: _Job) -> list[_Played]:
    """Plays the games of a job."""
    play: Callable[[State, int, _Job], tuple[int, str]] = _play
    if all(bot is random_bot for bot in job.bots) and not job.check_invariants:
        play = _play_at_random
    return [_play_one(job, game_seed(job.seed, number), play) for number in job.numbers]


def _play_one(job: _Job, seed: int, play: Callable[[State, int, _Job], tuple[int, str]]) -> _Played:
    try:
        state = job.game.new_state(seed)
    except RuleError as error:
        return _Played(seed, 0, str(error))
    decisions, fault = play(state, seed, job)
    if fault:
        return _Played(seed, decisions, fault)
    try:
        return _Played(seed, decisions, "", tuple(state.winners), tuple(state.scores), tuple(state.returns))
    except RuleError as error:
        return _Played(seed, decisions, str(error))


def _play_at_random(state: State, seed: int, job: _Job) -> tuple[int, str]:
    """A random game: the same as `_play` with `random_bot` on all seats, without the detours."""
    pick = random.Random(seed).random
    apply, legal_actions = state.apply, state.legal_actions
    decisions = 0
    try:
        for decisions in range(job.limit):
            options = legal_actions()
            if not options:
                return decisions, ""
            apply(options[int(pick() * len(options))])
    except RuleError as error:
        return decisions, str(error)
    decisions += 1
    return decisions, "" if state.is_over else _endless(job)


def _play(state: State, seed: int, job: _Job) -> tuple[int, str]:
    chance = random.Random(seed)
    decisions = 0
    try:
        while True:
            if job.check_invariants and state.broken_invariants():
                return decisions, broken(state)[0]
            if state.is_over:
                return decisions, ""
            if decisions >= job.limit:
                return decisions, _endless(job)
            seat = state.current_seat
            assert seat is not None
            state.apply(job.bots[seat](state, seat, chance), seat)
            decisions += 1
    except RuleError as error:
        return decisions, str(error)


def _endless(job: _Job) -> str:
    return f"the game is not over after {job.limit:,} decisions"


def _report(seats: int, played: list[_Played], seconds: float) -> SimulationReport:
    """Counts; in the order of the games, so that it is the same for any division of the work."""
    ended = [one for one in played if not one.fault]
    scored = [one.scores for one in ended if one.scores]
    return SimulationReport(
        games=len(played),
        decisions=sum(one.decisions for one in played),
        seconds=seconds,
        wins=tuple(sum(seat in one.winners for one in ended) for seat in range(seats)),
        draws=sum(len(one.winners) in (0, seats) for one in ended) if seats > 1 else 0,
        scores=tuple(_scores([scores[seat] for scores in scored]) for seat in range(seats)) if scored else (),
        returns=tuple(_mean([one.returns[seat] for one in ended]) for seat in range(seats)) if ended else (),
        lengths=tuple(one.decisions for one in ended),
        faults=tuple(Fault(one.seed, one.fault, one.decisions) for one in played if one.fault),
    )


def _scores(values: list[Any]) -> Scores:
    return Scores(min(values), _mean(values), max(values))


def _mean(values: list[Any]) -> Fraction:
    return Fraction(sum(map(Fraction, values))) / len(values)
