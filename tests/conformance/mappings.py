"""What moves are called on both sides, game by game. Docstrings say where OpenSpiel's conventions differ and why."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, ClassVar

from harness import Key, Mapping

from interpreter import Action, State


def place(text: str) -> tuple[int, int]:
    """Column and row, from 1, of a square named as `c3r4` or `c4`."""
    if "r" in text:
        column, row = text[1:].split("r")
        return int(column), int(row)
    return ord(text[0]) - ord("a") + 1, int(text[1:])


class TicTacToe(Mapping):
    """Nothing differs."""

    spec = spiel = "tic_tac_toe"

    def ours(self, state: State, action: Action) -> Key:
        column, row = place(action.args["s"])
        return (row - 1) * 3 + column - 1


class ConnectFour(Mapping):
    """Nothing differs."""

    spec = spiel = "connect_four"

    def ours(self, state: State, action: Action) -> Key:
        return int(action.args["column"]) - 1


class Breakthrough(Mapping):
    """Nothing differs. A capture has a `*` behind it in OpenSpiel's text."""

    spec = spiel = "breakthrough"

    def ours(self, state: State, action: Action) -> Key:
        return action.args["here"] + action.args["there"]

    def theirs(self, state: Any, player: int, action: int) -> Key:
        return str(state.action_to_string(player, action)).rstrip("*")


class KuhnPoker(Mapping):
    """OpenSpiel calls check and fold both `Pass`, bet and call both `Bet`."""

    spec = spiel = "kuhn_poker"

    def ours(self, state: State, action: Action) -> Key:
        return "Pass" if action.name in ("check", "fold") else "Bet"

    def chance(self, state: State, action: Action) -> Key:
        return ["jack", "queen", "king"].index(*action.args.values())


class Nim(Mapping):
    """Nothing differs."""

    spec = spiel = "nim"

    def ours(self, state: State, action: Action) -> Key:
        return f"pile:{action.args['pile']}, take:{action.args['n']};"


class Pig(Mapping):
    """OpenSpiel stops after 1000 moves."""

    spec = spiel = "pig"
    horizon = 1000

    def ours(self, state: State, action: Action) -> Key:
        return action.name

    def chance(self, state: State, action: Action) -> Key:
        return int(action.args["die"]) - 1


class LeducPoker(Mapping):
    """Nothing differs."""

    spec = spiel = "leduc_poker"

    def ours(self, state: State, action: Action) -> Key:
        return ["fold", "call", "raise_bet"].index(action.name)

    def chance(self, state: State, action: Action) -> Key:
        rank, suit = str(*action.args.values()).split("_")
        return ["jack", "queen", "king"].index(rank) * 2 + ["spades", "hearts"].index(suit)


class Goofspiel(Mapping):
    """Nothing differs but the last round, in which nobody has a choice: OpenSpiel plays it by itself."""

    spec = spiel = "goofspiel"
    forced = True

    def ours(self, state: State, action: Action) -> Key:
        return int(action.args["b"].split("_")[-1]) - 1

    def chance(self, state: State, action: Action) -> Key:
        return int(str(*action.args.values()).split("_")[-1]) - 1


class Mancala(Mapping):
    """OpenSpiel stops after 1000 moves."""

    spec = spiel = "mancala"
    horizon = 1000

    def ours(self, state: State, action: Action) -> Key:
        return int(action.args["pit"])


class Othello(Mapping):
    """Nothing differs."""

    spec = spiel = "othello"

    def ours(self, state: State, action: Action) -> Key:
        if action.name == "pass":
            return 64
        column, row = place(action.args["s"])
        return (row - 1) * 8 + column - 1


class Hex(Mapping):
    """Nothing differs."""

    spec = spiel = "hex"

    def ours(self, state: State, action: Action) -> Key:
        column, row = place(action.args["s"])
        return (row - 1) * 11 + column - 1


class Clobber(Mapping):
    """Nothing differs."""

    spec = spiel = "clobber"

    def ours(self, state: State, action: Action) -> Key:
        return action.args["here"] + action.args["there"]


class Checkers(Mapping):
    """Nothing differs."""

    spec = spiel = "checkers"

    def ours(self, state: State, action: Action) -> Key:
        return action.args["start"] + action.args["goal"]


SUITS = ["clubs", "diamonds", "hearts", "spades"]
RANKS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"]


def card(text: str) -> tuple[int, int]:
    """Rank and suit of a card named as `queen_spades`."""
    rank, suit = text.split("_")
    return RANKS.index(rank), SUITS.index(suit)


class Hearts(Mapping):
    """Seats pass their cards all at once here, and one after another in OpenSpiel."""

    spec = spiel = "hearts"
    any_order = True

    def ours(self, state: State, action: Action) -> Key:
        rank, suit = card(*action.args.values())
        return rank * 4 + suit

    def chance(self, state: State, action: Action) -> Key:
        if action.name == "choose":
            return int(action.args["by_seats"])
        return self.ours(state, action)


class CrazyEights(Mapping):
    """OpenSpiel's points of the cards from two to ten are two more than the number of the card in its list (so a two of
    clubs has 2, a ten of spades 37); here they are their ranks.
    """

    spec = spiel = "crazy_eights"
    players = 5

    def ours(self, state: State, action: Action) -> Key:
        if action.name == "play":
            rank, suit = card(action.args["card"])
            return rank * 4 + suit
        if action.name == "choose":
            return 54 + SUITS.index(action.args["s"])
        return {"draw_card": 52, "pass": 53}[action.name]

    def chance(self, state: State, action: Action) -> Key:
        if action.name == "choose":
            return 52 + int(action.args["p"].split("_")[-1]) - 1
        rank, suit = card(*action.args.values())
        return rank * 4 + suit

    def returns(self, state: State) -> list[float]:
        return [-float(sum(map(self.points, hand))) for hand in state.zones["hand"]]

    @staticmethod
    def points(text: str) -> int:
        rank, suit = card(text)
        return 50 if RANKS[rank] == "eight" else 10 if rank >= RANKS.index("jack") else rank * 4 + suit + 2


class LiarsDice(Mapping):
    """Nothing differs."""

    spec = "liars_dice"
    spiel = "liars_dice(numdice=2)"
    options: ClassVar[dict[str, Any]] = {"dice": 2}

    def ours(self, state: State, action: Action) -> Key:
        return "Liar" if action.name == "liar" else f"{action.args['n']}-{action.args['f']}"

    def chance(self, state: State, action: Action) -> Key:
        return int(action.args["f"]) - 1


class Chess(Mapping):
    """OpenSpiel's player 0 is black."""

    spec = spiel = "chess"
    seats = (1, 0)

    def ours(self, state: State, action: Action) -> Key:
        if action.name == "castle":
            row = 1 if state.current_seat == 0 else 8
            return f"e{row}c{row}" if action.args["wing"] == "long" else f"e{row}g{row}"
        into = {"none": "", "knight": "n"}.get(action.args["into"], action.args["into"][0])
        return action.args["here"] + action.args["there"] + into

    def theirs(self, state: Any, player: int, action: int) -> Key:
        import pyspiel

        return str(pyspiel.chess.action_to_move(action, state.board()).to_lan())


class Go(Mapping):
    """The spec ends a game in which a position comes back in a draw as OpenSpiel does, and forbids only the ko.

    OpenSpiel's limit of moves is set so high that it is not met.
    """

    spec = "go"
    spiel = "go(board_size=9,max_game_length=5000)"

    def ours(self, state: State, action: Action) -> Key:
        if action.name == "pass":
            return 81
        column, row = place(action.args["s"])
        return (row - 1) * 9 + column - 1


class Amazons(Mapping):
    """Nothing differs. OpenSpiel's row 1 is in the north."""

    spec = spiel = "amazons"

    def ours(self, state: State, action: Action) -> Key:
        column, row = place(*action.args.values())
        return (10 - row) * 10 + column - 1


class NineMensMorris(Mapping):
    """Nothing differs."""

    spec = spiel = "nine_mens_morris"
    points = "a7 d7 g7 b6 d6 f6 c5 d5 e5 a4 b4 c4 e4 f4 g4 c3 d3 e3 b2 d2 f2 a1 d1 g1"

    def ours(self, state: State, action: Action) -> Key:
        numbers = [self.points.index(text) // 3 for text in action.args.values()]
        return numbers[0] if len(numbers) == 1 else 24 + numbers[0] * 24 + numbers[1]


class Spades(Mapping):
    """OpenSpiel lets spades be led only by who has nothing else, also once one has been played; so does the spec."""

    spec = spiel = "spades"

    def ours(self, state: State, action: Action) -> Key:
        if action.name == "make_bid":
            return "Nil" if action.args["n"] == "0" else action.args["n"]
        return self.chance(state, action)

    def chance(self, state: State, action: Action) -> Key:
        suit, rank = str(*action.args.values()).split("_")
        return "CDHS"[SUITS.index(suit)] + "23456789TJQKA"[RANKS.index(rank)]


class GoFish(Mapping):
    """Nothing differs. Cards are dealt to one seat after the other."""

    spec = "go_fish"
    spiel = "go_fish"
    ranks: ClassVar[list[str]] = [RANKS[-1], *RANKS[:-1]]

    def ours(self, state: State, action: Action) -> Key:
        other = int(action.args["other"].split("_")[-1]) - 1
        return f"{other}{self.letter(action.args['rank'])}"

    def chance(self, state: State, action: Action) -> Key:
        return self.letter(*action.args.values())

    def letter(self, rank: str) -> str:
        return "abcdefghijklm"[self.ranks.index(rank)]


class GoFishOfThree(GoFish):
    """Nothing differs."""

    spiel = "go_fish(players=3)"
    players = 3


class GinRummy(Mapping):
    """Nothing differs but two rare things that random games do not meet.

    OpenSpiel looks for one best way to meld eleven cards before one is discarded, and not for the best way to meld the
    other ten; and a run can't be made longer by more than two cards on the same side.
    """

    spec = spiel = "gin_rummy"

    def ours(self, state: State, action: Action) -> Key:
        args = action.args
        if action.name == "lay_meld":
            shape, low, high, suit = args["m"].split("_")
            first, last = self.ranks.index(low), self.ranks.index(high)
            if shape == "ranks":
                cards = [self.text(s, low) for s in self.suits if s != suit]
            else:
                cards = [self.text(suit, rank) for rank in self.ranks[first : last + 1]]
            return " ".join(sorted(cards))
        if action.name in ("discard_card", "choose", "lay_off"):
            suit, rank = next(iter(args.values())).split("_")
            return self.text(suit, rank)
        return {"draw_upcard": "Draw upcard", "draw_stock": "Draw stock", "pass": "Pass"}.get(action.name, "Knock")

    suits: ClassVar[list[str]] = ["spades", "clubs", "diamonds", "hearts"]
    ranks: ClassVar[list[str]] = [RANKS[-1], *RANKS[:-1]]

    def text(self, suit: str, rank: str) -> str:
        return "A23456789TJQK"[self.ranks.index(rank)] + suit[0]

    def theirs(self, state: Any, player: int, action: int) -> Key:
        text = str(state.action_to_string(player, action)).split(": ")[-1]
        if text[0] in "A23456789TJQK" and text[1] in "scdh":
            return " ".join(sorted(text[i : i + 2] for i in range(0, len(text), 2)))
        return text

    def chance(self, state: State, action: Action) -> Key:
        return self.text(*str(*action.args.values()).split("_"))


class Backgammon(Mapping):
    """A move of a man is a decision here; in OpenSpiel both of a roll are one action, listed in both orders.

    OpenSpiel plays doubles as two rolls, so that the rule to use as many dice as one can holds for each two; so does
    the spec. It stops a game after 500 turns of a seat.
    """

    spec = spiel = "backgammon"
    merged = True
    horizon = 1000

    def ways(self, state: State, seat: int) -> list[tuple[Key, list[Action]]]:
        found: dict[Key, list[Action]] = {}
        for first in state.legal_actions(seat):
            copy = state.clone()
            copy.apply(first)
            if copy.current_seat == seat and copy.variables["used"] == 1:
                for second in copy.legal_actions():
                    found.setdefault(self.hops([first, second]), [first, second])
            else:
                found.setdefault(self.hops([first]), [first])
        return list(found.items())

    @staticmethod
    def hops(actions: list[Action]) -> Key:
        hops = []
        for action in actions:
            if action.name == "pass":
                return "Pass"
            here, die = int(action.args["x"]), int(action.args["d"])
            hops.append(f"{'Bar' if here == 25 else here}/{here - die if here > die else 'Off'}")
        return " ".join(sorted(hops))

    def theirs(self, state: Any, player: int, action: int) -> Key:
        if player < 0:
            return str(state.action_to_string(player, action)).split("roll: ")[1].rstrip(")")
        hops = []
        for part in str(state.action_to_string(player, action)).split(" - ")[-1].replace("*", "").split():
            places, twice = part.removesuffix("(2)").split("/"), part.endswith("(2)")
            if places != ["Pass"]:
                hops += [f"{a}/{b}" for a, b in pairwise(places)] * (1 + twice)
        return " ".join(sorted(hops)) or "Pass"

    def chance(self, state: State, action: Action) -> Key:
        return action.args["a"] + action.args["b"]


class DotsAndBoxes(Mapping):
    """Nothing differs. OpenSpiel counts the lines across first, row by row, then the upright ones."""

    spec = spiel = "dots_and_boxes"

    def ours(self, state: State, action: Action) -> Key:
        column, row = place(action.args["line"])
        return f"({'hv'[row % 2 == 0]},{(row - 1) // 2},{(column - 1) // 2})"

    def theirs(self, state: Any, player: int, action: int) -> Key:
        return str(state.action_to_string(player, action))[2:]


class DotsAndBoxesOfThreeRows(DotsAndBoxes):
    """Nothing differs."""

    spiel = "dots_and_boxes(num_rows=3,num_cols=4)"
    options: ClassVar[dict[str, Any]] = {"rows": 3, "columns": 4}


class Y(Mapping):
    """Nothing differs. OpenSpiel's row 1 is the long side, in the north; here it is in the south."""

    spec = "y"
    spiel = "y(board_size=9)"
    options: ClassVar[dict[str, Any]] = {"size": 9}

    def ours(self, state: State, action: Action) -> Key:
        column, row = place(action.args["s"])
        return (row - 1) * 9 + column - 1


class Oware(Mapping):
    """OpenSpiel stops after 1000 moves."""

    spec = spiel = "oware"
    horizon = 1000

    def ours(self, state: State, action: Action) -> Key:
        return int(action.args["x"]) % 6


class Euchre(Mapping):
    """Nothing differs. The upcard itself can't be discarded."""

    spec = spiel = "euchre"

    def ours(self, state: State, action: Action) -> Key:
        if action.name == "name_trumps":
            return action.args["suit"].capitalize()
        if action.name in ("pass", "play_alone", "play_together"):
            return {"pass": "Pass", "play_alone": "Alone", "play_together": "Partner"}[action.name]
        return self.chance(state, action)

    def chance(self, state: State, action: Action) -> Key:
        if "p" in action.args:
            return action.args["p"][0].upper()
        rank, suit = card(*action.args.values())
        return "CDHS"[suit] + "23456789TJQKA"[rank]


class EuchreWithoutSticking(Euchre):
    """Nothing differs."""

    spiel = "euchre(stick_the_dealer=false)"
    options: ClassVar[dict[str, Any]] = {"stick_the_dealer": False}


MAPPINGS: list[Mapping] = [
    kind() for kind in (*Mapping.__subclasses__(), GoFishOfThree, DotsAndBoxesOfThreeRows, EuchreWithoutSticking)
]
"""All games."""
