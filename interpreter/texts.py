"""Texts of values and actions: names, labels, and reading them back."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.actions import Action, ActionTable
from interpreter.runtime.support import LARGEST
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.shared import Shared
    from interpreter.game import Game

_ACTION = re.compile(r"\s*(\w+)\s*(?:\((.*)\))?\s*", re.DOTALL)
_ARGUMENT = re.compile(r'\s*(\w+)\s*=\s*(?:"([^"]*)"|\[([^\]]*)\]|([^,\[\]"]*))\s*(?:,|$)')


class Texts:
    """What a game calls its values, for people."""

    def __init__(self, game: Game) -> None:
        self.game = game

    # ------------------------------------------------------------ showing

    def show(self, type: t.Type, value: Any) -> str:
        """A value for people: labels of rows, words for names with `_`."""
        if value is None:
            return "none"
        tables = self.game.tables
        match type:
            case t.OptionalType(item):
                return self.show(item, value)
            case t.TableType(name=name):
                return self.row(name, value)
            case t.ListType(item) | t.SetType(item):
                return ", ".join(self.show(item, v) for v in tables.members(type, value)) or "nothing"
            case t.BoolType():
                return "yes" if value else "no"
            case t.EnumType():
                return tables.value_text(type, value).replace("_", " ")
            case t.NumberType():
                return number(value)
        return tables.value_text(type, value)

    def row(self, table: str, row: int) -> str:
        """The label of a row, else its id."""
        declared = self.game.spec.tables[table]
        if declared.label is None:
            return self.game.tables.ids[table][row].replace("_", " ")
        columns = self.game.tables.columns
        values = [columns.get(f"{table}_{local.name}", [None] * (row + 1))[row] for local in declared.row_locals]
        return self.game.module().function(f"label_row_{table}")(None, *values)  # type: ignore[no-any-return]

    def shower(self, shared: Shared) -> Callable[[int, Any], str]:
        """The function `show(n, value)` of a module."""
        shown = shared.shown
        return lambda n, value: self.show(shown[n], value)

    def action(self, action: Action) -> str:
        """The label of an option: of the declared action, else its name with its arguments.

        Where a copy of a component has a number, it stands behind, as in `Take: gold (gold#2)`.
        """
        label = self._action(action)
        if action.plain is action:
            return label
        first = action.plain.args
        marks = [text for name, text in action.args.items() if text != first[name]]
        return f"{label} ({', '.join(mark.replace('_', ' ') for mark in marks)})"

    def _action(self, action: Action) -> str:
        schema = action.table.schema
        if schema.action:
            declared = self.game.spec.actions[schema.action]
            if declared.label is not None:
                function = self.game.module().function(f"label_{schema.action}")
                return function(None, 0, *action.key)  # type: ignore[no-any-return]
        pairs = list(zip(schema.parameters, action.key, strict=True))
        values = [self.show(p.type, v) for p, v in pairs]
        if schema.name == "choose":
            # A bare number would look like the number of an option in a list.
            named = [f"{p.name.replace('_', ' ')} " if isinstance(p.type, t.NumberType) else "" for p, _ in pairs]
            return ", ".join(name + value for name, value in zip(named, values, strict=True))
        name = schema.name.replace("_", " ")
        name = name[:1].upper() + name[1:]
        return f"{name}: {', '.join(values)}" if values else name

    def out_of_range(self, variable: str, index: int, value: Any) -> str:
        """The message for a value that does not fit."""
        place = self.game.layout.variables[variable]
        names = ""
        if place.per:
            indices = self.game.layout.unflat(place.per, index)
            value_text = self.game.tables.value_text
            shown_indices = [value_text(d.type, i) for d, i in zip(place.per, indices, strict=True)]
            names = f"[{', '.join(shown_indices)}]"
        if isinstance(value, (int, Fraction)) and not -LARGEST <= value <= LARGEST:
            return f"`{variable}{names}` would be beyond {LARGEST:,}, the largest that a number may be"
        low = "" if place.low is None else number(place.low)
        high = "" if place.high is None else number(place.high)
        kind = place.variable.type
        shown = number(value) if isinstance(value, (int, Fraction)) and not isinstance(value, bool) else value
        if place.low is None and place.high is None:
            shown = self.game.tables.value_text(kind, value)
            return f"`{variable}{names}` would be {shown}, which its type does not have"
        return f"`{variable}{names}` would be {shown}, outside its range {low}..{high}"

    # ------------------------------------------------------------ reading

    def normal(self, text: str) -> str:
        """An action's text with blanks, quotes and the order of arguments made alike."""
        found = _ACTION.fullmatch(text)
        if found is None:
            return text
        arguments = self.arguments(found[2] or "")
        if arguments is None:
            return text
        return f"{found[1]}({sorted(arguments.items())})"

    @staticmethod
    def arguments(text: str) -> dict[str, str] | None:
        """`a=b, c=d` as a dict; None where it cannot be read."""
        arguments: dict[str, str] = {}
        place = 0
        while place < len(text.rstrip()):
            found = _ARGUMENT.match(text, place)
            if found is None or found.end() == place:
                return None
            quoted, listed, plain = found[2], found[3], found[4]
            value = quoted if quoted is not None else f"[{listed}]" if listed is not None else plain
            arguments[found[1]] = value.strip()
            place = found.end()
        return arguments

    def parse(self, text: str, table: ActionTable) -> Action | None:
        """The option of a table with this text, or None."""
        found = _ACTION.fullmatch(text)
        if found is None or found[1] != table.schema.name:
            return None
        arguments = self.arguments(found[2] or "")
        if arguments is None or set(arguments) != {p.name for p in table.schema.parameters}:
            return None
        key: list[Any] = []
        for parameter in table.schema.parameters:
            given = arguments[parameter.name]
            if given == "none" and parameter.optional:
                key.append(None)
                continue
            try:
                key.append(self.read(parameter.type, given))
            except (KeyError, ValueError):
                return None
            if parameter.size is not None and not parameter.optional <= parameter.index(key[-1]) < parameter.size:
                return None
        return table.of(tuple(key))

    def read(self, type: t.Type, text: str) -> Any:
        """The value with this text.

        Raises:
            KeyError, ValueError: no value of the type has it.
        """
        game = self.game
        match type:
            case t.BoolType():
                return {"true": True, "false": False}[text]
            case t.PlayerType():
                return [game.seat_name(s) for s in range(game.seats)].index(text)
            case t.EnumType(name):
                return game.spec.enums[name].index(text)
            case t.TableType(name=name):
                return self._component(name, text)
            case t.NumberType():
                value = Fraction(text)
                return int(value) if value.denominator == 1 else value
            case t.SpotType(board):
                space, _, turns = text.rpartition("/")
                return game.tables.numbers[board][space], range(4).index(int(turns))
            case t.PortType(board, component):
                piece, where, direction = text.rsplit("/", 2)
                cell = -1 - int(where) if where.isdigit() else game.tables.numbers[board][where]
                return game.tables.numbers[component][piece], cell, game.spec.enums["Direction"].index(direction)
        raise ValueError(text)

    def _component(self, kind: str, text: str) -> int:
        """The row with this text; of copies the first, or the one with the number after `#`."""
        tables = self.game.tables
        if text in tables.numbers[kind] or kind not in tables.first:
            return tables.numbers[kind][text]
        id, _, copy = text.rpartition("#")
        row = tables.numbers[kind][id]
        number = row + int(copy) - 1
        if f"{number - row + 1}" != copy or number == row or tables.first[kind][number : number + 1] != (row,):
            raise ValueError(text)
        return number


def number(value: Any) -> str:
    """A number for people: halves as ½."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator == 2:
        whole = int(value)
        sign = "-" if value < 0 and whole == 0 else ""
        return f"{sign}{whole or ''}½"
    return str(value)
