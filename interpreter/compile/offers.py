"""Functions that list an action's options for a seat.

`offer_NAME(S, me)`; where a rule fixes parameters, `offer_NAME__p_q(S, me, p, q)`. Conditions stand at the outermost
loop where their names are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

from attrs import define, evolve, field

from interpreter.compile.events import negated, read
from interpreter.compile.expressions import OR, may_repeat
from interpreter.compile.lists import as_list
from interpreter.compile.loops import End, Guard, Leaf, emit_plan, fused, joined, plan_loops, quicker
from interpreter.compile.schemas import Schemas
from interpreter.compile.shared import Shared
from interpreter.compile.simplify import Simplifier
from interpreter.compile.statements import Plan, Statements
from interpreter.compile.trees import conjuncts, exclude, free, placed
from interpreter.compile.writer import Writer
from rulespec import checked as ir
from rulespec.check import types as t


@define
class Offers:
    """Emits the functions on demand; `writers` has them in order."""

    spec: ir.CheckedSpec
    shared: Shared
    schemas: Schemas
    plan: Plan
    simplifier: Simplifier
    holds: Callable[[ir.Expr | None], bool]
    writers: dict[str, Writer] = field(factory=dict)

    def function(self, offer: ir.Offer) -> str:
        """The name of the function for an offer; "" for an action that does not exist in this game."""
        action = self.spec.actions[offer.action]
        if not self.holds(action.only_if):
            return ""
        name = f"offer_{action.name}" + "".join(f"__{param}" for param, _ in offer.fixed)
        if name not in self.writers:
            self.writers[name] = Writer(span=action.span)
            self._emit(name, action, {param for param, _ in offer.fixed})
        return name

    def is_secret(self, offers: tuple[ir.Offer, ...]) -> bool:
        """Whether it depends on something hidden which of these actions a seat can do."""
        spec = self.spec
        for offer in offers:
            action = spec.actions[offer.action]
            effects = self.plan.analysis.of((action.selection, action.when, *(a for pair in action.pay for a in pair)))
            if any(f"v:{v.name}" in effects.reads for v in spec.variables.values() if v.seen_by != "everyone"):
                return True
            for zone in spec.zones.values():
                if f"k:{zone.component}" not in effects.reads or zone.seen_by == "everyone":
                    continue
                if zone.name in effects.contents or zone.count_seen_by != "everyone":
                    return True
        return False

    def together(self, name: str, offers: tuple[ir.Offer, ...], who: str, more: list[str]) -> Writer:
        """A function `name(S, F)` with the options of several actions, which share loops over the same things.

        who: the seat, as Python text over F. more: further options at the end, as Python texts.
        """
        out = Writer()
        e = Statements(self.shared, plan=self.plan, out=out)
        me = ir.Local("me", t.PLAYER)
        with out.block(f"def {name}(S, F):"):
            out.put(f"{e.names.of(me)} = {who}")
            self._list(e, offers, me, more)
            seat = re.compile(rf"\b{e.names.of(me)}\b")
            found = [n for n, line in enumerate(out.lines) if n > 1 for _ in seat.findall(line)]
            if all(_is_read_once(out.lines[n]) for n in found) and len(found) < 2:
                for n in found:
                    out.lines[n] = seat.sub(who, out.lines[n])
                del out.lines[1], out.spans[1]
        return out

    def _list(self, e: Statements, offers: tuple[ir.Offer, ...], me: ir.Local, more: list[str]) -> None:
        """The lines of a function that lists the options of several actions."""
        out = e.out
        lists: list[str] = []
        plans: list[list[Any]] = []
        for offer in offers:
            action = self.spec.actions[offer.action]
            if self.holds(action.only_if):
                lists.append(e.names.fresh("options"))
                plans.append(self._planned(e, action, me, lists))
        plan, shared = fused([item for part in plans for item in part], self.spec)
        if len(lists) == 1 and not more:
            text = as_list(e, plan, [me])
            if text:
                out.put(f"return {text}")
                return
        if len(lists) > 1 and not shared and not any(map(_is_finished, plans)):
            # Nothing is shared, so the options come in order.
            lists[:] = [lists[0]] * len(lists)
            plan = joined(plan)
            if self._list_one_group(e, plan, me, more):
                return
        used = list(dict.fromkeys(lists))
        for listed in used:
            out.put(f"{listed} = []")
        emit_plan(e, plan, [me])
        if len(used) == 1 and more == [m for m in more if not m.startswith("*")]:
            for option in more:
                out.put(f"{used[0]}.append({option})")
            out.put(f"return {used[0]}")
            return
        out.put(f"return [{', '.join([*(f'*{listed}' for listed in used), *more])}]")

    def _list_one_group(self, e: Statements, plan: list[Any], me: ir.Local, more: list[str]) -> bool:
        """The lines that list the options where these come in fixed groups of which at most one is possible at a time.

        Returns:
            Whether they do.
        """
        groups: list[Guard] = [item for item in plan if isinstance(item, Guard)]
        ends = [end for group in groups for end in group.body]
        if len(groups) < len(plan) or not all(isinstance(end, End) and end.item is not None for end in ends):
            return False
        if any(not exclude(a.conditions, b.conditions) for a, b in combinations(groups, 2)):
            return False

        def leaf(items: tuple[str, ...]) -> Leaf:
            return lambda _: e.put(f"return [{', '.join([*items, *more])}]")

        for group in groups:
            group.body = [End((), leaf(tuple(end.item(end.exprs) for end in group.body)))]
        emit_plan(e, plan, [me])
        e.put(f"return [{', '.join(more)}]")
        return True

    def _planned(self, e: Statements, action: ir.Action, me: ir.Local, lists: list[str]) -> list[Any]:
        """The plan of an action's loops, which puts its options into the list whose name stands last in `lists`."""
        as_me: dict[ir.Local, ir.Expr] = {action.me: ir.LocalRead(me, type=t.PLAYER, span=action.span)}
        selection = action.selection
        locals = selection.locals if selection is not None else ()
        schema = self.schemas.of(action.name, locals, action.name)
        conditions = [self.simplifier.tree(c, as_me) for c in self._conditions(action)]
        number = len(lists) - 1

        def item(exprs: tuple[ir.Expr, ...]) -> str:
            return f"A{schema.number}[{self.schemas.place(schema, [e.text(x) for x in exprs])}]"

        def leaf(exprs: tuple[ir.Expr, ...]) -> None:
            e.put(f"{lists[number]}.append({item(exprs)})")

        if selection is None or not selection.bindings:
            return [Guard(conditions, [End((), leaf, item)])] if conditions else [End((), leaf, item)]
        selection = self.simplifier.tree(selection, as_me)
        bound = set(selection.locals)
        first = [c for c in conditions if not bound & set(free(c))]
        selection, once = self._quicker(placed(selection, [c for c in conditions if c not in first]))
        values = tuple(read(local, selection.span) for local in locals)
        loops = plan_loops(self.simplifier, self.shared.tabulator, selection, values, leaf, item)
        listed = lists[number]
        found = self.schemas.distinct(schema, listed if once else f"unique({listed})")
        if found != listed:
            loops.append(End((), lambda _: e.put(f"{listed} = {found}")))
        return [Guard(first, loops)] if first and loops else loops

    def _quicker(self, selection: ir.Selection) -> tuple[ir.Selection, bool]:
        """A selection with loops that are quicker, and whether each of its members comes once."""
        wanted, tabulator = selection.locals, self.shared.tabulator
        selection = quicker(self.simplifier, tabulator, selection)
        if tabulator is None:
            return selection, not any(may_repeat(b.domain) for b in selection.bindings)
        return selection, not tabulator.repeats(selection, wanted, may_repeat)

    def can_share(self, offers: tuple[ir.Offer, ...]) -> bool:
        """Whether the options of some actions can be listed by one function."""
        for offer in offers:
            selection = self.spec.actions[offer.action].selection
            if offer.fixed or (selection is not None and selection.order is not None):
                return False
        return True

    def _conditions(self, action: ir.Action) -> list[ir.Expr]:
        """Everything that must hold for an action: its costs can be paid, and its `when`."""
        conditions = [_affordable(action.pay[: n + 1]) for n in range(len(action.pay))]
        return conditions + (conjuncts(action.when) if action.when is not None else [])

    def _emit(self, name: str, action: ir.Action, fixed: set[str]) -> None:
        out = self.writers[name]
        e = Statements(self.shared, plan=self.plan, out=out)
        me = e.names.of(action.me)
        conditions = self._conditions(action)
        selection = action.selection
        locals = selection.locals if selection is not None else ()
        schema = self.schemas.of(action.name, locals, action.name)
        given = [local for local in locals if local.name in fixed]
        with out.block(f"def {name}(S, {', '.join([me, *(e.names.of(local) for local in given)])}):"):
            if selection is not None and given:
                selection, more = _fixed(selection, given)
                fixed_ones = () if selection.bindings else selection.conditions[0]
                conditions = [*more, *fixed_ones, *conditions]
            option = f"A{schema.number}[{self.schemas.place(schema, [e.names.of(local) for local in locals])}]"
            if selection is None or not selection.bindings:
                tests = " and ".join(e.test(c, OR + 1) for c in conditions)
                out.put(f"return ({option},) if {tests} else ()" if tests else f"return ({option},)")
                return
            bound = set(selection.locals)
            first = [c for c in conditions if not bound & set(free(c))]
            for condition in first:
                with out.block(f"if {e.test(negated(condition))}:"):
                    out.put("return ()")
            selection = placed(selection, [c for c in conditions if c not in first])
            if selection.order is not None:
                out.put(f"return {self.schemas.distinct(schema, e.options(option, selection))}")
                return
            out.put("out = []")

            def leaf(exprs: tuple[ir.Expr, ...]) -> None:
                place = self.schemas.place(schema, [e.text(x) for x in exprs])
                out.put(f"out.append(A{schema.number}[{place}])")

            values = tuple(read(local, selection.span) for local in locals)
            selection, once = self._quicker(selection)
            loops = plan_loops(self.simplifier, self.shared.tabulator, selection, values, leaf)
            emit_plan(e, loops, [action.me, *given])
            out.put(f"return {self.schemas.distinct(schema, 'out' if once else 'unique(out)')}")


def _is_read_once(line: str) -> bool:
    """Whether a line of a function is gone through once, with all that it reads."""
    return not line.startswith("        ") and (line.startswith("    for ") or " for " not in line)


def _is_finished(plan: list[Any]) -> bool:
    """Whether a plan does something with its list at the end."""
    items = [item for part in plan for item in (part.body if isinstance(part, Guard) else [part])]
    return any(isinstance(item, End) and item.item is None for item in items)


def _fixed(selection: ir.Selection, given: list[ir.Local]) -> tuple[ir.Selection, list[ir.Expr]]:
    """A selection without the bindings of given locals, which must lie in their domains."""
    bindings: list[ir.Binding] = []
    more: list[ir.Expr] = []
    levels: list[tuple[ir.Expr, ...]] = [selection.conditions[0]]
    for binding, conditions in zip(selection.bindings, selection.conditions[1:], strict=True):
        domain = binding.domain
        if isinstance(domain, ir.ZoneFamily):
            indices = tuple(
                read(i, domain.span) if isinstance(i, ir.Local) and i in given else i for i in domain.indices
            )
            domain = evolve(domain, indices=indices)
        if binding.local in given:
            if isinstance(domain, ir.ZoneFamily):
                # The component is known; the indices that are not are tried one after another.
                unknown = [i for i in domain.indices if isinstance(i, ir.Local)]
                bindings += [
                    ir.Binding(i, ir.AllOf(i.type, type=t.ListType(i.type), span=domain.span)) for i in unknown
                ]
                levels += [()] * len(unknown)
                places = tuple(read(i, domain.span) if isinstance(i, ir.Local) else i for i in domain.indices)
                kind = t.ListType(binding.local.type)
                domain = ir.ZoneRead(domain.zone, places, type=kind, span=domain.span)
            more.append(ir.Member(read(binding.local, domain.span), domain, type=t.BOOL, span=domain.span))
            levels[-1] = (*levels[-1], *conditions)
        else:
            bindings.append(evolve(binding, domain=domain))
            levels.append(conditions)
    return ir.Selection(tuple(bindings), tuple(levels), selection.order, span=selection.span), more


def _affordable(costs: tuple[tuple[ir.Expr, ir.VarRead], ...]) -> ir.Expr:
    """Whether the last of some costs can be paid once the ones before it, perhaps from the same counter, are."""
    amount, variable = costs[-1]
    span = amount.span
    for earlier, other in costs[:-1]:
        if other.variable != variable.variable:
            continue
        same: ir.Expr = ir.Const(True, type=t.BOOL, span=span)
        for a, b in zip(variable.indices, other.indices, strict=True):
            same = ir.Binary("and", same, ir.Binary("==", a, b, type=t.BOOL, span=span), type=t.BOOL, span=span)
        none = ir.Const(0, type=t.NUMBER, span=span)
        more = ir.Cond(same, earlier, none, type=t.NUMBER, span=span) if variable.indices else earlier
        amount = ir.Binary("+", amount, more, type=t.NUMBER, span=span)
    return ir.Binary(">=", variable, amount, type=t.BOOL, span=span)
