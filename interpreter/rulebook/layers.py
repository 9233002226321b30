"""Versions of a rule that several files add to: what is told of them.

The topmost version that exists in a game is what is played. Where it says `usual`, the one below is told in its place,
so that a book of a variant can be read without that of its base.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.rulebook.teller import Told
from rulespec import checked as ir
from rulespec.check.walk import nodes


def resolved(told: Told, layers: Iterable[ir.Layer]) -> list[tuple[ir.Expr | None, ir.Expr | ir.Block]]:
    """The bodies to tell, the plainest first, each with the condition on options under which it holds.

    `usual` in effects is replaced by the version below where that surely exists.
    """
    existing = told.layers(list(layers))
    found: list[tuple[ir.Expr | None, ir.Expr | ir.Block]] = []
    for layer in existing:
        condition = layer.only_if if layer.only_if is not None and told.known(layer.only_if) is None else None
        body = layer.body
        if isinstance(body, tuple) and found and found[-1][0] is None and isinstance(found[-1][1], tuple):
            body = _with_usual(body, found[-1][1])
        if condition is None:
            found = []
        found.append((condition, body))
    return found


def _with_usual(block: ir.Block, below: ir.Block) -> ir.Block:
    """A block with the one below in place of `usual` where that stands as a statement of its own."""
    told: list[ir.Stmt] = []
    for stmt in block:
        if isinstance(stmt, ir.Usual) or (isinstance(stmt, ir.Call) and stmt.below is not None and not _returns(below)):
            told += below
        else:
            told.append(stmt)
    return tuple(told)


def _returns(block: Sequence[ir.Stmt]) -> bool:
    return any(isinstance(node, ir.Return) for node in nodes(tuple(block)))
