"""Games as books need them: no more is compiled than the book asks for."""

from __future__ import annotations

import copy

from attrs import evolve

from interpreter.compile.module import Builder, Module
from interpreter.game import Game
from rulespec import checked as ir
from rulespec.check.walk import nodes

__all__ = ["Played", "Unplayed"]


class Played(Game):
    """A game whose log is asked for whenever it is played: it always notes what happens, and needs no second module."""

    def module(self, log: bool = False, explicit: bool = False) -> Module:
        """See `Game`."""
        return super().module(True, explicit)


class Unplayed(Game):
    """A game whose tables and boards are looked at, and which is never played: only labels of rows are compiled."""

    def module(self, log: bool = False, explicit: bool = False) -> Module:
        """See `Game`; without actions, phases and functions, so no state can be made."""
        if not self._modules:
            labels = [table.label for table in self.spec.tables.values() if table.label is not None]
            if any(isinstance(node, ir.FunctionCall) for node in nodes(labels)):
                return super().module()
            layout = copy.copy(self.layout)
            layout.spec = _without_rules(self.spec)
            module = Builder(layout, self.tables, False, False, self.holds, self._extra).build()
            self._modules[False, False] = module
            self._bind(module)
        return self._modules[False, False]


def _without_rules(spec: ir.CheckedSpec) -> ir.CheckedSpec:
    """What a spec declares, without what players do."""
    tables = {
        name: evolve(table, fields={n: field for n, field in table.fields.items() if field.params is None})
        for name, table in spec.tables.items()
    }
    return evolve(
        spec,
        tables=tables,
        functions={},
        procedures={},
        triggers=(),
        actions={},
        phases=(),
        setup=(),
        result=evolve(spec.result, rank_by=(), score=None, payoff=None),
        invariants=(),
    )
