"""Statements that run through, as structured Python: what `frames` uses between the places where rules stop."""

from __future__ import annotations

from types import UnionType

from attrs import define

from interpreter.compile import loops
from interpreter.compile.counting import Hit
from interpreter.compile.events import negated
from interpreter.compile.expressions import OR, TERNARY
from interpreter.compile.internal import CallUnit, EnterPhase, Forever, Leave, SetTurn, Unit
from interpreter.compile.lines import Plan
from interpreter.compile.ranges import is_short
from interpreter.compile.trees import conjuncts, free, is_read, placed
from interpreter.compile.variables import Variables
from interpreter.compile.zones import Zones
from interpreter.runtime.support import MOST_NUMBERS
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

__all__ = ["Plan", "Statements", "one_or_none"]


NUMBERS_IN_A_STEP = 100
"""Loops over constant ranges of at least so many numbers count as steps, so that loops within loops come to an end."""
MOST_CALLED = 24
"""Nodes of the largest procedure that stands where it is called."""


@define
class Statements(Variables, Zones):
    """Emits the body of one Python function."""

    # ------------------------------------------------------------ entry points

    def block(self, block: ir.Block) -> None:
        """Emits statements."""
        for stmt in block:
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        """Emits one statement."""
        self.out.span = stmt.span
        getattr(self, f"do_{type(stmt).__name__.lower()}")(stmt)

    # ------------------------------------------------------------ names and calls

    def do_hit(self, stmt: Hit) -> None:
        """Counts that a place was reached."""
        if self.shared.counts:
            self.put(f"{self.shared.constant('hits', stmt.tally.counts)}[{stmt.point}] += 1")

    def do_callunit(self, stmt: CallUnit) -> None:
        """A unit that runs through."""
        unit = self.plan.units[stmt.key]
        if not unit.body and stmt.local is None:
            return
        if stmt.local is None and is_small(unit, MOST_CALLED, ir.Return | CallUnit | ir.RowEffect):
            with self.names.apart(), self.out.called(stmt.span):
                for param, arg in zip(unit.params, stmt.args, strict=True):
                    self._bind(param, arg)
                self.structured(unit.body)
            return
        args = "".join(f", {self.text(a)}" for a in stmt.args)
        target = f"{self.target(stmt.local)} = " if stmt.local is not None else ""
        self.put(f"{target}{unit.python_name}(S{args})")

    def _bind(self, param: ir.Local, value: ir.Expr) -> None:
        """A parameter of a body that stands in place."""
        text = self.text(value)
        if isinstance(value, ir.LocalRead | ir.Const):
            self.names.texts[param] = text
        else:
            self.names.texts[param] = self.names.fresh(param.name)
            self.put(f"{self.names.texts[param]} = {text}")

    def structured(self, block: ir.Block) -> None:
        """Emits statements that run through."""
        self.block(block)

    def do_roweffect(self, stmt: ir.RowEffect) -> None:
        """A rule in a row that does something."""
        assert isinstance(stmt.base.type, t.TableType)
        args = "".join(f", {self.text(a)}" for a in stmt.args)
        self.put(f"{stmt.base.type.name}_{stmt.field}[{self.text(stmt.base)}](S{args})")

    def do_return(self, stmt: ir.Return) -> None:
        """`return`."""
        self.put("return" if stmt.value is None else f"return {self.text(stmt.value)}")

    # ------------------------------------------------------------ control

    def do_if(self, stmt: ir.If) -> None:
        """`if`; a condition that options decide leaves no trace."""
        if stmt.then and not stmt.other and isinstance(stmt.then[-1], ir.Outcome | ir.End) and self._search(stmt):
            return
        test = self.test(stmt.test)
        if test in ("True", "False"):
            self.block(stmt.then if test == "True" else stmt.other)
            return
        with self.out.block(f"if {test}:"):
            self.block(stmt.then)
        if stmt.other:
            with self.out.block("else:"):
                self.block(stmt.other)

    def _search(self, stmt: ir.If) -> bool:
        """`if any(..)` with a body that ends the game or a phase, as loops around that body."""
        simplifier, tabulator = self.plan.simplifier, self.shared.tabulator
        if simplifier is None:
            return False
        test = simplifier.body(stmt.test)
        if not isinstance(test, ir.Aggregate) or test.kind != "any" or test.selection.order is not None:
            return False
        locals = [*free(stmt.test), *free(stmt.then)]
        selection = placed(test.selection, conjuncts(test.body)) if test.body is not None else test.selection

        def leaf(exprs: tuple[ir.Expr, ...]) -> None:
            self.block(stmt.then)

        selection = loops.quicker(simplifier, tabulator, selection)
        loops.emit_plan(self, loops.plan_loops(simplifier, tabulator, selection, (), leaf), locals)
        return True

    def do_while(self, stmt: ir.While) -> None:
        """`while`, with a count of steps."""
        if any(isinstance(node, ir.Return | Leave) for node in nodes(stmt.body)):
            with self.out.block(f"while {self.test(stmt.test)}:"):
                self.tick()
                self.block(stmt.body)
            return
        steps = self.names.fresh("steps")
        with self.out.block(f"for {steps} in range(S.steps):"):
            with self.out.block(f"if {self.test(negated(stmt.test))}:"):
                self.put("break")
            self.block(stmt.body)
        with self.out.block("else:"):
            self.put("raise Endless")
        self.put(f"S.steps -= {steps}")

    def do_forever(self, stmt: Forever) -> None:
        """A loop until `Leave`."""
        with self.out.block("while True:"):
            self.tick()
            self.block(stmt.body)

    def do_leave(self, stmt: Leave) -> None:
        """Leaves the loop around."""
        self.put("break")

    def _deal(self, stmt: ir.Repeat | ir.For) -> bool:
        """A loop that does no more than to draw cards: the deck's list is copied once, not for each card."""
        draw = self.is_dealt(stmt)
        if draw is None or self.dealing or self.plan.explicit or self.plan.log:
            return False
        source = self.raw_zone(draw.source)
        self.put(f"{source} = deck_ = {source}[:]")
        self.dealing = True
        getattr(self, f"do_{type(stmt).__name__.lower()}")(stmt)
        self.dealing = False
        return True

    def do_repeat(self, stmt: ir.Repeat) -> None:
        """`repeat n times`."""
        if self._deal(stmt):
            return
        times = self.text(stmt.times)
        if not is_short(stmt.times.type):
            self.put(f"times_ = {times}")
            self.passes("times_")
            times = "times_"
        with self.out.block(f"for _ in range({times}):"):
            self.block(stmt.body)

    def passes(self, times: str) -> None:
        """Counts the passes of a loop as steps before it begins."""
        self.put(f"S.steps -= max({times}, 0)")
        with self.out.block("if S.steps < 0:"):
            self.put("raise Endless")

    def do_for(self, stmt: ir.For) -> None:
        """`for`: straight over the domain where the body cannot change what the loop reads."""
        selection = stmt.selection
        if not self.plan.log and _is_only_told(stmt):
            return
        if self._deal(stmt):
            return
        if self._is_gathering(stmt):
            (move,) = stmt.body
            assert isinstance(move, ir.Move)
            self._gather(move.zone, move.indices, move.at, self.members(selection))
            return
        if (optional := one_or_none(selection)) is not None:
            self._for_one(stmt, optional)
            return
        if (steps := _numbers(selection) // NUMBERS_IN_A_STEP) > 0:
            self.passes(str(steps))
        writes = self.plan.analysis.of(stmt.body).writes
        reads = self.plan.analysis.of(selection).reads
        local = any(isinstance(n, ir.Let | CallUnit) and n.local in free(selection) for n in nodes(stmt.body))
        if not writes & reads and not local:
            clauses = self.loops(selection)
            for word, text in clauses:
                self.out.put(f"{word} {text}:")
                self.out.indent += 1
            before = len(self.out.lines)
            self.block(stmt.body)
            if len(self.out.lines) == before:
                self.put("pass")
            self.out.indent -= len(clauses)
            return
        names = ", ".join(self.names.of(local) for local in selection.locals)
        with self.out.block(f"for {names} in {self.members(selection)}:"):
            again = self.tests(selection)
            if again:
                with self.out.block(f"if not ({again}):"):
                    self.put("continue")
            self.block(stmt.body)

    def _for_one(self, stmt: ir.For, optional: ir.Expr) -> None:
        """`for` over a value that may be none."""
        (binding,), (before, conditions) = stmt.selection.bindings, stmt.selection.conditions
        name, value = self.names.of(binding.local), self.text(optional)
        test = " and ".join(self.test(c, OR + 1) for c in before)
        self.put(f"{name} = {f'({value}) if {test} else None' if test else value}")
        tests = [f"{name} is not None", *(self.test(c, OR + 1) for c in conditions)]
        with self.out.block(f"if {' and '.join(test for test in tests if test != 'True')}:"):
            self.block(stmt.body)

    def _is_gathering(self, stmt: ir.For) -> bool:
        """Whether a loop only moves each of its members to one zone, whatever the moves before did."""
        selection = stmt.selection
        if len(stmt.body) != 1 or len(selection.locals) != 1 or not isinstance(stmt.body[0], ir.Move):
            return False
        move, local = stmt.body[0], selection.locals[0]
        is_member = is_read(move.what, local)
        if (
            not is_member
            or move.after is not None
            or isinstance(local.type, t.OptionalType)
            or local in free(move.indices)
        ):
            return False
        conditions = self.plan.analysis.of((selection.conditions, move.indices))
        kind = f"k:{self.layout.zones[move.zone].zone.component}"
        return kind not in conditions.reads and not conditions.calls and self._at_once(move.zone, move.at)

    # ------------------------------------------------------------ chance

    def do_choose(self, stmt: ir.Choose) -> None:
        """A random choice that does not stop."""
        selection = stmt.selection
        options = self.names.fresh("picked")
        self.put(f"{options} = {self.random_members(stmt)}")
        names = ", ".join(self.names.of(local) for local in selection.locals)
        with self.out.block(f"for {names} in {options}:"):
            self.note(f"('chance', ({names},))")
            self.block(stmt.body)
        if stmt.other:
            with self.out.block(f"if not {options}:"):
                self.block(stmt.other)

    def random_members(self, stmt: ir.Choose) -> str:
        """A list of what a random choice picks, none or more members in the order of the selection."""
        assert stmt.who is None
        members = self.members(stmt.selection)
        stream = self.shared.stream(stmt.stream or self.stream)
        if stmt.quantity is not None:
            most = stmt.quantity[1]
            return f"sample(S.rng, {stream}, {members}, {self.text(most) if most is not None else 'None'})"
        if stmt.weight is not None:
            names = ", ".join(self.names.of(local) for local in stmt.selection.locals)
            item = names if len(stmt.selection.locals) == 1 else f"({names})"
            pairs = self.comprehension(f"({self.text(stmt.weight)}, {item})", stmt.selection)
            return f"weighted(S.rng, {stream}, [{pairs}])"
        return f"one_of(S.rng, {stream}, {members})"

    # ------------------------------------------------------------ messages, memory, ends

    def do_say(self, stmt: ir.Say) -> None:
        """A line of the log."""
        self.note(f"('say', {self.text(stmt.text)})")

    def do_reveal(self, stmt: ir.Reveal) -> None:
        """Something is shown."""
        if not self.plan.log:
            return
        who = "None" if stmt.who is None else self.text(stmt.who)
        match stmt.what:
            case ir.ZoneRead() as zone:
                kind = self.layout.zones[zone.zone].zone.component
                self.note(f"('reveal', {kind!r}, tuple({self.items(zone)}), {who})")
            case ir.VarRead(variable=name, indices=indices):
                place = self.layout.variables[name]
                index = self.flat(place.per, indices) if place.per else "0"
                self.note(f"('show', {name!r}, {index}, {self.text(stmt.what)}, {who})")
            case what:
                inner = what.type.item if isinstance(what.type, t.OptionalType) else what.type
                self.note(f"('reveal', {getattr(inner, 'name', '')!r}, some({self.text(what)}), {who})")

    def do_remember(self, stmt: ir.Remember) -> None:
        """The position is kept. What was kept before is copied, which counts as steps for the sake of long loops."""
        name = stmt.record
        self.put(f"S.steps -= len(S.memory_{name}) >> 6")
        with self.out.block("if S.steps < 0:"):
            self.put("raise Endless")
        self.put(f"S.memory_{name} = (*S.memory_{name}, position_{name}(S))")

    def do_setturn(self, stmt: SetTurn) -> None:
        """Whose turn it is."""
        seat = "None" if stmt.seat is None else self.text(stmt.seat)
        self.put(f"S.turn = {seat}")
        if stmt.seat is not None and not stmt.back:
            self.note(f"('turn of', {seat})")

    def do_enterphase(self, stmt: EnterPhase) -> None:
        """A phase begins."""
        self.note(f"('phase', {stmt.phase!r})")

    def do_end(self, stmt: ir.End) -> None:
        """Leaves a phase, or the game."""
        if not stmt.phase:
            self.end_game()
            return
        numbers, key = self.plan.numbers, f"phase {stmt.phase}"
        if key not in numbers:
            # The phase does not exist with these options, so nothing can be inside it.
            self.put("raise Fault('the phase is not being played')")
            return
        inner = tuple(
            numbers[k] for k in (f"core {key}", f"pass {stmt.phase}") if f"core {key}" in numbers and k in numbers
        )
        loops = f"pass {stmt.phase}" in numbers and inner
        slot = 2 + len(self.plan.units[key].params) if loops else None
        self.put(f"raise PhaseEnd({(*inner, numbers[key])!r}, {numbers[key]}, {slot})")

    def do_outcome(self, stmt: ir.Outcome) -> None:
        """The game is over with a stated winner, loser or none."""
        reason = self.text(stmt.reason) if stmt.reason is not None else "''"
        who = self.text(stmt.who, TERNARY) if stmt.who is not None else ""
        winners = {"win": f"({who},)", "lose": f"seats_from[{who}][1:]", "draw": "()"}[stmt.kind]
        self.put(f"S.outcome = ({winners}, {reason})")
        self.end_game()

    def end_game(self) -> None:
        """The lines that leave all bodies."""
        self.put("raise GameEnd")


def is_small(unit: Unit, most: int, without: type | UnionType) -> bool:
    """Whether the body of a unit may stand where it is done: it has few nodes, and none of some kinds."""
    found = list(nodes(unit.body))
    return len(found) <= most and not any(isinstance(node, without) for node in found)


def _numbers(selection: ir.Selection) -> int:
    """How many numbers a loop goes through at most, as far as its ranges are constant."""
    count = 1
    for binding in selection.bindings:
        match binding.domain:
            case ir.RangeOf(first=ir.Const(value=int(first)), last=ir.Const(value=int(last)), down=down):
                numbers = max(0, first - last + 1 if down else last - first + 1)
                count *= numbers if numbers <= MOST_NUMBERS else 1  # more are a fault of their own
    return count


def _is_only_told(stmt: ir.For) -> bool:
    """Whether a loop over all of something does no more than to tell the log."""
    domains = [binding.domain for binding in stmt.selection.bindings]
    plain = stmt.selection.order is None and not any(stmt.selection.conditions)
    return plain and all(isinstance(d, ir.AllOf) for d in domains) and all(isinstance(s, ir.Reveal) for s in stmt.body)


def one_or_none(selection: ir.Selection) -> ir.Expr | None:
    """The optional value that a selection goes over, if it goes over no more."""
    if len(selection.bindings) != 1 or selection.order is not None:
        return None
    domain = selection.bindings[0].domain
    value = domain.value if isinstance(domain, ir.Convert) else domain
    return value if isinstance(value.type, t.OptionalType) and not isinstance(value, ir.ZoneRead) else None
