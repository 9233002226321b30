"""The syntax tree of the rules language: what `parser` makes of a piece of text.

Nothing here is resolved or typed; a name is only a name. Every node has the span of its source.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import field

from rulespec.records import frozen
from rulespec.source import Span

# ---------------------------------------------------------------- expressions


@frozen
class Node:
    """Base of all nodes."""

    span: Span = field(repr=False, eq=False, kw_only=True)


class Expr(Node):
    """Base of all expressions."""


@frozen
class Name(Expr):
    """`x`: a local, variable, zone, option, enum value, function without arguments, or type."""

    id: str


@frozen
class Number(Expr):
    """`7`, `7½`, `1/2` is a division of two of these."""

    value: Fraction


@frozen
class Template(Node):
    """A text in double quotes, or a label: literal strings and the expressions of its `{...}`."""

    parts: tuple[str | Expr, ...]


@frozen
class Bool(Expr):
    """`true` or `false`."""

    value: bool


@frozen
class NoneLit(Expr):
    """`none`."""


@frozen
class ListLit(Expr):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@frozen
class Range(Expr):
    """`a..b`, or `b down to a` (then `down`): all whole numbers between, ends included."""

    first: Expr
    last: Expr
    down: bool = False


@frozen
class Unary(Expr):
    """`-x` or `not x`; `op` is "-" or "not"."""

    op: str
    operand: Expr


@frozen
class Binary(Expr):
    """`op` is one of `+ - * / mod`, `== != < <= > >=`, `in`, `not in`, `within`, `and`, `or`."""

    op: str
    left: Expr
    right: Expr


@frozen
class Cond(Expr):
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr


@frozen
class Otherwise(Expr):
    """`value otherwise default`: the default where the value is none."""

    value: Expr
    default: Expr


@frozen
class FieldOf(Expr):
    """`base.name`."""

    base: Expr
    name: str
    name_span: Span = field(repr=False, eq=False)


@frozen
class Index(Expr):
    """`base[i, j]`."""

    base: Expr
    indices: tuple[Expr, ...]


@frozen
class Call(Expr):
    """`callee(a, b)`; the callee is a Name or a FieldOf (a rule in a row)."""

    callee: Expr
    args: tuple[Expr, ...]


@frozen
class From(Expr):
    """`players from p`: seats in turn order from one of them. Only as a domain or argument."""

    base: Expr
    start: Expr


@frozen
class Until(Expr):
    """`ray(s, d) until COND`: the part of a list up to the first member that meets COND, itself included."""

    base: Expr
    stop: Expr


@frozen
class Binding(Node):
    """`name [at i, j] in domain`: one part of a selection."""

    name: str
    name_span: Span = field(repr=False, eq=False)
    at: tuple[tuple[str, Span], ...]
    domain: Expr


@frozen
class Selection(Node):
    """`SEL`: bindings, with all conditions of their `where` parts in order, and the sorting.

    `order` is None, ("lowest", expr) or ("highest", expr).
    """

    bindings: tuple[Binding, ...]
    where: tuple[Expr, ...] = ()
    order: tuple[str, Expr] | None = None


@frozen
class Aggregate(Expr):
    """`kind(body for SEL)` or `kind(SEL)`.

    kind: any, all, count, sum, min, max, first, last, those, most, least.
    """

    kind: str
    body: Expr | None
    selection: Selection


@frozen
class Supposing(Expr):
    """`supposing(call, value)`: the value had the call been done."""

    call: Expr
    value: Expr


@frozen
class Way(Expr):
    """`reached | distance | next_steps (name from start by SEL [until goal])`.

    The selection's first binding is the next place; `name` is the place it is reached from.
    """

    kind: str
    name: str
    name_span: Span = field(repr=False, eq=False)
    start: Expr
    selection: Selection
    goal: Expr | None


# ---------------------------------------------------------------- statements


class Stmt(Node):
    """Base of all statements."""


Block = tuple[Stmt, ...]


@frozen
class Let(Stmt):
    """`let name = value`."""

    name: str
    name_span: Span = field(repr=False, eq=False)
    value: Expr


@frozen
class Assign(Stmt):
    """`target op value` with op `=`, `+=` or `-=`; the target is a Name or Index."""

    target: Expr
    op: str
    value: Expr


@frozen
class Adjust(Stmt):
    """`raise | lower target by [up to] amount`; with `up_to` it stops at the end of the range."""

    kind: str
    target: Expr
    amount: Expr
    up_to: bool


@frozen
class Move(Stmt):
    """`move what to where [at place] [after neighbour]`; `what` is one component (or none)."""

    what: Expr
    to: Expr
    at: Expr | None
    after: Expr | None


@frozen
class MoveAll(Stmt):
    """`move all zone to zone [at place]`."""

    what: Expr
    to: Expr
    at: Expr | None


@frozen
class MoveTokens(Stmt):
    """`move n of counter to counter`; `amount` is None for `move all of`."""

    amount: Expr | None
    source: Expr
    target: Expr


@frozen
class Swap(Stmt):
    """`swap a and b`: exchange the values of two variables."""

    first: Expr
    second: Expr


@frozen
class DrawCards(Stmt):
    """`draw n from zone to zone`."""

    amount: Expr
    source: Expr
    target: Expr


@frozen
class Shuffle(Stmt):
    """`shuffle zone, zone`."""

    zones: tuple[Expr, ...]


@frozen
class TurnOver(Stmt):
    """`turn c over`, or `turn c to face` (then `face`)."""

    what: Expr
    face: Expr | None


@frozen
class Remove(Stmt):
    """`remove c` or `remove all zone` (then `everything`): back to the box."""

    what: Expr
    everything: bool


@frozen
class If(Stmt):
    """`if test:` ... [`else if` ... is an If in `other`] [`else:`]."""

    test: Expr
    then: Block
    other: Block


@frozen
class While(Stmt):
    """`while test:`."""

    test: Expr
    body: Block


@frozen
class Repeat(Stmt):
    """`repeat n times:`."""

    times: Expr
    body: Block


@frozen
class For(Stmt):
    """`for SEL:`; with `together`, `for p in players, together:`."""

    selection: Selection
    together: bool
    body: Block


@frozen
class Choose(Stmt):
    """`choose [quantity] SEL by who [weighted by E] ["prompt"]:` body [`else:` other].

    quantity: None (exactly one), ("exactly", n, None), ("up to", n, None) or ("between", low, high).
    `who` None means by chance; `stream` names the random stream in `by chance "dice"`.
    """

    stream: str = field(default="", kw_only=True)

    quantity: tuple[str, Expr, Expr | None] | None
    selection: Selection
    who: Expr | None
    weight: Expr | None
    prompt: Template | None
    body: Block
    other: Block


@frozen
class Offer(Node):
    """`action` or `action(param = E, ..)` in an ask or window; `pass` is an Offer named pass."""

    action: str
    fixed: tuple[tuple[str, Span, Expr], ...] = ()


@frozen
class Ask(Stmt):
    """`ask who [repeatedly] ["prompt"]: offers`."""

    who: Expr
    repeatedly: bool
    prompt: Template | None
    offers: tuple[Offer, ...]


@frozen
class Window(Stmt):
    """`window seats: offers`: each seat in order may act or pass until all have passed in a row."""

    seats: Expr
    offers: tuple[Offer, ...]


@frozen
class CallStmt(Stmt):
    """A procedure, a rule in a row, or `usual` done as a statement."""

    call: Expr


@frozen
class Return(Stmt):
    """`return [value]`."""

    value: Expr | None


@frozen
class Say(Stmt):
    """`say "text with {expressions}"`."""

    text: Template


@frozen
class Reveal(Stmt):
    """`reveal what to who`; `who` is None for everyone."""

    what: Expr
    who: Expr | None


@frozen
class Record(Stmt):
    """`record name`: remember the position now."""

    name: str


@frozen
class End(Stmt):
    """`end phase-name` or `end game`."""

    what: str
    what_span: Span = field(repr=False, eq=False)


@frozen
class Outcome(Stmt):
    """`win who ["reason"]`, `lose who ["reason"]`, `draw ["reason"]` (then who is None)."""

    kind: str
    who: Expr | None
    reason: Template | None


@frozen
class Nothing(Stmt):
    """`nothing`."""


# ---------------------------------------------------------------- types, signatures, events


class TypeExpr(Node):
    """Base of type expressions."""


@frozen
class NamedType(TypeExpr):
    """`bool`, `player`, `text`, or a declared type; `member` in `Table.Spot`."""

    name: str
    member: str | None = None


@frozen
class RangeType(TypeExpr):
    """`1..6`, `0..` (no upper end), `-60..120 by 1/2`; ends are expressions over options and seats."""

    low: Expr
    high: Expr | None
    step: Expr | None = None


@frozen
class EnumOf(TypeExpr):
    """`[a, b, c]`: some values of an enum, or a list of names where an enum is declared."""

    items: tuple[tuple[str, Span], ...]


@frozen
class WrappedType(TypeExpr):
    """`optional T`, `set of T`, `list of T`, `one T`; `wrap` is the word."""

    wrap: str
    item: TypeExpr


@frozen
class Param(Node):
    """`Type name` in a signature."""

    type: TypeExpr
    name: str


@frozen
class Signature(Node):
    """`name(Type a, Type b) [-> Type]`; `params` None when there are no parentheses at all."""

    name: str
    params: tuple[Param, ...] | None
    result: TypeExpr | None


@frozen
class Event(Node):
    """What a trigger waits for.

    kind: setup, phase, action, call, move, change, turn_over.
    names: phase or action names, or the one procedure, zone or variable; of turn_over the kind, if it
    is written.
    binds: names the pattern gives to arguments, indices, or the component, in order, with the
    component first for move and turn_over. Types written before a name are dropped by the parser.
    """

    kind: str
    names: tuple[tuple[str, Span], ...]
    binds: tuple[tuple[str, Span], ...] = ()
