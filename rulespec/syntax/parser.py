"""The rules language: text to syntax tree.

Each function takes a piece of text and a Reporter. Where the text is wrong its first mistake is
reported and the result is None.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulespec.diagnostics import Reporter
from rulespec.source import Text
from rulespec.syntax import nodes as n
from rulespec.syntax.build import Builder, FieldHead
from rulespec.syntax.explain import Place, explain
from rulespec.syntax.mistakes import Mistake
from rulespec.syntax.scan import RESERVED, STATEMENT_WORDS, Token, cut, scan

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

STARTS = "expression selection block type signature field_decl event grid rank pay repeat".split()

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
    terminals, pairs = grammar.terminals, grammar.pairs
    session = grammar.lark.parse_interactive(None, start=start)
    state = session.parser_state
    states = state.parse_conf.parse_table.states
    feed = state.feed_token
    result = None
    at, last = 0, len(tokens) - 1
    while at <= last:
        token = tokens[at]
        kind, word = token.kind, token.text
        if kind == "name":
            choices = states[state.state_stack[-1]]
            pair = terminals.get(f"{word} {tokens[at + 1].text}") if word in pairs else None
            if pair in choices:
                following = tokens[at + 1]
                del tokens[at + 1]
                last -= 1
                token = tokens[at] = _merged(token, following)
                token.type = pair or ""
            else:
                terminal = terminals.get(word)
                token.type = terminal if terminal and (terminal in choices or word in RESERVED) else "NAME"
        elif kind == "op":
            token.type = terminals[word]
        else:
            token.type = _KINDS[kind]
        try:
            result = feed(token, kind == "end")  # type: ignore[arg-type]
        except UnexpectedToken:
            if kind == "name" and token.type != "NAME" and word not in RESERVED:
                # The tables say only roughly where a keyword can stand. As nothing was shifted, the word
                # can still be taken for a name.
                token.type = "NAME"
                try:
                    feed(token)  # type: ignore[arg-type]
                    at += 1
                    continue
                except UnexpectedToken:
                    pass
            raise explain(Place(start, tokens, at, _accepts(grammar, start, tokens[:at]))) from None
        at += 1
    return result


def _merged(first: Token, second: Token) -> Token:
    from rulespec.syntax.mistakes import join

    text = f"{first.text} {second.text}"
    return Token("name", text, join(first.span, second.span), first.start, second.end)


def _accepts(grammar: _Grammar, start: str, tokens: list[Token]) -> set[str]:
    """What can follow some tokens: words, and kinds of tokens."""
    session = grammar.lark.parse_interactive(None, start=start)
    for token in tokens:
        session.parser_state.feed_token(token)  # type: ignore[arg-type]
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
    """`1 treats[me], 2 gold[me]`: pairs of amount and variable."""
    found: tuple[tuple[n.Expr, n.Expr], ...] | None = _parse("pay", text, reporter)
    return found


def parse_repeat(text: Text, reporter: Reporter) -> tuple[n.Expr, n.Expr] | None:
    """`round in 1..6`: the variable and its values."""
    found: tuple[n.Expr, n.Expr] | None = _parse("repeat", text, reporter)
    return found


def parse_template(text: Text, reporter: Reporter) -> n.Template | None:
    """A text with values in `{...}`; `{{` and `}}` stand for braces."""
    parts: list[str | n.Expr] = []
    literal = ""
    at, source = 0, text.text
    try:
        while at < len(source):
            sign = source[at]
            if sign in "{}" and source[at : at + 2] == sign * 2:
                literal += sign
                at += 2
            elif sign == "{":
                end = source.find("}", at)
                here = cut(text, at, at + 1).span
                if end < 0:
                    raise Mistake("RS223", "`{` is never closed", here, "put a `}` after the value; a brace itself is `{{`")
                if not source[at + 1 : end].strip():
                    raise Mistake("RS223", "nothing stands between `{` and `}`", here, "write a value there")
                value = parse_expression(cut(text, at + 1, end), reporter)
                if value is None:
                    return None
                if literal:
                    parts.append(literal)
                literal = ""
                parts.append(value)
                at = end + 1
            elif sign == "}":
                here = cut(text, at, at + 1).span
                raise Mistake("RS223", "`}` closes nothing", here, "a brace itself is written `}}`")
            else:
                literal += sign
                at += 1
    except Mistake as mistake:
        reporter.error(mistake.code, mistake.message, mistake.span, mistake.hint)
        return None
    if literal:
        parts.append(literal)
    return n.Template(tuple(parts), span=text.span)


_Parser = Callable[[Text, Reporter], Any]
