"""Pictures for rulebooks, drawn from the game itself: SVG text that stands alone.

`Drawn` is what `interpreter.rulebook.make_book` takes. The modules draw one kind of thing each: `boards`, `cards`,
`flow` (the course of a game), `table` (a position), `laid` (pieces on a board). `svg` has the shapes and their roles.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.rulebook import blocks
from interpreter.rulebook.pictures import boards, cards, flow, svg, table
from interpreter.rulebook.pictures.wording import word
from interpreter.rulebook.templating import environment, filled

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.rulebook.blocks import Names, Runs
    from interpreter.state import State
    from rulespec.checked import CheckedSpec

__all__ = ["Drawn"]


class Drawn:
    """Draws what a book shows; implements `interpreter.rulebook.blocks.Pictures`.

    Args:
        folders: with templates of the game, `card.svg.j2` for all its components and `card_KIND.svg.j2` for one
            kind; see `interpreter.rulebook.templating.template_folders`.

    Raises:
        MissingLibrary: jinja2 is not installed.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self._environment = environment(folders)
        self._names: dict[str, int] = {}

    def flow(self, spec: CheckedSpec, names: Names) -> blocks.Picture | None:
        """The phases and how they follow each other; None where there are none."""
        return self._block(flow.flow(spec, names))

    def board(self, game: Game, board: str, names: Names) -> blocks.Picture | None:
        """A board, empty."""
        return self._block(boards.board(game, board, names))

    def plan(self, game: Game, constant: str, names: Names) -> blocks.Picture | None:
        """A constant table of enum values by two indices or more; None for others."""
        return self._block(boards.plan(game, constant, names))

    def piece(self, game: Game, kind: str, row: int, names: Names) -> blocks.Picture | None:
        """A card or tile.

        Raises:
            TemplateFault: the game's template for it has a mistake.
        """
        return self._block(cards.piece(game, kind, row, names, self._card))

    def table(
        self,
        state: State,
        names: Names,
        caption: Runs,
        *,
        beside: State | None = None,
        about: Collection[str] = (),
    ) -> blocks.Picture | None:
        """The table in a position, see `blocks.Pictures.table`; None where nothing is to be shown."""
        title = blocks.plain(caption) or word(names, "picture_table")
        return self._block(table.table(state, names, "table", title, beside, about), caption)

    def _card(self, card: cards.Card) -> str:
        from markupsafe import Markup

        template = self._environment.select_template([f"card_{card.kind}.svg.j2", "card.svg.j2"])
        drawn = {part: Markup(getattr(card, part)) for part in ("frame", "head", "shape", "body")}
        return filled(lambda: template.render(card=card, **drawn))

    def _block(self, picture: svg.Picture | None, caption: Runs = ()) -> blocks.Picture | None:
        """The picture as a book has it, with ids that no other one has."""
        if picture is None:
            return None
        number = self._names[picture.name] = self._names.get(picture.name, 0) + 1
        if number > 1:
            picture = picture.renamed(f"{picture.name}-{number}")
        return blocks.Picture(picture.svg, picture.description or picture.title, caption)
