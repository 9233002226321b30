"""What a variant adds to its base, changes in it and leaves out: a book that begins with the rules of the base."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import rulespec
from interpreter.rulebook.blocks import Author, Block, Items, Paragraph, Runs, Section, Text
from interpreter.rulebook.examples import Examples
from interpreter.rulebook.speech import capital, merged, sentence
from rulespec import checked as ir
from rulespec.compare import Change, compare
from rulespec.source import Span

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
_RULES = ("", "setup", "phases", "actions", "triggers", "result", "options", "components", "boards", "zones", "tables")
_TERMS = ("functions", "procedures", "variables", "records", "types")
_ORDER = (*_RULES, *_TERMS)
"""The sections of a file, as a book of changes takes them: first what players do."""


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
        """What to play differently, as it comes up in play, then the terms that this needs."""
        found = [change for change in compare(self.base.source, self.spec.source) if self._told(change)]
        found.sort(key=lambda change: _ORDER.index(change.section))
        base = self.base.title
        head: Sequence[Block] = [self.sentence("changes.base" if found else "changes.nothing", base=base)]
        moved = {name for change in found if _is_moved(change) for name in self._around(change)}
        for kind, sections in (("added", _RULES), ("changed", _ORDER), ("terms", _TERMS)):
            of_kind = "added" if kind == "terms" else kind
            parts: list[Section] = []
            if kind == "added":
                parts += [self._order(phase) for phase in self.all_phases() if phase.name in moved]
            for change in found:
                if change.kind == of_kind and change.section in sections:
                    parts += self._entry_change(change)
            if parts:
                yield from self.section(kind, head, parts, "changes")
                head = ()
        if head:
            yield from self.section("changes", head, (), "changes")
        removed = [change for change in found if change.kind == "removed"]
        items = tuple((Paragraph(self._removed(change)),) for change in removed)
        yield from self.section("removed", self.rules((Items(items),) if items else ()), (), "changes")

    def _around(self, change: Change) -> list[str]:
        """The phase in which a phase stands; none for one of the game itself."""
        return change.name.split("/")[-2:-1]

    def _order(self, phase: ir.Phase) -> Section:
        """The parts of a phase in their new order."""
        title = (Text(self.title("phase", phase.name)),)
        return Section(self.links["phase", phase.name], title, self.rules(self.phase_parts(phase)), (), "phase")

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
        short = change.name.rsplit("/", 1)[-1]
        named = _KINDS.get(change.section, "")
        # Options, actions and rows have labels, which are gone with them.
        name = short.replace("_", " ") if named in ("", "option", "action") else self.lexicon.of(named, short)
        told = self.say("changes.removed_line", name=capital(name), kind=kind)
        doc = f": {change.doc}" if change.doc else ""
        return sentence(merged((*told, Text(doc))))

    def versions(self, layers: Iterable[ir.Layer]) -> list[ir.Layer]:
        """Of a changed rule, the versions that the base does not have."""
        return [layer for layer in layers if layer.span not in self._told_before]

    def said(self, section: str, name: str, entry: Any) -> tuple[Author, ...]:
        """Of a changed rule, what is said anew."""
        change = self._telling
        if change is None or change.kind != "changed" or (change.section, change.name) != (section, name):
            return super().said(section, name, entry)
        return self.doc(f"{section}.{name}", change.doc) if change.doc else super().said(section, name, entry)

    def _entry_change(self, change: Change) -> Iterator[Section]:
        """A new or changed thing: of a changed function, procedure or reaction, what is new in it."""
        self._telling = change
        if change.kind == "changed" and change.section in ("functions", "procedures"):
            written = getattr(self.base.source, change.section)[change.name]
            self._told_before = frozenset(layer.span for layer in written.layers)
        yield from self._whole_entry(change)
        self._telling, self._told_before = None, frozenset()

    _telling: Change | None = None
    _told_before: frozenset[Span] = frozenset()

    def _whole_entry(self, change: Change) -> Iterator[Section]:
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
            case "phases" if _is_moved(change) and change.kind == "changed" and len(change.details) == 1:
                return
            case "phases":
                phase = next(phase for phase in self.all_phases() if phase.name == name)
                yield self.phase(phase)
            case section:
                yield from self._thing(_KINDS[section], name)

    def _players(self, change: Change) -> tuple[Block, ...]:
        least, most = self.spec.source.seats
        del change
        text: Runs = (Text(str(least)),) if least == most else self.say("templates.range", a=str(least), b=str(most))
        return self.rules(
            (self.sentence("changes.players", n=self.fixed(text, "one" if least == most == 1 else "many")),)
        )

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


def _is_moved(change: Change) -> bool:
    """Whether a phase is new, or stands elsewhere than before."""
    if change.section != "phases":
        return False
    return change.kind == "added" or any(detail.startswith("it stands ") for detail in change.details)
