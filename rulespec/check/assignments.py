"""`let`, `=`, `+=`, `-=`, `raise`, `lower`: values for locals and variables; calls of procedures."""

from __future__ import annotations

from fractions import Fraction

from rulespec import checked as ir
from rulespec.check import names, ranges, values
from rulespec.check.blocks import Done, check_block, refuse_in_function, statement
from rulespec.check.builtins_base import ANY_NUMBER
from rulespec.check.calls import check_call
from rulespec.check.context import Fact, Probe, Scope
from rulespec.check.convert import bare, convert, is_unknown, join_all, optional, represent, unknown
from rulespec.check.core import check_expression, infer
from rulespec.check.narrow import Facts, key
from rulespec.check.types import (
    UNKNOWN,
    EffectType,
    EnumType,
    ListType,
    NoneType,
    NumberType,
    OptionalType,
    Type,
)
from rulespec.check.typing import outside
from rulespec.check.walk import nodes
from rulespec.check.words import describe, quote, spell
from rulespec.diagnostics import Reporter
from rulespec.source import Span
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

# ---------------------------------------------------------------- calls with a result


def procedure_call(call: n.Call, scope: Scope) -> ir.Call | None:
    """A call of a procedure, None if it is another thing or has mistakes."""
    assert isinstance(call.callee, n.Name)
    found = scope.context.procedures.get(call.callee.id)
    if found is None:
        return None
    args = check_call(call.callee.id, found, call, scope)
    return None if args is None else ir.Call(call.callee.id, args, span=call.span)


def _is_procedure(node: n.Expr, scope: Scope) -> bool:
    if isinstance(node, n.Call) and isinstance(node.callee, n.Name):
        return node.callee.id in scope.context.procedures
    return isinstance(node, n.Name) and node.id == "usual" and scope.usual is not None and scope.usual[0] == "procedure"


def _result_call(node: n.Expr, scope: Scope) -> tuple[ir.Call | None, Type]:
    """The call of a procedure (or `usual`) whose result is wanted, and the type of that."""
    if refuse_in_function(n.CallStmt(node, span=node.span), scope):
        return None, UNKNOWN
    if isinstance(node, n.Name):
        assert scope.usual is not None
        name, layer = str(scope.usual[1]), scope.usual[2]
        args = tuple(ir.LocalRead(local, type=local.type, span=node.span) for local in scope.params)
        call: ir.Call | None = ir.Call(name, args, layer if isinstance(layer, int) else None, span=node.span)
    else:
        assert isinstance(node, n.Call) and isinstance(node.callee, n.Name)
        name = node.callee.id
        call = procedure_call(node, scope)
    result = scope.context.procedures[name].result
    if result is None or isinstance(result, NoneType):
        scope.context.reporter.error(
            "RS444", f"the procedure `{name}` returns nothing", node.span, f"declare it as `{name}(...) -> TYPE`"
        )
        return None, UNKNOWN
    return call, result


# ---------------------------------------------------------------- let


@statement.register
def _let(node: n.Let, scope: Scope, rest: n.Block) -> Done:
    if _is_procedure(node.value, scope):
        call, type = _result_call(node.value, scope)
        local = _new_local(node, type, scope, rest)
        return Done((ir.LetCall(local, call, span=node.span),) if call is not None else ())
    value = infer(node.value, scope)
    if isinstance(value.type, EffectType):
        value = unknown(node.value.span)
    local = _new_local(node, value.type, scope, rest)
    facts = _fact_of(local, value.type)
    return Done((ir.Let(local, represent(value, local.type), span=node.span),), facts)


def _fact_of(local: ir.Local, type: Type) -> Facts:
    """What is known of a local that was just given a value of a narrower type."""
    if type == local.type or is_unknown(type) or not isinstance(local.type, (NumberType, OptionalType)):
        return {}
    found = key(ir.LocalRead(local, type=local.type, span=_NOWHERE))
    known = type if isinstance(local.type, NumberType) else None
    if isinstance(local.type, OptionalType) and not isinstance(type, (OptionalType, NoneType)):
        known = local.type.item
    return {found.text: Fact(known, found.locals)} if found and known is not None else {}


_NOWHERE = Span("", 1, 1, 1, 1)


def _new_local(node: n.Let, type: Type, scope: Scope, rest: n.Block) -> ir.Local:
    given_again = any(
        (isinstance(later, n.Assign) and isinstance(later.target, n.Name) and later.target.id == node.name)
        or (isinstance(later, n.Adjust) and isinstance(later.target, n.Name) and later.target.id == node.name)
        for later in nodes(rest)
    )  # fmt: skip
    if given_again:
        type = _settled(node, type, scope, rest)
    elif isinstance(type, NoneType):
        scope.context.reporter.warning("RS913", f"`{node.name}` is always none", node.span)
    local = names.bind(scope, node.name, type, node.name_span)
    scope.lets.add(id(local))
    return local


def _open(type: Type) -> bool:
    """Whether values given later may add to the type: none, an empty list, a number."""
    return isinstance(type, (NoneType, NumberType)) or (isinstance(type, ListType) and isinstance(type.item, NoneType))


def _settled(node: n.Let, first: Type, scope: Scope, rest: n.Block) -> Type:
    """The type of a local that is given other values later.

    Where the first value leaves the type open, a trial run over the rest of the block finds out what is
    given to it. Numbers lose their ends, as a loop may go on counting.
    """
    if isinstance(first, OptionalType) and isinstance(first.item, NumberType):
        return OptionalType(NumberType(None, None, first.item.step))
    if not _open(first):
        return first
    guess: Type = NumberType(None, None, first.step) if isinstance(first, NumberType) else UNKNOWN
    if scope.context.probe is not None:
        return guess
    for _ in range(3):
        found = join_all([first, *_given(node, guess, scope, rest)])
        if found is None or is_unknown(found):
            break
        found = _endless(found)
        if found == guess:
            return guess
        guess = found
    if isinstance(guess, NumberType):
        return NumberType(None, None, Fraction(0))
    return guess


def _endless(type: Type) -> Type:
    if isinstance(type, NumberType):
        return NumberType(None, None, type.step)
    if isinstance(type, OptionalType):
        return optional(_endless(type.item))
    return type


def _given(node: n.Let, guess: Type, scope: Scope, rest: n.Block) -> list[Type]:
    """Types of the values that the rest of the block gives to a new local, were it of type `guess`."""
    context = scope.context
    trial = scope.child(returns=[])
    local = trial.bind(node.name, guess)
    trial.lets = {*scope.lets, id(local)}
    probe = Probe(context.reporter, {id(local): []})
    reported = set(context.reported)
    context.probe, context.reporter = probe, Reporter()
    try:
        check_block(rest, trial)
    finally:
        context.reporter, context.reported, context.probe = probe.reporter, reported, None
    return [type for type in probe.given[id(local)] if not is_unknown(type)]


# ---------------------------------------------------------------- assignment


@statement.register
def _assign(node: n.Assign, scope: Scope, rest: n.Block) -> Done:
    target = node.target
    value = node.value if node.op == "=" else n.Binary(node.op[0], target, node.value, span=node.span)
    local = scope.find(target.id) if isinstance(target, n.Name) else None
    if local is not None:
        return _assign_local(node, local, value, scope)
    read = _target(target, scope)
    if read is None:
        _rest_of(node.value, scope)
        return Done(())
    if refuse_in_function(n.Adjust("raise", target, node.value, False, span=node.span), scope):
        return Done(())
    if _is_procedure(value, scope):
        call, type = _result_call(value, scope)
        if call is None:
            return Done(())
        result = ir.Local("_", type)
        given = ir.LocalRead(result, type=type, span=value.span)
        return Done((ir.LetCall(result, call, span=node.span), *_set(node, read, given, value, scope).stmts))
    expr = infer(value, scope, read.type)
    return _set(node, read, expr, value, scope)


def _rest_of(value: n.Expr, scope: Scope) -> None:
    if not isinstance(value, n.Name) and not _is_procedure(value, scope):
        infer(value, scope)


def _assign_local(node: n.Assign, local: ir.Local, value: n.Expr, scope: Scope) -> Done:
    context = scope.context
    if id(local) not in scope.lets:
        context.reporter.error(
            "RS324",
            f"`{local.name}` cannot be given another value",
            node.target.span,
            f"`let` binds names that can: `let now = {local.name}`",
        )
        _rest_of(node.value, scope)
        return Done(())
    if _is_procedure(value, scope):
        call, type = _result_call(value, scope)
        if call is None:
            return Done(())
        result = ir.LocalRead(local, type=type, span=value.span)
        _give(local, type, scope)
        convert(result, local.type, context.reporter, value, f"is the type of `{local.name}`")
        return Done((ir.LetCall(local, call, again=True, span=node.span),), _fact_of(local, type))
    expr = infer(value, scope, None if is_unknown(local.type) else local.type)
    _give(local, expr.type, scope)
    converted = convert(expr, local.type, context.reporter, value, f"is the type of `{local.name}`")
    return Done((ir.Let(local, converted, again=True, span=node.span),), _fact_of(local, expr.type))


def _give(local: ir.Local, type: Type, scope: Scope) -> None:
    probe = scope.context.probe
    if probe is not None and id(local) in probe.given:
        probe.given[id(local)].append(type)


def _target(node: n.Expr, scope: Scope) -> ir.VarRead | None:
    """The variable that is given a value, with its indices, or None after a report."""
    base = node.base if isinstance(node, n.Index) else node
    indices = node.indices if isinstance(node, n.Index) else ()
    context = scope.context
    if isinstance(base, n.Name) and base.id in context.variables and scope.find(base.id) is None:
        declared = context.variables[base.id]
        checked = names.check_indices(f"`{base.id}`", base.id, declared.per, indices, scope, node.span)
        return None if checked is None else ir.VarRead(base.id, checked, type=declared.type, span=node.span)
    _no_target(node, base, scope)
    return None


def _no_target(node: n.Expr, base: n.Expr, scope: Scope) -> None:
    context = scope.context
    error = context.reporter.error
    if not isinstance(base, n.Name):
        error("RS325", f"{quote(node)} cannot be given a value", node.span, "a variable or a `let` name can")
        return
    name = base.id
    for section, what, hint in _NO_TARGETS:
        if name in getattr(context, section):
            error("RS325", f"`{name}` is {what}, so it cannot be given a value", base.span, hint.format(name))
            return
    if name in names.PLAIN_BUILT_INS or values.values_named(name, context) or values.named_type(name, context):
        error("RS325", f"`{name}` is a value of its own, so it cannot be given another", base.span)
        return
    if name not in context.reported:
        context.reported.add(name)
        known = [*context.variables, *names.known_names(scope)]
        hint = did_you_mean(name, known) or f"a new name is bound by `let {name} = ...`"
        error("RS301", f"there is nothing called `{name}` here", base.span, hint)


_NO_TARGETS = (
    ("zones", "a zone", "components are put there by `move c to {}`"),
    ("options", "an option", "options are chosen before the game; a variable can change"),
    ("constants", "a table of constants", "what changes is a variable"),
    ("functions", "a function", "a variable can keep a value"),
    ("procedures", "a procedure", "it is called as `{}(...)`"),
)


def _set(node: n.Stmt, read: ir.VarRead, expr: ir.Expr, written: n.Expr, scope: Scope, clamp: bool = False) -> Done:
    """A variable's entry gets a value."""
    context = scope.context
    what = f"is the type of `{read.variable}`"
    if clamp and isinstance(expr.type, NumberType) and isinstance(read.type, NumberType):
        value = (
            expr
            if ranges.fits_step(expr.type, read.type)
            else convert(expr, read.type, context.reporter, written, what)
        )
    else:
        value = convert(expr, read.type, context.reporter, written, what)
    if is_unknown(value.type):
        return Done(())
    declared = context.variables[read.variable].declared
    if isinstance(value, ir.Const) and declared.values is not None:
        wrong = outside(value, declared, context)
        if wrong is not None:
            context.reporter.error("RS412", f"{wrong}, the values of `{read.variable}`", written.span)
    done = ir.SetVar(read.variable, read.indices, value, fits=always_fits(value, declared), clamp=clamp, span=node.span)
    return Done((done,), _after_set(read, expr))


def _after_set(read: ir.VarRead, expr: ir.Expr) -> Facts:
    """What is known of a variable that was just given a value."""
    if not isinstance(read.type, OptionalType) or isinstance(expr.type, (OptionalType, NoneType)):
        return {}
    found = key(read)
    return {found.text: Fact(read.type.item, found.locals, found.state)} if found else {}


def always_fits(value: ir.Expr, declared: ir.DomainType) -> bool:
    """Whether a value surely lies in a declared range whose ends are the same in every game."""
    item, source = bare(declared.type), bare(value.type)
    if isinstance(item, EnumType) and declared.values is not None:
        return isinstance(value, ir.Const) and (value.value is None or value.value in declared.values)
    if not isinstance(item, NumberType):
        return True
    if isinstance(source, NoneType) or (isinstance(value, ir.Const) and value.value is None):
        return True
    fixed = all(end is None or isinstance(end, ir.Const) for end in (declared.low, declared.high))
    return fixed and isinstance(source, NumberType) and ranges.inside(source, item)


# ---------------------------------------------------------------- raise, lower


@statement.register
def _adjust(node: n.Adjust, scope: Scope, rest: n.Block) -> Done:
    target = node.target
    op = "+" if node.kind == "raise" else "-"
    local = scope.find(target.id) if isinstance(target, n.Name) else None
    value = n.Binary(op, target, node.amount, span=node.span)
    if local is not None:
        if node.up_to:
            scope.context.reporter.error(
                "RS324", f"`{local.name}` has no range at whose end it could stop", target.span,
                "leave `up to` out, or use `min` or `max`",
            )  # fmt: skip
        assign = n.Assign(target, f"{op}=", node.amount, span=node.span)
        return _assign_local(assign, local, value, scope)
    read = _target(target, scope)
    amount = check_expression(node.amount, scope, ANY_NUMBER, f"is needed after `{node.kind} {spell(target)} by`")
    if read is None or is_unknown(amount.type) or refuse_in_function(node, scope):
        return Done(())
    if not isinstance(read.type, NumberType):
        scope.context.reporter.error(
            "RS417", f"`{read.variable}` is {describe(read.type)}, and only a number can be changed by an amount",
            target.span, f"write `{spell(target)} = ...`",
        )  # fmt: skip
        return Done(())
    if isinstance(amount.type, NumberType) and amount.type.high is not None and amount.type.high < 0:
        other = "lower" if node.kind == "raise" else "raise"
        scope.context.reporter.warning(
            "RS914", f"{quote(node.amount)} is negative", node.amount.span, f"write `{other} {spell(target)} by ...`"
        )
    return _set(node, read, infer(value, scope, read.type), node.amount, scope, clamp=node.up_to)
