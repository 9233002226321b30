"""Pages looked at by a real browser: chromium without a window, and a script that reports what it finds."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

SCRIPT = Path(__file__).with_name("inspect.js")


def chromium() -> str:
    """The browser's program, or ""."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")


def inspect(page: Path, width: int, dark: bool = False) -> dict[str, Any]:
    """What the browser finds in a page shown so wide.

    Gives `width` and `overflow` (in pixels), `dark`, `headings` (levels and texts), `contrast` (texts that are too
    faint), `unnamed` (pictures without a name), `background`, and `console` (what the browser complains about).
    """
    frame = page.with_name(f"{page.stem}-{width}-{'dark' if dark else 'light'}.html")
    style = f"width:{width}px;height:800px;border:0"
    frame.write_text(
        '<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">'
        f'<iframe src="{page.name}" style="{style}"></iframe>'
        f'<pre id="found"></pre><script>{SCRIPT.read_text(encoding="utf-8")}</script>',
        encoding="utf-8",
    )
    command = [
        chromium(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
        "--allow-file-access-from-files", "--enable-logging=stderr", "--window-size=1400,1000",
        "--virtual-time-budget=20000", f"--user-data-dir={page.parent / 'profile'}",
        *(["--blink-settings=preferredColorScheme=0"] if dark else []), "--dump-dom", frame.as_uri(),
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    match = re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.DOTALL)
    assert match and match[1], done.stderr[-2000:]
    found: dict[str, Any] = json.loads(html.unescape(match[1]))
    found["console"] = [line for line in done.stderr.splitlines() if ":CONSOLE" in line]
    return found
