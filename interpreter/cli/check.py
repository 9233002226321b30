"""`rulespec check`: every mistake of specs, at its line and column."""

from __future__ import annotations

import sys
from pathlib import Path

import click

import rulespec
from interpreter.cli import common, words
from rulespec import packs
from rulespec.diagnostics import Diagnostic
from rulespec.render import as_json, short

EPILOG = """\b
Examples:
  rulespec check my_game/game.yaml
  rulespec check games/*/game.yaml --format short
  rulespec check --all
"""


@click.command(epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[FILE_OR_ID]...")
@click.option("--all", "everything", is_flag=True, help="Check all installed games.")
@click.option(
    "--format",
    "style",
    type=click.Choice(["full", "short", "json"]),
    default="full",
    help="With the source shown, one line each, or for programs. Default full.",
)
@click.option("--json", "json_wanted", is_flag=True, help="The same as --format json.")
def command(names: tuple[str, ...], everything: bool, style: str, json_wanted: bool) -> None:
    """Check specs and show their mistakes.

    The status is 1 where there is an error; warnings alone leave it at 0.
    """
    if not names and not everything:
        raise click.UsageError("name at least one spec, or --all")
    paths = [common.spec_path(name) for name in names]
    if everything:
        paths += [game.path for game in packs.installed_games()]
    found = {path: tuple(rulespec.check(path)) for path in common.tracked(dict.fromkeys(paths), "checking")}
    if json_wanted or style == "json":
        common.print_json([_plain(path, diagnostics) for path, diagnostics in found.items()])
    else:
        _show(found, style)
    if any(d.severity == "error" for diagnostics in found.values() for d in diagnostics):
        sys.exit(common.FAULTS)


def _plain(path: Path, diagnostics: tuple[Diagnostic, ...]) -> dict[str, object]:
    fine = all(d.severity != "error" for d in diagnostics)
    return {"path": str(path), "fine": fine, "diagnostics": [as_json(d) for d in diagnostics]}


def _show(found: dict[Path, tuple[Diagnostic, ...]], style: str) -> None:
    diagnostics = list(dict.fromkeys(d for of_one in found.values() for d in of_one))
    if style == "short":
        for diagnostic in diagnostics:
            click.echo(short(diagnostic))
    elif diagnostics:
        click.echo(common.rendered(diagnostics, sys.stdout) + "\n")
    faulty = sum(any(d.severity == "error" for d in of_one) for of_one in found.values())
    errors = sum(d.severity == "error" for d in diagnostics)
    warnings = len(diagnostics) - errors
    counts = [words.number_of(n, noun) for n, noun in ((errors, "error"), (warnings, "warning")) if n]
    if faulty:
        closing = f"{faulty} of {words.number_of(len(found), 'spec')} with mistakes"
    else:
        closing = f"{words.number_of(len(found), 'spec')} fine"
    click.echo(": ".join([closing, words.listed(counts)]) if counts else closing)
