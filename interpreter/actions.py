"""Options as values: `Action`, the tables that make each once, and the fixed list of all of a game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from interpreter.compile.schemas import MOST_LISTED, Parameter, Schema, Schemas
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.game import Game


class Action:
    """One option of a decision: a name with typed arguments.

    There is one object for each option of a game, so actions are compared by identity and can be keys.

    Attributes:
        name: the declared action's name, or choose, pass, done.
        key: the arguments as run-time values (see `rulespec.check.types`).
        id: the place in `game.action_table`; None where an argument has no fixed list of values.
    """

    __slots__ = ("_plain", "_text", "action", "id", "key", "name", "table")

    def __init__(self, table: ActionTable, key: tuple[Any, ...], id: int | None) -> None:
        self.table, self.key, self.id = table, key, id
        self.name = table.schema.name
        self.action = table.action
        self._text = ""
        self._plain: Action | None = None

    @property
    def game(self) -> Game:
        """The game it belongs to."""
        return self.table.game

    @property
    def args(self) -> dict[str, str]:
        """The arguments by name, as texts."""
        text = self.game.tables.argument_text
        pairs = zip(self.table.schema.parameters, self.key, strict=True)
        return {p.name: "none" if v is None else text(p.type, v) for p, v in pairs}

    @property
    def plain(self) -> Action:
        """The option with the first copy of its row in the place of each component."""
        if self._plain is None:
            key = list(self.key)
            for n, (_, first) in self.table.copied.items():
                if key[n] is not None:
                    key[n] = first[key[n]]
            self._plain = self if tuple(key) == self.key else self.table.of(tuple(key))
        return self._plain

    def __str__(self) -> str:
        if not self._text:
            args = ", ".join(f"{name}={_quoted(text)}" for name, text in self.args.items())
            self._text = f"{self.name}({args})" if args else self.name
        return self._text

    def __repr__(self) -> str:
        return f"<Action {self}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.game, self.table.signature, self.key)

    @property
    def label(self) -> str:
        """A readable text: the label of the action in the spec, else its name and arguments."""
        return self.game.texts.action(self)


def _quoted(text: str) -> str:
    return text if text.translate(_BARE).isalnum() else f'"{text}"'


_BARE = str.maketrans("", "", "_-/#")
"""What may stand in an argument without quotes, beside letters and digits."""


def _restore(game: Game, signature: Any, key: tuple[Any, ...]) -> Action:
    return game.action_tables[signature].of(key)


class ActionTable(dict[Any, Action]):
    """All options of one schema; each is made when it is first asked for.

    Keys: the flat index of the arguments, or, where an argument has no fixed list of values, the arguments.
    """

    def __init__(self, game: Game, schema: Schema, base: int | None) -> None:
        super().__init__()
        self.game, self.schema, self.base = game, schema, base
        self.signature = (schema.name, schema.parameters, schema.action)
        self.action = list(game.spec.actions).index(schema.action) if schema.action else -1
        firsts = {n: (getattr(p.type, "name", ""), game.tables.first) for n, p in enumerate(schema.parameters)}
        self.copied = {n: (kind, first[kind]) for n, (kind, first) in firsts.items() if kind in first}
        """By parameter that takes components with copies: their kind, and the first copy of each one's row."""
        self.looks = Schemas(game.layout, game.tables.first).looks(schema) if self.copied else None
        """What tells options apart, for `runtime.support.look`; None where the arguments alone do."""
        self._digits = [(p.size or 0, p.plain_low, _reader(p)) for p in reversed(schema.parameters)]
        """Of the parameters, the last first: number of values, first value where they count up, any value."""
        self._size = schema.size

    def __missing__(self, place: Any) -> Action:
        if self._size is None:
            made = Action(self, tuple(place), None)
        else:
            made = Action(self, self._arguments(place), None if self.base is None else self.base + place)
        self[place] = made
        return made

    def listed(self) -> ActionTable | list[Action]:
        """The options by flat index, for emitted code: a list where there are few, which is quicker to read."""
        size = self.schema.size
        if size is None or size > MOST_LISTED:
            return self
        if len(self) < size:
            values = [map(p.value, range(p.size or 0)) for p in self.schema.parameters]
            for place, key in enumerate(product(*values)):
                if place not in self:
                    self[place] = Action(self, key, None if self.base is None else self.base + place)
        return [self[place] for place in range(size)]

    def _arguments(self, place: int) -> tuple[Any, ...]:
        values: list[Any] = []
        for size, low, value in self._digits:
            place, index = divmod(place, size)
            values.append(value(index) if low is None else index + low)
        return tuple(values[::-1])

    def of(self, key: tuple[Any, ...]) -> Action:
        """The option with these arguments."""
        if self._size is None:
            return self[tuple(key)]
        place = 0
        for parameter, value in zip(self.schema.parameters, key, strict=True):
            assert parameter.size is not None
            place = place * parameter.size + parameter.index(value)
        return self[place]


def _reader(parameter: Parameter) -> Callable[[int], Any]:
    """What gives the value of a parameter by its place; for the usual spots a function that only divides."""
    if isinstance(parameter.type, t.SpotType) and parameter.low == parameter.optional == 0:
        return _spot
    return parameter.value


def _spot(place: int) -> tuple[int, int]:
    return divmod(place, 4)


class ActionList(Sequence[Action]):
    """`game.action_table`: every option that a game can ever offer, at the index of its id."""

    def __init__(self, tables: Sequence[ActionTable]) -> None:
        self._tables = [table for table in tables if table.base is not None]
        self._length = sum(table.schema.size or 0 for table in self._tables)

    def __len__(self) -> int:
        return self._length

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        for table in self._tables:
            assert table.base is not None and table.schema.size is not None
            if table.base <= index < table.base + table.schema.size:
                return table[index - table.base]
        raise IndexError(index)

    def __iter__(self) -> Iterator[Action]:
        return (self[i] for i in range(len(self)))
