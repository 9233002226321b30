"""Checked trees made simpler for one game: options and seats are known, small functions stand where they are called.

What is decided by options leaves no trace, so a rule that asks only with some option cannot stop without it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import attrs
from attrs import define, field

from interpreter.compile.trees import map_statements, parts
from interpreter.runtime.support import norm
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.evaluate import ARITHMETIC, COMPARISONS
from rulespec.check.walk import nodes

MOST_INLINED = 40
"""Nodes of the largest function that is copied to where it is called."""
MOST_ITEMS = 6
"""Items of a list for which `any` and `all` are written out."""

Locals = Mapping[ir.Local, ir.Expr]
_NO_LOCALS: Locals = {}


@define
class Simplifier:
    """Simplifies the trees of one game.

    body_of: the parameters and body of the function that is called, in this game; None if it has effects.
    """

    options: Mapping[str, Any]
    seats: int
    enums: Mapping[str, tuple[str, ...]]
    body_of: Callable[[ir.FunctionCall], tuple[tuple[ir.Local, ...], ir.Expr] | None]
    _depth: int = field(default=0, init=False)

    def enum_size(self, name: str) -> int:
        """The number of values of an enum."""
        return len(self.enums[name])

    def block(self, block: ir.Block) -> ir.Block:
        """Statements with simpler expressions; an `if` that options decide is replaced by its branch."""
        return map_statements(block, self._statement)

    def _statement(self, stmt: ir.Stmt) -> ir.Block | None:
        new = {}
        for name in parts(stmt):
            value = getattr(stmt, name)
            if name not in ("body", "then", "other", "stuck"):
                changed = self.tree(value)
                if changed is not value:
                    new[name] = changed
            elif isinstance(value, tuple):
                changed = self.block(value)
                if changed is not value:
                    new[name] = changed
        if new:
            stmt = attrs.evolve(stmt, **new)
        if isinstance(stmt, ir.If) and isinstance(stmt.test, ir.Const):
            return stmt.then if stmt.test.value else stmt.other
        if isinstance(stmt, ir.While) and isinstance(stmt.test, ir.Const) and not stmt.test.value:
            return ()
        return (stmt,)

    def tree(self, tree: Any, values: Locals = _NO_LOCALS) -> Any:
        """An expression (or tuple, selection, ...) with locals replaced by `values`, made simpler."""
        if isinstance(tree, tuple):
            changed = tuple(self.tree(part, values) for part in tree)
            return tree if all(a is b for a, b in zip(tree, changed, strict=True)) else changed
        if isinstance(tree, ir.LocalRead):
            return values.get(tree.local, tree)
        if not isinstance(tree, (ir.Expr, ir.Selection, ir.Binding, ir.Offer, ir.Call)):
            return tree
        new = {}
        for name in parts(tree):
            value = getattr(tree, name)
            changed = self.tree(value, values)
            if changed is not value:
                new[name] = changed
        if new:
            tree = attrs.evolve(tree, **new)
        rule = _RULES.get(type(tree))
        return rule(self, tree) if rule is not None else tree

    def declaration(self, thing: Any) -> Any:
        """A declaration (or a tuple or dict of some) with simpler bodies and conditions."""
        if isinstance(thing, tuple):
            if thing and all(isinstance(part, ir.Stmt) for part in thing):
                return self.block(thing)
            return tuple(self.declaration(part) for part in thing)
        if isinstance(thing, dict):
            return {name: self.declaration(part) for name, part in thing.items()}
        if isinstance(thing, (ir.Expr, ir.Selection)):
            return self.tree(thing)
        if isinstance(thing, _DECLARATIONS):
            names = [a.name for a in attrs.fields(type(thing)) if a.name != "only_if"]
            return attrs.evolve(thing, **{name: self.declaration(getattr(thing, name)) for name in names})
        return thing

    # ------------------------------------------------------------ rules

    def _option(self, node: ir.OptionRead) -> ir.Expr:
        return ir.Const(self.options[node.option], type=node.type, span=node.span)

    def _seats(self, node: ir.SeatCount) -> ir.Expr:
        return ir.Const(self.seats, type=node.type, span=node.span)

    def _unary(self, node: ir.Unary) -> ir.Expr:
        value = node.operand
        if isinstance(value, ir.Const):
            if node.op == "not":
                return ir.Const(not value.value, type=node.type, span=node.span)
            if isinstance(value.value, int | Fraction):
                return ir.Const(-value.value, type=node.type, span=node.span)
        return node

    def _binary(self, node: ir.Binary) -> ir.Expr:
        left, right = node.left, node.right
        if node.op in ("and", "or"):
            stops = node.op == "or"
            if isinstance(left, ir.Const):
                return left if bool(left.value) == stops else right
            if isinstance(right, ir.Const) and bool(right.value) != stops:
                return left
            return node
        if not isinstance(left, ir.Const) or not isinstance(right, ir.Const):
            return node
        a, b = left.value, right.value
        if node.op in COMPARISONS and (node.op in ("==", "!=") or (a is not None and b is not None)):
            return ir.Const(COMPARISONS[node.op](a, b), type=node.type, span=node.span)
        numbers = isinstance(a, int | Fraction) and isinstance(b, int | Fraction)
        if node.op in ARITHMETIC and numbers and isinstance(node.type, t.NumberType):
            return ir.Const(norm(ARITHMETIC[node.op](a, b)), type=node.type, span=node.span)
        if node.op == "/" and isinstance(a, int | Fraction) and isinstance(b, int | Fraction) and b != 0:
            return ir.Const(norm(Fraction(a) / b), type=node.type, span=node.span)
        return node

    def _built_in(self, node: ir.BuiltIn) -> ir.Expr:
        value = node.args[0] if node.name == "floor" else None
        if isinstance(value, ir.Const) and isinstance(value.value, int | Fraction):
            return ir.Const(math.floor(value.value), type=node.type, span=node.span)
        return node

    def _cond(self, node: ir.Cond) -> ir.Expr:
        if isinstance(node.test, ir.Const):
            return node.then if node.test.value else node.other
        return node

    def _otherwise(self, node: ir.Otherwise) -> ir.Expr:
        if isinstance(node.value, ir.Const):
            return node.default if node.value.value is None else node.value
        return node

    def _none_safe(self, node: ir.NoneSafe) -> ir.Expr:
        if isinstance(node.value, ir.Const) and node.value.value is None:
            return ir.Const(None, type=node.type, span=node.span)
        return node

    def _truth(self, node: ir.Truth) -> ir.Expr:
        value = node.value
        if isinstance(value, ir.Const):
            empty = not value.value if isinstance(value.type, t.SetType) else value.value is None
            return ir.Const(not empty, type=node.type, span=node.span)
        if not isinstance(value.type, t.OptionalType | t.SetType | t.ListType):
            return ir.Const(True, type=node.type, span=node.span)  # what stands here by choice of options is never none
        return node

    def _member(self, node: ir.Member) -> ir.Expr:
        item, among = node.item, node.collection
        if isinstance(item, ir.Const) and isinstance(among.type, t.SetType) and isinstance(among, ir.Const):
            low = among.type.item.low if isinstance(among.type.item, t.NumberType) else 0
            bit = int(among.value or 0) >> (int(item.value or 0) - int(low or 0)) & 1
            return ir.Const(bool(bit), type=node.type, span=node.span)
        if isinstance(among, ir.Cond) and isinstance(item, ir.Const | ir.LocalRead | ir.RowRef):
            then, other = (
                self._member(ir.Member(item, part, type=node.type, span=node.span))
                for part in (among.then, among.other)
            )
            return ir.Cond(among.test, then, other, type=node.type, span=node.span)
        if isinstance(among, ir.ListOf) and isinstance(item, ir.Const):
            values = [i.value for i in among.items if isinstance(i, ir.Const)]
            if len(values) == len(among.items):
                return ir.Const(item.value in values, type=node.type, span=node.span)
        return node

    def _aggregate(self, node: ir.Aggregate) -> ir.Expr:
        """`any` and `all` over a few given values are written out."""
        selection = node.selection
        if node.kind not in ("any", "all") or len(selection.bindings) != 1 or selection.order is not None:
            return node
        binding = selection.bindings[0]
        items = self._few(binding.domain)
        if not 0 < len(items) <= MOST_ITEMS:
            return node
        if len(items) * sum(1 for _ in nodes((selection.conditions, node.body))) > 2 * MOST_INLINED:
            return node
        tests = []
        for item in items:
            if not isinstance(item, ir.Const | ir.LocalRead | ir.RowRef):
                return node
            again = fresh(attrs.evolve(node, selection=attrs.evolve(selection, bindings=())))
            assert isinstance(again, ir.Aggregate)
            conditions = [c for level in again.selection.conditions for c in level]
            tests.append(self._one(node, conditions, again.body, {binding.local: item}))
        return _joined("or" if node.kind == "any" else "and", tests)

    def _few(self, domain: ir.Expr) -> tuple[ir.Expr, ...]:
        """The members of a list that is written down, or goes over a few known values."""
        match domain:
            case ir.ListOf(items=items):
                return items
            case ir.RangeOf(first=ir.Const(value=int(first)), last=ir.Const(value=int(last)), down=False):
                values = range(first, min(last, first + MOST_ITEMS) + 1)
            case ir.AllOf(of=t.PlayerType(), start=None):
                values = range(self.seats)
            case ir.AllOf(of=t.EnumType(name=name), start=None):
                values = range(len(self.enums[name]))
            case _:
                return ()
        assert isinstance(domain.type, t.ListType)
        return tuple(ir.Const(value, type=domain.type.item, span=domain.span) for value in values)

    def _one(self, node: ir.Aggregate, conditions: list[ir.Expr], body: ir.Expr | None, values: Locals) -> ir.Expr:
        """What `any` or `all` asks of one value."""
        guard = [self.tree(c, values) for c in conditions]
        test = self.tree(body, values) if body is not None else ir.Const(True, type=node.type, span=node.span)
        if node.kind == "any":
            return _joined("and", [*guard, test])
        if not guard:
            return test
        when = ir.Unary("not", _joined("and", guard), type=node.type, span=node.span)
        return ir.Binary("or", when, test, type=node.type, span=node.span)

    def body(self, node: ir.Expr) -> ir.Expr:
        """What a call of a function stands for, however large, if its arguments are simple; others as they are."""
        found = self.body_of(node) if isinstance(node, ir.FunctionCall) else None
        if found is None:
            return node
        assert isinstance(node, ir.FunctionCall)
        params, body = found
        if not all(isinstance(arg, ir.Const | ir.LocalRead | ir.RowRef) for arg in node.args):
            return node
        return self.tree(fresh(body), dict(zip(params, node.args, strict=True)))  # type: ignore[no-any-return]

    def _call(self, node: ir.FunctionCall) -> ir.Expr:
        found = self.body_of(node) if self._depth < 6 else None
        if found is None or not is_small(found[1]):
            return node
        params, body = found
        values: dict[ir.Local, ir.Expr] = {}
        for param, arg in zip(params, node.args, strict=True):
            simple = isinstance(arg, ir.Const | ir.LocalRead | ir.RowRef)
            if not simple and sum(isinstance(x, ir.LocalRead) and x.local is param for x in nodes(body)) > 1:
                return node
            values[param] = arg
        self._depth += 1
        result: ir.Expr = self.tree(fresh(body), values)
        self._depth -= 1
        return result


def spliced(simplifier: Simplifier, selection: ir.Selection) -> ir.Selection:
    """A selection in which loops over lists that a function puts together are the function's own loops.

    Members may come several times that were there once.
    """
    bindings: list[ir.Binding] = []
    levels = [selection.conditions[0]]
    for binding, conditions in zip(selection.bindings, selection.conditions[1:], strict=True):
        inner = _listed(simplifier, binding) if selection.order is None else None
        if inner is None:
            bindings.append(binding)
            levels.append(conditions)
        else:
            bindings += inner.bindings
            levels[-1] = (*levels[-1], *inner.conditions[0])
            levels += inner.conditions[1:-1]
            levels.append((*inner.conditions[-1], *conditions))
    if len(bindings) == len(selection.bindings):
        return selection
    return ir.Selection(tuple(bindings), tuple(levels), None, span=selection.span)


def _listed(simplifier: Simplifier, binding: ir.Binding) -> ir.Selection | None:
    """The loops of a function that lists some of their values, with the local of a binding for these."""
    call = binding.domain
    found = simplifier.body_of(call) if isinstance(call, ir.FunctionCall) else None
    if found is None:
        return None
    assert isinstance(call, ir.FunctionCall)
    params, body = found
    if not isinstance(body, ir.Aggregate) or body.kind != "those" or body.selection.order is not None:
        return None
    if not all(isinstance(arg, ir.Const | ir.LocalRead | ir.RowRef) for arg in call.args):
        return None
    body = fresh(body)
    assert isinstance(body, ir.Aggregate)
    local = body.selection.bindings[0].local
    if body.body is not None:
        if not isinstance(body.body, ir.LocalRead) or body.body.local not in body.selection.locals:
            return None
        local = body.body.local
    loops = _renamed(body.selection, {local: binding.local})
    return simplifier.tree(loops, dict(zip(params, call.args, strict=True)))  # type: ignore[no-any-return]


def _joined(op: str, tests: list[ir.Expr]) -> ir.Expr:
    """Conditions joined by `and` or `or`."""
    whole = tests[0]
    for test in tests[1:]:
        whole = ir.Binary(op, whole, test, type=whole.type, span=test.span)
    return whole


_DECLARATIONS = (ir.Layer, ir.Function, ir.Trigger, ir.Action, ir.Phase, ir.Turns, ir.Result, ir.Invariant)

_RULES: dict[type, Callable[[Simplifier, Any], ir.Expr]] = {
    ir.OptionRead: Simplifier._option,
    ir.SeatCount: Simplifier._seats,
    ir.Unary: Simplifier._unary,
    ir.Binary: Simplifier._binary,
    ir.BuiltIn: Simplifier._built_in,
    ir.Cond: Simplifier._cond,
    ir.Otherwise: Simplifier._otherwise,
    ir.NoneSafe: Simplifier._none_safe,
    ir.Truth: Simplifier._truth,
    ir.Member: Simplifier._member,
    ir.Aggregate: Simplifier._aggregate,
    ir.FunctionCall: Simplifier._call,
}


def fresh(body: ir.Expr) -> ir.Expr:
    """A copy of an expression whose own bound names are new ones, so that copies never share them."""
    renamed: dict[ir.Local, ir.Local] = {}
    for node in nodes(body):
        if isinstance(node, ir.NoneSafe | ir.Until | ir.Way):
            renamed[node.local] = ir.Local(node.local.name, node.local.type)
        elif isinstance(node, ir.Selection):
            renamed.update({local: ir.Local(local.name, local.type) for local in node.locals})
    return _renamed(body, renamed) if renamed else body


def _renamed(tree: Any, renamed: dict[ir.Local, ir.Local]) -> Any:
    if isinstance(tree, tuple):
        return tuple(_renamed(part, renamed) for part in tree)
    if isinstance(tree, ir.Local):
        return renamed.get(tree, tree)
    if not isinstance(tree, (ir.Expr, ir.Selection, ir.Binding)):
        return tree
    new = {name: _renamed(getattr(tree, name), renamed) for name in parts(tree)}
    return attrs.evolve(tree, **{n: v for n, v in new.items() if v is not getattr(tree, n)})


def is_small(body: Any) -> bool:
    """Whether a function's body may be copied: short, without loops, searches or calls of itself."""
    if not isinstance(body, ir.Expr):
        return False
    for count, node in enumerate(nodes(body)):
        if count >= MOST_INLINED or isinstance(node, ir.Aggregate | ir.Way | ir.RowRule):
            return False
    return True
