"""memlint as a plugin of flake8: its findings beside those of the other plugins, with flake8's suppression.

The settings are memlint's own, as for `memlint check`; flake8 selects among the codes that remain.
https://flake8.pycqa.org/en/latest/plugin-development/
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from memlint import __version__, packs
from memlint.commands.batch import checks_for
from memlint.config import Overrides, resolve
from memlint.engine.check import check
from memlint.errors import MemlintError
from memlint.finding import Finding
from memlint.project import gate


class Plugin:
    """What flake8 makes for every file; `PREFIX` is the start of the codes that it answers for."""

    name = "memlint"
    version = __version__
    PREFIX = "MEM"

    def __init__(self, tree: ast.AST, filename: str, lines: Sequence[str]) -> None:
        self._filename = filename
        self._text = "".join(lines)

    def run(self) -> Iterator[tuple[int, int, str, type]]:
        """Line from 1, column from 0, code with message, and this class for every finding."""
        for finding in _findings(self._filename, self._text):
            # Those of rule packs are flake8's to select: `extend-select = ACME`.
            if finding.code.startswith(self.PREFIX) or (finding.pack and self.PREFIX == "MEM"):
                text = f"{finding.code} {finding.message}"
                yield finding.span.line, finding.span.column - 1, text, type(self)


class TensorFlowPlugin(Plugin):
    """The same for the codes about TensorFlow: a plugin of flake8 answers for one prefix."""

    PREFIX = "MTF"


@lru_cache(maxsize=8)
def _findings(filename: str, text: str) -> tuple[Finding, ...]:
    """The findings of a file, found once for both plugins.

    Raises:
        MemlintError: the settings cannot be read; flake8 shows it and ends.
    """
    data = text.encode("utf-8", "surrogateescape")
    settings = resolve(Path(filename).absolute().parent, Overrides())
    if gate.is_unrelated(data) and not gate.has_word(data, packs.words(settings.rule_packs)):
        return ()
    report = check(text, filename, checks_for(filename, settings))
    if report.failed:
        raise MemlintError(report.failed.partition("\n")[0])
    # A syntax error is flake8's own to report, and unused suppressions are those of memlint alone.
    return tuple(finding for finding in report.findings if not finding.code.startswith("MEM00"))
