"""The lines of the log: events of one step as readable text, for one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.sight.secrets import Secrets
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.compile.module import Module
    from interpreter.game import Game
    from interpreter.sight.logs import Event

Written = tuple[set[str], set[str]]
"""Variables that a viewer sees set in a step, and those that are set without that."""

NAMED = 12
"""Of more components than this that move at once, only the number is told."""


class Namer:
    """What components, zones and entries of variables are called in sentences.

    A book that has better names than the identifiers of the spec makes its own.
    """

    def __init__(self, game: Game) -> None:
        self.game = game

    def word(self, kind: str, name: str) -> str:
        """What a declared thing is called; kind: zone, variable, phase, action, face or table."""
        return name if kind == "table" else _words(name)

    def several(self, table: str) -> str:
        """The name of a kind of components in the plural."""
        return _several(table)

    def show(self, type: t.Type, value: Any) -> str:
        """A value."""
        return self.game.texts.show(type, value)

    def place(self, number: int) -> str:
        """The name of an instance of a zone: the deck, player_1's hand, the pen (left)."""
        name, index = self.game.layout.instances[number]
        if name.startswith("box "):
            return "the box"
        place = self.game.layout.zones[name]
        return self._named(self.word("zone", name), place.per, index, "the ")

    def entry(self, variable: str, index: int) -> str:
        """The name of an entry of a variable."""
        return self._named(self.word("variable", variable), self.game.layout.variables[variable].per, index, "")

    def owned(self, variable: str, index: int) -> str:
        """The name of a variable with whom an entry belongs to; "" where nothing else tells entries apart."""
        per = self.game.layout.variables[variable].per
        base, others = self._parts(self.word("variable", variable), per, index, "")
        return base if others else ""

    def others(self, variable: str, index: int) -> str:
        """The indices of an entry without the seat that it belongs to."""
        return " ".join(self._parts(variable, self.game.layout.variables[variable].per, index, "")[1])

    def _named(self, name: str, per: Sequence[Any], index: int, article: str) -> str:
        base, others = self._parts(name, per, index, article)
        return f"{base} ({', '.join(others)})" if others else base

    def _parts(self, name: str, per: Sequence[Any], index: int, article: str) -> tuple[str, list[str]]:
        indices = self.game.layout.unflat(per, index)
        owner, others = None, []
        for domain, value in zip(per, indices, strict=True):
            if isinstance(domain.type, t.PlayerType) and owner is None:
                owner = value
            else:
                others.append(self.show(domain.type, value))
        base = f"{article}{name}" if owner is None else f"{self.game.seat_name(owner)}'s {name}"
        return base, others

    def kinds(self, number: int) -> str:
        """What lies in a zone, as `Cards`."""
        name, _ = self.game.layout.instances[number]
        return self.several(self.game.layout.zones[name].zone.component)

    def label(self, kind: str, component: int) -> str:
        """The label of a component."""
        return self.game.texts.row(kind, component)

    def value(self, variable: str, value: Any) -> str:
        """A value of a variable."""
        return self.show(self.game.layout.variables[variable].variable.type, value)

    def some(self, count: int, table: str) -> str:
        """`a Card`, `3 Cards`."""
        if count > 1:
            return f"{count} {self.several(table)}"
        name = self.word("table", table)
        return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {_words(name)}"

    def listed(self, known: Sequence[str], count: int, table: str) -> str:
        """Components by name as far as they are known, the others by their number."""
        if not known or count > NAMED:
            return self.some(count, table)
        return _joined(_counted(known) if len(known) == count else [*_counted(known), f"{count - len(known)} more"])


class Lines:
    """Writes the lines of a game's log."""

    def __init__(self, game: Game, module: Module, names: Namer | None = None, secrets: Secrets | None = None) -> None:
        self.game, self.module, self.sight = game, module, game.sight
        self.names = names or Namer(game)
        self.secrets = secrets or Secrets(game, module)

    def of(self, events: Sequence[Event], seat: int | None) -> list[str]:
        """The lines of one step for a viewer.

        What the viewer does not notice is left out first, so that it cannot be told from how the rest is put.
        """
        bit = self.sight.bit(seat)
        noticed = [event for event in events if event.aware & bit]
        shown = self.shown(noticed, bit)
        written = self.written(events, bit)
        lines: list[str] = []
        left: set[int] = set()
        place = 0
        while place < len(noticed):
            event = noticed[place]
            group = [event]
            if event.entry[0] in ("move", "set"):
                while place + len(group) < len(noticed) and self._goes_on(event, noticed[place + len(group)]):
                    group.append(noticed[place + len(group)])
            place += len(group)
            line = self._line(group, bit, seat, shown, written)
            if event.entry[0] == "move":
                line = self._moves(group, bit, event.entry[3] in left)
                left.add(event.entry[3])
            if line and not (event.entry[0] == "do" and lines[-1:] == [line]):
                lines.append(line)
        return lines

    def _goes_on(self, first: Event, event: Event) -> bool:
        """Whether an event belongs to the line of another: a move with the same ends, entries of the same variable."""
        one, other = first.entry, event.entry
        if one[:2] != other[:2]:
            return False
        if one[0] == "move":
            return bool(one[3:] == other[3:])
        return one[2] == other[2] or self.names.owned(one[1], one[2]) == self.names.owned(one[1], other[2]) != ""

    def shown(self, events: Sequence[Event], bit: int) -> set[tuple[str, int]]:
        """The components that the viewer sees moved or turned in the step, or is shown."""
        found: set[tuple[str, int]] = set()
        for event in events:
            if event.seen & bit:
                match event.entry:
                    case ("move", kind, c, _, _) | ("turn", kind, c, _):
                        found.add((kind, c))
                    case ("reveal", kind, components, _):
                        found.update((kind, c) for c in components)
        return found

    @staticmethod
    def written(events: Sequence[Event], bit: int) -> tuple[set[str], set[str]]:
        """The variables that the viewer sees set in a step, and those that are set without that.

        Even to what they were: that nothing changes must not show.
        """
        sets = [event for event in events if event.entry[0] in ("set", "kept")]
        seen, unseen = ({e.entry[1] for e in sets if bool(e.seen & bit) is sees} for sees in (True, False))
        return seen, unseen

    def _line(
        self, group: Sequence[Event], bit: int, seat: int | None, shown: set[tuple[str, int]], written: Written
    ) -> str:
        event = group[-1]
        sees = bool(event.seen & bit)
        match event.entry:
            case ("do", who, action):
                return self._decision(who, action, self.hidden(event, who, action, bit, seat, shown, written))
            case ("set", name, *_) if sees and self.game.spec.variables[name].shown:
                return self._values(name, {event.entry[2]: event.entry[3] for event in group})
            case ("show", name, index, value, who):
                to = "" if who is None else f" to {self.game.seat_name(who)}"
                told = f": {self.names.value(name, value)}" if sees else ""
                return f"{_capital(self.names.entry(name, index))} is shown{to}{told}"
            case ("shuffle", number):
                return f"The {self.names.kinds(number)} in {self.names.place(number)} are shuffled"
            case ("turn", kind, component, face) if sees:
                shown_face = self.names.word("face", self.game.spec.tables[kind].faces[face])
                return f"{self.names.label(kind, component)} now shows {shown_face}"
            case ("reveal", kind, components, who):
                return self._reveal(event, kind, components, who, sees)
            case ("say", text):
                return str(text)
            case ("phase", name):
                return f"Phase: {self.names.word('phase', name)}"
            case ("over", winners, reason):
                return self._over(winners, reason)
        return ""

    def _values(self, variable: str, values: dict[int, Any]) -> str:
        """Entries of a variable that have got new values."""
        if len(values) == 1:
            ((index, value),) = values.items()
            return f"{_capital(self.names.entry(variable, index))}: {self.names.value(variable, value)}"
        told = [f"{self.names.others(variable, index)} {self.names.value(variable, v)}" for index, v in values.items()]
        return f"{_capital(self.names.owned(variable, next(iter(values))))}: {', '.join(told)}"

    # ------------------------------------------------------------ decisions

    def _decision(self, who: int, action: Action, hidden: Sequence[bool] | None) -> str:
        name = self.game.seat_name(who)
        if hidden is None:
            return f"{name} decides"
        if action.name in ("pass", "done") and action.action < 0:
            return f"{name} passes" if action.name == "pass" else f"{name} is done"
        arguments = [self._argument(action, n, is_hidden) for n, is_hidden in enumerate(hidden)]
        told = ", ".join(argument for argument in arguments if argument)
        if action.action < 0:
            return f"{name} chooses {told}" if told else f"{name} decides"
        if not any(hidden):
            return f"{name}: {action.plain.label}"
        called = _capital(self.names.word("action", action.name))
        return f"{name}: {called} ({told})" if told else f"{name}: {called}"

    def hidden(
        self,
        event: Event,
        who: int,
        action: Action,
        bit: int,
        seat: int | None,
        shown: set[tuple[str, int]],
        written: Written,
    ) -> list[bool] | None:
        """Which arguments of a decision a viewer is not told; None where it is told only that something was decided."""
        number, masks = event.detail
        hidden = [False] * len(masks)
        if who != seat:
            if self.secrets.hides_all(number, action, written[0]):
                return None
            private = self.secrets.hides_arguments(number, action, written[1])
            for n, (parameter, mask) in enumerate(zip(action.table.schema.parameters, masks, strict=True)):
                if mask is None:
                    hidden[n] = private
                else:
                    kind = parameter.type.name  # type: ignore[attr-defined]
                    hidden[n] = not mask & bit and (kind, action.key[n]) not in shown
        return hidden

    def _argument(self, action: Action, n: int, hidden: bool) -> str:
        parameter, value = action.table.schema.parameters[n], action.key[n]
        if not hidden:
            return self.names.show(parameter.type, value)
        is_piece = isinstance(parameter.type, t.TableType) and parameter.type.kind == "component"
        return self.names.some(1, parameter.type.name) if is_piece else ""  # type: ignore[attr-defined]

    # ------------------------------------------------------------ components

    def _moves(self, group: Sequence[Event], bit: int, again: bool) -> str:
        """Components that go the same way; `again`: others have left that place in the same step."""
        _, kind, _, source, target = group[0].entry
        known = [self.names.label(kind, event.entry[2]) for event in group if event.seen & bit]
        count = len(group)
        where, to = self.names.place(source), self.names.place(target)
        if source == target:
            if len(known) < count or self.game.layout.zones[self.game.layout.instances[source][0]].zone.order == "none":
                return ""
            return f"{_capital(self.names.listed(known, count, kind))} {_goes(count)} to another place in {to}"
        owner = self._draws(source, target)
        if owner is not None:
            return f"{owner} draws {self.names.listed(known, count, kind)} from {where}"
        emptied = group[-1].detail[0] == 0 and self.sight.counts[source] & bit and where != "the box"
        if count > 1 and emptied and not again:
            told = f": {_joined(_counted(known))}" if len(known) == count <= NAMED else ""
            return f"All {self.names.several(kind)} of {where} go to {to}{told}"
        return f"{_capital(self.names.listed(known, count, kind))} {_goes(count)} from {where} to {to}"

    def _draws(self, source: int, target: int) -> str | None:
        """The seat that draws: from a stack that is nobody's to the one zone for this kind that it alone sees."""
        layout = self.game.layout
        (above, _), (below, index) = layout.instances[source], layout.instances[target]
        first, second = layout.zones[above], layout.zones[below]
        if first.zone.order != "stack" or self.sight.contents[source] or second.zone.seen_by != "owner":
            return None
        alike = [
            place for place in layout.zones.values()
            if place.zone.seen_by == "owner" and place.zone.component == second.zone.component and place.exists
        ]  # fmt: skip
        owner = self.sight.owner(second.per, layout.unflat(second.per, index))
        return self.game.seat_name(owner) if len(alike) == 1 and len(second.per) == 1 and owner is not None else None

    def _reveal(self, event: Event, kind: str, components: Sequence[int], who: int | None, sees: bool) -> str:
        if not components:
            return ""
        labels = [self.names.label(kind, c) for c in components] if sees else []
        to = "to everyone" if who is None else f"to {self.game.seat_name(who)}"
        places = [self.names.place(number) for number in dict.fromkeys(event.detail)]
        where = f" in {places[0]}" if len(places) == 1 else ""
        if len(components) == 1:
            return f"{_capital(self.names.listed(labels, 1, kind))}{where} is shown {to}"
        told = f": {_joined(_counted(labels))}" if sees else ""
        return f"{self.names.some(len(components), kind)}{where} are shown {to}{told}"

    # ------------------------------------------------------------ the end

    def _over(self, winners: Sequence[int], reason: str) -> str:
        names = [self.game.seat_name(seat) for seat in winners]
        why = f" ({reason})" if reason else ""
        if not names:
            return f"The game is over: nobody wins{why}"
        return f"The game is over: {_joined(names)} {'wins' if len(names) == 1 else 'win'}{why}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _capital(text: str) -> str:
    """A text with a great first letter, unless it begins with the name of a seat or the like."""
    first = text.split(" ", 1)[0]
    return text if "_" in first or "'" in first else text[:1].upper() + text[1:]


def _joined(items: Sequence[str]) -> str:
    """`a, b and c`; with semicolons where the items have commas themselves."""
    if len(items) < 2:
        return "".join(items)
    if any("," in item for item in items):
        return "; ".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def _goes(count: int) -> str:
    return "goes" if count == 1 else "go"


def _several(kind: str) -> str:
    """`Cards`, `Boxes`, `Bodies`."""
    name = _words(kind)
    if name.endswith("y") and name[-2:-1] not in "aeiou":
        return f"{name[:-1]}ies"
    return f"{name}{'es' if name.endswith(('s', 'x', 'ch', 'sh')) else 's'}"


def _counted(labels: Sequence[str]) -> list[str]:
    """Each label once, with the number of look-alikes."""
    counts = Counter(labels)
    return [label if count == 1 else f"{count}× {label}" for label, count in counts.items()]
