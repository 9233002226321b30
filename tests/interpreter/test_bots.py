"""Bots decide by the state, the seat and the chance that they are given."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path

import pytest

from interpreter import Game, State, load_game
from interpreter.bots import BOTS, first_bot, greedy_bot, random_bot, standing

GAME = """\
rulespec: 1
id: pick
title: Pick
players: 2
about: Pick numbers.
options:
  fewest: {type: bool, default: false}
variables:
  score: {per: player, type: 0..100}
actions:
  pick:
    with: n in 1..5 where n != 3
    do: score[me] += 2 if n > 3 else n
  win_at_once:
    when: score[me] >= 4
    do: win me
phases:
  main:
    turns: {rounds: 3}
    actions: [pick, win_at_once]
result:
  score: -score if fewest else score
  rank_by: [highest score]
"""


@cache
def game(fewest: bool = False, folder: Path | None = None) -> Game:
    assert folder is not None
    path = folder / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    return load_game(path, options={"fewest": fewest})


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bots")


def choice(name: str, state: State, seed: int = 0) -> str:
    return str(BOTS[name](state, state.current_seat or 0, random.Random(seed)))


def test_bots_are_known_by_name() -> None:
    assert {"first": first_bot, "greedy": greedy_bot, "random": random_bot} == BOTS


def test_first_bot_takes_the_first_option(folder: Path) -> None:
    assert "pick(n=1)" == choice("first", game(folder=folder).new_state())


def test_random_bot_takes_every_option_about_as_often(folder: Path) -> None:
    state, chance = game(folder=folder).new_state(), random.Random(1)
    taken = [str(random_bot(state, 0, chance)) for _ in range(400)]
    assert {"pick(n=1)", "pick(n=2)", "pick(n=4)", "pick(n=5)"} == set(taken)
    assert all(70 < taken.count(option) < 130 for option in set(taken))


def test_greedy_bot_takes_one_of_the_best_options(folder: Path) -> None:
    state = game(folder=folder).new_state()
    assert {"pick(n=2)", "pick(n=4)", "pick(n=5)"} == {choice("greedy", state, seed) for seed in range(20)}


def test_greedy_bot_minds_what_it_is_ranked_by(folder: Path) -> None:
    assert "pick(n=1)" == choice("greedy", game(True, folder).new_state())


def test_greedy_bot_wins_where_it_can(folder: Path) -> None:
    state = game(folder=folder).new_state()
    for _ in range(4):
        state.apply("pick(n=5)")
    assert "win_at_once" == choice("greedy", state)
    before = standing(state, 0)
    state.apply("win_at_once")
    assert standing(state, 0) > before > standing(state, 1)


@pytest.mark.parametrize("name", BOTS)
def test_bots_leave_the_state_alone_and_repeat_themselves(name: str, folder: Path) -> None:
    state = game(folder=folder).new_state()
    before = state.to_json()
    assert choice(name, state, 5) == choice(name, state, 5)
    assert before == state.to_json()
