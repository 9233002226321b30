"""Scenario files run: worked examples are prepared, played and compared with what must be so.

All scenarios of a file with the same players and options share one compiled game, into which their `given` blocks
and conditions are compiled.
"""

from __future__ import annotations

import linecache
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from attrs import field, frozen

from interpreter.compile.module import Extra
from interpreter.errors import IllegalAction, RuleError
from interpreter.game import Game
from interpreter.runtime.play import run, run_to
from interpreter.state import State, rule_error
from interpreter.texts import number
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.diagnostics import Diagnostic, SpecError
from rulespec.packs import find_game, game_id
from rulespec.scenarios import model as sc
from rulespec.source import Span

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_HEAD = re.compile(r"^scenarios\s*:", re.MULTILINE)
_SHOWN = 12
"""Options that a message lists."""


@frozen
class ScenarioResult:
    """What came of one scenario.

    Attributes:
        name, rule: as the file has them.
        path: the file.
        passed: whether all was as it must be.
        message: what was expected and what was found; "" if it passed.
        span: the place of the claim or step that failed, else of the scenario.
    """

    name: str
    rule: str
    path: str
    passed: bool
    message: str
    span: Span | None = field(repr=False)


def run_scenarios(path: str | Path) -> list[ScenarioResult]:
    """Runs scenarios.

    Args:
        path: a scenario file; a folder, for all files in it, in `scenarios/` and in `*/scenarios/`; a game file or
            the id of an installed game, for its own.

    Raises:
        SpecError: a file, or the game of one, has mistakes.
        rulespec.packs.PackError: there is no such file, folder or game.
    """
    from rulespec.scenarios.read import Library, read_scenarios  # the whole checker: not for every import

    library = Library()
    results: list[ScenarioResult] = []
    mistakes: list[Diagnostic] = []
    for file in scenario_files(path):
        try:
            results += run_file(read_scenarios(file, library))
        except SpecError as error:
            mistakes += error.diagnostics
    if mistakes:
        raise SpecError(dict.fromkeys(mistakes))
    return results


def scenario_files(path: str | Path) -> list[Path]:
    """The scenario files that a path or id means; see `run_scenarios`."""
    given = Path(path)
    if given.is_dir():
        patterns = ("*.yaml", "scenarios/*.yaml", "*/scenarios/*.yaml")
        return sorted(file for pattern in patterns for file in given.glob(pattern) if _is_scenario_file(file))
    if given.is_file() and not game_id(given):
        return [given]
    game = find_game(path)
    found = [file for file in sorted((game.parent / "scenarios").glob("*.yaml")) if _is_scenario_file(file)]
    return [file for file in found if game_of(file) == game.resolve()]


def _is_scenario_file(path: Path) -> bool:
    return bool(_HEAD.search(path.read_text(encoding="utf-8", errors="replace"))) and not game_id(path)


def game_of(path: Path) -> Path:
    """The file of the game of a scenario file."""
    match = re.search(r"""^game\s*:\s*["']?([^\s"'#]+)""", path.read_text(encoding="utf-8", errors="replace"), re.M)
    name = match.group(1) if match else "../game.yaml"
    beside = path.parent / name
    return (beside if beside.is_file() or name.endswith(".yaml") else find_game(name)).resolve()


def run_file(
    file: sc.ScenarioFile, made: Callable[[Game, int], None] = lambda game, scenarios: None
) -> list[ScenarioResult]:
    """Runs all scenarios of a file, in its order; `made` is told of each game and how many scenarios it is for."""
    groups: dict[Any, list[int]] = {}
    for n, scenario in enumerate(file.scenarios):
        groups.setdefault((scenario.players, tuple(sorted(scenario.options.items()))), []).append(n)
    results: dict[int, ScenarioResult] = {}
    for numbers in groups.values():
        first = file.scenarios[numbers[0]]
        try:
            game = Game(file.spec, first.players, first.options, extra=extra_of(file, numbers))
        except ValueError as error:
            for n in numbers:
                place = file.scenarios[n].options_span
                results[n] = _result(file, file.scenarios[n], Failure(str(error), place))
            continue
        made(game, len(numbers))
        for n in numbers:
            results[n] = _result(file, file.scenarios[n], Run(game, file.scenarios[n], f"scenario_{n}").failure())
    return [results[n] for n in range(len(file.scenarios))]


def _result(file: sc.ScenarioFile, scenario: sc.Scenario, failure: Failure | None) -> ScenarioResult:
    if failure is None:
        return ScenarioResult(scenario.name, scenario.rule, file.path, True, "", scenario.span)
    return ScenarioResult(scenario.name, scenario.rule, file.path, False, failure.message, failure.span)


class Failure(Exception):
    """Something is not as it must be."""

    def __init__(self, message: str, span: Span) -> None:
        self.message, self.span = message, span
        super().__init__(message, span)


# ---------------------------------------------------------------- what is compiled


def extra_of(file: sc.ScenarioFile, numbers: list[int]) -> Extra:
    """The bodies of some scenarios, to be compiled with their game."""
    bodies: dict[str, tuple[tuple[ir.Local, ...], ir.Expr | ir.Block]] = {}
    for n in numbers:
        scenario = file.scenarios[n]
        if scenario.given:
            bodies[f"scenario_{n}_given"] = ((), scenario.given)
        for name, condition in _conditions(f"scenario_{n}", scenario):
            bodies[name] = ((), condition)
            for side, expr in _sides(condition).items():
                bodies[f"{name}_{side}"] = ((), expr)
    return Extra(bodies, frozenset(file.scenarios[n].at for n in numbers) - {""})


def _conditions(prefix: str, scenario: sc.Scenario) -> Iterator[tuple[str, ir.Expr]]:
    """The conditions of a scenario, cut at `and`, with the names of their functions."""
    for p, part in enumerate(scenario.parts):
        for c, claim in enumerate(part.then):
            if isinstance(claim, sc.Holds):
                for k, condition in enumerate(_conjuncts(claim.condition)):
                    yield f"{prefix}_{p}_{c}_{k}", condition


def _conjuncts(condition: ir.Expr) -> list[ir.Expr]:
    if isinstance(condition, ir.Binary) and condition.op == "and":
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [condition]


def _sides(condition: ir.Expr) -> dict[str, ir.Expr]:
    """What is worth telling when a condition fails: both sides of a comparison, a member and its collection."""
    match condition:
        case ir.Unary(op="not", operand=inner):
            return _sides(inner)
        case ir.Binary(op=op, left=left, right=right) if op in _COMPARISONS:
            return {"left": left, "right": right}
        case ir.Member(item=item, collection=collection):
            return {"item": item, "collection": collection}
        case ir.Within(left=left, right=right):
            return {"left": left, "right": right}
        case ir.Truth(value=value):
            return {"value": value}
    return {}


def _source(span: Span) -> str:
    """The text of a place, where it is on one line."""
    if span.line != span.end_line:
        return ""
    return linecache.getline(span.path, span.line)[span.column - 1 : span.end_column - 1].strip()


# ---------------------------------------------------------------- one scenario


class Run:
    """One scenario being run, in a game that was made with `extra_of` it. prefix: of the names of its functions."""

    def __init__(self, game: Game, scenario: sc.Scenario, prefix: str) -> None:
        self.game, self.scenario, self.prefix = game, scenario, prefix
        self.module = game.module()

    def failure(self) -> Failure | None:
        """What is not as it must be, or None."""
        try:
            state = self.start()
            for p, part in enumerate(self.scenario.parts):
                self.steps(state, part)
                for c, claim in enumerate(part.then):
                    self.claim(state, claim, f"{self.prefix}_{p}_{c}")
        except Failure as failure:
            return failure
        except RuleError as error:
            return Failure(f"a rule cannot be carried out: {error}", self.scenario.span)
        return None

    # ------------------------------------------------------------ the position

    def start(self) -> State:
        """The position of the scenario, prepared.

        Raises:
            Failure: it cannot be prepared.
        """
        scenario, game, module = self.scenario, self.game, self.module
        if not scenario.at:
            state = game.new_state(scenario.seed)
            if scenario.given:
                if state.is_over:
                    raise Failure("the game is over before a first decision, so `given` is never done", scenario.span)
                self._given(state._position)
                self._ask_again(state)
        else:
            S = game.first_position(module, scenario.seed)
            state = State(game, module, S, scenario.seed)
            self._go_to_phase(S)
            self._given(S)
            state._guarded(lambda: run(S, module.code), "", None)
            state.is_over = S.over
        state._origin = state._position.clone()
        return state

    def _go_to_phase(self, S: Any) -> None:
        """Plays to the first beginning of the phase; random decisions lead there, where some come before it."""
        at, numbers = self.scenario.at, self.module.numbers
        unit = numbers.get(f"pass {at}", numbers.get(f"phase {at}"))
        if unit is None:
            raise Failure(f"the phase `{at}` does not exist with these options", self.scenario.span)
        chance = random.Random(self.scenario.seed)
        try:
            reached = run_to(S, self.module.code, unit, chance.choice)
        except Exception as problem:
            raise rule_error(self.game, self.module, problem, "", None) from problem
        if not reached:
            raise Failure(f"the phase `{at}` never began in a game of random decisions", self.scenario.span)

    def _given(self, S: Any) -> None:
        if not self.scenario.given:
            return
        function = self.module.function(f"{self.prefix}_given")
        if function.__code__.co_argcount != 1:
            raise Failure("`given` sets off something that asks a player", self.scenario.given[0].span)
        try:
            function(S)
        except Exception as problem:
            error = rule_error(self.game, self.module, problem, "", None)
            span = error.spans[0] if error.spans else self.scenario.span
            raise Failure(f"`given` cannot be done: {error.message}", span) from problem

    def _ask_again(self, state: State) -> None:
        """The options of the decision are those of the prepared position."""
        S, module = state._position, self.module
        for branch in S.branches or ():
            branch[3] = module.function(module.decisions[branch[2]].options)(S, branch[1][-1])
        frame = S.branches[0][1][-1] if S.branches else S.stack[-1]
        S.options = module.function(module.decisions[S.decision].options)(S, frame)
        if not S.options:
            message = "after `given` the first decision has no option left; with `at: PHASE` it is done earlier"
            raise Failure(message, self.scenario.span)

    # ------------------------------------------------------------ steps

    def steps(self, state: State, part: sc.Part) -> None:
        """Takes the steps of a part.

        Raises:
            Failure: one is not possible, or a fault is not as claimed.
        """
        faults = [claim for claim in part.then if isinstance(claim, sc.Fault)]
        for n, step in enumerate(part.when):
            last = n == len(part.when) - 1
            try:
                state.apply(step.action, step.seat)
            except IllegalAction as error:
                raise Failure(f"{error}\n{self._offered(state)}", step.span) from None
            except RuleError as error:
                if not last or not faults:
                    raise Failure(f"`{step.action}` cannot be carried out: {error}", step.span) from None
                for claim in faults:
                    if claim.part not in str(error):
                        message = f"expected a fault with `{claim.part}`, found: {error}"
                        raise Failure(message, claim.span) from None
                return
        if faults:
            raise Failure(f"expected a fault with `{faults[0].part}`, but there was none", faults[0].span)

    def _offered(self, state: State) -> str:
        """Who decides, and what they can do."""
        if state.is_over:
            return "the game is over"
        lines = []
        for seat in state.deciding_seats():
            options = [f"`{option}`" for option in state.legal_actions(seat)]
            more = f", and {len(options) - _SHOWN} more" if len(options) > _SHOWN else ""
            lines.append(f"{self.game.seat_name(seat)} can do {', '.join(options[:_SHOWN])}{more}")
        return "\n".join(lines)

    # ------------------------------------------------------------ claims

    def claim(self, state: State, claim: sc.Claim, name: str) -> None:
        """Tests a claim. name: of its functions, `PREFIX_PART_CLAIM`.

        Raises:
            Failure: it is not so.
        """
        match claim:
            case sc.Holds():
                self._holds(state, claim, name)
            case sc.Can():
                self._can(state, claim)
            case sc.Options():
                self._options(state, claim)
            case sc.Deciding(seats=seats):
                self._same(claim, "deciding", self._names(seats), self._names(state.deciding_seats()))
            case sc.Over(over=over):
                word = ("the game goes on", "the game is over")
                if over != state.is_over:
                    more = "" if state.is_over else f"\n{self._offered(state)}"
                    raise Failure(f"expected that {word[over]}, but {word[not over]}{more}", claim.span)
            case sc.Invariants(hold=hold):
                broken = ", ".join(f"`{name}`" for name in state.broken_invariants())
                if hold and broken:
                    raise Failure(f"expected that the invariants hold, but not so: {broken}", claim.span)
                if not hold and not broken:
                    raise Failure("expected that an invariant does not hold, but all do", claim.span)
            case sc.Winners(seats=seats):
                if not state.is_over:
                    raise Failure("expected winners, but the game goes on", claim.span)
                self._same(claim, "winners", self._names(seats), self._names(state.winners))
            case sc.Scores(scores=scores):
                self._scores(state, claim, scores)
            case sc.Says(part=part):
                lines = state.log(None)
                if not any(part in line for line in lines):
                    found = "\n".join(lines[-_SHOWN:]) or "nothing"
                    raise Failure(f"expected `{part}` in the log, found:\n{found}", claim.span)

    def _names(self, seats: Any) -> list[str]:
        return [self.game.seat_name(seat) for seat in sorted(seats)]

    def _same(self, claim: sc.Claim, what: str, wanted: list[str], found: list[str]) -> None:
        if wanted != found:
            expected, real = (", ".join(names) or "nobody" for names in (wanted, found))
            raise Failure(f"{what}: expected {expected}, found {real}", claim.span)

    def _scores(self, state: State, claim: sc.Claim, scores: Any) -> None:
        found = state.scores
        if not found:
            raise Failure("expected scores, but the game has none", claim.span)
        for seat, score in scores.items():
            if found[seat] != score:
                wanted, real = number(score), number(found[seat])
                message = f"score of {self.game.seat_name(seat)}: expected {wanted}, found {real}"
                raise Failure(message, claim.span)

    def _can(self, state: State, claim: sc.Can) -> None:
        seat = self.game.seat_name(claim.seat)
        possible = self._normal(claim.action) in map(self._normal, map(str, state.legal_actions(claim.seat)))
        if possible == claim.possible:
            if not possible and self._is_nonsense(claim.action):
                raise Failure(f"`{claim.action}` is no action of this game at all", claim.span)
            return
        if possible:
            raise Failure(f"expected that {seat} cannot do `{claim.action}`, but it is an option", claim.span)
        reasons = "; ".join(state.why_not(claim.action, claim.seat))
        because = f": {reasons}" if reasons else ""
        raise Failure(
            f"expected that {seat} can do `{claim.action}`, but it is no option{because}\n{self._offered(state)}",
            claim.span,
        )

    def _normal(self, text: str) -> str:
        return self.game.texts.normal(text)

    def _is_nonsense(self, text: str) -> bool:
        """Whether no position could offer this: a name in it is wrong."""
        name = text.split("(", 1)[0].strip()
        tables = [table for table in self.game.action_tables.values() if table.schema.name == name]
        finite = all(table.schema.size is not None for table in tables)
        return bool(tables) and finite and self.game.parse_action(text) is None

    def _options(self, state: State, claim: sc.Options) -> None:
        found = [str(option) for option in state.legal_actions(claim.seat)]
        there, wanted = {self._normal(text) for text in found}, {self._normal(text) for text in claim.actions}
        missing = [f"`{text}`" for text in claim.actions if self._normal(text) not in there]
        further = [f"`{text}`" for text in found if self._normal(text) not in wanted]
        if missing or further:
            parts = [f"expected also {', '.join(missing)}"] if missing else []
            parts += [f"found also {', '.join(further[:_SHOWN])}"] if further else []
            message = f"options of {self.game.seat_name(claim.seat)}: {'; '.join(parts)}"
            if claim.seat not in state.deciding_seats():
                message += f"\n{self._offered(state)}"
            raise Failure(message, claim.span)

    def _holds(self, state: State, claim: sc.Holds, name: str) -> None:
        S = state._position
        for k, condition in enumerate(_conjuncts(claim.condition)):
            function = f"{name}_{k}"
            try:
                holds = self.module.function(function)(S)
            except Exception as problem:
                error = rule_error(self.game, self.module, problem, "", None)
                raise Failure(f"`{claim.text}` cannot be worked out: {error.message}", claim.span) from problem
            if not holds:
                text = _source(condition.span) or claim.text
                found = " and ".join(self._values(S, function, condition))
                raise Failure(f"expected `{text}`, found that {found or 'it does not hold'}", condition.span)

    def _values(self, S: Any, function: str, condition: ir.Expr) -> Iterator[str]:
        """What the sides of a condition are, but for those that are plain to see."""
        for side, expr in _sides(condition).items():
            if isinstance(expr, ir.Const | ir.RowRef):
                continue
            try:
                value = self.module.function(f"{function}_{side}")(S)
            except Exception:  # it is only told beside the failure
                continue
            text = _source(expr.span)
            what = f"`{text}`" if text else f"the {side}"
            yield f"{what} is {self._shown(expr.type, value)}"

    def _shown(self, type: t.Type, value: Any) -> str:
        if value is None:
            return "none"
        while isinstance(type, t.OptionalType):
            type = type.item
        return number(value) if isinstance(type, t.NumberType) else self.game.tables.value_text(type, value)
