"""What a scenario file says, checked: steps and claims with seats as numbers and conditions as typed trees."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from attrs import field

from rulespec import checked as ir
from rulespec.records import frozen
from rulespec.source import Span


@frozen
class Step:
    """One decision: a seat takes the option with this text."""

    seat: int
    action: str
    span: Span = field(repr=False)


@frozen
class Claim:
    """Base: something that must be so. `text` is how it is written, for messages."""

    text: str
    span: Span = field(repr=False)


@frozen
class Holds(Claim):
    """A condition of the rules language."""

    condition: ir.Expr = field(repr=False)


@frozen
class Can(Claim):
    """A seat can do something now; `possible` is false for `cannot`."""

    seat: int
    action: str
    possible: bool


@frozen
class Options(Claim):
    """A seat has exactly these options, in any order."""

    seat: int
    actions: tuple[str, ...]


@frozen
class Deciding(Claim):
    """These seats decide now, in any order."""

    seats: tuple[int, ...]


@frozen
class Over(Claim):
    """The game is over, or not."""

    over: bool


@frozen
class Winners(Claim):
    """The game is over and these seats have won."""

    seats: tuple[int, ...]


@frozen
class Scores(Claim):
    """Scores of some seats."""

    scores: Mapping[int, Fraction]


@frozen
class Says(Claim):
    """A line of the log, as a spectator sees it, has this text in it."""

    part: str


@frozen
class Invariants(Claim):
    """All invariants of the game hold, or some do not."""

    hold: bool


@frozen
class Fault(Claim):
    """The last step cannot be carried out, with this text in the message."""

    part: str


@frozen
class Part:
    """Steps, then what must be so."""

    when: tuple[Step, ...]
    then: tuple[Claim, ...]


@frozen
class Scenario:
    """One worked example.

    Attributes:
        name, rule, doc: what it shows; `rule` cites the rules.
        example: it is shown in the rulebook.
        players, seed: of the game.
        options: values by name, as texts or lists of texts.
        at: the phase at whose first beginning `given` is done; "" for the first decision.
        given: effects that prepare the position, those of the file first.
        parts: the steps with their claims, one after the other.
        options_span: where the options stand.
    """

    name: str
    rule: str
    doc: str
    example: bool
    players: int
    options: Mapping[str, str | tuple[str, ...]]
    seed: int
    at: str
    given: ir.Block = field(repr=False)
    parts: tuple[Part, ...]
    span: Span = field(repr=False)
    options_span: Span = field(repr=False)


@frozen
class ScenarioFile:
    """A file of scenarios of one game."""

    path: str
    spec: ir.CheckedSpec = field(repr=False)
    scenarios: tuple[Scenario, ...]
