"""Statements that run through, as structured Python: what `frames` uses between the places where rules stop."""

from __future__ import annotations

from typing import Any

from attrs import define, evolve, field

from interpreter.compile import loops
from interpreter.compile.analysis import Analysis
from interpreter.compile.counting import Hit
from interpreter.compile.events import negated
from interpreter.compile.expressions import OR, TERNARY, Expressions, is_large, is_short
from interpreter.compile.internal import (
    CallUnit,
    EnterPhase,
    Forever,
    Leave,
    Reset,
    SetTurn,
    Unit,
)
from interpreter.compile.layout import VariableLayout
from interpreter.compile.position import default_start
from interpreter.compile.schemas import Schemas
from interpreter.compile.simplify import Simplifier
from interpreter.compile.trees import conjuncts, free, placed, shape
from interpreter.compile.writer import Writer
from interpreter.runtime.support import LARGEST
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes
from rulespec.source import Span


@define
class Plan:
    """What the emission of one module shares beyond expressions.

    log: whether events are noted for the log. explicit: whether chance stops. numbers: of the units in CODE. frames: by
    number of a unit that can stop, what its frames look like (`cuts.FrameForm`).
    """

    analysis: Analysis
    schemas: Schemas
    units: dict[str, Unit]
    numbers: dict[str, int]
    log: bool
    explicit: bool
    simplifier: Simplifier | None = None
    decisions: list[Any] = field(factory=list)
    frames: dict[int, Any] = field(factory=dict)

    def stops(self, tree: Any) -> bool:
        """Whether statements can stop for a decision or chance."""
        return self.analysis.of(tree).stops


@define
class Statements(Expressions):
    """Emits the body of one Python function."""

    plan: Plan = field(kw_only=True)
    out: Writer = field(factory=Writer, kw_only=True)
    stream: str = field(default="chance", kw_only=True)

    # ------------------------------------------------------------ entry points

    def block(self, block: ir.Block) -> None:
        """Emits statements."""
        for stmt in block:
            self.statement(stmt)

    def statement(self, stmt: ir.Stmt) -> None:
        """Emits one statement."""
        self.out.span = stmt.span
        getattr(self, f"do_{type(stmt).__name__.lower()}")(stmt)

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

    # ------------------------------------------------------------ names and calls

    def do_let(self, stmt: ir.Let) -> None:
        """`let x = E`."""
        value = self.text(stmt.value)
        if stmt.again and is_large(stmt.local.type):
            value = f"limited({value})"
        self.put(f"{self.target(stmt.local)} = {value}")

    def do_hit(self, stmt: Hit) -> None:
        """Counts that a place was reached."""
        if self.shared.counts:
            self.put(f"{self.shared.constant('hits', stmt.tally.counts)}[{stmt.point}] += 1")

    def do_callunit(self, stmt: CallUnit) -> None:
        """A unit that runs through."""
        unit = self.plan.units[stmt.key]
        args = "".join(f", {self.text(a)}" for a in stmt.args)
        if not unit.body and stmt.local is None:
            return
        target = f"{self.target(stmt.local)} = " if stmt.local is not None else ""
        self.put(f"{target}{unit.python_name}(S{args})")

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

    def do_repeat(self, stmt: ir.Repeat) -> None:
        """`repeat n times`."""
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
        if self._is_gathering(stmt):
            (move,) = stmt.body
            assert isinstance(move, ir.Move)
            self._gather(move.zone, move.indices, move.at, self.members(selection))
            return
        if (optional := one_or_none(selection)) is not None:
            self._for_one(stmt, optional)
            return
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
        is_member = isinstance(move.what, ir.LocalRead) and move.what.local is local
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

    # ------------------------------------------------------------ variables

    def do_setvar(self, stmt: ir.SetVar) -> None:
        """A variable gets a value; out of its range is a fault unless the checker knows better."""
        place = self.layout.variables[stmt.variable]
        value = self.text(stmt.value)
        index = self.flat(place.per, stmt.indices) if place.per else ""
        target = f"v_{stmt.variable}[{index}]" if place.per else f"S.v_{stmt.variable}"
        kind = place.variable.type
        if isinstance(kind, t.NumberType) and kind.step != 1:
            value = f"norm({value})"
        if stmt.clamp:
            value = self._clamped(value, place.low, place.high)
            value = f"limited({value})" if is_large(kind) else value
        elif not stmt.fits or is_large(kind):
            value = self._checked(stmt, index or "0", value, place)
        self.put(f"{target} = {value}")
        self.note(f"('set', {stmt.variable!r}, {index or '0'}, {target})")

    def _clamped(self, value: str, low: Any, high: Any) -> str:
        if low is not None and high is not None:
            return f"min(max({value}, {low}), {high})"
        return f"max({value}, {low})" if low is not None else f"min({value}, {high})" if high is not None else value

    def _checked(self, stmt: ir.SetVar, index: str, value: str, place: Any) -> str:
        kind = place.variable.type
        grows, falls = _changes(stmt)
        values = place.variable.declared.values
        tests = []
        if values is not None:
            tests.append(f"new_ not in {tuple(values)!r}")
        low, high = (None, None) if stmt.fits else (place.low, place.high)
        if is_large(kind):
            low, high = -LARGEST if place.low is None else low, LARGEST if place.high is None else high
        if low is not None and not grows:
            tests.append(f"new_ < {low}")
        if high is not None and not falls:
            tests.append(f"new_ > {high}")
        if not tests or (value.lstrip("-").isdigit() and self._constant_fits(int(value), place)):
            return value
        self.put(f"new_ = {value}")
        test = " or ".join(tests)
        if isinstance(kind, t.OptionalType):
            test = f"new_ is not None and ({test})"
        with self.out.block(f"if {test}:"):
            self.put(f"raise OutOfRange({stmt.variable!r}, {index}, new_)")
        return "new_"

    def _constant_fits(self, value: int, place: Any) -> bool:
        low, high = place.low, place.high
        return (
            (low is None or value >= low) and (high is None or value <= high) and place.variable.declared.values is None
        )

    def do_movetokens(self, stmt: ir.MoveTokens) -> None:
        """Counters: as many less here as more there."""
        self.put(f"amount_ = {self.text(stmt.source if stmt.amount is None else stmt.amount)}")
        with self.out.block("if amount_ < 0:"):
            self.put("raise Fault(f'a move of {amount_} tokens')")
        for variable, sign in ((stmt.source, "-"), (stmt.target, "+")):
            kind = variable.type
            value = ir.Binary(sign, variable, Amount("amount_", type=kind, span=stmt.span), type=kind, span=stmt.span)
            self.do_setvar(ir.SetVar(variable.variable, variable.indices, value, span=stmt.span))

    def _amount(self, node: Amount) -> tuple[str, int]:
        return node.name, 11

    def do_swap(self, stmt: ir.Swap) -> None:
        """Two variables exchange their values."""
        kept = ir.Local("kept", stmt.first.type)
        first, second, span = stmt.first, stmt.second, stmt.span
        self.do_let(ir.Let(kept, first, span=span))
        self.do_setvar(ir.SetVar(first.variable, first.indices, second, span=span))
        old = ir.LocalRead(kept, type=kept.type, span=span)
        self.do_setvar(ir.SetVar(second.variable, second.indices, old, span=span))

    def do_reset(self, stmt: Reset) -> None:
        """Variables go back to their start values."""
        for name in stmt.variables:
            if self.layout.variables[name].per:
                self.put(f"v_{name}[:] = start_{name}")
            else:
                self.put(f"S.v_{name} = {self._start(self.layout.variables[name])}")
            self.note(f"('reset', {name!r})")

    def _start(self, place: VariableLayout) -> str:
        """The start value of a variable without `per`."""
        start = place.variable.start
        if start is None:
            return repr(default_start(place.variable, place.low, place.high))
        return self.text(start) if isinstance(start, ir.Const) else f"start_{place.variable.name}[0]"

    # ------------------------------------------------------------ zones

    def do_move(self, stmt: ir.Move) -> None:
        """One component to a zone."""
        optional = isinstance(stmt.what.type, t.OptionalType)
        what = self.text(stmt.what)
        if optional or not what.isidentifier():
            self.put(f"c_ = {what}")
            what = "c_"
        if optional:
            with self.out.block("if c_ is not None:"):
                self._move(what, stmt)
        else:
            self._move(what, stmt)

    def _move(self, what: str, stmt: ir.Move) -> None:
        place = self.layout.zones[stmt.zone]
        kind = place.zone.component
        number = self.zone(stmt.zone, stmt.indices)
        if place.max is not None:
            with self.out.block(f"if len(z[{number}]) >= {place.max} and loc_{kind}[{what}] != {number}:"):
                self.put(f"raise Fault('there is no room in `{stmt.zone}`')")
        if self.plan.log:
            self.put(f"source_ = loc_{kind}[{what}]")
        if self.layout.laid_zones(kind):
            with self.out.block(f"if spot_{kind}[{what}] >= 0:"):
                self.put(f"lift_{kind}(S, {what})")
        if place.zone.laid_on:
            assert stmt.at is not None
            self.put(f"lay_{stmt.zone}(S, {what}, {self.text(stmt.at)})")
        elif stmt.after is not None:
            self.leave(kind, what)
            self.put(f"to_right_of(z, loc_{kind}, {what}, {number}, {self.text(stmt.after)})")
        else:
            self.leave(kind, what)
            mover = self._mover(place.zone, stmt.at)
            self.put(f"{mover}(z, loc_{kind}, {what}, {number})")
            if mover != "to_end" and stmt.zone in self.plan.analysis.shuffled and self.plan.explicit:
                self.put(f"enter_below(S, {number}, z[{number}][0] == {what})")
        self.note(f"('move', {kind!r}, {what}, source_, {number})")

    def leave(self, kind: str, what: str) -> None:
        """With explicit chance: a component may come out of the unknown part of a shuffled stack."""
        if self.plan.explicit and any(self.layout.zones[n].zone.component == kind for n in self.plan.analysis.shuffled):
            self.put(f"leave_unknown(S, loc_{kind}[{what}], {what})")

    def _mover(self, zone: ir.Zone, at: ir.Expr | None) -> str:
        if zone.order == "none":
            return "to_heap"
        if at is None:
            return "to_end"
        # left is 0 and right 1; top is 0 and bottom 1, where top is the end of the list.
        one, other = ("to_start", "to_end") if zone.order == "row" else ("to_end", "to_start")
        if isinstance(at, ir.Const):
            return other if at.value == 1 else one
        return f"({other} if {self.text(at, OR)} else {one})"

    def do_moveall(self, stmt: ir.MoveAll) -> None:
        """All components of a zone, one move each in the zone's order."""
        kind = self.layout.zones[stmt.zone].zone.component
        if stmt.source.zone != stmt.zone and self._at_once(stmt.zone, stmt.at):
            self._gather(stmt.zone, stmt.indices, stmt.at, self.members_of(stmt.source))
            return
        c = ir.Local("each", t.TableType("component", kind))
        name = self.names.of(c)
        with self.out.block(f"for {name} in {self.members_of(stmt.source)}:"):
            move = ir.Move(
                ir.LocalRead(c, type=c.type, span=stmt.span), stmt.zone, stmt.indices, at=stmt.at, span=stmt.span
            )
            self._move(name, move)

    def _at_once(self, zone: str, at: ir.Expr | None) -> bool:
        """Whether several moves to a zone can be one: nothing is noted, unknown or laid."""
        place = self.layout.zones[zone]
        plain = not self.plan.log and not self.plan.explicit and not self.layout.laid_zones(place.zone.component)
        return plain and (at is None or isinstance(at, ir.Const))

    def _gather(self, zone: str, indices: tuple[ir.Expr, ...], at: ir.Expr | None, components: str) -> None:
        """Components to one zone, in order."""
        place = self.layout.zones[zone]
        mover = self._mover(place.zone, at)
        number = self.zone(zone, indices)
        if place.max is not None:
            self.put(f"cs_ = {components}")
            components = "cs_"
            with self.out.block(
                f"if len(z[{number}]) + len(cs_) > {place.max} and len({{*z[{number}], *cs_}}) > {place.max}:"
            ):
                self.put(f"raise Fault('there is no room in `{zone}`')")
        self.put(f"{mover}_all(z, loc_{place.zone.component}, {components}, {number})")

    def members_of(self, zone: ir.ZoneRead) -> str:
        """A zone's list in the zone's order; a list never changes, so a loop over it is not disturbed."""
        return self.raw_zone(zone) + ("[::-1]" if self.layout.zones[zone.zone].zone.order == "stack" else "")

    def do_draw(self, stmt: ir.Draw) -> None:
        """Cards from the top, one at a time; an empty deck is filled again if the spec says from where."""
        place = self.layout.zones[stmt.source.zone]
        source = self.raw_zone(stmt.source)
        if not place.zone.refilled_from and stmt.source.zone != stmt.zone and self._at_once(stmt.zone, None):
            if not isinstance(stmt.amount, ir.Const) or stmt.amount.value != 1:
                self._gather(stmt.zone, stmt.indices, None, f"top_of({source}, {self.text(stmt.amount)})")
                return
            with self.out.block(f"if {source}:"):
                self._draw_one(stmt)
            return
        with self.out.block(f"for _ in range({self.text(stmt.amount)}):"):
            with self.out.block(f"if not {source}:"):
                if place.zone.refilled_from:
                    self.refill(stmt)
                    with self.out.block(f"if not {source}:"):
                        self.put("break")
                else:
                    self.put("break")
            self.draw_one(stmt)

    def _draw_one(self, stmt: ir.Draw) -> None:
        """The top card of a deck that is not empty, to another zone, straight."""
        place, source = self.layout.zones[stmt.zone], self.raw_zone(stmt.source)
        number = self.zone(stmt.zone, stmt.indices)
        if place.max is not None:
            with self.out.block(f"if len(z[{number}]) >= {place.max}:" if place.max > 1 else f"if z[{number}]:"):
                self.put(f"raise Fault('there is no room in `{stmt.zone}`')")
        self.put(f"c_ = {source}[-1]")
        self.put(f"{source} = {source}[:-1]")
        more = f"[*z[{number}], c_]" if place.max != 1 else "[c_]"
        self.put(f"z[{number}] = {f'sorted({more})' if place.zone.order == 'none' and place.max != 1 else more}")
        self.put(f"loc_{place.zone.component}[c_] = {number}")

    def draw_one(self, stmt: ir.Draw) -> None:
        """The top card of a deck that is not empty."""
        self.put(f"c_ = {self.raw_zone(stmt.source)}[-1]")
        kind = t.TableType("component", self.layout.zones[stmt.source.zone].zone.component)
        top = ir.LocalRead(ir.Local("c", kind), type=kind, span=stmt.span)
        self._move("c_", ir.Move(top, stmt.zone, stmt.indices, span=stmt.span))

    def refill(self, stmt: ir.Draw) -> None:
        """The zone named in `refilled_from` is shuffled into an empty deck."""
        source = stmt.source
        other = evolve(source, zone=self.layout.zones[source.zone].zone.refilled_from)
        self.do_moveall(ir.MoveAll(other, source.zone, source.indices, span=stmt.span))
        self.do_shuffle(ir.Shuffle(source, span=stmt.span))

    def do_shuffle(self, stmt: ir.Shuffle) -> None:
        """A shuffle from the stream named after the zone."""
        zone = stmt.zone.zone
        if self.plan.explicit:
            self.put(f"shuffle_unknown(S, {self.zone(zone, stmt.zone.indices)})")
        else:
            raw = self.raw_zone(stmt.zone)
            self.put(f"{raw} = shuffled(S.rng, {self.shared.stream(zone)}, {raw})")
        self.note(f"('shuffle', {self.zone(zone, stmt.zone.indices)})")

    def do_turnover(self, stmt: ir.TurnOver) -> None:
        """The other face, or a given one."""
        kind = stmt.what.type.name if isinstance(stmt.what.type, t.TableType) else stmt.what.type.item.name  # type: ignore[attr-defined]
        faces = self.layout.spec.tables[kind].faces
        self.put(f"c_ = {self.text(stmt.what)}")
        with self.out.block("if c_ is not None:"):
            new = f"(face_{kind}[c_] + 1) % {len(faces)}" if stmt.face is None else str(faces.index(stmt.face))
            self.put(f"face_{kind}[c_] = {new}")
            self.note(f"('turn', {kind!r}, c_, face_{kind}[c_])")

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
        """The position is kept."""
        name = stmt.record
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
            self.put("raise GameEnd")
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
        winners = {"win": f"({who},)", "lose": f"tuple(seats_from[{who}][1:])", "draw": "()"}[stmt.kind]
        self.put(f"S.outcome = ({winners}, {reason})")
        self.put("raise GameEnd")


class Amount(ir.Expr):
    """A Python name standing for a number inside an emitted expression."""

    name: str

    def __init__(self, name: str, *, type: t.Type, span: Span) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "type", type)
        object.__setattr__(self, "span", span)


def one_or_none(selection: ir.Selection) -> ir.Expr | None:
    """The optional value that a selection goes over, if it goes over no more."""
    if len(selection.bindings) != 1 or selection.order is not None:
        return None
    domain = selection.bindings[0].domain
    value = domain.value if isinstance(domain, ir.Convert) else domain
    return value if isinstance(value.type, t.OptionalType) and not isinstance(value, ir.ZoneRead) else None


def _changes(stmt: ir.SetVar) -> tuple[bool, bool]:
    """Whether a variable gets its own value and something more, or less: it cannot leave its range at the other end."""
    match stmt.value:
        case ir.Binary(op="+" | "-" as op, left=ir.VarRead(variable=stmt.variable) as old, right=right):
            kind = right.type
            if isinstance(kind, t.NumberType) and kind.low is not None and kind.low >= 0:
                same = shape(old.indices) == shape(stmt.indices) and isinstance(old.type, t.NumberType)
                return same and op == "+", same and op == "-"
    return False, False
