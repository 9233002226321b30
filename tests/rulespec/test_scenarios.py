"""Scenario files: what is read, and what is said about mistakes in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import SpecError
from rulespec.diagnostics import Diagnostic
from rulespec.scenarios import model as sc
from rulespec.scenarios.read import Library, read_scenarios

GAME = """\
rulespec: 1
id: heaps
title: Heaps
players: 2..3
about: Take from heaps.
options:
  misere: {type: bool, default: false}
types:
  Heap: [left, right]
components:
  Coin: {fields: {worth: 1..3}, rows: all, label: "Coin {worth}"}
zones:
  purse: {holds: Coin, order: stack}
variables:
  size: {per: Heap, type: 0..9, start: 3}
  lead: {type: player}
procedures:
  empty(Heap h): size[h] = 0
  ask_first(): |
    choose h in Heap by first_player:
      size[h] = 0
  luck(): |
    choose h in Heap by chance:
      size[h] = 0
actions:
  take:
    with: heap in Heap, n in 1..3 where n <= size[heap]
    do: size[heap] -= n
phases:
  play:
    turns: {until: "all(size[h] == 0 for h in Heap)"}
    actions: [take]
result:
  score: 1 if p == turn_player else 0
  rank_by: [highest score]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "scenarios").mkdir()
    return tmp_path / "scenarios"


def read(folder: Path, text: str) -> sc.ScenarioFile:
    path = folder / "some.yaml"
    path.write_text(text, encoding="utf-8")
    return read_scenarios(path)


def mistakes(folder: Path, text: str) -> list[Diagnostic]:
    with pytest.raises(SpecError) as caught:
        read(folder, text)
    return list(caught.value.diagnostics)


def one(body: str, head: str = "") -> str:
    """A file with one scenario; the first line of the body is line 3."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return f"{head}scenarios:\n  - name: one\n{lines}"


def test_whole_scenario_is_read(folder: Path) -> None:
    file = read(
        folder,
        """\
game: ../game.yaml
players: 3
options: {misere: true}
seed: 4
scenarios:
  - name: one
    rule: "p. 3"
    doc: Why.
    example: yes
    at: play
    given: |
      size[left] = 2
      empty(right)
    when:
      - player_1: take(heap=left, n=1)
      - player_2: "take(heap=left, n=1)"
    then:
      - size[left] == 0
      - over: yes
    and:
      - then: [winners: [player_2], scores: {player_1: 0, player_2: 1}, says: x]
  - name: two
    players: 2
    options: {misere: false}
    seed: 5
    then:
      - can: {player_1: ["take(heap=left, n=1)", "take(heap=left, n=2)"]}
      - cannot: {player_1: pass}
      - options: {player_2: []}
      - deciding: player_1
      - over: no
""",
    )
    first, second = file.scenarios

    assert ("one", "p. 3", "Why.", True) == (first.name, first.rule, first.doc, first.example)
    assert (3, {"misere": "true"}, 4, "play") == (first.players, first.options, first.seed, first.at)
    assert (2, {"misere": "false"}, 5, "") == (second.players, second.options, second.seed, second.at)
    assert 2 == len(first.given)
    assert [(0, "take(heap=left, n=1)"), (1, "take(heap=left, n=1)")] == [
        (step.seat, step.action) for step in first.parts[0].when
    ]
    assert [sc.Holds, sc.Over] == [type(claim) for claim in first.parts[0].then]
    winners, scores, says = first.parts[1].then
    assert isinstance(winners, sc.Winners) and winners.seats == (1,)
    assert isinstance(scores, sc.Scores) and scores.scores == {0: 0, 1: 1}
    assert isinstance(says, sc.Says) and says.part == "x"
    can, also, cannot, options, deciding, over = second.parts[0].then
    assert isinstance(can, sc.Can) and isinstance(also, sc.Can) and isinstance(cannot, sc.Can)
    assert [True, True, False] == [can.possible, also.possible, cannot.possible]
    assert isinstance(options, sc.Options) and (1, ()) == (options.seat, options.actions)
    assert isinstance(deciding, sc.Deciding) and deciding.seats == (0,)
    assert isinstance(over, sc.Over) and not over.over


def test_options_of_a_scenario_stand_over_those_of_the_file(folder: Path) -> None:
    file = read(folder, "options: {misere: true}\n" + one("rule: r"))
    assert {"misere": "true"} == file.scenarios[0].options


def test_given_and_phase_of_the_file_are_those_of_all_scenarios(folder: Path) -> None:
    head = "at: play\ngiven: |\n  let two = 2\n  size[left] = two\n"
    own = "  - name: two\n    at: play\n    given: |\n      let two = 3\n      size[right] = two\n"
    first, second = read(folder, head + one("rule: r") + own).scenarios
    assert ["play", "play"] == [first.at, second.at]
    assert [2, 4] == [len(first.given), len(second.given)]
    assert first.given == second.given[:2]


def test_game_is_checked_once_for_all_files(folder: Path) -> None:
    library = Library()
    for name in ("a.yaml", "b.yaml"):
        (folder / name).write_text(one("rule: r"), encoding="utf-8")
    first, second = (read_scenarios(folder / name, library) for name in ("a.yaml", "b.yaml"))
    assert first.spec is second.spec


def test_mistake_is_shown_at_its_place(folder: Path) -> None:
    (found,) = mistakes(folder, one("given: |\n  size[left] = 2\n  size[middle] = 2"))
    assert (5, 12, "RS301") == (found.line, found.column, found.code)
    assert str(folder / "some.yaml") == found.path


def test_unknown_name_is_told_once(folder: Path) -> None:
    found = mistakes(folder, one("then:\n  - heap == 1\n  - heap == 2"))
    assert ["RS301"] == [mistake.code for mistake in found]


def test_a_broken_game_is_what_is_told(folder: Path) -> None:
    (folder.parent / "game.yaml").write_text(GAME.replace("size[heap] -= n", "size[heap] -= m"), encoding="utf-8")
    assert {str(folder.parent / "game.yaml")} == {mistake.path for mistake in mistakes(folder, one("rule: r"))}


CASES = {
    "nothing in it": ("players: 2\n", "RS102", "no `scenarios`"),
    "unknown key of the file": ("player: 2\n" + one("rule: r"), "RS101", "`player`"),
    "no such game file": ("game: ../gam.yaml\n" + one("rule: r"), "RS601", "gam.yaml"),
    "no such installed game": ("game: no-such-game\n" + one("rule: r"), "RS601", "no-such-game"),
    "a scenario as a text": ("scenarios: [one]\n", "RS608", "must be a map"),
    "no name": ("scenarios:\n  - rule: r\n", "RS102", "no `name`"),
    "unknown key of a scenario": (one("gven: x = 1"), "RS101", "`gven`"),
    "two of one name": (one("rule: r") + "  - name: one\n", "RS609", "a second scenario `one`"),
    "too many players": (one("players: 4"), "RS604", "2 to 3 players, not 4"),
    "players in words": (one("players: two"), "RS604", "a whole number, found `two`"),
    "seed in words": (one("seed: x"), "RS604", "a whole number"),
    "unknown option": (one("options: {misery: true}"), "RS605", "no option `misery`"),
    "a map as an option": (one("options: {misere: {a: b}}"), "RS605", "found a map"),
    "unknown phase of the file, told once": (
        "at: plya\n" + one("rule: r") + "  - name: two\n",
        "RS602",
        "no phase `plya`",
    ),
    "a mistake in the given of the file, told once": (
        "given: size[middle] = 1\n" + one("rule: r") + "  - name: two\n    players: 3\n",
        "RS301",
        "`middle`",
    ),
    "a choice in the given of the file": (
        "given: ask_first()\n" + one("rule: r") + "  - name: two\n",
        "RS607",
        "asks a player",
    ),
    "a seat in the given of the file that does not play": (
        "players: 3\ngiven: lead = player_3\n"
        + one("rule: r")
        + "  - {name: two, players: 2}\n  - {name: three, players: 2}\n",
        "RS603",
        "no seat `player_3` with 2 players",
    ),
    "unknown phase": (one("at: plya"), "RS602", "no phase `plya`"),
    "a choice in given": (one("given: |\n  choose h in Heap by player_1: size[h] = 0"), "RS607", "asks a player"),
    "a random choice in given": (one("given: |\n  choose h in Heap by chance: size[h] = 0"), "RS607", "chance"),
    "a shuffle in given": (one("given: shuffle purse"), "RS607", "chance"),
    "a procedure that asks": (one("given: ask_first()"), "RS607", "asks a player"),
    "a procedure of luck": (one("given: luck()"), "RS607", "chance"),
    "an end in given": (one("given: end game"), "RS607", "ends something"),
    "me in given": (one("given: lead = me"), "RS", "me"),
    "a seat too many in given": (one("given: lead = player_3"), "RS603", "no seat `player_3` with 2 players"),
    "a seat too many in a condition": (one("then: [lead == player_3]"), "RS603", "no seat `player_3`"),
    "a seat too many in a step": (one("when: [player_3: take]"), "RS603", "no seat `player_3`"),
    "unknown seat": (one("when: [plyer_1: take]"), "RS603", "no seat `plyer_1`"),
    "unknown action": (one("when: [player_1: tkae]"), "RS606", "no action `tkae`"),
    "action cut at a comma": (one("when: [{player_1: 'take(heap=left'}]"), "RS606", "cut short"),
    "a step without a seat": (one("when: [take]"), "RS608", "a map of a seat to an action"),
    "a number as a condition": (one("then: [size[left]]"), "RS", ""),
    "a list as a claim": (one("then: [[over]]"), "RS608", "found a list"),
    "unknown claim": (one("then: [winer: player_1]"), "RS101", "`winer`"),
    "can without a seat": (one("then: [can: take]"), "RS100", "a map of seats"),
    "over in other words": (one("then: [over: maybe]"), "RS105", "`yes` or `no`"),
    "a score in words": (one("then: [scores: {player_1: many}]"), "RS604", "a score must be a number"),
    "a fault without a step": (one("then: [fault: x]"), "RS608", "the last step"),
    "unknown key of a part": (one("and: [{wen: []}]"), "RS101", "`wen`"),
    "a part as a text": (one("and: [x]"), "RS608", "must be a map"),
}


@pytest.mark.parametrize("case", CASES)
def test_mistake_is_told(case: str, folder: Path) -> None:
    text, code, message = CASES[case]
    found = mistakes(folder, text)
    assert [mistake for mistake in found if mistake.code.startswith(code) and message in mistake.message], found
    assert 1 == len(found), found


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(SpecError) as caught:
        read_scenarios(tmp_path / "none.yaml")
    assert ["RS001"] == [mistake.code for mistake in caught.value.diagnostics]


def test_seats_are_values_everywhere(folder: Path) -> None:
    game = GAME.replace("lead: {type: player}", "lead: {type: player, start: player_2}")
    (folder.parent / "game.yaml").write_text(game, encoding="utf-8")
    file = read(folder, one("then: [lead == player_2]"))
    assert 1 == len(file.scenarios[0].parts[0].then)
