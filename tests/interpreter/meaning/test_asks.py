"""docs/reference/meaning.md, Asks and windows, Pay, Any time."""

import re

import pytest

BASE = """
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
variables:
  trace: {type: 0..}
  coins: {per: player, type: 0..9, start: 2}
  n: {type: 0..9}
  left: {per: player, type: 0..9, start: 1}
"""

ACTIONS = """
actions:
  one: {do: trace = trace * 10 + 1}
  pick:
    with: i in 1..3, j in 1..2 where i != j
    do: trace = trace * 100 + i * 10 + j
  never: {when: n == 9, do: nothing}
  buy:
    pay: 2 coins[me]
    do: trace = trace * 10 + coins[me]
  use:
    when: left[me] > 0
    do: |
      left[me] -= 1
      trace = trace * 10 + no(me)
"""


def asking(play, effects, more="", **rest):
    """Plays these effects; of the actions above those that are named in them exist."""
    lines = "".join(f"      {line}\n" for line in effects.splitlines())
    actions = "".join(f"  {action}\n" for action in blocks() if re.search(rf"\b{action.split(':')[0]}\b", effects))
    return play(BASE + "actions:\n" + actions + more + "phases:\n  main:\n    do: |\n" + lines, **rest)


def blocks():
    """The actions, each as its text."""
    found = []
    for line in ACTIONS.strip("\n").splitlines()[1:]:
        if line.startswith("   "):
            found[-1] += "\n" + line
        else:
            found.append(line[2:])
    return found


def test_asks_1_the_options_are_those_of_the_actions_in_the_order_written(play):
    t = asking(play, "ask first_player: pick, one")
    picks = ["pick(i=1, j=2)", "pick(i=2, j=1)", "pick(i=3, j=1)", "pick(i=3, j=2)"]
    assert [*picks, "one"] == t.options
    assert 31 == t.do("pick(i=3, j=1)").var("trace")
    assert t.over


def test_asks_2_an_ask_with_nothing_legal_is_skipped(play):
    assert asking(play, "ask first_player: never\nn = 1").over


def test_asks_2_an_ask_with_only_pass_left_is_a_decision(play):
    t = asking(play, "ask first_player: never, pass\nn = 1")
    assert ["pass"] == t.options
    assert t.do("pass").over


def test_asks_3_pass_does_nothing_and_goes_on(play):
    t = asking(play, "ask first_player: one, pass\nn = 1")
    assert ["one", "pass"] == t.options
    t.do("pass")
    assert (0, 1) == (t.var("trace"), t.var("n"))


def test_asks_4_repeatedly_goes_on_until_pass(play):
    t = asking(play, "ask first_player repeatedly: one, pass").do("one", "one", "pass")
    assert t.over
    assert 11 == t.var("trace")


def test_asks_4_repeatedly_without_pass_goes_on_as_long_as_something_is_legal(play):
    t = asking(play, "left[first_player] = 2\nask first_player repeatedly: use\nn = 1").do("use", "use")
    assert t.over
    assert 11 == t.var("trace")


def test_asks_5_a_fixed_argument_leaves_the_others_to_choose(play):
    t = asking(play, "ask first_player: pick(i=2), pick(i=3, j=1)")
    assert ["pick(i=2, j=1)", "pick(i=3, j=1)"] == t.options


def test_asks_5_a_fixed_argument_that_does_not_fit_offers_nothing(play):
    t = asking(play, "let a = n + 1\nask first_player: pick(i=a, j=1), one")
    assert ["one"] == t.options


def test_asks_6_me_is_the_seat_asked_and_turn_player_stays(play):
    text = """
    variables:
      asked: {type: optional player}
      turned: {type: optional player}
    actions:
      act:
        do: "ask next(me): answer"
      answer:
        do: |
          asked = me
          turned = turn_player
    phases:
      main: {turns: {times: 1}, actions: [act]}
    """
    t = play(text).do("act")
    assert 1 == t.seat
    t.do("answer")
    assert ("player_2", "player_1") == (t.var("asked"), t.var("turned"))


def test_asks_7_a_declared_pass_does_what_it_says(play):
    more = "  pass: {do: n = 5}\n"
    t = asking(play, "ask first_player: one, pass", more)
    assert ["one", "pass"] == t.options
    assert 5 == t.do("pass").var("n")
    assert t.over


def test_asks_7_a_pass_without_effects_is_offered_as_its_condition_says(play):
    t = asking(play, "ask first_player repeatedly: one, pass", "  pass: {when: trace == 11}\n")
    assert ["one"] == t.options
    assert ["one", "pass"] == t.do("one").do("one").options
    assert (11, True) == (t.do("pass").var("trace"), t.over)


def test_asks_7_a_declared_pass_ends_a_repeated_ask_and_counts_in_a_window(play):
    more = "  pass: {do: n += 1}\n"
    t = asking(play, "ask first_player repeatedly: one, pass", more).do("one", "pass")
    assert t.over
    t = asking(play, "window players: one", more).do("one", "pass", "pass")
    assert t.over
    assert 2 == t.var("n")


def test_asks_7_a_declared_pass_that_is_not_allowed_is_not_offered_but_in_a_window(play):
    more = "  pass: {when: n == 1, do: n = 2}\n"
    assert ["one"] == asking(play, "ask first_player: one, pass", more).options
    t = asking(play, "window players: one", more)
    assert ["one", "pass"] == t.options
    assert 0 == t.do("pass").var("n")


TURNS = """
variables: {trace: {type: 0..}}
actions:
  one: {do: trace = trace * 10 + 1}
%s
phases:
  main:
    turns: {rounds: 1%s}
    actions: [one, pass]
    after_turn: trace = trace * 10 + 9
"""


@pytest.mark.parametrize("declared", ["", "  pass: {do: trace = trace * 10 + 5}"])
def test_asks_8_pass_in_a_turn_ends_it(play, declared):
    five = "5" if declared else ""
    t = play(TURNS % (declared, ""))
    assert ["one", "pass"] == t.options
    t.do("pass", "one")
    assert t.over
    assert int(f"{five}919") == t.var("trace")
    t = play(TURNS % (declared, ", turn_until: trace > 99999999"))
    t.do("one", "one", "pass", "one", "pass")
    assert t.over
    assert int(f"11{five}91{five}9") == t.var("trace")


# ---------------------------------------------------------------- windows


def test_windows_1_everyone_is_asked_in_order_but_who_can_only_pass_as_all_see(play):
    t = asking(play, "left[next(first_player)] = 0\nwindow players: use", players=3)
    assert (0, ["use", "pass"]) == (t.seat, t.options)
    t.do("pass")
    assert (2, ["use", "pass"]) == (t.seat, t.options)
    assert t.do("pass").over


def test_windows_1_who_can_only_pass_is_asked_where_that_is_hidden(play):
    text = BASE.replace(
        "left: {per: player, type: 0..9, start: 1}", "left: {per: player, type: 0..9, start: 1, seen_by: owner}"
    )
    actions = "actions:\n" + "".join(f"  {action}\n" for action in blocks() if action.startswith("use"))
    effects = "      left[next(first_player)] = 0\n      window players: use\n"
    t = play(text + actions + "phases:\n  main:\n    do: |\n" + effects, players=3).do("pass")
    assert (1, ["pass"]) == (t.seat, t.options)
    t.do("pass")
    assert (2, ["use", "pass"]) == (t.seat, t.options)
    assert t.do("pass").over


def test_windows_2_it_ends_when_all_have_passed_in_a_row(play):
    t = asking(play, "left[next(first_player)] = 2\nwindow players: use", players=3)
    t.do("pass", "use", "pass", "pass")
    assert (1, ["use", "pass"]) == (t.seat, t.options)
    t.do("pass")
    assert t.over
    assert 2 == t.var("trace")


def test_windows_3_who_has_acted_is_asked_again_in_turn(play):
    t = asking(play, "left[first_player] = 2\nwindow players: use").do("use")
    assert 1 == t.seat
    t.do("use")
    assert 0 == t.seat
    t.do("use")
    assert t.over
    assert 121 == t.var("trace")


def test_windows_4_only_the_seats_given_take_part(play):
    t = asking(play, "window players from next(first_player): use", players=3)
    assert 1 == t.seat
    t = asking(play, "window others(first_player): use", players=3).do("pass", "pass")
    assert t.over


def test_windows_5_inside_the_effects_of_an_action_and_of_a_trigger(play):
    text = (
        BASE
        + """
actions:
  act:
    do: |
      trace = trace * 10 + 8
      n = 1
      trace = trace * 10 + 9
  use:
    when: left[me] > 0
    do: |
      left[me] -= 1
      trace = trace * 10 + no(me)
triggers:
  react: {after: change n, do: "window players: use"}
phases:
  main: {turns: {times: 1}, actions: [act]}
"""
    )
    t = play(text).do("act", "use", "pass")
    assert t.over
    assert 819 == t.var("trace")


# ---------------------------------------------------------------- pay


def test_pay_1_an_action_that_cannot_be_paid_is_not_offered(play):
    assert ["buy"] == asking(play, "ask first_player: buy").options
    assert asking(play, "coins[first_player] = 1\nask first_player: buy").over


def test_pay_2_the_cost_is_taken_before_do(play):
    t = asking(play, "coins[first_player] = 5\nask first_player: buy").do("buy")
    assert 3 == t.var("trace")
    assert [3, 2] == t.var("coins")


def test_pay_3_several_costs_must_all_be_there_and_are_taken_in_order(play):
    text = """
    variables:
      gold: {per: player, type: 0..9, start: 3}
      wood: {type: 0..9, start: 1}
      trace: {type: 0..}
    triggers:
      gold_spent: {after: "change gold[player p]", do: trace = trace * 10 + 1}
      wood_spent: {after: change wood, do: trace = trace * 10 + 2}
    actions:
      build:
        pay: 2 gold[me], 1 wood
        do: trace = trace * 10 + 3
    phases:
      main: {turns: {rounds: 1}, actions: [build, pass]}
    """
    t = play(text)
    assert ["build", "pass"] == t.options
    t.do("build")
    assert (123, [1, 3], 0) == (t.var("trace"), t.var("gold"), t.var("wood"))
    assert ["pass"] == t.options


def test_pay_4_the_same_counter_twice_must_hold_the_sum(play):
    text = """
    variables:
      gold: {type: 0..9, start: 3}
    actions:
      build:
        pay: 2 gold, 2 gold
        do: nothing
    phases:
      main: {turns: {rounds: 1}, actions: [build, pass]}
    """
    assert ["pass"] == play(text).options


def test_pay_5_a_cost_that_a_trigger_has_taken_away_before_is_a_fault(play):
    text = """
    variables: {gold: {type: 0..9, start: 3}}
    actions:
      build: {pay: 2 gold, do: nothing}
    triggers:
      thief: {before: action build, do: gold -= 2}
    phases:
      main: {turns: {rounds: 1}, actions: [build]}
    """
    assert "`gold` would be -1" in play(text).fault("build").message


# ---------------------------------------------------------------- any time

SHARED = """
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
variables:
  trace: {type: 0..}
  left: {per: player, type: 0..9, start: 1%s}
actions:
  step: {do: trace = trace * 10 + 7}
  use:
    when: left[me] > 0
    do: |
      left[me] -= 1
      trace = trace * 10 + no(me)
phases:
  main: {turns: {rounds: 1}, actions: [step], any_time: [use]}
"""


def test_any_time_1_it_does_not_use_up_the_turn(play):
    t = play(SHARED % "").do("pass")
    assert (0, ["step", "use"]) == (t.seat, t.options)
    t.do("use")
    assert (0, ["step"]) == (t.seat, t.options)
    assert 17 == t.do("step").var("trace")


def test_any_time_2_the_other_seats_are_asked_first_in_turn_order_until_all_pass(play):
    t = play(SHARED % "", players=3)
    assert (1, ["use", "pass"]) == (t.seat, t.options)
    t.do("pass")
    assert (2, ["use", "pass"]) == (t.seat, t.options)
    t.do("use")
    assert (1, ["use", "pass"]) == (t.seat, t.options)
    t.do("pass")
    assert (0, ["step", "use"]) == (t.seat, t.options)


def test_any_time_3_a_seat_that_everybody_knows_can_do_nothing_is_not_asked(play):
    text = (SHARED % "").replace("phases:", "setup: left[next(first_player)] = 0\nphases:")
    t = play(text, players=3)
    assert 2 == t.seat


def test_any_time_3_a_seat_whose_possibilities_are_secret_is_asked_all_the_same(play):
    text = (SHARED % ", seen_by: owner").replace("phases:", "setup: left[next(first_player)] = 0\nphases:")
    t = play(text, players=3)
    assert (1, ["pass"]) == (t.seat, t.options)


def test_any_time_4_open_lets_other_seats_act_while_the_decision_stands(play):
    t = play(SHARED % "", players=3, any_time="open")
    assert (0, ["step", "use"]) == (t.seat, t.options)
    assert [0, 1, 2] == t.state.deciding_seats()
    assert ["use"] == t.options_of(2)
    t.do("use", seat=2)
    assert (0, [0, 1], ["step", "use"]) == (t.seat, t.state.deciding_seats(), t.options)
    t.do("use", "step")
    assert (317, 1, [1]) == (t.var("trace"), t.seat, t.state.deciding_seats())


def test_any_time_4_open_and_asked_lead_to_the_same_positions(play):
    a = play(SHARED % "", any_time="open").do("use", seat=1).do("step", "step")
    b = play(SHARED % "").do("use", "step", "pass", "step")
    assert a.over
    assert b.over
    assert a.var("trace") == b.var("trace") == 277


def test_any_time_4_a_clone_and_a_fault_keep_the_service_open(play):
    t = play(SHARED % "", any_time="open")
    assert [0, 1] == t.state.clone().deciding_seats()


def test_any_time_5_only_the_two_ways_exist(play):
    with pytest.raises(ValueError, match="any_time"):
        play(SHARED % "", any_time="never")
