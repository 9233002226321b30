"""What play reaches of a spec: random games over seats and options, and scenarios, played with counting rules."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from time import monotonic
from typing import Any

import attrs
from attrs import define, field

from interpreter.bots import BOTS, Bot
from interpreter.compile.counting import Tally
from interpreter.coverage.points import Point, counting, values_of
from interpreter.coverage.report import CoverageReport
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.options import option_values
from interpreter.state import State
from interpreter.trials.scenarios import game_of, run_file, scenario_files
from interpreter.trials.simulation import game_seed
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.packs import find_game
from rulespec.scenarios.read import Library, read_scenarios

Settings = dict[str, Any]


def measure_coverage(
    game: str | Path,
    playouts: int = 100,
    *,
    scenarios: str | Path | None = None,
    players: Sequence[int] | None = None,
    options: Mapping[str, Any] | None = None,
    seed: int = 0,
    bots: Sequence[str | Bot] = ("random",),
    max_decisions: int = 5_000,
    seconds: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> CoverageReport:
    """Plays a game and its scenarios and counts what of its spec is reached.

    Args:
        game: id of an installed game, or path of a spec.
        playouts: how many games are played. They are shared among numbers of players and values of options: first the
            defaults with each number of players, then every other value of each option, then mixed values.
        scenarios: scenario files as `run_scenarios` takes them, of which those of this game are run; None for the
            game's own, "" for none.
        players: the numbers of players; None for all that the spec allows.
        options: values of options that are the same in all games played.
        seed: of all games played.
        bots: who plays, for one game after the other; all seats of a game have the same bot.
        max_decisions: a longer game is left there; options may make games without end.
        seconds: no further game is begun after so long; the report then depends on the speed of the machine.
        progress: called with the number of games played so far.

    Raises:
        SpecError: the spec or a scenario file does not check.
        ValueError: wrong players or options, or a bot that there is not.
        rulespec.packs.PackError: there is no such game, file or folder.
    """
    path = find_game(game)
    library = Library()
    checked = library.game(str(path))[0]
    tally = Tally()
    spec, points = counting(checked, tally)
    run = _Run(spec, points, tally)
    run.run_scenarios(path, library, str(path) if scenarios is None else scenarios)
    least, most = spec.source.seats
    seats = list(players) if players is not None else list(range(least, most + 1))
    chosen = [_bot(bot) for bot in bots]
    began = monotonic()
    ways = list(islice(_ways(spec, seats, options or {}, random.Random(seed)), playouts))
    games: dict[int, Game] = {}
    for number in range(playouts):
        if seconds is not None and monotonic() - began > seconds:
            break
        which = number % len(ways)
        if which not in games:
            games[which] = Game(spec, *ways[which])
        bot = chosen[number // len(ways) % len(chosen)]
        run.play(games[which], game_seed(seed, number), bot, max_decisions)
        if progress is not None:
            progress(number + 1)
    hits = tuple(zip(points, tally.counts, strict=True))
    return CoverageReport((spec.title,), hits, run.played, run.scenarios, run.decisions, run.faults, run.failed)


def _bot(bot: str | Bot) -> Bot:
    if not isinstance(bot, str):
        return bot
    if bot not in BOTS:
        raise ValueError(f"there is no bot `{bot}`, only {', '.join(BOTS)}")
    return BOTS[bot]


def _ways(
    spec: ir.CheckedSpec, seats: Sequence[int], fixed: Mapping[str, Any], chance: random.Random
) -> Iterator[tuple[int, Settings]]:
    """Numbers of players with values of options: defaults, every other value of each option, then mixed values."""
    for number in seats:
        yield number, dict(fixed)
    free = {name: _choices(option, values_of(spec, option)) for name, option in spec.options.items()}
    free = {name: values for name, values in free.items() if name not in fixed and values}
    several = 0
    mixed: list[tuple[int, Settings]] = []

    def mix(**chosen: Any) -> None:
        """A mixture: each option has one of its values half of the time, else its default."""
        some = {name: chance.choice(values) for name, values in free.items() if chance.random() < 0.5}
        way = chance.choice(seats), {**fixed, **some, **chosen}
        if _allowed(spec, way):
            mixed.append(way)

    for name, values in free.items():
        for value in values:
            # Some options apply to some numbers of players only.
            turned = [*seats[several % len(seats) :], *seats[: several % len(seats)]]
            way = next((w for w in ((number, {**fixed, name: value}) for number in turned) if _allowed(spec, w)), None)
            if way is not None:
                several += 1
                yield way
                continue
            for _ in range(_TRIES):  # it applies together with other values only
                mix(**{name: value})
    for _ in range(several):
        mix()
    yield from mixed


_TRIES = 20
"""Mixtures that are tried for an option that does not apply by itself."""
_SCORED = 10
"""The scores, which programs may ask for at any time, are asked for at one decision in so many."""


def _allowed(spec: ir.CheckedSpec, way: tuple[int, Settings]) -> bool:
    try:
        option_values(spec, *way)
    except ValueError:
        return False
    return True


def _choices(option: ir.Option, texts: list[str]) -> list[Any]:
    """Values of an option so that each of its texts is in one of them."""
    if not isinstance(option.type, t.SetType) or not texts:
        return list(texts)
    least, most = option.pick or (0, len(texts))
    size = max(1, least, min(most, 2))
    found: list[Any] = [[texts[(n + i) % len(texts)] for i in range(min(size, len(texts)))] for n in range(len(texts))]
    return found + ([[]] if least == 0 else [])


def _set_up_each_time(game: Game) -> None:
    """Games whose set-up has no chance begin where it ends; here each is to carry it out, so that it counts."""
    module = game.module()
    start = game.first_position(module, 0)
    start.open = False
    game._openings["seeded", "asked"] = module, start, False


@define
class _Run:
    """The games played with a counting spec."""

    spec: ir.CheckedSpec
    points: list[Point]
    tally: Tally
    played: int = 0
    scenarios: int = 0
    decisions: int = 0
    faults: int = 0
    failed: int = 0
    _by_option: dict[tuple[str, str], int] = field(factory=dict)
    _judged: list[int] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        values = {(p.name, p.outcome): n for n, p in enumerate(self.points) if p.kind == "option"}
        self._by_option.update(values)
        self._judged = [n for n, point in enumerate(self.points) if point.kind == "result"]

    def _counted_options(self, game: Game, games: int = 1) -> None:
        for name, text in game.option_texts.items():
            is_set = isinstance(self.spec.options[name].type, t.SetType)
            for value in text.split(",") if is_set else [text]:
                point = self._by_option.get((name, value))
                if point is not None:
                    self.tally.counts[point] += games

    def play(self, game: Game, seed: int, bot: Bot, limit: int) -> None:
        """One game to its end, with its invariants and its result."""
        self.played += 1
        self._counted_options(game)
        chance = random.Random(seed)
        invariants = bool(game.spec.invariants)
        _set_up_each_time(game)
        state = None
        try:
            state = game.new_state(seed)
            for number in range(limit):
                if invariants:
                    state.broken_invariants()
                if number % _SCORED == 0:
                    self._scored(state)
                seat = state.current_seat
                if seat is None:
                    break
                state.apply(bot(state, seat, chance), seat)
                self.decisions += 1
            if state.is_over:
                _ = state.winners, state.scores, state.returns
        except RuleError as fault:
            self.faults += 1
            if state is not None and fault.action:
                self._played_once(state)

    def _scored(self, state: State) -> None:
        """Asks for the scores before the end, which does not count as reaching the result."""
        before = [self.tally.counts[point] for point in self._judged]
        _ = state.scores
        for point, count in zip(self._judged, before, strict=True):
            self.tally.counts[point] = count

    def _played_once(self, state: State) -> None:
        """Takes back what a fault has counted twice: to be as before the action, the state was played again."""
        counts = self.tally.counts
        before = counts[:]
        state._replayed()
        counts[:] = [count - 2 * (count - old) for count, old in zip(counts, before, strict=True)]

    def run_scenarios(self, game: Path, library: Library, where: str | Path) -> None:
        """The scenarios of this game that stand there."""
        if where == "":
            return
        for name in scenario_files(where):
            if game_of(name) != game.resolve():
                continue
            results = run_file(attrs.evolve(read_scenarios(name, library), spec=self.spec), self._counted_options)
            self.scenarios += len(results)
            self.failed += sum(not result.passed for result in results)
