"""Names across sections: what may not be named alike, and what may not be named like something built in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from rulespec.check.builtins import BUILT_INS
from rulespec.check.context import Context
from rulespec.check.names import PLAIN_BUILT_INS
from rulespec.check.types import BUILT_IN_ENUMS
from rulespec.diagnostics import Note
from rulespec.source import Span
from rulespec.spec import model as m

VALUES = frozenset(
    {*PLAIN_BUILT_INS, *BUILT_IN_ENUMS["Direction"], "box", "pass", "done", "usual", "true", "false", "none", "chance"}
)
"""Built-in names without arguments."""
FUNCTIONS = frozenset({*BUILT_INS, "supposing", "reached", "distance", "next_steps"})
"""Built-in names that are called."""
TYPES = frozenset({"bool", "player", "text", "direction", "Direction", "RowEnd", "StackEnd"})

Named = tuple[str, str, Span]
"""What it is with an article, its name, its place."""


def check_names(context: Context) -> None:
    """Reports names that mean two things, as a zone and a variable of one name."""
    spec = context.spec
    values: dict[str, Named] = {}
    for named in _values(spec):
        _declare(named, values, context)
        _not_built_in(named, VALUES, context)
    calls: dict[str, Named] = {}
    for kind, name, span in (*_of("a function", spec.functions), *_of("a procedure", spec.procedures)):
        _declare((kind, name, span), calls, context)
        _not_built_in((kind, name, span), FUNCTIONS | VALUES, context)
        other = values.get(name)
        if other is not None and other[2] != span:
            _clash((kind, name, span), other, context)
    types: dict[str, Named] = {}
    for named in (
        *_of("a type", spec.types),
        *_of("a board", spec.boards),
        *_of("a kind of component", spec.components),
    ):
        _declare(named, types, context)
        _not_built_in(named, TYPES | VALUES, context)
        if named[1] in values:
            _clash(named, values[named[1]], context)
    seats: dict[str, Named] = {}
    for name, span in spec.seat_names:
        _declare(("a seat", name, span), seats, context)
        _not_built_in(("a seat", name, span), VALUES - set(BUILT_IN_ENUMS["Direction"]), context)
        if name in values:
            _clash(("a seat", name, span), values[name], context)
    _phases(context)
    _fields(context)


def _of(kind: str, entries: Mapping[str, m.Entry]) -> Iterator[Named]:
    for name, entry in entries.items():
        yield kind, name, entry.name_span


def _values(spec: m.Spec) -> Iterator[Named]:
    yield from _of("an option", spec.options)
    yield from _of("a table", spec.tables)
    yield from _of("a zone", spec.zones)
    yield from _of("a variable", spec.variables)
    yield from _of("a record", spec.records)


def _declare(named: Named, known: dict[str, Named], context: Context) -> None:
    first = known.setdefault(named[1], named)
    if first is not named:
        _clash(named, first, context)


def _clash(named: Named, first: Named, context: Context) -> None:
    kind, name, span = named
    context.reporter.error(
        "RS358",
        f"`{name}` is {kind} here and {first[0]} elsewhere",
        span,
        "give one of them another name",
        (Note(f"{first[0]} `{name}`", first[2]),),
    )


def _not_built_in(named: Named, built_in: Iterable[str], context: Context) -> None:
    kind, name, span = named
    if name in built_in:
        context.reporter.error(
            "RS359", f"`{name}` is built in and cannot be the name of {kind}", span, f"write `{name}_` or another name"
        )


def all_phases(phases: Iterable[m.Phase]) -> Iterator[m.Phase]:
    """Every phase, outer ones first."""
    for phase in phases:
        yield phase
        yield from all_phases(phase.phases)


def _phases(context: Context) -> None:
    known: dict[str, Named] = {}
    for phase in all_phases(context.spec.phases):
        _declare(("a phase", phase.name, phase.name_span), known, context)
        context.phase_names.setdefault(phase.name, phase.name_span)
        if phase.name in ("game", "turn"):
            context.reporter.error(
                "RS359",
                f"`{phase.name}` is built in and cannot be the name of a phase",
                phase.name_span,
                f"`end game` and `lasts: turn` need the word, write `{phase.name}_` or another name",
            )


def _fields(context: Context) -> None:
    spec = context.spec
    owners: list[tuple[str, tuple[m.FieldDecl, ...], tuple[str, ...]]] = [
        *((f"`{x.name}`", x.fields, tuple(c[0] for c in x.computed)) for x in spec.types.values()),
        *((f"`{x.name}`", x.fields, ()) for x in spec.boards.values()),
        *((f"`{x.name}`", x.fields, ()) for x in spec.components.values()),
    ]
    for owner, fields, _computed in owners:
        seen: dict[str, m.FieldDecl] = {}
        for field in fields:
            first = seen.setdefault(field.name, field)
            if first is not field:
                context.reporter.error(
                    "RS358",
                    f"{owner} has two fields `{field.name}`",
                    field.span,
                    "give one of them another name",
                    (Note("the first one", first.span),),
                )
            if field.name in ("id", "count"):
                context.reporter.error(
                    "RS359",
                    f"`{field.name}` is a column of its own and cannot be a field",
                    field.span,
                    "`id` names a row and `count` makes copies, neither is declared",
                )
    for kind in spec.components.values():
        held = {z.name for z in spec.zones.values() if z.holds == kind.name}
        for field in kind.fields:
            if field.name in held:
                context.reporter.error(
                    "RS358",
                    f"`{field.name}` is a field of `{kind.name}` and a zone that holds it",
                    field.span,
                    f"`x.{field.name}` would mean two things, give one of them another name",
                    (Note(f"a zone `{field.name}`", spec.zones[field.name].name_span),),
                )
