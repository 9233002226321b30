"""Bodies and the course of play: layers, inferred results, triggers, phases, results, warnings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import rulespec
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes


def test_results_are_inferred_in_whatever_order_functions_stand(game: Any) -> None:
    spec = game.checked(
        """
functions:
  high(player p): twice(p) + 1
  twice(player p): once(p) * 2
  once(player p): 3
  alone(0..9 n) -> 0..99: alone(n - 1) + 1 if n > 0 else 0
""",
    )

    assert t.NumberType(Fraction(7), Fraction(7)) == spec.functions["high"].result
    assert t.NumberType(Fraction(0), Fraction(99)) == spec.functions["alone"].result


BASE = """
rulespec: 1
id: walk
title: A Walk
about: Things happen.
players: 2..4
variables:
  gold: {per: player, type: 0..9}
functions:
  worth(player p): gold[p]
  ready(player p): gold[p] > 0
procedures:
  pay_out(player p): |
    raise gold[p] by up to 1
  hop(player p) -> bool: |
    return gold[p] > 1
actions:
  rest:
    when: ready(me)
    do: pay_out(me)
phases:
  walk:
    turns: {rounds: 1}
    actions: [rest, pass]
    after_turn: pay_out(me)
result:
  score: worth(p)
  rank_by: [highest score, lowest gold]
"""


def test_versions_of_functions_and_procedures(game: Any) -> None:
    spec = game.checked(
        """
rulespec: 1
id: more
title: More
about: Things happen.
extends: base.yaml
functions:
  worth(player p): usual + 10
procedures:
  hop(player p) -> bool: |
    let far = usual
    return far or gold[p] > 5
""",
        base_yaml=BASE,
    )
    worth = spec.functions["worth"]
    [call] = [node for node in nodes(worth.layers[1].body) if isinstance(node, ir.FunctionCall)]

    assert 2 == len(worth.layers) == len(worth.params)
    assert worth.params[0][0] is not worth.params[1][0]
    assert ("worth", 1) == (call.function, call.below)
    assert t.NumberType(Fraction(0), Fraction(19)) == worth.result
    assert 2 == len(spec.procedures["hop"].layers)


def test_usual_in_a_condition_is_joined_in(game: Any) -> None:
    spec = game.checked(
        """
rulespec: 1
id: more
title: More
about: Things happen.
extends: base.yaml
options:
  slow: {type: bool}
actions:
  rest: {when: "usual and gold[me] < 9", only_if: slow}
""",
        base_yaml=BASE,
    )
    when = spec.actions["rest"].when

    assert isinstance(when, ir.Cond)
    assert isinstance(when.test, ir.OptionRead)
    assert 2 == sum(isinstance(node, ir.FunctionCall) for node in nodes(when))


def test_a_silent_replacement_is_warned_of(game: Any) -> None:
    text = """
rulespec: 1
id: more
title: More
about: Things happen.
extends: base.yaml
functions:
  worth(player p): 10
"""
    spec, found = game.diagnose(text, base_yaml=BASE)

    assert ["RS951"] == [d.code for d in found]
    assert spec is not None
    assert set(found) <= set(spec.warnings)
    assert found[0].notes[0].span.path.endswith("base.yaml")
    assert [] == game.codes(text.replace(": 10", ": {is: 10, replaces: true}"), base_yaml=BASE)


def test_parameters_are_the_same_in_all_parts_of_an_action(game: Any) -> None:
    spec = game.checked(
        """
variables:
  gold: {per: player, type: 0..9}
actions:
  give:
    label: Give {n} to {who}
    with: n in 1..3, who in others(me)
    when: gold[who] + n <= 9
    pay: n gold[me]
    do: gold[who] += n
phases:
  walk: {turns: {rounds: 1}, actions: [give, pass]}
""",
    )
    action = spec.actions["give"]
    assert action.selection is not None
    n, who = action.selection.locals
    used = {node.local for part in (action.when, action.do, action.label) for node in nodes(part)
            if isinstance(node, ir.LocalRead)}  # fmt: skip

    assert {n, who, action.me} >= used >= {n, who}
    assert [("gold", 1)] == [(read.variable, len(read.indices)) for _, read in action.pay]


@pytest.mark.parametrize(
    ("event", "kind", "names", "types"),
    [
        ("phase walk", "phase", ("walk",), []),
        ("action rest, pass", "action", ("rest", "pass"), []),
        ("call feed(p, n)", "call", ("feed",), [t.PLAYER, t.NumberType(Fraction(0), Fraction(3))]),
        ("move Card c to hand[player q]", "move", ("hand",), [t.TableType("component", "Card"), t.PLAYER]),
        ("move c to deck", "move", ("deck",), [t.TableType("component", "Card")]),
        ("move c to box", "move", ("box Card",), [t.TableType("component", "Card")]),
        ("change gold[q]", "change", ("gold",), [t.PLAYER]),
        ("change gold", "change", ("gold",), []),
        ("turn Card c over", "turn_over", ("Card",), [t.TableType("component", "Card")]),
        ("setup", "setup", (), []),
    ],
)
def test_events_bind_their_arguments(
    game: Any, event: str, kind: str, names: tuple[str, ...], types: list[t.Type]
) -> None:
    spec = game.checked(
        f"""
components:
  Card: {{faces: [front, back], fields: {{rank: 1..3}}, rows: all}}
zones:
  deck: {{holds: Card, order: stack}}
  hand: {{holds: Card, per: player}}
variables:
  gold: {{per: player, type: 0..9}}
procedures:
  feed(player p, 0..3 n): nothing
triggers:
  then: {{after: "{event}", do: nothing}}
""",
    )
    [trigger] = spec.triggers

    assert (kind, names) == (trigger.kind, trigger.names)
    assert types == [local.type for local in trigger.binds]
    assert (trigger.me is not None) == (kind == "action")


def test_the_kind_that_is_turned_over_may_be_written(game: Any) -> None:
    text = """
components:
  Card: {faces: [front, back], fields: {rank: 1..3}, rows: all}
  Coin: {faces: [heads, tails], fields: {rank: 1..3}, rows: all}
triggers:
  then: {after: turn Coin c over, do: nothing}
"""
    assert ("Coin",) == game.checked(text).triggers[0].names
    assert ["RS554"] == game.codes(text.replace("turn Coin c", "turn c"))


def test_the_seat_that_acts_is_known_inside_turns_alone(game: Any) -> None:
    text = """
variables:
  gold: {per: player, type: 0..9}
procedures:
  earn(player p): raise gold[p] by up to 1
actions:
  rest: earn(me)
phases:
  day:
    turns: {rounds: 2}
    before_turn: earn(me)
    phases:
      morning: {do: earn(me)}
      noon: {actions: [rest]}
  night: {do: nothing}
"""
    spec = game.checked(text)
    day, night = spec.phases

    assert day.turns is not None
    assert day.me is None
    assert [day.turns.me, day.turns.me] == [phase.me for phase in day.phases]
    assert night.me is None
    assert ["RS301"] == game.codes(text.replace("night: {do: nothing}", "night: {do: earn(me)}")) or ["RS322"]


def test_the_declared_score_stands_for_its_expression(game: Any) -> None:
    spec = game.checked(BASE)
    result = spec.result
    (first, score), (second, gold) = result.rank_by

    assert ("highest", "lowest") == (first, second)
    assert isinstance(score, ir.FunctionCall)
    assert isinstance(gold, ir.VarRead)
    assert [result.p] == [node.local for node in nodes(gold) if isinstance(node, ir.LocalRead)]


def test_bools_and_numbers_rank(game: Any) -> None:
    spec = game.checked("variables:\n  home: {per: player, type: bool}\nresult:\n  rank_by: [highest home]\n")

    assert isinstance(spec.result.rank_by[0][1], ir.Cond)


def test_repeat_counts_with_a_variable(game: Any) -> None:
    spec = game.checked(
        "variables:\n  round: {type: 1..6}\nphases:\n  days: {repeat: round in 1..6, do: nothing}\n",
    )
    repeat = spec.phases[0].repeat

    assert repeat is not None
    assert "round" == repeat[0].variable


def test_load_raises_everything_that_was_found(game: Any) -> None:
    path = game.write("variables:\n  a: {type: Nothing}\n  b: {type: 9..1}\n")

    with pytest.raises(rulespec.SpecError) as raised:
        rulespec.load(path)

    assert ["RS350", "RS456"] == [d.code for d in raised.value.diagnostics]
    assert ["RS350", "RS456"] == [d.code for d in rulespec.check(str(path))]


def test_load_gives_the_checked_spec(game: Any) -> None:
    path = game.write("")

    spec = rulespec.load(path)

    assert ("walk", "A Walk", ()) == (spec.id, spec.title, spec.warnings)
