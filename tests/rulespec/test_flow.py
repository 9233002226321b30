"""What is said of the whole game: endless rules and phases, what is never used, `supposing`, `together`."""

from __future__ import annotations

from typing import Any

import pytest

import rulespec

GAME = """
types:
  Face: 1..6
components:
  Card: {fields: {number: 1..3}, rows: all}
zones:
  deck: {holds: Card, order: stack}
  heap: {holds: Card}
  hand: {holds: Card, per: player}
variables:
  gold: {per: player, type: 0..9}
  bank: {type: 0..99}
  tag: {per: Card, type: 0..9}
records:
  positions: {of: [gold]}
functions:
  rich(player p): gold[p] > 3 and bank > 0 and tag[first(Card)] > 0
FUNCTIONS
procedures:
  pay(player p): |
    gold[p] = 0
    bank = 1
PROCEDURES
actions:
  rest:
    when: rich(me)
    do: |
      pay(me)
      for c in Card:
        tag[c] = 1
      BODY
ACTIONS
phases:
PHASES
"""
PLAY = "  play: {turns: {rounds: 1}, actions: [rest]}"


def game_of(
    functions: str = "", procedures: str = "", actions: str = "", body: str = "nothing", phases: str = PLAY
) -> str:
    def indented(text: str) -> str:
        return "\n".join(f"  {line}" if line else "" for line in text.strip("\n").split("\n"))

    text = GAME.replace("FUNCTIONS", indented(functions)).replace("PROCEDURES", indented(procedures))
    text = text.replace("ACTIONS", indented(actions)).replace("PHASES", phases.strip("\n"))
    return text.replace("BODY", body.strip("\n").replace("\n", "\n      "))


def messages(game: Any, text: str) -> list[tuple[str, str]]:
    return [(d.code, d.message) for d in game.diagnose(text)[1]]


def test_game_without_mistakes(game: Any) -> None:
    assert [] == messages(game, game_of())


SUPPOSED = {
    "choose q in players by p:\n    pay(q)": "`act` cannot be supposed, because it may ask somebody to decide",
    "choose n in Face by chance:\n    bank = n": "`act` cannot be supposed, because it may leave something to chance",
    "shuffle deck": "`act` cannot be supposed, because it may leave something to chance",
    "if rich(p):\n    end game": "`act` cannot be supposed, because it may end a phase or the game",
    "record positions": "`act` cannot be supposed, because it remembers the position",
}


@pytest.mark.parametrize("effect", SUPPOSED)
def test_supposing_decides_nothing(game: Any, effect: str) -> None:
    found = messages(
        game, game_of(procedures=f"act(player p): |\n  {effect}", body="if supposing(act(me), rich(me)):\n  nothing")
    )

    assert [("RS514", SUPPOSED[effect])] == found


def test_supposing_shows_the_place(game: Any) -> None:
    text = game_of(
        procedures="act(player p): |\n  other(p)\nother(player p): |\n  choose q in players by p:\n    pay(q)",
        body="if supposing(act(me), rich(me)):\n  nothing",
    )
    (found,) = game.diagnose(text)[1]

    (note,) = found.notes
    assert (
        "choose q in players by p:" == (game.folder / "game.yaml").read_text().splitlines()[note.span.line - 1].strip()
    )


ENDLESS = {
    "f(player p) -> bool: f(next(p)) and rich(p)": "`f` always calls itself, so it never comes to an end",
    "f(player p) -> bool: rich(p) and f(p)": "`f` calls itself with the same values, so it never comes to an end",
    "f(player p) -> bool: |\n  if rich(p):\n    return f(next(p))\n  return not f(next(p))":
        "`f` always calls itself, so it never comes to an end",
    "f(player p) -> bool: g(next(p))\ng(player p) -> bool: not f(p)":
        "`f` always calls itself through `g`, so it never comes to an end",
}  # fmt: skip


@pytest.mark.parametrize("functions", ENDLESS)
def test_function_without_an_end(game: Any, functions: str) -> None:
    found = messages(game, game_of(functions=functions, body="if f(me):\n  nothing"))

    assert [("RS515", ENDLESS[functions])] == found


FINITE = [
    "f(0..9 n) -> bool: n > 0 and f(n - 1)",
    "f(0..9 n) -> bool: |\n  if n == 0:\n    return true\n  return f(n - 1)",
    "f(0..9 n) -> bool: any(f(n - 1) for q in players where n > 1)",
]


@pytest.mark.parametrize("functions", FINITE)
def test_function_with_an_end(game: Any, functions: str) -> None:
    assert [] == messages(game, game_of(functions=functions, body="if f(3):\n  nothing"))


def test_procedure_without_an_end(game: Any) -> None:
    text = game_of(procedures="act(player p): |\n  pay(p)\n  act(next(p))", body="act(me)")

    assert [("RS515", "`act` always calls itself, so it never comes to an end")] == messages(game, text)


def test_procedure_with_a_way_out(game: Any) -> None:
    text = game_of(procedures="act(player p): |\n  if rich(p):\n    return\n  act(next(p))", body="act(me)")

    assert [] == messages(game, text)


LOOPS = {
    "while rich(me):\n  nothing": True,
    "while true:\n  pay(me)": True,
    "while gold[me] > 3:\n  bank = 2": True,
    "while gold[me] > 3:\n  gold[me] -= 1": False,
    "while rich(me):\n  pay(me)": False,
    "while true:\n  if rich(me):\n    return": False,
    "while deck:\n  move top(deck) to heap": False,
    "let n = 3\nwhile n > 0:\n  n = n - 1": False,
    "let n = 3\nwhile n > 0:\n  bank = n": True,
}


@pytest.mark.parametrize("body", LOOPS)
def test_loop_whose_condition_never_changes(game: Any, body: str) -> None:
    expected = [("RS519", "nothing in this loop changes its condition, so it never ends")] if LOOPS[body] else []

    assert expected == messages(game, game_of(body=body))


PHASES = {
    "  a: {turns: {}, actions: [rest]}": ("RS517", "the turns of the phase `a` never end"),
    "  a: {turns: {rounds: 2}, actions: [rest]}": None,
    "  a: {turns: {until: bank > 3}, actions: [rest]}": None,
    "  a: {turns: {among: \"those(p in players where gold[p] > 0)\"}, actions: [rest]}": None,
    "  a: {turns: {among: those(p in players where rich(p))}, actions: [rest]}\n  b: {do: bank = 3}": None,
    "  a: {turns: {among: others(first_player)}, actions: [rest]}": ("RS517", "the turns of the phase `a` never end"),
    "  a: {turns: {}, actions: [rest], if_stuck: end a}\n  b: {do: bank = 3}": None,
    "  a: {turns: {}, actions: [rest], if_stuck: lose me}": None,
    "  a: {turns: {}, actions: [rest], if_stuck: lose me}\n  b: {do: bank = 3}": (
        "RS516", "the phase `b` is never reached, because `a` before it never ends",
    ),
    "  r:\n    repeat_until: bank > 3\n    phases:\n      a: {turns: {}, actions: [rest], if_stuck: end a}\n"
    "      b: {do: bank = 3}": None,
    "  r:\n    repeat_until: bank > 3\n    phases:\n      a: {turns: {}, actions: [rest], if_stuck: end r}\n"
    "      b: {do: bank = 3}": ("RS516", "the phase `b` is never reached, because `a` before it never ends"),
}  # fmt: skip


@pytest.mark.parametrize("phases", PHASES)
def test_phases_come_to_an_end(game: Any, phases: str) -> None:
    expected = PHASES[phases]

    assert ([] if expected is None else [expected]) == messages(game, game_of(phases=phases))


def test_action_that_is_never_offered(game: Any) -> None:
    text = game_of(actions="swim: nothing")

    assert [("RS518", "the action `swim` is never offered")] == messages(game, text)


OFFERED = ["ask me: swim, pass", "window players: swim"]


@pytest.mark.parametrize("body", OFFERED)
def test_action_offered_in_a_rule(game: Any, body: str) -> None:
    assert [] == messages(game, game_of(actions="swim: nothing", body=body))


def test_what_is_never_used(game: Any) -> None:
    text = game_of(
        functions="f(player p): g(p)\ng(player p): rich(p)",
        procedures="act(player p): |\n  pay(p)",
    ).replace("variables:", "variables:\n  spare: {type: bool}")

    assert [
        ("RS920", "the variable `spare` is never used"),
        ("RS920", "the function `f` is never used"),
        ("RS920", "the function `g` is never used"),
        ("RS920", "the procedure `act` is never used"),
    ] == [(d.code, d.message) for d in rulespec.check(game.write(text))]


TOGETHER = {
    "gold[p] = 3": None,
    "choose c in hand[p] by p:\n    move c to heap": None,
    "choose c in hand[p] by p:\n    tag[c] = 3": None,
    "ask p: swim, pass": None,
    "own(p)": None,
    "if rich(p): tag[first(Card)] = 0": "changes `tag`, which is not of the seat alone",
    "gold[p] = min(9, count(hand[p]) + sum(tag[c] for c in hand[p]))": None,
    "gold[p] = gold[next(p)]": "reads `gold` of other seats",
    "if any(gold[q] > gold[p] for q in players):\n    gold[p] = 1": "reads `gold` of other seats",
    "gold[p] = worth(p)": None,
    "gold[p] = worth(next(p))": "reads `gold` of other seats",
    "gold[p] = poorest()": "reads `gold` of other seats",
    "gold[p] = min(9, count(hand[next(p)]))": None,
    "move all hand[p] to heap\n  gold[p] = min(9, count(hand[next(p)]))": "reads `hand` of other seats",
    "ask p: peek": "reads `gold` of other seats",
    "bank = 3": "changes `bank`, which is not of the seat alone",
    "gold[next(p)] = 3": "changes `gold`, which is not of the seat alone",
    "own(next(p))": "changes `gold`, which is not of the seat alone",
    "pay(p)": "changes `bank`, which is not of the seat alone",
    "choose c in Card by p:\n    tag[c] = 3": "changes `tag`, which is not of the seat alone",
    "choose c in hand[p] by next(p):\n    nothing": "asks another seat",
    "choose n in Face by chance:\n    nothing": "leaves something to chance",
    "draw 1 from deck to hand[p]": "draws cards",
    "shuffle deck": "shuffles",
    "end game": "ends something",
    "win p": "ends the game",
    "window players: swim": "opens a window for others",
    "move first(c in hand[p]) to deck": "moves to `deck`, whose order others would change, too",
}


@pytest.mark.parametrize("effect", TOGETHER)
def test_seats_that_decide_together_keep_to_themselves(game: Any, effect: str) -> None:
    text = game_of(
        procedures="own(player q): |\n  gold[q] = 1",
        functions="worth(player q): gold[q] + sum(tag[c] for c in hand[q])\npoorest(): min(gold[q] for q in players)",
        actions="swim:\n  pay: 1 gold[me]\n  do: gold[me] = 2\npeek:\n  when: gold[next(me)] > 3\n  do: gold[me] = 0",
        body=f"for p in players, together:\n  {effect}\nown(me)\nask me: swim, peek\nbank = worth(me) + poorest()",
    )
    does = TOGETHER[effect]

    expected = [] if does is None else [("RS520", f"seats that decide together do not see each other, and this {does}")]
    assert expected == messages(game, text)
