"""The sections of a rulebook, put together with its glossary, its index and its summary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from interpreter.rulebook.blocks import (
    Author,
    Block,
    Blocks,
    Book,
    GlossaryEntry,
    IndexEntry,
    Items,
    Paragraph,
    Pictures,
    Ref,
    Rules,
    Runs,
    Section,
    Strong,
    Text,
    all_blocks,
    all_sections,
    plain,
)
from interpreter.rulebook.changes import Changes, base_of
from interpreter.rulebook.lexicon import Lexicon, Phrases
from interpreter.rulebook.speech import capital, merged, sentence
from interpreter.rulebook.walk import block_runs, every_ref, without_dead_links
from rulespec import checked as ir

if TYPE_CHECKING:
    from rulespec.scenarios.model import ScenarioFile

_GLOSSARY = ("table", "zone", "variable", "type", "function", "procedure", "constant")
_INDEX = (*_GLOSSARY, "action", "phase", "trigger", "option", "row")


def build(
    spec: ir.CheckedSpec, language: str, changes_only: bool, scenarios: Sequence[ScenarioFile], pictures: Pictures
) -> Book:
    """See `interpreter.rulebook.make_book`."""
    phrases = Phrases(language)
    return Writer(spec, phrases, Lexicon(spec, phrases), pictures).book(changes_only, scenarios)


class Writer(Changes):
    """Writes a whole book."""

    def book(self, changes_only: bool, scenarios: Sequence[ScenarioFile]) -> Book:
        """The book."""
        spec, head = self.spec, self.lexicon.head
        if changes_only:
            base = base_of(spec)
            if base is None:
                raise ValueError(f"{spec.title} extends no other game, so there is no book of what it changes")
            self.base = base
        self.anchors()
        if changes_only:
            sections = [*self.overview(), *self.changes(), *self.examples(scenarios), *self.notes()]
        else:
            sections = [
                *self.overview(),
                *self.components(),
                *self.boards(),
                *self.areas(),
                *self.setup(),
                *self.course(),
                *self.actions(),
                *self.triggers(),
                *self.result(),
                *self.all_pieces(),
                *self.options(),
                *self.terms(),
                *self.tracks(),
                *self.constants(),
                *self.examples(scenarios),
                *self.notes(),
            ]
        words = {key[6:]: phrases for key, phrases in self._words()}
        summary = None if changes_only else self.summary()
        least, most = spec.source.seats
        players: Runs = (Text(str(least)),)
        if least != most:
            players = self.say("templates.range", a=str(least), b=str(most))
        book = Book(
            spec.id,
            str(head.get("title", spec.title)),
            spec.source.version,
            self.phrases.language,
            str(head.get("about", spec.source.about)),
            plain(players),
            self.base.title if changes_only else "",
            tuple(sections),
            tuple(self.glossary()),
            (),
            summary,
            words,
        )
        book = without_dead_links(book)
        return _with_index(book, self.titles, self.links)

    def _words(self) -> Iterator[tuple[str, str]]:
        for key in sorted(self.phrases.names()):
            if key.startswith("words."):
                yield key, self.phrases[key]

    # ------------------------------------------------------------ first and last

    def overview(self) -> Iterator[Section]:
        """What the game is about, and how it is won."""
        text = str(self.lexicon.head.get("doc", self.spec.source.doc) or self.spec.source.about)
        blocks: list[Block] = [Author((Paragraph((Text(" ".join(text.split())),)),))]
        yield from self.section("overview", blocks)

    def notes(self) -> Iterator[Section]:
        """What the author says about the making of the game."""
        given = self.lexicon.head.get("notes")
        texts = [given] if isinstance(given, str) else list(given or ())
        blocks = tuple(Paragraph((Text(" ".join(str(text).split())),)) for text in texts)
        yield from self.section("notes", (Author(blocks),) if blocks else ())

    def summary(self) -> Section | None:
        """One page: the course of play, the actions, the reactions, and how to win."""
        parts: list[Section] = []
        phases = tuple(self._short(phase) for phase in self.spec.phases if self.exists(phase.only_if))
        if phases:
            parts += self._summary_part("turn", (Items(phases, len(phases) > 1),))
        actions = [
            self._line("action", name, self.doc_line(f"actions.{name}", action.doc))
            for name, action in self.spec.actions.items()
            if self.exists(action.only_if)
        ]
        parts += self._summary_part("on_turn", (Items(tuple(actions)),) if actions else ())
        reactions = [
            self._line("trigger", trigger.name, self.doc_line(f"triggers.{trigger.name}", trigger.doc))
            for trigger in self.spec.triggers
            if self.exists(trigger.only_if)
        ]
        parts += self._summary_part("reactions", (Items(tuple(reactions)),) if reactions else ())
        end = [block for section in self.result() for block in section.blocks]
        parts += self._summary_part("end", tuple(end))
        if not parts:
            return None
        return Section(self.id("summary"), (Text(self.lexicon.word("summary")),), (), tuple(parts), "summary")

    def _summary_part(self, key: str, blocks: Blocks) -> Iterator[Section]:
        if blocks:
            title: Runs = (Text(self.phrases[f"summary.{key}"]),)
            yield Section(self.id(f"summary {key}"), title, blocks, (), "summary")

    def _short(self, phase: ir.Phase) -> Blocks:
        line = self._line("phase", phase.name, self.doc_line(f"phases.{phase.name}", phase.doc))
        parts = tuple(self._short(part) for part in phase.phases if self.exists(part.only_if))
        return (*line, Items(parts, True)) if parts else line

    def _line(self, kind: str, name: str, doc: str) -> Blocks:
        """A thing with the first sentence on it."""
        head = (Strong(self.reference(kind, name, self.title(kind, name))),)
        first = _first_sentence(doc)
        return (Paragraph(sentence((*head, Text(f": {first}")) if first else head)),)

    # ------------------------------------------------------------ glossary

    def glossary(self) -> list[GlossaryEntry]:
        """Every term with the first sentence on it, by term."""
        found: list[GlossaryEntry] = []
        for (kind, name), target in self.links.items():
            if kind in _GLOSSARY and (doc := self._doc_of(kind, name)):
                term = self.titles[kind, name]
                text: Runs = (Text(_first_sentence(doc)),)
                found.append(GlossaryEntry(self.id(f"word {name}"), term, (Author((Paragraph(text),)),), target))
        return sorted(found, key=lambda entry: entry.term.lower())

    def _doc_of(self, kind: str, name: str) -> str:
        spec, source = self.spec, self.spec.source
        sections: dict[str, tuple[str, object]] = {
            "zone": ("zones", spec.zones.get(name)),
            "variable": ("variables", spec.variables.get(name)),
            "function": ("functions", spec.functions.get(name)),
            "procedure": ("procedures", spec.procedures.get(name)),
            "constant": ("tables", spec.constants.get(name)),
            "type": ("types", source.types.get(name)),
        }
        if kind == "table":
            table = spec.tables[name]
            section = {"component": "components", "board": "boards"}.get(table.kind, "types")
            return self.doc_line(f"{section}.{name}", table.doc)
        section, entry = sections[kind]
        return self.doc_line(f"{section}.{name}", getattr(entry, "doc", ""))


def _first_sentence(text: str) -> str:
    """The first sentence of a text; a full stop after a single capital letter or `St.` ends none."""
    place = 0
    while (stop := text.find(". ", place)) >= 0:
        word = text[:stop].rsplit(" ", 1)[-1]
        if len(word) > 2:
            return text[: stop + 1]
        place = stop + 1
    return text


def _with_index(book: Book, titles: dict[tuple[str, str], str], links: dict[tuple[str, str], str]) -> Book:
    """The book with an index: of every named thing its own place, then every section that speaks of it."""
    import attrs

    there = {section.id for section in all_sections(book)}
    pieces = {piece for section in all_sections(book) for piece in _piece_ids(section)}
    mentions: dict[str, list[str]] = {}
    for section in all_sections(book):
        if section.kind == "summary":
            continue
        for ref in every_ref(section.blocks):
            places = mentions.setdefault(ref.target, [])
            if section.id not in places and section.id != ref.target:
                places.append(section.id)
    entries: dict[str, list[str]] = {}
    for (kind, name), target in links.items():
        if kind in _INDEX and (target in there or target in pieces):
            places = entries.setdefault(titles[kind, name], [])
            places += [place for place in (target, *mentions.get(target, ())) if place not in places]
    index = tuple(IndexEntry(term, tuple(targets)) for term, targets in sorted(entries.items(), key=_term))
    return attrs.evolve(book, index=index)


def _term(entry: tuple[str, list[str]]) -> tuple[str, str]:
    return entry[0].lower(), entry[0]


def _piece_ids(section: Section) -> Iterator[str]:
    from interpreter.rulebook.blocks import Pieces

    for block in all_blocks(section.blocks):
        if isinstance(block, Pieces):
            yield from (piece.id for piece in block.pieces if piece.id)


__all__ = ["Ref", "Rules", "Writer", "block_runs", "build", "capital", "merged"]
