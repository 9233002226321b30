"""Scenario files: worked examples of a game, read and checked here, and run by `interpreter.scenarios`."""

from rulespec.scenarios.model import (
    Can,
    Claim,
    Deciding,
    Fault,
    Holds,
    Options,
    Over,
    Part,
    Says,
    Scenario,
    ScenarioFile,
    Scores,
    Step,
    Winners,
)
from rulespec.scenarios.read import Library, read_scenarios

__all__ = [
    "Can",
    "Claim",
    "Deciding",
    "Fault",
    "Holds",
    "Library",
    "Options",
    "Over",
    "Part",
    "Says",
    "Scenario",
    "ScenarioFile",
    "Scores",
    "Step",
    "Winners",
    "read_scenarios",
]
