"""A decision cannot be taken back after which others have seen a variable that was set by what they do not see."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter
from interpreter import Match

SPEC = """\
rulespec: 1
id: copies
title: Copies
players: 2
about: A hidden number is told by what is set according to it.
variables:
  secret: {per: player, type: 0..9, seen_by: owner}
  noted: {per: player, type: 0..9, seen_by: owner}
  shown: {type: 0..9}
  high: {type: bool}
  steps: {type: 0..99}
procedures:
  put(0..9 n): {do: shown = n}
actions:
  pick: {with: n in 0..9, do: "secret[me] = n"}
  walk: {do: steps += 1}
  note: {do: "noted[me] = secret[me]"}
  copy: {do: "shown = secret[me]"}
  copy_by_name:
    do: |
      let n = secret[me] + 1
      shown = min(n, 9)
  copy_by_procedure: {do: "put(secret[me])"}
  tell:
    do: |
      if secret[me] > 3:
        high = true
  end_it:
    do: |
      if secret[me] > 3:
        win me
      lose me
phases:
  play:
    turns: {times: 30}
    actions: [pick, walk, note, copy, copy_by_name, copy_by_procedure, tell, end_it]
"""


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ("pick(n=3)", ""),
        ("walk", ""),
        ("note", ""),
        ("copy", "shown has been set by what not all see"),
        ("copy_by_name", "shown has been set by what not all see"),
        ("copy_by_procedure", "shown has been set by what not all see"),
        ("tell", "high has been set by what not all see"),
        ("end_it", "the game is over, and its end tells what not all see"),
    ],
)
def test_undo(tmp_path: Path, action: str, reason: str) -> None:
    path = tmp_path / "copies.yaml"
    path.write_text(SPEC, encoding="utf-8")
    match = Match(interpreter.load_game(path), seed=1)
    match.apply("pick(n=7)")
    match.apply("walk")
    match.apply(action)
    assert (reason, reason, reason) == (match.can_undo(), match.can_undo(0), match.can_undo(0))
    if not reason:
        match.undo()
        assert "7" in str(match.state.variables["secret"])
