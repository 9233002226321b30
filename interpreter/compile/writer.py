"""Emitted lines with the places in the spec that they come from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field

from rulespec.source import Span


@define
class Writer:
    """Lines of emitted source, each with its span in the spec."""

    lines: list[str] = field(factory=list)
    spans: list[Span | None] = field(factory=list)
    indent: int = 0
    span: Span | None = None

    def put(self, text: str) -> None:
        """Adds a line at the present indentation."""
        self.lines.append("    " * self.indent + text)
        self.spans.append(self.span)

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

    def add(self, other: Writer) -> None:
        """Adds another writer's lines, after an empty line."""
        if self.lines:
            self.lines.append("")
            self.spans.append(None)
        self.lines += other.lines
        self.spans += other.spans
