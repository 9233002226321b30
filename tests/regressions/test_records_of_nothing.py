"""A record may name nothing: all positions are then the same to it."""

from __future__ import annotations

from pathlib import Path

import interpreter

SPEC = """\
rulespec: 1
id: nothing
title: Nothing
players: 1
about: Counts how often a position was there.
variables:
  total: {type: 0..99}
records:
  seen: []
actions:
  keep:
    do: |
      record seen
      total = times(seen)
phases:
  play:
    turns: {times: 3}
    actions: [keep]
"""


def test_every_position_is_the_same(tmp_path: Path) -> None:
    path = tmp_path / "nothing.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = interpreter.load_game(path).new_state(seed=1)
    for count in (1, 2, 3):
        state.apply("keep")
        assert count == state.variables["total"]
