"""What emits lines of one Python function, beside expressions."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from interpreter.compile.analysis import Analysis
from interpreter.compile.expressions import OR, Expressions
from interpreter.compile.internal import Unit
from interpreter.compile.schemas import Schemas
from interpreter.compile.simplify import Simplifier
from interpreter.compile.writer import Writer
from rulespec import checked as ir


@define
class Plan:
    """What the emission of one module shares beyond expressions.

    log: whether events are noted for the log. explicit: whether chance stops. together: whether seats may decide at the
    same time. numbers: of the units in CODE. frames: by number of a unit that can stop, what its frames look like
    (`cuts.FrameForm`). halts: units where play can be halted.
    """

    analysis: Analysis
    schemas: Schemas
    units: dict[str, Unit]
    numbers: dict[str, int]
    log: bool
    explicit: bool
    simplifier: Simplifier | None = None
    together: bool = False
    decisions: list[Any] = field(factory=list)
    frames: dict[int, Any] = field(factory=dict)
    halts: frozenset[str] = frozenset()

    def stops(self, tree: Any) -> bool:
        """Whether statements can stop for a decision or chance."""
        return self.analysis.of(tree).stops


@define
class Lines(Expressions):
    """Adds lines to a function."""

    plan: Plan = field(kw_only=True)
    out: Writer = field(factory=Writer, kw_only=True)
    stream: str = field(default="chance", kw_only=True)
    in_turn: bool = field(default=False, kw_only=True)
    """Whether what is emitted is done in most turns, so that it is worth to be quick."""
    dealing: bool = field(default=False, kw_only=True)
    """Whether this is inside a loop that takes cards from `deck_`, a copy of its own of the deck's list."""

    def put(self, text: str) -> None:
        """Adds a line."""
        self.out.put(text)

    def target(self, local: ir.Local) -> str:
        """Where a statement keeps a local."""
        return self.names.of(local)

    def note(self, text: str) -> None:
        """Adds a line for the log, if this module keeps one."""
        if self.plan.log:
            self.put(f"note(S, {text})")

    def tick(self) -> None:
        """Counts a step of a loop that may have no end."""
        self.put("S.steps -= 1")
        with self.out.block("if S.steps < 0:"):
            self.put("raise Endless")

    def members(self, selection: ir.Selection) -> str:
        """A list of the members of a selection, single values or tuples."""
        names = ", ".join(self.names.of(local) for local in selection.locals)
        item = names if len(selection.locals) == 1 else f"({names})"
        domain = selection.bindings[0].domain
        if self._is_plain(selection) and selection.order is None:
            return self.items(domain) if isinstance(domain, ir.ZoneRead) else f"list({self.items(domain)})"
        return f"[{self.comprehension(item, selection)}]"

    def tests(self, selection: ir.Selection) -> str:
        """All conditions of a selection, joined."""
        tests = [self.test(c, OR + 1) for level in selection.conditions for c in level]
        return " and ".join(test for test in tests if test != "True")
