"""docs/reference/meaning.md, Procedures, Supposing, Ways, Records."""

import pytest

from rulespec import SpecError

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  heap: {holds: Card, starts: Card}
  line: {holds: Card, order: row}
"""


# ---------------------------------------------------------------- procedures


def test_procedures_1_a_result_is_used_by_let_and_by_assignment(run):
    more = "procedures:\n  twice(0..9 a) -> 0..99: |\n    n += 1\n    return 2 * a\n"
    t = run(
        "let x = twice(3)\ntrace = twice(4)\ntrace = trace * 10 + x\nx = twice(1)\ntrace = trace * 10 + x",
        "n: {type: 0..9}",
        more,
    )
    assert (862, 3) == (t.var("trace"), t.var("n"))


ASKS = """
procedures:
  chosen(player p, 0..9 most) -> 0..9: |
    choose i in 1..most by p:
      return i
    return 0
"""


def test_procedures_2_a_result_that_is_asked_for(run):
    effects = "let x = chosen(first_player, 3)\nlet y = chosen(next(first_player), x)\ntrace = x * 10 + y"
    t = run(effects, more=ASKS).pick("3")
    assert (1, ["1", "2", "3"]) == (t.seat, t.values)
    assert 32 == t.pick("2").var("trace")


def test_procedures_2_a_result_that_is_asked_for_in_a_loop_and_a_variable(run):
    effects = """
      for p in players:
        bid[p] = chosen(p, 4)
        trace = trace * 10 + bid[p]
    """
    assert 41 == run(effects, "bid: {per: player, type: 0..9}", ASKS).pick("4", "1").var("trace")


def test_procedures_2_a_result_of_a_procedure_that_is_called_by_one_that_asks(run):
    more = (
        ASKS
        + "  both(player p) -> 0..99: |\n    let a = chosen(p, 2)\n    let b = chosen(p, 5)\n    return a * 10 + b\n"
    )
    assert 25 == run("trace = both(first_player)", more=more).pick("2", "5").var("trace")


def test_procedures_3_parameters_are_values_of_the_time_of_the_call(run):
    more = "procedures:\n  set_and_tell(0..9 a): |\n    n = 5\n    trace = a\n"
    assert 2 == run("n = 2\nset_and_tell(n)", "n: {type: 0..9}", more).var("trace")


def test_procedures_4_a_rule_in_a_row_is_called_by_its_row(run):
    more = """
types:
  Shop:
    fields:
      price: 0..9
      cost(0..9 amount): 0..99
      use(player p): effect
    rows:
      - {id: mill, price: 2, cost: 2 * amount, use: trace = trace * 10 + 1}
      - id: inn
        price: 5
        cost: inn.price + amount
        use: |
          choose i in 1..3 by p:
            trace = trace * 10 + i
"""
    effects = "for s in Shop:\n  s.use(first_player)\ntrace = trace * 100 + mill.cost(3) + inn.cost(3)"
    assert 1314 == run(effects, more=more).pick("3").var("trace")


def test_procedures_5_a_loop_whose_body_ends_the_phase(play):
    text = """
    variables: {trace: {type: 0..}}
    phases:
      main:
        do: |
          for i in 1..5:
            for j in 1..2:
              trace = trace * 10 + i
              if i == 3:
                end main
          trace = 0
      asking:
        do: |
          for i in 1..5:
            choose j in 1..i by first_player:
              trace = trace * 10 + j
              if j == 2:
                end asking
          trace = 0
      last: {do: trace = trace * 10 + 9}
    """
    t = play(text)
    assert 11223 == t.var("trace")
    assert 11223129 == t.pick("1", "2").var("trace")


# ---------------------------------------------------------------- supposing


def test_supposing_1_gives_the_value_after_the_call_and_changes_nothing(run):
    more = "procedures:\n  add(0..9 a): |\n    n += a\n    move Card(1) to line\n" + CARDS
    effects = """
      trace = supposing(add(3), n * 10 + count(line))
      trace = trace * 100 + n * 10 + count(line)
    """
    assert 3100 == run(effects, "n: {type: 0..9}", more).var("trace")


def test_supposing_2_triggers_below_it_run_and_leave_no_trace(run):
    more = """
procedures:
  add(0..9 a): n += a
triggers:
  late: {after: change n, do: m = n + 1}
"""
    t = run("trace = supposing(add(3), m)", "n: {type: 0..9}\nm: {type: 0..19}", more)
    assert (4, 0, 0) == (t.var("trace"), t.var("n"), t.var("m"))


def test_supposing_3_one_may_stand_in_another_and_in_a_selection(run):
    more = "procedures:\n  add(0..9 a): n += a\n"
    effects = """
      trace = supposing(add(1), supposing(add(2), n))
      trace = trace * 10 + count(i in 1..5 where supposing(add(i), n) > 3)
      trace = trace * 10 + n
    """
    assert 320 == run(effects, "n: {type: 0..9}", more).var("trace")


def test_supposing_4_deciding_and_chance_below_it_are_refused_by_check(run):
    for effect in (
        "choose i in 1..2 by first_player:\n      n = i",
        "choose i in 1..2 by chance:\n      n = i",
        "end game",
    ):
        more = f"procedures:\n  add(): |\n    {effect}\n"
        with pytest.raises(SpecError):
            run("trace = supposing(add(), n)\nadd()", "n: {type: 0..9}", more)


def test_supposing_5_a_fault_below_it_is_a_fault_of_the_action(play):
    text = """
    variables: {n: {type: 0..9}, trace: {type: 0..}}
    procedures:
      add(0..19 a): n += a
    actions:
      go: {do: "trace = supposing(add(15), n)"}
    phases: {main: {turns: {rounds: 1}, actions: [go]}}
    """
    assert "`n` would be 15" in play(text).fault("go").message


# ---------------------------------------------------------------- ways

GRID = "boards:\n  Square: {grid: 3 x 3, names: a1}\nfunctions:\n"
GRID += "  no(Square s): s.row * 10 + s.col\n"


def test_ways_1_reached_begins_with_the_start_and_has_each_place_once(run):
    effects = "for s in reached(x from a1 by y in neighbours(x) where y.row == 1):\n  trace = trace * 100 + no(s)"
    assert 111213 == run(effects, more=GRID).var("trace")


def test_ways_2_distance_is_the_least_number_of_steps_or_none(run):
    effects = """
      trace = distance(x from a1 by y in neighbours(x, orthogonal) until x == c3) otherwise 9
      trace = trace * 10 + (distance(x from a1 by y in neighbours(x) until x == a1) otherwise 9)
      trace = trace * 10 + (distance(x from a1 by y in neighbours(x) where y.row == 1 until x == c3) otherwise 9)
    """
    assert 409 == run(effects, more=GRID).var("trace")


def test_ways_3_next_steps_are_the_first_steps_of_all_shortest_ways_in_order(run):
    effects = """
      for s in next_steps(x from a1 by y in neighbours(x, orthogonal) until x == c3):
        trace = trace * 100 + no(s)
      if not next_steps(x from a1 by y in neighbours(x, orthogonal) until x == a1):
        trace = trace * 10 + 7
    """
    assert 21127 == run(effects, more=GRID).var("trace")


# ---------------------------------------------------------------- records


def test_records_1_count_how_often_the_position_was_recorded(run):
    effects = """
      trace = times(seen)
      record seen
      n[1] = 4
      trace = trace * 10 + times(seen)
      record seen
      n[1] = 0
      record seen
      trace = trace * 10 + times(seen)
      move Card(1) to line
      trace = trace * 10 + times(seen)
    """
    more = CARDS + "records:\n  seen: {of: [n, line]}\n"
    assert 20 == run(effects, "n: {per: 1..2, type: 0..9}", more).var("trace")


def test_records_2_what_a_record_does_not_list_does_not_count(run):
    effects = "record seen\nm = 3\ntrace = times(seen)"
    assert 1 == run(effects, "n: {type: 0..9}\nm: {type: 0..9}", "records:\n  seen: {of: [n]}\n").var("trace")


def test_records_3_a_position_with_the_cards_in_another_order_is_another_one(run):
    effects = """
      move Card(1) to line
      move Card(2) to line
      record seen
      move Card(1) to line
      trace = times(seen)
      move Card(2) to line
      trace = trace * 10 + times(seen) + 1
    """
    assert 2 == run(effects, more=CARDS + "records:\n  seen: {of: [line]}\n").var("trace")
