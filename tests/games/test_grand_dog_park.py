"""Grand Dog Park as a spec: it checks clean, its scenarios pass, and random games hold what it promises."""

from __future__ import annotations

import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "games" / "grand_dog_park"
SPEC = FOLDER / "game.yaml"
TAKING = ("no_dog_fits", "no_trick_either", "at_will")
BREEDS = ("german_shepherd", "dachshund", "pug", "st_bernard")


def variants() -> Iterator[tuple[int, dict[str, Any]]]:
    """Every number of seats with every value of every option."""
    for players in range(2, 7):
        for tactical in (False, True):
            for taking in TAKING:
                yield players, {"tactical": tactical, "taking": taking}
        yield players, {"end_score": 1}
    for players in (2, 3):
        for number, breed in enumerate(BREEDS[:3]):
            yield players, {"left_out": breed, "tactical": (players + number) % 2 == 0}
        yield players, {"all_breeds": True, "tactical": players == 2}


VARIANTS = [pytest.param(players, options, id=f"{players}-{options}") for players, options in variants()]


def play(game: interpreter.Game, seed: int, reload_chance: float = 0.0) -> tuple[Any, str]:
    """A random game to its end, and a digest of all that its players and a spectator saw."""
    state = game.new_state(seed=seed)
    chance, reloads = random.Random(seed), random.Random(seed)
    while not state.is_over:
        state.apply(chance.choice(state.legal_actions()))
        if reloads.random() < reload_chance:
            state = game.state_from_json(state.to_json())
    seen = [state.log(seat) for seat in (*range(game.seats), None)]
    return state, hashlib.sha256(repr((seen, state.scores, state.to_json())).encode()).hexdigest()


def test_spec_checks_without_a_warning() -> None:
    assert [] == [f"{d.line}:{d.column} {d.message}" for d in rulespec.check(str(SPEC))]


def test_scenarios_pass() -> None:
    results = interpreter.run_scenarios(FOLDER)
    assert len(results) >= 24
    assert [] == [f"{result.name}: {result.message}" for result in results if not result.passed]


def test_every_edge_case_has_a_scenario() -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / "scenarios").glob("*.yaml"))
    numbers = [1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26]
    assert [] == [number for number in numbers if f"GD-{number:03}" not in rules]


def test_every_dog_of_the_table_is_there() -> None:
    game = interpreter.load_game(str(SPEC), players=4)
    state = game.new_state(seed=1)
    zones = [state.zones["deck"], state.zones["pack"], *(state.zones["hand"][seat] for seat in range(4))]
    assert 60 == len({str(dog) for zone in zones for dog in zone})


@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_random_games_keep_the_invariants(players: int, options: dict[str, Any]) -> None:
    game = interpreter.load_game(str(SPEC), players=players, options=options)
    report = interpreter.simulate(game, 25, seed=players, check_invariants=True)
    assert [] == [(fault.seed, fault.message) for fault in report.faults]
    assert 25 == report.games


@pytest.mark.soak
@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_many_random_games_keep_the_invariants(players: int, options: dict[str, Any]) -> None:
    game = interpreter.load_game(str(SPEC), players=players, options=options)
    report = interpreter.simulate(game, 250, seed=1000 + players, check_invariants=True)
    assert [] == [(fault.seed, fault.message) for fault in report.faults]
    assert 250 == report.games


@pytest.mark.parametrize("players", range(2, 7))
def test_score_falls_to_nobody_and_the_fewest_win(players: int) -> None:
    game = interpreter.load_game(str(SPEC), players=players)
    for seed in range(10):
        state = game.new_state(seed=seed)
        chance = random.Random(seed)
        before = [0] * players
        while not state.is_over:
            state.apply(chance.choice(state.legal_actions()))
            score = [state.variables["score"][seat] for seat in range(players)]
            assert all(a <= b for a, b in zip(before, score, strict=True))
            before = score
        assert max(before) >= 30
        assert before == list(state.scores)
        assert [seat for seat in range(players) if before[seat] == min(before)] == list(state.winners)
        assert [-score for score in before] == list(state.returns)


@pytest.mark.parametrize("tactical", [False, True])
def test_saving_and_loading_at_any_decision_changes_nothing(tactical: bool) -> None:
    game = interpreter.load_game(str(SPEC), players=4, options={"tactical": tactical})
    for seed in range(3):
        _, digest = play(game, seed)
        _, reloaded = play(game, seed, reload_chance=0.2)
        assert digest == reloaded


def test_same_seed_same_game_under_every_hash_seed() -> None:
    code = (
        "import sys; sys.path[:0] = sys.argv[1:3]\n"
        "import test_grand_dog_park as t\n"
        "for players, options in ((2, {}), (4, {'tactical': True}), (6, {'taking': 'at_will'})):\n"
        "    game = t.interpreter.load_game(str(t.SPEC), players=players, options=options)\n"
        "    print(t.play(game, 5)[1])\n"
    )
    outputs = set()
    for hash_seed in ("0", "1", "4711"):
        command = [sys.executable, "-c", code, str(ROOT), str(Path(__file__).parent)]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        outputs.add(done.stdout)
    assert 1 == len(outputs)
    assert 3 == len(outputs.pop().split())
