"""Loops over what never changes, as tables: worked out once, by the finite values that they depend on.

`line in lines(Square, 3) where s in line` reads no state, so that for each of nine values of `s` its members are known
when the game is made. It becomes a loop over `T_line[s]`. Several loops in a row become one over tuples.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

from attrs import define, field

from interpreter.compile.analysis import Analysis
from interpreter.compile.internal import Among, Tabled
from interpreter.compile.layout import Domain, Layout
from interpreter.compile.trees import free, shape
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes, replaced

MOST_KEYS = 4096
MOST_MEMBERS = 40_000
"""Members of one table, over all its keys; of members that are lists, their items."""

Key = tuple[ir.Local, Domain]

_PLAIN = (
    ir.Const, ir.RowRef, ir.RowLookup, ir.LocalRead, ir.TableRead, ir.AllOf, ir.FieldRead, ir.NoneSafe, ir.Unary,
    ir.Binary, ir.Member, ir.Within, ir.Cond, ir.Otherwise, ir.Convert, ir.Truth, ir.ListOf, ir.RangeOf, ir.Until,
    ir.FunctionCall, ir.Selection, ir.Binding, ir.Aggregate, Tabled,
)  # fmt: skip
_BUILT_INS = {
    "abs", "floor", "min", "max", "sum", "count", "first", "last", "any", "those", "nth", "number", "opponent", "next",
    "previous", "others", "step", "ray", "neighbours", "beside", "offset", "middle", "steps", "cell", "centre", "lines",
    "turn", "opposite", "orthogonal", "diagonal", "all_directions",
}  # fmt: skip
_READY = {"step", "ray", "neighbours", "others", "orthogonal", "diagonal", "all_directions"}
"""Built-ins whose results are tables already."""


@define
class Table:
    """rows: the members of each key, as tuples of the names bound."""

    name: str
    rows: list[list[tuple[Any, ...]]]


@define
class Tabulator:
    """Makes the tables of one module.

    function: makes a Python function of an expression over locals (see `Evaluator.function`). constant: names a value
    that emitted code reads. tables: those made so far, by name.
    """

    layout: Layout
    analysis: Analysis
    function: Callable[..., tuple[str, Callable[..., Any]]]
    constant: Callable[[str, Any], str]
    tables: dict[str, Table] = field(factory=dict)
    sources: dict[str, str] = field(factory=dict)
    """By table what it holds, as Python over its keys."""

    # ------------------------------------------------------------ selections

    def selection(self, selection: ir.Selection) -> ir.Selection:
        """The same selection, with loops that read no state as tables where that is worth it."""
        bindings: list[ir.Binding] = []
        levels = [selection.conditions[0]]
        n, changed = 0, False
        while n < len(selection.bindings):
            made = None
            for end in self._ends(selection, n):
                made = self._tabled(selection, n, end)
                if made is not None:
                    break
            if made is None:
                tested = self._tested(selection.bindings[n], selection.conditions[n + 1])
                bindings.append(selection.bindings[n])
                levels.append(tested or selection.conditions[n + 1])
                n, changed = n + 1, changed or tested is not None
                continue
            bindings.append(made)
            levels.append(tuple(c for c in selection.conditions[end] if not self._is_pure(c)))
            n, changed = end, True
        if not changed:
            return selection
        return ir.Selection(tuple(bindings), tuple(levels), selection.order, span=selection.span)

    def _ends(self, selection: ir.Selection, start: int) -> Iterator[int]:
        """Where a run of loops without state that begins at `start` may end, the longest first."""
        end = start
        while end < len(selection.bindings) and self._is_pure(selection.bindings[end].domain):
            end += 1
            if not all(self._is_pure(c) for c in selection.conditions[end]):
                break
        yield from range(end, start, -1)

    def _tabled(self, selection: ir.Selection, start: int, end: int) -> ir.Binding | None:
        """The loops `start` to `end` as one over a table, or None where that gains nothing or is too large."""
        bindings = selection.bindings[start:end]
        levels = tuple(tuple(c for c in selection.conditions[n + 1] if self._is_pure(c)) for n in range(start, end))
        run = ir.Selection(bindings, ((), *levels), None, span=selection.span)
        if not self._gains(run):
            return None
        keys = self._keys(run)
        if keys is None:
            return None
        table = self._table(run, keys)
        if table is None:
            return None
        last = bindings[-1]
        read = {node.local: node for node in nodes(run) if isinstance(node, ir.LocalRead)}
        values = tuple(read[local] for local, _ in keys)
        list_type = t.ListType(last.local.type)
        lows = tuple(domain.low for _, domain in keys)
        domain = Tabled(table.name, values, lows, type=list_type, span=last.domain.span)
        return ir.Binding(last.local, domain, tuple(run.locals[:-1]))

    def _tested(self, binding: ir.Binding, conditions: tuple[ir.Expr, ...]) -> tuple[ir.Expr, ...] | None:
        """Conditions on components that lie somewhere, as one test: whether each is among those that pass.

        Which do is known for all values of the few variables that the conditions read. None where that gains nothing.
        """
        member = binding.local
        kinds = (ir.ZoneRead, ir.ZoneFamily)
        if (
            not isinstance(binding.domain, kinds)
            or binding.locals != (member,)
            or not _is_looked_up(conditions, member)
        ):
            return None
        reads: dict[Any, tuple[ir.VarRead, ir.Local]] = {}

        def as_local(node: ir.Expr) -> ir.Expr | None:
            if not isinstance(node, ir.VarRead) or member in free(node.indices):
                return None
            _, local = reads.setdefault(shape(node), (node, ir.Local(node.variable, node.type)))
            return ir.LocalRead(local, type=node.type, span=node.span)

        tests = tuple(replaced(test, as_local) for test in conditions)
        if not all(map(self._is_pure, tests)) or any(isinstance(v.type, t.OptionalType) for v, _ in reads.values()):
            return None
        every = ir.AllOf(member.type, type=t.ListType(member.type), span=binding.domain.span)
        run = ir.Selection((ir.Binding(member, every),), ((), tests), None, span=binding.domain.span)
        keys = self._keys(run)
        if keys is None or prod(d.size for _, d in keys) * self.layout.domain(member.type).size > MOST_MEMBERS:
            return None
        every_one = range(self.layout.domain(member.type).size)
        table = self._table(run, keys, lambda members: tuple(component in members for component in every_one))
        if table is None:
            return None
        outside: dict[ir.Local, ir.Expr] = {local: node for node, local in reads.values()}
        outside |= {n.local: n for n in nodes(tests) if isinstance(n, ir.LocalRead) and n.local not in outside}
        values, lows = tuple(outside[local] for local, _ in keys), tuple(domain.low for _, domain in keys)
        passing = Tabled(table.name, values, lows, type=t.ListType(member.type), span=binding.domain.span)
        item = ir.LocalRead(member, type=member.type, span=binding.domain.span)
        return (Among(item, passing, type=t.BOOL, span=binding.domain.span),)

    def _gains(self, run: ir.Selection) -> bool:
        """Whether a table is quicker than the loops themselves."""
        inside = set(run.locals)
        if any(run.conditions[1:]) or any(inside & set(free(b.domain)) for b in run.bindings):
            return True
        return len(run.bindings) == 1 and _is_costly(run.bindings[0].domain)

    def _is_pure(self, tree: ir.Expr) -> bool:
        """Whether an expression reads nothing that changes."""
        for node in nodes(tree):
            if not isinstance(node, _PLAIN) and not (isinstance(node, ir.BuiltIn) and node.name in _BUILT_INS):
                return False
            if isinstance(node, ir.FunctionCall) and node.below is not None:
                return False
        effects = self.analysis.of(tree)
        return not effects.reads and not effects.contents and not effects.stops

    def _keys(self, run: ir.Selection) -> tuple[Key, ...] | None:
        """The locals outside that a run of loops depends on, with their values; None where these are no finite few."""
        keys: list[Key] = []
        for local in free(run):
            types = {n.type for n in nodes(run) if isinstance(n, ir.LocalRead) and n.local is local}
            kind = local.type if not isinstance(local.type, t.OptionalType) else next(iter(types))
            if len(types) > 1 and isinstance(local.type, t.OptionalType):
                return None
            if not self.layout.is_finite(kind) or isinstance(kind, t.SpotType):
                return None
            keys.append((local, self.layout.domain(kind)))
        return tuple(keys) if prod(d.size for _, d in keys) <= MOST_KEYS else None

    def call(self, node: ir.BuiltIn) -> Tabled | None:
        """A call of a built-in function of finite arguments as a table; None where that is too large."""
        params = [(a, ir.Local(f"a{n}", a.type)) for n, a in enumerate(node.args) if not isinstance(a, ir.AllOf)]
        if not all(self.layout.is_finite(local.type) for _, local in params):
            return None
        domains = [self.layout.domain(local.type) for _, local in params]
        if prod(d.size for d in domains) > MOST_KEYS:
            return None
        locals = iter([local for _, local in params])
        args = tuple(
            a if isinstance(a, ir.AllOf) else ir.LocalRead(next(locals), type=a.type, span=a.span) for a in node.args
        )
        general = ir.BuiltIn(node.name, args, type=node.type, span=node.span)
        _, function = self.function(tuple(local for _, local in params), (), lambda e: e.text(general))
        values = [function(*key) for key in product(*(range(d.low, d.low + d.size) for d in domains))]
        name = self.constant(f"T_{node.name}", _nested(values, [d.size for d in domains]))
        return Tabled(name, tuple(a for a, _ in params), tuple(d.low for d in domains), type=node.type, span=node.span)

    # ------------------------------------------------------------ tables

    def _table(self, run: ir.Selection, keys: tuple[Key, ...], kept: Callable[[Any], Any] = tuple) -> Table | None:
        one = len(run.locals) == 1

        def source(e: Any) -> str:
            names = ", ".join(e.names.of(local) for local in run.locals)
            return f"[{e.comprehension(names if one else f'({names})', run)}]"

        try:
            text, function = self.function(tuple(local for local, _ in keys), (run,), source)
            rows = []
            left = MOST_MEMBERS
            for values in product(*(range(d.low, d.low + d.size) for _, d in keys)):
                rows.append(members := [_plain(m) for m in function(*values)])
                left -= sum(len(m) if isinstance(m, tuple) else 1 for m in members)
                if left < 0:
                    return None
        except Exception:
            # Fails for some values, from which the rules keep it away in play.
            return None
        listed = [kept(members) for members in rows]
        name = self.constant(f"T_{run.locals[-1].name}", _nested(listed, [d.size for _, d in keys]))
        if name not in self.tables:
            self.tables[name] = Table(name, [[(m,) if one else m for m in members] for members in rows])
            self.sources[name] = text
        return self.tables[name]

    # ------------------------------------------------------------ what is known of members

    def repeats(self, selection: ir.Selection, wanted: tuple[ir.Local, ...], may_repeat: Callable[..., bool]) -> bool:
        """Whether the values of some of its names may come twice among the members of a selection."""
        for binding in selection.bindings:
            domain = binding.domain
            if not isinstance(domain, Tabled):
                if may_repeat(domain) or binding.local not in wanted:
                    return True
                continue
            places = [n for n, local in enumerate(binding.locals) if local in wanted]
            for members in self.tables[domain.name].rows:
                if len({tuple(m[n] for n in places) for m in members}) < len(members):
                    return True
        return False

    def length(self, binding: ir.Binding, local: ir.Local) -> int | None:
        """How many items a list has that a binding gives a name, where all of them are lists of the same length."""
        if not isinstance(binding.domain, Tabled) or not isinstance(local.type, t.ListType):
            return None
        place = binding.locals.index(local)
        found = {
            len(m[place]) if isinstance(m[place], tuple) else -1
            for members in self.tables[binding.domain.name].rows
            for m in members
        }
        return found.pop() if len(found) == 1 and min(found) >= 0 else None


def _is_looked_up(conditions: tuple[ir.Expr, ...], member: ir.Local) -> bool:
    """Whether conditions read more of a member than one field."""
    columns = [n for n in nodes(conditions) if isinstance(n, ir.FieldRead) and member in free(n.base)]
    return len(columns) + sum(isinstance(n, ir.FunctionCall) for n in nodes(conditions)) > 1


def _is_costly(domain: ir.Expr) -> bool:
    """Whether a domain takes more than reading what is a table already."""
    if isinstance(domain, ir.AllOf | ir.RangeOf):
        return False
    if isinstance(domain, ir.ListOf):
        return all(isinstance(item, ir.Const | ir.RowRef) for item in domain.items) and len(domain.items) > 2
    if isinstance(domain, ir.BuiltIn) and domain.name in _READY:
        return isinstance(domain.type, t.OptionalType) or any(not isinstance(a, ir.LocalRead) for a in domain.args)
    return True


def _plain(member: Any) -> Any:
    """A member with lists in it as tuples."""
    if isinstance(member, list | range):
        return tuple(member)
    return tuple(_plain(m) for m in member) if isinstance(member, tuple) else member


def _nested(rows: list[Any], sizes: list[int]) -> Any:
    """Rows in row-major order as tuples in tuples."""
    values: list[Any] = rows
    for size in reversed(sizes):
        values = [tuple(values[n : n + size]) for n in range(0, len(values), size)]
    return values[0]
