"""The checker as a whole: from a spec as written to a checked spec, in passes.

Names and types of all declarations come first, then the values in rows, then the bodies of functions (in
the order in which they call each other), of procedures, triggers, actions and phases, and last what can
only be judged of the whole game.
"""

from __future__ import annotations

from attrs import evolve

from rulespec import checked as ir
from rulespec.check import flow
from rulespec.check.bodies import (
    Functions,
    check_actions,
    check_procedures,
    check_row_rules,
    check_triggers,
    declare_actions,
)
from rulespec.check.context import Context
from rulespec.check.course import (
    acting_phases,
    check_invariants,
    check_phases,
    check_result,
    check_setup,
)
from rulespec.check.declarations import check_table_texts, compute_columns, declare, read_values
from rulespec.check.fixed import check_fixed
from rulespec.check.tables import table_entries
from rulespec.diagnostics import Reporter
from rulespec.spec import model as m


def check_spec(spec: m.Spec, reporter: Reporter) -> ir.CheckedSpec | None:
    """Checks a spec.

    Args:
        spec: a merged spec without mistakes of form.
        reporter: gets everything that is wrong, and warnings.

    Returns:
        The checked spec, or None if there is an error.
    """
    return check_with_context(spec, reporter)[0]


def check_with_context(spec: m.Spec, reporter: Reporter) -> tuple[ir.CheckedSpec | None, Context]:
    """As `check_spec`, with what further bodies over the same declarations are checked in (scenarios)."""
    context = Context(spec, reporter)
    declare(context)
    if any(zone.component not in context.tables for zone in context.zones.values()):
        return None, context  # nothing is known of what lies there
    tables = table_entries(spec)
    functions = Functions(context)
    for table in tables:
        compute_columns(table, context)
    read_values(context)
    checked_functions = functions.check_all()
    check_fixed(context, checked_functions)
    for table in tables:
        check_table_texts(table, context)
    scopes = declare_actions(context)
    for table in tables:
        check_row_rules(table, context)
    procedures = check_procedures(context)
    check_actions(scopes, context)
    triggers = check_triggers(context, acting_phases(spec.phases))
    phases = check_phases(context)
    setup = check_setup(context)
    result = check_result(context)
    invariants = check_invariants(context)
    broken = reporter.failed
    if broken:
        return None, context
    checked = ir.CheckedSpec(
        source=spec,
        warnings=(),
        options=context.options,
        enums=context.enums,
        tables=_in_order(context),
        boards=context.boards,
        constants=context.constants,
        zones=context.zones,
        variables=context.variables,
        records=context.records,
        functions=checked_functions,
        procedures=procedures,
        triggers=triggers,
        actions=context.actions,
        phases=phases,
        setup=setup,
        result=result,
        invariants=invariants,
    )
    flow.check(checked, reporter)
    if reporter.failed:
        return None, context
    return evolve(checked, warnings=reporter.diagnostics), context


def _in_order(context: Context) -> dict[str, ir.Table]:
    """Tables in the order of the spec: types, boards, components."""
    spec = context.spec
    names = [*spec.types, *spec.boards, *spec.components]
    return {name: context.tables[name] for name in names if name in context.tables}
