"""Emitted lines with the places in the spec that they come from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

from rulespec.source import Span

Places = tuple[Span, ...]
"""Where in the spec a line comes from: the statement, then what calls the body in which that stands, if it is in place
there; none for lines that come from no rule."""


@define
class Writer:
    """Lines of emitted source, each with its places in the spec.

    span: of what is being emitted. through: the calls of the body that it stands in, the innermost first.
    """

    lines: list[str] = field(factory=list)
    spans: list[Places] = field(factory=list)
    indent: int = 0
    span: Span | None = None
    through: Places = ()

    def put(self, text: str) -> None:
        """Adds a line at the present indentation."""
        self.lines.append("    " * self.indent + text)
        self.spans.append((self.span, *self.through) if self.span is not None else ())

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """A head line with an indented body."""
        self.put(head)
        self.indent += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.put("pass")
        self.indent -= 1

    @contextmanager
    def called(self, span: Span) -> Iterator[None]:
        """A body that stands where it is called."""
        self.through = (span, *self.through)
        yield
        self.through, self.span = self.through[1:], span

    def add(self, other: Writer) -> None:
        """Adds another writer's lines, after an empty line."""
        if self.lines:
            self.lines.append("")
            self.spans.append(())
        self.lines += other.lines
        self.spans += other.spans
