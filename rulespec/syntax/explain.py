"""What is wrong where the grammar can't go on, in the author's words."""

from __future__ import annotations

from collections.abc import Sequence, Set
from difflib import get_close_matches

from rulespec.syntax.mistakes import Mistake
from rulespec.syntax.scan import Token, missing_colon
from rulespec.syntax.words import (
    BODY_WORDS,
    COMPARISONS,
    FALSE_WORDS,
    FORMS,
    OPERATORS,
    RESERVED,
    SEPARATORS,
    START_FORMS,
    STATEMENT_WORDS,
)

_LINE_ENDS = frozenset(["newline", "indent", "dedent", "end"])


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
    """Words of other languages, and words no effect begins with."""
    found, before = place.found, place.before
    following = place.tokens[min(place.at + 1, len(place.tokens) - 1)].text
    if found.text == "is":
        return _foreign(found, f"write `{'!=' if following == 'not' else '=='}`")
    if before is not None and before.text == "lambda":
        return _foreign(before, "declare a function under `functions`")
    if place.start in ("type", "signature", "field_decl"):
        if found.text == "or":
            return _foreign(found, "write `optional T`")
        if before is not None and before.text in ("set", "list"):
            return _foreign(before, f"write `{before.text} of {found.text}`")
    if place.start == "event" and place.at == 0:
        hint = f"for a procedure write `call {found.text}`; " if following == "(" else ""
        return Mistake("RS222", f"no event begins with `{found.text}`", found.span, hint + START_FORMS["event"])
    if place.start != "block":
        return None
    if found.text in ("then", "do") and ":" in place.accepts:
        return _foreign(found, FALSE_WORDS[found.text])
    if before is None or before is not place.head or before.kind != "name" or place.ended:
        return None
    if found.text == ":" or found.kind in ("name", "number", "text"):
        if before.text in FALSE_WORDS:
            return _foreign(before, FALSE_WORDS[before.text])
        if before.text not in STATEMENT_WORDS | RESERVED:
            near = get_close_matches(before.text, STATEMENT_WORDS, 1, 0.75)
            hint = f"did you mean `{near[0]}`?" if near else f"to call a procedure write `{before.text}(...)`"
            return Mistake("RS218", f"no effect begins with `{before.text}`", before.span, hint)
    return None


def _foreign(token: Token, hint: str) -> Mistake:
    return Mistake("RS206", f"`{token.text}` is not used in this language", token.span, hint)


def _equals(place: Place) -> Mistake | None:
    found = place.found
    if found.text not in ("=", "+=", "-="):
        return None
    bracket = place.bracket()
    if found.text != "=":
        return Mistake(
            "RS208", f"`{found.text}` can't stand inside a value", found.span, "it changes a variable, as an effect"
        )
    if bracket > 0 and place.tokens[bracket - 1].kind == "name" and place.earlier(2) in ("(", ","):
        return Mistake(
            "RS219",
            f"`{place.earlier(1)}=` can't stand here: values are given in order, without names",
            found.span,
            "write the value alone",
        )
    if place.head and place.head.text == "for" and place.at == place.line + 2:
        return Mistake("RS216", "`in` must stand in place of `=`", found.span, "write `for NAME in DOMAIN:`")
    if place.head and place.head.text not in STATEMENT_WORDS and place.start == "block" and bracket < 0:
        return Mistake("RS208", "only one value is set at a time", found.span, "write an effect for each")
    return Mistake("RS208", "`=` sets a value and can't compare", found.span, "to compare write `==`")


def _chain(place: Place) -> Mistake | None:
    found = place.found
    if found.text not in COMPARISONS or place.value_wanted:
        return None
    for token in place.level():
        if token.text in COMPARISONS:
            return Mistake(
                "RS210",
                f"`{token.text}` and `{found.text}` can't be chained",
                found.span,
                "join two comparisons by `and`",
            )
        if token.text in SEPARATORS:
            break
    return None


def _text(place: Place) -> Mistake | None:
    found = place.found
    if found.kind != "text" or not place.value_wanted:
        return None
    word = found.text[1:-1]
    hint = "texts stand only after `say`, as prompts and as reasons"
    if word.isidentifier():
        hint = f"a name has no quotes: write `{word}`"
    return Mistake("RS209", "a text can't be a value", found.span, hint)


def _lines(place: Place) -> Mistake | None:
    """A `:` left out or too much, in effects."""
    found, head, before = place.found, place.head, place.before
    if place.start != "block" or head is None or before is None:
        return None
    if head.text == "choose" and "by" in place.accepts and (place.ended or found.text == ":" or found.kind == "text"):
        return Mistake("RS217", "it is not said who chooses", found.span, "write `by WHO` or `by chance`")
    if ":" in place.accepts and place.ended:
        return missing_colon(head, found.span)
    bound = head.text not in ("for", "choose") or any(token.text == "in" for token in place.level())
    if (
        ":" in place.accepts
        and head.text in BODY_WORDS
        and bound
        and found.kind == "name"
        and found.text not in RESERVED
    ):
        return Mistake("RS211", f"a `:` is missing before `{found.text}`", found.span, f"write {FORMS[head.text]}")
    if before.text == ":" and found.text in BODY_WORDS:
        hint = "begin it on the next line, indented"
        return Mistake("RS211", f"`{found.text}` can't stand on the same line as another `:`", found.span, hint)
    if "=" in place.accepts and place.bracket() >= 0:
        hint = f"write `{before.text}=VALUE`"
        return Mistake("RS219", f"after `{before.text}` must stand `=` and its value", found.span, hint)
    return None


def _heads(place: Place) -> Mistake | None:
    """Mistakes of one kind of effect."""
    found, head, before = place.found, place.head, place.before
    if head is None or before is None:
        return None
    word = head.text
    if word == "return" and found.text == "," and place.bracket() < 0:
        return Mistake("RS224", "only one value can be returned", found.span, "return a list: `return [a, b]`")
    following = place.tokens[place.at + 1].text if not place.ended else ""
    if word == "choose" and found.kind == "name" and following in ("in", "at") and "to" in place.accepts:
        number = place.tokens[place.line + 1 : place.at]
        shown = number[0].text if len(number) == 1 else "N"
        hint = f"write `exactly {shown}`, `up to {shown}` or `N to M`"
        return Mistake("RS217", "a number to choose needs a word before it", number[0].span, hint)
    names = place.start == "selection" or word in ("for", "choose")
    if (
        names
        and found.kind == "name"
        and before.kind == "name"
        and found.text not in RESERVED
        and "in" in place.accepts
    ):
        return Mistake("RS216", f"`in` is missing after `{before.text}`", found.span, "write `NAME in DOMAIN`")
    if found.text == "for" and place.bracket() >= 0 and place.tokens[place.bracket()].text == "[":
        return Mistake("RS220", "a list is not made with `for`", found.span, "write `those(VALUE for NAME in DOMAIN)`")
    if found.text == "to" and before.kind == "number" and "+" in place.accepts:
        return Mistake("RS215", "`to` makes no range", found.span, f"write `{before.text}..{following}`")
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
        return Mistake(
            "RS212", f"`{found.text}` is a word of the language and can't be a name", found.span, "choose another name"
        )
    return None


def _comma(place: Place) -> Mistake | None:
    found, before = place.found, place.before
    if before is None or before.text != "," or before.kind != "op":
        return None
    if found.text in (")", "]", ":") or place.ended:
        return Mistake("RS213", "nothing stands after the comma", before.span, "leave the comma out")
    return None


def _too_early(place: Place) -> Mistake | None:
    """Something must follow and doesn't."""
    found, before = place.found, place.before
    if place.ended and before is not None:
        if "else" in place.accepts and any(token.text == "if" for token in place.level()):
            return Mistake("RS214", "an `if` inside a value needs `else`", found.span, "write `A if COND else B`")
        could = _could(place)
        if len(could) > 1 and "an operator" in could:
            could.remove("an operator")
        return Mistake("RS214", f"`{before.text}` must be followed by {_either(could)}", found.span, _form(place))
    if found.text == "else" and place.start == "block" and place.head is None:
        return Mistake("RS218", "this `else` has no `if`", found.span, "give it as many spaces as its `if`")
    if place.value_wanted and (found.text in OPERATORS or found.text in (")", "]", ",", ":", "if")):
        if before is None or before.kind in _LINE_ENDS or before.text in ("(", "[", ","):
            return Mistake("RS214", f"a value is missing before `{found.text}`", found.span, _form(place))
        return Mistake(
            "RS214", f"a value is missing between `{before.text}` and `{found.text}`", found.span, _form(place)
        )
    return None


def _generic(place: Place) -> Mistake:
    found, before = place.found, place.before
    where = f"after `{before.text}`" if before is not None and before.kind not in _LINE_ENDS else "here"
    hints = [f"here can stand {_either(_could(place))}", _form(place)]
    return Mistake(
        "RS215", f"`{found.text}` can't stand {where}", found.span, "; ".join(hint for hint in hints if hint)
    )


def _form(place: Place) -> str:
    if place.start == "block":
        head = place.head
        return f"write {FORMS[head.text]}" if head is not None and head.kind == "name" and head.text in FORMS else ""
    return START_FORMS.get(place.start, "")


_LINKS = (":", "=", "to", "by", "from", "times", "over", "of", "in", "and", "else", ")", "]", ",", "->", "x")
"""Words and signs that are worth naming when they could stand somewhere."""


def _could(place: Place) -> list[str]:
    """What could stand at a place in the author's words, at most four things."""
    accepts = place.accepts
    found: list[str] = []
    if place.value_wanted:
        found.append("an effect" if "let" in accepts else "a type" if "optional" in accepts else "a value")
    elif "name" in accepts:
        found.append("a name")
    if "text" in accepts:
        found.append('a text in `"`')
    operators = "+" in accepts or "==" in accepts
    unlikely: set[str] = {"in", "and"} if operators else set()
    if not accepts.isdisjoint([")", "]", ":", "newline", "end"]):
        unlikely |= {"from", "by"}
    found += [f"`{word}`" for word in _LINKS if word in accepts and word not in unlikely]
    if operators:
        found.append("an operator")
    if not found:
        found += [f"`{word}`" for word in sorted(accepts) if word[0].isalpha() and word not in ("newline", "end")]
    if "newline" in accepts:
        found.append("the end of the line")
    elif "end" in accepts:
        found.append("the end")
    elif not found and "(" in accepts:
        found.append("`(`")
    return found[:4]


def _either(things: list[str]) -> str:
    return things[0] if len(things) == 1 else ", ".join(things[:-1]) + " or " + things[-1] if things else "nothing"
