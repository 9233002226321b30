"""One file's map of sections, entries and keys: everything checked that needs no rules text read.

The outline is what `merge` stacks. Its entries still hold YAML nodes; only where logic of several
files meets does it keep layers.
"""

from __future__ import annotations

import re

from attrs import define, field, frozen

from rulespec.diagnostics import Note, Reporter
from rulespec.source import Span
from rulespec.spec import keys as k
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n
from rulespec.syntax.parser import RESERVED, cut, parse_signature
from rulespec.yaml_source import Mapping, Node, Scalar, Sequence

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
VERSION = "1"
"""The version of the language that is read here."""
MAX_UNKNOWN = 10
"""Unknown keys reported in one map; a file with more is not a game file at all."""


@frozen
class Given:
    """A key and its value as a file has them."""

    key: Scalar
    node: Node


@frozen
class Version:
    """One file's version of a piece of logic."""

    given: Given
    only_if: tuple[Scalar, ...] = ()
    replaces: bool = False
    doc: str = ""


@define
class Entry:
    """A named entry. `only_if` are conditions that must all hold; `phases` the phases inside a phase."""

    name: str
    key: Scalar
    section: k.Section
    values: dict[str, Given] = field(factory=dict)
    layers: dict[str, tuple[Version, ...]] = field(factory=dict)
    only_if: tuple[Scalar, ...] = ()
    signature: n.Signature | None = None
    phases: dict[str, Entry] = field(factory=dict)
    broken: set[str] = field(factory=set)
    """Keys whose value was refused: they are not missing."""

    @property
    def shown(self) -> str:
        """As messages name it: "zone `hand`"."""
        return self.section.noun if self.section.single else f"{self.section.noun} `{self.name}`"


Entries = dict[str, Entry]


@define
class Outline:
    """A whole file, or several stacked ones."""

    path: str
    span: Span
    head: dict[str, Given] = field(factory=dict)
    sections: dict[str, Entries] = field(factory=dict)
    """`setup` and `result` have one entry, named like the section."""
    broken: set[str] = field(factory=set)
    """Keys of the head whose value was refused."""


def form(node: Node) -> str:
    """Which of the forms "text", "list" and "map" a node has."""
    return "text" if isinstance(node, Scalar) else "list" if isinstance(node, Sequence) else "map"


def found(node: Node) -> str:
    """What a node is, for the end of a message."""
    if isinstance(node, Scalar):
        return f"`{shorten(node.value)}`" if node.value else "nothing"
    return "a list" if isinstance(node, Sequence) else "a map"


def shorten(text: str) -> str:
    """At most one line of it."""
    line = text.strip().split("\n")[0]
    return line if line == text.strip() and len(line) <= 40 else line[:37] + "..."


def where(node: Node, key: Scalar) -> Span:
    """The place of a value, or of its key where there is nothing else to point at."""
    return key.span if node.span.line == node.span.end_line and node.span.column == node.span.end_column else node.span


def check_name(name: Scalar, noun: str, reporter: Reporter) -> bool:
    """Whether a text can be a name; reports it if not."""
    if not NAME.match(name.value):
        message = f"`{shorten(name.value)}` can't be the name of {article(noun)}"
        hint = "a name has letters, digits and `_` and does not start with a digit"
        reporter.error("RS103", message, name.span, hint)
        return False
    if name.value in RESERVED:
        message = f"`{name.value}` is a word of the language and can't be the name of {article(noun)}"
        reporter.error("RS104", message, name.span, f"write `{name.value}_` or another name")
        return False
    return True


def article(noun: str) -> str:
    """A noun with its article, as "an action"."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def check_keys(
    node: Mapping,
    known: dict[str, k.Key],
    owner: str,
    reporter: Reporter,
    broken: set[str],
    others: tuple[str, ...] = (),
) -> dict[str, Given]:
    """The known keys of a map whose values have the right form; everything else is reported.

    Args:
        node: the map.
        known: the keys.
        owner: whose they are, for messages.
        reporter: gets the faults.
        broken: known keys with a refused value are added to it.
        others: keys that someone else reads.
    """
    given: dict[str, Given] = {}
    unknown = 0
    listed = False
    for key, value in node.items:
        spec = known.get(key.value)
        if spec is None:
            unknown += key.value not in others
            if key.value not in others and unknown <= MAX_UNKNOWN:
                names = [*known, *others]
                hint = did_you_mean(key.value, names)
                if not hint and not listed:
                    listed = True
                    hint = "the keys here are " + ", ".join(f"`{x}`" for x in names)
                reporter.error("RS101", f"unknown key `{shorten(key.value)}` in {owner}", key.span, hint)
        elif check_value(key, value, spec.kind, reporter):
            given[key.value] = Given(key, value)
        else:
            broken.add(key.value)
    if unknown > MAX_UNKNOWN:
        reporter.error("RS101", f"{unknown - MAX_UNKNOWN} more unknown keys in {owner}", node.items[-1][0].span)
    return given


def check_value(key: Scalar, value: Node, kind: k.Kind, reporter: Reporter) -> bool:
    """Whether a value has a form its key allows."""
    if isinstance(value, Scalar) and not value.value.strip():
        hint = f"expected {kind.name}" if kind is not k.TURNS else "write `turns: {}` for plain turns"
        reporter.error("RS106", f"`{key.value}` is empty", where(value, key), hint)
        return False
    if form(value) not in kind.forms:
        hint = ""
        if isinstance(value, Scalar) and re.match(r"\w+:\S", value.value):
            hint = "a space must follow the colon of a key"
        elif isinstance(value, Mapping) and value.flow and "text" in kind.forms:
            hint = "a text that starts with `{` or has `: ` in it needs quotes"
        elif isinstance(value, Sequence) and value.flow and "text" in kind.forms:
            hint = "a text that starts with `[` needs quotes"
        message = f"`{key.value}` must be {kind.name}, found {found(value)}"
        reporter.error("RS100", message, where(value, key), hint)
        return False
    if isinstance(value, Scalar) and kind.words and value.value not in kind.words:
        message = f"`{key.value}` must be {kind.name}, found {found(value)}"
        reporter.error("RS105", message, value.span, did_you_mean(value.value, kind.words))
        return False
    return True


def outline(root: Mapping, reporter: Reporter) -> Outline:
    """Reads the map of one file."""
    path = root.span.path
    result = Outline(path, root.span)
    result.head = check_keys(root, k.HEAD, "the file", reporter, result.broken, tuple(k.SECTIONS))
    version = result.head.get("rulespec")
    if version is not None and isinstance(version.node, Scalar) and version.node.value != VERSION:
        message = f"`rulespec` must be `{VERSION}`, found {found(version.node)}"
        reporter.error("RS107", message, version.node.span, "this is the only version of the language so far")
    for key, value in root.items:
        section = k.SECTIONS.get(key.value)
        if section is None:
            continue
        if section.single:
            entry = _entry(key, value, section, reporter)
            if entry is not None:
                result.sections[key.value] = {key.value: entry}
        else:
            result.sections[key.value] = _entries(key, value, section, reporter)
    return result


def _entries(key: Scalar, node: Node, section: k.Section, reporter: Reporter) -> Entries:
    """The named entries of a section, or the phases inside a phase."""
    entries: Entries = {}
    if isinstance(node, Scalar) and not node.value.strip():
        reporter.error("RS106", f"`{key.value}` is empty", where(node, key), "leave the section out")
        return entries
    if not isinstance(node, Mapping):
        message = f"`{key.value}` must be a map of names, found {found(node) if form(node) != 'text' else 'a text'}"
        hint = f"write each {section.noun} as `name: ...` on a line of its own"
        reporter.error("RS100", message, where(node, key), hint)
        return entries
    if not node.items:
        reporter.error("RS106", f"`{key.value}` is empty", node.span, "leave the section out")
    for name, value in node.items:
        entry = _entry(name, value, section, reporter)
        if entry is None:
            continue
        first = entries.setdefault(entry.name, entry)
        if first is not entry:
            note = Note(f"the first {section.noun} `{entry.name}` is here", first.key.span)
            message = f"a second {section.noun} `{entry.name}`"
            reporter.error("RS112", message, name.span, "give it another name", (note,))
    return entries


def _entry(key: Scalar, node: Node, section: k.Section, reporter: Reporter) -> Entry | None:
    name, signature = key.value, None
    if section.signature:
        signature = _signature(key, section, reporter)
        if signature is None:
            return None
        name = signature.name
    elif not section.single and not check_name(key, section.noun, reporter):
        return None
    entry = Entry(name, key, section, signature=signature)
    if isinstance(node, Scalar) and not node.value.strip():
        hint = "write " + (", ".join(f"`{x}`" for x in _required(section)) or "its keys") + " below it"
        reporter.error("RS106", f"{entry.shown} is empty", where(node, key), hint)
        return None
    if isinstance(node, Mapping):
        given = check_keys(node, section.keys, entry.shown, reporter, entry.broken)
    elif form(node) in section.short:
        short = section.short[form(node)]
        kind = section.keys[short].kind
        if not check_value(key, node, kind, reporter):
            return None
        given = {short: Given(key, node)}
    else:
        message = f"{entry.shown} must be a map of keys, found {'a text' if form(node) == 'text' else 'a list'}"
        hint = "its keys are " + ", ".join(f"`{x}`" for x in section.keys)
        if isinstance(node, Scalar) and re.match(r"\w+:\S", node.value):
            hint = "a space must follow the colon of a key"
        reporter.error("RS100", message, where(node, key), hint)
        return None
    _fill(entry, given, reporter)
    return entry


def _required(section: k.Section) -> list[str]:
    return [name for name, key in section.keys.items() if key.required]


def _fill(entry: Entry, given: dict[str, Given], reporter: Reporter) -> None:
    replaces = given.pop("replaces", None)
    replacing = replaces is not None and isinstance(replaces.node, Scalar) and replaces.node.value == "true"
    condition = given.pop("only_if", None)
    if condition is not None and isinstance(condition.node, Scalar):
        entry.only_if = (condition.node,)
    inner = given.pop("phases", None)
    if inner is not None:
        entry.phases = _entries(inner.key, inner.node, entry.section, reporter)
    for name, value in given.items():
        if entry.section.keys[name].layered:
            entry.layers[name] = (Version(value, replaces=replacing),)
        else:
            entry.values[name] = value


def _signature(key: Scalar, section: k.Section, reporter: Reporter) -> n.Signature | None:
    """The name and parameters in a key. The name is tested first: its message is the clearer one."""
    word = re.match(r"[^(\s]*", key.value)
    assert word is not None
    head = Scalar(cut(key.text, 0, word.end()), word.group(), key.style)
    if not check_name(head, section.noun, reporter):
        return None
    return parse_signature(key.text, reporter)
