"""How a replayed script comes to its end: by itself, by its own failure, by a limit or by Ctrl-C."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from memlint.runtime.child.attribution.analyse import OTHER_THREAD
from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import Request
from memlint.session import INTERRUPTED
from memlint.session_file import from_json
from tests.command import interruptible
from tests.runtime.support import LOOP, is_gone, measure, needs_torch, script, target

pytestmark = needs_torch


@pytest.mark.usefixtures("forked")
def test_a_failure_keeps_its_traceback_and_names_the_line(tmp_path: Path) -> None:
    path = script(tmp_path, "import torch\n\ndef bad():\n    torch.zeros(2) + torch.zeros(3)\n\nbad()\n")
    outcome = arms.run(target(path), Request("arm", "arm"), tmp_path / "w", lambda n: None)
    assert outcome.arm is not None
    failure = outcome.arm.failure
    assert failure is not None
    assert (failure.type, failure.file, failure.line) == ("RuntimeError", "train.py", 4)
    assert not failure.out_of_memory
    assert outcome.stderr.startswith("Traceback (most recent call last):\n  File ")
    assert re.findall(r'File "([^"]+)"', outcome.stderr) == [str(path)] * 2
    assert "torch.zeros(2) + torch.zeros(3)" in outcome.stderr


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import sys; sys.exit(3)", "SystemExit"),
        ("x = = 1", "SyntaxError"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ],
)
@pytest.mark.usefixtures("forked")
def test_other_ways_to_fail(tmp_path: Path, code: str, kind: str) -> None:
    arm = measure(script(tmp_path, code + "\n"), tmp_path / "w")
    assert arm.failure is not None
    assert arm.failure.type == kind


@pytest.mark.usefixtures("forked")
def test_running_out_of_memory_is_a_result(tmp_path: Path) -> None:
    path = script(tmp_path, "import torch\nkept = torch.zeros(1000)\ntorch.empty(1 << 50)\n")
    arm = measure(path, tmp_path / "w")
    assert arm.failure is not None
    assert arm.failure.out_of_memory
    assert arm.failure.line == 3
    assert arm.peak.bytes == 4000


@pytest.mark.parametrize(("status", "end"), [(0, "the script ended"), (4, "the script failed")])
@pytest.mark.usefixtures("forked")
def test_a_script_that_leaves_by_os_exit_is_measured(tmp_path: Path, status: int, end: str) -> None:
    ends = (
        "import os\n"
        "if (child := os.fork()) == 0:\n    os._exit(7)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7\n"
        f"for _ in range(3): step()\nos._exit({status})\n"
    )
    arm = measure(script(tmp_path, LOOP + ends), tmp_path / "w")
    assert (arm.stopped, len(arm.steps)) == (end, 3)
    assert (arm.failure is None) == (status == 0)
    if arm.failure is not None:
        assert (arm.failure.type, arm.failure.line) == ("SystemExit", len((LOOP + ends).splitlines()) - 1)


@pytest.mark.usefixtures("forked")
def test_a_loop_in_a_thread_of_its_own_is_said_not_to_be_measured(tmp_path: Path) -> None:
    in_thread = """
import threading
def loop():
    for _ in range(8): step()
thread = threading.Thread(target=loop)
thread.start()
thread.join()
"""
    arm = measure(script(tmp_path / "all", LOOP + in_thread), tmp_path / "w")
    assert (arm.device, len(arm.steps), arm.growth) == (OTHER_THREAD, 8, ())
    assert any("not measured: the script ran on a thread of its own" in note for note in arm.notes)
    part = measure(script(tmp_path / "part", LOOP + "step()\n" + in_thread), tmp_path / "v")
    assert part.device == "cpu"
    assert "16 steps or forwards ran in other threads, whose tensors are not followed" in part.notes


@pytest.mark.usefixtures("forked")
def test_the_profiler_is_left_to_a_script_that_uses_it(tmp_path: Path) -> None:
    uses = """
with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as found:
    for _ in range(3): step()
assert any("addmm" in row.key for row in found.key_averages())
"""
    arm = measure(script(tmp_path, LOOP + uses), tmp_path / "w", truth="profiler")
    assert arm.failure is None, arm.failure
    assert arm.outside is None
    assert len(arm.steps) == 3


@pytest.mark.usefixtures("forked")
def test_a_sleeping_script_and_its_children_end_with_the_time_limit(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import subprocess, sys, time, torch
        kept = torch.zeros(10)
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
        print(child.pid, flush=True)
        while True:
            try:
                time.sleep(600)
            except BaseException:
                pass
        """,
    )
    # On a busy machine the script may not have got as far as to its child when the time is up.
    for limit in (6.0, 30.0, 150.0):
        began = time.monotonic()
        folder = tmp_path / f"w{limit:g}"
        outcome = arms.run(target(path, timeout=limit), Request("arm", "arm"), folder, lambda n: None)
        taken = time.monotonic() - began
        assert outcome.arm is not None
        assert outcome.arm.stopped == f"time limit of {limit:g} s"
        if outcome.stdout:
            break
    assert taken < limit + 60
    assert is_gone(int(outcome.stdout))
    assert any(sys.executable in note for note in outcome.arm.notes)


@pytest.mark.usefixtures("forked")
def test_a_memory_hog_ends_with_the_memory_limit(tmp_path: Path) -> None:
    path = script(
        tmp_path, "import torch, time\nkept = [torch.ones(1 << 26) for _ in range(8)]\ntime.sleep(600)\n"
    )
    arm = measure(path, tmp_path / "w", memory_limit=1 << 30)
    assert arm.stopped.startswith("memory limit")


@pytest.mark.usefixtures("forked")
def test_a_crash_of_the_process_is_said(tmp_path: Path) -> None:
    path = script(tmp_path, "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n")
    outcome = arms.run(target(path), Request("arm", "arm"), tmp_path / "w", lambda n: None)
    assert outcome.arm is None
    assert "SIGSEGV" in outcome.problem


def replaying(path: Path, *options: str) -> subprocess.Popen[str]:
    """`memlint replay` of a script, with signals handled as in the foreground of a shell."""
    command = [sys.executable, "-m", "memlint", "replay", "--no-sandbox", *options, path.name]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.Popen(
        command, cwd=path.parent, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=interruptible,
    )  # fmt: skip


def wait_for(file: Path) -> str:
    deadline = time.monotonic() + 60
    while not file.exists():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return file.read_text(encoding="ascii")


SAYS_ITS_PIDS = """
import os, subprocess, time
child = subprocess.Popen(["sleep", "600"])
with open("pid.part", "w") as file:
    file.write(f"{os.getpid()} {child.pid}")
os.rename("pid.part", "pid")
"""
THREE_STEPS = LOOP + "for _ in range(3): step()\n" + SAYS_ITS_PIDS


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_replay_reports_and_saves_what_it_measured(
    tmp_path: Path, number: signal.Signals, status: int
) -> None:
    path = script(tmp_path, THREE_STEPS + "time.sleep(600)\n")
    running = replaying(path, "-o", "s.json", "--html", "s.html")
    pids = wait_for(tmp_path / "pid").split()
    running.send_signal(number)
    shown, said = running.communicate(timeout=60)
    assert running.returncode == status
    assert "interrupted: reporting what was measured" in said
    assert "interrupted" in shown
    assert all(is_gone(int(pid)) for pid in pids)
    session = from_json((tmp_path / "s.json").read_text(encoding="utf-8"), "s.json")
    assert (session.original.stopped, len(session.original.steps)) == (INTERRUPTED, 3)
    assert session.original.peak.bytes > 0
    assert session.missing[0] == "the script as it is: interrupted after 3 steps"
    assert (tmp_path / "s.html").read_text(encoding="utf-8").endswith("</html>\n")


def test_a_second_interrupt_leaves_at_once(tmp_path: Path) -> None:
    stuck = "signal = __import__('signal'); os.kill(os.getpid(), signal.SIGSTOP)\n"
    path = script(tmp_path, SAYS_ITS_PIDS + stuck)
    running = replaying(path, "-o", "s.json")
    pids = wait_for(tmp_path / "pid").split()
    assert running.stderr is not None
    running.send_signal(signal.SIGINT)
    assert running.stderr.readline() == "\n"
    assert "interrupt again" in running.stderr.readline()
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said) == (130, "memlint: interrupted\n")
    assert not (tmp_path / "s.json").exists()
    assert all(is_gone(int(pid)) for pid in pids)


def test_a_killed_process_is_reported_with_the_last_that_was_seen_of_it(tmp_path: Path) -> None:
    kills = "time.sleep(0.5)\nos.kill(child.pid, 9)\nos.kill(os.getpid(), 9)\n"
    running = replaying(script(tmp_path, THREE_STEPS + kills), "-o", "s.json")
    _, said = running.communicate(timeout=60)
    assert running.returncode == 3
    last = r"memlint: error: the script's process died of SIGKILL, after 3 steps and \d+ s, when it held "
    assert re.match(last + r"[\d.]+ [KMG]iB of host memory \(out of memory\? see --memory-limit\)\n$", said)
    session = from_json((tmp_path / "s.json").read_text(encoding="utf-8"), "s.json")
    assert session.original.failure is not None
    assert session.missing[0].startswith("the script as it is: the script's process died of SIGKILL")


def test_a_run_ends_before_its_record_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memlint.runtime.child import run as running

    class EndedError(Exception):
        pass

    def finish(why: str) -> None:
        raise EndedError(why)

    monkeypatch.setattr(running, "EVENTS_AT_MOST", 1_000)
    run = running.Run.__new__(running.Run)
    run.company, run.began, run.log = None, time.perf_counter(), running.Log()
    run.spec = SimpleNamespace(timeout=5.0, memory_limit=0, result=str(tmp_path / "result"))
    run.finish = finish
    run.log.events.extend(range(1_001))
    with pytest.raises(EndedError, match=r"^1,000 allocations and releases of tensors$"):
        run._patrol()
