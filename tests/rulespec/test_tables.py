"""Rows of record types and components, constant tables: where values come from and how they are read."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulespec import checked as ir
from rulespec.check import types as t


def values(table: ir.Table, field: str) -> list[Any]:
    """The plain values of a field, row by row."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple):
            return [plain(part) for part in value]
        if isinstance(value, ir.Convert):
            assert isinstance(value.value, ir.ListOf)
            return {plain(item) for item in value.value.items}
        return value.row if isinstance(value, ir.RowRef) else value.value

    return [plain(row.values[field]) for row in table.rows]


def test_a_csv_of_every_kind_of_column(game: Any) -> None:
    spec = game.checked(
        """
types:
  Breed: [big, small]
  Mark: [spot, stripe, star]
components:
  Piece:
    faces: [front, back]
    fields:
      breed: Breed
      size: 0..9 by 1/2
      good: bool
      name: text
      other: optional Breed
      "bar[1..3]": 0..9
      "gives[Breed]": 0..9
      marks: set of Mark per face
    rows: rows.csv
""",
        rows_csv="id,breed,size,good,name,other,bar1,bar2,bar3,gives_big,gives_small,marks_front,marks_back,count\n"
        'one,big,7½,yes,"A, B",small,1,2,3,4,5,spot star,,2\n'
        "two,small,3/2,false,,,1,1,1,0,0,stripe,spot,\n",
    )
    table = spec.tables["Piece"]

    assert [0, 1] == values(table, "breed")
    assert [Fraction(15, 2), Fraction(3, 2)] == values(table, "size")
    assert [True, False] == values(table, "good")
    assert ["A, B", ""] == values(table, "name")
    assert [1, None] == values(table, "other")
    assert [[1, 2, 3], [1, 1, 1]] == values(table, "bar")
    assert [[4, 5], [0, 0]] == values(table, "gives")
    assert [[{0, 2}, set()], [{1}, {0}]] == values(table, "marks")
    assert [2, 1] == [row.copies for row in table.rows]
    assert "rows.csv" in table.rows[1].span.path
    assert 3 == table.rows[1].span.line


def test_inline_lists_and_maps_for_indices_and_faces(game: Any) -> None:
    spec = game.checked(
        """
types:
  Stand: [left_stand, right_stand]
components:
  Piece:
    faces: [front, back]
    fields:
      "stock[Stand, 1..2]": 0..9
      gems: 0..3 per face
    rows:
      - {id: a, stock: [[1, 2], [3, 4]], gems: [1, 0]}
      - {id: b, stock: {right_stand: [1, 2], left_stand: {2: 8, 1: 7}}, gems: {back: 2, front: 3}}
      - {id: c, stock_left_stand_1: 5, stock_left_stand_2: 6, stock_right_stand_1: 7, stock_right_stand_2: 8,
         gems_front: 1, gems_back: 1}
""",
    )
    table = spec.tables["Piece"]

    assert [[1, 2, 3, 4], [7, 8, 1, 2], [5, 6, 7, 8]] == values(table, "stock")
    assert [[1, 0], [3, 2], [1, 1]] == values(table, "gems")


def test_cells_may_be_expressions_over_options_and_name_rows_of_other_tables(game: Any) -> None:
    spec = game.checked(
        """
options:
  most: {type: 1..4, default: 2}
boards:
  Plot: |
    a-b
types:
  Gap: {fields: {one: Plot, other: optional Plot, width: 1..8}, rows: [{id: gap, one: a, other: b, width: 2 * most}]}
""",
    )
    [row] = spec.tables["Gap"].rows

    assert ["a"] == values(spec.tables["Gap"], "one")
    assert isinstance(row.values["width"], ir.Binary)
    assert ["RS462"] == game.codes(
        """
options:
  most: {type: 1..4, default: 2}
types:
  Gap: {fields: {width: 1..7}, rows: [{width: 2 * most}]}
""",
    )


def test_ids_without_an_id_column(game: Any) -> None:
    spec = game.checked("components:\n  Piece: {fields: {size: 1..9}, rows: [{size: 1}, {size: 2}]}\n")

    assert ["Piece_1", "Piece_2"] == [row.id for row in spec.tables["Piece"].rows]


def test_rows_of_all_are_named_by_their_values(game: Any) -> None:
    text = """
types:
  Suit: [clubs, spades]
  Rank: [jack, queen, king]
components:
  Card: {fields: {suit: Suit, rank: Rank}, rows: all where rank != king or suit == spades}
functions:
  black_lady(): spades_queen
"""
    spec = game.checked(text)
    table = spec.tables["Card"]

    assert (True, True) == (table.every, table.all_where is not None)
    assert [local.name for local in table.row_locals] == ["suit", "rank"]
    assert ["RS301"] == game.codes(text.replace("spades_queen", "clubs_king"))


def test_rows_of_all_over_another_table(game: Any) -> None:
    game.checked(
        """
types:
  Side: [left_side, right_side]
  Meld: {fields: {pair: Pair, side: Side}, rows: all}
  Pair: {fields: {a: 1..2, b: 1..2}, rows: all where a < b}
functions:
  one(): any(m in Meld where m.pair.a == 1)
""",
    )


def test_a_condition_over_options_names_every_row_that_may_exist(game: Any) -> None:
    text = """
options:
  most: {type: 1..3, default: 3}
components:
  Card: {fields: {rank: 1..3}, rows: all where rank <= most}
"""
    spec = game.checked(text)

    assert spec.tables["Card"].all_where is not None


def test_computed_columns_and_labels(game: Any) -> None:
    spec = game.checked(
        """
types:
  Card:
    fields: {rank: 1..13}
    rows: all
    computed: {worth: "min(10, rank)", double: worth * 2}
    label: "card {rank} worth {worth}, {id}"
functions:
  sum_of(): sum(c.double for c in Card)
""",
    )
    table = spec.tables["Card"]

    assert ["worth", "double"] == [name for name, _ in table.computed]
    assert t.NumberType(Fraction(2), Fraction(20), Fraction(2)) == table.fields["double"].type or (
        isinstance(table.fields["double"].type, t.NumberType) and Fraction(20) == table.fields["double"].type.high
    )
    assert table.label is not None
    assert ["rank", "worth", "double", "id"] == [local.name for local in table.row_locals]


@pytest.mark.parametrize("column", ["rows: all where id == 3", "rows: all\n    computed: {worth: id}"])
def test_ids_are_for_labels_only(game: Any, column: str) -> None:
    _, found = game.diagnose(f"""
types:
  Card:
    fields: {{rank: 1..13}}
    {column}
    label: "{{id}}"
""")

    assert [("RS301", "there is nothing called `id` here", _ID)] == [(d.code, d.message, d.hint) for d in found]


_ID = "a row's `id` can be shown in its `label`, and is read nowhere else"


def test_rules_in_rows_have_parameters_of_their_own(game: Any) -> None:
    spec = game.checked(
        """
variables:
  gold: {per: player, type: 0..9}
components:
  Tile:
    fields: {"points(player p)": 0..20, "use(player p)": effect}
    rows:
      - {id: one, points: "gold[p] * 2", use: "raise gold[p] by up to 1"}
      - id: two
        points: |
          if gold[p] > 3:
            return 3
          return gold[p]
        use: |
          for q in others(p):
            lower gold[q] by up to 1
zones:
  pile: {holds: Tile, order: stack, starts: Tile}
functions:
  total(player p): sum(tile.points(p) for tile in pile)
actions:
  use:
    with: tile in pile
    do: tile.use(me)
phases:
  walk: {turns: {rounds: 1}, actions: [use]}
""",
    )
    one, two = spec.tables["Tile"].rows

    assert one.values["points"][0][0] is not two.values["points"][0][0]
    assert isinstance(one.values["points"][1], ir.Expr)
    assert isinstance(two.values["points"][1], tuple)
    assert isinstance(one.values["use"][1][0], ir.Stmt)


def test_shapes_keep_their_drawing_and_letters(game: Any) -> None:
    spec = game.checked(
        """
boards:
  Field: {grid: 9 x 9}
components:
  Rug:
    fields: {name: text}
    rows:
      - {name: Corner, mask: "xo/x"}
      - name: Bar
        mask: |
          xxo
    shape: {from: mask, letters: {x: wool, o: hole}, ports: hole, turns: quarter}
zones:
  floor: {holds: Rug, laid_on: Field}
""",
    )
    table = spec.tables["Rug"]

    assert ["xo\nx", "xxo"] == values(table, "mask")
    assert table.shape is not None
    assert (("x", 0), ("o", 1)) == table.shape.letters
    assert ("wool", "hole") == spec.enums[table.shape.enum]
    assert (1, "quarter") == (table.shape.ports, table.shape.turns)


def test_seats_with_names_are_values(game: Any) -> None:
    spec = game.checked(
        """
rulespec: 1
id: walk
title: A Walk
about: Things happen.
seats: [white, black]
types:
  Rank: [man, lord]
  Piece: {fields: {side: player, rank: Rank}, rows: all}
components:
  Flag: {fields: {of: player}, rows: [{of: white}, {of: black}]}
functions:
  best(): white_lord
actions:
  rest: nothing
phases:
  walk: {turns: {rounds: 1}, actions: [rest]}
""",
    )

    assert [0, 1] == values(spec.tables["Flag"], "of")


# ---------------------------------------------------------------- constant tables


def entries(spec: ir.CheckedSpec, name: str) -> list[Any]:
    return [e.value for e in spec.constants[name].entries if isinstance(e, ir.Const)]


def test_tables_of_lists_and_maps(game: Any) -> None:
    spec = game.checked(
        """
types:
  Stand: [left_stand, right_stand]
tables:
  award: {per: [2..3, 1..2], type: 0..9, values: [[8, 4], [7, 3]]}
  price: {per: [Stand, 1..2], type: 0..9, values: {right_stand: 3 4, left_stand: [1, 2]}}
""",
    )

    assert [8, 4, 7, 3] == entries(spec, "award")
    assert [1, 2, 3, 4] == entries(spec, "price")


def test_drawn_tables_may_count_their_lines_downwards(game: Any) -> None:
    spec = game.checked(
        """
types:
  Sheet: [one, two]
  Ground: [grass, sand]
tables:
  plan:
    per: [Sheet, 2..1, 1..3]
    type: Ground
    letters: {g: grass, s: sand}
    values:
      two: |
        s s s
        g g g
      one: |
        ggs
        sgg
""",
    )

    assert [1, 0, 0, 0, 0, 1] == entries(spec, "plan")[:6]
    assert [0, 0, 0, 1, 1, 1] == entries(spec, "plan")[6:]


def test_places_of_mistakes_in_drawn_tables_are_exact(game: Any) -> None:
    _, found = game.diagnose(
        """
tables:
  plan:
    per: [1..2, 1..3]
    type: 0..5
    values: |
      1 2 3
      4 12 5
""",
    )
    [wrong] = found

    assert ("RS462", 14, 9) == (wrong.code, wrong.line, wrong.column)
    assert 11 == wrong.span.end_column
