"""A coverage report as one HTML page over the spec's source, with nothing to load from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from itertools import groupby

from interpreter.coverage.points import Point
from interpreter.coverage.report import CoverageReport

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; color: #1d1d1f;
  background: #fff; }
table { border-collapse: collapse; }
th, td { padding: .1rem .8rem .1rem 0; text-align: right; }
th:first-child, td:first-child { text-align: left; }
pre { font: 13px/1.5 ui-monospace, monospace; overflow-x: auto; border: 1px solid #ddd; }
pre > span { display: block; white-space: pre; }
pre a { display: inline-block; width: 4em; color: #666; text-align: right; text-decoration: none; }
pre i { display: inline-block; width: 6em; color: #666; text-align: right; font-style: normal; margin-right: 1em; }
.all { background: #eef8ee; } .some { background: #fdf6dd; } .none { background: #fdeaea; }
mark { background: #f4b8b8; } mark.half { background: #f6dc8a; }
@media (prefers-color-scheme: dark) {
  body { background: #16171a; color: #ddd; } pre { border-color: #333; }
  .all { background: #15291a; } .some { background: #322a10; } .none { background: #351a1a; }
  mark { background: #7a2f2f; color: #fff; } mark.half { background: #6d5a16; color: #fff; }
}
"""


def page(report: CoverageReport) -> str:
    """The whole page."""
    title = escape(", ".join(report.titles))
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>Coverage of {title}</title><style>{_STYLE}</style></head><body>",
        f"<h1>Coverage of {title}</h1>",
        f"<p>{report.games:,} games with {report.decisions:,} decisions, {report.scenarios:,} scenarios.</p>",
        *_summary(report),
        *_missed(report),
    ]
    for number, path in enumerate(report.files):
        parts += [f'<h2 id="f{number}">{escape(path)}</h2>', "<pre>", *_source(report, number, path), "</pre>"]
    return "\n".join([*parts, "</body></html>", ""])


def _summary(report: CoverageReport) -> Iterator[str]:
    yield "<table><tr><th>kind</th><th>reached</th><th>of</th><th></th></tr>"
    for kind, (some, of) in [*report.by_kind.items(), ("all", (report.reached, len(report.hits)))]:
        share = f"{some / of:.1%}" if of else ""
        yield f"<tr><td>{kind}</td><td>{some}</td><td>{of}</td><td>{share}</td></tr>"
    yield "</table>"


def _missed(report: CoverageReport) -> Iterator[str]:
    missed = report.missed
    if not missed:
        return
    yield f"<h2>Never reached: {len(missed)}</h2><ul>"
    for point in missed:
        place = f"{point.span.path}:{point.span.line}"
        target = f"f{report.files.index(point.span.path)}-{point.span.line}"
        text, *more = report.text(point).split("`")
        for number, part in enumerate(more):
            text += ("</code>" if number % 2 else "<code>") + escape(part)
        yield f'<li><a href="#{target}">{escape(place)}</a> {text}</li>'
    yield "</ul>"


def _source(report: CoverageReport, number: int, path: str) -> Iterator[str]:
    by_line: dict[int, list[tuple[Point, int]]] = {}
    for point, count in report.hits:
        if point.span.path == path:
            by_line.setdefault(point.span.line, []).append((point, count))
    hits = report.line_hits(path)
    for line, text in enumerate(report.lines(path), 1):
        points = by_line.get(line, [])
        reached = sum(count > 0 for _, count in points)
        state = "" if not points else "all" if reached == len(points) else "some" if reached else "none"
        most = f"{hits[line]:,}" if line in hits else ""
        marked = _marked(report, text, points)
        link = f'<a href="#f{number}-{line}">{line}</a>'
        yield f'<span id="f{number}-{line}" class="{state}">{link}<i>{most}</i>{marked}</span>'


def _marked(report: CoverageReport, text: str, points: list[tuple[Point, int]]) -> str:
    """A line of source with the parts marked that were not reached; of a condition it may be one outcome."""
    reached = {point.span for point, count in points if count}
    marks: list[tuple[str, str]] = [("", "")] * len(text)
    for point, count in points:
        if not count:
            span = point.span
            end = span.end_column - 1 if span.end_line == span.line else len(text)
            kind = "half" if span in reached else "missed"
            for column in range(span.column - 1, min(end, len(text))):
                known = f"{marks[column][1]}; " if marks[column][1] else ""
                marks[column] = (kind, known + report.text(point))
    parts = []
    for mark, letters in groupby(zip(marks, text, strict=True), key=lambda pair: pair[0]):
        piece = escape("".join(letter for _, letter in letters))
        kind, title = mark
        parts.append(f'<mark class="{kind}" title="{escape(title)}">{piece}</mark>' if kind else piece)
    return "".join(parts)
