"""Which of the files that were found need the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memlint.config import Settings
from memlint.errors import SourceError
from memlint.finding import FileReport
from memlint.project import gate
from memlint.records import dataclass
from memlint.source import files

NOT_OURS = "no torch or tensorflow"


@dataclass(frozen=True, slots=True)
class Sorted:
    """Finished reports of files that need no analysis, and the paths of the others.

    `of_packs` are those of them that concern rules of packs only.
    """

    reports: list[FileReport]
    paths: list[str]
    of_packs: frozenset[str]


def sort_out(candidates: Sequence[files.Candidate], settings_of: Callable[[str], Settings]) -> Sorted:
    """Sort files by what they mention.

    A file that was not named counts where it mentions a framework, or where another one does and it may be
    called by that; and for the rules of packs, where it has a word of theirs.
    """
    reports: list[FileReport] = []
    paths: list[str] = []
    helpers: dict[str, bool] = {}
    named: set[str] = set()
    for candidate in candidates:
        path = candidate.path
        try:
            data = files.read_regular(path)
            if gate.has_word(data, _pack_words(settings_of(path))):
                named.add(path)
            if not candidate.explicit and not gate.mentions_framework(data):
                helpers[path] = gate.may_help(data)
            elif candidate.explicit and not gate.is_notebook(path) and gate.is_unrelated(data):
                helpers[path] = False
            paths.append(path)
        except SourceError as error:
            reports.append(FileReport(path, failed=str(error)))
    explicit = {candidate.path for candidate in candidates if candidate.explicit}
    ours = len(paths) > len(helpers)
    spared = {path for path, helps in helpers.items() if not (ours and helps)}
    left = spared - named
    reports += [FileReport(path, skipped="" if path in explicit else NOT_OURS) for path in left]
    return Sorted(reports, [path for path in paths if path not in left], frozenset(spared & named))


def _pack_words(settings: Settings) -> frozenset[str]:
    """Words one of which stands in every file that a rule of a pack concerns."""
    if not settings.rule_packs:
        return frozenset()
    from memlint import packs

    return packs.words(settings.rule_packs)
