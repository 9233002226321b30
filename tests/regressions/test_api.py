"""Mistakes that were made once in the interface for programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.testing import check_decision
from rulespec.packs import PackError

ROOT = Path(__file__).parents[2]


def alone(program: str) -> str:
    """What a program prints that runs in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_check_stays_a_function_once_its_package_is_imported() -> None:
    path = "tests/sketches/b/kuhn_poker.yaml"
    assert alone(f"import rulespec; print([rulespec.check({path!r}) for _ in range(2)])") == "[[], []]\n"
    assert alone(f"import interpreter, rulespec; interpreter.load_game({path!r}); print(rulespec.check({path!r}))") == (
        "[]\n"
    )


ANY_TIME = """\
rulespec: 1
id: tiny
title: Tiny
players: 2
about: A test.
actions:
  shout: nothing
  step: nothing
phases:
  main: {turns: {rounds: 1}, actions: [step], any_time: [shout]}
"""


def test_after_the_end_nobody_has_actions_of_any_time(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(ANY_TIME, encoding="utf-8")
    state = interpreter.load_game(path).new_state(any_time="open")
    state.apply("step")
    assert [str(action) for action in state.legal_actions(0)] == ["shout"]
    state.apply("step")
    check_decision(state)
    with pytest.raises(interpreter.IllegalAction, match="the game is over"):
        state.apply("shout", seat=1)


@pytest.fixture
def game(tmp_path: Path) -> interpreter.Game:
    path = tmp_path / "game.yaml"
    path.write_text(ANY_TIME, encoding="utf-8")
    return interpreter.load_game(path)


@pytest.mark.parametrize("seed", [None, "a", 1.5, b"x", []])
def test_a_seed_that_no_save_could_hold_is_refused(game: interpreter.Game, seed: object) -> None:
    with pytest.raises(ValueError, match="a seed is a whole number, not"):
        game.new_state(seed)  # type: ignore[arg-type]


@pytest.mark.parametrize("seat", ["0", "player_1", [], 0.0, 5, -2])
def test_a_seat_that_there_is_not(game: interpreter.Game, seat: object) -> None:
    state = game.new_state()
    before = state.to_json()
    for ask in (state.view, state.log):
        with pytest.raises(ValueError, match=r"a seat is a whole number|the seats are 0 to 1"):
            ask(seat)  # type: ignore[arg-type]
    with pytest.raises(interpreter.IllegalAction):
        state.apply("shouting", seat)  # type: ignore[arg-type]
    assert state.why_not("step", seat) != [] or seat == 0.0  # type: ignore[arg-type]
    assert state.to_json() == before


def test_seats_and_seeds_of_other_kinds_of_whole_numbers_are_saved_as_plain_ones(game: interpreter.Game) -> None:
    class Number:
        def __init__(self, value: int) -> None:
            self.value = value

        def __index__(self) -> int:
            return self.value

        def __eq__(self, other: object) -> bool:
            return self.value == other

        __hash__ = None  # type: ignore[assignment]

    state = game.new_state(Number(1))  # type: ignore[arg-type]
    state.apply(state.legal_actions()[0], Number(state.current_seat or 0))  # type: ignore[arg-type]
    again = game.state_from_json(state.to_json())
    assert again.seed == 1
    assert [type(seat) for seat, _ in again.history] == [int]


@pytest.mark.parametrize("players", ["2", 2.0, [], 1, 3])
def test_a_wrong_number_of_players(game: interpreter.Game, players: object) -> None:
    with pytest.raises(ValueError, match="players"):
        interpreter.Game(game.spec, players)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [5, [("a", 1)], "abc", {1: 2}, {None: None}])
def test_wrong_options(game: interpreter.Game, options: object) -> None:
    with pytest.raises(ValueError, match="option"):
        interpreter.Game(game.spec, options=options)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, 5, b"step", {}])
def test_texts_that_are_none(game: interpreter.Game, text: object) -> None:
    with pytest.raises(ValueError, match="the text of an action is needed"):
        game.parse_action(text)  # type: ignore[arg-type]
    with pytest.raises(interpreter.IllegalAction):
        game.new_state().apply(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [None, {}, 5])
def test_saves_that_are_none(game: interpreter.Game, text: object) -> None:
    with pytest.raises(interpreter.SaveError):
        game.state_from_json(text)  # type: ignore[arg-type]


def test_a_name_too_long_for_a_file() -> None:
    with pytest.raises(PackError, match="no path"):
        rulespec.check("x" * 5_000)
