"""docs/reference/meaning.md, Visibility, Taking back."""

import json

import pytest

from interpreter.errors import UndoError
from rulespec import SpecError

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
  table: {holds: Card}
variables:
  trace: {type: 0..}
  secret: {per: player, type: 0..9, seen_by: owner}
  marked: {per: Card, type: bool}
"""

GAME = (
    CARDS
    + """
actions:
  draw_one: {do: "draw 1 from deck to hand[me]"}
  lay:
    with: c in hand[me]
    do: move c to table
  two_steps:
    do: |
      choose i in 1..3 by me:
        choose j in 1..3 by me:
          trace = i * 10 + j
  roll:
    do: |
      choose i in 1..6 by chance:
        trace = i
  note: {do: "secret[me] = 7"}
setup: draw 2 from deck to hand[next(first_player)]
phases:
  main: {turns: {}, after_turn: "if trace == 99: end main", actions: [draw_one, lay, two_steps, roll, note]}
"""
)


def seen(t, seat):
    return json.dumps(t.state.view(seat))


def test_visibility_1_a_seat_sees_its_own_hand_others_see_how_many(play):
    t = play(GAME)
    (card, _) = t.zone("hand", 1)
    assert f'"{card}"' in seen(t, 1)
    assert f'"{card}"' not in seen(t, 0)
    assert f'"{card}"' not in seen(t, None)


def test_visibility_2_a_variable_seen_by_its_owner_is_hidden_from_the_others(play):
    t = play(GAME)
    before = [seen(t, 0), seen(t, 1), seen(t, None)]
    other = play(GAME)
    other.state._position.v_secret[0] = 7
    assert before[0] != seen(other, 0)
    assert before[1:] == [seen(other, 1), seen(other, None)]


def test_visibility_3_a_move_is_told_to_who_sees_where_it_was_or_where_it_goes(play):
    t = play(GAME).do("draw_one")
    (card,) = t.zone("hand", 0)
    assert card[-1] in " ".join(t.state.log(0)).split("card")[-1]
    told = [line for line in t.state.log(1) if f"card {card[-1]}" in line or card in line]
    assert [] == told


def test_visibility_4_a_card_laid_down_is_seen_by_all(play):
    t = play(GAME).do("draw_one")
    (card, _) = t.zone("hand", 1)
    t.do(f"lay(c={card})")
    assert f'"{card}"' in seen(t, 0)
    assert f'"{card}"' in seen(t, None)


def test_visibility_5_say_tells_only_what_all_see(play):
    said = "note: {do: 'say \"{me} has {TOLD}.\"'}"
    t = play(GAME.replace('note: {do: "secret[me] = 7"}', said.replace("TOLD", "count(hand[me])"))).do("note")
    assert any("has 0." in line for line in t.state.log(1))
    for secret in ("secret[me]", "first(hand[me])", "top(deck)"):
        with pytest.raises(SpecError, match="RS521"):
            play(GAME.replace('note: {do: "secret[me] = 7"}', said.replace("TOLD", secret)))
    shown = """note:
    do: |
      secret[me] = 7
      reveal secret[me] to everyone
      say "{me} has {secret[me]}."
"""
    t = play(GAME.replace('note: {do: "secret[me] = 7"}', shown)).do("note")
    assert any("has 7." in line for line in t.state.log(1))


def match(play, *texts):
    from interpreter.match import Match

    game = play(GAME).game
    m = Match(game, seed=1)
    for text in texts:
        m.apply(text)
    return m


def test_taking_back_1_ones_own_last_decision(play):
    m = match(play, "two_steps", "choose(i=2)")
    before = match(play, "two_steps").state.to_json()
    m.undo()
    assert before == m.state.to_json()
    m.undo()
    assert 0 == m.state.current_seat


def test_taking_back_2_not_what_another_seat_has_decided_since(play):
    m = match(play, "note", "note")
    with pytest.raises(UndoError, match="has decided since"):
        m.undo(0)


def test_taking_back_3_not_what_was_drawn(play):
    m = match(play, "draw_one")
    with pytest.raises(UndoError):
        m.undo()


def test_taking_back_3_not_what_chance_has_decided(play):
    m = match(play, "roll")
    with pytest.raises(UndoError, match="chance"):
        m.undo()


def test_taking_back_3_not_what_was_shown(play):
    m = match(play, "note")
    card = next(str(a) for a in m.state.legal_actions() if a.name == "lay")
    m.apply(card)
    with pytest.raises(UndoError, match="shown"):
        m.undo()
