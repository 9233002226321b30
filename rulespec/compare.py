"""What one spec adds to another, changes in it and leaves out: the rules of a variant beside its base."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from textwrap import dedent
from typing import Any

import attrs
from attrs import frozen

from rulespec.check.walk import says_usual
from rulespec.source import Span, Text
from rulespec.spec import model as m

SECTIONS = {
    "options": "option",
    "types": "type",
    "boards": "board",
    "tables": "table",
    "components": "component",
    "zones": "zone",
    "variables": "variable",
    "records": "record",
    "functions": "function",
    "procedures": "procedure",
    "triggers": "trigger",
    "actions": "action",
    "phases": "phase",
    "invariants": "invariant",
}
"""Sections of named entries, and what one entry of each is called."""

_UNSEEN = {"name", "spans", "phases"}
_DESCRIBING = {"doc", "label", "done_label"}


@frozen
class Change:
    """One rule that differs.

    Attributes:
        kind: added, changed or removed.
        section: the section of the spec; "" for the head of the file.
        name: the entry's name; a phase inside others with theirs, as `round/deal`.
        details: what is different, in words, for a changed entry; for an added rule without `doc`, its text.
        doc: what the spec says of an added entry; of a changed one what the second spec says anew, if anything; of a
            removed one what the first spec says.
        span: where it stands now; of a removed one, where it stood.
    """

    kind: str
    section: str
    name: str
    details: tuple[str, ...]
    doc: str
    span: Span | None

    @property
    def noun(self) -> str:
        """What the entry is called: action, zone, ..."""
        return SECTIONS.get(self.section, self.section)


def compare(first: m.Spec, second: m.Spec) -> list[Change]:
    """Every entry of `second` that is new or different, and every one of `first` that is gone, section by section.

    Args:
        first: the base.
        second: the variant.
    """
    changes = list(_head(first, second))
    for section in SECTIONS:
        old, new = _entries(first, section), _entries(second, section)
        for name, entry in new.items():
            if name not in old:
                rule = () if entry.doc else _rule(entry)
                changes.append(Change("added", section, name, rule, entry.doc, entry.name_span))
                continue
            details, said = _details(old[name], entry), _said(old[name], entry)
            if details or said:  # a doc may be all that is new
                changes.append(Change("changed", section, name, details, said, entry.name_span))
        for name, entry in old.items():
            if name not in new:
                changes.append(Change("removed", section, name, (), entry.doc, entry.name_span))
    changes += _unnamed(first, second)
    return changes


def _head(first: m.Spec, second: m.Spec) -> Iterator[Change]:
    for key in ("title", "about", "seats", "doc"):
        old, new = getattr(first, key), getattr(second, key)
        if old != new and key == "seats":
            yield Change("changed", "", "players", (f"was {_seats(old)}, now {_seats(new)}",), "", None)
        elif old != new:
            yield Change("changed", "", key, (f"was {old or 'not given'}, now {new or 'not given'}",), "", None)


def _seats(seats: tuple[int, int]) -> str:
    return str(seats[0]) if seats[0] == seats[1] else f"{seats[0]} to {seats[1]}"


def _entries(spec: m.Spec, section: str) -> Mapping[str, Any]:
    return dict(_phases(spec.phases)) if section == "phases" else getattr(spec, section)


def _phases(phases: tuple[m.Phase, ...], path: str = "") -> Iterator[tuple[str, m.Phase]]:
    for phase in phases:
        yield f"{path}{phase.name}", phase
        yield from _phases(phase.phases, f"{path}{phase.name}/")


def _unnamed(first: m.Spec, second: m.Spec) -> Iterator[Change]:
    """The set-up and the result, which have no names."""
    if details := _layers("the set-up", first.setup, second.setup):
        yield Change("changed", "setup", "setup", details, "", second.setup[-1].span if second.setup else None)
    result: list[str] = []
    for key in ("score", "payoff"):
        result += _layers(f"the {key}", getattr(first.result, key), getattr(second.result, key))
    if first.result.rank_by != second.result.rank_by:
        result.append("the ranking is another")
    if result:
        yield Change("changed", "result", "result", tuple(result), "", second.result.span)


def _said(old: m.Entry, new: m.Entry) -> str:
    """What is said anew of an entry, or of its versions that are new."""
    found = [new.doc] if new.doc != old.doc else []
    for attribute in attrs.fields(type(new)):
        before, after = getattr(old, attribute.name), getattr(new, attribute.name)
        if _is_layers(before) and _is_layers(after):
            found += [layer.doc for layer in after[_common(before, after) :]]
    return " ".join(dict.fromkeys(" ".join(text.split()) for text in found if text))


def _details(old: m.Entry, new: m.Entry) -> tuple[str, ...]:
    """What is different in an entry, in words: rules first, then descriptions."""
    rules: list[str] = []
    words: list[str] = []
    for attribute in attrs.fields(type(new)):
        key = attribute.name
        before, after = getattr(old, key), getattr(new, key)
        if key in _UNSEEN or not attribute.eq or _plain(before) == _plain(after):
            continue
        if _is_layers(before) and _is_layers(after):
            rules += _layers(f"`{_key(key)}`", before, after)
        elif key == "place":
            rules.append(f"it stands {_place(after)}" if after else "it has its place of before")
        elif key in _DESCRIBING:
            if key != "doc" or not after:  # a new doc is told by the change
                words.append(f"its {key.replace('_', ' ')} is another")
        elif isinstance(before, m.Rows) and isinstance(after, m.Rows) and before.rows and after.rows:
            rules += _rows(before, after)
        else:
            rules.append(_changed_value(key, old, new))
    return tuple(rules + words)


def _plain(value: Any) -> Any:
    """A value without places in files."""
    if isinstance(value, tuple):
        return tuple(_plain(part) for part in value if not isinstance(part, Span))
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, Text):
        return value.text
    if attrs.has(type(value)):
        return (type(value), *(_plain(getattr(value, a.name)) for a in attrs.fields(type(value)) if a.eq))
    return value


def _rule(entry: m.Entry) -> tuple[str, ...]:
    """The text of a new function or procedure, for one that has no description."""
    return tuple(_source(layer.span) for layer in getattr(entry, "layers", ()))


def _is_layers(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(part, m.Layer) for part in value)


def _key(key: str) -> str:
    return {"layers": "the rule", "selection": "with", "first": "from", "alias": "type"}.get(key, key)


def _place(place: tuple[str, str]) -> str:
    return f"{place[0]} `{place[1]}`" if place[1] else place[0]


def _layers(what: str, before: m.Layers, after: m.Layers) -> tuple[str, ...]:
    """The versions that come on top of those that both have."""
    what = what.strip("`") if what == "`the rule`" else what
    common = _common(before, after)
    found = []
    for layer in after[common:]:
        condition = f" where `{_source(layer.only_if.span)}`" if layer.only_if is not None else ""
        adds = "adds to what it was" if common and says_usual(layer.body) else "is new" if not common else "replaces it"
        source = _source(layer.span)
        between = "\n" if "\n" in source else " "
        found.append(f"{what}{condition} {adds}:{between}{source}")
    if len(before) > common:
        found.append(f"{what} of before is gone" if not after[common:] else f"{what} of before no longer counts")
    return tuple(found)


def _common(before: m.Layers, after: m.Layers) -> int:
    """How many versions both have, from the lowest."""
    common = 0
    while common < min(len(before), len(after)) and _plain(before[common]) == _plain(after[common]):
        common += 1
    return common


def _rows(before: m.Rows, after: m.Rows) -> list[str]:
    """Which rows of a table are new, different or gone; rows are known by their first cell."""
    old, new = ({_first(row): row for row in rows.rows} for rows in (before, after))
    found = [f"the row `{name}` is new" for name in new if name not in old]
    for name, row in new.items():
        if name in old and _plain(row.cells) != _plain(old[name].cells):
            columns = [*row.cells, *(column for column in old[name].cells if column not in row.cells)]
            other = [c for c in columns if _plain(row.cells.get(c)) != _plain(old[name].cells.get(c))]
            told = ", ".join(f"`{c}` was {_cell(old[name].cells.get(c))}, now {_cell(row.cells.get(c))}" for c in other)
            found.append(f"in the row `{name}` {told}")
    found += [f"the row `{name}` is gone" for name in old if name not in new]
    return found or ["the order of its rows is another"]


def _first(row: m.Row) -> str:
    return _cell(next(iter(row.cells.values()), None))


def _cell(cell: m.Cell | None) -> str:
    if cell is None:
        return "not given"
    if cell.text is not None:
        return cell.text.text or "empty"
    return ", ".join([*map(_cell, cell.items), *(f"{name}: {_cell(part)}" for name, part in cell.named)]) or "empty"


def _changed_value(key: str, old: m.Entry, new: m.Entry) -> str:
    before = _source(old.spans[key]) if key in old.spans else _shown(getattr(old, key))
    after = _source(new.spans[key]) if key in new.spans else _shown(getattr(new, key))
    name = _key(key)
    if not before or before == after:
        return f"`{name}` is {after}" if after and before != after else f"`{name}` is another"
    return f"`{name}` was {before}, now {after or 'none'}"


def _shown(value: Any) -> str:
    return str(value) if isinstance(value, str | int | bool) else ""


@lru_cache(maxsize=64)
def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").split("\n")
    except OSError:
        return []


def _source(span: Span | None) -> str:
    """The text of a place in a file, its common indentation taken away."""
    if span is None:
        return ""
    lines = _lines(span.path)[span.line - 1 : span.end_line]
    if not lines:
        return ""
    if len(lines) == 1:
        text = lines[0][span.column - 1 : span.end_column - 1].strip()
        return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else text
    lines[-1] = lines[-1][: span.end_column - 1]
    if lines[0][span.column - 1 :].strip()[:1] in ("|", ">"):
        return dedent("\n".join(lines[1:])).strip()
    lines[0] = " " * (span.column - 1) + lines[0][span.column - 1 :]
    return dedent("\n".join(lines)).strip()
