"""`python -m benchmarks.simulated.cost [layers] [ranks]`: what a simulation takes.

`layers`: the decoder of scripts/gpt.py is simulated for four steps with more and more layers, and as wide as
models of 7 billion parameters: how wide it is does not matter. `ranks`: one process of large jobs on several
GPUs. Prints a table of the processor time and the memory of the whole command for each; both without a name.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).with_name("scripts")
GPT = ("gpt.py", "--batch", "1", "--length", "2048", "--width", "4096", "--words", "32000", "--layers")
LAYERS = (1, 8, 16, 32, 64)
RANKS = {
    "Llama 3.1 405B, FSDP2, 4,096 tokens": (("--nnodes", "16"), ("sharded_llama.py",)),
    "Mixtral 8x7B, FSDP2, 4,096 tokens": (("--selected", "25"), ("sharded_llama.py", "--mixtral")),
    "ResNet-50, DistributedDataParallel, batch 32": ((), ("resnet.py", "--ddp")),
}
"""Options of memlint, and the script with its arguments: all on nodes of eight GPUs."""

TABLES = {
    "layers": "| layers | parameters | tensors made and freed | processor time | memory of the process |",
    "ranks": "| script | GPUs | one rank: allocated | reserved | tensors | processor time | memory |",
}


def main(tables: list[str]) -> int:
    """Simulate each, and print its row."""
    for table in tables or list(TABLES):
        if table not in TABLES:
            print(f"{table} is no table: {' or '.join(TABLES)}", file=sys.stderr)
            return 2
        print(f"{TABLES[table]}\n|{'---|' * TABLES[table].count(' | ')}---|")
        for row in map(of_layers, LAYERS) if table == "layers" else map(of_ranks, RANKS):
            print(row, flush=True)
    return 0


def of_layers(layers: int) -> str:
    """One of more and more layers."""
    arm, took = simulated((), (*GPT, str(layers)))
    count = arm["kinds"]["parameter"] / 4 / 1e9
    return f"| {layers} | {count:.2f} billion | {arm['events']:,} | {took} |"


def of_ranks(job: str) -> str:
    """One rank of a job, and one more that is to take the same."""
    options, script = RANKS[job]
    arm, took = simulated(("--nproc-per-node", "8", *options), script)
    nodes = int(options[-1]) if "--nnodes" in options else 1
    peaks = (arm["cuda"][f"{kind}_peak"] / (1 << 30) for kind in ("allocated", "reserved"))
    allocated, reserved = (f"{peak:.2f} GiB" for peak in peaks)
    return f"| {job} | {8 * nodes} | {allocated} | {reserved} | {arm['events']:,} | {took} |"


def simulated(options: tuple[str, ...], script: tuple[str, ...]) -> tuple[dict[str, Any], str]:
    """The session's first arm, and what the command took: the resources of all child processes, of which the
    last takes the most memory.

    Raises:
        RuntimeError: the simulation came to no result.
    """
    with tempfile.TemporaryDirectory() as folder:
        session = Path(folder, "session.json")
        command = (sys.executable, "-m", "memlint", "fit", "-q", "--no-suggest", "--card", "1TiB", *options)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [*command, "-o", str(session), str(SCRIPTS / script[0]), *script[1:]],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            capture_output=True,
            check=False,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            raise RuntimeError(f"{' '.join(script)}: {done.stderr.decode()[-200:]}")
        arm: dict[str, Any] = json.loads(session.read_text("utf-8"))["arms"][0]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return arm, f"{seconds:.1f} s | {after.ru_maxrss >> 10} MiB"


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
