"""What a variant adds, changes and leaves out, in words."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.compare import Change, compare
from rulespec.diagnostics import Reporter
from rulespec.loader import read_spec
from rulespec.spec.model import Spec

BASE = """\
rulespec: 1
id: base
title: Base
about: A base.
players: 2
variables:
  coins: {per: player, type: 0..9}
  round: {type: 0..9}
functions:
  worth(player p): coins[p]
procedures:
  pay(player p): |
    coins[p] += 1
actions:
  earn:
    doc: Take a coin.
    when: coins[me] < 5
    do: pay(me)
  rest: {do: nothing}
phases:
  play:
    turns: {times: 6}
    actions: [earn, rest]
result:
  score: worth(p)
"""

VARIANT = """\
rulespec: 1
id: variant
title: Variant
about: A base.
extends: base.yaml
players: 2..3
remove: [variables.round, actions.rest]
functions:
  worth(player p): usual + bonus(p)
  bonus(player p): 2
procedures:
  pay(player p):
    replaces: true
    do: |
      coins[p] += 2
      coins[p] -= 1
actions:
  earn:
    when: usual and coins[me] < 4
  steal: {doc: Take it from others., do: nothing}
phases:
  play:
    turns: {times: 8}
    actions: [earn, steal]
"""


def read(folder: Path, name: str, text: str) -> Spec:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    reporter = Reporter()
    spec = read_spec(path, reporter)
    assert reporter.diagnostics == ()
    assert spec is not None
    return spec


@pytest.fixture
def changes(tmp_path: Path) -> dict[tuple[str, str], Change]:
    first = read(tmp_path, "base.yaml", BASE)
    second = read(tmp_path, "variant.yaml", VARIANT)
    return {(change.section, change.name): change for change in compare(first, second)}


def test_exactly_what_differs_is_listed(changes: dict[tuple[str, str], Change]) -> None:
    assert {key: change.kind for key, change in changes.items()} == {
        ("", "title"): "changed",
        ("", "players"): "changed",
        ("variables", "round"): "removed",
        ("functions", "worth"): "changed",
        ("functions", "bonus"): "added",
        ("procedures", "pay"): "changed",
        ("actions", "earn"): "changed",
        ("actions", "steal"): "added",
        ("actions", "rest"): "removed",
        ("phases", "play"): "changed",
    }


def test_a_version_with_usual_adds(changes: dict[tuple[str, str], Change]) -> None:
    assert changes["functions", "worth"].details == ("the rule adds to what it was: usual + bonus(p)",)
    assert changes["actions", "earn"].details == ("`when` adds to what it was: usual and coins[me] < 4",)


def test_a_version_without_usual_replaces(changes: dict[tuple[str, str], Change]) -> None:
    assert changes["procedures", "pay"].details == ("the rule replaces it:\ncoins[p] += 2\ncoins[p] -= 1",)


def test_a_new_rule_is_described_or_shown(changes: dict[tuple[str, str], Change]) -> None:
    assert changes["functions", "bonus"].details == ("2",)
    assert changes["actions", "steal"].doc == "Take it from others."


def test_what_is_said_of_a_change(tmp_path: Path) -> None:
    upper = """\
rulespec: 1
id: upper
title: Base
about: A base.
extends: base.yaml
options:
  rich: {type: bool, default: false, label: Rich}
functions:
  worth(player p):
    doc: The rich count double.
    only_if: rich
    is: 2 * usual
actions:
  earn: {doc: Take two coins., replaces: true, do: "coins[me] += 2"}
"""
    first = read(tmp_path, "base.yaml", BASE)
    changes = {change.name: change for change in compare(first, read(tmp_path, "upper.yaml", upper))}
    assert ["rich", "worth", "earn"] == list(changes)
    assert "The rich count double." == changes["worth"].doc
    assert ("the rule where `rich` adds to what it was: 2 * usual",) == changes["worth"].details
    assert "Take two coins." == changes["earn"].doc
    assert ("`do` replaces it: coins[me] += 2",) == changes["earn"].details


def test_rows_are_compared_one_by_one(tmp_path: Path) -> None:
    head = "rulespec: 1\nid: r\ntitle: R\nabout: R.\nplayers: 2\nphases:\n  play: {do: nothing}\ncomponents:\n"
    head += "  Card:\n    fields: {worth: 0..9, colours: set of Colour}\n    rows:\n"
    types = "types:\n  Colour: [red, blue]\n"
    old = ["{id: a, worth: 1, colours: [red]}", "{id: b, worth: 2, colours: []}", "{id: c, worth: 3}"]
    new = ["{id: b, worth: 2, colours: []}", "{id: a, worth: 4, colours: [red, blue]}", "{id: d, worth: 5}"]
    texts = [head + "".join(f"      - {row}\n" for row in rows) + types for rows in (old, new)]
    first, second = (read(tmp_path, f"{n}.yaml", text) for n, text in enumerate(texts))
    (change,) = compare(first, second)
    assert ("components", "Card") == (change.section, change.name)
    assert change.details == (
        "the row `d` is new",
        "in the row `a` `worth` was 1, now 4, `colours` was red, now red, blue",
        "the row `c` is gone",
    )


def test_the_folder_of_a_spec_does_not_count(tmp_path: Path) -> None:
    specs = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        (folder / "cards.csv").write_text("id,worth\na,1\n", encoding="utf-8")
        text = BASE.replace("functions:", "components:\n  Card: {fields: {worth: 0..9}, rows: cards.csv}\nfunctions:")
        specs.append(read(folder, "base.yaml", text))
    assert compare(*specs) == []


def test_plain_values_show_both(changes: dict[tuple[str, str], Change]) -> None:
    assert changes["", "players"].details == ("was 2, now 2 to 3",)
    assert "`actions` was [earn, rest], now [earn, steal]" in changes["phases", "play"].details


def test_a_spec_does_not_differ_from_itself(tmp_path: Path) -> None:
    spec = read(tmp_path, "base.yaml", BASE)
    assert compare(spec, spec) == []
