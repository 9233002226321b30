"""The sentence for each form of the language, to the letter, in each language.

`sentences/game.yaml` has an action for each form; what is told of its effects, or of its condition and the opposite of
it, stands in `sentences/en.txt` and `sentences/de.txt`. `pytest --update-golden` writes them again: read them.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rulespec
from interpreter.rulebook.blocks import Blocks, Items, Paragraph, plain
from interpreter.rulebook.effects import Effects
from interpreter.rulebook.lexicon import Lexicon, Phrases
from rulespec import checked as ir
from rulespec.check.walk import nodes

FOLDER = Path(__file__).parent / "sentences"


@cache
def game() -> ir.CheckedSpec:
    return rulespec.load(FOLDER / "game.yaml")


def lines(blocks: Blocks, indent: str = "") -> Iterator[str]:
    """Blocks as lines of text."""
    for block in blocks:
        if isinstance(block, Paragraph):
            yield indent + plain(block.runs)
        else:
            assert isinstance(block, Items)
            for first, *rest in block.items:
                assert isinstance(first, Paragraph)
                yield f"{indent}- {plain(first.runs)}"
                yield from lines(tuple(rest), f"{indent}  ")


def told(language: str) -> str:
    """Every action of the game with what is told of it."""
    phrases = Phrases(language)
    teller = Effects(game(), phrases, Lexicon(game(), phrases))
    found: list[str] = []
    for action in game().actions.values():
        with teller.scope():
            teller.me(action.me)
            if action.name.startswith("condition_"):
                assert action.when is not None
                found.append(f"{action.name}: {plain(teller.condition(action.when))}")
                found.append(f"    not: {plain(teller.condition(action.when, False))}")
            elif action.name.startswith("effect_"):
                body = action.do[-1].body
                assert isinstance(body, tuple)
                found += [f"{action.name}:", *lines(teller.effects(body), "    ")]
    return "\n".join(found) + "\n"


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_form_has_its_sentence(language: str, update_golden: bool) -> None:
    path = FOLDER / f"{language}.txt"
    text = told(language)
    if update_golden:
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_every_statement_is_tried() -> None:
    """But for those that stand elsewhere only: `usual` in variants, rules in rows."""
    actions = (layer for action in game().actions.values() for layer in action.do)
    tried = {type(node) for node in nodes(tuple(actions)) if isinstance(node, ir.Stmt)}
    every = {kind for name in ir.__all__ if issubclass(kind := getattr(ir, name), ir.Stmt)} - {ir.Stmt}
    assert {kind.__name__ for kind in every - tried} == {"Usual", "RowEffect"}
