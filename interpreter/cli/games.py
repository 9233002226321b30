"""`rulespec games`: what can be played here."""

from __future__ import annotations

import click
from attrs import asdict, frozen
from rich.table import Table

from interpreter.cli import common
from rulespec import packs
from rulespec.diagnostics import Reporter
from rulespec.loader import read_spec

EPILOG = """\b
Examples:
  rulespec games
  rulespec games --json
"""


@frozen
class Listed:
    """A game as listed. Of a spec that cannot be read, title and players are empty."""

    id: str
    title: str
    players: str
    distribution: str
    path: str


@click.command(epilog=EPILOG)
@click.option("--ids", is_flag=True, help="Print only the ids, one a line.")
@common.json_option
def command(ids: bool, as_json: bool) -> None:
    """List the installed games: id, title, players and where each comes from."""
    try:
        games = packs.installed_games()
    except packs.PackError as error:
        common.fail(str(error))
    if ids:
        for game in games:
            click.echo(game.id)
        return
    listed = [_listed(game) for game in common.tracked(games, "reading")]
    if as_json:
        common.print_json([asdict(game) for game in listed])
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("id", "title", "players", "from"):
        table.add_column(name, overflow="fold")
    for entry in listed:
        table.add_row(entry.id, entry.title or "(cannot be read)", entry.players, entry.distribution)
    common.console().print(table)


def _listed(game: packs.InstalledGame) -> Listed:
    """What the spec says of itself; it is read, not checked."""
    spec = read_spec(game.path, Reporter())
    title, players = "", ""
    if spec is not None:
        least, most = spec.seats
        title, players = spec.title, str(least) if least == most else f"{least} to {most}"
    return Listed(game.id, title, players, game.distribution, str(game.path))
