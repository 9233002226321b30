"""What there is to reach in a spec: points, and a checked spec in which each of them counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

import attrs
from attrs import define, field, frozen

from interpreter.compile.counting import Counted, Hit, Tally
from interpreter.compile.events import any_usual
from interpreter.compile.trees import conjuncts, parts
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.context import Context
from rulespec.check.evaluate import Env, evaluate
from rulespec.check.walk import nodes
from rulespec.diagnostics import Reporter
from rulespec.source import Span

KINDS = (
    "action", "phase", "trigger", "procedure", "function", "rule", "effect", "condition", "result", "invariant",
    "option",
)  # fmt: skip
"""The kinds of points, in the order of reports."""

_BLOCKS = ("body", "then", "other")

F = TypeVar("F", bound=ir.Function)


@frozen
class Point:
    """Something in a spec that play can reach.

    Attributes:
        kind: action, phase, trigger, procedure, function, rule (of a row), effect, condition, result, invariant or
            option.
        name: what it is called; of an effect or a condition "".
        outcome: of a condition "true" or "false", of an option the value; else "".
        span: its place.
    """

    kind: str
    name: str
    outcome: str
    span: Span


def counting(spec: ir.CheckedSpec, tally: Tally) -> tuple[ir.CheckedSpec, list[Point]]:
    """A spec that counts, to be played as any other, and its points; the numbers of points depend on the spec alone.

    Rules that a variant replaces without saying `usual` are no points of the variant.

    Args:
        spec: as it was checked.
        tally: what the spec counts into; it gets a place for each point that it has none for.
    """
    change = _Counting(tally)
    changed = attrs.evolve(
        spec,
        setup=change.layers(spec.setup),
        functions={name: change.function(f, "function") for name, f in spec.functions.items()},
        procedures={name: change.function(p, "procedure") for name, p in spec.procedures.items()},
        triggers=tuple(map(change.trigger, spec.triggers)),
        actions={name: change.action(action) for name, action in spec.actions.items()},
        tables={name: change.table(table) for name, table in spec.tables.items()},
        phases=tuple(map(change.phase, spec.phases)),
        result=change.result(spec.result),
        invariants=tuple(map(change.invariant, spec.invariants)),
    )
    for option in spec.options.values():
        for value in values_of(spec, option) if _can_apply(spec, option) else ():
            change.point("option", option.name, option.span, value)
    return changed, change.points


def _can_apply(spec: ir.CheckedSpec, option: ir.Option) -> bool:
    """Whether an option can be set with any number of players, where nothing else decides that."""
    condition = option.only_if
    if condition is None or any(isinstance(node, ir.OptionRead) for node in nodes(condition)):
        return True
    least, most = spec.source.seats
    context = Context(spec.source, Reporter(), enums=spec.enums, options=spec.options)
    return any(evaluate(condition, Env(context, {}, seats)) for seats in range(least, most + 1))


def values_of(spec: ir.CheckedSpec, option: ir.Option, most: int = 20) -> list[str]:
    """The values of an option as texts; of a set its members. Of more than `most` numbers the ends and the default."""
    allowed = option.declared.values

    def texts(type: t.Type) -> list[str]:
        match type:
            case t.BoolType():
                return ["false", "true"]
            case t.EnumType(name):
                names = spec.enums[name]
                return [names[i] for i in allowed] if allowed is not None else list(names)
            case t.NumberType(low=low, high=high, step=step) if low is not None and high is not None and step:
                count = int((high - low) / step) + 1
                numbers = [low + step * i for i in range(count)] if count <= most else [low, option.default, high]
                return list(dict.fromkeys(str(number) for number in numbers))
            case t.OptionalType(item):
                return ["none", *texts(item)]
            case t.SetType(item):
                return texts(item)
        return []

    return texts(option.type)


@define
class _Counting:
    """Puts counting nodes into the parts of a spec."""

    tally: Tally
    points: list[Point] = field(factory=list)

    def point(self, kind: str, name: str, span: Span, outcome: str = "") -> int:
        """The number of a new point."""
        self.points.append(Point(kind, name, outcome, span))
        if len(self.tally.counts) < len(self.points):
            self.tally.counts.append(0)
        return len(self.points) - 1

    # ------------------------------------------------------------ declarations

    def layers(
        self, layers: tuple[ir.Layer, ...], owner: int | None = None, name: str = "", span: Span | None = None
    ) -> tuple[ir.Layer, ...]:
        """Layers of effects; `owner` is a point that counts when the lowest of them that is done begins."""
        if not layers and owner is not None:
            assert span is not None
            return (ir.Layer((Hit(self.tally, owner, span=span),), None, span),)
        live = _live(layers, name)
        changed = []
        for n, layer in enumerate(layers):
            body = layer.body
            if n in live:
                body = self.block(body) if isinstance(body, tuple) else self.expr(body)
                if owner is not None and (n == min(live) or not _calls_below(layer, name)):
                    body = self._begun(body, owner, layer.span)
            changed.append(attrs.evolve(layer, body=body))
        return tuple(changed)

    def _begun(self, body: Any, owner: int, span: Span) -> Any:
        if isinstance(body, tuple):
            return (Hit(self.tally, owner, span=span), *body)
        return Counted(self.tally, owner, body, type=body.type, span=body.span)

    def function(self, function: F, kind: str) -> F:
        """A function or procedure."""
        owner = self.point(kind, function.name, function.span)
        return attrs.evolve(function, layers=self.layers(function.layers, owner, function.name, function.span))

    def trigger(self, trigger: ir.Trigger) -> ir.Trigger:
        """A trigger: its condition and its effects."""
        owner = self.point("trigger", trigger.name, trigger.span)
        live = _live(trigger.when, "")
        when = tuple(
            attrs.evolve(layer, body=self.condition(layer.body)) if n in live else layer
            for n, layer in enumerate(trigger.when)
        )
        return attrs.evolve(trigger, when=when, do=self.layers(trigger.do, owner, span=trigger.span))

    def action(self, action: ir.Action) -> ir.Action:
        """An action; its point counts when it is done."""
        owner = self.point("action", action.name, action.span)
        return attrs.evolve(
            action,
            selection=self.expr(action.selection),
            when=self.condition(action.when),
            pay=self.expr(action.pay),
            do=self.layers(action.do, owner, span=action.span),
        )

    def table(self, table: ir.Table) -> ir.Table:
        """The rules in the rows of a table."""
        rules = [column for column in table.fields.values() if column.params is not None]
        if not rules:
            return table
        rows = []
        for row in table.rows:
            values = dict(row.values)
            for column in rules:
                if column.name in values:
                    params, body = values[column.name]
                    first = body if not isinstance(body, tuple) else body[0] if body else row
                    span = first.span
                    owner = self.point("rule", f"{row.id}.{column.name}", span)
                    inside = self.block(body) if isinstance(body, tuple) else self.expr(body)
                    values[column.name] = params, self._begun(inside, owner, span)
            rows.append(attrs.evolve(row, values=values))
        return attrs.evolve(table, rows=tuple(rows))

    def phase(self, phase: ir.Phase) -> ir.Phase:
        """A phase with those inside it."""
        owner = self.point("phase", phase.name, phase.span)
        turns = phase.turns
        if turns is not None:
            numbers = {name: self.expr(getattr(turns, name)) for name in ("first", "among", "times", "rounds")}
            ends = {name: self.condition(getattr(turns, name)) for name in ("until", "turn_until")}
            turns = attrs.evolve(turns, **numbers, **ends)
        return attrs.evolve(
            phase,
            do=self.layers(phase.do, owner, span=phase.span),
            phases=tuple(map(self.phase, phase.phases)),
            turns=turns,
            if_stuck=self.layers(phase.if_stuck),
            before_turn=self.layers(phase.before_turn),
            after_turn=self.layers(phase.after_turn),
            skip_when=self.condition(phase.skip_when),
            repeat_until=self.condition(phase.repeat_until),
        )

    def result(self, result: ir.Result) -> ir.Result:
        """What the end is judged by."""

        def part(name: str, expr: ir.Expr | None) -> Any:
            if expr is None:
                return None
            owner = self.point("result", name, expr.span)
            return Counted(self.tally, owner, self.expr(expr), type=expr.type, span=expr.span)

        ranks = tuple((kind, part("rank_by", expr)) for kind, expr in result.rank_by)
        return attrs.evolve(
            result, rank_by=ranks, score=part("score", result.score), payoff=part("payoff", result.payoff)
        )

    def invariant(self, invariant: ir.Invariant) -> ir.Invariant:
        """An invariant; that it fails is no point."""
        owner = self.point("invariant", invariant.name, invariant.span)
        condition = invariant.condition
        counted = Counted(self.tally, owner, self.expr(condition), type=condition.type, span=condition.span)
        return attrs.evolve(invariant, condition=counted)

    # ------------------------------------------------------------ effects

    def block(self, block: ir.Block) -> ir.Block:
        """Effects, each counted."""
        return tuple(changed for stmt in block for changed in self._statement(stmt))

    def _statement(self, stmt: ir.Stmt) -> Iterator[ir.Stmt]:
        if isinstance(stmt, ir.If):
            holds = self._outcomes(stmt.test.span)
            then = (self._hit(holds, stmt.test.span), *self.block(stmt.then))
            other = (self._hit(holds + 1, stmt.test.span), *self.block(stmt.other))
            yield attrs.evolve(stmt, test=self.expr(stmt.test), then=then, other=other)
            return
        yield self._hit(self.point("effect", "", stmt.span), stmt.span)
        new: dict[str, Any] = {}
        for name in parts(stmt):
            value = getattr(stmt, name)
            is_block = name in _BLOCKS and isinstance(value, tuple)
            new[name] = self.block(value) if is_block else self.expr(value)
        yield attrs.evolve(stmt, **new)

    def _hit(self, point: int, span: Span) -> Hit:
        return Hit(self.tally, point, span=span)

    # ------------------------------------------------------------ expressions

    def _outcomes(self, span: Span) -> int:
        """The number of the first of the two points of a condition."""
        first = self.point("condition", "", span, "true")
        self.point("condition", "", span, "false")
        return first

    def condition(self, condition: Any) -> Any:
        """A condition; the parts that must all hold are counted one by one."""
        if condition is None:
            return None
        counted = [self._tested(part) for part in conjuncts(condition)]
        whole = counted[0]
        for part in counted[1:]:
            whole = ir.Binary("and", whole, part, type=t.BOOL, span=condition.span)
        return whole

    def _tested(self, part: ir.Expr) -> ir.Expr:
        if isinstance(part, ir.Const):
            return part
        return Counted(self.tally, self._outcomes(part.span), self.expr(part), True, type=part.type, span=part.span)

    def expr(self, tree: Any) -> Any:
        """An expression (or tuple, selection, ...) in which conditions count; texts are left as they are."""
        if isinstance(tree, tuple):
            return tuple(self.expr(part) for part in tree)
        if isinstance(tree, ir.TextOf) or not isinstance(tree, (ir.Expr, ir.Selection, ir.Binding, ir.Offer, ir.Call)):
            return tree
        if isinstance(tree, ir.Selection):
            levels = tuple(
                tuple(self._tested(part) for condition in level for part in conjuncts(condition))
                for level in tree.conditions
            )
            return attrs.evolve(tree, bindings=self.expr(tree.bindings), conditions=levels, order=self.expr(tree.order))
        new = {name: self.expr(getattr(tree, name)) for name in parts(tree)}
        if isinstance(tree, ir.Cond):
            holds = self._outcomes(tree.test.span)
            for name, point in (("then", holds), ("other", holds + 1)):
                value = new[name]
                new[name] = Counted(self.tally, point, value, type=value.type, span=value.span)
        return attrs.evolve(tree, **{name: value for name, value in new.items() if value is not getattr(tree, name)})


def _live(layers: Iterable[ir.Layer], name: str) -> set[int]:
    """The numbers of the layers that can be used at all: not those under one that is always there without `usual`."""
    found = set()
    for n, layer in reversed(list(enumerate(layers))):
        found.add(n)
        if layer.only_if is None and not _calls_below(layer, name):
            break
    return found


def _calls_below(layer: ir.Layer, name: str) -> bool:
    """Whether a layer uses the one below it; `name`: of the function or procedure that it belongs to."""
    if isinstance(layer.body, tuple) and any_usual(layer.body):
        return True
    calls = (ir.FunctionCall, ir.Call)
    return bool(name) and any(isinstance(x, calls) and x.below is not None for x in nodes(layer.body))
