"""`python -m benchmarks.simulated.cost`: what a simulation takes, by how many operations it makes.

The decoder of scripts/gpt.py is simulated for four steps with more and more layers, and as wide as models of
7 billion parameters: how wide it is does not matter. Prints a table of the processor time and the memory of
the whole command.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

SCRIPT = Path(__file__).with_name("scripts") / "gpt.py"
WIDE = ("--batch", "1", "--length", "2048", "--width", "4096", "--words", "32000")
LAYERS = (1, 8, 16, 32, 64)
MIB = 1 << 20


def main() -> int:
    """Simulate each, and print its row."""
    print("| layers | parameters | tensors made and freed | processor time | memory of the process |")
    print("|---:|---:|---:|---:|---:|")
    for layers in LAYERS:
        print(row(layers), flush=True)
    return 0


def row(layers: int) -> str:
    """One simulation; the resources are those of all child processes, and the last of them takes the most."""
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder, "session.json")
        command = (sys.executable, "-m", "memlint", "fit", "-q", "--no-suggest", "--card", "1TiB")
        script = ("-o", str(session), str(SCRIPT), *WIDE, "--layers", str(layers))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [*command, *script], env={**os.environ, "OMP_NUM_THREADS": "1"}, capture_output=True, check=False
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            return f"| {layers} | {done.stderr.decode()[-200:]} |"
        arm = json.loads(session.read_text("utf-8"))["arms"][0]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    count = arm["kinds"]["parameter"] / 4 / 1e9
    memory = after.ru_maxrss * 1024 // MIB
    return f"| {layers} | {count:.2f} billion | {arm['events']:,} | {seconds:.1f} s | {memory} MiB |"


if __name__ == "__main__":
    raise SystemExit(main())
