"""interpreter: rulespec's engine. It compiles checked specs, runs them, and serves them to programs."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.errors import IllegalAction, RuleError, SaveError, UndoError
    from interpreter.game import CHANCE, Game, load_game
    from interpreter.match import Match
    from interpreter.state import State
    from interpreter.trials.scenarios import ScenarioResult, run_scenarios
    from interpreter.trials.simulation import SimulationReport, simulate

__all__ = [
    "CHANCE",
    "Action",
    "Game",
    "IllegalAction",
    "Match",
    "RuleError",
    "SaveError",
    "ScenarioResult",
    "SimulationReport",
    "State",
    "UndoError",
    "load_game",
    "run_scenarios",
    "simulate",
]

_MODULES = {
    "Action": "interpreter.actions",
    "IllegalAction": "interpreter.errors",
    "RuleError": "interpreter.errors",
    "SaveError": "interpreter.errors",
    "UndoError": "interpreter.errors",
    "CHANCE": "interpreter.game",
    "Game": "interpreter.game",
    "load_game": "interpreter.game",
    "Match": "interpreter.match",
    "ScenarioResult": "interpreter.trials.scenarios",
    "run_scenarios": "interpreter.trials.scenarios",
    "SimulationReport": "interpreter.trials.simulation",
    "simulate": "interpreter.trials.simulation",
    "State": "interpreter.state",
}


def __getattr__(name: str) -> Any:
    """A public name: its module is imported when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_MODULES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
