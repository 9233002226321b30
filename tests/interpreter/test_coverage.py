"""Rule coverage: every point counts, where options and simplified code hide it too, and the game stays the same."""

from __future__ import annotations

import json
import random
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

import interpreter
import rulespec
from interpreter.cli.app import app
from interpreter.compile.counting import Tally
from interpreter.coverage import CoverageReport, measure_coverage
from interpreter.coverage.page import page
from interpreter.coverage.points import counting
from interpreter.testing import random_decision

ROOT = Path(__file__).parents[2]

GAME = """\
rulespec: 1
id: steps
title: Steps
players: 2..3
about: Go up & down.

options:
  hard: {type: bool, default: false}
  goal: {type: 1..3, default: 2}

components:
  Card:
    fields:
      value: 1..2
      play(player p): effect
      worth(player p): 0..9
    rows:
      - {id: low, value: 1, play: "spare = 0", worth: "place[p]"}
      - {id: high, value: 2, play: "spare = 0", worth: "9"}

zones:
  deck: {holds: Card, seen_by: everyone, starts: Card}

variables:
  place: {per: player, type: 0..9}
  spare: 0..1

functions:
  difficult():
    is: hard
  near(player p):
    is: place[p] >= goal
  unused(player p):
    is: place[p] > 1 if hard else false

procedures:
  up(player p):
    do: |
      place[p] += 1
      if difficult() and place[p] > 8:
        spare = 1

triggers:
  noted:
    after: change place[p]
    when: place[p] > 100
    do: spare = 0

actions:
  go:
    when: not near(me) and spare == 0
    do: |
      up(me)
      low.play(me)
      if hard:
        spare = 0
      else:
        spare = 0
  never:
    only_if: hard
    when: low.worth(me) > 100 or goal < 0
    do: end game

phases:
  main:
    turns: {until: near(me)}
    actions: [go, never]

result:
  score: place[p]

invariants:
  small: all(place[p] < 9 for p in players)
"""


SCENARIOS = """\
scenarios:
  - name: High play
    given: place[player_1] = 0
    when:
      - player_1: go
    then:
      - place[player_1] == 1
  - name: Wrong
    then:
      - over: yes
"""

MISSED = """\
{path}:9:3: option `goal` is never 1
{path}:19:37: rule `high.play` is never used
{path}:19:37: `spare = 0` is never done
{path}:19:57: rule `high.worth` is never used
{path}:33:3: function `unused` is never used
{path}:34:25: `hard` is never true
{path}:34:25: `hard` is never false
{path}:40:10: `difficult() and place[p] > 8` is never true
{path}:41:9: `spare = 1` is never done
{path}:44:3: trigger `noted` is never done
{path}:46:11: `place[p] > 100` is never true
{path}:47:9: `spare = 0` is never done
{path}:51:11: `not near(me)` is never false
{path}:51:28: `spare == 0` is never false
{path}:59:3: action `never` is never done
{path}:61:11: `low.worth(me) > 100 or goal < 0` is never true
{path}:62:9: `end game` is never done
"""


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("coverage")
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "some.yaml").write_text(SCENARIOS, encoding="utf-8")
    return folder / "game.yaml"


@pytest.fixture(scope="module")
def report(path: Path) -> CoverageReport:
    return measure_coverage(path, 5, scenarios="", options={"goal": 2})


def hits(report: CoverageReport, line: int, kind: str) -> list[int]:
    return [count for point, count in report.hits if point.span.line == line and point.kind == kind]


def test_everything_counts(report: CoverageReport) -> None:
    # Both players may go until somebody has come to two.
    assert 5 == report.games == hits(report, 65, "phase")[0]
    went = hits(report, 50, "action")[0]
    assert went == report.decisions == hits(report, 37, "procedure")[0] == hits(report, 39, "effect")[0]
    assert [0, went] == hits(report, 46, "condition")
    assert [went, 0, went, 0] == hits(report, 51, "condition")
    assert [went] == hits(report, 18, "effect")
    assert [5, went - 5] == hits(report, 66, "condition")
    assert 0 < hits(report, 70, "result")[0]
    assert [went + 5] == hits(report, 73, "invariant")


def test_options_are_counted_and_what_they_decide_too(report: CoverageReport) -> None:
    # Two and three players with the defaults, then each value of the option that is free, and a mixture.
    assert [4, 1] == hits(report, 8, "option")
    assert [0, 5, 0] == hits(report, 9, "option")
    if_hard, otherwise = hits(report, 55, "condition")
    assert if_hard + otherwise == report.decisions
    assert if_hard == hits(report, 56, "effect")[0] > 0
    assert otherwise == hits(report, 58, "effect")[0] > 0
    assert [0, if_hard] == hits(report, 61, "condition"), "asked at each decision of a hard game"


def test_what_was_missed(report: CoverageReport, path: Path) -> None:
    places = [f"{p.span.path}:{p.span.line}:{p.span.column}: {report.text(p)}" for p in report.missed]
    wanted = MISSED.format(path=path).splitlines()
    assert wanted == [place for place in places if not place.endswith("is never 3")]
    assert "high, value: 2" in report.line(report.missed[2])


def test_scenarios_count(path: Path) -> None:
    report = measure_coverage(path, 0)
    assert (0, 2, 1) == (report.games, report.scenarios, report.failed)
    assert [1] == hits(report, 50, "action")
    assert [2, 0] == hits(report, 8, "option")


def test_counts_depend_on_the_seed_alone(path: Path) -> None:
    assert measure_coverage(path, 12, seed=3) == measure_coverage(path, 12, seed=3)
    assert measure_coverage(path, 12, seed=3).hits != measure_coverage(path, 12, seed=4).hits


def test_the_greedy_bot(path: Path) -> None:
    assert 4 == measure_coverage(path, 4, bots=["random", "greedy"]).games
    with pytest.raises(ValueError, match="there is no bot `clever`, only first, greedy, random"):
        measure_coverage(path, 4, bots=["clever"])


def test_wrong_options(path: Path) -> None:
    with pytest.raises(ValueError, match="has no option `depth`"):
        measure_coverage(path, 4, options={"depth": 3})
    with pytest.raises(ValueError, match="Steps is for 2 to 3 players, not 7"):
        measure_coverage(path, 4, players=[7])


VARIANT = """\
extends: game.yaml
id: jumps
title: Jumps
procedures:
  up(player p):
    replaces: true
    do: place[p] += 2
actions:
  go:
    do: |
      usual
      spare = 0
"""


def test_rules_that_a_variant_leaves_out_are_no_points(path: Path, report: CoverageReport) -> None:
    variant = path.parent / "jumps.yaml"
    variant.write_text(VARIANT, encoding="utf-8")
    jumps = measure_coverage(variant, 5)
    assert [str(path), str(variant)] == sorted(jumps.files)
    assert [] == hits(jumps, 39, "effect"), "the procedure below has no `usual`"
    assert hits(jumps, 53, "effect") == hits(jumps, 50, "action") == [jumps.decisions]
    both = report.with_other(jumps)
    assert ("Steps", "Jumps") == both.titles
    assert [report.decisions] == hits(both, 39, "effect")
    assert [report.decisions + jumps.decisions] == hits(both, 50, "action")


def test_lcov(report: CoverageReport, path: Path) -> None:
    lines = report.lcov(path.parent).splitlines()
    went = report.decisions
    assert ["TN:", "SF:game.yaml"] == lines[:2]
    assert "end_of_record" == lines[-1]
    assert {"FN:50,action go", f"FNDA:{went},action go", "FNDA:0,function unused"} <= set(lines)
    assert {f"DA:39,{went}", "DA:41,0", "DA:47,0"} <= set(lines)
    branches = [line for line in lines if line.startswith(("BRDA:46,", "BRDA:34,"))]
    assert ["BRDA:34,2,0,-", "BRDA:34,2,1,-", "BRDA:46,4,0,0", f"BRDA:46,4,1,{went}"] == branches
    found = {line.partition(":")[0]: line.partition(":")[2] for line in lines}
    assert int(found["LH"]) == sum(line.startswith("DA:") and not line.endswith(",0") for line in lines)
    assert int(found["LF"]) == sum(line.startswith("DA:") for line in lines)
    assert int(found["FNF"]) == sum(line.startswith("FN:") for line in lines)
    assert int(found["BRF"]) == sum(line.startswith("BRDA:") for line in lines)


class Links(HTMLParser):
    """What a page loads, its anchors and its marks."""

    def __init__(self) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.ids: list[str] = []
        self.targets: list[str] = []
        self.marks: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.loads += [value or "" for name, value in attrs if name == "src"] + (["link"] if tag == "link" else [])
        self.ids += [given["id"] or ""] if "id" in given else []
        self.targets += [given["href"] or ""] if "href" in given else []
        self.marks += [given.get("title") or ""] if tag == "mark" else []


def test_page(report: CoverageReport) -> None:
    text = page(report)
    assert "about: Go up &amp; down." in text
    assert "<code>low.worth(me) &gt; 100 or goal &lt; 0</code> is never true" in text
    found = Links()
    found.feed(text)
    assert [] == found.loads, "nothing is loaded from elsewhere"
    assert {target.removeprefix("#") for target in found.targets} <= set(found.ids)
    assert "`place[p] > 100` is never true" in found.marks
    assert "function `unused` is never used" in found.marks


def test_command(path: Path, tmp_path: Path) -> None:
    html, lcov = tmp_path / "report", tmp_path / "rules.lcov"
    arguments = ["coverage", str(path), "--playouts", "5", "--option", "goal=2", "--no-scenarios"]
    files = ["--html", str(html), "--lcov", str(lcov), "--fail-under", "90"]
    result = CliRunner().invoke(app, arguments + files)
    assert 1 == result.exit_code
    assert "Steps: 5 games, 0 scenarios\n" in result.output
    assert f"{path}:47: do: spare = 0\n    `spare = 0` is never done\n" in result.output
    assert "of the rules were reached, less than 90%" in result.output
    assert (html / "index.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert lcov.read_text(encoding="utf-8").startswith("TN:")
    plain = json.loads(CliRunner().invoke(app, [*arguments, "--json"]).output)
    assert 5 == plain["games"]
    assert {
        "kind": "trigger",
        "name": "noted",
        "outcome": "",
        "path": str(path),
        "line": 44,
        "column": 3,
        "hits": 0,
    } in (plain["hits"])


@pytest.mark.parametrize(
    ("option", "name", "written"), [("--html", "report", "report/index.html"), ("--lcov", "rules", "rules")]
)
def test_command_tells_what_cannot_be_written(path: Path, option: str, name: str, written: str) -> None:
    arguments = ["coverage", str(path), "--playouts", "1", "--option", "goal=2", "--no-scenarios"]
    result = CliRunner().invoke(app, [*arguments, option, str(path / name)])
    assert 1 == result.exit_code
    assert result.output.startswith("Steps: 1 game, 0 scenarios\n"), "what was measured is shown all the same"
    assert result.output.endswith(f"\ncan't write {path / written}: Not a directory\n")


def test_command_tells_of_failed_scenarios(path: Path) -> None:
    result = CliRunner().invoke(app, ["coverage", str(path), "--playouts", "0"])
    assert "Steps: 0 games, 2 scenarios\n1 scenario failed; `rulespec test` shows them\n" in result.output
    assert 0 == result.exit_code
    wrong = CliRunner().invoke(app, ["coverage", str(path), "--players", "two"])
    assert 2 == wrong.exit_code
    assert "`two` is not a list of numbers as 2,3" in wrong.output


def sketches() -> list[Path]:
    """Whole specs with every kind of rule."""
    names = ["hearts", "go", "gin_rummy", "liars_dice"]
    found = [path for path in sorted((ROOT / "tests" / "sketches").rglob("*.yaml")) if path.stem in names]
    games = [path for path in sorted((ROOT / "games").glob("*/*.yaml")) if path.stem in ("game", "double")]
    return found + games


@pytest.mark.parametrize("path", sketches(), ids=lambda path: f"{path.parent.name}/{path.stem}")
@pytest.mark.parametrize("any_time", ["asked", "open"])
def test_a_game_that_counts_is_the_same_game(path: Path, any_time: str) -> None:
    spec = rulespec.load(path)
    plain = interpreter.Game(spec).new_state(3, any_time=any_time)
    counted = interpreter.Game(counting(spec, Tally())[0]).new_state(3, any_time=any_time)
    chance = random.Random(5)
    for _ in range(80):
        if plain.is_over:
            break
        seat, action = random_decision(plain, chance)
        assert list(map(str, plain.legal_actions(seat))) == list(map(str, counted.legal_actions(seat)))
        plain.apply(action, seat)
        counted.apply(str(action), seat)
    assert plain.log() == counted.log()
    assert plain.view() == counted.view()


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


def test_what_a_game_with_a_fault_counts(tmp_path: Path) -> None:
    """Both walk twice, the fifth walk is the fault; no game ends, so nothing is judged. Each game has its phase."""
    path = tmp_path / "faulty.yaml"
    path.write_text(FAULTY, encoding="utf-8")
    found = measure_coverage(path, 3, scenarios="")
    counts = {(point.kind, point.name): count for point, count in found.hits if point.kind != "effect"}
    assert {("action", "walk"): 15, ("phase", "race"): 3, ("result", "rank_by"): 0} == counts
    assert (3, 12) == (found.faults, found.decisions)
