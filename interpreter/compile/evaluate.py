"""Expressions that read no state, worked out while a game is being made."""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from attrs import define, field

from interpreter.compile.analysis import Analysis
from interpreter.compile.expressions import Expressions
from interpreter.compile.functions import emit_function
from interpreter.compile.layout import Layout
from interpreter.compile.schemas import Schemas
from interpreter.compile.shared import Shared, helpers
from interpreter.compile.statements import Plan
from interpreter.compile.tables import Tables
from interpreter.compile.writer import Writer
from interpreter.runtime.support import norm
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
"""A name in emitted source that is no attribute."""


@define
class Evaluator:
    """Works out expressions over locals of known values; called with an expression and these values."""

    layout: Layout
    tables: Tables = field(init=False)
    """Set once there are any: they are made with this."""
    _compiled: dict[ir.Expr, Callable[..., Any]] = field(factory=dict)

    def __call__(self, expr: ir.Expr, locals: Mapping[ir.Local, Any]) -> Any:
        """The value of an expression, with values for the locals that it reads."""
        if isinstance(expr, ir.Const):
            return norm(expr.value)
        if isinstance(expr, ir.RowRef):
            assert isinstance(expr.type, t.TableType)
            return self.tables.numbers[expr.type.name][expr.row]
        if isinstance(expr, ir.OptionRead):
            return self.layout.options[expr.option]
        if expr not in self._compiled:
            _, self._compiled[expr] = self.function(tuple(locals), (expr,), lambda e: e.text(expr))
        return self._compiled[expr](*locals.values())

    def function(
        self, params: tuple[ir.Local, ...], trees: tuple[Any, ...], source: Callable[[Expressions], str]
    ) -> tuple[str, Callable[..., Any]]:
        """A Python function of some locals, and the source of its body.

        Args:
            params: its parameters.
            trees: what it works out, for the functions of the rules that it calls.
            source: emits the body.
        """
        shared = Shared(self.layout, row_index=lambda type, row: self.tables.numbers[type.name][row])
        emitter = Expressions(shared)
        names = [emitter.names.of(local) for local in params]
        body = source(emitter)
        functions = self._functions(trees, shared)
        scope = helpers()
        exec(functions, scope)
        for name in {*NAME.findall(functions), *NAME.findall(body)}:
            if name == "seats_from":
                scope[name] = seats_from(self.layout.seats)
            elif name not in scope and not hasattr(builtins, name):
                with suppress(KeyError):
                    scope[name] = self.tables.named(name)
        made = eval(f"lambda {', '.join(['S', *names])}: {body}", scope)
        return body, lambda *values: made(None, *values)

    def _functions(self, trees: tuple[Any, ...], shared: Shared) -> str:
        """The source of the functions of the rules that some trees call."""
        wanted = [node.function for node in nodes(trees) if isinstance(node, ir.FunctionCall)]
        done: dict[str, Writer] = {}
        while wanted:
            name = wanted.pop()
            if name in done:
                continue
            function = self.layout.spec.functions[name]
            layer = max(n for n, la in enumerate(function.layers) if la.only_if is None or self(la.only_if, {}))
            body = function.layers[layer].body
            wanted += [node.function for node in nodes(body) if isinstance(node, ir.FunctionCall)]
            analysis = Analysis(self.layout.spec, False)
            plan = Plan(analysis, Schemas(self.layout), {}, {}, False, False)
            done[name] = emit_function(f"f_{name}", function.params[layer], body, shared, plan, function.span)
        return "\n".join(line for writer in done.values() for line in writer.lines)


def seats_from(seats: int) -> tuple[tuple[int, ...], ...]:
    """By seat all seats in turn order from it on."""
    return tuple(tuple((s + i) % seats for i in range(seats)) for s in range(seats))
