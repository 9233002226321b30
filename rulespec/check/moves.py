"""Statements that move components, tokens and values about."""

from __future__ import annotations

from fractions import Fraction

import attrs

from rulespec import checked as ir
from rulespec.check import names
from rulespec.check.blocks import Done, refuse_in_function, statement
from rulespec.check.context import Scope
from rulespec.check.convert import bare, fits, is_unknown
from rulespec.check.core import check_expression, infer
from rulespec.check.ranges import whole
from rulespec.check.types import (
    ROW_END,
    STACK_END,
    ListType,
    NumberType,
    OptionalType,
    SetType,
    SpotType,
    TableType,
    Type,
)
from rulespec.check.words import article, describe, listed, quote, spell
from rulespec.spelling import did_you_mean
from rulespec.syntax import nodes as n

AMOUNT = NumberType(Fraction(0), None, Fraction(0))
"""Any number that is not negative."""


def _component(node: n.Expr, scope: Scope, verb: str, plural: str = "") -> tuple[ir.Expr, TableType] | None:
    """A component or an optional one, with its kind; None after a report."""
    what = infer(node, scope)
    if is_unknown(what.type):
        return None
    kind = bare(what.type)
    if isinstance(kind, TableType) and kind.kind == "component":
        return what, kind
    hint = ""
    if isinstance(kind, (ListType, SetType)) and plural:
        hint = plural if isinstance(what, ir.ZoneRead) else f"write `for c in {spell(node)}:` and {verb} each"
    elif isinstance(kind, NumberType) and verb == "move":
        hint = "a counter is moved by `move n of A to B`"
    scope.context.reporter.error(
        "RS445", f"{quote(node)} is {describe(what.type)}, and `{verb}` needs a component", node.span, hint
    )
    return None


def zone(node: n.Expr, scope: Scope, kind: Type | None, use: str) -> ir.ZoneRead | None:
    """An instance of a zone, or None after a report.

    Args:
        node: as written.
        scope: where it stands.
        kind: the kind of component, which says whose box `box` is.
        use: ends the message where it is no zone: "components move to one".
    """
    base = node.base if isinstance(node, n.Index) else node
    context = scope.context
    local = isinstance(base, n.Name) and scope.find(base.id) is not None
    if isinstance(base, n.Name) and not local and (base.id in context.zones or base.id == "box"):
        declared = names.find_zone(base.id, scope, node.span, kind)
        if declared is None:
            return None
        indices = node.indices if isinstance(node, n.Index) else ()
        checked = names.check_indices(f"the zone `{base.id}`", base.id, declared.per, indices, scope, node.span)
        if checked is None:
            return None
        return ir.ZoneRead(declared.name, checked, type=names.zone_type(declared), span=node.span)
    if isinstance(base, n.Name) and not local and not names.is_known(base.id, scope):
        if base.id not in context.reported:
            context.reported.add(base.id)
            near = did_you_mean(base.id, [name for name in context.zones if " " not in name])
            context.reporter.error("RS301", f"there is no zone `{base.id}`", base.span, near)
        return None
    expr = infer(node, scope)
    if is_unknown(expr.type):
        return None
    hint = ""
    if isinstance(expr, ir.VarRead):
        hint = f"a variable is given a value: `{spell(node)} = ...`"
    context.reporter.error("RS446", f"{quote(node)} is {describe(expr.type)}, not a zone, and {use}", node.span, hint)
    return None


def _same_kind(place: ir.ZoneRead, kind: TableType, node: n.Expr, scope: Scope) -> bool:
    """Whether the zone holds that kind of component; a report if not."""
    held = scope.context.zones[place.zone].component
    if held == kind.name:
        return True
    scope.context.reporter.error(
        "RS447", f"the zone `{place.zone}` holds {held}, and {article(kind.name)} cannot lie there", node.span
    )
    return False


def _component_type(place: ir.ZoneRead) -> TableType:
    kind = place.type.item if isinstance(place.type, (ListType, OptionalType)) else place.type
    assert isinstance(kind, TableType)
    return kind


# ---------------------------------------------------------------- move


@statement.register
def _move(node: n.Move, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    found = _component(node.what, scope, "move", f"write `move all {spell(node.what)} to ...`")
    if found is None:
        return Done(())
    target = zone(node.to, scope, found[1], "components move to zones")
    if target is None:
        return Done(())
    at = _place(node.at, target, node, scope) if node.after is None else None
    after = _after(node, target, scope) if node.after is not None else None
    if not _same_kind(target, found[1], node.to, scope):
        return Done(())
    return Done((ir.Move(found[0], target.zone, target.indices, at, after, span=node.span),))


def _place(at: n.Expr | None, target: ir.ZoneRead, node: n.Stmt, scope: Scope) -> ir.Expr | None:
    """What stands after `at`: an end of a row or stack, or a spot."""
    declared = scope.context.zones[target.zone]
    error = scope.context.reporter.error
    if declared.laid_on:
        if at is None:
            error(
                "RS448", f"pieces in `{target.zone}` lie on {declared.laid_on}, so a spot is needed", node.span,
                f"write `at SPOT`, a value of `{declared.laid_on}.Spot`",
            )  # fmt: skip
            return None
        return check_expression(at, scope, SpotType(declared.laid_on), "is needed after `at`")
    if at is None:
        return None
    ends: dict[str, Type] = {"row": ROW_END, "stack": STACK_END}
    if declared.slot or declared.order not in ends:
        why = "holds one component only" if declared.slot else "has no order"
        error("RS448", f"the zone `{target.zone}` {why}, so `at` means nothing", at.span, "leave it out")
        return None
    if isinstance(at, n.Name) and scope.find(at.id) is None and at.id in ("left", "right", "top", "bottom"):
        fits_order = at.id in scope.context.enums[ends[declared.order].name]  # type: ignore[attr-defined]
        if not fits_order:
            sides = "left or right" if declared.order == "row" else "top or bottom"
            error(
                "RS448", f"the zone `{target.zone}` is a {declared.order}, with no {at.id}", at.span, f"write {sides}"
            )
            return None
    return check_expression(at, scope, ends[declared.order], "is needed after `at`")


def _after(node: n.Move, target: ir.ZoneRead, scope: Scope) -> ir.Expr | None:
    assert node.after is not None
    error = scope.context.reporter.error
    if node.at is not None:
        error("RS448", "a component moves `at` a place or `after` another, not both", node.after.span)
        return None
    declared = scope.context.zones[target.zone]
    if declared.order != "row":
        error("RS448", f"the zone `{target.zone}` is not a row, so `after` means nothing", node.after.span)
        return None
    return check_expression(node.after, scope, TableType("component", declared.component), "is needed after `after`")


@statement.register
def _move_all(node: n.MoveAll, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    source = zone(node.what, scope, None, "`move all` empties one")
    kind = _component_type(source) if source is not None else None
    target = zone(node.to, scope, kind, "components move to zones")
    if source is None or target is None or kind is None:
        return Done(())
    at = _place(node.at, target, node, scope)
    if not _same_kind(target, kind, node.to, scope):
        return Done(())
    return Done((ir.MoveAll(source, target.zone, target.indices, at, span=node.span),))


@statement.register
def _remove(node: n.Remove, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    if node.everything:
        source = zone(node.what, scope, None, "`remove all` empties one")
        if source is None:
            return Done(())
        box = f"box {_component_type(source).name}"
        return Done((ir.MoveAll(source, box, (), span=node.span),))
    found = _component(node.what, scope, "remove", f"write `remove all {spell(node.what)}`")
    return Done((ir.Move(found[0], f"box {found[1].name}", (), span=node.span),) if found else ())


@statement.register
def _draw(node: n.DrawCards, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    amount = check_expression(node.amount, scope, whole(), "is the number of cards")
    source = zone(node.source, scope, None, "cards are drawn from one")
    kind = _component_type(source) if source is not None else None
    target = zone(node.target, scope, kind, "cards are drawn to one")
    if source is None or target is None or kind is None:
        return Done(())
    if not _is_stack(source, node.source, "cards are drawn from the top of a stack", scope):
        return Done(())
    if scope.context.zones[target.zone].laid_on:
        _place(None, target, node, scope)
        return Done(())
    if not _same_kind(target, kind, node.target, scope):
        return Done(())
    return Done((ir.Draw(amount, source, target.zone, target.indices, span=node.span),))


def _is_stack(place: ir.ZoneRead, node: n.Expr, why: str, scope: Scope) -> bool:
    declared = scope.context.zones[place.zone]
    if declared.order == "stack":
        return True
    scope.context.reporter.error(
        "RS448", f"the zone `{place.zone}` is not a stack, and {why}", node.span, "declare it with `order: stack`"
    )
    return False


@statement.register
def _shuffle(node: n.Shuffle, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    done = []
    for written in node.zones:
        place = zone(written, scope, None, "only zones are shuffled")
        if place is not None and _is_stack(place, written, "only a stack has an order to shuffle", scope):
            done.append(ir.Shuffle(place, span=node.span))
    return Done(tuple(done))


@statement.register
def _turn(node: n.TurnOver, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    found = _component(node.what, scope, "turn", f"write `for c in {spell(node.what)}:` and turn each")
    if found is None:
        return Done(())
    what, kind = found
    error = scope.context.reporter.error
    faces = scope.context.tables[kind.name].faces
    if isinstance(what.type, OptionalType):
        error(
            "RS411", f"{quote(node.what)} may be none, and `turn` needs a component", node.what.span,
            "test it first, or go through it: `for c in ...:`",
        )  # fmt: skip
        return Done(())
    if not faces:
        error("RS448", f"{article(kind.name)} has one face only", node.what.span, f"declare `faces:` of `{kind.name}`")
        return Done(())
    if node.face is None:
        return Done((ir.TurnOver(what, None, span=node.span),))
    if not isinstance(node.face, n.Name) or node.face.id not in faces:
        shown = listed((f"`{face}`" for face in faces), "or")
        error("RS448", f"{quote(node.face)} is no face of {article(kind.name)}", node.face.span, f"write {shown}")
        return Done(())
    return Done((ir.TurnOver(what, node.face.id, span=node.span),))


# ---------------------------------------------------------------- counters


def _variable(node: n.Expr, scope: Scope, verb: str) -> ir.VarRead | None:
    """A variable's entry, or None after a report."""
    read = infer(node, scope)
    if is_unknown(read.type):
        return None
    if isinstance(read, ir.VarRead):
        declared = scope.context.variables[read.variable].type
        return read if read.type == declared else attrs.evolve(read, type=declared)
    hint = "components are moved by `move c to z` or `move all z to z`" if isinstance(read, ir.ZoneRead) else ""
    scope.context.reporter.error(
        "RS449", f"{quote(node)} is {describe(read.type)}, not a variable, and `{verb}` needs one", node.span, hint
    )
    return None


@statement.register
def _move_tokens(node: n.MoveTokens, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    amount = None
    if node.amount is not None:
        amount = check_expression(node.amount, scope, AMOUNT, "is the amount")
    verb = "move ... of" if node.amount is not None else "move all of"
    source, target = _variable(node.source, scope, verb), _variable(node.target, scope, verb)
    if source is None or target is None:
        return Done(())
    for read, written in ((source, node.source), (target, node.target)):
        if not isinstance(read.type, NumberType):
            scope.context.reporter.error(
                "RS449", f"`{read.variable}` is {describe(read.type)}, and `{verb}` needs a number", written.span
            )
            return Done(())
    return Done((ir.MoveTokens(amount, source, target, span=node.span),))


@statement.register
def _swap(node: n.Swap, scope: Scope, rest: n.Block) -> Done:
    if refuse_in_function(node, scope):
        return Done(())
    first, second = _variable(node.first, scope, "swap"), _variable(node.second, scope, "swap")
    if first is None or second is None:
        return Done(())
    if not fits(first.type, second.type) or not fits(second.type, first.type):
        scope.context.reporter.error(
            "RS449",
            f"`{first.variable}` is {describe(first.type)} and `{second.variable}` is {describe(second.type)}, "
            "so their values cannot be swapped",
            node.span,
        )
        return Done(())
    return Done((ir.Swap(first, second, span=node.span),))
