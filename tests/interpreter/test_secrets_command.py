"""`rulespec test --secrets`: what it says of a game that cannot be played on."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner

from interpreter.cli.app import app

FAULTY = """
rulespec: 1
id: faulty
title: Faulty
players: 2
about: The track is too short.
variables: {place: {per: player, type: 0..5}}
actions:
  walk: {do: "place[me] += 2"}
phases:
  race: {turns: {from: first_player, until: "false"}, actions: [walk]}
result: {rank_by: [highest place]}
"""


def test_a_game_with_a_fault(tmp_path: Path) -> None:
    path = tmp_path / "faulty.yaml"
    path.write_text(FAULTY, encoding="utf-8")
    result = CliRunner().invoke(app, ["test", "--secrets", str(path), "-n", "1"])
    assert 1 == result.exit_code
    assert (
        "Faulty: a game ended with a fault; `rulespec simulate` shows such games\n"
        f"{path}:9:15: `place[player_1]` would be 6, outside its range 0..5 while doing `walk`\n"
    ) == result.output


OPEN = """
rulespec: 1
id: open
title: Open
players: 2
about: Nothing is hidden.
variables: {place: {per: player, type: 0..20}}
actions:
  walk: {do: "place[me] += 2"}
phases:
  race: {turns: {times: 6}, actions: [walk]}
result: {rank_by: [highest place]}
"""


def test_a_game_without_secrets(tmp_path: Path) -> None:
    path = tmp_path / "open.yaml"
    path.write_text(OPEN, encoding="utf-8")
    result = CliRunner().invoke(app, ["test", "--secrets", str(path), "-n", "1"])
    assert 0 == result.exit_code
    assert "Open, 2 players: nothing is hidden from anybody, so there is nothing to compare\n" == result.output


def test_secrets_that_could_not_be_tested(tmp_path: Path) -> None:
    """The only hidden card cannot be another one."""
    path = tmp_path / "one_card.yaml"
    text = OPEN.replace("id: open", "id: one-card").replace(
        "variables:",
        "components:\n  Card: {fields: {value: 1..1}, rows: all}\n"
        "zones:\n  deck: {holds: Card, seen_by: nobody, starts: Card}\nvariables:",
    )
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["test", "--secrets", str(path), "-n", "1"])
    assert 1 == result.exit_code
    assert (
        "Open, 2 players: nothing could be compared. At none of the decisions looked at in 1 game could anything that "
        "is hidden have been otherwise; try more games with -n\n"
    ) == result.output


def test_options_of_the_other_kind_of_test(tmp_path: Path) -> None:
    path = tmp_path / "open.yaml"
    path.write_text(OPEN, encoding="utf-8")
    result = CliRunner().invoke(app, ["test", str(path), "-n", "3"])
    assert (2, "--games is for --secrets") == (result.exit_code, result.output.strip().removesuffix(".")[-24:])
    result = CliRunner().invoke(app, ["test", "--secrets", str(path), "-v"])
    assert (2, "--verbose is for scenarios") == (result.exit_code, result.output.strip().removesuffix(".")[-26:])
