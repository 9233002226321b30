"""Rows by their labels: fields, computed columns, and the row's own id."""

from __future__ import annotations

GAME = """
types:
  Stall: {fields: {price: 1..9}, rows: [{id: old_mill, price: 3}, {price: 5}], label: "{id} ({price})"}
components:
  Coin: {fields: {worth: 1..2}, rows: all, label: "{id}: {worth}"}
  Chip: {fields: {worth: 1..2}, rows: [{id: red_chip, worth: 1, count: 2}], label: "a {id}"}
variables:
  open: {per: Stall, type: bool}
zones:
  bag: {holds: Coin}
  heap: {holds: Chip}
actions:
  visit:
    with: stall in Stall, coin in Coin, chip in Chip
    do: open[stall] = true
phases:
  main:
    turns: {rounds: 2}
    actions: [visit]
"""


def test_the_label_of_a_row_shows_its_id(game_of):
    game = game_of(GAME, 2)
    assert ["old mill (3)", "Stall 2 (5)"] == [game.texts.row("Stall", row) for row in range(2)]
    assert ["1: 1", "2: 2"] == [game.texts.row("Coin", row) for row in range(2)]
    assert ["a red chip", "a red chip"] == [game.texts.row("Chip", row) for row in range(2)]


def test_the_label_of_an_option_shows_the_labels_of_its_rows(game_of):
    action = game_of(GAME, 2).new_state(seed=1).legal_actions(0)[0]
    assert "visit(stall=old_mill, coin=1, chip=red_chip)" == str(action)
    assert "Visit: old mill (3), 1: 1, a red chip" == action.label
