"""A replay for speedscope (https://www.speedscope.app): what holds the peak, as a flame graph of bytes."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from memlint import __version__
from memlint.report.session.text import source
from memlint.session import Arm, Session

SCHEMA = "https://www.speedscope.app/file-format-schema.json"

Stack = tuple[dict[str, Any], ...]


def render(session: Session) -> str:
    """The file's text: one profile for the peak of each run that followed tensors, one for what grows."""
    frames: dict[str, int] = {}
    shared: list[dict[str, Any]] = []

    def number(frame: dict[str, Any]) -> int:
        key = json.dumps(frame, sort_keys=True)
        if key not in frames:
            frames[key] = len(shared)
            shared.append(frame)
        return frames[key]

    def profile(name: str, rows: Iterable[tuple[Stack, int]]) -> dict[str, Any]:
        pairs = [([number(frame) for frame in stack], count) for stack, count in rows if count > 0]
        return {
            "type": "sampled",
            "name": name,
            "unit": "bytes",
            "startValue": 0,
            "endValue": sum(count for _, count in pairs),
            "samples": [stack for stack, _ in pairs],
            "weights": [count for _, count in pairs],
        }

    profiles = [profile(f"peak: {arm.title}", _peak(session, arm)) for arm in session.arms if arm.lines]
    if session.original.growth:
        profiles.append(profile("left behind with every iteration", _growth(session)))
    document = {
        "$schema": SCHEMA,
        "name": " ".join((session.script, *session.arguments)),
        "exporter": f"memlint {__version__}",
        "activeProfileIndex": 0,
        "shared": {"frames": shared},
        "profiles": profiles,
    }
    return json.dumps(document, ensure_ascii=False) + "\n"


def _peak(session: Session, arm: Arm) -> Iterable[tuple[Stack, int]]:
    """Each row of the peak below its kind, its forward line (of what backward made), and its own line."""
    for row in sorted(arm.lines, key=lambda row: (row.kind, row.forward_file, row.forward_line, row.file)):
        places = [(row.forward_file, row.forward_line), (row.file, row.line)]
        stack = [_place(session, file, line) for file, line in places if line] or [NO_LINE]
        yield ({"name": row.kind}, *stack), row.bytes


def _growth(session: Session) -> Iterable[tuple[Stack, int]]:
    for row in session.original.growth:
        place = _place(session, row.file, row.line) if row.line else NO_LINE
        yield ({"name": f"every {row.series}"}, place), row.bytes_per_step


NO_LINE = {"name": "(no line of the project)"}


def _place(session: Session, file: str, line: int) -> dict[str, Any]:
    code = source(session, file, line)
    return {"name": f"{file}:{line}{f' {code}' if code else ''}", "file": file, "line": line}
