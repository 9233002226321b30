"""Why something is not possible, in words, and no more than the seat may know."""

import random
from pathlib import Path

import pytest

import interpreter
from interpreter.testing import editable, hidden_twin, random_decision
from interpreter.why.reasons import broken
from rulespec.packs import installed_games

GAME = """
options:
  more: {type: bool, default: false}
types:
  Colour: [red, blue, green]
components:
  Card: {fields: {n: 1..4, colour: Colour}, rows: all}
  Stone: {rows: [{id: stone, count: 4}]}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody}
  hand: {holds: Card, per: player, seen_by: owner}
  pouch: {holds: Stone, per: player}
variables:
  gold: {per: player, type: 0..9}
  plan: {per: player, type: 0..9, seen_by: owner}
  trap: {type: 0..9, seen_by: nobody}
  open: {type: bool, start: true}
functions:
  richer(player p, player q): gold[p] > gold[q]
  holds_red(player p): any(c.colour == red for c in hand[p])
  same_plan(player p, player q): plan[p] == plan[q]
setup: |
  for c in Card:
    move c to deck
  for p in players:
    draw 2 from deck to hand[p]
  for s in Stone:
    move s to pouch[first_player]
actions:
  buy:
    with: card in hand[me], times in 1..3 where card.colour == red and times <= gold[me]
    pay: 2 gold[me]
    do: gold[me] += times
  spy:
    when: holds_red(me) and not holds_red(next(me))
    do: nothing
  dare:
    when: trap > 0
    do: nothing
  match_plan:
    when: same_plan(me, next(me))
    do: nothing
  wait_for:
    with: p in players where p != me
    when: open and richer(me, p) and plan[me] > 0
    do: nothing
  drop:
    with: s in pouch[me]
    do: remove s
  extra:
    only_if: more
    do: nothing
  rest: {do: nothing}
  pick_one:
    do: |
      choose c in Colour where c != blue by me "Which":
        open = true
phases:
  main:
    turns: {rounds: 9}
    actions: [buy, spy, dare, match_plan, wait_for, drop, extra, rest, pick_one]
"""


@pytest.fixture
def state(game_of):
    return game_of(GAME, 2).new_state(seed=1)


def without_place(reasons):
    """The reasons without the place in the spec, which ends each that has one."""
    return [reason.partition(" (")[0] for reason in reasons]


def test_what_is_possible_has_no_reason_against_it(state):
    for option in state.legal_actions():
        assert [] == state.why_not(str(option), 0)
    assert [] == state.why_not("drop( s = stone )", 0)


def test_a_cost_tells_what_is_there(state):
    (reason,) = state.why_not("buy(card=4_red, times=1)", 0)[:1]
    assert reason.startswith("needs 2 gold[player_1], has 0 (")
    assert reason.endswith("game.yaml:37)")


def test_a_condition_is_told_with_its_text_values_and_place(state):
    hand = state.view(0)["zones"]["hand"]["player_1"]["cards"]
    blue = next(card for card in hand if card.endswith("blue"))
    reasons = state.why_not(f"buy(card={blue}, times=3)", 0)
    assert [
        "needs 2 gold[player_1], has 0",
        "`card.colour == red` does not hold: card.colour is blue",
        "`times <= gold[me]` does not hold: gold[me] is 0",
    ] == without_place(reasons)
    assert all(reason.endswith(("game.yaml:37)", "game.yaml:36)")) for reason in reasons)


def test_a_component_from_elsewhere(state):
    reasons = state.why_not("buy(card=1_red, times=1)", 0)
    assert "`card` cannot be 1 red: it comes from `hand[me]`" == without_place(reasons)[-1]


def test_a_function_is_told_where_it_reads_nothing_hidden(state):
    assert [
        "`plan[me] > 0` does not hold: plan[me] is 0",
        "`richer(me, p)` does not hold",
        "`gold[p] > gold[q]` does not hold: gold[p] is 0 and gold[q] is 0",
    ] == without_place(state.why_not("wait_for(p=player_2)", 0))
    assert "`p != me` does not hold" in without_place(state.why_not("wait_for(p=player_1)", 0))


@pytest.mark.parametrize("action", ["dare", "match_plan"])
def test_what_reads_something_hidden_is_only_not_possible(game_of, action):
    state = game_of(GAME.replace("trap: {type: 0..9", "trap: {type: 0..9, start: 0").replace(
        "plan: {per: player, type: 0..9", "plan: {per: player, type: 0..9"
    ), 2).new_state()  # fmt: skip
    if action == "match_plan":
        state = changed_plan(state)
    assert ["this is not possible now"] == state.why_not(action, 0)


def changed_plan(state):
    import json

    data = editable(state)
    data["position"]["variables"]["plan"] = [0, 5]
    return state.game.state_from_json(json.dumps(data))


def test_the_part_of_a_condition_that_is_seen_is_told_and_the_other_is_not(state):
    own = ["`holds_red(me)` does not hold (game.yaml:40)", "`any(c.colour == red for c in hand[p])` does not hold"]
    for seat_has_red in (True, False):
        other = dealt(state, seat_has_red)
        reasons = other.why_not("spy", 0)
        if seat_has_red:
            assert ["this is not possible now"] == reasons
        else:
            assert own == [reasons[0], *without_place(reasons[1:])]


def dealt(state, mine):
    """The state in which the other seat has a red card, and the first has one, too, or not."""
    import json

    data = editable(state)
    ids = state.game.tables.ids["Card"]
    red = [i for i, id in enumerate(ids) if id.endswith("red")]
    rest = [i for i in range(len(ids)) if i not in red]
    deck, hand = state.game.layout.zones["deck"].base, state.game.layout.zones["hand"].base
    zones = data["position"]["zones"]
    zones[hand] = sorted([red[0], rest[0]]) if mine else rest[:2]
    zones[hand + 1] = sorted([red[1], rest[2]])
    zones[deck] = [i for i in range(len(ids)) if i not in zones[hand] + zones[hand + 1]]
    return state.game.state_from_json(json.dumps(data))


def test_the_same_is_told_whatever_is_hidden(state):
    """The hand of the other seat and the order of the deck make no difference to any reason."""
    texts = ["spy", "dare", "match_plan", "buy(card=1_red, times=1)", "wait_for(p=player_2)", "choose(c=red)", "x"]
    one, other = dealt(state, True), dealt(state, True)
    import json

    data = editable(other)
    zones = data["position"]["zones"]
    hand, deck = state.game.layout.zones["hand"].base + 1, state.game.layout.zones["deck"].base
    kept = zones[hand][:]
    zones[hand], zones[deck][-2:] = sorted([kept[0], zones[deck][-1]]), [zones[deck][-2], kept[1]]
    other = state.game.state_from_json(json.dumps(data))
    assert [one.why_not(text, 0) for text in texts] == [other.why_not(text, 0) for text in texts]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bui(card=1_red)", "there is no action `bui`; did you mean `buy`?"),
        ("pass", "`pass` is not among what player_1 can do now: `buy`, `spy`"),
        ("extra", "`extra` is not among what player_1 can do now: `buy`"),
        ("choose(c=red)", "`choose` is not among what player_1 can do now"),
        ("buy", "`buy` is written as `buy(card=..., times=...)`; with no arguments is it possible now"),
        ("drop", "`drop` is written as `drop(s=...)`; possible: `drop(s=stone)`"),
        ("buy()", "the argument `card` is missing: `buy(card=..., times=...)`"),
        ("buy(", "arguments are written as `buy(card=..., times=...)`"),
        ("buy(card=1_red, time=1)", "`buy` has no argument `time`; it has `card`, `times`"),
        ("buy(card=1_rde, times=1)", "`card` cannot be `1_rde`; did you mean `1_red`?"),
        ("buy(card=1_red, times=7)", "`times` cannot be `7`: it is a number from 1 to 3"),
        ("wait_for(p=nobody_at_all)", "`p` cannot be `nobody_at_all`; possible: `player_1`, `player_2`"),
        ("rest(x=1)", "`rest` has no argument `x`; it has none"),
        ("", "there is no action ``"),
        ("(((", "there is no action ``"),
    ],
)
def test_names_and_arguments(state, text, reason):
    assert state.why_not(text, 0)[0].startswith(reason)


def test_a_choice(state):
    state.apply("pick_one")
    (reason,) = state.why_not("choose(c=blue)", 0)
    assert "`c != blue` does not hold (game.yaml:61)" == reason
    assert ["`choose` is written as `choose(c=...)`; possible: `choose(c=red)`, `choose(c=green)`"] == state.why_not(
        "choose", 0
    )
    assert ["`rest` is not among what player_1 can do now: `choose`"] == state.why_not("rest", 0)


def test_another_seat_decides(state):
    assert ["player_1 decides now, not player_2"] == state.why_not("rest", 1)
    assert ["the seats are 0 to 1, not 7"] == state.why_not("rest", 7)


def test_chance_decides(park):
    state = park.new_state(chance="explicit")
    assert ["a random event comes first"] == state.why_not("take_pack", 0)


def test_the_game_is_over(state):
    while not state.is_over:
        state.apply("rest")
    assert ["the game is over"] == state.why_not("rest", 0)


def test_look_alikes_are_one(state):
    (reason,) = state.why_not("drop(s=pebble)", 0)
    assert reason.startswith("`s` cannot be `pebble`; possible: `stone`")
    state.apply("rest")
    assert ["`s` cannot be stone: it comes from `pouch[me]`"] == without_place(state.why_not("drop(s=stone)", 1))


def test_only_some_arguments_are_offered(game_of):
    state = game_of("""
        actions:
          take:
            with: n in 1..3
            do: nothing
        phases:
          main:
            do: |
              ask first_player: take(n=2)
        """).new_state()
    assert ["`take` is offered only with some arguments now: `take(n=2)`"] == state.why_not("take(n=1)", 0)
    assert [] == state.why_not("take(n=2)", 0)


def test_together_only_those_who_have_not_decided(game_of):
    state = game_of("""
        phases:
          main:
            do: |
              for p in players, together:
                choose n in 1..3 by p:
                  nothing
        """, 3).new_state()  # fmt: skip
    state.apply("choose(n=1)", seat=1)
    assert ["player_1 and player_3 decide now, not player_2"] == state.why_not("choose(n=2)", 1)
    assert [] == state.why_not("choose(n=2)", 2)


def test_every_action_of_a_game_has_a_reason_unless_it_is_possible(park):
    state = park.new_state(seed=4)
    for _ in range(12):
        seat = state.current_seat
        possible = set(map(str, state.legal_actions()))
        for action in list(park.action_table)[::7]:
            assert (str(action) in possible) == (state.why_not(str(action), seat) == [])
        state.apply(state.legal_actions()[0])


# ---------------------------------------------------------------- step by step

DEEP = """
types:
  Colour: [red, blue]
components:
  Card:
    fields: {n: 1..4, mark: Colour per face}
    faces: [front, back]
    rows:
      - {id: k1, n: 1, mark: [red, blue]}
      - {id: k2, n: 2, mark: [red, blue]}
      - {id: k3, n: 3, mark: [red, blue]}
      - {id: k4, n: 4, mark: [red, blue]}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
  row: {holds: Card, order: row, seen_by: everyone}
functions:
  places(player p, 1..9 most):
    doc: Where a marker may go. It never goes beyond the middle.
    is: |
      let free = those(x in 1..9 where x not in taken)
      if most < 5:
        return those(x in free where x <= most)
      return free
  all_low(player p):
    doc: All cards of the row are low.
    is: all(c.n < 3 and c.mark == red for c in row)
variables:
  taken: {type: set of 1..9, start: "[2]"}
  limit: {type: 1..9, start: 4}
  secret: {type: 0..9, seen_by: nobody}
setup: |
  for c in Card where c.n == 2: move c to row
  for p in players: draw 1 from deck to hand[p]
actions:
  put: {with: "x in places(me, limit)", do: nothing}
  go: {when: all_low(me), do: nothing}
  raise_it: {when: "limit + 1 <= 4 or limit > 8", do: nothing}
  peek: {with: "c in Card where c.mark == red and c.n > 2", do: nothing}
  pick:
    do: |
      let least = 2
      choose exactly 2 y in 1..5 where y > least and y not in taken by me:
        nothing
  guess:
    do: |
      let wanted = secret
      choose y in 1..5 where y > wanted + 1 by me:
        nothing
  rest: {do: nothing}
phases:
  main:
    turns: {rounds: 9}
    actions: [put, go, raise_it, peek, pick, guess, rest]
invariants:
  low_limit: limit < 5 and all(c.n < 3 for c in row)
"""


@pytest.fixture
def deep(game_of):
    return game_of(DEEP, 2).new_state(seed=1)


def test_a_domain_is_followed_into_functions_and_their_conditions(deep):
    assert [
        "`x` cannot be 6: it comes from `places(me, limit)`",
        "`places`: Where a marker may go. It never goes beyond the middle",
        "`x <= most` does not hold: x is 6 and most is 4",
    ] == without_place(deep.why_not("put(x=6)", 0))
    assert "`x not in taken` does not hold: taken is 2" == without_place(deep.why_not("put(x=2)", 0))[-1]
    assert all(reason.endswith(")") and "game.yaml:" in reason for reason in deep.why_not("put(x=6)", 0))


def test_an_all_tells_the_first_member_for_which_it_does_not_hold(deep):
    state = edited(deep, lambda position: position["faces"]["Card"].__setitem__(1, 1))
    assert [
        "`all_low(me)` does not hold: All cards of the row are low",
        "`c.mark == red` does not hold: c is k2 and c.mark is blue",
    ] == without_place(state.why_not("go", 0))


def edited(state, change):
    import json

    data = editable(state)
    change(data["position"])
    return state.game.state_from_json(json.dumps(data))


def test_both_sides_of_a_comparison_are_told(deep):
    assert [
        "`limit + 1 <= 4` does not hold: limit + 1 is 5",
        "`limit > 8` does not hold: limit is 4",
    ] == without_place(deep.why_not("raise_it", 0))


def test_what_is_read_of_a_hidden_component_is_not_told_and_of_one_in_sight_it_is(deep):
    assert ["`c.n > 2` does not hold: c.n is 2"] == without_place(deep.why_not("peek(c=k2)", 0))
    turned = edited(deep, lambda position: position["faces"]["Card"].__setitem__(1, 1))
    assert ["`c.mark == red` does not hold: c.mark is blue", "`c.n > 2` does not hold: c.n is 2"] == without_place(
        turned.why_not("peek(c=k2)", 0)
    )
    for face in (0, 1):
        hidden = edited(deep, lambda position, face=face: position["faces"]["Card"].__setitem__(2, face))
        assert ["k3"] == hidden.view(1)["zones"]["hand"]["player_2"]["cards"]
        assert (["this is not possible now"] if face else []) == hidden.why_not("peek(c=k3)", 0)


def test_a_choice_in_the_middle_of_effects(deep):
    deep.apply("pick")
    assert ["`y > least` does not hold: least is 2"] == without_place(deep.why_not("choose(y=1)", 0))
    assert ["`y > least` does not hold: least is 2", "`y not in taken` does not hold: taken is 2"] == without_place(
        deep.why_not("choose(y=2)", 0)
    )
    deep.apply("choose(y=4)")
    told = "`choose(y=3)` is not among the choices: items are picked in their order, enough of them"
    assert [told] == deep.why_not("choose(y=3)", 0)
    assert ["`done` is not among what player_1 can do now: `choose`"] == deep.why_not("done", 0)


def test_a_choice_that_rests_on_something_hidden(deep):
    deep.apply("guess")
    assert ["this is not possible now"] == deep.why_not("choose(y=1)", 0)


def test_invariants_that_do_not_hold_have_values_and_places(deep):
    assert [] == broken(deep)
    state = edited(deep, lambda position: position["variables"].__setitem__("limit", 7))
    (told,) = broken(state)
    assert "the invariant `low_limit` does not hold\n  `limit < 5`: limit is 7 (game.yaml:61)" == told


def test_a_piece_that_would_not_lie_on_the_board():
    game = interpreter.load_game("paperbag-dungeon-chill")
    state = game.new_state(seed=1)
    (card,) = {option.args["card"] for option in state.legal_actions() if option.name == "build_drawn"}
    corner = game.tables.ids["Table"][-1]
    (reason,) = state.why_not(f"build_drawn(card={card}, spot={corner}/0)", 0)
    assert reason.startswith(f"`spot` cannot be {corner}/0: ")
    assert reason.endswith(" does not lie on the Table like that")


def test_builds_and_flips_of_laid_cards_are_explained():
    """Every refused build of a real game names a rule: that floor meets floor, and what the card would cover."""
    game = interpreter.load_game("paperbag-dungeon-warden")
    chance, spending, overlapping = random.Random(4), set(), 0
    for seed in range(4):
        state = game.new_state(seed)
        for _ in range(30):
            if state.is_over:
                break
            options = state.legal_actions()
            if options[0].name == "build_drawn":
                card = options[0].args["card"]
                offered = {option.args["spot"] for option in options if option.args["card"] == card}
                touching = game.module().function("f_joining")(state._position, 0, game.tables.numbers["Card"][card])
                ids = game.tables.ids["Table"]
                near = [f"{ids[space]}/{turns}" for space, turns in touching if f"{ids[space]}/{turns}" not in offered]
                for spot in near[:2]:
                    first, rule, *_, last = state.why_not(f"build_drawn(card={card}, spot={spot})", 0)
                    assert "it comes from `build_spots(me, card)`" in first
                    assert "It may overlap hatched margins, but only if it fits nowhere without overlapping" in rule
                    assert last.endswith(".yaml:" + last.rpartition(":")[2]) and " does not hold" in last
                    overlapping += "`shown(dungeon, x) == none` does not hold: x is " in last
                far = next(space for space in ids if f"{space}/0" not in {*near, *offered})
                reason = state.why_not(f"build_drawn(card={card}, spot={far}/0)", 0)[-1]
                assert "so that its floor touches the floor of one of your tunnels" in reason
            for card in state.zones["dungeon"] if "flip_card" in {o.name for o in options} else ():
                for text in (f"flip_card(card={card}, gems=0)", f"spend_gems(card={card})"):
                    reasons = state.why_not(text, 0)
                    assert reasons != ["this is not possible now"], text
                    spending |= {reason.partition("`")[2].partition("`")[0] for reason in reasons}
            state.apply(chance.choice(options))
    assert overlapping
    assert "c.gems > 0" in spending


GAMES = [game.id for game in installed_games()]
CLASSICS = Path(__file__).parents[1] / "conformance" / "games"


@pytest.mark.parametrize("name", [*GAMES, *(str(CLASSICS / f"{n}.yaml") for n in ("gin_rummy", "hearts"))])
def test_in_every_game_a_reason_is_the_same_whatever_is_hidden(name):
    """What is asked: what is written in the tables of options, at random, and what stands in the other's options."""
    game = interpreter.load_game(name)
    chance = random.Random(8)
    table = game.action_table
    compared = 0
    for seed in range(2):
        state = game.new_state(seed)
        for _ in range(60):
            if state.is_over:
                break
            if chance.random() < 0.2:
                seat = state.deciding_seats()[0]
                other = hidden_twin(state, seat, chance)
                if other is not None and other.view(seat) == state.view(seat):
                    for text in [str(table[chance.randrange(len(table))]) for _ in range(12)]:
                        compared += 1
                        assert state.why_not(text, seat) == other.why_not(text, seat), text
            state.apply(*random_decision(state, chance)[::-1])
    assert compared or game.facts.perfect_information


@pytest.mark.parametrize("name", GAMES)
def test_every_condition_of_every_game_can_be_asked(name):
    """The reasons of all actions can be compiled, and asking for an action without its arguments always helps."""
    game = interpreter.load_game(name)
    state = game.new_state(seed=3)
    game.conditions.prepare_all()
    for action in game.spec.actions.values():
        if game.holds(action.only_if):
            assert state.why_not(action.name, state.current_seat) or action.selection is None
