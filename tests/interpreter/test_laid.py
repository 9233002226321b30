"""Pieces laid on boards: turning, covering, ports, what stands in a position, against a model that only paints."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import Game, State
from interpreter.errors import RuleError
from interpreter.runtime.laid import LISTS

SPEC = """\
rulespec: 1
id: pieces
title: Pieces
players: 1
about: Lay pieces on a mat and take them off again.

boards:
  Mat: {grid: 6 x 6}

components:
  Piece:
    fields: {mask: text}
    shape: {from: mask, letters: {o: open, x: wall}, ports: open, turns: quarter}
    rows:
      - id: ell
        mask: |-
          o
          x
          xo
      - {id: domino, mask: xo}
      - id: ring
        mask: |-
          xox
          o x
          xxx
      - {id: dot, mask: o}

zones:
  hand: {holds: Piece, starts: Piece}
  mat:  {holds: Piece, laid_on: Mat}

variables:
  last: {type: optional Mat.Spot}
  mark: {type: optional Mat.Port}

records:
  layouts: {of: [mat]}

functions:
  fits(Piece c, Mat.Spot s): count(footprint(c, s)) > 0
  footprint_of(Piece c, Mat x, 0..7 n): footprint(c, spot(x, n))
  cells_of(Piece c): cells(c)
  shown_at(Mat x): shown(mat, x)
  top_at(Mat x): piece_at(mat, x)
  port_there(Mat x, direction d): port_at(mat, x, d)
  ports_of(Piece c): ports(c)
  bare(Piece c): uncovered(mat, c)
  spot_of(Mat.Port q, Mat x, direction d): spot_for(q, x, d)
  cell_of_port(Mat.Port q): q.cell
  facing_of_port(Mat.Port q): q.facing
  beyond_port(Mat.Port q): q.beyond
  piece_of_port(Mat.Port q): q.piece
  bare_if_laid(Piece c, Mat.Spot s): supposing(lay(c, s), those(o in Piece where uncovered(mat, o)))
  ports_if_taken(Piece c, Piece o): supposing(take_up(c), ports(o))
  seen(): times(layouts)
  all_cells(): those(x for c in mat, x in cells(c))

procedures:
  lay(Piece c, Mat.Spot s): move c to mat at s
  take_up(Piece c): move c to hand

actions:
  put_down:
    with: c in hand, x in Mat, n in 0..3 where fits(c, spot(x, n))
    do: |
      last = spot(x, n)
      lay(c, spot(x, n))
      record layouts
  shift:
    with: c in mat, s in those(spot(x, n) for x in Mat, n in 0..3 where fits(c, spot(x, n)))
    do: |
      last = s
      move c to mat at s
      record layouts
  take:
    with: c in mat
    do: |
      take_up(c)
      record layouts
  clear:
    when: count(mat) > 2
    do: move all mat to hand
  note:
    with: c in Piece, q in ports(c)
    do: mark = q

phases:
  play:
    turns: {times: 400}
    actions: [put_down, shift, take, clear, note]
"""

SINGLE = ("spot_of", "bar_for", "port_there")
"""Functions that give a spot or a port, not a list."""

NORTH, EAST, SOUTH, WEST = 0, 2, 4, 6
ELL, DOMINO, RING, DOT = range(4)
OPEN, WALL = 0, 1


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return made(tmp_path_factory.mktemp("pieces"), SPEC)


def made(folder: Path, text: str) -> Game:
    (folder / "game.yaml").write_text(text, encoding="utf-8")
    return interpreter.load_game(folder / "game.yaml")


def ask(state: State, function: str, *args: Any) -> Any:
    found = state.game.module().function(f"f_{function}")(state._position, *args)
    return (
        list(found)
        if isinstance(found, tuple | list) and function not in ("spot_of", "bar_for", "port_there")
        else found
    )


def at(column: int, row: int) -> int:
    return (row - 1) * 6 + column - 1


def laid(game: Game, *pieces: tuple[str, str, int]) -> State:
    state = game.new_state()
    for piece, space, turns in pieces:
        state.apply(f"put_down(c={piece}, x={space}, n={turns})")
    return state


# ---------------------------------------------------------------- shapes and turns


def test_a_footprint_stands_on_the_south_west_corner_of_its_box(game: Game) -> None:
    state = game.new_state()
    assert ask(state, "footprint_of", ELL, at(2, 3), 0) == [at(2, 3), at(3, 3), at(2, 4), at(2, 5)]


def test_turns_go_clockwise(game: Game) -> None:
    state = game.new_state()
    # The foot of the L points east, then south, then west, then north.
    assert ask(state, "footprint_of", ELL, at(1, 1), 1) == [at(1, 1), at(1, 2), at(2, 2), at(3, 2)]
    assert ask(state, "footprint_of", ELL, at(1, 1), 2) == [at(2, 1), at(2, 2), at(1, 3), at(2, 3)]
    assert ask(state, "footprint_of", ELL, at(1, 1), 3) == [at(1, 1), at(2, 1), at(3, 1), at(3, 2)]


def test_turns_are_counted_round(game: Game) -> None:
    state = game.new_state()
    assert ask(state, "footprint_of", ELL, at(1, 1), 5) == ask(state, "footprint_of", ELL, at(1, 1), 1)


@pytest.mark.parametrize(("space", "turns"), [((6, 1), 0), ((1, 5), 0), ((5, 1), 1), ((1, 6), 1)])
def test_a_spot_that_leaves_the_board_has_no_footprint(game: Game, space: tuple[int, int], turns: int) -> None:
    assert ask(game.new_state(), "footprint_of", ELL, at(*space), turns) == []


def test_the_box_may_reach_to_the_edges(game: Game) -> None:
    assert ask(game.new_state(), "footprint_of", ELL, at(5, 4), 0) == [at(5, 4), at(6, 4), at(5, 5), at(5, 6)]


# ---------------------------------------------------------------- covering


def test_later_pieces_lie_over_earlier_ones(game: Game) -> None:
    state = laid(game, ("ell", "c2r2", 0), ("domino", "c1r3", 0))
    assert ask(state, "shown_at", at(2, 3)) == OPEN
    assert ask(state, "top_at", at(2, 3)) == DOMINO
    assert ask(state, "shown_at", at(2, 2)) == WALL
    assert ask(state, "top_at", at(2, 2)) == ELL
    assert ask(state, "shown_at", at(5, 5)) is None
    assert ask(state, "top_at", at(5, 5)) is None
    assert not ask(state, "bare", ELL)
    assert ask(state, "bare", DOMINO)
    assert ask(state, "cells_of", ELL) == [at(2, 2), at(3, 2), at(2, 3), at(2, 4)]


def test_a_blank_is_no_cell(game: Game) -> None:
    state = laid(game, ("dot", "c3r3", 0), ("ring", "c2r2", 0))
    assert ask(state, "top_at", at(3, 3)) == DOT
    assert ask(state, "bare", DOT)


def test_what_is_not_laid_covers_nothing_and_is_not_uncovered(game: Game) -> None:
    state = game.new_state()
    assert ask(state, "cells_of", ELL) == []
    assert not ask(state, "bare", ELL)


def test_taking_a_piece_away_shows_what_was_below(game: Game) -> None:
    state = laid(game, ("ell", "c2r2", 0), ("domino", "c1r3", 0), ("dot", "c2r3", 0))
    state.apply("take(c=domino)")
    assert ask(state, "top_at", at(2, 3)) == DOT
    assert ask(state, "top_at", at(1, 3)) is None
    state.apply("take(c=dot)")
    assert ask(state, "top_at", at(2, 3)) == ELL
    assert ask(state, "bare", ELL)


def test_a_piece_that_is_laid_anew_comes_to_the_top(game: Game) -> None:
    state = laid(game, ("ell", "c2r2", 0), ("domino", "c1r3", 0))
    state.apply("shift(c=ell, s=c2r2/0)")
    assert ask(state, "top_at", at(2, 3)) == ELL
    assert state._position.z[game.layout.zones["mat"].base] == [DOMINO, ELL]


def test_moving_all_away_clears_the_board(game: Game) -> None:
    state = laid(game, ("ell", "c2r2", 0), ("domino", "c1r3", 0), ("dot", "c2r3", 0))
    state.apply("clear")
    assert ask(state, "all_cells") == []
    assert all(ask(state, "top_at", x) is None for x in range(36))


# ---------------------------------------------------------------- ports


def test_ports_of_a_piece_that_is_not_laid_name_its_cells(game: Game) -> None:
    state = game.new_state()
    # Cells by number: 0 and 1 in the south row, 2 above, 3 at the top; 1 and 3 are open.
    expected = [(ELL, -2, d) for d in (NORTH, EAST, SOUTH)] + [(ELL, -4, d) for d in (NORTH, EAST, WEST)]
    assert ask(state, "ports_of", ELL) == expected
    assert ask(state, "beyond_port", (ELL, -2, NORTH)) is None
    assert ask(state, "facing_of_port", (ELL, -2, EAST)) == EAST
    assert ask(state, "piece_of_port", (ELL, -2, EAST)) == ELL
    with pytest.raises(Exception, match="is on no space"):
        ask(state, "cell_of_port", (ELL, -2, EAST))


def test_ports_of_a_laid_piece_turn_with_it(game: Game) -> None:
    state = laid(game, ("domino", "c3r3", 1))
    # A quarter turn clockwise brings the open east end to the south.
    assert ask(state, "ports_of", DOMINO) == [(DOMINO, at(3, 3), d) for d in (EAST, SOUTH, WEST)]
    port = (DOMINO, at(3, 3), SOUTH)
    assert ask(state, "beyond_port", port) == at(3, 2)
    assert ask(state, "cell_of_port", port) == at(3, 3)


def test_a_hole_has_ports(game: Game) -> None:
    state = laid(game, ("ring", "c2r2", 0))
    assert (RING, at(2, 3), EAST) in ask(state, "ports_of", RING)


def test_ports_open_to_nothing_off_the_board(game: Game) -> None:
    state = laid(game, ("domino", "c5r1", 0))
    assert ask(state, "beyond_port", (DOMINO, at(6, 1), EAST)) is None
    assert ask(state, "beyond_port", (DOMINO, at(6, 1), SOUTH)) is None
    assert ask(state, "beyond_port", (DOMINO, at(6, 1), NORTH)) == at(6, 2)


def test_a_covered_port_is_none(game: Game) -> None:
    state = laid(game, ("domino", "c2r2", 0), ("ell", "c3r2", 0))
    assert ask(state, "ports_of", DOMINO) == []
    assert ask(state, "port_there", at(3, 2), NORTH) is None
    assert ask(state, "port_there", at(4, 2), EAST) == (ELL, at(4, 2), EAST)
    state.apply("take(c=ell)")
    assert ask(state, "ports_of", DOMINO) == [(DOMINO, at(3, 2), d) for d in (NORTH, EAST, SOUTH)]
    assert ask(state, "port_there", at(3, 2), NORTH) == (DOMINO, at(3, 2), NORTH)
    assert ask(state, "port_there", at(3, 2), WEST) is None
    assert ask(state, "port_there", at(5, 5), WEST) is None


# ---------------------------------------------------------------- spot_for


def test_spot_for_brings_a_port_to_its_place(game: Game) -> None:
    state = game.new_state()
    port = (ELL, -2, EAST)
    assert ask(state, "spot_of", port, at(4, 4), EAST) == (at(3, 4), 0)
    assert ask(state, "spot_of", port, at(4, 4), SOUTH) == (at(4, 4), 1)
    for space in range(36):
        for direction in (NORTH, EAST, SOUTH, WEST):
            found = ask(state, "spot_of", port, space, direction)
            if found is not None:
                placed = laid(game, ("ell", game.tables.ids["Mat"][found[0]], found[1]))
                assert (ELL, space, direction) in ask(placed, "ports_of", ELL)


def test_spot_for_finds_every_spot(game: Game) -> None:
    state = game.new_state()
    spots = {ask(state, "spot_of", (ELL, -2, EAST), x, d) for x in range(36) for d in (NORTH, EAST, SOUTH, WEST)}
    every = {(x, n) for x in range(36) for n in range(4) if ask(state, "footprint_of", ELL, x, n)}
    assert spots - {None} == every


@pytest.mark.parametrize(
    ("space", "direction"), [((1, 1), EAST), ((6, 6), EAST), ((1, 6), NORTH), ((3, 3), 1), ((3, 3), 7)]
)
def test_spot_for_is_none_off_the_board_and_askew(game: Game, space: tuple[int, int], direction: int) -> None:
    assert ask(game.new_state(), "spot_of", (ELL, -2, EAST), at(*space), direction) is None


def test_spot_for_takes_ports_of_laid_pieces(game: Game) -> None:
    state = laid(game, ("ell", "c2r2", 3))
    for port in ask(state, "ports_of", ELL):
        assert ask(state, "spot_of", port, port[1], port[2]) == (at(2, 2), 3)
    port = ask(state, "ports_of", ELL)[0]
    state.apply("take(c=ell)")
    with pytest.raises(Exception, match="no longer lies there"):
        ask(state, "spot_of", port, port[1], port[2])


# ---------------------------------------------------------------- positions


def test_supposing_leaves_the_board_alone(game: Game) -> None:
    state = laid(game, ("domino", "c2r2", 0))
    before = lists(state)
    assert ask(state, "bare_if_laid", ELL, (at(3, 2), 0)) == [ELL]
    assert ask(state, "bare_if_laid", ELL, (at(4, 2), 0)) == [ELL, DOMINO]
    assert lists(state) == before
    state.apply("put_down(c=ell, x=c3r2, n=0)")
    before = lists(state)
    assert len(ask(state, "ports_if_taken", ELL, DOMINO)) == 3
    assert ask(state, "ports_of", DOMINO) == []
    assert lists(state) == before


def test_clones_are_independent(game: Game) -> None:
    state = laid(game, ("domino", "c2r2", 0))
    before = lists(state)
    clone = state.clone()
    clone.apply("put_down(c=ell, x=c3r2, n=0)")
    clone.apply("take(c=domino)")
    assert lists(state) == before
    assert ask(clone, "top_at", at(2, 2)) is None
    assert ask(state, "top_at", at(2, 2)) == DOMINO


def test_a_record_knows_the_spots(game: Game) -> None:
    state = laid(game, ("domino", "c2r2", 0))
    assert ask(state, "seen") == 1
    state.apply("shift(c=domino, s=c2r2/2)")
    assert ask(state, "seen") == 1
    state.apply("shift(c=domino, s=c2r2/0)")
    assert ask(state, "seen") == 2


def lists(state: State) -> list[Any]:
    S = state._position
    return [[x[:] for x in S.z], *(list(getattr(S, f"{name}_Piece")) for name in ("spot", "cover", "ports", "hidden"))]


# ---------------------------------------------------------------- texts


def test_texts_of_spots_and_ports_are_read_back(game: Game) -> None:
    state = laid(game, ("domino", "c2r2", 0))
    texts = [str(action) for action in state.legal_actions()]
    assert "shift(c=domino, s=c3r4/1)" in texts
    assert "note(c=domino, q=domino/c3r2/east)" in texts
    assert "note(c=ell, q=ell/1/north)" in texts
    for action in state.legal_actions():
        assert game.parse_action(str(action)) is action
        if action.name == "note":
            assert action.id is None
        else:
            assert game.action_table[action.id] is action


@pytest.mark.parametrize("spot", ["c3r4/4", "c3r4/-1", "c7r1/0", "c3r4", "/1", "c3r4/x"])
def test_other_texts_are_no_spots(game: Game, spot: str) -> None:
    assert game.parse_action(f"shift(c=domino, s={spot})") is None


def test_variables_hold_spots_and_ports(game: Game) -> None:
    state = laid(game, ("domino", "c2r2", 3))
    assert state._position.v_last == (at(2, 2), 3)
    state.apply("note(c=domino, q=domino/c2r3/north)")
    assert state._position.v_mark == (DOMINO, at(2, 3), NORTH)


# ---------------------------------------------------------------- against a model


DRAWINGS = {ELL: ["o ", "x ", "xo"], DOMINO: ["xo"], RING: ["xox", "o x", "xxx"], DOT: ["o"]}
OFFSETS = {NORTH: (0, 1), EAST: (1, 0), SOUTH: (0, -1), WEST: (-1, 0)}


def painted(piece: int, spot: tuple[int, int]) -> dict[tuple[int, int], str]:
    """Column and row of each cell with its letter, by turning the lines of the drawing."""
    lines = DRAWINGS[piece]
    for _ in range(spot[1]):
        lines = ["".join(column) for column in zip(*lines[::-1], strict=True)]
    column, row = spot[0] % 6 + 1, spot[0] // 6 + 1
    return {
        (column + x, row + len(lines) - 1 - y): letter
        for y, line in enumerate(lines)
        for x, letter in enumerate(line)
        if letter != " "
    }


def test_random_play_agrees_with_painting(game: Game) -> None:
    chance = random.Random(5)
    state = game.new_state()
    order: list[tuple[int, tuple[int, int]]] = []
    while not state.is_over:
        action = chance.choice(state.legal_actions())
        kind = action.name
        state.apply(action)
        if kind == "note":
            continue
        if kind == "clear":
            order = []
        else:
            piece = action.key[0]
            order = [entry for entry in order if entry[0] != piece]
            if kind != "take":
                order.append((piece, state._position.v_last))
        compare(state, order)


def compare(state: State, order: list[tuple[int, tuple[int, int]]]) -> None:
    top: dict[tuple[int, int], tuple[int, str]] = {}
    for piece, spot in order:
        top.update({cell: (piece, letter) for cell, letter in painted(piece, spot).items()})
    ports: dict[int, set[Any]] = {piece: set() for piece, _ in order}
    for (column, row), (piece, letter) in top.items():
        own = painted(piece, dict(order)[piece])
        for direction, (dx, dy) in OFFSETS.items():
            if letter == "o" and (column + dx, row + dy) not in own:
                ports[piece].add((piece, at(column, row), direction))
    for space in range(36):
        piece, letter = top.get((space % 6 + 1, space // 6 + 1), (None, None))
        assert ask(state, "top_at", space) == piece
        assert ask(state, "shown_at", space) == {None: None, "o": OPEN, "x": WALL}[letter]
        for direction in OFFSETS:
            port = (piece, space, direction)
            assert ask(state, "port_there", space, direction) == (port if port in ports.get(piece, ()) else None)
    for piece, spot in order:
        cells = painted(piece, spot)
        assert ask(state, "cells_of", piece) == sorted(at(*cell) for cell in cells)
        assert ask(state, "bare", piece) == all(top[cell][0] == piece for cell in cells)
        assert set(ask(state, "ports_of", piece)) == ports[piece]
    copy = state._position.clone()
    state.game.tables.laid["Piece"].rebuild(copy)
    for name in LISTS:
        assert getattr(copy, f"{name}_Piece") == getattr(state._position, f"{name}_Piece")


# ---------------------------------------------------------------- other boards and shapes

OTHER = """\
rulespec: 1
id: others
title: Others
players: 1
about: A board with holes and pieces that may not be turned freely.

types:
  Column: [west_side, middle_side, east_side]

boards:
  Holed: {grid: 4 x 4, only: not (col == 2 and row == 2)}
  Named: {grid: {column: Column, row: 0..3}}

components:
  Bar:
    fields: {mask: text}
    shape: {from: mask, letters: {o: open, x: wall}, ports: open, turns: half}
    rows: [{id: bar, mask: oxx}]
  Post:
    fields: {mask: text}
    shape: {from: mask, letters: {o: open, x: wall}, ports: open, turns: none}
    rows: [{id: post, mask: xo}, {id: other, mask: xo}]

zones:
  holed: {holds: Bar, laid_on: Holed}
  one:   {holds: Post, laid_on: Named}
  two:   {holds: Post, laid_on: Named}

functions:
  bar_at(Holed x, 0..3 n): footprint(bar, spot(x, n))
  bar_for(Holed.Port q, Holed x, direction d): spot_for(q, x, d)
  post_at(Named x, 0..3 n): footprint(post, spot(x, n))
  bar_ports(): ports(bar)
  top_one(Named x): piece_at(one, x)
  top_two(Named x): piece_at(two, x)

actions:
  lay_bar:
    with: x in Holed, n in 0..3
    do: move bar to holed at spot(x, n)
  lay_post:
    with: c in Post, x in Named, w in 0..1
    do: |
      if w == 1:
        move c to one at spot(x, 0)
      else:
        move c to two at spot(x, 0)

phases:
  play: {turns: {times: 20}, actions: [lay_bar, lay_post]}
"""


@pytest.fixture(scope="module")
def others(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return made(tmp_path_factory.mktemp("others"), OTHER)


def names(game: Game, board: str, spaces: list[int]) -> list[str]:
    return [game.tables.ids[board][x] for x in spaces]


def test_a_piece_lies_over_no_hole(others: Game) -> None:
    state, number = others.new_state(), others.tables.numbers["Holed"]
    assert names(others, "Holed", ask(state, "bar_at", number["c1r1"], 0)) == ["c1r1", "c2r1", "c3r1"]
    assert ask(state, "bar_at", number["c1r2"], 0) == []
    assert ask(state, "bar_for", (0, -1, WEST), number["c1r2"], WEST) is None
    assert ask(state, "bar_for", (0, -1, WEST), number["c2r4"], WEST) == (number["c2r4"], 0)
    assert ask(state, "bar_for", (0, -1, WEST), number["c3r4"], EAST) == (number["c1r4"], 2)
    state.apply("lay_bar(x=c2r3, n=0)")
    assert ask(state, "bar_ports") == [(0, number["c2r3"], d) for d in (NORTH, SOUTH, WEST)]
    assert others.tables.columns["beyond_Bar_Holed"][number["c2r3"]][SOUTH] is None


def test_turns_that_a_shape_does_not_allow(others: Game) -> None:
    state, number = others.new_state(), others.tables.numbers["Holed"]
    assert ask(state, "bar_at", number["c3r1"], 1) == []
    assert ask(state, "bar_for", (0, -1, WEST), number["c3r3"], NORTH) is None
    with pytest.raises(RuleError, match="would not lie on the board entirely, or may not be turned so"):
        state.apply("lay_bar(x=c3r1, n=1)")
    assert ask(state, "post_at", 0, 2) == []


def test_zones_on_one_board_do_not_cover_each_other(others: Game) -> None:
    state, number = others.new_state(), others.tables.numbers["Named"]
    assert names(others, "Named", ask(state, "post_at", number["west_side0"], 0)) == ["west_side0", "middle_side0"]
    state.apply("lay_post(c=post, x=west_side0, w=1)")
    state.apply("lay_post(c=other, x=west_side0, w=0)")
    assert (ask(state, "top_one", number["west_side0"]), ask(state, "top_two", number["west_side0"])) == (0, 1)
    state.apply("lay_post(c=post, x=west_side0, w=0)")
    assert (ask(state, "top_one", number["west_side0"]), ask(state, "top_two", number["west_side0"])) == (None, 0)
