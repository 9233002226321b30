"""Components for people: views with labels instead of ids, and what stands on a component."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import interpreter
from interpreter.cli import words
from rulespec import checked as ir


def labelled(game: interpreter.Game, view: Mapping[str, Any]) -> dict[str, Any]:
    """The view of a game's state with each component in a zone as its label."""
    zones = {name: _zones(game, game.spec.zones[name].component, entry) for name, entry in view["zones"].items()}
    return {**view, "zones": zones}


def _zones(game: interpreter.Game, kind: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    if not words.is_zone(entry):
        return {index: _zones(game, kind, part) for index, part in entry.items()}
    shown = dict(entry)
    if "cards" in entry:
        names = [_label(game, kind, card) for card in entry["cards"]]
        for n, face in enumerate(entry.get("faces", ())):
            names[n] += f" ({words.words(face)})"
        for n, spot in enumerate(entry.get("spots", ())):
            names[n] += f" at {words.value(spot)}"
        shown["cards"] = names
    if entry.get("top") is not None:
        shown["top"] = _label(game, kind, entry["top"])
        if "top_face" in entry:
            shown["top"] += f" ({words.words(entry['top_face'])})"
    return shown


def _label(game: interpreter.Game, kind: str, card: str) -> str:
    row = game.tables.numbers[kind].get(card)
    return card if row is None else game.texts.row(kind, row)


def seen_rows(game: interpreter.Game, view: Mapping[str, Any]) -> list[tuple[str, int]]:
    """The components that a view shows, as their kinds and rows, each once."""
    found: dict[tuple[str, int], None] = {}
    for name, entry in view["zones"].items():
        kind = game.spec.zones[name].component
        for card in _cards(entry):
            found[kind, game.tables.numbers[kind][card]] = None
    return list(found)


def _cards(entry: Mapping[str, Any]) -> Iterator[str]:
    if words.is_zone(entry):
        yield from entry.get("cards", ())
        if entry.get("top") is not None:
            yield entry["top"]
    else:
        for part in entry.values():
            yield from _cards(part)


def rows_called(game: interpreter.Game, text: str) -> list[tuple[str, int]]:
    """The components with a text in their label or id, as their kinds and rows."""
    wanted = text.lower()
    return [
        (table.name, row)
        for table in game.spec.tables.values()
        if table.kind == "component"
        for id, row in game.tables.numbers[table.name].items()
        if wanted in id.lower() or wanted in game.texts.row(table.name, row).lower()
    ]


def described(game: interpreter.Game, kind: str, row: int) -> str:
    """A component with what stands on it; rules in its row are left out."""
    table = game.spec.tables[kind]
    fields = [_field(game, table, column, row) for column in table.fields.values() if column.params is None]
    return f"{game.texts.row(kind, row)}: {', '.join(text for text in fields if text)}"


def _field(game: interpreter.Game, table: ir.Table, column: ir.Field, row: int) -> str:
    """`number 7`; of a field with an index all values in its order."""
    columns, name = game.tables.columns, f"{table.name}_{column.name}"
    if column.per_face:
        values = [columns[f"{name}_{face}"][row] for face in table.faces]
    elif column.index:
        each = len(columns[name]) // len(game.tables.ids[table.name])
        values = columns[name][row * each : (row + 1) * each]
    else:
        values = [columns[name][row]]
    return f"{words.words(column.name)} {' / '.join(game.texts.show(column.type, value) for value in values)}"
