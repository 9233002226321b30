"""Games by id: those of this checkout, those of other distributions, and the games inside one folder."""

from __future__ import annotations

import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from rulespec import packs

GAME = "rulespec: 1\nid: {id}\ntitle: A Game\n"


def pack(folder: Path, name: str, games: dict[str, str]) -> None:
    """A package with games, each path below it by its id."""
    for path, game in games.items():
        file = folder / name / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(GAME.format(id=game), encoding="utf-8")
    (folder / name / "__init__.py").write_text("raise AssertionError('a pack is not run')\n", encoding="utf-8")


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Packages in this folder are installed; `announce` names them."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(packs, "_own_folder", lambda: None)
    return tmp_path


def announce(monkeypatch: pytest.MonkeyPatch, **values: str) -> None:
    """Entry points as distributions have them."""
    found = [EntryPoint(name, value, packs.GROUP) for name, value in values.items()]
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: found if group == packs.GROUP else [])


def test_games_of_a_pack(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(installed, "some_games", {"chess/game.yaml": "chess", "chess/small.yaml": "chess-small", "go/game.yaml": "go"})
    (installed / "some_games/chess/notes.yaml").write_text("title: no game\n", encoding="utf-8")
    (installed / "some_games/go/data").mkdir()
    (installed / "some_games/go/data/rows.yaml").write_text(GAME.format(id="hidden"), encoding="utf-8")
    announce(monkeypatch, some="some_games")

    assert ["chess", "chess-small", "go"] == [game.id for game in packs.installed_games()]
    assert {"some"} == {game.distribution for game in packs.installed_games()}
    assert installed / "some_games/chess/small.yaml" == packs.find_game("chess-small")
    assert "some_games" not in sys.modules


def test_two_packs_with_one_id(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(installed, "one_pack", {"chess/game.yaml": "chess"})
    pack(installed, "other_pack", {"schach/game.yaml": "chess"})
    announce(monkeypatch, one="one_pack", other="other_pack")

    with pytest.raises(packs.PackError, match="`chess` is there twice") as raised:
        packs.find_game("chess")

    assert "of one" in str(raised.value)
    assert "of other" in str(raised.value)


def test_an_unknown_id_names_the_nearest(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pack(installed, "some_games", {"chess/game.yaml": "chess", "go/game.yaml": "go"})
    announce(monkeypatch, some="some_games")

    with pytest.raises(packs.PackError, match="there is no game `ches`; did you mean `chess`"):
        packs.find_game("ches")
    with pytest.raises(packs.PackError, match="installed are `chess`, `go`"):
        packs.find_game("backgammon")


def test_a_pack_that_is_not_there_is_passed_over(installed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(monkeypatch, gone="gone_games")

    assert [] == packs.installed_games()


def test_paths_need_no_pack(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(GAME.format(id="chess"), encoding="utf-8")

    assert tmp_path / "game.yaml" == packs.find_game(tmp_path / "game.yaml")
    assert tmp_path / "game.yaml" == packs.find_game(str(tmp_path))
    with pytest.raises(packs.PackError, match="there is no file"):
        packs.find_game(str(tmp_path / "other.yaml"))


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("rulespec: 1\nid: chess\n", "chess"),
        ("# a comment\nid: 'chess'   # another\nrulespec: 1\n", "chess"),
        ('rulespec: 1\nid: "chess"\n', "chess"),
        ("id: chess\n", ""),
        ("rulespec: 1\noptions:\n  id: chess\n", ""),
    ],
)
def test_ids_are_read_from_the_head_of_a_file(tmp_path: Path, text: str, id: str) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(text, encoding="utf-8")

    assert id == packs.game_id(path)


def test_games_of_the_checkout_are_found() -> None:
    for game in packs.installed_games():
        assert game.path.is_file()
        assert packs.find_game(game.id) == game.path
