"""Tables as data: the rows of record types, components and boards in one game, and constants.

Emitted code reads columns as tuples: `Card_number[card]`, indexed fields flat, two-faced ones by face.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING, Any

from attrs import define, field

from interpreter.compile.layout import Domain, Layout
from interpreter.runtime.geometry import EAST, NORTH, SOUTH, WEST, Geometry
from interpreter.runtime.laid import TURNS, Ground, Laid, Shapes
from interpreter.runtime.support import norm
from rulespec import checked as ir
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.evaluate import Evaluator


@define
class Tables:
    """All rows of a game.

    evaluate: the value of an expression without state, with values for locals.
    columns: what emitted code reads, by name. ids: of the rows. first: of look-alike rows the first one's number.
    """

    layout: Layout
    evaluate: Evaluator
    columns: dict[str, Any] = field(factory=dict)
    ids: dict[str, tuple[str, ...]] = field(factory=dict)
    numbers: dict[str, dict[str, int]] = field(factory=dict)
    first: dict[str, tuple[int, ...]] = field(factory=dict)
    rows: dict[str, list[ir.TableRow | None]] = field(factory=dict)
    """The written row of each row, for rules in rows; None where there is none."""
    geometry: dict[str, Geometry] = field(factory=dict)
    laid: dict[str, Laid] = field(factory=dict)
    """The kinds of components that can be laid on boards; filled when the zones have their numbers."""

    # ------------------------------------------------------------ values as texts

    def value_text(self, type: t.Type, value: Any) -> str:
        """The text of a value in action texts and views."""
        if isinstance(type, t.OptionalType):
            return "none" if value is None else self.value_text(type.item, value)
        match type:
            case t.BoolType():
                return "true" if value else "false"
            case t.PlayerType():
                return self.seat_name(value)
            case t.EnumType(name):
                return str(self.layout.spec.enums[name][value])
            case t.TableType(name=name):
                return str(self.ids[name][value])
            case t.ListType(item) | t.SetType(item):
                return f"[{', '.join(self.value_text(item, v) for v in self.members(type, value))}]"
            case t.SpotType(board):
                return f"{self.ids[board][value[0]]}/{value[1]}"
            case t.PortType(board, component):
                piece, space, direction = value
                where = self.ids[board][space] if space >= 0 else str(-1 - space)
                return f"{self.ids[component][piece]}/{where}/{self.layout.spec.enums['Direction'][direction]}"
        return str(value)

    def argument_text(self, type: t.Type, value: Any) -> str:
        """The text of an argument: as `value_text`, with the number of a copy after the first, as in `gold#2`."""
        text = self.value_text(type, value)
        first = self.first.get(type.name) if isinstance(type, t.TableType) else None
        return text if first is None or first[value] == value else f"{text}#{value - first[value] + 1}"

    def members(self, type: t.Type, value: Any) -> list[Any]:
        """The items of a list or set."""
        if isinstance(type, t.SetType):
            low = int(type.item.low) if isinstance(type.item, t.NumberType) and type.item.low is not None else 0
            return [i + low for i in range(value.bit_length()) if value >> i & 1]
        return list(value)

    def seat_name(self, seat: int) -> str:
        """The name of a seat: the spec's own, or player_1, player_2, ..."""
        names = self.layout.spec.source.seat_names
        return names[seat][0] if names else f"player_{seat + 1}"

    # ------------------------------------------------------------ rows

    def load(self) -> None:
        """Works out all rows; columns computed from others come last."""
        spec = self.layout.spec
        for name, table in spec.tables.items():
            self._load(name, table)
        for table in spec.tables.values():
            self._compute(table)
        for constant in spec.constants.values():
            entries = [self.evaluate(entry, {}) for entry in constant.entries]
            self.columns[f"table_{constant.name}"] = self._spread(constant.per, entries)

    def _load(self, name: str, table: ir.Table) -> None:
        if name in self.ids:
            return
        for column in table.fields.values():
            inner: Any = column.declared.type if column.declared is not None else None
            while hasattr(inner, "item"):
                inner = inner.item
            for domain in ([inner] if inner is not None else []) + [d.type for d in column.index]:
                if isinstance(domain, t.TableType) and domain.name != name:
                    self._load(domain.name, self.layout.spec.tables[domain.name])
        if table.kind == "board":
            self._board(table)
        elif table.every:
            self._combinations(table)
        else:
            self._written(table)

    def _register(self, table: ir.Table, ids: list[str], rows: list[ir.TableRow | None]) -> None:
        self.ids[table.name] = tuple(ids)
        self.columns[f"{table.name}_id"] = tuple(id.replace("_", " ") for id in ids)
        self.numbers[table.name] = {id: i for i, id in reversed(list(enumerate(ids)))}
        self.rows[table.name] = rows
        self.layout.row_counts[table.name] = len(ids)

    def _written(self, table: ir.Table) -> None:
        ids: list[str] = []
        rows: list[ir.TableRow | None] = []
        first: list[int] = []
        for row in table.rows:
            start = len(ids)
            for _ in range(row.copies):
                ids.append(row.id)
                rows.append(row)
                first.append(start)
        self._register(table, ids, rows)
        if any(f != i for i, f in enumerate(first)):
            self.first[table.name] = tuple(first)
        for column in table.fields.values():
            if column.params is None and not self._is_computed(table, column.name):
                self._column(table, column, [row.values[column.name] for row in rows if row is not None])

    def _column(self, table: ir.Table, column: ir.Field, cells: list[Any]) -> None:
        name = f"{table.name}_{column.name}"
        if column.per_face:
            for n, face in enumerate(table.faces):
                self.columns[f"{name}_{face}"] = tuple(self.evaluate(cell[n], {}) for cell in cells)
            self.columns[f"{name}_by_face"] = tuple(self.columns[f"{name}_{face}"] for face in table.faces)
        elif column.index:
            rows = ([self.evaluate(value, {}) for value in cell] for cell in cells)
            self.columns[name] = tuple(value for row in rows for value in self._spread(column.index, row))
        else:
            self.columns[name] = tuple(self.evaluate(cell, {}) for cell in cells)

    def _spread(self, per: tuple[ir.DomainType, ...], entries: list[Any]) -> tuple[Any, ...]:
        """Entries by the places that emitted code reads: every value of an enum has one, even if `per` has a part."""
        if all(declared.values is None for declared in per):
            return tuple(entries)
        domains = [self.layout.domain_of(declared) for declared in per]
        spread: list[Any] = [None] * math.prod(domain.size for domain in domains)
        for indices, entry in zip(product(*(self.domain_values(declared) for declared in per)), entries, strict=True):
            spread[self.layout.flat(domains, indices)] = entry
        return tuple(spread)

    def domain_values(self, declared: ir.DomainType) -> list[Any]:
        """All values of a declared finite type, none first."""
        optional = isinstance(declared.type, t.OptionalType)
        inner = declared.type.item if isinstance(declared.type, t.OptionalType) else declared.type
        if isinstance(inner, t.NumberType):
            low, high = self.layout.ends_of(declared)
            step = inner.step
            values: list[Any] = [norm(low + i * step) for i in range(int((Fraction(high) - low) / step) + 1)]
        elif declared.values is not None:
            values = list(declared.values)
        else:
            domain: Domain = self.layout.domain(inner)
            values = [False, True] if isinstance(inner, t.BoolType) else list(range(domain.size))
        return [None, *values] if optional else values

    def _combinations(self, table: ir.Table) -> None:
        fields = [f for f in table.fields.values() if f.declared is not None and not self._is_computed(table, f.name)]
        locals = {local.name: local for local in table.row_locals}
        names = [f.name for f in fields]
        found: list[tuple[Any, ...]] = []
        first: list[int] = []
        for values in product(*(self.domain_values(f.declared) for f in fields if f.declared is not None)):
            bound = {locals[n]: v for n, v in zip(names, values, strict=True)}
            if table.all_where is None or self.evaluate(table.all_where, bound):
                copies = 1 if table.copies is None else int(self.evaluate(table.copies, bound))
                first += [len(found)] * copies
                found += [values] * copies
        texts = ["_".join(self.value_text(f.type, v) for f, v in zip(fields, values, strict=True)) for values in found]
        self._register(table, texts, [None] * len(found))
        if any(f != i for i, f in enumerate(first)):
            self.first[table.name] = tuple(first)
        for n, column in enumerate(fields):
            self.columns[f"{table.name}_{column.name}"] = tuple(values[n] for values in found)

    def _is_computed(self, table: ir.Table, name: str) -> bool:
        return any(name == computed for computed, _ in table.computed)

    def _compute(self, table: ir.Table) -> None:
        locals = {local.name: local for local in table.row_locals}
        for name, expr in table.computed:
            values = []
            for row in range(len(self.ids[table.name])):
                bound = {
                    local: self.columns[f"{table.name}_{n}"][row]
                    for n, local in locals.items()
                    if f"{table.name}_{n}" in self.columns
                }
                values.append(self.evaluate(expr, bound))
            self.columns[f"{table.name}_{name}"] = tuple(values)

    # ------------------------------------------------------------ boards

    def _board(self, table: ir.Table) -> None:
        shape = self.layout.spec.boards[table.name]
        cells: list[tuple[int, int] | None] = []
        ids: list[str] = []
        rows: list[ir.TableRow | None] = []
        written = {row.id: row for row in table.rows}
        if shape.drawing:
            on_grid = "col" in table.fields
            for id, x, y in shape.drawing:
                ids.append(id)
                cells.append((x, y) if on_grid else None)
                rows.append(written.get(id))
        elif shape.grid is not None or shape.rows is not None:
            for column, row in self._grid(shape):
                ids.append(self._space_name(shape, column, row))
                cells.append((column, row))
                rows.append(None)
        for id in shape.spaces:
            ids.append(id)
            cells.append(None)
            rows.append(written.get(id))
        self._register(table, ids, rows)
        numbers = self.numbers[table.name]
        links = [(numbers[a], numbers[b]) for a, b in shape.links if a in numbers and b in numbers]
        geometry = Geometry(cells, links, shape.shape == "hexagon", _ways(shape, numbers))
        self.geometry[table.name] = geometry
        self._board_columns(table, geometry, rows)

    def _grid(self, shape: ir.BoardShape) -> list[tuple[int, int]]:
        if shape.rows is not None:
            assert isinstance(shape.columns, t.EnumType)
            width = len(self.layout.spec.enums[shape.columns.name])
            low, high = (int(self.evaluate(e, {})) for e in shape.rows)
        else:
            assert shape.grid is not None
            width, high = (int(self.evaluate(e, {})) for e in shape.grid)
            low = 1
        cells = [(column, row) for row in range(low, high + 1) for column in range(1, width + 1)]
        if shape.only is None:
            return cells
        shift = 0 if shape.columns is None else 1
        return [
            cell
            for cell in cells
            if self.evaluate(shape.only, dict(zip(shape.locals, (cell[0] - shift, cell[1]), strict=True)))
        ]

    def _space_name(self, shape: ir.BoardShape, column: int, row: int) -> str:
        if isinstance(shape.columns, t.EnumType):
            return f"{self.layout.spec.enums[shape.columns.name][column - 1]}{row}"
        return f"{chr(ord('a') + column - 1)}{row}" if shape.names == "a1" else f"c{column}r{row}"

    def _board_columns(self, table: ir.Table, geometry: Geometry, rows: list[ir.TableRow | None]) -> None:
        name = table.name
        for column in table.fields.values():
            values = []
            for row, cell in zip(rows, geometry.cells, strict=True):
                if row is not None and column.name in row.values:
                    values.append(self.evaluate(row.values[column.name], {}))
                elif cell is None:
                    values.append(None)
                else:
                    place = {"col": cell[0], "column": cell[0] - 1, "row": cell[1]}
                    values.append(place.get(column.name))
            self.columns[f"{name}_{column.name}"] = tuple(values)

    def lay_out(self) -> None:
        """Prepares the shapes of all components that can be laid; the zones must have their numbers."""
        grounds: dict[tuple[str, str], Ground] = {}
        for kind in self.layout.laid_kinds():
            shape = self.layout.spec.tables[kind].shape
            assert shape is not None
            drawings = self.columns[f"{kind}_{shape.column}"]
            shapes = Shapes(drawings, dict(shape.letters), shape.ports, TURNS[shape.turns])
            zones = []
            for place in self.layout.laid_zones(kind):
                board = place.zone.laid_on
                if (kind, board) not in grounds:
                    ground = grounds[kind, board] = Ground(shapes, self.geometry[board])
                    self.columns[f"ground_{kind}_{board}"] = ground
                    self.columns[f"beyond_{kind}_{board}"] = ground.beyond
                zones.append((place.base, grounds[kind, board], self.layout.laid_start(place.zone.name)))
            self.columns[f"letter_{kind}"] = tuple(shapes.letter_of)
            self.columns[f"owner_{kind}"] = tuple(shapes.owner_of)
            self.laid[kind] = Laid(kind, shapes, zones)

    def named(self, name: str) -> Any:
        """A value that emitted code reads by name; large ones of boards are worked out only when asked for."""
        if name in self.columns:
            return self.columns[name]
        kind, _, of = name.partition("_")
        if of in self.geometry and kind in ("step", "ray", "beside"):
            return getattr(self.geometry[of], kind)
        if of in self.geometry and kind == "geometry":
            return self.geometry[of]
        if kind == "lookup" and of in self.ids:
            return self._lookup(of)
        raise KeyError(name)

    def _lookup(self, name: str) -> Lookup:
        """Rows by the values of their first fields, as many as are given."""
        table = self.layout.spec.tables[name]
        fields = [f.name for f in table.fields.values() if f.params is None and f"{name}_{f.name}" in self.columns]
        found = Lookup()
        for row in reversed(range(len(self.ids[name]))):
            values = tuple(self.columns[f"{name}_{f}"][row] for f in fields)
            found.update({values[:n]: row for n in range(1, len(values) + 1)})
        return found


def _ways(shape: ir.BoardShape, numbers: Mapping[str, int]) -> dict[tuple[int, int], int]:
    """Where the links of a drawn map lead, by space and direction: those drawn `-` east and west, those drawn `|` north
    and south. Of several in one direction from a wide name the first one drawn counts."""
    places = {id: (x, y) for id, x, y in shape.drawing}
    ways: dict[tuple[int, int], int] = {}
    for one, other in shape.links:
        if one in places and other in places:
            (x, y), (other_x, other_y) = places[one], places[other]
            across = EAST if x < other_x else WEST
            direction = across if y == other_y else SOUTH if y < other_y else NORTH  # row 1 of a drawing is its top
            ways.setdefault((numbers[one], direction), numbers[other])
            ways.setdefault((numbers[other], (direction + 4) % 8), numbers[one])
    return ways


class Lookup(dict[tuple[Any, ...], int]):
    """A dict that gives none for what it does not have."""

    def __missing__(self, key: tuple[Any, ...]) -> None:
        return None
