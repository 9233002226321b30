"""What a seat has seen of a game so far: all that `State.sample_world` may go by, and nothing else.

Two states that are the same to a seat give equal observations; so whatever is made of an observation alone tells
nothing that the seat does not know. Components that look alike are told apart only as far as the seat can: a copy
that it has lost sight of is any of those that may lie where it sees one again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from attrs import define, evolve, field, frozen

from interpreter.sight.told import Key, Keys

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.game import Game
    from interpreter.sight.logs import Event, Stop, Twin
    from interpreter.state import State

Piece = tuple[str, int]
"""A component: its kind and number."""


@frozen(eq=False)
class Step:
    """One decision and what came of it, as a seat has seen it.

    who: the seat that decided, -1 for chance. name, args: of the action; name is None where not even that is told.
    text: of the seat's own action. keys: the events in order; None where none has been seen, because seats still
    decide together. often: the variables that got several values. deciding, options, tops: where it stopped.
    faces: of components that come into sight. goes_on: whether seats still decide together as before. shuffles: the
    numbers of its shuffles. moved: whether something may have moved unseen.
    """

    who: int
    name: str | None
    args: tuple[Any, ...]
    text: str
    keys: tuple[Key, ...] | None
    often: frozenset[Key]
    deciding: tuple[int | None, ...]
    options: Sequence[Action]
    tops: tuple[tuple[int, int | None] | None, ...]
    faces: tuple[tuple[Piece, int], ...]
    goes_on: bool
    shuffles: range
    moved: bool

    def texts(self) -> list[str]:
        """The seat's options as texts."""
        return [str(option) for option in self.options]


@frozen(eq=False)
class Flow:
    """Something that tells where components are: a move, or a component that is shown where it lies.

    piece: the component, None if it is not seen. source, target: zones, the same of one that is shown. before, after:
    zones that the seat does not see with how many lie there, where it knows that.
    """

    piece: Piece | None
    kind: str
    source: int
    target: int
    before: Sequence[tuple[int, int]] = ()
    after: Sequence[tuple[int, int]] = ()


@define(eq=False)
class Shuffled:
    """A shuffle: of each place in the stack, from the bottom, what the seat knows of the card there.

    A card is known (`Piece`); or it left for another zone, or still lay there, at some time: (time, zone). `time`
    counts the events of `Observer.flow`. again: when each card that is seen again is seen next, by `time`.
    """

    zone: int
    fates: list[Any]
    time: int = 0
    again: dict[Piece, int] = field(factory=dict)


@frozen(eq=False)
class Observed:
    """All that a seat has seen.

    steps: of each decision; steps[0] is the set-up. shuffles: in order. limits: by time where cards that are seen again
    later must lie then, as masks of zones. times: by step the time at its end. values: by step the values that
    variables got there unseen, and that were shown later. flow: see `Observer`. hides: by zone whether the seat does
    not see what lies there.
    """

    seat: int | None
    steps: list[Step]
    shuffles: list[Shuffled]
    limits: dict[int, dict[Piece, int]]
    times: list[int]
    values: dict[int, dict[Key, Any]]
    flow: Sequence[Flow]
    hides: Sequence[bool]

    def places(self, time: int) -> dict[Piece, int]:
        """Where components may lie unseen at some time, as masks of zones; what is not named may lie in any."""
        after: dict[Piece, int] = {}
        for flow in self.flow[:time]:
            if flow.piece is None:
                _spread(after, flow.kind, flow.source, flow.target)
            elif self.hides[flow.target]:
                after[flow.piece] = 1 << flow.target
            else:
                after.pop(flow.piece, None)
            _filled(after, flow.kind, flow.after)
        before: dict[Piece, int] = {}
        for flow in reversed(self.flow[time:]):
            _back(before, flow, self.hides)
        return {p: after.get(p, -1) & before.get(p, -1) for p in {**after, **before}}

    def plain(self) -> Any:
        """Its content, to be compared."""
        steps = [
            (
                s.who,
                s.name,
                s.args,
                s.text,
                s.keys,
                s.deciding,
                s.texts(),
                s.tops,
                s.faces,
                s.goes_on,
                s.shuffles,
                s.moved,
            )
            for s in self.steps
        ]
        return steps, [(s.zone, s.fates, s.time, s.again) for s in self.shuffles], self.limits, self.times, self.values


def _back(masks: dict[Piece, int], flow: Flow, hides: Sequence[bool]) -> None:
    """From where components may lie after something to where they may before it."""
    if flow.piece is None:
        _spread(masks, flow.kind, flow.target, flow.source)
    elif hides[flow.source]:
        masks[flow.piece] = 1 << flow.source
    else:
        masks.pop(flow.piece, None)
    _filled(masks, flow.kind, flow.before)


def _filled(masks: dict[Piece, int], kind: str, counts: Sequence[tuple[int, int]]) -> None:
    """Zones of which the seat knows how many lie there: where all of these are known, nothing else lies there."""
    for zone, count in counts:
        bit = 1 << zone
        inside = sum(mask == bit for piece, mask in masks.items() if piece[0] == kind) if count else 0
        if inside == count:
            for piece, mask in masks.items():
                if mask & bit and mask != bit and piece[0] == kind:
                    masks[piece] = mask & ~bit


def _spread(masks: dict[Piece, int], kind: str, source: int, target: int) -> None:
    """Something of a kind goes unseen from one zone to another: it may be any that may lie there."""
    for piece, mask in masks.items():
        if piece[0] == kind and mask >> source & 1:
            masks[piece] = mask | 1 << target


class Observer:
    """Follows a twin for one seat."""

    def __init__(self, twin: Twin, seat: int | None) -> None:
        self.twin, self.game, self.seat = twin, twin.game, seat
        self.sight = self.game.sight
        self.bit = self.sight.bit(seat)
        self.keys = Keys(self.game, seat, twin._words)
        self.steps: list[Step] = []
        self.times: list[int] = []
        self.flow: list[Flow] = []
        """What tells where components are, by time."""
        self.shuffles: list[Shuffled] = []
        self.values: dict[int, dict[Key, Any]] = {}
        self._set: dict[Key, int] = {}
        """By entry of a variable the step in which it got the value that it has, if that was not seen."""
        self._hides = [not mask & self.bit for mask in self.sight.contents]
        ordered = [self.game.spec.zones[n].order != "none" if n in self.game.spec.zones else False
                   for n, _ in self.game.layout.instances]  # fmt: skip
        self._counts = {
            n: len(cards) for n, cards in enumerate(twin.begin.z) if self._hides[n] and self.sight.counts[n] & self.bit
        }
        """How many lie in zones of which the seat sees no more than that."""
        self._explicit = twin._state._module is self.game._modules.get((True, True))
        self._order: dict[int, list[int]] = {
            n: list(cards)
            for n, cards in enumerate(twin.begin.z)
            if ordered[n] and self._hides[n] and not self._explicit
        }
        self._fate: dict[Piece, tuple[int, int]] = {}
        """By component the shuffle and the place in it of one that has been shuffled and not left since."""
        self._copies: dict[Piece, int] = {}
        self._lost: dict[str, dict[int, int]] = {kind: {} for kind in self.game.tables.first}
        """By kind with look-alikes, of copies out of sight where they may be, as masks."""
        for number, (name, _) in enumerate(self.game.layout.instances):
            kind = self.game.layout.zones[name].zone.component
            if kind in self._lost:
                for c in twin.begin.z[number]:
                    if self._hides[number]:
                        self._lost[kind][c] = 1 << number
                    else:
                        self._copies[kind, c] = c

    # ------------------------------------------------------------ steps

    def observed(self, state: State) -> Observed:
        """All that the seat has seen up to a state; the twin has come to it."""
        S = self.twin._state._position
        pending = 0
        taken = S.taken if S.branches is not None else ()
        while taken:
            taken, pending = taken[0], pending + 1
        history = state.history
        ready = len(self.twin.steps) - pending
        while len(self.steps) < ready:
            self._advance(len(self.steps), history, True)
        steps = self.steps + [self._step(n, history, False, range(0)) for n in range(ready, len(self.twin.steps))]
        limits, again = self._limits()
        times = self.times + [len(self.flow)] * pending
        now = len(self.flow)
        shuffles = [
            evolve(s, fates=[(now, s.zone) if fate is None else fate for fate in s.fates], again=again[s.time])
            for s in self.shuffles
        ]
        return Observed(self.seat, steps, shuffles, limits, times, self.values, tuple(self.flow), self._hides)

    def _advance(self, number: int, history: Sequence[tuple[int, Action]], done: bool) -> None:
        first = len(self.shuffles)
        for event in self.twin.steps[number]:
            self._follow(event)
            self._valued(event, number)
        self.steps.append(self._step(number, history, done, range(first, len(self.shuffles))))
        self.times.append(len(self.flow))

    def _step(self, number: int, history: Sequence[tuple[int, Action]], done: bool, shuffles: range) -> Step:
        events, stop = self.twin.steps[number], self.twin.stops[number]
        who, name, args, text = -1, None, (), ""
        keys: tuple[Key, ...] | None = None
        if number:
            who, action = history[number - 1]
            if who == self.seat:
                text = str(action)
        if done or who == self.seat:
            keys = self.keys.events(events)
            if number and who >= 0:
                name, args = self.keys.decision(events[0], events)
                if who == self.seat:  # The text says it; look-alikes may have changed places.
                    args = ()
        sets = Counter(
            (e.entry[1], self.keys.entry(*e.entry[1:3])) for e in events if e.entry[0] == "set" and e.seen & self.bit
        )
        tops = seen_tops(self.game, self.bit, stop)
        moved = any(e.entry[0] == "move" and not e.seen & self.bit for e in events)
        goes_on = number > 0 and stop.before is not None and stop.before is self.twin.stops[number - 1].before
        return Step(
            who, name, args, text, keys, frozenset(key for key, times in sets.items() if times > 1), stop.deciding(),
            stop.own(self.seat), tops, self._faces(number), goes_on, shuffles, moved and keys is not None,
        )  # fmt: skip

    def _faces(self, number: int) -> tuple[tuple[Piece, int], ...]:
        """The faces of components that come into sight in a step, the first seen of each."""
        found: dict[Piece, int] = {}
        for event in self.twin.steps[number]:
            if event.entry[0] == "move" and event.seen & self.bit and event.detail[2] is not None:
                _, kind, c, source, _ = event.entry
                if self._hides[source] and kind not in self.keys.first:
                    found.setdefault((kind, c), event.detail[2])
        for zone, top in zip(self.sight.topped, self.twin.stops[number].tops, strict=True):
            if top is not None and top[1] is not None and self.sight.tops[zone] & self.bit:
                kind = self.game.layout.zones[self.game.layout.instances[zone][0]].zone.component
                if kind not in self.keys.first:
                    found.setdefault((kind, top[0]), top[1])
        return tuple(found.items())

    # ------------------------------------------------------------ where components are

    def _follow(self, event: Event) -> None:
        sees = bool(event.seen & self.bit)
        match event.entry:
            case ("move", kind, c, source, target):
                if event.aware & self.bit or sees:
                    self._moved(kind, c, source, target, sees, event.detail[1])
            case ("shuffle", zone):
                self._shuffled(zone, event.detail)
            case ("reveal", kind, components, _) if sees:
                for c, zone in zip(components, event.detail, strict=True):
                    if self._hides[zone]:
                        self._known(kind, c, zone)
        for number in self.sight.topped:
            if self.sight.tops[number] & self.bit and self._order.get(number):
                kind = self.game.layout.zones[self.game.layout.instances[number][0]].zone.component
                place = self._fate.get((kind, self._order[number][-1]))
                if place is not None and self.shuffles[place[0]].fates[place[1]] is None:
                    self._known(kind, self._order[number][-1], number)

    def _valued(self, event: Event, number: int) -> None:
        """A variable gets a value unseen, or shows one that it had got before."""
        match event.entry:
            case ("set" | "kept", name, index, _):
                if event.seen & self.bit:
                    self._set.pop((name, self.keys.entry(name, index)), None)
                else:
                    self._set[name, self.keys.entry(name, index)] = number
            case ("show", name, index, value, _) if event.seen & self.bit:
                key = (name, self.keys.entry(name, index))
                since = self._set.get(key)
                if since is not None and since < number:
                    self.values.setdefault(since, {})[key] = self.keys.value(name, value)

    def _moved(self, kind: str, c: int, source: int, target: int, sees: bool, end: int) -> None:
        piece: Piece | None = None
        if sees:
            piece = self._copy(kind, c, source)
        elif kind in self._lost:
            for copy, mask in self._lost[kind].items():
                if mask >> source & 1:
                    self._lost[kind][copy] = mask | 1 << target
        time = len(self.flow)
        before = [(zone, self._counts[zone]) for zone in (source, target) if zone in self._counts]
        for zone, change in ((source, -1), (target, 1)):
            if zone in self._counts:
                self._counts[zone] += change
        after = [(zone, self._counts[zone]) for zone, _ in before]
        self.flow.append(Flow(piece, kind, source, target, before, after))
        self._leave(kind, c, source, piece, (time + 1, target))
        order = self._order.get(target)
        if order is not None:
            if end < 0:
                self._mixed(kind, target)
            order.insert(len(order) if end else 0, c)
        if piece is not None and kind in self._lost:
            self._copies.pop((kind, c), None)
            if self._hides[target]:
                self._lost[kind][piece[1]] = 1 << target
            else:
                self._copies[kind, c] = piece[1]

    def _copy(self, kind: str, c: int, zone: int) -> Piece:
        """A component that is seen, as the copy that it may be; which of several it is nobody can tell."""
        if kind not in self._lost:
            return kind, c
        copy = self._copies.get((kind, c))
        if copy is None:
            look, lost = self.keys.look(kind, c), self._lost[kind]
            alike = sorted(copy for copy in lost if self.keys.look(kind, copy) == look)
            copy = next((copy for copy in alike if lost[copy] >> zone & 1), alike[0] if alike else c)
            lost.pop(copy, None)
            self._copies[kind, c] = copy
        return kind, copy

    def _leave(self, kind: str, c: int, source: int, piece: Piece | None, fate: tuple[int, int]) -> None:
        """A component leaves a zone: what is known of its place in the last shuffle."""
        order = self._order.get(source)
        if order is None or c not in order:
            return
        at_end = order[-1] == c or order[0] == c
        if not at_end:
            self._mixed(kind, source)
        order.remove(c)
        place = self._fate.pop((kind, c), None)
        if place is not None:
            fates = self.shuffles[place[0]].fates
            if fates[place[1]] is None:
                fates[place[1]] = fate if piece is None else piece

    def _mixed(self, kind: str, zone: int) -> None:
        """Somebody looks for a card inside a stack, or puts one there: where the others lie is no longer known."""
        for c in self._order[zone]:
            place = self._fate.pop((kind, c), None)
            if place is not None and self.shuffles[place[0]].fates[place[1]] is None:
                self.shuffles[place[0]].fates[place[1]] = (len(self.flow) - 1, zone)

    def _shuffled(self, zone: int, stack: Sequence[int]) -> None:
        if self._explicit:  # A stack has no order until chance finds out a card of it.
            return
        kind = self.game.layout.zones[self.game.layout.instances[zone][0]].zone.component
        number = len(self.shuffles)
        if zone not in self._order:
            self.shuffles.append(Shuffled(zone, [self._copy(kind, c, zone) for c in stack], len(self.flow)))
            return
        for c in self._order[zone]:
            place = self._fate.pop((kind, c), None)
            if place is not None and self.shuffles[place[0]].fates[place[1]] is None:
                self.shuffles[place[0]].fates[place[1]] = (len(self.flow), zone)
        self._order[zone] = list(stack)
        self.shuffles.append(Shuffled(zone, [None] * len(stack), len(self.flow)))
        for place_in, c in enumerate(stack):
            self._fate[kind, c] = number, place_in

    def _known(self, kind: str, c: int, zone: int) -> None:
        """A component is shown where it lies, among others that are not."""
        piece = self._copy(kind, c, zone)
        counts = [(zone, self._counts[zone])] if zone in self._counts else []
        self.flow.append(Flow(piece, kind, zone, zone, counts, counts))
        place = self._fate.get((kind, c))
        if place is not None:
            self.shuffles[place[0]].fates[place[1]] = piece
        if kind in self._lost:
            self._copies.pop((kind, c), None)
            self._lost[kind][piece[1]] = 1 << zone

    def _limits(self) -> tuple[dict[int, dict[Piece, int]], dict[int, dict[Piece, int]]]:
        """Backwards through the flow: by time where the cards must lie that are seen again later, and when that is.

        The second only for the times of shuffles.
        """
        wanted = {f[0] for s in self.shuffles for f in s.fates if f is not None and isinstance(f[0], int)}
        wanted.add(len(self.flow))
        wanted.update(time for step, time in zip(self.steps, self.times, strict=True) if step.moved)
        shuffled = {s.time for s in self.shuffles}
        limits: dict[int, dict[Piece, int]] = {}
        again: dict[int, dict[Piece, int]] = {}
        now: dict[Piece, int] = {}
        seen: dict[Piece, int] = {}
        for time in range(len(self.flow), -1, -1):
            if time < len(self.flow):
                flow = self.flow[time]
                _back(now, flow, self._hides)
                if flow.piece in now:
                    seen[flow.piece] = time
            if time in wanted or time in shuffled:
                limits[time] = dict(now)
            if time in shuffled:
                again[time] = {piece: seen[piece] for piece in now}
        return limits, again


def seen_tops(game: Game, bit: int, stop: Stop) -> tuple[tuple[int, int | None] | None, ...]:
    """The tops that a viewer sees, with their faces; look-alikes by their first."""
    found: list[tuple[int, int | None] | None] = []
    for number, top in zip(game.sight.topped, stop.tops, strict=True):
        kind = game.layout.zones[game.layout.instances[number][0]].zone.component
        first = game.tables.first.get(kind)
        if top is None or not game.sight.tops[number] & bit:
            found.append(None)
        else:
            found.append(top if first is None else (first[top[0]], top[1]))
    return tuple(found)


def observe(state: State, seat: int | None) -> Observed:
    """What a seat has seen up to a state; None for a spectator."""
    from interpreter.sight.logs import twin_of

    twin = twin_of(state)
    observers: dict[int | None, Observer] = twin.observers
    if seat not in observers:
        observers[seat] = Observer(twin, seat)
    return observers[seat].observed(state)


__all__ = ["Observed", "Observer", "Shuffled", "Step", "observe", "seen_tops"]
