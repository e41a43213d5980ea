"""The JSON contract of `schema.json`: stable keys in a stable order, one document per run."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

import memlint
from memlint.finding import Edit, FileReport, Finding, Fix, Note, Requirement
from memlint.plain import in_json
from memlint.report.summary import RenderOptions, Summary, ordered
from memlint.source.files import shown

SCHEMA_VERSION = 1


def render(reports: Sequence[FileReport], summary: Summary, out: TextIO, options: RenderOptions) -> None:
    """Write the document. The options do not matter: a contract looks the same everywhere."""
    document = {
        "schema_version": SCHEMA_VERSION,
        "memlint": memlint.__version__,
        "findings": [contract(finding) for finding, _ in ordered(reports)],
        "summary": asdict(summary),
    }
    text = json.dumps(document, indent=2, ensure_ascii=False)
    # A path that is not valid UTF-8 holds lone surrogates, which no UTF-8 stream takes as they are.
    out.write(in_json(text) + "\n")


def contract(finding: Finding) -> dict[str, Any]:
    """A finding as `schema.json` has it."""
    claim = finding.claim
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity.value,
        "message": finding.message,
        "path": finding.path,
        "cell": finding.cell,
        **asdict(finding.span),
        "fingerprint": finding.fingerprint,
        "content_fingerprint": finding.content_fingerprint,
        "url": finding.url,
        "pack": shown(Path(finding.pack)) if finding.pack else None,
        "notes": [_note(note) for note in finding.notes],
        "fix": _fix(finding.fix) if finding.fix else None,
        "alternatives": [_fix(fix) for fix in finding.alternatives],
        "claim": {"type": claim.type, "formula": claim.formula} if claim else None,
        "requires": [_requirement(one) for one in finding.requires],
        "secondary": [_secondary(other) for other in finding.secondary],
        # Only a measurement can give a verdict; `check` never runs the script.
        "verdict": None,
    }


def _secondary(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "label": finding.message,
        "path": finding.path,
        "cell": finding.cell,
        **asdict(finding.span),
        "fingerprint": finding.fingerprint,
    }


def _requirement(one: Requirement) -> dict[str, Any]:
    return {
        "package": one.package,
        "needed": one.needed,
        "version": one.version or None,
        "origin": one.origin or None,
        "for": "fix" if one.of_fix else "finding",
    }


def _note(note: Note) -> dict[str, Any]:
    return {"kind": note.kind, "text": note.text, **_place(note)}


def _place(part: Note | Edit) -> dict[str, int]:
    """The range of a part, with its cell where it is in a notebook."""
    cell = {} if part.cell is None else {"cell": part.cell}
    return {**cell, **(asdict(part.span) if part.span else {})}


def _fix(fix: Fix) -> dict[str, Any]:
    return {
        "applicability": fix.applicability.value,
        "title": fix.title,
        "caution": fix.caution,
        "edits": [{**_place(edit), "text": edit.text} for edit in fix.edits],
    }
