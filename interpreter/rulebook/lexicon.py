"""Phrases of a language, and what the things of a game are called in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from interpreter.rulebook.speech import Grammar, Noun, capital, slots, with_adjective
from interpreter.rulebook.word_files import FOLDER, WordsError, word_files
from interpreter.texts import number
from rulespec import checked as ir
from rulespec.check import types as t
from rulespec.packs import game_id

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every value is read as text, as everywhere in rulespec."""


class Phrases:
    """The phrases of one language: texts by dotted key."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.data = _data(language)
        self.grammar = Grammar(self.data["grammar"])
        self._flat = {key: text for key, text in _flat(self.data) if not key.startswith("grammar.")}

    def __getitem__(self, key: str) -> str:
        """The text of a phrase.

        Raises:
            KeyError: the language lacks it.
        """
        return self._flat[key]

    def __contains__(self, key: str) -> bool:
        return key in self._flat

    def names(self) -> set[str]:
        """Every key."""
        return set(self._flat)


@cache
def _data(language: str) -> Mapping[str, Any]:
    folder = resources.files("interpreter.rulebook") / "phrases"
    file = folder / f"{language}.yaml"
    if not re.fullmatch(r"[a-z]{2}", language) or not file.is_file():
        raise ValueError(f"there are no phrases for the language `{language}`; there are those for {_listed()}")
    return yaml.load(file.read_text(encoding="utf-8"), _LOADER)  # type: ignore[no-any-return]


def languages() -> list[str]:
    """The languages that books can be written in."""
    folder = resources.files("interpreter.rulebook") / "phrases"
    return sorted(file.name[:-5] for file in folder.iterdir() if file.name.endswith(".yaml"))


def has_words(game: Path) -> list[str]:
    """The languages in which a book can be written and for which words stand beside a game's file."""
    return [language for language in languages() if (game.parent / FOLDER / f"{language}.yaml").is_file()]


def _listed() -> str:
    return ", ".join(f"`{language}`" for language in languages())


def _flat(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for key, value in data.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        elif not isinstance(value, list):
            yield f"{prefix}{key}", "" if value is None else str(value)


KINDS = {
    "action": "actions",
    "phase": "phases",
    "zone": "zones",
    "variable": "variables",
    "function": "functions",
    "procedure": "procedures",
    "trigger": "triggers",
    "option": "options",
    "table": "tables",
    "type": "types",
    "constant": "constants",
    "field": "fields",
    "value": "values",
    "face": "faces",
    "record": "records",
    "row": "rows",
    "local": "locals",
    "index": "indices",
}
"""Kinds of things, and what they are called in front of a name in a file of words."""


class Lexicon:
    """What things are called: by the files of words beside the game, else by their labels and names."""

    def __init__(self, spec: ir.CheckedSpec, phrases: Phrases) -> None:
        self.spec, self.phrases, self.grammar = spec, phrases, phrases.grammar
        self.names_given: dict[str, Any] = {}
        self.phrases_given: dict[str, Any] = {}
        self.texts: dict[str, str] = {}
        self.says: dict[str, str] = {}
        self.head: dict[str, Any] = {}
        self.by_doc: set[str] = set()
        """Functions and procedures whose rule the author's words tell alone."""
        games = [id for id in map(game_id, map(Path, spec.source.files or (spec.source.path,))) if id]
        for file in word_files(spec.source, phrases.language):
            self.names_given |= file.map("names")
            self.phrases_given |= file.map("phrases")
            self.texts |= file.texts(games)
            self.says |= file.map("says")
            self.by_doc.update(file.list("by_doc"))
            self.head |= file.head(spec.id)
            self._check(file.path)

    def _check(self, path: Path) -> None:
        """Every phrase speaks only of what it is given."""
        for name, given in self.phrases_given.items():
            allowed = self._arguments(name)
            for text in given.values() if isinstance(given, dict) else (given,):
                wrong = next((slot for slot in slots(str(text)) if slot not in allowed), None) if allowed else None
                if wrong is not None:
                    there = ", ".join(f"{{{a}}}" for a in sorted(allowed))
                    raise WordsError(f"{path}: the phrase for `{name}` has {{{wrong}}}; it is given {there}")

    def _arguments(self, name: str) -> set[str]:
        """What a phrase may speak of; empty for one that this game has no use for."""
        spec = self.spec
        if name in spec.functions or name in spec.procedures:
            entry = spec.functions.get(name) or spec.procedures[name]
            params = [p.name for p in entry.params[-1]] if entry.params else []
            return {*params, *map(str, range(len(params))), "what"}
        for entries in (spec.variables, spec.zones, spec.constants):
            if name in entries:
                return {*map(str, range(len(entries[name].per))), "what"}
        table, _, field = name.partition(".")
        if field and table in spec.tables and field in spec.tables[table].fields:
            params = [p.name for p in spec.tables[table].fields[field].params or ()]
            return {"row", "0", "1", "2", *params}
        return set()

    # ------------------------------------------------------------ nouns

    def noun(self, kind: str, name: str, default: str = "") -> Noun:
        """The noun for a declared thing. default: its label, if it has one."""
        given = self._given(kind, name)
        if given is None and name.rsplit(".", 1)[-1] in self.phrases.data["nouns"] and not default:
            given = self.phrases.data["nouns"][name.rsplit(".", 1)[-1]]
        if given is not None:
            return self._noun(given, kind)
        word = default or words(name.rsplit(".", 1)[-1])
        proper = kind in ("value", "row", "face")
        if self.grammar.capital_nouns:
            word = capital(word)
        return Noun(word, self._plural(word), "n", proper, False, self._is_plural(kind, word))

    def _is_plural(self, kind: str, word: str) -> bool:
        """Whether the name of a place or of a number of things is a plural: coins, new cards."""
        several = kind in ("zone", "variable", "function", "field", "constant")
        return several and self.phrases.language == "en" and _ends_plural(word.partition(" of ")[0])

    def _given(self, kind: str, name: str) -> Any:
        section = KINDS[kind]
        short = name.rsplit(".", 1)[-1]
        for key in (f"{section}.{name}", f"{section}.{short}", name, short):
            if key in self.names_given:
                return self.names_given[key]
        return None

    def _noun(self, given: Any, kind: str) -> Noun:
        proper = kind in ("value", "row", "face")
        if isinstance(given, str):
            return Noun(given, self._plural(given), "n", proper, False, self._is_plural(kind, given))
        one = str(given["one"])
        many = str(given.get("many") or self._plural(one))
        is_plural = given["plural"] == "true" if "plural" in given else self._is_plural(kind, one)
        is_proper = given["proper"] == "true" if "proper" in given else proper
        return Noun(
            one,
            many,
            given.get("gender", "n"),
            is_proper,
            given.get("mass") == "true",
            is_plural,
            given.get("adjective", ""),
        )

    def counted(self, variable: str) -> Noun | None:
        """The noun for one of the things that a variable counts, where its name is their plural."""
        given = self._given("variable", variable)
        noun = self.noun("variable", variable)
        if isinstance(given, dict) and ("each" in given or noun.mass):
            return Noun(str(given.get("each", noun.one)), noun.one, noun.gender, False, noun.mass)
        if self.phrases.language == "en" and noun.one.endswith("s") and not noun.one.endswith("ss"):
            return Noun(singular(noun.one), noun.one)
        return None

    def _plural(self, word: str) -> str:
        return plural(word) if self.phrases.language == "en" else word

    def type_noun(self, type: t.Type) -> Noun:
        """The noun for any value of a type."""
        match type:
            case t.OptionalType(item) | t.ListType(item) | t.SetType(item):
                return self.type_noun(item)
            case t.PlayerType():
                return self.noun("type", "player")
            case t.TableType(name=name):
                return self.noun("table", name)
            case t.EnumType(name):
                return self.noun("type", name)
            case t.SpotType():
                return self.noun("type", "place")
            case t.PortType():
                return self.noun("type", "opening")
            case t.NumberType():
                return self.noun("type", "number")
        return self.noun("type", "thing")

    # ------------------------------------------------------------ values

    def of(self, kind: str, name: str) -> str:
        """See `blocks.Names`."""
        if kind == "option":
            return self.noun(kind, name, self.spec.source.options[name].label).one
        return with_adjective(self.noun(kind, name), self.grammar)

    def labelled(self, table: str, row: str, label: str) -> str:
        """See `blocks.Names`."""
        return self.row(table, row) if any(known.id == row for known in self.spec.tables[table].rows) else label

    def word(self, key: str) -> str:
        """See `blocks.Names`."""
        return self.phrases[f"words.{key}"]

    def value(self, type: t.Type, value: Any) -> str:
        """A value that is known, for people."""
        match type:
            case _ if value is None:
                return self.phrases["words.nothing"]
            case t.OptionalType(item):
                return self.value(item, value)
            case t.BoolType():
                return self.word("yes" if value else "no")
            case t.EnumType(name) if isinstance(value, int):
                return self.of("value", f"{name}.{self.spec.enums[name][value]}")
            case t.NumberType():
                return number(value)
            case t.PlayerType() if isinstance(value, int):
                names = self.spec.source.seat_names
                return words(names[value][0]) if names else f"{self.type_noun(type).one} {value + 1}"
        return str(value)

    def row(self, table: str, row: str) -> str:
        """The label of a row, else its id in words."""
        if f"rows.{table}.{row}" in self.names_given or f"rows.{row}" in self.names_given:
            return self.noun("row", f"{table}.{row}").one
        declared = self.spec.tables[table]
        found = next((r for r in declared.rows if r.id == row), None)
        if declared.label is None or found is None:
            return words(row) if declared.kind != "board" else row
        parts = [part if isinstance(part, str) else self._cell(found, part) for part in declared.label.parts]
        known = [part for part in parts if part is not None]
        return "".join(known) if len(known) == len(parts) else words(row)

    def _cell(self, row: ir.TableRow, part: ir.Expr) -> str | None:
        match part:
            case ir.LocalRead(local=local):
                if local.name == "id":
                    return row.id
                value = row.values.get(local.name)
                return self.constant(value) if isinstance(value, ir.Expr) else None
        return None

    def constant(self, expr: ir.Expr) -> str | None:
        """A value that stands in the spec, for people; None where it is worked out."""
        match expr:
            case ir.Const(type=type, value=value):
                return self.value(type, value)
            case ir.RowRef(row=row, type=t.TableType(name=table)):
                return self.row(table, row)
            case ir.Convert(value=inner):
                return self.constant(inner)
            case ir.ListOf(items=items):
                parts = [self.constant(item) for item in items]
                return ", ".join(p for p in parts if p) if all(parts) else None
        return None

    def text(self, key: str, default: str) -> str:
        """The author's text on something, in the language of the book where the words have it."""
        return str(self.texts.get(key, default) or "")

    def say(self, text: str) -> str | None:
        """A text of the rules in the language of the book, with the same values in braces; None where none is given."""
        return self.says.get(text)

    def given_phrase(self, name: str) -> Any:
        """The author's phrase for a function, procedure or variable; None for none."""
        return self.phrases_given.get(name)


def _ends_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")


def words(name: str) -> str:
    """An identifier as words: `draw_pile` is draw pile, `ScoringCard` scoring card."""
    text = name.replace("_", " ").strip()
    if re.fullmatch(r"[A-Z][a-z]+([A-Z][a-z]+)*", text):
        text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text).lower()
    return text


def plural(word: str) -> str:
    """The regular English plural."""
    head, _, tail = word.partition(" of ")
    if tail:
        return f"{plural(head)} of {tail}"
    if re.search(r"[^aeiou]y$", word):
        return word[:-1] + "ies"
    if word.endswith(("ss", "x", "ch", "sh", "z")):
        return word + "es"
    if word.endswith("s"):
        return word
    if word.endswith("man"):
        return word[:-2] + "en"
    return word + "s"


def singular(word: str) -> str:
    """The singular of a regular English plural."""
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]
