"""States as texts: exact at every decision, and nothing that does not fit is let in."""

import json
import random

import pytest

from interpreter import SaveError, State
from interpreter.testing import editable

SEATS = (None, 0, 1)


def step(state, chance):
    """One random decision, of any seat that may decide."""
    if state.current_seat == -1:
        state.apply(chance.choice(state.chance_outcomes())[0])
    else:
        seat = chance.choice(state.deciding_seats())
        state.apply(chance.choice(state.legal_actions(seat)), seat)


def changed(state, change):
    """The text of a state in which `change` was done to the data."""
    data = editable(state)
    change(data)
    return json.dumps(data)


ALL_KINDS = """
types:
  Colour: [red, blue, green]
components:
  Card: {rows: [{id: x, count: 3}, {id: y, count: 2}], faces: [front, back]}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
  slot: {holds: one Card, per: Colour}
  line: {holds: Card, order: row, max: 3}
variables:
  share: {per: player, type: 0..99 by 1/2}
  some: {type: set of Colour}
  best: {per: Colour, type: optional player}
  low: {type: 2..5}
  bid: {per: player, type: 0..99, seen_by: owner}
records:
  seen: {of: [hand, share]}
setup: |
  shuffle deck
  for p in players:
    draw 2 from deck to hand[p]
actions:
  lay:
    with: card in hand[me], colour in Colour where not slot[colour]
    do: |
      move card to slot[colour]
      turn card over
      some = some + [colour]
      best[colour] = me
      share[me] += 1 / 2
      record seen
      choose exactly 2 n in 1..4 by me "Twice":
        bid[me] += n
      choose other in 1..3 by chance:
        low = other + 1
  rest: {do: nothing}
phases:
  round:
    repeat_until: count(deck) == 0
    phases:
      bidding:
        do: |
          for p in players, together:
            choose n in 0..3 by p "Bid":
              bid[p] = n
            choose n in 0..2 by p "And again":
              bid[p] += n
          for p in players:
            draw 1 from deck to line
      play:
        turns: {rounds: 1}
        actions: [lay, rest]
result:
  score: bid[p]
"""


@pytest.mark.parametrize("chance", ["seeded", "explicit"])
@pytest.mark.parametrize("seed", range(3))
def test_a_loaded_state_goes_on_in_the_same_way(game_of, chance, seed):
    game = game_of(ALL_KINDS, 2)
    r = random.Random(seed)
    state = game.new_state(seed=seed, chance=chance)
    decisions = 0
    while not state.is_over:
        text = state.to_json()
        loaded = game.state_from_json(text)
        assert text == loaded.to_json()
        assert [state.view(seat) for seat in SEATS] == [loaded.view(seat) for seat in SEATS]
        assert [state.log(seat) for seat in SEATS] == [loaded.log(seat) for seat in SEATS]
        assert list(map(str, state.legal_actions())) == list(map(str, loaded.legal_actions()))
        other, one, two = state.clone(), random.Random(decisions), random.Random(decisions)
        for _ in range(6):
            if not other.is_over:
                step(other, one)
                step(loaded, two)
        assert other.to_json() == loaded.to_json()
        assert [other.log(seat) for seat in SEATS] == [loaded.log(seat) for seat in SEATS]
        step(state, r)
        decisions += 1
    assert decisions > 5
    over = game.state_from_json(state.to_json())
    assert (state.winners, state.scores, state.to_json()) == (over.winners, over.scores, over.to_json())


def test_a_whole_game_can_be_saved_at_every_decision(park):
    r = random.Random(1)
    state = park.new_state(seed=8)
    while not state.is_over:
        loaded = park.state_from_json(state.to_json())
        assert state.to_json() == loaded.to_json()
        step(state, r)
        loaded.apply(str(state.history[-1][1]), state.history[-1][0])
        assert state.to_json() == loaded.to_json()
    assert state.log(1) == loaded.log(1)


def test_the_text_is_the_same_in_every_process(game_of):
    one, other = game_of(ALL_KINDS, 2), game_of(ALL_KINDS, 2)
    assert one.new_state(seed=5).to_json() == other.new_state(seed=5).to_json()
    assert one.new_state(seed=5).to_json() == other.state_from_json(one.new_state(seed=5).to_json()).to_json()


def test_a_state_that_does_not_start_with_a_new_game(game_of):
    """Scenarios put a position on the table; the history starts there."""
    game = game_of(ALL_KINDS, 2)
    before = game.new_state(seed=2)
    for _ in range(4):
        before.apply(before.legal_actions()[0])
    state = State(game, before._module, before._position.clone(), 2, None, before._position.clone())
    assert [] == state.log(0)
    for _ in range(5):
        state.apply(state.legal_actions()[0])
        before.apply(before.legal_actions()[0])
        loaded = game.state_from_json(state.to_json())
        assert state.to_json() == loaded.to_json()
        assert state.log(0) == loaded.log(0) == before.log(0)[-len(state.log(0)) :]
    assert state.view(1) == before.view(1)


# ---------------------------------------------------------------- what is refused


@pytest.fixture
def state(game_of):
    state = game_of(ALL_KINDS, 2).new_state(seed=1)
    for text in ("choose(n=1)", "choose(n=2)"):
        for seat in (0, 1):
            state.apply(text, seat)
    assert "rest" in map(str, state.legal_actions())
    return state


def refused(state, text):
    with pytest.raises(SaveError) as caught:
        state.game.state_from_json(text)
    return str(caught.value)


def test_a_text_that_is_cut_off(state):
    text = state.to_json()
    for length in (0, 1, 50, len(text) // 2, len(text) - 1):
        assert "this is no save, or it is cut off" in refused(state, text[:length])


@pytest.mark.parametrize("text", ["[]", "7", "{}", '"save"', "null", "[" * 100_000])
def test_json_that_is_no_save(state, text):
    assert "this is no save" in refused(state, text)


def test_a_later_format(state):
    assert "has format 99" in refused(state, changed(state, lambda data: data.update(format=99)))


def test_another_game(state):
    assert "of the game `chess`, not of `tiny`" in refused(
        state, changed(state, lambda data: data.update(game="chess"))
    )


def test_other_rules(state, game_of):
    text = state.to_json()
    other = game_of(ALL_KINDS.replace("max: 3", "max: 4"), 2)
    with pytest.raises(SaveError, match="the rules of `tiny` have changed since this was saved"):
        other.state_from_json(text)


def test_another_number_of_players(state, game_of):
    with pytest.raises(SaveError, match="for 2 players, and this game for 3"):
        game_of(ALL_KINDS, 3).state_from_json(state.to_json())


def test_other_options(park):
    import interpreter

    other = interpreter.Game(park.spec, 3, {"tactical": True})
    with pytest.raises(SaveError, match="other options: tactical is false in the save and true here"):
        other.state_from_json(park.new_state().to_json())


def put(*path):
    """A change that puts a value at a path of the position."""
    *names, last, value = path

    def change(data):
        part = data["position"]
        for name in names:
            part = part[name]
        part[last] = value

    return change


def twice(data):
    zones = data["position"]["zones"]
    full = next(zone for zone in zones if zone)
    full.append(full[0])


@pytest.mark.parametrize(
    "change",
    [
        twice,
        put("zones", []),
        put("zones", 0, [0, 99]),
        put("zones", 0, None),
        put("variables", "low", 7),
        put("variables", "low", True),
        put("variables", "low", "3"),
        put("variables", "low", {"f": "7/2"}),
        put("variables", "share", [0]),
        put("variables", "share", 0, {"f": "1/3"}),
        put("variables", "some", 8),
        put("variables", "best", 0, 2),
        put("variables", {}),
        put("faces", "Card", [0, 0, 0, 0, 2]),
        put("spots", {"Card": []}),
        put("memory", "seen", 7),
        put("random", [1]),
        put("random", 0, -1),
        put("turn", 2),
        put("over", "no"),
        put("over", True),
        put("outcome", {"t": [{"t": [5]}, ""]}),
        put("seat", 4),
        put("seat", -1),
        put("decision", 99),
        put("decision", None),
        put("stack", []),
        put("stack", 0, [0]),
        put("stack", 0, 0, 99),
        put("stack", 0, 1, 99),
        put("stack", -1, 1, 0),
        put("unknown", [[0, 0, 1]]),
        lambda data: data.pop("position"),
        lambda data: data.pop("history"),
        lambda data: data["history"].append([0, "dance"]),
        lambda data: data["history"].append([7, "rest"]),
        lambda data: data["history"].append("rest"),
        lambda data: data.update(seed="one"),
        lambda data: data.update(chance="dice"),
        lambda data: data["position"].pop("zones"),
        lambda data: data["position"].update(branches=[]),
        lambda data: data["position"].update(branches=[[0, [], 0]], before={"begun": [[0, []]]}),
    ],
)
def test_a_text_that_was_edited_so_that_it_does_not_fit(state, change):
    assert "this save is damaged" in refused(state, changed(state, change))


def test_a_text_that_was_edited_is_told_by_its_check(state):
    text = state.to_json()
    (low,) = {json.loads(text)["position"]["variables"]["low"]}
    other = text.replace(f'"low":{low}', f'"low":{low + 1}')
    assert text != other
    assert "this save is damaged: it is not as it was written; its `check` does not fit" == refused(state, other)


def test_a_history_that_cannot_be_played_is_found_when_the_log_is_asked_for(state):
    text = changed(state, lambda data: data["history"].insert(0, [1, "rest"]))
    loaded = state.game.state_from_json(text)
    with pytest.raises(SaveError, match=r"^this save is damaged: its history cannot be played: "):
        loaded.log(0)


def test_a_text_in_which_any_part_is_missing_is_refused_or_means_the_same(game_of):
    """Every part is taken out in turn, also while seats decide together; nothing else than SaveError may come of it."""
    for decisions in (0, 1, 4):
        state = game_of(ALL_KINDS, 2).new_state(seed=1)
        for _ in range(decisions):
            state.apply(state.legal_actions()[0])
        for path in list(paths(editable(state))):
            data = editable(state)
            part = data
            for name in path[:-1]:
                part = part[name]
            del part[path[-1]]
            try:
                loaded = state.game.state_from_json(json.dumps(data))
                loaded.view(0)
            except SaveError:
                continue


def paths(data, before=()):
    """The paths of all parts of JSON data."""
    parts = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    for name, part in parts:
        yield (*before, name)
        yield from paths(part, (*before, name))
