"""Drawings as SVG text: shapes with roles instead of colours, and texts that fit.

Every shape has a role, as `paper` or `soft`. A role is written twice: as the colours of print and daylight in
attributes, so that a drawing stands alone, and as a class, so that a page may give it others in the dark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from attrs import define, evolve, field, frozen

FONT = "system-ui, -apple-system, 'Segoe UI', 'Noto Sans', 'Helvetica Neue', Arial, sans-serif"

ROLES: dict[str, dict[str, str]] = {
    # On the page: these change in the dark.
    "text": {"fill": "#23201c"},
    "soft": {"fill": "#5d564c"},
    "panel": {"fill": "#f5f1e8", "stroke": "#d8cfbf"},
    "line": {"fill": "none", "stroke": "#8d8272"},
    "arrow": {"fill": "none", "stroke": "#1f5d63", "stroke-width": "1.6"},
    "tip": {"fill": "#1f5d63"},
    "step": {"fill": "#ffffff", "stroke": "#1f5d63"},
    "accent": {"fill": "#1f5d63"},
    "changed": {"fill": "none", "stroke": "#b34a12", "stroke-width": "2.5"},
    # Things of cardboard and wood: these are what they are in any light.
    "paper": {"fill": "#fffdf8", "stroke": "#857a69"},
    "back": {"fill": "#55656c", "stroke": "#3f4c52"},
    "ink": {"fill": "#23201c"},
    "faint": {"fill": "#5b5349"},
    "rule": {"fill": "none", "stroke": "#b9ae9d"},
    "light": {"fill": "#ffffff"},
    "path": {"fill": "#f6ecd6", "stroke": "none"},
    "solid": {"fill": "#5a5148", "stroke": "none"},
    "hatched": {"fill": "none", "stroke": "#a4988690", "stroke-width": "0.8"},
    "exit": {"fill": "#b34a12", "stroke": "none"},
}
"""The attributes of each role."""

_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NARROW, _WIDE = frozenset("iljtfrI.,:;'|!()[]- ·"), frozenset("mwMW@%—…×")


@frozen
class Picture:
    """A finished drawing.

    Attributes:
        name: what a file of it may be called, without ending; unlike those of other drawings of a book.
        svg: one whole `svg` element, with title, description and `role="img"`.
        title: what it shows, in a few words.
        description: the same for those who do not see it, in sentences.
        width, height: its size in pixels at normal size.
    """

    name: str
    svg: str = field(repr=False)
    title: str
    description: str
    width: float
    height: float

    def renamed(self, name: str) -> Picture:
        """The same picture under another name, with ids of their own."""
        svg = self.svg.replace(f'"{self.name}-title', f'"{name}-title').replace(f'{self.name}-desc"', f'{name}-desc"')
        return evolve(self, name=name, svg=svg)


def escaped(text: str) -> str:
    """Text that stands for itself in SVG and HTML, in content and in attributes."""
    return escape(_CONTROL.sub("�", text), quote=True)


def text_width(text: str, size: float, bold: bool = False) -> float:
    """About how wide a text is, rather too much than too little: every computer has other fonts."""
    width = 0.0
    for sign in text:
        if sign in _NARROW:
            width += 0.34
        elif sign in _WIDE:
            width += 0.92
        elif sign > "\u2e7f":
            width += 1.05
        elif sign.isupper():
            width += 0.7
        else:
            width += 0.575
    return width * size * (1.06 if bold else 1.0)


def fitted(text: str, width: float, size: float, bold: bool = False) -> str:
    """The text, cut with `…` where it is too wide."""
    if text_width(text, size, bold) <= width:
        return text
    while text and text_width(text + "…", size, bold) > width:
        text = text[:-1]
    return text.rstrip() + "…"


def wrapped(text: str, width: float, size: float, bold: bool = False, most: int = 0) -> list[str]:
    """The text in lines of a width; more lines than `most` (0: any number) end with `…`."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and text_width(longer, size, bold) > width:
            lines.append(line)
            line = word
        else:
            line = longer
        while text_width(line, size, bold) > width and len(line) > 1:
            cut = next(n for n in range(len(line), 0, -1) if n == 1 or text_width(line[:n], size, bold) <= width)
            lines.append(line[:cut])
            line = line[cut:]
    if line:
        lines.append(line)
    if most and len(lines) > most:
        lines = [*lines[: most - 1], fitted(" ".join(lines[most - 1 :]), width, size, bold)]
    return lines


def number(value: float) -> str:
    """A coordinate: short, without `-0` and needless zeros."""
    text = f"{value:.1f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@define
class Drawing:
    """Shapes one over the other, in pixels; x goes right and y goes down.

    Attributes:
        width, height: its size; the height may be set when all is drawn.
    """

    width: float
    height: float = 0
    parts: list[str] = field(factory=list)

    def _add(self, tag: str, role: str, attributes: dict[str, str | float | None], content: str | None = None) -> None:
        merged: dict[str, str | float] = {"class": f"p-{role}"} if role else {}
        merged |= ROLES.get(role, {})
        merged |= {name.replace("_", "-"): value for name, value in attributes.items() if value is not None}
        words = "".join(
            f' {name}="{escaped(value if isinstance(value, str) else number(value))}"' for name, value in merged.items()
        )
        self.parts.append(f"<{tag}{words}/>" if content is None else f"<{tag}{words}>{content}</{tag}>")

    def rect(
        self, x: float, y: float, width: float, height: float, role: str, *, r: float = 0, **more: str | float | None
    ) -> None:
        """A rectangle with corners rounded by `r`."""
        self._add("rect", role, {"x": x, "y": y, "width": width, "height": height, "rx": r or None, **more})

    def circle(self, x: float, y: float, r: float, role: str, **more: str | float | None) -> None:
        """A disc around (x, y)."""
        self._add("circle", role, {"cx": x, "cy": y, "r": r, **more})

    def line(
        self, x: float, y: float, to_x: float, to_y: float, role: str = "line", **more: str | float | None
    ) -> None:
        """A straight line."""
        self._add("line", role, {"x1": x, "y1": y, "x2": to_x, "y2": to_y, **more})

    def path(self, d: str, role: str, **more: str | float | None) -> None:
        """Any outline, as SVG writes it."""
        self._add("path", role, {"d": d, **more})

    def polygon(self, points: Sequence[tuple[float, float]], role: str, **more: str | float | None) -> None:
        """A closed outline."""
        text = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        self._add("polygon", role, {"points": text, **more})

    def text(
        self,
        x: float,
        y: float,
        text: str,
        role: str = "text",
        *,
        size: float = 12,
        bold: bool = False,
        italic: bool = False,
        anchor: str = "start",
        **more: str | float | None,
    ) -> None:
        """One line of text; y is its base line, anchor `start`, `middle` or `end`."""
        attributes: dict[str, str | float | None] = {
            "x": x,
            "y": y,
            "font-size": size,
            "font-weight": "600" if bold else None,
            "font-style": "italic" if italic else None,
            "text-anchor": None if anchor == "start" else anchor,
            **more,
        }
        self._add("text", role, attributes, escaped(text))

    def lines(
        self, x: float, y: float, lines: Sequence[str], role: str = "text", *, size: float = 12, leading: float = 1.3,
        bold: bool = False, italic: bool = False, anchor: str = "start",
    ) -> float:  # fmt: skip
        """Several lines below each other; gives the base line of the one that would follow."""
        for line in lines:
            self.text(x, y, line, role, size=size, bold=bold, italic=italic, anchor=anchor)
            y += size * leading
        return y

    def place(self, other: Drawing, x: float, y: float, scale: float = 1) -> None:
        """Another drawing with its corner at (x, y)."""
        move = f"translate({number(x)} {number(y)})" + (f" scale({scale:.3f})" if scale != 1 else "")
        self.parts.append(f'<g transform="{move}">{"".join(other.parts)}</g>')

    def picture(self, name: str, title: str, description: str) -> Picture:
        """The drawing as a whole `svg` element."""
        return whole(name, title, description, self.width, self.height, "".join(self.parts))


def whole(name: str, title: str, description: str, width: float, height: float, content: str) -> Picture:
    """A picture with a content that is SVG already.

    Args:
        name: what makes its ids unlike those of other pictures on a page; other signs than letters, digits
            and hyphens become hyphens.
        title: what it shows, plain text.
        description: the same in sentences, plain text.
        width: in pixels.
        height: in pixels.
        content: SVG elements.
    """
    name = re.sub(r"[^A-Za-z0-9-]+", "-", name).strip("-") or "picture"
    label = f"{name}-title {name}-desc" if description else f"{name}-title"
    described = f'<desc id="{name}-desc">{escaped(description)}</desc>' if description else ""
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" aria-labelledby="{label}" '
        f'width="{number(width)}" height="{number(height)}" viewBox="0 0 {number(width)} {number(height)}" '
        f'font-family="{escaped(FONT)}"><title id="{name}-title">{escaped(title)}</title>{described}{content}</svg>'
    )
    return Picture(name, svg, title, description, width, height)
