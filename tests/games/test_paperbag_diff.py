"""`rulespec diff` of the modes of Paperbag Dungeon: exactly what one mode adds to another, changes and leaves out."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from click.testing import CliRunner

import rulespec
from interpreter.cli.app import app
from rulespec.compare import SECTIONS, Change, compare
from rulespec.diagnostics import Reporter
from rulespec.yaml_source import Mapping, Scalar, Sequence, read_yaml

FOLDER = Path(__file__).parents[2] / "games" / "paperbag_dungeon"
GOLDEN = Path(__file__).parent / "golden"
MODES = ("chill", "janitor", "warden", "hardcore", "double")
STEPS = list(pairwise(MODES))


def changes(first: str, second: str) -> list[Change]:
    specs = [rulespec.load(str(FOLDER / f"{name}.yaml")).source for name in (first, second)]
    return compare(*specs)


def written(name: str) -> tuple[set[tuple[str, str]], set[tuple[str, str]]]:
    """(section, name) of all entries that stand in a file, and of those that it removes."""
    path = FOLDER / f"{name}.yaml"
    root = read_yaml(str(path), path.read_bytes(), Reporter())
    assert root is not None
    found: set[tuple[str, str]] = set()
    for section in SECTIONS:
        entries = root.get(section)
        if isinstance(entries, Mapping):
            found |= {(section, name) for name in names(entries)}
    if root.get("setup") is not None:
        found.add(("setup", "setup"))
    removed = root.get("remove")
    gone = [item.value for item in removed.items if isinstance(item, Scalar)] if isinstance(removed, Sequence) else []
    return found, {(text.split(".")[0], text.split(".")[1]) for text in gone}


def names(entries: Mapping, path: str = "") -> list[str]:
    """The names of entries, those of phases inside others with theirs."""
    found = []
    for key, value in entries.items:
        inner = value.get("phases") if isinstance(value, Mapping) else None
        if inner is None or not isinstance(value, Mapping) or len(value.items) > 1:
            found.append(path + key.value.partition("(")[0])
        if isinstance(inner, Mapping):
            found += names(inner, f"{path}{key.value}/")
    return found


@pytest.mark.parametrize(("first", "second"), STEPS)
def test_nothing_is_missing_and_nothing_false(first: str, second: str) -> None:
    """A mode's file holds what it adds or changes, and nothing else; so does the diff to the mode before."""
    found = [change for change in changes(first, second) if change.section]
    stands, removed = written(second)
    assert stands == {(c.section, c.name) for c in found if c.kind != "removed"}
    assert removed == {(c.section, c.name) for c in found if c.kind == "removed"}
    before = set().union(*(written(name)[0] for name in MODES[: MODES.index(second)]))
    assert stands - before == {(c.section, c.name) for c in found if c.kind == "added"}


@pytest.mark.parametrize(("first", "second"), STEPS)
def test_every_rule_is_told_in_words(first: str, second: str) -> None:
    """What is added, changed or removed is described; only new values and places speak for themselves."""
    silent = ("options", "types")
    found = [c for c in changes(first, second) if c.section and c.section not in silent and not c.doc]
    assert all(c.kind == "changed" for c in found)
    assert [] == [c.name for c in found if c.section != "setup" and not c.details[0].startswith("it stands ")]


@pytest.mark.parametrize("name", MODES)
def test_a_mode_does_not_differ_from_itself(name: str) -> None:
    """However it is named: by its path, or by its id."""
    result = CliRunner().invoke(app, ["diff", f"paperbag-dungeon-{name}", str(FOLDER / f"{name}.yaml")])
    assert 0 == result.exit_code
    assert " ".join(result.output.split()).endswith(": no difference")


def test_a_diff_backwards_swaps_what_is_added_and_removed() -> None:
    there, back = changes("janitor", "warden"), changes("warden", "janitor")
    added = {(c.section, c.name) for c in there if c.kind == "added"}
    assert added == {(c.section, c.name) for c in back if c.kind == "removed"}
    assert not [c for c in back if c.kind == "added"]
    assert [c.name for c in there if c.kind == "changed"] == [c.name for c in back if c.kind == "changed"]


def test_a_diff_over_several_modes_is_the_sum_of_the_steps() -> None:
    def added(first: str, second: str) -> set[tuple[str, str]]:
        return {(c.section, c.name) for c in changes(first, second) if c.kind == "added"}

    assert added("chill", "janitor") | added("janitor", "warden") == added("chill", "warden")


@pytest.mark.parametrize(("first", "second"), STEPS)
def test_the_text(first: str, second: str, update_golden: bool) -> None:
    command = ["diff", f"paperbag-dungeon-{first}", f"paperbag-dungeon-{second}"]
    result = CliRunner().invoke(app, command, env={"COLUMNS": "100"})
    path = GOLDEN / f"paperbag_{first}_{second}.txt"
    if update_golden:
        path.parent.mkdir(exist_ok=True)
        path.write_text(result.output, encoding="utf-8")
    assert result.output == path.read_text(encoding="utf-8")
