"""`rulespec simulate`: many games by bots, and what came of them."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from typing import Any

import click
from attrs import asdict
from rich.table import Table

import interpreter
from interpreter.cli import common, words
from interpreter.cli.names import bots_named, seat_names
from interpreter.texts import number

EPILOG = """\b
Examples:
  rulespec simulate my_game/game.yaml -n 1000
  rulespec simulate my_game/game.yaml -n 10000 --players 3 --check-invariants --workers 2 --json
"""

SHOWN = 10
"""How many faults are shown."""


@click.command(epilog=EPILOG)
@common.game_options
@common.seed_option
@click.option("-n", "--games", "count", type=click.IntRange(min=1), default=1000, help="How many games. Default 1000.")
@click.option("--bots", default="random", metavar="NAME", help=common.BOTS_HELP)
@click.option("--check-invariants", is_flag=True, help="Check the spec's invariants at every decision.")
@click.option("--workers", type=click.IntRange(min=1), default=1, help="Processes to share the work. Default 1.")
@common.json_option
def command(
    game_name: str,
    players: int | None,
    settings: dict[str, Any],
    seed: int | None,
    count: int,
    bots: str,
    check_invariants: bool,
    workers: int,
    as_json: bool,
) -> None:
    """Let bots play GAME many times and show how it went.

    The same --seed gives the same games, whatever the number of workers; without it the seed is 0. The
    status is 1 where a game failed: each failure is shown with the seed that repeats it.
    """
    game = common.load_game(game_name, players, settings)
    seats = bots_named(bots, game.seats)
    with ExitStack() as stack:
        executor = stack.enter_context(ProcessPoolExecutor(workers)) if workers > 1 else None
        progress = stack.enter_context(common.progress(count, "playing"))
        report = interpreter.simulate(
            game,
            count,
            seed=seed or 0,
            bots=seats,
            check_invariants=check_invariants,
            executor=executor,
            progress=progress,
        )
    if as_json:
        common.print_json(_plain(game, report))
    else:
        _show(game, report)
    if report.faults:
        sys.exit(common.FAULTS)


def _plain(game: interpreter.Game, report: interpreter.SimulationReport) -> dict[str, Any]:
    names = seat_names(game)
    return {
        "game": game.spec.id,
        "players": game.seats,
        "options": game.option_texts,
        "games": report.games,
        "decisions": report.decisions,
        "seconds": round(report.seconds, 3),
        "decisions_per_second": round(report.decisions_per_second),
        "wins": dict(zip(names, report.wins, strict=True)),
        "draws": report.draws,
        "scores": {
            name: {"least": float(s.least), "mean": round(float(s.mean), 3), "most": float(s.most)}
            for name, s in zip(names, report.scores, strict=False)
        },
        "length": {"min": report.shortest, "median": report.median_length, "max": report.longest},
        "faults": [asdict(fault) for fault in report.faults],
    }


def _show(game: interpreter.Game, report: interpreter.SimulationReport) -> None:
    out = common.console()
    totals = Table(box=None, show_header=False, pad_edge=False)
    totals.add_column(style="cyan")
    totals.add_column()
    totals.add_row("games", f"{report.games:,}")
    totals.add_row("decisions", f"{report.decisions:,}")
    totals.add_row("decisions/s", f"{report.decisions_per_second:,.0f}")
    if report.lengths:
        shortest, longest = report.shortest, report.longest
        totals.add_row("length", f"{shortest} to {longest} decisions, median {report.median_length:g}")
    totals.add_row("draws", f"{report.draws:,}")
    totals.add_row("faults", f"{len(report.faults):,}")
    out.print(totals)
    out.print()
    out.print(_seats(game, report))
    for fault in report.faults[:SHOWN]:
        click.echo(f"seed {fault.seed}, after {words.number_of(fault.decisions, 'decision')}: {fault.message}")
    if len(report.faults) > SHOWN:
        click.echo(f"and {words.number_of(len(report.faults) - SHOWN, 'more fault')}; --json lists all")


def _seats(game: interpreter.Game, report: interpreter.SimulationReport) -> Table:
    """A row for each seat: its wins, and its scores where the game has any."""
    ended = max(len(report.lengths), 1)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("seat")
    for name in ("wins", "", "score: least", "mean", "most") if report.scores else ("wins", ""):
        table.add_column(name, justify="right")
    for seat, name in enumerate(seat_names(game)):
        row = [name, f"{report.wins[seat]:,}", f"{report.wins[seat] / ended:.1%}"]
        if report.scores:
            scores = report.scores[seat]
            row += [number(scores.least), f"{float(scores.mean):.2f}", number(scores.most)]
        table.add_row(*row)
    return table
