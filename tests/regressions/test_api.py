"""Mistakes that were made once in the interface for programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import interpreter
from interpreter.testing import check_decision

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


ANY_TIME = """\
rulespec: 1
id: tiny
title: Tiny
players: 2
about: A test.
actions:
  shout: nothing
  step: nothing
phases:
  main: {turns: {rounds: 1}, actions: [step], any_time: [shout]}
"""


def test_after_the_end_nobody_has_actions_of_any_time(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(ANY_TIME, encoding="utf-8")
    state = interpreter.load_game(path).new_state(any_time="open")
    state.apply("step")
    assert [str(action) for action in state.legal_actions(0)] == ["shout"]
    state.apply("step")
    check_decision(state)
    with pytest.raises(interpreter.IllegalAction, match="the game is over"):
        state.apply("shout", seat=1)
