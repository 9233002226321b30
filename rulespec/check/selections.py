"""Selections, and what is made of them: aggregates and ways."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

from attrs import define

from rulespec import checked as ir
from rulespec.check import names, ranges, values
from rulespec.check.context import Fact, Scope
from rulespec.check.convert import fits, is_unknown, item_type, optional, unknown
from rulespec.check.core import as_condition, check_condition, infer
from rulespec.check.narrow import facts_of, merge, not_empty, present, surely_some
from rulespec.check.types import (
    BOOL,
    PLAYER,
    UNKNOWN,
    BoolType,
    EnumType,
    ListType,
    NumberType,
    OptionalType,
    PlayerType,
    SetType,
    TableType,
    Type,
)
from rulespec.check.walk import nodes
from rulespec.check.words import counted, describe, quote, spell, type_text
from rulespec.syntax import nodes as n

# ---------------------------------------------------------------- bindings


def check_selection(node: n.Selection, scope: Scope) -> tuple[ir.Selection, Scope]:
    """A selection, and the scope in which its names are bound and its conditions hold."""
    inner = scope.child()
    bindings: list[ir.Binding] = []
    bound: list[tuple[ir.Local, ...]] = []
    for binding in node.bindings:
        checked = _binding(binding, inner)
        bindings.append(checked)
        at = checked.domain.indices if isinstance(checked.domain, ir.ZoneFamily) else ()
        bound.append((*(i for i in at if isinstance(i, ir.Local)), checked.local))
    conditions = _conditions(node, inner, bound)
    order = None
    if node.order is not None:
        order = (node.order[0], _sort_key(node.order[1], inner))
    return ir.Selection(tuple(bindings), conditions, order, node.span), inner


def _binding(node: n.Binding, scope: Scope) -> ir.Binding:
    if node.at:
        return _family(node, scope)
    domain = _domain(node.domain, node.name, scope)
    item = item_type(domain.type) or UNKNOWN
    local = names.bind(scope, node.name, item, node.name_span)
    if not is_unknown(item):
        scope.facts = merge(scope.facts, not_empty(domain))
        if isinstance(domain, ir.Convert) and isinstance(domain.value.type, OptionalType):
            scope.facts = merge(scope.facts, present(domain.value))
    return ir.Binding(local, domain)


def _domain(node: n.Expr, name: str, scope: Scope) -> ir.Expr:
    """What a name goes through, always as a list."""
    if isinstance(node, n.Until):
        return _until(node, name, scope)
    if isinstance(node, n.Name):
        missing = _needs_at(node, name, scope)
        if missing is not None:
            return missing
    expr = infer(node, scope)
    type = expr.type
    if is_unknown(type) or isinstance(type, ListType):
        return expr
    if isinstance(type, (SetType, OptionalType)) and not isinstance(item_type(type), (ListType, SetType)):
        return ir.Convert(expr, type=ListType(type.item), span=expr.span)
    hint = ""
    if isinstance(type, NumberType):
        hint = f"write `{name} in 1..{spell(node)}`"
    elif isinstance(type, OptionalType):
        hint = f"write `{name} in {spell(node)} otherwise []`"
    scope.context.reporter.error(
        "RS432",
        f"{quote(node)} is {describe(type)}, and `{name}` cannot go through it",
        node.span,
        hint or "a domain is a type, zone, list, set, range or optional value",
    )
    return unknown(node.span)


def _needs_at(node: n.Name, name: str, scope: Scope) -> ir.Expr | None:
    """The report for a zone with indices that are neither given nor bound."""
    zone = scope.context.zones.get(node.id) if scope.find(node.id) is None else None
    if zone is None or not zone.per:
        return None
    binds = ", ".join(_index_names(zone))
    scope.context.reporter.error(
        "RS310",
        f"the zone `{node.id}` is kept per {', '.join(type_text(d.type) for d in zone.per)}, so it needs an index",
        node.span,
        f"write `{name} in {node.id}[...]`, or `{name} at {binds} in {node.id}` for all of them",
    )
    return unknown(node.span)


def _index_names(zone: ir.Zone) -> list[str]:
    found = []
    for place, domain in enumerate(zone.per):
        found.append("p" if domain.type == PLAYER else "ijkl"[place % 4])
    return found


def _until(node: n.Until, name: str, scope: Scope) -> ir.Expr:
    base = _domain(node.base, name, scope)
    item = item_type(base.type) or UNKNOWN
    inner = scope.child()
    local = inner.bind(name, item)
    stop = check_condition(node.stop, inner)
    return ir.Until(base, local, stop, type=ListType(item), span=node.span)


def _family(node: n.Binding, scope: Scope) -> ir.Binding:
    """`c at place in stock[p]`: the given indices first, then the names bound by `at`."""
    base, given = (node.domain.base, node.domain.indices) if isinstance(node.domain, n.Index) else (node.domain, ())
    error = scope.context.reporter.error
    zone = scope.context.zones.get(base.id) if isinstance(base, n.Name) and scope.find(base.id) is None else None
    if zone is None or len(given) + len(node.at) != len(zone.per):
        if zone is None:
            if not isinstance(base, n.Name) or names.is_known(base.id, scope):
                error("RS433", f"`at` is for zones with indices, and {quote(base)} is none", node.domain.span)
            else:
                infer(base, scope)
        elif not zone.per:
            error("RS433", f"the zone `{zone.name}` has no index for `at`", node.domain.span)
        else:
            kinds = ", ".join(type_text(d.type) for d in zone.per)
            count = counted(len(zone.per), "index").replace("indexes", "indices")
            error(
                "RS433",
                f"the zone `{zone.name}` has {count} ({kinds}), and {len(given) + len(node.at)} are given or bound",
                node.domain.span,
            )
        for name, span in (*node.at, (node.name, node.name_span)):
            names.bind(scope, name, UNKNOWN, span)
        local = scope.names[node.name]
        return ir.Binding(local, unknown(node.domain.span))
    what = f"the zone `{zone.name}`"
    fixed = names.check_indices(what, zone.name, zone.per[: len(given)], given, scope, node.domain.span) or ()
    free = [
        names.bind(scope, name, domain.type, span)
        for (name, span), domain in zip(node.at, zone.per[len(given) :], strict=True)
    ]
    component = TableType("component", zone.component)
    domain = ir.ZoneFamily(zone.name, (*fixed, *free), type=ListType(component), span=node.domain.span)
    return ir.Binding(names.bind(scope, node.name, component, node.name_span), domain)


def _sort_key(node: n.Expr, scope: Scope) -> ir.Expr:
    key = infer(node, scope)
    if not is_unknown(key.type) and not isinstance(key.type, (NumberType, EnumType, BoolType)):
        maybe = isinstance(key.type, OptionalType)
        scope.context.reporter.error(
            "RS416" if maybe else "RS424",
            f"{quote(node)} {'may be none' if maybe else f'is {describe(key.type)}'}, so it cannot be sorted by",
            node.span,
            "leave those without a value out by `where`" if maybe else "numbers have an order, and values of one enum",
        )
    return key


# ---------------------------------------------------------------- conditions


@define
class _Known:
    """A fact that holds once the first `level` names are bound and tested."""

    fact: Fact
    level: int


def _conditions(node: n.Selection, scope: Scope, bound: list[tuple[ir.Local, ...]]) -> tuple[tuple[ir.Expr, ...], ...]:
    """The parts of `where`, each at the outermost loop where its names are known.

    A part that holds only thanks to an earlier one is never tested before it.
    """
    levels: list[list[ir.Expr]] = [[] for _ in range(len(bound) + 1)]
    place = {id(local): level for level, locals in enumerate(bound, 1) for local in locals}
    known: list[_Known] = []
    for part in node.where:
        for entry in known:
            entry.fact.used = False
        condition = as_condition(infer(part, scope, BOOL), part, scope)
        level = max((place.get(number, 0) for number in _read_locals(condition)), default=0)
        level = max([level, *(entry.level for entry in known if entry.fact.used)])
        levels[level].append(condition)
        new = facts_of(condition)
        scope.facts = merge(scope.facts, new)
        known += [_Known(scope.facts[text], level) for text in new]
    return tuple(tuple(level) for level in levels)


def _read_locals(expr: ir.Expr) -> set[int]:
    return {id(node.local) for node in nodes(expr) if isinstance(node, ir.LocalRead)}


# ---------------------------------------------------------------- how many members


def most_members(expr: ir.Expr, scope: Scope) -> int | None:
    """The greatest number of members that a list can have, None if that is not known."""
    match expr:
        case ir.ListOf():
            return len(expr.items)
        case ir.AllOf():
            return _values(expr.of, scope)
        case ir.Convert():
            return 1 if isinstance(expr.value.type, OptionalType) else most_members(expr.value, scope)
        case ir.Until():
            return most_members(expr.value, scope)
        case ir.Aggregate(kind="those" | "most" | "least", body=None):
            return most_selected(expr.selection, scope)
        case ir.ZoneRead():
            zone = scope.context.zones[expr.zone]
            if isinstance(zone.max, ir.Const) and isinstance(zone.max.value, int):
                return zone.max.value
            return _values(TableType("component", zone.component), scope)
        case ir.ZoneFamily():
            return _values(expr.type.item, scope) if isinstance(expr.type, ListType) else None
        case ir.RangeOf():
            low, high = (expr.last, expr.first) if expr.down else (expr.first, expr.last)
            if isinstance(low.type, NumberType) and isinstance(high.type, NumberType):
                if low.type.low is None or high.type.high is None:
                    return None
                return max(0, int(high.type.high - low.type.low) + 1)
    item = item_type(expr.type)
    return _values(item, scope) if item is not None and isinstance(expr.type, SetType) else None


def most_selected(selection: ir.Selection, scope: Scope) -> int | None:
    """The greatest number of ways to bind a selection's names, None if that is not known."""
    counts = [most_members(binding.domain, scope) for binding in selection.bindings]
    return None if None in counts else prod(count for count in counts if count is not None)


def _values(type: Type, scope: Scope) -> int | None:
    """The number of values of a type, at most."""
    context = scope.context
    match type:
        case BoolType():
            return 2
        case PlayerType():
            return context.spec.seats[1]
        case EnumType(name):
            return len(context.enums.get(name, ()))
        case NumberType(low, high, step) if low is not None and high is not None and step:
            return int((high - low) / step) + 1
        case TableType(kind, name):
            if kind == "component":
                table = context.tables[name]
                return sum(row.copies for row in table.rows) if table.rows else None
            ids = context.table_ids.get(name)
            return None if ids is None else len(ids)
    return None


def never_empty(expr: ir.Expr, scope: Scope) -> bool:
    """Whether a list surely has a member."""
    match expr:
        case ir.ListOf():
            return bool(expr.items)
        case ir.AllOf(of=TableType() as type):
            return bool(scope.context.table_ids.get(type.name))
        case ir.AllOf():
            return True
        case ir.RangeOf() if isinstance(expr.first.type, NumberType) and isinstance(expr.last.type, NumberType):
            low, high = (expr.last.type, expr.first.type) if expr.down else (expr.first.type, expr.last.type)
            return low.high is not None and high.low is not None and low.high <= high.low
        case ir.Convert():
            return never_empty(expr.value, scope)
        case ir.Aggregate(kind="those" | "most" | "least"):
            return never_empty_selection(expr.selection, scope)
        case ir.Cond():
            return never_empty(expr.then, scope) and never_empty(expr.other, scope)
    return surely_some(expr, scope)


def never_empty_selection(selection: ir.Selection, scope: Scope) -> bool:
    """Whether a selection surely gives something."""
    return not any(selection.conditions) and all(never_empty(b.domain, scope) for b in selection.bindings)


# ---------------------------------------------------------------- aggregates


@infer.register
def _aggregate(node: n.Aggregate, scope: Scope, hint: Type | None = None) -> ir.Expr:
    selection, inner = check_selection(node.selection, scope)
    return _AGGREGATES[node.kind](node, selection, inner, scope, hint)


def _result(node: n.Aggregate, body: ir.Expr | None, selection: ir.Selection, type: Type) -> ir.Expr:
    return ir.Aggregate(node.kind, body, selection, type=type, span=node.span)


def _truth(node: n.Aggregate, selection: ir.Selection, inner: Scope, scope: Scope, hint: Type | None) -> ir.Expr:
    """`any`, `all`."""
    if node.body is None:
        return _result(node, ir.Const(True, type=BOOL, span=node.span), selection, BOOL)
    return _result(node, check_condition(node.body, inner), selection, BOOL)


def _count(node: n.Aggregate, selection: ir.Selection, inner: Scope, scope: Scope, hint: Type | None) -> ir.Expr:
    if node.body is not None:
        scope.context.reporter.error(
            "RS426", "`count` counts a selection", node.body.span, "write the condition after `where`"
        )
        return unknown(node.span)
    low = 1 if never_empty_selection(selection, scope) else 0
    return _result(node, None, selection, ranges.whole(low, most_selected(selection, scope)))


def _number_body(node: n.Aggregate, inner: Scope, enums: bool) -> ir.Expr | None:
    """The value before `for` as a number (or enum value), or None after a report."""
    assert node.body is not None
    body = infer(node.body, inner)
    if is_unknown(body.type):
        return None
    if isinstance(body.type, NumberType) or (enums and isinstance(body.type, EnumType)):
        return body
    maybe = isinstance(body.type, OptionalType)
    found = "may be none" if maybe else f"is {describe(body.type)}"
    inner.context.reporter.error(
        "RS416" if maybe else "RS417",
        f"{quote(node.body)} {found}, and `{node.kind}` needs a number",
        node.body.span,
        "leave those without a value out by `where`" if maybe else "",
    )
    return None


def _sum(node: n.Aggregate, selection: ir.Selection, inner: Scope, scope: Scope, hint: Type | None) -> ir.Expr:
    body = _number_body(node, inner, enums=False)
    if body is None or not isinstance(body.type, NumberType):
        return unknown(node.span)
    return _result(node, body, selection, ranges.total(body.type, most_selected(selection, scope)))


def _extreme(node: n.Aggregate, selection: ir.Selection, inner: Scope, scope: Scope, hint: Type | None) -> ir.Expr:
    """`min`, `max`: none where the selection is empty."""
    body = _number_body(node, inner, enums=True)
    if body is None:
        return unknown(node.span)
    some = never_empty_selection(selection, scope)
    return _result(node, body, selection, body.type if some else optional(body.type))


def _ranked(node: n.Aggregate, selection: ir.Selection, inner: Scope, scope: Scope, hint: Type | None) -> ir.Expr:
    """`most`, `least`: values of the first name."""
    body = _number_body(node, inner, enums=True)
    first = selection.bindings[0].local.type
    if body is None or is_unknown(first):
        return unknown(node.span)
    return _result(node, body, selection, ListType(first))


def _gathered(node: n.Aggregate, selection: ir.Selection, inner: Scope, scope: Scope, hint: Type | None) -> ir.Expr:
    """`first`, `last`, `those`: the first name's values or those of the body."""
    body = infer(node.body, inner, values.wanted(hint)) if node.body is not None else None
    item = body.type if body is not None else selection.bindings[0].local.type
    if is_unknown(item):
        return unknown(node.span)
    if node.kind == "those":
        return _those(node, body, item, selection, scope)
    some = never_empty_selection(selection, scope)
    return _result(node, body, selection, item if some else optional(item))


def _those(node: n.Aggregate, body: ir.Expr | None, item: Type, selection: ir.Selection, scope: Scope) -> ir.Expr:
    if isinstance(item, (ListType, SetType)):
        written = node.body if node.body is not None else node.selection.bindings[0].domain
        scope.context.reporter.error(
            "RS417",
            f"{quote(written)} is {describe(item)}, and `those` gathers single values",
            written.span,
            "go through its members with another `in`",
        )
        return unknown(node.span)
    return _result(node, body, selection, ListType(item))


_AGGREGATES: dict[str, Callable[[n.Aggregate, ir.Selection, Scope, Scope, Type | None], ir.Expr]] = {
    **dict.fromkeys(("any", "all"), _truth),
    "count": _count,
    "sum": _sum,
    **dict.fromkeys(("min", "max"), _extreme),
    **dict.fromkeys(("most", "least"), _ranked),
    **dict.fromkeys(("first", "last", "those"), _gathered),
}


# ---------------------------------------------------------------- ways


@infer.register
def _way(node: n.Way, scope: Scope, hint: Type | None = None) -> ir.Expr:
    start = infer(node.start, scope)
    place = start.type
    error = scope.context.reporter.error
    if isinstance(place, (OptionalType, ListType, SetType)) and not is_unknown(place):
        error(
            "RS411" if isinstance(place, OptionalType) else "RS417",
            f"{quote(node.start)} is {describe(place)}, and a way starts from one place",
            node.start.span,
        )
        place = UNKNOWN
    outer = scope.child()
    local = names.bind(outer, node.name, place, node.name_span)
    selection, _ = check_selection(node.selection, outer)
    goal = check_condition(node.goal, outer) if node.goal is not None else None
    first, following = node.selection.bindings[0], selection.bindings[0].local.type
    if not is_unknown(place) and not is_unknown(following) and not fits(following, place):
        error(
            "RS410",
            f"`{first.name}` is {describe(following)}, and the next place must be {describe(place)}",
            first.name_span,
            f"the way starts from {quote(node.start)}",
        )
    if is_unknown(place):
        return unknown(node.span)
    if goal is not None and node.kind == "reached":
        error("RS426", "`reached` has no goal", goal.span, "write `reached(x from S by y in DOMAIN)`")
        return unknown(node.span)
    type: Type = OptionalType(ranges.whole(0)) if node.kind == "distance" else ListType(place)
    return ir.Way(node.kind, local, start, selection, goal, type=type, span=node.span)
