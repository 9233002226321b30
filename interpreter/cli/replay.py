"""`rulespec replay`: saved games, told again or held against other rules."""

from __future__ import annotations

from pathlib import Path

import attrs
import click

import interpreter
from interpreter.cli import common, session, words
from interpreter.saves.replays import Replay, replay

EPILOG = """\b
Examples:
  rulespec replay evening.json
  rulespec replay evening.json --seat 0
  rulespec replay evening.json --table
  rulespec replay --against my_game/game.yaml saves/*.json
"""


@click.command(epilog=EPILOG)
@click.argument(
    "saves",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="SAVE...",
    nargs=-1,
    required=True,
)
@click.option("--seat", type=int, default=None, metavar="N", help="As this seat saw it. Default: a spectator.")
@click.option("--table", "show_table", is_flag=True, help="Show the table as it stands at the end, too.")
@click.option(
    "--against",
    default=None,
    metavar="GAME",
    help="Play the saves under these rules, and tell where each first differs.",
)
@common.json_option
def command(saves: tuple[Path, ...], seat: int | None, show_table: bool, against: str | None, as_json: bool) -> None:
    """Play a saved game again and print its log and result.

    Under a spec that has changed since, the first action that no longer works is reported. With --against, any number
    of saves are played under other rules, and it is told which still hold and where each first differs.
    """
    if against is not None:
        if seat is not None or show_table:
            raise click.UsageError(f"{'--table' if seat is None else '--seat'} is of no use with --against")
        _compare(saves, against, as_json)
        return
    if len(saves) > 1:
        raise click.UsageError("several saves need --against GAME")
    _tell(saves[0], seat, show_table, as_json)


def _tell(save: Path, seat: int | None, show_table: bool, as_json: bool) -> None:
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
    if show_table:
        console = common.console()
        console.print()
        console.print(session.drawn(match, seat, console.width))
    if state.is_over:
        common.console().print(session.result(match))
    else:
        click.echo("The game is not over.")


# ---------------------------------------------------------------- other rules


def _compare(saves: tuple[Path, ...], against: str, as_json: bool) -> None:
    spec = common.load_spec(against)
    found = [replay(save, spec) for save in common.tracked(saves, "saves")]
    if as_json:
        common.print_json([{**attrs.asdict(one), "holds": one.holds} for one in found])
    else:
        for one in found:
            _show(one)
        click.echo(f"{sum(one.holds for one in found)} of {words.number_of(len(found), 'save')} hold")
    if not all(one.holds for one in found):
        raise SystemExit(common.FAULTS)


def _show(found: Replay) -> None:
    if found.problem:
        click.echo(f"{found.path}: {found.problem}")
        return
    if found.first is None:
        gone = "" if found.compared else "; the old rules are not at hand, so only options and result were compared"
        click.echo(f"{found.path}: holds, {words.number_of(found.decisions, 'decision')}{gone}")
        return
    click.echo(f"{found.path}: {found.first.message}")
    if found.end is not None and found.end is not found.first:
        click.echo(f"  {found.end.message}")
    elif found.end is None:
        click.echo(f"  it can be played on: {words.number_of(found.decisions, 'decision')}")
