"""Why a seat cannot do something now, in words, without telling what the seat may not know."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from interpreter.actions import ActionTable
from interpreter.compile.internal import TurnAsk
from interpreter.compile.schemas import Parameter
from interpreter.conditions import Condition
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.spelling import did_you_mean

if TYPE_CHECKING:
    from interpreter.state import State

SECRET = "this is not possible now"
LISTED = 12
"""No more values than this are listed."""


def why_not(state: State, text: str, seat: int | None) -> list[str]:
    """Why an action is not possible for a seat; empty if it is.

    A condition is told with its place in the spec and what it read, if the seat sees all of that. If not, the reason
    is only that it is not possible.

    Args:
        state: any state.
        text: the action's text.
        seat: who asks.
    """
    if state.is_over:
        return ["the game is over"]
    S = state._position
    if seat is None or S.seat == -1:
        return ["a random event comes first"]
    try:
        seat = state.game.check_seat(seat)
    except ValueError as problem:
        return [str(problem)]
    options = state.legal_actions(seat)
    wanted = state.game.texts.normal(text)
    if any(text.strip() == str(option) or wanted == state.game.texts.normal(str(option)) for option in options):
        return []
    if not options:
        deciding = [S.seat] if S.branches is None else state.deciding_seats()
        names = _joined([state.game.seat_name(other) for other in deciding])
        return [f"{names} {'decides' if len(deciding) == 1 else 'decide'} now, not {state.game.seat_name(seat)}"]
    return _Asked(state, text, seat).reasons()


class _Asked:
    """One question."""

    def __init__(self, state: State, text: str, seat: int) -> None:
        self.state, self.game, self.seat = state, state.game, seat
        self.S = state._position
        self.text = text.strip()
        self.name = self.text.partition("(")[0].strip()
        self.options = state.legal_actions(seat)

    def reasons(self) -> list[str]:
        offered, pieces = self._offered()
        known = [*self.game.spec.actions, "choose", "pass", "done"]
        if self.name not in known:
            return [
                f"there is no action `{self.name}`; {did_you_mean(self.name, known) or _listed(offered, 'possible')}"
            ]
        if self.name not in offered:
            return [f"`{self.name}` is not among what {self.game.seat_name(self.seat)} can do now: {_listed(offered)}"]
        table = self._table()
        if table is None:
            return [SECRET]
        wrong = self._wrong_arguments(table)
        if wrong:
            return wrong
        if self.name not in self.game.spec.actions:
            return [f"`{self.text}` is not among the choices: {_listed([str(o) for o in self.options])}"]
        parsed = self.game.texts.parse(self.text, table)
        if parsed is None:
            return [SECRET]
        found = min((self._conditions(key) for key in self._alike(table, parsed.key)), key=len)
        if not found and pieces:
            return [f"`{self.name}` is offered only with some arguments now"]
        return found or [SECRET]

    # ------------------------------------------------------------ what is offered

    def _offered(self) -> tuple[list[str], bool]:
        """The names of what the open decision offers by the rules, and whether some arguments are fixed."""
        S, module = self.S, self.state._module
        number = S.decision
        if S.branches is not None:
            number = next(b[2] for b in S.branches if b[0] == self.seat)
        names: list[str] = []
        fixed = False
        for _, node in self.game.conditions.secrets(module).statements(number):
            offers = list(getattr(node, "offers", ()))
            if isinstance(node, TurnAsk):
                is_turn = module.decisions[number].kind == "turn"
                offers = [*(offers if is_turn else []), *node.any_time]
                names += ["done"] if node.done and is_turn else [] if is_turn else ["pass"]
            if isinstance(node, ir.Choose):
                names.append("choose")
            if isinstance(node, ir.Window) or getattr(node, "passes", False):
                names.append("pass")
            names += [o.action for o in offers if self.game.holds(self.game.spec.actions[o.action].only_if)]
            fixed = fixed or any(offer.fixed for offer in offers)
        names += [option.name for option in self.options]
        return list(dict.fromkeys(names)), fixed

    def _table(self) -> ActionTable | None:
        if self.name in self.game.spec.actions:
            tables = self.game.action_tables.values()
            return next((table for table in tables if table.schema.action == self.name), None)
        return next((option.table for option in self.options if option.name == self.name), None)

    # ------------------------------------------------------------ arguments

    def _wrong_arguments(self, table: ActionTable) -> list[str]:
        parameters = {p.name: p for p in table.schema.parameters}
        inside = self.text[len(self.name) :].strip()
        given = self.game.texts.arguments(inside[1:-1]) if inside.startswith("(") and inside.endswith(")") else None
        if given is None:
            if not inside and not parameters:
                given = {}
            elif inside:
                return [f"arguments are written as `{_form(self.name, parameters)}`"]
            else:
                given = {}
        found = [
            f"`{self.name}` has no argument `{n}`; {self._takes(parameters)}" for n in given if n not in parameters
        ]
        found += [
            f"the argument `{n}` is missing: `{_form(self.name, parameters)}`" for n in parameters if n not in given
        ]
        for name, text in given.items():
            if name in parameters and not (text == "none" and parameters[name].optional):
                found += self._wrong_value(name, parameters[name], text)
        return found

    def _takes(self, parameters: Iterable[str]) -> str:
        names = list(parameters)
        return f"it has {_listed(names)}" if names else "it has none"

    def _wrong_value(self, name: str, parameter: Parameter, text: str) -> list[str]:
        type = parameter.type
        try:
            value = self.game.texts.read(type, text)
            if parameter.size is None or 0 <= parameter.index(value) < parameter.size:
                return []
        except (KeyError, ValueError, ZeroDivisionError):
            pass
        if not self.game.layout.is_finite(type):
            return [f"`{name}` cannot be `{text}`"]
        domain = self.game.layout.domain(type)
        if isinstance(type, t.NumberType):
            return [f"`{name}` cannot be `{text}`: it is a number from {domain.low} to {domain.low + domain.size - 1}"]
        if isinstance(type, t.SpotType):
            return [f"`{name}` cannot be `{text}`"]
        texts = [self.game.tables.value_text(type, domain.low + n) for n in range(domain.size)]
        hint = did_you_mean(text, texts) or f"possible: {_listed(list(dict.fromkeys(texts)))}"
        return [f"`{name}` cannot be `{text}`; {hint}"]

    def _alike(self, table: ActionTable, key: tuple[Any, ...]) -> Iterable[tuple[Any, ...]]:
        """The arguments with every look-alike component in the place of one."""
        choices: list[Sequence[Any]] = []
        for parameter, value in zip(table.schema.parameters, key, strict=True):
            first = self.game.tables.first.get(getattr(parameter.type, "name", ""))
            alike = None if first is None or value is None else [c for c, f in enumerate(first) if f == first[value]]
            choices.append(alike or [value])
        return islice(product(*choices), 64)

    # ------------------------------------------------------------ conditions

    def _conditions(self, key: tuple[Any, ...]) -> list[str]:
        """What does not hold, as far as the seat may know."""
        found: list[str] = []
        for condition in self.game.conditions.of(self.name):
            if not condition.is_open:
                continue
            try:
                holds = condition.test(self.S, self.seat, *key)
            except Exception:  # An earlier condition keeps this one from being asked.
                continue
            if not holds:
                found.append(self._told(condition, key))
                if condition.kind == "domain":
                    break
        return found

    def _told(self, condition: Condition, key: tuple[Any, ...]) -> str:
        span = condition.expr.span
        at = f" ({span.path}:{span.line})"
        source = self.game.conditions.text(span)
        if condition.kind == "pay":
            assert condition.amount is not None and condition.has is not None
            amount, has = condition.amount(self.S, self.seat, *key), condition.has(self.S, self.seat, *key)
            return f"needs {amount} {self._entry(condition)}, has {has}{at}"
        if condition.kind == "domain":
            parameter = self._parameters()[condition.argument]
            value = self.game.texts.show(parameter.type, key[condition.argument])
            return f"`{parameter.name}` cannot be {value}: it comes from `{source}`{at}"
        told = f"`{source}` does not hold" if source else "a condition does not hold"
        values = [
            f"{text} is {self.game.texts.show(type, function(self.S, self.seat, *key))}"
            for text, type, function in condition.values
        ]
        read = f": {_joined(values)}" if values else ""
        return f"{told}{read}{at}"

    def _parameters(self) -> Sequence[Any]:
        table = self._table()
        assert table is not None
        return table.schema.parameters

    def _entry(self, condition: Condition) -> str:
        """The variable of a cost as the spec names it, with the seat for `me`."""
        assert isinstance(condition.expr, ir.Binary) and isinstance(condition.expr.left, ir.VarRead)
        variable = condition.expr.left
        texts = []
        for index in variable.indices:
            own = isinstance(index, ir.LocalRead) and index.local is self.game.spec.actions[self.name].me
            texts.append(self.game.seat_name(self.seat) if own else self.game.conditions.text(index.span))
        return f"{variable.variable}[{', '.join(texts)}]" if texts else variable.variable


def _form(name: str, parameters: Iterable[str]) -> str:
    return f"{name}({', '.join(f'{p}=...' for p in parameters)})" if parameters else name


def _listed(names: Sequence[str], word: str = "") -> str:
    shown = ", ".join(f"`{name}`" for name in names[:LISTED])
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{f'{word}: ' if word else ''}{shown}{more}"


def _joined(items: Sequence[str]) -> str:
    return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items)
