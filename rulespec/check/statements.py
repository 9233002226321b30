"""Typing of statements: `check_block` and `check_function_body`, and calls, texts and ends."""

from __future__ import annotations

from rulespec import checked as ir
from rulespec.check import assignments, decisions, moves
from rulespec.check.blocks import Done, check_block, check_function_body, refuse_in_function, statement
from rulespec.check.builtins import BUILT_INS
from rulespec.check.calls import rule_args
from rulespec.check.context import Scope
from rulespec.check.convert import is_unknown
from rulespec.check.core import check_expression, infer
from rulespec.check.expressions import check_template
from rulespec.check.types import PLAYER, EffectType, OptionalType, TableType
from rulespec.check.words import describe, quote
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

__all__ = ["check_block", "check_function_body"]

HANDLERS = (assignments, decisions, moves)
"""Modules that join `statement` when they are imported."""


# ---------------------------------------------------------------- calls


@statement.register
def _call_statement(node: n.CallStmt, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    call = node.call
    if isinstance(call, n.Name) and call.id == "usual":
        return usual_effect(node, scope)
    if isinstance(call, n.Call) and isinstance(call.callee, n.FieldOf):
        return _row_effect(node, call, call.callee, scope)
    if isinstance(call, n.Call) and isinstance(call.callee, n.Name):
        made = assignments.procedure_call(call, scope)
        if made is not None:
            return Done((made,))
        if call.callee.id not in scope.context.procedures:
            _not_a_procedure(call, call.callee.id, scope)
        return Done(())
    value = infer(call, scope)
    if not is_unknown(value.type):
        scope.context.reporter.error("RS442", f"{quote(call)} is a value and changes nothing", call.span)
    return Done(())


def usual_effect(node: n.CallStmt, scope: Scope) -> Done:
    """`usual` on a line of its own."""
    match scope.usual:
        case ("effect",):
            return Done((ir.Usual(span=node.span),))
        case ("procedure", str(name), int(layer)):
            args = tuple(ir.LocalRead(local, type=local.type, span=node.span) for local in scope.params)
            return Done((ir.Call(name, args, layer, span=node.span),))
    scope.context.reporter.error(
        "RS305", "there is no version below this one that `usual` could mean", node.span, "leave it out"
    )
    return Done(())


def _row_effect(node: n.CallStmt, call: n.Call, callee: n.FieldOf, scope: Scope) -> Done:
    base = infer(callee.base, scope)
    if is_unknown(base.type):
        return Done(())
    error = scope.context.reporter.error
    if isinstance(base.type, OptionalType):
        error(
            "RS411",
            f"{quote(callee.base)} may be none, and `{callee.name}` is a rule of {describe(base.type.item)}",
            callee.base.span,
            "test it first, or go through it: `for x in ...:`",
        )
        return Done(())
    called = rule_args(call, callee, base, scope)
    if called is None:
        return Done(())
    found, args = called
    if not isinstance(found.type, EffectType):
        error(
            "RS442", f"`{callee.name}` gives {describe(found.type)} and changes nothing", node.span,
            "its value is not used here",
        )  # fmt: skip
        return Done(())
    return Done((ir.RowEffect(base, callee.name, args, span=node.span),))


def _not_a_procedure(call: n.Call, name: str, scope: Scope) -> None:
    context, span = scope.context, call.callee.span
    error = context.reporter.error
    if name in context.functions:
        result = context.functions[name].result
        gives = f" gives {describe(result)} and" if result is not None and not is_unknown(result) else ""
        error("RS442", f"the function `{name}`{gives} changes nothing", call.span, "its value is not used here")
    elif name in context.spec.actions:
        error(
            "RS323", f"`{name}` is an action, not a procedure", span,
            f"offer it: `ask p: {name}`, or put its effects in a procedure",
        )  # fmt: skip
    elif name in context.tables or name in BUILT_INS:
        error("RS442", f"`{name}(...)` is a value and changes nothing", call.span, "its value is not used here")
    elif name == "usual":
        error("RS323", "`usual` is written without arguments", span, "it gets those of this version")
    elif name not in context.reported:
        context.reported.add(name)
        error(
            "RS308",
            f"there is no procedure `{name}`",
            span,
            did_you_mean(name, [*context.procedures, *context.spec.actions]),
        )


# ---------------------------------------------------------------- texts, ends


@statement.register
def _say(node: n.Say, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    return Done((ir.Say(check_template(node.text, scope), span=node.span),))


@statement.register
def _reveal(node: n.Reveal, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    what = infer(node.what, scope)
    who = None if node.who is None else check_expression(node.who, scope, PLAYER, "is needed after `to`")
    if is_unknown(what.type):
        return Done(())
    component = isinstance(what.type, TableType) and what.type.kind == "component"
    if not isinstance(what, (ir.ZoneRead, ir.VarRead)) and not component:
        scope.context.reporter.error(
            "RS443",
            f"{quote(node.what)} is {describe(what.type)}, and only a zone, a variable or a component is revealed",
            node.what.span,
        )
        return Done(())
    return Done((ir.Reveal(what, who, span=node.span),))


@statement.register
def _record(node: n.Record, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    context = scope.context
    if node.name not in context.records:
        hint = did_you_mean(node.name, context.records) or "records are declared under `records:`"
        context.reporter.error("RS306", f"there is no record `{node.name}`", node.span, hint)
        return Done(())
    return Done((ir.Remember(node.name, span=node.span),))


@statement.register
def _end(node: n.End, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    context = scope.context
    if node.what != "game" and node.what not in context.phase_names:
        known = [*context.phase_names, "game"]
        hint = did_you_mean(node.what, known) or "`end game` ends the game"
        context.reporter.error("RS306", f"there is no phase `{node.what}`", node.what_span, hint)
    phase = "" if node.what == "game" else node.what
    return Done((ir.End(phase, span=node.span),))


@statement.register
def _outcome(node: n.Outcome, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    who = None if node.who is None else check_expression(node.who, scope, PLAYER, f"is needed after `{node.kind}`")
    reason = None if node.reason is None else check_template(node.reason, scope)
    return Done((ir.Outcome(node.kind, who, reason, span=node.span),))
