"""What is quick about laid pieces is also right: tests of what a piece would cover, and results that are kept."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import rulespec
from interpreter import Game, State

SPEC = """\
rulespec: 1
id: quick
title: Quick
players: 1
about: Pieces laid in two zones of a board.
types:
  Ground: [open, wall, rim]
boards:
  Field: BOARD
components:
  Piece:
    fields: {mask: text, worth: {type: 0..9 per face}}
    faces: [front, back]
    rows:
      - {id: ell, mask: "o#/ox/xx", worth_front: 1, worth_back: 2}
      - {id: i, mask: "o/x/#", worth_front: 3, worth_back: 4}
      - {id: dot, mask: "o", worth_front: 5, worth_back: 6}
      - {id: bar, mask: "oxo#", worth_front: 7, worth_back: 8}
    shape: {from: mask, letters: {o: open, x: wall, "#": rim}, ports: open, turns: quarter}
zones:
  hand: {holds: Piece, starts: Piece, seen_by: everyone}
  one: {holds: Piece, laid_on: Field, seen_by: everyone}
  two: {holds: Piece, laid_on: Field, seen_by: everyone}
variables:
  extra: {type: 0..9}
functions:
  bare(Piece c, Field.Spot s): all(shown(one, x) == none for x in footprint(c, s))
  on_rims(Piece c, Field.Spot s): all(shown(one, x) in [none, rim] for x in footprint(c, s))
  on_something(Piece c, Field.Spot s): all(shown(one, x) != none for x in footprint(c, s))
  over_open(Piece c, Field.Spot s): any(shown(one, x) == open for x in footprint(c, s))
  over_no_wall(Piece c, Field.Spot s): not any(x in footprint(c, s) where shown(one, x) == wall)
  over_bare(Piece c, Field.Spot s): any(shown(one, x) == none or shown(one, x) == rim for x in footprint(c, s))
  other_bare(Piece c, Field.Spot s): all(shown(two, x) == none for x in footprint(c, s))
  other_walls(Piece c, Field.Spot s): any(shown(two, x) == wall for x in footprint(c, s))
  clear_spots(Piece c): |
    let spots = those(spot(x, n) for x in Field, n in 0..3)
    return those(s in spots where bare(c, s))
  own_part(Piece c, Field.Spot s): any(piece_at(one, x) == c for x in footprint(c, s))
  joined(Piece c): those(q.piece for n in ports(c), b in n.beyond, q in port_at(one, b, opposite(n.facing)))
  island(Piece c): reached(y from c by z in joined(y))
  rich(Piece c): those(y for y in joined(c) where y.worth > extra)
  above(1..9 n): count(c in one where count(ports(c)) >= n)
  shown_worth(Piece c): sum(y.worth for y in joined(c))
  in_hand(Piece c): count(y in hand where y != c)
  anywhere(Piece c, Field.Spot s): count(x in footprint(c, s) where shown(one, x) == wall)
actions:
  lay: {with: "c in hand, x in Field, n in 0..3 where footprint(c, spot(x, n))", do: "move c to one at spot(x, n)"}
  lay_two: {with: "c in hand, x in Field, n in 0..3 where footprint(c, spot(x, n))", do: "move c to two at spot(x, n)"}
  take: {with: c in one, do: move c to hand}
  take_two: {with: c in two, do: move c to hand}
  turn: {with: c in one, do: turn c over}
  count_up: {when: extra < 9, do: extra += 1}
phases:
  play: {turns: {rounds: 500}, actions: [lay, lay_two, take, take_two, turn, count_up]}
invariants:
  all_used: >-
    all(bare(c, spot(x, 0)) or on_rims(c, spot(x, 0)) or on_something(c, spot(x, 0)) or over_open(c, spot(x, 0))
        or over_no_wall(c, spot(x, 0)) or over_bare(c, spot(x, 0)) or own_part(c, spot(x, 0))
        or anywhere(c, spot(x, 0)) >= 0 for c in hand, x in Field)
    and all(other_bare(c, spot(x, 0)) or other_walls(c, spot(x, 0)) or true for c in hand, x in Field)
    and all(island(c) and count(rich(c)) + above(1) + shown_worth(c) + in_hand(c) + count(clear_spots(c)) >= 0
        for c in Piece)
"""


BOARDS = {"full": "{grid: 7 x 6}", "with a hole": "{grid: 6 x 5, only: not (col == 3 and row == 4)}"}


@pytest.fixture(scope="module", params=list(BOARDS.values()), ids=list(BOARDS))
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("quick") / "game.yaml"
    path.write_text(SPEC.replace("BOARD", request.param), encoding="utf-8")
    return Game(rulespec.load(str(path)))


def positions(game: Game, seed: int, decisions: int = 60) -> Any:
    """The states of a random game, which lays more than it takes."""
    state, chance = game.new_state(seed=seed), random.Random(seed)
    for _ in range(decisions):
        options = state.legal_actions()
        name = chance.choice(["lay", "lay", "lay_two", "take", "take_two", "turn", "count_up"])
        state.apply(chance.choice([o for o in options if o.name == name] or options))
        yield state


OPEN, WALL, RIM = 0, 1, 2
TESTS = [
    ("bare", "one", lambda letters: all(x is None for x in letters)),
    ("on_rims", "one", lambda letters: all(x in (None, RIM) for x in letters)),
    ("on_something", "one", lambda letters: all(x is not None for x in letters)),
    ("over_open", "one", lambda letters: OPEN in letters),
    ("over_no_wall", "one", lambda letters: WALL not in letters),
    ("over_bare", "one", lambda letters: any(x in (None, RIM) for x in letters)),
    ("other_bare", "two", lambda letters: all(x is None for x in letters)),
    ("other_walls", "two", lambda letters: WALL in letters),
]


@pytest.mark.parametrize(("name", "zone", "expected"), TESTS, ids=[name for name, _, _ in TESTS])
def test_what_a_piece_would_cover(game: Game, name: str, zone: str, expected: Any) -> None:
    """As a look at each space says; what would not lie on the board covers nothing."""
    module = game.module()
    ground, letter_of = module.namespace["ground_Piece_Field"], module.namespace["letter_Piece"]
    start = 0 if zone == "one" else len(ground.geometry.cells)
    assert ".meets" in re.search(rf"def f_{name}\(.*?(?=\ndef )", module.source, re.S)[0]  # type: ignore[index]
    for state in positions(game, 7):
        S = state._position
        for piece in range(4):
            for space in range(len(ground.geometry.cells)):
                for turns in range(4):
                    spaces = ground.footprint(piece, (space, turns))
                    letters = [letter_of[S.cover_Piece[start + x]] for x in spaces]
                    assert module.function(f"f_{name}")(S, piece, (space, turns)) == expected(letters)


def test_the_spots_where_a_piece_would_cover_nothing_are_found_at_once(game: Game) -> None:
    module = game.module()
    spaces = len(module.namespace["ground_Piece_Field"].geometry.cells)
    spots = [(space, turns) for space in range(spaces) for turns in range(4)]
    assert ".which_clear(" in re.search(r"def anew_f_clear_spots\(.*?(?=\ndef )", module.source, re.S)[0]  # type: ignore[index]
    for state in positions(game, 9):
        for piece in range(4):
            clear = [spot for spot in spots if module.function("f_bare")(state._position, piece, spot)]
            assert clear == module.function("anew_f_clear_spots")(state._position, piece)


def test_other_questions_of_a_footprint_are_asked_space_by_space(game: Game) -> None:
    for name in ("own_part", "anywhere"):
        body = re.search(rf"def f_{name}\(.*?(?=\ndef )", game.module().source, re.S)
        assert body is not None
        assert ".meets" not in body[0]


def test_what_is_kept_depends_on_laid_pieces_alone(game: Game) -> None:
    kept = set(re.findall(r"def anew_f_(\w+)", game.module().source))
    assert {"joined", "island", "above", "clear_spots"} == kept  # not: a variable, a face, the hand, too many spots


def test_kept_results_are_those_worked_out_anew(game: Game) -> None:
    module = game.module()
    kept = [(name, range(1, 10) if name == "above" else range(4)) for name in ("joined", "island", "above")]
    for state in positions(game, 3, 200):
        for _ in range(2):
            for name, values in kept:
                for value in values:
                    found = module.function(f"f_{name}")(state._position, value)
                    assert found == module.function(f"anew_f_{name}")(state._position, value)
        assert module.function("f_joined")(state._position, 0) is module.function("f_joined")(state._position, 0)


def test_a_copy_has_results_of_its_own_once_it_moves_a_piece(game: Game) -> None:
    state = game.new_state(seed=0)
    state.apply("lay(c=dot, x=c3r3, n=0)")
    before = worth(state, "joined", 2)
    copy = state.clone()
    assert copy._position.known_Piece is state._position.known_Piece
    copy.apply("lay(c=i, x=c5r1, n=2)")
    assert copy._position.known_Piece is not state._position.known_Piece
    assert before == worth(state, "joined", 2) == []
    assert worth(copy, "above", 1) == 2
    assert worth(state, "above", 1) == 1


def worth(state: State, name: str, value: int) -> Any:
    return state.game.module().function(f"f_{name}")(state._position, value)


def test_positions_read_from_a_save_begin_without_results(game: Game) -> None:
    state = game.new_state(seed=0)
    state.apply("lay(c=dot, x=c3r3, n=0)")
    worth(state, "above", 1)
    again = game.state_from_json(state.to_json())
    assert again._position.known_Piece == {}
    assert worth(again, "above", 1) == 1
