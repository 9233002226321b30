"""Writes a rulebook as one HTML page that needs nothing else: styles and pictures are inside, there are no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.rulebook import blocks as b
from interpreter.rulebook.page_words import page_word
from interpreter.rulebook.templating import environment, filled

if TYPE_CHECKING:
    from jinja2 import Environment

PAPERS = {"A4": "A4", "Letter": "letter"}
"""Sizes of paper, and what style sheets call them."""


def html_page(book: b.Book, folders: Sequence[Path] = (), *, paper: str = "") -> str:
    """A book as the text of one HTML page.

    Args:
        book: the book.
        folders: with templates of the game, see `interpreter.rulebook.templating.template_folders`.
        paper: for print, `A4` or `Letter`: adds page numbers, and page numbers in the contents, which programs that
            make PDF understand and browsers do not; "" for the screen and whatever paper is in the printer.

    Raises:
        MissingLibrary: jinja2 is not installed.
        TemplateFault: a template of the game has a mistake.
        ValueError: there is no such paper.
    """
    if paper and paper not in PAPERS:
        raise ValueError(f"paper is {' or '.join(PAPERS)}, not `{paper}`")
    made = environment(folders)
    _teach(made, book)
    page = filled(lambda: made.get_template("book.html.j2").render(book=book, paper=PAPERS.get(paper, "")))
    return re.sub(r"\n\s*\n", "\n", page)


def shelf_page(books: Sequence[tuple[b.Book, str]]) -> str:
    """A page that lists books in the folder where it lies.

    Args:
        books: each with the name of its file, without ending.

    Raises:
        MissingLibrary: jinja2 is not installed.
    """
    made = environment()
    return made.get_template("shelf.html.j2").render(books=books)


def _teach(made: Environment, book: b.Book) -> None:
    """Gives templates what they ask for by name."""
    from markupsafe import Markup

    found = titles(book)

    def drawing(picture: b.Picture) -> Markup:
        return Markup(picture.svg)

    made.filters |= {"kind": lambda thing: type(thing).__name__, "plain": b.plain}
    made.globals |= {
        "word": lambda key, **values: page_word(book, key, **values),
        "titled": found.__getitem__,
        "drawing": drawing,
    }


def titles(book: b.Book) -> dict[str, str]:
    """What everything is called that has an id."""
    found = {section.id: b.plain(section.title) for section in b.all_sections(book)}
    found |= {entry.id: entry.term for entry in book.glossary}
    found |= {piece.id: b.plain(piece.name) for piece in _pieces(book) if piece.id}
    for section in b.all_sections(book):
        examples = (block for block in b.all_blocks(section.blocks) if isinstance(block, b.Example))
        found |= {example.id: b.plain(example.title) for example in examples}
    return found


def _pieces(book: b.Book) -> Iterator[b.Piece]:
    for section in b.all_sections(book):
        for block in b.all_blocks(section.blocks):
            if isinstance(block, b.Pieces):
                yield from block.pieces


def references(thing: Any) -> Iterator[str]:
    """The targets of all references in a book or a part of it."""
    if isinstance(thing, b.Ref):
        yield thing.target
    if isinstance(thing, b.IndexEntry):
        yield from thing.targets
    if isinstance(thing, b.GlossaryEntry) and thing.see:
        yield thing.see
    if isinstance(thing, tuple):
        for part in thing:
            yield from references(part)
    elif hasattr(type(thing), "__attrs_attrs__"):
        for attribute in type(thing).__attrs_attrs__:
            yield from references(getattr(thing, attribute.name))
