"""The functions of the language: what they take and give.

`BUILT_INS` has a handler for each name that is called with round brackets; names without them are in
`check.names`. A handler gives an `ir.BuiltIn` of the same name unless said otherwise:

    abs floor            one number
    min max              two or more numbers or enum values, or one list, set or zone
    sum count            one list, set or zone
    first last nth       one list, set or zone (and a place from 0): optional
    any                  of a list, set or zone: an `ir.Truth`
    opponent next previous others          seats
    top bottom end left_neighbour right_neighbour      zones
    step ray neighbours ... and laid pieces: `check.builtins_boards`
    times                the name of a record as a text constant
"""

from __future__ import annotations

from rulespec import checked as ir
from rulespec.check import ranges
from rulespec.check.builtins_base import ANY_NUMBER, Handler, arity, built_in, zone_argument
from rulespec.check.builtins_boards import BOARD_FUNCTIONS
from rulespec.check.context import Scope
from rulespec.check.convert import is_unknown, item_type, join_all, optional, represent, unknown
from rulespec.check.core import check_expression, infer
from rulespec.check.names import needs_hint
from rulespec.check.narrow import surely_some
from rulespec.check.selections import most_members, never_empty
from rulespec.check.types import (
    BOOL,
    NUMBER,
    PLAYER,
    ROW_END,
    TEXT,
    EnumType,
    ListType,
    NumberType,
    OptionalType,
    SetType,
    Type,
)
from rulespec.check.words import describe, quote, spell
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

# ---------------------------------------------------------------- numbers


def _rounding(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    assert isinstance(node.callee, n.Name)
    name = node.callee.id
    if not arity(node, scope, f"{name}(x)", 1):
        return unknown(node.span)
    arg = check_expression(node.args[0], scope, ANY_NUMBER, f"is needed in `{name}`")
    if not isinstance(arg.type, NumberType):
        return unknown(node.span)
    return built_in(node, (arg,), ranges.floor(arg.type) if name == "floor" else ranges.absolute(arg.type))


def _extreme(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    """`min(a, b)`, `max(LIST)`."""
    assert isinstance(node.callee, n.Name)
    name = node.callee.id
    if not node.args:
        arity(node, scope, f"{name}(a, b)", 2)
        return unknown(node.span)
    if len(node.args) == 1:
        return _extreme_of_list(node, scope, hint)
    wish = hint
    own = next((arg for arg in node.args if not needs_hint(arg, scope)), None)
    if wish is None and own is not None:
        wish = infer(own, scope).type
    args = [infer(arg, scope, wish) for arg in node.args]
    for arg, written in zip(args, node.args, strict=True):
        if is_unknown(arg.type):
            return unknown(node.span)
        if not isinstance(arg.type, (NumberType, EnumType)):
            _not_ordered(arg, written, name, scope)
            return unknown(node.span)
    common = join_all([arg.type for arg in args])
    if common is None:
        scope.context.reporter.error(
            "RS424", f"`{name}` cannot compare {describe(args[0].type)} with {describe(args[1].type)}", node.span
        )
        return unknown(node.span)
    numbers = [arg.type for arg in args if isinstance(arg.type, NumberType)]
    if numbers:
        common = (ranges.least if name == "min" else ranges.most)(numbers)
    return built_in(node, tuple(args), common)


def _not_ordered(arg: ir.Expr, written: n.Expr, name: str, scope: Scope) -> None:
    error = scope.context.reporter.error
    if isinstance(arg.type, OptionalType):
        error(
            "RS416", f"{quote(written)} may be none, and `{name}` needs a value", written.span,
            f"test it first, or write `({spell(written)} otherwise 0)`",
        )  # fmt: skip
    else:
        error(
            "RS417", f"{quote(written)} is {describe(arg.type)}, and `{name}` needs numbers", written.span,
            "values of one enum have an order, too",
        )  # fmt: skip


def _extreme_of_list(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    assert isinstance(node.callee, n.Name)
    arg = _collection(node, scope, hint)
    if arg is None:
        return unknown(node.span)
    item = item_type(arg.type)
    if not isinstance(item, (NumberType, EnumType)):
        name = node.callee.id
        scope.context.reporter.error(
            "RS417",
            f"{quote(node.args[0])} is {describe(arg.type)}, and `{name}` needs numbers",
            node.args[0].span,
            f"write `{name}(E for x in {spell(node.args[0])})`",
        )
        return unknown(node.span)
    return built_in(node, (arg,), item if never_empty(arg, scope) else optional(item))


# ---------------------------------------------------------------- collections


def _collection(node: n.Call, scope: Scope, hint: Type | None = None) -> ir.Expr | None:
    """The one argument as a list, set or zone, or None after a report."""
    assert isinstance(node.callee, n.Name)
    name, written = node.callee.id, node.args[0]
    arg = infer(written, scope, ListType(hint) if hint is not None else None)
    if is_unknown(arg.type):
        return None
    if isinstance(arg.type, (ListType, SetType)):
        return arg
    if isinstance(arg.type, OptionalType) and not isinstance(arg.type.item, (ListType, SetType)):
        list_type = ListType(arg.type.item)
        return ir.Convert(arg, type=list_type, span=arg.span)
    scope.context.reporter.error(
        "RS417",
        f"{quote(written)} is {describe(arg.type)}, and `{name}` needs a list, set or zone",
        written.span,
        f"write `{name}(x in DOMAIN where ...)`",
    )
    return None


def _count(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    arg = _collection(node, scope) if arity(node, scope, "count(LIST)", 1) else None
    if arg is None:
        return unknown(node.span)
    low = 1 if never_empty(arg, scope) else 0
    return built_in(node, (arg,), ranges.whole(low, most_members(arg, scope)))


def _sum(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    arg = _collection(node, scope) if arity(node, scope, "sum(LIST)", 1) else None
    if arg is None:
        return unknown(node.span)
    item = item_type(arg.type)
    if not isinstance(item, NumberType):
        scope.context.reporter.error(
            "RS417",
            f"{quote(node.args[0])} is {describe(arg.type)}, and `sum` needs numbers",
            node.args[0].span,
            f"write `sum(E for x in {spell(node.args[0])})`",
        )
        return unknown(node.span)
    return built_in(node, (arg,), ranges.total(item, most_members(arg, scope)))


def _end_of_list(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    """`first(LIST)`, `last(LIST)`."""
    assert isinstance(node.callee, n.Name)
    item_hint = item_type(hint) if isinstance(hint, OptionalType) else hint
    arg = _collection(node, scope, item_hint) if arity(node, scope, f"{node.callee.id}(LIST)", 1) else None
    item = item_type(arg.type) if arg is not None else None
    if arg is None or item is None:
        return unknown(node.span)
    if isinstance(arg.type, SetType):
        arg = represent(arg, ListType(arg.type.item))
    return built_in(node, (arg,), item if never_empty(arg, scope) else optional(item))


def _nth(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    arg = _collection(node, scope) if arity(node, scope, "nth(LIST, i)", 2) else None
    item = item_type(arg.type) if arg is not None else None
    if arg is None or item is None:
        return unknown(node.span)
    if isinstance(arg.type, SetType):
        arg = represent(arg, ListType(arg.type.item))
    place = check_expression(node.args[1], scope, NUMBER, "is needed as the place in the list")
    if not isinstance(place.type, NumberType):
        return unknown(node.span)
    if isinstance(arg, ir.ListOf) and ranges.inside(place.type, ranges.whole(0, len(arg.items) - 1)):
        return built_in(node, (arg, place), item)
    if place.type.high is not None and place.type.high < 0:
        scope.context.reporter.error("RS412", "places in a list count from 0", node.args[1].span)
    return built_in(node, (arg, place), optional(item))


def _any(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    arg = _collection(node, scope) if arity(node, scope, "any(LIST)", 1) else None
    return unknown(node.span) if arg is None else ir.Truth(arg, type=BOOL, span=node.span)


def _all(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    scope.context.reporter.error(
        "RS426", "`all` needs a condition on the members", node.span, "write `all(COND for x in DOMAIN)`"
    )
    return unknown(node.span)


def _selection_only(form: str) -> Handler:
    def handler(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
        assert isinstance(node.callee, n.Name)
        scope.context.reporter.error("RS426", f"`{node.callee.id}` needs a selection", node.span, f"write `{form}`")
        return unknown(node.span)

    return handler


# ---------------------------------------------------------------- seats


def _opponent(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    if not arity(node, scope, "opponent(p)", 1):
        return unknown(node.span)
    seats = scope.context.spec.seats
    if seats != (2, 2):
        scope.context.reporter.error(
            "RS428",
            "`opponent` is for games of exactly two players",
            node.span,
            "`others(p)` is everyone but p, `next(p)` the seat to the left",
        )
    return built_in(node, (_seat(node.args[0], scope, "opponent"),), PLAYER)


def _seat(node: n.Expr, scope: Scope, name: str) -> ir.Expr:
    return check_expression(node, scope, PLAYER, f"is needed in `{name}`")


def _next(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    assert isinstance(node.callee, n.Name)
    name = node.callee.id
    if not arity(node, scope, f"{name}(p)", 1, 2):
        return unknown(node.span)
    args = [_seat(node.args[0], scope, name)]
    args += [check_expression(arg, scope, NUMBER, f"is needed in `{name}`") for arg in node.args[1:]]
    return built_in(node, tuple(args), PLAYER)


def _others(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    if not arity(node, scope, "others(p)", 1):
        return unknown(node.span)
    return built_in(node, (_seat(node.args[0], scope, "others"),), ListType(PLAYER))


# ---------------------------------------------------------------- zones


def _stack_end(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    assert isinstance(node.callee, n.Name)
    name = node.callee.id
    zone = zone_argument(node.args[0], scope, name, "stack") if arity(node, scope, f"{name}(z)", 1) else None
    return unknown(node.span) if zone is None else built_in(node, (zone,), _component_of(zone, scope))


def _component_of(zone: ir.Expr, scope: Scope) -> Type:
    item = item_type(zone.type)
    assert item is not None
    return item if surely_some(zone, scope) else optional(item)


def _row_end(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    if not arity(node, scope, "end(z, left)", 2):
        return unknown(node.span)
    zone = zone_argument(node.args[0], scope, "end", "row")
    side = check_expression(node.args[1], scope, ROW_END, "is needed in `end`")
    return unknown(node.span) if zone is None else built_in(node, (zone, side), _component_of(zone, scope))


def _neighbour(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    assert isinstance(node.callee, n.Name)
    name = node.callee.id
    if not arity(node, scope, f"{name}(z, c)", 2):
        return unknown(node.span)
    zone = zone_argument(node.args[0], scope, name, "row")
    if zone is None:
        return unknown(node.span)
    item = item_type(zone.type)
    assert item is not None
    component = check_expression(node.args[1], scope, item, f"is needed in `{name}`")
    return built_in(node, (zone, component), optional(item))


# ---------------------------------------------------------------- records


def _times(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    if not arity(node, scope, "times(RECORD)", 1):
        return unknown(node.span)
    arg, context = node.args[0], scope.context
    if not isinstance(arg, n.Name) or arg.id not in context.records:
        near = did_you_mean(arg.id, context.records) if isinstance(arg, n.Name) else ""
        context.reporter.error(
            "RS306", f"{quote(arg)} is no record", arg.span, near or "records are declared under `records:`"
        )
        return unknown(node.span)
    name = ir.Const(arg.id, type=TEXT, span=arg.span)
    return built_in(node, (name,), ranges.whole(0))


BUILT_INS: dict[str, Handler] = {
    **dict.fromkeys(("abs", "floor"), _rounding),
    **dict.fromkeys(("min", "max"), _extreme),
    "count": _count,
    "sum": _sum,
    **dict.fromkeys(("first", "last"), _end_of_list),
    "nth": _nth,
    "any": _any,
    "all": _all,
    "those": _selection_only("those(x in DOMAIN where COND)"),
    "most": _selection_only("most(E for x in DOMAIN)"),
    "least": _selection_only("least(E for x in DOMAIN)"),
    "opponent": _opponent,
    **dict.fromkeys(("next", "previous"), _next),
    "others": _others,
    **dict.fromkeys(("top", "bottom"), _stack_end),
    "end": _row_end,
    **dict.fromkeys(("left_neighbour", "right_neighbour"), _neighbour),
    "times": _times,
    **BOARD_FUNCTIONS,
}
