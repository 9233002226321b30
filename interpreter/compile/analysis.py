"""What bodies can do: stop for a decision or chance, read and write state.

State is named coarsely: "v:NAME" a variable, "k:KIND" where the components of a kind lie, "f:KIND" their faces,
"m:NAME" a record, "turn". That is enough to know which loops may run directly over a zone and what a
`supposing` must copy.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from interpreter.compile.internal import CallUnit, Reset, SetTurn, StartTogether, TurnAsk, Unit
from rulespec import checked as ir
from rulespec.check.walk import nodes

State = frozenset[str]


@define
class Effects:
    """What a body can do, everything it calls included."""

    stops: bool = False
    reads: set[str] = field(factory=set)
    writes: set[str] = field(factory=set)
    calls: set[str] = field(factory=set)
    """Keys of units, and "function NAME" or "rule TABLE.FIELD" for expressions."""

    def take(self, other: Effects) -> bool:
        """Adds what another body does; whether anything was new."""
        before = (self.stops, len(self.reads), len(self.writes))
        self.stops = self.stops or other.stops
        self.reads |= other.reads
        self.writes |= other.writes
        return before != (self.stops, len(self.reads), len(self.writes))


@define
class Analysis:
    """Effects of all units and functions of a game.

    explicit: chance is a decision too, so random choices stop.
    """

    spec: ir.CheckedSpec
    explicit: bool
    units: dict[str, Effects] = field(factory=dict)

    def of(self, tree: Any) -> Effects:
        """The effects of statements or expressions, with all they call; units must be known."""
        direct = self.direct(tree)
        for key in sorted(direct.calls):
            if key in self.units:
                direct.take(self.units[key])
        return direct

    def learn(self, units: Iterable[Unit], bodies: dict[str, Any], kept: Iterable[str] = ()) -> None:
        """Finds the effects of all units and of the other bodies (functions, rules in rows) by name.

        Args:
            units: all of them.
            bodies: the others.
            kept: keys of units that get a frame in any case.
        """
        known = {unit.key: self.direct(unit.body) for unit in units}
        known.update({key: self.direct(body) for key, body in bodies.items()})
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

    def direct(self, tree: Any) -> Effects:
        """The effects of a tree itself, with the names of what it calls."""
        found = Effects()
        for node in nodes(tree):
            self._add(found, node)
        return found

    def _add(self, found: Effects, node: Any) -> None:
        kind_of = self._kind
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
                if any(isinstance(a, ir.ZoneRead) and self.spec.zones[a.zone].laid_on for a in node.args):
                    found.reads.add("laid")
            case ir.FunctionCall(function=name):
                found.calls.add(f"function {name}")
            case ir.RowRule(base=base, field=name) | ir.RowEffect(base=base, field=name):
                found.calls.add(f"rule {base.type.name}.{name}")
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
            case ir.Draw(zone=name) | ir.Shuffle(zone=ir.ZoneRead(zone=name)):
                found.writes.add(f"k:{kind_of(name)}")
                found.stops = found.stops or self.explicit
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


def _table(what: ir.Expr) -> str:
    inner: Any = what.type
    while hasattr(inner, "item"):
        inner = inner.item
    return str(inner.name)
