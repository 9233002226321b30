"""Grand Dog Park written by hand in plain Python: what the interpreter's speed is measured against.

The rules, options and decisions are those of `games/grand_dog_park/game.yaml`, with the options of each decision
in the same order. Dogs, players and actions are ints; nothing is logged, and the game keeps only what it needs.
"""

from __future__ import annotations

import csv
from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

_DATA = Path(__file__).parent.parent / "games" / "grand_dog_park" / "data" / "dogs.csv"
_BREEDS = ("german_shepherd", "dachshund", "pug", "st_bernard")
_SHEPHERD, _DACHSHUND, _PUG, _BERNARD = range(4)

with _DATA.open(newline="", encoding="utf-8") as _file:
    _ROWS = list(csv.DictReader(_file))

NAMES = [row["id"] for row in _ROWS]
BREED = [_BREEDS.index(row["breed"]) for row in _ROWS]
NUMBER = [int(row["number"]) for row in _ROWS]
TREATS = [int(row["treats"]) for row in _ROWS]
FLEAS = [int(row["fleas"]) - int(row["shampoos"]) for row in _ROWS]
"""Fleas less shampoos of each dog."""
DOGS = len(NAMES)

# Decisions: a turn, the second dog of a long dog, the first dog of a new pack, a dog from the display.
TURN, SECOND, START, DRAW = range(4)

# When the pack may be taken.
NO_DOG_FITS, NO_TRICK_EITHER, AT_WILL = range(3)
TAKING = ("no_dog_fits", "no_trick_either", "at_will")

# Actions of a turn are 2 * dog + side (0 left, 1 right) from a base, or the base and the dog alone where the dog
# says it all: a Pug has one gap and a St. Bernard one number. In the other decisions an action is
# the dog, or 2 * dog + side.
_ADD, _SQUEEZE, _FLOP, _HERD, _LONG = (2 * DOGS * i for i in range(5))
TAKE = 2 * DOGS * 5
_SIDES = ("left", "right")


class GrandDogPark:
    """A game in progress.

    Args:
        players: 2 to 6.
        tactical: dogs are drawn from four that lie face up.
        all_breeds: two or three players use all four breeds.
        left_out: breed that two or three players leave out.
        taking: when the pack may be taken: no_dog_fits, no_trick_either or at_will.
        end_score: fleas that end the game.
        seed: for the shuffles and the first starter.
        shuffled: gives the order of the dogs for each deal instead of a random one; dealt from its end.
        starter: the first starter instead of a random one.
    """

    __slots__ = (
        "_dogs",
        "_rounds",
        "_seed",
        "_shuffled",
        "covered",
        "current",
        "decision",
        "deck",
        "discard",
        "display",
        "end_score",
        "fleas",
        "hands",
        "is_over",
        "numbers",
        "own",
        "pack",
        "players",
        "score",
        "starter",
        "tactical",
        "taking",
        "treats",
    )  # fmt: skip

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
        self.taking = TAKING.index(taking)
        self.end_score = end_score
        out = -1 if players > 3 or all_breeds else _BREEDS.index(left_out)
        self._dogs = [dog for dog in range(DOGS) if BREED[dog] != out]
        self._seed = Random().getrandbits(64) if seed is None else seed
        self._rounds = 0
        self._shuffled = shuffled
        self.score = [0] * players
        self.fleas = [0] * players
        self.starter = Random(self._seed).randrange(players) if starter is None else starter
        self.is_over = False
        self._deal()

    def _deal(self) -> None:
        """A new round: all dogs are shuffled and dealt, and the starter is on turn."""
        if self._shuffled is None:
            deck = self._dogs.copy()
            self._rounds += 1
            Random(f"{self._seed} {self._rounds}").shuffle(deck)
        else:
            deck = list(self._shuffled())
        self.treats = [0] * self.players
        self.hands = []
        for _ in range(self.players):
            self.hands.append(sorted(deck[-6:]))
            del deck[-6:]
        first = deck.pop()
        self.pack = [first]
        self.numbers = [NUMBER[first]]
        self.covered: list[int] = []
        self.discard: list[int] = []
        self.own: list[list[int]] = [[] for _ in range(self.players)]
        self.display: list[int] = []
        if self.tactical:
            self.display = sorted(deck[-4:])
            del deck[-4:]
        self.deck = deck
        self.current = self.starter
        self.decision = TURN

    def clone(self) -> GrandDogPark:
        """An independent copy. Both will shuffle the same way."""
        other = GrandDogPark.__new__(GrandDogPark)
        other.players = self.players
        other.tactical = self.tactical
        other.taking = self.taking
        other.end_score = self.end_score
        other._dogs = self._dogs
        other._seed = self._seed
        other._rounds = self._rounds
        other._shuffled = self._shuffled
        other.score = self.score.copy()
        other.fleas = self.fleas.copy()
        other.treats = self.treats.copy()
        other.starter = self.starter
        other.is_over = self.is_over
        other.hands = [hand.copy() for hand in self.hands]
        other.own = [own.copy() for own in self.own]
        other.pack = self.pack.copy()
        other.numbers = self.numbers.copy()
        other.covered = self.covered.copy()
        other.discard = self.discard.copy()
        other.display = self.display.copy()
        other.deck = self.deck.copy()
        other.current = self.current
        other.decision = self.decision
        return other

    # ------------------------------------------------------------ options

    def legal_actions(self) -> list[int]:
        """The options of the current decision, in order; empty once the game is over."""
        if self.is_over:
            return []
        decision = self.decision
        if decision == TURN:
            return self._turn_options()
        if decision == START:
            return self.hands[self.current].copy()
        if decision == DRAW:
            return self.display.copy()
        low, high = self.numbers[0], self.numbers[-1]
        options = []
        for dog in self.hands[self.current]:
            number = NUMBER[dog]
            if number < low:
                options.append(2 * dog)
            elif number > high:
                options.append(2 * dog + 1)
        return options

    def _turn_options(self) -> list[int]:
        hand = self.hands[self.current]
        numbers = self.numbers
        low, high = numbers[0], numbers[-1]
        options = []
        for dog in hand:
            number = NUMBER[dog]
            if number < low:
                options.append(2 * dog)
            elif number > high:
                options.append(2 * dog + 1)
        stuck = not options
        tricks = False
        if self.treats[self.current]:
            before = len(options)
            self._add_tricks(options, hand, numbers, low, high)
            tricks = len(options) > before
        taking = self.taking
        if (stuck and (taking == NO_DOG_FITS or not tricks)) or taking == AT_WILL:
            options.append(TAKE)
        return options

    def _add_tricks(self, options: list[int], hand: list[int], numbers: list[int], low: int, high: int) -> None:
        """Appends the tricks, in the order squeeze, flop, herd away, long dog.

        A hand is sorted, and dogs are numbered breed by breed: Shepherds, Dachshunds, Pugs, St. Bernards.
        """
        herding = []
        long = []
        flops = []
        for dog in hand:
            breed = BREED[dog]
            number = NUMBER[dog]
            if breed == _PUG:
                if low < number < high and number not in numbers:
                    options.append(_SQUEEZE + dog)
            elif breed == _BERNARD:
                if number in numbers:
                    flops.append(_FLOP + dog)
            elif breed == _SHEPHERD:
                herding.append(dog)
            elif number < low:
                if self._second_fits(hand, dog, number, high):
                    long.append(_LONG + 2 * dog)
            elif number > high and self._second_fits(hand, dog, low, number):
                long.append(_LONG + 2 * dog + 1)
        options += flops
        if herding:
            covered = [NUMBER[dog] for dog in self.covered] if self.covered else []
            left = low if low in covered else numbers[1] if len(numbers) > 1 else 16
            right = high if high in covered else numbers[-2] if len(numbers) > 1 else 0
            for dog in herding:
                number = NUMBER[dog]
                if number < left:
                    options.append(_HERD + 2 * dog)
                if number > right:
                    options.append(_HERD + 2 * dog + 1)
        options += long

    @staticmethod
    def _second_fits(hand: list[int], dog: int, low: int, high: int) -> bool:
        for other in hand:
            if other != dog:
                number = NUMBER[other]
                if number < low or number > high:
                    return True
        return False

    # ------------------------------------------------------------ effects

    def apply(self, action: int) -> None:
        """Does one of the legal actions. Others are not checked."""
        decision = self.decision
        if decision == TURN:
            if action < _SQUEEZE:
                self._place(action >> 1, action & 1)
            elif action == TAKE:
                self._take()
                return
            else:
                self.treats[self.current] -= 1
                if action < _FLOP:
                    self._squeeze(action - _SQUEEZE)
                elif action < _HERD:
                    self._flop(action - _FLOP)
                elif action < _LONG:
                    self._herd(action & 1)
                    self._place((action - _HERD) >> 1, action & 1)
                else:
                    self._place((action - _LONG) >> 1, action & 1)
                    self.decision = SECOND
                    return
        elif decision == SECOND:
            self._place(action >> 1, action & 1)
        elif decision == START:
            self._place(action, 1)
        else:
            self.display.remove(action)
            insort(self.hands[self.current], action)
            if self.deck:
                insort(self.display, self.deck.pop())
        self._refill()

    def _place(self, dog: int, side: int) -> None:
        if side:
            self.pack.append(dog)
            self.numbers.append(NUMBER[dog])
        else:
            self.pack.insert(0, dog)
            self.numbers.insert(0, NUMBER[dog])
        self._leave_hand(dog)

    def _leave_hand(self, dog: int) -> None:
        """The dog has been placed, and its player receives its treats."""
        seat = self.current
        self.hands[seat].remove(dog)
        treats = self.treats[seat] + TREATS[dog]
        self.treats[seat] = treats if treats < 4 else 4

    def _squeeze(self, dog: int) -> None:
        at = bisect_left(self.numbers, NUMBER[dog])
        self.pack.insert(at, dog)
        self.numbers.insert(at, NUMBER[dog])
        self._leave_hand(dog)

    def _flop(self, dog: int) -> None:
        at = bisect_left(self.numbers, NUMBER[dog])
        self.covered.append(self.pack[at])
        self.pack[at] = dog
        self._leave_hand(dog)

    def _herd(self, side: int) -> None:
        """Discards an end of the pack; a dog that it covered is back in the row."""
        at = -1 if side else 0
        gone = self.pack[at]
        self.discard.append(gone)
        for under in self.covered:
            if NUMBER[under] == NUMBER[gone]:
                self.covered.remove(under)
                self.pack[at] = under
                return
        del self.pack[at]
        del self.numbers[at]

    def _take(self) -> None:
        own = self.own[self.current]
        own += self.pack
        own += self.covered
        self.pack = []
        self.numbers = []
        self.covered = []
        if not self.deck or not self.hands[self.current]:
            self._end_round()
        else:
            self.decision = START

    def _refill(self) -> None:
        """Draws up to six; in the tactical game as a decision for each dog. Then the next player is on turn."""
        hand = self.hands[self.current]
        if self.tactical:
            if len(hand) < 6 and self.display:
                self.decision = DRAW
                return
        else:
            deck = self.deck
            while len(hand) < 6 and deck:
                insort(hand, deck.pop())
        self.current += 1
        if self.current == self.players:
            self.current = 0
        self.decision = TURN

    def _end_round(self) -> None:
        for seat, own in enumerate(self.own):
            own += self.hands[seat]
            self.hands[seat] = []
            self.fleas[seat] = max(0, sum([FLEAS[dog] for dog in own]))
            self.score[seat] += self.fleas[seat]
        most = max(self.fleas)
        while self.fleas[self.starter] != most:
            self.starter = (self.starter + 1) % self.players
        if max(self.score) >= self.end_score:
            self.is_over = True
        else:
            self._deal()

    # ------------------------------------------------------------ results and texts

    @property
    def returns(self) -> list[int]:
        """Each seat's fleas with a minus: more is better."""
        return [-score for score in self.score]

    @property
    def winners(self) -> list[int]:
        """The seats with the fewest fleas; empty before the end."""
        if not self.is_over:
            return []
        least = min(self.score)
        return [seat for seat, score in enumerate(self.score) if score == least]

    def text(self, action: int) -> str:
        """An option of the current decision as the interpreter writes it."""
        if self.decision == SECOND:
            return f"choose(other={NAMES[action >> 1]}, tip={_SIDES[action & 1]})"
        if self.decision != TURN:
            return f"choose(dog={NAMES[action]})"
        if action == TAKE:
            return "take_pack"
        if _SQUEEZE <= action < _FLOP:
            dog = action - _SQUEEZE
            neighbour = self.pack[bisect_left(self.numbers, NUMBER[dog]) - 1]
            return f"squeeze(dog={NAMES[dog]}, neighbour={NAMES[neighbour]})"
        if _FLOP <= action < _HERD:
            dog = action - _FLOP
            return f"flop(dog={NAMES[dog]}, under={NAMES[self.pack[self.numbers.index(NUMBER[dog])]]})"
        name, base = "add_dog", _ADD
        if action >= _HERD:
            name, base = ("long_dog", _LONG) if action >= _LONG else ("herd_away", _HERD)
        return f"{name}(dog={NAMES[(action - base) >> 1]}, side={_SIDES[action & 1]})"
