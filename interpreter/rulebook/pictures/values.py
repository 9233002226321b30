"""What stands on a card: the fields of a row as facts that can be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from attrs import frozen

from interpreter.rulebook.pictures import colours
from interpreter.rulebook.pictures.wording import word
from interpreter.texts import number
from rulespec import checked as ir
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.rulebook.blocks import Names


@frozen
class Value:
    """A value as shown. colour: the fill that stands for it, or "" where it has none."""

    text: str
    colour: str = ""
    is_number: bool = False
    is_nothing: bool = False


@frozen
class Fact:
    """A field with its values.

    Attributes:
        field: its identifier.
        label: what it is called.
        kind: `value` for one, `values` for a set, `strip` for one by a number or name (`heads` are those), `grid` for
            one by two (`heads` of the columns, `rows` of the rows), `text` for words, `flag` for a yes.
        values: row by row.
    """

    field: str
    label: str
    kind: str
    values: tuple[Value, ...]
    heads: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()


def shown(game: Game, names: Names, type: t.Type, value: Any) -> Value:
    """A value for people, in the words of the book."""
    if value is None:
        return Value(word(names, "picture_nothing"), is_nothing=True)
    match type:
        case t.OptionalType(item):
            return shown(game, names, item, value)
        case t.EnumType(name):
            text = game.spec.enums[name][value]
            return Value(names.of("value", f"{name}.{text}"), colours.of_value(text, value))
        case t.PlayerType():
            return Value(game.seat_name(value).replace("_", " "), colours.of_seat(value))
        case t.BoolType():
            return Value(word(names, "picture_yes" if value else "picture_no"), is_nothing=not value)
        case t.NumberType():
            return Value(number(value), is_number=True, is_nothing=value == 0)
        case t.SetType(item) | t.ListType(item):
            members = [shown(game, names, item, v).text for v in game.tables.members(type, value)]
            return Value(", ".join(members) or "–", is_nothing=not members)
    return Value(game.texts.show(type, value))


def labelled(game: Game, names: Names, table: str, row: int) -> str:
    """The label of a row, as the book has it."""
    return names.labelled(table, game.tables.ids[table][row].partition("#")[0], game.texts.row(table, row))


def facts(game: Game, names: Names, kind: str, row: int, face: str = "") -> list[Fact]:
    """The fields of a row, without rules and without the column that draws its shape.

    Args:
        game: where the row is.
        names: what things are called.
        kind: the table.
        row: its number.
        face: for fields per face only this one; "" for all of them, each with the face's name.
    """
    table = game.spec.tables[kind]
    found: list[Fact] = []
    for column in table.fields.values():
        if column.params is None and not (table.shape is not None and column.name == table.shape.column):
            found += _facts(game, names, table, column, row, face)
    return found


def _facts(game: Game, names: Names, table: ir.Table, column: ir.Field, row: int, face: str) -> list[Fact]:
    columns, name = game.tables.columns, f"{table.name}_{column.name}"
    label = names.of("field", f"{table.name}.{column.name}")
    if column.per_face:
        faces = [face] if face else list(table.faces)
        parts: list[Fact] = []
        by_face = {one: columns[f"{name}_{one}"][row] for one in faces}
        if len(set(by_face.values())) == 1:
            return _plain(game, names, column, label, by_face[faces[0]])
        for one, value in by_face.items():
            head = label if face else f"{label}, {names.of('face', one)}"
            parts += _plain(game, names, column, head, value)
        return parts
    if column.index:
        return _indexed(game, names, table, column, label, row)
    value = columns[name][row]
    if isinstance(column.type, t.TextType) and value:
        row_id = game.tables.ids[table.name][row].partition("#")[0]
        is_label = value == game.texts.row(table.name, row)
        key = f"rows.{table.name}.{row_id}.{column.name}"
        value = names.text(key, labelled(game, names, table.name, row) if is_label else value)
    return _plain(game, names, column, label, value)


def _plain(game: Game, names: Names, column: ir.Field, label: str, value: Any) -> list[Fact]:
    if value is None or value == "":
        return []
    if isinstance(column.type, t.BoolType):
        return [Fact(column.name, label, "flag", ())] if value else []
    if isinstance(column.type, t.TextType):
        return [Fact(column.name, label, "text", (Value(str(value)),))]
    if isinstance(column.type, t.SetType | t.ListType):
        members = game.tables.members(column.type, value)
        values = tuple(shown(game, names, column.type.item, v) for v in members)
        return [Fact(column.name, label, "values", values)] if values else []
    return [Fact(column.name, label, "value", (shown(game, names, column.type, value),))]


def _indexed(game: Game, names: Names, table: ir.Table, column: ir.Field, label: str, row: int) -> list[Fact]:
    domains = [game.layout.domain_of(declared) for declared in column.index]
    cells = game.tables.columns[f"{table.name}_{column.name}"]
    start = row * prod(domain.size for domain in domains)
    axes = [game.tables.domain_values(declared) for declared in column.index]
    heads = [
        tuple(shown(game, names, declared.type, value).text for value in axis)
        for declared, axis in zip(column.index, axes, strict=True)
    ]
    values = tuple(
        shown(game, names, column.type, cells[start + game.layout.flat(domains, place)]) for place in product(*axes)
    )
    if len(domains) == 1:
        if not isinstance(domains[0].type, t.NumberType):
            kept = [n for n, value in enumerate(values) if not value.is_nothing]
            if not kept:
                return []
            return [Fact(column.name, label, "strip", tuple(values[n] for n in kept), tuple(heads[0][n] for n in kept))]
        return [Fact(column.name, label, "strip", values, heads[0])]
    if len(domains) == 2:
        return [Fact(column.name, label, "grid", values, heads[1], heads[0])]
    return []


def first_colour(found: Sequence[Fact]) -> str:
    """The colour of a card: that of its first value that has one, or ""."""
    return next((value.colour for fact in found if fact.kind == "value" for value in fact.values if value.colour), "")
