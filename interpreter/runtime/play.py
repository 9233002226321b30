"""The loop that runs emitted code from one stop to the next, and what the code raises to leave a phase or the game.

A position `S` is an object of the class that the module emits. Its parts beside zones and variables:

    stack       frames, the innermost last; empty when the game is over
    seat        who decides now, -1 for chance
    decision    number of the decision in the module's DECISIONS
    options     the options, in order
    chosen      the option taken, read once by the code that goes on
    ret         result of the unit that has just ended
    turn        whose turn it is, or none
    rng         the random streams
    steps       loops that may still be gone through before the next stop
    branches    seats that decide together: [seat, stack, decision, options], or none; `main` is then the stack below
    before      the position when the branches began, with them, for views; `taken` what each seat did since, the last
                first
    outcome     (winners, reason) once stated, else none
    over        whether the game is over
    open        whether `any_time` is served open
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from interpreter.errors import Fault
from interpreter.runtime.support import distinct, look

STEPS = 100_000
"""How many loop passes and calls one action may take before it counts as endless."""


class PhaseEnd(Exception):
    """`end PHASE`: the numbers of the units of which the innermost is left; the number of the loop around it; and
    the place in its frame that says that no pass follows, or none."""


class GameEnd(Exception):
    """`end game`, win, lose, draw."""


class Stuck(Fault):
    """A turn with nothing legal and no `if_stuck`; phase and seat."""


class OutOfRange(Fault):
    """A variable would leave its range; name, flat index and value."""


class EndlessRule(Fault):
    """A rule that went on for more than the allowed number of steps."""

    def __str__(self) -> str:
        return f"this rule did not come to an end within {STEPS:,} steps"


Endless = EndlessRule
"""The class: one exception for all games would keep the places of those before."""


def advance(S: Any, code: Sequence[Callable[[Any, Any], int | None]]) -> int:
    """Runs until the stack is empty (0), a decision (1) or branches (2)."""
    stack = S.stack
    steps = STEPS
    while stack:
        try:
            frame = stack[-1]
            how: int | None = code[frame[0]](S, frame)
            if how:
                return how
            steps -= 1
            if not steps:
                raise Endless
        except (PhaseEnd, GameEnd) as end:
            leave(S, end)
    return 0


def advance_to(S: Any, code: Sequence[Callable[[Any, Any], int | None]], unit: int) -> int:
    """As `advance`, but halts where a unit begins (3)."""
    stack = S.stack
    for _ in range(STEPS):
        if not stack:
            return 0
        frame = stack[-1]
        if frame[0] == unit and frame[1] == 0:
            return 3
        try:
            how: int | None = code[frame[0]](S, frame)
            if how:
                return how
        except (PhaseEnd, GameEnd) as end:
            leave(S, end)
    raise Endless


def run_to(
    S: Any, code: Sequence[Callable[[Any, Any], int | None]], unit: int, choose: Callable[[Sequence[Any]], Any]
) -> bool:
    """Runs a position to where a unit begins, with decisions on the way made by `choose`.

    Returns:
        Whether the unit began; if not, the game is over, or that took too many decisions.
    """
    for _ in range(STEPS // 100):
        S.steps = STEPS
        how = advance_to(S, code, unit)
        if how == 3:
            return True
        if how == 0:
            finish(S)
            return False
        if how == 2:
            _begin_branches(S, code)
            while S.branches is not None:
                seat, _, _, options = S.branches[0]
                S.chosen = choose(options)
                _go_on_in_branch(S, code, seat)
        else:
            S.chosen = choose(S.options)
    return False


def leave_phase(stack: list[list[Any]], units: Sequence[int], loop: int, ended: int | None) -> None:
    """Takes frames off the stack up to the innermost of the units of a phase."""
    if ended is not None:
        for frame in stack:
            if frame[0] == loop:
                frame[ended] = True
    while stack and stack.pop()[0] not in units:
        pass


def interrupt(S: Any, unit: int, done: Callable[..., Any] | None, seat: int, arguments: Sequence[Any]) -> None:
    """Begins an action between two steps: its frame, or the whole of it where it cannot stop (`done`)."""
    S.seat = seat
    if done is None:
        S.stack.append([unit, 0, seat, *arguments])
        return
    S.steps = STEPS
    try:
        done(S, seat, *arguments)
    except (PhaseEnd, GameEnd) as end:
        leave(S, end)


def run(S: Any, code: Sequence[Callable[[Any, Any], int | None]]) -> None:
    """Runs a position from where it stands to its next stop."""
    S.steps = STEPS
    run_on(S, code, 0)


def run_on(S: Any, code: Sequence[Callable[[Any, Any], int | None]], how: int | None) -> None:
    """Runs a position to its next stop, after its innermost body has given `how`."""
    if not how:
        how = advance(S, code) if S.stack else 0
    while how == 2:
        _begin_branches(S, code)
        if S.branches is not None:
            return
        how = advance(S, code)
    if how == 0:
        finish(S)


def leave(S: Any, end: PhaseEnd | GameEnd) -> int:
    """Takes off the stack what has been left; play goes on below."""
    if isinstance(end, PhaseEnd):
        leave_phase(S.stack, *end.args)
    else:
        S.stack.clear()
    return 0


def finish(S: Any) -> None:
    """The game is over."""
    S.over = True
    S.options = ()
    S.seat = None


def _begin_branches(S: Any, code: Sequence[Callable[[Any, Any], int | None]]) -> None:
    """Runs each branch to its first decision."""
    begun = S.branches
    S.branches = None
    S.before = S.clone()
    S.before.stack = []
    S.before.branches = [[seat, [frame[:] for frame in stack]] for seat, stack in begun]
    S.taken = ()
    S.main = S.stack
    pending = []
    for seat, stack in begun:
        S.stack = stack
        if advance(S, code):
            pending.append([seat, stack, S.decision, S.options])
    _pend(S, pending)


def continue_branch(S: Any, code: Sequence[Callable[[Any, Any], int | None]], seat: int) -> None:
    """Runs the branch of a seat that has just chosen; after the last branch the body around goes on."""
    _go_on_in_branch(S, code, seat)
    if S.branches is None:
        run(S, code)


def _go_on_in_branch(S: Any, code: Sequence[Callable[[Any, Any], int | None]], seat: int) -> None:
    S.steps = STEPS
    pending = []
    for branch in S.branches:
        if branch[0] == seat:
            S.stack, S.seat = branch[1], seat
            if not advance(S, code):
                continue
            branch = [seat, S.stack, S.decision, S.options]
        pending.append(branch)
    _pend(S, pending)


def _pend(S: Any, pending: list[Any]) -> None:
    if pending:
        S.branches = pending
        S.stack = S.main
        S.seat, _, S.decision, S.options = pending[0]
    else:
        S.branches = S.before = None
        S.stack = S.main
        S.main = None


def picks(
    S: Any,
    members: Sequence[Any],
    picked: Sequence[int],
    low: int,
    table: Any,
    one: bool,
    looks: Any,
    done: Any,
) -> list[Any]:
    """The options of the next item of a choice of several: later members from which enough can still be picked.

    one: members are single values, not tuples. looks: as for `support.distinct`, or None.
    """
    start = picked[-1] + 1 if picked else 0
    last = len(members) - max(low - len(picked), 1)
    options = [table.of((m,) if one else tuple(m)) for m in members[start : last + 1]]
    if looks is not None:
        options = distinct(S, options, looks)
    if len(picked) >= low:
        options.append(done)
    return options


def random_picks(
    S: Any, members: Sequence[Any], picked: Sequence[int], low: int, table: Any, one: bool, looks: Any
) -> tuple[list[Any], list[tuple[Any, int]]]:
    """The outcomes of the next random pick of several, and their (option, weight) pairs."""
    found: dict[Any, list[Any]] = {}
    for i, member in enumerate(members):
        if i not in picked:
            option = table.of((member,) if one else tuple(member))
            found.setdefault(look(S, option.key, looks) if looks is not None else option, []).append(option)
    return [group[0] for group in found.values()], [(group[0], len(group)) for group in found.values()]


def pick(members: Sequence[Any], picked: Sequence[int], chosen: Any, one: bool, in_order: bool) -> list[int]:
    """The numbers of the picked members with the chosen one, sorted."""
    wanted = chosen.key[0] if one else chosen.key
    start = picked[-1] + 1 if picked and in_order else 0
    for i in range(start, len(members)):
        member = members[i]
        if i not in picked and (member if one else tuple(member)) == wanted:
            return sorted([*picked, i])
    raise AssertionError("the option is one of the members")
