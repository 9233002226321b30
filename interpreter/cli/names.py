"""Names of seats, and bots by name."""

from __future__ import annotations

import click

import interpreter
from interpreter.bots import BOTS, Bot


def seat_names(game: interpreter.Game) -> tuple[str, ...]:
    """The seats' names in order, as views and logs call them."""
    return tuple(game.seat_name(seat) for seat in range(game.seats))


def bots_named(text: str, seats: int) -> tuple[Bot, ...]:
    """A bot for each seat: one name for all of them, or one for each.

    Raises:
        click.BadParameter: there is no such bot, or a wrong number of them.
    """
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in BOTS:
            raise click.BadParameter(f"there is no bot `{name}`, only {', '.join(BOTS)}", param_hint="--bots")
    if len(names) not in (1, seats):
        raise click.BadParameter(f"there are {seats} seats and {len(names)} bots", param_hint="--bots")
    return tuple(BOTS[name] for name in (names * seats)[:seats])
