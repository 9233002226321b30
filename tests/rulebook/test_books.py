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
    Author,
    Blocks,
    Code,
    Example,
    Items,
    Paragraph,
    Pieces,
    Ref,
    Rules,
    Runs,
    Section,
    Strong,
    Table,
    all_blocks,
    all_sections,
    plain,
)
from interpreter.rulebook.examples import ExampleFailed
from interpreter.rulebook.lexicon import WordsError, languages
from interpreter.rulebook.walk import all_ids, block_runs, every_ref
from interpreter.trials.scenarios import scenario_files
from rulespec import checked as ir
from rulespec.scenarios.read import Library, read_scenarios

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


def all_runs(book: Book) -> Iterator[Runs]:
    for section in all_sections(book):
        yield section.title
        for block in all_blocks(section.blocks):
            yield from block_runs(block)


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


GAME = """\
rulespec: 1
id: tokens
title: Tokens
players: 2
about: Take tokens.
variables:
  tokens: {per: player, type: 0..9}
actions:
  take_one:
    do: tokens[me] += 1
phases:
  play:
    turns: {rounds: 3}
    actions: [take_one]
result:
  score: tokens[p]
  rank_by: [highest score]
"""
SCENARIOS = """\
game: ../game.yaml
scenarios:
  - name: One token
    rule: "page 1: take one"
    example: true
    given: tokens[player_1] = 2
    when:
      - player_1: take_one
    then:
      - tokens[player_1] == 3
      - deciding: player_2
  - name: Not shown
    then:
      - tokens[player_1] == 5
"""


def written(folder: Path, game: str = GAME, scenarios: str = "") -> ir.CheckedSpec:
    (folder / "game.yaml").write_text(game, encoding="utf-8")
    if scenarios:
        (folder / "scenarios").mkdir()
        (folder / "scenarios" / "all.yaml").write_text(scenarios, encoding="utf-8")
    return rulespec.load(folder / "game.yaml")


def titles(section: Section) -> str:
    return plain(section.title)


def test_a_small_book(tmp_path: Path) -> None:
    book = make_book(written(tmp_path))
    assert [titles(section) for section in book.sections] == [
        "Overview",
        "Course of the game",
        "Actions",
        "Scoring and victory",
        "What is kept track of",
    ]
    [action] = book.sections[2].sections
    assert (action.id, titles(action)) == ("action-take-one", "Take one")
    [rules] = action.blocks
    assert [plain(runs) for block in all_blocks((rules,)) for runs in block_runs(block)] == ["Effect: Gain 1 token."]
    score = [plain(runs) for block in all_blocks(book.sections[3].blocks) for runs in block_runs(block)]
    assert score == [
        "Your score is your tokens.",
        "When the game is over, whoever has the highest score wins.",
        "Players who are still equal share the victory.",
    ]


def test_an_example(tmp_path: Path) -> None:
    written(tmp_path, scenarios=SCENARIOS)
    file = read_scenarios(tmp_path / "scenarios" / "all.yaml", Library())
    book = make_book(file.spec, scenarios=[file])
    [section] = [s for s in book.sections if s.id == "examples"]
    [example] = section.blocks
    assert isinstance(example, Example)
    assert plain(example.title) == "One token"
    assert plain(example.rule) == "page 1: take one"
    [start] = example.blocks
    assert isinstance(start, Paragraph)
    assert plain(start.runs) == "The position is prepared like this: Set player 1's tokens to 2."
    [part] = example.parts
    assert [plain(step) for step in part.steps] == ["Player 1: Take one."]
    assert [plain(line) for line in part.happens] == ["Player 1's tokens: 3"]
    assert [plain(line) for line in part.holds] == ["Player 1 has exactly 3 tokens.", "Player 2 is to decide."]


def test_tables_and_starts_have_the_words_of_the_game(tmp_path: Path) -> None:
    more = (
        "  left: {type: 0..9, start: 2, lasts: turn}\n  rank: {per: player, type: 1..9, start: 1}\n"
        "tables:\n  award: {per: [2..3, 1..2], type: 0..9, values: [[8, 4], [8, 5]]}\n"
        "  rounds: {per: 2..3, type: 0..9, values: [6, 5]}\n"
    )
    spec = written(tmp_path, game=GAME.replace("actions:\n", more + "actions:\n", 1))
    words(tmp_path, "names: {indices.award.1: players, indices.award.2: place, indices.rounds.1: players}\n")
    book = make_book(spec)
    tables = {s.id: b for s in all_sections(book) for r in s.blocks if isinstance(r, Rules) for b in r.blocks}
    award, rounds = tables["table-award"], tables["table-rounds"]
    assert isinstance(award, Table) and isinstance(rounds, Table)
    assert [plain(cell) for cell in award.head] == ["Players", "place 1", "place 2"]
    assert [plain(cell) for cell in rounds.head] == ["Players", "Rounds"]
    said = told(book)
    assert "Each turn begins with 2." in said
    assert "At first, each player's rank is 1." in said


def test_the_doc_of_an_example_is_told_in_place_of_what_prepares_it(tmp_path: Path) -> None:
    told = SCENARIOS.replace("    example: true\n", "    example: true\n    doc: You have two tokens.\n")
    written(tmp_path, scenarios=told)
    file = read_scenarios(tmp_path / "scenarios" / "all.yaml", Library())
    [section] = [s for s in make_book(file.spec, scenarios=[file]).sections if s.id == "examples"]
    [example] = section.blocks
    assert isinstance(example, Example)
    [start] = example.blocks
    assert isinstance(start, Author)
    assert [plain(paragraph.runs) for paragraph in start.blocks] == ["You have two tokens."]
    assert example.rule == ()


def test_steps_of_an_example_are_in_the_language_of_the_book(tmp_path: Path) -> None:
    written(tmp_path, scenarios=SCENARIOS)
    (tmp_path / "rulebook").mkdir()
    (tmp_path / "rulebook" / "de.yaml").write_text("names: {actions.take_one: Nimm eins}\n", encoding="utf-8")
    file = read_scenarios(tmp_path / "scenarios" / "all.yaml", Library())
    book = make_book(file.spec, language="de", scenarios=[file])
    [section] = [s for s in book.sections if s.id == "examples"]
    [example] = section.blocks
    assert isinstance(example, Example)
    assert [plain(step) for step in example.parts[0].steps] == ["Person 1: Nimm eins."]


def test_the_log_of_an_example_has_the_names_of_the_book(tmp_path: Path) -> None:
    written(tmp_path, scenarios=SCENARIOS)
    words(tmp_path, "names: {variables.tokens: {one: coins, each: coin}}\n")
    file = read_scenarios(tmp_path / "scenarios" / "all.yaml", Library())
    [section] = [s for s in make_book(file.spec, scenarios=[file]).sections if s.id == "examples"]
    [example] = section.blocks
    assert isinstance(example, Example)
    assert [plain(line) for line in example.parts[0].happens] == ["Player 1's coins: 3"]


def test_an_example_that_fails_stops_the_book(tmp_path: Path) -> None:
    written(tmp_path, scenarios=SCENARIOS.replace("== 3", "== 4"))
    file = read_scenarios(tmp_path / "scenarios" / "all.yaml", Library())
    with pytest.raises(ExampleFailed) as caught:
        make_book(file.spec, scenarios=[file])
    place = tmp_path / "scenarios" / "all.yaml"
    assert str(caught.value) == (
        f"the example `One token` does not hold, so the rulebook is not made ({place}:10): "
        "expected `tokens[player_1] == 4`, found that `tokens[player_1]` is 3"
    )


def words(folder: Path, text: str) -> None:
    (folder / "rulebook").mkdir(exist_ok=True)
    (folder / "rulebook" / "en.yaml").write_text(text, encoding="utf-8")


def told(book: Book) -> str:
    return "\n".join(plain(runs) for runs in all_runs(book))


def test_words_of_a_game(tmp_path: Path) -> None:
    words(
        tmp_path,
        """\
title: Coins
about: Take coins.
names:
  tokens: {one: gold pieces, each: gold piece}
  actions.take_one: Take a piece
texts:
  actions.take_one: The only thing to do.
notes: [First., Second.]
""",
    )
    book = make_book(written(tmp_path))
    assert (book.title, book.about) == ("Coins", "Take coins.")
    text = told(book)
    assert "Take a piece\nThe only thing to do.\nEffect: Gain 1 gold piece." in text
    assert text.endswith("Players who are still equal share the victory.")
    assert "Designer's notes\nFirst.\nSecond." in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "a map is needed, with keys as `names` and `texts`"),
        (
            "words: {}\n",
            "nothing reads `words`; there are `title`, `about`, `doc`, `notes`, `names`, `phrases`, `texts`, `rows`",
        ),
        ("names: [a]\n", "`names` is a map of names to texts"),
        ('phrases: {tokens: "{p} has"}\n', "the phrase for `tokens` has {p}; it is given {0}, {what}"),
    ],
)
def test_mistakes_in_words(tmp_path: Path, text: str, message: str) -> None:
    words(tmp_path, text)
    spec = written(tmp_path)
    with pytest.raises(WordsError) as caught:
        make_book(spec)
    assert str(caught.value) == f"{tmp_path / 'rulebook' / 'en.yaml'}: {message}"


def test_hostile_text_is_text(tmp_path: Path) -> None:
    """Braces, markup and template syntax in names and docs are never read."""
    hostile = "<script>{{ x }}{what}{% raw %}</script>"
    game = GAME.replace("Take tokens.", hostile).replace("  take_one:\n", f"  take_one:\n    doc: '{hostile}'\n")
    words(tmp_path, f"names: {{tokens: '{hostile}'}}\n")
    text = told(make_book(written(tmp_path, game)))
    assert text.count(hostile) >= 4


def test_options_known_beforehand_are_not_told(tmp_path: Path) -> None:
    game = GAME.replace("variables:", "options:\n  fast: {type: bool, default: true, only_if: seats == 3}\nvariables:")
    game = game.replace("    do: tokens[me] += 1", "    only_if: fast\n    do: tokens[me] += 1 if seats == 2 else 2")
    text = told(make_book(written(tmp_path, game)))
    assert "Gain 1 token." in text
    assert "option" not in text.lower()


def test_the_index(tmp_path: Path) -> None:
    """Of each name its own place first, then where it is spoken of."""
    book = make_book(written(tmp_path))
    assert [(entry.term, entry.targets) for entry in book.index] == [
        ("Play", ("phase-play",)),
        ("Take one", ("action-take-one", "phase-play")),
        ("Tokens", ("track-tokens", "scoring")),
    ]
