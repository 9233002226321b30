"""Words that a page adds itself, beside `Book.words`."""

from __future__ import annotations

from interpreter.rulebook.blocks import Book

WORDS = {
    "page_skip": "Skip to the rules",
    "page_rulebook": "Rulebook",
    "page_reading": "How to read this book",
    "page_rules": "Text like this is made from the rules themselves. It is what is played.",
    "page_author": "Text like this is by the author of the game. It explains and gives hints.",
    "page_changes": "What changes beside {base}",
    "page_language": "English",
    "page_made": "Made from the rules of the game with rulespec.",
}
"""The words in English; a language has its own under the same keys of its phrases."""


def page_word(book: Book, key: str, **values: object) -> str:
    """A word of a page, in the language of the book.

    Raises:
        KeyError: there is no such word.
    """
    text = book.words[key] if key in book.words else WORDS.get(key, key)
    for name, value in values.items():  # no format(): words of a game's own may have braces
        text = text.replace(f"{{{name}}}", str(value))
    return text
