"""Places in source files: `Span`, and `Text`, a piece of rules text that knows where it stands."""

from __future__ import annotations

from attrs import field, frozen


@frozen
class Span:
    """A stretch of a source file. Lines and columns count from 1, in characters; the end is exclusive."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@frozen
class Text:
    """The text of one YAML scalar, with the place in the file of each of its lines.

    `text` is the scalar as it stands in the file with the block's indentation removed (line breaks
    kept, also in folded scalars: in the rules language a line break inside an expression means
    nothing). `starts[i]` is the (line, column), from 1, of the first character of line i of `text`.
    A scalar with escapes cannot be mapped exactly; then `exact` is false and every place in it is
    the scalar's own span.
    """

    text: str
    span: Span
    starts: tuple[tuple[int, int], ...] = field(repr=False)
    exact: bool = True

    def place(self, line: int, column: int, end_line: int, end_column: int) -> Span:
        """The span in the file of a stretch of `text`, given in lines and columns from 1."""
        if not self.exact:
            return self.span
        first, last = self.starts[line - 1], self.starts[min(end_line, len(self.starts)) - 1]
        return Span(self.span.path, first[0], first[1] + column - 1, last[0], last[1] + end_column - 1)
