"""The checked spec: every name resolved, every expression typed. The checker makes it, the compiler reads it.

Expressions and statements mirror `syntax.nodes`, but refer to declarations by name and kind, hold their
type, and contain no sugar: conversions are explicit, a condition is always a bool, conditions of a
selection stand at the loop where their names are known.

Values in `Const` are run-time values (see `check.types`). Rows of tables can depend on options, so a row
is named by its id (`RowRef`) until a game is made.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import field

from rulespec.check.types import Type
from rulespec.records import frozen
from rulespec.source import Span
from rulespec.spec.model import Spec


@frozen(eq=False)
class Local:
    """A name bound in a body: parameter, `let`, or name of a selection. Compared by identity."""

    name: str
    type: Type


# ---------------------------------------------------------------- expressions


@frozen(eq=False)
class Expr:
    """Base: every expression has a type and the span of its source."""

    type: Type = field(kw_only=True)
    span: Span = field(kw_only=True, repr=False)


@frozen(eq=False)
class Const(Expr):
    """A value known at check time: bool, None, int, Fraction, str, enum ordinal."""

    value: bool | int | Fraction | str | None


@frozen(eq=False)
class RowRef(Expr):
    """A row named by its id: `entrance`, `a1`, a row of a record type or a component."""

    row: str


@frozen(eq=False)
class RowLookup(Expr):
    """`Man(white, king)`: the row whose first fields have these values."""

    args: tuple[Expr, ...]


@frozen(eq=False)
class OptionRead(Expr):
    """The value of an option: a constant of the game."""

    option: str


@frozen(eq=False)
class SeatCount(Expr):
    """`seats`: the number of players, a constant of the game."""


@frozen(eq=False)
class LocalRead(Expr):
    local: Local


@frozen(eq=False)
class VarRead(Expr):
    """A variable's value; one index for each type of its `per`."""

    variable: str
    indices: tuple[Expr, ...]


@frozen(eq=False)
class TableRead(Expr):
    """An entry of a constant table (`tables:`)."""

    table: str
    indices: tuple[Expr, ...]


@frozen(eq=False)
class ZoneRead(Expr):
    """A zone as a list of its components in order (stack: top first; none: row order).

    For a slot (`holds: one`) the type is optional.
    """

    zone: str
    indices: tuple[Expr, ...]


@frozen(eq=False)
class ZoneFamily(Expr):
    """All components in the instances of a zone that fit `indices`; only as a binding's domain.

    An index that is a Local is bound by the loop, in the order of its type; others are given.
    """

    zone: str
    indices: tuple[Expr | Local, ...]


@frozen(eq=False)
class ZoneIndex(Expr):
    """`card.hand`: the index of the instance of zone where the component lies, or none."""

    component: Expr
    zone: str


@frozen(eq=False)
class AllOf(Expr):
    """All values of a finite type in order. `players` and `players from p` (then `start`) too."""

    of: Type
    start: Expr | None = None


@frozen(eq=False)
class FieldRead(Expr):
    """A field of a row. `base` is never none here (see `NoneSafe`). `face`: None for the face that shows."""

    base: Expr
    field: str
    indices: tuple[Expr, ...] = ()
    face: str | None = None


@frozen(eq=False)
class NoneSafe(Expr):
    """`body` evaluated with `local` bound to the value; none where the value is none."""

    value: Expr
    local: Local
    body: Expr


@frozen(eq=False)
class RowRule(Expr):
    """A rule in a row called as an expression: `tile.points(p, at)`."""

    base: Expr
    field: str
    args: tuple[Expr, ...]


@frozen(eq=False)
class Unary(Expr):
    """op: "-" or "not"."""

    op: str
    operand: Expr


@frozen(eq=False)
class Binary(Expr):
    """op: + - * / mod, == != < <= > >=, and, or. Operands are numbers, or equal things, or bools.

    `+` and `-` on sets and lists: union or concatenation without doubles, and difference; both
    operands have been converted to the left one's type.
    """

    op: str
    left: Expr
    right: Expr


@frozen(eq=False)
class Member(Expr):
    """`item in collection` (list, set, zone, range, optional). `not in` is a Unary around it."""

    item: Expr
    collection: Expr


@frozen(eq=False)
class Within(Expr):
    """Every item of the first collection is in the second; both are sets, or both lists."""

    left: Expr
    right: Expr


@frozen(eq=False)
class Cond(Expr):
    test: Expr
    then: Expr
    other: Expr


@frozen(eq=False)
class Otherwise(Expr):
    value: Expr
    default: Expr


@frozen(eq=False)
class Convert(Expr):
    """A change of representation to `type`: list or zone to set, set to list, optional to list."""

    value: Expr


@frozen(eq=False)
class Truth(Expr):
    """A collection is not empty, an optional is not none."""

    value: Expr


@frozen(eq=False)
class ListOf(Expr):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@frozen(eq=False)
class RangeOf(Expr):
    """`a..b`; with `down`, from `first` down to `last`."""

    first: Expr
    last: Expr
    down: bool


@frozen(eq=False)
class Until(Expr):
    """The list up to the first member for which `stop` (over `local`) holds, itself included."""

    value: Expr
    local: Local
    stop: Expr


@frozen(eq=False)
class FunctionCall(Expr):
    """A declared function; `layer` None for the topmost that exists in the game, else below that layer."""

    function: str
    args: tuple[Expr, ...]
    below: int | None = None


@frozen(eq=False)
class BuiltIn(Expr):
    """A function of the language, by name; see `check.builtins`."""

    name: str
    args: tuple[Expr, ...]


@frozen(eq=False)
class Binding:
    local: Local
    domain: Expr


@frozen(eq=False)
class Selection:
    """Nested loops. conditions[i] are tested when the first i names are bound (0: before all).

    order: ("lowest" | "highest", key): stable sort.
    """

    bindings: tuple[Binding, ...]
    conditions: tuple[tuple[Expr, ...], ...]
    order: tuple[str, Expr] | None
    span: Span = field(repr=False)

    @property
    def locals(self) -> tuple[Local, ...]:
        """Every name bound, an `at` index before its component."""
        names: list[Local] = []
        for binding in self.bindings:
            if isinstance(binding.domain, ZoneFamily):
                names += [i for i in binding.domain.indices if isinstance(i, Local)]
            names.append(binding.local)
        return tuple(names)


@frozen(eq=False)
class Aggregate(Expr):
    """kind: any all count sum min max first last those most least.

    any, all, sum, min, max, most, least have a body; count has none; first, last, those may have
    one (without: the first name's value). min and max of nothing are none. `most` and `least` give the
    values of the first name whose body is highest or lowest, `those` a list without doubles.
    """

    kind: str
    body: Expr | None
    selection: Selection


@frozen(eq=False)
class Supposing(Expr):
    """Value had the procedure been called."""

    procedure: str
    args: tuple[Expr, ...]
    value: Expr


@frozen(eq=False)
class Way(Expr):
    """kind: reached, distance, next_steps. From `start`; `selection` with `local` bound to a place
    gives the next ones (its first name); `goal` over `local`."""

    kind: str
    local: Local
    start: Expr
    selection: Selection
    goal: Expr | None


@frozen(eq=False)
class TextOf(Expr):
    """A text with values in it, for `say`, prompts and reasons: literal strings and expressions."""

    parts: tuple[str | Expr, ...]


# ---------------------------------------------------------------- statements


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


# ---------------------------------------------------------------- declarations


@frozen(eq=False)
class Layer:
    """One version of a body. only_if over options and seats, None for always."""

    body: Expr | Block
    only_if: Expr | None
    span: Span = field(repr=False)


@frozen(eq=False)
class Option:
    name: str
    type: Type
    declared: DomainType
    default: Any
    """A run-time value; for a set the mask."""
    pick: tuple[int, int] | None
    only_if: Expr | None
    doc: str
    span: Span = field(repr=False)


@frozen(eq=False)
class DomainType:
    """A declared type with the exact ends of its range, which may depend on options and seats.

    low, high: for numbers only (None: no end); the step is in the type. values: ordinals where only
    part of an enum is meant. For optional, set and list they are those of the item.
    """

    type: Type
    low: Expr | None = None
    high: Expr | None = None
    values: tuple[int, ...] | None = None


@frozen(eq=False)
class Field:
    """A field of a table. index: the types of `bar[1..7]`. params: not None for a rule.

    layers of a rule are in the rows. per_face: one value per face.
    """

    name: str
    type: Type
    declared: DomainType | None
    index: tuple[DomainType, ...]
    params: tuple[Local, ...] | None
    per_face: bool
    span: Span = field(repr=False)


@frozen(eq=False)
class TableRow:
    """id, and by field: a value (Expr without locals), a tuple of them for an indexed field or faces,
    or, for a rule, its (params, body) where params are this row's own Locals."""

    id: str
    values: dict[str, Any]
    span: Span = field(repr=False)
    copies: int = 1


@frozen(eq=False)
class Table:
    """A record type, a kind of component, or a board.

    rows: written rows. all_where: instead of rows, every combination of the fields' values for which
    the condition (over `row_locals`) holds; None of it for all (then `every` is true).
    row_locals: one for each field, computed ones too, but none for rules, indexed fields and fields
    per face; with a label one for the row's `id`, too. computed: columns over `row_locals`. label: text
    over `row_locals`, or None for the id.
    shape: of components laid on a board.

    A board's rows are its further spaces, or, when it is drawn (`drawing` of its shape is not empty),
    all its spaces; the cells of a grid come from its shape.
    """

    name: str
    kind: str
    fields: dict[str, Field]
    rows: tuple[TableRow, ...] = ()
    every: bool = False
    all_where: Expr | None = None
    row_locals: tuple[Local, ...] = ()
    computed: tuple[tuple[str, Expr], ...] = ()
    label: TextOf | None = None
    faces: tuple[str, ...] = ()
    doc: str = ""
    span: Span | None = field(default=None, repr=False)
    shape: PieceShape | None = None


@frozen(eq=False)
class PieceShape:
    """Shapes of a component: the text field `column` draws them, lines joined by line breaks.

    letters: each letter with its ordinal in `enum`; a blank is no cell. ports: the ordinal of the letter
    that opens where it lies on the edge. turns: quarter, half or none.
    """

    column: str
    enum: str
    letters: tuple[tuple[str, int], ...]
    ports: int
    turns: str


@frozen(eq=False)
class BoardShape:
    """The geometry of a board, beside its Table.

    grid: width and height. columns: an enum's type for named columns; rows: range of row numbers.
    shape: square or hexagon. names: "a1" or "". only: condition over `locals` (col, row).
    spaces: ids of further spaces; links: (id, neighbour id), both ways.
    """

    name: str
    grid: tuple[Expr, Expr] | None
    columns: Type | None
    rows: tuple[Expr, Expr] | None
    shape: str
    names: str
    only: Expr | None
    locals: tuple[Local, ...]
    spaces: tuple[str, ...]
    links: tuple[tuple[str, str], ...]
    drawing: tuple[tuple[str, int, int], ...] = ()
    """For a drawn map: (id, x, y) of each space."""


@frozen(eq=False)
class ConstantTable:
    """entries: flat, in row-major order of `per`."""

    name: str
    per: tuple[DomainType, ...]
    type: Type
    entries: tuple[Expr, ...]
    doc: str
    span: Span = field(repr=False)


@frozen(eq=False)
class Zone:
    """Each kind of component has a zone `box KIND` too: unordered, seen by everyone, without index."""

    name: str
    component: str
    slot: bool
    per: tuple[DomainType, ...]
    order: str
    max: Expr | None
    seen_by: str
    top_seen_by: str
    count_seen_by: str
    starts: Selection | None
    starts_at: tuple[Expr, ...]
    refilled_from: str
    laid_on: str
    only_if: Expr | None
    doc: str
    span: Span = field(repr=False)


@frozen(eq=False)
class Variable:
    """start: an Expr without locals, or a tuple of them in row-major order of `per` (a drawn start).

    Without a written start: false, none, the first value, or the number nearest to 0 in the range.
    """

    name: str
    type: Type
    declared: DomainType
    per: tuple[DomainType, ...]
    start: Expr | tuple[Expr, ...] | None
    seen_by: str
    lasts: str
    only_if: Expr | None
    doc: str
    span: Span = field(repr=False)


@frozen(eq=False)
class Function:
    """Each layer has its own Locals for the parameters: `params[i]` for `layers[i]`."""

    name: str
    result: Type
    params: tuple[tuple[Local, ...], ...]
    layers: tuple[Layer, ...]
    doc: str
    span: Span = field(repr=False)
    only_if: Expr | None = None


@frozen(eq=False)
class Procedure(Function):
    """result is NONE where nothing is returned."""


@frozen(eq=False)
class Trigger:
    """time: before, after, instead_of. kind and names as in syntax.nodes.Event.

    binds: locals for the event's arguments, component first for move and turn_over, then indices.
    me: for actions and phases inside turns, the seat that acts.
    """

    name: str
    time: str
    kind: str
    names: tuple[str, ...]
    binds: tuple[Local, ...]
    when: tuple[Layer, ...]
    do: tuple[Layer, ...]
    only_if: Expr | None
    doc: str
    span: Span = field(repr=False)
    me: Local | None = None


@frozen(eq=False)
class Action:
    """me: the acting seat. selection: None without parameters; its names are the parameters.

    when: layers, topmost decides; `usual` in it is already joined in. Conditions that name no
    parameter are tested first. pay: (amount, variable).
    """

    name: str
    me: Local
    selection: Selection | None
    when: Expr | None
    pay: tuple[tuple[Expr, VarRead], ...]
    do: tuple[Layer, ...]
    only_if: Expr | None
    label: TextOf | None
    doc: str
    span: Span = field(repr=False)


@frozen(eq=False)
class Turns:
    me: Local
    first: Expr | None
    among: Expr | None
    order: str
    times: Expr | None
    rounds: Expr | None
    until: Expr | None
    turn_until: Expr | None


@frozen(eq=False)
class Phase:
    """As in spec.model, resolved. `me` is the local of the nearest turn loop around, or None."""

    name: str
    do: tuple[Layer, ...]
    phases: tuple[Phase, ...]
    turns: Turns | None
    me: Local | None
    actions: tuple[str, ...]
    any_time: tuple[str, ...]
    take: str
    done_label: str
    if_stuck: tuple[Layer, ...]
    before_turn: tuple[Layer, ...]
    after_turn: tuple[Layer, ...]
    skip_when: Expr | None
    repeat: tuple[VarRead, Expr] | None
    repeat_until: Expr | None
    only_if: Expr | None
    doc: str
    span: Span = field(repr=False)


@frozen(eq=False)
class Result:
    """p: the seat's local. rank_by: (lowest | highest, number). None where not declared."""

    p: Local
    rank_by: tuple[tuple[str, Expr], ...]
    score: Expr | None
    payoff: Expr | None


@frozen(eq=False)
class Invariant:
    name: str
    condition: Expr
    doc: str
    span: Span = field(repr=False)


@frozen(eq=False)
class CheckedSpec:
    """A spec in which no error was found: what `rulespec.load` returns."""

    source: Spec
    warnings: tuple[Any, ...]
    """Diagnostics of severity warning."""
    options: dict[str, Option]
    enums: dict[str, tuple[str, ...]]
    """Declared and built-in enums: names of their values."""
    tables: dict[str, Table]
    """Record types, components and boards by name, in declared order."""
    boards: dict[str, BoardShape]
    constants: dict[str, ConstantTable]
    zones: dict[str, Zone]
    variables: dict[str, Variable]
    records: dict[str, tuple[str, ...]]
    functions: dict[str, Function]
    procedures: dict[str, Procedure]
    triggers: tuple[Trigger, ...]
    """In the order in which they run."""
    actions: dict[str, Action]
    phases: tuple[Phase, ...]
    setup: tuple[Layer, ...]
    result: Result
    invariants: tuple[Invariant, ...]

    @property
    def id(self) -> str:
        """The game's id."""
        return self.source.id

    @property
    def title(self) -> str:
        """The game's title."""
        return self.source.title
