"""What a seat cannot see shows in nothing that it is shown, for every game; and leaks are found."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
import rulespec
from interpreter.testing import check_secrets
from rulespec.packs import installed_games

ROOT = Path(__file__).parents[2]
SKETCHES = ["hearts", "kuhn_poker", "liars_dice", "goofspiel", "gin_rummy"]
CONFORMANCE = ROOT / "tests" / "conformance" / "games"
CARDS = [path.stem for path in sorted(CONFORMANCE.glob("*.yaml")) if "seen_by" in path.read_text(encoding="utf-8")]
"""All games of tests/conformance in which something is hidden."""

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
    assert check_secrets(game, games=2, max_decisions=100, share=0.06, ahead=6) > 0


@pytest.mark.parametrize("name", CARDS)
def test_card_games_tell_nothing(name: str) -> None:
    game = interpreter.load_game(str(CONFORMANCE / f"{name}.yaml"))
    games = 60 if name in ("kuhn_poker", "leduc_poker") else 3  # of a few decisions each
    assert check_secrets(game, games=games, max_decisions=60, share=0.06, ahead=6) > 0


def test_the_card_games_are_found() -> None:
    assert {"goofspiel", "hearts", "kuhn_poker", "liars_dice"} <= set(CARDS)
    assert "chess" not in CARDS


@pytest.mark.soak
@pytest.mark.parametrize("players", range(1, 7))
@pytest.mark.parametrize("name", [*CARDS, *(game.id for game in installed_games())])
def test_games_of_all_sizes_tell_nothing(name: str, players: int) -> None:
    path = CONFORMANCE / f"{name}.yaml"
    spec = rulespec.load(str(path) if path.exists() else name)
    least, most = spec.source.seats
    if least <= players <= most:
        check_secrets(interpreter.Game(spec, players), games=6, share=0.15, ahead=12)


@pytest.mark.parametrize("name", SKETCHES)
def test_sketches_tell_nothing(name: str) -> None:
    game = interpreter.load_game(str(ROOT / "tests" / "sketches" / "b" / f"{name}.yaml"))
    check_secrets(game, games=2, max_decisions=60, share=0.06)


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
