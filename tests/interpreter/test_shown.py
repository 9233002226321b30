"""Variables that only the rules keep count of, and views as people read them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from rich.console import Console

import interpreter
import rulespec
from interpreter.cli import table
from interpreter.cli.labels import labelled
from interpreter.cli.names import seat_names

SPEC = """\
rulespec: 1
id: hills
title: Hills
players: 2
about: Walk over hills.
types:
  Ground: [flat_land, steep_hill]
  Column: [a, b, c]
  Ware: {label: "{name}", fields: {name: text}, rows: [{id: w1, name: Salt}, {id: w2, name: Rope}]}
boards:
  Place: {grid: {column: Column, row: 1..2}}
components:
  Tree: {fields: {size: 1..2}, rows: all, label: "tree {size}"}
zones:
  forest: {holds: Tree, starts: Tree}
  tree: {holds: one Tree, per: Place}
variables:
  ground: {per: Place, type: Ground}
  fence: {per: 1..2, type: Ground}
  at: {per: player, type: Place, start: a1}
  coins: {per: player, type: 0..9}
  tired: {per: player, type: bool}
  sold: {per: Ware, type: bool}
  stock: {per: Ware, type: 0..9}
  ware: {type: optional Ware}
  visits: {type: 0..9, shown: false}
setup: |
  ground[b1] = steep_hill
  move first(c in forest) to tree[b1]
  fence[2] = steep_hill
actions:
  walk:
    with: place in neighbours(at[me])
    do: |
      at[me] = place
      visits += 1
      sold[w2] = true
      stock[w1] = 3
      ware = w2
phases:
  walking: {turns: {rounds: 2}, actions: [walk]}
"""


@pytest.fixture
def state(tmp_path: Path) -> interpreter.State:
    path = tmp_path / "hills.yaml"
    path.write_text(SPEC, encoding="utf-8")
    return interpreter.load_game(path).new_state(seed=1)


def drawn(state: interpreter.State, width: int = 100) -> list[str]:
    console = Console(width=width, record=True, file=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
    with console.file:
        console.print(table.draw(labelled(state.game, state.view(0)), seat_names(state.game), width=width))
    return [line.rstrip() for line in console.export_text().splitlines()]


def test_what_is_not_shown_is_in_views_only(state: interpreter.State) -> None:
    state.apply("walk(place=b1)")
    assert 1 == state.view(1)["variables"]["visits"]
    assert not [line for line in state.log(None) if "isits" in line]
    assert "player_1's at: b1" in state.log(None)
    assert "visits" not in labelled(state.game, state.view(1))["variables"]


def test_shown_is_true_or_false(tmp_path: Path) -> None:
    path = tmp_path / "hills.yaml"
    path.write_text(SPEC.replace("shown: false", "shown: sometimes"), encoding="utf-8")
    assert ["`shown` must be `true` or `false`, found `sometimes`"] == [d.message for d in rulespec.check(str(path))]


def test_values_are_words_and_what_says_nothing_is_left_out(state: interpreter.State) -> None:
    before = labelled(state.game, state.view(0))["variables"]
    assert {"at", "coins", "fence", "ground"} == set(before)
    assert {"player_1": 0, "player_2": 0} == before["coins"]
    assert {"2": "steep hill"} == before["fence"]
    assert [None, "steep hill"] == [before["ground"][space] for space in ("a1", "b1")]
    state.apply("walk(place=b1)")
    after = labelled(state.game, state.view(0))["variables"]
    assert (["Rope"], {"Salt": 3}, "Rope") == (after["sold"], after["stock"], after["ware"])


def test_a_board_is_one_map_with_its_players_and_what_its_rows_have(state: interpreter.State) -> None:
    lines = drawn(state)
    [title] = [line for line in lines if "Tree, ground" in line]
    [near] = [line for line in lines if "1│" in line]
    [far] = [line for line in lines if "2│" in line]
    [letters] = [line for line in lines if " a " in line]
    assert lines.index(title) < lines.index(far) < lines.index(near) < lines.index(letters)
    assert ["1", "player_1", "tree 1", "·"] == [cell.strip() for cell in near.split("│")[2:6]]
    assert "steep hill" in lines[lines.index(near) + 1]
    assert "player_2" in lines[lines.index(near) + 1]
    assert "steep hill" == far.split("│")[6].strip()
    assert "fence" == letters.split("│")[6].strip()
    assert not [line for line in lines if line.startswith("Fence")]


def test_a_narrow_map_has_narrow_cells(state: interpreter.State) -> None:
    assert 46 >= max(map(len, drawn(state, width=46)))
