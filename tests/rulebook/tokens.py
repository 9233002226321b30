"""A small game for tests of books, its words and scenarios, and the text of a book."""

from collections.abc import Iterator
from pathlib import Path

import rulespec
from interpreter.rulebook import Book
from interpreter.rulebook.blocks import Runs, all_blocks, all_sections, plain
from interpreter.rulebook.walk import block_runs
from rulespec import checked as ir

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


def words(folder: Path, text: str) -> None:
    (folder / "rulebook").mkdir(exist_ok=True)
    (folder / "rulebook" / "en.yaml").write_text(text, encoding="utf-8")


def all_runs(book: Book) -> Iterator[Runs]:
    for section in all_sections(book):
        yield section.title
        for block in all_blocks(section.blocks):
            yield from block_runs(block)


def told(book: Book) -> str:
    return "\n".join(plain(runs) for runs in all_runs(book))
