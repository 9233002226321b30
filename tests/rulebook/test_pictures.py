"""Pictures: what is drawn, that it is sound SVG, and that nothing hidden is shown."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import interpreter
from interpreter.rulebook.blocks import Picture, Text
from interpreter.rulebook.pictures import Drawn, boards, colours, shapes, svg
from interpreter.rulebook.pictures.svg import ROLES, fitted, text_width, wrapped
from tests.rulebook.names import PlainNames

NAMES = PlainNames()
SVG = "{http://www.w3.org/2000/svg}"
GAME = """
rulespec: 1
id: part
title: Part
about: A part.
players: 2
types:
  Column: [a, b, c]
  Colour: [red, blue]
  Cell: [path, wall]
  Ground: [meadow, deep_water]
boards:
  Comb: {grid: 3 x 2, shape: hexagon}
  Yard:
    grid: {column: Column, row: 1..9}
    spaces:
      gate: {column: b, row: 0, beside: [a1, b1, c1]}
  Town: |
    inn-mill
        |
        ford
  Park:
    fields: {wet: bool}
    legend: {G: {wet: false}, W: {wet: true}}
    map: |
      GGW
      GWW
  Field: {grid: 60 x 60}
tables:
  plan:
    per: [2..1, Column]
    type: Ground
    letters: {M: meadow, W: deep_water}
    values: |
      M M W
      W M M
  prices: {per: Colour, type: 0..9, values: [3, 4]}
components:
  Card:
    fields:
      name: text
      colour: Colour
      value: 0..9
      wild: bool
      "bar[1..2]": Colour
      "pays[Colour]": 0..3
      note: text
      gain(player p): effect
    label: "{name}"
    rows:
      - id: one
        name: "<b>One</b>"
        colour: red
        value: 1
        wild: true
        bar: [red, blue]
        pays: [2, 0]
        note: "a & b"
        gain: score[p] += 1
      - id: two
        count: 3
        name: Two
        colour: blue
        value: 2
        wild: false
        bar: [blue, blue]
        pays: [0, 0]
        note: ""
        gain: score[p] += 2
  Tile:
    fields: {mask: text, gold: 0..3 per face}
    faces: [front, back]
    rows: [{id: bend, mask: ./.#, gold_front: 1, gold_back: 0}, {id: line, mask: .., gold_front: 2, gold_back: 2}]
    shape: {from: mask, letters: {".": path, "#": wall}, ports: path, turns: quarter}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
  shop: {holds: one Card, per: Yard, seen_by: everyone}
  laid: {holds: Tile, laid_on: Field, seen_by: everyone}
variables:
  at: {per: player, type: Yard, start: gate}
  ground: {per: Yard, type: Ground}
  score: {per: player, type: 0..50}
  secret: {type: 0..9, start: 7, seen_by: nobody}
actions:
  take:
    do: |
      move first(c in deck where c.value == 1) to hand[me]
      score[me] += 3
  walk: at[me] = b2
  shout: {when: "score[me] > 20", do: "score[me] -= 1"}
  lay:
    do: |
      move bend to laid at spot(c5r5, 1)
  open: move first(c in deck where c.value == 2) to shop[a2]
phases:
  play:
    repeat_until: score[player_1] > 40
    phases:
      rest: {do: "score[player_1] += 0", only_if: seats == 2}
      work: {turns: {rounds: 2, order: counterclockwise}, actions: [take, walk, open, lay], any_time: [shout]}
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> interpreter.Game:
    path = tmp_path_factory.mktemp("game") / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    return interpreter.load_game(path)


@pytest.fixture
def drawn() -> Drawn:
    return Drawn()


def sound(picture: Picture | None) -> ElementTree.Element:
    """The picture as XML; it must have what every picture has."""
    assert picture is not None
    root = ElementTree.fromstring(picture.svg)
    assert root.tag == f"{SVG}svg"
    assert root.get("role") == "img"
    title, description = root[0], root[1]
    assert [f"{SVG}title", f"{SVG}desc"] == [title.tag, description.tag]
    assert title.text and description.text == picture.alt
    assert f"{title.get('id')} {description.get('id')}" == root.get("aria-labelledby")
    assert [f"0 0 {root.get('width')} {root.get('height')}"] == [root.get("viewBox")]
    classes = {element.get("class") for element in root.iter() if element.get("class")} - {"picture"}
    assert classes <= {f"p-{role}" for role in ROLES}
    return root


def texts(picture: Picture | None) -> list[str]:
    return [element.text or "" for element in sound(picture).iter(f"{SVG}text")]


def fills(picture: Picture | None, tag: str) -> list[str]:
    return [element.get("fill", "") for element in sound(picture).iter(f"{SVG}{tag}")]


# ---------------------------------------------------------------- boards


def test_hexagons(game: interpreter.Game, drawn: Drawn) -> None:
    root = sound(drawn.board(game, "Comb", NAMES))
    assert 6 == len(list(root.iter(f"{SVG}polygon")))


def test_squares_with_names_of_rows_and_columns_and_a_space_beside_them(game: interpreter.Game, drawn: Drawn) -> None:
    picture = drawn.board(game, "Yard", NAMES)
    assert 28 == len(list(sound(picture).iter(f"{SVG}rect")))
    assert [*map(str, range(1, 10)), "a", "b", "c", "gate"] == texts(picture)


def test_spaces_and_links_of_a_drawn_map(game: interpreter.Game, drawn: Drawn) -> None:
    picture = drawn.board(game, "Town", NAMES)
    assert 2 == len(list(sound(picture).iter(f"{SVG}line")))
    assert ["inn", "mill", "ford"] == texts(picture)


def test_fields_of_a_board_have_a_legend(game: interpreter.Game, drawn: Drawn) -> None:
    picture = drawn.board(game, "Park", NAMES)
    assert 4 == texts(picture).count("W")  # three spaces and the legend
    assert "wet" in texts(picture)
    assert picture is not None and picture.alt == "Park, 6 spaces: wet 3."


def test_a_board_of_many_spaces_is_an_outline(game: interpreter.Game, drawn: Drawn) -> None:
    assert ["60 × 60"] == texts(drawn.board(game, "Field", NAMES))


def test_constant_maps(game: interpreter.Game, drawn: Drawn) -> None:
    picture = drawn.plan(game, "plan", NAMES)
    assert ["2", "D", "1", "D"] == [text for text in texts(picture) if text in ("1", "2", "D")][:4]
    assert {"meadow", "deep water"} <= set(texts(picture))
    assert drawn.plan(game, "prices", NAMES) is None


def test_signs_of_values_differ() -> None:
    values = [boards.Value(text) for text in ("blank", "bog", "big barn", "b", "bog")]
    assert {"bog": "B", "big barn": "BB", "b": "b"} == boards.signs_of(values, "blank")


# ---------------------------------------------------------------- cards


def test_cards_show_their_fields(game: interpreter.Game, drawn: Drawn) -> None:
    found = texts(drawn.piece(game, "Card", 0, NAMES))
    assert found[0] == "<b>One</b>"
    assert {"value", "1", "✓ wild", "a & b", "red"} <= set(found)
    assert "gain" not in found


def test_look_alikes_say_how_many_there_are(game: interpreter.Game, drawn: Drawn) -> None:
    assert "×3" in texts(drawn.piece(game, "Card", 1, NAMES))


def test_colours_of_values_that_are_named_after_one(game: interpreter.Game, drawn: Drawn) -> None:
    assert colours.of_value("red", 0) in fills(drawn.piece(game, "Card", 0, NAMES), "path")
    assert colours.of_value("dark_red", 4) == colours.of_value("red", 0)
    assert colours.of_value("meadow", 1) == colours.FILLS[1]


def test_laid_pieces_show_their_cells_and_exits(game: interpreter.Game, drawn: Drawn) -> None:
    # The upper cell of `./.#` opens to three sides, the lower one to two; the wall to none.
    picture = drawn.piece(game, "Tile", 0, NAMES)
    assert 5 == len(list(sound(picture).iter(f"{SVG}polygon")))
    assert {"gold, front", "gold, back"} <= set(texts(picture))
    assert "gold" in texts(drawn.piece(game, "Tile", 1, NAMES))  # the same on both faces: told once


def test_turned_cells(game: interpreter.Game) -> None:
    row = game.tables.numbers["Tile"]["bend"]
    assert {(0, 0): 0, (1, 0): 1, (0, 1): 0} == shapes.cells_of(game, "Tile", row)
    assert {(0, 1): 0, (0, 0): 1, (1, 1): 0} == shapes.cells_of(game, "Tile", row, 1)


# ---------------------------------------------------------------- the course


def test_flow_shows_phases_and_actions(game: interpreter.Game, drawn: Drawn) -> None:
    picture = drawn.flow(game.spec, NAMES)
    assert [
        "Set-up", "Play", "again", "Rest", "Work", "Players take turns, counterclockwise", "Take", "Walk", "Open",
        "Lay", "Shout (at any time)", "End of the game",
    ] == texts(picture)  # fmt: skip
    assert picture is not None
    assert picture.alt == (
        "Set-up; play (again, rest, work (Players take turns, counterclockwise, take, walk, open, lay)); "
        "End of the game."
    )
    dashed = [rect for rect in sound(picture).iter(f"{SVG}rect") if rect.get("stroke-dasharray")]
    assert 1 == len(dashed)  # the phase with `only_if`


# ---------------------------------------------------------------- positions


def played(game: interpreter.Game, *actions: str) -> interpreter.State:
    state = game.new_state()
    for action in actions:
        state.apply(action)
    return state


def test_spectators_see_nothing_hidden(game: interpreter.Game, drawn: Drawn) -> None:
    picture = drawn.table(played(game, "take"), NAMES, (Text("Now"),))
    assert picture is not None
    assert (picture.caption, "Now") == ((Text("Now"),), sound(picture)[0].text)
    found = texts(picture)
    assert "1 hidden" in found
    assert "<b>One</b>" not in found
    assert not any("secret" in text.lower() for text in found)
    assert "secret" not in picture.svg.lower()


def test_examples_show_what_the_seat_sees_that_decides_and_what_differs(game: interpreter.Game, drawn: Drawn) -> None:
    before, after = played(game), played(game, "take")
    for state, beside, card in ((before, after, False), (after, before, True)):
        picture = drawn.table(state, NAMES, (), beside=beside)
        found = texts(picture)
        assert card == ("<b>One</b>" in found)
        assert "Score" in found
        assert "At" not in found  # the same in both
        assert any(line.get("class") == "p-changed" for line in sound(picture).iter(f"{SVG}line"))


def test_nothing_differs(game: interpreter.Game, drawn: Drawn) -> None:
    state = played(game)
    assert drawn.table(state, NAMES, (), beside=state) is None
    picture = drawn.table(state, NAMES, (), beside=state, about=["score"])
    assert "Score" in texts(picture)


def test_players_and_cards_stand_on_boards(game: interpreter.Game, drawn: Drawn) -> None:
    before, after = played(game, "walk"), played(game, "walk", "open")
    picture = drawn.table(after, NAMES, (), beside=before)
    found = texts(picture)
    assert "Two" in found
    assert "1" in found and "2" in found  # discs of players, too
    assert picture is not None
    assert "a2: Two. b2: 1. gate: 2" in picture.alt
    assert "9" not in found  # rows where nothing is are left out


def test_pieces_lie_on_boards(game: interpreter.Game, drawn: Drawn) -> None:
    picture = drawn.table(played(game, "lay"), NAMES, (), beside=played(game))
    found = texts(picture)
    assert "bend" in found and "1 gold" in found
    assert colours.FILLS[0] not in fills(picture, "path")


def test_ids_are_unlike(game: interpreter.Game, drawn: Drawn) -> None:
    pictures = [drawn.piece(game, "Card", 0, NAMES), drawn.piece(game, "Card", 0, NAMES)]
    assert len({sound(picture).get("aria-labelledby") for picture in pictures}) == 2


# ---------------------------------------------------------------- texts


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"/><image href="x"/>', "]]>", "a\x00b\x1b", "{{ 1 + 1 }}"]
)
def test_hostile_texts_are_text(text: str) -> None:
    drawing = svg.Drawing(100, 20)
    drawing.text(0, 10, text)
    picture = drawing.picture(text, text or "x", text)
    root = ElementTree.fromstring(picture.svg)
    shown = text.replace("\x00", "\ufffd").replace("\x1b", "\ufffd")
    assert [shown] * 3 == [element.text for element in root.iter() if element.text]
    assert {f"{SVG}{tag}" for tag in ("svg", "title", "desc", "text")} == {element.tag for element in root.iter()}


def test_texts_fit() -> None:
    assert "Short" == fitted("Short", 100, 12)
    cut = fitted("A text that is too long for its place", 100, 12)
    assert cut.endswith("…") and text_width(cut, 12) <= 100
    lines = wrapped("A text that is too long for its place and Donaudampfschifffahrt", 60, 12)
    assert all(text_width(line, 12) <= 60 for line in lines)
    assert 2 == len(wrapped("one two three four five six", 40, 12, most=2))
    assert [] == wrapped("", 40, 12)


def test_what_examples_speak_of(game: interpreter.Game, tmp_path: Path) -> None:
    from interpreter.rulebook.pictures.subjects import subjects
    from rulespec.scenarios.read import read_scenarios

    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    path = tmp_path / "scenarios.yaml"
    path.write_text(
        "game: game.yaml\nscenarios:\n"
        "  - {name: one, given: 'secret = 3', when: [player_1: take], then: ['score[player_1] == 3']}\n"
        "  - {name: two, given: 'secret = 3', then: ['count(hand[player_1]) == 0']}\n",
        encoding="utf-8",
    )
    one, two = read_scenarios(path).scenarios
    assert (frozenset({"score"}), frozenset({"hand", "secret"})) == (subjects(one), subjects(two))
