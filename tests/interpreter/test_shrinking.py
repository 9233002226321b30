"""Games that fail, made small: each kind of failure, as a save and as a scenario that fails in the same way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import interpreter
import rulespec
from interpreter import Match, RuleError, load_game, run_scenarios, simulate
from interpreter.cli.app import app
from interpreter.trials.shrinking import Failing, failing_game, save, scenario_text, shrink

GAME = """\
rulespec: 1
id: risk
title: Risk
players: 2
about: Dig for gold.

options:
  depth: {type: 1..50, default: 20}
  worst: {type: 0..50, default: 0}
  can_jam: {type: bool, default: false}
  strange: {type: bool, default: false}

variables:
  gold: {type: 0..depth}
  dug: {per: player, type: 0..9999}
  locked: bool

setup: |
  if depth == 7:
    gold = 3 + 5

actions:
  dig:
    with: n in 1..3
    when: not locked
    do: |
      gold += n
      dug[me] += n
  wait:
    do: nothing
  sink:
    when: gold > 3
    do: gold = 1
  jam:
    only_if: can_jam
    when: gold == 7
    do: locked = true

phases:
  main:
    turns: {until: gold >= 15}
    actions: [dig, wait, sink, jam]

result:
  score: "10 / (1 if not strange else dug[p] - dug[p])"

invariants:
  not_the_worst: gold != worst or worst == 0
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("shrinking") / "game.yaml"
    found.write_text(GAME, encoding="utf-8")
    assert [] == [d.message for d in rulespec.check(found) if d.severity == "error"]
    return found


def first_failing(game: interpreter.Game, kind: str, limit: int = 2_000) -> Failing:
    for seed in range(100):
        found = failing_game(game, seed, max_decisions=limit)
        if found is not None and found.kind == kind:
            return found
    raise AssertionError("no game fails")


def scenario_message(failing: Failing, folder: Path) -> str:
    """What `rulespec test` says of the scenario of a failing game."""
    file = folder / "scenarios" / "failed.yaml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(scenario_text(failing, file), encoding="utf-8")
    (result,) = run_scenarios(file)
    assert not result.passed
    return result.message


def test_a_broken_invariant(path: Path) -> None:
    found = first_failing(load_game(path, options={"worst": 13}), "invariant")
    small = shrink(found, seconds=30)
    assert ("invariant", "not_the_worst") == (small.kind, small.where)
    assert small.message.startswith("the invariant `not_the_worst` does not hold\n  ")
    assert 5 <= len(small.decisions) <= 7 < len(found.decisions), "three at a time, and nothing for nothing"
    assert all(text.startswith("dig") for _, text in small.decisions)
    assert "expected that the invariants hold, but not so: `not_the_worst`" == scenario_message(small, path.parent)


def test_a_rule_that_cannot_be_carried_out(path: Path) -> None:
    game = load_game(path, options={"depth": 14})
    found = first_failing(game, "rule")
    small = shrink(found)
    line = GAME[: GAME.index("gold += n")].count("\n") + 1
    assert f"{path}:{line}:7" == small.where
    assert 5 <= len(small.decisions) <= 6
    last = small.decisions[-1][1]
    assert scenario_message(small, path.parent).startswith(f"`{last}` cannot be carried out: {path.parent}/")
    shorter = small.decisions[:-2] + small.decisions[-1:]
    state = game.new_state(small.seed)
    with pytest.raises((interpreter.IllegalAction, AssertionError)):
        for seat, text in shorter:
            state.apply(text, seat)
        raise AssertionError("one decision less does not fail")


def test_a_game_without_end(path: Path) -> None:
    found = first_failing(load_game(path, options={"can_jam": True}), "endless")
    assert "the game is not over after 2,000 decisions" == found.message
    assert 2_000 == len(found.decisions)
    small = shrink(found)
    assert len(small.decisions) < 10
    message = scenario_message(small, path.parent)
    assert message.startswith("expected that the game is over, but the game goes on\n")


def test_a_set_up_that_cannot_be_carried_out(path: Path, tmp_path: Path) -> None:
    found = failing_game(load_game(path, options={"depth": 7}), 1)
    assert found is not None
    assert ("rule", ()) == (found.kind, found.decisions)
    assert found == shrink(found)
    message = scenario_message(found, path.parent)
    assert message.startswith("a rule cannot be carried out: ")
    with pytest.raises(RuleError):
        save(found, tmp_path / "never.json")


def test_a_result_that_cannot_be_worked_out(path: Path) -> None:
    game = load_game(path, options={"strange": True})
    found = first_failing(game, "rule")
    assert found.where.startswith("result ")
    small = shrink(found)
    assert "a rule cannot be carried out" in scenario_message(small, path.parent)
    assert len(small.decisions) <= 8
    report = simulate(game, 3)
    assert 3 == len(report.faults), "a fault of each game, not of the simulation"


def test_a_game_that_does_not_fail(path: Path) -> None:
    assert failing_game(load_game(path), 3) is None


def test_the_invariants_may_be_left_alone(path: Path) -> None:
    game = load_game(path, options={"worst": 13})
    found = first_failing(game, "invariant")
    assert failing_game(game, found.seed, check_invariants=False) is None


def test_scenario_text(path: Path, tmp_path: Path) -> None:
    game = load_game(path, options={"worst": 13, "can_jam": True})
    failing = Failing(game, 5, ((0, "dig(n=3)"), (1, "wait")), "invariant", "not_the_worst", 'it is "so"\nand so')
    assert (
        scenario_text(failing, path.parent / "failures" / "it.yaml")
        == """\
game: "../game.yaml"
scenarios:
  - name: "it is \\"so\\""
    players: 2
    options:
      worst: "13"
      can_jam: "true"
    seed: 5
    when:
      - player_1: "dig(n=3)"
      - player_2: "wait"
    then:
      - invariants: yes
"""
    )


def test_the_same_bots_and_seed_as_in_a_simulation(path: Path) -> None:
    game = load_game(path, options={"worst": 13})
    report = simulate(game, 10, bots=["random", "first"], check_invariants=True, max_decisions=500)
    for fault in report.faults:
        found = failing_game(game, fault.seed, ["random", "first"], max_decisions=500)
        assert found is not None
        assert (fault.message, fault.decisions) == (found.message, len(found.decisions))
    assert report.faults


def test_simulate_writes_what_failed(path: Path, tmp_path: Path) -> None:
    folder = tmp_path / "failures"
    arguments = ["simulate", str(path), "-n", "10", "--check-invariants", "--option", "worst=13"]
    result = CliRunner().invoke(app, [*arguments, "--failures", str(folder)])
    assert 1 == result.exit_code
    (scenario,), (kept,) = folder.glob("*.yaml"), folder.glob("*.json")
    steps = scenario.read_text(encoding="utf-8").count("      - player_")
    seed = kept.stem.removeprefix("risk-")
    told = f"{scenario} fails after {steps} decisions, the whole game is {kept}\n"
    assert told == result.output[result.output.index(str(folder)) :]
    assert f"seed {seed}, after" in result.output
    assert Match.load(kept).state.broken_invariants() == ["not_the_worst"]
    (failed,) = run_scenarios(scenario)
    assert not failed.passed
    plain = json.loads(CliRunner().invoke(app, [*arguments, "--failures", str(folder), "--json"]).output)
    files = [(fault.get("save"), fault.get("scenario")) for fault in plain["faults"]]
    assert [(str(kept), str(scenario))] == [pair for pair in files if pair != (None, None)]


def test_simulate_may_write_nothing(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments = ["simulate", str(path), "-n", "5", "--option", "depth=7"]
    assert 1 == CliRunner().invoke(app, [*arguments, "--no-failures"]).exit_code
    assert [] == list(tmp_path.iterdir())
    assert 1 == CliRunner().invoke(app, arguments).exit_code
    assert [".yaml"] == [file.suffix for file in Path("failures").iterdir()], "nothing was played: no save"


def test_simulate_tells_what_cannot_be_written(path: Path) -> None:
    folder = path / "failures"
    arguments = ["simulate", str(path), "-n", "5", "--option", "depth=7", "--failures", str(folder)]
    result = CliRunner().invoke(app, arguments)
    assert 1 == result.exit_code
    assert "faults       5" in result.output, "what was played is shown all the same"
    assert result.output.endswith(f"\ncan't write {folder}: Not a directory\n")
