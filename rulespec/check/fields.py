"""`base.name` and `base[i]`: fields of rows, faces, qualified values, places in zones, indices."""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulespec import checked as ir
from rulespec.check import names, ranges, values
from rulespec.check.context import Scope
from rulespec.check.convert import is_unknown, optional, unknown
from rulespec.check.core import infer
from rulespec.check.narrow import narrowed
from rulespec.check.types import (
    DIRECTION,
    EnumType,
    ListType,
    NoneType,
    OptionalType,
    PortType,
    SetType,
    TableType,
    Type,
)
from rulespec.check.words import article, describe, listed, quote, spell, type_text
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n


def on_value(base: ir.Expr, make: Callable[[ir.Expr], ir.Expr]) -> ir.Expr:
    """`make` of the value, or none where an optional value is none."""
    if not isinstance(base.type, OptionalType):
        return make(base)
    local = ir.Local("_", base.type.item)
    body = make(ir.LocalRead(local, type=local.type, span=base.span))
    if is_unknown(body.type):
        return body
    return ir.NoneSafe(base, local, body, type=optional(body.type), span=body.span)


@infer.register
def _field_of(node: n.FieldOf, scope: Scope, hint: Type | None = None) -> ir.Expr:
    return _member(node, (), scope)


@infer.register
def _index(node: n.Index, scope: Scope, hint: Type | None = None) -> ir.Expr:
    context, base = scope.context, node.base
    if isinstance(base, n.FieldOf):
        return _member(base, node.indices, scope, node)
    if isinstance(base, n.Name) and scope.find(base.id) is None:
        if base.id in context.variables:
            return names.variable(base.id, node.indices, scope, node.span)
        if base.id in context.zones or base.id == "box":
            return names.zone(base.id, node.indices, scope, node.span, hint)
        if base.id in context.constants:
            return names.constant(base.id, node.indices, scope, node.span)
        if base.id in context.functions or base.id in context.procedures:
            args = ", ".join(map(spell, node.indices))
            context.reporter.error(
                "RS322", f"`{base.id}` is called with round brackets", node.span, f"write `{base.id}({args})`"
            )
            return unknown(node.span)
    value = infer(base, scope)
    if not is_unknown(value.type):
        advice = f"write `nth({spell(base)}, i)`, from 0" if isinstance(value.type, ListType) else ""
        context.reporter.error(
            "RS322", f"{quote(base)} is {describe(value.type)}, which has no index", node.span, advice
        )
    return unknown(node.span)


def _member(node: n.FieldOf, indices: tuple[n.Expr, ...], scope: Scope, whole: n.Index | None = None) -> ir.Expr:
    """A field, with its indices if there are any; `whole` is the node with the indices."""
    qualified = None if indices else _qualified(node, scope)
    if qualified is not None:
        return qualified
    span = (whole or node).span
    base, face = _with_face(node, scope)
    if is_unknown(base.type):
        return unknown(span)
    expr = on_value(base, lambda value: _read(node, value, face, indices, scope))
    return narrowed(attrs.evolve(expr, span=span), scope)


def _qualified(node: n.FieldOf, scope: Scope) -> ir.Expr | None:
    """`Food.meat`: a value of a named type; None where the base is something else."""
    if not isinstance(node.base, n.Name) or not names.is_value_only(node.base.id, scope):
        return None
    type = values.named_type(node.base.id, scope.context)
    if type is None:
        return None
    value = values.value_of_type(node.name, type, scope, node.span)
    if value is not None:
        return value
    if isinstance(type, TableType) and type.name in values.copied_in(node.name, scope.context):
        return values.refuse_copied(node.name, type.name, scope.context, node.span)
    known = values.value_names(type, scope.context)
    scope.context.reporter.error(
        "RS306",
        f"`{node.base.id}` has no value `{node.name}`",
        node.name_span,
        did_you_mean(node.name, known) or _some(known, "its values are"),
    )
    return unknown(node.span)


def _some(known: tuple[str, ...] | list[str], lead: str) -> str:
    if not known:
        return ""
    shown = [f"`{name}`" for name in known[:8]]
    return f"{lead} {listed(shown)}" if len(known) <= 8 else f"{lead} {', '.join(shown)}, ..."


def _with_face(node: n.FieldOf, scope: Scope) -> tuple[ir.Expr, str | None]:
    """The base of a field, and the face named before it: `card.front.marks`."""
    inner = node.base
    if isinstance(inner, n.FieldOf) and any(inner.name in t.faces for t in scope.context.tables.values()):
        base = infer(inner.base, scope)
        type = base.type.item if isinstance(base.type, OptionalType) else base.type
        if isinstance(type, TableType) and inner.name in scope.context.tables[type.name].faces:
            return base, inner.name
    return infer(inner, scope), None


def find_field(type: Type, name: str, scope: Scope) -> ir.Field | None:
    """The field of a record type, component or board."""
    return scope.context.tables[type.name].fields.get(name) if isinstance(type, TableType) else None


def _read(node: n.FieldOf, base: ir.Expr, face: str | None, indices: tuple[n.Expr, ...], scope: Scope) -> ir.Expr:
    """One field of a value that is not none."""
    type, context = base.type, scope.context
    found = find_field(type, node.name, scope)
    if found is not None:
        return _declared_field(node, base, found, face, indices, scope)
    special: ir.Expr | None = None
    if indices:
        pass
    elif isinstance(type, EnumType) and node.name == "number":
        count = len(context.enums[type.name])
        special = ir.BuiltIn("number", (base,), type=ranges.whole(1, count), span=node.span)
    elif isinstance(type, PortType) and node.name in PORT_PARTS:
        special = ir.BuiltIn(f"port.{node.name}", (base,), type=PORT_PARTS[node.name](type), span=node.span)
    elif isinstance(type, TableType) and type.kind == "component" and node.name in context.zones:
        special = _place(node, base, context.zones[node.name], scope)
    return special or _no_field(node, base, scope)


PORT_PARTS: dict[str, Callable[[PortType], Type]] = {
    "cell": lambda port: TableType("board", port.board),
    "facing": lambda port: DIRECTION,
    "beyond": lambda port: OptionalType(TableType("board", port.board)),
    "piece": lambda port: TableType("component", port.component),
}


def _declared_field(
    node: n.FieldOf, base: ir.Expr, found: ir.Field, face: str | None, indices: tuple[n.Expr, ...], scope: Scope
) -> ir.Expr:
    error = scope.context.reporter.error
    if found.params is not None:
        example = ", ".join(p.name for p in found.params)
        error("RS320", f"`{node.name}` is a rule", node.name_span, f"call it: `{spell(node)}({example})`")
        return unknown(node.span)
    if face is not None and not found.per_face:
        assert isinstance(base.type, TableType)
        error(
            "RS307", f"`{node.name}` is the same on every face", node.name_span,
            f"write `{spell(node.base.base) if isinstance(node.base, n.FieldOf) else 'c'}.{node.name}`",
        )  # fmt: skip
        return unknown(node.span)
    what = f"`{spell(node)}`"
    checked = names.check_indices(what, spell(node), found.index, indices, scope, node.span)
    if checked is None:
        return unknown(node.span)
    return ir.FieldRead(base, node.name, checked, face, type=found.type, span=node.span)


def _place(node: n.FieldOf, base: ir.Expr, zone: ir.Zone, scope: Scope) -> ir.Expr:
    """`card.hand`: the index of the instance of a zone where a component lies."""
    error = scope.context.reporter.error
    assert isinstance(base.type, TableType)
    written = spell(node.base)
    if zone.component != base.type.name:
        error(
            "RS307", f"the zone `{node.name}` holds {zone.component}, and {quote(node.base)} is {describe(base.type)}",
            node.name_span,
        )  # fmt: skip
    elif not zone.per:
        error("RS307", f"the zone `{node.name}` has no index to tell", node.span, f"write `{written} in {node.name}`")
    elif len(zone.per) > 1:
        binds = ", ".join(f"i{place}" for place in range(1, len(zone.per) + 1))
        error(
            "RS307", f"the zone `{node.name}` has {len(zone.per)} indices, so `.{node.name}` cannot tell them",
            node.span, f"select them: `x at {binds} in {node.name} where x == {written}`",
        )  # fmt: skip
    else:
        index = zone.per[0].type
        return ir.ZoneIndex(base, node.name, type=optional(index), span=node.span)
    return unknown(node.span)


def _no_field(node: n.FieldOf, base: ir.Expr, scope: Scope) -> ir.Expr:
    context, type = scope.context, base.type
    error = context.reporter.error
    if isinstance(type, TableType):
        table = context.tables[type.name]
        if node.name in table.faces:
            error(
                "RS307", f"`{node.name}` is a face of {article(type.name)}, not a value", node.span,
                f"read a field of it: `{spell(node)}.FIELD`",
            )  # fmt: skip
            return unknown(node.span)
        zones = [z.name for z in context.zones.values() if z.component == type.name and " " not in z.name]
        known = [*table.fields, *zones]
        if node.name in context.functions:
            hint = f"write `{node.name}({spell(node.base)})`"
        elif node.name in context.variables:
            hint = f"write `{node.name}[{spell(node.base)}]`"
        else:
            hint = did_you_mean(node.name, known) or _some(list(table.fields), "its fields are")
        error("RS307", f"{article(type.name)} has no field `{node.name}`", node.name_span, hint)
    elif isinstance(type, (ListType, SetType)):
        advice = f"go through them: `x.{node.name} for x in {spell(node.base)}`"
        error(
            "RS307", f"{quote(node.base)} is {describe(type)}, which has no field `{node.name}`", node.name_span, advice
        )
    elif isinstance(type, NoneType):
        error("RS307", f"none has no field `{node.name}`", node.name_span)
    else:
        advice = _some(list(PORT_PARTS), "a port has") if isinstance(type, PortType) else ""
        if isinstance(type, EnumType):
            advice = f"`.number` is its place among the values of {type_text(type)}"
        error("RS307", f"{describe(type)} has no field `{node.name}`", node.name_span, advice)
    return unknown(node.span)
