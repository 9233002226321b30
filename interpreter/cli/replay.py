"""`rulespec replay`: a saved game, told again."""

from __future__ import annotations

from pathlib import Path

import click

import interpreter
from interpreter.cli import common, session

EPILOG = """\b
Examples:
  rulespec replay evening.json
  rulespec replay evening.json --seat 0
"""


@click.command(epilog=EPILOG)
@click.argument("save", type=click.Path(exists=True, dir_okay=False, path_type=Path), metavar="SAVE")
@click.option("--seat", type=int, default=None, metavar="N", help="As this seat saw it. Default: a spectator.")
@common.json_option
def command(save: Path, seat: int | None, as_json: bool) -> None:
    """Play a saved game again and print its log and result.

    Under a spec that has changed since, the first action that no longer works is reported.
    """
    with common.spec_faults_shown():
        try:
            match = interpreter.Match.load(save)
        except (ValueError, OSError) as error:
            common.fail(f"{save}: {error}")
    state = match.state
    if seat is not None and not 0 <= seat < match.game.seats:
        raise click.BadParameter(f"the seats are 0 to {match.game.seats - 1}", param_hint="--seat")
    if as_json:
        common.print_json(
            {
                "game": match.game.spec.id,
                "players": match.game.seats,
                "over": state.is_over,
                "winners": list(state.winners) if state.is_over else None,
                "scores": [float(score) for score in state.scores] if state.is_over else None,
                "log": state.log(seat),
            }
        )
        return
    for line in state.log(seat):
        click.echo(line)
    if state.is_over:
        common.console().print(session.result(match))
    else:
        click.echo("The game is not over.")
