"""The table of published runs: kept as data, written as Markdown, summed up in a few lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median

from benchmarks.published.rows import Book, Run, Simulated, off
from memlint.source.decoding import decode

BEGIN, END = "<!-- published runs -->", "<!-- end of published runs -->"


@dataclass(frozen=True, slots=True)
class Results:
    """What was simulated, by the name of the run, and why others could not be."""

    rows: dict[str, Simulated] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)


def read(path: Path) -> Results:
    """What was written before; nothing where there is no file."""
    if not path.exists():
        return Results()
    found: Results = decode(Results, json.loads(path.read_text(encoding="utf-8")))
    return found


def write(book: Book, found: Results, page: Path, others: Sequence[Path] = ()) -> None:
    """Save the page and the data beside it, and the summary in `others` between its two marks."""
    text = json.dumps(asdict(found), indent=1, ensure_ascii=False) + "\n"
    _replace(page.with_suffix(".json"), text)
    _replace(page, markdown(book, found))
    for other in others:
        before, mark, rest = other.read_text(encoding="utf-8").partition(BEGIN)
        if mark:
            _replace(other, before + BEGIN + "\n" + summary(book, found) + END + rest.partition(END)[2])


def _replace(path: Path, text: str) -> None:
    partial = path.with_name(path.name + ".part")
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)


# --- what is compared --------------------------------------------------------------------------------


def whole(run: Run, simulated: Simulated) -> tuple[int, int]:
    """Reserved memory as predicted and as published, both with the context where the source counted it."""
    if run.published.used:
        return simulated.reserved + simulated.context, run.published.used
    return simulated.reserved, run.published.reserved


def errors(book: Book, found: Results, what: str) -> dict[str, float]:
    """By how much each run's "allocated" or "reserved" is off, as a share of what is real, by its name."""
    differences = {}
    for run in book.runs:
        simulated = found.rows.get(run.name)
        if simulated is None or not run.published.fits:
            continue
        allocated = (simulated.allocated, run.published.allocated)
        predicted, real = allocated if what == "allocated" else whole(run, simulated)
        if real:
            differences[run.name] = off(predicted, real)
    return differences


def summary(book: Book, found: Results) -> str:
    """What the table says, in a few lines of Markdown."""
    done = [run for run in book.runs if run.name in found.rows]
    used = {run.source for run in done}
    right = sum(found.rows[run.name].fits == run.published.fits for run in done)
    missing = [run for run in done if not run.published.fits]
    lines = [
        f"{len(done)} published runs on real GPUs from {len(used)} sources were simulated without one, each "
        "by a script of our own with the libraries of its day:",
        "",
        *(_words(name, errors(book, found, name)) for name in ("allocated", "reserved")),
        f"- fits its card or not: {right} of {len(done)} predicted right; {len(missing)} of them did not fit",
    ]
    return "\n".join(lines) + "\n"


def _words(name: str, differences: dict[str, float]) -> str:
    sizes = sorted(abs(value) for value in differences.values())
    if not sizes:
        return f"- peak {name}: nothing compared"
    limits = (0.001, 0.01) if name == "allocated" else (0.01, 0.04)
    within = " and ".join(
        f"{sum(size <= limit for size in sizes)} of {len(sizes)} within {100 * limit:g} %" for limit in limits
    )
    more = "" if name == "allocated" else ", with the context where it was counted"
    middle, worst = 100 * median(sizes), 100 * sizes[-1]
    return f"- peak {name}{more}: median error {middle:.2g} %, worst {worst:.2g} %; {within}"


# --- the page ----------------------------------------------------------------------------------------


def markdown(book: Book, found: Results) -> str:
    """The page: summary, table, notes on single runs, sources."""
    versions = ", ".join(sorted({row.torch for row in found.rows.values()}))
    lines = [
        "# Published runs on real GPUs, simulated",
        "",
        f"Written by `python -m benchmarks.published`, with torch {versions} and no GPU.",
        "",
        summary(book, found),
        "Sizes in MB of 10^6 bytes. A figure that its source rounds is compared as it stands. Reserved is",
        "torch's reserved memory, or (*) what the driver called in use: then ours has the card's context.",
        "",
        "| run | card | real allocated | simulated | off by | real reserved | simulated | off by | "
        "real | simulated |",
        "|---|---|--:|--:|--:|--:|--:|--:|---|---|",
        *(_line(run, found.rows[run.name]) for run in book.runs if run.name in found.rows),
        "",
        "## Notes",
        "",
        *(f"- **{run.name}**: {run.note}" for run in book.runs if run.note and run.name in found.rows),
        *(f"- **{name}** was not simulated: {why}" for name, why in found.problems.items()),
        "",
        "## Sources",
        "",
        *_sources(book, found),
    ]
    return "\n".join(lines) + "\n"


def _line(run: Run, simulated: Simulated) -> str:
    real = run.published
    cards = f"{run.ranks} x {run.card}" if run.ranks > 1 else run.card
    cells = [f"{run.name}: {run.title}", cards]
    cells += _pair(simulated.allocated, real.allocated, real.fits)
    predicted, there = whole(run, simulated)
    cells += _pair(predicted, there, real.fits, "*" if real.used else "")
    cells.append("fits" if real.fits else "does not fit")
    cells.append("fits" if simulated.fits else f"ends at {simulated.where}")
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _pair(predicted: int, real: int, fits: bool, mark: str = "") -> list[str]:
    if not real or not fits:
        return ["-", f"{predicted / 1e6:,.1f}" if fits else "-", "-"]
    difference = 100 * off(predicted, real)
    return [f"{real / 1e6:,.1f}{mark}", f"{predicted / 1e6:,.1f}", f"{difference:+.{_digits(difference)}f} %"]


def _digits(percent: float) -> int:
    return 2 if abs(percent) >= 0.1 else 4


def _sources(book: Book, found: Results) -> Iterable[str]:
    for key, source in book.sources.items():
        names = [run.name for run in book.runs if run.source == key and run.name in found.rows]
        if not names:
            continue
        place = f", `{source.path}`" if source.path else ""
        commit = f", commit {source.commit[:12]}" if source.commit else ""
        yield f"- {source.title}: {source.url}{place}{commit}. {source.configuration} ({', '.join(names)})"
