"""Cards and tiles drawn from their fields. A game may draw its own: see `docs/rulebooks.md`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from attrs import frozen

from interpreter.rulebook.pictures import shapes
from interpreter.rulebook.pictures.svg import Drawing, Picture, fitted, text_width, whole, wrapped
from interpreter.rulebook.pictures.values import Fact, Value, facts, first_colour, labelled

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.rulebook.blocks import Names

WIDTH = 168.0
_PAD = 10.0
_LEAST = 56.0
_LABEL, _VALUE = 10.0, 11.0


@frozen
class Card:
    """A card as a template sees it.

    Attributes:
        kind, id: its kind of component and its row.
        title: its label. copies: how many there are.
        facts: what stands on it, see `Fact`.
        colour: of the band at its head, or "".
        width, height: in pixels.
        frame, head, shape, body: its parts as they are drawn without a template of the game's own; SVG text.
    """

    kind: str
    id: str
    title: str
    copies: int
    facts: tuple[Fact, ...]
    colour: str
    width: float
    height: float
    frame: str
    head: str
    shape: str
    body: str

    def value(self, field: str) -> str:
        """The text of a field; "" where it says nothing."""
        return next((", ".join(v.text for v in fact.values) for fact in self.facts if fact.field == field), "")


Draw = Callable[[Card], str]
"""Makes the SVG content of a card: a template."""


def piece(game: Game, kind: str, row: int, names: Names, draw: Draw) -> Picture:
    """The picture of a card or tile."""
    card = card_of(game, kind, row, names)
    spoken = "; ".join(_spoken(fact) for fact in card.facts)
    label = names.of("table", kind)
    description = f"{label}: {card.title}" + (f". {spoken}." if spoken else ".")
    return whole(f"piece-{kind}-{row}", card.title, description, card.width, card.height, draw(card))


def _spoken(fact: Fact) -> str:
    """A fact in words, for those who do not see it."""
    if fact.kind == "flag":
        return fact.label
    if fact.kind == "strip":
        return f"{fact.label}: " + ", ".join(f"{h} {v.text}" for h, v in zip(fact.heads, fact.values, strict=True))
    if fact.kind == "grid":
        width = len(fact.heads)
        lines = [fact.values[n * width : (n + 1) * width] for n in range(len(fact.rows))]
        parts = [
            f"{row} " + ", ".join(f"{h} {v.text}" for h, v in zip(fact.heads, line, strict=True))
            for row, line in zip(fact.rows, lines, strict=True)
        ]
        return f"{fact.label}: {', '.join(parts)}"
    return f"{fact.label} {', '.join(value.text for value in fact.values)}"


def card_of(game: Game, kind: str, row: int, names: Names) -> Card:
    """A card with its parts drawn."""
    table = game.spec.tables[kind]
    title = labelled(game, names, kind, row)
    title = title[:1].upper() + title[1:]
    found = facts(game, names, kind, row)
    shown = [fact for fact in found if not _is_title(fact, title)]
    first = game.tables.first.get(kind)
    copies = first.count(first[row]) if first is not None else 1
    colour = first_colour(found)
    head, below = _head(title, copies, colour)
    outlines = Drawing(WIDTH)
    if table.shape is not None:
        below = _shape(outlines, game, kind, row, below)
    body = Drawing(WIDTH)
    below = _body(body, shown, below + 6)
    height = max(_LEAST, below + _PAD - 4)
    frame = Drawing(WIDTH)
    frame.rect(0.5, 0.5, WIDTH - 1, height - 1, "paper", r=8)
    drawn = ["".join(part.parts) for part in (frame, head, outlines, body)]
    return Card(kind, game.tables.ids[kind][row], title, copies, tuple(found), colour, WIDTH, height, *drawn)


def _is_title(fact: Fact, title: str) -> bool:
    """Whether the head of the card says it already."""
    return fact.kind in ("text", "value") and fact.values[0].text.lower() == title.lower()


def _head(title: str, copies: int, colour: str) -> tuple[Drawing, float]:
    drawing = Drawing(WIDTH)
    times = f"×{copies}" if copies > 1 else ""
    room = WIDTH - 2 * _PAD - (text_width(times, 11) + 6 if times else 0)
    lines = wrapped(title, room, 12.5, bold=True, most=3) or [""]
    high = 10 + len(lines) * 16.0
    # The corners of the band are those of the frame.
    outline = f"M.5 {high:.1f}V8.5a8 8 0 0 1 8-8H{WIDTH - 8.5}a8 8 0 0 1 8 8V{high:.1f}z"
    drawing.path(outline, "paper", fill=colour or "#e9e2d3")
    drawing.lines(_PAD, 19, lines, "ink", size=12.5, leading=1.28, bold=True)
    if times:
        drawing.text(WIDTH - _PAD, 19, times, "ink", size=11, anchor="end")
    return drawing, high


def _shape(drawing: Drawing, game: Game, kind: str, row: int, y: float) -> float:
    cells = shapes.cells_of(game, kind, row)
    columns, rows = (max(place[i] for place in cells) + 1 for i in (0, 1))
    size = min(16.0, (WIDTH - 4 * _PAD) / columns, 150 / rows)
    x = (WIDTH - columns * size) / 2
    top = y + 12
    shapes.draw_cells(drawing, cells, shapes.looks_of(game, kind), x, top, size)
    drawing.rect(x, top, columns * size, rows * size, "rule")
    shape = game.spec.tables[kind].shape
    assert shape is not None
    if shape.ports >= 0:
        edges = shapes.openings(cells, shape.ports)
        shapes.draw_exits(drawing, edges, (0, rows - 1), x, top, size)
    return top + rows * size + 8


def _body(drawing: Drawing, found: Sequence[Fact], y: float) -> float:
    texts = [fact for fact in found if fact.kind == "text"]
    for fact in found:
        match fact.kind:
            case "value" | "values" | "flag":
                y = _line(drawing, fact, y)
            case "strip":
                y = _strip(drawing, fact, y)
            case "grid":
                y = _grid(drawing, fact, y)
    for fact in texts:
        y += 4
        lines = wrapped(fact.values[0].text, WIDTH - 2 * _PAD, 10.5, most=8)
        y = drawing.lines(_PAD, y + 10, lines, "ink", size=10.5, leading=1.28) - 9
    return y


def _line(drawing: Drawing, fact: Fact, y: float) -> float:
    """The name of a field on the left, its value on the right; below it where there is no room."""
    right = WIDTH - _PAD
    if fact.kind == "flag":
        drawing.text(_PAD, y + 11, f"✓ {fitted(fact.label, WIDTH - 2 * _PAD - 14, _VALUE)}", "ink", size=_VALUE)
        return y + 17
    text = ", ".join(value.text for value in fact.values)
    colour = fact.values[0].colour if fact.kind == "value" else ""
    swatch = 14 if colour else 0
    is_number = fact.values[0].is_number
    wide = text_width(text, _VALUE, bold=is_number) + swatch
    label_width = text_width(fact.label, _LABEL)
    if label_width + wide + 8 > WIDTH - 2 * _PAD:
        drawing.text(_PAD, y + 10, fitted(fact.label, WIDTH - 2 * _PAD, _LABEL), "faint", size=_LABEL)
        lines = wrapped(text, WIDTH - 2 * _PAD - 8 - swatch, _VALUE, most=4)
        if colour:
            drawing.rect(_PAD + 8, y + 15, 10, 10, "paper", r=2, fill=colour)
        return drawing.lines(_PAD + 8 + swatch, y + 24, lines, "ink", size=_VALUE, leading=1.25) - 8
    drawing.text(_PAD, y + 11, fact.label, "faint", size=_LABEL)
    drawing.text(right, y + 11, text, "ink", size=_VALUE, bold=is_number, anchor="end")
    if colour:
        drawing.rect(right - wide, y + 2, 10, 10, "paper", r=2, fill=colour)
    return y + 17


def _strip(drawing: Drawing, fact: Fact, y: float) -> float:
    """One value for each head: a row of coloured or numbered boxes, else lines."""
    drawing.text(_PAD, y + 10, fitted(fact.label, WIDTH - 2 * _PAD, _LABEL), "faint", size=_LABEL)
    y += 15
    room = WIDTH - 2 * _PAD
    widest = max(text_width(value.text, _LABEL) for value in fact.values)
    heads = max(text_width(head, 8.5) for head in fact.heads)
    coloured = all(value.colour or value.is_nothing for value in fact.values)
    each = min(room / len(fact.values), max(26.0, heads + 6))
    if heads > each - 2 or (widest > each - 2 and not coloured):
        for head, value in zip(fact.heads, fact.values, strict=True):
            y = _line(drawing, Fact("", f"  {head}", "value", (value,)), y)
        return y
    for n, (head, value) in enumerate(zip(fact.heads, fact.values, strict=True)):
        x = _PAD + n * each
        drawing.rect(x, y, each - 2, 16, "paper", r=2, fill=value.colour or "#ffffff")
        text = value.text if widest <= each - 3 else value.text[:1].upper()
        drawing.text(x + each / 2 - 1, y + 12, text, "ink", size=_LABEL, anchor="middle")
        drawing.text(x + each / 2 - 1, y + 26, head, "faint", size=8.5, anchor="middle")
    return y + 33


def _grid(drawing: Drawing, fact: Fact, y: float) -> float:
    """Values by rows and columns."""
    drawing.text(_PAD, y + 10, fitted(fact.label, WIDTH - 2 * _PAD, _LABEL), "faint", size=_LABEL)
    y += 16
    left = min(66.0, max(text_width(row, 9.5) for row in fact.rows) + 6)
    each = (WIDTH - 2 * _PAD - left) / len(fact.heads)
    for j, head in enumerate(fact.heads):
        x = _PAD + left + (j + 0.5) * each
        drawing.text(x, y + 8, fitted(head, each - 2, 9), "faint", size=9, anchor="middle")
    y += 12
    for i, row in enumerate(fact.rows):
        drawing.text(_PAD, y + 11, fitted(row, left - 4, 9.5), "faint", size=9.5)
        for j in range(len(fact.heads)):
            value: Value = fact.values[i * len(fact.heads) + j]
            x = _PAD + left + j * each
            drawing.rect(x, y, each - 2, 15, "paper", r=2, fill=value.colour or "#ffffff")
            text = fitted(value.text, each - 4, _LABEL)
            drawing.text(x + each / 2 - 1, y + 11, text, "ink", size=_LABEL, anchor="middle")
        y += 17
    return y + 2


def plain(card: Card) -> str:
    """A card without a template."""
    return card.frame + card.head + card.shape + card.body
