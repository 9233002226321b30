"""Second states: the same as another to a viewer, with what it does not see exchanged."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

from interpreter.errors import SaveError
from interpreter.game import Game
from interpreter.state import State
from rulespec.check import types as t


def editable(state: State) -> dict[str, Any]:
    """What `to_json` says of a state, without its check, so that it may be changed and read back."""
    data: dict[str, Any] = json.loads(state.to_json())
    del data["check"]
    return data


def rerooted(state: State) -> State:
    """The same position without its past."""
    data = editable(state)
    return state.game.state_from_json(json.dumps({**data, "history": [], "origin": data["position"]}))


def hidden_twin(state: State, viewer: int | None, chance: random.Random) -> State | None:
    """A state in which what a viewer cannot see has changed places, without its past.

    Components change places among the zones that the viewer does not see, and values among the entries of each
    variable that it does not see. Everything that the viewer sees stays: what lies in zones it sees, tops that are
    shown, how many lie where it sees that. None where nothing can change places, or while seats decide together.
    """
    game, S = state.game, state._position
    if S.branches is not None:
        return None
    data = editable(state)
    changed = _zones_exchanged(state, viewer, chance, data["position"]["zones"])
    changed = _values_exchanged(state, viewer, chance, data["position"]["variables"]) or changed
    if not changed:
        return None
    try:
        return game.state_from_json(json.dumps({**data, "history": [], "origin": data["position"]}))
    except SaveError:  # The open decision has no options with these cards: the course would have been another.
        return None


def _zones_exchanged(state: State, viewer: int | None, chance: random.Random, zones: list[list[int]]) -> bool:
    game = state.game
    bit = game.sight.bit(viewer)
    hidden: dict[str, list[int]] = {}
    for number, (name, _) in enumerate(game.layout.instances):
        known = (game.sight.contents[number] | game.sight.counts[number]) & bit
        if not game.sight.contents[number] & bit and (zones[number] or not known) and not name.startswith("box "):
            hidden.setdefault(game.spec.zones[name].component, []).append(number)
    changed = False
    for numbers in hidden.values():
        shown = {number: int(bool(game.sight.tops[number] & bit)) for number in numbers}
        cards = [c for number in numbers for c in zones[number][: len(zones[number]) - shown[number]]]
        changed = changed or len(cards) > 1
        chance.shuffle(cards)
        counts = {number: len(zones[number]) - shown[number] for number in numbers}
        _recounted(game, [n for n in numbers if not (game.sight.counts[n] | game.sight.tops[n]) & bit], counts, chance)
        for number in numbers:
            count = counts[number]
            zones[number][: len(zones[number]) - shown[number]], cards = cards[:count], cards[count:]
            if game.spec.zones[game.layout.instances[number][0]].order == "none":
                zones[number].sort()
    return changed


def _recounted(game: Game, zones: Sequence[int], counts: dict[int, int], chance: random.Random) -> None:
    """Where the viewer does not know how many lie in zones, other numbers of them."""
    for _ in range(sum(counts[number] for number in zones) if len(zones) > 1 else 0):
        source, target = chance.sample(zones, 2)
        most = game.layout.zones[game.layout.instances[target][0]].max
        if counts[source] and (most is None or counts[target] < most):
            counts[source] -= 1
            counts[target] += 1


def _values_exchanged(state: State, viewer: int | None, chance: random.Random, variables: dict[str, Any]) -> bool:
    """Hidden entries of variables take each other's values, or others of a short list."""
    game, S = state.game, state._position
    bit = game.sight.bit(viewer)
    changed = False
    for name, place in game.layout.variables.items():
        if not place.exists or place.variable.seen_by == "everyone":
            continue
        values = variables[name] if place.per else [variables[name]]
        hidden = [n for n in range(len(values)) if not game.sight.entry(S, name, n) & bit]
        old = [values[n] for n in hidden]
        new = old[:]
        chance.shuffle(new)
        new = [chance.choice(_possible(game, place) or [value]) if chance.random() < 0.3 else value for value in new]
        for n, value in zip(hidden, new, strict=True):
            values[n] = value
        if not place.per:
            variables[name] = values[0]
        changed = changed or new != old
    return changed


def _possible(game: Game, place: Any) -> list[Any]:
    """The values of a small type, as they are saved."""
    type = place.variable.type
    if isinstance(type, t.BoolType):
        return [False, True]
    if isinstance(type, t.NumberType) and type.step == 1 and None not in (place.low, place.high):
        return list(range(place.low, place.high + 1)) if place.high - place.low < 100 else []
    if isinstance(type, t.EnumType | t.PlayerType):
        values = place.variable.declared.values
        return list(values) if values is not None else list(range(game.layout.domain(type).size))
    return []


__all__ = ["editable", "hidden_twin", "rerooted"]
