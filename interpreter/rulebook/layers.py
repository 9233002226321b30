"""Versions of a rule that several files add to: what is told of them.

The topmost version that exists in a game is what is played. Where it says `usual`, the one below is told in its place,
so that a book of a variant can be read without that of its base.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from interpreter.rulebook.blocks import plain
from interpreter.rulebook.teller import Told
from rulespec import checked as ir
from rulespec.check.walk import nodes, replaced

Body = ir.Expr | ir.Block


def resolved(
    told: Told, layers: Iterable[ir.Layer], given: ir.Expr | None = None
) -> list[tuple[ir.Expr | None, ir.Expr | ir.Block]]:
    """The bodies to tell, the plainest first, each with the condition on options under which it holds.

    `usual` is replaced by the version below where that surely exists. Where this cannot be done, both are told.

    Args:
        told: says which layers exist.
        layers: the versions, the lowest first.
        given: a condition that the book has already told of all versions.
    """
    found: list[tuple[ir.Expr | None, Body]] = []
    for layer in told.layers(list(layers)):
        condition = layer.only_if
        if condition is not None and (told.known(condition) is not None or same(told, condition, given)):
            condition = None
        body = layer.body
        if condition is None and found and found[-1][0] is None:
            body = _on_top(body, found[-1][1])
        if condition is None and not _says_usual(body):
            found = []
        found.append((condition, body))
    return found


def same(told: Told, condition: ir.Expr, given: ir.Expr | None) -> bool:
    """Whether two conditions read the same."""
    say: Any = getattr(told, "condition", None)
    return given is not None and say is not None and plain(say(condition)) == plain(say(given))


def _on_top(body: Body, below: Body) -> Body:
    """A body with the one below in place of `usual`, as far as that can be."""
    if not isinstance(below, tuple):
        value: ir.Expr = below
        return replaced(body, lambda expr: value if isinstance(expr, ir.FunctionCall) and _is_below(expr) else None)
    return _with_usual(body, below) if isinstance(body, tuple) else body


def _with_usual(block: ir.Block, below: ir.Block) -> ir.Block:
    """A block with the one below in place of `usual` where that stands as a statement of its own or is its answer."""
    told: list[ir.Stmt] = []
    for n, stmt in enumerate(block):
        match stmt:
            case ir.Usual():
                told += below
            case ir.Call() if _is_below(stmt) and not _returns(below):
                told += below
            case ir.LetCall(local=local, call=call) if _is_below(call) and _gives_back(block[n + 1 :], local):
                return (*told, *below)
            case ir.Let(value=ir.FunctionCall() as call) if _is_below(call) and _ends_in_value(below):
                last = below[-1]
                assert isinstance(last, ir.Return) and last.value is not None
                told += below[:-1]
                told.append(attrs.evolve(stmt, value=last.value))
            case _:
                told.append(stmt)
    return tuple(told)


def _is_below(call: ir.FunctionCall | ir.Call) -> bool:
    return call.below is not None


def _says_usual(body: Body) -> bool:
    found = nodes(body)
    return any(isinstance(n, ir.Usual) or (isinstance(n, ir.FunctionCall | ir.Call) and _is_below(n)) for n in found)


def _gives_back(rest: ir.Block, local: ir.Local) -> bool:
    """Whether all that follows is to return this local."""
    match rest:
        case (ir.Return(value=ir.LocalRead(local=read)),):
            return read == local
    return False


def _ends_in_value(block: ir.Block) -> bool:
    """Whether a block returns a value at its end and nowhere else."""
    last = block[-1] if block else None
    return isinstance(last, ir.Return) and last.value is not None and not _returns(block[:-1])


def _returns(block: Sequence[ir.Stmt]) -> bool:
    return any(isinstance(node, ir.Return) for node in nodes(tuple(block)))
