"""The files of one game as they are read: which, in what order, and what a game may read at all."""

from __future__ import annotations

import hashlib
import posixpath
from pathlib import Path

from attrs import define, field

from rulespec.diagnostics import Reporter
from rulespec.source import Span
from rulespec.yaml_source import MAX_BYTES


@define
class Sources:
    """Reads files and keeps their contents.

    A spec may come from anyone, so it names files only relative to itself. Tables lie in the folder of
    one of its spec files or below; only `extends` may climb, and only to YAML files.
    """

    reporter: Reporter
    contents: dict[str, bytes] = field(factory=dict)
    _folders: list[Path] = field(factory=list)

    def read(self, path: str, named: Span | None) -> bytes | None:
        """The contents of a file. `named` is the place where a spec names it."""
        if path in self.contents:
            return self.contents[path]
        try:
            if Path(path).exists() and not Path(path).is_file():
                raise IsADirectoryError
            size = Path(path).stat().st_size
            data = b"" if size > MAX_BYTES else Path(path).read_bytes()
        except (OSError, ValueError) as error:
            reason = {
                "FileNotFoundError": "there is no file",
                "IsADirectoryError": "not a file, but a folder or device, is at",
            }
            start = reason.get(type(error).__name__, "can't read the file")
            self.reporter.error("RS001", f"{start} `{path}`", named or Span(path, 1, 1, 1, 1))
            return None
        if size > MAX_BYTES:
            message = f"the file `{path}` has {size:,} bytes, more than {MAX_BYTES:,}"
            self.reporter.error("RS004", message, named or Span(path, 1, 1, 1, 1))
            return None
        self.contents[path] = data
        return data

    def allow_folder_of(self, path: str) -> None:
        """Tables may be read from the folder of this spec file."""
        self._folders.append(Path(path).resolve().parent)

    def locate(self, name: str, named: Span, suffixes: tuple[str, ...], climb: bool) -> str | None:
        """The path of a file that a spec names relative to itself, or None after a report."""
        listed = " or ".join(f"`{s}`" for s in suffixes)
        if not name.endswith(suffixes):
            self.reporter.error("RS121", f"expected the name of a file that ends in {listed}, found `{name}`", named)
            return None
        if "\\" in name:
            self.reporter.error("RS121", f"the path `{name}` has a backslash", named, "write `/` between folders")
            return None
        path = posixpath.normpath(posixpath.join(posixpath.dirname(named.path.replace("\\", "/")), name))
        if posixpath.isabs(name) or Path(name).is_absolute():
            hint = "write the path from the folder of this file"
            self.reporter.error("RS121", f"the path `{name}` is absolute", named, hint)
            return None
        if not climb and not any(Path(path).resolve().is_relative_to(folder) for folder in self._folders):
            hint = "put the file beside the game file or in a folder below"
            self.reporter.error("RS121", f"the path `{name}` leaves the game's folder", named, hint)
            return None
        return path

    def digest(self) -> str:
        """A hash of all contents in the order read, the same on every system and for every folder."""
        total = hashlib.sha256()
        for data in self.contents.values():
            plain = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").replace(b"\r", b"\n")
            total.update(b"%d:" % len(plain) + plain)
        return total.hexdigest()
