"""Arithmetic, comparisons, membership, `and`, `or`, `not`."""

from __future__ import annotations

from collections.abc import Callable

from rulespec import checked as ir
from rulespec.check import ranges
from rulespec.check.context import Scope
from rulespec.check.convert import bare, comparable, is_unknown, item_type, join, represent, unknown
from rulespec.check.core import check_condition, infer
from rulespec.check.literals import infer_pair
from rulespec.check.names import needs_hint
from rulespec.check.narrow import facts_of, with_facts
from rulespec.check.types import (
    BOOL,
    TEXT,
    EnumType,
    ListType,
    NoneType,
    NumberType,
    OptionalType,
    SetType,
    Type,
)
from rulespec.check.words import describe, interval, quote, spell
from rulespec.syntax import nodes as n

_ARITHMETIC: dict[str, Callable[[NumberType, NumberType], NumberType]] = {
    "+": ranges.add,
    "-": ranges.subtract,
    "*": ranges.multiply,
    "/": ranges.divide,
    "mod": ranges.modulo,
}


@infer.register
def _unary(node: n.Unary, scope: Scope, hint: Type | None = None) -> ir.Expr:
    if node.op == "not":
        operand = check_condition(node.operand, scope)
        return ir.Unary("not", operand, type=BOOL, span=node.span)
    operand = infer(node.operand, scope, hint if isinstance(hint, NumberType) else None)
    if is_unknown(operand.type):
        return unknown(node.span)
    if not isinstance(operand.type, NumberType):
        _not_a_number(operand, node.operand, "-", scope)
        return unknown(node.span)
    if isinstance(operand, ir.Const) and isinstance(operand.value, int):
        return ir.Const(-operand.value, type=ranges.negative(operand.type), span=node.span)
    return ir.Unary("-", operand, type=ranges.negative(operand.type), span=node.span)


@infer.register
def _binary(node: n.Binary, scope: Scope, hint: Type | None = None) -> ir.Expr:
    return _HANDLERS[node.op](node, scope, hint)


def _logic(node: n.Binary, scope: Scope, hint: Type | None) -> ir.Expr:
    left = check_condition(node.left, scope)
    right = check_condition(node.right, with_facts(scope, facts_of(left, node.op == "and")))
    return ir.Binary(node.op, left, right, type=BOOL, span=node.span)


# ---------------------------------------------------------------- arithmetic


def _arithmetic(node: n.Binary, scope: Scope, hint: Type | None) -> ir.Expr:
    wish = hint if isinstance(hint, (ListType, SetType)) and node.op in "+-" else None
    left, right = infer_pair(node.left, node.right, scope, wish)
    if is_unknown(left.type) or is_unknown(right.type):
        return unknown(node.span)
    if isinstance(left.type, NumberType) and isinstance(right.type, NumberType):
        if node.op in ("/", "mod") and ranges.single(right.type) == 0:
            scope.context.reporter.error("RS431", "this divides by 0", node.right.span)
            return unknown(node.span)
        result = _ARITHMETIC[node.op](left.type, right.type)
        return ir.Binary(node.op, left, right, type=result, span=node.span)
    if node.op in ("+", "-") and isinstance(left.type, (ListType, SetType)):
        return _collections(node, left, right, scope)
    for side, written in ((left, node.left), (right, node.right)):
        if not isinstance(side.type, NumberType):
            _not_a_number(side, written, node.op, scope)
            break
    return unknown(node.span)


def _not_a_number(expr: ir.Expr, node: n.Expr, op: str, scope: Scope) -> None:
    error = scope.context.reporter.error
    if isinstance(expr.type, OptionalType):
        error(
            "RS416",
            f"{quote(node)} may be none, and `{op}` needs a number",
            node.span,
            f"test it first, or write `({spell(node)} otherwise 0)`"
            if isinstance(expr.type.item, NumberType)
            else "test it first, as in `if x != none`",
        )
    elif isinstance(expr.type, EnumType):
        error(
            "RS417",
            f"{quote(node)} is {describe(expr.type)}, and `{op}` needs a number",
            node.span,
            f"its place is `{spell(node)}.number`",
        )
    elif isinstance(expr.type, (ListType, SetType)) and op in "+-":
        error(
            "RS417",
            f"{quote(node)} is {describe(expr.type)}, and so must be what stands before `{op}`",
            node.span,
            f"`count({spell(node)})` is its number of members",
        )
    else:
        hint = "texts are only shown, no rule reads them" if expr.type == TEXT else ""
        error("RS417", f"{quote(node)} is {describe(expr.type)}, and `{op}` needs a number", node.span, hint)


def _collections(node: n.Binary, left: ir.Expr, right: ir.Expr, scope: Scope) -> ir.Expr:
    assert isinstance(left.type, (ListType, SetType))
    word = "joined with" if node.op == "+" else "taken from"
    if not isinstance(right.type, (ListType, SetType)):
        single = comparable(left.type.item, right.type)
        scope.context.reporter.error(
            "RS418",
            f"{quote(node.right)} is {describe(right.type)}, and {quote(node.left)} is {describe(left.type)}",
            node.right.span,
            f"write `[{spell(node.right)}]`" if single else "",
        )
        return unknown(node.span)
    common = join(left.type.item, right.type.item)
    if common is None and not isinstance(right.type.item, NoneType) and not isinstance(left.type.item, NoneType):
        scope.context.reporter.error(
            "RS418",
            f"{describe(right.type)} cannot be {word} {describe(left.type)}",
            node.right.span,
        )
        return unknown(node.span)
    if isinstance(left.type, SetType):
        result: Type = left.type
    elif node.op == "-" or isinstance(right.type.item, NoneType):
        result = left.type
    else:
        result = ListType(right.type.item if isinstance(left.type.item, NoneType) or common is None else common)
    return ir.Binary(node.op, represent(left, result), represent(right, result), type=result, span=node.span)


# ---------------------------------------------------------------- comparisons


def _equality(node: n.Binary, scope: Scope, hint: Type | None) -> ir.Expr:
    left, right = infer_pair(node.left, node.right, scope)
    done = ir.Binary(node.op, left, right, type=BOOL, span=node.span)
    if is_unknown(left.type) or is_unknown(right.type):
        return done
    if TEXT in (bare(left.type), bare(right.type)):
        _text_read(node, scope)
        return done
    if isinstance(left.type, NoneType) or isinstance(right.type, NoneType):
        return _with_none(node, left, right, scope)
    common = join(left.type, right.type)
    if common is None:
        _never_equal(node, left, right, scope)
        return done
    if isinstance(bare(left.type), NumberType) and isinstance(bare(right.type), NumberType):
        _always(node, left, right, scope)
    return ir.Binary(node.op, represent(left, common), represent(right, common), type=BOOL, span=node.span)


def _with_none(node: n.Binary, left: ir.Expr, right: ir.Expr, scope: Scope) -> ir.Expr:
    side, written, other = (right, node.right, left) if isinstance(left.type, NoneType) else (left, node.left, right)
    if not isinstance(side.type, (OptionalType, NoneType)):
        result = "never" if node.op == "==" else "always"
        hint = f"write `not {spell(written)}`" if isinstance(side.type, (ListType, SetType)) else ""
        scope.context.reporter.warning(
            "RS911", f"{quote(written)} is never none, so this {result} holds", node.span, hint
        )
    elif isinstance(side.type, OptionalType):
        none = represent(other, side.type)
        left, right = (none, right) if side is right else (left, none)
    return ir.Binary(node.op, left, right, type=BOOL, span=node.span)


def _never_equal(node: n.Binary, left: ir.Expr, right: ir.Expr, scope: Scope) -> None:
    items = [item_type(t) for t in (left.type, right.type) if isinstance(t, (ListType, SetType))]
    hint = ""
    if len(items) == 1 and any(
        item is not None and comparable(item, bare(t)) for item in items for t in (left.type, right.type)
    ):
        hint = "use `in` to ask whether something is a member"
    elif isinstance(left.type, EnumType) and isinstance(bare(right.type), NumberType):
        hint = f"its place is `{spell(node.left)}.number`"
    scope.context.reporter.error(
        "RS422",
        f"{quote(node.left)} is {describe(left.type)} and {quote(node.right)} is {describe(right.type)}, "
        "so they are never equal",
        node.span,
        hint,
    )


def _text_read(node: n.Expr, scope: Scope) -> None:
    scope.context.reporter.error(
        "RS423", "a text is only shown, no rule reads it", node.span, "give what the rule needs a field of its own"
    )


def _order(node: n.Binary, scope: Scope, hint: Type | None) -> ir.Expr:
    left, right = infer_pair(node.left, node.right, scope)
    done = ir.Binary(node.op, left, right, type=BOOL, span=node.span)
    if is_unknown(left.type) or is_unknown(right.type):
        return done
    for side, written in ((left, node.left), (right, node.right)):
        if isinstance(side.type, (OptionalType, NoneType)):
            scope.context.reporter.error(
                "RS416",
                f"{quote(written)} may be none, and `{node.op}` needs a value",
                written.span,
                "test it first, as in `x != none and ...`, or give another value with `otherwise`",
            )
            return done
    if isinstance(left.type, NumberType) and isinstance(right.type, NumberType):
        _always(node, left, right, scope)
        return done
    if isinstance(left.type, EnumType) and left.type == right.type:
        return done
    if isinstance(left.type, (ListType, SetType)) and isinstance(right.type, (ListType, SetType, NumberType)):
        advice = f"compare `count({spell(node.left)})`, or write `within`"
    else:
        advice = "numbers have an order, and values of one enum"
    scope.context.reporter.error(
        "RS424",
        f"`{node.op}` cannot compare {describe(left.type)} with {describe(right.type)}"
        if left.type != right.type
        else f"{describe(left.type)} has no order",
        node.span,
        advice,
    )
    return done


def _always(node: n.Binary, left: ir.Expr, right: ir.Expr, scope: Scope) -> None:
    """Warns of a comparison with a fixed number that comes out the same for every value."""
    if scope.body in scope.context.spec.invariants:
        return  # what always holds may well be said there
    for side, other, written, op in (
        (left, right, node.left, node.op),
        (right, left, node.right, _MIRROR[node.op]),
    ):
        a, b = bare(side.type), bare(other.type)
        if not isinstance(a, NumberType) or not isinstance(b, NumberType):
            return
        value = ranges.single(b)
        if value is None or ranges.single(a) is not None:
            continue
        result = _outcome(op, a, b)
        if result is None:
            continue
        if op in ("==", "!="):
            message = f"{quote(written)} is {interval(a)}, never {interval(b)}"
        else:
            message = f"{quote(written)} is {interval(a)}, so this {'always' if result else 'never'} holds"
        scope.context.reporter.warning("RS910", message, node.span)
        return


_MIRROR = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _outcome(op: str, a: NumberType, b: NumberType) -> bool | None:
    """Whether `a op b` always holds (True) or never (False); None if that depends."""
    value = b.low
    assert value is not None
    match op:
        case "==" | "!=":
            if not ranges.overlaps(a, b) or not ranges.fits_step(b, NumberType(step=a.step)):
                return op == "!="
        case "<" | ">=":
            if a.high is not None and a.high < value:
                return op == "<"
            if a.low is not None and a.low >= value:
                return op == ">="
        case "<=" | ">":
            if a.high is not None and a.high <= value:
                return op == "<="
            if a.low is not None and a.low > value:
                return op == ">"
    return None


# ---------------------------------------------------------------- membership


def _membership(node: n.Binary, scope: Scope, hint: Type | None) -> ir.Expr:
    if needs_hint(node.right, scope) and not needs_hint(node.left, scope):
        item = infer(node.left, scope)
        collection = infer(node.right, scope, ListType(bare(item.type)))
    elif isinstance(node.right, n.Name) and node.right.id == "box":
        item = infer(node.left, scope)
        collection = infer(node.right, scope, item.type)
    else:
        collection = infer(node.right, scope)
        item = infer(node.left, scope, item_type(collection.type))
    found = ir.Member(item, collection, type=BOOL, span=node.span)
    _check_member(node, item, collection, scope)
    return ir.Unary("not", found, type=BOOL, span=node.span) if node.op == "not in" else found


def _check_member(node: n.Binary, item: ir.Expr, collection: ir.Expr, scope: Scope) -> None:
    if is_unknown(item.type) or is_unknown(collection.type):
        return
    error = scope.context.reporter.error
    inside = item_type(collection.type)
    if inside is None:
        error(
            "RS425",
            f"{quote(node.right)} is {describe(collection.type)}, and `{node.op}` needs a list, set, zone or range",
            node.right.span,
            "compare single values with `==`",
        )
    elif isinstance(item.type, (ListType, SetType)) and not isinstance(inside, (ListType, SetType)):
        error(
            "RS425",
            f"{quote(node.left)} is {describe(item.type)}, not one thing",
            node.left.span,
            "`within` asks whether all its members are in the other",
        )
    elif not isinstance(inside, NoneType) and not comparable(item.type, inside):
        error(
            "RS422",
            f"{quote(node.left)} is {describe(item.type)}, and {quote(node.right)} holds values of another type: "
            f"{describe(collection.type)}",
            node.span,
        )
    elif (
        isinstance(item.type, NumberType) and isinstance(inside, NumberType) and not ranges.overlaps(item.type, inside)
    ):
        scope.context.reporter.warning(
            "RS910", f"{quote(node.left)} is {interval(item.type)}, never in {quote(node.right)}", node.span
        )


def _within(node: n.Binary, scope: Scope, hint: Type | None) -> ir.Expr:
    left, right = infer_pair(node.left, node.right, scope)
    if is_unknown(left.type) or is_unknown(right.type):
        return ir.Within(left, right, type=BOOL, span=node.span)
    for side, written in ((left, node.left), (right, node.right)):
        if not isinstance(side.type, (ListType, SetType)):
            scope.context.reporter.error(
                "RS425",
                f"{quote(written)} is {describe(side.type)}, and `within` needs a list or set on both sides",
                written.span,
                "use `in` for one thing" if side is left else "",
            )
            return unknown(node.span)
    common = join(left.type, right.type)
    if common is None:
        _never_equal(node, left, right, scope)
        return unknown(node.span)
    if isinstance(common, SetType):
        left, right = represent(left, common), represent(right, common)
    return ir.Within(left, right, type=BOOL, span=node.span)


_HANDLERS: dict[str, Callable[[n.Binary, Scope, Type | None], ir.Expr]] = {
    "and": _logic,
    "or": _logic,
    **dict.fromkeys(_ARITHMETIC, _arithmetic),
    **dict.fromkeys(("==", "!="), _equality),
    **dict.fromkeys(("<", "<=", ">", ">="), _order),
    **dict.fromkeys(("in", "not in"), _membership),
    "within": _within,
}
