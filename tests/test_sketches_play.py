"""The sketches with laid pieces played at random to the end; legal spots against a search over the whole board."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import Game, State

FOLDER = Path(__file__).parent / "sketches" / "b" / "paperbag"
NAMES = ["chill", "janitor", "warden", "hardcore", "double"]
ENDINGS = {
    "chill": {"made a Perfect Dungeon", "built every card", "cannot build"},
    "double": {"made a Perfect Dungeon", "the piles are empty", "cannot build", "a monster escaped"},
}
ENDINGS["janitor"] = ENDINGS["warden"] = ENDINGS["hardcore"] = ENDINGS["chill"] | {"a monster escaped"}


@cache
def made(name: str) -> Game:
    return interpreter.load_game(FOLDER / f"{name}.yaml")


@pytest.mark.parametrize("name", NAMES)
def test_random_games_come_to_an_end(name: str) -> None:
    game = made(name)
    for seed in range(6):
        chance, state = random.Random(seed), game.new_state(seed=seed)
        while not state.is_over:
            action = chance.choice(state.legal_actions())
            assert game.parse_action(str(action)) is action
            state.apply(action)
        assert state.outcome in ENDINGS[name]
        agree(state)


def agree(state: State) -> None:
    """The lists that follow from where the pieces lie are what working them out again gives."""
    for kind, laid in state.game.tables.laid.items():
        copy = state._position.clone()
        laid.rebuild(copy)
        for part in ("spot", "cover", "ports", "hidden"):
            assert getattr(copy, f"{part}_{kind}") == getattr(state._position, f"{part}_{kind}")


def test_the_same_seed_gives_the_same_game() -> None:
    def play() -> list[str]:
        chance, state = random.Random(3), made("warden").new_state(seed=3)
        while not state.is_over:
            state.apply(chance.choice(state.legal_actions()))
        return [str(action) for _, action in state.history]

    assert play() == play()


def test_two_piles_share_the_deck() -> None:
    zones = made("double").new_state(seed=1).zones
    assert [len(zones["deck"]), len(zones["pile"]["left_pile"]), len(zones["pile"]["right_pile"])] == [0, 18, 19]


# ---------------------------------------------------------------- an independent search for legal spots

SIDES = {0: (0, 1), 2: (1, 0), 4: (0, -1), 6: (-1, 0)}
Cell = tuple[int, int]


@cache
def cells_of(mask: str, turns: int) -> dict[Cell, str]:
    lines = mask.split("\n")
    for _ in range(turns):
        lines = ["".join(column) for column in zip(*lines[::-1], strict=True)]
    return {(x, len(lines) - 1 - y): letter for y, line in enumerate(lines) for x, letter in enumerate(line)}


def openings(cells: dict[Cell, str]) -> set[tuple[Cell, int]]:
    return {
        ((x, y), side)
        for (x, y), letter in cells.items()
        for side, (dx, dy) in SIDES.items()
        if letter == "." and (x + dx, y + dy) not in cells
    }


def expected(state: State, card: int) -> set[tuple[int, int]]:
    game, S = state.game, state._position
    width, height = 84, 56
    masks = game.tables.columns["Card_mask"]
    top: dict[Cell, tuple[int, str]] = {}
    open_sides: dict[tuple[Cell, int], int] = {}
    for piece in S.z[game.layout.zones["dungeon"].base]:
        space, turns = S.spot_Card[piece] >> 2, S.spot_Card[piece] & 3
        east, north = space % width, space // width
        cells = cells_of(masks[piece], turns)
        top.update({(x + east, y + north): (piece, letter) for (x, y), letter in cells.items()})
        for (x, y), side in openings(cells):
            open_sides[(x + east, y + north), side] = piece
    free = set()
    for (cell, side), piece in open_sides.items():
        beyond = (cell[0] + SIDES[side][0], cell[1] + SIDES[side][1])
        on_board = 0 <= beyond[0] < width and 0 <= beyond[1] < height
        if top[cell][0] == piece and on_board and top.get(beyond, (0, "#"))[1] == "#":
            free.add((beyond, (side + 4) % 8))
    found, clear = set(), set()
    for turns in range(4):
        cells = cells_of(masks[card], turns)
        for (x, y), side in openings(cells):
            for beyond, wanted in free:
                east, north = beyond[0] - x, beyond[1] - y
                under = {(east + dx, north + dy) for dx, dy in cells}
                if side != wanted or any(not (0 <= a < width and 0 <= b < height) for a, b in under):
                    continue
                if all(top.get(cell, (0, "#"))[1] == "#" for cell in under):
                    found.add((north * width + east, turns))
                    if not any(cell in top for cell in under):
                        clear.add((north * width + east, turns))
    return clear or found


def test_legal_spots_are_those_of_a_search_over_the_rules() -> None:
    game = made("chill")
    for seed in range(3):
        chance, state = random.Random(seed), game.new_state(seed=seed)
        turn = 0
        while not state.is_over:
            options = state.legal_actions()
            if turn % 4 == seed:
                offered: dict[int, set[Any]] = {}
                for action in options:
                    offered.setdefault(action.key[0], set()).add(action.key[1])
                S = state._position
                hand = [*S.z[game.layout.zones["drawn"].base], *S.z[game.layout.zones["vault"].base]]
                assert {card: offered.get(card, set()) for card in hand} == {
                    card: expected(state, card) for card in hand
                }
            state.apply(chance.choice(options))
            turn += 1
        if state.outcome == "cannot build":
            S = state._position
            hand = [*S.z[game.layout.zones["drawn"].base], *S.z[game.layout.zones["vault"].base]]
            assert not any(expected(state, card) for card in hand)
