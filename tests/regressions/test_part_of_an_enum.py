"""What is indexed by a part of an enum has entries for that part only."""

from __future__ import annotations

from pathlib import Path

import interpreter

SPEC = """\
rulespec: 1
id: bars
title: Bars
players: 2
about: Colours of which two are bars.
types:
  Colour: [red, green, blue, white]
  Bar: {type: "[green, blue]"}
components:
  Card: {fields: {worth: 1..2}, rows: all}
zones:
  pile: {holds: Card, per: Bar, starts: c in Card, starts_at: green}
variables:
  marks: {per: Bar, type: 0..3}
  own: {per: [player, Bar], type: 0..3}
actions:
  mark:
    with: b in Bar
    do: |
      marks[b] += 1
      own[me, b] += 2
phases:
  main: {turns: {rounds: 1}, actions: [mark]}
"""


def test_views_and_full_information_show_that_part(tmp_path: Path) -> None:
    path = tmp_path / "bars.yaml"
    path.write_text(SPEC, encoding="utf-8")
    state = interpreter.load_game(path).new_state(seed=1)
    state.apply("mark(b=blue)")
    seen = state.view(0)
    assert {"green": 0, "blue": 1} == seen["variables"]["marks"] == state.variables["marks"]
    assert {"green": 0, "blue": 2} == seen["variables"]["own"]["player_1"] == state.variables["own"][0]
    assert {"green": 2, "blue": 0} == {bar: pile["count"] for bar, pile in seen["zones"]["pile"].items()}
    assert ["green", "blue"] == list(state.zones["pile"])
    assert ["mark(b=green)", "mark(b=blue)"] == [str(option) for option in state.legal_actions()]
    copy = state.game.state_from_json(state.to_json())
    assert copy.view(1) == state.view(1)
