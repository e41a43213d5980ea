"""Which reports one run writes, in which format and where to."""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Callable
from typing import TextIO

from memlint.config import FORMATS, IN_TEXT
from memlint.errors import UsageError
from memlint.records import dataclass
from memlint.source import files


@dataclass(frozen=True, slots=True)
class Output:
    """A report in one of `config.FORMATS`; a `file` of "" is stdout."""

    format: str
    file: str


def add_outputs(group: argparse._ArgumentGroup) -> None:
    """The options that `outputs` reads."""
    group.add_argument(
        "--output-format",
        choices=FORMATS,
        action="append",
        metavar="FORMAT",
        help=f"default: text; others: {', '.join(FORMATS[1:])}",
    )
    group.add_argument(
        "--output-file",
        action="append",
        metavar="PATH",
        help="write the report to a file; if its format is not text, text goes to stdout as well. Give both "
        "options again for each further report",
    )


def outputs(options: argparse.Namespace, default: str) -> list[Output]:
    """The reports that a command line asks for, in order; `default` is the format of the configuration.

    The first format goes into the first file and so on; one that is left over goes to stdout.

    Raises:
        UsageError: there are too many files or formats, or a format that cannot show statistics.
    """
    formats = options.output_format or [default]
    names = options.output_file or []
    if len(names) > len(formats):
        raise UsageError("there are more --output-file than --output-format", "give both for each report")
    if len(formats) > len(names) + 1:
        raise UsageError("only one report can go to stdout", "add an --output-file for each of the others")
    found = [Output(look, name) for look, name in zip(formats, [*names, ""], strict=False)]
    if all(output.file and output.format != "text" for output in found):
        found.append(Output("text", ""))
    if options.statistics and not all(output.format in IN_TEXT for output in found):
        raise UsageError("--statistics is for reports in text", "add --output-format text")
    return found


def write(file: str, out: TextIO, render: Callable[[TextIO], None], *, is_text: bool) -> None:
    """Have a report written to `out`, or into a file: all of it or nothing.

    What `is_text`, for people to read, commands no runner in the log of a workflow.

    Raises:
        UsageError: the file cannot be written.
    """
    text = io.StringIO()
    if not file and is_text and os.environ.get("GITHUB_ACTIONS"):
        from memlint.report.ci.log import shielded

        render(text)
        out.write(shielded(text.getvalue()))
        return
    if not file:
        render(out)
        return
    render(text)
    files.write_report(file, text.getvalue())
