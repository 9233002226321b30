"""Spoils game files in small ways: each must be refused with messages, or play with nothing worse than a `RuleError`.

    python tests/fuzz/specs.py --seed 1 --count 1000

A case depends on its number alone. What breaks is printed with its number and the lines that were changed.
"""

from __future__ import annotations

import argparse
import difflib
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path

from attrs import define, field, frozen

import rulespec
from interpreter import CHANCE, Game, RuleError, State
from interpreter.errors import Fault
from interpreter.runtime.play import OutOfRange, Stuck
from interpreter.testing import check_clone, check_decision, check_refusal, check_save, random_decision

ROOT = Path(__file__).parents[2]
FOLDERS = ["games", "tests/sketches", "tests/conformance/games"]
SECONDS = 10.0
GAMES = 5
CLOSELY = 5
"""Of so many first and last games of a spec ten times as many positions are cloned and saved as of the others."""
DECISIONS = 60
ENOUGH = 2.0
"""Seconds after which a game is left, however far it is."""

FAULTS = (Fault, OutOfRange, Stuck, RecursionError, ZeroDivisionError)
"""What a `RuleError` comes from where the spec is to blame. Anything else is a mistake of the engine."""

WORD = re.compile(r"[A-Za-z_]\w*")
TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|\.\.|[=!<>]=|[-+*/<>=.,:()\[\]{}|]")
NUMBER = re.compile(r"(?<![\w.])\d+(?!\w)")
OPERATORS = ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "in", "not in", "and", "or", "mod", "within", ".."]
OPERATOR = re.compile(r"(?<= )(==|!=|<=|>=|<|>|\+|-|\*|/|in|not in|and|or|mod|within|otherwise|if|else)(?= )|\.\.")
NUMBERS = ["0", "1", "2", "3", "-1", "99", "1/2", "1000", "seats", "2..1", "none"]
TYPES = [
    "bool",
    "player",
    "0..3",
    "0..",
    "-2..2 by 1/2",
    "optional player",
    "direction",
    "RowEnd",
    "text",
    "set of player",
]
TYPE = re.compile(r"(?<=type: )[^,}\n]+")
PARTS = re.compile(r"\([^()\n]*\)|\[[^\[\]\n]*\]|\{[^{}\n]*\}")
VALUES = [
    "none", "[]", "me", "turn_player", "players", "true", "first_player", "usual", "box", "seats", "next(me)", "1 / 0",
    "first(players)", "count(players)", "others(first_player)", "1 if seats > 2 else 2", "(none otherwise 1)",
]  # fmt: skip
EFFECTS = [
    "nothing", "usual", "return", "end game", "draw", "win first_player", "lose first_player", 'say "{seats}"',
    "choose zz in 1..3 by first_player: nothing", "choose zz in players by chance: nothing", "repeat 2 times: usual",
    "window players from first_player: pass", "ask first_player: pass", "ask first_player repeatedly: pass",
    "choose up to 2 zz in 1..4 by chance: nothing", "while seats > 1: nothing", "for zz in players: nothing",
    "for zz in players, together: nothing", "if seats > 2: nothing",
]  # fmt: skip


class TooLong(BaseException):
    """The time is over. Not an `Exception`, which the engine would take for a fault of the rules."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Leaves what takes more time of the processor, where the system can."""
    began = time.process_time()

    def over(*_: object) -> None:
        raise TooLong(f"more than {seconds:g} s")

    can = hasattr(signal, "SIGPROF")
    before = signal.signal(signal.SIGPROF, over) if can else None
    if can:
        signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        if can:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, before)
    if time.process_time() - began > seconds:
        raise TooLong(f"more than {seconds:g} s")


# ---------------------------------------------------------------- spoiling a text

Change = Callable[[list[str], random.Random, "Corpus"], None]


def spoiled(text: str, chance: random.Random, corpus: Corpus) -> str:
    """A text with one to three changes."""
    lines = text.split("\n")
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        changes, weights = zip(*CHANGES, strict=True)
        chance.choices(changes, weights)[0](lines, chance, corpus)
    return "\n".join(lines)


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def block(lines: list[str], chance: random.Random) -> tuple[int, int]:
    """A line with all that is indented below it."""
    begin = chance.randrange(len(lines))
    end = begin + 1
    while end < len(lines) and (not lines[end].strip() or indent(lines[end]) > indent(lines[begin])):
        end += 1
    return begin, end


def replace(lines: list[str], chance: random.Random, what: re.Pattern[str], by: Callable[[str], str]) -> None:
    """Replaces one place that matches, in a line drawn among those that have one."""
    found = [i for i, line in enumerate(lines) if what.search(line) and not line.lstrip().startswith(("doc:", "#"))]
    if found:
        i = chance.choice(found)
        match = chance.choice(list(what.finditer(lines[i])))
        lines[i] = lines[i][: match.start()] + by(match.group()) + lines[i][match.end() :]


def drop_line(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    del lines[chance.randrange(len(lines))]
    lines.extend([""] if not lines else [])


def drop_block(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    begin, end = block(lines, chance)
    del lines[begin:end]
    lines.extend([""] if not lines else [])


def double_block(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    begin, end = block(lines, chance)
    lines[end:end] = lines[begin:end]


def move_block(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    begin, end = block(lines, chance)
    taken, lines[begin:end] = lines[begin:end], []
    same = [i for i, line in enumerate(lines) if indent(line) == indent(taken[0])] or [0]
    at = chance.choice(same)
    lines[at:at] = taken


def drop_word(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    replace(lines, chance, TOKEN, lambda _: "")


def other_word(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    words = WORD.findall("\n".join(lines)) or ["x"]
    replace(lines, chance, WORD, lambda _: chance.choice(words))


def rename(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    """One word everywhere."""
    words = sorted(set(WORD.findall("\n".join(lines)))) or ["x"]
    old, new = chance.choice(words), chance.choice([*words, "class", "S", "take", "_", "é", "__init__", "x1"])
    lines[:] = [re.sub(rf"\b{old}\b", new, line) for line in lines]


def other_operator(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    replace(lines, chance, OPERATOR, lambda _: chance.choice(OPERATORS))


def other_number(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    replace(lines, chance, NUMBER, lambda old: chance.choice([*NUMBERS, str(int(old) + 1), str(int(old) - 1)]))


def other_type(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    replace(lines, chance, TYPE, lambda _: chance.choice(TYPES))


def other_part(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    """What stands in brackets, for what stands so elsewhere."""
    parts = PARTS.findall("\n".join(lines)) or ["()"]
    replace(lines, chance, PARTS, lambda _: chance.choice(parts))


def other_value(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    replace(lines, chance, re.compile(rf"(?<=[ (\[]){WORD.pattern}"), lambda _: chance.choice(VALUES))


def other_line(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    """A line of another file of about the same place."""
    i = chance.randrange(len(lines))
    lines[i:i] = [chance.choice(corpus.lines.get(indent(lines[i]), [""]))]


def effect(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    """One more effect, where effects stand."""
    found = [
        i for i, line in enumerate(lines) if re.match(r"\s+(move|let|if|for|draw|\w+(\[.*\])? (\+=|-=|=)) ?", line)
    ]
    if found:
        i = chance.choice(found)
        lines.insert(i + chance.randrange(2), " " * indent(lines[i]) + chance.choice(EFFECTS))


def other_letter(lines: list[str], chance: random.Random, corpus: Corpus) -> None:
    i = chance.randrange(len(lines))
    at = chance.randrange(len(lines[i]) + 1)
    lines[i] = (
        lines[i][:at]
        + chance.choice(["", " ", ":", "'", '"', "\t", "{", "[", "#", "é", "½", "0", "|"])
        + (lines[i][at + chance.randrange(2) :])
    )


CHANGES: list[tuple[Change, int]] = [
    (drop_line, 2), (drop_block, 3), (double_block, 1), (move_block, 2), (drop_word, 2), (other_word, 4), (rename, 2),
    (other_operator, 6), (other_number, 7), (other_type, 3), (other_part, 4), (other_value, 4), (other_line, 2),
    (effect, 5), (other_letter, 1),
]  # fmt: skip


# ---------------------------------------------------------------- files


@define(slots=False)
class Corpus:
    """The files that are spoiled, as they are, and a copy of them to write to.

    Attributes:
        copy: a folder like the repository's, with the folders of games.
        roots: games that can be played as they are, from `copy`.
        largest: files of more bytes are left out.
    """

    copy: Path
    largest: int = 1_000_000
    roots: list[str] = field(factory=list)
    _beside: dict[str, list[str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        for folder in FOLDERS:
            shutil.copytree(ROOT / folder, self.copy / folder, dirs_exist_ok=True)
        for path in sorted(p for folder in FOLDERS for p in (self.copy / folder).rglob("*.yaml")):
            small = path.stat().st_size <= self.largest
            if small and "scenarios" not in path.parts and not any(d.severity == "error" for d in rulespec.check(path)):
                self.roots.append(str(path.relative_to(self.copy)))

    @cached_property
    def lines(self) -> dict[int, list[str]]:
        """Lines of all files by their indentation."""
        found: dict[int, list[str]] = {}
        for root in self.roots:
            for line in (self.copy / root).read_text(encoding="utf-8").split("\n"):
                found.setdefault(indent(line), []).append(line)
        return found

    @cached_property
    def weights(self) -> list[float]:
        """How often each game is drawn: the larger, the rarer."""
        return [(self.copy / root).stat().st_size ** -0.5 for root in self.roots]

    def beside(self, root: str) -> list[str]:
        """The files that a game is read from."""
        if root not in self._beside:
            files = rulespec.load(self.copy / root).source.files
            self._beside[root] = [str(Path(name).resolve().relative_to(self.copy)) for name in files]
        return self._beside[root]


@frozen
class Outcome:
    """What came of a case: `kind` is "refused", "played" or "broken"; `about` says what broke, or is empty."""

    kind: str
    about: str = ""
    change: str = ""


def case(number: int, corpus: Corpus) -> Outcome:
    """One spoiled game."""
    chance = random.Random(number)
    (root,) = chance.choices(corpus.roots, corpus.weights)
    names = corpus.beside(root) if chance.random() < 0.3 else [root]
    path = corpus.copy / chance.choice(names)
    before = path.read_bytes()
    old = before.decode("utf-8")
    new = spoiled(old, chance, corpus)
    try:
        path.write_bytes(new.encode("utf-8"))
        kind, about = judged(corpus.copy / root, chance)
    finally:
        path.write_bytes(before)
    if kind != "broken":
        return Outcome(kind)
    change = "\n".join(difflib.unified_diff(old.split("\n"), new.split("\n"), str(path), root, n=0, lineterm=""))
    return Outcome(kind, about, change)


def judged(path: Path, chance: random.Random, games: int = GAMES) -> tuple[str, str]:
    """Checks and plays a game file: so many games, the last two of them with open service and explicit chance."""
    doing = "check"
    try:
        with within(SECONDS):
            found = rulespec.check(path)
            lost = [d.message for d in found if not d.span.path or d.span.line < 1]
            if lost:
                return "broken", f"check: a message without a place: {lost}"
            if any(d.severity == "error" for d in found):
                return "refused", ""
            doing = "load"
            spec = rulespec.load(path)
        with within(SECONDS):
            doing = "compile"
            least, most = spec.source.seats
            game = Game(spec, chance.choice((least, max(least, min(most, 6)))))
        doing = "play"
        ways = [("seeded", "asked")] * (games - 2) + [("seeded", "open"), ("explicit", "asked")]
        for seed, (luck, service) in enumerate(ways):
            closely = 1.0 if min(seed, len(ways) - 1 - seed) < CLOSELY else 0.1
            problem = played(game, seed, luck, service, chance, closely)
            if problem:
                return "broken", problem
    except RuleError as fault:  # in the set-up
        problem = blamed(fault)
        return ("broken", problem) if problem else ("played", "")
    except (Exception, TooLong) as error:
        return "broken", f"{doing}: {type(error).__name__}: {error}\n{_where(error)}"
    return "played", ""


def played(game: Game, seed: int, luck: str, service: str, chance: random.Random, closely: float) -> str:
    """What went wrong in a random game, or ""."""
    began = time.process_time()
    with within(SECONDS):
        state = game.new_state(seed, luck, service)
    try:
        for _ in range(DECISIONS):
            with within(SECONDS):
                if not decided(state, luck, chance, closely):
                    break
            if time.process_time() - began > ENOUGH:
                break
        if chance.random() < 0.5 * closely and luck == "seeded":
            state.log(seed % game.seats)
        assert len(state.returns) == game.seats
    except RuleError as fault:
        return blamed(fault)
    except AssertionError as error:
        if re.match(r"broken invariants|the invariant ", str(error)):
            return ""
        raise
    return ""


def decided(state: State, luck: str, chance: random.Random, closely: float) -> bool:
    """One decision of a random game, with what must hold there; False at the end."""
    if state.current_seat == CHANCE:
        outcomes = state.chance_outcomes()
        assert sum(odds for _, odds in outcomes) == 1
        state.apply(chance.choice(outcomes)[0])
        return True
    check_decision(state)
    if chance.random() < 0.05 * closely:
        check_clone(state)
        check_refusal(state)
        if luck == "seeded":
            check_save(state, chance)
    if state.is_over:
        return False
    seat, action = random_decision(state, chance)
    state.apply(action, seat)
    return True


def blamed(fault: RuleError) -> str:
    """What speaks against a fault of the rules: a mistake of the engine behind it, or no place in the file."""
    if not isinstance(fault.__cause__, FAULTS):
        return f"play: {type(fault.__cause__).__name__} as a fault: {fault}\n{_where(fault.__cause__)}"
    if not fault.spans:
        return f"play: a fault without a place: {fault}"
    return ""


def _where(error: BaseException | None) -> str:
    return "".join(traceback.format_exception(error)[-6:]) if error is not None else ""


def told(done: int, counts: Counter[str]) -> None:
    """Says now and then how far a long run is."""
    if done % 500 == 0:
        print(f"{done:,} cases: {dict(counts)}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first case")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e9)
    given = parser.parse_args()
    warnings.simplefilter("error")
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        corpus = Corpus(Path(folder).resolve())
        for number in range(given.seed, given.seed + given.count):
            outcome = case(number, corpus)
            counts[outcome.kind] += 1
            if outcome.kind == "broken":
                print(f"==== case {number}\n{outcome.change}\n{outcome.about}", flush=True)
            told(number + 1 - given.seed, counts)
            if time.monotonic() - began > given.minutes * 60:
                break
    print(dict(counts), f"{time.monotonic() - began:.0f} s")
    sys.exit(counts["broken"] > 0)


if __name__ == "__main__":
    main()
