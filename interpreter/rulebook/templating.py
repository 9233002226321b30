"""Templates: the library's own, and those with which a game changes how its book looks.

A game's templates stand in the folder `rulebook` beside its file. A file there takes the place of the library's of the
same name; as `default/NAME` the library's can still be extended. Whatever a template puts in is escaped. Templates run
in a sandbox: those of a game can say how its book looks, and nothing else.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib.util import cache_from_source, find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import BytecodeCache, Environment
    from jinja2.bccache import Bucket

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
    import jinja2
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
    # The sandbox is for templates of games; the library's own need none, and are filled faster without.
    kind = ImmutableSandboxedEnvironment if any(_templates(folder) for folder in folders) else jinja2.Environment
    return kind(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=_compiled(kind.__name__),
    )


def _templates(folder: Path) -> bool:
    """Whether a game has templates there; whatever is no file of words counts as one."""
    return any(path.suffix != ".yaml" for path in folder.iterdir())


def _compiled(kind: str) -> BytecodeCache:
    """Keeps the library's templates compiled where Python keeps its compiled modules, and under the same rules.

    Args:
        kind: of the environment that fills them.
    """
    import jinja2

    made_by = int(Path(jinja2.__file__).stat().st_mtime)  # code of another Jinja may not fit

    class Compiled(jinja2.BytecodeCache):
        def get_cache_key(self, name: str, filename: str | None = None) -> str:
            """A file name; "" for templates of games."""
            own = filename is not None and Path(filename).parent == OWN
            return f"{re.sub(r'[/.]', '-', name)}-{kind}-{made_by}" if own else ""

        def load_bytecode(self, bucket: Bucket) -> None:
            if bucket.key:
                with suppress(OSError), Path(cache_from_source(str(OWN / bucket.key))).open("rb") as file:
                    bucket.load_bytecode(file)

        def dump_bytecode(self, bucket: Bucket) -> None:
            if bucket.key and not sys.dont_write_bytecode:
                path = Path(cache_from_source(str(OWN / bucket.key)))
                unfinished = path.with_name(f"{path.name}.{os.getpid()}")
                with suppress(OSError):
                    path.parent.mkdir(parents=True, exist_ok=True)
                    unfinished.write_bytes(bucket.bytecode_to_string())
                    unfinished.replace(path)

    return Compiled()


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
