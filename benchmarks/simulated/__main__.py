"""`python -m benchmarks.simulated`: predicted peaks of scripts, beside real ones where there is a GPU.

The scripts ask for CUDA without any test. Each is replayed to its end without fixes, once simulated
and, on a machine with a GPU, once for real; the allocator's own counters stand side by side. Where this
torch cannot be simulated, predictions that were written before stand beside what is real.

Without names all scripts are replayed, and docs/simulated-peaks.md is written, with the data beside it
(.json), again after every script. With names, the rows are printed. Exit code 2 when a script could not be
replayed, 3 when the budget was used up before all were.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from benchmarks.simulated.table import Comparison, Figures, Row, markdown, read, write
from memlint.runtime.simulate import why_not
from memlint.session_file import from_json

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).with_name("scripts")
PAGE = ROOT / "docs" / "simulated-peaks.md"
STEPS = 8
"""More than any of the scripts makes: passes over a loader end after half of them."""
OKAY = (0, 1)
CASES = {
    "cnn": "cnn.py",
    "gpt": "gpt.py",
    "gpt-163M": "gpt.py --batch 16 --length 512 --width 768 --layers 12 --words 50304",
    "resnet50": "resnet.py",
    "resnet50-bf16": "resnet.py --half",
    "vit-b16-bf16": "vit.py",
    "mobilenet": "mobilenet.py",
    "amp": "amp.py",
    "rnn": "rnn.py",
    "gpt2-bf16": "gpt2.py",
    "gpt2-bf16-checkpoint": "gpt2.py --checkpoint",
    "gpt-6.7B": "gpt.py --batch 1 --length 2048 --width 4096 --layers 32 --words 32000",
}
"""Name in the table to script and arguments."""


def replay(command: str, device: str) -> Figures:
    """Replay one script in its own process.

    Raises:
        RuntimeError: memlint could not do it; the message is what it said.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "session.json")
        line = [sys.executable, "-m", "memlint", "replay", "--isolated", "-q", "--no-fix"]
        line += ["--select", "MEM101", "--steps", str(STEPS), "--device", device, "-o", str(output)]
        search = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": search}
        done = subprocess.run(
            [*line, *command.split()], cwd=SCRIPTS, env=environment, capture_output=True, text=True
        )
        if done.returncode not in OKAY:
            raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
        session = from_json(output.read_text(encoding="utf-8"), output.name)
    arm = session.original
    if "allocated_peak" not in arm.cuda:
        raise RuntimeError("no allocator was asked: " + "; ".join(arm.notes))
    invented = sum(found.times for found in arm.simulation.invented) if arm.simulation is not None else 0
    torch = session.environment.torch
    return Figures(arm.cuda["allocated_peak"], arm.cuda["reserved_peak"], torch, invented)


def digest(name: str) -> str:
    """A short digest of what a case replays."""
    command = CASES[name]
    text = (SCRIPTS / command.partition(" ")[0]).read_text(encoding="utf-8")
    return hashlib.sha256(f"{command}\n{text}".encode()).hexdigest()[:16]


@cache
def cannot_simulate() -> str:
    """Why there are no simulated runs here, "" where there are: tried once."""
    return why_not()


def measure(name: str, *, real: bool, earlier: Row | None = None) -> Row:
    """Both runs of one case.

    Raises:
        RuntimeError: there is neither a prediction nor a measurement.
    """
    known = earlier if earlier is not None and earlier.digest == digest(name) else None
    unable = cannot_simulate()
    if unable and not real:
        raise RuntimeError(unable)
    predicted = replay(CASES[name], "simulate") if not unable else known.simulated if known else None
    row = Row(name, digest(name), predicted)
    if not real:
        return row
    try:
        return replace(row, real=replay(CASES[name], "cuda"))
    except RuntimeError as error:
        return replace(row, problem=str(error))


def device_name() -> str:
    """The GPU and its driver, "" where torch finds none."""
    code = "import torch; print(torch.cuda.get_device_name(0) if torch.cuda.is_available() else '')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    name = done.stdout.strip()
    if not name:
        return ""
    asked = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        driver = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        driver = "unknown"
    return f"{name}, driver {driver}"


def compare(
    names: Iterable[str], gpu: str, earlier: Comparison, budget: float, page: Path | None
) -> tuple[Comparison, list[str], list[str]]:
    """Measure cases one after the other; the page is written again after each.

    Gives the table, the names of those that the budget left out, and what went wrong with others.
    """
    end = time.monotonic() + budget
    found = Comparison(gpu, {name: earlier.rows[name] for name in CASES if name in earlier.rows})
    if gpu != earlier.gpu:
        bare = {name: replace(row, real=None, problem="") for name, row in found.rows.items()}
        found = Comparison(gpu, bare)
    late: list[str] = []
    problems: list[str] = []
    for name in names:
        if time.monotonic() >= end:
            late.append(name)
            continue
        try:
            row = measure(name, real=bool(gpu), earlier=found.rows.get(name))
        except RuntimeError as error:
            problems.append(f"{name}: {error}")
            continue
        rows = {**found.rows, name: row}
        found = replace(found, rows={case: rows[case] for case in CASES if case in rows})
        if page is not None:
            write(found, page)
        print(f"{name}: {row.real or row.simulated or row.problem}", file=sys.stderr, flush=True)
    return found, late, problems


def is_done(row: Row | None, gpu: str) -> bool:
    """Whether a row that was written before needs no other run."""
    if row is None or row.digest != digest(row.name):
        return False
    return row.simulated is not None and (row.real is not None or not gpu)


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"default: all of {', '.join(CASES)}")
    parser.add_argument(
        "-o", "--output", type=Path, help="the page to write; its data goes beside it (.json)"
    )
    parser.add_argument(
        "--budget",
        type=float,
        default=float("inf"),
        metavar="SECONDS",
        help="begin no script after that; the others are named",
    )
    parser.add_argument(
        "--resume", action="store_true", help="keep the rows of the page's data that are whole, of this GPU"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the chosen cases and print or write the table."""
    parser = options()
    chosen = parser.parse_args(arguments)
    unknown = [name for name in chosen.cases if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}")
    gpu = device_name()
    page = chosen.output or (None if chosen.cases else PAGE)
    earlier = read((page if page is not None and page.exists() else PAGE).with_suffix(".json"))
    names = chosen.cases or list(CASES)
    if chosen.resume and earlier.gpu == gpu:
        names = [name for name in names if not is_done(earlier.rows.get(name), gpu)]
    found, late, problems = compare(names, gpu, earlier, chosen.budget, page)
    if page is None:
        print(markdown(Comparison(gpu, {name: found.rows[name] for name in names if name in found.rows})))
    for problem in problems:
        print(f"not replayed: {problem}", file=sys.stderr)
    if late:
        print(f"left out, go on with --resume: {', '.join(late)}", file=sys.stderr)
    return 2 if problems else 3 if late else 0


if __name__ == "__main__":
    sys.exit(main())
