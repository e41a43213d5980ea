"""A session as a JSON file: written by `memlint replay -o`, read again by `memlint report`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from memlint.errors import SourceError
from memlint.finding import Severity
from memlint.session import KINDS, PHASES, STATUSES, Session
from memlint.source.decoding import decode

SCHEMA_VERSION = 1
_REGION = {"line": int, "column": int, "end_line": int, "end_column": int}
_TEXTS = dict.fromkeys(("code", "name", "path", "message", "severity", "fingerprint"), str)
SHOWN = {**_TEXTS, **_REGION}
"""What reports show of a finding; the rest of it is handed on as it is."""

PLACE = {"code": str, "path": str, "label": str, **_REGION}
"""The same of its secondary places."""

_NOTE = {"kind": str, "text": str}
_FIX = {"applicability": str, "title": str, "caution": str}
_EDIT = {"text": str, **_REGION}

MADE_BY = "give a file that `memlint fit -o` or `memlint replay -o` wrote"


def to_json(session: Session) -> dict[str, Any]:
    """The session as the JSON contract has it: each finding carries its verdict."""
    data = asdict(session)
    data["findings"] = [
        {**judged["finding"], "verdict": {**judged["verdict"], "arm": judged["arm"]}}
        for judged in data["findings"]
    ]
    return {"schema_version": SCHEMA_VERSION, **data}


def from_json(text: str, name: str) -> Session:
    """Read a session file back.

    Raises:
        SourceError: `text` is not a session of this schema version; the message begins with `name`.
    """
    try:
        data = json.loads(text)
        version = data.pop("schema_version")
    except (ValueError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise SourceError(f"{name}: not a memlint session", MADE_BY) from error
    if version != SCHEMA_VERSION:
        raise SourceError(f"{name}: session of schema version {version}, this memlint reads {SCHEMA_VERSION}")
    try:
        for arm in data["arms"]:
            arm.pop("kept", None)  # what `holders` say now, in sessions of an older memlint
        data["findings"] = [_judged(finding) for finding in decode(tuple[Any, ...], data["findings"])]
        session: Session = decode(Session, data)
        if not session.arms:
            raise ValueError("it holds no run")
        for arm in session.arms:
            if unknown := {*arm.phases, *(phase for _, phase in arm.ribbon)} - set(PHASES):
                raise ValueError(f"{min(unknown)!r:.60} is no phase")
            if unknown := arm.kinds.keys() - set(KINDS):
                raise ValueError(f"{min(unknown)!r:.60} is no kind of memory")
    except KeyError as error:
        raise SourceError(f"{name}: damaged session: {error} is missing", MADE_BY) from error
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise SourceError(f"{name}: damaged session: {error}", MADE_BY) from error
    return session


def _judged(finding: Any) -> dict[str, Any]:
    verdict = dict(decode(dict[str, Any], decode(dict[str, Any], finding)["verdict"]))
    arm = verdict.pop("arm")
    if verdict["status"] not in STATUSES:
        raise ValueError(f"{verdict['status']!r:.60} is no status of a verdict")
    _hold(finding, SHOWN)
    if finding["severity"] not in {severity.value for severity in Severity}:
        raise ValueError(f"{finding['severity']!r:.60} is no severity")
    if (claim := finding.get("claim")) is not None:
        _hold(claim, {"type": str})
    for other in _several(finding, "secondary"):
        _hold(other, PLACE)
    for note in _several(finding, "notes"):
        _hold(note, _NOTE)
        _hold(note, _REGION if "line" in note else {})
    for fix in (finding.get("fix"), *_several(finding, "alternatives")):
        _hold(fix or {}, _FIX if fix else {})
        for edit in _several(fix or {}, "edits"):
            _hold(edit, _EDIT)
    return {"finding": {**finding, "verdict": None}, "arm": arm, "verdict": verdict}


def _hold(part: Any, wanted: Mapping[str, type]) -> None:
    """Make sure that a part of a finding is an object that has these."""
    held = decode(dict[str, Any], part)
    for name, kind in wanted.items():
        decode(kind, held[name])


def _several(part: Mapping[str, Any], name: str) -> tuple[Any, ...]:
    return decode(tuple[Any, ...], part.get(name, []))  # type: ignore[no-any-return]
