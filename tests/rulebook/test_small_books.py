"""Books of small games: what stands in them to the letter."""

from pathlib import Path

import pytest

from interpreter.rulebook import make_book
from interpreter.rulebook.blocks import (
    Author,
    Example,
    Paragraph,
    Pieces,
    Rules,
    Section,
    Table,
    all_blocks,
    all_sections,
    plain,
)
from interpreter.rulebook.examples import ExampleFailed
from interpreter.rulebook.pictures import Drawn
from interpreter.rulebook.walk import block_runs
from rulespec.scenarios.read import Library, read_scenarios
from tests.rulebook.tokens import GAME, SCENARIOS, told, words, written


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


DEALING = """\
rulespec: 1
id: dealing
title: Dealing
players: 2
about: Deal cards.
types:
  Suit: [hearts, spades]
components:
  Card: {fields: {suit: Suit, value: 1..2}, rows: all, label: "{value} of {suit}"}
  Coin: {fields: {worth: 1..2}, rows: all where worth > 1, count: 3}
zones:
  deck: {holds: Card, order: stack}
  hand: {holds: Card, per: player}
variables:
  score: {per: player, type: 0..20}
  work: {type: 0..20}
  rest: {type: 0..20}
  n: {type: 1..2, shown: false}
actions:
  work: {do: "score[me] += 1"}
phases:
  play:
    repeat: n in 1..2
    phases:
      working: {turns: {rounds: 1}, actions: [work]}
      resting:
        do: |
          for k in 1..LINES:
            work += 1
            rest += 1
result: {score: score}
"""


LONG = """\
game: ../game.yaml
scenarios:
  - name: A round
    example: true
    when: [player_1: work, player_2: work]
    then: ["score[player_1] == 1"]
"""


@pytest.mark.parametrize(("times", "kept"), [(5, 15), (9, 3)])
def test_a_long_log_of_an_example_is_cut_where_a_part_of_the_game_ends(tmp_path: Path, times: int, kept: int) -> None:
    written(tmp_path, DEALING.replace("LINES", str(times)), LONG)
    file = read_scenarios(tmp_path / "scenarios" / "all.yaml", Library())
    [section] = [s for s in make_book(file.spec, scenarios=[file]).sections if s.id == "examples"]
    [example] = section.blocks
    assert isinstance(example, Example)
    lines = [plain(line) for line in example.parts[0].happens]
    assert lines[:2] == ["Player 1's score: 1", "Player 2's score: 1"]
    assert (len(lines), lines[-1] == "And so on, as the rules say.") == (kept, kept == 3)


def test_every_row_of_all_combinations_is_listed(tmp_path: Path) -> None:
    book = make_book(written(tmp_path, DEALING.replace("LINES", "2")))
    [reference] = [section for section in book.sections if section.id == "reference"]
    told_of = {plain(s.title): [b for b in s.blocks if isinstance(b, Pieces)] for s in reference.sections}
    [cards], [coins] = told_of["Cards"], told_of["Coins"]
    assert [plain(piece.name) for piece in cards.pieces] == ["1 of hearts", "2 of hearts", "1 of spades", "2 of spades"]
    assert [(plain(name), plain(value)) for name, value in cards.pieces[2].facts] == [
        ("Suit", "spades"),
        ("Value", "1"),
    ]
    assert [(plain(piece.name), piece.copies) for piece in coins.pieces] == [("2", 3)]


def test_a_score_of_two_cases(tmp_path: Path) -> None:
    game = GAME.replace("score: tokens[p]", "score: tokens[p] if tokens[p] > 3 else 0")
    assert "Your score is your tokens if you have more than 3 tokens, otherwise 0." in told(
        make_book(written(tmp_path, game))
    )


def test_examples_show_only_variables_that_are_shown(tmp_path: Path) -> None:
    """Neither their log nor their pictures tell of what only the rules keep count of."""
    count = "  count: {type: 0..9, SHOWN}\nactions:"
    for shown in ("shown: false", "shown: true"):
        game = GAME.replace("actions:", count.replace("SHOWN", shown), 1)
        game = game.replace("do: tokens[me] += 1", "do: |\n      tokens[me] += 1\n      count += 1")
        folder = tmp_path / shown[-4:]
        folder.mkdir()
        written(folder, game, SCENARIOS)
        file = read_scenarios(folder / "scenarios" / "all.yaml", Library())
        book = make_book(file.spec, scenarios=[file], pictures=Drawn())
        [example] = [b for s in book.sections if s.id == "examples" for b in s.blocks]
        assert isinstance(example, Example) and example.parts[0].after is not None
        lines = [plain(line) for line in example.parts[0].happens]
        assert ("Count: 1" in lines) is ("Count" in example.parts[0].after.svg) is (shown == "shown: true")


def test_options_of_an_example_are_in_the_language_of_the_book(tmp_path: Path) -> None:
    """Actions, values that are chosen, and the end of choosing; a value with its adjective."""
    game = GAME.replace(
        "    do: tokens[me] += 1", "    do: |\n      choose up to 1 s in Side by me:\n        tokens[me] += 1"
    )
    scenarios = SCENARIOS.replace(
        "      - player_1: take_one\n", "      - player_1: take_one\n      - player_1: SIDE\n"
    )
    scenarios = scenarios.replace(
        "    then:\n      - tokens", "    then:\n      - can: {player_2: take_one}\n      - tokens", 1
    )
    for folder, side, told_as in (("a", "choose(s=west)", "westliche Seite"), ("b", "done", "fertig")):
        (tmp_path / folder / "rulebook").mkdir(parents=True)
        (tmp_path / folder / "rulebook" / "de.yaml").write_text(
            "names: {actions.take_one: Nimm eins, west: {one: Seite, adjective: westlich, gender: f}}\n",
            encoding="utf-8",
        )
        score = "== 3" if folder == "a" else "== 2"
        written(
            tmp_path / folder,
            game.replace("variables:", "types:\n  Side: [west, east]\nvariables:"),
            scenarios.replace("SIDE", side).replace("== 3", score),
        )
        file = read_scenarios(tmp_path / folder / "scenarios" / "all.yaml", Library())
        book = make_book(file.spec, language="de", scenarios=[file])
        [example] = [b for s in book.sections if s.id == "examples" for b in s.blocks]
        assert isinstance(example, Example)
        assert [plain(step) for step in example.parts[0].steps] == ["Person 1: Nimm eins.", f"Person 1: {told_as}."]
