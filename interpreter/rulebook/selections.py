"""Selections: a card from your hand, each other player, the number of pieces on the board."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from interpreter.rulebook.blocks import Ref, Runs, Text, plain
from interpreter.rulebook.nouns import Nouns
from interpreter.rulebook.speech import Filled, Fixed, Named, Owned, Phrase, merged
from interpreter.rulebook.teller import item
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

_SIGN = "\ue000"
_BARE = ("bare", "bare_one", "the_many")
"""Determiners that show in nothing: of several things, and behind `the first`."""


class Selections(Nouns):
    """Tells selections and what is counted over them."""

    def selected(
        self, selection: ir.Selection, determiner: str, *, more: Sequence[tuple[ir.Expr, bool]] = (), form: str = ""
    ) -> tuple[Runs, Runs]:
        """What a selection goes through, and the conditions on it; its names are known afterwards.

        Args:
            selection: the selection.
            determiner: of the first name: a, each, no, bare (for the plural), the.
            more: conditions on top, each with whether it or its opposite is meant.
            form: the case.
        """
        free: list[Runs] = []
        names = [_names_of(binding) for binding in selection.bindings]
        conditions = [(c, True) for part in selection.conditions for c in part if self.known(c) is None]
        conditions += [(c, yes) for c, yes in more if self.known(c) is None]
        places = [self._place_of(c, names) for c, _ in conditions]
        free += [self.condition(c, yes) for (c, yes), n in zip(conditions, places, strict=True) if n < 0]
        many = determiner in ("bare", "all", "the_many")
        heads: list[tuple[Runs, list[Runs]]] = []
        for n, binding in enumerate(selection.bindings):
            inner = determiner if n == 0 or determiner in ("no", "a", "each") else "a"
            own = [c for c, place in zip(conditions, places, strict=True) if place == n]
            if _same_value(binding):
                self.bind(binding.local, self.noun(binding.domain))
                free += [self.condition(c, yes) for c, yes in own]
                continue
            if (slot := self._slot(binding.domain)) is not None:
                free.append(self._filled(slot))
                self.bind(binding.local)
                free += [self.condition(c, yes) for c, yes in own]
                continue
            head, phrase = self.binding(binding, inner, many and n == 0, form)
            heads.append((head, self._tail(binding.local, phrase, own, many and n == 0)))
        told = [merged((*head, *_flat(tail))) for head, tail in heads[:-1]] + [head for head, _ in heads[-1:]]
        what = self.listed(told)
        self.free = free if not heads else []
        before = self.say("selection.if_before", cond=self.listed(free)) if free else ()
        tail = merged((*(_flat(heads[-1][1]) if heads else ()), *before))
        if selection.order is not None:
            direction, key = selection.order
            return self.say(f"selection.by_{direction}", what=merged((*what, *tail)), key=self.noun(key)), ()
        return what, tail

    free: Sequence[Runs] = ()
    """Of the last selection that goes through nothing: its conditions, which stand alone then."""

    def _slot(self, domain: ir.Expr) -> ir.ZoneRead | None:
        """The slot whose component a name stands for."""
        while isinstance(domain, ir.Convert):
            domain = domain.value
        if isinstance(domain, ir.ZoneRead) and not domain.zone.startswith("box "):
            return domain if self.spec.zones[domain.zone].slot else None
        return None

    def _filled(self, slot: ir.ZoneRead) -> Runs:
        """That a slot is not empty."""
        return self.condition(ir.Truth(slot, type=t.BOOL, span=slot.span))

    @staticmethod
    def _place_of(condition: ir.Expr, names: Sequence[set[ir.Local]]) -> int:
        """The last name that a condition is about; -1 for none."""
        about = {node.local for node in nodes(condition) if isinstance(node, ir.LocalRead)}
        return max((n for n, bound in enumerate(names) if bound & about), default=-1)

    def whole(self, selection: ir.Selection, determiner: str, **arguments: object) -> Runs:
        """What a selection goes through with the conditions on it."""
        what, tail = self.selected(selection, determiner, **arguments)  # type: ignore[arg-type]
        return merged((*what, *tail))

    def _tail(
        self, local: ir.Local, phrase: Named, conditions: Sequence[tuple[ir.Expr, bool]], many: bool
    ) -> list[Runs]:
        """The relative clause of a name."""
        if not conditions:
            return []
        count = "many" if many else "one"
        which = phrase.form(f"which.{count}")
        texts: list[Runs] = []
        said = False
        fields = [_about_field(c, local) for c, _ in conditions]
        for (condition, yes), about in sorted(zip(conditions, fields, strict=True), key=lambda pair: not pair[1]):
            with self.scope():
                if about:
                    self.locals[local] = _Relative(phrase, count)
                text = self.condition(condition, yes)
                if not about and (that := self._that(local, phrase, condition, yes, many)) is not None:
                    texts.append(that)
                    continue
            if not about and not said:
                text = self.say("selection.where", which=which, cond=text)
                said = True
            texts.append(text)
        return [self.say("selection.whose", cond=self.listed(texts))]

    def _that(self, local: ir.Local, phrase: Named, condition: ir.Expr, yes: bool, many: bool) -> Runs | None:
        """A condition whose subject is the name itself: that fits; None where it is told in another way."""
        told = attrs.evolve(phrase, many=many)
        # A sign in its place shows whether the clause begins with it, and not with "the card at the end".
        self.locals[local] = Fixed((Text(_SIGN),), self.grammar, told.number)
        if not plain(self.condition(condition, yes)).startswith(f"{_SIGN} "):
            return None
        self.locals[local] = told
        text = self.condition(condition, yes)
        subject = plain(told.form("")) + " "
        rest = _without_start(text, len(subject))
        if rest is None:
            return None
        player = isinstance(item(local.type), t.PlayerType) and "player" in self.grammar.that
        key = "player" if player else "p" if many else phrase.noun.gender
        return self.say("selection.that", that=self.grammar.that[key], cond=rest)

    def binding(self, binding: ir.Binding, determiner: str, many: bool, form: str) -> tuple[Runs, Named]:
        """One name of a selection with its domain. Binds the name."""
        local, domain = binding.local, binding.domain
        while isinstance(domain, ir.Convert):
            domain = domain.value
        bound = self.bind(local, inner=True)
        assert isinstance(bound, Named)
        shape = f"{'many.' if many else ''}{'bare' if determiner in _BARE else determiner}"
        shape += f".{form}" if form else ""
        named = Named(bound.noun, self.grammar)  # the name as it is met first
        what = named.form(shape)

        match domain:
            case ir.FunctionCall(function=function, args=args) if self._told_of(function):
                template = self._told_of(function)
                params = [p.name for p in self.spec.functions[function].params[-1]]
                return Filled(template, {"what": what, **self.arguments(args, params)}, self.grammar).form(""), bound
            case ir.AllOf(start=None):
                return what, bound
            case ir.AllOf(start=start) if start is not None:
                return self.say("selection.beginning", what=what, start=self.noun(start)), bound
            case ir.BuiltIn(name="others", args=args):
                if self.noun(args[0]).number == "you" or len(self.locals) <= 2:
                    kind = self.named(self.lexicon.type_noun(local.type))
                    return kind.form(_another(shape)), bound
                return self.say("selection.of", what=what, domain=self.noun(domain)), bound
            case ir.BuiltIn(name="neighbours", args=(space, *towards)):
                directions = self.directions(towards[0]) if towards else "all"
                if directions:
                    key = "beside" if directions == "all" else f"beside_{directions}"
                    return self.say(f"selection.{key}", what=what, a=self.noun(space)), bound
            case ir.ZoneRead(zone=zone, indices=indices):
                place = self.place(zone, indices, "in")
                return self.say("selection.in", what=what, **{"in": place}), bound
            case ir.ZoneFamily(zone=zone, indices=indices):
                return self._family(what, zone, indices), bound
            case ir.OptionRead(option=option):
                return self.say("selection.of_option", what=what, option=self.option(option)), bound
            case ir.RangeOf(first=first, last=last, down=down):
                key = "selection.number_down" if down else "selection.number"
                return self.say(key, what=what, a=self.noun(first), b=self.noun(last)), bound
            case ir.ListOf(items=items) if items:
                values = self.fixed(self.listed([self.noun(i).form("") for i in items], "or"))
                return self.say("selection.of_values", what=what, domain=values), bound
            case ir.Until(value=value, local=inner, stop=stop):
                head, _ = self.binding(ir.Binding(local, value), determiner, many, form)
                with self.scope():
                    self.bind(inner)
                    return self.say("selection.until", what=head, cond=self.condition(stop)), bound
            case ir.Aggregate(kind="those", body=body, selection=selection) if self._first(selection, body):
                return self._those(local, selection, determiner, form), self._named(local)
        told = self.noun(domain)
        if self._says_kind(told, bound, local):
            key = determiner if determiner in ("a", "each", "no", "bare_one") else "bare"
            return self.say(f"selection.of_these.{key}", domain=told), bound
        return self.say("selection.of", what=what, domain=told), bound

    def _says_kind(self, domain: Phrase, bound: Named, local: ir.Local) -> bool:
        """Whether a collection's name says what its members are: the places where ..."""
        start = plain(domain.form(""))
        nouns = (bound.noun, self.lexicon.type_noun(local.type))
        return any(start.startswith(plain(Named(n, self.grammar).form("many.the")) + " ") for n in nouns)

    def _told_of(self, function: str) -> str:
        """The author's phrase for something out of the list that a function gives; "" for none."""
        given = self.lexicon.given_phrase(function)
        return str(given.get("of", "")) if isinstance(given, dict) else ""

    def _named(self, local: ir.Local) -> Named:
        found = self.locals[local]
        assert isinstance(found, Named)
        return found

    @staticmethod
    def _first(selection: ir.Selection, body: ir.Expr | None) -> bool:
        """Whether `those` gives the values of the only name."""
        only = len(selection.bindings) == 1
        return only and (body is None or (isinstance(body, ir.LocalRead) and body.local is selection.bindings[0].local))

    def _those(self, local: ir.Local, selection: ir.Selection, determiner: str, form: str) -> Runs:
        """A name that goes through `those(x in ..)` is told like x itself."""
        del self.locals[local]
        with self.scope():
            what = self.whole(selection, determiner, form=form)
            inner = self.locals[selection.bindings[0].local]
        self.locals[local] = inner
        return what

    def _family(self, what: Runs, zone: str, indices: Sequence[ir.Expr | ir.Local]) -> Runs:
        """A component in any of several instances of a zone."""
        given = [i for i in indices if isinstance(i, ir.Expr)]
        noun = self.lexicon.noun("zone", zone)
        owner = next((i for i in given if isinstance(i.type, t.PlayerType)), None)
        thing = self.thing("zone", zone)
        if owner is not None and len(given) == 1:
            told = self.say("selection.in_any_of", what=what, zone=Owned(self.noun(owner), thing))
        elif given:
            told = self.say("selection.in", what=what, **{"in": self.place(zone, given, "in")})
        else:
            told = self.say("selection.in_any", what=what, zone=Named(noun, self.grammar, link=thing.link))
        for index in indices:
            if isinstance(index, ir.Local):
                self.bind(index)
        return told

    # ------------------------------------------------------------ over selections

    def _Aggregate(self, expr: ir.Aggregate) -> Phrase:
        with self.scope():
            return self._aggregate(expr)

    def _aggregate(self, expr: ir.Aggregate) -> Phrase:
        kind, body, selection = expr.kind, expr.body, expr.selection
        key = f"expressions.Aggregate.{kind}"
        if kind in ("min", "max") and _is_name(body, selection):
            return self.phrase(f"{key}_of", what=self.fixed(self.whole(selection, "bare_one")))
        if kind in ("count", "sum") and all(self._slot(b.domain) or _same_value(b) for b in selection.bindings):
            self.selected(selection, "a")
            cond = self.listed(self.free)
            amount = self.noun(body) if body is not None else self.fixed("1")
            return self.phrase("expressions.Cond", then=amount, cond=cond, other=self.fixed("0"))
        if kind in ("count", "sum", "min", "max"):
            what = self.fixed(self.whole(selection, "bare", form=""))
            if body is None:
                return self.phrase(key, what=what)
            return self.phrase(key, what=what, body=self.noun(body))
        first = selection.bindings[0].local
        plain = body is None or (isinstance(body, ir.LocalRead) and body.local is first)
        if kind in ("first", "last"):
            order, bare = selection.order, ir.Selection(selection.bindings, selection.conditions, None, selection.span)
            determiner = self.grammar.first[kind] if order is None else "bare_one"
            what = self.fixed(self.whole(bare, determiner))
            if order is not None and kind == "first" and plain:
                return self.phrase(f"{key}_{order[0]}", what=what, key=self.noun(order[1]))
            if plain:
                return self.phrase(key, what=what)
            assert body is not None
            return self.phrase(f"{key}_body", what=what, body=self.noun(body))
        what = self.fixed(self.whole(selection, "the_many"))
        if kind in ("most", "least"):
            assert body is not None
            return self.phrase(key, number="many", what=what, body=self.noun(body))
        if plain:
            return self.phrase(key, number="many", what=what)
        assert body is not None
        return self.phrase(f"{key}_body", number="many", what=what, body=self.noun(body))

    def _Way(self, expr: ir.Way) -> Phrase:
        with self.scope():
            start = self.noun(expr.start)
            kind = self.named(self.lexicon.type_noun(expr.local.type))
            self.bind(expr.local)
            goal: Runs = self.condition(expr.goal) if expr.goal is not None else ()
            what = self.fixed(self.whole(expr.selection, "a"))
            number = "one" if expr.kind == "distance" else "many"
            key = f"expressions.Way.{expr.kind}"
            return self.phrase(key, number=number, start=start, kind=kind, next=what, goal=goal)


class _Relative(Phrase):
    """A name inside the relative clause that tells of it: `whose` in place of the card's."""

    def __init__(self, phrase: Named, count: str) -> None:
        self.phrase, self.count, self.in_front = phrase, count, True

    def form(self, form: str) -> Runs:
        """The words of a form."""
        if form in ("poss", "gen"):
            return self.phrase.form(f"whose.{self.count}")
        return self.phrase.form(form)


def _without_start(runs: Runs, letters: int) -> Runs | None:
    """Runs without their first letters, where these stand in one run."""
    first = runs[0]
    if isinstance(first, Text) and len(first.text) >= letters:
        return merged((Text(first.text[letters:]), *runs[1:]))
    if isinstance(first, Ref):
        inner = _without_start(first.runs, letters)
        return None if inner is None else (Ref(first.target, inner), *runs[1:])
    return None


def _flat(parts: Sequence[Runs]) -> Runs:
    return tuple(run for part in parts for run in part)


def _another(shape: str) -> str:
    """The shape of a determiner that leaves out whoever acts."""
    parts = shape.split(".")
    change = {"a": "another", "each": "each_other", "no": "no_other", "bare": "another"}
    return ".".join(change.get(part, part) for part in parts)


def _same_value(binding: ir.Binding) -> bool:
    """Whether a name only stands for an optional value: `x in first(..)`."""
    domain = binding.domain
    while isinstance(domain, ir.Convert):
        domain = domain.value
    kind = domain.type
    return isinstance(kind, t.OptionalType) and not isinstance(domain, ir.ZoneRead)


def _names_of(binding: ir.Binding) -> set[ir.Local]:
    """The names that a binding binds: of a component and of the places where it may lie."""
    indices = binding.domain.indices if isinstance(binding.domain, ir.ZoneFamily) else ()
    return {binding.local, *(index for index in indices if isinstance(index, ir.Local))}


def _is_name(body: ir.Expr | None, selection: ir.Selection) -> bool:
    """Whether a body is the only name of a selection itself."""
    return isinstance(body, ir.LocalRead) and len(selection.bindings) == 1 and body.local is selection.bindings[0].local


def _about_field(condition: ir.Expr, local: ir.Local) -> bool:
    """Whether a condition compares a field of the local: its number is 3."""
    if not isinstance(condition, ir.Binary) or condition.op not in ("==", "!=", "<", "<=", ">", ">="):
        return False
    left = condition.left
    return (
        isinstance(left, ir.FieldRead)
        and isinstance(left.base, ir.LocalRead)
        and left.base.local is local
        and not left.indices
        and not (isinstance(condition.right, ir.Const) and condition.right.value is None)
        and not isinstance(item(left.type), t.BoolType)
    )
