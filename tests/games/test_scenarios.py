"""Every scenario of every game, as a test of its own."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from interpreter import ScenarioResult, run_scenarios
from interpreter.trials.scenarios import scenario_files
from rulespec.diagnostics import Reporter
from rulespec.yaml_source import Mapping, Scalar, Sequence, read_yaml

GAMES = Path(__file__).parents[2] / "games"


def names(path: Path) -> list[str]:
    """The names of the scenarios in a file; one empty name for a file that cannot be read."""
    root = read_yaml(str(path), path.read_bytes(), Reporter())
    scenarios = root.get("scenarios") if root is not None else None
    found = [item.get("name") for item in getattr(scenarios, "items", ()) if isinstance(item, Mapping)]
    if not isinstance(scenarios, Sequence) or not found:
        return [""]
    return [name.value if isinstance(name, Scalar) else "" for name in found]


@cache
def results(path: Path) -> dict[str, ScenarioResult]:
    return {result.name: result for result in run_scenarios(path)}


SCENARIOS = [
    pytest.param(path, name, id=f"{path.parent.parent.name}-{path.stem}: {name}")
    for path in scenario_files(GAMES)
    for name in names(path)
]


@pytest.mark.parametrize(("path", "name"), SCENARIOS)
def test_scenario(path: Path, name: str) -> None:
    result = results(path)[name]
    assert result.passed, f"{result.span.path}:{result.span.line}: {result.message}" if result.span else result.message
