"""Light attrs classes behave as those of attrs."""

import pickle

import attrs
import pytest
from attrs import field

from rulespec.records import frozen


@frozen
class Base:
    place: int = field(repr=False, eq=False, kw_only=True)


@frozen
class Pair(Base):
    first: object
    second: object = 2


@frozen
class Other(Base):
    first: object
    second: object = 2


@frozen(eq=False)
class Alone:
    name: str


def test_compared_and_hashed_by_attributes() -> None:
    assert Pair(1, place=1) == Pair(1, 2, place=5)
    assert hash(Pair(1, place=1)) == hash(Pair(1, 2, place=5))
    assert Pair(1, place=1) != Pair(1, 3, place=1)
    assert Pair(1, place=1) != Other(1, place=1)
    assert Pair(1, place=1) != 1


def test_compared_by_identity_where_asked() -> None:
    one = Alone("a")
    assert one == one
    assert one != Alone("a")
    assert 2 == len({one, Alone("a")})


def test_shown_with_attributes() -> None:
    assert "Pair(first='a', second=2)" == repr(Pair("a", place=1))


def test_never_changes() -> None:
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        Pair(1, place=1).first = 2  # type: ignore[misc]


def test_evolved_and_pickled() -> None:
    changed = attrs.evolve(Pair(1, place=1), first=3)
    assert Pair(3, place=1) == changed
    assert changed == pickle.loads(pickle.dumps(changed))
