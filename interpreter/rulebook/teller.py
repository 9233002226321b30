"""What the parts of the teller share: phrases, names, what locals are called, what is known beforehand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from interpreter.rulebook.blocks import Ref, Runs, Text
from interpreter.rulebook.lexicon import Lexicon, Phrases, words
from interpreter.rulebook.speech import Filled, Fixed, Linked, Named, Noun, Phrase, You, fill, joined
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.evaluate import ARITHMETIC, COMPARISONS
from rulespec.check.walk import nodes

Links = Mapping[tuple[str, str], str]
"""Ids of the places where things are told, by kind and name."""


class Told:
    """The base of the teller: nouns, conditions and effects are told by the classes on top of it."""

    def __init__(self, spec: ir.CheckedSpec, phrases: Phrases, lexicon: Lexicon) -> None:
        self.spec, self.phrases, self.lexicon, self.grammar = spec, phrases, lexicon, phrases.grammar
        self.links: dict[tuple[str, str], str] = {}
        self.here: str = ""
        """The id of the place that is being written; it needs no reference to itself."""
        self.locals: dict[ir.Local, Phrase] = {}
        self.inlined: list[str] = []
        """Procedures that are being told where they are called."""
        self.inline: set[str] = set()
        """Procedures that are told where they are called, because they have no place of their own."""
        self.acting: ir.Local | None = None
        least, most = spec.source.seats
        self.seats: int | None = least if least == most else None

    # ------------------------------------------------------------ phrases

    def say(self, key: str, /, **arguments: Any) -> Runs:
        """The words of a phrase."""
        return fill(self.phrases[key], arguments, self.grammar)

    def phrase(self, key: str, /, *, number: str = "one", **arguments: Any) -> Phrase:
        """A phrase whose case is chosen later."""
        return Filled(self.phrases[key], arguments, self.grammar, number)

    def fixed(self, text: str | Runs, number: str = "one") -> Fixed:
        """Words that never change."""
        return Fixed((Text(text),) if isinstance(text, str) else text, self.grammar, number)

    def named(self, noun: Noun, determiner: str = "the", link: str = "", many: bool = False) -> Named:
        """A noun phrase."""
        return Named(noun, self.grammar, determiner, many, (), "" if link == self.here else link)

    def you(self) -> You:
        """Whoever acts."""
        forms = self.phrases.data["pronouns"]
        return You({**{case: forms["you"] for case in self.grammar.cases}, **forms.get("forms", {})}, self.grammar)

    def their(self) -> You:
        """Whoever has just been named, as an owner."""
        word = self.phrases.data["pronouns"]["their"]
        return You(dict.fromkeys(["poss", *self.grammar.cases], word), self.grammar, determiner="their")

    def linked(self, kind: str, name: str, phrase: Phrase) -> Phrase:
        """A phrase that leads to where a thing is told."""
        target = self.links.get((kind, name), "")
        return Linked(phrase, target) if target and target != self.here else phrase

    def listed(self, parts: Sequence[Runs], last: str = "and") -> Runs:
        """`a, b and c`."""
        return joined(list(parts), self.phrases["templates.comma"], self.phrases[f"templates.list_{last}"])

    def thing(self, kind: str, name: str, default: str = "") -> Named:
        """The name of a declared thing, with a link to where it is told."""
        return self.named(self.lexicon.noun(kind, name, default), link=self.links.get((kind, name), ""))

    def reference(self, kind: str, name: str, text: str) -> Runs:
        """Words that lead to where a thing is told, if it is told."""
        target = self.links.get((kind, name), "")
        return (Ref(target, (Text(text),)),) if target and target != self.here else (Text(text),)

    # ------------------------------------------------------------ locals

    @contextmanager
    def scope(self) -> Iterator[None]:
        """What locals are called inside is forgotten afterwards."""
        before = dict(self.locals)
        try:
            yield
        finally:
            self.locals = before

    def bind(self, local: ir.Local, phrase: Phrase | None = None, *, inner: bool = False) -> Phrase:
        """Gives a local its name for all that follows. inner: it is known for a moment only, as `that card`."""
        found = phrase
        if found is None:
            found = self._apart(self._local_noun(local), local, inner)
        self.locals[local] = found
        return found

    def _local_noun(self, local: ir.Local) -> Noun:
        kind = self.lexicon.type_noun(local.type)
        typed = f"{local.name}.{type_name(local.type)}"
        if f"locals.{typed}" in self.lexicon.names_given:
            return self.lexicon.noun("local", typed)
        if f"locals.{local.name}" in self.lexicon.names_given:
            return self.lexicon.noun("local", local.name)
        name = words(local.name)
        short = len(name) <= 2 or name == kind.one.lower()
        if short or self.grammar.capital_nouns:
            return kind
        return Noun(name, self.lexicon._plural(name), kind.gender)

    def _apart(self, noun: Noun, local: ir.Local, inner: bool) -> Named:
        """A second thing of the same name is that one, or the other one."""
        taken = {
            (known.noun.one, known.determiner, known.adjective)
            for other, known in self.locals.items()
            if isinstance(known, Named) and other is not local
        }
        others = [("the", adjective) for adjective in self.phrases.data["pronouns"]["others"]]
        ways = [("the", ""), *([("that", "")] if inner else []), *others]
        determiner, adjective = next((way for way in ways if (noun.one, *way) not in taken), ways[-1])
        return Named(noun, self.grammar, determiner, adjective=adjective)

    def me(self, local: ir.Local | None) -> None:
        """The seat that acts is the reader."""
        if local is not None:
            self.locals[local] = self.you()
            self.acting = local

    # ------------------------------------------------------------ what is known beforehand

    def exists(self, only_if: ir.Expr | None) -> bool:
        """Whether something may exist in a game of this spec."""
        return only_if is None or self.known(only_if) is not False

    def layers(self, layers: Sequence[ir.Layer]) -> list[ir.Layer]:
        """The layers that may exist, but for those below the topmost one that surely does and says nothing of them."""
        return [layer for layer in layers if self.exists(layer.only_if)]

    def known(self, expr: ir.Expr) -> Any:
        """The value of an expression in every game of this spec; None where it is not the same in all."""
        match expr:
            case ir.Const(value=value):
                return value
            case ir.SeatCount():
                return self.seats
            case ir.OptionRead(option=option):
                return self._option(option)
            case ir.Convert(value=inner):
                return self.known(inner) if expr.type == inner.type else None
            case ir.Cond(test=test, then=then, other=other) if (which := self.known(test)) is not None:
                return self.known(then if which else other)
            case ir.Unary(op="not", operand=inner):
                value = self.known(inner)
                return None if value is None else not value
            case ir.Binary(op="and" | "or" as op, left=left, right=right):
                sides = (self.known(left), self.known(right))
                decides = op == "or"
                if decides in [side for side in sides if isinstance(side, bool)]:
                    return decides
                return None if None in sides else not decides
            case ir.Binary(op=op, left=left, right=right):
                a, b = self.known(left), self.known(right)
                if a is None or b is None:
                    return None
                operation: Callable[[Any, Any], Any] | None = COMPARISONS.get(op) or ARITHMETIC.get(op)
                return operation(a, b) if operation else None
        return None

    def _option(self, name: str) -> Any:
        """The default of an option that no game of this spec can choose; None for all others."""
        option = self.spec.options[name]
        if option.only_if is not None and self.known(option.only_if) is False:
            return option.default
        return None

    # ------------------------------------------------------------ told by the classes on top

    def noun(self, expr: ir.Expr) -> Phrase:
        """An expression as a noun phrase."""
        raise NotImplementedError

    def condition(self, expr: ir.Expr, yes: bool = True) -> Runs:
        """A condition as a clause, or its opposite."""
        raise NotImplementedError


def uses(tree: object, kind: type, name: str) -> int:
    """How often a declared thing is called in a tree."""
    attribute = {ir.Call: "procedure", ir.FunctionCall: "function"}[kind]
    return sum(isinstance(node, kind) and getattr(node, attribute) == name for node in nodes(tree))


def type_name(type: t.Type) -> str:
    """The name of a type in files of words."""
    match item(type):
        case t.PlayerType():
            return "player"
        case t.EnumType(name) | t.TableType(name=name):
            return name
    return ""


def item(type: t.Type) -> t.Type:
    """What a list, set or optional holds."""
    while isinstance(type, t.OptionalType | t.ListType | t.SetType):
        type = type.item
    return type


def unconverted(expr: ir.Expr) -> ir.Expr:
    """An expression without changes of its type."""
    while isinstance(expr, ir.Convert):
        expr = expr.value
    return expr
