"""A game played in a terminal: people in turn at one keyboard, bots on the other seats.

Only `input` and printed lines, so it works in any terminal and from a file of commands. Everything
shown comes from the view, log and options of the seat at the keyboard.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from attrs import define, field
from rich.console import Console, RenderableType
from rich.text import Text

import interpreter
import rulespec
from interpreter.bots import Bot
from interpreter.cli import table, words
from interpreter.cli.labels import described, labelled, rows_called, seen_rows
from interpreter.cli.laid_maps import laid_maps
from interpreter.cli.names import seat_names
from interpreter.sight.views import shown_scores
from interpreter.texts import number

HELP = """\
  NUMBER         take the option of that number
  ACTION         take the option of that text, as it stands in brackets
  WORDS          list only the options with these words
  undo           take your last decision back, as far as the game allows
  why ACTION     why an action is or is not possible now
  rules          what the options on offer mean
  look [NAME]    what stands on a component, or on all that you see
  table, log     show the table again, all that has happened so far
  save FILE      keep the game        load FILE      go on with a kept one
  quit           stop"""

MANY = 40
"""More options than this are shown on demand."""


class Stopped(Exception):
    """The people at the keyboard have stopped."""


@define
class Session:
    """One game at the terminal.

    Attributes:
        match: the game being played.
        humans: the seats of the people at the keyboard.
        bots: a bot for each seat; those of people are not asked.
        console: where to draw.
    """

    match: interpreter.Match
    humans: frozenset[int]
    bots: Sequence[Bot]
    console: Console
    chance: random.Random
    at_keyboard: int | None = None
    seen: dict[int | None, int] = field(factory=dict)
    options: list[interpreter.Action] = field(factory=list)

    def play(self) -> None:
        """Plays to the end and shows the result.

        Raises:
            Stopped: somebody quit, or there is no more input.
            interpreter.RuleError: a rule could not be carried out.
        """
        while (seat := self.match.state.current_seat) is not None:
            if seat in self.humans:
                self._human(seat)
            else:
                self._bot(seat)
                if not self.humans:
                    self._news(None)
        self._news(self.at_keyboard)
        self.console.print()
        self.console.print(result(self.match))

    def _bot(self, seat: int) -> None:
        self.match.apply(self.bots[seat](self.match.state, seat, self.chance), seat)

    # ------------------------------------------------------------ people

    def _human(self, seat: int) -> None:
        """One decision of a person: commands until one of them changes the game."""
        if self.at_keyboard != seat and len(self.humans) > 1:
            self._pass_keyboard(seat)
            self.console.print()
        self.at_keyboard = seat
        self.options = self.match.state.legal_actions(seat)
        self._news(seat)
        self._draw()
        self._list(range(len(self.options)))
        while not self._obey(self._read("> ").strip(), seat):
            pass

    def _read(self, prompt: str) -> str:
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Stopped from None

    def _pass_keyboard(self, seat: int) -> None:
        name = seat_names(self.match.game)[seat]
        if self.console.is_terminal:
            self.console.clear()
            self.console.file.write("\x1b[3J")  # what has scrolled away, too
        self.console.rule()
        self._read(f"Pass the keyboard to {name}. Press Enter when {name} sits there alone. ")

    def _obey(self, line: str, seat: int) -> bool:
        """Does what a line says. Returns whether the position may have changed."""
        word, _, rest = line.partition(" ")
        command = self._COMMANDS.get(word.lower())
        if command is not None and self._exactly(line) is None:
            return command(self, rest.strip(), seat)
        if line:
            return self._take(line, seat)
        return False

    def _take(self, line: str, seat: int) -> bool:
        if line.isdigit():
            if not 1 <= int(line) <= len(self.options):
                self._say(f"There are options 1 to {len(self.options)}.")
                return False
            return self._apply(self.options[int(line) - 1], seat)
        action = self._exactly(line)
        if action is not None:
            return self._apply(action, seat)
        wanted = line.lower().split()
        found = [i for i, option in enumerate(self.options) if all(w in _searched(option) for w in wanted)]
        if found:
            self._list(found)
        else:
            self._say(f"No option is called `{line}`. `why {line}` tells why, `help` lists the commands.")
        return False

    def _exactly(self, line: str) -> interpreter.Action | None:
        same = [option for option in self.options if line in (str(option), option.label)]
        return same[0] if len(same) == 1 else None

    def _apply(self, action: interpreter.Action, seat: int) -> bool:
        self.match.apply(action, seat)
        return True

    # ------------------------------------------------------------ commands

    def _undo(self, _: str, seat: int) -> bool:
        try:
            self.match.undo(seat)
        except interpreter.UndoError as error:
            self._say(f"That can't be taken back: {error}")
            return False
        self.seen = {who: min(count, len(self.match.state.log(who))) for who, count in self.seen.items()}
        self._say("Taken back.")
        return True

    def _why(self, rest: str, seat: int) -> bool:
        if not rest:
            names = dict.fromkeys(option.name for option in self.options)
            self._say("why ACTION: an action's text, as it stands in brackets, or its name alone")
            self._say(f"Possible now: {', '.join(names)}.")
            return False
        asked = str(self.options[int(rest) - 1]) if rest.isdigit() and 0 < int(rest) <= len(self.options) else rest
        try:
            reasons = list(self.match.state.why_not(asked, seat))
        except ValueError as error:
            reasons = [str(error)]
        for reason in reasons or [f"`{asked}` is possible now."]:
            self._say(reason)
        return False

    def _rules(self, _: str, seat: int) -> bool:
        for name in dict.fromkeys(option.name for option in self.options):
            action = self.match.game.spec.actions.get(name)
            doc = " ".join(action.doc.split()) if action is not None else ""
            self._say(f"{words.heading(name)}: {doc or 'no description'}")
        return False

    def _look(self, rest: str, seat: int) -> bool:
        game = self.match.game
        rows = rows_called(game, rest) if rest else seen_rows(game, self.match.state.view(seat))
        for kind, row in rows:
            self._say(described(game, kind, row))
        if not rows:
            self._say(f"No component is called `{rest}`." if rest else "There is no component to be seen.")
        return False

    def _log(self, _: str, seat: int) -> bool:
        for line in self.match.state.log(seat):
            self._say(line)
        return False

    def _table(self, _: str, seat: int) -> bool:
        self._draw()
        self._list(range(len(self.options)), full=True)
        return False

    def _save(self, rest: str, seat: int) -> bool:
        if not rest:
            self._say("save FILE: the name of the file is missing")
            return False
        try:
            self.match.save(Path(rest))
        except OSError as error:
            self._say(f"The game could not be saved: {error}")
        else:
            self._say(f"Saved to {rest}.")
        return False

    def _load(self, rest: str, seat: int) -> bool:
        try:
            loaded = interpreter.Match.load(Path(rest))
        except (OSError, ValueError, rulespec.SpecError) as error:
            self._say(f"The game could not be loaded: {error}")
            return False
        if loaded.game.seats != self.match.game.seats:
            self._say(f"That game is for {words.number_of(loaded.game.seats, 'player')}; start it with --players.")
            return False
        self.match = loaded
        self.seen = {}
        self.at_keyboard = None
        self._say(f"Loaded {rest}.")
        return True

    def _help(self, _: str, seat: int) -> bool:
        self._say(HELP)
        return False

    def _quit(self, _: str, seat: int) -> bool:
        raise Stopped

    _COMMANDS: ClassVar[Mapping[str, Callable[[Session, str, int], bool]]] = {
        "undo": _undo,
        "why": _why,
        "rules": _rules,
        "look": _look,
        "log": _log,
        "table": _table,
        "save": _save,
        "load": _load,
        "help": _help,
        "?": _help,
        "quit": _quit,
        "exit": _quit,
    }

    # ------------------------------------------------------------ showing

    def _say(self, text: str) -> None:
        self.console.print(Text(text), soft_wrap=not self.console.is_terminal)

    def _news(self, seat: int | None) -> None:
        """The log lines since this seat last looked."""
        lines = self.match.state.log(seat)
        for line in lines[self.seen.get(seat, 0) :]:
            self._say(line)
        self.seen[seat] = len(lines)

    def _draw(self) -> None:
        self.console.print()
        self.console.print(drawn(self.match, self.at_keyboard, self.console.width))
        view = self.match.state.view(self.at_keyboard)
        prompt = view.get("prompt") or self._coming_between(view)
        if prompt:
            self.console.print(Text(f"\n{prompt}", style="bold"))
        self.console.print()

    def _coming_between(self, view: Mapping[str, Any]) -> str:
        """What is asked where the rules say nothing: somebody may act in the turn of another."""
        turn = view.get("turn")
        if turn is None or turn == self.at_keyboard or "pass" not in view.get("options", ()):
            return ""
        return f"You can act in {seat_names(self.match.game)[turn]}'s turn, or pass."

    def _list(self, numbers: Sequence[int], *, full: bool = False) -> None:
        shown = numbers if full else numbers[:MANY]
        for place in shown:
            option = self.options[place]
            line = Text(f"{place + 1:3}  {option.label}")
            if option.label != str(option):
                line.append(f"  [{option}]", style="dim")
            self.console.print(line)
        if len(shown) < len(numbers):
            self._say(f"     and {len(numbers) - len(shown)} more: words list those that have them, `table` lists all")


def _searched(option: interpreter.Action) -> str:
    return f"{option} {option.label}".lower()


def drawn(match: interpreter.Match, seat: int | None, width: int) -> RenderableType:
    """The table as a seat sees it, or a spectator, with maps of what lies on boards."""
    game, view = match.game, match.state.view(seat)
    laid = laid_maps(game, view, width)
    return table.draw(labelled(game, view), seat_names(game), width=width, laid=laid)


def result(match: interpreter.Match) -> Text:
    """Who won, and the scores of all."""
    state, names = match.state, seat_names(match.game)
    text = Text()
    winners = [names[seat] for seat in state.winners]
    if not winners:
        text.append("Nobody wins", style="bold")
    elif len(winners) == len(names) > 1:
        text.append("All share the win" if len(names) > 2 else "A draw", style="bold")
    else:
        text.append(f"{words.listed(winners)} {'wins' if len(winners) == 1 else 'win'}", style="bold")
    text.append(f": {state.outcome}." if state.outcome else ".")
    shown = shown_scores(state)
    if shown:
        scores = (f"{name} {number(score)}" for name, score in zip(names, shown, strict=True))
        text.append("  " + ", ".join(scores))
    return text
