"""Ranges of numbers: what interval and step the result of an operation has."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, inf

from rulespec.check.types import NUMBER, NumberType

End = Fraction | float
"""A bound; `inf` and `-inf` where there is none."""


def exactly(value: Fraction | int) -> NumberType:
    """The type of a number known at check time."""
    value = Fraction(value)
    return NumberType(value, value, Fraction(1, value.denominator))


def whole(low: int | None = None, high: int | None = None) -> NumberType:
    """Whole numbers from `low` to `high`."""
    return NumberType(None if low is None else Fraction(low), None if high is None else Fraction(high))


def single(type: NumberType) -> Fraction | None:
    """The one value of the type, if it has one only."""
    return type.low if type.low is not None and type.low == type.high else None


def grain(type: NumberType) -> Fraction:
    """A number of which every value is a whole multiple; 0 if there is none."""
    value = single(type)
    if value is not None:
        return abs(value) or Fraction(1)
    if type.step == 0 or type.low is None:
        return type.step
    return _common(type.step, abs(type.low)) if type.low else type.step


def _common(a: Fraction, b: Fraction) -> Fraction:
    """The largest number of which both are multiples; 0 stands for any fraction."""
    if a == 0 or b == 0:
        return Fraction(0)
    return Fraction(gcd(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator)


def _step(value: Fraction) -> Fraction:
    """The step to write for a grain: whole numbers have step 1, whatever they are multiples of."""
    return Fraction(1) if value and value.denominator == 1 else value


def is_whole(type: NumberType) -> bool:
    """Whether every value is a whole number."""
    value = grain(type)
    return value != 0 and value.denominator == 1


def _ends(type: NumberType) -> tuple[End, End]:
    return -inf if type.low is None else type.low, inf if type.high is None else type.high


def _make(low: End, high: End, step: Fraction) -> NumberType:
    return NumberType(
        low if isinstance(low, Fraction) else None, high if isinstance(high, Fraction) else None, _step(step)
    )


def _times(a: End, b: End) -> End:
    return Fraction(0) if a == 0 or b == 0 else a * b


def hull(types: Iterable[NumberType]) -> NumberType:
    """The least type that has all values of these."""
    found = list(types)
    if not found:
        return NUMBER
    step = found[0].step if len(found) == 1 else grain(found[0])
    for type in found[1:]:
        step = _common(step, grain(type))
    lows, highs = [_ends(t)[0] for t in found], [_ends(t)[1] for t in found]
    return _make(min(lows), max(highs), step)


def meet(a: NumberType, b: NumberType) -> NumberType:
    """The values of `a` in the interval of `b`; may be empty (low above high)."""
    (low, high), (other_low, other_high) = _ends(a), _ends(b)
    new_low, new_high = max(low, other_low), min(high, other_high)
    return NumberType(
        new_low if isinstance(new_low, Fraction) else None,
        new_high if isinstance(new_high, Fraction) else None,
        a.step,
    )


def empty(type: NumberType) -> bool:
    """Whether no number lies in the interval."""
    return type.low is not None and type.high is not None and type.low > type.high


def negative(type: NumberType) -> NumberType:
    """`-x`."""
    low, high = _ends(type)
    return _make(-high, -low, type.step)


def add(a: NumberType, b: NumberType) -> NumberType:
    """`x + y`."""
    (low, high), (other_low, other_high) = _ends(a), _ends(b)
    return _exact(_make(low + other_low, high + other_high, _common(grain(a), grain(b))))


def subtract(a: NumberType, b: NumberType) -> NumberType:
    """`x - y`."""
    return add(a, negative(b))


def multiply(a: NumberType, b: NumberType) -> NumberType:
    """`x * y`."""
    corners = [_times(x, y) for x in _ends(a) for y in _ends(b)]
    return _exact(_make(min(corners), max(corners), grain(a) * grain(b)))


def divide(a: NumberType, b: NumberType) -> NumberType:
    """`x / y`, exact."""
    divisor = single(b)
    step = grain(a) / abs(divisor) if divisor else Fraction(0)
    low, high = _ends(b)
    if low <= 0 <= high:
        return NumberType(None, None, step)
    inverse = [Fraction(0) if isinstance(end, float) else 1 / end for end in (low, high)]
    corners = [_times(x, y) for x in _ends(a) for y in inverse]
    return _exact(_make(min(corners), max(corners), step))


def modulo(a: NumberType, b: NumberType) -> NumberType:
    """`x mod y`, with the sign of y."""
    left, right = single(a), single(b)
    if left is not None and right:
        return exactly(left % right)
    step = _common(grain(a), grain(b))
    low, high = _ends(b)
    if low > 0:
        if a.low is not None and a.low >= 0 and a.high is not None and a.high < low:
            return a
        return _make(Fraction(0), high - step if isinstance(high, Fraction) else inf, step)
    if high < 0:
        return _make(low + step if isinstance(low, Fraction) else -inf, Fraction(0), step)
    return _make(low, high, step)


def absolute(type: NumberType) -> NumberType:
    """`abs(x)`."""
    low, high = _ends(type)
    if low >= 0:
        return type
    if high <= 0:
        return negative(type)
    return _make(Fraction(0), max(-low, high), type.step)


def floor(type: NumberType) -> NumberType:
    """`floor(x)`."""
    low, high = _ends(type)
    return _make(
        Fraction(low // 1) if isinstance(low, Fraction) else low,
        Fraction(high // 1) if isinstance(high, Fraction) else high,
        Fraction(1),
    )


def least(types: Iterable[NumberType]) -> NumberType:
    """`min(x, y, ...)`."""
    found = list(types)
    return _make(min(_ends(t)[0] for t in found), min(_ends(t)[1] for t in found), hull(found).step)


def most(types: Iterable[NumberType]) -> NumberType:
    """`max(x, y, ...)`."""
    found = list(types)
    return _make(max(_ends(t)[0] for t in found), max(_ends(t)[1] for t in found), hull(found).step)


def total(item: NumberType, count: int | None) -> NumberType:
    """`sum` of at most `count` items (None: any number of them)."""
    low, high = _ends(item)
    many: End = inf if count is None else Fraction(count)
    return _make(min(Fraction(0), _times(low, many)), max(Fraction(0), _times(high, many)), grain(item))


def _exact(type: NumberType) -> NumberType:
    value = single(type)
    return type if value is None else exactly(value)


def fits_step(source: NumberType, target: NumberType) -> bool:
    """Whether every value of `source` is on the steps of `target`."""
    need = grain(target) if single(target) is None else target.step
    if need == 0:
        return True
    have = grain(source)
    return have != 0 and (have / need).denominator == 1


def overlaps(a: NumberType, b: NumberType) -> bool:
    """Whether the intervals have a number in common."""
    return not empty(meet(a, b))


def inside(a: NumberType, b: NumberType) -> bool:
    """Whether every value of `a` lies in the interval of `b`."""
    (low, high), (other_low, other_high) = _ends(a), _ends(b)
    return other_low <= low and high <= other_high
