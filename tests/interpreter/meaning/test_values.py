"""docs/reference/meaning.md, Variables and ranges, Lasts, None, Faults, Zones, Budgets."""

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from interpreter.errors import RuleError
from rulespec import SpecError

ROOT = Path(__file__).parents[3]

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  heap: {holds: Card}
  slot: {holds: one Card}
  pair: {holds: Card, max: 2, order: row}
  deck: {holds: Card, order: stack, refilled_from: discard}
  discard: {holds: Card, order: stack}
  hand: {holds: Card, per: player}
"""


def act(effects, variables="", more=""):
    """A game whose one action `go` has these effects, and which can be stopped by `stop`."""
    lines = "".join(f"      {line}\n" for line in effects.strip("\n").splitlines())
    extra = "".join(f"  {line}\n" for line in variables.strip("\n").splitlines())
    return f"""
{more}
variables:
  trace: {{type: 0..}}
{extra}
actions:
  go:
    do: |
{lines}
  stop: {{do: nothing}}
phases:
  main: {{turns: {{rounds: 2}}, actions: [go, stop]}}
"""


def fault_of(play, effects, variables="", more=""):
    """The message of what must fail, and the text of the line of the spec that it names."""
    text = act(effects, variables, more)
    t = play(text)
    fault = t.fault("go")
    assert fault.spans
    line = Path(fault.spans[0].path).read_text(encoding="utf-8").splitlines()[fault.spans[0].line - 1]
    t.do("stop")
    return fault.message, line.strip()


# ---------------------------------------------------------------- variables


@pytest.mark.parametrize(
    ("declared", "start"),
    [
        ("bool", False),
        ("0..9", 0),
        ("3..9", 3),
        ("-9..-2", -2),
        ("0..", 0),
        ("-3..3", 0),
        ("optional 1..3", None),
        ("Colour", "red"),
        ("player", "player_1"),
        ("optional player", None),
        ("set of Colour", "[]"),
        ("[blue]", "blue"),
    ],
)
def test_variables_1_without_start_it_is_false_none_the_first_or_the_number_nearest_to_0(run, declared, start):
    t = run("trace = 1", f'n: {{type: "{declared}"}}', "types:\n  Colour: [red, blue]")
    assert start == t.var("n")


def test_variables_2_start_is_the_value_of_every_entry(run):
    assert [4, 4] == run("trace = 1", "n: {per: player, type: 0..9, start: 2 + seats}").var("n")


@pytest.mark.parametrize(
    ("effect", "message"),
    [
        ("n = 9 + k", "`n` would be 11, outside its range 0..9"),
        ("n -= k", "`n` would be -2, outside its range 0..9"),
        ("raise n by 8 + k", "`n` would be 10, outside its range 0..9"),
        ("lower n by k", "`n` would be -2, outside its range 0..9"),
        ("m[first_player] += 8 + k", "`m[player_1]` would be 10, outside its range 0..9"),
        ("m[next(first_player)] += 8 + k", "`m[player_2]` would be 10, outside its range 0..9"),
    ],
)
def test_variables_3_out_of_range_is_a_fault_at_the_line_and_changes_nothing(play, effect, message):
    variables = "n: {type: 0..9}\nk: {type: 0..9, start: 2}\nm: {per: player, type: 0..9}"
    found, line = fault_of(play, f"trace = 7\n{effect}\ntrace = 8", variables)
    assert message in found
    assert effect == line


def test_variables_3_a_fault_after_decisions_goes_back_to_before_the_last_of_them(play):
    effects = "choose i in 1..9 by me:\n  n += i\n  choose j in 1..9 by me:\n    n += j"
    t = play(act(effects, "n: {type: 0..9}")).do("go").pick("5")
    fault = t.fault("choose(j=5)")
    assert "would be 10" in fault.message
    assert 9 == t.do("choose(j=4)").var("n")


def test_variables_4_up_to_stops_at_the_end_of_the_range(run):
    t = run("raise n by up to 20\nlower m by up to 20", "n: {type: 0..9, start: 4}\nm: {type: 2..9, start: 4}")
    assert (9, 2) == (t.var("n"), t.var("m"))


def test_variables_5_moving_tokens_keeps_the_total_and_needs_as_many(play):
    variables = "a: {type: 0..9, start: 3}\nb: {type: 0..4, start: 2}\nk: {type: -9..9, start: %s}"
    t = play(act("move k of a to b", variables % 2)).do("go")
    assert (1, 4) == (t.var("a"), t.var("b"))
    assert "`a` would be -1" in fault_of(play, "move k of a to b", variables % 4)[0]
    assert "`b` would be 5" in fault_of(play, "move k of a to b", variables % 3)[0]
    assert "-1 tokens" in fault_of(play, "move k of a to b", variables % -1)[0]


def test_variables_5_all_of_a_counter(run):
    t = run("move all of a to b", "a: {type: 0..9, start: 3}\nb: {type: 0..9, start: 2}")
    assert (0, 5) == (t.var("a"), t.var("b"))


def test_variables_6_swap_exchanges_two_values_and_both_must_fit(play):
    t = play(act("swap a and b", "a: {type: 0..9, start: 3}\nb: {type: 0..9, start: 2}")).do("go")
    assert (2, 3) == (t.var("a"), t.var("b"))
    assert "`b` would be 7" in fault_of(play, "swap a and b", "a: {type: 0..9, start: 7}\nb: {type: 0..5}")[0]


def test_variables_7_division_is_exact(run):
    t = run("n = 7 / 2\nm = 7 / 2 * 2\nk = floor(7 / 2)", "n: {type: 0..9 by 1/2}\nm: {type: 0..9}\nk: {type: 0..9}")
    assert (Fraction(7, 2), 7, 3) == (t.var("n"), t.var("m"), t.var("k"))


def test_variables_7_half_steps_are_kept_exactly(run):
    t = run("n += 1 / 2\nn += 1\nn += 1 / 2\nm = 2 * n", "n: {type: 0..9 by 1/2}\nm: {type: 0..99 by 1/2}")
    assert (2, 4) == (t.var("n"), t.var("m"))
    assert isinstance(t.var("n"), int)


@pytest.mark.parametrize("effect", ["n = 1 / k", "m = k / 2"])
def test_variables_7_what_may_lie_between_the_values_of_a_type_is_refused_by_check(run, effect):
    with pytest.raises(SpecError, match="may be a fraction"):
        run(effect, "n: {type: 0..9 by 1/2}\nm: {type: 0..9}\nk: {type: 1..9, start: 3}")


@pytest.mark.parametrize("effect", ["trace = floor(1 / n)", "trace = 1 mod n"])
def test_variables_8_division_by_zero_is_a_fault(play, effect):
    assert ("division by zero", effect) == fault_of(play, effect, "n: {type: 0..9}")


@pytest.mark.parametrize(("a", "b", "expected"), [(7, 3, 1), (-7, 3, 2), (7, -3, -2), (-7, -3, -1)])
def test_variables_8_mod_has_the_sign_of_the_right_side(run, a, b, expected):
    variables = f"a: {{type: -9..9, start: {a}}}\nb: {{type: -9..9, start: {b}}}\nn: {{type: -9..9}}"
    assert expected == run("n = a mod b", variables).var("n")


def test_variables_9_a_compound_change_works_on_the_value_at_its_time(run):
    assert 6 == run("n = 2\nn += n + 2", "n: {type: 0..9}").var("n")


def test_variables_10_a_value_of_an_enum_outside_the_part_that_is_meant_is_a_fault(play):
    more = "types:\n  Colour: [red, blue, green]"
    message, _ = fault_of(play, "n = first(c in Colour by highest c) otherwise red", 'n: {type: "[red, blue]"}', more)
    assert "green" in message


# ---------------------------------------------------------------- lasts

LASTS = """
variables:
  trace: {type: 0..}
  i: {type: 0..9}
  per_turn: {type: 0..9, lasts: turn}
  per_phase: {type: 0..9, start: 1, lasts: main}
actions:
  go:
    do: |
      per_turn += 1
      per_phase += 1
      trace = (trace * 100 + per_turn * 10 + per_phase) mod 1000000000000
phases:
  main:
    repeat: i in 1..2
    turns: {rounds: 1, turn_until: per_turn == 2}
    actions: [go]
    after_turn: trace = trace * 10 + per_turn
  last: {do: trace = trace * 10 + per_phase}
"""


def test_lasts_1_turn_begins_every_turn_and_a_phase_every_pass_with_the_start_value(play):
    t = play(LASTS).do(*["go"] * 4)
    assert 12232 == t.var("trace") // 10**5


def test_lasts_2_the_value_stays_until_the_next_start(play):
    t = play(LASTS)
    while not t.over:
        t.do("go")
    assert 5 == t.var("per_phase")
    assert 2 == t.var("per_turn")


# ---------------------------------------------------------------- none


def test_none_1_it_is_equal_only_to_itself(run):
    effects = """
      if a == b:
        trace = 1
      a = 0
      if a == b:
        trace = 2
      if a != b:
        trace = trace * 10 + 3
      b = 0
      if a == b:
        trace = trace * 10 + 4
    """
    assert 134 == run(effects, "a: {type: optional 0..9}\nb: {type: optional 0..9}").var("trace")


def test_none_2_a_field_of_none_is_none(run):
    effects = "if slot.n == none:\n  trace = 1\nmove Card(4) to slot\ntrace = trace * 10 + (slot.n otherwise 0)"
    assert 14 == run(effects, more=CARDS).var("trace")


def test_none_3_moving_none_does_nothing(run):
    t = run("move top(deck) to slot\nmove slot to heap\ntrace = count(heap)", more=CARDS)
    assert 0 == t.var("trace")


def test_none_4_none_is_no_member(run):
    t = run("if slot in heap:\n  trace = 1\nif slot not in heap:\n  trace = trace * 10 + 2", more=CARDS)
    assert 2 == t.var("trace")


def test_none_5_as_a_condition_it_is_false_and_0_is_true(run):
    effects = "if a[1]:\n  trace = 1\nset_it()\nif a[1]:\n  trace = trace * 10 + 2"
    more = "procedures:\n  set_it(): a[1] = 0"
    assert 2 == run(effects, "a: {per: 1..2, type: optional 0..9}", more).var("trace")


def test_none_6_min_max_first_and_last_of_nothing_are_none(run):
    effects = """
      trace = min(c.n for c in heap) otherwise 1
      trace = trace * 10 + (max(c.n for c in heap) otherwise 2)
      trace = trace * 10 + (last(c in heap).n otherwise 3)
      trace = trace * 10 + sum(c.n for c in heap) + count(heap)
    """
    assert 1230 == run(effects, more=CARDS).var("trace")


def test_none_7_an_optional_variable_can_be_set_back_to_none(run):
    t = run("a = 3\na = none", "a: {type: optional 0..9}")
    assert t.var("a") is None


# ---------------------------------------------------------------- zones


def test_zones_1_everything_starts_in_the_box(run):
    assert 9 == run("trace = count(box)", more=CARDS).var("trace")


def test_zones_2_starts_fills_a_stack_with_the_first_on_top(run):
    more = "components:\n  Card: {fields: {n: 1..9}, rows: all}\nzones:\n"
    more += "  deck: {holds: Card, order: stack, starts: c in Card where c.n > 6}\n"
    assert 789 == run("for c in deck:\n  trace = trace * 10 + c.n", more=more).var("trace")


def test_zones_3_a_slot_holds_one_and_a_second_is_a_fault(play):
    message, line = fault_of(play, "move Card(1) to slot\nmove Card(2) to slot", more=CARDS)
    assert "no room in `slot`" in message
    assert "move Card(2) to slot" == line


def test_zones_3_max_is_a_limit_for_every_instance(play):
    effects = "move Card(1) to pair\nmove Card(2) to pair\nmove Card(1) to pair\nmove Card(3) to pair"
    message, line = fault_of(play, effects, more=CARDS)
    assert "no room in `pair`" in message
    assert "move Card(3) to pair" == line


def test_zones_4_after_a_card_that_is_not_in_the_row_is_a_fault(play):
    message, _ = fault_of(play, "move Card(1) to pair after Card(2)", more=CARDS)
    assert "not in that row" in message


def test_zones_5_draw_takes_from_the_top_one_at_a_time_and_refills_an_empty_deck(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to deck
      for c in Card where c.n > 3 and c.n <= 6:
        move c to discard
      draw 2 from deck to hand[first_player]
      trace = count(deck) * 10 + count(discard)
      draw 2 from deck to hand[first_player]
      trace = trace * 100 + count(deck) * 10 + count(discard)
    """
    assert 1320 == run(effects, more=CARDS).var("trace")


def test_zones_5_what_is_not_there_is_not_drawn(run):
    effects = "move Card(1) to deck\ndraw 5 from deck to hand[first_player]\ntrace = count(hand[first_player])"
    assert 1 == run(effects, more=CARDS).var("trace")


def test_zones_5_an_empty_deck_is_not_refilled_before_another_card_is_wanted(run):
    effects = """
      move Card(1) to deck
      move Card(2) to discard
      draw 1 from deck to hand[first_player]
      trace = count(deck) * 10 + count(discard)
    """
    assert 1 == run(effects, more=CARDS).var("trace")


def test_zones_6_remove_goes_to_the_box(run):
    effects = """
      move Card(1) to heap
      move Card(2) to heap
      move Card(3) to slot
      remove slot
      remove Card(1)
      trace = count(box) * 10 + count(heap)
      remove all heap
      trace = trace * 10 + count(heap)
    """
    assert 810 == run(effects, more=CARDS).var("trace")


def test_zones_7_the_index_of_the_instance_where_a_card_lies_is_a_field_of_it(run):
    effects = """
      move Card(1) to hand[next(first_player)]
      if Card(1).hand == next(first_player):
        trace = 1
      if Card(2).hand == none:
        trace = trace * 10 + 2
    """
    assert 12 == run(effects, more=CARDS).var("trace")


# ---------------------------------------------------------------- budgets


@pytest.mark.parametrize(
    ("effects", "more", "variables"),
    [
        ("while n >= 0:\n  n = 1 - n", "", "n: {type: 0..9}"),
        ("loop(3)", "procedures:\n  loop(0..9 a): |\n    if a > n:\n      loop(a)\n", "n: {type: 0..9}"),
        ("n = 1", "triggers:\n  again: {after: change n, when: n >= 0, do: n = 1 - n}\n", "n: {type: 0..9}"),
        ("ping()", "procedures:\n  ping(): pong()\n  pong(): |\n    if n == 0:\n      ping()\n", "n: {type: 0..9}"),
    ],
    ids=["while", "procedure", "trigger", "two procedures"],
)
def test_budgets_1_what_does_not_end_is_a_fault_that_names_its_lines(play, effects, more, variables):
    message, line = fault_of(play, effects, variables, more)
    assert "without end" in message or "did not come to an end" in message
    assert any(word in line for word in ("while", "n = 1 - n", "loop", "again", "ping", "pong"))


def test_budgets_1_a_phase_that_repeats_without_end_and_decisions_is_a_fault(play):
    text = """
    variables: {n: {type: 0..9}}
    phases:
      main: {repeat_until: n == 3, do: n = 1 - n}
    """
    with pytest.raises(RuleError, match="did not come to an end") as caught:
        play(text)
    assert caught.value.spans


def test_budgets_2_the_budget_begins_anew_with_every_decision(play):
    effects = "n = 0\nwhile n < 60000:\n  n += 1"
    t = play(act(effects, "n: {type: 0..}"))
    t.do("go", "go", "go")
    assert 60000 == t.var("n")


def test_budgets_3_a_rule_that_calls_itself_as_often_as_it_needs_is_fine(play):
    more = "procedures:\n  count_down(0..999 a): |\n    if a > 0:\n      trace += 1\n      count_down(a - 1)\n"
    assert 200 == play(act("count_down(200)", more=more)).do("go").var("trace")


def test_budgets_5_a_number_that_is_too_large_is_a_fault(play):
    t = play(act("n = 1000000000000000 - 1\nn += 1", "n: {type: 0..}")).do("go")
    assert 10**15 == t.var("n")
    message, line = fault_of(play, "n = 1000000000000000\nn += 1", "n: {type: 0..}")
    assert "`n` would be beyond 1,000,000,000,000,000, the largest that a number may be" in message
    assert "n += 1" in line
    message, line = fault_of(play, "n = 40000000\nlet x = n * n", "n: {type: 0..}")
    assert "this number is beyond 1,000,000,000,000,000, the largest that rules may come to" in message
    assert "let x" in line
    message, line = fault_of(play, "let x = 1\nrepeat 60 times:\n  x = x + x")
    assert "this number is beyond 1,000,000,000,000,000, the largest that rules may come to" in message
    assert "x = x + x" in line
    message, line = fault_of(play, "n = 999999999999000\nlet x = n\nrepeat 1001 times:\n  x += 1", "n: {type: 0..}")
    assert "this number is beyond" in message
    assert "x += 1" in line
    message, line = fault_of(play, "let x = 1\nrepeat 60 times:\n  x -= 99999999999999")
    assert "this number is beyond" in message
    assert "x -= 99999999999999" in line


def test_budgets_6_a_range_that_is_too_long_is_a_fault_where_it_is_gone_through(play):
    message, line = fault_of(play, "n = 200000\nfor i in 1..n:\n  trace = 1", "n: {type: 0..}")
    assert "this goes through 200,000 numbers, more than 100,000" in message
    assert "for i in 1..n" in line
    effects = "n = 200000\nif 150000 in 1..n:\n  trace = 1\nfor i in 1..99999:\n  nothing"
    assert 1 == play(act(effects, "n: {type: 0..}")).do("go").var("trace")


def test_budgets_7_passes_count_as_steps_before_they_begin(play):
    message, line = fault_of(play, "n = 100001\nrepeat n times:\n  trace = 1", "n: {type: 0..}")
    assert "did not come to an end within 100,000 steps" in message
    assert "repeat n times" in line
    effects = "n = 50000\nrepeat n times:\n  repeat 20 times:\n    nothing\ntrace = 5"
    assert 5 == play(act(effects, "n: {type: 0..}")).do("go").var("trace")


def test_budgets_8_long_loops_within_loops_count_steps(play):
    effects = "for i in 1..OUTER:\n  for j in 1..1000:\n    n = j"
    message, line = fault_of(play, effects.replace("OUTER", "10000"), "n: {type: 0..}")
    assert "did not come to an end within 100,000 steps" in message
    assert "for j in 1..1000" in line
    assert 1000 == play(act(effects.replace("OUTER", "90"), "n: {type: 0..}")).do("go").var("n")


# ---------------------------------------------------------------- determinism

SCRIPT = """
import random, sys
import interpreter, rulespec
game = interpreter.Game(rulespec.load(sys.argv[1]), 3)
for seed in range(3):
    state, chooser = game.new_state(seed), random.Random(seed)
    while not state.is_over:
        options = state.legal_actions()
        print([str(o) for o in options])
        state.apply(chooser.choice(options))
    print(state.scores)
"""


def test_budgets_4_a_game_does_not_depend_on_the_hash_seed():
    path = ROOT / "games" / "grand_dog_park" / "game.yaml"
    outputs = []
    for hash_seed in ("1", "2", "77"):
        env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(path)], env=env, capture_output=True, text=True, check=True
        )
        outputs.append(done.stdout)
    assert outputs[0] == outputs[1] == outputs[2]
    assert len(outputs[0].splitlines()) > 50
