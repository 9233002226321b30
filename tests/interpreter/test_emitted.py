"""What emitted code looks like where that is what makes it quick; that it does the same is tested elsewhere."""

from __future__ import annotations

import pytest

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
