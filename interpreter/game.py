"""`Game`: a spec compiled for a number of seats and option values."""

from __future__ import annotations

import pickle
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from hashlib import blake2b
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from interpreter.actions import Action, ActionList, ActionTable
from interpreter.compile.evaluate import Evaluator
from interpreter.compile.layout import Layout
from interpreter.compile.module import Builder, Extra, Module
from interpreter.compile.position import start_position
from interpreter.compile.schemas import Schema, telling
from interpreter.compile.tables import Tables
from interpreter.facts import Facts, facts_of
from interpreter.options import option_texts, option_values
from interpreter.runtime.notes import noter
from interpreter.runtime.play import STEPS, advance, run, run_on
from interpreter.sight.copies import Copies
from interpreter.sight.telling import Telling
from interpreter.sight.telling import telling as find_telling
from interpreter.sight.visibility import Sight
from interpreter.state import State
from interpreter.texts import Texts
from interpreter.why.conditions import Conditions, Sees
from rulespec import checked as ir
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.sight.lines import Lines

NOTHING = Extra()

CHANCE = -1
"""`state.current_seat` at a chance node."""


class Game:
    """A game ready to be played.

    Args:
        spec: a checked spec, from `rulespec.load`.
        players: number of seats; None for the least that the spec allows.
        options: values by name, as Python values or as texts; options left out have their defaults.
        extra: what is compiled beside it, for tools.

    Attributes:
        spec, seats, options: what it was made of; options by name as run-time values.
        action_table: the fixed list of all options that can ever be offered; `action.id` is the index.
        facts: what is known of the game without playing it.

    Raises:
        ValueError: a wrong number of players, an unknown option or a value that it cannot have.
    """

    def __init__(
        self,
        spec: ir.CheckedSpec,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        *,
        extra: Extra = NOTHING,
    ) -> None:
        least, most = spec.source.seats
        self.spec = spec = with_pass(spec)
        self.seats = least if players is None else _whole(players, "the number of players")
        if not least <= self.seats <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            raise ValueError(f"{spec.title} is for {allowed} players, not {self.seats}")
        self.options = option_values(spec, self.seats, options or {})
        self.layout = Layout(spec, self.seats, self.options, self._constant)
        self._evaluate = Evaluator(self.layout)
        self.tables = self._evaluate.tables = Tables(self.layout, self._evaluate)
        self.tables.load()
        self.layout.place_all()
        self.tables.lay_out()
        self.copies = Copies(self) if self.tables.first else None
        """What options that differ by copies are called; None in a game without copies."""
        self.action_tables: dict[Any, ActionTable] = {}
        self._modules: dict[tuple[bool, bool], Module] = {}
        self._starts: dict[Module, Any] = {}
        self._openings: dict[tuple[str, str], tuple[Module, Any, bool]] = {}
        """By service the position that new states begin with; see `_opening`."""
        self._extra = extra
        self.texts = Texts(self)
        self.module()

    def _constant(self, expr: ir.Expr) -> Any:
        return self._evaluate(expr, {})

    def holds(self, condition: ir.Expr | None) -> bool:
        """Whether an `only_if` holds in this game."""
        return condition is None or bool(self._constant(condition))

    @property
    def players(self) -> int:
        """The number of seats."""
        return self.seats

    def check_seat(self, seat: Any) -> int:
        """A seat as a plain number.

        Raises:
            ValueError: there is no such seat.
        """
        number = _whole(seat, "a seat")
        if not 0 <= number < self.seats:
            raise ValueError(f"the seats are 0 to {self.seats - 1}, not {number}")
        return number

    def seat_name(self, seat: int) -> str:
        """The name of a seat in texts: the spec's own, or player_1, player_2, ..."""
        return self.tables.seat_name(seat)

    @property
    def option_texts(self) -> dict[str, str]:
        """The options as texts, as `Game(options=...)` takes them."""
        return option_texts(self.spec, self.options)

    @cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps((self.spec, self._extra), 5)

    def __reduce__(self) -> tuple[Any, ...]:
        """The spec is pickled, not the compiled code. A process compiles an equal game once and keeps a few."""
        return _restored, (self._pickled, self.seats, tuple(self.option_texts.items()))

    # ------------------------------------------------------------ modules

    def module(self, log: bool = False, explicit: bool = False) -> Module:
        """The compiled module of a mode, made when it is first needed.

        Args:
            log: whether it notes events for the log.
            explicit: whether chance is left to the caller.
        """
        key = (log, explicit)
        if key not in self._modules:
            builder = Builder(self.layout, self.tables, log, explicit, self.holds, self._extra)
            module = builder.build()
            self._modules[key] = module
            self._bind(module)
        return self._modules[key]

    def _bind(self, module: Module) -> None:
        """Gives a module the game's tables of options."""
        scope = module.namespace
        for schema in scope["SCHEMAS"]:
            scope[f"K{schema.number}"] = table = self._table(schema)
            scope[f"A{schema.number}"] = table.listed()
        scope["DRAWS"] = {number: self._table(schema) for number, schema in scope["DRAWS"].items()}
        scope["PASS"] = self._table(Schema(-1, "pass", (), ""))[0]
        scope["DONE"] = self._table(Schema(-2, "done", (), ""))[0]
        scope["show"] = self.texts.shower(scope["SHOWN"])
        scope["note"] = noter(self.sight)

    def _table(self, schema: Schema) -> ActionTable:
        signature = (schema.name, schema.parameters, schema.action)
        if signature not in self.action_tables:
            base = sum(t.schema.size or 0 for t in self.action_tables.values() if t.base is not None)
            self.action_tables[signature] = ActionTable(self, schema, None if schema.size is None else base)
        return self.action_tables[signature]

    @cached_property
    def action_table(self) -> ActionList:
        """Every option that the game can ever offer, without chance; `action.id` is the index."""
        return ActionList(list(self.action_tables.values()))

    @cached_property
    def sight(self) -> Sight:
        """Who sees what."""
        return Sight(self.layout)

    @cached_property
    def tells(self) -> Telling:
        """What the rules set according to what some seat does not see."""
        return find_telling(self.spec)

    @cached_property
    def told_apart(self) -> dict[str, tuple[tuple[str, int], ...]]:
        """By kind of components with copies what can tell these apart, see `compile.schemas.telling`."""
        return {kind: telling(self.layout, kind) for kind in self.tables.first}

    @cached_property
    def starts(self) -> dict[str, list[Any]]:
        """By variable the values that its entries start with."""
        return start_position(self.layout, self.tables)

    @cached_property
    def words(self) -> dict[Module, Lines]:
        """What writes the lines of logs, by module; made by `logs`."""
        return {}

    @cached_property
    def open_scores(self) -> bool:
        """Whether everybody always sees all that scores are worked out from."""
        result = self.spec.result
        scored = result.score if result.score is not None else result.rank_by[0][1] if result.rank_by else None
        return scored is None or Sees(self).all_of(scored, frozenset())

    @cached_property
    def conditions(self) -> Conditions:
        """The conditions of actions one by one, for `State.why_not`."""
        return Conditions(self)

    @cached_property
    def facts(self) -> Facts:
        """What is known of the game without playing it."""
        return facts_of(self)

    @property
    def source(self) -> str:
        """The Python source of the compiled rules, to read."""
        return self.module().source

    # ------------------------------------------------------------ states

    def new_state(self, seed: int = 0, chance: str = "seeded", any_time: str = "asked") -> State:
        """The game at its first decision (or chance node).

        Args:
            seed: of all random streams; the same seed gives the same game.
            chance: "seeded", or "explicit": random events become chance nodes, see `State.chance_outcomes`.
            any_time: "asked", or "open": while a turn's decision stands, other seats may do their actions of
                `any_time`, see `State.deciding_seats`, instead of being asked before it.

        Raises:
            RuleError: the set-up cannot be carried out.
            ValueError: the seed is no whole number, or there is no such service.
        """
        if type(seed) is not int:
            seed = _whole(seed, "a seed")
        opening = self._openings.get((chance, any_time))
        if opening is None:
            opening = self._opening(chance, any_time)
        module, start, stands = opening
        position = start.clone()
        position.rng = stream_seeds(seed, module.streams)
        state = State(self, module, position, seed)
        if not stands:
            try:
                how = advance(position, module.code)
                if how != 1:
                    run_on(position, module.code, how)
                    state.is_over = position.over
            except Exception as problem:
                raise state._failed(problem, "", None) from problem
        return state

    def _opening(self, chance: str, any_time: str) -> tuple[Module, Any, bool]:
        """Where new states begin, and whether that is a stop: if nothing random comes before the first one, it is.

        Raises:
            ValueError: there is no such service.
        """
        if chance not in ("seeded", "explicit"):
            raise ValueError(f"chance is `seeded` or `explicit`, not `{chance!s:.100}`")
        if any_time not in ("asked", "open"):
            raise ValueError(f"any_time is `asked` or `open`, not `{any_time!s:.100}`")
        module = self.module(explicit=chance == "explicit")
        start = self.first_position(module, 0)
        start.open = any_time == "open"
        opening = module, start, False
        position = start.clone()
        with suppress(Exception):  # a fault is told with the state that has it
            run(position, module.code)
            if position.rng == start.rng:
                opening = module, position, True
        self._openings[chance, any_time] = opening
        return opening

    def first_position(self, module: Module, seed: int) -> Any:
        """A position before anything has happened."""
        if module not in self._starts:
            self._starts[module] = self._start(module)
        S = self._starts[module].clone()
        S.rng = stream_seeds(seed, module.streams)
        return S

    def _start(self, module: Module) -> Any:
        """The position that all games begin with, but for the random streams."""
        S: Any = object.__new__(module.namespace["Position"])
        layout = self.layout
        S.z = [[] for _ in layout.instances]
        for name, table in self.spec.tables.items():
            if table.kind == "component":
                box = layout.zones[f"box {name}"].base
                count = layout.row_counts[name]
                setattr(S, f"loc_{name}", [box] * count)
                S.z[box] = list(range(count))
            if table.faces:
                setattr(S, f"face_{name}", [0] * layout.row_counts[name])
        for laid in self.tables.laid.values():
            laid.begin(S)
        for name, values in self.starts.items():
            setattr(S, f"v_{name}", values if layout.variables[name].per else values[0])
        for name in self.spec.records:
            setattr(S, f"memory_{name}", ())
        S.rng = []
        S.stack = [[module.numbers["main"], 0]]
        S.seat = S.decision = S.chosen = S.ret = S.turn = S.branches = S.main = S.before = S.outcome = S.log = (
            S.winners
        ) = None
        S.options, S.taken, S.steps, S.over, S.open, S.unknown = (), (), STEPS, False, False, {}
        self._fill_zones(S)
        return S

    def _fill_zones(self, S: Any) -> None:
        """Puts components into the zones whose `starts` takes them."""
        for place in self.layout.zones.values():
            zone = place.zone
            if zone.starts is None or not place.exists:
                continue
            local = zone.starts.bindings[0].local
            loc = getattr(S, f"loc_{zone.component}")
            conditions = [c for level in zone.starts.conditions for c in level]
            for c in range(self.layout.row_counts[zone.component]):
                if all(self._evaluate(condition, {local: c}) for condition in conditions):
                    index = [self._evaluate(e, {local: c}) for e in zone.starts_at]
                    to = place.base + self.layout.flat(place.per, index)
                    S.z[loc[c]].remove(c)
                    S.z[to].append(c)
                    loc[c] = to
            if zone.order == "stack":
                for i in range(place.base, place.base + place.count):
                    S.z[i].reverse()

    def state_from_json(self, text: str) -> State:
        """A state saved with `State.to_json`.

        Raises:
            SaveError: it is damaged, or of another game, spec, number of seats or options.
        """
        from interpreter.saves.states import state_from_json

        return state_from_json(self, text)

    # ------------------------------------------------------------ actions

    def parse_action(self, text: str) -> Action | None:
        """The option with this text, or None where no option of the game has it.

        Look-alike components have the same text; a state picks the one that is on offer. Copies that are told apart
        have numbers (see `interpreter.sight.copies`).

        Raises:
            ValueError: it is no text.
        """
        if not isinstance(text, str):
            raise ValueError(f"the text of an action is needed, not {text!r:.100}")
        for table in self.action_tables.values():
            found = self.texts.parse(text, table)
            if found is not None:
                return found
        return None


@lru_cache(maxsize=8)
def _restored(pickled: bytes, seats: int, options: tuple[tuple[str, str], ...]) -> Game:
    spec, extra = pickle.loads(pickled)
    return Game(spec, seats, dict(options), extra=extra)


def with_pass(spec: ir.CheckedSpec) -> ir.CheckedSpec:
    """A spec in which `pass` is an action like others where it has triggers."""
    named = any(trigger.kind == "action" and "pass" in trigger.names for trigger in spec.triggers)
    if not named or "pass" in spec.actions:
        return spec
    span = next(trigger.span for trigger in spec.triggers if "pass" in trigger.names)
    me = ir.Local("me", t.PLAYER)
    action = ir.Action("pass", me, None, None, (), (), None, None, "", span)
    return attrs.evolve(spec, actions={**spec.actions, "pass": action})


def _whole(value: Any, what: str) -> int:
    """A whole number of any kind as an `int`."""
    try:
        return index(value)
    except TypeError:
        raise ValueError(f"{what} is a whole number, not {value!r:.100}") from None


def stream_seeds(seed: int, streams: Sequence[bytes]) -> list[int]:
    """The starts of random streams: of each 64 bits from the game's seed and the stream's name.

    Args:
        seed: of the game.
        streams: what is hashed for each, with `%d` for the seed; see `Module.streams`.
    """
    found = []
    for stream in streams:
        found.append(int.from_bytes(blake2b(stream % seed, digest_size=8).digest(), "big"))
    return found


def load_game(game: str | Path, players: int | None = None, options: Mapping[str, Any] | None = None) -> Game:
    """Loads, checks and compiles a game in one step.

    Args:
        game: id of an installed game, or path of a spec.
        players: number of seats; None for the least.
        options: values by name.

    Raises:
        SpecError: the spec does not check.
        ValueError: wrong players or options.
    """
    import rulespec

    return Game(rulespec.load(game), players, options)
