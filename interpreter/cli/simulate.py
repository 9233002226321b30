"""`rulespec simulate`: many games by bots, and what came of them."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from statistics import median
from time import perf_counter
from typing import Any

import click
from rich.table import Table

import interpreter
from interpreter.cli import common, words
from interpreter.cli.names import bot_named, seat_names

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
@click.option("--bots", default="random", metavar="NAME", help="Who plays, on every seat. Default random.")
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
    bot = bot_named(bots)
    game = common.load_game(game_name, players, settings)
    with ExitStack() as stack:
        pool = stack.enter_context(ProcessPoolExecutor(workers)) if workers > 1 else None
        executor = common.TrackedExecutor(pool, "playing")
        started = perf_counter()
        report = interpreter.simulate(
            game, count, seed=seed or 0, bots=bot, check_invariants=check_invariants, executor=executor
        )
        seconds = perf_counter() - started
    if as_json:
        common.print_json(_plain(game, report, seconds))
    else:
        _show(game, report, seconds)
    if report.faults:
        sys.exit(common.FAULTS)


def _plain(game: interpreter.Game, report: interpreter.SimulationReport, seconds: float) -> dict[str, Any]:
    return {
        "game": game.spec.id,
        "players": game.seats,
        "games": report.games,
        "decisions": report.decisions,
        "seconds": round(seconds, 3),
        "decisions_per_second": _rate(report, seconds),
        "wins": dict(zip(seat_names(game), report.wins, strict=True)),
        "length": _lengths(report),
        "faults": [{"seed": fault.seed, "message": fault.message} for fault in report.faults],
    }


def _rate(report: interpreter.SimulationReport, seconds: float) -> int:
    return round(report.decisions / seconds) if seconds else 0


def _lengths(report: interpreter.SimulationReport) -> dict[str, float] | None:
    if not report.lengths:
        return None
    return {"min": min(report.lengths), "median": median(report.lengths), "max": max(report.lengths)}


def _show(game: interpreter.Game, report: interpreter.SimulationReport, seconds: float) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="cyan")
    table.add_column()
    table.add_row("games", f"{report.games:,}")
    table.add_row("decisions", f"{report.decisions:,}")
    table.add_row("decisions/s", f"{_rate(report, seconds):,}")
    if lengths := _lengths(report):
        table.add_row("length", "{min:g} to {max:g} decisions, median {median:g}".format(**lengths))
    for name, wins in zip(seat_names(game), report.wins, strict=True):
        table.add_row(f"wins of {name}", f"{wins:,g} ({wins / max(report.games, 1):.1%})")
    table.add_row("faults", f"{len(report.faults):,}")
    common.console().print(table)
    for fault in report.faults[:SHOWN]:
        click.echo(f"seed {fault.seed}: {fault.message}")
    if len(report.faults) > SHOWN:
        click.echo(f"and {words.number_of(len(report.faults) - SHOWN, 'more fault')}; --json lists all")
