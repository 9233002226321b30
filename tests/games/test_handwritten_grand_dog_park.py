"""The hand-written Grand Dog Parks, plain and tuned: they play the rules, and the same game as the interpreter."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent.parent
SPEC = ROOT / "games" / "grand_dog_park" / "game.yaml"


def _load(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(name, ROOT / "benchmarks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


hand = _load("tuned_grand_dog_park")
plain = _load("handwritten_grand_dog_park")
DOG = {name: number for number, name in enumerate(hand.NAMES)}


def variants() -> Iterator[tuple[int, dict[str, Any]]]:
    """Seat counts with options so that every option value meets every seat count that has it."""
    for players in range(2, 7):
        for tactical in (False, True):
            for taking in hand.TAKING:
                yield players, {"tactical": tactical, "taking": taking}
    for players in (2, 3):
        for left_out in ("german_shepherd", "dachshund", "pug"):
            yield players, {"left_out": left_out, "tactical": players == 3}
        yield players, {"all_breeds": True, "tactical": players == 2}


VARIANTS = [pytest.param(players, options, id=f"{players}-{options}") for players, options in variants()]


def position(
    pack: list[str], dogs: list[str], *, treats: int = 0, deck: list[str] | None = None, **options: Any
) -> Any:
    """A game of four in which the first seat is on turn with these dogs; `deck` from the top."""
    game = hand.GrandDogPark(4, seed=1, starter=0, **options)
    game.pack = [DOG[name] for name in pack]
    game.numbers = [hand.NUMBER[dog] for dog in game.pack]
    game.hands[0] = sorted(DOG[name] for name in dogs)
    game.treats[0] = treats
    if deck is not None:
        game.deck = [DOG[name] for name in reversed(deck)]
    return game


def texts(game: Any) -> list[str]:
    return [game.text(action) for action in game.legal_actions()]


def do(game: Any, text: str) -> None:
    game.apply(game.legal_actions()[texts(game).index(text)])


def check(game: Any) -> None:
    """What must hold at every decision."""
    zones = [game.pack, game.covered, game.discard, game.display, game.deck, *game.hands, *game.own]
    assert sorted(dog for zone in zones for dog in zone) == game._dogs
    assert game.numbers == [hand.NUMBER[dog] for dog in game.pack]
    assert all(a < b for a, b in zip(game.numbers, game.numbers[1:], strict=False))
    assert all(0 <= treats <= 4 for treats in game.treats)
    assert all(len(dogs) <= 6 and dogs == sorted(dogs) for dogs in game.hands)
    assert all(hand.NUMBER[dog] in game.numbers for dog in game.covered)


@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_random_games_end_and_lose_no_dog(players: int, options: dict[str, Any]) -> None:
    chance = random.Random(players)
    for seed in range(10):
        game = hand.GrandDogPark(players, seed=seed, **options)
        while not game.is_over:
            check(game)
            actions = game.legal_actions()
            assert actions
            assert len(actions) == len(set(actions))
            game.apply(chance.choice(actions))
        check(game)
        assert max(game.score) >= 30
        assert game.winners == [seat for seat in range(players) if game.score[seat] == min(game.score)]


def test_a_copy_goes_its_own_way() -> None:
    chance = random.Random(3)
    game = hand.GrandDogPark(3, seed=3, tactical=True)
    while not game.is_over:
        copy = game.clone()
        before = [getattr(game, name) for name in hand.GrandDogPark.__slots__ if name != "own"]
        before = repr((before, game.own))
        for _ in range(20):
            if copy.is_over:
                break
            copy.apply(chance.choice(copy.legal_actions()))
        after = [getattr(game, name) for name in hand.GrandDogPark.__slots__ if name != "own"]
        assert before == repr((after, game.own))
        game.apply(chance.choice(game.legal_actions()))


def test_treat_of_this_turn_does_not_pay() -> None:
    assert texts(position(["Falk", "Wolf"], ["Bubbles"])) == ["take_pack"]


def test_treats_stop_at_four() -> None:
    game = position(["Falk", "Wolf"], ["Lola"], treats=4)
    do(game, "squeeze(dog=Lola, neighbour=Falk)")
    assert game.treats[0] == 4
    assert [hand.NAMES[dog] for dog in game.pack] == ["Falk", "Lola", "Wolf"]


def test_flop_covers() -> None:
    game = position(["Falk", "Mocha", "Dora"], ["Heike"], treats=1)
    do(game, "flop(dog=Heike, under=Mocha)")
    assert [hand.NAMES[dog] for dog in game.pack] == ["Falk", "Heike", "Dora"]
    assert game.covered == [DOG["Mocha"]]


def test_herding_a_st_bernard_brings_back_the_dog_under_it() -> None:
    game = position(["Bella", "Oskar"], ["Greta", "Kira"], treats=1)
    game.covered = [DOG["Pretzel"]]
    assert "herd_away(dog=Greta, side=left)" not in texts(game)
    do(game, "herd_away(dog=Kira, side=left)")
    assert [hand.NAMES[dog] for dog in game.pack] == ["Kira", "Pretzel", "Oskar"]
    assert game.covered == []
    assert game.discard == [DOG["Bella"]]


def test_long_dog_needs_a_second_dog() -> None:
    assert texts(position(["Falk", "Wolf"], ["Olive", "Winnie"], treats=2)) == [
        "add_dog(dog=Olive, side=left)",
        "add_dog(dog=Winnie, side=left)",
    ]
    game = position(["Falk", "Wolf"], ["Olive", "Bruno", "Asta", "Ada"], treats=1)
    do(game, "long_dog(dog=Olive, side=left)")
    assert texts(game) == ["choose(other=Bruno, tip=left)", "choose(other=Ada, tip=right)"]


def test_last_dog_drawn_in_a_refill() -> None:
    game = position(["Falk"], ["Asta", "Wolf", "Oskar", "Yoda", "Alpen"], deck=["Rex"])
    do(game, "add_dog(dog=Asta, side=left)")
    assert len(game.hands[0]) == 5
    assert game.current == 1


def test_taking_the_pack_ends_the_last_run() -> None:
    game = position(["Rex"], ["Waldi"], deck=[])
    game.hands[1:] = [[], [], []]
    do(game, "take_pack")
    assert game.score == [6, 0, 0, 0]
    assert [len(dogs) for dogs in game.hands] == [6, 6, 6, 6]
    assert game.current == 0


def test_shampoos_do_not_go_below_zero() -> None:
    game = position(["Ada"], ["Ginger"], deck=[])
    game.hands[1:] = [[], [], []]
    game.own[0] = [DOG["Heike"], DOG["Baron"]]
    game.score[0] = 10
    do(game, "take_pack")
    assert game.score[0] == 10


def test_ties_share_the_victory() -> None:
    game = position(["Rex"], [], deck=[])
    game.hands = [[], [], [], []]
    game.score = [27, 12, 29, 12]
    do(game, "take_pack")
    assert game.is_over
    assert game.winners == [1, 3]
    assert game.returns == [-30, -12, -29, -12]


def deal_of(state: Any, players: int) -> list[int]:
    """The order in which the dogs of a round just dealt must have lain, for `shuffled`."""
    dogs = [DOG[str(dog)] for dog in reversed(state.zones["deck"])]
    dogs += [DOG[str(dog)] for dog in state.zones.get("display", ())]
    dogs += [DOG[str(dog)] for dog in state.zones["pack"]]
    for seat in reversed(range(players)):
        dogs += [DOG[str(dog)] for dog in state.zones["hand"][seat]]
    return dogs


@pytest.mark.parametrize("written", [hand, plain], ids=["tuned", "plain"])
@pytest.mark.parametrize(("players", "options"), VARIANTS)
def test_plays_in_step_with_the_interpreter(players: int, options: dict[str, Any], written: Any) -> None:
    interpreter = pytest.importorskip("interpreter")
    compiled = interpreter.load_game(str(SPEC), players=players, options=options)
    chance = random.Random(players)
    for seed in range(5):
        state = compiled.new_state(seed=seed)
        game = written.GrandDogPark(
            players,
            shuffled=lambda state=state: deal_of(state, players),
            starter=int(state.variables["starter"].removeprefix("player_")) - 1,
            **options,
        )
        while not state.is_over:
            assert not game.is_over
            assert state.current_seat == game.current
            actions = [str(action) for action in state.legal_actions()]
            assert actions == texts(game)
            number = chance.randrange(len(actions))
            chosen = game.legal_actions()[number]
            state.apply(actions[number])
            game.apply(chosen)
        assert game.is_over
        assert list(state.scores) == game.score
        assert list(state.winners) == game.winners
