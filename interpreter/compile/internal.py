"""Statements and expressions that only the compiler makes: calls of units, the parts of turns, tables of members."""

from __future__ import annotations

from attrs import field

from rulespec import checked as ir
from rulespec.records import frozen
from rulespec.source import Span


@frozen(eq=False)
class Unit:
    """A body that becomes one Python function.

    key: as "procedure place/0", "action build", "phase main", "move hand" (the event with its triggers).
    """

    key: str
    params: tuple[ir.Local, ...]
    body: ir.Block
    span: Span = field(repr=False)

    @property
    def python_name(self) -> str:
        """The name of the emitted function."""
        return "".join(c if c.isalnum() else "_" for c in self.key)


@frozen(eq=False)
class CallUnit(ir.Stmt):
    """A call of a unit by its key. `local` receives the result."""

    key: str
    args: tuple[ir.Expr, ...]
    local: ir.Local | None = None


@frozen(eq=False)
class SetTurn(ir.Stmt):
    """`turn_player` from now on; None outside turns. `back`: after a phase with turns, what it was before."""

    seat: ir.Expr | None
    back: bool = False


@frozen(eq=False)
class Reset(ir.Stmt):
    """Variables that last a turn or a phase go back to their start values."""

    variables: tuple[str, ...]


@frozen(eq=False)
class Forever(ir.Stmt):
    """A loop that only `Leave` or an end leaves. `waits`: each pass has a decision, or counts a step of its own."""

    body: ir.Block
    waits: bool = False


@frozen(eq=False)
class Leave(ir.Stmt):
    """Leaves the innermost Forever."""


@frozen(eq=False)
class TurnAsk(ir.Stmt):
    """The decision of a turn: one of the actions; `stuck` when none is legal (None: a fault).

    several: whether a turn goes on for more of these, in a Forever that `pass` leaves. done: whether the option `done`
    leaves it too. passes: whether `pass` is among the options where no action has that name.
    any_time: actions that anybody may do first.
    """

    who: ir.Expr
    offers: tuple[ir.Offer, ...]
    any_time: tuple[ir.Offer, ...]
    stuck: ir.Block | None
    done: bool
    phase: str
    several: bool = False
    passes: bool = False


@frozen(eq=False)
class EnterPhase(ir.Stmt):
    """Tells the log that a phase begins."""

    phase: str


@frozen(eq=False)
class StartTogether(ir.Stmt):
    """`for p in players, together`: a branch, a frame of the unit `key`, for each seat of the selection.

    captured: locals of the body around, copied into each branch.
    """

    key: str
    local: ir.Local
    selection: ir.Selection
    captured: tuple[ir.Local, ...]


@frozen(eq=False)
class Among(ir.Expr):
    """Whether a component is one of some: `passing` is a table with a truth value for each."""

    item: ir.Expr
    passing: ir.Expr


@frozen(eq=False)
class Tabled(ir.Expr):
    """A list that was worked out before the game. name: of the table; keys: what it is read by, from `lows` on."""

    name: str
    keys: tuple[ir.Expr, ...]
    lows: tuple[int, ...]
