"""Checked statements."""

from __future__ import annotations

from attrs import field

from rulespec.checked.expressions import Expr, Local, Selection, TextOf, VarRead, ZoneRead
from rulespec.records import frozen
from rulespec.source import Span


@frozen(eq=False)
class Stmt:
    span: Span = field(kw_only=True, repr=False)


Block = tuple[Stmt, ...]


@frozen(eq=False)
class Let(Stmt):
    """`let x = value`, and `x = value` for a name already bound (then `again`)."""

    local: Local
    value: Expr
    again: bool = False


@frozen(eq=False)
class LetCall(Stmt):
    """A local bound to the result of a procedure or of `usual`."""

    local: Local
    call: Call
    again: bool = False


@frozen(eq=False)
class SetVar(Stmt):
    """A variable's entry gets a value; `+=` and `-=` are written out.

    fits: the value is known to lie in the variable's range, no check is needed.
    clamp: stop at the end of the range (`by up to`).
    """

    variable: str
    indices: tuple[Expr, ...]
    value: Expr
    fits: bool = False
    clamp: bool = False


@frozen(eq=False)
class Move(Stmt):
    """One component to a zone; a none value moves nothing.

    at: None, or an Expr of type RowEnd, StackEnd or spot. after: a component in the row.
    """

    what: Expr
    zone: str
    indices: tuple[Expr, ...]
    at: Expr | None = None
    after: Expr | None = None


@frozen(eq=False)
class MoveAll(Stmt):
    """All components of a zone, in its order, one move each."""

    source: ZoneRead
    zone: str
    indices: tuple[Expr, ...]
    at: Expr | None = None


@frozen(eq=False)
class MoveTokens(Stmt):
    """`amount` (None: all) of one counter to another; a fault when there are fewer or no room."""

    amount: Expr | None
    source: VarRead
    target: VarRead


@frozen(eq=False)
class Swap(Stmt):
    first: VarRead
    second: VarRead


@frozen(eq=False)
class Draw(Stmt):
    """Cards one at a time from the top; refills, then stops silently, when the source is empty."""

    amount: Expr
    source: ZoneRead
    zone: str
    indices: tuple[Expr, ...]


@frozen(eq=False)
class Shuffle(Stmt):
    zone: ZoneRead


@frozen(eq=False)
class TurnOver(Stmt):
    """`face` None: the other face."""

    what: Expr
    face: str | None


@frozen(eq=False)
class If(Stmt):
    test: Expr
    then: Block
    other: Block


@frozen(eq=False)
class While(Stmt):
    test: Expr
    body: Block


@frozen(eq=False)
class Repeat(Stmt):
    times: Expr
    body: Block


@frozen(eq=False)
class For(Stmt):
    """Members are fixed at the start; conditions are tested again when a member's turn comes."""

    selection: Selection
    body: Block


@frozen(eq=False)
class Together(Stmt):
    """`for p in players, together`: one branch for each seat that the selection gives."""

    local: Local
    selection: Selection
    body: Block


@frozen(eq=False)
class Choose(Stmt):
    """quantity None: exactly one. Otherwise (least, most) numbers, either None for 0 or all.

    One decision per item. who None: by chance. stream: the name of the random stream.
    """

    quantity: tuple[Expr | None, Expr | None] | None
    selection: Selection
    who: Expr | None
    weight: Expr | None
    stream: str
    prompt: TextOf | None
    body: Block
    other: Block


@frozen(eq=False)
class Offer:
    """An action in an ask, with the parameters that the rule fixes."""

    action: str
    fixed: tuple[tuple[str, Expr], ...]
    span: Span = field(repr=False)


@frozen(eq=False)
class Ask(Stmt):
    """`passes`: pass is among the offers. An ask with nothing legal is skipped."""

    who: Expr
    offers: tuple[Offer, ...]
    passes: bool
    repeatedly: bool
    prompt: TextOf | None


@frozen(eq=False)
class Window(Stmt):
    """`seats` is a list of players; everyone is asked, also who can only pass."""

    seats: Expr
    offers: tuple[Offer, ...]


@frozen(eq=False)
class Call(Stmt):
    """A procedure. `below`: as in FunctionCall, for `usual`."""

    procedure: str
    args: tuple[Expr, ...]
    below: int | None = None


@frozen(eq=False)
class Usual(Stmt):
    """`usual` in an action's, trigger's, setup's or phase's effects: the layer below, or, in an
    instead_of trigger, the event itself."""


@frozen(eq=False)
class RowEffect(Stmt):
    """A rule in a row that does something: `stall.use(p)`."""

    base: Expr
    field: str
    args: tuple[Expr, ...]


@frozen(eq=False)
class Return(Stmt):
    value: Expr | None


@frozen(eq=False)
class Say(Stmt):
    text: TextOf


@frozen(eq=False)
class Reveal(Stmt):
    """`what`: ZoneRead, VarRead or a component. who None: everyone."""

    what: Expr
    who: Expr | None


@frozen(eq=False)
class Remember(Stmt):
    """`record name`."""

    record: str


@frozen(eq=False)
class End(Stmt):
    """`end phase`; phase "" for `end game`."""

    phase: str


@frozen(eq=False)
class Outcome(Stmt):
    """kind: win, lose, draw."""

    kind: str
    who: Expr | None
    reason: TextOf | None
