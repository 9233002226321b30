"""Checked expressions."""

from __future__ import annotations

from fractions import Fraction

from attrs import field

from rulespec.check.types import Type
from rulespec.records import frozen
from rulespec.source import Span


@frozen(eq=False)
class Local:
    """A name bound in a body: parameter, `let`, or name of a selection. Compared by identity."""

    name: str
    type: Type


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
    """One loop. before: names that the domain binds too, ahead of `local`; its members are then tuples."""

    local: Local
    domain: Expr
    before: tuple[Local, ...] = ()

    @property
    def locals(self) -> tuple[Local, ...]:
        """Every name bound, an `at` index before its component."""
        if isinstance(self.domain, ZoneFamily):
            return (*(i for i in self.domain.indices if isinstance(i, Local)), self.local)
        return (*self.before, self.local)


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
        """Every name bound, in order."""
        return tuple(local for binding in self.bindings for local in binding.locals)


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
