"""Files to spec: reads a game file and everything it names, stacks it, and builds the model."""

from __future__ import annotations

from pathlib import Path

from attrs import define, evolve, field

from rulespec.diagnostics import Diagnostic, Note, Reporter
from rulespec.source import Span
from rulespec.spec.build import build
from rulespec.spec.merge import extends_of, merge
from rulespec.spec.model import Spec
from rulespec.spec.outline import Outline, outline
from rulespec.spec.sources import Sources
from rulespec.spec.values import Context
from rulespec.yaml_source import read_yaml

MAX_EXTENDS = 20
MAX_MISTAKES = 200
"""Mistakes reported before reading stops: a file with more is not a game file, or one slip repeated."""


def read_spec(path: str | Path, reporter: Reporter) -> Spec | None:
    """Reads a game.

    Args:
        path: the game file. Places in diagnostics begin with it as given.
        reporter: gets everything that is wrong, of all files.

    Returns:
        The merged spec, or None if there is an error.
    """
    limited = _Limited(reporter)
    try:
        return _read(str(path), limited)
    except _TooMany as error:
        message = f"there are more than {MAX_MISTAKES} mistakes; the others are not shown"
        reporter.error("RS023", message, error.last.span)
        return None


def _read(path: str, reporter: Reporter) -> Spec | None:
    sources = Sources(reporter)
    stack = _Stack(sources, reporter)
    stack.add(path, None)
    if stack.broken or not stack.outlines:
        return None
    merged, removals = merge(stack.outlines, reporter)
    spec = build(merged, removals, Context(reporter, sources))
    if spec is None or reporter.failed:
        return None
    files = (path, *(name for name in sources.contents if name != path))
    return evolve(spec, files=files, source_hash=sources.digest())


class _TooMany(Exception):
    """Enough was reported."""

    def __init__(self, last: Diagnostic) -> None:
        super().__init__(last)
        self.last = last


class _Limited(Reporter):
    """Passes diagnostics on, up to a number."""

    def __init__(self, target: Reporter) -> None:
        super().__init__()
        self._target = target

    def _add(self, diagnostic: Diagnostic) -> None:
        super()._add(diagnostic)
        if len(self._found) > MAX_MISTAKES:
            raise _TooMany(diagnostic)
        report = self._target.error if diagnostic.severity == "error" else self._target.warning
        report(diagnostic.code, diagnostic.message, diagnostic.span, diagnostic.hint, diagnostic.notes)


@define
class _Stack:
    """The files of `extends`, each once, what they extend before them."""

    sources: Sources
    reporter: Reporter
    outlines: list[Outline] = field(factory=list)
    broken: bool = False
    _open: list[tuple[str, Span | None]] = field(factory=list)
    _done: set[str] = field(factory=set)

    def add(self, path: str, named: Span | None) -> None:
        """Reads a file and those it extends."""
        if path in self._done:
            return
        chain = [name for name, _ in self._open]
        if path in chain:
            self._cycle(path, named)
            return
        if len(chain) > MAX_EXTENDS:
            assert named is not None
            self.reporter.error("RS132", f"files extend each other more than {MAX_EXTENDS} deep", named)
            self.broken = True
            return
        data = self.sources.read(path, named)
        root = read_yaml(path, data, self.reporter) if data is not None else None
        if root is None:
            self.broken = True
            return
        self.sources.allow_folder_of(path)
        made = outline(root, self.reporter)
        self._open.append((path, named))
        for name, span in extends_of(made, self.reporter):
            base = self.sources.locate(name, span, (".yaml", ".yml"), climb=True)
            if base is None:
                self.broken = True
            else:
                self.add(base, span)
        self._open.pop()
        self._done.add(path)
        self.outlines.append(made)

    def _cycle(self, path: str, named: Span | None) -> None:
        self.broken = True
        names = [name for name, _ in self._open]
        ring = self._open[names.index(path) :]
        shown = " -> ".join(f"`{name}`" for name in [*(name for name, _ in ring), path])
        notes = tuple(Note(f"`{name}` is extended here", span) for name, span in ring[1:] if span is not None)
        place = named or Span(path, 1, 1, 1, 1)
        self.reporter.error("RS131", f"a file extends itself: {shown}", place, "delete one `extends`", notes)
