"""Selections as nested loops for functions that are called often: options of actions, `any`, `all`, `first`, `sum`.

Before anything is emitted the loops are laid out as a plan. Loops over two or three fixed values are written out, and
what does not change in a loop is worked out before it, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs
from attrs import define, evolve, field

from interpreter.compile.simplify import Simplifier
from interpreter.compile.statements import Statements
from interpreter.compile.trees import free, shape
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

MOST_UNROLLED = 3
MOST_LEAVES = 8

Leaf = Callable[[tuple[ir.Expr, ...]], None]
"""Emits what is done for each member, from the leaf's expressions."""


@define
class Guard:
    """Conditions and what stands under them."""

    conditions: list[ir.Expr]
    body: list[Any]


@define
class Loop:
    """A loop over a domain; `head` are the locals that a zone's free indices bind, then the member."""

    binding: ir.Binding
    body: list[Any]
    known: list[tuple[ir.Local, ir.Expr]] = field(factory=list)
    copies: list[Any] = field(factory=list)
    """Shapes of what `supposing` does in loops inside, always the same."""


@define
class End:
    """The innermost part."""

    exprs: tuple[ir.Expr, ...]


def emit_loops(
    e: Statements, simplifier: Simplifier, selection: ir.Selection, exprs: tuple[ir.Expr, ...], leaf: Leaf
) -> None:
    """Emits the loops of a selection without sorting, with `leaf` innermost.

    Args:
        e: the emitter of the function.
        simplifier: for what unrolled values decide.
        selection: the loops.
        exprs: what the leaf needs of each member, as expressions over the selection's names.
        leaf: emits the innermost lines from those expressions.
    """
    plan = _plan(simplifier, selection, exprs)
    outer = Loop(selection.bindings[0], plan)
    _hoist(outer, set(e.names.texts), 0)
    _emit_body(e, outer, leaf)


# ---------------------------------------------------------------- the plan


def _plan(simplifier: Simplifier, selection: ir.Selection, exprs: tuple[ir.Expr, ...]) -> list[Any]:
    def build(level: int, values: dict[ir.Local, ir.Expr], leaves: int) -> list[Any]:
        conditions = [simplifier.tree(c, values) for c in selection.conditions[level]]
        conditions = [c for c in conditions if not (isinstance(c, ir.Const) and c.value)]
        if any(isinstance(c, ir.Const) for c in conditions):
            return []
        if level == len(selection.bindings):
            body: list[Any] = [End(tuple(simplifier.tree(x, values) for x in exprs))]
        else:
            binding = selection.bindings[level]
            domain = simplifier.tree(binding.domain, values)
            fixed = _fixed_values(simplifier, domain)
            if fixed is not None and leaves * len(fixed) <= MOST_LEAVES:
                body = []
                for value in fixed:
                    body += build(level + 1, {**values, binding.local: value}, leaves * len(fixed))
            else:
                inner = build(level + 1, values, leaves)
                body = [Loop(evolve(binding, domain=domain), inner)] if inner else []
        return [Guard(conditions, body)] if conditions and body else body

    return build(0, {}, 1)


def _fixed_values(simplifier: Simplifier, domain: ir.Expr) -> list[ir.Expr] | None:
    """The values of a domain of two or three fixed ones."""
    if isinstance(domain, ir.ListOf) and 0 < len(domain.items) <= MOST_UNROLLED:
        return list(domain.items) if all(isinstance(i, ir.Const) for i in domain.items) else None
    if isinstance(domain, ir.AllOf) and domain.start is None:
        if isinstance(domain.of, t.BoolType):
            return [ir.Const(v, type=domain.of, span=domain.span) for v in (False, True)]
        if isinstance(domain.of, t.EnumType):
            size = simplifier.enum_size(domain.of.name)
            if size <= MOST_UNROLLED:
                return [ir.Const(v, type=domain.of, span=domain.span) for v in range(size)]
    return None


# ---------------------------------------------------------------- what can stand before a loop

_CHEAP = (
    ir.Const, ir.RowRef, ir.LocalRead, ir.FieldRead, ir.VarRead, ir.TableRead, ir.NoneSafe, ir.Otherwise, ir.Unary,
    ir.ZoneRead, ir.Truth, ir.ZoneIndex,
)  # fmt: skip
_CHEAP_BUILT_IN = {"top", "bottom", "end", "next", "previous", "opponent", "number", "count", "turn_player", "face"}


def _is_cheap(node: ir.Expr) -> bool:
    """Whether a value may be worked out although it may not be needed: quick, and it cannot fail."""
    for inner in nodes(node):
        if isinstance(inner, ir.BuiltIn):
            if inner.name not in _CHEAP_BUILT_IN:
                return False
        elif isinstance(inner, ir.Binary):
            if inner.op not in ("+", "-", "*") or not isinstance(inner.type, t.NumberType):
                return False
        elif not isinstance(inner, _CHEAP):
            return False
    return not isinstance(node, ir.Const | ir.RowRef | ir.LocalRead | ir.ZoneRead) and _is_value(node.type)


def _is_value(type: t.Type) -> bool:
    return not isinstance(type, t.ListType | t.BoolType)


def _own(item: Any) -> Iterator[ir.Expr]:
    """The expressions of an item itself."""
    match item:
        case Guard(conditions=conditions):
            yield from conditions
        case Loop(binding=binding):
            yield binding.domain
        case End(exprs=exprs):
            yield from exprs


def _candidates(node: Any, available: set[ir.Local]) -> Iterator[ir.Expr]:
    """The largest parts of an expression that are cheap and need only what is available."""
    if isinstance(node, ir.Expr) and _is_cheap(node) and not set(free(node)) - available:
        yield node
        return
    if isinstance(node, tuple):
        for part in node:
            yield from _candidates(part, available)
    elif isinstance(node, (ir.Expr, ir.Selection, ir.Binding)):
        for attribute in attrs.fields(type(node)):
            if attribute.name not in ("span", "type"):
                yield from _candidates(getattr(node, attribute.name), available)


def _hoist(loop: Loop, available: set[ir.Local], depth: int) -> None:
    """Finds what can be known before the items of a loop's body, then goes inside."""
    found: dict[Any, tuple[ir.Expr, int, int]] = {}

    def look(items: Iterable[Any], level: int) -> None:
        for item in items:
            for expr in _own(item):
                if level > 0:
                    loop.copies += [c for c in _copies(expr, available) if c not in loop.copies]
                # The domain of a loop is read before it, conditions and leaves each time round.
                for candidate in _candidates(expr, available):
                    key = shape(candidate)
                    _, count, deepest = found.get(key, (candidate, 0, 0))
                    found[key] = (candidate, count + 1, max(deepest, level))
            if isinstance(item, Guard):
                look(item.body, level)
            elif isinstance(item, Loop):
                look(item.body, level + 1)

    look(loop.body, 0)
    for key, (expr, count, deepest) in found.items():
        if count > 1 or deepest > 0:
            local = ir.Local(_name_for(expr), expr.type)
            loop.known.append((local, expr))
            _replace(loop.body, key, ir.LocalRead(local, type=expr.type, span=expr.span))
            available = available | {local}
    _inside(loop.body, available, depth)


def _copies(expr: ir.Expr, available: set[ir.Local]) -> Iterator[Any]:
    """What `supposing` does with arguments that are available."""
    for node in nodes(expr):
        if isinstance(node, ir.Supposing) and not set(free(node.args)) - available:
            yield shape((node.procedure, node.args))


def _inside(items: Iterable[Any], available: set[ir.Local], depth: int) -> None:
    for item in items:
        if isinstance(item, Guard):
            _inside(item.body, available, depth)
        elif isinstance(item, Loop):
            names = {item.binding.local}
            if isinstance(item.binding.domain, ir.ZoneFamily):
                names |= {i for i in item.binding.domain.indices if isinstance(i, ir.Local)}
            _hoist(item, available | names, depth + 1)


def _name_for(expr: ir.Expr) -> str:
    for node in nodes(expr):
        if isinstance(node, ir.FieldRead):
            return node.field
        if isinstance(node, ir.VarRead):
            return node.variable
    return "known"


def _replace(items: list[Any], key: Any, by: ir.Expr) -> None:
    for item in items:
        match item:
            case Guard():
                item.conditions = [_swapped(c, key, by) for c in item.conditions]
                _replace(item.body, key, by)
            case Loop():
                item.binding = _swapped(item.binding, key, by)
                _replace(item.body, key, by)
            case End():
                item.exprs = tuple(_swapped(x, key, by) for x in item.exprs)


def _swapped(node: Any, key: Any, by: ir.Expr) -> Any:
    if isinstance(node, tuple):
        return tuple(_swapped(part, key, by) for part in node)
    if not isinstance(node, (ir.Expr, ir.Selection, ir.Binding)):
        return node
    if isinstance(node, ir.Expr) and type(node) is key[0] and shape(node) == key:
        return by
    names = [a.name for a in attrs.fields(type(node)) if a.name not in ("span", "type")]
    new = {name: _swapped(getattr(node, name), key, by) for name in names}
    new = {name: value for name, value in new.items() if not _same(value, getattr(node, name))}
    return evolve(node, **new) if new else node


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(_same(x, y) for x, y in zip(a, b, strict=True))
    return a is b


# ---------------------------------------------------------------- emission


def _emit_body(e: Statements, loop: Loop, leaf: Leaf) -> None:
    for local, expr in loop.known:
        value = e.text(expr)
        e.put(f"{e.names.of(local)} = {value}")
    for copy in loop.copies:
        if copy not in e.kept_copies:
            e.kept_copies[copy] = e.names.fresh("copy")
            e.put(f"{e.kept_copies[copy]} = None")
    _emit(e, loop.body, leaf)


def _emit(e: Statements, items: list[Any], leaf: Leaf) -> None:
    for item in items:
        match item:
            case Guard(conditions=conditions, body=body):
                tests = " and ".join(e.test(c, 2) for c in conditions)
                with e.out.block(f"if {tests}:"):
                    _emit(e, body, leaf)
            case Loop(binding=binding):
                heads = e.heads(binding)
                for head in heads:
                    e.put(head)
                    e.out.indent += 1
                _emit_body(e, item, leaf)
                e.out.indent -= len(heads)
            case End(exprs=exprs):
                leaf(exprs)

