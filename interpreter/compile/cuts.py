"""What bodies that can stop are cut with: slots of the frame, places, jumps, and the stop for a decision."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from attrs import define, evolve, field, frozen

from interpreter.compile.internal import TurnAsk, Unit
from interpreter.compile.offers import Offers
from interpreter.compile.statements import Statements
from interpreter.compile.writer import Writer
from rulespec import checked as ir
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
    _aims: set[int] = field(factory=set)
    """Places that something continues at, other than from above."""
    _resumes: set[int] = field(factory=set)
    """Places at which play comes back to a frame."""
    _heads: list[tuple[int, int, int]] = field(factory=list)
    """Places set: label, and the lines that begin it, first and end."""
    _open: bool = True
    _leave: list[int] = field(factory=list)
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

        The head of a place that is only reached from above goes, and a place that is never reached. The start of a
        loop is put behind its end, which then runs on into it, and the beginning of the whole after the loops.

        later: the line from which on there is only what seldom happens.
        """
        out = self.out
        first = self._heads[0][1]
        sections: list[_Section] = []
        ends = [head for _, head, _ in self._heads[1:]] + [len(out.lines)]
        for (label, begin, inside), end in zip(self._heads, ends, strict=True):
            runs_on = inside - begin == 2
            if label == 0 or label in self._aims:
                if runs_on:
                    sections[-1].add(out, begin, begin + 1)
                sections.append(_Section(label, begin >= later))
                sections[-1].add(out, inside - 1, end)
            elif runs_on:
                sections[-1].add(out, inside, end)
        sections = _straightened(sections, self._resumes)
        _rotate(sections)
        _run_on(sections)
        del out.lines[first:], out.spans[first:]
        for section in sections:
            out.lines += section.lines
            out.spans += section.spans

    def go(self, label: int) -> None:
        """Continues at another place."""
        if self._open:
            self.jump(label)
        self._open = False

    def jump(self, label: int) -> None:
        """The lines that continue at another place."""
        self._aims.add(label)
        self.put(f"place_ = {label}")
        self.put("continue")

    def go_if(self, test: str, label: int) -> None:
        """Continues at another place where a Python condition holds."""
        with self.out.block(f"if {test}:"):
            self.jump(label)

    def resume(self, label: int) -> None:
        """The line that says where play goes on when it comes back to this frame."""
        self._aims.add(label)
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
            self._aims.add(decision.restart)
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


@define
class _Section:
    """The lines from one place to the next."""

    label: int
    is_rare: bool
    lines: list[str] = field(factory=list)
    spans: list[Span | None] = field(factory=list)

    def add(self, out: Writer, begin: int, end: int) -> None:
        """Takes over lines."""
        self.lines += out.lines[begin:end]
        self.spans += out.spans[begin:end]


def _straightened(sections: list[_Section], resumed: set[int]) -> list[_Section]:
    """Sections without those that only go on elsewhere: who went there goes there at once."""
    for section in list(sections):
        body = [line.strip() for line in section.lines[1:]]
        if section.label == 0 or section.label in resumed or body not in (body[:1], [*body[:1], "continue"]):
            continue
        if not body or not body[0].startswith("place_ = ") or body[0] == f"place_ = {section.label}":
            continue
        sections.remove(section)
        for other in sections:
            for n, line in enumerate(other.lines):
                if line.strip() == f"place_ = {section.label}":
                    other.lines[n] = line.replace(line.strip(), body[0])
    return sections


def _run_on(sections: list[_Section]) -> None:
    """Takes out `continue` where the section to go on with comes next."""
    for section, following in itertools.pairwise(sections):
        if len(section.lines) < 3 or section.lines[-1].strip() != "continue":
            continue
        depth = len(section.lines[-1]) - len(section.lines[-1].lstrip())
        own = len(section.lines[0]) - len(section.lines[0].lstrip()) + 4
        if depth == own and section.lines[-2].strip() == f"place_ = {following.label}":
            del section.lines[-1], section.spans[-1]


def _rotate(sections: list[_Section]) -> None:
    """Moves the start of each loop behind the section that goes back to it."""
    turned = False
    for section in list(sections):
        if section.is_rare or len(section.lines) < 3 or section.lines[-1].strip() != "continue":
            continue
        indent = len(section.lines[-1]) - len(section.lines[-1].lstrip())
        target = section.lines[-2]
        if indent != len(section.lines[0]) - len(section.lines[0].lstrip()) + 4:
            continue  # inside an `if`
        start = next((s for s in sections if target.strip() == f"place_ = {s.label}"), None)
        if start is None or sections.index(start) >= sections.index(section) or start.label == 0:
            continue
        sections.remove(start)
        sections.insert(sections.index(section) + 1, start)
        del section.lines[-1], section.spans[-1]
        turned = True
    if turned and sections[0].label == 0:
        sections.append(sections.pop(0))
