"""Writes the scripts of `memlint completion` from the options; with `--check`, only compares them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import shtab

from memlint.__main__ import complete_parser
from memlint.commands.completion import FOLDER, SHELLS

_FILES = ("PATH", "FILE", "SCRIPT", "SESSION")
"""What help calls arguments that are files."""


def script(shell: str) -> str:
    """The script for a shell, which completes names of files where an argument is one."""
    parser = complete_parser()
    (commands,) = (action for action in parser._actions if action.nargs == argparse.PARSER)
    for inner in (commands.choices or {}).values():
        for action in inner._actions:
            if action.metavar in _FILES:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    return str(shtab.complete(parser, shell=shell)).rstrip("\n") + "\n"


def main(argv: Sequence[str] | None = None, folder: Path = FOLDER) -> int:
    """The command line: 1 when `--check` found a stale script, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing, fail when a script is stale")
    check, stale = parser.parse_args(argv).check, 0
    for shell in SHELLS:
        file, text = folder / f"memlint.{shell}", script(shell)
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        stale += 1
        if not check:
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")
        said = "stale; run python -m tools.completions" if check else "written"
        print(f"{file.name}: {said}", file=sys.stderr)
    return int(check and stale > 0)


if __name__ == "__main__":
    sys.exit(main())
