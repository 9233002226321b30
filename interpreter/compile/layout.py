"""Where everything is kept: sizes of types, numbers of zone instances, flat indices.

A `Layout` belongs to one spec with a number of seats and option values. All emitted code, saves and views use it.

Zones: every instance of every zone has a number; `S.z[number]` is the list of its components (a stack's top is the
last). `loc_KIND[component]` is the number of the instance where a component lies. Variables without `per` are
attributes of the position, others flat lists in row-major order of `per`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from attrs import define, evolve, field, frozen

from interpreter.runtime.support import norm
from rulespec import checked as ir
from rulespec.check import types as t


@frozen
class Domain:
    """The values of a finite type: `size` of them; numbers start at `low`, everything else at 0.

    A spot has the number 4 * space + quarter turns. values: of an enum the ordinals that are meant, None for all; the
    others have their place and are never used.
    """

    type: t.Type
    size: int
    low: int = 0
    values: tuple[int, ...] | None = None

    def has(self, value: int) -> bool:
        """Whether a value of the type is meant."""
        return self.values is None or value in self.values


@frozen
class ZoneLayout:
    """The instances of a zone: numbers `base` to `base + count - 1`, row-major over `per`."""

    zone: ir.Zone
    base: int
    per: tuple[Domain, ...]
    exists: bool
    max: int | None

    @property
    def count(self) -> int:
        """How many instances."""
        return product(d.size for d in self.per)


@frozen
class VariableLayout:
    """A variable's place. low, high: exact ends of a number's range (None: none)."""

    variable: ir.Variable
    per: tuple[Domain, ...]
    low: int | Fraction | None
    high: int | Fraction | None
    exists: bool

    @property
    def count(self) -> int:
        """How many entries; 1 without `per`."""
        return product(d.size for d in self.per)


def product(sizes: Any) -> int:
    """The product of some numbers."""
    result = 1
    for size in sizes:
        result *= size
    return result


@define
class Layout:
    """All places of one game. `evaluate` works out expressions over options and seats."""

    spec: ir.CheckedSpec
    seats: int
    options: dict[str, Any]
    evaluate: Callable[[ir.Expr], Any]
    row_counts: dict[str, int] = field(factory=dict)
    """Number of rows of each table; filled by `tables` in declared order."""
    zones: dict[str, ZoneLayout] = field(factory=dict)
    variables: dict[str, VariableLayout] = field(factory=dict)
    instances: list[tuple[str, int]] = field(factory=list)
    """Zone name and index within it, by instance number."""

    def place_all(self) -> None:
        """Numbers the zones and variables; the sizes of all tables must be known."""
        for zone in self.spec.zones.values():
            per = tuple(self.domain_of(d) for d in zone.per)
            most = None if zone.max is None else int(self.evaluate(zone.max))
            exists = zone.only_if is None or bool(self.evaluate(zone.only_if))
            placed = ZoneLayout(zone, len(self.instances), per, exists, 1 if zone.slot else most)
            self.zones[zone.name] = placed
            self.instances += [(zone.name, i) for i in range(placed.count)]
        for variable in self.spec.variables.values():
            per = tuple(self.domain_of(d) for d in variable.per)
            low, high = self.ends_of(variable.declared)
            exists = variable.only_if is None or bool(self.evaluate(variable.only_if))
            self.variables[variable.name] = VariableLayout(variable, per, low, high, exists)

    def laid_zones(self, kind: str) -> list[ZoneLayout]:
        """The zones in which components of a kind lie on boards."""
        return [p for p in self.zones.values() if p.zone.component == kind and p.zone.laid_on]

    def laid_start(self, zone: str) -> int:
        """Where the spaces of a laid zone begin in the list `cover` of its kind."""
        start = 0
        for place in self.laid_zones(self.zones[zone].zone.component):
            if place.zone.name == zone:
                break
            start += self.row_counts[place.zone.laid_on]
        return start

    def laid_areas(self, zone: str) -> int:
        """Where the sets of spaces of a laid zone begin in the list `areas` of its kind."""
        kind = self.zones[zone].zone.component
        shape = self.spec.tables[kind].shape
        assert shape is not None
        number = [place.zone.name for place in self.laid_zones(kind)].index(zone)
        return number * (2 + max((ordinal for _, ordinal in shape.letters), default=-1))

    def laid_kinds(self) -> list[str]:
        """The kinds of components that can be laid on boards."""
        return [name for name in self.spec.tables if self.laid_zones(name)]

    def ends_of(self, declared: ir.DomainType) -> tuple[Any, Any]:
        """The exact ends of a number type, None where there is none or it is no number."""
        inner = declared.type.item if isinstance(declared.type, t.OptionalType) else declared.type
        if not isinstance(inner, t.NumberType):
            return None, None
        low = norm(self.evaluate(declared.low)) if declared.low is not None else norm(inner.low)
        high = norm(self.evaluate(declared.high)) if declared.high is not None else norm(inner.high)
        return low, high

    def domain_of(self, declared: ir.DomainType) -> Domain:
        """The values of a declared type."""
        if isinstance(declared.type, t.NumberType):
            low, high = self.ends_of(declared)
            return Domain(declared.type, int(high) - int(low) + 1, int(low))
        return evolve(self.domain(declared.type), values=declared.values)

    def domain(self, type: t.Type) -> Domain:
        """The values of a type; a number type must have both ends.

        Raises:
            ValueError: the type has no fixed list of values.
        """
        match type:
            case t.BoolType():
                return Domain(type, 2)
            case t.PlayerType():
                return Domain(type, self.seats)
            case t.EnumType(name):
                return Domain(type, len(self.spec.enums[name]))
            case t.TableType(name=name):
                return Domain(type, self.row_counts[name])
            case t.SpotType(board):
                return Domain(type, 4 * self.row_counts[board])
            case t.NumberType(low, high, step) if low is not None and high is not None and step == 1:
                return Domain(type, int(high) - int(low) + 1, int(low))
        raise ValueError(f"{type} has no fixed list of values")

    def is_finite(self, type: t.Type) -> bool:
        """Whether `domain` can list the values of a type."""
        try:
            self.domain(type)
        except ValueError:
            return False
        return True

    def flat(self, per: Sequence[Domain], indices: Sequence[int]) -> int:
        """The place of an entry in a flat list, from the run-time values of its indices."""
        place = 0
        for domain, index in zip(per, indices, strict=True):
            place = place * domain.size + (index - domain.low)
        return place

    def unflat(self, per: Sequence[Domain], place: int) -> tuple[int, ...]:
        """The run-time values of the indices of an entry; the reverse of `flat`."""
        indices: list[int] = []
        for domain in reversed(per):
            place, rest = divmod(place, domain.size)
            indices.append(rest + domain.low)
        return tuple(reversed(indices))
