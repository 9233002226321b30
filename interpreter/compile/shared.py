"""What the functions of a module share while they are emitted: names, constants, numbers of streams."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attrs import define, field

from interpreter.compile.layout import Layout
from interpreter.runtime import geometry, laid, play, support, unknown
from rulespec import checked as ir
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.tabulate import Tabulator


def helpers() -> dict[str, Any]:
    """What emitted code calls, by name."""
    found: dict[str, Any] = {}
    for module in (support, play, geometry, unknown, laid):
        found.update({name: value for name, value in vars(module).items() if not name.startswith("_")})
    return found


_TAKEN = {*helpers(), *dir(builtins), *keyword.kwlist, *keyword.softkwlist, "new", "z", "out", "show", "note"}
"""Plain words that mean something in emitted code."""


@define
class Names:
    """The Python names of the locals in one emitted function.

    A name that something else could have begins with `the_`. Whatever else emitted code names is a word of `_TAKEN`,
    has an upper-case letter, or has an underscore and another beginning: `v_score`, `loc_Card`, and `c_`, `place_`
    for what lines of code keep for the next lines.
    """

    texts: dict[ir.Local, str] = field(factory=dict)
    used: set[str] = field(factory=set)

    def of(self, local: ir.Local) -> str:
        """The Python text for a local; a new name when it has none yet."""
        if local not in self.texts:
            self.texts[local] = self.fresh(local.name)
        return self.texts[local]

    @contextmanager
    def apart(self) -> Iterator[None]:
        """For a body that may stand several times in a function: what it names is named anew each time."""
        texts = dict(self.texts)
        yield
        self.texts = texts

    def fresh(self, base: str) -> str:
        """A Python name that nothing in the function uses."""
        plain = base if base.islower() and "_" not in base and base not in _TAKEN else f"the_{base}"
        name, n = plain, 2
        while name in self.used:
            name, n = f"{plain}{n}", n + 1
        self.used.add(name)
        return name


@define
class Supposed:
    """A `supposing` that needs a function of its own, to be emitted beside the one that uses it."""

    number: int
    node: ir.Supposing
    params: tuple[ir.Local, ...]
    """Locals that the arguments of the procedure read."""
    locals: tuple[ir.Local, ...]
    """Locals that the value reads."""


@define
class Shared:
    """What all functions of a module share while it is emitted.

    constants: values that emitted code reads by name. supposed: functions that are still to be emitted. streams: of
    random numbers, by number. shown: types whose values texts show. function_name: of a function of the rules, or of
    its version below a layer. tabulator: makes tables of loops that read no state. row_index: the number of a row.
    counters: locals that never become too large, see `growth`. body_of: what a call of a function stands for, other
    expressions as they are.
    """

    layout: Layout
    constants: dict[str, Any] = field(factory=dict)
    supposed: list[Supposed] = field(factory=list)
    streams: list[str] = field(factory=list)
    shown: list[t.Type] = field(factory=list)
    function_name: Callable[[str, int | None], str] = field(default=lambda name, below: f"f_{name}")
    tabulator: Tabulator | None = None
    row_index: Callable[[t.TableType, str], int] = field(default=lambda type, row: 0)
    counters: frozenset[ir.Local] = frozenset()
    body_of: Callable[[ir.Expr], ir.Expr] = field(default=lambda node: node)
    counts: bool = False
    """Whether nodes that count do so."""

    def constant(self, prefix: str, value: Any) -> str:
        """The name of a constant with that value."""
        for name, known in self.constants.items():
            if known is value or (type(known) is type(value) and known == value and name.startswith(prefix)):
                return name
        name = f"{prefix}{sum(n.startswith(prefix) for n in self.constants) + 1}"
        self.constants[name] = value
        return name

    def stream(self, name: str) -> int:
        """The number of a random stream."""
        if name not in self.streams:
            self.streams.append(name)
        return self.streams.index(name)

    def show(self, type: t.Type) -> int:
        """The number of a type whose values are shown in texts."""
        if type not in self.shown:
            self.shown.append(type)
        return self.shown.index(type)
