"""Blocks of statements: their order, what is known after each, and the statements of control."""

from __future__ import annotations

from functools import singledispatch

import attrs

from rulespec import checked as ir
from rulespec.check.context import Scope
from rulespec.check.convert import is_unknown, join_all, represent, unknown
from rulespec.check.core import check_condition, check_expression, infer
from rulespec.check.narrow import Facts, facts_of, forget, merge, with_facts
from rulespec.check.ranges import whole
from rulespec.check.selections import check_selection
from rulespec.check.types import PLAYER, UNKNOWN, EffectType, Type
from rulespec.check.walk import nodes
from rulespec.check.words import describe, listed
from rulespec.check.writes import written
from rulespec.syntax import nodes as n


@attrs.frozen
class Done:
    """A checked statement, and what is known after it. Several statements where one says more."""

    stmts: tuple[ir.Stmt, ...]
    facts: Facts = attrs.field(factory=dict)


@singledispatch
def statement(node: n.Stmt, scope: Scope, rest: n.Block) -> Done:
    """One statement; `rest` is what follows it in its block."""
    raise AssertionError(node)


def check_block(block: n.Block, scope: Scope) -> ir.Block:
    """A block of statements in a scope of its own.

    Args:
        block: as written.
        scope: new names are bound in it. A scope without parent is that of a whole body: where
            `scope.result` is a type, every path through the block must then return a value.

    Returns:
        The checked block; statements with mistakes are left out or hold unknown expressions.
    """
    checked = _statements(block, scope)
    if scope.parent is None and scope.result is not None and not scope.function:
        _must_return(block, checked, scope, "procedure")
    return checked


def check_function_body(block: n.Block, scope: Scope, result: Type | None) -> tuple[ir.Block, Type]:
    """The statements of a function and the type of what it returns.

    Args:
        block: as written.
        scope: with the parameters.
        result: the written result type, None to find it out.
    """
    scope.function = True
    scope.result = UNKNOWN if result is None else result
    scope.returns = []
    checked = _statements(block, scope)
    if not _must_return(block, checked, scope, "function"):
        return checked, UNKNOWN if result is None else result
    if result is not None:
        return checked, result
    found = join_all(scope.returns)
    if found is None:
        kinds = listed(dict.fromkeys(describe(type) for type in scope.returns))
        scope.context.reporter.error(
            "RS441", f"`{scope.body}` returns {kinds}", block[-1].span, "a function gives values of one type"
        )
        return checked, UNKNOWN
    return _returning(checked, found), found


def _statements(block: n.Block, scope: Scope) -> ir.Block:
    result: list[ir.Stmt] = []
    for place, node in enumerate(block):
        done = statement(node, scope, block[place + 1 :])
        if scope.facts:
            forget(scope, written(node, scope.context))
        scope.facts = merge(scope.facts, done.facts)
        result += done.stmts
        if place + 1 < len(block) and _surely_leaves(done.stmts, scope):
            scope.context.reporter.error(
                "RS510", "this is never reached", block[place + 1].span, "what stands before it leaves the rule"
            )
            break
    return tuple(result)


def nested(block: n.Block, scope: Scope, facts: Facts | None = None) -> ir.Block:
    """A block inside another, with further facts."""
    return _statements(block, with_facts(scope, facts or {}))


# ---------------------------------------------------------------- ways out


def leaves(block: ir.Block) -> bool:
    """Whether nothing after the block is done, because it always returns or ends something."""
    return any(_leaves(stmt) for stmt in block)


def _leaves(stmt: ir.Stmt) -> bool:
    match stmt:
        case ir.Return() | ir.End() | ir.Outcome():
            return True
        case ir.If() | ir.Choose():
            then = stmt.then if isinstance(stmt, ir.If) else stmt.body
            return leaves(then) and leaves(stmt.other)
    return False


def _surely_leaves(stmts: tuple[ir.Stmt, ...], scope: Scope) -> bool:
    """As `leaves`, but a seat that loses may leave others in the game."""
    two = scope.context.spec.seats[1] <= 2
    return leaves(stmts) and (two or not any(isinstance(s, ir.Outcome) and s.kind == "lose" for s in stmts))


def _must_return(block: n.Block, checked: ir.Block, scope: Scope, what: str) -> bool:
    """Whether every path returns; a report if not."""
    if leaves(checked) or (is_unknown(scope.result or UNKNOWN) and not block):
        return True
    if any(isinstance(node, n.Return) for node in nodes(block)):
        message = f"`{scope.body}` does not return a value on every path"
    else:
        message = f"the {what} `{scope.body}` never returns a value"
    scope.context.reporter.error("RS511", message, block[-1].span, "end it with `return E`")
    return False


def _returning(block: ir.Block, type: Type) -> ir.Block:
    """The block with all returned values in the form of the result."""
    return tuple(_return_as(stmt, type) for stmt in block)


def _return_as(stmt: ir.Stmt, type: Type) -> ir.Stmt:
    match stmt:
        case ir.Return(value=ir.Expr() as value):
            return attrs.evolve(stmt, value=represent(value, type))
        case ir.If():
            return attrs.evolve(stmt, then=_returning(stmt.then, type), other=_returning(stmt.other, type))
        case ir.While() | ir.Repeat() | ir.For():
            return attrs.evolve(stmt, body=_returning(stmt.body, type))
    return stmt


@statement.register
def _return(node: n.Return, scope: Scope, rest: n.Block) -> Done:
    error = scope.context.reporter.error
    if scope.result is None:
        if node.value is not None:
            hint = f"declare it as `{scope.body}(...) -> TYPE`" if scope.params else "`return` alone leaves it"
            error("RS440", "nothing is returned here", node.value.span, hint)
            infer(node.value, scope)
        return Done((ir.Return(None, span=node.span),))
    if node.value is None:
        error("RS440", f"`{scope.body}` returns a value, so `return` needs one", node.span, "write `return E`")
        return Done((ir.Return(unknown(node.span), span=node.span),))
    if scope.function and is_unknown(scope.result):
        value = infer(node.value, scope)
        if isinstance(value.type, EffectType):
            value = unknown(node.value.span)
        scope.returns.append(value.type)
    else:
        value = check_expression(node.value, scope, scope.result, f"is the result of `{scope.body}`")
    return Done((ir.Return(value, span=node.span),))


# ---------------------------------------------------------------- conditions and loops


@statement.register
def _nothing(node: n.Nothing, scope: Scope, rest: n.Block) -> Done:
    return Done(())


@statement.register
def _if(node: n.If, scope: Scope, rest: n.Block) -> Done:
    test = check_condition(node.test, scope)
    holds, fails = facts_of(test, True), facts_of(test, False)
    then, other = nested(node.then, scope, holds), nested(node.other, scope, fails)
    after: Facts = {}
    if leaves(then) != leaves(other):
        kept, branch = (fails, node.other) if leaves(then) else (holds, node.then)
        after = _still(kept, branch, scope)
    return Done((ir.If(test, then, other, span=node.span),), after)


def _still(facts: Facts, block: n.Block, scope: Scope) -> Facts:
    """Those of the facts that the statements leave as they are."""
    inner = scope.child()
    inner.facts = dict(facts)
    forget(inner, written(block, scope.context))
    return inner.facts


def loop_scope(body: n.Block, scope: Scope) -> Scope:
    """A scope for a loop: without the facts that the body may end."""
    inner = scope.child()
    forget(inner, written(body, scope.context))
    return inner


@statement.register
def _while(node: n.While, scope: Scope, rest: n.Block) -> Done:
    outer = loop_scope(node.body, scope)
    test = check_condition(node.test, outer)
    body = nested(node.body, outer, facts_of(test, True))
    return Done((ir.While(test, body, span=node.span),), facts_of(test, False))


@statement.register
def _repeat(node: n.Repeat, scope: Scope, rest: n.Block) -> Done:
    times = check_expression(node.times, scope, whole(0), "is the number of times")
    body = nested(node.body, loop_scope(node.body, scope))
    return Done((ir.Repeat(times, body, span=node.span),))


def each_member(node: n.Selection, body: n.Block, scope: Scope) -> tuple[ir.Selection, Scope]:
    """A selection whose body is done for each member: `where` is tested again, the rest is not."""
    selection, inner = check_selection(node, loop_scope(body, scope))
    forget(inner, written(body, scope.context))
    for condition in (c for level in selection.conditions for c in level):
        inner.facts = merge(inner.facts, facts_of(condition))
    return selection, inner


@statement.register
def _for(node: n.For, scope: Scope, rest: n.Block) -> Done:
    selection, inner = each_member(node.selection, node.body, scope)
    if not node.together:
        return Done((ir.For(selection, nested(node.body, inner), span=node.span),))
    if refuse_in_function(node, scope):
        return Done(())
    locals = selection.locals
    if len(locals) != 1 or locals[0].type != PLAYER:
        if not any(is_unknown(local.type) for local in locals):
            scope.context.reporter.error(
                "RS512",
                "`together` is for one name that stands for players",
                node.selection.span,
                "write `for p in players, together:`",
            )
        return Done(())
    branch = inner.child(me=inner.me)
    body = nested(node.body, branch)
    return Done((ir.Together(locals[0], selection, body, span=node.span),))


EFFECTS: dict[type[n.Stmt], str] = {
    n.Adjust: "changes a variable",
    n.Move: "moves a component",
    n.MoveAll: "moves components",
    n.MoveTokens: "moves tokens",
    n.Swap: "changes variables",
    n.DrawCards: "draws cards",
    n.Shuffle: "shuffles",
    n.TurnOver: "turns a component over",
    n.Remove: "removes components",
    n.Choose: "asks for a choice",
    n.Ask: "asks for an action",
    n.For: "asks several seats together",
    n.Window: "asks for actions",
    n.CallStmt: "calls a rule with effects",
    n.Say: "tells something",
    n.Reveal: "reveals something",
    n.Record: "records the position",
    n.End: "ends something",
    n.Outcome: "ends the game",
}


def refuse_in_function(node: n.Stmt, scope: Scope) -> bool:
    """Whether the statement stands in a function, where nothing may happen; reported then."""
    if not scope.function:
        return False
    does = EFFECTS.get(type(node), "changes something")
    scope.context.reporter.error(
        "RS513", f"a function changes nothing, and this {does}", node.span, "make it a procedure"
    )
    return True
