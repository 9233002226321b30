"""Going through books: all runs, all references, and books without references that lead nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from interpreter.rulebook.blocks import (
    Author,
    Block,
    Blocks,
    Book,
    Example,
    ExamplePart,
    Items,
    Note,
    Paragraph,
    Picture,
    Piece,
    Pieces,
    Ref,
    Rules,
    Run,
    Runs,
    Section,
    Strong,
    Table,
    all_blocks,
    all_sections,
)
from interpreter.rulebook.speech import merged


def block_runs(block: Block) -> Iterator[Runs]:
    """The runs of a block itself, without those of blocks inside it."""
    match block:
        case Paragraph(runs):
            yield runs
        case Table(head, rows, caption):
            yield caption
            yield from head
            for row in rows:
                yield from row
        case Picture(caption=caption):
            yield caption
        case Pieces(name, pieces):
            yield name
            for piece in pieces:
                yield piece.name
                for word, value in piece.facts:
                    yield word
                    yield value
        case Example(title=title, rule=rule, parts=parts):
            yield title
            yield rule
            for part in parts:
                yield from (*part.steps, *part.happens, *part.holds)
        case _:
            pass


def every_ref(blocks: Blocks) -> Iterator[Ref]:
    """Every reference in blocks."""
    for block in all_blocks(blocks):
        for runs in block_runs(block):
            yield from _refs(runs)


def _refs(runs: Runs) -> Iterator[Ref]:
    for run in runs:
        if isinstance(run, Ref):
            yield run
            yield from _refs(run.runs)
        elif isinstance(run, Strong):
            yield from _refs(run.runs)


def all_ids(book: Book) -> list[str]:
    """Every id of a book."""
    found = [section.id for section in all_sections(book)]
    for section in all_sections(book):
        for block in all_blocks(section.blocks):
            match block:
                case Pieces(pieces=pieces):
                    found += [piece.id for piece in pieces if piece.id]
                case Example(id=id):
                    found.append(id)
                case _:
                    pass
    return found + [entry.id for entry in book.glossary]


def without_dead_links(book: Book) -> Book:
    """The book with plain words in place of references to what it does not tell."""
    there = set(all_ids(book))

    def change(runs: Runs) -> Runs:
        found: list[Run] = []
        for run in runs:
            match run:
                case Ref(target, inner) if target not in there:
                    found += change(inner)
                case Ref(target, inner):
                    found.append(Ref(target, change(inner)))
                case Strong(inner):
                    found.append(Strong(change(inner)))
                case _:
                    found.append(run)
        return merged(tuple(found))

    glossary = tuple(
        attrs.evolve(entry, blocks=mapped(entry.blocks, change), see=entry.see if entry.see in there else "")
        for entry in book.glossary
        if entry.see in there or not book.base
    )
    return attrs.evolve(
        book,
        sections=tuple(_section(section, change) for section in book.sections),
        glossary=glossary,
        summary=_section(book.summary, change) if book.summary is not None else None,
    )


def _section(section: Section, change: Callable[[Runs], Runs]) -> Section:
    return attrs.evolve(
        section,
        title=change(section.title),
        blocks=mapped(section.blocks, change),
        sections=tuple(_section(part, change) for part in section.sections),
    )


def mapped(blocks: Blocks, change: Callable[[Runs], Runs]) -> Blocks:
    """Blocks with every run of words changed."""
    return tuple(_mapped(block, change) for block in blocks)


def _mapped(block: Block, change: Callable[[Runs], Runs]) -> Block:
    match block:
        case Paragraph(runs):
            return Paragraph(change(runs))
        case Items(items, numbered):
            return Items(tuple(mapped(item, change) for item in items), numbered)
        case Table():
            return attrs.evolve(
                block,
                head=tuple(map(change, block.head)),
                rows=tuple(tuple(map(change, row)) for row in block.rows),
                caption=change(block.caption),
            )
        case Picture():
            return attrs.evolve(block, caption=change(block.caption))
        case Author(inner):
            return Author(mapped(inner, change))
        case Rules(inner):
            return Rules(mapped(inner, change))
        case Note(inner, kind):
            return Note(mapped(inner, change), kind)
        case Pieces(name, pieces):
            return Pieces(change(name), tuple(_piece(piece, change) for piece in pieces))
        case Example():
            return attrs.evolve(
                block,
                title=change(block.title),
                rule=change(block.rule),
                blocks=mapped(block.blocks, change),
                parts=tuple(_part(part, change) for part in block.parts),
            )


def _piece(piece: Piece, change: Callable[[Runs], Runs]) -> Piece:
    return attrs.evolve(
        piece,
        name=change(piece.name),
        facts=tuple((change(word), change(value)) for word, value in piece.facts),
        blocks=mapped(piece.blocks, change),
    )


def _part(part: ExamplePart, change: Callable[[Runs], Runs]) -> ExamplePart:
    return ExamplePart(
        tuple(map(change, part.steps)), tuple(map(change, part.happens)), tuple(map(change, part.holds)), part.after
    )
