"""`python -m benchmarks.gpu`: everything that takes a GPU, in one command, within a number of seconds.

In this order: the tests marked `gpu`, peaks of torch's allocator beside the simulated ones
(docs/simulated-peaks.md), single operations the same way (docs/simulated-operations.md), and one replay per
rule on CUDA (docs/evidence-cuda.md). The pages name the GPU, its driver and torch; docs/gpu.md says what the
tests said. What is there already for this GPU, torch and memlint is not done again, so the command is given
again until its exit code is 0 or 1.

Exit code 1 when a test fails or a verdict is not the expected one, 2 without a GPU or when something could
not be replayed, 3 when the budget was used up before everything was done.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

from benchmarks.evidence.__main__ import main as evidence
from benchmarks.simulated.__main__ import device_name
from benchmarks.simulated.__main__ import main as simulated
from benchmarks.simulated.operations import main as operations
from memlint import __version__

ROOT = Path(__file__).parents[1]
NO_GPU = (
    "benchmarks.gpu: torch finds no CUDA device; give the same command where there is one, with a CUDA build "
    "of torch (without one, `memlint replay --device simulate SCRIPT` predicts)"
)
FAILED, UNABLE, LEFT = 1, 2, 3
USUAL = 540.0
PASSED = "passed"
GRAVITY = (0, LEFT, FAILED, UNABLE)
"""Exit codes, the one that says most last."""


def tests(page: Path, place: str, seconds: float) -> int:
    """Run the tests that need a GPU, unless the page says that they have passed there, and write the page."""
    heading = f"# Tests on a GPU\n\nWritten by `python -m benchmarks.gpu` on {place}.\n\n"
    if page.exists() and page.read_text(encoding="utf-8").startswith(f"{heading}{PASSED}"):
        return 0
    command = [sys.executable, "-m", "pytest", "-q", "-m", "gpu", "tests/runtime"]
    if importlib.util.find_spec("xdist") is not None:
        command += ["-n", "4"]
    search = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": search},
            stdout=subprocess.PIPE,
            text=True,
            timeout=max(seconds, 1.0),
        )
    except subprocess.TimeoutExpired:
        print("left out: the tests", file=sys.stderr)
        return LEFT
    print(done.stdout, file=sys.stderr)
    said = done.stdout.strip().rpartition("\n")[2].strip("= ")
    # Where everything is skipped, pytest is content.
    fine = done.returncode == 0 and " passed" in said
    page.write_text(f"{heading}{PASSED if fine else 'failed'}: {said}\n", encoding="utf-8")
    return 0 if fine else FAILED


def options() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--budget",
        type=float,
        default=USUAL,
        metavar="SECONDS",
        help="begin nothing after that; what has begun ends within a minute or so (default: %(default)g)",
    )
    parser.add_argument("--jobs", type=int, default=12, help="evidence scripts at once (default: 12)")
    parser.add_argument(
        "--folder", type=Path, default=ROOT / "docs", help="where the pages are written (default: docs)"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what is still to do, and give the exit code that says most."""
    chosen = options().parse_args(arguments)
    end = time.monotonic() + chosen.budget
    gpu = device_name()
    if not gpu:
        print(NO_GPU, file=sys.stderr)
        return UNABLE
    place = f"{gpu}, torch {version('torch')}, memlint {__version__}"
    chosen.folder.mkdir(parents=True, exist_ok=True)

    def page(name: str) -> list[str]:
        return ["--resume", "-o", str(chosen.folder / name)]

    parts: tuple[Callable[[float], int], ...] = (
        lambda left: tests(chosen.folder / "gpu.md", place, left),
        lambda left: simulated(
            [*page("simulated-peaks.md"), "--budget", str(left), "--jobs", str(max(1, chosen.jobs // 2))]
        ),
        lambda left: operations(page("simulated-operations.md")) if left else LEFT,
        lambda left: evidence(
            [*page("evidence-cuda.md"), "--device", "cuda", "--jobs", str(chosen.jobs), "--budget", str(left)]
        ),
    )
    codes = [part(max(0.0, end - time.monotonic())) for part in parts]
    return max(codes, key=GRAVITY.index)


if __name__ == "__main__":
    sys.exit(main())
