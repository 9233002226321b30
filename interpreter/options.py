"""Values of options: from what a caller gives to run-time values, and back to texts."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.check.context import Context
from rulespec.check.evaluate import Env, NotConstantError, evaluate
from rulespec.check.words import describe
from rulespec.diagnostics import Reporter
from rulespec.spelling import did_you_mean


def option_values(spec: ir.CheckedSpec, seats: int, given: Mapping[str, Any]) -> dict[str, Any]:
    """The run-time values of all options.

    Raises:
        ValueError: an unknown option, a value it cannot have, or one given where the option does not apply.
    """
    if not isinstance(given, Mapping):
        raise ValueError(f"options are values by name, not {given!r:.100}")
    for name in given:
        if name not in spec.options:
            hint = did_you_mean(str(name), spec.options) or f"its options are {', '.join(spec.options) or 'none'}"
            raise ValueError(f"{spec.title} has no option `{name}`; {hint}")
    values: dict[str, Any] = {}
    context = Context(spec.source, Reporter(), enums=spec.enums, options=spec.options)
    for name, option in spec.options.items():
        values[name] = option.default
        if name not in given:
            continue
        value = _value(spec, option, given[name])
        if not _applies(option, Env(context, dict(values), seats)) and value != option.default:
            raise ValueError(f"the option `{name}` does not apply to {seats} players with these options")
        values[name] = value
    return values


def _applies(option: ir.Option, env: Env) -> bool:
    try:
        return option.only_if is None or bool(evaluate(option.only_if, env))
    except NotConstantError:
        return True


def _value(spec: ir.CheckedSpec, option: ir.Option, given: Any) -> Any:
    try:
        value = _read(spec, option.type, given)
    except (ValueError, KeyError, ZeroDivisionError):
        raise _wrong(spec, option, given) from None
    allowed = option.declared.values
    if isinstance(option.type, t.NumberType):
        low, high = option.type.low, option.type.high
        if (low is not None and value < low) or (high is not None and value > high):
            raise _wrong(spec, option, given)
    if allowed is not None and not isinstance(option.type, t.SetType) and value not in allowed:
        raise _wrong(spec, option, given)
    if option.pick is not None and not option.pick[0] <= value.bit_count() <= option.pick[1]:
        least, most = option.pick
        raise ValueError(f"the option `{option.name}` takes {least} to {most} values, not {value.bit_count()}")
    return value


def _wrong(spec: ir.CheckedSpec, option: ir.Option, given: Any) -> ValueError:
    if isinstance(option.type, t.EnumType):
        names = spec.enums[option.type.name]
        wanted = f"one of {', '.join(names[i] for i in option.declared.values or range(len(names)))}"
    else:
        wanted = describe(option.type)
    return ValueError(f"the option `{option.name}` is {wanted}, not `{given}`")


def _read(spec: ir.CheckedSpec, type: t.Type, given: Any) -> Any:
    match type:
        case t.BoolType():
            if isinstance(given, bool):
                return given
            return {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False,
                    "0": False}[str(given).lower()]  # fmt: skip
        case t.EnumType(name):
            return spec.enums[name].index(str(given))
        case t.NumberType(step=step):
            if isinstance(given, bool):
                raise ValueError
            number = Fraction(str(given))
            if step and number % step:
                raise ValueError
            return int(number) if number.denominator == 1 else number
        case t.OptionalType(item):
            return None if given in (None, "none") else _read(spec, item, given)
        case t.SetType(item):
            parts = given if isinstance(given, (list, tuple, set, frozenset)) else str(given).strip("[]").split(",")
            mask = 0
            for part in parts:
                if str(part).strip():
                    mask |= 1 << _read(spec, item, part.strip() if isinstance(part, str) else part)
            return mask
    raise ValueError


def option_texts(spec: ir.CheckedSpec, values: Mapping[str, Any]) -> dict[str, str]:
    """The options as texts that `option_values` reads back."""
    return {name: _text(spec, spec.options[name].type, value) for name, value in values.items()}


def _text(spec: ir.CheckedSpec, type: t.Type, value: Any) -> str:
    match type:
        case t.BoolType():
            return "true" if value else "false"
        case t.EnumType(name):
            return str(spec.enums[name][value])
        case t.OptionalType(item):
            return "none" if value is None else _text(spec, item, value)
        case t.SetType(item):
            return ",".join(_text(spec, item, i) for i in range(value.bit_length()) if value >> i & 1)
    return str(value)
