"""The command line: `rulespec check`, `play`, `simulate`, `replay`, `test`, `diff`, `docs`, `games`.

`main` first makes sure that it can run at all; the commands are in modules of their own.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

import interpreter

__all__ = ["main"]

MISSING = "rulespec: the command line needs {names}: pip install 'rulespec[cli]'"
FOREIGN = (
    "rulespec: the package `interpreter` found here is not the one that belongs to rulespec "
    "(open-interpreter brings one of the same name). Install rulespec again, in a virtual environment of its own."
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and leaves with its exit status.

    Args:
        arguments: the words after the program's name; by default those it was started with.
    """
    missing = [name for name in ("click", "rich") if find_spec(name) is None]
    if missing:
        sys.exit(_usage(MISSING.format(names=" and ".join(missing))))
    if getattr(interpreter, "__file__", None) is None or not hasattr(interpreter, "load_game"):
        sys.exit(_usage(FOREIGN))
    from interpreter.cli.app import app

    app.main(args=None if arguments is None else list(arguments), prog_name="rulespec")


def _usage(message: str) -> int:
    print(message, file=sys.stderr)
    return 2
