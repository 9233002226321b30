"""Small games as a whole: every node as in OpenSpiel, and the value of the game, exactly."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product

import pytest
from harness import compiled, minimax, walk
from mappings import KuhnPoker, TicTacToe

from interpreter import CHANCE, State

Policy = Mapping[str, Mapping[str, Fraction]]
"""By what a seat sees: the probability of each option."""


def board(state: State) -> frozenset[tuple[int, str]]:
    """The position of a game in which marks only come: who has put one where."""
    return frozenset((seat, str(action)) for seat, action in state.history)


def test_every_node_of_kuhn_poker() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install rulespec[test]")
    assert 58 == sum(1 for _ in walk(KuhnPoker()))


def test_every_position_of_tic_tac_toe() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install rulespec[test]")
    pairs = [(board(state), str(other)) for state, other in walk(TicTacToe(), board)]
    assert 5_478 == len(pairs) == len({theirs for _, theirs in pairs})


@pytest.mark.soak
def test_every_node_of_tic_tac_toe() -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install rulespec[test]")
    assert 549_946 == sum(1 for _ in walk(TicTacToe()))


def test_tic_tac_toe_is_a_draw() -> None:
    seen: dict[object, Fraction] = {}
    assert minimax(compiled("tic_tac_toe", None, ()).new_state(), 0, seen, board) == 0
    assert len(seen) == 4_520  # positions in which the game goes on


# ------------------------------------------------------------ Kuhn poker


def seen_by(state: State) -> str:
    """What the seat that decides can see: its information set."""
    return json.dumps(state.view(state.current_seat), sort_keys=True)


def nodes(state: State) -> Iterator[State]:
    yield state
    for action in [a for a, _ in state.chance_outcomes()] or state.legal_actions():
        after = state.clone()
        after.apply(action)
        yield from nodes(after)


def value(state: State, policies: list[Policy]) -> Fraction:
    """What seat 0 gets on average."""
    if state.is_over:
        return Fraction(state.returns[0])
    if state.current_seat == CHANCE:
        odds = {str(action): p for action, p in state.chance_outcomes()}
    else:
        odds = dict(policies[state.current_seat or 0][seen_by(state)])
    total = Fraction(0)
    for action, p in odds.items():
        if p:
            after = state.clone()
            after.apply(action)
            total += p * value(after, policies)
    return total


def equilibrium(state: State, alpha: Fraction) -> dict[str, Fraction]:
    """The known best strategies; alpha is how often the first seat bluffs with a jack, at most 1/3."""
    seat = state.current_seat or 0
    card = state.zones["hand"][seat]
    options = [str(action) for action in state.legal_actions()]
    third = Fraction(1, 3)
    if seat == 0 and "bet" in options:
        bold = {"jack": alpha, "queen": Fraction(0), "king": 3 * alpha}[card]
    elif seat == 0:
        bold = {"jack": Fraction(0), "queen": alpha + third, "king": Fraction(1)}[card]
    elif "bet" in options:
        bold = {"jack": third, "queen": Fraction(0), "king": Fraction(1)}[card]
    else:
        bold = {"jack": Fraction(0), "queen": third, "king": Fraction(1)}[card]
    return {option: bold if option in ("bet", "call") else 1 - bold for option in options}


@pytest.mark.parametrize("alpha", [Fraction(0), Fraction(1, 5), Fraction(1, 3)], ids=str)
def test_the_value_of_kuhn_poker(alpha: Fraction) -> None:
    start = compiled("kuhn_poker", None, ()).new_state(chance="explicit")
    known: list[dict[str, dict[str, Fraction]]] = [{}, {}]
    for state in nodes(start):
        if state.current_seat in (0, 1):
            known[state.current_seat][seen_by(state)] = equilibrium(state, alpha)
    assert [6, 6] == [len(policy) for policy in known]
    assert Fraction(-1, 18) == value(start, list(known))
    assert Fraction(-1, 18) == max(value(start, [mine, known[1]]) for mine in pure(known[0]))
    assert Fraction(-1, 18) == min(value(start, [known[0], mine]) for mine in pure(known[1]))


def pure(policy: Policy) -> Iterator[Policy]:
    """All strategies without chance, over the same information sets."""
    for choice in product(*policy.values()):
        yield {seen: {option: Fraction(1)} for seen, option in zip(policy, choice, strict=True)}
