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
    assert changes["procedures", "pay"].details == ("the rule replaces it: coins[p] += 2\ncoins[p] -= 1",)


def test_a_new_rule_is_described_or_shown(changes: dict[tuple[str, str], Change]) -> None:
    assert changes["functions", "bonus"].details == ("2",)
    assert changes["actions", "steal"].doc == "Take it from others."


def test_plain_values_show_both(changes: dict[tuple[str, str], Change]) -> None:
    assert changes["", "players"].details == ("was 2, now 2 to 3",)
    assert "`actions` was [earn, rest], now [earn, steal]" in changes["phases", "play"].details


def test_a_spec_does_not_differ_from_itself(tmp_path: Path) -> None:
    spec = read(tmp_path, "base.yaml", BASE)
    assert compare(spec, spec) == []
