"""Functions whose results are kept with a position until a piece is laid or taken away.

What hangs together on a board is asked for again and again while it stays as it is. A function is kept if nothing but
laid pieces decides its result: no variables, no faces, no other zones. It must be worth it, too: with a search in it,
and few possible arguments. The results are in the dict `known_KIND` of the position, which copies share until they
move a piece; `lay_ZONE` and `lift_KIND` put a new one in its place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from interpreter.compile.expressions import Expressions
from interpreter.compile.layout import Domain, Layout, product
from interpreter.compile.shared import Shared
from interpreter.compile.writer import Writer
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

MOST_RESULTS = 4096
"""How many different arguments a kept function may have."""

_BLIND = frozenset((
    "opponent", "next", "previous", "others", "abs", "floor", "min", "max", "sum", "count", "first", "last", "any",
    "those", "nth", "step", "ray", "neighbours", "beside", "offset", "middle", "steps", "cell", "centre", "lines",
    "turn", "opposite", "orthogonal", "diagonal", "all_directions", "spot", "spot_for", "footprint", "cells", "shown",
    "piece_at", "port_at", "ports", "uncovered", "port.cell", "port.facing", "port.beyond", "port.piece",
))  # fmt: skip
"""Built-in functions that read nothing but their arguments and what is laid."""
_READING = ir.VarRead | ir.ZoneFamily | ir.ZoneIndex | ir.RowRule | ir.Supposing

Function = tuple[str, int | None]
"""The name of a function, and the number of the layer that it stands below."""


@define
class Remembered:
    """The functions of one game whose results are kept.

    active: the layer of a function that counts in this game, below some layer or altogether; None if there is none.
    """

    layout: Layout
    functions: dict[str, ir.Function]
    active: Callable[[ir.Function, int | None], int | None]
    _kinds: dict[Function, str | None] = field(factory=dict)

    def emit(self, shared: Shared, name: str, below: int | None, python_name: str) -> Writer | None:
        """The function that looks for a known result first, else asks `anew_NAME`; None if results are not kept."""
        kind = self.kind(name, below)
        if kind is None:
            return None
        function = self.functions[name]
        layer = self.active(function, below)
        assert layer is not None
        params = function.params[layer]
        emitter = Expressions(shared)
        names = [emitter.names.of(param) for param in params]
        key = emitter.flat(self.domains(params) or (), tuple(names), self.base(name, below))
        args = "".join(f", {text}" for text in names)
        out = Writer(span=function.span)
        with out.block(f"def {python_name}(S{args}):"):
            out.put(f"results_ = S.known_{kind}")
            out.put(f"key_ = {key}")
            with out.block("if key_ in results_:"):
                out.put("return results_[key_]")
            out.put(f"result_ = results_[key_] = anew_{python_name}(S{args})")
            out.put("return result_")
        return out

    def kind(self, name: str, below: int | None = None) -> str | None:
        """The kind of pieces until whose next move the results of a function are kept; None if they are not."""
        function = self.functions[name]
        layer = self.active(function, below)
        if layer is None or self.domains(function.params[layer]) is None:
            return None
        body = function.layers[layer].body
        if not any(isinstance(node, ir.Aggregate | ir.Way) for node in nodes(body)):
            return None
        return self._decided_by(name, below)

    def domains(self, params: tuple[ir.Local, ...]) -> tuple[Domain, ...] | None:
        """The possible arguments; None where there are too many."""
        if not all(self.layout.is_finite(param.type) and not isinstance(param.type, t.SpotType) for param in params):
            return None
        found = tuple(self.layout.domain(param.type) for param in params)
        return found if product(domain.size for domain in found) <= MOST_RESULTS else None

    def base(self, name: str, below: int | None) -> int:
        """The key of the first result. It is the same in all modules of a game, between which positions go."""
        number = 0
        for function in self.functions.values():
            if function.name == name:
                break
            number += 1 + len(function.layers)
        return (number + (0 if below is None else 1 + below)) * MOST_RESULTS

    def _decided_by(self, name: str, below: int | None) -> str | None:
        """The only kind whose laid pieces decide the result of a function; None if there is more to it."""
        key = (name, below)
        if key not in self._kinds:
            self._kinds[key] = None  # a function that calls itself is not kept
            function = self.functions[name]
            layer = self.active(function, below)
            if layer is not None:
                self._kinds[key] = self._only_kind(function.layers[layer].body)
        return self._kinds[key]

    def _only_kind(self, body: Any) -> str | None:
        kinds: set[str | None] = set()
        for node in nodes(body):
            match node:
                case ir.ZoneRead(zone=zone):
                    kinds.add(self._laid(zone))
                case ir.FunctionCall(function=function, below=below):
                    kinds.add(self._decided_by(function, below))
                case ir.BuiltIn(name=name):
                    if name not in _BLIND:
                        return None
                    if name in ("ports", "cells", "spot_for"):
                        kinds.add(_kind_of(node.args[0].type))
                case ir.FieldRead(base=base, field=column, face=None):
                    if self._turns(base.type, column):
                        return None
                case _ if isinstance(node, _READING) or not isinstance(node, _KNOWN):
                    return None
        return kinds.pop() if len(kinds) == 1 else None

    def _laid(self, zone: str) -> str | None:
        place = self.layout.zones[zone]
        return place.zone.component if place.zone.laid_on else None

    def _turns(self, type: t.Type, name: str) -> bool:
        """Whether a field depends on the face that shows."""
        table = self.layout.spec.tables.get(getattr(type, "name", ""))
        column = table.fields.get(name) if table is not None else None
        return column is None or column.per_face


_KNOWN = (
    ir.Const, ir.RowRef, ir.RowLookup, ir.OptionRead, ir.SeatCount, ir.LocalRead, ir.TableRead, ir.AllOf, ir.FieldRead,
    ir.NoneSafe, ir.Unary, ir.Binary, ir.Member, ir.Within, ir.Cond, ir.Otherwise, ir.Convert, ir.Truth, ir.ListOf,
    ir.RangeOf, ir.Until, ir.Aggregate, ir.Way, ir.Selection, ir.Binding, ir.Let, ir.If, ir.For,
    ir.Return,
)  # fmt: skip
"""Nodes that read nothing themselves."""


def _kind_of(type: t.Type) -> str:
    while isinstance(type, t.OptionalType | t.ListType):
        type = type.item
    return type.component if isinstance(type, t.PortType) else str(getattr(type, "name", ""))
