"""Outline to `Spec`: the head of the file, and every section by its builder."""

from __future__ import annotations

import re
from typing import Any

from attrs import evolve

from rulespec.source import Span
from rulespec.spec import keys as k
from rulespec.spec import model as m
from rulespec.spec.course import check_phase_names, phases, result
from rulespec.spec.outline import Outline, found
from rulespec.spec.sections import BUILDERS
from rulespec.spec.values import Context
from rulespec.yaml_source import Scalar

MAX_SEATS = 64


def build(outline: Outline, removals: tuple[m.Removal, ...], context: Context) -> m.Spec | None:
    """The spec of an outline, of one file or merged of several.

    Args:
        outline: the sections and entries.
        removals: what the files took away, kept for tools that show a variant.
        context: where faults go and tables come from.

    Returns:
        The spec, or None if its head is wrong. Entries that have faults are left out.
    """
    spec = _head(outline, context)
    if spec is None:
        return None
    sections: dict[str, Any] = {}
    for name, builder in BUILDERS.items():
        made: dict[str, m.Entry] = {}
        for entry in outline.sections.get(name, {}).values():
            if context.check_required(entry):
                built = builder(entry, context)
                if built is not None:
                    made[entry.name] = built
        sections[name] = made
    sections["phases"] = phases(outline.sections.get("phases", {}), context)
    check_phase_names(outline.sections.get("phases", {}), context)
    setup = outline.sections.get("setup", {}).get("setup")
    if setup is not None and context.check_required(setup):
        sections["setup"] = context.layers(setup, "do", "block")
    sections["result"] = result(outline.sections.get("result", {}).get("result"), context)
    return evolve(spec, removals=removals, **sections)


def _head(outline: Outline, context: Context) -> m.Spec | None:
    head, reporter = outline.head, context.reporter
    start = Span(outline.path, 1, 1, 1, 1)
    for name, key in k.HEAD.items():
        if key.required and name not in head and name not in outline.broken:
            hint = {"rulespec": "write `rulespec: 1` as the first line"}.get(name, f"write `{name}: ...`")
            reporter.error("RS102", f"the file has no `{name}`", start, hint)
    game = context.text(head, "id")
    if game and not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", game):
        message = f"`id` must be lower case letters, digits and hyphens, found `{game}`"
        hint = re.sub(r"[^a-z0-9]+", "-", game.lower()).strip("-")
        hint = hint if re.match(r"[a-z]", hint) else ""
        reporter.error("RS108", message, head["id"].node.span, f"write `{hint}`" if hint else "")
    seats, names = _seats(outline, context, start)
    if seats is None:
        return None
    return m.Spec(
        outline.path,
        game,
        context.text(head, "title"),
        context.text(head, "about"),
        seats,
        names,
        context.text(head, "version"),
        context.text(head, "doc"),
    )


def _seats(
    outline: Outline, context: Context, start: Span
) -> tuple[tuple[int, int] | None, tuple[tuple[str, Span], ...]]:
    """The least and most number of players, and the names of seats."""
    head, reporter = outline.head, context.reporter
    if "seats" in head:
        if "players" in head:
            message = "the file has both `players` and `seats`"
            reporter.error("RS110", message, head["players"].key.span, "keep `seats`: it fixes the number of players")
        names = context.names(head, "seats")
        return ((len(names), len(names)), names) if names else (None, ())
    if outline.broken & {"players", "seats"}:
        return None, ()
    if "players" not in head:
        reporter.error("RS102", "the file has no `players`", start, "write `players: 2..4`, or `seats` with names")
        return None, ()
    node = head["players"].node
    match = re.fullmatch(r"(\d{1,4})(?:\s*\.\.\s*(\d{1,4}))?", node.value.strip()) if isinstance(node, Scalar) else None
    if match is None:
        message = f"`players` must be a number as `4` or a range as `2..6`, found {found(node)}"
        reporter.error("RS109", message, node.span)
        return None, ()
    low = int(match.group(1))
    high = int(match.group(2) or low)
    if low > high:
        reporter.error("RS109", f"`players` has no number from {low} to {high}", node.span, f"write `{high}..{low}`")
    elif low < 1 or high > MAX_SEATS:
        reporter.error("RS109", f"`players` must lie in 1..{MAX_SEATS}, found {found(node)}", node.span)
    else:
        return (low, high), ()
    return None, ()
