"""What rules may do, followed through everything that they call or set off."""

from __future__ import annotations

from typing import Any

import pytest

from rulespec.check.effects import Analysis, Effects, analyse

GAME = """
types:
  Stand: {fields: {use(player p): effect, worth(player p): 0..9}, rows: [
    {id: a, use: ask_one(p), worth: "gold[p]"}, {id: b, use: nothing, worth: "1"}]}
components:
  Card: {faces: [front, back], fields: {mark: {type: bool per face}}, rows: [{mark_front: true, mark_back: false}]}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, refilled_from: discard}
  discard: {holds: Card, order: stack}
  hand: {holds: Card, per: player}
variables:
  gold: {per: player, type: 0..9}
  bell: {type: bool}
  bank: {type: 0..9}
records:
  positions: {of: [gold]}
functions:
  rich(player p): gold[p] > 3
  marked(Card c): c.mark and rich(first_player)
  what_if(player p): supposing(pay(p), rich(p))
procedures:
  pay(player p): |
    gold[p] = 0
  ring(): |
    bell = true
  ask_one(player p): |
    choose q in players by p:
      pay(q)
  roll(): |
    choose n in 1..6 by chance:
      nothing
  deal(player p): |
    draw 1 from deck to hand[p]
  give(player p, Card c): |
    move c to hand[p]
  flip(Card c): |
    turn c over
  remember(): |
    record positions
  visit(player p): |
    for s in Stand:
      s.use(p)
  offer(player p): |
    ask p: take, pass
  over(player p): |
    if rich(p):
      end play
  loop(player p): |
    if rich(p):
      other(p)
  other(player p): |
    loop(p)
    ring()
  each(): |
    for p in players, together:
      pay(p)
actions:
  take:
    with: c in hand[me]
    pay: 1 gold[me]
    do: give(next(me), c)
  rest:
    when: marked(first(c in Card))
    do: |
      visit(me)
      offer(me)
      over(me)
      each()
      loop(me)
      flip(first(c in Card))
      if what_if(me):
        remember()
      deal(me)
      roll()
triggers:
  rung: {after: change bell, do: ask_one(first_player)}
  given: {after: "move Card c to hand[player p]", do: "bank = 3"}
phases:
  play: {turns: {rounds: 1}, actions: [rest]}
"""


@pytest.fixture
def effects(game: Any) -> Analysis:
    return analyse(game.checked(GAME))


def names(effects: Effects) -> str:
    words = ("asks", "chance", "ends", "records")
    return " ".join(word for word in words if getattr(effects, word))


DECIDES = {
    "pay": "",
    "ring": "asks",
    "ask_one": "asks",
    "roll": "chance",
    "deal": "chance",
    "give": "",
    "flip": "",
    "remember": "records",
    "visit": "asks",
    "offer": "asks",
    "over": "ends",
    "loop": "asks",
    "other": "asks",
    "each": "asks",
}


@pytest.mark.parametrize("procedure", DECIDES)
def test_decisions_chance_and_ends(effects: Analysis, procedure: str) -> None:
    assert DECIDES[procedure] == names(effects.procedure[procedure])


WRITES = {
    "pay": "variable gold",
    "ring": "variable bell, variable gold",
    "give": "variable bank, zone box Card, zone deck, zone discard, zone hand",
    "deal": "variable bank, zone deck, zone discard, zone hand",
    "flip": "faces Card",
    "visit": "variable gold",
    "offer": "variable bank, variable gold, zone box Card, zone deck, zone discard, zone hand",
    "over": "",
    "remember": "record positions",
}


@pytest.mark.parametrize("procedure", WRITES)
def test_writes(effects: Analysis, procedure: str) -> None:
    assert WRITES[procedure] == ", ".join(sorted(effects.procedure[procedure].writes))


def test_reads_are_followed_through_functions(effects: Analysis) -> None:
    assert {"variable gold"} == effects.function["rich"].reads
    assert {"variable gold", "faces Card"} == effects.function["marked"].reads
    assert {"variable gold"} == effects.rule["Stand", "worth"].reads


def test_what_is_supposed_changes_nothing(effects: Analysis) -> None:
    found = effects.function["what_if"]

    assert found.none
    assert ("procedure", "pay") in found.calls


def test_rules_in_rows_and_triggers(effects: Analysis) -> None:
    assert effects.rule["Stand", "use"].asks
    assert effects.trigger["rung"].asks
    assert not effects.trigger["given"].asks
    assert "variable gold" in effects.action["take"].writes


def test_effects_of_a_block(effects: Analysis, game: Any) -> None:
    body = game.checked(GAME).procedures["ring"].layers[0].body

    assert {"variable bell", "variable gold"} == effects.of(body).writes
    assert [("trigger", "rung")] == list(effects.calls_in(body))


def test_place_of_a_decision_in_what_is_called(effects: Analysis, game: Any) -> None:
    place = effects.place_of(("procedure", "visit"), "asks")

    assert place is not None
    assert "choose q in players by p:" == (game.folder / "game.yaml").read_text().splitlines()[place.line - 1].strip()
