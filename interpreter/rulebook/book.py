"""The sections of a rulebook, put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.rulebook.blocks import Author, Book, Paragraph, Pictures, Section, Text

if TYPE_CHECKING:
    from rulespec.checked import CheckedSpec
    from rulespec.scenarios.model import ScenarioFile


def build(
    spec: CheckedSpec, language: str, changes_only: bool, scenarios: Sequence[ScenarioFile], pictures: Pictures
) -> Book:
    """See `interpreter.rulebook.make_book`."""
    seats = spec.source.seats
    overview = Section(
        "overview",
        (Text("Overview"),),
        (Author((Paragraph((Text(spec.source.doc or spec.source.about),)),)),),
        kind="overview",
    )
    return Book(
        spec.id,
        spec.title,
        spec.source.version,
        language,
        spec.source.about,
        f"{seats[0]} to {seats[1]}" if seats[0] != seats[1] else str(seats[0]),
        "",
        (overview,),
        (),
        (),
        None,
        {},
    )
