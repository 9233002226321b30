"""Expressions as Python source.

Each method returns the text and how tightly it binds; `text` adds parentheses where they are needed. Inside one
emitted function every local of the rules has a Python name of its own (`Names`), so nested comprehensions and
lambdas never hide one another.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import define, evolve, field

from interpreter.compile.builtins import BUILT_INS, zone_end
from interpreter.compile.builtins_laid import LAID_BUILT_INS, covering_filter, covering_test
from interpreter.compile.counting import Counted
from interpreter.compile.internal import Among, Tabled
from interpreter.compile.layout import Domain, Layout
from interpreter.compile.ranges import is_large, is_narrow, may_miss
from interpreter.compile.shared import Names, Shared, Supposed
from interpreter.compile.trees import free, shape
from rulespec import checked as ir
from rulespec.check import types as t

TERNARY, OR, AND, NOT, COMPARE, BIT_OR, BIT_AND, SHIFT, SUM, PRODUCT, UNARY, ATOM = range(12)

Code = tuple[str, int]

_OPERATORS = {
    "+": ("+", SUM),
    "-": ("-", SUM),
    "*": ("*", PRODUCT),
    "==": ("==", COMPARE),
    "!=": ("!=", COMPARE),
    "<": ("<", COMPARE),
    "<=": ("<=", COMPARE),
    ">": (">", COMPARE),
    ">=": (">=", COMPARE),
}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
_BUILT_INS = {**BUILT_INS, **LAID_BUILT_INS}


@define
class Expressions:
    """Emits the expressions of one Python function."""

    shared: Shared
    names: Names = field(factory=Names)
    kept: dict[Any, str] = field(factory=dict)
    """Names of what loops keep once it has been worked out: results of functions, positions for `supposing`."""
    _iterable: int = 0
    """Inside the domain of a comprehension, where Python allows no assignment expression."""

    @property
    def layout(self) -> Layout:
        """The places of zones and variables."""
        return self.shared.layout

    # ------------------------------------------------------------ entry points

    def text(self, node: ir.Expr, level: int = TERNARY) -> str:
        """The source of an expression, in parentheses if it binds less tightly than `level`."""
        code, own = self.code(node)
        return code if own >= level else f"({code})"

    def test(self, node: ir.Expr, level: int = TERNARY) -> str:
        """The source of a condition where only truth matters."""
        match node:
            case ir.Truth(value=value):
                if isinstance(value.type, t.OptionalType) and not isinstance(value, ir.ZoneRead):
                    code: Code = self._compared_with_none(value, "is not")
                else:
                    code = self.collection(value)
            case ir.Unary(op="not", operand=ir.Binary(op=op) as operand) if op in _OPPOSITE:
                code = self.code(evolve(operand, op=_OPPOSITE[op]))
            case ir.Unary(op="not", operand=operand):
                code = (f"not {self.test(operand, NOT)}", NOT)
            case ir.Binary(op="and" | "or" as op, left=left, right=right):
                own = AND if op == "and" else OR
                code = (f"{self.test(left, own)} {op} {self.test(right, own)}", own)
            case ir.Member():
                code = self._member(node, truth=True)
            case _:
                code = self.code(node)
        return code[0] if code[1] >= level else f"({code[0]})"

    def code(self, node: ir.Expr) -> Code:
        """The source of an expression and how tightly it binds."""
        return getattr(self, f"_{type(node).__name__.lower()}")(node)  # type: ignore[no-any-return]

    # ------------------------------------------------------------ plain values

    def _const(self, node: ir.Const) -> Code:
        value = node.value
        if isinstance(value, Fraction):
            return (repr(value), ATOM) if value.denominator != 1 else (str(int(value)), ATOM)
        return repr(value), UNARY if isinstance(value, int) and value < 0 else ATOM

    def _rowref(self, node: ir.RowRef) -> Code:
        assert isinstance(node.type, t.TableType)
        return str(self.shared.row_index(node.type, node.row)), ATOM

    def _rowlookup(self, node: ir.RowLookup) -> Code:
        type = node.type.item if isinstance(node.type, t.OptionalType) else node.type
        assert isinstance(type, t.TableType)
        args = ", ".join(self.text(a) for a in node.args)
        return f"lookup_{type.name}[{args}{',' if len(node.args) == 1 else ''}]", ATOM

    def _optionread(self, node: ir.OptionRead) -> Code:
        value = self.layout.options[node.option]
        return self._const(ir.Const(value, type=node.type, span=node.span))

    def _seatcount(self, node: ir.SeatCount) -> Code:
        return str(self.layout.seats), ATOM

    def _localread(self, node: ir.LocalRead) -> Code:
        return self.names.of(node.local), ATOM

    def _counted(self, node: Counted) -> Code:
        if not self.shared.counts:
            return self.code(node.value)
        count = self.shared.constant("count", node.tally.tested if node.is_test else node.tally.passed)
        return f"{count}({node.point}, {self.text(node.value)})", ATOM

    def _textof(self, node: ir.TextOf) -> Code:
        parts = [
            repr(p) if isinstance(p, str) else f"show({self.shared.show(p.type)}, {self.text(p)})" for p in node.parts
        ]
        if len(parts) == 1:
            return parts[0], ATOM
        return f"''.join(({', '.join(parts)}))" if parts else "''", ATOM

    # ------------------------------------------------------------ state

    def flat(self, per: tuple[Domain, ...], indices: tuple[ir.Expr | str, ...], base: int = 0) -> str:
        """The place of an entry in a flat list; constant parts are added up."""
        constant, terms = base, list[str]()
        for n, (domain, index) in enumerate(zip(per, indices, strict=True)):
            weight = 1
            for rest in per[n + 1 :]:
                weight *= rest.size
            constant -= domain.low * weight
            text = index if isinstance(index, str) else self.text(index, PRODUCT if weight > 1 else SUM)
            if not isinstance(index, str) and may_miss(index.type, domain):
                text = f"entry({self.text(index)}, {domain.low}, {domain.low + domain.size - 1})"
            if text.lstrip("-").isdigit():
                constant += int(text) * weight
            else:
                terms.append(text if weight == 1 else f"{text} * {weight}")
        if constant and terms:
            terms[0:0] = [str(constant)] if constant > 0 else []
            return " + ".join(terms) if constant > 0 else f"{' + '.join(terms)} - {-constant}"
        return " + ".join(terms) or str(constant)

    def _varread(self, node: ir.VarRead) -> Code:
        place = self.layout.variables[node.variable]
        if not place.per:
            return f"S.v_{node.variable}", ATOM
        return f"v_{node.variable}[{self.flat(place.per, node.indices)}]", ATOM

    def _tableread(self, node: ir.TableRead) -> Code:
        per = tuple(self.layout.domain_of(d) for d in self.layout.spec.constants[node.table].per)
        return f"table_{node.table}[{self.flat(per, node.indices)}]", ATOM

    def zone(self, name: str, indices: tuple[ir.Expr | str, ...]) -> str:
        """The number of a zone instance."""
        place = self.layout.zones[name]
        return self.flat(place.per, indices, place.base)

    def raw_zone(self, node: ir.ZoneRead) -> str:
        """The list kept for a zone instance: a stack's top is its last."""
        return f"z[{self.zone(node.zone, node.indices)}]"

    def _zoneread(self, node: ir.ZoneRead) -> Code:
        raw = self.raw_zone(node)
        place = self.layout.zones[node.zone]
        if place.zone.slot:
            return f"{raw}[0] if {raw} else None", TERNARY
        return (f"{raw}[::-1]" if place.zone.order == "stack" else raw), ATOM

    def _zoneindex(self, node: ir.ZoneIndex) -> Code:
        kind = self.layout.spec.zones[node.zone].component
        place = self.layout.zones[node.zone]
        component = self.text(node.component)
        low = place.per[0].low if place.per else 0
        return f"zone_index(loc_{kind}[{component}], {place.base}, {place.count}, {low})", ATOM

    # ------------------------------------------------------------ rows

    def _fieldread(self, node: ir.FieldRead) -> Code:
        assert isinstance(node.base.type, t.TableType)
        table = self.layout.spec.tables[node.base.type.name]
        column = table.fields.get(node.field)
        base = self.text(node.base)
        place = base
        name = f"{table.name}_{node.field}"
        if column is not None and column.index:
            per = (self.layout.domain(node.base.type), *(self.layout.domain_of(d) for d in column.index))
            place = self.flat(per, (node.base, *node.indices))
        if column is not None and column.per_face:
            if node.face is not None:
                return f"{name}_{node.face}[{place}]", ATOM
            return f"{name}_by_face[face_{table.name}[{base}]][{place}]", ATOM
        return f"{name}[{place}]", ATOM

    def _nonesafe(self, node: ir.NoneSafe) -> Code:
        return self._unless_none(node.value, node.local, node.body, "None")

    def _unless_none(self, value: ir.Expr, local: ir.Local, body: ir.Expr, default: str) -> Code:
        """The body with a local bound to a value, a default where that is none."""
        end = zone_end(self, value)
        if end is not None:
            zone, item = end
            self.names.texts[local] = item
            return f"{self.text(body, OR)} if {zone} else {default}", TERNARY
        text = self.text(value)
        name = self.names.of(local)
        if self._iterable:
            return f"(lambda {name}: {default} if {name} is None else {self.text(body)})({text})", ATOM
        return f"{default} if ({name} := {text}) is None else {self.text(body, TERNARY)}", TERNARY

    def _rowrule(self, node: ir.RowRule) -> Code:
        assert isinstance(node.base.type, t.TableType)
        args = "".join(f", {self.text(a)}" for a in node.args)
        return f"{node.base.type.name}_{node.field}[{self.text(node.base)}](S{args})", ATOM

    # ------------------------------------------------------------ operators

    def _unary(self, node: ir.Unary) -> Code:
        if node.op == "not":
            return f"not {self.test(node.operand, NOT)}", NOT
        return f"-{self.text(node.operand, UNARY)}", UNARY

    def _binary(self, node: ir.Binary) -> Code:
        op, left, right = node.op, node.left, node.right
        if op in ("and", "or"):
            own = AND if op == "and" else OR
            return f"{self.text(left, own)} {op} {self.text(right, own)}", own
        if op == "/":
            return f"div({self.text(left)}, {self.text(right)})", ATOM
        if op == "mod":
            divisor = self.text(right, UNARY)
            if divisor.isdigit() and divisor != "0":
                return f"{self.text(left, PRODUCT)} % {divisor}", PRODUCT
            return f"mod({self.text(left)}, {self.text(right)})", ATOM
        if op in ("+", "-") and isinstance(node.type, t.SetType):
            if op == "+":
                return f"{self.text(left, BIT_OR)} | {self.text(right, BIT_AND)}", BIT_OR
            return f"{self.text(left, BIT_AND)} & ~{self.text(right, UNARY)}", BIT_AND
        if op in ("+", "-") and isinstance(node.type, t.ListType):
            if op == "-":
                return f"without({self.items(left)}, {self.items(right)})", ATOM
            parts = [right, left]
            while isinstance(last := parts[-1], ir.Binary) and last.op == "+" and isinstance(last.type, t.ListType):
                parts[-1:] = [last.right, last.left]
            return f"joined({', '.join(self.items(part) for part in reversed(parts))})", ATOM
        if op == "*" and is_large(node.type):
            return f"product({self.text(left)}, {self.text(right)})", ATOM
        symbol, own = _OPERATORS[op]
        if op in ("==", "!="):
            for one, other in ((left, right), (right, left)):
                if isinstance(one, ir.Const) and one.value is None:
                    return self._compared_with_none(other, "is" if op == "==" else "is not")
        if op in ("==", "!=") and isinstance(left.type, t.ListType):
            return f"list({self.items(left)}) {symbol} list({self.items(right)})", COMPARE
        tighter = own + 1 if own != COMPARE else BIT_OR
        return f"{self.text(left, own if own != COMPARE else BIT_OR)} {symbol} {self.text(right, tighter)}", own

    def _compared_with_none(self, value: ir.Expr, sign: str) -> Code:
        """Whether a value is none, or is not. Python warns of `1 is None`, which rules may come to."""
        text = self.text(value, BIT_OR)
        if isinstance(value, ir.Const) or text.lstrip("-").isdigit():
            return repr((text == "None") == (sign == "is")), ATOM
        return f"{text} {sign} None", COMPARE

    def _member(self, node: ir.Member, truth: bool = False) -> Code:
        item, collection = node.item, node.collection
        if isinstance(item.type, t.ListType):
            return f"tuple({self.items(item)}) in {self.items(collection)}", COMPARE
        match collection:
            case ir.ZoneRead() if isinstance(item.type, t.TableType | t.OptionalType):
                kind = self.layout.spec.zones[collection.zone].component
                number = self.zone(collection.zone, collection.indices)
                if isinstance(item.type, t.OptionalType):
                    return f"{self.text(item, COMPARE)} in {self.raw_zone(collection)}", COMPARE
                return f"loc_{kind}[{self.text(item)}] == {number}", COMPARE
            case ir.RangeOf(first=low, last=high):
                if collection.down:
                    low, high = high, low
                between = f"{self.text(low, BIT_OR)} <= {self.text(item, BIT_OR)} <= {self.text(high, BIT_OR)}"
                if isinstance(item.type, t.OptionalType):
                    return f"{self.text(item, BIT_OR)} in {self.items(collection)}", COMPARE
                return between, COMPARE
            case ir.ListOf(items=items) if not any(isinstance(i.type, t.ListType) for i in items):
                values = ", ".join(self.text(i) for i in items)
                return f"{self.text(item, BIT_OR)} in ({values}{',' if len(items) == 1 else ''})", COMPARE
        if isinstance(collection.type, t.SetType):
            low_value = self._low(collection.type.item)
            shift = self.text(item, SUM) + (
                f" - {low_value}" if low_value > 0 else f" + {-low_value}" if low_value else ""
            )
            if isinstance(item.type, t.OptionalType):
                return f"{self.text(item, BIT_OR)} in {self.items(collection)}", COMPARE
            bit = f"{self.text(collection, SHIFT)} >> {shift} & 1"
            return (bit, BIT_AND) if truth else (f"({bit}) == 1", COMPARE)
        if isinstance(collection.type, t.OptionalType):
            return f"{self.text(item, BIT_OR)} in {self.items(collection)}", COMPARE
        return f"{self.text(item, BIT_OR)} in {self.items(collection)}", COMPARE

    def _low(self, item: t.Type) -> int:
        return int(item.low) if isinstance(item, t.NumberType) and item.low is not None else 0

    def _within(self, node: ir.Within) -> Code:
        if isinstance(node.left.type, t.SetType):
            return f"not {self.text(node.left, BIT_AND)} & ~{self.text(node.right, UNARY)}", NOT
        return f"contains_all({self.items(node.right)}, {self.items(node.left)})", ATOM

    def _cond(self, node: ir.Cond) -> Code:
        test = self.test(node.test, OR)
        if test in ("True", "False"):
            return self.code(node.then if test == "True" else node.other)
        then = self.text(node.then, OR)
        return f"{then} if {test} else {self.text(node.other, TERNARY)}", TERNARY

    def _otherwise(self, node: ir.Otherwise) -> Code:
        value, default = node.value, self.text(node.default, OR)
        if isinstance(value, ir.NoneSafe) and not isinstance(value.body.type, t.OptionalType):
            return self._unless_none(value.value, value.local, value.body, default)
        end = zone_end(self, value)
        if end is not None:
            zone, item = end
            return f"{item} if {zone} else {default}", TERNARY
        if self._iterable:
            return f"otherwise({self.text(value)}, lambda: {default})", ATOM
        name, text = self.names.fresh("value"), self.text(value)
        return f"{default} if ({name} := {text}) is None else {name}", TERNARY

    def _convert(self, node: ir.Convert) -> Code:
        if isinstance(node.type, t.SetType):
            low = self._low(node.type.item)
            return f"set_of({self.items(node.value)}{f', {low}' if low else ''})", ATOM
        return self.items(node.value), ATOM

    def _truth(self, node: ir.Truth) -> Code:
        value = node.value
        if isinstance(value.type, t.OptionalType) and not isinstance(value, ir.ZoneRead):
            return self._compared_with_none(value, "is not")
        if isinstance(value.type, t.SetType):
            return f"{self.text(value, BIT_OR)} != 0", COMPARE
        return f"bool({self.collection(value)[0]})", ATOM

    # ------------------------------------------------------------ collections

    def collection(self, node: ir.Expr) -> Code:
        """A collection where only emptiness matters."""
        if isinstance(node, ir.ZoneRead):
            return self.raw_zone(node), ATOM
        if isinstance(node.type, t.SetType):
            return self.code(node)
        return self.items(node), ATOM

    def items(self, node: ir.Expr) -> str:
        """A collection, or an optional, as something to iterate over and index."""
        if isinstance(node, ir.ZoneRead):
            stack = self.layout.zones[node.zone].zone.order == "stack"
            return self.raw_zone(node) + ("[::-1]" if stack else "")
        if isinstance(node.type, t.OptionalType):
            return f"some({self.text(node)})"
        if isinstance(node.type, t.SetType):
            low = self._low(node.type.item)
            return f"bits({self.text(node)}{f', {low}' if low else ''})"
        return self.text(node, ATOM)

    def _listof(self, node: ir.ListOf) -> Code:
        # A list in a list is a tuple, as in `lines`, so that it can be compared and counted once.
        items = (f"tuple({self.items(i)})" if isinstance(i.type, t.ListType) else self.text(i) for i in node.items)
        return f"[{', '.join(items)}]", ATOM

    def _rangeof(self, node: ir.RangeOf) -> Code:
        first, last = self.text(node.first), self.text(node.last, SUM)
        low, high = (node.last, node.first) if node.down else (node.first, node.last)
        if not is_narrow(low.type, high.type):
            return f"{'spread_down' if node.down else 'spread'}({first}, {self.text(node.last)})", ATOM
        if node.down:
            end = str(int(last) - 1) if last.lstrip("-").isdigit() else f"{last} - 1"
            return f"range({first}, {end}, -1)", ATOM
        end = str(int(last) + 1) if last.lstrip("-").isdigit() else f"{last} + 1"
        return f"range({first}, {end})", ATOM

    def _allof(self, node: ir.AllOf) -> Code:
        if node.start is not None:
            return f"seats_from[{self.text(node.start)}]", ATOM
        domain = self.layout.domain(node.of)
        if isinstance(node.of, t.SpotType):
            return f"[(space, turns) for space in range({domain.size // 4}) for turns in range(4)]", ATOM
        if domain.size <= 8:
            values = range(domain.low, domain.low + domain.size)
            if isinstance(node.of, t.BoolType):
                return "(False, True)", ATOM
            return f"({', '.join(map(str, values))}{',' if domain.size == 1 else ''})", ATOM
        start = f"{domain.low}, " if domain.low else ""
        return f"range({start}{domain.low + domain.size})", ATOM

    def _among(self, node: Among) -> Code:
        return f"{self.text(node.passing, ATOM)}[{self.text(node.item)}]", ATOM

    def _tabled(self, node: Tabled) -> Code:
        keys = []
        for key, low in zip(node.keys, node.lows, strict=True):
            shift = f" - {low}" if low > 0 else f" + {-low}" if low else ""
            keys.append(f"[{self.text(key, SUM if low else TERNARY)}{shift}]")
        return f"{node.name}{''.join(keys)}", ATOM

    def _until(self, node: ir.Until) -> Code:
        name = self.names.of(node.local)
        return f"until({self.items(node.value)}, lambda {name}: {self.test(node.stop)})", ATOM

    def loops(self, selection: ir.Selection) -> list[tuple[str, str]]:
        """The selection as loop heads and tests: ("for", "x in D") and ("if", "C"), outermost first."""
        clauses: list[tuple[str, str]] = []
        if selection.order is not None:
            kind, key = selection.order
            plain = ir.Selection(selection.bindings, selection.conditions, None, span=selection.span)
            names = ", ".join(self.names.of(local) for local in selection.locals)
            item = names if len(selection.locals) == 1 else f"({names})"
            self._iterable += 1
            pairs = self.comprehension(f"({self.text(key)}, {item})", plain)
            self._iterable -= 1
            return [("for", f"{names} in ordered([{pairs}], {kind == 'highest'})")]
        if self.shared.tabulator is not None:
            selection = self.shared.tabulator.selection(selection)
        self._iterable += 1
        tests = [[self.test(c, OR) for c in level] for level in selection.conditions[:1]]
        self._iterable -= 1
        tests += [[self.test(c, OR) for c in level] for level in selection.conditions[1:]]
        clauses += [("if", c) for c in tests[0]] if tests else []
        for n, binding in enumerate(selection.bindings):
            domain = binding.domain.value if isinstance(binding.domain, ir.Convert) else binding.domain
            if n and isinstance(domain.type, t.OptionalType) and not isinstance(domain, ir.ZoneRead):
                # Python makes no list here, only an assignment.
                self._iterable += 1
                name, value = self.names.of(binding.local), self.text(domain)
                self._iterable -= 1
                clauses += [("for", f"{name} in [{value}]"), ("if", f"{name} is not None")]
            else:
                clauses += [("for", head[4:-1]) for head in self.heads(binding)]
            clauses += [("if", c) for c in tests[n + 1]]
        return [c for c in clauses if c != ("if", "True")]

    def heads(self, binding: ir.Binding, items: tuple[ir.Local, ...] = ()) -> list[str]:
        """The heads of the loops of one binding, `for x in D:`; a zone's free indices have loops of their own.

        items: names for the items of a member, instead of one for the member.
        """
        domain = binding.domain
        heads = []
        self._iterable += 1
        if isinstance(domain, ir.ZoneFamily):
            place = self.layout.zones[domain.zone]
            indices: list[ir.Expr | str] = []
            for index, of in zip(domain.indices, place.per, strict=True):
                if isinstance(index, ir.Local):
                    name = self.names.of(index)
                    heads.append(f"for {name} in {self._values(of)}:")
                    indices.append(name)
                else:
                    indices.append(index)
            members = f"z[{self.flat(place.per, tuple(indices), place.base)}]"
            if place.zone.order == "stack":
                members += "[::-1]"
        else:
            members = self.items(domain)
        self._iterable -= 1
        names = [self.names.of(local) for local in (*binding.before, *(() if items else (binding.local,)))]
        if items:
            one = ", ".join(self.names.of(local) for local in items) + ("," if len(items) == 1 else "")
            names.append(f"({one})" if names else one)
        return [*heads, f"for {', '.join(names)} in {members}:"]

    def _values(self, domain: Domain) -> str:
        if isinstance(domain.type, t.BoolType):
            return "(False, True)"
        return f"range({f'{domain.low}, ' if domain.low else ''}{domain.low + domain.size})"

    def comprehension(self, body: str, selection: ir.Selection) -> str:
        """`body for x in D if C ...`; conditions before the first loop guard its domain."""
        clauses = self.loops(selection)
        before: list[str] = []
        while clauses and clauses[0][0] == "if":
            before.append(clauses.pop(0)[1])
        parts = [f"{word} {text}" for word, text in clauses]
        if before:
            head, _, items = parts[0].partition(" in ")
            parts[0] = f"{head} in ({items} if {' and '.join(before)} else ())"
        return f"{body} {' '.join(parts)}"

    def options(self, option: str, selection: ir.Selection) -> str:
        """A list of the options for the members of a selection, each once."""
        listed = f"[{self.comprehension(option, selection)}]"
        return f"unique({listed})" if any(may_repeat(b.domain) for b in selection.bindings) else listed

    # ------------------------------------------------------------ calls and aggregates

    def _functioncall(self, node: ir.FunctionCall) -> Code:
        test = self.shared.body_of(node)
        code = covering_test(self, test) if isinstance(test, ir.Aggregate) else None
        if code is not None:
            return code
        args = "".join(f", {self.text(a)}" for a in node.args)
        call = f"{self.shared.function_name(node.function, node.below)}(S{args})"
        kept = self.kept.get(shape(node)) if self.kept and not self._iterable else None
        if kept is not None:
            return f"{kept} if {kept} is not ... else ({kept} := {call})", TERNARY
        return call, ATOM

    def _builtin(self, node: ir.BuiltIn) -> Code:
        return _BUILT_INS[node.name](self, node)

    def _aggregate(self, node: ir.Aggregate) -> Code:
        selection = node.selection
        code = covering_test(self, node)
        if code is not None:
            return code
        first = self.names.of(selection.bindings[0].local)
        match node.kind:
            case "any" | "all":
                body = "True" if node.body is None else self.test(node.body)
                return f"{node.kind}({self.comprehension(self._closed(body), selection)})", ATOM
            case "count":
                if self._is_plain(selection):
                    return f"len({self.items(selection.bindings[0].domain)})", ATOM
                return f"sum([{self.comprehension('1', selection)}])", ATOM
            case "sum":
                assert node.body is not None
                total = f"sum([{self.comprehension(self._closed(self.text(node.body)), selection)}])"
                whole = isinstance(node.type, t.NumberType) and node.type.step == 1
                return (total if whole else f"norm({total})"), ATOM
            case "min" | "max":
                assert node.body is not None
                return (
                    f"{node.kind}([{self.comprehension(self._closed(self.text(node.body)), selection)}], default=None)",
                    ATOM,
                )
            case "most" | "least":
                assert node.body is not None
                return f"{node.kind}([{self.comprehension(f'({self.text(node.body)}, {first})', selection)}])", ATOM
        value = first if node.body is None else self._closed(self.text(node.body))
        if node.kind == "first":
            return f"next(({self.comprehension(value, selection)}), None)", ATOM
        listed = covering_filter(self, selection) if node.kind == "those" and node.body is None else ""
        listed = listed or f"[{self.comprehension(value, selection)}]"
        if node.kind == "last":
            return f"last_of({listed})", ATOM
        if node.body is None and len(selection.bindings) == 1:
            return listed, ATOM
        return f"unique({listed})", ATOM

    def _closed(self, body: str) -> str:
        return f"({body})" if " := " in body or " if " in body else body

    def _is_plain(self, selection: ir.Selection) -> bool:
        one = len(selection.bindings) == 1 and not any(selection.conditions)
        return one and not isinstance(selection.bindings[0].domain, ir.ZoneFamily)

    def _supposing(self, node: ir.Supposing) -> Code:
        """The value on a copy of the position; loops around may keep the copy for several values."""
        supposed = Supposed(len(self.shared.supposed) + 1, node, tuple(free(node.args)), tuple(free(node.value)))
        self.shared.supposed.append(supposed)
        params = "".join(f", {self.names.of(local)}" for local in supposed.params)
        copy = f"suppose_{supposed.number}(S{params})"
        kept = self.kept.get(shape((node.procedure, node.args)))
        if kept is not None:
            copy = f"{kept} if {kept} is not ... else ({kept} := {copy})"
        locals = "".join(f", {self.names.of(local)}" for local in supposed.locals)
        return f"supposed_{supposed.number}({copy}{locals})", ATOM

    def _way(self, node: ir.Way) -> Code:
        name = self.names.of(node.local)
        next_place = self.names.of(node.selection.bindings[0].local)
        steps = f"lambda {name}: [{self.comprehension(next_place, node.selection)}]"
        goal = f", lambda {name}: {self.test(node.goal)}" if node.goal is not None else ""
        return f"{node.kind}({self.text(node.start)}, {steps}{goal})", ATOM


def may_repeat(domain: ir.Expr) -> bool:
    """Whether a list may hold the same value more than once."""
    safe = ir.AllOf | ir.RangeOf | ir.Aggregate | ir.ZoneRead | ir.ZoneFamily | ir.BuiltIn | ir.Way | ir.Binary
    return isinstance(domain.type, t.ListType) and not isinstance(domain, safe)
