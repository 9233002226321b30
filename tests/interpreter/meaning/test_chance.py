"""docs/reference/meaning.md, Chance and streams."""

from fractions import Fraction

import pytest

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  heap: {holds: Card, starts: Card}
  deck: {holds: Card, order: stack, seen_by: nobody}
  other: {holds: Card, order: stack, seen_by: nobody}
  hand: {holds: Card, per: player}
"""

TWINS = """
types:
  Colour: [red, blue]
components:
  Ball:
    fields: {colour: Colour}
    rows: [{id: red, colour: red, count: 3}, {id: blue, colour: blue}]
zones:
  bag: {holds: Ball, starts: Ball}
  hand: {holds: Ball, per: player}
"""


def spread(run, effects, seeds=60, **rest):
    return {run(effects, seed=seed, **rest).var("trace") for seed in range(seeds)}


def test_chance_1_the_same_seed_gives_the_same_game(run):
    effects = "repeat 9 times:\n  choose i in 1..6 by chance:\n    trace = trace * 10 + i"
    assert run(effects, seed=5).var("trace") == run(effects, seed=5).var("trace")
    assert run(effects, seed=5).var("trace") != run(effects, seed=6).var("trace")


def test_chance_2_every_member_is_equally_likely_and_doubles_count(run):
    assert {1, 2, 3} == spread(run, "choose i in 1..3 by chance:\n  trace = i")
    t = run("choose i in [1, 2, 1] by chance:\n  trace = i", chance="explicit")
    assert [("choose(i=1)", Fraction(2, 3)), ("choose(i=2)", Fraction(1, 3))] == odds(t)


def odds(t):
    return [(str(action), weight) for action, weight in t.state.chance_outcomes()]


def test_chance_2_each_of_the_look_alikes_counts(run):
    effects = "choose b in bag by chance:\n  move b to hand[first_player]"
    t = run(effects, more=TWINS, chance="explicit")
    assert [("choose(b=red)", Fraction(3, 4)), ("choose(b=blue)", Fraction(1, 4))] == odds(t)
    assert ["red"] == t.do("choose(b=red)").zone("hand", 0)


def test_chance_3_weights_are_exact(run):
    effects = "choose i in 1..3 by chance weighted by i / 2:\n  trace = i"
    t = run(effects, chance="explicit")
    assert [("choose(i=1)", Fraction(1, 6)), ("choose(i=2)", Fraction(1, 3)), ("choose(i=3)", Fraction(1, 2))] == odds(
        t
    )
    assert {1, 2, 3} == spread(run, effects)


def test_chance_3_what_has_weight_0_does_not_happen(run):
    effects = "choose i in 1..3 by chance weighted by 2 - i if i < 3 else 0:\n  trace = i"
    assert {1} == spread(run, effects)
    assert [("choose(i=1)", Fraction(1))] == odds(run(effects, chance="explicit"))


def test_chance_4_nothing_to_pick_skips_the_body_and_does_else(run):
    effects = "choose i in 3..1 by chance:\n  trace = 1\nelse:\n  trace = 2"
    assert 2 == run(effects).var("trace")
    assert 2 == run(effects, chance="explicit").var("trace")


def test_chance_5_several_are_picked_without_putting_back_and_come_in_order(run):
    effects = "choose exactly 2 i in 1..3 by chance:\n  trace = trace * 10 + i"
    assert {12, 13, 23} == spread(run, effects)
    t = run(effects, chance="explicit")
    assert 3 == len(odds(t))
    t.do("choose(i=3)")
    assert [("choose(i=1)", Fraction(1, 2)), ("choose(i=2)", Fraction(1, 2))] == odds(t)
    assert 13 == t.do("choose(i=1)").var("trace")


def test_chance_6_a_random_choice_whose_body_asks(run):
    effects = """
      choose i in 2..3 by chance:
        choose j in 1..i by first_player:
          trace = i * 10 + j
    """
    found = set()
    for seed in range(30):
        t = run(effects, seed=seed)
        assert 0 == t.seat
        found.add(t.pick("1").var("trace"))
    assert {21, 31} == found
    t = run(effects, chance="explicit")
    assert -1 == t.seat
    t.do("choose(i=3)")
    assert ["1", "2", "3"] == t.values


def test_chance_6_several_random_picks_whose_body_asks(run):
    effects = """
      choose exactly 2 i in 2..4 by chance:
        choose j in 1..i by first_player:
          trace = trace * 10 + j
    """
    t = run(effects, seed=3)
    assert 12 == t.pick("1", "2").var("trace")
    assert t.over


def test_chance_7_with_explicit_chance_nothing_is_drawn_from_the_streams(run):
    effects = "choose i in 1..6 by chance:\n  trace = i"
    t = run(effects, chance="explicit")
    assert (-1, []) == (t.seat, t.options)
    assert [] == t.state.deciding_seats()
    before = list(t.state._position.rng)
    t.do("choose(i=4)")
    assert before == t.state._position.rng


def test_chance_7_seeded_games_have_no_chance_nodes(run):
    t = run("choose i in 1..6 by chance:\n  trace = i")
    assert t.over
    assert [] == t.state.chance_outcomes()


def test_chance_8_streams_are_apart_from_one_another(run):
    both = """
      repeat 5 times:
        %s
        choose i in 1..6 by chance "dice":
          trace = trace * 10 + i
    """
    other = 'choose k in 1..6 by chance "weather":\n          nothing'
    assert run(both % "nothing", seed=4).var("trace") == run(both % other, seed=4).var("trace")


def test_chance_8_a_zone_is_shuffled_from_a_stream_of_its_own(run):
    effects = """
      for c in Card:
        move c to deck
      %s
      shuffle deck
      for c in deck:
        trace = trace * 10 + c.n
    """
    one = run(effects % "nothing", more=CARDS, seed=4).var("trace")
    two = run(effects % "choose k in 1..6 by chance:\n        nothing", more=CARDS, seed=4).var("trace")
    assert one == two
    assert one != 987654321


def test_chance_8_the_numbers_of_a_stream_are_those_of_splitmix64():
    from interpreter.game import stream_seeds
    from interpreter.runtime.support import MASK, below

    rng = [1234567]
    assert [6457827717110365317, 3203168211198807973, 9817491932198370423] == [
        below(rng, 0, MASK + 1) for _ in range(3)
    ]
    dice, chance = stream_seeds(1, [b"%d/dice", b"%d/chance"])
    assert 0xD26C567077663CC1 == dice != chance != stream_seeds(2, [b"%d/chance"])[0]


@pytest.mark.parametrize("count", range(9))
def test_chance_9_few_items_are_shuffled_by_the_same_swaps_as_many(count):
    from interpreter.runtime.support import random_bits, shuffled

    orders = set()
    for seed in range(300):
        rng, items = [seed], list("abcdefghi"[:count])
        number = random_bits([seed], 0)
        for last in range(count - 1, 0, -1):
            number, other = divmod(number, last + 1)
            items[last], items[other] = items[other], items[last]
        assert items == shuffled(rng, 0, "abcdefghi"[:count])
        assert (rng == [seed]) == (count < 2)
        orders.add(tuple(items))
    assert len(orders) == [1, 1, 2, 6, 24][count] if count < 5 else len(orders) > 100


def test_chance_9_a_shuffled_order_is_any_order(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to deck
      shuffle deck
      for c in deck:
        trace = trace * 10 + c.n
    """
    assert {123, 132, 213, 231, 312, 321} == spread(run, effects, more=CARDS)


def test_chance_9_shuffling_two_zones_keeps_them_apart(run):
    effects = """
      for c in Card where c.n <= 3:
        move c to deck
      for c in Card where c.n > 3:
        move c to other
      shuffle deck, other
      trace = sum(c.n for c in deck)
    """
    assert 6 == run(effects, more=CARDS).var("trace")


def test_chance_10_a_clone_goes_on_with_the_same_numbers_and_leaves_the_original_alone(play):
    t = play(
        """
        variables: {trace: {type: 0..}}
        actions:
          roll:
            do: |
              choose i in 1..9 by chance:
                trace = trace * 10 + i
        phases: {main: {turns: {times: 6}, actions: [roll]}}
        """
    ).do("roll")
    other = type(t)(t.game, t.state.clone())
    other.do(*["roll"] * 5)
    assert t.var("trace") < 10
    t.do(*["roll"] * 5)
    assert t.var("trace") == other.var("trace")


def test_chance_11_a_body_may_return_out_of_a_random_choice(run):
    more = """
procedures:
  roll(): |
    repeat 50 times:
      choose i in 1..6 by chance:
        trace = i
        if i == 6:
          return
    trace = 99
"""
    assert 6 == run("roll()", more=more).var("trace")


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
def test_chance_12_drawing_from_a_shuffled_deck_in_both_services(run, chance):
    effects = """
      for c in Card:
        move c to deck
      shuffle deck
      draw 2 from deck to hand[first_player]
      trace = count(hand[first_player]) * 10 + count(deck)
    """
    t = run(effects, more=CARDS, chance=chance)
    while not t.over:
        assert -1 == t.seat
        outcomes = t.state.chance_outcomes()
        assert sum(weight for _, weight in outcomes) == 1
        t.state.apply(outcomes[-1][0])
    assert 27 == t.var("trace")
