"""The table of a game drawn for a terminal from a seat's view: plain data in, rich panels out.

What belongs to a player stands in that player's panel, and all players stand side by side; what is
indexed by the spaces of a grid is drawn as one; the rest are rows in the middle.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from interpreter.cli import words

_LETTER_SPACE = re.compile(r"([a-z])([0-9]{1,2})$")
_NUMBER_SPACE = re.compile(r"c([0-9]{1,2})r([0-9]{1,2})$")
_CELL_WIDTH = 10
_PANEL_WIDTH = 36
"""As many players stand side by side as have this much room each."""

_Line = tuple[str, str]


def draw(view: Mapping[str, Any], players: Sequence[str], *, width: int = 80) -> RenderableType:
    """The whole table.

    Args:
        view: what a seat sees, as `State.view` gives it.
        players: the names of the seats, in order, as the view's indices spell them.
        width: the room there is, in characters.
    """
    middle: list[_Line] = []
    own: dict[str, list[_Line]] = {player: [] for player in players}
    grids: list[RenderableType] = []
    entries = [*view.get("zones", {}).items(), *view.get("variables", {}).items()]
    for name, entry in entries:
        if words.is_zone(entry) or not isinstance(entry, Mapping):
            middle.append((words.heading(name), _text(entry)))
        elif _per_player(entry, players):
            for player, part in entry.items():
                own[player] += _lines(words.heading(name), part)
        elif entry and all(_per_player(part, players) for part in entry.values()):
            for index, parts_of in entry.items():
                for player, part in parts_of.items():
                    own[player] += _lines(f"{words.heading(name)}, {words.words(str(index))}", part)
        elif spaces := _spaces(entry):
            lettered = not any(_NUMBER_SPACE.match(space) for space in entry)
            beside = {space: part for space, part in entry.items() if _place(space) is None}
            below = ", ".join(f"{words.words(space)} {_text(part)}" for space, part in beside.items())
            title = words.heading(name)
            grids.append(Panel(_grid(spaces, lettered), title=title, subtitle=below or None, expand=False))
        else:
            middle += _lines(words.heading(name), entry)
    parts: list[RenderableType] = [Text(where(view, players), style="bold")]
    if grids:
        parts.append(Columns(grids))
    if middle:
        parts.append(_rows(middle))
    seat = view.get("seat")
    me = players[seat] if isinstance(seat, int) else None
    panels = [
        Panel(_rows(lines), title=f"{player} (you)" if player == me else player, title_align="left")
        for player, lines in own.items()
        if lines
    ]
    if panels:
        parts.append(_side_by_side(panels, max(1, width // _PANEL_WIDTH)))
    return Group(*parts)


def where(view: Mapping[str, Any], players: Sequence[str]) -> str:
    """One line: the phase, inside which others, and whose turn it is."""
    phase = " › ".join(words.heading(str(name)) for name in view.get("phase") or ())
    turn = view.get("turn")
    whose = f"{players[turn]}'s turn" if isinstance(turn, int) else ""
    return ": ".join(part for part in (phase, whose) if part)


def _per_player(entry: Any, players: Sequence[str]) -> bool:
    return isinstance(entry, Mapping) and not words.is_zone(entry) and set(entry) <= set(players)


def _side_by_side(panels: Sequence[Panel], most: int) -> Table:
    """The panels in rows of equal lengths as far as possible, none longer than `most`."""
    rows = -(-len(panels) // most)
    columns = -(-len(panels) // rows)
    table = Table.grid(expand=True, padding=(0, 1, 0, 0))
    for _ in range(columns):
        table.add_column(ratio=1)
    for start in range(0, len(panels), columns):
        table.add_row(*panels[start : start + columns])
    return table


def _text(entry: Any) -> str:
    return words.zone(entry) if words.is_zone(entry) else words.value(entry)


def _lines(name: str, entry: Any) -> Iterator[_Line]:
    """The rows of an entry; of a map one for each index at which there is something."""
    if not isinstance(entry, Mapping) or words.is_zone(entry):
        yield name, _text(entry)
        return
    shown = {index: part for index, part in entry.items() if not words.is_empty(part)}
    if not shown:
        yield name, words.NOTHING
    elif all(not isinstance(part, Mapping) for part in shown.values()):
        yield name, ", ".join(f"{words.words(str(index))} {_text(part)}" for index, part in shown.items())
    else:
        for index, part in shown.items():
            yield from _lines(f"{name}, {words.words(str(index))}", part)


def _rows(lines: Sequence[_Line]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in lines:
        table.add_row(Text(name), Text(text))
    return table


def _spaces(entry: Mapping[str, Any]) -> dict[tuple[int, int], str]:
    """The texts by (column, row) where most indices are spaces of a grid as a1 or c1r1, else nothing."""
    found: dict[tuple[int, int], str] = {}
    for name, part in entry.items():
        if isinstance(part, Mapping) and not words.is_zone(part):
            return {}
        place = _place(name)
        if place is not None:
            found[place] = _text(part)
    return found if 2 * len(found) > len(entry) else {}


def _place(name: str) -> tuple[int, int] | None:
    """The column and row of a space of a grid."""
    if match := _LETTER_SPACE.match(name):
        return ord(match[1]) - ord("a") + 1, int(match[2])
    if match := _NUMBER_SPACE.match(name):
        return int(match[1]), int(match[2])
    return None


def _grid(spaces: Mapping[tuple[int, int], str], lettered: bool) -> Table:
    """A grid as on the table: row 1 nearest, column a (or 1) on the left."""
    columns = range(1, max(column for column, _ in spaces) + 1)
    longest = min(_CELL_WIDTH, max(3, *map(len, spaces.values())))
    table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=0)
    table.add_column(justify="right")
    for _ in columns:
        table.add_column(justify="center", width=longest)
    for row in range(max(row for _, row in spaces), min(row for _, row in spaces) - 1, -1):
        cells = [spaces.get((column, row), "") for column in columns]
        table.add_row(Text(str(row), style="cyan"), *(Text(cell, no_wrap=True, overflow="ellipsis") for cell in cells))
    names = [chr(ord("a") + column - 1) if lettered else str(column) for column in columns]
    table.add_row("", *(Text(name, style="cyan") for name in names))
    return table
