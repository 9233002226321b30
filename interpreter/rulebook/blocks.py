"""A rulebook as plain data: sections, blocks of text, and runs of words inside them.

What makes a book (`interpreter.rulebook.make_book`) and what writes it as a page, as Markdown or for print know
nothing of each other but these classes. All text is plain: no markup, and nothing is escaped. Whoever writes a
book escapes it. The one exception is `Picture.svg`, which is markup made by the library and its templates.

Every id in a book is unique, made of small letters, digits and hyphens, and every `Ref` leads to one of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, TypeAlias

from rulespec.records import frozen

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.state import State
    from rulespec.checked import CheckedSpec


# ---------------------------------------------------------------- runs: what a line of text is made of


@frozen
class Text:
    """Plain words."""

    text: str


@frozen
class Strong:
    """Words that stand out: a term where it is explained, a name at the head of an item."""

    runs: Runs


@frozen
class Ref:
    """Words that lead to what has the id `target`: a section, a piece, a glossary entry."""

    target: str
    runs: Runs


@frozen
class Code:
    """Something as it is written in the game's file or shown in brackets by the command line."""

    text: str


Run: TypeAlias = Text | Strong | Ref | Code
Runs: TypeAlias = tuple[Run, ...]


# ---------------------------------------------------------------- blocks


@frozen
class Paragraph:
    """One or more sentences."""

    runs: Runs


@frozen
class Items:
    """A list. Each item is a tuple of blocks: mostly a paragraph, then perhaps lists inside it.

    numbered: the order counts, as in a set-up.
    """

    items: tuple[Blocks, ...]
    numbered: bool = False


@frozen
class Table:
    """Rows of cells under a head; the first cell of each row names the row when `row_heads` is true.

    numeric: for each column whether it holds numbers, to be set right-aligned.
    """

    head: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]
    caption: Runs = ()
    row_heads: bool = True
    numeric: tuple[bool, ...] = ()


@frozen
class Picture:
    """svg: a whole `<svg>` element. alt: what it shows, in words; never empty."""

    svg: str
    alt: str
    caption: Runs = ()


@frozen
class Author:
    """Text by the author of the game (a `doc`), which explains and does not bind."""

    blocks: Blocks


@frozen
class Rules:
    """Text made from the rules themselves; what is played."""

    blocks: Blocks


@frozen
class Note:
    """An aside; kind: "note" (a remark), "option" (holds only with an option), "warning"."""

    blocks: Blocks
    kind: str = "note"


@frozen
class Piece:
    """One card, tile or row of a table, in a reference of all of them.

    Attributes:
        id: what leads here; "" for none.
        name: what it is called.
        copies: how many of it there are.
        facts: names and values of its fields.
        blocks: its rules.
    """

    id: str
    name: Runs
    copies: int = 1
    facts: tuple[tuple[Runs, Runs], ...] = ()
    blocks: Blocks = ()
    picture: Picture | None = None


@frozen
class Pieces:
    """Pieces side by side; `name` says what they are, in the plural."""

    name: Runs
    pieces: tuple[Piece, ...]


@frozen
class ExamplePart:
    """What some players do in an example, and what comes of it.

    Attributes:
        steps: who does what, one after the other.
        happens: lines of the log, as everyone sees them.
        holds: what is so afterwards, sentences.
        after: the table afterwards.
    """

    steps: tuple[Runs, ...]
    happens: tuple[Runs, ...]
    holds: tuple[Runs, ...]
    after: Picture | None = None


@frozen
class Example:
    """A scenario that was played when the book was made.

    rule: where the rule stands, as the scenario cites it. start: sentences on the position at the start.
    before: the table at the start.
    """

    id: str
    title: Runs
    rule: Runs
    blocks: Blocks
    before: Picture | None
    parts: tuple[ExamplePart, ...]


Block: TypeAlias = Paragraph | Items | Table | Picture | Author | Rules | Note | Pieces | Example
Blocks: TypeAlias = tuple[Block, ...]


# ---------------------------------------------------------------- the book


@frozen
class Section:
    """A part of the book with its own heading.

    Attributes:
        id: what leads here.
        title: the heading.
        blocks: what stands under it.
        sections: its parts.
        kind: what it is about, for templates that show sections differently: overview, components, setup,
            course, phase, actions, action, triggers, trigger, reference, scoring, options, terms, term,
            examples, notes, changes, summary.
    """

    id: str
    title: Runs
    blocks: Blocks = ()
    sections: tuple[Section, ...] = ()
    kind: str = ""


@frozen
class GlossaryEntry:
    """A word of the game explained; `id` is what leads here, `see` leads to where it is told at length."""

    id: str
    term: str
    blocks: Blocks
    see: str = ""


@frozen
class IndexEntry:
    """A word and the ids of all places where it is told, the most important first."""

    term: str
    targets: tuple[str, ...]


@frozen
class Book:
    """A rulebook.

    Attributes:
        id, title, version: of the game.
        language: `en`, `de`: a language tag, of the sentences made from rules.
        about: one sentence on the game.
        players: as text: `2 to 4`.
        base: of a book that tells only what a variant changes, the title of its base; else "".
        sections: all sections but the following, in order.
        glossary, index: sorted by term.
        summary: one page for players who know the rules.
        words: texts for headings and labels that a writer of books adds itself, by key, in the book's language:
            contents, glossary, index, summary, example, before, after, author, rules, note, option, warning, see,
            copies, players, version, rule, steps, happens, holds, changes, page.
    """

    id: str
    title: str
    version: str
    language: str
    about: str
    players: str
    base: str
    sections: tuple[Section, ...]
    glossary: tuple[GlossaryEntry, ...]
    index: tuple[IndexEntry, ...]
    summary: Section | None
    words: Mapping[str, str]


# ---------------------------------------------------------------- pictures that a book asks for


class Names(Protocol):
    """What things are called in a book, in its language."""

    def of(self, kind: str, name: str) -> str:
        """The name of a declared thing.

        Args:
            kind: action, phase, zone, variable, function, procedure, trigger, option, table (record types,
                components and boards), type (enums), constant, field (`Card.number`), value (`Suit.hearts`), face.
            name: its identifier.
        """

    def labelled(self, table: str, row: str, label: str) -> str:
        """The label of a row in the words of the book; `label` is the one in play."""

    def text(self, key: str, default: str) -> str:
        """A text of the author in the language of the book: `rows.Card.jump.does`; default: the one of the spec."""

    def word(self, key: str) -> str:
        """One of `Book.words`."""


class Pictures(Protocol):
    """Draws what a book shows. Each method may give None where there is nothing to draw."""

    def flow(self, spec: CheckedSpec, names: Names) -> Picture | None:
        """The phases and how they follow each other."""

    def board(self, game: Game, board: str, names: Names) -> Picture | None:
        """A board, empty."""

    def piece(self, game: Game, kind: str, row: int, names: Names) -> Picture | None:
        """A card or tile; `row` is its number in the game's table `kind`."""

    def plan(self, game: Game, constant: str, names: Names) -> Picture | None:
        """A constant table whose values are of an enum, drawn by its last two indices as rows and columns."""

    def table(
        self,
        state: State,
        names: Names,
        caption: Runs,
        *,
        beside: State | None = None,
        about: Collection[str] = (),
    ) -> Picture | None:
        """The table in a position, as a spectator sees it.

        Args:
            state: the position.
            names: what things are called.
            caption: what stands below the picture.
            beside: another position of the same game, before or after this one. What differs is marked, and
                zones and variables that are the same in both are left out. None for the whole table.
            about: names of zones and variables that are shown in any case.
        """


class NoPictures:
    """A book without pictures."""

    def flow(self, spec: CheckedSpec, names: Names) -> Picture | None:
        """Nothing."""

    def board(self, game: Game, board: str, names: Names) -> Picture | None:
        """Nothing."""

    def piece(self, game: Game, kind: str, row: int, names: Names) -> Picture | None:
        """Nothing."""

    def plan(self, game: Game, constant: str, names: Names) -> Picture | None:
        """Nothing."""

    def table(
        self,
        state: State,
        names: Names,
        caption: Runs,
        *,
        beside: State | None = None,
        about: Collection[str] = (),
    ) -> Picture | None:
        """Nothing."""


# ---------------------------------------------------------------- reading a book


def plain(runs: Runs) -> str:
    """The words of runs without what they lead to."""
    return "".join(plain(run.runs) if isinstance(run, Strong | Ref) else run.text for run in runs)


def all_sections(book: Book) -> Iterator[Section]:
    """Every section, each before its parts, the summary last."""

    def walk(section: Section) -> Iterator[Section]:
        yield section
        for part in section.sections:
            yield from walk(part)

    for section in book.sections:
        yield from walk(section)
    if book.summary is not None:
        yield from walk(book.summary)


def all_blocks(blocks: Blocks) -> Iterator[Block]:
    """Every block, each before those inside it."""
    for block in blocks:
        yield block
        match block:
            case Items(items):
                for item in items:
                    yield from all_blocks(item)
            case Author(inner) | Rules(inner) | Note(inner):
                yield from all_blocks(inner)
            case Pieces(pieces=pieces):
                for piece in pieces:
                    yield from all_blocks(piece.blocks)
            case Example(blocks=inner):
                yield from all_blocks(inner)
            case _:
                pass
