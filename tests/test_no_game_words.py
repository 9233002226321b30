"""The language and the engine know no game: no game's name or term occurs in their sources."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    path
    for package in ("rulespec", "interpreter")
    for path in (ROOT / package).rglob("*")
    if path.suffix in {".py", ".lark", ".j2", ".css", ".json", ".yaml"} and "_games" not in path.parts
)
TERMS = [
    *["grand[ _-]?dog[ _-]?park", "pet[ _-]?cemetery", "dungeon[ _-]?petz", "paperbag"],
    *["dog", "treats?", "fleas?", "shampoos?", "dachshunds?", "pugs?", "squeeze"],
    *["cemetery", "undertakers?", "graves?", "hamsters?", "parrots?"],
    *["petz", "pets?", "imps?", "cages?", "exhibitions?"],
    *["dungeons?", "goblins?", "janitors?", "wardens?", "monsters?", "treasures?", "corridors?"],
]
PATTERN = re.compile(r"(?<![a-z])(?:" + "|".join(TERMS) + r")(?![a-z])", re.IGNORECASE)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_source_knows_a_game(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [] == [f"{number}: {line.strip()}" for number, line in enumerate(lines, 1) if PATTERN.search(line)]


def test_the_sources_are_found() -> None:
    assert len(SOURCES) > 10
