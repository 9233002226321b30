"""The content of books: nothing missing, nothing that leads nowhere, nothing empty; all games, all languages."""

import re
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rulespec
from interpreter.rulebook import Book, make_book
from interpreter.rulebook.blocks import (
    Blocks,
    Code,
    Example,
    Items,
    Paragraph,
    Pieces,
    Ref,
    Runs,
    Strong,
    Table,
    all_blocks,
    all_sections,
    plain,
)
from interpreter.rulebook.lexicon import languages
from interpreter.rulebook.walk import all_ids, block_runs, every_ref
from interpreter.trials.scenarios import scenario_files
from rulespec import checked as ir
from rulespec.scenarios.read import Library, read_scenarios
from tests.rulebook.tokens import all_runs

ROOT = Path(__file__).parents[2]
GAMES = [
    ROOT / "games" / name
    for name in (
        "dungeon_petz/game.yaml",
        "grand_dog_park/game.yaml",
        "paperbag_dungeon/chill.yaml",
        "paperbag_dungeon/double.yaml",
        "paperbag_dungeon/hardcore.yaml",
        "paperbag_dungeon/janitor.yaml",
        "paperbag_dungeon/warden.yaml",
        "pet_cemetery/game.yaml",
    )
]
VARIANTS = [path for path in GAMES if path.parent.name == "paperbag_dungeon" and path.stem != "chill"]
OTHERS = sorted(
    path
    for folder in ("tests/sketches", "tests/conformance/games")
    for path in (ROOT / folder).rglob("*.yaml")
    if re.search(r"^id:", path.read_text(encoding="utf-8"), re.MULTILINE)
)


def name(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


@cache
def spec_of(path: Path) -> ir.CheckedSpec:
    return rulespec.load(path)


@cache
def book_of(path: Path, language: str) -> Book:
    return make_book(spec_of(path), language=language)


def texts(runs: Runs) -> Iterator[str]:
    for run in runs:
        if isinstance(run, Ref | Strong):
            yield from texts(run.runs)
        elif not isinstance(run, Code):
            yield run.text


def empty(blocks: Blocks) -> bool:
    return not any(plain(runs).strip() for block in all_blocks(blocks) for runs in block_runs(block))


def sound(book: Book) -> None:
    """No section or list without a word, every id once, every reference leads somewhere."""
    ids = all_ids(book)
    assert len(ids) == len(set(ids))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", id) for id in ids)
    there = set(ids)
    for section in all_sections(book):
        assert plain(section.title).strip()
        assert section.sections or not empty(section.blocks), section.id
        for ref in every_ref(section.blocks):
            assert ref.target in there, (section.id, ref)
        for block in all_blocks(section.blocks):
            match block:
                case Items(items):
                    assert items and all(items) and not any(empty(item) for item in items), section.id
                case Table(head, rows):
                    assert rows and all(len(row) == len(head) for row in rows), section.id
                case Paragraph(runs):
                    assert plain(runs).strip(), section.id
                case _:
                    pass
    assert all(entry.see in there for entry in book.glossary)
    assert all(set(entry.targets) <= there and entry.targets for entry in book.index)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", [*GAMES, *OTHERS], ids=name)
def test_every_game_has_a_book(path: Path, language: str) -> None:
    sound(book_of(path, language))


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", GAMES, ids=name)
def test_everything_is_mentioned(path: Path, language: str) -> None:
    """Every action, phase, trigger, option, component and place that exists has a place of its own."""
    from interpreter.rulebook.lexicon import Lexicon, Phrases
    from interpreter.rulebook.teller import Told

    spec, book = spec_of(path), book_of(path, language)
    phrases = Phrases(language)
    known = Told(spec, phrases, Lexicon(spec, phrases))
    there = {section.id for section in all_sections(book)}

    def phases(parts: tuple[ir.Phase, ...]) -> Iterator[ir.Phase]:
        for phase in parts:
            yield phase
            yield from phases(phase.phases)

    wanted = [f"action-{n}" for n, action in spec.actions.items() if known.exists(action.only_if)]
    wanted += [f"phase-{phase.name}" for phase in phases(spec.phases) if known.exists(phase.only_if)]
    wanted += [f"trigger-{trigger.name}" for trigger in spec.triggers if known.exists(trigger.only_if)]
    wanted += [f"option-{n}" for n, option in spec.options.items() if known.exists(option.only_if)]
    wanted += [f"kind-{n}" for n in spec.tables]
    wanted += [f"place-{n}" for n, z in spec.zones.items() if not n.startswith("box ") and known.exists(z.only_if)]
    wanted += [f"track-{n}" for n, v in spec.variables.items() if known.exists(v.only_if)]
    assert sorted({id.lower().replace("_", "-") for id in wanted} - there) == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("path", GAMES, ids=name)
def test_no_identifiers(path: Path, language: str) -> None:
    """Names are words: no `_`, no braces of a phrase, no two blanks."""
    for runs in all_runs(book_of(path, language)):
        text = "".join(texts(runs))
        assert not re.search(r"\w_\w|[{}]|  ", text), text


@pytest.mark.parametrize("path", GAMES, ids=name)
def test_labels_are_used(path: Path) -> None:
    """Where an option or a row has a label, that is its name, unless the words of the game have another."""
    spec, book = spec_of(path), book_of(path, "en")
    names = {plain(section.title) for section in all_sections(book)}
    pieces = [b for s in all_sections(book) for b in all_blocks(s.blocks) if isinstance(b, Pieces)]
    shown = {plain(piece.name) for block in pieces for piece in block.pieces}
    for option in spec.source.options.values():
        if option.label and f"option-{option.name.replace('_', '-')}" in {s.id for s in all_sections(book)}:
            assert option.label in names
    for table in spec.tables.values():
        if table.label is not None and table.kind == "component" and "name" in table.fields:
            for row in table.rows:
                label = str(row.values["name"].value)
                assert label[:1].upper() + label[1:] in shown


@pytest.mark.parametrize("path", VARIANTS, ids=name)
def test_what_a_variant_changes(path: Path) -> None:
    book = make_book(spec_of(path), changes_only=True)
    sound(book)
    assert book.base.startswith("Paperbag Dungeon: ")
    first = next(section for section in book.sections if section.kind == "changes")
    assert isinstance(first.blocks[0], Paragraph)
    assert plain(first.blocks[0].runs) == f"Begin with the rules of {book.base} and change the following."
    whole = book_of(path, "en")
    assert len(list(all_sections(book))) < len(list(all_sections(whole)))
    assert len(list(all_ids(book))) == len(set(all_ids(book)))


def test_a_variant_without_a_base() -> None:
    with pytest.raises(ValueError) as caught:
        make_book(spec_of(GAMES[1]), changes_only=True)
    assert str(caught.value) == "Grand Dog Park extends no other game, so there is no book of what it changes"


@pytest.mark.parametrize("path", [GAMES[1], GAMES[7]], ids=name)
def test_examples_are_played(path: Path) -> None:
    library = Library()
    files = [read_scenarios(file, library) for file in scenario_files(path)]
    begun = time.process_time()
    book = make_book(files[0].spec, scenarios=files)
    assert time.process_time() - begun < 9  # 3 s on a machine that does nothing else
    sound(book)
    examples = [b for s in all_sections(book) for b in s.blocks if isinstance(b, Example)]
    assert 2 <= len(examples) <= 6
    assert all(part.steps or part.holds for example in examples for part in example.parts)
