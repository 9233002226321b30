"""Bodies that can stop, as functions over an explicit frame.

A frame is a list: number of the unit in CODE, place, then parameters and locals. The function continues at its
place; where it must wait it stores the next place and returns: 1 for a decision (or chance), 2 for branches done
together, 0 when it has pushed a frame or is done. Between two places the code is structured Python.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
from attrs import define, field, frozen

from interpreter.compile.analysis import ordered_reads
from interpreter.compile.expressions import OR, Names, may_repeat
from interpreter.compile.internal import CallUnit, Forever, Leave, StartTogether, TurnAsk, Unit
from interpreter.compile.offers import Offers
from interpreter.compile.statements import Statements
from interpreter.compile.trees import free
from interpreter.compile.writer import Writer
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes
from rulespec.source import Span

DECISION, BRANCHES = "return 1", "return 2"


@frozen
class Decision:
    """A place where play stops. Its number in DECISIONS is `S.decision`.

    kind: choose, ask, turn, window or chance. options: name of the function that lists the options. weights: of the
    one that gives their odds (chance only). prompt: of the one that gives the prompt. phase: of a turn, else "".
    restart: the place to which the frame returns when an action of `any_time` comes between, or None.
    """

    kind: str
    options: str
    prompt: str
    weights: str
    span: Span
    restart: int | None = None
    any_time: str = ""
    phase: str = ""


@define
class Frames(Statements):
    """Emits one unit that can stop."""

    unit: Unit = field(kw_only=True)
    offers: Offers = field(kw_only=True)
    helpers: list[Writer] = field(factory=list, kw_only=True)
    """Functions emitted beside this one: options, prompts, weights."""
    _slots: int = 2
    _labels: int = 0
    _open: bool = True
    _leave: list[int] = field(factory=list)
    _later: list[tuple[int, TurnAsk, str, int, list[int]]] = field(factory=list)
    _exits: list[Callable[[], None]] = field(factory=list)

    # ------------------------------------------------------------ the function

    def emit(self) -> None:
        """Emits the whole function."""
        out = self.out
        for param in self.unit.params:
            self.slot(param)
        given = self._slots
        out.span = self.unit.span
        with out.block(f"def {self.unit.python_name}(S, F):"):
            out.put("stack = S.stack")
            out.put("place = F[1]")
            with out.block("while True:"):
                out.put("if place == 0:")
                out.indent += 1
                start = len(out.lines)
                self.block(self.unit.body)
                if self._open:
                    self.put("stack.pop()")
                    self.put("return 0")
                    self._open = False
                self._stuck_turns()
                out.indent -= 1
                if self._slots > given:
                    more = "    " * (out.indent + 1) + f"F += [None] * {self._slots - given}"
                    out.lines.insert(start, more)
                    out.spans.insert(start, self.unit.span)

    def _stuck_turns(self) -> None:
        """What happens where a turn has no legal action stands at the end, out of the way of ordinary turns."""
        for none, stmt, who, end, leave in self._later:
            self._leave = leave
            self.place(none)
            if stmt.stuck is None:
                self.put(f"raise Stuck({stmt.phase!r}, {who})")
                self._open = False
            else:
                self.block(stmt.stuck)
                self.go(end)

    def slot(self, local: ir.Local | None = None) -> str:
        """A place in the frame, for a local if one is given."""
        text = f"F[{self._slots}]"
        self._slots += 1
        if local is not None:
            self.names.texts[local] = text
        return text

    def label(self) -> int:
        """A new place, not yet set."""
        self._labels += 1
        return self._labels

    def place(self, label: int) -> None:
        """What follows is reached at this place, and from above."""
        if self._open:
            self.put(f"place = {label}")
        self.out.indent -= 1
        self.put(f"if place == {label}:")
        self.out.indent += 1
        self._open = True

    def go(self, label: int) -> None:
        """Continues at another place."""
        if self._open:
            self.put(f"place = {label}")
            self.put("continue")
        self._open = False

    def go_if(self, test: str, label: int) -> None:
        """Continues at another place where a Python condition holds."""
        with self.out.block(f"if {test}:"):
            self.put(f"place = {label}")
            self.put("continue")

    def stop(self, label: int, how: str) -> None:
        """Waits; play goes on at a place."""
        self.put(f"F[1] = {label}")
        self.put(how)
        self._open = False
        self.place(label)

    def target(self, local: ir.Local) -> str:
        """Locals of the body live in the frame; those inside a structured statement are Python locals."""
        if local not in self.names.texts and self._flat:
            return self.slot(local)
        return self.names.of(local)

    _flat: bool = True

    def statement(self, stmt: ir.Stmt) -> None:
        """Emits a statement: structured if it runs through, cut into places if it can stop."""
        self.out.span = stmt.span
        if not self._open:
            return
        cut = getattr(self, f"cut_{type(stmt).__name__.lower()}", None)
        if self.plan.explicit and not isinstance(stmt, ir.While | ir.Ask | ir.Window | TurnAsk):
            self.know(own_expressions(stmt), stmt)
        if cut is not None and self.plan.stops((stmt,)):
            cut(stmt)
            return
        if isinstance(stmt, Leave):
            self.go(self._leave[-1])
            return
        if isinstance(stmt, ir.Return):
            self.put(f"S.ret = {'None' if stmt.value is None else self.text(stmt.value)}")
            self.put("stack.pop()")
            self.put("return 0")
            self._open = False
            return
        if _leaves(stmt):
            assert cut is not None
            cut(stmt)
            return
        flat = self._flat
        self._flat = flat and isinstance(stmt, ir.Let | CallUnit)
        getattr(self, f"do_{type(stmt).__name__.lower()}")(stmt)
        self._flat = flat

    def block(self, block: ir.Block) -> None:
        """Emits statements; inside structured code all of them are structured."""
        for stmt in block:
            if self._flat:
                self.statement(stmt)
            else:
                self.out.span = stmt.span
                getattr(self, f"do_{type(stmt).__name__.lower()}")(stmt)

    # ------------------------------------------------------------ control

    def cut_if(self, stmt: ir.If) -> None:
        """`if` whose branches can stop."""
        test = self.test(stmt.test)
        if test in ("True", "False"):
            self.block(stmt.then if test == "True" else stmt.other)
            return
        other, end = self.label(), self.label()
        self.go_if(f"not ({test})", other if stmt.other else end)
        self.block(stmt.then)
        if stmt.other:
            self.go(end)
            self.place(other)
            self.block(stmt.other)
        self.place(end)

    def cut_while(self, stmt: ir.While) -> None:
        """`while` whose body can stop."""
        top, end = self.label(), self.label()
        self.place(top)
        if self.plan.explicit:
            self.know((stmt.test,))
        self.go_if(f"not ({self.test(stmt.test)})", end)
        self.tick()
        self.block(stmt.body)
        self.go(top)
        self.place(end)

    def cut_forever(self, stmt: Forever) -> None:
        """A loop until `Leave`."""
        top, end = self.label(), self.label()
        self.place(top)
        self.tick()
        self._leave.append(end)
        self.block(stmt.body)
        self._leave.pop()
        self.go(top)
        self.place(end)

    def cut_repeat(self, stmt: ir.Repeat) -> None:
        """`repeat n times` whose body can stop."""
        left = self.slot()
        top, end = self.label(), self.label()
        self.put(f"{left} = {self.text(stmt.times)}")
        self.place(top)
        self.go_if(f"{left} <= 0", end)
        self.put(f"{left} -= 1")
        self.block(stmt.body)
        self.go(top)
        self.place(end)

    def cut_for(self, stmt: ir.For) -> None:
        """`for` whose body can stop: the members and the next one's place are kept in the frame."""
        selection = stmt.selection
        members = self.slot()
        self.put(f"{members} = {self.members(selection)}")
        self.each(members, selection, stmt.body, again=True)

    def each(self, members: str, selection: ir.Selection, body: ir.Block, again: bool) -> None:
        """The body for each of the members in a frame slot; `again`: conditions are tested when its turn comes."""
        following = self.slot()
        top, end = self.label(), self.label()
        self.put(f"{following} = 0")
        self.place(top)
        self.go_if(f"{following} >= len({members})", end)
        names = ", ".join(self.bind(selection.locals))
        self.put(f"{names} = {members}[{following}]")
        self.put(f"{following} += 1")
        tests = self.tests(selection) if again else ""
        if tests:
            self.go_if(f"not ({tests})", top)
        self.block(body)
        self.go(top)
        self.place(end)

    def bind(self, locals: tuple[ir.Local, ...]) -> list[str]:
        """Gives locals that a comprehension has used places in the frame from here on."""
        return [self.slot(local) for local in locals]

    # ------------------------------------------------------------ calls

    def cut_callunit(self, stmt: CallUnit) -> None:
        """A unit that can stop: its frame goes on the stack."""
        args = "".join(f", {self.text(a)}" for a in stmt.args)
        self.put(f"stack.append([{self.plan.numbers[stmt.key]}{', 0'}{args}])  # {stmt.key}")
        self.stop(self.label(), "return 0")
        if stmt.local is not None:
            self.put(f"{self.target(stmt.local)} = S.ret")

    def cut_roweffect(self, stmt: ir.RowEffect) -> None:
        """A rule in a row that can stop."""
        assert isinstance(stmt.base.type, t.TableType)
        args = "".join(f", {self.text(a)}" for a in stmt.args)
        self.put(f"stack.append([{stmt.base.type.name}_{stmt.field}_numbers[{self.text(stmt.base)}], 0{args}])")
        self.stop(self.label(), "return 0")

    def cut_starttogether(self, stmt: StartTogether) -> None:
        """A branch for each seat."""
        captured = "".join(f", {self.names.of(local)}" for local in stmt.captured)
        (local,) = stmt.selection.locals
        branch = f"[{self.names.of(local)}, [[{self.plan.numbers[stmt.key]}, 0, {self.names.of(local)}{captured}]]]"
        self.put(f"S.branches = [{self.comprehension(branch, stmt.selection)}]")
        self.stop(self.label(), BRANCHES)

    # ------------------------------------------------------------ unknown order

    def know(self, trees: tuple[Any, ...], stmt: ir.Stmt | None = None) -> None:
        """With explicit chance: what is read of the order of a shuffled stack is found out by chance first."""
        shuffled = self.plan.analysis.shuffled
        direct = [
            *(ordered_reads(stmt) if stmt is not None else []),
            *(z for x in nodes(trees) for z in ordered_reads(x)),
        ]
        tops = [n.args[0] for n in nodes(trees) if isinstance(n, ir.BuiltIn) and n.name in ("top", "first")]
        numbers: dict[str, bool] = {}
        for zone in direct:
            if zone.zone in shuffled and not set(free(zone.indices)) - set(self.names.texts):
                number = self.zone(zone.zone, zone.indices)
                numbers[number] = numbers.get(number, False) or not any(zone is top for top in tops)
        within = self.plan.analysis.of(trees).order - {zone.zone for zone in direct}
        if isinstance(stmt, ir.Choose) and stmt.who is not None:
            within |= self._seen_tops()
        for name in sorted(within):
            place = self.layout.zones[name]
            numbers.update({str(place.base + i): not place.zone.top_seen_by for i in range(place.count)})
        if numbers:
            self._find_out(numbers)

    def know_offers(self, offers: tuple[ir.Offer, ...]) -> None:
        """As `know`, for what the options of some actions read, and for tops that everybody sees."""
        if not self.plan.explicit:
            return
        actions = [self.layout.spec.actions[offer.action] for offer in offers]
        trees = tuple((a.selection, a.when, *(x for pair in a.pay for x in pair)) for a in actions)
        names = self.plan.analysis.of(trees).order | self._seen_tops()
        numbers: dict[str, bool] = {}
        for name in sorted(names):
            place = self.layout.zones[name]
            numbers.update({str(place.base + i): not place.zone.top_seen_by for i in range(place.count)})
        if numbers:
            self._find_out(numbers)

    def _seen_tops(self) -> set[str]:
        return {n for n in self.plan.analysis.shuffled if self.layout.zones[n].zone.top_seen_by}

    def _find_out(self, numbers: dict[str, bool]) -> None:
        """Chance decides the tops (False) or whole orders (True) of stacks by zone number."""
        wanted = self.slot()
        ask, known = self.label(), self.label()
        self.place(ask)
        listed = ", ".join(f"({number}, {whole})" for number, whole in numbers.items())
        self.put(f"{wanted} = first_unknown(S, ({listed},))")
        self.go_if(f"{wanted} is None", known)
        options = self.helper("options", f"unknown_cards(S, {wanted}, DRAWS)")
        weights = self.helper("weights", f"unknown_weights(S, {wanted}, DRAWS)")
        self.decide(Decision("chance", options, "", weights, self.out.span or self.unit.span), "-1", None)
        self.put(f"know_top(S, {wanted}, S.chosen.key[0])")
        self.go(ask)
        self.place(known)

    def cut_draw(self, stmt: ir.Draw) -> None:
        """`draw` with explicit chance: every card is a chance node of its own."""
        left = self.slot()
        top, end = self.label(), self.label()
        source = self.raw_zone(stmt.source)
        number = self.zone(stmt.source.zone, stmt.source.indices)
        self.put(f"{left} = {self.text(stmt.amount)}")
        self.place(top)
        self.go_if(f"{left} <= 0", end)
        self.put(f"{left} -= 1")
        with self.out.block(f"if not {source}:"):
            self._flat = False
            if self.layout.zones[stmt.source.zone].zone.refilled_from:
                self.refill(stmt)
            with self.out.block(f"if not {source}:"):
                self.put(f"place = {end}")
                self.put("continue")
            self._flat = True
        self._find_out({number: False})
        self.draw_one(stmt)
        self.go(top)
        self.place(end)

    # ------------------------------------------------------------ decisions

    def decide(self, decision: Decision, who: str, none: int | None) -> None:
        """Stops for a decision; with no options play goes on at `none` (None: it stops all the same)."""
        self.plan.decisions.append(decision)
        self.put(f"S.seat = {who}")
        self.put(f"S.decision = {len(self.plan.decisions) - 1}")
        self.put(f"S.options = {decision.options}(S, F)")
        if none is not None:
            self.go_if("not S.options", none)
        self.stop(self.label(), DECISION)

    def helper(self, kind: str, body: str) -> str:
        """A function `kind_N(S, F)` that returns a value."""
        name = f"{kind}_{len(self.plan.decisions)}"
        out = Writer(span=self.out.span)
        with out.block(f"def {name}(S, F):"):
            out.put(f"return {body}")
        self.helpers.append(out)
        return name

    def prompt(self, prompt: ir.TextOf | None) -> str:
        """The function that gives a decision's prompt, or ""."""
        return self.helper("prompt", self.text(prompt)) if prompt is not None else ""

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
        who = self.slot()
        ask, end = self.label(), self.label()
        self.put(f"{who} = {self.text(stmt.who)}")
        self.place(ask)
        self.know_offers(stmt.offers)
        offers, passing = self._passing(stmt.offers)
        passes = stmt.passes or len(offers) < len(stmt.offers)
        options = self._offered(offers, who, self._pass(passing, who) if passes else [])
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

    def _pass(self, passing: tuple[ir.Offer, ...], who: str, always: bool = False) -> list[str]:
        """The option `pass` for a list of options: the declared action, else the one of the language."""
        if not passing:
            return ["PASS"]
        calls = [self._offer_call(offer, who) for offer in passing]
        return [f"*({call} or (PASS,))" if always else f"*{call}" for call in calls]

    def _act_pass(self, passing: tuple[ir.Offer, ...], who: str, following: int, before: str = "") -> None:
        """Goes on where `pass` was chosen."""
        with self.out.block("if S.chosen is PASS:"):
            if before:
                self.put(before)
            self.put(f"place = {following}")
            self.put("continue")
        if passing:
            with self.out.block("if S.chosen.name == 'pass':"):
                if before:
                    self.put(before)
                self.act(passing, who, following)
            self._open = True

    def cut_window(self, stmt: ir.Window) -> None:
        """`window`: each seat in order may act or pass, until all have passed in a row."""
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
        options = self._offered(offers, who, self._pass(passing, who, always=True))
        self.decide(Decision("window", options, "", "", stmt.span), who, None)
        self._act_pass(passing, who, ask, f"{passes} += 1")
        self.put(f"{passes} = 0")
        self.place(following)
        self.act(offers, who, ask)
        self.place(end)

    def cut_turnask(self, stmt: TurnAsk) -> None:
        """The decision of a turn."""
        who = self.slot()
        ask, none, end = self.label(), self.label(), self.label()
        self.put(f"{who} = {self.text(stmt.who)}")
        if stmt.any_time:
            self._before_turn(stmt, who)
        self.place(ask)
        every = (*stmt.offers, *stmt.any_time)
        self.know_offers(every)
        offers, passing = self._passing(stmt.offers)
        passes = stmt.passes or len(offers) < len(stmt.offers)
        more = self._pass(passing, who) if passes else []
        options = self._offered((*offers, *stmt.any_time), who, [*more, *(["DONE"] if stmt.done else [])])
        interrupts = self._interrupts(stmt.any_time) if stmt.any_time else ""
        restart = ask if stmt.any_time else None
        decision = Decision("turn", options, "", "", stmt.span, restart, interrupts, stmt.phase)
        self.decide(decision, who, none if not stmt.done else self._leave[-1])
        if stmt.done:
            self.go_if("S.chosen is DONE", self._leave[-1])
        if passes:
            self._act_pass(passing, who, self._leave[-1] if stmt.several else end)
        if stmt.any_time:
            taken = ", ".join(repr(offer.action) for offer in stmt.any_time)
            with self.out.block(f"if S.chosen.name in ({taken},):"):
                self.act(stmt.any_time, who, ask)
            self._open = True
        self.act(offers, who, end, next_to=True)
        self._later.append((none, stmt, who, end, self._leave[:]))
        self.place(end)

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
        always = self.offers.is_secret(stmt.any_time)
        options = self._offered(stmt.any_time, other, ["PASS"])
        with self.out.block(f"if not {always} and len({options}(S, F)) == 1:"):
            # What the seat could do is known to all: it need not be asked when it can do nothing.
            self.put(f"{passes} += 1")
            self.put(f"place = {ask}")
            self.put("continue")
        self.decide(Decision("window", options, "", "", stmt.span), other, None)
        with self.out.block("if S.chosen is PASS:"):
            self.put(f"{passes} += 1")
            self.put(f"place = {ask}")
            self.put("continue")
        self.put(f"{passes} = 0")
        self.act(stmt.any_time, other, ask)
        self.place(end)

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

    def act(self, offers: tuple[ir.Offer, ...], who: str, following: int, next_to: bool = False) -> None:
        """Does the chosen action, then continues at a place; `next_to`: that place is set right after this."""
        stopping = [self.plan.analysis.units[f"action {offer.action}"].stops for offer in offers]
        push = [
            f"stack.append([ENTRY[S.chosen.action], 0, {who}, *S.chosen.key])",
            f"F[1] = {following}",
            "return 0",
        ]
        if all(stopping):
            for line in push:
                self.put(line)
            self._open = False
            return
        if any(stopping):
            self.put("done = DO[S.chosen.action]")
            with self.out.block("if done is None:"):
                for line in push:
                    self.put(line)
            self.put(f"done(S, {who}, *S.chosen.key)")
        else:
            self.put(f"DO[S.chosen.action](S, {who}, *S.chosen.key)")
        if not next_to:
            self.go(following)


def own_expressions(stmt: ir.Stmt) -> tuple[Any, ...]:
    """The expressions of a statement itself, without those of the statements in its blocks."""
    found: list[Any] = []
    for attribute in attrs.fields(type(stmt)):
        value = getattr(stmt, attribute.name)
        if attribute.name not in ("body", "then", "other", "stuck", "span", "offers", "any_time"):
            found.append(value)
    return tuple(v for v in found if isinstance(v, (ir.Expr, ir.Selection, tuple)))


def _leaves(stmt: ir.Stmt) -> bool:
    """Whether a statement that runs through holds a `return` or `Leave` of the body around it."""
    match stmt:
        case ir.Return() | Leave():
            return True
        case ir.If():
            return any(_leaves(s) for s in (*stmt.then, *stmt.other))
        case ir.While() | ir.Repeat() | ir.For():
            return any(_leaves(s) for s in stmt.body)
        case ir.Choose():
            return any(_leaves(s) for s in (*stmt.body, *stmt.other))
        case Forever():
            return any(isinstance(s, ir.Return) or (not isinstance(s, Leave) and _leaves(s)) for s in stmt.body)
    return False


__all__ = ["OR", "Decision", "Frames", "Names"]
