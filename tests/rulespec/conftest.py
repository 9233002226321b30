"""Small games for the tests of the checker."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec import checked as ir
from rulespec.check.driver import check_spec
from rulespec.diagnostics import Diagnostic, Reporter, short
from rulespec.loader import read_spec

HEAD = """
rulespec: 1
id: walk
title: A Walk
about: Things happen.
players: 2..4
"""
TAIL = """
actions:
  rest: nothing
phases:
  walk: {turns: {rounds: 1}, actions: [rest]}
"""
UNUSED = "RS920"


class GameMaker:
    """Writes games into a folder and checks them.

    A text without `rulespec:` gets a head, one without `phases:` an action and a phase. Further files are
    keyword arguments: `rows_csv` is `rows.csv`.
    """

    head, tail = HEAD, TAIL

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, text: str, **files: str) -> Path:
        """Writes a game, and gives its path."""
        for name, content in files.items():
            (self.folder / name.replace("_", ".")).write_text(content, encoding="utf-8")
        whole = text if "rulespec:" in text else HEAD + text + ("" if "\nphases:" in text else TAIL)
        path = self.folder / "game.yaml"
        path.write_text(whole, encoding="utf-8")
        return path

    def diagnose(self, text: str, **files: str) -> tuple[ir.CheckedSpec | None, list[Diagnostic]]:
        """The checked spec, if there is one, and everything that was found but that something is not used."""
        reporter = Reporter()
        spec = read_spec(self.write(text, **files), reporter)
        checked = check_spec(spec, reporter) if spec is not None else None
        return checked, [d for d in reporter.diagnostics if d.code != UNUSED]

    def checked(self, text: str, **files: str) -> ir.CheckedSpec:
        """A game without mistakes."""
        spec, found = self.diagnose(text, **files)
        assert [] == [short(d) for d in found]
        assert spec is not None
        return spec

    def codes(self, text: str, **files: str) -> list[str]:
        """The codes of what is wrong, in order."""
        return [d.code for d in self.diagnose(text, **files)[1]]


@pytest.fixture
def game(tmp_path: Path) -> GameMaker:
    """Makes games in a folder of their own."""
    return GameMaker(tmp_path)
