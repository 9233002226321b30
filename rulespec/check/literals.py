"""Names, numbers, lists, ranges, conditionals and `otherwise`."""

from __future__ import annotations

from fractions import Fraction

from rulespec import checked as ir
from rulespec.check import names, ranges, values
from rulespec.check.context import Scope
from rulespec.check.convert import bare, convert, is_unknown, join, join_all, optional, represent, unknown
from rulespec.check.core import check_condition, check_expression, infer
from rulespec.check.evaluate import whole
from rulespec.check.names import needs_hint
from rulespec.check.narrow import facts_of, with_facts
from rulespec.check.types import (
    BOOL,
    NONE,
    PLAYER,
    EnumType,
    ListType,
    NoneType,
    NumberType,
    OptionalType,
    SetType,
    TableType,
    Type,
    UnknownType,
)
from rulespec.check.words import describe, quote
from rulespec.syntax import nodes as n


@infer.register
def _name(node: n.Name, scope: Scope, hint: Type | None = None) -> ir.Expr:
    return names.name(node, scope, hint)


@infer.register
def _number(node: n.Number, scope: Scope, hint: Type | None = None) -> ir.Expr:
    target = values.wanted(hint)
    if isinstance(target, (EnumType, TableType)) and node.value.denominator == 1:
        value = values.value_of_type(str(node.value), target, scope, node.span)
        if value is not None:
            return value
    return ir.Const(whole(node.value), type=ranges.exactly(node.value), span=node.span)


@infer.register
def _bool(node: n.Bool, scope: Scope, hint: Type | None = None) -> ir.Expr:
    return ir.Const(node.value, type=BOOL, span=node.span)


@infer.register
def _none(node: n.NoneLit, scope: Scope, hint: Type | None = None) -> ir.Expr:
    return ir.Const(None, type=hint if isinstance(hint, OptionalType) else NONE, span=node.span)


@infer.register
def _list(node: n.ListLit, scope: Scope, hint: Type | None = None) -> ir.Expr:
    target = hint.item if isinstance(hint, (ListType, SetType)) else None
    checked: dict[int, ir.Expr] = {}
    if target is None or is_unknown(target):
        own = next((i for i, item in enumerate(node.items) if not needs_hint(item, scope)), None)
        if own is not None:
            checked[own] = infer(node.items[own], scope)
            target = checked[own].type
    items = [checked.get(i) or infer(item, scope, target) for i, item in enumerate(node.items)]
    common = join_all([item.type for item in items])
    if common is None:
        _differing_items(node, items, scope)
        return unknown(node.span)
    if items and isinstance(common, NoneType):
        common = OptionalType(NONE)  # `[none]` is not empty, unlike `[]`
    return ir.ListOf(tuple(represent(i, common) for i in items), type=ListType(common), span=node.span)


def _differing_items(node: n.ListLit, items: list[ir.Expr], scope: Scope) -> None:
    first = items[0]
    for item, written in zip(items, node.items, strict=True):
        if join(first.type, item.type) is None:
            scope.context.reporter.error(
                "RS414",
                f"{quote(written)} is {describe(item.type)}, and {quote(node.items[0])} in the same list is "
                f"{describe(first.type)}",
                written.span,
                "a list holds values of one type",
            )
            return


@infer.register
def _range(node: n.Range, scope: Scope, hint: Type | None = None) -> ir.Expr:
    target = values.wanted(hint)
    first, last = infer_pair(node.first, node.last, scope, target if isinstance(target, EnumType) else None)
    if is_unknown(first.type) or is_unknown(last.type):
        return unknown(node.span)
    if isinstance(first.type, EnumType) and first.type == last.type:
        return ir.RangeOf(first, last, node.down, type=ListType(first.type), span=node.span)
    for end, written in ((first, node.first), (last, node.last)):
        end = convert(end, ranges.whole(), scope.context.reporter, written, "is needed as the end of a range")
        if is_unknown(end.type):
            return unknown(node.span)
    assert isinstance(first.type, NumberType) and isinstance(last.type, NumberType)
    low, high = (last.type, first.type) if node.down else (first.type, last.type)
    items = NumberType(low.low, high.high, Fraction(1))
    if ranges.empty(items):
        scope.context.reporter.warning(
            "RS912",
            f"the range {quote(node)} is always empty",
            node.span,
            "counting down is written `last down to first`" if not node.down else "",
        )
        items = NumberType()
    return ir.RangeOf(first, last, node.down, type=ListType(items), span=node.span)


def infer_pair(left: n.Expr, right: n.Expr, scope: Scope, hint: Type | None = None) -> tuple[ir.Expr, ir.Expr]:
    """Both expressions; the one that has a type of its own decides what a bare value name in the other means."""
    if needs_hint(left, scope) and not needs_hint(right, scope):
        second = infer(right, scope, hint)
        return infer(left, scope, second.type), second
    first = infer(left, scope, hint)
    return first, infer(right, scope, hint if is_unknown(first.type) else first.type)


@infer.register
def _conditional(node: n.Cond, scope: Scope, hint: Type | None = None) -> ir.Expr:
    test = check_condition(node.test, scope)
    yes, no = with_facts(scope, facts_of(test, True)), with_facts(scope, facts_of(test, False))
    if hint is None and needs_hint(node.then, yes) and not needs_hint(node.other, no):
        other = infer(node.other, no)
        then = infer(node.then, yes, other.type)
    else:
        then = infer(node.then, yes, hint)
        other = infer(node.other, no, hint if hint is not None else then.type)
    common = join(then.type, other.type)
    if common is None:
        scope.context.reporter.error(
            "RS414",
            f"this is {describe(then.type)} if the condition holds, else {describe(other.type)}",
            node.span,
            "both must have the same type",
        )
        return unknown(node.span)
    return ir.Cond(test, represent(then, common), represent(other, common), type=common, span=node.span)


@infer.register
def _otherwise(node: n.Otherwise, scope: Scope, hint: Type | None = None) -> ir.Expr:
    value = infer(node.value, scope, optional(hint) if hint is not None else None)
    if isinstance(value.type, UnknownType):
        infer(node.default, scope, hint)
        return value
    if not isinstance(value.type, (OptionalType, NoneType)):
        scope.context.reporter.warning(
            "RS911", f"{quote(node.value)} is never none, so `otherwise` has no effect", node.span
        )
        infer(node.default, scope, value.type)
        return value
    default = infer(node.default, scope, bare(value.type))
    common = join(bare(value.type), default.type) if not isinstance(value.type, NoneType) else default.type
    if common is None:
        scope.context.reporter.error(
            "RS414",
            f"{quote(node.value)} is {describe(value.type)}, but after `otherwise` stands {describe(default.type)}",
            node.default.span,
            "both must have the same type",
        )
        return unknown(node.span)
    inner = optional(common) if isinstance(value.type, OptionalType) else common
    return ir.Otherwise(represent(value, inner), represent(default, common), type=common, span=node.span)


@infer.register
def _seats_from(node: n.From, scope: Scope, hint: Type | None = None) -> ir.Expr:
    start = check_expression(node.start, scope, PLAYER, "is needed after `from`")
    if not isinstance(node.base, n.Name) or node.base.id != "players":
        scope.context.reporter.error(
            "RS415", "only `players` can be taken `from` a seat", node.span, "write `players from p`"
        )
        return unknown(node.span)
    return ir.AllOf(PLAYER, start, type=ListType(PLAYER), span=node.span)
