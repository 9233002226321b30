"""Statements: what they become, and what is said about wrong ones."""

from __future__ import annotations

from typing import Any

import pytest

from rulespec import checked as ir
from rulespec.check.walk import nodes
from rulespec.check.words import describe, type_text

DECLARED = """
types:
  Colour: [red, green, blue]
  Face: 1..6
boards:
  Square: {grid: 4 x 4, names: a1}
components:
  Dog:
    fields: {colour: Colour, number: 1..15, use(player p): effect, worth(player p): 0..9}
    rows:
      - {id: rex, colour: red, number: 1, use: "gold[p] = 1", worth: "1"}
      - {id: bo, colour: blue, number: 15, use: nothing, worth: "gold[p]"}
  Coin: {faces: [head, tail], fields: {name: text}, rows: [{id: penny, name: Penny}]}
  Tile:
    fields: {name: text, shape: text}
    rows: [{name: l, shape: ".."}]
    shape: {from: shape, letters: {".": floor}, ports: floor, turns: quarter}
zones:
  deck: {holds: Dog, order: stack, seen_by: nobody}
  pack: {holds: Dog, order: row}
  heap: {holds: Dog}
  hand: {holds: Dog, per: player}
  slot: {holds: one Dog}
  purse: {holds: Coin}
  table: {holds: Tile, laid_on: Square}
variables:
  gold: {per: player, type: 0..9}
  bank: {type: 0..40}
  half: {type: 0..20 by 1/2}
  last: {type: optional Dog}
  fought: {type: optional player}
  colour: {type: "[red, green]"}
  open: {type: bool}
  seen: {type: set of Dog}
  owner: {per: Square, type: optional player}
records:
  positions: {of: [gold]}
options:
  size: {type: 4..8, default: 6}
functions:
  twice(player p): gold[p] * 2
procedures:
  take(player p, 0..9 n): |
    gold[p] = n
  hop(player p) -> bool: |
    return open
  body(player p, Dog d, optional Dog e, Tile t): |
    BODY
actions:
  rest:
    with: d in hand[me], face in Face
    do: nothing
phases:
  play: {turns: {rounds: 1}, actions: [rest]}
"""


def with_body(body: str) -> str:
    return DECLARED.replace("BODY", body.strip("\n").replace("\n", "\n    "))


def block(game: Any, body: str) -> ir.Block:
    """The checked statements of a procedure's body; warnings about what is not used do not count."""
    checked, found = game.diagnose(with_body(body))
    assert [] == [(d.code, d.message) for d in found if d.code != "RS920"]
    statements = checked.procedures["body"].layers[0].body
    assert isinstance(statements, tuple)
    return statements


RIGHT = {
    "let x = gold[p]\nbank = x": "Let SetVar",
    "let x = 0\nx = x + 1\nx += 1": "Let Let Let",
    "let x = hop(p)\nx = hop(p)": "LetCall LetCall",
    "open = hop(p)": "LetCall SetVar",
    "gold[p] += 1\ngold[p] -= 1": "SetVar SetVar",
    "raise gold[p] by up to 3\nlower half by 1/2": "SetVar SetVar",
    "last = none\nlast = d": "SetVar SetVar",
    "seen += [d]\nseen -= hand[p]": "SetVar SetVar",
    "move d to deck\nmove d to pack at left\nmove d to pack after d\nmove e to hand[p]": "Move Move Move Move",
    "move top(deck) to slot\nmove slot to hand[p]": "Move Move",
    "move t to table at spot(a1, 1)": "Move",
    "move all hand[p] to deck at bottom\nmove all slot to heap": "MoveAll MoveAll",
    "move 2 of bank to gold[p]\nmove all of gold[p] to bank": "MoveTokens MoveTokens",
    "swap gold[p] and gold[next(p)]": "Swap",
    "draw 2 from deck to hand[p]\nshuffle deck": "Draw Shuffle",
    "remove d\nremove all hand[p]\nmove d to box": "Move MoveAll Move",
    "turn first(c in purse) otherwise penny over\nturn penny to tail": "TurnOver TurnOver",
    "if last:\n  bank = last.number\nelse if open:\n  nothing": "If",
    "while gold[p] > 0:\n  gold[p] -= 1": "While",
    "repeat gold[p] times:\n  take(p, 1)": "Repeat",
    "for c in hand[p] where c.number > 3:\n  move c to heap": "For",
    "for q in players, together:\n  gold[q] = 1": "Together",
    'choose c in hand[p] by p "Pick {d}":\n  move c to heap\nelse:\n  nothing': "Choose",
    "choose exactly 2 c in hand[p] by p:\n  move c to heap": "Choose",
    "choose 1 to 2 c in hand[p] by p:\n  move c to heap": "Choose",
    "choose f in Face by chance weighted by f:\n  bank = f": "Choose",
    "ask p: rest(face=3), pass": "Ask",
    "ask p repeatedly: rest, pass": "Ask",
    "window players from p: rest": "Window",
    "take(p, 3)\nd.use(p)": "Call RowEffect",
    'say "{p} has {gold[p]}"\nreveal hand[p] to everyone\nreveal d to p': "Say Reveal Reveal",
    "record positions": "Remember",
    "end play": "End",
    "end game": "End",
    'win p "first"': "Outcome",
    "draw": "Outcome",
    "return": "Return",
    "nothing": "",
}


@pytest.mark.parametrize("body", RIGHT)
def test_statement(game: Any, body: str) -> None:
    checked = block(game, body)

    assert RIGHT[body] == " ".join(type(stmt).__name__ for stmt in checked)


WRONG = {
    # assignments
    "hand[p] = d": ("RS325", 1, 1, "`hand` is a zone, so it cannot be given a value",
                    "components are put there by `move c to hand`"),
    "size = 4": ("RS325", 1, 1, "`size` is an option, so it cannot be given a value",
                 "options are chosen before the game; a variable can change"),
    "twice = 4": ("RS325", 1, 1, "`twice` is a function, so it cannot be given a value", "a variable can keep a value"),
    "red = 4": ("RS325", 1, 1, "`red` is a value of its own, so it cannot be given another", ""),
    "bonk = 4": ("RS301", 1, 1, "there is nothing called `bonk` here", "did you mean `bank`?"),
    "zebra = 4": ("RS301", 1, 1, "there is nothing called `zebra` here", "a new name is bound by `let zebra = ...`"),
    "p = next(p)": ("RS324", 1, 1, "`p` cannot be given another value", "`let` binds names that can: `let now = p`"),
    "let bank = 4": ("RS303", 1, 5, "`bank` is the name of a variable already", "choose another name"),
    "let d = 4": ("RS303", 1, 5, "`d` is a name in use here already", "choose another name"),
    "gold[p] = 12": ("RS412", 1, 11, "`12` is out of range, and a whole number from 0 to 9 is the type of `gold`", ""),
    "gold[p] = gold[p] / 2": (
        "RS413", 1, 11, "`gold[p] / 2` may be a fraction, and a whole number from 0 to 9 is the type of `gold`",
        "round it with `floor(...)`",
    ),
    "colour = blue": ("RS412", 1, 10, "`blue` is not one of `red`, `green`, the values of `colour`", ""),
    "gold[p] = d": ("RS410", 1, 11, "`d` is a Dog, and a whole number from 0 to 9 is the type of `gold`", ""),
    "gold = 3": ("RS310", 1, 1, "`gold` is kept per player, so it needs an index", "write `gold[p]`"),
    "let x = d\nx = top(deck)": (
        "RS411", 2, 5, "`top(deck)` may be none, and a Dog is the type of `x`",
        "test it first, as in `if x != none`, or give another value with `otherwise`",
    ),
    "let x = take(p, 1)": ("RS444", 1, 9, "the procedure `take` returns nothing", "declare it as `take(...) -> TYPE`"),
    "raise open by 1": (
        "RS417", 1, 7, "`open` is yes or no (bool), and only a number can be changed by an amount",
        "write `open = ...`",
    ),
    # moves
    "move hand[p] to deck": (
        "RS445", 1, 6, "`hand[p]` is a list of Dog, and `move` needs a component", "write `move all hand[p] to ...`",
    ),
    "move gold[p] to bank": (
        "RS445", 1, 6, "`gold[p]` is a whole number from 0 to 9, and `move` needs a component",
        "a counter is moved by `move n of A to B`",
    ),
    "move d to bank": (
        "RS446", 1, 11, "`bank` is a whole number from 0 to 40, not a zone, and components move to zones",
        "a variable is given a value: `bank = ...`",
    ),
    "move d to dek": ("RS301", 1, 11, "there is no zone `dek`", "did you mean `deck`?"),
    "move d to purse": ("RS447", 1, 11, "the zone `purse` holds Coin, and a Dog cannot lie there", ""),
    "move all hand[p] to purse": ("RS447", 1, 21, "the zone `purse` holds Coin, and a Dog cannot lie there", ""),
    "move d to heap at left": (
        "RS448", 1, 19, "the zone `heap` has no order, so `at` means nothing", "leave it out",
    ),
    "move d to slot at top": (
        "RS448", 1, 19, "the zone `slot` holds one component only, so `at` means nothing", "leave it out",
    ),
    "move d to deck at left": ("RS448", 1, 19, "the zone `deck` is a stack, with no left", "write top or bottom"),
    "move d to deck after d": ("RS448", 1, 22, "the zone `deck` is not a row, so `after` means nothing", ""),
    "move t to table": (
        "RS448", 1, 1, "pieces in `table` lie on Square, so a spot is needed",
        "write `at SPOT`, a value of `Square.Spot`",
    ),
    "draw 1 from heap to hand[p]": (
        "RS448", 1, 13, "the zone `heap` is not a stack, and cards are drawn from the top of a stack",
        "declare it with `order: stack`",
    ),
    "shuffle heap": (
        "RS448", 1, 9, "the zone `heap` is not a stack, and only a stack has an order to shuffle",
        "declare it with `order: stack`",
    ),
    "turn d over": ("RS448", 1, 6, "a Dog has one face only", "declare `faces:` of `Dog`"),
    "turn penny to front": ("RS448", 1, 15, "`front` is no face of a Coin", "write `head` or `tail`"),
    "turn first(c in purse) over": (
        "RS411", 1, 6, "`first(c in purse)` may be none, and `turn` needs a component",
        "test it first, or go through it: `for c in ...:`",
    ),
    "swap gold[p] and open": (
        "RS449", 1, 1,
        "`gold` is a whole number from 0 to 9 and `open` is yes or no (bool), so their values cannot be swapped", "",
    ),
    "move 2 of hand[p] to bank": (
        "RS449", 1, 11, "`hand[p]` is a list of Dog, not a variable, and `move ... of` needs one",
        "components are moved by `move c to z` or `move all z to z`",
    ),
    # control
    "end play\ngold[p] = 1": ("RS510", 2, 1, "this is never reached", "what stands before it leaves the rule"),
    "return 3": ("RS440", 1, 8, "nothing is returned here", "declare it as `body(...) -> TYPE`"),
    "if gold[p]:\n  nothing": ("RS420", 1, 4, "`gold[p]` is a number, not a condition", "compare it: `gold[p] > 0`"),
    "for c in Dog, together:\n  nothing": (
        "RS512", 1, 5, "`together` is for one name that stands for players", "write `for p in players, together:`",
    ),
    "repeat half times:\n  nothing": (
        "RS413", 1, 8, "`half` may be a fraction, and a whole number from 0 is the number of times",
        "round it with `floor(...)`",
    ),
    # decisions
    "choose c in hand[p] by d:\n  nothing": ("RS410", 1, 24, "`d` is a Dog, and a player is needed after `by`", ""),
    "choose c in hand[p] by fought:\n  nothing": (
        "RS411", 1, 24, "`fought` may be none, and a player is needed after `by`",
        "test it first, as in `if x != none`, or give another value with `otherwise`",
    ),
    "choose 3 to 2 c in hand[p] by p:\n  nothing": (
        "RS435", 1, 8, "`3` is more than `2`", "the smaller number comes first",
    ),
    "ask p: rst": ("RS306", 1, 8, "there is no action `rst`", "did you mean `rest`?"),
    "ask p: take": ("RS306", 1, 8, "there is no action `take`", "it is a procedure; an action can call it"),
    "ask p: rest(fce=3)": (
        "RS306", 1, 13, "the action `rest` has no parameter `fce`", "did you mean `face`?",
    ),
    "ask p: rest(face=7)": (
        "RS412", 1, 18, "`7` is out of range, and a whole number from 1 to 6 is `face` of the action `rest`", "",
    ),
    "ask p: rest, rest": ("RS326", 1, 14, "`rest` is offered twice", ""),
    # calls
    "take(p)": ("RS426", 1, 1, "`take` takes 2 values, not 1", "it is `take(player p, 0..9 n)`"),
    "take(p, 10)": (
        "RS412", 1, 9, "`10` is out of range, and a whole number from 0 to 9 is needed as `n` of `take`", "",
    ),
    "rest()": (
        "RS323", 1, 1, "`rest` is an action, not a procedure",
        "offer it: `ask p: rest`, or put its effects in a procedure",
    ),
    "twice(p)": (
        "RS442", 1, 1, "the function `twice` gives a whole number from 0 to 18 and changes nothing",
        "its value is not used here",
    ),
    "tak(p, 3)": ("RS308", 1, 1, "there is no procedure `tak`", "did you mean `take`?"),
    "d.worth(p)": ("RS442", 1, 1, "`worth` gives a whole number from 0 to 9 and changes nothing",
                   "its value is not used here"),
    "e.use(p)": (
        "RS411", 1, 1, "`e` may be none, and `use` is a rule of a Dog",
        "test it first, or go through it: `for x in ...:`",
    ),
    "usual": ("RS305", 1, 1, "there is no version below this one that `usual` could mean", "leave it out"),
    # ends and texts
    "end pley": ("RS306", 1, 5, "there is no phase `pley`", "did you mean `play`?"),
    "record position": ("RS306", 1, 1, "there is no record `position`", "did you mean `positions`?"),
    "win d": ("RS410", 1, 5, "`d` is a Dog, and a player is needed after `win`", ""),
    "reveal 3 to p": (
        "RS443", 1, 8, "`3` is a number, and only a zone, a variable or a component is revealed", "",
    ),
    'say "{golt[p]}"': ("RS301", 1, 7, "there is nothing called `golt` here", "did you mean `gold`?"),
}  # fmt: skip

FIRST = DECLARED[: DECLARED.index("BODY")].count("\n")


@pytest.mark.parametrize("body", WRONG)
def test_mistake(game: Any, body: str) -> None:
    _, found = game.diagnose(with_body(body))

    code, line, column, message, hint = WRONG[body]
    start = game.head.count("\n") + FIRST
    seen = [(d.code, d.line - start, d.column - 4, d.message, d.hint) for d in found if d.code != "RS920"]
    assert [(code, line, column, message, hint)] == seen


KNOWN = {
    "if last == none:\n  return\nbank = last.number": True,
    "if last != none:\n  bank = last.number": True,
    "if last:\n  nothing\nelse:\n  return\nbank = last.number": True,
    "while last:\n  bank = last.number\n  last = none": True,
    "last = d\nbank = last.number": True,
    "let x = top(deck)\nif x:\n  move x to pack\n  bank = x.number": True,
    "let x = top(deck)\nx = d\nbank = x.number": True,
    "for c in hand[p] where last != none:\n  bank = last.number\n  last = none": True,
    "if pack:\n  bank = end(pack, left).number": True,
    "if owner[a1] == p:\n  gold[owner[a1]] = 1": True,
    "if last:\n  last = none\n  bank = last.number": False,
    "if last:\n  take(p, 1)\n  bank = last.number": False,
    "if last:\n  ask p: rest, pass\n  bank = last.number": False,
    "if pack:\n  move d to heap\n  bank = end(pack, left).number": False,
    "if last:\n  for c in hand[p]:\n    bank = last.number\n    last = none": False,
    "if last:\n  repeat 2 times:\n    bank = last.number\n    last = none": False,
    "if last == none:\n  bank = 1\nbank = last.number": False,
    "let x = top(deck)\nif x:\n  x = top(deck)\n  bank = x.number": False,
}


@pytest.mark.parametrize("body", KNOWN)
def test_what_conditions_say_holds_until_something_may_change_it(game: Any, body: str) -> None:
    _, found = game.diagnose(with_body(body))

    assert KNOWN[body] == (not [d for d in found if d.code == "RS411"])
    assert [] == [d.message for d in found if d.code not in ("RS411", "RS920")]


LETS = {
    "let x = gold[p]": "0..9",
    "let x = 0\nx = x + 1": "number",
    "let x = none\nx = d": "optional Dog",
    "let x = none\nfor c in hand[p]:\n  if x == none or c.number > x.number:\n    x = c": "optional Dog",
    "let x = []\nfor c in hand[p]:\n  x = x + [c]": "list of Dog",
    "let x = []\nlet y = none\nfor c in hand[p]:\n  x += [c]\n  y = c": "list of Dog",
    "let x = top(deck)": "optional Dog",
    "let x = hop(p)": "bool",
    "let x = fought otherwise p": "player",
}


@pytest.mark.parametrize("body", LETS)
def test_type_of_a_local(game: Any, body: str) -> None:
    first = block(game, body)[0]

    assert isinstance(first, (ir.Let, ir.LetCall))
    assert LETS[body] == type_text(first.local.type)


def test_local_with_fractions_later_takes_fractions(game: Any) -> None:
    first, second = block(game, "let x = 0\nx = x + 1/2")

    assert isinstance(first, ir.Let) and isinstance(second, ir.Let)
    assert first.local is second.local
    assert "a number by 1/2" == describe(first.local.type)


FITS = {
    "gold[p] = 3": True,
    "gold[p] = gold[next(p)]": True,
    "gold[p] = gold[p] mod 3": True,
    "gold[p] += 1": False,
    "raise gold[p] by up to 3": False,
    "bank = gold[p] + 3": True,
    "open = true": True,
    "last = d": True,
    "if gold[p] > 0:\n  gold[p] -= 1": True,
    "if gold[p] < 9:\n  gold[p] += 1": True,
    "if gold[p] < 9:\n  gold[p] += 2": False,
}


@pytest.mark.parametrize("body", FITS)
def test_value_that_surely_fits_needs_no_check(game: Any, body: str) -> None:
    found = [node for node in nodes(block(game, body)) if isinstance(node, ir.SetVar)]

    assert [FITS[body]] == [node.fits for node in found]


def test_names_of_branches_may_be_used_again(game: Any) -> None:
    block(game, "if open:\n  let x = 1\n  bank = x\nelse:\n  let x = 2\n  bank = x")


def test_optional_is_told_once_for_a_name(game: Any) -> None:
    _, found = game.diagnose(with_body("let x = fought\ngold[x] = 1\ngold[x] = 2"))

    assert ["RS411"] == [d.code for d in found if d.code != "RS920"]


RETURNS = {
    "f(player p): |\n    return gold[p]": "0..9",
    "f(player p): |\n    if gold[p] > 3:\n      return last\n    return none": "optional Dog",
    "f(player p): |\n    let x = 0\n    for q in players:\n      x = x + 1\n    return x": "number",
    "f(player p) -> bool: |\n    return gold[p] > 3": "bool",
    "f(player p): |\n    if gold[p] > 3:\n      return seen\n    return hand[p]": "set of Dog",
}


@pytest.mark.parametrize("function", RETURNS)
def test_result_of_a_function(game: Any, function: str) -> None:
    text = DECLARED.replace("functions:\n", f"functions:\n  {function}\n").replace("BODY", "nothing")
    checked, found = game.diagnose(text)

    assert [] == [d.message for d in found if d.code != "RS920"]
    assert RETURNS[function] == type_text(checked.functions["f"].result)


RETURNS_WRONG = {
    "f(player p): |\n    if open:\n      return 1": ("RS511", "`f` does not return a value on every path"),
    "f(player p): |\n    let x = 1": ("RS511", "the function `f` never returns a value"),
    "f(player p): |\n    if open:\n      return 1\n    return red": (
        "RS441", "`f` returns a number and a Colour",
    ),
    "f(player p) -> bool: |\n    return 1": ("RS410", "`1` is a number, and yes or no (bool) is the result of `f`"),
    "f(player p): |\n    let x = 1\n    gold[p] = 1\n    return 1": (
        "RS513", "a function changes nothing, and this changes a variable",
    ),
    "f(player p): |\n    let x = 1\n    move top(deck) to pack\n    return 1": (
        "RS513", "a function changes nothing, and this moves a component",
    ),
    "f(player p): |\n    let x = hop(p)\n    return 1": (
        "RS513", "a function changes nothing, and this calls a rule with effects",
    ),
}  # fmt: skip


@pytest.mark.parametrize("function", RETURNS_WRONG)
def test_mistake_in_a_function(game: Any, function: str) -> None:
    text = DECLARED.replace("functions:\n", f"functions:\n  {function}\n").replace("BODY", "nothing")
    _, found = game.diagnose(text)

    assert [RETURNS_WRONG[function]] == [(d.code, d.message) for d in found if d.code != "RS920"]


ACTIONS = {
    "with: c in hand[me] where last != none\n    do: bank = last.number": True,
    "when: last != none\n    do: bank = last.number": True,
    "when: last != none\n    do: |\n      take(me, 1)\n      bank = last.number": False,
}


@pytest.mark.parametrize("action", ACTIONS)
def test_what_the_conditions_of_an_action_say_holds_in_its_effects(game: Any, action: str) -> None:
    text = DECLARED.replace("actions:\n", f"actions:\n  act:\n    {action}\n").replace("BODY", "nothing")
    _, found = game.diagnose(text.replace("actions: [rest]", "actions: [rest, act]"))

    assert ACTIONS[action] == (not [d for d in found if d.code == "RS411"])


def test_what_was_paid_is_no_longer_known(game: Any) -> None:
    action = "act:\n    when: gold[me] > 0\n    pay: 1 gold[me]\n    do: gold[me] -= 1"
    text = DECLARED.replace("actions:\n", f"actions:\n  {action}\n").replace("BODY", "nothing")
    checked = game.checked(text.replace("actions: [rest]", "actions: [rest, act]"))

    (stmt,) = checked.actions["act"].do[0].body
    assert not stmt.fits


def test_condition_of_a_trigger_holds_in_its_effects(game: Any) -> None:
    trigger = "triggers:\n  rung: {after: change open, when: last != none, do: bank = last.number}\n"

    assert [] == game.codes(DECLARED.replace("BODY", "nothing") + trigger)
