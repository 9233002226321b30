"""Record types and components: their fields, and the ids of their rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import core as ex
from rulespec.check import ranges, typing
from rulespec.check import types as t
from rulespec.check.context import Context, Scope
from rulespec.check.evaluate import Env, NotConstantError, evaluate, type_values
from rulespec.check.words import describe, number, quote
from rulespec.diagnostics import Note
from rulespec.source import Span
from rulespec.spec import model as m
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

MOST_ROWS = 100_000
_PLAIN_ID = re.compile(r"[^\"\n\r\t]+")


TableEntry = m.TypeDecl | m.Component
"""What has fields and rows."""


def table_entries(spec: m.Spec) -> list[TableEntry]:
    """Record types, then components."""
    records: list[TableEntry] = [declared for declared in spec.types.values() if declared.fields]
    return [*records, *spec.components.values()]


def declare_table(entry: TableEntry, context: Context) -> None:
    """The shell of a table: its fields with their types, and locals for them. Rows come later."""
    kind = "component" if isinstance(entry, m.Component) else "record"
    fields = {f.name: _field(f, entry, context) for f in entry.fields}
    shape = _shape(entry, context) if isinstance(entry, m.Component) and entry.shape is not None else None
    if shape is not None and shape.column not in fields:
        domain = ir.DomainType(t.TEXT)
        assert isinstance(entry, m.Component) and entry.shape is not None
        fields[shape.column] = ir.Field(shape.column, t.TEXT, domain, (), None, False, entry.shape.span)
    locals = tuple(
        ir.Local(f.name, f.type) for f in fields.values() if f.params is None and not f.index and not f.per_face
    )
    context.tables[entry.name] = ir.Table(
        entry.name,
        kind,
        fields,
        every=entry.rows is not None and entry.rows.all,
        row_locals=locals,
        faces=tuple(name for name, _ in entry.faces) if isinstance(entry, m.Component) else (),
        doc=entry.doc,
        span=entry.name_span,
        shape=shape,
    )


def _field(declared: m.FieldDecl, entry: TableEntry, context: Context) -> ir.Field:
    reporter = context.reporter
    name, span = declared.name, declared.span
    faces = isinstance(entry, m.Component) and entry.faces
    if declared.per_face and not faces:
        reporter.error("RS152", f"`{entry.name}` has no faces for `{name}`", span, "declare `faces: [front, back]`")
    if declared.per_face and declared.index:
        reporter.error("RS153", f"`{name}` has an index and a value per face", span, "one of them is enough")
    domain: ir.DomainType | None = None
    if declared.type is not None:
        domain = typing.resolve_type(declared.type, context)
        if isinstance(domain.type, t.ListType):
            reporter.error("RS469", f"the field `{name}` cannot hold a list", declared.type.span, "write `set of`")
            domain = typing.UNKNOWN
    index = tuple(_index(node, name, context) for node in declared.index)
    params: tuple[ir.Local, ...] | None = None
    if declared.params is not None:
        params = tuple(ir.Local(p.name, typing.resolve_type(p.type, context).type) for p in declared.params)
    type = t.EFFECT if domain is None else domain.type
    return ir.Field(name, type, domain, index, params, declared.per_face and bool(faces), span)


def _index(node: Any, field: str, context: Context) -> ir.DomainType:
    domain = typing.resolve_type(node, context)
    if domain.type != t.UNKNOWN and not _may_index(domain, context):
        context.reporter.error(
            "RS470",
            f"the index of `{field}` must have the same values in every game",
            node.span,
            "use numbers, an enum, or a table with written rows",
        )
        return typing.UNKNOWN
    return domain


def _may_index(domain: ir.DomainType, context: Context) -> bool:
    if isinstance(domain.type, t.TableType):
        return True
    return not isinstance(domain.type, t.OptionalType) and typing.values_of(domain, context) is not None


def _shape(entry: m.Component, context: Context) -> ir.PieceShape:
    assert entry.shape is not None
    shape = entry.shape
    names: list[str] = []
    for _, name, _ in shape.letters:
        if name not in names:
            names.append(name)
    enum = letter_enum(entry.name)
    context.enums[enum] = tuple(names)
    if shape.ports and shape.ports not in names:
        context.reporter.error(
            "RS366",
            f"`{shape.ports}` is not the name of a letter",
            shape.span,
            did_you_mean(shape.ports, names) or f"the letters are {typing.backquoted(names)}",
        )
    declared = next((f for f in entry.fields if f.name == shape.column), None)
    if declared is not None:
        resolved = typing.resolve_type(declared.type, context) if declared.type is not None else None
        if resolved is None or resolved.type not in (t.TEXT, t.UNKNOWN):
            context.reporter.error("RS471", f"the shape in `{shape.column}` needs the type `text`", declared.span)
    letters = tuple((letter, names.index(name)) for letter, name, _ in shape.letters)
    ports = names.index(shape.ports) if shape.ports in names else -1
    return ir.PieceShape(shape.column, enum, letters, ports, shape.turns or "none")


def letter_enum(component: str) -> str:
    """The name of the enum of the letters in a component's shapes."""
    return f"{component} letter"


# ---------------------------------------------------------------- ids


def name_rows(entry: TableEntry, context: Context) -> None:
    """Fills `table_ids` and `row_names` for a table, and its condition; those it depends on come first."""
    if entry.name in context.table_ids or entry.name in context.resolving:
        return
    context.resolving.append(entry.name)
    table = context.tables[entry.name]
    if entry.rows is None or (not entry.rows.all and not entry.rows.rows):
        span = entry.rows.span if entry.rows is not None and entry.rows.span is not None else entry.name_span
        context.reporter.error("RS154", f"`{entry.name}` has no rows", span, "a table needs at least one row")
        context.table_ids[entry.name] = ()
    elif entry.rows.all:
        _combinations(entry, table, context)
    else:
        ids = tuple(row_ids(entry, context))
        context.table_ids[entry.name] = ids
        for i, row in zip(ids, entry.rows.rows, strict=True):
            count = row.cells.get("count")
            if count is None or count.text is None or count.text.text.strip() in ("", "1"):
                context.row_names.setdefault(i, {})[entry.name] = i
    context.resolving.remove(entry.name)


def row_ids(entry: TableEntry, context: Context) -> Iterator[str]:
    """The id of each written row; wrong ones are reported."""
    assert entry.rows is not None
    seen: dict[str, Span] = {}
    for i, row in enumerate(entry.rows.rows):
        cell = row.cells.get("id")
        if cell is None:
            yield f"{entry.name}_{i + 1}"
            continue
        name = cell.text.text.strip() if cell.text is not None else ""
        if name in seen:
            context.reporter.error(
                "RS367",
                f"`{entry.name}` has two rows `{name}`",
                cell.span,
                "give one of them another id",
                (Note("the first one", seen[name]),),
            )
        elif not _PLAIN_ID.fullmatch(name) or name == "none":
            shown = f"`{name}` is no id for a row" if name else "a row's id is missing"
            context.reporter.error("RS368", shown, cell.span, "an id has letters, digits, `_`, `-` and blanks")
        seen.setdefault(name, cell.span)
        yield name


def _depends(domain: ir.DomainType | None, context: Context) -> None:
    type = domain.type if domain is not None else None
    type = type.item if isinstance(type, t.OptionalType) else type
    if isinstance(type, t.TableType):
        entry = context.spec.types.get(type.name) or context.spec.components.get(type.name)
        if entry is not None:
            name_rows(entry, context)


def _combinations(entry: TableEntry, table: ir.Table, context: Context) -> None:
    reporter = context.reporter
    assert entry.rows is not None
    span = entry.rows.span or entry.name_span
    choices: list[list[tuple[Any, str]]] | None = []
    most = 1
    for field in table.fields.values():
        if field.params is not None:
            reporter.error(
                "RS155", f"`rows: all` gives no value to the rule `{field.name}`", field.span, "write the rows"
            )
            return
        if field.index or field.per_face or field.type == t.TEXT or isinstance(field.type, t.SetType):
            reporter.error(
                "RS156",
                f"`rows: all` cannot run through the values of `{field.name}`",
                field.span,
                "it needs fields with one value each, of a type with fixed values",
            )
            return
        assert field.declared is not None
        if field.type == t.UNKNOWN:
            return
        if not typing.finite(field.declared):
            reporter.error(
                "RS156",
                f"`rows: all` cannot run through the values of `{field.name}`",
                field.span,
                "give its range an upper end",
            )
            return
        _depends(field.declared, context)
        size = typing.size(field.type)
        values = typing.values_of(field.declared, context) if size <= MOST_ROWS else None
        if choices is not None:
            choices = [*choices, values] if values is not None else None
        if values is not None:
            most *= len(values)
        else:
            most *= size if size > 1 else _widest(field.declared, context)
    if most > MOST_ROWS:
        sizes = " * ".join(str(len(c)) for c in choices) if choices is not None else "at most"
        reporter.error(
            "RS472",
            f"`{entry.name}` would run through {most:,} combinations ({sizes})",
            span,
            f"the limit is {MOST_ROWS:,}; write the rows, or split the table",
        )
        return
    where = entry.rows.where
    if where is not None:
        own = {local.name: local for local in table.row_locals}
        if not typing.only_fixed_names(where, context, "`rows: all where`", own):
            return
        before = len(reporter.diagnostics)
        condition = ex.check_condition(where, Scope(context, names=dict(own), function=True))
        if any(d.code < "RS9" for d in reporter.diagnostics[before:]):
            return
        table = context.tables[entry.name] = evolve(table, all_where=condition)
    if isinstance(entry, m.Component) and entry.count is not None:
        table = context.tables[entry.name] = evolve(table, copies=_copies(entry, entry.count, table, most, context))
    if choices is not None:
        _name_combinations(table, choices, span, context)
    else:
        _name_widest(table, context)


def _copies(entry: m.Component, count: n.Expr, table: ir.Table, rows: int, context: Context) -> ir.Expr | None:
    """How many copies there are of each of so many rows."""
    own = {local.name: local for local in table.row_locals}
    if not typing.only_fixed_names(count, context, f"`count` of `{entry.name}`", own):
        return None
    expr = ex.infer(count, Scope(context, names=dict(own), function=True))
    if expr.type == t.UNKNOWN:
        return None
    most = MOST_ROWS // max(rows, 1)
    steps = expr.type.step if isinstance(expr.type, t.NumberType) else Fraction(0)  # 0 means any fraction
    good = steps != 0 and steps % 1 == 0
    if not isinstance(expr.type, t.NumberType) or not good or not ranges.inside(expr.type, ranges.whole(0, most)):
        context.reporter.error(
            "RS473",
            f"`count` of `{entry.name}` must be a whole number from 0 to {most:,}, and {quote(count)} is "
            f"{describe(expr.type)}",
            count.span,
        )
        return None
    return expr


def _widest(domain: ir.DomainType, context: Context) -> int:
    if isinstance(domain.type, t.PlayerType):
        return context.spec.seats[1]
    try:
        return len(type_values(domain.type, context, domain.values))
    except NotConstantError:
        return 1


def _name_combinations(table: ir.Table, choices: list[list[tuple[Any, str]]], span: Span, context: Context) -> None:
    ids: dict[str, int] = {}
    same = True
    for combination in product(*choices):
        copies = 1 if table.copies is None else 2
        if (table.all_where is not None or table.copies is not None) and same:
            values = (value for value, _ in combination)
            try:
                env = Env(context, locals=dict(zip(table.row_locals, values, strict=True)))
                if table.all_where is not None and not evaluate(table.all_where, env):
                    continue
                copies = 1 if table.copies is None else evaluate(table.copies, env)
                if copies == 0:
                    continue
            except NotConstantError:
                same = False
        name = combination_id(text for _, text in combination)
        if name in ids:
            context.reporter.error(
                "RS367", f"`{table.name}` has two rows `{name}`", span, "give the values of its enums other names"
            )
            return
        ids[name] = copies
    if same:
        context.table_ids[table.name] = tuple(ids)
        if not ids:
            context.reporter.error("RS154", f"`{table.name}` has no rows", span, "no combination meets the condition")
    for name, copies in ids.items():
        if copies == 1:
            context.row_names.setdefault(name, {})[table.name] = name


def _name_widest(table: ir.Table, context: Context) -> None:
    """Names of all rows that may exist in some game; seats without names give none, nor do rows with copies."""
    if table.copies is not None:
        return
    choices: list[list[str]] = []
    for field in table.fields.values():
        assert field.declared is not None
        values = typing.values_of(field.declared, context)
        if values is not None:
            choices.append([text for _, text in values])
        elif isinstance(field.type, t.NumberType):
            try:
                choices.append([number(value) for value in type_values(field.type, context)])
            except NotConstantError:
                return
        else:
            return
    if prod(len(c) for c in choices) <= MOST_ROWS:
        for combination in product(*choices):
            name = combination_id(combination)
            context.row_names.setdefault(name, {})[table.name] = name


def combination_id(texts: Any) -> str:
    """The id of a row of `rows: all`, from the texts of its values."""
    return "_".join(texts)
