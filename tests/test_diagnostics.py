"""Every case under tests/diagnostics: a game with a mistake, and what is said about it, to the letter.

A case is a folder named by its code, `RS101-unknown-key`, with a `game.yaml` and the `expected.txt` that
`pytest --update-golden` writes. Read what it wrote before committing it.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.check.driver import check_spec
from rulespec.diagnostics import Diagnostic, Reporter
from rulespec.loader import read_spec
from rulespec.render import Renderer

CASES = sorted((Path(__file__).parent / "diagnostics").iterdir())


def diagnose(path: str) -> tuple[Diagnostic, ...]:
    """Everything that is found in a game file."""
    reporter = Reporter()
    spec = read_spec(path, reporter)
    if spec is not None:
        check_spec(spec, reporter)
    return reporter.diagnostics


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case_reports_what_is_expected(case: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool) -> None:
    monkeypatch.chdir(case)
    found = diagnose("game.yaml")
    text = Renderer().all(found)
    expected = case / "expected.txt"

    # Before anything is written: output that lacks the case's own code is never what it should be.
    assert {case.name[:5]} == {d.code for d in found}
    if update_golden:
        expected.write_text(text, encoding="utf-8")
    assert expected.read_text(encoding="utf-8") == text
