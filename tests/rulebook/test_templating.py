"""Templates of games: what they may change, that they run in a sandbox, and what is said of their mistakes."""

import sys
from pathlib import Path

import pytest

import interpreter
from interpreter.rulebook import templating
from interpreter.rulebook.html import html_page
from interpreter.rulebook.pictures import Drawn
from interpreter.rulebook.templating import MissingLibrary, TemplateFault, environment, template_folders
from tests.rulebook import pages, sample
from tests.rulebook.names import PlainNames

CARDS = """
rulespec: 1
id: cards
title: Cards
about: A game with cards.
players: 2
components:
  Card:
    fields: {name: text, value: 1..9}
    label: "{name}"
    rows: [{id: one, name: <b>One, value: 1}, {id: two, name: Two, value: 2}]
  Coin: {rows: [{id: coin, count: 3}]}
phases:
  play: {do: end game}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "rulebook"
    path.mkdir()
    return path


def write(folder: Path, name: str, text: str) -> list[Path]:
    (folder / name).write_text(text, encoding="utf-8")
    return [folder]


def test_a_block_of_the_page(folder: Path) -> None:
    foot = "{% block foot %}<footer><p>Made by {{ book.title }}</p></footer>{% endblock %}"
    text = f'{{% extends "default/book.html.j2" %}}{foot}'
    page = html_page(sample.book(), write(folder, "book.html.j2", text))
    assert [] == pages.faults(page)
    assert ["Made by Sample"] == [footer.text for footer in pages.read(page).all("footer")]


def test_every_block_can_be_filled(folder: Path) -> None:
    names = [
        "head_title", "style", "head", "title_page", "contents", "before_sections", "sections", "summary", "glossary",
        "index", "after_sections", "foot",
    ]  # fmt: skip
    for name in names:
        text = f'{{% extends "default/book.html.j2" %}}{{% block {name} %}}HERE{{% endblock %}}'
        assert 1 == html_page(sample.book(), write(folder, "book.html.j2", text)).count("HERE"), name


def test_colours_of_a_game(folder: Path) -> None:
    page = html_page(sample.book(), write(folder, "theme.css", ":root { --accent: #703 }"))
    assert "--accent: #703" in page
    assert page.index("--accent: #703") > page.index("--accent: #1f5d63")


def test_macros_of_a_game(folder: Path) -> None:
    text = (
        '{% import "default/text.html.j2" as usual with context %}'
        "{% set blocks = usual.blocks %}"
        "{% macro section(section, level) %}<h2>{{ section.title|plain }}</h2>{% endmacro %}"
    )
    page = html_page(sample.book("<i>"), write(folder, "text.html.j2", text))
    assert "<h2>Overview</h2>" in page


def test_what_templates_put_in_is_escaped(folder: Path) -> None:
    text = '{% extends "default/book.html.j2" %}{% block foot %}<footer>{{ book.about }}</footer>{% endblock %}'
    page = html_page(sample.book("<script>"), write(folder, "book.html.j2", text))
    assert [] == pages.faults(page)


def game(tmp_path: Path) -> interpreter.Game:
    path = tmp_path / "game.yaml"
    path.write_text(CARDS, encoding="utf-8")
    return interpreter.load_game(path)


def test_cards_of_a_game(tmp_path: Path, folder: Path) -> None:
    body = '{% block body %}<text x="84" y="60">{{ card.title }} {{ card.value("value") }}</text>{% endblock %}'
    write(folder, "card_Card.svg.j2", f'{{% extends "default/card.svg.j2" %}}{body}')
    cards = game(tmp_path)
    drawn = Drawn(template_folders(cards.spec))
    picture = drawn.piece(cards, "Card", 0, PlainNames())
    assert picture is not None
    assert '<text x="84" y="60">&lt;b&gt;One 1</text>' in picture.svg
    assert 'role="img"' in picture.svg
    coin = drawn.piece(cards, "Coin", 0, PlainNames())
    assert coin is not None and 'y="60"' not in coin.svg


def test_folders_of_a_variant(tmp_path: Path) -> None:
    import rulespec

    for name in ("base", "variant"):
        (tmp_path / name / "rulebook").mkdir(parents=True)
    (tmp_path / "base" / "game.yaml").write_text(CARDS, encoding="utf-8")
    variant = tmp_path / "variant" / "game.yaml"
    variant.write_text("extends: ../base/game.yaml\nid: more\ntitle: More\nabout: More cards.\n", encoding="utf-8")
    found = template_folders(rulespec.load(variant))
    assert [tmp_path / "variant/rulebook", tmp_path / "base/rulebook"] == [path.resolve() for path in found]


@pytest.mark.parametrize(
    "attack",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ book.__init__.__globals__ }}",
        "{{ word.__globals__ }}",
        "{% include '../../secret.txt' %}",
        "{% set x = book.words.clear() %}",
    ],
)
def test_templates_can_do_nothing_else(folder: Path, attack: str) -> None:
    (folder.parent / "secret.txt").write_text("secret", encoding="utf-8")
    with pytest.raises(TemplateFault):
        html_page(sample.book(), write(folder, "book.html.j2", attack))


def test_mistakes_have_their_place(folder: Path) -> None:
    with pytest.raises(TemplateFault) as fault:
        html_page(sample.book(), write(folder, "book.html.j2", "<p>\n{% if %}"))
    assert str(fault.value).startswith(f"{folder / 'book.html.j2'}:2: ")
    with pytest.raises(TemplateFault) as fault:
        html_page(sample.book(), write(folder, "book.html.j2", "<p>\n\n{{ boook.title }}"))
    assert str(fault.value) == f"{folder / 'book.html.j2'}:3: 'boook' is undefined"


@pytest.mark.parametrize("name", ["theme.css", "book.html.j2", "text.html.j2"])
def test_a_file_that_is_no_text_is_named(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b":root { --accent: \xff }")
    with pytest.raises(TemplateFault) as fault:
        html_page(sample.book(), [folder])
    assert str(fault.value) == f"{folder / name}: the file is not UTF-8"


def test_without_jinja2(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templating, "find_spec", lambda name: None)
    with pytest.raises(MissingLibrary) as missing:
        environment()
    assert str(missing.value) == "a rulebook needs jinja2: pip install 'rulespec[docs]'"


def test_texts_on_cards_are_in_the_words_of_the_book(tmp_path: Path) -> None:
    class Translated(PlainNames):
        def text(self, key: str, default: str) -> str:
            return f"{key} says {default}"

    import rulespec

    (tmp_path / "game.yaml").write_text(
        "rulespec: 1\nid: one\ntitle: One\nplayers: 2\nabout: One.\ncomponents:\n"
        "  Card: {rows: [{id: ace, does: Wins}], fields: {does: text}}\n"
        "phases: {play: {do: end game}}\n",
        encoding="utf-8",
    )
    cards = interpreter.Game(rulespec.load(tmp_path / "game.yaml"))
    picture = Drawn().piece(cards, "Card", 0, Translated())
    assert picture is not None and picture.alt == "Card: Ace. does rows.Card.ace.does says Wins."


def test_compiled_templates_of_the_library_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where Python keeps its modules, unless it keeps none; spoilt ones are made again, those of games are not kept."""
    monkeypatch.setattr(sys, "pycache_prefix", str(tmp_path / "cache"))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    page = html_page(sample.book())
    assert not (tmp_path / "cache").exists()
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    assert page == html_page(sample.book())
    kept = sorted(path for path in (tmp_path / "cache").rglob("*") if path.is_file())
    assert {path.name.partition("-Environment-")[0] for path in kept} == {
        "book-html-j2",
        "style-css",
        "theme-css",
        "text-html-j2",
    }
    assert page == html_page(sample.book())
    for path in kept:
        path.write_bytes(path.read_bytes()[:-9])
    assert page == html_page(sample.book())
    own = tmp_path / "rulebook"
    own.mkdir()
    html_page(sample.book(), write(own, "book.html.j2", '{% extends "default/text.html.j2" %}'))
    added = {path for path in (tmp_path / "cache").rglob("*") if path.is_file()} - set(kept)
    assert [path.name.partition("-ImmutableSandboxedEnvironment-")[0] for path in added] == ["text-html-j2"]
