"""Views: what a seat sees of a state, and everything there is, as plain data.

A view:

    game        the game's id
    seat        whose view it is; null for a spectator
    phase       names of the phases going on, outermost first
    turn        the seat whose turn it is, or null
    deciding    the seats that decide now (of those that merely could come between, only the viewer)
    over        whether the game has ended; then also winners, scores (see `shown_scores`) and outcome
    zones       by name; indexed ones by the texts of their indices, nested
    variables   by name, the same way; what the viewer does not see is left out
    prompt      for a deciding seat: what the rules say of the decision, or ""
    options     for a deciding seat: the texts of its options

A zone is `{"count": n, "cards": [ids in order]}`: `count` is null where the viewer does not know it, `cards` stands
there only where it sees them, else perhaps `top`. Kinds with faces have `faces` beside `cards` (`top_face` beside
`top`), pieces laid on a board `spots`. The boxes of components out of play are left out, and so are zones and
variables that do not exist with the game's options. A variable per component has only the entries of components that
the viewer sees; of look-alikes the second and later ones that it sees are called `ID#2`, `ID#3`, in the order of
the zones and of their `cards`. Options that differ by copies use the same names.

While seats decide together, each sees its own choices at once, and those of the others when all are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.compile.layout import Domain, VariableLayout, ZoneLayout
from interpreter.runtime.play import STEPS, advance
from interpreter.runtime.unknown import first_unknown
from interpreter.sight.copies import seen_components, shown_order
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.module import Module
    from interpreter.game import Game
    from interpreter.state import State


def view(state: State, seat: int | None = None) -> dict[str, Any]:
    """What a seat sees, as plain JSON types; see this module's documentation for the keys.

    Args:
        state: any state.
        seat: None for a spectator.

    Raises:
        ValueError: there is no such seat.
    """
    game, S = state.game, state._position
    if seat is not None:
        seat = game.check_seat(seat)
    shown = _Shown(game, seen_position(state, seat), seat)
    deciding = _deciding(state, seat)
    found: dict[str, Any] = {
        "game": game.spec.id,
        "seat": seat,
        "phase": phase_names(state._module, S.stack),
        "turn": S.turn,
        "deciding": deciding,
        "over": S.over,
        "zones": {n: shown.zone(p) for n, p in game.layout.zones.items() if p.exists and not n.startswith("box ")},
        "variables": {},
    }
    for name, place in game.layout.variables.items():
        if place.exists:
            entries = shown.variable(place)
            if entries is not _HIDDEN:
                found["variables"][name] = entries
    if S.over:
        found["winners"] = state.winners
        found["scores"] = [plain_number(score) for score in shown_scores(state)]
        found["outcome"] = state.outcome
    if seat is not None and seat in deciding:
        found["prompt"] = state.prompt(seat)
        found["options"] = [str(action) for action in state.legal_actions(seat)]
    return found


def shown_scores(state: State) -> list[Any]:
    """The scores at the end as all may see them.

    Where they decide who wins they are told. Where the rules have said it otherwise (win, lose, draw), they are not,
    unless everybody sees what they are worked out from: nobody has shown their hand.
    """
    return state.scores if state._position.outcome is None or state.game.open_scores else []


def _deciding(state: State, seat: int | None) -> list[int]:
    """Who decides, as far as a viewer may know: whether others could come between may depend on what they hold."""
    seats = state.deciding_seats()
    S = state._position
    return seats if S.branches is not None else [s for s in seats if s in (S.seat, seat)]


def seen_position(state: State, seat: int | None) -> Any:
    """The position as a viewer knows it: while seats decide together, without what the others have chosen."""
    S = state._position
    if S.branches is None:
        return S
    position = S.before.clone()
    begun = position.branches
    position.branches = position.main = None
    for who, stack in begun:
        if who == seat:
            _redo(position, stack, state, who)
    return position


def _redo(position: Any, stack: list[Any], state: State, seat: int) -> None:
    """The branch of a seat as far as it has gone."""
    code = state._module.code
    position.stack, position.steps = stack, STEPS
    chosen, rest = [], state._position.taken
    while rest:
        rest, who, action = rest
        if who == seat:
            chosen.append(action)
    advance(position, code)
    for action in reversed(chosen):
        copies = state.game.copies
        options = position.options
        names = {} if copies is None else dict(copies.pairs(lambda: position, options, seat))
        position.seat, position.chosen = seat, names.get(action, action)
        advance(position, code)


def phase_names(module: Module, stack: Sequence[Sequence[Any]]) -> list[str]:
    """The names of the phases whose units stand on a stack, outermost first."""
    keys = list(module.numbers)
    names: list[str] = []
    for frame in stack:
        word, _, name = keys[frame[0]].partition(" ")
        if word in ("phase", "pass") and names[-1:] != [name]:
            names.append(name)
    return names


def plain_number(value: Any) -> Any:
    """A number as JSON has it: an int, or the text of a fraction, as 1/2."""
    return str(value) if isinstance(value, Fraction) else value


def plain(game: Game, type: t.Type, value: Any) -> Any:
    """A value as JSON has it: numbers, bools, null, lists; everything else by its text."""
    if value is None:
        return None
    match type:
        case t.OptionalType(item):
            return plain(game, item, value)
        case t.BoolType():
            return bool(value)
        case t.NumberType():
            return plain_number(value)
        case t.ListType(item) | t.SetType(item):
            return [plain(game, item, v) for v in game.tables.members(type, value)]
    return game.tables.value_text(type, value)


class _Hidden:
    """What a viewer does not see."""


_HIDDEN = _Hidden()


class _Shown:
    """The zones and variables of a position, for one viewer."""

    def __init__(self, game: Game, S: Any, seat: int | None) -> None:
        self.game, self.S = game, S
        self.sight = game.sight
        self.bit = self.sight.bit(seat)
        self._keys: dict[str, dict[int, str]] = {}

    def zone(self, place: ZoneLayout) -> Any:
        """A zone, nested by its indices."""
        return _nested(place.per, place.base, self._instance, self._text)

    def _text(self, domain: Domain, index: int) -> str:
        return self.game.tables.value_text(domain.type, index)

    def _instance(self, number: int) -> dict[str, Any]:
        sight, bit = self.sight, self.bit
        name, _ = self.game.layout.instances[number]
        zone = self.game.layout.zones[name].zone
        kind = zone.component
        ids, faces = self.game.tables.ids[kind], self.game.spec.tables[kind].faces
        cards = shown_order(self.game, self.S, number, bit)
        shown: dict[str, Any] = {"count": len(cards) if sight.counts[number] & bit else None}
        if sight.contents[number] & bit:
            shown["cards"] = [ids[c] for c in cards]
            if faces:
                shown["faces"] = [faces[getattr(self.S, f"face_{kind}")[c]] for c in cards]
            if zone.laid_on:
                shown["spots"] = [self._spot(zone.laid_on, kind, c) for c in cards]
        elif sight.tops[number] & bit:
            top = cards[0] if cards and first_unknown(self.S, ((number, False),)) is None else None
            shown["top"] = None if top is None else ids[top]
            if faces:
                shown["top_face"] = None if top is None else faces[getattr(self.S, f"face_{kind}")[top]]
        return shown

    def _spot(self, board: str, kind: str, component: int) -> str:
        spot = getattr(self.S, f"spot_{kind}")[component]
        return self.game.tables.value_text(t.SpotType(board), divmod(spot, 4))

    def variable(self, place: VariableLayout) -> Any:
        """A variable, nested by its indices, without the entries that the viewer does not see."""
        name = place.variable.name
        values = getattr(self.S, f"v_{name}")
        if not place.per:
            return self._entry(place, values, 0)
        return _nested(place.per, 0, lambda i: self._entry(place, values[i], i), self._index)

    def _entry(self, place: VariableLayout, value: Any, index: int) -> Any:
        if not self.sight.entry(self.S, place.variable.name, index) & self.bit:
            return _HIDDEN
        return plain(self.game, place.variable.type, value)

    def _index(self, domain: Domain, index: int) -> str:
        """The text of an index; look-alike components that the viewer sees are numbered as they lie."""
        if isinstance(domain.type, t.TableType) and domain.type.name in self.game.tables.first:
            return self._lookalikes(domain.type.name).get(index, "")
        return self._text(domain, index)

    def _lookalikes(self, kind: str) -> dict[int, str]:
        if kind not in self._keys:
            keys: dict[int, str] = {}
            met: dict[str, int] = {}
            ids = self.game.tables.ids[kind]
            for c in seen_components(self.game, self.S, kind, self.bit):
                met[ids[c]] = met.get(ids[c], 0) + 1
                keys[c] = ids[c] if met[ids[c]] == 1 else f"{ids[c]}#{met[ids[c]]}"
            self._keys[kind] = keys
        return self._keys[kind]


def _nested(per: Sequence[Domain], base: int, entry: Callable[[int], Any], text: Callable[[Domain, int], str]) -> Any:
    """The entries of something indexed, in dicts by the texts of the indices; hidden ones are left out."""
    if not per:
        return entry(base)
    domain, rest = per[0], per[1:]
    size = 1
    for inner in rest:
        size *= inner.size
    found: dict[str, Any] = {}
    for n in range(domain.size):
        if not domain.has(n + domain.low):
            continue
        part = _nested(rest, base + n * size, entry, text)
        if part is not _HIDDEN:
            found[text(domain, n + domain.low)] = part
    return found if found or not domain.size else _HIDDEN


# ---------------------------------------------------------------- full information


def all_variables(state: State) -> dict[str, Any]:
    """All variables by name, hidden ones too.

    The values are run-time values as views show them (texts, numbers, bools, None, lists; fractions stay exact). An
    index that is a seat or a number from 0 is a place in a list, any other a key of a dict: `score[0]`,
    `award["left"]`, `bid[1]["a1"]`.
    """
    game, S = state.game, state._position
    found: dict[str, Any] = {}
    for name, place in game.layout.variables.items():
        if place.exists:
            values = getattr(S, f"v_{name}")
            values = values if place.per else [values]
            type = place.variable.type
            found[name] = _by_value(game, place.per, [_exact(game, type, value) for value in values])
    return found


def all_zones(state: State) -> dict[str, Any]:
    """All zones by name, hidden ones and boxes too, indexed as in `all_variables`.

    A zone is a list of the ids of its components in its order; a slot (`holds: one`) one id or None.
    """
    game, S = state.game, state._position
    found: dict[str, Any] = {}
    for name, place in game.layout.zones.items():
        if place.exists:
            lists: list[Any] = []
            ids = game.tables.ids[place.zone.component]
            for cards in S.z[place.base : place.base + place.count]:
                shown = [ids[c] for c in (cards[::-1] if place.zone.order == "stack" else cards)]
                lists.append((shown[0] if shown else None) if place.zone.slot else shown)
            found[name] = _by_value(game, place.per, lists)
    return found


def _exact(game: Game, type: t.Type, value: Any) -> Any:
    return value if isinstance(value, Fraction) else plain(game, type, value)


def _by_value(game: Game, per: Sequence[Domain], entries: Sequence[Any]) -> Any:
    """Flat entries nested by run-time values of the indices."""
    if not per:
        return entries[0]
    domain, rest = per[0], per[1:]
    size = len(entries) // domain.size if domain.size else 0
    parts = [_by_value(game, rest, entries[n * size : (n + 1) * size]) for n in range(domain.size)]
    if isinstance(domain.type, t.PlayerType) or (isinstance(domain.type, t.NumberType) and domain.low == 0):
        return parts
    if isinstance(domain.type, t.NumberType):
        return {n + domain.low: part for n, part in enumerate(parts)}
    named = zip(_keys(game, domain), parts, strict=True)
    return {key: part for n, (key, part) in enumerate(named) if domain.has(n)}


def _keys(game: Game, domain: Domain) -> Iterable[str]:
    """The texts of all values of a type; look-alikes after the first are numbered."""
    met: dict[str, int] = {}
    for n in range(domain.size):
        text = game.tables.value_text(domain.type, n + domain.low)
        met[text] = met.get(text, 0) + 1
        yield text if met[text] == 1 else f"{text}#{met[text]}"
