"""Noun phrases and templates: what a phrase of `phrases/*.yaml` is filled with, and how.

In a template `{x}` stands for an argument and `{x:FORM}` for one of its forms; `{x|is|are}` chooses by whether x is
one thing or several ("you" counts as several unless there is a third choice, for it alone).

A form is a determiner, an adjective stem with `+`, a case, in this order and each optional, joined by `.`:
`the.acc`, `+top.dat`, `many`, `bare`. `*` is the case that is asked of the template itself. Other forms: `poss` (the
player's), `cap` (a sentence with a capital letter), `whose` and `which` (what begins a relative clause), `quote`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from attrs import field, frozen

from interpreter.rulebook.blocks import Ref, Run, Runs, Strong, Text, plain

_SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?(?::([^}|]*))?(?:\|([^}]*))?\}")


@frozen
class Noun:
    """A word for something.

    gender: m, f or n, where the language has genders. proper: it stands without an article.
    mass: it has no plural, as gold. plural: it stands for several things, as a name in the plural.
    adjective: the stem of one that belongs to the name.
    """

    one: str
    many: str
    gender: str = "n"
    proper: bool = False
    mass: bool = False
    plural: bool = False
    adjective: str = ""


class Grammar:
    """What the `grammar` of a language's phrases says."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.cases: list[str] = list(data["cases"])
        self.owner_first: bool = data["owner"] == "before"
        self.of: str = data["of"]
        self.quotes: list[str] = list(data["quote"])
        self.possessive: list[str] = list(data["possessive"])
        self.capital_nouns: bool = data["capital_nouns"] == "true"
        self.vowels: str = data["vowels"]
        self.determiners: Mapping[str, Any] = data["determiners"]
        self.plural_determiners: Mapping[str, Any] = data["plurals"]
        self.adjective: Any = data["adjective"]
        self.adjective_mixed: Any = data["adjective_mixed"]
        self.first: Mapping[str, str] = data["first"]
        self.relatives: Mapping[str, Any] = {"whose": data["whose"], "which": data["which"]}
        self.that: Mapping[str, str] = data["that"]
        self.contractions: Mapping[str, str] = data["contractions"]

    def determiner(self, name: str, noun: Noun, many: bool, case: str, following: str) -> str:
        """The form of an article or the like; "" for none."""
        if many and name in self.plural_determiners:
            name = self.plural_determiners[name]
            if not name:
                return ""
        if name == "a" and following[:1].lower() in self.vowels and "an" in self.determiners:
            name = "an"
        return self.inflected(self.determiners.get(name, name), noun, many, case)

    def inflected(self, entry: Any, noun: Noun, many: bool, case: str) -> str:
        """The entry of a table by gender and case; a plain text is the same for all."""
        if not isinstance(entry, Mapping):
            return str(entry)
        forms = entry["p" if many else noun.gender]
        return str(forms if isinstance(forms, str) else forms[self.cases.index(case)])


class Phrase:
    """What a template's argument must be: something with forms. number: one, many or you."""

    number = "one"
    in_front = False
    """Whether as an owner it stands in front, whatever the language does otherwise."""

    def form(self, form: str) -> Runs:
        """The words of a form."""
        raise NotImplementedError


@frozen
class Fixed(Phrase):
    """Words that never change but for their possessive."""

    runs: Runs
    grammar: Grammar
    number: str = "one"
    noun: Noun = Noun("", "")

    def form(self, form: str) -> Runs:
        """The words of a form."""
        if form == "poss":
            return (*self.runs, Text(self.grammar.possessive[plain(self.runs)[-1:] == "s"]))
        return self.runs


@frozen
class Named(Phrase):
    """A noun with its determiner, and what follows it."""

    noun: Noun
    grammar: Grammar
    determiner: str = "the"
    many: bool = False
    after: Runs = ()
    link: str = ""
    adjective: str = ""

    @property
    def number(self) -> str:  # type: ignore[override]
        """One or many."""
        return "many" if self.many or self.noun.plural else "one"

    def form(self, form: str) -> Runs:
        """The words of a form."""
        grammar = self.grammar
        determiner, adjective, case, many = self.determiner, self.adjective, grammar.cases[0], self.many
        for part in form.split("."):
            if part in grammar.cases:
                case = part
            elif part.startswith("+"):
                adjective = part[1:]
            elif part in ("many", "one"):
                many, determiner = part == "many", "bare" if part == "many" else determiner
            elif part in ("whose", "which"):
                return (Text(grammar.inflected(grammar.relatives[part], self.noun, many, case)),)
            elif part == "quote":
                determiner = "bare"
            elif part == "poss":
                pass
            elif part:
                determiner = part
        word = self.noun.many if many and not self.noun.mass else self.noun.one
        many = many or self.noun.plural
        word = _inflected(word, self.noun, grammar, many, case)
        # Behind an article that shows the case, German adjectives end differently.
        weak = determiner not in ("a", "no", "your", "their", "bare")
        for stem in (self.noun.adjective, adjective):
            if stem:
                table = grammar.adjective if weak else grammar.adjective_mixed
                word = f"{stem}{grammar.inflected(table, self.noun, many, case)} {word}"
        if self.noun.proper and determiner in ("the", "a", "bare"):
            article = ""
        else:
            article = grammar.determiner(determiner, self.noun, many, case, word)
        shown: Run = Ref(self.link, (Text(word),)) if self.link else Text(word)
        runs: Runs = ((Text(f"{article} "), shown) if article else (shown,)) + self.after
        if form == "poss":
            runs = (*runs, Text(grammar.possessive[plain(runs)[-1:] == "s"]))
        if form == "quote":
            runs = (Text(grammar.quotes[0]), *runs, Text(grammar.quotes[1]))
        return runs


def _inflected(word: str, noun: Noun, grammar: Grammar, many: bool, case: str) -> str:
    """A German noun in its case; of several words the first one changes."""
    if not grammar.capital_nouns or noun.proper:
        return word
    head, blank, rest = word.partition(" ")
    if case == "dat" and many and not head.endswith(("n", "s")):
        head += "n"
    if case == "gen" and not many and noun.gender in "mn":
        head += _genitive(head)
    return f"{head}{blank}{rest}"


def _genitive(word: str) -> str:
    """The ending of a German genitive that is not feminine."""
    if not word[-1:].isalpha() or word.endswith(("s", "x")):
        return ""
    syllables = len(re.findall(r"[aeiouyäöü]+", word.lower()))
    return "es" if word.endswith(("ß", "z")) or (syllables == 1 and word.endswith(("d", "t", "g", "b"))) else "s"


@frozen
class You(Phrase):
    """Whoever reads, as the one who acts. words: by case; `poss` for languages with the owner in front."""

    words: Mapping[str, str]
    grammar: Grammar
    number: str = "you"
    determiner: str = "your"

    def form(self, form: str) -> Runs:
        """The words of a form."""
        case = next((part for part in form.split(".") if part in self.words), self.grammar.cases[0])
        return (Text(self.words[case]),)


@frozen
class Owned(Phrase):
    """The player's hand, your hand, the number of the card."""

    owner: Phrase
    thing: Named

    @property
    def number(self) -> str:  # type: ignore[override]
        """One or many, of what is owned."""
        return self.thing.number

    def form(self, form: str) -> Runs:
        """The words of a form."""
        grammar = self.thing.grammar
        wanted = "" if form == "poss" else form
        case = next((part for part in form.split(".") if part in grammar.cases), grammar.cases[0])
        parts = wanted.split(".")
        count = "many" if "many" in parts or (self.thing.many and "one" not in parts) else "one"
        if "bare" in parts or ("many" in parts and "the" not in parts):
            runs = self.thing.form(f"{count}.bare.{case}")
        elif isinstance(self.owner, You):
            runs = self.thing.form(f"{count}.{self.owner.determiner}.{case}")
        elif self.owner.in_front or (grammar.owner_first and not self._long()):
            runs = (*self.owner.form("poss"), Text(" "), *self.thing.form(f"{count}.bare"))
        else:
            of = f" {grammar.of} " if grammar.of else " "
            runs = (*self.thing.form(f"{count}.the.{case}"), Text(of), *self.owner.form("gen"))
        if form == "poss":
            runs = (*runs, Text(grammar.possessive[plain(runs)[-1:] == "s"]))
        return runs

    def _long(self) -> bool:
        """Whether the owner is told by more words than can stand in front."""
        owner = self.owner
        return len(plain(owner.form("")).split()) > 3 + (isinstance(owner, Owned) and owner.thing.grammar.owner_first)


@frozen
class Filled(Phrase):
    """A template with its arguments, filled when its case is known."""

    template: str
    arguments: Mapping[str, Any] = field(repr=False)
    grammar: Grammar = field(repr=False)
    number: str = "one"

    def form(self, form: str) -> Runs:
        """The words of a form."""
        parts = form.split(".")
        case = next((part for part in parts if part in self.grammar.cases), self.grammar.cases[0])
        runs = fill(self.template, self.arguments, self.grammar, case)
        if "bare" in parts or "many" in parts:
            runs = _without_article(runs, self.grammar)
        if form == "poss":
            runs = (*runs, Text(self.grammar.possessive[plain(runs)[-1:] == "s"]))
        return runs


@frozen
class Linked(Phrase):
    """A phrase that leads somewhere as a whole."""

    phrase: Phrase
    target: str

    @property
    def number(self) -> str:  # type: ignore[override]
        """That of the phrase."""
        return self.phrase.number

    def form(self, form: str) -> Runs:
        """The words of a form."""
        return (Ref(self.target, without_refs(self.phrase.form(form))),)


def without_refs(runs: Runs) -> Runs:
    """Runs that lead nowhere."""
    found: list[Run] = []
    for run in runs:
        match run:
            case Ref(_, inner):
                found += without_refs(inner)
            case Strong(inner):
                found.append(Strong(without_refs(inner)))
            case _:
                found.append(run)
    return merged(tuple(found))


def _without_article(runs: Runs, grammar: Grammar) -> Runs:
    """Runs whose first word is no article."""
    if runs and isinstance(runs[0], Text):
        first, _, rest = runs[0].text.partition(" ")
        the = grammar.determiners["the"]
        articles = {the} if isinstance(the, str) else {w for forms in the.values() for w in forms}
        if first in articles and (rest or len(runs) > 1):
            return merged((Text(rest), *runs[1:]), grammar)
    return runs


Argument: TypeAlias = Phrase | Runs | str | int


def fill(template: str, arguments: Mapping[str, Any], grammar: Grammar, case: str = "") -> Runs:
    """The words of a template.

    Raises:
        KeyError: an argument is missing.
    """
    runs: list[Run] = []
    place = 0
    for slot in _SLOT.finditer(template):
        if slot.start() > place:
            runs.append(Text(template[place : slot.start()]))
        place = slot.end()
        name, _, form, choices = slot.groups()
        value = arguments[name]
        if choices is not None:
            runs.append(Text(_chosen(value, choices.split("|"))))
        elif isinstance(value, Phrase):
            runs += value.form((form or "").replace("*", case or grammar.cases[0]))
        elif isinstance(value, tuple):
            runs += (_capital(value[0]), *value[1:]) if form == "cap" and value else value
        else:
            runs.append(Text(str(value)))
    runs.append(Text(template[place:]))
    found = merged(tuple(runs), grammar)
    if found and isinstance(found[-1], Text) and not template.endswith(" "):
        found = merged((*found[:-1], Text(found[-1].text.rstrip(" "))))
    if found and isinstance(found[0], Text) and not template.startswith(" "):
        found = merged((Text(found[0].text.lstrip(" ")), *found[1:]))
    return found


def slots(template: str) -> list[str]:
    """The names of the arguments of a template."""
    return [found[1] for found in _SLOT.finditer(template)]


def _chosen(value: Argument, choices: list[str]) -> str:
    if isinstance(value, int):
        number = "one" if value == 1 else "many"
    elif isinstance(value, Phrase):
        number = value.number
    else:
        number = "one" if plain(value if isinstance(value, tuple) else (Text(value),)) in ("1", "") else "many"
    if number == "you":
        return choices[2] if len(choices) > 2 else choices[1]
    return choices[number != "one"]


def merged(runs: Runs, grammar: Grammar | None = None) -> Runs:
    """Runs with neighbouring texts joined, contractions made, and no empty texts."""
    found: list[Run] = []
    for run in runs:
        if isinstance(run, Text):
            if not run.text:
                continue
            if found and isinstance(found[-1], Text):
                found[-1] = Text(found[-1].text + run.text)
                continue
        found.append(run)
    contractions = grammar.contractions if grammar is not None else {}
    for n, run in enumerate(found):
        if isinstance(run, Text):
            text = run.text
            if "  " in text:
                text = _BLANKS.sub(" ", text)
            if _STRAY.search(text):
                text = _STRAY.sub("", text)
            for long, short in contractions.items():
                if f"{long} " in text:
                    text = re.sub(rf"\b{long} ", f"{short} ", text)
            if text is not run.text:
                found[n] = Text(text)
    return tuple(found)


_BLANKS = re.compile("  +")
_STRAY = re.compile(r",(?= *[,.:;)])| +(?=[,.;:?!)])")
"""Commas and blanks that stand before another mark."""


def joined(parts: list[Runs], comma: str, last: str) -> Runs:
    """A list in words: a, b and c."""
    runs: list[Run] = []
    for n, part in enumerate(parts):
        if n:
            runs.append(Text(last if n == len(parts) - 1 else comma))
        runs += part
    return merged(tuple(runs))


def sentence(runs: Runs, end: str = ".") -> Runs:
    """Runs that begin with a capital letter and end with a full stop, or with `end`."""
    runs = merged(runs)
    if not runs:
        return runs
    text = plain(runs).rstrip()
    if text.endswith((".", "!", "?", ":", ".”", "!”", "?”")) and end in (".", ""):
        end = ""
    return merged((_capital(runs[0]), *runs[1:], Text(end)))


def _capital(run: Run) -> Run:
    match run:
        case Text(text):
            return Text(text[:1].upper() + text[1:])
        case Strong(runs) if runs:
            return Strong((_capital(runs[0]), *runs[1:]))
        case Ref(target, runs) if runs:
            return Ref(target, (_capital(runs[0]), *runs[1:]))
    return run


def with_adjective(noun: Noun, grammar: Grammar) -> str:
    """A noun as a name of its own, with its adjective."""
    if not noun.adjective:
        return noun.one
    ending = grammar.inflected(grammar.adjective_mixed, noun, noun.plural, grammar.cases[0])
    return f"{noun.adjective}{ending} {noun.one}"


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
