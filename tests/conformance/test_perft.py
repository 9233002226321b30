"""How many ways there are to play so many moves: as OpenSpiel counts them, and as others have published."""

from __future__ import annotations

from typing import Any

import pytest
from harness import Mapping, compiled, perft, spiel_perft
from mappings import MAPPINGS

PUBLISHED = {
    "chess": [20, 400, 8_902],
    "othello": [4, 12, 56, 244, 1_396],
    "checkers": [7, 49, 302, 1_469],
    "tic_tac_toe": [9, 72, 504, 3_024, 15_120],
    "connect_four": [7, 49, 343, 2_401],
}
DEEPER = {
    "chess": [197_281],
    "othello": [8_200, 55_092],
    "checkers": [7_361, 36_768],
    "tic_tac_toe": [54_720, 148_176, 200_448, 127_872],
    "connect_four": [16_807, 117_649, 823_536],
}
DEPTH = {
    "breakthrough": (2, 4),
    "nim": (4, 6),
    "mancala": (5, 7),
    "hex": (2, 3),
    "clobber": (2, 3),
    "go": (2, 3),
    "amazons": (3, 4),
    "nine_mens_morris": (3, 4),
    "dots_and_boxes": (3, 5),
    "oware": (4, 6),
    "y": (2, 3),
}
"""Games without published numbers: the depth of each run, and of the long one."""


@pytest.mark.parametrize("spec", PUBLISHED)
def test_published_numbers(spec: str) -> None:
    state = compiled(spec, None, ()).new_state()
    counts = [perft(state, depth) for depth in range(1, len(PUBLISHED[spec]) + 1)]
    assert PUBLISHED[spec] == counts


@pytest.mark.soak
@pytest.mark.parametrize("spec", DEEPER)
def test_published_numbers_further_on(spec: str) -> None:
    state, done = compiled(spec, None, ()).new_state(), len(PUBLISHED[spec])
    counts = [perft(state, depth) for depth in range(done + 1, done + len(DEEPER[spec]) + 1)]
    assert DEEPER[spec] == counts


def counted() -> list[Mapping]:
    return [mapping for mapping in MAPPINGS if mapping.spec in DEPTH]


@pytest.mark.parametrize("mapping", counted(), ids=lambda mapping: mapping.spec)
@pytest.mark.parametrize("long", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["", "long"])
def test_the_same_number_of_ways(mapping: Mapping, long: bool) -> None:
    pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install rulespec[test]")
    state, other = mapping.start()
    depth = DEPTH[mapping.spec][long]
    assert ways(spiel_perft, other, depth) == ways(perft, state, depth)


def ways(count: Any, state: Any, depth: int) -> list[int]:
    return [count(state, d) for d in range(1, depth + 1)]
