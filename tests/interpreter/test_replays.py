"""Saves under other rules: which hold, and where each first differs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

import interpreter
import rulespec
from interpreter import Match
from interpreter.cli.app import app
from interpreter.saves.replays import replay

RACE = """\
rulespec: 1
id: race
title: Race
players: 2
about: Run to the tenth place.
variables:
  place: {per: player, type: 0..40}
  secret: {per: player, type: 0..40, seen_by: owner}
actions:
  walk: {do: "place[me] += 2"}
  run:
    do: |
      place[me] += 3
      secret[me] += 1
phases:
  race:
    turns: {from: first_player, until: "any(place[p] >= 10 for p in players)"}
    actions: [walk, run]
result:
  rank_by: [highest place]
"""


@pytest.fixture
def saved(tmp_path):
    """A whole game, saved: walk, run, walk, run, ..."""
    old = tmp_path / "old.yaml"
    old.write_text(RACE, encoding="utf-8")
    match = Match(interpreter.load_game(old), seed=1)
    while not match.state.is_over:
        match.apply("run" if match.state.current_seat else "walk")
    match.save(tmp_path / "save.json")
    return tmp_path / "save.json"


def against(saved, *changes):
    """The report under rules in which texts are replaced by others."""
    text = RACE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = saved.parent / "new.yaml"
    path.write_text(text, encoding="utf-8")
    return replay(saved, rulespec.load(path))


def test_under_the_same_rules_a_save_holds(saved):
    found = against(saved)
    assert (True, True, 8, None, None, "") == (
        found.holds, found.compared, found.decisions, found.first, found.end, found.problem
    )  # fmt: skip


def test_a_change_that_does_not_matter_for_a_save(saved):
    assert against(saved, ("0..40", "0..50")).holds


@pytest.mark.parametrize(
    ("changes", "decision", "kind", "message"),
    [
        (
            [("run:\n", "run:\n    when: place[me] > 0\n")], 1, "options",
            "before decision 1, `walk` of player_1: the options of player_1: gone is `run`",
        ),
        (
            [("actions: [walk, run]", "actions: [run, walk]")], 1, "options",
            "before decision 1, `walk` of player_1: the options of player_1: they have another order",
        ),
        (
            [("from: first_player", "from: next(first_player)")], 1, "options",
            "before decision 1, `walk` of player_1: player_2 decides then, not as before: player_1 decides then",
        ),
        (
            [("+= 2", "+= 1")], 2, "view",
            "before decision 2, `run` of player_2: player_1 sees `variables.place.player_1` as 1, not 2",
        ),
        (
            [("secret[me] += 1", "secret[me] += 2")], 3, "view",
            "before decision 3, `walk` of player_1: player_2 sees `variables.secret.player_2` as 2, not 1",
        ),
        (
            [("place[me] += 3\n", "say \"Quick\"\n      place[me] += 3\n")], 3, "log",
            "before decision 3, `walk` of player_1: the log of player_1 says `Quick`, not `player_2's place: 3`",
        ),
        (
            [("highest place", "lowest place")], 9, "result",
            "at the end: the result is winners [0], scores [\"8\", \"12\"], not winners [1], scores [\"8\", \"12\"]",
        ),
    ],
)  # fmt: skip
def test_the_first_difference(saved, changes, decision, kind, message):
    first = against(saved, *changes).first
    assert (decision, kind, message) == (first.decision, first.kind, first.message)


def test_where_it_cannot_be_played_further(saved):
    found = against(
        saved, ("walk: {do:", "walk: {when: place[me] < 6, do:".replace("place[me] < 6", '"place[me] < 6"'))
    )
    assert "before decision 6, `run` of player_2: the options of player_2: gone is `walk`" == found.first.message
    assert (7, "refused") == (found.end.decision, found.end.kind)
    told = "decision 7, `walk` of player_1, is refused: `place[me] < 6` does not hold: place[me] is 6 (new.yaml:10)"
    assert told == found.end.message
    fault = against(saved, ("place: {per: player, type: 0..40}", "place: {per: player, type: 0..11}")).end
    assert (8, "fault") == (fault.decision, fault.kind)
    assert fault.message.startswith("decision 8, `run` of player_2, cannot be carried out: ")
    early = against(saved, (">= 10", ">= 6")).end
    assert "decision 5, `walk` of player_1, is refused: the game is over before" == early.message
    setup = against(saved, ("players: 2", "players: 3")).end
    assert (0, "set-up") == (setup.decision, setup.kind)
    assert "the set-up does not work: Race is for 3 players, not 2" == setup.message


def test_where_the_old_rules_are_gone_the_save_knows_options_and_result(saved):
    (saved.parent / "old.yaml").write_text(RACE + "# other\n", encoding="utf-8")
    found = against(saved)
    assert (True, False) == (found.holds, found.compared)
    options = against(saved, ("actions: [walk, run]", "actions: [run, walk]")).first
    assert "before decision 1, `walk` of player_1: the options of player_1 are others" == options.message
    assert "result" == against(saved, ("highest place", "lowest place")).first.kind
    assert against(saved, ("secret[me] += 1", "secret[me] += 2")).holds


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "this is no save, or it is cut off: it is not JSON (line 1, column 2)"),
        (
            '{"format": 1, "kind": "match", "game": "\\ud800"}',
            "this save is damaged: it has half of a character, which no text has",
        ),
        ("[]", "this is no save of a game"),
        ('{"format": 1, "kind": 7}', "this is no save of a game"),
        ('{"format": true, "kind": "match"}', "this is no save of a game"),
        ('{"format": "1.0", "kind": "match"}', "this is no save of a game"),
    ],
)
def test_what_is_no_save(saved, content, problem):
    saved.write_text(content, encoding="utf-8")
    found = against(saved)
    assert (problem, False) == (found.problem, found.holds)


def test_a_result_that_was_changed_by_hand(saved):
    data = json.loads(saved.read_text(encoding="utf-8"))
    del data["check"]
    saved.write_text(json.dumps(data), encoding="utf-8")
    assert against(saved).holds
    data["result"]["scores"][0] = "99"
    saved.write_text(json.dumps(data), encoding="utf-8")
    assert "this save is damaged: its decisions do not lead to its result" == against(saved).problem


def test_a_save_of_another_game(saved):
    assert "this save is of the game `race`, not of `walk`" == against(saved, ("id: race", "id: walk")).problem


def test_the_command(saved):
    against(saved, ("+= 2", "+= 1"))
    old, new = str(saved.parent / "old.yaml"), str(saved.parent / "new.yaml")
    run = CliRunner().invoke(app, ["replay", "--against", old, str(saved)])
    assert (0, f"{saved}: holds, 8 decisions\n1 of 1 save hold\n") == (run.exit_code, run.output)
    run = CliRunner().invoke(app, ["replay", "--against", new, str(saved), str(saved)])
    assert 1 == run.exit_code
    assert run.output.endswith("  it can be played on: 8 decisions\n0 of 2 saves hold\n")
    run = CliRunner().invoke(app, ["replay", "--against", new, "--json", str(saved)])
    (told,) = json.loads(run.output)
    assert (False, 2, "view") == (told["holds"], told["first"]["decision"], told["first"]["kind"])
    run = CliRunner().invoke(app, ["replay", str(saved), str(saved)])
    assert 2 == run.exit_code
    assert "several saves need --against GAME" in run.output
