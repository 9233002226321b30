"""An option with the same copy twice is another one than with two copies that look alike."""

from __future__ import annotations

from pathlib import Path

import interpreter

SPEC = """\
rulespec: 1
id: twice
title: Twice
players: 1
about: Two tokens that look alike.
components:
  Token:
    rows:
      - {id: gold, count: 2}
      - {id: iron}
    fields: {}
zones:
  left: {holds: Token, seen_by: everyone, starts: Token}
  right: {holds: Token, seen_by: everyone}
variables:
  marks: {per: Token, type: 0..9}
actions:
  pick:
    do: |
      choose a in left, b in left by me:
        marks[a] += 1
        move b to right
phases:
  play:
    turns: {times: 2}
    actions: [pick]
"""


def test_each_can_be_taken(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = interpreter.load_game(path).new_state(seed=1)
    state.apply("pick")
    options = [str(option) for option in state.legal_actions()]
    assert [
        "choose(a=gold, b=gold)",
        "choose(a=gold, b=gold#2)",
        "choose(a=gold, b=iron)",
        "choose(a=iron, b=gold)",
        "choose(a=iron, b=iron)",
    ] == options
    for option in options:
        after = state.clone()
        after.apply(option)
        position = after._position
        marked = position.v_marks.index(1)
        moved = position.loc_Token[marked] == len(position.z) - 1  # `right` is the last zone
        assert moved == (option in ("choose(a=gold, b=gold)", "choose(a=iron, b=iron)")), option
