"""How fast random games of the shipped games are played: decisions a second on one core.

    python benchmarks/games.py [--only pet-cemetery,paperbag-dungeon-warden] [--seconds 2] [--repeats 3] [--json]

Every installed game is measured with the fewest players and the most, in time of the processor, after a first round
that is not counted: then what a game works out when it is first asked for is known. The table shows the best and the
median round beside the figure that the game must reach; the command fails where the best round does not reach it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

from run import pin, playouts  # noqa: E402

import interpreter  # noqa: E402
import rulespec  # noqa: E402
from rulespec import packs  # noqa: E402

MUST_REACH = {"pet-cemetery": 10_000, "dungeon-petz": 10_000, "paperbag-dungeon-warden": 3_000}
"""Decisions a second, by id of the game."""


def measure(ids: Sequence[str], seconds: float, repeats: int) -> list[dict[str, Any]]:
    """The rounds of each game and number of players; the games in turn, so that all share quiet and busy times."""
    games = []
    for name in ids:
        spec = rulespec.load(name)
        games += [(name, interpreter.Game(spec, players)) for players in sorted(set(spec.source.seats))]
    rounds: list[list[float]] = [[] for _ in games]
    for repeat in range(repeats + 1):
        for n, (_, game) in enumerate(games):
            rate = playouts(game.new_state, seconds, random.Random(repeat))
            if repeat > 0:
                rounds[n].append(rate)
    return [
        {
            "game": name,
            "players": game.seats,
            "best": max(rates),
            "median": median(rates),
            "must_reach": MUST_REACH.get(name),
        }
        for (name, game), rates in zip(games, rounds, strict=True)
    ]


def too_slow(rows: Sequence[dict[str, Any]]) -> list[str]:
    """Games that do not reach their figure in their best round."""
    slow = [row for row in rows if row["must_reach"] is not None and row["best"] < row["must_reach"]]
    return [f"{row['game']} with {row['players']} players" for row in slow]


def show(rows: Sequence[dict[str, Any]]) -> None:
    """Prints the table."""
    print(f"{'decisions a second':28}{'players':>8}{'best':>10}{'median':>10}{'must reach':>12}")
    for row in rows:
        figure = "none" if row["must_reach"] is None else f"{row['must_reach']:,}"
        print(f"{row['game']:28}{row['players']:8}{row['best']:10,.0f}{row['median']:10,.0f}{figure:>12}")


def main() -> None:
    """Measures and prints."""
    installed = [game.id for game in packs.installed_games()]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(installed), help="ids of games, with commas (default all)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each round (default 2)")
    parser.add_argument("--repeats", type=int, default=3, help="rounds that count (default 3)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    ids = [name.strip() for name in given.only.split(",")]
    if unknown := set(ids) - set(installed):
        parser.error(f"no game is called {', '.join(sorted(unknown))}")
    core = pin()
    rows = measure(ids, given.seconds, given.repeats)
    if given.json:
        print(json.dumps({"python": sys.version.split()[0], "core": core, "games": rows}, indent=2))
    else:
        print(f"Python {sys.version.split()[0]}, {f'core {core}' if core is not None else 'not pinned to a core'}\n")
        show(rows)
    if slow := too_slow(rows):
        sys.exit(f"too slow: {', '.join(slow)}")


if __name__ == "__main__":
    main()
