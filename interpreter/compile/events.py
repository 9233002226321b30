"""Triggers: every event that has some becomes a unit with its triggers around it, and every statement that causes
the event a call of that unit. What has no triggers stays as it is and costs nothing.

A unit with triggers: the `before` ones, then the event or its `instead_of` (the last wraps the others), then the
`after` ones, each in the order of the spec. A trigger's body is a unit of its own, so that `return` leaves only it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs
from attrs import define, field

from interpreter.compile.internal import CallUnit, StartTogether, Unit
from interpreter.compile.trees import free, map_statements
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.source import Span


def read(local: ir.Local, span: Span) -> ir.LocalRead:
    """A local as an expression."""
    return ir.LocalRead(local, type=local.type, span=span)


def negated(condition: ir.Expr) -> ir.Expr:
    """`not condition`."""
    return ir.Unary("not", condition, type=t.BOOL, span=condition.span)


def differs(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    """`left != right`."""
    return ir.Binary("!=", left, right, type=t.BOOL, span=left.span)


@define
class Events:
    """Makes units of procedures, actions and events, and weaves triggers into statements."""

    spec: ir.CheckedSpec
    holds: Callable[[ir.Expr | None], bool]
    """Whether an `only_if` holds in this game."""
    units: dict[str, Unit] = field(factory=dict)
    _triggers: dict[str, list[ir.Trigger]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for trigger in self.spec.triggers:
            if self.holds(trigger.only_if):
                for name in trigger.names or ("",):
                    self._triggers.setdefault(f"{trigger.kind} {name}".strip(), []).append(trigger)

    # ------------------------------------------------------------ layers

    def active(self, layers: Iterable[ir.Layer]) -> list[ir.Layer]:
        """The layers that exist in this game, the base's first."""
        return [layer for layer in layers if self.holds(layer.only_if)]

    def value(self, layers: Iterable[ir.Layer]) -> ir.Expr | None:
        """The topmost expression of some layers."""
        found = self.active(layers)
        return found[-1].body if found else None  # type: ignore[return-value]

    def stacked(
        self, key: str, layers: Iterable[ir.Layer], params: tuple[ir.Local, ...], lowest: ir.Block = ()
    ) -> ir.Block:
        """The effects of the topmost layer; `usual` in it calls the one below as a unit, in the lowest is `lowest`."""
        body: ir.Block = ()
        below: ir.Block = ()
        for n, layer in enumerate(self.active(layers)):
            assert isinstance(layer.body, tuple)
            if n and any_usual(layer.body):
                unit = Unit(f"{key}/{n - 1}", params, below, layer.span)
                self.units[unit.key] = unit
                call = CallUnit(unit.key, tuple(read(p, layer.span) for p in params), span=layer.span)
                body = replace_usual(layer.body, (call,))
            else:
                body = replace_usual(layer.body, () if n else lowest)
            body = self.woven(body)
            below = body
        return body

    def procedure_key(self, name: str, below: int | None = None) -> str:
        """The unit that a call of a procedure means."""
        if below is None:
            return f"call {name}" if f"call {name}" in self._triggers else self._layer_key(name, None)
        return self._layer_key(name, below)

    def _layer_key(self, name: str, below: int | None) -> str:
        layers = self.spec.procedures[name].layers
        numbers = [n for n, layer in enumerate(layers) if self.holds(layer.only_if) and (below is None or n < below)]
        return f"procedure {name}/{numbers[-1]}" if numbers else f"procedure {name}/none"

    # ------------------------------------------------------------ units

    def add(self, key: str, params: tuple[ir.Local, ...], body: ir.Block, span: Span) -> None:
        """Adds a unit whose body is already woven."""
        self.units[key] = Unit(key, params, body, span)

    def add_procedures(self) -> None:
        """Units for all layers of all procedures, and the calls with triggers."""
        for procedure in self.spec.procedures.values():
            self.add(f"procedure {procedure.name}/none", procedure.params[0], (), procedure.span)
            for n, layer in enumerate(procedure.layers):
                if self.holds(layer.only_if):
                    assert isinstance(layer.body, tuple)
                    self.add(f"procedure {procedure.name}/{n}", procedure.params[n], self.woven(layer.body), layer.span)
            if f"call {procedure.name}" in self._triggers:
                self._add_call_event(procedure)

    def _add_call_event(self, procedure: ir.Procedure) -> None:
        params = tuple(ir.Local(p.name, p.type) for p in procedure.params[0])
        span = procedure.span
        args = tuple(read(p, span) for p in params)
        result = ir.Local("result", procedure.result) if procedure.result != t.NONE else None
        core = CallUnit(self._layer_key(procedure.name, None), args, result, span=span)
        key = f"call {procedure.name}"
        body = self._around(key, key, (core,), params, None, span, result)
        if result is not None:
            body += (ir.Return(read(result, span), span=span),)
        self.add(key, params, body, span)

    def add_actions(self) -> None:
        """A unit for each action: cost, then effects, with the triggers on it."""
        for action in self.spec.actions.values():
            params = (action.me, *(action.selection.locals if action.selection else ()))
            key = f"action {action.name}"
            # What is offered can be paid, unless a trigger comes before it is.
            sure = key not in self._triggers
            body = self.woven(tuple(_payment(amount, variable, sure) for amount, variable in action.pay))
            body += self.stacked(f"{key} do", action.do, params)
            if key in self._triggers:
                self.add(f"core {key}", params, body, action.span)
                core = CallUnit(f"core {key}", tuple(read(p, action.span) for p in params), span=action.span)
                body = self._around(key, key, (core,), params[1:], action.me, action.span)
            self.add(key, params, body, action.span)

    def add_event(
        self, key: str, params: tuple[ir.Local, ...], body: ir.Block, me: ir.Local | None, span: Span
    ) -> None:
        """A unit `key` that does `body` with the triggers on the event of that name ("setup", "phase X")."""
        if key in self._triggers:
            body = self._around(key, key, body, tuple(p for p in params if p is not me), me, span)
        self.add(key, params, body, span)

    def has(self, key: str) -> bool:
        """Whether an event has triggers."""
        return key in self._triggers

    def _around(
        self,
        event: str,
        key: str,
        core: ir.Block,
        params: tuple[ir.Local, ...],
        me: ir.Local | None,
        span: Span,
        result: ir.Local | None = None,
        hidden: tuple[ir.Local, ...] = (),
    ) -> ir.Block:
        """The event with its triggers; params are what their patterns bind, hidden what else the event needs."""
        triggers = self._triggers[event]
        everything = (*((me,) if me else ()), *params, *hidden)
        args = tuple(read(p, span) for p in everything)
        back: ir.Block = (ir.Return(read(result, span), span=span),) if result is not None else ()
        for trigger in triggers:
            if trigger.time == "instead_of":
                inner = f"inside {trigger.name} {key}"
                self.add(inner, everything, (*core, *back), span)
                usual = CallUnit(inner, args, result, span=span)
                unit = self._add_instead(trigger, key, usual, params, me, hidden)
                core = self._if_when(trigger, params, me, span, (CallUnit(unit, args, result, span=span),), (usual,))
        before = [s for tr in triggers if tr.time == "before" for s in self._run(tr, params, me, span)]
        after = [s for tr in triggers if tr.time == "after" for s in self._run(tr, params, me, span)]
        return (*before, *core, *after)

    @staticmethod
    def _pairs(
        trigger: ir.Trigger, params: tuple[ir.Local, ...], me: ir.Local | None
    ) -> list[tuple[ir.Local, ir.Local]]:
        """The names that a trigger binds, each with the event's own local."""
        pairs = list(zip(trigger.binds, params, strict=False))
        if trigger.me is not None and me is not None:
            pairs.insert(0, (trigger.me, me))
        return pairs

    def _if_when(
        self,
        trigger: ir.Trigger,
        params: tuple[ir.Local, ...],
        me: ir.Local | None,
        span: Span,
        call: ir.Block,
        other: ir.Block,
    ) -> ir.Block:
        """The call of a trigger where its condition holds; else `other`."""
        when = self.value(trigger.when)
        if when is None:
            return call
        pairs = self._pairs(trigger, params, me)
        lets = tuple(ir.Let(bind, read(p, span), span=trigger.span) for bind, p in pairs)
        return (*lets, ir.If(when, call, other, span=trigger.span))

    def _run(self, trigger: ir.Trigger, params: tuple[ir.Local, ...], me: ir.Local | None, span: Span) -> ir.Block:
        """A trigger before or after its event."""
        pairs = self._pairs(trigger, params, me)
        binds = tuple(bind for bind, _ in pairs)
        key = f"trigger {trigger.name}"
        self.add(key, binds, self.stacked(key, trigger.do, binds), trigger.span)
        call = CallUnit(key, tuple(read(p, span) for _, p in pairs), span=trigger.span)
        return self._if_when(trigger, params, me, span, (call,), ())

    def _add_instead(
        self,
        trigger: ir.Trigger,
        key: str,
        usual: CallUnit,
        params: tuple[ir.Local, ...],
        me: ir.Local | None,
        hidden: tuple[ir.Local, ...],
    ) -> str:
        """Adds the unit of an instead_of trigger at one event, `usual` in it being that event; its key.

        It has all parameters of the event, the trigger's own names in the place of those that its pattern binds.
        """
        bound = {param: bind for bind, param in self._pairs(trigger, params, me)}
        everything = tuple(bound.get(p, p) for p in (*((me,) if me else ()), *params, *hidden))
        span = trigger.span
        event = attrs.evolve(usual, args=tuple(read(p, span) for p in everything))
        unit = f"trigger {trigger.name} {key}"
        body = self.stacked(unit, trigger.do, everything, (event,))
        result = usual.local
        if result is not None:
            value = ir.Return(read(result, span), span=span)
            body = map_statements(body, lambda s: (value,) if isinstance(s, ir.Return) else None)
            body = (ir.Let(result, _nothing(result.type, span), span=span), *body, value)
        self.add(unit, everything, body, span)
        return unit

    # ------------------------------------------------------------ weaving

    def woven(self, block: ir.Block) -> ir.Block:
        """A block in which calls name units, and events with triggers are calls of theirs."""
        return map_statements(block, self._weave)

    def _weave(self, stmt: ir.Stmt) -> ir.Block | None:
        match stmt:
            case ir.Call(procedure=name, args=args, below=below):
                return (CallUnit(self.procedure_key(name, below), args, span=stmt.span),)
            case ir.LetCall(local=local, call=call):
                return (CallUnit(self.procedure_key(call.procedure, call.below), call.args, local, span=stmt.span),)
            case ir.Move(zone=zone) if self.has(f"move {zone}"):
                return self._moved(stmt)
            case ir.MoveAll(zone=zone, source=source) if self.has(f"move {zone}"):
                return self._each_moved(stmt, source)
            case ir.Draw(zone=zone) if self.has(f"move {zone}") or self._refill_triggers(stmt):
                return self._drawn(stmt)
            case ir.SetVar(variable=name) if self.has(f"change {name}"):
                return self._changed(stmt)
            case ir.MoveTokens(source=source, target=target) if self._watched(source, target):
                return self._tokens(stmt)
            case ir.Swap(first=first, second=second) if self._watched(first, second):
                kept = ir.Local("kept", first.type)
                return self.woven(
                    (
                        ir.Let(kept, first, span=stmt.span),
                        ir.SetVar(first.variable, first.indices, second, span=stmt.span),
                        ir.SetVar(second.variable, second.indices, read(kept, stmt.span), span=stmt.span),
                    )
                )
            case ir.TurnOver(what=what) if self.has(f"turn_over {_kind(what)}"):
                return self._turned(stmt)
            case ir.Together():
                return (self._together(stmt),)
        return None

    def _together(self, stmt: ir.Together) -> StartTogether:
        captured = tuple(local for local in free(stmt.body) if local is not stmt.local)
        key = f"together {sum(k.startswith('together ') for k in self.units) + 1}"
        self.add(key, (stmt.local, *captured), (), stmt.span)
        self.add(key, (stmt.local, *captured), self.woven(stmt.body), stmt.span)
        return StartTogether(key, stmt.local, stmt.selection, captured, span=stmt.span)

    def _watched(self, *variables: ir.VarRead) -> bool:
        return any(self.has(f"change {v.variable}") for v in variables)

    def _refill_triggers(self, stmt: ir.Draw) -> bool:
        return bool(self.spec.zones[stmt.source.zone].refilled_from) and self.has(f"move {stmt.source.zone}")

    def _moved(self, stmt: ir.Move) -> ir.Block:
        """`move c to zone` as a call of its event; nothing happens where there is no component."""
        zone, span = stmt.zone, stmt.span
        key = f"move {zone}"
        component = t.TableType("component", self.spec.zones[zone].component)
        extra = [e for e in (stmt.at, stmt.after) if e is not None]
        if extra:
            key += " at" if stmt.at is not None else " after"
        if key not in self.units:
            c = ir.Local("component", component)
            indices = tuple(ir.Local(f"index{n}", d.type) for n, d in enumerate(self.spec.zones[zone].per))
            places = tuple(ir.Local("place", e.type) for e in extra)
            params = (c, *indices)
            core = ir.Move(
                read(c, span),
                zone,
                tuple(read(i, span) for i in indices),
                at=read(places[0], span) if stmt.at is not None else None,
                after=read(places[0], span) if stmt.after is not None else None,
                span=span,
            )
            self.add(key, (*params, *places), (), span)
            inner = f"core {key}"
            self.add(inner, (*params, *places), (core,), span)
            call = CallUnit(inner, tuple(read(p, span) for p in (*params, *places)), span=span)
            self.add(
                key,
                (*params, *places),
                self._around(f"move {zone}", key, (call,), params, None, span, None, places),
                span,
            )
        if not isinstance(stmt.what.type, t.OptionalType):
            return (CallUnit(key, (stmt.what, *stmt.indices, *extra), span=span),)
        what = ir.Local("component", stmt.what.type)
        test = ir.Truth(read(what, span), type=t.BOOL, span=span)
        call = CallUnit(key, (ir.LocalRead(what, type=component, span=span), *stmt.indices, *extra), span=span)
        return (ir.Let(what, stmt.what, span=span), ir.If(test, (call,), (), span=span))

    def _each_moved(self, stmt: ir.MoveAll, source: ir.ZoneRead) -> ir.Block:
        span = stmt.span
        c = ir.Local("component", t.TableType("component", self.spec.zones[stmt.zone].component))
        selection = ir.Selection((ir.Binding(c, source),), ((), ()), None, span=span)
        move = ir.Move(read(c, span), stmt.zone, stmt.indices, at=stmt.at, span=span)
        return (ir.For(selection, self.woven((move,)), span=span),)

    def _drawn(self, stmt: ir.Draw) -> ir.Block:
        span, source = stmt.span, stmt.source
        zone = self.spec.zones[source.zone]
        refill: ir.Block = ()
        if zone.refilled_from:
            other = attrs.evolve(source, zone=zone.refilled_from)
            steps: ir.Block = (ir.MoveAll(other, source.zone, source.indices, span=span), ir.Shuffle(source, span=span))
            refill = (ir.If(negated(ir.Truth(source, type=t.BOOL, span=span)), self.woven(steps), (), span=span),)
        component = t.OptionalType(t.TableType("component", zone.component))
        top = ir.BuiltIn("top", (source,), type=component, span=span)
        move = ir.Move(top, stmt.zone, stmt.indices, span=span)
        return (ir.Repeat(stmt.amount, (*refill, *self.woven((move,))), span=span),)

    def _changed(self, stmt: ir.SetVar) -> ir.Block:
        name, span = stmt.variable, stmt.span
        variable = self.spec.variables[name]
        key = f"change {name}"
        if stmt.clamp:
            key += " clamped"
        if key not in self.units:
            value = ir.Local("value", stmt.value.type)
            indices = tuple(ir.Local(f"index{n}", d.type) for n, d in enumerate(variable.per))
            places = tuple(read(i, span) for i in indices)
            params = (*indices, value)
            self.add(key, params, (), span)
            old = ir.VarRead(name, places, type=variable.type, span=span)
            set_it = ir.SetVar(name, places, read(value, span), fits=stmt.clamp, span=span)
            watched = self._around(f"change {name}", key, (set_it,), indices, None, span, None, (value,))
            body: ir.Block = (ir.If(differs(old, read(value, span)), watched, (), span=span),)
            if stmt.clamp:
                body = (ir.Let(value, _clamped(read(value, span), variable), again=True, span=span), *body)
            self.add(key, params, body, span)
        return (CallUnit(key, (*stmt.indices, stmt.value), span=span),)

    def _tokens(self, stmt: ir.MoveTokens) -> ir.Block:
        span, source, target = stmt.span, stmt.source, stmt.target
        amount = ir.Local("amount", source.type)
        less = ir.Binary("-", source, read(amount, span), type=source.type, span=span)
        more = ir.Binary("+", target, read(amount, span), type=target.type, span=span)
        return self.woven(
            (
                ir.Let(amount, source if stmt.amount is None else stmt.amount, span=span),
                ir.SetVar(source.variable, source.indices, less, span=span),
                ir.SetVar(target.variable, target.indices, more, span=span),
            )
        )

    def _turned(self, stmt: ir.TurnOver) -> ir.Block:
        kind, span = _kind(stmt.what), stmt.span
        key = f"turn_over {kind}" + (f" to {stmt.face}" if stmt.face else "")
        if key not in self.units:
            c = ir.Local("component", t.TableType("component", kind))
            self.add(key, (c,), (), span)
            core: ir.Block = (ir.TurnOver(read(c, span), stmt.face, span=span),)
            watched = self._around(f"turn_over {kind}", key, core, (c,), None, span)
            if stmt.face is not None:
                wanted = self.spec.tables[kind].faces.index(stmt.face)
                shows = ir.BuiltIn("face", (read(c, span),), type=t.NUMBER, span=span)
                other = differs(shows, ir.Const(wanted, type=t.NUMBER, span=span))
                watched = (ir.If(other, watched, (), span=span),)
            self.add(key, (c,), watched, span)
        return (CallUnit(key, (stmt.what,), span=span),)


def _payment(amount: ir.Expr, variable: ir.VarRead, sure: bool) -> ir.SetVar:
    value = ir.Binary("-", variable, amount, type=variable.type, span=amount.span)
    return ir.SetVar(variable.variable, variable.indices, value, fits=sure, span=amount.span)


def _clamped(value: ir.Expr, variable: ir.Variable) -> ir.Expr:
    """A value taken to the nearest end of a variable's range."""
    declared, inner = variable.declared, variable.type
    if not isinstance(inner, t.NumberType):
        return value
    for name, end, plain in (("max", declared.low, inner.low), ("min", declared.high, inner.high)):
        if end is None and plain is not None:
            end = ir.Const(plain, type=inner, span=value.span)
        if end is not None:
            value = ir.BuiltIn(name, (value, end), type=inner, span=value.span)
    return value


def _nothing(type: t.Type, span: Span) -> ir.Const:
    """The result of a procedure in whose place something else was done: none, false, the first value or 0."""
    value = None if isinstance(type, t.OptionalType) else False if isinstance(type, t.BoolType) else 0
    if isinstance(type, t.NumberType) and type.low is not None:
        value = max(int(type.low), 0)
    return ir.Const(value, type=type, span=span)


def _kind(what: ir.Expr) -> str:
    inner: Any = what.type
    while isinstance(inner, t.OptionalType):
        inner = inner.item
    return str(inner.name)


def any_usual(block: ir.Block) -> bool:
    """Whether `usual` stands in the block as a statement."""
    found = False

    def look(stmt: ir.Stmt) -> None:
        nonlocal found
        found = found or isinstance(stmt, ir.Usual)

    map_statements(block, look)
    return found


def replace_usual(block: ir.Block, instead: ir.Block) -> ir.Block:
    """A block with `usual` replaced by other statements."""
    return map_statements(block, lambda stmt: instead if isinstance(stmt, ir.Usual) else None)
