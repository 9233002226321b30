"""Phases that are never reached or never end, and actions that nobody is ever offered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec import checked as ir
from rulespec.check.effects import Analysis
from rulespec.check.walk import nodes
from rulespec.diagnostics import Reporter


def every(phases: Iterable[ir.Phase]) -> Iterator[ir.Phase]:
    """All phases, with those inside others."""
    for phase in phases:
        yield phase
        yield from every(phase.phases)


def bodies(phase: ir.Phase) -> tuple[object, ...]:
    """The rules of one phase, without those of the phases inside it."""
    turns = phase.turns
    loop = () if turns is None else (turns.first, turns.among, turns.times, turns.rounds, turns.until, turns.turn_until)
    return (
        phase.do,
        phase.if_stuck,
        phase.before_turn,
        phase.after_turn,
        phase.skip_when,
        phase.repeat,
        phase.repeat_until,
        phase.only_if,
        *loop,
    )


def check(checked: ir.CheckedSpec, trees: list[object], effects: Analysis, reporter: Reporter) -> None:
    """Reports phases that cannot be reached or left, and actions that are never offered.

    Args:
        checked: the game.
        trees: all rules of the game.
        effects: what these rules do.
        reporter: gets what is found.
    """
    stmts = [node for tree in trees for node in nodes(tree)]
    ended = {node.phase for node in stmts if isinstance(node, ir.End)}
    over = "" in ended or any(isinstance(node, ir.Outcome) for node in stmts)
    _Course(ended, effects, reporter).sequence(checked.phases, over)
    _offered(checked, stmts, reporter)


class _Course:
    """Follows the course of play from phase to phase."""

    def __init__(self, ended: set[str], effects: Analysis, reporter: Reporter) -> None:
        self.ended = ended
        self.effects = effects
        self.reporter = reporter

    def sequence(self, phases: Iterable[ir.Phase], way_out: bool) -> bool:
        """Whether phases one after another come to an end.

        Args:
            phases: in their order.
            way_out: something may end the game or a phase around these.
        """
        blocked: ir.Phase | None = None
        for phase in phases:
            if blocked is not None:
                self.reporter.error(
                    "RS516",
                    f"the phase `{phase.name}` is never reached, because `{blocked.name}` before it never ends",
                    phase.span,
                    f"give `{blocked.name}` an end, as `until:`, `rounds:`, or `end {blocked.name}` in a rule",
                )
                return False
            if not self.ends(phase, way_out) and phase.only_if is None and phase.skip_when is None:
                blocked = phase
        return blocked is None

    def ends(self, phase: ir.Phase, way_out: bool) -> bool:
        """Whether play can go on after a phase; endless turns are reported."""
        inner_out = way_out or phase.name in self.ended
        inside = self.sequence(phase.phases, inner_out or self._bounded(phase))
        if phase.name in self.ended:
            return True
        if phase.turns is not None:
            if self._bounded(phase):
                return inside
            if not way_out:
                self.reporter.error(
                    "RS517",
                    f"the turns of the phase `{phase.name}` never end",
                    phase.span,
                    f"give `turns` a `rounds`, `times` or `until`, or write `end {phase.name}` or `end game` in a rule",
                )
                return True
            return False
        return inside

    def _bounded(self, phase: ir.Phase) -> bool:
        """Whether the turns of a phase may be over: by their number, a condition, or with nobody left to have one."""
        turns = phase.turns
        if turns is None:
            return False
        changes = turns.among is not None and bool(self.effects.of(turns.among).reads)
        return changes or any(end is not None for end in (turns.times, turns.rounds, turns.until))


def _offered(checked: ir.CheckedSpec, stmts: list[object], reporter: Reporter) -> None:
    names = {offer.action for node in stmts if isinstance(node, (ir.Ask, ir.Window)) for offer in node.offers}
    windows = any(isinstance(node, ir.Window) for node in stmts)
    for phase in every(checked.phases):
        names |= {*phase.actions, *phase.any_time}
    for action in checked.actions.values():
        if action.name not in names and not (action.name == "pass" and windows):
            reporter.error(
                "RS518",
                f"the action `{action.name}` is never offered",
                action.span,
                "name it in `actions:` or `any_time:` of a phase, or in an `ask`",
            )
