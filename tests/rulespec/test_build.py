"""A file's sections as the model has them. What is refused, and how, is under tests/diagnostics."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from rulespec.diagnostics import Reporter, short
from rulespec.loader import read_spec
from rulespec.spec import model as m
from rulespec.spec.csv_table import read_csv
from rulespec.spec.keys import SECTIONS
from rulespec.spec.sections import BUILDERS
from rulespec.spelling import distance, nearest
from rulespec.syntax import nodes as n

HEAD = "rulespec: 1\nid: walk\ntitle: A Walk\nabout: Dogs walk.\nplayers: 2..4\n"


@pytest.fixture
def spec(tmp_path: Path):
    def read(text: str, **files: str) -> m.Spec:
        for name, content in files.items():
            (tmp_path / name.replace("_csv", ".csv")).write_text(content, encoding="utf-8")
        (tmp_path / "game.yaml").write_text(HEAD + text, encoding="utf-8")
        reporter = Reporter()
        made = read_spec(tmp_path / "game.yaml", reporter)
        assert [] == [short(d) for d in reporter.diagnostics]
        assert made is not None
        return made

    return read


def test_every_section_has_a_builder() -> None:
    assert set(SECTIONS) == {*BUILDERS, "setup", "phases", "result"}


def test_head(spec) -> None:
    made = spec("version: 1.10\ndoc: Longer.\n")

    assert ("walk", "A Walk", "Dogs walk.", (2, 4)) == (made.id, made.title, made.about, made.seats)
    assert ("1.10", "Longer.") == (made.version, made.doc)
    assert () == made.seat_names


def test_named_seats_fix_the_number(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(HEAD.replace("players: 2..4", "seats: [white, black]"), encoding="utf-8")
    made = read_spec(tmp_path / "game.yaml", Reporter())

    assert made is not None
    assert (2, 2) == made.seats
    assert ["white", "black"] == [name for name, _ in made.seat_names]


def test_types_in_their_short_and_long_forms(spec) -> None:
    types = spec(
        "types:\n"
        "  Breed: [pug, beagle]\n"
        "  Food: {values: [meat], doc: What they eat.}\n"
        "  Face: 1..6\n"
        "  Man: {fields: {side: player, kind: Breed}, rows: all where kind == pug, label: '{side}'}\n"
    ).types

    assert ["pug", "beagle"] == [name for name, _ in types["Breed"].values or ()]
    assert "What they eat." == types["Food"].doc
    assert isinstance(types["Face"].alias, n.RangeType)
    rows = types["Man"].rows
    assert rows is not None
    assert rows.all
    assert isinstance(rows.where, n.Binary)
    assert (10, 62) == (rows.where.span.line, rows.where.span.column)


def test_fields_with_index_parameters_and_faces(spec) -> None:
    fields = (
        spec(
            "types:\n"
            "  Breed: [pug, beagle]\n"
            "components:\n"
            "  Dog:\n"
            "    faces: [front, back]\n"
            "    fields:\n"
            "      bar[1..7]: Breed\n"
            "      points(player p, Breed b): 0..20\n"
            "      bark(player p): effect\n"
            "      marks: set of Breed per face\n"
            "      name: {type: text, doc: What it is called.}\n"
            "    rows: [{name: Rex, bar: [pug, pug], points: {pug: 1}}]\n"
        )
        .components["Dog"]
        .fields
    )

    assert ["bar", "points", "bark", "marks", "name"] == [f.name for f in fields]
    assert 1 == len(fields[0].index)
    assert ["p", "b"] == [p.name for p in fields[1].params or ()]
    assert fields[2].type is None
    assert fields[3].per_face
    assert isinstance(fields[3].type, n.WrappedType)
    assert "What it is called." == fields[4].doc


def test_inline_rows_keep_lists_and_maps(spec) -> None:
    rows = (
        spec("components:\n  Dog: {fields: {a: text}, rows: [{a: no, b: [x, [y]], c: {d: e}}]}\n")
        .components["Dog"]
        .rows
    )
    cells = rows.rows[0].cells

    assert cells["a"].text is not None
    assert "no" == cells["a"].text.text
    assert 2 == len(cells["b"].items)
    assert ["d"] == [name for name, _ in cells["c"].named]


def test_rows_of_a_table_know_their_places(spec) -> None:
    table = 'name, number\nRex,1\n\n"Otis, the ""big"" one",2\n"Ida\nand Bo" ,3\n'
    rows = spec("components:\n  Dog: {fields: {name: text}, rows: dogs.csv}\n", dogs_csv=table).components["Dog"].rows
    cells = [row.cells[name] for row in rows.rows for name in ("name", "number")]

    assert ["name", "number"] == [name for name, _ in rows.columns]
    assert ["Rex", "1", 'Otis, the "big" one', "2", "Ida\nand Bo", "3"] == [c.text.text for c in cells if c.text]
    assert [(2, 1), (2, 5), (4, 1), (4, 25), (5, 1), (6, 10)] == [(c.span.line, c.span.column) for c in cells]
    assert cells[4].text is not None
    assert ((5, 2), (6, 1)) == cells[4].text.starts


@pytest.mark.parametrize(
    "text",
    ["a,b\n1,2\n", 'a,b\n"x, y","""q"""\n', 'a,b\r\n"1\r\n2",3\r\n', "a,b\n1,\n", 'a,b\n"",x', "a\n1\n2"],
)
def test_tables_are_read_as_the_csv_module_reads_them(text: str) -> None:
    table = read_csv("t.csv", text.encode(), Reporter())
    expected = [row for row in csv.reader(io.StringIO(text.replace("\r\n", "\n"))) if row]

    assert table is not None
    assert expected[0] == [name for name, _ in table.columns]
    assert expected[1:] == [[c.text.text for c in row.cells.values() if c.text] for row in table.rows]


def test_boards(spec) -> None:
    boards = spec(
        "types:\n"
        "  Column: [a, b]\n"
        "boards:\n"
        "  Square: {grid: 8 x 8, names: a1, only: (col + row) mod 2 == 0, shape: hexagon}\n"
        "  Tile: {grid: {column: Column, row: 1..15}, spaces: {door: {column: a, row: 0, beside: [a1, b1]}}}\n"
        "  Plot: |\n"
        "    a-b\n"
        "    |\n"
        "    c\n"
        "  Park: {map: 'GM', legend: {G: {wet: false}, M: {wet: true}}, fields: {wet: bool}}\n"
    ).boards

    assert boards["Square"].grid is not None
    assert ("hexagon", "a1") == (boards["Square"].shape, boards["Square"].names)
    assert boards["Tile"].grid is None
    assert boards["Tile"].columns is not None
    assert "door" == boards["Tile"].spaces[0][0]
    assert 2 == len(boards["Tile"].spaces[0][1].cells["beside"].items)
    plot = boards["Plot"].map
    assert plot is not None
    assert "a-b\n|\nc" == plot.text
    assert ["G", "M"] == [letter for letter, _ in boards["Park"].legend]


def test_zones(spec) -> None:
    zones = spec(
        "zones:\n"
        "  pile: Dog\n"
        "  pen: {holds: one Dog, per: [player, Plot], seen_by: owner, max: 1}\n"
        "  deck: {holds: Dog, order: stack, starts: Dog, refilled_from: pile}\n"
        "  need: {holds: Dog, per: Breed, starts: c in Dog where c.big, starts_at: [c.breed]}\n"
    ).zones

    assert ("Dog", False, "none", "everyone") == (
        zones["pile"].holds,
        zones["pile"].slot,
        zones["pile"].order,
        zones["pile"].seen_by,
    )
    assert zones["pen"].slot
    assert (8, 20) == (zones["pen"].holds_span.line, zones["pen"].holds_span.column)
    assert 2 == len(zones["pen"].per)
    starts = zones["deck"].starts
    assert starts is not None
    assert "c" == starts.bindings[0].name
    assert 1 == len(zones["need"].starts_at)


def test_lists_of_yaml_are_lists_of_the_language(spec) -> None:
    made = spec(
        "options:\n  rules: {type: set of Rule, pick: 1..2, default: [a, b]}\n"
        "  size: {type: [large, small], default: large}\n"
    ).options

    assert isinstance(made["rules"].default, n.ListLit)
    assert 2 == len(made["rules"].default.items)
    assert isinstance(made["rules"].pick, n.Range)
    assert isinstance(made["size"].type, n.EnumOf)


def test_variables_with_a_drawn_start(spec) -> None:
    made = spec(
        "variables:\n  man:\n    per: Square\n    type: optional Man\n"
        "    start: {legend: {K: king, '.': none}, map: K.}\n"
    )
    start = made.variables["man"].start_map

    assert start is not None
    assert "K." == start[0].text
    assert ["K", "."] == [letter for letter, _ in start[1]]


def test_tables_with_letters(spec) -> None:
    table = spec(
        "tables:\n  plan: {per: [Sheet, 5..1], type: Ground, letters: {B: blank}, values: {one: BB, two: BB}}\n"
    ).tables["plan"]

    assert 2 == len(table.per)
    assert ["one", "two"] == [name for name, _ in table.values.named]
    assert ["B"] == [letter for letter, _ in table.letters]


def test_logic_of_one_file_is_one_layer(spec) -> None:
    made = spec(
        "functions:\n"
        "  size(player p): count(hand[p])\n"
        "  best(player p) -> optional Card:\n"
        "    doc: The best.\n"
        "    only_if: seats > 2\n"
        "    is: |\n"
        "      let x = none\n"
        "      return x\n"
        "procedures:\n"
        '  bark(): say "woof"\n'
        "setup: shuffle deck\n"
    )

    assert isinstance(made.functions["size"].layers[0].body, n.Call | n.Aggregate)
    best = made.functions["best"]
    assert isinstance(best.layers[0].body, tuple)
    assert best.only_if is not None
    assert best.layers[0].only_if is None
    assert best.result is not None
    assert 1 == len(made.procedures["bark"].layers)
    assert 1 == len(made.setup)


def test_actions_triggers_and_phases(spec) -> None:
    made = spec(
        "actions:\n"
        "  feed:\n"
        "    label: Feed {dog}\n"
        "    with: dog in hand[me] where dog.hungry\n"
        "    when: treats[me] > 0\n"
        "    pay: 1 treats[me]\n"
        "    do: move dog to pen[me]\n"
        "triggers:\n"
        "  full: {after: 'move Dog d to pen[player p]', do: nothing}\n"
        "phases:\n"
        "  round:\n"
        "    repeat: round in 1..6\n"
        "    phases:\n"
        "      deal: nothing\n"
        "      play:\n"
        "        turns: {from: starter, order: counterclockwise, rounds: 2}\n"
        "        take: any\n"
        "        actions: [feed]\n"
        "        after_turn: nothing\n"
        "result:\n"
        "  rank_by: [lowest score, highest treats]\n"
        "  score: fleas[p]\n"
    )

    feed = made.actions["feed"]
    assert feed.selection is not None
    assert (1, 1, 1) == (len(feed.when), len(feed.pay), len(feed.do))
    assert ("after", "move") == (made.triggers["full"].time, made.triggers["full"].event.kind)
    (round_,) = made.phases
    assert round_.repeat is not None
    assert ["deal", "play"] == [phase.name for phase in round_.phases]
    play = round_.phases[1]
    assert play.turns is not None
    assert ("counterclockwise", "any") == (play.turns.order, play.take)
    assert ["feed"] == [name for name, _ in play.actions]
    assert ["lowest", "highest"] == [word for word, _ in made.result.rank_by]
    assert 1 == len(made.result.score)


def test_hash_depends_on_contents_only(tmp_path: Path) -> None:
    hashes = []
    for name, end in (("one", "\n"), ("two", "\r\n"), ("three", "\n")):
        folder = tmp_path / name
        folder.mkdir()
        text = HEAD + "components:\n  Dog: {rows: dogs.csv}\n" + ("# more\n" if name == "three" else "")
        (folder / "game.yaml").write_bytes(text.replace("\n", end).encode())
        (folder / "dogs.csv").write_bytes(f"name{end}Rex{end}".encode())
        made = read_spec(folder / "game.yaml", Reporter())
        assert made is not None
        hashes.append(made.source_hash)
        assert (str(folder / "game.yaml"), str(folder / "dogs.csv")) == made.files

    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize(
    ("far", "a", "b"), [(0, "zone", "zone"), (1, "zonse", "zones"), (2, "hold", "olhd"), (4, "", "stak")]
)
def test_distance_counts_a_swap_as_one(far: int, a: str, b: str) -> None:
    assert far == distance(a, b)


@pytest.mark.parametrize(("found", "name"), [("zones", "zonse"), ("holds", "Hold"), ("", "colour"), ("order", "odrer")])
def test_nearest_is_silent_where_nothing_is_near(found: str, name: str) -> None:
    assert found == nearest(name, ["zones", "holds", "order"])


def test_reading_stops_after_many_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        HEAD + "variables:\n" + "".join(f"  a{i}: {{type: 0..1, start: b c}}\n" for i in range(400)), encoding="utf-8"
    )
    reporter = Reporter()
    made = read_spec(path, reporter)

    assert made is None
    assert 201 == len(reporter.diagnostics)
    assert "there are more than 200 mistakes; the others are not shown" in {d.message for d in reporter.diagnostics}
