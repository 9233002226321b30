"""Rulebooks made from checked specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.rulebook.blocks import Book, NoPictures, Pictures

if TYPE_CHECKING:
    from rulespec.checked import CheckedSpec
    from rulespec.scenarios.model import ScenarioFile

__all__ = ["Book", "NoPictures", "Pictures", "make_book"]


def make_book(
    spec: CheckedSpec,
    *,
    language: str = "en",
    changes_only: bool = False,
    scenarios: Sequence[ScenarioFile] = (),
    pictures: Pictures | None = None,
) -> Book:
    """The rulebook of a game, as data that `interpreter.rulebook` writes as a page, as Markdown or for print.

    Args:
        spec: the game.
        language: of the sentences made from rules; one that `phrases/` has.
        changes_only: of a game that extends another, only what it adds, changes and leaves out.
        scenarios: files of scenarios of this game. Those marked `example: true` are played and shown.
        pictures: draws what the book shows; None for a book without pictures.

    Raises:
        ValueError: there is no such language, or `changes_only` for a game that extends none.
        interpreter.rulebook.ExampleFailed: an example does not hold.
    """
    from interpreter.rulebook.book import build

    return build(spec, language, changes_only, scenarios, pictures or NoPictures())
