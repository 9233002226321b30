"""What a name stands for: locals, declarations, values of enums and rows, by the expected type."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import Any

from rulespec import checked as ir
from rulespec.check import ranges
from rulespec.check.context import Context, Scope
from rulespec.check.convert import bare, unknown
from rulespec.check.core import check_expression
from rulespec.check.narrow import narrowed
from rulespec.check.turns import rules_outside
from rulespec.check.types import (
    DIRECTION,
    PLAYER,
    UNKNOWN,
    EnumType,
    ListType,
    NumberType,
    OptionalType,
    TableType,
    Type,
)
from rulespec.check.values import (
    all_values,
    copied_in,
    named_type,
    refuse_copied,
    seat_names,
    value_names,
    values_named,
    wanted,
)
from rulespec.check.words import describe, listed, type_text
from rulespec.diagnostics import Note
from rulespec.source import Span
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

ORTHOGONAL = (0, 2, 4, 6)
DIAGONAL = (1, 3, 5, 7)
_DIRECTION_LISTS = {"orthogonal": ORTHOGONAL, "diagonal": DIAGONAL, "all_directions": tuple(range(8))}
PLAIN_BUILT_INS = ("players", "seats", "me", "turn_player", "first_player", "winners", *_DIRECTION_LISTS)
"""Built-in names that are read without arguments."""


def is_value_only(name: str, scope: Scope) -> bool:
    """Whether nothing but a value of an enum, a row or a seat can be meant by the name."""
    return _declared(name, scope) is None and name not in PLAIN_BUILT_INS and name != "usual"


def is_known(name: str, scope: Scope) -> bool:
    """Whether the name means anything as a value or type."""
    context = scope.context
    return (
        not is_value_only(name, scope)
        or bool(values_named(name, context))
        or named_type(name, context) is not None
        or name in context.procedures
    )


def _declared(name: str, scope: Scope) -> str | None:
    """What kind of thing the name is declared as, before values are looked at."""
    if scope.find(name) is not None:
        return "local"
    context = scope.context
    for kind, table in _sections(context):
        if name in table:
            return kind
    return "zone" if name == "box" else None


def _sections(context: Context) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "variable", context.variables
    yield "zone", context.zones
    yield "table", context.constants
    yield "option", context.options
    yield "function", context.functions


def needs_hint(node: n.Expr, scope: Scope) -> bool:
    """Whether the type of an expression may depend on what is expected of it."""
    match node:
        case n.Name():
            return is_value_only(node.id, scope) and len(values_named(node.id, scope.context)) != 1
        case n.Number() | n.NoneLit():
            return True
        case n.ListLit():
            return all(needs_hint(item, scope) for item in node.items)
        case n.Cond():
            return needs_hint(node.then, scope) and needs_hint(node.other, scope)
        case n.Range():
            return needs_hint(node.first, scope) and needs_hint(node.last, scope)
        case n.Unary(op="-"):
            return needs_hint(node.operand, scope)
    return False


# ---------------------------------------------------------------- names


def name(node: n.Name, scope: Scope, hint: Type | None) -> ir.Expr:
    """A name as a value."""
    context, span = scope.context, node.span
    local = scope.find(node.id)
    if local is not None:
        return narrowed(ir.LocalRead(local, type=local.type, span=span), scope)
    if node.id in context.variables:
        return variable(node.id, (), scope, span)
    if node.id in context.zones or node.id == "box":
        return zone(node.id, (), scope, span, hint)
    if node.id in context.constants:
        return constant(node.id, (), scope, span)
    if node.id in context.options:
        option = context.options[node.id]
        return ir.OptionRead(node.id, type=option.type, span=span)
    if node.id in context.functions:
        context.reporter.error(
            "RS320", f"`{node.id}` is a function", span, f"call it: `{_call_text(node.id, context)}`"
        )
        return unknown(span)
    built_in = _PLAIN.get(node.id)
    if built_in is not None:
        return built_in(scope, span)
    return _contextual(node, scope, hint) or all_values(node.id, scope, span) or _unknown_name(node, scope, hint)


def _call_text(name: str, context: Context) -> str:
    params = context.functions[name].params
    return f"{name}({', '.join(param for param, _ in params)})"


def _contextual(node: n.Name, scope: Scope, hint: Type | None) -> ir.Expr | None:
    """A value of an enum, a row or a seat."""
    found = values_named(node.id, scope.context)
    target = wanted(hint)
    for type, make in found:
        if type == target:
            return make(node.span)
    if not scope.context.spec.boards:  # directions mean nothing without a board, and seats are often called so
        found = [(type, make) for type, make in found if type != DIRECTION] or found
    if len(found) == 1:
        return found[0][1](node.span)
    if not found:
        return None
    owners = [type_text(type) for type, _ in found]
    scope.context.reporter.error(
        "RS302",
        f"`{node.id}` is a value of {listed(f'`{o}`' for o in owners)}, and nothing here tells which",
        node.span,
        f"write `{owners[0]}.{node.id}` or `{owners[1]}.{node.id}`",
    )
    return unknown(node.span)


_ELSEWHERE = (
    ("a procedure", "a procedure is called as an effect or as `let x = {}(...)`"),
    ("an action", "actions are offered by `ask` or a phase"),
    ("a record", "`times({})` counts how often the position was there"),
    ("a phase", "`end {}` ends it"),
)


def _unknown_name(node: n.Name, scope: Scope, hint: Type | None) -> ir.Expr:
    context = scope.context
    if node.id == "usual":
        return usual(scope, node.span)
    elsewhere: tuple[Container[str], ...] = (
        context.procedures,
        context.spec.actions,
        context.records,
        context.phase_names,
    )
    for section, (what, advice) in zip(elsewhere, _ELSEWHERE, strict=True):
        if node.id in section:
            context.reporter.error("RS320", f"`{node.id}` is {what}, not a value", node.span, advice.format(node.id))
            return unknown(node.span)
    copied = copied_in(node.id, context)
    if copied:
        return refuse_copied(node.id, copied[0], context, node.span)
    if node.id in context.reported:
        return unknown(node.span)
    context.reported.add(node.id)
    target = wanted(hint)
    values = value_names(target, context) if target is not None else ()
    if values and isinstance(target, EnumType):
        near = did_you_mean(node.id, [*values, *known_names(scope)])
        advice = near or f"{describe(target)} is {listed(list(values[:8]), 'or')}"
    else:
        advice = did_you_mean(node.id, [*values, *known_names(scope)]) or _FOREIGN.get(node.id, "")
    context.reporter.error("RS301", f"there is nothing called `{node.id}` here", node.span, advice)
    return unknown(node.span)


_FOREIGN = {
    "True": "write `true`",
    "False": "write `false`",
    "None": "write `none`",
    "null": "write `none`",
    "current_player": "write `turn_player`",
    "self": "write `me`",
    "player_count": "write `seats`",
    "id": "a row's `id` can be shown in its `label`, and is read nowhere else",
}


def known_names(scope: Scope) -> list[str]:
    """Every name that can be read here, for the hints of messages: the nearest first."""
    names: list[str] = []
    inner: Scope | None = scope
    while inner is not None:
        names += inner.names
        inner = inner.parent
    context = scope.context
    for _, table in _sections(context):
        names += [name for name in table if " " not in name]
    names += PLAIN_BUILT_INS
    for enum, values in context.enums.items():
        names += [enum, *values] if " " not in enum else []
    names += [*context.tables, *context.aliases, *context.row_names]
    return [*names, *seat_names(context)]


# ---------------------------------------------------------------- variables, zones, tables


def variable(name: str, indices: tuple[n.Expr, ...], scope: Scope, span: Span) -> ir.Expr:
    """A variable with its indices, narrowed by what is known."""
    declared = scope.context.variables[name]
    if not indices and scope.seat is not None and [d.type for d in declared.per] == [PLAYER]:
        seat = ir.LocalRead(scope.seat, type=PLAYER, span=span)
        return ir.VarRead(name, (seat,), type=declared.type, span=span)
    checked = check_indices(f"`{name}`", name, declared.per, indices, scope, span)
    if checked is None:
        return unknown(span)
    return narrowed(ir.VarRead(name, checked, type=declared.type, span=span), scope)


def zone_type(zone: ir.Zone) -> Type:
    """What reading one instance of a zone gives."""
    component = TableType("component", zone.component)
    return OptionalType(component) if zone.slot else ListType(component)


def find_zone(name: str, scope: Scope, span: Span, hint: Type | None = None) -> ir.Zone | None:
    """The zone of that name; `box` is the box of the expected, or else the only, kind of component."""
    context = scope.context
    if name != "box" or name in context.zones:
        return context.zones.get(name)
    kinds = [table for table, t in context.tables.items() if t.kind == "component"]
    target = wanted(hint)
    if isinstance(target, TableType) and target.name in kinds:
        kinds = [target.name]
    if len(kinds) == 1:
        return context.zones.get(f"box {kinds[0]}")
    context.reporter.error(
        "RS321",
        "the box holds several kinds, and nothing here tells which",
        span,
        f"write `c in {kinds[0]} where c in box`" if kinds else "",
    )
    return None


def zone(name: str, indices: tuple[n.Expr, ...], scope: Scope, span: Span, hint: Type | None = None) -> ir.Expr:
    """A zone with its indices, as the list of its components or the optional one of a slot."""
    declared = find_zone(name, scope, span, hint)
    if declared is None:
        return unknown(span)
    checked = check_indices(f"the zone `{name}`", name, declared.per, indices, scope, span)
    if checked is None:
        return unknown(span)
    return narrowed(ir.ZoneRead(declared.name, checked, type=zone_type(declared), span=span), scope)


def constant(name: str, indices: tuple[n.Expr, ...], scope: Scope, span: Span) -> ir.Expr:
    """An entry of a table of constants."""
    declared = scope.context.constants[name]
    checked = check_indices(f"the table `{name}`", name, declared.per, indices, scope, span)
    return unknown(span) if checked is None else ir.TableRead(name, checked, type=declared.type, span=span)


def option(name: str, span: Span, scope: Scope) -> ir.Expr:
    """An option's value."""
    return ir.OptionRead(name, type=scope.context.options[name].type, span=span)


def check_indices(
    what: str, name: str, per: tuple[ir.DomainType, ...], indices: tuple[n.Expr, ...], scope: Scope, span: Span
) -> tuple[ir.Expr, ...] | None:
    """Indices converted to the types of `per`, or None after a report.

    Args:
        what: names the thing in messages, as "the zone `hand`".
        name: as it is written.
        per: the types that it is declared with.
        indices: as written.
        scope: where they stand.
        span: of the whole.
    """
    if len(indices) != len(per):
        _wrong_number_of_indices(what, name, per, indices, scope, span)
        return None
    result = []
    for node, domain in zip(indices, per, strict=True):
        result.append(check_expression(node, scope, domain.type, f"is the index of {what}"))
    return tuple(result)


def _wrong_number_of_indices(
    what: str, name: str, per: tuple[ir.DomainType, ...], indices: tuple[n.Expr, ...], scope: Scope, span: Span
) -> None:
    kinds = ", ".join(type_text(d.type) for d in per)
    error = scope.context.reporter.error
    if not per:
        error("RS312", f"{what} has no index", span, f"write `{name}`")
    elif not indices:
        example = ", ".join(_example(d.type, scope) for d in per)
        error("RS310", f"{what} is kept per {kinds}, so it needs an index", span, f"write `{name}[{example}]`")
    else:
        few = len(indices) < len(per)
        error(
            "RS311" if few else "RS312",
            f"{what} has {len(per)} ind{'ex' if len(per) == 1 else 'ices'} ({kinds}), not {len(indices)}",
            span if few else indices[len(per)].span,
        )


def _example(type: Type, scope: Scope) -> str:
    """A name of that type to write in a hint."""
    if type == PLAYER:
        if scope.me is not None:
            return "me"
        inner: Scope | None = scope
        while inner is not None:
            for name, local in inner.names.items():
                if local.type == PLAYER:
                    return name
            inner = inner.parent
        return "p"
    return type_text(bare(type)).lower()[:1] if not isinstance(type, NumberType) else "n"


# ---------------------------------------------------------------- built-in names, `usual`


def _me(scope: Scope, span: Span) -> ir.Expr:
    if scope.me is not None:
        return ir.LocalRead(scope.me, type=PLAYER, span=span)
    scope.context.reporter.error(
        "RS304",
        "`me` is known in actions and turns only",
        span,
        "let the function or procedure have a parameter, as `player p`, and use that",
    )
    return unknown(span)


def _turn_player(scope: Scope, span: Span) -> ir.Expr:
    """A player where a turn is surely going on, else an optional one."""
    certain = scope.turn or (bool(scope.rule) and scope.rule not in rules_outside(scope.context))
    type = PLAYER if certain else OptionalType(PLAYER)
    return narrowed(ir.BuiltIn("turn_player", (), type=type, span=span), scope)


def _winners(scope: Scope, span: Span) -> ir.Expr:
    if scope.seat is None:
        scope.context.reporter.error("RS304", "`winners` is known in `result:` only", span)
        return unknown(span)
    return ir.BuiltIn("winners", (), type=ListType(PLAYER), span=span)


def _seat_count(scope: Scope, span: Span) -> ir.Expr:
    least, most = scope.context.spec.seats
    return ir.SeatCount(type=ranges.whole(least, most), span=span)


def _directions(name: str) -> Callable[[Scope, Span], ir.Expr]:
    values = _DIRECTION_LISTS[name]

    def make(scope: Scope, span: Span) -> ir.Expr:
        items = tuple(ir.Const(value, type=DIRECTION, span=span) for value in values)
        return ir.ListOf(items, type=ListType(DIRECTION), span=span)

    return make


_PLAIN: dict[str, Callable[[Scope, Span], ir.Expr]] = {
    "players": lambda scope, span: ir.AllOf(PLAYER, type=ListType(PLAYER), span=span),
    "seats": _seat_count,
    "me": _me,
    "turn_player": _turn_player,
    "first_player": lambda scope, span: ir.BuiltIn("first_player", (), type=PLAYER, span=span),
    "winners": _winners,
    **{name: _directions(name) for name in _DIRECTION_LISTS},
}


def usual(scope: Scope, span: Span) -> ir.Expr:
    """`usual` as a value: the version of a function or condition below this one."""
    match scope.usual:
        case ("value", ir.Expr() as value):
            return value
        case ("function", str(name), int(layer)):
            args = tuple(ir.LocalRead(local, type=local.type, span=span) for local in scope.params)
            result = scope.context.functions[name].result or UNKNOWN
            return ir.FunctionCall(name, args, layer, type=result, span=span)
        case ("procedure", *_) | ("effect",):
            scope.context.reporter.error(
                "RS320",
                "`usual` is an effect here, not a value",
                span,
                "write it on a line of its own, or `let x = usual`",
            )
            return unknown(span)
    scope.context.reporter.error(
        "RS305", "there is no version below this one that `usual` could mean", span, "leave it out"
    )
    return unknown(span)


# ---------------------------------------------------------------- new names

_RESERVED = (*PLAIN_BUILT_INS, "usual", "box")


def bind(scope: Scope, name: str, type: Type, span: Span) -> ir.Local:
    """A new local in this scope; a name that means something already is reported."""
    context = scope.context
    kind = _declared(name, scope)
    if name in _RESERVED and kind in (None, "zone"):  # `box` is among the zones, though nobody has declared it
        kind = "built-in name"
    if kind is None and named_type(name, context) is not None:
        kind = "type"
    if kind is None and name in context.procedures:
        kind = "procedure"
    if kind is not None:
        notes: tuple[Note, ...] = ()
        declared = next((table[name] for _, table in _sections(context) if name in table), None)
        if declared is not None and kind != "local":
            notes = (Note("declared here", declared.span),)
        what = f"the name of a{'n' if kind[0] == 'o' else ''} {kind}"
        if kind == "local":
            what = "a name in use here"
        elif kind == "built-in name":
            what = "a built-in name"
        context.reporter.error("RS303", f"`{name}` is {what} already", span, "choose another name", notes)
    return scope.bind(name, type)
