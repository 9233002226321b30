"""The types of the rules language.

How a value of each type looks at run time (fixed: the compiler, saves and views rely on it):

    bool                 True or False
    text                 str
    number               int; Fraction where the step is not whole
    player               seat number from 0
    enum                 place of the value in its type, from 0
    record, component,
    board                row number from 0
    optional T           None or a T
    list of T            list or tuple, in order, never changed in place
    set of T             int used as a bit mask: bit i is the i-th value of T (for numbers: value - low)
    spot                 (space, quarter turns)
    port                 (component, space, direction)
"""

from __future__ import annotations

from fractions import Fraction

from attrs import frozen


class Type:
    """Base of all types. Types are values: equal when they mean the same."""


@frozen
class BoolType(Type):
    """Yes or no."""


@frozen
class TextType(Type):
    """A text that is only shown."""


@frozen
class PlayerType(Type):
    """A seat."""


@frozen
class NumberType(Type):
    """Numbers `low` to `high` in steps; an end is None where there is none.

    Ends are bounds that hold for every value of the options; the exact ends of a declared type come
    from its declaration when a game is made. A step of 0 means any fraction, as after a division.
    """

    low: Fraction | None = None
    high: Fraction | None = None
    step: Fraction = Fraction(1)


@frozen
class EnumType(Type):
    """A declared enum, or one built in: Direction, RowEnd (left, right), StackEnd (top, bottom)."""

    name: str


@frozen
class TableType(Type):
    """A record type, a kind of component or a board. kind: "record", "component" or "board"."""

    kind: str
    name: str


@frozen
class OptionalType(Type):
    """A value of `item`, or none."""

    item: Type


@frozen
class ListType(Type):
    """Values of `item` in order."""

    item: Type


@frozen
class SetType(Type):
    """Different values of `item`, in the order of the type."""

    item: Type


@frozen
class SpotType(Type):
    """A place on a board for a shaped piece: the space of its south-west cell and its rotation."""

    board: str


@frozen
class PortType(Type):
    """An opening at the edge of a laid piece: piece, space and the direction it faces."""

    board: str
    component: str


@frozen
class NoneType(Type):
    """The type of `none` alone, and of the items of an empty list."""


@frozen
class EffectType(Type):
    """What a rule in a row that does something gives."""


@frozen
class UnknownType(Type):
    """The type of something already reported; it fits everywhere, so that one mistake is told once."""


BOOL, TEXT, PLAYER, NONE, UNKNOWN = BoolType(), TextType(), PlayerType(), NoneType(), UnknownType()
EFFECT = EffectType()
NUMBER = NumberType()
DIRECTION, ROW_END, STACK_END = EnumType("Direction"), EnumType("RowEnd"), EnumType("StackEnd")

BUILT_IN_ENUMS: dict[str, tuple[str, ...]] = {
    "Direction": ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"),
    "RowEnd": ("left", "right"),
    "StackEnd": ("top", "bottom"),
}
