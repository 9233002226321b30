"""Every key of a scenario file, as data."""

from __future__ import annotations

from rulespec.spec import keys as k

LIST = k.Kind("a list", ("list",))
SEATS = k.Kind("a seat or a list of seats", ("text", "list"))
YES = k.Kind("`yes` or `no`", words=("yes", "no", "true", "false"))
NUMBER = k.Kind("a whole number")
OPTIONS = k.Kind("a map of options to values", ("map",))
STEPS = k.Kind("a list of steps as `- player_1: ACTION`", ("list",))
CLAIMS = k.Kind("a list of conditions and claims", ("list",))
BY_SEAT = k.Kind("a map of seats to actions", ("map",))

_GAME = {
    "players": k.Key(NUMBER, "The number of seats; without it the least that the game allows."),
    "options": k.Key(OPTIONS, "The game's options."),
    "seed": k.Key(NUMBER, "The seed of all chance; without it 0."),
}

FILE = {
    "game": k.Key(k.Kind("a path or the id of a game"), "The game, from the folder of this file; `../game.yaml`."),
    **_GAME,
    "at": k.Key(k.NAME, "The phase of all scenarios; one may have its own."),
    "given": k.Key(k.EFFECTS, "Effects that prepare every position, before those of the scenario."),
    "scenarios": k.Key(LIST, "The scenarios.", required=True),
}

PART = {
    "when": k.Key(STEPS, "The steps, one after the other."),
    "then": k.Key(CLAIMS, "What must be so after them."),
}

SCENARIO = {
    "name": k.Key(k.TEXT, "What it is called.", required=True),
    "rule": k.Key(k.TEXT, "The rule that it shows."),
    "doc": k.Key(k.TEXT, "More about it."),
    "example": k.Key(YES, "Whether the rulebook shows it."),
    **_GAME,
    "at": k.Key(k.NAME, "`given` is done as this phase first begins; without it at the first decision."),
    "given": k.Key(k.EFFECTS, "Effects that prepare the position. They set off no triggers."),
    **PART,
    "and": k.Key(LIST, "What follows: further steps and claims."),
}

CLAIMS_BY_KEY = {
    "can": k.Key(BY_SEAT, "A seat can do this now."),
    "cannot": k.Key(BY_SEAT, "A seat cannot do this now."),
    "options": k.Key(BY_SEAT, "A seat has exactly these options, in any order."),
    "deciding": k.Key(SEATS, "Who decides now."),
    "over": k.Key(YES, "Whether the game is over."),
    "winners": k.Key(SEATS, "Who has won; `[]` for nobody."),
    "scores": k.Key(k.Kind("a map of seats to numbers", ("map",)), "Scores of some seats."),
    "says": k.Key(k.TEXT, "A text in the log, as a spectator sees it."),
    "invariants": k.Key(YES, "Whether all invariants of the game hold now."),
    "fault": k.Key(k.TEXT, "The last step cannot be carried out, with this text in the message."),
}
