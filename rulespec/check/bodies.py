"""Bodies: functions, procedures, rules in rows, triggers, actions, with their layers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from typing import Any

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import core, typing
from rulespec.check import types as t
from rulespec.check.context import Context, Scope
from rulespec.check.convert import convert, join_all, represent
from rulespec.check.expressions import check_selection, check_template
from rulespec.check.narrow import after_cost, facts_of, with_facts
from rulespec.check.statements import check_block, check_function_body
from rulespec.check.tables import TableEntry
from rulespec.check.walk import names, says_usual
from rulespec.check.words import counted, describe, type_text
from rulespec.check.zones import box_zone
from rulespec.diagnostics import Note
from rulespec.source import Span
from rulespec.spec import model as m
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n
from rulespec.syntax.parser import parse_block, parse_body


def condition_of(node: n.Expr | None, context: Context) -> ir.Expr | None:
    """An `only_if`."""
    return typing.fixed_condition(node, context, "`only_if`") if node is not None else None


def warn_left_out(layers: m.Layers, what: str, context: Context) -> None:
    """Warns of a version that leaves out the one below without saying so."""
    for below, layer in pairwise(layers):
        if not layer.replaces and not says_usual(layer.body):
            context.reporter.warning(
                "RS951",
                f"this version of {what} leaves out the one below",
                layer.span,
                "write `usual` where it belongs, or `replaces: true` beside it",
                (Note("the version below", below.span),),
            )


def effect_layers(layers: m.Layers, scope: Scope, what: str, event: bool = False) -> tuple[ir.Layer, ...]:
    """Versions of effects; `usual` is the one below, or, of an event, the event itself.

    Args:
        layers: as written, the base's first.
        scope: what they may read; each gets a scope of its own inside it.
        what: the thing in messages, as "action `take`".
        event: the lowest version may say `usual` too.
    """
    context = scope.context
    warn_left_out(layers, what, context)
    checked: list[ir.Layer] = []
    for i, layer in enumerate(layers):
        inner = scope.child(usual=("effect",) if i or event else None, result=None)
        if isinstance(layer.body, tuple):
            body = check_block(layer.body, inner)
            checked.append(ir.Layer(body, condition_of(layer.only_if, context), layer.span))
    return tuple(checked)


def joined_condition(layers: m.Layers, scope: Scope, what: str) -> ir.Expr | None:
    """Versions of a condition as one, with `usual` joined in; None where there is none."""
    return _joined(layers, scope, what, None)


def joined_value(layers: m.Layers, scope: Scope, what: str) -> ir.Expr | None:
    """Versions of a number as one, with `usual` joined in."""
    return _joined(layers, scope, what, t.NUMBER)


def _joined(layers: m.Layers, scope: Scope, what: str, number: t.Type | None) -> ir.Expr | None:
    context = scope.context
    warn_left_out(layers, what, context)
    current: ir.Expr | None = None
    for layer in layers:
        if isinstance(layer.body, tuple):
            continue
        inner = scope.child(usual=("value", current) if current is not None else None)
        if number is None:
            new = core.check_condition(layer.body, inner)
        else:
            new = core.check_expression(layer.body, inner)
            if not isinstance(new.type, (t.NumberType, t.UnknownType)):
                convert(new, number, context.reporter, layer.body)
        only_if = condition_of(layer.only_if, context)
        if only_if is not None:
            neutral = ir.Const(True if number is None else 0, type=t.BOOL if number is None else _ZERO, span=layer.span)
            other = current if current is not None else neutral
            new = ir.Cond(only_if, new, other, type=join_all([new.type, other.type]) or new.type, span=layer.span)
        current = new
    return current


_ZERO = t.NumberType(Fraction(0), Fraction(0))


# ---------------------------------------------------------------- functions and procedures


MOST_WAITING = 40
"""How many functions in a circle may wait for the result of one another."""


class Functions:
    """Checks functions, each when it is first called, so that results can be inferred in any order."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.checked: dict[str, ir.Function] = {}
        self.active: list[str] = []
        context.infer_result = self.infer

    def check_all(self) -> dict[str, ir.Function]:
        """Every function, in the order of the spec."""
        for name in self._from_below():
            self._check(name)
        for name in self.context.spec.functions:
            self._check(name)
        return {name: self.checked[name] for name in self.context.spec.functions if name in self.checked}

    def _from_below(self) -> Iterator[str]:
        """Functions after all that they call, so that long chains of them need no deep recursion; none in circles."""
        functions = self.context.spec.functions
        called = {
            name: {called.id for layer in function.layers for called in names(layer.body)} & functions.keys()
            for name, function in functions.items()
        }
        callers: dict[str, list[str]] = {name: [] for name in functions}
        for name, below in called.items():
            for other in sorted(below):
                callers[other].append(name)
        ready = [name for name in reversed(functions) if not called[name]]
        while ready:
            name = ready.pop()
            yield name
            for caller in callers[name]:
                called[caller].discard(name)
                if not called[caller]:
                    ready.append(caller)

    def infer(self, name: str) -> None:
        """Makes the result of a function known, if it can be."""
        signature = self.context.functions[name]
        if name in self.active and signature.result is None:
            function = self.context.spec.functions[name]
            circle = self.active[self.active.index(name) :]
            via = " through " + ", ".join(f"`{other}`" for other in circle[1:]) if len(circle) > 1 else ""
            self.context.reporter.error(
                "RS550",
                f"`{name}` calls itself{via}, so its result must be written",
                function.name_span,
                f"write `{name}(...) -> TYPE`",
            )
            signature.result = t.UNKNOWN
        elif name not in self.active and len(self.active) >= MOST_WAITING:
            self.context.reporter.error(
                "RS550",
                f"the result of `{name}` is asked for by more than {MOST_WAITING} functions that call one another",
                self.context.spec.functions[name].name_span,
                f"write `{name}(...) -> TYPE`",
            )
            signature.result = t.UNKNOWN
        elif name not in self.active:
            self._check(name)

    def _check(self, name: str) -> None:
        if name in self.checked or name in self.active:
            return
        self.active.append(name)
        function, signature = self.context.spec.functions[name], self.context.functions[name]
        warn_left_out(function.layers, f"function `{name}`", self.context)
        written = function.result is not None
        params, layers, results = [], [], []
        for i, layer in enumerate(function.layers):
            scope, locals = body_scope(signature.params, name, self.context, function=True, kind="function")
            scope.usual = ("function", name, i) if i else None
            body, result = function_body(layer.body, scope, signature.result if written else None)
            params.append(locals)
            layers.append(ir.Layer(body, condition_of(layer.only_if, self.context), layer.span))
            results.append(result)
            if not written:
                signature.result = self._join(results, layer.span, name)
        self.active.remove(name)
        result = signature.result or t.UNKNOWN
        self.checked[name] = ir.Function(
            name,
            result,
            tuple(params),
            tuple(_as(layer, result) for layer in layers),
            function.doc,
            function.name_span,
            condition_of(function.only_if, self.context),
        )

    def _join(self, results: list[t.Type], span: Span, name: str) -> t.Type:
        found = join_all([r for r in results if r != t.UNKNOWN] or [t.UNKNOWN])
        if found is None:
            self.context.reporter.error(
                "RS551",
                f"this version of `{name}` gives {describe(results[-1])}, the one below {describe(results[0])}",
                span,
                f"write the result, `{name}(...) -> TYPE`",
            )
            return t.UNKNOWN
        return found


def _as(layer: ir.Layer, result: t.Type) -> ir.Layer:
    """A layer whose expression has the form of the result (a list where sets are joined, ...)."""
    return evolve(layer, body=represent(layer.body, result)) if isinstance(layer.body, ir.Expr) else layer


def body_scope(
    params: Iterable[tuple[str, t.Type]], name: str, context: Context, function: bool, kind: str
) -> tuple[Scope, tuple[ir.Local, ...]]:
    """The scope of a body with its parameters; `kind` is function, procedure or rule."""
    scope = Scope(context, function=function, body=name, rule=f"{kind} {name}")
    locals = tuple(scope.bind(param, type) for param, type in params)
    scope.params = locals
    return scope, locals


def function_body(body: n.Expr | n.Block, scope: Scope, result: t.Type | None) -> tuple[ir.Expr | ir.Block, t.Type]:
    """A function's body and its result: the given one, or that of its value or returns."""
    if isinstance(body, tuple):
        return check_function_body(body, scope, result)
    expr = core.check_expression(body, scope, result)
    return expr, expr.type if result is None else result


def check_procedures(context: Context) -> dict[str, ir.Procedure]:
    """All procedures."""
    checked: dict[str, ir.Procedure] = {}
    for name, procedure in context.spec.procedures.items():
        signature = context.procedures[name]
        warn_left_out(procedure.layers, f"procedure `{name}`", context)
        params, layers = [], []
        for i, layer in enumerate(procedure.layers):
            scope, locals = body_scope(signature.params, name, context, function=False, kind="procedure")
            scope.usual = ("procedure", name, i) if i else None
            scope.result = None if signature.result in (t.NONE, None) else signature.result
            assert isinstance(layer.body, tuple)
            params.append(locals)
            layers.append(ir.Layer(check_block(layer.body, scope), condition_of(layer.only_if, context), layer.span))
        checked[name] = ir.Procedure(
            name,
            signature.result or t.NONE,
            tuple(params),
            tuple(layers),
            procedure.doc,
            procedure.name_span,
            condition_of(procedure.only_if, context),
        )
    return checked


def check_row_rules(entry: TableEntry, context: Context) -> None:
    """The rules in the rows of a table."""
    table = context.tables[entry.name]
    rules = [field for field in table.fields.values() if field.params is not None]
    if not rules or entry.rows is None or entry.rows.all:
        return
    rows: list[ir.TableRow] = []
    for written, row in zip(entry.rows.rows, table.rows, strict=False):
        values = dict(row.values)
        for field in rules:
            cell = written.cells.get(field.name)
            rule = _row_rule(table, field, cell, context) if cell is not None else None
            if rule is not None:
                values[field.name] = rule
        rows.append(evolve(row, values=values))
    context.tables[entry.name] = evolve(table, rows=tuple(rows))


def _row_rule(table: ir.Table, field: ir.Field, cell: m.Cell, context: Context) -> tuple[Any, Any] | None:
    assert field.params is not None
    if cell.text is None or not cell.text.text.strip():
        context.reporter.error("RS460", f"`{field.name}` is a rule, written as one text", cell.span)
        return None
    effect = field.type == t.EFFECT
    body = (parse_block if effect else parse_body)(cell.text, context.reporter)
    if body is None:
        return None
    params = [(local.name, local.type) for local in field.params]
    scope, locals = body_scope(params, f"{table.name}.{field.name}", context, function=not effect, kind="rule")
    if effect:
        assert isinstance(body, tuple)
        return locals, check_block(body, scope)
    checked, _ = function_body(body, scope, field.type)
    if isinstance(checked, ir.Expr) and field.declared is not None:
        wrong = typing.outside(checked, field.declared, context)
        if wrong is not None:
            context.reporter.error("RS462", f"{wrong}, the values of `{field.name}`", checked.span)
    return locals, checked


# ---------------------------------------------------------------- actions


def declare_actions(context: Context) -> dict[str, Scope]:
    """Selections of actions, so that `ask` knows their parameters; the rest follows in `check_actions`.

    Returns:
        The scope of each action, in which its parameters are bound.
    """
    scopes: dict[str, Scope] = {}
    for name, action in context.spec.actions.items():
        scope = Scope(context, function=True, body=name, rule=f"action {name}")
        scope.me = me = scope.bind("me", t.PLAYER)
        selection = None
        if action.selection is not None:
            selection, scope = check_selection(action.selection, scope)
        scopes[name] = scope
        context.actions[name] = ir.Action(
            name, me, selection, None, (), (), condition_of(action.only_if, context), None, action.doc, action.name_span
        )
    return scopes


def check_actions(scopes: dict[str, Scope], context: Context) -> None:
    """Conditions, costs, effects and labels of actions."""
    for name, action in context.spec.actions.items():
        scope = scopes[name]
        when = joined_condition(action.when, scope, f"`when` of action `{name}`")
        pay = tuple(_cost(amount, target, scope, name) for amount, target in action.pay)
        inner = after_cost(scope, when, [p[1].variable for p in pay if p is not None])
        do = effect_layers(action.do, inner, f"action `{name}`")
        label = check_template(action.label, scope) if action.label is not None else None
        context.actions[name] = evolve(
            context.actions[name], when=when, pay=tuple(p for p in pay if p is not None), do=do, label=label
        )


def _cost(amount: n.Expr, target: n.Expr, scope: Scope, name: str) -> tuple[ir.Expr, ir.VarRead] | None:
    number = core.check_expression(amount, scope, t.NUMBER)
    read = core.check_expression(target, scope)
    if read.type == t.UNKNOWN:
        return None
    if not isinstance(read, ir.VarRead) or not isinstance(read.type, t.NumberType):
        scope.context.reporter.error(
            "RS552",
            f"action `{name}` can be paid with a number in a variable only",
            target.span,
            "write `pay: 1 coins[me]`",
        )
        return None
    return number, read


# ---------------------------------------------------------------- triggers


def check_triggers(context: Context, acting: dict[str, bool]) -> tuple[ir.Trigger, ...]:
    """All triggers in their order.

    Args:
        context: with everything declared.
        acting: phases by name, and whether a turn is going on around them.
    """
    found = [_trigger(trigger, context, acting) for trigger in context.spec.triggers.values()]
    return tuple(trigger for trigger in found if trigger is not None)


def _trigger(trigger: m.Trigger, context: Context, acting: dict[str, bool]) -> ir.Trigger | None:
    event = trigger.event
    resolved = _EVENTS[event.kind](trigger, context)
    if resolved is None:
        return None
    names, types = resolved
    scope = Scope(context, body=trigger.name, rule=f"trigger {trigger.name}")
    binds = tuple(scope.bind(name, type) for (name, _), type in zip(event.binds, types, strict=False))
    seen: set[str] = set()
    for name, span in event.binds:
        if name in seen:
            context.reporter.error("RS378", f"`{name}` is bound twice here", span, "give one of them another name")
        seen.add(name)
    me: ir.Local | None = None
    if event.kind == "action" or (event.kind == "phase" and all(acting.get(name, False) for name in names)):
        me = scope.bind("me", t.PLAYER)
        scope.me = me
    when = _when_layers(trigger, scope)
    for layer in when:
        if isinstance(layer.body, ir.Expr):
            scope = with_facts(scope, facts_of(layer.body))
    do = effect_layers(trigger.do, scope, f"trigger `{trigger.name}`", event=trigger.time == "instead_of")
    return ir.Trigger(
        trigger.name,
        trigger.time,
        event.kind,
        names,
        binds,
        when,
        do,
        condition_of(trigger.only_if, context),
        trigger.doc,
        trigger.name_span,
        me,
    )


def _when_layers(trigger: m.Trigger, scope: Scope) -> tuple[ir.Layer, ...]:
    """The condition of a trigger as one layer."""
    condition = joined_condition(trigger.when, scope.child(function=True), f"`when` of trigger `{trigger.name}`")
    return (ir.Layer(condition, None, condition.span),) if condition is not None else ()


Resolved = tuple[tuple[str, ...], tuple[t.Type, ...]]


def _known(trigger: m.Trigger, known: Iterable[str], what: str, context: Context) -> bool:
    names = list(known)
    good = True
    for name, span in trigger.event.names:
        if name not in names:
            hint = did_you_mean(name, names)
            context.reporter.error("RS379", f"there is no {what} `{name}`", span, hint or _other_kind(name, context))
            good = False
    return good


def _other_kind(name: str, context: Context) -> str:
    spec = context.spec
    kinds = (
        ("a function, and only calls of procedures are events", spec.functions),
        ("a procedure", spec.procedures),
        ("a zone", spec.zones),
        ("a variable", spec.variables),
        ("an action", spec.actions),
    )
    return next((f"it is {kind}" for kind, section in kinds if name in section), "")


def _binds(trigger: m.Trigger, types: tuple[t.Type, ...], least: int, what: str, context: Context) -> bool:
    """Whether the pattern binds all, or only the first `least`, of what the event has."""
    count = len(trigger.event.binds)
    if count in (least, len(types)):
        return True
    all = counted(len(types) - least, "index" if least else "value").replace("indexs", "indices")
    context.reporter.error(
        "RS380",
        f"{what} has {all}, and the event names {count - least}",
        trigger.event.span,
        f"name all of them, or none: {', '.join(f'`{type_text(x)}`' for x in types[least:])}" if types[least:] else "",
    )
    return False


def _setup(trigger: m.Trigger, context: Context) -> Resolved | None:
    if trigger.time == "instead_of" and not context.spec.setup:
        context.reporter.error("RS553", "there is no `setup` to replace", trigger.event.span, "write `setup:`")
        return None
    return (), ()


def _phase(trigger: m.Trigger, context: Context) -> Resolved | None:
    if not _known(trigger, context.phase_names, "phase", context):
        return None
    return tuple(name for name, _ in trigger.event.names), ()


def _action(trigger: m.Trigger, context: Context) -> Resolved | None:
    if not _known(trigger, [*context.spec.actions, "pass"], "action", context):
        return None
    return tuple(name for name, _ in trigger.event.names), ()


def _call(trigger: m.Trigger, context: Context) -> Resolved | None:
    if not _known(trigger, context.procedures, "procedure", context):
        return None
    name = trigger.event.names[0][0]
    types = tuple(type for _, type in context.procedures[name].params)
    return ((name,), types) if _binds(trigger, types, 0, f"procedure `{name}`", context) else None


def _move(trigger: m.Trigger, context: Context) -> Resolved | None:
    name = trigger.event.names[0][0]
    kinds = list(context.spec.components)
    if name == "box" and name not in context.spec.zones and len(kinds) == 1:
        name = box_zone(kinds[0])
    elif not _known(trigger, context.spec.zones, "zone", context):
        return None
    zone = context.zones[name]
    types = (t.TableType("component", zone.component), *(d.type for d in zone.per))
    return ((name,), types) if _binds(trigger, types, 1, f"zone `{name}`", context) else None


def _change(trigger: m.Trigger, context: Context) -> Resolved | None:
    if not _known(trigger, context.spec.variables, "variable", context):
        return None
    name = trigger.event.names[0][0]
    types = tuple(d.type for d in context.variables[name].per)
    return ((name,), types) if _binds(trigger, types, 0, f"variable `{name}`", context) else None


def _turn_over(trigger: m.Trigger, context: Context) -> Resolved | None:
    faced = [kind.name for kind in context.spec.components.values() if kind.faces]
    named = [name for name, _ in trigger.event.names]
    if named and not _known(trigger, faced, "kind of component with faces", context):
        return None
    chosen = named or faced
    if len(chosen) != 1:
        context.reporter.error(
            "RS554",
            "no kind of component has faces" if not faced else "several kinds of component have faces",
            trigger.event.span,
            "declare `faces: [front, back]`" if not faced else "write the kind, `turn KIND c over`",
        )
        return None
    return (chosen[0],), (t.TableType("component", chosen[0]),)


_EVENTS = {
    "setup": _setup,
    "phase": _phase,
    "action": _action,
    "call": _call,
    "move": _move,
    "change": _change,
    "turn_over": _turn_over,
}
