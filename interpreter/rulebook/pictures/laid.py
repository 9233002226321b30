"""Pieces laid on a board, drawn where they lie; the bare rest of the board is left out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from interpreter.rulebook.pictures import shapes
from interpreter.rulebook.pictures.contents import Contents
from interpreter.rulebook.pictures.svg import Drawing, fitted, text_width

if TYPE_CHECKING:
    from interpreter.game import Game

_ROUND = 1
"""Bare cells shown around the pieces."""


def draw(
    drawing: Drawing, contents: Contents, zone: str, entry: Mapping[str, Any], marked: Collection[str], y: float
) -> float:
    """The pieces of a zone.

    Args:
        drawing: where.
        contents: what is on the table.
        zone: the zone, whose components lie on a board.
        entry: the zone as the view has it.
        marked: the ids of pieces to be marked.
        y: the top.

    Returns:
        The y below it.
    """
    game = contents.game
    kind = game.spec.zones[zone].component
    pieces = _pieces(game, zone, kind, entry)
    if not pieces:
        return y
    taken = {place for _, cells in pieces for place in cells}
    west, east = min(c for c, _ in taken) - _ROUND, max(c for c, _ in taken) + _ROUND
    south, north = min(r for _, r in taken) - _ROUND, max(r for _, r in taken) + _ROUND
    size = min(13.0, drawing.width / (east - west + 1), 460 / (north - south + 1))
    left = (drawing.width - size * (east - west + 1)) / 2
    drawing.rect(left, y, size * (east - west + 1), size * (north - south + 1), "paper", r=4)

    def corner(cells: shapes.Cells) -> tuple[float, float, float, float]:
        w, n = min(c for c, _ in cells), max(r for _, r in cells)
        wide = max(c for c, _ in cells) - w + 1
        high = n - min(r for _, r in cells) + 1
        return left + (w - west) * size, y + (north - n) * size, wide * size, high * size

    looks = shapes.looks_of(game, kind)
    for _, cells in pieces:
        a, b, _, _ = corner(cells)
        shapes.draw_cells(drawing, cells, looks, a, b, size)
    shape = game.spec.tables[kind].shape
    if shape is not None and shape.ports >= 0:
        covered = {place: cells[place] for _, cells in pieces for place in cells}
        edges = shapes.openings(covered, shape.ports)
        shapes.draw_exits(drawing, edges, (west, north), left, y, size)
    faces = entry.get("faces", [""] * len(entry["cards"]))
    for (id, cells), face in zip(pieces, faces, strict=True):
        a, b, wide, high = corner(cells)
        if id in marked:
            drawing.rect(a, b, wide, high, "changed", r=2)
        else:
            drawing.rect(a, b, wide, high, "rule", r=2)
        _tag(drawing, contents, kind, id, face, (a, b, wide, high), max(wide, 46.0))
    return y + size * (north - south + 1) + 8


def _tag(
    drawing: Drawing,
    contents: Contents,
    kind: str,
    id: str,
    face: str,
    box: tuple[float, float, float, float],
    room: float,
) -> None:
    """The name of a piece and what its face shows, on the piece."""
    a, b, wide, high = box
    lines = [fitted(contents.card(kind, id, face).text, room, 8.5, bold=True)]
    if text := contents.on_face(kind, id, face):
        lines.append(fitted(text, room, 8))
    width = max(text_width(line, 8.5, bold=True) for line in lines) + 4
    x, top = a + wide / 2, b + high / 2 - len(lines) * 5.5
    drawing.rect(x - width / 2, top, width, len(lines) * 10.5 + 2, "light", r=3, fill_opacity="0.88")
    drawing.text(x, top + 8.6, lines[0], "ink", size=8.5, bold=True, anchor="middle")
    for line in lines[1:]:
        drawing.text(x, top + 18.6, line, "ink", size=8, anchor="middle")


def _pieces(game: Game, zone: str, kind: str, entry: Mapping[str, Any]) -> list[tuple[str, dict[tuple[int, int], int]]]:
    """The pieces in the order in which they were laid, with their cells by columns and rows of the board."""
    board = game.spec.zones[zone].laid_on
    geometry, numbers = game.tables.geometry[board], game.tables.numbers
    found = []
    for id, spot in zip(entry.get("cards", ()), entry.get("spots", ()), strict=False):
        space, _, turns = spot.rpartition("/")
        cell = geometry.cells[numbers[board][space]]
        if cell is not None:
            cells = shapes.cells_of(game, kind, numbers[kind][id], int(turns))
            found.append((id, {(x + cell[0], y + cell[1]): letter for (x, y), letter in cells.items()}))
    return found
