"""Locals may have any name, also one that means something in the emitted code."""

from __future__ import annotations

import pytest

SPEC = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  heap: {holds: Card}
  line: {holds: Card, order: row}
procedures:
  wait(player p): |
    choose i in 1..2 by p "which":
      nothing
"""
COUNTERS = """
m: {type: 0..50}
n: {type: 0..50}
"""
WORDS = "c cs new source amount place stack done out options key row sorted len some below norm nth show lambda main"
PARTS = "c_ new_ place_ stack_ lookup_Card Card_n start_n lay_line label_x f_x v_n loc_Card seats_from the_c"


@pytest.mark.parametrize("name", [*WORDS.split(), *PARTS.split(), "S", "F", "A1", "K1"])
def test_locals_of_any_name_keep_their_values(run, name):
    effects = f"""
      for q in Card where q.n <= 3:
        move q to line
      for {name} in line:
        move last(line) to heap
        trace = trace * 10 + {name}.n
      for {name} in 4..5:
        m += {name}
        move 1 of m to n
        trace = trace * 10 + {name}
      wait(player_1)
      for {name} in 6..7:
        wait(player_1)
        for the_{name} in 8..9:
          trace = trace * 10 + {name}
          move first(heap) to line
          trace = trace * 10 + the_{name}
    """
    table = run(effects, COUNTERS, SPEC)
    while not table.over:
        table.do(table.options[0])
    assert 1234568697879 == table.var("trace")
