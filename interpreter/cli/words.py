"""Readable words for names and values as views give them: plain JSON types to short text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

NOTHING = "·"


def words(name: str) -> str:
    """A name of the spec as words: `own_pack` is `own pack`."""
    return name.replace("_", " ")


def heading(name: str) -> str:
    """A name as the heading of a panel or row."""
    text = words(name)
    return text[:1].upper() + text[1:]


def value(item: Any) -> str:
    """A value of a variable, or one component, as short text."""
    if item is None:
        return NOTHING
    if isinstance(item, bool):
        return "yes" if item else "no"
    if isinstance(item, Mapping):
        return " ".join(f"{words(str(k))} {value(v)}" for k, v in item.items())
    if isinstance(item, list | tuple):
        return ", ".join(value(part) for part in item) or NOTHING
    return str(item)


def is_zone(entry: Any) -> bool:
    """Whether a part of a view is one zone, and not a map of zones by index."""
    return isinstance(entry, Mapping) and not isinstance(entry.get("count", {}), Mapping)


def zone(entry: Mapping[str, Any]) -> str:
    """The contents of a zone as its viewer knows them: names, or how many are hidden."""
    cards = entry.get("cards")
    count = entry.get("count")
    if not cards:
        if entry.get("top") is not None:
            return f"{entry['top']} on top" + (f", {count} in all" if count else "")
        if count is None:
            return NOTHING if cards is not None else "?"
        return f"{count} hidden" if count else NOTHING
    names = ["?" if card is None else value(card) for card in cards]
    known = ("; " if any("," in name for name in names) else ", ").join(names)
    return f"{known} and {count - len(cards)} hidden" if count and count > len(cards) else known


def is_empty(entry: Any) -> bool:
    """Whether there is nothing to show: an empty zone, no value, or a map of only such."""
    if is_zone(entry):
        return not entry.get("count", 1)
    if isinstance(entry, Mapping):
        return all(is_empty(part) for part in entry.values())
    return entry is None


def listed(names: Iterable[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    items = list(names)
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def number_of(count: int, noun: str) -> str:
    """`1 spec`, `3 specs`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"
