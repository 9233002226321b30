"""Why something is not possible, in words, and no more than the seat may know."""

import pytest

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
    assert ["`plan[me] > 0` does not hold: plan[me] is 0", "`richer(me, p)` does not hold"] == without_place(
        state.why_not("wait_for(p=player_2)", 0)
    )
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

    data = json.loads(state.to_json())
    data["position"]["variables"]["plan"] = [0, 5]
    return state.game.state_from_json(json.dumps(data))


def test_the_part_of_a_condition_that_is_seen_is_told_and_the_other_is_not(state):
    reasons = state.why_not("spy", 0)
    assert reasons in ([], ["this is not possible now"]) or ["`holds_red(me)` does not hold"] == without_place(reasons)
    for seat_has_red in (True, False):
        other = dealt(state, seat_has_red)
        expected = ["this is not possible now"] if seat_has_red else ["`holds_red(me)` does not hold"]
        assert expected == without_place(other.why_not("spy", 0))


def dealt(state, mine):
    """The state in which the other seat has a red card, and the first has one, too, or not."""
    import json

    data = json.loads(state.to_json())
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

    data = json.loads(other.to_json())
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
        ("buy", "the argument `card` is missing: `buy(card=..., times=...)`"),
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
    assert "`choose(c=blue)` is not among the choices: `choose(c=red)`, `choose(c=green)`" == reason
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
    assert ["`take` is offered only with some arguments now"] == state.why_not("take(n=1)", 0)
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
