"""`memlint compare OLD NEW`: what two replays of a script differ in; torch is not needed."""

from __future__ import annotations

import argparse
import math
import sys
from typing import TYPE_CHECKING

from memlint.commands.report import load
from memlint.commands.terminal import add_color, wants_color
from memlint.errors import UsageError
from memlint.report.ci.log import shielded
from memlint.source import files

if TYPE_CHECKING:
    from memlint.session.comparison import Comparison

FORMATS = ("text", "markdown", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint compare`."""
    parser.add_argument("old", metavar="OLD", help="the session file of a replay before the change")
    parser.add_argument("new", metavar="NEW", help="the session file of a replay after it")
    parser.add_argument("--output-format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument("--output-file", metavar="FILE", help="write the report there instead of stdout")
    parser.add_argument(
        "--fail-over",
        metavar="PERCENT",
        help="exit with 1 where the peak, what is reserved, or what grows per step has risen by more (5%%)",
    )
    parser.add_argument("--full", action="store_true", help="list all rows of the tables")
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Print the comparison; 1 where it is over the limit, else 0.

    Raises:
        UsageError: the limit is no percentage.
        SourceError: a file is not a session that this memlint reads.
    """
    limit = None if options.fail_over is None else _share(options.fail_over)
    from memlint.session.comparison import compare

    found = compare(load(options.old), load(options.new))
    over = [] if limit is None else found.over(limit)
    if options.output_format == "json":
        from memlint.report.compare import json

        said = json.render(found, over, limit)
    elif options.output_format == "markdown":
        from memlint.report.compare import markdown

        said = markdown.render(found)
    else:
        said = _text(found, options)
    if limit is not None and options.output_format != "json":
        from memlint.report.compare.words import about_limit

        said += f"\n{about_limit(over, limit)}\n"
    if options.output_file:
        files.write_report(options.output_file, said)
    else:
        sys.stdout.write(said if options.output_format == "json" else shielded(said))
    return 1 if over else 0


def _text(found: Comparison, options: argparse.Namespace) -> str:
    import io

    from memlint.report.compare.text import render
    from memlint.report.style import paint
    from memlint.report.summary import options_for

    color = not options.output_file and wants_color(options, sys.stdout)
    look = options_for(sys.stdout, color=color)
    out = io.StringIO()
    paint(render(found, look.width, full=options.full), out, color=color)
    return out.getvalue()


def _share(text: str) -> float:
    """A percentage ("5%" or "5") as a fraction."""
    try:
        found = float(text.strip().removesuffix("%"))
    except ValueError:
        found = -1.0
    if not (math.isfinite(found) and found >= 0):
        raise UsageError(f"--fail-over {text}: not a percentage", "as in --fail-over 5%")
    return found / 100
