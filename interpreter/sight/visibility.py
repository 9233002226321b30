"""Who sees what: the declared visibility of zones and variables, as masks of viewers.

A mask has a bit for each seat, and one above them for spectators. Views, logs, undo and reasons all ask here, so that
nothing is hidden in one place and shown in another.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.layout import Domain, Layout


@frozen
class _Entries:
    """What decides who sees the entries of a variable: its `seen_by` and the places of its indices that matter."""

    seen_by: str
    owner: int | None
    components: tuple[tuple[int, str], ...]


class Sight:
    """The visibility rules of one game.

    Attributes:
        everyone: the mask of all viewers.
        contents: by instance number, who sees what lies in a zone. tops: who sees the top. counts: who knows how many.
    """

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.everyone = (1 << (layout.seats + 1)) - 1
        self.contents: list[int] = []
        self.tops: list[int] = []
        self.counts: list[int] = []
        for name, index in layout.instances:
            place = layout.zones[name]
            owner = self.owner(place.per, layout.unflat(place.per, index))
            seen = self._mask(place.zone.seen_by, owner)
            self.contents.append(seen)
            self.tops.append(self._mask(place.zone.top_seen_by, owner) if place.zone.top_seen_by else 0)
            self.counts.append(seen | self._mask(place.zone.count_seen_by, owner))
        self.topped = tuple(number for number, mask in enumerate(self.tops) if mask & ~self.contents[number])
        """The instances whose top somebody sees without the rest."""
        self._entries = {name: self._of_variable(name) for name in layout.variables}

    def bit(self, seat: int | None) -> int:
        """The mask of one viewer; None for a spectator."""
        return 1 << (self.layout.seats if seat is None else seat)

    def _mask(self, who: str, owner: int | None) -> int:
        if who == "owner":
            return 0 if owner is None else 1 << owner
        return 0 if who == "nobody" else self.everyone

    @staticmethod
    def owner(per: Sequence[Domain], indices: Sequence[int]) -> int | None:
        """The seat that an instance or entry belongs to: its first index that is a player."""
        for domain, index in zip(per, indices, strict=True):
            if isinstance(domain.type, t.PlayerType):
                return index
        return None

    def _of_variable(self, name: str) -> _Entries:
        place = self.layout.variables[name]
        owner, components = None, []
        for n, domain in enumerate(place.per):
            if isinstance(domain.type, t.PlayerType) and owner is None:
                owner = n
            if isinstance(domain.type, t.TableType) and domain.type.kind == "component":
                components.append((n, domain.type.name))
        return _Entries(place.variable.seen_by, owner, tuple(components))

    def component(self, S: Any, kind: str, component: int) -> int:
        """Who sees a component where it lies now."""
        number: int = getattr(S, f"loc_{kind}")[component]
        seen = self.contents[number]
        if self.tops[number] and S.z[number][-1] == component:
            seen |= self.tops[number]
        return seen

    def entry(self, S: Any, variable: str, index: int) -> int:
        """Who sees an entry of a variable now, by its flat index; one per component is seen where that is seen."""
        rule = self._entries[variable]
        if rule.seen_by == "everyone" and not rule.components:
            return self.everyone
        place = self.layout.variables[variable]
        indices = self.layout.unflat(place.per, index)
        seen = self._mask(rule.seen_by, None if rule.owner is None else indices[rule.owner])
        for n, kind in rule.components:
            seen &= self.component(S, kind, indices[n])
        return seen

    def is_open(self, variable: str) -> bool:
        """Whether everyone always sees every entry of a variable."""
        rule = self._entries[variable]
        return rule.seen_by == "everyone" and not rule.components
