"""The tables of the grammar: made ahead of time, of the grammar that is there, and the same wherever they are made."""

import subprocess
import sys
from typing import Any

import pytest

from rulespec.diagnostics import Reporter
from rulespec.source import Span, Text
from rulespec.syntax import parser, tables
from rulespec.syntax.generate import make

PARSE = """
import sys
from rulespec.diagnostics import Reporter
from rulespec.source import Span, Text
from rulespec.syntax.parser import parse_expression
assert parse_expression(Text("1 + x", Span("game.yaml", 1, 1, 1, 6), ((1, 1),)), Reporter()) is not None
print("lark" in sys.modules)
"""


def run(code: str, **environment: str) -> str:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment or None).stdout


@pytest.mark.parametrize("seed", ["0", "1"])
def test_tables_are_those_of_the_grammar(seed: str) -> None:
    """Where this fails: `make grammar`."""
    code = "from rulespec.syntax import generate, tables; print(generate.render(generate.make(tables.read_grammar())))"
    path = [p for p in sys.path if p]
    made = run(code, PYTHONHASHSEED=seed, PYTHONPATH=":".join(path), PYTHONIOENCODING="utf-8")
    assert tables.read_tables() == made.removesuffix("\n")


def test_parsing_needs_no_lark() -> None:
    assert "False" == run(PARSE).strip()


def test_tables_of_another_grammar_are_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    grammar = tables.read_grammar().replace('"otherwise"', '"else_take"')
    monkeypatch.setattr(tables, "read_grammar", lambda: grammar)
    tables.load.cache_clear()
    try:
        text = Text("a else_take b", Span("game.yaml", 1, 1, 1, 14), ((1, 1),))
        found: Any = parser.parse_expression(text, Reporter())
        assert "Otherwise" == type(found).__name__
    finally:
        tables.load.cache_clear()


def test_every_rule_is_known_to_the_builder() -> None:
    with pytest.raises(ValueError, match="no method `exprs_and_more`"):
        make(
            tables.read_grammar().replace(
                "exprs: expr", 'exprs_and_more: expr "," expr ";"\nexprs: exprs_and_more | expr'
            )
        )
