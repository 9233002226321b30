"""Rule coverage: what of a spec random games and scenarios reach."""

from __future__ import annotations

from interpreter.coverage.measure import measure_coverage
from interpreter.coverage.points import Point
from interpreter.coverage.report import CoverageReport

__all__ = ["CoverageReport", "Point", "measure_coverage"]
