"""The books of all games that come with this distribution: sound pages, fit for a phone, by day and in the dark."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli.app import app
from rulespec import packs
from rulespec.diagnostics import Reporter
from rulespec.loader import read_spec
from tests.rulebook import browser, pages

pytestmark = pytest.mark.slow

SHIPPED = Path(__file__).parents[2] / "docs" / "rulebooks"
GAMES = [game.id for game in packs.installed_games()]


def variants() -> list[str]:
    """The games that extend another game."""
    found = []
    for game in packs.installed_games():
        spec = read_spec(game.path, Reporter())
        assert spec is not None
        if any(packs.game_id(Path(file)) for file in spec.files[1:]):
            found.append(game.id)
    return found


GERMAN = [f"{game.id}.de" for game in packs.installed_games() if (game.path.parent / "rulebook" / "de.yaml").is_file()]
NAMES = [*GAMES, *(f"{name}-changes" for name in variants()), *GERMAN]
LOOKED_AT = [*{game.path.parent: game.id for game in packs.installed_games()}.values(), NAMES[len(GAMES)], GERMAN[-1]]
"""A book of each folder of games, one of changes, and one in German."""


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("books")
    result = CliRunner().invoke(app, ["docs", "--all", "-o", str(folder)], prog_name="rulespec")
    assert 0 == result.exit_code, result.output
    return folder


def test_there_is_a_book_of_each_game_and_of_what_each_variant_changes(shelf: Path) -> None:
    assert {path.stem for path in shelf.iterdir()} == {*NAMES, "index"}
    root = pages.read((shelf / "index.html").read_text(encoding="utf-8"))
    assert {f"{name}.html" for name in NAMES} == {link.attributes["href"] for link in root.all("a")}


def test_books_in_the_docs_are_those_of_today(shelf: Path, update_golden: bool) -> None:
    if update_golden:
        for path in (*SHIPPED.glob("*.html"), *shelf.iterdir()):
            path.unlink() if path.parent == SHIPPED else shutil.copy(path, SHIPPED)
    made, there = ({p.name: p.read_text(encoding="utf-8") for p in folder.iterdir()} for folder in (shelf, SHIPPED))
    assert sorted(made) == sorted(there)
    assert [] == [name for name in made if made[name] != there[name]], "run `make docs`"


def test_books_in_the_docs_are_linked() -> None:
    page = (SHIPPED.parent / "rulebooks.md").read_text(encoding="utf-8")
    assert {*NAMES, "index"} == set(re.findall(r"\]\(rulebooks/([^)]+)\.html\)", page))


@pytest.mark.parametrize("name", NAMES)
def test_pages_are_sound(shelf: Path, name: str) -> None:
    page = (shelf / f"{name}.html").read_text(encoding="utf-8")
    assert [] == pages.faults(page)
    assert not re.search(r"\{\{|\{%|\bNone\b|Undefined|<built-in", page)


@pytest.mark.parametrize("name", LOOKED_AT)
@pytest.mark.skipif(not browser.chromium(), reason="needs a chromium browser")
def test_pages_in_a_browser(shelf: Path, name: str) -> None:
    dark = LOOKED_AT.index(name) % 2 == 1
    found = browser.inspect(shelf / f"{name}.html", 360, dark)
    assert found["overflow"] <= 0, found["wide"]
    assert [] == found["contrast"]
    assert [] == found["console"]
    assert 0 == found["unnamed"]
    assert found["texts"] > 50
