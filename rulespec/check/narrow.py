"""What conditions say of the expressions in them, and when that ends.

A fact is kept under a canonical text of the expression it is about: locals, reads of variables and slots,
fields of these, calls that depend on state alone. `some E` stands for "the collection E is not empty".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from rulespec import checked as ir
from rulespec.check import ranges
from rulespec.check.context import Fact, Scope
from rulespec.check.convert import bare, item_type
from rulespec.check.types import BOOL, BoolType, ListType, NoneType, NumberType, OptionalType, SetType, Type
from rulespec.check.writes import Writes

Facts = dict[str, Fact]

_ANY_STATE = frozenset({"*"})
_STATELESS = frozenset(
    [
        "number",
        "floor",
        "abs",
        "min",
        "max",
        "step",
        "ray",
        "neighbours",
        "beside",
        "offset",
        "lines",
        "middle",
        "steps",
        "cell",
        "centre",
        "turn",
        "opposite",
        "next",
        "previous",
        "opponent",
        "others",
        "spot",
        "port.cell",
        "port.facing",
        "port.beyond",
        "port.piece",
        "footprint",
        "nth",
        "top",
        "bottom",
        "end",
        "left_neighbour",
        "right_neighbour",
        "first",
        "last",
        "count",
        "first_player",
        "turn_player",
    ]
)
"""Built-in functions whose value depends on their arguments only, or stays the same in a body."""


@attrs.frozen
class Key:
    """Canonical text of an expression, and what it depends on."""

    text: str
    locals: frozenset[int] = frozenset()
    state: frozenset[str] = frozenset()


def _joined(form: str, parts: Iterable[Key | None], state: frozenset[str] = frozenset()) -> Key | None:
    """A key of the parts' keys put into `form` in place of `{}`; None if a part has none."""
    texts, local_ids = [], frozenset[int]()
    for part in parts:
        if part is None:
            return None
        texts.append(part.text)
        local_ids |= part.locals
        state |= part.state
    return Key(form.format(", ".join(texts)) if "{}" in form else form, local_ids, state)


def _const(expr: ir.Const, known: dict[ir.Local, Key]) -> Key:
    return Key(f"{getattr(expr.type, 'name', '')}#{expr.value!r}")


def _local(expr: ir.LocalRead, known: dict[ir.Local, Key]) -> Key:
    number = id(expr.local)
    return known.get(expr.local) or Key(f"{expr.local.name}~{number}", frozenset({number}))


def _indexed(kind: str, name: str, indices: tuple[ir.Expr, ...], known: dict[ir.Local, Key]) -> Key | None:
    state = frozenset({f"{kind} {name}"}) if kind != "table" else frozenset()
    return _joined(f"{name}[{{}}]", (_key(i, known) for i in indices), state)


def _field(expr: ir.FieldRead, known: dict[ir.Local, Key]) -> Key | None:
    base = _key(expr.base, known)
    if base is None:
        return None
    parts = [_key(i, known) for i in expr.indices]
    state = base.state | (frozenset({"faces"}) if expr.face is None else frozenset())
    whole = _joined(f".{expr.field}@{expr.face or ''}[{{}}]", parts, state)
    return None if whole is None else Key(base.text + whole.text, base.locals | whole.locals, whole.state)


def _none_safe(expr: ir.NoneSafe, known: dict[ir.Local, Key]) -> Key | None:
    value = _key(expr.value, known)
    return None if value is None else _key(expr.body, {**known, expr.local: value})


def _zone_index(expr: ir.ZoneIndex, known: dict[ir.Local, Key]) -> Key | None:
    return _joined(f"{{}}.zone {expr.zone}", [_key(expr.component, known)], frozenset({f"zone {expr.zone}"}))


def _call(expr: ir.FunctionCall, known: dict[ir.Local, Key]) -> Key | None:
    return _joined(f"{expr.function}/{expr.below}({{}})", (_key(a, known) for a in expr.args), _ANY_STATE)


def _built_in(expr: ir.BuiltIn, known: dict[ir.Local, Key]) -> Key | None:
    state = frozenset() if expr.name in _STATELESS else _ANY_STATE
    return _joined(f"{expr.name}({{}})", (_key(a, known) for a in expr.args), state)


_KEYS: dict[type, Callable[[Any, dict[ir.Local, Key]], Key | None]] = {
    ir.Const: _const,
    ir.RowRef: lambda e, k: Key(f"{getattr(e.type, 'name', '')}.{e.row}"),
    ir.OptionRead: lambda e, k: Key(f"option {e.option}"),
    ir.SeatCount: lambda e, k: Key("seats"),
    ir.LocalRead: _local,
    ir.VarRead: lambda e, k: _indexed("variable", e.variable, e.indices, k),
    ir.ZoneRead: lambda e, k: _indexed("zone", e.zone, e.indices, k),
    ir.TableRead: lambda e, k: _indexed("table", e.table, e.indices, k),
    ir.RowLookup: lambda e, k: _joined(f"{getattr(e.type, 'name', '')}({{}})", (_key(a, k) for a in e.args)),
    ir.FieldRead: _field,
    ir.NoneSafe: _none_safe,
    ir.ZoneIndex: _zone_index,
    ir.FunctionCall: _call,
    ir.BuiltIn: _built_in,
    ir.AllOf: lambda e, k: Key(f"all {e.of!r}") if e.start is None else None,
    ir.Convert: lambda e, k: _key(e.value, k),
}


def _key(expr: ir.Expr, known: dict[ir.Local, Key]) -> Key | None:
    make = _KEYS.get(type(expr))
    return make(expr, known) if make else None


def key(expr: ir.Expr) -> Key | None:
    """The canonical text of an expression, or None where facts about it are not kept."""
    return _key(expr, {})


_FIXED = (ir.Const, ir.RowRef, ir.AllOf)


def narrowed(expr: ir.Expr, scope: Scope) -> ir.Expr:
    """The expression with the type that the conditions around give it."""
    if not scope.facts or isinstance(expr, _FIXED) or not isinstance(expr.type, (OptionalType, NumberType, NoneType)):
        return expr
    found = key(expr)
    fact = scope.facts.get(found.text) if found else None
    if fact is None:
        return expr
    fact.used = True
    if isinstance(expr.type, NumberType) and isinstance(fact.type, NumberType):
        both = ranges.meet(expr.type, fact.type)
        return expr if ranges.empty(both) else attrs.evolve(expr, type=both)
    return attrs.evolve(expr, type=fact.type)


def surely_some(expr: ir.Expr, scope: Scope) -> bool:
    """Whether conditions around say that the collection is not empty."""
    found = key(expr)
    fact = scope.facts.get(f"some {found.text}") if found else None
    if fact is not None:
        fact.used = True
    return fact is not None


# ---------------------------------------------------------------- what a condition says


def _fact(expr: ir.Expr, type: Type, prefix: str = "") -> Facts:
    found = key(expr)
    return {prefix + found.text: Fact(type, found.locals, found.state)} if found else {}


def present(expr: ir.Expr) -> Facts:
    """What follows from the value of `expr` not being none."""
    facts = _fact(expr, bare(expr.type)) if isinstance(expr.type, OptionalType) else {}
    if isinstance(expr, ir.NoneSafe):
        facts = {**present(expr.value), **facts}
    elif isinstance(expr, (ir.FieldRead, ir.Convert)):
        inner = expr.base if isinstance(expr, ir.FieldRead) else expr.value
        facts = {**present(inner), **facts}
    return facts


def not_empty(expr: ir.Expr) -> Facts:
    """What follows from a collection having members."""
    return _fact(expr, BOOL, "some ")


def facts_of(condition: ir.Expr, holds: bool = True) -> Facts:
    """What is known where a checked condition holds, or does not."""
    match condition:
        case ir.Unary(op="not"):
            return facts_of(condition.operand, not holds)
        case ir.Binary(op="and" | "or"):
            left, right = facts_of(condition.left, holds), facts_of(condition.right, holds)
            return merge(left, right) if (condition.op == "and") == holds else _either(left, right)
        case ir.Binary():
            return _comparison(condition, holds)
        case ir.Truth():
            if not holds:
                return {}
            value = condition.value
            return present(value) if isinstance(value.type, OptionalType) else not_empty(value)
        case ir.Member():
            return _member(condition) if holds else {}
        case ir.Aggregate(kind="any") if holds:
            return not_empty(condition.selection.bindings[0].domain)
        case ir.LocalRead() | ir.VarRead() if isinstance(condition.type, BoolType):
            return {}
    return {}


def merge(first: Facts, second: Facts) -> Facts:
    """Facts that hold together."""
    result = dict(first)
    for text, fact in second.items():
        old = result.get(text)
        if old is not None and isinstance(old.type, NumberType) and isinstance(fact.type, NumberType):
            fact = attrs.evolve(fact, type=ranges.meet(old.type, fact.type), used=False)
        result[text] = fact
    return result


def _either(first: Facts, second: Facts) -> Facts:
    """Facts of which either the first or the second hold."""
    result = {}
    for text in first.keys() & second.keys():
        a, b = first[text], second[text]
        if isinstance(a.type, NumberType) and isinstance(b.type, NumberType):
            result[text] = attrs.evolve(a, type=ranges.hull([a.type, b.type]), used=False)
        elif a.type == b.type:
            result[text] = a
    return result


def _member(condition: ir.Member) -> Facts:
    collection = condition.collection
    facts = not_empty(collection) if isinstance(collection.type, (ListType, SetType)) else present(collection)
    items = item_type(collection.type)
    if items is None:
        return {}
    if isinstance(condition.item.type, OptionalType) and not isinstance(items, (OptionalType, NoneType)):
        facts = {**facts, **present(condition.item)}
    if isinstance(condition.item.type, NumberType) and isinstance(items, NumberType):
        facts = {**facts, **_fact(condition.item, ranges.meet(condition.item.type, items))}
    return facts


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRROR = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _comparison(condition: ir.Binary, holds: bool) -> Facts:
    if condition.op not in _OPPOSITE:
        return {}
    op = condition.op if holds else _OPPOSITE[condition.op]
    return merge(
        _one_side(condition.left, op, condition.right), _one_side(condition.right, _MIRROR[op], condition.left)
    )


def _one_side(side: ir.Expr, op: str, other: ir.Expr) -> Facts:
    """What `side op other` says of `side`."""
    is_none = isinstance(other, ir.Const) and other.value is None
    if is_none:
        return present(side) if op == "!=" and isinstance(side.type, OptionalType) else {}
    facts: Facts = {}
    if op == "==" and isinstance(side.type, OptionalType) and not isinstance(other.type, (OptionalType, NoneType)):
        facts = present(side)
    if isinstance(side, ir.BuiltIn) and side.name == "count" and isinstance(other.type, NumberType):
        facts = _counted(side.args[0], op, other.type)
    if isinstance(side.type, NumberType) and isinstance(other.type, NumberType):
        bounded = _bounded(side.type, op, other.type)
        if bounded is not None:
            facts = {**facts, **_fact(side, bounded)}
    return facts


def _counted(collection: ir.Expr, op: str, number: NumberType) -> Facts:
    """What `count(collection) op number` says."""
    bounded = _bounded(ranges.whole(0), op, number)
    some = bounded is not None and bounded.low is not None and bounded.low > 0
    return not_empty(collection) if some else {}


def _bounded(type: NumberType, op: str, other: NumberType) -> NumberType | None:
    """The values of `type` that can stand in the relation to one of `other`; None if that says nothing."""
    step = type.step if type.step and ranges.is_whole(other) and ranges.is_whole(type) else 0
    value = ranges.single(other)
    match op:
        case "==":
            limit = NumberType(other.low, other.high)
        case "<" if other.high is not None:
            limit = NumberType(None, other.high - step)
        case "<=":
            limit = NumberType(None, other.high)
        case ">" if other.low is not None:
            limit = NumberType(other.low + step, None)
        case ">=":
            limit = NumberType(other.low, None)
        case "!=" if value is not None and step and value == type.low:
            limit = NumberType(value + step, None)
        case "!=" if value is not None and step and value == type.high:
            limit = NumberType(None, value - step)
        case _:
            return None
    both = ranges.meet(type, limit)
    return None if ranges.empty(both) or both == type else both


def with_facts(scope: Scope, facts: Facts) -> Scope:
    """A scope inside `scope` where these facts hold."""
    inner = scope.child()
    inner.facts = merge(inner.facts, facts)
    return inner


# ---------------------------------------------------------------- when facts end


def forget(scope: Scope, writes: Writes) -> None:
    """Drops what may no longer hold once something was written."""
    if not scope.facts:
        return
    changed = {id(local) for name in writes.names if (local := scope.find(name)) is not None}
    for text, fact in list(scope.facts.items()):
        if fact.locals & changed or any(_touched(state, writes) for state in fact.state):
            del scope.facts[text]


def _touched(state: str, writes: Writes) -> bool:
    if writes.everything:
        return True
    kind, _, name = state.partition(" ")
    match kind:
        case "variable":
            return name in writes.names
        case "zone":
            return writes.zones
        case "faces":
            return writes.faces
    return bool(writes.names or writes.zones or writes.faces)


def after_cost(scope: Scope, when: ir.Expr | None, paid: Iterable[str]) -> Scope:
    """The scope of an action's effects.

    Args:
        scope: of the action, with what the conditions of its selection say.
        when: its further condition.
        paid: variables that the cost is taken from, before the effects.
    """
    inner = scope.child(function=False)
    if when is not None:
        inner.facts = merge(inner.facts, facts_of(when))
    writes = Writes(names=set(paid))
    for trigger in scope.context.spec.triggers.values():
        changed = trigger.event.kind == "change" and any(name in writes.names for name, _ in trigger.event.names)
        if trigger.event.kind == "action" or changed:
            writes.everything = True
    forget(inner, writes)
    return inner
