"""Mistakes that were made once in the interface for programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def alone(program: str) -> str:
    """What a program prints that runs in a process of its own."""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_check_stays_a_function_once_its_package_is_imported() -> None:
    path = "tests/sketches/b/kuhn_poker.yaml"
    assert alone(f"import rulespec; print([rulespec.check({path!r}) for _ in range(2)])") == "[[], []]\n"
    assert alone(f"import interpreter, rulespec; interpreter.load_game({path!r}); print(rulespec.check({path!r}))") == (
        "[]\n"
    )
