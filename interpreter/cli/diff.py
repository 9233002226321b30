"""`rulespec diff`: what one game adds to another, changes in it and leaves out."""

from __future__ import annotations

import click
from attrs import asdict
from rich.text import Text

from interpreter.cli import common
from rulespec.compare import Change, compare

EPILOG = """\b
Examples:
  rulespec diff games/base/game.yaml games/base/variant.yaml
  rulespec diff first-id second-id --json
"""
SIGNS = {"added": ("+", "green"), "changed": ("~", "yellow"), "removed": ("-", "red")}


@click.command(epilog=EPILOG)
@click.argument("first", metavar="GAME")
@click.argument("second", metavar="GAME")
@common.json_option
def command(first: str, second: str, as_json: bool) -> None:
    """List the rules of the second GAME that the first has not, or has otherwise, and those it leaves out."""
    base, variant = (common.load_spec(name) for name in (first, second))
    changes = compare(base.source, variant.source)
    if as_json:
        common.print_json([{**asdict(change), "noun": change.noun} for change in changes])
        return
    console = common.console()
    console.print(f"{variant.title} beside {base.title}: {_count(changes)}", style="bold")
    for change in changes:
        _show(change)


def _count(changes: list[Change]) -> str:
    counts = [(sum(c.kind == kind for c in changes), kind) for kind in SIGNS]
    return ", ".join(f"{n} {kind}" for n, kind in counts if n) or "no difference"


def _show(change: Change) -> None:
    sign, colour = SIGNS[change.kind]
    console = common.console()
    head = Text(f"{sign} ", style=colour)
    noun = f"{change.noun} " if change.noun and change.noun != change.name else ""
    head.append(f"{noun}{change.name}", style="bold")
    if change.doc:
        head.append(f": {' '.join(change.doc.split())}")
    console.print(head)
    for detail in change.details:
        first, *more = detail.split("\n")
        console.print(Text(f"    {first}"))
        for line in more:
            console.print(Text(f"      {line}"))
