"""What a seat cannot see shows in nothing that it is shown, for every game; and leaks are found."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter.testing import check_secrets
from rulespec.packs import installed_games

ROOT = Path(__file__).parents[2]
SKETCHES = ["hearts", "kuhn_poker", "liars_dice", "goofspiel", "gin_rummy"]

LEAK = """\
rulespec: 1
id: leak
title: Leak
about: A prompt, an option or a rule depends on what is hidden.
players: 2
components:
  Card: {fields: {value: 1..9}, rows: all}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
setup: |
  shuffle deck
  for p in players:
    draw 3 from deck to hand[p]
actions:
  guess: {with: "n in 1..9 where WHERE", do: "draw 1 from deck to hand[me]"}
phases:
  play:
    turns: {times: 3}
    actions: [guess]
    if_stuck: end game
"""


@pytest.mark.parametrize("name", [game.id for game in installed_games()])
def test_shipped_games_tell_nothing(name: str) -> None:
    game = interpreter.load_game(name)
    assert check_secrets(game, games=2, max_decisions=150) > (0 if game.seats > 1 else -1)


@pytest.mark.parametrize("name", SKETCHES)
def test_sketches_tell_nothing(name: str) -> None:
    game = interpreter.load_game(str(ROOT / "tests" / "sketches" / "b" / f"{name}.yaml"))
    check_secrets(game, games=3, max_decisions=150, share=0.3)


@pytest.mark.parametrize(
    "where",
    [
        "any(c.value == n for c in hand[next(me)])",
        "any(c.value == n for c in top(deck))",
        "n <= sum(c.value for c in hand[next(me)]) - 8",
    ],
)
def test_options_that_tell_are_found(tmp_path: Path, where: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(LEAK.replace("WHERE", where), encoding="utf-8")
    with pytest.raises(AssertionError, match="can tell apart"):
        check_secrets(interpreter.load_game(str(path)), games=5, share=1)
