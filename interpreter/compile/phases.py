"""Phases and turns unfolded into statements: each phase becomes a unit "phase NAME".

A phase that repeats is a loop around a unit "pass NAME", so that triggers on the phase and variables that last it
see every pass, and `end NAME` leaves the whole phase.
"""

from __future__ import annotations

from fractions import Fraction

import attrs
from attrs import define

from interpreter.compile.events import Events, negated, read
from interpreter.compile.internal import CallUnit, EnterPhase, Forever, Leave, Reset, SetTurn, TurnAsk
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.source import Span


def number(value: int, span: Span) -> ir.Const:
    """A whole number as an expression."""
    return ir.Const(value, type=t.NumberType(Fraction(value), Fraction(value)), span=span)


def leave_if(condition: ir.Expr) -> ir.If:
    """Leaves the loop around when a condition holds."""
    return ir.If(condition, (Leave(span=condition.span),), (), span=condition.span)


def _has_turns(phase: ir.Phase) -> bool:
    return phase.turns is not None or any(_has_turns(inner) for inner in phase.phases)


@define
class Phases:
    """Makes the units of phases and of the whole game ("main")."""

    events: Events

    def add_all(self) -> None:
        """Units for `setup`, every phase, and "main", which does them in order."""
        spec = self.events.spec
        span = spec.phases[0].span if spec.phases else Span(spec.source.path, 1, 1, 1, 1)
        setup = self.events.stacked("setup do", spec.setup, ())
        self.events.add_event("setup", (), setup, None, span)
        body: ir.Block = (CallUnit("setup", (), span=span),)
        for phase in spec.phases:
            body += self._phase(phase)
        self.events.add("main", (), body, span)

    def _phase(self, phase: ir.Phase) -> ir.Block:
        """Adds the units of a phase; the statements that run it where it stands."""
        if not self.events.holds(phase.only_if):
            return ()
        span = phase.span
        params = (phase.me,) if phase.me is not None else ()
        args = tuple(read(p, span) for p in params)
        once = self._once(phase)
        event = f"phase {phase.name}"
        back: ir.Block = ()
        if _has_turns(phase):
            back = (SetTurn(read(phase.me, span) if phase.me is not None else None, back=True, span=span),)
        watched = self.events.has(event)
        if watched:
            # The phase is a unit of its own, so that `end` leaves it and the triggers after it still run.
            self.events.add(f"core {event}", params, once, span)
            once = (CallUnit(f"core {event}", args, span=span), *back)
        if phase.repeat is None and phase.repeat_until is None:
            self.events.add_event(event, params, once, phase.me, span)
        else:
            passing = f"pass {phase.name}"
            self.events.add_event(event, params, once, phase.me, span)
            self.events.units[passing] = attrs.evolve(self.events.units.pop(event), key=passing)
            call_once = CallUnit(passing, args, span=span)
            self.events.add(event, params, self._repeated(phase, call_once, watched), span)
        call: ir.Block = (CallUnit(event, args, span=span), *back)
        if phase.skip_when is not None:
            call = (ir.If(negated(phase.skip_when), call, (), span=span),)
        return call

    def _repeated(self, phase: ir.Phase, once: CallUnit, watched: bool) -> ir.Block:
        """The passes of a phase. The first local says whether `end PHASE` has been said in one with triggers."""
        span = phase.span
        ended = ir.Local("ended", t.BOOL)
        before: ir.Block = ()
        over: ir.Block = ()
        if watched:
            before = (ir.Let(ended, ir.Const(False, type=t.BOOL, span=span), span=span),)
            over = (leave_if(read(ended, span)),)
        if phase.repeat is not None:
            variable, domain = phase.repeat
            value = ir.Local(variable.variable, variable.type)
            selection = ir.Selection((ir.Binding(value, domain),), ((), ()), None, span=span)
            set_it = ir.SetVar(variable.variable, variable.indices, read(value, span), span=span)
            until = (*over, *((leave_if(phase.repeat_until),) if phase.repeat_until is not None else ()))
            loop = ir.For(selection, (*self.events.woven((set_it,)), once, *until), span=span)
            return (*before, loop) if not until else (*before, Forever((loop, Leave(span=span)), span=span))
        assert phase.repeat_until is not None
        return (*before, Forever((once, *over, leave_if(phase.repeat_until)), span=span))

    def _once(self, phase: ir.Phase) -> ir.Block:
        span = phase.span
        me = (phase.me,) if phase.me is not None else ()
        body: ir.Block = (EnterPhase(phase.name, span=span), *self._reset(phase.name, span))
        body += self.events.stacked(f"phase {phase.name} do", phase.do, me)
        if phase.turns is not None:
            return body + self._turns(phase, phase.turns)
        if phase.actions and phase.me is not None:
            return body + self._decisions(phase, phase.me, None)
        for inner in phase.phases:
            body += self._phase(inner)
        return body

    def _reset(self, lasts: str, span: Span) -> ir.Block:
        names = tuple(v.name for v in self.events.spec.variables.values() if v.lasts == lasts)
        return (Reset(names, span=span),) if names else ()

    def _turns(self, phase: ir.Phase, turns: ir.Turns) -> ir.Block:
        span, me = phase.span, turns.me
        taken = ir.Local("turns_taken", t.NUMBER)
        step = 1 if turns.order == "clockwise" else -1
        first = turns.first if turns.first is not None else ir.Const(0, type=t.PLAYER, span=span)
        before: list[ir.Stmt] = []
        if turns.among is not None:
            before.append(leave_if(negated(ir.Truth(turns.among, type=t.BOOL, span=span))))
            first = self._among("turn_from", first, turns.among, step, span)
        before.append(ir.Let(me, first, span=span))
        most = turns.times
        if turns.rounds is not None:
            size: ir.Expr = ir.SeatCount(type=t.NUMBER, span=span)
            if turns.among is not None:
                size = ir.BuiltIn("count", (turns.among,), type=t.NUMBER, span=span)
            most = ir.Binary("*", turns.rounds, size, type=t.NUMBER, span=span)
        turn = self._turn(phase, turns)
        ends: list[ir.Stmt] = [leave_if(turns.until)] if turns.until is not None else []
        if most is not None:
            one_more = ir.Binary("+", read(taken, span), number(1, span), type=t.NUMBER, span=span)
            ends.insert(0, ir.Let(taken, one_more, again=True, span=span))
            before.append(ir.Let(taken, number(0, span), span=span))
            limit = ir.Local("most_turns", t.NUMBER)
            before.append(ir.Let(limit, most, span=span))
            before.append(leave_if(ir.Binary(">=", number(0, span), read(limit, span), type=t.BOOL, span=span)))
            ends.append(leave_if(ir.Binary(">=", read(taken, span), read(limit, span), type=t.BOOL, span=span)))
        if turns.among is not None:
            ends.append(leave_if(negated(ir.Truth(turns.among, type=t.BOOL, span=span))))
            following = self._among("turn_after", read(me, span), turns.among, step, span)
        else:
            name = "next" if step == 1 else "previous"
            following = ir.BuiltIn(name, (read(me, span),), type=t.PLAYER, span=span)
        loop = Forever(
            (*turn, *ends, ir.Let(me, following, again=True, span=span)),
            waits=any(isinstance(stmt, TurnAsk) for stmt in turn) or self._asks(phase, turns),
            span=span,
        )
        whole: ir.Block = (*before, loop)
        if turns.among is not None or most is not None:
            whole = (Forever((*whole, Leave(span=span)), span=span),)
        return whole

    def _among(self, name: str, seat: ir.Expr, among: ir.Expr, step: int, span: Span) -> ir.Expr:
        """The first seat of `among` in turn order from a seat (turn_from: that one included)."""
        return ir.BuiltIn(name, (seat, among, number(step, span)), type=t.PLAYER, span=span)

    def _turn(self, phase: ir.Phase, turns: ir.Turns) -> ir.Block:
        span, me = phase.span, turns.me
        body: ir.Block = (SetTurn(read(me, span), span=span), *self._reset("turn", span))
        body += self.events.stacked(f"before turn {phase.name}", phase.before_turn, (me,))
        if phase.phases:
            for inner in phase.phases:
                body += self._phase(inner)
        if phase.actions:
            body += self._decisions(phase, me, turns.turn_until)
        return body + self.events.stacked(f"after turn {phase.name}", phase.after_turn, (me,))

    def _asks(self, phase: ir.Phase, turns: ir.Turns) -> bool:
        """Whether each turn has a decision: it goes on until a variable is set that each turn starts without."""
        until = turns.turn_until
        if self.events.active(phase.before_turn) or phase.phases or not isinstance(until, ir.VarRead):
            return False
        variable = self.events.spec.variables[until.variable]
        return variable.lasts == "turn" and isinstance(variable.type, t.BoolType) and variable.start is None

    def _decisions(self, phase: ir.Phase, me: ir.Local, until: ir.Expr | None) -> ir.Block:
        span = phase.span
        stuck: ir.Block | None = None
        if self.events.active(phase.if_stuck):
            stuck = self.events.stacked(f"if stuck {phase.name}", phase.if_stuck, (me,))
        several = phase.take == "any"
        actions = [name for name in phase.actions if name in self.events.spec.actions]
        if stuck is not None and until is not None:
            stuck += (Leave(span=span),)
        ask = TurnAsk(
            read(me, span),
            tuple(ir.Offer(name, (), span=span) for name in actions),
            tuple(ir.Offer(name, (), span=span) for name in phase.any_time),
            stuck,
            several,
            phase.name,
            several or until is not None,
            len(actions) < len(phase.actions),
            span=span,
        )
        if several or until is not None:
            ends = (leave_if(until),) if until is not None else ()
            # `until` is tested first too: a turn may begin with nothing left to do.
            return (Forever((*ends, ask), waits=True, span=span),)
        return (ask,)
