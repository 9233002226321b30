"""The table of a game drawn for a terminal from a seat's view: plain data in, rich panels out.

What belongs to a player stands in that player's panel, and all players stand side by side; what is
indexed by the spaces of a grid is drawn as one map, with the players where they stand; the rest are rows
in the middle.
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


def draw(
    view: Mapping[str, Any],
    players: Sequence[str],
    *,
    width: int = 80,
    laid: Mapping[str, RenderableType] | None = None,
) -> RenderableType:
    """The whole table.

    Args:
        view: what a seat sees, as `State.view` gives it.
        players: the names of the seats, in order, as the view's indices spell them.
        width: the room there is, in characters.
        laid: pictures of zones whose pieces lie on boards (see `interpreter.cli.laid_maps`).
    """
    middle: list[_Line] = []
    own: dict[str, list[_Line]] = {player: [] for player in players}
    maps: dict[frozenset[str], dict[str, Mapping[str, Any]]] = {}
    beside = set(view.get("beside_rows") or ())
    entries = {**view.get("zones", {}), **view.get("variables", {})}
    for name, entry in entries.items():
        if words.is_zone(entry) or not isinstance(entry, Mapping):
            middle.append((words.heading(name), _text(entry)))
        elif _per_player(entry, players):
            for player, part in entry.items():
                own[player] += _lines(words.heading(name), part)
        elif entry and all(_per_player(part, players) for part in entry.values()):
            for index, parts_of in entry.items():
                for player, part in parts_of.items():
                    own[player] += _lines(f"{words.heading(name)}, {words.words(str(index))}", part)
        elif _is_map(entry):
            maps.setdefault(frozenset(entry), {})[name] = entry
        elif name not in beside:
            middle += _lines(words.heading(name), entry)
    rows = {name: entries[name] for name in beside if name in entries} if len(maps) == len(beside) == 1 else {}
    middle += [
        line for name in beside - set(rows) if name in entries for line in _lines(words.heading(name), entries[name])
    ]
    grids = [_map(layers, _standing(spaces, entries, players), rows, width) for spaces, layers in maps.items()]
    parts: list[RenderableType] = [Text(where(view, players), style="bold")]
    for name, picture in (laid or {}).items():
        parts.append(Panel(picture, title=words.heading(name), title_align="left", expand=False))
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
        yield name, ", ".join(f"{_index(index)} {_text(part)}" for index, part in shown.items())
    else:
        for index, part in shown.items():
            yield from _lines(f"{name}, {words.words(str(index))}", part)


def _index(index: Any) -> str:
    """An index in front of what stands there; a number with a colon, for a number may follow."""
    name = words.words(str(index))
    return f"{name}:" if name.isdigit() else name


def _rows(lines: Sequence[_Line]) -> Table:
    table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for name, text in lines:
        table.add_row(Text(name), Text(text))
    return table


def _is_map(entry: Mapping[str, Any]) -> bool:
    """Whether most indices are spaces of a grid as a1 or c1r1, each with one thing."""
    if any(isinstance(part, Mapping) and not words.is_zone(part) for part in entry.values()):
        return False
    return 2 * sum(_place(name) is not None for name in entry) > len(entry)


def _standing(spaces: frozenset[str], entries: Mapping[str, Any], players: Sequence[str]) -> dict[str, list[str]]:
    """The players by the space where something of theirs stands: their only variables with a space as a value."""
    found: dict[str, list[str]] = {}
    for entry in entries.values():
        if not _per_player(entry, players):
            continue
        if all(isinstance(place, str) and place in spaces for place in entry.values()):
            for player, place in entry.items():
                found.setdefault(place, []).append(player)
    return found


def _map(
    layers: Mapping[str, Mapping[str, Any]],
    standing: Mapping[str, Sequence[str]],
    rows: Mapping[str, Mapping[str, Any]],
    width: int,
) -> Panel:
    """One map with all that is indexed by its spaces, the players on it, and beside it what its rows have."""
    texts: dict[str, list[str]] = {}
    for space in next(iter(layers.values())):
        things = [_text(layer[space]) for layer in layers.values()]
        texts[space] = [thing for thing in things if thing != words.NOTHING] + list(standing.get(space, ()))
    grid = {place: lines for space, lines in texts.items() if (place := _place(space)) is not None}
    lettered = not any(_NUMBER_SPACE.match(space) for space in texts)
    around = [
        f"{words.words(space)}: {', '.join(lines)}" for space, lines in texts.items() if lines and _place(space) is None
    ]
    title = ", ".join((words.heading(name) if not n else words.words(name)) for n, name in enumerate(layers))
    return Panel(_grid(grid, rows, lettered, width), title=title, subtitle="; ".join(around) or None, expand=False)


def _place(name: str) -> tuple[int, int] | None:
    """The column and row of a space of a grid."""
    if match := _LETTER_SPACE.match(name):
        return ord(match[1]) - ord("a") + 1, int(match[2])
    if match := _NUMBER_SPACE.match(name):
        return int(match[1]), int(match[2])
    return None


def _grid(
    spaces: Mapping[tuple[int, int], Sequence[str]], beside: Mapping[str, Mapping[str, Any]], lettered: bool, width: int
) -> Table:
    """A grid as on the table: row 1 nearest, column a (or 1) on the left."""
    columns = range(1, max(column for column, _ in spaces) + 1)
    longest = max([3, *(len(line) for lines in spaces.values() for line in lines)])
    room = (
        width - 12 - sum(2 + max(map(len, map(_text, by_row.values())), default=0) for by_row in beside.values())
    ) // len(columns)
    table = Table(box=box.SQUARE, show_header=False, show_lines=True, padding=0)
    table.add_column(justify="right")
    for _ in columns:
        table.add_column(justify="center", overflow="fold", width=max(3, min(_CELL_WIDTH, longest, room - 1)))
    for _ in beside:
        table.add_column(no_wrap=True)
    for row in range(max(row for _, row in spaces), min(row for _, row in spaces) - 1, -1):
        cells = [
            "\n".join(spaces[column, row]) or words.NOTHING if (column, row) in spaces else "" for column in columns
        ]
        extra = [_text(by_row[str(row)]) if str(row) in by_row else "" for by_row in beside.values()]
        table.add_row(Text(str(row), style="cyan"), *map(Text, cells), *map(Text, extra))
    names = [chr(ord("a") + column - 1) if lettered else str(column) for column in columns]
    table.add_row("", *(Text(name, style="cyan") for name in [*names, *map(words.words, beside)]))
    return table
