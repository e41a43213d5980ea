"""`python -m benchmarks.real_scripts`: replay whole training scripts and write docs/replay-scripts.md.

Each script of tests/runtime/real is run by itself, measured without memlint (torch's MemTracker and
torch.profiler), and replayed on the CPU and on a simulated GPU. Without names all are, and the page is
written, with its data beside it (.json), again after every script; with names, differences are printed.
Exit code 1 when a replay differs from what is expected, 2 when something could not be run.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.real_scripts.compare import described
from benchmarks.real_scripts.scripts import Expected, expectations, plain, replayed, truth
from benchmarks.real_scripts.table import Replayed, Results, Row, read, write
from memlint import __version__

PAGE = Path(__file__).parents[2] / "docs" / "replay-scripts.md"
DEVICES = ("cpu", "simulate")
DEFAULTS = "all options left at their defaults"


def measure(expected: Expected, devices: Sequence[str], *, fixes: bool) -> Row:
    """Everything about one script."""
    row = Row(expected.name, expected.about)
    if expected.missing:
        return replace(row, skipped=f"{expected.missing} is not installed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        try:
            seconds = plain(expected.name, folder)
            truths = {mode: truth(expected.name, mode, folder) for mode in ("tensors", "allocator")}
        except RuntimeError as error:
            return replace(row, problem=str(error))
        peaks = {"tensors": truths["tensors"]["peak"], "allocator": truths["allocator"]["peak"]}
        row = replace(row, seconds=round(seconds, 1), **peaks)
        found: dict[str, Replayed] = {}
        for device in devices:
            try:
                ran = replayed(expected.name, folder, device, fixes=fixes)
            except RuntimeError as error:
                row = replace(row, problem=f"{device}: {error}")
            else:
                found[device] = described(ran, expected, truths)
        return replace(row, replays=found)


def place() -> str:
    """Machine and versions, in one line."""
    names = ("torch", "transformers", "lightning", "accelerate")
    found = [f"{name} {_version(name)}" for name in names if _version(name)]
    cores = len(os.sched_getaffinity(0))
    machine = f"{platform.machine()}, {cores} cores"
    return f"memlint {__version__} on {machine}, Python {platform.python_version()}, {', '.join(found)}"


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scripts", nargs="*", help="names without .py (default: all)")
    parser.add_argument("--device", choices=DEVICES, action="append", help="only this one (default: both)")
    parser.add_argument("--no-fix", action="store_true", help="replay without fixes: findings stay unjudged")
    parser.add_argument("--resume", action="store_true", help="only add the rows that the page lacks")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="scripts at once (default: 1)")
    parser.add_argument("-o", "--output", type=Path, help="the page to write")
    return parser


def complaints(row: Row) -> list[str]:
    """What is wrong with a row, one line each."""
    return [
        *([f"{row.script}: {row.problem}"] if row.problem else []),
        *(f"{row.script} ({name}): {text}" for name, found in row.replays.items() for text in found.problems),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, compare, write the page."""
    chosen = options().parse_args(arguments)
    known = expectations()
    if unknown := [name for name in chosen.scripts if name not in known]:
        print(f"no such script: {', '.join(unknown)}", file=sys.stderr)
        return 2
    page = chosen.output or (None if chosen.scripts else PAGE)
    earlier = read(page.with_suffix(".json")) if page is not None and chosen.resume else None
    started = datetime.now().astimezone().isoformat(timespec="minutes")
    where = place() + (f", {chosen.jobs} scripts at once" if chosen.jobs > 1 else "")
    how = "`--no-fix`: fixes are not tried, findings judged without" if chosen.no_fix else DEFAULTS
    results = earlier or Results(where, started, options=how)
    wanted = [
        expected
        for name, expected in known.items()
        if (not chosen.scripts or name in chosen.scripts) and name not in results.rows
    ]
    rows = []
    with ThreadPoolExecutor(chosen.jobs) as pool:
        devices = chosen.device or DEVICES
        pending = [pool.submit(measure, one, devices, fixes=not chosen.no_fix) for one in wanted]
        for future in as_completed(pending):
            row = future.result()
            rows.append(row)
            results = replace(results, rows={**results.rows, row.script: row})
            if page is not None:
                write(results, page)
            print("\n".join(complaints(row) or [f"{row.script}: {row.skipped or 'as expected'}"]), flush=True)
    if any(row.problem for row in rows):
        return 2
    return int(any(found.problems for row in rows for found in row.replays.values()))


if __name__ == "__main__":
    sys.exit(main())
