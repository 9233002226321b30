"""Pieces laid on a board, drawn with the letters of their drawings: a map of what lies on top of each space.

One or two characters stand for a space, as the room allows. Each piece bears its id, and the columns and rows have
their numbers, so that a spot can be read off. A double line is the edge of the board. Below stands what the letters
mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field
from rich.console import Group, RenderableType
from rich.text import Text

import interpreter
from interpreter.cli import words
from interpreter.runtime.laid import Laid, Shapes, read_drawing

MARGIN = 2
"""Bare spaces around the pieces that are shown."""
EVERY = 5
"""Each so many columns have their name, where not all of them have room."""
_LETTER, _NAME, _NUMBER, _EDGE = "", "bold reverse", "cyan", "dim"


@define
class _Space:
    """A space that a piece covers. number: of the piece in the order in which they were laid."""

    number: int
    letter: str


@define
class _Map:
    """The spaces by (column, row), and the names of the pieces by their numbers."""

    columns: tuple[int, int]
    rows: tuple[int, int]
    covered: dict[tuple[int, int], _Space] = field(factory=dict)
    names: list[str] = field(factory=list)
    letters: str = ""
    heads: dict[int, str] = field(factory=dict)
    """What the columns are called."""

    def shown(self, first: int, last: int, size: tuple[int, int]) -> tuple[int, int]:
        """A part of the board with some margin, no larger than the board."""
        return max(first - MARGIN, size[0]), min(last + MARGIN, size[1])


def laid_maps(game: interpreter.Game, view: Mapping[str, Any], width: int) -> dict[str, RenderableType]:
    """By zone a map of the pieces laid there, as far as a view shows them; none where nothing lies.

    Args:
        game: the game.
        view: what a seat sees, as `State.view` gives it.
        width: the room there is, in characters.
    """
    found: dict[str, RenderableType] = {}
    for kind, laid in game.tables.laid.items():
        for place in game.layout.laid_zones(kind):
            entry = view["zones"].get(place.zone.name)
            if place.exists and entry and entry.get("spots"):
                found[place.zone.name] = _draw(_read(game, laid, place.zone.name, entry), width)
    return found


def _read(game: interpreter.Game, laid: Laid, zone: str, entry: Mapping[str, Any]) -> _Map:
    place = game.layout.zones[zone]
    board = place.zone.laid_on
    ground = next(ground for number, ground, _ in laid.zones if number == place.base)
    cells = [cell for cell in ground.geometry.cells if cell is not None]
    shape = game.spec.tables[laid.kind].shape
    assert shape is not None
    meanings = [f"{letter} {words.words(game.spec.enums[shape.enum][n])}" for letter, n in shape.letters]
    columns, rows = _ends([column for column, _ in cells]), _ends([row for _, row in cells])
    map = _Map(columns, rows, letters="   ".join(meanings))
    for name, cell in zip(game.tables.ids[board], ground.geometry.cells, strict=True):
        if cell is not None:
            map.heads[cell[0]] = re.sub(r"^c(\d+)r$", r"\1", name.removesuffix(str(cell[1])))
    for number, (card, spot) in enumerate(zip(entry["cards"], entry["spots"], strict=True)):
        component = game.tables.numbers[laid.kind][card]
        name, _, turns = spot.rpartition("/")
        spaces = ground.footprint(component, (game.tables.numbers[board][name], int(turns)))
        for space, letter in zip(spaces, _letters(laid.shapes, component, int(turns)), strict=True):
            cell = ground.geometry.cells[space]
            assert cell is not None
            map.covered[cell] = _Space(number, letter)
        map.names.append(card)
    return map


def _letters(shapes: Shapes, component: int, turns: int) -> list[str]:
    """The letters of a drawing in the order of the spaces that it covers."""
    form = shapes.forms[component][turns]
    assert form is not None
    letters = [letter for _, _, letter in read_drawing(shapes.drawings[component])]
    return [letters[number] for number in form.numbers]


def _ends(values: Sequence[int]) -> tuple[int, int]:
    return min(values), max(values)


def _draw(map: _Map, width: int) -> RenderableType:
    west, east = map.shown(*_ends([column for column, _ in map.covered]), map.columns)
    south, north = map.shown(*_ends([row for _, row in map.covered]), map.rows)
    aside = len(str(north)) + 3
    room = max(width - aside - 6, EVERY)
    size = 2 if 2 * (east - west + 1) <= room else 1
    bands = [(first, min(first + room // size - 1, east)) for first in range(west, east + 1, room // size)]
    names = _named(map, size)
    parts: list[RenderableType] = []
    for band in bands:
        parts += [_band(map, names, band, (south, north), size), ""]
    return Group(*parts, Text(map.letters, "dim"))


def _named(map: _Map, size: int) -> dict[tuple[int, int], str]:
    """Parts of names by the spaces where they stand, in the middle of what is seen of each piece."""
    seen: dict[int, list[tuple[int, int]]] = {}
    for cell, space in map.covered.items():
        seen.setdefault(space.number, []).append(cell)
    found: dict[tuple[int, int], str] = {}
    for number, cells in seen.items():
        name = map.names[number]
        length = -(-len(name) // size)
        own = set(cells)
        middle = [sum(cell[i] for cell in cells) / len(cells) for i in (0, 1)]
        starts = [c for c in cells if all((c[0] + i, c[1]) in own for i in range(length))]
        if not starts:
            length, starts = 1, cells
        column, row = min(starts, key=lambda c: (abs(c[1] - middle[1]), abs(c[0] + (length - 1) / 2 - middle[0])))
        for i in range(length):
            found[column + i, row] = name[i * size : (i + 1) * size].ljust(size)
    return found


def _band(
    map: _Map, names: Mapping[tuple[int, int], str], columns: tuple[int, int], rows: tuple[int, int], size: int
) -> Text:
    """The rows of some columns, the northernmost first, and the numbers of the columns below."""
    west, east = columns
    aside = len(str(rows[1]))
    edge = ["║" if west == map.columns[0] else " ", "║" if east == map.columns[1] else " "]
    line = f"{' ' * aside} {'╚' if edge[0] != ' ' else ' '}{'═' * size * (east - west + 1)}"
    text = Text(no_wrap=True)
    if rows[1] == map.rows[1]:
        top = line.replace("╚", "╔") + ("╗" if edge[1] != " " else "")
        text.append(f"{top}\n", _EDGE)
    for row in range(rows[1], rows[0] - 1, -1):
        text.append(f"{row:{aside}} ", _NUMBER)
        text.append(edge[0], _EDGE)
        for column in range(west, east + 1):
            cell = (column, row)
            if cell in names:
                text.append(names[cell], _NAME)
            else:
                letter = map.covered[cell].letter if cell in map.covered else " "
                text.append(letter + " " * (size - 1), _LETTER)
        text.append(f"{edge[1]}\n", _EDGE)
    if rows[0] == map.rows[0]:
        text.append(line + ("╝" if edge[1] != " " else "") + "\n", _EDGE)
    text.append(_heads(map, columns, size, " " * (aside + 2)), _NUMBER)
    return text


def _heads(map: _Map, columns: tuple[int, int], size: int, margin: str) -> str:
    """The line with the names of columns: of all if there is room, else of some."""
    west, east = columns
    narrow = max(len(map.heads.get(column, "")) for column in range(west, east + 1)) < size
    line = margin
    for column in range(west, east + 1):
        here = len(margin) + (column - west) * size
        if len(line) <= here and (narrow or column % EVERY == 0 or column == west):
            line = f"{line.ljust(here)}{map.heads.get(column, '')} "
    return line.rstrip()
