"""Several ranks under torch's own launcher: measured each, contained, and ended together."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from memlint.runtime import ranks
from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import DEFAULT_CARD, Request
from memlint.runtime.spec import Spec, of_rank, parts
from memlint.session import Arm, Failure, Peak, Schedule
from tests.command import interruptible
from tests.runtime.support import finding, is_gone, memlint, needs_torch, replay, script, target

DDP = """
import os, sys, torch, torch.nn as nn, torch.distributed as dist
local = int(os.environ["LOCAL_RANK"])
dist.init_process_group("gloo")
assert dist.get_world_size() == 2
assert sys.path[0] == os.path.dirname(__file__) and not sys.flags.safe_path
assert len(os.popen("stty size").read().split()) == 2
net = nn.parallel.DistributedDataParallel(nn.Linear(64, 64))
opt = torch.optim.SGD(net.parameters(), 0.1)
mine = torch.zeros(50_000 * local)
kept = []
def step():
    loss = net(torch.randn(16, 64)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss
"""

LEAK = """
for _ in range(40):
    kept.append(step().detach() + torch.zeros(1000))
"""


WRITES = """
open("log.txt", "w").write(str(local))
dist.barrier()
assert open("log.txt").read() == str(local)
if local == 0:
    os.makedirs("out")
    torch.save(net.state_dict(), "out/model.pt")
dist.barrier()
torch.load("out/model.pt")
assert os.listdir("out") == ["model.pt"] and os.path.exists("old.txt")
dist.barrier()
if local == 1:
    open("out/more.txt", "w").write("x")
dist.barrier()
assert sorted(os.listdir("out")) == ["model.pt", "more.txt"]
"""
"""Each rank writes a file of the same name, and reads what another has written."""


@needs_torch
def test_each_rank_is_measured_apart_and_the_highest_is_judged(tmp_path: Path) -> None:
    home = tmp_path / "home"
    path = script(home, DDP + WRITES + LEAK)
    (home / "old.txt").write_text("of yesterday", encoding="utf-8")
    kept = finding(path, "MEM102", "GROWTH", "kept.append(step().detach() + torch.zeros(1000))", "step()")
    session = replay(path, tmp_path / "w", [kept], steps=12, ranks=2).session
    first = session.original
    assert [(row.rank, len(row.steps)) for row in first.ranks] == [(0, 12), (1, 12)]
    assert 200_000 <= first.ranks[1].peak.bytes - first.ranks[0].peak.bytes < 210_000
    assert first.highest is not None
    assert (first.rank, first.highest.rank, first.peak) == (1, 1, first.ranks[1].peak)
    assert [sum(line.bytes_per_step for line in row.growth) for row in first.ranks] == [4000, 4000]
    assert session.notes == ("figures and verdicts are those of rank 1 of 2, which has the highest peak",)
    assert session.findings[0].verdict.status == "confirmed", session.findings[0].verdict
    assert session.findings[0].verdict.bytes_per_step == 4000
    assert {(arm.rank, len(arm.ranks)) for arm in session.arms} == {(1, 2)}
    assert session.errors == ()
    assert all(set(arm.written) == {"log.txt", "out", "out/model.pt", "out/more.txt"} for arm in session.arms)
    assert sorted(entry.name for entry in home.iterdir()) == ["old.txt", "train.py"]


@needs_torch
def test_a_rank_that_ends_first_does_not_break_the_others(tmp_path: Path) -> None:
    path = script(tmp_path, DDP + "for _ in range(40 - 30 * local): step()\nif local == 0: step()\n")
    began = time.monotonic()
    outcome = arms.run(target(path, ranks=2, steps=40), Request("arm", "arm"), tmp_path / "w", lambda n: None)
    assert outcome.arm is not None, outcome.problem
    assert [len(row.steps) for row in outcome.arm.ranks] == [10, 10]
    stopped = [row.stopped for row in outcome.arm.ranks]
    assert stopped == ["rank 1 had ended, nothing happened any more", "the script ended"]
    assert time.monotonic() - began < 60


@needs_torch
def test_the_traceback_of_a_failing_rank_is_kept(tmp_path: Path) -> None:
    text = "step()\nif local == 1:\n    raise ValueError('rank 1 is tired')\nfor _ in range(9): step()\n"
    script(tmp_path, DDP + text)
    options = ("--select", "MEM101", "--output-format", "json")
    made = memlint(tmp_path, "replay", "--nproc-per-node", "2", *options, "train.py")
    assert made.returncode == 3, made.stderr
    assert made.stderr.startswith("Traceback (most recent call last):\n  File ")
    assert "ValueError: rank 1 is tired\nmemlint: the script failed on rank 1: ValueError at" in made.stderr
    session = json.loads(made.stdout)
    assert session["arms"][0]["rank"] == 1
    stopped = [rank["stopped"] for rank in session["arms"][0]["ranks"]]
    assert stopped == ["rank 1 failed", "the script failed"]


@needs_torch
def test_a_rank_that_vanishes_is_one_line(tmp_path: Path) -> None:
    script(tmp_path, DDP + "step()\nif local == 1: os.kill(os.getpid(), 9)\nfor _ in range(9): step()\n")
    made = memlint(tmp_path, "replay", "--nproc-per-node", "2", "train.py")
    assert made.returncode == 3
    assert "rank 1 died of SIGKILL" in made.stdout
    assert "memlint: error: rank 1 died of SIGKILL and left no result, after " in made.stderr


@needs_torch
def test_all_ranks_and_their_children_end_with_the_time_limit(tmp_path: Path) -> None:
    text = """
import subprocess, time
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
print(os.getpid(), child.pid, flush=True)
time.sleep(600)
"""
    path = script(tmp_path, DDP + text)
    wanted = target(path, ranks=2, timeout=12.0)
    outcome = arms.run(wanted, Request("arm", "arm"), tmp_path / "w", lambda n: None)
    assert outcome.arm is not None, outcome.problem
    assert outcome.arm.ranks[0].stopped == "time limit of 12 s"
    outputs = [file.read_text(encoding="utf-8") for file in (tmp_path / "w").glob("arm/*.out")]
    started = [int(word) for text in outputs for word in text.split()]
    assert len(started) == 4
    assert all(map(is_gone, started))


@needs_torch
def test_interrupting_memlint_ends_all_ranks(tmp_path: Path) -> None:
    text = "open(f'pid{local}', 'w').write(str(os.getpid()))\nimport time; time.sleep(600)\n"
    path = script(tmp_path, DDP + text)
    options = ["--no-sandbox", "--nproc-per-node", "2", str(path)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    running = subprocess.Popen(
        [sys.executable, "-m", "memlint", "replay", *options], cwd=tmp_path, env=environment,
        stderr=subprocess.PIPE, text=True, preexec_fn=interruptible,
    )  # fmt: skip
    files = [tmp_path / "pid0", tmp_path / "pid1"]
    deadline = time.monotonic() + 60
    while not all(file.exists() and file.read_text(encoding="ascii") for file in files):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "memlint: interrupted: reporting what was measured" in said
    assert all(is_gone(int(file.read_text(encoding="ascii"))) for file in files)


@pytest.mark.parametrize("wrong", ["0", "-1", "two", "1.5", "100000"])
def test_a_wrong_number_of_ranks_is_one_line_and_2(tmp_path: Path, wrong: str) -> None:
    script(tmp_path, "pass\n")
    made = memlint(tmp_path, "replay", "--nproc-per-node", wrong, "train.py")
    assert made.returncode == 2
    assert made.stderr.startswith("memlint: error: ")
    assert "--nproc-per-node" in made.stderr
    assert made.stderr.count("\n") == 1


# --- without starting anything ----------------------------------------------------------------------


def an_arm(peak: int, **changes: object) -> Arm:
    plain = Arm("a", "a", "tracker", "cpu", "the script ended", 0.1, Peak(peak, "forward", 1, 2))
    return replace(plain, **changes)  # type: ignore[arg-type]


FAILED = Failure("ValueError", "no", "train.py", 3, False)


def test_the_rank_that_a_report_speaks_of() -> None:
    assert ranks.chosen([an_arm(5), an_arm(7), an_arm(7)], None) == 1
    assert ranks.chosen([an_arm(5), an_arm(7)], 0) == 0
    assert ranks.chosen([an_arm(5, failure=FAILED), an_arm(7)], None) == 0


def test_a_failure_on_another_rank_is_a_failure_of_the_arm() -> None:
    arm = ranks.joined([an_arm(9, notes=("one",)), an_arm(7, failure=FAILED, notes=("one", "two"))], 0)
    assert (arm.failure, arm.stopped, arm.failed_on) == (FAILED, "rank 1 failed", 1)
    assert (arm.rank, arm.notes) == (0, ("one", "two"))
    assert an_arm(9).failed_on is an_arm(9).highest is None


COMPLAINT = """
Failures:
[1]:
  time      : 2026-11-21_13:25:07
  rank      : 0 (local_rank: 0)
  exitcode  : -15 (pid: 18575)  (SIGTERM)
Root Cause (first observed failure):
[0]:
  rank      : 1 (local_rank: 1)
  exitcode  : -9 (pid: 18576)  (SIGKILL)
"""


def test_what_the_launcher_says_is_put_into_a_line() -> None:
    assert ranks.statuses(COMPLAINT) == {0: -15, 1: -9}
    assert ranks.cause(COMPLAINT, [0, 1], 1) == "rank 1 died of SIGKILL and left no result"
    assert ranks.cause("", [1], 0) == "rank 1 ended by itself and left no result"
    assert ranks.cause("x\nno such option\n", [0, 1], 2).endswith("ended with status 2: no such option")


def a_spec(folder: Path, count: int) -> Spec:
    files = {"scratch": str(folder / "w"), "result": str(folder / "r"), "progress": str(folder / "p")}
    empty = dict.fromkeys(
        ("name", "title", "target", "folder", "root", "probe", "device", "temporary", "extensions"), ""
    )
    return Spec(
        **empty, **files, is_module=False, arguments=(), schedule=Schedule(1), explores=False, timeout=1.0,
        least_steps=0, memory_limit=300, seed=0,
        truth="", overlay={}, watch=(), checks=(), ranks=count, peers=(),
        card=DEFAULT_CARD, device_memory=0, capacities=(), look=False, offers=False, changes=(),
        turned=(), selected=100, iterations=100,
    )  # fmt: skip


def test_each_rank_has_files_of_its_own(tmp_path: Path) -> None:
    one, two, three = parts(a_spec(tmp_path, 3))
    assert len({one.result, two.result, three.result}) == len({one.scratch, two.scratch, three.scratch}) == 3
    assert two.peers == (one.scratch, three.scratch)
    assert one.memory_limit == 100
    alone = a_spec(tmp_path, 0)
    assert parts(alone) == [alone]


def test_a_rank_ends_with_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = a_spec(tmp_path, 2)
    other, now = of_rank(whole, 1), [100.0]
    monkeypatch.setattr(ranks.time, "monotonic", lambda: now[0])
    company = ranks.Company(whole, 0)
    assert company.over(1) == ""
    now[0] += 1000
    assert company.over(1) == ""
    Path(other.result).write_text('{"failure": null}', encoding="utf-8")
    assert company.over(2) == ""
    now[0] += ranks.SETTLE + 1
    assert company.over(3) == ""
    now[0] += ranks.SETTLE + 1
    assert company.over(3) == "rank 1 had ended, nothing happened any more"
    company.wait()
    Path(other.result).write_text('{"failure": {}}', encoding="utf-8")
    assert ranks.Company(whole, 0).over(1) == "rank 1 failed"


def test_a_rank_does_not_wait_for_one_that_is_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = a_spec(tmp_path, 2)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    Path(ranks.pid_file(of_rank(whole, 1))).write_text(str(gone.pid), encoding="ascii")
    slept: list[float] = []
    monkeypatch.setattr(ranks.time, "sleep", slept.append)
    ranks.Company(whole, 0).wait()
    assert slept == []
