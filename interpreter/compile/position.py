"""The class of positions that a module emits, with `clone` as straight code."""

from __future__ import annotations

from typing import Any

from interpreter.compile.layout import Layout
from interpreter.compile.tables import Tables
from interpreter.compile.writer import Writer
from interpreter.runtime.laid import LISTS
from rulespec import checked as ir
from rulespec.check import types as t

PLAIN = (
    "seat", "decision", "options", "chosen", "ret", "turn", "steps", "before", "taken", "outcome", "over", "open",
    "log", "winners", "unknown",
)  # fmt: skip
"""Slots that a clone shares: values that are never changed in place."""


def slot_names(layout: Layout) -> tuple[list[str], list[str]]:
    """Names of a game's own slots: lists changed in place, and plain values."""
    lists = [f"loc_{n}" for n, table in layout.spec.tables.items() if table.kind == "component"]
    lists += [f"face_{n}" for n, table in layout.spec.tables.items() if table.faces]
    lists += [f"{part}_{n}" for n in layout.laid_kinds() for part in LISTS]
    lists += [f"v_{n}" for n, v in layout.variables.items() if v.per]
    plain = [f"v_{n}" for n, v in layout.variables.items() if not v.per]
    plain += [f"memory_{n}" for n in layout.spec.records]
    plain += [f"known_{n}" for n in layout.laid_kinds()]
    return lists, plain


def position_class(layout: Layout) -> Writer:
    """The emitted class `Position`."""
    lists, plain = slot_names(layout)
    out = Writer()
    slots = ["z", "stack", "rng", "branches", "main", *PLAIN, *lists, *plain]
    with out.block("class Position:"):
        out.put(f"__slots__ = {tuple(slots)!r}")
        with out.block("def clone(self):"):
            out.put("c = new(Position)")
            out.put("c.z = self.z[:]")
            out.put("c.stack = stack = []")
            with out.block("for frame in self.stack:"):
                out.put("stack.append(frame[:])")
            out.put("c.rng = self.rng[:]")
            out.put("branches = self.branches")
            with out.block("if branches is None:"):
                out.put("c.branches = c.main = None")
            with out.block("else:"):
                out.put("c.branches = [[b[0], [f[:] for f in b[1]], *b[2:]] for b in branches]")
                out.put("c.main = c.stack")
            for name in lists:
                out.put(f"c.{name} = self.{name}[:]")
            for name in (*PLAIN, *plain):
                out.put(f"c.{name} = self.{name}")
            out.put("return c")
    return out


def start_position(layout: Layout, tables: Tables) -> dict[str, list[Any]]:
    """The start values of all variables, flat."""
    starts: dict[str, list[Any]] = {}
    for name, place in layout.variables.items():
        start = place.variable.start
        if isinstance(start, tuple):
            starts[name] = [tables.evaluate(e, {}) for e in start]
        elif start is not None:
            starts[name] = [tables.evaluate(start, {})] * place.count
        else:
            starts[name] = [default_start(place.variable, place.low, place.high)] * place.count
    return starts


def default_start(variable: ir.Variable, low: Any, high: Any) -> Any:
    """What a variable begins with where the spec does not say; low, high: the ends of its range."""
    match variable.type:
        case t.BoolType():
            return False
        case t.OptionalType():
            return None
        case t.NumberType():
            value = 0 if low is None else max(low, 0)
            return value if high is None else min(value, high)
        case t.EnumType() if variable.declared.values:
            return variable.declared.values[0]
        case t.SpotType():
            return (0, 0)
    return 0
