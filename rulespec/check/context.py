"""What the parts of the checker share: the declarations known so far, the scopes of bodies, the reporter."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulespec import checked as ir
from rulespec.check.types import BUILT_IN_ENUMS, Type
from rulespec.diagnostics import Reporter
from rulespec.source import Span
from rulespec.spec.model import Spec


@define(eq=False)
class Signature:
    """Parameters and result of a function, procedure or rule in a row.

    result is None while a function without a written result type has not been checked yet.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type | None
    span: Span


@define(eq=False)
class Context:
    """Declarations by name, filled in passes: names and types first, then rows, then bodies.

    A name is looked up in this order: locals, variables, zones, tables of constants, options,
    functions, built-in names, values of enums and rows (by the expected type), types.
    """

    spec: Spec
    reporter: Reporter
    options: dict[str, ir.Option] = field(factory=dict)
    enums: dict[str, tuple[str, ...]] = field(factory=lambda: dict(BUILT_IN_ENUMS))
    aliases: dict[str, ir.DomainType] = field(factory=dict)
    """Declared ranges and parts of enums: `Face: 1..6`."""
    tables: dict[str, ir.Table] = field(factory=dict)
    """Record types, components and boards; replaced by fuller ones as passes go on."""
    boards: dict[str, ir.BoardShape] = field(factory=dict)
    constants: dict[str, ir.ConstantTable] = field(factory=dict)
    zones: dict[str, ir.Zone] = field(factory=dict)
    variables: dict[str, ir.Variable] = field(factory=dict)
    records: dict[str, tuple[str, ...]] = field(factory=dict)
    functions: dict[str, Signature] = field(factory=dict)
    procedures: dict[str, Signature] = field(factory=dict)
    actions: dict[str, ir.Action] = field(factory=dict)
    """Selections and parameter types first; `do` follows with the other bodies."""
    row_names: dict[str, dict[str, str]] = field(factory=dict)
    """Row id -> by table name -> id, for names of rows used as values: {"entrance": {"Tile": "entrance"}}."""
    phase_names: dict[str, Span] = field(factory=dict)
    table_ids: dict[str, tuple[str, ...]] = field(factory=dict)
    """Ids of the rows of a table in order, where they are the same in every game (copies count once)."""
    resolving: list[str] = field(factory=list)
    """Types being resolved now, outermost first."""
    infer_result: Callable[[str], None] | None = None
    """Checks the bodies of a function without a written result type when a call of it is met first."""
    reported: set[str] = field(factory=set)
    """Unknown names already told, so that each is told once."""
    probe: Probe | None = None
    outside: frozenset[str] | None = None
    """Rules that may run outside turns, worked out when it is first asked for (`turns.rules_outside`)."""


@define(eq=False)
class Probe:
    """A trial run over statements that finds out what is given to a local later.

    reporter: the real one, while `Context.reporter` takes what the trial run finds.
    given: types of the values given to the local, by its id.
    """

    reporter: Reporter
    given: dict[int, list[Type]]


@define(eq=False)
class Fact:
    """What conditions around say of an expression: its type there.

    locals: ids of the locals it reads. state: the state it reads, as "variable gold", "zone hand", "faces"
    or "*" for anything. used: some expression was read with this type.
    """

    type: Type
    locals: frozenset[int] = frozenset()
    state: frozenset[str] = frozenset()
    used: bool = False


@define(eq=False)
class Scope:
    """Locals of a body, innermost last, and what the body may use.

    me: the acting seat in actions and turns. function: the body is a function's (no effects).
    usual: what `usual` means here: None (nothing), ("function", name, layer), ("procedure", name,
    layer), ("value", Expr) for a condition or result already checked, or ("effect",).
    result: type that `return` must give, None where return gives nothing, UNKNOWN while inferred.
    result_scope: the names `p`'s variables may be read without index (section `result`).
    facts: what conditions around say of locals and state reads, by their canonical text.
    params: the parameters of the function or procedure, which `usual` hands on.
    body: the name of the function, procedure, action, trigger or phase: the default random stream.
    returns: types of the values returned so far, while the result is inferred.
    lets: ids of the locals that `let` has bound, which may be given other values.
    turn: a turn is surely going on. rule: the rule, as "function best", where that depends on how play comes to it.
    """

    context: Context
    names: dict[str, ir.Local] = field(factory=dict)
    parent: Scope | None = None
    me: ir.Local | None = None
    function: bool = False
    usual: tuple[object, ...] | None = None
    result: Type | None = None
    seat: ir.Local | None = None
    """In `result`: the seat whose entry an unindexed variable means."""
    facts: dict[str, Fact] = field(factory=dict)
    params: tuple[ir.Local, ...] = ()
    body: str = ""
    returns: list[Type] = field(factory=list)
    lets: set[int] = field(factory=set)
    turn: bool = False
    rule: str = ""

    def child(self, **changes: object) -> Scope:
        """A scope inside this one; keyword arguments replace attributes."""
        kept = {name: getattr(self, name) for name in _INHERITED}
        return Scope(self.context, parent=self, facts=dict(self.facts), **{**kept, **changes})

    def find(self, name: str) -> ir.Local | None:
        """The local of that name, or None."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def bind(self, name: str, type: Type) -> ir.Local:
        """A new local in this scope."""
        local = ir.Local(name, type)
        self.names[name] = local
        return local


_INHERITED = ("me", "function", "usual", "result", "seat", "params", "body", "returns", "lets", "turn", "rule")
