"""Bodies that can stop, as functions over an explicit frame.

A frame is a list: number of the unit in CODE, place, then parameters and locals. The function continues at its
place; where it must wait it stores the next place and returns: 1 for a decision (or chance), 2 for branches done
together, 0 when it has pushed a frame or is done. Between two places the code is structured Python.
"""

from __future__ import annotations

from typing import Any

import attrs
from attrs import define

from interpreter.compile.choices import Choices
from interpreter.compile.cuts import FrameForm
from interpreter.compile.events import negated
from interpreter.compile.internal import CallUnit, Forever, Leave, StartTogether, TurnAsk
from interpreter.compile.ranges import is_short
from interpreter.compile.statements import one_or_none
from rulespec import checked as ir
from rulespec.check import types as t

BRANCHES = "return 2"
MOST_REACHED = 100
"""What a unit may call, directly or not, that is called on Python's stack."""


@define
class Frames(Choices):
    """Emits one unit that can stop."""

    # ------------------------------------------------------------ the function

    def emit(self) -> None:
        """Emits the whole function."""
        out = self.out
        for param in self.unit.params:
            self.slot(param)
        given = self._slots
        out.span = self.unit.span
        with out.block(f"def {self.unit.python_name}(S, F):"):
            out.put("stack_ = S.stack")
            out.put("place_ = F[1]")
            with out.block("while True:"):
                begin = len(out.lines)
                out.put("if place_ == 0:")
                self._heads.append((0, begin, begin + 1))
                out.indent += 1
                self.block(self.unit.body)
                if self._open:
                    self.put("stack_.pop()")
                    self.put("return 0")
                    self._open = False
                later = len(out.lines)
                self._stuck_turns()
                self.arrange_places(later)
                out.indent -= 1
                if self._slots > given:
                    self._make_room(self._slots - given)
        if not any("stack_." in line for line in out.lines):
            del out.lines[1], out.spans[1]
        number = self.plan.numbers[self.unit.key]
        self.plan.frames[number] = FrameForm(frozenset(self._resumes), given, self._slots)

    def _make_room(self, slots: int) -> None:
        """The first line of all: places in the frame for locals."""
        out = self.out
        begin = next(n for n, line in enumerate(out.lines) if line.strip() == "if place_ == 0:") + 1
        out.lines.insert(begin, "    " * (out.indent + 1) + f"F += (None,) * {slots}")
        out.spans.insert(begin, (self.unit.span,))

    def _stuck_turns(self) -> None:
        """What happens where a turn has no legal action stands at the end, out of the way of ordinary turns."""
        for none, stmt, who, end, leave in self._later:
            self._leave = leave
            self.place(none)
            if stmt.stuck is None:
                self.put(f"raise Stuck({stmt.phase!r}, {who})")
                self._open = False
            else:
                self.tick()
                self.block(stmt.stuck)
                self.go(end)

    def statement(self, stmt: ir.Stmt) -> None:
        """Emits a statement: structured if it runs through, cut into places if it can stop."""
        self.out.span = stmt.span
        if not self._open:
            return
        cut = getattr(self, f"cut_{type(stmt).__name__.lower()}", None)
        if self.plan.explicit and not isinstance(stmt, ir.While | ir.Ask | ir.Window | TurnAsk):
            self.know(own_expressions(stmt), stmt)
        if cut is not None and self.plan.stops((stmt,)):
            cut(stmt)
            return
        if isinstance(stmt, Leave):
            self.go(self._leave[-1])
            return
        if isinstance(stmt, ir.Return):
            self.put(f"S.ret = {'None' if stmt.value is None else self.text(stmt.value)}")
            self.put("stack_.pop()")
            self.put("return 0")
            self._open = False
            return
        if _leaves(stmt):
            assert cut is not None
            cut(stmt)
            return
        flat = self._flat
        self._flat = flat and isinstance(stmt, ir.Let | CallUnit)
        getattr(self, f"do_{type(stmt).__name__.lower()}")(stmt)
        self._flat = flat
        if isinstance(stmt, ir.Outcome | ir.End):
            self._open = False  # it has left

    def block(self, block: ir.Block) -> None:
        """Emits statements; inside structured code all of them are structured."""
        for stmt in block:
            if self._flat:
                self.statement(stmt)
            else:
                self.out.span = stmt.span
                getattr(self, f"do_{type(stmt).__name__.lower()}")(stmt)

    def structured(self, block: ir.Block) -> None:
        """Emits statements that run through."""
        flat, self._flat = self._flat, False
        self.block(block)
        self._flat = flat

    def end_game(self) -> None:
        """Here nothing needs to be raised: the loop around finds that there is no body left."""
        self.put("S.stack.clear()")
        self.put("return 0")

    # ------------------------------------------------------------ control

    def cut_if(self, stmt: ir.If) -> None:
        """`if` whose branches can stop."""
        test = self.test(stmt.test)
        if test in ("True", "False"):
            self.block(stmt.then if test == "True" else stmt.other)
            return
        if len(stmt.then) == 1 and isinstance(stmt.then[0], Leave) and not stmt.other:
            self.go_if(test, self._leave[-1])
            return
        other, end = self.label(), self.label()
        self.go_if(self.test(negated(stmt.test)), other if stmt.other else end)
        self.block(stmt.then)
        if stmt.other:
            self.go(end)
            self.place(other)
            self.block(stmt.other)
        self.place(end)

    def cut_while(self, stmt: ir.While) -> None:
        """`while` whose body can stop."""
        top, end = self.label(), self.label()
        self.place(top)
        if self.plan.explicit:
            self.know((stmt.test,))
        self.go_if(self.test(negated(stmt.test)), end)
        self.tick()
        self.block(stmt.body)
        self.go(top)
        self.place(end)

    def cut_forever(self, stmt: Forever) -> None:
        """A loop until `Leave`."""
        top, end = self.label(), self.label()
        self.place(top)
        if not stmt.waits:
            self.tick()
        self._leave.append(end)
        self.block(stmt.body)
        self._leave.pop()
        self.go(top)
        self.place(end)

    def cut_repeat(self, stmt: ir.Repeat) -> None:
        """`repeat n times` whose body can stop."""
        left = self.slot()
        top, end = self.label(), self.label()
        self.put(f"{left} = {self.text(stmt.times)}")
        if not is_short(stmt.times.type):
            self.passes(left)
        self.place(top)
        self.go_if(f"{left} <= 0", end)
        self.put(f"{left} -= 1")
        self.block(stmt.body)
        self.go(top)
        self.place(end)

    def cut_for(self, stmt: ir.For) -> None:
        """`for` whose body can stop: the members and the next one's place are kept in the frame."""
        selection = stmt.selection
        if (optional := one_or_none(selection)) is not None:
            self._cut_one(stmt, optional)
            return
        members = self.slot()
        self.put(f"{members} = {self.members(selection)}")
        self.each(members, selection, stmt.body, again=True)

    def _cut_one(self, stmt: ir.For, optional: ir.Expr) -> None:
        """`for` over a value that may be none, whose body can stop."""
        (binding,), (before, conditions) = stmt.selection.bindings, stmt.selection.conditions
        end = self.label()
        for condition in before:
            self.go_if(self.test(negated(condition)), end)
        value = self.text(optional)
        name = self.slot(binding.local)
        self.put(f"{name} = {value}")
        self.go_if(f"{name} is None", end)
        for condition in conditions:
            self.go_if(self.test(negated(condition)), end)
        self.block(stmt.body)
        self.place(end)

    # ------------------------------------------------------------ calls

    def cut_callunit(self, stmt: CallUnit) -> None:
        """A unit that can stop: its frame goes on the stack. Where only what the arguments read stops, it is called."""
        if not self.plan.analysis.units[stmt.key].stops:
            self.do_callunit(stmt)
            return
        args = "".join(f", {self.text(a)}" for a in stmt.args)
        self.put(f"stack_.append([{self.plan.numbers[stmt.key]}, 0{args}])  # {stmt.key}")
        self.out.span = None  # the place of a fault in what begins is there
        self.stop(self.label(), self._begin(stmt.key))
        self.out.span = stmt.span
        if stmt.local is not None:
            self.put(f"{self.target(stmt.local)} = S.ret")

    def _begin(self, key: str) -> str:
        """What begins a unit whose frame has just been put on the stack.

        The loop around would do it next; a call does it at once. Units that may call this one again, or that call
        many others, would then be deeper and deeper in one another.
        """
        reached = self.plan.analysis.reached_from(key)
        if key in self.plan.halts or self.unit.key in reached or len(reached) > MOST_REACHED:
            return "return 0"
        return f"return {self.plan.units[key].python_name}(S, stack_[-1])"

    def cut_roweffect(self, stmt: ir.RowEffect) -> None:
        """A rule in a row that can stop; see `cut_callunit`."""
        assert isinstance(stmt.base.type, t.TableType)
        if not self.plan.analysis.units[f"rule {stmt.base.type.name}.{stmt.field}"].stops:
            self.do_roweffect(stmt)
            return
        args = "".join(f", {self.text(a)}" for a in stmt.args)
        self.put(f"stack_.append([{stmt.base.type.name}_{stmt.field}_numbers[{self.text(stmt.base)}], 0{args}])")
        self.stop(self.label(), "return 0")

    def cut_starttogether(self, stmt: StartTogether) -> None:
        """A branch for each seat."""
        captured = "".join(f", {self.names.of(local)}" for local in stmt.captured)
        (local,) = stmt.selection.locals
        branch = f"[{self.names.of(local)}, [[{self.plan.numbers[stmt.key]}, 0, {self.names.of(local)}{captured}]]]"
        self.put(f"S.branches = [{self.comprehension(branch, stmt.selection)}]")
        self.stop(self.label(), BRANCHES)


def own_expressions(stmt: ir.Stmt) -> tuple[Any, ...]:
    """The expressions of a statement itself, without those of the statements in its blocks."""
    found: list[Any] = []
    for attribute in attrs.fields(type(stmt)):
        value = getattr(stmt, attribute.name)
        if attribute.name not in ("body", "then", "other", "stuck", "span", "offers", "any_time"):
            found.append(value)
    return tuple(v for v in found if isinstance(v, (ir.Expr, ir.Selection, tuple)))


def _leaves(stmt: ir.Stmt) -> bool:
    """Whether a statement that runs through holds a `return` or `Leave` of the body around it."""
    match stmt:
        case ir.Return() | Leave():
            return True
        case ir.If():
            return any(_leaves(s) for s in (*stmt.then, *stmt.other))
        case ir.While() | ir.Repeat() | ir.For():
            return any(_leaves(s) for s in stmt.body)
        case ir.Choose():
            return any(_leaves(s) for s in (*stmt.body, *stmt.other))
        case Forever():
            return any(isinstance(s, ir.Return) or (not isinstance(s, Leave) and _leaves(s)) for s in stmt.body)
    return False
