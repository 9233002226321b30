"""Seats called north, east, south and west: the type that is expected tells them from directions."""

from __future__ import annotations

import interpreter

TABLE = """\
rulespec: 1
id: table
title: Table
seats: [north, east, south, west]
about: A test.
%s
variables:
  dealer: {type: player, start: east}
  facing: {type: direction, start: east}
functions:
  partner(player p)%s: south if p == north else north if p == south else west if p == east else east
setup: |
  %s
  say "{dealer} {facing} {partner(dealer)} {partner(south)} {those(p in players from west)} {opposite(south)}"
phases:
  play: {do: win partner(dealer)}
"""


def play(path, board, line):
    path.write_text(TABLE % (board, " -> player" if board else "", line), encoding="utf-8")
    return interpreter.load_game(path).new_state()


def test_without_a_board_the_seat_is_meant(tmp_path):
    state = play(tmp_path / "game.yaml", "", 'let first = north\n  say "{next(first)}"')
    assert ["east", "east east west north west, north, east, south north"] == state.log()[:2]
    assert [3] == state.winners


def test_with_a_board_the_type_tells(tmp_path):
    state = play(tmp_path / "game.yaml", "boards: {Square: {grid: 2 x 2, names: a1}}", 'say "{step(a1, north)}"')
    assert "a2" == state.log()[0]
