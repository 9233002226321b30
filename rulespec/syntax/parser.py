"""The rules language: text to syntax tree.

Each function takes a piece of text and a Reporter. Where the text is wrong its first mistake is
reported and the result is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from rulespec.diagnostics import Reporter
from rulespec.source import Text
from rulespec.syntax import nodes as n
from rulespec.syntax.build import FieldHead
from rulespec.syntax.explain import Place, explain
from rulespec.syntax.mistakes import Mistake, join
from rulespec.syntax.scan import MAX_LENGTH, Token, cut, scan
from rulespec.syntax.tables import Parse, load
from rulespec.syntax.words import RESERVED, STATEMENT_WORDS

__all__ = [
    "RESERVED",
    "STATEMENT_WORDS",
    "FieldHead",
    "cut",
    "parse_block",
    "parse_body",
    "parse_event",
    "parse_expression",
    "parse_field",
    "parse_grid",
    "parse_pay",
    "parse_rank",
    "parse_repeat",
    "parse_selection",
    "parse_signature",
    "parse_template",
    "parse_type",
]

_KINDS = {
    "name": "NAME",
    "number": "NUMBER",
    "text": "TEXT",
    "newline": "NEWLINE",
    "indent": "INDENT",
    "dedent": "DEDENT",
    "end": "END",
}
_BLOCK_FIRST = frozenset(["let", "if", "for", "while", "return"])


def _parse(start: str, text: Text, reporter: Reporter) -> Any:
    """The result of a start rule, or None after reporting what is wrong."""
    try:
        tokens = scan(text, start)
        if start == "block" and not _add_templates(tokens, text, reporter):
            return None
        return _run(start, tokens)
    except Mistake as mistake:
        reporter.error(mistake.code, mistake.message, mistake.span, mistake.hint)
        return None


def _add_templates(tokens: list[Token], text: Text, reporter: Reporter) -> bool:
    """Parses the texts among the tokens; whether all were right."""
    for token in tokens:
        if token.kind == "text":
            token.template = parse_template(cut(text, token.start + 1, token.end - 1), reporter)
            if token.template is None:
                return False
    return True


def _run(start: str, tokens: list[Token]) -> Any:
    """Feeds the tokens to the parser; whether a word is a keyword depends on what the parser can take."""
    tables = load()
    parse = Parse(tables, start)
    at = 0
    while at < len(tokens):
        token = tokens[at]
        before = parse.stack.copy()
        if token.kind == "name":
            if token.text in tables.pairs:
                pair = f"{token.text} {tokens[at + 1].text}"
                if pair in tables.words and tables.fits(before, pair):
                    span = join(token.span, tokens[at + 1].span)
                    token = Token("name", pair, span, token.start, tokens[at + 1].end)
                    tokens[at : at + 2] = [token]
            keyword = token.text in tables.words and (token.text in RESERVED or tables.fits(before, token.text))
            token.type = token.text if keyword else "NAME"
        else:
            token.type = token.text if token.kind == "op" else _KINDS[token.kind]
        if not parse.feed(token):
            raise explain(Place(start, tokens, at, tables.accepts(before)))
        at += 1
    return parse.result


# ---------------------------------------------------------------- what others call


def parse_expression(text: Text, reporter: Reporter) -> n.Expr | None:
    """A value or condition."""
    found: n.Expr | None = _parse("expression", text, reporter)
    return found


def parse_selection(text: Text, reporter: Reporter) -> n.Selection | None:
    """`NAME in DOMAIN where COND, ...`."""
    found: n.Selection | None = _parse("selection", text, reporter)
    return found


def parse_block(text: Text, reporter: Reporter) -> n.Block | None:
    """Effects, one a line."""
    found: n.Block | None = _parse("block", text, reporter)
    return found


def parse_body(text: Text, reporter: Reporter) -> n.Expr | n.Block | None:
    """The body of a function: an expression, or effects where the first word is one of these."""
    first = _first_word(text.text)
    return parse_block(text, reporter) if first in _BLOCK_FIRST else parse_expression(text, reporter)


def _first_word(text: str) -> str:
    for line in text.splitlines():
        words = line.split("#", 1)[0].split()
        if words:
            return words[0].rstrip(":")
    return ""


def parse_type(text: Text, reporter: Reporter) -> n.TypeExpr | None:
    """`Card`, `1..6`, `optional Card`, ..."""
    found: n.TypeExpr | None = _parse("type", text, reporter)
    return found


def parse_signature(text: Text, reporter: Reporter) -> n.Signature | None:
    """`name(Type a, Type b) -> Type`."""
    found: n.Signature | None = _parse("signature", text, reporter)
    return found


def parse_field(text: Text, reporter: Reporter) -> FieldHead | None:
    """The key of a field: `bar[1..7]`, `points(player p, Plot at)` or a name."""
    found: FieldHead | None = _parse("field_decl", text, reporter)
    return found


def parse_event(text: Text, reporter: Reporter) -> n.Event | None:
    """What a trigger waits for."""
    found: n.Event | None = _parse("event", text, reporter)
    return found


def parse_grid(text: Text, reporter: Reporter) -> tuple[n.Expr, n.Expr] | None:
    """`WIDTH x HEIGHT`."""
    found: tuple[n.Expr, n.Expr] | None = _parse("grid", text, reporter)
    return found


def parse_rank(text: Text, reporter: Reporter) -> tuple[str, n.Expr] | None:
    """`lowest VALUE` or `highest VALUE`."""
    found: tuple[str, n.Expr] | None = _parse("rank", text, reporter)
    return found


def parse_pay(text: Text, reporter: Reporter) -> tuple[tuple[n.Expr, n.Expr], ...] | None:
    """`1 gold[me], 2 wood[me]`: pairs of amount and variable."""
    found: tuple[tuple[n.Expr, n.Expr], ...] | None = _parse("pay", text, reporter)
    return found


def parse_repeat(text: Text, reporter: Reporter) -> tuple[n.Expr, n.Expr] | None:
    """`round in 1..6`: the variable and its values."""
    found: tuple[n.Expr, n.Expr] | None = _parse("repeat", text, reporter)
    return found


def parse_template(text: Text, reporter: Reporter) -> n.Template | None:
    """A text with values in `{...}`; `{{` and `}}` stand for braces."""
    try:
        return n.Template(tuple(_template_parts(text, reporter)), span=text.span)
    except Mistake as mistake:
        reporter.error(mistake.code, mistake.message, mistake.span, mistake.hint)
    except _Reported:
        pass
    return None


class _Reported(Exception):
    """A value in a template was wrong, and that has been said."""


_BRACES = re.compile(r"\{\{|\}\}|\{([^}]*)\}|[{}]")


def _template_parts(text: Text, reporter: Reporter) -> Iterator[str | n.Expr]:
    if len(text.text) > MAX_LENGTH:
        raise Mistake("RS200", f"this text has more than {MAX_LENGTH} characters", text.span, "shorten it")
    literal, at = "", 0
    for match in _BRACES.finditer(text.text):
        found, inner = match[0], match[1]
        literal += text.text[at : match.start()]
        at = match.end()
        here = cut(text, match.start(), match.start() + 1).span
        if found in ("{{", "}}"):
            literal += found[0]
            continue
        if found == "}":
            raise Mistake("RS223", "`}` closes nothing", here, "a brace itself is written `}}`")
        if inner is None:
            hint = "put a `}` after the value; a brace itself is written `{{`"
            raise Mistake("RS223", "`{` is never closed", here, hint)
        if not inner.strip():
            raise Mistake("RS223", "nothing stands between `{` and `}`", here, "write a value there")
        value = parse_expression(cut(text, match.start() + 1, match.end() - 1), reporter)
        if value is None:
            raise _Reported
        if literal:
            yield literal
        yield value
        literal = ""
    literal += text.text[at:]
    if literal:
        yield literal
