"""Places of texts in files, and what YAML is refused for. The messages are under tests/diagnostics."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest
import yaml

from rulespec import yaml_source
from rulespec.diagnostics import Reporter
from rulespec.yaml_source import Mapping, Node, Scalar, Sequence, read_yaml

MIXED = """\
# A comment first.
plain: two words
spread: one
  two

  three   # and a comment
"quoted key": "simple text"
single: 'simple text'
"two lines": "one
  two"
escaped: "a\\tb"
doubled: 'it''s'
literal: |
  let x = 1

  if x:
    nothing

folded: >-
  count(c in hand)
    + 1
kept: |+
  a

indicated: |2
    four
  two
flow: {type: 0..4, per: [player, "Plot"], doc: Two
       lines.}
list:
  - a
  - {b: c}
ümlaut: {größe: 😀 hier}
empty:
"""


def read(text: str | bytes) -> tuple[Mapping | None, list[tuple[str, int, int]]]:
    reporter = Reporter()
    root = read_yaml("game.yaml", text if isinstance(text, bytes) else text.encode(), reporter)
    return root, [(d.code, d.line, d.column) for d in reporter.diagnostics]


def top(text: str) -> Mapping:
    root, faults = read(text)
    assert [] == faults
    assert root is not None
    return root


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    else:
        for key, value in node.items:
            yield key
            yield from scalars(value)


def scalar(root: Mapping, name: str) -> Scalar:
    node = root.get(name)
    assert isinstance(node, Scalar)
    return node


def test_every_exact_text_stands_in_the_file_where_it_says() -> None:
    lines = MIXED.split("\n")
    found = list(scalars(top(MIXED)))
    exact = [s for s in found if s.text.exact]

    assert ["a\tb", "it's"] == [s.value for s in found if not s.text.exact]
    for s in exact:
        rows = s.text.text.split("\n")
        assert len(rows) == len(s.text.starts)
        for row, (line, column) in zip(rows, s.text.starts, strict=True):
            assert row == lines[line - 1][column - 1 :][: len(row)]


@pytest.mark.parametrize(
    ("name", "text", "starts"),
    [
        ("plain", "two words", [(2, 8)]),
        ("spread", "one\ntwo\n\nthree", [(3, 9), (4, 3), (5, 1), (6, 3)]),
        ("quoted key", "simple text", [(7, 16)]),
        ("single", "simple text", [(8, 10)]),
        ("two lines", "one\ntwo", [(9, 15), (10, 3)]),
        ("literal", "let x = 1\n\nif x:\n  nothing", [(14, 3), (15, 3), (16, 3), (17, 3)]),
        ("folded", "count(c in hand)\n  + 1", [(20, 3), (21, 3)]),
        ("kept", "a", [(23, 3)]),
        ("indicated", "  four\ntwo", [(26, 3), (27, 3)]),
    ],
)
def test_text_keeps_its_lines_and_their_places(name: str, text: str, starts: list[tuple[int, int]]) -> None:
    found = scalar(top(MIXED), name).text

    assert text == found.text
    assert starts == list(found.starts)


def test_value_is_what_yaml_makes_of_it() -> None:
    root = top(MIXED)

    assert "one two\nthree" == scalar(root, "spread").value
    assert "a\tb" == scalar(root, "escaped").value
    assert "it's" == scalar(root, "doubled").value
    assert "let x = 1\n\nif x:\n  nothing\n" == scalar(root, "literal").value


def test_place_in_an_escaped_text_is_the_whole_text() -> None:
    found = scalar(top(MIXED), "escaped").text

    assert not found.exact
    assert found.span == found.place(1, 2, 1, 3)
    assert (11, 10, 11, 16) == (found.span.line, found.span.column, found.span.end_line, found.span.end_column)


def test_place_in_a_block_is_exact() -> None:
    place = scalar(top(MIXED), "literal").text.place(4, 3, 4, 10)

    assert (17, 5, 17, 12) == (place.line, place.column, place.end_line, place.end_column)


def test_map_and_list_know_where_they_begin_and_end() -> None:
    root = top(MIXED)
    flow, listed = root.get("flow"), root.get("list")
    assert isinstance(flow, Mapping)
    assert isinstance(listed, Sequence)

    assert (28, 7, 29, 15) == (flow.span.line, flow.span.column, flow.span.end_line, flow.span.end_column)
    assert (31, 3, 32, 11) == (listed.span.line, listed.span.column, listed.span.end_line, listed.span.end_column)


@pytest.mark.parametrize("text", ["no", "on", "007", "1_000", "2024-01-01", "~", "null", "0x10", "1e3", ".inf"])
def test_every_scalar_is_the_text_it_looks_like(text: str) -> None:
    assert text == scalar(top(f"a: {text}"), "a").value


def test_windows_line_ends_and_a_byte_order_mark_change_nothing() -> None:
    plain, _ = read(MIXED)
    windows, _ = read(b"\xef\xbb\xbf" + MIXED.replace("\n", "\r\n").encode())

    assert plain == windows


def test_python_scanner_gives_the_same_places(monkeypatch: pytest.MonkeyPatch) -> None:
    fast = top(MIXED)
    monkeypatch.setattr(yaml_source, "_LOADER", yaml.SafeLoader)

    assert fast == top(MIXED)


@pytest.mark.parametrize(
    "text",
    [
        "doc: Three (or more), as in 1) and 2)",
        "doc: 'a: b # c'",
        "doc: a#b",
        "doc: Dogs   # a comment (with brackets)",
        "zones: {seen: {holds: Dog, per: [player, Plot]}}",
        "fields: {use(player p): effect, 'bar[1..7]': Colour}",
        "---\nrulespec: 1\n",
        "doc: |\n  {name}: [\n  # kept\n",
        "a: {doc: 'x, y'}",
    ],
)
def test_plain_yaml_is_let_through(text: str) -> None:
    assert [] == read(text)[1]


NOISE = random.Random(7)


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(NOISE.randbytes(1_000_000), id="noise"),
        pytest.param(b"[" * 1_000_000, id="brackets"),
        pytest.param(b"{a: " * 250_000, id="braces"),
        pytest.param(b"? " * 500_000, id="keys of keys"),
        pytest.param(b"- " * 500_000, id="lists in one line"),
        pytest.param(b"a: &a [x]\n" + b"b: [*a, *a]\n" * 80_000, id="alias bomb"),
        pytest.param(b"a" * 1_000_000, id="one line"),
        pytest.param(b"".join(b"k%d: 1\n" % i for i in range(100_000)), id="many keys"),
        pytest.param(b"".join(b" " * i + b"a:\n" for i in range(1_400)), id="stairs"),
        pytest.param(b'"' + b"a\n" * 500_000, id="open quote"),
        pytest.param(b"a: '" + b"''" * 500_000, id="many quotes"),
        pytest.param(bytes(NOISE.choices(b" \n:-[]{},\"'abc#&*!|>%@`", k=1_000_000)), id="YAML signs"),
    ],
)
def test_hostile_file_is_refused_quickly(data: bytes) -> None:
    start = time.process_time()
    _, faults = read(data)

    assert faults
    assert time.process_time() - start < 5


@pytest.mark.parametrize("data", [b"a: " + b"b" * 4_000_000, b"a: [" + b"b," * 60_000 + b"]"], ids=["bytes", "values"])
def test_file_may_not_be_too_large(data: bytes) -> None:
    assert ["RS004"] == [code for code, _, _ in read(data)[1]]


def test_random_edits_of_a_good_file_never_crash() -> None:
    edits = random.Random(11)
    for _ in range(1500):
        text = list(MIXED)
        for _ in range(edits.randint(1, 4)):
            at = edits.randrange(len(text))
            text[at : at + edits.randint(0, 3)] = edits.choice("\n :-[]{},\"'#&*!|>%@`a\t")
        root, faults = read("".join(text))
        assert root is not None or faults
