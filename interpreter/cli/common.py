"""What the commands share: loading a game with its faults shown, options, consoles and progress."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, TypeVar

import click

import interpreter
import rulespec
from interpreter.bots import BOTS
from rulespec import packs
from rulespec.diagnostics import Diagnostic
from rulespec.render import Renderer

if TYPE_CHECKING:
    from rich.console import Console

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])

FAULTS = 1
"""Exit status where the spec or the game has faults. 2, wrong usage, is click's own."""


def console() -> Console:
    """The console of what a command prints; without colour where NO_COLOR is set."""
    from rich.console import Console  # takes a twentieth of a second, and most commands need none

    return Console(highlight=False, soft_wrap=False)


def print_json(data: Any) -> None:
    """Prints what a program is to read."""
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))


def fail(message: str) -> NoReturn:
    """Leaves with a message because the spec or the game has faults."""
    click.echo(message, err=True)
    sys.exit(FAULTS)


def rendered(diagnostics: Iterable[Diagnostic], stream: IO[str]) -> str:
    """Diagnostics with their source; in colour where the stream is a terminal and NO_COLOR is not set."""
    colour = stream.isatty() and not os.environ.get("NO_COLOR")
    return Renderer(colour=colour).all(diagnostics).rstrip("\n")


def fail_to_write(path: Path, error: OSError) -> NoReturn:
    """Leaves with a message because a file or a folder can't be written."""
    fail(f"can't write {path}: {error.strerror or error}")


@contextmanager
def unwritable_told(path: Path) -> Iterator[None]:
    """Ends the program with a message where what is written to a path can't be."""
    try:
        yield
    except OSError as error:
        fail_to_write(path, error)


# ---------------------------------------------------------------- options of several commands

BOTS_HELP = f"Who plays: {', '.join(BOTS)}; one for all seats, or one for each as random,first,greedy. Default random."
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
seed_option = click.option("--seed", type=int, default=None, metavar="N", help="The seed of all chance.")
players_option = click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many seats.")
game_argument = click.argument("game_name", metavar="GAME")


def game_options(command: _F) -> _F:
    """Adds GAME, `--players` and `--option`."""
    return game_argument(players_option(settings_option(command)))


def _settings(ctx: click.Context, param: click.Parameter, given: Sequence[str]) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"`{text}` is not NAME=VALUE", ctx, param)
        settings[name.strip()] = _setting(value.strip())
    return settings


settings_option = click.option(
    "--option",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    callback=_settings,
    help="A game option, as tactical=true; a set as rules=a,b. May be given several times.",
)


def _setting(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    if re.fullmatch(r"-?[0-9]+", text):
        return int(text)
    if "," in text or text.startswith("["):
        return [part.strip() for part in text.strip("[]").split(",") if part.strip()]
    return text


def seats(text: str) -> tuple[int, ...]:
    """The seats in a text as `0,2`."""
    return tuple(int(part) for part in text.split(","))


# ---------------------------------------------------------------- specs and games


def spec_path(name: str) -> Path:
    """The file of a game given by its path, its folder or the id of an installed game.

    Raises:
        click.UsageError: there is no such file and no such game.
    """
    try:
        return packs.find_game(name)
    except packs.PackError as error:
        raise click.UsageError(str(error)) from error


def load_game(name: str, players: int | None, settings: dict[str, Any]) -> interpreter.Game:
    """The game, compiled. Where its spec has mistakes they are shown and the program ends."""
    spec = load_spec(name)
    try:
        return interpreter.Game(spec, players=players, options=settings)
    except ValueError as error:
        raise click.UsageError(str(error)) from error


def load_spec(name: str) -> rulespec.CheckedSpec:
    """The checked spec. Where it has mistakes they are shown and the program ends."""
    path = spec_path(name)
    with spec_faults_shown():
        return rulespec.load(path)


@contextmanager
def spec_faults_shown() -> Iterator[None]:
    """Shows the diagnostics of a spec that does not load, and ends the program."""
    try:
        yield
    except rulespec.SpecError as error:
        click.echo(rendered(error.diagnostics, sys.stderr), err=True)
        sys.exit(FAULTS)


# ---------------------------------------------------------------- long work


@contextmanager
def progress(total: int, what: str) -> Iterator[Callable[[int], None] | None]:
    """A function that shows how much is done, on a terminal; else None. On standard error: output stays clean."""
    if not sys.stderr.isatty() or total < 2:
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    err = Console(stderr=True)
    if not err.is_terminal:
        yield None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def tracked(items: Collection[_T], what: str) -> Iterator[_T]:
    """The items, with a progress bar on a terminal."""
    with progress(len(items), what) as show:
        for done, item in enumerate(items, 1):
            yield item
            if show is not None:
                show(done)
