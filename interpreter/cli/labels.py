"""Views with readable components: labels instead of ids, with faces and spots beside them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import interpreter
from interpreter.cli import words


def labelled(game: interpreter.Game, view: Mapping[str, Any]) -> dict[str, Any]:
    """The view of a game's state with each component in a zone as its label."""
    zones = {name: _zones(game, game.spec.zones[name].component, entry) for name, entry in view["zones"].items()}
    return {**view, "zones": zones}


def _zones(game: interpreter.Game, kind: str, entry: Mapping[str, Any]) -> dict[str, Any]:
    if not words.is_zone(entry):
        return {index: _zones(game, kind, part) for index, part in entry.items()}
    shown = dict(entry)
    if "cards" in entry:
        names = [_label(game, kind, card) for card in entry["cards"]]
        for n, face in enumerate(entry.get("faces", ())):
            names[n] += f" ({words.words(face)})"
        for n, spot in enumerate(entry.get("spots", ())):
            names[n] += f" at {words.value(spot)}"
        shown["cards"] = names
    if entry.get("top") is not None:
        shown["top"] = _label(game, kind, entry["top"])
        if "top_face" in entry:
            shown["top"] += f" ({words.words(entry['top_face'])})"
    return shown


def _label(game: interpreter.Game, kind: str, card: str) -> str:
    row = game.tables.numbers[kind].get(card)
    return card if row is None else game.texts.row(kind, row)
