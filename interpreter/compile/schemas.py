"""The kinds of options that a game can offer, and how emitted code names one option.

Every option is one of a schema's table, which the game fills when it is first asked for (`A3[piece * 2 + side]`).
Schemas are shared: two `choose` with parameters of the same names and types are one.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from interpreter.compile.layout import Layout
from rulespec import checked as ir
from rulespec.check import types as t

MOST_LISTED = 4096
"""Options of a schema that are made at once, when a game is compiled, and kept in a list."""


@frozen
class Parameter:
    """A parameter of an option. size: number of values, None where there is no fixed list of them.

    low: the first number. optional: none is the first value.
    """

    name: str
    type: t.Type
    size: int | None
    low: int
    optional: bool

    @property
    def plain_low(self) -> int | None:
        """The first value where the values are numbers that count up from it; else None."""
        return None if self.optional or isinstance(self.type, t.SpotType | t.BoolType) else self.low

    def index(self, value: Any) -> int:
        """The place of a value among the parameter's, from 0; beyond `size` for what is none of them."""
        if value is None:
            return 0
        if isinstance(self.type, t.SpotType):
            value = value[0] * 4 + value[1]
        return int(value) - self.low + self.optional

    def value(self, index: int) -> Any:
        """The value at a place; the reverse of `index`."""
        if self.optional and index == 0:
            return None
        number = index - self.optional + self.low
        if isinstance(self.type, t.SpotType):
            return divmod(number, 4)
        return bool(number) if isinstance(self.type, t.BoolType) else number


@frozen
class Schema:
    """`name(parameters)`; action: the declared action's name, "" for choose, pass, done."""

    number: int
    name: str
    parameters: tuple[Parameter, ...]
    action: str

    @property
    def size(self) -> int | None:
        """How many options the schema has, None where there is no fixed list."""
        total = 1
        for parameter in self.parameters:
            if parameter.size is None:
                return None
            total *= parameter.size
        return total


@define
class Schemas:
    """All schemas of a module, found by name and parameters."""

    layout: Layout
    copies: dict[str, tuple[int, ...]] = field(factory=dict)
    """By kind with look-alike copies, the first copy of each component's row."""
    all: list[Schema] = field(factory=list)

    def of(self, name: str, locals: tuple[ir.Local, ...], action: str = "") -> Schema:
        """The schema with that name and those parameters."""
        parameters = tuple(self._parameter(local) for local in locals)
        for schema in self.all:
            if (schema.name, schema.parameters, schema.action) == (name, parameters, action):
                return schema
        schema = Schema(len(self.all), name, parameters, action)
        self.all.append(schema)
        return schema

    def _parameter(self, local: ir.Local) -> Parameter:
        optional = isinstance(local.type, t.OptionalType)
        inner = local.type.item if isinstance(local.type, t.OptionalType) else local.type
        if not self.layout.is_finite(inner):
            return Parameter(local.name, inner, None, 0, optional)
        domain = self.layout.domain(inner)
        return Parameter(local.name, inner, domain.size + optional, domain.low, optional)

    def alike(self, schema: Schema) -> str:
        """The name of the constant that tells look-alike options of a schema; "" where all options differ."""
        return f"L{schema.number}" if any(self._look(p) for p in schema.parameters) else ""

    def distinct(self, schema: Schema, options: str) -> str:
        """A list of options in which of look-alikes only the first is left."""
        alike = self.alike(schema)
        return f"distinct(S, {options}, {alike})" if alike else options

    def looks(self, schema: Schema) -> tuple[Any, ...]:
        """The constant `alike`: for each parameter None, or the first copies and what tells copies apart."""
        return tuple(self._look(p) for p in schema.parameters)

    def _look(self, parameter: Parameter) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]] | None:
        """The first copy of each component, with the names and sizes of lists that can tell copies apart."""
        type = parameter.type
        if not isinstance(type, t.TableType) or type.name not in self.copies:
            return None
        return self.copies[type.name], telling(self.layout, type.name)

    @staticmethod
    def place(schema: Schema, names: list[str]) -> str:
        """The index of an option in its table, from the Python texts of its arguments."""
        if schema.size is None:
            return f"({', '.join(names)}{',' if len(names) == 1 else ''})"
        constant, terms = 0, list[str]()
        weight = schema.size
        for parameter, name in zip(schema.parameters, names, strict=True):
            assert parameter.size is not None
            weight //= parameter.size
            text = name
            if name.isdigit() and not parameter.optional:
                constant += (int(name) - parameter.low) * weight
                continue
            if isinstance(parameter.type, t.SpotType):
                text = f"({name}[0] * 4 + {name}[1])"
                if parameter.optional:
                    text = f"(0 if {name} is None else {text} + 1)"
            elif parameter.optional:
                shift = f" + {1 - parameter.low}" if parameter.low <= 1 else f" - {parameter.low - 1}"
                text = f"(0 if {name} is None else {name}{shift if parameter.low != 1 else ''})"
            else:
                constant -= parameter.low * weight
            terms.append(text if weight == 1 else f"{text} * {weight}")
        if constant:
            terms.append(f"- {-constant}" if constant < 0 else str(constant))
        return " + ".join(terms).replace("+ - ", "- ") or "0"


def telling(layout: Layout, kind: str) -> tuple[tuple[str, int], ...]:
    """The lists of a position that can tell copies of a kind apart: names, and how many entries each copy has."""
    lists = [(f"face_{kind}", 1)] if layout.spec.tables[kind].faces else []
    for name, place in layout.variables.items():
        if place.per and isinstance(place.per[0].type, t.TableType) and place.per[0].type.name == kind:
            lists.append((f"v_{name}", place.count // place.per[0].size))
    return tuple(lists)
