"""docs/reference/meaning.md, Loops."""

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  heap: {holds: Card}
  line: {holds: Card, order: row}
  slot: {holds: one Card}
  hand: {holds: Card, per: player}
"""


def test_loops_1_members_are_fixed_at_the_start(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to line
      for c in line:
        trace = trace * 10 + c.n
        if c == Card(1):
          move Card(2) to heap
          move Card(7) to line
    """
    assert 123 == run(effects, more=CARDS).var("trace")


def test_loops_1_the_ends_of_a_range_are_fixed_at_the_start(run):
    effects = "for i in 1..n:\n  trace = trace * 10 + i\n  n = 9"
    assert 12 == run("n = 2\n" + effects, "n: {type: 0..9}").var("trace")
    assert 12 == run("let n = 2\n" + effects).var("trace")


def test_loops_1_all_names_of_a_selection_are_fixed_at_the_start(run):
    effects = "for i in 1..2, j in 1..n:\n  trace = trace * 100 + i * 10 + j\n  n = 1"
    assert 11122122 == run("n = 2\n" + effects, "n: {type: 0..9}").var("trace")
    assert 11122122 == run("let n = 2\n" + effects).var("trace")


def test_loops_2_where_is_tested_again_when_the_turn_of_a_member_comes(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to line
      for c in line where c in line:
        trace = trace * 10 + c.n
        move Card(2) to heap
    """
    assert 13 == run(effects, more=CARDS).var("trace")


def test_loops_2_a_member_that_where_kept_out_at_the_start_does_not_come_in(run):
    effects = "for i in 1..5 where i <= n:\n  trace = trace * 10 + i\n  n = 5"
    assert 12 == run("n = 2\n" + effects, "n: {type: 0..9}").var("trace")


def test_loops_2_a_condition_that_names_no_member_is_tested_again_too(run):
    effects = "for i in 1..5 where n < 2:\n  trace = trace * 10 + i\n  n += 1"
    assert 12 == run(effects, "n: {type: 0..9}").var("trace")


def test_loops_2_a_condition_over_locals_is_tested_again_too(run):
    effects = "let n = 0\nfor i in 1..5 where n < 2:\n  trace = trace * 10 + i\n  n += 1"
    assert 12 == run(effects.replace("n += 1", "n = n + 1")).var("trace")


def test_loops_2_it_is_the_same_where_the_body_asks(run):
    effects = """
      for c in Card where c.n <= 3 and n < 2:
        choose x in 1..1 by first_player:
          trace = trace * 10 + c.n
          n += 1
    """
    t = run(effects, "n: {type: 0..9}", more=CARDS)
    t.pick("1", "1")
    assert t.over
    assert 12 == t.var("trace")


def test_loops_3_by_sorts_once_at_the_start(run):
    effects = """
      for i in 1..3:
        rank[i] = i
      for i in 1..3 by highest rank[i]:
        trace = trace * 10 + i
        rank[1] = 9
    """
    assert 321 == run(effects, "rank: {per: 1..3, type: 0..9}").var("trace")


def test_loops_3_by_sorts_once_where_the_body_asks(run):
    effects = """
      for i in 1..3:
        rank[i] = i
      for i in 1..3 where rank[i] != 8 by highest rank[i]:
        choose x in [i] by first_player:
          trace = trace * 10 + x
          rank[1] = 9
          rank[2] = 8
    """
    t = run(effects, "rank: {per: 1..3, type: 0..9}")
    t.pick("3", "1")
    assert t.over
    assert 31 == t.var("trace")


def test_loops_4_while_is_tested_before_each_pass(run):
    assert 21 == run("n = 2\nwhile n > 0:\n  trace = trace * 10 + n\n  n -= 1", "n: {type: 0..9}").var("trace")
    assert 0 == run("while n > 0:\n  trace = 1\n  n -= 1", "n: {type: 0..9}").var("trace")


def test_loops_5_repeat_works_out_its_number_once(run):
    effects = "n = 2\nrepeat n times:\n  trace = trace * 10 + 1\n  n = 5"
    assert 11 == run(effects, "n: {type: 0..9}").var("trace")
    t = run(effects + "\n  choose x in 1..1 by first_player:\n    nothing", "n: {type: 0..9}")
    t.pick("1", "1")
    assert t.over
    assert 11 == t.var("trace")


def test_loops_5_repeat_0_or_less_does_nothing(run):
    assert 0 == run("repeat n - 3 times:\n  trace = 1", "n: {type: 0..9}").var("trace")


def test_loops_6_an_optional_is_gone_through_once_or_not_at_all(run):
    effects = """
      for c in slot:
        trace = 9
      move Card(4) to slot
      for c in slot:
        trace = trace * 10 + c.n
    """
    assert 4 == run(effects, more=CARDS).var("trace")


def test_loops_7_until_keeps_a_list_up_to_the_first_that_meets_it(run):
    effects = "for i in [2, 4, 5, 6] until i mod 2 == 1:\n  trace = trace * 10 + i"
    assert 245 == run(effects).var("trace")
    assert 246 == run(effects.replace("[2, 4, 5, 6]", "[2, 4, 6]")).var("trace")


def test_loops_8_a_local_changed_in_a_loop_keeps_its_value_after_it(run):
    assert 6 == run("let x = 0\nfor i in 1..3:\n  x = x + i\ntrace = x").var("trace")


def test_loops_8_a_local_keeps_its_value_over_decisions(run):
    effects = """
      let x = 0
      for i in 1..2:
        let y = i * 10
        choose k in 1..9 by first_player:
          x = x + y + k
      trace = x
    """
    assert 37 == run(effects).pick("3", "4").var("trace")


def test_loops_9_the_indices_bound_by_at_and_the_components_are_fixed_together(run):
    effects = """
      for c in Card where c.n <= 2:
        move c to hand[first_player]
      for c at p in hand:
        trace = trace * 10 + c.n
        move c to hand[next(p)]
    """
    assert 12 == run(effects, more=CARDS).var("trace")
