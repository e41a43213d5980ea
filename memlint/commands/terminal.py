"""What several subcommands share: options for colour and configuration, and how arguments are read."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from memlint.config import Layer, Overrides
from memlint.config.files import beside
from memlint.plain import clean


def add_color(parser: argparse._ActionsContainer) -> None:
    """`--color auto|always|never`."""
    parser.add_argument(
        "--color",
        choices=("auto", "always", "never"),
        default="auto",
        help="default: auto, which follows NO_COLOR, FORCE_COLOR and whether this is a terminal",
    )


def wants_color(options: argparse.Namespace, out: TextIO) -> bool:
    """Whether to colour: option, then environment, then terminal."""
    if options.color != "auto":
        return bool(options.color == "always")
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return out.isatty() and os.environ.get("TERM") != "dumb"


def add_config(parser: argparse._ActionsContainer) -> None:
    """`--config` and `--isolated`."""
    parser.add_argument(
        "--config",
        action="append",
        default=[],
        metavar="PATH|'KEY = VALUE'",
        help="read this TOML file instead of the nearest one, or override one setting; may be repeated",
    )
    parser.add_argument("--isolated", action="store_true", help="ignore all settings in files")


def overrides(options: argparse.Namespace, given: Sequence[tuple[str, str, object]] = ()) -> Overrides:
    """The configuration options of a command line; `given` are (key, option, value) of single settings."""
    where = ", ".join(dict.fromkeys(option for _, option, _ in given))
    places = {key: option for key, option, _ in given}
    layer = Layer(where, {key: value for key, _, value in given}, places=places)
    return Overrides(tuple(options.config), options.isolated, layer)


def rule_selectors(text: str) -> list[str]:
    """The selectors of a comma list; whether there are such rules, the packs in force decide."""
    return text.split(",")


def rule_pack(text: str) -> str:
    """The path from the root on of a rule pack, or of nothing where the text names an installed one."""
    return beside(Path.cwd(), text)


def add_rule_pack(parser: argparse._ActionsContainer) -> None:
    """`--rule-pack`."""
    parser.add_argument(
        "--rule-pack",
        dest="rule_packs",
        type=rule_pack,
        action="append",
        metavar="PATH",
        help="also check rules of your own: a folder, a file or an installed pack; may be repeated",
    )


def positive(text: str) -> int:
    """A whole number from 1 on.

    Raises:
        ArgumentTypeError: it is something else.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a number from 1 on, not {text!r}")
    return int(text)


def talk(text: str) -> None:
    """One line to stderr."""
    print(f"memlint: {clean(text)}", file=sys.stderr)
