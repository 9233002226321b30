"""Board games as data: a language for rules, and a checker that reads it.

A game is a YAML file with a small rules language inside it. `load` gives the checked spec of a game,
`check` everything that is wrong with it. Nothing here plays a game.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rulespec.check as _  # noqa: F401  (first: a later import of it would take the name of the function below)
from rulespec.diagnostics import Diagnostic, Reporter, SpecError
from rulespec.source import Span

if TYPE_CHECKING:
    from rulespec.checked import CheckedSpec

    __version__: str


def __getattr__(name: str) -> Any:
    """What takes time to import is imported when it is first asked for."""
    if name == "CheckedSpec":
        from rulespec.checked import CheckedSpec

        return CheckedSpec
    if name == "__version__":
        return _version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("rulespec")
    except PackageNotFoundError:
        return "0.0.0"


def load(game: str | Path) -> CheckedSpec:
    """Reads and checks a game.

    Args:
        game: the path of a game file, or the id of an installed game.

    Raises:
        SpecError: the spec has errors; `.diagnostics` has all of them, with places and hints.
        rulespec.packs.PackError: there is no such file or game.
    """
    checked, reporter = _read(game)
    reporter.raise_if_failed()
    if checked is None:
        raise SpecError(reporter.diagnostics)
    return checked


def check(game: str | Path) -> list[Diagnostic]:
    """Everything that is wrong with a game, errors and warnings, by file and line.

    Args:
        game: the path of a game file, or the id of an installed game.

    Raises:
        rulespec.packs.PackError: there is no such file or game.
    """
    return list(_read(game)[1].diagnostics)


def _read(game: str | Path) -> tuple[CheckedSpec | None, Reporter]:
    from rulespec.check.driver import check_spec
    from rulespec.loader import read_spec
    from rulespec.packs import find_game

    reporter = Reporter()
    spec = read_spec(find_game(game), reporter)
    return (check_spec(spec, reporter) if spec is not None else None), reporter


__all__ = ["CheckedSpec", "Diagnostic", "Span", "SpecError", "__version__", "check", "load"]
