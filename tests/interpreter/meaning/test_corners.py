"""docs/reference/meaning.md: where several rules meet."""

BASE = """
functions:
  no(player p): first(i in 1..4 where nth(players, i - 1) == p) otherwise 0
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  hand: {holds: Card, per: player}
  slot: {holds: one Card, per: player}
  table: {holds: Card}
setup: |
  for c in Card where c.n <= 4:
    move c to hand[nth(players, (c.n - 1) mod 2) otherwise first_player]
variables:
  trace: {type: 0..}
  n: {type: 0..9}
"""


def test_asks_5_fixed_arguments_of_an_action_over_indexed_zones(play):
    text = (
        BASE
        + """
actions:
  give:
    with: c at p in hand, q in players where q != p
    do: move c to hand[q]
phases:
  main:
    do: |
      for x in hand[first_player]:
        ask first_player: give(c=x)
      ask first_player: give(p=first_player)
      ask first_player: give(q=first_player, p=next(first_player))
"""
    )
    t = play(text)
    assert 1 == len(t.values)
    t.do(t.options[0])
    assert 1 == len(t.values)
    t.do(t.options[0])
    assert 4 == len(t.values)
    assert all("q=player_1" in option and "p=player_2" in option for option in t.options)


OPEN = (
    BASE
    + """
actions:
  step: {do: trace = trace * 10 + 7}
  think:
    when: n < 3
    do: |
      choose i in 1..3 by me:
        n += i
        trace = trace * 10 + i
        if n >= 3:
          end main
phases:
  main: {turns: {rounds: 1}, actions: [step], any_time: [think]}
  last: {do: trace = trace * 10 + 9}
"""
)


def test_any_time_4_an_action_in_between_may_ask_and_end_the_phase(play):
    t = play(OPEN, any_time="open").do("think", seat=1)
    assert (1, ["1", "2", "3"], [1]) == (t.seat, t.values, t.state.deciding_seats())
    t.pick("1")
    assert (0, ["step", "think"], [0, 1]) == (t.seat, t.options, t.state.deciding_seats())
    t.do("step").do("think", seat=0).pick("2")
    assert t.over
    assert 1729 == t.var("trace")


def test_any_time_4_an_action_in_between_that_cannot_ask_may_end_the_phase(play):
    text = (
        BASE
        + """
actions:
  step: {do: trace = trace * 10 + 7}
  halt: {do: end main}
phases:
  main: {turns: {rounds: 1}, actions: [step], any_time: [halt]}
  last: {do: trace = trace * 10 + 9}
"""
    )
    t = play(text, any_time="open").do("step").do("halt", seat=0)
    assert t.over
    assert 79 == t.var("trace")


def test_phases_10_if_stuck_ends_a_turn_of_several_decisions(play):
    text = (
        BASE
        + """
actions:
  work: {when: n < 2, do: n += 1}
phases:
  main:
    turns: {rounds: 1, turn_until: n == 9}
    actions: [work]
    if_stuck: trace = trace * 10 + no(me)
    after_turn: trace = trace * 10 + 8
"""
    )
    t = play(text).do("work", "work")
    assert t.over
    assert 1828 == t.var("trace")


def test_phases_9_take_any_with_turn_until_ends_at_whichever_comes_first(play):
    text = (
        BASE
        + """
actions:
  work: {do: n += 1}
phases:
  main:
    turns: {rounds: 1, turn_until: n >= 2}
    before_turn: n = 0
    actions: [work]
    take: any
    after_turn: trace = trace * 10 + n
"""
    )
    t = play(text).do("work", "work", "work", "done")
    assert t.over
    assert 21 == t.var("trace")


def test_triggers_12_on_a_part_of_a_turn_know_whose_it_is_as_me(play):
    text = (
        BASE
        + """
actions:
  work: {do: n += 1}
triggers:
  before_it: {before: phase part, do: trace = trace * 10 + no(me)}
  after_it: {after: phase part, do: trace = trace * 10 + no(me) + 4}
phases:
  main:
    turns: {rounds: 1}
    phases:
      part: {actions: [work]}
"""
    )
    assert 1526 == play(text).do("work", "work").var("trace")


def test_procedures_2_a_procedure_that_asks_may_call_itself(play):
    text = (
        BASE
        + """
procedures:
  down(player p, 0..9 most) -> 0..99: |
    if most == 0:
      return 0
    choose i in 0..most - 1 by p:
      let rest = down(next(p), i)
      return rest + i
    return 50
phases:
  main: {do: "trace = down(first_player, 5)"}
"""
    )
    t = play(text).pick("3")
    assert (1, ["0", "1", "2"]) == (t.seat, t.values)
    assert 5 == t.pick("2", "0").var("trace")
    assert t.over


def test_loops_8_locals_changed_in_loops_that_run_through_are_there_after_a_decision(play):
    text = (
        BASE
        + """
phases:
  main:
    do: |
      let x = 0
      let most = 3
      for i in 1..most:
        x = x + i
        if i == 2:
          most = 9
      choose k in 1..x by first_player:
        for j in 1..2:
          x = x + j * k
      trace = x * 10 + most
"""
    )
    assert 159 == play(text).pick("3").var("trace")


def test_triggers_15_return_leaves_an_instead_of_with_a_result(play):
    text = (
        BASE
        + """
procedures:
  pick_one(player p) -> 0..9: |
    choose i in 1..5 by p:
      return i
    return 0
triggers:
  other:
    instead_of: "call pick_one(q)"
    when: n == 0
    do: |
      n = 1
      usual
      if q == first_player:
        return
      trace = 5
phases:
  main:
    do: |
      let a = pick_one(next(first_player))
      n = 0
      let b = pick_one(first_player)
      trace = trace * 100 + a * 10 + b
"""
    )
    assert 524 == play(text).pick("2", "4").var("trace")


def test_asks_6_actions_in_actions(play):
    text = (
        BASE
        + """
actions:
  outer:
    do: |
      ask next(me): inner, pass
      trace = trace * 10 + no(me)
  inner:
    with: i in 1..2
    do: |
      choose j in 1..i by me:
        trace = trace * 10 + no(me) + j
phases:
  main: {turns: {times: 1}, actions: [outer]}
"""
    )
    t = play(text).do("outer", "inner(i=2)", "choose(j=2)")
    assert t.over
    assert 41 == t.var("trace")


def test_choices_4_several_of_pairs(play):
    text = (
        BASE
        + """
phases:
  main:
    do: |
      choose exactly 2 i in 1..2, j in 1..2 where i != j or i == 2 by first_player:
        trace = trace * 100 + i * 10 + j
"""
    )
    t = play(text)
    assert ["1 2", "2 1"] == t.values
    t.do("choose(i=2, j=1)")
    assert ["2 2"] == t.values
    assert 2122 == t.do("choose(i=2, j=2)").var("trace")


def test_zones_3_a_full_slot_takes_what_lies_in_it_again(play):
    text = (
        BASE
        + """
phases:
  main:
    do: |
      move Card(5) to slot[first_player]
      move Card(5) to slot[first_player]
      move slot[first_player] to slot[next(first_player)]
      trace = slot[next(first_player)].n otherwise 0
"""
    )
    assert 5 == play(text).var("trace")
