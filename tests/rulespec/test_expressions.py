"""Types and shapes of expressions, and what is said about wrong ones. Cases are the author's text."""

from __future__ import annotations

from collections.abc import Callable

import attrs
import pytest

from rulespec import checked as ir
from rulespec.check.bodies import Functions
from rulespec.check.context import Context, Scope
from rulespec.check.declarations import declare, read_values
from rulespec.check.expressions import check_condition, check_expression, check_selection, check_template
from rulespec.check.types import PLAYER, UNKNOWN, NumberType, TableType
from rulespec.check.words import describe, type_text
from rulespec.diagnostics import Diagnostic, Reporter
from rulespec.loader import read_spec
from rulespec.source import Span, Text
from rulespec.syntax.parser import parse_expression, parse_selection, parse_template

GAME = """
rulespec: 1
id: zoo
title: Zoo
about: Everything there is.
players: 2..4
options:
  size: {type: 4..8, default: 6}
  hard: {type: bool, default: false}
  rules: {type: set of Rule, default: [short]}
types:
  Rule: [short, long]
  Colour: [red, green, blue]
  Food: [meat, leaf]
  Yield: [meat, gold_piece]
  Face: 1..6
  Open: 0..
  Man: {fields: {side: player, colour: Colour}, rows: all}
  Odd:
    fields: {colour: Colour, worth: 0..9}
    rows: [{id: one, colour: red, worth: 1}, {id: two, colour: blue, worth: 4}]
boards:
  Square: {grid: 8 x 8, names: a1}
  Hole: {grid: 4 x 4, only: col != row}
  Plot:
    map: |
      a-b
tables:
  award: {per: [1..3, Colour], type: 0..9, values: [[1, 2, 3], [4, 5, 6], [7, 8, 9]]}
components:
  Dog:
    fields:
      colour: Colour
      number: 1..15
      name: text
      fur: set of Colour
      bite: optional Food
      price[1..3]: 0..9
      worth(player p, Plot at): 0..20
    rows:
      - {id: rex, colour: red, number: 1, name: Rex, fur: [red], bite: meat, price: [1, 2, 3], worth: "gold[p]"}
      - {id: bo, colour: blue, number: 15, name: Bo, fur: [], bite: none, price: [1, 2, 3], worth: "1"}
  Coin: {faces: [head, tail], fields: {name: text, marks: {type: set of Colour per face}}, rows: [
    {name: penny, marks_head: [red], marks_tail: [blue]}]}
  Tile:
    fields: {name: text, shape: text}
    rows: [{name: l, shape: ".."}]
    shape: {from: shape, letters: {".": floor}, ports: floor, turns: quarter}
zones:
  deck: {holds: Dog, order: stack, seen_by: nobody}
  pack: {holds: Dog, order: row, max: 5}
  hand: {holds: Dog, per: player}
  pen: {holds: one Dog, per: [player, Plot]}
  purse: {holds: Coin, per: player}
  table: {holds: Tile, laid_on: Square}
variables:
  gold: {per: player, type: 0..9}
  half: {type: 0..20 by 1/2}
  round: {type: 1..6}
  owner: {per: Square, type: optional player}
  man: {per: Square, type: optional Man}
  starter: {type: player}
  led: {type: optional Colour}
  last: {type: optional Dog}
  best: {type: optional 0..9}
  seen: {type: set of Dog}
  dice: {type: set of Face}
  open: {type: bool}
  flag: {per: [player, Face], type: bool}
records:
  positions: {of: [owner]}
functions:
  twice(player p): gold[p] * 2
  strongest(player p): first(d in hand[p] by highest d.number)
  near(Square s, player p): any(owner[t] == p for t in neighbours(s))
  alone(): open
procedures:
  take(player p, 0..9 n): |
    gold[p] = n
  ready(player p) -> bool: |
    return open
actions:
  rest: nothing
phases:
  play: {turns: {rounds: 1}, actions: [rest]}
"""


@pytest.fixture(scope="module")
def context(tmp_path_factory: pytest.TempPathFactory) -> Context:
    """The declarations of the game above."""
    path = tmp_path_factory.mktemp("zoo") / "game.yaml"
    path.write_text(GAME, encoding="utf-8")
    reporter = Reporter()
    spec = read_spec(path, reporter)
    assert spec is not None, reporter.diagnostics
    context = Context(spec, reporter)
    declare(context)
    read_values(context)
    Functions(context).check_all()
    assert () == reporter.diagnostics
    return context


def text_of(source: str) -> Text:
    return Text(source, Span("x", 1, 1, 1, len(source) + 1), ((1, 1),))


@pytest.fixture
def scope(context: Context) -> Scope:
    """A scope with some locals, in which nothing was reported yet."""
    scope = Scope(attrs.evolve(context, reporter=Reporter(), reported=set()))
    scope.bind("p", PLAYER)
    scope.bind("s", TableType("board", "Square"))
    scope.bind("d", TableType("component", "Dog"))
    scope.bind("coin", TableType("component", "Coin"))
    scope.bind("tile", TableType("component", "Tile"))
    scope.bind("n", NumberType())
    return scope


def check(source: str, scope: Scope) -> ir.Expr:
    node = parse_expression(text_of(source), scope.context.reporter)
    assert node is not None, scope.context.reporter.diagnostics
    return check_expression(node, scope)


def found(scope: Scope) -> tuple[Diagnostic, ...]:
    return scope.context.reporter.diagnostics


TYPES = {
    # literals and arithmetic
    "7": "7",
    "7½": "7½",
    "1 + 2 * 3": "7",
    "7 / 2": "3½",
    "6 / 2": "3",
    "-n": "number",
    "gold[p] + 1": "1..10",
    "gold[p] - 1": "-1..8",
    "gold[p] * gold[p]": "0..81",
    "(round - 1) mod 5 + 1": "1..5",
    "-3 mod 5": "2",
    "floor(gold[p] / 2)": "0..4",
    "abs(gold[p] - 5)": "0..5",
    "min(gold[p], 3)": "0..3",
    "max(gold[p], 3)": "3..9",
    "min([gold[p], 3])": "0..9",
    "seats": "2..4",
    "size": "4..8",
    "hard": "bool",
    "1 if hard else 4": "1..4",
    "best otherwise 0": "0..9",
    "round mod 2": "0..1",
    # names
    "p": "player",
    "players": "list of player",
    "players from p": "list of player",
    "starter": "player",
    "turn_player": "optional player",
    "Colour.red": "Colour",
    "red": "Colour",
    "Food.meat": "Food",
    "Yield.meat": "Yield",
    "rex": "Dog",
    "Dog.rex": "Dog",
    "Square.a1": "Square",
    "a1": "Square",
    "h8": "Square",
    "orthogonal": "list of Direction",
    "northeast": "Direction",
    "award[2, blue]": "0..9",
    "[red, led]": "list of optional Colour",
    "[none, red]": "list of optional Colour",
    "[]": "list of none",
    "1..6": "list of 1..6",
    "1..gold[p]": "list of 1..9",
    "6 down to 1": "list of 1..6",
    "red..blue": "list of Colour",
    # fields
    "d.number": "1..15",
    "d.colour.number": "1..3",
    "d.price[2]": "0..9",
    "d.bite": "optional Food",
    "d.fur": "set of Colour",
    "last.number": "optional 1..15",
    "last.bite": "optional Food",
    "d.hand": "optional player",
    "d.worth(p, a)": "0..20",
    "last.worth(p, a)": "optional 0..20",
    "s.col": "1..8",
    "s.row + 1": "2..9",
    "coin.marks": "set of Colour",
    "coin.tail.marks": "set of Colour",
    "man[s].side": "optional player",
    # zones and lists
    "hand[p]": "list of Dog",
    "pen[p, a]": "optional Dog",
    "top(deck)": "optional Dog",
    "end(pack, left)": "optional Dog",
    "right_neighbour(pack, d)": "optional Dog",
    "count(pack)": "0..5",
    "count(hand[p])": "0..2",
    "count(Dog)": "1..2",
    "count(pen[p, a])": "0..1",
    "first(hand[p])": "optional Dog",
    "first(players)": "player",
    "last([red, blue])": "Colour",
    "nth([1, 3, 2], round mod 3)": "1..3",
    "nth(hand[p], 0)": "optional Dog",
    "sum([gold[p], 2])": "0..18",
    "any(hand[p])": "bool",
    "seen + [d]": "set of Dog",
    "seen - hand[p]": "set of Dog",
    "hand[p] + [d]": "list of Dog",
    "[] + hand[p]": "list of Dog",
    "led in [red, blue] and true": "bool",
    "hand[p] within seen": "bool",
    "not hand[p]": "bool",
    # seats
    "next(p)": "player",
    "next(p, 2)": "player",
    "previous(p)": "player",
    "others(p)": "list of player",
    # selections
    "any(d2.number > 3 for d2 in hand[p])": "bool",
    "any(c in hand[p] where c.colour == red)": "bool",
    "all(gold[q] > 0 for q in players)": "bool",
    "count(c in hand[p] where c.colour == red)": "0..2",
    "count(q in players, c in Colour)": "1..12",
    "sum(c.number for c in pack)": "0..75",
    "sum(gold[q] for q in players)": "0..36",
    "max(gold[q] for q in players)": "0..9",
    "max(c.number for c in hand[p])": "optional 1..15",
    "min(c.colour for c in hand[p])": "optional Colour",
    "first(c in hand[p] where c.number > 3)": "optional Dog",
    "first(c.colour for c in hand[p])": "optional Colour",
    "last(q in players)": "player",
    "those(c in hand[p])": "list of Dog",
    "those(c.bite for c in hand[p])": "list of optional Food",
    "most(gold[q] for q in players)": "list of player",
    "least(c.number for q in players, c in hand[q])": "list of player",
    "first(q in players from p where gold[q] > 0)": "optional player",
    "count(pet at q, plot in pen)": "0..2",
    "count(pet at plot in pen[p])": "0..2",
    "those(plot for pet at plot in pen[p])": "list of Plot",
    "those(t in ray(s, north) until owner[t] != none where owner[t] != p)": "list of Square",
    "count(c in top(deck))": "0..1",
    "count(x in dice)": "0..6",
    "first(c in seen)": "optional Dog",
    "count(x in Face)": "1..6",
    # boards
    "step(s, north)": "optional Square",
    "ray(s, northeast)": "list of Square",
    "neighbours(s)": "list of Square",
    "neighbours(s, diagonal)": "list of Square",
    "beside(s, a1)": "bool",
    "offset(s, 1, -2)": "optional Square",
    "lines(Square, 3)": "list of list of Square",
    "middle(s, a1)": "optional Square",
    "steps(s, a1)": "optional 0..",
    "cell(Square, 1, 8)": "Square",
    "cell(Square, 1, 9)": "optional Square",
    "cell(Square, s.row, s.col)": "Square",
    "cell(Hole, 1, 2)": "optional Hole",
    "centre(Square)": "Square",
    "turn(north, 3)": "Direction",
    "opposite(turn(north, -1))": "Direction",
    "spot(s, 1)": "Square.Spot",
    "ports(tile)": "list of Square.Port",
    "footprint(tile, spot(s, 0))": "list of Square",
    "shown(table, s)": "optional Tile letter",
    "piece_at(table, s)": "optional Tile",
    "port_at(table, s, north)": "optional Square.Port",
    "uncovered(table, tile)": "bool",
    "those(q.beyond for q in ports(tile))": "list of optional Square",
    "those(t for q in ports(tile), t in spot_for(q, s, opposite(q.facing)))": "list of Square.Spot",
    # rows by their values
    "Man(p, red)": "Man",
    "Man(p, red).side": "player",
    "Odd(red)": "Odd",
    "Odd(d.colour)": "optional Odd",
    # functions, ways, memory
    "twice(p)": "0..18",
    "strongest(p)": "optional Dog",
    "alone()": "bool",
    "supposing(take(p, 3), gold[p])": "0..9",
    "reached(x from s by y in neighbours(x) where owner[y] == none)": "list of Square",
    "distance(x from s by y in neighbours(x) until x == a1)": "optional 0..",
    "next_steps(x from s by y in neighbours(x) until owner[x] == p)": "list of Square",
    "times(positions)": "0..",
    # what conditions say
    "last.number if last != none else 0": "0..15",
    "last.number if last else 0": "0..15",
    "0 if last == none else last.number": "0..15",
    "last != none and last.number > 3": "bool",
    "last == none or last.number > 3": "bool",
    "not (last == none) and last.number > 3": "bool",
    "man[s].side == p and gold[man[s].side] > 0": "bool",
    "man[s] != none and man[s].side == p and gold[man[s].side] > 0": "bool",
    "not pack or d.number < end(pack, left).number": "bool",
    "count(pack) > 0 and first(pack).number > 3": "bool",
    "any(t in neighbours(s) where owner[t] != none and gold[owner[t]] > 1)": "bool",
    "any(gold[owner[t]] > 1 for t in neighbours(s) where owner[t])": "bool",
    "led in [red, blue] and led.number > 1": "bool",
    "award[n, red] if n in 1..3 else 0": "0..9",
}


@pytest.mark.parametrize("source", TYPES)
def test_type(source: str, scope: Scope) -> None:
    expr = check(source, scope)

    assert [] == [d.message for d in found(scope)]
    assert TYPES[source] == type_text(expr.type)


WRONG = {
    # names
    "golt[p]": ("RS301", 1, "there is nothing called `golt` here", "did you mean `gold`?"),
    "meat": (
        "RS302", 1, "`meat` is a value of `Food` and `Yield`, and nothing here tells which",
        "write `Food.meat` or `Yield.meat`",
    ),
    "me": (
        "RS304", 1, "`me` is known in actions and turns only",
        "let the function or procedure have a parameter, as `player p`, and use that",
    ),
    "usual": ("RS305", 1, "there is no version below this one that `usual` could mean", "leave it out"),
    "Food.bone": ("RS306", 6, "`Food` has no value `bone`", "its values are `meat` and `leaf`"),
    "times(position)": ("RS306", 7, "`position` is no record", "did you mean `positions`?"),
    "d.colur": ("RS307", 3, "a Dog has no field `colur`", "did you mean `colour`?"),
    "hand[p].number": (
        "RS307", 9, "`hand[p]` is a list of Dog, which has no field `number`",
        "go through them: `x.number for x in hand[p]`",
    ),
    "d.deck": ("RS307", 1, "the zone `deck` has no index to tell", "write `d in deck`"),
    "d.pen": (
        "RS307", 1, "the zone `pen` has 2 indices, so `.pen` cannot tell them",
        "select them: `x at i1, i2 in pen where x == d`",
    ),
    "coin.hand": ("RS307", 6, "the zone `hand` holds Dog, and `coin` is a Coin", ""),
    "coin.head": ("RS307", 1, "`head` is a face of a Coin, not a value", "read a field of it: `coin.head.FIELD`"),
    "coin.head.name": ("RS307", 11, "`name` is the same on every face", "write `coin.name`"),
    "twic(p)": ("RS308", 1, "there is no function `twic`", "did you mean `twice`?"),
    "len(hand[p])": ("RS308", 1, "there is no function `len`", "write `count(...)`"),
    "gold": ("RS310", 1, "`gold` is kept per player, so it needs an index", "write `gold[p]`"),
    "hand": ("RS310", 1, "the zone `hand` is kept per player, so it needs an index", "write `hand[p]`"),
    "pen[p]": ("RS311", 1, "the zone `pen` has 2 indices (player, Plot), not 1", ""),
    "gold[p, 1]": ("RS312", 9, "`gold` has 1 index (player), not 2", ""),
    "round[1]": ("RS312", 1, "`round` has no index", "write `round`"),
    "gold[d]": ("RS410", 6, "`d` is a Dog, and a player is the index of `gold`", ""),
    "flag[p, 7]": ("RS412", 9, "`7` is out of range, and a whole number from 1 to 6 is the index of `flag`", ""),
    "twice": ("RS320", 1, "`twice` is a function", "call it: `twice(p)`"),
    "rest": ("RS320", 1, "`rest` is an action, not a value", "actions are offered by `ask` or a phase"),
    "d.worth": ("RS320", 3, "`worth` is a rule", "call it: `d.worth(p, at)`"),
    "twice[p]": ("RS322", 1, "`twice` is called with round brackets", "write `twice(p)`"),
    "players[0]": (
        "RS322", 1, "`players` is a list of player, which has no index", "write `nth(players, i)`, from 0",
    ),
    "gold(p)": ("RS323", 1, "`gold` is a variable, not a function", "write `gold[p]`"),
    "ready(p)": (
        "RS323", 1, "`ready` is a procedure, and an expression cannot have effects", "write `let x = ready(p)`",
    ),
    "take(p, 1)": (
        "RS323", 1, "`take` is a procedure, and an expression cannot have effects", "write it on a line of its own",
    ),
    "Square(1, 2)": ("RS323", 1, "`Square` is a board, not a function", "write `cell(Square, col, row)`"),
    "supposing(twice(p), 1)": (
        "RS323", 11, "`twice` is a function, which changes nothing", "a procedure is called here",
    ),
    # types
    "twice(d)": ("RS410", 7, "`d` is a Dog, and a player is needed as `p` of `twice`", ""),
    "gold[owner[s]]": (
        "RS411", 6, "`owner[s]` may be none, and a player is the index of `gold`",
        "test it first, as in `if x != none`, or give another value with `otherwise`",
    ),
    "supposing(take(p, 12), 1)": (
        "RS412", 19, "`12` is out of range, and a whole number from 0 to 9 is needed as `n` of `take`", "",
    ),
    "supposing(take(p, 1 / 2), 1)": (
        "RS413", 19, "`1 / 2` is 1/2, and a whole number from 0 to 9 is needed as `n` of `take`",
        "round it with `floor(...)`",
    ),
    "supposing(take(p, gold[p] / 2), 1)": (
        "RS413", 19, "`gold[p] / 2` may be a fraction, and a whole number from 0 to 9 is needed as `n` of `take`",
        "round it with `floor(...)`",
    ),
    "[red, 1]": (
        "RS414", 7, "`1` is a number, and `red` in the same list is a Colour", "a list holds values of one type",
    ),
    "red if hard else 1": (
        "RS414", 1, "this is a Colour if the condition holds, else a number", "both must have the same type",
    ),
    "led otherwise 1": (
        "RS414", 15, "`led` is a Colour or none, but after `otherwise` stands a number",
        "both must have the same type",
    ),
    "best + 1": (
        "RS416", 1, "`best` may be none, and `+` needs a number", "test it first, or write `(best otherwise 0)`",
    ),
    "last.number > 3": (
        "RS416", 1, "`last.number` may be none, and `>` needs a value",
        "test it first, as in `x != none and ...`, or give another value with `otherwise`",
    ),
    "d.colour - 1": ("RS417", 1, "`d.colour` is a Colour, and `-` needs a number", "its place is `d.colour.number`"),
    "hand[p] + d": ("RS418", 11, "`d` is a Dog, and `hand[p]` is a list of Dog", "write `[d]`"),
    "hand[p] + [red]": ("RS418", 11, "a list of Colour cannot be joined with a list of Dog", ""),
    "d == coin": ("RS422", 1, "`d` is a Dog and `coin` is a Coin, so they are never equal", ""),
    "d == hand[p]": (
        "RS422", 1, "`d` is a Dog and `hand[p]` is a list of Dog, so they are never equal",
        "use `in` to ask whether something is a member",
    ),
    "d.colour == 1": (
        "RS422", 1, "`d.colour` is a Colour and `1` is a number, so they are never equal",
        "its place is `d.colour.number`",
    ),
    "d.name == d.name": (
        "RS423", 1, "a text is only shown, no rule reads it", "give what the rule needs a field of its own",
    ),
    "d < d": ("RS424", 1, "a Dog has no order", "numbers have an order, and values of one enum"),
    "hand[p] > 3": (
        "RS424", 1, "`>` cannot compare a list of Dog with a number", "compare `count(hand[p])`, or write `within`",
    ),
    "d in d": (
        "RS425", 6, "`d` is a Dog, and `in` needs a list, set, zone or range", "compare single values with `==`",
    ),
    "hand[p] in seen": (
        "RS425", 1, "`hand[p]` is a list of Dog, not one thing",
        "`within` asks whether all its members are in the other",
    ),
    "red in seen": (
        "RS422", 1, "`red` is a Colour, and `seen` holds values of another type: a set of Dog", "",
    ),
    "twice(p, 1)": ("RS426", 1, "`twice` takes 1 value, not 2", "it is `twice(player p)`"),
    "next()": ("RS426", 1, "`next` takes 1 or 2 values, not 0", "write `next(p)`"),
    "Odd(green)": ("RS427", 1, "no row of `Odd` is `Odd(green)`", ""),
    "opponent(p)": (
        "RS428", 1, "`opponent` is for games of exactly two players",
        "`others(p)` is everyone but p, `next(p)` the seat to the left",
    ),
    "top(pack)": (
        "RS430", 5, "`top` is for stacks, and the zone `pack` is not one", "use `end(ZONE, left)`",
    ),
    "end(hand[p], left)": (
        "RS430", 5, "`end` is for rows, and the zone `hand` is not one", "declare it with `order: row`",
    ),
    "step(d, north)": ("RS430", 6, "`d` is a Dog, and `step` needs a space of a board", ""),
    "ray(step(s, north), north)": (
        "RS411", 5, "`step(s, north)` may be none, and `ray` needs a space of a board",
        "test it first, or go through it: `for t in ...`",
    ),
    "lines(Sqare, 3)": ("RS430", 7, "`lines` needs the name of a board, not `Sqare`", "did you mean `Square`?"),
    "1 / 0": ("RS431", 5, "this divides by 0", ""),
    "count(x in 3)": (
        "RS432", 12, "`3` is a number, and `x` cannot go through it", "write `x in 1..3`",
    ),
    "count(c in hand)": (
        "RS310", 12, "the zone `hand` is kept per player, so it needs an index",
        "write `c in hand[...]`, or `c at p in hand` for all of them",
    ),
    "count(c at q in deck)": ("RS433", 17, "the zone `deck` has no index for `at`", ""),
    "count(c at q in pen)": (
        "RS433", 17, "the zone `pen` has 2 indices (player, Plot), and 1 are given or bound", "",
    ),
    "count(x in Open)": (
        "RS434", 12, "`Open` has no upper end, so its values cannot be gone through", "write a range, as `1..6`",
    ),
    "count(p in players)": ("RS303", 7, "`p` is a name in use here already", "choose another name"),
    "count(gold in players)": ("RS303", 7, "`gold` is the name of a variable already", "choose another name"),
    "max(c.bite for c in hand[p])": (
        "RS416", 5, "`c.bite` may be none, and `max` needs a number", "leave those without a value out by `where`",
    ),
    "those(c.fur for c in hand[p])": (
        "RS417", 7, "`c.fur` is a set of Colour, and `those` gathers single values",
        "go through its members with another `in`",
    ),
    "first(c in Coin where c in box).hand": (
        "RS307", 33, "the zone `hand` holds Dog, and `first(c in Coin where c in box)` is a Coin", "",
    ),
    "count(box)": (
        "RS321", 7, "the box holds several kinds, and nothing here tells which", "write `c in Dog where c in box`",
    ),
    # never and always
    "d.number == 20": ("RS910", 1, "`d.number` is 1 to 15, never 20", ""),
    "d.number == 1½": ("RS910", 1, "`d.number` is 1 to 15, never 1½", ""),
    "gold[p] >= 0": ("RS910", 1, "`gold[p]` is 0 to 9, so this always holds", ""),
    "10 <= gold[p]": ("RS910", 1, "`gold[p]` is 0 to 9, so this never holds", ""),
    "gold[p] in 20..30": ("RS910", 1, "`gold[p]` is 0 to 9, never in `20..30`", ""),
    "d == none": ("RS911", 1, "`d` is never none, so this never holds", ""),
    "hand[p] == none": ("RS911", 1, "`hand[p]` is never none, so this never holds", "write `not hand[p]`"),
    "gold[p] otherwise 0": ("RS911", 1, "`gold[p]` is never none, so `otherwise` has no effect", ""),
    "5..1": ("RS912", 1, "the range `5..1` is always empty", "counting down is written `last down to first`"),
}  # fmt: skip


@pytest.mark.parametrize("source", WRONG)
def test_mistake(source: str, scope: Scope) -> None:
    check(source, scope)

    code, column, message, hint = WRONG[source]
    assert [(code, column, message, hint)] == [(d.code, d.column, d.message, d.hint) for d in found(scope)]


CONDITIONS = {
    "open": None,
    "hand[p]": None,
    "led": None,
    "best": None,
    "gold[p] > 1 and hand[p]": None,
    "gold[p]": ("RS420", "`gold[p]` is a number, not a condition"),
    "d": ("RS420", "`d` is a Dog, not a condition"),
    "none": ("RS420", "`none` is never a condition that holds"),
    "last.fur": ("RS421", "`last.fur` may be none, so it is unclear as a condition"),
}


@pytest.mark.parametrize("source", CONDITIONS)
def test_condition(source: str, scope: Scope) -> None:
    node = parse_expression(text_of(source), scope.context.reporter)
    assert node is not None

    check_condition(node, scope)

    expected = CONDITIONS[source]
    assert ([] if expected is None else [expected]) == [(d.code, d.message) for d in found(scope)]


def test_collection_as_condition_becomes_a_truth(scope: Scope) -> None:
    expr = check("hand[p] and open", scope)

    assert isinstance(expr, ir.Binary)
    assert isinstance(expr.left, ir.Truth)
    assert isinstance(expr.left.value, ir.ZoneRead)


def test_field_of_an_optional_is_none_safe(scope: Scope) -> None:
    expr = check("last.number", scope)

    assert isinstance(expr, ir.NoneSafe)
    assert isinstance(expr.body, ir.FieldRead)
    assert isinstance(expr.body.base, ir.LocalRead)
    assert expr.local is expr.body.base.local


def test_name_is_reported_once(scope: Scope) -> None:
    check("golt + golt", scope)

    assert 1 == len(found(scope))


def test_expected_type_decides_between_values_of_one_name(scope: Scope) -> None:
    for source in ("d.bite == meat", "meat == d.bite", "meat in [d.bite]", "d.bite in [meat]"):
        check(source, scope)

    assert () == found(scope)


def test_conditions_stand_where_their_names_are_known(scope: Scope) -> None:
    source = "q in players, c in hand[q] where open and gold[q] > 0 and c.number > gold[q]"
    node = parse_selection(text_of(source), scope.context.reporter)
    assert node is not None

    selection, inner = check_selection(node, scope)

    assert [1, 1, 1] == [len(level) for level in selection.conditions]
    assert ["q", "c"] == [local.name for local in selection.locals]
    assert inner.find("c") is selection.bindings[1].local


def test_condition_that_needs_an_earlier_one_is_not_tested_before_it(scope: Scope) -> None:
    source = "t in neighbours(s), q in players where owner[t] == next(q) and gold[owner[t]] > 1"
    node = parse_selection(text_of(source), scope.context.reporter)
    assert node is not None

    selection, _ = check_selection(node, scope)

    assert [0, 0, 2] == [len(level) for level in selection.conditions]
    assert () == found(scope)


def test_template_takes_any_value(scope: Scope) -> None:
    node = parse_template(text_of("{d} has {gold[p]} and {hand[p]}"), scope.context.reporter)
    assert node is not None

    text = check_template(node, scope)

    assert ["Dog", " has ", "0..9", " and ", "list of Dog"] == [
        part if isinstance(part, str) else type_text(part.type) for part in text.parts
    ]


def test_unindexed_variable_in_a_result_is_the_entry_of_its_seat(scope: Scope) -> None:
    scope.seat = scope.find("p")

    expr = check("gold", scope)

    assert isinstance(expr, ir.VarRead)
    assert isinstance(expr.indices[0], ir.LocalRead)


def test_mistake_gives_the_unknown_type(scope: Scope) -> None:
    assert UNKNOWN == check("golt + 1", scope).type


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (NumberType, "a whole number"),
        (lambda: TableType("component", "Artifact"), "an Artifact"),
    ],
)
def test_types_in_words(make: Callable[[], object], words: str) -> None:
    assert words == describe(make())  # type: ignore[arg-type]
