"""The entry to the checking of expressions: one function that the handlers of each form of node join."""

from __future__ import annotations

from functools import singledispatch

from rulespec import checked as ir
from rulespec.check.context import Scope
from rulespec.check.convert import convert, unknown
from rulespec.check.narrow import merge, present
from rulespec.check.types import (
    BOOL,
    BoolType,
    ListType,
    NoneType,
    NumberType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
)
from rulespec.check.words import describe, quote, spell
from rulespec.syntax import nodes as n


@singledispatch
def infer(node: n.Expr, scope: Scope, hint: Type | None = None) -> ir.Expr:
    """The expression with its own type.

    Args:
        node: the expression as written.
        scope: what may be read here.
        hint: the type that the place would like; it decides between values of the same name.
    """
    raise AssertionError(node)


def check_expression(node: n.Expr, scope: Scope, expected: Type | None = None, what: str = "is needed here") -> ir.Expr:
    """The expression with its type, converted to the expected one.

    Args:
        node: the expression as written.
        scope: what may be read here.
        expected: the type that the place needs, None for any.
        what: ends the message where it does not fit: "is needed here".

    Returns:
        The checked expression, of unknown type after a report.
    """
    expr = infer(node, scope, expected)
    if expected is None:
        return expr
    converted = convert(expr, expected, scope.context.reporter, node, what)
    if isinstance(expr.type, OptionalType) and isinstance(converted.type, UnknownType):
        scope.facts = merge(scope.facts, present(expr))  # what was told once is not told again further down
    return converted


def check_condition(node: n.Expr, scope: Scope) -> ir.Expr:
    """A condition: a bool, or a collection (not empty) or optional (not none) as one."""
    return as_condition(infer(node, scope, BOOL), node, scope)


def as_condition(expr: ir.Expr, node: n.Expr, scope: Scope) -> ir.Expr:
    """An expression turned into a bool, or a report that it is no condition."""
    error = scope.context.reporter.error
    match expr.type:
        case BoolType() | UnknownType():
            return expr
        case OptionalType(BoolType() | ListType() | SetType() as inner):
            yes = f"{spell(node)} == true" if isinstance(inner, BoolType) else f"{spell(node)} otherwise []"
            error(
                "RS421",
                f"{quote(node)} may be none, so it is unclear as a condition",
                node.span,
                f"write `{yes}` or `{spell(node)} != none`",
            )
        case OptionalType() | ListType() | SetType():
            return ir.Truth(expr, type=BOOL, span=expr.span)
        case NumberType():
            error("RS420", f"{quote(node)} is a number, not a condition", node.span, f"compare it: `{spell(node)} > 0`")
        case NoneType():
            error("RS420", f"{quote(node)} is never a condition that holds", node.span, "compare with it: `x == none`")
        case _:
            error(
                "RS420", f"{quote(node)} is {describe(expr.type)}, not a condition", node.span, "compare it with `==`"
            )
    return unknown(node.span)
