"""What can only be judged of the whole game: rules that never end, are never used, or do what they may not."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec import checked as ir
from rulespec.check import phases, recursion, secrets, together
from rulespec.check.effects import Analysis, Unit, analyse
from rulespec.check.types import EffectType
from rulespec.check.walk import nodes
from rulespec.diagnostics import Note, Reporter


def check(checked: ir.CheckedSpec, reporter: Reporter) -> None:
    """Reports mistakes in the course of play.

    Args:
        checked: a spec in which every expression and statement is in order.
        reporter: gets what is found.
    """
    effects = analyse(checked)
    roots = list(_roots(checked))
    bodies = [*roots, *(tree for _, tree in _rules(checked))]
    for tree in bodies:
        for node in nodes(tree):
            if isinstance(node, ir.Supposing):
                _supposing(node, effects, reporter)
            elif isinstance(node, ir.While):
                _while(node, effects, reporter)
            elif isinstance(node, ir.Together):
                together.check(node, checked, effects, reporter)
        secrets.check(tree, checked, reporter)
    for action in checked.actions.values():
        _label(action, effects, reporter)
    recursion.check(checked, reporter)
    phases.check(checked, bodies, effects, reporter)
    _unused(checked, roots, effects, reporter)


def _roots(checked: ir.CheckedSpec) -> Iterator[object]:
    """Everything that happens or is read by itself."""
    yield checked.setup
    for phase in phases.every(checked.phases):
        yield phases.bodies(phase)
    for trigger in checked.triggers:
        yield (trigger.when, trigger.do, trigger.only_if)
    yield (checked.result.score, checked.result.payoff, checked.result.rank_by)
    yield tuple(invariant.condition for invariant in checked.invariants)
    for table in checked.tables.values():
        yield (table.all_where, table.copies, table.computed, table.label)
        yield tuple(value for row in table.rows for value in row.values.values() if isinstance(value, ir.Expr))
    for zone in checked.zones.values():
        yield (zone.starts, zone.starts_at, zone.max, zone.only_if)
    for variable in checked.variables.values():
        yield (variable.start, variable.only_if)
    for option in checked.options.values():
        yield option.only_if


def _rules(checked: ir.CheckedSpec) -> Iterator[tuple[Unit, object]]:
    """Rules that are called or offered, with their trees."""
    for function in (*checked.functions.values(), *checked.procedures.values()):
        kind = "procedure" if isinstance(function, ir.Procedure) else "function"
        yield (kind, function.name), (function.layers, function.only_if)
    for action in checked.actions.values():
        pay = tuple(part for cost in action.pay for part in cost)
        yield ("action", action.name), (action.selection, action.when, pay, action.do, action.only_if, action.label)
    for table in checked.tables.values():
        for rule in table.fields.values():
            if rule.params is not None:
                rows = tuple(row.values[rule.name][1] for row in table.rows if rule.name in row.values)
                yield ("rule", f"{table.name}.{rule.name}"), rows


# ---------------------------------------------------------------- labels, supposing, while


def _label(action: ir.Action, effects: Analysis, reporter: Reporter) -> None:
    """An option is named before and after it is done, and apart from any position: by its arguments alone."""
    for part in action.label.parts if action.label is not None else ():
        if isinstance(part, str):
            continue
        acting = any(isinstance(node, ir.LocalRead) and node.local is action.me for node in nodes(part))
        if acting or effects.of(part).reads:
            reporter.error(
                "RS522",
                f"the label of `{action.name}` reads what changes in play",
                part.span,
                "a label names an option by its arguments and what is printed on them",
            )


_FORBIDDEN = (
    ("asks", "may ask somebody to decide"),
    ("chance", "may leave something to chance"),
    ("ends", "may end a phase or the game"),
    ("records", "remembers the position"),
)


def _supposing(node: ir.Supposing, effects: Analysis, reporter: Reporter) -> None:
    found = effects.procedure[node.procedure]
    for flag, does in _FORBIDDEN:
        if getattr(found, flag):
            place = effects.place_of(("procedure", node.procedure), flag)
            notes = (Note("here", place),) if place is not None else ()
            reporter.error(
                "RS514",
                f"`{node.procedure}` cannot be supposed, because it {does}",
                node.span,
                "move what can be supposed into a procedure of its own",
                notes,
            )
            return


def _while(node: ir.While, effects: Analysis, reporter: Reporter) -> None:
    """A loop whose condition nothing in the loop can change, and that nothing leaves."""
    body = effects.of(node.body)
    leaving = (ir.Return, ir.End, ir.Outcome)
    if body.ends or any(isinstance(stmt, leaving) for stmt in nodes(node.body)):
        return
    test = effects.of(node.test)
    if test.reads & body.writes:
        return
    read = {id(n.local) for n in nodes(node.test) if isinstance(n, ir.LocalRead)}
    given = {id(n.local) for n in nodes(node.body) if isinstance(n, (ir.Let, ir.LetCall)) and n.again}
    if read & given:
        return
    reporter.error(
        "RS519",
        "nothing in this loop changes its condition, so it never ends",
        node.test.span,
        "use `if` for doing it once",
    )


# ---------------------------------------------------------------- what nobody uses


def _unused(checked: ir.CheckedSpec, roots: list[object], effects: Analysis, reporter: Reporter) -> None:
    trees = dict(_rules(checked))
    used: set[Unit] = set()
    todo: list[object] = [*roots, *(trees["action", name] for name in checked.actions)]
    state: set[str] = set()
    while todo:
        tree = todo.pop()
        for unit in _called(tree, effects):
            if unit not in used and unit in trees:
                used.add(unit)
                todo.append(trees[unit])
        own = effects.of(tree)
        state |= own.reads | own.writes
    for function in (*checked.functions.values(), *checked.procedures.values()):
        kind = "procedure" if isinstance(function, ir.Procedure) else "function"
        if (kind, function.name) not in used:
            reporter.warning("RS920", f"the {kind} `{function.name}` is never used", function.span)
    remembered = {name for names in checked.records.values() for name in names}
    for variable in checked.variables.values():
        if f"variable {variable.name}" not in state and variable.name not in remembered:
            reporter.warning("RS920", f"the variable `{variable.name}` is never used", variable.span)
    for table in checked.tables.values():
        for rule in table.fields.values():
            if rule.params is not None and ("rule", f"{table.name}.{rule.name}") not in used:
                does = "done" if isinstance(rule.type, EffectType) else "asked"
                reporter.warning("RS920", f"the rule `{rule.name}` of `{table.name}` is never {does}", rule.span)


def _called(tree: object, effects: Analysis) -> set[Unit]:
    supposed = {("procedure", node.procedure) for node in nodes(tree) if isinstance(node, ir.Supposing)}
    return {*effects.calls_in(tree), *supposed}
