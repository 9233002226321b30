"""The parts of a scenario that speak of the game: `given`, steps and claims."""

from __future__ import annotations

import re
from fractions import Fraction

from attrs import frozen

from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.context import Context, Scope
from rulespec.check.core import check_condition
from rulespec.check.effects import Analysis
from rulespec.check.statements import check_block
from rulespec.check.walk import nodes
from rulespec.scenarios import keys
from rulespec.scenarios.model import (
    Can,
    Claim,
    Deciding,
    Fault,
    Holds,
    Invariants,
    Options,
    Over,
    Says,
    Scores,
    Step,
    Winners,
)
from rulespec.source import Span
from rulespec.spec.outline import check_value, found
from rulespec.spelling import did_you_mean
from rulespec.syntax.parser import parse_block, parse_expression
from rulespec.yaml_source import Mapping, Node, Scalar, Sequence

_BUILT_IN_ACTIONS = ("choose", "pass", "done")
_NUMBER = re.compile(r"(-?)(\d*)(½?)|(-?\d+)/(\d+)")


@frozen
class Bodies:
    """Reads what one scenario says of its game.

    context: of the game, with the file's reporter. seats: names of the seats that play.
    """

    context: Context
    spec: ir.CheckedSpec
    analysis: Analysis
    seats: tuple[str, ...]

    def _error(self, code: str, message: str, span: Span, hint: str = "") -> None:
        self.context.reporter.error(code, message, span, hint)

    # ------------------------------------------------------------ given

    def given(self, node: Scalar) -> ir.Block:
        """The effects that prepare the position; see also `only_seats_that_play`."""
        parsed = parse_block(node.text, self.context.reporter)
        if parsed is None:
            return ()
        block = check_block(parsed, Scope(self.context, body="given"))
        for part in nodes(block):
            wrong = self._not_allowed(part)
            if wrong:
                self._error("RS607", f"`given` prepares a position, and this {wrong}", part.span)
        return block

    def _not_allowed(self, node: object) -> str:
        """What an effect does that `given` may not do, or ""."""
        match node:
            case ir.Choose(who=None) | ir.Shuffle():
                return "is left to chance"
            case ir.Choose() | ir.Ask() | ir.Window() | ir.Together():
                return "asks a player"
            case ir.End() | ir.Outcome():
                return "ends something"
            case ir.Call(procedure=name):
                effects = self.analysis.procedure[name]
            case ir.RowEffect(base=base, field=name):
                effects = self.analysis.rule[getattr(base.type, "name", ""), name]
            case _:
                return ""
        if effects.asks:
            return "asks a player"
        if effects.chance:
            return "is left to chance"
        return "may end something" if effects.ends else ""

    def only_seats_that_play(self, tree: object) -> None:
        """Tells of seats that are named and do not play."""
        for node in nodes(tree):
            if not isinstance(node, ir.Const) or node.type != t.PLAYER or not isinstance(node.value, int):
                continue
            if node.value >= len(self.seats):
                self._no_seat(self._all_names()[node.value], node.span)

    # ------------------------------------------------------------ seats and actions

    def _all_names(self) -> list[str]:
        declared = [name for name, _ in self.spec.source.seat_names]
        return declared or [f"player_{n + 1}" for n in range(self.spec.source.seats[1])]

    def _no_seat(self, name: str, span: Span) -> None:
        known = name in self._all_names()
        hint = "" if known else did_you_mean(name, self.seats)
        hint = hint or f"the seats are {', '.join(f'`{seat}`' for seat in self.seats)}"
        count = f" with {len(self.seats)} players" if known else ""
        self._error("RS603", f"there is no seat `{name}`{count}", span, hint)

    def _seat(self, node: Node) -> int | None:
        if not isinstance(node, Scalar):
            self._error("RS608", f"expected the name of a seat, found {found(node)}", node.span)
        elif node.value in self.seats:
            return self.seats.index(node.value)
        else:
            self._no_seat(node.value, node.span)
        return None

    def _seats(self, node: Node) -> tuple[int, ...]:
        found_seats = [self._seat(item) for item in _items(node)]
        return tuple(seat for seat in found_seats if seat is not None)

    def _actions(self, node: Node) -> list[tuple[str, Span]]:
        """The texts of one or several actions; their names must be known, their arguments are read in play."""
        texts: list[tuple[str, Span]] = []
        for item in _items(node):
            if not isinstance(item, Scalar):
                hint = 'a text with commas in a list needs quotes: `["take(n=1, from=a)"]`'
                self._error("RS608", f"expected an action, found {found(item)}", item.span, hint)
                continue
            text = item.value.strip()
            name = text.split("(", 1)[0].strip()
            if name not in self.spec.actions and name not in _BUILT_IN_ACTIONS:
                hint = did_you_mean(name, [*self.spec.actions, *_BUILT_IN_ACTIONS])
                self._error("RS606", f"there is no action `{name}`", item.span, hint)
            elif text.count("(") != text.count(")"):
                hint = 'an action with commas inside `{}` or `[]` needs quotes: `{player_1: "take(n=1, from=a)"}`'
                self._error("RS606", f"`{text}` is cut short", item.span, hint)
            else:
                texts.append((text, item.span))
        return texts

    def step(self, node: Node) -> list[Step]:
        """`player_1: ACTION`; several in one map are done in order."""
        if not isinstance(node, Mapping):
            hint = "write `- player_1: ACTION`"
            self._error("RS608", f"a step must be a map of a seat to an action, found {found(node)}", node.span, hint)
            return []
        steps = []
        for key, value in node.items:
            seat = self._seat(key)
            for text, span in self._actions(value):
                if seat is not None:
                    steps.append(Step(seat, text, span))
        return steps

    # ------------------------------------------------------------ claims

    def claims(self, node: Node, stepped: bool) -> list[Claim]:
        """One entry of `then`."""
        if isinstance(node, Scalar):
            return self._condition(node)
        if not isinstance(node, Mapping):
            message = f"an entry of `then` must be a condition or a map as `over: yes`, found {found(node)}"
            self._error("RS608", message, node.span)
            return []
        claims: list[Claim] = []
        for key, value in node.items:
            known = keys.CLAIMS_BY_KEY.get(key.value)
            if known is None:
                hint = did_you_mean(key.value, keys.CLAIMS_BY_KEY)
                hint = hint or f"the keys here are {', '.join(f'`{name}`' for name in keys.CLAIMS_BY_KEY)}"
                self._error("RS101", f"unknown key `{key.value}` in `then`", key.span, hint)
            elif check_value(key, value, known.kind, self.context.reporter):
                if key.value == "fault" and not stepped:
                    self._error("RS608", "`fault` is said of the last step, and there is none", key.span)
                claims += self._claim(key, value)
        return claims

    def _condition(self, node: Scalar) -> list[Claim]:
        parsed = parse_expression(node.text, self.context.reporter)
        if parsed is None:
            return []
        condition = check_condition(parsed, Scope(self.context, function=True, body="then"))
        self.only_seats_that_play(condition)
        return [Holds(node.value.strip(), node.span, condition)]

    def _claim(self, key: Scalar, value: Node) -> list[Claim]:
        text, span = key.value, key.span
        word = value.value.strip() if isinstance(value, Scalar) else ""
        match key.value:
            case "over":
                return [Over(text, span, word in ("yes", "true"))]
            case "invariants":
                return [Invariants(text, span, word in ("yes", "true"))]
            case "says":
                return [Says(text, span, word)]
            case "fault":
                return [Fault(text, span, word)]
            case "deciding":
                return [Deciding(text, span, self._seats(value))]
            case "winners":
                return [Winners(text, span, self._seats(value))]
            case "scores":
                return [Scores(text, span, self._scores(value))]
        claims: list[Claim] = []
        for name, actions in value.items if isinstance(value, Mapping) else ():
            seat = self._seat(name)
            texts = self._actions(actions)
            if seat is None:
                continue
            if key.value == "options":
                claims.append(Options(text, actions.span, seat, tuple(action for action, _ in texts)))
            else:
                claims += [Can(text, place, seat, action, key.value == "can") for action, place in texts]
        return claims

    def _scores(self, node: Node) -> dict[int, Fraction]:
        scores: dict[int, Fraction] = {}
        for name, value in node.items if isinstance(node, Mapping) else ():
            seat = self._seat(name)
            number = _number(value.value.strip()) if isinstance(value, Scalar) else None
            if number is None:
                self._error("RS604", f"a score must be a number, found {found(value)}", value.span)
            elif seat is not None:
                scores[seat] = number
        return scores


def _items(node: Node) -> tuple[Node, ...]:
    """The items of a list, or the one thing that stands in its place."""
    return node.items if isinstance(node, Sequence) else (node,)


def _number(text: str) -> Fraction | None:
    """A number as texts have it: `12`, `-3`, `7½`, `2/3`."""
    match = _NUMBER.fullmatch(text)
    if match is None or not any(match.group(2, 3, 4)):
        return None
    if match.group(4):
        return Fraction(int(match.group(4)), int(match.group(5))) if int(match.group(5)) else None
    value = Fraction(int(match.group(2) or 0)) + (Fraction(1, 2) if match.group(3) else 0)
    return -value if match.group(1) else value
