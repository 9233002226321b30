"""Words of pages and pictures: every language has them all, with the same places for values."""

import re
from pathlib import Path

import pytest
import yaml

from interpreter.rulebook import page_words
from interpreter.rulebook.pictures import wording

PHRASES = sorted((Path(page_words.__file__).parent / "phrases").glob("*.yaml"))
WORDS = {**page_words.WORDS, **wording.WORDS}


@pytest.mark.parametrize("path", PHRASES, ids=lambda path: path.stem)
def test_a_language_has_all_words(path: Path) -> None:
    words = yaml.safe_load(path.read_text(encoding="utf-8"))["words"]
    assert set() == set(WORDS) - set(words)
    for key, english in WORDS.items():
        assert isinstance(words[key], str), key
        assert set(re.findall(r"{\w+}", english)) == set(re.findall(r"{\w+}", words[key])), key
    unused = {key for key in words if key.startswith(("page_", "picture_"))} - set(WORDS)
    assert set() == unused


def test_english_is_what_stands_in_the_code() -> None:
    [english] = [path for path in PHRASES if path.stem == "en"]
    words = yaml.safe_load(english.read_text(encoding="utf-8"))["words"]
    assert {key: words[key] for key in WORDS} == WORDS
