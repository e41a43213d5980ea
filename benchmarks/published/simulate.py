"""One published run in a process of its own, on the simulated card."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

from benchmarks.published.environments import ROOT
from benchmarks.published.rows import SCRIPTS, Run, Simulated
from memlint.runtime.cards import card_of
from memlint.session import Arm
from memlint.session_file import from_json

STEPS = 24
"""More than any of the scripts makes."""

WITHOUT_END = 4096
"""GiB of a card on which everything fits, for the peak of a run that was said not to."""

OKAY = (0, 1)


def simulate(run: Run, python: Path) -> Simulated:
    """Replay the run's script on its card; where that wrongly ends, again for the peak with memory to spare.

    Raises:
        RuntimeError: memlint could not do it, or the script failed for another reason than memory.
    """
    torch, arm = _replay(run, python)
    fits, where = _ended(run, arm)
    wanted = run.published.allocated or run.published.reserved or run.published.used
    if not fits and wanted and run.published.fits:
        torch, arm = _replay(run, python, "--device-memory", str(WITHOUT_END))
    context = run.context or card_of(run.card).context
    counted = arm.cuda
    return Simulated(counted["allocated_peak"], counted["reserved_peak"], fits, context, torch, where)


def _replay(run: Run, python: Path, *options: str) -> tuple[str, Arm]:
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "session.json")
        line = [str(python), "-m", "memlint", "replay", "--isolated", "-q", "--no-fix", "--no-source"]
        line += ["--select", "MEM101", "--steps", str(STEPS), "--device", "simulate", "--card", run.card]
        line += ["--nproc-per-node", str(run.ranks)] if run.ranks > 1 else []
        line += [*options, "--timeout", "1800", "-o", str(output), run.script, *run.arguments.split()]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **run.settings}
        done = subprocess.run(line, cwd=SCRIPTS, env=environment, capture_output=True, text=True)
        if done.returncode not in OKAY:
            raise RuntimeError(done.stderr.strip().rpartition("\n")[2] or done.stdout.strip()[-400:])
        session = from_json(output.read_text(encoding="utf-8"), output.name)
    return session.environment.torch, session.original


def _ended(run: Run, arm: Arm) -> tuple[bool, str]:
    if arm.exhausted is not None or arm.cuda.get("out_of_memory"):
        place = arm.exhausted
        return False, f"{place.file}:{place.line}" if place is not None else "somewhere"
    if arm.failure is not None:
        raise RuntimeError(f"{run.name}: {arm.failure}")
    return True, ""
