"""Diagnostics as text and as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulespec.diagnostics import Diagnostic, Note
from rulespec.render import Renderer, as_json, full, short
from rulespec.source import Span


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)

    def write(*lines: str) -> None:
        (tmp_path / "game.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")

    return write


def error(span: Span, hint: str = "", notes: tuple[Note, ...] = ()) -> Diagnostic:
    return Diagnostic("error", "RS301", "unknown name `heapz`", span, hint, notes)


def span(line: int, column: int, end_column: int, end_line: int = 0) -> Span:
    return Span("game.yaml", line, column, end_line or line, end_column)


def test_full_form(file) -> None:
    file("a: 1", "when: heapz.total > 0")

    assert (
        "error[RS301]: unknown name `heapz`\n"
        " --> game.yaml:2:7\n"
        "  |\n"
        "2 | when: heapz.total > 0\n"
        "  |       ^^^^^\n"
        "  |\n"
        "  = help: did you mean `heaps`?"
    ) == full(error(span(2, 7, 12), "did you mean `heaps`?"))


def test_notes_stand_between_place_and_help(file) -> None:
    file(*["x: y"] * 11)
    note = Note("the first is here", span(2, 1, 2))

    assert (
        "error[RS301]: unknown name `heapz`\n"
        "  --> game.yaml:11:1\n"
        "   |\n"
        "11 | x: y\n"
        "   | ^\n"
        "   |\n"
        "   = note: the first is here\n"
        "  --> game.yaml:2:1\n"
        "   |\n"
        " 2 | x: y\n"
        "   | -\n"
        "   |\n"
        "   = help: no"
    ) == full(error(span(11, 1, 2), "no", (note,)))


def caret(text: str) -> str:
    """The line with the caret, and the line above."""
    rows = text.split("\n")
    return "\n".join(rows[3:5])


def test_tabs_and_wide_characters_keep_the_caret_in_place(file) -> None:
    file("\t犬: heapz", "e\u0301: heapz")

    assert "1 |     犬: heapz\n  |         ^^^^^" == caret(full(error(span(1, 5, 10))))
    assert "2 | e\u0301: heapz\n  |    ^^^^^" == caret(full(error(span(2, 5, 10))))


def test_span_of_several_lines_is_marked_to_the_end_of_its_first(file) -> None:
    file("is: a +", "  b")

    assert "1 | is: a +\n  |     ^^^" == caret(full(error(span(1, 5, 4, end_line=2))))


def test_place_behind_the_end_of_a_line_has_a_caret(file) -> None:
    file("is:")

    assert "1 | is:\n  |    ^" == caret(full(error(span(1, 4, 4))))


def test_long_line_is_cut_around_the_caret(file) -> None:
    file("a" * 500 + "heapz" + "b" * 500)
    shown, mark = caret(full(error(span(1, 501, 506)))).split("\n")

    assert len(shown) < 180
    assert "heapz" == shown[mark.index("^") : mark.rindex("^") + 1]


def test_missing_file_or_line_leaves_the_snippet_out(file) -> None:
    file("a: b")

    assert "error[RS301]: unknown name `heapz`\n  --> game.yaml:70:1" == full(error(span(70, 1, 2)))
    assert "\n --> no.yaml:7:1\n  = help: x" in full(error(Span("no.yaml", 7, 1, 7, 2), "x"))


def test_all_has_an_empty_line_between() -> None:
    renderer = Renderer()
    one = error(Span("no.yaml", 7, 1, 7, 2))

    assert "" == renderer.all([])
    assert renderer.full(one) + "\n\n" + renderer.full(one) + "\n" == renderer.all([one, one])


def test_colour_is_off_unless_asked_for(file) -> None:
    file("when: heapz")
    one = error(span(1, 7, 12), "x")

    assert "\x1b" not in full(one)
    assert "\x1b[1;31merror[RS301]\x1b[0m" in full(one, colour=True)


def test_short_form() -> None:
    assert "game.yaml:2:7: error[RS301]: unknown name `heapz`; x" == short(error(span(2, 7, 12), "x"))


def test_json_has_every_part() -> None:
    made = as_json(error(span(2, 7, 12), "x", (Note("here", span(1, 1, 2)),)))

    assert made == json.loads(json.dumps(made))
    assert ("error", "RS301", "x", 2, 7, 2, 12) == tuple(
        made[k] for k in ("severity", "code", "hint", "line", "column", "end_line", "end_column")
    )
    assert [{"message": "here", "path": "game.yaml", "line": 1, "column": 1, "end_line": 1, "end_column": 2}] == made[
        "notes"
    ]
