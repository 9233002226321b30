"""`rulespec test`: scenarios, the worked examples of a game, played and compared; and tests of its secrets."""

from __future__ import annotations

import sys
from typing import Any

import click

import interpreter
from interpreter.cli import common, secrets, words
from rulespec import packs

EPILOG = """\b
Examples:
  rulespec test my_game
  rulespec test my_game/scenarios/end.yaml --verbose
  rulespec test --secrets my_game --players 3
"""


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-v", "--verbose", is_flag=True, help="A line for every scenario, not only for those that fail.")
@click.option("--secrets", "of_secrets", is_flag=True, help="Test instead that nothing hidden is shown to anybody.")
@click.option("--strict", is_flag=True, help="With --secrets: nor told by the rules in public without showing it.")
@click.option(
    "-n", "--games", type=click.IntRange(min=1), metavar="N",
    help=f"With --secrets: how many random games. Default {secrets.GAMES}.",
)  # fmt: skip
@common.players_option
@common.settings_option
@common.seed_option
@common.json_option
def command(
    paths: tuple[str, ...],
    verbose: bool,
    of_secrets: bool,
    strict: bool,
    games: int | None,
    players: int | None,
    settings: dict[str, Any],
    seed: int | None,
    as_json: bool,
) -> None:
    """Run scenarios: PATH is a file of them, a folder with such files, a game's file or its id.

    With --secrets, PATH is a game; it is played at random, and states that are the same to a seat are compared.

    The status is 1 where a scenario fails, or a secret is told, or none could be tested though there are some.
    """
    if of_secrets:
        if verbose:
            raise click.UsageError("--verbose is for scenarios")
        count = secrets.GAMES if games is None else games
        secrets.run(paths, settings, players=players, games=count, seed=seed or 0, strict=strict, as_json=as_json)
        return
    given = {
        "--strict": strict, "--games": games, "--players": players, "--option": settings, "--seed": seed is not None,
    }  # fmt: skip
    for name, value in given.items():
        if value:
            raise click.UsageError(f"{name} is for --secrets")
    with common.spec_faults_shown():
        try:
            results = [result for path in paths for result in interpreter.run_scenarios(path)]
        except packs.PackError as error:
            raise click.UsageError(str(error)) from error
    failed = [result for result in results if not result.passed]
    if as_json:
        common.print_json([_plain(result) for result in results])
    else:
        for result in results if verbose else failed:
            _show(result)
        click.echo(f"{words.number_of(len(results), 'scenario')}, {len(failed)} failed")
    if failed:
        sys.exit(common.FAULTS)
    if not results:
        raise click.UsageError(f"no scenarios in {words.listed(paths)}")


def _plain(result: interpreter.ScenarioResult) -> dict[str, object]:
    span = result.span
    return {
        "name": result.name,
        "rule": result.rule,
        "passed": result.passed,
        "message": result.message,
        "path": result.path,
        "line": span.line if span else None,
    }


def _show(result: interpreter.ScenarioResult) -> None:
    place = f" ({result.span.path}:{result.span.line})" if result.span else ""
    click.echo(f"{'passed' if result.passed else 'FAILED'}  {result.name}{place}")
    if not result.passed:
        for line in result.message.splitlines():
            click.echo(f"        {line}")
