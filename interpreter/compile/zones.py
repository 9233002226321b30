"""Statements that move components between zones, shuffle and turn them, as Python."""

from __future__ import annotations

from attrs import define, evolve

from interpreter.compile.expressions import OR
from interpreter.compile.lines import Lines
from interpreter.compile.trees import free
from rulespec import checked as ir
from rulespec.check import types as t


@define
class Zones(Lines):
    """Emits what changes zones."""

    def do_move(self, stmt: ir.Move) -> None:
        """One component to a zone."""
        optional = isinstance(stmt.what.type, t.OptionalType)
        what = self.text(stmt.what)
        if optional or not what.isidentifier():
            self.put(f"c_ = {what}")
            what = "c_"
        if optional:
            with self.out.block("if c_ is not None:"):
                self._move(what, stmt)
        else:
            self._move(what, stmt)

    def _move(self, what: str, stmt: ir.Move) -> None:
        place = self.layout.zones[stmt.zone]
        kind = place.zone.component
        number = self.zone(stmt.zone, stmt.indices)
        if place.max is not None:
            with self.out.block(f"if len(z[{number}]) >= {place.max} and loc_{kind}[{what}] != {number}:"):
                self.put(f"raise Fault('there is no room in `{stmt.zone}`')")
        if self.plan.log:
            self.put(f"source_ = loc_{kind}[{what}]")
        if self.layout.laid_zones(kind):
            with self.out.block(f"if spot_{kind}[{what}] >= 0:"):
                self.put(f"lift_{kind}(S, {what})")
        if place.zone.laid_on:
            assert stmt.at is not None
            self.put(f"lay_{stmt.zone}(S, {what}, {self.text(stmt.at)})")
        elif stmt.after is not None:
            self.leave(kind, what)
            self.put(f"to_right_of(z, loc_{kind}, {what}, {number}, {self.text(stmt.after)})")
        else:
            self.leave(kind, what)
            mover = self._mover(place.zone, stmt.at)
            if mover == "to_end" and self.in_turn and isinstance(stmt.what, ir.LocalRead):
                self._move_here(what, kind, number)
            else:
                self.put(f"{mover}(z, loc_{kind}, {what}, {number})")
            if mover != "to_end" and stmt.zone in self.plan.analysis.shuffled and self.plan.explicit:
                self.put(f"enter_below(S, {number}, z[{number}][0] == {what})")
        self.note(f"('move', {kind!r}, {what}, source_, {number})")

    def _move_here(self, what: str, kind: str, number: str) -> None:
        """What `support.to_end` does, written out."""
        self.put(f"from_ = loc_{kind}[{what}]")
        self.put("z[from_] = cards_ = z[from_][:]")
        self.put(f"cards_.remove({what})")
        self.put(f"z[{number}] = [*z[{number}], {what}]")
        self.put(f"loc_{kind}[{what}] = {number}")

    def leave(self, kind: str, what: str) -> None:
        """With explicit chance: a component may come out of the unknown part of a shuffled stack."""
        if self.plan.explicit and any(self.layout.zones[n].zone.component == kind for n in self.plan.analysis.shuffled):
            self.put(f"leave_unknown(S, loc_{kind}[{what}], {what})")

    def _mover(self, zone: ir.Zone, at: ir.Expr | None) -> str:
        if zone.order == "none":
            return "to_heap"
        if at is None:
            return "to_end"
        # left is 0 and right 1; top is 0 and bottom 1, where top is the end of the list.
        one, other = ("to_start", "to_end") if zone.order == "row" else ("to_end", "to_start")
        if isinstance(at, ir.Const):
            return other if at.value == 1 else one
        return f"({other} if {self.text(at, OR)} else {one})"

    def do_moveall(self, stmt: ir.MoveAll) -> None:
        """All components of a zone, one move each in the zone's order."""
        kind = self.layout.zones[stmt.zone].zone.component
        if stmt.source.zone != stmt.zone and self._at_once(stmt.zone, stmt.at):
            self._gather(stmt.zone, stmt.indices, stmt.at, self.members_of(stmt.source))
            return
        c = ir.Local("each", t.TableType("component", kind))
        name = self.names.of(c)
        with self.out.block(f"for {name} in {self.members_of(stmt.source)}:"):
            move = ir.Move(
                ir.LocalRead(c, type=c.type, span=stmt.span), stmt.zone, stmt.indices, at=stmt.at, span=stmt.span
            )
            self._move(name, move)

    def _at_once(self, zone: str, at: ir.Expr | None) -> bool:
        """Whether several moves to a zone can be one: nothing is noted, unknown or laid."""
        place = self.layout.zones[zone]
        plain = not self.plan.log and not self.plan.explicit and not self.layout.laid_zones(place.zone.component)
        return plain and (at is None or isinstance(at, ir.Const))

    def _gather(self, zone: str, indices: tuple[ir.Expr, ...], at: ir.Expr | None, components: str) -> None:
        """Components to one zone, in order."""
        place = self.layout.zones[zone]
        mover = self._mover(place.zone, at)
        number = self.zone(zone, indices)
        if place.max is not None:
            self.put(f"cs_ = {components}")
            components = "cs_"
            with self.out.block(
                f"if len(z[{number}]) + len(cs_) > {place.max} and len({{*z[{number}], *cs_}}) > {place.max}:"
            ):
                self.put(f"raise Fault('there is no room in `{zone}`')")
        self.put(f"{mover}_all(z, loc_{place.zone.component}, {components}, {number})")

    def members_of(self, zone: ir.ZoneRead) -> str:
        """A zone's list in the zone's order; a list never changes, so a loop over it is not disturbed."""
        return self.raw_zone(zone) + ("[::-1]" if self.layout.zones[zone.zone].zone.order == "stack" else "")

    def do_draw(self, stmt: ir.Draw) -> None:
        """Cards from the top, one at a time; an empty deck is filled again if the spec says from where."""
        place = self.layout.zones[stmt.source.zone]
        source = self.raw_zone(stmt.source)
        if not place.zone.refilled_from and stmt.source.zone != stmt.zone and self._at_once(stmt.zone, None):
            if not isinstance(stmt.amount, ir.Const) or stmt.amount.value != 1:
                self._gather(stmt.zone, stmt.indices, None, f"top_of({source}, {self.text(stmt.amount)})")
                return
            if not self.dealing:
                self.put(f"deck_ = {source}")
            with self.out.block("if deck_:"):
                self._draw_one(stmt)
            return
        with self.out.block(f"for _ in range({self.text(stmt.amount)}):"):
            with self.out.block(f"if not {source}:"):
                if place.zone.refilled_from:
                    self.refill(stmt)
                    with self.out.block(f"if not {source}:"):
                        self.put("break")
                else:
                    self.put("break")
            self.draw_one(stmt)

    def _draw_one(self, stmt: ir.Draw) -> None:
        """The top card of a deck that is not empty, `deck_`, to another zone, straight."""
        place, source = self.layout.zones[stmt.zone], self.raw_zone(stmt.source)
        number = self.zone(stmt.zone, stmt.indices)
        if not number.isidentifier() and not number.isdigit():
            self.put(f"to_ = {number}")
            number = "to_"
        if place.max is not None:
            with self.out.block(f"if len(z[{number}]) >= {place.max}:" if place.max > 1 else f"if z[{number}]:"):
                self.put(f"raise Fault('there is no room in `{stmt.zone}`')")
        if self.dealing:
            self.put("c_ = deck_.pop()")
        else:
            self.put("c_ = deck_[-1]")
            self.put(f"{source} = deck_[:-1]")
        more = f"[*z[{number}], c_]" if place.max != 1 else "[c_]"
        if place.zone.order == "none" and place.max != 1:
            self.put(f"z[{number}] = cards_ = {more}")
            self.put("cards_.sort()")  # `sorted` takes more than twice as long
        else:
            self.put(f"z[{number}] = {more}")
        self.put(f"loc_{place.zone.component}[c_] = {number}")

    def is_dealt(self, stmt: ir.Stmt) -> ir.Draw | None:
        """The draw of a loop that does no more than to draw single cards from one deck; None for other loops."""
        match stmt:
            case ir.Repeat(body=(inner,)):
                return self.is_dealt(inner)
            case ir.For(selection=selection, body=(inner,)):
                found = self.is_dealt(inner)
                here = {*selection.locals}
                plain = selection.order is None and not any(selection.conditions)
                if found is None or not plain or here & set(free(found.source.indices)):
                    return None
                kind = self.layout.zones[found.source.zone].zone.component
                return found if f"k:{kind}" not in self.plan.analysis.of(selection).reads else None
            case ir.Draw(source=source, zone=zone, amount=ir.Const(value=1)):
                refilled = self.layout.zones[source.zone].zone.refilled_from
                return stmt if not refilled and source.zone != zone and self._at_once(zone, None) else None
        return None

    def draw_one(self, stmt: ir.Draw) -> None:
        """The top card of a deck that is not empty."""
        self.put(f"c_ = {self.raw_zone(stmt.source)}[-1]")
        kind = t.TableType("component", self.layout.zones[stmt.source.zone].zone.component)
        top = ir.LocalRead(ir.Local("c", kind), type=kind, span=stmt.span)
        self._move("c_", ir.Move(top, stmt.zone, stmt.indices, span=stmt.span))

    def refill(self, stmt: ir.Draw) -> None:
        """The zone named in `refilled_from` is shuffled into an empty deck."""
        source = stmt.source
        other = evolve(source, zone=self.layout.zones[source.zone].zone.refilled_from)
        self.do_moveall(ir.MoveAll(other, source.zone, source.indices, span=stmt.span))
        self.do_shuffle(ir.Shuffle(source, span=stmt.span))

    def do_shuffle(self, stmt: ir.Shuffle) -> None:
        """A shuffle from the stream named after the zone."""
        zone = stmt.zone.zone
        if self.plan.explicit:
            self.put(f"shuffle_unknown(S, {self.zone(zone, stmt.zone.indices)})")
        else:
            raw = self.raw_zone(stmt.zone)
            self.put(f"{raw} = shuffled(S.rng, {self.shared.stream(zone)}, {raw})")
        self.note(f"('shuffle', {self.zone(zone, stmt.zone.indices)})")

    def do_turnover(self, stmt: ir.TurnOver) -> None:
        """The other face, or a given one."""
        kind = stmt.what.type.name if isinstance(stmt.what.type, t.TableType) else stmt.what.type.item.name  # type: ignore[attr-defined]
        faces = self.layout.spec.tables[kind].faces
        self.put(f"c_ = {self.text(stmt.what)}")
        with self.out.block("if c_ is not None:"):
            new = f"(face_{kind}[c_] + 1) % {len(faces)}" if stmt.face is None else str(faces.index(stmt.face))
            self.put(f"face_{kind}[c_] = {new}")
            self.note(f"('turn', {kind!r}, c_, face_{kind}[c_])")
