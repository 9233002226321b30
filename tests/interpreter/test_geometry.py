"""Steps between spaces, beside the rays that they are counted along."""

from __future__ import annotations

import pytest

from interpreter.runtime.geometry import Geometry


@pytest.mark.parametrize("hexagon", [False, True])
def test_steps_are_places_on_a_ray(hexagon):
    board = Geometry([(column, row) for row in range(1, 6) for column in range(1, 6)], hexagon=hexagon)
    for start in range(25):
        on_lines = {space: n for line in board.ray[start] for n, space in enumerate(line, 1)}
        assert [{**on_lines, start: 0}.get(space) for space in range(25)] == [
            board.steps(start, space) for space in range(25)
        ]


def test_steps_of_spaces_off_the_grid():
    board = Geometry([(1, 1), (1, 2), None])
    assert (1, None, None) == (board.steps(0, 1), board.steps(0, 2), board.steps(2, 0))


DRAWN = """
boards:
  Point: |
    a-b----hall-c
    |      | |  |
    d------e f  g
    |        |
    h        i
setup: |
  say "{lines(Point, 3)} {count(lines(Point, 4))}"
  say "{step(hall, south)} {step(f, north)} {step(g, north)} {step(g, south)} {step(a, northeast)}"
  say "{ray(h, north)}; {ray(a, east)}; {neighbours(hall, [south, west])}; {neighbours(hall)}"
actions:
  wait: nothing
phases:
  play: {turns: {rounds: 1}, actions: [wait]}
"""


def test_drawn_links_lead_in_directions(game_of):
    log = game_of(DRAWN, 2).new_state(seed=1).log()
    assert [
        "a, b, hall, b, hall, c, h, d, a, i, f, hall 1",
        "e hall c none none",
        "d, a; b, hall, c; e, b; b, c, e, f",
    ] == log[:3]


def test_of_two_links_on_one_side_of_a_wide_name_the_first_one_counts():
    board = Geometry([None, None, None], [(0, 1), (0, 2)], ways={(0, 4): 1, (1, 0): 0, (2, 0): 0})
    assert (1, 0, 0) == (board.step[0][4], board.step[1][0], board.step[2][0])
    assert ((1, 2), (1,)) == (board.beside[0], board.ray[0][4])
