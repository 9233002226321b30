"""Names of seats, and bots by name."""

from __future__ import annotations

import random
from collections.abc import Callable

import click

import interpreter
from interpreter import bots

Bot = Callable[[interpreter.State, int, random.Random], interpreter.Action]


def seat_names(game: interpreter.Game) -> tuple[str, ...]:
    """The seats' names in order, as views and logs call them."""
    return tuple(game.seat_name(seat) for seat in range(game.seats))


def bot_named(name: str) -> Bot:
    """The bot that `--bots NAME` means.

    Raises:
        click.BadParameter: there is no such bot.
    """
    known = {key.removesuffix("_bot"): key for key in bots.__all__ if key.endswith("_bot")}
    if name not in known:
        raise click.BadParameter(f"there is no bot `{name}`, only {', '.join(sorted(known))}", param_hint="--bots")
    bot: Bot = getattr(bots, known[name])
    return bot
