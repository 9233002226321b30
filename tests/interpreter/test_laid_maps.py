"""Maps of laid pieces in the terminal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

import interpreter
import rulespec
from interpreter.cli.app import app
from interpreter.cli.laid_maps import laid_maps

SPEC = """\
rulespec: 1
id: mapped
title: Mapped
players: 1
about: Pieces laid on a board.
types:
  Ground: [open, wall]
boards:
  Field: BOARD
components:
  Piece:
    fields: {mask: text}
    rows:
      - {id: ell, mask: "o/o/xx"}
      - {id: i, mask: "o/x"}
    shape: {from: mask, letters: {o: open, x: wall}, ports: open, turns: quarter}
zones:
  table: {holds: Piece, laid_on: Field, seen_by: everyone}
  hand: {holds: Piece, starts: Piece, seen_by: everyone}
actions:
  lay:
    with: c in hand, x in Field, n in 0..3 where footprint(c, spot(x, n))
    do: move c to table at spot(x, n)
phases:
  play: {turns: {rounds: 9}, actions: [lay], if_stuck: end game}
"""


def state_of(folder: Path, board: str, *moves: str) -> interpreter.State:
    path = folder / "game.yaml"
    path.write_text(SPEC.replace("BOARD", board), encoding="utf-8")
    state = interpreter.Game(rulespec.load(str(path))).new_state(seed=0)
    for move in moves:
        state.apply(move)
    return state


def drawn(state: interpreter.State, width: int = 60) -> list[str]:
    """The lines of the map of the only zone."""
    console = Console(width=width, color_system=None)
    (picture,) = laid_maps(state.game, state.view(0), width).values()
    with console.capture() as capture:
        console.print(picture)
    return [line.rstrip() for line in capture.get().rstrip().split("\n")]


def test_nothing_laid_has_no_map(tmp_path: Path) -> None:
    state = state_of(tmp_path, "{grid: 9 x 9}")
    assert laid_maps(state.game, state.view(0), 60) == {}


def test_pieces_with_names_numbers_and_meanings(tmp_path: Path) -> None:
    state = state_of(tmp_path, "{grid: 20 x 20}", "lay(c=ell, x=c5r5, n=0)")
    assert drawn(state) == [
        "9",
        "8",
        "7      o",
        "6      o",
        "5      ell",
        "4",
        "3",
        "   3 4 5 6 7 8",
        "",
        "o open   x wall",
    ]


def test_what_lies_on_top_is_shown(tmp_path: Path) -> None:
    state = state_of(tmp_path, "{grid: 20 x 20}", "lay(c=ell, x=c5r5, n=0)", "lay(c=i, x=c5r5, n=1)")
    assert drawn(state)[2:5] == ["7      o", "6      el", "5      i o"]


def test_edges_of_the_board(tmp_path: Path) -> None:
    state = state_of(tmp_path, "{grid: 4 x 4, names: a1}", "lay(c=ell, x=a1, n=1)")
    assert drawn(state)[:-2] == [
        "  ╔════════╗",
        "4 ║        ║",
        "3 ║        ║",
        "2 ║ell o   ║",
        "1 ║x       ║",
        "  ╚════════╝",
        "   a b c d",
    ]


def test_a_wide_map_has_one_character_for_a_space(tmp_path: Path) -> None:
    state = state_of(tmp_path, "{grid: 30 x 9}", "lay(c=ell, x=c3r4, n=0)", "lay(c=i, x=c25r4, n=0)")
    assert drawn(state, width=50) == [
        "8 ║",
        "7 ║",
        "6 ║  o",
        "5 ║  e                     o",
        "4 ║  xx                    i",
        "3 ║",
        "2 ║",
        "   1   5    10   15   20   25",
        "",
        "o open   x wall",
    ]


def test_too_wide_a_map_is_drawn_in_bands(tmp_path: Path) -> None:
    state = state_of(tmp_path, "{grid: 30 x 9}", "lay(c=ell, x=c3r4, n=0)", "lay(c=i, x=c25r4, n=0)")
    lines = drawn(state, width=30)
    assert max(map(len, lines)) <= 30
    assert lines[:8] == ["8 ║", "7 ║", "6 ║  o", "5 ║  e", "4 ║  xx", "3 ║", "2 ║", "   1   5    10   15   20"]
    assert lines[9:17] == ["8", "7", "6", "5      o", "4      i", "3", "2", "   21  25"]


def test_a_board_with_holes(tmp_path: Path) -> None:
    grid = "{grid: 6 x 6, names: a1, only: not (col == 2 and row == 2)}"
    state = state_of(tmp_path, grid, "lay(c=i, x=a1, n=0)")
    assert drawn(state)[:6] == ["4 ║", "3 ║", "2 ║o", "1 ║i", "  ╚══════", "   a b c"]


# ---------------------------------------------------------------- where they are shown


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    game = interpreter.load_game("paperbag-dungeon-chill")
    match = interpreter.Match(game, seed=3)
    for _ in range(3):
        match.apply(match.state.legal_actions()[0])
    path = tmp_path / "game.json"
    match.save(path)
    return path


def run(*arguments: object, stdin: str | None = None) -> Any:
    result = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin, env={"COLUMNS": "100"})
    assert 0 == result.exit_code, result.output
    return result.output


def test_play_shows_the_map() -> None:
    output = run("play", "paperbag-dungeon-chill", "--seed", "3", stdin="quit\n")
    assert "╭─ Dungeon ─" in output
    assert "│ 31      . . G1. .         │" in output
    assert "│ . floor   w wall   # hash │" in output
    assert "G1 Old Gate (front) at c42r28/0" in output


def test_replay_shows_the_table_on_demand(saved: Path) -> None:
    assert "╭─ Dungeon ─" not in run("replay", saved)
    output = run("replay", saved, "--table")
    assert "╭─ Dungeon ─" in output
    assert "G1" in output.split("╭─ Dungeon ─")[1]
    assert output.endswith("The game is not over.\n")
