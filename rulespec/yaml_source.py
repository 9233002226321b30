"""YAML text in, a tree of maps, lists and texts out, each with its exact place in the file.

Built on PyYAML's events, because its own constructors lose places and turn `no` into a truth value.
Only the plain part of YAML is let through: what a game never needs (anchors, tags, several documents,
keys that are not text) is refused with a message of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml  # type: ignore[import-untyped, unused-ignore]
from attrs import define, field, frozen

from rulespec import yaml_traps as traps
from rulespec.diagnostics import Note, Reporter
from rulespec.source import Span, Text

MAX_BYTES = 4_000_000
MAX_DEPTH = 30
MAX_NODES = 50_000

# libyaml is some twenty times faster than the Python scanner; both give the same marks.
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
_TAB = re.compile(r"^ *\t[ \t]*(?=\S)", re.MULTILINE)
_STYLES = {"": "plain", "'": "single", '"': "double", "|": "literal", ">": "folded"}


@frozen
class Scalar:
    """A text. `value` is what YAML makes of it, with `>` folded and escapes read.

    Attributes:
        style: plain, single, double (the quotes), literal (`|`) or folded (`>`).
    """

    text: Text
    value: str
    style: str

    @property
    def span(self) -> Span:
        """Where it stands, quotes included."""
        return self.text.span


@frozen
class Mapping:
    """A map in the order of the file. No key stands twice."""

    items: tuple[tuple[Scalar, Node], ...]
    span: Span
    flow: bool = False

    def get(self, name: str) -> Node | None:
        """The value of a key."""
        return next((value for key, value in self.items if key.value == name), None)


@frozen
class Sequence:
    """A list."""

    items: tuple[Node, ...]
    span: Span
    flow: bool = False


Node = Scalar | Mapping | Sequence


def decode(path: str, data: bytes, reporter: Reporter) -> str | None:
    """The text of a file, with plain line feeds, or None after reporting what is wrong with its bytes."""
    if len(data) > MAX_BYTES:
        reporter.error("RS004", f"the file has {len(data):,} bytes, more than {MAX_BYTES:,}", Span(path, 1, 1, 1, 1))
        return None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        hint = "save the file as UTF-8"
        reporter.error("RS002", "the file is UTF-16, not UTF-8", Span(path, 1, 1, 1, 1), hint)
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        message = f"the file is not UTF-8: byte {error.start} is 0x{data[error.start]:02x}"
        reporter.error("RS002", message, Span(path, line, column, line, column + 1), "save the file as UTF-8")
        return None
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    found = _UNPRINTABLE.search(text)
    if found:
        start = found.start()
        line, column = text.count("\n", 0, start) + 1, start - text.rfind("\n", 0, start)
        message = f"the character U+{ord(found.group()):04X} can't be printed and may not stand in a file"
        reporter.error("RS003", message, Span(path, line, column, line, column + 1), "delete it")
        return None
    return text


def read_yaml(path: str, data: bytes, reporter: Reporter) -> Mapping | None:
    """Reads one YAML file whose top is a map.

    Args:
        path: the file's name, for the places.
        data: its contents.
        reporter: gets every fault found.

    Returns:
        The map, or None after a fault that leaves nothing to go on with.
    """
    text = decode(path, data, reporter)
    if text is None:
        return None
    tab = _TAB.search(text)
    if tab:
        column = tab.group().index("\t") + 1
        line = text.count("\n", 0, tab.start()) + 1
        place = Span(path, line, column, line, len(tab.group()) + 1)
        reporter.error("RS005", "a tab in the indentation", place, "indent with spaces")
        return None
    composer = _Composer(path, text, reporter)
    try:
        root = composer.compose()
    except _Stopped:
        return None
    except yaml.MarkedYAMLError as error:
        composer.report(traps.explain(error, composer.lines))
        return None
    except (yaml.YAMLError, RecursionError, ValueError):
        reporter.error("RS010", "the file can't be read as YAML", Span(path, 1, 1, 1, 1))
        return None
    return composer.checked_root(root)


class _Stopped(Exception):
    """A fault was reported after which the rest of the file is not worth reading."""


@define
class _Frame:
    """A map or list that is not closed yet."""

    start: tuple[int, int]
    flow: bool
    is_map: bool
    items: list[Any] = field(factory=list)
    key: Scalar | None = None
    keys: dict[str, Scalar] = field(factory=dict)
    bare: list[Scalar] = field(factory=list)
    """Keys of a flow map without `:`."""


class _Composer:
    """Makes nodes of events."""

    def __init__(self, path: str, text: str, reporter: Reporter) -> None:
        self.path = path
        self.lines = text.split("\n")
        self._text = text
        self._reporter = reporter
        self._root: Node | None = None
        self._stack: list[_Frame] = []

    def report(self, fault: traps.Fault) -> None:
        place = Span(self.path, fault.line + 1, fault.column + 1, fault.line + 1, fault.end_column + 1)
        self._reporter.error(fault.code, fault.message, place, fault.hint)

    def checked_root(self, root: Node | None) -> Mapping | None:
        """The map at the top, or None after a report."""
        start = Span(self.path, 1, 1, 1, 1)
        if root is None or (isinstance(root, Scalar) and not root.value):
            self._reporter.error("RS006", "the file is empty", start, "a game starts with `rulespec: 1`")
            return None
        if isinstance(root, Mapping):
            return root
        found = "a list" if isinstance(root, Sequence) else "a text"
        hint = "write `key: value` lines, with a space after each colon"
        self._reporter.error("RS007", f"the top of the file must be a map, found {found}", root.span, hint)
        return None

    def compose(self) -> Node | None:
        """Reads all events; stops at the first fault that makes what follows doubtful."""
        documents = nodes = 0
        for event in self._events():
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self._stop("RS009", "a second document starts here", event, "delete the line `---`")
            elif isinstance(event, yaml.AliasEvent):
                mark = event.start_mark
                assert mark is not None
                self.report(traps.alias(self.lines, mark.line, mark.column))
                raise _Stopped
            elif isinstance(event, yaml.NodeEvent):
                nodes += 1
                if nodes > MAX_NODES:
                    hint = "keep tables in CSV files"
                    self._stop("RS004", f"the file has more than {MAX_NODES:,} values", event, hint)
                self._node_event(event)
            elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
                self._close(event)
        return self._root

    def _events(self) -> Iterator[Any]:
        yield from yaml.parse(self._text, Loader=_LOADER)

    def _stop(self, code: str, message: str, event: Any, hint: str = "") -> None:
        line, column = event.start_mark.line, event.start_mark.column
        width = max(1, event.end_mark.column - column) if event.end_mark.line == line else 1
        self.report(traps.Fault(code, message, line, column, column + width, hint))
        raise _Stopped

    def _node_event(self, event: Any) -> None:
        line, column = event.start_mark.line, event.start_mark.column
        if event.anchor is not None:
            self.report(traps.alias(self.lines, line, column))
            raise _Stopped
        if event.tag is not None:
            self.report(traps.tag(self.lines, line, column))
            raise _Stopped
        top = self._stack[-1] if self._stack else None
        wants_key = top is not None and top.is_map and top.key is None
        if isinstance(event, yaml.ScalarEvent):
            scalar = self._scalar(event)
            if wants_key:
                assert top is not None
                self._key(top, scalar)
            else:
                self._add(scalar)
            return
        if wants_key:
            self._key_fault(event, top)
        if len(self._stack) >= MAX_DEPTH:
            self._stop("RS008", f"maps and lists are nested more than {MAX_DEPTH} deep", event)
        is_map = isinstance(event, yaml.MappingStartEvent)
        self._stack.append(_Frame((line, column), bool(event.flow_style), is_map))

    def _key_fault(self, event: Any, top: _Frame | None) -> None:
        line, column = event.start_mark.line, event.start_mark.column
        row = self.lines[line]
        # `{{name}}` or `{name} and more` in a label: the author meant text.
        if top is not None and top.flow and row[column] == "{":
            outer = top.start
            self.report(traps.braces(self.lines, *outer))
            raise _Stopped
        found = "map" if isinstance(event, yaml.MappingStartEvent) else "list"
        self._stop("RS014", f"a key must be a text, found a {found}", event, "put the key in quotes")

    def _key(self, frame: _Frame, key: Scalar) -> None:
        if key.value == "<<" and key.style == "plain":
            hint = "write the keys out, or use `extends`"
            self._reporter.error("RS015", "the merge key `<<` is not used here", key.span, hint)
            raise _Stopped
        if not key.value:
            self._reporter.error("RS014", "a key must be a text, found nothing before the `:`", key.span)
            raise _Stopped
        frame.key = key

    def _add(self, node: Node) -> None:
        if not self._stack:
            self._root = node
            return
        frame = self._stack[-1]
        if isinstance(node, Scalar):
            self._check_plain(node, frame)
        if not frame.is_map:
            frame.items.append(node)
            return
        key = frame.key
        assert key is not None
        frame.key = None
        if frame.flow and isinstance(node, Scalar) and not node.value and self._without_colon(key, node):
            frame.bare.append(key)
        first = frame.keys.setdefault(key.value, key)
        if first is not key:
            note = Note(f"`{key.value}` stands here first", first.span)
            message = f"the key `{_short(key.value)}` stands twice"
            self._reporter.error("RS011", message, key.span, "rename or delete one of them", (note,))
            return
        frame.items.append((key, node))

    def _without_colon(self, key: Scalar, value: Scalar) -> bool:
        """Whether a flow map's entry is a bare word, as in `{name}`."""
        if value.style != "plain" or key.span.end_line != value.span.line:
            return value.style == "plain"
        row = self.lines[key.span.end_line - 1]
        return ":" not in row[key.span.end_column - 1 : value.span.column - 1]

    def _check_plain(self, node: Scalar, frame: _Frame) -> None:
        """Finds unquoted texts that YAML has cut short: at a comma, or at a `#` inside the text."""
        if node.style != "plain" or not node.value:
            return
        rest = self.lines[node.span.end_line - 1][node.span.end_column - 1 :]
        fault = traps.cut_short(node.value, rest, frame.flow)
        if fault:
            code, message, hint = fault
            self._reporter.error(code, message, node.span, hint)
            raise _Stopped

    def _close(self, event: Any) -> None:
        frame = self._stack.pop()
        span = self._span(frame, event)
        if frame.bare:
            self.report(traps.bare_words(frame.bare[0].span, len(frame.bare) == len(frame.items), self.lines, span))
            raise _Stopped
        items = tuple(frame.items)
        self._add(Mapping(items, span, frame.flow) if frame.is_map else Sequence(items, span, frame.flow))

    def _span(self, frame: _Frame, event: Any) -> Span:
        line, column = frame.start
        if frame.flow:
            end_line, end_column = event.end_mark.line + 1, event.end_mark.column + 1
        elif frame.items:  # the end mark of a block is at the next thing in the file
            last = frame.items[-1][1] if frame.is_map else frame.items[-1]
            end_line, end_column = last.span.end_line, last.span.end_column
        else:
            end_line, end_column = line + 1, column + 1
        return Span(self.path, line + 1, column + 1, end_line, end_column)

    # ------------------------------------------------------------ places of texts

    def _scalar(self, event: Any) -> Scalar:
        style = _STYLES[event.style or ""]
        if style in ("literal", "folded"):
            return Scalar(self._block_text(event, style), event.value, style)
        return Scalar(self._flow_text(event, style), event.value, style)

    def _flow_text(self, event: Any, style: str) -> Text:
        (line, column), (end_line, end_column) = _marks(event)
        span = Span(self.path, line + 1, column + 1, end_line + 1, end_column + 1)
        if style != "plain":
            column, end_column = column + 1, end_column - 1
        if line == end_line:
            text = self.lines[line][column:end_column]
            starts = [(line + 1, column + 1)]
            exact = text == event.value
        else:
            rows = [self.lines[line][column:], *self.lines[line + 1 : end_line], self.lines[end_line][:end_column]]
            inner = [row.lstrip(" \t") if i else row for i, row in enumerate(rows)]
            columns = [column if i == 0 else len(row) - len(inner[i]) for i, row in enumerate(rows)]
            starts = [(line + 1 + i, at + 1) for i, at in enumerate(columns)]
            text = "\n".join(row.rstrip(" \t") if i < len(inner) - 1 else row for i, row in enumerate(inner))
            exact = _same_words(text, event.value)
        if not exact:
            return self._inexact(event.value, span)
        return Text(text, span, tuple(starts))

    def _block_text(self, event: Any, style: str) -> Text:
        (line, column), (end_line, end_column) = _marks(event)
        last = end_line if end_column == 0 else end_line + 1
        rows = self.lines[line + 1 : last]
        while rows and not rows[-1].strip():
            rows.pop()
        if not rows:
            end = len(self.lines[line])
            return Text("", Span(self.path, line + 1, column + 1, line + 1, end + 1), ((line + 1, column + 1),))
        span = Span(self.path, line + 1, column + 1, line + 1 + len(rows), len(rows[-1].rstrip()) + 1)
        first = next(row for row in rows if row.strip())
        indent = len(first) - len(first.lstrip(" "))
        # With an indentation indicator (`|2`) the first line may be indented more than the block.
        for width in range(indent, 0, -1):
            text = "\n".join(row[width:] for row in rows)
            value = event.value.rstrip("\n")
            if text.rstrip() == value.rstrip() if style == "literal" else _same_words(text, value):
                starts = tuple((line + 2 + i, width + 1) for i in range(len(rows)))
                return Text(text.rstrip("\n"), span, starts)
        return self._inexact(event.value, span)

    def _inexact(self, value: str, span: Span) -> Text:
        return Text(value, span, ((span.line, span.column),) * (value.count("\n") + 1), exact=False)


def _marks(event: Any) -> tuple[tuple[int, int], tuple[int, int]]:
    start, end = event.start_mark, event.end_mark
    return (start.line, start.column), (end.line, end.column)


def _same_words(a: str, b: str) -> bool:
    """Whether two texts differ only in where lines break."""
    return "".join(a.split()) == "".join(b.split())


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
