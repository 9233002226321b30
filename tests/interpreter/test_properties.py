"""What must hold of every game (see `interpreter.testing`), over games and sketches that use all of the language."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import rulespec
from interpreter import Game, State, load_game
from interpreter.testing import (
    check_clone,
    check_decision,
    check_game,
    check_options,
    check_refusal,
    check_save,
    play_random,
)
from rulespec import CheckedSpec

ROOT = Path(__file__).parents[2]
GAMES = ROOT / "games"
SKETCHES = ROOT / "tests" / "sketches"


@cache
def spec(path: Path) -> CheckedSpec:
    return rulespec.load(path)


GRAND_DOG_PARK: list[tuple[int, dict[str, Any]]] = [
    (2, {}),
    (3, {"tactical": True}),
    (6, {}),
    (6, {"tactical": True, "taking": "at_will"}),
]


@pytest.mark.parametrize(("players", "options"), GRAND_DOG_PARK, ids=str)
def test_grand_dog_park(players: int, options: dict[str, Any]) -> None:
    game = Game(spec(GAMES / "grand_dog_park" / "game.yaml"), players, options)
    check_game(game, games=3)


@pytest.mark.parametrize("path", sorted(SKETCHES.rglob("*.yaml")), ids=lambda path: path.stem)
def test_sketch(path: Path) -> None:
    """Each with the fewest and the most players."""
    for players in sorted(set(spec(path).source.seats)):
        check_game(Game(spec(path), players), games=2, max_decisions=150, each=15)


@pytest.mark.soak
@pytest.mark.parametrize(
    "path", sorted([*GAMES.glob("*/*.yaml"), *SKETCHES.rglob("*.yaml")]), ids=lambda path: path.stem
)
def test_many_games(path: Path) -> None:
    least, most = spec(path).source.seats
    for players in range(least, most + 1):
        check_game(Game(spec(path), players), games=20, seed=100)


# ---------------------------------------------------------------- the checks find what they are there for

GAME = """\
rulespec: 1
id: count
title: Count
players: 2
about: Count up.
variables:
  total: {type: 0..30}
actions:
  add:
    with: n in 1..3
    do: total += n
phases:
  main:
    turns: {until: total >= 20}
    actions: [add]
result:
  score: total
  rank_by: [highest score]
invariants:
  little: total < 15
"""


@pytest.fixture
def state(tmp_path: Path) -> State:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    return load_game(path).new_state()


def test_a_broken_invariant_is_found_with_its_place(state: State) -> None:
    with pytest.raises(AssertionError, match="little") as caught:
        check_game(state.game, games=1, seed=7)
    (note,) = caught.value.__notes__
    assert note.startswith("count with 2 players, seed 7, decision ")


def test_a_clone_that_shares_something_is_found(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    position = type(state._position)
    monkeypatch.setattr(position, "clone", lambda self: self)
    with pytest.raises(AssertionError, match="clone"):
        check_clone(state)


def test_an_option_that_stands_twice_is_found(state: State) -> None:
    state._position.options = [*state._position.options, state._position.options[0]]
    with pytest.raises(AssertionError, match="stands twice"):
        check_decision(state)


def test_an_option_with_a_wrong_id_is_found(state: State) -> None:
    option = state.legal_actions()[1]
    option.id = 0
    with pytest.raises(AssertionError, match="not at its id"):
        check_options(state, random.Random(1))


def test_an_action_that_is_not_refused_is_found(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(State, "apply", lambda self, action, seat=None: None)
    with pytest.raises(AssertionError, match="was not refused"):
        check_refusal(state)


def test_a_save_that_forgets_something_is_found(state: State, monkeypatch: pytest.MonkeyPatch) -> None:
    state.apply("add(n=2)")
    monkeypatch.setattr(Game, "state_from_json", lambda self, text: self.new_state())
    with pytest.raises(AssertionError, match="a loaded state"):
        check_save(state, random.Random(1))


def test_random_play_repeats_itself(state: State) -> None:
    first, second = (play_random(state.game, 3) for _ in range(2))
    assert first.is_over
    assert first.to_json() == second.to_json()
    assert 4 == len(play_random(state.game, 3, max_decisions=4).history)
