"""Spoiled game files: see `specs.py`. More of them with `-m soak`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from specs import Corpus, case


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("spoiled").resolve(), largest=10_000)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("spoiled").resolve())


@pytest.mark.parametrize("first", range(0, 100, 20))
def test_small_files(first: int, corpus: Corpus) -> None:
    """One hundred cases, twenty at a time."""
    for number in range(first, first + 20):
        outcome = case(number, corpus)
        assert outcome.kind != "broken", f"case {number}: {outcome.about}\n{outcome.change}"


@pytest.mark.soak
@pytest.mark.parametrize("first", range(1_000_000, 1_010_000, 100))
def test_all_files(first: int, whole: Corpus) -> None:
    """Ten thousand."""
    for number in range(first, first + 100):
        outcome = case(number, whole)
        assert outcome.kind != "broken", f"case {number}: {outcome.about}\n{outcome.change}"
