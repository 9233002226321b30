"""Values in rows: the text of a cell, read by the type of its field."""

from __future__ import annotations

import re
from fractions import Fraction

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check import typing
from rulespec.check.context import Context
from rulespec.check.convert import convert
from rulespec.check.evaluate import whole
from rulespec.source import Span
from rulespec.spec import model as m
from rulespec.spelling import did_you_mean
from rulespec.syntax.parser import parse_expression
from rulespec.syntax.scan import MAX_DIGITS

_NUMBER = re.compile(r"(-?)(?:(\d+)(½?)|(½)|(\d+)/(\d+))", re.ASCII)
_WORD = re.compile(r"[^\W\d][\w-]*")
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


class Reader:
    """Reads cells; mistakes go to the context's reporter and give None.

    Args:
        context: for names and reporting.
        written: cells stand in YAML, where an expression may take the place of a value.
    """

    def __init__(self, context: Context, written: bool) -> None:
        self.context = context
        self.written = written

    def read(self, cell: m.Cell, domain: ir.DomainType, field: str) -> ir.Expr | None:
        """The value of a cell of the field, as an expression over options and `seats` at most."""
        if domain.type == t.UNKNOWN:
            return None
        if isinstance(domain.type, t.SetType):
            return self._set(cell, domain, field)
        if cell.text is None:
            shape = "list" if cell.items or not cell.named else "map"
            self._error("RS460", f"`{field}` is one value, not a {shape}", cell.span)
            return None
        text = cell.text.text.strip()
        if isinstance(domain.type, t.OptionalType):
            if text in ("", "none"):
                return ir.Const(None, type=domain.type, span=cell.span)
            inner = self.read(cell, evolve(domain, type=domain.type.item), field)
            return evolve(inner, type=domain.type) if isinstance(inner, ir.Const) else inner
        if text == "" and domain.type != t.TEXT:
            self._error(
                "RS461", f"`{field}` has no value here", cell.span, "`optional` before its type lets it be empty"
            )
            return None
        value = self.literal(text, domain, cell.span)
        if value is not None:
            return self._inside(value, domain, field)
        if self.written and self._may_be_expression(text, domain):
            return self._expression(cell, domain, field)
        self._not_a_value(text, domain, field, cell.span)
        return None

    def literal(self, text: str, domain: ir.DomainType, span: Span) -> ir.Expr | None:
        """The value that the text names in the type, or None."""
        context = self.context
        match domain.type:
            case t.TextType():
                return ir.Const(text, type=t.TEXT, span=span)
            case t.BoolType():
                return ir.Const(_TRUTH[text], type=t.BOOL, span=span) if text in _TRUTH else None
            case t.NumberType():
                number = read_number(text)
                return None if number is None else ir.Const(whole(number), type=domain.type, span=span)
            case t.EnumType(name):
                names = context.enums.get(name, ())
                return ir.Const(names.index(text), type=domain.type, span=span) if text in names else None
            case t.PlayerType():
                seats = [seat for seat, _ in context.spec.seat_names]
                return ir.Const(seats.index(text), type=t.PLAYER, span=span) if text in seats else None
            case t.TableType(_, name):
                known = name in context.row_names.get(text, {}) or text in (context.table_ids.get(name) or ())
                return ir.RowRef(text, type=domain.type, span=span) if known else None
        return None

    def _inside(self, value: ir.Expr, domain: ir.DomainType, field: str) -> ir.Expr | None:
        wrong = typing.outside(value, domain, self.context)
        if wrong is None:
            return value
        self._error("RS462", f"{wrong}, the values of `{field}`", value.span)
        return None

    def _set(self, cell: m.Cell, domain: ir.DomainType, field: str) -> ir.Expr | None:
        assert isinstance(domain.type, t.SetType)
        item = evolve(domain, type=domain.type.item)
        cells = cell.items
        if cell.text is not None:
            text = cell.text.text.strip()
            if self.written and not text.startswith("[") and self._may_be_expression(text, domain) and " " in text:
                return self._expression(cell, domain, field)
            inner = text[1:-1] if text.startswith("[") and text.endswith("]") else text
            parts = [part for part in re.split(r"[\s,]+", inner) if part]
            cells = tuple(m.Cell(evolve(cell.text, text=part, exact=False), cell.span) for part in parts)
        elif cell.named:
            self._error("RS460", f"`{field}` is a set of values, not a map", cell.span, "write `[a, b]`")
            return None
        values = [self.read(part, item, field) for part in cells]
        found = [value for value in values if value is not None]
        if len(found) < len(values):
            return None
        for i, value in enumerate(found):
            if any(_same(value, other) for other in found[:i]):
                shown = cells[i].text
                self._error("RS463", f"`{shown.text if shown else ''}` stands twice in `{field}`", value.span)
                return None
        items = ir.ListOf(tuple(found), type=t.ListType(item.type), span=cell.span)
        return ir.Convert(items, type=domain.type, span=cell.span)

    def _may_be_expression(self, text: str, domain: ir.DomainType) -> bool:
        if domain.type == t.TEXT:
            return False
        if _WORD.fullmatch(text):
            return text in self.context.spec.options or text == "seats"
        return True

    def _expression(self, cell: m.Cell, domain: ir.DomainType, field: str) -> ir.Expr | None:
        assert cell.text is not None
        node = parse_expression(cell.text, self.context.reporter)
        if node is None:
            return None
        expr = typing.fixed(node, self.context, f"`{field}`", domain.type)
        if expr is None:
            return None
        expr = convert(expr, domain.type, self.context.reporter)
        return self._inside(expr, domain, field) if expr.type != t.UNKNOWN else None

    def _not_a_value(self, text: str, domain: ir.DomainType, field: str, span: Span) -> None:
        context = self.context
        kind, hint = "", ""
        match domain.type:
            case t.BoolType():
                kind, hint = "true or false", "write `true` or `false`"
            case t.NumberType():
                kind, hint = "a number", _number_hint(text)
            case t.EnumType(name):
                names = context.enums.get(name, ())
                kind = f"a value of `{name}`"
                hint = did_you_mean(text, names) or f"it has {typing.backquoted(names)}"
            case t.PlayerType():
                seats = [seat for seat, _ in context.spec.seat_names]
                kind = "a seat"
                hint = did_you_mean(text, seats) or (
                    f"the seats are {typing.backquoted(seats)}" if seats else "`seats: [a, b]` gives the seats names"
                )
            case t.TableType(_, name):
                kind = f"a row of `{name}`"
                ids = [row for row, owners in context.row_names.items() if name in owners]
                hint = did_you_mean(text, ids) or (f"it has {typing.backquoted(ids)}" if len(ids) <= 40 else "")
            case _:
                kind = "a value that a row can hold"
        self._error("RS464", f"`{text}` is not {kind}, which `{field}` needs", span, hint)

    def _error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.context.reporter.error(code, message, span, hint)


def read_number(text: str) -> Fraction | None:
    """`7`, `-3`, `7½`, `½` or `3/2` as a number, anything else as None."""
    found = _NUMBER.fullmatch(text)
    if found is None or len(text) > MAX_DIGITS:
        return None
    sign, whole_part, half, only_half, over, under = found.groups()
    if under is not None:
        if int(under) == 0:
            return None
        value = Fraction(int(over), int(under))
    else:
        value = Fraction(int(whole_part or 0)) + (Fraction(1, 2) if half or only_half else 0)
    return -value if sign else value


def _number_hint(text: str) -> str:
    if len(text) > MAX_DIGITS:
        return f"a number has at most {MAX_DIGITS} digits"
    if re.fullmatch(r"-?\d+\.\d+", text):
        return f"numbers are exact, write `{Fraction(text)}`"
    if re.fullmatch(r"\d{1,3}(,\d{3})+", text):
        return f"write `{text.replace(',', '')}`"
    return ""


def _same(one: ir.Expr, other: ir.Expr) -> bool:
    if isinstance(one, ir.Const) and isinstance(other, ir.Const):
        return one.value == other.value
    return isinstance(one, ir.RowRef) and isinstance(other, ir.RowRef) and one.row == other.row


__all__ = ["Reader", "read_number"]
