"""The callbacks of the grammar: each rule's tokens and parts to a node.

The builder has no state; tokens know their places in the file. A method's name is that of a rule or
alternative in grammar.lark, its argument the list of all tokens and parts, None for what is left out.
"""

# ruff: noqa: D102 -- each method belongs to the rule of its name, and grammar.lark says what that is

from __future__ import annotations

from fractions import Fraction
from typing import Any

from attrs import evolve, field, frozen

from rulespec.source import Span
from rulespec.syntax import nodes as n
from rulespec.syntax.mistakes import Mistake, join
from rulespec.syntax.scan import Token
from rulespec.syntax.selections import Args, Item, call, selection
from rulespec.syntax.words import FALSE_WORDS

Parts = list[Any]

MAX_ELSE_IFS = 50


@frozen
class FieldHead:
    """`bar[1..7]`, `points(player p, Plot at)` or a plain name; `params` None unless there are parentheses."""

    name: str
    span: Span = field(repr=False, eq=False)
    index: tuple[n.TypeExpr, ...] = ()
    params: tuple[n.Param, ...] | None = None


def _named(token: Token) -> tuple[str, Span]:
    return token.text, token.span


def _whole(parts: Parts) -> Span:
    """From the first to the last part that is there; a body counts by its last effect."""
    last = parts[-1]
    at = len(parts) - 1
    while last is None or isinstance(last, tuple):
        if last:
            last = last[-1]
        else:
            at -= 1
            last = parts[at]
    first: Span = parts[0].span
    end: Span = last.span
    return join(first, end)


class Expressions:
    """Values, arguments and selections."""

    def expression(self, parts: Parts) -> n.Expr:
        value: n.Expr = parts[0]
        return value

    def seats_from(self, parts: Parts) -> n.Expr:
        return n.From(parts[0], parts[2], span=_whole(parts))

    def cond(self, parts: Parts) -> n.Expr:
        then, _, test, _, other = parts
        return n.Cond(test, then, other, span=join(then.span, other.span))

    def default(self, parts: Parts) -> n.Expr:
        return n.Otherwise(parts[0], parts[2], span=_whole(parts))

    def binary(self, parts: Parts) -> n.Expr:
        left, op, right = parts
        return n.Binary(op.text, left, right, span=join(left.span, right.span))

    def unary(self, parts: Parts) -> n.Expr:
        op, operand = parts
        return n.Unary(op.text, operand, span=join(op.span, operand.span))

    def range_up(self, parts: Parts) -> n.Expr:
        return n.Range(parts[0], parts[2], span=_whole(parts))

    def range_down(self, parts: Parts) -> n.Expr:
        return n.Range(parts[0], parts[2], True, span=_whole(parts))

    def field_of(self, parts: Parts) -> n.Expr:
        base, _, name = parts
        return n.FieldOf(base, name.text, name.span, span=join(base.span, name.span))

    def index(self, parts: Parts) -> n.Expr:
        return n.Index(parts[0], parts[2], span=_whole(parts))

    def call(self, parts: Parts) -> n.Expr:
        return call(parts[0], parts[2], _whole(parts))

    def name(self, parts: Parts) -> n.Expr:
        token = parts[0]
        return n.Name(token.text, span=token.span)

    def number(self, parts: Parts) -> n.Expr:
        text = parts[0].text
        value = Fraction(int(text.rstrip("½") or "0")) + (Fraction(1, 2) if text[-1] == "½" else 0)
        return n.Number(value, span=parts[0].span)

    def truth(self, parts: Parts) -> n.Expr:
        return n.Bool(parts[0].text == "true", span=parts[0].span)

    def none(self, parts: Parts) -> n.Expr:
        return n.NoneLit(span=parts[0].span)

    def list_of(self, parts: Parts) -> n.Expr:
        return n.ListLit(parts[1] or (), span=_whole(parts))

    def paren(self, parts: Parts) -> n.Expr:
        inner: n.Expr = evolve(parts[1], span=_whole(parts))
        return inner

    def exprs(self, parts: Parts) -> tuple[n.Expr, ...]:
        return tuple(parts[::2])

    def args(self, parts: Parts) -> Args:
        items, _, source, end = parts
        order = end if end and isinstance(end[0], str) else None
        return Args(items, source, order, end if end and order is None else None)

    def items(self, parts: Parts) -> tuple[Item, ...]:
        return tuple(_item(part) for part in parts[::2])

    def ordering(self, parts: Parts) -> tuple[str, n.Expr]:
        return parts[0].text.split()[-1], parts[1]

    def steps(self, parts: Parts) -> tuple[Item, ...]:
        steps: tuple[Item, ...] = parts[1]
        return steps

    def item_at(self, parts: Parts) -> Item:
        return evolve(_item(parts[0]), at=parts[2], span=_whole(parts))

    def item_from(self, parts: Parts) -> Item:
        return evolve(_item(parts[0]), start=parts[2], span=_whole(parts))

    def item_until(self, parts: Parts) -> Item:
        return evolve(_item(parts[0]), until=parts[2], span=_whole(parts))

    def item_where(self, parts: Parts) -> Item:
        return evolve(_item(parts[0]), where=parts[2], span=_whole(parts))

    def item_goal(self, parts: Parts) -> Item:
        return evolve(_item(parts[0]), where=parts[2], goal=parts[4], span=_whole(parts))

    def selection(self, parts: Parts) -> n.Selection:
        return selection(parts[0], parts[1])


def _item(part: n.Expr | Item) -> Item:
    return part if isinstance(part, Item) else Item(part, part.span)


class Statements(Expressions):
    """Effects."""

    def block(self, parts: Parts) -> n.Block:
        return tuple(parts)

    def stmt(self, parts: Parts) -> n.Stmt:
        stmt: n.Stmt = parts[0]
        return stmt

    def suite(self, parts: Parts) -> n.Block:
        return tuple(parts[2:-1])

    def suite_line(self, parts: Parts) -> n.Block:
        return (parts[0],)

    def let(self, parts: Parts) -> n.Stmt:
        _, name, _, value = parts
        return n.Let(name.text, name.span, value, span=_whole(parts))

    def assign(self, parts: Parts) -> n.Stmt:
        target, op, value = parts
        _check_target(target)
        return n.Assign(target, op.text, value, span=_whole(parts))

    def adjust(self, parts: Parts) -> n.Stmt:
        kind, target, _, up_to, amount = parts
        _check_target(target)
        return n.Adjust(kind.text, target, amount, up_to is not None, span=_whole(parts))

    def move(self, parts: Parts) -> n.Stmt:
        _, what, _, to, _, at, _, after = parts
        return n.Move(what, to, at, after, span=_whole(parts))

    def move_all(self, parts: Parts) -> n.Stmt:
        _, _, what, _, to, _, at = parts
        return n.MoveAll(what, to, at, span=_whole(parts))

    def move_tokens(self, parts: Parts) -> n.Stmt:
        _, amount, _, source, _, target = parts
        return n.MoveTokens(amount, source, target, span=_whole(parts))

    def move_all_tokens(self, parts: Parts) -> n.Stmt:
        return n.MoveTokens(None, parts[2], parts[4], span=_whole(parts))

    def swap(self, parts: Parts) -> n.Stmt:
        _check_target(parts[1])
        _check_target(parts[3])
        return n.Swap(parts[1], parts[3], span=_whole(parts))

    def draw_cards(self, parts: Parts) -> n.Stmt:
        return n.DrawCards(parts[1], parts[3], parts[5], span=_whole(parts))

    def drawn(self, parts: Parts) -> n.Stmt:
        return n.Outcome("draw", None, _template(parts[1]), span=_whole(parts))

    def shuffle(self, parts: Parts) -> n.Stmt:
        return n.Shuffle(parts[1], span=_whole(parts))

    def turn_over(self, parts: Parts) -> n.Stmt:
        return n.TurnOver(parts[1], None, span=_whole(parts))

    def turn_to(self, parts: Parts) -> n.Stmt:
        return n.TurnOver(parts[1], parts[3], span=_whole(parts))

    def remove(self, parts: Parts) -> n.Stmt:
        return n.Remove(parts[2], parts[1] is not None, span=_whole(parts))

    def return_(self, parts: Parts) -> n.Stmt:
        return n.Return(parts[1], span=_whole(parts))

    def say(self, parts: Parts) -> n.Stmt:
        return n.Say(parts[1].template, span=_whole(parts))

    def reveal(self, parts: Parts) -> n.Stmt:
        who = parts[3]
        everyone = isinstance(who, n.Name) and who.id == "everyone"
        return n.Reveal(parts[1], None if everyone else who, span=_whole(parts))

    def record(self, parts: Parts) -> n.Stmt:
        return n.Record(parts[1].text, span=_whole(parts))

    def end(self, parts: Parts) -> n.Stmt:
        return n.End(parts[1].text, parts[1].span, span=_whole(parts))

    def outcome(self, parts: Parts) -> n.Stmt:
        kind, who, reason = parts
        return n.Outcome(kind.text, who, _template(reason), span=_whole(parts))

    def nothing(self, parts: Parts) -> n.Stmt:
        return n.Nothing(span=parts[0].span)

    def call_stmt(self, parts: Parts) -> n.Stmt:
        expr = parts[0]
        if isinstance(expr, n.Call) or (isinstance(expr, n.Name) and expr.id == "usual"):
            return n.CallStmt(expr, span=expr.span)
        if isinstance(expr, n.Binary) and expr.op == "==" and isinstance(expr.left, n.Name | n.Index):
            raise Mistake("RS208", "`==` compares and changes nothing", expr.span, "to set a value write `=`")
        if isinstance(expr, n.Name) and expr.id in FALSE_WORDS:
            raise Mistake("RS206", f"`{expr.id}` is not used in this language", expr.span, FALSE_WORDS[expr.id])
        if isinstance(expr, n.Name):
            raise Mistake(
                "RS218",
                f"`{expr.id}` alone does nothing",
                expr.span,
                f"to call a procedure write `{expr.id}()`; to do nothing write `nothing`",
            )
        raise Mistake("RS218", "this is a value and does nothing", expr.span, "write an effect, or `return` it")

    def if_(self, parts: Parts) -> n.Stmt:
        more = [part for part in parts[4:] if isinstance(part, n.If)]
        if len(more) > MAX_ELSE_IFS:
            raise Mistake(
                "RS200", f"there are more than {MAX_ELSE_IFS} `else if`", more[-1].span, "use a table or functions"
            )
        end = parts[-1] or ()
        other: n.Block = end
        for part in reversed(more):
            last = other[-1] if other else part
            other = (evolve(part, other=other, span=join(part.span, last.span)),)
        last = other[-1] if other else parts[3][-1]
        return n.If(parts[1], parts[3], other, span=join(parts[0].span, last.span))

    def else_if(self, parts: Parts) -> n.Stmt:
        return n.If(parts[2], parts[4], (), span=join(parts[1].span, parts[4][-1].span))

    def else_part(self, parts: Parts) -> n.Block:
        body: n.Block = parts[2]
        return body

    def while_(self, parts: Parts) -> n.Stmt:
        return n.While(parts[1], parts[3], span=_whole(parts))

    def repeat_times(self, parts: Parts) -> n.Stmt:
        return n.Repeat(parts[1], parts[4], span=_whole(parts))

    def for_(self, parts: Parts) -> n.Stmt:
        _, items, order, _, body = parts
        last = items[-1]
        together = len(items) > 1 and last == Item(n.Name("together", span=last.span), last.span)
        chosen = selection(items[:-1] if together else items, order)
        return n.For(chosen, together, body, span=_whole(parts))

    def choose(self, parts: Parts) -> n.Stmt:
        _, (quantity, items, order), _, (who, text, _, weight), _, body, other = parts
        chance = isinstance(who, n.Name) and who.id == "chance"
        if weight is not None and not chance:
            raise Mistake("RS217", "only chance can be weighted", weight.span, "write `by chance weighted by E`")
        return n.Choose(
            quantity,
            selection(items, order),
            None if chance else who,
            weight,
            None if chance else _template(text),
            body,
            other or (),
            stream=text.text[1:-1] if chance and text else "",
            span=_whole(parts),
        )

    def chosen(self, parts: Parts) -> Parts:
        return parts

    def chooser(self, parts: Parts) -> Parts:
        return parts

    def exactly(self, parts: Parts) -> tuple[str, n.Expr, n.Expr | None]:
        return "exactly", parts[1], None

    def at_most(self, parts: Parts) -> tuple[str, n.Expr, n.Expr | None]:
        return "up to", parts[1], None

    def between(self, parts: Parts) -> tuple[str, n.Expr, n.Expr | None]:
        return "between", parts[0], parts[2]

    def ask_head(self, parts: Parts) -> Parts:
        return parts

    def window_head(self, parts: Parts) -> Parts:
        return parts

    def ask(self, parts: Parts) -> n.Stmt:
        word, who, repeatedly, text, _ = parts[0]
        offers = _offers(parts)
        return n.Ask(who, repeatedly is not None, _template(text), offers, span=join(word.span, offers[-1].span))

    def window(self, parts: Parts) -> n.Stmt:
        word, seats, _ = parts[0]
        offers = _offers(parts)
        return n.Window(seats, offers, span=join(word.span, offers[-1].span))

    def offers(self, parts: Parts) -> tuple[n.Offer, ...]:
        return tuple(part for part in parts if isinstance(part, n.Offer))

    def offer(self, parts: Parts) -> n.Offer:
        name, _, fixed, end = parts
        return n.Offer(name.text, fixed or (), span=join(name.span, (end or name).span))

    def fixed(self, parts: Parts) -> tuple[tuple[str, Span, n.Expr], ...]:
        return tuple(parts[::2])

    def fixing(self, parts: Parts) -> tuple[str, Span, n.Expr]:
        return parts[0].text, parts[0].span, parts[2]


def _check_target(target: n.Expr) -> None:
    if isinstance(target, n.Name) or (isinstance(target, n.Index) and isinstance(target.base, n.Name)):
        return
    hint = "a field of a row never changes; use a variable `per:` that type" if isinstance(target, n.FieldOf) else ""
    raise Mistake(
        "RS221", "only a variable or one of its entries can be set", target.span, hint or "write `V` or `V[INDEX]`"
    )


def _template(token: Token | None) -> n.Template | None:
    return token.template if token else None


def _offers(parts: Parts) -> tuple[n.Offer, ...]:
    offers: tuple[n.Offer, ...] = next(part for part in parts if isinstance(part, tuple))
    return offers


class Builder(Statements):
    """Types, signatures, events and the small forms of YAML keys."""

    def signature(self, parts: Parts) -> n.Signature:
        name, opening, params, _, _, result = parts
        return n.Signature(name.text, _params(params) if opening else None, result, span=_whole(parts))

    def field_decl(self, parts: Parts) -> FieldHead:
        name, opening = parts[0], parts[1] if len(parts) > 1 else None
        if opening is None:
            return FieldHead(*_named(name))
        if opening.text == "[":
            return FieldHead(*_named(name), parts[2])
        return FieldHead(*_named(name), (), _params(parts[2]))

    def grid(self, parts: Parts) -> tuple[n.Expr, n.Expr]:
        return parts[0], parts[2]

    def rank(self, parts: Parts) -> tuple[str, n.Expr]:
        return parts[0].text, parts[1]

    def pay(self, parts: Parts) -> tuple[tuple[n.Expr, n.Expr], ...]:
        return tuple(parts[::2])

    def cost(self, parts: Parts) -> tuple[n.Expr, n.Expr]:
        amount, name, _, indices, end = parts
        variable: n.Expr = n.Name(name.text, span=name.span)
        if indices:
            variable = n.Index(variable, indices, span=join(name.span, end.span))
        return amount, variable

    def repeat(self, parts: Parts) -> tuple[n.Expr, n.Expr]:
        _check_target(parts[0])
        return parts[0], parts[2]

    def wrapped(self, parts: Parts) -> n.TypeExpr:
        return n.WrappedType(parts[0].text.split()[0], parts[1], span=_whole(parts))

    def plain_type(self, parts: Parts) -> n.TypeExpr:
        expr = parts[0]
        if isinstance(expr, n.Name):
            return n.NamedType(expr.id, span=expr.span)
        if isinstance(expr, n.FieldOf) and isinstance(expr.base, n.Name):
            return n.NamedType(expr.base.id, expr.name, span=expr.span)
        if isinstance(expr, n.ListLit):
            return n.EnumOf(tuple(_value_name(item) for item in expr.items), span=expr.span)
        raise Mistake("RS222", "this is no type", expr.span, "write a type's name, `A..B`, or `[a, b]`")

    def range_type(self, parts: Parts) -> n.TypeExpr:
        low, _, high, _, step = parts
        return n.RangeType(low, high, step, span=_whole(parts))

    def types(self, parts: Parts) -> tuple[n.TypeExpr, ...]:
        return tuple(parts[::2])

    def params(self, parts: Parts) -> tuple[tuple[n.TypeExpr, Token | None], ...]:
        return tuple(parts[::2])

    def param(self, parts: Parts) -> tuple[n.TypeExpr, Token | None]:
        return parts[0], parts[1]

    def event_setup(self, parts: Parts) -> n.Event:
        return n.Event("setup", (), span=parts[0].span)

    def event_names(self, parts: Parts) -> n.Event:
        return n.Event(parts[0].text, tuple(_named(token) for token in parts[1::2]), span=_whole(parts))

    def event_call(self, parts: Parts) -> n.Event:
        _, name, _, params, _ = parts
        return n.Event("call", (_named(name),), _binds(params or ()), span=_whole(parts))

    def event_move(self, parts: Parts) -> n.Event:
        _, what, _, zone, _, params, _ = parts
        return n.Event("move", (_named(zone),), _binds((what, *(params or ()))), span=_whole(parts))

    def event_change(self, parts: Parts) -> n.Event:
        _, name, _, params, _ = parts
        return n.Event("change", (_named(name),), _binds(params or ()), span=_whole(parts))

    def event_turn(self, parts: Parts) -> n.Event:
        kind, name = parts[1]
        written = isinstance(kind, n.NamedType) and name is not None
        names = ((kind.name, kind.span),) if written else ()
        return n.Event("turn_over", names, _binds((parts[1],)), span=_whole(parts))


def _value_name(item: n.Expr) -> tuple[str, Span]:
    """A value of an enum: a name or, as in the ranks of cards, a number."""
    if isinstance(item, n.Name):
        return item.id, item.span
    if isinstance(item, n.Number):
        return str(item.value), item.span
    raise Mistake("RS222", "this is no name of a value", item.span, "write names, as in `[red, green]`")


def _params(params: tuple[tuple[n.TypeExpr, Token | None], ...] | None) -> tuple[n.Param, ...]:
    found = []
    for type_, token in params or ():
        if token is None and isinstance(type_, n.RangeType) and type_.step is None and isinstance(type_.high, n.Name):
            # In `0.. n` the name was taken for the upper end.
            name = type_.high.id
            span = type_.span
            low = evolve(type_, high=None, span=join(type_.low.span, type_.low.span))
            found.append(n.Param(low, name, span=span))
        elif token is None:
            shown = f"`{type_.name}`" if isinstance(type_, n.NamedType) else "this type"
            raise Mistake("RS222", f"after {shown} the parameter's name is missing", type_.span, "write `TYPE NAME`")
        else:
            found.append(n.Param(type_, token.text, span=join(type_.span, token.span)))
    return tuple(found)


def _binds(params: tuple[tuple[n.TypeExpr, Token | None], ...]) -> tuple[tuple[str, Span], ...]:
    found = []
    for type_, token in params:
        if token is not None:
            found.append(_named(token))
        elif isinstance(type_, n.NamedType) and type_.member is None:
            found.append((type_.name, type_.span))
        else:
            raise Mistake("RS222", "a pattern binds names only", type_.span, "write `NAME` or `TYPE NAME`")
    return tuple(found)
