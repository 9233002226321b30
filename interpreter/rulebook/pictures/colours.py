"""Which colour stands for what: values of enums, seats, kinds of cells."""

from __future__ import annotations

FILLS = (
    "#dce9ec", "#f4dba6", "#bfdcc6", "#ecbfb6", "#cdc6ea", "#aed3e6", "#d9e0a8", "#efcbe0", "#e2cbab", "#cfd2d4",
    "#a9ddd6", "#f2c79b",
)  # fmt: skip
"""Fills of things that differ, light enough for dark text."""

SEATS = ("#b3372b", "#245a9c", "#2c7038", "#86600a", "#6b3fa0", "#3b3b3b", "#0f6e74", "#a03a72")
"""The colours of seats, dark enough for white text."""

_NAMED = {
    "red": "#d9685c", "green": "#79b37f", "blue": "#7ba7d4", "yellow": "#f1d265", "purple": "#a98bd0",
    "violet": "#a98bd0", "orange": "#eba25c", "brown": "#b08d68", "black": "#6e6a66", "white": "#fdfcf9",
    "grey": "#bdbab4", "gray": "#bdbab4", "pink": "#eaa6c4", "cyan": "#86cbd3", "gold": "#dfbf5a", "silver": "#c9cdd1",
}  # fmt: skip
"""Colours that names speak of, light enough for dark text."""


def of_value(name: str, number: int) -> str:
    """The fill for a value of an enum: the colour it is named after, else one by its number."""
    for word in name.lower().split("_"):
        if word in _NAMED:
            return _NAMED[word]
    return FILLS[number % len(FILLS)]


def of_seat(seat: int) -> str:
    """The colour of a seat."""
    return SEATS[seat % len(SEATS)]
