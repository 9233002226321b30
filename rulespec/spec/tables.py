"""Fields, rows and other fixed values: what components, record types, boards and tables share."""

from __future__ import annotations

import re

from rulespec.source import Span
from rulespec.spec import keys as k
from rulespec.spec.csv_table import read_csv
from rulespec.spec.model import Cell, FieldDecl, Row, Rows, Shape
from rulespec.spec.outline import Given, check_name, found
from rulespec.spec.values import Context
from rulespec.syntax import nodes as n
from rulespec.syntax import parser
from rulespec.yaml_source import Mapping, Node, Scalar, Sequence

_PER_FACE = re.compile(r"\s+per\s+face\s*\Z")
_ALL = re.compile(r"all\b\s*(where\b\s*)?")


def fields(values: dict[str, Given], context: Context) -> tuple[FieldDecl, ...]:
    """The `fields` of an entry."""
    given = values.get("fields")
    if given is None or not isinstance(given.node, Mapping):
        return ()
    result: dict[str, FieldDecl] = {}
    for key, node in given.node.items:
        made = _field(key, node, context)
        if made is not None and made.name in result:
            message = f"a second field `{made.name}`"
            context.reporter.error("RS112", message, key.span, "give it another name")
        elif made is not None:
            result[made.name] = made
    return tuple(result.values())


def _field(key: Scalar, node: Node, context: Context) -> FieldDecl | None:
    word = re.match(r"[^(\[\s]*", key.value)
    assert word is not None
    if not check_name(Scalar(parser.cut(key.text, 0, word.end()), word.group(), key.style), "field", context.reporter):
        return None
    parsed = parser.parse_field(key.text, context.reporter)
    if parsed is None:
        return None
    doc = ""
    if isinstance(node, Mapping):
        inner = context.inner(Given(key, node), k.FIELD_KEYS, f"field `{parsed.name}`")
        if inner is None:
            return None
        doc = context.text(inner, "doc")
        node = inner["type"].node
    per_face = False
    if isinstance(node, Scalar):
        match = _PER_FACE.search(node.text.text)
        if match:
            per_face = True
            node = Scalar(parser.cut(node.text, 0, match.start()), node.value, node.style)
        if node.value.strip() == "effect":
            if parsed.params is None:
                hint = f"write `{parsed.name}(player p): effect`"
                message = f"field `{parsed.name}` is an effect but has no parameters"
                context.reporter.error("RS111", message, node.span, hint)
                return None
            return FieldDecl(parsed.name, parsed.span, None, parsed.index, parsed.params, per_face, doc)
    made = context.type_of(node)
    if made is None:
        return None
    return FieldDecl(parsed.name, parsed.span, made, parsed.index, parsed.params, per_face, doc)


def computed(values: dict[str, Given], context: Context) -> tuple[tuple[str, n.Expr, Span], ...]:
    """The `computed` columns of a record type."""
    given = values.get("computed")
    result: list[tuple[str, n.Expr, Span]] = []
    for key, node in given.node.items if given is not None and isinstance(given.node, Mapping) else ():
        if check_name(key, "computed column", context.reporter):
            value = context.expr_of(node)
            if value is not None:
                result.append((key.value, value, key.span))
    return tuple(result)


def rows(values: dict[str, Given], context: Context) -> Rows | None:
    """The `rows` of an entry: written ones, a CSV file's, or all combinations."""
    given = values.get("rows")
    if given is None:
        return None
    if isinstance(given.node, Sequence):
        if not given.node.items:
            context.reporter.error("RS106", "`rows` is empty", given.node.span, "write at least one row")
        return Rows(tuple(row(item, context) for item in given.node.items), span=given.node.span)
    assert isinstance(given.node, Scalar)
    text = given.node.text
    match = _ALL.match(text.text)
    if match:
        where = None
        rest = parser.cut(text, match.end(), len(text.text))
        if match.group(1) or rest.text.strip():
            if not match.group(1) or not rest.text.strip():
                hint = "write `all`, or `all where` and a condition"
                context.reporter.error("RS127", f"`rows` can't be {found(given.node)}", given.node.span, hint)
                return None
            where = parser.parse_expression(rest, context.reporter)
            if where is None:
                return None
        return Rows(all=True, where=where, span=given.node.span)
    return _csv_rows(given.node, context)


def _csv_rows(node: Scalar, context: Context) -> Rows | None:
    if not re.search(r"\.\w+\Z", node.value):
        hint = "write a list of rows, the name of a `.csv` file, or `all`"
        context.reporter.error("RS127", f"`rows` can't be {found(node)}", node.span, hint)
        return None
    path = context.sources.locate(node.value, node.span, (".csv",), climb=False)
    data = context.sources.read(path, node.span) if path is not None else None
    if path is None or data is None:
        return None
    table = read_csv(path, data, context.reporter)
    return Rows(table.rows, span=node.span, columns=table.columns) if table is not None else None


def row(node: Node, context: Context) -> Row:
    """One row written in YAML."""
    if not isinstance(node, Mapping):
        hint = "write a row as `{column: value, ...}`"
        context.reporter.error("RS100", f"a row must be a map of columns, found {found(node)}", node.span, hint)
        return Row({}, node.span)
    return Row({key.value: cell(value) for key, value in node.items}, node.span)


def cell(node: Node) -> Cell:
    """A value still to be read by its type."""
    if isinstance(node, Scalar):
        return Cell(node.text, node.span)
    if isinstance(node, Sequence):
        return Cell(None, node.span, items=tuple(cell(item) for item in node.items))
    return Cell(None, node.span, named=tuple((key.value, cell(value)) for key, value in node.items))


def shape(values: dict[str, Given], context: Context) -> Shape | None:
    """The `shape` of a component."""
    given = values.get("shape")
    inner = context.inner(given, k.SHAPE_KEYS, "`shape`") if given is not None else None
    if given is None or inner is None:
        return None
    letters: list[tuple[str, str, Span]] = []
    drawn = inner["letters"].node
    for letter, value in drawn.items if isinstance(drawn, Mapping) else ():
        if context.letter(letter, "letters"):
            for name, span in context.names_of(value, "a letter"):
                letters.append((letter.value, name, span))
    turns = context.text(inner, "turns", "none")
    return Shape(context.name(inner, "from"), tuple(letters), context.name(inner, "ports"), turns, given.node.span)
