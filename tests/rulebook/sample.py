"""A small book with every kind of block, written by hand: what writes books is tested without what makes them."""

from interpreter.rulebook import blocks as b

WORDS = {
    "contents": "Contents", "glossary": "Glossary", "index": "Index", "summary": "At a glance", "example": "Example",
    "before": "Before", "after": "Afterwards", "author": "Author", "rules": "Rules", "note": "Note",
    "option": "Option", "warning": "Careful", "see": "see", "copies": "{n} times", "players": "Players",
    "version": "Version", "rule": "Rule", "steps": "What the players do", "happens": "What happens", "holds": "Then",
    "changes": "What changes", "page": "page",
}  # fmt: skip

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="picture" role="img" aria-labelledby="{0}-title" width="40" '
    'height="20" viewBox="0 0 40 20"><title id="{0}-title">A bar</title>'
    '<rect width="40" height="20" fill="#ccc"/></svg>'
)


def text(words: str) -> b.Runs:
    return (b.Text(words),)


def line(words: str) -> b.Paragraph:
    return b.Paragraph(text(words))


def picture(name: str, caption: str = "") -> b.Picture:
    return b.Picture(SVG.format(name), "A bar", text(caption) if caption else ())


def book(said: str = "Take two.", base: str = "") -> b.Book:
    """The book. `said` stands wherever a game may say something."""
    overview = b.Section(
        "overview",
        text("Overview"),
        (
            b.Author((line(said),)),
            b.Rules((line("The highest score wins."),)),
            b.Note((line("Without the option nothing changes."),), "option"),
        ),
        kind="overview",
    )
    pieces = b.Pieces(
        text("Cards"),
        (
            b.Piece("card-one", text("One"), 3, ((text("Value"), text("1")),)),
            b.Piece("card-two", text(said), 1, (), (b.Rules((line("Worth two."),)),), picture("card-two-picture")),
        ),
    )
    table = b.Table(
        (text("Name"), text("Number")),
        ((text("Card"), text("12")), (text(said), text("3"))),
        text("What there is"),
        numeric=(False, True),
    )
    components = b.Section("components", text("Components"), (table, pieces), kind="components")
    steps = b.Items(
        (
            (line("Shuffle."), b.Items(((line("all of them"),), (line(said),)))),
            (b.Paragraph((b.Strong(text("Deal")), b.Text(" three, see "), b.Ref("components", text("Components")))),),
        ),
        numbered=True,
    )
    course = b.Section(
        "course",
        text("Course"),
        (picture("flow", "How it goes"), b.Rules((steps,))),
        (b.Section("phase-play", text("Play"), (b.Paragraph((b.Text("Do "), b.Code("take(n=1)"))),), kind="phase"),),
        "course",
    )
    example = b.Example(
        "example-1",
        text(said),
        text("page 2"),
        (line("It is your turn."),),
        picture("before"),
        (b.ExamplePart((text("Ann takes."),), (text("Ann has two."),), (text("Two are left."),), picture("after")),),
    )
    examples = b.Section("examples", text("Examples"), (example,), kind="examples")
    return b.Book(
        "sample",
        "Sample",
        "2",
        "en",
        said,
        "2 to 4",
        base,
        (overview, components, course, examples),
        (b.GlossaryEntry("term-card", "Card", (line(said),), "components"),),
        (b.IndexEntry("Card", ("term-card", "components", "example-1", "card-one")),),
        b.Section("summary", text("At a glance"), (b.Items(((line("Take one."),),)),), kind="summary"),
        WORDS,
    )
