"""Rules that several files add to: the whole book tells all of them, a book of changes only what is new."""

from pathlib import Path

import pytest

import rulespec
from interpreter.rulebook import Book, make_book
from interpreter.rulebook.blocks import Paragraph, Section, all_blocks, all_sections, plain

BASE = """\
rulespec: 1
id: base
title: Base
players: 2
about: Play low cards.
components:
  Card: {fields: {rank: 1..3}, rows: all}
zones:
  hand: {holds: Card, per: player, seen_by: owner}
  pile: {holds: Card, order: stack, seen_by: everyone}
variables:
  coins: {per: player, type: 0..9}
functions:
  playable(Card c):
    doc: Threes cannot be played.
    is: c.rank < 3
  best(player p):
    doc: The cards worth most.
    is: |
      let low = those(c in hand[p] where playable(c))
      return low
procedures:
  put(player p, Card c) -> bool:
    doc: A one comes back.
    do: |
      if c.rank == 1:
        return false
      move c to pile
      return true
  lay(player p, Card c):
    doc: A card is laid down.
    do: let laid = put(p, c)
actions:
  play:
    with: c in best(me)
    do: lay(me, c)
phases:
  round:
    turns: {times: 9}
    phases:
      main:
        actions: [play]
result: {score: coins}
"""

TOP = """\
rulespec: 1
id: top
title: Top
extends: base.yaml
functions:
  playable(Card c):
    doc: Ones cannot be played either.
    is: usual and c.rank > 1
  best(player p):
    doc: Not while you are rich.
    is: |
      let found = usual
      return found if coins[p] < 5 else []
procedures:
  put(player p, Card c) -> bool:
    doc: A two brings a coin.
    do: |
      if c.rank == 2:
        coins[p] += 1
      let laid = usual
      return laid
phases:
  round:
    phases:
      pay:
        doc: Everyone pays.
        place: first
        do: lower coins[me] by up to 1
"""


@pytest.fixture
def book(tmp_path: Path, request: pytest.FixtureRequest) -> Book:
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "top.yaml").write_text(TOP, encoding="utf-8")
    return make_book(rulespec.load(tmp_path / "top.yaml"), changes_only=request.param)


def told(book: Book, id: str) -> list[str]:
    section = next(section for section in all_sections(book) if section.id == id)
    return [plain(block.runs) for block in all_blocks(section.blocks) if isinstance(block, Paragraph)]


def titles(section: Section) -> list[str]:
    return [plain(part.title) for part in section.sections]


@pytest.mark.parametrize("book", [False], indirect=True)
def test_a_condition_is_told_with_the_one_below(book: Book) -> None:
    assert told(book, "term-playable") == [
        "Ones cannot be played either.",
        "This is so if all of this is so:",
        "The card's rank is less than 3.",
        "The card's rank is more than 1.",
    ]


@pytest.mark.parametrize("book", [False], indirect=True)
def test_a_value_is_told_with_the_one_below(book: Book) -> None:
    assert told(book, "term-best") == [
        "Not while you are rich.",
        "Let the low be cards in the player's hand for which “playable” applies to the card. "
        "The result is (the low if the player has fewer than 5 coins, otherwise nothing).",
    ]


@pytest.mark.parametrize("book", [False], indirect=True)
def test_effects_that_answer_are_told_with_those_below(book: Book) -> None:
    assert told(book, "term-put") == [
        "A two brings a coin.",
        "If the card's rank is 2, the player gains 1 coin. If the card's rank is 1, then this is not so. "
        "Move the card onto the pile. Then this is so.",
    ]


@pytest.mark.parametrize("book", [True], indirect=True)
def test_a_book_of_changes_tells_what_is_new_of_a_rule(book: Book) -> None:
    assert told(book, "term-playable") == [
        "Ones cannot be played either.",
        "This is so if all of this is so:",
        "The rules otherwise say so.",
        "The card's rank is more than 1.",
    ]
    assert told(book, "term-put") == [
        "A two brings a coin.",
        "If the card's rank is 2, the player gains 1 coin. Do what the rules otherwise say. "
        "Then this is so if the answer is yes.",
    ]


@pytest.mark.parametrize("book", [True], indirect=True)
def test_a_book_of_changes_begins_with_play(book: Book) -> None:
    found = {section.id: titles(section) for section in book.sections}
    assert found == {"overview": [], "added": ["Round", "Pay"], "changed": ["Playable", "Best", "Put"]}
    assert told(book, "phase-round") == ["Each turn has these parts, one after the other:", "Pay", "Main"]


def test_a_book_of_changes_without_new_rules_has_no_heading_for_them(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    top = TOP[: TOP.index("phases:")]
    (tmp_path / "top.yaml").write_text(top, encoding="utf-8")
    changed = make_book(rulespec.load(tmp_path / "top.yaml"), changes_only=True)
    assert [section.id for section in changed.sections] == ["overview", "changed"]
    [head] = [block for block in all_blocks(changed.sections[1].blocks) if isinstance(block, Paragraph)]
    assert plain(head.runs) == "Begin with the rules of Base and change the following."
    (tmp_path / "top.yaml").write_text(top[: top.index("functions:")], encoding="utf-8")
    same = make_book(rulespec.load(tmp_path / "top.yaml"), changes_only=True)
    assert [section.id for section in same.sections] == ["overview", "changes"]
