"""docs/reference/meaning.md, Choices."""

from textwrap import dedent

import pytest

CARDS = """
components:
  Card: {fields: {n: 1..9}, rows: all}
zones:
  heap: {holds: Card}
  hand: {holds: Card, per: player}
setup: |
  for c in Card where c.n <= 4:
    move c to hand[first_player]
"""

TWINS = """
components:
  Ball:
    fields: {colour: Colour}
    rows:
      - {id: red, colour: red, count: 2}
      - {id: blue, colour: blue, count: 2}
types:
  Colour: [red, blue]
zones:
  bag: {holds: Ball, starts: Ball}
  hand: {holds: Ball, per: player}
"""


def test_choices_1_each_member_is_an_option_in_order(run):
    t = run("choose i in 3 down to 1 by first_player:\n  trace = i")
    assert ["choose(i=3)", "choose(i=2)", "choose(i=1)"] == t.options
    assert 0 == t.seat
    assert 2 == t.do("choose(i=2)").var("trace")
    assert t.over


def test_choices_1_several_names_are_one_decision(run):
    t = run("choose i in 1..2, j in 1..i by first_player:\n  trace = i * 10 + j")
    assert ["1 1", "2 1", "2 2"] == t.values
    assert 21 == t.do("choose(i=2, j=1)").var("trace")


def test_choices_2_one_option_is_still_a_decision(run):
    t = run("choose i in 5..5 by first_player:\n  trace = i")
    assert ["5"] == t.values
    assert not t.over


def test_choices_3_nothing_to_choose_skips_the_body_and_does_else(run):
    assert 0 == run("choose i in 5..4 by first_player:\n  trace = i").var("trace")
    assert 7 == run("choose i in 5..4 by first_player:\n  trace = i\nelse:\n  trace = 7").var("trace")


def test_choices_4_several_are_one_decision_each_in_canonical_order(run):
    t = run("choose exactly 2 i in 1..4 by first_player:\n  trace = trace * 10 + i")
    assert ["1", "2", "3"] == t.values
    t.pick("2")
    assert ["3", "4"] == t.values
    t.pick("4")
    assert t.over
    assert 24 == t.var("trace")


def test_choices_5_done_is_offered_last_once_the_least_is_reached(run):
    t = run("choose 1 to 3 i in 1..4 by first_player:\n  trace = trace * 10 + i")
    assert ["1", "2", "3", "4"] == t.values
    t.pick("1")
    assert ["2", "3", "4", "done"] == t.values
    t.pick("3")
    assert ["4", "done"] == t.values
    assert 13 == t.do("done").var("trace")
    assert t.over


def test_choices_5_at_the_most_no_done_is_asked_for(run):
    t = run("choose up to 2 i in 1..4 by first_player:\n  trace = trace * 10 + i")
    assert ["1", "2", "3", "4", "done"] == t.values
    t.pick("1", "2")
    assert t.over


def test_choices_5_after_the_last_member_only_done_is_left(run):
    t = run("choose up to 2 i in 1..4 by first_player:\n  trace = trace * 10 + i")
    t.pick("4")
    assert ["done"] == t.values


def test_choices_6_exactly_n_takes_what_exists(run):
    t = run("choose exactly 3 i in 1..2 by first_player:\n  trace = trace * 10 + i")
    assert ["1"] == t.values
    assert 12 == t.pick("1", "2").var("trace")
    assert 8 == run("choose exactly 3 i in 2..1 by first_player:\n  trace = 1\nelse:\n  trace = 8").var("trace")


def test_choices_7_the_bodies_come_after_all_picks_in_order(run):
    effects = """
      choose exactly 2 c in hand[first_player] by first_player:
        trace = trace * 10 + c.n
        move c to heap
    """
    t = run(effects, more=CARDS).pick("1")
    assert 4 == len(t.zone("hand", 0))
    t.pick("3")
    assert 13 == t.var("trace")
    assert 2 == len(t.zone("hand", 0))


def test_choices_7_what_one_body_changes_takes_no_other_pick_away(run):
    effects = """
      choose exactly 2 i in 1..3 where n == 0 by first_player:
        trace = trace * 10 + i
        n = 1
    """
    assert 12 == run(effects, "n: {type: 0..1}").pick("1", "2").var("trace")


def test_choices_8_choosing_none_of_several_does_else(run):
    t = run("choose up to 2 i in 1..3 by first_player:\n  trace = i\nelse:\n  trace = 7").do("done")
    assert 7 == t.var("trace")


def test_choices_8_up_to_0_asks_nothing(run):
    t = run("choose up to n i in 1..3 by first_player:\n  trace = i\nelse:\n  trace = 7", "n: {type: 0..3}")
    assert t.over
    assert 7 == t.var("trace")


def test_choices_9_look_alikes_are_one_option(run):
    t = run("choose b in bag by first_player:\n  move b to hand[first_player]", more=TWINS)
    assert ["red", "blue"] == t.values
    assert ["red"] == t.pick("red").zone("hand", 0)


def test_choices_9_look_alikes_are_one_option_of_several_picks_too(run):
    effects = "choose exactly 2 b in bag by first_player:\n  move b to hand[first_player]"
    t = run(effects, more=TWINS)
    assert ["red", "blue"] == t.values
    t.pick("red")
    assert ["red", "blue"] == t.values
    assert ["red", "red"] == t.pick("red").zone("hand", 0)
    t = run(effects, more=TWINS).pick("blue")
    assert ["blue"] == t.values


def test_choices_9_copies_that_a_variable_tells_apart_are_options_of_their_own(run):
    effects = """
      for b in bag where not any(marked[c] for c in Ball):
        marked[b] = true
      choose b in bag by first_player:
        if marked[b]:
          trace = 1
    """
    t = run(effects, "marked: {per: Ball, type: bool}", more=TWINS)
    assert ["red", "red#2", "blue"] == t.values


def test_choices_9_a_condition_can_tell_copies_apart_only_by_what_it_leaves_out(run):
    effects = """
      move first(b in bag) to hand[first_player]
      choose b in Ball where b in bag by first_player:
        trace = 1
    """
    assert ["red", "blue"] == run(effects, more=TWINS).values


def test_choices_10_the_same_option_is_not_offered_twice(run):
    t = run("choose i in [1, 2, 1] by first_player:\n  trace = i")
    assert ["1", "2"] == t.values


def test_choices_11_a_choice_is_made_by_the_seat_named(run):
    t = run("for p in players:\n  choose i in 1..2 by p:\n    trace = trace * 10 + i")
    assert 0 == t.seat
    t.pick("2")
    assert 1 == t.seat
    assert 21 == t.pick("1").var("trace")


def test_choices_12_the_prompt_may_show_values(run):
    t = run('let n = 7\nchoose i in 1..2 by first_player "Take {n}":\n  trace = i')
    assert "Take 7" == t.state.prompt()


def test_choices_13_what_is_not_offered_cannot_be_chosen(run):
    t = run("choose i in 1..2 by first_player:\n  trace = i")
    before = t.snapshot()
    with pytest.raises(ValueError, match="cannot do"):
        t.do("choose(i=3)")
    with pytest.raises(ValueError, match="cannot do"):
        t.do("done")
    assert before == t.snapshot()


def test_choices_14_choices_inside_the_body_of_a_choice(run):
    effects = """
      choose exactly 2 i in 1..3 by first_player:
        choose j in 1..i by next(first_player):
          trace = trace * 100 + i * 10 + j
    """
    t = run(effects).pick("2", "3")
    assert 1 == t.seat
    assert ["1", "2"] == t.values
    assert 2133 == t.pick("1", "3").var("trace")


def test_choices_15_none_is_an_option_where_the_domain_has_it(run):
    effects = """
      choose c in slot by first_player:
        trace = 1
      else:
        trace = 2
    """
    more = "components:\n  Card: {fields: {n: 1..9}, rows: all}\nzones:\n  slot: {holds: one Card}\n"
    assert 2 == run(effects, more=more).var("trace")


def test_choices_16_a_choice_by_lowest_lists_its_options_sorted(run):
    t = run("choose i in 1..4 by highest i mod 3 by first_player:\n  trace = i")
    assert ["2", "1", "4", "3"] == t.values


TILES = """
components:
  T: {rows: [{id: gold, count: 3}, {id: tin, count: 2}], faces: [up, down]}
zones:
  pool: {holds: T, seen_by: everyone, starts: T}
  row: {holds: T, order: row, seen_by: everyone}
  sack: {holds: T, seen_by: nobody}
  won: {holds: T, per: player, seen_by: owner}
"""


def tiles(play, more, **rest):
    return play(TILES + dedent(more), **rest)


def test_choices_17_copies_that_are_told_apart_are_numbered_as_the_seat_sees_them(play):
    spec = """
        setup: "choose t in pool by first_player: turn t over"
        actions: {take: {with: t in pool, do: "move t to won[me]"}}
        phases: {p: {turns: {rounds: 2}, actions: [take]}}
        """
    t = tiles(play, spec)
    assert ["gold", "tin"] == t.values
    t.pick("gold")
    assert ["gold", "gold#3", "tin"] == t.values
    view = t.state.view(0)
    assert ["gold", "gold", "gold", "tin", "tin"] == view["zones"]["pool"]["cards"]
    assert ["up", "up", "down", "up", "up"] == view["zones"]["pool"]["faces"]
    again = t.game.state_from_json(t.state.to_json())
    again.apply("take(t=gold#3)")
    assert ["down"] == again.view(0)["zones"]["won"]["player_1"]["faces"]
    assert ["gold", "tin"] == [str(o.args["t"]) for o in again.legal_actions()]
    assert "player_1: Take: gold" in again.log(1)
    with pytest.raises(ValueError, match="cannot do `take\\(t=gold#2\\)` now"):
        t.do("take(t=gold#2)")
    assert "Take: gold (gold#3)" == t.state.legal_actions()[1].label


def test_choices_17_numbers_hold_for_all_options_of_a_decision(play):
    t = tiles(
        play,
        """
        variables:
          spent: {per: T, type: bool, seen_by: everyone}
        setup: "choose t in pool by first_player: spent[t] = true"
        actions:
          take: {with: t in pool, do: "move t to won[me]"}
          rest: {with: "t in pool where spent[t]", do: "move t to won[me]"}
        phases: {p: {turns: {rounds: 1}, actions: [take, rest]}}
        """,
    )
    t.pick("gold")
    assert ["take(t=gold)", "take(t=gold#3)", "take(t=tin)", "rest(t=gold#3)"] == t.options
    assert {"gold": False, "gold#2": False, "gold#3": True} == {
        name: value for name, value in t.state.view(1)["variables"]["spent"].items() if name.startswith("gold")
    }


def test_choices_17_the_numbers_do_not_tell_which_copy_it_is(play):
    """The same position reached with other physical copies looks the same, also after they were hidden."""
    spec = """
        actions:
          hide: {with: t in pool, do: move t to sack}
          fetch:
            do: |
              for t in sack: move t to pool
          flip: {with: t in pool, do: turn t over}
        phases: {p: {turns: {rounds: 9}, actions: [flip, hide, fetch]}}
        """
    one, other = tiles(play, spec), tiles(play, spec)
    one.do("flip(t=gold)", "hide(t=gold)", "fetch")
    other.do("flip(t=gold)", "hide(t=gold#3)", "fetch")
    for seat in (0, 1, None):
        assert one.state.view(seat) == other.state.view(seat)
    assert one.options == other.options
    assert ["flip(t=gold)", "flip(t=gold#3)", "flip(t=tin)"] == one.options[:3]
    for t in (one, other):
        t.do("flip(t=gold)")
        assert ["up", "down", "down", "up", "up"] == t.state.view(0)["zones"]["pool"]["faces"]
    assert one.state.log(1) == other.state.log(1)


def test_choices_17_copies_of_a_row_are_numbered_as_they_lie(play):
    t = tiles(
        play,
        """
        setup: |
          for t in pool where t in T:
            move t to row
          for t in first(row): turn t over
        actions: {take: {with: t in row, do: "move t to won[me]"}}
        phases: {p: {turns: {rounds: 1}, actions: [take]}}
        """,
    )
    assert ["gold", "gold#2", "tin"] == t.values


def test_choices_17_with_explicit_chance_copies_that_differ_are_different_outcomes(play):
    t = tiles(
        play,
        """
        setup: |
          for t in first(pool): turn t over
          choose t in pool by chance: move t to row
        phases: {p: {do: nothing}}
        """,
        chance="explicit",
    )
    assert [("gold", 2), ("gold#3", 1), ("tin", 2)] == [
        (action.args["t"], odds * 5) for action, odds in t.state.chance_outcomes()
    ]


def test_choices_17_shuffled_copies_that_differ_are_different_outcomes(play):
    t = play(
        """
        components:
          T: {rows: [{id: gold, count: 3}], faces: [up, down]}
        zones:
          deck: {holds: T, order: stack, seen_by: nobody, starts: T}
          row: {holds: T, order: row, seen_by: everyone}
        setup: |
          for t in top(deck): turn t over
          shuffle deck
          draw 1 from deck to row
        phases: {p: {do: nothing}}
        """,
        chance="explicit",
    )
    assert [("gold#2", 2), ("gold#3", 1)] == [
        (action.args["deck"], odds * 3) for action, odds in t.state.chance_outcomes()
    ]
    t.state.apply("draw(deck=gold#2)")
    assert {"count": 1, "cards": ["gold"], "faces": ["up"]} == t.state.view(0)["zones"]["row"]
