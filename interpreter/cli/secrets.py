"""`rulespec test --secrets`: whether what a seat cannot see shows in what it is shown."""

from __future__ import annotations

import sys
from typing import Any

import click

import interpreter
from interpreter.cli import common, words
from interpreter.worlds.noninterference import SecretsReport, find_leaks

GAMES = 20


def run(names: tuple[str, ...], settings: dict[str, Any], **how: Any) -> None:
    """Tests games and prints what was found; the status is 1 where there is a leak, or nothing could be compared.

    Args:
        names: paths or ids of games.
        settings: game options.
        how: players, games, seed, strict, as_json, as the command line gives them.
    """
    loaded = [common.load_game(name, how["players"], settings) for name in names]
    reports = []
    for game in loaded:
        with common.progress(how["games"], game.spec.title) as show:
            reports.append(_report(game, how["games"], how["seed"], how["strict"], show))
    if how["as_json"]:
        common.print_json([_plain(game, report) for game, report in zip(loaded, reports, strict=True)])
    else:
        for game, report in zip(loaded, reports, strict=True):
            _show(game, report, how["games"])
    if any(report.leak is not None or _is_untested(game, report) for game, report in zip(loaded, reports, strict=True)):
        sys.exit(common.FAULTS)


def _is_untested(game: interpreter.Game, report: SecretsReport) -> bool:
    """Whether nothing was compared although something is hidden."""
    return not report.pairs and not game.facts.perfect_information


def _report(game: interpreter.Game, games: int, seed: int, strict: bool, show: Any) -> SecretsReport:
    whole = SecretsReport()
    for number in range(games):
        try:
            found = find_leaks(game, 1, seed=seed + number, share=0.2, strict=strict)
        except interpreter.RuleError as error:
            common.fail(f"{game.spec.title}: a game ended with a fault; `rulespec simulate` shows such games\n{error}")
        whole = whole.with_more(found)
        if whole.leak is not None:
            break
        if show is not None:
            show(number + 1)
    return whole


def _show(game: interpreter.Game, report: SecretsReport, games: int) -> None:
    if report.leak is not None:
        click.echo(f"{game.spec.title}: a secret is told")
        click.echo(str(report.leak))
    elif _is_untested(game, report):
        click.echo(
            f"{game.spec.title}, {words.number_of(game.seats, 'player')}: nothing could be compared. At none of the "
            f"decisions looked at in {words.number_of(games, 'game')} could anything that is hidden have been "
            "otherwise; try more games with -n"
        )
    elif game.facts.perfect_information:
        click.echo(
            f"{game.spec.title}, {words.number_of(game.seats, 'player')}: nothing is hidden from anybody, so there is "
            "nothing to compare"
        )
    else:
        compared = f"{words.number_of(report.pairs, 'pair')} of states, {words.number_of(report.steps, 'step')}"
        click.echo(f"{game.spec.title}, {words.number_of(game.seats, 'player')}: nothing hidden is shown ({compared})")
    if report.told:
        click.echo("  told by the rules in public:")
        for told in report.told:
            click.echo(f"  {told.times:6,}  {told.what}")


def _plain(game: interpreter.Game, report: SecretsReport) -> dict[str, Any]:
    leak = report.leak
    return {
        "game": game.spec.id,
        "players": game.seats,
        "perfect_information": game.facts.perfect_information,
        "pairs": report.pairs,
        "decisions": report.steps,
        "told": [{"what": told.what, "times": told.times} for told in report.told],
        "leak": None
        if leak is None
        else {
            "seed": leak.seed,
            "actions": [list(action) for action in leak.actions],
            "viewer": leak.viewer,
            "pair": leak.pair,
            "hidden": list(leak.hidden),
            "after": [list(action) for action in leak.after],
            "what": leak.what,
            "one": leak.one,
            "other": leak.other,
        },
    }
