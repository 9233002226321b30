"""Emitted lines that change nothing are left out, and only those."""

from __future__ import annotations

import pytest

from interpreter.compile.sections import Section, Sections, _chained, _settled
from interpreter.compile.writer import Writer

SETTLED = {
    "a test of what is known": (
        """
        S.v_over = False
        S.v_drawn = 0
        if S.v_over:
            return 0
        return 1
        """,
        """
        S.v_over = False
        S.v_drawn = 0
        return 1
        """,
    ),
    "what is always done": (
        """
        S.v_over = True
        if S.v_over:
            place_ = 4
            continue
        return 1
        """,
        """
        S.v_over = True
        place_ = 4
        continue
        """,
    ),
    "the other branch is not taken out": (
        """
        S.v_over = True
        if S.v_over:
            x = 1
        else:
            x = 2
        """,
        None,
    ),
    "something else may have set it": (
        """
        S.v_over = True
        procedure_start(S)
        if not S.v_over:
            x = 1
        """,
        None,
    ),
    "set again in a block": (
        """
        S.v_over = True
        if x:
            S.v_over = False
        if S.v_over:
            y = 1
        """,
        None,
    ),
    "set later in a loop": (
        """
        S.v_over = True
        for x in z[1]:
            if not S.v_over:
                y = 1
            S.v_over = x > 1
        """,
        None,
    ),
    "a call later in a loop": (
        """
        S.v_over = True
        for x in z[1]:
            if not S.v_over:
                y = 1
            procedure_start(S)
        """,
        None,
    ),
    "a block of which nothing is left": (
        """
        S.v_over = True
        for x in z[1]:
            if not S.v_over:
                y = 1
        """,
        """
        S.v_over = True
        for x in z[1]:
            pass
        """,
    ),
    "counted": (
        """
        S.v_over = False
        S.v_over += 1
        if S.v_over:
            y = 1
        """,
        None,
    ),
}


def lines_of(text: str) -> list[str]:
    return [line[8:] for line in text.strip("\n").splitlines()[:-1]] if text.strip() else []


@pytest.mark.parametrize("name", SETTLED)
def test_settled(name: str) -> None:
    text, expected = SETTLED[name]
    found = [line for line, _ in _settled([(line, ()) for line in lines_of(text)], {})]
    assert found == lines_of(text if expected is None else expected)


def test_the_same_value_is_worked_out_once() -> None:
    lines = ["F[2] = 1 - F[2]", "S.turn = F[2]", "S.v_drawn = 0", "S.seat = F[2]", "S.decision = 1"]
    assert [line for line, _ in _chained([(line, ()) for line in lines])] == [
        "F[2] = S.turn = S.seat = 1 - F[2]", "S.v_drawn = 0", "S.decision = 1",
    ]  # fmt: skip
    apart = ["F[2] = 1", "if x:", "    S.turn = F[2]", "S.seat = F[3]"]
    assert [line for line, _ in _chained([(line, ()) for line in apart])] == apart


def test_a_section_that_one_other_goes_on_at_becomes_part_of_it() -> None:
    parts = {0: ["x = 1", "place_ = 1", "continue"], 1: ["return 1"], 2: ["x = 2", "place_ = 0", "continue"]}
    sections = Sections({2}, {})
    sections.listed = [Section(n, False, [(line, ()) for line in lines]) for n, lines in parts.items()]
    sections.arrange(repeats=False)
    out = Writer(indent=1)
    sections.write(out)
    assert out.lines == [
        "if place_ == 0:", "    x = 1", "    return 1",
        "if place_ == 2:", "    x = 2", "    place_ = 0", "    continue",
    ]  # fmt: skip
