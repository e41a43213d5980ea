"""The counts of a run, the sentences that tell them, and the options that follow the output stream."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from memlint.finding import Applicability, Edit, FileReport, Finding, Fix, Severity, Span
from memlint.report.formats import renderer
from memlint.report.summary import RenderOptions, describe, options_for, summarise

SPAN = Span(1, 1, 1, 2)


def fix(kind: str) -> Fix:
    return Fix(Applicability(kind), "do it", (Edit(SPAN, ""),))


def finding(
    kind: str | None = None, others: Sequence[str] = (), severity: Severity = Severity.WARNING
) -> Finding:
    return Finding(
        code="MEM101",
        name="loss-graph-accumulation",
        severity=severity,
        message="`total` keeps the graph",
        path="train.py",
        span=SPAN,
        fingerprint="f00",
        fix=fix(kind) if kind else None,
        alternatives=tuple(map(fix, others)),
    )


def rendered(reports: Sequence[FileReport], name: str, options: RenderOptions) -> str:
    out = io.StringIO()
    renderer(name)(reports, summarise(reports), out, options)
    return out.getvalue()


def test_counts() -> None:
    findings = [
        finding("safe"),
        finding("repair"),
        finding("unsafe"),
        finding("display", ["unsafe"]),
        finding("safe", ["unsafe"]),
        finding("display"),
        finding(),
        finding(severity=Severity.ERROR),
        finding(severity=Severity.ADVICE),
    ]
    summary = summarise(
        [FileReport("a.py", tuple(findings)), FileReport("b.py", skipped="x"), FileReport("c.py", failed="y")]
    )
    assert (summary.files_checked, summary.files_skipped) == (1, 1)
    assert (summary.errors, summary.warnings, summary.advice, summary.findings) == (1, 7, 1, 9)
    assert (summary.fixable, summary.fixable_unsafe) == (3, 2)


CLEAN, SKIPPED, FAILED = (
    FileReport("a.py"),
    FileReport("b.py", skipped="no torch"),
    FileReport("c.py", failed="no"),
)
PLAIN = FileReport("d.py", (finding(),))
SAFE = FileReport("e.py", (finding("safe", severity=Severity.ERROR),))
UNSAFE = FileReport("f.py", (finding("unsafe", severity=Severity.ADVICE),))


@pytest.mark.parametrize(
    ("reports", "sentences"),
    [
        ([], "Nothing to check: no files."),
        ([CLEAN], "All checks passed: 1 file checked."),
        ([CLEAN, CLEAN, SKIPPED], "All checks passed: 2 files checked, 1 skipped (no torch)."),
        ([SKIPPED], "Nothing to check: 1 file skipped (no torch)."),
        (
            [CLEAN, SKIPPED, SKIPPED, FileReport("g.py", skipped="too large")],
            "All checks passed: 1 file checked, 3 skipped (2 no torch, 1 too large).",
        ),
        ([CLEAN, FAILED], "No findings, but not everything could be checked: 1 file checked, 1 failed."),
        ([PLAIN], "1 finding (1 warning) in 1 file, 1 checked."),
        (
            [SAFE, PLAIN, CLEAN],
            "2 findings (1 error, 1 warning) in 2 files, 3 checked.|1 fixable with --fix.",
        ),
        ([UNSAFE], "1 finding (1 advice) in 1 file, 1 checked.|1 fixable with --fix --unsafe-fixes."),
        (
            [SAFE, UNSAFE, FAILED],
            "2 findings (1 error, 1 advice) in 2 files, 2 checked, 1 failed."
            "|1 fixable with --fix (1 more with --unsafe-fixes).",
        ),
    ],
)
def test_closing_sentences(reports: list[FileReport], sentences: str) -> None:
    assert describe(reports, summarise(reports)) == sentences.split("|")
    assert rendered(reports, "text", RenderOptions(width=500)).endswith(sentences.replace("|", " ") + "\n")


def test_quiet_run_without_findings_is_silent() -> None:
    assert [rendered([CLEAN], name, RenderOptions(quiet=True)) for name in ("text", "concise")] == ["", ""]
    assert rendered([CLEAN], "text", RenderOptions(quiet=True, statistics=True)) == ""


def test_options_follow_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("COLUMNS", "90")
    assert options_for(io.StringIO(), color=False) == RenderOptions()
    assert options_for(Terminal(), color=True) == RenderOptions(color=True, width=90, code_width=90)
    monkeypatch.setenv("COLUMNS", "300")
    wide = options_for(Terminal(), color=True, statistics=True, quiet=True)
    assert wide == RenderOptions(True, 100, 120, True, True)
