"""From the YAML nodes of keys to parsed pieces of the language.

Every function takes the node that a key has, already of a form that the key allows, and gives None
after a report.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from rulespec.diagnostics import Reporter
from rulespec.source import Span, Text
from rulespec.spec.keys import Key
from rulespec.spec.model import Layer, Layers
from rulespec.spec.outline import NAME, Entry, Given, Version, check_keys, found, where
from rulespec.spec.sources import Sources
from rulespec.syntax import nodes as n
from rulespec.syntax import parser
from rulespec.yaml_source import Mapping, Node, Scalar, Sequence

Names = tuple[tuple[str, Span], ...]


@frozen
class Context:
    """What building needs beside the outline."""

    reporter: Reporter
    sources: Sources

    # ------------------------------------------------------------ single values

    def text(self, values: dict[str, Given], name: str, default: str = "") -> str:
        """A plain text."""
        given = values.get(name)
        return given.node.value.strip() if given is not None and isinstance(given.node, Scalar) else default

    def source(self, values: dict[str, Given], name: str) -> Text | None:
        """A text with its places."""
        given = values.get(name)
        return given.node.text if given is not None and isinstance(given.node, Scalar) else None

    def expr(self, values: dict[str, Given], name: str) -> n.Expr | None:
        """An expression; a YAML list stands for a list of the language."""
        given = values.get(name)
        return self.expr_of(given.node) if given is not None else None

    def expr_of(self, node: Node) -> n.Expr | None:
        """An expression."""
        if isinstance(node, Scalar):
            if not node.value.strip():
                self.reporter.error("RS106", "an expression is missing here", node.span)
                return None
            return parser.parse_expression(node.text, self.reporter)
        if isinstance(node, Sequence):
            items = [self.expr_of(item) for item in node.items]
            return n.ListLit(tuple(x for x in items if x is not None), span=node.span)
        self.reporter.error("RS100", "expected an expression, found a map", node.span, "put the text in quotes")
        return None

    def exprs(self, values: dict[str, Given], name: str) -> tuple[n.Expr, ...]:
        """A list of expressions, or one."""
        given = values.get(name)
        if given is None:
            return ()
        nodes = given.node.items if isinstance(given.node, Sequence) else (given.node,)
        return tuple(x for x in (self.expr_of(node) for node in nodes) if x is not None)

    def type(self, values: dict[str, Given], name: str) -> n.TypeExpr | None:
        """A type."""
        given = values.get(name)
        return self.type_of(given.node) if given is not None else None

    def type_of(self, node: Node) -> n.TypeExpr | None:
        """A type; a YAML list of names is a part of an enum."""
        if isinstance(node, Scalar) and node.value.strip():
            return parser.parse_type(node.text, self.reporter)
        if isinstance(node, Sequence):
            return n.EnumOf(self.names_of(node, "a value"), span=node.span)
        self.reporter.error("RS100", f"expected a type, found {found(node)}", node.span)
        return None

    def types(self, values: dict[str, Given], name: str) -> tuple[n.TypeExpr, ...]:
        """A type, or a YAML list of them."""
        given = values.get(name)
        if given is None:
            return ()
        nodes = given.node.items if isinstance(given.node, Sequence) else (given.node,)
        return tuple(t for t in (self.type_of(node) for node in nodes) if t is not None)

    def names(self, values: dict[str, Given], name: str) -> Names:
        """A list of names, or one."""
        given = values.get(name)
        return self.names_of(given.node, f"`{name}`") if given is not None else ()

    def names_of(self, node: Node, noun: str) -> Names:
        """Names with their places; what is no name is reported."""
        items: Iterable[Node] = node.items if isinstance(node, Sequence) else (node,)
        result: dict[str, Span] = {}
        for item in items:
            if not isinstance(item, Scalar) or not NAME.match(item.value):
                hint = "a name has letters, digits and `_` and does not start with a digit"
                hint = "write a list as `[a, b]`" if isinstance(item, Scalar) and "," in item.value else hint
                self.reporter.error("RS103", f"{noun} needs names, found {found(item)}", item.span, hint)
            elif item.value in result:
                self.reporter.error("RS112", f"`{item.value}` stands twice in the list", item.span)
            elif item.value in parser.RESERVED:
                message = f"`{item.value}` is a word of the language and can't be a name"
                self.reporter.error("RS104", message, item.span, f"write `{item.value}_` or another name")
            else:
                result[item.value] = item.span
        return tuple(result.items())

    def name(self, values: dict[str, Given], key: str) -> str:
        """One name, or "" where there is none."""
        given = values.get(key)
        if given is None or not isinstance(given.node, Scalar):
            return ""
        if not NAME.match(given.node.value):
            self.reporter.error("RS103", f"`{key}` needs a name, found {found(given.node)}", given.node.span)
        return given.node.value

    def selection(self, values: dict[str, Given], name: str) -> n.Selection | None:
        """A selection."""
        text = self.source(values, name)
        return parser.parse_selection(text, self.reporter) if text is not None else None

    def template(self, values: dict[str, Given], name: str) -> n.Template | None:
        """A text with `{...}` in it."""
        text = self.source(values, name)
        return parser.parse_template(text, self.reporter) if text is not None else None

    def legend(self, node: Node, key: str) -> tuple[tuple[str, n.Expr], ...]:
        """A map of single letters to expressions."""
        result: list[tuple[str, n.Expr]] = []
        for letter, value in node.items if isinstance(node, Mapping) else ():
            if self.letter(letter, key):
                parsed = self.expr_of(value)
                if parsed is not None:
                    result.append((letter.value, parsed))
        return tuple(result)

    def letter(self, letter: Scalar, key: str) -> bool:
        """Whether a key is one character of a drawing; reports it if not."""
        if len(letter.value) == 1 and not letter.value.isspace():
            return True
        message = f"`{key}` needs single letters, found `{letter.value}`"
        self.reporter.error("RS114", message, letter.span)
        return False

    # ------------------------------------------------------------ logic

    def only_if(self, conditions: tuple[Scalar, ...]) -> n.Expr | None:
        """All conditions joined by `and`."""
        result: n.Expr | None = None
        for scalar in conditions:
            part = parser.parse_expression(scalar.text, self.reporter)
            if part is not None:
                result = part if result is None else n.Binary("and", result, part, span=part.span)
        return result

    def layers(self, entry: Entry, name: str, kind: str) -> Layers:
        """The stacked versions of a piece of logic. kind: block, body, or expression."""
        result = [self._layer(version, kind) for version in entry.layers.get(name, ())]
        return tuple(layer for layer in result if layer is not None)

    def _layer(self, version: Version, kind: str) -> Layer | None:
        node = version.given.node
        body: n.Expr | n.Block | None
        if kind == "expression" or isinstance(node, Sequence):
            body = self.expr_of(node)
        elif not isinstance(node, Scalar):
            return None
        else:
            parse = parser.parse_block if kind == "block" else parser.parse_body
            body = parse(node.text, self.reporter)
        if body is None:
            return None
        return Layer(body, node.span, self.only_if(version.only_if), version.replaces, version.doc)

    # ------------------------------------------------------------ faults

    def inner(self, given: Given, keys: dict[str, Key], owner: str) -> dict[str, Given] | None:
        """The keys of a map inside an entry; None if a required one is missing."""
        if not isinstance(given.node, Mapping):
            return None
        broken: set[str] = set()
        values = check_keys(given.node, keys, owner, self.reporter, broken)
        missing = [name for name, key in keys.items() if key.required and name not in values]
        for name in missing:
            if name not in broken:
                message = f"{owner} has no `{name}`"
                self.reporter.error("RS102", message, given.key.span, f"it needs {keys[name].kind.name}")
        return None if missing else values

    def missing(self, entry: Entry, name: str, hint: str = "") -> None:
        """Reports a required key that no file gives."""
        hint = hint or f"it needs {entry.section.keys[name].kind.name}"
        self.reporter.error("RS102", f"{entry.shown} has no `{name}`", entry.key.span, hint)

    def check_required(self, entry: Entry) -> bool:
        """Whether all required keys are there."""
        good = True
        for name, key in entry.section.keys.items():
            if key.required and name not in entry.values and name not in entry.layers:
                good = False
                if name not in entry.broken:
                    self.missing(entry, name)
        return good

    def exclusive(self, entry: Entry, names: tuple[str, ...]) -> None:
        """Reports keys that can't stand together."""
        given = [self._given(entry, name) for name in names]
        there = [g for g in given if g is not None]
        for other in there[1:]:
            message = f"{entry.shown} has both `{there[0].key.value}` and `{other.key.value}`"
            self.reporter.error("RS110", message, other.key.span, "keep one of them")

    def needs(self, entry: Entry, name: str, others: tuple[str, ...]) -> None:
        """Reports a key that means nothing without one of some others."""
        given = self._given(entry, name)
        if given is not None and not any(self._given(entry, other) is not None for other in others):
            listed = " or ".join(f"`{other}`" for other in others)
            message = f"{entry.shown} has `{name}` but no {listed}"
            self.reporter.error("RS111", message, given.key.span, f"`{name}` has a meaning only beside {listed}")

    def _given(self, entry: Entry, name: str) -> Given | None:
        if name in entry.layers:
            return entry.layers[name][0].given
        return entry.values.get(name)


def place_of(given: Given | None, reporter: Reporter) -> tuple[str, str] | None:
    """`place:` as the model has it."""
    if given is None or not isinstance(given.node, Scalar):
        return None
    match = re.fullmatch(r"(first|last)|(before|after) +([A-Za-z_]\w*)", given.node.value.strip())
    if match is None:
        message = f"`place` must be `first`, `last`, `before X` or `after X`, found {found(given.node)}"
        reporter.error("RS113", message, where(given.node, given.key))
        return None
    return (match.group(1) or match.group(2), match.group(3) or "")
