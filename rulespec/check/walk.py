"""Walking over trees: the nodes of the rules language as written, and the checked ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, TypeVar

import attrs

from rulespec import checked as ir
from rulespec.syntax import nodes as n

Tree = TypeVar("Tree")


_NODES = (n.Node, ir.Expr, ir.Stmt, ir.Selection, ir.Binding, ir.Offer, ir.Layer)
_PLAIN = frozenset(["str", "int", "bool", "str | None", "int | None", "Fraction", "Type", "Local"])
"""Types of attributes that hold no nodes."""


@cache
def _parts(kind: type) -> tuple[str, ...] | None:
    """The fields of a class of nodes that can hold further ones, the last first; None for other classes."""
    if not issubclass(kind, _NODES):
        return None
    fields = (a for a in attrs.fields(kind) if a.type not in _PLAIN and a.name != "type")
    return tuple(a.name for a in fields if not a.name.endswith("span"))[::-1]


def nodes(tree: object) -> Iterator[Any]:
    """Every node in a tree (or tuple of trees), outermost first, in the order of the source.

    Args:
        tree: a syntax node, a checked expression or statement, a block, or None.
    """
    todo: list[Any] = [tree]
    while todo:
        node = todo.pop()
        kind: Any = type(node)
        if kind is tuple or kind is list:
            todo.extend(node[::-1])
            continue
        parts = _parts(kind)
        if parts is not None:
            yield node
            for name in parts:
                part = getattr(node, name)
                if part is not None:
                    todo.append(part)


def children(tree: object) -> Iterator[Any]:
    """The parts of a node, or of a tuple, in the order of the source."""
    if isinstance(tree, (tuple, list)):
        yield from tree
        return
    kind: Any = type(tree)
    for name in reversed(_parts(kind) or ()):
        part = getattr(tree, name)
        if part is not None:
            yield part


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
    kind: Any = type(tree)
    for name in reversed(_parts(kind) or ()):
        old = getattr(tree, name)
        part = replaced(old, change)
        if part is not old and not (isinstance(old, tuple) and all(a is b for a, b in zip(old, part, strict=True))):
            new[name] = part
    return attrs.evolve(tree, **new) if new else tree
