"""The section on the end of a game: scoring, who wins, and where a rule ends it."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.rulebook.blocks import Block, Blocks, Items, Paragraph, Runs, Section, Text
from interpreter.rulebook.layers import resolved
from interpreter.rulebook.speech import merged, sentence
from interpreter.rulebook.things import Things
from rulespec import checked as ir
from rulespec.check.walk import nodes


class Ending(Things):
    """Writes the section on the end."""

    def all_phases(self) -> Iterator[ir.Phase]:
        """Every phase, each before its parts."""

        def walk(phases: tuple[ir.Phase, ...]) -> Iterator[ir.Phase]:
            for phase in phases:
                if self.exists(phase.only_if):
                    yield phase
                    yield from walk(phase.phases)

        yield from walk(self.spec.phases)

    def result(self) -> Iterator[Section]:
        """Scoring and victory."""
        blocks: list[Block] = []
        result = self.spec.result
        with self.scope():
            # "your score" reads better than that of a player who is spoken of
            self.locals[result.p] = self.you()
            if result.score is not None and not self._is_score(result.score):
                blocks.append(Paragraph(sentence(self._score(result.score))))
        with self.scope():
            self.locals[result.p] = self.you()
            for n, (direction, key) in enumerate(result.rank_by):
                what: Runs = self._rank_name(key)
                name = f"result.{direction}" if n == 0 else f"result.tie_{direction}"
                blocks.append(Paragraph(sentence(self.say(name, x=what))))
        if result.rank_by:
            blocks.append(self.sentence("result.tied"))
        ends = self._ends()
        if ends:
            blocks += [self.sentence("result.outcomes"), Items(ends)]
        doc = self.doc("result", "")
        yield from self.section("scoring", (*doc, *self.rules(blocks)))

    def _score(self, score: ir.Expr) -> Runs:
        """What the score is; a choice of two stands there without parentheses."""
        while isinstance(score, ir.Convert):
            score = score.value
        if isinstance(score, ir.Cond) and self.known(score.test) is None:
            then, other = self.noun(score.then), self.noun(score.other)
            return self.say("result.score_if", then=then, cond=self.condition(score.test), other=other)
        return self.say("result.score", x=self.noun(score))

    def _is_score(self, score: ir.Expr) -> bool:
        """Whether the score is a variable of that name, of which there is nothing to tell."""
        word = self.phrases["result.score_word"]
        return isinstance(score, ir.VarRead) and self.lexicon.of("variable", score.variable).lower() == word.lower()

    def _rank_name(self, key: ir.Expr) -> Runs:
        result = self.spec.result
        while isinstance(key, ir.Convert):
            key = key.value
        if result.score is not None and _same(key, result.score):
            return self.say("result.score_word")
        if isinstance(key, ir.VarRead) and len(key.indices) == 1:
            return self.thing("variable", key.variable).form("bare")
        if isinstance(key, ir.FunctionCall) and len(key.args) == 1:
            return self.thing("function", key.function).form("bare")
        return self.noun(key).form("bare")

    def _ends(self) -> tuple[Blocks, ...]:
        """Where somebody wins or loses, and where the game ends."""
        found: list[Blocks] = []
        seen: set[str] = set()

        def look(kind: str, name: str, me: ir.Local | None, body: object, params: tuple[ir.Local, ...] = ()) -> None:
            for node in nodes(body):
                if not isinstance(node, ir.Outcome) and not (isinstance(node, ir.End) and not node.phase):
                    continue
                with self.scope():
                    self.me(me)
                    for param in params:
                        self.bind(param)
                    line = self.lines((node,))[0].runs
                where = self.reference(kind, name, self.title(kind, name))
                told = merged((*where, Text(": "), *line))
                text = "".join(str(run) for run in told)
                if text not in seen:
                    seen.add(text)
                    found.append((Paragraph(sentence(told)),))

        spec = self.spec
        for phase in self.all_phases():
            look("phase", phase.name, phase.me, (phase.do, phase.if_stuck, phase.before_turn, phase.after_turn))
        for action in spec.actions.values():
            if self.exists(action.only_if):
                look("action", action.name, action.me, action.do)
        for name, procedure in spec.procedures.items():
            if ("procedure", name) in self.called:
                bodies = [body for _, body in resolved(self, procedure.layers, procedure.only_if)]
                params = tuple(param for layer in procedure.params for param in layer)
                look("procedure", name, None, tuple(bodies), params)
        for trigger in spec.triggers:
            if self.exists(trigger.only_if):
                look("trigger", trigger.name, trigger.me, trigger.do, trigger.binds)
        return tuple(found)


def _same(a: ir.Expr, b: ir.Expr) -> bool:
    """Whether two expressions stand in the same place of the file, or read the same variable."""
    if a.span == b.span:
        return True
    return isinstance(a, ir.VarRead) and isinstance(b, ir.VarRead) and a.variable == b.variable
