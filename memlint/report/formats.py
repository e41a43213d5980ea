"""The output formats by name; the module of a format is imported when it is asked for."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Protocol, TextIO

from memlint.finding import FileReport
from memlint.report.summary import RenderOptions, Summary


class Renderer(Protocol):
    """Writes one whole report to `out`."""

    def __call__(
        self, reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions
    ) -> None: ...


_FOR_SERVICES = ("sarif", "github", "gitlab", "junit", "markdown")


def renderer(name: str) -> Renderer:
    """The `render` function of one of the formats that the configuration knows, or of "statistics"."""
    folder = "memlint.report.ci" if name in _FOR_SERVICES else "memlint.report"
    render: Renderer = importlib.import_module(f"{folder}.{name}").render
    return render
