"""Options whose value is the name of another option: `--max-batch --batch-size`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

OPTION_NAME = "ARG"
"""The metavar of options whose value may begin with dashes: the name of an option of the script."""


def with_options_as_values(parser: argparse.ArgumentParser, words: Sequence[str]) -> list[str]:
    """Words in which `--max --batch-size` is one, where an option's value may be the name of another.

    Such options of the parser have the metavar OPTION_NAME.
    """
    names = {word for action in parser._actions if action.metavar == OPTION_NAME
             for word in action.option_strings}  # fmt: skip
    found: list[str] = []
    for word in words:
        if found and found[-1] in names:
            found[-1] += f"={word}"
        else:
            found.append(word)
    return found
