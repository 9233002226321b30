"""Random games of every spec in lock-step with OpenSpiel: seats, options, odds and returns are the same."""

from __future__ import annotations

import pytest
from harness import Mapping, play
from mappings import MAPPINGS

pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install rulespec[test]")

GAMES = {
    "chess": 2,
    "go": 3,
    "othello": 3,
    "hearts": 4,
    "hex": 3,
    "breakthrough": 5,
    "checkers": 5,
    "amazons": 3,
    "backgammon": 3,
    "gin_rummy": 4,
}
"""How many games are played where that is not 12."""

games = pytest.mark.parametrize("mapping", MAPPINGS, ids=lambda mapping: type(mapping).__name__)


@games
def test_random_games(mapping: Mapping) -> None:
    assert sum(play(mapping, seed) for seed in range(GAMES.get(mapping.spec, 12))) > 0


@pytest.mark.soak
@games
def test_many_random_games(mapping: Mapping) -> None:
    for seed in range(1_000, 1_000 + 25 * GAMES.get(mapping.spec, 12)):
        play(mapping, seed)
