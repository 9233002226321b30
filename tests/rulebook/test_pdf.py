"""Books for print: page numbers, contents with page numbers, bookmarks, and what is said where a library is missing."""

import importlib
import re
import shutil
import subprocess
import warnings
from pathlib import Path

import pytest

from interpreter.rulebook import templating
from interpreter.rulebook.pdf import pdf_file
from interpreter.rulebook.templating import MissingLibrary
from tests.rulebook import sample


def can_print() -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            importlib.import_module("weasyprint")
        except (ImportError, OSError):  # OSError: without Pango
            return False
    return True


def pages_of(pdf: bytes, folder: Path) -> list[str]:
    """The text of each page."""
    path = folder / "book.pdf"
    path.write_bytes(pdf)
    text = subprocess.run(["pdftotext", "-layout", str(path), "-"], capture_output=True, text=True, check=True).stdout
    return text.split("\f")[:-1]


def test_without_weasyprint(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templating, "find_spec", lambda name: None)
    with pytest.raises(MissingLibrary) as missing:
        pdf_file(sample.book())
    assert str(missing.value) == "PDF needs weasyprint: pip install 'rulespec[pdf]'"


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.skipif(not can_print(), reason="needs weasyprint and Pango")
@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext")
@pytest.mark.parametrize(("paper", "size"), [("A4", "595.276 x 841.89"), ("Letter", "612 x 792")])
def test_pages(tmp_path: Path, paper: str, size: str) -> None:
    pdf = pdf_file(sample.book(), paper=paper)
    pages = pages_of(pdf, tmp_path)
    assert "Sample" in pages[0]
    assert not re.search(r"^\s*1\s*$", pages[0], re.MULTILINE)  # no number on the first page
    [contents] = [n for n, page in enumerate(pages) if "CONTENTS" in page.upper() and "...." in page.replace(" ", "")]
    for title in ("Overview", "Components", "Course", "Examples", "Glossary", "Index"):
        [number] = re.findall(rf"{title}[ .]*(\d+)", pages[contents])
        page = pages[int(number) - 1]
        assert title in page
        assert re.search(rf"^\s*{number}\s*$", page, re.MULTILINE)
    found = subprocess.run(["pdfinfo", str(tmp_path / "book.pdf")], capture_output=True, text=True, check=True).stdout
    assert size in found
    assert re.search(r"Tagged: +yes", found)
    assert "Title:           Sample: Rulebook" in found
