"""The table of codes: complete, and with nothing that is not used."""

from __future__ import annotations

import re
from pathlib import Path

from rulespec.check.codes import CODES, title

ROOT = Path(__file__).parents[2]
SOURCES = [path for path in (ROOT / "rulespec").rglob("*.py") if path.name != "codes.py"]


def used() -> set[str]:
    """Every code that stands as a string in the sources of the language."""
    return {code for path in SOURCES for code in re.findall(r'"(RS\d{3})"', path.read_text(encoding="utf-8"))}


def test_every_code_of_the_sources_is_in_the_table() -> None:
    assert [] == sorted(used() - set(CODES))


def test_every_code_of_the_table_is_used() -> None:
    assert [] == sorted(set(CODES) - used())


def test_codes_are_in_order_and_titles_are_short() -> None:
    assert sorted(CODES) == list(CODES)
    assert [] == [code for code, text in CODES.items() if not 5 <= len(text) <= 70 or text.endswith(".")]
    assert len(set(CODES.values())) >= len(CODES) - 1


def test_titles_by_code() -> None:
    assert "an unknown type" == title("RS350")
    assert "" == title("RS999")
