"""Spoiled game files, and random ones: see `specs.py` and `random_specs.py`. More of them with `-m soak`.

Hypothesis draws the cases, so that it makes one that fails small; the cases here are the same in every run.
"""

from __future__ import annotations

import difflib
import random
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

import random_specs
from specs import Corpus, case, judged, spoiled

chances = st.randoms(use_true_random=False)
few = settings(
    max_examples=30,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate, Phase.shrink],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("spoiled").resolve(), largest=10_000)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    return Corpus(tmp_path_factory.mktemp("spoiled").resolve())


@pytest.mark.parametrize("first", range(0, 240, 20))
def test_small_files(first: int, corpus: Corpus) -> None:
    """240 cases, twenty at a time."""
    for number in range(first, first + 20):
        outcome = case(number, corpus)
        assert outcome.kind != "broken", f"case {number}: {outcome.about}\n{outcome.change}"


@given(chance=chances)
@few
@pytest.mark.parametrize("part", range(2))
def test_drawn_changes_of_small_files(part: int, chance: random.Random, corpus: Corpus) -> None:
    """Sixty cases in two parts, which hypothesis makes small where one fails."""
    roots = corpus.roots[part::2]
    path = corpus.copy / roots[chance.randrange(len(roots))]
    before = path.read_text(encoding="utf-8")
    after = spoiled(before, chance, corpus)
    try:
        path.write_text(after, encoding="utf-8")
        kind, about = judged(path, random.Random(part))
    finally:
        path.write_text(before, encoding="utf-8")
    change = "\n".join(difflib.unified_diff(before.split("\n"), after.split("\n"), n=0, lineterm=""))
    assert kind != "broken", f"{path.name}: {about}\n{change}"


@pytest.mark.parametrize("first", range(0, 240, 20))
def test_random_specs(first: int, tmp_path: Path) -> None:
    """240 specs."""
    kinds = []
    for number in range(first, first + 20):
        kind, about, text = random_specs.case(random.Random(number), tmp_path, games=4)
        assert kind != "broken", f"case {number}: {about}\n{text}"
        kinds.append(kind)
    assert kinds.count("played") >= 10, "most are right, so that the engine is tried and not only the checker"


@given(chance=chances)
@few
@pytest.mark.parametrize("part", range(2))
def test_drawn_specs(part: int, chance: random.Random, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Sixty specs, which hypothesis makes small where one fails."""
    kind, about, text = random_specs.case(chance, tmp_path_factory.getbasetemp(), games=3)
    assert kind != "broken", f"{about}\n{text}"


@pytest.mark.soak
@pytest.mark.parametrize("first", range(1_000_000, 1_010_000, 100))
def test_all_files(first: int, whole: Corpus) -> None:
    """Ten thousand spoiled files of all sizes."""
    for number in range(first, first + 100):
        outcome = case(number, whole)
        assert outcome.kind != "broken", f"case {number}: {outcome.about}\n{outcome.change}"


@pytest.mark.soak
@pytest.mark.parametrize("first", range(1_000_000, 1_010_000, 100))
def test_many_random_specs(first: int, tmp_path: Path) -> None:
    """Ten thousand random specs, with a hundred games of each that checks."""
    for number in range(first, first + 100):
        kind, about, text = random_specs.case(random.Random(number), tmp_path, games=100)
        assert kind != "broken", f"case {number}: {about}\n{text}"
