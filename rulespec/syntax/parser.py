"""The rules language: text to syntax tree.

Each function takes a piece of text and a Reporter. Where the text is wrong its first mistake is
reported and the result is None.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulespec.diagnostics import Reporter
from rulespec.source import Text
from rulespec.syntax import nodes as n
from rulespec.syntax.build import Builder, FieldHead
from rulespec.syntax.explain import Place, explain
from rulespec.syntax.mistakes import Mistake, join
from rulespec.syntax.scan import MAX_LENGTH, Token, cut, scan
from rulespec.syntax.words import RESERVED, STATEMENT_WORDS

if TYPE_CHECKING:
    from lark import Lark

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

STARTS = [
    "expression",
    "selection",
    "block",
    "type",
    "signature",
    "field_decl",
    "event",
    "grid",
    "rank",
    "pay",
    "repeat",
]

_KINDS = {
    "name": "NAME",
    "number": "NUMBER",
    "text": "TEXT",
    "newline": "_NEWLINE",
    "indent": "_INDENT",
    "dedent": "_DEDENT",
    "end": "$END",
}
_BLOCK_FIRST = frozenset(["let", "if", "for", "while", "return"])


@frozen
class _Grammar:
    """The tables of the grammar, and its terminals by the words they stand for."""

    lark: Lark
    terminals: dict[str, str]
    words: dict[str, str]
    """The other way round, with kinds of tokens for NAME and the like."""
    pairs: frozenset[str]
    """The first words of keywords of two words."""


@cache
def _grammar() -> _Grammar:
    """Builds the grammar; that takes half a second and is done when the first text is parsed."""
    from lark import Lark

    source = files("rulespec.syntax").joinpath("grammar.lark").read_text(encoding="utf-8")
    lark = Lark(
        source,
        parser="lalr",
        lexer="basic",
        start=STARTS,
        keep_all_tokens=True,
        maybe_placeholders=True,
        transformer=Builder(),
    )
    terminals = {str(t.pattern.value): t.name for t in lark.terminals if t.pattern is not None}
    words = {name: word for word, name in terminals.items()} | {name: kind for kind, name in _KINDS.items()}
    return _Grammar(lark, terminals, words, frozenset(word.split()[0] for word in terminals if " " in word))


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
    from lark.exceptions import UnexpectedToken

    grammar = _grammar()
    terminals = grammar.terminals
    session: Any = grammar.lark.parse_interactive(None, start=start)
    result = None
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if token.kind == "name":
            pair = f"{token.text} {tokens[at + 1].text}" if token.text in grammar.pairs else ""
            if pair in terminals and _fits(session, terminals[pair]):
                span = join(token.span, tokens[at + 1].span)
                token = Token("name", pair, span, token.start, tokens[at + 1].end)
                tokens[at : at + 2] = [token]
            terminal = terminals.get(token.text)
            token.type = terminal if terminal and (token.text in RESERVED or _fits(session, terminal)) else "NAME"
        else:
            token.type = terminals[token.text] if token.kind == "op" else _KINDS[token.kind]
        try:
            result = session.feed_token(token)
        except UnexpectedToken:
            raise explain(Place(start, tokens, at, _accepts(grammar, start, tokens[:at]))) from None
        at += 1
    return result


def _fits(session: Any, terminal: str) -> bool:
    """Whether a terminal can come next; `choices` says so only roughly, for what it reduces may lead nowhere."""
    from lark.parsers.lalr_analysis import Shift

    states = session.parser_state.parse_conf.states
    stack = list(session.parser_state.state_stack)
    while terminal in states[stack[-1]]:
        action, rule = states[stack[-1]][terminal]
        if action is Shift:
            return True
        del stack[len(stack) - len(rule.expansion) :]
        stack.append(states[stack[-1]][rule.origin.name][1])
    return False


def _accepts(grammar: _Grammar, start: str, tokens: list[Token]) -> set[str]:
    """What can follow some tokens: words, and kinds of tokens."""
    session: Any = grammar.lark.parse_interactive(None, start=start)
    for token in tokens:
        session.feed_token(token)
    return {grammar.words[name] for name in session.accepts()}


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
