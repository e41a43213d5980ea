"""The numbers under every report, the sentence that says them, and the options all formats share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TextIO

from memlint.finding import Applicability, FileReport, Finding, Severity
from memlint.records import dataclass
from memlint.units import plural

APPLIED_BY_FIX = frozenset({Applicability.SAFE, Applicability.REPAIR})


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts over one run.

    `files_checked` were analysed to the end: files that were skipped or failed are not among them.
    `fixable` findings have a safe or repair fix; `fixable_unsafe` ones have an unsafe fix only.
    `left_out_in_tests` findings are counted nowhere else: `--check-tests` reports them. Nor are those
    `in_baseline`, which the run was compared with.
    """

    files_checked: int
    files_skipped: int
    errors: int
    warnings: int
    advice: int
    fixable: int
    fixable_unsafe: int
    left_out_in_tests: int
    in_baseline: int = 0

    @property
    def findings(self) -> int:
        """All findings, of whatever severity."""
        return self.errors + self.warnings + self.advice


@dataclass(frozen=True, slots=True)
class RenderOptions:
    """How a report looks; a format takes what concerns it.

    Prose is wrapped at `width` columns; code lines with their gutter are cut at `code_width`. With
    `statistics`, text and concise show the counts per rule instead of the findings; with `quiet`, they
    leave the closing sentence out. With `full`, text shows each finding of a rule, however many there are.
    """

    color: bool = False
    width: int = 80
    code_width: int = 120
    statistics: bool = False
    quiet: bool = False
    full: bool = False


def options_for(
    out: TextIO, *, color: bool, statistics: bool = False, quiet: bool = False, full: bool = False
) -> RenderOptions:
    """Options that fit `out`: on a terminal its real width, elsewhere 80 columns for prose, 120 for code."""
    options = RenderOptions(color=color, statistics=statistics, quiet=quiet, full=full)
    if not out.isatty():
        return options
    import shutil  # loads what packs archives, which no other run asks for

    columns = max(40, shutil.get_terminal_size().columns)
    return replace(options, width=min(columns, 100), code_width=min(columns, 120))


def is_fixable(finding: Finding) -> bool:
    """Whether `--fix` alone can fix it; this is what `[*]` means."""
    return _offers(finding, APPLIED_BY_FIX)


def ordered(reports: Sequence[FileReport]) -> list[tuple[Finding, FileReport]]:
    """Every finding with the report of its file, in the order of all formats."""
    pairs = [(finding, report) for report in reports for finding in report.findings]
    return sorted(pairs, key=lambda pair: pair[0].sort_key)


def summarise(reports: Sequence[FileReport]) -> Summary:
    """Count files and findings."""
    findings = [finding for report in reports for finding in report.findings]
    severities = Counter(finding.severity for finding in findings)
    fixable = sum(map(is_fixable, findings))
    unsafe = sum(not is_fixable(finding) and _offers(finding, {Applicability.UNSAFE}) for finding in findings)
    return Summary(
        files_checked=sum(not report.skipped and not report.failed for report in reports),
        files_skipped=sum(bool(report.skipped) for report in reports),
        errors=severities[Severity.ERROR],
        warnings=severities[Severity.WARNING],
        advice=severities[Severity.ADVICE],
        fixable=fixable,
        fixable_unsafe=unsafe,
        left_out_in_tests=sum(report.left_out for report in reports),
        in_baseline=sum(report.known for report in reports),
    )


def describe(reports: Sequence[FileReport], summary: Summary) -> list[str]:
    """The closing sentences: what was found where, what `--fix` could do about it, what tests left out.

    Failed files are counted here, their reasons are not told: they belong to stderr.
    """
    count = summary.left_out_in_tests
    them = "them" if count > 1 else "it"
    more = f"{plural(count, 'finding')} in tests left out: --check-tests reports {them}."
    known = f"{plural(summary.in_baseline, 'finding')} of the baseline left out."
    said = [*([more] if count else []), *([known] if summary.in_baseline else [])]
    return [*_found(reports, summary), *said]


def _found(reports: Sequence[FileReport], summary: Summary) -> list[str]:
    files = _files(reports, summary)
    if not reports:
        return ["Nothing to check: no files."]
    if summary.findings:
        where = plural(sum(bool(report.findings) for report in reports), "file")
        first = f"{plural(summary.findings, 'finding')} ({_severities(summary)}) in {where}, {files}."
        return [first, *_remedies(summary)]
    if any(report.failed for report in reports):
        return [f"No findings, but not everything could be checked: {files}."]
    return [f"All checks passed: {files}." if summary.files_checked else f"Nothing to check: {files}."]


def _offers(finding: Finding, wanted: frozenset[Applicability] | set[Applicability]) -> bool:
    fixes = (finding.fix, *finding.alternatives)
    return any(fix is not None and fix.edits and fix.applicability in wanted for fix in fixes)


def _severities(summary: Summary) -> str:
    parts = [
        plural(summary.errors, "error") if summary.errors else "",
        plural(summary.warnings, "warning") if summary.warnings else "",
        f"{summary.advice} advice" if summary.advice else "",
    ]
    return ", ".join(part for part in parts if part)


def _files(reports: Sequence[FileReport], summary: Summary) -> str:
    noun = "" if summary.findings else " file" if summary.files_checked == 1 else " files"
    parts = [f"{summary.files_checked}{noun} checked"] if summary.files_checked else []
    reasons = Counter(report.skipped for report in reports if report.skipped)
    if reasons:
        why = ", ".join(
            reason if len(reasons) == 1 else f"{count} {reason}"
            for reason, count in sorted(reasons.items(), key=lambda item: (-item[1], item[0]))
        )
        skipped = str(summary.files_skipped) if parts else plural(summary.files_skipped, "file")
        parts.append(f"{skipped} skipped ({why})")
    failed = sum(bool(report.failed) for report in reports)
    return ", ".join([*parts, f"{failed} failed"] if failed else parts)


def _remedies(summary: Summary) -> list[str]:
    if summary.fixable and summary.fixable_unsafe:
        return [f"{summary.fixable} fixable with --fix ({summary.fixable_unsafe} more with --unsafe-fixes)."]
    if summary.fixable:
        return [f"{summary.fixable} fixable with --fix."]
    if summary.fixable_unsafe:
        return [f"{summary.fixable_unsafe} fixable with --fix --unsafe-fixes."]
    return []
