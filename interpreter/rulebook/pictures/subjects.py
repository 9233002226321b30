"""What an example speaks of: the zones and variables that its pictures show in any case."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import checked as ir
from rulespec.check.walk import nodes
from rulespec.scenarios import model as sc


def subjects(scenario: sc.Scenario) -> frozenset[str]:
    """The names of zones and variables that the conditions of a scenario read."""
    return frozenset(_names(scenario))


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
