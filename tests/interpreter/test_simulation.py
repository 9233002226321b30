"""Many games by bots: counts, faults, and the same result however the work is shared."""

from __future__ import annotations

import pickle
import random
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter import Action, Game, SimulationReport, State, load_game, simulate
from interpreter.bots import random_bot
from interpreter.trials.simulation import game_seed

GAME = """\
rulespec: 1
id: race
title: Race
players: 2..3
about: Run to ten.
options:
  goal: {type: 1..99, default: 10}
  cliff: {type: 0..99, default: 99}
variables:
  place: {per: player, type: 0..cliff}
actions:
  walk:
    with: n in 1..2
    do: place[me] += n
  roll:
    do: |
      choose n in 1..6 by chance:
        if n > 4:
          place[me] += 3
phases:
  main:
    turns: {until: "any(place[p] >= goal for p in players)"}
    actions: [walk, roll]
result:
  score: place
  rank_by: [highest score]
invariants:
  nobody_at_seven: goal < 50 or all(place[p] != 7 for p in players)
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("simulation") / "game.yaml"
    found.write_text(GAME, encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def game(path: Path) -> Game:
    return load_game(path, players=3)


@pytest.fixture(scope="module")
def report(game: Game) -> SimulationReport:
    return simulate(game, 120, seed=5)


def slow_random_bot(state: State, seat: int, chance: random.Random) -> Action:
    """The same as `random_bot`, but not known to be."""
    return random_bot(state, seat, chance)


def test_report_counts_games(game: Game, report: SimulationReport) -> None:
    assert 120 == report.games == len(report.lengths)
    assert () == report.faults
    assert sum(report.lengths) == report.decisions
    assert 120 == sum(report.wins)
    assert 0 == report.draws
    assert min(report.lengths) == report.shortest <= report.median_length <= report.longest == max(report.lengths)
    assert report.seconds > 0
    assert report.decisions_per_second == pytest.approx(report.decisions / report.seconds)
    assert max(scores.most for scores in report.scores) in (10, 11, 12)
    assert all(scores.least <= scores.mean <= scores.most for scores in report.scores)
    assert tuple(scores.mean for scores in report.scores) == report.returns
    assert isinstance(report.returns[0], Fraction)


def test_games_are_those_of_their_seeds(game: Game, report: SimulationReport) -> None:
    for number in (0, 77):
        seed = game_seed(5, number)
        state, chance = game.new_state(seed), random.Random(seed)
        while not state.is_over:
            state.apply(random_bot(state, state.current_seat or 0, chance))
        assert report.lengths[number] == len(state.history)


def test_another_seed_gives_other_games(game: Game, report: SimulationReport) -> None:
    assert report.lengths != simulate(game, 120, seed=6).lengths


def test_more_games_begin_with_the_same_ones(game: Game, report: SimulationReport) -> None:
    assert report.lengths[:30] == simulate(game, 30, seed=5).lengths


def test_workers_change_nothing(game: Game, report: SimulationReport) -> None:
    with ProcessPoolExecutor(2) as processes:
        assert report == simulate(game, 120, seed=5, executor=processes)
    with ThreadPoolExecutor(1) as threads:
        assert report == simulate(game, 120, seed=5, executor=threads)


@pytest.mark.parametrize("bots", [slow_random_bot, [slow_random_bot, "random", random_bot]], ids=["one", "each"])
def test_random_games_are_the_same_without_the_fast_loop(bots: object, game: Game, report: SimulationReport) -> None:
    assert report == simulate(game, 120, seed=5, bots=bots)  # type: ignore[arg-type]


def test_bots_sit_on_their_seats(game: Game) -> None:
    report = simulate(game, 60, bots=["greedy", "random", "random"])
    assert report.wins[0] > report.wins[1] + report.wins[2]


def test_progress_is_told(game: Game) -> None:
    done: list[int] = []
    simulate(game, 60, progress=done.append)
    assert sorted(done) == done
    assert 60 == done[-1]


def test_no_games_at_all(game: Game) -> None:
    report = simulate(game, 0)
    assert (0, 0, (0, 0, 0), ()) == (report.games, report.decisions, report.wins, report.lengths)
    assert (0, 0, 0) == (report.shortest, report.median_length, report.longest)


def test_rules_that_fail_are_faults(path: Path) -> None:
    game = load_game(path, options={"cliff": 9})
    for bots in ("random", slow_random_bot):
        report = simulate(game, 40, bots=bots)
        assert 40 == report.games == len(report.lengths) + len(report.faults)
        assert report.faults
        fault = report.faults[0]
        assert "outside its range 0..9" in fault.message
        assert str(path) in fault.message
        state, chance = game.new_state(fault.seed), random.Random(fault.seed)
        for _ in range(fault.decisions):
            state.apply(random_bot(state, state.current_seat or 0, chance))


def test_a_game_without_end_is_a_fault(game: Game) -> None:
    for bots in ("random", slow_random_bot):
        report = simulate(game, 3, bots=bots, max_decisions=4)
        assert [4, 4, 4] == [fault.decisions for fault in report.faults]
        assert "not over after 4 decisions" in report.faults[0].message


def test_a_game_of_just_the_most_decisions_is_none(game: Game, report: SimulationReport) -> None:
    limited = simulate(game, 120, seed=5, max_decisions=report.longest)
    assert report == limited


def test_broken_invariants_are_faults(path: Path) -> None:
    game = load_game(path, options={"goal": 60})
    assert () == simulate(game, 10).faults
    report = simulate(game, 10, check_invariants=True)
    told = "the invariant `nobody_at_seven` does not hold\n  "
    assert all(fault.message.startswith(told) and "is 7" in fault.message for fault in report.faults)
    assert report.faults


@pytest.mark.parametrize("bots", ["nobody", ["random"], ["random", "random", "nobody"]], ids=str)
def test_wrong_bots_are_refused(bots: object, game: Game) -> None:
    with pytest.raises(ValueError, match="bot"):
        simulate(game, 1, bots=bots)  # type: ignore[arg-type]


def test_games_states_and_actions_can_be_pickled(game: Game) -> None:
    again = pickle.loads(pickle.dumps(game))
    assert (game.seats, game.options) == (again.seats, again.options)
    assert again is pickle.loads(pickle.dumps(game))
    state = game.new_state(3)
    state.apply(state.legal_actions()[0])
    copy = pickle.loads(pickle.dumps(state))
    assert state.to_json() == copy.to_json()
    actions = pickle.loads(pickle.dumps(state.legal_actions()))
    assert [str(action) for action in state.legal_actions()] == [str(action) for action in actions]
    copy.apply(actions[0])
    state.apply(state.legal_actions()[0])
    assert state.to_json() == copy.to_json()
