"""What the documentation shows is true: its specs check and play, its commands and programs give what is shown.

Every page is run from top to bottom in a folder of its own, where `games/` and `tests/` of the checkout can be read.
A fenced block says by its language, and by words after it, what is done with it:

    yaml                      with a line `rulespec:` a whole spec: no error, no warning, three random games;
                              with a line `scenarios:` scenarios that pass; else a part of a spec, which is
                              completed with what it lacks and must have no error
    yaml file=NAME            the same, and kept under that name for the blocks that follow
    yaml into=NAME            sections that replace those of the spec NAME or are new there; the result is a whole spec
    yaml same=NAME            the same text as the file NAME has by now
    yaml from=PATH            an excerpt: each piece between lines of `...` stands in that file of the checkout
    yaml file=NAME words=PATH words of the rulebook of the game in that folder of the checkout, which is made with them
    diff file=NAME            lines that are replaced in NAME, for the next console block only
    console                   after `$ rulespec ...` what it prints; `...` stands for any lines, `> TEXT` is typed;
                              other commands than `rulespec` are not run
    python, text              a program, and after it what it prints
    csv file=NAME, json       a file, and anything else: not run

`pytest tests/docs --update-golden` writes outputs without `...`, and the pages made from tables, again.

Rows of a table with the head `expression | value` are evaluated in the first position of the last whole spec above.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

import interpreter
import rulespec
from interpreter.cli.app import app
from interpreter.match import Match
from interpreter.rulebook import make_book
from rulespec.check.codes import CODES
from rulespec.diagnostics import short
from rulespec.spec import keys

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

HEAD = {
    "rulespec": "rulespec: 1",
    "id": "id: part",
    "title": "title: Part",
    "about": "about: A part of a spec.",
    "players": "players: 2",
    "phases": "phases:\n  end_of_part: {do: end game}",
}


@attrs.frozen
class Block:
    """A fenced block, or a table as a block of the language `table`."""

    line: int
    language: str
    words: dict[str, str]
    text: str


def blocks(page: Path) -> Iterator[Block]:
    lines = page.read_text(encoding="utf-8").splitlines()
    number = 0
    while number < len(lines):
        line = lines[number]
        start = number + 1
        fence = re.fullmatch(r"( *)(```+)(\w*)(.*)", line)
        if fence:
            indent, ticks, language, rest = fence.groups()
            end = next(n for n in range(start, len(lines)) if lines[n].strip() == ticks)
            text = "".join(f"{one.removeprefix(indent)}\n" for one in lines[start:end])
            words = dict(word.partition("=")[::2] for word in rest.split())
            yield Block(start + 1, language, words, text)
            number = end
        elif re.match(r"\| *expression *\| *value *\|", line):
            end = next((n for n in range(start, len(lines)) if not lines[n].startswith("|")), len(lines))
            yield Block(start + 2, "table", {}, "\n".join(lines[start + 1 : end]))
            number = end
        number += 1


def prose(page: Path) -> str:
    """The page without its fenced blocks and code spans."""
    text = re.sub(r"^( *)(```+).*?^ *\2 *$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]+`", "", text)


# ---------------------------------------------------------------- running a page


class PageRun:
    """A page being run in the present folder."""

    def __init__(self, update: bool) -> None:
        self.update = update
        self.updates: list[tuple[int, str, str]] = []
        self.names: dict[str, Any] = {"__name__": "__page__"}
        self.printed: str | None = None
        self.undo: dict[str, str] = {}
        self.spec: Path | None = None

    def run(self, block: Block) -> None:
        printed, self.printed = self.printed, None
        match block.language:
            case "yaml":
                self.yaml(block)
            case "csv":
                self.write(block.words["file"], block.text)
            case "diff":
                self.diff(block)
            case "console":
                self.console(block)
            case "python":
                out = io.StringIO()
                code = compile("\n" * (block.line - 1) + block.text, "<page>", "exec")
                with contextlib.redirect_stdout(out):
                    exec(code, self.names)
                self.printed = out.getvalue()
            case "text" if printed is not None:
                self.compare(block.text, printed, block.line)
            case "table":
                self.table(block)

    def compare(self, shown: str, found: str, line: int) -> None:
        """Compares an output that is shown from a line on, or keeps what it is for the page to be written again."""
        if self.update and "...\n" not in shown and not same(shown, found):
            text = "".join(f"{one.rstrip()}\n" for one in found.strip("\n").splitlines())
            self.updates.append((line, shown, text))
        else:
            assert same(shown, found), found

    @staticmethod
    def write(name: str, text: str) -> Path:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def yaml(self, block: Block) -> None:
        words, text = block.words, block.text
        if "from" in words:
            source = squeezed((ROOT / words["from"]).read_text(encoding="utf-8"))
            for piece in re.split(r"^ *(?:# )?\.\.\. *$", text, flags=re.MULTILINE):
                assert squeezed(piece) in source, piece
        elif "same" in words:
            whole = Path(words["same"]).read_text(encoding="utf-8")
            if self.update:
                self.updates.append((block.line, text, whole))
            else:
                assert text == whole
        elif "into" in words:
            path = Path(words["into"])
            self.whole(self.write(words["into"], merged(path.read_text(encoding="utf-8"), text)))
        elif "words" in words:
            # Words for the rulebook of a game.
            shutil.copytree(ROOT / words["words"], "game_with_words")
            self.write(f"game_with_words/{words['file']}", text)
            make_book(rulespec.load(Path("game_with_words/game.yaml")))
        elif re.search(r"^scenarios:", text, re.MULTILINE):
            results = interpreter.run_scenarios(self.write(words.get("file", "scenarios.yaml"), text))
            assert results
            assert [r.message for r in results if not r.passed] == []
        elif re.search(r"^(rulespec|extends):", text, re.MULTILINE):
            self.whole(self.write(words.get("file", "game.yaml"), text))
        else:
            self.part(text)

    def whole(self, path: Path) -> None:
        assert [short(d) for d in rulespec.check(path)] == []
        spec = rulespec.load(path)
        for players in dict.fromkeys(spec.source.seats):
            report = interpreter.simulate(interpreter.Game(spec, players), 3, check_invariants=True)
            assert report.faults == ()
        self.spec = path

    def part(self, text: str) -> None:
        found = set(re.findall(r"^(\w+):", text, re.MULTILINE))
        missing = [
            line for key, line in HEAD.items() if key not in found and not (key == "players" and "seats" in found)
        ]
        path = self.write("part.yaml", "\n".join([*missing, text]))
        assert [short(d) for d in rulespec.check(path) if d.severity == "error"] == []

    def diff(self, block: Block) -> None:
        name = block.words["file"]
        text = Path(name).read_text(encoding="utf-8")
        self.undo[name] = text
        old = "".join(f"{line[1:]}\n" for line in block.text.splitlines() if line[0] in " -")
        new = "".join(f"{line[1:]}\n" for line in block.text.splitlines() if line[0] in " +")
        assert text.count(old) == 1, f"{old!r} is not in {name} once"
        Path(name).write_text(text.replace(old, new), encoding="utf-8")

    def console(self, block: Block) -> None:
        line = block.line
        for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            start, line = line + 1, line + part.count("\n")
            arguments = command.split(" #")[0].split()
            if arguments[0] != "rulespec":
                continue
            typed = "".join(f"{text}\n" for text in re.findall(r"^> (.*)$", expected, re.MULTILINE))
            result = CliRunner(echo_stdin=True).invoke(app, arguments[1:], input=typed, prog_name="rulespec")
            if result.exception is not None and not isinstance(result.exception, SystemExit):
                raise result.exception
            self.compare(expected, result.output, start)
        for name, text in self.undo.items():
            Path(name).write_text(text, encoding="utf-8")
        self.undo.clear()

    def table(self, block: Block) -> None:
        assert self.spec is not None
        text = f"game: {self.spec.absolute()}\nscenarios:\n"
        for number, row in enumerate(block.text.splitlines(), 1):
            expression, value = re.findall(r"\| *`([^`]*)` *(?=\|)", row)[:2]
            claim = {"true": expression, "false": f"not ({expression})"}.get(value, f"({expression}) == ({value})")
            text += f"  - name: row {number}\n    then:\n      - '{claim}'\n"
        results = interpreter.run_scenarios(self.write("table.yaml", text))
        assert "" == "\n".join(f"{result.name}: {result.message}" for result in results if not result.passed)


def merged(text: str, change: str) -> str:
    """A spec with its top-level sections replaced by those of another text, in the usual order."""
    sections = split(text)
    sections.update(split(change))
    order = ["head", *keys.SECTIONS]
    return "\n\n".join(sections[name].strip("\n") for name in order if name in sections) + "\n"


def split(text: str) -> dict[str, str]:
    parts = re.split(r"^(?=[a-z_]+:)", text, flags=re.MULTILINE)
    found = {}
    head = "".join(part for part in parts[1:] if part.split(":")[0] in keys.HEAD)
    if head:
        found["head"] = head
    for part in parts[1:]:
        name = part.split(":")[0]
        if name not in keys.HEAD:
            found[name] = part
    return found


def squeezed(text: str) -> str:
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def same(expected: str, found: str) -> bool:
    """Whether an output is as shown, but for speed, spaces at the ends of lines and blank lines around it."""
    pieces = [re.escape(normal(piece)) for piece in re.split(r"^\.\.\.\n", expected, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(pieces), normal(found)) is not None


def normal(text: str) -> str:
    text = re.sub(r"(decisions/s +|\"(?:seconds|decisions_per_second)\": )[\d.,]+", r"\1N", text)
    lines = [line.rstrip() for line in text.replace("\r", "").splitlines()]
    return "".join(f"{line}\n" for line in lines if line)


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_page_shows_what_is(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_golden: bool) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    for folder in ("games", "tests"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    run = PageRun(update_golden)
    for block in blocks(page):
        try:
            run.run(block)
        except BaseException as problem:
            problem.add_note(f"{page.relative_to(ROOT)}:{block.line}: {block.language}")
            raise
    assert run.undo == {}
    if run.updates:
        lines = page.read_text(encoding="utf-8").splitlines(keepends=True)
        for start, old, new in reversed(run.updates):
            count = old.count("\n")
            assert "".join(lines[start - 1 : start - 1 + count]) == old
            lines[start - 1 : start - 1 + count] = [new]
        page.write_text("".join(lines), encoding="utf-8")


# ---------------------------------------------------------------- words and links


def anchors(page: Path) -> set[str]:
    heads = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_page_is_finished(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"TODO|FIXME|XXX|/(?:work|home|tmp|Users|root)/", text)
    if page.name != "meaning.md":
        assert [n for n, line in enumerate(text.splitlines(), 1) if len(line) > 120 and not line.startswith("|")] == []


# ---------------------------------------------------------------- complete


def reference() -> str:
    return "".join(page.read_text(encoding="utf-8") for page in (ROOT / "docs/reference").glob("*.md"))


def check_made_page(name: str, made: str, update: bool) -> None:
    page = ROOT / "docs/reference" / name
    if update:
        page.write_text(made, encoding="utf-8")
    assert page.read_text(encoding="utf-8") == made, "run `pytest tests/docs --update-golden`"


def test_every_code_is_described(update_golden: bool) -> None:
    check_made_page("errors.md", code_page(), update_golden)


def test_every_key_is_described(update_golden: bool) -> None:
    check_made_page("keys.md", key_page(), update_golden)


def code_page() -> str:
    """The page of all codes, with the first message of a case of each."""
    families = {
        "RS0": "YAML",
        "RS1": "Structure: keys and entries",
        "RS2": "Syntax of the rules language",
        "RS3": "Names",
        "RS4": "Types and values",
        "RS5": "Course of play",
        "RS6": "Scenarios",
        "RS9": "Warnings",
    }
    lines = [
        "# Messages",
        "",
        "Every message of `rulespec check` has a code that keeps its meaning. RS9xx are warnings: the game can be",
        "played, but something in it is hardly meant. All others are errors: the game cannot be played.",
        "",
        "The examples are messages of real mistakes; the whole files and messages are in",
        "[tests/diagnostics](../../tests/diagnostics). This page is made of `rulespec/check/codes.py` and those cases.",
    ]
    for start, title in families.items():
        lines += ["", f"## {start}xx {title}", "", "| code | about | for example |", "|---|---|---|"]
        lines += [
            f"| `{code}` | {about} | {example(code)} |" for code, about in CODES.items() if code.startswith(start)
        ]
    return "\n".join(lines) + "\n"


def example(code: str) -> str:
    """The message of the first case of a code."""
    for case in sorted((ROOT / "tests/diagnostics").glob(f"{code}-*")):
        found = re.search(rf"\[{code}\]: (.*)", (case / "expected.txt").read_text(encoding="utf-8"))
        if found:
            parts = re.split(r"(`[^`]*`)", found[1].replace("|", "\\|"))
            return "".join(part if part[:1] == "`" else part.replace("<", "&lt;").replace("*", "\\*") for part in parts)
    return ""


def key_page() -> str:
    """The page of all keys, made from the tables that the reader uses."""
    from rulespec.scenarios import keys as scenario

    lines = [
        "# All keys",
        "",
        "Every key of a game file and of a scenario file. What they mean together is in [the language](language.md)",
        "and in [scenarios](scenarios.md). Keys in bold must be there.",
        "",
        "This page is made from the tables that the reader of files uses, `rulespec/spec/keys.py` and",
        "`rulespec/scenarios/keys.py`.",
        "",
        "## Head of a game file",
        "",
        *key_table(keys.HEAD),
    ]
    for name, section in keys.SECTIONS.items():
        lines += ["", f"## `{name}`", "", section.doc]
        if section.short:
            forms = ", ".join(f"a {form} in place of the map is its `{key}`" for form, key in section.short.items())
            lines += [forms[0].upper() + forms[1:] + "."]
        lines += ["", *key_table(section.keys)]
    for title, table in (
        ("Keys of `turns`", keys.TURN_KEYS),
        ("Keys of `shape`", keys.SHAPE_KEYS),
        ("Keys of a `grid` with named columns", keys.GRID_KEYS),
        ("Keys of a drawn `start`", keys.START_KEYS),
        ("Keys of a field", keys.FIELD_KEYS),
        ("Head of a scenario file", scenario.FILE),
        ("A scenario", scenario.SCENARIO),
        ("A claim of `then`", scenario.CLAIMS_BY_KEY),
    ):
        lines += ["", f"## {title}", "", *key_table(table)]
    return "\n".join(lines) + "\n"


def key_table(table: dict[str, keys.Key]) -> list[str]:
    rows = ["| key | value | |", "|---|---|---|"]
    for name, key in table.items():
        shown = f"**`{name}`**" if key.required else f"`{name}`"
        layered = " `usual` may stand in it." if key.layered else ""
        rows.append(f"| {shown} | {key.kind.name} | {key.doc}{layered} |")
    return rows


def test_every_built_in_is_described() -> None:
    from rulespec.check.builtins import BUILT_INS
    from rulespec.check.names import PLAIN_BUILT_INS

    text = (ROOT / "docs/reference/functions.md").read_text(encoding="utf-8")
    spans = "".join(re.findall(r"`[^`\n]+`", text))
    missing = [name for name in (*BUILT_INS, *PLAIN_BUILT_INS) if not re.search(rf"\b{name}\b", spans)]
    assert missing == []


def test_every_command_has_an_example() -> None:
    from interpreter.cli.app import COMMANDS

    text = (ROOT / "docs/reference/cli.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"$ rulespec {name}" not in text] == []


def test_every_public_name_is_described() -> None:
    text = (ROOT / "docs/embedding.md").read_text(encoding="utf-8")
    public = [
        *rulespec.__all__,
        *interpreter.__all__,
        *members(interpreter.State),
        *members(interpreter.Game),
        *members(Match),
    ]
    missing = [name for name in public if name != "__version__" and not re.search(rf"\b{name}\b", text)]
    assert missing == []


def test_every_shipped_game_is_listed() -> None:
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    heads = [path.read_text(encoding="utf-8")[:2000] for path in ROOT.glob("games/*/*.yaml")]
    titles = {match[1] for head in heads if (match := re.search(r"^title: *\"?([^:\"\n]+)", head, re.MULTILINE))}
    assert [title for title in sorted(titles) if title not in text] == []


def test_every_file_that_is_named_is_there() -> None:
    text = (ROOT / "docs/contributing/architecture.md").read_text(encoding="utf-8")
    named = {span for span in re.findall(r"`([\w/.]+)`", text) if span.endswith((".py", ".lark", ".yaml", "/"))}
    names = {path.name for folder in ("rulespec", "interpreter") for path in (ROOT / folder).rglob("*")}
    assert [name for name in sorted(named) if not (ROOT / name).exists() and name not in names] == []


def members(cls: type) -> list[str]:
    return [name for name in vars(cls) if not name.startswith("_")]
