"""Scenarios and a few random games together reach nearly all rules of each shipped game."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.coverage import CoverageReport, measure_coverage

GAMES = Path(__file__).parents[2] / "games"
MODES = ("chill", "janitor", "warden", "hardcore", "double")
SPECS = {
    "grand_dog_park": (20, ("game",)),
    "pet_cemetery": (12, ("game",)),
    "dungeon_petz": (12, ("game",)),
    "paperbag_dungeon": (6, MODES),
}
"""By folder, how many random games of each of its specs. Of modes that build on one another the rules count once."""


@pytest.mark.slow
@pytest.mark.parametrize("name", SPECS)
def test_rules_are_reached(name: str) -> None:
    playouts, specs = SPECS[name]
    report: CoverageReport | None = None
    for spec in specs:
        found = measure_coverage(GAMES / name / f"{spec}.yaml", playouts, max_decisions=2_000)
        report = found if report is None else report.with_other(found)
    assert report is not None
    assert (0, 0) == (report.faults, report.failed)
    missed = "\n".join(f"{p.span.path}:{p.span.line}: {report.text(p)}" for p in report.missed)
    assert report.share >= 0.95, f"{report.share:.1%} of the rules were reached, not:\n{missed}"
    assert report.by_kind["phase"][0] == report.by_kind["phase"][1]
