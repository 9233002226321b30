"""Why a seat cannot do something now, in words, without telling what the seat may not know."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from interpreter.actions import Action, ActionTable
from interpreter.compile.internal import TurnAsk
from interpreter.compile.schemas import Parameter
from interpreter.compile.trees import free
from interpreter.sight.copies import seen_components
from interpreter.sight.views import seen_position
from interpreter.texts import number
from interpreter.why.causes import Causes, joined
from interpreter.why.conditions import Condition
from interpreter.why.watched import watched
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

    A condition is told with its place in the spec and what it read, if the seat sees all of that; then step by step,
    as far as functions can be followed, why it does not hold. If not, the reason is only that it is not possible. An
    action that takes arguments may be asked for without them: then the reason says with which it is possible.

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
        names = joined([state.game.seat_name(other) for other in deciding])
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
        self.number: int = self.S.decision
        self.frame = self.S.stack[-1] if self.S.stack else []
        self._given: set[ir.Local] = set()
        """What the asker has named, or is."""
        if self.S.branches is not None:
            self.number, self.frame = next((b[2], b[1][-1]) for b in self.S.branches if b[0] == seat)

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
        if self.text == self.name and table.schema.parameters:
            return self._without_arguments(table)
        wrong = self._wrong_arguments(table)
        if wrong:
            return wrong
        parsed = self.game.texts.parse(self.text, table)
        if parsed is None:
            return [SECRET]
        alike = [str(option) for option in self.options if option.plain is parsed.plain]
        if alike:
            return [f"copies are told apart now: {_listed(alike)}"]
        return self._refused(table, parsed, pieces)

    def _refused(self, table: ActionTable, parsed: Action, pieces: bool) -> list[str]:
        """Why an option that can be written is not possible."""
        choice = self._choice(table)
        if self.name not in self.game.spec.actions and choice is None:
            return [f"`{self.text}` is not among the choices: {_listed([str(o) for o in self.options])}"]
        off_board = self._off_board(table, parsed)
        if off_board:
            return off_board
        found = min((self._conditions(choice, table, key) for key in self._alike(table, parsed)), key=len)
        if found:
            return found
        if choice is not None and choice.quantity is not None:
            return [f"`{self.text}` is not among the choices: items are picked in their order, enough of them"]
        if pieces:
            texts = [str(option) for option in self.options if option.name == self.name]
            only = f": {_listed(texts)}" if texts else ""
            return [f"`{self.name}` is offered only with some arguments now{only}"]
        return [SECRET]

    # ------------------------------------------------------------ what is offered

    def _offered(self) -> tuple[list[str], bool]:
        """The names of what the open decision offers by the rules, and whether some arguments are fixed."""
        module, number = self.state._module, self.number
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

    def _without_arguments(self, table: ActionTable) -> list[str]:
        """What arguments an action takes, and with which it is possible."""
        form = f"`{self.name}` is written as `{_form(self.name, [p.name for p in table.schema.parameters])}`"
        texts = [str(option) for option in self.options if option.name == self.name]
        if texts:
            return [f"{form}; {_listed(texts, 'possible')}"]
        action = self.game.spec.actions.get(self.name)
        env: dict[ir.Local, Any] = {} if action is None else {action.me: self.seat}
        found: list[str] = []
        for condition in self.game.conditions.of(action) if action is not None else ():
            found += self._failed(condition, env)
        return [f"{form}; with no arguments is it possible now", *found]

    def _alike(self, table: ActionTable, parsed: Action) -> Iterable[tuple[Any, ...]]:
        """The arguments with every copy that can be meant in the place of each component."""
        choices: list[Sequence[Any]] = [[value] for value in parsed.key]
        for n, (kind, first) in table.copied.items():
            if parsed.key[n] is None:
                continue
            row = first[parsed.key[n]]
            seen = seen_components(self.game, self.S, kind, self.game.sight.bit(self.seat))
            copies = [c for c in seen if first[c] == row]
            place = parsed.key[n] - row
            marked = copies[place : place + 1] if place else []
            choices[n] = marked or copies or [c for c, f in enumerate(first) if f == row]
        return islice(product(*choices), 64)

    def _off_board(self, table: ActionTable, parsed: Action) -> list[str]:
        """That a piece would not lie on its board, where an option lays one."""
        pieces, spots = [], []
        for parameter, value in zip(table.schema.parameters, parsed.key, strict=True):
            laid = self.game.tables.laid.get(getattr(parameter.type, "name", ""))
            if laid is not None and value is not None:
                pieces.append((parameter, laid, value))
            elif isinstance(parameter.type, t.SpotType) and value is not None:
                spots.append((parameter, value))
        if len(pieces) != 1 or len(spots) != 1:
            return []
        (piece, laid, component), (spot, value) = pieces[0], spots[0]
        assert isinstance(spot.type, t.SpotType)
        board = spot.type.board
        layout = self.game.layout
        grounds = [g for n, g, _ in laid.zones if layout.zones[layout.instances[n][0]].zone.laid_on == board]
        if not grounds or any(ground.footprint(component, value) for ground in grounds):
            return []
        shown, at = self.game.texts.show(piece.type, component), self.game.texts.show(spot.type, value)
        return [f"`{spot.name}` cannot be {at}: {shown} does not lie on the {board} like that"]

    # ------------------------------------------------------------ conditions

    def _choice(self, table: ActionTable) -> ir.Choose | None:
        """The choice in the middle of effects that the decision is, as the spec has it."""
        decision = self.state._module.decisions[self.number]
        choice = self.game.conditions.choices.get(decision.span)
        if self.name != "choose" or choice is None:
            return None
        same = [local.name for local in choice.selection.locals] == [p.name for p in table.schema.parameters]
        return choice if same else None

    def _conditions(self, choice: ir.Choose | None, table: ActionTable, key: tuple[Any, ...]) -> list[str]:
        """What does not hold, as far as the seat may know."""
        env: dict[ir.Local, Any]
        if choice is None:
            action = self.game.spec.actions[self.name]
            locals = action.selection.locals if action.selection is not None else ()
            env = {action.me: self.seat, **dict(zip(locals, key, strict=True))}
            self._given = set(env)
            conditions = self.game.conditions.of(action)
        else:
            env = self._known()
            mine = [local for local, value in env.items() if local.type == t.PLAYER and value == self.seat]
            hidden = [local for local in env if not self._may_know(local, env)]
            conditions = self.game.conditions.of_choice(choice, mine, hidden)
            env.update(zip(choice.selection.locals, key, strict=True))
            self._given = {*mine, *choice.selection.locals}
        found: list[str] = []
        for condition in conditions:
            told = self._failed(condition, env)
            found += told
            if told and condition.kind == "domain":
                break
        return found

    def _known(self) -> dict[ir.Local, Any]:
        """The locals of the body that the decision interrupts."""
        scope = self.state._module.decisions[self.number].scope
        return {local: self.frame[place] for local, place in scope.items() if place < len(self.frame)}

    def _may_know(self, local: ir.Local, env: Mapping[ir.Local, Any]) -> bool:
        """Whether the seat may know the value of a local of effects; in doubt not."""
        value = env.get(local)
        if local.type == t.PLAYER:
            return True
        if isinstance(local.type, t.TableType) and local.type.kind == "component" and value is not None:
            return bool(self.game.sight.component(self.S, local.type.name, value) & self.game.sight.bit(self.seat))
        source = self.game.conditions.binders.get(local)
        if source is None:
            return False
        mine = [other for other, seat in env.items() if other.type == t.PLAYER and seat == self.seat]
        inner = [other for other in free(source) if other is not local]
        return self.game.conditions.sees.all_of(source, frozenset(mine)) and all(
            other in env and self._may_know(other, env) for other in inner
        )

    def _failed(self, condition: Condition, env: Mapping[ir.Local, Any]) -> list[str]:
        """Why a condition does not hold; empty if it does, or if the seat may not know.

        Where the rules alone do not say that the seat sees all that is read, it is read from what the seat sees.
        """
        if not condition.may_be_open:
            return []
        S = self.S if condition.is_open else self._watched
        try:
            if self.game.conditions.asked.value(S, condition.expr, env):
                return []
            return self._told(condition, env, S)
        except Exception:  # Something hidden was read, or an earlier condition keeps this one from being asked.
            return []

    @cached_property
    def _watched(self) -> Any:
        return watched(self.game, seen_position(self.state, self.seat), self.seat)

    def _told(self, condition: Condition, env: Mapping[ir.Local, Any], S: Any) -> list[str]:
        conditions = self.game.conditions
        span, asked = condition.expr.span, conditions.asked
        at, source = f" ({conditions.sources.place(span)})", conditions.sources.text(span)
        causes = Causes(asked, conditions.sources, S, self._given)
        if condition.kind == "pay":
            assert condition.amount is not None and condition.has is not None
            amount, has = causes.value(condition.amount, env), causes.value(condition.has, env)
            return [f"needs {number(amount)} {self._entry(condition.has)}, has {number(has)}{at}"]
        if condition.kind == "domain":
            assert condition.argument is not None and condition.domain is not None
            value = env[condition.argument]
            shown = self.game.texts.show(condition.argument.type, value)
            first = f"`{condition.argument.name}` cannot be {shown}: it comes from `{source}`{at}"
            return [first, *causes.outside(value, condition.domain, env)]
        return causes.false(condition.expr, env)

    def _entry(self, variable: ir.VarRead) -> str:
        """The variable of a cost as the spec names it, with the seat for `me`."""
        texts = []
        for index in variable.indices:
            own = isinstance(index, ir.LocalRead) and index.local is self.game.spec.actions[self.name].me
            texts.append(self.game.seat_name(self.seat) if own else self.game.conditions.sources.text(index.span))
        return f"{variable.variable}[{', '.join(texts)}]" if texts else variable.variable


def broken(state: State) -> list[str]:
    """The invariants that do not hold, each with further lines that say what it read, and where; it hides nothing."""
    game, conditions = state.game, state.game.conditions
    found: list[str] = []
    names = state.broken_invariants()
    for invariant in game.spec.invariants:
        name = invariant.name
        if name not in names:
            continue
        conditions.asked.prepare([invariant.condition])
        causes = Causes(conditions.asked, conditions.sources, state._position)
        steps = [step.replace(" does not hold: ", ": ", 1) for step in causes.false(invariant.condition, {})]
        found.append("\n  ".join([f"the invariant `{name}` does not hold", *steps]))
    return found


def _form(name: str, parameters: Iterable[str]) -> str:
    return f"{name}({', '.join(f'{p}=...' for p in parameters)})" if parameters else name


def _listed(names: Sequence[str], word: str = "") -> str:
    shown = ", ".join(f"`{name}`" for name in names[:LISTED])
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{f'{word}: ' if word else ''}{shown}{more}"
