"""Types by name, and values by name: of enums, rows and seats."""

from __future__ import annotations

from collections.abc import Callable

from rulespec import checked as ir
from rulespec.check import typing
from rulespec.check.context import Context, Scope
from rulespec.check.convert import item_type, unknown
from rulespec.check.types import (
    BOOL,
    DIRECTION,
    PLAYER,
    EnumType,
    ListType,
    NumberType,
    PlayerType,
    TableType,
    Type,
)
from rulespec.source import Span

MOST_STEPS = 10_000
"""How many values a range with steps may have to be gone through."""

Maker = Callable[[Span], ir.Expr]


# ---------------------------------------------------------------- types by name


def table_type(name: str, context: Context) -> TableType | None:
    """The record type, component or board of that name."""
    table = context.tables.get(name)
    return TableType(table.kind, name) if table is not None else None


def named_type(name: str, context: Context) -> Type | None:
    """The declared or built-in type of that name."""
    if name in context.enums and " " not in name:
        return EnumType(name)
    if name in context.aliases:
        return context.aliases[name].type
    simple: dict[str, Type] = {"player": PLAYER, "bool": BOOL, "direction": DIRECTION}
    return simple.get(name) or table_type(name, context)


def all_values(name: str, scope: Scope, span: Span) -> ir.Expr | None:
    """All values of the type of that name as a list, None if there is no such type."""
    context = scope.context
    declared = context.aliases.get(name)
    if declared is not None:
        return _domain(name, declared, scope, span)
    found = named_type(name, context)
    return None if found is None else ir.AllOf(found, type=ListType(found), span=span)


def _domain(name: str, declared: ir.DomainType, scope: Scope, span: Span) -> ir.Expr:
    type = declared.type
    if declared.values is not None:
        values = tuple(ir.Const(v, type=type, span=span) for v in declared.values)
        return ir.ListOf(values, type=ListType(type), span=span)
    if isinstance(type, NumberType):
        if declared.high is None or declared.low is None:
            scope.context.reporter.error(
                "RS434",
                f"`{name}` has no upper end, so its values cannot be gone through",
                span,
                "write a range, as `1..6`",
            )
            return unknown(span)
        if type.step == 1:
            return ir.RangeOf(declared.low, declared.high, False, type=ListType(type), span=span)
        assert type.low is not None and type.high is not None
        few = type.step and (type.high - type.low) / type.step < MOST_STEPS
        found = typing.values_of(declared, scope.context) if few else None
        if found is None:
            why = "ends that differ from game to game" if few else f"more than {MOST_STEPS:,} of them"
            scope.context.reporter.error(
                "RS434",
                f"`{name}` has steps and {why}, so its values cannot be gone through",
                span,
                "go through whole numbers, and divide",
            )
            return unknown(span)
        return ir.ListOf(tuple(ir.Const(v, type=type, span=span) for v, _ in found), type=ListType(type), span=span)
    return ir.AllOf(type, type=ListType(type), span=span)


# ---------------------------------------------------------------- values by name


def values_named(name: str, context: Context) -> list[tuple[Type, Maker]]:
    """Every enum value, row and seat of that name."""
    found: list[tuple[Type, Maker]] = []
    for enum, values in context.enums.items():
        if name in values:
            found.append(_value(EnumType(enum), values.index(name)))
    for table, row in context.row_names.get(name, {}).items():
        kind = table_type(table, context)
        if kind is not None:
            found.append(_row(kind, row))
    seats = seat_names(context)
    if name in seats:
        found.append(_value(PLAYER, seats.index(name)))
    return found


def seat_names(context: Context) -> tuple[str, ...]:
    """The names of the seats: the spec's own, else `player_1` to `player_N` for the greatest number of players."""
    declared = tuple(name for name, _ in context.spec.seat_names)
    return declared or tuple(f"player_{seat + 1}" for seat in range(context.spec.seats[1]))


def _value(type: Type, value: int) -> tuple[Type, Maker]:
    return type, lambda span: ir.Const(value, type=type, span=span)


def _row(type: Type, row: str) -> tuple[Type, Maker]:
    return type, lambda span: ir.RowRef(row, type=type, span=span)


def value_of_type(name: str, type: Type, scope: Scope, span: Span) -> ir.Expr | None:
    """The value of that name in an enum, table or among the seats, or None."""
    for kind, make in values_named(name, scope.context):
        if kind == type:
            return make(span)
    return None


def copied_in(name: str, context: Context) -> list[str]:
    """The kinds of components in which several alike have that id, so that it names none of them."""
    rows = context.row_names.get(name, {})
    return [table for table, ids in context.table_ids.items() if name in ids and table not in rows]


def refuse_copied(name: str, table: str, context: Context, span: Span) -> ir.Expr:
    """Reports a name that several components alike have."""
    zones = (z.name for z in context.zones.values() if z.component == table and not z.per and " " not in z.name)
    plain = [f.name for f in context.tables[table].fields.values() if not (f.index or f.per_face or f.params)]
    where = f" where x.{plain[0]} == ..." if plain else ""
    context.reporter.error(
        "RS309",
        f"there are several `{name}` in `{table}`, and nothing tells which one is meant",
        span,
        f"take one from where it lies, as in `first(x in {next(zones, table)}{where})`",
    )
    return unknown(span)


def value_names(type: Type, context: Context) -> tuple[str, ...]:
    """Names of the values of a type, for hints."""
    match type:
        case EnumType(name):
            return context.enums.get(name, ())
        case PlayerType():
            return seat_names(context)
        case TableType(_, name):
            return context.table_ids.get(name) or tuple(r for r, t in context.row_names.items() if name in t)
    return ()


def wanted(hint: Type | None) -> Type | None:
    """The type of single values in what is expected."""
    while hint is not None and (inner := item_type(hint)) is not None:
        hint = inner
    return hint
