"""Every section of a game file and every key in it, as data.

Reading, the messages about unknown or missing keys, the JSON schema and the reference page all come
from these tables, so that a key can't be known to one and unknown to another.
"""

from __future__ import annotations

from attrs import field, frozen


@frozen
class Kind:
    """What may stand as the value of a key.

    Attributes:
        name: as messages say it, "an expression".
        forms: which of "text", "list" and "map" YAML may give.
        words: the only texts allowed, if not empty.
    """

    name: str
    forms: tuple[str, ...] = ("text",)
    words: tuple[str, ...] = ()


def _words(*words: str) -> Kind:
    listed = ", ".join(f"`{w}`" for w in words[:-1]) + f" or `{words[-1]}`"
    return Kind(listed, words=words)


TEXT = Kind("a text")
NAME = Kind("a name")
NAMES = Kind("a list of names", ("list", "text"))
FLAG = _words("true", "false")
EXPR = Kind("an expression", ("text", "list"))
EXPRS = Kind("a list of expressions", ("list", "text"))
COND = Kind("a condition")
SELECTION = Kind("a selection")
EFFECTS = Kind("effects")
BODY = Kind("an expression, or lines that end in `return`", ("text", "list"))
TYPE = Kind("a type", ("text", "list"))
TYPES = Kind("a type or a list of types", ("text", "list"))
TEMPLATE = Kind("a text")
FIELDS = Kind("a map of field names to types", ("map",))
COMPUTED = Kind("a map of column names to expressions", ("map",))
ROWS = Kind("a list of rows, a CSV file, or `all`", ("list", "text"))
VALUES = Kind("a value, a list or a map", ("text", "list", "map"))
LETTERS = Kind("a map of letters to values", ("map",))
LEGEND = Kind("a map of letters to maps of fields", ("map",))
GRID = Kind("a grid as `8 x 8`, or a map", ("text", "map"))
SPACES = Kind("a map of space names to fields", ("map",))
SHAPE = Kind("a map", ("map",))
START = Kind("an expression, or a map with `map` and `legend`", ("text", "list", "map"))
EVENT = Kind("an event as `action A` or `move Kind c to zone`")
PHASES = Kind("a map of phases", ("map",))
TURNS = Kind("a map (`{}` for plain turns)", ("map",))
REPEAT = Kind("a loop as `round in 1..6`")
PAY = Kind("a cost as `1 coins[me]`")
RANK = Kind("a list as `[highest score]`", ("list", "text"))
WHO_SEES = _words("everyone", "owner", "nobody")


@frozen
class Key:
    """One key.

    Attributes:
        kind: what its value may be.
        doc: one sentence for the reference.
        required: whether an entry must have it, once all files are merged.
        layered: whether versions of several files are stacked, the upper ones with `usual`.
    """

    kind: Kind
    doc: str
    required: bool = False
    layered: bool = False


@frozen
class Section:
    """One section of the file.

    Attributes:
        noun: what an entry is called in messages.
        keys: the keys of an entry.
        short: for each form of an entry that may stand in place of the map, the key it stands for.
        signature: "" if entries have plain names, "must" or "may" if they have parameters.
        ordered: whether entries have `place`.
        single: the section is one entry and not a map of named ones.
    """

    noun: str
    doc: str
    keys: dict[str, Key]
    short: dict[str, str] = field(factory=dict)
    signature: str = ""
    ordered: bool = False
    single: bool = False

    @property
    def layered(self) -> bool:
        """Whether an entry has logic that variants add to."""
        return any(key.layered for key in self.keys.values())


_DOC = Key(TEXT, "What it is, for the rulebook.")
_ONLY_IF = Key(COND, "A condition over options and `seats`; where it is false, this does not exist.")
_PLACE = Key(Kind("`first`, `last`, `before X` or `after X`"), "Where it stands among the others.")
_REPLACES = Key(FLAG, "The version below is left out on purpose.")
_LABEL = Key(TEMPLATE, "How it is shown, with `{...}` for values.")
_FIELDS = Key(FIELDS, "The columns of its rows, with their types.")
_LETTERS = Key(LETTERS, "The value each letter of a map stands for.")


def _section(
    noun: str,
    doc: str,
    keys: dict[str, Key],
    short: dict[str, str] | None = None,
    signature: str = "",
    ordered: bool = False,
    single: bool = False,
) -> Section:
    common = {"doc": _DOC, "only_if": _ONLY_IF}
    if ordered:
        common["place"] = _PLACE
    if any(key.layered for key in keys.values()):
        common["replaces"] = _REPLACES
    return Section(noun, doc, {**common, **keys}, short or {}, signature, ordered, single)


_LOGIC_WHEN = Key(COND, "Only where this holds.", layered=True)

PHASE = _section(
    "phase",
    "The course of play.",
    {
        "do": Key(EFFECTS, "What happens, without anyone's turn.", layered=True),
        "phases": Key(PHASES, "The phases inside it, or the parts of each turn."),
        "turns": Key(TURNS, "Seats take turns; `{}` is clockwise from the first player."),
        "actions": Key(NAMES, "What a seat may do on its turn."),
        "any_time": Key(NAMES, "Actions any seat may do at any time while the phase lasts."),
        "take": Key(_words("one", "any"), "Whether a turn is one action, or as many as the seat likes."),
        "done_label": Key(TEXT, "How the option `done` is shown."),
        "if_stuck": Key(EFFECTS, "What happens where no action is legal.", layered=True),
        "before_turn": Key(EFFECTS, "What happens before each turn.", layered=True),
        "after_turn": Key(EFFECTS, "What happens after each turn.", layered=True),
        "skip_when": Key(COND, "Where this holds as the phase begins, it is skipped.", layered=True),
        "repeat": Key(REPEAT, "Runs the phase once for each value of a variable."),
        "repeat_until": Key(COND, "Runs the phase until this holds after a pass.", layered=True),
    },
    short={"text": "do"},
    ordered=True,
)

TURN_KEYS = {
    "from": Key(EXPR, "The seat that begins."),
    "among": Key(EXPR, "The seats that take turns."),
    "order": Key(_words("clockwise", "counterclockwise"), "Which way round."),
    "times": Key(EXPR, "The number of turns in all."),
    "rounds": Key(EXPR, "The number of turns of each seat."),
    "until": Key(COND, "The phase is over where this holds after a turn."),
    "turn_until": Key(COND, "A turn goes on until this holds."),
}

SHAPE_KEYS = {
    "from": Key(NAME, "The column with the drawing.", required=True),
    "letters": Key(LETTERS, "What each letter of the drawing is.", required=True),
    "ports": Key(NAME, "The kind of cell that is a port where it lies on the edge."),
    "turns": Key(_words("none", "half", "quarter"), "How the piece may be turned."),
}

GRID_KEYS = {
    "column": Key(TYPE, "The enum of column names.", required=True),
    "row": Key(TYPE, "The range of rows.", required=True),
}

START_KEYS = {
    "map": Key(TEXT, "The drawing, one letter a space.", required=True),
    "legend": Key(LETTERS, "The value each letter stands for.", required=True),
}

FIELD_KEYS = {
    "type": Key(TYPE, "The type of the column.", required=True),
    "doc": _DOC,
}

SECTIONS: dict[str, Section] = {
    "options": _section(
        "option",
        "What may be chosen before a game.",
        {
            "type": Key(TYPE, "Its type.", required=True),
            "default": Key(EXPR, "Its value where nothing is chosen."),
            "pick": Key(EXPR, "For `set of T`: how many may be picked, as `1..2`."),
            "label": Key(TEXT, "How it is shown."),
        },
        short={"text": "type"},
    ),
    "types": _section(
        "type",
        "Enums, ranges and tables of fixed things.",
        {
            "values": Key(NAMES, "The values of an enum, in order."),
            "type": Key(TYPE, "A range or a part of another type."),
            "fields": _FIELDS,
            "rows": Key(ROWS, "The rows: a list, a CSV file, or `all [where COND]`."),
            "computed": Key(COMPUTED, "Columns worked out from the others."),
            "label": _LABEL,
        },
        short={"text": "type", "list": "values"},
    ),
    "boards": _section(
        "board",
        "Sets of spaces with neighbours.",
        {
            "grid": Key(GRID, "Width and height, `8 x 8`, or `{column: T, row: a..b}`."),
            "names": Key(_words("a1", "c1r1"), "How the spaces of a grid are named."),
            "shape": Key(_words("square", "hexagon"), "The shape of the spaces of a grid."),
            "only": Key(COND, "Which cells of the grid exist."),
            "map": Key(TEXT, "The spaces drawn as text."),
            "legend": Key(LEGEND, "What each letter of the map means."),
            "fields": _FIELDS,
            "spaces": Key(SPACES, "Further spaces."),
        },
        short={"text": "map"},
    ),
    "tables": _section(
        "table",
        "Fixed values by index.",
        {
            "per": Key(TYPES, "The indices.", required=True),
            "type": Key(TYPE, "The type of its values.", required=True),
            "values": Key(VALUES, "The values: lists, maps, or drawn texts.", required=True),
            "letters": _LETTERS,
        },
    ),
    "components": _section(
        "component",
        "Kinds of physical pieces.",
        {
            "fields": _FIELDS,
            "rows": Key(ROWS, "The pieces: a list, a CSV file, or `all [where COND]`.", required=True),
            "count": Key(EXPR, "How many copies there are of each row of `all`, over its fields."),
            "faces": Key(NAMES, "The names of its faces, if it has more than one."),
            "shape": Key(SHAPE, "How it covers cells of a board."),
            "label": _LABEL,
        },
    ),
    "zones": _section(
        "zone",
        "Where components lie.",
        {
            "holds": Key(NAME, "The kind it holds; `one Kind` for a slot.", required=True),
            "per": Key(TYPES, "One zone for each value."),
            "order": Key(_words("stack", "row", "none"), "How its components are ordered."),
            "max": Key(EXPR, "The most it holds."),
            "seen_by": Key(WHO_SEES, "Who sees its components."),
            "top_seen_by": Key(WHO_SEES, "Who sees the top of a stack."),
            "count_seen_by": Key(WHO_SEES, "Who sees how many there are."),
            "starts": Key(SELECTION, "The components that start there."),
            "starts_at": Key(EXPRS, "The index where each of them starts."),
            "refilled_from": Key(NAME, "The zone shuffled into it when a draw finds it empty."),
            "laid_on": Key(NAME, "The board its components lie on."),
        },
        short={"text": "holds"},
        ordered=True,
    ),
    "variables": _section(
        "variable",
        "What else the position remembers.",
        {
            "type": Key(TYPE, "Its type.", required=True),
            "per": Key(TYPES, "One value for each."),
            "start": Key(START, "Its value at the start."),
            "seen_by": Key(WHO_SEES, "Who sees it."),
            "lasts": Key(NAME, "`turn` or a phase: it is back at its start value whenever one begins."),
            "shown": Key(FLAG, "`false` for what only the rules keep count of: log and table leave it out."),
        },
        short={"text": "type"},
    ),
    "records": _section(
        "record",
        "Memories of whole positions.",
        {"of": Key(NAMES, "The variables and zones it remembers, and perhaps `turn_player`.", required=True)},
        short={"list": "of"},
    ),
    "functions": _section(
        "function",
        "Named values, without effects.",
        {"is": Key(BODY, "Its value.", required=True, layered=True)},
        short={"text": "is", "list": "is"},
        signature="must",
    ),
    "procedures": _section(
        "procedure",
        "Named effects.",
        {"do": Key(EFFECTS, "What it does.", required=True, layered=True)},
        short={"text": "do"},
        signature="must",
    ),
    "triggers": _section(
        "trigger",
        "What happens whenever something else does.",
        {
            "before": Key(EVENT, "It runs just before this."),
            "after": Key(EVENT, "It runs just after this."),
            "instead_of": Key(EVENT, "It runs in place of this."),
            "when": _LOGIC_WHEN,
            "do": Key(EFFECTS, "What happens.", required=True, layered=True),
        },
        ordered=True,
    ),
    "setup": _section(
        "setup",
        "What happens before the first phase.",
        {"do": Key(EFFECTS, "What happens.", required=True, layered=True)},
        short={"text": "do"},
        single=True,
    ),
    "actions": _section(
        "action",
        "What a seat may choose to do.",
        {
            "label": _LABEL,
            "with": Key(SELECTION, "Its parameters; each way to fill them is one option."),
            "when": _LOGIC_WHEN,
            "pay": Key(PAY, "What it costs: condition and payment in one."),
            "do": Key(EFFECTS, "What it does. Only `pass` can do without.", layered=True),
        },
        short={"text": "do"},
    ),
    "phases": PHASE,
    "result": _section(
        "result",
        "Who wins.",
        {
            "score": Key(EXPR, "The score of seat `p`.", layered=True),
            "rank_by": Key(RANK, "What decides, in order of weight."),
            "payoff": Key(EXPR, "What seat `p` gets, for programs that learn.", layered=True),
        },
        single=True,
    ),
    "invariants": _section(
        "invariant",
        "What holds at every decision.",
        {"is": Key(COND, "The condition.", required=True)},
        short={"text": "is"},
    ),
}

HEAD: dict[str, Key] = {
    "rulespec": Key(Kind("a version"), "The version of the language.", required=True),
    "id": Key(NAME, "The game's id: lower case, with hyphens.", required=True),
    "title": Key(TEXT, "Its name.", required=True),
    "about": Key(TEXT, "One sentence about it.", required=True),
    "players": Key(Kind("a number as `4` or a range as `2..6`"), "How many play."),
    "seats": Key(Kind("a list of names", ("list",)), "Named seats, in place of `players`."),
    "version": Key(TEXT, "The version of the game file."),
    "doc": Key(TEXT, "A longer text."),
    "extends": Key(Kind("a file or a list of files", ("text", "list")), "The files this one adds to."),
    "only_if": Key(COND, "Where this is false, nothing of this file exists."),
    "remove": Key(Kind("a list of `section.name`", ("list",)), "Entries below that do not exist here."),
}
