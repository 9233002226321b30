"""Built-in functions on boards and on pieces laid on them.

Where a board is an argument, `ir.BuiltIn.args` has `ir.AllOf` of its type; where a zone is, an `ir.ZoneRead`.

    step(s, d) offset(s, dx, dy) middle(a, b)      optional space
    cell(Board, c, r)                              space, optional where column or row may be off the grid
    ray(s, d) neighbours(s) neighbours(s, ds)      list of spaces
    beside(a, b)  steps(a, b)  centre(Board)       bool, optional number, space
    lines(Board, n)                                list of lists of spaces
    turn(d, eighths)  opposite(d)                  direction
    spot(space, turns)  spot_for(port, space, d)   spot, optional spot
    footprint(c, spot)  cells(c)                   list of spaces
    shown(z, s)  piece_at(z, s)  port_at(z, s, d)  optional letter, component, port
    ports(c)  uncovered(z, c)                      list of ports, bool
"""

from __future__ import annotations

from rulespec import checked as ir
from rulespec.check import ranges
from rulespec.check.builtins_base import Handler, arity, built_in
from rulespec.check.context import Scope
from rulespec.check.convert import is_unknown, unknown
from rulespec.check.core import check_expression, infer
from rulespec.check.types import (
    BOOL,
    DIRECTION,
    NUMBER,
    EnumType,
    ListType,
    NumberType,
    OptionalType,
    PortType,
    SpotType,
    TableType,
    Type,
)
from rulespec.check.words import describe, quote
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n


class _Arguments:
    """Reads the arguments of a call by kind; the first space, spot or port tells the board."""

    def __init__(self, node: n.Call, scope: Scope) -> None:
        assert isinstance(node.callee, n.Name)
        self.name = node.callee.id
        self.scope = scope
        self.board: str | None = None
        self.component: str | None = None
        self.failed = False

    def read(self, node: n.Expr, kind: str) -> ir.Expr:
        expr: ir.Expr = getattr(self, f"_{kind}")(node)
        self.failed = self.failed or (is_unknown(expr.type) and not isinstance(expr, ir.AllOf))
        return expr

    def _wrong(self, node: n.Expr, expr: ir.Expr, needed: str, hint: str = "", code: str = "RS430") -> ir.Expr:
        if not is_unknown(expr.type):
            maybe = isinstance(expr.type, OptionalType)
            self.scope.context.reporter.error(
                "RS411" if maybe else code,
                f"{quote(node)} {'may be none' if maybe else f'is {describe(expr.type)}'}, and `{self.name}` needs "
                f"{needed}",
                node.span,
                "test it first, or go through it: `for t in ...`" if maybe else hint,
            )
        return unknown(node.span)

    def _typed(self, node: n.Expr, type: Type) -> ir.Expr:
        return check_expression(node, self.scope, type, f"is needed in `{self.name}`")

    def _space(self, node: n.Expr) -> ir.Expr:
        if self.board is not None:
            return self._typed(node, TableType("board", self.board))
        expr = infer(node, self.scope)
        if isinstance(expr.type, TableType) and expr.type.kind == "board":
            self.board = expr.type.name
            return expr
        return self._wrong(node, expr, "a space of a board")

    def _board(self, node: n.Expr) -> ir.Expr:
        boards = self.scope.context.boards
        if isinstance(node, n.Name) and node.id in boards:
            self.board = node.id
            type = TableType("board", node.id)
            return ir.AllOf(type, type=ListType(type), span=node.span)
        near = did_you_mean(node.id, boards) if isinstance(node, n.Name) else ""
        self.scope.context.reporter.error(
            "RS430", f"`{self.name}` needs the name of a board, not {quote(node)}", node.span, near
        )
        return unknown(node.span)

    def _number(self, node: n.Expr) -> ir.Expr:
        return self._typed(node, NUMBER)

    def _direction(self, node: n.Expr) -> ir.Expr:
        return self._typed(node, DIRECTION)

    def _directions(self, node: n.Expr) -> ir.Expr:
        return self._typed(node, ListType(DIRECTION))

    def _column(self, node: n.Expr) -> ir.Expr:
        columns = self.scope.context.boards[self.board].columns if self.board is not None else None
        return self._typed(node, columns if columns is not None else NUMBER)

    def _spot(self, node: n.Expr) -> ir.Expr:
        if self.board is not None:
            return self._typed(node, SpotType(self.board))
        expr = infer(node, self.scope)
        if isinstance(expr.type, SpotType):
            self.board = expr.type.board
            return expr
        return self._wrong(node, expr, "a spot")

    def _port(self, node: n.Expr) -> ir.Expr:
        expr = infer(node, self.scope)
        if isinstance(expr.type, PortType):
            self.board, self.component = expr.type.board, expr.type.component
            return expr
        return self._wrong(node, expr, "a port")

    def _piece(self, node: n.Expr) -> ir.Expr:
        """A component with a shape; its board is the one that a zone lays it on."""
        context = self.scope.context
        if self.component is not None:
            return self._typed(node, TableType("component", self.component))
        expr = infer(node, self.scope)
        if not isinstance(expr.type, TableType) or expr.type.kind != "component":
            return self._wrong(node, expr, "a component")
        boards = {z.laid_on for z in context.zones.values() if z.component == expr.type.name and z.laid_on}
        if not boards:
            return self._wrong(node, expr, "a piece laid on a board", "its zone says `laid_on: BOARD`")
        self.component = expr.type.name
        if len(boards) == 1:
            self.board = boards.pop()
        return expr

    def _laid(self, node: n.Expr) -> ir.Expr:
        """A zone of pieces laid on a board."""
        expr = infer(node, self.scope)
        declared = self.scope.context.zones[expr.zone] if isinstance(expr, ir.ZoneRead) else None
        if declared is None or not declared.laid_on:
            return self._wrong(node, expr, "a zone with `laid_on`")
        self.board, self.component = declared.laid_on, declared.component
        return expr


_SIGNATURES: dict[str, tuple[str, str, str]] = {
    "step": ("step(s, d)", "space direction", "space?"),
    "ray": ("ray(s, d)", "space direction", "spaces"),
    "offset": ("offset(s, dx, dy)", "space number number", "space?"),
    "lines": ("lines(Board, n)", "board number", "lines"),
    "middle": ("middle(a, b)", "space space", "space?"),
    "steps": ("steps(a, b)", "space space", "number?"),
    "beside": ("beside(a, b)", "space space", "bool"),
    "cell": ("cell(Board, column, row)", "board column number", "cell"),
    "centre": ("centre(Board)", "board", "space"),
    "turn": ("turn(d, eighths)", "direction number", "direction"),
    "opposite": ("opposite(d)", "direction", "direction"),
    "spot": ("spot(space, turns)", "space number", "spot"),
    "spot_for": ("spot_for(port, space, direction)", "port space direction", "spot?"),
    "footprint": ("footprint(c, spot)", "piece spot", "spaces"),
    "cells": ("cells(c)", "piece", "spaces"),
    "shown": ("shown(zone, space)", "laid space", "letter?"),
    "piece_at": ("piece_at(zone, space)", "laid space", "piece?"),
    "port_at": ("port_at(zone, space, direction)", "laid space direction", "port?"),
    "ports": ("ports(c)", "piece", "ports"),
    "uncovered": ("uncovered(zone, c)", "laid piece", "bool"),
}

_ON_GRIDS = ("offset", "middle", "steps", "cell", "centre")
_IN_DIRECTIONS = ("step", "ray", "lines", "neighbours")


def _result(kind: str, read: _Arguments, args: tuple[ir.Expr, ...], scope: Scope) -> Type:
    space = TableType("board", read.board or "")
    piece = TableType("component", read.component or "")
    port = PortType(read.board or "", read.component or "")
    results: dict[str, Type] = {
        "bool": BOOL,
        "number?": OptionalType(ranges.whole(0)),
        "direction": DIRECTION,
        "space": space,
        "space?": OptionalType(space),
        "spaces": ListType(space),
        "lines": ListType(ListType(space)),
        "spot": SpotType(read.board or ""),
        "spot?": OptionalType(SpotType(read.board or "")),
        "letter?": OptionalType(EnumType(f"{read.component} letter")),
        "piece?": OptionalType(piece),
        "port?": OptionalType(port),
        "ports": ListType(port),
    }
    if kind == "cell":
        return space if _on_grid(read.board or "", args, scope) else OptionalType(space)
    return results[kind]


def _on_grid(board: str, args: tuple[ir.Expr, ...], scope: Scope) -> bool:
    """Whether column and row always lie on the grid, and the grid has no holes."""
    shape = scope.context.boards[board]
    if shape.only is not None or shape.drawing:
        return False
    sizes = [shape.rows] if shape.rows is not None else [(None, size) for size in shape.grid or ()]
    numbers = [arg.type for arg in args[-len(sizes) :]] if sizes else []
    for ends, number in zip(sizes, numbers, strict=True):
        assert ends is not None
        low = 1 if ends[0] is None else _const(ends[0])
        high = _const(ends[1])
        if low is None or high is None or not isinstance(number, NumberType):
            return False
        if not ranges.inside(number, ranges.whole(low, high)):
            return False
    return bool(sizes)


def _const(expr: ir.Expr | None) -> int | None:
    return expr.value if isinstance(expr, ir.Const) and isinstance(expr.value, int) else None


def _has_places(name: str, board: str, scope: Scope, node: n.Call) -> bool:
    """Refuses columns and rows of a board without a grid, and directions where none are drawn either."""
    shape = scope.context.boards.get(board)
    if shape is None:
        return True  # there is no such board, which is told where it is named
    if shape.grid is not None or shape.rows is not None:
        return True
    if name in _ON_GRIDS:
        needed, hint = "columns and rows", "`step`, `ray` and `lines` follow the links that are drawn"
    elif name in _IN_DIRECTIONS and not shape.drawing:
        needed, hint = "directions", ""
    else:
        return True
    scope.context.reporter.error(
        "RS437",
        f"`{name}` needs {needed}, and the board `{board}` has none",
        node.span,
        hint if shape.drawing else "`neighbours(s)`, `beside`, `reached` and `distance` go by what is `beside` what",
    )
    return False


def _board_function(name: str) -> Handler:
    form, kinds_text, result = _SIGNATURES[name]
    kinds = kinds_text.split()

    def handler(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
        if not arity(node, scope, form, len(kinds)):
            return unknown(node.span)
        read = _Arguments(node, scope)
        args = tuple(read.read(arg, kind) for arg, kind in zip(node.args, kinds, strict=True))
        if read.failed:
            return unknown(node.span)
        if result in ("port?", "ports", "spaces", "spot?") and read.board is None:
            scope.context.reporter.error(
                "RS430", f"`{name}` cannot tell the board: pieces of this kind lie on several", node.span
            )
            return unknown(node.span)
        if read.board is not None and not _has_places(name, read.board, scope, node):
            return unknown(node.span)
        return built_in(node, args, _result(result, read, args, scope))

    return handler


def _neighbours(node: n.Call, scope: Scope, hint: Type | None) -> ir.Expr:
    if not arity(node, scope, "neighbours(s, directions)", 1, 2):
        return unknown(node.span)
    read = _Arguments(node, scope)
    args = [read.read(node.args[0], "space")]
    args += [read.read(arg, "directions") for arg in node.args[1:]]
    if read.failed:
        return unknown(node.span)
    if len(args) == 2 and not _has_places("neighbours", read.board or "", scope, node):
        return unknown(node.span)
    return built_in(node, tuple(args), ListType(TableType("board", read.board or "")))


BOARD_FUNCTIONS: dict[str, Handler] = {
    **{name: _board_function(name) for name in _SIGNATURES},
    "neighbours": _neighbours,
}
