"""Writes a rulebook for print: PDF with page numbers, contents with page numbers, and bookmarks."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.rulebook.html import html_page
from interpreter.rulebook.templating import MissingLibrary, need

if TYPE_CHECKING:
    from interpreter.rulebook.blocks import Book


def pdf_file(book: Book, folders: Sequence[Path] = (), *, paper: str = "A4") -> bytes:
    """A book as the bytes of a PDF file.

    Args:
        book: the book.
        folders: with templates of the game, see `interpreter.rulebook.templating.template_folders`.
        paper: `A4` or `Letter`.

    Raises:
        MissingLibrary: weasyprint or jinja2 is not installed, or Pango, which weasyprint needs.
        TemplateFault: a template of the game has a mistake.
        ValueError: there is no such paper.
    """
    need("weasyprint", "PDF", "pdf")
    page = html_page(book, folders, paper=paper)
    try:
        document = import_module("weasyprint").HTML(string=page, url_fetcher=_nothing)
    except OSError as error:  # the library is there, but not what it draws with
        message = f"PDF needs Pango, which weasyprint draws text with: apt-get install libpango-1.0-0 ({error})"
        raise MissingLibrary(message) from error
    return bytes(document.write_pdf(pdf_tags=True))


def _nothing(url: str, *arguments: object, **options: object) -> dict[str, object]:
    """Fetches nothing: a page has all it needs."""
    raise ValueError(f"a rulebook does not load {url}")
