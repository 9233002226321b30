"""Every numbered sentence of docs/reference/meaning.md has a test that names it, and the other way round."""

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = Path(__file__).parents[3] / "docs" / "reference" / "meaning.md"


def test_every_sentence_has_a_test_and_every_test_a_sentence():
    written = {tuple(found) for found in re.findall(r"^- \*\*(\w+) (\d+)\*\*", PAGE.read_text(encoding="utf-8"), re.M)}
    tested = set()
    for path in HERE.glob("test_*.py"):
        if path != Path(__file__):
            tested |= set(re.findall(r"^def test_(\w+?)_(\d+)_", path.read_text(encoding="utf-8"), re.M))
    assert written
    assert [] == sorted(written - tested)
    assert [] == sorted(tested - written)
