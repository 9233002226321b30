"""Four games as one would write them by hand in Python: plain, and quick where that costs no clarity."""

from __future__ import annotations

import random

Lines = list[tuple[int, ...]]


THREES: Lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
THREES_AT: list[Lines] = [[line for line in THREES if square in line] for square in range(9)]


class TicTacToe:
    """Squares are 0 to 8."""

    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 9
        self.seat = 0
        self.moves = 0
        self.is_over = False
        self.winner: int | None = None

    def legal_actions(self) -> list[int]:
        return [square for square, mark in enumerate(self.board) if mark is None]

    def apply(self, square: int) -> None:
        board, seat = self.board, self.seat
        board[square] = seat
        self.moves += 1
        for a, b, c in THREES_AT[square]:
            if board[a] == board[b] == board[c]:
                self.winner = seat
                self.is_over = True
                return
        if self.moves == 9:
            self.is_over = True
        self.seat = 1 - seat


def _fours() -> Lines:
    ways = [(1, 0), (0, 1), (1, 1), (1, -1)]
    return [
        tuple((row + i * dy) * 7 + column + i * dx for i in range(4))
        for column in range(7)
        for row in range(6)
        for dx, dy in ways
        if 0 <= column + 3 * dx < 7 and 0 <= row + 3 * dy < 6
    ]


FOURS_AT: list[Lines] = [[line for line in _fours() if square in line] for square in range(42)]


class ConnectFour:
    """Squares are numbered row by row from below."""

    def __init__(self) -> None:
        self.board: list[int | None] = [None] * 42
        self.height = [0] * 7
        self.seat = 0
        self.moves = 0
        self.is_over = False
        self.winner: int | None = None

    def legal_actions(self) -> list[int]:
        return [column for column, height in enumerate(self.height) if height < 6]

    def apply(self, column: int) -> None:
        board, seat = self.board, self.seat
        square = self.height[column] * 7 + column
        self.height[column] += 1
        board[square] = seat
        self.moves += 1
        for a, b, c, d in FOURS_AT[square]:
            if board[a] == board[b] == board[c] == board[d]:
                self.winner = seat
                self.is_over = True
                return
        if self.moves == 42:
            self.is_over = True
        self.seat = 1 - seat


def _steps(forward: int) -> list[list[tuple[int, bool]]]:
    """By square: the squares before it, and whether each is straight ahead."""
    found: list[list[tuple[int, bool]]] = []
    for square in range(64):
        row, column = square // 8 + forward, square % 8
        inside = 0 <= row < 8
        found.append([(row * 8 + column + d, d == 0) for d in (-1, 0, 1) if inside and 0 <= column + d < 8])
    return found


STEPS = (_steps(-1), _steps(1))
LAST = (0, 7)


class Breakthrough:
    """Squares are numbered row by row; seat 0 moves down from rows 6 and 7."""

    def __init__(self) -> None:
        self.board: list[int | None] = [1] * 16 + [None] * 32 + [0] * 16
        self.men = [16, 16]
        self.seat = 0
        self.is_over = False
        self.winner: int | None = None

    def legal_actions(self) -> list[tuple[int, int]]:
        board, seat = self.board, self.seat
        steps = STEPS[seat]
        found = []
        for here, man in enumerate(board):
            if man == seat:
                for there, straight in steps[here]:
                    other = board[there]
                    if other is None or (other != seat and not straight):
                        found.append((here, there))
        return found

    def apply(self, action: tuple[int, int]) -> None:
        here, there = action
        board, seat = self.board, self.seat
        if board[there] is not None:
            self.men[1 - seat] -= 1
        board[here] = None
        board[there] = seat
        if there // 8 == LAST[seat] or self.men[1 - seat] == 0:
            self.winner = seat
            self.is_over = True
        self.seat = 1 - seat


EIGHT, DRAW, PASS, NAME_SUIT = 6, 52, 53, 54


class CrazyEights:
    """Cards are 4 * rank + suit; further actions: draw, pass, and the four names of a suit."""

    def __init__(self, seats: int = 5) -> None:
        deck = list(range(52))
        random.shuffle(deck)
        first = (random.randrange(seats) + 1) % seats
        self.hands: list[list[int]] = [[] for _ in range(seats)]
        for _ in range(7 if seats == 2 else 5):
            for n in range(seats):
                self.hands[(first + n) % seats].append(deck.pop())
        while deck[-1] // 4 == EIGHT:
            random.shuffle(deck)
        self.rank, self.suit = divmod(deck.pop(), 4)
        self.deck = deck
        self.seats = seats
        self.seat = first
        self.drawn = self.played = self.passes = 0
        self.names_suit = False
        self.is_over = False

    def legal_actions(self) -> list[int]:
        if self.names_suit:
            return [NAME_SUIT, NAME_SUIT + 1, NAME_SUIT + 2, NAME_SUIT + 3]
        rank, suit = self.rank, self.suit
        found = [c for c in self.hands[self.seat] if c % 4 == suit or c // 4 == rank or c // 4 == EIGHT]
        if self.drawn < 5 and self.deck:
            found.append(DRAW)
        else:
            found.append(PASS)
        return found

    def apply(self, action: int) -> None:
        if action < DRAW:
            hand = self.hands[self.seat]
            hand.remove(action)
            self.rank, self.suit = divmod(action, 4)
            self.passes = 0
            self.played += 1
            if not hand or self.played == 100:
                self.is_over = True
            elif self.rank == EIGHT:
                self.names_suit = True
            else:
                self._next_seat()
        elif action == DRAW:
            self.hands[self.seat].append(self.deck.pop())
            self.drawn += 1
            self.passes = 0
        elif action == PASS:
            self.passes = 0 if self.deck else self.passes + 1
            if self.passes == self.seats + 1:
                self.is_over = True
            self._next_seat()
        else:
            self.suit = action - NAME_SUIT
            self.names_suit = False
            self._next_seat()

    def _next_seat(self) -> None:
        self.seat = (self.seat + 1) % self.seats
        self.drawn = 0


GAMES = {
    "tic_tac_toe": TicTacToe,
    "connect_four": ConnectFour,
    "breakthrough": Breakthrough,
    "crazy_eights": CrazyEights,
}
