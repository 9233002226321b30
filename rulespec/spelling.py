"""The nearest of some names to one that was misspelt, for the hints of diagnostics."""

from __future__ import annotations

from collections.abc import Iterable


def distance(a: str, b: str) -> int:
    """Restricted Damerau-Levenshtein: insertions, deletions, exchanges and swaps of two neighbours."""
    before: list[int] = []
    last = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, last = last, row
    return last[-1]


def nearest(name: str, names: Iterable[str]) -> str:
    """The name that `name` most likely means, or "" if none is near enough.

    A third of the letters may be wrong, or an ending of two letters, as of a plural; case counts for nothing. Of
    equally near names the first wins.
    """
    limit = max(1, min(len(name), 60) // 3)
    best, found = limit + 1, ""
    lowered = name.lower()
    for other in names:
        if abs(len(other) - len(name)) <= max(best, 2) and other != name:
            far = distance(lowered, other.lower())
            if far == 2 and min(len(other), len(name)) > 3 and _ends_otherwise(lowered, other.lower()):
                far = 1
            if far < best:
                best, found = far, other
    return found


def _ends_otherwise(a: str, b: str) -> bool:
    """Whether one name is the other with something at the end."""
    return a.startswith(b) or b.startswith(a)


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """The hint "did you mean `x`?", or "" if nothing is near."""
    found = nearest(name, names)
    return f"did you mean `{found}`?" if found else ""
