"""Variants: what a file makes of the files below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.diagnostics import Reporter, short
from rulespec.loader import read_spec
from rulespec.spec import model as m
from rulespec.syntax import nodes as n

BASE = """\
rulespec: 1
id: walk
title: A Walk
about: Dogs walk.
players: 2..4
options:
  long: {type: bool, default: false, doc: A longer walk.}
zones:
  hand: {holds: Dog, per: player, seen_by: owner}
  pile: {holds: Dog, order: stack}
  bin: {holds: Dog}
functions:
  size(player p): 1
procedures:
  bark(player p): nothing
triggers:
  one: {after: setup, do: nothing}
  two: {after: setup, when: size(me) > 0, do: nothing}
setup: nothing
actions:
  bark_now: {label: Bark, when: true, do: bark(me)}
phases:
  morning:
    phases:
      run: {turns: {}, actions: [bark_now]}
      rest: nothing
  evening: nothing
result:
  score: size(p)
"""
TOP = "rulespec: 1\nid: walk-more\ntitle: A Longer Walk\nextends: base.yaml\n"


@pytest.fixture
def stacked(tmp_path: Path):
    def read(text: str, top: str = TOP, **files: str) -> m.Spec:
        (tmp_path / "base.yaml").write_text(BASE, encoding="utf-8")
        for name, content in files.items():
            (tmp_path / f"{name}.yaml").write_text(content, encoding="utf-8")
        (tmp_path / "game.yaml").write_text(top + text, encoding="utf-8")
        reporter = Reporter()
        made = read_spec(tmp_path / "game.yaml", reporter)
        assert [] == [short(d) for d in reporter.diagnostics]
        assert made is not None
        return made

    return read


def names_of(spec: m.Spec, expr: n.Expr | None) -> set[str]:
    """The names in an expression of the form `a`, `a and b`, `a > n`."""
    if isinstance(expr, n.Binary):
        return names_of(spec, expr.left) | names_of(spec, expr.right)
    return {expr.id} if isinstance(expr, n.Name) else set()


def test_head_of_the_upper_file_wins(stacked) -> None:
    made = stacked("players: 3\n")

    assert ("walk-more", "A Longer Walk", "Dogs walk.", (3, 3)) == (made.id, made.title, made.about, made.seats)
    assert ["game.yaml", "base.yaml"] == [Path(f).name for f in made.files]


def test_named_seats_put_the_number_of_players_out_of_force(stacked) -> None:
    assert (2, 2) == stacked("seats: [red, blue]\n").seats


def test_entries_merge_key_by_key(stacked) -> None:
    made = stacked("zones:\n  pile: {order: row}\n  new: {holds: Dog}\noptions:\n  long: {default: true}\n")

    assert ["hand", "pile", "bin", "new"] == list(made.zones)
    assert ("row", "Dog") == (made.zones["pile"].order, made.zones["pile"].holds)
    assert made.options["long"].default == n.Bool(True, span=made.zones["pile"].name_span)
    assert "A longer walk." == made.options["long"].doc


def test_logic_is_stacked_and_the_rest_replaced(stacked) -> None:
    made = stacked(
        "functions:\n  size(player p): usual + 1\nactions:\n  bark_now: {label: Woof, do: usual}\nsetup: usual\n"
    )

    assert 2 == len(made.functions["size"].layers)
    assert 2 == len(made.actions["bark_now"].do)
    assert 1 == len(made.actions["bark_now"].when)
    assert made.actions["bark_now"].label is not None
    assert ("Woof",) == made.actions["bark_now"].label.parts
    assert 2 == len(made.setup)


def test_layers_keep_their_own_file(stacked) -> None:
    layers = stacked("functions:\n  size(player p): usual + 1\n").functions["size"].layers

    assert ["base.yaml", "game.yaml"] == [Path(layer.span.path).name for layer in layers]


def test_a_condition_belongs_to_the_layer_it_came_with(stacked) -> None:
    made = stacked(
        "functions:\n  size(player p): {only_if: long, doc: Hidden., is: usual + 1}\n  new(): {only_if: long, is: 1}\n"
    )
    size, new = made.functions["size"], made.functions["new"]

    assert size.only_if is None
    assert [None, "long"] == [layer.only_if and next(iter(names_of(made, layer.only_if))) for layer in size.layers]
    assert ("", ["", "Hidden."]) == (size.doc, [layer.doc for layer in size.layers])
    assert {"long"} == names_of(made, new.only_if)
    assert new.layers[0].only_if is None


def test_a_condition_alone_replaces_the_entrys_own(stacked) -> None:
    made = stacked("zones:\n  bin: {only_if: long}\n")

    assert {"long"} == names_of(made, made.zones["bin"].only_if)


def test_a_condition_at_the_head_holds_for_the_whole_file(stacked) -> None:
    made = stacked(
        "only_if: long\n"
        "functions:\n  size(player p): {only_if: seats > 2, is: usual + 1}\n"
        "zones:\n  new: {holds: Dog, only_if: seats > 2}\n"
        "phases:\n  morning: {phases: {nap: nothing}}\n  night: nothing\n"
        "setup: usual\n"
        "result: {score: usual}\n"
    )

    assert {"long", "seats"} == names_of(made, made.functions["size"].layers[1].only_if)
    assert {"long", "seats"} == names_of(made, made.zones["new"].only_if)
    assert {"long"} == names_of(made, made.setup[1].only_if)
    assert {"long"} == names_of(made, made.result.score[1].only_if)
    morning, _, night = made.phases
    assert morning.only_if is None
    assert {"long"} == names_of(made, morning.phases[2].only_if)
    assert {"long"} == names_of(made, night.only_if)


def test_types_of_a_file_with_a_condition_are_always_there(stacked) -> None:
    made = stacked("only_if: long\ntypes:\n  Coin: [penny, dime]\nvariables:\n  coin: {type: Coin}\n")
    assert made.types["Coin"].only_if is None
    assert {"long"} == names_of(made, made.variables["coin"].only_if)


def test_replaces_is_kept(stacked) -> None:
    layers = stacked("functions:\n  size(player p): {replaces: true, is: 2}\n").functions["size"].layers

    assert [False, True] == [layer.replaces for layer in layers]


def test_phases_merge_within_their_parent(stacked) -> None:
    made = stacked(
        "phases:\n"
        "  morning:\n"
        "    phases:\n"
        "      run: {if_stuck: nothing}\n"
        "      nap: {do: nothing, place: before rest}\n"
        "  dawn: {do: nothing, place: first}\n"
    )

    assert ["dawn", "morning", "evening"] == [phase.name for phase in made.phases]
    assert ["run", "nap", "rest"] == [phase.name for phase in made.phases[1].phases]
    run = made.phases[1].phases[0]
    assert (1, ["bark_now"]) == (len(run.if_stuck), [name for name, _ in run.actions])


@pytest.mark.parametrize(
    ("place", "order"),
    [
        ("first", ["three", "one", "two"]),
        ("last", ["one", "two", "three"]),
        ("before two", ["one", "three", "two"]),
        ("after one", ["one", "three", "two"]),
    ],
)
def test_place_orders(stacked, place: str, order: list[str]) -> None:
    made = stacked(f"triggers:\n  three: {{after: setup, do: nothing, place: {place}}}\n")

    assert order == list(made.triggers)


def test_place_moves_an_entry_of_the_base(stacked) -> None:
    assert ["bin", "hand", "pile"] == list(stacked("zones:\n  bin: {place: first}\n").zones)


def test_remove(stacked) -> None:
    made = stacked("remove: [zones.bin, triggers.two, phases.rest]\nzones:\n  pile: {order: row}\n")

    assert ["hand", "pile"] == list(made.zones)
    assert ["one"] == list(made.triggers)
    assert ["run"] == [phase.name for phase in made.phases[0].phases]
    assert [("zones", "bin"), ("triggers", "two"), ("phases", "rest")] == [(r.section, r.name) for r in made.removals]


def test_what_was_removed_may_be_declared_anew(stacked) -> None:
    made = stacked("remove: [zones.hand]\nzones:\n  hand: {holds: Dog}\n")

    assert ["pile", "bin", "hand"] == list(made.zones)
    assert "everyone" == made.zones["hand"].seen_by


def test_another_way_to_say_what_a_type_is_replaces_the_first(stacked) -> None:
    base = BASE + "types:\n  Size: [small, large]\n"
    made = stacked("types:\n  Size: 1..3\n", TOP.replace("base", "typed"), typed=base)

    assert made.types["Size"].values is None
    assert made.types["Size"].alias is not None


def test_files_stack_in_order_and_each_once(stacked) -> None:
    one = "rulespec: 1\nextends: base.yaml\nfunctions:\n  size(player p): usual + 1\n"
    two = "rulespec: 1\nextends: [base.yaml]\nfunctions:\n  size(player p): usual * 2\n"
    made = stacked("", TOP.replace("base.yaml", "[one.yaml, two.yaml]"), one=one, two=two)

    assert ["base.yaml", "one.yaml", "two.yaml"] == [Path(x.span.path).name for x in made.functions["size"].layers]
    assert ["game.yaml", "base.yaml", "one.yaml", "two.yaml"] == sorted(
        (Path(f).name for f in made.files), key=["game.yaml", "base.yaml", "one.yaml", "two.yaml"].index
    )


def test_a_table_lies_beside_the_file_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "dogs.csv").write_text("name\nRex\n", encoding="utf-8")
    (tmp_path / "base.yaml").write_text(BASE + "components:\n  Dog: {rows: dogs.csv}\n", encoding="utf-8")
    (tmp_path / "rules" / "game.yaml").write_text(TOP.replace("base", "../base"), encoding="utf-8")
    reporter = Reporter()
    made = read_spec(tmp_path / "rules" / "game.yaml", reporter)

    assert [] == [short(d) for d in reporter.diagnostics]
    assert made is not None
    assert 1 == len(made.components["Dog"].rows.rows)
