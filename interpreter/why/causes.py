"""Why a condition does not hold, step by step: into functions, tables of values and loops, with what was read.

`Asked` works out expressions of the spec with given locals. `Causes` walks down a condition that does not hold: of
`and` to the part that fails, of `or` to both, of a function to its body, of `all` to the first member that fails, of
`x in those(..)` to what keeps x out. Each step is a line of text. What may be told to whom is decided before, for the
whole condition (see `interpreter.why.conditions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from interpreter.compile.events import negated
from interpreter.compile.module import Builder, Extra
from interpreter.compile.trees import free, placed
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.why.conditions import Sources

Env = Mapping[ir.Local, Any]
Step = Callable[[ir.Expr, Env], list[str]]

DEPTH = 8
"""So many functions deep a reason is followed."""

LONG = 80
"""Longer values are not shown."""

_PLAIN = (ir.Const, ir.RowRef, ir.OptionRead, ir.SeatCount, ir.ZoneFamily, ir.TextOf)
_COMPARED = ("==", "!=", "<", "<=", ">", ">=")


class Asked:
    """Expressions of a game's spec, compiled when they are first needed, many at a time."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._functions: dict[ir.Expr, tuple[tuple[ir.Local, ...], Callable[..., Any]]] = {}
        self._failing: dict[ir.Aggregate, ir.Expr] = {}
        self._among: dict[ir.Binding, ir.Expr] = {}

    def prepare(self, trees: Iterable[ir.Expr | ir.Block]) -> None:
        """Compiles all that the walk through some expressions may need, in one go."""
        wanted = dict.fromkeys(e for e in self._reached(trees) if e not in self._functions)
        if not wanted:
            return
        params = {expr: tuple(free(expr)) for expr in wanted}
        bodies = {f"asked_{n}": (params[expr], expr) for n, expr in enumerate(wanted)}
        game = self.game
        module = Builder(game.layout, game.tables, False, False, game.holds, Extra(bodies)).build()
        for n, expr in enumerate(wanted):
            self._functions[expr] = params[expr], module.namespace[f"asked_{n}"]

    def value(self, S: Any, expr: ir.Expr, env: Env) -> Any:
        """The value of an expression.

        Raises:
            LookupError: a local that it reads is not known, or it was not prepared.
        """
        params, function = self._functions[expr]
        return function(S, *(env[local] for local in params))

    def body(self, call: ir.FunctionCall) -> tuple[tuple[ir.Local, ...], ir.Layer] | None:
        """The parameters and the layer of a function that count in this game; None where there is none."""
        function = self.game.spec.functions[call.function]
        found = None
        for n, (params, layer) in enumerate(zip(function.params, function.layers, strict=True)):
            if self.game.holds(layer.only_if) and (call.below is None or n < call.below):
                found = params, layer
        return found

    def failing(self, node: ir.Aggregate) -> ir.Expr | None:
        """The first member for which an `all` over one name does not hold."""
        if node.kind != "all" or node.body is None or len(node.selection.locals) != 1:
            return None
        if node not in self._failing:
            (local,) = node.selection.locals
            selection = placed(node.selection, [negated(node.body)])
            kind = t.OptionalType(local.type)
            self._failing[node] = ir.Aggregate("first", None, selection, type=kind, span=node.span)
        return self._failing[node]

    def among(self, binding: ir.Binding) -> ir.Expr:
        """Whether the value of a binding's name comes from its domain."""
        if binding not in self._among:
            self._among[binding] = membership(binding, self.game.spec.zones)
        return self._among[binding]

    def _reached(self, trees: Iterable[ir.Expr | ir.Block]) -> Iterator[ir.Expr]:
        todo: list[Any] = list(trees)
        done: set[int] = set()
        while todo:
            tree = todo.pop()
            for node in nodes(tree):
                if isinstance(node, ir.Expr) and not isinstance(node, _PLAIN) and node.type != t.EFFECT:
                    yield node
                if isinstance(node, ir.Aggregate):
                    failing = self.failing(node)
                    if failing is not None:
                        yield failing
                if isinstance(node, ir.Binding) and len(node.locals) == 1:
                    yield self.among(node)
                if isinstance(node, ir.FunctionCall):
                    found = self.body(node)
                    if found is not None and id(found[1]) not in done:
                        done.add(id(found[1]))
                        todo.append(found[1].body)


def membership(binding: ir.Binding, zones: Mapping[str, ir.Zone]) -> ir.Expr:
    """That a name's value comes from its domain."""
    domain, local = binding.domain, binding.local
    if isinstance(domain, ir.ZoneFamily):
        indices = tuple(
            ir.LocalRead(i, type=i.type, span=domain.span) if isinstance(i, ir.Local) else i for i in domain.indices
        )
        type = t.OptionalType(local.type) if zones[domain.zone].slot else domain.type
        domain = ir.ZoneRead(domain.zone, indices, type=type, span=domain.span)
    item = ir.LocalRead(local, type=local.type, span=domain.span)
    return ir.Member(item, domain, type=t.BOOL, span=domain.span)


class Causes:
    """The walk in one position.

    Args:
        asked: the game's expressions; what is walked through is prepared.
        sources: the texts of the spec.
        S: the position.
        given: locals whose values need not be told, since the one who asks has named them.
    """

    def __init__(self, asked: Asked, sources: Sources, S: Any, given: Iterable[ir.Local] = ()) -> None:
        self.asked, self.game, self.sources, self.S = asked, asked.game, sources, S
        self.given = set(given)
        self._lets: dict[ir.Local, tuple[ir.Expr, Env]] = {}
        self._loops: list[ir.Local] = []
        self._told: set[str] = set()
        self._depth = 0

    def value(self, expr: ir.Expr, env: Env) -> Any:
        """The value of an expression; raises LookupError where it cannot be known."""
        match expr:
            case ir.LocalRead(local=local):
                return env[local]
            case ir.Const(value=value):
                return value
        return self.asked.value(self.S, expr, env)

    # ------------------------------------------------------------ what does not hold

    def false(self, expr: ir.Expr, env: Env) -> list[str]:
        """Why a condition does not hold, the outermost first."""
        with suppress(LookupError, TypeError):
            match expr:
                case ir.Binary(op="and", left=left, right=right):
                    return self.false(right if self.value(left, env) else left, env)
                case ir.Binary(op="or", left=left, right=right):
                    return [*self.false(left, env), *self.false(right, env)]
                case ir.FunctionCall():
                    called = self._called(expr)
                    return [*called, *self._inside(expr, env, self.false)] or [self._leaf(expr, env)]
                case ir.Aggregate(kind="all", body=ir.Expr() as body) if self.asked.failing(expr) is not None:
                    (local,) = expr.selection.locals
                    member = self.value(self.asked.failing(expr), env)  # type: ignore[arg-type]
                    if member is not None:
                        self._loops.append(local)
                        found = self.false(body, {**env, local: member})
                        self._loops.pop()
                        return found
                case ir.Member(item=item, collection=collection):
                    return [self._leaf(expr, env), *self.outside(self.value(item, env), collection, env)]
        return [self._leaf(expr, env)]

    def outside(self, value: Any, domain: ir.Expr, env: Env) -> list[str]:
        """Why a value is not among those of a domain, as far as can be said."""
        with suppress(LookupError, TypeError):
            match domain:
                case ir.LocalRead(local=local) if local in self._lets:
                    inner, before = self._lets[local]
                    return self.outside(value, inner, before)
                case ir.FunctionCall():
                    step: Step = lambda body, inner: self.outside(value, body, inner)  # noqa: E731
                    return [*self._doc(domain), *self._inside(domain, env, step)]
                case ir.Cond(test=test, then=then, other=other):
                    return self.outside(value, then if self.value(test, env) else other, env)
                case ir.Aggregate(kind="those", body=body, selection=selection) if len(selection.locals) == 1:
                    (local,) = selection.locals
                    if body is None or (isinstance(body, ir.LocalRead) and body.local is local):
                        return self._left_out(value, selection, {**env, local: value})
        return []

    def _left_out(self, value: Any, selection: ir.Selection, env: Env) -> list[str]:
        """Why a value is not in a selection over one name, which has that value."""
        binding = selection.bindings[0]
        for condition in selection.conditions[0]:
            if not self.value(condition, env):
                return self.false(condition, env)
        if not self.value(self.asked.among(binding), env):
            return self.outside(value, binding.domain, env)
        for condition in (c for level in selection.conditions[1:] for c in level):
            if not self.value(condition, env):
                return self.false(condition, env)
        return []

    def _inside(self, call: ir.FunctionCall, env: Env, step: Step) -> list[str]:
        """A step into the body of a function."""
        found = self.asked.body(call)
        if found is None or self._depth >= DEPTH:
            return []
        params, layer = found
        inner: dict[ir.Local, Any] = {}
        for param, arg in zip(params, call.args, strict=False):
            inner[param] = self.value(arg, env)
            self._lets[param] = arg, env
        self._depth += 1
        try:
            if not isinstance(layer.body, tuple):
                return step(layer.body, inner)
            return self._through(layer.body, inner, step) or []
        finally:
            self._depth -= 1

    def _through(self, block: ir.Block, env: dict[ir.Local, Any], step: Step) -> list[str] | None:
        """Through effects up to the `return`; None where they go on behind, or cannot be followed."""
        for stmt in block:
            match stmt:
                case ir.Let(local=local, value=value, again=False):
                    self._lets[local] = value, dict(env)
                    env[local] = self.value(value, env)
                case ir.If(test=test, then=then, other=other):
                    found = self._through(then if self.value(test, env) else other, env, step)
                    if found is not None:
                        return found
                case ir.Return(value=ir.Expr() as value):
                    return step(value, env)
                case _:
                    return []
        return None

    # ------------------------------------------------------------ in words

    def _called(self, call: ir.FunctionCall) -> list[str]:
        """A call that is false, with what its function is for; a function is told once, not again for `usual`."""
        if call.below is not None and call.function in self._told:
            return []
        self._told.add(call.function)
        text = self.sources.text(call.span) or call.function
        doc = _sentence(self.game.spec.functions[call.function].doc)
        return [f"`{text}` does not hold{f': {doc}' if doc else ''} ({self.sources.place(call.span)})"]

    def _doc(self, call: ir.FunctionCall) -> list[str]:
        doc = _sentence(self.game.spec.functions[call.function].doc)
        found = self.asked.body(call)
        if not doc or found is None or call.function in self._told:
            return []
        self._told.add(call.function)
        return [f"`{call.function}`: {doc} ({self.sources.place(found[1].span)})"]

    def _leaf(self, expr: ir.Expr, env: Env) -> str:
        """A condition with what it read."""
        text = self.sources.text(expr.span)
        told = f"`{text}` does not hold" if text else "a condition does not hold"
        values = self.values(expr, env)
        return f"{told}{f': {joined(values)}' if values else ''} ({self.sources.place(expr.span)})"

    def values(self, expr: ir.Expr, env: Env) -> list[str]:
        """What a condition read, as `NAME is VALUE`."""
        found: dict[str, str] = {}
        for local in self._loops:
            if any(node.local is local for node in nodes(expr) if isinstance(node, ir.LocalRead)):
                self._add(found, ir.LocalRead(local, type=local.type, span=expr.span), env, local.name)
        for part in _told_parts(expr):
            if not (isinstance(part, ir.LocalRead) and (part.local in self.given or part.local in self._loops)):
                self._add(found, part, env, self.sources.text(part.span))
        return [f"{text} is {value}" for text, value in found.items()]

    def _add(self, found: dict[str, str], expr: ir.Expr, env: Env, text: str) -> None:
        if not text or text in found:
            return
        try:
            shown = self.game.texts.show(expr.type, self.value(expr, env))
        except Exception:  # It is only told beside the reason.
            return
        if len(shown) <= LONG:
            found[text] = shown


def _told_parts(expr: ir.Expr) -> Iterator[ir.Expr]:
    """The parts of a condition whose values say why it does not hold."""
    match expr:
        case ir.Binary(op=op, left=left, right=right) if op in _COMPARED:
            yield from (part for part in (left, right) if not isinstance(part, _PLAIN))
        case ir.Member(item=item) if not isinstance(item, _PLAIN):
            yield item
        case ir.Truth(value=value) | ir.Unary(op="not", operand=ir.Truth(value=value)):
            yield value
        case _:
            bound = {local for node in nodes(expr) if isinstance(node, ir.Selection) for local in node.locals}
            for node in nodes(expr):
                is_field = isinstance(node, ir.FieldRead) and isinstance(node.base, ir.LocalRead)
                if (is_field or isinstance(node, ir.VarRead)) and not bound & set(free(node)):
                    yield node


def joined(items: Sequence[str]) -> str:
    """`a, b and c`."""
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)


def _sentence(doc: str) -> str:
    return " ".join(doc.split()).rstrip(".")
