"""Explicit chance: the order of a shuffled stack is found out, by chance, before something reads it."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any

from attrs import define

from interpreter.compile.analysis import ordered_reads
from interpreter.compile.cuts import Cuts, Decision
from interpreter.compile.trees import free
from rulespec import checked as ir
from rulespec.check.walk import nodes


@define
class FindsOrder(Cuts):
    """Adds the chance nodes that tell which card is uppermost; see `runtime.unknown`."""

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
        read = self.plan.analysis.of(trees).order - {zone.zone for zone in direct}
        seen = self._seen() if isinstance(stmt, ir.Choose) and stmt.who is not None else {}
        numbers.update(self._numbers(read, seen))
        if numbers:
            self._find_out(numbers)

    def know_offers(self, offers: tuple[ir.Offer, ...]) -> None:
        """As `know`, for what the options of some actions read, and for tops that everybody sees."""
        if not self.plan.explicit:
            return
        actions = [self.layout.spec.actions[offer.action] for offer in offers]
        trees = tuple((a.selection, a.when, *(x for pair in a.pay for x in pair)) for a in actions)
        numbers = self._numbers(self.plan.analysis.of(trees).order, self._seen())
        if numbers:
            self._find_out(numbers)

    def _seen(self) -> dict[str, bool]:
        """Shuffled stacks that somebody sees: only the top (False), or all of it."""
        zones = [self.layout.zones[name].zone for name in self.plan.analysis.shuffled]
        return {z.name: z.seen_by != "nobody" for z in zones if z.top_seen_by or z.seen_by != "nobody"}

    def _numbers(self, read: Set[str], seen: Mapping[str, bool]) -> dict[str, bool]:
        """The stacks whose order is read, and those of which something is seen, by zone number."""
        numbers: dict[str, bool] = {}
        for name in sorted({*read, *seen}):
            place = self.layout.zones[name]
            numbers.update({str(place.base + i): name in read or seen[name] for i in range(place.count)})
        return numbers

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
                self.jump(end)
            self._flat = True
        self._find_out({number: False})
        self.draw_one(stmt)
        self.go(top)
        self.place(end)
