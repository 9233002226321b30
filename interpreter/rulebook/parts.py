"""What all sections of a book are made with: ids, lead-ins, docs, types in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from interpreter.rulebook.blocks import (
    Author,
    Block,
    Blocks,
    Items,
    Paragraph,
    Pictures,
    Rules,
    Runs,
    Section,
    Strong,
    Text,
    plain,
)
from interpreter.rulebook.clauses import conjuncts
from interpreter.rulebook.effects import Effects
from interpreter.rulebook.lexicon import Lexicon, Phrases, words
from interpreter.rulebook.speech import capital, sentence
from interpreter.rulebook.teller import item
from interpreter.texts import number
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes
from rulespec.spec import model as m

_KIND_IDS = {
    "table": "kind",
    "zone": "place",
    "variable": "track",
    "function": "term",
    "procedure": "term",
    "constant": "table",
    "row": "piece",
}


class Parts(Effects):
    """The teller with what sections need."""

    def __init__(self, spec: ir.CheckedSpec, phrases: Phrases, lexicon: Lexicon, pictures: Pictures) -> None:
        super().__init__(spec, phrases, lexicon)
        self.pictures = pictures
        self.titles: dict[tuple[str, str], str] = {}
        """What a linked thing is called, for the index."""
        self._ids: set[str] = set()
        self.called = _called(spec)

    # ------------------------------------------------------------ ids

    def anchor(self, kind: str, name: str, title: str) -> str:
        """The id of the place where a thing is told; the same whenever it is asked for."""
        found = self.links.get((kind, name))
        if found is None:
            found = self.links[kind, name] = self.id(f"{_KIND_IDS.get(kind, kind)} {name}")
            self.titles[kind, name] = title
        return found

    def id(self, text: str) -> str:
        """A new id made of a text."""
        base = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") or "part"
        found, n = base, 2
        while found in self._ids:
            found, n = f"{base}-{n}", n + 1
        self._ids.add(found)
        return found

    def section(
        self, key: str, blocks: Iterable[Block] = (), sections: Iterable[Section] = (), kind: str = ""
    ) -> Iterator[Section]:
        """A section whose title is one of the book's words; none where it would be empty."""
        blocks, sections = tuple(blocks), tuple(sections)
        if blocks or sections:
            yield Section(self.id(key), (Text(self.lexicon.word(key)),), blocks, sections, kind or key)

    # ------------------------------------------------------------ text

    def doc(self, key: str, default: str) -> tuple[Author, ...]:
        """The author's text on something."""
        text = self.lexicon.text(key, default).strip()
        paragraphs = [p for p in re.split(r"\n\s*\n", text) if p.strip()]
        if not paragraphs:
            return ()
        return (Author(tuple(Paragraph((Text(re.sub(r"\s+", " ", p.strip())),)) for p in paragraphs)),)

    def said(self, section: str, name: str, entry: Any) -> tuple[Author, ...]:
        """The author's text on an entry that several files may add to: of each version that exists, lowest first."""
        key = f"{section}.{name}"
        return self.doc(key, " ".join(self._versions_said(section, name, entry)))

    def _versions_said(self, section: str, name: str, entry: Any) -> list[str]:
        from interpreter.rulebook.layers import same

        written = self.written(section, name)
        found = [entry.doc]
        checked = {layer.span: layer for layer in _layers(entry)}
        for layer in _layers(written):
            made = checked.get(layer.span)
            condition = made.only_if if made is not None else None
            if not layer.doc or not self.exists(condition):
                continue
            if layer.replaces and (condition is None or self.known(condition) or same(self, condition, entry.only_if)):
                found = []
            found.append(layer.doc)
        return list(dict.fromkeys(" ".join(text.split()) for text in found if text))

    def written(self, section: str, name: str) -> Any:
        """An entry as the files write it; None for none."""
        if section != "phases":
            return getattr(self.spec.source, section).get(name)
        todo = list(self.spec.source.phases)
        while todo:
            phase = todo.pop()
            if phase.name == name:
                return phase
            todo += phase.phases
        return None

    def doc_line(self, key: str, default: str) -> str:
        """The author's text on something as one line."""
        return re.sub(r"\s+", " ", self.lexicon.text(key, default)).strip()

    @staticmethod
    def rules(blocks: Iterable[Block]) -> tuple[Rules, ...]:
        """Text made from rules; none where there is none."""
        blocks = tuple(blocks)
        return (Rules(blocks),) if blocks else ()

    def sentence(self, key: str, /, **arguments: Any) -> Paragraph:
        """A phrase as a paragraph of its own."""
        return Paragraph(sentence(self.say(key, **arguments), ""))

    def lead(self, word: str, blocks: Blocks) -> Blocks:
        """Blocks with a word in front that says what they are: Cost: ..."""
        if not blocks:
            return ()
        head: Runs = (Strong((Text(f"{self.lexicon.word(word)}:"),)), Text(" "))
        first = blocks[0]
        if isinstance(first, Paragraph):
            return (Paragraph((*head, *first.runs)), *blocks[1:])
        return (Paragraph(head[:1]), *blocks)

    def headed(self, key: str, blocks: Blocks, /, **arguments: Any) -> Blocks:
        """A phrase that ends in a colon with what it announces: on one line, or as a list."""
        if not blocks:
            return ()
        head = self.sentence(key, **arguments)
        if len(blocks) == 1 and isinstance(blocks[0], Paragraph) and len(plain(blocks[0].runs)) < 160:
            return (Paragraph((*head.runs, Text(" "), *blocks[0].runs)),)
        if len(blocks) == 1 and isinstance(blocks[0], Items):
            return (head, blocks[0])
        return (head, Items((blocks,)))

    def needs(self, condition: ir.Expr, one: str, many: str) -> Blocks:
        """A condition: a sentence, or a list where it has several parts."""
        parts = [part for part in conjuncts(condition) if self.known(part) is not True]
        if not parts:
            return ()
        if len(parts) == 1:
            return (self.sentence(one, cond=self.condition(parts[0])),)
        items = tuple((Paragraph(sentence(self.say("course.item", cond=self.condition(part)))),) for part in parts)
        return (self.sentence(many), Items(items))

    def options_only(self, only_if: ir.Expr | None) -> Blocks:
        """That something is in the game only with some options."""
        if only_if is None or self.known(only_if) is not None:
            return ()
        return (self.sentence("course.only_if", cond=self.condition(only_if)),)

    def versions(self, layers: Iterable[ir.Layer]) -> list[ir.Layer]:
        """The versions of a rule that this book tells."""
        return list(layers)

    def told_layers(self, layers: Iterable[ir.Layer], *, numbered: bool = False) -> Blocks:
        """The versions of some effects: the last on top, each with the options it needs."""
        from interpreter.rulebook.layers import resolved

        found: list[Block] = []
        for condition, body in resolved(self, self.versions(layers)):
            assert isinstance(body, tuple)
            blocks = self.effects(body, numbered=numbered)
            if condition is None:
                found += blocks
            else:
                found += self.headed("course.layer_if", blocks, cond=self.condition(condition))
        return tuple(found)

    # ------------------------------------------------------------ types

    def domain(self, declared: ir.DomainType) -> Runs:
        """The values of a declared type in words."""
        kind = declared.type
        match kind:
            case t.OptionalType(inner):
                return self.say("things.optional", x=self.domain(_inside(declared, inner)))
            case t.SetType(inner):
                return self.say("things.set_of", x=self.domain(_inside(declared, inner)))
            case t.ListType(inner):
                return self.say("things.list_of", x=self.domain(_inside(declared, inner)))
            case t.BoolType():
                return self.say("things.yes_no")
            case t.NumberType(low=low, high=high):
                a = self.noun(declared.low) if declared.low is not None else None if low is None else number(low)
                b = self.noun(declared.high) if declared.high is not None else None if high is None else number(high)
                if a is None:
                    return self.say("things.up_to", a=b) if b is not None else self.say("things.any_number")
                return self.say("things.range", a=a, b=b) if b is not None else self.say("things.from", a=a)
            case t.EnumType(name=name):
                values = declared.values if declared.values is not None else range(len(self.spec.enums[name]))
                texts: list[Runs] = [(Text(self.lexicon.value(kind, value)),) for value in values]
                return self.listed(texts, "or")
        noun = self.lexicon.type_noun(kind)
        return self.named(noun, "a", self.type_link(kind)).form("")

    def type_link(self, kind: t.Type) -> str:
        """Where a type is told."""
        match item(kind):
            case t.TableType(name=name):
                return self.links.get(("table", name), "")
            case t.EnumType(name):
                return self.links.get(("type", name), "")
        return ""

    def strong(self, text: str) -> Runs:
        """Words that stand out, with a capital letter."""
        return (Strong((Text(capital(text)),)),)

    def title(self, kind: str, name: str) -> str:
        """The heading for a declared thing."""
        if kind == "action":
            return self.action_title(name)
        if kind == "option":
            return capital(self.lexicon.noun("option", name, self.spec.source.options[name].label).one)
        return capital(self.lexicon.of(kind, name))


def _layers(entry: Any) -> list[Any]:
    """All versions of all rules of an entry, written or checked."""
    if entry is None:
        return []
    values = [getattr(entry, attribute.name) for attribute in attrs.fields(type(entry))]
    parts = [part for value in values if isinstance(value, tuple) for part in value]
    return [part for part in parts if isinstance(part, ir.Layer | m.Layer)]


def _inside(declared: ir.DomainType, inner: t.Type) -> ir.DomainType:
    return ir.DomainType(inner, declared.low, declared.high, declared.values)


def _called(spec: ir.CheckedSpec) -> set[tuple[str, str]]:
    """Functions and procedures that something in play calls, directly or through others."""
    found: set[tuple[str, str]] = set()
    todo: list[object] = [
        spec.setup,
        spec.result.score,
        [key for _, key in spec.result.rank_by],
        [(a.selection, a.when, a.do, [amount for amount, _ in a.pay]) for a in spec.actions.values()],
        [(trigger.when, trigger.do) for trigger in spec.triggers],
        [row.values for table in spec.tables.values() for row in table.rows],
        list(_phase_bodies(spec.phases)),
        [zone.starts for zone in spec.zones.values()],
    ]
    while todo:
        tree = todo.pop()
        for node in _all_nodes(tree):
            match node:
                case ir.FunctionCall(function=name) if ("function", name) not in found:
                    found.add(("function", name))
                    todo.append([layer.body for layer in spec.functions[name].layers])
                case ir.Call(procedure=name) | ir.Supposing(procedure=name) if ("procedure", name) not in found:
                    found.add(("procedure", name))
                    todo.append([layer.body for layer in spec.procedures[name].layers])
    return found


def _phase_bodies(phases: Iterable[ir.Phase]) -> Iterator[object]:
    for phase in phases:
        turns = phase.turns
        yield [phase.do, phase.if_stuck, phase.before_turn, phase.after_turn, phase.skip_when, phase.repeat_until]
        yield [*(phase.repeat or ())]
        if turns is not None:
            yield [turns.first, turns.among, turns.times, turns.rounds, turns.until, turns.turn_until]
        yield from _phase_bodies(phase.phases)


def _all_nodes(tree: object) -> Iterator[Any]:
    if isinstance(tree, dict):
        for value in tree.values():
            yield from _all_nodes(value)
    elif isinstance(tree, list | tuple):
        for part in tree:
            yield from _all_nodes(part)
    else:
        yield from nodes(tree)


__all__ = ["Parts", "words"]
