"""Three games as one would write them by hand in Python: plain, and quick where that costs no clarity."""

from __future__ import annotations

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


GAMES = {"tic_tac_toe": TicTacToe, "connect_four": ConnectFour, "breakthrough": Breakthrough}
