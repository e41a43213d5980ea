"""Replays scripts that ask for CUDA on a machine without a GPU: shapes and lifetimes, but no values."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from memlint.runtime import start
from memlint.runtime.simulate.selfcheck import SECONDS

TIMEOUT = 900.0
"""Seconds after which a trial that uses no processor time is given up."""

LATE = f"a trial did not end within {TIMEOUT:g} s"


def why_not() -> str:
    """Why no simulation can start here, "" where one can: tried in a process that may die of it."""
    trial = "from memlint.runtime.simulate import selfcheck; selfcheck.main()"
    command = [sys.executable, "-c", start.code(trial)]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": ""}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return LATE
    return in_words(done.returncode, done.stdout, done.stderr)


def in_words(status: int, stdout: str, stderr: str) -> str:
    """Why no simulation can start, by the end of a trial and what it printed; "" where one can."""
    said = stdout.strip().rpartition("\n")[2]
    if said == "ok":
        return ""
    if status < 0:
        ended_by = signal.Signals(-status).name
        if ended_by == "SIGXCPU":
            return f"a trial did not end within {SECONDS} s of processor time"
        return f"a trial with this torch died of {ended_by}"
    last = stderr.strip().rpartition("\n")[2]
    return said or last or f"a trial with this torch ended with status {status}"
