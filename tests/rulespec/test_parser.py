"""The parser: trees, places, and every message about wrong text.

`syntax/trees.txt` and `syntax/mistakes.txt` hold cases: a line with the kind of text, the text after
`|`, and the tree or the message after `>`.
"""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import attrs
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.diagnostics import Diagnostic, Reporter
from rulespec.source import Span, Text
from rulespec.syntax import nodes as n
from rulespec.syntax import parser
from rulespec.syntax.words import RESERVED, STATEMENT_WORDS

DATA = Path(__file__).parent / "syntax"
KINDS = ["expression", "selection", "block", "body", "type", "signature", "field", "event", "template"]
KINDS += ["grid", "rank", "pay", "repeat"]


def text_of(source: str, line: int = 1, column: int = 1) -> Text:
    """A text that stands in a file from a place on, all its lines indented alike."""
    rows = source.split("\n")
    starts = tuple((line + at, column) for at in range(len(rows)))
    return Text(source, Span("game.yaml", line, column, starts[-1][0], column + len(rows[-1])), starts)


def parse(kind: str, text: Text) -> tuple[Any, tuple[Diagnostic, ...]]:
    reporter = Reporter()
    return getattr(parser, f"parse_{kind}")(text, reporter), reporter.diagnostics


def good(kind: str, source: str) -> Any:
    tree, found = parse(kind, text_of(source))
    assert found == ()
    return tree


def shown(value: Any) -> str:
    """A tree as nested lists, without places."""
    if isinstance(value, n.Name):
        return value.id
    if isinstance(value, n.Number):
        return str(value.value)
    if isinstance(value, n.NamedType):
        return value.name + (f".{value.member}" if value.member else "")
    if attrs.has(type(value)):
        fields = [getattr(value, f.name) for f in attrs.fields(type(value)) if f.eq]
        word = {"Binary": "", "Unary": ""}.get(type(value).__name__, type(value).__name__ + " ")
        return f"({word}{' '.join(shown(field) for field in fields)})"
    if isinstance(value, tuple):
        return f"[{' '.join(shown(item) for item in value if not isinstance(item, Span))}]"
    if value is None:
        return "~"
    return value if isinstance(value, str) and value.isidentifier() else repr(value)


Case = tuple[str, str, str]


def read(name: str) -> list[Case]:
    cases: list[Case] = []
    for block in (DATA / name).read_text(encoding="utf-8").split("\n\n"):
        kind, *rows = block.strip("\n").split("\n")
        text = [row[2:] for row in rows if row.startswith("|")]
        cases.append((kind, "\n".join(text), "\n".join(row[2:] for row in rows if row.startswith(">"))))
    return cases


def tree_of(kind: str, source: str) -> str:
    tree = good(kind, source)
    return "\n".join(shown(part) for part in tree) if kind == "block" else shown(tree)


def mistake_of(kind: str, source: str) -> str:
    tree, found = parse(kind, text_of(source))
    assert tree is None
    assert len(found) == 1
    first = found[0]
    return f"{first.line}:{first.column} {first.code} {first.message}" + (f"\n{first.hint}" if first.hint else "")


FILES = {"trees.txt": tree_of, "mistakes.txt": mistake_of}
CASES = [pytest.param(name, *case, id=f"{case[0]}-{at}") for name in FILES for at, case in enumerate(read(name))]


@pytest.mark.parametrize(("name", "kind", "source", "expected"), CASES)
def test_case(name: str, kind: str, source: str, expected: str, update_golden: bool) -> None:
    if not update_golden:
        assert expected == FILES[name](kind, source)


@pytest.mark.parametrize("name", FILES)
def test_case_files_are_up_to_date(name: str, update_golden: bool) -> None:
    blocks = []
    for kind, source, _ in read(name):
        rows = [f"| {row}".rstrip(" ") if not row else f"| {row}" for row in source.split("\n")]
        found = [f"> {row}" for row in FILES[name](kind, source).split("\n")]
        blocks.append("\n".join([kind, *rows, *found]) + "\n")
    content = "\n".join(blocks)
    if update_golden:
        (DATA / name).write_text(content, encoding="utf-8")
    assert content == (DATA / name).read_text(encoding="utf-8")


def test_every_kind_of_text_and_of_node_has_a_tree() -> None:
    trees = (DATA / "trees.txt").read_text(encoding="utf-8")
    kinds = {kind for kind, _, _ in read("trees.txt")}
    classes = [
        c.__name__
        for c in vars(n).values()
        if isinstance(c, type) and attrs.has(c) and c.__module__ == n.__name__ and c not in PLAIN
    ]
    assert set(KINDS) == kinds
    assert [] == [name for name in classes if f"({name} " not in trees and f"({name})" not in trees]


PLAIN = {n.Node, n.Expr, n.Stmt, n.TypeExpr, n.Name, n.Number, n.NamedType, n.Binary, n.Unary}


def test_every_code_has_a_case() -> None:
    codes = {expected.split()[1] for _, _, expected in read("mistakes.txt")}
    expected = {f"RS{number}" for number in range(200, 225)}
    assert expected == codes


def test_messages_never_show_names_of_the_grammar() -> None:
    for _, _, message in read("mistakes.txt"):
        for name in ("NUMBER", "ANON", "NEWLINE", "INDENT", "DEDENT", "$END", "LPAR", "Token", "expr ", "item"):
            assert name not in message


# ---------------------------------------------------------------- places


def cut_out(source: str, span: Span, line: int, column: int) -> str:
    """The stretch of a source that a span in the file names."""
    rows = source.split("\n")[span.line - line : span.end_line - line + 1]
    rows[-1] = rows[-1][: span.end_column - column]
    rows[0] = rows[0][span.column - column :]
    return "\n".join(rows)


def spans_in(value: Any) -> list[tuple[str, Span]]:
    found: list[tuple[str, Span]] = []
    stack = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, tuple):
            stack += part
        elif attrs.has(type(part)) and not isinstance(part, Span):
            found.append((type(part).__name__, part.span))
            stack += [getattr(part, f.name) for f in attrs.fields(type(part)) if f.name != "span"]
    return found


def test_places_in_a_block_of_a_file() -> None:
    source = 'if (a +\n    b) > 1:\n  x[p, 1] = f(a).g  # why\n  say "It is {p or q}."\nelse if c: end game\nnothing'
    tree, _ = parse("block", text_of(source, 40, 7))
    assert [
        "(a +\n    b)",
        "(a +\n    b) > 1",
        "1",
        "1",
        "It is {p or q}.",
        "a",
        "a",
        "b",
        "c",
        "end game",
        "f",
        "f(a)",
        "f(a).g",
        'if (a +\n    b) > 1:\n  x[p, 1] = f(a).g  # why\n  say "It is {p or q}."\nelse if c: end game',
        "if c: end game",
        "nothing",
        "p",
        "p",
        "p or q",
        "q",
        'say "It is {p or q}."',
        "x",
        "x[p, 1]",
        "x[p, 1] = f(a).g",
    ] == sorted(cut_out(source, span, 40, 7) for _, span in spans_in(tree))


def test_places_in_a_selection() -> None:
    source = "pet at p, plot in (pen if a else yard) otherwise b where c and d by lowest e"
    tree, _ = parse("expression", text_of(f"first({source})", 3, 5))
    (binding,) = tree.selection.bindings
    assert source == cut_out(f"first({source})", tree.selection.span, 3, 5)
    assert "pet" == cut_out(f"first({source})", binding.name_span, 3, 5)
    assert ["p", "plot"] == [cut_out(f"first({source})", span, 3, 5) for _, span in binding.at]
    assert "(pen if a else yard) otherwise b" == cut_out(f"first({source})", binding.domain.span, 3, 5)


@pytest.mark.parametrize(
    ("kind", "source", "places"),
    [
        ("type", "set of 1..n", ["1", "1..n", "n", "set of 1..n"]),
        ("signature", "f(1..6 n, Dog d) -> bool", ["1", "1..6", "1..6 n", "6", "Dog", "Dog d", "bool"]),
        ("event", "move Card c to hand[player p]", ["move Card c to hand[player p]"]),
        ("pay", "2 * n gold[me]", ["2", "2 * n", "gold", "gold[me]", "me", "n"]),
    ],
)
def test_places_in_small_forms(kind: str, source: str, places: list[str]) -> None:
    tree, _ = parse(kind, text_of(source, 9, 4))
    found = sorted(cut_out(source, span, 9, 4) for _, span in spans_in(tree))
    assert places == [place for place in found if place != source or source in places]


def test_places_of_a_folded_text_with_lines_of_different_indentation() -> None:
    source = "a +\nb *\nc ="
    text = Text(source, Span("g.yaml", 5, 9, 7, 4), ((5, 9), (6, 7), (7, 3)))
    _, (found,) = parse("expression", text)
    assert (7, 5) == (found.line, found.column)


def test_a_text_that_cannot_be_mapped_has_one_place() -> None:
    span = Span("g.yaml", 5, 9, 5, 30)
    text = Text("a + {", span, ((5, 9),), exact=False)
    _, (found,) = parse("expression", text)
    assert span == found.span
    tree, _ = parse("block", Text('say "{a + b} c"\nx = 1', span, ((5, 9), (5, 9)), exact=False))
    assert {span} == {place for _, place in spans_in(tree)}


def test_mistake_in_a_template_points_into_the_text() -> None:
    _, (found,) = parse("block", text_of('x = 1\nsay "abc {a = 1} {{"', 10, 3))
    assert (11, 15, "RS208") == (found.line, found.column, found.code)


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("word", sorted(RESERVED - {"mod", "or"}))
def test_reserved_word_is_no_parameter(word: str) -> None:
    _, (found,) = parse("signature", text_of(f"f(player {word})"))
    assert (1, 10, "RS212") == (found.line, found.column, found.code)


PLACED = ["at", "of", "over", "times", "up", "down", "set", "list", "exactly", "x", "lowest", "chance"]


@pytest.mark.parametrize("word", [*sorted(STATEMENT_WORDS - RESERVED), *PLACED])
def test_other_words_are_names_where_no_keyword_stands(word: str) -> None:
    assert n.Binary("+", n.Name(word, span=SPAN), n.Call(n.Name(word, span=SPAN), (), span=SPAN), span=SPAN) == good(
        "expression", f"{word} + {word}()"
    )
    assert good("signature", f"f(player {word})").params[0].name == word
    assert good("selection", f"{word} in a where {word}").bindings[0].name == word
    assert good("block", f"let {word} = {word}")[0].name == word


SPAN = Span("", 1, 1, 1, 1)


def test_body_of_a_function_is_effects_or_an_expression() -> None:
    assert isinstance(good("body", "# say\n\nlet x = 1\nreturn x"), tuple)
    assert isinstance(good("body", "letter + 1"), n.Binary)
    assert isinstance(good("body", "if a: return 1\nreturn 2"), tuple)


def test_numbers_are_exact() -> None:
    assert [Fraction(7), Fraction(15, 2), Fraction(1, 2)] == [good("expression", s).value for s in ("7", "7½", "½")]


# ---------------------------------------------------------------- hostile texts


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "sign", ["(", "[", "-", "not ", "a.", "a[", "f(", "1+", "optional ", "set of ", "{", '"', "if a:\n"]
)
def test_a_megabyte_is_refused_at_once(kind: str, sign: str) -> None:
    tree, (found,) = parse(kind, text_of(sign * (1_000_000 // len(sign))))
    assert (None, "RS200") == (tree, found.code)


DEEP = {
    "brackets": "(" * 61 + "a" + ")" * 61,
    "sums": "1+" * 120 + "1",
    "minus": "-" * 120 + "1",
    "not": "not " * 120 + "a",
    "fields": "a" + ".b" * 120,
    "indices": "a" + "[1]" * 120,
    "conditions": "1 if a else " * 120 + "1",
    "mixed": "f(" * 40 + "a" + "+ 1) + 1" * 40,
}


@pytest.mark.parametrize("source", DEEP.values(), ids=DEEP)
def test_deep_expression_is_refused(source: str) -> None:
    _, (found,) = parse("expression", text_of(source))
    assert "RS200" == found.code


def test_deep_blocks_and_types_are_refused() -> None:
    sources = {
        "block": ["\n".join(" " * at + "if a:" for at in range(40)), "if a: b()\n" + "else if a: b()\n" * 60],
        "type": ["set of " * 120 + "a", "optional " * 120 + "a"],
    }
    for kind, texts in sources.items():
        for source in texts:
            _, (found,) = parse(kind, text_of(source))
            assert "RS200" == found.code


def test_long_flat_texts_are_no_trouble() -> None:
    assert 1000 == len(good("block", "x = a + b\n" * 1000))
    assert 1000 == len(good("expression", "[" + ", ".join(["a + b"] * 1000) + "]").items)


PIECES = [
    *"()[]{}+-*/.,:=<>\"'#? \n",
    "\n  ",
    "if ",
    "a",
    "in ",
    "for ",
    "1",
    "where ",
    "by ",
    "choose ",
    "at ",
    "until ",
]


@settings(deadline=None)
@given(st.sampled_from(KINDS), st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=30))
def test_any_text_gives_a_tree_or_one_mistake(kind: str, source: str) -> None:
    tree, found = parse(kind, text_of(source))
    if tree is None:
        assert 1 == len(found)
        assert found[0].code.startswith("RS2")
        assert found[0].message and not found[0].message.endswith(".")
    else:
        assert () == found


def test_importing_builds_nothing() -> None:
    code = "import sys, rulespec.syntax.parser; print('lark' in sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "False" == result.stdout.strip()
