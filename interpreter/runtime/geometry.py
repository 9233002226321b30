"""Boards in play: neighbours, directions, lines. Everything is worked out once, when a game is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from attrs import define, field

SQUARE = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""Column and row steps of north, northeast, east, ... northwest."""
NORTH, EAST, SOUTH, WEST = 0, 2, 4, 6
"""The numbers of four of them."""


class Rays(dict[int, tuple[tuple[int, ...], ...]]):
    """By space and direction all spaces in that direction, the nearest first; worked out when first asked for."""

    def __init__(self, step: Sequence[Sequence[int | None]]) -> None:
        super().__init__()
        self._step = step

    def __missing__(self, start: int) -> tuple[tuple[int, ...], ...]:
        lines = []
        for direction in range(8):
            line, space = [], self._step[start][direction]
            while space is not None:
                line.append(space)
                if space in self:  # the rest of the way is known
                    line += self[space][direction]
                    break
                space = self._step[space][direction]
            lines.append(tuple(line))
        self[start] = tuple(lines)
        return self[start]


@define(slots=False)
class Geometry:
    """The spaces of one board.

    cells: column (from 1) and row of each space, None for spaces off the grid. links: further neighbours.
    hexagon: rows are shifted by half a cell against each other, even rows to the east. ways: on a drawn map where
    the links of a space lead, by space and direction.
    """

    cells: Sequence[tuple[int, int] | None]
    links: Sequence[tuple[int, int]] = ()
    hexagon: bool = False
    ways: Mapping[tuple[int, int], int] = field(factory=dict)
    _at: dict[tuple[int, int], int] = field(init=False)
    _lines: dict[int, tuple[tuple[int, ...], ...]] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        self._at = {cell: i for i, cell in enumerate(self.cells) if cell is not None}

    def cell(self, column: int, row: int) -> int | None:
        """The space at a column and row, or none."""
        return self._at.get((column, row))

    def offset(self, space: int, dx: int, dy: int) -> int | None:
        """The space some columns east and rows north of another, or none."""
        here = self.cells[space]
        return None if here is None else self._at.get((here[0] + dx, here[1] + dy))

    def _toward(self, space: int, direction: int) -> int | None:
        if (space, direction) in self.ways:
            return self.ways[space, direction]
        if not self.hexagon:
            return self.offset(space, *SQUARE[direction])
        here = self.cells[space]
        if here is None or direction in (0, 4):
            return None
        dx, dy = SQUARE[direction]
        if dy:
            # Going east from an even row, or west from an odd one, is one column further.
            even = here[1] % 2 == 0
            dx = (1 if even else 0) if dx > 0 else (0 if even else -1)
        return self._at.get((here[0] + dx, here[1] + dy))

    @cached_property
    def step(self) -> tuple[tuple[int | None, ...], ...]:
        """By space and direction the next space, or none."""
        if not self.hexagon and not self.ways:
            at, nowhere = self._at.get, (None,) * 8
            return tuple(
                nowhere if here is None else tuple([at((here[0] + dx, here[1] + dy)) for dx, dy in SQUARE])
                for here in self.cells
            )
        return tuple(tuple(self._toward(s, d) for d in range(8)) for s in range(len(self.cells)))

    @cached_property
    def ray(self) -> Rays:
        """By space and direction all spaces in that direction, the nearest first."""
        return Rays(self.step)

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """By space its neighbours: across an edge, or linked. In the order of spaces."""
        found: list[set[int]] = [set() for _ in self.cells]
        for space, steps in enumerate(self.step):
            sides = steps if self.hexagon else steps[::2]
            found[space].update(s for s in sides if s is not None)
        for a, b in self.links:
            found[a].add(b)
            found[b].add(a)
        return tuple(tuple(sorted(s)) for s in found)

    def lines(self, length: int) -> tuple[tuple[int, ...], ...]:
        """All straight rows of so many spaces, each once."""
        if length not in self._lines:
            self._lines[length] = self._lines_of(length)
        return self._lines[length]

    def _lines_of(self, length: int) -> tuple[tuple[int, ...], ...]:
        found = []
        for space in range(len(self.cells)):
            for direction in (2, 1, 0, 7):
                line = (space, *self.ray[space][direction][: length - 1])
                if len(line) == length:
                    found.append(line)
        return tuple(found)

    def middle(self, a: int, b: int) -> int | None:
        """The space halfway between two, or none."""
        one, other = self.cells[a], self.cells[b]
        if one is None or other is None or (one[0] + other[0]) % 2 or (one[1] + other[1]) % 2:
            return None
        return self._at.get(((one[0] + other[0]) // 2, (one[1] + other[1]) // 2))

    def steps(self, a: int, b: int) -> int | None:
        """The number of steps between two spaces on one straight line, or none."""
        one, other = self.cells[a], self.cells[b]
        if one is None or other is None:
            return None
        dx, dy = one[0] - other[0], one[1] - other[1]
        if self.hexagon:
            # Counted along slanted columns, so that going northeast keeps the column.
            dx -= (one[1] + 1) // 2 - (other[1] + 1) // 2
            return max(abs(dx), abs(dy)) if dx == 0 or dy == 0 or dx == -dy else None
        dx, dy = abs(dx), abs(dy)
        return max(dx, dy) if dx == 0 or dy == 0 or dx == dy else None

    def centre(self) -> int:
        """The space in the middle (of an even number, the one before)."""
        return self._centre

    @cached_property
    def _centre(self) -> int:
        columns = [c[0] for c in self.cells if c is not None]
        rows = [c[1] for c in self.cells if c is not None]
        space = self._at.get(((min(columns) + max(columns)) // 2, (min(rows) + max(rows)) // 2))
        return space if space is not None else 0


def neighbours_in(steps: Sequence[int | None], directions: Iterable[int]) -> list[int]:
    """The neighbours of a space in some directions, from its row of `step`."""
    return [s for s in (steps[d] for d in directions) if s is not None]
