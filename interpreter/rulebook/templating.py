"""Templates: the library's own, and those with which a game changes how its book looks.

A game's templates stand in the folder `rulebook` beside its file. A file there takes the place of the library's of the
same name; as `default/NAME` the library's can still be extended. Whatever a template puts in is escaped. Templates run
in a sandbox: those of a game can say how its book looks, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

    from rulespec.checked import CheckedSpec

OWN = Path(__file__).parent / "templates"
FOLDER = "rulebook"
"""The folder beside a game's file."""


class MissingLibrary(ImportError):
    """A library that an extra of this distribution brings is not installed."""


class TemplateFault(ValueError):
    """A template of a game cannot be read or filled; the message names it and the line."""


def need(library: str, what: str, extra: str) -> None:
    """Makes sure that a library is installed.

    Raises:
        MissingLibrary: it is not; the message names the extra.
    """
    if find_spec(library) is None:
        raise MissingLibrary(f"{what} needs {library}: pip install 'rulespec[{extra}]'")


def template_folders(spec: CheckedSpec) -> list[Path]:
    """Where the templates of a game may be: beside its own file, then beside those it extends."""
    folders = dict.fromkeys(Path(file).parent / FOLDER for file in (spec.source.path, *spec.source.files))
    return [folder for folder in folders if folder.is_dir()]


def environment(folders: Sequence[Path] = ()) -> Environment:
    """What finds and fills templates.

    Args:
        folders: with templates that come before the library's own, the first first.

    Raises:
        MissingLibrary: jinja2 is not installed.
    """
    need("jinja2", "a rulebook", "docs")
    from jinja2 import ChoiceLoader, FileSystemLoader, PrefixLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Files(FileSystemLoader):
        """Files of a folder; one that is no text is named."""

        def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
            try:
                return super().get_source(environment, template)
            except UnicodeDecodeError:
                raise TemplateFault(f"{Path(self.searchpath[0], template)}: the file is not UTF-8") from None

    own = Files(OWN)
    loader = ChoiceLoader([*(Files(folder) for folder in folders), own, PrefixLoader({"default": own})])
    return ImmutableSandboxedEnvironment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def filled(doing: Callable[[], str]) -> str:
    """What a template gives.

    Raises:
        TemplateFault: it has a mistake.
    """
    from jinja2 import TemplateError, TemplateSyntaxError

    try:
        return doing()
    except TemplateFault:
        raise
    except TemplateSyntaxError as error:
        raise TemplateFault(f"{error.filename or error.name}:{error.lineno}: {error.message}") from error
    except (TemplateError, TypeError, ValueError, AttributeError, ArithmeticError, LookupError) as error:
        raise TemplateFault(f"{_place(error)}{error}") from error


def _place(error: BaseException) -> str:
    """The last line of a template in a traceback, as `FILE:LINE: `; "" without one."""
    place, frame = "", error.__traceback__
    while frame is not None:
        code: Any = frame.tb_frame.f_code
        if code.co_filename.endswith(".j2"):
            place = f"{code.co_filename}:{frame.tb_lineno}: "
        frame = frame.tb_next
    return place
