"""Writes a rulebook as Markdown, with its pictures as files beside it.

The text is that of CommonMark with tables; anchors are `<a id>`, which every viewer knows. What is written in a game
is text: signs that mean something in Markdown or HTML are written so that they stand for themselves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import define, field

from interpreter.rulebook import blocks as b
from interpreter.rulebook.html import titles
from interpreter.rulebook.page_words import page_word

_SPECIAL = re.compile(r"([\\`*_{}\[\]#|~$])")
_AT_START = re.compile(r"^(\s*)([-+=]|\d+(?=[.)]))")


def markdown(book: b.Book, pictures: str = "pictures") -> tuple[str, dict[str, str]]:
    """A book as Markdown.

    Args:
        book: the book.
        pictures: the folder that the text says its pictures are in.

    Returns:
        The text, and the SVG text of each picture by its file name.
    """
    writer = _Writer(book, pictures)
    writer.book_text()
    return "\n\n".join(writer.parts) + "\n", writer.files


def escaped(text: str) -> str:
    """Text that stands for itself in Markdown, in a line."""
    text = " ".join(text.split()) if text.strip() else text
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = _SPECIAL.sub(r"\\\1", text)
    text = re.sub(r"://", ":&#47;/", text)  # no link of its own accord
    text = re.sub(r"(?<=[Ww])ww\.", "ww&#46;", text).replace("@", "&#64;")
    return _AT_START.sub(lambda m: f"{m[1]}{m[2]}\\" if m[2].isdigit() else f"{m[1]}\\{m[2]}", text)


@define
class _Writer:
    book: b.Book
    folder: str
    parts: list[str] = field(factory=list)
    files: dict[str, str] = field(factory=dict)

    def word(self, key: str, **values: object) -> str:
        return escaped(page_word(self.book, key, **values))

    # ------------------------------------------------------------ the book

    def book_text(self) -> None:
        book = self.book
        self.parts.append(f"# {escaped(book.title)}")
        self.parts.append(f"**{escaped(book.about)}**")
        facts = [f"{self.word('players')}: {escaped(book.players)}"]
        if book.version:
            facts.append(f"{self.word('version')}: {escaped(book.version)}")
        self.parts.append(" · ".join(facts))
        if book.base:
            self.parts.append(self.word("page_changes", base=book.base))
        self.parts.append(f"{self.word('page_rules')}\n\n> *{self.word('page_author')}*")
        self.parts.append(f"## {self.word('contents')}")
        self.parts.append(self._contents())
        for section in (*book.sections, *((book.summary,) if book.summary else ())):
            self._section(section, 2)
        if book.glossary:
            self._heading(2, "glossary", self.word("glossary"))
            for entry in book.glossary:
                self.parts.append(f'<a id="{entry.id}"></a>**{escaped(entry.term)}**')
                self.parts += self._blocks(entry.blocks, 3)
                if entry.see:
                    self.parts.append(f"{self.word('see')} {self._link(entry.see)}")
        if book.index:
            self._heading(2, "index", self.word("index"))
            lines = [f"- {escaped(e.term)}: {', '.join(map(self._link, e.targets))}" for e in book.index]
            self.parts.append("\n".join(lines))
        self.parts.append(f"---\n\n{self.word('page_made')}")

    def _contents(self) -> str:
        lines = []
        for section in (*self.book.sections, *((self.book.summary,) if self.book.summary else ())):
            lines.append(f"- [{self._runs(section.title, links=False)}](#{section.id})")
            lines += [f"  - [{self._runs(part.title, links=False)}](#{part.id})" for part in section.sections]
        if self.book.glossary:
            lines.append(f"- [{self.word('glossary')}](#glossary)")
        if self.book.index:
            lines.append(f"- [{self.word('index')}](#index)")
        return "\n".join(lines)

    def _link(self, target: str) -> str:
        return f"[{escaped(titles(self.book)[target])}](#{target})"

    def _heading(self, level: int, id: str, text: str) -> None:
        self.parts.append(f'<a id="{id}"></a>\n\n{"#" * min(level, 6)} {text}')

    def _section(self, section: b.Section, level: int) -> None:
        self._heading(level, section.id, self._runs(section.title))
        self.parts += self._blocks(section.blocks, level + 1)
        for part in section.sections:
            self._section(part, level + 1)

    # ------------------------------------------------------------ blocks

    def _runs(self, runs: b.Runs, links: bool = True) -> str:
        found = []
        for run in runs:
            match run:
                case b.Text(text):
                    found.append(_kept(text))
                case b.Strong(inner):
                    found.append(f"**{self._runs(inner, links).strip()}**")
                case b.Ref(target, inner):
                    text = self._runs(inner, links)
                    found.append(f"[{text}](#{target})" if links else text)
                case b.Code(text):
                    ticks = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
                    found.append(f"{ticks} {text} {ticks}" if "`" in text else f"{ticks}{text}{ticks}")
        return re.sub(r"\s+", " ", "".join(found))

    def _blocks(self, blocks: b.Blocks, level: int) -> list[str]:
        found: list[str] = []
        for block in blocks:
            found += self._block(block, level)
        return found

    def _block(self, block: b.Block, level: int) -> list[str]:
        match block:
            case b.Paragraph(runs):
                return [_line(self._runs(runs))]
            case b.Items():
                return ["\n".join(self._items(block, level))]
            case b.Table():
                return self._table(block)
            case b.Picture():
                return [self._picture(block)]
            case b.Author(inner):
                return [_quoted(self._blocks(inner, level))]
            case b.Rules(inner):
                return self._blocks(inner, level)
            case b.Note(inner, kind):
                return [_quoted([f"**{self.word(kind)}**", *self._blocks(inner, level)])]
            case b.Pieces():
                return self._pieces(block, level)
            case b.Example():
                return self._example(block, level)

    def _items(self, block: b.Items, level: int) -> list[str]:
        lines = []
        for number, item in enumerate(block.items, 1):
            mark = f"{number}. " if block.numbered else "- "
            text = "\n\n".join(self._blocks(item, level))
            first, *rest = text.split("\n")
            lines.append(mark + first)
            lines += [" " * len(mark) + line if line else "" for line in rest]
        return lines

    def _table(self, block: b.Table) -> list[str]:
        columns = len(block.head) or max((len(row) for row in block.rows), default=0)
        head = [self._runs(cell) for cell in block.head] or [""] * columns
        rule = ["---:" if n < len(block.numeric) and block.numeric[n] else "---" for n in range(columns)]
        rows = [[self._runs(cell) for cell in row] for row in block.rows]
        if block.row_heads:
            rows = [[f"**{row[0].strip()}**" if row[0].strip() else "", *row[1:]] for row in rows if row]
        lines = [f"| {' | '.join(cells)} |" for cells in (head, rule, *rows)]
        return [*([f"**{self._runs(block.caption)}**"] if block.caption else []), "\n".join(lines)]

    def _picture(self, block: b.Picture) -> str:
        caption = f"\n\n*{self._runs(block.caption)}*" if block.caption else ""
        return self._image(block) + caption

    def _image(self, block: b.Picture) -> str:
        return f"![{escaped(block.alt)}]({self.folder}/{self._file(block.svg)})"

    def _file(self, svg: str) -> str:
        match = re.search(r'<title id="([A-Za-z0-9-]+)-title"', svg)
        name = f"{match[1] if match else 'picture'}.svg"
        while self.files.get(name, svg) != svg:
            name = f"{name.removesuffix('.svg')}-a.svg"
        self.files[name] = svg
        return name

    def _pieces(self, block: b.Pieces, level: int) -> list[str]:
        found = []
        for piece in block.pieces:
            anchor = f'<a id="{piece.id}"></a>' if piece.id else ""
            copies = f" ×{piece.copies}" if piece.copies > 1 else ""
            facts = "; ".join(f"{self._runs(name)}: {self._runs(value)}" for name, value in piece.facts)
            line = f"{anchor}**{self._runs(piece.name)}**{copies}" + (f": {facts}" if facts else "")
            found.append("\n\n".join([line, *self._blocks(piece.blocks, level)]))
        listed = [f"- {text}".replace("\n", "\n  ").replace("\n  \n", "\n\n") for text in found]
        # Cards beside each other, before the list that tells the same in words.
        shown = [p.picture for p in block.pieces if p.picture is not None]
        images = [self._image(picture) for picture in shown]
        return [*([" ".join(images)] if images else []), "\n".join(listed)]

    def _example(self, block: b.Example, level: int) -> list[str]:
        title = f"{self.word('example')}: {self._runs(block.title)}"
        found = [f'<a id="{block.id}"></a>\n\n{"#" * min(level, 6)} {title}', *self._blocks(block.blocks, level + 1)]
        if block.before is not None:
            found += self._position(block.before, "before")
        for part in block.parts:
            for key, lines, mark in (("steps", part.steps, "1. "), ("happens", part.happens, "- ")):
                found += self._listed(key, lines, mark)
            if part.after is not None:
                found += self._position(part.after, "after")
            found += self._listed("holds", part.holds, "- ")
        if block.rule:
            found.append(f"{self.word('rule')}: {self._runs(block.rule)}")
        return found

    def _position(self, picture: b.Picture, key: str) -> list[str]:
        head = self._runs(picture.caption) if picture.caption else self.word(key)
        return [f"*{head.strip()}*", self._image(picture)]

    def _listed(self, key: str, lines: Iterable[b.Runs], mark: str) -> list[str]:
        texts = [mark + self._runs(line) for line in lines]
        return [f"*{self.word(key)}*", "\n".join(texts)] if texts else []


def _kept(text: str) -> str:
    """Escaped text inside a line, with its blanks at both ends."""
    left = " " if text[:1].isspace() else ""
    right = " " if text[-1:].isspace() and text.strip() else ""
    return f"{left}{escaped(text.strip())}{right}" if text.strip() else " "


def _line(text: str) -> str:
    return text.strip()


def _quoted(parts: list[str]) -> str:
    return "\n".join(f"> {line}".rstrip() for line in "\n\n".join(parts).split("\n"))
