"""docs/reference/meaning.md, Triggers."""

import pytest

from interpreter.errors import RuleError

NO = """
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
"""

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all, faces: [dark, bright]}
zones:
  heap: {holds: Card}
  pile: {holds: Card, order: stack}
  deck: {holds: Card, order: stack, refilled_from: pile}
  line: {holds: Card, order: row}
  hand: {holds: Card, per: player}
"""

LOG = "trace = trace * 10 + "


def triggered(run, triggers, effects, variables="", more="", **rest):
    lines = "".join(f"  {line}\n" for line in triggers.strip("\n").splitlines())
    return run(effects, variables, more.rstrip("\n") + "\ntriggers:\n" + lines, **rest)


def test_triggers_1_before_then_the_event_then_after(run):
    t = triggered(
        run,
        f"""
early: {{before: change n, do: {LOG}n}}
late: {{after: change n, do: {LOG}n}}
""",
        "n = 5\ntrace = trace * 10 + 9",
        "n: {type: 0..9, start: 1}",
    )
    assert 159 == t.var("trace")


def test_triggers_2_setting_the_same_value_is_no_change(run):
    triggers = f"late: {{after: change n, do: {LOG}n}}"
    assert 5 == triggered(run, triggers, "n = 1\nn = 5\nn = 5\nn += 0", "n: {type: 0..9, start: 1}").var("trace")


def test_triggers_2_a_counter_that_stops_at_its_end_changes_only_if_its_value_does(run):
    triggers = f"late: {{after: change n, do: {LOG}n}}"
    effects = "raise n by up to 5\nraise n by up to 5\nlower n by up to 2"
    assert 97 == triggered(run, triggers, effects, "n: {type: 0..9, start: 6}").var("trace")


@pytest.mark.parametrize("time", ["before", "instead_of"])
def test_triggers_2_so_it_is_for_triggers_before_and_instead(run, time):
    triggers = f"t: {{{time}: change n, do: {LOG}n}}"
    effects = "raise n by up to 5\nraise n by up to 5"
    expected = {"before": (6, 9), "instead_of": (66, 6)}[time]
    t = triggered(run, triggers, effects, "n: {type: 0..9, start: 6}")
    assert expected == (t.var("trace"), t.var("n"))


def test_triggers_3_moving_nothing_is_no_event(run):
    triggers = f"late: {{after: move Card c to heap, do: {LOG}c.n}}"
    assert 4 == triggered(run, triggers, "move top(pile) to heap\nmove Card(4) to heap", more=CARDS).var("trace")


def test_triggers_3_a_move_to_where_it_lies_is_a_move(run):
    triggers = f"late: {{after: move Card c to heap, do: {LOG}c.n}}"
    assert 44 == triggered(run, triggers, "move Card(4) to heap\nmove Card(4) to heap", more=CARDS).var("trace")


def test_triggers_4_each_of_several_moves_is_an_event_of_its_own(run):
    triggers = f"late: {{after: move Card c to line, do: {LOG}count(line)}}"
    effects = "for c in Card where c.n <= 3:\n  move c to heap\nmove all heap to line"
    assert 123 == triggered(run, triggers, effects, more=CARDS).var("trace")
    effects = "for c in Card where c.n <= 3:\n  move c to deck\ndraw 2 from deck to line"
    assert 12 == triggered(run, triggers, effects, more=CARDS).var("trace")


def test_triggers_5_they_run_at_once_and_depth_first(run):
    triggers = f"""
first: {{after: change n, do: "m = n"}}
second: {{after: change n, do: {LOG}1}}
third: {{after: change m, do: {LOG}2}}
"""
    effects = "n = 1\ntrace = trace * 10 + 9"
    assert 219 == triggered(run, triggers, effects, "n: {type: 0..9}\nm: {type: 0..9}").var("trace")


def test_triggers_6_they_run_in_the_order_written_and_place_changes_it(run):
    triggers = f"""
one: {{after: change n, do: {LOG}1}}
two: {{after: change n, do: {LOG}2}}
three: {{after: change n, do: {LOG}3, place: before two}}
"""
    assert 132 == triggered(run, triggers, "n = 1", "n: {type: 0..9}").var("trace")


def test_triggers_7_when_is_tested_when_the_turn_of_the_trigger_comes(run):
    triggers = f"""
one: {{after: change n, when: n == 1, do: "n = 2"}}
two: {{after: change n, when: n == 1, do: {LOG}1}}
three: {{after: change n, when: n == 2, do: {LOG}3}}
"""
    assert 33 == triggered(run, triggers, "n = 1", "n: {type: 0..9}").var("trace")


def test_triggers_8_names_in_the_pattern_are_bound(run):
    triggers = f'late: {{after: "move Card c to hand[player p]", do: {LOG}c.n * 0 + no(p) + c.n}}'
    effects = "move Card(3) to hand[next(first_player)]\nmove Card(4) to hand[first_player]"
    assert 55 == triggered(run, triggers, effects, more=NO + CARDS).var("trace")


def test_triggers_8_the_index_of_a_changed_variable_is_bound(run):
    triggers = f"""
late:
  after: change coins[player p, side s]
  do: {LOG}no(p) * s.number + coins[p, s]
"""
    more = NO + "types:\n  side: [heads, tails]\n"
    effects = "coins[next(first_player), tails] = 3\ncoins[first_player, heads] += 2"
    variables = "coins: {per: [player, side], type: 0..9}"
    assert 73 == triggered(run, triggers, effects, variables, more).var("trace")


@pytest.mark.parametrize(
    ("effect", "expected"),
    [
        ("raise coins[p] by 2", "24"),
        ("lower coins[p] by up to 5", "20"),
        ("swap coins[p] and n", "27"),
        ("move 1 of coins[p] to n", "21"),
        ("move all of coins[p] to n", "20"),
        ("move 2 of n to coins[p]", "24"),
    ],
)
def test_triggers_9_every_way_to_change_a_variable_is_a_change(run, effect, expected):
    triggers = "late:\n  after: change coins[player q]\n  do: trace = trace * 100 + no(q) * 10 + coins[q]"
    variables = "coins: {per: player, type: 0..9, start: 2}\nn: {type: 0..9, start: 7}"
    t = triggered(run, triggers, "let p = next(first_player)\n" + effect, variables, NO)
    assert expected == str(t.var("trace"))


def test_triggers_9_both_counters_of_a_move_of_tokens_are_changes_the_source_first(run):
    triggers = f"""
less: {{after: change a, do: {LOG}a + b}}
more: {{after: change b, do: {LOG}a}}
"""
    assert 42 == triggered(
        run, triggers, "move 1 of a to b", "a: {type: 0..9, start: 3}\nb: {type: 0..9, start: 2}"
    ).var("trace")


def test_triggers_10_on_calls_with_arguments(run):
    more = "procedures:\n  hit(player p, 0..9 amount): n += amount\n" + NO
    triggers = f'late: {{after: "call hit(q, much)", do: {LOG}no(q) + much}}'
    t = triggered(run, triggers, "hit(next(first_player), 4)", "n: {type: 0..9}", more)
    assert (6, 4) == (t.var("trace"), t.var("n"))


def test_triggers_10_on_a_call_whose_result_is_used(run):
    more = "procedures:\n  hit(0..9 amount) -> 0..9: |\n    n += amount\n    return n\n"
    triggers = f'late: {{after: "call hit(much)", do: {LOG}much}}'
    t = triggered(run, triggers, "let x = hit(3)\ntrace = trace * 10 + x", "n: {type: 0..9, start: 1}", more)
    assert 34 == t.var("trace")


ACT = """
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
variables:
  trace: {type: 0..}
  n: {type: 0..9}
actions:
  one:
    with: i in 1..2
    do: trace = trace * 10 + i
  two: {do: n += 1}
triggers:
%s
phases:
  main: {turns: {rounds: 1}, actions: [one, two]}
"""


def acting(play, triggers):
    return play(ACT % "".join(f"  {line}\n" for line in triggers.strip("\n").splitlines()))


def test_triggers_11_on_actions_know_the_seat_that_acts_as_me(play):
    t = acting(play, f"late: {{after: action one, do: {LOG}no(me) + 4}}")
    t.do("one(i=2)", "one(i=1)")
    assert 2516 == t.var("trace")


def test_triggers_11_on_several_actions(play):
    t = acting(play, f'late: {{after: "action one, two", do: {LOG}no(me) + 4}}')
    t.do("one(i=2)", "two")
    assert 256 == t.var("trace")


def test_triggers_11_instead_of_an_action(play):
    t = acting(play, "other:\n  instead_of: action one\n  when: no(me) == 1\n  do: |\n    trace = 7\n    usual")
    t.do("one(i=2)", "one(i=1)")
    assert 721 == t.var("trace")


def test_triggers_11_on_pass(play):
    text = (ACT % f"  late: {{after: action pass, do: {LOG}no(me) + 4}}\n").replace("[one, two]", "[one, two, pass]")
    t = play(text).do("pass", "one(i=1)")
    assert 51 == t.var("trace")


def test_triggers_12_on_setup_and_phases(play):
    text = f"""
    variables: {{trace: {{type: 0..}}}}
    setup: {LOG}2
    triggers:
      a: {{before: setup, do: {LOG}1}}
      b: {{after: setup, do: {LOG}3}}
      c: {{before: "phase x, y", do: {LOG}4}}
      d: {{after: phase x, do: {LOG}6}}
    phases:
      x: {{do: {LOG}5}}
      y: {{do: {LOG}7}}
    """
    assert 12345647 == play(text).var("trace")


def test_triggers_12_on_a_phase_that_repeats_they_see_every_pass(play):
    text = f"""
    variables:
      trace: {{type: 0..}}
      n: {{type: 0..9}}
    triggers:
      a: {{before: phase x, do: {LOG}8}}
      b: {{after: phase x, do: {LOG}9}}
    phases:
      x: {{repeat: n in 1..2, do: {LOG}n}}
    """
    assert 819829 == play(text).var("trace")


def test_triggers_13_instead_of_replaces_the_event_and_usual_does_it(run):
    triggers = """
other:
  instead_of: change n
  do: |
    trace = trace * 10 + n
    usual
    trace = trace * 10 + n
"""
    assert 15 == triggered(run, triggers, "n = 5", "n: {type: 0..9, start: 1}").var("trace")
    t = triggered(run, triggers.replace("    usual\n", ""), "n = 5", "n: {type: 0..9, start: 1}")
    assert (11, 1) == (t.var("trace"), t.var("n"))


def test_triggers_13_where_its_condition_fails_the_event_happens(run):
    triggers = "other: {instead_of: change n, when: n == 2, do: trace = 7}"
    t = triggered(run, triggers, "n = 5", "n: {type: 0..9, start: 1}")
    assert (0, 5) == (t.var("trace"), t.var("n"))


def test_triggers_13_usual_keeps_the_arguments_of_a_move(run):
    triggers = """
other:
  instead_of: "move Card c to hand[player p]"
  do: |
    trace = trace * 10 + c.n
    usual
"""
    t = triggered(run, triggers, "move Card(3) to hand[next(first_player)]\nmove Card(4) to heap", more=CARDS)
    assert 3 == t.var("trace")
    assert ([], ["3"]) == (t.zone("hand", 0), [x[-1] for x in t.zone("hand", 1)])


def test_triggers_13_usual_keeps_where_a_card_is_put(run):
    triggers = """
other:
  instead_of: move Card c to line
  do: |
    usual
    trace = trace * 10 + c.n
"""
    effects = "move Card(3) to line\nmove Card(4) to line at left\nmove Card(5) to line after Card(4)"
    t = triggered(run, triggers, effects, more=CARDS)
    assert (345, "453") == (t.var("trace"), "".join(x[-1] for x in t.zone("line")))


def test_triggers_13_usual_gives_the_result_of_a_procedure(run):
    more = "procedures:\n  hit(0..9 amount) -> 0..9: |\n    n += amount\n    return n\n"
    triggers = """
other:
  instead_of: "call hit(much)"
  do: |
    usual
    trace = trace * 10 + 8
"""
    t = triggered(run, triggers, "let x = hit(3)\ntrace = trace * 10 + x", "n: {type: 0..9, start: 1}", more)
    assert 84 == t.var("trace")


def test_triggers_14_the_last_instead_of_wraps_the_others(run):
    triggers = """
inner:
  instead_of: change n
  do: |
    trace = trace * 10 + 1
    usual
outer:
  instead_of: change n
  do: |
    trace = trace * 10 + 2
    usual
    trace = trace * 10 + 3
"""
    t = triggered(run, triggers, "n = 5", "n: {type: 0..9}")
    assert (213, 5) == (t.var("trace"), t.var("n"))


def test_triggers_14_before_and_after_stand_around_the_instead_of(run):
    triggers = f"""
early: {{before: change n, do: {LOG}1}}
late: {{after: change n, do: {LOG}3}}
other: {{instead_of: change n, do: {LOG}2}}
"""
    t = triggered(run, triggers, "n = 5", "n: {type: 0..9}")
    assert (123, 0) == (t.var("trace"), t.var("n"))


def test_triggers_15_return_leaves_only_the_trigger(run):
    triggers = f"""
one:
  after: change n
  do: |
    if n == 1:
      return
    trace = 0
two: {{after: change n, do: {LOG}2}}
"""
    assert 29 == triggered(run, triggers, f"n = 1\n{LOG}9", "n: {type: 0..9}").var("trace")


def test_triggers_15_return_leaves_only_the_trigger_where_it_asks_too(run):
    triggers = f"""
one:
  after: change n
  do: |
    choose i in 1..2 by first_player:
      if i == 1:
        return
    trace = 7
two: {{after: change n, do: {LOG}2}}
"""
    effects = f"n = 1\n{LOG}9"
    assert 29 == triggered(run, triggers, effects, "n: {type: 0..9}").pick("1").var("trace")
    assert 729 == triggered(run, triggers, effects, "n: {type: 0..9}").pick("2").var("trace")


def test_triggers_16_a_trigger_may_ask_in_the_middle_of_anything(run):
    triggers = """
late:
  after: move Card c to line
  do: |
    choose i in 1..c.n by first_player:
      trace = trace * 10 + i
"""
    effects = "for c in Card where c.n <= 2:\n  move c to heap\nmove all heap to line\ntrace = trace * 10 + 9"
    t = triggered(run, triggers, effects, more=CARDS)
    assert ["1"] == t.values
    t.pick("1")
    assert ["1", "2"] == t.values
    assert 129 == t.pick("2").var("trace")


def test_triggers_16_a_draw_with_refill_and_a_trigger_on_the_target_that_asks(run):
    triggers = """
late:
  after: move Card c to line
  do: |
    choose i in [c.n] by first_player:
      trace = trace * 10 + 1
"""
    effects = "for c in Card where c.n <= 2:\n  move c to pile\ndraw 3 from deck to line\ntrace = trace * 10 + 9"
    t = triggered(run, triggers, effects, more=CARDS)
    t.do(t.options[0])
    t.do(t.options[0])
    assert t.over
    assert 119 == t.var("trace")
    assert 2 == len(t.zone("line"))


def test_triggers_16_the_refill_is_moves_of_its_own(run):
    triggers = f"into: {{after: move Card c to deck, do: {LOG}1}}\nout: {{after: move Card c to line, do: {LOG}2}}"
    effects = "for c in Card where c.n <= 2:\n  move c to pile\ndraw 1 from deck to line"
    assert 112 == triggered(run, triggers, effects, more=CARDS).var("trace")


def test_triggers_17_turning_over(run):
    triggers = f"late: {{after: turn Card c over, do: {LOG}c.n}}"
    effects = "turn Card(3) over\nturn Card(4) to bright\nturn Card(4) to bright\nturn Card(4) to dark"
    assert 344 == triggered(run, triggers, effects, more=CARDS).var("trace")


def test_triggers_18_a_trigger_may_set_itself_off(run):
    triggers = f'again: {{after: change n, when: n > 0, do: "n -= 1"}}\nlate: {{after: change n, do: {LOG}n + 1}}'
    assert 1111 == triggered(run, triggers, "n = 3", "n: {type: 0..9}").var("trace")


def test_triggers_18_without_end_is_a_fault_that_names_the_lines(run):
    triggers = "again: {after: change n, when: n >= 0, do: n = 1 - n}"
    with pytest.raises(RuleError) as caught:
        triggered(run, triggers, "n = 1", "n: {type: 0..9}")
    assert "without end" in str(caught.value) or "did not come to an end" in str(caught.value)
    assert caught.value.spans


def test_triggers_19_reset_by_lasts_is_no_change(play):
    text = f"""
    variables:
      trace: {{type: 0..}}
      n: {{type: 0..9, lasts: x}}
      i: {{type: 0..9}}
    triggers:
      a: {{after: change n, do: {LOG}n}}
    phases:
      x: {{repeat: i in 1..2, do: n += 3}}
    """
    assert 33 == play(text).var("trace")


def test_triggers_20_repeat_sets_its_variable_by_changes(play):
    text = f"""
    variables:
      trace: {{type: 0..}}
      n: {{type: 0..9}}
    triggers:
      a: {{after: change n, do: {LOG}n}}
    phases:
      x: {{repeat: n in 1..3, do: nothing}}
    """
    assert 123 == play(text).var("trace")
