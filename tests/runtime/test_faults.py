"""Scripts that take away what a run needs: each ends in a report of what was measured until then."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memlint.runtime.parent import arms, folders
from memlint.runtime.parent.arms import Outcome, Request
from tests.runtime.support import needs_torch, target

pytestmark = [
    needs_torch,
    pytest.mark.skipif(sys.platform == "win32", reason="replays run on POSIX systems"),
    pytest.mark.usefixtures("forked"),
]

TRAINING = """
import torch
model = torch.nn.Linear(64, 64)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
kept = []
for step in range(6):
    optimizer.zero_grad()
    loss = model(torch.ones(8, 64)).sum()
    loss.backward()
    optimizer.step()
    if step == 2:
        fault()
"""

FAULTS = {
    "becomes a daemon": "os.closerange(3, 4096); os.chdir('/'); os.umask(0)",
    "closes every descriptor": "os.closerange(0, 256)",
    "closes its standard streams": "sys.stdout.close(); sys.stderr.close(); os.close(0)",
    "lowers the size of files": "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))",
    "lowers the number of files": "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))",
    "lowers the number of processes": "resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))",
    "leaves its directory, which is removed": "d = tempfile.mkdtemp(); os.chdir(d); os.rmdir(d)",
    "lets files be written by nobody": "os.umask(0o777)",
    "has handlers of its own": (
        "[signal.signal(n, signal.SIG_IGN) for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)];"
        " sys.excepthook = threading.excepthook = lambda *error: time.sleep(60);"
        " sys.settrace(lambda *event: None); sys.setprofile(None); faulthandler.disable()"
    ),
    "replaces what Python offers": (
        "json.dump = json.dumps = os.replace = os.rename = builtins.open = io.open = None;"
        " sys.exit = time.sleep = None"
    ),
    "forgets modules": "[sys.modules.pop(name) for name in list(sys.modules) if name[:2] in ('js', 'os')]",
    "collects nothing and recurses little": "gc.disable(); gc.freeze(); sys.setrecursionlimit(60)",
    "forks, and both go on": "os.fork()",
    "leaves a fork behind that never ends": "os.fork() or time.sleep(600)",
    "leads another session": "os.fork() and os._exit(0)",
    "limits its memory to what it has": "resource.setrlimit(resource.RLIMIT_AS, (1, 1))",
    "stops the clock": "time.monotonic = time.perf_counter = time.time = lambda: 0",
    "puts other files behind every handle": (
        "[os.dup2(os.open('/dev/null', os.O_RDWR), number) for number in range(3, 30)]"
    ),
    "raises what leaves the process when it is printed": (
        "raise type('Odd', (Exception,), {'__str__': lambda error: sys.exit(5)})"
    ),
    "prints much": "[print('x' * 1_000_000) for _ in range(64)]",
    "prints what is no text": "os.write(1, bytes(range(256)) * 100); os.write(2, bytes(range(256)) * 100)",
}
MODULES = "builtins faulthandler gc io json os resource signal sys tempfile threading time"


def run(tmp_path: Path, fault: str, **changes: object) -> Outcome:
    path = tmp_path / "train.py"
    imports = f"import {', '.join(MODULES.split())}\n"
    path.write_text(f"{imports}def fault():\n    {fault}\n{TRAINING}", encoding="utf-8")
    return arms.run(target(path, **changes), Request("arm", "arm"), tmp_path / "w", lambda steps: None)


def test_of_much_that_is_printed_the_end_is_kept(tmp_path: Path) -> None:
    outcome = run(tmp_path, "[print('x' * 1_000_000) for _ in range(32)]; print('the end')")
    assert len(outcome.stdout) < 2 * arms.PRINTED
    assert outcome.stdout.startswith("[29.5")
    assert outcome.stdout.rstrip().endswith("the end")


def test_native_code_that_never_returns_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Called by PyDLL it keeps the interpreter's lock: no thread of the process runs any more.
    monkeypatch.setattr(arms, "GRACE", 1.0)
    outcome = run(tmp_path, "__import__('ctypes').PyDLL(None).sleep(600)", timeout=6.0)
    assert outcome.arm is None
    assert re.match(r"the run did not end within 6 s and had to be killed, after [23] steps", outcome.problem)


def test_a_hard_limit_is_kept_and_a_wrong_one_refused(tmp_path: Path) -> None:
    fault = (
        "core = resource.RLIMIT_CORE; resource.setrlimit(core, (0, 0)); print(resource.getrlimit(core)[0]);"
        " resource.setrlimit(resource.RLIMIT_NOFILE, (50, 20))"
    )
    outcome = run(tmp_path, fault)
    assert outcome.arm is not None
    assert outcome.arm.failure is not None
    assert outcome.arm.failure.type == "ValueError"
    assert outcome.stdout.split() == ["0"]


FILLS_THE_DISK = """
    try:
        with open('big', 'wb', buffering=0) as file:
            while True: file.write(bytes(65536))
    except OSError: {then}
"""


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="mounts a small file system")
@pytest.mark.parametrize("then", ["pass", "print('no room')"])
def test_a_full_disk_keeps_room_for_what_was_measured(tmp_path: Path, then: str) -> None:
    small = tmp_path / "w"
    small.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", str(small)]).returncode:
        pytest.skip("this root may mount nothing")
    try:
        outcome = run(tmp_path, FILLS_THE_DISK.format(then=then).strip())
    finally:
        subprocess.run(["umount", str(small)], check=True)
    assert outcome.arm is not None, outcome.problem
    assert len(outcome.arm.steps) >= 3
    assert outcome.arm.peak.bytes > 64 * 64 * 4


@pytest.mark.parametrize("error", [PermissionError, RecursionError])
def test_what_cannot_be_removed_costs_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    """A script may make its files immutable, or nest folders by the thousand."""

    def refuse(*_: object, **__: object) -> None:
        raise error

    with folders.temporary("w-", str(tmp_path)) as folder:
        (Path(folder) / "train.py").touch()
        monkeypatch.setattr(shutil, "rmtree", refuse)
    assert (Path(folder) / "train.py").exists()


@pytest.mark.parametrize("fault", FAULTS)
def test_what_was_measured_is_reported(fault: str, tmp_path: Path) -> None:
    outcome = run(tmp_path, FAULTS[fault], timeout=60.0)
    assert outcome.arm is not None, outcome.problem + outcome.stderr
    assert len(outcome.arm.steps) >= 3
    assert outcome.arm.peak.bytes > 64 * 64 * 4
