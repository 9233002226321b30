"""One game as one Python module: all functions emitted, put together, compiled and run once.

The source can be read (`Module.source`); a map from its lines to places in the spec serves error messages.
"""

from __future__ import annotations

import builtins
import linecache
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from attrs import define, evolve, field, frozen

from interpreter.compile.analysis import Analysis
from interpreter.compile.cuts import Decision, FrameForm
from interpreter.compile.evaluate import NAME, seats_from
from interpreter.compile.events import Events
from interpreter.compile.frames import Frames
from interpreter.compile.functions import emit_function
from interpreter.compile.growth import counters
from interpreter.compile.internal import StartTogether, Unit
from interpreter.compile.layout import Layout
from interpreter.compile.offers import Offers
from interpreter.compile.phases import Phases
from interpreter.compile.position import position_class, start_position
from interpreter.compile.remembered import Remembered
from interpreter.compile.schemas import Schema, Schemas
from interpreter.compile.shared import Shared, Supposed, helpers
from interpreter.compile.simplify import Simplifier
from interpreter.compile.statements import Plan, Statements
from interpreter.compile.tables import Tables
from interpreter.compile.tabulate import Tabulator
from interpreter.compile.writer import Places, Writer
from interpreter.errors import Fault
from interpreter.runtime import laid
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes
from rulespec.source import Span

_ALIAS = re.compile(r"(?<![\w.'\"])(z|(?:v|loc|face|spot|cover|ports|hidden|areas)_\w+)\b")


@frozen(eq=False)
class Module:
    """A compiled game in one of its modes.

    namespace: what the emitted code sees. code: functions by unit number. decisions: the places where play stops.
    spans: for each line of the source, from 0, its places in the spec. streams: of each random stream what its first
    number is made of: its name, after `%d` for the seed. units, analysis: what it was compiled from.
    frames: by number of a unit that can stop, what its frames look like. plain: whether seats never decide at the same
    time, and options are always called as the rules know them.
    """

    source: str
    spans: tuple[Places, ...]
    namespace: dict[str, Any] = field(repr=False)
    code: tuple[Callable[..., Any], ...] = field(repr=False)
    numbers: dict[str, int] = field(repr=False)
    decisions: tuple[Decision, ...] = field(repr=False)
    streams: tuple[bytes, ...]
    filename: str
    units: dict[str, Unit] = field(repr=False)
    analysis: Analysis = field(repr=False)
    frames: dict[int, FrameForm] = field(repr=False)
    plain: bool

    def function(self, name: str) -> Callable[..., Any]:
        """An emitted function by name."""
        return self.namespace[name]  # type: ignore[no-any-return]


@frozen
class Extra:
    """What is compiled beside a game (scenarios).

    bodies: parameters and body by name; effects in them set off no triggers. phases: their units get a frame even if
    they never stop, so that play can be halted where they begin (see `runtime.play.advance_to`).
    """

    bodies: Mapping[str, tuple[tuple[ir.Local, ...], ir.Expr | ir.Block]] = field(factory=dict)
    phases: frozenset[str] = frozenset()


@define
class Builder:
    """Emits and compiles one mode of a game."""

    layout: Layout
    tables: Tables
    log: bool
    explicit: bool
    holds: Callable[[ir.Expr | None], bool]
    extra: Extra = Extra()
    simplifier: Simplifier = field(init=False)
    spec: ir.CheckedSpec = field(init=False)
    """The game's spec with what options and seats decide worked out."""

    def build(self) -> Module:
        """Does it all."""
        self.simplifier = Simplifier(self.layout.options, self.layout.seats, self.layout.spec.enums, self._body_of)
        spec = self.spec = self._simplified()
        events = Events(spec, self.holds)
        events.add_procedures()
        events.add_actions()
        Phases(events).add_all()
        self._row_units(events)
        for name, (params, body) in self.extra.bodies.items():
            body = self.simplifier.declaration(body)
            if isinstance(body, tuple):
                plain = Events(spec, self.holds)
                plain.units = events.units
                plain._triggers = {}
                events.add(name, params, plain.woven(body), spec.phases[0].span)
        units = events.units
        analysis = Analysis(spec, self.explicit)
        kept = frozenset(f"{kind} {phase}" for phase in self.extra.phases for kind in ("phase", "pass"))
        bodies = self._bodies(events)
        analysis.learn(units.values(), bodies, kept)
        shared = Shared(self.layout, function_name=self._function_name, counts=not self.log)
        shared.counters = counters([*(unit.body for unit in units.values()), *bodies.values()])
        shared.body_of = self.simplifier.body
        shared.row_index = lambda type, row: self.tables.numbers[type.name][row]
        numbers = {key: n for n, key in enumerate(units)}
        schemas = Schemas(self.layout, self.tables.first)
        together = any(isinstance(node, StartTogether) for unit in units.values() for node in nodes(unit.body))
        plan = Plan(analysis, schemas, units, numbers, self.log, self.explicit, self.simplifier, together, halts=kept)
        shared.tabulator = Tabulator(self.layout, analysis, self.tables.evaluate.function, shared.constant)
        for action in spec.actions.values():
            schemas.of(action.name, action.selection.locals if action.selection else (), action.name)
        draws = self._draws(schemas, analysis) if self.explicit else {}
        offers = Offers(spec, shared, schemas, plan, self.simplifier, self.holds)

        whole = Writer()
        for writer in self._functions(shared, plan):
            whole.add(writer)
        for key, unit in units.items():
            if analysis.units[key].stops:
                frames = Frames(shared, plan=plan, unit=unit, offers=offers)
                frames.emit()
                whole.add(frames.out)
                for helper in frames.helpers:
                    whole.add(helper)
            else:
                whole.add(emit_function(unit.python_name, unit.params, unit.body, shared, plan, unit.span))
        for writer in offers.writers.values():
            whole.add(writer)
        for writer in self._texts(shared, plan):
            whole.add(writer)
        done = 0
        while done < len(shared.supposed):
            for writer in self._suppose(shared.supposed[done], shared, plan):
                whole.add(writer)
            done += 1
        for record in spec.records:
            whole.add(self._memory(record))
        for kind in self.layout.laid_kinds():
            for writer in self._movers(kind):
                whole.add(writer)
        whole.add(position_class(self.layout))
        return self._compile(whole, shared, plan, draws)

    def _simplified(self) -> ir.CheckedSpec:
        spec, simpler = self.layout.spec, self.simplifier.declaration
        return evolve(
            spec,
            functions=simpler(spec.functions),
            procedures=simpler(spec.procedures),
            triggers=simpler(spec.triggers),
            actions=simpler(spec.actions),
            phases=simpler(spec.phases),
            setup=simpler(spec.setup),
            result=simpler(spec.result),
            invariants=simpler(spec.invariants),
        )

    def _body_of(self, call: ir.FunctionCall) -> tuple[tuple[ir.Local, ...], ir.Expr] | None:
        """The parameters and body of a function that is an expression."""
        function = self.layout.spec.functions[call.function]
        layer = self._active(function, call.below)
        body = function.layers[layer].body if layer is not None else None
        if layer is None or not isinstance(body, ir.Expr):
            return None
        return function.params[layer], body

    def _draws(self, schemas: Schemas, analysis: Analysis) -> dict[int, Schema]:
        """By number of a stack that is ever shuffled, the schema of the outcomes that find out its top card."""
        draws: dict[int, Schema] = {}
        for name in sorted(analysis.shuffled):
            place = self.layout.zones[name]
            card = ir.Local(name, t.TableType("component", place.zone.component))
            schema = schemas.of("draw", (card,))
            draws.update({place.base + i: schema for i in range(place.count)})
        return draws

    # ------------------------------------------------------------ what there is to emit

    def _function_name(self, name: str, below: int | None) -> str:
        layers = self.layout.spec.functions[name].layers
        numbers = [n for n, la in enumerate(layers) if self.holds(la.only_if) and (below is None or n < below)]
        return f"f_{name}" if below is None else f"f_{name}_below_{below}" if numbers else "none_at_all"

    def _active(self, function: ir.Function, below: int | None) -> int | None:
        numbers = [n for n, la in enumerate(function.layers) if self.holds(la.only_if) and (below is None or n < below)]
        return numbers[-1] if numbers else None

    def _bodies(self, events: Events) -> dict[str, Any]:
        """The bodies that expressions call, for the analysis; all layers and rows of a name together."""
        spec = self.spec
        bodies: dict[str, Any] = {}
        for function in spec.functions.values():
            bodies[f"function {function.name}"] = tuple(
                layer.body for layer in function.layers if self.holds(layer.only_if)
            )
        for table in spec.tables.values():
            for column in table.fields.values():
                if column.params is None:
                    continue
                if column.type == t.EFFECT:
                    keys = [k for k in events.units if k.startswith(f"rule {table.name}.{column.name}/")]
                    bodies[f"rule {table.name}.{column.name}"] = tuple(events.units[k].body for k in keys)
                else:
                    found = [row.values[column.name][1] for row in table.rows if column.name in row.values]
                    bodies[f"rule {table.name}.{column.name}"] = tuple(found)
        return bodies

    def _row_units(self, events: Events) -> None:
        """Rules in rows that do something are units."""
        for table in self.layout.spec.tables.values():
            for column in table.fields.values():
                if column.params is not None and column.type == t.EFFECT:
                    for n, row in enumerate(table.rows):
                        params, body = row.values[column.name]
                        body = events.woven(self.simplifier.block(body))
                        events.add(f"rule {table.name}.{column.name}/{n}", params, body, row.span)

    def _functions(self, shared: Shared, plan: Plan) -> list[Writer]:
        spec = self.spec
        found = []
        remembered = Remembered(self.layout, spec.functions, self._active)
        for function in spec.functions.values():
            for below in (None, *range(len(function.layers))):
                layer = self._active(function, below)
                if layer is None:
                    continue
                name = f"f_{function.name}" if below is None else f"f_{function.name}_below_{below}"
                kept = remembered.emit(shared, function.name, below, name)
                if kept is not None:
                    found.append(kept)
                    name = f"anew_{name}"
                body = function.layers[layer]
                found.append(self._function(name, function.params[layer], body.body, shared, plan, body.span))
        for table in spec.tables.values():
            for column in table.fields.values():
                if column.params is None or column.type == t.EFFECT:
                    continue
                for n, row in enumerate(table.rows):
                    params, body = row.values[column.name]
                    name = f"{table.name}_{column.name}_{n}"
                    body = self.simplifier.declaration(body)
                    found.append(self._function(name, params, body, shared, plan, row.span))
        result = spec.result
        for kind, expr in [
            ("score", result.score),
            ("payoff", result.payoff),
            *((f"rank_{n}", e) for n, (_, e) in enumerate(result.rank_by)),
        ]:
            if expr is not None:
                found.append(emit_function(f"result_{kind}", (result.p,), expr, shared, plan, expr.span))
        for invariant in spec.invariants:
            name = f"invariant_{invariant.name}"
            found.append(emit_function(name, (), invariant.condition, shared, plan, invariant.span))
        for name, (params, extra) in self.extra.bodies.items():
            if not isinstance(extra, tuple):
                found.append(emit_function(name, params, extra, shared, plan, extra.span))
        return found

    def _function(
        self, name: str, params: tuple[ir.Local, ...], body: Any, shared: Shared, plan: Plan, span: Span
    ) -> Writer:
        return emit_function(name, params, body, shared, plan, span, self.simplifier)

    def _texts(self, shared: Shared, plan: Plan) -> list[Writer]:
        """Labels of actions and conditions for `why_not`."""
        found = []
        for action in self.layout.spec.actions.values():
            params = (action.me, *(action.selection.locals if action.selection else ()))
            if action.label is not None:
                name = f"label_{action.name}"
                found.append(emit_function(name, params, action.label, shared, plan, action.span))
        for table in self.layout.spec.tables.values():
            if table.label is not None:
                found.append(
                    emit_function(
                        f"label_row_{table.name}", table.row_locals, table.label, shared, plan, table.label.span
                    )
                )
        return found

    def _suppose(self, supposed: Supposed, shared: Shared, plan: Plan) -> list[Writer]:
        """`supposing`: a copy of what the procedure and the value read, changed by the procedure; then the value."""
        node, number = supposed.node, supposed.number
        key = Events(self.spec, self.holds).procedure_key(node.procedure)
        effects = plan.analysis.of(node.value)
        effects.take(plan.analysis.units[key])
        writes = plan.analysis.units[key].writes
        emitter = Statements(shared, plan=plan, out=Writer(span=node.span))
        out = emitter.out
        params = "".join(f", {emitter.names.of(local)}" for local in supposed.params)
        with out.block(f"def suppose_{number}(S{params}):"):
            args = "".join(f", {emitter.text(a)}" for a in node.args)
            out.put("T = new(Position)")
            for name, copied in self._needed(effects.reads | effects.writes, writes).items():
                out.put(f"T.{name} = S.{name}{'[:]' if copied else ''}")
            out.put(f"{plan.units[key].python_name}(T{args})")
            out.put("return T")
        emitter = Statements(shared, plan=plan, out=Writer(span=node.span))
        locals = "".join(f", {emitter.names.of(local)}" for local in supposed.locals)
        with emitter.out.block(f"def supposed_{number}(S{locals}):"):
            emitter.put(f"return {emitter.text(node.value)}")
        return [out, emitter.out]

    def _needed(self, used: set[str], written: set[str]) -> dict[str, bool]:
        """The slots of a position that hold some state, and whether the written state lies in them."""
        slots = {"steps": False, "unknown": False, "turn": False}
        kinds = [n for n, table in self.layout.spec.tables.items() if table.kind == "component" and f"k:{n}" in used]
        if kinds:
            slots["z"] = any(f"k:{kind}" in written for kind in kinds)
        for kind in kinds:
            slots[f"loc_{kind}"] = f"k:{kind}" in written
            if self.layout.laid_zones(kind):
                slots.update({f"{part}_{kind}": f"k:{kind}" in written for part in laid.LISTS})
                slots[f"known_{kind}"] = False
        for name, table in self.layout.spec.tables.items():
            if table.faces and (f"f:{name}" in used or f"k:{name}" in used):
                slots[f"face_{name}"] = f"f:{name}" in written
        for name, place in self.layout.variables.items():
            if f"v:{name}" in used:
                slots[f"v_{name}"] = bool(place.per) and f"v:{name}" in written
        slots.update({f"memory_{name}": False for name in self.layout.spec.records if f"m:{name}" in used})
        return slots

    def _movers(self, kind: str) -> list[Writer]:
        """`lift_KIND` takes a piece off the board where it lies, `lay_ZONE` puts one that is not laid into a zone."""
        lists = f"({', '.join(f'{part}_{kind}' for part in laid.LISTS)})"
        found = []
        places = self.layout.laid_zones(kind)
        lift = Writer()
        with lift.block(f"def lift_{kind}(S, c):"):
            for place in places:
                with lift.block(f"if loc_{kind}[c] == {place.base}:"):
                    ground = f"ground_{kind}_{place.zone.laid_on}"
                    start, first = self.layout.laid_start(place.zone.name), self.layout.laid_areas(place.zone.name)
                    lift.put(f"{ground}.lift({lists}, c, z[{place.base}], {start}, {first})")
                    lift.put(f"S.known_{kind} = {{}}")
        found.append(lift)
        for place in places:
            lay = Writer()
            with lay.block(f"def lay_{place.zone.name}(S, c, spot):"):
                ground = f"ground_{kind}_{place.zone.laid_on}"
                start, first = self.layout.laid_start(place.zone.name), self.layout.laid_areas(place.zone.name)
                lay.put(f"{ground}.lay(z, loc_{kind}, {lists}, c, spot, {place.base}, {start}, {first})")
                lay.put(f"S.known_{kind} = {{}}")
            found.append(lay)
        return found

    def _memory(self, record: str) -> Writer:
        """The position that a record remembers."""
        out = Writer()
        parts = []
        for name in self.layout.spec.records[record]:
            if name in self.layout.variables:
                parts.append(f"tuple(S.v_{name})" if self.layout.variables[name].per else f"S.v_{name}")
            elif name in self.layout.zones:
                place = self.layout.zones[name]
                if place.zone.laid_on:
                    kind = place.zone.component
                    parts.append(f"tuple([(c, S.spot_{kind}[c]) for c in S.z[{place.base}]])")
                    continue
                parts.append(f"tuple(map(tuple, S.z[{place.base}:{place.base + place.count}]))")
            else:
                parts.append("S.turn")
        with out.block(f"def position_{record}(S):"):
            out.put(f"return ({', '.join(parts)},)" if parts else "return ()")
        return out

    # ------------------------------------------------------------ compilation

    def _compile(self, whole: Writer, shared: Shared, plan: Plan, draws: dict[int, Schema]) -> Module:
        lines, spans = self._with_aliases(whole)
        source = "\n".join(lines) + "\n"
        modes = ["log"] * self.log + ["explicit chance"] * self.explicit
        filename = f"<rulespec {self.layout.spec.id}{': ' if modes else ''}{', '.join(modes)} {id(self):x}>"
        scope = helpers()
        scope.update(Fault=Fault, new=object.__new__, seats_from=seats_from(self.layout.seats), **shared.constants)
        self._fill(scope, source)
        exec(compile(source, filename, "exec"), scope)
        linecache.cache[filename] = (len(source), None, [line + "\n" for line in lines], filename)
        code = tuple(scope[unit.python_name] for unit in plan.units.values())
        self._link(scope, plan, shared)
        scope["DRAWS"] = draws
        streams = tuple(f"%d/{stream.replace('%', '%%')}".encode() for stream in shared.streams)
        return Module(
            source, tuple(spans), scope, code, plan.numbers, tuple(plan.decisions), streams, filename, plan.units,
            plan.analysis, plan.frames, not plan.together and not self.tables.first,
        )  # fmt: skip

    def _fill(self, scope: dict[str, Any], source: str) -> None:
        """Puts the columns of tables and start values that the source names into its scope."""
        for name in set(NAME.findall(source)):
            if name in scope or hasattr(builtins, name):
                continue
            if name.startswith("start_") and name[6:] in self.layout.variables:
                scope[name] = tuple(start_position(self.layout, self.tables)[name[6:]])
                continue
            with suppress(KeyError):
                scope[name] = self.tables.named(name)

    def _link(self, scope: dict[str, Any], plan: Plan, shared: Shared) -> None:
        """Tables of functions: actions by number, rules by row."""
        schemas: list[Schema] = plan.schemas.all
        stops = plan.analysis.units
        actions = list(self.layout.spec.actions)
        scope["ENTRY"] = [plan.numbers[f"action {name}"] for name in actions]
        scope["DO"] = [
            None if stops[f"action {n}"].stops else scope[plan.units[f"action {n}"].python_name] for n in actions
        ]
        scope["SCHEMAS"] = tuple(schemas)
        scope.update({f"L{schema.number}": plan.schemas.looks(schema) for schema in schemas})
        scope["SHOWN"] = shared
        for table in self.layout.spec.tables.values():
            row_of = {id(row): n for n, row in enumerate(table.rows)}
            rows = [row_of.get(id(row), 0) for row in self.tables.rows[table.name]]
            for column in table.fields.values():
                if column.params is None:
                    continue
                name = f"{table.name}_{column.name}"
                if column.type == t.EFFECT:
                    keys = [f"rule {table.name}.{column.name}/{n}" for n in rows]
                    scope[name] = [scope[plan.units[k].python_name] for k in keys]
                    scope[f"{name}_numbers"] = [plan.numbers[k] for k in keys]
                else:
                    scope[name] = [scope[f"{name}_{n}"] for n in rows]

    def _with_aliases(self, whole: Writer) -> tuple[list[str], list[Places]]:
        """Adds to each function local names for the lists that it uses more than through `S`."""
        lists = {"z"}
        lists |= {f"loc_{n}" for n, tb in self.layout.spec.tables.items() if tb.kind == "component"}
        lists |= {f"face_{n}" for n, tb in self.layout.spec.tables.items() if tb.faces}
        lists |= {f"{part}_{n}" for n in self.layout.laid_kinds() for part in laid.LISTS}
        lists |= {f"v_{n}" for n, v in self.layout.variables.items() if v.per}
        lines: list[str] = []
        spans: list[Places] = []
        start, n = 0, len(whole.lines)
        while start < n:
            end = start + 1
            while end < n and (whole.lines[end].startswith(" ") or not whole.lines[end]):
                end += 1
            part, places = whole.lines[start:end], whole.spans[start:end]
            if part[0].startswith("def "):
                used = {m for line in part[1:] for m in _ALIAS.findall(line)} & lists
                prelude = [f"    {name} = S.{name}" for name in sorted(used)]
                part = part[:1] + prelude + part[1:]
                places = places[:1] + [places[0]] * len(prelude) + places[1:]
            lines += part
            spans += places
            start = end
        return lines, spans
