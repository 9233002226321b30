"""How long the rulebook of each game takes, from the command to the written page: seconds of the processor.

    python benchmarks/books.py [--only pet-cemetery,dungeon-petz] [--repeats 3] [--format html] [--json]

Measured are all installed games and the specs of tests/conformance, each as a process of its own:
`rulespec docs GAME -o DIR`. The table shows the best and the median run beside the figure that must hold; the command
fails where the best run takes longer. Python keeps compiled modules between runs, as in any installation.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from rulespec import packs  # noqa: E402

MOST = 3.0
"""Seconds that a book may take as HTML."""
_COMMAND = "from interpreter.cli import main; main()"


def books() -> dict[str, str]:
    """By name what the command is given: ids of installed games, and paths."""
    found = {game.id: game.id for game in packs.installed_games()}
    classics = sorted((ROOT / "tests" / "conformance").rglob("*.yaml"))
    return found | {file.stem: str(file) for file in classics if packs.game_id(file)}


def seconds(game: str, formats: str, folder: str) -> float:
    """Time of the processor that one book takes.

    Raises:
        SystemExit: the book is not made.
    """
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": str(Path(folder) / "compiled")}
    command = [sys.executable, "-c", _COMMAND, "docs", game, "-o", folder, "--format", formats]
    before = os.times()
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    after = os.times()
    if done.returncode:
        sys.exit(f"{game}: {done.stderr.strip() or done.stdout.strip()}")
    return after.children_user - before.children_user + after.children_system - before.children_system


def measure(games: dict[str, str], formats: str, repeats: int) -> list[dict[str, Any]]:
    """The runs of each book; the books in turn, so that all share quiet and busy times."""
    runs: dict[str, list[float]] = {name: [] for name in games}
    with tempfile.TemporaryDirectory() as folder:
        seconds(next(iter(games.values())), formats, folder)  # compiles the modules
        for _ in range(repeats):
            for name, game in games.items():
                runs[name].append(seconds(game, formats, folder))
    return [{"book": name, "best": min(found), "median": median(found)} for name, found in runs.items()]


def show(rows: Sequence[dict[str, Any]]) -> None:
    """Prints the table."""
    print(f"{'seconds for a book':28}{'best':>8}{'median':>8}{'at most':>9}")
    for row in rows:
        print(f"{row['book']:28}{row['best']:8.2f}{row['median']:8.2f}{MOST:9.1f}")


def main() -> None:
    """Measures and prints."""
    games = books()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default=",".join(games), help="names, with commas (default all)")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each (default 3)")
    parser.add_argument("--format", default="html", help="as of `rulespec docs` (default html)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    names = [name.strip() for name in given.only.split(",")]
    if unknown := set(names) - set(games):
        parser.error(f"no game is called {', '.join(sorted(unknown))}")
    rows = measure({name: games[name] for name in names}, given.format, given.repeats)
    if given.json:
        print(json.dumps({"python": sys.version.split()[0], "books": rows}, indent=2))
    else:
        show(rows)
    if slow := [row["book"] for row in rows if row["best"] > MOST and given.format == "html"]:
        sys.exit(f"too slow: {', '.join(slow)}")


if __name__ == "__main__":
    main()
