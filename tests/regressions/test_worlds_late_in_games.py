"""Sampled worlds where most of what could be drawn does not fit what was seen."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from interpreter import State, load_game
from interpreter.testing import random_decision
from interpreter.worlds.steering import Expected

GAMES = Path(__file__).parents[1] / "conformance" / "games"


def played(name: str, seed: int, decisions: int, any_time: str = "asked") -> State:
    state, chance = load_game(name, players=2).new_state(seed, any_time=any_time), random.Random(seed)
    for _ in range(decisions):
        seat, action = random_decision(state, chance)
        state.apply(action, seat)
    return state


def check_worlds(state: State, seat: int | None, count: int) -> None:
    for number in range(count):
        world = state.sample_world(seat, random.Random(number))
        assert state.view(seat) == world.view(seat)
        assert state.log(seat) == world.log(seat)


@pytest.mark.parametrize(("seat", "any_time"), [(0, "asked"), (0, "open"), (None, "asked")])
def test_a_long_game_with_look_alikes_and_new_shuffles(seat: int | None, any_time: str) -> None:
    check_worlds(played("pet-cemetery", 3, 300, any_time), seat, 1)


def test_dice_that_keep_the_value_they_begin_with() -> None:
    """A die that comes to the value that it has is no event: that the next one is awaited in vain shows at once."""
    for seed in range(4):
        check_worlds(played(str(GAMES / "liars_dice.yaml"), seed, 1), 0, 6)


def test_mistakes_of_the_engine_show(monkeypatch: pytest.MonkeyPatch) -> None:
    state = played(str(GAMES / "kuhn_poker.yaml"), 1, 2)

    def broken(*_: object) -> None:
        raise TypeError("a mistake")

    monkeypatch.setattr(Expected, "take", broken)
    with pytest.raises(TypeError, match="a mistake"):
        state.sample_world(0, random.Random(1))
