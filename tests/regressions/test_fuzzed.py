"""What random specs have found: each checked and then broke the engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import interpreter
import rulespec

HEAD = "rulespec: 1\nid: fuzzed\ntitle: Fuzzed\nplayers: 2\nabout: Found by random specs.\n"

GameOf = Callable[[str], interpreter.Game]


@pytest.fixture
def game_of(tmp_path: Path) -> GameOf:
    """A game from the sections of a spec."""

    def make(text: str) -> interpreter.Game:
        path = tmp_path / "game.yaml"
        path.write_text(HEAD + text, encoding="utf-8")
        return interpreter.Game(rulespec.load(path))

    return make


def test_a_condition_with_nothing_to_do(game_of: GameOf) -> None:
    game = game_of(
        """
variables:
  score: {per: player, type: 0..9}
actions:
  go:
    do: |
      if score[me] > 2: nothing
      score[me] += 1
phases:
  main:
    turns: {rounds: 1}
    actions: [go]
"""
    )
    state = game.new_state()
    state.apply("go")
    assert [1, 0] == list(dict(state.variables["score"]).values())
