"""The words of the language, the forms to write them in, and what words and signs of other languages are here."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


RESERVED = _words(
    "and or not mod if else for where by until from to true false none otherwise in within let return while repeat"
)
"""Words that can't be names anywhere."""

STATEMENT_WORDS = _words(
    "let raise lower move swap draw shuffle turn remove if while repeat for choose ask window return say reveal "
    "record end win lose nothing"
)
"""Words that begin an effect; elsewhere they are names like others."""

BODY_WORDS = _words("if else for while choose repeat ask window")
"""Words that begin a line that ends with `:`."""

DEEPENING = _words("and or not if otherwise mod in within from until down optional of one")
"""Words that put one node inside another."""

COMPARISONS = _words("== != < <= > >= in within") | {"not in"}

OPERATORS = COMPARISONS | _words("+ - * / mod and or not otherwise ..") | {"down to"}

SEPARATORS = _words("and or not if else otherwise where for until from , = :")
"""What ends a comparison."""

FORMS = {
    "let": "`let NAME = VALUE`",
    "raise": "`raise V by N` or `raise V by up to N`",
    "lower": "`lower V by N` or `lower V by up to N`",
    "move": "`move C to ZONE`, `move all ZONE to ZONE` or `move N of COUNTER to COUNTER`",
    "swap": "`swap V and W`",
    "draw": '`draw N from ZONE to ZONE`, or `draw "reason"` for a drawn game',
    "shuffle": "`shuffle ZONE, ZONE`",
    "turn": "`turn C over` or `turn C to FACE`",
    "remove": "`remove C` or `remove all ZONE`",
    "if": "`if COND:`",
    "else": "`else:` or `else if COND:`",
    "while": "`while COND:`",
    "repeat": "`repeat N times:`",
    "for": "`for NAME in DOMAIN where COND:`",
    "choose": '`choose NAME in DOMAIN by WHO "prompt":`',
    "ask": "`ask WHO: action, action`",
    "window": "`window SEATS: action, action`",
    "return": "`return VALUE`",
    "say": '`say "text"`',
    "reveal": "`reveal X to WHO`",
    "record": "`record NAME`",
    "end": "`end PHASE` or `end game`",
    "win": '`win WHO "reason"`',
    "lose": '`lose WHO "reason"`',
    "nothing": "`nothing` alone",
}

START_FORMS = {
    "selection": "write `NAME in DOMAIN where COND`",
    "signature": "write `name(TYPE NAME, TYPE NAME) -> TYPE`",
    "field_decl": "write `name`, `name[TYPE]` or `name(TYPE NAME)`",
    "event": "write setup, phase, action, call, move, change or turn, as in `move Card c to hand[player p]`",
    "grid": "write `WIDTH x HEIGHT`",
    "rank": "write `lowest VALUE` or `highest VALUE`",
    "pay": "write `N VARIABLE`, as in `1 gold[me]`",
    "repeat": "write `VARIABLE in A..B`",
    "type": "write a type's name, `A..B`, `optional T`, `set of T` or `[a, b]`",
}

FALSE_WORDS = {
    "elif": "write `else if COND:`",
    "elsif": "write `else if COND:`",
    "elseif": "write `else if COND:`",
    "then": "write `:` in place of `then`",
    "def": "declare functions under `functions`, procedures under `procedures`",
    "together": "write `for p in players, together:`",
    "foreach": "write `for NAME in DOMAIN:`",
    "do": "write `:` in place of `do`",
    "switch": "write `if COND:` and `else if COND:`",
    "unless": "write `if not COND:`",
    "break": "give the loop a condition, or put it in a procedure and `return`",
    "continue": "put what follows under an `if`",
    "set": "write `V = VALUE`",
    "var": "write `let NAME = VALUE`",
    "discard": "write `move C to ZONE`",
    "print": 'write `say "text"`',
    "pass": "write `nothing`",
}
"""First words of effects in other languages."""

FOREIGN_SIGNS = {
    "...": "write `..`",
    "…": "write `..`",
    "===": "write `==`",
    "!==": "write `!=`",
    "&&": "write `and`",
    "&": "write `and`",
    "||": "write `or`",
    "|": "write `or`",
    "!": "write `not`",
    "++": "write `x += 1`",
    "**": "write `x * x`",
    "^": "write `x * x`",
    "//": "write `floor(a / b)`; comments begin with `#`",
    "%": "write `a mod b`",
    "<>": "write `!=`",
    "≠": "write `!=`",
    "=>": "write `>=`",
    "≥": "write `>=`",
    "=<": "write `<=`",
    "≤": "write `<=`",
    ":=": "write `=`",
    "*=": "write `x = x * n`",
    "/=": "write `x = x / n`",
    "%=": "write `x = x mod n`",
    "×": "write `*`",
    "·": "write `*`",
    "÷": "write `/`",
    "−": "write `-`",
    "–": "write `-`",
    "—": "write `-`",
    "?": "write `A if COND else B`",
    ";": "put each effect on a line of its own",
    "{": "lists stand in square brackets; `{...}` is only for values inside a text",
    "}": "lists stand in square brackets; `{...}` is only for values inside a text",
    "“": 'texts stand in straight quotes: `"`',
    "”": 'texts stand in straight quotes: `"`',
    "„": 'texts stand in straight quotes: `"`',
}
