"""Replays scripts that ask for CUDA on a machine without a GPU: shapes and lifetimes, but no values."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

_TIMEOUT = 120.0
_IMPORT_ROOT = Path(__file__).parents[3]


def why_not() -> str:
    """Why no simulation can start here, "" where one can: tried in a process that may die of it."""
    command = [sys.executable, "-m", "memlint.runtime.simulate.selfcheck"]
    path = os.pathsep.join(filter(None, [str(_IMPORT_ROOT), os.environ.get("PYTHONPATH")]))
    environment = {**os.environ, "PYTHONPATH": path, "CUDA_VISIBLE_DEVICES": ""}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_TIMEOUT)
    except subprocess.TimeoutExpired:
        return f"a trial did not end within {_TIMEOUT:g} s"
    said = done.stdout.strip().rpartition("\n")[2]
    if said == "ok":
        return ""
    if done.returncode < 0:
        return f"a trial with this torch died of {signal.Signals(-done.returncode).name}"
    last = done.stderr.strip().rpartition("\n")[2]
    return said or last or f"a trial with this torch ended with status {done.returncode}"
