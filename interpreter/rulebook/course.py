"""The sections on how a game is played: set-up, course, actions, reactions, options, terms."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from interpreter.rulebook.blocks import Block, Blocks, Items, Paragraph, Runs, Section, Text
from interpreter.rulebook.ending import Ending
from interpreter.rulebook.layers import resolved
from interpreter.rulebook.speech import Filled, Owned, Phrase, capital, sentence
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

_SHORT = 2
"""Sentences of a procedure that is told where it is called."""


class Course(Ending):
    """Writes the sections on play."""

    def anchors(self) -> None:
        """Gives every thing its id before anything is written, so that all can lead to all."""
        self._choose_inline()
        spec = self.spec
        for table in spec.tables.values():
            self.anchor("table", table.name, capital(self.lexicon.noun("table", table.name).many))
        for name, declared in spec.source.types.items():
            if declared.values is not None:
                self.anchor("type", name, self.title("type", name))
        placed: list[tuple[str, dict[str, Any]]] = [("zone", spec.zones), ("variable", spec.variables)]
        for kind, entries in [*placed, ("action", spec.actions)]:
            for name, entry in entries.items():
                if self.exists(entry.only_if) and not name.startswith("box "):
                    self.anchor(kind, name, self.title(kind, name))
        for name in spec.constants:
            self.anchor("constant", name, self.title("constant", name))
        for name in spec.options:
            if self.exists(spec.options[name].only_if):
                self.anchor("option", name, self.title("option", name))
        for phase in self.all_phases():
            self.anchor("phase", phase.name, self.title("phase", phase.name))
        with_bodies: list[tuple[str, dict[str, Any]]] = [("function", spec.functions), ("procedure", spec.procedures)]
        for kind, called in with_bodies:
            for name, entry in called.items():
                told = self.exists(entry.only_if) and any(self.exists(layer.only_if) for layer in entry.layers)
                if told and (kind, name) in self.called and name not in self.inline:
                    self.anchor(kind, name, self.title(kind, name))
        for trigger in spec.triggers:
            if self.exists(trigger.only_if):
                self.anchor("trigger", trigger.name, self.title("trigger", trigger.name))
        for table in spec.tables.values():
            if table.kind != "board":
                for row in table.rows:
                    self.anchor("row", f"{table.name}.{row.id}", capital(self.lexicon.row(table.name, row.id)))

    def _choose_inline(self) -> None:
        """Procedures without a place of their own: short, called once, and no event of a trigger."""
        watched = {name for trigger in self.spec.triggers if trigger.kind == "call" for name in trigger.names}
        calls: dict[str, int] = {}
        other: set[str] = set()
        for node in self._everything():
            match node:
                case ir.LetCall(call=call):
                    other.add(call.procedure)
                case ir.Supposing(procedure=name):
                    other.add(name)
                case ir.Call(procedure=name):
                    calls[name] = calls.get(name, 0) + 1
        for name, procedure in self.spec.procedures.items():
            layers = self.layers(procedure.layers)
            if calls.get(name) != 1 or name in other | watched or len(layers) != 1:
                continue
            body = layers[0].body
            kinds = [node for node in nodes(body) if isinstance(node, ir.Stmt)]
            plain = not any(isinstance(node, ir.Return | ir.Ask | ir.Window | ir.For | ir.While) for node in kinds)
            if plain and len(kinds) <= _SHORT and self.lexicon.given_phrase(name) is None:
                self.inline.add(name)

    def _everything(self) -> Iterator[object]:
        spec = self.spec
        yield from nodes(spec.setup)
        for action in spec.actions.values():
            yield from nodes((action.do,))
        for trigger in spec.triggers:
            yield from nodes((trigger.do,))
        for procedure in spec.procedures.values():
            yield from nodes((procedure.layers,))
        for phase in self.all_phases():
            yield from nodes((phase.do, phase.if_stuck, phase.before_turn, phase.after_turn))
        for table in spec.tables.values():
            for row in table.rows:
                for value in row.values.values():
                    if isinstance(value, tuple) and len(value) == 2:
                        yield from nodes(value[1])

    # ------------------------------------------------------------ set-up

    def setup(self) -> Iterator[Section]:
        """Where everything lies and stands at the start, then what is done."""
        items: list[Blocks] = []
        for name, zone in self.spec.zones.items():
            if zone.starts is not None and not name.startswith("box ") and self.exists(zone.only_if):
                items.append((self._starts(name, zone),))
        later = {node.variable for layer in self.spec.setup for node in nodes(layer) if isinstance(node, ir.SetVar)}
        for name, variable in self.spec.variables.items():
            written = isinstance(variable.start, ir.Expr) and not variable.lasts
            if name not in later and written and self.exists(variable.only_if):
                line = self._starting(name, variable)
                items += [(Paragraph(line),)] if line else []
        blocks = self.told_layers(self.spec.setup, numbered=True)
        told: list[Block] = [Items(tuple(items))] if items else []
        told += blocks
        doc = self.doc("setup", "")
        yield from self.section("setup", (*doc, *self.rules(told)))

    def _starts(self, name: str, zone: ir.Zone) -> Paragraph:
        assert zone.starts is not None
        with self.scope():
            selection = zone.starts
            what = self.whole(selection, "all")
            place = self.place(name, zone.starts_at, "in")
            phrase = self.fixed(what, "many")
            return Paragraph(sentence(self.say("course.starts_some", what=phrase, place=place), ""))

    def _starting(self, name: str, variable: ir.Variable) -> Runs:
        """The value that a variable begins with."""
        start = variable.start
        assert isinstance(start, ir.Expr)
        if isinstance(start, ir.Const) and start.value in (None, False):
            return ()
        var = self.thing("variable", name)
        if isinstance(variable.type, t.BoolType):
            return ()
        entry: Phrase = var
        if len(variable.per) == 1 and not isinstance(variable.per[0].type, t.NumberType):
            owner = self.lexicon.type_noun(variable.per[0].type)
            entry = Owned(self.named(owner, "each", self.type_link(variable.per[0].type)), var)
        elif variable.per and not var.noun.plural:
            return sentence(self.say("course.begins_each", var=var, x=self.noun(start)), "")
        return sentence(self.say("course.begins_at", var=entry, x=self.noun(start)), "")

    # ------------------------------------------------------------ the course

    def course(self) -> Iterator[Section]:
        """The phases in order, with a picture of how they follow each other."""
        phases = [phase for phase in self.spec.phases if self.exists(phase.only_if)]
        blocks: list[Block] = []
        if len(phases) > 1:
            names = tuple((Paragraph(self._phase_line(phase)),) for phase in phases)
            blocks += self.rules((self.sentence("course.phases"), Items(names, True)))
        picture = self.pictures.flow(self.spec, self.lexicon)
        if picture is not None:
            blocks.append(picture)
        yield from self.section("course", blocks, [self.phase(phase) for phase in phases])

    def _phase_line(self, phase: ir.Phase) -> Runs:
        return sentence(self.thing("phase", phase.name).form("bare"), "")

    def phase(self, phase: ir.Phase) -> Section:
        """A phase with its parts."""
        anchor = self.links["phase", phase.name]
        self.here = anchor
        with self.scope():
            self.me(phase.me)
            self.me(phase.turns.me if phase.turns is not None else None)
            blocks: Blocks = (*self.said("phases", phase.name, phase), *self.rules(self._phase_rules(phase)))
            parts = tuple(self.phase(part) for part in phase.phases if self.exists(part.only_if))
        self.here = ""
        return Section(anchor, (Text(self.title("phase", phase.name)),), blocks, parts, "phase")

    def _phase_rules(self, phase: ir.Phase) -> Blocks:
        found: list[Block] = [*self.options_only(phase.only_if)]
        if phase.skip_when is not None:
            found.append(self.sentence("course.skip_when", cond=self.condition(phase.skip_when)))
        if phase.repeat is not None:
            variable, values = phase.repeat
            domain = values.value if isinstance(values, ir.Convert) else values
            if isinstance(domain, ir.RangeOf):
                a, b = self.noun(domain.first), self.noun(domain.last)
                found.append(self.sentence("course.repeat", var=self.noun(variable), a=a, b=b))
            else:
                found.append(self.sentence("course.repeat_for", var=self.noun(variable), values=self.noun(values)))
        found += self.told_layers(phase.do)
        found += self._turns(phase)
        found += self.phase_parts(phase)
        found += self._actions_of(phase)
        for key, layers in (("stuck", phase.if_stuck), ("after_turn", phase.after_turn)):
            found += self.headed(f"course.{key}", self.told_layers(layers))
        if phase.turns is not None and phase.turns.until is not None:
            found.append(self.sentence("course.until", cond=self.condition(phase.turns.until)))
        if phase.repeat_until is not None:
            found.append(self.sentence("course.repeat_until", cond=self.condition(phase.repeat_until)))
        return tuple(found)

    def phase_parts(self, phase: ir.Phase) -> Blocks:
        """The parts of a phase in their order."""
        parts = [part for part in phase.phases if self.exists(part.only_if)]
        if not parts:
            return ()
        key = "course.turn_parts" if phase.turns is not None else "course.parts"
        items = tuple((Paragraph(self._phase_line(part)),) for part in parts)
        return (self.sentence(key), Items(items, True))

    def _turns(self, phase: ir.Phase) -> Blocks:
        turns = phase.turns
        if turns is None:
            return ()
        first = self.noun(turns.first) if turns.first is not None else self.phrase("builtins.first_player")
        key = "turns" if turns.order == "clockwise" else "turns_counterclockwise"
        alone = self.spec.source.seats[1] == 1
        found: list[Block] = [self.sentence("course.turns_alone" if alone else f"course.{key}", first=first)]
        if turns.among is not None:
            found.append(self.sentence("course.among", among=self.noun(turns.among)))
        if turns.rounds is not None:
            found.append(self.sentence("course.rounds", n=self.noun(turns.rounds)))
        if turns.times is not None:
            found.append(self.sentence("course.times", n=self.noun(turns.times)))
        found += self.headed("course.before_turn", self.told_layers(phase.before_turn))
        if turns.turn_until is not None:
            found.append(self.sentence("course.turn_until", cond=self.condition(turns.turn_until)))
        return tuple(found)

    def _actions_of(self, phase: ir.Phase) -> Blocks:
        found: list[Block] = []
        for key, names in ((f"take_{phase.take}", phase.actions), ("any_time", phase.any_time)):
            items = tuple(
                (Paragraph(sentence(self.action_name(name), "")),)
                for name in names
                if self.exists(self.spec.actions[name].only_if)
            )
            if items:
                found += [self.sentence(f"course.{key}"), Items(items)]
        return tuple(found)

    # ------------------------------------------------------------ actions

    def actions(self) -> Iterator[Section]:
        """Every action: what is chosen, when it is allowed, what it costs and does."""
        told = [self.action(action) for action in self.spec.actions.values() if self.exists(action.only_if)]
        yield from self.section("actions", (), told)

    def action(self, action: ir.Action) -> Section:
        """One action."""
        anchor = self.links["action", action.name]
        self.here = anchor
        with self.scope():
            self.me(action.me)
            blocks: list[Block] = [*self.options_only(action.only_if)]
            if action.selection is not None and action.selection.bindings:
                form = "acc" if "acc" in self.grammar.cases else ""
                what = self.whole(action.selection, "a", form=form)
                blocks += self.lead("choose", (Paragraph(sentence(what)),))
            if action.when is not None:
                blocks += self.lead("allowed", self.needs(action.when, "course.allowed", "course.allowed_list"))
            if action.pay:
                costs = [self._cost(amount, variable) for amount, variable in action.pay]
                blocks += self.lead("cost", (self.sentence("course.cost", what=self.listed(costs)),))
            effects = self.told_layers(action.do)
            if not effects and not blocks:
                effects = (self.sentence("statements.nothing"),)
            blocks += self.lead("effect", effects)
        self.here = ""
        doc = self.said("actions", action.name, action)
        title = (Text(self.title("action", action.name)),)
        return Section(anchor, title, (*doc, *self.rules(blocks)), (), "action")

    def _cost(self, amount: ir.Expr, variable: ir.VarRead) -> Runs:
        noun = self.counted_noun(variable.variable)
        if noun is not None:
            return self.amount(amount, noun).form("acc" if "acc" in self.grammar.cases else "")
        return self.say("course.pay", n=self.noun(amount), var=self.noun(variable))

    # ------------------------------------------------------------ reactions

    def triggers(self) -> Iterator[Section]:
        """What happens whenever something else does."""
        told = [self.trigger(trigger) for trigger in self.spec.triggers if self.exists(trigger.only_if)]
        yield from self.section("triggers", (), told)

    def trigger(self, trigger: ir.Trigger) -> Section:
        """One trigger."""
        anchor = self.links["trigger", trigger.name]
        self.here = anchor
        with self.scope():
            self.me(trigger.me)
            head = self._event(trigger)
            blocks: list[Block] = [*self.options_only(trigger.only_if)]
            body: list[Blocks] = []
            for condition, when in resolved(self, self.versions(trigger.when)):
                assert isinstance(when, ir.Expr)
                told = self.needs(when, "events.when", "course.allowed_list")
                if condition is not None:
                    told = self.headed("course.layer_if", told, cond=self.condition(condition))
                body += [told] if told else []
            effects = self.told_layers(trigger.do)
            body += effects[0].items if len(effects) == 1 and isinstance(effects[0], Items) else [effects]
            blocks += [Paragraph(head), Items(tuple(body))] if body else [Paragraph(head)]
        self.here = ""
        doc = self.said("triggers", trigger.name, trigger)
        title = (Text(self.title("trigger", trigger.name)),)
        return Section(anchor, title, (*doc, *self.rules(blocks)), (), "trigger")

    def _event(self, trigger: ir.Trigger) -> Runs:
        key = f"events.{trigger.time}.{trigger.kind}"
        kinds = {"call": "procedure", "change": "variable", "move": "zone", "turn_over": "table"}
        kind = kinds.get(trigger.kind, trigger.kind)
        binds = list(trigger.binds)
        for local in binds:
            self.bind(local)
        if trigger.kind == "move":
            zone = self.spec.zones.get(trigger.names[0])
            indices = [ir.LocalRead(local, type=local.type, span=trigger.span) for local in binds[1:]]
            complete = zone is not None and len(zone.per) == len(indices)
            place = self.place(trigger.names[0], indices if complete else (), "to")
            return sentence(self.say(key, what=self._met(binds[0]), to=place), "")
        if trigger.kind == "turn_over":
            what = self._met(binds[0]) if binds else self.named(self.lexicon.noun("table", trigger.names[0]), "a")
            return sentence(self.say(key, what=what), "")
        if trigger.kind == "call":
            calls = []
            for name in trigger.names:
                given = self.lexicon.given_phrase(name)
                params = [p.name for p in self.spec.procedures[name].params[-1]]
                if isinstance(given, str) and len(params) == len(binds):
                    read = [ir.LocalRead(b, type=b.type, span=trigger.span) for b in binds]
                    told = {p: self.noun(r) for p, r in zip(params, read, strict=True)}
                    calls.append(Filled(given, told, self.grammar).form(""))
                else:
                    calls.append(self.say("events.call_named", name=self.thing(kind, name)))
            return sentence(self.say(key, names=self.listed(calls, "or")), "")
        if trigger.kind == "change":
            indices = [ir.LocalRead(local, type=local.type, span=trigger.span) for local in binds]
            declared = self.spec.variables[trigger.names[0]]
            if len(indices) == len(declared.per):
                var = self.entry("variable", trigger.names[0], indices)
                return sentence(self.say(key, names=var.form("")), "")
        if kind == "action":
            names = [self.action_name(name) for name in trigger.names]
            return sentence(self.say(key, names=self.listed(names, "or")), "")
        if trigger.kind == "setup":
            return sentence(self.say(key), "")
        names = [self.thing(kind, name).form("quote") for name in trigger.names]
        return sentence(self.say(key, names=self.listed(names, "or")), "")

    def _met(self, local: ir.Local) -> object:
        noun = self.lexicon.type_noun(local.type)
        return self.named(noun, "a")

    # ------------------------------------------------------------ options, terms

    def options(self) -> Iterator[Section]:
        """What can be chosen before a game."""
        sections: list[Section] = []
        for name, option in self.spec.options.items():
            if not self.exists(option.only_if):
                continue
            default = self._default(option)
            if isinstance(option.type, t.BoolType):
                told = [self.sentence("options.yes_no", x=default)]
            elif option.pick is not None:
                a, b = option.pick
                told = [self.sentence("options.several", a=str(a), b=str(b), x=self.domain(_item(option.declared)))]
                told.append(self.sentence("options.default", x=default))
            else:
                kind = "range" if isinstance(option.type, t.NumberType) else "one_of"
                told = [self.sentence(f"options.{kind}", x=self.domain(option.declared))]
                told.append(self.sentence("options.default", x=default))
            if option.only_if is not None and self.known(option.only_if) is None:
                told.append(self.sentence("options.only_if", cond=self.condition(option.only_if)))
            doc = self.doc(f"options.{name}", option.doc)
            title = (Text(self.title("option", name)),)
            sections.append(Section(self.links["option", name], title, (*doc, *self.rules(told)), (), "option"))
        yield from self.section("options", (), sections)

    def _default(self, option: ir.Option) -> Runs:
        kind = option.type
        if isinstance(kind, t.SetType) and isinstance(kind.item, t.EnumType):
            chosen = [n for n in range(len(self.spec.enums[kind.item.name])) if option.default >> n & 1]
            return self.listed([(Text(self.lexicon.value(kind.item, n)),) for n in chosen])
        return (Text(self.lexicon.value(kind, option.default)),)

    def terms(self) -> Iterator[Section]:
        """Functions and procedures, each with an entry of its own, by name."""
        told: list[Section] = []
        for kind, entries in (("function", self.spec.functions), ("procedure", self.spec.procedures)):
            for name, entry in entries.items():
                if (kind, name) in self.links:
                    told.append(self.term(kind, name, entry))
        told.sort(key=lambda section: self.titles_of(section).lower())
        yield from self.section("terms", (), told)

    def titles_of(self, section: Section) -> str:
        """The heading of a section as a text."""
        return "".join(run.text for run in section.title if isinstance(run, Text))

    def term(self, kind: str, name: str, entry: ir.Function) -> Section:
        """A function or procedure."""
        anchor = self.links[kind, name]
        self.here = anchor
        with self.scope():
            blocks: list[Block] = [*self.options_only(entry.only_if)]
            first = entry.params[0] if entry.params else ()
            for n, param in enumerate(first):
                phrase = self.bind(param)
                for other in entry.params[1:]:
                    self.locals[other[n]] = phrase
            for condition, body in resolved(self, self.versions(entry.layers), entry.only_if):
                told = self.effects(body) if isinstance(body, tuple) else self._value(body)
                if condition is None:
                    blocks += told
                else:
                    blocks += self.headed("course.layer_if", told, cond=self.condition(condition))
        self.here = ""
        doc = self.said(f"{kind}s", name, entry)
        if doc and name in self.lexicon.by_doc:
            blocks = list(self.options_only(entry.only_if))
        return Section(anchor, (Text(self.title(kind, name)),), (*doc, *self.rules(blocks)), (), "term")

    def _value(self, body: ir.Expr) -> Blocks:
        if isinstance(body, ir.Cond) and self.known(body.test) is None:
            told: list[Block] = []
            while isinstance(body, ir.Cond) and self.known(body.test) is None:
                told += self.headed("course.function_if", self._value(body.then), cond=self.condition(body.test))
                body = body.other
            return (*told, *self.headed("course.function_else", self._value(body)))
        if isinstance(body.type, t.BoolType):
            known = self.known(body)
            if isinstance(known, bool):
                return (self.sentence(f"course.function_{'always' if known else 'never'}"),)
            return self.needs(body, "course.function_cond", "course.function_cond_list")
        key = "function_list" if isinstance(body.type, t.ListType | t.SetType) else "function_value"
        return (self.sentence(f"course.{key}", x=self.noun(body)),)


def _item(declared: ir.DomainType) -> ir.DomainType:
    kind = declared.type
    inner = kind.item if isinstance(kind, t.SetType | t.ListType) else kind
    return ir.DomainType(inner, declared.low, declared.high, declared.values)
