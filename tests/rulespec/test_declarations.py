"""Types, options, boards, zones, variables: what declarations become."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulespec import checked as ir
from rulespec.check import types as t


def test_aliases_take_the_ends_of_options(game: Any) -> None:
    spec = game.checked(
        """
options:
  size: {type: 3..9, default: 4}
types:
  Place: 1..size - 1
variables:
  here: {type: Place}
""",
    )
    variable = spec.variables["here"]

    assert t.NumberType(Fraction(1), Fraction(8)) == variable.type
    assert isinstance(variable.declared.high, ir.Binary)
    assert isinstance(variable.declared.low, ir.Const)


def test_steps_give_fractions(game: Any) -> None:
    spec = game.checked("variables:\n  score: {type: -2..9 by 1/2, start: 3½}\n")

    assert t.NumberType(Fraction(-2), Fraction(9), Fraction(1, 2)) == spec.variables["score"].type
    start = spec.variables["score"].start
    assert isinstance(start, ir.Const)
    assert Fraction(7, 2) == start.value


@pytest.mark.parametrize(
    ("type", "default", "value"),
    [
        ("bool", None, False),
        ("bool", "true", True),
        ("3..9", None, 3),
        ("-9..-3", None, -3),
        ("-3..3", None, 0),
        ("Tone", None, 0),
        ("Tone", "high", 1),
        ("'[high, top_tone]'", None, 1),
        ("set of Tone", None, 0),
        ("set of Tone", "[low, top_tone]", 0b101),
        ("optional Tone", None, None),
    ],
)
def test_defaults_of_options(game: Any, type: str, default: str | None, value: object) -> None:
    given = f", default: {default}" if default is not None else ""
    spec = game.checked(f"types:\n  Tone: [low, high, top_tone]\noptions:\n  x: {{type: {type}{given}}}\n")

    assert value == spec.options["x"].default


def test_a_range_is_tried_with_every_value_of_its_options(game: Any) -> None:
    text = "options:\n  a: {type: 1..4}\n  b: {type: bool}\nvariables:\n  x: {type: 'a..(9 if b else 3)'}\n"
    _, found = game.diagnose(text)

    assert ["the range `4..3` is upside down where `a` is 4 and `b` is false"] == [d.message for d in found]


def test_part_of_an_enum_keeps_its_order(game: Any) -> None:
    spec = game.checked("types:\n  Tone: [low, middle_tone, high]\nvariables:\n  x: {type: '[high, low]'}\n")

    assert t.EnumType("Tone") == spec.variables["x"].type
    assert (0, 2) == spec.variables["x"].declared.values


# ---------------------------------------------------------------- boards


def test_a_grid_with_names_and_holes(game: Any) -> None:
    spec = game.checked(
        """
boards:
  Square: {grid: 3 x 2, names: a1, only: (col + row) mod 2 == 0}
variables:
  mark:
    per: Square
    type: 0..9
    start:
      legend: {"1": 1, "2": 2, "3": 3, ".": 0}
      map: |
        .3.
        1.2
functions:
  corner(): a1
""",
    )
    start = spec.variables["mark"].start

    assert isinstance(start, tuple)
    assert [1, 2, 3] == [e.value for e in start if isinstance(e, ir.Const)]
    assert ["col", "row"] == list(spec.tables["Square"].fields)
    assert t.NumberType(Fraction(1), Fraction(3)) == spec.tables["Square"].fields["col"].type


def test_named_columns_and_a_space_in_front(game: Any) -> None:
    spec = game.checked(
        """
types:
  Column: [a, b, c]
boards:
  Tile:
    grid: {column: Column, row: 1..4}
    spaces: {gate: {column: b, row: 0, beside: [a1, b1, c1]}}
functions:
  front(): b4
""",
    )
    shape = spec.boards["Tile"]

    assert (("gate", "a1"), ("gate", "b1"), ("gate", "c1")) == shape.links
    assert ("gate",) == shape.spaces
    assert t.NumberType(Fraction(0), Fraction(4)) == spec.tables["Tile"].fields["row"].type
    [gate] = spec.tables["Tile"].rows
    assert "gate" == gate.id
    assert {"column", "row"} == set(gate.values)


def test_a_space_off_the_grid_makes_its_column_optional(game: Any) -> None:
    spec = game.checked("boards:\n  Point:\n    grid: 6 x 2\n    spaces: {bar: {}}\n")

    assert isinstance(spec.tables["Point"].fields["col"].type, t.OptionalType)


def test_a_drawn_map_has_links_and_places(game: Any) -> None:
    spec = game.checked(
        """
boards:
  Plot: |
    a--b
    |  |
    c  long
       |
       d
""",
    )
    shape = spec.boards["Plot"]

    assert ["a", "b", "c", "long", "d"] == [name for name, _, _ in shape.drawing]
    assert {("a", "b"), ("a", "c"), ("b", "long"), ("long", "d")} == set(shape.links)
    assert shape.grid is None
    assert ["a", "b", "c", "long", "d"] == [row.id for row in spec.tables["Plot"].rows]


def test_a_map_with_a_legend_is_a_grid_with_fields(game: Any) -> None:
    spec = game.checked(
        """
types:
  Ground: [grass, sand]
boards:
  Field:
    names: a1
    fields: {ground: Ground}
    legend: {g: {ground: grass}, s: {ground: sand}}
    map: |
      gs
      g gs
""".replace("    names: a1\n", ""),
    )
    rows = spec.tables["Field"].rows

    assert ["c1r1", "c3r1", "c4r1", "c1r2", "c2r2"] == [row.id for row in rows]
    assert [0, 0, 1, 0, 1] == [row.values["ground"].value for row in rows]
    assert [1, 3, 4, 1, 2] == [row.values["col"].value for row in rows]


def test_names_of_spaces_of_a_board_that_depends_on_an_option(game: Any) -> None:
    text = "options:\n  size: {type: 4..6, default: 5}\nboards:\n  Square: {grid: size x size, names: a1}\n"
    game.checked(text + "functions:\n  far(): f6\n")

    assert ["RS301"] == game.codes(text + "functions:\n  far(): g7\n")


# ---------------------------------------------------------------- zones and variables

CARDS = """
types:
  Suit: [clubs, spades]
components:
  Card: {fields: {suit: Suit, rank: 1..3}, rows: all}
"""


def test_each_kind_has_a_box(game: Any) -> None:
    spec = game.checked(CARDS + "zones:\n  deck: {holds: Card, order: stack}\n")
    box = spec.zones["box Card"]

    assert ("Card", "none", "everyone", ()) == (box.component, box.order, box.seen_by, box.per)


def test_components_start_at_an_index(game: Any) -> None:
    spec = game.checked(
        CARDS + "zones:\n  pile: {holds: Card, per: Suit, starts: c in Card where c.rank > 1, starts_at: c.suit}\n",
    )
    zone = spec.zones["pile"]

    assert zone.starts is not None
    assert [t.EnumType("Suit")] == [e.type for e in zone.starts_at]
    assert zone.starts.locals[0].type == t.TableType("component", "Card")


def test_starts_may_call_functions_of_options(game: Any) -> None:
    text = (
        "options:\n  least: {type: 1..3}\n"
        + CARDS
        + """
zones:
  deck: {holds: Card, order: stack, starts: c in Card where taken(c)}
functions:
  taken(Card c): c.rank >= least
"""
    )
    game.checked(text)

    assert ["RS357"] == game.codes(text.replace(">= least", "> count(deck)"))


def test_a_record_may_remember_whose_turn_it_is(game: Any) -> None:
    spec = game.checked("variables:\n  x: {type: 0..9}\nrecords:\n  past: [x, turn_player]\n")

    assert ("x", "turn_player") == spec.records["past"]


def test_only_if_becomes_a_condition_over_options(game: Any) -> None:
    spec = game.checked("options:\n  long: {type: bool}\nvariables:\n  x: {type: 0..9, only_if: long and seats > 2}\n")

    assert isinstance(spec.variables["x"].only_if, ir.Binary)


def test_every_mistake_of_one_file_is_told(game: Any) -> None:
    text = (
        "variables:\n  a: {type: No}\n  b: {type: 9..1}\n  c: {type: 0..9, start: 12}\n  d: {type: bool, per: text}\n"
    )

    assert ["RS350", "RS456", "RS412", "RS477"] == game.codes(text)
