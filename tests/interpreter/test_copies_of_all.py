"""Copies of the rows of `rows: all`, as many as `count` says for each."""

from __future__ import annotations

from fractions import Fraction

import pytest

FIREWORKS = """
options:
  colours: {type: 1..3, default: 2}
  fives: {type: 0..2, default: 1}
types:
  Colour: 1..colours
components:
  Card:
    fields: {colour: Colour, value: 1..5}
    rows: all where value != 4
    count: "3 if value == 1 else fives if value == 5 else 2"
zones:
  deck: {holds: Card, order: stack, starts: Card, seen_by: nobody}
  hand: {holds: Card, per: player, seen_by: owner}
setup: |
  shuffle deck
  draw 5 from deck to hand[first_player]
actions:
  play:
    with: card in hand[me]
    do: remove card
phases:
  main: {turns: {rounds: 1, among: "[first_player]"}, actions: [play]}
"""


@pytest.mark.parametrize(("colours", "fives", "number"), [(2, 1, 16), (1, 0, 7), (3, 2, 27)])
def test_there_are_as_many_as_count_says(game_of, colours, fives, number):
    state = game_of(FIREWORKS, 2, {"colours": colours, "fives": fives}).new_state(chance="explicit")
    assert number == len(state.zones["deck"])
    odds = {next(iter(action.args.values())): p for action, p in state.chance_outcomes()}
    assert Fraction(3, number) == odds["1_1"]
    assert Fraction(2, number) == odds["1_3"]
    assert odds.get("1_5") == (Fraction(fives, number) if fives else None)


def test_copies_are_one_option(game_of):
    state = game_of(FIREWORKS, 2, {"colours": 1, "fives": 0}).new_state(seed=1)
    hand = state.zones["hand"][0]
    assert 5 == len(hand) > len(set(hand))
    assert sorted(set(hand)) == sorted(action.args["card"] for action in state.legal_actions())
