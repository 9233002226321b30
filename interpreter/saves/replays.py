"""Saved matches under other rules: which still hold, and where each first differs.

The decisions of a save are played again under the new rules, beside the rules that it was saved under where these are
at hand. Before each decision who decides, the options, what everybody sees and the log are compared, at the end the
result. Where the old rules are gone, the save itself knows the options at each decision and the result.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import evolve, frozen

from interpreter.errors import IllegalAction, RuleError, SaveError
from interpreter.game import Game
from interpreter.saves.states import decision_of, options_digest, parsed_save, read_save, result_data, taken
from interpreter.state import State

if TYPE_CHECKING:
    from rulespec.checked import CheckedSpec

LISTED = 6
"""No more options than this are named."""


@frozen
class Difference:
    """Where a save first differs under other rules.

    Attributes:
        decision: the number of the decision, from 1; 0 for the set-up, one more than there are for the end.
        kind: "set-up", "refused", "fault", "options", "view", "log" or "result".
        message: what differs, with the decision.
    """

    decision: int
    kind: str
    message: str


@frozen
class Replay:
    """A save under other rules.

    Attributes:
        path: of the save.
        decisions: how many it has.
        first: the first difference; None where it holds.
        end: where it cannot be played further; None where all decisions can be played.
        compared: whether the old rules were at hand; if not, views and logs could not be compared.
        problem: why it could not be looked at, or "".
    """

    path: str
    decisions: int = 0
    first: Difference | None = None
    end: Difference | None = None
    compared: bool = True
    problem: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing differs."""
        return self.first is None and not self.problem


def replay(path: str | Path, spec: CheckedSpec) -> Replay:
    """Plays a saved match again under other rules.

    Args:
        path: what `Match.save` wrote.
        spec: the rules.
    """
    found = Replay(str(path))
    try:
        data = parsed_save(read_save(path), "match")
        actions = [decision_of(entry, number) for number, entry in enumerate(taken(data, "actions", list), 1)]
        found = evolve(found, decisions=len(actions))
        old = _old_game(data, spec)
        return _Comparison(evolve(found, compared=old is not None), data, actions, old).against(spec)
    except (SaveError, OSError) as problem:
        return evolve(found, problem=str(problem))


def _old_game(data: Mapping[str, Any], spec: CheckedSpec) -> Game | None:
    """The game under the rules that a match was saved under; None where these are not at hand."""
    import rulespec

    path, id = data.get("path"), taken(data, "game", str)
    if spec.id != id:
        raise SaveError(f"this save is of the game `{id}`, not of `{spec.id}`")
    places = [id]
    if isinstance(path, str) and "\0" not in path and Path(path).is_file():
        places.insert(0, path)
    for where in places:
        try:
            found = rulespec.load(where)
            if found.source.source_hash == data.get("hash"):
                return Game(found, taken(data, "players", int), taken(data, "options", dict))
        except (rulespec.SpecError, OSError, LookupError, ValueError):
            continue
    return None


class _Comparison:
    """One save."""

    def __init__(
        self, found: Replay, data: Mapping[str, Any], actions: Sequence[tuple[int, str]], old: Game | None
    ) -> None:
        self.found, self.data, self.actions = found, data, actions
        self.seed, self.any_time = taken(data, "seed", int), taken(data, "any_time", str)
        self.digests = data.get("checks")
        self.before = None if old is None else self._begun(old)
        self.logs: dict[int | None, tuple[int, int]] = {}

    def _begun(self, game: Game) -> State:
        try:
            return game.new_state(self.seed, any_time=self.any_time)
        except RuleError as problem:
            raise SaveError(f"the set-up does not work under the rules that it was saved under: {problem}") from problem
        except ValueError as problem:
            raise SaveError(f"this save is damaged: {problem}") from problem

    def against(self, spec: CheckedSpec) -> Replay:
        """The report."""
        try:
            game = Game(spec, taken(self.data, "players", int), taken(self.data, "options", dict))
            state = game.new_state(self.seed, any_time=self.any_time)
        except (ValueError, RuleError) as problem:
            return self._ended(0, "set-up", f"the set-up does not work: {problem}")
        for number, (seat, text) in enumerate(self.actions, 1):
            what = f"decision {number}, `{text}` of {_name(game, seat)}"
            self._differ(number, state, seat, f"before {what}")
            ended = self._play(state, number, seat, text, what)
            if ended is not None:
                return ended
        if self.before is not None and "result" in self.data and result_data(self.before) != self.data["result"]:
            raise SaveError("this save is damaged: its decisions do not lead to its result")
        self._differ(len(self.actions) + 1, state, None, "at the end" if state.is_over else "after the last decision")
        return self.found

    def _play(self, state: State, number: int, seat: int, text: str, what: str) -> Replay | None:
        """One decision under both rules; the report where it cannot be played."""
        if self.before is not None:
            try:
                self.before.apply(text, seat)
            except (IllegalAction, RuleError) as problem:
                raise SaveError(f"this save is damaged: {what}, is not possible: {problem}") from problem
        try:
            if state.is_over or seat not in state.deciding_seats():
                return self._ended(number, "refused", f"{what}, is refused: {_deciding(state)}")
            state.apply(text, seat)
        except IllegalAction as problem:
            return self._ended(number, "refused", f"{what}, is refused: {'; '.join(problem.reasons) or problem}")
        except RuleError as problem:
            return self._ended(number, "fault", f"{what}, cannot be carried out: {problem}")
        return None

    def _ended(self, number: int, kind: str, message: str) -> Replay:
        difference = Difference(number, kind, message)
        return evolve(self.found, first=self.found.first or difference, end=difference)

    def _differ(self, number: int, state: State, seat: int | None, where: str) -> None:
        """Looks for a first difference between two decisions."""
        if self.found.first is not None:
            return
        for kind, message in self._differences(state, number, seat):
            self.found = evolve(self.found, first=Difference(number, kind, f"{where}: {message}"))
            return

    def _differences(self, state: State, number: int, seat: int | None) -> Iterator[tuple[str, str]]:
        if self.before is None:
            if seat is not None and seat in state.deciding_seats():
                yield from self._kept_options(state, number, seat)
            if seat is None and "result" in self.data and result_data(state) != self.data["result"]:
                yield "result", f"the result is {_told(result_data(state))}, not {_told(self.data['result'])}"
            return
        old = self.before
        if old.deciding_seats() != state.deciding_seats():
            yield "options", f"{_deciding(state)}, not as before: {_deciding(old)}"
        for who in old.deciding_seats():
            yield from _options(old, state, who)
        if result_data(old) != result_data(state):
            yield "result", f"the result is {_told(result_data(state))}, not {_told(result_data(old))}"
        viewers = (*range(state.game.seats), None)
        for viewer in viewers:
            was, now = _seen(old, viewer), _seen(state, viewer)
            for path, one, other in _paths(was, now):
                yield "view", f"{_viewer(state.game, viewer)} sees `{path}` as {_short(other)}, not {_short(one)}"
        for viewer in viewers:
            yield from self._log(old, state, viewer)

    def _kept_options(self, state: State, number: int, seat: int) -> Iterator[tuple[str, str]]:
        known = self.digests[number - 1 : number] if isinstance(self.digests, list) else []
        if known and known[0] != options_digest(state, seat):
            yield "options", f"the options of {state.game.seat_name(seat)} are others"

    def _log(self, old: State, state: State, viewer: int | None) -> Iterator[tuple[str, str]]:
        before, after = old.log(viewer), state.log(viewer)
        start, other = self.logs.get(viewer, (0, 0))
        self.logs[viewer] = len(before), len(after)
        if before[start:] != after[other:]:
            for one, two in _unequal(before[start:], after[other:]):
                yield "log", f"the log of {_viewer(state.game, viewer)} says {_line(two)}, not {_line(one)}"


def _options(old: State, state: State, seat: int) -> Iterator[tuple[str, str]]:
    was, now = [str(option) for option in old.legal_actions(seat)], [str(o) for o in state.legal_actions(seat)]
    if was == now:
        return
    gone, new = [text for text in was if text not in now], [text for text in now if text not in was]
    parts = [f"new is {_list(new)}"] * bool(new) + [f"gone is {_list(gone)}"] * bool(gone)
    yield "options", f"the options of {state.game.seat_name(seat)}: {', '.join(parts) or 'they have another order'}"


def _seen(state: State, viewer: int | None) -> dict[str, Any]:
    view = state.view(viewer)
    for key in ("options", "scores", "winners", "outcome"):
        view.pop(key, None)
    return view


def _paths(was: Any, now: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The places at which plain data differ, with both values; None for what is missing."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in dict.fromkeys((*was, *now)):
            if was.get(key) != now.get(key) or (key in was) != (key in now):
                yield from _paths(was.get(key), now.get(key), f"{path}.{key}" if path else str(key))
    elif was != now:
        yield path, was, now


def _unequal(was: Sequence[str], now: Sequence[str]) -> Iterator[tuple[str | None, str | None]]:
    for n in range(max(len(was), len(now))):
        one, two = was[n] if n < len(was) else None, now[n] if n < len(now) else None
        if one != two:
            yield one, two


def _name(game: Game, seat: int) -> str:
    return game.seat_name(seat) if 0 <= seat < game.seats else f"seat {seat}"


def _viewer(game: Game, seat: int | None) -> str:
    return "a spectator" if seat is None else game.seat_name(seat)


def _deciding(state: State) -> str:
    names = ", ".join(state.game.seat_name(seat) for seat in state.deciding_seats())
    return f"{names} decides then" if names else "the game is over before"


def _list(texts: Sequence[str]) -> str:
    more = f" and {len(texts) - LISTED} more" if len(texts) > LISTED else ""
    return ", ".join(f"`{text}`" for text in texts[:LISTED]) + more


def _line(line: str | None) -> str:
    return "nothing" if line is None else f"`{line}`"


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _told(result: Any) -> str:
    """A result in words; what a save says it was may be anything."""
    if not isinstance(result, dict):
        return "none" if result is None else _short(result)
    winners, scores = result.get("winners"), result.get("scores")
    parts = [f"winners {_short(winners)}", *([f"scores {_short(scores)}"] if scores else [])]
    return ", ".join([*parts, *([_short(result["outcome"])] if result.get("outcome") else [])])
