"""States as JSON texts: exact, in the middle of any effect, and checked when they are read.

A text says which game it is of (id, content hash of the spec, players, options) and holds the whole position, what
came before it as texts of actions, and, where the history starts elsewhere than a new game, that position too. What
can be worked out from the rest (where each component lies, the options on offer) is not kept.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from interpreter.actions import Action
from interpreter.errors import SaveError
from interpreter.saves.positions import Reader, encode, position_data
from interpreter.state import State
from rulespec.check import types as t

if TYPE_CHECKING:
    from interpreter.game import Game

FORMAT = 1

_READABLE = (t.BoolType, t.PlayerType, t.EnumType, t.TableType, t.NumberType, t.SpotType)
"""Types whose values are read back from the text of an action."""


def game_data(game: Game) -> dict[str, Any]:
    """What a save says of its game."""
    return {
        "game": game.spec.id,
        "version": game.spec.source.version,
        "hash": game.spec.source.source_hash,
        "players": game.seats,
        "options": game.option_texts,
    }


def state_to_json(state: State) -> str:
    """A state as JSON text. The same state gives the same text, on every machine.

    Raises:
        SaveError: a number is too long to be written.
    """
    S = state._position
    data = {
        "format": FORMAT,
        "kind": "state",
        **game_data(state.game),
        "chance": "explicit" if state.is_explicit else "seeded",
        "seed": state.seed,
        "position": position_data(state.game, S),
        "history": [_entry(state.game, seat, action) for seat, action in state._since(state._begun)],
        "origin": None if state._origin is None else position_data(state.game, state._origin),
    }
    try:
        return with_check(data)
    except ValueError as problem:  # Python writes no number of more digits.
        raise SaveError("a number of more than 4,300 digits cannot be saved") from problem


def _entry(game: Game, seat: int, action: Action) -> list[Any]:
    """A decision of the history: seat and text, and the arguments where the text alone does not give them back."""
    text = str(action)
    if all(isinstance(p.type, _READABLE) for p in action.table.schema.parameters):
        return [seat, text]
    return [seat, text, [p.name for p in action.table.schema.parameters], encode(action.key)]


def state_from_json(game: Game, text: str) -> State:
    """The state with this text.

    Raises:
        SaveError: it is damaged, or of another game, spec, number of players or options.
    """
    data = parsed_save(text, "state")
    check_game(game, data)
    chance = taken(data, "chance", str)
    if chance not in ("seeded", "explicit"):
        raise SaveError(f"this save is damaged: chance is `{chance}`")
    module = game.module(explicit=chance == "explicit")
    reader = Reader(game, module)
    try:
        position = reader.position(taken(data, "position", dict))
        origin = data.get("origin")
        begun = None if origin is None else reader.position(taken(data, "origin", dict))
        history: Any = None
        for entry in taken(data, "history", list):
            seat, action = _decision(game, reader, entry)
            history = (history, seat, action)
    except SaveError:
        raise
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError) as problem:
        raise SaveError(f"this save is damaged: {type(problem).__name__}: {problem}") from problem
    return State(game, module, position, taken(data, "seed", int), history, begun)


def _decision(game: Game, reader: Reader, entry: Any) -> tuple[int, Action]:
    if not isinstance(entry, list) or len(entry) not in (2, 4):
        raise SaveError("this save is damaged: its history is not a list of decisions")
    seat, text = entry[:2]
    if type(seat) is not int or not -1 <= seat < game.seats or not isinstance(text, str):
        raise SaveError(f"this save is damaged: its history has {json.dumps(entry[:2])}")
    if len(entry) == 2:
        action = game.parse_action(text)
    else:
        key = reader.value(entry[3])
        tables = game.action_tables.values()
        named = [tb for tb in tables if [p.name for p in tb.schema.parameters] == entry[2]]
        action = next((tb.of(key) for tb in named if str(tb.of(key)) == text), None)
    if action is None:
        raise SaveError(f"this save is damaged: its history has `{text}`, which is no action of this game")
    return seat, action


# ---------------------------------------------------------------- what states and matches share


def parsed_save(text: str, kind: str) -> dict[str, Any]:
    """The data of a save of a kind (state, match).

    Raises:
        SaveError: it is not one, or of a later format.
    """
    try:
        data = json.loads(text)
    except (ValueError, TypeError, RecursionError) as problem:
        place = f" (line {problem.lineno}, column {problem.colno})" if isinstance(problem, json.JSONDecodeError) else ""
        raise SaveError(f"this is no save, or it is cut off: it is not JSON{place}") from problem
    if not isinstance(data, dict) or type(data.get("format")) is not int or data.get("kind") not in ("state", "match"):
        raise SaveError("this is no save of a game")
    if "\\ud" in text.lower():  # written by another hand: saves have no such escapes
        try:
            _packed(data).encode()
        except (UnicodeEncodeError, RecursionError) as problem:
            raise SaveError("this save is damaged: it has half of a character, which no text has") from problem
    if data["format"] != FORMAT:
        raise SaveError(f"this save has format {data['format']}; this version reads format {FORMAT}")
    if data["kind"] != kind:
        raise SaveError(f"this is a save of a {data['kind']}, not of a {kind}")
    check = data.pop("check", None)
    if check is not None and check != _check(_packed(data)):
        raise SaveError("this save is damaged: it is not as it was written; its `check` does not fit")
    return data


def with_check(data: Mapping[str, Any], indent: int | None = None) -> str:
    """The text of a save. At its end stands `check`, a digest of all the rest; a save without one is read, too."""
    checked = {**data, "check": _check(_packed(data))}
    if indent is None:
        return _packed(checked)
    return json.dumps(checked, ensure_ascii=False, indent=indent)


def _packed(data: Mapping[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _check(text: str) -> str:
    return hashlib.blake2b(text.encode(errors="surrogatepass"), digest_size=16).hexdigest()


def check_game(game: Game, data: Mapping[str, Any], rules: bool = True) -> None:
    """Whether a save is of this game; rules: and of the same rules.

    Raises:
        SaveError: it is not, and what differs.
    """
    own = game_data(game)
    if data.get("game") != own["game"]:
        raise SaveError(f"this save is of the game `{data.get('game')}`, not of `{own['game']}`")
    if rules and data.get("hash") != own["hash"]:
        versions = f" (version {data.get('version')} then, {own['version']} now)" if own["version"] else ""
        raise SaveError(f"the rules of `{own['game']}` have changed since this was saved{versions}")
    if data.get("players") != own["players"]:
        raise SaveError(f"this save is for {data.get('players')} players, and this game for {own['players']}")
    options = data.get("options")
    if options != own["options"]:
        if not isinstance(options, dict):
            raise SaveError("this save is damaged: it has no options")
        names = [name for name in {**own["options"], **options} if options.get(name) != own["options"].get(name)]
        told = ", ".join(f"{n} is {options.get(n)} in the save and {own['options'].get(n)} here" for n in names)
        raise SaveError(f"this save has other options: {told}")


def taken(data: Mapping[str, Any], key: str, type_: type) -> Any:
    """A part of a save that must be of a type.

    Raises:
        SaveError: it is not.
    """
    value = data.get(key)
    if type(value) is not type_:
        raise SaveError(f"this save is damaged: `{key}` is missing or not what it should be")
    return value


def read_save(path: str | Path) -> str:
    """The text of a file.

    Raises:
        OSError: the file cannot be read.
        SaveError: it is no text.
    """
    try:
        return Path(path).read_text(encoding="utf-8")
    except UnicodeDecodeError as problem:
        raise SaveError("this is no save: it is not text") from problem


def decision_of(entry: Any, number: int) -> tuple[int, str]:
    """A decision of a saved match: seat and text.

    Raises:
        SaveError: it is none.
    """
    if not (isinstance(entry, list) and [type(part) for part in entry] == [int, str]):
        raise SaveError(f"this save is damaged: decision {number} is {json.dumps(entry)}")
    return entry[0], entry[1]


def options_digest(state: State, seat: int) -> str:
    """Sixteen digits that tell the options of a seat from others."""
    texts = "\n".join(str(option) for option in state.legal_actions(seat))
    return hashlib.blake2b(texts.encode(), digest_size=8).hexdigest()


def result_data(state: State) -> dict[str, Any] | None:
    """The result of a game that is over, as plain data; None before."""
    if not state.is_over:
        return None
    return {"winners": state.winners, "scores": [str(score) for score in state.scores], "outcome": state.outcome}


def write_whole(path: str | Path, text: str) -> None:
    """Writes a file whole or not at all: into another one beside it, which then takes its place.

    Raises:
        OSError: it cannot be written; what was there before is as it was.
    """
    path = Path(path).resolve()  # A link stays one.
    try:
        mode = path.stat().st_mode & 0o777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    handle, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


__all__ = [
    "FORMAT",
    "check_game",
    "decision_of",
    "game_data",
    "options_digest",
    "parsed_save",
    "read_save",
    "result_data",
    "state_from_json",
    "state_to_json",
    "taken",
    "with_check",
    "write_whole",
]
