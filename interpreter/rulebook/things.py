"""The sections on what a game is made of: components, boards, places, things to keep track of, the reference."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from interpreter.game import Game
from interpreter.rulebook.blocks import (
    Block,
    Blocks,
    Items,
    Paragraph,
    Piece,
    Pieces,
    Runs,
    Section,
    Strong,
    Table,
    Text,
)
from interpreter.rulebook.parts import Parts
from interpreter.rulebook.pictures.values import facts, labelled
from interpreter.rulebook.played import Unplayed
from interpreter.rulebook.speech import capital, joined, merged, sentence
from interpreter.rulebook.teller import item
from interpreter.texts import number
from rulespec import checked as ir
from rulespec.check import types as t

_CELL = 300
"""Letters of a doc that a cell of a table takes."""


class Things(Parts):
    """Writes the sections on things."""

    @cached_property
    def game(self) -> Game:
        """The game with its defaults, for counts and pictures."""
        return Unplayed(self.spec)

    # ------------------------------------------------------------ components

    def components(self) -> Iterator[Section]:
        """What is in the box: a table of all kinds, then each kind with its fields."""
        kinds = [table for table in self.spec.tables.values() if table.kind == "component"]
        head = tuple(self._word(f"things.column_{key}") for key in ("name", "count", "fields"))
        rows: list[tuple[Runs, ...]] = []
        sections: list[Section] = []
        for table in kinds:
            noun = self.lexicon.noun("table", table.name)
            anchor = self.anchor("table", table.name, capital(noun.many))
            count = len(self.game.tables.ids[table.name])
            link = self.named(noun, "bare", anchor).form("many" if count > 1 else "")
            rows.append((sentence(link, ""), (Text(str(count)),), self._fields_line(table)))
            told: Blocks = (*self.doc(f"components.{table.name}", table.doc), *self.rules(self._fields(table)))
            sections.append(Section(anchor, (Text(capital(noun.many)),), told, (), "component"))
        blocks = (Table(head, tuple(rows), (), True, (False, True, False)),) if rows else ()
        sections += self._records()
        sections += self._values()
        yield from self.section("components", blocks, sections)

    def _fields_line(self, table: ir.Table) -> Runs:
        names: list[Runs] = [
            (Text(self.lexicon.of("field", f"{table.name}.{name}")),)
            for name in table.fields
            if not _draws(table, name)
        ]
        return self.listed(names)

    def _fields(self, table: ir.Table) -> Blocks:
        """What each piece shows."""
        items: list[Blocks] = []
        source = self._declared(table)
        for name, declared in table.fields.items():
            if _draws(table, name):
                continue
            title = capital(self.lexicon.of("field", f"{table.name}.{name}"))
            doc = self.doc_line(f"fields.{table.name}.{name}", source.get(name, ""))
            runs: Runs = self.strong(title)
            plain_values = declared.params is None and not isinstance(declared.type, t.TextType | t.BoolType)
            if declared.declared is not None and plain_values:
                runs = (*runs, Text(" ("), *self.domain(declared.declared), Text(")"))
            if doc:
                runs = (*runs, Text(": "), Text(doc))
            items.append((Paragraph(sentence(runs)),))
        blocks: list[Block] = [Items(tuple(items))] if items else []
        if table.faces:
            names: list[Runs] = [(Text(self.lexicon.of("face", face)),) for face in table.faces]
            blocks.append(self.sentence("things.faces", n=len(names), list=self.listed(names)))
        return tuple(blocks)

    def _declared(self, table: ir.Table) -> dict[str, str]:
        """The docs of a table's fields."""
        source = self.spec.source
        entry: Any = source.components.get(table.name) or source.types.get(table.name) or source.boards.get(table.name)
        return {field.name: field.doc for field in entry.fields} if entry is not None else {}

    def _records(self) -> Iterator[Section]:
        """Tables of fixed things that are no components."""
        for table in self.spec.tables.values():
            if table.kind != "record":
                continue
            noun = self.lexicon.noun("table", table.name)
            anchor = self.anchor("table", table.name, capital(noun.many))
            doc = self.doc(f"types.{table.name}", table.doc)
            yield Section(anchor, (Text(capital(noun.many)),), (*doc, *self.rules(self._fields(table))), (), "record")

    def _values(self) -> Iterator[Section]:
        """The declared enums, each with its values."""
        parts: list[Section] = []
        for name, declared in self.spec.source.types.items():
            if declared.values is None:
                continue
            anchor = self.anchor("type", name, capital(self.lexicon.of("type", name)))
            noun = self.lexicon.noun("type", name)
            values: list[Runs] = [
                (Text(self.lexicon.of("value", f"{name}.{value}")),) for value in self.spec.enums[name]
            ]
            told = self.rules((self.sentence("things.one_of", x=self.listed(values, "or")),))
            doc = self.doc(f"types.{name}", declared.doc)
            parts.append(Section(anchor, (Text(capital(noun.one)),), (*doc, *told), (), "values"))
        yield from self.section("values", (), parts)

    def boards(self) -> Iterator[Section]:
        """Each board with its picture and its spaces."""
        sections: list[Section] = []
        for name, shape in self.spec.boards.items():
            table = self.spec.tables[name]
            noun = self.lexicon.noun("table", name)
            anchor = self.anchor("table", name, capital(noun.many))
            blocks: list[Block] = [*self.doc(f"boards.{name}", table.doc)]
            picture = self.pictures.board(self.game, name, self.lexicon)
            if picture is not None:
                blocks.append(picture)
            blocks += self.rules((*self._spaces(shape), *self._fields(table)))
            sections.append(Section(anchor, (Text(capital(noun.many)),), tuple(blocks), (), "board"))
        yield from self.section("boards", (), sections)

    def _spaces(self, shape: ir.BoardShape) -> Blocks:
        blocks: list[Block] = []
        if shape.grid is not None:
            a, b = (self.noun(end) for end in shape.grid)
            blocks.append(self.sentence("things.grid", a=a, b=b))
        if shape.shape == "hexagon":
            blocks.append(self.sentence("things.hexagons"))
        names = [self.named(self.lexicon.noun("row", f"{shape.name}.{space}")).form("") for space in shape.spaces]
        if names and not shape.drawing:
            blocks.append(self.sentence("things.further", n=len(names), list=self.listed(names)))
        if shape.drawing:
            drawn: list[Runs] = [(Text(self.lexicon.row(shape.name, space)),) for space, _, _ in shape.drawing]
            blocks.append(self.sentence("things.spaces", list=self.listed(drawn)))
            links = [
                self.say("things.link", a=self.lexicon.row(shape.name, a), b=self.lexicon.row(shape.name, b))
                for a, b in shape.links
            ]
            if links:
                semicolon: list[Runs] = []
                for n, link in enumerate(links):
                    semicolon.append((*link, Text("; ")) if n < len(links) - 1 else link)
                text = merged(tuple(run for link in semicolon for run in link))
                blocks.append(self.sentence("things.links", list=text))
        return tuple(blocks)

    # ------------------------------------------------------------ places and what is kept track of

    def areas(self) -> Iterator[Section]:
        """Every zone: what lies there and how."""
        sections: list[Section] = []
        for name, zone in self.spec.zones.items():
            if name.startswith("box ") or not self.exists(zone.only_if):
                continue
            title = capital(self.lexicon.of("zone", name))
            anchor = self.anchor("zone", name, title)
            doc = self.doc(f"zones.{name}", zone.doc)
            facts = self.rules((Paragraph(sentence(self._how(zone))), *self.options_only(zone.only_if)))
            sections.append(Section(anchor, (Text(title),), (*doc, *facts), (), "place"))
        yield from self.section("areas", (), sections)

    def _how(self, zone: ir.Zone) -> Runs:
        """How a zone's components lie, and who sees them."""
        noun = self.lexicon.noun("table", zone.component)
        kind = self.named(noun, "bare", self.links.get(("table", zone.component), ""))
        parts = [kind.form("many") if not zone.slot else self.say("things.holds_one", kind=kind)]
        if zone.per:
            parts.append(self._per(zone.per))
        if not zone.slot and not zone.laid_on:
            parts.append(self.say(f"things.{zone.order}"))
        if zone.laid_on:
            parts.append(self.say("things.laid"))
        if zone.max is not None:
            parts.append(self.say("things.max", n=self.noun(zone.max)))
        parts.append(self.say(f"things.seen_{zone.seen_by}"))
        if zone.top_seen_by == "everyone" and zone.seen_by != "everyone":
            parts.append(self.say("things.top_seen"))
        line = parts[0]
        for part in parts[1:]:
            line = (*line, Text("; "), *part)
        if zone.refilled_from:
            refill = self.say(
                "things.refilled", source=self.thing("zone", zone.refilled_from), kind=self.named(noun, "bare")
            )
            line = (*line, Text("; "), *refill)
        return merged(line)

    def _per(self, per: tuple[ir.DomainType, ...]) -> Runs:
        if len(per) == 1 and isinstance(per[0].type, t.PlayerType):
            return self.say("things.per_player")
        nouns = [self.domain_noun(domain) for domain in per]
        return self.say("things.per", x=self.listed(nouns))

    def domain_noun(self, domain: ir.DomainType) -> Runs:
        """What an index is called: player, plot, 1 to 3."""
        if isinstance(domain.type, t.NumberType):
            return self.domain(domain)
        noun = self.lexicon.type_noun(domain.type)
        return self.named(noun, "bare", self.type_link(domain.type)).form("")

    def tracks(self) -> Iterator[Section]:
        """Every variable."""
        sections: list[Section] = []
        for name, variable in self.spec.variables.items():
            if not self.exists(variable.only_if):
                continue
            title = capital(self.lexicon.of("variable", name))
            anchor = self.anchor("variable", name, title)
            doc = self.doc(f"variables.{name}", variable.doc)
            line: Runs = self.domain(variable.declared)
            if variable.per:
                line = (*line, Text("; "), *self._per(variable.per))
            if variable.seen_by != "everyone":
                line = (*line, Text("; "), *self.say(f"things.seen_{variable.seen_by}"))
            facts: list[Block] = [Paragraph(sentence(merged(line)))]
            if variable.lasts:
                facts.append(self._lasts(variable))
            facts += self.options_only(variable.only_if)
            sections.append(Section(anchor, (Text(title),), (*doc, *self.rules(facts)), (), "track"))
        yield from self.section("tracks", (), sections)

    def _lasts(self, variable: ir.Variable) -> Paragraph:
        """That a variable begins anew, with what."""
        start = variable.start
        told = isinstance(start, ir.Expr) and isinstance(variable.type, t.NumberType | t.EnumType)
        x = self.noun(start) if isinstance(start, ir.Expr) and told else None
        if variable.lasts == "turn":
            return self.sentence("course.lasts_turn" if x is None else "course.lasts_turn_at", x=x)
        phase = self.thing("phase", variable.lasts)
        return self.sentence("course.lasts_phase" if x is None else "course.lasts_phase_at", phase=phase, x=x)

    def constants(self) -> Iterator[Section]:
        """Tables of fixed values."""
        sections: list[Section] = []
        for name, table in self.spec.constants.items():
            title = capital(self.lexicon.of("constant", name))
            anchor = self.anchor("constant", name, title)
            blocks: list[Block] = [*self.doc(f"tables.{name}", table.doc)]
            picture = self.pictures.plan(self.game, name, self.lexicon) if len(table.per) >= 2 else None
            if picture is not None:
                blocks.append(picture)
            elif told := self._constant_table(table):
                blocks += self.rules((told,))
            sections.append(Section(anchor, (Text(title),), tuple(blocks), (), "table"))
        yield from self.section("tables", (), sections)

    def _constant_table(self, table: ir.ConstantTable) -> Table | None:
        """A table of fixed values: the last index across, the others down."""
        axes = [self._axis(domain) for domain in table.per]
        if any(axis is None for axis in axes):
            return None
        across = axes[-1] or []
        lines: list[list[Runs]] = [[]]
        for axis in axes[:-1]:
            lines = [[*line, value] for line in lines for value in axis or []]
        if not across or len(lines) * len(across) != len(table.entries):
            return None
        called = [self._index_name(table.name, n) for n in range(len(table.per))]
        heads = [
            (Text(capital(name)),) if name else sentence(self.domain_noun(domain), "")
            for name, domain in zip(called, table.per, strict=True)
        ]
        entries = [self.noun(entry).form("") for entry in table.entries]
        rows = []
        for n, line in enumerate(lines):
            rows.append((*line, *entries[n * len(across) : (n + 1) * len(across)]))
        if len(table.per) == 1:
            head = (heads[0], (Text(capital(self.lexicon.of("constant", table.name))),))
            return Table(head, tuple((a, e) for a, e in zip(across, entries, strict=True)))
        if called[-1]:
            across = [(Text(f"{called[-1]} "), *value) for value in across]
        return Table((*heads[:-1], *across), tuple(rows))

    def _index_name(self, table: str, n: int) -> str:
        """What the words of the game call an index of a table, `indices.award.1`; "" for nothing."""
        name = f"indices.{table}.{n + 1}"
        return self.lexicon.noun("index", f"{table}.{n + 1}").one if name in self.lexicon.names_given else ""

    def _axis(self, domain: ir.DomainType) -> list[Runs] | None:
        """The values of an index in order."""
        kind = domain.type
        match kind:
            case t.EnumType(name=name):
                values = domain.values if domain.values is not None else range(len(self.spec.enums[name]))
                return [(Text(self.lexicon.value(kind, value)),) for value in values]
            case t.NumberType(low=low, high=high, step=step) if low is not None and high is not None and step:
                count = (high - low) / step
                return [(Text(number(low + n * step)),) for n in range(int(count) + 1)] if count < 100 else None
        return None

    # ------------------------------------------------------------ every card and tile

    def all_pieces(self) -> Iterator[Section]:
        """Every card, tile and row of a table with its values and rules."""
        sections: list[Section] = []
        for table in self.spec.tables.values():
            if table.kind == "board" or not (table.rows or table.every):
                continue
            noun = self.lexicon.noun("table", table.name)
            name = (Text(capital(noun.many)),)
            pieces = tuple(self._combinations(table) if table.every else (self._piece(table, r) for r in table.rows))
            sections.append(Section(self.id(f"all {table.name}"), name, (Pieces(name, pieces),), (), "pieces"))
        yield from self.section("reference", (), sections)

    def _combinations(self, table: ir.Table) -> Iterator[Piece]:
        """The rows of a table that has every combination of its fields' values."""
        first = self.game.tables.first.get(table.name)
        ids = self.game.tables.ids[table.name]
        for row, id in enumerate(ids):
            if first is not None and first[row] != row:
                continue
            copies = 1 if first is None else first.count(row)
            told = [fact for fact in facts(self.game, self.lexicon, table.name, row) if fact.values]
            shown: tuple[tuple[Runs, Runs], ...] = tuple(
                ((Text(capital(fact.label)),), (Text(", ".join(value.text for value in fact.values)),)) for fact in told
            )
            picture = None
            if table.kind == "component":
                picture = self.pictures.piece(self.game, table.name, row, self.lexicon)
            title = capital(labelled(self.game, self.lexicon, table.name, row))
            yield Piece(self.id(f"piece {table.name} {id}"), (Text(title),), copies, shown, (), picture)

    def _piece(self, table: ir.Table, row: ir.TableRow) -> Piece:
        title = capital(self.lexicon.row(table.name, row.id))
        anchor = self.anchor("row", f"{table.name}.{row.id}", title)
        facts: list[tuple[Runs, Runs]] = []
        blocks: list[Block] = []
        labels = _label_fields(table)
        for name, declared in table.fields.items():
            value = row.values.get(name)
            word = capital(self.lexicon.of("field", f"{table.name}.{name}"))
            if declared.params is not None:
                if value is not None:
                    blocks += self._row_rule(table, name, value)
            elif isinstance(declared.type, t.TextType):
                if name not in labels and isinstance(value, ir.Const) and value.value and name != self._mask(table):
                    text = self.lexicon.texts.get(f"rows.{table.name}.{row.id}.{name}", str(value.value))
                    facts.append(((Text(word),), (Text(text),)))
            elif (told := self._fact(table, declared, value)) is not None:
                facts.append(((Text(word),), told))
        picture = None
        ids = self.game.tables.ids[table.name]
        number = next((n for n, r in enumerate(self.game.tables.rows.get(table.name, ())) if r is row), None)
        if table.kind == "component" and number is not None and number < len(ids):
            picture = self.pictures.piece(self.game, table.name, number, self.lexicon)
        return Piece(anchor, (Text(title),), row.copies, tuple(facts), tuple(self.rules(blocks)), picture)

    @staticmethod
    def _mask(table: ir.Table) -> str:
        return table.shape.column if table.shape is not None else ""

    def _fact(self, table: ir.Table, declared: ir.Field, value: Any) -> Runs | None:
        """The value of a field in words; None for one that says nothing."""
        if value is None:
            return None
        if isinstance(value, tuple):
            heads = self._heads(table, declared)
            parts = [part for row in value for part in (row if isinstance(row, tuple) else (row,))]
            named = heads is not None and len(heads) == len(parts)
            texts: list[Runs] = []
            for n, part in enumerate(parts):
                told = self._fact(table, declared, part)
                if named and heads is not None and told is not None:
                    texts.append(self.say("things.entry", name=heads[n], value=told))
                elif not named:
                    texts.append(told if told is not None else (Text("0"),))
            return joined(texts, ", ", ", ") if texts else None
        if isinstance(value, ir.Const) and (value.value is None or value.value is False):
            return None
        if isinstance(value, ir.Const) and value.value == 0 and isinstance(item(value.type), t.NumberType):
            return None
        if isinstance(value, ir.Convert) and isinstance(value.value, ir.ListOf) and not value.value.items:
            return None
        if isinstance(value, ir.ListOf) and not value.items:
            return None
        if isinstance(value.type, t.BoolType):
            return (Text(self.lexicon.word("yes")),)
        return self.noun(value).form("")

    def _heads(self, table: ir.Table, declared: ir.Field) -> list[Runs] | None:
        """What the values of a field with several are called: its faces, or the values of its indices."""
        if declared.per_face:
            return [(Text(self.lexicon.of("face", face)),) for face in table.faces]
        heads: list[Runs] = [()]
        for domain in declared.index:
            axis = self._axis(domain)
            if axis is None:
                return None
            heads = [(*head, Text(" "), *value) if head else value for head in heads for value in axis]
        return heads

    def _row_rule(self, table: ir.Table, name: str, value: Any) -> Blocks:
        """A rule that stands in a row."""
        params, body = value
        word = capital(self.lexicon.of("field", f"{table.name}.{name}"))
        head: Runs = (Strong((Text(f"{word}:"),)), Text(" "))
        with self.scope():
            for param in params:
                self.bind(param)
            if isinstance(body, tuple):
                blocks = self.effects(body)
                if not blocks:
                    return ()
                if len(blocks) == 1 and isinstance(blocks[0], Paragraph):
                    return (Paragraph(merged((*head, *blocks[0].runs))),)
                return (Paragraph(head[:1]), *blocks)
            if isinstance(body.type, t.BoolType):
                return (Paragraph(merged((*head, *sentence(self.say("things.if", cond=self.condition(body)))))),)
            return (Paragraph(merged((*head, *sentence(self.noun(body).form(""))))),)

    def _word(self, key: str) -> Runs:
        return (Text(self.phrases[key]),)


def _label_fields(table: ir.Table) -> set[str]:
    """The fields that stand in the label of each row."""
    if table.label is None:
        return set()
    return {part.local.name for part in table.label.parts if isinstance(part, ir.LocalRead)}


def _draws(table: ir.Table, field: str) -> bool:
    """Whether a field is the drawing of a piece, which the pictures show."""
    return table.shape is not None and table.shape.column == field
