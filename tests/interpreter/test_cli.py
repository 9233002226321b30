"""The command line: every command through click's runner, whole games through standard input."""

import json
import os
import subprocess
import sys
from pathlib import Path
from shutil import copytree

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

import interpreter
from interpreter.cli import table, words
from interpreter.cli.app import COMMANDS, app

ROOT = Path(__file__).parents[2]

SPEC = """\
rulespec: 1
id: high-card
title: High Card
players: 2..3
about: Lay two cards each; the higher sum wins.

options:
  open: {type: bool, default: false, doc: Nothing changes.}

components:
  Card:
    fields: {value: 1..9}
    rows: all
    label: "Card {value}"

zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
  laid: {holds: Card, order: row, seen_by: everyone}

variables:
  points: {per: player, type: 0..99}

setup: |
  shuffle deck
  for p in players:
    draw 3 from deck to hand[p]

actions:
  lay:
    doc: Lay a card from your hand and score its value.
    label: Lay down {card}
    with: card in hand[me]
    do: |
      move card to laid
      points[me] += card.value

phases:
  main:
    turns: {rounds: 2}
    actions: [lay]

result:
  score: points[p]
  rank_by: [highest score]

invariants:
  few_cards: count(laid) <= 6
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "game.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return path


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    path = tmp_path / "broken.yaml"
    path.write_text(SPEC.replace("points[me] += card.value", "points[me] += card.valeu"), encoding="utf-8")
    return path


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    """A spec that checks, and fails in play as soon as a card is laid that the limit forbids."""
    path = tmp_path / "faulty.yaml"
    path.write_text(SPEC.replace("type: 0..99", "type: 0..9"), encoding="utf-8")
    return path


def run(*arguments: object, stdin: str | None = None, status: int = 0) -> Result:
    result = CliRunner().invoke(app, [str(a) for a in arguments], input=stdin, prog_name="rulespec")
    assert status == result.exit_code, result.output
    return result


# ---------------------------------------------------------------- help and usage


def test_the_program_lists_its_commands() -> None:
    output = run("--help").output
    assert [] == [name for name in COMMANDS if f"  {name} " not in output]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    output = run(name, "--help").output
    assert "Example" in output
    assert f"  rulespec {name}" in output


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["check"],
        ["check", "no_such_file.yaml"],
        ["check", "no-such-game"],
        ["play", "no-such-game"],
        ["simulate", "SPEC", "-n", "none"],
        ["simulate", "SPEC", "--players", "7"],
        ["simulate", "SPEC", "--option", "tactical"],
        ["simulate", "SPEC", "--option", "tactical=true"],
        ["simulate", "SPEC", "--bots", "no_such_bot"],
        ["play", "SPEC", "--humans", "first"],
        ["play", "SPEC", "--humans", "5"],
        ["replay", "no_such_save.json"],
        ["test", "no_such_folder"],
    ],
    ids=" ".join,
)
def test_wrong_usage_has_status_2_and_says_what_is_wrong(arguments: list[str], spec: Path) -> None:
    result = run(*[str(spec) if a == "SPEC" else a for a in arguments], status=2)
    assert "Error" in result.output
    assert "Traceback" not in result.output


# ---------------------------------------------------------------- check


def test_check_of_a_fine_spec(spec: Path) -> None:
    assert "1 spec fine\n" == run("check", spec).output


def test_check_takes_a_folder(spec: Path) -> None:
    assert "1 spec fine\n" == run("check", spec.parent).output


def test_check_shows_mistakes_with_their_source(spec: Path, broken: Path) -> None:
    output = run("check", spec, broken, status=1).output
    line = SPEC[: SPEC.index("card.value\n")].count("\n") + 1
    assert f"{broken}:{line}:" in output
    assert "card.valeu" in output
    assert output.endswith("1 of 2 specs with mistakes: 1 error\n")


def test_check_short_has_one_line_for_each_mistake(broken: Path) -> None:
    first, closing = run("check", broken, "--format", "short", status=1).output.splitlines()
    assert first.startswith(f"{broken}:")
    assert "error[RS" in first
    assert "1 of 1 spec with mistakes: 1 error" == closing


@pytest.mark.parametrize("flags", [["--json"], ["--format", "json"]], ids=" ".join)
def test_check_json(broken: Path, flags: list[str]) -> None:
    assert "valeu" in json.dumps(json.loads(run("check", broken, *flags, status=1).output))


def test_all_installed_games_check() -> None:
    assert "fine" in run("check", "--all").output


# ---------------------------------------------------------------- games


def test_games_are_listed() -> None:
    ids = run("games", "--ids").output.split()
    listed = json.loads(run("games", "--json").output)
    assert ids
    assert ids == [game["id"] for game in listed]
    assert all({"id", "title", "players", "distribution", "path"} == set(game) for game in listed)
    shown = run("games").output
    assert [] == [name for name in ids if name not in shown]


# ---------------------------------------------------------------- diff


def test_diff_lists_what_a_variant_changes(spec: Path, tmp_path: Path) -> None:
    variant = tmp_path / "variant.yaml"
    head = spec.read_text(encoding="utf-8").replace("title: ", "title: Other ")
    variant.write_text(head, encoding="utf-8")
    shown = run("diff", spec, variant).output
    assert "1 changed" in shown
    assert "~ title" in shown
    assert [change["name"] for change in json.loads(run("diff", spec, variant, "--json").output)] == ["title"]
    assert "no difference" in run("diff", spec, spec).output


# ---------------------------------------------------------------- simulate


def test_simulate_counts_games_and_wins(spec: Path) -> None:
    report = json.loads(run("simulate", spec, "-n", 20, "--players", 3, "--check-invariants", "--json").output)
    assert (20, 120, 3) == (report["games"], report["decisions"], report["players"])
    assert {"min": 6, "median": 6, "max": 6} == report["length"]
    assert 20 <= sum(report["wins"].values())
    assert [] == report["faults"]


def test_simulate_shows_a_table(spec: Path) -> None:
    output = run("simulate", spec, "-n", 5, "--option", "open=true", "--seed", 4).output
    assert "decisions/s" in output
    assert "player_1" in output


def test_simulate_gives_the_same_games_with_more_workers(spec: Path) -> None:
    one, two = (
        json.loads(run("simulate", spec, "-n", 40, "--seed", 3, "--workers", workers, "--json").output)
        for workers in (1, 2)
    )
    for report in (one, two):
        del report["seconds"], report["decisions_per_second"]
    assert one == two


def test_simulate_reports_faults_with_their_seed(faulty: Path) -> None:
    report = json.loads(run("simulate", faulty, "-n", 10, "--json", "--no-failures", status=1).output)
    assert report["faults"]
    assert {"seed", "message", "decisions"} == set(report["faults"][0])
    output = run("simulate", faulty, "-n", 10, "--no-failures", status=1).output
    assert f"seed {report['faults'][0]['seed']}, after " in output


def test_a_broken_spec_is_shown_and_not_played(broken: Path) -> None:
    assert "card.valeu" in run("simulate", broken, status=1).output
    assert "card.valeu" in run("play", broken, status=1).output


# ---------------------------------------------------------------- play


def test_a_whole_game_against_bots(spec: Path) -> None:
    output = run("play", spec, "--seed", 7, stdin="1\n1\n").output
    assert output.startswith("High Card for 2 players, seed 7. You are player_1;")
    assert "Lay down Card" in output
    assert "player_1 (you)" in output
    assert "3 hidden" in output
    assert "player_1 " in output.splitlines()[-1]


def test_the_same_seed_plays_the_same_game(spec: Path) -> None:
    first, second = (run("play", spec, "--seed", 11, "--players", 3, stdin="2\n1\n").output for _ in range(2))
    assert first == second


def test_bots_alone_play_to_the_result(spec: Path) -> None:
    output = run("play", spec, "--humans", "none", "--seed", 1).output
    assert "win" in output.splitlines()[-1] or "draw" in output.splitlines()[-1].lower()
    assert len(output.splitlines()) > 5


def test_an_action_by_its_text_or_label(spec: Path) -> None:
    state = interpreter.load_game(str(spec)).new_state(seed=7)
    action = state.legal_actions(0)[1]
    for text in (str(action), action.label):
        assert "Stopped" in run("play", spec, "--seed", 7, stdin=f"{text}\nquit\n").output


def test_words_list_the_options_that_have_them(spec: Path) -> None:
    state = interpreter.load_game(str(spec)).new_state(seed=7)
    wanted = state.legal_actions(0)[2].label
    output = run("play", spec, "--seed", 7, stdin=f"{wanted.split(maxsplit=2)[-1].lower()}\nquit\n").output
    assert 2 == output.count(f"  3  {wanted}")


def test_commands_in_a_game(spec: Path) -> None:
    lines = [
        "help",
        "rules",
        "why",
        "why 1",
        "why lay(card=nothing)",
        "log",
        "table",
        "look",
        "look card 2",
        "look joker",
        "9",
        "nonsense",
        "undo",
        "save",
        "load nowhere",
        "quit",
    ]
    output = run("play", spec, "--seed", 7, stdin="\n".join([*lines, ""])).output
    assert "go on with a kept one" in output
    assert "Lay: Lay a card from your hand and score its value." in output
    assert "is possible now" in output
    assert 3 <= output.count(": value ")
    assert "Card 2: value 2" in output
    assert "No component is called `joker`." in output
    assert "There are options 1 to 3." in output
    assert "No option is called `nonsense`" in output
    assert "That can't be taken back" in output
    assert "the name of the file is missing" in output
    assert "could not be loaded" in output
    assert output.endswith("Stopped before the end.\n")


def test_a_decision_of_the_same_turn_is_taken_back(spec: Path) -> None:
    turns = "{rounds: 1, turn_until: 'count(hand[me]) <= 1'}"
    text = SPEC.replace("{rounds: 2}", turns).replace("seen_by: owner", "seen_by: everyone")
    spec.write_text(text, encoding="utf-8")
    output = run("play", spec, "--seed", 7, stdin="1\nundo\n3\nlog\nquit\n").output
    state = interpreter.load_game(str(spec)).new_state(seed=7)
    first, _, third = state.legal_actions()
    assert "Taken back." in output
    log = output[output.index("Taken back.") :]
    assert third.label in log
    assert f"player_1: {first.label}" not in log


def test_end_of_input_ends_politely(spec: Path) -> None:
    assert run("play", spec, "--seed", 7, stdin="").output.endswith("Stopped before the end.\n")


def test_save_load_and_replay(spec: Path, tmp_path: Path) -> None:
    save = tmp_path / "kept.json"
    output = run("play", spec, "--seed", 7, stdin=f"1\nsave {save}\nload {save}\n1\n").output
    assert f"Saved to {save}." in output
    assert f"Loaded {save}." in output
    assert "The game is not over." in run("replay", save).output
    told = json.loads(run("replay", save, "--seat", 0, "--json").output)
    assert (False, None, 2) == (told["over"], told["winners"], told["players"])
    assert told["log"]


def test_replay_of_something_else_is_a_fault(tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    assert str(other) in run("replay", other, status=1).output


def test_hot_seat_passes_the_keyboard_and_hides_hands(spec: Path) -> None:
    output = run("play", spec, "--humans", "0,1", "--seed", 7, stdin="\n1\n\n1\n\n1\n\n1\n").output
    assert 2 <= output.count("Pass the keyboard to player_2.")
    parts = output.split("Pass the keyboard to ")[1:]
    state = interpreter.load_game(str(spec)).new_state(seed=7)
    hidden = [action.label for action in state.legal_actions(0)]
    other_hand = [f"Card {id}" for id in state.view(1)["zones"]["hand"]["player_2"]["cards"]]
    assert parts[0].startswith("player_1")
    assert [] == [card for card in other_hand if card in parts[0]]
    assert [] == [label for label in hidden[1:] if label in parts[1]]


def test_a_fault_in_play_says_how_to_repeat_it(faulty: Path) -> None:
    output = run("play", faulty, "--humans", "none", "--players", "3", "--seed", 1, status=1).output
    assert "The game cannot go on" in output
    assert "--seed 1" in output


# ---------------------------------------------------------------- scenarios

SCENARIOS = """\
game: game.yaml
players: 2
scenarios:
  - name: The sum of both cards counts
    given: |
      points[player_1] = 4
    then:
      - points[player_1] == SUM
"""


@pytest.fixture
def scenarios(spec: Path) -> Path:
    path = spec.parent / "sums.yaml"
    path.write_text(SCENARIOS.replace("SUM", "4"), encoding="utf-8")
    return path


def test_scenarios_that_hold_are_counted(scenarios: Path) -> None:
    assert "1 scenario, 0 failed\n" == run("test", scenarios).output
    assert "passed  The sum of both cards counts" in run("test", scenarios, "--verbose").output


def test_a_scenario_that_fails_is_shown_with_its_place(scenarios: Path) -> None:
    scenarios.write_text(SCENARIOS.replace("SUM", "5"), encoding="utf-8")
    output = run("test", scenarios, status=1).output
    assert f"FAILED  The sum of both cards counts ({scenarios}:8)" in output
    assert output.endswith("1 scenario, 1 failed\n")
    [result] = json.loads(run("test", scenarios, "--json", status=1).output)
    assert (False, 8) == (result["passed"], result["line"])


def test_a_scenario_with_a_mistake_is_rendered(scenarios: Path) -> None:
    scenarios.write_text(SCENARIOS.replace("SUM", "sum_of"), encoding="utf-8")
    assert "sum_of" in run("test", scenarios, status=1).output


def test_a_folder_without_scenarios_is_wrong_usage(tmp_path: Path) -> None:
    assert "no scenarios" in run("test", tmp_path, status=2).output


# ---------------------------------------------------------------- the table


def drawn(view: dict[str, object], *players: str) -> str:
    console = Console(width=100, record=True, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    with console.file:
        console.print(table.draw(view, players, width=100))
    return console.export_text()


def test_zones_of_players_stand_side_by_side() -> None:
    hands = {"ann": {"count": 2, "cards": ["Six", "Ten"]}, "bob": {"count": 4}}
    text = drawn({"seat": 0, "phase": ["deal"], "turn": 1, "zones": {"own_hand": hands}}, "ann", "bob")
    assert "Deal: bob's turn" in text
    [titles] = [line for line in text.splitlines() if "ann (you)" in line]
    assert "bob" in titles
    [row] = [line for line in text.splitlines() if "Six, Ten" in line]
    assert "4 hidden" in row


def test_values_by_space_are_drawn_as_a_grid() -> None:
    squares = {"a1": "rook", "b1": None, "a2": None, "b2": "king"}
    lines = drawn({"variables": {"man": squares}}, "white", "black").splitlines()
    king, rook, letters = (next(i for i, line in enumerate(lines) if word in line) for word in ("king", "rook", " a "))
    assert king < rook < letters


def test_empty_instances_of_an_indexed_zone_are_left_out() -> None:
    stands = {"north stand": {"count": 0}, "south stand": {"count": 1, "cards": ["Rye"]}}
    text = drawn({"zones": {"stock": stands}}, "ann", "bob")
    assert "Stock, south stand  Rye" in text
    assert "north" not in text


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ({"count": 0}, "·"),
        ({"count": 3}, "3 hidden"),
        ({"count": 3, "cards": ["Top"]}, "Top and 2 hidden"),
        ({"count": 2, "cards": ["Top", None]}, "Top, ?"),
        ({"cards": ["Only"]}, "Only"),
        ({}, "?"),
    ],
)
def test_contents_of_a_zone(entry: dict[str, object], text: str) -> None:
    assert text == words.zone(entry)


@pytest.mark.parametrize(
    ("item", "text"), [(None, "·"), (True, "yes"), ([1, "b"], "1, b"), ([], "·"), ({"a": 1}, "a 1")]
)
def test_values_as_words(item: object, text: str) -> None:
    assert text == words.value(item)


# ---------------------------------------------------------------- starting the program


@pytest.mark.parametrize("foreign", ["print('something else')\n", None], ids=["overwritten", "removed"])
def test_another_package_called_interpreter_is_noticed(foreign: str | None, tmp_path: Path) -> None:
    copytree(ROOT / "interpreter" / "cli", tmp_path / "interpreter" / "cli")
    if foreign is not None:
        (tmp_path / "interpreter" / "__init__.py").write_text(foreign, encoding="utf-8")
    code = f"import sys; sys.path[:] = [{str(tmp_path)!r}, *(p for p in sys.path if p != {str(ROOT)!r})]\n"
    code += "from interpreter.cli import main; main(['games'])"
    result = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert 2 == result.returncode
    assert "not the one that belongs to rulespec" in result.stderr


def test_missing_libraries_are_named() -> None:
    code = (
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name in ('click', 'rich') else find(name, package)\n"
        "from interpreter.cli import main; main(['games'])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert 2 == result.returncode
    assert "needs click and rich: pip install 'rulespec[cli]'" in result.stderr


def test_the_program_runs() -> None:
    command = [sys.executable, "-c", "from interpreter.cli import main; main()", "--version"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("rulespec, version ")
