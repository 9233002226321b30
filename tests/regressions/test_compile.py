"""Specs that once could not be compiled."""

from __future__ import annotations

import random
from pathlib import Path

import interpreter

NARROWED = """\
rulespec: 1
id: narrowed
title: Narrowed
about: A condition reads the end of a row that it has tested before, for each of two ends.
players: 2
components:
  Card: {fields: {value: 1..9}, rows: all}
zones:
  lane: {holds: Card, order: row}
  hand: {holds: Card, per: player, seen_by: owner}
setup: |
  for c in Card:
    move c to hand[player_1]
actions:
  put:
    with: c in hand[me], side in RowEnd
    when: not lane or end(lane, side) != none and end(lane, side).value < c.value
    do: move c to lane at side
phases:
  play:
    turns: {times: 6}
    actions: [put]
    if_stuck: end game
"""


def test_what_was_tested_is_read_where_a_loop_is_written_out(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(NARROWED, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state(seed=1)
    chance = random.Random(1)
    while not state.is_over:
        state.apply(chance.choice(state.legal_actions()))
    assert state.zones["lane"]
