"""`--baseline` and `--write-baseline` of `memlint check`."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from memlint.commands.terminal import talk
from memlint.config import Settings
from memlint.errors import UsageError
from memlint.finding import FileReport, each
from memlint.records import dataclass
from memlint.source import files
from memlint.units import plural

if TYPE_CHECKING:
    from memlint.engine.baseline import Entry

TOLD = 10
"""Entries whose findings are gone that are named; the rest is counted."""


def add_baseline(group: argparse._ArgumentGroup) -> None:
    """The options."""
    group.add_argument("--baseline", metavar="PATH", help="report only findings that this file does not have")
    group.add_argument(
        "--write-baseline", action="store_true", help="write the current findings to the baseline"
    )


def path_of(options: argparse.Namespace, settings: Settings) -> str:
    """The baseline that the command line or the settings name, "" for none.

    Raises:
        UsageError: one is to be written, and none is named.
    """
    path: str = options.baseline or settings.baseline
    if options.write_baseline and not path:
        raise UsageError("--write-baseline needs a file", "add --baseline memlint-baseline.json")
    return path


@dataclass(frozen=True, slots=True)
class Against:
    """The baseline at `path` that a run is compared with, "" for none; `settings_of` those of a file."""

    path: str
    settings_of: Callable[[str], Settings]

    def without_known(self, reports: Sequence[FileReport], *, quiet: bool) -> list[FileReport]:
        """The reports without the findings of the baseline; what is fixed since is said on stderr.

        Raises:
            MemlintError: the baseline cannot be read.
        """
        if not self.path:
            return list(reports)
        from memlint.engine.baseline import compare, load

        found = compare(reports, load(self.path), self.path, self._is_in_force)
        if found.gone and not quiet:
            count = plural(len(found.gone), "finding")
            talk(f"{count} of {self.path} fixed since it was written; --write-baseline takes them out")
            for entry in found.gone[:TOLD]:
                talk(f"  {entry.path}: {entry.code} {entry.message}")
            if len(found.gone) > TOLD:
                talk(f"  and {len(found.gone) - TOLD} more")
        return found.reports

    def _is_in_force(self, entry: Entry) -> bool:
        """Whether a run with these settings would have reported the finding of an entry."""
        from memlint import packs
        from memlint.commands.batch import checks_for

        path = os.path.join(os.path.dirname(os.path.abspath(self.path)), entry.path)
        settings = self.settings_of(path)
        checks = checks_for(path, settings)
        known = packs.rules(settings.rule_packs)
        rule = next((rule for rule in known if rule.code == entry.code), None)
        if rule is None:
            return True
        every = rule.variants.values()
        # A finding is as severe as the worst of its secondary places, which no text of its rule may be.
        said = [variant for variant in every if variant.severity == entry.severity] or every
        return any(checks.wants(rule, variant) for variant in said)

    def write(self, reports: Sequence[FileReport]) -> None:
        """Write the findings of a run; what the baseline says of files that were not checked stays.

        Raises:
            MemlintError: an old baseline cannot be read, or the new one not written.
        """
        from memlint.engine.baseline import load, written

        old = load(self.path) if os.path.exists(self.path) else ()
        files.write_report(self.path, written(reports, old, self.path))
        found = [finding for report in reports for finding in report.findings]
        inside = sum(1 for _ in each(found)) - len(found)
        also = f", and {inside} that they cause" if inside else ""
        talk(f"wrote {plural(len(found), 'finding')}{also} to {self.path}")
