"""The options of all commands that run a script."""

from __future__ import annotations

import argparse

from memlint.commands.terminal import positive
from memlint.report.session.next_command import TIMEOUT

GIB = 1 << 30


def add_script(parser: argparse.ArgumentParser) -> None:
    """SCRIPT and its arguments."""
    parser.add_argument("script", metavar="SCRIPT", help="the training script, or with -m a module")
    rest = parser.add_argument(
        "arguments", nargs=argparse.REMAINDER, metavar="ARGS", help="passed to the script"
    )
    rest.required = False


def add_bounds(running: argparse._ArgumentGroup, steps: str) -> None:
    """The options that say what is run, and for how long; `steps` are the default in words."""
    running.add_argument("-m", "--module", action="store_true", help="SCRIPT names a module, as in python -m")
    running.add_argument(
        "--steps",
        type=positive,
        default=0,
        metavar="N",
        help=f"optimizer steps to look at (default: {steps})",
    )
    running.add_argument(
        "--timeout", type=_seconds, default=TIMEOUT, metavar="SECONDS", help="for each run (default: 300)"
    )
    running.add_argument(
        "--memory-limit",
        type=gibibytes,
        default=0,
        metavar="GIB",
        help="end a run that holds more host memory (default: 90 %% of the machine's)",
    )


def add_sandbox(running: argparse._ArgumentGroup) -> None:
    """`--sandbox` and `--no-sandbox`."""
    running.add_argument(
        "--sandbox",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="keep what the script writes out of the way, refuse removals (default: yes)",
    )


def add_nodes(running: argparse._ArgumentGroup) -> None:
    """`--nnodes`."""
    running.add_argument(
        "--nnodes", type=positive, default=1, metavar="N",
        help="simulated machines with that many ranks each (default: 1)",
    )  # fmt: skip


def _seconds(text: str) -> float:
    return _above_zero(text, "seconds")


def gibibytes(text: str) -> int:
    """Bytes of an option in GiB.

    Raises:
        argparse.ArgumentTypeError: it is no number above 0.
    """
    return int(_above_zero(text, "GiB") * GIB)


def _above_zero(text: str, unit: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"must be a number of {unit} above 0, not {text!r}")
    return value
