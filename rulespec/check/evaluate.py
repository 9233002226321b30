"""Values of expressions that are known before a game is made: numbers, options, seats.

Ends of ranges, `only`, `where` of tables and drawn starts depend on options at most. Options have finite
types, so what holds for every game is found by trying all their values.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from attrs import define, evolve, field

from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.context import Context
from rulespec.check.walk import nodes
from rulespec.check.words import number

MOST_ASSIGNMENTS = 4_000


class NotConstantError(Exception):
    """The value is known only when a game is made or played."""


@define
class Env:
    """What an expression may read: values of options, the number of seats, locals."""

    context: Context
    options: dict[str, Any] = field(factory=dict)
    seats: int | None = None
    locals: dict[ir.Local, Any] = field(factory=dict)


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {"+": operator.add, "-": operator.sub, "*": operator.mul}
_OPERATORS = {**COMPARISONS, **ARITHMETIC, "mod": operator.mod}


def whole(value: Any) -> Any:
    """A fraction that is a whole number as an int."""
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def evaluate(expr: ir.Expr, env: Env) -> Any:
    """The value of an expression.

    Raises:
        NotConstantError: it depends on something that `env` does not have.
    """
    method = _EVALUATORS.get(type(expr))
    if method is None:
        raise NotConstantError
    return method(expr, env)


def _option(expr: ir.OptionRead, env: Env) -> Any:
    if expr.option not in env.options:
        raise NotConstantError
    return env.options[expr.option]


def _seats(expr: ir.SeatCount, env: Env) -> Any:
    if env.seats is None:
        raise NotConstantError
    return env.seats


def _local(expr: ir.LocalRead, env: Env) -> Any:
    if expr.local not in env.locals:
        raise NotConstantError
    return env.locals[expr.local]


def _row(expr: ir.RowRef, env: Env) -> Any:
    return expr.row


def _unary(expr: ir.Unary, env: Env) -> Any:
    value = evaluate(expr.operand, env)
    return not value if expr.op == "not" else -value


def _binary(expr: ir.Binary, env: Env) -> Any:
    left = evaluate(expr.left, env)
    if expr.op == "and":
        return bool(left) and bool(evaluate(expr.right, env))
    if expr.op == "or":
        return bool(left) or bool(evaluate(expr.right, env))
    right = evaluate(expr.right, env)
    if expr.op == "/":
        if not right:
            raise NotConstantError
        return whole(Fraction(left) / Fraction(right))
    if isinstance(left, (str, list)) and expr.op not in ("==", "!="):
        raise NotConstantError
    if isinstance(expr.type, t.SetType) or (expr.op == "mod" and not right):
        raise NotConstantError
    if (left is None or right is None) and expr.op not in ("==", "!="):
        raise NotConstantError
    return whole(_OPERATORS[expr.op](left, right))


def _member(expr: ir.Member, env: Env) -> Any:
    item, collection = evaluate(expr.item, env), evaluate(expr.collection, env)
    kind = expr.collection.type
    if isinstance(kind, t.SetType):
        if not isinstance(item, int):
            raise NotConstantError
        low = kind.item.low if isinstance(kind.item, t.NumberType) and kind.item.low is not None else Fraction(0)
        return bool(collection >> (item - int(low)) & 1)
    if isinstance(collection, list):
        return item in collection
    return collection is not None and item == collection


def _range(expr: ir.RangeOf, env: Env) -> Any:
    first, last = evaluate(expr.first, env), evaluate(expr.last, env)
    if not isinstance(first, int) or not isinstance(last, int):
        raise NotConstantError
    return list(range(first, last - 1, -1)) if expr.down else list(range(first, last + 1))


def _none_safe(expr: ir.NoneSafe, env: Env) -> Any:
    value = evaluate(expr.value, env)
    if value is None:
        return None
    return evaluate(expr.body, evolve(env, locals={**env.locals, expr.local: value}))


def _truth(expr: ir.Truth, env: Env) -> Any:
    value = evaluate(expr.value, env)
    return value is not None if isinstance(expr.value.type, t.OptionalType) else bool(value)


def _convert(expr: ir.Convert, env: Env) -> Any:
    value = evaluate(expr.value, env)
    if isinstance(value, list) and isinstance(expr.type, t.ListType):
        return value
    if isinstance(expr.type, t.SetType) and isinstance(value, list) and all(isinstance(v, int) for v in value):
        item = expr.type.item
        low = int(item.low) if isinstance(item, t.NumberType) and item.low is not None else 0
        return sum(1 << (v - low) for v in dict.fromkeys(value))
    raise NotConstantError


def _built_in(expr: ir.BuiltIn, env: Env) -> Any:
    args = [evaluate(a, env) for a in expr.args]
    numbers = all(isinstance(a, (int, Fraction)) for a in args)
    if expr.name == "number" and numbers:
        return args[0] + 1
    if expr.name == "abs" and numbers:
        return abs(args[0])
    if expr.name == "floor" and numbers:
        return args[0] // 1
    if expr.name in ("min", "max") and numbers and len(args) > 1:
        return min(args) if expr.name == "min" else max(args)
    raise NotConstantError


_EVALUATORS: dict[type, Callable[[Any, Env], Any]] = {
    ir.Const: lambda e, env: e.value,
    ir.RowRef: _row,
    ir.OptionRead: _option,
    ir.SeatCount: _seats,
    ir.LocalRead: _local,
    ir.Unary: _unary,
    ir.Binary: _binary,
    ir.Member: _member,
    ir.Cond: lambda e, env: evaluate(e.then if evaluate(e.test, env) else e.other, env),
    ir.Otherwise: lambda e, env: v if (v := evaluate(e.value, env)) is not None else evaluate(e.default, env),
    ir.ListOf: lambda e, env: [evaluate(i, env) for i in e.items],
    ir.RangeOf: _range,
    ir.NoneSafe: _none_safe,
    ir.Truth: _truth,
    ir.Convert: _convert,
    ir.BuiltIn: _built_in,
}


def constant(expr: ir.Expr, context: Context) -> Any:
    """The value of an expression that is the same in every game, else NotConstantError."""
    seats = context.spec.seats
    return evaluate(expr, Env(context, seats=seats[0] if seats[0] == seats[1] else None))


def assignments(exprs: Iterable[ir.Expr | None], context: Context) -> Iterator[Env]:
    """Every choice of the options and the number of seats that these expressions read.

    Raises:
        NotConstantError: there are too many, or an option has no end.
    """
    found = [node for expr in exprs for node in nodes(expr)]
    names = list(dict.fromkeys(node.option for node in found if isinstance(node, ir.OptionRead)))
    least, most = context.spec.seats
    seats: list[int | None] = [least] if least == most else [None]
    if any(isinstance(node, ir.SeatCount) for node in found):
        seats = list(range(least, most + 1))
    values = [option_values(name, context) for name in names]
    if len(seats) * _product(len(v) for v in values) > MOST_ASSIGNMENTS:
        raise NotConstantError
    for count in seats:
        for chosen in product(*values):
            yield Env(context, dict(zip(names, chosen, strict=True)), count)


def _product(numbers: Iterable[int]) -> int:
    result = 1
    for factor in numbers:
        result *= factor
    return result


def option_values(name: str, context: Context) -> list[Any]:
    """All values that an option can have, whatever the other options are."""
    option = context.options.get(name)
    if option is None:
        raise NotConstantError
    return type_values(option.type, context, option.declared.values)


def type_values(type: t.Type, context: Context, values: tuple[int, ...] | None = None) -> list[Any]:
    """Run-time values of a small finite type, over its widest bounds.

    Args:
        type: bool, numbers, an enum, seats where their number is fixed, or an optional or a set of one.
        context: for the values of enums.
        values: ordinals where only part of an enum is meant.

    Raises:
        NotConstantError: there is no end, or there are too many.
    """
    match type:
        case t.BoolType():
            return [False, True]
        case t.NumberType(low, high, step) if low is not None and high is not None:
            if (high - low) / step > MOST_ASSIGNMENTS:
                raise NotConstantError
            return [whole(low + i * step) for i in range(int((high - low) / step) + 1)]
        case t.OptionalType(item):
            return [None, *type_values(item, context, values)]
        case t.EnumType(name):
            return list(values) if values is not None else list(range(len(context.enums[name])))
        case t.PlayerType() if context.spec.seats[0] == context.spec.seats[1]:
            return list(range(context.spec.seats[0]))
        case t.SetType(item):
            items = type_values(item, context, values)
            first = int(items[0]) if items and isinstance(item, t.NumberType) else 0
            if len(items) > 12 or not all(isinstance(i, int) for i in items):
                raise NotConstantError
            return [
                sum(1 << (i - first) for i, taken in zip(items, chosen, strict=True) if taken)
                for chosen in product([False, True], repeat=len(items))
            ]
    raise NotConstantError


def assignment_text(env: Env) -> str:
    """The choice in words: "`size` is 4 and `seats` is 2", or "" when there is none."""
    parts = [
        f"`{name}` is {_shown(env.context.options[name].type, value, env.context)}"
        for name, value in env.options.items()
    ]
    if env.seats is not None and env.context.spec.seats[0] != env.context.spec.seats[1]:
        parts.append(f"`seats` is {env.seats}")
    return " and ".join(parts)


def _shown(type: t.Type, value: Any, context: Context) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(type, t.EnumType):
        return str(context.enums[type.name][value])
    if isinstance(type, t.SetType):
        items = type_values(type.item, context)
        return "[" + ", ".join(_shown(type.item, v, context) for i, v in enumerate(items) if value >> i & 1) + "]"
    return number(Fraction(value))
