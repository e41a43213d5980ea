"""`memlint completion SHELL`: the script by which a shell completes memlint's commands and options."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

FOLDER = Path(__file__).parent.with_name("completions")
SHELLS = ("bash", "zsh", "fish")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The argument of `memlint completion`."""
    parser.add_argument("shell", choices=SHELLS, metavar="SHELL", help=", ".join(SHELLS))


def run(options: argparse.Namespace) -> int:
    """Print the script, made by `python -m tools.completions`; gives 0."""
    sys.stdout.write((FOLDER / f"memlint.{options.shell}").read_text(encoding="utf-8"))
    return 0
