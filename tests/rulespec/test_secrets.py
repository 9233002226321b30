"""What `say` may tell: only what all seats see."""

from __future__ import annotations

from typing import Any

import pytest

GAME = """
components:
  Card: {fields: {rank: 1..9, "worth(player p)": 0..9}, rows: [{id: ace, rank: 1, worth: "bets[p]"}]}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: c in Card}
  pile: {holds: Card, order: stack, seen_by: nobody, top_seen_by: everyone}
  bag: {holds: Card, seen_by: nobody, count_seen_by: nobody}
  hand: {holds: Card, per: player, seen_by: owner}
  shelf: {holds: Card, per: player}
variables:
  gold: {per: player, type: 0..9}
  bets: {per: player, type: 0..9, seen_by: owner}
  prize: {type: 0..9, seen_by: nobody}
functions:
  best(player p): max(c.rank for c in hand[p]) otherwise 0
  rich(player p): gold[p] + count(hand[p]) + count(c in hand[p])
procedures:
  tell(player p, Card c): |
    BODY
actions:
  rest: |
    tell(me, ace)
    gold[me] = 1 + min(8, rich(me) + best(me) + prize + ace.worth(me))
phases:
  play: {turns: {rounds: 1}, actions: [rest]}
"""
PLAYERS = "players: 2..4"
TOLD = {
    'say "{p} has {gold[p]} and plays {c}, {c.rank}."': None,
    'say "{rich(p)} {count(deck)} {count(hand[p])} {count(x in hand[p])} {first(shelf[p]).rank}"': None,
    'say "{1 if any(hand[p]) else 0} {1 if hand[p] else 0}"': None,
    'say "{top(pile)}"': None,
    'for x in hand[p]:\n  say "{x}"': None,
    'reveal hand[p] to everyone\nsay "{best(p)}"': None,
    'reveal bets[p] to everyone\nsay "{bets[p]}"': None,
    'for x in top(deck):\n  reveal x to everyone\nsay "{count(deck)}"': None,
    'if top(deck) != none:\n  reveal top(deck) to everyone\n  say "{top(deck)}"': None,
    'reveal hand[p] to next(p)\nsay "{best(p)}"': "this tells everybody what lies in `hand`, which only its owner sees",
    'say "{best(p)}"': "this tells everybody what lies in `hand`, which only its owner sees",
    'say "{first(x in hand[p] where x.rank > 3)}"': (
        "this tells everybody what lies in `hand`, which only its owner sees"
    ),
    'say "{count(x in hand[p] where x.rank > 3)}"': (
        "this tells everybody what lies in `hand`, which only its owner sees"
    ),
    'say "{top(deck).rank}"': "this tells everybody what lies in `deck`, which nobody sees",
    'say "{bottom(pile)}"': "this tells everybody what lies in `pile`, which nobody sees",
    'say "{count(bag)}"': "this tells everybody what lies in `bag`, which nobody sees",
    'say "{bets[p]}"': "this tells everybody `bets`, which only its owner sees",
    'say "{gold[p] + prize}"': "this tells everybody `prize`, which nobody sees",
    'say "{c.worth(p)}"': "this tells everybody `bets`, which only its owner sees",
}


def messages(game: Any, text: str) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in game.diagnose(text)[1]]


@pytest.mark.parametrize("body", TOLD)
def test_what_is_told_to_everybody(game: Any, body: str) -> None:
    text = GAME.replace("BODY", body.replace("\n", "\n    "))
    told = TOLD[body]

    assert ([] if told is None else [("RS521", told)]) == messages(game, text)


def test_who_plays_alone_sees_everything_of_the_own(game: Any) -> None:
    head = "rulespec: 1\nid: walk\ntitle: A Walk\nabout: Things happen.\nplayers: 1"

    assert [] == messages(game, head + GAME.replace("BODY", 'say "{best(p)}"'))
