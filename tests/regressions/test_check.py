"""Mistakes that the checker made once: files that it did not come to an end with, or let pass."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest

import rulespec

HEAD = "rulespec: 1\nid: tiny\ntitle: Tiny\nplayers: 2\nabout: A test.\n"


@pytest.fixture
def codes(tmp_path: Path) -> Callable[[str], list[str]]:
    """The codes of the errors in a game, given without its head."""

    def codes(text: str) -> list[str]:
        path = tmp_path / "game.yaml"
        path.write_text(HEAD + dedent(text), encoding="utf-8")
        return [d.code for d in rulespec.check(path) if d.severity == "error"]

    return codes


def test_fields_of_what_lies_in_a_zone_of_an_unknown_kind(codes: Callable[[str], list[str]]) -> None:
    assert codes("""
        zones:
          row: {holds: Prize, order: stack, seen_by: everyone}
        actions:
          take: {when: "sum(c.value for c in row) > top(row).value", do: draw 1 from row to box}
        phases:
          main: {turns: {rounds: 1}, actions: [take]}
        """) == ["RS374"]


def test_ranges_with_steps_are_no_index_and_in_no_set(codes: Callable[[str], list[str]]) -> None:
    assert codes("""
        types:
          Points: -1..1 by 1/2
        variables:
          a: {per: Points, type: bool}
          b: {type: set of Points}
        phases:
          main: {do: nothing}
        """) == ["RS477", "RS454"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("variables: {v: {type: 0..%s}}" % ("9" * 5_000), "RS207"),
        ("variables: {v: {type: 0..1%s.5}}" % ("0" * 5_000), "RS207"),
        ("variables: {v: {per: 0..1000000000, type: 0..3}}", "RS477"),
        ("variables: {v: {type: set of 0..1000000000}}", "RS454"),
        ("types: {T: {fields: {p: 0..1 by 1/100000000}, rows: all}}", "RS472"),
        ("types: {T: {fields: {p: 0..99999999}, rows: all}}", "RS472"),
        ("types: {T: {fields: {p: 0..9}, rows: [{p: %s}]}}" % ("9" * 5_000), "RS207"),
        ("types: {T: {fields: {p: 0..9}, rows: [{p: 1.%s}]}}" % ("9" * 5_000), "RS207"),
        ("boards: {B: {grid: 100000 x 100000}}\nfunctions: {f(): count(s in B where s.col > 5)}", "RS472"),
        ("types: {P: 0..1 by 1/100000000}\nfunctions: {f(): count(p in P)}", "RS434"),
    ],
)
def test_numbers_that_are_far_too_large(codes: Callable[[str], list[str]], text: str, code: str) -> None:
    found = codes(text + "\nphases: {main: {do: nothing}}\n")
    assert code in found


@pytest.mark.parametrize("range", ["1/2..4", "0..7/2", "0..most / 2", "1/2.."])
def test_ends_of_ranges_are_whole_unless_it_has_steps(codes: Callable[[str], list[str]], range: str) -> None:
    assert codes(f"""
        options:
          most: {{type: 3..4, default: 3}}
        types:
          Pile: {range}
        variables:
          x: {{type: Pile}}
        phases:
          main: {{do: nothing}}
        """) == ["RS457"]


def test_together_in_a_function(codes: Callable[[str], list[str]]) -> None:
    assert codes("""
        functions:
          total(): |
            for p in players, together: nothing
            return 1
        actions:
          a: {when: total() > 0, do: nothing}
        phases:
          main: {turns: {rounds: 1}, actions: [a]}
        """) == ["RS513"]


def test_a_drawn_start_on_a_board_without_spaces(codes: Callable[[str], list[str]]) -> None:
    assert codes("""
        boards:
          Square: {grid: 3 x -1}
        variables:
          man: {per: Square, type: bool, start: {map: "x", legend: {x: true}}}
        phases:
          main: {do: nothing}
        """) == ["RS465"]


@pytest.mark.parametrize("forwards", [True, False])
def test_long_chains_of_functions(forwards: bool, codes: Callable[[str], list[str]]) -> None:
    """Whichever comes first, and in a time that grows with their number only."""
    links = [f"  f{i}(player p): f{i + 1}(p) + 1" for i in range(400)]
    links = links if forwards else links[::-1]
    functions = "\n".join(["functions:", *links, "  f400(player p): points[p]"])
    game = """
variables:
  points: {per: player, type: 0..9}
actions:
  go: {when: f0(me) > 404, do: "points[me] += 1"}
phases:
  main: {turns: {rounds: 1}, actions: [go]}
"""
    assert codes(functions + game) == []
    assert set(codes(functions.replace("points[p]", "f0(p)") + game)) == {"RS550"}
