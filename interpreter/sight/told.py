"""Events and decisions in the form in which a seat tells them apart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.game import Game
    from interpreter.sight.lines import Lines
    from interpreter.sight.logs import Event

HIDDEN = "?"
"""In the place of an argument that the seat is not told."""

Key = tuple[Any, ...]


class Keys:
    """Events and actions in the form in which a seat tells them apart."""

    def __init__(self, game: Game, seat: int | None, words: Lines) -> None:
        self.game, self.seat, self.words = game, seat, words
        self.bit = game.sight.bit(seat)
        self.first = game.tables.first
        self._values: dict[str, str | None] = {}
        self._per: dict[str, bool] = {}
        for name, place in game.layout.variables.items():
            inner = place.variable.type
            while isinstance(inner, t.OptionalType):
                inner = inner.item
            self._values[name] = self._doubled(inner)
            self._per[name] = any(self._doubled(domain.type) for domain in place.per)

    def _doubled(self, type: t.Type) -> str | None:
        """The kind of a type of components of which there are look-alikes."""
        is_kind = isinstance(type, t.TableType) and type.name in self.first
        return type.name if is_kind else None  # type: ignore[attr-defined]

    def look(self, kind: str, c: Any) -> Any:
        """A component, look-alikes by their first."""
        first = self.first.get(kind)
        return c if first is None or c is None else first[c]

    def entry(self, variable: str, index: int) -> Any:
        """An entry of a variable; one per component by what that looks like."""
        if not self._per[variable]:
            return index
        per = self.game.layout.variables[variable].per
        indices = self.game.layout.unflat(per, index)
        return tuple(
            self.look(domain.type.name, value) if self._doubled(domain.type) else value  # type: ignore[attr-defined]
            for domain, value in zip(per, indices, strict=True)
        )

    def start(self, variable: str) -> Sequence[Any]:
        """What the entries of a variable start with."""
        return self.game.starts[variable]

    def value(self, variable: str, value: Any) -> Any:
        """A value of a variable."""
        kind = self._values[variable]
        return value if kind is None else self.look(kind, value)

    def event(self, event: Event | Any) -> Key | None:
        """An event; None where the seat does not notice it. Of "do" see `decision`."""
        if not event.aware & self.bit:
            return None
        seen = event.seen & self.bit
        match event.entry:
            case ("move", kind, c, source, target):
                if not seen:
                    return ("move", kind, None, source, target)
                return ("move", kind, self.look(kind, c), source, target, *event.detail[2:])
            case ("set", name, index, value):
                return ("set", name, self.entry(name, index), self.value(name, value)) if seen else None
            case ("turn", kind, c, face):
                return ("turn", kind, self.look(kind, c), face) if seen else None
            case ("reveal", kind, components, who):
                looks = tuple(self.look(kind, c) for c in components) if seen else len(components)
                return ("reveal", kind, looks, event.detail, who)
            case ("show", name, index, value, who):
                return ("show", name, self.entry(name, index), self.value(name, value) if seen else None, who)
            case ("over", winners, reason):
                return ("over", tuple(winners), reason)
            case ("settled",):
                return None
        return event.entry

    def events(self, events: Iterable[Event]) -> tuple[Key, ...]:
        """The events of a step; of several values of a variable only the last."""
        found: dict[Any, Key] = {}
        for place, event in enumerate(events):
            key = self.event(event) if event.entry[0] != "do" else None
            if key is not None:
                name: Any = key[:3] if key[0] == "set" else place
                found.pop(name, None)
                found[name] = key
        return tuple(found.values())

    def decision(self, event: Event, events: Sequence[Event]) -> tuple[str | None, tuple[Any, ...]]:
        """The name and arguments of what was decided, as far as the seat is told; events: all of the step."""
        _, who, action = event.entry
        shown = self.words.shown([e for e in events if e.aware & self.bit], self.bit)
        written = self.words.written(events, self.bit)
        hidden = self.words.hidden(event, who, action, self.bit, self.seat, shown, written)
        return (None, ()) if hidden is None else (action.name, self.arguments(action, hidden))

    def arguments(self, action: Action, hidden: Sequence[bool]) -> tuple[Any, ...]:
        """The arguments of an action, without the hidden ones."""
        found = []
        for parameter, value, is_hidden in zip(action.table.schema.parameters, action.key, hidden, strict=True):
            kind = self._doubled(parameter.type)
            found.append(HIDDEN if is_hidden else value if kind is None else self.look(kind, value))
        return tuple(found)


__all__ = ["HIDDEN", "Key", "Keys"]
