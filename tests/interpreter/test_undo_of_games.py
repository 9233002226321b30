"""Undo in every game: what can be taken back, told apart here from the history, the random streams and what is seen.

The rules of a platform for people: taking back never makes another seat decide again, never leaves the decision to
somebody else, never goes across chance, and never across something that was shown.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter
from interpreter import Match, UndoError
from interpreter.saves.positions import taken_list
from interpreter.testing import hidden_twin, random_decision
from rulespec.packs import installed_games

CLASSICS = Path(__file__).parents[1] / "conformance" / "games"
GAMES = [*(game.id for game in installed_games())]
GAMES += [str(CLASSICS / f"{name}.yaml") for name in ("chess", "gin_rummy", "hearts", "liars_dice", "goofspiel", "pig")]
DECISIONS = 40


def seen(state):
    """What everybody is shown, and all that there is to do."""
    seats = (*range(state.game.seats), None)
    return [state.to_json(), *([state.view(seat), state.log(seat)] for seat in seats)]


def in_sight(state, seat):
    """The components that a seat sees."""
    game, S = state.game, state._position
    bit = game.sight.bit(seat)
    return {
        (name, c)
        for name, table in game.spec.tables.items()
        if table.kind == "component"
        for c in range(game.layout.row_counts[name])
        if game.sight.component(S, name, c) & bit
    }


def learns(before, after, decision, viewer, chance):
    """Whether what a seat sees after a decision tells something that was hidden from it before."""
    if in_sight(after, viewer) - in_sight(before, viewer):
        return True
    twin = hidden_twin(before, viewer, chance)
    if twin is None or twin.view(viewer) != before.view(viewer):
        return False
    seat, action = decision
    if action not in twin.legal_actions(seat):
        return False
    numbers = list(twin._position.rng)
    twin.apply(action, seat)
    if numbers != twin._position.rng:
        return False  # What would have been seen is chance; that it did not come is no news.
    return bool(twin.view(viewer) != after.view(viewer))


@pytest.mark.parametrize("name", GAMES)
def test_what_can_be_taken_back(name):
    game = interpreter.load_game(name)
    asked = 0
    for seed in range(2):
        chance = random.Random(seed)
        match = Match(game, seed=seed)
        for _ in range(DECISIONS):
            if match.state.is_over:
                break
            before = match.state.clone()
            seat, action = random_decision(match.state, chance)
            match.apply(action, seat)
            check_undo(match, before, (seat, action), chance)
            asked += 1
    assert asked > 0


def check_undo(match, before, decision, chance):
    """Whether the last decision can be taken back, and what comes of trying."""
    seat, action = decision
    game, reason = match.game, match.can_undo(seat)
    for other in range(game.seats):
        assert other == seat or match.can_undo(other), "a seat that has not decided last takes something back"
    if before._position.rng != match.state._position.rng:
        assert reason, f"`{action}` was taken back across chance"
    others = before._position.branches and any(who != seat for who, _ in taken_list(before._position.taken))
    if others and match.state._position.branches is None:
        assert reason, f"`{action}` was taken back after others had shown what they chose"
    if not reason and before._position.branches is None and chance.random() < 0.4:
        for viewer in range(game.seats):
            told = f"`{action}` was taken back, and {game.seat_name(viewer)} knows more than before"
            assert not learns(before, match.state, decision, viewer, chance), told
    if reason:
        assert is_justified(reason, match, before, seat)
        unchanged = match.state.to_json()
        with pytest.raises(UndoError) as caught:
            match.undo(seat)
        assert reason == str(caught.value)
        assert unchanged == match.state.to_json()
    elif chance.random() < 0.4:
        wanted = seen(before)
        match.undo(seat)
        assert seat in match.state.deciding_seats(), "after taking back somebody else decides"
        assert wanted == seen(match.state)
        match.apply(action, seat)


def is_justified(reason, match, before, seat):
    """Whether the streams, what is seen, or the log bear out that a decision cannot be taken back."""
    after = match.state
    if before._position.rng != after._position.rng or "what they chose is known" in reason:
        return True
    if "by what not all see" in reason and match.game.tells.variables and before.variables != after.variables:
        return True
    if any(in_sight(after, viewer) - in_sight(before, viewer) for viewer in range(match.game.seats)):
        return True
    lines = [line for viewer in range(match.game.seats) for line in after.log(viewer)[len(before.log(viewer)) :]]
    return any(
        word in line for line in lines for word in (" shown", " goes ", " draws ", " go ", "shuffled", " taken ")
    )
