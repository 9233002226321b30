"""Dungeon Petz as a spec: it checks clean, its scenarios pass, random games hold what it promises, nothing leaks."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter.bots import BOTS
from interpreter.testing import check_game, editable

FOLDER = Path(__file__).parents[2] / "games" / "dungeon_petz"
SPEC = FOLDER / "game.yaml"
MOST_OPTIONS = 400
VARIANTS = [
    pytest.param(players, full, id=f"{players}-{'full' if full else 'basic'}")
    for players in (2, 3, 4)
    for full in (False, True)
]
SLOW_TO_DO = ("pass", "done", "let_go", "keep_group")
"""What an eager player does only now and then, so that pets live long enough to meet all the rules."""


@cache
def load(players: int, **options: Any) -> interpreter.Game:
    return interpreter.load_game(str(SPEC), players=players, options=options)


def eager(state: interpreter.State, chance: random.Random) -> Any:
    """A random option, but seldom one that does without: eager games have many more pets, needs and sales."""
    options = state.legal_actions()
    busy = [option for option in options if option.name not in SLOW_TO_DO]
    gold = [option for option in busy if str(option).startswith("choose(gold_sent=")]
    if gold and chance.random() < 0.5:
        return gold[min(len(gold) - 1, 1)]
    groups = [option for option in busy if option.name == "make_group"]
    if groups and chance.random() < 0.8:
        return groups[min(len(groups) - 1, chance.randrange(2))]
    pets = [option for option in busy if "young_pet" in str(option) or "old_pet" in str(option)]
    if pets and chance.random() < 0.7:
        return chance.choice(pets)
    return chance.choice(busy) if busy and chance.random() < 0.95 else chance.choice(options)


def play(
    game: interpreter.Game,
    seed: int,
    decide: Callable[[interpreter.State, random.Random], Any] = eager,
    look: Callable[[interpreter.State], None] = lambda state: None,
) -> interpreter.State:
    """A game to its end. `look` sees every decision before it is made."""
    state = game.new_state(seed=seed)
    chance = random.Random(seed)
    while not state.is_over:
        look(state)
        state.apply(decide(state, chance))
    look(state)
    return state


def holds(state: interpreter.State) -> None:
    """The invariants, and the length of every list of options."""
    assert state.broken_invariants() == []
    assert all(len(state.legal_actions(seat)) <= MOST_OPTIONS for seat in state.deciding_seats())


def test_spec_checks_without_a_warning() -> None:
    assert [] == [f"{d.line}:{d.column} {d.message}" for d in rulespec.check(str(SPEC))]


def test_every_edge_case_has_a_scenario() -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / "scenarios").glob("*.yaml"))
    left_out = {4, 9, 14, 19, 24, 29, 34, 39, 44, 49, 54, 59, 64, 69, 74, 79, 84, 89}
    assert [] == [n for n in range(1, 93) if n not in left_out and f"DP-{n:03}" not in rules]


# ---------------------------------------------------------------- games


@pytest.mark.parametrize(("players", "full"), VARIANTS)
def test_random_games_keep_the_invariants(players: int, full: bool) -> None:
    report = interpreter.simulate(load(players, full=full), 17, seed=players, check_invariants=True)
    assert [] == [(fault.seed, fault.message) for fault in report.faults]
    assert 17 == report.games


@pytest.mark.parametrize(("players", "full"), VARIANTS)
def test_eager_games_keep_the_invariants(players: int, full: bool) -> None:
    game = load(players, full=full)
    for seed in range(8):
        play(game, seed, look=holds)


@pytest.mark.soak
@pytest.mark.parametrize(("players", "full"), VARIANTS)
def test_many_random_games_keep_the_invariants(players: int, full: bool) -> None:
    game = load(players, full=full)
    report = interpreter.simulate(game, 340, seed=1000 + players, check_invariants=True)
    assert [] == [(fault.seed, fault.message) for fault in report.faults]
    assert 340 == report.games
    for seed in range(100):
        play(game, 5000 + seed, look=holds)


@pytest.mark.parametrize("foresight", ["one_tile", "two_tiles", "all_tiles"])
@pytest.mark.parametrize("first_seat", [0, 1, 3])
def test_other_options(foresight: str, first_seat: int) -> None:
    game = load(4, full=True, foresight=foresight, first_seat=first_seat)
    starters = set()
    for seed in range(6):
        starters.add(game.new_state(seed=seed).variables["starter"])
        play(game, seed, look=holds)
    assert len(starters) > 1 if first_seat == 0 else len(starters) == 1


def test_games_have_all_that_happens() -> None:
    """Eager games meet every rule that a player meets: each action is taken, pets are lost, sold and shown."""
    seen: set[str] = set()
    said = ""
    for players, full in ((2, True), (3, False), (4, True)):
        game = load(players, full=full)
        for seed in range(20):
            state = play(game, seed)
            seen.update(action.name for _, action in state.history)
            if seed < 3:
                said += "\n".join(state.log(None))
    rare = {"sell_from_platform", "wear_armor_twice", "catch_twice", "entertain_twice", "take_shovel_twice", "fill_box"}
    assert set(load(2, full=True).spec.actions) - seen - rare == set()
    assert "loses" in said and "sells" in said and "is in place 1" in said


@pytest.mark.parametrize(("players", "full"), VARIANTS)
def test_properties_of_every_game(players: int, full: bool) -> None:
    check_game(load(players, full=full), games=1, seed=players, each=25)


def test_ten_imps_whatever_happens() -> None:
    game = load(2)

    def look(state: interpreter.State) -> None:
        for seat in range(2):
            imps = sum(state.variables["imps"][seat].values()) + sum(state.variables["group_imps"][seat].values())
            assert 10 == imps + sum(state.variables["relative"][seat].values())

    play(game, 3, look=look)


# ---------------------------------------------------------------- secrets


def others_see_the_same(state: interpreter.State, other: interpreter.State, seats: Any, logs: bool = True) -> None:
    """What these seats and a spectator see is the same in both states; logs take long and are left out at times."""
    for seat in (*seats, None):
        assert state.view(seat) == other.view(seat)
        assert not logs or state.log(seat) == other.log(seat)
    for seat in seats:
        assert [str(o) for o in state.legal_actions(seat)] == [str(o) for o in other.legal_actions(seat)]
        assert state.prompt(seat) == other.prompt(seat)


def reach(state: interpreter.State, chance: random.Random, name: str, passes: int = 0) -> bool:
    """Plays eagerly until somebody may do an action, `passes` times more."""
    while not state.is_over:
        if any(option.name == name for option in state.legal_actions()):
            if passes == 0:
                return True
            passes -= 1
        state.apply(eager(state, chance))
    return False


def test_groups_are_secret_until_all_have_theirs() -> None:
    game = load(3)
    for seed in range(5):
        one, two = game.new_state(seed=seed), game.new_state(seed=seed)
        one.apply("make_group(crew=1)", 0)
        two.apply("make_group(crew=4)", 0)
        one.apply("choose(gold_sent=1)", 0)
        two.apply("choose(gold_sent=2)", 0)
        others_see_the_same(one, two, (1, 2))
        one.apply("make_group(crew=2)", 0)
        others_see_the_same(one, two, (1, 2))
        assert one.view(0) != two.view(0)


def test_assigned_needs_are_secret_until_all_have_theirs() -> None:
    compared = 0
    for full in (False, True):
        game = load(2, full=full)
        for seed in range(12):
            state = game.new_state(seed=seed)
            chance = random.Random(seed)
            if not reach(state, chance, "assign", passes=seed):
                continue
            seat = state.current_seat
            options = state.legal_actions(seat)
            others = [s for s in range(2) if s != seat]
            if len(state.deciding_seats()) < 2 or len(options) < 2:
                continue
            one, two = state.clone(), state.clone()
            one.apply(options[0], seat)
            two.apply(options[-1], seat)
            others_see_the_same(one, two, others)
            compared += 1
    assert compared > 2


def swapped(
    state: interpreter.State, one: tuple[str, int], other: tuple[str, int], place: int = 0
) -> interpreter.State:
    """A state at its first decision, with a component of one zone exchanged for the first one of another."""
    data = editable(state)
    layout = state.game.layout
    numbers = [layout.zones[zone].base + index for zone, index in (one, other)]
    for position in [part for part in (data["position"], data["origin"]) if part]:
        zones = position["zones"]
        a, b = (zones[number] for number in numbers)
        a[place], b[0] = b[0], a[place]
        for number, (zone, _) in zip(numbers, (one, other), strict=True):
            if layout.zones[zone].zone.order == "none":
                zones[number].sort()
    return state.game.state_from_json(json.dumps(data))


def is_hidden(state: interpreter.State, cards: tuple[int, ...], places: tuple[tuple[str, int], ...]) -> bool:
    """Whether all of these components lie in these zones."""
    layout = state.game.layout
    there = {c for zone, index in places for c in state._position.z[layout.zones[zone].base + index]}
    return set(cards) <= there


@pytest.mark.parametrize("full", [False, True])
@pytest.mark.parametrize("colour", range(4))
def test_need_cards_in_hand_are_secret(colour: int, full: bool) -> None:
    """Two games that differ in a hidden card of the second player look the same to the first."""
    game = load(2, full=full, first_seat=1)
    decks = tuple(("need_deck", n) for n in range(4))
    steps = 0
    for seed in range(2):
        one = game.new_state(seed=seed)
        two = swapped(one, ("hand", 1), ("need_deck", colour), place=colour)
        hand = game.layout.zones["hand"].base + 1
        cards = tuple(set(one._position.z[hand]) ^ set(two._position.z[hand]))
        assert 2 == len(cards)
        chance = random.Random(seed)
        for step in range(120):
            if one.is_over or not all(is_hidden(state, cards, (("hand", 1), *decks)) for state in (one, two)):
                break
            if step % 3 == 0:
                others_see_the_same(one, two, (0,), logs=step == 60)
            assert one.deciding_seats() == two.deciding_seats()
            seat = one.current_seat
            known = {str(option) for option in two.legal_actions(seat)}
            both = [option for option in one.legal_actions(seat) if str(option) in known]
            if not both:
                break
            chosen = eager(one, chance)
            chosen = str(chosen if chosen in both else chance.choice(both))
            one.apply(chosen, seat)
            two.apply(chosen, seat)
            steps += 1
    assert steps > 30


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("next_show", 2), ("exhibition_pile", 0)),
        (("next_show", 2), ("next_show", 4)),
        (("next_customers", 5), ("customer_pile", 0)),
        (("next_customers", 3), ("next_customers", 4)),
        (("need_deck", 1), ("need_deck", 1)),
    ],
)
def test_what_lies_face_down_is_secret(one: tuple[str, int], other: tuple[str, int]) -> None:
    game = load(2)
    state = game.new_state(seed=4)
    twin = swapped(state, one, other)
    assert one == other or state.to_json() != twin.to_json()
    chance = random.Random(4)
    while state.variables["round"] == 1:
        others_see_the_same(state, twin, (0, 1), logs=len(state.history) % 8 == 0)
        chosen = str(eager(state, chance))
        seat = state.current_seat
        state.apply(chosen, seat)
        if state.variables["round"] == 1:
            twin.apply(chosen, seat)


def test_the_order_of_piles_is_secret() -> None:
    state = load(4).new_state(seed=4)
    data = editable(state)
    piles = ("pet_pile", "cage_pile", "addon_pile", "artifact_pile", "need_deck", "exhibition_pile", "customer_pile")
    for zone in piles:
        for position in [part for part in (data["position"], data["origin"]) if part]:
            position["zones"][state.game.layout.zones[zone].base].reverse()
    others_see_the_same(state, state.game.state_from_json(json.dumps(data)), range(4))


# ---------------------------------------------------------------- points


def wins_of_greedy(games: int) -> tuple[int, int]:
    """How many two-player games a bot that looks one step ahead wins and loses against random play."""
    game = load(2)
    won = lost = 0
    for seed in range(games):
        state = game.new_state(seed=seed)
        chance = random.Random(seed)
        greedy = seed % 2
        while not state.is_over:
            seat = state.current_seat
            assert seat is not None
            state.apply(BOTS["greedy" if seat == greedy else "random"](state, seat, chance), seat)
        won += state.winners == [greedy]
        lost += greedy not in state.winners
    return won, lost


def test_looking_at_points_helps() -> None:
    won, lost = wins_of_greedy(16)
    assert won > lost + 2


@pytest.mark.soak
def test_looking_at_points_wins_most_games() -> None:
    won, _ = wins_of_greedy(100)
    assert won >= 75


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_score_is_the_reputation_in_the_end(players: int) -> None:
    game = load(players)
    for seed in range(4):
        state = play(game, seed)
        reputation = [state.variables["reputation"][seat] for seat in range(players)]
        assert reputation == list(state.scores) == list(state.returns)
        assert [seat for seat in range(players) if reputation[seat] == max(reputation)] == list(state.winners)
