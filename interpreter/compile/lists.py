"""Options of one action as a list comprehension, which is quicker than loops that add to a list."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from interpreter.compile.loops import End, Guard, Known, Loop, emit_items, hoist, swapped
from interpreter.compile.schemas import MOST_LISTED
from interpreter.compile.trees import free, is_entry, is_read, shape
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.walk import nodes

if TYPE_CHECKING:
    from interpreter.compile.statements import Statements


def as_list(e: Statements, plan: list[Any], params: Iterable[ir.Local]) -> str:
    """The list that a plan fills, as a comprehension, after lines with what is known before it; "" for other plans.

    Its innermost part must have an `item`.
    """
    hoist(plan, set(params), e.layout.spec)
    *before, last = plan or [None]
    if not all(isinstance(item, Known) for item in before):
        return ""
    side_by_side = _zipped(e, last)
    if side_by_side:
        emit_items(e, before)
        return side_by_side
    clauses: list[str] = []
    cut: Loop | None = None
    """The innermost loop, if its members are all taken."""
    while isinstance(last, Loop | Guard):
        if len(last.body) != 1 or (isinstance(last, Guard) and not clauses):
            return ""
        if isinstance(last, Loop):
            heads = e.heads(last.binding, last.items)
            if not all(head.startswith("for ") for head in heads):
                return ""
            clauses += [head[:-1] for head in heads]
            cut = last
        else:
            clauses.append(f"if {' and '.join(e.test(c, 2) for c in last.conditions)}")
            cut = None
        (last,) = last.body
    if not isinstance(last, End) or last.item is None or not clauses:
        return ""
    emit_items(e, before)
    if cut is not None and (listed := _slice(e, cut, last)):
        if len(clauses) == 1:
            return listed
        option = e.names.fresh("option")
        return f"[{option} {' '.join(clauses[:-1])} for {option} in {listed}]"
    return f"[{last.item(last.exprs)} {' '.join(clauses)}]"


def _slice(e: Statements, loop: Loop, end: End) -> str:
    """The options of a loop over numbers that are the last argument: neighbours in the table of options."""
    domain, local = loop.binding.domain, loop.binding.local
    if not isinstance(domain, ir.RangeOf) or domain.down or end.item is None or not end.exprs:
        return ""
    *others, last = end.exprs
    if not is_read(last, local) or local in free(tuple(others)):
        return ""
    ends = (domain.first.type, domain.last.type)
    if not all(isinstance(kind, t.NumberType) and kind.step == 1 for kind in ends):
        return ""
    first, most = ends[0].high, ends[1].low  # type: ignore[attr-defined]
    if first is None or most is None or most < first - 1:
        return ""  # the end might be counted from the back
    table, _, start = end.item((*others, domain.first)).partition("[")
    _, _, stop = end.item((*others, domain.last)).partition("[")
    if not e.layout.is_finite(local.type) or start.startswith("("):
        return ""
    size = e.plan.schemas.all[int(table[1:])].size
    if size is None or size > MOST_LISTED:
        return ""  # it is no list
    return f"{table}[{start[:-1]}:{_plus_one(stop[:-1])}]"


def _plus_one(text: str) -> str:
    """A sum in Python with one more."""
    head, sign, number = text.rpartition(" - ")
    if sign and number.isdigit():
        return head if number == "1" else f"{head} - {int(number) - 1}"
    return str(int(text) + 1) if text.isdigit() else f"{text} + 1"


def _zipped(e: Statements, loop: Any) -> str:
    """The options of an action of one parameter, where its value only picks one entry of each of some variables.

    Options and variables are then gone through side by side, without counting.
    """
    if not isinstance(loop, Loop) or len(loop.body) != 1 or not _is_whole(e, loop.binding):
        return ""
    guard, local = loop.body[0], loop.binding.local
    (end,) = guard.body if isinstance(guard, Guard) and len(guard.body) == 1 else (None,)
    if not isinstance(end, End) or end.item is None:
        return ""
    if len(end.exprs) != 1 or not isinstance(end.exprs[0], ir.LocalRead) or end.exprs[0].local is not local:
        return ""
    domain = e.layout.domain(local.type)
    shift = f" - {domain.low}" if domain.low > 0 else f" + {-domain.low}" if domain.low else ""
    table, _, place = end.item(end.exprs).partition("[")
    if place != f"{e.names.of(local)}{shift}]" or domain.size > MOST_LISTED:
        return ""
    lists: dict[str, ir.Local] = {}
    conditions = list(guard.conditions)
    for node in nodes(tuple(conditions)):
        if isinstance(node, ir.VarRead) and is_entry(node, local):
            (per,) = e.layout.variables[node.variable].per
            if (per.low, per.size) == (domain.low, domain.size):
                lists.setdefault(f"v_{node.variable}", ir.Local(node.variable, node.type))
                read = ir.LocalRead(lists[f"v_{node.variable}"], type=node.type, span=node.span)
                conditions = [swapped(c, shape(node), read, False) for c in conditions]
    if not lists or local in free(tuple(conditions)):
        return ""
    option = e.names.fresh("option")
    names = ", ".join([option, *(e.names.of(entry) for entry in lists.values())])
    tests = " and ".join(e.test(c, 2) for c in conditions)
    return f"[{option} for {names} in zip({', '.join([table, *lists])}) if {tests}]"


def _is_whole(e: Statements, binding: ir.Binding) -> bool:
    """Whether a loop goes over all values of its local's type, in order."""
    if not e.layout.is_finite(binding.local.type):
        return False
    domain = e.layout.domain(binding.local.type)
    match binding.domain:
        case ir.AllOf(start=None, of=of):
            return e.layout.domain(of).size == domain.size
        case ir.RangeOf(first=ir.Const(value=first), last=ir.Const(value=last), down=False):
            return (first, last) == (domain.low, domain.low + domain.size - 1)
    return False
