"""Rules that call themselves without an end."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import checked as ir
from rulespec.check.blocks import leaves
from rulespec.check.walk import nodes
from rulespec.diagnostics import Reporter

Rule = tuple[str, str]


def check(checked: ir.CheckedSpec, reporter: Reporter) -> None:
    """Reports functions and procedures that always call themselves, or with the same values."""
    always: dict[Rule, dict[Rule, ir.Expr | ir.Stmt]] = {}
    for function in (*checked.functions.values(), *checked.procedures.values()):
        kind = "procedure" if isinstance(function, ir.Procedure) else "function"
        if kind == "function":
            _same_values(function, reporter)
        top = function.layers[-1]
        always[kind, function.name] = dict(_surely(top.body)) if top.only_if is None else {}
    endless = _without_ends(always)
    for start in endless:
        circle = _circle(start, endless)
        if circle and min(circle) == start:
            place = always[start][circle[1] if len(circle) > 1 else start]
            via = f" through {', '.join(f'`{name}`' for _, name in circle[1:])}" if len(circle) > 1 else ""
            reporter.error(
                "RS515",
                f"`{start[1]}` always calls itself{via}, so it never comes to an end",
                place.span,
                "a condition must lead to a way out",
            )


def _without_ends(always: dict[Rule, dict[Rule, ir.Expr | ir.Stmt]]) -> dict[Rule, dict[Rule, ir.Expr | ir.Stmt]]:
    """The rules that lead into a circle: those are left out, one after the other, that lead to no rule that is left."""
    left = {rule: {other for other in following if other in always} for rule, following in always.items()}
    callers: dict[Rule, list[Rule]] = {}
    for rule, following in left.items():
        for other in following:
            callers.setdefault(other, []).append(rule)
    ended = [rule for rule, following in left.items() if not following]
    while ended:
        rule = ended.pop()
        del left[rule]
        for caller in callers.get(rule, ()):
            left[caller].discard(rule)
            if not left[caller]:
                ended.append(caller)
    return {rule: following for rule, following in always.items() if rule in left}


def _circle(start: Rule, always: dict[Rule, dict[Rule, ir.Expr | ir.Stmt]]) -> list[Rule]:
    """The rules through which `start` surely comes back to itself, `start` first; empty if it does not."""
    ways: list[list[Rule]] = [[start]]
    seen = {start}
    while ways:
        way = ways.pop(0)
        for following in always.get(way[-1], {}):
            if following == start:
                return way
            if following not in seen:
                seen.add(following)
                ways.append([*way, following])
    return []


def _same_values(function: ir.Function, reporter: Reporter) -> None:
    """A call of a function in itself with its own parameters gives no end: nothing changes meanwhile."""
    for layer, params in zip(function.layers, function.params, strict=True):
        for node in nodes(layer.body):
            if not isinstance(node, ir.FunctionCall) or node.function != function.name or node.below is not None:
                continue
            same = all(isinstance(a, ir.LocalRead) and a.local is p for a, p in zip(node.args, params, strict=True))
            if same and not _is_supposed(node, layer.body):
                reporter.error(
                    "RS515",
                    f"`{function.name}` calls itself with the same values, so it never comes to an end",
                    node.span,
                    "`usual` is the version below" if len(function.layers) > 1 else "",
                )


def _is_supposed(call: ir.FunctionCall, body: object) -> bool:
    """Whether the call stands in a `supposing`, where the state differs."""
    inside = (node.value for node in nodes(body) if isinstance(node, ir.Supposing))
    return any(part is call for value in inside for part in nodes(value))


# ---------------------------------------------------------------- what is surely done

_Found = Iterator[tuple[Rule, "ir.Expr | ir.Stmt"]]


def _surely(tree: object) -> _Found:
    """Functions and procedures that are called whenever this is done or worked out."""
    if isinstance(tree, tuple):
        for place, stmt in enumerate(tree):
            if isinstance(stmt, ir.If) and leaves(stmt.then) != leaves(stmt.other):
                yield from _guarded(stmt, tree[place + 1 :])
                return
            yield from _surely_done(stmt)
            if any(isinstance(node, (ir.Return, ir.End, ir.Outcome)) for node in nodes(stmt)):
                return
    elif isinstance(tree, ir.Expr):
        yield from _surely_valued(tree)


def _guarded(stmt: ir.If, rest: ir.Block) -> _Found:
    """One branch leaves the rule; what follows is done after the other only."""
    yield from _surely_valued(stmt.test)
    then = stmt.then if leaves(stmt.then) else (*stmt.then, *rest)
    other = stmt.other if leaves(stmt.other) else (*stmt.other, *rest)
    yield from _both(dict(_surely(then)), dict(_surely(other)))


def _surely_done(stmt: ir.Stmt) -> _Found:
    match stmt:
        case ir.If():
            yield from _surely_valued(stmt.test)
            yield from _both(dict(_surely(stmt.then)), dict(_surely(stmt.other)))
        case ir.While():
            yield from _surely_valued(stmt.test)
        case ir.Repeat():
            yield from _surely_valued(stmt.times)
        case ir.For() | ir.Choose() | ir.Together():
            yield from _surely_valued(stmt.selection.bindings[0].domain)
        case ir.Call():
            yield from _all(stmt.args)
            if stmt.below is None:
                yield ("procedure", stmt.procedure), stmt
        case ir.LetCall():
            yield from _surely_done(stmt.call)
        case ir.Let() | ir.SetVar():
            yield from _surely_valued(stmt.value)
        case ir.Return() if stmt.value is not None:
            yield from _surely_valued(stmt.value)


def _both(first: dict[Rule, ir.Expr | ir.Stmt], second: dict[Rule, ir.Expr | ir.Stmt]) -> _Found:
    for rule in first.keys() & second.keys():
        yield rule, first[rule]


def _all(exprs: tuple[ir.Expr, ...]) -> _Found:
    for expr in exprs:
        yield from _surely_valued(expr)


def _surely_valued(expr: ir.Expr) -> _Found:
    match expr:
        case ir.FunctionCall():
            yield from _all(expr.args)
            if expr.below is None:
                yield ("function", expr.function), expr
        case ir.Binary():
            yield from _surely_valued(expr.left)
            if expr.op not in ("and", "or"):
                yield from _surely_valued(expr.right)
        case ir.Unary():
            yield from _surely_valued(expr.operand)
        case ir.Cond():
            yield from _surely_valued(expr.test)
            yield from _both(dict(_surely_valued(expr.then)), dict(_surely_valued(expr.other)))
        case ir.Otherwise() | ir.Convert() | ir.Truth() | ir.NoneSafe() | ir.Until():
            yield from _surely_valued(expr.value)
        case ir.Member():
            yield from _surely_valued(expr.item)
            yield from _surely_valued(expr.collection)
        case ir.ListOf():
            yield from _all(expr.items)
        case ir.BuiltIn() | ir.RowLookup():
            yield from _all(expr.args)
        case ir.VarRead() | ir.ZoneRead() | ir.TableRead():
            yield from _all(expr.indices)
        case ir.FieldRead() | ir.RowRule():
            yield from _surely_valued(expr.base)
        case ir.Aggregate():
            yield from _surely_valued(expr.selection.bindings[0].domain)
