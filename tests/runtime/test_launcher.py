"""The process that runs are forked from: the same measurements, and nothing left of it afterwards."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from memlint.commands.running import trial
from memlint.errors import UsageError
from memlint.runtime.parent import arms, launcher
from memlint.runtime.parent.arms import Outcome, Request
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.launcher import Forked, Launcher, Process
from memlint.runtime.parent.runs import Runs
from tests.runtime.simulated import needs_simulation
from tests.runtime.support import is_gone, needs_torch, target

pytestmark = [
    needs_torch,
    pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux only"),
]

SCRIPT = """
import os, sys, tempfile, threading
import torch
print("parent", os.getppid())
print("at", os.getcwd(), "in", os.path.basename(sys.argv[0]), sys.argv[1:], len(threading.enumerate()))
print("session", os.getsid(0) == os.getpid(), "stdin", sys.stdin.read() == "", os.environ["PYTHONHASHSEED"])
temporary = tempfile.gettempdir()
print("temporary", os.path.basename(temporary), temporary == os.environ["TMPDIR"])
print("random", torch.rand(1).item(), "__main__" == __name__, os.path.basename(__file__))
model = torch.nn.Linear(64, 64)
optimizer = torch.optim.Adam(model.parameters())
for step in range(4):
    optimizer.zero_grad()
    model(torch.ones(8, 64)).sum().backward()
    optimizer.step()
"""

SMALL = "import torch\nheld = torch.ones(1000)\n"
"""No optimizer: the first one of a process imports torch's compiler."""


def script(folder: Path, text: str = SMALL) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / "train.py"
    path.write_text(text, encoding="utf-8")
    return path


def run(path: Path, workshop: Path, name: str, from_one: Launcher | None) -> Outcome:
    return arms.run(
        target(path, "--lr", "1"), Request(name, name), workshop, lambda steps: None, launcher=from_one
    )


def parent(outcome: Outcome) -> int:
    return int(re.findall(r"parent (\d+)", outcome.stdout)[0])


def shown(outcome: Outcome) -> tuple[str, list[tuple[int, int]], int]:
    assert outcome.arm is not None, outcome.problem + outcome.stderr
    text = re.sub(r"ml-\w+|parent \d+", "", outcome.stdout)
    return text, [(step.bytes, step.peak) for step in outcome.arm.steps], outcome.arm.peak.bytes


def test_a_fork_sees_and_measures_what_a_new_process_does(tmp_path: Path) -> None:
    path = script(tmp_path / "project", SCRIPT)
    alone = run(path, tmp_path / "w", "alone", None)
    with Launcher() as one:
        first, second = (run(path, tmp_path / "w", name, one) for name in ("first", "second"))
    assert shown(first) == shown(second) == shown(alone)
    assert "random" in alone.stdout
    # The forks have one parent, which ends with them.
    parents = {parent(outcome) for outcome in (first, second)}
    assert len(parents) == 1
    assert os.getpid() not in parents
    assert parent(alone) == os.getpid()
    assert is_gone(parents.pop())


def test_another_environment_gets_another_process_whose_idle_threads_sleep_unless_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script(
        tmp_path / "project",
        "import os, re\n"
        "begun = re.findall(b'OMP_WAIT_POLICY=([a-z]+)', open('/proc/self/environ', 'rb').read())\n"
        "print('waits', os.environ.get('OMP_WAIT_POLICY'), begun, os.getppid())\n",
    )
    monkeypatch.delenv("OMP_WAIT_POLICY", raising=False)
    with Launcher() as one:
        ours, our_parent = run(path, tmp_path / "w", "ours", one).stdout.rsplit(maxsplit=1)
        monkeypatch.setenv("OMP_WAIT_POLICY", "active")
        theirs, their_parent = run(path, tmp_path / "w", "theirs", one).stdout.rsplit(maxsplit=1)
    assert ours == "waits None [b'passive']"
    assert theirs == "waits active [b'active']"
    assert our_parent != their_parent


def test_a_run_that_dies_or_kills_the_first_process_takes_no_other_with_it(tmp_path: Path) -> None:
    dying = script(tmp_path / "dying", "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    killing = script(
        tmp_path / "killing", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n" + SMALL
    )
    path = script(tmp_path / "project")
    with Launcher() as one:
        died = run(dying, tmp_path / "w", "died", one)
        lived = run(path, tmp_path / "w", "lived", one)
        killed = run(killing, tmp_path / "w", "killed", one)
        after = run(path, tmp_path / "w", "after", one)
    assert died.arm is None
    assert "SIGSEGV" in died.problem
    assert lived.arm is not None
    # The run itself has gone on and has left its result; the next one gets a process of its own.
    assert killed.arm is not None
    assert after.arm is not None


def test_a_torch_that_starts_threads_is_not_forked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    starts = "import threading, time\nthreading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n"
    (tmp_path / "site" / "sitecustomize.py").write_text(starts, encoding="utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "site"))
    path = script(tmp_path / "project", "import os\nprint('parent', os.getppid())\n" + SMALL)
    with Launcher() as one:
        outcome = run(path, tmp_path / "w", "arm", one)
    assert outcome.arm is not None
    assert int(re.findall(r"parent (\d+)", outcome.stdout)[0]) == os.getpid()


def test_threads_that_end_before_a_fork_stand_in_no_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numpy", reason="needs the threads of NumPy's OpenBLAS")
    monkeypatch.delenv("OMP_NUM_THREADS", raising=False)
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "4")
    begin = "import os, numpy\nprint('parent', os.getppid())\n"
    multiply = "square = numpy.ones((300, 300))\nprint(int((square @ square).sum()))\n"
    path = script(tmp_path / "project", begin + multiply + SMALL)
    with Launcher() as one:
        outcome = run(path, tmp_path / "w", "arm", one)
    parent, product = re.findall(r"\d+", outcome.stdout)
    assert int(parent) != os.getpid()
    assert int(product) == 300**3


def test_a_status_is_that_of_the_process(tmp_path: Path) -> None:
    ours, theirs = launcher.socket.socketpair(launcher.socket.AF_UNIX, launcher.socket.SOCK_SEQPACKET)
    process = Forked(os.getpid(), ours)
    assert process.poll() is None
    theirs.send(f"{launcher.ENDED} {-signal.SIGKILL}".encode())
    assert process.wait() == -signal.SIGKILL
    ours.close()
    theirs.close()


@needs_simulation
def test_whether_a_simulation_can_start_is_tried_in_a_fork(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "why_not", lambda: "it was tried in a process of its own")
    runs = Runs(target(script(tmp_path), device="simulate"), tmp_path, lambda now: None, Interrupt())
    with runs.launcher:
        trial.expect_simulation(runs, "a simulation")
    monkeypatch.setattr(Launcher, "start", lambda *request: None)
    with pytest.raises(UsageError, match=r"cannot start here: it was tried in a process of its own$"):
        trial.expect_simulation(runs, "a simulation")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("import os; os.kill(os.getpid(), 11)", "a trial with this torch died of SIGSEGV"),
        ("print('it is too old')", "it is too old"),
        ("import time; time.sleep(60)", "late"),
    ],
)
def test_a_trial_in_a_fork_that_fails_is_a_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str
) -> None:
    def start(self: Launcher, asked: str, result: str, streams: Sequence[int], *more: object) -> Process:
        _, out, err = streams
        return subprocess.Popen([sys.executable, "-c", text], stdout=out, stderr=err)

    monkeypatch.setattr(Launcher, "start", start)
    monkeypatch.setattr(trial, "LATE", "late")
    monkeypatch.setattr(trial, "TIMEOUT", 5.0)
    runs = Runs(target(script(tmp_path)), tmp_path, lambda now: None, Interrupt())
    with pytest.raises(UsageError, match=f"^a simulation cannot start here: {reason}$"):
        trial.expect_simulation(runs, "a simulation")
