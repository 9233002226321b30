"""What bodies can do: stop for a decision or chance, read and write state.

State is named coarsely: "v:NAME" a variable, "k:KIND" where the components of a kind lie, on boards too, "f:KIND"
their faces, "m:NAME" a record, "turn". That is enough to know which loops may run directly over a zone and what a
`supposing` must copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from interpreter.compile.internal import CallUnit, Reset, SetTurn, StartTogether, TurnAsk, Unit
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

State = frozenset[str]


@define
class Effects:
    """What a body can do, everything it calls included."""

    stops: bool = False
    reads: set[str] = field(factory=set)
    writes: set[str] = field(factory=set)
    order: set[str] = field(factory=set)
    """Stacks whose order, or top, is read."""
    contents: set[str] = field(factory=set)
    """Zones of which more is read than how many components they hold."""
    calls: set[str] = field(factory=set)
    """Keys of units, and "function NAME" or "rule TABLE.FIELD" for expressions."""

    def take(self, other: Effects) -> bool:
        """Adds what another body does; whether anything was new."""
        before = self._size()
        self.stops = self.stops or other.stops
        self.reads |= other.reads
        self.writes |= other.writes
        self.order |= other.order
        self.contents |= other.contents
        return before != self._size()

    def _size(self) -> tuple[int, ...]:
        return (self.stops, len(self.reads), len(self.writes), len(self.order), len(self.contents))


@define
class Analysis:
    """Effects of all units and functions of a game.

    explicit: chance is a decision too, so random choices stop.
    """

    spec: ir.CheckedSpec
    explicit: bool
    units: dict[str, Effects] = field(factory=dict)
    shuffled: frozenset[str] = field(init=False)
    """Stacks that are ever shuffled: with explicit chance their order is found out only where it is read."""

    def __attrs_post_init__(self) -> None:
        bodies: list[Any] = [layer.body for layer in self.spec.setup]
        bodies += [layer.body for procedure in self.spec.procedures.values() for layer in procedure.layers]
        bodies += [layer.body for action in self.spec.actions.values() for layer in action.do]
        bodies += [layer.body for trigger in self.spec.triggers for layer in trigger.do]
        phases = list(self.spec.phases)
        for phase in phases:
            phases += phase.phases
            hooks = (phase.do, phase.if_stuck, phase.before_turn, phase.after_turn)
            bodies += [layer.body for hook in hooks for layer in hook]
        for table in self.spec.tables.values():
            rules = [f.name for f in table.fields.values() if f.params is not None]
            bodies += [row.values[name][1] for row in table.rows for name in rules]
        found = {node.zone.zone for node in nodes(tuple(bodies)) if isinstance(node, ir.Shuffle)}
        found |= {zone.name for zone in self.spec.zones.values() if zone.refilled_from}
        self.shuffled = frozenset(name for name in found if self.spec.zones[name].order == "stack")

    def of(self, tree: Any) -> Effects:
        """The effects of statements or expressions, with all they call; units must be known."""
        direct = self.direct(tree)
        for key in sorted(direct.calls):
            if key in self.units:
                direct.take(self.units[key])
        return direct

    def reached_from(self, key: str) -> set[str]:
        """The keys of all that a unit may call, directly or not; its own only if it may call itself."""
        found: set[str] = set()
        open_ = [key]
        while open_:
            effects = self.units.get(open_.pop())
            new = effects.calls - found if effects is not None else set()
            found |= new
            open_ += new
        return found

    def learn(self, units: Iterable[Unit], bodies: dict[str, Any], kept: Iterable[str] = ()) -> None:
        """Finds the effects of all units and of the other bodies (functions, rules in rows) by name.

        Args:
            units: all of them.
            bodies: the others.
            kept: keys of units that get a frame in any case.
        """
        known = {unit.key: self.direct(unit.body) for unit in units}
        known.update({key: self.direct(body) for key, body in bodies.items()})
        for key in self._must_have_frames([*(unit.body for unit in units), *bodies.values()]):
            if key in known:
                known[key].stops = True
        for key in kept:
            if key in known:
                known[key].stops = True
        changed = True
        while changed:
            changed = False
            for effects in known.values():
                for key in effects.calls:
                    if key in known and effects.take(known[key]):
                        changed = True
        for key, effects in known.items():
            # A rule in rows is called without knowing the row: where one row's rule can stop, all are frames.
            if key.startswith("rule ") and "/" in key:
                effects.stops = known[key.partition("/")[0]].stops
        self.units = known

    @staticmethod
    def _must_have_frames(bodies: Iterable[Any]) -> set[str]:
        """The game itself, branches done together, and the phases that some rule ends and so leaves by the stack."""
        bodies = list(bodies)
        branches = {node.key for body in bodies for node in nodes(body) if isinstance(node, StartTogether)}
        ended = {node.phase for body in bodies for node in nodes(body) if isinstance(node, ir.End)} - {""}
        return {"main", *branches, *(f"{kind} {phase}" for phase in ended for kind in ("phase", "pass", "core phase"))}

    def direct(self, tree: Any) -> Effects:
        """The effects of a tree itself, with the names of what it calls."""
        found = Effects()
        counted: set[int] = set()
        for node in nodes(tree):
            self._add(found, node)
            if isinstance(node, ir.ZoneRead | ir.ZoneFamily | ir.ZoneIndex) and id(node) not in counted:
                found.contents.add(node.zone)
            counted |= {id(zone) for zone in counted_reads(node)}
        return found

    def _add(self, found: Effects, node: Any) -> None:
        kind_of = self._kind
        found.order |= {zone.zone for zone in ordered_reads(node) if zone.zone in self.shuffled}
        if found.order and self.explicit:
            found.stops = True
        match node:
            case ir.VarRead(variable=name):
                found.reads.add(f"v:{name}")
            case ir.ZoneRead(zone=name) | ir.ZoneFamily(zone=name) | ir.ZoneIndex(zone=name):
                found.reads.add(f"k:{kind_of(name)}")
            case ir.FieldRead(face=None, base=base):
                name = getattr(base.type, "name", "")
                if name in self.spec.tables and self.spec.tables[name].faces:
                    found.reads.add(f"f:{name}")
            case ir.BuiltIn(name="turn_player"):
                found.reads.add("turn")
            case ir.BuiltIn(name="times", args=(ir.Const(value=record),)):
                found.reads |= {f"m:{record}", *self._remembered(str(record))}
            case ir.BuiltIn(name=name):
                if name in ("ports", "cells", "spot_for"):
                    type = node.args[0].type
                    kind = type.component if isinstance(type, t.PortType) else _table(node.args[0])
                    found.reads.add(f"k:{kind}")
                    found.contents |= {zone.name for zone in self.spec.zones.values() if zone.component == kind}
            case ir.FunctionCall(function=name):
                found.calls.add(f"function {name}")
            case ir.RowRule(base=base, field=name) | ir.RowEffect(base=base, field=name):
                found.calls.add(f"rule {_table(base)}.{name}")
            case CallUnit(key=key):
                found.calls.add(key)
            case ir.SetVar(variable=name):
                found.writes.add(f"v:{name}")
            case ir.MoveTokens(source=a, target=b) | ir.Swap(first=a, second=b):
                found.writes |= {f"v:{a.variable}", f"v:{b.variable}"}
            case Reset(variables=names):
                found.writes |= {f"v:{name}" for name in names}
            case SetTurn():
                found.writes.add("turn")
            case ir.Move(zone=name) | ir.MoveAll(zone=name):
                found.writes.add(f"k:{kind_of(name)}")
            case ir.Draw(zone=name, source=source):
                found.writes.add(f"k:{kind_of(name)}")
                found.stops = found.stops or (self.explicit and source.zone in self.shuffled)
            case ir.Shuffle(zone=ir.ZoneRead(zone=name)):
                found.writes.add(f"k:{kind_of(name)}")
            case ir.TurnOver(what=what):
                found.writes.add(f"f:{_table(what)}")
            case ir.Remember(record=name):
                found.writes.add(f"m:{name}")
            case ir.Choose(who=who):
                found.stops = found.stops or who is not None or self.explicit
            case StartTogether(key=key):
                found.stops = True
                found.calls.add(key)
            case ir.Ask() | ir.Window() | TurnAsk():
                found.stops = True
                for offer in getattr(node, "offers", ()):
                    found.calls.add(f"action {offer.action}")
                if isinstance(node, ir.Window) or node.passes:
                    found.calls.add("action pass")
                for offer in getattr(node, "any_time", ()):
                    found.calls.add(f"action {offer.action}")

    def _kind(self, zone: str) -> str:
        return self.spec.zones[zone].component

    def _remembered(self, record: str) -> set[str]:
        found = set()
        for name in self.spec.records[record]:
            is_zone = name in self.spec.zones
            found.add(f"k:{self._kind(name)}" if is_zone else f"v:{name}" if name in self.spec.variables else "turn")
        return found


def ordered_reads(node: Any) -> list[ir.ZoneRead]:
    """The zones whose order a node itself reads: their tops, their members one after another."""
    match node:
        case ir.BuiltIn(name="top" | "bottom" | "first" | "last" | "nth" | "those"):
            return [a for a in node.args if isinstance(a, ir.ZoneRead)]
        case ir.Aggregate(kind="first" | "last" | "those" | "most" | "least", selection=selection):
            return _domains(selection)
        case ir.For(selection=selection) | ir.Choose(selection=selection):
            return [] if isinstance(node, ir.Choose) and node.who is None else _domains(selection)
        case ir.MoveAll(source=source):
            return [source]
    return []


def counted_reads(node: Any) -> list[ir.ZoneRead]:
    """The zones of which a node itself reads only how many components they hold."""
    match node:
        case ir.Truth(value=ir.ZoneRead() as zone) | ir.BuiltIn(name="count", args=(ir.ZoneRead() as zone,)):
            return [zone]
    return []


def _domains(selection: ir.Selection) -> list[ir.ZoneRead]:
    return [b.domain for b in selection.bindings if isinstance(b.domain, ir.ZoneRead)]


def _table(what: ir.Expr) -> str:
    inner: Any = what.type
    while hasattr(inner, "item"):
        inner = inner.item
    return str(inner.name)
