"""docs/reference/meaning.md, Turns and phases, Ends."""

import re

import pytest

from interpreter.errors import RuleError

NO = """
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
variables:
  trace: {type: 0..}
  n: {type: 0..99}
  out: {per: player, type: bool}
"""

ACTIONS = {
    "step": "trace = trace * 10 + no(me)",
    "leave": "out[me] = true",
    "stop": "n = 9",
    "finish": "end main",
    "quit": "end game",
}


def traced(play, phases, actions="", triggers="", **rest):
    """Plays these phases; of the actions above those that are named in them exist."""
    wanted = [f"  {name}: {{do: '{do}'}}\n" for name, do in ACTIONS.items() if re.search(rf"\b{name}\b", phases)]
    text = NO + ("actions:\n" if wanted or actions else "") + "".join(wanted) + actions + triggers
    return play(text + "\nphases:\n" + phases, **rest)


def all_steps(t, limit=30):
    while not t.over and limit:
        t.do("step")
        limit -= 1
    return t.var("trace")


def test_phases_1_setup_comes_first_then_the_phases_in_order(play):
    t = play(
        """
        variables:
          trace: {type: 0..}
        setup: trace = 1
        phases:
          one: {do: "trace = trace * 10 + 2"}
          two:
            phases:
              inner: {do: "trace = trace * 10 + 3"}
              other: {do: "trace = trace * 10 + 4"}
          three: {do: "trace = trace * 10 + 5"}
        """
    )
    assert t.over
    assert 12345 == t.var("trace")


def test_phases_2_turns_go_clockwise_from_the_first_player_until_the_phase_ends(play):
    t = traced(
        play,
        """
  main:
    turns: {}
    after_turn: |
      if trace > 99999:
        end main
    actions: [step]
""",
        players=3,
    )
    assert 123123 == all_steps(t)


def test_phases_3_from_says_who_begins_and_order_which_way(play):
    phases = "  main: {turns: {from: 'next(first_player)', order: counterclockwise, times: 4}, actions: [step]}"
    assert 2132 == all_steps(traced(play, phases, players=3))


def test_phases_4_times_is_the_number_of_turns_in_all(play):
    phases = "  main: {turns: {times: 5}, actions: [step]}"
    assert 12312 == all_steps(traced(play, phases, players=3))


def test_phases_4_rounds_is_the_number_of_turns_of_each_seat(play):
    phases = "  main: {turns: {rounds: 2}, actions: [step]}"
    assert 123123 == all_steps(traced(play, phases, players=3))


def test_phases_4_no_turns_at_all_for_times_0(play):
    phases = "  main: {turns: {times: n}, actions: [step]}"
    assert 0 == all_steps(traced(play, phases))


AMONG = """
  main:
    turns:
      among: those(p in players where not out[p])
      until: n == 50
    actions: [step, leave]
"""


def test_phases_5_among_is_worked_out_again_before_every_turn(play):
    t = traced(play, AMONG, players=3)
    t.do("step", "leave", "step", "step", "step")
    assert 1313 == t.var("trace")
    t.do("leave", "step", "leave")
    assert t.over
    assert 13133 == t.var("trace")


def test_phases_5_with_among_the_turns_begin_with_the_first_of_them_from_from_on(play):
    phases = """
  before: {do: "out[first_player] = true"}
  main:
    turns:
      among: those(p in players where not out[p])
      times: 3
    actions: [step]
"""
    assert 232 == all_steps(traced(play, phases, players=3))


def test_phases_6_until_is_tested_after_each_turn_and_not_before_the_first(play):
    phases = "  main: {turns: {until: trace != 4}, actions: [step, stop]}"
    assert 1 == all_steps(traced(play, phases))


def test_phases_7_a_turn_is_one_decision(play):
    t = traced(play, "  main: {turns: {times: 2}, actions: [step, stop]}")
    assert ["step", "stop"] == t.options
    t.do("step", "step")
    assert t.over


def test_phases_7_turn_until_lets_a_turn_go_on_and_is_tested_before_each_decision(play):
    phases = "  main: {turns: {rounds: 1, turn_until: n == 9}, before_turn: 'n = 0', actions: [step, stop]}"
    t = traced(play, phases)
    t.do("step", "step", "stop", "step", "stop")
    assert t.over
    assert 112 == t.var("trace")


def test_phases_7_a_turn_whose_turn_until_holds_at_its_start_has_no_decision(play):
    phases = "  main: {turns: {rounds: 1, turn_until: me == first_player or n == 9}, actions: [step, stop]}"
    t = traced(play, phases)
    assert 1 == t.seat


def test_phases_8_before_turn_and_after_turn_stand_around_the_decisions(play):
    phases = """
  main:
    turns: {rounds: 1}
    before_turn: trace = trace * 10 + 8
    after_turn: |
      trace = trace * 10 + no(me)
      trace = trace * 10 + 9
    actions: [step]
"""
    assert 81198229 == all_steps(traced(play, phases))


def test_phases_9_take_any_goes_on_until_done(play):
    t = traced(play, "  main: {turns: {rounds: 1}, actions: [step], take: any}")
    assert ["step", "done"] == t.options
    t.do("step", "step", "done", "done")
    assert t.over
    assert 11 == t.var("trace")


def test_phases_9_take_any_offers_done_alone_where_nothing_is_legal(play):
    more = "  wait: {when: n == 1, do: nothing}"
    t = traced(play, "  main: {turns: {rounds: 1}, actions: [wait], take: any}", more)
    assert ["done"] == t.options


def test_phases_10_if_stuck_is_done_where_nothing_is_legal_and_the_turn_is_over(play):
    more = "  wait: {when: n == 1, do: nothing}"
    phases = """
  main:
    turns: {rounds: 1}
    actions: [wait]
    if_stuck: trace = trace * 10 + no(me)
    after_turn: trace = trace * 10 + 7
"""
    t = traced(play, phases, more)
    assert t.over
    assert 1727 == t.var("trace")


def test_phases_10_a_turn_with_nothing_legal_and_no_if_stuck_is_a_fault(play):
    more = "  wait: {when: n == 0, do: n = 1}"
    t = traced(play, "  main: {turns: {rounds: 1}, actions: [wait]}", more)
    fault = t.fault("wait")
    assert "player_2 has no legal action in phase `main`" in str(fault)
    assert fault.spans


def test_phases_11_a_turn_of_phases_goes_through_them(play):
    phases = """
  main:
    turns: {rounds: 1}
    phases:
      think: {do: "trace = trace * 10 + 7"}
      act: {actions: [step]}
      rest: {actions: [step, stop]}
"""
    t = traced(play, phases)
    t.do("step", "stop", "step", "step")
    assert t.over
    assert 71722 == t.var("trace")


def test_phases_12_turn_player_is_none_outside_turns_and_goes_back_after_turns_inside_turns(play):
    phases = """
  main:
    turns: {times: 1}
    after_turn: trace = trace * 10 + (0 if turn_player == none else no(turn_player))
    phases:
      inner: {turns: {from: next(me), times: 2}, actions: [step]}
      outer: {do: "trace = trace * 10 + (0 if turn_player == none else no(turn_player))"}
  last: {do: "trace = trace * 10 + (0 if turn_player == none else no(turn_player))"}
"""
    t = traced(play, phases, players=3)
    t.do("step", "step")
    assert 23110 == t.var("trace")


def test_phases_12_turn_player_goes_back_too_where_turns_are_ended(play):
    phases = """
  main:
    turns: {times: 1}
    phases:
      inner: {turns: {from: next(me)}, actions: [step], after_turn: end inner}
      outer: {do: "trace = trace * 10 + (0 if turn_player == none else no(turn_player))"}
  next_one: {turns: {}, actions: [step], after_turn: end next_one}
  last: {do: "trace = trace * 10 + (0 if turn_player == none else no(turn_player))"}
"""
    t = traced(play, phases, players=3)
    t.do("step", "step")
    assert 2110 == t.var("trace")


def test_phases_13_repeat_goes_through_the_values_of_a_range(play):
    phases = "  main: {repeat: n in 2..4, do: 'trace = trace * 10 + n'}"
    t = traced(play, phases)
    assert (234, 4) == (t.var("trace"), t.var("n"))


def test_phases_13_repeat_until_is_tested_after_each_pass(play):
    phases = "  main: {repeat_until: trace > 0, do: 'trace = trace * 10 + 1'}"
    assert 1 == traced(play, phases).var("trace")
    phases = "  first: {do: 'trace = 5'}\n  main: {repeat_until: trace > 0, do: 'trace = trace * 10 + 1'}"
    assert 51 == traced(play, phases).var("trace")


def test_phases_14_skip_when_is_tested_once_before_the_phase(play):
    phases = """
  skipped: {skip_when: trace == 0, do: "trace = 7"}
  main: {skip_when: trace > 0, repeat: n in 1..3, do: "trace = trace * 10 + n"}
"""
    assert 123 == traced(play, phases).var("trace")


def test_phases_15_a_phase_without_decisions_runs_through(play):
    assert traced(play, "  main: {do: 'trace = 1'}").over


# ---------------------------------------------------------------- ends


def test_ends_1_end_phase_leaves_at_once_without_after_turn(play):
    phases = """
  main:
    turns: {}
    actions: [step, finish]
    after_turn: trace = trace * 10 + 9
  last: {do: "trace = trace * 10 + 8"}
"""
    assert 198 == traced(play, phases).do("step", "finish").var("trace")


def test_ends_1_end_phase_works_where_nothing_is_decided(play):
    phases = """
  main:
    do: |
      trace = 1
      if n == 0:
        end main
      trace = 2
  last: {do: "trace = trace * 10 + 8"}
"""
    assert 18 == traced(play, phases).var("trace")


def test_ends_2_end_phase_leaves_the_phases_inside_and_all_passes(play):
    phases = """
  outer:
    repeat: n in 1..5
    phases:
      middle:
        repeat_until: false
        do: |
          trace = trace * 10 + n
          if n == 2:
            end outer
          end middle
  last: {do: "trace = trace * 10 + 8"}
"""
    assert 128 == traced(play, phases).var("trace")


def test_ends_3_after_triggers_of_the_ended_phase_run_those_of_phases_inside_it_do_not(play):
    triggers = """
triggers:
  at_end_of_middle: {after: phase middle, do: trace = trace * 10 + 6}
  at_end_of_outer: {after: phase outer, do: trace = trace * 10 + 7}
"""
    phases = """
  outer:
    repeat: n in 1..3
    phases:
      middle:
        do: |
          trace = trace * 10 + n
          if n == 2:
            end outer
  last: {do: "trace = trace * 10 + 8"}
"""
    assert 167278 == traced(play, phases, triggers=triggers).var("trace")


def test_ends_3_the_same_in_a_phase_that_repeats_itself_with_decisions(play):
    triggers = """
triggers:
  before_main: {before: phase main, do: trace = trace * 10 + 5}
  after_main: {after: phase main, do: trace = trace * 10 + 7}
"""
    phases = "  main: {repeat_until: false, turns: {rounds: 1}, actions: [step, finish]}"
    t = traced(play, phases, triggers=triggers)
    t.do("step", "step", "step", "finish")
    assert t.over
    assert 5127517 == t.var("trace")


def test_ends_3_a_phase_ended_by_a_trigger_before_it_is_not_played(play):
    triggers = """
triggers:
  before_main: {before: phase main, when: n == 0, do: end main}
  after_main: {after: phase main, do: trace = 7}
"""
    phases = "  main: {do: trace = 1}\n  last: {do: trace = trace * 10 + 8}"
    assert 8 == traced(play, phases, triggers=triggers).var("trace")


def test_ends_4_after_triggers_of_an_action_that_ends_the_phase_do_not_run(play):
    triggers = "triggers:\n  after_stop: {after: action finish, do: trace = trace * 10 + 6}"
    t = traced(play, "  main: {turns: {}, actions: [step, finish]}", triggers=triggers)
    assert 1 == t.do("step", "finish").var("trace")


def test_ends_5_end_game_leaves_everything_and_the_result_is_read(play):
    triggers = "triggers:\n  after_main: {after: phase main, do: trace = trace * 10 + 6}"
    phases = """
  main: {turns: {times: 9}, actions: [step, quit]}
  last: {do: "trace = 8"}
result:
  rank_by: [highest no(p)]
"""
    t = traced(play, phases, triggers=triggers).do("step", "quit")
    assert t.over
    assert (1, [1], [-1, 1]) == (t.var("trace"), t.state.winners, t.state.returns)
    assert [] == t.options
    assert t.seat is None


OUTCOME = NO + "actions:\n  act: {do: '%s'}\nphases:\n  main: {turns: {}, actions: [act]}\n"


@pytest.mark.parametrize(
    ("effect", "winners", "returns"),
    [
        ('win me "first"', [0], [1, -1, -1]),
        ('lose me "first"', [1, 2], [-1, 1, 1]),
        ('draw "first"', [], [0, 0, 0]),
    ],
)
def test_ends_6_win_lose_and_draw_end_the_game_with_a_reason(play, effect, winners, returns):
    t = play(OUTCOME % effect, players=3).do("act")
    assert t.over
    assert (winners, returns, "first") == (t.state.winners, t.state.returns, t.state.outcome)


def test_ends_6_a_stated_outcome_goes_before_the_result(play):
    t = play(OUTCOME % "win me" + "result: {rank_by: [highest no(p)]}").do("act")
    assert [0] == t.state.winners


def test_ends_7_rank_by_compares_in_order_and_equals_share(play):
    text = """
    variables:
      a: {per: player, type: 0..9}
      b: {per: player, type: 0..9}
    phases:
      main:
        do: |
          a[first_player] = 2
          a[next(first_player)] = 2
          b[next(first_player)] = %s
    result:
      rank_by: [highest a, lowest b]
    """
    assert [0] == play(text % 1, players=3).state.winners
    t = play(text % 0, players=3)
    assert [0, 1] == t.state.winners
    assert [1, 1, -1] == t.state.returns


def test_ends_7_all_equal_is_0_for_all(play):
    t = play("variables: {a: {per: player, type: 0..9}}\nphases: {main: {do: nothing}}\nresult: {rank_by: [highest a]}")
    assert ([0, 1], [0, 0]) == (t.state.winners, t.state.returns)


def test_ends_8_payoff_goes_before_score_and_score_before_1_and_minus_1(play):
    text = """
    variables: {a: {per: player, type: 0..9}}
    phases: {main: {do: "a[first_player] = 3"}}
    result: {score: a, rank_by: [highest score]%s}
    """
    assert [3, 0] == play(text % "").state.returns
    assert [6, 0] == play(text % ", payoff: '2 * a[p]'").state.returns


def test_ends_9_the_game_ends_after_its_last_phase(play):
    t = traced(play, "  main: {turns: {times: 1}, actions: [step]}")
    assert not t.over
    t.do("step")
    assert t.over


def test_ends_9_nothing_can_be_done_after_the_end(play):
    t = traced(play, "  main: {turns: {times: 1}, actions: [step]}").do("step")
    with pytest.raises(ValueError, match="the game is over"):
        t.do("step")


def test_ends_10_return_leaves_only_the_body_it_stands_in(run):
    more = """
procedures:
  inner(): |
    for i in 1..3:
      trace = trace * 10 + i
      if i == 2:
        return
    trace = 0
"""
    assert 129 == run("inner()\ntrace = trace * 10 + 9", more=more).var("trace")


def test_phases_10_stuck_at_the_start_of_a_game_is_a_rule_error(play):
    with pytest.raises(RuleError, match="no legal action"):
        traced(play, "  main: {turns: {rounds: 1}, actions: [wait]}", "  wait: {when: n == 1, do: nothing}")
