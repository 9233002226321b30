"""One function a section: an entry's keys to its class of the model."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rulespec.source import Text
from rulespec.spec import keys as k
from rulespec.spec import model as m
from rulespec.spec.outline import NAME, Entry, Given, found
from rulespec.spec.tables import cell, computed, fields, row, rows, shape
from rulespec.spec.values import Context, place_of
from rulespec.syntax import nodes as n
from rulespec.syntax import parser
from rulespec.yaml_source import Mapping, Scalar


def common(entry: Entry, context: Context) -> dict[str, Any]:
    """The keys that every entry may have, as keyword arguments of its class."""
    return {
        "name_span": entry.key.span,
        "doc": context.text(entry.values, "doc"),
        "only_if": context.only_if(entry.only_if),
        "place": place_of(entry.values.get("place"), context.reporter),
        "spans": {name: given.node.span for name, given in entry.values.items()},
    }


def option(entry: Entry, context: Context) -> m.Option | None:
    """What may be chosen before a game."""
    values = entry.values
    type_ = context.type(values, "type")
    default = context.expr(values, "default")
    pick = context.expr(values, "pick")
    if pick is not None and not isinstance(pick, n.Range):
        context.reporter.error("RS105", "`pick` must be a range as `1..2`", values["pick"].node.span)
        pick = None
    if type_ is None:
        return None
    assert pick is None or isinstance(pick, n.Range)
    return m.Option(entry.name, type_, default, pick, context.text(values, "label"), **common(entry, context))


def type_decl(entry: Entry, context: Context) -> m.TypeDecl | None:
    """An enum, a range, or a table of fixed things."""
    values = entry.values
    context.exclusive(entry, ("values", "type", "fields"))
    for name in ("rows", "computed", "label"):
        context.needs(entry, name, ("fields",))
    if not {"values", "type", "fields"} & set(values):
        hint = "write a list of values, a range as `1..6`, or a map with `fields` and `rows`"
        message = f"{entry.shown} has neither `values`, `type` nor `fields`"
        context.reporter.error("RS102", message, entry.key.span, hint)
        return None
    if "fields" in values and "rows" not in values:
        context.missing(entry, "rows")
    if "values" in values and not context.names(values, "values"):
        return None
    return m.TypeDecl(
        entry.name,
        context.names(values, "values") if "values" in values else None,
        context.type(values, "type"),
        fields(values, context),
        computed(values, context),
        rows(values, context),
        context.template(values, "label"),
        **common(entry, context),
    )


def component(entry: Entry, context: Context) -> m.Component | None:
    """A kind of piece."""
    values = entry.values
    made = rows(values, context)
    parts = (fields(values, context), context.names(values, "faces"), shape(values, context))
    label, count = context.template(values, "label"), context.expr(values, "count")
    if made is None:
        return None
    if "count" in values and not made.all:
        message = f"{entry.shown} has `count` beside rows that are written one by one"
        hint = "write `count` in those rows of which there are copies"
        context.reporter.error("RS111", message, values["count"].key.span, hint)
    return m.Component(entry.name, parts[0], made, parts[1], parts[2], label, count, **common(entry, context))


def board(entry: Entry, context: Context) -> m.Board | None:
    """A set of spaces."""
    values = entry.values
    context.exclusive(entry, ("grid", "map"))
    if not {"grid", "map", "spaces"} & set(values):
        hint = "write `grid: 8 x 8`, or draw it with `map: |`"
        context.reporter.error("RS102", f"{entry.shown} has neither `grid`, `map` nor `spaces`", entry.key.span, hint)
        return None
    for name in ("names", "shape", "only"):
        context.needs(entry, name, ("grid",))
    context.needs(entry, "legend", ("map",))
    grid, columns, row_range = _grid(entry, context)
    names = context.text(values, "names")
    return m.Board(
        entry.name,
        grid=grid,
        columns=columns,
        rows=row_range,
        shape=context.text(values, "shape", "square"),
        names="" if names == "c1r1" else names,
        only=context.expr(values, "only"),
        map=context.source(values, "map"),
        legend=_board_legend(entry, context),
        fields=fields(values, context),
        spaces=_spaces(entry, context),
        **common(entry, context),
    )


def _grid(entry: Entry, context: Context) -> tuple[tuple[n.Expr, n.Expr] | None, n.TypeExpr | None, n.RangeType | None]:
    given = entry.values.get("grid")
    if given is None:
        return None, None, None
    if isinstance(given.node, Scalar):
        return parser.parse_grid(given.node.text, context.reporter), None, None
    inner = context.inner(given, k.GRID_KEYS, "`grid`")
    if inner is None:
        return None, None, None
    row_type = context.type(inner, "row")
    if row_type is not None and not isinstance(row_type, n.RangeType):
        context.reporter.error("RS105", "`row` must be a range as `1..8`", inner["row"].node.span)
        row_type = None
    return None, context.type(inner, "column"), row_type


def _board_legend(entry: Entry, context: Context) -> tuple[tuple[str, m.Row], ...]:
    given = entry.values.get("legend")
    items = given.node.items if given is not None and isinstance(given.node, Mapping) else ()
    return tuple((letter.value, row(node, context)) for letter, node in items if context.letter(letter, "legend"))


def _spaces(entry: Entry, context: Context) -> tuple[tuple[str, m.Row], ...]:
    given = entry.values.get("spaces")
    result: list[tuple[str, m.Row]] = []
    for key, node in given.node.items if given is not None and isinstance(given.node, Mapping) else ():
        if context.names_of(key, "`spaces`"):
            result.append((key.value, row(node, context)))
    return tuple(result)


def table(entry: Entry, context: Context) -> m.ConstantTable | None:
    """Fixed values."""
    values = entry.values
    type_, per = context.type(values, "type"), context.types(values, "per")
    letters = context.legend(values["letters"].node, "letters") if "letters" in values else ()
    if type_ is None:
        return None
    return m.ConstantTable(entry.name, per, type_, cell(values["values"].node), letters, **common(entry, context))


def zone(entry: Entry, context: Context) -> m.Zone | None:
    """A place for components."""
    values = entry.values
    holds = context.source(values, "holds")
    match = re.fullmatch(r"(one\s+)?([A-Za-z_]\w*)", holds.text.strip()) if holds is not None else None
    if holds is None or match is None:
        given = values["holds"].node
        hint = "write `holds: Card`, or `holds: one Card` for a slot"
        if isinstance(given, Scalar) and given.value.startswith("holds:"):
            hint = "a space must follow the colon of a key"
        message = f"`holds` must be the name of a kind, found {found(given)}"
        context.reporter.error("RS103", message, given.span, hint)
        return None
    kind = parser.cut(holds, len(holds.text.rstrip()) - len(match.group(2)), len(holds.text.rstrip()))
    context.needs(entry, "starts_at", ("starts",))
    return m.Zone(
        entry.name,
        match.group(2),
        kind.span,
        bool(match.group(1)),
        context.types(values, "per"),
        context.text(values, "order", "none"),
        context.expr(values, "max"),
        context.text(values, "seen_by", "everyone"),
        context.text(values, "top_seen_by"),
        context.text(values, "count_seen_by", "everyone"),
        _starts(entry, context),
        context.exprs(values, "starts_at"),
        context.name(values, "refilled_from"),
        context.name(values, "laid_on"),
        **common(entry, context),
    )


def _starts(entry: Entry, context: Context) -> n.Selection | None:
    """`starts: Kind` is short for `c in Kind`."""
    text = context.source(entry.values, "starts")
    if text is None or not NAME.match(text.text):
        return context.selection(entry.values, "starts")
    domain = n.Name(text.text, span=text.span)
    binding = n.Binding("c", text.span, (), domain, span=text.span)
    return n.Selection((binding,), span=text.span)


def variable(entry: Entry, context: Context) -> m.Variable | None:
    """A value, or one for each index."""
    values = entry.values
    type_, start, start_map = context.type(values, "type"), None, None
    given = values.get("start")
    if given is not None and isinstance(given.node, Mapping):
        start_map = _drawn_start(given, context)
    elif given is not None:
        start = context.expr_of(given.node)
    if type_ is None:
        return None
    return m.Variable(
        entry.name,
        type_,
        context.types(values, "per"),
        start,
        start_map,
        context.text(values, "seen_by", "everyone"),
        context.name(values, "lasts"),
        context.text(values, "shown", "true") == "true",
        **common(entry, context),
    )


def _drawn_start(given: Given, context: Context) -> tuple[Text, tuple[tuple[str, n.Expr], ...]] | None:
    inner = context.inner(given, k.START_KEYS, "`start`")
    text = context.source(inner, "map") if inner is not None else None
    if inner is None or text is None:
        return None
    return text, context.legend(inner["legend"].node, "legend")


def record(entry: Entry, context: Context) -> m.RecordOf | None:
    """A memory of positions."""
    return m.RecordOf(entry.name, context.names(entry.values, "of"), **common(entry, context))


def function(entry: Entry, context: Context) -> m.Function | None:
    """A named value."""
    params, result = _signature(entry, context)
    layers = context.layers(entry, "is", "body")
    return m.Function(entry.name, params, result, layers, **common(entry, context)) if layers else None


def procedure(entry: Entry, context: Context) -> m.Procedure | None:
    """Named effects."""
    params, result = _signature(entry, context)
    layers = context.layers(entry, "do", "block")
    return m.Procedure(entry.name, params, result, layers, **common(entry, context)) if layers else None


def _signature(entry: Entry, context: Context) -> tuple[tuple[n.Param, ...], n.TypeExpr | None]:
    assert entry.signature is not None
    if entry.signature.params is None:
        message = f"{entry.shown} has no parentheses after its name"
        context.reporter.error("RS115", message, entry.key.span, f"write `{entry.name}()`, or its parameters in them")
        return (), entry.signature.result
    return entry.signature.params, entry.signature.result


def trigger(entry: Entry, context: Context) -> m.Trigger | None:
    """Effects bound to an event."""
    times = ("before", "after", "instead_of")
    context.exclusive(entry, times)
    time = next((t for t in times if t in entry.values), None)
    if time is None:
        hint = "write `after: action A`, or another event"
        message = f"{entry.shown} has neither `before`, `after` nor `instead_of`"
        context.reporter.error("RS102", message, entry.key.span, hint)
        return None
    text = context.source(entry.values, time)
    event = parser.parse_event(text, context.reporter) if text is not None else None
    when, do = context.layers(entry, "when", "expression"), context.layers(entry, "do", "block")
    return m.Trigger(entry.name, time, event, when, do, **common(entry, context)) if event is not None else None


def action(entry: Entry, context: Context) -> m.Action | None:
    """What a seat may choose. Only `pass`, which does nothing by itself, may be declared without effects."""
    values = entry.values
    do = context.layers(entry, "do", "block")
    if "do" not in entry.layers:
        if entry.name != "pass":
            if "do" not in entry.broken:
                context.missing(entry, "do", "it needs effects; one that does nothing says `do: nothing`")
            return None
        do = (m.Layer((), entry.key.span),)
    pay = context.source(values, "pay")
    return m.Action(
        entry.name,
        context.selection(values, "with"),
        context.layers(entry, "when", "expression"),
        (parser.parse_pay(pay, context.reporter) or ()) if pay is not None else (),
        do,
        context.template(values, "label"),
        **common(entry, context),
    )


def invariant(entry: Entry, context: Context) -> m.Invariant | None:
    """What always holds."""
    condition = context.expr(entry.values, "is")
    return m.Invariant(entry.name, condition, **common(entry, context)) if condition is not None else None


BUILDERS: dict[str, Callable[[Entry, Context], m.Entry | None]] = {
    "options": option,
    "types": type_decl,
    "boards": board,
    "tables": table,
    "components": component,
    "zones": zone,
    "variables": variable,
    "records": record,
    "functions": function,
    "procedures": procedure,
    "triggers": trigger,
    "actions": action,
    "invariants": invariant,
}
