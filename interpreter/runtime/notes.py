"""What emitted code notes for the log, with who sees it.

A position's `log` is a linked list, the last note first, so that a fork or clone adds to its own end only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from interpreter.sight.visibility import Sight


class Note(NamedTuple):
    """One event.

    entry: as emitted code gives it, the kind first:
        move (kind, component, source, target), set (variable, index, value), reset (variable), shuffle (zone),
        turn (kind, component, face), chance (values), say (text), reveal (kind, components, who),
        show (variable, index, value, who), turn of (seat), phase (name); zones by instance number.
    seen: who sees all of it. aware: who sees that it happens. new: who sees something that it did not see before.
    detail: of a move, how many are left where it came from, and whether it lies at the end, at the start or inside
        where it came to (1, 0, -1), its face and its spot, or None; of a reveal, where the components lie; of a
        shuffle, the stack.
    branch: while seats decide together the one that did it, and the position when they began; else None.
    tops: the tops of the zones whose top somebody sees, after it.
    """

    before: Note | None
    entry: tuple[Any, ...]
    seen: int
    aware: int
    new: int
    detail: Any
    branch: tuple[int, Any] | None
    tops: tuple[int | None, ...]


def tops_of(sight: Sight, S: Any) -> tuple[int | None, ...]:
    """The top components of the zones whose top somebody sees without the rest."""
    return tuple((S.z[number] or (None,))[-1] for number in sight.topped)


def noter(sight: Sight) -> Callable[[Any, tuple[Any, ...]], None]:
    """The function `note(S, entry)` of a module; it notes where a log has been begun, and nothing in what-if."""

    def note(S: Any, entry: tuple[Any, ...]) -> None:
        if getattr(S, "log", None) is None:
            return
        tops = tops_of(sight, S) if sight.topped else ()
        branch = None
        if S.main is not None and S.stack is not S.main and S.stack:
            branch = (S.stack[0][2], S.before)
        seen, aware, new, detail = _who(sight, S, entry, tops)
        log = S.log
        if log.__class__ is Note:
            S.log = Note(log, entry, seen, aware, new, detail, branch, tops)
        else:  # a watch, see `interpreter.worlds.steering`
            log.add(Note(None, entry, seen, aware, new, detail, branch, tops))

    return note


def _who(sight: Sight, S: Any, entry: tuple[Any, ...], tops: tuple[int | None, ...]) -> tuple[int, int, int, Any]:
    """seen, aware, new and detail of an event that has just happened."""
    everyone = sight.everyone
    match entry:
        case ("move", kind, component, source, target):
            old = S.log.tops
            was = sight.contents[source] | _top(sight, source, component, old)
            now = sight.contents[target] | _top(sight, target, component, tops)
            new = now & ~was
            for n, number in enumerate(sight.topped):
                # What lies under a card that was taken from the top shows, too.
                if old and tops[n] is not None and tops[n] != old[n] and tops[n] != component:
                    new |= sight.tops[number] & ~sight.contents[number]
            aware = was | now | sight.counts[source] | sight.counts[target]
            cards = S.z[target]
            end = 1 if cards[-1] == component else 0 if cards[0] == component else -1
            face, spot = (None if of is None else of[component] for of in _laid(S, kind))
            return was | now, aware, new, (len(S.z[source]), end, face, spot)
        case ("set", variable, index, _):
            seen = sight.entry(S, variable, index)
            return seen, seen, 0, None
        case ("shuffle", zone):
            aware = sight.counts[zone] | sight.contents[zone]
            return aware, aware, 0, S.z[zone]
        case ("turn", kind, component, _):
            seen = sight.component(S, kind, component)
            return seen, seen, 0, None
        case ("reveal", kind, components, who):
            to = everyone if who is None else 1 << who
            masks = [sight.component(S, kind, c) for c in components]
            new = 0
            for mask in masks:
                new |= to & ~mask
            loc = getattr(S, f"loc_{kind}")
            return to, everyone, new, tuple(loc[c] for c in components)
        case ("show", variable, index, _, who):
            to = everyone if who is None else 1 << who
            return to, everyone, to & ~sight.entry(S, variable, index), None
        case ("chance", _) | ("reset", _):
            return 0, 0, 0, None
    return everyone, everyone, 0, None


def _laid(S: Any, kind: str) -> tuple[list[int] | None, list[int] | None]:
    """The faces and the spots of the components of a kind, where they have any."""
    return getattr(S, f"face_{kind}", None), getattr(S, f"spot_{kind}", None)


def _top(sight: Sight, number: int, component: int, tops: tuple[int | None, ...]) -> int:
    """Who sees a component as the top of a zone."""
    if tops and number in sight.topped and tops[sight.topped.index(number)] == component:
        return sight.tops[number]
    return 0
