"""What each rule may do, with everything that it calls or sets off: decisions, chance, ends, reads and writes.

    effects = analyse(checked)
    effects.procedure["place"].asks

Names of state are as "variable gold", "zone hand", "faces Card", "record positions". What a rule calls is
followed to the end: procedures, functions, rules in rows, actions that are offered, and triggers on what is
moved, changed, called or turned over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import define, field, frozen

from rulespec import checked as ir
from rulespec.check.types import ListType, OptionalType, TableType, Type
from rulespec.check.walk import nodes
from rulespec.source import Span

Unit = tuple[str, str]
"""A rule: ("procedure", "place"), ("rule", "Stall.use"), ..."""


@frozen
class Effects:
    """What may happen in a rule.

    asks: a seat decides something. chance: luck decides something. ends: a phase or the game may be ended.
    records: the position is remembered. calls: rules called or set off, directly or through others.
    """

    asks: bool = False
    chance: bool = False
    ends: bool = False
    records: bool = False
    calls: frozenset[Unit] = frozenset()
    reads: frozenset[str] = frozenset()
    writes: frozenset[str] = frozenset()

    @property
    def none(self) -> bool:
        """Whether nothing changes, whatever is read."""
        return not (self.asks or self.chance or self.ends or self.records or self.writes)


@define
class _Direct:
    """What a piece of a rule does by itself, and what it calls; `supposed` procedures are undone again."""

    flags: set[str] = field(factory=set)
    places: dict[str, Span] = field(factory=dict)
    calls: dict[Unit, Span] = field(factory=dict)
    supposed: set[Unit] = field(factory=set)
    reads: set[str] = field(factory=set)
    writes: set[str] = field(factory=set)

    def flag(self, name: str, span: Span) -> None:
        self.flags.add(name)
        self.places.setdefault(name, span)


@define
class Analysis:
    """The effects of all rules of a game, by kind and name."""

    function: dict[str, Effects] = field(factory=dict)
    procedure: dict[str, Effects] = field(factory=dict)
    action: dict[str, Effects] = field(factory=dict)
    trigger: dict[str, Effects] = field(factory=dict)
    rule: dict[tuple[str, str], Effects] = field(factory=dict)
    _reader: _Reader | None = None
    _direct: dict[Unit, _Direct] = field(factory=dict)
    _total: dict[Unit, Effects] = field(factory=dict)

    def of(self, tree: object) -> Effects:
        """The effects of a block or expression of this game."""
        assert self._reader is not None
        return _closed(self._reader.read(tree), self._total)

    def calls_in(self, tree: object) -> dict[Unit, Span]:
        """The rules that a block or expression calls or sets off itself, with the first place of each."""
        assert self._reader is not None
        return self._reader.read(tree).calls

    def place_of(self, unit: Unit, flag: str) -> Span | None:
        """Where in a rule, or in one that it calls, something of that kind happens: "asks", "chance", ..."""
        seen: set[Unit] = set()
        todo = [unit]
        while todo:
            current = todo.pop(0)
            direct = self._direct.get(current)
            if direct is None or current in seen:
                continue
            seen.add(current)
            if flag in direct.places:
                return direct.places[flag]
            todo += direct.calls
        return None


def _table(type: Type) -> str:
    while isinstance(type, (OptionalType, ListType)):
        type = type.item
    return type.name if isinstance(type, TableType) else ""


class _Reader:
    """Reads trees of one game."""

    def __init__(self, checked: ir.CheckedSpec) -> None:
        self.checked = checked
        self.on_move: dict[str, list[Unit]] = {}
        self.on_change: dict[str, list[Unit]] = {}
        self.on_call: dict[str, list[Unit]] = {}
        self.on_action: dict[str, list[Unit]] = {}
        self.on_turn: dict[str, list[Unit]] = {}
        by_kind = {
            "move": self.on_move,
            "change": self.on_change,
            "call": self.on_call,
            "action": self.on_action,
            "turn_over": self.on_turn,
        }
        for trigger in checked.triggers:
            for name in trigger.names if trigger.kind in by_kind else ():
                by_kind[trigger.kind].setdefault(name, []).append(("trigger", trigger.name))

    def read(self, tree: object) -> _Direct:
        """What a tree does directly."""
        found = _Direct()
        for node in nodes(tree):
            handler = _HANDLERS.get(type(node))
            if handler is not None:
                handler(self, node, found)
        return found

    # ------------------------------------------------------------ expressions

    def variable(self, node: ir.VarRead, found: _Direct) -> None:
        found.reads.add(f"variable {node.variable}")

    def zone(self, node: ir.ZoneRead | ir.ZoneFamily | ir.ZoneIndex, found: _Direct) -> None:
        found.reads.add(f"zone {node.zone}")

    def field(self, node: ir.FieldRead, found: _Direct) -> None:
        table = self.checked.tables.get(_table(node.base.type))
        if table is not None and node.face is None and table.faces and table.fields[node.field].per_face:
            found.reads.add(f"faces {table.name}")

    def function(self, node: ir.FunctionCall, found: _Direct) -> None:
        found.calls.setdefault(("function", node.function), node.span)

    def rule(self, node: ir.RowRule | ir.RowEffect, found: _Direct) -> None:
        found.calls.setdefault(("rule", f"{_table(node.base.type)}.{node.field}"), node.span)

    def built_in(self, node: ir.BuiltIn, found: _Direct) -> None:
        if node.name == "times" and isinstance(node.args[0], ir.Const):
            found.reads.add(f"record {node.args[0].value}")
        elif node.name in ("cells", "ports", "uncovered"):
            kind = _table(node.args[-1].type)
            found.reads |= {f"zone {z.name}" for z in self.checked.zones.values() if z.component == kind and z.laid_on}
            found.reads.add(f"faces {kind}")

    def supposing(self, node: ir.Supposing, found: _Direct) -> None:
        found.supposed.add(("procedure", node.procedure))

    # ------------------------------------------------------------ statements

    def _changed(self, variable: str, span: Span, found: _Direct) -> None:
        found.writes.add(f"variable {variable}")
        for unit in self.on_change.get(variable, ()):
            found.calls.setdefault(unit, span)

    def _moved(self, zone: str, kind: str, span: Span, found: _Direct, source: str | None = None) -> None:
        """A component comes to a zone: from `source`, or from any that holds its kind."""
        sources = [source] if source else [z.name for z in self.checked.zones.values() if z.component == kind]
        found.writes |= {f"zone {name}" for name in (zone, *sources)}
        for unit in self.on_move.get(zone, ()):
            found.calls.setdefault(unit, span)

    def set_variable(self, node: ir.SetVar, found: _Direct) -> None:
        self._changed(node.variable, node.span, found)
        if node.clamp:
            found.reads.add(f"variable {node.variable}")

    def two_variables(self, node: ir.Swap | ir.MoveTokens, found: _Direct) -> None:
        pair = (node.first, node.second) if isinstance(node, ir.Swap) else (node.source, node.target)
        for read in pair:
            self._changed(read.variable, node.span, found)

    def move(self, node: ir.Move, found: _Direct) -> None:
        self._moved(node.zone, _table(node.what.type), node.span, found)

    def move_all(self, node: ir.MoveAll, found: _Direct) -> None:
        self._moved(node.zone, _table(node.source.type), node.span, found, node.source.zone)

    def draw(self, node: ir.Draw, found: _Direct) -> None:
        kind = _table(node.source.type)
        self._moved(node.zone, kind, node.span, found, node.source.zone)
        refill = self.checked.zones[node.source.zone].refilled_from
        if refill:
            self._moved(node.source.zone, kind, node.span, found, refill)
            found.flag("chance", node.span)

    def shuffle(self, node: ir.Shuffle, found: _Direct) -> None:
        found.writes.add(f"zone {node.zone.zone}")
        found.flag("chance", node.span)

    def turn(self, node: ir.TurnOver, found: _Direct) -> None:
        kind = _table(node.what.type)
        found.writes.add(f"faces {kind}")
        for unit in self.on_turn.get(kind, ()):
            found.calls.setdefault(unit, node.span)

    def choose(self, node: ir.Choose, found: _Direct) -> None:
        found.flag("chance" if node.who is None else "asks", node.span)

    def ask(self, node: ir.Ask | ir.Window, found: _Direct) -> None:
        found.flag("asks", node.span)
        for offer in node.offers:
            self._offered(offer.action, node.span, found)
        if isinstance(node, ir.Window) or node.passes:
            self._offered("pass", node.span, found)

    def _offered(self, action: str, span: Span, found: _Direct) -> None:
        if action in self.checked.actions:
            found.calls.setdefault(("action", action), span)
        for unit in self.on_action.get(action, ()):
            found.calls.setdefault(unit, span)

    def call(self, node: ir.Call, found: _Direct) -> None:
        found.calls.setdefault(("procedure", node.procedure), node.span)
        for unit in self.on_call.get(node.procedure, ()):
            found.calls.setdefault(unit, node.span)

    def remember(self, node: ir.Remember, found: _Direct) -> None:
        found.writes.add(f"record {node.record}")
        found.flag("records", node.span)

    def ends(self, node: ir.End | ir.Outcome, found: _Direct) -> None:
        found.flag("ends", node.span)

    def together(self, node: ir.Together, found: _Direct) -> None:
        found.flag("asks", node.span)

    # ------------------------------------------------------------ whole rules

    def units(self) -> dict[Unit, _Direct]:
        """All rules with what each does directly."""
        checked = self.checked
        found: dict[Unit, _Direct] = {}
        for function in checked.functions.values():
            found["function", function.name] = self.read(tuple(layer.body for layer in function.layers))
        for procedure in checked.procedures.values():
            found["procedure", procedure.name] = self.read(tuple(layer.body for layer in procedure.layers))
        for action in checked.actions.values():
            found["action", action.name] = self._action(action)
        for trigger in checked.triggers:
            found["trigger", trigger.name] = self.read((trigger.when, trigger.do))
        for table in checked.tables.values():
            for rule in table.fields.values():
                if rule.params is not None:
                    bodies = [row.values[rule.name][1] for row in table.rows if rule.name in row.values]
                    found["rule", f"{table.name}.{rule.name}"] = self.read(tuple(bodies))
        return found

    def _action(self, action: ir.Action) -> _Direct:
        found = self.read((action.selection, action.when, action.do))
        for amount, variable in action.pay:
            paid = self.read((amount, variable))
            found.reads |= paid.reads
            self._changed(variable.variable, action.span, found)
        return found


_HANDLERS: dict[type, Callable[[_Reader, Any, _Direct], None]] = {
    ir.VarRead: _Reader.variable,
    ir.ZoneRead: _Reader.zone,
    ir.ZoneFamily: _Reader.zone,
    ir.ZoneIndex: _Reader.zone,
    ir.FieldRead: _Reader.field,
    ir.FunctionCall: _Reader.function,
    ir.RowRule: _Reader.rule,
    ir.RowEffect: _Reader.rule,
    ir.BuiltIn: _Reader.built_in,
    ir.Supposing: _Reader.supposing,
    ir.SetVar: _Reader.set_variable,
    ir.Swap: _Reader.two_variables,
    ir.MoveTokens: _Reader.two_variables,
    ir.Move: _Reader.move,
    ir.MoveAll: _Reader.move_all,
    ir.Draw: _Reader.draw,
    ir.Shuffle: _Reader.shuffle,
    ir.TurnOver: _Reader.turn,
    ir.Choose: _Reader.choose,
    ir.Ask: _Reader.ask,
    ir.Window: _Reader.ask,
    ir.Call: _Reader.call,
    ir.Remember: _Reader.remember,
    ir.End: _Reader.ends,
    ir.Outcome: _Reader.ends,
    ir.Together: _Reader.together,
}


def _closed(direct: _Direct, total: dict[Unit, Effects]) -> Effects:
    """Direct effects with those of everything called."""
    called = [total[unit] for unit in direct.calls if unit in total]
    supposed = [total[unit] for unit in direct.supposed if unit in total]
    return Effects(
        asks="asks" in direct.flags or any(e.asks for e in called),
        chance="chance" in direct.flags or any(e.chance for e in called),
        ends="ends" in direct.flags or any(e.ends for e in called),
        records="records" in direct.flags or any(e.records for e in called),
        calls=_union([direct.calls, direct.supposed, *(e.calls for e in (*called, *supposed))]),
        reads=_union([direct.reads, *(e.reads for e in (*called, *supposed))]),
        writes=_union([direct.writes, *(e.writes for e in called)]),
    )


def _union(sets: Iterable[Iterable[Any]]) -> frozenset[Any]:
    return frozenset().union(*sets)


def _from_below(direct: Mapping[Unit, _Direct], callers: Mapping[Unit, list[Unit]]) -> dict[Unit, None]:
    """All rules in an order in which, taken from the end, what is called comes before its callers, but for circles."""
    left = {unit: len({*own.calls, *own.supposed} & direct.keys()) for unit, own in direct.items()}
    ready = [unit for unit, count in left.items() if not count]
    order: dict[Unit, None] = {}
    while ready:
        unit = ready.pop()
        order[unit] = None
        for caller in dict.fromkeys(callers[unit]):
            left[caller] -= 1
            if not left[caller]:
                ready.append(caller)
    order.update(dict.fromkeys(direct))
    return dict.fromkeys(reversed(order))


def analyse(checked: ir.CheckedSpec) -> Analysis:
    """The effects of every rule of a game.

    Args:
        checked: the game.

    Returns:
        Effects by name: of functions, procedures, actions, triggers, and rules in rows by (table, field).
    """
    reader = _Reader(checked)
    direct = reader.units()
    total = dict.fromkeys(direct, Effects())
    callers: dict[Unit, list[Unit]] = {unit: [] for unit in direct}
    for unit, own in direct.items():
        for other in (*own.calls, *own.supposed):
            if other in callers:
                callers[other].append(unit)
    waiting = _from_below(direct, callers)
    while waiting:
        unit = waiting.popitem()[0]
        new = _closed(direct[unit], total)
        if new != total[unit]:
            total[unit] = new
            waiting.update(dict.fromkeys(callers[unit]))
    result = Analysis(reader=reader, direct=direct, total=total)
    for (kind, name), effects in total.items():
        if kind == "rule":
            table, _, rule = name.partition(".")
            result.rule[table, rule] = effects
        else:
            getattr(result, kind)[name] = effects
    return result
