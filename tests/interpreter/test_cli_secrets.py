"""`rulespec test --secrets`, and what a view of a game that is over tells."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from interpreter import load_game
from interpreter.cli.app import app

GAME = """\
rulespec: 1
id: bets
title: Bets
players: 2
about: The higher card wins, unless somebody folds.
components:
  Card: {fields: {value: 1..9}, rows: all}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
setup: |
  shuffle deck
  for p in players:
    draw 1 from deck to hand[p]
actions:
  fold: {do: lose me}
  stay: {WHEN do: nothing}
phases:
  play:
    turns: {times: 4}
    actions: [fold, stay]
result:
  rank_by: ["highest sum(c.value for c in hand[p])"]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "bets.yaml"
    path.write_text(GAME.replace("WHEN ", ""), encoding="utf-8")
    return path


def run(*args: object) -> Result:
    return CliRunner().invoke(app, ["test", *map(str, args)])


def test_a_game_without_leaks(path: Path) -> None:
    result = run("--secrets", path, "-n", 4)
    assert result.exit_code == 0
    assert result.output.startswith("Bets, 2 players: nothing hidden is shown (")
    told = json.loads(run("--secrets", path, "-n", 12, "--json").output)[0]
    assert told["leak"] is None and told["pairs"] > 10
    assert {entry["what"] for entry in told["told"]} <= {"the end of the game", "the scores at the end"}


def test_a_leak_is_shown_and_fails(path: Path) -> None:
    path.write_text(GAME.replace("WHEN ", "when: 'sum(c.value for c in hand[next(me)]) < 6', "), encoding="utf-8")
    result = run("--secrets", path)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "Bets: a secret is told"
    assert lines[1].endswith(" can tell apart two states that differ only in what it cannot see")
    assert lines[2].split() == ["differs", "options"]
    leak = json.loads(run("--secrets", path, "--json").output)[0]["leak"]
    assert leak["what"] == "options" and leak["one"] != leak["other"]
    state = load_game(str(path)).new_state(leak["seed"])
    for seat, text in leak["actions"]:
        state.apply(text, seat)
    assert json.dumps([str(option) for option in state.legal_actions(leak["viewer"])]) == leak["one"]


def test_a_seed_repeats_what_was_found(path: Path) -> None:
    first, second = (run("--secrets", path, "-n", 3, "--seed", 5, "--json").output for _ in range(2))
    assert first == second


def test_strict_games_tell_nothing_by_their_rules(path: Path) -> None:
    result = run("--secrets", path, "-n", 30, "--strict")
    assert result.exit_code == 1
    assert "the course: the end of the game" in result.output


@pytest.mark.parametrize("option", [["--strict"], ["--players", "2"], ["--seed", "3"], ["--option", "a=1"]])
def test_options_of_the_other_test_are_refused(path: Path, option: list[str]) -> None:
    result = run(path, *option)
    assert result.exit_code == 2
    assert f"Error: {option[0]} is for --secrets" in result.output


def test_a_wrong_number_of_players_is_refused(path: Path) -> None:
    result = run("--secrets", path, "--players", 3)
    assert result.exit_code == 2
    assert "Bets is for 2 players, not 3" in result.output


def test_scores_are_shown_where_they_decide(path: Path) -> None:
    """After a fold nobody has shown their hand; when the hands are compared, all know."""
    folded = load_game(str(path)).new_state(1)
    folded.apply("fold")
    assert folded.is_over and folded.scores
    assert [folded.view(seat)["scores"] for seat in (0, 1, None)] == [[], [], []]
    compared = load_game(str(path)).new_state(1)
    while not compared.is_over:
        compared.apply("stay")
    assert compared.view(None)["scores"] == compared.scores


def test_scores_that_lie_open_are_always_shown(tmp_path: Path) -> None:
    path = tmp_path / "open.yaml"
    text = GAME.replace("WHEN ", "").replace("seen_by: owner", "seen_by: everyone")
    path.write_text(text, encoding="utf-8")
    state = load_game(str(path)).new_state(1)
    state.apply("fold")
    assert state.view(1)["scores"] == state.scores != []
