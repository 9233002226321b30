"""What is worked out when a game is made may call functions, but only ones that read nothing of the play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulespec import checked as ir
from rulespec.check.context import Context
from rulespec.check.walk import nodes
from rulespec.diagnostics import Note
from rulespec.source import Span


def check_fixed(context: Context, functions: Mapping[str, ir.Function]) -> None:
    """Reports starts and computed columns that call functions which read variables or zones."""
    reads: dict[str, tuple[str, Span] | None] = {}
    for what, tree in _fixed_trees(context):
        for node in nodes(tree):
            found = _state(node)
            if found:
                context.reporter.error("RS357", f"{what} can use options and `seats`, but not {found}", node.span)
            elif isinstance(node, ir.FunctionCall):
                cause = _reads(node.function, functions, reads)
                if cause is not None:
                    context.reporter.error(
                        "RS357",
                        f"{what} can use options and `seats`, but `{node.function}` reads {cause[0]}",
                        node.span,
                        "",
                        (Note("it is read here", cause[1]),),
                    )


def _fixed_trees(context: Context) -> Iterator[tuple[str, object]]:
    for zone in context.zones.values():
        yield "`starts`", (zone.starts, *zone.starts_at)
    for variable in context.variables.values():
        yield f"the start of `{variable.name}`", variable.start
    for table in context.tables.values():
        for name, expr in table.computed:
            yield f"the column `{name}`", expr


def _state(node: object) -> str:
    """What of the play a node reads, in words, or ""."""
    match node:
        case ir.VarRead(variable=name):
            return f"the variable `{name}`"
        case ir.ZoneRead(zone=name) | ir.ZoneFamily(zone=name) | ir.ZoneIndex(zone=name):
            return f"the zone `{name.split()[0]}`"
        case ir.BuiltIn(name="turn_player" | "winners" | "times" as name):
            return f"`{name}`"
    return ""


def _reads(
    name: str, functions: Mapping[str, ir.Function], known: dict[str, tuple[str, Span] | None]
) -> tuple[str, Span] | None:
    """The first piece of state that a function reads, itself or through another one."""
    if name in known:
        return known[name]
    known[name] = None
    function = functions.get(name)
    for node in nodes(tuple(layer.body for layer in function.layers) if function is not None else ()):
        found = _state(node)
        if found:
            known[name] = (found, node.span)
            break
        inner = _reads(node.function, functions, known) if isinstance(node, ir.FunctionCall) else None
        if inner is not None:
            known[name] = inner
            break
    return known[name]
