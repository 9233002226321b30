"""Boards: where their spaces lie in a picture, and boards drawn empty with what is printed on them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from interpreter.rulebook.pictures.svg import Drawing, Picture, fitted, text_width
from interpreter.rulebook.pictures.values import Value, shown
from interpreter.rulebook.pictures.wording import word
from rulespec.check import types as t
from rulespec.syntax.nodes import Number, RangeType

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.rulebook.blocks import Names

WIDTH = 420
"""How wide pictures are at normal size: two side by side on paper, one on a phone."""
_LARGEST, _SMALLEST, _TALLEST = 46.0, 13.0, 400.0
_MARGIN = 18.0


@frozen
class Space:
    """A space in a picture: its middle and its size."""

    x: float
    y: float
    width: float
    height: float
    shape: str = "square"
    """square, hexagon or round."""


_HIDDEN = Space(0, 0, 0, 0)
"""In place of a space that is left out."""


@define
class Ground:
    """Where everything of a board lies.

    Attributes:
        spaces: by number; empty where they are too small to be told apart.
        links: lines to draw between spaces, by their numbers.
        heads: texts beside the board, as (x, y, text).
        width, height: of the whole.
    """

    width: float
    height: float
    spaces: list[Space]
    links: list[tuple[int, int]] = field(factory=list)
    heads: list[tuple[float, float, str]] = field(factory=list)


def ground_of(
    game: Game, board: str, width: float = WIDTH, largest: float = _LARGEST, only: Collection[int] = ()
) -> Ground:
    """The spaces of a board laid out in a width.

    Args:
        game: the game.
        board: the board.
        width: of the whole.
        largest: of a space.
        only: spaces that are to be seen. Of a grid the rows far from them are left out; without any, all are shown.
    """
    geometry, shape = game.tables.geometry[board], game.spec.boards[board]
    if any(cell is not None for cell in geometry.cells):
        return _grid(game, board, width, largest, _rows_around(game, board, only), only)
    places = {id: (x, y) for id, x, y in shape.drawing}
    return _graph(game, board, places, width)


_AROUND = 2
"""Rows shown on both sides of those that are to be seen."""


def _rows_around(game: Game, board: str, only: Collection[int]) -> range | None:
    """The rows to show of a grid; None for all."""
    geometry = game.tables.geometry[board]
    near = {b if a in only else a for a, b in geometry.links if a in only or b in only}
    wanted = [cell[1] for n in {*only, *near} if (cell := geometry.cells[n]) is not None]
    return range(min(wanted) - _AROUND, max(wanted) + _AROUND + 1) if wanted else None


def _grid(game: Game, board: str, width: float, largest: float, shown: range | None, only: Collection[int]) -> Ground:
    geometry, ids = game.tables.geometry[board], game.tables.ids[board]
    cells = [cell for cell in geometry.cells if cell is not None and (shown is None or cell[1] in shown)]
    west, south = min(c for c, _ in cells), min(r for _, r in cells)
    columns, rows = max(c for c, _ in cells) - west + 1, max(r for _, r in cells) - south + 1
    across = columns + (0.5 if geometry.hexagon and rows > 1 else 0)
    size = min(largest, (width - 2 * _MARGIN) / across, max(_TALLEST / rows, 22))
    if size < _SMALLEST:
        return Ground(width, max(40, (width - 2 * _MARGIN) * rows / columns), [])
    step = size * sqrt(3) / 2 if geometry.hexagon else size
    top = 4.0
    high = step * (rows - 1) + (size * 2 / sqrt(3) if geometry.hexagon else size)

    def middle(column: int, row: int) -> tuple[float, float]:
        shift = size / 2 if geometry.hexagon and rows > 1 and row % 2 == 0 else 0
        x = _MARGIN + (column - west + 0.5) * size + shift
        y = top + high - (size / sqrt(3) if geometry.hexagon else size / 2) - (row - south) * step
        return x, y

    kind = "hexagon" if geometry.hexagon else "square"
    found: list[Space] = []
    for cell in geometry.cells:
        if cell is None or (shown is not None and cell[1] not in shown):
            found.append(_HIDDEN)
        else:
            found.append(Space(*middle(*cell), size, size * 2 / sqrt(3) if geometry.hexagon else size, kind))
    ground = Ground(_MARGIN * 2 + size * across, top + high + 4, found)
    _heads(ground, game, board, middle, (west, south, columns, rows), size)
    further = [n for n, cell in enumerate(geometry.cells) if cell is None and (shown is None or n in only)]
    _beside(ground, game, board, further, ids)
    return ground


def _heads(ground: Ground, game: Game, board: str, middle: Any, ends: tuple[int, int, int, int], size: float) -> None:
    """The names of columns below and of rows on the left."""
    west, south, columns, rows = ends
    shape = game.spec.boards[board]
    lettered = shape.names == "a1" or shape.columns is not None
    for row in range(south, south + rows):
        x, y = middle(west, row)
        ground.heads.append((_MARGIN / 2, y + 3.5, str(row)))
    if isinstance(shape.columns, t.EnumType):
        names: Sequence[str] = game.spec.enums[shape.columns.name]
    else:
        names = [chr(ord("a") + n) if lettered and n < 26 else str(n + 1) for n in range(west + columns)]
    for column in range(west, west + columns):
        x, _ = middle(column, south)
        text = fitted(names[column - 1].replace("_", " "), size, 10)
        ground.heads.append((x, ground.height + 9, text))
    ground.height += 14


def _beside(ground: Ground, game: Game, board: str, further: Sequence[int], ids: Sequence[str]) -> None:
    """Spaces off the grid: a bar along the spaces that they are linked to, else a line of boxes below."""
    links = game.tables.geometry[board].links
    x = _MARGIN
    for n in further:
        near = [ground.spaces[b if a == n else a] for a, b in links if n in (a, b)]
        on_grid = [space for space in near if space.width]
        if len(on_grid) > 1 and len({space.y for space in on_grid}) == 1:
            left = min(space.x - space.width / 2 for space in on_grid)
            right = max(space.x + space.width / 2 for space in on_grid)
            ground.spaces[n] = Space((left + right) / 2, ground.height + 16, right - left, 24, "round")
            ground.height += 32
            continue
        wide = min(ground.width - 2 * _MARGIN, max(44.0, text_width(ids[n].replace("_", " "), 11) + 14))
        if x + wide > ground.width - _MARGIN and x > _MARGIN:
            x = _MARGIN
            ground.height += 32
        ground.spaces[n] = Space(x + wide / 2, ground.height + 16, wide, 24, "round")
        x += wide + 8
    if x > _MARGIN:
        ground.height += 32


def _graph(game: Game, board: str, places: Mapping[str, tuple[int, int]], width: float) -> Ground:
    """Spaces with names, where the map has them, and lines between them."""
    ids = game.tables.ids[board]
    wide = max((text_width(id.replace("_", " "), 11.5) for id in ids), default=20) + 18
    across = sorted({x for x, _ in places.values()})
    down = sorted({y for _, y in places.values()})
    step = max(wide + 16, min(90.0, (width - wide) / max(1, len(across) - 1))) if len(across) > 1 else 0
    per_row = max(1, int((width - 16) // (wide + 10)))
    found: list[Space] = []
    loose = 0
    below = 20.0 + (len(down) * 44 if places else 0)
    for id in ids:
        if id in places:
            x, y = places[id]
            centre = (8 + wide / 2 + across.index(x) * step, 20.0 + down.index(y) * 44)
        else:
            centre = (8 + wide / 2 + loose % per_row * (wide + 10), below + loose // per_row * 36)
            loose += 1
        found.append(Space(*centre, wide, 26, "round"))
    right = max(space.x + space.width / 2 for space in found) + 8
    links = sorted({(min(a, b), max(a, b)) for a, b in game.tables.geometry[board].links})
    return Ground(right, max(space.y for space in found) + 20, found, links)


def outline(drawing: Drawing, space: Space, fill: str = "", role: str = "paper") -> None:
    """The edge of a space, filled with a colour of its own or with that of cardboard."""
    more = {"fill": fill} if fill else {}
    if space.shape == "hexagon":
        w, h = space.width / 2, space.height / 2
        corners = ((0, -h), (w, -h / 2), (w, h / 2), (0, h), (-w, h / 2), (-w, -h / 2))
        drawing.polygon([(space.x + x, space.y + y) for x, y in corners], role, **more)
        return
    rounded = 7.0 if space.shape == "round" else 0.0
    x, y = space.x - space.width / 2, space.y - space.height / 2
    drawing.rect(x, y, space.width, space.height, role, r=rounded, **more)


def draw(
    drawing: Drawing, ground: Ground, fills: Mapping[int, Value], signs: Mapping[str, str], taken: Collection[int] = ()
) -> None:
    """A board.

    Args:
        drawing: where.
        ground: its layout, from the corner of the drawing.
        fills: what is printed on spaces.
        signs: a short sign for the texts of some values.
        taken: spaces on which something will stand: there the sign is small and in a corner.
    """
    for a, b in ground.links:
        one, other = ground.spaces[a], ground.spaces[b]
        drawing.line(one.x, one.y, other.x, other.y, "line", stroke_width="2")
    if not ground.spaces:
        drawing.rect(_MARGIN, 4, ground.width - 2 * _MARGIN, ground.height - 8, "paper", r=4)
    for number, space in enumerate(ground.spaces):
        if not space.width:
            continue
        value = fills.get(number)
        outline(drawing, space, value.colour if value is not None else "")
        sign = signs.get(value.text, "") if value is not None else ""
        if sign and number in taken:
            x, y = space.x - space.width / 2 + 2, space.y - space.height / 2 + 8
            drawing.text(x, y, sign, "ink", size=7.5, bold=True)
        elif sign:
            size = min(12.0, space.width * 0.42)
            drawing.text(space.x, space.y + size * 0.36, sign, "ink", size=size, bold=True, anchor="middle")
    for x, y, text in ground.heads:
        drawing.text(x, y, text, "soft", size=10, anchor="middle")


def signs_of(values: Sequence[Value], plain: str) -> dict[str, str]:
    """Short signs for values, unlike each other: colour alone does not tell everybody. None for `plain`."""
    found: dict[str, str] = {}
    for value in values:
        text = value.text
        if text == plain or text in found:
            continue
        words = [w for w in text.replace("-", " ").split() if w]
        tries = [text[:1].upper()] + ["".join(w[:1].upper() for w in words[:2])] * (len(words) > 1)
        tries += [text[:n].capitalize() for n in range(2, len(text) + 1)]
        found[text] = next((sign for sign in tries if sign and sign not in found.values()), text[:1])
    return found


def legend(drawing: Drawing, values: Sequence[Value], signs: Mapping[str, str], y: float, x: float = 2) -> float:
    """What the colours and signs stand for, below a board; gives the y below it."""
    left, right = x, drawing.width
    for value in values:
        text = fitted(value.text, right - left - 26, 11)
        wide = 22 + text_width(text, 11) + 14
        if x + wide > right + 8 and x > left:
            x, y = left, y + 20
        drawing.rect(x, y, 16, 14, "paper", r=2, fill=value.colour or "#fffdf8")
        if sign := signs.get(value.text, ""):
            drawing.text(x + 8, y + 10.5, sign, "ink", size=9, bold=True, anchor="middle")
        drawing.text(x + 21, y + 11, text, "text", size=11)
        x += wide
    return y + 22


def name_spaces(game: Game, board: str, drawing: Drawing, ground: Ground, but: Collection[int] = ()) -> None:
    """The names of spaces that have no place in a grid, but for some."""
    for n, (space, cell) in enumerate(zip(ground.spaces, game.tables.geometry[board].cells, strict=False)):
        if cell is None and n not in but and space.width:
            text = fitted(game.tables.ids[board][n].replace("_", " "), space.width - 8, 11)
            drawing.text(space.x, space.y + 4, text, "ink", size=11, anchor="middle")


def printed(game: Game, board: str, names: Names) -> dict[int, Value]:
    """What the first field of a board with few values says of each space."""
    for column in game.spec.tables[board].fields.values():
        if column.params is None and isinstance(column.type, t.EnumType | t.BoolType) and column.name != "column":
            values = game.tables.columns[f"{board}_{column.name}"]
            label = names.of("field", f"{board}.{column.name}")
            return {n: _printed(game, names, column.type, v, label) for n, v in enumerate(values) if v is not None}
    return {}


def _printed(game: Game, names: Names, type: t.Type, value: Any, label: str) -> Value:
    if isinstance(type, t.BoolType):
        return Value(label if value else "", "#f4dba6" if value else "")
    return shown(game, names, type, value)


def board(game: Game, name: str, names: Names) -> Picture:
    """A board with nothing on it."""
    ground = ground_of(game, name)
    fills = printed(game, name, names)
    kinds = list({value.text: value for value in fills.values() if value.text}.values())
    signs = signs_of(kinds, "")
    drawing = Drawing(ground.width, ground.height)
    draw(drawing, ground, fills, signs)
    name_spaces(game, name, drawing, ground)
    count = len(game.tables.ids[name])
    label = names.of("table", name)
    spaces = word(names, "picture_spaces", count=count)
    if not ground.spaces:
        columns, rows = (max(cell[i] for cell in game.tables.geometry[name].cells if cell) for i in (0, 1))
        text = f"{columns} × {rows}"
        drawing.text(ground.width / 2, ground.height / 2 + 5, text, "faint", size=16, anchor="middle")
    if kinds:
        drawing.width = max(drawing.width, WIDTH / 2)
        drawing.height = legend(drawing, kinds, signs, ground.height + 6)
    description = f"{label}, {spaces}"
    if kinds:
        description += ": " + ", ".join(
            f"{value.text} {sum(one.text == value.text for one in fills.values())}" for value in kinds
        )
    return drawing.picture(f"board-{name}", label, f"{description}.")


def plan(game: Game, constant: str, names: Names) -> Picture | None:
    """A constant table of enum values, its last two indices as rows and columns; None for other tables."""
    table = game.spec.constants[constant]
    if len(table.per) < 2 or not isinstance(table.type, t.EnumType):
        return None
    axes = [
        [shown(game, names, declared.type, value).text for value in game.tables.domain_values(declared)]
        for declared in table.per
    ]
    values = [shown(game, names, table.type, value) for value in game.tables.columns[f"table_{constant}"]]
    rows, columns = axes[-2], axes[-1]
    order = range(len(rows))
    if _is_downwards(game, constant):
        order = order[::-1]
    maps = _products(axes[:-2])
    counts = {value.text: 0 for value in values}
    for value in values:
        counts[value.text] += 1
    kinds = sorted({value.text: value for value in values}.values(), key=lambda value: -counts[value.text])
    signs = signs_of(kinds, kinds[0].text)
    size = min(26.0, max(14.0, 120 / len(columns)))
    head = max(text_width(row, 9) for row in rows) + 6
    wide, high = head + size * len(columns), size * len(rows)
    each = max(1, min(len(maps), int((WIDTH + 14) // (wide + 18))))
    drawing = Drawing(max(WIDTH / 2, each * (wide + 18)))
    for n, parts in enumerate(maps):
        x, y = n % each * (wide + 18), 16.0 + n // each * (high + 42)
        if parts:
            title = fitted(", ".join(parts), wide, 11, bold=True)
            drawing.text(x + head, y - 4, title, "text", size=11, bold=True)
        for i, row in enumerate(order):
            drawing.text(x + head - 4, y + (i + 0.5) * size + 3, rows[row], "soft", size=9, anchor="end")
            for j in range(len(columns)):
                value = values[(n * len(rows) + row) * len(columns) + j]
                drawing.rect(x + head + j * size, y + i * size, size, size, "paper", fill=value.colour or None)
                if sign := signs.get(value.text, ""):
                    middle = (x + head + (j + 0.5) * size, y + (i + 0.5) * size + 3.5)
                    drawing.text(*middle, sign, "ink", size=10, bold=True, anchor="middle")
        for j, column in enumerate(columns):
            text = fitted(column, size, 9)
            drawing.text(x + head + (j + 0.5) * size, y + high + 11, text, "soft", size=9, anchor="middle")
    bottom = 16 + -(-len(maps) // each) * (high + 42) - 18
    drawing.height = legend(drawing, kinds, signs, bottom)
    label = names.of("constant", constant)
    listed = ", ".join(f"{value.text} {counts[value.text]}" for value in kinds)
    return drawing.picture(f"plan-{constant}", label, f"{label}: {listed}.")


def _is_downwards(game: Game, constant: str) -> bool:
    """Whether the rows are declared from the last to the first, as in `5..1`: the highest number is at the top."""
    rows = game.spec.source.tables[constant].per[-2]
    if not isinstance(rows, RangeType) or not isinstance(rows.low, Number) or not isinstance(rows.high, Number):
        return False
    return rows.low.value > rows.high.value


def _products(axes: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for axis in axes:
        found = [(*parts, one) for parts in found for one in axis]
    return found
