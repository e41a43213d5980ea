"""`python -m benchmarks.evidence`: replay the scripts and write the table of verdicts.

The first line of each script names the claim and the verdict that the measured facts of the rule
catalogue lead one to expect; exit code 1 when a measurement disagrees, 2 when a script could not be
replayed, 3 when the budget was used up before all were.

Without names all scripts are replayed, and docs/evidence-cpu.md or docs/evidence-cuda.md is written, with
the data beside it (.json), again after every script. With names, the rows are printed.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import datetime
from importlib.metadata import version
from itertools import dropwhile
from pathlib import Path
from typing import Any

from benchmarks.evidence.table import NOT_RUN, Batch, Evidence, Place, Row, markdown, peaks, read, write
from memlint import __version__
from memlint.report.session.text import measured
from memlint.session import Judged, Session
from memlint.session_file import from_json

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).with_name("scripts")
EXPECTED = re.compile(r"# claim: (\S+), expected: (\w+) \((.*)\)")
NEEDS = re.compile(r"^# needs: (\w+)$", re.MULTILINE)
OKAY = (0, 1, 3)
MOST_JOBS = 6

Measured = tuple[Row, Place | None]


def measure(path: Path, device: str) -> Measured:
    """Replay one script: its row, and where that was (None where it was not run, or put nothing on the GPU).

    Raises:
        RuntimeError: memlint could not do it.
        ValueError: the script does not say what is expected.
    """
    text = path.read_text(encoding="utf-8")
    head = EXPECTED.match(text)
    if head is None:
        raise ValueError(f"{path.name}: the first line must say claim and expected verdict")
    began = time.monotonic()
    bare = Row(path.stem, head[1], "", head[2], NOT_RUN, "-", "", digest(path), 0.0)
    missing = [name for name in NEEDS.findall(text) if importlib.util.find_spec(name) is None]
    if missing:
        return replace(bare, reason=f"{missing[0]} is not installed"), None
    session = replay(path, device)
    there = session.environment
    place = Place(session.memlint, there.device, there.device_name, there.torch, there.python)
    seconds = round(time.monotonic() - began, 1)
    aside = device == "cuda" and not place.device.startswith("cuda")
    return replace(judged(bare, session), seconds=seconds), None if aside else place


def digest(path: Path) -> str:
    """A short digest of what a script does: without the comments on top, which say what is expected."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    code = dropwhile(lambda line: line.startswith("#"), lines)
    return hashlib.sha256("".join(code).encode()).hexdigest()[:16]


def replay(path: Path, device: str) -> Session:
    """Replay one script in its own process.

    Raises:
        RuntimeError: memlint could not do it.
    """
    code = path.stem.partition("_")[0]
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "session.json")
        command = [sys.executable, "-m", "memlint", "replay", "--isolated", "-q", "--select", code]
        command += ["--device", device, "-o", str(output), path.name]
        search = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        # The scripts are small: cuBLAS's usual workspaces, 64 MiB on Hopper, would hide what they differ by.
        environment = {**os.environ, "PYTHONPATH": search, "CUBLAS_WORKSPACE_CONFIG": ":16:8"}
        done = subprocess.run(command, cwd=path.parent, env=environment, capture_output=True, text=True)
        if done.returncode not in OKAY:
            raise RuntimeError(f"{path.name}: {done.stderr.strip()}")
        return from_json(output.read_text(encoding="utf-8"), output.name)


def judged(row: Row, session: Session) -> Row:
    """The row with what the session says about the claim in question."""
    wanted = [j for j in session.findings if _claim(j).get("type") == row.claim]
    found = max(wanted, key=lambda j: j.verdict.status == row.expected, default=None)
    peak = peaks(session.original.peak.bytes, session.original.cuda)
    if found is None:
        return replace(row, status="no finding", peak=peak)
    return replace(
        row,
        formula=str(_claim(found).get("formula", "")),
        status=found.verdict.status,
        measured=measured(found.verdict),
        reason=found.verdict.reason,
        peak=peak,
    )


def _claim(judged: Judged) -> dict[str, Any]:
    return judged.finding["claim"] or {}


def run(
    paths: Sequence[Path], device: str, jobs: int, budget: float, done: Callable[[Measured], None]
) -> tuple[list[str], list[str]]:
    """Replay scripts, several at once; those that are timed come last and alone.

    Gives the names of those that the budget left out, and what went wrong with others.
    """
    end = time.monotonic() + budget
    late: list[str] = []
    problems: list[str] = []

    def one(path: Path) -> Measured | None:
        return measure(path, device) if time.monotonic() < end else None

    timed = [path for path in paths if "# claim: TIME" in path.read_text(encoding="utf-8")]
    for group, workers in (([path for path in paths if path not in timed], jobs), (timed, 1)):
        with ThreadPoolExecutor(workers) as pool:
            pending = {pool.submit(one, path): path for path in group}
            for future in as_completed(pending):
                try:
                    result = future.result()
                except (RuntimeError, ValueError) as error:
                    problems.append(str(error))
                    continue
                if result is None:
                    late.append(pending[future].stem)
                else:
                    done(result)
                    print(f"{result[0].script}: {result[0].status}", file=sys.stderr, flush=True)
    return late, problems


class Table:
    """The evidence as it grows: rows of an earlier run stay only if they are of the same place."""

    def __init__(self, earlier: Evidence | None, page: Path | None) -> None:
        self._earlier = earlier
        self._page = page
        self._began = time.monotonic()
        self._started = datetime.now().astimezone().isoformat(timespec="minutes")
        self._place: Place | None = None
        self.rows: dict[str, Row] = {}

    def add(self, found: Measured) -> None:
        """One more row; the files are written again.

        Raises:
            RuntimeError: it was measured elsewhere than the others.
        """
        row, place = found
        if place is not None and self._place not in (None, place):
            raise RuntimeError(f"{row.script} ran on {place}, others on {self._place}")
        self._place = place or self._place
        self.rows[row.script] = row
        if self._page is not None and self._place is not None:
            write(self.evidence(), self._page)

    def evidence(self) -> Evidence:
        """Everything measured so far, with what was taken over."""
        assert self._place is not None
        new = Batch(self._started, round(time.monotonic() - self._began, 1), len(self.rows))
        if self._earlier is None or self._earlier.place != self._place:
            return Evidence(self._place, (new,), dict(self.rows))
        return Evidence(self._place, (*self._earlier.runs, new), {**self._earlier.rows, **self.rows})


def unexpected(rows: Sequence[Row], on_gpu: bool) -> list[Row]:
    """The rows that are not as expected. What the CPU cannot show has no expected verdict on a GPU."""
    known = [row for row in rows if row.status != NOT_RUN]
    return [
        row
        for row in known
        if row.status != row.expected and not (on_gpu and row.expected in ("not_measurable", "not_reached"))
    ]


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("scripts", nargs="*", help="names without .py (default: all)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument(
        "-o", "--output", type=Path, help="the page to write; its data goes beside it (.json)"
    )
    parser.add_argument(
        "--jobs",
        type=int,
        default=max(1, min(MOST_JOBS, (os.cpu_count() or 1) // 2)),
        help="scripts replayed at once, the timed ones excepted (default: half the cores, at most 6)",
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=float("inf"),
        metavar="SECONDS",
        help="begin no script after that (each takes 10 to 60 s); the others are named",
    )
    parser.add_argument(
        "--resume",
        action="store_true",
        help="keep the rows of the page's data whose script, device, torch and memlint are the same",
    )
    return parser


def has_cuda() -> bool:
    """Whether there is a GPU to measure on."""
    import torch

    return torch.cuda.is_available()


def is_here(place: Place) -> bool:
    """Whether rows from a place are those of this machine's memlint, Python, torch and GPU."""
    import torch

    here = (__version__, sys.version.split()[0], version("torch"))
    gpu = torch.cuda.get_device_name(0) if place.device.startswith("cuda") and has_cuda() else ""
    return here == (place.memlint, place.python, place.torch) and place.device_name.startswith(gpu)


def main(arguments: Sequence[str] | None = None) -> int:
    """Replay, write the table, and say which verdicts are not the expected ones."""
    chosen = options().parse_args(arguments)
    if chosen.device == "cuda" and not has_cuda():
        print("--device cuda: torch finds no CUDA device", file=sys.stderr)
        return 2
    every = sorted(SCRIPTS.glob("*.py"))
    page = chosen.output or (None if chosen.scripts else ROOT / "docs" / f"evidence-{chosen.device}.md")
    earlier = read(page.with_suffix(".json")) if page is not None and chosen.resume else None
    if earlier is not None and not is_here(earlier.place):
        earlier = None
    known = earlier.rows if earlier is not None else {}
    paths = [path for path in every if not chosen.scripts or path.stem in chosen.scripts]
    paths = [p for p in paths if p.stem not in known or known[p.stem].digest != digest(p)]
    table = Table(earlier, page)
    late, problems = run(paths, chosen.device, chosen.jobs, chosen.budget, table.add)
    if page is None and table.rows:
        print(markdown(table.evidence()), end="")
    wrong = unexpected([*{**known, **table.rows}.values()], chosen.device != "cpu")
    for row in wrong:
        print(f"{row.script}: {row.status}, expected {row.expected} ({row.reason})", file=sys.stderr)
    for problem in problems:
        print(f"not replayed: {problem}", file=sys.stderr)
    if late:
        print(f"left out, go on with --resume: {', '.join(sorted(late))}", file=sys.stderr)
    return 2 if problems else 1 if wrong else 3 if late else 0


if __name__ == "__main__":
    sys.exit(main())
