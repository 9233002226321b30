"""Small games written in a test, and a helper that plays them by the texts of options."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

import interpreter
import rulespec
from interpreter.errors import RuleError
from interpreter.state import State

HEAD = {"rulespec": "1", "id": "tiny", "title": "Tiny", "players": "2..4", "about": "A test."}
HEAD_KEYS = ("rulespec:", "id:", "title:", "players:", "seats:", "about:", "extends:")


class Table:
    """A game in play. `options`, `seat`: of the decision now. `do`: decides by texts, for whoever is to decide."""

    def __init__(self, game: interpreter.Game, state: State) -> None:
        self.game, self.state = game, state

    @property
    def options(self) -> list[str]:
        return [str(option) for option in self.state.legal_actions()]

    def options_of(self, seat: int) -> list[str]:
        return [str(option) for option in self.state.legal_actions(seat)]

    @property
    def seat(self) -> int | None:
        return self.state.current_seat

    @property
    def over(self) -> bool:
        return self.state.is_over

    def do(self, *texts: str, seat: int | None = None) -> Table:
        for text in texts:
            self.state.apply(text, seat)
        return self

    def pick(self, *values: str) -> Table:
        """Options of `choose` with one parameter, by its value."""
        for value in values:
            (found,) = [o for o in self.state.legal_actions() if list(o.args.values()) == [value]]
            self.state.apply(found)
        return self

    @property
    def values(self) -> list[str]:
        """The arguments of the options, joined; the name of an option without any."""
        return [" ".join(o.args.values()) or o.name for o in self.state.legal_actions()]

    def var(self, name: str) -> Any:
        """A variable's value as text or number; of an indexed one the flat list of them."""
        place = self.game.layout.variables[name]
        raw = getattr(self.state._position, f"v_{name}")
        kind = place.variable.type

        def shown(value: Any) -> Any:
            if isinstance(value, bool) or value is None:
                return value
            text = self.game.tables.value_text(kind, value)
            return value if text == str(value) else text

        return [shown(value) for value in raw] if place.per else shown(raw)

    def zone(self, name: str, *index: int) -> list[str]:
        """The ids in a zone, in its order as the rules read it."""
        place = self.game.layout.zones[name]
        number = place.base + self.game.layout.flat(place.per, index)
        listed = self.state._position.z[number]
        ids = self.game.tables.ids[place.zone.component]
        return [ids[c] for c in (listed[::-1] if place.zone.order == "stack" else listed)]

    def snapshot(self) -> Any:
        """Everything that a fault must leave as it was."""
        layout = self.game.layout
        position = self.state._position
        variables = {name: self.var(name) for name in layout.variables}
        return variables, [list(z) for z in position.z], list(position.rng), self.options, self.seat, position.turn

    def fault(self, text: str, seat: int | None = None) -> RuleError:
        """Does what must fail, and checks that the state is as before and that the same can be tried again."""
        before = self.snapshot()
        with pytest.raises(RuleError) as caught:
            self.state.apply(text, seat)
        assert before == self.snapshot()
        with pytest.raises(RuleError):
            self.state.apply(text, seat)
        return caught.value


Play = Callable[..., Table]


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., interpreter.Game]:
    """Loads a spec; what is missing of its head is added. `files`: others beside it, by name."""

    def load(text: str, players: int | None = None, files: dict[str, str] | None = None, **options: Any) -> Any:
        for name, other in (files or {}).items():
            (tmp_path / name).write_text(whole(other), encoding="utf-8")
        path = tmp_path / "game.yaml"
        path.write_text(whole(text), encoding="utf-8")
        return interpreter.Game(rulespec.load(path), players, options)

    return load


def whole(text: str) -> str:
    """A spec with its head."""
    text = dedent(text).lstrip("\n")
    given = {line.split(":")[0] for line in text.splitlines() if line.startswith(HEAD_KEYS)}
    if "seats" in given:
        given.add("players")
    head = {} if "extends" in given or text.startswith("#") else HEAD
    return "".join(f"{key}: {value}\n" for key, value in head.items() if key not in given) + text


@pytest.fixture
def play(load: Callable[..., interpreter.Game]) -> Play:
    """Loads a spec and begins a game of it."""

    def play(
        text: str,
        players: int | None = None,
        seed: int = 1,
        chance: str = "seeded",
        files: dict[str, str] | None = None,
        any_time: str = "asked",
        **options: Any,
    ) -> Table:
        game = load(text, players, files, **options)
        how = {} if any_time == "asked" else {"any_time": any_time}
        return Table(game, game.new_state(seed, chance, **how))

    return play


@pytest.fixture
def run(play: Play) -> Play:
    """Plays a game of one phase with these effects: `run(effects, variables="...", more="...")`."""

    def run(effects: str, variables: str = "", more: str = "", **rest: Any) -> Table:
        text = dedent(more).strip("\n") + "\n"
        lines = dedent(variables).strip("\n")
        text += "variables:\n  trace: {type: 0..}\n"
        text += "".join(f"  {line}\n" for line in lines.splitlines())
        text += "phases:\n  main:\n    do: |\n"
        text += "".join(f"      {line}\n" for line in dedent(effects).strip("\n").splitlines())
        return play(text, **rest)

    return run
