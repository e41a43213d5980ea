"""`python -m benchmarks.growth`: what `memlint check` costs as files get longer and projects larger.

One script of N lines, which is a training function over and over under new names, and projects of N scripts
that import one module. Each is checked in a new process with `-j1` and without kept reports. Shown are
processor time, the same for each line or file beyond the start of the program, and the most memory that the
process used. Time is to grow no faster than the input, and memory as little as possible with the number of
files.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

LINES = (100, 1_000, 5_000, 10_000)
FILES = (10, 100, 1_000, 5_000)

HEAD = "import torch\nfrom torch import nn\n"
TRAINING = """

def train_{n}(model: nn.Module, optimizer, loader, device):
    total, seen = 0.0, 0
    outputs = []
    for inputs, targets in loader:
        inputs, targets = inputs.to(device), targets.to(device)
        optimizer.zero_grad()
        predicted = model(inputs)
        loss = nn.functional.cross_entropy(predicted, targets)
        loss.backward()
        optimizer.step()
        total += loss.item()
        seen += len(inputs)
        outputs.append(predicted.argmax(1).cpu())
    if seen == 0:
        raise ValueError("the loader is empty")
    return total / seen, torch.cat(outputs)
"""
USER = "import torch\nfrom helpers import train_0\n"


@dataclass(frozen=True, slots=True)
class Cost:
    """What one run took: seconds of processor time, and MiB."""

    seconds: float
    peak: float


def script(lines: int) -> str:
    """A script of about so many lines."""
    each = TRAINING.count("\n")
    return HEAD + "".join(TRAINING.format(n=n) for n in range(max(1, lines // each)))


def project(files: int) -> dict[str, str]:
    """The texts of so many files, by their paths."""
    users = {f"run_{n}.py": USER + TRAINING.format(n=f"own_{n}") for n in range(files - 1)}
    return {"helpers.py": script(1), **users}


def cost(texts: dict[str, str]) -> Cost:
    """What checking these files takes, in a process of its own; what it leaves out it says itself.

    Raises:
        RuntimeError: memlint was killed.
    """
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {**texts, "pyproject.toml": ""}.items():
            Path(folder, path).write_text(text, encoding="utf-8")
        command = [sys.executable, "-m", "memlint", "check", "--isolated", "--no-cache", "-j1", "-q", folder]
        process = os.posix_spawn(
            sys.executable,
            command,
            os.environ,
            file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
        )
        _, status, used = os.wait4(process, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1, 2):
        raise RuntimeError(f"memlint ended with {os.waitstatus_to_exitcode(status)}")
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the two tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--lines", type=int, nargs="*", default=LINES)
    parser.add_argument("--files", type=int, nargs="*", default=FILES)
    options = parser.parse_args(arguments)
    start = cost({"empty.py": ""}).seconds
    print(f"start of the program: {start:.2f} s\n")
    print("| one script | seconds | ms a line | peak MiB |\n|--:|--:|--:|--:|", flush=True)
    for count in options.lines:
        text = script(count)
        taken, lines = cost({"train.py": text}), text.count("\n")
        print(_row(f"{lines:,} lines", taken, start, lines), flush=True)
    print("\n| one project | seconds | ms a file | peak MiB |\n|--:|--:|--:|--:|", flush=True)
    for count in options.files:
        print(_row(f"{count:,} files", cost(project(count)), start, count), flush=True)
    return 0


def _row(what: str, taken: Cost, start: float, count: int) -> str:
    each = max(taken.seconds - start, 0.0) / count * 1000
    return f"| {what} | {taken.seconds:.2f} | {each:.2f} | {taken.peak:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
