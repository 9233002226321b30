"""Examples: scenarios marked `example: true`, played while the book is made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.actions import Action
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.rulebook.blocks import (
    Block,
    Example,
    ExamplePart,
    Items,
    Paragraph,
    Runs,
    Section,
    Text,
    plain,
)
from interpreter.rulebook.clauses import conjuncts
from interpreter.rulebook.course import Course
from interpreter.rulebook.lexicon import Lexicon, words
from interpreter.rulebook.pictures.subjects import subjects
from interpreter.rulebook.pictures.values import labelled
from interpreter.rulebook.played import Played
from interpreter.rulebook.speech import capital, sentence
from interpreter.sight.lines import Namer
from interpreter.sight.logs import log
from interpreter.state import State
from interpreter.texts import number
from interpreter.trials.scenarios import Failure, Run, extra_of
from rulespec.check import types as t
from rulespec.scenarios import model as sc

_MOST_LINES, _CUT_AT, _LEAST_LINES = 20, 12, 2
"""A log of more lines than the first is cut to the second, or where a part of the game ends, to the third at least."""


class ExampleFailed(ValueError):
    """An example of a book does not hold; the message has its name, its place and what was found."""


class LoggedNames(Namer):
    """What things are called in the log of an example: as everywhere in the book."""

    def __init__(self, game: Game, lexicon: Lexicon) -> None:
        super().__init__(game)
        self.lexicon = lexicon

    def word(self, kind: str, name: str) -> str:
        """See `Namer`."""
        return self.lexicon.of(kind, name)

    def several(self, table: str) -> str:
        """See `Namer`."""
        return self.lexicon.noun("table", table).many

    def show(self, type: t.Type, value: Any) -> str:
        """See `Namer`."""
        if isinstance(type, t.TableType):
            return labelled(self.game, self.lexicon, type.name, value)
        return self.lexicon.value(type, value) if isinstance(type, t.EnumType) else super().show(type, value)


class Examples(Course):
    """Writes the section of examples."""

    def examples(self, files: Sequence[sc.ScenarioFile]) -> Iterator[Section]:
        """All scenarios marked as examples, each played.

        Raises:
            ExampleFailed: one does not hold.
        """
        # One file of all, so that examples with the same players and options share one compiled game.
        scenarios = tuple(scenario for file in files for scenario in file.scenarios if scenario.example)
        if not scenarios:
            return
        file = sc.ScenarioFile(files[0].path, files[0].spec, scenarios)
        games: dict[object, Game] = {}
        told: list[Block] = []
        for n, scenario in enumerate(scenarios):
            key = _game_key(scenario)
            if key not in games:
                same = [m for m, other in enumerate(scenarios) if _game_key(other) == key]
                games[key] = self._game_of(file, scenario, same)
            told.append(self._example(games[key], file, n))
        yield from self.section("examples", told)

    @staticmethod
    def _game_of(file: sc.ScenarioFile, scenario: sc.Scenario, same: list[int]) -> Game:
        try:
            return Played(file.spec, scenario.players, scenario.options, extra=extra_of(file, same))
        except ValueError as error:
            raise _failed(file, scenario, Failure(str(error), scenario.options_span)) from None

    def _example(self, game: Game, file: sc.ScenarioFile, n: int) -> Example:
        scenario = file.scenarios[n]
        run = Run(game, scenario, f"scenario_{n}")
        title: Runs = (Text(capital(self.lexicon.text(f"examples.{scenario.name}", scenario.name))),)
        before: Runs = (Text(self.lexicon.word("before")),)
        after: Runs = (Text(self.lexicon.word("after")),)
        try:
            state = run.start()
            start, about = state.clone(), subjects(scenario)
            first, is_drawn = None, False
            names = LoggedNames(game, self.lexicon)
            parts = []
            for p, part in enumerate(scenario.parts):
                # The log is written in English only, and asking for it compiles the game once more.
                is_logged = bool(part.when) and self.phrases.language == "en"
                seen, earlier = len(log(state, None, names)) if is_logged else 0, state.clone()
                steps = tuple(self._step(game, state, step) for step in part.when)
                run.steps(state, part)
                for c, claim in enumerate(part.then):
                    run.claim(state, claim, f"scenario_{n}_{p}_{c}")
                logged = log(state, None, names)[seen:] if is_logged else []
                lines = [self._seat_words(game, line) for line in logged]
                done = {plain(step).rstrip(".") for step in steps}
                happens = self._shortened([line for line in lines if line not in done])
                holds = tuple(told for claim in part.then for told in self._holds(game, claim))
                picture = None
                if part.when:
                    picture = self.pictures.table(state, self.lexicon, after, beside=earlier, about=about)
                    if not is_drawn:
                        first = self.pictures.table(start, self.lexicon, before, beside=state, about=about)
                        is_drawn = True
                parts.append(ExamplePart(steps, happens, holds, picture))
            if not is_drawn:
                first = self.pictures.table(start, self.lexicon, before, beside=start, about=about)
        except Failure as failure:
            raise _failed(file, scenario, failure) from None
        except RuleError as error:
            raise _failed(file, scenario, Failure(str(error), scenario.span)) from None
        told: list[Block] = []
        doc = self.doc(f"examples.{scenario.name}.doc", scenario.doc)
        told += doc
        if scenario.given and not doc:
            given = self.effects(scenario.given)
            head = self.sentence("examples.start")
            plain_text = not isinstance(given[0], Items)
            told += [Paragraph((*head.runs, Text(" "), *_runs(given)))] if plain_text else [head, *given]
        # Where the author tells the position, no reader needs the effects that made it, nor the source that is cited.
        rule: Runs = (Text(scenario.rule),) if scenario.rule and not doc else ()
        return Example(self.id(f"example {scenario.name}"), title, rule, tuple(told), first, tuple(parts))

    def _shortened(self, lines: list[str]) -> tuple[Runs, ...]:
        """What happens in an example, cut short where it runs on: after a part of the game that has come to its end."""
        if len(lines) <= _MOST_LINES:
            return tuple((Text(line),) for line in lines)
        parts = [n for n in range(_LEAST_LINES, _CUT_AT + 1) if lines[n].startswith("Phase: ")]
        cut = parts[-1] if parts else _CUT_AT
        while cut > _LEAST_LINES and lines[cut - 1].startswith("Phase: "):
            cut -= 1
        return (*((Text(line),) for line in lines[:cut]), self.say("examples.goes_on_so"))

    def _step(self, game: Game, state: State, step: sc.Step) -> Runs:
        return sentence(
            self.say("examples.step", who=self._seat(game, step.seat), what=self._option_label(game, step.action))
        )

    def _option_label(self, game: Game, text: str) -> str:
        """An option as its label."""
        action = game.parse_action(text)
        label = game.texts.action(action) if action is not None else words(text)
        if action is not None and self.phrases.language != "en":
            label = self._translated_option(game, action)
        return self._seat_words(game, label).rstrip(".")

    def _translated_option(self, game: Game, action: Action) -> str:
        """An option without its label, which is in the language of the spec: its action and its values."""
        schema = action.table.schema
        shown = LoggedNames(game, self.lexicon)
        pairs = zip(schema.parameters, action.key, strict=True)
        values = ", ".join(shown.show(parameter.type, value) for parameter, value in pairs)
        if schema.action:
            return self.title("action", schema.action) + (f" ({values})" if values else "")
        return values if schema.name == "choose" else self.lexicon.word(schema.name)

    def _seat(self, game: Game, seat: int) -> str:
        del game
        return capital(self.lexicon.value(t.PLAYER, seat))

    def _seat_words(self, game: Game, text: str) -> str:
        """A text with seats and rows as they are called in the book."""
        for label, told in self._labels(game):
            text = text.replace(label, told)
        for seat in range(game.seats):
            text = text.replace(game.seat_name(seat), self._seat(game, seat))
        return text

    def _labels(self, game: Game) -> list[tuple[str, str]]:
        """The labels of rows that the book has in other words, the longest first."""
        if self._told_labels is None:
            found = {
                game.texts.row(table.name, number): self.lexicon.row(table.name, row.id)
                for table in self.spec.tables.values()
                if table.label is not None
                for row in table.rows
                if (number := game.tables.numbers[table.name].get(row.id)) is not None
            }
            pairs = [(label, told) for label, told in found.items() if label != told]
            self._told_labels = sorted(pairs, key=lambda pair: -len(pair[0]))
        return self._told_labels

    _told_labels: list[tuple[str, str]] | None = None

    def _holds(self, game: Game, claim: sc.Claim) -> Iterator[Runs]:
        """What a claim says."""
        match claim:
            case sc.Holds(condition=condition):
                for part in conjuncts(condition):
                    yield sentence(self.say("course.item", cond=self.condition(part)))
            case sc.Can(seat=seat, action=action, possible=possible):
                key = "examples.can" if possible else "examples.cannot"
                yield sentence(self.say(key, who=self._seat(game, seat), what=self._option_label(game, action)))
            case sc.Options(seat=seat, actions=actions):
                told: list[Runs] = [(Text(self._option_label(game, action)),) for action in actions]
                yield sentence(self.say("examples.options", who=self._seat(game, seat), what=self.listed(told)))
            case sc.Deciding(seats=seats):
                who: list[Runs] = [(Text(self._seat(game, seat)),) for seat in seats]
                if who:
                    yield sentence(self.say("examples.deciding", who=self.fixed(self.listed(who), _number(who))))
            case sc.Over(over=over):
                yield sentence(self.say("examples.over" if over else "examples.goes_on"))
            case sc.Winners(seats=seats):
                names: list[Runs] = [(Text(self._seat(game, seat)),) for seat in seats]
                if not names:
                    yield sentence(self.say("examples.no_winner"))
                else:
                    yield sentence(self.say("examples.winners", who=self.fixed(self.listed(names), _number(names))))
            case sc.Scores(scores=scores):
                for seat, score in scores.items():
                    points = self.fixed(number(score), "one" if score == 1 else "many")
                    yield sentence(self.say("examples.score", who=self._seat(game, seat), n=points))
            case sc.Fault(part=part):
                yield sentence(self.say("examples.fault", what=part))


def _game_key(scenario: sc.Scenario) -> object:
    return scenario.players, tuple(sorted(scenario.options.items()))


def _number(parts: Sequence[Runs]) -> str:
    return "one" if len(parts) == 1 else "many"


def _runs(blocks: Sequence[Block]) -> Runs:
    return tuple(run for block in blocks if isinstance(block, Paragraph) for run in block.runs)


def _failed(file: sc.ScenarioFile, scenario: sc.Scenario, failure: Failure) -> ExampleFailed:
    place = f"{failure.span.path}:{failure.span.line}"
    del file
    return ExampleFailed(
        f"the example `{scenario.name}` does not hold, so the rulebook is not made ({place}): {failure.message}"
    )
