"""Loops over long ranges within each other are a fault of the rule that has them, and do not go on for hours."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import interpreter
from interpreter import RuleError

SPEC = """\
rulespec: 1
id: loops
title: Loops
players: 1
about: Counts.
variables:
  total: {type: 0..}
actions:
  count:
    do: |
      BODY
phases:
  play:
    turns: {times: 2}
    actions: [count]
"""


def counted(tmp_path: Path, body: str) -> interpreter.State:
    path = tmp_path / "loops.yaml"
    path.write_text(SPEC.replace("BODY", body.replace("\n", "\n      ")), encoding="utf-8")
    state = interpreter.load_game(path).new_state(seed=1)
    began = time.process_time()
    try:
        state.apply("count")
    finally:
        assert time.process_time() - began < 60
    return state


@pytest.mark.parametrize(
    "body",
    [
        "for a in 1..100000:\n  for b in 1..100000:\n    for c in 1..100000:\n      total += 1",
        "for a in 1..100000, b in 1..100000:\n  total += 1",
    ],
)
def test_too_long(tmp_path: Path, body: str) -> None:
    with pytest.raises(RuleError, match="this rule did not come to an end within 100,000 steps") as fault:
        counted(tmp_path, body)
    assert 11 <= fault.value.spans[0].line <= 14


def test_a_loop_that_keeps_the_position_again_and_again(tmp_path: Path) -> None:
    """It copies all that was kept before, each time."""
    path = tmp_path / "loops.yaml"
    text = SPEC.replace("BODY", "while total < 1:\n        record seen\n        total += 0").replace(
        "actions:\n  count", "records:\n  seen: [total]\nactions:\n  count"
    )
    path.write_text(text, encoding="utf-8")
    state = interpreter.load_game(path).new_state(seed=1)
    began = time.process_time()
    with pytest.raises(RuleError, match="this rule did not come to an end within 100,000 steps"):
        state.apply("count")
    assert time.process_time() - began < 5


def test_long_but_not_too_long(tmp_path: Path) -> None:
    assert 20_000 == counted(tmp_path, "for a in 1..2:\n  for b in 1..10000:\n    total += 1").variables["total"]
