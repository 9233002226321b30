"""Which values fit where, and the changes of representation between them."""

from __future__ import annotations

import attrs

from rulespec import checked as ir
from rulespec.check import ranges
from rulespec.check.types import (
    NONE,
    UNKNOWN,
    ListType,
    NoneType,
    NumberType,
    OptionalType,
    SetType,
    Type,
    UnknownType,
)
from rulespec.check.words import describe, interval, quote
from rulespec.diagnostics import Reporter
from rulespec.source import Span
from rulespec.syntax import nodes as n


def unknown(span: Span) -> ir.Expr:
    """What stands for an expression with a mistake that was reported."""
    return ir.Const(None, type=UNKNOWN, span=span)


def is_unknown(type: Type) -> bool:
    """Whether the type, or the type of its items, is that of something already reported."""
    while isinstance(type, (OptionalType, ListType, SetType)):
        type = type.item
    return isinstance(type, UnknownType)


def optional(type: Type) -> Type:
    """The type with none; of none alone and of what is optional already, itself."""
    return type if isinstance(type, (OptionalType, NoneType, UnknownType)) else OptionalType(type)


def bare(type: Type) -> Type:
    """The type without none."""
    return type.item if isinstance(type, OptionalType) else type


def item_type(type: Type) -> Type | None:
    """The type of the members of a list, set or optional, else None."""
    return type.item if isinstance(type, (ListType, SetType, OptionalType)) else None


def join(a: Type, b: Type) -> Type | None:
    """The least type that both fit, or None if there is none."""
    if a == b or isinstance(b, UnknownType):
        return a
    match a, b:
        case UnknownType(), _:
            return b
        case NoneType(), _:
            return optional(b)
        case _, NoneType():
            return optional(a)
        case OptionalType(), _:
            inner = join(a.item, bare(b))
            return None if inner is None else optional(inner)
        case _, OptionalType():
            inner = join(a, b.item)
            return None if inner is None else optional(inner)
        case NumberType(), NumberType():
            return ranges.hull([a, b])
        case ListType(), ListType():
            return _join_lists(a, b)
        case SetType(), (SetType() | ListType()):
            return a if join(a.item, b.item) is not None or isinstance(b.item, NoneType) else None
        case ListType(), SetType():
            return join(b, a)
    return None


def _join_lists(a: ListType, b: ListType) -> Type | None:
    if isinstance(a.item, NoneType) and not isinstance(b.item, OptionalType):
        return b
    if isinstance(b.item, NoneType) and not isinstance(a.item, OptionalType):
        return a
    inner = join(a.item, b.item)
    return None if inner is None else ListType(inner)


def join_all(types: list[Type]) -> Type | None:
    """The least type that all fit, or None."""
    found: Type | None = types[0] if types else NONE
    for type in types[1:]:
        found = None if found is None else join(found, type)
    return found


def comparable(a: Type, b: Type) -> bool:
    """Whether a value of one type can be equal to one of the other."""
    return join(bare(a), bare(b)) is not None


def fits(source: Type, target: Type) -> bool:
    """Whether values of `source` may be given where `target` is needed, as far as types tell.

    Numbers fit when their range has a value in common with the target's and their steps agree.
    """
    if source == target:
        return True
    match source, target:
        case (UnknownType(), _) | (_, UnknownType()):
            return True
        case NoneType(), OptionalType():
            return True
        case OptionalType(), OptionalType():
            return isinstance(source.item, NoneType) or fits(source.item, target.item)
        case _, OptionalType():
            return fits(source, target.item)
        case NumberType(), NumberType():
            return ranges.overlaps(source, target) and ranges.fits_step(source, target)
        case ((ListType() | SetType()), (ListType() | SetType())):
            return isinstance(source.item, NoneType) or fits(source.item, target.item)
    return False


def convert(
    expr: ir.Expr, type: Type, reporter: Reporter, node: n.Node | None = None, what: str = "is needed here"
) -> ir.Expr:
    """The expression as a value of `type`, or a report that it does not fit.

    Args:
        expr: the checked expression.
        type: what the place needs.
        reporter: gets the error.
        node: the expression as written, to be named in the message.
        what: the end of the message: "is needed here".
    """
    if fits(expr.type, type):
        return represent(expr, type)
    parts = [(e, t, p) for e, t, p in _parts(expr, type, node) if not fits(e.type, t)]
    if parts:
        for part, needed, written in parts:
            convert(part, needed, reporter, written, what)
    else:
        _mismatch(expr, type, reporter, node, what)
    return unknown(expr.span)


def _parts(expr: ir.Expr, type: Type, node: n.Node | None) -> list[tuple[ir.Expr, Type, n.Expr]]:
    """Parts of the expression that stand for the whole, with what each must fit: places for messages."""
    match expr, node, type:
        case ir.Cond(), n.Cond(), _:
            return [(expr.then, type, node.then), (expr.other, type, node.other)]
        case ir.ListOf(), n.ListLit(), (ListType() | SetType()):
            return [(e, type.item, p) for e, p in zip(expr.items, node.items, strict=True)]
    return []


def represent(expr: ir.Expr, type: Type) -> ir.Expr:
    """A change of representation if `type`, which fits, needs one."""
    source = expr.type
    if is_unknown(source) or is_unknown(type):
        return expr
    if isinstance(expr, ir.Const) and expr.value is None and isinstance(source, NoneType):
        return attrs.evolve(expr, type=type)
    inner = bare(type) if not isinstance(source, OptionalType) else type
    match source, inner:
        case ListType(), SetType():
            return ir.Convert(expr, type=inner, span=expr.span)
        case SetType(), ListType():
            return ir.Convert(expr, type=ListType(source.item), span=expr.span)
        case SetType(), SetType() if source != inner:
            return ir.Convert(expr, type=inner, span=expr.span)
        case ListType(), ListType() if isinstance(source.item, NoneType):
            return attrs.evolve(expr, type=inner)
        case OptionalType(), OptionalType() if isinstance(source.item, (ListType, SetType)) and source != type:
            local = ir.Local("_", source.item)
            body = represent(ir.LocalRead(local, type=source.item, span=expr.span), inner.item)
            return ir.NoneSafe(expr, local, body, type=type, span=expr.span)
    return expr


def _mismatch(expr: ir.Expr, type: Type, reporter: Reporter, node: n.Node | None, what: str) -> None:
    name, source, needed = quote(node), expr.type, bare(type)
    if isinstance(source, OptionalType) and fits(source.item, type):
        reporter.error(
            "RS411",
            f"{name} may be none, and {describe(type)} {what}",
            expr.span,
            "test it first, as in `if x != none`, or give another value with `otherwise`",
        )
    elif isinstance(source, NoneType):
        reporter.error("RS411", f"{describe(type)} {what}, not none", expr.span)
    elif isinstance(source, NumberType) and isinstance(needed, NumberType):
        if not ranges.overlaps(source, needed):
            shown = f"{name} is {interval(source)}" if name != f"`{interval(source)}`" else f"{name} is out of range"
            reporter.error("RS412", f"{shown}, and {describe(type)} {what}", expr.span)
        else:
            value = ranges.single(source)
            found = "may be a fraction" if value is None else f"is {interval(source)}"
            reporter.error(
                "RS413",
                f"{name} {found}, and {describe(type)} {what}",
                expr.span,
                "round it with `floor(...)`" if needed.step == 1 else "",
            )
    else:
        reporter.error("RS410", f"{name} is {describe(source)}, and {describe(type)} {what}", expr.span)
