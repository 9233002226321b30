"""Words inside pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.rulebook.blocks import Names

WORDS = {
    "picture_flow": "The course of the game",
    "picture_setup": "Set-up",
    "picture_end": "End of the game",
    "picture_turns": "Players take turns",
    "picture_counterclockwise": "counterclockwise",
    "picture_again": "again",
    "picture_table": "The table",
    "picture_spaces": "{count} spaces",
    "picture_any_time": "at any time",
    "picture_hidden": "{count} hidden",
    "picture_empty": "empty",
    "picture_yes": "yes",
    "picture_no": "no",
    "picture_nothing": "none",
    "picture_player": "Player {number}",
    "picture_more": "and {count} more",
}
"""The words in English; a language has its own under the same keys of its phrases."""


def word(names: Names, key: str, **values: object) -> str:
    """A word inside a picture, in the language of the book."""
    try:
        text = names.word(key)
    except KeyError:
        text = WORDS[key]
    return text.format(**values) if values else text
