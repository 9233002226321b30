"""Declarations in the order in which they need each other: names, enums, options, types, tables, zones, values.

`declare` makes everything known that the bodies of functions and effects may name; `read_values` reads
rows, starts and constant tables.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import core, typing
from rulespec.check import types as t
from rulespec.check.boards import declare_board
from rulespec.check.constants import declare_constants, read_constants
from rulespec.check.context import Context, Scope, Signature
from rulespec.check.evaluate import NotConstantError, constant, whole
from rulespec.check.naming import check_names
from rulespec.check.rows import read_board, read_rows
from rulespec.check.tables import TableEntry, declare_table, name_rows, table_entries
from rulespec.check.words import counted, describe
from rulespec.check.zones import (
    check_starts_once,
    check_variable,
    check_zone,
    declare_boxes,
    declare_record,
    declare_variable,
    declare_zone,
)
from rulespec.spec import model as m
from rulespec.syntax import nodes as n


def declare(context: Context) -> None:
    """Fills the context with every declaration: types, fields, ids of rows, indices and signatures."""
    spec = context.spec
    check_names(context)
    for declared in spec.types.values():
        if declared.values is not None:
            context.enums[declared.name] = tuple(name for name, _ in declared.values)
    for option in spec.options.values():
        _declare_option(option, context)
    for declared in spec.types.values():
        if declared.alias is not None:
            typing.resolve_type(n.NamedType(declared.name, span=declared.name_span), context)
    for board in spec.boards.values():
        declare_board(board, context)
    for table in table_entries(spec):
        declare_table(table, context)
    for table in table_entries(spec):
        name_rows(table, context)
    for constants in spec.tables.values():
        declare_constants(constants, context)
    declare_boxes(context)
    for zone in spec.zones.values():
        declare_zone(zone, context)
    for variable in spec.variables.values():
        declare_variable(variable, context)
    for record in spec.records.values():
        declare_record(record, context)
    _declare_signatures(context)
    _no_condition(context)


def read_values(context: Context) -> None:
    """Reads rows, constant tables, and what variables and zones start with."""
    spec = context.spec
    for table in table_entries(spec):
        read_rows(table, context)
    for board in spec.boards.values():
        read_board(board, context)
    for constants in spec.tables.values():
        read_constants(constants, context)
    for zone in spec.zones.values():
        check_zone(zone, context)
    check_starts_once(context)
    for variable in spec.variables.values():
        check_variable(variable, context)


# ---------------------------------------------------------------- options


def _declare_option(option: m.Option, context: Context) -> None:
    reporter = context.reporter
    domain = typing.resolve_type(option.type, context)
    item = domain.type.item if isinstance(domain.type, (t.OptionalType, t.SetType)) else domain.type
    if not isinstance(item, (t.BoolType, t.NumberType, t.EnumType, t.UnknownType)) or isinstance(
        domain.type, t.ListType
    ):
        reporter.error(
            "RS496",
            f"an option cannot be {describe(domain.type)}",
            option.type.span,
            "it can be `bool`, a range, an enum, or a set of one of them",
        )
        domain = typing.UNKNOWN
    if domain.type == t.UNKNOWN:
        context.options[option.name] = ir.Option(
            option.name, t.UNKNOWN, domain, None, None, None, option.doc, option.name_span
        )
        return
    only_if = typing.fixed_condition(option.only_if, context, "`only_if`") if option.only_if is not None else None
    value = _default(option, domain, context)
    pick = _pick(option, domain, context) if option.pick is not None else None
    if pick is not None and option.default is not None and isinstance(value, int):
        taken = value.bit_count()
        if not pick[0] <= taken <= pick[1]:
            reporter.error(
                "RS497",
                f"the default has {counted(taken, 'value')}, and `pick` asks for {pick[0]} to {pick[1]}",
                option.default.span,
            )
    context.options[option.name] = ir.Option(
        option.name, domain.type, domain, value, pick, only_if, option.doc, option.name_span
    )


def _default(option: m.Option, domain: ir.DomainType, context: Context) -> Any:
    if option.default is None:
        return default_value(domain, context)
    expr = typing.fixed(option.default, context, "a default", domain.type)
    if expr is None or expr.type == t.UNKNOWN:
        return default_value(domain, context)
    wrong = typing.outside(expr, domain, context)
    if wrong is not None:
        context.reporter.error("RS490", f"{wrong}, the values of `{option.name}`", option.default.span)
        return default_value(domain, context)
    try:
        return constant(expr, context)
    except NotConstantError:
        context.reporter.error("RS498", "a default must be a plain value", option.default.span)
        return default_value(domain, context)


def default_value(domain: ir.DomainType, context: Context) -> Any:
    """The value without a written one: false, none, the first value, nothing, or the number nearest to 0."""
    match domain.type:
        case t.BoolType():
            return False
        case t.OptionalType():
            return None
        case t.NumberType(low, high):
            ends = []
            for expr, bound in ((domain.low, low), (domain.high, high)):
                try:
                    ends.append(constant(expr, context) if expr is not None else None)
                except NotConstantError:
                    ends.append(bound)
            least, most = ends
            if least is not None and least > 0:
                return whole(least)
            return whole(most) if most is not None and most < 0 else 0
    return domain.values[0] if domain.values and not isinstance(domain.type, t.SetType) else 0


def _pick(option: m.Option, domain: ir.DomainType, context: Context) -> tuple[int, int] | None:
    assert option.pick is not None
    reporter = context.reporter
    if not isinstance(domain.type, t.SetType):
        reporter.error(
            "RS499", "`pick` says how many values of a set are taken", option.pick.span, "the type must be `set of T`"
        )
        return None
    ends: list[int] = []
    for node in (option.pick.first, option.pick.last):
        expr = typing.fixed_number(node, context, "an end of `pick`")
        try:
            value = constant(expr, context) if expr is not None else None
        except NotConstantError:
            reporter.error("RS498", "an end of `pick` must be a plain number", node.span)
            return None
        if not isinstance(value, int):
            return None
        ends.append(value)
    count = len(typing.values_of(evolve(domain, type=domain.type.item), context) or ())
    if not 0 <= ends[0] <= ends[1] or (count and ends[1] > count):
        reporter.error(
            "RS499", f"`pick` of {counted(count, 'value')} must be a range in `0..{count}`", option.pick.span
        )
        return None
    return ends[0], ends[1]


# ---------------------------------------------------------------- signatures


def _declare_signatures(context: Context) -> None:
    for function in context.spec.functions.values():
        result = typing.resolve_type(function.result, context).type if function.result is not None else None
        context.functions[function.name] = _signature(function, result, context)
    for procedure in context.spec.procedures.values():
        result = typing.resolve_type(procedure.result, context).type if procedure.result is not None else t.NONE
        context.procedures[procedure.name] = _signature(procedure, result, context)


def _signature(entry: m.Function | m.Procedure, result: t.Type | None, context: Context) -> Signature:
    params: list[tuple[str, t.Type]] = []
    for param in entry.params:
        if any(param.name == name for name, _ in params):
            context.reporter.error("RS378", f"`{entry.name}` has two parameters `{param.name}`", param.span)
        params.append((param.name, typing.resolve_type(param.type, context).type))
    return Signature(entry.name, tuple(params), result, entry.name_span)


def _no_condition(context: Context) -> None:
    """`only_if` means nothing on what has no place in play."""
    spec = context.spec
    for section in (spec.types, spec.boards, spec.tables, spec.components, spec.records):
        for entry in section.values():
            if entry.only_if is not None:
                context.reporter.error(
                    "RS157",
                    f"`{entry.name}` cannot depend on `only_if`",
                    entry.only_if.span,
                    "a type, board, table or record is always there; give `only_if` to what uses it",
                )


# ---------------------------------------------------------------- computed columns and labels


def check_table_texts(entry: TableEntry, context: Context) -> None:
    """Computed columns and the label of a table, over the fields of a row."""
    from rulespec.check.expressions import check_template

    compute_columns(entry, context)
    table = context.tables[entry.name]
    if entry.label is not None:
        locals = (*table.row_locals, ir.Local("id", t.TEXT))
        scope = Scope(context, names={local.name: local for local in locals}, function=True)
        context.tables[entry.name] = evolve(table, label=check_template(entry.label, scope), row_locals=locals)


def compute_columns(entry: TableEntry, context: Context) -> None:
    """The types of computed columns, in the order in which they stand."""
    if isinstance(entry, m.Component) or not entry.computed:
        return
    table = context.tables[entry.name]
    if table.computed:
        return
    names = {local.name: local for local in table.row_locals}
    fields, computed = dict(table.fields), []
    for name, node, span in entry.computed:
        if name in fields:
            context.reporter.error("RS358", f"`{entry.name}` has two fields `{name}`", span)
            continue
        if not typing.only_fixed_names(node, context, f"the column `{name}`", names, functions=True):
            continue
        expr = core.check_expression(node, Scope(context, names=dict(names), function=True))
        local = ir.Local(name, expr.type)
        names[name] = local
        fields[name] = ir.Field(name, expr.type, None, (), None, False, span)
        computed.append((name, expr))
    context.tables[entry.name] = evolve(
        table, fields=fields, computed=tuple(computed), row_locals=tuple(names.values())
    )
