"""Saves that were damaged at random: each gives a SaveError, or a state that plays on."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import interpreter
from interpreter import Match, RuleError, SaveError
from interpreter.testing import play_random, random_decision

CLASSICS = Path(__file__).parents[1] / "conformance" / "games"
GAMES = ["grand-dog-park", "paperbag-dungeon-warden", "pet-cemetery", "dungeon-petz"]
GAMES += [str(CLASSICS / f"{name}.yaml") for name in ("liars_dice", "gin_rummy", "goofspiel", "chess", "pig")]
EACH = 34
"""Damaged saves of each game; more than 300 in all."""

VALUES = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    7,
    10**6,
    1 << 70,
    1.5,
    "",
    "x",
    "pass",
    [],
    [0],
    {},
    {"t": [0]},
    {"f": "1/0"},
]


def places(data, path=()):
    """The paths of all parts."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        yield (*path, name)
        yield from places(part, (*path, name))


def damaged(text, chance):
    """A save with one to three changes: to its bytes, or to what it says."""
    if chance.random() < 0.25:
        found = bytearray(text.encode())
        for _ in range(chance.randint(1, 3)):
            place = chance.randrange(len(found))
            match chance.randrange(3):
                case 0:
                    found[place] = chance.randrange(256)
                case 1:
                    del found[place : place + chance.randint(1, 9)]
                case 2:
                    found[place:place] = found[place - 5 : place]
        return found.decode(errors="replace")
    data = json.loads(text)
    if chance.random() < 0.9:
        del data["check"]  # else nothing gets through
    paths = [path for path in places(data) if path[0] not in ("game", "hash", "kind", "format", "path")]
    # What the game is doing is a small part of a save and the most delicate one.
    doing = [path for path in paths if {"stack", "branches", "before", "decision", "seat", "taken"} & set(path)]
    for _ in range(chance.randint(1, 3)):
        path = chance.choice(doing if doing and chance.random() < 0.5 else paths)
        part = data
        try:
            for name in path[:-1]:
                part = part[name]
            old = part[path[-1]]
            match chance.randrange(4):
                case 0 if isinstance(old, int) and not isinstance(old, bool):
                    part[path[-1]] = old + chance.choice([-1, 1, 2, 100])
                case 1:
                    del part[path[-1]]
                case 2 if isinstance(part, list):
                    part.insert(path[-1], part[chance.randrange(len(part))])
                case _:
                    part[path[-1]] = chance.choice(VALUES)
        except (KeyError, IndexError, TypeError):
            continue
    return json.dumps(data)


def use(state, chance):
    """All that a program may ask of a state, and some decisions more."""
    for _ in range(5):
        for seat in (*range(state.game.seats), None):
            state.view(seat)
            state.log(seat)
        state.to_json()
        if state.is_over:
            return
        seat, action = random_decision(state, chance)
        state.why_not("pass", seat)
        state.apply(action, seat)


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_state_is_refused_or_plays_on(name):
    game = interpreter.load_game(name)
    chance = random.Random(name.rpartition("/")[2])
    refused = 0
    for number in range(EACH):
        text = damaged(play_random(game, number, chance.randrange(60)).to_json(), chance)
        try:
            use(game.state_from_json(text), chance)
        except SaveError as problem:
            assert str(problem).startswith(("this save ", "this is no save", "the rules of "))
            refused += 1
        except RuleError:
            continue  # The rules do not foresee such a position.
    assert refused > EACH // 4


@pytest.mark.parametrize("name", GAMES)
def test_a_damaged_match_is_refused_or_plays_on(name, tmp_path):
    game = interpreter.load_game(name)
    chance = random.Random(name.rpartition("/")[2])
    path = tmp_path / "match.json"
    match = Match(game, seed=2)
    for _ in range(12):
        if not match.state.is_over:
            match.apply(*random_decision(match.state, chance)[::-1])
    match.save(path)
    text = path.read_text(encoding="utf-8")
    for _ in range(EACH // 3):
        path.write_text(damaged(text, chance), encoding="utf-8")
        try:
            use(Match.load(path, game.spec).state, chance)
        except SaveError:
            continue
