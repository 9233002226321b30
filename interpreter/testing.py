"""Properties that every game must have, to run on one's own: `check_game`.

    from interpreter import load_game
    from interpreter.testing import check_game

    def test_my_game():
        check_game(load_game("my_game/game.yaml", players=3))

Each raises an AssertionError that says what was not so, with the seed and the decision where it was found.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from interpreter.actions import Action
from interpreter.errors import IllegalAction
from interpreter.game import Game
from interpreter.state import State
from interpreter.trials.simulation import MAX_DECISIONS
from interpreter.why.reasons import broken
from interpreter.worlds.noninterference import find_leaks, random_decision
from interpreter.worlds.twins import editable, hidden_twin

_SAMPLE = 6
"""Options tried of a decision with more."""


def play_random(game: Game, seed: int, max_decisions: int = MAX_DECISIONS) -> State:
    """A random game, played to its end or to a number of decisions."""
    state = game.new_state(seed)
    chance = random.Random(seed)
    for _ in range(max_decisions):
        if state.is_over:
            break
        seat, action = random_decision(state, chance)
        state.apply(action, seat)
    return state


def check_game(
    game: Game,
    games: int = 10,
    *,
    seed: int = 0,
    max_decisions: int = 1_000,
    each: int = 10,
) -> None:
    """Plays random games and checks at decisions what must hold of every game.

    Args:
        game: the game.
        games: how many are played.
        seed: of the first; each further game takes the next.
        max_decisions: a longer game is left there.
        each: the costly checks are done at one decision in so many.

    Raises:
        AssertionError: something does not hold.
    """
    check_same_seed_same_game(game, seed, max_decisions)
    for number in range(seed, seed + games):
        state = game.new_state(number)
        chance = random.Random(number)
        counts = component_counts(state)
        for decision in range(max_decisions + 1):
            with _told(game, number, decision):
                check_decision(state)
                assert counts == component_counts(state), "components have come or gone"
                if int(chance.random() * each) == 0 or state.is_over:
                    check_clone(state)
                    check_options(state, chance)
                    check_refusal(state)
                    check_save(state, chance)
                if state.is_over:
                    check_end(state)
                    break
                seat, action = random_decision(state, chance)
                state.apply(action, seat)


@contextmanager
def _told(game: Game, seed: int, decision: int) -> Iterator[None]:
    """Adds the seed and the decision to what is raised."""
    try:
        yield
    except Exception as problem:
        problem.add_note(f"{game.spec.id} with {game.seats} players, seed {seed}, decision {decision}")
        raise


# ---------------------------------------------------------------- one property each


def check_decision(state: State) -> None:
    """Options are there exactly while the game goes on, each once, and the invariants hold."""
    assert state.broken_invariants() == [], "; ".join(broken(state))
    if state.is_over:
        assert state.current_seat is None, "the game is over and somebody decides"
        assert state.deciding_seats() == [], "the game is over and somebody decides"
        assert [a for seat in range(state.game.seats) for a in state.legal_actions(seat)] == [], "options after the end"
        return
    deciding = state.deciding_seats()
    assert deciding and state.current_seat == deciding[0], f"{state.current_seat} decides, of {deciding}"
    assert len(set(deciding)) == len(deciding), f"seats twice in {deciding}"
    assert state.legal_actions(deciding[0]) == state.legal_actions(), "two lists of options for one seat"
    for seat in deciding:
        options = state.legal_actions(seat)
        assert options, f"{state.game.seat_name(seat)} decides and has no option"
        assert len({str(option) for option in options}) == len(options), f"an option stands twice: {_texts(options)}"


def check_clone(state: State) -> None:
    """A copy is equal, and equal after both have done the same."""
    before = state.to_json()
    copy = state.clone()
    assert before == copy.to_json(), "a clone is not equal"
    if not state.is_over:
        seat = state.deciding_seats()[0]
        other = state.clone()
        action = state.legal_actions(seat)[-1]
        copy.apply(action, seat)
        assert before == other.to_json(), "applying an action to a clone has changed another clone"
        other.apply(action, seat)
        assert copy.to_json() == other.to_json(), "two clones differ after the same action"
        assert before == state.to_json(), "applying an action to a clone has changed the state"


def check_options(state: State, chance: random.Random) -> None:
    """Options can be done, read back from their text and found by their id."""
    table = state.game.action_table
    before = state.to_json()
    for seat in state.deciding_seats():
        options = state.legal_actions(seat)
        for option in options if len(options) <= _SAMPLE else chance.sample(options, _SAMPLE):
            if option.id is not None:
                assert 0 <= option.id < len(table), f"the id of `{option}` is {option.id}, of {len(table)}"
                assert table[option.id] is option, f"`{option}` is not at its id"
            parsed = state.game.parse_action(str(option))
            assert parsed is not None, f"`{option}` cannot be read back"
            assert str(parsed) == str(option), f"`{option}` is read back as `{parsed}`"
            assert option.label, f"`{option}` has no label"
            copy, again = state.clone(), state.clone()
            copy.apply(option, seat)
            again.apply(str(option), seat)
            assert copy.to_json() == again.to_json(), f"`{option}` and its text do different things"
            assert len(copy.history) == len(state.history) + 1, f"`{option}` is not in the history"
    assert before == state.to_json(), "trying options on clones has changed the state"


def check_refusal(state: State) -> None:
    """What is no option is refused, and nothing changes."""
    before = state.to_json()
    seat = state.current_seat
    listed = {str(option) for option in state.legal_actions()}
    for text in ("no such action at all", *_unlisted(state, listed)):
        try:
            state.apply(text, seat)
        except IllegalAction:
            pass
        else:
            raise AssertionError(f"`{text}` was not refused")
        assert before == state.to_json(), f"refusing `{text}` has changed the state"


def _unlisted(state: State, listed: set[str]) -> Iterator[str]:
    """Some options of the game that are not on offer now."""
    table = state.game.action_table
    for place in range(0, len(table), max(1, len(table) // 3)):
        if str(table[place]) not in listed:
            yield str(table[place])


def check_save(state: State, chance: random.Random) -> None:
    """A state that is saved and loaded is equal and goes on in the same way."""
    text = state.to_json()
    loaded = state.game.state_from_json(text)
    assert text == loaded.to_json(), "a loaded state is not equal"
    for seat in (*range(state.game.seats), None):
        assert state.view(seat) == loaded.view(seat), f"the view of {seat} differs after loading"
    original = state.clone()
    for _ in range(3):
        if original.is_over:
            break
        seat, action = random_decision(original, chance)
        original.apply(action, seat)
        loaded.apply(str(action), seat)
        assert original.to_json() == loaded.to_json(), f"a loaded state goes on differently after `{action}`"


def check_end(state: State) -> None:
    """A game that is over has results of the right form."""
    seats = state.game.seats
    assert len(state.returns) == seats, "not one result for each seat"
    assert state.scores == [] or len(state.scores) == seats, "not one score for each seat"
    assert sorted(set(state.winners)) == state.winners, f"winners {state.winners}"
    assert set(state.winners) <= set(range(seats)), f"winners {state.winners}"


def check_same_seed_same_game(game: Game, seed: int = 0, max_decisions: int = 1_000) -> None:
    """The same seed and decisions give the same game."""
    first, second = (play_random(game, seed, max_decisions) for _ in range(2))
    assert _texts([a for _, a in first.history]) == _texts([a for _, a in second.history]), "other decisions"
    assert first.to_json() == second.to_json(), "the same seed and decisions have given another game"


def component_counts(state: State) -> dict[str, int]:
    """By kind how many components lie in all zones together."""
    S, layout = state._position, state.game.layout
    counts: dict[str, int] = {}
    for place in layout.zones.values():
        kind = place.zone.component
        counts[kind] = counts.get(kind, 0) + sum(len(S.z[i]) for i in range(place.base, place.base + place.count))
    return counts


def _texts(options: Sequence[Action]) -> list[str]:
    return [str(option) for option in options]


# ---------------------------------------------------------------- what a seat may not know


def check_secrets(
    game: Game,
    games: int = 3,
    *,
    seed: int = 0,
    max_decisions: int = 400,
    share: float = 0.1,
    ahead: int = 8,
    strict: bool = False,
) -> int:
    """Checks that what a viewer cannot see shows in nothing that it is shown; see `interpreter.worlds.noninterference`.

    Args:
        game: the game.
        games: how many random games are played.
        seed: of the first.
        max_decisions: at most so many of each game.
        share: at what part of the decisions, beside one of the first, states are compared.
        ahead: how many decisions they are played on.
        strict: whether hidden things that the rules tell in public count, too.

    Returns:
        How many pairs of states were compared.

    Raises:
        AssertionError: something differs; the message says what, for whom, and how to come there.
    """
    report = find_leaks(game, games, seed=seed, max_decisions=max_decisions, share=share, ahead=ahead, strict=strict)
    if report.leak is not None:
        raise AssertionError(str(report.leak))
    return report.pairs


__all__ = [
    "check_game",
    "check_secrets",
    "editable",
    "find_leaks",
    "hidden_twin",
    "play_random",
    "random_decision",
]
