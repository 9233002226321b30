"""The phrases of all languages: complete, alike, and none that nothing uses."""

import re
from pathlib import Path

import pytest

import interpreter.rulebook
from interpreter.rulebook.effects import Effects
from interpreter.rulebook.lexicon import Phrases, languages
from interpreter.rulebook.speech import slots
from rulespec import checked as ir
from rulespec.check.builtins import BUILT_INS

FOLDER = Path(interpreter.rulebook.__file__).parent
OF_SELECTIONS = {"any", "all", "those", "most", "least"}
"""Built-in functions that become aggregates and the like."""
OF_PORTS = {"port.piece", "port.cell", "port.beyond", "port.facing"}
FURTHER = {"turn_player", "first_player", "winners", "number", *OF_PORTS}
WITHOUT = {
    "Expr": "a base",
    "Stmt": "a base",
    "LocalRead": "the name of what it is bound to",
    "VarRead": "a name with its owner",
    "ZoneRead": "a name with its owner",
    "FieldRead": "a name with its owner",
    "FunctionCall": "a name with its owner",
    "RowRule": "a name with its owner",
    "Convert": "what it converts",
    "NoneSafe": "its body",
    "BuiltIn": "by the function",
    "Move": "by how",
}
"""Forms that are told by others, and by which."""


def kinds(base: type) -> list[str]:
    return [name for name in ir.__all__ if isinstance(kind := getattr(ir, name), type) and issubclass(kind, base)]


def has(phrases: Phrases, key: str) -> bool:
    return any(k == key or k.startswith((f"{key}.", f"{key}_")) for k in phrases.names())


@pytest.mark.parametrize("language", languages())
def test_every_form_has_a_phrase(language: str) -> None:
    phrases = Phrases(language)
    lacking = [name for name in kinds(ir.Expr) if name not in WITHOUT and not has(phrases, f"expressions.{name}")]
    lacking += [name for name in kinds(ir.Stmt) if name not in WITHOUT and not has(phrases, f"statements.{name}")]
    assert lacking == []


def test_every_form_is_told() -> None:
    """By a method of its own; conditions that have none are compared with true."""
    assert [name for name in kinds(ir.Stmt) if name != "Stmt" and not hasattr(Effects, f"_do_{name}")] == []
    conditions = {"Member", "Within", "Truth"}
    missing = [name for name in kinds(ir.Expr) if name != "Expr" and not hasattr(Effects, f"_{name}")]
    assert set(missing) == conditions
    assert all(hasattr(Effects, f"_if_{name}") for name in conditions)


@pytest.mark.parametrize("language", languages())
def test_every_function_has_a_phrase(language: str) -> None:
    phrases = Phrases(language)
    names = (set(BUILT_INS) | FURTHER) - OF_SELECTIONS
    assert sorted(name for name in names if not has(phrases, f"builtins.{name}")) == []


@pytest.mark.parametrize("language", languages())
def test_a_language_has_all_phrases_of_english(language: str) -> None:
    english, phrases = Phrases("en"), Phrases(language)
    own = ("nouns.", "pronouns.")
    there, here = ({k for k in p.names() if not k.startswith(own)} for p in (english, phrases))
    assert sorted(there - here) == []
    assert sorted(here - there) == []


@pytest.mark.parametrize("language", languages())
def test_phrases_speak_only_of_what_they_are_given(language: str) -> None:
    """`kind` is given to all built-in functions."""
    english, phrases = Phrases("en"), Phrases(language)
    for key in english.names():
        if not key.startswith(("nouns.", "pronouns.")):
            given = {*slots(english[key]), *(["kind"] if key.startswith("builtins.") else [])}
            assert set(slots(phrases[key])) <= given, key


def _keys_in_code() -> set[str]:
    """Keys of phrases in the source, with `*` for what is put in."""
    found: set[str] = set()
    groups = "statements|expressions|builtins|selection|places|course|events|result|options|things|examples"
    for path in FOLDER.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        keys = re.findall(rf'"((?:{groups}|changes|summary|templates|directions)\.[^"]*)"', text)
        keys += [f"statements.{key}" for key in re.findall(r'self\.line\(f?"([^"]+)"', text)]
        keys += [f"statements.{key}.*" for key in re.findall(r'self\.under\("([^"]+)"', text)]
        found |= {re.sub(r"\{[^}]*\}", "*", key) for key in keys}
    return {key for key in found if not key.startswith("examples.*")}  # texts of a game


def test_every_phrase_asked_for_is_there() -> None:
    keys = Phrases("en").names()
    for key in _keys_in_code():
        pattern = re.compile("^" + re.escape(key).replace(r"\*", ".*") + r"(\.|_|$)")
        assert any(pattern.match(k) for k in keys), key


def test_no_phrase_is_left_over() -> None:
    ends = r"(\.(yes|no|many|one))?$"
    patterns = [re.compile("^" + re.escape(key).replace(r"\*", ".*") + ends) for key in _keys_in_code()]
    named = re.compile(r"expressions\.(VarRead|FunctionCall)_cond")
    keys = {k for k in Phrases("en").names() if not k.startswith(("nouns.", "pronouns.", "words.", "language"))}
    assert sorted(k for k in keys if not named.match(k) and not any(p.match(k) for p in patterns)) == []


def test_an_unknown_language() -> None:
    with pytest.raises(ValueError) as caught:
        Phrases("xx")
    assert str(caught.value) == "there are no phrases for the language `xx`; there are those for `de`, `en`"
