"""SARIF 2.1.0, as code scanning services take it: relative URIs, rules with help, fixes, fingerprints.

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any, TextIO

import memlint
from memlint import packs
from memlint.addresses import DOCUMENTATION
from memlint.catalogue import Rule
from memlint.finding import FileReport
from memlint.report.ci.places import below, top_folder, uri
from memlint.report.json import contract
from memlint.report.rule.markdown import render_help
from memlint.report.summary import RenderOptions, Summary, ordered
from memlint.session import Session
from memlint.session_file import to_json

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
"""The schema that a log follows."""

_LEVELS = {"error": "error", "warning": "warning", "advice": "note"}
_PRECISION = {"error": "very-high", "warning": "high", "advice": "medium"}
_TOP = "SRCROOT"


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the log of a check. The options do not matter: a contract looks the same everywhere."""
    failed = [report.failed for report in reports if report.failed]
    write([contract(finding) for finding, _ in ordered(reports)], out, failed)


def render_session(session: Session, out: TextIO, options: RenderOptions) -> None:
    """Write the log of a replay: every finding with its verdict, and the bytes that were measured."""
    write(to_json(session)["findings"], out, session.errors)


def write(findings: Sequence[Mapping[str, Any]], out: TextIO, failed: Iterable[str]) -> None:
    """Write findings (in the shape of the JSON contract) and what could not be checked as one log."""
    top = top_folder()
    named = sorted({(finding["code"], finding.get("pack") or "") for finding in findings})
    known = (packs.named(code, os.path.abspath(pack) if pack else "") for code, pack in named)
    rules = [rule for rule in known if rule is not None]
    numbers = {rule.code: number for number, rule in enumerate(rules)}
    notifications = [{"level": "error", "message": {"text": _one_line(text)}} for text in failed]
    run = {
        "tool": {
            "driver": {
                "name": "memlint",
                "version": memlint.__version__,
                "semanticVersion": memlint.__version__,
                "informationUri": DOCUMENTATION,
                "rules": [_rule(rule) for rule in rules],
            }
        },
        "invocations": [
            {"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}
        ],
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {_TOP: {"uri": top.as_uri().rstrip("/") + "/"}},
        "results": [_result(finding, numbers, top) for finding in findings],
    }
    json.dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, out, indent=2)
    out.write("\n")


def _rule(rule: Rule) -> dict[str, Any]:
    severity = rule.severity.value
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.explanation},
        **({"helpUri": rule.url} if rule.url else {}),
        "help": {
            "text": f"{rule.summary} `memlint rule {rule.code}` explains it.",
            "markdown": render_help(rule),
        },
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"tags": _tags(rule), "precision": _PRECISION[severity]},
    }


def _tags(rule: Rule) -> list[str]:
    return ["team" if rule.pack else "memory", *rule.frameworks]


def _result(finding: Mapping[str, Any], numbers: Mapping[str, int], top: Path) -> dict[str, Any]:
    result = {
        "ruleId": finding["code"],
        "level": _LEVELS[finding["severity"]],
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": _place(finding, finding, top)}],
        "partialFingerprints": {"memlint/v1": finding["fingerprint"]},
        "properties": _properties(finding),
    }
    if finding["code"] in numbers:
        result["ruleIndex"] = numbers[finding["code"]]
    if related := _related(finding, top):
        result["relatedLocations"] = related
    if fixes := _fixes(finding, top):
        result["fixes"] = fixes
    return result


def _message(finding: Mapping[str, Any]) -> str:
    """Headline, reason and remedy; in a notebook, whose file has other lines, with the place in the cell."""
    cell = finding.get("cell")
    where = "" if cell is None else f"cell {cell}, line {finding['line']}: "
    told = [note["text"] for note in finding.get("notes", ()) if note["kind"] != "label"]
    verdict = finding.get("verdict")
    measured = [f"{verdict['status'].replace('_', ' ')}: {verdict['reason']}"] if verdict else []
    return "\n".join([where + finding["message"], *measured, *told])


def _artifact(path: str, top: Path) -> dict[str, str]:
    name = below(path, top)
    if name.startswith("<"):
        return {"uri": uri(name)}
    outside = PurePath(name).is_absolute() or name.startswith("../")
    # A reference that begins with a slash would take the place of the base's own path.
    return {"uri": Path(os.path.abspath(path)).as_uri()} if outside else {"uri": uri(name), "uriBaseId": _TOP}


def _place(finding: Mapping[str, Any], part: Mapping[str, Any], top: Path) -> dict[str, Any]:
    """The physical location of a part of a finding; in a notebook, whose file has other lines, its start."""
    region = _region(part) if finding.get("cell") is None else {"startLine": 1}
    return {"artifactLocation": _artifact(finding["path"], top), "region": region}


def _region(part: Mapping[str, Any]) -> dict[str, int]:
    return {
        "startLine": part["line"],
        "startColumn": part["column"],
        "endLine": part["end_line"],
        "endColumn": part["end_column"],
    }


def _related(finding: Mapping[str, Any], top: Path) -> list[dict[str, Any]]:
    """What explains the finding in its file, then the other places of its cause."""
    labels = [note for note in finding.get("notes", ()) if note["kind"] == "label" and "line" in note]
    told = [(note["text"], _place(finding, note, top)) for note in labels]
    told += [(f"{o['code']}: {o['label']}", _place(o, o, top)) for o in finding.get("secondary", ())]
    return [
        {"id": number, "message": {"text": text}, "physicalLocation": place}
        for number, (text, place) in enumerate(told, 1)
    ]


def _fixes(finding: Mapping[str, Any], top: Path) -> list[dict[str, Any]]:
    """The fixes that can be applied; those of a notebook speak of its cells, which SARIF cannot name."""
    if finding.get("cell") is not None:
        return []
    found = [finding.get("fix"), *finding.get("alternatives", ())]
    return [_fix(finding["path"], fix, top) for fix in found if fix and fix["edits"]]


def _fix(path: str, fix: Mapping[str, Any], top: Path) -> dict[str, Any]:
    caution = f" ({fix['applicability']}: {fix['caution']})" if fix["caution"] else ""
    replacements = [
        {"deletedRegion": _region(edit), "insertedContent": {"text": edit["text"]}} for edit in fix["edits"]
    ]
    return {
        "description": {"text": fix["title"] + caution},
        "artifactChanges": [{"artifactLocation": _artifact(path, top), "replacements": replacements}],
    }


def _properties(finding: Mapping[str, Any]) -> dict[str, Any]:
    """What SARIF has no word for; bytes are integers."""
    fix = finding.get("fix")
    told = {
        "cell": finding.get("cell"),
        "line": finding["line"] if finding.get("cell") is not None else None,
        "applicability": fix["applicability"] if fix else None,
        "claim": finding.get("claim"),
        "verdict": finding.get("verdict"),
    }
    return {key: value for key, value in told.items() if value is not None}


def _one_line(text: str) -> str:
    return text.partition("\n")[0]
