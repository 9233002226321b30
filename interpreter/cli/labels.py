"""Components for people: views with labels instead of ids, and what stands on a component."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import interpreter
from interpreter.cli import words
from interpreter.compile.layout import VariableLayout
from rulespec import checked as ir
from rulespec.check import types as t


def labelled(game: interpreter.Game, view: Mapping[str, Any]) -> dict[str, Any]:
    """The view of a game's state as people read it.

    Components in zones have their labels, values of variables are words. What says nothing is left out: no, none, and
    in lists 0 and the word that all entries have at the start. On boards it is None. Of what is only yes or no, the
    indices that are yes are listed. `beside_rows` names the variables with one entry for each row of a board.
    """
    zones = {name: _zones(game, game.spec.zones[name].component, entry) for name, entry in view["zones"].items()}
    variables = {}
    for name, entry in view["variables"].items():
        if not game.spec.variables[name].shown:
            continue
        shown = _entries(game, game.layout.variables[name], 0, entry)
        if shown is not _NOTHING:
            variables[name] = shown
    return {**view, "zones": zones, "variables": variables, "beside_rows": _beside_rows(game)}


_NOTHING = object()


def _entries(game: interpreter.Game, place: VariableLayout, depth: int, entry: Any) -> Any:
    """The entries of a variable in words, from the index at `depth` on; `_NOTHING` if none says something."""
    type = place.variable.type
    if depth == len(place.per):
        listed = depth > 0 and not isinstance(place.per[-1].type, t.PlayerType)
        nothing = entry is None or entry is False or (listed and (entry == 0 or _is_start(game, place, entry)))
        return _NOTHING if nothing else _words(game, type, entry)
    domain = place.per[depth].type
    on_board = isinstance(domain, t.TableType) and domain.name in game.spec.boards
    parts = {index: _entries(game, place, depth + 1, part) for index, part in entry.items()}
    said = {index: part for index, part in parts.items() if part is not _NOTHING}
    if on_board and said:
        return {index: None if part is _NOTHING else part for index, part in parts.items()}
    if isinstance(domain, t.TableType):
        said = {_label(game, domain.name, index): part for index, part in said.items()}
    if said and isinstance(type, t.BoolType) and depth == len(place.per) - 1 and not isinstance(domain, t.PlayerType):
        return [words.words(index) for index in said]
    return said or _NOTHING


def _is_start(game: interpreter.Game, place: VariableLayout, entry: Any) -> bool:
    """Whether an entry is the word that all entries have at the start."""
    start, type = place.variable.start, place.variable.type
    if not isinstance(type, t.EnumType) or (start is not None and not isinstance(start, ir.Const)):
        return False
    value = start.value if isinstance(start, ir.Const) else 0
    return isinstance(value, int) and entry == game.spec.enums[type.name][value]


def _words(game: interpreter.Game, type: t.Type, entry: Any) -> Any:
    """A value of a variable: labels of rows, words for names with `_`."""
    match type:
        case t.OptionalType(item):
            return _words(game, item, entry)
        case t.ListType(item) | t.SetType(item):
            return [_words(game, item, part) for part in entry]
        case t.TableType(name=name):
            return _label(game, name, entry)
        case t.EnumType():
            return words.words(entry)
    return entry


def _beside_rows(game: interpreter.Game) -> list[str]:
    """The variables whose one index has the values of the row numbers of a board."""
    rows = [
        board.fields["row"].type
        for board in game.spec.tables.values()
        if board.name in game.spec.boards and "row" in board.fields
    ]
    found = []
    for name, place in game.layout.variables.items():
        if place.exists and len(place.per) == 1 and place.variable.per[0].type in rows:
            found.append(name)
    return found


def _zones(game: interpreter.Game, kind: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    if not words.is_zone(entry):
        return {index: _zones(game, kind, part) for index, part in entry.items()}
    shown = dict(entry)
    if "cards" in entry:
        names = [_label(game, kind, card) for card in entry["cards"]]
        for n, face in enumerate(entry.get("faces", ())):
            names[n] += f" ({words.words(face)})"
        for n, spot in enumerate(entry.get("spots", ())):
            named = names[n] if names[n].startswith(entry["cards"][n]) else f"{entry['cards'][n]} {names[n]}"
            names[n] = f"{named} at {words.value(spot)}"
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
