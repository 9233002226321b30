"""Small functions that emitted code calls by name. Their names are part of the emitted language."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import chain
from math import factorial, lcm
from operator import itemgetter
from typing import Any

from interpreter.errors import Fault

MASK = (1 << 64) - 1


# ---------------------------------------------------------------- numbers


LARGEST = 10**15
"""The largest number, and the largest denominator, that rules may come to."""
MOST_NUMBERS = 100_000
"""How many numbers a range may have where it is gone through."""


def limited(number: Any) -> Any:
    """A number that may grow without end, if it is not too large."""
    if -LARGEST <= number <= LARGEST and number.denominator <= LARGEST:
        return number
    raise Fault(f"this number is beyond {LARGEST:,}, the largest that rules may come to")


def product(left: Any, right: Any) -> Any:
    """A product that may be too large."""
    return limited(left * right)


def spread(first: int, last: int) -> range:
    """The numbers from one to another; backwards there are none."""
    if last - first < MOST_NUMBERS:
        return range(first, last + 1)
    raise Fault(f"this goes through {last - first + 1:,} numbers, more than {MOST_NUMBERS:,}")


def spread_down(first: int, last: int) -> range:
    """The numbers from one down to another."""
    return spread(last, first)[::-1]


def div(a: Any, b: Any) -> Any:
    """Exact division; a whole result is an int."""
    if b == 0:
        raise Fault("division by zero")
    result = Fraction(a) / b
    return result.numerator if result.denominator == 1 else result


def mod(a: Any, b: Any) -> Any:
    """Remainder with the sign of the divisor."""
    if b == 0:
        raise Fault("division by zero")
    return a % b


def floor(a: Any) -> int:
    """The greatest whole number that is not above `a`."""
    return int(a // 1)


def norm(a: Any) -> Any:
    """A number in its normal form: int where it is whole."""
    return a.numerator if isinstance(a, Fraction) and a.denominator == 1 else a


# ---------------------------------------------------------------- lists and sets


def some(value: Any) -> tuple[Any, ...]:
    """An optional value as a collection of none or one."""
    return () if value is None else (value,)


def otherwise(value: Any, default: Callable[[], Any]) -> Any:
    """The value, or a default where it is none."""
    return default() if value is None else value


def zone_index(number: int, base: int, count: int, low: int) -> int | None:
    """The index of an instance within its zone, none for an instance of another zone."""
    return number - base + low if base <= number < base + count else None


def turn_from(seat: int, among: Sequence[int], step: int, seats: int) -> int:
    """The first of some seats in turn order from a seat on."""
    while seat not in among:
        seat = (seat + step) % seats
    return seat


def unique(items: Iterable[Any]) -> list[Any]:
    """The items without doubles, in the order met."""
    return list(dict.fromkeys(items))


def joined(*lists: Iterable[Any]) -> list[Any]:
    """`a + b + ...` without doubles."""
    return list(dict.fromkeys(chain.from_iterable(lists)))


def without(a: Iterable[Any], b: Sequence[Any]) -> list[Any]:
    """The items of `a` that are not in `b`."""
    return [x for x in a if x not in b]


def contains_all(a: Sequence[Any], b: Iterable[Any]) -> bool:
    """Whether every item of `b` is in `a`."""
    return all(x in a for x in b)


def last_of(items: Sequence[Any]) -> Any:
    """The last item, or none."""
    return items[-1] if items else None


def first_of(items: Sequence[Any]) -> Any:
    """The first item, or none."""
    return items[0] if items else None


def nth(items: Sequence[Any], i: int) -> Any:
    """The item at place `i` from 0, or none."""
    return items[i] if 0 <= i < len(items) else None


def most(pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
    """Of (value, item) pairs the items of the highest value."""
    best = None
    found: list[Any] = []
    for value, item in pairs:
        if not found or value > best:
            best, found = value, [item]
        elif value == best:
            found.append(item)
    return found if len(found) < 2 else unique(found)


def least(pairs: Sequence[tuple[Any, Any]]) -> list[Any]:
    """Of (value, item) pairs the items of the lowest value."""
    best = None
    found: list[Any] = []
    for value, item in pairs:
        if not found or value < best:
            best, found = value, [item]
        elif value == best:
            found.append(item)
    return found if len(found) < 2 else unique(found)


def ordered(pairs: Iterable[tuple[Any, Any]], highest: bool) -> list[Any]:
    """Of (key, item) pairs the items sorted by key, equal keys in the order met."""
    return [x for _, x in sorted(pairs, key=lambda pair: pair[0], reverse=highest)]


def until(items: Iterable[Any], stop: Callable[[Any], Any]) -> list[Any]:
    """The items up to the first for which `stop` holds, that one included."""
    kept = []
    for item in items:
        kept.append(item)
        if stop(item):
            break
    return kept


def bits(mask: int, low: int = 0) -> list[int]:
    """The values of a set, in order."""
    values = []
    while mask:
        bit = mask & -mask
        values.append(bit.bit_length() - 1 + low)
        mask ^= bit
    return values


def set_of(items: Iterable[int], low: int = 0) -> int:
    """A list as a set."""
    mask = 0
    for item in items:
        mask |= 1 << (item - low)
    return mask


Looks = Sequence[tuple[Sequence[int], Sequence[tuple[str, int]]] | None]
"""By parameter None, or the first copy of each component and the lists that can tell copies apart."""


def look(S: Any, key: Sequence[Any], looks: Looks) -> tuple[Any, ...]:
    """What tells the arguments of an option from those of others: look-alike copies are the same.

    The same copy twice is not the same as two copies.
    """
    seen: list[Any] = []
    for place, (value, kind) in enumerate(zip(key, looks, strict=True)):
        if kind is None or value is None:
            seen.append(value)
        else:
            first, lists = kind
            told = tuple(tuple(getattr(S, name)[value * size : (value + 1) * size]) for name, size in lists)
            same = [n for n, other in enumerate(looks[:place]) if other and other[0] is first and key[n] == value]
            seen.append((first[value], told, *same[:1]))
    return tuple(seen)


def distinct(S: Any, options: Iterable[Any], looks: Looks) -> list[Any]:
    """Of options that look alike only the first."""
    found: dict[tuple[Any, ...], Any] = {}
    for option in options:
        found.setdefault(look(S, option.key, looks), option)
    return list(found.values())


def neighbour(row: Sequence[int], component: int | None, offset: int) -> int | None:
    """The component beside another in a row, or none."""
    if component is None or component not in row:
        return None
    place = row.index(component) + offset
    return row[place] if 0 <= place < len(row) else None


# ---------------------------------------------------------------- ways


def reached(start: Any, steps: Callable[[Any], Iterable[Any]]) -> list[Any]:
    """All places that can be reached from `start`, itself first, in the order found."""
    found = {start: None}
    queue = [start]
    for place in queue:
        for following in steps(place):
            if following not in found:
                found[following] = None
                queue.append(following)
    return queue


def distance(start: Any, steps: Callable[[Any], Iterable[Any]], goal: Callable[[Any], Any]) -> int | None:
    """The least number of steps from `start` to a goal, or none."""
    seen = {start}
    ring, count = [start], 0
    while ring:
        following = []
        for place in ring:
            if goal(place):
                return count
            for step in steps(place):
                if step not in seen:
                    seen.add(step)
                    following.append(step)
        ring, count = following, count + 1
    return None


def next_steps(start: Any, steps: Callable[[Any], Iterable[Any]], goal: Callable[[Any], Any]) -> list[Any]:
    """The first steps of all shortest ways from `start` to a goal; none when there is no way or it is one."""
    if goal(start):
        return []
    first = unique(steps(start))
    reach = {place: 1 << i for i, place in enumerate(first)}
    ring = dict(reach)
    seen = {start, *first}
    while ring:
        hits = 0
        for place, origin in ring.items():
            if goal(place):
                hits |= origin
        if hits:
            return [place for i, place in enumerate(first) if hits >> i & 1]
        following: dict[Any, int] = {}
        for place, origin in ring.items():
            for step in steps(place):
                if step not in seen:
                    following[step] = following.get(step, 0) | origin
        seen.update(following)
        ring = following
    return []


# ---------------------------------------------------------------- chance


def random_bits(rng: list[int], stream: int) -> int:
    """The next 64 bits of one stream (SplitMix64)."""
    x = rng[stream] = (rng[stream] + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def below(rng: list[int], stream: int, n: int) -> int:
    """A random number from 0 to n - 1 from one stream (the bias is under n / 2**64)."""
    return (random_bits(rng, stream) * n) >> 64


def shuffled(rng: list[int], stream: int, items: Sequence[Any]) -> list[Any]:
    """The items in a random order. One 64-bit number serves several swaps while enough of it is left."""
    if rng.__class__ is not list:  # chance that is steered, see `interpreter.worlds.steering`
        return rng.shuffled(items)  # type: ignore[attr-defined,no-any-return]
    count = len(items)
    if 1 < count <= MOST_ORDERS:
        orders = _orders(count)
        return list(orders[random_bits(rng, stream) % len(orders)](items))
    items = list(items)
    for numbers in _swaps(count):
        pool = random_bits(rng, stream)
        for n in numbers:
            j = pool % n
            pool //= n
            items[n - 1], items[j] = items[j], items[n - 1]
    return items


@cache
def _swaps(count: int) -> tuple[tuple[int, ...], ...]:
    """For so many items, of how many the last one changes places with one, by the 64-bit number that serves for it."""
    groups: list[list[int]] = []
    size = 1
    for n in range(count, 1, -1):
        if size < n << 32:
            groups.append([])
            size = MASK + 1
        size //= n
        groups[-1].append(n)
    return tuple(map(tuple, groups))


MOST_ORDERS = 6
"""Of how many items all orders are kept."""


@cache
def _orders(count: int) -> tuple[Callable[[Sequence[Any]], tuple[Any, ...]], ...]:
    """What gives so many items in the order that each 64-bit number makes of them, by its remainder."""
    orders = []
    for number in range(factorial(count)):
        places = list(range(count))
        for i in range(count - 1, 0, -1):
            number, j = divmod(number, i + 1)
            places[i], places[j] = places[j], places[i]
        orders.append(itemgetter(*places))
    return tuple(orders)


def one_of(rng: list[int], stream: int, items: Sequence[Any]) -> Sequence[Any]:
    """One of the items at random, as a list of none or one."""
    if not items:
        return ()
    if rng.__class__ is not list:
        return rng.one_of(items)  # type: ignore[attr-defined,no-any-return]
    return (items[below(rng, stream, len(items))],)


def sample(rng: list[int], stream: int, items: Sequence[Any], amount: int | None) -> list[Any]:
    """Some of the items at random (None: all), in the order of the items."""
    places = list(range(len(items)))
    if amount is not None and amount < len(items):
        if rng.__class__ is not list:
            return rng.sample(items, max(amount, 0))  # type: ignore[attr-defined,no-any-return]
        places = sorted(shuffled(rng, stream, places)[: max(amount, 0)])
    return [items[i] for i in places]


def entry(index: int, first: int, last: int) -> int:
    """An index of which the rules alone do not tell that there is such an entry."""
    if not first <= index <= last:
        raise Fault(f"there is no entry {index}; the indices are {first}..{last}")
    return index


def check_weights(weights: Sequence[Any]) -> None:
    """Whether a random choice can have these weights; without any there is nothing to choose."""
    if weights and (sum(weights) <= 0 or min(weights) < 0):
        raise Fault("the weights of a random choice must not be negative and add up to more than nothing")


def weighted(rng: list[int], stream: int, pairs: Sequence[tuple[Any, Any]]) -> Sequence[Any]:
    """Of (weight, item) pairs one item with odds in proportion to the exact weights, as a list of none or one."""
    if not pairs:
        return ()
    weights = [Fraction(weight) for weight, _ in pairs]
    check_weights(weights)
    if rng.__class__ is not list:
        return rng.weighted(pairs)  # type: ignore[attr-defined,no-any-return]
    scale = lcm(*(w.denominator for w in weights))
    point = below(rng, stream, int(sum(weights) * scale))
    for weight, (_, item) in zip(weights, pairs, strict=True):
        point -= int(weight * scale)
        if point < 0:
            return (item,)
    raise AssertionError("unreachable")


# ---------------------------------------------------------------- moves
# Lists of zones are never changed in place, so positions share them: copying a position copies only `z`.


def take(z: list[list[int]], number: int, c: int) -> None:
    """Takes a component out of a zone's list."""
    source = z[number]
    if source[-1] == c:
        z[number] = source[:-1]
    else:
        z[number] = source = source[:]
        source.remove(c)


def to_end(z: list[list[int]], loc: list[int], c: int, to: int) -> None:
    """Moves a component to the top of a stack or the right end of a row."""
    source = z[loc[c]]
    if source[-1] == c:  # `take`, written out: most moves are such
        z[loc[c]] = source[:-1]
    else:
        z[loc[c]] = source = source[:]
        source.remove(c)
    z[to] = [*z[to], c]
    loc[c] = to


def to_start(z: list[list[int]], loc: list[int], c: int, to: int) -> None:
    """Moves a component to the bottom of a stack or the left end of a row."""
    take(z, loc[c], c)
    z[to] = [c, *z[to]]
    loc[c] = to


def to_heap(z: list[list[int]], loc: list[int], c: int, to: int) -> None:
    """Moves a component to a zone without order, which is kept in row order."""
    take(z, loc[c], c)
    z[to] = heap = z[to][:]
    insort(heap, c)
    loc[c] = to


def to_right_of(z: list[list[int]], loc: list[int], c: int, to: int, beside: int | None) -> None:
    """Moves a component into a row, to the right of another one."""
    if beside is None or loc[beside] != to or beside == c:
        raise Fault("the component to put this one beside is not in that row")
    take(z, loc[c], c)
    row = z[to]
    place = row.index(beside) + 1
    z[to] = [*row[:place], c, *row[place:]]
    loc[c] = to


def top_of(stack: list[int], amount: int) -> list[int]:
    """The uppermost of a stack, from the top, as many as there are."""
    return stack[: -amount - 1 : -1] if amount > 0 else []


def _take_all(z: list[list[int]], loc: list[int], components: Sequence[int], to: int) -> None:
    gone = set(components)
    for number in {loc[c] for c in components}:
        z[number] = [c for c in z[number] if c not in gone]
    for c in components:
        loc[c] = to


def to_end_all(z: list[list[int]], loc: list[int], components: Sequence[int], to: int) -> None:
    """`to_end` for each of some different components."""
    if len(components) == 1:
        to_end(z, loc, components[0], to)
    elif components:
        _take_all(z, loc, components, to)
        z[to] = [*z[to], *components]


def to_start_all(z: list[list[int]], loc: list[int], components: Sequence[int], to: int) -> None:
    """`to_start` for each of some different components."""
    if components:
        _take_all(z, loc, components, to)
        z[to] = [*reversed(components), *z[to]]


def to_heap_all(z: list[list[int]], loc: list[int], components: Sequence[int], to: int) -> None:
    """`to_heap` for each of some different components."""
    if len(components) == 1:
        to_heap(z, loc, components[0], to)
    elif components:
        _take_all(z, loc, components, to)
        z[to] = sorted([*z[to], *components])
