"""Names of seats, and bots by name."""

from __future__ import annotations

import interpreter


def seat_names(game: interpreter.Game) -> tuple[str, ...]:
    """The seats' names in order, as views and logs call them."""
    declared = [name for name, _ in game.spec.source.seat_names]
    return tuple(declared) or tuple(f"player_{seat + 1}" for seat in range(game.seats))
