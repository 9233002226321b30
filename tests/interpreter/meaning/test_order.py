"""docs/reference/meaning.md, Order."""

import pytest

NO = """
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
"""

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  heap: {holds: Card}
  pile: {holds: Card, order: stack}
  line: {holds: Card, order: row}
  hand: {holds: Card, per: player}
"""


def test_order_1_a_type_is_gone_through_in_declared_order(run):
    more = "types:\n  Colour: [red, blue, green]"
    assert 123 == run("for c in Colour:\n  trace = trace * 10 + c.number", more=more).var("trace")


def test_order_1_a_range_goes_up_and_down_to_goes_down(run):
    assert 345 == run("for i in 3..5:\n  trace = trace * 10 + i").var("trace")
    assert 543 == run("for i in 5 down to 3:\n  trace = trace * 10 + i").var("trace")
    assert 0 == run("for i in 5..3:\n  trace = trace * 10 + i").var("trace")


def test_order_1_rows_are_gone_through_as_written(run):
    more = """
types:
  Shop: {fields: {price: 1..9}, rows: [{id: bakery, price: 7}, {id: mill, price: 2}, {id: inn, price: 5}]}
"""
    assert 725 == run("for s in Shop:\n  trace = trace * 10 + s.price", more=more).var("trace")


def test_order_2_players_go_by_seat(run):
    assert 1234 == run("for p in players:\n  trace = trace * 10 + no(p)", more=NO, players=4).var("trace")


def test_order_2_players_from_go_round_in_turn_order(run):
    effects = "let p = next(first_player, 2)\nfor q in players from p:\n  trace = trace * 10 + no(q)"
    assert 3412 == run(effects, more=NO, players=4).var("trace")
    assert 412 == run("for q in others(next(first_player, 2)):\n  trace = trace * 10 + no(q)", more=NO, players=4).var(
        "trace"
    )


def test_order_3_a_stack_goes_from_the_top(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to pile
      for c in pile:
        trace = trace * 10 + c.n
    """
    assert 321 == run(effects, more=CARDS).var("trace")


def test_order_3_a_row_goes_from_the_left(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to line at left
      for c in line:
        trace = trace * 10 + c.n
    """
    assert 321 == run(effects, more=CARDS).var("trace")


def test_order_3_a_zone_without_order_goes_in_row_order_however_it_was_filled(run):
    effects = """
      for c in Card by highest c.n:
        move c to heap
      for c in heap where c.n <= 3:
        trace = trace * 10 + c.n
    """
    assert 123 == run(effects, more=CARDS).var("trace")


def test_order_4_the_last_name_of_a_selection_changes_fastest(run):
    assert 11122122 == run("for a in 1..2, b in 1..2:\n  trace = trace * 100 + a * 10 + b").var("trace")


def test_order_4_a_later_name_may_depend_on_an_earlier_one(run):
    assert 112122 == run("for a in 1..2, b in 1..a:\n  trace = trace * 100 + a * 10 + b").var("trace")


def test_order_4_at_goes_through_the_indices_first(run):
    effects = """
      for c in Card where c.n <= 2:
        move c to hand[next(first_player)]
      for c in Card where 3 <= c.n and c.n <= 4:
        move c to hand[first_player]
      for c at p in hand:
        trace = trace * 10 + c.n
    """
    assert 3412 == run(effects, more=CARDS).var("trace")


@pytest.mark.parametrize(("word", "expected"), [("lowest", 3614725), ("highest", 2514736)])
def test_order_5_by_sorts_and_equal_ones_keep_their_order(run, word, expected):
    effects = f"for i in 1..7 where i < 8 by {word} i mod 3:\n  trace = trace * 10 + i"
    assert expected == run(effects).var("trace")


def test_order_6_spaces_go_row_by_row_from_row_1_and_further_ones_last(run):
    more = """
boards:
  Square: {grid: 2 x 2, names: a1, spaces: {gate: {beside: [a1]}}}
functions:
  number(Square s): first(i in 1..9 where nth(those(x in Square), i - 1) == s) otherwise 0
"""
    effects = """
      trace = number(a1) * 1000 + number(b1) * 100 + number(a2) * 10 + number(b2)
      trace = trace * 10 + number(gate)
    """
    assert 12345 == run(effects, more=more).var("trace")


@pytest.mark.parametrize(
    "condition", ["n != 0 and 6 / n > 1", "not (n == 0 or 6 / n > 1)", "(6 / n if n != 0 else 0) > 1"]
)
def test_order_7_and_or_if_stop_early(run, condition):
    assert 0 == run(f"if {condition}:\n  trace = 1", variables="n: {type: 0..9}").var("trace")


def test_order_7_otherwise_looks_at_its_right_side_only_if_needed(run):
    effects = "n = 4\ntrace = n otherwise 1 / zero"
    t = run(effects, variables="n: {type: optional 0..9}\nzero: {type: 0..9}")
    assert 4 == t.var("trace")


def test_order_8_those_has_no_doubles_and_keeps_the_order_met(run):
    assert 120 == run("for x in those(i mod 3 for i in 1..7):\n  trace = trace * 10 + x").var("trace")


def test_order_8_most_and_least_keep_the_order_of_the_domain(run):
    assert 25 == run("for x in most(i mod 3 for i in 1..5):\n  trace = trace * 10 + x").var("trace")
    assert 36 == run("for x in least(i mod 3 for i in 1..7):\n  trace = trace * 10 + x").var("trace")


def test_order_8_first_and_last_follow_the_order_of_the_selection(run):
    effects = """
      trace = first(i in 1..9 where i mod 4 == 3) otherwise 0
      trace = trace * 10 + (last(i in 1..9 where i mod 4 == 3) otherwise 0)
      trace = trace * 10 + (first(i in 1..9 by highest i mod 5) otherwise 0)
      trace = trace * 10 + (first(i in 1..9 where i > 9) otherwise 0)
    """
    assert 3740 == run(effects).var("trace")


def test_order_9_sets_go_in_the_order_of_their_type(run):
    effects = """
      kept = [green, red]
      for c in kept:
        trace = trace * 10 + c.number
    """
    assert 13 == run(effects, variables="kept: {type: set of Colour}", more="types:\n  Colour: [red, blue, green]").var(
        "trace"
    )


def test_order_10_a_card_put_down_goes_on_top_or_to_the_right_unless_at_says_otherwise(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to pile
        move c to line
      for c in Card where c.n >= 4 and c.n <= 6:
        move c to pile at bottom
      for c in Card where c.n <= 3:
        move c to line
      for c in line:
        trace = trace * 10 + c.n
      for c in pile:
        trace = trace * 10 + c.n
    """
    assert 123456 == run(effects, more=CARDS).var("trace")


def test_order_10_after_puts_a_card_right_of_another(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to line
      move Card(7) to line after Card(1)
      move Card(2) to line after Card(3)
      move Card(3) to line
      for c in line:
        trace = trace * 10 + c.n
    """
    assert 1723 == run(effects, more=CARDS).var("trace")


def test_order_11_move_all_takes_the_source_in_its_order(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to pile
      move all pile to line
      for c in line:
        trace = trace * 10 + c.n
      move all line to pile
      for c in pile:
        trace = trace * 10 + c.n
    """
    assert 321123 == run(effects, more=CARDS).var("trace")
