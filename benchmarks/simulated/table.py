"""Predicted peaks beside real ones: kept as data, written as Markdown."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from memlint.source.decoding import decode


@dataclass(frozen=True, slots=True)
class Figures:
    """One run: peaks of torch's allocator in bytes, with which torch, and how many values were invented.

    `context` are the bytes that the process of a real run held beside what the allocator had reserved.
    """

    allocated: int
    reserved: int
    torch: str
    invented: int = 0
    context: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One script: its simulated run and its real one, or in `problem` and `unsimulated` why there is none."""

    name: str
    digest: str
    simulated: Figures | None
    real: Figures | None = None
    problem: str = ""
    unsimulated: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything that one table shows; `gpu` is the GPU with its driver, "" where none was at hand."""

    gpu: str = ""
    rows: dict[str, Row] = field(default_factory=dict)


def read(path: Path) -> Comparison:
    """What was written before; nothing where there is no file."""
    if not path.exists():
        return Comparison()
    found: Comparison = decode(Comparison, json.loads(path.read_text(encoding="utf-8")))
    return found


def write(found: Comparison, page: Path) -> None:
    """Save the page, and the data beside it; a run that is killed leaves both whole."""
    data = json.dumps(asdict(found), indent=1, ensure_ascii=False) + "\n"
    for path, text in ((page.with_suffix(".json"), data), (page, markdown(found))):
        partial = path.with_name(path.name + ".part")
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)


def markdown(found: Comparison) -> str:
    """The table, with where it was measured."""
    rows = list(found.rows.values())
    there = f"the real ones on {found.gpu}" if found.gpu else "no GPU was at hand: the real columns are empty"
    versions = [
        f"{word} with torch {', '.join(sorted({figures.torch for figures in runs}))}"
        for word, runs in (
            ("simulated", [row.simulated for row in rows if row.simulated]),
            ("real", [row.real for row in rows if row.real]),
        )
        if runs
    ]
    lines = [
        "# Simulated and real peaks",
        "",
        f"Written by `python -m benchmarks.simulated`: {', '.join(versions)}; {there}.",
        "Peaks of torch's allocator in bytes, workspaces of cuBLAS and cuBLASLt included; "
        "invented: values that the script read and that no kernel had computed; context: what the process "
        "held at the end beside what the allocator had reserved, as the driver counts it.",
        "",
        *summary(rows),
        "| script | simulated allocated | real allocated | off by | simulated reserved | real reserved | "
        "off by | context | invented |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *map(line, rows),
    ]
    reasons = [f"- {row.name} was not simulated: {row.unsimulated}" for row in rows if row.unsimulated]
    lines += ["", *reasons] if reasons else []
    return "\n".join(lines) + "\n"


def errors(rows: Iterable[Row], key: str) -> list[float]:
    """By how much predictions are off, as shares of what is real."""
    both = [
        (getattr(row.simulated, key), getattr(row.real, key)) for row in rows if row.simulated and row.real
    ]
    return [abs(predicted / real - 1) for predicted, real in both]


def summary(rows: Sequence[Row]) -> list[str]:
    """One line for each peak: the median and the worst error; nothing without real ones."""
    lines = []
    for key in ("allocated", "reserved"):
        off = errors(rows, key)
        if off:
            within = sum(error <= 0.01 for error in off)
            lines.append(
                f"- peak {key}: median error {100 * median(off):.2g} %, worst {100 * max(off):.2g} %; "
                f"{within} of {len(off)} within 1 %"
            )
    return [*lines, ""] if lines else []


def line(row: Row) -> str:
    """One row of the table."""
    cells = [row.name]
    for key in ("allocated", "reserved"):
        predicted = getattr(row.simulated, key, None)
        real = getattr(row.real, key, None)
        off = f"{100 * (predicted / real - 1):+.2f} %" if predicted and real else "-"
        cells += [_count(predicted), _count(real) if real else row.problem or "-", off]
    cells.append(_count(row.real.context or None) if row.real else "-")
    cells.append(str(row.simulated.invented) if row.simulated else "-")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _count(value: int | None) -> str:
    return f"{value:,}" if value is not None else "-"
