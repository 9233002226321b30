"""Walking over trees: the nodes of the rules language as written, and the checked ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import attrs

from rulespec import checked as ir
from rulespec.syntax import nodes as n

Tree = TypeVar("Tree")


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    """Names of the fields that can hold further nodes."""
    found = _FIELDS.get(kind)
    if found is None:
        names = [a.name for a in attrs.fields(kind)] if attrs.has(kind) else []
        found = _FIELDS[kind] = tuple(name for name in names if not name.endswith("span") and name != "type")
    return found


def nodes(tree: object) -> Iterator[Any]:
    """Every node in a tree (or tuple of trees), outermost first, in the order of the source.

    Args:
        tree: a syntax node, a checked expression or statement, a block, or None.
    """
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, (tuple, list)):
            todo.extend(reversed(node))
        elif isinstance(node, (n.Node, ir.Expr, ir.Stmt, ir.Selection, ir.Binding, ir.Offer, ir.Layer)):
            yield node
            todo.extend(getattr(node, name) for name in reversed(_fields(type(node))))


def names(tree: object) -> Iterator[n.Name]:
    """Every name used as a value in a syntax tree."""
    return (node for node in nodes(tree) if isinstance(node, n.Name))


def bound_names(tree: object) -> set[str]:
    """Names that selections and ways inside a syntax tree bind."""
    found: set[str] = set()
    for node in nodes(tree):
        if isinstance(node, n.Binding):
            found |= {node.name, *(name for name, _ in node.at)}
        elif isinstance(node, n.Way):
            found.add(node.name)
    return found


def says_usual(tree: object) -> bool:
    """Whether `usual` stands somewhere in the syntax tree."""
    return any(name.id == "usual" for name in names(tree))


def replaced(tree: Tree, change: Callable[[Any], Any]) -> Tree:
    """A checked tree in which `change` was asked for every expression; None from it leaves one as it is."""
    if isinstance(tree, tuple):
        return tuple(replaced(part, change) for part in tree)  # type: ignore[return-value]
    if not isinstance(tree, (ir.Expr, ir.Stmt, ir.Selection, ir.Binding, ir.Offer)):
        return tree
    other = change(tree) if isinstance(tree, ir.Expr) else None
    if other is not None:
        return other  # type: ignore[no-any-return]
    new: dict[str, Any] = {}
    for name in _fields(type(tree)):
        old = getattr(tree, name)
        part = replaced(old, change)
        if part is not old and not (isinstance(old, tuple) and all(a is b for a, b in zip(old, part, strict=True))):
            new[name] = part
    return attrs.evolve(tree, **new) if new else tree
