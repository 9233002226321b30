"""Conditions as clauses, and their opposites."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interpreter.rulebook.blocks import Runs
from interpreter.rulebook.selections import Selections
from interpreter.rulebook.speech import Filled, Named, Noun, Phrase, merged
from interpreter.rulebook.teller import item, unconverted
from rulespec import checked as ir
from rulespec.check import types as t

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_QUANTITIES = {"==": "exactly", "!=": "other", "<": "fewer", "<=": "at_most", ">": "more", ">=": "at_least"}


def conjuncts(expr: ir.Expr) -> list[ir.Expr]:
    """The parts of a condition that are joined by `and`."""
    if isinstance(expr, ir.Binary) and expr.op == "and":
        return [*conjuncts(expr.left), *conjuncts(expr.right)]
    return [expr]


class Clauses(Selections):
    """Tells conditions: the deck is empty, you have at least one coin, there is no card that fits."""

    def condition(self, expr: ir.Expr, yes: bool = True) -> Runs:
        """A condition as a clause, or its opposite."""
        method = getattr(self, f"_if_{type(expr).__name__}", None)
        if method is None:
            return self._compare("==" if yes else "!=", expr, ir.Const(True, type=t.BOOL, span=expr.span))
        return method(expr, yes)  # type: ignore[no-any-return]

    def both(self, key: str, yes: bool, /, **arguments: Any) -> Runs:
        """A phrase that has an opposite."""
        return self.say(f"{key}.{'yes' if yes else 'no'}", **arguments)

    def _if_Const(self, expr: ir.Const, yes: bool) -> Runs:
        return self.say(f"expressions.Const.{'true' if bool(expr.value) == yes else 'false'}_cond")

    def _if_Convert(self, expr: ir.Convert, yes: bool) -> Runs:
        return self.condition(expr.value, yes)

    def _if_Unary(self, expr: ir.Unary, yes: bool) -> Runs:
        return self.say("expressions.Unary_not", cond=self.condition(expr.operand, not yes))

    def _if_OptionRead(self, expr: ir.OptionRead, yes: bool) -> Runs:
        return self.both("expressions.OptionRead_cond", yes, name=self.option(expr.option))

    def _if_LocalRead(self, expr: ir.LocalRead, yes: bool) -> Runs:
        found = self.locals.get(expr.local)
        if isinstance(found, Condition):
            return found.clause if yes else found.opposite
        given = self.lexicon.given_phrase(f"locals.{expr.local.name}")
        if isinstance(given, dict):
            return Filled(given["yes" if yes else "no"], {}, self.grammar).form("")
        return self.both("expressions.LocalRead_cond", yes, name=self.noun(expr))

    # ------------------------------------------------------------ and, or

    def _if_Binary(self, expr: ir.Binary, yes: bool) -> Runs:
        if expr.op not in ("and", "or"):
            return self._compare(expr.op if yes else _OPPOSITE[expr.op], expr.left, expr.right)
        parts = [part for part in self._parts(expr, expr.op) if self.known(part) is None]
        if not parts:
            return self.say(f"expressions.Const.{'true' if self.known(expr) == yes else 'false'}_cond")
        joint = expr.op if yes else {"and": "or", "or": "and"}[expr.op]
        told = []
        for part in parts:
            text = self.condition(part, yes)
            inner = part.operand if isinstance(part, ir.Unary) else part
            if len(parts) > 1 and isinstance(inner, ir.Binary) and inner.op in ("and", "or"):
                text = self.say(f"expressions.group_{joint}", cond=text)
            told.append(text)
        return self.listed(told, joint)

    def _parts(self, expr: ir.Expr, op: str) -> list[ir.Expr]:
        if isinstance(expr, ir.Binary) and expr.op == op:
            return [*self._parts(expr.left, op), *self._parts(expr.right, op)]
        return [expr]

    # ------------------------------------------------------------ comparisons

    def _compare(self, op: str, left: ir.Expr, right: ir.Expr) -> Runs:
        seen = self._seen(op, left, right)
        if seen is not None:
            return seen
        for side, other in ((left, right), (right, left)):
            if isinstance(side, ir.Const) and op in ("==", "!="):
                if side.value is None:
                    return self._none(other, op == "==")
                if isinstance(side.value, bool) and not isinstance(other, ir.Const) and self._is_told(other):
                    return self.condition(other, side.value == (op == "=="))
        if isinstance(left.type, t.BoolType) and not isinstance(right, ir.Const):
            return self.both("expressions.same_truth", op == "==", a=self.condition(left), b=self.condition(right))
        if isinstance(left, ir.ZoneIndex) and op in ("==", "!="):
            place = self.place(left.zone, (right,), "in")
            told = self.noun(left.component)
            return self.both("expressions.ZoneIndex_cond", op == "==", component=told, **{"in": place})
        counted = self._counted(left)
        if counted is not None:
            kind, where, tail = counted
            quantity = self.quantity(op, right, kind)
            return self.both("expressions.there", True, what=quantity, where=where, tail=tail)
        if isinstance(left, ir.VarRead) and self._has(left):
            who = self.noun(left.indices[0])
            noun = self.counted_noun(left.variable)
            assert noun is not None
            quantity = self.quantity(op, right, noun)
            return self.both("expressions.have", True, who=who, what=quantity)
        a, b = self.noun(left), self.noun(right)
        if isinstance(left, ir.OptionRead) and op in ("==", "!=") and isinstance(left.type, t.EnumType):
            return self.both("expressions.OptionRead_set", op == "==", a=self.option(left.option), b=b)
        if isinstance(left, ir.OptionRead) and isinstance(left.type, t.EnumType):
            b = self.fixed(b.form("quote"))
        if isinstance(left, ir.OptionRead):
            a = self.phrase("expressions.OptionRead_is", name=self.option(left.option))
        if op in ("==", "!=") and b.number == "you":
            a, b = b, a
        key, yes = {
            "==": ("==", True), "!=": ("==", False), "<": ("<", True), ">=": ("<", False),
            "<=": ("<=", True), ">": ("<=", False),
        }[op]  # fmt: skip
        return self.both(f"expressions.Binary.{key}", yes, a=a, b=b)

    def _is_told(self, expr: ir.Expr) -> bool:
        return hasattr(self, f"_if_{type(expr).__name__}")

    def _seen(self, op: str, left: ir.Expr, right: ir.Expr) -> Runs | None:
        """What lies on a space on which pieces are laid; None if this is no question of that."""
        left, right = unconverted(left), unconverted(right)
        if op not in ("==", "!=") or not isinstance(left, ir.BuiltIn) or left.name != "shown":
            return None
        space = self.noun(left.args[1])
        if isinstance(right, ir.Const) and right.value is None:
            return self.both("builtins.shown_none", op == "==", b=space)
        return self.both("builtins.shown_is", op == "==", b=space, x=self.noun(right))

    def _none(self, expr: ir.Expr, none: bool) -> Runs:
        if isinstance(expr, ir.ZoneRead):
            return self._zone_filled(expr, not none)
        if isinstance(expr, ir.ZoneIndex):
            return self._zone_index(expr, not none)
        key = "none_of" if isinstance(expr, ir.VarRead | ir.FieldRead) else "none"
        return self.both(f"expressions.Binary.{key}", none, a=self.noun(expr))

    def _has(self, expr: ir.VarRead) -> bool:
        """Whether a variable counts things that players have, so that its name is a plural."""
        if len(expr.indices) != 1 or not isinstance(expr.indices[0].type, t.PlayerType):
            return False
        return self.counted_noun(expr.variable) is not None and self.lexicon.given_phrase(expr.variable) is None

    def counted_noun(self, variable: str) -> Noun | None:
        """What a variable counts, if its name is that of things one has."""
        declared = self.spec.variables[variable]
        return self.lexicon.counted(variable) if isinstance(declared.type, t.NumberType) else None

    def _counted(self, expr: ir.Expr) -> tuple[Noun, Runs, Runs] | None:
        """What is counted, and where; None if nothing is."""
        match expr:
            case ir.SeatCount():
                return self.lexicon.noun("type", "player"), (), ()
            case ir.BuiltIn(name="count", args=(ir.ZoneRead() as zone,)):
                return self.kind_of(zone).noun, self.place(zone.zone, zone.indices, "in"), ()
            case ir.Aggregate(kind="count", selection=selection) if len(selection.bindings) == 1:
                domain = selection.bindings[0].domain
                if not isinstance(domain, ir.ZoneRead | ir.AllOf):
                    return None
                with self.scope():
                    _, tail = self.selected(selection, "bare")
                    noun = self.kind_of(domain).noun
                    where = self.place(domain.zone, domain.indices, "in") if isinstance(domain, ir.ZoneRead) else ()
                return noun, where, tail
        return None

    def quantity(self, op: str, amount: ir.Expr, noun: Noun) -> Phrase:
        """At least 3 dogs, no dogs, more dogs than ..."""
        key, value = _QUANTITIES[op], self.known(amount)
        if value in (0, 1) and (op, value) in (("==", 0), ("<=", 0), ("<", 1)):
            key = "zero"
        elif (op, value) in ((">", 0), (">=", 1), ("!=", 0)) and not noun.mass:
            key = "some"
        many = value != 1 and key != "some"
        kind = Named(noun, self.grammar, "bare", many and not noun.mass)
        number = "one" if (value == 1 and key != "zero") or noun.mass or key == "some" else "many"
        told = self.noun(amount)
        return self.phrase(f"expressions.quantity.{key}", number=number, n=told, kind=kind)

    def amount(self, amount: ir.Expr, noun: Noun) -> Phrase:
        """3 dogs, or as many dogs as ..."""
        value = self.known(amount)
        kind = Named(noun, self.grammar, "bare", value != 1 and not noun.mass)
        while isinstance(amount, ir.Convert):
            amount = amount.value
        if isinstance(amount, ir.FieldRead) and not amount.indices:
            table = item(amount.base.type)
            assert isinstance(table, t.TableType)
            shown = self.lexicon.noun("field", f"{table.name}.{amount.field}").one
            if shown in (noun.one, noun.many):
                owner = self.noun(amount.base)
                return self.phrase("expressions.amount_shown", number="many", kind=kind, owner=owner)
        key = "amount" if value is not None else "amount_of_mass" if noun.mass else "amount_of"
        number = "one" if value == 1 or noun.mass else "many"
        return self.phrase(f"expressions.{key}", number=number, n=self.noun(amount), kind=kind)

    # ------------------------------------------------------------ what is true of the position

    def _if_VarRead(self, expr: ir.VarRead, yes: bool) -> Runs:
        return self.named_truth("VarRead", "variable", expr.variable, expr.indices, yes)

    def _if_TableRead(self, expr: ir.TableRead, yes: bool) -> Runs:
        name = self.thing("constant", expr.table)
        return self.both("expressions.TableRead_cond", yes, name=name, args=self.nouns(expr.indices))

    def _if_FunctionCall(self, expr: ir.FunctionCall, yes: bool) -> Runs:
        if expr.below is not None:
            return self.both("expressions.usual_cond", yes)
        function = self.spec.functions[expr.function]
        params = [p.name for p in function.params[-1]] if function.params else []
        return self.named_truth("FunctionCall", "function", expr.function, expr.args, yes, params)

    def named_truth(
        self, form: str, kind: str, name: str, arguments: Sequence[ir.Expr], yes: bool, params: Sequence[str] = ()
    ) -> Runs:
        """A bool with a name: by the author's phrase, else the name applies to its arguments."""
        given = self.lexicon.given_phrase(name)
        if isinstance(given, dict):
            template = given.get("yes" if yes else "no")
            if template is not None:
                told = Filled(template, self.arguments(arguments, params), self.grammar)
                return self.linked(kind, name, told).form("") if kind == "function" else told.form("")
        thing = self.thing(kind, name)
        key = f"expressions.{form}_cond"
        if not arguments:
            return self.both(key, yes, name=thing)
        return self.both(f"{key}_of", yes, name=thing, args=self.nouns(arguments))

    def _if_FieldRead(self, expr: ir.FieldRead, yes: bool) -> Runs:
        table = item(expr.base.type)
        assert isinstance(table, t.TableType)
        given = self.lexicon.given_phrase(f"{table.name}.{expr.field}")
        base = self.noun(expr.base)
        if isinstance(given, dict):
            arguments = self.field_arguments(base, expr.indices)
            return Filled(given["yes" if yes else "no"], arguments, self.grammar).form("")
        name = self.named(self.lexicon.noun("field", f"{table.name}.{expr.field}"))
        return self.both("expressions.FieldRead_cond", yes, base=base, name=name)

    def _if_RowRule(self, expr: ir.RowRule, yes: bool) -> Runs:
        table = item(expr.base.type)
        assert isinstance(table, t.TableType)
        base, key = self.noun(expr.base), f"{table.name}.{expr.field}"
        given = self.lexicon.given_phrase(key)
        if isinstance(given, dict):
            params = self.spec.tables[table.name].fields[expr.field].params or ()
            arguments = {"row": base, **self.arguments(expr.args, [p.name for p in params])}
            return Filled(given["yes" if yes else "no"], arguments, self.grammar).form("")
        return self.both("expressions.RowRule_cond", yes, base=base, name=self.named(self.lexicon.noun("field", key)))

    def _if_NoneSafe(self, expr: ir.NoneSafe, yes: bool) -> Runs:
        with self.scope():
            self.bind(expr.local, self.noun(expr.value))
            return self.condition(expr.body, yes)

    def _if_Otherwise(self, expr: ir.Otherwise, yes: bool) -> Runs:
        return self.condition(expr.value, yes)

    # ------------------------------------------------------------ membership

    def _if_Member(self, expr: ir.Member, yes: bool) -> Runs:
        inside = expr.collection
        while isinstance(inside, ir.Convert):
            inside = inside.value
        found = self.noun(expr.item)
        match inside:
            case ir.ZoneRead(zone=zone, indices=indices):
                return self.both("expressions.Member.in", yes, item=found, **{"in": self.place(zone, indices, "in")})
            case ir.RangeOf(first=first, last=last):
                return self.both("expressions.Member.range", yes, item=found, a=self.noun(first), b=self.noun(last))
            case ir.ListOf(items=items) if (seen := self._seen_or_nothing(expr.item, items, yes)) is not None:
                return seen
            case ir.ListOf(items=items) if items:
                values = self.fixed(self.listed([self.noun(i).form("") for i in items], "or"))
                return self.both("expressions.Member.one_of", yes, item=found, list=values)
            case ir.FieldRead(base=base) if isinstance(expr.item, ir.Const):
                owner = self.noun(base)
                if inside.face is None:
                    return self.both("expressions.Member.shows", yes, owner=owner, item=found)
                face = self.lexicon.of("face", inside.face)
                return self.both("expressions.Member.shows_on", yes, owner=owner, item=found, face=face)
            case ir.OptionRead(option=option):
                name = self.option(option)
                return self.both("expressions.Member.chosen", yes, item=found, option=name)
        return self.both("expressions.Member.among", yes, item=found, list=self.noun(inside))

    def _seen_or_nothing(self, item: ir.Expr, items: Sequence[ir.Expr], yes: bool) -> Runs | None:
        """`shown(zone, x) in [none, a]`; None for any other list."""
        if not isinstance(item, ir.BuiltIn) or item.name != "shown":
            return None
        plain = [unconverted(i) for i in items]
        told = [i for i in plain if not (isinstance(i, ir.Const) and i.value is None)]
        if not told or len(told) == len(plain):
            return None
        values = self.fixed(self.listed([self.noun(i).form("bare") for i in told], "or"))
        return self.both("builtins.shown_none_or", yes, b=self.noun(item.args[1]), list=values)

    def _if_Within(self, expr: ir.Within, yes: bool) -> Runs:
        return self.both("expressions.Within", yes, a=self.noun(expr.left), b=self.noun(expr.right))

    def _if_Truth(self, expr: ir.Truth, yes: bool) -> Runs:
        value = expr.value
        while isinstance(value, ir.Convert):
            value = value.value
        match value:
            case ir.ZoneRead():
                return self._zone_filled(value, yes)
            case ir.ZoneIndex():
                return self._zone_index(value, yes)
            case ir.Aggregate(kind="those", body=None, selection=selection):
                return self._there(selection, [], yes)
            case ir.NoneSafe():
                with self.scope():
                    self.bind(value.local, self.noun(value.value))
                    return self._if_Truth(ir.Truth(value.body, type=t.BOOL, span=expr.span), yes)
        if isinstance(value, ir.VarRead) and isinstance(value.type, t.OptionalType):
            return self.both("expressions.Binary.none_of", not yes, a=self.noun(value))
        key = "list" if isinstance(value.type, t.ListType | t.SetType) else "value"
        return self.both(f"expressions.Truth.{key}", yes, x=self.noun(value))

    def _zone_filled(self, zone: ir.ZoneRead, yes: bool) -> Runs:
        if zone.zone.startswith("box ") or self.spec.zones[zone.zone].slot:
            place = self.place(zone.zone, zone.indices, "in")
            return self.both("expressions.Truth.slot", yes, kind=self.kind_of(zone), **{"in": place})
        owner, _ = self._owner(zone.indices)
        if owner is not None and len(zone.indices) == 1:
            place = self.place(zone.zone, zone.indices, "in")
            return self.both("expressions.Truth.there", yes, kind=self.kind_of(zone), **{"in": place})
        return self.both("expressions.Truth.zone", yes, x=self.zone(zone.zone, zone.indices))

    def _zone_index(self, expr: ir.ZoneIndex, yes: bool) -> Runs:
        place = self.place(expr.zone, (), "in")
        return self.both("expressions.ZoneIndex_cond", yes, component=self.noun(expr.component), **{"in": place})

    # ------------------------------------------------------------ there is, for all

    def _if_Aggregate(self, expr: ir.Aggregate, yes: bool) -> Runs:
        if expr.kind == "all":
            assert expr.body is not None
            if yes:
                with self.scope():
                    what, tail = self.selected(expr.selection, "each", form=self.grammar.cases[-1:][0] and "")
                    cond = self.condition(expr.body)
                    return self.say("expressions.Aggregate.all.yes", what=self.fixed(what), tail=tail, cond=cond)
            return self._there(expr.selection, [(expr.body, False)], True)
        more = [(part, True) for part in conjuncts(expr.body)] if expr.body is not None else []
        return self._there(expr.selection, more, yes)

    def _there(self, selection: ir.Selection, more: Sequence[tuple[ir.Expr, bool]], yes: bool) -> Runs:
        with self.scope():
            form = "acc" if "acc" in self.grammar.cases else ""
            what, tail = self.selected(selection, "a" if yes else "no", more=more, form=form)
            if not what:
                clause = self.listed(self.free)
                return clause if yes else self.say("expressions.not_so", cond=clause)
            return self.both("expressions.Aggregate.any", yes, what=self.fixed(what), tail=tail)

    def _if_Cond(self, expr: ir.Cond, yes: bool) -> Runs:
        if (test := self.known(expr.test)) is not None:
            return self.condition(expr.then if test else expr.other, yes)
        if self.known(expr.other) == yes and isinstance(self.known(expr.other), bool):
            then, cond = self.condition(expr.then, yes), self.condition(expr.test)
            return self.say("expressions.Cond_always", then=then, cond=cond)
        return self.say(
            "expressions.Cond_cond",
            cond=self.condition(expr.test),
            then=self.condition(expr.then, yes),
            other=self.condition(expr.other, yes),
        )

    def _if_Supposing(self, expr: ir.Supposing, yes: bool) -> Runs:
        call = self.call(expr.procedure, expr.args)
        return self.say("expressions.Supposing_cond", cond=self.condition(expr.value, yes), call=call)

    def _if_BuiltIn(self, expr: ir.BuiltIn, yes: bool) -> Runs:
        told = [self.noun(arg) for arg in expr.args]
        return self.both(f"builtins.{expr.name}", yes, **dict(zip("abcd", told, strict=False)))


class Condition(Phrase):
    """A local that stands for a condition."""

    def __init__(self, clause: Runs, opposite: Runs) -> None:
        self.clause, self.opposite = clause, opposite

    def form(self, form: str) -> Runs:
        """The clause."""
        return merged(self.clause)
