"""The parent's half: starts one child per arm, watches it, and always ends its whole process group."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from memlint.errors import MemlintError
from memlint.runtime.spec import UNAVAILABLE, Spec
from memlint.session import Arm, decode

POLL = 0.05
GRACE = 20.0
PATH_LIMIT = 40
SEED = 20_161
_IMPORT_ROOT = str(Path(__file__).parents[2])
_CHILD = str(Path(__file__).with_name("child.py"))

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Target:
    """What to run and how.

    `arguments` is the script's sys.argv; `root` is the folder whose files count as the user's project,
    with a trailing separator. `memory_limit` is in bytes, `timeout` in seconds per arm.
    """

    path: str
    is_module: bool
    arguments: tuple[str, ...]
    folder: str
    root: str
    steps: int
    timeout: float
    memory_limit: int
    device: str
    contained: bool


@dataclass(frozen=True, slots=True)
class Request:
    """One arm to run: see `Spec` for the fields that have the same name."""

    name: str
    title: str
    probe: str = "tracker"
    overlay: tuple[tuple[str, str], ...] = ()
    watch: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    truth: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an arm: its measurements, or the reason why there are none; and what it printed."""

    arm: Arm | None
    problem: str
    stdout: str
    stderr: str


def run(target: Target, request: Request, workshop: Path, progress: Progress) -> Outcome:
    """Run one arm to its end. `progress` is told the number of steps now and then.

    KeyboardInterrupt passes through, after the child and everything it started has ended.

    Raises:
        MemlintError: what the target asks for cannot be measured on this machine.
    """
    folder = workshop / request.name
    (folder / "w").mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="ml-", dir=_short(), ignore_cleanup_errors=True) as temporary:
        return _run(target, request, folder, temporary, progress)


def _short() -> str:
    """A folder for temporary files: loader workers put sockets there, whose paths hold 100 characters."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= PATH_LIMIT or not os.access("/tmp", os.W_OK) else "/tmp"


def _run(target: Target, request: Request, folder: Path, temporary: str, progress: Progress) -> Outcome:
    spec = _spec(target, request, folder, temporary)
    spec.write(folder / "spec.json")
    command = [sys.executable, "-P", _CHILD, str(folder / "spec.json")]
    with open(folder / "stdout", "wb") as out, open(folder / "stderr", "wb") as err:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=target.folder,
            env=_environment(target, temporary),
            start_new_session=True,
        )
        try:
            late = _wait(child, target.timeout + GRACE, Path(spec.progress), progress)
        finally:
            _end_group(child)
    printed = (_text(folder / "stdout"), _text(folder / "stderr"))
    if child.returncode == UNAVAILABLE:
        raise MemlintError(printed[1].strip().rpartition("\n")[2])
    if not Path(spec.result).exists():
        return Outcome(None, _cause(child.returncode, late, target), *printed)
    arm: Arm = decode(Arm, json.loads(Path(spec.result).read_text(encoding="utf-8")))
    return Outcome(arm, "", *printed)


def _spec(target: Target, request: Request, folder: Path, temporary: str) -> Spec:
    return Spec(
        name=request.name,
        title=request.title,
        target=target.path,
        is_module=target.is_module,
        arguments=target.arguments,
        folder=target.folder,
        root=target.root,
        probe=request.probe,
        steps=target.steps,
        timeout=target.timeout,
        memory_limit=target.memory_limit,
        device=target.device,
        seed=SEED,
        scratch=str(folder / "w") if target.contained else "",
        temporary=temporary,
        result=str(folder / "result.json"),
        progress=str(folder / "progress"),
        truth=request.truth,
        overlay=dict(request.overlay),
        watch=request.watch,
        checks=request.checks,
        python_path=os.environ.get("PYTHONPATH"),
    )


def _environment(target: Target, temporary: str) -> dict[str, str]:
    inherited = os.environ.get("PYTHONPATH")
    changes: Mapping[str, str] = {
        "PYTHONPATH": os.pathsep.join(filter(None, [_IMPORT_ROOT, inherited])),
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "WANDB_MODE": os.environ.get("WANDB_MODE", "offline"),
    }
    if target.contained:
        changes = {**changes, "TMPDIR": temporary}
    if target.device == "cpu":
        changes = {**changes, "CUDA_VISIBLE_DEVICES": ""}
    return {**os.environ, **changes}


def _wait(child: subprocess.Popen[bytes], limit: float, file: Path, progress: Progress) -> bool:
    """Wait for the child; True when it had to be ended because it overran even its own watchdog."""
    end = time.monotonic() + limit
    while child.poll() is None:
        if time.monotonic() > end:
            return True
        if file.exists():
            progress(int(file.read_text(encoding="ascii") or 0))
        time.sleep(POLL)
    return False


def _end_group(child: subprocess.Popen[bytes]) -> None:
    # The group outlives its leader where loader workers or subprocesses are left over.
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(child.pid, number)
        except ProcessLookupError:
            break
        if number == signal.SIGTERM:
            time.sleep(POLL)
    child.wait()


def _cause(code: int, late: bool, target: Target) -> str:
    if late:
        return f"the replay did not end within {target.timeout:g} s and had to be killed"
    if code < 0:
        return f"the replay process died of {signal.Signals(-code).name}"
    return f"the replay process ended with status {code} and left no result"


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")
