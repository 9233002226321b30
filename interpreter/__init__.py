"""interpreter: rulespec's engine. It compiles checked specs, runs them, and serves them to programs."""

from interpreter.actions import Action
from interpreter.errors import IllegalAction, RuleError, SaveError, UndoError
from interpreter.game import CHANCE, Game, load_game
from interpreter.match import Match
from interpreter.scenarios import ScenarioResult, run_scenarios
from interpreter.simulation import SimulationReport, simulate
from interpreter.state import State

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
