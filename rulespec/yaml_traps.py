"""What YAML says about a file it cannot read, in the words of someone who writes a game.

YAML's own messages speak of tokens and simple keys. Most mistakes are a handful of traps, where rules
text without quotes means something to YAML; each has a message here that shows the right way.
Lines and columns in this module count from 0, as YAML's marks do.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import frozen

from rulespec.source import Span


@frozen
class Fault:
    """What is wrong, at columns [column, end_column) of a line."""

    code: str
    message: str
    line: int
    column: int
    end_column: int
    hint: str = ""


_PAIR = re.compile(r"""^\s*(?:- +)*(?P<key>"[^"]*"|'[^']*'|[^\s#"'\[{][^#:]*?)\s*:(?:\s+(?P<value>.*))?$""")
_OPENERS = {"(": ")", "[": "]", "{": "}"}


def quoted(text: str) -> str:
    """A text as it can stand in YAML, in the quotes that need no escapes."""
    text = text if len(text) <= 60 else text[:57] + "..."
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return f"'{text}'" if "'" not in text else "|"


def explain(error: Any, lines: list[str]) -> Fault:
    """The fault behind an error of the YAML parser."""
    mark = error.problem_mark or error.context_mark
    if mark is None:
        return Fault("RS010", "the file can't be read as YAML", 0, 0, 1)
    line = min(mark.line, len(lines) - 1)
    column = mark.column if mark.line == line else len(lines[line])
    problem, context = error.problem or "", error.context or ""
    opened = error.context_mark
    start = (opened.line, opened.column) if opened is not None and opened.line < len(lines) else (line, column)
    if "cannot start any token" in problem:
        return _bad_start(lines, line, column)
    if "alias" in context or "anchor" in context:
        return alias(lines, *start)
    if "tag" in context:
        return tag(lines, *start)
    if "directive" in context or "directive" in problem:
        return Fault("RS010", "lines that start with `%` are not used here", line, 0, 1, "delete the line")
    if "block scalar" in context:
        return _block_header(lines, *start)
    if "quoted scalar" in context:
        return _quotes(lines, problem, line, column, start)
    if "mapping values are not allowed" in problem:
        return _second_colon(lines, line, column)
    if "flow" in context:
        return _flow(lines, line, column, start)
    if "block sequence entries are not allowed" in problem:
        hint = "start the list on the next line, or write `[a, b]`"
        return Fault("RS010", "a list with `-` can't start on the line of its key", line, column, column + 1, hint)
    if "simple key" in context:
        return _no_colon(lines, *start)
    if "block" in context or "document start" in problem:
        return _block(lines, line, column)
    return Fault("RS010", "this can't be read as YAML", line, column, column + 1, "put the value in quotes")


def alias(lines: list[str], line: int, column: int) -> Fault:
    """An anchor `&x` or an alias `*x`."""
    kind = "alias" if lines[line][column : column + 1] == "*" else "anchor"
    return _marked("RS012", kind, "write it out", lines[line], line, column)


def tag(lines: list[str], line: int, column: int) -> Fault:
    """A tag `!x`."""
    return _marked("RS013", "tag", "delete it", lines[line], line, column)


def _marked(code: str, kind: str, advice: str, row: str, line: int, column: int) -> Fault:
    word = row[column:].split(maxsplit=1)[0] if row[column:].strip() else ""
    hint = f"{advice}; a text that starts with `{word[:1]}` needs quotes: {_quoted_rest(row, column)}"
    message = f"`{_short(word)}` is a YAML {kind}, which is not used here"
    return Fault(code, message, line, column, column + len(word), hint)


def braces(lines: list[str], line: int, column: int) -> Fault:
    """A value that starts with `{` but is text, as a label `{name}`."""
    row = lines[line]
    rest = row[column:].rstrip()
    hint = f"put the text in quotes: {quoted(rest)}"
    message = f"`{_short(rest)}` starts with `{rest[:1]}`, which opens a {'list' if rest[:1] == '[' else 'map'} in YAML"
    return Fault("RS017", message, line, column, column + len(rest), hint)


def bare_words(first: Span, all_bare: bool, lines: list[str], whole: Span) -> Fault:
    """Entries of a flow map without a colon: a text in braces, or one cut by its own comma.

    Args:
        first: the first such entry.
        all_bare: whether no entry has a colon.
        lines: the file.
        whole: the map.
    """
    line, column = whole.line - 1, whole.column - 1
    if all_bare:
        end = whole.end_column - 1 if whole.end_line == whole.line else len(lines[line])
        shown = lines[line][column:end]
        hint = f"put the text in quotes: {quoted(lines[line][column:].rstrip())}"
        return Fault("RS017", f"`{_short(shown)}` is a map in YAML, not a text", line, column, end, hint)
    row = lines[first.line - 1]
    start = first.column - 1
    end = first.end_column - 1 if first.end_line == first.line else len(row)
    opened = _open_bracket(row[start:end])
    key = re.match(r"(.+?[)\]]): (.*)", _whole(row[start:]))
    if opened and key:
        message = f"the key ends after `{_short(row[start:end])}`, where its `{opened}` is still open"
        return Fault("RS018", message, first.line - 1, start, end, f"write `{quoted(key.group(1))}: {key.group(2)}`")
    hint = "a value with a comma needs quotes inside `{...}`"
    cut = re.search(r"([\w.]+): +([^,{}\[\]\"']+),\s*\Z", row[:start])
    if cut:
        hint = f"write `{cut.group(1)}: {quoted(row[cut.start(2) : end])}`"
    message = f"`{_short(row[start:end])}` has no `:`; the comma before it ended the last value"
    return Fault("RS018", message, first.line - 1, start, end, hint)


def cut_short(value: str, rest: str, flow: bool) -> tuple[str, str, str] | None:
    """(code, message, hint) if an unquoted value ends where its author did not mean it to.

    Only what is certain: an open bracket in the value, or a `#{` that follows it.
    """
    opened = _open_bracket(value)
    comment = re.match(r"\s+#(.*)", rest)
    if comment and (opened or comment.group(1).startswith("{")):
        whole = value + rest.rstrip()
        return "RS022", f"` #` starts a comment, so the value is only `{_short(value)}`", f"write {quoted(whole)}"
    if opened and flow:
        hint = f"put the value in quotes: {quoted(_whole(value + rest))}"
        return "RS018", f"the value ends after `{_short(value)}`, where its `{opened}` is still open", hint
    return None


def _open_bracket(value: str) -> str:
    """The first bracket that the value leaves open, or "" (also if it has quotes: they may hold brackets)."""
    if not any(c in value for c in "([{") or '"' in value:
        return ""
    stack: list[str] = []
    for char in value:
        if char in _OPENERS:
            stack.append(char)
        elif stack and char == _OPENERS[stack[-1]]:
            stack.pop()
    return stack[0] if stack else ""


def _whole(row: str) -> str:
    """The value that starts a row inside a flow map or list, as its author meant it: up to the next comma or
    closing bracket that is not inside brackets of its own.
    """
    stack: list[str] = []
    for i, char in enumerate(row):
        if char in _OPENERS:
            stack.append(char)
        elif stack and char == _OPENERS[stack[-1]]:
            stack.pop()
        elif not stack and char in ",]}":
            return row[:i].rstrip()
    return row.rstrip()


def _bad_start(lines: list[str], line: int, column: int) -> Fault:
    row = lines[line]
    char = row[column : column + 1]
    shown = {"\t": "a tab", "`": "a backquote"}.get(char, f"`{char}`")
    hint = f"put the value in quotes: {_quoted_rest(row, column)}" if char != "\t" else "use spaces"
    return Fault("RS017", f"a value can't start with {shown} in YAML", line, column, column + 1, hint)


def _block_header(lines: list[str], line: int, column: int) -> Fault:
    row = lines[line]
    char = row[column : column + 1]
    shown = _quoted_rest(row, column)
    hint = f"start the text on the next line; a text that starts with `{char}` needs quotes: {shown}"
    return Fault("RS017", f"nothing may stand on the line after `{char}`", line, column, len(row), hint)


def _quotes(lines: list[str], problem: str, line: int, column: int, start: tuple[int, int]) -> Fault:
    if "escape" in problem or "hexdecimal" in problem:
        at = lines[line].rfind("\\", 0, column + 2)
        at = at if at >= 0 else column
        shown = lines[line][at : at + 2]
        hint = "write `\\\\` for a backslash, or use single quotes"
        return Fault("RS020", f"`{shown}` is no escape of YAML's double quotes", line, at, at + 2, hint)
    char = lines[start[0]][start[1] : start[1] + 1]
    hint = f"close it with `{char}`; a quote inside the text needs the other quotes around it"
    return Fault("RS019", f"the quote `{char}` is never closed", start[0], start[1], start[1] + 1, hint)


def _second_colon(lines: list[str], line: int, column: int) -> Fault:
    row = lines[line]
    pair = _PAIR.match(row[:column])
    if pair and pair.group("value"):
        key = pair.group("key")
        value = row[pair.start("value") :].rstrip()
        if value[:1] in "\"'":
            return _after_closed(lines, line, column)
        hint = f"write `{key}: {quoted(value)}`, or `{key}: |` with the text indented on the next line"
        return Fault("RS016", f"the value of `{key}` has a second `: `", line, column, column + 1, hint)
    indent = len(row) - len(row.lstrip())
    written = (i for i in range(line - 1, -1, -1) if lines[i].strip() and not lines[i].lstrip().startswith("#"))
    above = next(written, None)
    if above is not None and indent > len(lines[above]) - len(lines[above].lstrip()):
        owner = _PAIR.match(lines[above])
        if owner and owner.group("value"):
            key = owner.group("key")
            hint = f"give `{key}` either a value on its line or keys below it"
            message = f"`{row[:column].strip()}` is indented below `{key}`, which already has a value"
            return Fault("RS021", message, line, indent, column, hint)
    if above is not None and indent == len(lines[above]) - len(lines[above].lstrip()) and ":" not in lines[above]:
        return _no_colon(lines, above, indent)
    hint = "put the value in quotes, or check the indentation"
    return Fault("RS016", "a `: ` can't stand here", line, column, column + 1, hint)


def _flow(lines: list[str], line: int, column: int, start: tuple[int, int]) -> Fault:
    row = lines[line]
    char = row[column : column + 1]
    before = row[:column].rstrip()
    opener = lines[start[0]][start[1] : start[1] + 1]
    outside = "{...}" if opener == "{" else "[...]"
    last = before[-1:]
    if char and char in "[{" and last not in ("", ",", ":", "[", "{"):
        word = re.split(r"[,:\[{]\s*", before)[-1]
        hint = f"put the value in quotes: {quoted(_whole(row[column - len(word) :]))}"
        message = f"`{char}` inside `{outside}` can't follow a text without quotes"
        return Fault("RS018", message, line, column, column + 1, hint)
    if char == ":" and line == start[0]:
        hint = "put the value in quotes, or write the map over several lines with `|`"
        key = re.search(r"([\w.]+): +([^,:{}\[\]\"']+)\Z", before)
        if key:
            hint = f"write `{key.group(1)}: {quoted(_whole(row[key.start(2) :]))}`"
        return Fault("RS016", f"a second `: ` inside `{outside}`", line, column, column + 1, hint)
    if char and last and last in "\"']}" and line == start[0]:
        what = "quote" if last in "\"'" else "bracket"
        hint = "put quotes around all of the value, other ones than those inside it"
        return Fault("RS020", f"text after the closing {what} inside `{outside}`", line, column, column + 1, hint)
    if opener and opener in "[{":
        hint = f"close it with `{_OPENERS[opener]}`"
        if re.match(r"\{\w+\} *[^\s,}\]#]", lines[start[0]][start[1] :]):
            return braces(lines, *start)
        return Fault("RS019", f"the `{opener}` is never closed", start[0], start[1], start[1] + 1, hint)
    return Fault("RS010", f"`{char}` can't stand here", line, column, column + 1, "put the value in quotes")


def _no_colon(lines: list[str], line: int, column: int) -> Fault:
    row = lines[line]
    text = row[column:].rstrip()
    glued = re.match(r"([A-Za-z_]\w*):(\S.*)", text)
    if glued:
        hint = f"write `{glued.group(1)}: {_short(glued.group(2))}`"
        return Fault("RS010", f"no space after the colon of `{glued.group(1)}`", line, column, column + len(text), hint)
    hint = "write `key: value`; a text over several lines needs `|` after its key"
    return Fault("RS010", f"`{_short(text)}` has no `:`", line, column, column + len(text), hint)


def _block(lines: list[str], line: int, column: int) -> Fault:
    row = lines[line]
    before = row[:column].rstrip()
    if before.strip():
        return _after_closed(lines, line, column)
    text = row.strip()
    if text == "-" or text.startswith("- "):
        return Fault("RS010", "a list entry stands among keys", line, column, column + 1, "indent it below its key")
    if text[:1] == ":":
        message = "a key must be a text, found nothing before the `:`"
        return Fault("RS014", message, line, column, column + 1, "write `key: value`")
    if text[:1] in ("]", "}", ","):
        return Fault("RS010", f"`{text[0]}` closes nothing", line, column, column + 1, "delete it, or quote the text")
    hint = "keys of one map start in the same column"
    message = "the line is indented neither like the keys above nor below one"
    return Fault("RS021", message, line, column, len(row), hint)


def _after_closed(lines: list[str], line: int, column: int) -> Fault:
    """A value that starts with a quote or bracket and goes on after the closing one."""
    row = lines[line]
    pair = _PAIR.match(row) or _PAIR.match(row[:column])
    at = pair.start("value") if pair and pair.group("value") else len(row) - len(row.lstrip())
    value = row[at:].rstrip()
    first = value[:1]
    if first in ("{", "["):
        return braces(lines, line, at)
    if first in ("]", "}", ","):
        hint = f"put the text in quotes: {quoted(value)}"
        return Fault("RS017", f"a value can't start with `{first}` in YAML", line, at, at + 1, hint)
    if first not in ("'", '"'):
        return Fault("RS010", "this can't be read as YAML", line, column, len(row.rstrip()), "put the value in quotes")
    inner = value[1:-1] if value[-1:] == first and len(value) > 1 else value
    hint = f"put other quotes around all of it: {quoted(inner)}"
    return Fault("RS020", "text after the closing quote", line, column, len(row.rstrip()), hint)


def _quoted_rest(row: str, column: int) -> str:
    rest = re.split(r"\s+#", row[column:])[0].rstrip()
    return quoted(rest)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:37] + "..."
