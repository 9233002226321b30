"""What is known of a game without playing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from rulespec import checked as ir
from rulespec.check.walk import nodes

if TYPE_CHECKING:
    from interpreter.game import Game


@frozen
class Facts:
    """Facts derived from the rules.

    Attributes:
        seats: the number of players.
        chance: whether something random can happen.
        perfect_information: whether every seat sees everything at every time.
        simultaneous: whether seats ever decide at the same time.
        zero_sum: whether the returns of all seats always add up to nothing (as far as the rules show it).
        longest_game: an upper bound of the number of decisions, None if not known.
    """

    seats: int
    chance: bool
    perfect_information: bool
    simultaneous: bool
    zero_sum: bool
    longest_game: int | None


def facts_of(game: Game) -> Facts:
    """Derives the facts of a game."""
    spec = game.spec
    bodies = [layer.body for p in spec.procedures.values() for layer in p.layers]
    bodies += [layer.body for a in spec.actions.values() for layer in a.do]
    bodies += [layer.body for tr in spec.triggers for layer in tr.do]
    bodies += [layer.body for layer in spec.setup]
    phases = list(spec.phases)
    for phase in phases:
        phases += phase.phases
        bodies += [la.body for la in (*phase.do, *phase.if_stuck, *phase.before_turn, *phase.after_turn)]
    for table in spec.tables.values():
        for row in table.rows:
            bodies += [v[1] for n, v in row.values.items() if table.fields[n].params is not None]
    found = list(nodes(tuple(bodies)))
    chance = any(isinstance(x, ir.Shuffle) or (isinstance(x, ir.Choose) and x.who is None) for x in found)
    chance = chance or any(z.refilled_from for z in spec.zones.values())
    together = any(isinstance(x, ir.Together) for x in found)
    hidden = any(z.seen_by != "everyone" for z in spec.zones.values() if game.layout.zones[z.name].exists)
    hidden = hidden or any(v.seen_by != "everyone" for v in spec.variables.values())
    declared = spec.result.payoff is not None or spec.result.score is not None
    return Facts(game.seats, chance, not hidden and not together, together, not declared and game.seats == 2, None)
