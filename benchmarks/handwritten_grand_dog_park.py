"""Grand Dog Park written by hand in plain Python, as one would write it to read it again.

The rules, options and decisions are those of `games/grand_dog_park/game.yaml`, with the options of each decision in
the same order. An option is a tuple of its name and arguments; dogs and seats are numbers, facts of dogs stand in
lists. `tuned_grand_dog_park.py` is the same game with everything given up for speed.
"""

from __future__ import annotations

import csv
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

_DATA = Path(__file__).parent.parent / "games" / "grand_dog_park" / "data" / "dogs.csv"
BREEDS = ("german_shepherd", "dachshund", "pug", "st_bernard")
SHEPHERD, DACHSHUND, PUG, BERNARD = range(4)
LEFT, RIGHT = range(2)
TAKING = ("no_dog_fits", "no_trick_either", "at_will")

with _DATA.open(newline="", encoding="utf-8") as _file:
    _ROWS = list(csv.DictReader(_file))

NAMES = [row["id"] for row in _ROWS]
BREED = [BREEDS.index(row["breed"]) for row in _ROWS]
NUMBER = [int(row["number"]) for row in _ROWS]
TREATS = [int(row["treats"]) for row in _ROWS]
FLEAS = [int(row["fleas"]) - int(row["shampoos"]) for row in _ROWS]
"""Fleas less shampoos of each dog."""

Action = tuple[Any, ...]
"""("add_dog", dog, side), ("squeeze", dog, neighbour), ("take_pack",), ("choose", dog), ..."""


class GrandDogPark:
    """A game in progress; the arguments are those of `tuned_grand_dog_park.GrandDogPark`."""

    def __init__(
        self,
        players: int,
        *,
        tactical: bool = False,
        all_breeds: bool = False,
        left_out: str = "st_bernard",
        taking: str = "no_dog_fits",
        end_score: int = 30,
        seed: int | None = None,
        shuffled: Callable[[], Sequence[int]] | None = None,
        starter: int | None = None,
    ) -> None:
        self.players = players
        self.tactical = tactical
        self.taking = taking
        self.end_score = end_score
        out = -1 if players > 3 or all_breeds else BREEDS.index(left_out)
        self.dogs = [dog for dog in range(len(NAMES)) if BREED[dog] != out]
        self.random = Random(seed)
        self.shuffled = shuffled
        self.score = [0] * players
        self.fleas = [0] * players
        self.starter = self.random.randrange(players) if starter is None else starter
        self.is_over = False
        self.deal()

    def deal(self) -> None:
        """A new round: all dogs are shuffled and dealt, and the starter is on turn."""
        if self.shuffled is not None:
            self.deck = list(self.shuffled())
        else:
            self.deck = self.dogs.copy()
            self.random.shuffle(self.deck)
        self.treats = [0] * self.players
        self.hands = [sorted(self.drawn(6)) for _ in range(self.players)]
        self.pack = self.drawn(1)
        self.display = sorted(self.drawn(4)) if self.tactical else []
        self.covered: list[int] = []
        self.discard: list[int] = []
        self.own: list[list[int]] = [[] for _ in range(self.players)]
        self.current = self.starter
        self.decision = "turn"

    def drawn(self, amount: int) -> list[int]:
        """Takes dogs from the top of the deck."""
        cards = self.deck[-amount:]
        del self.deck[-amount:]
        return cards

    def clone(self) -> GrandDogPark:
        """An independent copy, with the same random numbers to come."""
        other = GrandDogPark.__new__(GrandDogPark)
        other.__dict__.update(self.__dict__)
        other.random = Random()
        other.random.setstate(self.random.getstate())
        for name in ("score", "fleas", "deck", "treats", "pack", "display", "covered", "discard"):
            setattr(other, name, getattr(self, name).copy())
        other.hands = [hand.copy() for hand in self.hands]
        other.own = [own.copy() for own in self.own]
        return other

    # ------------------------------------------------------------ options

    def legal_actions(self) -> list[Action]:
        """The options of the current decision, in order; empty once the game is over."""
        if self.is_over:
            return []
        hand = self.hands[self.current]
        if self.decision == "start":
            return [("choose", dog) for dog in hand]
        if self.decision == "draw":
            return [("choose", dog) for dog in self.display]
        low, high = self.ends()
        if self.decision == "second":
            return list(self.additions("choose", hand, low, high))
        actions = list(self.additions("add_dog", hand, low, high))
        can_add = bool(actions)
        can_trick = False
        if self.treats[self.current]:
            tricks = [*self.squeezes(hand), *self.flops(hand), *self.herdings(hand), *self.long_dogs(hand, low, high)]
            can_trick = bool(tricks)
            actions += tricks
        if self.taking == "at_will" or (not can_add and (self.taking == "no_dog_fits" or not can_trick)):
            actions.append(("take_pack",))
        return actions

    def ends(self) -> tuple[int, int]:
        """The numbers at the ends of the pack; any dog fits an empty one."""
        return (NUMBER[self.pack[0]], NUMBER[self.pack[-1]]) if self.pack else (16, 0)

    @staticmethod
    def additions(name: str, hand: list[int], low: int, high: int) -> Iterator[Action]:
        """Dogs that fit at an end without a trick."""
        for dog in hand:
            if NUMBER[dog] < low:
                yield name, dog, LEFT
            if NUMBER[dog] > high:
                yield name, dog, RIGHT

    def squeezes(self, hand: list[int]) -> Iterator[Action]:
        """Pugs between two neighbours."""
        for dog in hand:
            if BREED[dog] == PUG:
                for neighbour, following in zip(self.pack, self.pack[1:], strict=False):
                    if NUMBER[neighbour] < NUMBER[dog] < NUMBER[following]:
                        yield "squeeze", dog, neighbour

    def flops(self, hand: list[int]) -> Iterator[Action]:
        """St. Bernards on dogs of their number."""
        for dog in hand:
            if BREED[dog] == BERNARD:
                for under in self.pack:
                    if NUMBER[dog] == NUMBER[under]:
                        yield "flop", dog, under

    def herdings(self, hand: list[int]) -> Iterator[Action]:
        """German Shepherds in the place of an end dog."""
        shepherds = [dog for dog in hand if BREED[dog] == SHEPHERD]
        if shepherds:
            low, high = self.number_behind(LEFT), self.number_behind(RIGHT)
            for dog in shepherds:
                if NUMBER[dog] < low:
                    yield "herd_away", dog, LEFT
                if NUMBER[dog] > high:
                    yield "herd_away", dog, RIGHT

    def number_behind(self, side: int) -> int:
        """The number at an end once the dog there is gone; a dog under it has the same number."""
        gone = self.pack[-side]
        if any(NUMBER[dog] == NUMBER[gone] for dog in self.covered):
            return NUMBER[gone]
        if len(self.pack) > 1:
            return NUMBER[self.pack[-2 if side else 1]]
        return 0 if side else 16

    def long_dogs(self, hand: list[int], low: int, high: int) -> Iterator[Action]:
        """Dachshunds at an end after which one more dog fits."""
        for dog in hand:
            if BREED[dog] == DACHSHUND:
                others = [other for other in hand if other != dog]
                if NUMBER[dog] < low and any(NUMBER[o] < NUMBER[dog] or NUMBER[o] > high for o in others):
                    yield "long_dog", dog, LEFT
                if NUMBER[dog] > high and any(NUMBER[o] < low or NUMBER[o] > NUMBER[dog] for o in others):
                    yield "long_dog", dog, RIGHT

    # ------------------------------------------------------------ effects

    def apply(self, action: Action) -> None:
        """Does one of the legal actions. Others are not checked."""
        name, *args = action
        if name == "take_pack":
            self.take_pack()
            return
        if name == "choose":
            self.choose(*args)
            return
        if name != "add_dog":
            self.treats[self.current] -= 1
        dog, where = args
        if name == "squeeze":
            self.pack.insert(self.pack.index(where) + 1, dog)
            self.placed(dog)
        elif name == "flop":
            self.pack[self.pack.index(where)] = dog
            self.covered.append(where)
            self.placed(dog)
        else:
            if name == "herd_away":
                self.herd(where)
            self.place(dog, where)
            if name == "long_dog":
                self.decision = "second"
                return
        self.refill()

    def choose(self, dog: int, side: int = RIGHT) -> None:
        """A dog of the display is drawn; else one begins a pack or is the second of a long dog."""
        if self.decision == "draw":
            self.display.remove(dog)
            insort(self.hands[self.current], dog)
            for card in self.drawn(1):
                insort(self.display, card)
        else:
            self.place(dog, side)
        self.refill()

    def place(self, dog: int, side: int) -> None:
        """A dog of the hand goes to an end of the pack."""
        self.pack.insert(len(self.pack) if side else 0, dog)
        self.placed(dog)

    def placed(self, dog: int) -> None:
        """A dog has left the hand, and its player receives its treats."""
        self.hands[self.current].remove(dog)
        self.treats[self.current] = min(4, self.treats[self.current] + TREATS[dog])

    def herd(self, side: int) -> None:
        """Discards an end of the pack; a dog that it covered is back in the row."""
        gone = self.pack.pop(-side)
        self.discard.append(gone)
        for under in self.covered:
            if NUMBER[under] == NUMBER[gone]:
                self.covered.remove(under)
                self.pack.insert(len(self.pack) if side else 0, under)
                return

    def take_pack(self) -> None:
        """The pack goes home with the player."""
        self.own[self.current] += self.pack + self.covered
        self.pack, self.covered = [], []
        if not self.deck or not self.hands[self.current]:
            self.end_round()
        else:
            self.decision = "start"

    def refill(self) -> None:
        """Draws up to six; in the tactical game as a decision for each dog. Then the next player is on turn."""
        hand = self.hands[self.current]
        if self.tactical:
            if len(hand) < 6 and self.display:
                self.decision = "draw"
                return
        else:
            for dog in self.drawn(6 - len(hand)) if len(hand) < 6 else ():
                insort(hand, dog)
        self.current = (self.current + 1) % self.players
        self.decision = "turn"

    def end_round(self) -> None:
        """Hands are added, fleas counted; the game ends or a new round begins."""
        for seat, own in enumerate(self.own):
            own += self.hands[seat]
            self.hands[seat] = []
            self.fleas[seat] = max(0, sum(FLEAS[dog] for dog in own))
            self.score[seat] += self.fleas[seat]
        most = max(self.fleas)
        while self.fleas[self.starter] != most:
            self.starter = (self.starter + 1) % self.players
        if max(self.score) >= self.end_score:
            self.is_over = True
        else:
            self.deal()

    # ------------------------------------------------------------ results and texts

    @property
    def winners(self) -> list[int]:
        """The seats with the fewest fleas; empty before the end."""
        return [seat for seat, score in enumerate(self.score) if self.is_over and score == min(self.score)]

    def text(self, action: Action) -> str:
        """An option of the current decision as the interpreter writes it."""
        name, *args = action
        sides = ("left", "right")
        match name:
            case "take_pack":
                return name
            case "choose" if len(args) == 1:
                return f"choose(dog={NAMES[args[0]]})"
            case "choose":
                return f"choose(other={NAMES[args[0]]}, tip={sides[args[1]]})"
            case "squeeze":
                return f"squeeze(dog={NAMES[args[0]]}, neighbour={NAMES[args[1]]})"
            case "flop":
                return f"flop(dog={NAMES[args[0]]}, under={NAMES[args[1]]})"
        return f"{name}(dog={NAMES[args[0]]}, side={sides[args[1]]})"
