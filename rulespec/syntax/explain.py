"""What is wrong where the grammar can't go on, in the author's words."""

from __future__ import annotations

from collections.abc import Sequence, Set
from difflib import get_close_matches

from rulespec.source import Span
from rulespec.syntax.mistakes import Mistake
from rulespec.syntax.scan import BODY_WORDS, RESERVED, STATEMENT_WORDS, Token, missing_colon

_COMPARE = frozenset(["==", "!=", "<", "<=", ">", ">=", "in", "not in", "within"])
_OPERATORS = _COMPARE | frozenset(["+", "-", "*", "/", "mod", "and", "or", "not", "otherwise", "..", "down to"])
_SEPARATORS = frozenset(["and", "or", "not", "if", "else", "otherwise", "where", "for", "until", "from", ",", "=", ":"])
_LINE_ENDS = frozenset(["newline", "indent", "dedent", "end"])

_FORMS = {
    "let": "`let NAME = VALUE`",
    "raise": "`raise V by N` or `raise V by up to N`",
    "lower": "`lower V by N` or `lower V by up to N`",
    "move": "`move C to ZONE`, `move all ZONE to ZONE` or `move N of COUNTER to COUNTER`",
    "swap": "`swap V and W`",
    "draw": '`draw N from ZONE to ZONE`, or `draw "reason"` for a drawn game',
    "shuffle": "`shuffle ZONE, ZONE`",
    "turn": "`turn C over` or `turn C to FACE`",
    "remove": "`remove C` or `remove all ZONE`",
    "if": "`if COND:`",
    "else": "`else:` or `else if COND:`",
    "while": "`while COND:`",
    "repeat": "`repeat N times:`",
    "for": "`for NAME in DOMAIN where COND:`",
    "choose": '`choose NAME in DOMAIN by WHO "prompt":`',
    "ask": "`ask WHO: action, action`",
    "window": "`window SEATS: action, action`",
    "return": "`return VALUE`",
    "say": '`say "text"`',
    "reveal": "`reveal X to WHO`",
    "record": "`record NAME`",
    "end": "`end PHASE` or `end game`",
    "win": '`win WHO "reason"`',
    "lose": '`lose WHO "reason"`',
    "nothing": "`nothing` alone",
}

_START_FORMS = {
    "selection": "write `NAME in DOMAIN where COND`",
    "signature": "write `name(TYPE NAME, TYPE NAME) -> TYPE`",
    "field_decl": "write `name`, `name[TYPE]` or `name(TYPE NAME)`",
    "event": "write setup, phase, action, call, move, change or turn, as in `move Card c to hand[player p]`",
    "grid": "write `WIDTH x HEIGHT`",
    "rank": "write `lowest VALUE` or `highest VALUE`",
    "pay": "write `N VARIABLE`, as in `1 treats[me]`",
    "repeat": "write `VARIABLE in A..B`",
    "type": "write a type's name, `A..B`, `optional T`, `set of T` or `[a, b]`",
}

_FALSE_WORDS = {
    "elif": "write `else if COND:`",
    "elsif": "write `else if COND:`",
    "elseif": "write `else if COND:`",
    "then": "write `:` in place of `then`",
    "lambda": "there are no functions without a name; declare one under `functions`",
    "def": "declare functions under `functions`, procedures under `procedures`",
    "together": "write `for p in players, together:`",
    "foreach": "write `for NAME in DOMAIN:`",
    "do": "write `:` in place of `do`",
    "switch": "write `if COND:` and `else if COND:`",
    "unless": "write `if not COND:`",
    "break": "give the loop a condition, or put it in a procedure and `return`",
    "continue": "put what follows under an `if`",
    "set": "write `V = VALUE`",
    "var": "write `let NAME = VALUE`",
    "discard": "write `move C to ZONE`",
    "print": 'write `say "text"`',
}


class Place:
    """Where the parser is stuck: `found` is tokens[at]; `accepts` are the words and kinds that fit."""

    def __init__(self, start: str, tokens: Sequence[Token], at: int, accepts: Set[str]) -> None:
        self.start = start
        self.tokens = tokens
        self.at = at
        self.accepts = accepts
        self.found = tokens[at]
        self.before = tokens[at - 1] if at else None
        self.line = at
        while self.line > 0 and tokens[self.line - 1].kind not in ("newline", "indent", "dedent"):
            self.line -= 1
        self.head = tokens[self.line] if self.line < at else None
        """The first token of the effect, or of the whole text, unless that is the one found."""

    @property
    def value_wanted(self) -> bool:
        """Whether a value can begin here."""
        return "number" in self.accepts

    @property
    def ended(self) -> bool:
        """Whether the text or line is over."""
        return self.found.kind in _LINE_ENDS

    def earlier(self, back: int) -> str:
        """The text of a token before the found one; "" before the start of the line."""
        at = self.at - back
        return self.tokens[at].text if at >= self.line else ""

    def level(self) -> list[Token]:
        """The tokens before the found one on the same level of brackets, nearest first."""
        depth, found = 0, []
        for token in reversed(self.tokens[self.line : self.at]):
            if token.text in ("(", "[") and token.kind == "op":
                depth -= 1
                if depth < 0:
                    break
            elif token.text in (")", "]") and token.kind == "op":
                depth += 1
            elif depth == 0:
                found.append(token)
        return found

    def bracket(self) -> int:
        """The place of the innermost open bracket in tokens, or -1."""
        depth = 0
        for at in range(self.at - 1, self.line - 1, -1):
            text = self.tokens[at].text
            if text in (")", "]"):
                depth += 1
            elif text in ("(", "["):
                if depth == 0:
                    return at
                depth -= 1
        return -1


def explain(place: Place) -> Mistake:
    """The mistake at a place: the first of the common ones that fits, or what was found and what could stand."""
    for look in (_false_word, _equals, _chain, _text, _lines, _heads, _keyword, _comma, _too_early):
        mistake = look(place)
        if mistake:
            return mistake
    return _generic(place)


def _false_word(place: Place) -> Mistake | None:
    """Words of other languages, `is`, and words no effect begins with."""
    found, before = place.found, place.before
    for token in (before, found):
        if token is None or token.kind != "name":
            continue
        if token.text in _FALSE_WORDS and (token is found or before is place.head or token.text == "lambda"):
            if token.text in ("set", "discard", "print", "do", "together") and token is found:
                continue
            return Mistake("RS206", f"`{token.text}` is not used in this language", token.span, _FALSE_WORDS[token.text])
    if found.text == "is" and found.kind == "name":
        following = place.tokens[place.at + 1]
        return Mistake(
            "RS206", "`is` is not used in this language", found.span, f"write `{'!=' if following.text == 'not' else '=='}`"
        )
    if place.start == "block" and before and before is place.head and before.kind == "name" and not place.ended:
        if found.kind in ("name", "number", "text") and before.text not in STATEMENT_WORDS | RESERVED:
            near = get_close_matches(before.text, STATEMENT_WORDS, 1, 0.75)
            hint = f"did you mean `{near[0]}`?" if near else f"to call a procedure write `{before.text}(...)`"
            return Mistake("RS218", f"no effect begins with `{before.text}`", before.span, hint)
    return None


def _equals(place: Place) -> Mistake | None:
    found = place.found
    if found.text not in ("=", "+=", "-="):
        return None
    bracket = place.bracket()
    if found.text != "=":
        return Mistake("RS208", f"`{found.text}` can't stand inside a value", found.span, "it changes a variable, as an effect")
    if bracket > 0 and place.tokens[bracket - 1].kind == "name" and place.earlier(2) in ("(", ","):
        return Mistake(
            "RS219",
            f"`{place.earlier(1)}=` can't stand here: values are given in order, without names",
            found.span,
            "write the value alone",
        )
    if place.head and place.head.text not in STATEMENT_WORDS and place.start == "block" and bracket < 0:
        return Mistake("RS208", "only one value is set at a time", found.span, "write an effect for each")
    return Mistake("RS208", "`=` sets a value and can't compare", found.span, "to compare write `==`")


def _chain(place: Place) -> Mistake | None:
    found = place.found
    if found.text not in _COMPARE or place.value_wanted:
        return None
    for token in place.level():
        if token.text in _COMPARE:
            return Mistake(
                "RS210", f"`{token.text}` and `{found.text}` can't be chained", found.span, "join two comparisons by `and`"
            )
        if token.text in _SEPARATORS:
            break
    return None


def _text(place: Place) -> Mistake | None:
    found = place.found
    if found.kind != "text" or "text" in place.accepts:
        return None
    word = found.text[1:-1]
    hint = "texts stand only after `say`, as prompts and as reasons"
    if word.isidentifier():
        hint = f"a name has no quotes: write `{word}`"
    return Mistake("RS209", "a text can't be a value", found.span, hint)


def _lines(place: Place) -> Mistake | None:
    """`:` left out at the end of a line or before the actions of `ask`, and other things about `:`."""
    found, head = place.found, place.head
    if place.start != "block" or head is None:
        return None
    if found.text == "else" and place.before and place.before.kind in _LINE_ENDS:
        return None
    if head.text == "choose" and "by" in place.accepts and (place.ended or found.text == ":"):
        return Mistake("RS217", "it is not said who chooses", found.span, "write `by WHO` or `by chance` before `:`")
    if ":" in place.accepts and place.ended:
        return missing_colon(head, found.span)
    if head.text in ("ask", "window") and ":" in place.accepts and found.kind == "name":
        return Mistake("RS211", f"a `:` is missing before `{found.text}`", found.span, f"write {_FORMS[head.text]}")
    if found.text == ":" and head.text == "else":
        return None
    return None


def _heads(place: Place) -> Mistake | None:
    """Mistakes of one kind of effect."""
    found, head, before = place.found, place.head, place.before
    if head is None or before is None:
        return None
    word = head.text
    if word == "return" and found.text == "," and place.bracket() < 0:
        return Mistake("RS224", "only one value can be returned", found.span, "return a list: `return [a, b]`")
    if word == "choose" and found.kind == "name" and len(place.tokens[place.line : place.at]) == 2:
        if before.kind == "number":
            return Mistake(
                "RS217", f"it is not said what `{before.text}` means", before.span, f"write `exactly {before.text}` or `up to {before.text}`"
            )
    names = place.start == "selection" or word in ("for", "choose")
    if names and found.kind == "name" and before.kind == "name" and found.text not in RESERVED and "in" in place.accepts:
        return Mistake("RS216", f"`in` is missing after `{before.text}`", found.span, "write `NAME in DOMAIN`")
    if found.text == "for" and place.bracket() >= 0 and place.tokens[place.bracket()].text == "[":
        return Mistake("RS220", "a list is not made with `for`", found.span, "write `those(VALUE for NAME in DOMAIN)`")
    if found.text == "for" and any(token.text == "for" for token in place.level()):
        return Mistake("RS220", "there is one `for` only", found.span, "write a comma: `for x in A, y in B`")
    return None


def _keyword(place: Place) -> Mistake | None:
    """A reserved word where a name is wanted."""
    found, before = place.found, place.before
    if found.text not in RESERVED or found.kind != "name":
        return None
    following = place.tokens[place.at + 1]
    wanted = "name" in place.accepts and not place.value_wanted
    if wanted or (before and before.text in ("for", "choose", ",", "(") and following.text in ("in", "at")):
        return Mistake("RS212", f"`{found.text}` is a word of the language and can't be a name", found.span, "choose another name")
    return None


def _comma(place: Place) -> Mistake | None:
    found, before = place.found, place.before
    if before is None or before.text != "," or before.kind != "op":
        return None
    if found.text in (")", "]", ":") or place.ended:
        return Mistake("RS213", "nothing stands after the comma", before.span, "leave the comma out")
    return None


def _too_early(place: Place) -> Mistake | None:
    found, before = place.found, place.before
    if place.ended:
        if before is None:
            return None
        end = "line" if place.start == "block" else "text"
        if "else" in place.accepts and any(token.text == "if" for token in place.level()):
            return Mistake("RS214", "an `if` inside a value needs `else`", found.span, "write `A if COND else B`")
        what = _list(place) or "more"
        return Mistake("RS214", f"the {end} ends after `{before.text}`, but {what} must follow", found.span, _form(place))
    if place.value_wanted and before is not None and (found.text in _OPERATORS or found.text in (")", "]", ",", ":")):
        return Mistake("RS214", f"a value is missing between `{before.text}` and `{found.text}`", found.span, _form(place))
    if found.text in ("else", "elif") and place.start == "block" and place.head is None:
        return Mistake("RS218", "this `else` has no `if`", found.span, "give it as many spaces as its `if`")
    return None


def _generic(place: Place) -> Mistake:
    found, before = place.found, place.before
    where = f"after `{before.text}`" if before is not None and before.kind not in _LINE_ENDS else "here"
    could = _list(place)
    hint = _form(place)
    if could and not hint:
        hint = f"here can stand {could}"
    elif could:
        hint = f"here can stand {could}; {hint}"
    return Mistake("RS215", f"`{found.text}` can't stand {where}", found.span, hint)


def _form(place: Place) -> str:
    if place.start == "block":
        head = place.head
        return f"write {_FORMS[head.text]}" if head is not None and head.kind == "name" and head.text in _FORMS else ""
    return _START_FORMS.get(place.start, "")


def _list(place: Place) -> str:
    """What could stand here, four things at most."""
    accepts = place.accepts
    found: list[str] = []
    if place.value_wanted:
        if "let" in accepts:
            found.append("an effect")
        elif "optional" in accepts:
            found.append("a type")
        else:
            found.append("a value")
    elif "name" in accepts:
        found.append("a name")
    if "text" in accepts:
        found.append('a text in `"`')
    words = [":", "=", "to", "by", "in", "from", "times", "over", "of", "and", "else", ")", "]", ",", "->", "x", "("]
    found += [f"`{word}`" for word in words if word in accepts and not (word in ("and", "in", "(") and "==" in accepts)]
    if "==" in accepts or "+" in accepts:
        found.append("an operator")
    rest = sorted(accepts - set(words) - _OPERATORS)
    if not found:
        found += [f"`{word}`" for word in rest if word[0].isalpha() and word not in ("name", "number", "text", "newline", "end")]
    if "newline" in accepts:
        found.append("the end of the line")
    elif "end" in accepts and not place.ended:
        found.append("the end")
    found = found[:4]
    return found[0] if len(found) == 1 else ", ".join(found[:-1]) + " or " + found[-1] if found else ""


def after(span: Span) -> Span:
    """The empty place after a span."""
    return Span(span.path, span.end_line, span.end_column, span.end_line, span.end_column)


__all__ = ["BODY_WORDS", "Place", "explain"]
