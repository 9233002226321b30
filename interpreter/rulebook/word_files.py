"""Files of words: what stands beside a game for its rulebook in one language, read and checked for its form."""

from __future__ import annotations

import linecache
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from attrs import frozen

from rulespec.source import Span
from rulespec.spec import model as m

FOLDER = "rulebook"
"""The folder beside a game file in which words for its rulebook stand, one file per language."""

HEAD = ("title", "about", "doc", "notes")
"""Keys with a text, or with one for each game of the folder."""
_MAPS = {"names": "names", "phrases": "names", "texts": "names", "says": "texts of rules"}
_LISTS = ("by_doc",)
KEYS = (*HEAD, *_MAPS, *_LISTS)

_NAME = ("one", "many", "each", "mass", "plural", "proper", "to", "in", "from", "gender", "adjective")
_PHRASE = ("value", "number", "of", "yes", "no")
_CHOICES = {
    "mass": ("true", "false"),
    "plural": ("true", "false"),
    "proper": ("true", "false"),
    "gender": ("m", "f", "n"),
    "number": ("one", "many"),
}
_PLAIN = ("rows.", "values.", "faces.", "indices.")
"""Sections whose names may be numbers."""
_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Every value is read as text, as everywhere in rulespec."""


class WordsError(ValueError):
    """A file of words has a mistake."""


@frozen
class WordFile:
    """A file of words, by its keys."""

    path: Path
    data: dict[str, Any]

    def map(self, key: str) -> dict[str, Any]:
        """One of the maps; empty where it is not given."""
        return self.data.get(key) or {}

    def list(self, key: str) -> list[str]:
        """One of the lists; empty where it is not given."""
        return self.data.get(key) or []

    def texts(self, games: Sequence[str]) -> dict[str, str]:
        """The texts for a game. games: its id, then those of the games that it extends, the nearest first."""
        found: dict[str, str] = {}
        for key, given in self.map("texts").items():
            if isinstance(given, dict):
                given = next((given[game] for game in games if game in given), None)
            if given is not None:
                found[str(key)] = given
        return found

    def head(self, game: str) -> dict[str, Any]:
        """What is said of a game as a whole. game: its id."""
        # What a variant is called in the words of its base is not its own name.
        own = self.data.get("title")
        if own is not None and not isinstance(own, dict):
            return {key: self.data[key] for key in HEAD if key in self.data}
        given = {key: self.data.get(key) for key in HEAD}
        found = {key: value.get(game) if isinstance(value, dict) else value for key, value in given.items()}
        return {key: value for key, value in found.items() if value is not None}


def word_files(source: m.Spec, language: str) -> list[WordFile]:
    """The files of words of a game: of those that it extends first, then its own.

    Raises:
        WordsError: one has a mistake.
    """
    folders = dict.fromkeys(Path(file).resolve().parent for file in reversed(source.files or (source.path,)))
    paths = (folder / FOLDER / f"{language}.yaml" for folder in folders)
    return [_read(path) for path in paths if path.exists()]


def source_of(span: Span) -> str:
    """What stands at a place of a spec; "" for more than one line."""
    if span.line != span.end_line:
        return ""
    return linecache.getline(span.path, span.line)[span.column - 1 : span.end_column - 1].strip()


def _read(path: Path) -> WordFile:
    try:
        data = yaml.load(path.read_text(encoding="utf-8"), _LOADER) or {}
    except yaml.YAMLError as error:
        raise WordsError(f"{path}: this is no YAML: {error}") from None
    except UnicodeDecodeError:
        raise WordsError(f"{path}: the file is not UTF-8") from None
    except IsADirectoryError:
        raise WordsError(f"{path}: this is a folder; the words of a language are a file") from None
    except OSError as error:
        raise WordsError(f"{path}: the file cannot be read: {error.strerror}") from None
    if not isinstance(data, dict):
        raise WordsError(f"{path}: a map is needed, with keys as `names` and `texts`")
    if unknown := sorted(set(map(str, data)) - set(KEYS)):
        raise WordsError(f"{path}: nothing reads `{unknown[0]}`; there are {_listed(KEYS)}")
    for key, of in _MAPS.items():
        if data.get(key) and not isinstance(data[key], dict):
            raise WordsError(f"{path}: `{key}` is a map of {of} to texts")
    for key in _LISTS:
        given = data.get(key) or []
        if not isinstance(given, list) or not all(isinstance(name, str) for name in given):
            raise WordsError(f"{path}: `{key}` is a list of names")
    for name, given in (data.get("names") or {}).items():
        _check(path, "name", "names", str(name), given, _NAME)
    for name, given in (data.get("phrases") or {}).items():
        _check(path, "phrase", "phrases", str(name), given, _PHRASE)
    for key in ("texts", "says"):
        for name, given in (data.get(key) or {}).items():
            by_game = given.values() if key == "texts" and isinstance(given, dict) else [given]
            for text in by_game:
                if not isinstance(text, str):
                    raise WordsError(f"{path}: under `{key}`, `{name}` has {_found(text)}; a text is needed")
    return WordFile(path, data)


def _check(path: Path, what: str, key: str, name: str, given: Any, parts: tuple[str, ...]) -> None:
    """A name or phrase is a text, or a map of texts with some keys."""
    where = f"{path}: the {what} of `{name}`"
    if isinstance(given, dict):
        if unknown := next((part for part in given if part not in parts), None):
            raise WordsError(f"{where} has `{unknown}`; there are {_listed(parts)}")
        if key == "names" and "one" not in given:
            raise WordsError(f"{where} has no `one`, what one of it is called")
        texts = {f"{where}, `{part}`,": text for part, text in given.items()}
        for part, allowed in _CHOICES.items():
            if part in given and given[part] not in allowed:
                raise WordsError(f"{where}, `{part}`, is `{given[part]}`; it can be {_listed(allowed)}")
    else:
        texts = {where: given}
    for place, text in texts.items():
        if not isinstance(text, str):
            raise WordsError(f"{place} is {_found(text)}; a text is needed")
        if key == "names" and not name.startswith(_PLAIN) and not any(letter.isalpha() for letter in text):
            raise WordsError(f"{place} is `{text}`; a name has letters")


def _listed(keys: tuple[str, ...]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def _found(given: Any) -> str:
    return "a list" if isinstance(given, list) else "a map"
