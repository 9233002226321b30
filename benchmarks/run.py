"""How fast the interpreter plays Grand Dog Park, beside the same game written by hand.

    python benchmarks/run.py [--json] [--only playouts,clone,load,import] [--seconds 2] [--repeats 5]

Everything is measured in one run on one core, hand-written and interpreter in turn, in time of the processor: what
else the machine does disturbs little, and all alike. "hand-written" is the game as one would write it to read it
again, "tuned" the same with everything given up for speed. The table shows the best and the median of the repeats;
the last columns are the interpreter's median speed as a part of theirs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

import handwritten_grand_dog_park as plain  # noqa: E402
import tuned_grand_dog_park as tuned  # noqa: E402

SPEC = ROOT / "games" / "grand_dog_park" / "game.yaml"
VARIANTS: list[tuple[int, dict[str, Any]]] = [(2, {}), (4, {}), (6, {}), (4, {"tactical": True})]
PARTS = ("playouts", "clone", "load", "import")


def pin() -> int | None:
    """Keeps this process on one core where the system can; gives the core."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    core = max(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {core})
    return core


def playouts(new_game: Callable[[int], Any], seconds: float, chance: random.Random) -> float:
    """Decisions a second of random games, played for about so many seconds."""
    pick = chance.random
    decisions = games = 0
    start = process_time()
    while (taken := process_time() - start) < seconds:
        game = new_game(games)
        games += 1
        while not game.is_over:
            actions = game.legal_actions()
            game.apply(actions[int(pick() * len(actions))])
            decisions += 1
    return decisions / taken


def clone_time(new_game: Callable[[int], Any], seconds: float, chance: random.Random) -> float:
    """Microseconds for a copy, over positions from the course of random games."""
    copies = 0
    taken = 0.0
    seed = 0
    while taken < seconds:
        game = new_game(seed)
        seed += 1
        while not game.is_over:
            clone = game.clone
            start = process_time()
            for _ in range(10):
                clone()
            taken += process_time() - start
            copies += 10
            game.apply(chance.choice(game.legal_actions()))
    return taken / copies * 1e6


def summary(values: list[float], best: Callable[[list[float]], float]) -> dict[str, float]:
    """Best and median of the repeats."""
    return {"best": best(values), "median": median(values)}


def measure_games(parts: list[str], seconds: float, repeats: int) -> list[dict[str, Any]]:
    """Playouts and clones of both, for each variant."""
    import interpreter

    rows = []
    for players, options in VARIANTS:
        spec_game = interpreter.load_game(str(SPEC), players=players, options=options)
        makers: dict[str, Callable[[int], Any]] = {
            "hand-written": lambda seed, p=players, o=options: plain.GrandDogPark(p, seed=seed, **o),  # type: ignore[misc]
            "tuned": lambda seed, p=players, o=options: tuned.GrandDogPark(p, seed=seed, **o),  # type: ignore[misc]
            "interpreter": lambda seed, g=spec_game: g.new_state(seed=seed),  # type: ignore[misc]
        }
        row: dict[str, Any] = {"players": players, "options": options}
        if "playouts" in parts:
            rates: dict[str, list[float]] = {name: [] for name in makers}
            for repeat in range(repeats):
                for name, make in makers.items():
                    rates[name].append(playouts(make, seconds, random.Random(repeat)))
            row["decisions_per_second"] = {name: summary(values, max) for name, values in rates.items()}
            row["ratio"] = {n: median(rates["interpreter"]) / median(rates[n]) for n in ("hand-written", "tuned")}
        if "clone" in parts:
            times: dict[str, list[float]] = {name: [] for name in makers}
            for repeat in range(repeats):
                for name, make in makers.items():
                    times[name].append(clone_time(make, seconds / 10, random.Random(repeat)))
            row["clone_microseconds"] = {name: summary(values, min) for name, values in times.items()}
        rows.append(row)
    return rows


def load_times(repeats: int) -> dict[str, dict[str, float]]:
    """Milliseconds to read and check the spec, and to compile it."""
    import interpreter
    import rulespec

    checking, compiling = [], []
    for _ in range(repeats):
        start = process_time()
        spec = rulespec.load(str(SPEC))
        loaded = process_time()
        interpreter.Game(spec, players=4)
        checking.append((loaded - start) * 1e3)
        compiling.append((process_time() - loaded) * 1e3)
    return {"load_and_check_ms": summary(checking, min), "compile_ms": summary(compiling, min)}


def import_time(repeats: int) -> dict[str, float]:
    """Milliseconds for `import interpreter` in a new process, beyond the process itself."""
    code = "import time; t = time.process_time(); import interpreter; print(time.process_time() - t)"
    times = []
    for _ in range(repeats + 1):
        done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
        times.append(float(done.stdout) * 1e3)
    return summary(times[1:], min)


def show(report: dict[str, Any]) -> None:
    """Prints the tables."""
    core = report["core"]
    print(f"Python {report['python']}, {'core ' + str(core) if core is not None else 'not pinned to a core'}")
    if any("ratio" in row or "clone_microseconds" in row for row in report["games"]):
        print(f"\n{'':36}{'hand-written':>20}{'tuned':>20}{'interpreter':>20}{'of hand-written':>18}{'of tuned':>10}")
        print(f"{'':36}{f'{chr(32) * 6}best{chr(32) * 4}median' * 3}")
    for row in report["games"]:
        name = ", ".join([f"{row['players']} players", *(key for key, value in row["options"].items() if value)])
        if rates := row.get("decisions_per_second"):
            print(_line(f"{name}: decisions/s", rates, row["ratio"], "{:10,.0f}"))
        if times := row.get("clone_microseconds"):
            ratio = {n: times[n]["median"] / times["interpreter"]["median"] for n in ("hand-written", "tuned")}
            print(_line(f"{name}: clone in us", times, ratio, "{:10,.2f}"))
    print()
    for key, text in (
        ("load_and_check_ms", "read and check the spec"),
        ("compile_ms", "compile it"),
        ("import_ms", "import interpreter"),
    ):
        if key in report:
            print(f"{text:28}{report[key]['best']:11,.1f} ms best{report[key]['median']:11,.1f} ms median")


def _line(name: str, values: dict[str, dict[str, float]], ratio: dict[str, float], form: str) -> str:
    who = ("hand-written", "tuned", "interpreter")
    cells = "".join(form.format(values[w][key]) for w in who for key in ("best", "median"))
    return f"{name:36}{cells}{ratio['hand-written']:18.2f}{ratio['tuned']:10.2f}"


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--only", default=",".join(PARTS), help=f"some of {', '.join(PARTS)}, with commas")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each playout measurement (default 2)")
    parser.add_argument("--repeats", type=int, default=5, help="measurements of each kind (default 5)")
    given = parser.parse_args()
    parts = [part.strip() for part in given.only.split(",")]
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown part {', '.join(sorted(unknown))}")
    report: dict[str, Any] = {"python": sys.version.split()[0], "core": pin(), "games": []}
    if "import" in parts:
        report["import_ms"] = import_time(given.repeats)
    if "load" in parts:
        report.update(load_times(given.repeats))
    if "playouts" in parts or "clone" in parts:
        report["games"] = measure_games(parts, given.seconds, given.repeats)
    if given.json:
        print(json.dumps(report, indent=2))
    else:
        show(report)


if __name__ == "__main__":
    main()
