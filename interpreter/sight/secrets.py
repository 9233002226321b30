"""Which decisions other seats must not be told, worked out from the rules alone.

A choice that writes something hidden is itself hidden: its arguments are told to nobody else. Where it writes nothing
else, not even that one was taken rather than another of the same decision. That depends on what the rules can do and
never on what was done, so the telling gives nothing away.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from interpreter.compile.internal import TurnAsk, Unit
from rulespec import checked as ir
from rulespec.check.walk import nodes

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.compile.module import Module
    from interpreter.game import Game
    from rulespec.source import Span

_STOPS = (ir.Choose, ir.Ask, ir.Window, TurnAsk)
_TOLD = (ir.Say, ir.Reveal, ir.End, ir.Outcome)


class Secrets:
    """What one game's decisions hide."""

    def __init__(self, game: Game, module: Module) -> None:
        self.module = module
        self._hidden = {
            f"v:{name}"
            for name, place in game.layout.variables.items()
            if place.exists and not game.sight.is_open(name)
        }
        self._secret = {key for key in self._hidden if game.spec.variables[key[2:]].seen_by != "everyone"}
        self._found: dict[int, tuple[list[tuple[str, Any]], set[str], bool]] = {}

    def statements(self, decision: int) -> list[tuple[str, Any]]:
        """The statements that a decision comes from, with the keys of their units."""
        return self._decision(decision)[0]

    def hides_arguments(self, decision: int, action: Action, unseen: set[str]) -> bool:
        """Whether the arguments of an option that are no components are hidden from other seats.

        Args:
            decision: its number.
            action: the option.
            unseen: variables that it has set without the other seat seeing it. What it writes of a variable per
                component, which all see where they see the component, is hidden only then.
        """
        if action.action >= 0:
            written = self._writes(f"action {action.table.schema.action}") & self._hidden
        else:
            written = self._decision(decision)[1]
        return bool(written & self._secret) or any(f"v:{name}" in written for name in unseen)

    def hides_all(self, decision: int, action: Action, seen: set[str]) -> bool:
        """Whether other seats are told only that something was decided.

        Args:
            decision: its number.
            action: the option.
            seen: variables that the other seat has seen it set.
        """
        if not self._decision(decision)[2]:
            return False
        if action.action >= 0:
            key = f"action {action.table.schema.action}"
            return not self._is_told(key) and not any(f"v:{name}" in self._writes(key) for name in seen)
        return action.name != "choose" or not any(p.type for p in action.table.schema.parameters if _is_piece(p))

    def _decision(self, number: int) -> tuple[list[tuple[str, Any]], set[str], bool]:
        if number not in self._found:
            found = self._stops.get(self.module.decisions[number].span, [])
            private = set[str]().union(*(self._private(key) for key, node in found if isinstance(node, ir.Choose)))
            secret = bool(private) or any(self._offers_secret(node) for _, node in found)
            self._found[number] = found, private, secret
        return self._found[number]

    @cached_property
    def _stops(self) -> dict[Span, list[tuple[str, Any]]]:
        """By place in the spec the statements that ask somebody, with the keys of their units."""
        found: dict[Span, list[tuple[str, Any]]] = {}
        for key, unit in self.module.units.items():
            for node in nodes(unit.body):
                if isinstance(node, _STOPS):
                    found.setdefault(node.span, []).append((key, node))
        return found

    def _private(self, key: str) -> set[str]:
        """What is hidden that a choice in a unit may write; its result may be used where the unit is called."""
        found = self._writes(key) & self._hidden
        unit = self.module.units[key]
        if any(isinstance(node, ir.Return) and node.value is not None for node in nodes(unit.body)):
            for other in self.module.units.values():
                if key in self._calls(other):
                    found = found | (self.module.analysis.direct(other.body).writes & self._hidden)
        return found

    def _offers_secret(self, node: Any) -> bool:
        """Whether among the actions of an ask is one that writes something hidden and nothing else."""
        for offer in (*getattr(node, "offers", ()), *getattr(node, "any_time", ())):
            key = f"action {offer.action}"
            if self._writes(key) and not self._is_told(key):
                return True
        return False

    def _is_told(self, key: str) -> bool:
        """Whether others see that a unit was done: it writes what is not hidden, says or shows something, or ends."""
        if self._writes(key) - self._hidden:
            return True
        done, todo = set[str](), [key]
        while todo:
            name = todo.pop()
            unit = self.module.units.get(name)
            if unit is not None and name not in done:
                done.add(name)
                if any(isinstance(node, _TOLD) for node in nodes(unit.body)):
                    return True
                todo += self._calls(unit)
        return False

    def _writes(self, key: str) -> set[str]:
        return self.module.analysis.units[key].writes if key in self.module.analysis.units else set()

    def _calls(self, unit: Unit) -> set[str]:
        return self.module.analysis.direct(unit.body).calls


def _is_piece(parameter: Any) -> bool:
    return getattr(parameter.type, "kind", "") == "component"
