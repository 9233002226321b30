"""What an example speaks of: the zones and variables that its pictures show in any case."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import checked as ir
from rulespec.check.walk import nodes
from rulespec.scenarios import model as sc


def subjects(scenario: sc.Scenario) -> frozenset[str]:
    """The names of zones and variables that the conditions of a scenario read.

    Where nobody does anything, so that nothing changes, what the position is made of too.
    """
    found = frozenset(_names(scenario))
    return found if any(part.when for part in scenario.parts) else found | frozenset(_prepared(scenario))


def _prepared(scenario: sc.Scenario) -> Iterator[str]:
    for node in nodes(scenario.given):
        match node:
            case ir.SetVar(variable=name) | ir.Move(zone=name) | ir.MoveAll(zone=name) | ir.Draw(zone=name):
                yield name
            case ir.MoveTokens(source=source, target=target):
                yield from (source.variable, target.variable)


def _names(scenario: sc.Scenario) -> Iterator[str]:
    for part in scenario.parts:
        for claim in part.then:
            if isinstance(claim, sc.Holds):
                for node in nodes(claim.condition):
                    match node:
                        case ir.VarRead(variable=name) | ir.ZoneRead(zone=name) | ir.ZoneFamily(zone=name):
                            yield name
                        case ir.ZoneIndex(zone=name):
                            yield name
