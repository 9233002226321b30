"""What lies where in a position, for one viewer: the entries of a view with the words of a book."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from attrs import frozen

from interpreter.rulebook.pictures import colours
from interpreter.rulebook.pictures.values import Value, facts, first_colour, labelled, shown
from interpreter.rulebook.pictures.wording import word
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.layout import Domain
    from interpreter.game import Game
    from interpreter.rulebook.blocks import Names


@frozen(slots=False)
class Leaf:
    """One zone or one entry of a variable.

    Attributes:
        contents: what it is an entry of.
        name: the zone's or variable's identifier.
        seat: the seat whose it is, or None.
        place: the texts of its indices, as views spell them.
        kind: the components of a zone; "" for a variable.
        entry: as views have it.
    """

    contents: Contents
    name: str
    seat: int | None
    place: tuple[str, ...]
    kind: str
    entry: Any

    # Of thousands of entries a picture shows a few, so their words are made when they are asked for.
    @cached_property
    def label(self) -> str:
        """What it is called, with the words of its indices but for the seat."""
        return self.contents.label(self)

    @cached_property
    def value(self) -> Value | None:
        """The value of a variable."""
        return None if self.kind else self.contents.value(self.contents.type(self.name), self.entry)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to show."""
        if self.value is not None:
            return self.value.is_nothing
        return not self.entry.get("count") and not self.entry.get("cards") and self.entry.get("top") is None


class Contents:
    """The entries of one view."""

    def __init__(self, game: Game, names: Names, view: Mapping[str, Any]) -> None:
        self.game, self.names, self.view = game, names, view
        self._seats = {game.seat_name(seat): seat for seat in range(game.seats)}
        self._words: dict[tuple[t.Type, str], str] = {}

    @cached_property
    def leaves(self) -> list[Leaf]:
        """Every zone, then every variable that is shown, by their indices in order."""
        found: list[Leaf] = []
        for name, entry in self.view["zones"].items():
            found += self._leaves(name, self.game.spec.zones[name].component, entry)
        for name, entry in self.view["variables"].items():
            if self.game.spec.variables[name].shown:
                found += self._leaves(name, "", entry)
        return found

    def _leaves(self, name: str, kind: str, entry: Any) -> Iterator[Leaf]:
        per = self._per(name, kind)
        seats = next((n for n, domain in enumerate(per) if isinstance(domain.type, t.PlayerType)), None)

        def walk(depth: int, part: Any, place: tuple[str, ...]) -> Iterator[Leaf]:
            if depth == len(per):
                yield Leaf(self, name, None if seats is None else self._seats.get(place[seats]), place, kind, part)
                return
            for index, inner in part.items():
                yield from walk(depth + 1, inner, (*place, index))

        yield from walk(0, entry, ())

    def _per(self, name: str, kind: str) -> Sequence[Domain]:
        layout = self.game.layout
        return layout.zones[name].per if kind else layout.variables[name].per

    def type(self, name: str) -> t.Type:
        """The type of a variable."""
        return self.game.layout.variables[name].variable.type

    def label(self, leaf: Leaf) -> str:
        """What an entry is called, with the words of its indices but for its seat."""
        label = self.names.of("zone" if leaf.kind else "variable", leaf.name)
        label = label[:1].upper() + label[1:]
        further, has_seat = [], False
        for domain, index in zip(self._per(leaf.name, leaf.kind), leaf.place, strict=True):
            if isinstance(domain.type, t.PlayerType) and not has_seat:
                has_seat = self._seats.get(index) is not None
            else:
                further.append(self.index(domain.type, index))
        return f"{label}, {', '.join(further)}" if further else label

    def index(self, type: t.Type, text: str) -> str:
        """The words for an index that a view spells as a text."""
        if isinstance(type, t.NumberType):
            return text
        if (type, text) not in self._words:
            self._words[type, text] = self.value(type, text).text
        return self._words[type, text]

    def value(self, type: t.Type, entry: Any) -> Value:
        """A value that a view spells as plain JSON."""
        if isinstance(type, t.OptionalType):
            return self.value(type.item, entry)
        if entry is None:
            return Value(word(self.names, "picture_nothing"), is_nothing=True)
        match type:
            case t.EnumType(name):
                return shown(self.game, self.names, type, self.game.spec.enums[name].index(entry))
            case t.PlayerType():
                seat = self._seats.get(entry, 0)
                return Value(self.seat(seat), colours.of_seat(seat))
            case t.TableType(name=name):
                return Value(self.row(name, str(entry)))
            case t.BoolType():
                return shown(self.game, self.names, type, entry)
            case t.ListType(item) | t.SetType(item):
                return Value(", ".join(self.value(item, one).text for one in entry) or "–", is_nothing=not entry)
            case t.NumberType():
                return Value(str(entry).replace("-", "−"), is_number=True, is_nothing=entry == 0)
        return Value(str(entry).replace("_", " "))

    def row(self, table: str, id: str) -> str:
        """The label of a row that a view names by its id; look-alikes have a number after it."""
        number = self.game.tables.numbers[table].get(id.partition("#")[0])
        return id.replace("_", " ") if number is None else labelled(self.game, self.names, table, number)

    def seat(self, seat: int) -> str:
        """What a seat is called."""
        if self.game.spec.source.seat_names:
            name = self.game.seat_name(seat).replace("_", " ")
            return name[:1].upper() + name[1:]
        return word(self.names, "picture_player", number=seat + 1)

    def card(self, kind: str, id: str, face: str) -> Value:
        """A component as lies on the table: its label, with what its face shows."""
        row = self.game.tables.numbers[kind].get(id)
        if row is None:
            return Value(id.replace("_", " "))
        label = labelled(self.game, self.names, kind, row)
        return Value(label, first_colour(facts(self.game, self.names, kind, row, face)))

    def on_face(self, kind: str, id: str, face: str) -> str:
        """What stands on a face of a component and not on the others, in a line."""
        row = self.game.tables.numbers[kind].get(id)
        if row is None or not face:
            return ""
        fields = self.game.spec.tables[kind].fields
        found = [fact for fact in facts(self.game, self.names, kind, row, face) if fields[fact.field].per_face]
        texts = [
            fact.label if fact.kind == "flag" else f"{value.text} {fact.label}" if value.is_number else value.text
            for fact in found
            for value in (fact.values or (Value(fact.label),))
            if not (value.is_number and value.is_nothing)
        ]
        return ", ".join(texts)

    def where(self) -> str:
        """The phase going on, the innermost last, and whose turn it is."""
        phases = [self.names.of("phase", name) for name in self.view["phase"]]
        text = " › ".join(name[:1].upper() + name[1:] for name in phases)
        turn = self.view["turn"]
        if turn is not None and self.game.seats > 1:
            text = f"{text} · {self.seat(turn)}" if text else self.seat(turn)
        return text
