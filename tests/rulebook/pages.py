"""HTML pages read for tests."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser

from attrs import define, field

VOID = {"meta", "br", "hr", "img", "link", "input"}


@define(eq=False)
class Element:
    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(factory=list)

    def all(self, *tags: str) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                if not tags or child.tag in tags:
                    yield child
                yield from child.all(*tags)

    @property
    def text(self) -> str:
        return "".join(child if isinstance(child, str) else child.text for child in self.children)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self.stack = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.stack[-1].children.append(element)
        if tag not in VOID:
            self.stack.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.stack[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.stack[-1].tag == tag, f"</{tag}> closes <{self.stack[-1].tag}>"
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        self.stack[-1].children.append(data)


def read(page: str) -> Element:
    """The page as a tree; every element must be closed where it should be."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert len(reader.stack) == 1, f"<{reader.stack[-1].tag}> is not closed"
    return reader.root


def faults(page: str) -> list[str]:
    """What is wrong with a page of a book: order of headings, ids, links, names of pictures, heads of tables."""
    root = read(page)
    found: list[str] = []
    ids = [element.attributes["id"] for element in root.all() if "id" in element.attributes]
    found += [f"id {id} is there {ids.count(id)} times" for id in dict.fromkeys(ids) if ids.count(id) > 1]
    for element in root.all():
        for name in ("aria-labelledby", "aria-describedby"):
            found += [f"{name} {id}: no such id" for id in element.attributes.get(name, "").split() if id not in ids]
        for name in ("href", "src", "xlink:href"):
            target = element.attributes.get(name)
            if target is not None and not (target.startswith("#") and target[1:] in ids):
                found.append(f"{name} leads to {target}")
        found += [f"<{element.tag} {name}>" for name in element.attributes if name.startswith("on")]
    level = 0
    for heading in root.all("h1", "h2", "h3", "h4", "h5", "h6"):
        here = int(heading.tag[1])
        if here > level + 1:
            found.append(f"{heading.tag} after h{level}: {heading.text.strip()}")
        if not heading.text.strip():
            found.append(f"an empty {heading.tag}")
        level = here
    if sum(1 for _ in root.all("h1")) != 1:
        found.append("not one h1")
    for drawing in root.all("svg"):
        titles = [child.text for child in drawing.all("title")]
        if drawing.attributes.get("role") != "img" or not titles or not titles[0].strip():
            found.append("a picture without role or title")
    for table in root.all("table"):
        heads = list(table.all("th"))
        found += ["a head of a table without scope" for head in heads if "scope" not in head.attributes]
        if not heads:
            found.append("a table without heads")
    for section in root.all("section"):
        inner = [child for child in section.children if isinstance(child, Element)]
        if not "".join(child.text for child in inner[1:]).strip():
            found.append(f"section {section.attributes.get('id')} is empty")
    found += [f"<{element.tag}>" for element in root.all("script", "iframe", "object", "embed", "link", "base", "form")]
    if not next(root.all("html")).attributes.get("lang"):
        found.append("no language")
    found += [f"no <{tag}>" for tag in ("main", "nav", "header", "footer") if not any(root.all(tag))]
    return found
