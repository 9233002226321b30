"""The Markdown of a book: as ever, with pictures beside it, and with what a game says as text."""

import re
from pathlib import Path

import pytest

from interpreter.rulebook.markdown import escaped, markdown
from tests.rulebook import sample
from tests.rulebook.test_html import HOSTILE

GOLDEN = Path(__file__).parent / "golden"


def test_sample_is_written_as_ever(update_golden: bool) -> None:
    text, pictures = markdown(sample.book())
    if update_golden:
        (GOLDEN / "sample.md").write_text(text, encoding="utf-8")
    assert text == (GOLDEN / "sample.md").read_text(encoding="utf-8")
    assert ["flow.svg", "card-two-picture.svg", "before.svg", "after.svg"].sort() == list(pictures).sort()


def test_every_picture_is_a_file_and_every_link_has_its_anchor() -> None:
    text, pictures = markdown(sample.book(), "drawn")
    assert set(pictures) == set(re.findall(r"\]\(drawn/([^)]+)\)", text))
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', text))
    assert set() == set(re.findall(r"\]\(#([^)]+)\)", text)) - anchors
    assert all(svg.startswith("<svg xmlns=") for svg in pictures.values())


def test_pictures_of_one_name_are_two_files() -> None:
    import attrs

    from interpreter.rulebook import blocks as b

    one, other = sample.picture("same"), b.Picture(sample.picture("same").svg + " ", "Another")
    section = b.Section("pictures", sample.text("Pictures"), (one, other, one))
    _, pictures = markdown(attrs.evolve(sample.book(), sections=(*sample.book().sections, section)))
    assert {"same.svg", "same-a.svg"} <= set(pictures)


@pytest.mark.parametrize("said", HOSTILE)
def test_what_a_game_says_is_text(said: str) -> None:
    text, _ = markdown(sample.book(said))
    tags = set(re.findall(r"<[^>]*>", text))
    assert all(re.fullmatch(r'<a id="[a-z0-9-]+">|</a>', tag) for tag in tags), tags


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("# no heading", r"\# no heading"),
        ("- no list", r"\- no list"),
        ("1. no list", r"1\. no list"),
        ("a * b _c_ `d`", r"a \* b \_c\_ \`d\`"),
        ("[text](javascript:alert(1))", r"\[text\](javascript:alert(1))"),
        ("a | b", r"a \| b"),
        ("<b>&amp;", "&lt;b&gt;&amp;amp;"),
        ("http://example.org", "http:&#47;/example.org"),
        ("two\nlines", "two lines"),
    ],
)
def test_signs_stand_for_themselves(said: str, written: str) -> None:
    assert written == escaped(said)
