"""Effects as lines: sentences with what stands under them, laid out as paragraphs and lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from interpreter.rulebook.blocks import Block, Blocks, Items, Paragraph, Runs, Text, plain
from interpreter.rulebook.clauses import Clauses
from interpreter.rulebook.speech import Phrase, merged, sentence
from rulespec import checked as ir

_LONG = 150
"""Letters of a sentence with "if" that is still told on one line."""


@frozen
class Line:
    """A sentence without its full stop, and the lines that stand under it."""

    runs: Runs
    under: tuple[Line, ...] = field(default=())


class Lines(Clauses):
    """Makes sentences, and lists where something depends, repeats or is chosen; each kind of effect has a method."""

    def effects(self, block: ir.Block, *, numbered: bool = False) -> Blocks:
        """A block of effects: one paragraph where it is plain, else a list."""
        return self.laid_out(self.lines(block), numbered=numbered)

    def laid_out(self, lines: Sequence[Line], *, numbered: bool = False) -> Blocks:
        """Lines as blocks."""
        if not lines:
            return ()
        if all(not line.under for line in lines) and (len(lines) == 1 or not numbered):
            return (Paragraph(_sentences(lines)),)
        if len(lines) == 1:
            return (Paragraph(sentence(lines[0].runs, "")), *_items(lines[0].under))
        return (Items(tuple(_item(line) for line in lines), numbered),)

    def lines(self, block: ir.Block) -> tuple[Line, ...]:
        """A block as lines, without what is only announced."""
        found: list[Line] = []
        quiet = [stmt for stmt in block if not isinstance(stmt, ir.Say)] or list(block)
        with self.scope():
            for stmt in quiet:
                method = getattr(self, f"_do_{type(stmt).__name__}")
                if isinstance(stmt, ir.Let | ir.LetCall):
                    found += method(stmt)
                else:
                    with self.scope():
                        found += method(stmt)
        return tuple(found)

    def line(self, key: str, /, **arguments: Any) -> list[Line]:
        """One sentence."""
        return [Line(self.say(f"statements.{key}", **arguments))]

    def under(self, key: str, block: Sequence[Line], /, **arguments: Any) -> list[Line]:
        """A head with lines under it (`key.many`); one short sentence stands on the same line (`key.one`)."""
        one = f"statements.{key}.one"
        if len(block) == 1 and not block[0].under and one in self.phrases:
            line = self.say(one, then=block[0].runs, **arguments)
            if len(plain(line)) <= _LONG:
                return [Line(line)]
        if not block:
            block = [Line(self.say("statements.nothing"))]
        return [Line(self.say(f"statements.{key}.many", **arguments), tuple(block))]

    def actor(self, expr: ir.Expr) -> Phrase:
        """Who does something."""
        return self.noun(expr)


def _sentences(lines: Sequence[Line]) -> Runs:
    runs: list[Any] = []
    for n, line in enumerate(lines):
        if n:
            runs.append(Text(" "))
        runs += sentence(line.runs)
    return merged(tuple(runs))


def _item(line: Line) -> Blocks:
    if not line.under:
        return (Paragraph(sentence(line.runs)),)
    return (Paragraph(sentence(line.runs, "")), *_items(line.under))


def _items(lines: Sequence[Line]) -> tuple[Block, ...]:
    return (Items(tuple(_item(line) for line in lines)),) if lines else ()
