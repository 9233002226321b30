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
