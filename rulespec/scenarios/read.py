"""A scenario file in, checked scenarios out, or the diagnostics of everything that is wrong with it.

Codes: RS601 the game, RS602 phases, RS603 seats, RS604 numbers, RS605 options, RS606 names of actions, RS607 what
`given` may not do, RS608 the form of entries, RS609 names that stand twice.
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping as MappingType
from pathlib import Path

import attrs
from attrs import define, field

from rulespec import checked as ir
from rulespec.check.context import Context
from rulespec.check.driver import check_with_context
from rulespec.check.effects import Analysis, analyse
from rulespec.check.values import seat_names
from rulespec.diagnostics import Note, Reporter
from rulespec.loader import read_spec
from rulespec.packs import PackError, find_game
from rulespec.scenarios import keys
from rulespec.scenarios.bodies import Bodies
from rulespec.scenarios.model import Part, Scenario, ScenarioFile
from rulespec.source import Span
from rulespec.spec.outline import Given, check_keys, found
from rulespec.spelling import did_you_mean
from rulespec.yaml_source import Mapping, Node, Scalar, Sequence, read_yaml

Values = dict[str, Given]


@define
class Library:
    """The games of the scenario files read so far, each checked once."""

    _games: dict[str, tuple[ir.CheckedSpec, Context, Analysis]] = field(factory=dict)

    def game(self, path: str) -> tuple[ir.CheckedSpec, Context, Analysis]:
        """A checked game with what bodies over its declarations are checked in.

        Raises:
            SpecError: it has mistakes.
        """
        key = str(Path(path).resolve())
        if key not in self._games:
            reporter = Reporter()
            spec = read_spec(path, reporter)
            reporter.raise_if_failed()
            assert spec is not None
            checked, context = check_with_context(spec, reporter)
            reporter.raise_if_failed()
            assert checked is not None
            self._games[key] = (checked, context, analyse(checked))
        return self._games[key]


def read_scenarios(path: str | Path, library: Library | None = None, *, only_examples: bool = False) -> ScenarioFile:
    """Reads and checks a scenario file.

    Args:
        path: the file. Places in diagnostics begin with it as given.
        library: keeps the games of several files.
        only_examples: leaves out, unchecked, what is not marked `example: true`.

    Raises:
        SpecError: the file or its game has mistakes.
    """
    reporter = Reporter()
    scenarios = _File(str(path), reporter, library or Library(), only_examples).read()
    reporter.raise_if_failed()
    assert scenarios is not None
    return scenarios


class _File:
    """One file being read."""

    def __init__(self, path: str, reporter: Reporter, library: Library, only_examples: bool = False) -> None:
        self.path, self.reporter, self.library, self.only_examples = path, reporter, library, only_examples

    def read(self) -> ScenarioFile | None:
        """The file, or None after a report."""
        try:
            data = Path(self.path).read_bytes()
        except OSError:
            self.reporter.error("RS001", f"there is no file `{self.path}`", Span(self.path, 1, 1, 1, 1))
            return None
        root = read_yaml(self.path, data, self.reporter)
        if root is None:
            return None
        values = check_keys(root, keys.FILE, "the file", self.reporter, set())
        if "scenarios" not in values:
            if not self.reporter.failed:
                hint = "write `scenarios:` with a list of them"
                self.reporter.error("RS102", "the file has no `scenarios`", Span(self.path, 1, 1, 1, 1), hint)
            return None
        game = self._game(values.get("game"))
        if game is None:
            return None
        self.spec, context, self.analysis = self.library.game(game)
        self.context = attrs.evolve(context, reporter=self.reporter, reported=set())
        self.at, self.given = self._phase(values.get("at")), self._given(values.get("given"))
        self.seats_of_given: set[int] = set()
        node = values["scenarios"].node
        assert isinstance(node, Sequence)
        scenarios: list[Scenario] = []
        for item in node.items:
            if self.only_examples and not _is_example(item):
                continue
            scenario = self._scenario(item, values)
            if scenario is not None:
                self._add(scenario, scenarios)
        return ScenarioFile(self.path, self.spec, tuple(scenarios))

    def _add(self, scenario: Scenario, scenarios: list[Scenario]) -> None:
        for other in scenarios:
            if other.name == scenario.name:
                note = Note("the first is here", other.span)
                message = f"a second scenario `{scenario.name}`"
                self.reporter.error("RS609", message, scenario.span, "give it another name", (note,))
        scenarios.append(scenario)

    def _game(self, given: Given | None) -> str | None:
        """The file of the game."""
        name = _text(given) or "../game.yaml"
        span = given.node.span if given is not None else Span(self.path, 1, 1, 1, 1)
        path = posixpath.normpath(posixpath.join(posixpath.dirname(self.path.replace("\\", "/")), name))
        if Path(path).is_file():
            return path
        if given is None or name.endswith((".yaml", ".yml")):
            hint = "" if given is not None else "write `game:` with its path from the folder of this file, or its id"
            self.reporter.error("RS601", f"there is no game file `{path}`", span, hint)
            return None
        try:
            return str(find_game(name))
        except PackError as error:
            self.reporter.error("RS601", str(error), span)
            return None

    # ------------------------------------------------------------ one scenario

    def _scenario(self, node: Node, defaults: Values) -> Scenario | None:
        if not isinstance(node, Mapping):
            hint = "write `- name: ...`, and its other keys below"
            self.reporter.error("RS608", f"a scenario must be a map, found {found(node)}", node.span, hint)
            return None
        values = check_keys(node, keys.SCENARIO, "the scenario", self.reporter, set())
        name = _text(values.get("name"))
        span = values["name"].node.span if name else node.span
        if not name:
            self.reporter.error("RS102", "the scenario has no `name`", _start(node), "write `- name: ...`")
        settings: Values = {key: defaults[key] for key in ("players", "options", "seed") if key in defaults}
        settings.update(values)
        least, most = self.spec.source.seats
        players = self._number(settings.get("players"), least)
        if not least <= players <= most:
            allowed = f"{least}" if least == most else f"{least} to {most}"
            message = f"{self.spec.title} is for {allowed} players, not {players}"
            self.reporter.error("RS604", message, settings["players"].node.span)
            players = least
        bodies = self._bodies(players)
        if players not in self.seats_of_given:
            self.seats_of_given.add(players)
            bodies.only_seats_that_play(self.given)
        given = self._given(values.get("given"))
        bodies.only_seats_that_play(given)
        parts = [self._part(values, bodies)]
        more = values.get("and")
        for item in more.node.items if more is not None and isinstance(more.node, Sequence) else ():
            if isinstance(item, Mapping):
                inner = check_keys(item, keys.PART, "the part", self.reporter, set())
                parts.append(self._part(inner, bodies))
            else:
                hint = "write `- when: ...` and `then: ...` below"
                self.reporter.error("RS608", f"an entry of `and` must be a map, found {found(item)}", item.span, hint)
        options = settings.get("options")
        return Scenario(
            name,
            _text(values.get("rule")),
            _text(values.get("doc")),
            _is_example(node),
            players,
            self._options(defaults.get("options"), values.get("options")),
            self._number(settings.get("seed"), 0),
            self._phase(values.get("at")) or self.at,
            (*self.given, *given),
            tuple(parts),
            span,
            options.node.span if options is not None else span,
        )

    def _bodies(self, players: int) -> Bodies:
        return Bodies(self.context, self.spec, self.analysis, seat_names(self.context)[:players])

    def _given(self, given: Given | None) -> ir.Block:
        """Effects that prepare a position, without the test whether their seats play."""
        if given is None or not isinstance(given.node, Scalar):
            return ()
        return self._bodies(self.spec.source.seats[1]).given(given.node)

    def _part(self, values: Values, bodies: Bodies) -> Part:
        when, then = values.get("when"), values.get("then")
        steps = when.node.items if when is not None and isinstance(when.node, Sequence) else ()
        claims = then.node.items if then is not None and isinstance(then.node, Sequence) else ()
        return Part(
            tuple(step for item in steps for step in bodies.step(item)),
            tuple(claim for item in claims for claim in bodies.claims(item, bool(steps))),
        )

    def _number(self, given: Given | None, default: int) -> int:
        if given is None:
            return default
        text = _text(given)
        if text.isascii() and text.isdigit():
            return int(text)
        message = f"`{given.key.value}` must be a whole number, found {found(given.node)}"
        self.reporter.error("RS604", message, given.node.span)
        return default

    def _phase(self, given: Given | None) -> str:
        name = _text(given)
        if given is not None and name not in self.context.phase_names:
            known = list(self.context.phase_names)
            hint = did_you_mean(name, known) or f"the phases are {', '.join(f'`{phase}`' for phase in known)}"
            self.reporter.error("RS602", f"there is no phase `{name}`", given.node.span, hint)
        return name

    def _options(self, *given: Given | None) -> MappingType[str, str | tuple[str, ...]]:
        """The options of the file, then those of the scenario over them."""
        options: dict[str, str | tuple[str, ...]] = {}
        for map in given:
            for key, value in map.node.items if map is not None and isinstance(map.node, Mapping) else ():
                if key.value not in self.spec.options:
                    known = list(self.spec.options)
                    hint = did_you_mean(key.value, known) or f"the options are {', '.join(known) or 'none'}"
                    self.reporter.error("RS605", f"the game has no option `{key.value}`", key.span, hint)
                elif isinstance(value, Scalar):
                    options[key.value] = value.value
                elif isinstance(value, Sequence) and all(isinstance(item, Scalar) for item in value.items):
                    options[key.value] = tuple(item.value for item in value.items if isinstance(item, Scalar))
                else:
                    message = f"the option `{key.value}` must be a value or a list of values, found {found(value)}"
                    self.reporter.error("RS605", message, value.span)
        return options


def _text(given: Given | None) -> str:
    """The text of a value, "" where there is none."""
    return given.node.value.strip() if given is not None and isinstance(given.node, Scalar) else ""


def _is_example(node: Node) -> bool:
    """Whether a scenario is marked as an example for the rulebook."""
    marked = node.get("example") if isinstance(node, Mapping) else None
    return isinstance(marked, Scalar) and marked.value.strip() in ("yes", "true")


def _start(node: Node) -> Span:
    return Span(node.span.path, node.span.line, node.span.column, node.span.line, node.span.column + 1)
