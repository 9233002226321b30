"""Whole games that show the language at work: each checks without an error or a warning."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulespec
from rulespec.diagnostics import short

SKETCHES = sorted((Path(__file__).parent / "sketches").rglob("*.yaml"))


@pytest.mark.parametrize("path", SKETCHES, ids=lambda path: path.stem)
def test_sketch_checks(path: Path) -> None:
    assert [short(diagnostic) for diagnostic in rulespec.check(path)] == []
