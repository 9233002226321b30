"""Plays a spec and the same game of OpenSpiel in lock-step, and compares all that both say."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from interpreter import CHANCE, Action, Game, State, load_game

GAMES = Path(__file__).parent / "games"
Key = int | str
"""What a move is called on both sides: OpenSpiel's number, or a text."""


class Mapping:
    """How a spec and a game of OpenSpiel belong together. The docstring of a subclass says where they differ by choice.

    Attributes:
        spec: name of the file in `games`.
        spiel: OpenSpiel's name of the game, with its parameters.
        players, options: what the spec is made with.
        seats: our seat for each of OpenSpiel's players; none where they are the same.
        horizon: the number of moves after which OpenSpiel stops a game that goes on, or none.
        forced: OpenSpiel takes by itself where a seat has one option, once no seat has a choice any more.
        merged: OpenSpiel lists several actions that are the same, in other orders.
        any_order: seats decide together here, and one after another in OpenSpiel.
    """

    spec: ClassVar[str]
    spiel: ClassVar[str]
    players: ClassVar[int | None] = None
    options: ClassVar[dict[str, Any]] = {}
    seats: ClassVar[Sequence[int] | None] = None
    horizon: ClassVar[int | None] = None
    forced: ClassVar[bool] = False
    merged: ClassVar[bool] = False
    any_order: ClassVar[bool] = False

    def ours(self, state: State, action: Action) -> Key:
        """What our option is called."""
        raise NotImplementedError

    def ways(self, state: State, seat: int) -> list[tuple[Key, list[Action]]]:
        """All ways of a seat to do what is one action in OpenSpiel; here each is one option."""
        return [(self.ours(state, action), [action]) for action in state.legal_actions(seat)]

    def theirs(self, state: Any, player: int, action: int) -> Key:
        """What OpenSpiel's action is called, where it is a text."""
        return str(state.action_to_string(player, action))

    def chance(self, state: State, action: Action) -> Key:
        """What our outcome of a chance node is called."""
        raise NotImplementedError

    def returns(self, state: State) -> list[float]:
        """Our returns in the measure of OpenSpiel."""
        return [float(value) for value in state.returns]

    def seat(self, player: int) -> int:
        """Our seat for a player of OpenSpiel."""
        return player if self.seats is None or player < 0 else self.seats[player]

    def game(self) -> Game:
        """The spec, compiled."""
        return compiled(self.spec, self.players, tuple(sorted(self.options.items())))

    def start(self) -> tuple[State, Any]:
        """Both at the start."""
        import pyspiel

        return self.game().new_state(chance="explicit"), pyspiel.load_game(self.spiel).new_initial_state()


@cache
def compiled(spec: str, players: int | None, options: tuple[tuple[str, Any], ...]) -> Game:
    """A spec of `games`, compiled once."""
    return load_game(GAMES / f"{spec}.yaml", players, dict(options))


class Difference(AssertionError):
    """The two do not agree."""


def agree(what: str, ours: Any, theirs: Any, state: State, other: Any) -> None:
    """Raises where two values differ, and says how the game went so far."""
    if ours != theirs:
        if isinstance(ours, (set, frozenset)) and isinstance(theirs, (set, frozenset)):
            ours, theirs = f"only ours {sorted(ours - theirs)}", f"only theirs {sorted(theirs - ours)}"
        played = ", ".join(str(action) for _, action in state.history)
        raise Difference(f"{what}: {ours}; {theirs}\nafter {played}\n{other}")


def legal(mapping: Mapping, state: State, other: Any, seat: int, player: int) -> list[tuple[list[Action], int]]:
    """What a seat can do on both sides, which must be the same."""
    return paired(mapping, "options", state, other, player, mapping.ways(state, seat), other.legal_actions(player))


def outcomes(mapping: Mapping, state: State, other: Any) -> list[tuple[Action, int, Fraction]]:
    """The outcomes of a chance node on both sides, which must be the same with equal odds."""
    odds = dict(state.chance_outcomes())
    theirs = dict(other.chance_outcomes())
    ours = [(mapping.chance(state, action), [action]) for action in odds]
    pairs = paired(mapping, "outcomes", state, other, CHANCE, ours, list(theirs))
    for (action,), number in pairs:
        if abs(float(odds[action]) - theirs[number]) > 1e-9:
            agree(f"odds of {action}", odds[action], theirs[number], state, other)
    return [(action, number, odds[action]) for (action,), number in pairs]


def paired(
    mapping: Mapping,
    what: str,
    state: State,
    other: Any,
    player: int,
    ours: list[tuple[Key, list[Action]]],
    numbers: Sequence[int],
) -> list[tuple[list[Action], int]]:
    """The options of both sides by their common name."""
    if ours and isinstance(ours[0][0], int):
        theirs: dict[Key, int] = {number: number for number in numbers}
    else:
        theirs = {mapping.theirs(state=other, player=player, action=number): number for number in numbers}
    agree(f"different {what} of ours", len({key for key, _ in ours}), len(ours), state, other)
    if not mapping.merged:
        agree(f"different {what} of theirs", len(theirs), len(numbers), state, other)
    agree(what, {key for key, _ in ours}, set(theirs), state, other)
    return [(actions, theirs[key]) for key, actions in ours]


def steps(mapping: Mapping, state: State, other: Any) -> list[tuple[int | None, list[Action], int]]:
    """All ways to go on, once seats, options and odds have been compared: (seat, our actions, theirs)."""
    if other.is_chance_node():
        agree("chance", state.current_seat, CHANCE, state, other)
        return [(None, [action], number) for action, number, _ in outcomes(mapping, state, other)]
    player = other.current_player()
    seat = mapping.seat(player)
    if mapping.any_order:
        agree("seat", seat in state.deciding_seats(), True, state, other)
    else:
        agree("seat", state.current_seat, seat, state, other)
    return [(seat, actions, number) for actions, number in legal(mapping, state, other, seat, player)]


def settle(mapping: Mapping, state: State, other: Any) -> None:
    """A random event with one outcome may be an event on one side only: it is done. So are `forced` moves."""
    while other.is_chance_node() and state.current_seat != CHANCE and len(other.chance_outcomes()) == 1:
        other.apply_action(other.chance_outcomes()[0][0])
    while mapping.forced and other.is_terminal() and not state.is_over and state.current_seat != CHANCE:
        seat = state.deciding_seats()[0]
        agree("options at the end", len(state.legal_actions(seat)), 1, state, other)
        state.apply(state.legal_actions(seat)[0], seat)


def finished(mapping: Mapping, state: State, other: Any) -> bool:
    """Whether the game is over, on both sides alike, with the same returns; or stopped by OpenSpiel's horizon."""
    if other.is_terminal() and not state.is_over and mapping.horizon is not None:
        agree("horizon", len(other.history()) >= mapping.horizon, True, state, other)
        return True
    agree("over", state.is_over, other.is_terminal(), state, other)
    if state.is_over:
        agree("returns", mapping.returns(state), [other.returns()[p] for p in by_seat(mapping, other)], state, other)
    return state.is_over


def by_seat(mapping: Mapping, other: Any) -> list[int]:
    """OpenSpiel's players in the order of our seats."""
    players = range(other.num_players())
    return sorted(players, key=mapping.seat)


def play(mapping: Mapping, seed: int, most: int = 100_000) -> int:
    """A random game in lock-step; gives the number of its moves.

    Raises:
        Difference: the two do not agree.
    """
    chance = random.Random(seed)
    state, other = mapping.start()
    moves = 0
    while moves < most:
        settle(mapping, state, other)
        if finished(mapping, state, other):
            break
        if other.is_chance_node():
            agree("chance", state.current_seat, CHANCE, state, other)
            found = outcomes(mapping, state, other)
            action, number, _ = chance.choices(found, [float(odds) for _, _, odds in found])[0]
            state.apply(action)
            other.apply_action(number)
        elif other.is_simultaneous_node():
            chosen = []
            players = [p for p in range(other.num_players()) if other.legal_actions(p)]
            agree("seats", sorted(state.deciding_seats()), [mapping.seat(p) for p in players], state, other)
            for player in players:
                seat = mapping.seat(player)
                (action,), number = chance.choice(legal(mapping, state, other, seat, player))
                state.apply(action, seat)
                chosen.append(number)
            other.apply_actions(chosen)
        else:
            who, actions, number = chance.choice(steps(mapping, state, other))
            for action in actions:
                state.apply(action, who)
            other.apply_action(number)
        moves += 1
    return moves


def walk(mapping: Mapping, position: Callable[[State], Any] | None = None) -> Iterator[tuple[State, Any]]:
    """Every node of the whole tree on both sides, compared; with `position` each position once."""
    todo = [mapping.start()]
    seen = set()
    while todo:
        state, other = todo.pop()
        settle(mapping, state, other)
        if position is not None:
            key = position(state)
            if key in seen:
                continue
            seen.add(key)
        yield state, other
        if finished(mapping, state, other):
            continue
        for seat, actions, number in steps(mapping, state, other):
            copy, other_copy = state.clone(), other.clone()
            for action in actions:
                copy.apply(action, seat)
            other_copy.apply_action(number)
            todo.append((copy, other_copy))


def perft(state: State, depth: int) -> int:
    """The number of ways to play so many moves."""
    if depth == 0:
        return 1
    if state.is_over:
        return 0
    options = state.legal_actions()
    if depth == 1:
        return len(options)
    return sum(perft(after(state, action), depth - 1) for action in options)


def after(state: State, action: Action) -> State:
    """A copy of a state in which an option has been taken."""
    copy = state.clone()
    copy.apply(action)
    return copy


def spiel_perft(state: Any, depth: int) -> int:
    """`perft` by OpenSpiel."""
    if depth == 0:
        return 1
    options = state.legal_actions()
    if depth == 1 or not options:
        return len(options)
    return sum(spiel_perft(state.child(action), depth - 1) for action in options)


def best(values: Iterable[Fraction], mine: bool) -> Fraction:
    """The value that the seat which decides takes."""
    return max(values) if mine else min(values)


def minimax(state: State, seat: int, seen: dict[Any, Fraction], position: Callable[[State], Any]) -> Fraction:
    """The value of a game of two seats without chance for one of them, both playing as well as possible."""
    if state.is_over:
        return Fraction(state.returns[seat])
    key = position(state)
    if key not in seen:
        values = [minimax(after(state, action), seat, seen, position) for action in state.legal_actions()]
        seen[key] = best(values, state.current_seat == seat)
    return seen[key]
