"""`rulespec docs`: the rulebook of a game, made from its rules."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve, frozen

from interpreter.cli import common
from interpreter.trials.scenarios import scenario_files
from rulespec import packs

if TYPE_CHECKING:
    from interpreter.rulebook import Book
    from rulespec.checked import CheckedSpec
    from rulespec.scenarios.model import ScenarioFile

EPILOG = """\b
Examples:
  rulespec docs my_game -o books
  rulespec docs my_game/variant.yaml -o books --changes
  rulespec docs my_game -o books --language de --format html,pdf
  rulespec docs --all -o books
"""
_EXAMPLE = re.compile(r"\bexample\s*:")
FORMATS = ("html", "markdown", "pdf")


@frozen
class _Order:
    """What is wanted of each book."""

    language: str
    formats: tuple[str, ...]
    paper: str


def _formats(ctx: click.Context, param: click.Parameter, given: str) -> tuple[str, ...]:
    wanted = [part.strip() for part in given.split(",") if part.strip()]
    for name in wanted:
        if name not in FORMATS:
            raise click.BadParameter(f"`{name}` is none of {', '.join(FORMATS)}", ctx, param)
    if not wanted:
        raise click.BadParameter(f"name one of {', '.join(FORMATS)}", ctx, param)
    return tuple(dict.fromkeys(wanted))


@click.command(epilog=EPILOG)
@click.argument("game_name", metavar="[GAME]", required=False)
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    required=True,
    metavar="DIR",
    help="The folder for the book; made if it is not there.",
)
@click.option("--all", "everything", is_flag=True, help="All installed games, changes of variants, and a list.")
@click.option("--language", default="en", metavar="TAG", help="Of the sentences made from rules: en or de. Default en.")
@click.option("--changes", is_flag=True, help="Of a variant, only what it changes in the game that it extends.")
@click.option(
    "--format",
    "formats",
    default="html",
    callback=_formats,
    metavar="FORMATS",
    help="html, markdown and pdf, with commas between. Default html.",
)
@click.option("--paper", type=click.Choice(["A4", "Letter"]), default="A4", help="Of PDF. Default A4.")
def command(
    game_name: str | None,
    folder: Path,
    everything: bool,
    language: str,
    changes: bool,
    formats: tuple[str, ...],
    paper: str,
) -> None:
    """Make the rulebook of a GAME from its rules.

    Scenarios marked as examples are played for the book; the status is 1 where one of them fails.
    """
    from interpreter.rulebook.templating import MissingLibrary

    if everything == bool(game_name) or (everything and changes):
        raise click.UsageError("name one game, perhaps with --changes, or give --all")
    order = _Order(language, formats, paper)
    # Specs and books are large trees that stay; looking for garbage in them again and again takes a fifth of the time.
    gc.set_threshold(200_000)
    try:
        if game_name:
            _write(folder, _book_files(common.spec_path(game_name), order, changes))
        else:
            _write(folder, _shelf(order))
    except MissingLibrary as error:
        common.fail(str(error))
    except _faults() as error:
        common.fail(str(error))


def _faults() -> tuple[type[ValueError], ...]:
    """What an author is told: an example fails, words or templates of the game have a mistake."""
    from interpreter.rulebook.examples import ExampleFailed
    from interpreter.rulebook.templating import TemplateFault
    from interpreter.rulebook.word_files import WordsError

    return ExampleFailed, WordsError, TemplateFault


def _write(folder: Path, files: Iterator[tuple[str, bytes]]) -> None:
    """Writes files and prints the paths of those that are no pictures."""
    for name, content in files:
        path = folder / name
        with common.unwritable_told(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if path.suffix != ".svg":
            click.echo(str(path))


def _shelf(order: _Order) -> Iterator[tuple[str, bytes]]:
    """The books of all installed games, also in other languages for which they have words, and a list of them."""
    from interpreter.rulebook.html import shelf_page
    from interpreter.rulebook.lexicon import has_words

    listed: list[tuple[Book, str]] = []
    for game in common.tracked(packs.installed_games(), "making rulebooks"):
        books = [*_books(game.path, order)]
        for language in has_words(game.path):
            if language != order.language:
                books.append(_book(game.path, evolve(order, language=language), changes=False))
        for book, spec in books:
            stem = _stem(book)
            yield from _files(book, spec, stem, order)
            listed.append((book, stem))
    if "html" in order.formats:
        yield "index.html", shelf_page(listed).encode()


def _books(path: Path, order: _Order) -> Iterator[tuple[Book, CheckedSpec]]:
    """The whole book of a game, and of a variant the one of what it changes."""
    book, spec = _book(path, order, changes=False)
    yield book, spec
    if any(packs.game_id(Path(file)) for file in spec.source.files[1:]):  # other files are parts of the game
        yield _book(path, order, changes=True)


def _book_files(path: Path, order: _Order, changes: bool) -> Iterator[tuple[str, bytes]]:
    book, spec = _book(path, order, changes)
    yield from _files(book, spec, _stem(book), order)


def _book(path: Path, order: _Order, changes: bool) -> tuple[Book, CheckedSpec]:
    from interpreter.rulebook import make_book
    from interpreter.rulebook.pictures import Drawn
    from interpreter.rulebook.templating import template_folders

    scenarios = _scenarios(path)
    spec = scenarios[0].spec if scenarios else common.load_spec(str(path))
    drawn = Drawn(template_folders(spec))
    try:
        book = make_book(spec, language=order.language, changes_only=changes, scenarios=scenarios, pictures=drawn)
    except _faults():
        raise
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    return book, spec


def _scenarios(game: Path) -> list[ScenarioFile]:
    """The scenario files of a game that have examples; their mistakes are shown."""
    from rulespec.scenarios.read import Library, read_scenarios

    library = Library()
    texts = {file: file.read_text(encoding="utf-8", errors="replace") for file in scenario_files(game)}
    files = [file for file, text in texts.items() if _EXAMPLE.search(text)]
    with common.spec_faults_shown():
        return [read_scenarios(file, library, only_examples=True) for file in files]


def _stem(book: Book) -> str:
    """What the files of a book are called: `my-game`, `my-variant-changes.de`."""
    name = f"{book.id}-changes" if book.base else book.id
    return name if book.language == "en" else f"{name}.{book.language}"


def _files(book: Book, spec: CheckedSpec, stem: str, order: _Order) -> Iterator[tuple[str, bytes]]:
    """The files of a book, by name."""
    from interpreter.rulebook.templating import template_folders

    for wanted in order.formats:
        yield from _WRITERS[wanted](book, template_folders(spec), stem, order.paper)


def _html(book: Book, folders: Sequence[Path], stem: str, paper: str) -> Iterator[tuple[str, bytes]]:
    from interpreter.rulebook.html import html_page

    yield f"{stem}.html", html_page(book, folders).encode()


def _markdown(book: Book, folders: Sequence[Path], stem: str, paper: str) -> Iterator[tuple[str, bytes]]:
    from interpreter.rulebook.markdown import markdown

    pictures = f"{stem}-pictures"
    text, drawn = markdown(book, pictures)
    yield f"{stem}.md", text.encode()
    for name, svg in drawn.items():
        yield f"{pictures}/{name}", svg.encode()


def _pdf(book: Book, folders: Sequence[Path], stem: str, paper: str) -> Iterator[tuple[str, bytes]]:
    from interpreter.rulebook.pdf import pdf_file

    yield f"{stem}.pdf", pdf_file(book, folders, paper=paper)


_WRITERS: dict[str, Callable[[Book, Sequence[Path], str, str], Iterator[tuple[str, bytes]]]] = {
    "html": _html,
    "markdown": _markdown,
    "pdf": _pdf,
}
