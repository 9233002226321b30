"""Zones, variables and records: what they hold, for whom, who sees it, and how it starts."""

from __future__ import annotations

from math import prod

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import expressions as ex
from rulespec.check import types as t
from rulespec.check import typing
from rulespec.check.boards import fixed_cells
from rulespec.check.context import Context, Scope
from rulespec.check.convert import convert
from rulespec.check.words import counted, describe, type_text
from rulespec.diagnostics import Note
from rulespec.source import Span, Text
from rulespec.spec import model as m
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

MOST_ENTRIES = 1_000_000
"""How many entries a variable, or zones of one name, may have in the ranges of its index."""


def box_zone(component: str) -> str:
    """The name of the built-in zone where components of a kind lie that no other zone starts with."""
    return f"box {component}"


def declare_boxes(context: Context) -> None:
    """One box for each kind of component."""
    for kind in context.spec.components.values():
        name = box_zone(kind.name)
        context.zones[name] = ir.Zone(
            name,
            kind.name,
            False,
            (),
            "none",
            None,
            "everyone",
            "",
            "everyone",
            None,
            (),
            "",
            "",
            None,
            "",
            kind.name_span,
        )


def index_types(nodes: tuple[n.TypeExpr, ...], what: str, context: Context) -> tuple[ir.DomainType, ...]:
    """The types of `per`, each with a fixed number of values."""
    result: list[ir.DomainType] = []
    for node in nodes:
        domain = typing.resolve_type(node, context)
        if domain.type != t.UNKNOWN and (not typing.finite(domain) or isinstance(domain.type, t.OptionalType)):
            hint = "give the range an upper end" if isinstance(domain.type, t.NumberType) else ""
            context.reporter.error(
                "RS477",
                f"{what} can be `per` a type with a fixed number of values, not {describe(domain.type)}",
                node.span,
                hint,
            )
            domain = typing.UNKNOWN
        if isinstance(domain.type, t.NumberType) and domain.type.step != 1:
            message = f"{what} cannot be `per` a range with steps"
            context.reporter.error("RS477", message, node.span, "use whole numbers")
            domain = typing.UNKNOWN
        if isinstance(domain.type, (t.SpotType, t.PortType)):
            context.reporter.error("RS477", f"{what} cannot be `per` {describe(domain.type)}", node.span)
            domain = typing.UNKNOWN
        result.append(domain)
    entries = prod(typing.size(domain.type) for domain in result)
    if entries > MOST_ENTRIES:
        message = f"{what} has at most {MOST_ENTRIES:,} entries, not {entries:,}"
        context.reporter.error("RS477", message, nodes[0].span, "give the ranges smaller ends")
        return tuple(typing.UNKNOWN for _ in result)
    return tuple(result)


def _needs_owner(key: str, per: tuple[ir.DomainType, ...], entry: m.Entry, what: str, context: Context) -> None:
    if getattr(entry, key) == "owner" and not any(d.type in (t.PLAYER, t.UNKNOWN) for d in per):
        context.reporter.error(
            "RS478",
            f"{what} `{entry.name}` has no owner who could see it",
            entry.span_of(key),
            f"add `per: player`, or write `{key}: everyone` or `nobody`",
        )


# ---------------------------------------------------------------- zones


def declare_zone(zone: m.Zone, context: Context) -> None:
    """A zone without what starts in it."""
    reporter = context.reporter
    if zone.holds not in context.spec.components:
        close = did_you_mean(zone.holds, context.spec.components)
        hint = close or (
            "kinds are declared under `components:`"
            if not context.spec.components
            else f"the kinds are {typing.backquoted(context.spec.components)}"
        )
        reporter.error("RS374", f"there is no kind of component `{zone.holds}`", zone.holds_span, hint)
    per = index_types(zone.per, "a zone", context)
    for key in ("seen_by", "top_seen_by", "count_seen_by"):
        _needs_owner(key, per, zone, "zone", context)
    if zone.top_seen_by and zone.order != "stack":
        reporter.error(
            "RS479",
            f"zone `{zone.name}` is no stack and has no top",
            zone.span_of("top_seen_by"),
            "`top_seen_by` needs `order: stack`",
        )
    if zone.slot and (zone.order != "none" or zone.max is not None):
        key = "order" if zone.order != "none" else "max"
        reporter.error(
            "RS480",
            f"zone `{zone.name}` holds one component and needs no `{key}`",
            zone.span_of(key),
            f"leave `{key}` out, or write `holds: {zone.holds}`",
        )
    most: ir.Expr | None = None
    if zone.max is not None:
        most = typing.fixed_number(zone.max, context, "`max`")
        low = typing.interval(most, context)[0] if most is not None else None
        if low is not None and low < 1:
            reporter.error("RS481", "a zone must have room for one component", zone.max.span)
    _laid_on(zone, context)
    context.zones[zone.name] = ir.Zone(
        zone.name,
        zone.holds,
        zone.slot,
        per,
        zone.order,
        most,
        zone.seen_by,
        zone.top_seen_by,
        zone.count_seen_by,
        None,
        (),
        zone.refilled_from,
        zone.laid_on,
        _only_if(zone, context),
        zone.doc,
        zone.name_span,
    )


def _only_if(entry: m.Entry, context: Context) -> ir.Expr | None:
    return typing.fixed_condition(entry.only_if, context, "`only_if`") if entry.only_if is not None else None


def _laid_on(zone: m.Zone, context: Context) -> None:
    if not zone.laid_on:
        return
    reporter, spec = context.reporter, context.spec
    board = spec.boards.get(zone.laid_on)
    if board is None:
        reporter.error(
            "RS375",
            f"there is no board `{zone.laid_on}`",
            zone.span_of("laid_on"),
            did_you_mean(zone.laid_on, spec.boards),
        )
    elif (board.grid is None and board.rows is None) or board.shape == "hexagon":
        lack = "has no square spaces" if board.shape == "hexagon" else "is no grid"
        reporter.error(
            "RS482",
            f"`{zone.laid_on}` {lack}, so nothing can be laid on it",
            zone.span_of("laid_on"),
            f"give it `grid: 8 x 8`, or use a zone `per: {zone.laid_on}`",
        )
    kind = spec.components.get(zone.holds)
    if kind is not None and kind.shape is None:
        reporter.error(
            "RS483",
            f"`{zone.holds}` has no shape, so it cannot be laid on a board",
            zone.span_of("laid_on"),
            f"give it `shape:`, or use a zone `per: {zone.laid_on}`",
            (Note(f"`{zone.holds}` is declared here", kind.name_span),),
        )
    if zone.order != "none" or zone.slot or zone.per or zone.starts is not None:
        key = "order" if zone.order != "none" else "one" if zone.slot else "per" if zone.per else "starts"
        span = zone.span_of("holds" if key == "one" else key)
        reporter.error("RS484", f"a zone that is laid on a board has no `{key}`", span)


def check_zone(zone: m.Zone, context: Context) -> None:
    """What starts in a zone and what refills it."""
    declared = context.zones[zone.name]
    _refilled(zone, declared, context)
    if zone.starts is None:
        return
    selection, scope = ex.check_selection(zone.starts, Scope(context, function=True))
    own = {local.name for local in selection.locals}
    fixed = all(
        typing.only_fixed_names(node, context, "`starts`", own, functions=True)
        for node in (zone.starts, *zone.starts_at)
    )
    first = selection.bindings[0]
    if len(selection.bindings) > 1:
        context.reporter.error("RS485", "`starts` is about one component, named once", zone.starts.bindings[1].span)
    elif first.local.type not in (t.TableType("component", zone.holds), t.UNKNOWN):
        context.reporter.error(
            "RS485",
            f"zone `{zone.name}` holds `{zone.holds}` and cannot start with {describe(first.local.type)}",
            zone.starts.span,
            f"write `starts: {zone.holds}`, or `starts: c in {zone.holds} where ...`",
        )
    if len(zone.starts_at) != len(declared.per):
        _wrong_starts_at(zone, declared, context)
        return
    at = tuple(
        ex.check_expression(node, scope, domain.type) for node, domain in zip(zone.starts_at, declared.per, strict=True)
    )
    if fixed:
        context.zones[zone.name] = evolve(declared, starts=selection, starts_at=at)


def _wrong_starts_at(zone: m.Zone, declared: ir.Zone, context: Context) -> None:
    assert zone.starts is not None
    if not declared.per:
        message, hint = f"zone `{zone.name}` has no index", "leave `starts_at` out"
    elif not zone.starts_at:
        message = f"zone `{zone.name}` has an index, so `starts` must say where each component goes"
        hint = "add `starts_at: [c.FIELD]`"
    else:
        message = f"`starts_at` needs {counted(len(declared.per), 'value')} here, found {len(zone.starts_at)}"
        hint = ""
    context.reporter.error("RS486", message, zone.starts_at[0].span if zone.starts_at else zone.starts.span, hint)


def _refilled(zone: m.Zone, declared: ir.Zone, context: Context) -> None:
    if not zone.refilled_from:
        return
    reporter = context.reporter
    source = context.zones.get(zone.refilled_from)
    if source is None or zone.refilled_from not in context.spec.zones:
        reporter.error(
            "RS375",
            f"there is no zone `{zone.refilled_from}`",
            zone.span_of("refilled_from"),
            did_you_mean(zone.refilled_from, context.spec.zones),
        )
        return
    note = (Note(f"zone `{source.name}`", source.span),)
    if source.name == zone.name:
        reporter.error("RS487", f"zone `{zone.name}` cannot be refilled from itself", zone.span_of("refilled_from"))
    elif source.component != declared.component:
        reporter.error(
            "RS487",
            f"zone `{zone.name}` holds `{zone.holds}`, but `{source.name}` holds `{source.component}`",
            zone.span_of("refilled_from"),
            "",
            note,
        )
    elif source.per and [d.type for d in source.per] != [d.type for d in declared.per]:
        reporter.error(
            "RS487",
            f"zones `{zone.name}` and `{source.name}` have different indices",
            zone.span_of("refilled_from"),
            "a zone is refilled from the one with the same index",
            note,
        )


def check_starts_once(context: Context) -> None:
    """Reports two zones that both start with all components of a kind."""
    first: dict[str, m.Zone] = {}
    for zone in context.spec.zones.values():
        if zone.starts is None or zone.starts.where or zone.only_if is not None or len(zone.starts.bindings) != 1:
            continue
        domain = zone.starts.bindings[0].domain
        if not isinstance(domain, n.Name) or domain.id != zone.holds:
            continue
        other = first.setdefault(zone.holds, zone)
        if other is not zone:
            context.reporter.error(
                "RS488",
                f"every `{zone.holds}` starts in `{other.name}` already",
                zone.starts.span,
                "a component starts in one zone",
                (Note(f"zone `{other.name}`", other.name_span),),
            )


# ---------------------------------------------------------------- variables, records


def declare_variable(variable: m.Variable, context: Context) -> None:
    """A variable without its start."""
    reporter = context.reporter
    domain = typing.resolve_type(variable.type, context)
    if domain.type != t.UNKNOWN and not typing.storable(domain):
        hint = "write `set of`" if isinstance(domain.type, t.ListType) else "a text is shown, no rule reads it"
        reporter.error("RS489", f"a variable cannot hold {describe(domain.type)}", variable.type.span, hint)
        domain = typing.UNKNOWN
    per = index_types(variable.per, "a variable", context)
    _needs_owner("seen_by", per, variable, "variable", context)
    lasts = variable.lasts
    if lasts and lasts != "turn" and lasts not in context.phase_names:
        reporter.error(
            "RS376",
            f"there is no phase `{lasts}`",
            variable.span_of("lasts"),
            did_you_mean(lasts, ["turn", *context.phase_names]) or "`lasts` is `turn` or a phase",
        )
    context.variables[variable.name] = ir.Variable(
        variable.name,
        domain.type,
        domain,
        per,
        None,
        variable.seen_by,
        lasts,
        variable.shown,
        _only_if(variable, context),
        variable.doc,
        variable.name_span,
    )


def check_variable(variable: m.Variable, context: Context) -> None:
    """The start of a variable."""
    declared = context.variables[variable.name]
    start: ir.Expr | tuple[ir.Expr, ...] | None = None
    if variable.start_map is not None:
        start = _drawn(declared, variable.start_map, context)
    elif variable.start is not None and declared.type != t.UNKNOWN:
        start = _start_value(variable.start, declared, context)
    elif declared.type != t.UNKNOWN and variable.start is None:
        _check_default(variable, declared, context)
    context.variables[variable.name] = evolve(declared, start=start)


def _start_value(node: n.Expr, declared: ir.Variable, context: Context) -> ir.Expr | None:
    expr = typing.fixed(node, context, f"the start of `{declared.name}`", declared.type, functions=True)
    if expr is None or expr.type == t.UNKNOWN:
        return None
    expr = convert(expr, declared.type, context.reporter, node)
    wrong = typing.outside(expr, declared.declared, context)
    if wrong is not None:
        context.reporter.error("RS490", f"{wrong}, the values of `{declared.name}`", node.span)
        return None
    return expr


def _check_default(variable: m.Variable, declared: ir.Variable, context: Context) -> None:
    """A row or seat needs a first one; an empty table is told elsewhere, a port has no first value."""
    if isinstance(declared.type, (t.PortType, t.SpotType)):
        context.reporter.error(
            "RS491",
            f"`{variable.name}` has no value at the start",
            variable.name_span,
            f"write `optional {type_text(declared.type)}`, or a `start:`",
        )


def _drawn(
    declared: ir.Variable, drawn: tuple[Text, tuple[tuple[str, n.Expr], ...]], context: Context
) -> tuple[ir.Expr, ...] | None:
    text, legend = drawn
    reporter = context.reporter
    board = declared.per[0].type if len(declared.per) == 1 else None
    if not isinstance(board, t.TableType) or board.kind != "board":
        if all(d.type != t.UNKNOWN for d in declared.per):
            reporter.error("RS492", "a drawn start needs a variable `per` one board", text.span)
        return None
    if declared.type == t.UNKNOWN or board.name not in context.boards:
        return None
    values: dict[str, ir.Expr] = {}
    for letter, node in legend:
        value = _start_value(node, declared, context)
        if value is None:
            return None
        values[letter] = value
    cells = fixed_cells(board.name, context)
    if cells is None:
        grid = context.boards[board.name]
        reason = "is drawn itself" if grid.drawing else "differs in size from game to game"
        reporter.error(
            "RS492", f"a start cannot be drawn, because `{board.name}` {reason}", text.span, "fill it in `setup`"
        )
        return None
    if not cells:  # reported with the board
        return None
    return _letters(text, cells, values, board.name, context)


def _letters(
    text: Text, cells: list[tuple[str, int, int]], values: dict[str, ir.Expr], board: str, context: Context
) -> tuple[ir.Expr, ...] | None:
    lines = text.text.split("\n")
    while lines and not lines[-1].strip():
        lines.pop()
    rows = [row for _, _, row in cells]
    low, height = min(rows), max(rows) - min(rows) + 1
    width = max(column for _, column, _ in cells)
    if len(lines) != height:
        context.reporter.error(
            "RS493", f"`{board}` has {counted(height, 'row')}, and the map has {len(lines)}", text.span
        )
        return None
    at = {(column, row): i for i, (_, column, row) in enumerate(cells)}
    found: list[ir.Expr | None] = [None] * len(cells)
    for y, line in enumerate(lines):
        letters = [(x, letter) for x, letter in enumerate(line.rstrip()) if letter != " "]
        span = text.place(y + 1, 1, y + 1, len(line) + 1)
        if len(letters) != width:
            context.reporter.error(
                "RS493", f"`{board}` has {counted(width, 'column')}, and this line of the map has {len(letters)}", span
            )
            return None
        for column, (x, letter) in enumerate(letters, 1):
            place = at.get((column, low + height - 1 - y))
            if letter not in values:
                context.reporter.error(
                    "RS360",
                    f"`{letter}` is not in the legend",
                    text.place(y + 1, x + 1, y + 1, x + 2),
                    f"the legend has {typing.backquoted(values)}",
                )
                return None
            if place is not None:
                found[place] = values[letter]
    others = len(context.table_ids.get(board, ())) - len(cells)
    rest = [_default(next(iter(values.values())), text.span) for _ in range(others)]
    return (*(value for value in found if value is not None), *rest)


def _default(like: ir.Expr, span: Span) -> ir.Expr:
    """The start value of a space outside the map: none where it can be, else the legend's first."""
    return ir.Const(None, type=like.type, span=span) if isinstance(like.type, t.OptionalType) else like


def declare_record(record: m.RecordOf, context: Context) -> None:
    """A memory of positions: the names of variables and zones, and perhaps `turn_player`."""
    known = [*context.spec.variables, *context.spec.zones, "turn_player"]
    for name, span in record.of:
        if name not in known:
            hint = "write `turn_player`" if name == "me" else did_you_mean(name, known)
            context.reporter.error("RS377", f"`{name}` is no variable and no zone", span, hint)
    context.records[record.name] = tuple(name for name, _ in record.of if name in known)
