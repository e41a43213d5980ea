"""`memlint report SESSION`: show a saved session again; torch is not needed."""

from __future__ import annotations

import argparse
import importlib
import io
import sys
from dataclasses import replace

from memlint.commands.terminal import add_color, wants_color
from memlint.errors import SourceError
from memlint.report.ci.log import shielded
from memlint.session import Session
from memlint.session_file import MADE_BY, from_json
from memlint.source import files

FORMATS = ("text", "json", "sarif")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `memlint report`."""
    parser.add_argument("session", metavar="SESSION", help="a file that `replay -o` or `fit -o` wrote")
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument("--speedscope", metavar="FILE", help="write a flame graph for speedscope.app")
    parser.add_argument("--output-format", choices=FORMATS, default="text", help="default: text")
    parser.add_argument("--no-source", action="store_true", help="leave source lines out")
    add_color(parser)


def run(options: argparse.Namespace) -> int:
    """Render a session; 0, whatever its verdicts were.

    Raises:
        SourceError: the file is not a session that this memlint reads.
    """
    session = load(options.session)
    if options.no_source:
        session = replace(session, sources={})
    if options.html:
        from memlint.report.session.html import render

        files.write_report(options.html, render(session))
    if options.speedscope:
        from memlint.report.session.speedscope import render as flames

        files.write_report(options.speedscope, flames(session))
    show(session, options)
    return 0


def load(path: str) -> Session:
    """The session in a file.

    Raises:
        SourceError: the file is not a session that this memlint reads.
    """
    data = files.read(path)
    try:
        return from_json(data.decode("utf-8"), path)
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}: not a memlint session", MADE_BY) from error


def show(session: Session, options: argparse.Namespace) -> None:
    """Write the session to stdout in the chosen format."""
    from memlint.report.summary import options_for

    look = options_for(sys.stdout, color=wants_color(options, sys.stdout))
    out = io.StringIO()
    module, function = {
        "text": ("session.report" if session.fit is None else "fit.text", "render"),
        "json": ("session.json", "render"),
        "sarif": ("ci.sarif", "render_session"),
    }[options.output_format]
    getattr(importlib.import_module(f"memlint.report.{module}"), function)(session, out, look)
    text = out.getvalue()
    sys.stdout.write(shielded(text) if options.output_format == "text" else text)
