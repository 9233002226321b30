"""Files of words: what they can say, and what is said of their mistakes."""

from pathlib import Path

import pytest

import rulespec
from interpreter.rulebook import make_book
from interpreter.rulebook.word_files import WordsError
from tests.rulebook.tokens import GAME, told, words, written


def test_words_of_a_game(tmp_path: Path) -> None:
    words(
        tmp_path,
        """\
title: Coins
about: Take coins.
names:
  tokens: {one: gold pieces, each: gold piece}
  actions.take_one: Take a piece
texts:
  actions.take_one: The only thing to do.
notes: [First., Second.]
""",
    )
    book = make_book(written(tmp_path))
    assert (book.title, book.about) == ("Coins", "Take coins.")
    text = told(book)
    assert "Take a piece\nThe only thing to do.\nEffect: Gain 1 gold piece." in text
    assert text.endswith("Players who are still equal share the victory.")
    assert "Designer's notes\nFirst.\nSecond." in text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n", "a map is needed, with keys as `names` and `texts`"),
        (
            "words: {}\n",
            "nothing reads `words`; there are `title`, `about`, `doc`, `notes`, `names`, `phrases`, `texts`, `says`, "
            "`by_doc`",
        ),
        ("names: [a]\n", "`names` is a map of names to texts"),
        ("names: {walk: {one: 3}}\n", "the name of `walk`, `one`, is `3`; a name has letters"),
        ("names: {walk: 3}\n", "the name of `walk` is `3`; a name has letters"),
        ("names: {walk: [a]}\n", "the name of `walk` is a list; a text is needed"),
        ("names: {walk: {many: walks}}\n", "the name of `walk` has no `one`, what one of it is called"),
        ("names: {walk: {one: {a: b}}}\n", "the name of `walk`, `one`, is a map; a text is needed"),
        (
            "names: {walk: {one: walk, sex: f}}\n",
            "the name of `walk` has `sex`; there are `one`, `many`, `each`, `mass`, `plural`, `proper`, `to`, `in`, "
            "`from`, `gender`, `adjective`",
        ),
        (
            "names: {walk: {one: walk, gender: x}}\n",
            "the name of `walk`, `gender`, is `x`; it can be `m`, `f`, `n`",
        ),
        ("phrases: {walk: {sì: a}}\n", "the phrase of `walk` has `sì`; there are `value`, `number`, `of`, `yes`, `no`"),
        ("texts: {about: [a]}\n", "under `texts`, `about` has a list; a text is needed"),
        ("texts: {about: {tokens: [a]}}\n", "under `texts`, `about` has a list; a text is needed"),
        ("says: [a]\n", "`says` is a map of texts of rules to texts"),
        ("says: {a: {b: c}}\n", "under `says`, `a` has a map; a text is needed"),
        ("by_doc: walk\n", "`by_doc` is a list of names"),
        ('phrases: {tokens: "{p} has"}\n', "the phrase for `tokens` has {p}; it is given {0}, {what}"),
    ],
)
def test_mistakes_in_words(tmp_path: Path, text: str, message: str) -> None:
    words(tmp_path, text)
    spec = written(tmp_path)
    with pytest.raises(WordsError) as caught:
        make_book(spec)
    assert str(caught.value) == f"{tmp_path / 'rulebook' / 'en.yaml'}: {message}"


def test_hostile_text_is_text(tmp_path: Path) -> None:
    """Braces, markup and template syntax in names and docs are never read."""
    hostile = "<script>{{ x }}{what}{% raw %}</script>"
    game = GAME.replace("Take tokens.", hostile).replace("  take_one:\n", f"  take_one:\n    doc: '{hostile}'\n")
    words(tmp_path, f"names: {{tokens: '{hostile}'}}\n")
    text = told(make_book(written(tmp_path, game)))
    assert text.count(hostile) >= 4


def test_a_folder_is_no_file_of_words(tmp_path: Path) -> None:
    (tmp_path / "rulebook" / "en.yaml").mkdir(parents=True)
    spec = written(tmp_path)
    with pytest.raises(WordsError) as caught:
        make_book(spec)
    path = tmp_path / "rulebook" / "en.yaml"
    assert str(caught.value) == f"{path}: this is a folder; the words of a language are a file"


def test_names_of_values_may_be_numbers(tmp_path: Path) -> None:
    words(tmp_path, "names: {values.Side.one: 1}\n")
    game = GAME.replace("variables:", "types:\n  Side: [one, other]\nvariables:\n  side: Side")
    assert "One of these: 1 or other." in told(make_book(written(tmp_path, game)))


WINNING = GAME.replace(
    "    do: tokens[me] += 1",
    """\
    do: |
      tokens[me] += 1
      if tokens[me] == 9:
        win me "has {tokens[me]} after {tokens[me] - 1} tokens"
      else if tokens[me] == 8:
        win me "has all"
""",
)


def test_texts_of_rules_are_translated(tmp_path: Path) -> None:
    """With the same values, in whatever order; in other languages, and without words, they stay as they are."""
    (tmp_path / "rulebook").mkdir()
    (tmp_path / "rulebook" / "de.yaml").write_text(
        'says: {"has {tokens[me]} after {tokens[me] - 1} tokens": "nach {tokens[me] - 1} nun {tokens[me]}"}\n',
        encoding="utf-8",
    )
    spec = written(tmp_path, WINNING)
    german, english = told(make_book(spec, language="de")), told(make_book(spec))
    assert "du gewinnst das Spiel: „nach dein Tokens weniger 1 nun dein Tokens“." in german
    assert "du gewinnst das Spiel: „has all“." in german
    assert "you win the game: “has your tokens after your tokens less 1 tokens”." in english


def test_words_for_a_text_have_its_values_only(tmp_path: Path) -> None:
    words(tmp_path, 'says: {"has {tokens[me]} after {tokens[me] - 1} tokens": "{you} are rich"}\n')
    spec = written(tmp_path, WINNING)
    with pytest.raises(WordsError) as caught:
        make_book(spec)
    assert str(caught.value) == (
        "the words for `has {tokens[me]} after {tokens[me] - 1} tokens` have {you}; "
        "the text has {tokens[me]}, {tokens[me] - 1}"
    )


LINE = GAME.replace(
    "actions:\n  take",
    """\
functions:
  next_to(1..9 n):
    doc: Numbers that follow each other.
    is: (n + 1) mod 9 + 1
  plain(1..9 n):
    is: n + 1
actions:
  take""",
).replace("tokens[me] += 1", "tokens[me] += min(next_to(1), plain(2))")


def test_a_rule_that_its_doc_tells(tmp_path: Path) -> None:
    """Without a doc the rule is told, so that nothing is missing."""
    assert "This is the remainder of" in told(make_book(written(tmp_path, LINE)))
    words(tmp_path, "by_doc: [next_to, plain]\n")
    text = told(make_book(written(tmp_path, LINE)))
    assert "Numbers that follow each other." in text
    assert "remainder" not in text
    assert "This is the number plus 1." in text


def test_texts_by_game(tmp_path: Path) -> None:
    """A text for a game holds for those that extend it, until one of them has its own."""
    words(
        tmp_path,
        "texts:\n  actions.take_one: {tokens: Of the base., third: Of the third.}\n  phases.play: {other: Not told.}\n",
    )
    base = written(tmp_path)
    for name, extended in (("second", "game"), ("third", "second"), ("fourth", "third")):
        text = f"rulespec: 1\nextends: {extended}.yaml\nid: {name}\ntitle: {name}\nabout: More.\n"
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    books = [told(make_book(base))]
    books += [told(make_book(rulespec.load(tmp_path / f"{name}.yaml"))) for name in ("second", "third", "fourth")]
    assert ["Of the base." in book for book in books] == [True, True, False, False]
    assert ["Of the third." in book for book in books] == [False, False, True, True]
    assert not any("Not told." in book for book in books)
