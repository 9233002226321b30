"""Random small specs: zones, variables, functions, procedures, triggers, actions and phases with random rules.

    python tests/fuzz/random_specs.py --seed 1 --count 1000

Each checks or is refused with messages that have places; one that checks is played, with nothing worse than a
`RuleError` that names its line. Most of what is written has the right type, so that many specs check; some has not.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import warnings
from collections import Counter
from pathlib import Path

from attrs import define, field

sys.path.insert(0, str(Path(__file__).parent))

from specs import judged, told

Scope = dict[str, str]
"""Names that can be read, with their types."""

INDENT = "  "


@define
class Random:
    """Writes one spec. `chance` may be a source that hypothesis controls."""

    chance: random.Random
    zones: dict[str, tuple[str, str]] = field(factory=dict)
    """By name: order, and "" or the type of its index."""
    variables: dict[str, tuple[str, str]] = field(factory=dict)
    """By name: type, and "" or the type of its index."""
    functions: dict[str, tuple[list[str], str]] = field(factory=dict)
    procedures: dict[str, list[str]] = field(factory=dict)
    actions: list[str] = field(factory=list)
    records: bool = False
    _fresh: int = 0
    _function: bool = False
    _loops: int = 0

    # ------------------------------------------------------------ drawing

    def pick(self, *choices: str) -> str:
        return choices[self.chance.randrange(len(choices))]

    def odds(self, percent: int) -> bool:
        return self.chance.randrange(100) < percent

    def upto(self, most: int) -> int:
        return self.chance.randrange(most + 1)

    def name(self, stem: str) -> str:
        self._fresh += 1
        return f"{stem}{self._fresh}"

    # ------------------------------------------------------------ expressions

    TYPES = ("number", "bool", "player", "Suit", "card", "card?", "cards", "numbers", "player?", "suits")

    def expr(self, type: str, scope: Scope, depth: int = 3) -> str:
        """An expression of a type; now and then one of another."""
        if self.chance.randrange(1000) == 0:
            type = self.pick(*self.TYPES)
        found = self._leaf(type, scope) if depth <= 0 or self.odds(30) else self._tree(type, scope, depth - 1)
        return found if found else self._constant(type, scope)

    def _leaf(self, type: str, scope: Scope) -> str:
        names = [name for name, known in scope.items() if known == type]
        read = [name for name, (known, _) in self.variables.items() if known == type]
        if names and self.odds(50):
            return self.pick(*names)
        if read and self.odds(70):
            return self.variable(self.pick(*read), scope)
        return self._constant(type, scope)

    def variable(self, name: str, scope: Scope) -> str:
        per = self.variables[name][1]
        return f"{name}[{self._index(per, scope)}]" if per else name

    def zone(self, scope: Scope, order: str = "") -> str:
        name = self.pick(*(name for name, (known, _) in self.zones.items() if order in ("", known)))
        per = self.zones[name][1]
        return f"{name}[{self._index(per, scope)}]" if per else name

    def _index(self, per: str, scope: Scope) -> str:
        names = [name for name, known in scope.items() if known == per]
        return self.pick(*names) if names and self.odds(70) else self._constant(per, scope)

    def _constant(self, type: str, scope: Scope) -> str:
        players = [name for name, known in scope.items() if known == "player"] or ["first_player"]
        match type:
            case "number":
                return self.pick("0", "1", "2", "3", "7", "seats")
            case "bool":
                return self.pick("true", "false")
            case "player":
                return self.pick(*players, "first_player")
            case "Suit":
                return self.pick("red", "green", "blue")
            case "card":
                return self.pick("red_1", "blue_2")
            case "card?":
                return f"first({self.zone(scope)})"
            case "cards":
                return self.zone(scope)
            case "numbers":
                return self.pick("1..3", "[2, 5]", "0..seats", "3 down to 1")
            case "player?":
                return self.pick("none", *players)
            case "half":
                return self.pick("0", "1/2", "1", "2")
        return self.pick("[red]", "[green, blue]")

    def _tree(self, type: str, scope: Scope, depth: int) -> str:
        called = [n for n, (_, result) in self.functions.items() if result == type]
        if called and self.odds(20):
            name = self.pick(*called)
            return f"{name}({', '.join(self.expr(p, scope, depth) for p in self.functions[name][0])})"
        if self.odds(12):
            test = self.expr("bool", scope, depth)
            return f"({self.expr(type, scope, depth)} if {test} else {self.expr(type, scope, depth)})"
        match type:
            case "number":
                return self._number(scope, depth)
            case "bool":
                return self._bool(scope, depth)
            case "player":
                p = self.expr("player", scope, depth)
                return self.pick(
                    f"next({p})", f"previous({p})", f"({self.expr('player?', scope, depth)} otherwise {p})"
                )
            case "Suit":
                return f"{self.expr('card', scope, depth)}.suit"
            case "card":
                return f"({self.expr('card?', scope, depth)} otherwise {self._constant('card', scope)})"
            case "card?":
                zone = self.expr("cards", scope, depth)
                return self.pick(
                    f"first({zone})", f"last({zone})", f"nth({zone}, {self.expr('number', scope, depth)})",
                    f"first({self.selection('card', scope, depth)[0]})", f"top({self.zone(scope, 'stack')})",
                )  # fmt: skip
            case "cards":
                if self.odds(40):
                    return self.zone(scope)
                return f"those({self.selection('card', scope, depth)[0]})"
            case "numbers":
                if self.odds(50):
                    low, high = self.expr("number", scope, depth), self.expr("number", scope, depth)
                    return f"{low}..{high}" if self.odds(50) else f"[{low}, {high}]"
                text, inner = self.selection("card", scope, depth)
                return f"those({self.expr('number', inner, depth)} for {text})"
            case "player?":
                return f"first({self.selection('player', scope, depth)[0]})"
            case "half":
                return f"({self.expr('half', scope, depth)} {self.pick('+', '-')} {self.expr('half', scope, depth)})"
        one, other = self.expr("suits", scope, depth), self.expr("suits", scope, depth)
        return self.pick(f"({one} + {other})", f"({one} - {other})", f"[{self.expr('Suit', scope, depth)}]")

    def _number(self, scope: Scope, depth: int) -> str:
        a, b = self.expr("number", scope, depth), self.expr("number", scope, depth)
        way = self.upto(9)
        if way < 4:
            return self.pick(f"({a} {self.pick('+', '-', '*')} {b})", f"({a} mod 3)", f"floor({a} / 2)")
        if way == 4:
            return self.pick(f"min({a}, {b})", f"max({a}, {b})", f"abs({a})", f"floor({a})", f"-{a}")
        if way == 5:
            return f"count({self.expr(self.pick('cards', 'numbers', 'suits'), scope, depth)})"
        if way == 6:
            return f"{self.expr('card', scope, depth)}.value"
        kind = self.pick("card", "player", "number")
        text, inner = self.selection(kind, scope, depth)
        body = self.expr("number", inner, depth)
        return self.pick(f"sum({body} for {text})", f"count({text})", f"(max({body} for {text}) otherwise {a})")

    def _bool(self, scope: Scope, depth: int) -> str:
        way = self.upto(7)
        if way == 0:
            return f"not {self.expr('bool', scope, depth)}"
        if way == 1:
            a, b = self.expr("bool", scope, depth), self.expr("bool", scope, depth)
            return f"({a} {self.pick('and', 'or')} {b})"
        if way == 2:
            kind = self.pick("card", "player", "number", "Suit")
            text, inner = self.selection(kind, scope, depth)
            return f"{self.pick('any', 'all')}({self.expr('bool', inner, depth)} for {text})"
        if way == 3:
            kind, many = self.pick("card/cards", "number/numbers", "Suit/suits").split("/")
            return f"({self.expr(kind, scope, depth)} {self.pick('in', 'not in')} {self.expr(many, scope, depth)})"
        if way == 4:
            return f"(count({self.expr('cards', scope, depth)}) {self.pick('>', '==', '<')} {self.upto(4)})"
        kind = self.pick("number", "number", "player", "Suit", "card?", "player?")
        sign = self.pick("==", "!=") if kind not in ("number", "Suit") else self.pick("==", "!=", "<", "<=", ">", ">=")
        return f"({self.expr(kind, scope, depth)} {sign} {self.expr(kind, scope, depth)})"

    def selection(self, kind: str, scope: Scope, depth: int) -> tuple[str, Scope]:
        """A selection whose first name has that type, and what can be read inside it."""
        name = self.name({"card": "c", "player": "p", "number": "n", "Suit": "u"}[kind])
        inner = {**scope, name: kind}
        domain = {
            "card": self.pick("Card", self.expr("cards", scope, depth)),
            "player": self.pick("players", f"players from {self.expr('player', scope, 0)}"),
            "number": self.expr("numbers", scope, depth),
            "Suit": self.pick("Suit", self.expr("suits", scope, depth)),
        }[kind]
        text = f"{name} in {domain}"
        if self.odds(40):
            text += f" where {self.expr('bool', inner, depth)}"
        if self.odds(15):
            other = self.name("p")
            inner = {**inner, other: "player"}
            text += f", {other} in players"
            if self.odds(50):
                text += f" where {self.expr('bool', inner, depth)}"
        if self.odds(10):
            text += f" by {self.pick('highest', 'lowest')} {self.expr('number', inner, depth)}"
        return text, inner

    # ------------------------------------------------------------ effects

    def effects(self, scope: Scope, depth: int = 2, stops: bool = True) -> list[str]:
        """The lines of some effects."""
        scope, lines = dict(scope), []
        for _ in range(1 + self.upto(2)):
            lines += self.effect(scope, depth, stops)
        if self.odds(5) and depth < 2:
            lines += [self.pick("return", "end game", f"win {self.expr('player', scope, 0)}")]
        return lines

    def effect(self, scope: Scope, depth: int, stops: bool) -> list[str]:
        """The lines of one effect; a `let` adds to the scope."""
        way = self.upto(22 if depth > 0 else 11)
        if way <= 3:
            name = self.pick(*self.variables)
            type = self.variables[name][0]
            target = self.variable(name, scope)
            if type == "half" and self.odds(50):
                return [f"{target} {self.pick('+=', '-=')} 1/2"]
            if type == "number" and self.odds(60):
                return [f"{target} {self.pick('+=', '-=')} {self.expr('number', scope, 2)}"]
            if type == "number" and self.odds(30):
                return [f"{self.pick('raise', 'lower')} {target} by up to {self.expr('number', scope, 1)}"]
            return [f"{target} = {self.expr(type, scope)}"]
        if way <= 6:
            order = self.pick("stack", *(known for known, _ in self.zones.values()))
            place = self.pick("", *{"stack": (" at top", " at bottom"), "row": (" at left",)}.get(order, ()))
            return [f"move {self.expr(self.pick('card', 'card?'), scope, 1)} to {self.zone(scope, order)}{place}"]
        if way == 7:
            name = self.name("x")
            type = self.pick(*self.TYPES[:5])
            line = f"let {name} = {self.expr(type, scope, 2)}"
            scope[name] = type
            return [line]
        if way == 8:
            one = f"move all {self.zone(scope)} to {self.zone(scope)}"
            return [self.pick(one, f"draw {self.upto(2)} from {self.zone(scope, 'stack')} to {self.zone(scope)}")]
        if way == 9:
            return [self.pick("shuffle deck", 'say "{seats}"', "nothing", "record seen" if self.records else "nothing")]
        if way == 10:
            if self.procedures:
                name = self.pick(*self.procedures)
                return [f"{name}({', '.join(self.expr(p, scope, 2) for p in self.procedures[name])})"]
            return ["nothing"]
        if way == 11:
            player = self.expr("player", scope, 1)
            return [self.pick("nothing", f"reveal {self.zone(scope)} to {player}")]
        return self._compound(way, scope, depth - 1, stops)

    def _compound(self, way: int, scope: Scope, depth: int, stops: bool) -> list[str]:
        if way <= 15:
            lines = [f"if {self.expr('bool', scope)}:", *self._inside(scope, depth, stops)]
            return [*lines, "else:", *self._inside(scope, depth, stops)] if self.odds(40) else lines
        if way == 16:
            times = self.expr("number", scope, 1) if self.odds(40) else str(self.upto(3))
            return [f"repeat {times} times:", *self._inside(scope, depth, stops)]
        if way <= 18:
            text, inner = self.selection(self.pick("card", "player", "number"), scope, 1)
            if self.odds(10) and stops:
                p = self.name("p")
                return [f"for {p} in players, together:", *self._inside({**scope, p: "player"}, depth, stops)]
            return [f"for {text}:", *self._inside(inner, depth, stops)]
        if way == 19:
            numbers = [name for name, (type, _) in self.variables.items() if type == "number"]
            if not numbers:
                return ["nothing"]
            target = self.variable(self.pick(*numbers), scope)
            test = f"{target} < {self.expr('number', scope, 1)}"
            return [f"while {test}:", *self._inside(scope, depth, stops), f"{INDENT}{target} += {self.upto(2)}"]
        if way == 20 and stops and self.actions:
            again = self.pick("", " repeatedly")
            return [f"ask {self.expr('player', scope, 1)}{again}: {self.pick(*self.actions)}, pass"]
        text, inner = self.selection(self.pick("card", "player", "number"), scope, 1)
        who = self.expr("player", scope, 1) if stops and self.odds(60) else "chance"
        amount = self.pick("", "", "up to 2 ", "exactly 1 ")
        return [f"choose {amount}{text} by {who}:", *self._inside(inner, depth, stops)]

    def _inside(self, scope: Scope, depth: int, stops: bool) -> list[str]:
        return [INDENT + line for line in self.effects(scope, depth, stops)]

    # ------------------------------------------------------------ the spec

    def spec(self) -> str:
        """The whole text."""
        lines = [
            "rulespec: 1",
            "id: random",
            "title: Random",
            f"players: {self.pick('2', '1..3', '2..4')}",
            "about: Any.",
        ]
        lines += ["options:", "  hard: {type: bool, default: false}"] if self.odds(30) else []
        lines += ["types:", "  Suit: [red, green, blue]"]
        lines += ["components:", "  Card:", "    fields: {suit: Suit, value: 1..3}", "    rows: all"]
        lines += self._zones() + self._variables()
        self.records = self.odds(60)
        if self.records:
            lines += ["records:", f"  seen: [{self.pick(*self.variables)}]"]
        lines += self._functions()
        names = [self.name("act") for _ in range(1 + self.upto(2))]
        procedures = self._procedures()
        self.actions = names
        lines += procedures + self._triggers()
        lines += ["setup: |", "  for c in Card:", "    move c to deck"]
        if self.odds(70):
            lines += [INDENT + line for line in self.effects({}, 2, False)]
        lines += ["actions:"]
        for name in names:
            lines += self._action(name)
        lines += self._phases(names)
        lines += ["result:", f"  score: {self.quoted(self.expr('number', {'p': 'player'}, 2))}"]
        if self.odds(30):
            lines += ["invariants:", f"  holds: {self.quoted(self.expr('bool', {}, 2))}"]
        return "\n".join(lines) + "\n"

    @staticmethod
    def quoted(text: str) -> str:
        return "'" + text.replace("'", "''") + "'"

    def _zones(self) -> list[str]:
        self.zones = {"deck": ("stack", "")}
        lines = ["zones:", "  deck: {holds: Card, order: stack, seen_by: nobody}"]
        for _ in range(1 + self.upto(2)):
            name, order, per = self.name("zone"), self.pick("none", "row", "stack"), self.pick("", "player", "Suit")
            self.zones[name] = order, per
            seen = self.pick("everyone", "nobody", "owner") if per == "player" else self.pick("everyone", "nobody")
            extra = (f", order: {order}" if order != "none" else "") + (f", per: {per}" if per else "")
            extra += ", max: 3" if self.odds(20) else ""
            lines.append(f"  {name}: {{holds: Card, seen_by: {seen}{extra}}}")
        return lines

    def _variables(self) -> list[str]:
        lines = ["variables:"]
        self.variables = {}
        for _ in range(2 + self.upto(3)):
            name, per = self.name("v"), self.pick("", "", "player", "Suit")
            type, written = self.pick(
                "number:0..9", "number:-3..20", "number:0..", "half:0..3 by 1/2", "bool:bool", "Suit:Suit",
                "player:player", "player?:optional player", "suits:set of Suit",
            ).split(":")  # fmt: skip
            self.variables[name] = type, per
            lasts = ", lasts: turn" if self.odds(8) else ""
            seen = ", seen_by: nobody" if self.odds(8) else ""
            lines.append(f"  {name}: {{type: {written}{f', per: {per}' if per else ''}{lasts}{seen}}}")
        return lines

    def _functions(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.upto(3)):
            params = [self.pick("player", "Suit", "card") for _ in range(self.upto(2))]
            names = [self.name("a") for _ in params]
            result, name = self.pick("number", "number", "bool", "player", "cards"), self.name("f")
            written = ", ".join(f"{'Card' if p == 'card' else p} {n}" for p, n in zip(params, names, strict=True))
            body = self.expr(result, dict(zip(names, params, strict=True)))
            lines += [f"  {name}({written}):", f"    is: {self.quoted(body)}"]
            self.functions[name] = params, result
        return ["functions:", *lines] if lines else []

    def _procedures(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.upto(2)):
            params = [self.pick("player", "Suit", "card") for _ in range(self.upto(2))]
            names = [self.name("a") for _ in params]
            written = ", ".join(f"{'Card' if p == 'card' else p} {n}" for p, n in zip(params, names, strict=True))
            body = self.effects(dict(zip(names, params, strict=True)))
            name = self.name("do")
            lines += [f"  {name}({written}): |", *(f"    {line}" for line in body)]
            self.procedures[name] = params
        return ["procedures:", *lines] if lines else []

    def _triggers(self) -> list[str]:
        lines: list[str] = []
        for _ in range(self.upto(2)):
            scope: Scope = {}
            kind = self.upto(2)
            if kind == 0:
                zone = self.pick(*self.zones)
                per = self.zones[zone][1]
                event, scope = f"move Card c to {zone}" + (f"[{per} i]" if per else ""), {"c": "card"}
                scope.update({"i": per} if per else {})
            elif kind == 1:
                name = self.pick(*self.variables)
                per = self.variables[name][1]
                event = f"change {name}" + (f"[{per} i]" if per else "")
                scope.update({"i": per} if per else {})
            else:
                event = f"action {self.pick(*self.actions)}"
                scope = {"me": "player"}
            lines += [f"  {self.name('when')}:", f"    {self.pick('before', 'after', 'after', 'instead_of')}: {event}"]
            if self.odds(50):
                lines += [f"    when: {self.quoted(self.expr('bool', scope, 2))}"]
            lines += ["    do: |", *(f"      {line}" for line in self.effects(scope, 1))]
        return ["triggers:", *lines] if lines else []

    def _action(self, name: str) -> list[str]:
        scope: Scope = {"me": "player"}
        lines = [f"  {name}:"]
        if self.odds(60):
            text, scope = self.selection(self.pick("card", "player", "number", "Suit"), scope, 2)
            lines += [f"    with: {self.quoted(text)}"]
        if self.odds(50):
            lines += [f"    when: {self.quoted(self.expr('bool', scope))}"]
        numbers = [n for n, (type, _) in self.variables.items() if type == "number"]
        if numbers and self.odds(15):
            lines += [f"    pay: {self.quoted(f'1 {self.variable(self.pick(*numbers), scope)}')}"]
        return [*lines, "    do: |", *(f"      {line}" for line in self.effects(scope))]

    def _phases(self, names: list[str]) -> list[str]:
        end = f"rounds: {1 + self.upto(3)}"
        if self.odds(30):
            end = f"until: {self.quoted(self.expr('bool', {'me': 'player'}, 2))}"
        lines = ["phases:", "  main:", f"    turns: {{{end}}}", f"    actions: [{', '.join(names)}, pass]"]
        for key in ("before_turn", "after_turn"):
            if self.odds(25):
                lines += [f"    {key}: |", *(f"      {line}" for line in self.effects({"me": "player"}, 1))]
        if self.odds(20):
            return [*lines, "  last:", "    do: |", *(f"      {line}" for line in self.effects({}, 1))]
        return lines


def case(chance: random.Random, folder: Path, games: int = 5) -> tuple[str, str, str]:
    """What came of one random spec (refused, played or broken), what broke, and its text."""
    text = Random(chance).spec()
    path = folder / "random.yaml"
    path.write_text(text, encoding="utf-8")
    kind, about = judged(path, random.Random(1), games)
    return kind, about, text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="the number of the first case")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--games", type=int, default=100, help="of each spec that checks")
    given = parser.parse_args()
    warnings.simplefilter("error")
    counts: Counter[str] = Counter()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.seed, given.seed + given.count):
            kind, about, text = case(random.Random(number), Path(folder), given.games)
            counts[kind] += 1
            if kind == "broken":
                print(f"==== case {number}\n{text}\n{about}", flush=True)
            told(number + 1 - given.seed, counts)
            if time.monotonic() - began > given.minutes * 60:
                break
    print(dict(counts), f"{time.monotonic() - began:.0f} s")
    sys.exit(counts["broken"] > 0)


if __name__ == "__main__":
    main()
