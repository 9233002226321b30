"""The tables of the grammar, and the parser that they drive.

`generate` makes tables.json from grammar.lark ahead of time, for that takes lark and half a second. Tables that were
made of another grammar are not used: then they are made anew, in memory.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pkgutil import get_data
from typing import Any
from zlib import crc32

from rulespec.syntax.build import Builder
from rulespec.syntax.scan import Token

Stack = list[int]
"""The states that a parser has come through."""


class Rule:
    """What a reduction does.

    origin, size: the rule's name, and the number of its symbols.
    build: makes a value of the parts.
    single: whether a part that is alone is the value itself.
    shape: where the parts come from, None for the symbols as they are: the number of a symbol, `~` of it for a symbol
        that stands for several parts, None for what is left out.
    chain: whether the value is that of the only symbol.
    """

    __slots__ = ("build", "chain", "origin", "shape", "single", "size")

    def __init__(self, origin: str, size: int, name: str, single: bool, shape: list[int | None] | None) -> None:
        self.origin = origin
        self.size = size
        self.build: Callable[[list[Any]], Any] = getattr(_BUILDER, name, _parts)
        self.single = single
        self.shape = shape
        self.chain = single and size == 1 and shape is None

    def value(self, parts: list[Any]) -> Any:
        """The value of a rule with the values of its symbols."""
        if self.shape is not None:
            symbols, parts = parts, []
            for at in self.shape:
                if at is None:
                    parts.append(None)
                elif at >= 0:
                    parts.append(symbols[at])
                elif parts:
                    parts += symbols[~at]
                else:  # a list that grows from the left is not copied
                    parts = symbols[~at]
        return parts[0] if self.single and len(parts) == 1 else self.build(parts)


def _parts(parts: list[Any]) -> list[Any]:
    return parts


_BUILDER = Builder()


class Tables:
    """The tables of an LALR(1) parser.

    A terminal is a keyword or sign as it is written, or the kind of a token in upper case.

    steps: for each state what terminals lead to: a state, or `~` of the number of a rule to reduce first.
    gotos: for each state where a rule's name leads to.
    starts: the first state of each start rule.
    words: all keywords and signs. pairs: the first words of keywords of two words.
    """

    __slots__ = ("gotos", "pairs", "rules", "starts", "steps", "words")

    def __init__(self, data: dict[str, Any]) -> None:
        self.rules = [Rule(*rule) for rule in data["rules"]]
        self.starts: dict[str, int] = data["starts"]
        self.steps: list[dict[str, int]] = []
        self.gotos: list[dict[str, int]] = []
        for shifts, gotos, reductions in data["states"]:
            for rule, terminals in reductions:
                shifts.update(dict.fromkeys(terminals, ~rule))
            self.steps.append(shifts)
            self.gotos.append(gotos)
        terminals = {terminal for steps in self.steps for terminal in steps}
        self.words = frozenset(terminal for terminal in terminals if not terminal.isupper())
        self.pairs = frozenset(word.split()[0] for word in self.words if " " in word)

    def fits(self, stack: Stack, terminal: str) -> bool:
        """Whether a terminal can come next."""
        stack = stack.copy()
        while (step := self.steps[stack[-1]].get(terminal)) is not None:
            if step >= 0:
                return True
            rule = self.rules[~step]
            del stack[len(stack) - rule.size :]
            stack.append(self.gotos[stack[-1]][rule.origin])
        return False

    def accepts(self, stack: Stack) -> set[str]:
        """What can come next: words, and kinds of tokens."""
        return {terminal.lower() for terminal in self.steps[stack[-1]] if self.fits(stack, terminal)}


class Parse:
    """A parse under way."""

    __slots__ = ("_tables", "_values", "stack")

    def __init__(self, tables: Tables, start: str) -> None:
        self._tables = tables
        self._values: list[Any] = []
        self.stack: Stack = [tables.starts[start]]

    @property
    def result(self) -> Any:
        """The value of the start rule, after the last token."""
        return self._values[0]

    def feed(self, token: Token) -> bool:
        """Takes a token as the terminal of its `type`; whether it fits."""
        tables, stack, values = self._tables, self.stack, self._values
        while (step := tables.steps[stack[-1]].get(token.type)) is not None:
            if step >= 0:
                stack.append(step)
                values.append(token)
                return True
            rule = tables.rules[~step]
            if rule.chain:
                stack.pop()
            else:
                at = len(values) - rule.size
                parts = values[at:]
                del values[at:], stack[at + 1 :]
                values.append(rule.value(parts))
            stack.append(tables.gotos[stack[-1]][rule.origin])
        return False


def checksum(grammar: str) -> int:
    """Tells grammars apart."""
    return crc32(grammar.encode())


def read_grammar() -> str:
    """The text of grammar.lark."""
    return _text("grammar.lark")


def read_tables() -> str:
    """The text of tables.json."""
    return _text("tables.json")


def _text(name: str) -> str:
    data = get_data("rulespec.syntax", name)
    assert data is not None
    return data.decode("utf-8").replace("\r\n", "\n")


@cache
def load() -> Tables:
    """The tables of grammar.lark."""
    data = json.loads(read_tables())
    grammar = read_grammar()
    if data["grammar"] != checksum(grammar):
        from rulespec.syntax.generate import make

        data = make(grammar)
    return Tables(data)
