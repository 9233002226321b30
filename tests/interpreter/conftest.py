"""Games written in a test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import interpreter

HEAD = "rulespec: 1\nid: tiny\ntitle: Tiny\nplayers: 2..4\nabout: A test.\n"

GameOf = Callable[..., interpreter.Game]


@pytest.fixture
def game_of(tmp_path: Path) -> GameOf:
    """`game_of(text, players=None, options=None)`: a game from the sections of a spec, without its head."""

    def make(text: str, players: int | None = None, options: dict[str, Any] | None = None) -> interpreter.Game:
        path = tmp_path / "game.yaml"
        path.write_text(HEAD + dedent(text), encoding="utf-8")
        return interpreter.load_game(path, players, options)

    return make


@pytest.fixture(scope="session")
def park() -> interpreter.Game:
    """A whole game with hidden hands, a shuffled deck and actions with effects that ask further."""
    return interpreter.load_game(Path(__file__).parents[2] / "games" / "grand_dog_park" / "game.yaml", players=3)
