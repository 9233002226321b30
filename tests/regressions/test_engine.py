"""Mistakes that the engine made once with games that check."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest

import interpreter

HEAD = "rulespec: 1\nid: tiny\ntitle: Tiny\nplayers: 2\nabout: A test.\n"


@pytest.fixture
def game(tmp_path: Path) -> Callable[[str], interpreter.Game]:
    """A game, given without its head."""

    def game(text: str) -> interpreter.Game:
        path = tmp_path / "game.yaml"
        path.write_text(HEAD + dedent(text), encoding="utf-8")
        return interpreter.load_game(path)

    return game


def test_refusals_where_cards_are_chosen_with_at(game: Callable[[str], interpreter.Game]) -> None:
    state = game("""
        components:
          Card: {fields: {value: 1..3}, rows: all}
        zones:
          row: {holds: Card, per: player, seen_by: everyone, starts: Card, starts_at: first_player}
          slot: {holds: one Card, per: [player, 1..2], seen_by: everyone}
        actions:
          take: {with: "c at p in row where p != me", do: "move c to row[me]"}
          give: {with: "c at p, i in slot where i == 1", do: "move c to row[p]"}
        phases:
          main: {turns: {rounds: 1}, actions: [take, give, pass]}
        """).new_state()
    with pytest.raises(interpreter.IllegalAction, match="it comes from `slot`"):
        state.apply("give(p=player_1, i=1, c=1)")
    assert "`p != me` does not hold" in str(state.why_not("take(p=player_1, c=1)"))
    state.apply("pass")
    assert state.why_not("take(p=player_1, c=1)") == []


def test_ranges_with_steps_are_gone_through(game: Callable[[str], interpreter.Game]) -> None:
    state = game("""
        types:
          Points: -1..1 by 1/2
        variables:
          total: {type: -9..9 by 1/2}
        actions:
          add:
            with: n in Points where n > 0
            do: |
              total += n
              choose m in Points by me: total += m
        phases:
          main: {turns: {rounds: 1}, actions: [add]}
        """).new_state()
    assert [str(option) for option in state.legal_actions()] == ["add(n=1/2)", "add(n=1)"]
    state.apply("add(n=1/2)")
    assert [str(option) for option in state.legal_actions()] == [
        f"choose(m={n})" for n in ("-1", "-1/2", "0", "1/2", "1")
    ]
    state.apply("choose(m=-1/2)")
    assert state.variables == {"total": 0}


ENDLESS = """
    variables:
      n: {type: 0..5}
    procedures:
      wait(player p): |
        choose x in those(q in players where n == 5) by p: n = 0
    actions:
      first: |
        while n < 5 and seats > 1: lower n by up to 1
      second: |
        while n < 5 and seats > 1:
          wait(me)
    phases:
      main: {turns: {rounds: 1}, actions: [first, second, pass]}
      last:
        repeat_until: n == 5
        phases:
          quiet: {do: lower n by up to 1}
    """


def test_a_fault_does_not_name_the_places_of_faults_before(game: Callable[[str], interpreter.Game]) -> None:
    state = game(ENDLESS).new_state()
    with pytest.raises(interpreter.RuleError) as first:
        state.apply("first")
    with pytest.raises(interpreter.RuleError) as second:
        state.apply("second")
    (line, *_) = [span.line for span in first.value.spans]
    assert line not in [span.line for span in second.value.spans]


def test_phases_without_end_have_a_place(game: Callable[[str], interpreter.Game]) -> None:
    state = game(ENDLESS).new_state()
    state.apply("pass")
    with pytest.raises(interpreter.RuleError, match="did not come to an end") as caught:
        state.apply("pass")
    assert caught.value.spans


SHUFFLED = """
    types:
      Suit: [clubs]
    components:
      Card: {{fields: {{value: 1..3}}, rows: all}}
    zones:
      deck: {{holds: Card, order: stack, starts: Card, {seen}}}
    variables:
      seen: {{type: 0..9}}
    functions:
      second(): nth(deck, 1).value otherwise 0
    actions:
      mix: shuffle deck
      look: {{when: second() > 0, do: seen = second()}}
    phases:
      main: {{turns: {{times: 3}}, actions: [mix, look]}}
    """


@pytest.mark.parametrize("seen", ["seen_by: everyone", "seen_by: nobody, top_seen_by: everyone"])
def test_what_is_seen_of_a_shuffled_stack_is_found_out(game: Callable[[str], interpreter.Game], seen: str) -> None:
    """Where chance is explicit, too: before that the cards were shown in an order that they did not have."""
    root = game(SHUFFLED.format(seen=seen)).new_state(chance="explicit")
    root.apply("mix")
    orders: dict[str, Fraction] = {}
    paths = [(root, Fraction(1))]
    while paths:
        state, odds = paths.pop()
        if state.current_seat == interpreter.CHANCE:
            for outcome, probability in state.chance_outcomes():
                after = state.clone()
                after.apply(outcome)
                paths.append((after, odds * probability))
        elif [str(action) for _, action in state.history][-1] != "look":
            state.apply("look")
            paths.append((state, odds))
        else:
            order = f"{state.zones['deck']} {state.variables['seen']}"
            orders[order] = orders.get(order, Fraction(0)) + odds
    assert sorted(orders.values()) == [Fraction(1, 6)] * 6
    assert {order.split("'")[3] == order[-1] for order in orders} == {True}


def test_lists_and_numbers_compared_with_none(game: Callable[[str], interpreter.Game]) -> None:
    state = game("""
        components:
          Card: {fields: {value: 1..3}, rows: all}
        zones:
          row: {holds: Card, order: row, seen_by: everyone, starts: Card}
        actions:
          a: {when: "[seats] == none or none == row or 3 == none", do: nothing}
          b: {when: "[seats] != none and none != row and 3 != none and none == none", do: nothing}
        phases:
          main: {turns: {rounds: 1}, actions: [a, b]}
        """).new_state()
    assert [str(option) for option in state.legal_actions()] == ["b"]


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
@pytest.mark.parametrize("weight", ["x * n", "n - 2"])
def test_weights_that_cannot_be(game: Callable[[str], interpreter.Game], chance: str, weight: str) -> None:
    state = game(f"""
        variables:
          x: {{type: 0..3}}
        actions:
          roll: |
            choose n in 1..3 by chance weighted by {weight}: x = n
        phases:
          main: {{turns: {{rounds: 1}}, actions: [roll]}}
        """).new_state(chance=chance)
    with pytest.raises(interpreter.RuleError, match="the weights of a random choice"):
        state.apply("roll")


@pytest.mark.parametrize("name", ["show", "note", "take", "reached", "pick", "z", "new", "print", "def_"])
def test_names_that_emitted_code_uses(game: Callable[[str], interpreter.Game], name: str) -> None:
    state = game(f"""
        procedures:
          greet(player {name}): |
            say "Hello {{{name}}}"
        actions:
          a: greet(me)
        phases:
          main: {{turns: {{rounds: 1}}, actions: [a]}}
        """).new_state()
    state.apply("a")
    assert "Hello player_1" in state.log()


@pytest.mark.parametrize("part", ["score: 1 / n", "payoff: 1 / n", "rank_by: [highest 1 / n]"])
def test_faults_of_results(game: Callable[[str], interpreter.Game], part: str) -> None:
    state = game(f"""
        variables:
          n: {{type: 0..3}}
        actions:
          a: n = 0
        phases:
          main: {{turns: {{rounds: 1}}, actions: [a]}}
        result: {{{part}}}
        """).new_state()
    state.apply("a")
    state.apply("a")
    assert state.is_over
    with pytest.raises(interpreter.RuleError, match="division by zero") as caught:
        print(state.scores, state.returns, state.winners)
    assert caught.value.spans
