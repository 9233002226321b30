"""Positions as plain JSON data, and back with everything checked.

Numbers, bools, texts and none stand for themselves, lists for lists; {"t": [..]} is a tuple and {"f": "1/2"} a
fraction. Zones are lists of component numbers as the engine keeps them (a stack's top is the last), variables flat
lists.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.errors import SaveError
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.layout import VariableLayout
    from interpreter.compile.module import Module
    from interpreter.game import Game

_PLAIN = (int, str, bool, type(None))


def encode(value: Any) -> Any:
    """A run-time value as JSON data.

    Raises:
        SaveError: it cannot be kept.
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"t": [encode(item) for item in value]}
    if isinstance(value, Fraction):
        try:
            return {"f": str(value)}
        except ValueError as problem:
            raise SaveError("a number of more than 4,300 digits cannot be saved") from problem
    raise SaveError(f"a value of type {type(value).__name__} cannot be saved")


def position_data(game: Game, S: Any) -> dict[str, Any]:
    """A position as JSON data."""
    layout, spec = game.layout, game.spec
    data: dict[str, Any] = {"zones": S.z}
    data["faces"] = {n: getattr(S, f"face_{n}") for n, table in spec.tables.items() if table.faces}
    data["spots"] = {n: getattr(S, f"spot_{n}") for n in layout.laid_kinds()}
    data["variables"] = {n: encode(getattr(S, f"v_{n}")) for n in layout.variables}
    data["memory"] = {n: encode(getattr(S, f"memory_{n}")) for n in spec.records}
    data["random"] = S.rng
    data["unknown"] = [[number, *part] for number, part in sorted(S.unknown.items())]
    data["turn"] = S.turn
    data["over"] = S.over
    data["open"] = S.open
    data["outcome"] = None if S.outcome is None else encode(S.outcome)
    data["stack"] = [encode(frame) for frame in S.stack]
    if S.branches is None:
        data["seat"] = S.seat
        data["decision"] = None if S.over else S.decision
    else:
        data["branches"] = [[b[0], [encode(frame) for frame in b[1]], b[2]] for b in S.branches]
        data["before"] = before_data(game, S.before)
        data["taken"] = [[seat, str(action)] for seat, action in taken_list(S.taken)]
    return data


def before_data(game: Game, before: Any) -> dict[str, Any]:
    """The position when seats began to decide together, with their branches as they began."""
    branches = before.branches
    plain = before.clone()
    plain.branches = plain.main = None
    data = position_data(game, plain)
    del data["stack"], data["seat"], data["decision"]
    data["begun"] = [[seat, [encode(frame) for frame in stack]] for seat, stack in branches]
    return data


def taken_list(taken: Any) -> list[tuple[int, Any]]:
    """What seats have decided together, the first first."""
    found = []
    while taken:
        taken, seat, action = taken
        found.append((seat, action))
    return found[::-1]


def wrong(what: str) -> SaveError:
    """The error for data that does not fit."""
    return SaveError(f"this save is damaged: {what}")


class Reader:
    """Makes positions of one module from data.

    Raises (all methods):
        SaveError: the data does not fit the game.
    """

    def __init__(self, game: Game, module: Module) -> None:
        self.game, self.module = game, module

    # ------------------------------------------------------------ values

    def value(self, data: Any) -> Any:
        """A run-time value."""
        if type(data) in _PLAIN:
            return data
        if isinstance(data, list):
            return [self.value(item) for item in data]
        if isinstance(data, dict) and list(data) == ["t"] and isinstance(data["t"], list):
            return tuple(self.value(item) for item in data["t"])
        if isinstance(data, dict) and list(data) == ["f"] and isinstance(data["f"], str):
            try:
                number = Fraction(data["f"])
            except (ValueError, ZeroDivisionError):
                raise wrong(f"`{data['f']}` is no fraction") from None
            if number.denominator != 1:
                return number
        raise wrong("it has a value that no rule makes")

    # ------------------------------------------------------------ positions

    def position(self, data: Any) -> Any:
        """A position at a decision, a chance node or the end."""
        if not isinstance(data, dict):
            raise wrong("a position is missing")
        S = self._plain(data)
        S.stack = self._stack(data.get("stack"))
        S.over = self._bool(data, "over")
        S.open = self._bool(data, "open")
        if "branches" in data:
            self._branches(S, data)
        elif S.over:
            if S.stack or data.get("seat") is not None or data.get("decision") is not None:
                raise wrong("the game is over, and goes on")
        else:
            S.seat = self._seat(data.get("seat"), chance=True)
            S.decision = self._decision(data.get("decision"))
            S.options = self._options(S, S.decision, S.stack)
            if (S.seat == -1) != (self.module.decisions[S.decision].kind == "chance"):
                raise wrong("the decision is not one of that seat")
        return S

    def _plain(self, data: Mapping[str, Any]) -> Any:
        """A position with its zones, variables and so on, and nothing going on."""
        game, layout = self.game, self.game.layout
        S = game.first_position(self.module, 0)
        S.stack, S.unknown = [], {}
        S.z = self._zones(data.get("zones"))
        for number, (name, _) in enumerate(layout.instances):
            loc = getattr(S, f"loc_{layout.zones[name].zone.component}")
            for component in S.z[number]:
                loc[component] = number
        for name, faces in self._named(data, "faces", [n for n, tb in game.spec.tables.items() if tb.faces]):
            self._numbers(faces, layout.row_counts[name], 0, len(game.spec.tables[name].faces), f"faces of {name}")
            setattr(S, f"face_{name}", faces)
        self._spots(S, data)
        for name, value in self._named(data, "variables", list(layout.variables)):
            setattr(S, f"v_{name}", self._variable(layout.variables[name], self.value(value)))
        for name, value in self._named(data, "memory", list(game.spec.records)):
            memory = self.value(value)
            if not isinstance(memory, tuple) or not all(isinstance(kept, tuple) for kept in memory):
                raise wrong(f"the record `{name}` is no list of positions")
            setattr(S, f"memory_{name}", memory)
        rng = data.get("random")
        self._numbers(rng, len(self.module.streams), 0, 1 << 64, "random streams")
        S.rng = rng
        S.unknown = self._unknown(S, data.get("unknown"))
        S.turn = None if data.get("turn") is None else self._seat(data["turn"])
        S.outcome = self._outcome(data.get("outcome"))
        return S

    def _named(self, data: Mapping[str, Any], key: str, names: list[str]) -> list[tuple[str, Any]]:
        part = data.get(key)
        if not isinstance(part, dict) or set(part) != set(names):
            raise wrong(f"its {key} are not those of the game")
        return [(name, part[name]) for name in names]

    def _bool(self, data: Mapping[str, Any], key: str) -> bool:
        value = data.get(key)
        if not isinstance(value, bool):
            raise wrong(f"`{key}` is not true or false")
        return value

    def _numbers(self, values: Any, count: int, low: int, end: int, what: str) -> None:
        fine = isinstance(values, list) and len(values) == count
        if not fine or not all(type(v) is int and low <= v < end for v in values):
            raise wrong(f"the {what} are not what they should be")

    def _seat(self, seat: Any, chance: bool = False) -> int:
        if type(seat) is not int or not (-1 if chance else 0) <= seat < self.game.seats:
            raise wrong(f"{seat} is no seat")
        return seat

    def _zones(self, zones: Any) -> list[list[int]]:
        layout = self.game.layout
        if not isinstance(zones, list) or len(zones) != len(layout.instances):
            raise wrong("its zones are not those of the game")
        found: dict[str, list[int]] = {}
        for (name, _), cards in zip(layout.instances, zones, strict=True):
            place = layout.zones[name]
            if not isinstance(cards, list) or not all(type(c) is int for c in cards):
                raise wrong(f"the zone `{name}` is no list of components")
            if place.max is not None and len(cards) > place.max:
                raise wrong(f"there are {len(cards)} components in `{name}`, which has room for {place.max}")
            if place.zone.order == "none" and not place.zone.laid_on and cards != sorted(cards):
                raise wrong(f"the components of the zone `{name}` are not in their order")
            found.setdefault(place.zone.component, []).extend(cards)
        for kind, cards in found.items():
            if sorted(cards) != list(range(layout.row_counts[kind])):
                raise wrong(f"not every {kind} lies in exactly one zone")
        return zones

    def _spots(self, S: Any, data: Mapping[str, Any]) -> None:
        laid = self.game.tables.laid
        for name, spots in self._named(data, "spots", list(laid)):
            numbers = {number: len(ground.geometry.cells) for number, ground, _ in laid[name].zones}
            self._numbers(spots, self.game.layout.row_counts[name], -1, 4 * max(numbers.values()), f"spots of {name}")
            loc = getattr(S, f"loc_{name}")
            for component, spot in enumerate(spots):
                if (loc[component] in numbers) != (spot >= 0) or spot >= 4 * numbers.get(loc[component], 0) > 0:
                    raise wrong(f"a {name} is laid where it does not lie")
            setattr(S, f"spot_{name}", spots)
            laid[name].rebuild(S)

    def _unknown(self, S: Any, parts: Any) -> dict[int, tuple[int, int]]:
        if not isinstance(parts, list):
            raise wrong("it does not say which stacks are in no known order")
        found: dict[int, tuple[int, int]] = {}
        for part in parts:
            self._numbers(part, 3, 0, 1 << 31, "stacks in no known order")
            number, start, count = part
            if number >= len(S.z) or number in found or count < 2 or start + count > len(S.z[number]):
                raise wrong("a stack in no known order is not one")
            found[number] = (start, count)
        return found

    def _outcome(self, data: Any) -> Any:
        if data is None:
            return None
        outcome = self.value(data)
        if not (isinstance(outcome, tuple) and len(outcome) == 2 and isinstance(outcome[0], tuple)):
            raise wrong("the outcome is none")
        if not isinstance(outcome[1], str):
            raise wrong("the outcome has no reason")
        for seat in outcome[0]:
            self._seat(seat)
        return outcome

    # ------------------------------------------------------------ variables

    def _variable(self, place: VariableLayout, value: Any) -> Any:
        name = place.variable.name
        if not place.per:
            self._fits(place, value)
            return value
        if not isinstance(value, list) or len(value) != place.count:
            raise wrong(f"the variable `{name}` does not have {place.count} entries")
        for entry in value:
            self._fits(place, entry)
        return value

    def _fits(self, place: VariableLayout, value: Any) -> None:
        if not self._is(place, place.variable.type, value):
            raise wrong(f"the variable `{place.variable.name}` cannot be {value!r}")

    def _is(self, place: VariableLayout, type_: t.Type, value: Any) -> bool:
        match type_:
            case t.OptionalType(item):
                return value is None or self._is(place, item, value)
            case t.BoolType():
                return isinstance(value, bool)
            case t.TextType():
                return isinstance(value, str)
            case t.NumberType(step=step):
                if type(value) is not int and not isinstance(value, Fraction):
                    return False
                fits = (place.low is None or value >= place.low) and (place.high is None or value <= place.high)
                return fits and (not step or (Fraction(value) - Fraction(place.low or 0)) % step == 0)
            case t.SetType(item):
                size = self.game.layout.domain(item).size
                return type(value) is int and 0 <= value < 1 << size
            case t.SpotType(board):
                fine = isinstance(value, tuple) and len(value) == 2 and all(type(v) is int for v in value)
                return fine and 0 <= value[0] < self.game.layout.row_counts[board] and 0 <= value[1] < 4
        if type(value) is not int:
            return False
        values = place.variable.declared.values
        return value in values if values is not None else 0 <= value < self.game.layout.domain(type_).size

    # ------------------------------------------------------------ what is going on

    def _stack(self, stack: Any, begun: bool = False) -> list[Any]:
        """Frames; begun: of a branch that has only begun."""
        if not isinstance(stack, list):
            raise wrong("it does not say what is going on")
        frames = []
        for data in stack:
            frame = self.value(data)
            if not isinstance(frame, list) or len(frame) < 2 or type(frame[0]) is not int or type(frame[1]) is not int:
                raise wrong("what is going on is nothing that the rules do")
            form = self.module.frames.get(frame[0])
            if form is None or (len(frame) != (form.begun if begun else form.length)):
                raise wrong("what is going on is nothing that the rules do")
            if frame[1] != 0 if begun else frame[1] not in form.places:
                raise wrong("what is going on is nothing that the rules do")
            frames.append(frame)
        return frames

    def _decision(self, number: Any) -> int:
        if type(number) is not int or not 0 <= number < len(self.module.decisions):
            raise wrong("the rules have no such decision")
        return number

    def _options(self, S: Any, decision: int, stack: list[Any]) -> Any:
        if not stack:
            raise wrong("a decision is open, and nothing is going on")
        stop = self.module.decisions[decision]
        if [stop.unit, stop.after] != stack[-1][:2]:
            raise wrong("the open decision does not fit what is going on")
        try:
            options = self.module.function(self.module.decisions[decision].options)(S, stack[-1])
        except Exception as problem:
            raise wrong("the open decision does not fit what is going on") from problem
        if not options:
            raise wrong("the open decision has no options")
        return options

    def _branches(self, S: Any, data: Mapping[str, Any]) -> None:
        before = data.get("before")
        begun = before.get("begun") if isinstance(before, dict) else None
        listed = data["branches"]
        if not isinstance(listed, list) or not listed or not isinstance(begun, list) or S.over:
            raise wrong("it does not say what seats decide together")
        S.before = self._plain(before)  # type: ignore[arg-type]
        S.before.over, S.before.open = S.over, S.open
        S.before.branches = [[self._seat(seat), self._stack(stack, begun=True)] for seat, stack in begun]
        S.main = S.stack
        S.branches = []
        seats = {seat for seat, _ in S.before.branches}
        for seat, frames, decision in listed:
            if self._seat(seat) not in seats:
                raise wrong(f"{seat} decides together with others, and is not one of them")
            seats.discard(seat)
            stack, number = self._stack(frames), self._decision(decision)
            S.stack = stack
            S.branches.append([seat, stack, number, self._options(S, number, stack)])
        S.stack = S.main
        S.seat, _, S.decision, S.options = S.branches[0]
        S.taken = ()
        for seat, text in data.get("taken", ()):
            action = self.game.parse_action(text)
            if action is None:
                raise wrong(f"`{text}` is no action of this game")
            S.taken = (S.taken, self._seat(seat), action)
