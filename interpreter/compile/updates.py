"""Options that are not listed anew: only the one that was taken may have changed.

A turn that offers `claim: {with: s in Square, when: mark[s] == none, do: mark[s] = me}` lists all free squares. After a
move to `s` the same squares are free but perhaps `s`, so what was listed before is kept, without `s`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.compile.analysis import Analysis
from interpreter.compile.internal import Forever, TurnAsk, Unit
from interpreter.compile.trees import conjuncts, is_entry
from rulespec import checked as ir
from rulespec.check.walk import nodes

_PLAIN = (ir.Const, ir.RowRef, ir.LocalRead, ir.VarRead, ir.Unary, ir.Binary, ir.Truth, ir.Convert)
_BLOCKS = (ir.If, ir.For, ir.While, ir.Repeat, Forever, TurnAsk)


def kept(body: ir.Block, action: ir.Action, unit: Unit, analysis: Analysis) -> list[ir.Expr]:
    """The conditions of the option that was taken, where no other can have changed; none where others can.

    Between the decision and the next list nothing is done but what stands in these two bodies: neither of them may call
    a unit that stops, or one that sets what the conditions read.

    Args:
        body: of the phase whose turns offer only this action.
        action: the action.
        unit: its body.
        analysis: what bodies write.
    """
    selection = action.selection
    if selection is None or selection.order is not None or len(selection.bindings) != 1 or action.pay:
        return []
    (binding,) = selection.bindings
    conditions = [c for level in selection.conditions for c in level]
    conditions += conjuncts(action.when) if action.when is not None else []
    if (
        len(binding.locals) != 1
        or not _is_fixed(binding.domain)
        or not all(_is_of(condition, binding.local) for condition in conditions)
    ):
        return []
    read = {f"v:{node.variable}" for node in nodes(conditions) if isinstance(node, ir.VarRead)}
    asks = [node for node in nodes(body) if isinstance(node, TurnAsk)]
    others = [stmt for stmt in _single(body) if analysis.of((stmt,)).writes & read or analysis.of((stmt,)).stops]
    param = unit.params[-1]
    done = [stmt for stmt in _single(unit.body) if analysis.of((stmt,)).writes & read]
    if len(asks) != 1 or others or not all(isinstance(stmt, ir.SetVar) and is_entry(stmt, param) for stmt in done):
        return []
    return conditions


def _is_fixed(domain: ir.Expr) -> bool:
    """Whether a domain has the same members at all times, each once."""
    match domain:
        case ir.AllOf(start=None):
            return True
        case ir.RangeOf(first=ir.Const(), last=ir.Const()):
            return True
    return False


def _is_of(condition: ir.Expr, local: ir.Local) -> bool:
    """Whether a condition reads nothing but entries of variables that belong to a member."""
    for node in nodes(condition):
        if not isinstance(node, _PLAIN) or (isinstance(node, ir.LocalRead) and node.local is not local):
            return False
        if isinstance(node, ir.VarRead) and not is_entry(node, local):
            return False
    return True


def _single(body: Any) -> Iterator[ir.Stmt]:
    """The statements of a body that hold no others; without the decision of a turn."""
    for node in nodes(body):
        if isinstance(node, ir.Stmt) and not isinstance(node, _BLOCKS):
            yield node
