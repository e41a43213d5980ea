"""`memlint annotate SESSION FILE`: a source file with what each line holds at the peak, and what it adds."""

from __future__ import annotations

import argparse
import os
import sys

from memlint.commands.report import load
from memlint.commands.terminal import add_color, wants_color
from memlint.errors import UsageError
from memlint.source import files
from memlint.source.text import Source


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `memlint annotate`."""
    parser.add_argument("session", metavar="SESSION", help="a file that `memlint replay -o` wrote")
    parser.add_argument("file", metavar="FILE", nargs="?", help="a file of the script (default: the script)")
    parser.add_argument("--html", metavar="PATH", help="write a page instead")
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Print the file with the bytes of its lines in the margin; gives 0.

    Raises:
        SourceError: the session or the file cannot be read.
        UsageError: the session says nothing of the file.
    """
    from memlint.report.session.annotate import annotated, render, render_html
    from memlint.report.summary import options_for

    session = load(options.session)
    path = options.file or session.script
    folder = os.path.dirname(os.path.abspath(options.session))
    found = next((place for place in (path, os.path.join(folder, path)) if os.path.isfile(place)), path)
    text = Source.decode(found, files.read(found)).text
    names = (path, files.seen_from(found, folder), files.seen_from(found, os.curdir), os.path.abspath(found))
    lines = next((rows for name in names if (rows := annotated(session, name, text))), None)
    if lines is None:
        known = ", ".join(sorted(session.sources)) or "none"
        raise UsageError(f"{options.session} has measured nothing in {path}", f"files that it knows: {known}")
    if options.html:
        files.write_report(options.html, render_html(session, path, lines))
        return 0
    look = options_for(sys.stdout, color=wants_color(options, sys.stdout))
    render(session, path, lines, sys.stdout, look)
    return 0
