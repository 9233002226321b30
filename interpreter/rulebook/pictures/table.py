"""The table in a position: boards with what stands on them, what lies in the middle, what each player has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, field

from interpreter.rulebook.pictures import boards, colours, laid
from interpreter.rulebook.pictures.contents import Contents, Leaf
from interpreter.rulebook.pictures.svg import Drawing, Picture, fitted, text_width
from interpreter.rulebook.pictures.values import Value
from interpreter.rulebook.pictures.wording import word
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.rulebook.blocks import Names
    from interpreter.state import State

WIDTH = 384.0
_LABEL, _TEXT = 11.0, 11.0
_MOST_CHANGES = 24
_MOST_CARDS, _MOST_LINES = 15, 14


def table(
    state: State, names: Names, name: str, title: str, beside: State | None = None, about: Collection[str] = ()
) -> Picture | None:
    """The picture of a position; None where nothing of it is to be shown.

    Args:
        state: the position.
        names: what things are called.
        name: of the picture.
        title: what it shows.
        beside: another position. What differs is marked, what is the same in both is left out.
        about: zones and variables that are shown in any case.

    Without `beside` the viewer is a spectator. An example is told from the seat that decides at its start.
    """
    seat = None if beside is None else _teller(state, beside)
    contents = Contents(state.game, names, state.view(seat))
    other = None if beside is None else Contents(state.game, names, beside.view(seat))
    return _Table(contents, other, frozenset(about), seat).picture(name, title)


def _teller(state: State, beside: State) -> int | None:
    """Who decides in the earlier one of two positions."""
    earlier = min(state, beside, key=lambda one: len(one.history))
    seats = [one for one in earlier.deciding_seats() if one >= 0]
    return seats[0] if seats else None


@define
class _Table:
    contents: Contents
    other: Contents | None
    about: frozenset[str]
    teller: int | None
    drawing: Drawing = field(factory=lambda: Drawing(WIDTH))
    spoken: list[str] = field(factory=list)
    y: float = 0
    _marked: set[tuple[str, tuple[str, ...]]] = field(factory=set)

    def picture(self, name: str, title: str) -> Picture | None:
        """The picture; None where nothing is to be shown."""
        leaves = self._chosen(self.contents.leaves)
        if not leaves:
            return None
        if where := self.contents.where():
            self.drawing.text(0, 12, fitted(where, WIDTH, 12, bold=True), "text", size=12, bold=True)
            self.spoken.append(where)
            self.y = 22
        rest = self._boards(leaves)
        self._group([leaf for leaf in rest if leaf.seat is None], 0, WIDTH)
        for seat in range(self.contents.game.seats):
            self._player(seat, [leaf for leaf in rest if leaf.seat == seat])
        self.drawing.height = max(self.y, 14) + 2
        return self.drawing.picture(name, title, f"{'. '.join(self.spoken)}.")

    # ------------------------------------------------------------ what is shown

    def _chosen(self, leaves: list[Leaf]) -> list[Leaf]:
        if self.other is None:
            return [leaf for leaf in leaves if not leaf.is_empty]
        others = {(leaf.name, leaf.place): leaf.entry for leaf in self.other.leaves}
        mine = {(leaf.name, leaf.place): leaf.entry for leaf in leaves}
        changed = {key for key in mine.keys() & others.keys() if mine[key] != others[key]}
        # What is seen in one of the positions only has come or gone with what it stands on.
        self._marked = changed
        names = {name for name, _ in changed}
        if self.about and len(changed) > _MOST_CHANGES:  # an example that runs on: what it is about
            names, changed = names & self.about, {key for key in changed if key[0] in self.about}

        def is_chosen(leaf: Leaf) -> bool:
            if _key(leaf) in changed:
                return True
            # Of what has many entries only those that change; beside them the same of other seats.
            plain = len(leaf.place) == (leaf.seat is not None)
            if leaf.name in self.about:
                return not leaf.is_empty or (plain and leaf.seat in (None, self.teller))
            return leaf.name in names and plain and not leaf.is_empty

        return [leaf for leaf in leaves if is_chosen(leaf)]

    def _is_marked(self, leaf: Leaf) -> bool:
        return _key(leaf) in self._marked

    # ------------------------------------------------------------ boards

    def _boards(self, leaves: list[Leaf]) -> list[Leaf]:
        """Draws the boards that something chosen stands on; gives what has no place on a board."""
        game = self.contents.game
        everything = self.contents.leaves
        rest = leaves
        for board in game.spec.boards:
            on_board = {leaf.name for leaf in everything if self._stands_on(leaf, board)}
            if not any(leaf.name in on_board for leaf in leaves):
                continue
            rest = [leaf for leaf in rest if leaf.name not in on_board]
            shown = [leaf for leaf in everything if leaf.name in on_board]
            for leaf in shown:
                if leaf.kind and game.spec.zones[leaf.name].laid_on:
                    self._laid(leaf)
            upright = [leaf for leaf in shown if not (leaf.kind and game.spec.zones[leaf.name].laid_on)]
            if upright:
                self._upright(board, upright)
        return rest

    def _stands_on(self, leaf: Leaf, board: str) -> bool:
        """Whether an entry is drawn on a board: it is kept for each space, lies there, or says where someone is."""
        game = self.contents.game
        if leaf.kind and game.spec.zones[leaf.name].laid_on == board:
            return True
        layout = game.layout.zones[leaf.name] if leaf.kind else game.layout.variables[leaf.name]
        per = [domain.type for domain in layout.per]
        if [getattr(type, "name", "") for type in per] == [board]:
            return True
        if leaf.kind:
            return False
        type = game.layout.variables[leaf.name].variable.type
        type = type.item if isinstance(type, t.OptionalType) else type
        return isinstance(type, t.TableType) and type.name == board and len(per) == 1 and leaf.seat is not None

    def _laid(self, leaf: Leaf) -> None:
        before = set()
        if self.other is not None:
            for other in self.other.leaves:
                if (other.name, other.place) == (leaf.name, leaf.place):
                    before = set(_lying(other.entry))
        marked = [id for id, *rest in _lying(leaf.entry) if (id, *rest) not in before] if self.other else []
        self.y = laid.draw(self.drawing, self.contents, leaf.name, leaf.entry, marked, self.y)
        names = [self.contents.card(leaf.kind, id, "").text for id in leaf.entry.get("cards", ())]
        self.spoken.append(f"{leaf.label}: {', '.join(names) or word(self.contents.names, 'picture_empty')}")

    def _upright(self, board: str, leaves: list[Leaf]) -> None:
        game, names = self.contents.game, self.contents.names
        numbers = game.tables.numbers[board]
        fills = boards.printed(game, board, names)
        tokens: dict[int, list[tuple[Value, bool]]] = {}
        for leaf in leaves:
            if self._is_fill(leaf) and leaf.value is not None:
                fills[numbers[leaf.place[0]]] = leaf.value
                continue
            found = self._on_space(board, leaf)
            for value in found:
                space = numbers[leaf.entry if leaf.seat is not None else leaf.place[0]]
                tokens.setdefault(space, []).append((value, self._is_marked(leaf)))
            if self._is_marked(leaf) and not found and leaf.seat is None:
                tokens.setdefault(numbers[leaf.place[0]], []).append((Value(""), True))
        ground = boards.ground_of(game, board, WIDTH, 40, self._seen(board, leaves) if self.other else ())
        if not ground.spaces:
            return
        visible = [value for n, value in fills.items() if ground.spaces[n].width and value.text]
        kinds_of = list({value.text: value for value in visible}.values())
        counts = {kind.text: sum(value.text == kind.text for value in fills.values()) for kind in kinds_of}
        most = max(counts, key=lambda text: counts[text], default="")
        signs = boards.signs_of(kinds_of, most)
        fills = {n: (Value(value.text) if value.text == most else value) for n, value in fills.items()}
        part = Drawing(WIDTH)
        boards.draw(part, ground, fills, signs, set(tokens))
        for n, here in tokens.items():
            _tokens(part, ground.spaces[n], here)
        boards.name_spaces(game, board, part, ground, set(tokens))
        height = ground.height + 4
        if kinds_of:
            shown = [Value(kind.text) if kind.text == most else kind for kind in kinds_of]
            height = boards.legend(part, shown, signs, height + 4)
        self.drawing.place(part, 0, self.y)
        self.y += height + 4
        self.spoken += [
            f"{self.contents.row(board, game.tables.ids[board][n])}: {', '.join(v.text for v, _ in here if v.text)}"
            for n, here in sorted(tokens.items())
            if any(v.text for v, _ in here)
        ]

    def _is_fill(self, leaf: Leaf) -> bool:
        """Whether an entry says what is printed on a space, and not what stands there."""
        if leaf.kind or leaf.seat is not None:
            return False
        return isinstance(self.contents.game.layout.variables[leaf.name].variable.type, t.EnumType)

    def _seen(self, board: str, leaves: Sequence[Leaf]) -> set[int]:
        """The spaces where something stands, or has changed between the two positions."""
        numbers = self.contents.game.tables.numbers[board]
        found: set[int] = set()
        for leaf in leaves:
            if leaf.seat is not None:
                places = [leaf.entry]
                if self.other is not None and self._is_marked(leaf):
                    places += [other.entry for other in self.other.leaves if _key(other) == _key(leaf)]
                found |= {numbers[place] for place in places if place is not None}
            elif self._is_marked(leaf) or (not self._is_fill(leaf) and self._on_space(board, leaf)):
                found.add(numbers[leaf.place[0]])
        return found

    def _on_space(self, board: str, leaf: Leaf) -> list[Value]:
        """What an entry puts on its space."""
        if leaf.kind:
            faces = leaf.entry.get("faces", [""] * len(leaf.entry.get("cards", ())))
            cards = [self.contents.card(leaf.kind, c, f) for c, f in zip(leaf.entry.get("cards", ()), faces)]  # noqa: B905
            hidden = (leaf.entry.get("count") or 0) - len(cards)
            return [*cards, Value(f"×{hidden}", "back")] if hidden > 0 else cards
        if leaf.seat is not None and leaf.entry is not None:
            return [Value(str(leaf.seat + 1), colours.of_seat(leaf.seat), is_number=True)]
        if leaf.value is None or leaf.value.is_nothing:
            return []
        type = self.contents.game.layout.variables[leaf.name].variable.type
        if isinstance(type, t.BoolType):
            return [Value(leaf.label.partition(",")[0])]
        return [leaf.value]

    # ------------------------------------------------------------ lines

    def _player(self, seat: int, leaves: list[Leaf]) -> None:
        if not leaves:
            return
        name = self.contents.seat(seat)
        self.y += 4
        top = self.y
        inner = _Table(self.contents, self.other, self.about, self.teller, Drawing(WIDTH - 20), [], 26)
        inner._marked = self._marked
        inner._group(leaves, 0, WIDTH - 20)
        high = inner.y + 4
        self.drawing.rect(0.5, top, WIDTH - 1, high, "panel", r=6)
        self.drawing.circle(16, top + 14, 7.5, "paper", fill=colours.of_seat(seat), stroke="none")
        self.drawing.text(16, top + 17.6, str(seat + 1), "light", size=10, bold=True, anchor="middle")
        self.drawing.text(29, top + 18, name, "text", size=12, bold=True)
        self.drawing.place(inner.drawing, 10, top)
        self.spoken.append(f"{name}: {', '.join(inner.spoken)}")
        self.y = top + high

    def _group(self, leaves: Sequence[Leaf], x: float, width: float) -> None:
        """Entries below each other; plain values side by side as far as they fit."""
        self._zones([leaf for leaf in leaves if leaf.value is None], x, width)
        values = [leaf for leaf in leaves if leaf.value is not None]
        at = x
        row = 0
        for n, leaf in enumerate(values):
            assert leaf.value is not None
            label, text = leaf.label, leaf.value.text
            swatch = 14 if leaf.value.colour else 0
            wide = text_width(label, _LABEL) + text_width(text, _TEXT, bold=True) + swatch + 10
            if at > x and at + wide > x + width:
                at, row = x, row + 1
                self.y += 20
                if row > _MOST_LINES:
                    more = word(self.contents.names, "picture_more", count=len(values) - n)
                    self.drawing.text(x, self.y + 13, more, "soft", size=_LABEL, italic=True)
                    break
            self._value(leaf, at, width)
            at += wide + 14
        if values:
            self.y += 22

    def _value(self, leaf: Leaf, x: float, width: float) -> None:
        assert leaf.value is not None
        label = fitted(leaf.label, width * 0.6, _LABEL)
        text = fitted(leaf.value.text, width * 0.5, _TEXT, bold=True)
        self.drawing.text(x, self.y + 13, label, "soft", size=_LABEL)
        at = x + text_width(label, _LABEL) + 6
        if leaf.value.colour:
            self.drawing.rect(at, self.y + 4, 10, 10, "paper", r=2, fill=leaf.value.colour)
            at += 14
        self.drawing.text(at, self.y + 13, text, "text", size=_TEXT, bold=True)
        if self._is_marked(leaf):
            self.drawing.line(at, self.y + 16.5, at + text_width(text, _TEXT, bold=True), self.y + 16.5, "changed")
        self.spoken.append(f"{leaf.label} {leaf.value.text}")

    def _zones(self, leaves: Sequence[Leaf], x: float, width: float) -> None:
        """Zones one after the other, several in a line where they fit."""
        at = x
        for leaf in leaves:
            cards = self._cards(leaf)
            label = fitted(leaf.label, width, _LABEL)
            head = text_width(label, _LABEL) + 6
            widths = [min(width - 6, text_width(card.text, _TEXT) + (17 if card.colour else 12)) for card in cards]
            whole = head + (sum(widths) + 4 * len(widths) if cards else 12)
            if at > x and at + whole > x + width:
                at = x
                self.y += 26
            top = self.y
            self.drawing.text(at, self.y + 14, label, "soft", size=_LABEL)
            empty = word(self.contents.names, "picture_empty")
            self.spoken.append(f"{leaf.label}: {', '.join(card.text for card in cards) or empty}")
            if at + whole <= x + width:
                place = at + head
                for card, wide in zip(cards, widths, strict=True):
                    _card(self.drawing, card, place, self.y, wide)
                    place += wide + 4
                if not cards:
                    self.drawing.text(place, self.y + 14, "–", "soft", size=_LABEL)
                if self._is_marked(leaf):
                    self.drawing.line(at, top + 22.5, at + whole - 4, top + 22.5, "changed")
                at += whole + 10
                continue
            self.y += 20
            place = x + 6
            for card, wide in zip(cards, widths, strict=True):
                if place > x + 6 and place + wide > x + width:
                    place = x + 6
                    self.y += 24
                _card(self.drawing, card, place, self.y, wide)
                place += wide + 4
            self.y += 26
            if self._is_marked(leaf):
                self.drawing.line(x, top + 20, x, self.y - 5, "changed")
            at = x
        if at > x:
            self.y += 26

    def _cards(self, leaf: Leaf) -> list[Value]:
        """What is seen of a zone: its components, and one more for those that are not seen."""
        entry, names = leaf.entry, self.contents.names
        faces = entry.get("faces") or [""] * len(entry.get("cards", ()))
        found = []
        for id, face in zip(entry.get("cards", ()), faces, strict=True):
            card = self.contents.card(leaf.kind, id, face)
            more = self.contents.on_face(leaf.kind, id, face)
            found.append(Value(f"{card.text} ({more})" if more else card.text, card.colour))
        if not found and entry.get("top") is not None:
            card = self.contents.card(leaf.kind, entry["top"], entry.get("top_face", ""))
            found.append(card)
        if len(found) > _MOST_CARDS:
            more = word(names, "picture_more", count=len(found) - _MOST_CARDS)
            found = [*found[:_MOST_CARDS], Value(more)]
        hidden = (entry.get("count") or 0) - len(found) if len(found) <= _MOST_CARDS else 0
        if hidden > 0:
            found.append(Value(word(names, "picture_hidden", count=hidden), "back"))
        return found


def _key(leaf: Leaf) -> tuple[str, tuple[str, ...]]:
    return leaf.name, leaf.place


def _lying(entry: Any) -> list[tuple[str, ...]]:
    """The pieces of a laid zone, with where they lie and their faces."""
    parts = [entry.get(key) for key in ("cards", "spots", "faces") if entry.get(key)]
    return list(zip(*parts, strict=True)) if parts else []


def _card(drawing: Drawing, card: Value, x: float, y: float, width: float) -> None:
    """A small card with its name."""
    if card.colour == "back":
        drawing.rect(x, y, width, 20, "back", r=3)
        text = fitted(card.text, width - 6, _TEXT)
        drawing.text(x + width / 2, y + 14, text, "light", size=_TEXT, anchor="middle")
        return
    drawing.rect(x, y, width, 20, "paper", r=3)
    left = x + 6
    if card.colour:
        drawing.rect(x + 0.5, y + 0.5, 6, 19, "", r=2.5, fill=card.colour)
        left += 5
    drawing.text(left, y + 14, fitted(card.text, width - (left - x) - 2, _TEXT), "ink", size=_TEXT)


def _tokens(drawing: Drawing, space: boards.Space, here: Sequence[tuple[Value, bool]]) -> None:
    """What stands on a space: discs for seats, small cards for the rest."""
    if any(marked for _, marked in here):
        ring = boards.Space(space.x, space.y, space.width - 3, space.height - 3, space.shape)
        boards.outline(drawing, ring, role="changed")
    here = [(value, marked) for value, marked in here if value.text]
    seats = [value for value, _ in here if value.is_number and value.colour]
    rest = [value for value, _ in here if not (value.is_number and value.colour)]
    lines = len(rest) + (1 if seats else 0)
    high = min(15.0, (space.height - 4) / max(1, lines))
    y = space.y - lines * high / 2
    if seats:
        r = min(8.5, space.height / 2 - 2) if not rest else min(8.0, high / 2)
        step = min(2 * r + 2, (space.width - 2 * r - 2) / max(1, len(seats) - 1)) if len(seats) > 1 else 0
        for n, seat in enumerate(seats):
            x = space.x + (n - (len(seats) - 1) / 2) * step
            drawing.circle(x, y + high / 2, r, "paper", fill=seat.colour, stroke="#ffffff")
            drawing.text(x, y + high / 2 + r * 0.4, seat.text, "light", size=r * 1.2, bold=True, anchor="middle")
        y += high
    for value in rest:
        wide = space.width - 4
        size = min(10.0, high * 0.68)
        is_back = value.colour == "back"
        fill = None if is_back else value.colour or None
        drawing.rect(space.x - wide / 2, y + 0.5, wide, high - 1, "back" if is_back else "paper", r=3, fill=fill)
        text, ink = fitted(value.text, wide - 3, size), "light" if is_back else "ink"
        drawing.text(space.x, y + high / 2 + size * 0.36, text, ink, size=size, anchor="middle")
        y += high
