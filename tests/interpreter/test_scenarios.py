"""Scenarios run: what passes, and what is said where something is not as it must be."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import ScenarioResult, run_scenarios
from interpreter.trials.scenarios import scenario_files
from rulespec import SpecError
from rulespec.packs import PackError

GAME = """\
rulespec: 1
id: heaps
title: Heaps
players: 2..3
about: Take from heaps.
options:
  start: {type: 1..9, default: 3}
types:
  Heap: [left, right]
components:
  Coin: {fields: {worth: 1..3}, rows: all, label: "Coin {worth}"}
zones:
  bank: {holds: Coin, starts: Coin}
  purse: {holds: Coin, per: player}
variables:
  size: {per: Heap, type: 0..9}
  score: {per: player, type: 0..20}
  day: {type: 1..3}
  alarms: {type: 0..99}
triggers:
  alarm:
    after: change size[Heap h]
    do: alarms += 1
procedures:
  grow(Heap h): size[h] += 5
actions:
  take:
    with: heap in Heap, n in 1..3 where n <= size[heap]
    do: |
      size[heap] -= n
      score[me] += n
      say "{me} took {n}"
  double:
    with: heap in Heap
    when: score[me] > 1
    do: size[heap] += size[heap]
phases:
  days:
    repeat: day in 1..3
    phases:
      fill: {do: "for h in Heap: size[h] = start"}
      play:
        turns: {until: "all(size[h] == 0 for h in Heap)"}
        actions: [take, double]
      pay:
        do: |
          let best = first(p in players by highest score[p])
          let coin = first(c in bank)
          if coin != none:
            move coin to purse[best]
result:
  score: score + sum(c.worth for c in purse[p])
  rank_by: [highest score]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "heaps" / "scenarios"
    found.mkdir(parents=True)
    (found.parent / "game.yaml").write_text(GAME, encoding="utf-8")
    return found


def run(folder: Path, body: str, name: str = "some.yaml") -> ScenarioResult:
    """Runs one scenario; the first line of the body is line 3 of the file."""
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    (folder / name).write_text(f"scenarios:\n  - name: one\n{lines}", encoding="utf-8")
    (result,) = run_scenarios(folder / name)
    return result


PASSING = {
    "nothing is claimed": "rule: r",
    "at the first decision": "then: [deciding: player_1, over: no, 'size[left] == 3']",
    "given at the first decision gives new options": """
given: |
  size[left] = 1
  size[right] = 0
then:
  - options: {player_1: ["take(n=1, heap=left)"]}
  - options: {player_2: []}
  - can: {player_1: "take(heap = left, n=1)"}
  - cannot: {player_1: ["take(heap=right, n=1)", "double(heap=left)"], player_2: "take(heap=left, n=1)"}
""",
    "given sets off no triggers, what it calls does": """
given: |
  size[left] = 1
  size[right] = 2
  grow(left)
then: [alarms == 3]
""",
    "given as a phase begins is done once": """
at: fill
given: size[left] = 9
then: ["size[left] == 3 and size[right] == 3"]
""",
    "given as a phase without decisions begins": """
at: pay
given: |
  for h in Heap: size[h] = 0
  for p in players: score[p] = 0
  score[player_2] = 4
then:
  - count(purse[player_2]) == 1
  - size[left] == 3
""",
    "given as a repeated phase begins its first pass": """
at: days
given: day = 3
then: [day == 3, alarms == 2]
""",
    "steps, and more steps": """
given: score[player_2] = 2
when:
  - player_1: take(heap=left, n=3)
then:
  - score[player_1] == 3
  - size[left] == 0
and:
  - when:
      - player_2: double(heap=right)
    then:
      - size[right] == 6
      - says: player_1 took 3
""",
    "the end": """
at: pay
given: |
  day = 3
  size[left] = 0
  size[right] = 0
  score[player_1] = 9
  score[player_2] = 1
then:
  - count(bank) == 2
  - over: no
  - scores: {player_1: 10, player_2: 1}
""",
    "a fault": """
given: size[left] = 5
when:
  - player_1: take(heap=left, n=3)
  - player_2: take(heap=left, n=2)
  - player_1: double(heap=right)
  - player_2: double(heap=right)
then:
  - fault: outside its range 0..9
  - size[right] == 6
""",
    "options": """
options: {start: 1}
then: [options: {player_1: ["take(heap=left, n=1)", "take(heap=right, n=1)"]}]
""",
    "players": "players: 3\nthen: [count(players) == 3]",
}


@pytest.mark.parametrize("case", PASSING)
def test_scenario_passes(case: str, folder: Path) -> None:
    result = run(folder, PASSING[case])
    assert "" == result.message
    assert result.passed
    assert ("one", str(folder / "some.yaml")) == (result.name, result.path)


FAILING = {
    "a comparison": ("then: ['size[left] == 4']", 3, "expected `size[left] == 4`, found that `size[left]` is 3"),
    "two sides": (
        "given: size[left] = 1\nthen: ['size[left] >= size[right]']",
        4,
        "`size[left]` is 1 and `size[right]` is 3",
    ),
    "the part of a conjunction": (
        "then: ['size[left] == 3 and day == 2']",
        3,
        "expected `day == 2`, found that `day` is 1",
    ),
    "a member": ("then: ['first(bank) in purse[player_1]']", 3, "`purse[player_1]` is []"),
    "a quantor": ("then: ['all(size[h] == 4 for h in Heap)']", 3, "expected `all(size[h] == 4 for h in Heap)`"),
    "an option that is not there": (
        "then: [can: {player_1: 'take(heap=left, n=9)'}]",
        3,
        "expected that player_1 can do",
    ),
    "an option that is there": ("then: [cannot: {player_1: 'take(heap=left, n=1)'}]", 3, "but it is an option"),
    "an option that can never be": (
        "then: [cannot: {player_1: 'take(heap=lfet, n=1)'}]",
        3,
        "no action of this game at all",
    ),
    "other options": (
        "given: size[right] = 0\nthen: [options: {player_1: ['take(heap=left, n=1)', 'take(heap=right, n=1)']}]",
        4,
        "expected also `take(heap=right, n=1)`; found also `take(heap=left, n=2)`, `take(heap=left, n=3)`",
    ),
    "another seat": (
        "then: [deciding: [player_1, player_2]]",
        3,
        "deciding: expected player_1, player_2, found player_1",
    ),
    "not over": ("then: [over: yes]", 3, "expected that the game is over, but the game goes on"),
    "no winners yet": ("then: [winners: player_1]", 3, "expected winners, but the game goes on"),
    "another score": ("then: [scores: {player_1: 1}]", 3, "score of player_1: expected 1, found 0"),
    "an invariant that holds": ("then: [invariants: no]", 3, "expected that an invariant does not hold, but all do"),
    "nothing said": ("then: [says: hello]", 3, "expected `hello` in the log"),
    "an illegal step": (
        "when:\n  - player_1: take(heap=left, n=9)",
        4,
        "player_1 cannot do `take(heap=left, n=9)` now",
    ),
    "a step of another seat": (
        "when:\n  - player_2: take(heap=left, n=1)",
        4,
        "player_1 can do `take(heap=left, n=1)`",
    ),
    "no fault": ("when:\n  - player_1: take(heap=left, n=1)\nthen: [fault: x]", 5, "but there was none"),
    "another fault": (
        "given: |\n  score[player_1] = 2\n  size[left] = 8\nwhen:\n  - player_1: double(heap=left)\nthen: [fault: xyz]",
        8,
        "expected a fault with `xyz`, found: ",
    ),
    "a fault that is not expected": (
        "given: |\n  score[player_1] = 2\n  size[left] = 8\nwhen:\n  - player_1: double(heap=left)",
        7,
        "`size[left]` would be 16, outside its range 0..9",
    ),
    "given that cannot be done": ("given: size[left] -= count(bank) + 1", 3, "outside its range 0..9"),
    "given that leaves nothing to do": ("given: |\n  size[left] = 0\n  size[right] = 0", 2, "no option left"),
    "a wrong option value": ("options: {start: 12}", 3, "`start`"),
}


@pytest.mark.parametrize("case", FAILING)
def test_scenario_fails_with_a_message(case: str, folder: Path) -> None:
    body, line, message = FAILING[case]
    result = run(folder, body)
    assert not result.passed
    assert message in result.message
    assert result.span is not None
    assert (str(folder / "some.yaml"), line) == (result.span.path, result.span.line)


def test_given_of_the_file_comes_before_that_of_the_scenario(folder: Path) -> None:
    (folder / "some.yaml").write_text(
        """\
at: play
given: |
  let pick = 4
  size[left] = pick
  size[right] = 1
scenarios:
  - name: as the file has it
    then: ["size[left] == 4 and size[right] == 1"]
  - name: and more
    given: |
      let pick = size[left] + 1
      size[right] = pick
    then: ["size[left] == 4 and size[right] == 5"]
  - name: at another phase
    at: pay
    given: score[player_1] = 20
    then: ["count(purse[player_1]) == 1"]
""",
        encoding="utf-8",
    )
    assert [("", True)] * 3 == [(result.message, result.passed) for result in run_scenarios(folder)]


def test_files_of_a_folder_a_file_and_a_game(folder: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        run(folder, "rule: r", name)
    both = [folder / "a.yaml", folder / "b.yaml"]
    assert both == scenario_files(folder)
    assert both == scenario_files(folder.parent)
    assert both == scenario_files(folder.parent.parent)
    assert both == scenario_files(folder.parent / "game.yaml")
    assert both[:1] == scenario_files(folder / "a.yaml")


def test_files_of_another_game_in_the_folder_are_not_its_own(folder: Path) -> None:
    (folder.parent / "other.yaml").write_text(GAME.replace("id: heaps", "id: other"), encoding="utf-8")
    run(folder, "rule: r", "a.yaml")
    (folder / "b.yaml").write_text("game: ../other.yaml\nscenarios:\n  - name: one\n", encoding="utf-8")
    assert [folder / "a.yaml"] == scenario_files(folder.parent / "game.yaml")
    assert [folder / "b.yaml"] == scenario_files(folder.parent / "other.yaml")


def test_an_installed_game_is_known_by_its_id() -> None:
    assert {"grand_dog_park"} == {path.parent.parent.name for path in scenario_files("grand-dog-park")}


def test_mistakes_of_all_files_are_told_together(folder: Path) -> None:
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text("scenarios:\n  - name: one\n    then: [sise == 1]\n", encoding="utf-8")
    with pytest.raises(SpecError) as caught:
        run_scenarios(folder)
    assert [str(folder / name) for name in ("a.yaml", "b.yaml")] == [d.path for d in caught.value.diagnostics]


def test_an_unknown_game_is_told() -> None:
    with pytest.raises(PackError):
        run_scenarios("no-such-game")
