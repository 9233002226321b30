"""Items of argument lists sorted out: selections, aggregates, ways, and plain calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from attrs import evolve, frozen

from rulespec.source import Span
from rulespec.syntax import nodes as n
from rulespec.syntax.mistakes import Mistake, join

AGGREGATES = frozenset(["any", "all", "count", "sum", "min", "max", "first", "last", "those", "most", "least"])
_NEED_VALUE = frozenset(["all", "sum", "min", "max", "most", "least"])
_WAYS = frozenset(["reached", "distance", "next_steps"])
_FORM = "write `NAME in DOMAIN`"


@frozen
class Item:
    """`expr at at from start until until where where until goal`: what can stand between two commas."""

    expr: n.Expr
    span: Span
    at: n.Expr | None = None
    start: n.Expr | None = None
    until: n.Expr | None = None
    where: n.Expr | None = None
    goal: n.Expr | None = None


@frozen
class Args:
    """What stands between the parentheses of a call."""

    items: tuple[Item, ...]
    source: tuple[Item, ...] | None = None
    """The items after `for`."""
    order: tuple[str, n.Expr] | None = None
    steps: tuple[Item, ...] | None = None
    """The items after `by`."""


def selection(items: Sequence[Item], order: tuple[str, n.Expr] | None) -> n.Selection:
    """The selection of some items; `NAME at i, j in DOMAIN` is several of them."""
    bindings: list[n.Binding] = []
    where: list[n.Expr] = []
    at = 0
    while at < len(items):
        item = items[at]
        if item.at is None:
            name, domain = _membership(item.expr, item.span)
            indices: tuple[tuple[str, Span], ...] = ()
        else:
            if not isinstance(item.expr, n.Name):
                raise Mistake(
                    "RS216", "a name must stand before `at`", item.expr.span, "write `NAME at INDEX in DOMAIN`"
                )
            name = item.expr
            at, indices, domain = _indices(items, at)
        last = items[at]
        if last.goal is not None:
            raise Mistake(
                "RS216", "`until` must stand before `where` here", last.goal.span, "write `LIST until COND where COND`"
            )
        if last.start is not None:
            domain = n.From(domain, last.start, span=join(domain.span, last.start.span))
        if last.until is not None:
            domain = n.Until(domain, last.until, span=join(domain.span, last.until.span))
        if last.where is not None:
            where += conjuncts(last.where)
        bindings.append(n.Binding(name.id, name.span, indices, domain, span=join(name.span, domain.span)))
        at += 1
    end = order[1].span if order else items[-1].span
    return n.Selection(tuple(bindings), tuple(where), order, span=join(items[0].span, end))


def _indices(items: Sequence[Item], at: int) -> tuple[int, tuple[tuple[str, Span], ...], n.Expr]:
    """Reads `i, j in DOMAIN` from the item with `at` on: the last item's place, the indices, the domain."""
    found: list[tuple[str, Span]] = []
    part = items[at].at
    while isinstance(part, n.Name) and at + 1 < len(items) and items[at + 1].at is None:
        found.append((part.id, part.span))
        at += 1
        part = items[at].expr
    assert part is not None
    name, domain = _membership(part, part.span)
    return at, (*found, (name.id, name.span)), domain


def _membership(expr: n.Expr, span: Span) -> tuple[n.Name, n.Expr]:
    """Name and domain of `NAME in DOMAIN`, where the domain may go on with `if` or `otherwise`."""
    found = split(expr)
    if found is not None:
        return found
    if isinstance(expr, n.Name):
        raise Mistake("RS216", f"`in` is missing after `{expr.id}`", span, f"write `{expr.id} in DOMAIN`")
    if isinstance(expr, n.Binary) and expr.op == "in":
        raise Mistake("RS216", "a new name must stand before `in`", expr.left.span, _FORM)
    if _open_membership(expr):
        assert isinstance(expr, n.Binary)
        hint = "write the condition after `where`"
        raise Mistake("RS216", f"`{expr.op}` can't stand between a selection and a condition", expr.span, hint)
    raise Mistake("RS216", "this is no part of a selection", span, _FORM)


def _open_membership(expr: n.Expr) -> bool:
    """Whether it is `NAME in DOMAIN` joined to something by `and` or `or`: a forgotten `where`."""
    if not isinstance(expr, n.Binary) or expr.op not in ("and", "or"):
        return False
    return split(expr.left) is not None or _open_membership(expr.left)


def split(expr: n.Expr) -> tuple[n.Name, n.Expr] | None:
    """Name and domain, or None where the expression is no `NAME in DOMAIN`."""
    if isinstance(expr, n.Binary):
        return (expr.left, expr.right) if expr.op == "in" and isinstance(expr.left, n.Name) else None
    # `x in a if c else b` was read as `(x in a) if c else b`.
    if isinstance(expr, n.Cond):
        inner = split(expr.then)
        if inner:
            return inner[0], evolve(expr, then=inner[1], span=join(inner[1].span, expr.span))
    if isinstance(expr, n.Otherwise):
        inner = split(expr.value)
        if inner:
            return inner[0], evolve(expr, value=inner[1], span=join(inner[1].span, expr.span))
    return None


def conjuncts(expr: n.Expr) -> list[n.Expr]:
    """The parts of a condition joined by `and`."""
    if isinstance(expr, n.Binary) and expr.op == "and":
        return conjuncts(expr.left) + conjuncts(expr.right)
    return [expr]


def call(callee: n.Expr, args: Args | None, span: Span) -> n.Expr:
    """The node of `callee(args)`."""
    if not isinstance(callee, n.Name | n.FieldOf):
        raise Mistake("RS219", "only a name can be called", callee.span, "leave out the parentheses after it")
    name = callee.id if isinstance(callee, n.Name) else ""
    if args is None:
        if name in AGGREGATES or name in _WAYS or name == "supposing":
            raise Mistake("RS220", f"`{name}()` has nothing to work on", span, _usage(name))
        return n.Call(callee, (), span=span)
    if name in _WAYS:
        return _way(name, args, span)
    if args.steps is not None:
        raise Mistake(
            "RS220", "`by` can't stand here", args.steps[0].span, "to sort, write `by lowest E` or `by highest E`"
        )
    if name in AGGREGATES:
        if args.source is not None:
            return n.Aggregate(name, _body(name, args.items), selection(args.source, args.order), span=span)
        if args.order is not None or any(item.at is not None or split(item.expr) for item in args.items):
            if name in _NEED_VALUE:
                hint, found = _usage(name), split(args.items[0].expr)
                if name in ("sum", "min", "max") and found is not None:
                    of = found[0].id
                    hint += f"; of `{of}` itself: `{name}({of} for {of} in DOMAIN)`"
                raise Mistake("RS220", f"`{name}` needs to know of what", span, hint)
            return n.Aggregate(name, None, selection(args.items, args.order), span=span)
        if len(args.items) == 1 and _open_membership(args.items[0].expr):
            _membership(args.items[0].expr, span)
    elif args.source is not None or args.order is not None:
        raise Mistake(
            "RS220",
            f"`{name or 'a rule'}` takes no selection",
            span,
            "those that do are any, all, count, sum, min, max, first, last, those, most, least",
        )
    values = tuple(_plain(item, name) for item in args.items)
    if name == "supposing":
        if len(values) != 2:
            raise Mistake("RS220", "`supposing` takes a call and a value", span, _usage(name))
        return n.Supposing(values[0], values[1], span=span)
    return n.Call(callee, values, span=span)


def _body(name: str, items: Sequence[Item]) -> n.Expr:
    if len(items) > 1:
        raise Mistake("RS220", f"`{name}` takes one value before `for`", items[1].span, _usage(name))
    return _plain(items[0], name)


def _plain(item: Item, name: str) -> n.Expr:
    """The value of an item that is no part of a selection."""
    if item.at is None and item.until is None and item.where is None:
        return item.expr if item.start is None else n.From(item.expr, item.start, span=item.span)
    word = "at" if item.at is not None else "until" if item.until is not None else "where"
    extra = item.at or item.until or item.where
    assert extra is not None
    hint = _usage(name) if name in AGGREGATES else "only a selection can have it, as in `count(x in DOMAIN where COND)`"
    raise Mistake("RS216", f"`{word}` can't stand here, for no name is bound", _misfit(item, extra), hint)


def _misfit(item: Item, extra: n.Expr) -> Span:
    return join(item.span, extra.span)


def _way(name: str, args: Args, span: Span) -> n.Expr:
    head = args.items[0]
    if args.steps is None or len(args.items) != 1 or args.source is not None:
        _no_way(name, span)
    if not isinstance(head.expr, n.Name) or head.start is None or head.until or head.where or head.at:
        _no_way(name, head.span)
    last = args.steps[-1]
    goal = last.goal if last.where is not None else last.until
    last = evolve(last, goal=None) if last.where is not None else evolve(last, until=None)
    if goal is None and name != "reached":
        raise Mistake("RS220", f"`{name}` needs a goal", span, _usage(name))
    chosen = selection((*args.steps[:-1], last), None)
    return n.Way(name, head.expr.id, head.expr.span, head.start, chosen, goal, span=span)


def _no_way(name: str, span: Span) -> NoReturn:
    raise Mistake("RS220", f"`{name}` has a form of its own", span, _usage(name))


def _usage(name: str) -> str:
    if name == "supposing":
        return "write `supposing(CALL, VALUE)`"
    if name == "reached":
        return "write `reached(x from START by y in DOMAIN)`"
    if name in _WAYS:
        return f"write `{name}(x from START by y in DOMAIN until COND)`"
    if name in _NEED_VALUE:
        return f"write `{name}({'COND' if name == 'all' else 'VALUE'} for x in DOMAIN)`"
    return f"write `{name}(x in DOMAIN where COND)`"
