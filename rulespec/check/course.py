"""The course of play: phases with their turns, setup, result, invariants."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from rulespec import checked as ir
from rulespec.check import core
from rulespec.check import types as t
from rulespec.check.bodies import condition_of, effect_layers, joined_condition, joined_value
from rulespec.check.context import Context, Scope
from rulespec.check.names import known_names
from rulespec.check.walk import replaced
from rulespec.check.words import describe, spell
from rulespec.source import Span
from rulespec.spec import model as m
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n


def acting_phases(phases: Iterable[m.Phase], around: bool = False) -> dict[str, bool]:
    """Phases by name, and whether a turn is going on around them."""
    result: dict[str, bool] = {}
    for phase in phases:
        result[phase.name] = around
        result |= acting_phases(phase.phases, around or phase.turns is not None)
    return result


def check_phases(context: Context) -> tuple[ir.Phase, ...]:
    """All phases."""
    phases = tuple(_Phase(phase, context, None).check() for phase in context.spec.phases)
    if not phases:
        span = next((entry.name_span for entry in context.spec.actions.values()), None) or _start_of(context.spec)
        context.reporter.error("RS555", "the game has no phases", span, "write `phases:` with what happens in play")
    return phases


def _start_of(spec: m.Spec) -> Span:
    return Span(spec.path, 1, 1, 1, 2)


class _Phase:
    def __init__(self, phase: m.Phase, context: Context, me: ir.Local | None) -> None:
        self.phase = phase
        self.context = context
        self.outer = me

    def scope(self, me: ir.Local | None, function: bool = False) -> Scope:
        scope = Scope(self.context, me=me, body=self.phase.name, function=function, turn=me is not None)
        if me is not None:
            scope.names["me"] = me
        return scope

    def check(self) -> ir.Phase:
        phase, context, outer = self.phase, self.context, self.outer
        me = ir.Local("me", t.PLAYER) if phase.turns is not None else outer
        name = f"phase `{phase.name}`"
        self._actions()
        inner = tuple(_Phase(part, context, me).check() for part in phase.phases)
        return ir.Phase(
            phase.name,
            effect_layers(phase.do, self.scope(outer), name),
            inner,
            self._turns(me),
            outer,
            tuple(action for action, _ in phase.actions),
            tuple(action for action, _ in phase.any_time),
            phase.take,
            phase.done_label,
            effect_layers(phase.if_stuck, self.scope(me), f"`if_stuck` of {name}"),
            effect_layers(phase.before_turn, self.scope(me), f"`before_turn` of {name}"),
            effect_layers(phase.after_turn, self.scope(me), f"`after_turn` of {name}"),
            joined_condition(phase.skip_when, self.scope(outer, True), f"`skip_when` of {name}"),
            self._repeat(),
            joined_condition(phase.repeat_until, self.scope(outer, True), f"`repeat_until` of {name}"),
            condition_of(phase.only_if, context),
            phase.doc,
            phase.name_span,
        )

    def _actions(self) -> None:
        phase, context = self.phase, self.context
        known = [*context.spec.actions, "pass"]
        for key, names in (("actions", phase.actions), ("any_time", phase.any_time)):
            for name, span in names:
                if name not in known:
                    context.reporter.error("RS379", f"there is no action `{name}`", span, did_you_mean(name, known))
                elif name == "pass" and key == "any_time":
                    context.reporter.error("RS556", "`pass` is no action for any time", span)
        if phase.actions and phase.turns is None and self.outer is None:
            context.reporter.error(
                "RS557",
                f"phase `{phase.name}` has actions but no turns in which they could be done",
                phase.actions[0][1],
                "add `turns: {}`, or put the phase inside one with turns",
            )

    def _turns(self, me: ir.Local | None) -> ir.Turns | None:
        turns = self.phase.turns
        if turns is None or me is None:
            return None
        outside, inside = self.scope(self.outer, True), self.scope(me, True)
        number = t.NumberType(Fraction(0))
        return ir.Turns(
            me,
            core.check_expression(turns.first, outside, t.PLAYER) if turns.first is not None else None,
            core.check_expression(turns.among, outside, t.ListType(t.PLAYER)) if turns.among is not None else None,
            turns.order,
            core.check_expression(turns.times, outside, number) if turns.times is not None else None,
            core.check_expression(turns.rounds, outside, number) if turns.rounds is not None else None,
            core.check_condition(turns.until, inside) if turns.until is not None else None,
            core.check_condition(turns.turn_until, inside) if turns.turn_until is not None else None,
        )

    def _repeat(self) -> tuple[ir.VarRead, ir.Expr] | None:
        if self.phase.repeat is None:
            return None
        target, values = self.phase.repeat
        scope = self.scope(self.outer, True)
        if isinstance(target, n.Name) and target.id not in known_names(scope):
            near = did_you_mean(target.id, self.context.variables) if len(target.id) > 1 else ""
            declare = f"declare it under `variables`, as `{target.id}: {{type: {spell(values)}}}`"
            message = f"`repeat` counts with a variable, and there is none called `{target.id}`"
            hint = f"{near} Else {declare}" if near else declare
            self.context.reporter.error("RS558", message, target.span, hint)
            return None
        read = core.check_expression(target, scope)
        if not isinstance(read, ir.VarRead):
            if read.type != t.UNKNOWN:
                self.context.reporter.error(
                    "RS558", "`repeat` counts with a variable", target.span, "write `repeat: round in 1..6`"
                )
            return None
        domain = core.check_expression(values, scope, t.ListType(read.type))
        return read, domain


def check_setup(context: Context) -> tuple[ir.Layer, ...]:
    """What happens before the first phase."""
    return effect_layers(context.spec.setup, Scope(context, body="setup"), "`setup`")


def check_result(context: Context) -> ir.Result:
    """Score, ranking and payoff, each of a seat `p`."""
    result = context.spec.result
    scope = Scope(context, function=True, body="result")
    seat = scope.bind("p", t.PLAYER)
    scope.seat = seat
    score = joined_value(result.score, scope, "`score`")
    ranked = scope.child()
    if score is not None:
        ranked.bind("score", score.type)
    local = ranked.names.get("score")
    rank_by: list[tuple[str, ir.Expr]] = []
    for direction, node in result.rank_by:
        expr = core.check_expression(node, ranked)
        if not isinstance(expr.type, (t.NumberType, t.BoolType, t.EnumType, t.UnknownType)):
            context.reporter.error(
                "RS559",
                f"seats are ranked by a number, not by {describe(expr.type)}",
                node.span,
                "give each seat a number, as in `highest score`",
            )
        if isinstance(expr.type, t.BoolType):
            one, zero = (ir.Const(v, type=t.NumberType(Fraction(v), Fraction(v)), span=node.span) for v in (1, 0))
            expr = ir.Cond(expr, one, zero, type=t.NumberType(Fraction(0), Fraction(1)), span=node.span)
        rank_by.append((direction, _with_score(expr, local, score)))
    payoff = joined_value(result.payoff, ranked, "`payoff`")
    return ir.Result(seat, tuple(rank_by), score, _with_score(payoff, local, score) if payoff is not None else None)


def _with_score(expr: ir.Expr, local: ir.Local | None, score: ir.Expr | None) -> ir.Expr:
    if local is None or score is None:
        return expr
    return replaced(expr, lambda e: score if isinstance(e, ir.LocalRead) and e.local is local else None)


def check_invariants(context: Context) -> tuple[ir.Invariant, ...]:
    """Conditions that hold at every decision."""
    found: list[ir.Invariant] = []
    for invariant in context.spec.invariants.values():
        scope = Scope(context, function=True, body=invariant.name)
        condition = core.check_condition(invariant.condition, scope)
        only_if = condition_of(invariant.only_if, context)
        if only_if is not None:
            absent = ir.Unary("not", only_if, type=t.BOOL, span=only_if.span)
            condition = ir.Binary("or", absent, condition, type=t.BOOL, span=condition.span)
        found.append(ir.Invariant(invariant.name, condition, invariant.doc, invariant.name_span))
    return tuple(found)
