"""Texts of `say`, which all seats read: they may show nothing that only some of them see."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from rulespec import checked as ir
from rulespec.check.types import BOOL, TableType
from rulespec.check.walk import children, nodes
from rulespec.diagnostics import Note, Reporter
from rulespec.source import Span


@frozen
class _Secret:
    """A zone or variable that is read, and whether it is its members that are."""

    name: str
    seen_by: str
    zone: bool
    span: Span


def check(tree: object, checked: ir.CheckedSpec, reporter: Reporter) -> None:
    """Reports texts in a rule that read hidden zones and variables.

    What the same rule reveals to everyone may be said. A component that a name stands for may have been shown, and
    is never refused; how many components lie somewhere is seen by `count_seen_by`, the top of a stack by
    `top_seen_by`.
    """
    said = [node for node in nodes(tree) if isinstance(node, ir.Say)]
    if not said:
        return
    reads = _Reads(checked)
    revealed = [node.what for node in nodes(tree) if isinstance(node, ir.Reveal) and node.who is None]
    shown = {secret.name for what in revealed for secret in reads.of(what)}
    for say in said:
        for part in say.text.parts:
            secret = None if isinstance(part, str) else next((s for s in reads.of(part) if s.name not in shown), None)
            if secret is None or isinstance(part, str):
                continue
            what = f"what lies in `{secret.name}`" if secret.zone else f"`{secret.name}`"
            who = "nobody sees" if secret.seen_by == "nobody" else "only its owner sees"
            inside = part.span.path == secret.span.path and part.span.line <= secret.span.line <= part.span.end_line
            reporter.error(
                "RS521",
                f"this tells everybody {what}, which {who}",
                part.span,
                "reveal it to everyone before, or say it without",
                () if inside else (Note("it is read here", secret.span),),
            )


def reads_hidden(tree: object, checked: ir.CheckedSpec) -> bool:
    """Whether the value of an expression depends on what some seat does not see, as far as the declarations tell."""
    return next(_Reads(checked).of(tree), None) is not None


@define
class _Reads:
    """Finds what is hidden from some seat among what an expression reads."""

    checked: ir.CheckedSpec
    entered: set[str] = field(factory=set)

    def of(self, expr: object) -> Iterator[_Secret]:
        """The secrets that the value of an expression depends on, with those of the functions it calls."""
        self.entered.clear()
        return self._of(expr)

    def _of(self, tree: object) -> Iterator[_Secret]:
        match tree:
            case ir.BuiltIn(name="count", args=(ir.ZoneRead() as zone,)) | ir.Truth(value=ir.ZoneRead() as zone):
                yield from self._zone(zone, self.checked.zones[zone.zone].count_seen_by)
            case ir.Aggregate(kind="count" | "any", body=None, selection=selection) if not any(selection.conditions):
                for binding in selection.bindings:
                    domain = binding.domain
                    counted = isinstance(domain, ir.ZoneRead)
                    yield from self._of(ir.Truth(domain, type=BOOL, span=domain.span) if counted else domain)
            case ir.BuiltIn(name="top", args=(ir.ZoneRead() as zone,)):
                yield from self._zone(zone, self._top_seen_by(self.checked.zones[zone.zone]))
            case ir.ZoneRead():
                yield from self._zone(tree, self.checked.zones[tree.zone].seen_by)
            case ir.ZoneFamily():
                yield from self._hidden(tree.zone, self.checked.zones[tree.zone].seen_by, True, tree.span)
                yield from self._inside(tree)
            case ir.VarRead():
                yield from self._hidden(tree.variable, self.checked.variables[tree.variable].seen_by, False, tree.span)
                yield from self._inside(tree)
            case ir.FunctionCall():
                yield from self._inside(tree)
                if tree.function not in self.entered:
                    self.entered.add(tree.function)
                    yield from self._of(self.checked.functions[tree.function].layers)
            case ir.RowRule():
                yield from self._inside(tree)
                yield from self._rule(tree)
            case _:
                yield from self._inside(tree)

    def _inside(self, tree: object) -> Iterator[_Secret]:
        for part in children(tree):
            yield from self._of(part)

    def _zone(self, zone: ir.ZoneRead, seen_by: str) -> Iterator[_Secret]:
        yield from self._hidden(zone.zone, seen_by, True, zone.span)
        yield from self._inside(zone)

    def _top_seen_by(self, zone: ir.Zone) -> str:
        return zone.top_seen_by or zone.seen_by

    def _hidden(self, name: str, seen_by: str, zone: bool, span: Span) -> Iterator[_Secret]:
        alone = self.checked.source.seats[1] == 1
        if seen_by == "nobody" or (seen_by == "owner" and not alone):
            yield _Secret(name, seen_by, zone, span)

    def _rule(self, tree: ir.RowRule) -> Iterator[_Secret]:
        type = getattr(tree.base.type, "item", tree.base.type)
        if not isinstance(type, TableType) or f"{type.name}.{tree.field}" in self.entered:
            return
        self.entered.add(f"{type.name}.{tree.field}")
        for row in self.checked.tables[type.name].rows:
            if tree.field in row.values:
                yield from self._of(row.values[tree.field][1])
