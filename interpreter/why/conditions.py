"""The conditions of actions and choices one by one, with what a seat may learn from each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from attrs import frozen

from interpreter.compile.module import Module
from interpreter.compile.trees import conjuncts, free
from interpreter.sight.secrets import Secrets
from interpreter.why.causes import Asked, membership
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

if TYPE_CHECKING:
    from interpreter.game import Game
    from rulespec.source import Span

Params = tuple[ir.Local, ...]


@frozen(eq=False)
class Condition:
    """Something that must hold for an option.

    kind: "pay", "domain" (an argument comes from there) or "test". is_open: whether the seat that acts sees all that it
    reads, whatever the position. may_be_open: whether it knows all locals that it reads; then the position says.
    argument, domain: of a domain. amount, has: of a cost.
    """

    kind: str
    expr: ir.Expr
    is_open: bool
    may_be_open: bool
    argument: ir.Local | None = None
    domain: ir.Expr | None = None
    amount: ir.Expr | None = None
    has: ir.VarRead | None = None


class Sources:
    """The texts of a spec's files, and what places in them are called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lines: dict[str, list[str]] = {}

    def text(self, span: Span) -> str:
        """A piece of the spec as it stands in its file, on one line; "" where the file is not there."""
        if span.path not in self._lines:
            try:
                self._lines[span.path] = Path(span.path).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                self._lines[span.path] = []
        lines = self._lines[span.path][span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(" ".join(lines).split())

    def place(self, span: Span) -> str:
        """`FILE:LINE`, with the file as seen from the folder of the spec."""
        try:
            path = os.path.relpath(span.path, self.folder)
        except ValueError:  # On another drive.
            path = span.path
        return f"{Path(path).as_posix()}:{span.line}"


class Conditions:
    """The conditions of a game's actions and choices; compiled when they are first asked for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.sees = Sees(game)
        self.asked = Asked(game)
        self.sources = Sources(Path(game.spec.source.path).parent)
        self._made: dict[str, list[Condition]] = {}
        self._prepared: set[Condition] = set()
        self._secrets: dict[Module, Secrets] = {}

    def of(self, action: ir.Action) -> list[Condition]:
        """The conditions of an action, in the order in which they are best told."""
        if action.name not in self._made:
            self._made[action.name] = list(self._of_action(action))
        self._prepare(self._made[action.name])
        return self._made[action.name]

    def prepare_all(self) -> None:
        """Compiles the conditions of all actions in one go, which is quicker than one by one."""
        actions = [action for action in self.game.spec.actions.values() if self.game.holds(action.only_if)]
        for action in actions:
            self._made.setdefault(action.name, list(self._of_action(action)))
        self._prepare(condition for action in actions for condition in self._made[action.name])

    def of_choice(self, choice: ir.Choose, mine: Iterable[ir.Local], hidden: Iterable[ir.Local]) -> list[Condition]:
        """The conditions of a choice in the middle of effects.

        Args:
            choice: as the spec has it.
            mine: the locals that stand for the seat that chooses.
            hidden: the locals that it may not know.
        """
        found = list(self._of_selection(choice.selection, frozenset(mine), frozenset(hidden)))
        self._prepare(found)
        return found

    def secrets(self, module: Module) -> Secrets:
        """What the decisions of a module hide, and the statements that they come from."""
        if module not in self._secrets:
            self._secrets[module] = Secrets(self.game, module)
        return self._secrets[module]

    @cached_property
    def choices(self) -> dict[Span, ir.Choose]:
        """The choices of the spec by their place."""
        return {node.span: node for node in self._written if isinstance(node, ir.Choose)}

    @cached_property
    def binders(self) -> dict[ir.Local, ir.Expr]:
        """What the locals of effects get their values from, where that is an expression."""
        found: dict[ir.Local, ir.Expr] = {}
        for node in self._written:
            if isinstance(node, ir.Let) and not node.again:
                found[node.local] = node.value
            elif isinstance(node, ir.Binding):
                found.update(dict.fromkeys(node.locals, node.domain))
        return found

    @cached_property
    def _written(self) -> list[Any]:
        """Every statement and binding of the spec as it was checked."""
        spec, found = self.game.spec, list[Any]()
        todo: list[Any] = [spec.procedures, spec.triggers, spec.actions, spec.phases, spec.setup, spec.tables]
        while todo:
            part = todo.pop()
            if isinstance(part, (ir.Stmt, ir.Expr, ir.Selection)):
                found += [node for node in nodes(part) if isinstance(node, (ir.Stmt, ir.Binding))]
            elif isinstance(part, dict):
                todo += part.values()
            elif isinstance(part, (tuple, list)):
                todo += part
            elif attrs.has(type(part)) and type(part).__module__ == ir.Action.__module__:
                todo += [getattr(part, a.name) for a in attrs.fields(type(part)) if a.name != "span"]
        return found

    # ------------------------------------------------------------ making

    def _prepare(self, conditions: Iterable[Condition]) -> None:
        fresh = [condition for condition in conditions if condition not in self._prepared]
        self._prepared.update(fresh)
        parts = [(c.expr, c.domain, c.amount, c.has) for c in fresh]
        self.asked.prepare(
            expr for some in parts for expr in some if expr is not None and not isinstance(expr, ir.ZoneFamily)
        )

    def _of_action(self, action: ir.Action) -> Iterator[Condition]:
        mine = frozenset([action.me])
        locals = action.selection.locals if action.selection is not None else ()
        for amount, variable in action.pay:
            test = ir.Binary(">=", variable, amount, type=t.BOOL, span=amount.span)
            yield self._condition("pay", test, mine, amount=amount, has=variable)
        when = conjuncts(action.when) if action.when is not None else []
        later = [c for c in when if set(locals) & set(free(c))]
        yield from (self._condition("test", c, mine) for c in when if c not in later)
        if action.selection is not None:
            yield from self._of_selection(action.selection, mine, frozenset())
        yield from (self._condition("test", c, mine) for c in later)

    def _of_selection(
        self, selection: ir.Selection, mine: frozenset[ir.Local], hidden: frozenset[ir.Local]
    ) -> Iterator[Condition]:
        bindings, levels = selection.bindings, selection.conditions
        yield from (self._condition("test", part, mine, hidden) for c in levels[0] for part in conjuncts(c))
        for binding, conditions in zip(bindings, levels[1:], strict=True):
            test = membership(binding, self.game.spec.zones)
            yield self._condition("domain", test, mine, hidden, argument=binding.local, domain=binding.domain)
            yield from (self._condition("test", part, mine, hidden) for c in conditions for part in conjuncts(c))

    def _condition(
        self,
        kind: str,
        expr: ir.Expr,
        mine: frozenset[ir.Local],
        hidden: frozenset[ir.Local] = frozenset(),
        **parts: Any,
    ) -> Condition:
        may_be_open = not hidden & set(free(expr))
        return Condition(kind, expr, may_be_open and self.sees.all_of(expr, mine), may_be_open, **parts)


class Sees:
    """Whether a seat sees all that an expression reads, whatever the position; in doubt it does not."""

    def __init__(self, game: Game) -> None:
        self.game, self.spec = game, game.spec
        self._known: dict[tuple[Any, ...], bool] = {}

    def all_of(self, tree: Any, mine: frozenset[ir.Local]) -> bool:
        """Whether the seat that the locals `mine` stand for sees everything."""
        counted = {id(zone) for node in nodes(tree) for zone in _counted(node)}
        return all(self._one(node, mine, counted) for node in nodes(tree))

    def _one(self, node: Any, mine: frozenset[ir.Local], counted: set[int]) -> bool:
        match node:
            case ir.VarRead(variable=name, indices=indices):
                variable = self.spec.variables[name]
                kinds = [d.type.name for d in variable.per if _is_kind(d.type)]  # type: ignore[attr-defined]
                return self._may(variable.seen_by, variable.per, indices, mine) and all(map(self._is_open, kinds))
            case ir.ZoneRead(zone=name, indices=indices):
                zone = self.spec.zones[name]
                if id(node) in counted and zone.count_seen_by in ("everyone", ""):
                    return True
                return self._may(zone.seen_by, zone.per, indices, mine)
            case ir.ZoneFamily(zone=name, indices=indices):
                zone = self.spec.zones[name]
                return self._may(zone.seen_by, zone.per, indices, mine)
            case ir.ZoneIndex(zone=name):
                return self.spec.zones[name].seen_by == "everyone"
            case ir.FieldRead(face=None, base=base) if self.spec.tables[base.type.name].faces:  # type: ignore[attr-defined]
                return self._is_open(base.type.name)  # type: ignore[attr-defined]
            case ir.FunctionCall(function=name, args=args):
                return self._called(f"function {name}", self.spec.functions[name], args, mine)
            case ir.Call(procedure=name, args=args):
                return self._called(f"procedure {name}", self.spec.procedures[name], args, mine)
            case ir.Supposing(procedure=name, args=args):
                procedure = self.spec.procedures[name]
                return not self.spec.triggers and self._called(f"procedure {name}", procedure, args, mine)
            case ir.RowRule(base=base, field=name, args=args) | ir.RowEffect(base=base, field=name, args=args):
                table = self.spec.tables[base.type.name]  # type: ignore[attr-defined]
                found = [row.values[name] for row in table.rows if name in row.values]
                rules = [(n, params, body) for n, (params, body) in enumerate(found)]
                return all(self._body((table.name, name, n), params, body, args, mine) for n, params, body in rules)
            case ir.BuiltIn(name="times", args=(ir.Const(value=record),)):
                return all(self._remembered(name) for name in self.spec.records[str(record)])
        return True

    def _may(self, seen_by: str, per: Any, indices: tuple[Any, ...], mine: frozenset[ir.Local]) -> bool:
        if seen_by != "owner":
            return seen_by == "everyone"
        for domain, index in zip(per, indices, strict=True):
            if isinstance(domain.type, t.PlayerType):
                return isinstance(index, ir.LocalRead) and index.local in mine
        return False

    def _is_open(self, kind: str) -> bool:
        """Whether everybody sees all components of a kind."""
        return all(zone.seen_by == "everyone" for zone in self.spec.zones.values() if zone.component == kind)

    def _remembered(self, name: str) -> bool:
        if name in self.spec.variables:
            return self.game.sight.is_open(name)
        return name not in self.spec.zones or self.spec.zones[name].seen_by == "everyone"

    def _called(self, key: str, function: ir.Function, args: Any, mine: frozenset[ir.Local]) -> bool:
        pairs = zip(function.params, function.layers, strict=True)
        return all(self._body((key, n), params, layer.body, args, mine) for n, (params, layer) in enumerate(pairs))

    def _body(self, key: tuple[Any, ...], params: Params, body: Any, args: Any, mine: frozenset[ir.Local]) -> bool:
        own = tuple(isinstance(arg, ir.LocalRead) and arg.local in mine for arg in args)
        if (*key, own) not in self._known:
            self._known[(*key, own)] = True
            inner = frozenset(param for param, is_mine in zip(params, own, strict=False) if is_mine)
            self._known[(*key, own)] = self.all_of(body, inner)
        return self._known[(*key, own)]


def _counted(node: Any) -> list[ir.ZoneRead]:
    """The zones of which a node reads only how many components there are."""
    match node:
        case ir.Truth(value=ir.ZoneRead() as zone) | ir.BuiltIn(name="count", args=(ir.ZoneRead() as zone,)):
            return [zone]
    return []


def _is_kind(type: t.Type) -> bool:
    return isinstance(type, t.TableType) and type.kind == "component"
