"""docs/reference/meaning.md, Together."""

import pytest

from rulespec import SpecError

BASE = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  hand: {holds: Card, per: player, seen_by: owner}
  laid: {holds: Card, per: player}
  pot: {holds: Card}
variables:
  trace: {type: 0..}
  bid: {per: player, type: 0..9}
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
setup: |
  for c in Card where c.n <= 6:
    move c to hand[nth(players, (c.n - 1) mod 3) otherwise first_player]
phases:
  main:
    do: |
%s
"""


def together(play, effects, players=3):
    return play(BASE % "".join(f"      {line}\n" for line in effects.strip("\n").splitlines()), players=players)


BID = """
for p in players, together:
  choose i in 1..3 by p:
    bid[p] = i
trace = sum(bid[p] for p in players)
"""


def test_together_1_all_seats_decide_at_once_in_any_order(play):
    t = together(play, BID)
    assert [0, 1, 2] == t.state.deciding_seats()
    assert 0 == t.seat
    t.do("choose(i=2)", seat=1)
    assert [0, 2] == t.state.deciding_seats()
    t.do("choose(i=3)", seat=2)
    t.do("choose(i=1)", seat=0)
    assert t.over
    assert (6, [1, 2, 3]) == (t.var("trace"), t.var("bid"))


def test_together_1_without_a_seat_the_first_that_is_pending_decides(play):
    t = together(play, BID).do("choose(i=2)")
    assert 1 == t.seat
    t.do("choose(i=1)", "choose(i=3)")
    assert [2, 1, 3] == t.var("bid")


def test_together_2_each_branch_may_have_several_decisions(play):
    effects = """
for p in players, together:
  choose i in 1..2 by p:
    bid[p] = i
  choose j in 1..2 by p:
    bid[p] += j
trace = sum(bid[p] for p in players)
"""
    t = together(play, effects)
    t.do("choose(i=2)", "choose(j=1)", seat=1)
    assert [0, 2] == t.state.deciding_seats()
    t.do("choose(i=1)", seat=2).do("choose(i=1)", "choose(j=1)", seat=0).do("choose(j=2)", seat=2)
    assert (8, [2, 3, 3]) == (t.var("trace"), t.var("bid"))


def test_together_3_only_the_seats_of_the_selection_take_part(play):
    effects = """
bid[first_player] = 9
for p in players where bid[p] == 0, together:
  choose i in 1..3 by p:
    bid[p] = i
"""
    assert [1, 2] == together(play, effects).state.deciding_seats()


def test_together_3_with_nobody_it_is_skipped(play):
    effects = """
for p in players where bid[p] == 9, together:
  choose i in 1..3 by p:
    bid[p] = i
trace = 7
"""
    assert 7 == together(play, effects).var("trace")


def test_together_4_a_branch_without_decisions_is_done_at_once(play):
    effects = """
for p in players, together:
  if p != first_player:
    choose i in 1..3 by p:
      bid[p] = i
  else:
    bid[p] = 8
trace = bid[first_player]
"""
    t = together(play, effects)
    assert [1, 2] == t.state.deciding_seats()
    t.do("choose(i=1)", "choose(i=1)")
    assert 8 == t.var("trace")


def test_together_4_where_no_branch_decides_it_is_done_at_once(play):
    effects = "for p in players, together:\n  bid[p] = no(p)\ntrace = sum(bid[p] for p in players)"
    assert 6 == together(play, effects).var("trace")


def test_together_5_what_another_branch_did_is_seen_by_nobody_else_until_all_are_done(play):
    effects = """
for p in players, together:
  choose c in hand[p] by p:
    move c to laid[p]
trace = count(laid[first_player])
"""
    t = together(play, effects)

    def seen(seat):
        return {key: value for key, value in t.state.view(seat).items() if key != "deciding"}

    mine, others = seen(1), seen(0)
    t.do(t.options_of(1)[0], seat=1)
    assert others == seen(0)
    assert mine != seen(1)
    assert [0, 2] == t.state.view(0)["deciding"]
    t.do(t.options_of(0)[0], seat=0).do(t.options_of(2)[0], seat=2)
    assert others != seen(0)


def test_together_6_a_fault_in_a_branch_takes_only_that_decision_back(play):
    effects = """
for p in players, together:
  choose i in 1..9 by p:
    bid[p] = i + 1
"""
    t = together(play, effects)
    t.do("choose(i=4)", seat=2)
    fault = t.fault("choose(i=9)", seat=1)
    assert "`bid[player_2]` would be 10" in fault.message
    t.do("choose(i=1)", seat=1).do("choose(i=2)", seat=0)
    assert [3, 2, 5] == t.var("bid")


def test_together_7_locals_of_the_body_around_can_be_read(play):
    effects = """
let most = 2
for p in players, together:
  choose i in 1..most by p:
    bid[p] = i
"""
    assert ["choose(i=1)", "choose(i=2)"] == together(play, effects).options_of(2)


def test_together_8_one_after_another_they_are_served_in_seat_order(play):
    effects = """
for p in players from next(first_player), together:
  choose i in 1..3 by p:
    bid[p] = i
"""
    assert [1, 2, 0] == together(play, effects).state.deciding_seats()


def test_together_9_in_turns_after_it_everything_goes_on(play):
    text = """
variables:
  bid: {per: player, type: 0..9}
  trace: {type: 0..}
actions:
  go:
    do: |
      for p in players, together:
        choose i in 1..3 by p:
          bid[p] = i
      trace += sum(bid[p] for p in players)
phases:
  main: {turns: {rounds: 1}, actions: [go]}
"""
    t = play(text).do("go", "choose(i=1)", "choose(i=2)")
    assert (3, 1, ["go"]) == (t.var("trace"), t.seat, t.options)


REFUSED = {
    "one inside another": "for q in players, together:\n    choose i in 1..2 by q:\n      bid[q] = i",
    "chance": "choose i in 1..2 by chance:\n    bid[p] = i",
    "entries of others": "bid[next(p)] = 1",
    "common variables": "trace += 1",
    "the end of the game": "choose i in 1..2 by p:\n    if i == 1:\n      end game",
    "the end of a phase": "choose i in 1..2 by p:\n    if i == 1:\n      end main",
}


@pytest.mark.parametrize("effect", REFUSED.values(), ids=REFUSED)
def test_together_10_what_others_could_notice_is_refused_by_check(play, effect):
    with pytest.raises(SpecError):
        together(play, f"for p in players, together:\n  {effect}")
