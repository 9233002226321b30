"""What bodies that can stop are cut with: slots of the frame, places, jumps, and the stop for a decision."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, evolve, field, frozen

from interpreter.compile.internal import TurnAsk, Unit
from interpreter.compile.offers import Offers
from interpreter.compile.sections import Section, Sections
from interpreter.compile.statements import Statements
from interpreter.compile.writer import Writer
from rulespec import checked as ir
from rulespec.check.walk import nodes
from rulespec.source import Span

DECISION = "return 1"


@frozen
class Decision:
    """A place where play stops. Its number in DECISIONS is `S.decision`.

    kind: choose, ask, turn, window or chance. options: name of the function that lists the options. weights: of the
    one that gives their odds (chance only). prompt: of the one that gives the prompt. phase: of a turn, else "".
    restart: the place to which the frame returns when an action of `any_time` comes between, or None.
    unit, after: the number of the unit and the place in it where play goes on. scope: where the frame has the locals
    that are known then.
    """

    kind: str
    options: str
    prompt: str
    weights: str
    span: Span
    restart: int | None = None
    any_time: str = ""
    phase: str = ""
    unit: int = -1
    after: int = 0
    scope: Mapping[ir.Local, int] = field(factory=dict, eq=False, repr=False)


@frozen
class FrameForm:
    """What the frames of a unit look like between two steps.

    places: where play can go on. begun: their length before the unit has begun (place 0). length: afterwards.
    """

    places: frozenset[int]
    begun: int
    length: int


@define
class Cuts(Statements):
    """Emits one unit over a frame; see `frames`."""

    unit: Unit = field(kw_only=True)
    offers: Offers = field(kw_only=True)
    helpers: list[Writer] = field(factory=list, kw_only=True)
    """Functions emitted beside this one: options, prompts, weights."""
    _slots: int = 2
    _labels: int = 0
    _resumes: set[int] = field(factory=set)
    """Places at which play comes back to a frame."""
    _heads: list[tuple[int, int, int]] = field(factory=list)
    """Places set: label, and the lines that begin it, first and end."""
    _open: bool = True
    _leave: list[int] = field(factory=list)
    _updates: dict[int, tuple[str, list[str]]] = field(factory=dict)
    """By place after a decision the line that lists its options, and lines that do so there, where that is quicker."""
    _later: list[tuple[int, TurnAsk, str, int, list[int]]] = field(factory=list)
    _flat: bool = True
    """Whether locals of statements go into the frame: not inside structured code."""

    # ------------------------------------------------------------ slots and places

    def slot(self, local: ir.Local | None = None) -> str:
        """A place in the frame, for a local if one is given."""
        text = f"F[{self._slots}]"
        self._slots += 1
        if local is not None:
            self.names.texts[local] = text
        return text

    def label(self) -> int:
        """A new place, not yet set."""
        self._labels += 1
        return self._labels

    def place(self, label: int) -> None:
        """What follows is reached at this place, and from above."""
        first = len(self.out.lines)
        if self._open:
            self.put(f"place_ = {label}")
        self.out.indent -= 1
        self.put(f"if place_ == {label}:")
        self.out.indent += 1
        self._heads.append((label, first, len(self.out.lines)))
        self._open = True

    def arrange_places(self, later: int) -> None:
        """Puts the sections between places in the order in which play runs through them.

        later: the line from which on there is only what seldom happens.
        """
        out = self.out
        own = "    " * out.indent
        unit = self.plan.numbers[self.unit.key]
        decided = {d.after: n for n, d in enumerate(self.plan.decisions) if d.unit == unit and not self.plan.together}
        sections = Sections(self._resumes, decided, self._updates)
        ends = [head for _, head, _ in self._heads[1:]] + [len(out.lines)]
        comes_from_above = [inside - head == 2 for _, head, inside in self._heads[1:]] + [False]
        following = [label for label, _, _ in self._heads[1:]] + [0]
        for (label, head, inside), end, on, aim in zip(self._heads, ends, comes_from_above, following, strict=True):
            lines = [(text.removeprefix(own), out.spans[n]) for n, text in enumerate(out.lines[inside:end], inside)]
            if on:
                lines += [(f"place_ = {aim}", out.spans[end]), ("continue", out.spans[end])]
            sections.listed.append(Section(label, head >= later, lines))
        first = self._heads[0][1]
        del out.lines[first:], out.spans[first:]
        sections.arrange(repeats=any(isinstance(node, TurnAsk) for node in nodes(self.unit.body)))
        sections.write(out)

    def go(self, label: int) -> None:
        """Continues at another place."""
        if self._open:
            self.jump(label)
        self._open = False

    def jump(self, label: int) -> None:
        """The lines that continue at another place."""
        self.put(f"place_ = {label}")
        self.put("continue")

    def go_if(self, test: str, label: int) -> None:
        """Continues at another place where a Python condition holds."""
        with self.out.block(f"if {test}:"):
            self.jump(label)

    def resume(self, label: int) -> None:
        """The line that says where play goes on when it comes back to this frame."""
        self._resumes.add(label)
        self.put(f"F[1] = {label}")

    def stop(self, label: int, how: str) -> None:
        """Waits; play goes on at a place."""
        self.resume(label)
        self.put(how)
        self._open = False
        self.place(label)

    def target(self, local: ir.Local) -> str:
        """Locals of the body live in the frame; those inside a structured statement are Python locals."""
        if local not in self.names.texts and self._flat:
            return self.slot(local)
        return self.names.of(local)

    # ------------------------------------------------------------ members and decisions

    def each(self, members: str, selection: ir.Selection, body: ir.Block, again: bool) -> None:
        """The body for each of the members in a frame slot; `again`: conditions are tested when its turn comes."""
        following = self.slot()
        top, end = self.label(), self.label()
        self.put(f"{following} = 0")
        self.place(top)
        self.go_if(f"{following} >= len({members})", end)
        names = ", ".join(self.bind(selection.locals))
        self.put(f"{names} = {members}[{following}]")
        self.put(f"{following} += 1")
        tests = self.tests(selection) if again else ""
        if tests:
            self.go_if(f"not ({tests})", top)
        self.block(body)
        self.go(top)
        self.place(end)

    def bind(self, locals: tuple[ir.Local, ...]) -> list[str]:
        """Gives locals that a comprehension has used places in the frame from here on."""
        return [self.slot(local) for local in locals]

    def decide(self, decision: Decision, who: str, none: int | None) -> None:
        """Stops for a decision; with no options play goes on at `none` (None: it stops all the same)."""
        after = self.label()
        scope = {local: int(text[2:-1]) for local, text in self.names.texts.items() if text.startswith("F[")}
        unit = self.plan.numbers[self.unit.key]
        self.plan.decisions.append(evolve(decision, unit=unit, after=after, scope=scope))
        if decision.restart is not None:
            self._resumes.add(decision.restart)
        self.put(f"S.seat = {who}")
        self.put(f"S.decision = {len(self.plan.decisions) - 1}")
        self.put(f"S.options = {self._listed(decision.options)}")
        if none is not None:
            self.go_if("not S.options", none)
        self.stop(after, DECISION)

    def _listed(self, options: str) -> str:
        """The options of a decision: what the function that lists them returns, if that is all it does; or its call."""
        writer = next((w for w in self.helpers if w.lines[0].startswith(f"def {options}(")), None)
        if writer is None or len(writer.lines) != 2 or " F[" in writer.lines[1] or "(F[" in writer.lines[1]:
            return f"{options}(S, F)"
        return writer.lines[1].strip().removeprefix("return ")

    def helper(self, kind: str, body: str) -> str:
        """A function `kind_N(S, F)` that returns a value."""
        name = f"{kind}_{len(self.plan.decisions)}"
        out = Writer(span=self.out.span)
        with out.block(f"def {name}(S, F):"):
            out.put(f"return {body}")
        self.helpers.append(out)
        return name

    def prompt(self, prompt: ir.TextOf | None) -> str:
        """The function that gives a decision's prompt, or ""."""
        return self.helper("prompt", self.text(prompt)) if prompt is not None else ""
