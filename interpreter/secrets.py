"""Which decisions other seats must not be told, worked out from the rules alone.

A choice that writes something hidden is itself hidden: its arguments are told to nobody else. Where it writes nothing
else, not even that one was taken rather than another of the same decision. That depends on what the rules can do and
never on what was done, so the telling gives nothing away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.compile.internal import TurnAsk, Unit
from rulespec import checked as ir
from rulespec.check.walk import nodes

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.compile.module import Module
    from interpreter.game import Game

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
        self._found: dict[int, tuple[list[tuple[str, Any]], bool, bool]] = {}

    def statements(self, decision: int) -> list[tuple[str, Any]]:
        """The statements that a decision comes from, with the keys of their units."""
        return self._decision(decision)[0]

    def hides_arguments(self, decision: int, action: Action) -> bool:
        """Whether the arguments of an option that are no components are hidden from other seats."""
        if action.action >= 0:
            return bool(self._writes(f"action {action.table.schema.action}") & self._hidden)
        return self._decision(decision)[1]

    def hides_all(self, decision: int, action: Action) -> bool:
        """Whether other seats are told only that something was decided."""
        if not self._decision(decision)[2]:
            return False
        if action.action >= 0:
            return not self._is_told(f"action {action.table.schema.action}")
        return action.name != "choose" or not any(p.type for p in action.table.schema.parameters if _is_piece(p))

    def _decision(self, number: int) -> tuple[list[tuple[str, Any]], bool, bool]:
        if number not in self._found:
            span = self.module.decisions[number].span
            found = [
                (key, node)
                for key, unit in self.module.units.items()
                for node in nodes(unit.body)
                if isinstance(node, _STOPS) and node.span == span
            ]
            private = any(self._is_private(key) for key, node in found if isinstance(node, ir.Choose))
            self._found[number] = found, private, private or any(self._offers_secret(node) for _, node in found)
        return self._found[number]

    def _is_private(self, key: str) -> bool:
        """Whether a choice in a unit may decide something hidden; its result may be used where the unit is called."""
        if self._writes(key) & self._hidden:
            return True
        unit = self.module.units[key]
        if not any(isinstance(node, ir.Return) and node.value is not None for node in nodes(unit.body)):
            return False
        callers = [other for other in self.module.units.values() if key in self._calls(other)]
        return any(self.module.analysis.direct(other.body).writes & self._hidden for other in callers)

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
