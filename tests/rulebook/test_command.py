"""`rulespec docs`: which files it writes, and what it says where it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interpreter.cli.app import app
from interpreter.rulebook import templating
from tests.rulebook import pages

BASE = """
rulespec: 1
id: base
title: Base <i>
players: 2
about: Draw & score.
variables: {score: {per: player, type: 0..200}}
actions:
  work: {doc: "<script>alert(1)</script>", do: "score[me] += 1"}
phases:
  play: {turns: {rounds: 3}, actions: [work]}
result: {rank_by: [highest score]}
"""
VARIANT = """
extends: base.yaml
id: variant
title: Variant
about: More.
actions:
  work:
    do: |
      usual
      score[me] += 1
"""
SCENARIOS = """
game: ../base.yaml
scenarios:
  - name: Work scores
    example: true
    when: [player_1: work]
    then: ["score[player_1] == SCORE"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
    (tmp_path / "variant.yaml").write_text(VARIANT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: Any, status: int = 0) -> Result:
    result = CliRunner().invoke(app, ["docs", *map(str, arguments)], prog_name="rulespec")
    assert status == result.exit_code, result.output
    return result


def scenario(folder: Path, score: int) -> None:
    (folder / "scenarios").mkdir(exist_ok=True)
    (folder / "scenarios" / "work.yaml").write_text(SCENARIOS.replace("SCORE", str(score)), encoding="utf-8")


def test_one_page(folder: Path) -> None:
    assert "books/base.html\n" == run("base.yaml", "-o", "books").output
    page = (folder / "books/base.html").read_text(encoding="utf-8")
    assert [] == pages.faults(page)
    assert "<script>alert(1)</script>" in pages.read(page).text


def test_several_formats(folder: Path) -> None:
    run("base.yaml", "-o", "books", "--format", "markdown, html")
    names = {str(path.relative_to(folder / "books")) for path in (folder / "books").rglob("*") if path.is_file()}
    assert names == {"base.html", "base.md", "base-pictures/flow.svg"}


def test_other_languages_and_what_variants_change(folder: Path) -> None:
    assert "books/base.de.html\n" == run("base.yaml", "-o", "books", "--language", "de").output
    page = (folder / "books/base.de.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in page
    assert [] == pages.faults(page)
    assert "books/variant-changes.html\n" == run("variant.yaml", "-o", "books", "--changes").output
    page = (folder / "books/variant-changes.html").read_text(encoding="utf-8")
    assert [] == pages.faults(page)
    assert "What changes beside Base <i>" in pages.read(page).text


def test_examples_are_played(folder: Path) -> None:
    scenario(folder, 1)
    run("base.yaml", "-o", "books")
    page = pages.read((folder / "books/base.html").read_text(encoding="utf-8"))
    [example] = [element for element in page.all("section") if element.attributes.get("class") == "example"]
    assert "Work scores" in example.text
    assert 2 == sum(1 for _ in example.all("svg"))


def test_an_example_that_fails_stops_the_book(folder: Path) -> None:
    scenario(folder, 2)
    output = run("base.yaml", "-o", "books", status=1).output
    assert "the example `Work scores` does not hold, so the rulebook is not made" in output
    assert "score[player_1]` is 1" in output
    assert not (folder / "books").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "books"], "name one game, perhaps with --changes, or give --all"),
        (["base.yaml", "--all", "-o", "books"], "name one game, perhaps with --changes, or give --all"),
        (["--all", "--changes", "-o", "books"], "name one game, perhaps with --changes, or give --all"),
        (["base.yaml"], "Missing option '-o' / '--output'"),
        (["base.yaml", "-o", "books", "--format", "html,docx"], "`docx` is none of html, markdown, pdf"),
        (["base.yaml", "-o", "books", "--format", ","], "name one of html, markdown, pdf"),
        (["base.yaml", "-o", "books", "--language", "xx"], "there are no phrases for the language `xx`"),
        (["base.yaml", "-o", "books", "--changes"], "extends no other game"),
        (["base.yaml", "-o", "books", "--paper", "A5"], "'A5' is not one of 'A4', 'Letter'"),
        (["no-such-game", "-o", "books"], "there is no game `no-such-game`"),
    ],
)
def test_wrong_usage(folder: Path, arguments: list[str], message: str) -> None:
    assert message in run(*arguments, status=2).output
    assert not (folder / "books").exists()


@pytest.mark.parametrize(
    ("output", "told"),
    [
        ("base.yaml/books", "can't write base.yaml/books/base.html: Not a directory\n"),
        ("taken", "can't write taken/base.html: Is a directory\n"),
    ],
)
def test_what_cannot_be_written_is_told(folder: Path, output: str, told: str) -> None:
    (folder / "taken" / "base.html").mkdir(parents=True)
    assert told == run("base.yaml", "-o", output, status=1).output


def test_mistakes_in_a_spec_are_shown(folder: Path) -> None:
    (folder / "base.yaml").write_text(BASE.replace("+= 1", "+= x"), encoding="utf-8")
    assert "error[RS301]" in run("base.yaml", "-o", "books", status=1).output


def test_files_that_are_no_text_are_told(folder: Path) -> None:
    words = folder / "rulebook" / "en.yaml"
    words.parent.mkdir()
    words.write_bytes(b"\xff")
    told = f"{words}: the file is not UTF-8\n"
    assert told == run("base.yaml", "-o", "books", status=1).output
    (folder / "base.yaml").write_bytes(b"\xff\xfe")
    assert "error[RS002]: the file is UTF-16, not UTF-8\n" in run("base.yaml", "-o", "books", status=1).output


def test_mistakes_in_a_template_are_shown(folder: Path) -> None:
    (folder / "rulebook").mkdir()
    (folder / "rulebook" / "book.html.j2").write_text("{{ nothing }}", encoding="utf-8")
    output = run("base.yaml", "-o", "books", status=1).output
    assert "rulebook/book.html.j2:1: 'nothing' is undefined" in output.replace("\n", "")


def test_a_missing_library_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templating, "find_spec", lambda name: None)
    output = run("base.yaml", "-o", "books", status=1).output
    assert "a rulebook needs jinja2: pip install 'rulespec[docs]'" in output


def test_only_examples_are_read(folder: Path) -> None:
    """A mistake in another scenario is told by `rulespec test`; the book has nothing to do with it."""
    scenario(folder, 1)
    path = folder / "scenarios" / "work.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(f"{text}  - name: Mistaken\n    then: [points == 1]\n", encoding="utf-8")
    run("base.yaml", "-o", "books")
    path.write_text(f"{text}  - name: Mistaken\n    example: true\n    then: [points == 1]\n", encoding="utf-8")
    assert "error[RS301]: there is nothing called `points` here" in run("base.yaml", "-o", "books", status=1).output
