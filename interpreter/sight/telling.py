"""What rules set according to what some seat does not see: variables that so tell others of it, and the game's end.

Found in the rules, not in play: a value that is read from a hidden zone or variable, itself, through names that it is
given or arguments of procedures, and whatever the same body sets below a condition that reads one. What a procedure
does that is called below such a condition is not: too much would count that tells nothing. An `undo` cannot take back
that others have seen such a variable change.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from attrs import define, field, frozen

from rulespec import checked as ir
from rulespec.check.secrets import reads_hidden
from rulespec.check.walk import nodes


@frozen
class Telling:
    """What tells of hidden things: variables that are set according to them, and whether the end of the game does."""

    variables: frozenset[str]
    end: bool


def telling(spec: ir.CheckedSpec) -> Telling:
    """What of a spec tells of hidden things."""
    walk = _Walk(spec)
    changed = -1
    while changed != walk.size():
        changed = walk.size()
        for body in walk.bodies():
            walk.block(body, False)
    return Telling(frozenset(walk.variables), walk.end or any(walk.tells(part) for part in _judged(spec.result)))


def _judged(result: ir.Result) -> Iterator[object]:
    yield from (expr for _, expr in result.rank_by)
    yield from (expr for expr in (result.score, result.payoff) if expr is not None)


@define
class _Walk:
    """The bodies of a spec, walked until no name more is found to stand for something hidden."""

    spec: ir.CheckedSpec
    variables: set[str] = field(factory=set)
    end: bool = False
    _locals: set[int] = field(factory=set)
    _known: dict[int, bool] = field(factory=dict)

    def size(self) -> int:
        """How much has been found."""
        return len(self.variables) + len(self._locals) + self.end

    def bodies(self) -> Iterator[Any]:
        """Everything that is done; of actions after their parameters have been looked at."""
        spec = self.spec
        layers: list[ir.Layer] = [*spec.setup]
        for phase in _phases(spec.phases):
            layers += [*phase.do, *phase.if_stuck, *phase.before_turn, *phase.after_turn]
        for trigger in spec.triggers:
            if any(self.tells(layer.body) for layer in trigger.when):
                for layer in trigger.do:
                    self.block(layer.body, True)
            layers += trigger.do
        for action in spec.actions.values():
            self._bound(action.selection)
            layers += action.do
        for procedure in spec.procedures.values():
            for layer in procedure.layers:
                self.block(layer.body, False)
        for table in spec.tables.values():
            for row in table.rows:
                for value in row.values.values():
                    if isinstance(value, tuple) and len(value) > 1 and isinstance(value[1], tuple):
                        yield value[1]
        yield from (layer.body for layer in layers)

    def tells(self, tree: object) -> bool:
        """Whether a value depends on something hidden."""
        if id(tree) not in self._known or not self._known[id(tree)]:
            self._known[id(tree)] = reads_hidden(tree, self.spec) or any(
                isinstance(node, ir.LocalRead) and id(node.local) in self._locals for node in nodes(tree)
            )
        return self._known[id(tree)]

    def _bound(self, selection: ir.Selection | None) -> None:
        for binding in selection.bindings if selection is not None else ():
            if self.tells(binding.domain):
                self._locals.update(map(id, binding.locals))

    def block(self, block: Any, below: bool) -> None:
        """Effects; below: a condition that reads something hidden."""
        for stmt in block if isinstance(block, tuple) else ():
            self._statement(stmt, below)

    def _statement(self, stmt: Any, below: bool) -> None:
        match stmt:
            case ir.Let(local=local, value=value):
                if below or self.tells(value):
                    self._locals.add(id(local))
            case ir.LetCall(local=local, call=call):
                self._call(call)
                procedure = self.spec.procedures.get(call.procedure)
                if below or self.tells(call.args) or (procedure is not None and self.tells(procedure.layers)):
                    self._locals.add(id(local))
            case ir.SetVar(variable=variable, indices=indices, value=value):
                if below or any(self.tells(part) for part in (*indices, value)):
                    self.variables.add(variable)
            case ir.MoveTokens(source=one, target=other) | ir.Swap(first=one, second=other):
                if below or self.tells(stmt):
                    self.variables.update((one.variable, other.variable))
            case ir.If(test=test, then=then, other=other):
                self.block(then, below or self.tells(test))
                self.block(other, below or self.tells(test))
            case ir.While(test=test, body=body) | ir.Repeat(times=test, body=body):
                self.block(body, below or self.tells(test))
            case ir.For(selection=selection, body=body) | ir.Together(selection=selection, body=body):
                self._bound(selection)
                self.block(body, below or self.tells(selection))
            case ir.Choose(selection=selection, body=body, other=other):
                self._bound(selection)
                self.block(body, below)
                self.block(other, below or self.tells(selection))
            case ir.Call():
                self._call(stmt)
            case ir.Outcome() | ir.End(phase=""):
                self.end = self.end or below

    def _call(self, call: ir.Call) -> None:
        procedure = self.spec.procedures.get(call.procedure)
        if procedure is None:
            return
        for place, argument in enumerate(call.args):
            if self.tells(argument):
                self._locals.update(id(params[place]) for params in procedure.params if place < len(params))


def _phases(phases: Iterable[ir.Phase]) -> Iterator[ir.Phase]:
    for phase in phases:
        yield phase
        yield from _phases(phase.phases)


__all__ = ["Telling", "telling"]
