"""`rulespec docs`: the rulebook of a game, made from its rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from interpreter.cli import common
from interpreter.scenarios import scenario_files

if TYPE_CHECKING:
    from interpreter.rulebook import Book
    from rulespec.scenarios.model import ScenarioFile

EPILOG = """\b
Examples:
  rulespec docs my_game -o books
  rulespec docs my_game/variant.yaml -o books --changes
  rulespec docs my_game -o books --language de --format html,pdf
"""
FORMATS = ("html", "markdown", "pdf")


def _formats(ctx: click.Context, param: click.Parameter, given: str) -> list[str]:
    wanted = [part.strip() for part in given.split(",") if part.strip()]
    for name in wanted:
        if name not in FORMATS:
            raise click.BadParameter(f"`{name}` is none of {', '.join(FORMATS)}", ctx, param)
    if not wanted:
        raise click.BadParameter(f"name one of {', '.join(FORMATS)}", ctx, param)
    return list(dict.fromkeys(wanted))


@click.command(epilog=EPILOG)
@common.game_argument
@click.option(
    "-o", "--output", "folder", type=click.Path(file_okay=False, path_type=Path), required=True, metavar="DIR",
    help="The folder for the book; made if it is not there.",
)  # fmt: skip
@click.option("--language", default="en", metavar="TAG", help="Of the sentences made from rules: en or de. Default en.")
@click.option("--changes", is_flag=True, help="Of a variant, only what it changes in the game that it extends.")
@click.option(
    "--format", "formats", default="html", callback=_formats, metavar="FORMATS",
    help="html, markdown and pdf, with commas between. Default html.",
)  # fmt: skip
@click.option("--paper", type=click.Choice(["A4", "Letter"]), default="A4", help="Of PDF. Default A4.")
def command(
    game_name: str, folder: Path, language: str, changes: bool, formats: Sequence[str], paper: str
) -> None:  # fmt: skip
    """Make the rulebook of a GAME from its rules.

    Scenarios marked as examples are played for the book; the status is 1 where one of them fails.
    """
    from interpreter.rulebook import ExampleFailed, make_book
    from interpreter.rulebook.pictures import Drawn
    from interpreter.rulebook.templating import MissingLibrary, TemplateFault, template_folders

    spec = common.load_spec(game_name)
    scenarios = _scenarios(common.spec_path(game_name))
    try:
        folders = template_folders(spec)
        book = make_book(
            spec, language=language, changes_only=changes, scenarios=scenarios, pictures=Drawn(folders)
        )  # fmt: skip
        files = _files(book, folders, _stem(book, changes), formats, paper)
    except (ExampleFailed, MissingLibrary, TemplateFault) as error:
        common.fail(str(error))
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    for name in files:
        if Path(name).suffix != ".svg":
            click.echo(str(folder / name))


def _scenarios(game: Path) -> list[ScenarioFile]:
    """The scenarios of a game, with their mistakes shown."""
    from rulespec.scenarios.read import Library, read_scenarios

    library = Library()
    with common.spec_faults_shown():
        return [read_scenarios(file, library) for file in scenario_files(game)]


def _stem(book: Book, changes: bool) -> str:
    """What the files of a book are called: `my-game`, `my-variant-changes.de`."""
    name = f"{book.id}-changes" if changes else book.id
    return name if book.language == "en" else f"{name}.{book.language}"


def _files(book: Book, folders: Sequence[Path], stem: str, formats: Sequence[str], paper: str) -> dict[str, bytes]:
    """The files of a book by name."""
    found: dict[str, bytes] = {}
    for wanted in formats:
        found |= _WRITERS[wanted](book, folders, stem, paper)
    return found


def _html(book: Book, folders: Sequence[Path], stem: str, paper: str) -> dict[str, bytes]:
    from interpreter.rulebook.html import html_page

    return {f"{stem}.html": html_page(book, folders).encode()}


def _markdown(book: Book, folders: Sequence[Path], stem: str, paper: str) -> dict[str, bytes]:
    from interpreter.rulebook.markdown import markdown

    pictures = f"{stem}-pictures"
    text, drawn = markdown(book, pictures)
    return {f"{stem}.md": text.encode()} | {f"{pictures}/{name}": svg.encode() for name, svg in drawn.items()}


def _pdf(book: Book, folders: Sequence[Path], stem: str, paper: str) -> dict[str, bytes]:
    from interpreter.rulebook.pdf import pdf_file

    return {f"{stem}.pdf": pdf_file(book, folders, paper=paper)}


_WRITERS: dict[str, Callable[[Book, Sequence[Path], str, str], dict[str, bytes]]] = {
    "html": _html,
    "markdown": _markdown,
    "pdf": _pdf,
}
