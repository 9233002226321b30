"""Bots: who decides for a seat. A bot is a function of a state, a seat and a source of chance that gives an option.

    action = random_bot(state, seat, random.Random(7))

Bots keep nothing between calls, so the same state and the same chance give the same option.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from interpreter.actions import Action
from interpreter.errors import RuleError, WorldError
from interpreter.state import State

Bot = Callable[[State, int, random.Random], Action]


def random_bot(state: State, seat: int, chance: random.Random) -> Action:
    """Any of the options, each as likely."""
    options = state.legal_actions(seat)
    return options[int(chance.random() * len(options))]


def first_bot(state: State, seat: int, chance: random.Random) -> Action:
    """The first of the options."""
    return state.legal_actions(seat)[0]


def greedy_bot(state: State, seat: int, chance: random.Random) -> Action:
    """The option after which the seat stands best at once; one of them by chance where several are as good.

    It looks one step ahead: a won game is best, a lost one worst, and between them what counts is the seat's lead in
    what the result ranks by first. It looks in a state that it could be in (see `imagined`), so it knows no more than
    the seat does, neither hidden cards nor dice to come.
    """
    options = state.legal_actions(seat)
    if len(options) == 1:
        return options[0]
    world = imagined(state, seat, chance)
    if world is None:
        return random_bot(state, seat, chance)
    best: list[Action] = []
    best_value: Any = None
    for option in options:
        after = world.clone()
        try:
            after.apply(option, seat)
        except RuleError:
            continue
        value = standing(after, seat)
        if best_value is None or value > best_value:
            best, best_value = [option], value
        elif value == best_value:
            best.append(option)
    return chance.choice(best) if best else random_bot(state, seat, chance)


def imagined(state: State, seat: int, chance: random.Random) -> State | None:
    """A state that a seat could be in, to look ahead from; None where none is found.

    Where nothing is hidden it is the same state, with other luck to come.
    """
    facts = state.game.facts
    if facts.perfect_information:
        return state.with_other_luck(chance) if facts.chance else state
    try:
        return state.sample_world(seat, chance)
    except WorldError:
        return None


def standing(state: State, seat: int) -> tuple[int, Any]:
    """How a seat stands, to be compared: whether the game is lost, open or won, then its lead in what counts first."""
    if state.is_over:
        returns = state.returns
        others = [value for other, value in enumerate(returns) if other != seat]
        winners = state.winners
        outcome = (1 if seat in winners else -1) if winners else 0
        return outcome, returns[seat] - max(others, default=0)
    scores = state.scores
    if not scores:
        return 0, 0
    result = state.game.spec.result
    lowest = bool(result.rank_by) and result.rank_by[0][0] == "lowest"
    others = [value for other, value in enumerate(scores) if other != seat]
    if lowest:
        return 0, min(others, default=0) - scores[seat]
    return 0, scores[seat] - max(others, default=0)


BOTS: dict[str, Bot] = {"first": first_bot, "greedy": greedy_bot, "random": random_bot}
"""Bots by name."""

__all__ = ["BOTS", "Bot", "first_bot", "greedy_bot", "imagined", "random_bot", "standing"]
