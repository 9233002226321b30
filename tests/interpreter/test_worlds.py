"""`State.sample_world`: states that a seat could be in."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

import interpreter
from interpreter import CHANCE, Game, State, load_game
from interpreter.errors import WorldError
from interpreter.testing import random_decision
from interpreter.worlds.observed import observe
from interpreter.worlds.twins import hidden_twin, rerooted
from rulespec.packs import installed_games

ROOT = Path(__file__).parents[2]
CONFORMANCE = ROOT / "tests" / "conformance" / "games"
SMALL = ["kuhn_poker", "leduc_poker", "liars_dice", "goofspiel", "crazy_eights", "gin_rummy", "spades"]

SHOWN = """\
rulespec: 1
id: shown
title: Shown
players: 2
about: Cards are shown and put back, and somebody may have to play one.
components:
  Card: {fields: {value: 1..9}, rows: all, label: "Card {value}"}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
  pile: {holds: Card, order: stack, seen_by: everyone}
variables:
  bid: {per: player, type: 0..9, seen_by: owner}
setup: |
  shuffle deck
  for p in players:
    draw 3 from deck to hand[p]
actions:
  show:
    with: card in hand[me]
    do: reveal card to everyone
  put_back:
    with: card in hand[me]
    do: |
      move card to deck
      shuffle deck
      draw 1 from deck to hand[me]
  play_high:
    doc: Only whoever has a high card may play one.
    with: card in hand[me] where card.value > 6
    do: move card to pile
  have_none:
    doc: Only whoever has no high card may say so.
    when: all(c.value < 7 for c in hand[me])
    do: say "No high card"
  set_bid:
    with: n in 0..9
    do: bid[me] = n
  show_bid:
    do: reveal bid[me] to everyone
phases:
  play:
    turns: {times: 12}
    actions: [show, put_back, play_high, have_none, set_bid, show_bid]
"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("worlds") / "game.yaml"
    path.write_text(SHOWN, encoding="utf-8")
    return load_game(str(path))


def conformance(name: str, players: int | None = None) -> Game:
    return load_game(str(CONFORMANCE / f"{name}.yaml"), players=players)


def played(game: Game, seed: int, decisions: int, chance: str = "seeded") -> State:
    state, chooser = game.new_state(seed, chance=chance), random.Random(seed)
    for _ in range(decisions):
        if state.is_over:
            break
        if state.current_seat == CHANCE:
            outcomes = state.chance_outcomes()
            state.apply(chooser.choices([o for o, _ in outcomes], [float(p) for _, p in outcomes])[0])
        else:
            seat, action = random_decision(state, chooser)
            state.apply(action, seat)
    return state


def check_world(state: State, seat: int | None, world: State) -> None:
    """A world is the same to the seat: now, in all that it has seen, and so in the worlds that come of it."""
    assert state.view(seat) == world.view(seat)
    assert state.log(seat) == world.log(seat)
    assert observe(state, seat).plain() == observe(world, seat).plain()
    assert [who for who, _ in state.history] == [who for who, _ in world.history]
    own = [[str(action) for who, action in of.history if who == seat] for of in (state, world)]
    assert own[0] == own[1]
    again = world.sample_world(seat, random.Random(3))
    assert again.to_json() == state.sample_world(seat, random.Random(3)).to_json()


def check_plays_on(world: State) -> None:
    chooser = random.Random(5)
    before = world.to_json()
    copy = world.clone()
    for _ in range(6):
        if copy.is_over:
            break
        if copy.current_seat == CHANCE:
            copy.apply(copy.chance_outcomes()[0][0])
            continue
        seat, action = random_decision(copy, chooser)
        assert copy.why_not(action, seat) == []
        copy.apply(action, seat)
    assert copy.log(0)[: len(world.log(0)) - 1] == world.log(0)[:-1]
    assert before == world.to_json()
    loaded = world.game.state_from_json(before)
    assert loaded.view(0) == world.view(0) and loaded.legal_actions() == world.legal_actions()


def check_game_of_worlds(game: Game, seed: int, places: list[int]) -> None:
    found = 0
    for decisions in places:
        state = played(game, seed, decisions)
        for seat in (*range(game.seats), None):
            try:
                world = state.sample_world(seat, random.Random(decisions))
            except WorldError:
                continue
            found += 1
            check_world(state, seat, world)
            check_plays_on(world)
    assert found >= len(places) * game.seats


@pytest.mark.parametrize("name", SMALL)
def test_worlds_of_games_with_hidden_cards(name: str) -> None:
    check_game_of_worlds(conformance(name), 1, [1, 4, 11])


@pytest.mark.parametrize("name", [game.id for game in installed_games()])
def test_worlds_of_shipped_games(name: str) -> None:
    check_game_of_worlds(load_game(name), 2, [5, 24])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", [*SMALL, "hearts", "go_fish", *(game.id for game in installed_games())])
def test_worlds_of_many_games(name: str, seed: int) -> None:
    game = conformance(name) if (CONFORMANCE / f"{name}.yaml").exists() else load_game(name)
    check_game_of_worlds(game, seed, [3, 30, 60, 100])


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "liars_dice", "goofspiel"])
def test_worlds_with_explicit_chance(name: str) -> None:
    game = conformance(name)
    for decisions in range(2, 16, 3):
        state = played(game, 4, decisions, chance="explicit")
        for seat in (0, 1, None):
            world = state.sample_world(seat, random.Random(1))
            assert world.is_explicit
            check_world(state, seat, world)
            check_plays_on(world)


def test_all_that_is_not_seen_is_drawn_anew() -> None:
    """Of three cards a seat has one: the other has each of the two that are left in about half of the worlds."""
    state = conformance("kuhn_poker").new_state(seed=7)
    own = state.zones["hand"][0]
    chance = random.Random(2)
    others = Counter(state.sample_world(0, chance).zones["hand"][1] for _ in range(400))
    assert own not in others and len(others) == 2
    assert all(150 < count < 250 for count in others.values())
    assert {"jack", "queen", "king"} == {state.sample_world(None, chance).zones["hand"][1] for _ in range(40)}


def test_states_that_are_the_same_to_a_seat_give_the_same_worlds() -> None:
    game = conformance("kuhn_poker")
    by_card: dict[str, list[State]] = {}
    for seed in range(12):
        state = game.new_state(seed)
        by_card.setdefault(state.zones["hand"][0], []).append(state)
    for states in by_card.values():
        worlds = {state.sample_world(0, random.Random(9)).to_json() for state in states}
        assert len(worlds) == 1
    assert len(by_card) == 3


def test_the_same_chance_gives_the_same_world(shown: Game) -> None:
    state = played(shown, 3, 6)
    assert state.sample_world(0, random.Random(1)).to_json() == state.sample_world(0, random.Random(1)).to_json()
    assert len({state.sample_world(0, random.Random(n)).to_json() for n in range(8)}) > 1


def test_what_was_shown_stays_known(shown: Game) -> None:
    state = shown.new_state(5)
    card = state.zones["hand"][0][0]
    state.apply(f"show(card={card})")
    for seat in (1, None):
        for seed in range(20):
            assert card in state.sample_world(seat, random.Random(seed)).zones["hand"][0]


def test_what_was_put_back_may_lie_anywhere(shown: Game) -> None:
    state = shown.new_state(5)
    card = state.zones["hand"][0][0]
    state.apply(f"show(card={card})")
    state.apply("set_bid(n=1)")
    held: Counter[bool] = Counter()
    while state.zones["deck"].count(card) == 0:
        state.apply(f"put_back(card={card})" if state.current_seat == 0 else "set_bid(n=1)")
    for seed in range(200):
        world = state.sample_world(1, random.Random(seed))
        held[card in world.zones["hand"][0]] += 1
        assert card in world.zones["hand"][0] or card in world.zones["deck"]
    assert held[False]


def test_what_somebody_could_not_do_they_do_not_hold(shown: Game) -> None:
    """Whoever has said that they have no high card has none; whoever has played one had it."""
    seen = Counter[str]()
    for seed in range(30):
        state = shown.new_state(seed)
        names = [str(option) for option in state.legal_actions() if option.name in ("have_none", "play_high")]
        state.apply(names[0])
        for number in range(5):
            world = state.sample_world(1, random.Random(number))
            hand = [int(card) for card in world.zones["hand"][0]]
            if names[0] == "have_none":
                assert max(hand) < 7
            else:
                assert world.zones["pile"] == state.zones["pile"]
        seen[names[0].partition("(")[0]] += 1
    assert set(seen) == {"have_none", "play_high"}


def test_hidden_values_are_drawn_until_they_are_shown(shown: Game) -> None:
    state = shown.new_state(1)
    state.apply("set_bid(n=7)")
    bids = {state.sample_world(1, random.Random(seed)).variables["bid"][0] for seed in range(60)}
    assert len(bids) > 5
    assert state.sample_world(0, random.Random(0)).variables["bid"][0] == 7
    state.apply("set_bid(n=2)")
    state.apply("show_bid")
    assert {7} == {state.sample_world(1, random.Random(seed)).variables["bid"][0] for seed in range(20)}


def test_seats_that_decide_together_are_not_known() -> None:
    state = conformance("goofspiel").new_state(seed=1)
    state.apply(state.legal_actions(1)[3], seat=1)
    chosen = {str(state.sample_world(0, random.Random(seed)).history[0][1]) for seed in range(60)}
    assert len(chosen) > 8
    assert {str(state.history[0][1])} == {str(state.sample_world(1, random.Random(s)).history[0][1]) for s in range(9)}


def test_a_state_without_a_past_has_no_worlds(shown: Game) -> None:
    state = played(shown, 3, 6)
    with pytest.raises(WorldError) as problem:
        rerooted(state).sample_world(0, random.Random(1))
    assert str(problem.value) == "this state begins in the middle of a game: what was seen before is not known"
    twin = hidden_twin(state, 0, random.Random(1))
    assert twin is not None
    with pytest.raises(WorldError):
        twin.sample_world(0, random.Random(1))


def test_a_wrong_seat_is_refused(shown: Game) -> None:
    with pytest.raises(ValueError, match="the seats are 0 to 1, not 5"):
        shown.new_state().sample_world(5, random.Random(1))


def test_the_world_is_no_window_to_the_state(shown: Game) -> None:
    """Nothing that hangs on a world is the state that it was sampled from."""
    state = played(shown, 3, 6)
    world = state.sample_world(0, random.Random(1))
    assert world.seed != state.seed and world._position.rng != state._position.rng
    assert world._past._state is not state and interpreter.State is type(world)
