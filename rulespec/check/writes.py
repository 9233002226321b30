"""What statements may change, told from their text alone: enough to know which facts end with them."""

from __future__ import annotations

from attrs import define, field

from rulespec.check.context import Context
from rulespec.check.walk import nodes
from rulespec.syntax import nodes as n


@define
class Writes:
    """names: locals and variables given values. everything: a rule is called, or someone else may act."""

    names: set[str] = field(factory=set)
    zones: bool = False
    faces: bool = False
    everything: bool = False


def _target(node: n.Expr) -> str:
    base = node.base if isinstance(node, n.Index) else node
    return base.id if isinstance(base, n.Name) else ""


def written(tree: object, context: Context) -> Writes:
    """What the statements in a tree (a statement or a block) may change, triggers included."""
    writes = Writes()
    for node in nodes(tree):
        match node:
            case n.Assign():
                writes.names.add(_target(node.target))
                _value_calls(node.value, context, writes)
            case n.Let():
                writes.names.add(node.name)
                _value_calls(node.value, context, writes)
            case n.Adjust():
                writes.names.add(_target(node.target))
            case n.MoveTokens():
                writes.names |= {_target(node.source), _target(node.target)}
            case n.Swap():
                writes.names |= {_target(node.first), _target(node.second)}
            case n.Move() | n.MoveAll() | n.DrawCards() | n.Remove() | n.Shuffle():
                writes.zones = True
            case n.TurnOver():
                writes.faces = True
            case n.CallStmt() | n.Ask() | n.Window():
                writes.everything = True
    if not writes.everything:
        writes.everything = _sets_off_a_trigger(writes, context)
    return writes


def _value_calls(value: n.Expr, context: Context, writes: Writes) -> None:
    """`let x = hop(s)` and `x = usual` do what the procedure does."""
    called = value.callee if isinstance(value, n.Call) else value
    if isinstance(called, n.Name) and (called.id in context.spec.procedures or called.id == "usual"):
        writes.everything = True


def _sets_off_a_trigger(writes: Writes, context: Context) -> bool:
    for trigger in context.spec.triggers.values():
        match trigger.event.kind:
            case "move" if writes.zones:
                return True
            case "turn_over" if writes.faces:
                return True
            case "change" if any(name in writes.names for name, _ in trigger.event.names):
                return True
    return False
