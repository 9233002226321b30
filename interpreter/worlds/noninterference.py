"""What a seat cannot see shows in nothing that it is shown: tested on pairs of states.

At decisions of random games, for each seat and for a spectator, a second state is made that is the same to this viewer.
Both are played on with the same visible course. As long as it is the same, all that the viewer is shown must be: the
view (with prompt and options), labels, the log, why other actions are refused, and whether a decision can be taken
back.

The second state is made in two ways. *Exchanged*: what the viewer does not see changes places (cards among zones,
values among entries of variables), and nothing else is asked. It finds whatever depends on hidden things now, and has
no past: its log begins there. *Sampled* (`State.sample_world`): a state with a whole past in which the viewer has seen
the same; it compares the logs of whole games, and seats that decide together.

The visible course is, step by step: who decided and what the viewer is told of it; the events that it notices, each
with what it sees of it (see `observed.Keys`); and then who decides and whose turn and which phase it is. The viewer
decides the same in both, others what looks the same to it, and chance has the same random numbers. Where the courses
part, the comparison ends:

- because something hidden was shown (a card comes into sight, a reveal, somebody does what the other hand cannot): that
  is what games are about;
- because the rules went another way, or set a variable that all see to another value, without showing anything: the
  author has written that in public, and it may be meant ("you must play a card if you can"). It is *told by the rules*:
  listed, and with `strict` a leak.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from attrs import define, field, frozen

from interpreter.actions import Action
from interpreter.errors import RuleError, WorldError
from interpreter.game import Game
from interpreter.match import Match
from interpreter.saves.positions import taken_list
from interpreter.sight.logs import Event, twin_of
from interpreter.sight.told import HIDDEN, Key, Keys
from interpreter.state import State
from interpreter.worlds.observed import seen_tops
from interpreter.worlds.twins import hidden_twin, rerooted

REFUSED = 6
"""How many actions that are not offered are asked about."""


@frozen
class Told:
    """Something hidden that the rules told in public: what differed, in words, and how often."""

    what: str
    times: int


@frozen
class Leak:
    """The first thing that a viewer was shown in one state and not in the other.

    Attributes:
        game, players, options: the game.
        seed, actions: of the random game, what was decided before the second state was made, with seats.
        viewer: the seat, or None for a spectator.
        pair: "exchanged" or "sampled". hidden: what differs between the states that the viewer does not see.
        after: what was decided since, with seats; in the second state what looks the same.
        what: where the difference is, as `variables.coins`. one, other: what was shown, as texts.
    """

    game: str
    players: int
    options: dict[str, str]
    seed: int
    actions: tuple[tuple[int, str], ...]
    viewer: int | None
    viewer_name: str
    pair: str
    hidden: tuple[str, ...]
    after: tuple[tuple[int, str], ...]
    what: str
    one: str
    other: str

    def __str__(self) -> str:
        lines = [
            f"{self.viewer_name} can tell apart two states that differ only in what it cannot see",
            f"  differs   {self.what}",
            f"            {self.one}",
            f"            {self.other}",
            *_columns("hidden", self.hidden),
            f"  game      {self.game}, {self.players} players, seed {self.seed}"
            + "".join(f", {name}={value}" for name, value in self.options.items()),
            *_columns("played", [f"{seat}: {text}" for seat, text in self.actions]),
        ]
        if self.after:
            lines += [f"  then      the second state is made here ({self.pair})"]
            lines += [f"            {seat}: {text}" for seat, text in self.after]
        else:
            lines += [f"  then      the second state is made here ({self.pair}), and differs at once"]
        return "\n".join(lines)


def _columns(name: str, texts: Sequence[str]) -> list[str]:
    return [f"  {name if n == 0 else '':10}{text}" for n, text in enumerate(texts)]


@frozen
class Parting:
    """How two visible courses part: whether something hidden came into sight; what differs, and that in both."""

    shows: bool
    what: str
    one: str
    other: str


@define
class SecretsReport:
    """What a test of a game found.

    Attributes:
        pairs: how many pairs of states were compared. steps: how many steps they were played on together.
        leak: the first leak, or None. told: what the rules told, the most often first.
    """

    pairs: int = 0
    steps: int = 0
    leak: Leak | None = None
    _told: Counter[str] = field(factory=Counter)

    @property
    def told(self) -> tuple[Told, ...]:
        """Hidden things that the rules told in public."""
        return tuple(Told(what, times) for what, times in self._told.most_common())

    def with_more(self, other: SecretsReport) -> SecretsReport:
        """Both reports as one."""
        told = self._told + other._told
        return SecretsReport(self.pairs + other.pairs, self.steps + other.steps, self.leak or other.leak, told)


def find_leaks(
    game: Game,
    games: int = 10,
    *,
    seed: int = 0,
    max_decisions: int = 400,
    share: float = 0.1,
    ahead: int = 8,
    strict: bool = False,
    sampled: float = 0.1,
) -> SecretsReport:
    """Plays random games and compares, for every viewer, states that are the same to it; stops at the first leak.

    Args:
        game: the game.
        games: how many are played.
        seed: of the first; each further game takes the next.
        max_decisions: at most so many of each game.
        share: at what part of the decisions it is compared; besides at one of the first eight.
        ahead: how many decisions a pair is played on.
        strict: whether what the rules tell in public without showing it counts as a leak.
        sampled: for what part of the pairs the second state is sampled, not exchanged.
    """
    report = SecretsReport()
    for number in range(seed, seed + games):
        state, chance = game.new_state(number), random.Random(number)
        early = int(8 ** chance.random()) - 1  # mostly one of the very first: some games are short
        for decision in range(max_decisions):
            if state.is_over:
                break
            if chance.random() < share or decision == early:
                for viewer in (*range(game.seats), None):
                    source = random.Random(f"{number}/{decision}/{viewer}")
                    for pair, first, second in _pairs(state, viewer, source, sampled):
                        if not _is_other(first, second):
                            continue
                        report.pairs += 1
                        comparison = _Comparison(report, viewer, pair, number, state, first, second, source, strict)
                        report.leak = comparison.run(ahead)
                        if report.leak is not None:
                            return report
            seat, action = random_decision(state, chance)
            state.apply(action, seat)
    return report


def random_decision(state: State, chance: random.Random) -> tuple[int, Action]:
    """A seat that may decide and one of its options."""
    deciding = [seat for seat in state.deciding_seats() if state.legal_actions(seat)]
    seat = deciding[int(chance.random() * len(deciding))]
    options = state.legal_actions(seat)
    return seat, options[int(chance.random() * len(options))]


# ---------------------------------------------------------------- second states


def _pairs(
    state: State, viewer: int | None, chance: random.Random, sampled: float
) -> Iterator[tuple[str, State, State]]:
    """Pairs of states that are the same to a viewer."""
    if chance.random() < sampled:
        try:
            world = state.sample_world(viewer, chance)
        except WorldError:
            return
        _same_chance(state, world)
        yield "sampled", state.clone(), world
        return
    other = hidden_twin(state, viewer, chance)
    if other is not None:
        yield "exchanged", rerooted(state), other


def _is_other(one: State, other: State) -> bool:
    """Whether two states differ in what they are or how they came to be; where little is hidden, they may not."""
    decided = [[str(action) for _, action in state.history] for state in (one, other)]
    stacks = one._position.stack, other._position.stack
    return (
        decided[0] != decided[1]
        or one.zones != other.zones
        or one.variables != other.variables
        or stacks[0] != stacks[1]
    )


def _same_chance(state: State, world: State) -> None:
    """Gives a sampled world the random numbers of another state."""
    world._past.with_chance(state._position.rng)
    for S in (world._position, world._origin):
        S.rng = list(state._position.rng)
        if S.before is not None:
            S.before.rng = list(state._position.rng)


# ---------------------------------------------------------------- one pair


@define
class _Comparison:
    """A pair of states, played on."""

    report: SecretsReport
    viewer: int | None
    pair: str
    seed: int
    begin: State
    first: State
    second: State
    chance: random.Random
    strict: bool
    after: list[tuple[int, str]] = field(factory=list)
    hidden: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        """The game."""
        return self.begin.game

    def run(self, ahead: int) -> Leak | None:
        """The first leak, or None."""
        self.hidden = tuple(_differences(self.first, self.second))
        for _ in range(ahead + 1):
            leak = self._compared()
            if leak is not None or self.first.is_over or len(self.after) == ahead:
                return leak
            going_on = self._step()
            if going_on is not True:
                return going_on or None
            self.report.steps += 1
        return None

    def _leak(self, what: str, one: Any, other: Any) -> Leak:
        game = self.game
        name = "a spectator" if self.viewer is None else game.seat_name(self.viewer)
        actions = tuple((seat, str(action)) for seat, action in self.begin.history)
        return Leak(
            game.spec.id, game.seats, game.option_texts, self.seed, actions, self.viewer, name, self.pair, self.hidden,
            tuple(self.after), what, _short(one), _short(other),
        )  # fmt: skip

    # ------------------------------------------------------------ what is shown

    def _compared(self) -> Leak | None:
        one, other = self._shown(self.first), self._shown(self.second)
        if one == other:
            return None
        return self._leak(*_first_difference(one, other))

    def _shown(self, state: State) -> dict[str, Any]:
        """All that the viewer is shown of a state, as plain data."""
        viewer = self.viewer
        shown: dict[str, Any] = dict(state.view(viewer))
        shown["log"] = state.log(viewer)
        if viewer is not None:
            if viewer in state.deciding_seats():
                shown["labels"] = [option.label for option in state.legal_actions(viewer)]
            shown["refused"] = {text: state.why_not(text, viewer) for text in self._unoffered(state)}
            shown["undo"] = _undo(state, viewer)
        else:
            shown["undo"] = _undo(state, None)
        return shown

    def _unoffered(self, state: State) -> list[str]:
        """Some actions to ask about: of the game's list, the same for both states."""
        table = self.game.action_table
        source = random.Random(len(self.after))
        return [str(table[source.randrange(len(table))]) for _ in range(REFUSED)] if len(table) else []

    # ------------------------------------------------------------ going on

    def _step(self) -> Leak | bool:
        """Plays one decision in both; True if the visible course is still the same."""
        seats = [s for s in self.first.deciding_seats() if s in self.second.deciding_seats()]
        if not seats:
            return False
        seat = self.chance.choice(seats)
        options = self.first.legal_actions(seat)
        action = self.chance.choice(options)
        S = self.first._position
        together = 0 if S.branches is None else 1 + len(taken_list(S.taken))
        others = [action] if seat == self.viewer else self._alike(seat, action)
        shown = [len(state.log(self.viewer)) for state in (self.first, self.second)]
        try:
            self.first.apply(action, seat)
        except RuleError:
            return False
        for other in others:
            second = self.second.clone()
            try:
                second.apply(str(other), seat)
            except (RuleError, ValueError):
                continue
            parting = self._parting(second, shown, together)
            if parting is None:
                self.second = second
                self.after.append((seat, str(action)))
                return True
            if other is others[-1]:
                self.second = second
                self.after.append((seat, str(action)))
                return self._parted(parting)
        return False

    def _alike(self, seat: int, action: Action) -> list[Action]:
        """What another seat may do in the second state so that it looks the same; the same first."""
        options = self.second.legal_actions(seat)
        same = [option for option in options if str(option) == str(action)]
        alike = [option for option in options if option.name == action.name and option not in same]
        self.chance.shuffle(alike)
        return [*same, *alike][:12]

    def _parting(self, second: State, shown: Sequence[int], together: int) -> Parting | None:
        """How the visible courses have parted in the last step; None if they have not.

        What seats have decided together comes into sight with the last of these decisions, of which there are so many.
        """
        count = together or 1
        stops = twin_of(self.first).stops
        if together and stops[-1].before is not None and stops[-1].before is stops[-2].before:
            if self.first.history[-1][0] != self.viewer:
                return self._stops(second)
            count = 1
        one, other = self._events(self.first, count), self._events(second, count)
        bit = self.game.sight.bit(self.viewer)
        for place in range(max(len(one), len(other))):
            key, event = one[place] if place < len(one) else (None, None)
            its_key, its_event = other[place] if place < len(other) else (None, None)
            if key != its_key:
                shows = any(
                    e.new & bit or e.entry[0] in ("do", "reveal", "show") for e in (event, its_event) if e is not None
                )
                keys = [k for k in (key, its_key) if k is not None]
                telling = [k for k in keys if k[0] != "turn of"]  # That the turn goes on only follows.
                names = dict.fromkeys(_event_name(self.game, k) for k in telling or keys)
                lines = [state.log(self.viewer)[n:] for state, n in zip((self.first, second), shown, strict=True)]
                return Parting(shows, " or ".join(names), *_first_lines(*lines))
        return self._stops(second)

    def _stops(self, second: State) -> Parting | None:
        """How what comes next differs: what lies on top, who decides, whose turn it is, the phase."""
        bit = self.game.sight.bit(self.viewer)
        tops = [seen_tops(self.game, bit, twin_of(state).stops[-1]) for state in (self.first, second)]
        if tops[0] != tops[1]:
            return Parting(True, "what lies on top", str(tops[0]), str(tops[1]))
        views = [state.view(self.viewer) for state in (self.first, second)]
        for key in ("deciding", "turn", "phase", "over", "scores"):
            if views[0].get(key) != views[1].get(key):
                what = {"deciding": "who decides", "turn": "whose turn it is", "phase": "the phase"}
                return Parting(
                    False, what.get(key, "the end of the game"), str(views[0].get(key)), str(views[1].get(key))
                )
        return None

    def _events(self, state: State, count: int) -> list[tuple[Key, Event]]:
        """What the viewer noticed of the last steps, in order."""
        twin = twin_of(state)
        keys = Keys(self.game, self.viewer, twin._words)
        found: list[tuple[Key, Event]] = []
        for events in twin.steps[-count:]:
            for event in events:
                is_decision = event.entry[0] == "do"
                key = ("do", event.entry[1], *keys.decision(event, events)) if is_decision else keys.event(event)
                if key is not None:
                    found.append((key, event))
        return found

    def _parted(self, parting: Parting) -> Leak | bool:
        if parting.shows:
            return False
        self.report._told[parting.what] += 1
        return self._leak(f"the course: {parting.what}", parting.one, parting.other) if self.strict else False


def _first_lines(one: Sequence[str], other: Sequence[str]) -> tuple[str, str]:
    """The first lines in which two logs differ."""
    for n in range(max(len(one), len(other))):
        own, its = (lines[n] if n < len(lines) else "nothing" for lines in (one, other))
        if own != its:
            return own, its
    return "something that the log does not tell", "something else"


def _event_name(game: Game, key: Key) -> str:
    """What an event is about, without its values."""
    match key:
        case ("set", name, *_):
            return f"the variable `{name}`"
        case ("move", _, _, source, target):
            names = [game.layout.instances[number][0] for number in (source, target)]
            return "a move from `{}` to `{}`".format(*(name.removeprefix("box ") for name in names))
        case ("phase", name):
            return f"the phase `{name}`"
        case ("say", _):
            return "a line of `say`"
        case ("turn of", _):
            return "whose turn it is"
        case ("do", *_):
            return "what was decided"
        case ("over", *_):
            return "the end of the game"
    return f"a {key[0]}"


def _undo(state: State, seat: int | None) -> str:
    """What a match in this state says of taking back the last decision."""
    match: Match = object.__new__(Match)
    match.game, match.seed, match.any_time, match.state = state.game, state.seed, "asked", state
    return match.can_undo(seat)


# ---------------------------------------------------------------- words


def _first_difference(one: Any, other: Any, path: str = "") -> tuple[str, Any, Any]:
    """Where two plain values differ first, and what stands there."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in dict.fromkeys([*one, *other]):
            if one.get(key, HIDDEN) != other.get(key, HIDDEN) or (key in one) != (key in other):
                inner = f"{path}.{key}" if path else str(key)
                if key in one and key in other:
                    return _first_difference(one[key], other[key], inner)
                return inner, one.get(key, "nothing"), other.get(key, "nothing")
    if isinstance(one, list) and isinstance(other, list) and path in ("log",):
        place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        own, its = (lines[place] if place < len(lines) else "nothing" for lines in (one, other))
        return f"{path}, line {place + 1}", own, its
    return path, one, other


def _differences(one: State, other: State) -> list[str]:
    """What differs between two states, a line for each zone and variable."""
    found = []
    for a, b in ((one.zones, other.zones), (one.variables, other.variables)):
        for name in a:
            if a[name] != b[name]:
                found.append(f"{name}: {_short(a[name])} or {_short(b[name])}")
    return found[:12] or ["only what is going on"]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 300 else f"{text[:297]}..."


__all__ = ["Leak", "SecretsReport", "Told", "find_leaks", "random_decision"]
