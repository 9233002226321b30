"""`rulespec test`: scenarios, the worked examples of a game, played and compared."""

from __future__ import annotations

import sys

import click

import interpreter
from interpreter.cli import common, words
from rulespec import packs

EPILOG = """\b
Examples:
  rulespec test my_game
  rulespec test my_game/scenarios/end.yaml --verbose
"""


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-v", "--verbose", is_flag=True, help="A line for every scenario, not only for those that fail.")
@common.json_option
def command(paths: tuple[str, ...], verbose: bool, as_json: bool) -> None:
    """Run scenarios: PATH is a file of them, a folder with such files, a game's file or its id.

    The status is 1 where a scenario fails.
    """
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
