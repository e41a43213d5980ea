"""A patch in the colours that git gives it."""

from __future__ import annotations

from typing import TextIO

from memlint.report.style import colored


def render(patch: str, out: TextIO, *, color: bool) -> None:
    """Write the unified diff of one file as it is, to the byte; or with its lines in colour."""
    if not color:
        out.write(patch)
        return
    in_hunk = False
    for line in patch.split("\n")[:-1]:
        in_hunk = in_hunk or line.startswith("@@ ")
        # In a hunk, `---` takes a line out that begins with two more of them.
        style = {"@": "hunk", "-": "removed", "+": "added"}.get(line[:1], "") if in_hunk else "head"
        out.write(colored(line, style) + "\n")
