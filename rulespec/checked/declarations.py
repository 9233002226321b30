"""Checked declarations, and the whole spec."""

from __future__ import annotations

from typing import Any

from attrs import field

from rulespec.check.types import Type
from rulespec.checked.expressions import Expr, Local, Selection, TextOf, VarRead
from rulespec.checked.statements import Block
from rulespec.records import frozen
from rulespec.source import Span
from rulespec.spec.model import Spec


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
    copies: Expr | None = None
    """With `every`: how many there are of each row, over `row_locals`; None for one."""
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

    Without a written start: false, none, the first value, or the number nearest to 0 in the range. shown: log and
    table show it.
    """

    name: str
    type: Type
    declared: DomainType
    per: tuple[DomainType, ...]
    start: Expr | tuple[Expr, ...] | None
    seen_by: str
    lasts: str
    shown: bool
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
