"""Text to tokens, with every mistake that can be seen without grammar: brackets, indentation, characters.

Tokens know their place in the file, so that nothing after this needs the text again.
"""

from __future__ import annotations

import re
from fractions import Fraction

from rulespec.source import Span, Text
from rulespec.syntax import nodes as n
from rulespec.syntax.mistakes import Mistake, join
from rulespec.syntax.words import BODY_WORDS, DEEPENING, FOREIGN_SIGNS

MAX_DIGITS = 100
"""How many digits a number may have."""
MAX_LENGTH = 100_000
MAX_DEPTH = 100
"""How deep a tree may be: each bracket and each operator between two commas counts as one."""
MAX_BRACKETS = 60
MAX_INDENTS = 30

_TOKENS = re.compile(
    r"""
      (?P<space>[ \t]+)
    | (?P<comment>\#[^\n]*)
    | (?P<newline>\r?\n)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<decimal>[0-9]+\.[0-9]+)
    | (?P<number>[0-9]+½?|½)
    | (?P<text>"[^"\n]*")
    | (?P<single>'[^'\n]*')
    | (?P<foreign>\.\.\.|===|!==|&&|\|\||\+\+|\*\*|//|<>|=>|=<|:=|::|[*/%]=|!(?!=)|[&|%^?;{}\\@$~`≤≥≠×·÷−–—…“”„‘’])
    | (?P<open>[(\[])
    | (?P<close>[)\]])
    | (?P<op>\.\.|->|==|!=|<=|>=|\+=|-=|[-+*/<>=.,:])
    | (?P<letters>[^\W\d]\w*)
    | (?P<unknown>.)
    """,
    re.VERBOSE | re.DOTALL,
)

_PAIR = {"(": ")", "[": "]"}
_TYPE_STARTS = frozenset(["type", "signature", "field_decl", "event"])


class Token:
    """A token: its kind (name, number, text, op, newline, indent, dedent or end), its text and place.

    `type` is the terminal of the grammar it's taken for, set when it is parsed. `start` and `end`
    are offsets in the text. `template` is what a text in a block was parsed to.
    """

    __slots__ = ("end", "kind", "span", "start", "template", "text", "type")

    def __init__(self, kind: str, text: str, span: Span, start: int, end: int) -> None:
        self.kind = kind
        self.text = text
        self.span = span
        self.start = start
        self.end = end
        self.type = ""
        self.template: n.Template | None = None

    def __repr__(self) -> str:
        return f"{self.kind}:{self.text}"


class _Level:
    """An open bracket: how deep the tree inside can be so far, see MAX_DEPTH."""

    __slots__ = ("deepest", "inner", "operators", "token")

    def __init__(self, token: Token | None) -> None:
        self.token = token
        self.operators = 0
        self.inner = 0
        self.deepest = 0

    def part(self) -> int:
        """Ends the part up to a comma; the depth of the whole."""
        self.deepest = max(self.deepest, self.operators + self.inner)
        self.operators = self.inner = 0
        return self.deepest


def cut(text: Text, start: int, end: int) -> Text:
    """A piece of a text, by offsets, as a text that knows its place."""
    lead = text.text[:start]
    line, column = lead.count("\n"), start - (lead.rfind("\n") + 1)
    piece = text.text[start:end]
    rows = piece.split("\n")
    last = line + len(rows) - 1
    end_column = len(rows[-1]) + (column if len(rows) == 1 else 0)
    span = text.place(line + 1, column + 1, last + 1, end_column + 1)
    if not text.exact:
        return Text(piece, span, (text.starts[0],) * len(rows), False)
    row, at = text.starts[line]
    return Text(piece, span, ((row, at + column), *text.starts[line + 1 : last + 1]))


def scan(text: Text, start: str) -> list[Token]:
    """The tokens of a text. Only in blocks do line ends and indentation count; elsewhere they are dropped.

    Raises:
        Mistake: where something is wrong.
    """
    if len(text.text) > MAX_LENGTH:
        raise Mistake("RS200", f"this text has more than {MAX_LENGTH} characters", text.span, "split it into functions")
    return _Scanner(text, start).tokens


class _Scanner:
    """One pass over a text."""

    def __init__(self, text: Text, start: str) -> None:
        self.text = text
        self.start = start
        self.block = start == "block"
        self.tokens: list[Token] = []
        self.line = 1
        self.line_start = 0
        self.fresh = True
        self.indents: list[int] = []
        self.levels = [_Level(None)]
        self._run()

    def place(self, start: int, end: int) -> Span:
        return self.text.place(self.line, start - self.line_start + 1, self.line, end - self.line_start + 1)

    def after(self, span: Span) -> Span:
        """The empty place just after another."""
        if not self.text.exact:
            return span
        return Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column)

    def _run(self) -> None:
        levels, tokens, place = self.levels, self.tokens, self.place
        for match in _TOKENS.finditer(self.text.text):
            kind, start, end = match.lastgroup, match.start(), match.end()
            if kind == "space" or kind == "comment":
                if self.block and self.fresh and "\t" in match[0] and kind == "space":
                    self._tab(start, match[0])
                continue
            if kind == "newline":
                if self.block and len(levels) == 1 and not self.fresh:
                    self._end_line()
                self.fresh = True
                self.line += 1
                self.line_start = end
                continue
            if self.fresh:
                if self.block and len(levels) == 1:
                    self._indent(start)
                self.fresh = False
            word = match[0]
            token = Token(kind or "", word, place(start, end), start, end)
            if kind == "name":
                if word in DEEPENING:
                    levels[-1].operators += 1
            elif kind == "op":
                if word == "," or word == ":":
                    levels[-1].part()
                else:
                    levels[-1].operators += 1
            elif kind == "open":
                self._open(token)
            elif kind == "close":
                self._close(token)
            elif kind == "number":
                self._number(token)
            elif kind != "text":
                raise self._foreign(token)
            elif word == '""':
                raise Mistake("RS203", "the text is empty", token.span, "leave it out, or write something in it")
            tokens.append(token)
        self._finish()

    # ------------------------------------------------------------ brackets and depth

    def _open(self, token: Token) -> None:
        token.kind = "op"
        self.levels[-1].operators += 1
        self.levels.append(_Level(token))
        if len(self.levels) > MAX_BRACKETS + 1:
            raise _too_deep(token.span)

    def _close(self, token: Token) -> None:
        token.kind = "op"
        opening = self.levels[-1].token
        if opening is None:
            raise Mistake(
                "RS204",
                f"`{token.text}` closes a bracket that was never opened",
                token.span,
                f"leave it out, or put a `{'(' if token.text == ')' else '['}` before",
            )
        if _PAIR[opening.text] != token.text:
            raise Mistake(
                "RS204",
                f"`{token.text}` can't close the `{opening.text}` of line {opening.span.line}",
                token.span,
                f"write `{_PAIR[opening.text]}`",
            )
        depth = self.levels.pop().part()
        level = self.levels[-1]
        level.inner = max(level.inner, depth)
        if level.inner + level.operators > MAX_DEPTH:
            raise _too_deep(join(opening.span, token.span))

    # ------------------------------------------------------------ lines

    def _end_line(self) -> None:
        last = self.tokens[-1]
        if self.levels[-1].part() > MAX_DEPTH:
            raise _too_deep(last.span)
        self.levels[-1].deepest = 0
        self._add("newline", self.after(last.span), last.end)

    def _add(self, kind: str, span: Span, at: int) -> None:
        self.tokens.append(Token(kind, "", span, at, at))

    def _tab(self, start: int, blank: str) -> None:
        at = start + blank.index("\t")
        raise Mistake("RS205", "a tab stands in the indentation", self.place(at, at + 1), "indent with spaces")

    def _indent(self, start: int) -> None:
        width = start - self.line_start
        here = self.place(start, start + 1)
        if not self.tokens:
            self.indents = [width]
            return
        last = self.tokens[-2]
        head = self._head()
        if last.text == ":":
            if width <= self.indents[-1]:
                raise Mistake(
                    "RS205",
                    f"the effects under `{head.text}` are not indented",
                    here,
                    "begin each line under `:` with two more spaces",
                )
            if len(self.indents) >= MAX_INDENTS:
                raise _too_deep(here)
            self.indents.append(width)
            self._add("indent", here, start)
            return
        if width > self.indents[-1]:
            if head.text in BODY_WORDS and not self._has_colon():
                raise missing_colon(head, self.after(last.span))
            raise Mistake(
                "RS205",
                "this line is indented further than the one above, which doesn't end with `:`",
                here,
                "take the spaces away; an expression goes on in the next line only inside brackets",
            )
        while width < self.indents[-1]:
            self.indents.pop()
            self._add("dedent", here, start)
            if not self.indents or width > self.indents[-1]:
                raise Mistake(
                    "RS205",
                    "the indentation of this line fits none of the lines above",
                    here,
                    "give it as many spaces as a line above",
                )

    def _head(self) -> Token:
        """The first token of the line that has just ended."""
        at = len(self.tokens) - 2
        while at > 0 and self.tokens[at - 1].kind not in ("newline", "indent", "dedent"):
            at -= 1
        return self.tokens[at]

    def _has_colon(self) -> bool:
        at = len(self.tokens) - 2
        while at >= 0 and self.tokens[at].kind not in ("newline", "indent", "dedent"):
            if self.tokens[at].text == ":":
                return True
            at -= 1
        return False

    def _finish(self) -> None:
        if len(self.levels) > 1:
            opening = self.levels[-1].token
            assert opening is not None
            raise Mistake(
                "RS204",
                f"`{opening.text}` is never closed",
                opening.span,
                f"put a `{_PAIR[opening.text]}` where it ends",
            )
        if not self.tokens:
            raise Mistake("RS201", "nothing is written here", self.text.span, _EMPTY.get(self.start, ""))
        if self.block and not self.fresh:
            self._end_line()
        if self.levels[-1].part() > MAX_DEPTH:
            raise _too_deep(join(self.tokens[0].span, self.tokens[-1].span))
        last = self.tokens[-1]
        if self.block and len(self.tokens) > 1 and self.tokens[-2].text == ":":
            head = self._head()
            raise Mistake(
                "RS205",
                f"nothing stands under `{head.text}`",
                self.tokens[-2].span,
                "write the actions behind it" if head.text in ("ask", "window") else "write `nothing` if that is meant",
            )
        for _ in self.indents[1:]:
            self._add("dedent", self.after(last.span), last.end)
        self._add("end", self.after(last.span), last.end)

    # ------------------------------------------------------------ characters

    def _number(self, token: Token) -> None:
        if len(token.text) > MAX_DIGITS:
            message = f"`{token.text[:8]}...` has more than {MAX_DIGITS} digits"
            raise Mistake("RS207", message, self.place(token.start, token.end), "write a smaller number")
        rest = re.compile(r"\w+").match(self.text.text, token.end)
        if rest:
            word = token.text + rest[0]
            sides = re.fullmatch(r"([0-9]+)x([0-9]+)", word)
            raise Mistake(
                "RS207",
                f"`{word}` is neither a number nor a name",
                self.place(token.start, rest.end()),
                f"write `{sides[1]} x {sides[2]}`" if sides else "names begin with a letter; to multiply write `*`",
            )
        if re.compile(r"\.[A-Za-z_]").match(self.text.text, token.end):
            raise Mistake(
                "RS207",
                f"the number `{token.text}` has no fields",
                self.place(token.start, token.end + 1),
                "leave out the `.`",
            )

    def _foreign(self, token: Token) -> Mistake:
        word, span = token.text, token.span
        if token.kind == "decimal":
            fraction = Fraction(word[:MAX_DIGITS])
            return Mistake(
                "RS207",
                f"`{word}` is no number of this language, which counts exactly",
                span,
                f"write `{fraction}`" if fraction.denominator > 1 else f"write `{fraction.numerator}`",
            )
        if token.kind == "single":
            return Mistake(
                "RS203", "a text stands in double quotes", span, f'write `"{word[1:-1]}"`; a name has no quotes at all'
            )
        if word == '"':
            return Mistake("RS203", "the text is not closed", span, 'a text ends with `"` on the same line')
        if token.kind == "letters":
            before = self.tokens[-1] if self.tokens else token
            if before.kind == "name" and before.end == token.start:
                word = before.text + word
                span = join(before.span, span)
            return Mistake(
                "RS202", f"`{word}` can't be a name", span, "names are made of the letters a to z, digits and `_`"
            )
        if word == "?" and self.start in _TYPE_STARTS:
            name = self.tokens[-1].text if self.tokens else "T"
            return Mistake("RS206", "`?` is not used here", span, f"write `optional {name}`")
        if word in FOREIGN_SIGNS:
            return Mistake("RS206", f"`{word}` is not used in this language", span, FOREIGN_SIGNS[word])
        shown = f"`{word}`" if word.isprintable() and not word.isspace() else f"U+{ord(word[0]):04X}"
        return Mistake("RS202", f"the character {shown} has no meaning here", span, "leave it out")


_EMPTY = {
    "block": "write an effect, or `nothing`",
    "expression": "write a value",
    "selection": "write `NAME in DOMAIN`",
    "type": "write a type",
}


def _too_deep(span: Span) -> Mistake:
    return Mistake("RS200", "this is nested too deeply, or has too many operators", span, "split it into functions")


def missing_colon(head: Token, span: Span) -> Mistake:
    """The mistake of a line that needs a `:`."""
    return Mistake("RS211", f"a `:` is missing after `{head.text} ...`", span, "end the line with `:`")
