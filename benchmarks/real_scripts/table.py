"""The rows of `docs/replay-scripts.md`: kept as data, written as Markdown."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from memlint.source.decoding import decode


@dataclass(frozen=True, slots=True)
class Replayed:
    """One replay of one script. Bytes, and seconds.

    `steps` are the optimizer steps it reached and `backwards` the backward calls; `runs` counts its arms,
    of which the first took `first_run`. `peak` are bytes of tensors (on a simulated GPU: allocated there),
    `allocator` what torch's allocator counts (reserved). `problems` say where it differs from what is
    expected; none where it does not.
    """

    ended: str
    steps: int
    backwards: int
    seconds: float
    first_run: float
    runs: int
    peak: int
    allocator: int
    phase: str
    line: str
    findings: tuple[str, ...] = ()
    grows: tuple[str, ...] = ()
    invented: int = 0
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Row:
    """One script: what it costs by itself, what was measured without memlint, and its replays by device.

    `tensors` is the peak that torch's MemTracker counts, `allocator` the one of torch.profiler's allocator
    events, both in bytes. `skipped` says why nothing was run, `problem` what went wrong.
    """

    script: str
    about: str
    seconds: float = 0.0
    tensors: int = 0
    allocator: int = 0
    replays: dict[str, Replayed] = field(default_factory=dict)
    skipped: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that the page shows; `place` is one line on machine and versions, `options` the replays'."""

    place: str
    started: str
    overhead: tuple[str, ...] = ()
    options: str = ""
    rows: dict[str, Row] = field(default_factory=dict)


def read(path: Path) -> Results | None:
    """What was written before, None where nothing was."""
    if not path.exists():
        return None
    found: Results = decode(Results, json.loads(path.read_text(encoding="utf-8")))
    return found


def write(results: Results, page: Path) -> None:
    """Save the page and its data beside it (.json); a run that is killed leaves both whole."""
    data = json.dumps(asdict(results), indent=1, ensure_ascii=False) + "\n"
    for path, text in ((page.with_suffix(".json"), data), (page, markdown(results))):
        partial = path.with_name(path.name + ".part")
        partial.write_text(text, encoding="utf-8")
        os.replace(partial, path)


def markdown(results: Results) -> str:
    """The page."""
    rows = [results.rows[name] for name in sorted(results.rows)]
    ran = [row for row in rows if not row.skipped]
    lines = [
        "# Replays of whole training scripts",
        "",
        "The scripts are those of `tests/runtime/real/scripts`, written in the manner of well-known",
        "repositories with synthetic data. `python -m benchmarks.real_scripts` runs each by itself, measures",
        f"it without memlint, replays it on the CPU and on a simulated GPU, with {results.options},",
        "and compares.",
        "",
        f"{results.place}; {results.started}. One thread; each process imports torch by itself, which is in",
        "all times.",
        "",
        "## On the CPU",
        "",
        "*Tensors* is the peak of all tensors, in bytes: as a replay reports it, and as torch's own",
        "MemTracker counts it over a run of the whole script. *Allocator* is the peak of torch's CPU",
        "allocator: what the replay adds for buffers inside kernels is in it; beside it stands the peak of",
        "torch.profiler's events. *One run* is the script's first run under the tracker, cut short where the",
        "rest repeats itself.",
        "",
        *_table(_CPU, [_cpu(row, row.replays["cpu"]) for row in ran if "cpu" in row.replays]),
        "",
        "## On a simulated GPU",
        "",
        "*Allocated* and *reserved* are predictions of torch's CUDA allocator, in bytes; *invented* counts",
        "how often the script asked for a value that only a GPU could have computed.",
        "",
        *_table(_SIM, [_simulated(row, row.replays["simulate"]) for row in ran if "simulate" in row.replays]),
    ]
    if results.overhead:
        lines += ["", "## What watching costs", "", *results.overhead]
    if skipped := [row for row in rows if row.skipped]:
        lines += ["", "## Not run", "", *(f"- `{row.script}`: {row.skipped}" for row in skipped)]
    wrong = [
        f"- `{row.script}` ({name}): {text}"
        for row in ran
        for name, found in row.replays.items()
        for text in found.problems
    ]
    wrong += [f"- `{row.script}`: {row.problem}" for row in ran if row.problem]
    lines += ["", "## Differences from what is expected", "", *(wrong or ["None."])]
    return "\n".join(lines) + "\n"


_CPU = (
    "script", "what it is", "optimizer steps", "ended", "plain", "replay", "one run",
    "tensors: replay", "MemTracker", "allocator: replay", "profiler", "peak in", "at", "grows", "findings",
)  # fmt: skip
_SIM = (
    "script", "optimizer steps", "ended", "replay", "allocated", "reserved", "peak in", "invented", "grows",
)  # fmt: skip


def _cpu(row: Row, found: Replayed) -> Sequence[Any]:
    return (
        f"`{row.script}`", row.about, found.steps, found.ended, f"{row.seconds:.1f} s",
        f"{found.seconds:.1f} s ({found.runs} runs)", f"{found.first_run:.1f} s",
        f"{found.peak:,}", f"{row.tensors:,}", f"{found.allocator:,}", f"{row.allocator:,}",
        found.phase, found.line, "; ".join(found.grows) or "-", "; ".join(found.findings) or "-",
    )  # fmt: skip


def _simulated(row: Row, found: Replayed) -> Sequence[Any]:
    return (
        f"`{row.script}`", found.steps, found.ended, f"{found.seconds:.1f} s", f"{found.peak:,}",
        f"{found.allocator:,}", found.phase, found.invented, "; ".join(found.grows) or "-",
    )  # fmt: skip


def _table(titles: Sequence[str], rows: Sequence[Sequence[Any]]) -> list[str]:
    cells = [[str(cell).replace("|", "\\|").replace("\n", " ") for cell in row] for row in rows]
    head = ["| " + " | ".join(titles) + " |", "|" + "---|" * len(titles)]
    return head + ["| " + " | ".join(row) + " |" for row in cells]
