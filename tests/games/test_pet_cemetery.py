"""The Pet Cemetery as a spec: it checks clean, random games hold what it promises, and nobody sees too much."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter.testing import check_game, editable

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "games" / "pet_cemetery"
SPEC = FOLDER / "game.yaml"
MIDDLES = ("middle_A", "middle_B", "middle_C")
EDGE_CASES = [1, 3, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29]
SEATS = range(2, 7)
VARIANTS = [
    pytest.param(players, {"middle_boards": [middle], "weapons": weapons}, id=f"{players}-{middle}-{weapons}")
    for players in SEATS
    for middle in MIDDLES
    for weapons in ("must_be_played", "may_be_kept")
]


def load(players: int, **options: Any) -> interpreter.Game:
    return interpreter.load_game(SPEC, players=players, options=options)


def walker(state: interpreter.State, seat: int, chance: random.Random) -> interpreter.Action:
    """Mostly goes towards the red line where it can, and does anything else by chance."""
    options = state.legal_actions(seat)
    here = state.variables["at"][seat]
    row = 0 if here == "entrance" else int(here[1:])
    ahead = []
    for option in options:
        if option.name == "cross_the_red_line":
            return option
        if option.name in ("walk", "play_jump", "play_diagonal"):
            goal = re.search(r"tile=[a-e](\d+)", str(option))
            if goal and int(goal[1]) > row:
                ahead.append(option)
    return chance.choice(ahead if ahead and chance.random() < 0.7 else options)


def faults(report: interpreter.SimulationReport) -> list[tuple[int, str]]:
    return [(fault.seed, fault.message) for fault in report.faults]


# ---------------------------------------------------------------- the spec


def test_spec_checks_without_a_warning() -> None:
    assert [] == [f"{d.line}:{d.column} {d.message}" for d in rulespec.check(str(SPEC))]


def test_every_edge_case_has_a_scenario() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / "scenarios").glob("*.yaml"))
    assert text.count("  - name: ") >= 34
    assert [] == [number for number in EDGE_CASES if f"PC-{number:03}" not in text]


@pytest.mark.parametrize("players", SEATS)
def test_the_box_is_complete(players: int) -> None:
    state = load(players).new_state(seed=players)
    zones = state.zones
    cards = Counter(card for zone in (zones["deck"], zones["box Card"], *zones["hand"]) for card in zone)
    assert cards == {
        "weapon": 15,
        "handcuffs": 6,
        "jump": 5,
        "diagonal": 5,
        "protein_bar": 5,
        "steal": 4,
        "monster_move": 4,
        "cheat": 4,
        "switch": 2,
    }
    assert 6 - players == len(zones["box Card"])
    assert 36 == len(zones["supply"])
    assert 10 == len({*zones["characters"], *zones["character"]})


@pytest.mark.parametrize(("middle", "hexes"), [("middle_A", 16), ("middle_B", 16), ("middle_C", 20)])
def test_boards_are_joined(middle: str, hexes: int) -> None:
    ground = load(2, middle_boards=[middle]).new_state(seed=1).variables["ground"]
    assert 76 == len(ground)
    assert hexes == sum(kind == "hex" for kind in ground.values())


def test_chance_picks_the_middle_board() -> None:
    game = load(2)
    assert set(MIDDLES) == {game.new_state(seed=seed).variables["middle"] for seed in range(30)}


# ---------------------------------------------------------------- many games


@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_random_games_keep_the_invariants(players: int, options: dict[str, Any]) -> None:
    report = interpreter.simulate(load(players, longest_game=25, **options), 8, seed=players, check_invariants=True)
    assert [] == faults(report)
    assert 8 == report.games


@pytest.mark.parametrize("players", SEATS)
def test_whoever_walks_on_gets_there(players: int) -> None:
    game = load(players, longest_game=0)
    for seed in range(5):
        state, chance = game.new_state(seed=seed), random.Random(seed)
        for _ in range(50_000):
            if state.is_over:
                break
            assert state.current_seat is not None
            state.apply(walker(state, state.current_seat, chance))
        assert "has caught the professor" == state.outcome
        (winner,) = state.winners
        assert 16 == state.scores[winner]
        assert [1 if seat == winner else -1 for seat in range(players)] == state.returns


@pytest.mark.parametrize("players", SEATS)
def test_what_holds_of_every_game(players: int) -> None:
    check_game(load(players, longest_game=15), games=2, seed=players, max_decisions=400, each=25)


@pytest.mark.soak
@pytest.mark.parametrize("players", SEATS)
def test_ten_thousand_random_games_end(players: int) -> None:
    report = interpreter.simulate(load(players), 2_000, seed=players)
    assert [] == faults(report)
    assert 2_000 == report.games


@pytest.mark.soak
@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_many_random_games_keep_the_invariants(players: int, options: dict[str, Any]) -> None:
    report = interpreter.simulate(load(players, **options), 30, seed=1000 + players, check_invariants=True)
    assert [] == faults(report)


# ---------------------------------------------------------------- what nobody may know


def twin(state: interpreter.State, seat: int | None, chance: random.Random) -> interpreter.State:
    """The same state but for what a seat cannot see: other hands, the order of deck and supply, unplayed characters.

    Both states forget what was before, so that their logs begin here.
    """
    game = state.game
    data = editable(state)
    zones = data["position"]["zones"]
    numbers: dict[str, list[int]] = {"Card": [], "Monster": [], "Character": []}
    for number, (name, index) in enumerate(game.layout.instances):
        if name == "deck" or (name == "hand" and index != seat):
            numbers["Card"].append(number)
        elif name in ("supply", "characters"):
            numbers["Monster" if name == "supply" else "Character"].append(number)
    for places in numbers.values():
        cards = [card for number in places for card in zones[number]]
        chance.shuffle(cards)
        for number in places:
            count = len(zones[number])
            zones[number], cards = cards[:count], cards[count:]
            if game.layout.instances[number][0] == "hand":
                zones[number].sort()
    return afresh(game, data)


def afresh(game: interpreter.Game, data: dict[str, Any]) -> interpreter.State:
    """A state without its history."""
    return game.state_from_json(json.dumps({**data, "history": [], "origin": data["position"]}))


def seen(state: interpreter.State, seat: int | None) -> str:
    """All that a seat is shown: view with options and prompt, labels, log."""
    labels = [option.label for option in state.legal_actions(seat)] if seat in state.deciding_seats() else []
    return json.dumps([state.view(seat), labels, state.log(seat)], indent=1)


HARMLESS = ("pass", "end_turn", "draw_card", "play_protein_bar", "play_switch")
"""What others may do without showing anything of what is hidden, but for second handcuffs."""

TURN = 2
"""How deep the decisions of turns stand."""


@pytest.mark.parametrize("weapons", ["must_be_played", "may_be_kept"])
@pytest.mark.parametrize("players", [2, 3, 6])
def test_what_is_hidden_shows_nowhere(players: int, weapons: str) -> None:
    game = load(players, longest_game=25, weapons=weapons)
    compared = stepped = 0
    for seed in range(2):
        state, chance = game.new_state(seed=seed), random.Random(seed)
        while not state.is_over:
            if chance.random() < 0.12 / players:
                for seat in (*range(players), None):
                    one, other = afresh(game, editable(state)), twin(state, seat, chance)
                    assert seen(one, seat) == seen(other, seat)
                    compared += 1
                    stepped += in_step(one, other, seat, chance)
            state.apply(chance.choice(state.legal_actions()))
    assert compared > 20
    assert stepped > 5


def in_step(one: interpreter.State, other: interpreter.State, seat: int | None, chance: random.Random) -> int:
    """Others go on in both states with the same decisions, as long as they show nothing; the steps compared."""
    for step in range(4):
        deciding = one.current_seat
        if one.is_over or deciding == seat:
            return step
        assert other.current_seat == deciding
        there = {str(option) for option in other.legal_actions()}
        shared = [o for o in one.legal_actions() if str(o) in there and o.name in HARMLESS]
        if not shared or depth(one) > TURN:
            return step  # in a fight or a theft, what is hidden decides what comes next
        option = chance.choice(shared)
        one.apply(option)
        other.apply(str(option))
        lines = [line for state in (one, other) for line in state.log(None)]
        if any("second handcuffs" in line for line in lines) or one.prompt() != other.prompt():
            return step
        assert seen(one, seat) == seen(other, seat)
    return 4


def depth(state: interpreter.State) -> int:
    """How deep in effects a decision stands."""
    return len(json.loads(state.to_json())["position"]["stack"])


def test_everybody_with_cards_is_asked_at_the_end_of_a_turn() -> None:
    game = load(3, longest_game=30)
    asked: Counter[bool] = Counter()
    for seed in range(4):
        state, chance = game.new_state(seed=seed), random.Random(seed)
        while not state.is_over:
            options = state.legal_actions()
            names = {option.name for option in options}
            if "end_turn" in names:
                assert state.current_seat is not None
                assert state.zones["hand"][state.current_seat]
                asked["play_protein_bar" in names] += 1
            state.apply(chance.choice(options))
    assert asked[True]
    assert asked[False]


def test_who_can_do_nothing_is_not_asked() -> None:
    """Whether an ability is of use is known to all, so nobody is asked who can but pass, in windows neither."""
    game = load(4, longest_game=20)
    for seed in range(3):
        state, chance = game.new_state(seed=seed), random.Random(seed)
        while not state.is_over:
            options = state.legal_actions()
            assert ["pass"] != [option.name for option in options]
            state.apply(chance.choice(options))


@pytest.mark.parametrize("players", [2, 4])
def test_abilities_out_of_turn_can_be_served_open(players: int) -> None:
    game = load(players, longest_game=10)
    used = 0
    for seed in range(10):
        state, chance = game.new_state(seed=seed, any_time="open"), random.Random(seed)
        while not state.is_over:
            seat = chance.choice(state.deciding_seats())
            option = chance.choice(state.legal_actions(seat))
            used += option.name == "use_ability" and seat != state.turn
            state.apply(option, seat)
    assert used
