"""A book in a real browser: headings, names of pictures, contrast by day and in the dark, no overflow on a phone."""

import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from interpreter.rulebook.html import html_page
from tests.rulebook import browser, sample

pytestmark = pytest.mark.skipif(not browser.chromium(), reason="needs a chromium browser")

LONG = "Wortzusammensetzungsungetüm" * 6


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "book.html"
    path.write_text(html_page(sample.book(f"Take two. {LONG}")), encoding="utf-8")
    return path


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_phone(page: Path, dark: bool) -> None:
    found = browser.inspect(page, 360, dark)
    assert (360, dark) == (found["width"], found["dark"])
    assert found["overflow"] <= 0, found["wide"]
    assert [] == found["contrast"]
    assert [] == found["console"]
    assert 0 == found["unnamed"]
    assert found["pictures"] == 4
    levels = [level for level, _ in found["headings"]]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_screen(page: Path) -> None:
    found = browser.inspect(page, 1280)
    assert found["overflow"] <= 0, found["wide"]
    assert [] == found["contrast"]


def test_dark_is_dark(page: Path) -> None:
    light, dark = (browser.inspect(page, 800, dark)["background"] for dark in (False, True))
    assert ("rgb(255, 253, 249)", "rgb(27, 26, 24)") == (light, dark)


def test_a_browser_prints_it(page: Path, tmp_path: Path) -> None:
    out = tmp_path / "printed.pdf"
    command = [browser.chromium(), "--headless", "--no-sandbox", "--disable-gpu", f"--print-to-pdf={out}"]
    subprocess.run(
        [*command, f"--user-data-dir={tmp_path / 'profile'}", page.as_uri()], check=True, capture_output=True
    )
    assert out.read_bytes().startswith(b"%PDF")
    if shutil.which("pdftotext"):
        text = subprocess.run(["pdftotext", str(out), "-"], capture_output=True, text=True, check=True).stdout
        assert "The highest score wins." in text
        assert "Skip to the rules" not in text
