"""One script, simulated by memlint or run by torch alone on a real GPU."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from memlint.runtime.parent.arms import Outcome, Request, Target, run
from memlint.runtime.simulate.scratch.workspaces import cublaslt

SCRIPTS = Path(__file__).with_name("scripts")
PLAIN = Path(__file__).with_name("plain.py")
STEPS = 100_000
"""More than any of the scripts makes: loops are cut after half of them."""
LONGEST = 900.0
"""Seconds after which a script is given up."""


@dataclass(frozen=True, slots=True)
class Real:
    """Bytes that a script took without memlint (see plain.py), and what it printed."""

    allocated: int
    reserved: int
    context: int
    torch: str
    problem: str
    printed: str


def simulate_as(torch: str) -> None:
    """Have simulations take what cuBLASLt works in as that version of torch does, from now on.

    Of what torch allocates, this is what has changed since 2.11, with which real runs were made.
    """
    if torch and cublaslt(torch, {}).size:
        os.environ.setdefault("TORCH_CUBLASLT_UNIFIED_WORKSPACE", "0")


def simulated(command: str) -> Outcome:
    """Simulate a script (its name and arguments) to its end.

    Raises:
        RuntimeError: memlint could not do it, or the script ended before; the message is why.
    """
    name, *arguments = shlex.split(command)
    return simulated_file(SCRIPTS / name, arguments)


def simulated_file(path: Path, arguments: Sequence[str], *, contained: bool = True) -> Outcome:
    """The same of any script; what it writes is kept out of the way, unless not `contained`.

    Raises:
        RuntimeError: memlint could not do it, or the script ended before; the message is why.
    """
    target = Target(
        path=str(path),
        is_module=False,
        arguments=(path.name, *arguments),
        folder=str(path.parent),
        root=os.path.join(path.parent, ""),
        steps=STEPS,
        timeout=LONGEST,
        memory_limit=0,
        device="simulate",
        contained=contained,
    )
    with tempfile.TemporaryDirectory() as workshop:
        outcome = run(target, Request("original", "original"), Path(workshop), lambda steps: None)
    arm = outcome.arm
    if arm is None:
        raise RuntimeError(outcome.problem)
    if arm.failure is not None:
        raise RuntimeError(f"{arm.failure.type}: {arm.failure.message}")
    if "allocated_peak" not in arm.cuda:
        raise RuntimeError("no allocator was asked: " + "; ".join(arm.notes))
    return outcome


def real(command: str) -> Real:
    """Run a script on the GPU.

    Raises:
        RuntimeError: it ended without a result; the message is the last line that it wrote.
    """
    return _plainly(shlex.split(command), SCRIPTS, {})


def real_code(code: str, environment: Mapping[str, str]) -> Real:
    """Run code as a script on the GPU, with these variables in its environment.

    Raises:
        RuntimeError: it ended without a result; the message is the last line that it wrote.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "script.py").write_text(code, encoding="utf-8")
        return _plainly(["script.py"], Path(folder), environment)


def _plainly(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Real:
    with tempfile.TemporaryDirectory() as workshop:
        result = Path(workshop, "result.json")
        line = [sys.executable, str(PLAIN), str(result), *arguments]
        done = subprocess.run(
            line,
            cwd=folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
        if not result.exists():
            raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
        return Real(**json.loads(result.read_text(encoding="utf-8")), printed=done.stdout)
