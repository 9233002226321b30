"""docs/reference/meaning.md, Variants."""

import pytest

from rulespec import SpecError

BASE = """
rulespec: 1
id: base
title: Base
about: A base.
players: 2
options:
  hard: {type: bool, default: false}
variables:
  trace: {type: 0..}
  n: {type: 0..9}
functions:
  worth(0..9 a): a + 1
procedures:
  score(0..9 a): trace = trace * 10 + worth(a)
  told(0..9 a) -> 0..99: |
    return a + 1
actions:
  go:
    when: n < 3
    do: score(n)
  stop: {do: n = 9}
phases:
  main: {turns: {times: 2}, actions: [go, stop]}
  end_of_game:
    do: |
      let x = told(2)
      trace = trace * 100 + x
"""

HEAD = "extends: base.yaml\nid: variant\ntitle: Variant\n"


def variant(play, text, **rest):
    return play(HEAD + text, files={"base.yaml": BASE}, **rest)


def test_variants_1_usual_in_a_function_is_the_version_below(play):
    t = variant(play, "functions:\n  worth(0..9 a): usual + 2\n")
    assert 3303 == t.do("go", "go").var("trace")


def test_variants_1_a_function_may_call_the_one_below_with_its_own_arguments_only(play):
    t = variant(play, "functions:\n  worth(0..9 a): (usual + 2) * 2 if n == 0 else usual\n")
    assert 6603 == t.do("go", "go").var("trace")


def test_variants_2_usual_in_effects_does_the_version_below(play):
    more = """
procedures:
  score(0..9 a):
    do: |
      usual
      trace = trace * 10 + 8
      usual
actions:
  go:
    do: |
      trace = trace * 10 + 7
      usual
"""
    assert 718103 == variant(play, more).do("go", "stop").var("trace")


def test_variants_2_without_usual_the_version_below_is_replaced(play):
    t = variant(play, "actions:\n  go:\n    do: trace = 4\n    replaces: true\n").do("go", "go")
    assert 403 == t.var("trace")


def test_variants_3_usual_in_a_condition(play):
    t = variant(play, "actions:\n  go:\n    when: usual and n != 0\n")
    assert ["stop"] == t.options
    t = variant(play, "actions:\n  go:\n    when: usual or n == 9\n").do("stop")
    assert ["go", "stop"] == t.options


def test_variants_3_usual_needs_a_version_below(play):
    with pytest.raises(SpecError, match="no version below"):
        variant(play, "actions:\n  stop:\n    when: usual and n == 0\n")


def test_variants_4_usual_with_a_result(play):
    more = "procedures:\n  told(0..9 a) -> 0..99:\n    do: |\n      let x = usual\n      return x * 10\n"
    assert 1130 == variant(play, more).do("go", "go").var("trace")


def test_variants_5_a_layer_whose_only_if_is_false_is_passed_over(play):
    more = "functions:\n  worth(0..9 a): {is: usual + 2, only_if: hard}\n"
    assert 1103 == variant(play, more).do("go", "go").var("trace")
    assert 3303 == variant(play, more, hard=True).do("go", "go").var("trace")


def test_variants_5_usual_above_a_layer_that_is_passed_over_is_the_next_one_below(play):
    middle = "extends: base.yaml\nid: middle\ntitle: M\nfunctions:\n  worth(0..9 a): {is: usual + 2, only_if: hard}\n"
    middle += "procedures:\n  score(0..9 a):\n    only_if: hard\n    do: |\n      trace = trace * 10 + 7\n      usual\n"
    top = "extends: middle.yaml\nid: top\ntitle: Top\nfunctions:\n  worth(0..9 a): usual * 2\n"
    top += "procedures:\n  score(0..9 a):\n    do: |\n      trace = trace * 10 + 6\n      usual\n"
    files = {"base.yaml": BASE, "middle.yaml": middle}
    assert 626203 == play(top, files=files).do("go", "go").var("trace")
    assert 67667603 == play(top, files=files, hard=True).do("go", "go").var("trace")


def test_variants_6_triggers_of_the_base_run_before_those_of_the_variant(play):
    base = BASE + "triggers:\n  z: {after: change n, do: trace = trace * 10 + 1}\n"
    more = HEAD + "triggers:\n  a: {after: change n, do: trace = trace * 10 + 2}\n"
    t = play(more, files={"base.yaml": base}).do("stop")
    assert 12 == t.var("trace")


def test_variants_7_only_if_takes_an_entry_away(play):
    more = """
actions:
  more: {only_if: hard, do: n = 2}
triggers:
  late: {only_if: hard, after: change n, do: trace = trace * 10 + n}
phases:
  main: {actions: [go, more, stop]}
  extra: {only_if: hard, do: trace = trace * 10 + 8}
"""
    t = variant(play, more)
    assert ["go", "stop"] == t.options
    assert 0 == t.do("stop").var("trace")
    t = variant(play, more, hard=True)
    assert ["go", "more", "stop"] == t.options
    assert 29038 == t.do("more", "stop").var("trace")


def test_variants_8_phases_are_placed(play):
    more = "phases:\n  first_of_all: {place: first, do: trace = 6}\n"
    more += "  between: {place: after main, do: trace = trace * 10 + 7}\n"
    assert 611703 == variant(play, more).do("go", "go").var("trace")


def test_variants_9_several_files_are_stacked_in_order(play):
    one = "extends: base.yaml\nfunctions:\n  worth(0..9 a): usual + 2\n"
    two = "functions:\n  worth(0..9 a): usual * 2\n"
    files = {"base.yaml": BASE, "one.yaml": one.replace("extends: base.yaml\n", ""), "two.yaml": two}
    files = {name: text if name == "base.yaml" else "#\n" + text for name, text in files.items()}
    text = "extends: [base.yaml, one.yaml, two.yaml]\nid: v\ntitle: V\n"
    assert 6603 == play(text, files=files).do("go", "go").var("trace")


def test_variants_10_the_setup_of_a_variant_stands_around_the_one_below(play):
    base = BASE + "setup: trace = 1\n"
    more = HEAD + "setup: |\n  trace = trace * 10 + 5\n  usual\n  trace = trace * 10 + 2\n"
    assert 12 == play(more, files={"base.yaml": base}).var("trace")
