"""What was reached of a spec and what was not, as numbers, lists, JSON and lcov."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from attrs import field, frozen

from interpreter.coverage.points import KINDS, Point

_FUNCTIONS = ("action", "phase", "trigger", "procedure", "function", "rule", "result", "invariant")
"""Kinds that lcov knows as functions."""


@frozen(slots=False)
class CoverageReport:
    """What games and scenarios reached of a spec.

    Attributes:
        titles: of the games.
        hits: every point with how often it was reached, in the order of the files.
        games: how many were played at random.
        scenarios: how many were run.
        decisions: made in the games.
        faults: games that ended with a rule that cannot be carried out.
        failed: scenarios that failed.
    """

    titles: tuple[str, ...]
    hits: tuple[tuple[Point, int], ...] = field(repr=False)
    games: int
    scenarios: int
    decisions: int
    faults: int
    failed: int

    @property
    def reached(self) -> int:
        """How many points were reached."""
        return sum(count > 0 for _, count in self.hits)

    @property
    def share(self) -> float:
        """The part of all points that was reached, from 0 to 1; 1 for a spec without any."""
        return self.reached / len(self.hits) if self.hits else 1.0

    @property
    def missed(self) -> list[Point]:
        """The points that were never reached, by file and line."""
        missed = [point for point, count in self.hits if not count]
        return sorted(missed, key=lambda p: (self.files.index(p.span.path), p.span.line, p.span.column))

    @property
    def by_kind(self) -> dict[str, tuple[int, int]]:
        """By kind of point, how many were reached, and of how many."""
        found = {}
        for kind in KINDS:
            counts = [count for point, count in self.hits if point.kind == kind]
            if counts:
                found[kind] = (sum(count > 0 for count in counts), len(counts))
        return found

    @cached_property
    def files(self) -> list[str]:
        """The files of the spec that have points, those it builds on too."""
        return list(dict.fromkeys(point.span.path for point, _ in self.hits))

    def text(self, point: Point) -> str:
        """What it means that a point was not reached, in words."""
        match point.kind:
            case "condition":
                return f"`{self._source(point)}` is never {point.outcome}"
            case "effect":
                return f"`{self._source(point)}` is never done"
            case "option":
                return f"option `{point.name}` is never {point.outcome}"
            case "action" | "procedure" | "trigger":
                return f"{point.kind} `{point.name}` is never done"
            case "phase":
                return f"phase `{point.name}` never begins"
        return f"{point.kind} `{point.name}` is never used"

    def lines(self, path: str) -> list[str]:
        """The lines of a file of the spec, none if it is not there any more."""
        if path not in self._sources:
            try:
                self._sources[path] = Path(path).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                self._sources[path] = []
        return self._sources[path]

    @cached_property
    def _sources(self) -> dict[str, list[str]]:
        return {}

    def line(self, point: Point) -> str:
        """The line of the spec where a point begins."""
        lines = self.lines(point.span.path)
        return lines[point.span.line - 1].strip() if point.span.line <= len(lines) else ""

    def _source(self, point: Point) -> str:
        """The beginning of a point's text, on one line."""
        span = point.span
        lines = self.lines(span.path)[span.line - 1 : span.end_line]
        if not lines:
            return "?"
        more = "" if span.line == span.end_line else " ..."
        end = span.end_column - 1 if not more else None
        return lines[0][span.column - 1 : end].strip() + more

    def with_other(self, other: CoverageReport) -> CoverageReport:
        """What two games reached together; what stands in a file of both counts once, with the sum of its hits."""
        hits: dict[Point, int] = {}
        for report in (self, other):
            for point, count in report.hits:
                hits[point] = hits.get(point, 0) + count
        return CoverageReport(
            self.titles + other.titles,
            tuple(hits.items()),
            self.games + other.games,
            self.scenarios + other.scenarios,
            self.decisions + other.decisions,
            self.faults + other.faults,
            self.failed + other.failed,
        )

    # ------------------------------------------------------------ for programs

    def plain(self) -> dict[str, Any]:
        """All of it in plain JSON types."""
        return {
            "titles": list(self.titles),
            "games": self.games,
            "scenarios": self.scenarios,
            "decisions": self.decisions,
            "faults": self.faults,
            "failed": self.failed,
            "reached": self.reached,
            "points": len(self.hits),
            "share": round(self.share, 4),
            "kinds": {kind: {"reached": some, "points": of} for kind, (some, of) in self.by_kind.items()},
            "hits": [
                {
                    "kind": point.kind,
                    "name": point.name,
                    "outcome": point.outcome,
                    "path": point.span.path,
                    "line": point.span.line,
                    "column": point.span.column,
                    "hits": count,
                }
                for point, count in self.hits
            ],
        }

    def lcov(self, root: str | Path = ".") -> str:
        """A tracefile of lcov: effects and rules as lines, declarations as functions, conditions as branches.

        Args:
            root: paths in it are relative to this folder, where they lie in it.
        """
        return "".join(line + "\n" for path in self.files for line in self._lcov(path, root))

    def _lcov(self, path: str, root: str | Path) -> Iterator[str]:
        here = [(point, count) for point, count in self.hits if point.span.path == path]
        yield "TN:"
        yield f"SF:{_relative(path, root)}"
        named = [(p, count) for p, count in here if p.kind in _FUNCTIONS]
        for point, _ in named:
            yield f"FN:{point.span.line},{point.kind} {point.name}"
        for point, count in named:
            yield f"FNDA:{count},{point.kind} {point.name}"
        yield f"FNF:{len(named)}"
        yield f"FNH:{sum(count > 0 for _, count in named)}"
        choices = [(p, count) for p, count in here if p.kind in ("condition", "option")]
        blocks: dict[Any, list[tuple[Point, int]]] = {}
        for point, count in choices:
            blocks.setdefault((point.span.line, point.span, point.name), []).append((point, count))
        for number, ((line, _, _), outcomes) in enumerate(sorted(blocks.items(), key=lambda pair: pair[0][0])):
            evaluated = any(count for _, count in outcomes)
            for branch, (_, count) in enumerate(outcomes):
                yield f"BRDA:{line},{number},{branch},{count if evaluated else '-'}"
        yield f"BRF:{len(choices)}"
        yield f"BRH:{sum(count > 0 for _, count in choices)}"
        hits = self.line_hits(path)
        for line, count in sorted(hits.items()):
            yield f"DA:{line},{count}"
        yield f"LF:{len(hits)}"
        yield f"LH:{sum(count > 0 for count in hits.values())}"
        yield "end_of_record"

    def line_hits(self, path: str) -> dict[int, int]:
        """By line of a file on which points begin, how often the one reached most was."""
        hits: dict[int, int] = {}
        for point, count in self.hits:
            if point.span.path == path:
                hits[point.span.line] = max(hits.get(point.span.line, 0), count)
        return hits


def _relative(path: str, root: str | Path) -> str:
    """A path from a folder on, with slashes; absolute where it does not lie in that folder."""
    absolute = Path(path).resolve()
    try:
        return absolute.relative_to(Path(root).resolve()).as_posix()
    except ValueError:
        return os.path.abspath(absolute)
