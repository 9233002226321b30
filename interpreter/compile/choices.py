"""Decisions: `choose`, `ask`, `window`, and the turn's own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define

from interpreter.compile.cuts import Decision
from interpreter.compile.events import negated
from interpreter.compile.expressions import OR, may_repeat
from interpreter.compile.internal import StartTogether, TurnAsk, Unit
from interpreter.compile.order import FindsOrder
from interpreter.compile.statements import is_small
from interpreter.compile.updates import kept
from interpreter.compile.writer import Writer
from rulespec import checked as ir
from rulespec.check.walk import nodes

MOST_IN_PLACE = 120
"""Nodes of the largest action that stands in the turn that asks for it."""
MOST_APART = 5
"""Actions that are told apart one after another."""


@define
class Choices(FindsOrder):
    """Cuts a body at its decisions."""

    def cut_choose(self, stmt: ir.Choose) -> None:
        """`choose`: one decision for each item, then the body for each."""
        selection = stmt.selection
        if stmt.who is None and not self.plan.explicit:
            self._pick_at_random(stmt)
            return
        if stmt.quantity is not None:
            self._choose_several(stmt, *stmt.quantity)
            return
        none, end = self.label(), self.label()
        decision, who = self._choice(stmt)
        if stmt.weight is not None:
            self.put(f"check_weights([weight for _, weight in {decision.weights}(S, F)])")
        self.decide(decision, who, none)
        slots = self.bind(selection.locals)
        self.put(f"{', '.join(slots)}, = S.chosen.key" if len(slots) == 1 else f"{', '.join(slots)} = S.chosen.key")
        self.block(stmt.body)
        self.go(end)
        self.place(none)
        self.block(stmt.other)
        self.place(end)

    def _pick_at_random(self, stmt: ir.Choose) -> None:
        """A random choice that does not stop itself, with a body that can."""
        members = self.slot()
        none, end = self.label(), self.label()
        self.put(f"{members} = {self.random_members(stmt)}")
        self.go_if(f"not {members}", none)
        self.each(members, stmt.selection, stmt.body, again=False)
        self.go(end)
        self.place(none)
        self.block(stmt.other)
        self.place(end)

    def _choice(self, stmt: ir.Choose) -> tuple[Decision, str]:
        selection = stmt.selection
        schema = self.plan.schemas.of("choose", selection.locals)
        names = [self.names.of(local) for local in selection.locals]
        option = f"A{schema.number}[{self.plan.schemas.place(schema, names)}]"
        listed = self.options(option, selection)
        options = self.helper("options", self.plan.schemas.distinct(schema, listed))
        if stmt.who is not None:
            return Decision("choose", options, self.prompt(stmt.prompt), "", stmt.span), self.text(stmt.who)
        weight = f"({option}, {self.text(stmt.weight) if stmt.weight is not None else '1'})"
        weights = self.helper("weights", f"[{self.comprehension(weight, selection)}]")
        return Decision("chance", options, "", weights, stmt.span), "-1"

    def _choose_several(self, stmt: ir.Choose, least: ir.Expr | None, most: ir.Expr | None) -> None:
        selection = stmt.selection
        members, picked, low, high = (self.slot() for _ in range(4))
        ask, body, none, end = (self.label() for _ in range(4))
        schema = self.plan.schemas.of("choose", selection.locals)
        one = len(selection.locals) == 1
        listed = self.members(selection)
        if stmt.who is not None and any(may_repeat(b.domain) for b in selection.bindings):
            listed = f"unique({listed})"
        self.put(f"{members} = {listed}")
        self.put(f"{picked} = []")
        self.put(f"{low} = {f'min({self.text(least)}, len({members}))' if least is not None else 0}")
        self.put(f"{high} = {f'min({self.text(most)}, len({members}))' if most is not None else f'len({members})'}")
        self.place(ask)
        self.go_if(f"len({picked}) >= {high}", body)
        alike = self.plan.schemas.alike(schema) or "None"
        arguments = f"S, {members}, {picked}, {low}, K{schema.number}, {one}, {alike}"
        if stmt.who is not None:
            options = self.helper("options", f"picks({arguments}, DONE)")
            decision = Decision("choose", options, self.prompt(stmt.prompt), "", stmt.span)
            self.decide(decision, self.text(stmt.who), None)
            self.go_if("S.chosen is DONE", body)
        else:
            options = self.helper("options", f"random_picks({arguments})[0]")
            weights = self.helper("weights", f"random_picks({arguments})[1]")
            self.decide(Decision("chance", options, "", weights, stmt.span), "-1", None)
        self.put(f"{picked} = pick({members}, {picked}, S.chosen, {one}, {stmt.who is not None})")
        self.go(ask)
        self.place(body)
        self.go_if(f"not {picked}", none)
        self.put(f"{members} = [{members}[i] for i in {picked}]")
        self.each(members, selection, stmt.body, again=False)
        self.go(end)
        self.place(none)
        self.block(stmt.other)
        self.place(end)

    def cut_ask(self, stmt: ir.Ask) -> None:
        """`ask`: one of some actions, perhaps again and again."""
        who = self._kept(stmt.who)
        ask, end = self.label(), self.label()
        self.place(ask)
        self.know_offers(stmt.offers)
        offers, passing = self._passing(stmt.offers)
        passes = stmt.passes or len(offers) < len(stmt.offers)
        more = ["PASS"] if passes and not passing else []
        options = self._offered((*offers, *(passing if passes else ())), who, more)
        self.decide(Decision("ask", options, self.prompt(stmt.prompt), "", stmt.span), who, end)
        if passes:
            self._act_pass(passing, who, end)
        self.act(offers, who, ask if stmt.repeatedly else end)
        self.place(end)

    def _passing(self, offers: tuple[ir.Offer, ...]) -> tuple[tuple[ir.Offer, ...], tuple[ir.Offer, ...]]:
        """The offers but for `pass`, and, where an action of that name exists, it."""
        others = tuple(offer for offer in offers if offer.action != "pass")
        passing = tuple(offer for offer in offers if offer.action == "pass")
        if not passing and "pass" in self.layout.spec.actions:
            passing = (ir.Offer("pass", (), span=self.out.span or self.unit.span),)
        return others, tuple(offer for offer in passing if self.offers.function(offer))

    def _pass(self, passing: tuple[ir.Offer, ...], who: str) -> list[str]:
        """The option `pass` of a window: the declared action if it can be done, else the one of the language."""
        return [f"*({self._offer_call(offer, who)} or (PASS,))" for offer in passing] or ["PASS"]

    def _act_pass(self, passing: tuple[ir.Offer, ...], who: str, following: int, before: str = "") -> None:
        """Goes on where `pass` was chosen."""
        if before or not passing:
            with self.out.block("if S.chosen is PASS:"):
                if before:
                    self.put(before)
                self.jump(following)
        if passing:
            self.put("action_ = S.chosen.action")
            with self.out.block(f"if action_ == {self._number(passing[0])}:"):
                if before:
                    self.put(before)
                self.act(passing, who, following, inside=True)
            self._open = True

    def cut_window(self, stmt: ir.Window) -> None:
        """`window`: each seat in order may act or pass, until all have passed in a row.

        A seat that can do nothing passes unasked, unless something hidden decides what it can do.
        """
        seats, turn, passes, who = (self.slot() for _ in range(4))
        ask, following, end = (self.label() for _ in range(3))
        self.put(f"{seats} = list({self.items(stmt.seats)})")
        self.put(f"{turn} = {passes} = 0")
        self.place(ask)
        self.go_if(f"{passes} >= len({seats})", end)
        self.put(f"{who} = {seats}[{turn} % len({seats})]")
        self.put(f"{turn} += 1")
        self.know_offers(stmt.offers)
        offers, passing = self._passing(stmt.offers)
        options = self._offered(offers, who, self._pass(passing, who))
        if not passing and not self.offers.is_secret(stmt.offers):
            self._pass_unasked(options, passes, ask)
        self.decide(Decision("window", options, "", "", stmt.span), who, None)
        self._act_pass(passing, who, ask, f"{passes} += 1")
        self.put(f"{passes} = 0")
        self.place(following)
        self.act(offers, who, ask)
        self.place(end)

    def cut_turnask(self, stmt: TurnAsk) -> None:
        """The decision of a turn."""
        who = self._kept(stmt.who)
        ask, none, end = self.label(), self.label(), self.label()
        if stmt.any_time:
            self._before_turn(stmt, who)
        self.place(ask)
        every = (*stmt.offers, *stmt.any_time)
        self.know_offers(every)
        offers, passing = self._passing(stmt.offers)
        passes = stmt.passes or len(offers) < len(stmt.offers)
        listed = (*offers, *stmt.any_time, *(passing if passes else ()))
        more = ["PASS"] if passes and not passing else []
        options = self._offered(listed, who, [*more, *(["DONE"] if stmt.done else [])])
        interrupts = self._interrupts(stmt.any_time) if stmt.any_time else ""
        restart = ask if stmt.any_time else None
        decision = Decision("turn", options, "", "", stmt.span, restart, interrupts, stmt.phase)
        self.decide(decision, who, none if not stmt.done else self._leave[-1])
        after = self.plan.decisions[-1].after
        if stmt.done:
            self.go_if("S.chosen is DONE", self._leave[-1])
        if passes:
            self._act_pass(passing, who, self._leave[-1] if stmt.several else end)
        if stmt.any_time:
            taken = ", ".join(repr(offer.action) for offer in stmt.any_time)
            with self.out.block(f"if S.chosen.name in ({taken},):"):
                self.act(stmt.any_time, who, ask, inside=True)
            self._open = True
        self.act(offers, who, end, next_to=True)
        if len(listed) == 1 and len(offers) == 1 and not more and not stmt.done:
            self._keep(offers[0], options, after)
        self._later.append((none, stmt, who, end, self._leave[:]))
        self.place(end)

    def _keep(self, offer: ir.Offer, options: str, after: int) -> None:
        """Where only the option that was taken can have changed, the others are not listed again."""
        action, unit = self.offers.spec.actions[offer.action], self.plan.units[f"action {offer.action}"]
        conditions = kept(self.unit.body, action, unit, self.plan.analysis)
        if not conditions or not _is_short(unit) or self.plan.analysis.units[unit.key].stops:
            return
        locals = action.selection.locals if action.selection is not None else ()
        if self.plan.schemas.alike(self.plan.schemas.of(action.name, locals, action.name)):
            return  # one of several that look alike stands for all
        assert action.selection is not None and self.plan.simplifier is not None
        (local,) = action.selection.locals
        taken = {local: ir.LocalRead(unit.params[-1], type=local.type, span=action.span)}
        tests = [self.test(negated(self.plan.simplifier.tree(condition, taken)), OR + 1) for condition in conditions]
        out = Writer()
        with out.block(f"if {' or '.join(tests)}:"):
            out.put("S.options = options_ = S.options[:]")
            out.put("options_.remove(S.chosen)")
        self._updates[after] = (f"S.options = {self._listed(options)}", out.lines)

    def _kept(self, who: ir.Expr) -> str:
        """The frame's slot of a seat: the local that holds it, or a new one."""
        if isinstance(who, ir.LocalRead):
            return self.text(who)
        slot = self.slot()
        self.put(f"{slot} = {self.text(who)}")
        return slot

    def _before_turn(self, stmt: TurnAsk, who: str) -> None:
        """Asked service of `any_time`: the other seats in turn order may act first, until all have passed."""
        seats, turn, passes, other = (self.slot() for _ in range(4))
        ask, end = self.label(), self.label()
        self.put(f"{seats} = list(seats_from[{who}][1:])")
        self.put(f"{turn} = {passes} = 0")
        self.place(ask)
        self.go_if(f"S.open or {passes} >= len({seats})", end)
        self.put(f"{other} = {seats}[{turn} % len({seats})]")
        self.put(f"{turn} += 1")
        options = self._offered(stmt.any_time, other, ["PASS"])
        if not self.offers.is_secret(stmt.any_time):
            self._pass_unasked(options, passes, ask)
        self.decide(Decision("window", options, "", "", stmt.span), other, None)
        with self.out.block("if S.chosen is PASS:"):
            self.put(f"{passes} += 1")
            self.jump(ask)
        self.put(f"{passes} = 0")
        self.act(stmt.any_time, other, ask)
        self.place(end)

    def _pass_unasked(self, options: str, passes: str, ask: int) -> None:
        """What the seat could do is known to all: it need not be asked where it can only pass."""
        with self.out.block(f"if len({options}(S, F)) == 1:"):
            self.put(f"{passes} += 1")
            self.jump(ask)

    def _interrupts(self, offers: tuple[ir.Offer, ...]) -> str:
        """The function that lists what another seat may do while a decision is open."""
        name = f"interrupts_{len(self.plan.decisions)}"
        out = Writer(span=self.out.span)
        with out.block(f"def {name}(S, seat):"):
            calls = [f"*{self.offers.function(offer)}(S, seat)" for offer in offers]
            out.put(f"return [{', '.join(calls)}]")
        self.helpers.append(out)
        return name

    def _offered(self, offers: tuple[ir.Offer, ...], who: str, more: list[str]) -> str:
        """The function that lists the options of an ask."""
        if self.offers.can_share(offers):
            name = f"options_{len(self.plan.decisions)}"
            self.helpers.append(self.offers.together(name, offers, who, more))
            return name
        calls = []
        for offer in offers:
            if self.offers.function(offer):
                calls.append(self._offer_call(offer, who))
        if len(calls) == 1 and not more:
            return self.helper("options", calls[0])
        return self.helper("options", f"[{', '.join([*(f'*{c}' for c in calls), *more])}]")

    def _offer_call(self, offer: ir.Offer, who: str) -> str:
        selection = self.layout.spec.actions[offer.action].selection
        names = [local.name for local in selection.locals] if selection is not None else []
        values = sorted(offer.fixed, key=lambda pair: names.index(pair[0]))
        fixed = "".join(f", {self.text(value)}" for _, value in values)
        return f"{self.offers.function(offer)}(S, {who}{fixed})"

    def act(
        self, offers: tuple[ir.Offer, ...], who: str, following: int, next_to: bool = False, inside: bool = False
    ) -> None:
        """Does the chosen action, then continues at a place.

        next_to: that place is set right after this. inside: this stands inside structured code, where none can be set.
        """
        units = [self.plan.units[f"action {offer.action}"] for offer in offers]
        stopping = [self.plan.analysis.units[unit.key].stops for unit in units]
        again = any(unit.key in self.plan.analysis.reached_from(unit.key) for unit in units)
        # Not in one another: what stands in place would grow with each step.
        here = not inside and not again and not self.in_turn
        if any(stopping) and here and len(units) <= MOST_APART and all(map(_is_short, units)):
            self._cut_here(offers, who, following, next_to)
            return
        if all(stopping):
            self._push_action(who, following)
            self._open = False
            return
        if len(units) == 1 and not _is_short(units[0]):
            names = [self.names.fresh(param.name) for param in units[0].params[1:]]
            self._read_chosen(names)
            self.put(f"{units[0].python_name}({', '.join(['S', who, *names])})")
        elif len(units) == 1:
            self._share_me(units, who)
            self._do_here(units[0])
        elif not any(stopping) and len(units) <= MOST_APART and all(map(_is_short, units)):
            self.put("action_ = S.chosen.action")
            self._share_me(units, who)
            for n, (offer, unit) in enumerate(zip(offers, units, strict=True)):
                with self.out.block(f"{'elif' if n else 'if'} action_ == {self._number(offer)}:"):
                    self._do_here(unit)
        elif any(stopping):
            self.put("done_ = DO[S.chosen.action]")
            with self.out.block("if done_ is None:"):
                self._push_action(who, following)
            self.put(f"done_(S, {who}, *S.chosen.key)")
        else:
            self.put(f"DO[S.chosen.action](S, {who}, *S.chosen.key)")
        if not next_to:
            self.go(following)

    def _cut_here(self, offers: tuple[ir.Offer, ...], who: str, following: int, next_to: bool) -> None:
        """The chosen action, in place, where some of the actions can stop; those stand after the others."""
        units = {self._number(offer): self.plan.units[f"action {offer.action}"] for offer in offers}
        stopping = {n: unit for n, unit in units.items() if self.plan.analysis.units[unit.key].stops}
        if len(units) > 1:
            self.put("action_ = S.chosen.action")
        for number, unit in units.items():
            if number not in stopping:
                with self.out.block(f"if action_ == {number}:"), self.names.apart():
                    self.names.texts[unit.params[0]] = who
                    self._do_here(unit)
                    self.jump(following)
        labels = {number: self.label() for number in [*stopping][:-1]}
        for number, label in labels.items():
            self.go_if(f"action_ == {number}", label)
        for number in reversed(stopping):  # the last one needs no test
            if number in labels:
                self.place(labels[number])
            with self.names.apart():
                self.names.texts[stopping[number].params[0]] = who
                with self._quickly():
                    self._bind_chosen(stopping[number])
                    self.block(stopping[number].body)
            if not next_to or number != next(iter(stopping)):
                self.go(following)

    def _number(self, offer: ir.Offer) -> int:
        """The number that `Action.action` has for an offer's action."""
        return list(self.layout.spec.actions).index(offer.action)

    def _bind_chosen(self, unit: Unit) -> None:
        """The arguments of the chosen action; those that nothing reads after the first stop need no frame."""
        body = unit.body
        first = next(n for n, stmt in enumerate(body) if self.plan.stops((stmt,)))
        later = {node.local for node in nodes(body[first:]) if isinstance(node, ir.LocalRead)}
        later |= {local for node in nodes(body[first:]) if isinstance(node, StartTogether) for local in node.captured}
        texts = []
        for param in unit.params[1:]:
            kept = param in later or self.plan.explicit
            texts.append(self.slot(param) if kept else self.names.of(param))
        self._read_chosen(texts)

    def _push_action(self, who: str, following: int) -> None:
        """A frame for the chosen action."""
        self.put(f"stack_.append([ENTRY[S.chosen.action], 0, {who}, *S.chosen.key])")
        self.resume(following)
        self.put("return 0")

    def _share_me(self, units: list[Unit], who: str) -> None:
        """The seat under the name that the bodies of some actions have for it."""
        names = {unit.params[0] for unit in units}
        reads = {node.local for unit in units for node in nodes(unit.body) if isinstance(node, ir.LocalRead)}
        if names & reads:
            text = self.names.of(units[0].params[0])
            self.names.texts.update(dict.fromkeys(names, text))
            self.put(f"{text} = {who}")

    def _do_here(self, unit: Unit) -> None:
        """The chosen action, in place."""
        with self._quickly():
            self._read_chosen([self.names.of(param) for param in unit.params[1:]])
            self.structured(unit.body)

    @contextmanager
    def _quickly(self) -> Iterator[None]:
        """For what is done in most turns."""
        before, self.in_turn = self.in_turn, True
        yield
        self.in_turn = before

    def _read_chosen(self, names: list[str]) -> None:
        if names:
            self.put(f"{', '.join(names)}{',' if len(names) == 1 else ''} = S.chosen.key")


def _is_short(unit: Unit) -> bool:
    """Whether the body of an action may stand where it is done."""
    return is_small(unit, MOST_IN_PLACE, ir.Return)
