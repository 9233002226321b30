"""`State`: a position of a game in play, and what can be asked of it."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.actions import Action
from interpreter.errors import Fault, IllegalAction, RuleError
from interpreter.runtime.play import (
    STEPS,
    GameEnd,
    OutOfRange,
    PhaseEnd,
    Stuck,
    continue_branch,
    interrupt,
    leave,
    run,
    run_on,
)
from interpreter.sight.copies import copied_key
from rulespec.source import Span

if TYPE_CHECKING:
    from interpreter.compile.module import Module
    from interpreter.game import Game

History = tuple[Any, int, Action] | None
"""A linked list of what was decided, the last first: (before, seat, action); chance has seat -1."""


class State:
    """A position between two decisions. It changes only through `apply`.

    Made by `Game.new_state`, `clone`, or `Game.state_from_json`. Not for use by several threads at once.

    Attributes:
        game: the game.
        seed: of the random streams it began with.
        is_over: whether the game has ended. Not to be set.
    """

    # `is_over` could be read from the position, but a playout asks for it before each decision.
    __slots__ = ("_begun", "_history", "_logged", "_module", "_origin", "_past", "_position", "game", "is_over", "seed")

    def __init__(
        self, game: Game, module: Module, position: Any, seed: int, history: History = None, origin: Any = None
    ) -> None:
        self.game = game
        self.seed = seed
        self._module = module
        self._position = position
        self.is_over: bool = position.over
        self._history = history
        self._origin = origin
        """A position that the history starts from, where that is not the start of the game."""
        self._logged: Any = None
        self._past: Any = None
        """Of a sampled world, what happened before its origin (see `logs.Twin`), and the entry of its history there."""
        self._begun: History = None

    # ------------------------------------------------------------ who decides

    @property
    def current_seat(self) -> int | None:
        """The seat that decides now, `CHANCE` (-1) at a chance node, None when the game is over.

        Where several seats may decide, the first of `deciding_seats`.
        """
        return self._position.seat  # type: ignore[no-any-return]

    @property
    def turn(self) -> int | None:
        """The seat whose turn it is, None outside turns."""
        return self._position.turn  # type: ignore[no-any-return]

    def deciding_seats(self) -> list[int]:
        """All seats that may decide now, in order of service; empty at a chance node and at the end."""
        S = self._position
        if S.over or S.seat == -1:
            return []
        if S.branches is not None:
            return [branch[0] for branch in S.branches]
        seats = [S.seat]
        if S.open:
            seats += [s for s in range(self.game.seats) if s != S.seat and self._interrupts(s)]
        return seats

    def _interrupts(self, seat: int) -> list[Action]:
        """What a seat may do while another one's decision is open."""
        S = self._position
        if S.over or not S.open:
            return []
        decision = self._module.decisions[S.decision]
        return self._module.function(decision.any_time)(S, seat) if decision.any_time else []

    def legal_actions(self, seat: int | None = None) -> list[Action]:
        """The options of a seat that may decide, in the order of the spec; empty for other seats.

        Args:
            seat: None for the current seat. At a chance node the list is empty.
        """
        S = self._position
        if seat is None and S.seat != -1 and self.game.copies is None:
            return [*S.options]
        copies = self.game.copies
        if seat is None:
            seat = S.seat
        if seat == -1 or S.seat == -1:
            return []
        options = self._listed(seat)
        return [*options] if copies is None else copies.names(self._seen_by(seat), options, seat)

    def _listed(self, seat: int | None) -> Sequence[Action]:
        """The options of a seat (-1 chance) as the rules list them, with the components that lie there."""
        S = self._position
        if seat == S.seat:
            return S.options  # type: ignore[no-any-return]
        if S.branches is not None:
            return next((b[3] for b in S.branches if b[0] == seat), ())
        return () if seat is None or seat < 0 else self._interrupts(seat)

    def _seen_by(self, seat: int | None) -> Callable[[], Any]:
        """Gives the position as a seat sees it; for chance all of it."""
        from interpreter.sight.views import seen_position

        return lambda: seen_position(self, seat)

    def _meant(self, action: Action | str, seat: int | None) -> tuple[Action, Action]:
        """An option as it is called, and as the rules know it (see `interpreter.sight.copies`).

        Raises:
            IllegalAction: it is not among the options of the seat (-1 chance) now.
        """
        options, copies = self._listed(seat), self.game.copies
        if copies is None:
            found = next((option for option in options if option is action), None)
            found = found or self._offered(action, seat, options)
            return found, found
        names = dict(copies.pairs(self._seen_by(seat), options, None if seat == -1 else seat))
        name = next((option for option in names if option is action), None)
        name = name or self._offered(action, seat, list(names))
        return name, names[name]

    def chance_outcomes(self) -> list[tuple[Action, Fraction]]:
        """At a chance node every outcome with its exact probability, in order; else empty."""
        S = self._position
        if S.seat != -1:
            return []
        decision = self._module.decisions[S.decision]
        copies = self.game.copies
        pairs = zip(S.options, S.options, strict=True) if copies is None else copies.pairs(lambda: S, S.options, None)
        names = {copied_key(S, option): name for name, option in pairs}
        weights: dict[Action, Fraction] = dict.fromkeys(names.values(), Fraction(0))
        for action, weight in self._module.function(decision.weights)(S, S.stack[-1]):
            weights[names[copied_key(S, action)]] += Fraction(weight)
        total = sum(weights.values())
        return [(action, weight / total) for action, weight in weights.items() if weight]

    def prompt(self, seat: int | None = None) -> str:
        """What the spec says of the decision of a seat, or ""."""
        S = self._position
        if S.over or (seat is not None and seat not in self.deciding_seats()):
            return ""
        number, frame = S.decision, S.stack[-1] if S.stack else None
        if S.branches is not None:
            wanted = S.seat if seat is None else seat
            number, frame = next((b[2], b[1][-1]) for b in S.branches if b[0] == wanted)
        elif seat is not None and seat != S.seat:
            return ""
        name = self._module.decisions[number].prompt
        return self._module.function(name)(S, frame) if name else ""

    # ------------------------------------------------------------ going on

    def apply(self, action: Action | str, seat: int | None = None) -> None:
        """Does an option, and runs the rules to the next decision, chance node or the end.

        Args:
            action: one of `legal_actions`, or its text; at a chance node one of `chance_outcomes`.
            seat: who decides, where several may; None for the current seat.

        Raises:
            IllegalAction: it is not among the options now; the state has not changed.
            RuleError: a rule cannot be carried out; the state is as before.
        """
        S = self._position
        who = S.seat
        if (seat is None or seat == who) and (
            (self._module.plain or (S.branches is None and self.game.copies is None)) and action in S.options
        ):
            # The usual case: from one decision to the next within one body.
            S.chosen = action
            S.steps = STEPS
            frame = S.stack[-1]
            try:
                try:
                    how = self._module.code[frame[0]](S, frame)
                except (PhaseEnd, GameEnd) as end:
                    how = leave(S, end)
                if how != 1:
                    run_on(S, self._module.code, how)
                    self.is_over = S.over
            except Exception as problem:
                raise self._failed(problem, str(action), who) from problem
        else:
            who = who if seat is None or seat == who else self._seat(seat)
            action, S.chosen = self._meant(action, who)
            try:
                self._go_on(who, action)
                self.is_over = S.over
            except Exception as problem:
                raise self._failed(problem, str(action), who) from problem
        self._history = (self._history, who, action)  # type: ignore[assignment]

    def _go_on(self, who: int, action: Action) -> None:
        """Runs the rules after a choice of one of several seats."""
        S = self._position
        if S.branches is not None:
            S.taken = (S.taken, who, action)
            continue_branch(S, self._module.code, who)
            return
        if who != S.seat:
            self._interrupt(who, S.chosen)
        run(S, self._module.code)

    def _seat(self, seat: Any) -> int:
        try:
            return self.game.check_seat(seat)
        except ValueError as problem:
            raise IllegalAction(str(problem)) from None

    def _interrupt(self, seat: int, action: Action) -> None:
        """Another seat acts while a decision is open, which is then asked again."""
        S = self._position
        S.stack[-1][1] = self._module.decisions[S.decision].restart
        scope, number = self._module.namespace, action.action
        interrupt(S, scope["ENTRY"][number], scope["DO"][number], seat, action.key)

    def _offered(self, action: Any, seat: int | None, options: Sequence[Action]) -> Action:
        """The option meant by a text, or by an action of an equal game."""
        text = str(action).strip()
        for option in options:
            if str(option) == text:
                return option
        wanted = self.game.texts.normal(text)
        for option in options:
            if self.game.texts.normal(str(option)) == wanted:
                return option
        if self.is_over:
            raise IllegalAction(f"`{text}` is not possible: the game is over")
        if seat == -1:
            raise IllegalAction(f"`{text}` is not an outcome of the random event now")
        raise IllegalAction(f"{self.game.seat_name(seat or 0)} cannot do `{text}` now", tuple(self.why_not(text, seat)))

    def _guarded(self, doing: Callable[[], None], action: str, seat: int | None) -> None:
        try:
            doing()
        except Exception as problem:
            raise self._failed(problem, action, seat) from problem

    def _failed(self, problem: Exception, action: str, seat: int | None) -> RuleError:
        """A fault with its place in the spec; the state goes back to before the action."""
        error = rule_error(self.game, self._module, problem, action, seat, self._position.stack)
        if action:
            self._position = self._replayed()._position
            self.is_over = self._position.over
        return error

    def _replayed(self) -> State:
        """This state made again from its origin and history."""
        if self._origin is not None:
            state = State(self.game, self._module, self._origin.clone(), self.seed, self._begun, self._origin)
            state._past, state._begun = self._past, self._begun
        else:
            chance = "explicit" if self.is_explicit else "seeded"
            state = self.game.new_state(self.seed, chance, "open" if self._position.open else "asked")
        for who, action in self._since(self._begun):
            state.apply(action, who)
        return state

    @property
    def history(self) -> list[tuple[int, Action]]:
        """Every decision so far, the first first, with its seat; chance outcomes have seat -1."""
        return self._since(None)

    def _since(self, begun: History) -> list[tuple[int, Action]]:
        """The decisions after an entry of the history."""
        found = []
        entry = self._history
        while entry is not begun and entry is not None:
            before, seat, action = entry
            found.append((seat, action))
            entry = before
        return found[::-1]

    @property
    def is_explicit(self) -> bool:
        """Whether chance is left to the caller."""
        return self._module is self.game.module(explicit=True) if (False, True) in self.game._modules else False

    def clone(self) -> State:
        """An independent copy."""
        c = object.__new__(State)
        c.game, c.seed, c._module = self.game, self.seed, self._module
        c._position = self._position.clone()
        c.is_over = self.is_over
        c._history, c._origin, c._logged = self._history, self._origin, None
        c._past, c._begun = self._past, self._begun
        return c

    __copy__ = clone

    def __deepcopy__(self, memo: dict[int, Any]) -> State:
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self.game, self.to_json())

    # ------------------------------------------------------------ what there is to see

    def view(self, seat: int | None = None) -> dict[str, Any]:
        """What a seat sees, in plain JSON types; None for a spectator. See `interpreter.sight.views`."""
        from interpreter.sight.views import view

        return view(self, seat)

    def log(self, seat: int | None = None) -> list[str]:
        """What has happened, line by line, as a seat saw it; None for a spectator. See `interpreter.sight.logs`."""
        from interpreter.sight.logs import log

        return log(self, seat)

    def sample_world(self, seat: int | None, chance: random.Random) -> State:
        """A full state that a seat could be in, given all that it has seen so far; None for a spectator.

        The world is made from what the seat has seen and `chance` alone: two states that are the same to the seat
        give the same worlds. See `interpreter.worlds.sampling` for how, and with which distribution.

        Raises:
            WorldError: none was found within bounds, or the state does not know its own past.
        """
        from interpreter.worlds.sampling import sample_world

        return sample_world(self, seat, chance)

    def with_other_luck(self, chance: random.Random) -> State:
        """A copy in which what chance will bring is drawn anew. Its log begins here."""
        c = self.clone()
        c._position.rng = [chance.getrandbits(64) for _ in c._position.rng]
        c._origin, c._begun, c._past = c._position.clone(), c._history, None
        return c

    def why_not(self, action: Action | str, seat: int | None = None) -> list[str]:
        """Why a seat cannot do something now; empty if it can. See `interpreter.why.reasons`."""
        from interpreter.why.reasons import why_not

        return why_not(self, str(action), self.current_seat if seat is None else seat)

    def to_json(self) -> str:
        """The whole state as JSON text, in the middle of any effect. See `Game.state_from_json`."""
        from interpreter.saves.states import state_to_json

        return state_to_json(self)

    # ------------------------------------------------------------ results and full information

    @property
    def scores(self) -> list[Any]:
        """The score of each seat now: the declared score, else the first value ranked by; else empty."""
        result = self.game.spec.result
        name = "result_score" if result.score is not None else "result_rank_0" if result.rank_by else ""
        if not name:
            return []
        return self._of_seats(name, range(self.game.seats))

    def _of_seats(self, name: str, seats: Sequence[int]) -> list[Any]:
        """What a part of `result` gives for some seats.

        Raises:
            RuleError: it cannot be worked out.
        """
        function, S = self._module.function(name), self._position
        try:
            return [function(S, seat) for seat in seats]
        except Exception as problem:
            raise rule_error(self.game, self._module, problem, "", None) from problem

    @property
    def winners(self) -> list[int]:
        """The seats that have won; empty before the end and in a draw without winners."""
        S = self._position
        if not S.over:
            return []
        if S.outcome is not None:
            return sorted(S.outcome[0])
        result = self.game.spec.result
        best = list(range(self.game.seats))
        ranks: list[tuple[str, Any]] = [(kind, f"result_rank_{n}") for n, (kind, _) in enumerate(result.rank_by)]
        if not ranks and result.score is not None:
            ranks = [("highest", "result_score")]
        if not ranks:
            return []
        for kind, name in ranks:
            values = dict(zip(best, self._of_seats(name, best), strict=True))
            wanted = min(values.values()) if kind == "lowest" else max(values.values())
            best = [seat for seat in best if values[seat] == wanted]
        return best

    @property
    def outcome(self) -> str:
        """The reason that the rules gave for the end, or ""."""
        S = self._position
        return S.outcome[1] if S.outcome is not None else ""

    @property
    def returns(self) -> list[Any]:
        """What each seat gets once the game is over, zeros before.

        The declared payoff, else the declared score, else 1 for winners and -1 for losers, 0 where all share or none
        has won.
        """
        seats, S = self.game.seats, self._position
        if not S.over:
            return [0] * seats
        result = self.game.spec.result
        if result.payoff is not None:
            S.winners = self.winners
            return self._of_seats("result_payoff", range(seats))
        if result.score is not None and S.outcome is None:
            return self.scores
        winners = self.winners
        if not winners or len(winners) == seats > 1:
            return [0] * seats
        return [1 if seat in winners else -1 for seat in range(seats)]

    @property
    def variables(self) -> Mapping[str, Any]:
        """All variables by name, nested by index, with everything hidden: for tools and tests."""
        from interpreter.sight.views import all_variables

        return all_variables(self)

    @property
    def zones(self) -> Mapping[str, Any]:
        """All zones by name, nested by index, as lists of row ids in the zone's order: for tools and tests."""
        from interpreter.sight.views import all_zones

        return all_zones(self)

    def broken_invariants(self) -> list[str]:
        """Names of the spec's invariants that do not hold now."""
        broken = []
        for invariant in self.game.spec.invariants:
            holds = False

            def test(name: str = invariant.name) -> None:
                nonlocal holds
                holds = bool(self._module.function(f"invariant_{name}")(self._position))

            self._guarded(test, "", None)
            if not holds:
                broken.append(invariant.name)
        return broken


def _from_json(game: Game, text: str) -> State:
    return game.state_from_json(text)


def rule_error(
    game: Game, module: Module, problem: Exception, action: str, seat: int | None, stack: Sequence[Sequence[Any]] = ()
) -> RuleError:
    """A fault in emitted code as an error that names the lines of the spec.

    Args:
        game: the game.
        module: what was running.
        problem: the fault.
        action: what was being done, as text.
        seat: who did it.
        stack: the bodies that were being carried out, for faults between two steps.
    """
    if isinstance(problem, RuleError):
        return problem
    spans: list[Span] = []
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        if frame.filename == module.filename and frame.lineno is not None:
            spans += [span for span in module.spans[frame.lineno - 1] if span not in spans]
    if not spans:
        spans = list(dict.fromkeys(filter(None, (_first_span(module, frame[0]) for frame in reversed(stack)))))
    return RuleError(_message(game, problem), tuple(spans[:8]), action, seat)


def _first_span(module: Module, unit: int) -> Span | None:
    """The first place in the spec of a body."""
    line = module.code[unit].__code__.co_firstlineno - 1
    return next((places[0] for places in module.spans[line : line + 10] if places), None)


def _message(game: Game, problem: Exception) -> str:
    match problem:
        case OutOfRange(args=(name, index, value)):
            return game.texts.out_of_range(name, index, value)
        case Stuck(args=(phase, seat)):
            return f"{game.seat_name(seat)} has no legal action in phase `{phase}`; say in `if_stuck` what happens then"
        case RecursionError():
            return "this rule calls itself, directly or through triggers, without end"
        case Fault():
            return str(problem)
        case TypeError() | IndexError() | AttributeError() | KeyError():
            return "this rule uses a value that is none or does not exist here"
    return f"this rule failed: {problem}"
