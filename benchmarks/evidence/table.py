"""The rows of the evidence table: kept as data, written as Markdown."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from memlint.source.decoding import decode

NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Row:
    """One replayed script. `peak` are bytes: of tensors, and on CUDA those of the allocator as well.

    `digest` is that of the script's text; `seconds` are those of the whole replay.
    """

    script: str
    claim: str
    formula: str
    expected: str
    status: str
    measured: str
    reason: str
    digest: str
    seconds: float
    peak: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Place:
    """Where rows were measured: rows of another place are never mixed with them."""

    memlint: str
    device: str
    device_name: str
    torch: str
    python: str


@dataclass(frozen=True, slots=True)
class Batch:
    """One run of the command: when it began, how long it took, how many scripts it replayed."""

    started: str
    seconds: float
    scripts: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that one table shows."""

    place: Place
    runs: tuple[Batch, ...] = ()
    rows: dict[str, Row] = field(default_factory=dict)


def read(path: Path) -> Evidence | None:
    """What was written before, None where nothing was."""
    if not path.exists():
        return None
    found: Evidence = decode(Evidence, json.loads(path.read_text(encoding="utf-8")))
    return found


def write(evidence: Evidence, page: Path) -> None:
    """Save the page, and the data beside it; a run that is killed leaves both whole."""
    data = json.dumps(asdict(evidence), indent=1, ensure_ascii=False) + "\n"
    for path, text in ((page.with_suffix(".json"), data), (page, markdown(evidence))):
        partial = path.with_name(path.name + ".part")
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)


def markdown(evidence: Evidence) -> str:
    """The table, with where and how it was measured."""
    place, on_cuda = evidence.place, evidence.place.device.startswith("cuda")
    runs = "; ".join(
        f"{run.scripts} scripts in {run.seconds:.0f} s from {run.started}" for run in evidence.runs
    )
    titles = ["script", "claim", "predicted", "measured", "verdict", "reason"]
    if on_cuda:
        titles += ["peak of tensors", "allocated", "reserved"]
    lines = [
        "# What the rules predict, and what was measured",
        "",
        f"Written by `python -m benchmarks.evidence` on {place.device_name} ({place.device}), "
        f"torch {place.torch}, Python {place.python}, memlint {place.memlint}.",
        f"In {'one run' if len(evidence.runs) == 1 else f'{len(evidence.runs)} runs'}: {runs}.",
        "Bytes are exact for tensors; host memory and times vary a little from machine to machine.",
        "Claims: GROWTH is memory that grows with the steps (GROWTH-HOST: in host RAM), PEAK a higher peak,",
        "RESERVED memory that only the allocator holds, HOST host RAM, TIME a slower step, CORRECT a wrong",
        "result, STATIC a line that fails or does nothing.",
        "",
        "| " + " | ".join(titles) + " |",
        "|" + "---|" * len(titles),
    ]
    lines += [_line(evidence.rows[name], on_cuda) for name in sorted(evidence.rows)]
    return "\n".join(lines) + "\n"


def _line(row: Row, on_cuda: bool) -> str:
    cells = [row.script, row.claim, row.formula, row.measured, row.status, row.reason]
    if on_cuda:
        cells += [
            f"{row.peak[key]:,}" if key in row.peak else "-" for key in ("tensors", "allocated", "reserved")
        ]
    return "| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"


def peaks(peak: int, cuda: Mapping[str, Any]) -> dict[str, int]:
    """The peaks of an arm, as far as they were measured."""
    counted = {"allocated": cuda.get("allocated_peak"), "reserved": cuda.get("reserved_peak")}
    return {"tensors": peak, **{name: value for name, value in counted.items() if value is not None}}
