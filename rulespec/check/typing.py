"""Types as written to types as checked: `resolve_type`, and what one may ask of a declared type."""

from __future__ import annotations

from collections.abc import Container
from fractions import Fraction
from typing import Any

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import core as ex
from rulespec.check import types as t
from rulespec.check.context import Context, Scope
from rulespec.check.evaluate import NotConstantError, assignment_text, assignments, constant, evaluate, whole
from rulespec.check.walk import bound_names, names
from rulespec.check.words import describe, number, type_text
from rulespec.source import Span
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

_SIMPLE = {
    "bool": t.BOOL,
    "player": t.PLAYER,
    "text": t.TEXT,
    "direction": t.DIRECTION,
    "Direction": t.DIRECTION,
    "RowEnd": t.ROW_END,
    "StackEnd": t.STACK_END,
}
_FOREIGN = {
    "int": "write a range, as `0..20` or `0..`",
    "integer": "write a range, as `0..20` or `0..`",
    "number": "write a range, as `0..20` or `0..`",
    "float": "write a range with steps, as `0..20 by 1/2`",
    "string": "write `text`",
    "str": "write `text`",
    "boolean": "write `bool`",
    "seat": "write `player`",
    "enum": "write the values in a list under `types:`, and its name here",
}
UNKNOWN = ir.DomainType(t.UNKNOWN)
MOST_ITEMS = 10_000
"""How many values the items of a set may have."""


def resolve_type(node: n.TypeExpr, context: Context) -> ir.DomainType:
    """What a type written in a spec means; mistakes are reported and give the unknown type."""
    match node:
        case n.NamedType():
            return _named(node, context)
        case n.RangeType():
            return _range(node, context)
        case n.EnumOf():
            return _part_of_enum(node, context)
        case n.WrappedType():
            return _wrapped(node, context)
    raise AssertionError(node)


def _named(node: n.NamedType, context: Context) -> ir.DomainType:
    name = node.name
    if node.member is not None:
        return _member(node, context)
    if name in _SIMPLE:
        return ir.DomainType(_SIMPLE[name])
    spec = context.spec
    if name in spec.types:
        declared = spec.types[name]
        if declared.alias is not None:
            return _alias(name, context)
        if declared.values is not None:
            return ir.DomainType(t.EnumType(name))
        return ir.DomainType(t.TableType("record", name))
    if name in spec.boards:
        return ir.DomainType(t.TableType("board", name))
    if name in spec.components:
        return ir.DomainType(t.TableType("component", name))
    if name in context.enums:
        return ir.DomainType(t.EnumType(name))
    _unknown_type(name, node.span, context)
    return UNKNOWN


def type_names(context: Context) -> list[str]:
    """Every name that can stand for a type."""
    spec = context.spec
    return [*_SIMPLE, *spec.types, *spec.boards, *spec.components]


def _unknown_type(name: str, span: Span, context: Context) -> None:
    spec = context.spec
    hint = _FOREIGN.get(name, "")
    close = did_you_mean(name, type_names(context))
    owner = next((enum for enum, values in context.enums.items() if name in values), "")
    kind = next(
        (
            k
            for k, s in (
                ("a variable", spec.variables),
                ("a zone", spec.zones),
                ("an option", spec.options),
                ("a function", spec.functions),
                ("a table", spec.tables),
            )
            if name in s
        ),
        "",
    )
    if hint:
        pass
    elif kind:
        hint = f"it is {kind}"
    elif owner:
        hint = f"it is a value of `{owner}`"
    elif close:
        hint = close
    else:
        hint = "types are declared under `types:`, `boards:` and `components:`"
    context.reporter.error("RS350", f"there is no type `{name}`", span, hint)


def _alias(name: str, context: Context) -> ir.DomainType:
    if name in context.aliases:
        return context.aliases[name]
    declared = context.spec.types[name]
    assert declared.alias is not None
    if name in context.resolving:
        circle = " -> ".join(f"`{x}`" for x in [*context.resolving[context.resolving.index(name) :], name])
        context.reporter.error("RS351", f"the type `{name}` is declared by itself", declared.name_span, circle)
        return UNKNOWN
    context.resolving.append(name)
    result = resolve_type(declared.alias, context)
    context.resolving.pop()
    context.aliases[name] = result
    return result


def _member(node: n.NamedType, context: Context) -> ir.DomainType:
    if node.name not in context.spec.boards:
        context.reporter.error(
            "RS352",
            f"`{node.name}.{node.member}` needs a board before the dot",
            node.span,
            did_you_mean(node.name, context.spec.boards),
        )
        return UNKNOWN
    if node.member == "Spot":
        return ir.DomainType(t.SpotType(node.name))
    if node.member == "Port":
        kind = laid_kind(node.name, context)
        if kind:
            return ir.DomainType(t.PortType(node.name, kind))
        context.reporter.error(
            "RS353",
            f"no zone of pieces is laid on `{node.name}`, so it has no ports",
            node.span,
            f"a zone with `laid_on: {node.name}` holds them",
        )
        return UNKNOWN
    context.reporter.error(
        "RS352", f"a board has no part `{node.member}`", node.span, f"write `{node.name}.Spot` or `{node.name}.Port`"
    )
    return UNKNOWN


def laid_kind(board: str, context: Context) -> str:
    """The kind of component that lies on a board, or ""."""
    return next((z.holds for z in context.spec.zones.values() if z.laid_on == board), "")


def _part_of_enum(node: n.EnumOf, context: Context) -> ir.DomainType:
    wanted = [name for name, _ in node.items]
    shown = ", ".join(f"`{name}`" for name in wanted)
    owners = [enum for enum, values in context.enums.items() if set(wanted) <= set(values)]
    if len(owners) == 1:
        values = context.enums[owners[0]]
        seen: set[str] = set()
        for name, span in node.items:
            if name in seen:
                context.reporter.error("RS450", f"`{name}` stands twice in this list", span)
            seen.add(name)
        ordinals = sorted({values.index(name) for name in wanted})
        return ir.DomainType(t.EnumType(owners[0]), values=tuple(ordinals))
    if owners:
        both = " and ".join(f"`{name}`" for name in owners)
        context.reporter.error(
            "RS354", f"{both} have all the values {shown}", node.span, "declare a part of one of them under `types:`"
        )
        return UNKNOWN
    counts = {enum: sum(name in values for name in wanted) for enum, values in context.enums.items()}
    best = max(counts, key=lambda enum: counts[enum])
    if counts[best]:
        for name, span in node.items:
            if name not in context.enums[best]:
                hint = did_you_mean(name, context.enums[best]) or f"`{best}` has {backquoted(context.enums[best])}"
                context.reporter.error("RS355", f"`{name}` is not a value of `{best}`", span, hint)
        return UNKNOWN
    context.reporter.error(
        "RS355", f"no type has the values {shown}", node.span, "declare them under `types:` and write the type's name"
    )
    return UNKNOWN


def backquoted(items: Any, most: int = 8) -> str:
    """Names in backquotes with commas, cut after `most`."""
    shown = [f"`{item}`" for item in items]
    return ", ".join(shown[:most]) + (", ..." if len(shown) > most else "")


def _wrapped(node: n.WrappedType, context: Context) -> ir.DomainType:
    item = resolve_type(node.item, context)
    if item.type == t.UNKNOWN:
        return UNKNOWN
    reporter = context.reporter
    if node.wrap == "one":
        reporter.error("RS451", "`one` belongs to `holds:` of a zone", node.span, "write `optional` for a T or none")
        return UNKNOWN
    if node.wrap == "optional":
        if isinstance(item.type, (t.OptionalType, t.ListType, t.SetType)):
            reporter.error(
                "RS452",
                "only a single thing can be optional",
                node.span,
                "an empty list or set says that there is none",
            )
            return UNKNOWN
        return evolve(item, type=t.OptionalType(item.type))
    if isinstance(item.type, (t.ListType, t.SetType)):
        reporter.error("RS453", f"a {node.wrap} cannot hold lists or sets", node.span)
        return UNKNOWN
    if node.wrap == "set":
        if not finite(item):
            reporter.error(
                "RS454",
                "a set needs a type with a fixed number of values",
                node.item.span,
                "give the range an upper end" if isinstance(item.type, t.NumberType) else "",
            )
            return UNKNOWN
        if isinstance(item.type, t.NumberType) and item.type.step != 1:
            reporter.error("RS454", "a set cannot hold a range with steps", node.item.span, "use whole numbers")
            return UNKNOWN
        if size(item.type) > MOST_ITEMS:
            reporter.error("RS454", f"a set needs a type with at most {MOST_ITEMS:,} values", node.item.span)
            return UNKNOWN
        if isinstance(item.type, (t.SpotType, t.PortType)):
            hint = f"write `list of {type_text(item.type)}`"
            reporter.error("RS454", f"a set cannot hold {describe(item.type)}", node.item.span, hint)
            return UNKNOWN
        return evolve(item, type=t.SetType(item.type))
    return evolve(item, type=t.ListType(item.type))


# ---------------------------------------------------------------- ranges


def _range(node: n.RangeType, context: Context) -> ir.DomainType:
    low = fixed_number(node.low, context, "the lower end of a range")
    high = fixed_number(node.high, context, "the upper end of a range") if node.high is not None else None
    step = Fraction(1)
    if node.step is not None:
        step_expr = fixed_number(node.step, context, "the step of a range")
        if step_expr is None:
            return UNKNOWN
        try:
            step = Fraction(constant(step_expr, context))
        except NotConstantError:
            context.reporter.error("RS455", "the step of a range must be a plain number", node.step.span)
            return UNKNOWN
        if step <= 0:
            context.reporter.error("RS455", "the step of a range must be more than 0", node.step.span)
            return UNKNOWN
    if low is None or (node.high is not None and high is None):
        return UNKNOWN
    if not _in_order(node, low, high, context) or (node.step is None and not _whole_ends(node, low, high, context)):
        return UNKNOWN
    least, _ = interval(low, context)
    most = interval(high, context)[1] if high is not None else None
    return ir.DomainType(t.NumberType(least, most, step), low, high)


def _whole_ends(node: n.RangeType, low: ir.Expr, high: ir.Expr | None, context: Context) -> bool:
    """Whether the ends of a range without a step are whole numbers."""
    for end, word in ((low, "lower"), (high, "upper")):
        try:
            values = [evaluate(end, env) for env in assignments((end,), context)] if end is not None else []
        except NotConstantError:
            continue
        found = next((value for value in values if Fraction(value).denominator > 1), None)
        if found is not None:
            step = Fraction(1, Fraction(found).denominator)
            message = f"the {word} end of a range in steps of 1 must be a whole number, not {number(found)}"
            context.reporter.error("RS457", message, node.span, f"write `by {step}` for fractions")
            return False
    return True


def _in_order(node: n.RangeType, low: ir.Expr, high: ir.Expr | None, context: Context) -> bool:
    if high is None:
        return True
    try:
        for env in assignments((low, high), context):
            first, last = evaluate(low, env), evaluate(high, env)
            if first > last:
                where = assignment_text(env)
                context.reporter.error(
                    "RS456",
                    f"the range `{number(first)}..{number(last)}` is upside down"
                    + (f" where {where}" if where else ""),
                    node.span,
                    "the lower end comes first" if not where else "",
                )
                return False
    except NotConstantError:
        pass
    return True


def interval(expr: ir.Expr, context: Context) -> tuple[Fraction | None, Fraction | None]:
    """The least and the greatest value of a number over all games; None where there is no bound."""
    try:
        values = [evaluate(expr, env) for env in assignments((expr,), context)]
        return Fraction(min(values)), Fraction(max(values))
    except (NotConstantError, TypeError, ValueError):
        if isinstance(expr.type, t.NumberType):
            return expr.type.low, expr.type.high
        return None, None


def fixed_number(node: n.Expr, context: Context, what: str) -> ir.Expr | None:
    """A number over options and `seats`; `what` names it in messages. None after a mistake."""
    expr = fixed(node, context, what)
    if expr is None:
        return None
    if not isinstance(expr.type, (t.NumberType, t.UnknownType)):
        context.reporter.error("RS457", f"{what} must be a number", node.span)
        return None
    if isinstance(expr.type, t.UnknownType):
        return None
    try:
        value = whole(Fraction(constant(expr, context)))
        return ir.Const(value, type=t.NumberType(Fraction(value), Fraction(value), _step_of(value)), span=expr.span)
    except NotConstantError:
        return expr


def _step_of(value: Any) -> Fraction:
    return Fraction(1, Fraction(value).denominator)


def fixed(
    node: n.Expr, context: Context, what: str, expected: t.Type | None = None, functions: bool = False
) -> ir.Expr | None:
    """An expression over options and `seats` alone (and functions of them). None after a mistake."""
    if not only_fixed_names(node, context, what, functions=functions):
        return None
    failed = len(context.reporter.diagnostics)
    expr = ex.check_expression(node, Scope(context, function=True), expected)
    return expr if len(context.reporter.diagnostics) == failed or expr.type != t.UNKNOWN else None


def fixed_condition(node: n.Expr, context: Context, what: str) -> ir.Expr | None:
    """A condition over options and `seats` alone, as in `only_if`. None after a mistake."""
    if not only_fixed_names(node, context, what):
        return None
    return ex.check_condition(node, Scope(context, function=True))


def only_fixed_names(
    node: n.Node, context: Context, what: str, own: Container[str] = (), functions: bool = False
) -> bool:
    """Whether no name stands for something that changes in play, or an option declared further down.

    Args:
        node: the expression as written.
        context: for the declarations, and for reporting.
        what: the place, in messages.
        own: names bound here, as the fields of a row.
        functions: functions may be called.
    """
    spec = context.spec
    inner = bound_names(node)
    for name in names(node):
        if name.id in own or name.id in inner or (functions and name.id in spec.functions):
            continue
        kind = next(
            (
                k
                for k, s in (("variable", spec.variables), ("zone", spec.zones), ("function", spec.functions))
                if name.id in s
            ),
            "",
        )
        if name.id in spec.options:
            if name.id not in context.options:
                context.reporter.error(
                    "RS356",
                    f"the option `{name.id}` is declared further down",
                    name.span,
                    "an option can use those above it",
                )
                return False
        elif kind:
            context.reporter.error(
                "RS357", f"{what} can use options and `seats`, but not the {kind} `{name.id}`", name.span
            )
            return False
    return True


# ---------------------------------------------------------------- questions about declared types


def finite(domain: ir.DomainType) -> bool:
    """Whether the type has a fixed number of values in a game."""
    match domain.type:
        case t.NumberType(low, high):
            return low is not None and high is not None
        case t.OptionalType(item):
            return finite(evolve(domain, type=item))
        case t.TextType() | t.ListType() | t.SetType():
            return False
    return True


def size(type: t.Type) -> int:
    """The most values of a range in a game; 1 for every other type."""
    if isinstance(type, t.OptionalType):
        return size(type.item) + 1
    if not isinstance(type, t.NumberType) or type.low is None or type.high is None or not type.step:
        return 1
    return max(int((type.high - type.low) / type.step) + 1, 0)


def storable(domain: ir.DomainType) -> bool:
    """Whether a variable can hold values of the type."""
    match domain.type:
        case t.OptionalType(item):
            return storable(evolve(domain, type=item))
        case t.TextType() | t.ListType() | t.NoneType() | t.EffectType():
            return False
    return True


def outside(value: ir.Expr, domain: ir.DomainType, context: Context) -> str | None:
    """How a fixed value leaves the declared range: `"12 is not in 0..9"` in words, or None if it never does.

    Values that are known only in play are not judged.
    """
    item = domain.type.item if isinstance(domain.type, t.OptionalType) else domain.type
    if isinstance(item, t.EnumType) and domain.values is not None:
        return _outside_part(value, item, domain.values, context)
    if not isinstance(item, t.NumberType):
        return None
    try:
        for env in assignments((value, domain.low, domain.high), context):
            found = evaluate(value, env)
            if found is None:
                continue
            low = evaluate(domain.low, env) if domain.low is not None else item.low
            high = evaluate(domain.high, env) if domain.high is not None else item.high
            if (low is not None and found < low) or (high is not None and found > high):
                where = assignment_text(env)
                span = f"{number(low) if low is not None else ''}..{number(high) if high is not None else ''}"
                return f"{number(found)} is not in `{span}`" + (f" where {where}" if where else "")
            if ((Fraction(found) - Fraction(low or 0)) / item.step).denominator != 1:
                return (
                    f"{number(found)} is not a multiple of {number(item.step)}"
                    if not low
                    else (f"{number(found)} is not {number(low)} and a multiple of {number(item.step)}")
                )
    except (NotConstantError, TypeError):
        return None
    return None


def _outside_part(value: ir.Expr, item: t.EnumType, ordinals: tuple[int, ...], context: Context) -> str | None:
    try:
        for env in assignments((value,), context):
            found = evaluate(value, env)
            if isinstance(found, int) and found not in ordinals:
                names = context.enums[item.name]
                return f"`{names[found]}` is not one of {backquoted(names[i] for i in ordinals)}"
    except NotConstantError:
        return None
    return None


def values_of(domain: ir.DomainType, context: Context) -> list[tuple[Any, str]] | None:
    """All values of a finite type with their names, where they are the same in every game, else None.

    Rows stand for themselves by id.
    """
    match domain.type:
        case t.BoolType():
            return [(False, "false"), (True, "true")]
        case t.EnumType(name):
            names = context.enums.get(name, ())
            chosen = range(len(names)) if domain.values is None else domain.values
            return [(i, names[i]) for i in chosen]
        case t.NumberType(_, _, step):
            if domain.low is None or domain.high is None:
                return None
            try:
                low, high = constant(domain.low, context), constant(domain.high, context)
            except NotConstantError:
                return None
            numbers = [whole(low + i * step) for i in range(int((Fraction(high) - low) / step) + 1)]
            return [(value, number(value)) for value in numbers]
        case t.PlayerType():
            names = tuple(name for name, _ in context.spec.seat_names)
            least, most = context.spec.seats
            return [(i, names[i] if names else str(i + 1)) for i in range(least)] if least == most else None
        case t.TableType(_, name):
            ids = context.table_ids.get(name)
            return [(i, i) for i in ids] if ids is not None else None
        case t.OptionalType(item):
            inner = values_of(evolve(domain, type=item), context)
            return None if inner is None else [(None, "none"), *inner]
    return None
