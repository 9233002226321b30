"""Games that fail, made small: the shortest list of decisions after which it still goes wrong, as a scenario file.

    failing = failing_game(game, seed)          # a game of random bots that breaks an invariant, raises or never ends
    if failing is not None:
        small = shrink(failing)
        Path("broken.yaml").write_text(scenario_text(small, "broken.yaml"))

Decisions are left out and the rest is played again from the same seed, by the texts of the actions. An action that is
not possible then is left out too, and one whose seat does not decide then is done by the seat that does. Chance may
come out otherwise in the shorter game: what counts is that it fails in the same way, at the same place of the spec or
with the same invariant. Players and options stay as they are.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import monotonic

import attrs
from attrs import define, field, frozen

from interpreter.bots import Bot, random_bot
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.state import State
from interpreter.trials.simulation import MAX_DECISIONS, bots_of
from interpreter.why.reasons import broken

Decisions = tuple[tuple[int, str], ...]

_CONTINUED = 2_000
"""Decisions of random bots after which a game counts as one that cannot end any more."""
_TRIES = 3
"""Games of random bots that must all go on for so long."""


@frozen
class Failing:
    """A game that goes wrong.

    Attributes:
        game, seed: what it begins with.
        decisions: seats and texts of the actions, in order; the last one is that in which a rule cannot be carried
            out, or after which an invariant is broken.
        kind: "invariant", "rule" (it cannot be carried out) or "endless".
        where: the invariant's name, or the place of the rule as `PATH:LINE:COLUMN`, after `result ` where it belongs
            to the result of a game that is over.
        message: what goes wrong, in words.
    """

    game: Game = field(repr=False)
    seed: int
    decisions: Decisions
    kind: str
    where: str
    message: str


def failing_game(
    game: Game,
    seed: int,
    bots: str | Bot | Sequence[str | Bot] = "random",
    *,
    check_invariants: bool = True,
    max_decisions: int | None = None,
) -> Failing | None:
    """Plays one game as `simulate` does, and tells how it fails; None where nothing goes wrong.

    Args:
        game: the game.
        seed: of `game.new_state` and of the bots, as in `Fault.seed`.
        bots: a bot or its name for all seats, or one for each seat.
        check_invariants: whether a broken invariant is a failure.
        max_decisions: a longer game is one, too; 100,000 if None.
    """
    limit = MAX_DECISIONS if max_decisions is None else max_decisions
    chance = random.Random(seed)
    players = bots_of(bots, game.seats)
    play = _Play(game, seed, check_invariants)
    while play.failing is None and play.state is not None and not play.state.is_over:
        if len(play.decisions) >= limit:
            message = f"the game is not over after {limit:,} decisions"
            return Failing(game, seed, tuple(play.decisions), "endless", "", message)
        seat = play.state.current_seat
        assert seat is not None
        play.decide(seat, str(players[seat](play.state, seat, chance)))
    play.end()
    return play.failing


def shrink(failing: Failing, seconds: float = 20.0) -> Failing:
    """The same failure after fewer decisions: none of them can be left out, if there was time to try them all.

    A game that does not end becomes the shortest beginning after which random bots do not end it either.

    Args:
        failing: a game that goes wrong.
        seconds: it stops after so long, with the shortest list found so far.
    """
    search = _Search(failing, monotonic() + seconds)
    if failing.kind == "endless":
        search.shortest_beginning()
    search.other_games()
    search.leave_out()
    return search.best


def scenario_text(failing: Failing, path: str | Path, name: str = "") -> str:
    """A scenario file that fails under `rulespec test` as the game does.

    Args:
        failing: a game that goes wrong.
        path: where the file will be: the path of the game in it begins there.
        name: of the scenario; without it the message.
    """
    game = failing.game
    spec = Path(game.spec.source.path).resolve()
    lines = [f"game: {_quoted(_path_from(spec, Path(path)))}", "scenarios:"]
    endless = "after this the game does not end" if failing.kind == "endless" else ""
    lines += [f"  - name: {_quoted(name or endless or failing.message.splitlines()[0])}"]
    lines += [f"    players: {game.seats}"]
    changed = {
        option: text for option, text in game.option_texts.items() if game.options[option] != _default(game, option)
    }
    if changed:
        lines += ["    options:"]
        for option, text in changed.items():
            lines += [f"      {option}: {_quoted(text)}"]
    lines += [f"    seed: {failing.seed}"]
    if failing.decisions:
        lines += ["    when:"]
        lines += [f"      - {game.seat_name(seat)}: {_quoted(text)}" for seat, text in failing.decisions]
    if failing.kind == "invariant":
        lines += ["    then:", "      - invariants: yes"]
    elif failing.kind == "endless" or not failing.decisions:
        lines += ["    then:", "      - over: yes"]
    elif failing.where.startswith("result "):
        lines += ["    then:", "      - winners: []"]
    return "\n".join(lines) + "\n"


def save(failing: Failing, path: str | Path) -> None:
    """Keeps a failing game as a match, for `rulespec replay`: all of it up to the decision that fails.

    Raises:
        OSError: the file cannot be written.
        RuleError: the set-up itself cannot be carried out, so there is nothing to keep.
    """
    from interpreter.match import Match

    match = Match(failing.game, failing.seed)
    for seat, text in failing.decisions[: -1 if failing.kind == "rule" else None]:
        match.apply(text, seat)
    match.save(path)


def _default(game: Game, option: str) -> object:
    return game.spec.options[option].default


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _path_from(spec: Path, file: Path) -> str:
    """The path of the game from the folder of a scenario file, with slashes."""
    try:
        return Path(os.path.relpath(spec, file.resolve().parent)).as_posix()
    except ValueError:  # another drive
        return spec.as_posix()


# ---------------------------------------------------------------- playing


@define
class _Play:
    """One game, decision by decision, until it goes wrong."""

    game: Game
    seed: int
    invariants: bool
    decisions: list[tuple[int, str]] = field(factory=list)
    state: State | None = None
    failing: Failing | None = None

    def __attrs_post_init__(self) -> None:
        try:
            self.state = self.game.new_state(self.seed)
        except RuleError as error:
            self._fail_rule(error)
            return
        self._look()

    def decide(self, seat: int, text: str) -> bool:
        """Does an action if the seat can, or, where another one decides now, that one; whether it could be done."""
        assert self.state is not None
        deciding = self.state.deciding_seats()
        seat = seat if seat in deciding else deciding[0]
        action = next((option for option in self.state.legal_actions(seat) if str(option) == text), None)
        if action is None:
            return False
        self.decisions.append((seat, text))
        try:
            self.state.apply(action, seat)
        except RuleError as error:
            self._fail_rule(error)
            return True
        self._look()
        return True

    def end(self) -> None:
        """Works out the result of a game that is over."""
        if self.failing is not None or self.state is None or not self.state.is_over:
            return
        try:
            _ = self.state.winners, self.state.scores, self.state.returns
        except RuleError as error:
            self._fail_rule(error, "rule", "result ")

    def _look(self) -> None:
        if not self.invariants or self.state is None:
            return
        try:
            names = self.state.broken_invariants()
        except RuleError as error:
            self._fail_rule(error, "invariant")
            return
        if names:
            self._fail("invariant", names[0], broken(self.state)[0])

    def _fail_rule(self, error: RuleError, kind: str = "rule", part: str = "") -> None:
        span = error.spans[0] if error.spans else None
        where = f"{span.path}:{span.line}:{span.column}" if span is not None else ""
        self._fail(kind, part + where, str(error))

    def _fail(self, kind: str, where: str, message: str) -> None:
        self.failing = Failing(self.game, self.seed, tuple(self.decisions), kind, where, message)


# ---------------------------------------------------------------- searching


@define
class _Search:
    """Looks for shorter games that fail in the same way as the best one so far."""

    best: Failing
    deadline: float

    def in_time(self) -> bool:
        """Whether there is time left."""
        return monotonic() < self.deadline

    def try_out(self, decisions: Sequence[tuple[int, str]]) -> bool:
        """Plays decisions, leaving out what is not possible; keeps them where they fail too and are fewer."""
        best = self.best
        play = _Play(best.game, best.seed, best.kind == "invariant")
        for seat, text in decisions:
            if play.failing is not None or play.state is None or play.state.is_over or not self.in_time():
                break
            play.decide(seat, text)
        else:
            if best.kind != "endless":
                play.end()
        found = play.failing
        if best.kind == "endless":
            goes_on = play.failing is None and play.state is not None and self._goes_on(play.state)
            found = attrs.evolve(best, decisions=tuple(play.decisions)) if goes_on else None
        return self._take(found)

    def _take(self, found: Failing | None) -> bool:
        best = self.best
        same = found is not None and (found.kind, found.where) == (best.kind, best.where)
        if not same or found is None or len(found.decisions) >= len(best.decisions):
            return False
        self.best = found
        return True

    def _goes_on(self, state: State) -> bool:
        """Whether random bots do not bring the game to an end from here."""
        for number in range(_TRIES):
            going, chance = state.clone(), random.Random(number)
            for _ in range(_CONTINUED):
                seat = going.current_seat
                if seat is None or not self.in_time():
                    return False
                try:
                    going.apply(random_bot(going, seat, chance), seat)
                except RuleError:
                    return False
        return True

    def shortest_beginning(self) -> None:
        """Of a game without end, the shortest beginning after which it does not end."""
        least, most = 0, len(self.best.decisions)
        whole = self.best.decisions
        while least < most and self.in_time():
            middle = (least + most) // 2
            if self.try_out(whole[:middle]):
                most = middle
            else:
                least = middle + 1

    def other_games(self) -> None:
        """Games of random bots from the same seed, of which one may fail sooner."""
        if self.best.kind == "endless":
            return
        stop = monotonic() + (self.deadline - monotonic()) / 4
        for number in range(50):
            if monotonic() > stop or len(self.best.decisions) < 2:
                return
            play, chance = _Play(self.best.game, self.best.seed, self.best.kind == "invariant"), random.Random(number)
            while play.failing is None and play.state is not None and not play.state.is_over:
                if len(play.decisions) + 1 >= len(self.best.decisions) or monotonic() > stop:
                    break
                seat = play.state.current_seat
                assert seat is not None
                play.decide(seat, str(random_bot(play.state, seat, chance)))
            play.end()
            self._take(play.failing)

    def leave_out(self) -> None:
        """Leaves out stretches of decisions, long ones first, until no single one can be left out."""
        size = max(len(self.best.decisions) // 2, 1)
        while self.in_time() and self.best.decisions:
            shorter = any(self._without(size))
            if size == 1 and not shorter:
                return
            if not shorter:
                size = max(size // 2, 1)
            size = min(size, max(len(self.best.decisions), 1))

    def _without(self, size: int) -> Iterator[bool]:
        """Tries each stretch of a size, the last first; whether anything got shorter."""
        begin = len(self.best.decisions) - size
        while begin > -size and self.in_time():
            start = max(begin, 0)
            begin = start - size if start else -size
            decisions = self.best.decisions
            shorter = self.try_out(decisions[:start] + decisions[start + size :])
            if shorter:
                begin = min(begin, len(self.best.decisions) - size)
            yield shorter
