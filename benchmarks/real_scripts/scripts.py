"""The scripts of `tests/runtime/real`: what is expected of each, and how it is run."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import os
import pty
import shutil
import struct
import subprocess
import sys
import termios
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memlint.session import Session
from memlint.session_file import from_json

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "tests" / "runtime" / "real"
TRUTH = Path(__file__).with_name("truth.py")
OKAY = (0, 1)
SIZE = (24, 80)
"""Lines and columns of the terminal that the scripts run on."""
LIMIT = 600.0
"""Seconds after which any one process is given up."""


@dataclass(frozen=True, slots=True)
class Expected:
    """What `expected.toml` says of one script; its head explains the fields."""

    name: str
    about: str
    steps: int
    backwards: int
    peak: int
    allocator: int
    phase: str
    line: str
    needs: tuple[str, ...] = ()
    lean: bool = False
    grows: tuple[tuple[str, int], ...] = ()
    findings: tuple[tuple[str, str, str], ...] = ()

    @property
    def missing(self) -> str:
        """The first package that the script needs and that is not installed; "" where all are."""
        return next((name for name in self.needs if importlib.util.find_spec(name) is None), "")


@dataclass(frozen=True, slots=True)
class Ran:
    """One replay: what it found out, what it printed, its exit code and how many seconds it took."""

    session: Session
    text: str
    code: int
    seconds: float


def expectations() -> dict[str, Expected]:
    """Every script's expectations, by name."""
    with (FOLDER / "expected.toml").open("rb") as file:
        tables = tomllib.load(file)
    return {name: _expected(name, table) for name, table in tables.items()}


def _expected(name: str, table: dict[str, Any]) -> Expected:
    lists = ("grows", "findings", "needs")
    rows = {key: tuple(tuple(r) if isinstance(r, list) else r for r in table.get(key, ())) for key in lists}
    return Expected(name=name, **{**table, **rows})


def copied(folder: Path) -> Path:
    """A folder of its own with all scripts, where they may write what they like."""
    made = folder / "scripts"
    if not made.exists():
        shutil.copytree(FOLDER / "scripts", made, ignore=shutil.ignore_patterns("__pycache__"))
    return made


def plain(name: str, folder: Path) -> float:
    """The seconds that a script takes by itself, on a terminal, as its author runs it.

    Raises:
        RuntimeError: it failed.
    """
    return _on_terminal([sys.executable, f"{name}.py"], copied(folder))[0]


def truth(name: str, mode: str, folder: Path) -> dict[str, Any]:
    """What `truth.py` measures of a script, without memlint.

    Raises:
        RuntimeError: it failed.
    """
    output = folder / f"{name}-{mode}.json"
    _on_terminal([sys.executable, str(TRUTH), mode, str(output), f"{name}.py"], copied(folder))
    found: dict[str, Any] = json.loads(output.read_text(encoding="utf-8"))
    return found


def replayed(name: str, folder: Path, device: str, *, fixes: bool) -> Ran:
    """Replay a script in its own process.

    Raises:
        RuntimeError: memlint could not do it, or says that the script failed.
    """
    output = folder / f"{name}-{device}.session.json"
    command = [sys.executable, "-m", "memlint", "replay", "--isolated", "-q", "--color", "never"]
    command += ["--device", device, "-o", str(output), *([] if fixes else ["--no-fix"]), f"{name}.py"]
    seconds, text, code = _on_terminal(command, copied(folder), OKAY)
    return Ran(from_json(output.read_text(encoding="utf-8"), output.name), text, code, seconds)


def _environment() -> dict[str, str]:
    search = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": search, "OMP_NUM_THREADS": "1", "COLUMNS": "80"}


def _on_terminal(command: list[str], folder: Path, okay: tuple[int, ...] = (0,)) -> tuple[float, str, int]:
    """Run a command whose standard input is a terminal; seconds, standard output and exit code.

    Raises:
        RuntimeError: its exit code is another; the message ends with what it said.
    """
    master, slave = pty.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *SIZE, 0, 0))
        began = time.monotonic()
        done = subprocess.run(
            command, cwd=folder, env=_environment(), stdin=slave, capture_output=True, text=True,
            timeout=LIMIT,
        )  # fmt: skip
        seconds = time.monotonic() - began
    finally:
        os.close(master)
        os.close(slave)
    if done.returncode not in okay:
        said = f"{done.stdout[-2000:]}\n{done.stderr[-2000:]}".strip()
        raise RuntimeError(f"{' '.join(command[1:])}: exit code {done.returncode}\n{said}")
    return seconds, done.stdout, done.returncode
