"""The spec as written: sections and entries with parsed logic, names not yet resolved.

`build` makes a Spec of one file; `merge` stacks the files of `extends`, base first. What a variant
may add to with `usual` is kept as layers, the base's first; everything else is replaced key by key.
"""

from __future__ import annotations

from attrs import field

from rulespec.records import frozen
from rulespec.source import Span, Text
from rulespec.syntax import nodes as n


@frozen
class Layer:
    """One file's version of a piece of logic. `body` is a Block, an Expr or, in a result, either.

    only_if: over options and `seats`; the layer does not exist where it is false.
    replaces: the author says that this version means to leave out the one below.
    doc: what the file says about its version, where only_if keeps that from being the entry's own doc.
    """

    body: n.Expr | n.Block
    span: Span = field(repr=False, eq=False)
    only_if: n.Expr | None = None
    replaces: bool = False
    doc: str = ""


Layers = tuple[Layer, ...]


@frozen
class Entry:
    """What every named entry has. `name_span` is the place of its key."""

    name: str
    name_span: Span = field(repr=False, eq=False, kw_only=True)
    doc: str = field(default="", kw_only=True)
    only_if: n.Expr | None = field(default=None, kw_only=True)
    place: tuple[str, str] | None = field(default=None, kw_only=True)
    """("first", ""), ("last", ""), ("before", name) or ("after", name)."""
    spans: dict[str, Span] = field(factory=dict, repr=False, eq=False, kw_only=True)
    """The place of the value of each key."""

    def span_of(self, key: str) -> Span:
        """The place of a key's value, or of the entry's name if it has no such key."""
        return self.spans.get(key, self.name_span)


@frozen
class Option(Entry):
    type: n.TypeExpr
    default: n.Expr | None
    pick: n.Range | None = None
    label: str = ""


@frozen
class Cell:
    """One value of a row as written: still text, its type decides how it is read.

    `items` for a YAML list (indexed fields, sets), `named` for a YAML map (fields indexed by names).
    """

    text: Text | None
    span: Span = field(repr=False, eq=False)
    items: tuple[Cell, ...] = ()
    named: tuple[tuple[str, Cell], ...] = ()


@frozen
class Row:
    """One row of a table: cells by column name. `span` is the row's place in YAML or CSV."""

    cells: dict[str, Cell]
    span: Span = field(repr=False, eq=False)


@frozen
class Rows:
    """Where the rows come from: written rows (inline or CSV), or `all [where COND]`."""

    rows: tuple[Row, ...] = ()
    all: bool = False
    where: n.Expr | None = None
    span: Span | None = field(default=None, repr=False, eq=False)
    columns: tuple[tuple[str, Span], ...] = ()
    """The CSV's header, with the place of each column's name."""


@frozen
class FieldDecl:
    """A field of a record or component type.

    index: the types in brackets of `bar[1..7]` or `stock[Stand, Food]`.
    params: not None for a rule in rows, `points(player p, Plot at): Points`; its type is then the
    result, or None for `effect`. per_face: one value for each face.
    """

    name: str
    span: Span = field(repr=False, eq=False)
    type: n.TypeExpr | None
    index: tuple[n.TypeExpr, ...] = ()
    params: tuple[n.Param, ...] | None = None
    per_face: bool = False
    doc: str = ""


@frozen
class TypeDecl(Entry):
    """An enum (`values`), a range or part of another type (`alias`), or a record type (`fields`)."""

    values: tuple[tuple[str, Span], ...] | None = None
    alias: n.TypeExpr | None = None
    fields: tuple[FieldDecl, ...] = ()
    computed: tuple[tuple[str, n.Expr, Span], ...] = ()
    rows: Rows | None = None
    label: n.Template | None = None


@frozen
class Component(Entry):
    """A kind of physical piece. `faces` empty for one face only. count: how many copies of each row of `all`."""

    fields: tuple[FieldDecl, ...]
    rows: Rows
    faces: tuple[tuple[str, Span], ...] = ()
    shape: Shape | None = None
    label: n.Template | None = None
    count: n.Expr | None = None


@frozen
class Shape:
    """`shape:` of a component laid on a grid: a column with a text map of letters."""

    column: str
    letters: tuple[tuple[str, str, Span], ...]
    ports: str
    turns: str
    span: Span = field(repr=False, eq=False)


@frozen
class Board(Entry):
    """A finite set of spaces with neighbours.

    grid: (width, height) expressions, or None. columns: the enum of column names of
    `grid: {column: T, row: a..b}`; then `rows` is the range. names: "a1" or "".
    only: which cells exist. map: drawn spaces and links, or with `legend` one letter a cell;
    legend: each letter with its values of `fields`. spaces: further spaces, with cells for `fields`,
    `col`/`column`, `row` and `beside`.
    """

    grid: tuple[n.Expr, n.Expr] | None = None
    columns: n.TypeExpr | None = None
    rows: n.RangeType | None = None
    shape: str = "square"
    """square or hexagon."""
    names: str = ""
    only: n.Expr | None = None
    map: Text | None = None
    legend: tuple[tuple[str, Row], ...] = ()
    fields: tuple[FieldDecl, ...] = ()
    spaces: tuple[tuple[str, Row], ...] = ()


@frozen
class ConstantTable(Entry):
    """`tables:`: fixed values indexed by `per`. values: one Cell, nested lists, or text maps."""

    per: tuple[n.TypeExpr, ...]
    type: n.TypeExpr
    values: Cell
    letters: tuple[tuple[str, n.Expr], ...] = ()


@frozen
class Zone(Entry):
    holds: str
    holds_span: Span = field(repr=False, eq=False)
    slot: bool = False
    """`holds: one Kind`: at most one, readable as an optional value."""
    per: tuple[n.TypeExpr, ...] = ()
    order: str = "none"
    """stack, row or none."""
    max: n.Expr | None = None
    seen_by: str = "everyone"
    """everyone, owner or nobody."""
    top_seen_by: str = ""
    count_seen_by: str = "everyone"
    starts: n.Selection | None = None
    """`starts: Kind` is `c in Kind`; `at` names are the zone's indices as expressions over c."""
    starts_at: tuple[n.Expr, ...] = ()
    refilled_from: str = ""
    laid_on: str = ""


@frozen
class Variable(Entry):
    type: n.TypeExpr
    per: tuple[n.TypeExpr, ...] = ()
    start: n.Expr | None = None
    start_map: tuple[Text, tuple[tuple[str, n.Expr], ...]] | None = None
    """A drawn start: the map and its legend."""
    seen_by: str = "everyone"
    lasts: str = ""
    """"turn" or a phase: back to the start value whenever one begins."""
    shown: bool = True


@frozen
class RecordOf(Entry):
    """`records:`: a memory of the named variables and zones."""

    of: tuple[tuple[str, Span], ...]


@frozen
class Function(Entry):
    params: tuple[n.Param, ...]
    result: n.TypeExpr | None
    layers: Layers


@frozen
class Procedure(Entry):
    params: tuple[n.Param, ...]
    result: n.TypeExpr | None
    layers: Layers


@frozen
class Trigger(Entry):
    time: str
    """before, after or instead_of."""
    event: n.Event
    when: Layers
    do: Layers


@frozen
class Action(Entry):
    selection: n.Selection | None
    when: Layers
    pay: tuple[tuple[n.Expr, n.Expr], ...]
    """(amount, variable) pairs: condition and cost in one."""
    do: Layers
    label: n.Template | None = None


@frozen
class Turns:
    """The turn loop of a phase.

    first: the seat that begins. among: the seats that take turns. order: clockwise or
    counterclockwise. times: number of turns in all. rounds: number of turns of each seat.
    until: the phase is over when this holds after a turn. turn_until: a turn goes on until it holds.
    """

    span: Span = field(repr=False, eq=False)
    first: n.Expr | None = None
    among: n.Expr | None = None
    order: str = "clockwise"
    times: n.Expr | None = None
    rounds: n.Expr | None = None
    until: n.Expr | None = None
    turn_until: n.Expr | None = None


@frozen
class Phase(Entry):
    """A phase: its own effects (`do`), phases inside it, or turns with actions.

    repeat: (variable, range) for `repeat: round in 1..6`.
    """

    do: Layers = ()
    phases: tuple[Phase, ...] = ()
    turns: Turns | None = None
    actions: tuple[tuple[str, Span], ...] = ()
    any_time: tuple[tuple[str, Span], ...] = ()
    take: str = "one"
    """one: a turn is one action. any: until the seat is done."""
    done_label: str = ""
    if_stuck: Layers = ()
    before_turn: Layers = ()
    after_turn: Layers = ()
    skip_when: Layers = ()
    repeat: tuple[n.Expr, n.Expr] | None = None
    repeat_until: Layers = ()


@frozen
class Result:
    """`result:`. rank_by: ("lowest" | "highest", expression per seat) in order of weight.

    In `score` and `payoff` (and in rank_by) the name `p` is the seat.
    """

    span: Span | None = field(default=None, repr=False, eq=False)
    rank_by: tuple[tuple[str, n.Expr], ...] = ()
    score: Layers = ()
    payoff: Layers = ()


@frozen
class Invariant(Entry):
    """A condition that holds at every decision; checked on request."""

    condition: n.Expr


@frozen
class Removal:
    """`remove: [section.name]`."""

    section: str
    name: str
    span: Span = field(repr=False, eq=False)


@frozen
class Spec:
    """A whole game. Dicts keep the order of the files; `place` is applied by merge."""

    path: str
    id: str
    title: str
    about: str
    seats: tuple[int, int]
    """Least and most number of players."""
    seat_names: tuple[tuple[str, Span], ...] = ()
    version: str = ""
    doc: str = ""
    files: tuple[str, ...] = ()
    """Every file read, this one first."""
    source_hash: str = ""
    options: dict[str, Option] = field(factory=dict)
    types: dict[str, TypeDecl] = field(factory=dict)
    boards: dict[str, Board] = field(factory=dict)
    tables: dict[str, ConstantTable] = field(factory=dict)
    components: dict[str, Component] = field(factory=dict)
    zones: dict[str, Zone] = field(factory=dict)
    variables: dict[str, Variable] = field(factory=dict)
    records: dict[str, RecordOf] = field(factory=dict)
    functions: dict[str, Function] = field(factory=dict)
    procedures: dict[str, Procedure] = field(factory=dict)
    triggers: dict[str, Trigger] = field(factory=dict)
    actions: dict[str, Action] = field(factory=dict)
    phases: tuple[Phase, ...] = ()
    setup: Layers = ()
    result: Result = field(factory=Result)
    invariants: dict[str, Invariant] = field(factory=dict)
    removals: tuple[Removal, ...] = ()
