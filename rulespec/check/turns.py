"""Rules that play may come to while no turn is going on, so that `turn_player` may be none there.

It comes to them from `setup`, from phases around which there are no turns, from `result` and `invariants`, through
whatever these mention: what they call or offer, and the triggers on what they may do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import attrs

from rulespec.check.context import Context
from rulespec.source import Span, Text
from rulespec.spec import model as m
from rulespec.syntax import nodes as n


def rules_outside(context: Context) -> frozenset[str]:
    """The rules that may run outside turns, as "function best", "trigger second_pair", "rule Stall.use"."""
    if context.outside is None:
        context.outside = frozenset(_reached(context.spec))
    return context.outside


def _reached(spec: m.Spec) -> set[str]:
    rules = list(_rules(spec))
    words = {_ALWAYS, *_words(list(_roots(spec)))}
    reached: set[str] = set()
    grows = True
    while grows:
        grows = False
        for name, causes, tree in rules:
            if name not in reached and not words.isdisjoint(causes):
                reached.add(name)
                words.update(_words(tree))
                grows = True
    return reached


def _roots(spec: m.Spec) -> Iterator[object]:
    """What happens or is read outside turns by itself."""
    yield (spec.setup, spec.result, tuple(spec.invariants.values()))
    yield tuple(table.label for table in _tables(spec))
    for phase in _outer(spec.phases):
        yield (phase.do, phase.skip_when, phase.repeat, phase.repeat_until)
        yield _changed(phase.repeat[0]) if phase.repeat is not None else ()
        if phase.turns is not None:
            yield (phase.turns.first, phase.turns.among, phase.turns.times, phase.turns.rounds)


def _tables(spec: m.Spec) -> list[m.TypeDecl | m.Component]:
    return [*spec.types.values(), *spec.components.values()]


def _outer(phases: tuple[m.Phase, ...]) -> Iterator[m.Phase]:
    """Phases without turns around them."""
    for phase in phases:
        yield phase
        if phase.turns is None:
            yield from _outer(phase.phases)


def _rules(spec: m.Spec) -> Iterator[tuple[str, set[str], object]]:
    """Each rule with its name, the words that lead to it, and its tree."""
    for function in spec.functions.values():
        yield f"function {function.name}", {function.name}, function.layers
    for procedure in spec.procedures.values():
        yield f"procedure {procedure.name}", {procedure.name}, procedure.layers
    for action in spec.actions.values():
        causes = {action.name, "<Window>", "window"} if action.name == "pass" else {action.name}
        paid = [_changed(variable) for _, variable in action.pay]
        tree = (action.selection, action.when, action.pay, paid, action.do, action.label)
        yield f"action {action.name}", causes, tree
    for table in _tables(spec):
        for field in table.fields:
            if field.params is not None and table.rows is not None:
                cells = [row.cells[field.name] for row in table.rows.rows if field.name in row.cells]
                yield f"rule {table.name}.{field.name}", {field.name}, cells
    outer = {phase.name for phase in _outer(spec.phases)}
    for trigger in spec.triggers.values():
        yield f"trigger {trigger.name}", _causes(trigger, outer), (trigger.when, trigger.do)


_ALWAYS = "<always>"
_WORD = re.compile(r"\w+")
_CHANGE = (n.Assign, n.Adjust, n.MoveTokens, n.Swap, n.Move, n.MoveAll, n.DrawCards)
"""Effects that change the variables and zones that they name."""


def _causes(trigger: m.Trigger, outer: set[str]) -> set[str]:
    """The words that set off a trigger; `=gold` is a change of `gold`."""
    names = {name for name, _ in trigger.event.names}
    match trigger.event.kind:
        case "setup":
            return {_ALWAYS}
        case "phase":
            return {_ALWAYS} if names & outer else set()
        case "move" if "box" in names:
            return {"=box", "<Remove>", "remove"}
        case "move" | "change":
            return {f"={name}" for name in names}
        case "turn_over":
            return {"<TurnOver>", "turn"}
    return names


def _changed(tree: object) -> list[str]:
    return [f"={word}" for word in _words(tree)]


def _words(tree: object) -> Iterator[str]:
    """Every name in a tree as written, the kinds of its nodes, and what it changes."""
    todo: list[Any] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, str):
            yield node
        elif isinstance(node, Text):
            for word in _WORD.findall(node.text):
                yield word
                yield f"={word}"
        elif isinstance(node, (tuple, list)):
            todo.extend(node)
        elif attrs.has(type(node)) and not isinstance(node, Span):
            yield f"<{type(node).__name__}>"
            parts = [getattr(node, a.name) for a in attrs.fields(type(node))]
            if isinstance(node, _CHANGE):
                named = parts if isinstance(node, (n.Move, n.MoveAll, n.DrawCards)) else _targets(node)
                yield from _changed(named)
            todo.extend(parts)


def _targets(node: n.Assign | n.Adjust | n.MoveTokens | n.Swap) -> list[n.Expr]:
    match node:
        case n.MoveTokens():
            return [node.source, node.target]
        case n.Swap():
            return [node.first, node.second]
    return [node.target]
