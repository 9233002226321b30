"""The HTML page of a book: what stands in it, that it is sound, and that nothing a game says becomes markup."""

from pathlib import Path

import attrs
import pytest

from interpreter.rulebook import blocks as b
from interpreter.rulebook.html import html_page, shelf_page
from tests.rulebook import pages, sample

GOLDEN = Path(__file__).parent / "golden"
HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "{{ 7 * 7 }} {% for x in y %} {# gone #}",
    "</title></style></svg><b>bold</b>",
    "<!-- --> ]]> &amp; &lt;",
    "{book} {n} %s %(x)s ${x}",
    "javascript:alert(1)",
]


def test_sample_is_written_as_ever(update_golden: bool) -> None:
    page = html_page(sample.book())
    body = page[page.index("<body>") :]
    if update_golden:
        (GOLDEN / "sample.html").write_text(body, encoding="utf-8")
    assert body == (GOLDEN / "sample.html").read_text(encoding="utf-8")


def test_page_is_sound() -> None:
    assert [] == pages.faults(html_page(sample.book()))


@pytest.mark.parametrize("said", HOSTILE)
def test_what_a_game_says_is_text(said: str) -> None:
    page = html_page(sample.book(said))
    assert [] == pages.faults(page)
    root = pages.read(page)
    authored = [element for element in root.all("div") if element.attributes.get("class") == "author"]
    assert said in [element.text.strip() for element in authored]
    [about] = [e for e in root.all("meta") if e.attributes.get("name") == "description"]
    assert said == about.attributes["content"]


@pytest.mark.parametrize("said", HOSTILE)
def test_titles_and_words_of_a_game_are_text(said: str) -> None:
    book = attrs.evolve(sample.book(base=said), title=said, version=said, players=said, words={"players": said})
    page = html_page(book)
    assert [] == pages.faults(page)
    assert said in pages.read(page).text
    assert [said] == [h.text for h in pages.read(page).all("h1")]


def test_author_and_rules_are_apart() -> None:
    root = pages.read(html_page(sample.book("Hints.")))
    kinds = {e.attributes.get("class") for e in root.all("div")}
    assert {"author", "rules", "legend"} <= kinds
    [legend] = [e for e in root.all("div") if e.attributes.get("class") == "legend"]
    assert "made from the rules themselves" in legend.text
    assert "by the author" in legend.text


def test_nothing_outside_the_page_is_needed() -> None:
    page = html_page(sample.book())
    assert "default-src 'none'" in page
    assert "url(" not in page
    assert "@import" not in page


def test_deep_sections_have_headings_in_order() -> None:
    section = b.Section("deep-9", sample.text("Deepest"), (sample.line("Here."),))
    for depth in range(8, 0, -1):
        section = b.Section(f"deep-{depth}", sample.text(f"Depth {depth}"), (), (section,))
    assert [] == pages.faults(html_page(attrs.evolve(sample.book(), sections=(*sample.book().sections, section))))


def test_pages_for_print_have_numbers_and_contents() -> None:
    page = html_page(sample.book(), paper="Letter")
    assert "@page { size: letter; }" in page
    assert "counter(page)" in page
    assert "target-counter(attr(href), page)" in page
    assert "target-counter" not in html_page(sample.book())


def test_unknown_paper() -> None:
    with pytest.raises(ValueError, match="paper is A4 or Letter, not `A5`"):
        html_page(sample.book(), paper="A5")


def test_variants_name_their_base() -> None:
    assert "What changes beside Plain Sample" in pages.read(html_page(sample.book(base="Plain Sample"))).text


def test_list_of_books() -> None:
    german = attrs.evolve(sample.book(), language="de", words={"page_language": "Deutsch"})
    books = [(sample.book(), "sample"), (sample.book("<b>", base="<i>Base"), "a b-changes"), (german, "sample.de")]
    root = pages.read(shelf_page(books))
    assert ["Sample", "Sample: what changes", "Sample (Deutsch)"] == [link.text for link in root.all("a")]
    assert ["en", "en", "de"] == [link.attributes["hreflang"] for link in root.all("a")]
    assert ["sample.html", "a%20b-changes.html", "sample.de.html"] == [
        link.attributes["href"] for link in root.all("a")
    ]
    assert "Beside <i>Base. <b>" in root.text
