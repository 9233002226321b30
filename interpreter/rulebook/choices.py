"""Choices as sentences and lists: what players may choose, and how many."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.rulebook.blocks import Runs, plain
from interpreter.rulebook.lines import Line, Lines
from interpreter.rulebook.speech import Named, Phrase, You, capital, merged
from interpreter.rulebook.teller import unconverted
from rulespec import checked as ir


class Choices(Lines):
    """Tells choices of players and of chance."""

    def _may(self, stmt: ir.Choose) -> list[Line] | None:
        """`choose up to 1 x in [y]` is to do something or to leave it; None for any other choice."""
        selection, quantity = stmt.selection, stmt.quantity
        if stmt.who is None or stmt.other or quantity is None or len(selection.bindings) != 1:
            return None
        domain = selection.bindings[0].domain
        while isinstance(domain, ir.Convert):
            domain = domain.value
        least, most = quantity
        one = most is not None and self.known(most) == 1 and (least is None or self.known(least) == 0)
        if not one or not isinstance(domain, ir.ListOf) or len(domain.items) != 1:
            return None
        who = self.actor(stmt.who)
        self.locals[selection.bindings[0].local] = self.noun(domain.items[0])
        conditions = [self.condition(test) for tests in selection.conditions for test in tests]
        key = "May.you" if isinstance(who, You) else "May.who"
        body = self.lines(stmt.body)
        if conditions:
            return self.under(f"{key}_if", body, who=who, cond=self.listed(conditions))
        return self.under(key, body, who=who)

    def _do_Choose(self, stmt: ir.Choose) -> list[Line]:
        may = self._may(stmt)
        if may is not None:
            return may
        who = self.actor(stmt.who) if stmt.who is not None else None
        form = "acc" if "acc" in self.grammar.cases else ""
        several = stmt.quantity is not None
        most = stmt.quantity[1] if stmt.quantity is not None else None
        one = most is not None and self.known(most) == 1
        what, tail = self.selected(stmt.selection, ("bare_one" if one else "bare") if several else "a", form=form)
        told = merged((*what, *tail))
        if stmt.quantity is not None:
            told = self._quantified(stmt.quantity, told)
        chosen = self.fixed(told)
        if who is None and stmt.weight is not None:
            head = self.say("statements.Choose.chance_weighted", what=chosen, weight=self.noun(stmt.weight))
        elif who is None:
            head = self.say("statements.Choose.chance", what=chosen)
        elif isinstance(who, You):
            head = self.say("statements.Choose.you", what=chosen)
        else:
            head = self.say("statements.Choose.who", who=who, what=chosen)
        if who is None and not several and (var := self._only_kept(stmt)) is not None:
            with self.scope():
                subject = self.whole(stmt.selection, "a")  # the choice above is in the case of what is picked
            return self.line("Choose.kept", var=var, what=self.fixed(subject))
        body = self.lines(stmt.body)
        found = [Line(head)]
        if several and body:
            found += self.under("Choose.body", body)
        else:
            found += body
        if stmt.other:
            found += self.under("Choose.other", self.lines(stmt.other))
        return found

    def _only_kept(self, stmt: ir.Choose) -> Phrase | None:
        """The variable that a choice by chance is for, where it does nothing else."""
        if stmt.weight is not None or stmt.other or len(stmt.body) != 1 or len(stmt.selection.locals) != 1:
            return None
        kept = stmt.body[0]
        value = unconverted(kept.value) if isinstance(kept, ir.SetVar) else None
        if not isinstance(kept, ir.SetVar) or not isinstance(value, ir.LocalRead):
            return None
        if value.local is not stmt.selection.locals[0] or kept.indices:
            return None
        return self.noun(ir.VarRead(kept.variable, (), type=value.type, span=kept.span))

    def _quantified(self, quantity: tuple[ir.Expr | None, ir.Expr | None], what: Runs) -> Runs:
        least, most = quantity
        if least is None and most is None:
            return self.say("selection.any_number", what=what)
        if least is None or self.known(least) == 0:
            assert most is not None
            return self.say("selection.up_to", n=self.noun(most), what=what)
        if most is None:
            return self.say("selection.at_least", n=self.noun(least), what=what)
        if least is most or (self.known(least) is not None and self.known(least) == self.known(most)):
            key = "exactly" if _is_short(least) else "exactly_as"
            return self.say(f"selection.{key}", n=self.noun(least), what=what)
        key = "between" if _is_short(least) and _is_short(most) else "between_as"
        return self.say(f"selection.{key}", a=self.noun(least), b=self.noun(most), what=what)

    def _do_Ask(self, stmt: ir.Ask) -> list[Line]:
        who = self.actor(stmt.who)
        offers = [Line(self._offer(offer)) for offer in stmt.offers if self.exists(self._only_if(offer))]
        if stmt.passes and not stmt.repeatedly:
            offers.append(Line(self.say("statements.Ask.passes")))
        # Whoever can pass may stop; without that it goes on for as long as something is possible.
        often = ("_at_will" if stmt.passes else "_repeatedly") if stmt.repeatedly else ""
        key = ("you" if isinstance(who, You) else "who") + often
        return [Line(self.say(f"statements.Ask.{key}", who=who), tuple(offers))]

    def _only_if(self, offer: ir.Offer) -> ir.Expr | None:
        return self.spec.actions[offer.action].only_if

    def _offer(self, offer: ir.Offer) -> Runs:
        name = self.action_name(offer.action)
        fixed = [expr for _, expr in offer.fixed if not _seen_in(expr, self.locals)]
        if not fixed:
            return self.say("statements.Ask.offer", action=name)
        told = self.listed([self.say("statements.Ask.fixed", value=self.noun(expr)) for expr in fixed])
        return self.say("statements.Ask.offer_fixed", action=name, fixed=told)

    def action_name(self, action: str) -> Runs:
        """The name of an action, leading to its rules."""
        return self.reference("action", action, self.action_title(action))

    def action_title(self, action: str) -> str:
        """The name of an action: by its words, else its label with its parameters in words, else its name."""
        declared = self.spec.actions[action]
        if declared.label is None or self.lexicon._given("action", action) is not None:
            return capital(self.lexicon.of("action", action))
        parts: list[str] = []
        with self.scope():
            self.locals = {}
            self.me(declared.me)
            for local in declared.selection.locals if declared.selection else ():
                self.bind(local)
            for part in declared.label.parts:
                if isinstance(part, str):
                    parts.append(part)
                    continue
                phrase = self.noun(part)
                before = parts[-1] if parts else ""
                determiner = "bare" if before.split()[-1:] in (["the"], ["a"], ["an"]) else "a"
                form = determiner if isinstance(phrase, Named) else ""
                parts.append(plain(phrase.form(form)))
        return capital("".join(parts))

    def _do_Window(self, stmt: ir.Window) -> list[Line]:
        offers = [Line(self._offer(offer)) for offer in stmt.offers if self.exists(self._only_if(offer))]
        return [Line(self.say("statements.Window.many", seats=self.noun(stmt.seats)), tuple(offers))]


def _is_short(expr: ir.Expr) -> bool:
    """Whether a number can stand before what it counts."""
    return isinstance(unconverted(expr), ir.Const | ir.LocalRead)


def _seen_in(expr: ir.Expr, locals: Iterable[ir.Local]) -> bool:
    """Whether a fixed argument is only the name that a loop has just given."""
    return isinstance(expr, ir.LocalRead) and expr.local in set(locals)
