"""Specs that once could not be compiled."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter

NARROWED = """\
rulespec: 1
id: narrowed
title: Narrowed
about: A condition reads the end of a row that it has tested before, for each of two ends.
players: 2
components:
  Card: {fields: {value: 1..9}, rows: all}
zones:
  lane: {holds: Card, order: row}
  hand: {holds: Card, per: player, seen_by: owner}
setup: |
  for c in Card:
    move c to hand[player_1]
actions:
  put:
    with: c in hand[me], side in RowEnd
    when: not lane or end(lane, side) != none and end(lane, side).value < c.value
    do: move c to lane at side
phases:
  play:
    turns: {times: 6}
    actions: [put]
    if_stuck: end game
"""


def test_what_was_tested_is_read_where_a_loop_is_written_out(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(NARROWED, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state(seed=1)
    chance = random.Random(1)
    while not state.is_over:
        state.apply(chance.choice(state.legal_actions()))
    assert state.zones["lane"]


SHARED = """\
rulespec: 1
id: shared
title: Shared
about: The first and the last action go over the same zone, under a condition of its own; one stands between.
players: 2
components:
  Card: {fields: {value: 1..4}, rows: all}
zones:
  hand: {holds: Card, per: player, seen_by: owner}
  row: {holds: Card, order: row, seen_by: everyone}
variables:
  coins: {per: player, type: 0..3, start: 1}
setup: |
  for c in Card:
    if c.value <= 2:
      move c to hand[player_1]
    else:
      move c to row
actions:
  keep: {with: "c in hand[me]", do: nothing}
  take: {with: c in row, do: nothing}
  sell: {with: "c in hand[me]", when: "coins[me] > 0", do: "coins[me] -= 1"}
phases:
  play:
    turns: {times: 2}
    actions: [keep, take, sell]
"""


def test_options_come_in_the_order_of_actions_where_loops_are_shared(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(SHARED, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    assert [action.name for action in state.legal_actions()] == ["keep"] * 2 + ["take"] * 2 + ["sell"] * 2


LISTS_IN_LISTS = """\
rulespec: 1
id: tiny
title: Tiny
about: A test.
players: 2
boards:
  Square: {grid: 3 x 2, names: a1}
setup: |
  say "{[a1, b1, c1] in lines(Square, 3)} {[a1, c1] in lines(Square, 3)} {first(lines(Square, 3)) in [[a1, b1, c1]]}"
  say "{lines(Square, 3) == [[a1, b1, c1], [a2, b2, c2]]} {[[a1], [b1]] == [[b1], [a1]]}"
  say "{lines(Square, 3) - [[a1, b1, c1]]} {count(lines(Square, 3) + [[a1, b1, c1]])} {[0..1] == [[0, 1]]}"
phases:
  play: {do: nothing}
"""


def test_lists_in_lists_are_compared_by_their_members(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(LISTS_IN_LISTS, encoding="utf-8")
    log = interpreter.load_game(str(path)).new_state().log()
    assert ["yes no yes", "yes no", "a2, b2, c2 2 yes"] == log[:3]


ONE_IN_ANOTHER = """\
rulespec: 1
id: tiny
title: Tiny
about: An action that a turn offers is asked of somebody else in another action of the same turn.
players: 2
variables:
  taken: {per: player, type: 0..20}
actions:
  take:
    with: n in 1..2
    do: |
      choose more in 3..4 by me:
        taken[me] += n + more
  hand_over:
    do: |
      ask opponent(me): take
      taken[me] += 1
phases:
  play:
    turns: {times: 2}
    actions: [take, hand_over]
"""


def test_an_action_in_another_is_done_by_who_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(ONE_IN_ANOTHER, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    for seat, text in enumerate(["take(n=2)", "choose(more=4)", "hand_over", "take(n=1)", "choose(more=3)"]):
        assert state.current_seat == (0, 0, 1, 0, 0)[seat]
        state.apply(text)
    assert state.is_over
    assert state.variables["taken"] == [2 + 4 + 1 + 3, 1]


CALLED = """\
rulespec: 1
id: tiny
title: Tiny
about: A short procedure that fails.
players: 2
variables:
  purse: {type: 0..3}
procedures:
  spend(0..3 n): purse -= n
actions:
  buy:
    do: |
      spend(2)
phases:
  play:
    turns: {times: 2}
    actions: [buy]
"""


def test_a_fault_in_a_procedure_that_stands_in_place_tells_what_called_it(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(CALLED, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    with pytest.raises(interpreter.RuleError) as caught:
        state.apply("buy")
    assert str(caught.value) == (
        f"{path}:9:18: `purse` would be -2, outside its range 0..3 (through {path}:13) while doing `buy`"
    )


TOGETHER = """\
rulespec: 1
id: tiny
title: Tiny
about: What a player has chosen is read by all after a stop.
players: 2
variables:
  first: {type: 0..9}
  found: {per: player, type: 0..9}
actions:
  go:
    with: a in 1..4
    do: |
      choose n in 1..2 by me:
        first = n
      for p in players, together:
        choose m in 1..2 by p:
          found[p] = m + a
phases:
  play: {turns: {times: 1}, actions: [go]}
"""


def test_what_is_read_by_seats_together_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(TOGETHER, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    for seat, text in [(0, "go(a=4)"), (0, "choose(n=1)"), (1, "choose(m=2)"), (0, "choose(m=1)")]:
        state.apply(text, seat)
    assert state.variables["found"] == [5, 6]


ALIKE = """\
rulespec: 1
id: tiny
title: Tiny
about: An option stands for several that look alike.
players: 2
components:
  Coin: {fields: {value: 1..3}, rows: [{id: gold, value: 3, count: 3}, {id: tin, value: 1, count: 2}]}
zones:
  pile: {holds: Coin, starts: Coin, seen_by: everyone}
variables:
  mark: {per: Coin, type: optional player}
  fee: {per: Coin, type: 0..3}
actions:
  claim:
    with: c in Coin where mark[c] == none
    when: fee[c] < 2
    do: mark[c] = me
phases:
  play: {turns: {times: 4}, actions: [claim]}
"""


def test_after_one_of_several_that_look_alike_the_others_are_offered(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(ALIKE, encoding="utf-8")
    game = interpreter.load_game(str(path))
    state = game.new_state()
    state.apply("claim(c=tin)")
    assert [str(action) for action in state.legal_actions()] == ["claim(c=gold)", "claim(c=tin)"]
    assert game.state_from_json(state.to_json()).legal_actions() == state.legal_actions()


def chain(length: int, asks: int) -> str:
    """Actions each of which asks for the next, some times."""
    lines = ["rulespec: 1", "id: tiny", "title: Tiny", "about: A chain.", "players: 2", "variables: {k: {type: 0..}}"]
    lines += ["actions:"]
    for n in range(length):
        again = (
            [f"      ask me: act_{n + 1}, pass"] * asks if n + 1 < length else ["      choose x in 1..2 by me: k += x"]
        )
        lines += [f"  act_{n}:", "    do: |", "      k += 1", *again]
    return "\n".join([*lines, "phases:", "  play: {turns: {times: 2}, actions: [act_0]}", ""])


def test_actions_that_ask_for_others_are_not_written_out_in_one_another(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(chain(7, 3), encoding="utf-8")
    game = interpreter.load_game(str(path))
    assert len(game.source.splitlines()) < 2500
    state = game.new_state()
    for n in range(7):
        state.apply(f"act_{n}")
    assert [str(action) for action in state.legal_actions()] == ["choose(x=1)", "choose(x=2)"]


def test_a_long_chain_of_procedures_is_no_recursion(tmp_path: Path) -> None:
    lines = ["rulespec: 1", "id: tiny", "title: Tiny", "about: A chain.", "players: 2", "variables: {k: {type: 0..}}"]
    lines += ["procedures:", *(f"  step_{n}(): step_{n + 1}()" for n in range(1200))]
    lines += ["  step_1200():", "    do: |", "      choose x in 1..2 by first_player: k += x"]
    lines += ["actions: {go: step_0()}", "phases:", "  play: {turns: {times: 1}, actions: [go]}", ""]
    path = tmp_path / "game.yaml"
    path.write_text("\n".join(lines), encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    state.apply("go")
    state.apply("choose(x=2)")
    assert state.is_over
    assert state.variables["k"] == 2


NO_ENTRY = """\
rulespec: 1
id: tiny
title: Tiny
about: An index that counts down.
players: 2
variables:
  pips: {per: 0..3, type: 0..9}
actions:
  go:
    with: n in 0..3
    do: |
      let here = n - 1
      pips[here] += 1
phases:
  play: {turns: {times: 3}, actions: [go]}
"""


def test_an_index_that_is_none_of_the_indices_is_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(NO_ENTRY, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    with pytest.raises(interpreter.RuleError) as caught:
        state.apply("go(n=0)")
    assert str(caught.value) == (f"{path}:13:7: there is no entry -1; the indices are 0..3 while doing `go(n=0)`")
    state.apply("go(n=3)")
    assert state.variables["pips"] == [0, 0, 1, 0]


NO_RESULT = """\
rulespec: 1
id: tiny
title: Tiny
about: A result that cannot be worked out.
players: 2
variables:
  pips: {per: player, type: 0..9}
actions:
  go:
    do: end game
phases:
  play: {turns: {times: 3}, actions: [go]}
result:
  rank_by: ["highest 6 / pips[p]"]
"""


def test_a_fault_of_the_result_is_told_by_the_log(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(NO_RESULT, encoding="utf-8")
    state = interpreter.load_game(str(path)).new_state()
    state.apply("go")
    for asked in (lambda: state.winners, lambda: state.log(0)):
        with pytest.raises(interpreter.RuleError) as caught:
            asked()
        assert str(caught.value) == f"{path}:14:22: division by zero"
