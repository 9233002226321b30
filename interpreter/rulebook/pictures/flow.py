"""The course of a game as a diagram: phases inside phases, what comes again, and what may be done in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.rulebook.pictures.svg import Drawing, Picture, fitted, text_width, wrapped
from interpreter.rulebook.pictures.wording import word
from interpreter.texts import number
from rulespec import checked as ir

if TYPE_CHECKING:
    from collections.abc import Sequence

    from interpreter.rulebook.blocks import Names

WIDTH = 420.0
_GAP = 20.0
_INSET = 16.0
_LOOP = 18.0
"""The room for an arrow back."""


def flow(spec: ir.CheckedSpec, names: Names) -> Picture | None:
    """The phases of a game from set-up to end; None for a game without phases."""
    if not spec.phases:
        return None
    drawing = Drawing(WIDTH)
    y = _end(drawing, word(names, "picture_setup"), 1)
    for phase in spec.phases:
        y = _arrow(drawing, WIDTH / 2, y)
        y += _phase(drawing, names, phase, 1, y, WIDTH - 2)
    y = _arrow(drawing, WIDTH / 2, y)
    drawing.height = _end(drawing, word(names, "picture_end"), y) + 1
    title = word(names, "picture_flow")
    steps = [word(names, "picture_setup"), *_spoken(names, spec.phases), word(names, "picture_end")]
    return drawing.picture("flow", title, f"{'; '.join(steps)}.")


def _spoken(names: Names, phases: Sequence[ir.Phase]) -> list[str]:
    """The diagram in words, for those who do not see it."""
    found = []
    for phase in phases:
        text = names.of("phase", phase.name)
        notes = [again for again in (_again(names, phase),) if again]
        notes += [names.of("action", action) for action in phase.actions]
        if phase.phases:
            notes.append(", ".join(_spoken(names, phase.phases)))
        found.append(f"{text} ({', '.join(notes)})" if notes else text)
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _again(names: Names, phase: ir.Phase) -> str:
    """Why a phase comes again: for every value of a variable, every turn, or until something is so; "" if once."""
    if phase.repeat is not None:
        variable, values = phase.repeat
        text = names.of("variable", variable.variable)
        if isinstance(values, ir.RangeOf):
            ends = [number(end.value) for end in (values.first, values.last) if isinstance(end, ir.Const)]
            if len(ends) == 2:
                text += f" {ends[0]}–{ends[1]}"
        return text
    if phase.turns is not None:
        text = word(names, "picture_turns")
        backwards = phase.turns.order == "counterclockwise"
        return f"{text}, {word(names, 'picture_counterclockwise')}" if backwards else text
    return word(names, "picture_again") if phase.repeat_until is not None else ""


def _end(drawing: Drawing, text: str, y: float) -> float:
    wide = text_width(text, 12.5, bold=True) + 36
    drawing.rect((drawing.width - wide) / 2, y, wide, 28, "accent", r=14)
    drawing.text(drawing.width / 2, y + 18.5, text, "light", size=12.5, bold=True, anchor="middle")
    return y + 28


def _arrow(drawing: Drawing, x: float, y: float) -> float:
    drawing.line(x, y, x, y + _GAP - 5, "arrow")
    drawing.polygon([(x - 4.5, y + _GAP - 7), (x + 4.5, y + _GAP - 7), (x, y + _GAP - 0.5)], "tip")
    return y + _GAP


def _phase(drawing: Drawing, names: Names, phase: ir.Phase, x: float, y: float, width: float) -> float:
    """Draws a phase and gives its height. One that only exists with some options has a broken edge."""
    title = _capital(names.of("phase", phase.name))
    again = _again(names, phase)
    actions = [_capital(names.of("action", name)) for name in phase.actions]
    if phase.take == "any" and phase.done_label:
        actions.append(phase.done_label)
    free = [f"{_capital(names.of('action', name))} ({word(names, 'picture_any_time')})" for name in phase.any_time]
    inner = Drawing(width)
    # Title and loop stand in one line, or below each other.
    room = width - 2 * _INSET
    loop = again
    high = 24.0
    inner.text(_INSET, 19, fitted(title, room, 13, bold=True), "text", size=13, bold=True)
    if loop and text_width(title, 13, bold=True) + text_width(loop, 11) + 30 <= room:
        inner.text(width - _INSET - 16, 19, loop, "soft", size=11, anchor="end")
        _round(inner, width - _INSET - 6, 15)
    elif loop:
        _round(inner, _INSET + 5, high + 7)
        for line in wrapped(loop, room - 16, 11):
            inner.text(_INSET + 16, high + 11, line, "soft", size=11)
            high += 15
    high = _listed(inner, [*actions, *free], high + 2, width)
    if phase.phases:
        high += 6
        right = _LOOP if again else 0
        left = _INSET - 4
        start, wide = high, width - 2 * left - right
        for n, part in enumerate(phase.phases):
            if n:
                high = _arrow(inner, left + wide / 2, high)
            high += _phase(inner, names, part, left, high, wide)
        if again:
            _back(inner, width - _INSET + 4 - right, width - _INSET + 1, start + 14, high - 14)
        high += 4
    high += 8
    dashes = "5 4" if phase.only_if is not None else None
    drawing.rect(x, y, width, high, "panel" if phase.phases else "step", r=8, stroke_dasharray=dashes)
    drawing.place(inner, x, y)
    return high


def _listed(drawing: Drawing, actions: Sequence[str], y: float, width: float) -> float:
    """Actions one after the other, with points between, as many in a line as fit."""
    x = _INSET
    if not actions:
        return y
    y += 4
    for action in actions:
        text = fitted(action, width - 2 * _INSET - 18, 11)
        wide = text_width(text, 11) + 18
        if x + wide > width - _INSET and x > _INSET:
            x, y = _INSET, y + 25
        drawing.rect(x, y, wide, 20, "panel", r=10)
        drawing.text(x + wide / 2, y + 14, text, "text", size=11, anchor="middle")
        x += wide + 6
    return y + 22


def _round(drawing: Drawing, x: float, y: float) -> None:
    """A small sign for what comes again, around (x, y)."""
    drawing.path(f"M{x + 4:.1f} {y - 2:.1f}A4.5 4.5 0 1 0 {x + 4.5:.1f} {y + 0.5:.1f}", "arrow", stroke_width="1.4")
    drawing.polygon([(x + 5.6, y - 5.2), (x + 5.6, y - 0.6), (x + 1.2, y - 1.6)], "tip")


def _back(drawing: Drawing, left: float, right: float, top: float, bottom: float) -> None:
    """An arrow from the last part back to the first one."""
    turn = 6
    drawing.path(
        f"M{left:.1f} {bottom:.1f}H{right - turn:.1f}Q{right:.1f} {bottom:.1f} {right:.1f} {bottom - turn:.1f}"
        f"V{top + turn:.1f}Q{right:.1f} {top:.1f} {right - turn:.1f} {top:.1f}H{left + 6:.1f}",
        "arrow",
    )
    drawing.polygon([(left + 8, top - 4.5), (left + 8, top + 4.5), (left + 1, top)], "tip")
