"""Makes tables.json of grammar.lark: `python -m rulespec.syntax.generate` after every change of the grammar."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import Any

from rulespec.syntax.build import Builder
from rulespec.syntax.tables import checksum, read_grammar

STARTS = [
    "expression",
    "selection",
    "block",
    "type",
    "signature",
    "field_decl",
    "event",
    "grid",
    "rank",
    "pay",
    "repeat",
]
KINDS = {
    "NAME": "NAME",
    "NUMBER": "NUMBER",
    "TEXT": "TEXT",
    "_NEWLINE": "NEWLINE",
    "_INDENT": "INDENT",
    "_DEDENT": "DEDENT",
    "$END": "END",
}


def make(grammar: str) -> dict[str, Any]:
    """The tables of a grammar, the same in every process: see `tables.Tables`."""
    from lark import Lark

    lark: Any = Lark(grammar, parser="lalr", lexer="basic", start=STARTS, keep_all_tokens=True, maybe_placeholders=True)
    table = lark.parser.parser._parse_table
    names = KINDS | {t.name: t.pattern.value for t in lark.terminals if t.pattern is not None}
    rules = {rule: number for number, rule in enumerate(sorted({_rule(rule) for rule in lark.rules}))}
    numbers = _numbers(table, names)
    states = []
    for state in numbers:
        shifts: dict[str, int] = {}
        gotos: dict[str, int] = {}
        reductions: dict[int, list[str]] = {}
        for symbol, target in _steps(table, names, state):
            if hasattr(target, "expansion"):
                reductions.setdefault(rules[_rule(target)], []).append(names[symbol])
            elif symbol in names:
                shifts[names[symbol]] = numbers[target]
            else:
                gotos[symbol] = numbers[target]
        if state in table.end_states.values():
            shifts["END"] = numbers[state]
        states.append([shifts, gotos, sorted(reductions.items())])
    return {
        "grammar": checksum(grammar),
        "starts": {start: numbers[table.start_states[start]] for start in STARTS},
        "rules": [json.loads(rule) for rule in rules],
        "states": states,
    }


def _numbers(table: Any, names: dict[str, str]) -> dict[Any, int]:
    """New numbers for the states, in the order in which they are met: lark's own are by chance."""
    waiting = deque(table.start_states[start] for start in STARTS)
    numbers: dict[Any, int] = {}
    while waiting:
        state = waiting.popleft()
        if state not in numbers:
            numbers[state] = len(numbers)
            steps = _steps(table, names, state)
            waiting.extend(target for _, target in steps if not hasattr(target, "expansion"))
    return numbers


def _steps(table: Any, names: dict[str, str], state: Any) -> list[tuple[str, Any]]:
    """What symbols lead to, states or rules: first the names of rules, then the terminals as they are written."""
    steps = table.states[state]
    return [(symbol, steps[symbol][1]) for symbol in sorted(steps, key=lambda s: (s in names, names.get(s, s)))]


def _rule(rule: Any) -> str:
    """The arguments of `tables.Rule`, in JSON; rules that differ in symbols only are one."""
    left_out = rule.options.empty_indices or (False,) * len(rule.expansion)
    shape: list[int | None] = []
    at = 0
    for empty in left_out:
        if empty:
            shape.append(None)
            continue
        symbol = rule.expansion[at]
        shape.append(~at if not symbol.is_term and symbol.name.startswith("_") else at)
        at += 1
    name = rule.alias or rule.origin.name
    single = rule.options.expand1 and not rule.alias
    plain = shape == list(range(len(rule.expansion)))
    if not (hasattr(Builder, name) or name.startswith("_") or (single and plain and len(shape) == 1)):
        raise ValueError(f"the builder has no method `{name}`")
    return json.dumps([rule.origin.name, at, name, bool(single), None if plain else shape])


def render(tables: dict[str, Any]) -> str:
    """The text of tables.json: a line for each rule and state, so that changes can be seen."""
    parts = [f'"grammar": {tables["grammar"]}', f'"starts": {json.dumps(tables["starts"])}']
    for name in ("rules", "states"):
        parts.append(f'"{name}": [\n' + ",\n".join(json.dumps(row, ensure_ascii=False) for row in tables[name]) + "\n]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main() -> None:
    """Writes tables.json."""
    path = Path(__file__).with_name("tables.json")
    path.write_text(render(make(read_grammar())), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
