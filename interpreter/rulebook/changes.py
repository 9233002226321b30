"""What a variant adds to its base, changes in it and leaves out: a book that begins with the rules of the base."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import rulespec
from interpreter.rulebook.blocks import Block, Items, Paragraph, Runs, Section, Text
from interpreter.rulebook.examples import Examples
from interpreter.rulebook.speech import capital, merged, sentence
from rulespec import checked as ir
from rulespec.compare import Change, compare

_KINDS = {
    "options": "option",
    "types": "type",
    "boards": "table",
    "tables": "constant",
    "components": "table",
    "zones": "zone",
    "variables": "variable",
    "records": "record",
    "functions": "function",
    "procedures": "procedure",
    "triggers": "trigger",
    "actions": "action",
    "phases": "phase",
}


def base_of(spec: ir.CheckedSpec) -> ir.CheckedSpec | None:
    """The game that a spec extends: the nearest of its files that is a game of its own; None for none."""
    for file in spec.source.files[1:]:
        try:
            return rulespec.load(Path(file))
        except rulespec.SpecError:
            continue
    return None


class Changes(Examples):
    """Writes the sections of a book that tells only what is different."""

    base: ir.CheckedSpec

    def changes(self) -> Iterator[Section]:
        """New, changed and removed rules, in the order of the sections of a file."""
        found = [change for change in compare(self.base.source, self.spec.source) if self._told(change)]
        base = self.base.title
        head: list[Block] = [self.sentence("changes.base", base=base)]
        if not found:
            head = [self.sentence("changes.nothing", base=base)]
        for kind in ("added", "changed"):
            parts: list[Section] = []
            for change in found:
                if change.kind == kind:
                    parts += self._entry_change(change)
            yield from self.section(kind, head if kind == "added" else (), parts, "changes")
            if kind == "added" and not parts:
                yield from self.section("changes", head, (), "changes")
        removed = [change for change in found if change.kind == "removed"]
        items = tuple((Paragraph(self._removed(change)),) for change in removed)
        yield from self.section("removed", self.rules((Items(items),) if items else ()), (), "changes")

    def _told(self, change: Change) -> bool:
        """Whether a change is one of rules, and of rules that exist in this game."""
        if change.section == "invariants" or (not change.section and change.name != "players"):
            return False
        if change.kind == "removed" or change.section in ("", "setup", "result", "types", "components", "boards"):
            return True
        kind = _KINDS.get(change.section, "")
        return (kind, change.name.rsplit("/", 1)[-1]) in self.links

    def _removed(self, change: Change) -> Runs:
        kind = self.phrases[f"changes.kinds.{change.noun}"]
        name = change.name.rsplit("/", 1)[-1].replace("_", " ")
        told = self.say("changes.removed_line", name=capital(name), kind=kind)
        doc = f": {change.doc}" if change.doc else ""
        return sentence(merged((*told, Text(doc))))

    def _entry_change(self, change: Change) -> Iterator[Section]:
        """A new or changed thing, as the whole book tells it."""
        name = change.name.rsplit("/", 1)[-1]
        spec = self.spec
        if not change.section:
            yield Section(
                self.id("players"), (Text(self.lexicon.word("players")),), self._players(change), (), "changes"
            )
            return
        match change.section:
            case "setup":
                yield from self.setup()
            case "result":
                yield from self.result()
            case "actions":
                yield self.action(spec.actions[name])
            case "triggers":
                yield self.trigger(next(trigger for trigger in spec.triggers if trigger.name == name))
            case "functions":
                yield self.term("function", name, spec.functions[name])
            case "procedures":
                yield self.term("procedure", name, spec.procedures[name])
            case "phases":
                phase = next(phase for phase in self.all_phases() if phase.name == name)
                yield self.phase(phase)
            case section:
                yield from self._thing(_KINDS[section], name)

    def _players(self, change: Change) -> tuple[Block, ...]:
        least, most = self.spec.source.seats
        del change
        text: Runs = (Text(str(least)),) if least == most else self.say("templates.range", a=str(least), b=str(most))
        return self.rules((Paragraph(sentence(text)),))

    def _thing(self, kind: str, name: str) -> Iterator[Section]:
        """A thing told in a section of many: the part of that section which is its own."""
        anchor = self.links.get((kind, name))
        if anchor is None:
            return
        for section in self._all_things():
            for part in (section, *section.sections, *(p for s in section.sections for p in s.sections)):
                if part.id == anchor:
                    yield part
                    return

    def _all_things(self) -> list[Section]:
        if self._things is None:
            parts = (self.components(), self.boards(), self.areas(), self.tracks(), self.constants(), self.options())
            self._things = [section for part in parts for section in part]
        return self._things

    _things: list[Section] | None = None
