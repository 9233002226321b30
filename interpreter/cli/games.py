"""`rulespec games`: what can be played here."""

from __future__ import annotations

import click
from rich.table import Table

from interpreter.cli import common
from rulespec import packs

EPILOG = """\b
Examples:
  rulespec games
  rulespec games --json
"""


@click.command(epilog=EPILOG)
@click.option("--ids", is_flag=True, help="Print only the ids, one a line.")
@common.json_option
def command(ids: bool, as_json: bool) -> None:
    """List the installed games: id, title, players and which package they come from."""
    games = packs.installed_games()
    if ids:
        for game in games:
            click.echo(game.id)
    elif as_json:
        common.print_json(
            [{"id": g.id, "title": g.title, "players": g.players, "from": g.origin, "path": str(g.path)} for g in games]
        )
    else:
        table = Table(box=None, pad_edge=False, header_style="bold")
        for name in ("id", "title", "players", "from"):
            table.add_column(name, overflow="fold")
        for game in games:
            table.add_row(game.id, game.title, game.players, game.origin)
        common.console().print(table)
