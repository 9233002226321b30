"""The group of all commands. Each command's module is imported when it is called."""

from __future__ import annotations

from importlib import import_module

import click

import rulespec

COMMANDS = ("check", "coverage", "diff", "docs", "games", "play", "replay", "simulate", "test")


def _version(ctx: click.Context, param: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"rulespec, version {rulespec.__version__}")
        ctx.exit()


class Commands(click.Group):
    """A group whose command NAME is the function `command` of `interpreter.cli.NAME`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names, for `--help`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(f"interpreter.cli.{cmd_name}").command
        return found


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def app() -> None:
    """Board games as data: check, play and simulate games written as specs.

    A GAME is the id of an installed game (`rulespec games` lists them) or the path of a spec.

    The exit status is 0 when all is fine, 1 when a spec or a game has faults, 2 for wrong usage.
    """
