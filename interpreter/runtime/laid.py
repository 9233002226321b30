"""Pieces laid on the spaces of a board: drawn shapes, quarter turns, what covers what, ports.

A position keeps five lists for each kind of component that can be laid:

    spot_KIND     by component: 4 * space + quarter turns where it lies, or -1
    cover_KIND    by space (the boards of all its zones one after another): code of the cell on top, 0 for none
    ports_KIND    by component: its ports, as tuples (component, space, direction)
    hidden_KIND   by component: how many of its cells a later piece covers
    areas_KIND    for each zone the spaces that pieces cover, and those that show the first letter, the second, ...;
                  a set of spaces is a number with a bit for each
    known_KIND    results of functions that nothing else decides (see `interpreter.compile.remembered`); lists in it
                  are never changed in place

Together with the order of the zone `spot_KIND` says all; `Laid.rebuild` works out the others. `lay` and `lift` keep
them up to date, so that reading them takes one look. A code stands for one cell of one component.

The cells of a drawing are numbered from 0: row by row from the south, each from west to east. A port of a piece that
is not laid has -1 - N in place of its space, where N is the number of its cell, and the direction of the drawing.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field, frozen

from interpreter.errors import Fault
from interpreter.runtime.geometry import SQUARE, Geometry
from interpreter.runtime.support import set_of, take

Port = tuple[int, int, int]
Lists = tuple[list[int], Any, list[tuple[Port, ...]], list[int], list[int]]
"""spot, cover, ports, hidden and areas of one kind in one position."""

Fit = tuple[bytes, int, int]
"""How a piece that is not laid can have a port somewhere on a full board: by space 1 where that is possible, how many
spaces before it the corner of the piece is, and the quarter turns."""

NOT_LAID = -1
TURNS = {"quarter": (0, 1, 2, 3), "half": (0, 2), "none": (0,)}
KEPT = 1 << 14
"""How many footprints a board remembers."""


@frozen
class Form:
    """A drawing turned clockwise by some quarters.

    places: columns and rows of its cells from the south-west corner of the box around them, in the order of spaces.
    numbers: of these cells. ports: (index in `places`, direction), in the order of spaces and directions.
    at: column and row of a cell by its number. edges: by the number of a cell the directions of its ports.
    """

    width: int
    height: int
    places: tuple[tuple[int, int], ...]
    numbers: tuple[int, ...]
    ports: tuple[tuple[int, int], ...]
    at: tuple[tuple[int, int], ...]
    edges: tuple[tuple[int, ...], ...]


def read_drawing(text: str) -> list[tuple[int, int, str]]:
    """Column, row and letter of each cell in a drawing, by number; the first line is the northernmost."""
    lines = text.split("\n")[::-1]
    cells = [(x, y, letter) for y, line in enumerate(lines) for x, letter in enumerate(line) if letter != " "]
    west, south = min(x for x, _, _ in cells), min(y for _, y, _ in cells)
    return [(x - west, y - south, letter) for x, y, letter in cells]


def turned(cells: Sequence[tuple[int, int]], openings: Sequence[bool], turns: int) -> Form:
    """The form of some cells after quarter turns; openings: which cells have the letter of ports."""
    width, height = (max(c[i] for c in cells) + 1 for i in (0, 1))
    at = list(cells)
    for _ in range(turns):
        at = [(y, width - 1 - x) for x, y in at]
        width, height = height, width
    numbers = sorted(range(len(at)), key=lambda n: (at[n][1], at[n][0]))
    taken = set(at)
    edges = tuple(
        tuple(d for d in (0, 2, 4, 6) if opens and (x + SQUARE[d][0], y + SQUARE[d][1]) not in taken)
        for (x, y), opens in zip(at, openings, strict=True)
    )
    ports = tuple((i, d) for i, n in enumerate(numbers) for d in edges[n])
    return Form(width, height, tuple(at[n] for n in numbers), tuple(numbers), ports, tuple(at), edges)


@define(eq=False, slots=False)
class Shapes:
    """The shapes of all components of a kind.

    drawings: by component its text. letters: ordinal of each letter. opening: of the letter of ports, or -1.
    turns: the quarter turns that are allowed.

    forms: by component and quarter turns, None where it may not be turned so. codes: of the cells of each form in
    its order. letter_of, owner_of, edges_of: by code the letter, the component, and for each quarter turn the
    directions of its ports. loose: by component the ports of one that is not laid. alike: components of one number
    have the same drawing.
    """

    drawings: Sequence[str]
    letters: dict[str, int]
    opening: int
    turns: Sequence[int]
    forms: list[tuple[Form | None, ...]] = field(factory=list, init=False)
    codes: list[tuple[tuple[int, ...], ...]] = field(factory=list, init=False)
    letter_of: list[int | None] = field(factory=lambda: [None], init=False)
    owner_of: list[int | None] = field(factory=lambda: [None], init=False)
    edges_of: list[tuple[tuple[int, ...], ...]] = field(factory=lambda: [((), (), (), ())], init=False)
    loose: list[tuple[Port, ...]] = field(factory=list, init=False)
    alike: list[int] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        known: dict[str, tuple[Form | None, ...]] = {}
        for component, text in enumerate(self.drawings):
            drawn = read_drawing(text)
            if text not in known:
                cells = [(x, y) for x, y, _ in drawn]
                openings = [self.letters[letter] == self.opening for _, _, letter in drawn]
                known[text] = tuple(turned(cells, openings, n) if n in self.turns else None for n in range(4))
            self._add(component, [self.letters[letter] for _, _, letter in drawn], known[text])
            self.alike.append(list(known).index(text))

    def _add(self, component: int, letters: list[int], forms: tuple[Form | None, ...]) -> None:
        first = len(self.letter_of)
        self.letter_of += letters
        self.owner_of += [component] * len(letters)
        self.edges_of += [tuple(form.edges[n] if form else () for form in forms) for n in range(len(letters))]
        self.forms.append(forms)
        self.codes.append(tuple(tuple(first + n for n in form.numbers) if form else () for form in forms))
        drawn = forms[0]
        assert drawn is not None
        self.loose.append(tuple((component, -1 - drawn.numbers[i], d) for i, d in drawn.ports))

    @property
    def areas(self) -> int:
        """The length of the part of the list `areas` for one zone."""
        return 2 + max(self.letters.values(), default=-1)

    @property
    def most_cells(self) -> int:
        """The number of cells of the largest piece."""
        return max((len(forms[0].places) for forms in self.forms if forms[0] is not None), default=0)


@define(eq=False, slots=False)
class Ground:
    """The pieces of one kind on one board.

    A full board has all spaces of a rectangle, so that a footprint is the same list of numbers everywhere. beyond: by
    space (or -1 - number of a cell) and direction the next space, or none.
    """

    shapes: Shapes
    geometry: Geometry
    beyond: tuple[tuple[int | None, ...], ...] = field(init=False)
    _full: bool = field(init=False)
    _rectangles: dict[tuple[int, int, int, int], bytes] = field(factory=dict, init=False)
    _width: int = field(default=0, init=False)
    _height: int = field(default=0, init=False)
    _offsets: list[tuple[tuple[int, ...], ...]] = field(factory=list, init=False)
    _area: list[tuple[int, ...]] = field(factory=list, init=False)
    """By component and quarter turns its spaces as a set, if its corner is the first space; only for a full board."""
    _shows: list[tuple[tuple[int, ...], ...]] = field(factory=list, init=False)
    """By component and quarter turns `areas` of such a piece alone."""
    _corners: list[tuple[bytes, ...]] = field(factory=list, init=False)
    """By component and quarter turns, for each space 1 where its corner may be; only for a full board."""
    _fits: dict[Port, tuple[Fit | None, ...]] = field(factory=dict, init=False)
    """By port of a piece that is not laid and direction; only for a full board."""
    _first: list[int] = field(factory=list, init=False)
    _known: dict[int, tuple[int, ...]] = field(factory=dict, init=False)
    """Footprints by `_first` of the component + 4 * space + quarter turns; the same for equal drawings."""

    def __attrs_post_init__(self) -> None:
        cells = [cell for cell in self.geometry.cells if cell is not None]
        if cells:
            west, south = cells[0]
            self._width = max(c for c, _ in cells) - west + 1
            self._height = max(r for _, r in cells) - south + 1
            box = [(west + x, south + y) for y in range(self._height) for x in range(self._width)]
            self._full = box == list(self.geometry.cells)
        else:
            self._full = False
        self.beyond = (*self.geometry.step, *((None,) * 8,) * self.shapes.most_cells)
        self._first = [drawing * 4 * len(self.geometry.cells) for drawing in self.shapes.alike]
        self._offsets = [
            tuple(tuple(x + y * self._width for x, y in form.places) if form else () for form in forms)
            for forms in self.shapes.forms
        ]
        if self._full:
            self._area = [tuple(set_of(offsets) for offsets in by_turns) for by_turns in self._offsets]
            self._shows = [
                tuple(self._shown_by(component, turns) for turns in range(4))
                for component in range(len(self.shapes.forms))
            ]

            self._corners = [
                tuple(self._rectangle(0, 0, form) if form else b"" for form in forms) for forms in self.shapes.forms
            ]
            for ports in self.shapes.loose:
                for port in ports:
                    self._fits[port] = tuple(self._fit(port, direction) for direction in range(8))

    def _rectangle(self, dx: int, dy: int, form: Form) -> bytes:
        """By space 1 where a cell of a form may be, so and so far from its corner."""
        key = (dx, dy, form.width, form.height)
        if key not in self._rectangles:
            columns, rows = self._width - form.width, self._height - form.height
            line = bytes(dx <= x <= dx + columns for x in range(self._width))
            lines = [line if dy <= y <= dy + rows else bytes(self._width) for y in range(self._height)]
            self._rectangles[key] = b"".join(lines)
        return self._rectangles[key]

    def _fit(self, port: Port, direction: int) -> Fit | None:
        component, cell, facing = port
        turns, odd = divmod((direction - facing) % 8, 2)
        form = self.shapes.forms[component][turns]
        if odd or form is None:
            return None
        dx, dy = form.at[-1 - cell]
        return self._rectangle(dx, dy, form), dy * self._width + dx, turns

    def _shown_by(self, component: int, turns: int) -> tuple[int, ...]:
        offsets, codes = self._offsets[component][turns], self.shapes.codes[component][turns]
        shown = [(offset, self.shapes.letter_of[code]) for offset, code in zip(offsets, codes, strict=True)]
        letters = [set_of(o for o, letter in shown if letter == number) for number in range(self.shapes.areas - 1)]
        return self._area[component][turns], *letters

    # ------------------------------------------------------------ spots

    def spaces(self, component: int, place: int) -> tuple[int, ...]:
        """The spaces under a piece at 4 * space + quarter turns, in their order; empty where it cannot lie so."""
        key = self._first[component] + place
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= KEPT:
                self._known.clear()
            found = self._known[key] = self._spaces(component, place >> 2, place & 3)
        return found

    def _spaces(self, component: int, space: int, turns: int) -> tuple[int, ...]:
        form = self.shapes.forms[component][turns]
        if form is None:
            return ()
        if self._full:
            row, column = divmod(space, self._width)
            if column + form.width > self._width or row + form.height > self._height:
                return ()
            return tuple([space + offset for offset in self._offsets[component][turns]])
        spaces = [self.geometry.offset(space, dx, dy) for dx, dy in form.places]
        return tuple(s for s in spaces if s is not None) if None not in spaces else ()

    def footprint(self, component: int, spot: tuple[int, int]) -> tuple[int, ...]:
        """The spaces that a piece would cover at a spot; empty where it would not lie on the board entirely."""
        place = spot[0] * 4 + spot[1]
        found = self._known.get(self._first[component] + place)
        return self.spaces(component, place) if found is None else found

    def area(self, component: int, space: int, turns: int) -> int:
        """The footprint as a set."""
        if not self._full:
            return set_of(self.spaces(component, space * 4 + turns))
        corners = self._corners[component][turns]
        return self._area[component][turns] << space if corners and corners[space] else 0

    def meets(self, areas: Sequence[int], among: Sequence[int], component: int, spot: tuple[int, int]) -> bool:
        """Whether a piece at a spot would cover a space of some of the areas, named by their places in the list."""
        own, met = self.area(component, *spot), 0
        for number in among:
            met |= areas[number] & own
        return met != 0

    def which_clear(
        self, areas: Sequence[int], among: Sequence[int], component: int, spots: Iterable[tuple[int, int]]
    ) -> list[tuple[int, int]]:
        """Those of some spots at which a piece would not meet any of some areas."""
        met = 0
        for number in among:
            met |= areas[number]
        if not self._full:
            return [spot for spot in spots if not met & self.area(component, *spot)]
        own, corners = self._area[component], self._corners[component]
        found = []
        for spot in spots:
            space, turns = spot
            if not met >> space & own[turns] or not corners[turns][space]:
                found.append(spot)
        return found

    def meets_bare(
        self, areas: Sequence[int], covered: int, among: Sequence[int], component: int, spot: tuple[int, int]
    ) -> bool:
        """As `meets`, or a space where nothing lies; covered: the place of the area of all pieces."""
        own = self.area(component, *spot)
        return areas[covered] & own != own or any(areas[number] & own for number in among)

    def cells(self, spots: Sequence[int], component: int) -> tuple[int, ...]:
        """The spaces that a piece covers, those included where a later one hides it; empty if it is not laid."""
        place = spots[component]
        return self.spaces(component, place) if place >= 0 else ()

    def spot_for(self, spots: Sequence[int], port: Port, space: int, direction: int) -> tuple[int, int] | None:
        """The spot at which a port's piece has that port on a space, facing a direction; none if it cannot."""
        if port in self._fits:
            fit = self._fits[port][direction]
            return (space - fit[1], fit[2]) if fit is not None and fit[0][space] else None
        component, cell, facing = port
        if cell >= 0:
            cell, facing = self._as_drawn(spots, port)
        else:
            cell = -1 - cell
        turns, odd = divmod((direction - facing) % 8, 2)
        form = self.shapes.forms[component][turns]
        if odd or form is None:
            return None
        dx, dy = form.at[cell]
        corner = self.geometry.offset(space, -dx, -dy)
        return (corner, turns) if corner is not None and self.spaces(component, corner * 4 + turns) else None

    def _as_drawn(self, spots: Sequence[int], port: Port) -> tuple[int, int]:
        """The number of the cell and the direction in the drawing of a port of a laid piece."""
        component, space, facing = port
        place = spots[component]
        if place < 0 or space not in (spaces := self.spaces(component, place)):
            raise Fault("this port is of a piece that no longer lies there")
        form = self.shapes.forms[component][place & 3]
        assert form is not None
        return form.numbers[spaces.index(space)], (facing - 2 * (place & 3)) % 8

    # ------------------------------------------------------------ ports

    def port_at(self, code: int, spots: Sequence[int], space: int, direction: int) -> Port | None:
        """The port of the cell on top of a space that faces a direction, or none; code: of that cell."""
        component = self.shapes.owner_of[code]
        if component is not None and direction in self.shapes.edges_of[code][spots[component] & 3]:
            return component, space, direction
        return None

    def next_to(self, port: Port) -> int | None:
        """The space that a port opens to, or none."""
        return self.beyond[port[1]][port[2]]

    def _visible(self, lists: Lists, component: int, start: int) -> tuple[Port, ...]:
        spots, cover = lists[:2]
        place = spots[component]
        form = self.shapes.forms[component][place & 3]
        assert form is not None
        spaces, codes = self.spaces(component, place), self.shapes.codes[component][place & 3]
        return tuple([(component, spaces[i], d) for i, d in form.ports if cover[start + spaces[i]] == codes[i]])

    # ------------------------------------------------------------ laying and taking away

    def put_down(self, lists: Lists, component: int, place: int, start: int, first: int) -> None:
        """Covers the spaces under a piece. start, first: where the zone begins in the lists `cover` and `areas`."""
        spots, cover, ports, hidden, areas = lists
        owner_of = self.shapes.owner_of
        spots[component] = place
        hidden[component] = 0
        touched = set()
        for space, code in zip(self.spaces(component, place), self.shapes.codes[component][place & 3], strict=True):
            old = owner_of[cover[start + space]]
            if old is not None:
                hidden[old] += 1
                touched.add(old)
            cover[start + space] = code
        ports[component] = self._visible(lists, component, start)
        for other in touched:
            ports[other] = self._visible(lists, other, start)
        if self._full:
            kept, space = ~self.area(component, place >> 2, place & 3), place >> 2
            for number, own in enumerate(self._shows[component][place & 3], first):
                areas[number] = areas[number] & kept | own << space
        else:
            self._mark(lists, component, place, start, first)

    def _mark(self, lists: Lists, component: int, place: int, start: int, first: int) -> None:
        """Sets the areas right again under a piece that has been laid or taken away, space by space."""
        cover, areas, letter_of = lists[1], lists[4], self.shapes.letter_of
        spaces = self.spaces(component, place)
        for number in range(first, first + self.shapes.areas):
            areas[number] &= ~self.area(component, place >> 2, place & 3)
        shown: dict[int, list[int]] = {}
        for space in spaces:
            letter = letter_of[cover[start + space]]
            if letter is not None:
                shown.setdefault(letter, []).append(space)
        for letter, those in shown.items():
            found = set_of(those)
            areas[first] |= found
            areas[first + 1 + letter] |= found

    def lift(self, lists: Lists, component: int, zone: Sequence[int], start: int, first: int) -> None:
        """Takes a piece off the board; what lay under it shows again. zone: all its pieces, the last on top."""
        spots, cover, ports, hidden, _ = lists
        place = spots[component]
        freed = set()
        for space, code in zip(self.spaces(component, place), self.shapes.codes[component][place & 3], strict=True):
            if cover[start + space] == code:
                cover[start + space] = 0
                freed.add(space)
        spots[component], ports[component], hidden[component] = NOT_LAID, self.shapes.loose[component], 0
        for other in reversed(zone):
            if not freed:
                break
            if other == component:
                continue
            under = spots[other]
            spaces, touched = self.spaces(other, under), False
            for i, space in enumerate(spaces):
                if space in freed:
                    freed.discard(space)
                    cover[start + space] = self.shapes.codes[other][under & 3][i]
                    hidden[other] -= 1
                    touched = True
            if touched:
                ports[other] = self._visible(lists, other, start)
        self._mark(lists, component, place, start, first)

    def lay(
        self,
        z: list[list[int]],
        loc: list[int],
        lists: Lists,
        component: int,
        spot: tuple[int, int],
        to: int,
        start: int,
        first: int,
    ) -> None:
        """Moves a piece that is not laid to a spot, over all others there. to: the number of the zone."""
        place = spot[0] * 4 + spot[1]
        if not self.spaces(component, place):
            raise Fault("the piece would not lie on the board entirely, or may not be turned so")
        take(z, loc[component], component)
        z[to] = [*z[to], component]
        loc[component] = to
        self.put_down(lists, component, place, start, first)


@define(eq=False)
class Laid:
    """All laid zones of one kind: (number of the zone, ground, where it begins in the list `cover`)."""

    kind: str
    shapes: Shapes
    zones: list[tuple[int, Ground, int]]

    @property
    def size(self) -> int:
        """The length of the list `cover`."""
        return sum(len(ground.geometry.cells) for _, ground, _ in self.zones)

    def begin(self, S: Any) -> None:
        """Gives a position its lists, with nothing laid."""
        setattr(S, f"spot_{self.kind}", [NOT_LAID] * len(self.shapes.drawings))
        self._clear(S)

    def _clear(self, S: Any) -> None:
        code = "H" if len(self.shapes.letter_of) <= 1 << 16 else "L"
        setattr(S, f"cover_{self.kind}", array(code, [0]) * self.size)
        setattr(S, f"ports_{self.kind}", list(self.shapes.loose))
        setattr(S, f"hidden_{self.kind}", [0] * len(self.shapes.drawings))
        setattr(S, f"areas_{self.kind}", [0] * (self.shapes.areas * len(self.zones)))
        setattr(S, f"known_{self.kind}", {})

    def lists(self, S: Any) -> Lists:
        """The lists of a position."""
        return tuple(getattr(S, f"{name}_{self.kind}") for name in LISTS)

    def rebuild(self, S: Any) -> None:
        """Works out the other lists from `spot_KIND` and the order of the zones."""
        self._clear(S)
        lists = self.lists(S)
        for n, (number, ground, start) in enumerate(self.zones):
            for component in S.z[number]:
                ground.put_down(lists, component, lists[0][component], start, n * self.shapes.areas)

    def spots(self, S: Any) -> Iterable[tuple[int, int, tuple[int, int]]]:
        """For each laid piece the number of its zone, the component and its spot, in the order of the zones."""
        spots = lists[0] if (lists := self.lists(S)) else []
        for number, _, _ in self.zones:
            for component in S.z[number]:
                yield number, component, (spots[component] >> 2, spots[component] & 3)


LISTS = ("spot", "cover", "ports", "hidden", "areas")
"""The names of the lists, each followed by `_KIND`."""


def cell_of(port: Port) -> int:
    """The space of a port of a laid piece."""
    if port[1] < 0:
        raise Fault("a port of a piece that is not laid is on no space")
    return port[1]
