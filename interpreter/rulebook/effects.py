"""Effects as sentences and lists."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from interpreter.rulebook.blocks import Runs, plain
from interpreter.rulebook.choices import Choices
from interpreter.rulebook.clauses import Condition
from interpreter.rulebook.lines import Line
from interpreter.rulebook.speech import Filled, You, merged
from interpreter.rulebook.teller import item
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes


class Effects(Choices):
    """Tells effects: sentences, and lists where something depends, repeats or is chosen."""

    # ------------------------------------------------------------ locals

    @cached_property
    def _changing(self) -> set[ir.Local]:
        """Locals that get a new value later."""
        spec = self.spec
        bodies: list[object] = [spec.setup, *(p.layers for p in (*spec.procedures.values(), *spec.functions.values()))]
        bodies += [action.do for action in spec.actions.values()]
        bodies += [trigger.do for trigger in spec.triggers]
        todo = list(spec.phases)
        while todo:
            phase = todo.pop()
            todo += phase.phases
            bodies += [phase.do, phase.if_stuck, phase.before_turn, phase.after_turn]
        for table in spec.tables.values():
            bodies += [v[1] for row in table.rows for v in row.values.values() if isinstance(v, tuple) and len(v) == 2]
        found = (node for body in bodies for node in nodes(body) if isinstance(node, ir.Let | ir.LetCall))
        return {node.local for node in found if node.again}

    def _do_Let(self, stmt: ir.Let) -> list[Line]:
        fixed = stmt.local not in self._changing and _reads_nothing(stmt.value)
        if isinstance(stmt.value.type, t.BoolType):
            cond = self.condition(stmt.value)
            if fixed:
                self.locals[stmt.local] = Condition(cond, self.condition(stmt.value, False))
                return []
            return self._noted(stmt, cond)
        told = self.noun(stmt.value)
        if fixed:
            self.locals[stmt.local] = told
            return []
        name = self.locals.get(stmt.local) if stmt.again else None
        if name is None:
            name = self.bind(stmt.local)
        return self.line("Let_again" if stmt.again else "Let", name=name, value=told)

    def _noted(self, stmt: ir.Let, cond: Runs) -> list[Line]:
        """A truth that later effects ask for; the author may have said what it is about."""
        given = self.lexicon.given_phrase(f"locals.{stmt.local.name}")
        key = "Let_bool_again" if stmt.again else "Let_bool"
        if not isinstance(given, dict):
            self.locals[stmt.local] = Condition(self.say("statements.noted.yes"), self.say("statements.noted.no"))
            return self.line("Let_bool", cond=cond)
        local = ir.LocalRead(stmt.local, type=stmt.local.type, span=stmt.span)
        known = self.known(stmt.value)
        if isinstance(known, bool):
            return self.line(f"{key}_known", cond=self.condition(local, known))
        return self.line(f"{key}_told", told=self.condition(local), cond=cond)

    def _do_LetCall(self, stmt: ir.LetCall) -> list[Line]:
        below = stmt.call.below is not None
        call = self.say("statements.Usual") if below else self.call(stmt.call.procedure, stmt.call.args)
        if isinstance(stmt.local.type, t.BoolType):
            self.locals[stmt.local] = Condition(self.say("statements.answer.yes"), self.say("statements.answer.no"))
            return [Line(call)]
        return self.line("LetCall", call=call, name=self.bind(stmt.local))

    # ------------------------------------------------------------ variables

    def _do_SetVar(self, stmt: ir.SetVar) -> list[Line]:
        declared = self.spec.variables[stmt.variable]
        entry = ir.VarRead(stmt.variable, stmt.indices, type=declared.type, span=stmt.span)
        change = self._change(stmt)
        if change is not None:
            sign, amount = change
            return self._raised(stmt, entry, sign, amount)
        value = stmt.value
        kind = declared.type
        if isinstance(kind, t.BoolType):
            known = self.known(value)
            if isinstance(known, bool):
                return self.line("SetVar.yes", cond=self.condition(entry, known))
            return self.line("SetVar.bool", cond=self.condition(value), var=self.condition(entry))
        var = self.noun(entry)
        if isinstance(value, ir.Const) and value.value is None:
            is_player = isinstance(item(kind), t.PlayerType)
            return self.line("SetVar.nobody" if is_player else "SetVar.none", var=var)
        if isinstance(kind, t.NumberType):
            return self.line("SetVar.set", var=var, value=self.noun(value))
        return self.line("SetVar.set_place", var=var, value=self.noun(value))

    def _change(self, stmt: ir.SetVar) -> tuple[str, ir.Expr] | None:
        """The sign and amount of `+=` and `-=`."""
        value = stmt.value
        while isinstance(value, ir.Convert):
            value = value.value
        if not isinstance(value, ir.Binary) or value.op not in ("+", "-"):
            return None
        left = value.left
        while isinstance(left, ir.Convert):
            left = left.value
        if not isinstance(left, ir.VarRead) or left.variable != stmt.variable:
            return None
        mine = [plain(self.noun(i).form("")) for i in stmt.indices]
        if mine != [plain(self.noun(i).form("")) for i in left.indices]:
            return None
        return value.op, value.right

    def _raised(self, stmt: ir.SetVar, entry: ir.VarRead, sign: str, amount: ir.Expr) -> list[Line]:
        clamp = "_clamp" if stmt.clamp else ""
        if isinstance(item(entry.type), t.NumberType) and not isinstance(entry.type, t.SetType | t.ListType):
            if self._has(entry):
                verb = "gain" if sign == "+" else "lose"
                noun = self.counted_noun(stmt.variable)
                assert noun is not None
                what = self.amount(amount, noun)
                who = self.noun(stmt.indices[0])
                if isinstance(who, You):
                    return self.line(f"SetVar.{verb}{clamp}", n=what)
                return self.line(f"SetVar.{verb}{clamp}_who", n=what, who=who)
            verb = "add" if sign == "+" else "subtract"
            return self.line(f"SetVar.{verb}{clamp}", var=self.noun(entry), n=self.noun(amount))
        key = "include" if sign == "+" else "exclude"
        return self.line(f"SetVar.{key}", var=self.noun(entry), value=self.noun(amount))

    def _do_MoveTokens(self, stmt: ir.MoveTokens) -> list[Line]:
        source, target = self.noun(stmt.source), self.noun(stmt.target)
        if stmt.amount is None:
            return self.line("MoveTokens.all", source=source, target=target)
        return self.line("MoveTokens.some", n=self.noun(stmt.amount), source=source, target=target)

    def _do_Swap(self, stmt: ir.Swap) -> list[Line]:
        return self.line("Swap", first=self.noun(stmt.first), second=self.noun(stmt.second))

    # ------------------------------------------------------------ components

    def _do_Move(self, stmt: ir.Move) -> list[Line]:
        what, to = self.noun(stmt.what), self.place(stmt.zone, stmt.indices, "to")
        if stmt.zone.startswith("box "):
            return self.line("Move.away", what=what)
        if stmt.after is not None:
            return self.line("Move.after", what=what, to=to, after=self.noun(stmt.after))
        if stmt.at is not None:
            key = "lay" if self.spec.zones[stmt.zone].laid_on else "at"
            zone = self.zone(stmt.zone, stmt.indices)
            return self.line(f"Move.{key}", what=what, to=to, at=self.noun(stmt.at), zone=zone)
        return self.line("Move.plain", what=what, to=to)

    def _do_MoveAll(self, stmt: ir.MoveAll) -> list[Line]:
        kind = self.kind_of(stmt.source)
        source = self.place(stmt.source.zone, stmt.source.indices, "from")
        if stmt.zone.startswith("box "):
            return self.line("MoveAll.away", kind=kind, **{"from": source})
        to = self.place(stmt.zone, stmt.indices, "to")
        if stmt.at is not None:
            zone = self.zone(stmt.zone, stmt.indices)
            return self.line("MoveAll.at", kind=kind, at=self.noun(stmt.at), zone=zone, **{"from": source})
        return self.line("MoveAll.plain", kind=kind, to=to, **{"from": source})

    def _do_Draw(self, stmt: ir.Draw) -> list[Line]:
        amount = self.amount(stmt.amount, self.kind_of(stmt.source).noun)
        source = self.place(stmt.source.zone, stmt.source.indices, "from")
        owner = next((i for i in stmt.indices if isinstance(i.type, t.PlayerType)), None)
        who = self.noun(owner) if owner is not None else None
        whose = self.their() if who is not None and not isinstance(who, You) else None
        to = self.place(stmt.zone, stmt.indices, "to", whose)
        arguments: dict[str, Any] = {"n": amount, "from": source, "to": to}
        until = ""
        limit = self._filled_up(stmt)
        if limit is not None:
            until, place = "until_", self.place(stmt.zone, stmt.indices, "in", whose)
            arguments = {"n": self.noun(limit), "from": source, "in": place, "kind": self.kind_of(stmt.source)}
        if isinstance(who, You):
            return self.line(f"Draw.{until}you", **arguments)
        if who is not None:
            return self.line(f"Draw.{until}who", who=who, **arguments)
        return self.line(f"Draw.{until}none", **arguments)

    def _filled_up(self, stmt: ir.Draw) -> ir.Expr | None:
        """The number up to which a draw fills its zone: `draw 6 - count(hand[p]) from deck to hand[p]`."""
        amount = stmt.amount
        while isinstance(amount, ir.Convert):
            amount = amount.value
        match amount:
            case ir.Binary(op="-", left=limit, right=ir.BuiltIn(name="count", args=(ir.ZoneRead() as zone,))):
                target = self.zone(stmt.zone, stmt.indices).form("")
                return limit if self.noun(zone).form("") == target else None
        return None

    def _do_Shuffle(self, stmt: ir.Shuffle) -> list[Line]:
        return self.line("Shuffle", zone=self.noun(stmt.zone))

    def _do_TurnOver(self, stmt: ir.TurnOver) -> list[Line]:
        what = self.noun(stmt.what)
        if stmt.face is None:
            return self.line("TurnOver.over", what=what)
        return self.line("TurnOver.face", what=what, face=self.lexicon.of("face", stmt.face))

    def _do_Reveal(self, stmt: ir.Reveal) -> list[Line]:
        what = self.noun(stmt.what)
        if stmt.who is None:
            return self.line("Reveal.all", what=what)
        return self.line("Reveal.who", what=what, who=self.noun(stmt.who))

    # ------------------------------------------------------------ conditions and loops

    def _do_If(self, stmt: ir.If) -> list[Line]:
        return self._if(stmt, "If")

    def _if(self, stmt: ir.If, key: str) -> list[Line]:
        known = self.known(stmt.test)
        if known is not None:
            block = stmt.then if known else stmt.other
            if key == "If" or not block:
                return list(self.lines(block))
            return self.under("If.else", self.lines(block))
        cond = self.condition(stmt.test)
        found = self.under(key, self.lines(stmt.then), cond=cond)
        other = stmt.other
        if len(other) == 1 and isinstance(other[0], ir.If):
            return found + self._if(other[0], "If.else_if")
        if other:
            return found + self.under("If.else", self.lines(other))
        return found

    def _do_While(self, stmt: ir.While) -> list[Line]:
        cond = self.condition(stmt.test)
        return self.under("While", self.lines(stmt.body), cond=cond)

    def _do_Repeat(self, stmt: ir.Repeat) -> list[Line]:
        if isinstance(stmt.times, ir.OptionRead):
            option = self.option(stmt.times.option)
            return self.under("Repeat_option", self.lines(stmt.body), option=option)
        times = self.noun(stmt.times)
        if self.known(stmt.times) is None:
            times = self.fixed(times.form(""), "many")
        return self.under("Repeat", self.lines(stmt.body), n=times)

    def _do_For(self, stmt: ir.For) -> list[Line]:
        what, tail = self._each(stmt.selection)
        if not what:
            free = self.free
            lines = self.lines(stmt.body)
            if not free:
                return list(lines)
            cond = self.listed(free)
            return self.under("If", lines, cond=cond)
        return self.under("For", self.lines(stmt.body), each=self.fixed(merged((*what, *tail))))

    def _each(self, selection: ir.Selection) -> tuple[Runs, Runs]:
        form = "acc" if "acc" in self.grammar.cases else ""
        return self.selected(selection, "each", form=form)

    def _do_Together(self, stmt: ir.Together) -> list[Line]:
        what, tail = self._each(stmt.selection)
        if stmt.local not in self.locals:
            self.locals[stmt.local] = self.locals[stmt.selection.bindings[0].local]
        return self.under("Together", self.lines(stmt.body), each=self.fixed(merged((*what, *tail))))

    # ------------------------------------------------------------ calls and ends

    def _do_Call(self, stmt: ir.Call) -> list[Line]:
        if stmt.below is not None:
            return self.line("Usual")
        procedure = self.spec.procedures[stmt.procedure]
        layers = self.layers(procedure.layers)
        if stmt.procedure in self.inline and stmt.procedure not in self.inlined and len(layers) == 1:
            place = procedure.layers.index(layers[0])
            told = [self.noun(argument) for argument in stmt.args]
            self.inlined.append(stmt.procedure)
            try:
                with self.scope():
                    self.locals.update(zip(procedure.params[place], told, strict=True))
                    body = layers[0].body
                    assert isinstance(body, tuple)
                    return list(self.lines(body))
            finally:
                self.inlined.pop()
        return [Line(self.call(stmt.procedure, stmt.args))]

    def _do_Usual(self, stmt: ir.Usual) -> list[Line]:
        return self.line("Usual")

    def _do_RowEffect(self, stmt: ir.RowEffect) -> list[Line]:
        table = item(stmt.base.type)
        assert isinstance(table, t.TableType)
        base = self.noun(stmt.base)
        given = self.lexicon.given_phrase(f"{table.name}.{stmt.field}")
        if isinstance(given, str):
            params = self.spec.tables[table.name].fields[stmt.field].params or ()
            arguments = {"row": base, **self.arguments(stmt.args, [p.name for p in params])}
            return [Line(Filled(given, arguments, self.grammar).form(""))]
        name = self.named(self.lexicon.noun("field", f"{table.name}.{stmt.field}"), "bare")
        return self.line("RowEffect", base=base, name=name)

    def _do_Return(self, stmt: ir.Return) -> list[Line]:
        if stmt.value is None:
            return self.line("Return.nothing")
        if isinstance(stmt.value.type, t.BoolType):
            known = self.known(stmt.value)
            if isinstance(known, bool):
                return self.line(f"Return.{'yes' if known else 'no'}")
            return self.line("Return.bool", cond=self.condition(stmt.value))
        return self.line("Return.value", value=self.noun(stmt.value))

    def _do_Say(self, stmt: ir.Say) -> list[Line]:
        return self.line("Say", text=self.text(stmt.text))

    def _do_Remember(self, stmt: ir.Remember) -> list[Line]:
        return self.line("Remember", record=self.lexicon.of("record", stmt.record))

    def _do_End(self, stmt: ir.End) -> list[Line]:
        if not stmt.phase:
            return self.line("End.game")
        return self.line("End.phase", phase=self.thing("phase", stmt.phase))

    def _do_Outcome(self, stmt: ir.Outcome) -> list[Line]:
        who = self.actor(stmt.who) if stmt.who is not None else ()
        outcome = self.say(f"statements.Outcome.{stmt.kind}", who=who)
        if stmt.reason is None:
            return [Line(outcome)]
        return self.line("Outcome.because", outcome=outcome, reason=self.text(stmt.reason))


def _reads_nothing(expr: ir.Expr) -> bool:
    """Whether a value is the same whatever happens afterwards."""
    reading = (ir.VarRead, ir.ZoneRead, ir.ZoneFamily, ir.ZoneIndex, ir.BuiltIn, ir.FunctionCall, ir.RowRule, ir.Way)
    return not any(isinstance(node, (*reading, ir.Aggregate, ir.Supposing)) for node in nodes(expr))
