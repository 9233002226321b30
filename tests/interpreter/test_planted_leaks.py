"""Leaks that are planted, in the rules or in the engine, and what `find_leaks` says of each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import interpreter
from interpreter import match
from interpreter.sight import lines, views
from interpreter.sight.visibility import Sight
from interpreter.why import reasons
from interpreter.worlds.noninterference import SecretsReport, find_leaks

BASE = """\
rulespec: 1
id: leak
title: Leak
about: Guess what the other seat holds.
players: 2
components:
  Card: {fields: {value: 1..9}, rows: all, label: "Card {value}"}
zones:
  deck: {holds: Card, order: stack, seen_by: nobody, starts: Card}
  hand: {holds: Card, per: player, seen_by: owner}
  gone: {holds: Card, seen_by: everyone}
  sack: {holds: Card, per: player, seen_by: owner, count_seen_by: nobody}
variables:
  points: {per: player, type: 0..30}
  secret: {per: player, type: 0..9, seen_by: owner}
functions:
  high(player p): count(c in hand[p] where c.value > 5)
setup: |
  shuffle deck
  for p in players:
    draw 3 from deck to hand[p]
    secret[p] = high(p)
"""

TURNS = """\
phases:
  play:
    turns: {times: 4}
    actions: [guess]
    if_stuck: end game
"""

Rules = dict[str, str]
GUESS = "  guess: {with: n in 1..9, do: 'points[me] += 1'}\n"

IN_THE_OPTIONS: dict[str, tuple[str, str]] = {
    "an option depends on a card of another hand": (
        "  guess: {with: 'n in 1..9 where any(c.value == n for c in hand[next(me)])', do: 'points[me] += 1'}\n",
        "options",
    ),
    "an option depends on the top of the deck": (
        "  guess: {with: 'n in 1..9 where n != top(deck).value', do: 'points[me] += 1'}\n",
        "options",
    ),
    "an option depends on a hidden variable": (
        "  guess: {with: 'n in 1..9 where n > secret[next(me)]', do: 'points[me] += 1'}\n",
        "options",
    ),
    "the order of options depends on a card of another hand": (
        "  guess: {with: 'n in 1..9 by highest count(c in hand[next(me)] where c.value == n)',"
        " do: 'points[me] += 1'}\n",
        "options",
    ),
    "a prompt tells a hidden number": (
        "  guess:\n    do: |\n      choose n in 1..9 by me \"Guess, they have {high(next(me))}\":\n"
        "        points[me] += 1\n",
        "prompt",
    ),
}  # fmt: skip

BY_THE_RULES: dict[str, tuple[str, str]] = {
    "a counter that all see": (
        "  guess:\n    do: |\n      points[me] += high(next(me))\n",
        "the course: the variable `points`",
    ),
    "a line that is said only sometimes": (
        "  guess:\n    do: |\n      if high(next(me)) > 1:\n        say \"They are strong\"\n",
        "the course: a line of `say`",
    ),
    "a seat is asked only where it holds something": (
        "  guess:\n    do: |\n      ask next(me): counter\n"
        "  counter: {when: high(me) > 1, do: 'points[me] += 1'}\n",
        "the course: whose turn it is",
    ),
    "a window opens only for those that hold something": (
        "  guess:\n    do: |\n      window those(p in players where high(p) > 1): counter\n"
        "  counter: {do: 'points[me] += 1'}\n",
        "the course: whose turn it is",
    ),
    "the turn is left by force": (
        "  guess:\n    do: |\n      if high(next(me)) > 1:\n        end play\n",
        "the course: the end of the game",
    ),
    "a card leaves only where another holds something": (
        "  guess:\n    do: |\n      if high(next(me)) > 1:\n        for c in hand[me] by lowest c.value:\n"
        "          move c to sack[me]\n          points[me] += 1\n",
        "the course: ",
    ),
    "something follows by a trigger": (
        "  guess:\n    do: note_it()\n"
        "procedures:\n  note_it(): nothing\n"
        "triggers:\n  seen:\n    after: call note_it()\n    when: any(high(p) > 2 for p in players)\n"
        "    do: points[first_player] += 1\n",
        "the course: the variable `points`",
    ),
}  # fmt: skip


def game(tmp_path: Path, actions: str = GUESS) -> interpreter.Game:
    path = tmp_path / "game.yaml"
    path.write_text(f"{BASE}actions:\n{actions}{TURNS}", encoding="utf-8")
    return interpreter.load_game(str(path))


def found(game: interpreter.Game, **how: Any) -> SecretsReport:
    return find_leaks(game, 12, share=1, **how)


@pytest.mark.parametrize("name", IN_THE_OPTIONS)
def test_what_a_seat_may_do_tells_nothing(tmp_path: Path, name: str) -> None:
    actions, where = IN_THE_OPTIONS[name]
    leak = found(game(tmp_path, actions)).leak
    assert leak is not None
    assert leak.what.split(",")[0] == where
    assert leak.one != leak.other


@pytest.mark.parametrize("name", BY_THE_RULES)
def test_what_the_rules_tell_in_public_is_listed(tmp_path: Path, name: str) -> None:
    actions, where = BY_THE_RULES[name]
    made = game(tmp_path, actions)
    report = found(made)
    assert report.leak is None
    assert any(where.removeprefix("the course: ") in told.what for told in report.told)
    leak = found(made, strict=True).leak
    assert leak is not None
    assert where in leak.what


def test_an_honest_game_tells_nothing(tmp_path: Path) -> None:
    report = found(game(tmp_path), strict=True)
    assert report.leak is None and report.told == ()
    assert report.pairs > 100 and report.steps > 300


# ---------------------------------------------------------------- planted in the engine

Patch = Callable[[pytest.MonkeyPatch], None]


def _cards_of_all(patch: pytest.MonkeyPatch) -> None:
    shown = views._Shown._instance

    def instance(self: Any, number: int) -> dict[str, Any]:
        return {**shown(self, number), "sum": sum(self.S.z[number])}

    patch.setattr(views._Shown, "_instance", instance)


def _hidden_counts(patch: pytest.MonkeyPatch) -> None:
    shown = views._Shown._instance

    def instance(self: Any, number: int) -> dict[str, Any]:
        return {**shown(self, number), "count": len(self.S.z[number])}

    patch.setattr(views._Shown, "_instance", instance)


def _entries_of_all(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(views._Shown, "_entry", lambda self, place, value, index: value)


def _names_of_what_moves(patch: pytest.MonkeyPatch) -> None:
    told = lines.Lines._moves

    def moves(self: Any, group: Any, bit: int, again: bool) -> str:
        return told(self, [event.__class__(event.entry, -1, -1, 0, event.detail) for event in group], -1, again)

    patch.setattr(lines.Lines, "_moves", moves)


def _undo_that_names(patch: pytest.MonkeyPatch) -> None:
    def can_undo(self: match.Match, seat: int | None = None) -> str:
        return f"{self.state.zones['hand']} is held"

    patch.setattr(match.Match, "can_undo", can_undo)


def _reasons_that_name(patch: pytest.MonkeyPatch) -> None:
    def why_not(state: interpreter.State, text: str, seat: int | None) -> list[str]:
        return [str(state.variables["secret"])]

    patch.setattr(reasons, "why_not", why_not)


def _sorted_by_what_is_hidden(patch: pytest.MonkeyPatch) -> None:
    options = interpreter.State.legal_actions

    def legal_actions(self: interpreter.State, seat: int | None = None) -> Any:
        listed = options(self, seat)
        return listed[::-1] if sum(self._position.z[1]) % 2 else listed

    patch.setattr(interpreter.State, "legal_actions", legal_actions)


DRAWS = "  guess:\n    do: |\n      draw 1 from deck to sack[me]\n"
TAKES = "  guess:\n    do: |\n      if sack[next(me)]:\n        nothing\n      draw 1 from deck to hand[me]\n"

IN_THE_ENGINE: dict[str, tuple[Patch, str, str]] = {
    "the view sums up what is hidden": (_cards_of_all, GUESS, "zones.deck.sum"),
    "the view has hidden variables": (_entries_of_all, GUESS, "variables.secret"),
    "the log names cards that are drawn": (_names_of_what_moves, TAKES, "log"),
    "undo names cards": (_undo_that_names, GUESS, "undo"),
    "a refusal names a hidden value": (_reasons_that_name, GUESS, "refused"),
    "the order of options comes from the deck": (_sorted_by_what_is_hidden, GUESS, "options"),
}


@pytest.mark.parametrize("name", IN_THE_ENGINE)
def test_what_the_engine_would_tell_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    plant, actions, where = IN_THE_ENGINE[name]
    made = game(tmp_path, actions)
    assert find_leaks(made, 3, share=0.5).leak is None
    plant(monkeypatch)
    leak = found(made, sampled=0).leak
    assert leak is not None
    assert leak.what.startswith(where)


def test_a_hidden_number_of_cards_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "game.yaml"
    hands = "hand: {holds: Card, per: player, seen_by: owner}"
    path.write_text(
        f"{BASE.replace(hands, hands[:-1] + ', count_seen_by: nobody}')}actions:\n{DRAWS}{TURNS}", encoding="utf-8"
    )
    made = interpreter.load_game(str(path))
    assert found(made).leak is None
    _hidden_counts(monkeypatch)
    leak = found(made).leak
    assert leak is not None
    assert leak.what in (f"zones.{zone}.player_{n}.count" for zone in ("hand", "sack") for n in (1, 2))


def test_a_leak_says_what_who_and_how_to_come_there(tmp_path: Path) -> None:
    actions, _ = IN_THE_OPTIONS["an option depends on a card of another hand"]
    leak = found(game(tmp_path, actions)).leak
    assert leak is not None
    assert (
        str(leak)
        == f"""\
{leak.viewer_name} can tell apart two states that differ only in what it cannot see
  differs   options
            {leak.one}
            {leak.other}
  hidden    {leak.hidden[0]}
            {leak.hidden[1]}
  game      leak, 2 players, seed 0
  then      the second state is made here (exchanged), and differs at once"""
    )
    state = interpreter.load_game(str(tmp_path / "game.yaml")).new_state(leak.seed)
    for seat, text in leak.actions:
        state.apply(text, seat)
    assert leak.one == str([str(option) for option in state.legal_actions(leak.viewer)]).replace("'", '"')


def test_masks_of_a_game_are_not_changed(tmp_path: Path) -> None:
    made = game(tmp_path)
    before = (list(made.sight.contents), list(made.sight.counts))
    find_leaks(made, 2)
    assert before == (list(made.sight.contents), list(made.sight.counts))
    assert isinstance(made.sight, Sight)
