"""`frozen` of attrs for modules with many plain classes, which makes them several times as fast.

Methods that attrs would write and compile for each class are shared instead: `repr`, and comparison where it is wanted.
They are slower, so classes that are compared all the time, as types are, had better use `attrs.frozen`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen
else:

    def frozen(cls: type | None = None, *, eq: bool = True) -> Any:
        """A class whose instances never change; `eq`: whether they are compared by their attributes."""
        if cls is None:
            return partial(frozen, eq=eq)
        made = attrs.frozen(cls, eq=False, repr=False, slots=False)
        made.__repr__ = _repr
        if eq:
            made.__eq__, made.__hash__ = _eq, _hash
        return made


def _repr(self: Any) -> str:
    shown = [f"{a.name}={getattr(self, a.name)!r}" for a in attrs.fields(type(self)) if a.repr]
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _eq(self: Any, other: object) -> bool:
    return self is other or (type(self) is type(other) and _compared(self) == _compared(other))


def _hash(self: Any) -> int:
    return hash((type(self), *_compared(self)))


def _compared(record: Any) -> list[Any]:
    return [getattr(record, a.name) for a in attrs.fields(type(record)) if a.eq]


__all__ = ["frozen"]
