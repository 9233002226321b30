"""`Match`: a game being played, with undo and a file to keep it in.

A match is its seed and what was decided; the state follows from that. So a save holds no position, and taking back a
decision is playing the shorter history again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.actions import Action
from interpreter.errors import IllegalAction, RuleError, SaveError, UndoError
from interpreter.game import Game
from interpreter.saves.states import (
    FORMAT,
    check_game,
    decision_of,
    game_data,
    options_digest,
    parsed_save,
    read_save,
    result_data,
    taken,
    with_check,
    write_whole,
)
from interpreter.sight.lines import Namer
from interpreter.sight.logs import Event, twin_of
from interpreter.state import State

if TYPE_CHECKING:
    from rulespec.checked import CheckedSpec


class Match:
    """A game in play.

    Args:
        game: the game.
        seed: of all chance.
        any_time: how actions that can be done at any time are served, see `Game.new_state`.

    Attributes:
        game, seed, any_time: as given.
        state: the position now. It is replaced by `undo`; change it through the match only.

    Raises:
        RuleError: the set-up cannot be carried out.
    """

    def __init__(self, game: Game, seed: int = 0, any_time: str = "asked") -> None:
        self.game, self.seed, self.any_time = game, seed, any_time
        self.state: State = game.new_state(seed, any_time=any_time)

    @property
    def history(self) -> list[tuple[int, Action]]:
        """Every decision so far with its seat, the first first."""
        return self.state.history

    def apply(self, action: Action | str, seat: int | None = None) -> None:
        """Does an option; see `State.apply`.

        Raises:
            IllegalAction: it is not among the options now.
            RuleError: a rule cannot be carried out; the state is as before.
        """
        self.state.apply(action, seat)

    # ------------------------------------------------------------ undo

    def undo(self, seat: int | None = None) -> None:
        """Takes back the last decision of a seat, also in the middle of what it began.

        The state is then the same as if that decision had never been made.

        Args:
            seat: None for the seat that decided last.

        Raises:
            UndoError: chance, something shown, or another seat has come since; the message says what.
        """
        reason = self.can_undo(seat)
        if reason:
            raise UndoError(reason)
        history = self.history
        place = self._last(history, seat)
        state = self.game.new_state(self.seed, any_time=self.any_time)
        for who, action in history[:place]:
            state.apply(action, who)
        self.state = state

    def can_undo(self, seat: int | None = None) -> str:
        """Why a seat cannot take its last decision back; "" if it can."""
        history = self.history
        place = self._last(history, seat)
        if place is None:
            return (
                "nothing has been decided yet"
                if seat is None
                else f"{self.game.seat_name(seat)} has decided nothing yet"
            )
        undoing = history[place][0]
        if place + 1 < len(history):
            other = history[place + 1][0]
            return f"{self.game.seat_name(other) if other >= 0 else 'chance'} has decided since"
        for event in twin_of(self.state).steps[place + 1]:
            reason = self._final(event, undoing)
            if reason:
                return reason
        return ""

    @staticmethod
    def _last(history: list[tuple[int, Action]], seat: int | None) -> int | None:
        """The place in the history of the last decision of a seat (None: of any)."""
        for place in range(len(history) - 1, -1, -1):
            if seat is None or history[place][0] == seat:
                return place
        return None

    def _final(self, event: Event, seat: int) -> str:
        """Why an event cannot be taken back by a seat, or "". Tells only what everybody may know."""
        names = Namer(self.game)
        new = event.new & ~self.game.sight.bit(None)
        others = self.game.sight.everyone & ~self.game.sight.bit(None) & ~(1 << seat)
        match event.entry:
            case ("shuffle", number):
                return f"{names.place(number)} has been shuffled"
            case ("chance", _):
                return "chance has decided something"
            case ("settled",):
                return "all have decided, and what they chose is known"
            case ("move", kind, component, source, target) if new:
                if new == 1 << seat or not event.seen & self.game.sight.bit(None):
                    return f"{names.some(1, kind)} has come from {names.place(source)} to {names.place(target)}"
                return f"{names.label(kind, component)} has been shown"
            case ("reveal", kind, components, _) if new:
                return f"{names.some(len(components), kind)} {'has' if len(components) == 1 else 'have'} been shown"
            case ("show", variable, index, _, _) if new:
                return f"{names.entry(variable, index)} has been shown"
            case ("set", variable, index, _) if event.seen & others and variable in self.game.tells.variables:
                if event.seen == self.game.sight.everyone:
                    return f"{names.entry(variable, index)} has been set by what not all see"
                return "something has been set by what not all see"
            case ("over", *_) if others and self.game.tells.end:
                return "the game is over, and its end tells what not all see"
        return ""

    # ------------------------------------------------------------ files

    def save(self, path: str | Path) -> None:
        """Keeps the match in a file, whole or not at all.

        Beside the decisions it has what tells other rules from these: a digest of the options at each decision, and the
        result.

        Raises:
            OSError: the file cannot be written; what was there before is as it was.
        """
        data = {
            "format": FORMAT,
            "kind": "match",
            **game_data(self.game),
            "path": str(Path(self.game.spec.source.path).absolute()),
            "seed": self.seed,
            "any_time": self.any_time,
            "actions": [[seat, str(action)] for seat, action in self.history],
            "checks": self._checks(),
            "result": result_data(self.state),
        }
        write_whole(path, with_check(data, indent=1) + "\n")

    def _checks(self) -> list[str]:
        """The digests of the options at each decision."""
        state = self.game.new_state(self.seed, any_time=self.any_time)
        found = []
        for seat, action in self.history:
            found.append(options_digest(state, seat))
            state.apply(action, seat)
        return found

    @classmethod
    def load(cls, path: str | Path, spec: CheckedSpec | None = None) -> Match:
        """A match from a file, played again.

        Args:
            path: what `save` wrote.
            spec: the spec of the game; None to find it where it was, or by its id.

        Raises:
            OSError: the file cannot be read.
            SaveError: it is damaged, its game is not found, or it cannot be played under the rules as they are now;
                then the message names the first decision that is no longer possible.
            SpecError: the spec has mistakes.
        """
        data = parsed_save(read_save(path), "match")
        game = _game_of(data, spec)
        seed, actions = taken(data, "seed", int), taken(data, "actions", list)
        any_time = data.get("any_time")
        if any_time not in ("asked", "open"):
            raise SaveError(f"this save is damaged: any_time is {json.dumps(any_time)}")
        changed = data.get("hash") != game.spec.source.source_hash
        note = "; the rules have changed since it was saved" if changed else ""
        try:
            match = cls(game, seed, any_time)
        except RuleError as problem:
            raise SaveError(f"the set-up does not work{note}: {problem}") from problem
        checks, earlier = data.get("checks"), ""
        for number, entry in enumerate(actions, 1):
            seat, wanted = decision_of(entry, number)
            kept = checks[number - 1] if isinstance(checks, list) and number <= len(checks) else None
            decides = seat in match.state.deciding_seats()
            others = bool(kept) and decides and kept != options_digest(match.state, seat)
            if others and not changed:
                raise SaveError(f"this save is damaged: at decision {number} it had other options")
            match._redo(seat, wanted, number, note + earlier)
            if others and not earlier:
                earlier = f" (the options differ from decision {number} on)"
        if not changed and "result" in data and data["result"] != result_data(match.state):
            raise SaveError("this save is damaged: its decisions do not lead to its result")
        return match

    def _redo(self, seat: int, text: str, number: int, note: str) -> None:
        """Plays one decision of a save."""
        who = self.game.seat_name(seat) if 0 <= seat < self.game.seats else f"seat {seat}"
        told = f"decision {number}, `{text}` of {who}, is not possible{note}"
        if self.state.is_over or seat not in self.state.deciding_seats():
            deciding = ", ".join(self.game.seat_name(s) for s in self.state.deciding_seats())
            raise SaveError(f"{told}: {f'{deciding} decides then' if deciding else 'the game is over before'}")
        try:
            self.state.apply(text, seat)
        except IllegalAction as problem:
            raise SaveError(f"{told}: {'; '.join(problem.reasons) or problem.message}") from problem
        except RuleError as problem:
            raise SaveError(f"{told}: {problem}") from problem


def _game_of(data: dict[str, Any], spec: CheckedSpec | None) -> Game:
    """The game of a saved match."""
    import rulespec

    id, path = taken(data, "game", str), data.get("path")
    if spec is None and isinstance(path, str) and "\0" not in path and Path(path).is_file():
        found = rulespec.load(path)
        spec = found if found.id == id else None
    if spec is None:
        try:
            spec = rulespec.load(id)
        except rulespec.SpecError:
            raise
        except (OSError, LookupError, ValueError) as problem:
            raise SaveError(f"the game `{id}` of this save is not found: {problem}") from problem
    players, options = taken(data, "players", int), taken(data, "options", dict)
    if spec.id != id:
        raise SaveError(f"this save is of the game `{id}`, not of `{spec.id}`")
    try:
        game = Game(spec, players, options)
    except ValueError as problem:
        raise SaveError(f"this save does not fit the rules as they are now: {problem}") from problem
    check_game(game, {**data, "options": game.option_texts}, rules=False)
    return game
