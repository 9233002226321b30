"""Phases, their turns, and the result."""

from __future__ import annotations

from rulespec.diagnostics import Note
from rulespec.spec import keys as k
from rulespec.spec import model as m
from rulespec.spec.outline import Entries, Entry, Given, found
from rulespec.spec.sections import common
from rulespec.spec.values import Context
from rulespec.syntax import nodes as n
from rulespec.syntax import parser
from rulespec.yaml_source import Scalar, Sequence


def phases(entries: Entries, context: Context) -> tuple[m.Phase, ...]:
    """The phases of one level."""
    return tuple(_phase(entry, context) for entry in entries.values())


def check_phase_names(entries: Entries, context: Context) -> None:
    """Reports names that two phases have: `end X` and triggers name a phase without its parents."""
    seen: dict[str, Entry] = {}

    def visit(level: Entries) -> None:
        for entry in level.values():
            first = seen.setdefault(entry.name, entry)
            if first is not entry:
                note = Note(f"the first phase `{entry.name}` is here", first.key.span)
                message = f"a second phase `{entry.name}`"
                context.reporter.error("RS112", message, entry.key.span, "give it another name", (note,))
            visit(entry.phases)

    visit(entries)


def _phase(entry: Entry, context: Context) -> m.Phase:
    values, layers = entry.values, entry.layers
    kinds = [name for name in ("do", "actions") if name in values or name in layers]
    if entry.phases and kinds:
        key = (layers["do"][0].given if kinds[0] == "do" else values["actions"]).key
        message = f"{entry.shown} has both `phases` and `{kinds[0]}`"
        context.reporter.error("RS110", message, key.span, "put it into a phase of its own inside this one")
    context.exclusive(entry, ("do", "actions"))
    if not kinds and not entry.phases and not entry.broken & {"do", "actions"}:
        hint = "write `do`, `phases`, or `turns` and `actions`"
        context.reporter.error("RS102", f"{entry.shown} has neither `do`, `phases` nor `actions`", entry.key.span, hint)
    for name in ("take", "if_stuck"):
        context.needs(entry, name, ("actions",))
    context.needs(entry, "done_label", ("take",))
    for name in ("before_turn", "after_turn"):
        context.needs(entry, name, ("turns",))
    if "turns" in values:
        context.exclusive(entry, ("turns", "do"))
    context.exclusive(entry, ("repeat", "repeat_until"))
    repeat = context.source(values, "repeat")
    return m.Phase(
        entry.name,
        context.layers(entry, "do", "block"),
        phases(entry.phases, context),
        _turns(values.get("turns"), context),
        context.names(values, "actions"),
        context.names(values, "any_time"),
        context.text(values, "take", "one"),
        context.text(values, "done_label"),
        context.layers(entry, "if_stuck", "block"),
        context.layers(entry, "before_turn", "block"),
        context.layers(entry, "after_turn", "block"),
        context.layers(entry, "skip_when", "expression"),
        parser.parse_repeat(repeat, context.reporter) if repeat is not None else None,
        context.layers(entry, "repeat_until", "expression"),
        **common(entry, context),
    )


def _turns(given: Given | None, context: Context) -> m.Turns | None:
    inner = context.inner(given, k.TURN_KEYS, "`turns`") if given is not None else None
    if given is None or inner is None:
        return None
    return m.Turns(
        given.node.span,
        first=context.expr(inner, "from"),
        among=context.expr(inner, "among"),
        order=context.text(inner, "order", "clockwise"),
        times=context.expr(inner, "times"),
        rounds=context.expr(inner, "rounds"),
        until=context.expr(inner, "until"),
        turn_until=context.expr(inner, "turn_until"),
    )


def result(entry: Entry | None, context: Context) -> m.Result:
    """`result:`."""
    if entry is None:
        return m.Result()
    given = entry.values.get("rank_by")
    rank_by: list[tuple[str, n.Expr]] = []
    if given is not None:
        for node in given.node.items if isinstance(given.node, Sequence) else (given.node,):
            if not isinstance(node, Scalar):
                message = f"`rank_by` needs texts as `highest score`, found {found(node)}"
                context.reporter.error("RS100", message, node.span)
                continue
            ranked = parser.parse_rank(node.text, context.reporter)
            if ranked is not None:
                rank_by.append(ranked)
    score, payoff = (context.layers(entry, name, "expression") for name in ("score", "payoff"))
    return m.Result(entry.key.span, tuple(rank_by), score, payoff)
