"""How fast random games of the classics are played: here, by OpenSpiel's C++ through Python, and by hand in Python.

    python benchmarks/classics.py [--only tic_tac_toe,go] [--seconds 0.5] [--repeats 3] [--json]

All is measured in one run on one core, the engines in turn, in time of the processor; figures are medians of the
repeats. A move is a decision of a seat: random events cost time in every engine but are not counted, and where seats
decide together each counts. Peers that are not installed are left out with a word.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks"), str(ROOT / "tests" / "conformance")]

import handwritten_classics  # noqa: E402
from mappings import MAPPINGS  # noqa: E402

Playout = Callable[[random.Random, int], int]
"""Plays one random game and gives the number of its moves."""


def pin() -> int | None:
    """Keeps this process on one core where the system can; gives the core."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def plain(new_game: Callable[[int], Any]) -> Playout:
    """Random games of our engine, or of a class with the same methods."""

    def play(chance: random.Random, seed: int) -> int:
        pick, moves = chance.random, 0
        state = new_game(seed)
        while not state.is_over:
            actions = state.legal_actions()
            state.apply(actions[int(pick() * len(actions))])
            moves += 1
        return moves

    return play


def spiel(game: Any) -> Playout:
    """Random games of OpenSpiel."""

    def play(chance: random.Random, seed: int) -> int:
        pick, moves = chance.random, 0
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                numbers, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(numbers, odds)[0])
            elif state.is_simultaneous_node():
                chosen = []
                for player in range(game.num_players()):
                    actions = state.legal_actions(player)
                    chosen.append(actions[int(pick() * len(actions))])
                state.apply_actions(chosen)
                moves += len(chosen)
            else:
                actions = state.legal_actions()
                state.apply_action(actions[int(pick() * len(actions))])
                moves += 1
        return moves

    return play


def speed(playout: Playout, seconds: float, chance: random.Random) -> tuple[float, float]:
    """Moves and games a second."""
    moves = games = 0
    start = process_time()
    while (taken := process_time() - start) < seconds:
        moves += playout(chance, games)
        games += 1
    return moves / taken, games / taken


def engines(name: str) -> Iterator[tuple[str, Playout]]:
    """Who can play a game."""
    mapping = next(mapping for mapping in MAPPINGS if mapping.spec == name)
    yield "ours", plain(mapping.game().new_state)
    if name in handwritten_classics.GAMES:
        kind = handwritten_classics.GAMES[name]
        yield "by hand", plain(lambda seed: kind())
    try:
        import pyspiel
    except ImportError:
        return
    yield "OpenSpiel", spiel(pyspiel.load_game(mapping.spiel))
    if name == "tic_tac_toe":
        try:
            from open_spiel.python.games import tic_tac_toe  # noqa: F401
        except ImportError:
            return
        yield "OpenSpiel's Python", spiel(pyspiel.load_game("python_tic_tac_toe"))


def measure(name: str, seconds: float, repeats: int) -> dict[str, dict[str, float]]:
    """Median moves and games a second of each engine, measured in turn."""
    found: dict[str, list[tuple[float, float]]] = {}
    playouts = list(engines(name))
    for _, playout in playouts:
        speed(playout, seconds / 10, random.Random(0))
    for repeat in range(repeats):
        for label, playout in playouts:
            found.setdefault(label, []).append(speed(playout, seconds, random.Random(repeat)))
    return {
        label: {"moves": median(m for m, _ in runs), "games": median(g for _, g in runs)}
        for label, runs in found.items()
    }


def report(results: dict[str, dict[str, dict[str, float]]]) -> None:
    """Prints the table."""
    peers = ["OpenSpiel", "by hand", "OpenSpiel's Python"]
    print(f"{'moves a second':18}{'games/s':>9}{'ours':>11}" + "".join(f"{peer:>20}{'ratio':>7}" for peer in peers))
    for name, engines in results.items():
        line = f"{name:18}{engines['ours']['games']:9,.0f}{engines['ours']['moves']:11,.0f}"
        for peer in peers:
            if peer in engines:
                moves = engines[peer]["moves"]
                line += f"{moves:20,.0f}{engines['ours']['moves'] / moves:7.2f}"
            else:
                line += f"{'-':>20}{'':7}"
        print(line.rstrip())
    if not any("OpenSpiel" in engines for engines in results.values()):
        print("OpenSpiel is not installed: pip install rulespec[test]")


def main() -> None:
    names = [mapping.spec for mapping in MAPPINGS]
    parser = argparse.ArgumentParser(description="Random games of the classics, beside other engines.")
    parser.add_argument("--only", default=",".join(names), help="names of games, with commas")
    parser.add_argument("--seconds", type=float, default=0.5, help="of processor time for each engine and repeat")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    core = pin()
    results = {name: measure(name, arguments.seconds, arguments.repeats) for name in arguments.only.split(",")}
    if arguments.json:
        print(json.dumps({"core": core, "python": sys.version.split()[0], "results": results}, indent=2))
    else:
        report(results)


if __name__ == "__main__":
    main()
