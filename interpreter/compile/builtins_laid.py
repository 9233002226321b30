"""Built-in functions about pieces laid on boards as Python source; what they read is told in `runtime.laid`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from attrs import frozen

from interpreter.compile.builtins import ATOM, BuiltInEmitter
from interpreter.compile.simplify import Simplifier
from interpreter.compile.trees import free
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes, replaced

if TYPE_CHECKING:
    from interpreter.compile.expressions import Code, Expressions

AND, NOT, COMPARE, SUM = 2, 3, 4, 8


def _inner(type: t.Type) -> Any:
    while isinstance(type, t.OptionalType | t.ListType):
        type = type.item
    return type


def _covered(e: Expressions, zone: ir.Expr, space: ir.Expr) -> tuple[str, str]:
    """The kind of a laid zone, and the code of the cell on top of a space in it."""
    assert isinstance(zone, ir.ZoneRead)
    kind = e.layout.zones[zone.zone].zone.component
    start = e.layout.laid_start(zone.zone)
    index = f"{start} + {e.text(space, SUM)}" if start else e.text(space)
    return kind, f"cover_{kind}[{index}]"


def _spot(e: Expressions, node: ir.BuiltIn) -> Code:
    space, turns = node.args
    quarters = e.text(turns, SUM)
    return f"({e.text(space)}, {int(quarters) % 4 if quarters.isdigit() else f'{quarters} & 3'})", ATOM


def _spot_for(e: Expressions, node: ir.BuiltIn) -> Code:
    port = _inner(node.args[0].type)
    args = ", ".join(e.text(a) for a in node.args)
    return f"ground_{port.component}_{port.board}.spot_for(spot_{port.component}, {args})", ATOM


def _footprint(e: Expressions, node: ir.BuiltIn) -> Code:
    piece, spot = node.args
    ground = f"ground_{_inner(piece.type).name}_{_inner(spot.type).board}"
    return f"{ground}.footprint({e.text(piece)}, {e.text(spot)})", ATOM


def _cells(e: Expressions, node: ir.BuiltIn) -> Code:
    (piece,) = node.args
    kind = _inner(piece.type).name
    return f"ground_{kind}_{_inner(node.type).name}.cells(spot_{kind}, {e.text(piece)})", ATOM


def _shown(e: Expressions, node: ir.BuiltIn) -> Code:
    kind, code = _covered(e, *node.args)
    return f"letter_{kind}[{code}]", ATOM


def _piece_at(e: Expressions, node: ir.BuiltIn) -> Code:
    kind, code = _covered(e, *node.args)
    return f"owner_{kind}[{code}]", ATOM


def _port_at(e: Expressions, node: ir.BuiltIn) -> Code:
    zone, space, direction = node.args
    kind, code = _covered(e, zone, space)
    ground = f"ground_{kind}_{_inner(node.type).board}"
    return f"{ground}.port_at({code}, spot_{kind}, {e.text(space)}, {e.text(direction)})", ATOM


def _ports(e: Expressions, node: ir.BuiltIn) -> Code:
    (piece,) = node.args
    return f"ports_{_inner(piece.type).name}[{e.text(piece)}]", ATOM


def _uncovered(e: Expressions, node: ir.BuiltIn) -> Code:
    zone, piece = node.args
    assert isinstance(zone, ir.ZoneRead)
    kind, number, text = _inner(piece.type).name, e.zone(zone.zone, zone.indices), e.text(piece)
    if text.isidentifier() or text.isdigit():
        return f"loc_{kind}[{text}] == {number} and hidden_{kind}[{text}] == 0", AND
    return f"(loc_{kind}[{text}], hidden_{kind}[{text}]) == ({number}, 0)", COMPARE


def _cell(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"cell_of({e.text(node.args[0])})", ATOM


def _facing(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"{e.text(node.args[0], ATOM)}[2]", ATOM


def _piece(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"{e.text(node.args[0], ATOM)}[0]", ATOM


def _beyond(e: Expressions, node: ir.BuiltIn) -> Code:
    (port,) = node.args
    text, type = e.text(port), _inner(port.type)
    if text.isidentifier():
        return f"beyond_{type.component}_{type.board}[{text}[1]][{text}[2]]", ATOM
    return f"ground_{type.component}_{type.board}.next_to({text})", ATOM


# ---------------------------------------------------------------- what a piece would cover


def covering_test(e: Expressions, node: ir.Aggregate) -> Code | None:
    """`any` or `all` over a footprint whose conditions depend only on what is shown there, as a test of sets.

    None for all else. The conditions are worked out for each letter, and for a space without pieces.
    """
    covering = _covering(e, node)
    if covering is None:
        return None
    piece, spot = covering.footprint.args
    name = "meets_bare" if covering.bare else "meets"
    areas = f"areas_{covering.kind}, {f'{covering.first}, ' if covering.bare else ''}{covering.places}"
    call = f"{_ground(covering)}.{name}({areas}, {e.text(piece)}, {e.text(spot)})"
    return (f"not {call}", NOT) if covering.negated else (call, ATOM)


def covering_filter(e: Expressions, selection: ir.Selection) -> str:
    """The spots of a list at which one piece would not cover something, as one call; "" for all other selections."""
    if len(selection.bindings) != 1 or selection.conditions[0] or len(selection.conditions[1]) != 1:
        return ""
    (binding,), (test,) = selection.bindings, selection.conditions[1]
    test = e.shared.body_of(test)
    if not isinstance(binding.local.type, t.SpotType) or binding.before or not isinstance(test, ir.Aggregate):
        return ""
    covering = _covering(e, test)
    if covering is None or covering.bare or not covering.negated:
        return ""
    piece, spot = covering.footprint.args
    if not isinstance(spot, ir.LocalRead) or spot.local is not binding.local or binding.local in free(piece):
        return ""
    places, listed = f"areas_{covering.kind}, {covering.places}", e.items(binding.domain)
    return f"{_ground(covering)}.which_clear({places}, {e.text(piece)}, {listed})"


@frozen
class _Covering:
    """A test of what a footprint meets on the board of a zone.

    first: the place of the area of all pieces of the zone in the list of areas. places: of the areas that it may meet.
    bare: whether spaces where nothing lies count, too. negated: whether it holds where nothing is met.
    """

    footprint: ir.BuiltIn
    kind: str
    first: int
    places: tuple[int, ...]
    bare: bool
    negated: bool


def _ground(covering: _Covering) -> str:
    return f"ground_{covering.kind}_{_inner(covering.footprint.args[1].type).board}"


def _covering(e: Expressions, node: ir.Aggregate) -> _Covering | None:
    selection = node.selection
    if node.kind not in ("any", "all") or len(selection.bindings) != 1:
        return None
    (binding,) = selection.bindings
    domain, space = binding.domain, binding.local
    if not isinstance(domain, ir.BuiltIn) or domain.name != "footprint":
        return None
    conditions = (*selection.conditions[0], *selection.conditions[1])
    looks = [n for n in nodes((conditions, node.body)) if _is_look(n, space)]
    reads = [n for n in nodes((conditions, node.body)) if isinstance(n, ir.LocalRead) and n.local is space]
    zones = {look.args[0].zone for look in looks}
    kind = _inner(domain.args[0].type).name
    if len(zones) != 1 or len(looks) != len(reads) or e.layout.zones[(zone := zones.pop())].zone.component != kind:
        return None
    shape = e.layout.spec.tables[kind].shape
    assert shape is not None
    found: list[int | None] = []
    letters = sorted({ordinal for _, ordinal in shape.letters})
    for letter in (None, *letters):
        met = _holds(e, node, conditions, space, letter)
        if met is None:
            return None
        if met == (node.kind == "any"):
            found.append(letter)
    first = e.layout.laid_areas(zone)
    places = tuple(first + 1 + letter for letter in found if letter is not None)
    if len(places) == len(letters) > 0:
        places = (first,)
    return _Covering(domain, kind, first, places, None in found, node.kind == "all")


def _is_look(node: Any, space: ir.Local) -> bool:
    if not isinstance(node, ir.BuiltIn) or node.name != "shown" or not isinstance(node.args[0], ir.ZoneRead):
        return False
    return isinstance(node.args[1], ir.LocalRead) and node.args[1].local is space


def _holds(
    e: Expressions, node: ir.Aggregate, conditions: tuple[ir.Expr, ...], space: ir.Local, letter: int | None
) -> bool | None:
    """Whether a member with that letter meets what `any` looks for, or what `all` asks; None if that is not known."""
    simplifier = Simplifier(e.layout.options, e.layout.seats, e.layout.spec.enums, lambda call: None)

    def known(expr: ir.Expr) -> bool | None:
        at_letter = replaced(expr, lambda n: ir.Const(letter, type=n.type, span=n.span) if _is_look(n, space) else None)
        value = simplifier.tree(at_letter)
        return bool(value.value) if isinstance(value, ir.Const) else None

    given = [known(c) for c in conditions]
    body = True if node.body is None else known(node.body)
    if body is None or None in given:
        return None
    return all(given) and body if node.kind == "any" else not all(given) or body


LAID_BUILT_INS: dict[str, BuiltInEmitter] = {
    "spot": _spot,
    "spot_for": _spot_for,
    "footprint": _footprint,
    "cells": _cells,
    "shown": _shown,
    "piece_at": _piece_at,
    "port_at": _port_at,
    "ports": _ports,
    "uncovered": _uncovered,
    "port.cell": _cell,
    "port.facing": _facing,
    "port.beyond": _beyond,
    "port.piece": _piece,
}
