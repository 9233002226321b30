"""`rulespec play`: a game in the terminal."""

from __future__ import annotations

import random
import secrets
from typing import Any

import click

import interpreter
from interpreter.cli import common, words
from interpreter.cli.names import bots_named, seat_names
from interpreter.cli.session import Session, Stopped

EPILOG = """\b
Examples:
  rulespec play my_game/game.yaml
  rulespec play my_game/game.yaml --players 4 --humans 0,2
  rulespec play my_game/game.yaml --humans none --seed 7
"""


@click.command(epilog=EPILOG)
@common.game_options
@common.seed_option
@click.option("--humans", default="0", metavar="SEATS", help="Seats of people, as 0,2; `all`; `none`. Default 0.")
@click.option("--bots", default="random", metavar="NAME", help=common.BOTS_HELP)
def command(
    game_name: str, players: int | None, settings: dict[str, Any], seed: int | None, humans: str, bots: str
) -> None:
    """Play GAME in the terminal.

    You sit on seat 0 and bots on the others, unless --humans says otherwise. With several people at one
    keyboard, it is passed between them, and each sees only what that seat may see. `help` in the game
    lists its commands.
    """
    console = common.console()
    game = common.load_game(game_name, players, settings)
    players_by_seat = bots_named(bots, game.seats)
    people = _humans(humans, game.seats)
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    try:
        match = interpreter.Match(game, seed=seed)
        session = Session(
            match=match,
            humans=people,
            bots=players_by_seat,
            console=console,
            chance=random.Random(seed),
        )
        console.print(_greeting(game, people, seed), soft_wrap=True)
        session.play()
    except Stopped:
        console.print("Stopped before the end.")
    except interpreter.RuleError as error:
        common.fail(f"The game cannot go on: {error}\nWith --seed {seed} and the same decisions it happens again.")


def _humans(text: str, seats: int) -> frozenset[int]:
    if text == "none":
        return frozenset()
    if text == "all":
        return frozenset(range(seats))
    try:
        chosen = common.seats(text)
    except ValueError:
        raise click.BadParameter(f"`{text}` is not a list of seats as 0,2", param_hint="--humans") from None
    for seat in chosen:
        if not 0 <= seat < seats:
            raise click.BadParameter(f"the seats are 0 to {seats - 1}, not {seat}", param_hint="--humans")
    return frozenset(chosen)


def _greeting(game: interpreter.Game, people: frozenset[int], seed: int) -> str:
    names = seat_names(game)
    you = words.listed(names[seat] for seat in sorted(people))
    who = f" You are {you}; `help` lists the commands." if people else ""
    return f"{game.spec.title} for {words.number_of(game.seats, 'player')}, seed {seed}.{who}\n"
