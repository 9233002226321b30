"""`together`: what the branches of several seats may do while they do not see each other."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulespec import checked as ir
from rulespec.check.effects import Analysis
from rulespec.check.types import PLAYER, TableType, Type
from rulespec.check.walk import nodes
from rulespec.diagnostics import Note, Reporter
from rulespec.source import Span

_DIRECT: dict[type[ir.Stmt], str] = {
    ir.Draw: "draws cards",
    ir.Shuffle: "shuffles",
    ir.End: "ends something",
    ir.Outcome: "ends the game",
    ir.Remember: "remembers the position",
    ir.Window: "opens a window for others",
    ir.Together: "asks several seats together",
}


def check(node: ir.Together, checked: ir.CheckedSpec, effects: Analysis, reporter: Reporter) -> None:
    """Reports what a branch may not do: use chance, end something, change what is not its seat's own, or read it."""
    _Branch(checked, effects, reporter, node).block(node.body, {node.local}, None)


class _Branch:
    def __init__(self, checked: ir.CheckedSpec, effects: Analysis, reporter: Reporter, node: ir.Together) -> None:
        self.checked = checked
        self.effects = effects
        self.reporter = reporter
        self.written = effects.of(node.body).writes
        self.refused = 0
        self.seen: set[tuple[str, str, frozenset[int]]] = set()

    def block(self, block: ir.Block, own: set[ir.Local], call: Span | None) -> None:
        """Follows statements.

        Args:
            block: of the branch, or of a rule that it calls.
            own: locals that stand for the branch's seat or components that lie with it.
            call: where in the branch the rule is called, None in the branch itself.
        """
        for stmt in block:
            refused = self.refused
            parts = tuple(_expressions(stmt))
            read_by = own | {local for part in parts for local in _bound_in(part, own)}
            self.statement(stmt, own, call)
            if refused == self.refused:
                self._reads(parts, read_by, call)

    def refuse(self, stmt_span: Span, does: str, call: Span | None, hint: str = "") -> None:
        self.refused += 1
        notes = (Note("here", stmt_span),) if call is not None else ()
        self.reporter.error(
            "RS520",
            f"seats that decide together do not see each other, and this {does}",
            call or stmt_span,
            hint,
            notes,
        )

    def statement(self, stmt: ir.Stmt, own: set[ir.Local], call: Span | None) -> None:
        does = _DIRECT.get(type(stmt))
        if does is not None:
            self.refuse(stmt.span, does, call, "do it after the others have decided, too")
            return
        match stmt:
            case ir.If():
                self.block(stmt.then, own, call)
                self.block(stmt.other, own, call)
            case ir.While() | ir.Repeat():
                self.block(stmt.body, own, call)
            case ir.For():
                self.block(stmt.body, own | _bound(stmt.selection, own), call)
            case ir.Choose():
                if stmt.who is None:
                    self.refuse(stmt.span, "leaves something to chance", call, "do it before or after")
                elif not _is_own(stmt.who, own) or stmt.who.type != PLAYER:
                    self.refuse(stmt.span, "asks another seat", call)
                self.block(stmt.body, own | _bound(stmt.selection, own), call)
                self.block(stmt.other, own, call)
            case ir.Ask():
                self._ask(stmt, own, call)
            case ir.Let():
                if _is_own(stmt.value, own) or _from_own(stmt.value, own):
                    own.add(stmt.local)
            case ir.SetVar():
                self._written(stmt.variable, stmt.indices, stmt.span, own, call)
            case ir.Swap():
                for read in (stmt.first, stmt.second):
                    self._written(read.variable, read.indices, stmt.span, own, call)
            case ir.MoveTokens():
                for read in (stmt.source, stmt.target):
                    self._written(read.variable, read.indices, stmt.span, own, call)
            case ir.Move() | ir.MoveAll():
                self._moved(stmt, own, call)
            case ir.Call():
                self._call(stmt, own, call)
            case ir.LetCall():
                self._call(stmt.call, own, call)

    def _written(
        self, variable: str, indices: tuple[ir.Expr, ...], span: Span, own: set[ir.Local], call: Span | None
    ) -> None:
        if not any(_is_own(index, own) for index in indices):
            self.refuse(
                span,
                f"changes `{variable}`, which is not of the seat alone",
                call,
                "a variable `per: player` can keep what the seat decides",
            )

    def _moved(self, stmt: ir.Move | ir.MoveAll, own: set[ir.Local], call: Span | None) -> None:
        zone = self.checked.zones[stmt.zone]
        if any(_is_own(index, own) for index in stmt.indices):
            return
        if zone.order != "none" or zone.slot or zone.laid_on:
            self.refuse(
                stmt.span, f"moves to `{zone.name}`, whose order others would change, too", call,
                "a zone `per: player` can keep it for now",
            )  # fmt: skip

    def _ask(self, stmt: ir.Ask, own: set[ir.Local], call: Span | None) -> None:
        if not _is_own(stmt.who, own):
            self.refuse(stmt.span, "asks another seat", call)
            return
        for offer in stmt.offers:
            action = self.checked.actions[offer.action]
            if self._first(("action", action.name, frozenset({0}))):
                mine = {action.me}
                if action.selection is not None:
                    mine |= _bound(action.selection, mine)
                for _, variable in action.pay:
                    self._written(variable.variable, variable.indices, action.span, mine, call or stmt.span)
                amounts = tuple(amount for amount, _ in action.pay)
                self._reads((action.selection, action.when, amounts, action.label), mine, call or stmt.span)
                for layer in action.do:
                    if isinstance(layer.body, tuple):
                        self.block(layer.body, set(mine), call or stmt.span)

    def _call(self, stmt: ir.Call, own: set[ir.Local], call: Span | None) -> None:
        places = frozenset(i for i, arg in enumerate(stmt.args) if _is_own(arg, own))
        if not self._first(("procedure", stmt.procedure, places)):
            return
        procedure = self.checked.procedures[stmt.procedure]
        for layer, params in zip(procedure.layers, procedure.params, strict=True):
            if isinstance(layer.body, tuple):
                self.block(layer.body, {params[i] for i in places}, call or stmt.span)

    def _reads(self, tree: object, own: set[ir.Local], call: Span | None) -> None:
        """Refuses to read what the branches of other seats may change."""
        own = own | _bound_in(tree, own)
        for node in nodes(tree):
            match node:
                case ir.VarRead(variable=name, indices=indices):
                    shared = bool(indices) and f"variable {name}" in self.written
                case ir.ZoneRead(zone=name, indices=indices) | ir.ZoneFamily(zone=name, indices=indices):
                    per = self.checked.zones[name].per
                    shared = f"zone {name}" in self.written and any(domain.type == PLAYER for domain in per)
                case ir.FunctionCall():
                    self._function(node, own, call)
                    continue
                case ir.RowRule():
                    self._rule(node, own, call)
                    continue
                case _:
                    continue
            if shared and not any(isinstance(index, ir.Expr) and _is_own(index, own) for index in indices):
                self.refuse(
                    node.span, f"reads `{name}` of other seats", call, "read it after the others have decided, too"
                )

    def _function(self, node: ir.FunctionCall, own: set[ir.Local], call: Span | None) -> None:
        places = frozenset(i for i, arg in enumerate(node.args) if _is_own(arg, own))
        if self._first(("function", node.function, places)):
            function = self.checked.functions[node.function]
            for layer, params in zip(function.layers, function.params, strict=True):
                self._body(layer.body, {params[i] for i in places}, call or node.span)

    def _rule(self, node: ir.RowRule, own: set[ir.Local], call: Span | None) -> None:
        places = frozenset(i for i, arg in enumerate(node.args) if _is_own(arg, own))
        table = _table(node.base.type)
        if table and self._first(("rule", f"{table}.{node.field}", places)):
            for row in self.checked.tables[table].rows:
                params, body = row.values.get(node.field, ((), ()))
                self._body(body, {params[i] for i in places if i < len(params)}, call or node.span)

    def _body(self, body: ir.Expr | ir.Block, own: set[ir.Local], call: Span) -> None:
        if isinstance(body, tuple):
            self.block(body, own, call)
        else:
            self._reads(body, own, call)

    def _first(self, key: tuple[str, str, frozenset[int]]) -> bool:
        new = key not in self.seen
        self.seen.add(key)
        return new


def _is_own(expr: ir.Expr, own: set[ir.Local]) -> bool:
    """Whether the expression is the branch's own seat, or a component that lies with it."""
    return isinstance(expr, ir.LocalRead) and expr.local in own


def _table(type: Type) -> str:
    """The table of the rows of a type, also of optional ones."""
    inner = getattr(type, "item", type)
    return inner.name if isinstance(inner, TableType) else ""


def _expressions(stmt: ir.Stmt) -> Iterator[object]:
    """The parts of a statement that are no statements."""
    for part in attrs.fields(type(stmt)):
        value = getattr(stmt, part.name)
        if not (isinstance(value, tuple) and any(isinstance(inner, ir.Stmt) for inner in value)):
            yield value


def _bound_in(tree: object, own: set[ir.Local]) -> set[ir.Local]:
    """The names of all selections in a tree that stand for components in zones of the branch's seat."""
    found: set[ir.Local] = set()
    for node in nodes(tree):
        if isinstance(node, ir.Selection):
            found |= _bound(node, own | found)
    return found


def _bound(selection: ir.Selection, own: set[ir.Local]) -> set[ir.Local]:
    """The names of a selection that stand for components in zones of the branch's seat."""
    found: set[ir.Local] = set()
    for binding in selection.bindings:
        if _from_own(binding.domain, own | found):
            found.add(binding.local)
    return found


_PICKS = ("first", "last", "nth", "top", "bottom", "end")


def _from_own(expr: ir.Expr, own: set[ir.Local]) -> bool:
    """Whether the components that an expression gives lie in a zone of the branch's seat."""
    match expr:
        case ir.ZoneRead() | ir.ZoneFamily():
            return any(isinstance(index, ir.Expr) and _is_own(index, own) for index in expr.indices)
        case ir.Aggregate(body=None):
            return _from_own(expr.selection.bindings[0].domain, own)
        case ir.BuiltIn(name=name) if name in _PICKS:
            return _from_own(expr.args[0], own)
        case ir.Convert() | ir.Until():
            return _from_own(expr.value, own)
    return False
