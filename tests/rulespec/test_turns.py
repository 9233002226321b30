"""Where a turn is surely going on, `turn_player` is a player, elsewhere an optional one."""

from __future__ import annotations

from typing import Any

import pytest

GAME = """
components:
  Card:
    fields: {{rank: 1..3, "use(player p)": effect}}
    rows: [{{id: one, rank: 1, use: "swear(p)"}}]
zones:
  deck: {{holds: Card, order: stack}}
  hand: {{holds: Card, per: player}}
variables:
  gold: {{per: player, type: 0..9}}
  bank: {{type: 0..9}}
functions:
  rich(player p): gold[p] > 3
  first_rich(): rich(turn_player)
procedures:
  swear(player p): gold[turn_player] = 1
triggers:
  paid: {{after: change bank, do: "gold[turn_player] = 2"}}
  dealt: {{after: move Card c to hand, do: "gold[turn_player] = 3"}}
  done: {{after: phase play, do: "gold[first_player] = 4"}}
setup: {setup}
actions:
  rest:
    when: first_rich()
    do: |
      gold[turn_player] = 1
      swear(me)
      bank = 3
      move top(deck) to hand[me]
      one.use(me)
phases:
  play:
    turns: {{rounds: 1{turns}}}
    before_turn: gold[turn_player] = 2
    actions: [rest]
    after_turn: {after}
  last: {{do: "{last}"}}
result:
  score: gold[p] + bank + count(hand[p])
"""
MAYBE = "`turn_player` may be none, and a player is the index of `gold`"
HINT = "test it first, as in `if x != none`, or give another value with `otherwise`"


def messages(game: Any, **parts: str) -> list[tuple[str, int, str]]:
    whole = {"setup": "nothing", "turns": "", "after": "nothing", "last": "nothing", **parts}
    return [(d.code, d.message) for d in game.diagnose(GAME.format(**whole))[1]]


def test_inside_turns_it_is_a_player(game: Any) -> None:
    assert [] == messages(game)
    assert [("RS911", "`turn_player` is never none, so this never holds")] == messages(
        game, after='"bank = 1 if turn_player == none else 2"'
    )


OUTSIDE = [
    {"setup": "gold[turn_player] = 1"},
    {"setup": "swear(first_player)"},
    {"setup": "one.use(first_player)"},
    {"setup": "bank = 3"},
    {"setup": "move one to hand[first_player]"},
    {"setup": "draw 1 from deck to hand[first_player]"},
    {"setup": "'if first_rich(): nothing'"},
    {"last": "gold[turn_player] = 1"},
    {"last": "bank += 1"},
    {"turns": ", among: those(p in players where first_rich())"},
]


@pytest.mark.parametrize("parts", OUTSIDE, ids=str)
def test_outside_turns_it_may_be_none(game: Any, parts: dict[str, str]) -> None:
    found = messages(game, **parts)
    assert found and {code for code, _ in found} == {"RS411"}


def test_an_action_asked_outside_turns_and_what_it_sets_off(game: Any) -> None:
    assert 5 == len(messages(game, setup='"ask first_player: rest"'))


NARROWED = [
    "gold[first_player] = 1 if turn_player == none else 2",
    "gold[turn_player otherwise first_player] = 2",
    "if turn_player != none: gold[turn_player] = 2",
]


@pytest.mark.parametrize("last", NARROWED)
def test_it_can_be_asked_for(game: Any, last: str) -> None:
    assert [] == messages(game, last=last)


def test_a_test_of_it_holds_for_the_body(game: Any) -> None:
    setup = """|
  if turn_player != none:
    gold[first_player] = 3
    gold[turn_player] = 2
"""
    assert [] == messages(game, setup=setup)


def test_message(game: Any) -> None:
    _, found = game.diagnose(GAME.format(setup="nothing", turns="", after="nothing", last="gold[turn_player] = 1"))
    assert [("RS411", MAYBE, HINT)] == [(d.code, d.message, d.hint) for d in found]
