"""What random specs have found: each checked and then broke the engine."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest

import interpreter
import rulespec

HEAD = "rulespec: 1\nid: fuzzed\ntitle: Fuzzed\nplayers: 2\nabout: Found by random specs.\n"

GameOf = Callable[[str], interpreter.Game]


@pytest.fixture
def game_of(tmp_path: Path) -> GameOf:
    """A game from the sections of a spec."""

    def make(text: str) -> interpreter.Game:
        path = tmp_path / "game.yaml"
        path.write_text(HEAD + text, encoding="utf-8")
        return interpreter.Game(rulespec.load(path))

    return make


def test_a_condition_with_nothing_to_do(game_of: GameOf) -> None:
    game = game_of(
        """
variables:
  score: {per: player, type: 0..9}
actions:
  go:
    do: |
      if score[me] > 2: nothing
      score[me] += 1
phases:
  main:
    turns: {rounds: 1}
    actions: [go]
"""
    )
    state = game.new_state()
    state.apply("go")
    assert [1, 0] == state.variables["score"]


RULES = """
variables:
  big: {{type: 0..}}
  low: {{type: ..}}
  small: {{type: 0..9}}
  part: {{type: 0..9 by 1/2}}
actions:
  go:
    with: {options}
    do: |
      {effects}
phases:
  main:
    turns: {{rounds: 9}}
    actions: [go]
"""
GROWING = {
    "a variable times itself": (
        "big = 10|repeat 22 times:|  big = big * big",
        r"this number is beyond 1,000,000,000,000,000, the largest that rules may come to",
    ),
    "a variable added to itself": (
        "big = 1|repeat 60 times:|  big += big",
        r"`big` would be beyond 1,000,000,000,000,000, the largest that a number may be",
    ),
    "a local times itself": ("let x = small + 3|repeat 90 times:|  x = x * x", "this number is beyond"),
    "a local added to itself": ("let x = small + 3|while x > 0:|  x = x + x", "this number is beyond"),
    "ever finer fractions": ("let x = big + 1/2|while x >= 0:|  x = x / 3", "this number is beyond"),
    "up to no end": ("big = 7|repeat 60 times:|  raise big by up to big", "this number is beyond"),
    "a long loop": (
        "big = 30000000|for i in 1..big:|  small = 1",
        "this goes through 30,000,000 numbers, more than 100,000",
    ),
    "a long loop of fixed length": (
        "for i in 1..30000000:|  small = 1",
        "this goes through 30,000,000 numbers, more than 100,000",
    ),
    "a long loop down": ("for i in 30000000 down to 1:|  small = 1", "this goes through 30,000,000 numbers"),
    "a sum of many": ("big = sum(i for i in 1..200000)", "this goes through 200,000 numbers"),
    "many passes": ("repeat 30000000 times:|  small = 1", "did not come to an end within 100,000 steps"),
    "passes in passes": (
        "big = 900|repeat big times:|  repeat big times:|    small = 1",
        "did not come to an end within 100,000 steps",
    ),
    "many passes that may ask": (
        "big = 2000000|repeat big times:|  if small == 5:|    ask me: go",
        "did not come to an end within 100,000 steps",
    ),
}


@pytest.mark.parametrize("name", GROWING)
def test_what_grows_without_end_is_a_fault_with_its_line(name: str, game_of: GameOf) -> None:
    effects, message = GROWING[name]
    text = RULES.format(options="n in 1..2", effects=effects.replace("|", "\n      ")).replace("{type: ..}", "bool")
    state = game_of(text).new_state()
    before = state.to_json()
    with pytest.raises(interpreter.RuleError, match=message) as caught:
        state.apply("go(n=1)")
    first = (HEAD + text)[: (HEAD + text).index("    do: |")].count("\n") + 2
    assert first <= caught.value.spans[0].line <= first + effects.count("|")
    assert state.to_json() == before


def test_too_many_options(game_of: GameOf) -> None:
    text = RULES.format(options="n in 1..1000000000", effects="small = 1").replace("{type: ..}", "bool")
    with pytest.raises(interpreter.RuleError, match="this goes through 1,000,000,000 numbers, more than 100,000"):
        game_of(text).new_state()


def test_large_numbers_that_are_allowed(game_of: GameOf) -> None:
    effects = "repeat 15 times:|  big = big * 10|let x = big + 5|x = x - 5|big = x".replace("|", "\n      ")
    text = RULES.format(options="n in 1..99999", effects="big = 1\n      " + effects).replace("{type: ..}", "bool")
    state = game_of(text).new_state()
    assert 99_999 == len(state.legal_actions())
    state.apply("go(n=7)")
    assert 10**15 == state.variables["big"]
    assert state.game.state_from_json(state.to_json()).variables["big"] == 10**15
    assert any("1000000000000000" in line for line in state.log())


def test_numbers_that_are_never_none(game_of: GameOf) -> None:
    game = game_of(
        """
variables:
  score: {per: player, type: 0..9}
  best: {type: optional player}
functions:
  one(): first([3, 4])
actions:
  go:
    when: one() != none
    do: |
      if (1 if seats == 2 else none) == none: score[me] = 9
      for p in players where (first_player if seats == 2 else best): score[p] += 1
phases:
  main:
    turns: {rounds: 1}
    actions: [go]
"""
    )
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        state = game.new_state()
        state.apply("go")
        state.log()
    assert [1, 1] == state.variables["score"]


def test_what_is_called_with_the_top_of_a_shuffled_stack(game_of: GameOf) -> None:
    """With explicit chance the top is found out first, and then a rule that asks nobody is just called."""
    game = game_of(
        """
components:
  Card:
    fields: {value: 1..4, "take(Card c)": effect}
    rows:
      - {id: one, value: 1, take: move c to won}
      - {id: two, value: 2, take: move c to lost}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  won: {holds: Card, seen_by: everyone}
  lost: {holds: Card, seen_by: everyone}
procedures:
  keep(Card c): move c to won
setup: shuffle deck
actions:
  go:
    do: keep(top(deck) otherwise one)
  by_rule:
    do: one.take(top(deck) otherwise two)
phases:
  main:
    turns: {rounds: 1}
    actions: [go, by_rule]
"""
    )
    for actions in (("go", "by_rule"), ("by_rule", "go")):
        state = game.new_state(chance="explicit")
        for action in actions:
            state.apply(action)
            while state.current_seat == interpreter.CHANCE:
                state.apply(state.chance_outcomes()[-1][0])
        assert state.is_over
        assert ["one", "two"] == sorted(state.zones["won"])
