"""Selections as nested loops for functions that are called often: options of actions, `any`, `all`, `first`, `sum`.

Before anything is emitted the loops are laid out as a plan. Loops over two or three fixed values are written out, and
what does not change in a loop is worked out before it, once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import define, evolve

from interpreter.compile.internal import Tabled
from interpreter.compile.simplify import Simplifier, spliced
from interpreter.compile.tabulate import Tabulator
from interpreter.compile.trees import exclude, free, parts, shape
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes, replaced
from rulespec.source import Span

if TYPE_CHECKING:
    from interpreter.compile.statements import Statements

MOST_UNROLLED = 3
MOST_ITEMS = 6
MOST_LEAVES = 8

Leaf = Callable[[tuple[ir.Expr, ...]], None]
"""Emits what is done for each member, from the leaf's expressions."""


@define
class Guard:
    """Conditions and what stands under them."""

    conditions: list[ir.Expr]
    body: list[Any]


@define
class Loop:
    """A loop over a domain. items: names for the items of its members, where these are lists of one length."""

    binding: ir.Binding
    body: list[Any]
    items: tuple[ir.Local, ...] = ()


@define
class Known:
    """A value worked out once for all that follows."""

    local: ir.Local
    value: ir.Expr


@define
class Kept:
    """Something costly, always the same in what follows, that is worked out when it is first needed."""

    key: Any


@define
class End:
    """The innermost part; `leaf` emits it. item: its text, where it does no more than to list that."""

    exprs: tuple[ir.Expr, ...]
    leaf: Leaf
    item: Callable[[tuple[ir.Expr, ...]], str] | None = None


def plan_loops(
    simplifier: Simplifier,
    tabulator: Tabulator | None,
    selection: ir.Selection,
    exprs: tuple[ir.Expr, ...],
    leaf: Leaf,
    item: Callable[[tuple[ir.Expr, ...]], str] | None = None,
) -> list[Any]:
    """The plan of the loops of a selection without sorting, with `leaf` innermost.

    Args:
        simplifier: for what unrolled values decide.
        tabulator: for loops that read no state.
        selection: the loops.
        exprs: what the leaf needs of each member, as expressions over the selection's names.
        leaf: emits the innermost lines from those expressions.
        item: what `leaf` lists, as text, if it does no more.
    """
    return _plan(simplifier, tabulator, selection, exprs, leaf, item)


def quicker(simplifier: Simplifier, tabulator: Tabulator | None, selection: ir.Selection) -> ir.Selection:
    """A selection with the same members, perhaps some of them several times, that is quicker to go through."""
    selection = spliced(simplifier, selection)
    return selection if tabulator is None else tabulator.selection(selection)


def emit_plan(e: Statements, plan: list[Any], params: Iterable[ir.Local]) -> None:
    """Emits a plan, with what does not change in its loops before them; `params` are the locals known outside."""
    hoist(plan, set(params), e.layout.spec)
    emit_items(e, plan)


# ---------------------------------------------------------------- the plan


def _plan(
    simplifier: Simplifier,
    tabulator: Tabulator | None,
    selection: ir.Selection,
    exprs: tuple[ir.Expr, ...],
    leaf: Leaf,
    item: Callable[[tuple[ir.Expr, ...]], str] | None,
) -> list[Any]:
    def build(level: int, values: dict[ir.Local, ir.Expr], leaves: int) -> list[Any]:
        conditions = [simplifier.tree(c, values) for c in selection.conditions[level]]
        conditions = [c for c in conditions if not (isinstance(c, ir.Const) and c.value)]
        if any(isinstance(c, ir.Const) for c in conditions):
            return []
        if level == len(selection.bindings):
            body: list[Any] = [End(tuple(simplifier.tree(x, values) for x in exprs), leaf, item)]
        else:
            binding = selection.bindings[level]
            domain = simplifier.tree(binding.domain, values)
            fixed = _fixed_values(simplifier, domain)
            if fixed is not None and leaves * len(fixed) <= MOST_LEAVES:
                body = []
                for value in fixed:
                    body += build(level + 1, {**values, binding.local: value}, leaves * len(fixed))
            else:
                binding = evolve(binding, domain=domain)
                items = _items(tabulator, binding)
                if items:
                    read = tuple(ir.LocalRead(i, type=i.type, span=domain.span) for i in items)
                    values = {**values, binding.local: ir.ListOf(read, type=binding.local.type, span=domain.span)}
                inner = build(level + 1, values, leaves)
                body = [Loop(binding, inner, items)] if inner else []
        return [Guard(conditions, body)] if conditions and body else body

    return build(0, {}, 1)


def _items(tabulator: Tabulator | None, binding: ir.Binding) -> tuple[ir.Local, ...]:
    """Names for the items of the lists that a loop goes over, where all are of one small length."""
    length = tabulator.length(binding, binding.local) if tabulator is not None else None
    if length is None or not 0 < length <= MOST_ITEMS:
        return ()
    assert isinstance(binding.local.type, t.ListType)
    return tuple(ir.Local(binding.local.name, binding.local.type.item) for _ in range(length))


def _fixed_values(simplifier: Simplifier, domain: ir.Expr) -> list[ir.Expr] | None:
    """The values of a domain of two or three fixed ones."""
    if isinstance(domain, ir.ListOf) and 0 < len(domain.items) <= MOST_UNROLLED:
        return list(domain.items) if all(isinstance(i, ir.Const) for i in domain.items) else None
    if isinstance(domain, ir.AllOf) and domain.start is None:
        if isinstance(domain.of, t.BoolType):
            return [ir.Const(v, type=domain.of, span=domain.span) for v in (False, True)]
        if isinstance(domain.of, t.EnumType):
            size = simplifier.enum_size(domain.of.name)
            if size <= MOST_UNROLLED:
                return [ir.Const(v, type=domain.of, span=domain.span) for v in range(size)]
    return None


def fused(plan: list[Any], spec: ir.CheckedSpec) -> tuple[list[Any], bool]:
    """A plan in which loops over the same zone at the top are one loop; what they do keeps its order in each list.

    The second result says whether there are any such. Conditions around them are worked out before the loop, so they
    must be cheap.
    """
    loops: dict[Any, Loop] = {}
    result: list[Any] = []
    shared = False
    for item in plan:
        conditions, inner = (item.conditions, item.body) if isinstance(item, Guard) else ([], [item])
        only = inner[0] if len(inner) == 1 else None
        known = [Known(ir.Local("may", t.BOOL), c) for c in conditions]
        if not isinstance(only, Loop) or not isinstance(only.binding.domain, ir.ZoneRead):
            result.append(item)
            continue
        if not all(_is_test(c, spec) for c in conditions):
            result.append(item)
            continue
        key = shape(only.binding.domain)
        first = loops.get(key)
        shared = shared or first is not None
        if first is None:
            first = loops[key] = Loop(only.binding, [])
            result.append(first)
        _rename(only.body, only.binding.local, first.binding.local)
        tests = []
        for value in known:
            same = next((r for r in result if isinstance(r, Known) and shape(r.value) == shape(value.value)), None)
            if same is None:
                result.insert(result.index(first), value)
                same = value
            tests.append(ir.LocalRead(same.local, type=t.BOOL, span=same.value.span))
        _join(first.body, [Guard(list(tests), only.body)] if tests else only.body)
    return result, shared


def joined(plan: list[Any]) -> list[Any]:
    """A plan in which neighbours under the same conditions stand together."""
    result: list[Any] = []
    _join(result, plan)
    return result


def _join(items: list[Any], more: list[Any]) -> None:
    """Adds items; one that stands under the same conditions as the last is put under it."""
    for item in more:
        last = items[-1] if items else None
        if isinstance(item, Guard) and isinstance(last, Guard) and _same_tests(item, last):
            last.body += item.body
        else:
            items.append(item)


def _same_tests(a: Guard, b: Guard) -> bool:
    return [shape(c) for c in a.conditions] == [shape(c) for c in b.conditions]


def _is_test(condition: ir.Expr, spec: ir.CheckedSpec) -> bool:
    """Whether a condition is a comparison that is quick and cannot fail."""
    if isinstance(condition, ir.Unary) and condition.op == "not":
        return _is_test(condition.operand, spec)
    if not isinstance(condition, ir.Binary) or condition.op not in ("==", "!=", "<", "<=", ">", ">="):
        return False
    sides = (condition.left, condition.right)
    equal = condition.op in ("==", "!=")
    return all(_is_safe(x, spec) and (equal or _is_given(x, spec)) for x in sides)


def _rename(items: list[Any], old: ir.Local, new: ir.Local) -> None:
    """Replaces a local in all expressions of some items."""
    if old is not new:
        span = Span("", 0, 0, 0, 0)
        key = shape(ir.LocalRead(old, type=old.type, span=span))
        _replace(items, key, ir.LocalRead(new, type=new.type, span=span), everywhere=True)


# ---------------------------------------------------------------- what can stand before a loop

_CHEAP_BUILT_IN = {"top", "bottom", "end", "next", "previous", "opponent", "number", "count", "turn_player", "face"}


def _is_cheap(node: ir.Expr, spec: ir.CheckedSpec) -> bool:
    """Whether a value may be worked out although it may not be needed: quick, and it cannot fail."""
    plain = isinstance(node, ir.Const | ir.RowRef | ir.LocalRead | ir.ZoneRead)
    small = isinstance(node, Tabled) or not isinstance(node.type, t.ListType | t.BoolType)
    return not plain and small and _is_safe(node, spec)


def _is_safe(node: ir.Expr, spec: ir.CheckedSpec) -> bool:
    """Whether an expression is quick and cannot fail, whatever the conditions around it."""

    def given(exprs: Iterable[ir.Expr]) -> bool:
        return all(_is_given(x, spec) and _is_safe(x, spec) for x in exprs)

    match node:
        case ir.Const() | ir.RowRef() | ir.LocalRead():
            return True
        case ir.VarRead() | ir.TableRead() | ir.ZoneRead():
            return given(node.indices)
        case ir.FieldRead():
            return given((node.base, *node.indices))
        case Tabled(keys=keys):
            return given(keys)
        case ir.NoneSafe(value=value, body=body):
            return _is_safe(value, spec) and _is_safe(body, spec)
        case ir.Otherwise(value=value, default=default):
            return _is_safe(value, spec) and _is_safe(default, spec)
        case ir.Unary(op="-", operand=operand):
            return given((operand,))
        case ir.Binary(op="+" | "-" | "*", left=left, right=right):
            return isinstance(node.type, t.NumberType) and given((left, right))
        case ir.BuiltIn(name=name, args=args) if name in _CHEAP_BUILT_IN:
            zones = [a for a in args if isinstance(a, ir.ZoneRead)]
            return all(_is_safe(z, spec) for z in zones) and given(a for a in args if a not in zones)
        case ir.ZoneIndex(component=component):
            return given((component,))
    return False


def _is_given(node: ir.Expr, spec: ir.CheckedSpec) -> bool:
    """Whether a value is never none by its declaration, not only under the conditions around it."""
    match node:
        case ir.Const(value=value):
            return value is not None
        case ir.LocalRead(local=local):
            return not isinstance(local.type, t.OptionalType)
        case ir.VarRead(variable=name):
            return not isinstance(spec.variables[name].type, t.OptionalType)
        case ir.TableRead(table=name):
            return not isinstance(spec.constants[name].type, t.OptionalType)
        case ir.FieldRead(base=base, field=name) if isinstance(base.type, t.TableType):
            column = spec.tables[base.type.name].fields.get(name)
            return column is not None and not isinstance(column.type, t.OptionalType)
        case ir.Otherwise(default=default):
            return _is_given(default, spec)
        case ir.BuiltIn(name="next" | "previous" | "opponent" | "number" | "count" | "face"):
            return True
    return isinstance(node, ir.RowRef | ir.Unary | ir.Binary)


def _own(item: Any) -> Iterator[ir.Expr]:
    """The expressions of an item itself."""
    match item:
        case Guard(conditions=conditions):
            yield from conditions
        case Loop(binding=binding):
            yield binding.domain
        case End(exprs=exprs):
            yield from exprs
        case Known(value=value):
            yield value


def _parts(node: Any) -> list[str]:
    """The attributes of a node that are read in the position as it is; not the value of a `supposing`."""
    if isinstance(node, ir.Supposing):
        return ["args"]
    return list(parts(node))


def _candidates(node: Any, available: set[ir.Local], spec: ir.CheckedSpec) -> Iterator[ir.Expr]:
    """The largest parts of an expression that are cheap and need only what is available."""
    if isinstance(node, ir.Expr) and _is_cheap(node, spec) and not set(free(node)) - available:
        yield node
    elif isinstance(node, tuple):
        for part in node:
            yield from _candidates(part, available, spec)
    elif isinstance(node, (ir.Expr, ir.Selection, ir.Binding)):
        for name in _parts(node):
            yield from _candidates(getattr(node, name), available, spec)


def hoist(items: list[Any], available: set[ir.Local], spec: ir.CheckedSpec) -> None:
    """Puts what can be known before some items in front of them, then goes inside their loops."""
    found: dict[Any, tuple[ir.Expr, int, int]] = {}
    kept: dict[Any, None] = {}

    def look(items: Iterable[Any], level: int) -> None:
        for item in items:
            for expr in _own(item):
                # The domain of a loop is read before it, conditions and leaves each time round.
                for candidate in _candidates(expr, available, spec):
                    key = shape(candidate)
                    _, count, deepest = found.get(key, (candidate, 0, 0))
                    found[key] = (candidate, count + 1, max(deepest, level))
                if level > 0:
                    kept.update(dict.fromkeys(_costly(expr, available)))
            if isinstance(item, Guard):
                look(item.body, level)
            elif isinstance(item, Loop):
                look(item.body, level + 1)

    look(items, 0)
    for key in kept:
        items.insert(0, Kept(key))
    # The largest first: what is part of one of them is then read by what stands for it, before it.
    for key, (expr, count, deepest) in sorted(found.items(), key=lambda pair: -sum(1 for _ in nodes(pair[1][0]))):
        if (count > 1 or deepest > 0) and any(_reads(item, key) for item in items):
            local = ir.Local(_name_for(expr), expr.type)
            _put_before(items, key, Known(local, expr))
            _replace(items, key, ir.LocalRead(local, type=expr.type, span=expr.span))
            available = available | {local}
    _inside(items, available, spec)


def _put_before(items: list[Any], key: Any, known: Known) -> None:
    """Puts a value before everything that reads it, under the conditions that all of it stands under."""
    readers = [n for n, item in enumerate(items) if _reads(item, key)]
    only = items[readers[0]] if len(readers) == 1 else None
    if isinstance(only, Guard) and not any(_has(c, key) for c in only.conditions):
        _put_before(only.body, key, known)
    else:
        items.insert(readers[0], known)


def _reads(item: Any, key: Any) -> bool:
    inside = item.body if isinstance(item, Guard | Loop) else []
    return any(_has(expr, key) for expr in _own(item)) or any(_reads(part, key) for part in inside)


def _has(node: Any, key: Any) -> bool:
    if isinstance(node, tuple):
        return any(_has(part, key) for part in node)
    if not isinstance(node, (ir.Expr, ir.Selection, ir.Binding)):
        return False
    if isinstance(node, ir.Expr) and type(node) is key[0] and shape(node) == key:
        return True
    return any(_has(getattr(node, name), key) for name in _parts(node))


def _inside(items: Iterable[Any], available: set[ir.Local], spec: ir.CheckedSpec) -> None:
    for item in items:
        if isinstance(item, Guard):
            _inside(item.body, available, spec)
        elif isinstance(item, Known):
            available = available | {item.local}
        elif isinstance(item, Loop):
            hoist(item.body, available | {*item.binding.locals, *item.items}, spec)


def _costly(node: Any, available: set[ir.Local]) -> Iterator[Any]:
    """Calls of functions, and what `supposing` does, with arguments that are available."""
    if isinstance(node, tuple):
        for part in node:
            yield from _costly(part, available)
    elif isinstance(node, (ir.Expr, ir.Selection, ir.Binding)):
        if isinstance(node, ir.Supposing | ir.FunctionCall) and not set(free(node.args)) - available:
            yield shape((node.procedure, node.args) if isinstance(node, ir.Supposing) else node)
        for name in _parts(node):
            yield from _costly(getattr(node, name), available)


def _name_for(expr: ir.Expr) -> str:
    if isinstance(expr, Tabled) and isinstance(expr.type, t.ListType):
        return "among"
    for node in nodes(expr):
        if isinstance(node, ir.FieldRead):
            return node.field
        if isinstance(node, ir.VarRead):
            return node.variable
    return "known"


def _replace(items: list[Any], key: Any, by: ir.Expr, everywhere: bool = False) -> None:
    for item in items:
        match item:
            case Guard():
                item.conditions = [swapped(c, key, by, everywhere) for c in item.conditions]
                _replace(item.body, key, by, everywhere)
            case Loop():
                item.binding = swapped(item.binding, key, by, everywhere)
                _replace(item.body, key, by, everywhere)
            case End():
                item.exprs = tuple(swapped(x, key, by, everywhere) for x in item.exprs)
            case Known() if shape(item.value) != key:
                item.value = swapped(item.value, key, by, everywhere)


def swapped(tree: Any, key: Any, by: ir.Expr, everywhere: bool) -> Any:
    """A tree with another expression for one of a given shape; `everywhere`: also in the values of `supposing`."""

    def change(node: Any) -> ir.Expr | None:
        if type(node) is key[0] and shape(node) == key:
            return evolve(by, type=node.type)  # what conditions around say of it stays with the place
        if isinstance(node, ir.Supposing) and not everywhere:
            return evolve(node, args=replaced(node.args, change))
        return None

    return replaced(tree, change)


# ---------------------------------------------------------------- emission


def _instead(last: Any, item: Guard) -> bool:
    """Whether an option need not be looked at where the one before it is listed."""
    if not isinstance(last, Guard) or not last.conditions or not item.conditions:
        return False
    listed = all(isinstance(part, End) and part.item is not None for part in (*last.body, *item.body))
    return listed and exclude(last.conditions, item.conditions)


def emit_items(e: Statements, items: list[Any]) -> None:
    """Emits what a plan holds."""
    before: Any = None
    for item in items:
        last, before = before, item
        match item:
            case Known(local=local, value=value):
                text = e.text(value)
                e.put(f"{e.names.of(local)} = {text}")
            case Kept(key=key):
                if key not in e.kept:
                    e.kept[key] = e.names.fresh("kept")
                e.put(f"{e.kept[key]} = ...")
            case Guard(conditions=conditions, body=body):
                tests = " and ".join(e.test(c, 2) for c in conditions)
                with e.out.block(f"{'elif' if _instead(last, item) else 'if'} {tests}:"):
                    emit_items(e, body)
            case Loop(binding=binding, body=body, items=items_):
                heads = e.heads(binding, items_)
                for head in heads:
                    e.put(head)
                    e.out.indent += 1
                emit_items(e, body)
                e.out.indent -= len(heads)
            case End(exprs=exprs, leaf=leaf):
                leaf(exprs)
