"""`python -m benchmarks.simulated`: predicted peaks of scripts, beside real ones where there is a GPU.

The scripts ask for CUDA without any test. Each is replayed to its end without fixes, once simulated
and, on a machine with a GPU, once for real; the allocator's own counters stand side by side.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from memlint.session import Arm, from_json

SCRIPTS = Path(__file__).with_name("scripts")
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


@dataclass(frozen=True, slots=True)
class Row:
    """One script: its simulated run, and the real one or why there is none."""

    name: str
    simulated: Arm
    real: Arm | None
    problem: str


def replay(command: str, device: str) -> Arm:
    """Replay one script in its own process.

    Raises:
        RuntimeError: memlint could not do it; the message is what it said.
    """
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "session.json")
        line = [sys.executable, "-m", "memlint", "replay", "--isolated", "-q", "--no-fix"]
        line += ["--select", "MEM101", "--steps", str(STEPS), "--device", device, "-o", str(output)]
        environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
        done = subprocess.run(
            [*line, *command.split()], cwd=SCRIPTS, env=environment, capture_output=True, text=True
        )
        if done.returncode not in OKAY:
            raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
        arm = from_json(output.read_text(encoding="utf-8"), output.name).original
    if "allocated_peak" not in arm.cuda:
        raise RuntimeError("no allocator was asked: " + "; ".join(arm.notes))
    return arm


def measure(name: str, real: bool) -> Row:
    """Both runs of one case."""
    simulated = replay(CASES[name], "simulate")
    if not real:
        return Row(name, simulated, None, "")
    try:
        return Row(name, simulated, replay(CASES[name], "cuda"), "")
    except RuntimeError as error:
        return Row(name, simulated, None, str(error))


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


def table(rows: list[Row], gpu: str) -> str:
    """The rows as Markdown."""
    there = gpu or "no GPU was at hand: the real columns are empty"
    lines = [
        "# Simulated and real peaks",
        "",
        f"Written by `python -m benchmarks.simulated` with torch {version('torch')}; {there}.",
        "Peaks of torch's allocator in bytes, cuBLAS workspaces included; "
        "invented: values that the script read and that no kernel had computed.",
        "",
        "| script | simulated allocated | real allocated | off by | simulated reserved | real reserved | "
        "off by | invented |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for row in rows:
        cells = [row.name]
        for key in ("allocated_peak", "reserved_peak"):
            predicted = row.simulated.cuda[key]
            cells.append(f"{predicted:,}")
            if row.real is None:
                cells += [row.problem or "-", "-"]
            else:
                cells += [f"{row.real.cuda[key]:,}", f"{100 * (predicted / row.real.cuda[key] - 1):+.2f} %"]
        assert row.simulated.simulation is not None
        cells.append(str(sum(made_up.times for made_up in row.simulated.simulation.invented)))
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(lines) + "\n"


def main() -> int:
    """Measure the chosen cases and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"default: all of {', '.join(CASES)}")
    parser.add_argument("-o", "--output", type=Path, help="the table (default: stdout)")
    options = parser.parse_args()
    unknown = [name for name in options.cases if name not in CASES]
    if unknown:
        parser.error(f"no such case: {', '.join(unknown)}")
    gpu = device_name()
    rows = []
    for name in options.cases or CASES:
        rows.append(measure(name, bool(gpu)))
        print(f"{name}: {rows[-1].simulated.cuda['allocated_peak']:,} B", file=sys.stderr, flush=True)
    text = table(rows, gpu)
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    else:
        print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
