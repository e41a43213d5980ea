"""Makes the pictures of README and the site: what memlint prints for an example, and the page of its replay.

    python -m tools.pictures [--session FILE | --finding]

Writes `docs/pictures/`: `finding.svg` is `memlint check`, `verdict.svg` is `memlint replay` of the same
script, both as a terminal of 80 columns shows them; `page.png` is the page that the replay draws, in a
headless Chromium. All figures are those of the replay that this command makes, on this machine; with
`--session`, of one made before. Exit code 1 when there is no Chromium: the others are written all the same.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from html import escape
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

ROOT = Path(__file__).parent.parent
PICTURES = Path("docs", "pictures")
SCRIPT = "examples/validation.py"
CHECK = ["check", "--isolated", "--select", "MEM201", SCRIPT]
COLUMNS = 80
PAGE_SIZE = (1280, 1000)
"""Of the screenshot, in pixels."""
_BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FRAME = """\
<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg" role="img">
<title>TITLE</title>
<style>
.{unique_id}-matrix {{
  font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width;
}}
{styles}
</style>
<defs><clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>{lines}</defs>
<rect fill="#292929" x="1" y="1" width="99.7%" height="99.5%" rx="8" />
<g transform="translate({terminal_x}, 26)" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""
"""A terminal as rich draws it, without the fonts that its own frame fetches."""


def printed(arguments: Sequence[str], *, color: str = "always") -> str:
    """What a command of memlint prints on a terminal of 80 columns."""
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "memlint", *arguments, "--color", color]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        raise SystemExit(f"{' '.join(command)}: {done.stderr}")
    return done.stdout


def first_screen(report: str) -> str:
    """What a replay's report says before it lists what filled the peak."""
    return report.partition("what filled the peak")[0].rstrip("\x1b[0123456789m \n") + "\n"


def terminal(command: str, output: str, name: str) -> str:
    """A terminal as SVG, with the command and what it printed."""
    console = Console(
        record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor"
    )
    console.print(Text("$ ", style="bold green") + Text(command, style="bold"))
    console.print(Text.from_ansi(output.rstrip("\n")))
    return console.export_svg(
        title=command,
        theme=SVG_EXPORT_THEME,
        code_format=_FRAME.replace("TITLE", escape(command)),
        unique_id=name,
        font_aspect_ratio=0.61,
    )


def photograph(page: Path, picture: Path) -> bool:
    """Write a PNG of a page; False when there is no browser, with a message."""
    browser = next((found for name in _BROWSERS if (found := shutil.which(name))), None)
    if browser is None:
        print(f"tools.pictures: no Chromium: {picture} stays as it is", file=sys.stderr)
        return False
    size = ",".join(str(pixels) for pixels in PAGE_SIZE)
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            [
                *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *(f"--user-data-dir={profile}", f"--window-size={size}", f"--screenshot={picture}"),
                page.resolve().as_uri(),
            ],
            check=True,
            capture_output=True,
        )
    return True


def main(argv: Sequence[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--session", type=Path, help="a session of that script, in place of a replay")
    parser.add_argument("--finding", action="store_true", help="only the picture of the check: no replay")
    options = parser.parse_args(argv)
    session, folder = options.session, ROOT / PICTURES
    folder.mkdir(exist_ok=True)
    shown = terminal(f"memlint check {SCRIPT}", printed(CHECK), "finding")
    (folder / "finding.svg").write_text(shown, encoding="utf-8")
    if options.finding:
        return 0
    with tempfile.TemporaryDirectory() as work:
        if session is None:
            session = Path(work, "session.json")
            printed(["replay", "--isolated", "-q", "-o", str(session), SCRIPT])
        page = Path(work, "page.html")
        report = printed(["report", str(session.resolve()), "--html", str(page)])
        report = report.replace(f"{page}", "page.html")
        shown = terminal(f"memlint replay {SCRIPT}", first_screen(report), "verdict")
        (folder / "verdict.svg").write_text(shown, encoding="utf-8")
        return 0 if photograph(page, folder / "page.png") else 1


if __name__ == "__main__":
    sys.exit(main())
