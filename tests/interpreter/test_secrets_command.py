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
