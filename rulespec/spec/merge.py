"""Stacking the files of `extends`: entries by name, then key by key, logic as layers.

Works on outlines, before any rules text is parsed, so that a file may give a part of an entry only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from attrs import define, evolve

from rulespec.diagnostics import Note, Reporter
from rulespec.source import Span
from rulespec.spec import keys as k
from rulespec.spec import model as m
from rulespec.spec.outline import Entries, Entry, Given, Outline, Version, found
from rulespec.spec.values import place_of
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n
from rulespec.yaml_source import Mapping, Scalar, Sequence

_EXCLUSIVE_HEAD = {"players": "seats", "seats": "players"}
_ALWAYS_THERE = ("types", "boards", "tables", "components", "records")
"""Sections that the `only_if` of a file leaves alone: what nothing uses does no harm."""


def merge(outlines: list[Outline], reporter: Reporter) -> tuple[Outline, tuple[m.Removal, ...]]:
    """Stacks files, the base first.

    Args:
        outlines: the files; the last one is the game that is asked for.
        reporter: gets the faults.

    Returns:
        One outline, and everything the files removed.
    """
    result = Outline(outlines[-1].path, outlines[-1].span, broken=outlines[-1].broken)
    removals: list[m.Removal] = []
    for number, upper in enumerate(outlines):
        removals += _Stacking(result, upper, number == 0, reporter).run()
    return result, tuple(removals)


def removals_of(outline: Outline, reporter: Reporter) -> list[m.Removal]:
    """The `remove:` list of a file."""
    given = outline.head.get("remove")
    result: list[m.Removal] = []
    for node in given.node.items if given is not None and isinstance(given.node, Sequence) else ():
        match = re.fullmatch(r"([a-z]+)\.([A-Za-z_]\w*)", node.value.strip()) if isinstance(node, Scalar) else None
        if match is None:
            hint = "write as `zones.display`"
            reporter.error("RS134", f"`remove` needs entries as `section.name`, found {found(node)}", node.span, hint)
            continue
        section = match.group(1)
        known = [name for name, s in k.SECTIONS.items() if not s.single]
        if section not in known:
            reporter.error("RS134", f"there is no section `{section}`", node.span, did_you_mean(section, known))
            continue
        result.append(m.Removal(section, match.group(2), node.span))
    return result


@define
class _Stacking:
    """One file laid on what is below it."""

    below: Outline
    upper: Outline
    is_base: bool
    reporter: Reporter

    def run(self) -> list[m.Removal]:
        removals = removals_of(self.upper, self.reporter)
        for removal in removals:
            self._remove(removal)
        self._head()
        for name, entries in self.upper.sections.items():
            if not self.is_base and name == "phases":
                entries = self._well_nested(entries)
            level = self.below.sections.setdefault(name, {})
            self._entries(level, entries, () if name in _ALWAYS_THERE else self._file_conditions())
        return removals

    def _file_conditions(self) -> tuple[Scalar, ...]:
        given = self.upper.head.get("only_if")
        return (given.node,) if given is not None and isinstance(given.node, Scalar) else ()

    def _head(self) -> None:
        for name, given in self.upper.head.items():
            if name in ("extends", "remove", "only_if"):
                continue
            other = _EXCLUSIVE_HEAD.get(name)
            if other is not None and other not in self.upper.head:
                self.below.head.pop(other, None)
            self.below.head[name] = given

    # ------------------------------------------------------------ entries

    def _entries(self, level: Entries, entries: Entries, conditions: tuple[Scalar, ...]) -> None:
        placed: list[tuple[str, Given]] = []
        for name, entry in entries.items():
            if name in level:
                self._add_to(level[name], entry, conditions)
            else:
                level[name] = evolve(entry, only_if=conditions + entry.only_if)
            if "place" in entry.values:
                placed.append((name, entry.values["place"]))
        for name, given in placed:
            self._place(level, name, given)

    def _add_to(self, base: Entry, entry: Entry, conditions: tuple[Scalar, ...]) -> None:
        """Lays an entry over one of the same name below."""
        self._check_signature(base, entry)
        plain = {name: given for name, given in entry.values.items() if name not in ("doc", "place")}
        own = conditions + entry.only_if
        if own and plain:
            first = next(iter(plain.values()))
            message = f"`{first.key.value}` of {base.shown} can't depend on `only_if`, because it is no logic"
            note = Note("the condition is here", own[0].span)
            hint = f"give {base.shown} `{first.key.value}` without a condition, or write a new entry"
            self.reporter.error("RS138", message, first.key.span, hint, (note,))
        if entry.only_if and not entry.layers and not entry.phases:
            base.only_if = own
        doc = ""
        if "doc" in entry.values and not own:
            base.values["doc"] = entry.values["doc"]
        elif "doc" in entry.values and isinstance(entry.values["doc"].node, Scalar):
            doc = entry.values["doc"].node.value.strip()
        if "place" in entry.values:
            base.values["place"] = entry.values["place"]
        for name, given in plain.items():
            for other in _replaced_by(base, name):
                base.values.pop(other, None)
            base.values[name] = given
        for name, versions in entry.layers.items():
            added = tuple(Version(v.given, own + v.only_if, v.replaces, doc) for v in versions)
            base.layers[name] = base.layers.get(name, ()) + added
        base.broken |= entry.broken
        self._entries(base.phases, entry.phases, own)

    def _check_signature(self, base: Entry, entry: Entry) -> None:
        """A version speaks of the parameters by the names they have below."""
        old, new = base.signature, entry.signature
        if old is None or new is None or new.params is None:
            return
        if old.params is None:
            base.signature = new
            return
        same = [p.name for p in old.params] == [p.name for p in new.params]
        types = same and all(_same_type(p.type, q.type) for p, q in zip(old.params, new.params, strict=True))
        if not types:
            note = Note(f"{base.shown} is declared here", base.key.span)
            message = f"{entry.shown} has other parameters than below"
            self.reporter.error("RS136", message, entry.key.span, f"write `{base.key.value}`", (note,))
        elif new.result is not None and old.result is None:
            base.signature = new

    def _well_nested(self, entries: Entries) -> Entries:
        """Leaves out new phases at the top that have the name of one inside another: that one was meant."""
        good = dict(entries)
        top = self.below.sections.get("phases", {})
        inner = {entry.name: (parent, entry) for parent, entry in _inner_phases(top)}
        for name, entry in entries.items():
            if name not in top and name in inner:
                del good[name]
                parent, other = inner[name]
                note = Note(f"phase `{name}` stands inside `{parent.name}` here", other.key.span)
                message = f"phase `{name}` stands at the top here, but inside `{parent.name}` below"
                hint = f"write it as `{parent.name}: {{phases: {{{name}: ...}}}}`"
                self.reporter.error("RS137", message, entry.key.span, hint, (note,))
        return good

    # ------------------------------------------------------------ order and removal

    def _place(self, level: Entries, name: str, given: Given) -> None:
        place = place_of(given, self.reporter)
        if place is None:
            return
        where, other = place
        if other and (other not in level or other == name):
            names = [x for x in level if x != name]
            hint = did_you_mean(other, names)
            message = f"`place` names `{other}`, which is not there"
            self.reporter.error("RS135", message, given.node.span, hint)
            return
        moved = level[name]
        rest = [entry for key, entry in level.items() if key != name]
        at = {"first": 0, "last": len(rest)}.get(where)
        if at is None:
            at = next(i for i, entry in enumerate(rest) if entry.name == other) + (where == "after")
        rest.insert(at, moved)
        level.clear()
        level.update({entry.name: entry for entry in rest})

    def _remove(self, removal: m.Removal) -> None:
        if self.is_base:
            message = "`remove` takes away what a file below has, but this file extends none"
            self.reporter.error("RS134", message, removal.span, "delete `remove`, or add `extends`")
            return
        level = self.below.sections.get(removal.section, {})
        if _take(level, removal.name):
            return
        names = list(level) + [entry.name for _, entry in _inner_phases(level)]
        noun = k.SECTIONS[removal.section].noun
        hint = did_you_mean(removal.name, names)
        message = f"`remove` names {noun} `{removal.name}`, which is not there"
        self.reporter.error("RS134", message, removal.span, hint)


def _take(level: Entries, name: str) -> bool:
    """Removes an entry, or a phase inside another."""
    if level.pop(name, None) is not None:
        return True
    return any(_take(entry.phases, name) for entry in level.values())


def _inner_phases(level: Entries) -> Iterator[tuple[Entry, Entry]]:
    """(parent, phase) of all phases inside others."""
    for entry in level.values():
        for inner in entry.phases.values():
            yield entry, inner
        yield from _inner_phases(entry.phases)


def _replaced_by(base: Entry, name: str) -> tuple[str, ...]:
    """Keys of the entry below that a key puts out of force, being another way to say the same."""
    groups = {
        "type": (("values", "type", "fields"),),
        "board": (("grid", "map"),),
        "trigger": (("before", "after", "instead_of"),),
    }.get(base.section.noun, ())
    for group in groups:
        if name in group:
            return tuple(other for other in group if other != name)
    return ()


def _same_type(a: n.TypeExpr, b: n.TypeExpr) -> bool:
    """Spans do not count in the comparison of nodes."""
    return a == b


def extends_of(outline: Outline, reporter: Reporter) -> list[tuple[str, Span]]:
    """The files of `extends`, with the places where they are named."""
    given = outline.head.get("extends")
    if given is None or isinstance(given.node, Mapping):
        return []
    result: list[tuple[str, Span]] = []
    for node in given.node.items if isinstance(given.node, Sequence) else (given.node,):
        if isinstance(node, Scalar) and node.value:
            result.append((node.value, node.span))
        else:
            reporter.error("RS100", f"`extends` needs names of files, found {found(node)}", node.span)
    return result
