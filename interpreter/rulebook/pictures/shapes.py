"""Pieces that cover cells of a board, drawn as they lie: walls and paths, and where they open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from interpreter.rulebook.pictures.svg import Drawing, number
from interpreter.runtime.geometry import SQUARE
from interpreter.runtime.laid import read_drawing, turned

if TYPE_CHECKING:
    from interpreter.game import Game

Cells = Mapping[tuple[int, int], int]
"""The letter of each cell, as the ordinal of its kind, by column and row."""
_LOOKS = ("solid", "hatched", "dotted", "plain")


def cells_of(game: Game, kind: str, row: int, turns: int = 0) -> dict[tuple[int, int], int]:
    """The cells of a piece from the south-west corner of the box around it, turned clockwise by some quarters."""
    shape = game.spec.tables[kind].shape
    assert shape is not None
    drawn = read_drawing(game.tables.columns[f"{kind}_{shape.column}"][row])
    letters = dict(shape.letters)
    form = turned([(x, y) for x, y, _ in drawn], [False] * len(drawn), turns)
    return {form.at[n]: letters[letter] for n, (_, _, letter) in enumerate(drawn)}


def looks_of(game: Game, kind: str) -> dict[int, str]:
    """How each kind of cell is drawn: the one that opens is a path, the others are solid, hatched and so on."""
    shape = game.spec.tables[kind].shape
    assert shape is not None
    rest = [ordinal for ordinal in dict.fromkeys(n for _, n in shape.letters) if ordinal != shape.ports]
    looks = {ordinal: _LOOKS[min(n, len(_LOOKS) - 1)] for n, ordinal in enumerate(rest)}
    return looks | ({shape.ports: "path"} if shape.ports >= 0 else {})


def draw_cells(drawing: Drawing, cells: Cells, looks: Mapping[int, str], x: float, y: float, size: float) -> None:
    """Cells with the north-west corner of their box at (x, y); cells that look alike run together."""
    top = max(row for _, row in cells)
    left = min(column for column, _ in cells)
    by_look: dict[str, list[tuple[float, float]]] = {}
    for (column, row), ordinal in sorted(cells.items(), key=lambda item: (-item[0][1], item[0][0])):
        place = (x + (column - left) * size, y + (top - row) * size)
        by_look.setdefault(looks.get(ordinal, "plain"), []).append(place)
    for look in ("plain", "hatched", "dotted", "path", "solid"):
        if places := by_look.get(look):
            _draw_look(drawing, look, places, size)


def _draw_look(drawing: Drawing, look: str, places: list[tuple[float, float]], size: float) -> None:
    squares = _joined(places, size)
    match look:
        case "path" | "solid":
            drawing.path(squares, look)
        case "hatched":
            drawing.path(squares, "light")
            strokes = "".join(f"M{number(a)} {number(b + size)}l{number(size)} {number(-size)}" for a, b in places)
            drawing.path(strokes, "hatched")
        case "dotted":
            drawing.path(squares, "light")
            half = size / 2
            dots = "".join(f"M{number(a + half)} {number(b + half)}h.1" for a, b in places)
            drawing.path(dots, "hatched", stroke_width=number(size / 3), stroke_linecap="round")
        case _:
            drawing.path(squares, "light")


def _joined(places: list[tuple[float, float]], size: float) -> str:
    """Squares as one outline; neighbours in a line are one rectangle."""
    parts: list[str] = []
    run: tuple[float, float, float] | None = None
    for a, b in places:
        if run is not None and abs(run[1] - b) < 0.01 and abs(run[0] + run[2] - a) < 0.01:
            run = (run[0], run[1], run[2] + size)
            continue
        if run is not None:
            parts.append(_box(*run, size))
        run = (a, b, size)
    if run is not None:
        parts.append(_box(*run, size))
    return "".join(parts)


def _box(x: float, y: float, width: float, height: float) -> str:
    # A little larger than it is: between shapes that only meet, thin lines would show.
    return f"M{number(x)} {number(y)}h{number(width + 0.2)}v{number(height + 0.2)}h{number(-width - 0.2)}z"


def openings(cells: Cells, opening: int) -> list[tuple[int, int, int]]:
    """The edges where a piece opens: column, row and direction of each."""
    found = []
    for (column, row), ordinal in cells.items():
        if ordinal == opening:
            for direction in (0, 2, 4, 6):
                dx, dy = SQUARE[direction]
                if (column + dx, row + dy) not in cells:
                    found.append((column, row, direction))
    return found


def draw_exits(
    drawing: Drawing, edges: Iterable[tuple[int, int, int]], corner: tuple[int, int], x: float, y: float, size: float
) -> None:
    """A small mark at each edge where a piece opens; `corner` is the north-west cell, drawn at (x, y)."""
    west, north = corner
    for column, row, direction in edges:
        dx, dy = SQUARE[direction]
        middle_x = x + (column - west + 0.5 + dx * 0.5) * size
        middle_y = y + (north - row + 0.5 - dy * 0.5) * size
        half, tip = size * 0.38, size * 0.45
        # Across the edge, then outwards.
        points = [
            (middle_x - dy * half, middle_y - dx * half),
            (middle_x + dx * tip, middle_y - dy * tip),
            (middle_x + dy * half, middle_y + dx * half),
        ]
        drawing.polygon(points, "exit")
