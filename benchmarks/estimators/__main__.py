"""`python -m benchmarks.estimators`: what estimators say about eight models, beside their tensors' bytes.

The reference is torch's MemTracker, which counts the tensors of the simulated GPU while memlint runs the
script: the highest sum of all that are alive, each rounded up to 512 B. Estimators are asked for the part of
their figure that is tensors (no CUDA context, no fragmentation). accelerate, DeepSpeed, torch-preflight are
installed into an environment below `.benchmarks/` on first use; `--python` names one that has them.
Times are seconds of processor time, the start of Python included.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.check_speed import PEERS, ROOT
from benchmarks.estimators.models import CASES, Case
from memlint.session_file import from_json

HERE = Path(__file__).parent
REQUIREMENTS = ("accelerate==1.15.0", "deepspeed==0.19.8", "torch-preflight==0.5.0")
TOOLS = ("memlint", *REQUIREMENTS)
_TENSORS = ("weights", "gradients", "optimizer_state", "master_weights", "autocast_cache", "activations")


@dataclass(frozen=True, slots=True)
class Answer:
    """Bytes that a tool gives (0: none), and the processor time that it took, in seconds."""

    bytes: int
    seconds: float


def timed(command: Sequence[str], folder: Path = ROOT) -> tuple[str, float]:
    """What a command prints, and its processor time.

    Raises:
        RuntimeError: it failed; the message is the last line of what it said.
    """
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def simulated(name: str, *more: str) -> Answer:
    """Tensors at the peak of the script on a simulated GPU, by `memlint fit`."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "session.json")
        line = [sys.executable, "-m", "memlint", "fit", "-q", "--no-suggest", "--card", "24GiB"]
        line += ["--no-sandbox", "-o", str(output), "train.py", "--", name, *more]
        seconds = timed(line, HERE)[1]
        session = from_json(output.read_text(encoding="utf-8"), output.name)
    arm = session.original
    return Answer(arm.peak.bytes + arm.cuda["rounding"], seconds)


def counted(name: str) -> int:
    """What MemTracker counts of the same run."""
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder, "count")
        simulated(name, "--count", str(output))
        return int(output.read_text(encoding="ascii"))


def asked(python: str, requirement: str, name: str, case: Case) -> Answer:
    """The answer of an estimator."""
    tool = requirement.partition("==")[0]
    if tool != "torch-preflight":
        text, seconds = timed([python, str(HERE / "ask.py"), tool, name])
        return Answer(int(text.split()[-1]), seconds)
    line = [str(Path(python).with_name(tool)), "estimate", "--model", f"benchmarks.estimators.models:{name}"]
    line += ["--batch-size", str(case.batch), "--seq-len" if case.words else "--image-size", str(case.size)]
    line += ["--optimizer", "adam", "--dtype", "fp32", "--gpu-memory", "24GiB", "--format", "json"]
    text, seconds = timed(line)
    found = json.loads(text)
    parts = found["breakdown"]
    total = sum(parts[part] for part in _TENSORS) if found["resolved"] and parts["activations"] else 0
    return Answer(total, seconds)


def environment() -> str:
    """The Python of an environment with the estimators, made where it is not there yet.

    Raises:
        subprocess.CalledProcessError: pip could not install them.
    """
    folder = PEERS / "estimators"
    python = str(folder / "bin" / "python")
    if not Path(python).exists():
        venv.create(folder, with_pip=True)
        subprocess.run([python, "-m", "pip", "install", "--quiet", *REQUIREMENTS], check=True)
    return python


def row(name: str, exact: int, answers: Sequence[Answer]) -> str:
    """One line of the table."""
    cells = (
        f"{answer.bytes / 1e6:,.1f} ({100 * (answer.bytes - exact) / exact:+.2f} %)" if answer.bytes else "-"
        for answer in answers
    )
    return f"| {name} | {exact / 1e6:,.1f} | {' | '.join(cells)} |"


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--python", help="an environment that has the estimators")
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES), help="some of the models")
    options = parser.parse_args(argv)
    python = options.python or environment()
    print("| model | tensors, MB |", " | ".join(tool.replace("==", " ") for tool in TOOLS), "|")
    print("|---|--:|" + "--:|" * len(TOOLS))
    times: list[list[float]] = [[] for _ in TOOLS]
    for name in options.only:
        case = CASES[name]
        answers = [simulated(name), *(asked(python, tool, name, case) for tool in REQUIREMENTS)]
        for seconds, answer in zip(times, answers, strict=True):
            seconds.append(answer.seconds)
        print(row(name, counted(name), answers), flush=True)
    means = (f"{sum(seconds) / len(seconds):.1f} s" for seconds in times)
    print(f"| processor time, mean | | {' | '.join(means)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
