"""Statements that change variables, as Python."""

from __future__ import annotations

from typing import Any

from attrs import define

from interpreter.compile.internal import Reset
from interpreter.compile.layout import VariableLayout
from interpreter.compile.lines import Lines
from interpreter.compile.position import default_start
from interpreter.compile.ranges import is_large
from interpreter.compile.trees import shape
from interpreter.runtime.support import LARGEST
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.source import Span


@define
class Variables(Lines):
    """Emits what sets variables."""

    def do_let(self, stmt: ir.Let) -> None:
        """`let x = E`."""
        value = self.text(stmt.value)
        if stmt.again and is_large(stmt.value.type) and stmt.local not in self.shared.counters:
            value = f"limited({value})"
        self.put(f"{self.target(stmt.local)} = {value}")

    def do_setvar(self, stmt: ir.SetVar) -> None:
        """A variable gets a value; out of its range is a fault unless the checker knows better."""
        place = self.layout.variables[stmt.variable]
        value = self.text(stmt.value)
        index = self.flat(place.per, stmt.indices) if place.per else ""
        target = f"v_{stmt.variable}[{index}]" if place.per else f"S.v_{stmt.variable}"
        kind = place.variable.type
        if isinstance(kind, t.NumberType) and kind.step != 1:
            value = f"norm({value})"
        if stmt.clamp:
            value = self._clamped(value, place.low, place.high)
            value = f"limited({value})" if is_large(kind) else value
        elif not stmt.fits or is_large(kind):
            value = self._checked(stmt, index or "0", value, place)
        self.put(f"{target} = {value}")
        self.note(f"('set', {stmt.variable!r}, {index or '0'}, {target})")

    def _clamped(self, value: str, low: Any, high: Any) -> str:
        if low is not None and high is not None:
            return f"min(max({value}, {low}), {high})"
        return f"max({value}, {low})" if low is not None else f"min({value}, {high})" if high is not None else value

    def _checked(self, stmt: ir.SetVar, index: str, value: str, place: Any) -> str:
        kind = place.variable.type
        grows, falls = _changes(stmt)
        values = place.variable.declared.values
        tests = []
        if values is not None:
            tests.append(f"new_ not in {tuple(values)!r}")
        low, high = (None, None) if stmt.fits else (place.low, place.high)
        if is_large(kind):
            low, high = -LARGEST if place.low is None else low, LARGEST if place.high is None else high
        if low is not None and not grows:
            tests.append(f"new_ < {low}")
        if high is not None and not falls:
            tests.append(f"new_ > {high}")
        if not tests or (value.lstrip("-").isdigit() and self._constant_fits(int(value), place)):
            return value
        self.put(f"new_ = {value}")
        test = " or ".join(tests)
        if isinstance(kind, t.OptionalType):
            test = f"new_ is not None and ({test})"
        with self.out.block(f"if {test}:"):
            self.put(f"raise OutOfRange({stmt.variable!r}, {index}, new_)")
        return "new_"

    def _constant_fits(self, value: int, place: Any) -> bool:
        low, high = place.low, place.high
        return (
            (low is None or value >= low) and (high is None or value <= high) and place.variable.declared.values is None
        )

    def do_movetokens(self, stmt: ir.MoveTokens) -> None:
        """Counters: as many less here as more there."""
        self.put(f"amount_ = {self.text(stmt.source if stmt.amount is None else stmt.amount)}")
        with self.out.block("if amount_ < 0:"):
            self.put("raise Fault(f'a move of {amount_} tokens')")
        for variable, sign in ((stmt.source, "-"), (stmt.target, "+")):
            kind = variable.type
            value = ir.Binary(sign, variable, Amount("amount_", type=kind, span=stmt.span), type=kind, span=stmt.span)
            self.do_setvar(ir.SetVar(variable.variable, variable.indices, value, span=stmt.span))

    def _amount(self, node: Amount) -> tuple[str, int]:
        return node.name, 11

    def do_swap(self, stmt: ir.Swap) -> None:
        """Two variables exchange their values."""
        kept = ir.Local("kept", stmt.first.type)
        first, second, span = stmt.first, stmt.second, stmt.span
        self.do_let(ir.Let(kept, first, span=span))
        self.do_setvar(ir.SetVar(first.variable, first.indices, second, span=span))
        old = ir.LocalRead(kept, type=kept.type, span=span)
        self.do_setvar(ir.SetVar(second.variable, second.indices, old, span=span))

    def do_reset(self, stmt: Reset) -> None:
        """Variables go back to their start values."""
        for name in stmt.variables:
            if self.layout.variables[name].per:
                self.put(f"v_{name}[:] = start_{name}")
            else:
                self.put(f"S.v_{name} = {self._start(self.layout.variables[name])}")
            self.note(f"('reset', {name!r})")

    def _start(self, place: VariableLayout) -> str:
        """The start value of a variable without `per`."""
        start = place.variable.start
        if start is None:
            return repr(default_start(place.variable, place.low, place.high))
        return self.text(start) if isinstance(start, ir.Const) else f"start_{place.variable.name}[0]"


class Amount(ir.Expr):
    """A Python name standing for a number inside an emitted expression."""

    name: str

    def __init__(self, name: str, *, type: t.Type, span: Span) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "type", type)
        object.__setattr__(self, "span", span)


def _changes(stmt: ir.SetVar) -> tuple[bool, bool]:
    """Whether a variable gets its own value and something more, or less: it cannot leave its range at the other end."""
    match stmt.value:
        case ir.Binary(op="+" | "-" as op, left=ir.VarRead(variable=stmt.variable) as old, right=right):
            kind = right.type
            if isinstance(kind, t.NumberType) and kind.low is not None and kind.low >= 0:
                same = shape(old.indices) == shape(stmt.indices) and isinstance(old.type, t.NumberType)
                return same and op == "+", same and op == "-"
    return False, False
