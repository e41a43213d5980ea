"""Which of the files that were found need the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memlint.config import Settings
from memlint.errors import SourceError
from memlint.finding import FileReport
from memlint.project import gate
from memlint.source import files

NOT_OURS = "no torch or tensorflow"


def sort_out(
    candidates: Sequence[files.Candidate], settings_of: Callable[[str], Settings]
) -> tuple[list[FileReport], list[str]]:
    """Files that need no analysis, as finished reports, and the paths of the others.

    A file that was not named counts where it mentions a framework, or what a rule pack speaks of, or where
    another one does and it may be called by that.
    """
    reports: list[FileReport] = []
    paths: list[str] = []
    helpers: dict[str, bool] = {}
    for candidate in candidates:
        path = candidate.path
        try:
            data = files.read(path)
            if gate.has_word(data, _pack_words(settings_of(path))):
                paths.append(path)
                continue
            if not candidate.explicit and not gate.mentions_framework(data):
                helpers[path] = gate.may_help(data)
            elif candidate.explicit and not gate.is_notebook(path) and gate.is_unrelated(data):
                reports.append(FileReport(path))
                continue
            paths.append(path)
        except SourceError as error:
            reports.append(FileReport(path, failed=str(error)))
    ours = len(paths) > len(helpers)
    spared = {path for path, helps in helpers.items() if not (ours and helps)}
    reports += [FileReport(path, skipped=NOT_OURS) for path in spared]
    return reports, [path for path in paths if path not in spared]


def _pack_words(settings: Settings) -> frozenset[str]:
    """Words one of which stands in every file that a rule of a pack concerns."""
    if not settings.rule_packs:
        return frozenset()
    from memlint import packs

    return packs.words(settings.rule_packs)
