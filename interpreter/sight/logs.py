"""The log: what has happened, line by line, as a seat saw it.

Nothing of it is kept in a state. The history is played again with the game compiled so that it notes every event; the
notes say who sees what. A state keeps the twin that was played again, so that asking after each move costs that move.

What happens between two decisions is a step. A step's lines depend on the step alone: first what was decided, then
what came of it. While seats decide together, a seat has its own lines at once and those of the others after the last
has decided, in seat order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import define, evolve, field, frozen

from interpreter.errors import IllegalAction, RuleError, SaveError
from interpreter.runtime.notes import Note, tops_of
from interpreter.runtime.play import run
from interpreter.saves.positions import taken_list
from interpreter.sight.lines import Lines, Namer

if TYPE_CHECKING:
    from interpreter.actions import Action
    from interpreter.state import State


@frozen
class Event:
    """Something that happened: a note (see `runtime.notes`), or ("do", seat, action), or ("over",), or
    ("kept", ...): a "set" to the value that was there, which nobody notices. For undo alone,
    ("settled",): what seats have decided together has become known.

    seen, aware, new, detail: as in `Note`; of a "do" the detail is (decision's number, masks of who sees the
    components among the arguments where they lie).
    """

    entry: tuple[Any, ...]
    seen: int
    aware: int
    new: int = 0
    detail: Any = None


class Decided(NamedTuple):
    """A decision as an event. branch: as of a note. others: whether others have decided together with it before."""

    event: Event
    branch: tuple[int, Any] | None
    others: bool

    def settles(self, S: Any) -> bool:
        """Whether, with the position after it, all now see what seats have decided together."""
        return self.others and (S.branches is None or self.branch is None or S.before is not self.branch[1])


class Stop(NamedTuple):
    """Where play stopped between two steps.

    seat, options: as in a position, options as the seat is shown them. branches: of seats that decide together
    (seat, options) of each, else None. tops: of the zones whose top somebody sees, each with its face, or
    None. before: the position when the seats began to decide together.
    """

    seat: int | None
    options: Sequence[Action]
    branches: tuple[tuple[int, Sequence[Action]], ...] | None
    tops: tuple[tuple[int, int | None] | None, ...]
    before: Any

    def own(self, seat: int | None) -> Sequence[Action]:
        """The options of a seat."""
        if self.branches is not None:
            return next((options for who, options in self.branches if who == seat), ())
        return self.options if seat == self.seat and seat != -1 else ()

    def deciding(self) -> tuple[int | None, ...]:
        """Who decides, without those that may come between."""
        return (self.seat,) if self.branches is None else tuple(who for who, _ in self.branches)


def _copied(branches: dict[int, list[Event]] | None) -> dict[int, list[Event]] | None:
    return None if branches is None else {seat: events[:] for seat, events in branches.items()}


@define
class Section:
    """Events in order; of seats that decide together those of each, shown to others when `done`."""

    events: list[Event] = field(factory=list)
    branches: dict[int, list[Event]] | None = None
    began: Any = None
    done: bool = False


def log(state: State, seat: int | None = None, names: Namer | None = None) -> list[str]:
    """What has happened, as a seat saw it; lines end without a full stop.

    Args:
        state: any state; one that was loaded, too.
        seat: None for a spectator.
        names: what things are called, if not by their names in the spec.

    Raises:
        ValueError: there is no such seat.
    """
    if seat is not None:
        seat = state.game.check_seat(seat)
    twin = twin_of(state)
    return twin.lines(seat) if names is None else twin.worded(seat, names)


def twin_of(state: State) -> Twin:
    """The twin of a state, played on to where the state is.

    Raises:
        SaveError: the state was loaded, and its history does not lead to its position.
    """
    try:
        return _played_on(state)
    except (IllegalAction, RuleError) as problem:
        if isinstance(problem, RuleError) and state.is_over and not problem.action:
            raise  # a fault of the result, which this state has, too
        raise SaveError(f"this save is damaged: its history cannot be played: {problem}") from problem


def _played_on(state: State) -> Twin:
    twin: Twin | None = state._logged
    if twin is not None:
        ahead = _since(state, twin.reached)
        if ahead is not None:
            for _, who, action in ahead:
                twin.apply(who, action)
            twin.reached = state._history
            return twin
    twin = Twin(state) if state._past is None else state._past.fork()
    for _, who, action in _since(state, state._begun) or ():
        twin.apply(who, action)
    twin.reached = state._history
    state._logged = twin
    return twin


def _since(state: State, reached: Any) -> list[Any] | None:
    """The entries of the history after one, the first first; None where that one is not part of it."""
    found = []
    entry = state._history
    while entry is not reached:
        if entry is None:
            return None
        found.append(entry)
        entry = entry[0]
    return found[::-1]


def across(S: Any, module: Any) -> Any:
    """A copy of a position for another module of the same game."""
    scope = module.namespace
    copy: Any = object.__new__(scope["Position"])
    for name in type(copy).__slots__:
        setattr(copy, name, getattr(S, name))
    return copy.clone()


class Twin:
    """A game played again with notes.

    Attributes:
        sections: what has happened, for the lines. steps: the same, by decision: steps[0] is what came before the
            first. stops: where each step ended. begin: the position before the first step. reached: the entry of the
            state's history that it has come to. observers: what follows it for a seat, see
            `interpreter.worlds.observed`.
    """

    def __init__(self, state: State, begin: Any = None) -> None:
        """A twin of a state at its origin; or, with a position to begin with, one whose steps are given by `take`."""
        from interpreter.state import State as Played

        game = state.game
        module = game.module(log=True, explicit=state.is_explicit)
        self.game = game
        self.reached: Any = None
        self.sections: list[Section] = []
        self.steps: list[list[Event]] = []
        self.stops: list[Stop] = []
        self._lines: dict[int | None, list[str]] = {}
        self._ready: dict[int | None, int] = {}
        self.observers: dict[int | None, Any] = {}
        if module not in game.words:
            game.words[module] = Lines(game, module)
        self._words = game.words[module]
        if begin is not None:
            position = begin
        elif state._origin is not None:
            position = across(state._origin, module)
        else:
            position = game.first_position(module, state.seed)
            position.open = state._position.open
        self.begin = position.clone()
        self._old = {
            name: list(getattr(position, f"v_{name}")) if place.per else [getattr(position, f"v_{name}")]
            for name, place in game.layout.variables.items()
        }
        self._state = Played(game, module, position, state.seed)
        if begin is not None:
            return
        self._base(position)
        if state._origin is None:
            run(position, module.code)
        self._collect(None)

    def fork(self) -> Twin:
        """An independent copy."""
        copy: Twin = object.__new__(Twin)
        copy.__dict__.update(self.__dict__)
        copy.sections = [
            section if section.done else evolve(section, events=section.events[:], branches=_copied(section.branches))
            for section in self.sections
        ]
        copy.steps, copy.stops = self.steps[:], self.stops[:]
        copy._old = {name: values[:] for name, values in self._old.items()}
        copy._lines = {seat: lines[:] for seat, lines in self._lines.items()}
        copy._ready = dict(self._ready)
        copy.observers = {}
        copy._state = self._state.clone()
        return copy

    def _base(self, S: Any) -> None:
        """Begins to note; the first note only tells what lay on top."""
        tops = tops_of(self.game.sight, S)
        S.log = Note(None, ("",), 0, 0, 0, None, None, tops)

    def apply(self, seat: int, action: Action) -> None:
        """Plays one decision more."""
        decided = self.decided(seat, self._state._meant(action, seat)[1])
        self._base(self._state._position)
        self._state.apply(action, seat)
        self._collect(decided)

    def decided(self, seat: int, action: Action) -> Decided:
        """A decision that is about to be carried out, by the option as the rules know it."""
        S = self._state._position
        branch = (seat, S.before) if S.branches is not None else None
        others = branch is not None and any(who != seat for who, _ in taken_list(S.taken))
        return Decided(self._do(S, seat, action), branch, others)

    def take(self, S: Any, decided: Decided | None, notes: Iterable[Note]) -> None:
        """A step that was carried out elsewhere: the position after it, and its notes, the first first."""
        self._state._position = S
        self._sorted(decided, notes)

    def _do(self, S: Any, seat: int, action: Action) -> Event:
        """The decision itself as an event."""
        sight = self.game.sight
        number = S.decision
        if S.branches is not None:
            number = next(b[2] for b in S.branches if b[0] == seat)
        masks = []
        for parameter, value in zip(action.table.schema.parameters, action.key, strict=True):
            kind = getattr(parameter.type, "kind", "")
            is_piece = kind == "component" and value is not None
            masks.append(sight.component(S, parameter.type.name, value) if is_piece else None)  # type: ignore[attr-defined]
        aware = 0 if seat == -1 else sight.everyone
        return Event(("do", seat, action), 0 if seat == -1 else 1 << seat, aware, 0, (number, tuple(masks)))

    def _collect(self, decided: Decided | None) -> None:
        """Takes the notes since `_base` into sections."""
        S = self._state._position
        notes = []
        note = S.log
        while note.before is not None:
            notes.append(note)
            note = note.before
        S.log = None
        self._sorted(decided, reversed(notes))

    def _sorted(self, decided: Decided | None, notes: Iterable[Note]) -> None:
        S = self._state._position
        found: list[tuple[Event, tuple[int, Any] | None]] = []
        if decided is not None:
            found.append((decided.event, decided.branch))
        for note in notes:
            if self._changes(note.entry):
                event = Event(note.entry, note.seen, note.aware, note.new, note.detail)
            elif note.entry[0] == "set":
                event = Event(("kept", *note.entry[1:]), note.seen, 0)
            else:
                continue
            found.append((event, note.branch))
        if S.over:
            found.append((self._over(S), None))
        self.steps.append([event for event, _ in found])
        self.stops.append(self.stop(S))
        if decided is not None and decided.settles(S):
            everyone = self.game.sight.everyone
            self.steps[-1].append(Event(("settled",), everyone, everyone, everyone))
        self._sort(found)
        last = self.sections[-1] if self.sections else None
        if S.branches is None:
            self._close()
        elif last is None or last.branches is None or last.began is not S.before:
            self.sections.append(Section(branches={}, began=S.before))

    def _sort(self, found: list[tuple[Event, tuple[int, Any] | None]]) -> None:
        fresh = True
        for event, branch in found:
            last = self.sections[-1] if self.sections else None
            if branch is None:
                if fresh or last is None or last.branches is not None:
                    self._close()
                    self.sections.append(Section(done=True))
                self.sections[-1].events.append(event)
            else:
                seat, began = branch
                if last is None or last.branches is None or last.began is not began:
                    self._close()
                    self.sections.append(Section(branches={}, began=began))
                branches = self.sections[-1].branches
                assert branches is not None
                branches.setdefault(seat, []).append(event)
            fresh = False

    def _close(self) -> None:
        """What seats did together is known to all from now on."""
        if self.sections:
            self.sections[-1].done = True
            self.sections[-1].began = None

    def events(self, S: Any, decided: Decided | None, notes: Iterable[Note]) -> list[Event]:
        """The events that `take` would make of a step."""
        found = [] if decided is None else [decided.event]
        values: dict[tuple[str, int], Any] = {}
        for note in notes:
            entry = note.entry
            if entry[0] == "reset":
                start = self.game.starts[entry[1]]
                values.update(((entry[1], index), value) for index, value in enumerate(start))
                continue
            if entry[0] == "set":
                name = entry[1:3]
                old = values[name] if name in values else self._old[entry[1]][entry[2]]
                values[name] = entry[3]
                if old == entry[3]:
                    found.append(Event(("kept", *entry[1:]), note.seen, 0))
                    continue
            found.append(Event(entry, note.seen, note.aware, note.new, note.detail))
        if S.over:
            found.append(self._over(S))
        return found

    def stop(self, S: Any) -> Stop:
        """Where a position has stopped."""
        tops = tuple(self._top(S, number) for number in self.game.sight.topped)
        seats = [S.seat] if S.branches is None else [branch[0] for branch in S.branches]
        if self.game.copies is None:
            listed: list[Sequence[Action]] = [S.options] if S.branches is None else [b[3] for b in S.branches]
        else:
            before, self._state._position = self._state._position, S
            listed = [() if seat is None else self._state.legal_actions(seat) for seat in seats]
            self._state._position = before
        branches = None if S.branches is None else tuple(zip(seats, listed, strict=True))
        return Stop(S.seat, listed[0], branches, tops, S.before)

    def _top(self, S: Any, number: int) -> tuple[int, int | None] | None:
        """The top of a zone, with its face."""
        if not S.z[number]:
            return None
        kind = self.game.layout.zones[self.game.layout.instances[number][0]].zone.component
        top = S.z[number][-1]
        return top, getattr(S, f"face_{kind}")[top] if self.game.spec.tables[kind].faces else None

    def _over(self, S: Any) -> Event:
        """The end of the game as an event."""
        before, self._state._position = self._state._position, S
        everyone = self.game.sight.everyone
        event = Event(("over", self._state.winners, self._state.outcome), everyone, everyone)
        self._state._position = before
        return event

    def _changes(self, entry: tuple[Any, ...]) -> bool:
        """Whether an event changes anything; keeps track of the values of variables."""
        if entry[0] == "set":
            _, name, index, value = entry
            old = self._old[name][index]
            self._old[name][index] = value
            return bool(old != value)
        if entry[0] == "reset":
            self._old[entry[1]] = list(self.game.starts[entry[1]])
            return False
        return True

    # ------------------------------------------------------------ lines

    def lines(self, seat: int | None) -> list[str]:
        """The log of a seat."""
        kept = self._lines.setdefault(seat, [])
        ready = self._ready.get(seat, 0)
        while ready < len(self.sections) and self.sections[ready].done:
            kept += self._section(self.sections[ready], seat)
            ready += 1
        self._ready[seat] = ready
        return kept + [line for section in self.sections[ready:] for line in self._section(section, seat)]

    def worded(self, seat: int | None, names: Namer) -> list[str]:
        """The log of a seat with other names."""
        words = Lines(self.game, self._words.module, names, self._words.secrets)
        return [line for section in self.sections for line in self._section(section, seat, words)]

    def _section(self, section: Section, seat: int | None, words: Lines | None = None) -> list[str]:
        words = words or self._words
        if section.branches is None:
            return words.of(section.events, seat)
        own = words.of(section.branches.get(seat, []), seat) if seat is not None else []
        if not section.done:
            return own
        others = [words.of(events, seat) for who, events in sorted(section.branches.items()) if who != seat]
        return own + [line for part in others for line in part]
