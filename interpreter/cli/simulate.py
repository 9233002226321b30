"""`rulespec simulate`: many games by bots, and what came of them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
from attrs import asdict, frozen
from rich.table import Table

import interpreter
from interpreter.bots import Bot
from interpreter.cli import common, words
from interpreter.cli.names import bots_named, seat_names
from interpreter.texts import number
from interpreter.trials.shrinking import failing_game, save, scenario_text, shrink

EPILOG = """\b
Examples:
  rulespec simulate my_game/game.yaml -n 1000
  rulespec simulate my_game/game.yaml -n 10000 --players 3 --check-invariants --workers 2 --json
"""

SHOWN = 10
"""How many faults are shown."""
WRITTEN = 3
"""How many failures of different kinds are written."""
SECONDS = 20.0
"""How long each of them is made smaller at most."""


@click.command(epilog=EPILOG)
@common.game_options
@common.seed_option
@click.option("-n", "--games", "count", type=click.IntRange(min=1), default=1000, help="How many games. Default 1000.")
@click.option("--bots", default="random", metavar="NAME", help=common.BOTS_HELP)
@click.option("--check-invariants", is_flag=True, help="Check the spec's invariants at every decision.")
@click.option(
    "--failures",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("failures"),
    metavar="DIR",
    help="Where failed games are written, whole and made small. Default: failures.",
)
@click.option("--no-failures", is_flag=True, help="Write no failed games.")
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
    failures: Path,
    no_failures: bool,
    workers: int,
    as_json: bool,
) -> None:
    """Let bots play GAME many times and show how it went.

    The same --seed gives the same games, whatever the number of workers; without it the seed is 0. The
    status is 1 where a game failed: each failure is shown with the seed that repeats it. Of failures of different
    kinds the first few are written as saves, and as scenarios with as few decisions as possible.
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
    written: dict[int, Written] = {}
    unwritable: OSError | None = None
    if report.faults and not no_failures:
        try:
            _write(game, report, seats, check_invariants, failures, written)
        except OSError as error:  # what was played is shown all the same
            unwritable = error
    if as_json:
        common.print_json(_plain(game, report, written))
    else:
        _show(game, report)
        for files in written.values():
            click.echo(files.told())
    if unwritable is not None:
        common.fail_to_write(failures, unwritable)
    if report.faults:
        sys.exit(common.FAULTS)


@frozen
class Written:
    """The files of a failed game; `save` is none where nothing could be played."""

    save: Path | None
    scenario: Path
    decisions: int

    def told(self) -> str:
        """What they are, for the terminal."""
        small = f"{self.scenario} fails after {words.number_of(self.decisions, 'decision')}"
        return f"{small}, the whole game is {self.save}" if self.save is not None else small


def _write(
    game: interpreter.Game,
    report: interpreter.SimulationReport,
    bots: Sequence[str | Bot],
    check_invariants: bool,
    folder: Path,
    written: dict[int, Written],
) -> None:
    """Writes the first failures of different kinds, and adds them to those written, by seed."""
    known: set[tuple[str, str]] = set()
    endless = ""
    for fault in report.faults[:SHOWN]:
        if fault.message == endless:
            continue  # as costly to play again, and the same kind
        failing = failing_game(game, fault.seed, bots, check_invariants=check_invariants)
        if failing is None or (failing.kind, failing.where) in known or len(known) == WRITTEN:
            continue
        known.add((failing.kind, failing.where))
        endless = fault.message if failing.kind == "endless" else endless
        folder.mkdir(parents=True, exist_ok=True)
        kept = folder / f"{game.spec.id}-{fault.seed}.json"
        is_played = failing.kind != "rule" or bool(failing.decisions)
        if is_played:
            save(failing, kept)
        small = shrink(failing, SECONDS)
        scenario = kept.with_suffix(".yaml")
        scenario.write_text(scenario_text(small, scenario), encoding="utf-8")
        written[fault.seed] = Written(kept if is_played else None, scenario, len(small.decisions))


def _plain(
    game: interpreter.Game, report: interpreter.SimulationReport, written: Mapping[int, Written]
) -> dict[str, Any]:
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
        "faults": [{**asdict(fault), **_files(written.get(fault.seed))} for fault in report.faults],
    }


def _files(written: Written | None) -> dict[str, str]:
    if written is None:
        return {}
    saved = {"save": str(written.save)} if written.save is not None else {}
    return {**saved, "scenario": str(written.scenario)}


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
