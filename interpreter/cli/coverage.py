"""`rulespec coverage`: what of a spec random games and scenarios reach."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from interpreter.bots import BOTS
from interpreter.cli import common, words
from interpreter.coverage import CoverageReport, measure_coverage
from interpreter.coverage.page import page
from rulespec import packs

EPILOG = """\b
Examples:
  rulespec coverage my_game/game.yaml --playouts 200
  rulespec coverage my_game/game.yaml --html report --lcov rules.lcov --fail-under 95
"""


def _numbers(ctx: click.Context, param: click.Parameter, given: str | None) -> list[int] | None:
    if given is None:
        return None
    try:
        return [int(part) for part in given.split(",")]
    except ValueError:
        raise click.BadParameter(f"`{given}` is not a list of numbers as 2,3", ctx, param) from None


def _bots(ctx: click.Context, param: click.Parameter, given: str) -> list[str]:
    bots = given.split(",")
    for bot in bots:
        if bot not in BOTS:
            raise click.BadParameter(f"there is no bot `{bot}`; they are {', '.join(BOTS)}", ctx, param)
    return bots


@click.command(epilog=EPILOG)
@click.argument("games", nargs=-1, required=True, metavar="GAME...")
@click.option("--playouts", type=click.IntRange(min=0), default=100, help="Games of each spec. Default 100.")
@click.option("--scenarios", metavar="PATH", help="Scenarios, as `rulespec test` takes them. Default: the game's own.")
@click.option("--no-scenarios", is_flag=True, help="Run no scenarios.")
@click.option("--players", callback=_numbers, metavar="N,..", help="Numbers of seats. Default: all that are allowed.")
@common.settings_option
@common.seed_option
@click.option("--bots", default="random", callback=_bots, metavar="NAME,..", help="Bots, in turn for whole games.")
@click.option("--html", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write DIR/index.html.")
@click.option("--lcov", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write a tracefile.")
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="Status 1 where less is reached.")
@common.json_option
def command(
    games: tuple[str, ...],
    playouts: int,
    scenarios: str | None,
    no_scenarios: bool,
    players: list[int] | None,
    settings: dict[str, Any],
    seed: int | None,
    bots: list[str],
    html: Path | None,
    lcov: Path | None,
    fail_under: float | None,
    as_json: bool,
) -> None:
    """Show what of GAME's rules play reaches: in scenarios, and in random games over seats and options.

    Several GAMEs that build on one another are measured together: a rule that one of them reaches is reached.
    """
    reports = []
    with common.spec_faults_shown(), common.progress(playouts * len(games), "playing") as progress:
        for number, game in enumerate(games):
            try:
                reports.append(
                    measure_coverage(
                        game,
                        playouts,
                        scenarios="" if no_scenarios else scenarios,
                        players=players,
                        options=settings,
                        seed=seed or 0,
                        bots=bots,
                        progress=_further(progress, playouts * number),
                    )
                )
            except (packs.PackError, ValueError) as error:
                raise click.UsageError(str(error)) from error
    report = reports[0]
    for other in reports[1:]:
        report = report.with_other(other)
    if as_json:
        common.print_json(report.plain())
    else:
        _show(report)
    if html is not None:
        index = html / "index.html"
        with common.unwritable_told(index):
            html.mkdir(parents=True, exist_ok=True)
            index.write_text(page(report), encoding="utf-8")
    if lcov is not None:
        with common.unwritable_told(lcov):
            lcov.write_text(report.lcov(), encoding="utf-8")
    if fail_under is not None and report.share * 100 < fail_under:
        common.fail(f"{report.share:.1%} of the rules were reached, less than {fail_under:g}%")


def _further(progress: Callable[[int], None] | None, before: int) -> Callable[[int], None] | None:
    """The progress of one game after others."""
    return None if progress is None else lambda done: progress(before + done)


def _show(report: CoverageReport) -> None:
    games, scenarios = words.number_of(report.games, "game"), words.number_of(report.scenarios, "scenario")
    click.echo(f"{', '.join(report.titles)}: {games}, {scenarios}")
    if report.faults:
        click.echo(f"{words.number_of(report.faults, 'game')} ended with a fault; `rulespec simulate` shows such games")
    if report.failed:
        click.echo(f"{words.number_of(report.failed, 'scenario')} failed; `rulespec test` shows them")
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("kind")
    for name in ("reached", "of", ""):
        table.add_column(name, justify="right")
    for kind, (some, of) in [*report.by_kind.items(), ("all", (report.reached, len(report.hits)))]:
        table.add_row(kind, f"{some:,}", f"{of:,}", f"{some / of:.1%}" if of else "")
    click.echo()
    common.console().print(table)
    missed = report.missed
    if missed:
        click.echo("\nNever reached:")
    for (path, line), points in groupby(missed, key=lambda point: (point.span.path, point.span.line)):
        listed = list(points)
        click.echo(f"{path}:{line}: {report.line(listed[0])}")
        for text in dict.fromkeys(map(report.text, listed)):
            click.echo(f"    {text}")
    sys.stdout.flush()
