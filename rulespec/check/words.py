"""Types and expressions in an author's words, for messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from rulespec.check.types import (
    BoolType,
    EffectType,
    EnumType,
    ListType,
    NoneType,
    NumberType,
    OptionalType,
    PlayerType,
    PortType,
    SetType,
    SpotType,
    TableType,
    TextType,
    Type,
)
from rulespec.syntax import nodes as n


def number(value: Fraction | int) -> str:
    """A number as an author writes it: `7`, `1/2`, `7½`."""
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    if value.denominator == 2 and abs(value) > 1:
        return f"{'-' if value < 0 else ''}{abs(value.numerator) // 2}½"
    return f"{value.numerator}/{value.denominator}"


def article(word: str) -> str:
    """The word with `a` or `an` before it."""
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


def counted(amount: int, noun: str) -> str:
    """`1 value`, `2 values`, `no values`."""
    if amount == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}es" if noun.endswith("x") else f"{noun}s"
    return f"{amount or 'no'} {plural}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    parts = list(words)
    return f" {last} ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def interval(type: NumberType) -> str:
    """The range of a number: "1 to 15", "0 or more", "7", "any number"."""
    if type.low is not None and type.low == type.high:
        return number(type.low)
    if type.low is not None and type.high is not None:
        return f"{number(type.low)} to {number(type.high)}"
    if type.low is not None:
        return f"{number(type.low)} or more"
    if type.high is not None:
        return f"{number(type.high)} or less"
    return "any number"


def _number(type: NumberType) -> str:
    if type.low is not None and type.low == type.high:
        return "a number"
    whole = type.step == 1
    base = "a whole number" if whole else "a number"
    if type.low is not None and type.high is not None:
        base += f" from {number(type.low)} to {number(type.high)}"
    elif type.low is not None:
        base += f" from {number(type.low)}"
    elif type.high is not None:
        base += f" up to {number(type.high)}"
    if not whole and type.step:
        base += f" by {number(type.step)}"
    return base


_DESCRIBERS: dict[type, Callable[[Any], str]] = {
    BoolType: lambda t: "yes or no (bool)",
    TextType: lambda t: "a text",
    PlayerType: lambda t: "a player",
    NumberType: _number,
    EnumType: lambda t: article(t.name),
    TableType: lambda t: article(t.name),
    OptionalType: lambda t: f"{describe(t.item)} or none",
    ListType: lambda t: "an empty list" if isinstance(t.item, NoneType) else f"a list of {_plain(t.item)}",
    SetType: lambda t: f"a set of {_plain(t.item)}",
    SpotType: lambda t: f"a spot on {t.board}",
    PortType: lambda t: f"a port on {t.board}",
    NoneType: lambda t: "none",
    EffectType: lambda t: "an effect",
}


def describe(type: Type) -> str:
    """The type in an author's words, with its article: "a whole number from 0 to 4", "a Card", "a player"."""
    describer = _DESCRIBERS.get(type.__class__)
    return describer(type) if describer else "something unknown"


_PLAIN: dict[type, Callable[[Any], str]] = {
    BoolType: lambda t: "bool",
    TextType: lambda t: "text",
    PlayerType: lambda t: "player",
    NumberType: lambda t: (
        number(t.low)
        if t.low is not None and t.low == t.high
        else "number"
        if t.low is None
        else f"{number(t.low)}..{number(t.high) if t.high is not None else ''}"
    ),
    EnumType: lambda t: t.name,
    TableType: lambda t: t.name,
    OptionalType: lambda t: f"optional {_plain(t.item)}",
    ListType: lambda t: f"list of {_plain(t.item)}",
    SetType: lambda t: f"set of {_plain(t.item)}",
    SpotType: lambda t: f"{t.board}.Spot",
    PortType: lambda t: f"{t.board}.Port",
    NoneType: lambda t: "none",
}


def _plain(type: Type) -> str:
    plain = _PLAIN.get(type.__class__)
    return plain(type) if plain else "something"


def type_text(type: Type) -> str:
    """The type as it is written in the language: `optional Card`, `1..6`."""
    return _plain(type)


def signature(params: Iterable[tuple[str, Type]]) -> str:
    """Parameters as they are written: `player p, Card c`."""
    return ", ".join(f"{_plain(type)} {name}" for name, type in params)


# ---------------------------------------------------------------- expressions


def _tight(node: n.Node) -> str:
    """With parentheses where the expression has operators of its own."""
    text = spell(node)
    return f"({text})" if isinstance(node, (n.Binary, n.Cond, n.Otherwise, n.Range)) else text


def _binding(node: n.Binding) -> str:
    at = f" at {', '.join(name for name, _ in node.at)}" if node.at else ""
    return f"{node.name}{at} in {spell(node.domain)}"


def _selection(node: n.Selection) -> str:
    text = ", ".join(map(_binding, node.bindings))
    if node.where:
        text += f" where {' and '.join(map(spell, node.where))}"
    return text + (f" by {node.order[0]} {spell(node.order[1])}" if node.order else "")


def _aggregate(node: n.Aggregate) -> str:
    body = f"{spell(node.body)} for " if node.body is not None else ""
    return f"{node.kind}({body}{_selection(node.selection)})"


def _way(node: n.Way) -> str:
    goal = f" until {spell(node.goal)}" if node.goal is not None else ""
    return f"{node.kind}({node.name} from {spell(node.start)} by {_selection(node.selection)}{goal})"


_SPELLERS: dict[type, Callable[[Any], str]] = {
    n.Name: lambda e: e.id,
    n.Number: lambda e: number(e.value),
    n.Bool: lambda e: "true" if e.value else "false",
    n.NoneLit: lambda e: "none",
    n.ListLit: lambda e: f"[{', '.join(map(spell, e.items))}]",
    n.Range: lambda e: f"{_tight(e.first)}{' down to ' if e.down else '..'}{_tight(e.last)}",
    n.Unary: lambda e: f"not {_tight(e.operand)}" if e.op == "not" else f"-{_tight(e.operand)}",
    n.Binary: lambda e: f"{_tight(e.left)} {e.op} {_tight(e.right)}",
    n.Cond: lambda e: f"{_tight(e.then)} if {_tight(e.test)} else {_tight(e.other)}",
    n.Otherwise: lambda e: f"{_tight(e.value)} otherwise {_tight(e.default)}",
    n.FieldOf: lambda e: f"{_tight(e.base)}.{e.name}",
    n.Index: lambda e: f"{_tight(e.base)}[{', '.join(map(spell, e.indices))}]",
    n.Call: lambda e: f"{_tight(e.callee)}({', '.join(map(spell, e.args))})",
    n.From: lambda e: f"{spell(e.base)} from {spell(e.start)}",
    n.Until: lambda e: f"{spell(e.base)} until {spell(e.stop)}",
    n.Selection: _selection,
    n.Aggregate: _aggregate,
    n.Supposing: lambda e: f"supposing({spell(e.call)}, {spell(e.value)})",
    n.Way: _way,
}


def spell(node: n.Node) -> str:
    """The expression on one line, as an author would write it."""
    speller = _SPELLERS.get(node.__class__)
    return speller(node) if speller else "this"


def quote(node: n.Node | None) -> str:
    """The expression in backquotes, or "this" where it is long."""
    text = "this" if node is None else spell(node)
    return "this" if text == "this" or len(text) > 60 else f"`{text}`"
