"""Rules run with chance that is steered and watched: what `State.sample_world` plays a seat's past again with.

A `Course` stands in a position where its random streams stand. It gives the outcomes of one step's random events, and
after a step that went wrong, others. A `Watch` stands where notes are kept; it compares each event with what a seat
has seen and stops the step at the first that differs.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from interpreter.errors import Fault
from interpreter.runtime.notes import Note
from interpreter.sight.told import HIDDEN, Key, Keys
from interpreter.worlds.observed import Step

if TYPE_CHECKING:
    from interpreter.compile.module import Module
    from interpreter.sight.visibility import Sight

TRIES = 4
"""How many orders of a shuffle, or samples, are tried in one step before the outcome before it is changed."""


class Mismatch(Exception):
    """Something happens that the seat has not seen so; with the number of the component that it happens to, if any."""


def is_of_rules(problem: Exception, module: Module) -> bool:
    """Whether an exception is a fault of the rules: one that they raise, or raised in their own emitted code."""
    if isinstance(problem, Fault | RecursionError):
        return True
    *_, (innermost, _) = traceback.walk_tb(problem.__traceback__)
    return innermost.f_code.co_filename == module.filename


class Node:
    """One random event of a step: what has come of it, and what else may."""

    __slots__ = ("chosen", "more", "name")

    def __init__(self, name: str, chosen: Any, more: Callable[[Any], Any]) -> None:
        self.name, self.chosen, self.more = name, chosen, more


class Course(list[int]):
    """The chance of one step, in place of random streams.

    Args:
        chance: where outcomes come from.
        wanted: outcomes to try first, in order, as far as they are possible.
        order: gives the order of each shuffle: a function of its items.

    Attributes:
        about: the component with which the last run went wrong, if any.
        kept: whether a run has ended because a variable kept its value, though it may have changed after that.
    """

    def __init__(
        self,
        chance: random.Random,
        wanted: Sequence[tuple[str, Any]] = (),
        order: Callable[[int, Sequence[int]], Any] | None = None,
    ) -> None:
        super().__init__()
        self.chance = chance
        self.wanted = wanted
        self.order = order
        self.nodes: list[Node] = []
        self.place = 0
        self.shuffles = 0
        self.about: Any = None
        self.is_strict = True
        self.kept = False

    def again(self) -> None:
        """Begins anew, and does not take it for a mistake that a variable keeps its value; see `Expected.take`."""
        self.nodes.clear()
        self.is_strict = self.kept = False
        self.begin()

    def __getitem__(self, key: Any) -> Any:
        """Copies of a position share it."""
        return self

    def begin(self) -> None:
        """Before the step is run (again)."""
        self.place = self.shuffles = 0
        self.about = None

    def turn_back(self, about: Any = None) -> bool:
        """Whether a random event of the run that went wrong can have another outcome; it has it in the next.

        Args:
            about: the component with which it went wrong.
        """
        del self.nodes[self.place :]
        while self.nodes:
            node = self.nodes[-1]
            outcome = node.more(about)
            if outcome is not None:
                node.chosen = outcome[0]
                return True
            self.nodes.pop()
        return False

    def outcomes(self) -> list[tuple[str, Any]]:
        """What has come of each random event of the last run, with its kind, to be wanted again."""
        return [(node.name, node.chosen) for node in self.nodes[: self.place]]

    def _node(self, name: str, make: Callable[[Any], Node]) -> Any:
        if self.place == len(self.nodes):
            wanted = self.wanted[self.place][1] if self.place < len(self.wanted) else None
            self.nodes.append(make(wanted))
        node = self.nodes[self.place]
        self.place += 1
        return node.chosen

    # ------------------------------------------------------------ what `runtime.support` asks

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """An order of a stack."""
        number = self.shuffles
        self.shuffles += 1

        def order() -> list[int]:
            if self.order is not None:
                found: list[int] = self.order(number, items)
                return found
            return self.chance.sample(items, len(items))

        def make(wanted: Any) -> Node:
            fits = isinstance(wanted, list) and sorted(wanted) == sorted(items)
            return Node("shuffle", wanted if fits else order(), _tried(order))

        return list(self._node("shuffle", make))

    def one_of(self, items: Sequence[Any]) -> tuple[Any, ...]:
        """One of some items."""
        return self.weighted([(1, item) for item in items])

    def weighted(self, pairs: Sequence[tuple[Any, Any]]) -> tuple[Any, ...]:
        """One of some items by weight."""

        def make(wanted: Any) -> Node:
            left = [(Fraction(weight), item) for weight, item in pairs if weight > 0]

            def more() -> Any:
                if not left:
                    return None
                point = self.chance.random() * float(sum(weight for weight, _ in left))
                for place, (weight, _) in enumerate(left):  # noqa: B007
                    point -= float(weight)
                    if point < 0:
                        break
                return (left.pop(place)[1],)

            for place, (_, item) in enumerate(left):
                if wanted is not None and [item] == wanted:
                    left.insert(0, left.pop(place))
                    return Node("one", [left.pop(0)[1]], _listed(more))
            return Node("one", _listed(more)(None)[0], _listed(more))

        return tuple(self._node("one", make))

    def sample(self, items: Sequence[Any], amount: int) -> list[Any]:
        """Some of the items, in their order."""
        pinned: set[Any] = set()
        left = TRIES + len(items)

        def some() -> list[Any]:
            return [items[place] for place in sorted(self.chance.sample(range(len(items)), amount))]

        def more(about: Any) -> Any:
            # What goes wrong with one item mostly comes of its being among them, or not.
            nonlocal left
            left -= 1
            if left < 0:
                return None
            if about not in items or about in pinned:
                return None if pinned else (some(),)
            pinned.add(about)
            chosen = set(node.chosen)
            others = [item for item in items if item not in pinned and (item in chosen) != (about in chosen)]
            if not others:
                return None
            chosen ^= {about, self.chance.choice(others)}
            return ([item for item in items if item in chosen],)

        def make(wanted: Any) -> Node:
            fits = isinstance(wanted, list) and len(wanted) == amount and all(item in items for item in wanted)
            return Node("some", wanted if fits else some(), more)

        found = self._node("some", make)
        node = self.nodes[self.place - 1]
        return list(found)


def _tried(outcome: Callable[[], Any]) -> Callable[[Any], Any]:
    """Further outcomes, a few times."""
    left = TRIES

    def more(about: Any) -> Any:
        nonlocal left
        left -= 1
        return (outcome(),) if left > 0 else None

    return more


def _listed(more: Callable[[], Any]) -> Callable[[Any], Any]:
    def listed(about: Any) -> Any:
        found = more()
        return None if found is None else ([found[0]],)

    return listed


class Watch:
    """The notes of a step, compared with what was seen as they come.

    Args:
        sight: the game's.
        take: called with each note; raises `Mismatch` where it cannot be.
    """

    __slots__ = ("notes", "sight", "take", "tops")

    def __init__(self, sight: Sight, tops: tuple[int | None, ...], take: Callable[[Note], None]) -> None:
        self.sight, self.tops, self.take = sight, tops, take
        self.notes: list[Note] = []

    def add(self, note: Note) -> None:
        """One note more."""
        self.tops = note.tops
        self.take(note)
        self.notes.append(note)


class Expected:
    """The events of one step as they should come, to notice early where they do not."""

    __slots__ = ("course", "done", "keys", "later", "often", "old", "values", "wanted")

    def __init__(
        self, keys: Keys, old: dict[str, list[Any]], later: dict[Key, Any], step: Step, course: Course
    ) -> None:
        self.keys, self.old, self.later, self.course = keys, old, later, course
        self.often = step.often
        self.values: dict[Key, Any] = {}
        self.wanted = None
        if step.keys is not None:
            self.wanted = [
                key for key in step.keys if key[0] != "over" and not (key[0] == "set" and key[1:3] in step.often)
            ]
        self.done = 0

    def is_whole(self) -> bool:
        """Whether all events have come."""
        return self.wanted is None or self.done == len(self.wanted)

    def take(self, note: Note) -> None:
        """An event has come.

        Raises:
            Mismatch: the seat has seen something else.
        """
        entry = note.entry
        if entry[0] == "set":
            _, name, index, value = entry
            here = (name, index)
            old = self.values[here] if here in self.values else self.old[name][index]
            self.values[here] = value
            if self.wanted is None:
                return
            if not note.seen & self.keys.bit:
                known = self.later.get((name, self.keys.entry(name, index)), HIDDEN)
                if known is not HIDDEN and known != self.keys.value(name, value):
                    raise Mismatch
                return
            if self.often and (name, self.keys.entry(name, index)) in self.often:
                return
            if value == old:
                # Mostly the change that the seat sees next; only rules that set a variable twice may still bring it.
                awaited = self.wanted[self.done] if self.done < len(self.wanted) else ()
                if self.course.is_strict and awaited[:3] == ("set", name, self.keys.entry(name, index)):
                    self.course.kept = True
                    raise Mismatch
                return
        elif entry[0] == "reset":
            name = entry[1]
            for index, value in enumerate(self.keys.start(name)):
                self.values[name, index] = value
            return
        if self.wanted is None:
            return
        key = self.keys.event(note)
        if key is None:
            return
        if self.done == len(self.wanted) or self.wanted[self.done] != key:
            raise Mismatch(entry[2] if entry[0] in ("move", "turn") else None)
        self.done += 1


__all__ = ["Course", "Expected", "Mismatch", "Node", "Watch", "is_of_rules"]
