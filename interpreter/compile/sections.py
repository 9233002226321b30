"""The sections between the places of a body that can stop, put in the order in which play runs through them.

An emitted body is a loop over `if place_ == 3:` sections. To go on at another section takes a turn of that loop and the
tests of the sections before it; so a section that only one other goes on at becomes a part of that one, and short
sections of turns are repeated where they are needed.

What a line does is read from its text, which rests on how lines are emitted: a variable of the spec is set by a line of
its own, `S.v_name = ...`, and whatever else could set one is called with the position, `name(S, ...)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from attrs import define, field

from interpreter.compile.writer import Places, Writer

JUMP = re.compile(r"( *)place_ = (\d+)$")
MOST_LINES = 16
"""Of a section that is repeated where it is needed."""
MOST_REPEATED = 96
"""Lines of one body that are repeated."""

Line = tuple[str, Places]


@define
class Section:
    """The lines from one place to where play stops or goes on elsewhere, indented from 0. rare: seldom come to."""

    label: int
    rare: bool
    lines: list[Line] = field(factory=list)

    @property
    def following(self) -> int | None:
        """The place at which it goes on at its end, if that is all it can do there."""
        if len(self.lines) > 1 and self.lines[-1][0] == "continue" and (found := JUMP.match(self.lines[-2][0])):
            return int(found[2])
        return None

    def jumps(self) -> Iterator[tuple[int, str, int]]:
        """Where it goes on elsewhere: number of the line, its indentation, the place."""
        for n, ((text, _), (after, _)) in enumerate(pairwise(self.lines)):
            found = JUMP.match(text)
            if found and after == f"{found[1]}continue":
                yield n, found[1], int(found[2])


@define
class Sections:
    """The sections of one body.

    resumed: places at which play comes back to it. decided: of those after a decision its number, where nothing else
    can be decided in between. updates: of such places a line, and other lines that do the same there.
    """

    resumed: set[int]
    decided: dict[int, int]
    updates: dict[int, tuple[str, list[str]]] = field(factory=dict)
    listed: list[Section] = field(factory=list)

    def arrange(self, repeats: bool) -> None:
        """Joins and orders them; `repeats`: short ones may stand several times."""
        self._straighten()
        self._join()
        if repeats:
            # Those at which play comes back first, the beginning last.
            self.listed.sort(
                key=lambda s: 3 if s.label == 0 else 2 if s.rare else 1 if s.label not in self.resumed else 0
            )
            left = self._repeat({*self.resumed, 0}, MOST_REPEATED)
            self._settle()
            self._repeat(self.resumed, left)
            self._join()
        self._settle()
        if not repeats:
            self._rotate()

    def write(self, out: Writer) -> None:
        """Adds their lines; where the section to go on with comes next, play runs on into it."""
        for n, section in enumerate(self.listed):
            lines = section.lines
            if n + 1 < len(self.listed) and section.following == self.listed[n + 1].label:
                lines = lines[:-1]
            out.lines.append("    " * (out.indent - 1) + f"if place_ == {section.label}:")
            out.spans.append(lines[0][1] if lines else ())
            for text, span in lines:
                out.lines.append("    " * out.indent + text)
                out.spans.append(span)

    def _straighten(self) -> None:
        """Takes out sections that only go on elsewhere: who went there goes there at once."""
        for section in list(self.listed):
            aim = section.following
            if aim in (None, section.label) or len(section.lines) > 2 or section.label in {0, *self.resumed}:
                continue
            self.listed.remove(section)
            for other in self.listed:
                for n, indent, label in list(other.jumps()):
                    if label == section.label:
                        other.lines[n] = (f"{indent}place_ = {aim}", other.lines[n][1])

    def _coming(self) -> dict[int, int]:
        """By place how often another section, or the same, goes on there; without places that are not come to."""
        sections = {section.label: section for section in self.listed}
        coming: dict[int, int] = {}
        open_, done = [0, *self.resumed], set[int]()
        while open_:
            label = open_.pop()
            if label in done or label not in sections:
                continue
            done.add(label)
            for _, _, aim in sections[label].jumps():
                coming[aim] = coming.get(aim, 0) + 1
                open_.append(aim)
        self.listed = [section for section in self.listed if section.label in done]
        return coming

    def _join(self) -> None:
        """Adds a section that is come to only from the end of another to that one."""
        coming = self._coming()
        sections = {section.label: section for section in self.listed}
        for section in list(self.listed):
            while (aim := section.following) is not None and aim != section.label:
                if aim in {0, *self.resumed} or coming[aim] > 1 or section not in self.listed:
                    break
                if sections[aim].rare and not section.rare:
                    break
                section.lines[-2:] = sections[aim].lines
                self.listed.remove(sections[aim])

    def _settle(self) -> None:
        """Takes out lines that change nothing, and sections that nothing comes to."""
        for section in self.listed:
            section.lines = _chained(_settled(section.lines, {}))
        coming = self._coming()
        for section in self.listed:
            if section.label in self.resumed and section.label not in coming:
                # The frame says already that play comes back here, and the position which decision it stands at.
                known = {f"F[1] = {section.label}", f"S.decision = {self.decided.get(section.label)}"}
                section.lines = [line for line in section.lines if line[0].strip() not in known]
                section.lines = list(self._updated(section))

    def _updated(self, section: Section) -> Iterator[Line]:
        """The lines of a section that begins after a decision, with what is quicker there."""
        before, lines = self.updates.get(section.label, ("", []))
        for text, span in section.lines:
            if text.strip() == before:
                indent = text[: len(text) - len(before)]
                yield from ((indent + line, span) for line in lines)
            else:
                yield text, span

    def _repeat(self, labels: set[int], left: int) -> int:
        """Puts short sections in the place of the jumps to them from some others; gives how many lines are left."""
        bodies = {s.label: list(s.lines) for s in self.listed if not s.rare}
        for section in [s for s in self.listed if s.label in labels and not s.rare]:
            for n, indent, aim in reversed(list(section.jumps())):
                if section.lines[n - 1][0].endswith("if not S.options:"):
                    continue  # seldom; and what follows a decision (see `_settle`) stays what follows this one
                lines = self._tail(bodies, aim, {section.label})
                if lines and len(lines) <= left:
                    left -= len(lines)
                    section.lines[n : n + 2] = [(indent + text, span) for text, span in lines]
        return left

    def _tail(self, bodies: dict[int, list[Line]], aim: int, seen: set[int]) -> list[Line]:
        """The lines of a section, with those of the one that it goes on at; none where they are many."""
        if aim in seen or aim not in bodies or aim == 0 or len(bodies[aim]) > MOST_LINES:
            return []
        lines = bodies[aim]
        following = Section(aim, False, lines).following
        more = self._tail(bodies, following, seen | {aim}) if following is not None else []
        return [*lines[:-2], *more] if more and len(lines) + len(more) <= MOST_LINES + 8 else lines

    def _rotate(self) -> None:
        """Moves the start of each loop behind the section that goes back to it, the beginning of all behind loops."""
        turned = False
        for section in list(self.listed):
            start = next((s for s in self.listed if s.label == section.following), None)
            if section.rare or start is None or start.label == 0:
                continue
            if self.listed.index(start) < self.listed.index(section):
                self.listed.remove(start)
                self.listed.insert(self.listed.index(section) + 1, start)
                turned = True
        if turned and self.listed[0].label == 0:
            self.listed.append(self.listed.pop(0))


# ---------------------------------------------------------------- lines that need not be there

SET = re.compile(r"(S\.v_\w+) = (True|False)$")
TEST = re.compile(r"if (not )?(S\.v_\w+):$")
PLAIN = re.compile(r" *S\.v_\w+ = (\d+|True|False|None)")
TARGET = re.compile(r"(S\.v_\w+) [^=]?= ")


def _settled(lines: list[Line], known: dict[str, bool]) -> list[Line]:
    """Lines without tests of variables that lines before them have just set. known: those, with their values."""
    result: list[Line] = []
    n = 0
    while n < len(lines):
        text, span = lines[n]
        end = n + 1
        while end < len(lines) and lines[end][0].startswith(" "):
            end += 1
        block = [(inner[4:], place) for inner, place in lines[n + 1 : end]]
        test = TEST.match(text)
        has_more = end < len(lines) and lines[end][0].startswith(("else", "elif"))
        if test and test[2] in known and not has_more:
            if known[test[2]] != bool(test[1]):
                result += (inside := _settled(block, known))
                if inside and inside[-1][0].startswith(("continue", "return", "raise", "break")):
                    return result
        else:
            changed = {found[1] for inner, _ in [(text, span), *block] if (found := TARGET.match(inner.strip()))}
            if any("(S" in inner for inner, _ in [(text, span), *block]):
                changed = set(known)  # what is called may set it
            after = {name: value for name, value in known.items() if name not in changed}
            if block:
                # In a loop what comes later in the block may have been done before.
                first = after if text.startswith(("for ", "while ")) or "(S" in text else known
                block = [("    " + inner, place) for inner, place in _settled(block, first) or [("pass", span)]]
            known = after
            if found := SET.match(text):
                known = {**known, found[1]: found[2] == "True"}
            result += [(text, span), *block]
        n = end
    return result


def _chained(lines: list[Line]) -> list[Line]:
    """Lines in which the same value is worked out once for whose turn it is and who decides."""
    result: list[Line] = []
    for text, span in lines:
        target, _, value = text.partition(" = ")
        if text == "action_ = S.chosen.action" and any(before == text for before, _ in result):
            continue
        if target.strip() in ("S.turn", "S.seat") and re.fullmatch(r"F\[\d+\]|\w+", value):
            n = len(result) - 1
            while n >= 0 and PLAIN.fullmatch(result[n][0]):
                n -= 1
            before, _, last = result[n][0].rpartition(" = ") if n >= 0 else ("", "", "")
            depth = len(before) - len(before.lstrip())
            if before and depth == len(target) - len(target.lstrip()) and value in (*before.strip().split(" = "), last):
                result[n] = (f"{before} = {target.strip()} = {last}", result[n][1])
                continue
        result.append((text, span))
    return result
