"""Finding games by id: those of this distribution, and those of other installed ones.

A pack is a package whose folder holds folders of games. A distribution names its packs in the entry-point
group `rulespec.games`. Every `*.yaml` directly in a game's folder with `rulespec:` and `id:` at its top is
a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from rulespec.spelling import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "rulespec.games"
OWN = "rulespec"
"""The name of this distribution."""

_HEAD = re.compile(r"""^(rulespec|id)\s*:\s*["']?([^\s"'#]+)""", re.MULTILINE)
_HEAD_BYTES = 16_384


class PackError(LookupError):
    """A game that cannot be found, or two of one id."""


@frozen
class InstalledGame:
    """A game that can be loaded by its id.

    Attributes:
        id: its id.
        path: its file.
        distribution: the name of the distribution that it came with.
    """

    id: str
    path: Path
    distribution: str


def installed_games() -> list[InstalledGame]:
    """All games that can be found, by id.

    Raises:
        PackError: two distributions have a game of one id.
    """
    found: dict[str, InstalledGame] = {}
    for game in _games():
        other = found.setdefault(game.id, game)
        if other.path != game.path:
            raise PackError(
                f"the game `{game.id}` is there twice: {other.path} of {other.distribution}, "
                f"and {game.path} of {game.distribution}"
            )
    return sorted(found.values(), key=lambda game: game.id)


def find_game(game: str | Path) -> Path:
    """The file of a game.

    Args:
        game: a path, or the id of an installed game.

    Raises:
        PackError: there is no such file or game, or two distributions have one of this id.
    """
    path = Path(game)
    try:
        is_file = path.is_file()
    except OSError as problem:  # a name too long for a file
        raise PackError(f"`{game!s:.100}` is no path: {problem.strerror}") from None
    if is_file:
        return path
    if path.is_dir() and (path / "game.yaml").is_file():
        return path / "game.yaml"
    if isinstance(game, Path) or path.suffix in (".yaml", ".yml") or len(path.parts) > 1:
        raise PackError(f"there is no file {game}")
    games = {found.id: found for found in installed_games()}
    if game in games:
        return games[game].path
    hint = did_you_mean(game, games)
    if not hint:
        hint = "installed are " + ", ".join(f"`{name}`" for name in games) if games else "no games are installed"
    raise PackError(f"there is no game `{game}`; {hint}")


def _games() -> Iterator[InstalledGame]:
    seen: set[Path] = set()
    for distribution, folder in _folders():
        for path in sorted(folder.glob("*/*.yaml")):
            resolved = path.resolve()
            name = game_id(path) if resolved not in seen else ""
            if name:
                seen.add(resolved)
                yield InstalledGame(name, path, distribution)


def _folders() -> Iterator[tuple[str, Path]]:
    """Folders of games, each with its distribution; this one's own first."""
    from importlib.metadata import entry_points

    own = _own_folder()
    if own is not None:
        yield OWN, own
    for entry in sorted(entry_points(group=GROUP), key=lambda e: (e.name, e.value)):
        name = entry.dist.name if entry.dist is not None else entry.name
        if name == OWN:
            continue
        for folder in _package_folders(entry):
            yield name, folder


def _own_folder() -> Path | None:
    """The games of this distribution: in a wheel inside the package, in a checkout beside it."""
    here = Path(__file__).resolve().parent
    return next((folder for folder in (here / "_games", here.parent / "games") if folder.is_dir()), None)


def _package_folders(entry: EntryPoint) -> list[Path]:
    """The folders of the package or module that an entry point names; nothing in it is run but its parents."""
    from importlib.util import find_spec

    try:
        spec = find_spec(entry.module)
    except (ImportError, ValueError):
        return []
    if spec is None:
        return []
    if spec.submodule_search_locations:
        return [Path(place) for place in spec.submodule_search_locations]
    return [Path(spec.origin).parent] if spec.origin is not None else []


def game_id(path: Path) -> str:
    """The id of a game file, from the first lines of it, or "" if it is none."""
    try:
        with path.open("rb") as file:
            text = file.read(_HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    head: dict[str, str] = {}
    for match in _HEAD.finditer(text):
        head.setdefault(match.group(1), match.group(2))
    return head.get("id", "") if "rulespec" in head else ""
