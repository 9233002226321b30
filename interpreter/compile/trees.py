"""Rewriting checked statements, and the locals of a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from rulespec import checked as ir
from rulespec.check.walk import nodes

_PARTS: dict[Any, tuple[str, ...]] = {}
BLOCKS = ("body", "then", "other")
"""Attributes of statements that hold blocks."""


def parts(node: Any) -> tuple[str, ...]:
    """The names of a node's attributes but for its type and place."""
    kind = type(node)
    if kind not in _PARTS:
        _PARTS[kind] = tuple(a.name for a in attrs.fields(kind) if a.name not in ("type", "span"))
    return _PARTS[kind]


def map_statements(block: ir.Block, change: Callable[[ir.Stmt], ir.Block | None]) -> ir.Block:
    """A block in which `change` was asked for every statement; None from it leaves one as it is."""
    result: list[ir.Stmt] = []
    for stmt in block:
        instead = change(stmt)
        if instead is not None:
            result += instead
            continue
        new: dict[str, Any] = {n: map_statements(getattr(stmt, n), change) for n in parts(stmt) if n in BLOCKS}
        same = all(new[name] is getattr(stmt, name) for name in new)
        result.append(stmt if same else attrs.evolve(stmt, **new))
    unchanged = len(result) == len(block) and all(a is b for a, b in zip(result, block, strict=True))
    return block if unchanged else tuple(result)


def bound(tree: Any) -> set[ir.Local]:
    """Every local that something inside the tree binds."""
    found: set[ir.Local] = set()
    for node in nodes(tree):
        match node:
            case ir.Let() | ir.LetCall() | ir.Until() | ir.NoneSafe() | ir.Way() | ir.Together():
                found.add(node.local)
            case ir.Selection():
                found.update(node.locals)
    return found


def free(tree: Any) -> list[ir.Local]:
    """Every local that is read inside the tree but bound outside, in the order met."""
    inside = bound(tree)
    read = [node.local for node in nodes(tree) if isinstance(node, ir.LocalRead)]
    return [local for local in dict.fromkeys(read) if local not in inside]


def shape(tree: Any, bound: dict[ir.Local, int] | None = None) -> Any:
    """Equal for expressions that mean the same with the same locals; names bound inside do not matter."""
    names = {} if bound is None else bound
    if isinstance(tree, tuple):
        return tuple(shape(part, names) for part in tree)
    if isinstance(tree, ir.Local):
        return names.get(tree, id(tree))
    if not isinstance(tree, (ir.Expr, ir.Selection, ir.Binding)):
        return (type(tree), tree)
    if isinstance(tree, ir.NoneSafe | ir.Until | ir.Way):
        names = {**names, tree.local: len(names)}
    elif isinstance(tree, ir.Selection):
        names = {**names, **{local: len(names) + n for n, local in enumerate(tree.locals)}}
    elif isinstance(tree, ir.Aggregate):
        names = {**names, **{local: len(names) + n for n, local in enumerate(tree.selection.locals)}}
    return (type(tree), *(shape(getattr(tree, name), names) for name in parts(tree)))


def conjuncts(condition: ir.Expr) -> list[ir.Expr]:
    """The parts of a condition that must all hold."""
    if isinstance(condition, ir.Binary) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    return [condition]


def is_read(node: ir.Expr, local: ir.Local) -> bool:
    """Whether an expression is the value of a local, and no more."""
    return isinstance(node, ir.LocalRead) and node.local is local


def is_entry(node: ir.VarRead | ir.SetVar, local: ir.Local) -> bool:
    """Whether what is read or set is the one entry that belongs to a local."""
    return len(node.indices) == 1 and is_read(node.indices[0], local)


_OUTCOMES = {"<": {-1}, "<=": {-1, 0}, "==": {0}, ">=": {0, 1}, ">": {1}, "!=": {-1, 1}}
"""When a comparison holds: less, equal, more."""


def exclude(some: Iterable[ir.Expr], others: Iterable[ir.Expr]) -> bool:
    """Whether one of some conditions and one of others can never hold at once, by what they compare."""
    some, others = list(some), list(others)
    return any(_is_excluded(a, others) for a in some) or any(_is_excluded(b, some) for b in others)


def _is_excluded(condition: ir.Expr, given: Iterable[ir.Expr]) -> bool:
    """Whether a condition cannot hold where some others do."""
    if isinstance(condition, ir.Binary) and condition.op == "or":
        return _is_excluded(condition.left, given) and _is_excluded(condition.right, given)
    return any(_excludes(condition, other) for other in given)


def _excludes(a: ir.Expr, b: ir.Expr) -> bool:
    for one, other in ((a, b), (b, a)):
        if isinstance(one, ir.Unary) and one.op == "not" and shape(one.operand) == shape(other):
            return True
    if not isinstance(a, ir.Binary) or not isinstance(b, ir.Binary) or not {a.op, b.op} <= set(_OUTCOMES):
        return False
    left, right = _OUTCOMES[a.op], _OUTCOMES[b.op]
    sides = [shape(x) for x in (a.left, a.right, b.left, b.right)]
    if sides[:2] == sides[2:]:
        return not left & right
    if sides[:2] == sides[:1:-1]:
        return not left & {-sign for sign in right}
    if not isinstance(a.right, ir.Const) or not isinstance(b.right, ir.Const):
        return False
    return a.op == b.op == "==" and sides[0] == sides[2] and a.right.value != b.right.value


def placed(selection: ir.Selection, conditions: list[ir.Expr]) -> ir.Selection:
    """A selection with more conditions, each at the outermost loop where its names are known."""
    if selection.order is not None:
        levels = [*selection.conditions[:-1], (*selection.conditions[-1], *conditions)]
        return attrs.evolve(selection, conditions=tuple(levels))
    levels = list(selection.conditions)
    for condition in conditions:
        wanted = set(free(condition))
        level = 0
        for n, binding in enumerate(selection.bindings):
            if set(binding.locals) & wanted:
                level = n + 1
        levels[level] = (*levels[level], condition)
    return attrs.evolve(selection, conditions=tuple(levels))
