"""What the handlers of built-in functions share."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rulespec import checked as ir
from rulespec.check.context import Scope
from rulespec.check.convert import is_unknown, unknown
from rulespec.check.core import infer
from rulespec.check.types import NumberType, Type
from rulespec.check.words import counted, describe, quote, spell
from rulespec.syntax import nodes as n

Handler = Callable[[n.Call, Scope, Type | None], ir.Expr]

ANY_NUMBER = NumberType(step=Fraction(0))


def arity(node: n.Call, scope: Scope, form: str, least: int, most: int | None = None) -> bool:
    """Whether a built-in function has as many arguments as it takes; a report if not."""
    most = least if most is None else most
    if least <= len(node.args) <= most:
        return True
    assert isinstance(node.callee, n.Name)
    wanted = counted(least, "value") if least == most else f"{least} or {most} values"
    scope.context.reporter.error(
        "RS426", f"`{node.callee.id}` takes {wanted}, not {len(node.args)}", node.span, f"write `{form}`"
    )
    for arg in node.args:
        if not isinstance(arg, n.Name):
            infer(arg, scope)
    return False


def built_in(node: n.Call, args: tuple[ir.Expr, ...], type: Type) -> ir.Expr:
    """The call of a built-in function, of unknown type where an argument is."""
    assert isinstance(node.callee, n.Name)
    if any(is_unknown(arg.type) and not isinstance(arg, ir.AllOf) for arg in args):
        return unknown(node.span)
    return ir.BuiltIn(node.callee.id, args, type=type, span=node.span)


def zone_argument(node: n.Expr, scope: Scope, name: str, order: str) -> ir.Expr | None:
    """A zone of the given order as an argument, or None after a report."""
    arg = infer(node, scope)
    if is_unknown(arg.type):
        return None
    error = scope.context.reporter.error
    if not isinstance(arg, ir.ZoneRead):
        hint = f"write `first({spell(node)})`" if name in ("top", "bottom", "end") else ""
        error("RS430", f"{quote(node)} is {describe(arg.type)}, and `{name}` needs a zone", node.span, hint)
        return None
    declared = scope.context.zones[arg.zone]
    if declared.order != order:
        if declared.slot:
            advice = f"`{spell(node)}` is the one component in it or none"
        elif declared.order == "none":
            advice = f"declare it with `order: {order}`"
        else:
            advice = "use `end(ZONE, left)`" if declared.order == "row" else "use `top(ZONE)` or `bottom(ZONE)`"
        error("RS430", f"`{name}` is for {order}s, and the zone `{arg.zone}` is not one", node.span, advice)
        return None
    return arg
