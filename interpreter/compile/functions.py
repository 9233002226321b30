"""Functions that run through: those of the rules, rules in rows, units that never stop."""

from __future__ import annotations

from interpreter.compile.builtins_laid import covering_test
from interpreter.compile.events import negated
from interpreter.compile.loops import emit_plan, plan_loops, quicker
from interpreter.compile.shared import Shared
from interpreter.compile.simplify import Simplifier
from interpreter.compile.statements import Plan, Statements
from interpreter.compile.trees import conjuncts, placed
from interpreter.compile.writer import Writer
from rulespec import checked as ir
from rulespec.source import Span


def emit_function(
    name: str,
    params: tuple[ir.Local, ...],
    body: ir.Expr | ir.Block,
    shared: Shared,
    plan: Plan,
    span: Span,
    simplifier: Simplifier | None = None,
) -> Writer:
    """A function, rule in a row, or unit that runs through."""
    emitter = Statements(shared, plan=plan, out=Writer(span=span))
    args = "".join(f", {emitter.names.of(p)}" for p in params)
    with emitter.out.block(f"def {name}(S{args}):"):
        if isinstance(body, tuple):
            emitter.block(body)
        else:
            emitter.out.span = body.span
            emit_value(emitter, body, simplifier, params)
    return emitter.out


def emit_value(emitter: Statements, body: ir.Expr, simplifier: Simplifier | None, params: tuple[ir.Local, ...]) -> None:
    """`return E`; `any`, `all` and `first` as plain loops, which are faster than generators."""
    out = emitter.out
    code = covering_test(emitter, body) if isinstance(body, ir.Aggregate) else None
    if code is not None:
        out.put(f"return {code[0]}")
        return
    quick = isinstance(body, ir.Aggregate) and body.kind in ("any", "all", "first") and body.selection.order is None
    if quick and simplifier is not None:
        assert isinstance(body, ir.Aggregate)
        selection, kind = body.selection, body.kind
        if kind != "first" and body.body is not None:
            test = body.body if kind == "any" else negated(body.body)
            selection = placed(selection, conjuncts(test))
        value = ir.LocalRead(selection.bindings[0].local, type=selection.bindings[0].local.type, span=body.span)
        exprs: tuple[ir.Expr, ...] = (body.body or value,) if kind == "first" else ()

        def leaf(exprs: tuple[ir.Expr, ...]) -> None:
            out.put(f"return {emitter.text(exprs[0]) if exprs else kind == 'any'}")

        tabulator = emitter.shared.tabulator
        selection = quicker(simplifier, tabulator, selection)
        emit_plan(emitter, plan_loops(simplifier, tabulator, selection, exprs, leaf), params)
        out.put(f"return {'None' if kind == 'first' else kind == 'all'}")
        return
    out.put(f"return {emitter.text(body)}")
