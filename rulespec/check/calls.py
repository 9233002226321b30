"""Calls: functions, procedures' arguments, rules in rows, rows by their values, built-in functions."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulespec import checked as ir
from rulespec.check import builtins, ranges
from rulespec.check.context import Scope, Signature
from rulespec.check.convert import is_unknown, optional, unknown
from rulespec.check.core import check_expression, infer
from rulespec.check.fields import find_field, on_value
from rulespec.check.narrow import narrowed
from rulespec.check.types import UNKNOWN, EffectType, NoneType, NumberType, TableType, Type
from rulespec.check.words import article, counted, quote, signature, spell
from rulespec.source import Span
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n


@infer.register
def _call(node: n.Call, scope: Scope, hint: Type | None = None) -> ir.Expr:
    callee = node.callee
    if isinstance(callee, n.FieldOf):
        return _rule(node, callee, scope)
    if not isinstance(callee, n.Name):
        scope.context.reporter.error("RS323", f"{quote(callee)} cannot be called", node.span)
        return unknown(node.span)
    name, context = callee.id, scope.context
    if name in context.functions:
        return narrowed(_function(node, name, scope), scope)
    if name in context.tables:
        return _row(node, name, scope)
    built_in = builtins.BUILT_INS.get(name)
    if built_in is not None:
        return narrowed(built_in(node, scope, hint), scope)
    _not_callable(node, name, scope)
    for arg in node.args:
        if not isinstance(arg, n.Name):
            infer(arg, scope)
    return unknown(node.span)


def _not_callable(node: n.Call, name: str, scope: Scope) -> None:
    context, span = scope.context, node.callee.span
    error = context.reporter.error
    if name in context.procedures:
        result = context.procedures[name].result
        nothing = result is None or isinstance(result, NoneType)
        advice = "write it on a line of its own" if nothing else f"write `let x = {spell(node)}`"
        error("RS323", f"`{name}` is a procedure, and an expression cannot have effects", span, advice)
    elif name in context.spec.actions:
        error("RS323", f"`{name}` is an action, not a function", span, "actions are offered by `ask` or a phase")
    elif scope.find(name) is not None:
        error("RS323", f"`{name}` is a name bound here, not a function", span)
    elif name in context.variables or name in context.zones or name in context.constants:
        what = "a variable" if name in context.variables else "a zone" if name in context.zones else "a table"
        args = ", ".join(map(spell, node.args))
        advice = f"write `{name}[{args}]`" if args else f"write `{name}`"
        error("RS323", f"`{name}` is {what}, not a function", span, advice)
    elif name == "usual":
        error("RS323", "`usual` is written without arguments", span, "it gets those of this version")
    elif name not in context.reported:
        context.reported.add(name)
        known = [*context.functions, *builtins.BUILT_INS, *context.tables, *context.procedures]
        error("RS308", f"there is no function `{name}`", span, did_you_mean(name, known) or _FOREIGN.get(name, ""))


_FOREIGN = {
    "len": "write `count(...)`",
    "size": "write `count(...)`",
    "highest": "write `max(...)`",
    "lowest": "write `min(...)`",
    "left_of": "write `next(p)`",
    "round": "write `floor(x + 1/2)`",
    "reach": "write `reached(x from S by y in ...)`",
    "random": "write `choose x in ... by chance:`",
}


def result_of(name: str, scope: Scope) -> Type:
    """The result of a function, worked out first where its declaration leaves it open."""
    context = scope.context
    found = context.functions[name]
    if found.result is None and context.infer_result is not None:
        reporter = context.reporter
        if context.probe is not None:
            context.reporter = context.probe.reporter
        context.infer_result(name)
        context.reporter = reporter
        found = context.functions[name]
    return UNKNOWN if found.result is None else found.result


def _function(node: n.Call, name: str, scope: Scope) -> ir.Expr:
    found = scope.context.functions[name]
    args = check_args(f"`{name}`", found.params, node.args, node.span, scope)
    result = result_of(name, scope)
    if args is None:
        return unknown(node.span)
    return ir.FunctionCall(name, args, type=result, span=node.span)


def check_args(
    what: str, params: Sequence[tuple[str, Type]], args: Sequence[n.Expr], span: Span, scope: Scope
) -> tuple[ir.Expr, ...] | None:
    """Arguments converted to the parameters' types, or None after a report of their number."""
    if len(args) != len(params):
        form = f"it is `{what.strip('`')}({signature(params)})`" if params else ""
        scope.context.reporter.error(
            "RS426", f"{what} takes {counted(len(params), 'value')}, not {len(args)}", span, form
        )
        for arg in args:
            infer(arg, scope)
        return None
    return tuple(
        check_expression(arg, scope, type, f"is needed as `{name}` of {what}")
        for arg, (name, type) in zip(args, params, strict=True)
    )


def check_call(name: str, found: Signature, node: n.Call, scope: Scope) -> tuple[ir.Expr, ...] | None:
    """Arguments of a call of a procedure."""
    return check_args(f"`{name}`", found.params, node.args, node.span, scope)


# ---------------------------------------------------------------- rules in rows


def _rule(node: n.Call, callee: n.FieldOf, scope: Scope) -> ir.Expr:
    base = infer(callee.base, scope)
    if is_unknown(base.type):
        return unknown(node.span)
    expr = on_value(base, lambda value: _rule_of(node, callee, value, scope))
    return narrowed(attrs.evolve(expr, span=node.span), scope)


def rule_args(
    node: n.Call, callee: n.FieldOf, base: ir.Expr, scope: Scope
) -> tuple[ir.Field, tuple[ir.Expr, ...]] | None:
    """The rule of a row that is called and its arguments, or None after a report."""
    error = scope.context.reporter.error
    found = find_field(base.type, callee.name, scope)
    if found is None or found.params is None:
        table = scope.context.tables[base.type.name] if isinstance(base.type, TableType) else None
        rules = [name for name, f in table.fields.items() if f.params is not None] if table else []
        if found is not None:
            hint = f"write `{spell(callee)}`"
        elif callee.name in scope.context.functions or callee.name in scope.context.procedures:
            hint = f"write `{callee.name}({', '.join(map(spell, (callee.base, *node.args)))})`"
        else:
            hint = did_you_mean(callee.name, rules)
        kind = article(base.type.name) if isinstance(base.type, TableType) else quote(callee.base)
        error("RS307", f"{kind} has no rule `{callee.name}`", callee.name_span, hint)
        return None
    params = [(p.name, p.type) for p in found.params]
    args = check_args(f"`{callee.name}`", params, node.args, node.span, scope)
    return None if args is None else (found, args)


def _rule_of(node: n.Call, callee: n.FieldOf, base: ir.Expr, scope: Scope) -> ir.Expr:
    called = rule_args(node, callee, base, scope)
    if called is None:
        return unknown(node.span)
    found, args = called
    if isinstance(found.type, EffectType):
        scope.context.reporter.error(
            "RS323", f"`{callee.name}` is an effect, not a value", node.span, "write it on a line of its own"
        )
        return unknown(node.span)
    return ir.RowRule(base, callee.name, args, type=found.type, span=node.span)


# ---------------------------------------------------------------- rows by their values


def _row(node: n.Call, name: str, scope: Scope) -> ir.Expr:
    """`Man(white, king)`: the row whose first fields have these values; optional where there may be none."""
    table = scope.context.tables[name]
    type = TableType(table.kind, name)
    if table.kind == "board":
        scope.context.reporter.error(
            "RS323",
            f"`{name}` is a board, not a function",
            node.callee.span,
            f"write `cell({name}, col, row)`",
        )
        return unknown(node.span)
    plain = [f for f in table.fields.values() if f.params is None and not f.index and not f.per_face]
    given = [f for f in plain if f.name not in {column for column, _ in table.computed}]
    if not 1 <= len(node.args) <= len(given):
        fields = ", ".join(f.name for f in given)
        scope.context.reporter.error(
            "RS426",
            f"`{name}(...)` takes values of its first fields ({fields}), not {counted(len(node.args), 'value')}",
            node.span,
        )
        return unknown(node.span)
    args = []
    for arg, field in zip(node.args, given, strict=False):
        args.append(check_expression(arg, scope, field.type, f"is the type of `{field.name}` of `{name}`"))
    total = table.every and table.all_where is None and (table.copies is None or _is_positive(table.copies.type))
    if not total:
        known = _known_row(table, [f.name for f in given], args)
        if known is False:
            scope.context.reporter.error("RS427", f"no row of `{name}` is {quote(node)}", node.span)
        total = known is not None
    return narrowed(ir.RowLookup(tuple(args), type=type if total else optional(type), span=node.span), scope)


def _is_positive(type: Type) -> bool:
    return isinstance(type, NumberType) and ranges.inside(type, ranges.whole(1))


def _known_row(table: ir.Table, fields: list[str], args: list[ir.Expr]) -> bool | None:
    """Whether a row with these values is written in the table; None where that is not known."""
    if not table.rows or table.every:
        return None
    wanted = [_fixed(arg) for arg in args]
    if None in wanted:
        return None
    for row in table.rows:
        have = [_fixed(row.values.get(name)) for name in fields[: len(args)]]
        if None in have:
            return None
        if have == wanted:
            return True
    return False


def _fixed(expr: object) -> tuple[object] | None:
    if isinstance(expr, ir.Const):
        return (expr.value,)
    return (expr.row,) if isinstance(expr, ir.RowRef) else None
