"""Typing of expressions and selections: the names that other parts of the checker call."""

from __future__ import annotations

from rulespec import checked as ir
from rulespec.check import calls, fields, literals, operators, selections
from rulespec.check.context import Scope
from rulespec.check.convert import convert, is_unknown, unknown
from rulespec.check.core import as_condition, check_condition, check_expression, infer
from rulespec.check.narrow import forget
from rulespec.check.selections import check_selection
from rulespec.check.types import TEXT, EffectType, Type
from rulespec.check.words import quote
from rulespec.check.writes import Writes
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

__all__ = [
    "as_condition",
    "check_condition",
    "check_expression",
    "check_selection",
    "check_template",
    "convert",
    "infer",
    "is_unknown",
    "unknown",
]

HANDLERS = (calls, fields, literals, operators, selections)
"""Modules that join `infer` when they are imported."""


def check_template(node: n.Template, scope: Scope) -> ir.TextOf:
    """A text with expressions in it; every value can be shown."""
    parts = tuple(part if isinstance(part, str) else infer(part, scope) for part in node.parts)
    return ir.TextOf(parts, type=TEXT, span=node.span)


@infer.register
def _supposing(node: n.Supposing, scope: Scope, hint: Type | None = None) -> ir.Expr:
    context, call = scope.context, node.call
    callee = call.callee if isinstance(call, n.Call) else call
    name = callee.id if isinstance(callee, n.Name) else ""
    args: tuple[ir.Expr, ...] | None = None
    if isinstance(call, n.Call) and name in context.procedures:
        args = calls.check_call(name, context.procedures[name], call, scope)
    else:
        _not_a_procedure(call, name, scope)
    inner = scope.child()
    forget(inner, Writes(everything=True))
    value = infer(node.value, inner, hint)
    if args is None or is_unknown(value.type) or isinstance(value.type, EffectType):
        return unknown(node.span)
    return ir.Supposing(name, args, value, type=value.type, span=node.span)


def _not_a_procedure(call: n.Expr, name: str, scope: Scope) -> None:
    context = scope.context
    if name in context.procedures:
        message, advice = f"`{name}` is written without its arguments", f"write `{name}(...)`"
    elif name in context.functions:
        message, advice = f"`{name}` is a function, which changes nothing", "a procedure is called here"
    elif name in context.spec.actions:
        message, advice = f"`{name}` is an action", "put its effects in a procedure and call that"
    elif name and isinstance(call, n.Call):
        if name not in context.reported:
            context.reported.add(name)
            hint = did_you_mean(name, context.procedures)
            context.reporter.error("RS308", f"there is no procedure `{name}`", call.callee.span, hint)
        return
    else:
        message, advice = f"{quote(call)} is no call of a procedure", "write `supposing(PROCEDURE(...), E)`"
    context.reporter.error("RS323", message, call.span, advice)
