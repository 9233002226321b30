"""What each seat sees, and that it depends on nothing else."""

import json
import random

import pytest

from interpreter.testing import editable

CARDS = """
options:
  more: {type: bool, default: false}
types:
  Colour: [red, blue]
components:
  Card: {fields: {n: 1..6}, rows: all}
  Coin: {faces: [heads, tails], rows: [{id: coin, count: 2}]}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, top_seen_by: everyone}
  hand: {holds: Card, per: player, seen_by: owner}
  shelf: {holds: Card, per: [player, Colour], seen_by: everyone}
  bag: {holds: Coin, seen_by: nobody, count_seen_by: owner_or_none}
  table: {holds: Coin}
  extra: {holds: Card, only_if: more}
variables:
  mark: {per: Card, type: 0..9}
  wear: {per: Coin, type: 0..9}
  purse: {per: player, type: 0..9, seen_by: owner}
  secret: {type: 0..9, seen_by: nobody}
  share: {type: 0..2 by 1/2}
  last: {type: optional Colour}
  odd: {type: bool, only_if: more}
setup: |
  for c in Card:
    move c to deck
  for p in players:
    draw 2 from deck to hand[p]
  for c in Coin:
    move c to table
    turn c over
  share = 1/2
  purse[first_player] = 3
  for c in Card:
    mark[c] = c.n
actions:
  put:
    with: card in hand[me], colour in Colour
    do: |
      move card to shelf[me, colour]
      last = colour
phases:
  main:
    turns: {rounds: 2}
    actions: [put]
result:
  score: purse[p]
""".replace("count_seen_by: owner_or_none", "count_seen_by: nobody")


@pytest.fixture
def state(game_of):
    return game_of(CARDS, 2).new_state(seed=1)


def test_a_view_is_plain_json(state):
    for seat in (None, 0, 1):
        view = state.view(seat)
        assert view == json.loads(json.dumps(view))


def test_a_hand_is_seen_by_its_owner_only(state):
    assert {"count": 2, "cards": ["5", "6"]} == state.view(0)["zones"]["hand"]["player_1"]
    assert {"count": 2} == state.view(0)["zones"]["hand"]["player_2"]
    assert {"count": 2} == state.view()["zones"]["hand"]["player_1"]


def test_a_top_that_is_seen(state):
    assert {"count": 2, "top": "2"} == state.view()["zones"]["deck"]


def test_indices_nest(state):
    state.apply("put(card=5, colour=blue)")
    shelf = state.view(1)["zones"]["shelf"]["player_1"]
    assert {"red": {"count": 0, "cards": []}, "blue": {"count": 1, "cards": ["5"]}} == shelf


def test_a_hidden_count_is_null(state):
    assert {"count": None} == state.view(0)["zones"]["bag"]


def test_faces_stand_beside_the_cards(state):
    assert {"count": 2, "cards": ["coin", "coin"], "faces": ["tails", "tails"]} == state.view(0)["zones"]["table"]


def test_what_options_switch_off_and_boxes_are_left_out(state, game_of):
    view = state.view(0)
    assert {"deck", "hand", "shelf", "bag", "table"} == set(view["zones"])
    assert "odd" not in view["variables"]
    assert "extra" in game_of(CARDS, 2, {"more": True}).new_state().view(0)["zones"]


def test_variables_are_left_out_where_they_are_hidden(state):
    assert {"player_1": 3} == state.view(0)["variables"]["purse"]
    assert {"player_2": 0} == state.view(1)["variables"]["purse"]
    assert "purse" not in state.view()["variables"]
    assert "secret" not in state.view(0)["variables"]


def test_a_variable_per_component_is_seen_where_the_component_is(state):
    assert {"2": 2, "5": 5, "6": 6} == state.view(0)["variables"]["mark"]
    assert {"2": 2} == state.view()["variables"]["mark"]


def test_look_alikes_are_numbered_as_they_are_seen(state):
    assert {"coin": 0, "coin#2": 0} == state.view(0)["variables"]["wear"]


def test_values_in_views(state):
    variables = state.view(0)["variables"]
    assert ("1/2", None) == (variables["share"], variables["last"])
    state.apply("put(card=5, colour=red)")
    assert "red" == state.view(0)["variables"]["last"]


def test_phase_turn_and_options(state):
    view = state.view(0)
    assert (["main"], 0, [0], False) == (view["phase"], view["turn"], view["deciding"], view["over"])
    assert [str(option) for option in state.legal_actions()] == view["options"]
    assert "options" not in state.view(1)
    assert "prompt" not in state.view()


def test_the_end(state):
    while not state.is_over:
        state.apply(state.legal_actions()[0])
    view = state.view(1)
    assert ([0], [3, 0], [], []) == (view["winners"], view["scores"], view["phase"], view["deciding"])


def test_there_must_be_such_a_seat(state):
    with pytest.raises(ValueError, match="the seats are 0 to 1, not 2"):
        state.view(2)


def test_full_information(state):
    assert [["5", "6"], ["3", "4"]] == state.zones["hand"]
    assert ["2", "1"] == state.zones["deck"]
    assert {"red": [], "blue": []} == state.zones["shelf"][0]
    assert [3, 0] == state.variables["purse"]
    assert 4 == state.variables["mark"]["4"]
    assert {"coin": 0, "coin#2": 0} == state.variables["wear"]
    assert 0 == state.variables["secret"]


# ---------------------------------------------------------------- nothing hidden shows


def swapped(state, one, other):
    """The state with the first cards of two zone instances exchanged."""
    data = editable(state)
    zones = data["position"]["zones"]
    zones[one][0], zones[other][0] = zones[other][0], zones[one][0]
    layout = state.game.layout
    for number in (one, other):
        if layout.zones[layout.instances[number][0]].zone.order == "none":
            zones[number].sort()
    return state.game.state_from_json(json.dumps(data))


def test_views_do_not_depend_on_what_is_hidden(park):
    chance = random.Random(5)
    hand, deck = park.layout.zones["hand"].base, park.layout.zones["deck"].base
    state = park.new_state(seed=3)
    compared = 0
    for _ in range(40):
        state.apply(chance.choice(state.legal_actions()))
        z = state._position.z
        for mine, (one, other) in ((0, (hand + 1, hand + 2)), (1, (hand + 2, deck)), (2, (hand, deck))):
            if state.current_seat == mine and z[one] and z[other]:
                changed = swapped(state, one, other)
                assert state.view(mine) == changed.view(mine)
                assert state.view() == changed.view()
                compared += 1
    assert compared > 20


# ---------------------------------------------------------------- together

BIDS = """
components:
  Card: {fields: {of: player, n: 1..3}, rows: all}
zones:
  hand: {holds: Card, per: player, seen_by: owner}
  bid: {holds: Card, per: player}
variables:
  ready: {per: player, type: bool}
setup: |
  for c in Card:
    move c to hand[c.of]
phases:
  bidding:
    do: |
      for p in players, together:
        choose c in hand[p] by p "Bid":
          move c to bid[p]
        choose c in hand[p] by p "Bid again":
          move c to bid[p]
        ready[p] = true
      for p in players:
        choose x in 1..2 by p "After":
          ready[p] = false
"""


def test_what_others_do_together_is_seen_at_the_end(game_of):
    state = game_of(BIDS, 2).new_state()
    before = state.view(1)
    state.apply("choose(c=player_1_2)", seat=0)
    assert before == state.view(1)
    assert ["player_1_2"] == state.view(0)["zones"]["bid"]["player_1"]["cards"]
    assert 0 == state.view()["zones"]["bid"]["player_1"]["count"]
    assert "Bid again" == state.view(0)["prompt"]
    state.apply("choose(c=player_2_1)", seat=1)
    state.apply("choose(c=player_2_2)", seat=1)
    assert state.view(1)["variables"]["ready"] == {"player_1": False, "player_2": True}
    assert state.view(0)["variables"]["ready"] == {"player_1": False, "player_2": False}
    state.apply("choose(c=player_1_3)", seat=0)
    for seat in (0, 1, None):
        assert ["player_1_2", "player_1_3"] == state.view(seat)["zones"]["bid"]["player_1"]["cards"]
        assert state.view(seat)["variables"]["ready"] == {"player_1": True, "player_2": True}
