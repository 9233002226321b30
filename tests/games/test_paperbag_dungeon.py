"""Paperbag Dungeon as a spec: its modes check clean, scenarios pass, random games hold what they promise and end."""

from __future__ import annotations

import csv
import random
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter import Game, State
from interpreter.trials import scenarios
from rulespec.scenarios.read import read_scenarios

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "games" / "paperbag_dungeon"
MODES = ("chill", "janitor", "warden", "hardcore")
RULES = ("gnomes", "sewerthulu", "mice_and_rats", "snake_and_rats", "union")
SMALL = {"table_long": 6, "table_short": 5, "deck_size": 12}
"""A table on which games are short, so that random play meets all of their ends."""

GAMES: list[tuple[str, dict[str, Any]]] = [
    *((mode, {}) for mode in MODES),
    *(("double", {"mode": mode}) for mode in MODES),
]
ENDS = {"made a Perfect Dungeon", "built every card", "cannot build", "a monster escaped", "no cards are left"}


def variants() -> Iterator[tuple[str, dict[str, Any]]]:
    """Games with further options."""
    for rule in RULES[1:]:
        yield "hardcore", {"hard_rules": [rule]}
    yield "hardcore", {"hard_rules": ["mice_and_rats", "union"], "strict_union": True}
    yield "chill", {"vault_counts": True, "deck_size": 20}
    yield "chill", {"deck_suits_table": True, "table_long": 8, "table_short": 6}
    yield "janitor", {"deck_size": 20, "vault_size": 5}
    yield "double", {"mode": "warden", "vault_wall": True}
    yield "double", {"mode": "hardcore", "hard_rules": ["snake_and_rats", "sewerthulu"]}
    for mode in MODES:
        yield mode, SMALL
        yield "double", {**SMALL, "mode": mode, "table_long": 9, "deck_size": 16}


def params(games: Any) -> list[Any]:
    return [pytest.param(name, options, id=f"{name}-{options}") for name, options in games]


@cache
def made(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    given = {key: list(value) if isinstance(value, tuple) else value for key, value in options}
    return interpreter.load_game(FOLDER / f"{name}.yaml", options=given)


def game_of(name: str, options: dict[str, Any]) -> Game:
    return made(name, tuple((key, tuple(v) if isinstance(v, list) else v) for key, v in options.items()))


def play(game: Game, seed: int) -> State:
    """A random game to its end."""
    state, chance = game.new_state(seed=seed), random.Random(seed)
    while not state.is_over:
        state.apply(chance.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("name", [*MODES, "double"])
def test_spec_checks_without_a_warning(name: str) -> None:
    assert [] == [f"{d.line}:{d.column} {d.message}" for d in rulespec.check(str(FOLDER / f"{name}.yaml"))]


def test_scenarios_pass() -> None:
    results = interpreter.run_scenarios(FOLDER)
    assert len(results) >= 52
    assert [] == [f"{result.name}: {result.message}" for result in results if not result.passed]


def test_every_edge_case_has_a_scenario() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (FOLDER / "scenarios").glob("*.yaml"))
    numbers = [1, 3, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 21, 23, 24, 25, 26, 28, 29, 30, 31, 33, 34, 35]
    numbers += [36, 38, 39, 40, 41, 43, 44, 45, 46]
    assert [] == [number for number in numbers if f"PB-{number:03}" not in text]


def test_no_rule_is_in_two_files() -> None:
    """A mode says what it adds to the one before; only the files of data and heads may repeat each other."""
    seen: dict[str, str] = {}
    for name in (*MODES, "double"):
        for doc in re.findall(r"^ {4}(?:is|do|when): (?!\||>-|true|false|usual)(.{30,})$", _text(name), re.M):
            assert seen.setdefault(doc, name) == name, f"{name} and {seen[doc]} both say: {doc}"


def _text(name: str) -> str:
    return (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")


# ---------------------------------------------------------------- the deck


def test_cards_are_what_the_rules_speak_of() -> None:
    with (FOLDER / "data" / "cards.csv").open(encoding="utf-8", newline="") as file:
        cards = list(csv.DictReader(file))
    faces = [[set(card[f"marks_{face}"].split()) for face in ("front", "back")] for card in cards]

    def both(mark: str) -> int:
        return sum(any(mark in face for face in card) for card in faces)

    assert 49 == len(cards) == len({card["name"] for card in cards})
    assert [2, 1, 2] == [both("rat"), both("snake"), both("sewer")]
    assert 2 == both("gate_closed") == both("gate_open")
    assert sum("mouse" in a or "mouse" in b for a, b in faces) >= 10
    assert all(("live" in front) == ("down" in back) for front, back in faces)
    for card in cards:
        lines = card["mask"].split("/")
        assert [5] * 7 == [len(line) for line in lines]
        assert int(card["solid"]) == sum(letter in ".w" for letter in card["mask"])
        at = {(x, y): letter for y, line in enumerate(lines) for x, letter in enumerate(line)}
        for (x, y), letter in at.items():  # walls stand wherever floor would end, but for exits
            around = [at.get((x + dx, y + dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
            assert letter != "." or "#" not in around
            assert letter != "w" or "." in around


@pytest.mark.parametrize("mode", MODES)
def test_half_the_deck_is_turned_over(mode: str) -> None:
    state = game_of(mode, {}).new_state(seed=4)
    assert (0 if mode == "chill" else 24) == sum(state._position.face_Card)


# ---------------------------------------------------------------- games


@pytest.mark.parametrize(("name", "options"), params([*GAMES, *variants()]))
def test_random_games_keep_the_invariants(name: str, options: dict[str, Any]) -> None:
    few = options if name != "double" else {key: v for key, v in options.items() if key != "mode"}
    report = interpreter.simulate(game_of(name, options), 20 if few else 60, seed=1, check_invariants=True)
    assert [] == [(fault.seed, fault.message) for fault in report.faults]


@pytest.mark.soak
@pytest.mark.parametrize(("name", "options"), params(GAMES))
def test_three_thousand_games_end(name: str, options: dict[str, Any]) -> None:
    report = interpreter.simulate(game_of(name, options), 3000, seed=2, check_invariants=True)
    assert [] == [(fault.seed, fault.message) for fault in report.faults]
    assert 3000 == len(report.lengths)


@pytest.mark.parametrize("mode", MODES)
def test_every_end_of_a_mode_is_reached(mode: str) -> None:
    found = {play(game_of(mode, SMALL), seed).outcome for seed in range(80)}
    expected = {"built every card", "cannot build", *(["a monster escaped"] if mode != "chill" else [])}
    assert found <= ENDS
    texts = (FOLDER / "scenarios" / f"{mode}.yaml").read_text(encoding="utf-8")
    found |= {end for end in ENDS if f"says: {end}" in texts}
    assert expected | {"made a Perfect Dungeon"} <= found


@pytest.mark.parametrize("mode", MODES)
def test_every_end_of_double_dungeons_is_reached_for_both_seats(mode: str) -> None:
    game = game_of("double", {**SMALL, "mode": mode, "table_long": 9, "deck_size": 16})
    found = {(state.outcome, tuple(state.winners)) for state in (play(game, seed) for seed in range(60))}
    expected = {("no cards are left", ()), ("cannot build", (0,)), ("cannot build", (1,))}
    if mode != "chill":
        expected |= {("a monster escaped", (0,)), ("a monster escaped", (1,))}
    assert expected <= found
    assert {outcome for outcome, _ in found} <= ENDS - {"built every card"}
    texts = (FOLDER / "scenarios" / "double.yaml").read_text(encoding="utf-8")
    assert "says: made a Perfect Dungeon" in texts


@cache
def scenario_file(mode: str) -> Any:
    return read_scenarios(FOLDER / "scenarios" / f"{mode}.yaml")


def prepared(mode: str, name: str) -> State:
    """The position in which a scenario begins."""
    file = scenario_file(mode)
    number = next(n for n, scenario in enumerate(file.scenarios) if scenario.name == name)
    scenario = file.scenarios[number]
    extra = scenarios.extra_of(file, [number])
    game = Game(file.spec, scenario.players, scenario.options, extra=extra)
    return scenarios.Run(game, scenario, f"scenario_{number}").start()


WHY = [
    (
        "chill",
        "Floor must meet floor",
        "build_drawn(card=D1, spot=c43r35/0)",
        "its floor touches the floor of one of your",
    ),
    ("chill", "No overlapping while there is another way", "build_drawn(card=J5, spot=c47r30/0)", "on bare table only"),
    ("chill", "Walls are never covered", "build_drawn(card=J5, spot=c38r3/0)", "neither wall nor floor"),
    ("chill", "Floor must meet floor", "build_drawn(card=D1, spot=c84r56/0)", "does not lie on the Table like that"),
    ("janitor", "A monster drawn face up", "build_drawn(card=M05, spot=c42r21/0)", "nearer_to_a_gate"),
    ("janitor", "A monster drawn face down", "build_drawn(card=M05, spot=c42r49/2)", "nearest_to_a_gate"),
    ("janitor", "Monsters and gates are not swapped", "build_from_vault(card=R1, spot=c42r35/0)", "may_swap()"),
    ("janitor", "Flip limits", "flip_card(card=T1, gems=1)", "flips[c] is 1 and flip_limit(c) is 1"),
    ("janitor", "Overlapped gems", "spend_gems(card=J1)", "uncovered(dungeon, c)"),
    ("janitor", "A Vault card is spent", "flip_card(card=G1, gems=0)", "credit[gem] + credit[vault_card] is 0"),
    ("janitor", "Gems wait for the Flip Phase", "spend_gems(card=J3)", "is not among what player_1 can do now"),
    (
        "warden",
        "Gems do not turn a Sleeping Giant",
        "flip_card(card=Z2, gems=1)",
        "Gems cannot turn a Sleeping Giant over",
    ),
    ("hardcore", "A shovel and no pickaxe", "spend_gems(card=J1)", "unless another card shows a pickaxe"),
    ("double", "What a flip costs", "flip_card(card=D1, gems=1)", "flip_cost(me, card) - gems is 2"),
    ("double", "Gems of the other dungeon", "spend_gems(card=J3)", "is_mine(p, c)"),
    ("double", "Chill dungeons stay apart", "build_drawn(card=H2, spot=c14r32/0)", "touching_the_opponent"),
]


@pytest.mark.parametrize(("mode", "name", "action", "reason"), WHY)
def test_a_player_sees_why_a_build_or_a_flip_is_not_allowed(mode: str, name: str, action: str, reason: str) -> None:
    reasons = prepared(mode, name).why_not(action, 0)
    assert reason in "\n".join(reasons)


def test_legal_places_are_those_of_a_search_over_the_whole_table() -> None:
    game = game_of("chill", {**SMALL, "deck_size": 30})
    function = game.module().function("f_build_spots")
    fits = game.module().function("f_lies_clear")
    over = game.module().function("f_covers_only_hash")
    ground = game.module().namespace["ground_Card_Table"]
    for seed in range(4):
        state, chance = game.new_state(seed=seed), random.Random(seed)
        while not state.is_over:
            position = state._position
            for card in (*position.z[2], *position.z[3]):
                around = _touching(position, card, ground)
                clear = {spot for spot in around if fits(position, card, spot)}
                expected = clear or {spot for spot in around if over(position, card, spot)}
                assert expected == set(function(position, 0, card))
            state.apply(chance.choice(state.legal_actions()))


def test_only_places_at_free_exits_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a card can be built is known after as many tries as free exits and exits of the card make pairs."""
    game = game_of("chill", {**SMALL, "deck_size": 30})
    scope = game.module().namespace
    ground, free_ports, build_spots = scope["ground_Card_Table"], scope["f_free_ports"], scope["f_build_spots"]
    tried: list[str] = []

    def counted(name: str) -> Any:
        original = getattr(ground, name)

        def call(*args: Any) -> Any:
            tried.append(name)
            return original(*args)

        return call

    for name in ("spot_for", "meets", "meets_bare", "footprint", "spaces"):
        monkeypatch.setattr(ground, name, counted(name))
    without_place = 0
    for seed in range(12):
        state, chance = game.new_state(seed=seed), random.Random(seed)
        while not state.is_over:
            position = state._position
            pairs = len(free_ports(position, 0)) * 4
            for card in (*position.z[2], *position.z[3]):
                position.known_Card = {}  # nothing is remembered from working out the options
                tried.clear()
                found = build_spots(position, 0, card)
                most = len(free_ports(position, 0)) * len(position.ports_Card[card])
                assert tried.count("spot_for") == most <= pairs
                assert tried.count("meets") <= 2 * most  # over bare table, then over margins
                assert set(tried) <= {"spot_for", "meets"}
                without_place += not found
            state.apply(chance.choice(state.legal_actions()))
    assert without_place > 10
    assert 4 * len(ground.geometry.cells) > 5000  # what a search over the whole table would try


def _touching(position: Any, card: int, ground: Any) -> set[tuple[int, int]]:
    """Every spot of the table where an exit of the card faces an exit of the dungeon."""
    exits = {(space, d) for piece in position.z[4] for _, space, d in position.ports_Card[piece]}
    found = set()
    for space in range(len(ground.geometry.cells)):
        for turns in range(4):
            spaces = ground.footprint(card, (space, turns))
            form = ground.shapes.forms[card][turns]
            met = {(ground.beyond[spaces[i]][d], (d + 4) % 8) for i, d in form.ports} if spaces else set()
            if met & exits:
                found.add((space, turns))
    return found
