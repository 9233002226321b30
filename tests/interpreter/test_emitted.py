"""What emitted code looks like where that is what makes it quick; that it does the same is tested elsewhere."""

from __future__ import annotations

import random

import pytest

from interpreter import RuleError

GAME = """
variables:
  stake: {type: 0..5}
  open: {type: bool}
actions:
  wait:
    when: CALM
    do: stake += 1
  knock:
    when: CALM
    do: open = true
  shout:
    when: LOUD
    do: open = false
phases:
  main:
    turns: {rounds: 2}
    actions: [wait, knock, shout, pass]
"""


def function(game, name):
    return next(part for part in game.source.split("\n\n") if part.startswith(f"def {name}("))


@pytest.mark.parametrize(
    ("calm", "loud"),
    [
        ("stake == 0", "stake > 0"),
        ("stake < 3", "stake == 3"),
        ("stake <= 2", "2 < stake"),
        ("stake == 0", "stake == 1"),
        ("not open", "open"),
        ("stake < 3 and not open", "open and stake == 0"),
    ],
)
def test_options_that_exclude_each_other_are_listed_at_once(game_of, calm, loud):
    game = game_of(GAME.replace("CALM", calm).replace("LOUD", loud), 2)
    assert "return [A0[0], A1[0], PASS]" in function(game, "options_0")
    state = game.new_state()
    assert ["wait", "knock", "pass"] == [str(action) for action in state.legal_actions()]


@pytest.mark.parametrize(
    ("calm", "loud"),
    [
        ("stake < 5", "stake == 0"),
        ("stake != 1", "stake <= 1"),
        ("stake == 0", "stake == 0"),
        ("not open", "stake == 0"),
    ],
)
def test_options_that_may_come_together_come_in_order(game_of, calm, loud):
    state = game_of(GAME.replace("CALM", calm).replace("LOUD", loud), 2).new_state()
    assert ["wait", "knock", "shout", "pass"] == [str(action) for action in state.legal_actions()]


def test_an_end_in_a_body_that_can_stop_is_not_raised(game_of):
    game = game_of("actions:\n  go: {do: end game}\nphases:\n  main:\n    turns: {}\n    actions: [go]\n", 2)
    assert "raise" not in function(game, "phase_main").replace("raise Stuck", "")
    state = game.new_state()
    state.apply("go")
    assert state.is_over
    assert [] == state.legal_actions()


def test_counters_are_not_tested(game_of):
    effects = "let n = 0\n      let m = 1\n      repeat 3 times:\n        n += 1\n        m = m + m\n      end game"
    game = game_of(
        f"actions:\n  go:\n    do: |\n      {effects}\nphases:\n  main:\n    turns: {{}}\n    actions: [go]\n", 2
    )
    assert "limited(m + m)" in function(game, "action_go")
    assert "limited(n" not in game.source


NESTED = """
procedures:
  one(): |
    ask player_1: go
    two()
  two(): |
    ask player_1: go
    again(3)
  again(0..999 n): |
    if n > 0:
      ask player_1: go
      again(n - 1)
actions:
  go: {do: nothing}
phases:
  main:
    do: one()
"""


def test_what_begins_is_called_at_once_unless_it_may_come_again(game_of):
    game = game_of(NESTED, 2)
    assert "return procedure_two_0(S, stack_[-1])" in function(game, "procedure_one_0")
    assert "return procedure_again_0(S, stack_[-1])" in function(game, "procedure_two_0")
    assert "return procedure" not in function(game, "procedure_again_0")
    state = game.new_state()
    for _ in range(5):
        assert not state.is_over
        state.apply("go")
    assert state.is_over


def test_a_fault_in_what_begins_is_told_with_its_own_place(game_of):
    text = "variables:\n  n: {type: 0..3, start: 3}\nactions:\n  go: {do: nothing}\nphases:\n  main:\n    do: |\n"
    game = game_of(f"{text}      n += 1\n      ask player_1: go\n", 2)
    with pytest.raises(RuleError) as caught:
        game.new_state()
    assert [13] == [span.line for span in caught.value.spans]


def test_an_action_that_asks_for_itself_stands_apart(game_of):
    text = "actions:\n  go:\n    do: |\n      ask player_1: go, stop\n  stop: {do: nothing}\n"
    game = game_of(f"{text}phases:\n  main:\n    do: |\n      ask player_1: go, stop\n", 2)
    state = game.new_state()
    for _ in range(50):
        state.apply("go")
    state.apply("stop")
    assert state.is_over


CLAIMS = """
components:
  Peg: {fields: {number: 1..3}, rows: all}
variables:
  owner: {per: 1..4, type: optional player}
  fee: {per: 1..4, type: 0..3}
  last: {type: 1..4}
actions:
  claim:
    with: n in 1..4
    when: CONDITION
    do: |
      BODY
phases:
  main:
    turns: {rounds: 4}
    actions: [claim]
    if_stuck: end game
"""


@pytest.mark.parametrize(
    ("condition", "body", "is_kept"),
    [
        ("owner[n] == none", "owner[n] = me", True),
        ("owner[n] == none and fee[n] < 3", "fee[n] += 1 | if fee[n] > 1: |   owner[n] = me", True),
        ("fee[n] < 2", "last = n | fee[n] += 1", True),
        ("n != last", "last = n", False),
        ("owner[n] != me", "owner[n] = me | owner[last] = next(me)", False),
        ("owner[n] != next(me)", "owner[n] = me", False),
        ("fee[n] < 3", "for k in 1..n: |   raise fee[k] by up to 1", False),
        ("fee[n] <= fee[last] and fee[n] < 3", "fee[n] += 1", False),
    ],
)
def test_only_the_option_that_was_taken_is_looked_at_again(game_of, condition, body, is_kept):
    game = game_of(CLAIMS.replace("CONDITION", condition).replace("BODY", body.replace(" | ", "\n      ")))
    for seed in range(6):
        state, chance = game.new_state(seed), random.Random(seed)
        while not state.is_over:
            assert state.legal_actions() == game.state_from_json(state.to_json()).legal_actions()
            state.apply(chance.choice(state.legal_actions()))
    assert ("options_.remove(S.chosen)" in function(game, "phase_main")) == is_kept


def test_an_option_that_stands_for_another_is_only_looked_at_without_that(game_of):
    game = game_of(
        """
components:
  Card: {fields: {number: 1..6}, rows: all}
zones:
  deck: {holds: Card, order: stack, starts: c in Card, seen_by: nobody}
  hand: {holds: Card, per: player, seen_by: owner}
variables:
  drawn: {type: 0..3, lasts: turn}
actions:
  play:
    with: card in hand[me]
    do: move card to deck at bottom
  take:
    when: drawn < 3 and deck
    do: |
      draw 1 from deck to hand[me]
      drawn += 1
  stop:
    when: drawn == 3 or not deck
    do: end game
phases:
  main:
    turns: {turn_until: drawn == 3}
    actions: [play, take, stop]
"""
    )
    assert "    elif " in game.source
    for seed in range(4):
        state, chance = game.new_state(seed), random.Random(seed)
        for _ in range(20):
            names = {action.name for action in state.legal_actions()}
            assert ("take" in names) == (state.variables["drawn"] < 3 and bool(state.zones["deck"]))
            assert ("take" in names) != ("stop" in names)
            state.apply(chance.choice([action for action in state.legal_actions() if action.name != "stop"]))
