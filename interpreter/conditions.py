"""The conditions of actions one by one: compiled for questions, with what a seat may learn from each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from interpreter.compile.module import Builder, Extra, Module
from interpreter.compile.offers import conjuncts
from interpreter.compile.trees import free
from interpreter.secrets import Secrets
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

    kind: "pay", "domain" (an argument comes from there) or "test". test: of (S, me, arguments...). is_open: whether
    the seat that acts sees all that it reads. amount, entry, has: of a cost, functions for its parts; entry gives the
    variable's name with its indices. values: what it reads, with functions.
    """

    kind: str
    expr: ir.Expr
    test: Callable[..., Any]
    is_open: bool
    argument: int = -1
    amount: Callable[..., Any] | None = None
    has: Callable[..., Any] | None = None
    values: tuple[tuple[str, t.Type, Callable[..., Any]], ...] = field(default=())


class Conditions:
    """The conditions of all actions of a game; compiled when they are first asked for."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._sees = Sees(game)
        self._bodies: dict[str, tuple[Params, ir.Expr]] = {}
        self._sources: dict[str, list[str]] = {}
        self._secrets: dict[Module, Secrets] = {}
        drafts = {
            action.name: list(self._drafts(action))
            for action in game.spec.actions.values()
            if game.holds(action.only_if)
        }
        module = Builder(game.layout, game.tables, False, False, game.holds, Extra(dict(self._bodies))).build()
        self._made = {
            name: [self._made_of(draft, module.namespace) for draft in found] for name, found in drafts.items()
        }

    def of(self, action: str) -> list[Condition]:
        """The conditions of an action, in the order in which they are best told."""
        return self._made.get(action, [])

    def secrets(self, module: Module) -> Secrets:
        """What the decisions of a module hide, and the statements that they come from."""
        if module not in self._secrets:
            self._secrets[module] = Secrets(self.game, module)
        return self._secrets[module]

    def text(self, span: Span) -> str:
        """A piece of the spec as it stands in its file, on one line; "" where the file is not there."""
        if span.path not in self._sources:
            try:
                self._sources[span.path] = Path(span.path).read_text(encoding="utf-8").splitlines()
            except (OSError, ValueError):
                self._sources[span.path] = []
        lines = self._sources[span.path][span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(" ".join(lines).split())

    # ------------------------------------------------------------ compiling

    def _add(self, params: Params, expr: ir.Expr) -> str:
        name = f"asked_{len(self._bodies)}"
        self._bodies[name] = (params, expr)
        return name

    def _drafts(self, action: ir.Action) -> Iterator[dict[str, Any]]:
        """The conditions of an action with names instead of functions."""
        locals = action.selection.locals if action.selection is not None else ()
        params = (action.me, *locals)
        for amount, variable in action.pay:
            test = ir.Binary(">=", variable, amount, type=t.BOOL, span=amount.span)
            draft = self._draft("pay", params, test)
            yield {**draft, "amount": self._add(params, amount), "has": self._add(params, variable)}
        when = conjuncts(action.when) if action.when is not None else []
        later = [c for c in when if set(locals) & set(free(c))]
        yield from (self._draft("test", params, c) for c in when if c not in later)
        if action.selection is not None:
            bindings, levels = action.selection.bindings, action.selection.conditions
            yield from (self._draft("test", params, part) for c in levels[0] for part in conjuncts(c))
            for binding, conditions in zip(bindings, levels[1:], strict=True):
                yield {
                    **self._draft("domain", params, _membership(binding, self.game.spec.zones)),
                    "argument": locals.index(binding.local),
                }
                yield from (self._draft("test", params, part) for c in conditions for part in conjuncts(c))
        yield from (self._draft("test", params, c) for c in later)

    def _draft(self, kind: str, params: Params, expr: ir.Expr) -> dict[str, Any]:
        values = {}
        for node in nodes(expr) if kind == "test" else ():
            is_field = (
                isinstance(node, ir.FieldRead) and isinstance(node.base, ir.LocalRead) and node.base.local in params
            )
            if (is_field or isinstance(node, ir.VarRead)) and not set(free(node)) - set(params):
                text = self.text(node.span)
                if text and text not in values:
                    values[text] = (text, node.type, self._add(params, node))
        is_open = self._sees.all_of(expr, frozenset(params[:1]))
        draft = {"kind": kind, "expr": expr, "test": self._add(params, expr), "is_open": is_open}
        return {**draft, "values": tuple(values.values())}

    @staticmethod
    def _made_of(draft: dict[str, Any], scope: Mapping[str, Any]) -> Condition:
        functions: dict[str, Any] = {key: scope[draft[key]] for key in ("test", "amount", "has") if key in draft}
        values = tuple((text, type, scope[name]) for text, type, name in draft["values"])
        made: dict[str, Any] = {**draft, **functions, "values": values}
        return Condition(**made)


def _membership(binding: ir.Binding, zones: Mapping[str, ir.Zone]) -> ir.Expr:
    """That a name's value comes from its domain."""
    domain, local = binding.domain, binding.local
    if isinstance(domain, ir.ZoneFamily):
        indices = tuple(
            ir.LocalRead(i, type=i.type, span=domain.span) if isinstance(i, ir.Local) else i for i in domain.indices
        )
        type = t.OptionalType(local.type) if zones[domain.zone].slot else domain.type
        domain = ir.ZoneRead(domain.zone, indices, type=type, span=domain.span)
    item = ir.LocalRead(local, type=local.type, span=domain.span)
    return ir.Member(item, domain, type=t.BOOL, span=domain.span)


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
