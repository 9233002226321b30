"""Expressions as noun phrases."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import attrs

from interpreter.rulebook.blocks import Runs, Text
from interpreter.rulebook.speech import Filled, Named, Owned, Phrase, merged
from interpreter.rulebook.teller import Told, item, unconverted
from interpreter.rulebook.word_files import WordsError, source_of
from interpreter.texts import number
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.names import DIAGONAL, ORTHOGONAL
from rulespec.check.types import DIRECTION


class Nouns(Told):
    """Tells values: the card, your hand, the number of cards in the deck."""

    def noun(self, expr: ir.Expr) -> Phrase:
        """An expression as a noun phrase."""
        if isinstance(expr.type, t.BoolType) and not isinstance(expr, ir.Const | ir.LocalRead):
            return self.fixed(self.condition(expr))
        method = getattr(self, f"_{type(expr).__name__}")
        return method(expr)  # type: ignore[no-any-return]

    def nouns(self, exprs: Sequence[ir.Expr]) -> Runs:
        """Several, joined by "and"."""
        return self.listed([self.noun(expr).form("") for expr in exprs])

    # ------------------------------------------------------------ plain values

    def _Const(self, expr: ir.Const) -> Phrase:
        value, kind = expr.value, item(expr.type)
        if value is None:
            return self.fixed(self.phrases["expressions.Const.none"])
        if isinstance(value, bool):
            return self.fixed(self.phrases[f"expressions.Const.{'true' if value else 'false'}"])
        if isinstance(kind, t.EnumType) and isinstance(value, int):
            name = f"{kind.name}.{self.spec.enums[kind.name][value]}"
            return self.named(self.lexicon.noun("value", name), link=self.links.get(("value", name), ""))
        if isinstance(kind, t.NumberType):
            return self.fixed(number(value), "one" if value == 1 else "many")
        return self.fixed(self.lexicon.value(kind, value))

    def _RowRef(self, expr: ir.RowRef) -> Phrase:
        kind = item(expr.type)
        assert isinstance(kind, t.TableType)
        shape = self.spec.boards.get(kind.name)
        if shape is not None and expr.row in shape.spaces and len(expr.row) > 2:
            noun = self.lexicon.noun("row", f"{kind.name}.{expr.row}")
            return self.named(attrs.evolve(noun, proper=False))
        name = self.reference("row", f"{kind.name}.{expr.row}", self.lexicon.row(kind.name, expr.row))
        return self.phrase("expressions.RowRef", name=name)

    def _RowLookup(self, expr: ir.RowLookup) -> Phrase:
        kind = self.named(self.lexicon.type_noun(expr.type))
        return self.phrase("expressions.RowLookup", kind=kind, args=self.nouns(expr.args))

    def _OptionRead(self, expr: ir.OptionRead) -> Phrase:
        return self.phrase("expressions.OptionRead", name=self.option(expr.option))

    def option(self, name: str) -> Named:
        """The name of an option."""
        return self.thing("option", name, self.spec.source.options[name].label)

    def _SeatCount(self, expr: ir.SeatCount) -> Phrase:
        return self.phrase("expressions.SeatCount")

    def _LocalRead(self, expr: ir.LocalRead) -> Phrase:
        found = self.locals.get(expr.local)
        return self.bind(expr.local) if found is None else found

    def _TextOf(self, expr: ir.TextOf) -> Phrase:
        return self.phrase("expressions.TextOf", text=self.text(expr))

    def text(self, text: ir.TextOf) -> Runs:
        """A text of the author's with values in it, in the language of the book where the words have it."""
        parts = [(Text(p),) if isinstance(p, str) else self.noun(p).form("") for p in self._translated(text)]
        return merged(tuple(run for part in parts for run in part))

    def _translated(self, text: ir.TextOf) -> Sequence[str | ir.Expr]:
        """The parts of a text as the words of the game give it, with the same values.

        Raises:
            WordsError: they speak of a value that the text does not have.
        """
        values = {source_of(part.span): part for part in text.parts if not isinstance(part, str)}
        written = "".join(p if isinstance(p, str) else f"{{{source_of(p.span)}}}" for p in text.parts)
        given = self.lexicon.says.get(written)
        if given is None:
            return text.parts
        parts: list[str | ir.Expr] = []
        for n, piece in enumerate(re.split(r"\{([^{}]*)\}", given)):
            if n % 2 and piece not in values:
                there = ", ".join(f"{{{value}}}" for value in values) or "nothing"
                raise WordsError(f"the words for `{written}` have {{{piece}}}; the text has {there}")
            parts.append(values[piece] if n % 2 else piece)
        return parts

    # ------------------------------------------------------------ the position

    def _VarRead(self, expr: ir.VarRead) -> Phrase:
        return self.entry("variable", expr.variable, expr.indices)

    def _TableRead(self, expr: ir.TableRead) -> Phrase:
        return self.entry("constant", expr.table, expr.indices)

    def entry(self, kind: str, name: str, indices: Sequence[ir.Expr]) -> Phrase:
        """An entry of a variable or table: yours, a player's, or that of some other things."""
        given = self._given(name, indices)
        if given is not None:
            return given
        noun = self.thing(kind, name)
        if not indices:
            return noun
        owner, others = self._owner(indices)
        if not others and owner is not None:
            return Owned(self.noun(owner), noun)
        base: Phrase = noun if owner is None else Owned(self.noun(owner), noun)
        if len(others) == 1 and owner is None and not isinstance(others[0].type, t.EnumType | t.NumberType):
            return Owned(self.noun(others[0]), noun)
        at = "expressions.VarRead_at" if kind == "variable" else "expressions.TableRead"
        return self.phrase(at, name=base, args=self.nouns(others))

    @staticmethod
    def _owner(indices: Sequence[ir.Expr]) -> tuple[ir.Expr | None, list[ir.Expr]]:
        owner = next((i for i in indices if isinstance(i.type, t.PlayerType)), None)
        return owner, [i for i in indices if i is not owner]

    def _given(self, name: str, arguments: Sequence[ir.Expr], params: Sequence[str] = ()) -> Phrase | None:
        """The author's phrase for a value, if there is one."""
        given, number = self.lexicon.given_phrase(name), "one"
        template = given
        if isinstance(given, dict):
            template, number = given.get("value"), str(given.get("number", "one"))
        if not isinstance(template, str):
            return None
        return Filled(template, self.arguments(arguments, params), self.grammar, number)

    def arguments(self, arguments: Sequence[ir.Expr], params: Sequence[str] = ()) -> dict[str, Any]:
        """Arguments for an author's phrase: by the names of parameters and by number."""
        told = [self.noun(argument) for argument in arguments]
        return {str(n): phrase for n, phrase in enumerate(told)} | dict(zip(params, told, strict=False))

    def zone(self, name: str, indices: Sequence[ir.Expr | ir.Local], whose: Phrase | None = None) -> Phrase:
        """An instance of a zone: the deck, your hand, the player's hand. whose: its owner, told otherwise."""
        noun = self.thing("zone", name) if not name.startswith("box ") else self.named(self.lexicon.noun("type", "box"))
        told = [i for i in indices if isinstance(i, ir.Expr)]
        if given := self._given(name, told) if len(told) == len(indices) and told else None:
            return given
        owner, others = self._owner(told)
        base: Phrase = noun if owner is None else Owned(whose or self.noun(owner), noun)
        if owner is None and len(others) == 1 and not isinstance(item(others[0].type), t.NumberType | t.EnumType):
            return Owned(self.noun(others[0]), noun)
        if others:
            return self.phrase("expressions.VarRead_at", name=base, args=self.nouns(others))
        return base

    def place(self, name: str, indices: Sequence[ir.Expr | ir.Local], form: str, whose: Phrase | None = None) -> Runs:
        """A zone with its preposition: onto the pile, from your hand. form: to, in or from."""
        if name.startswith("box "):
            return self.say(f"places.box.{form}")
        zone = self.spec.zones[name]
        given = self.lexicon.names_given.get(f"zones.{name}", self.lexicon.names_given.get(name))
        phrase = self.zone(name, indices, whose)
        if isinstance(given, dict) and form in given:
            return Filled(given[form], {"z": phrase}, self.grammar).form("")
        kind = "board" if zone.laid_on else zone.order
        return self.say(f"places.{kind}.{form}", z=phrase)

    def _ZoneRead(self, expr: ir.ZoneRead) -> Phrase:
        if not expr.zone.startswith("box ") and self.spec.zones[expr.zone].slot:
            kind = self.named(self.lexicon.type_noun(expr.type))
            place = self.place(expr.zone, expr.indices, "in")
            return self.placed("expressions.ZoneRead_slot", place, kind=kind)
        return self.zone(expr.zone, expr.indices)

    def placed(self, key: str, place: Runs, /, **arguments: Any) -> Phrase:
        """A phrase with a place in it, which stands where it has `{in}`."""
        return Filled(self.phrases[key], {"in": place, **arguments}, self.grammar)

    def _ZoneFamily(self, expr: ir.ZoneFamily) -> Phrase:
        return self.phrase("expressions.ZoneFamily", name=self.zone(expr.zone, expr.indices))

    def _ZoneIndex(self, expr: ir.ZoneIndex) -> Phrase:
        index = self.named(self.lexicon.type_noun(expr.type))
        name = self.thing("zone", expr.zone)
        return self.phrase("expressions.ZoneIndex", index=index, name=name, component=self.noun(expr.component))

    # ------------------------------------------------------------ collections

    def _AllOf(self, expr: ir.AllOf) -> Phrase:
        kind = self.named(self.lexicon.type_noun(expr.of))
        if expr.start is not None:
            return self.phrase("expressions.AllOf_from", number="many", kind=kind, start=self.noun(expr.start))
        return self.phrase("expressions.AllOf", number="many", kind=kind)

    def _ListOf(self, expr: ir.ListOf) -> Phrase:
        if not expr.items:
            return self.phrase("expressions.ListOf_empty")
        if directions := self.directions(expr):
            return self.phrase(f"directions.{directions}", number="many")
        return self.phrase("expressions.ListOf", number="many", items=self.nouns(expr.items))

    @staticmethod
    def directions(expr: ir.Expr) -> str:
        """Which of the built-in lists of directions a list is; "" for none."""
        while isinstance(expr, ir.Convert):
            expr = expr.value
        if not isinstance(expr, ir.ListOf) or item(expr.type) != DIRECTION:
            return ""
        values: tuple[Any, ...] = tuple(i.value for i in expr.items if isinstance(i, ir.Const))
        return {ORTHOGONAL: "straight", DIAGONAL: "diagonal", tuple(range(8)): "all"}.get(values, "")

    def _RangeOf(self, expr: ir.RangeOf) -> Phrase:
        key = "expressions.RangeOf_down" if expr.down else "expressions.RangeOf"
        return self.phrase(key, number="many", a=self.noun(expr.first), b=self.noun(expr.last))

    def _Until(self, expr: ir.Until) -> Phrase:
        with self.scope():
            value = self.noun(expr.value)
            self.bind(expr.local)
            return self.phrase("expressions.Until", number="many", value=value, cond=self.condition(expr.stop))

    def _Convert(self, expr: ir.Convert) -> Phrase:
        return self.noun(expr.value)

    # ------------------------------------------------------------ fields and rows

    def _FieldRead(self, expr: ir.FieldRead) -> Phrase:
        table = item(expr.base.type)
        assert isinstance(table, t.TableType)
        base = self.noun(expr.base)
        noun = self.named(self.lexicon.noun("field", f"{table.name}.{expr.field}"))
        given = self.lexicon.given_phrase(f"{table.name}.{expr.field}")
        if isinstance(given, str):
            return Filled(given, self.field_arguments(base, expr.indices), self.grammar)
        if expr.face is not None:
            face = self.lexicon.of("face", expr.face)
            return self.phrase("expressions.FieldRead_face", base=base, name=noun, face=face)
        if expr.indices:
            args = self.nouns(expr.indices)
            return self.phrase("expressions.FieldRead_at", base=base, name=noun, args=args)
        return Owned(base, noun)

    def field_arguments(self, base: Phrase, indices: Sequence[ir.Expr]) -> dict[str, Any]:
        """What an author's phrase for a field speaks of: 0 is the row, 1 and on the indices."""
        return {"0": base} | {str(n): self.noun(index) for n, index in enumerate(indices, 1)}

    def _NoneSafe(self, expr: ir.NoneSafe) -> Phrase:
        with self.scope():
            self.bind(expr.local, self.noun(expr.value))
            return self.noun(expr.body)

    def _RowRule(self, expr: ir.RowRule) -> Phrase:
        table = item(expr.base.type)
        assert isinstance(table, t.TableType)
        base, name = self.noun(expr.base), self.named(self.lexicon.noun("field", f"{table.name}.{expr.field}"))
        given = self.lexicon.given_phrase(f"{table.name}.{expr.field}")
        if isinstance(given, str):
            params = self.spec.tables[table.name].fields[expr.field].params or ()
            arguments = self.arguments(expr.args, [p.name for p in params])
            return Filled(given, {"row": base, **arguments}, self.grammar)
        if expr.args:
            return self.phrase("expressions.RowRule_of", base=base, name=name, args=self.nouns(expr.args))
        return Owned(base, name)

    # ------------------------------------------------------------ arithmetic

    def _Unary(self, expr: ir.Unary) -> Phrase:
        return self.phrase("expressions.Unary", x=self.noun(expr.operand))

    def _Binary(self, expr: ir.Binary) -> Phrase:
        op, left, right = expr.op, expr.left, expr.right
        if (value := self.known(expr)) is not None:
            return self.fixed(number(value), "one" if value == 1 else "many")
        if isinstance(expr.type, t.ListType | t.SetType):
            key = "union" if op == "+" else "less"
            return self.phrase(f"expressions.Binary.{key}", number="many", a=self.noun(left), b=self.noun(right))
        if op == "*" and isinstance(unconverted(left), ir.Binary) and not isinstance(unconverted(right), ir.Binary):
            # "3 times the sum of a and b": the other way round, nobody would know what is taken three times.
            left, right = right, left
        inner = op not in ("+", "-")
        a, b = (self._operand(left), self._operand(right)) if inner else (self.noun(left), self.noun(right))
        if op == "*" and isinstance(left, ir.Const) and left.value == 2:
            return self.phrase("expressions.Binary.twice", b=b)
        if op == "/" and isinstance(right, ir.Const) and right.value == 2:
            return self.phrase("expressions.Binary.half", a=a)
        return self.phrase(f"expressions.Binary.{op}", a=a, b=b)

    def _operand(self, expr: ir.Expr) -> Phrase:
        """What is multiplied or divided: a sum as a whole."""
        inner = unconverted(expr)
        if isinstance(inner, ir.Binary) and inner.op in ("+", "-") and self.known(inner) is None:
            key = "sum" if inner.op == "+" else "difference"
            return self.phrase(f"expressions.Binary.{key}", a=self.noun(inner.left), b=self.noun(inner.right))
        return self.noun(expr)

    def _Cond(self, expr: ir.Cond) -> Phrase:
        if (test := self.known(expr.test)) is not None:
            return self.noun(expr.then if test else expr.other)
        cond = self.condition(expr.test)
        then, other = self.noun(expr.then), self.noun(expr.other)
        return self.phrase("expressions.Cond", then=then, cond=cond, other=other)

    def _Otherwise(self, expr: ir.Otherwise) -> Phrase:
        return self.phrase("expressions.Otherwise", value=self.noun(expr.value), default=self.noun(expr.default))

    # ------------------------------------------------------------ calls

    def _FunctionCall(self, expr: ir.FunctionCall) -> Phrase:
        if expr.below is not None:
            return self.phrase("expressions.usual")
        function = self.spec.functions[expr.function]
        params = [p.name for p in function.params[-1]] if function.params else []
        given = self._given(expr.function, expr.args, params)
        if given is not None:
            return self.linked("function", expr.function, given)
        name = self.thing("function", expr.function)
        if not expr.args:
            return name
        if len(expr.args) == 1 and isinstance(item(expr.args[0].type), t.PlayerType | t.TableType):
            return Owned(self.noun(expr.args[0]), name)
        return self.phrase("expressions.FunctionCall_of", name=name, args=self.nouns(expr.args))

    def _BuiltIn(self, expr: ir.BuiltIn) -> Phrase:
        name, args = expr.name, expr.args
        key = f"builtins.{name}"
        if name == "count" and isinstance(args[0], ir.ZoneRead):
            zone = args[0]
            where = self.place(zone.zone, zone.indices, "in")
            return self.placed("builtins.count_zone", where, kind=self.kind_of(args[0]))
        if name == "opponent" and self.noun(args[0]).number == "you":
            return self.named(self.lexicon.noun("type", "opponent"), "your")
        if name == "spot" and self.known(args[1]) == 0:
            key = "builtins.spot_unturned"
        if name == "neighbours" and len(args) > 1:
            key = "builtins.neighbours_in"
        if name in ("next", "previous") and len(args) > 1:
            key = f"builtins.{name}_n"
        if name in ("min", "max") and len(args) == 2 and (pair := self._limited(name, args)) is not None:
            return pair
        if name == "nth" and (place := self._ordinal(args[0], args[1])) is not None:
            return place
        if name == "times":
            assert isinstance(args[0], ir.Const)
            return self.phrase(key, a=self.fixed(self.lexicon.of("record", str(args[0].value))))
        told = [self.noun(arg) for arg in args]
        arguments: dict[str, Any] = dict(zip("abcd", told, strict=False))
        joined = self.listed([phrase.form("") for phrase in told])
        number = "many" if isinstance(expr.type, t.ListType | t.SetType) else "one"
        kind = self.named(self.lexicon.type_noun(expr.type))
        return self.phrase(key, number=number, kind=kind, args=joined, **arguments)

    def _ordinal(self, collection: ir.Expr, place: ir.Expr) -> Phrase | None:
        """The second card, or the second from the end."""
        ordinals = self.phrases.data["ordinals"]
        key, n = "first", self.known(place)
        match place:
            case ir.Binary(op="-", left=ir.BuiltIn(name="count", args=(counted,)), right=right) if n is None:
                if self.noun(counted).form("") == self.noun(collection).form(""):
                    key, n = "last", self.known(right)
                    n = n - 1 if n is not None else None
        if n is None or not 0 <= n < len(ordinals):
            return None
        kind = attrs.evolve(self.kind_of(collection), adjective=ordinals[int(n)])
        return self.phrase(f"builtins.nth_{key}", kind=kind, a=self.noun(collection))

    def _limited(self, name: str, args: Sequence[ir.Expr]) -> Phrase | None:
        """`max(0, x)`: x, but at least 0."""
        known = [self.known(arg) is not None for arg in args]
        if known.count(True) != 1:
            return None
        value, limit = (args[1], args[0]) if known[0] else (args[0], args[1])
        return self.phrase(f"builtins.{name}_const", a=self.noun(value), b=self.noun(limit))

    def kind_of(self, expr: ir.Expr) -> Named:
        """What the members of a collection are called."""
        return self.named(self.lexicon.type_noun(item(expr.type)))

    def _Supposing(self, expr: ir.Supposing) -> Phrase:
        value = self.noun(expr.value)
        return self.phrase("expressions.Supposing", value=value, call=self.call(expr.procedure, expr.args))

    def call(self, procedure: str, arguments: Sequence[ir.Expr]) -> Runs:
        """A call of a procedure as a sentence."""
        given = self.lexicon.given_phrase(procedure)
        declared = self.spec.procedures[procedure]
        params = [p.name for p in declared.params[-1]] if declared.params else []
        if isinstance(given, str):
            told = Filled(given, self.arguments(arguments, params), self.grammar)
            return self.linked("procedure", procedure, told).form("")
        name = self.reference("procedure", procedure, self.lexicon.of("procedure", procedure))
        if not arguments:
            return self.say("statements.Call", name=name)
        return self.say("statements.Call_args", name=name, args=self.nouns(arguments))
