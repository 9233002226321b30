"""Built-in functions of the rules language as Python source."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from rulespec import checked as ir
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.compile.expressions import Code, Expressions

ATOM, TERNARY, SUM, PRODUCT = 11, 0, 8, 9

BuiltInEmitter = Callable[["Expressions", ir.BuiltIn], "Code"]
BUILT_INS: dict[str, BuiltInEmitter] = {}


def _built_in(*names: str) -> Callable[[BuiltInEmitter], BuiltInEmitter]:
    def add(function: BuiltInEmitter) -> BuiltInEmitter:
        for name in names:
            BUILT_INS[name] = function
        return function

    return add


# ---------------------------------------------------------------- seats


@_built_in("turn_player")
def _turn_player(e: Expressions, node: ir.BuiltIn) -> Code:
    return "S.turn", ATOM


@_built_in("first_player")
def _first_player(e: Expressions, node: ir.BuiltIn) -> Code:
    return "0", ATOM


@_built_in("winners")
def _winners(e: Expressions, node: ir.BuiltIn) -> Code:
    return "S.winners", ATOM


@_built_in("opponent")
def _opponent(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"1 - {e.text(node.args[0], PRODUCT)}", SUM


@_built_in("next", "previous")
def _next(e: Expressions, node: ir.BuiltIn) -> Code:
    if len(node.args) == 1 and e.layout.seats == 2:
        return f"1 - {e.text(node.args[0], PRODUCT)}", SUM
    step = e.text(node.args[1], PRODUCT) if len(node.args) > 1 else "1"
    sign = "+" if node.name == "next" else "-"
    return f"({e.text(node.args[0], SUM)} {sign} {step}) % {e.layout.seats}", PRODUCT


@_built_in("turn_from", "turn_after")
def _turn_from(e: Expressions, node: ir.BuiltIn) -> Code:
    seat, among, step = node.args
    start = e.text(seat)
    if node.name == "turn_after":
        start = f"({e.text(seat, SUM)} + {e.text(step, SUM)}) % {e.layout.seats}"
    return f"turn_from({start}, {e.items(among)}, {e.text(step)}, {e.layout.seats})", ATOM


@_built_in("face")
def _face(e: Expressions, node: ir.BuiltIn) -> Code:
    (component,) = node.args
    assert isinstance(component.type, t.TableType)
    return f"face_{component.type.name}[{e.text(component)}]", ATOM


@_built_in("others")
def _others(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"seats_from[{e.text(node.args[0])}][1:]", ATOM


# ---------------------------------------------------------------- numbers and collections


@_built_in("abs", "floor")
def _plain(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"{node.name}({e.text(node.args[0])})", ATOM


@_built_in("min", "max")
def _extreme(e: Expressions, node: ir.BuiltIn) -> Code:
    if len(node.args) > 1:
        if len(node.args) == 2 and all(_simple(e.text(a)) for a in node.args):
            a, b = (e.text(x) for x in node.args)
            return f"{a} if {a} {'<' if node.name == 'min' else '>'} {b} else {b}", TERNARY
        return f"{node.name}({', '.join(e.text(a) for a in node.args)})", ATOM
    only = node.args[0]
    if isinstance(only, ir.ListOf) and only.items:
        if len(only.items) == 1:
            return e.code(only.items[0])
        return _extreme(e, ir.BuiltIn(node.name, only.items, type=node.type, span=node.span))
    return f"{node.name}({e.items(only)}, default=None)", ATOM


def _simple(text: str) -> bool:
    return text.replace("_", "").replace("-", "").isalnum()


@_built_in("sum")
def _sum(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"norm(sum({e.items(node.args[0])}))", ATOM


@_built_in("count")
def _count(e: Expressions, node: ir.BuiltIn) -> Code:
    only = node.args[0]
    if isinstance(only.type, t.SetType):
        return f"{e.text(only, ATOM)}.bit_count()", ATOM
    return f"len({e.collection(only)[0]})", ATOM


@_built_in("first", "last")
def _end_item(e: Expressions, node: ir.BuiltIn) -> Code:
    only = node.args[0]
    if isinstance(only, ir.ZoneRead):
        stack = e.layout.zones[only.zone].zone.order == "stack"
        return _zone_end(e, only, last=(node.name == "last") != stack)
    if isinstance(only.type, t.OptionalType):
        return e.code(only)
    return f"{node.name}_of({e.items(only)})", ATOM


@_built_in("any")
def _any(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"bool({e.collection(node.args[0])[0]})", ATOM


@_built_in("those")
def _those(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"unique({e.items(node.args[0])})", ATOM


@_built_in("nth")
def _nth(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"nth({e.items(node.args[0])}, {e.text(node.args[1])})", ATOM


@_built_in("number")
def _number(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"{e.text(node.args[0], SUM)} + 1", SUM


# ---------------------------------------------------------------- zones


def zone_end(e: Expressions, node: ir.Expr) -> tuple[str, str] | None:
    """For the component at an end of a zone: the zone's list and its item, as Python; None for other expressions."""
    if not isinstance(node, ir.BuiltIn) or not node.args or not isinstance(node.args[0], ir.ZoneRead):
        return None
    zone = node.args[0]
    stack = e.layout.zones[zone.zone].zone.order == "stack"
    match node:
        case ir.BuiltIn(name="top"):
            place = -1
        case ir.BuiltIn(name="bottom"):
            place = 0
        case ir.BuiltIn(name="end", args=(_, ir.Const(value=side))):
            place = -1 if side else 0
        case ir.BuiltIn(name="first" | "last" as name):
            place = -1 if (name == "last") != stack else 0
        case _:
            return None
    raw = e.raw_zone(zone)
    return None if "(" in raw else (raw, f"{raw}[{place}]")


def _zone_end(e: Expressions, zone: ir.Expr, last: bool) -> Code:
    assert isinstance(zone, ir.ZoneRead)
    raw = e.raw_zone(zone)
    if "(" in raw:
        return f"{'last' if last else 'first'}_of({raw})", ATOM
    return f"{raw}[{-1 if last else 0}] if {raw} else None", TERNARY


@_built_in("top")
def _top(e: Expressions, node: ir.BuiltIn) -> Code:
    return _zone_end(e, node.args[0], last=True)


@_built_in("bottom")
def _bottom(e: Expressions, node: ir.BuiltIn) -> Code:
    return _zone_end(e, node.args[0], last=False)


@_built_in("end")
def _row_end(e: Expressions, node: ir.BuiltIn) -> Code:
    zone, side = node.args
    assert isinstance(zone, ir.ZoneRead)
    if isinstance(side, ir.Const):
        return _zone_end(e, zone, last=side.value == 1)
    raw = e.raw_zone(zone)
    return f"{raw}[-{e.text(side, PRODUCT)}] if {raw} else None", TERNARY


@_built_in("left_neighbour", "right_neighbour")
def _neighbour(e: Expressions, node: ir.BuiltIn) -> Code:
    zone, component = node.args
    assert isinstance(zone, ir.ZoneRead)
    offset = -1 if node.name == "left_neighbour" else 1
    return f"neighbour({e.raw_zone(zone)}, {e.text(component)}, {offset})", ATOM


# ---------------------------------------------------------------- boards


def _board(node: ir.BuiltIn) -> str:
    """The board that an argument or the result belongs to."""
    for type in (*(a.type for a in node.args), node.type):
        inner = type
        while isinstance(inner, t.OptionalType | t.ListType | t.SetType):
            inner = inner.item
        if isinstance(inner, t.TableType) and inner.kind == "board":
            return inner.name
    raise AssertionError(f"{node.name} has no board")


@_built_in("step", "ray")
def _step(e: Expressions, node: ir.BuiltIn) -> Code:
    space, direction = node.args
    return f"{node.name}_{_board(node)}[{e.text(space)}][{e.text(direction)}]", ATOM


@_built_in("neighbours")
def _neighbours(e: Expressions, node: ir.BuiltIn) -> Code:
    board = _board(node)
    if len(node.args) == 1:
        return f"beside_{board}[{e.text(node.args[0])}]", ATOM
    return f"neighbours_in(step_{board}[{e.text(node.args[0])}], {e.items(node.args[1])})", ATOM


@_built_in("beside")
def _beside(e: Expressions, node: ir.BuiltIn) -> Code:
    a, b = node.args
    return f"{e.text(b, 5)} in beside_{_board(node)}[{e.text(a)}]", 4


@_built_in("offset", "middle", "steps")
def _geometry(e: Expressions, node: ir.BuiltIn) -> Code:
    if e.shared.tabulator is not None and (table := e.shared.tabulator.call(node)) is not None:
        return e.code(table)
    return f"geometry_{_board(node)}.{node.name}({', '.join(e.text(a) for a in node.args)})", ATOM


@_built_in("cell")
def _cell(e: Expressions, node: ir.BuiltIn) -> Code:
    if e.shared.tabulator is not None and (table := e.shared.tabulator.call(node)) is not None:
        return e.code(table)
    args = ", ".join(e.text(a) for a in node.args[-2:])
    return f"geometry_{_board(node)}.cell({args})", ATOM


@_built_in("centre")
def _centre(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"geometry_{_board(node)}.centre()", ATOM


@_built_in("lines")
def _lines(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"geometry_{_board(node)}.lines({e.text(node.args[-1])})", ATOM


@_built_in("turn")
def _turn(e: Expressions, node: ir.BuiltIn) -> Code:
    direction, eighths = node.args
    return f"({e.text(direction, SUM)} + {e.text(eighths, PRODUCT)}) % 8", PRODUCT


@_built_in("opposite")
def _opposite(e: Expressions, node: ir.BuiltIn) -> Code:
    return f"({e.text(node.args[0], SUM)} + 4) % 8", PRODUCT


@_built_in("orthogonal")
def _orthogonal(e: Expressions, node: ir.BuiltIn) -> Code:
    return "(0, 2, 4, 6)", ATOM


@_built_in("diagonal")
def _diagonal(e: Expressions, node: ir.BuiltIn) -> Code:
    return "(1, 3, 5, 7)", ATOM


@_built_in("all_directions")
def _all_directions(e: Expressions, node: ir.BuiltIn) -> Code:
    return "(0, 1, 2, 3, 4, 5, 6, 7)", ATOM


# ---------------------------------------------------------------- memory


@_built_in("times")
def _times(e: Expressions, node: ir.BuiltIn) -> Code:
    (record,) = node.args
    assert isinstance(record, ir.Const)
    return f"S.memory_{record.value}.count(position_{record.value}(S))", ATOM
