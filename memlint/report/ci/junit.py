"""JUnit's XML, which nearly every CI service shows as test results: one suite for each file.

Of https://github.com/testmoapp/junitxml it uses what all readers understand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TextIO
from xml.etree import ElementTree

from memlint.finding import FileReport, Finding
from memlint.report.ci.places import below, top_folder
from memlint.report.layout import place
from memlint.report.summary import RenderOptions, Summary

# What XML 1.0 has no way to write: https://www.w3.org/TR/xml/#charsets
_FORBIDDEN = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the suites: a case for each finding, one that passed for a file without any."""
    top = top_folder()
    checked = [report for report in reports if not report.skipped]
    failures = sum(len(report.findings) for report in checked)
    errors = sum(bool(report.failed) for report in checked)
    cases = sum(_cases(report) for report in checked)
    root = ElementTree.Element("testsuites", {"name": "memlint", **_counts(cases, failures, errors)})
    for report in checked:
        name = _text(below(report.path, top))
        counts = _counts(_cases(report), len(report.findings), int(bool(report.failed)))
        suite = ElementTree.SubElement(root, "testsuite", {"name": name, **counts})
        for finding in report.findings:
            _failure(suite, finding, name)
        if report.failed or not report.findings:
            case = ElementTree.SubElement(suite, "testcase", name="memlint check", classname=name)
            if report.failed:
                error = ElementTree.SubElement(case, "error", message=_text(report.failed.partition("\n")[0]))
                error.text = _text(report.failed)
    ElementTree.indent(root)
    out.write('<?xml version="1.0" encoding="utf-8"?>\n')
    out.write(ElementTree.tostring(root, encoding="unicode") + "\n")


def _failure(suite: ElementTree.Element, finding: Finding, name: str) -> None:
    where = _text(place(finding))
    title, line = f"{finding.code} {where}", str(finding.span.line)
    case = ElementTree.SubElement(suite, "testcase", name=title, classname=name, file=name, line=line)
    message = _text(finding.message)
    failure = ElementTree.SubElement(case, "failure", type=finding.severity.value, message=message)
    notes = [note.text for note in finding.notes if note.kind != "label"]
    failure.text = _text("\n".join([f"{where}: {finding.code} {finding.message}", *notes]))


def _cases(report: FileReport) -> int:
    return len(report.findings) + bool(report.failed or not report.findings)


def _counts(tests: int, failures: int, errors: int) -> dict[str, str]:
    return {"tests": str(tests), "failures": str(failures), "errors": str(errors)}


def _text(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
