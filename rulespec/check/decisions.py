"""Statements at which a seat or chance decides: `choose`, `ask`, `window`."""

from __future__ import annotations

from rulespec import checked as ir
from rulespec.check import ranges
from rulespec.check.blocks import Done, each_member, nested, refuse_in_function, statement
from rulespec.check.context import Scope
from rulespec.check.convert import is_unknown
from rulespec.check.core import check_expression, infer
from rulespec.check.expressions import check_template
from rulespec.check.ranges import whole
from rulespec.check.types import PLAYER, ListType, NumberType
from rulespec.check.words import describe, listed, quote
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n


@statement.register
def _choose(node: n.Choose, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    quantity = _quantity(node, scope)
    who = None if node.who is None else check_expression(node.who, scope, PLAYER, "is needed after `by`")
    prompt = None if node.prompt is None else check_template(node.prompt, scope)
    selection, inner = each_member(node.selection, node.body, scope)
    weight = None
    if node.weight is not None:
        weight = _weight(node.weight, inner)
    body, other = nested(node.body, inner), nested(node.other, scope)
    stream = node.stream or (scope.body if node.who is None else "")
    choose = ir.Choose(quantity, selection, who, weight, stream, prompt, body, other, span=node.span)
    return Done((choose,))


def _quantity(node: n.Choose, scope: Scope) -> tuple[ir.Expr | None, ir.Expr | None] | None:
    if node.quantity is None:
        return None
    kind, low, high = node.quantity
    first = check_expression(low, scope, whole(0), "is the number to choose")
    if kind == "exactly":
        return first, first
    if kind == "up to" or high is None:
        return None, first
    last = check_expression(high, scope, whole(0), "is the greatest number to choose")
    match first.type, last.type:
        case NumberType(least), NumberType(_, most) if ranges.empty(NumberType(least, most)):
            scope.context.reporter.error(
                "RS435", f"{quote(low)} is more than {quote(high)}", low.span, "the smaller number comes first"
            )
    return first, last


def _weight(written: n.Expr, scope: Scope) -> ir.Expr | None:
    error = scope.context.reporter.error
    weight = infer(written, scope)
    if is_unknown(weight.type):
        return None
    if not isinstance(weight.type, NumberType):
        error("RS417", f"{quote(written)} is {describe(weight.type)}, and a weight is a number", written.span)
        return None
    if weight.type.high is not None and weight.type.high <= 0:
        error("RS436", f"{quote(written)} is never more than 0, so nothing can be chosen", written.span)
        return None
    return weight


# ---------------------------------------------------------------- ask, window


@statement.register
def _ask(node: n.Ask, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    who = check_expression(node.who, scope, PLAYER, "is needed after `ask`")
    prompt = None if node.prompt is None else check_template(node.prompt, scope)
    offers, passes = _offers(node.offers, scope)
    return Done((ir.Ask(who, offers, passes, node.repeatedly, prompt, span=node.span),))


@statement.register
def _window(node: n.Window, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    seats = infer(node.seats, scope, ListType(PLAYER))
    if seats.type == PLAYER:
        seats = ir.ListOf((seats,), type=ListType(PLAYER), span=node.seats.span)
    elif not is_unknown(seats.type):
        seats = check_expression(node.seats, scope, ListType(PLAYER), "is needed after `window`")
    offers, _ = _offers(node.offers, scope)
    return Done((ir.Window(seats, offers, span=node.span),))


def _offers(nodes: tuple[n.Offer, ...], scope: Scope) -> tuple[tuple[ir.Offer, ...], bool]:
    """The actions on offer, and whether `pass` without an action of that name is among them."""
    context = scope.context
    offers: list[ir.Offer] = []
    passes = False
    seen: set[tuple[str, int]] = set()
    for node in nodes:
        if node.action == "pass" and "pass" not in context.actions:
            passes = True
            if node.fixed:
                context.reporter.error("RS326", "`pass` has no parameters", node.span)
        elif node.action in context.actions:
            offers.append(_offer(node, context.actions[node.action], scope))
        else:
            _unknown_action(node, scope)
        if not node.fixed:
            if (node.action, 0) in seen:
                context.reporter.error("RS326", f"`{node.action}` is offered twice", node.span)
            seen.add((node.action, 0))
    return tuple(offers), passes


def _unknown_action(node: n.Offer, scope: Scope) -> None:
    context = scope.context
    if node.action in context.procedures:
        hint = "it is a procedure; an action can call it"
    elif node.action in context.phase_names:
        hint = "it is a phase"
    else:
        hint = did_you_mean(node.action, [*context.actions, "pass"])
    context.reporter.error("RS306", f"there is no action `{node.action}`", node.span, hint)


def _offer(node: n.Offer, action: ir.Action, scope: Scope) -> ir.Offer:
    error = scope.context.reporter.error
    locals = {local.name: local for local in action.selection.locals} if action.selection is not None else {}
    fixed: list[tuple[str, ir.Expr]] = []
    for name, span, value in node.fixed:
        local = locals.get(name)
        if local is None:
            shown = [f"`{known}`" for known in locals]
            hint = did_you_mean(name, locals) or (f"it has {listed(shown)}" if shown else "it has no parameters")
            error("RS306", f"the action `{node.action}` has no parameter `{name}`", span, hint)
            infer(value, scope)
            continue
        if any(name == other for other, _ in fixed):
            error("RS326", f"`{name}` is given twice", span)
        what = f"is `{name}` of the action `{node.action}`"
        fixed.append((name, check_expression(value, scope, local.type, what)))
    return ir.Offer(node.action, tuple(fixed), node.span)
