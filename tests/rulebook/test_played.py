"""Games of books: what is compiled for them is what is needed, and means the same."""

from pathlib import Path

import pytest

import interpreter
from interpreter.rulebook.played import Played, Unplayed
from interpreter.sight.logs import log
from tests.rulebook.tokens import GAME, written

CARDS = GAME.replace(
    "variables:",
    """\
components:
  Card: {fields: {rank: 1..3}, rows: all, label: LABEL}
zones:
  deck: {holds: Card}
variables:""",
)


def test_a_game_that_is_played_has_one_module(tmp_path: Path) -> None:
    spec = written(tmp_path)
    game, usual = Played(spec), interpreter.Game(spec)
    assert game.module() is game.module(log=True)
    states = [game.new_state(), usual.new_state()]
    for state in states:
        state.apply("take_one")
        state.apply("take_one")
    assert log(states[0]) == log(states[1]) != []
    assert states[0].view() == states[1].view()


@pytest.mark.parametrize("label", ['"no. {rank}"', '"no. {twice(rank)}"'])
def test_a_game_that_is_looked_at_has_labels(tmp_path: Path, label: str) -> None:
    """With functions that they call, too."""
    game = CARDS.replace("LABEL", label)
    if "twice" in label:
        game = game.replace("variables:", "functions:\n  twice(1..3 n): {is: n * 1}\nvariables:")
    looked_at = Unplayed(written(tmp_path, game))
    assert [looked_at.texts.row("Card", n) for n in range(3)] == ["no. 1", "no. 2", "no. 3"]
    assert ("take_one" in looked_at.module().source) is ("twice" in label)
