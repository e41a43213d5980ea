"""Which runs a replay plans and makes, and what is left of one that is interrupted between two runs."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path

import pytest

from memlint.finding import Claim, Finding
from memlint.runtime import host
from memlint.runtime.parent.counterfactual import Variant
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.plan import Plan, in_minutes, runs_for
from memlint.runtime.parent.replay import Replay
from tests.runtime import made
from tests.runtime.support import LOOP, finding, needs_torch, replay, script, static, target


def clock(*times: float) -> Plan:
    return Plan(iter(times).__next__)


def test_runs_are_counted_and_the_rest_is_guessed_from_those_that_were_made() -> None:
    plan = clock(0.0, 0.0, 10.0, 10.0, 13.0)
    plan.begin("original")
    assert (plan.total, plan.left) == (1, None)
    plan.end("original")
    plan.expect(["again", "fix-1", "safe"])
    assert plan.in_words(without_fixes=2) == "4 runs, about 30 s more; --no-fix: 2 runs"
    plan.begin("again")
    now = plan.now("the same again", 5)
    assert (now.number, now.of, now.steps, now.left) == (2, 4, 5, 27.0)


def test_a_run_that_a_verdict_turns_out_to_need_is_one_more() -> None:
    plan = clock(0.0, 0.0, 5.0, 5.0, 6.0)
    plan.begin("original")
    plan.end("original")
    plan.expect([])
    plan.begin("held")
    assert (plan.now("who holds it", 0).number, plan.total) == (2, 2)


@pytest.mark.parametrize(
    ("seconds", "said"), [(0.2, "1 s"), (7.4, "7 s"), (43, "45 s"), (100, "2 minutes"), (600, "10 minutes")]
)
def test_times_as_people_plan_with_them(seconds: float, said: str) -> None:
    assert in_minutes(seconds) == said


def claims(*kinds: str) -> list[Finding]:
    return [made.finding(kind) for kind in kinds]


FIX = Variant("fix-1", "one", (("a.py", "1"),), True, (0,))


@pytest.mark.parametrize(
    ("findings", "variants", "runs"),
    [
        ([], [], []),
        ([replace(made.finding("PEAK"), claim=None)], [], []),
        (claims("PEAK"), [], []),
        (claims("PEAK"), [FIX], ["fix-1"]),
        (claims("PEAK"), [replace(FIX, problem="does not compile")], []),
        (claims("GROWTH-HOST"), [FIX], ["fix-1"]),
        (claims("HOST"), [FIX], ["fix-1", "host", "host-fix-1"]),
        (claims("TIME"), [FIX], ["fix-1", *(f"clock-fix-1-{s}-{n}" for s in "ab" for n in (1, 2))]),
    ],
)
def test_only_runs_that_can_change_a_verdict_are_planned(
    findings: list[Finding], variants: list[Variant], runs: list[str]
) -> None:
    assert runs_for(findings, variants, simulated=False, fixes=True) == runs
    assert len(runs_for(findings, variants, simulated=True, fixes=True)) <= 1
    assert set(runs_for(findings, [], simulated=False, fixes=False)) <= {"host"}


def test_host_memory_of_graphs_is_weighed_where_nodes_pile_up() -> None:
    found = runs_for(claims("GROWTH-HOST"), [FIX], simulated=False, fixes=True, nodes_pile=True)
    assert found == ["fix-1", "host", "host-fix-1"]


def test_without_fixes_a_run_is_added_only_for_what_no_other_shows() -> None:
    assert runs_for(claims("GROWTH-HOST", "HOST", "PEAK"), [], simulated=False, fixes=False) == ["host"]
    slow = replace(made.finding("TIME"), claim=Claim("TIME", "s", "waiting-share"))
    assert runs_for([slow], [], simulated=False, fixes=False) == ["clock"]
    assert runs_for([slow], [], simulated=True, fixes=False) == []


LEAK = LOOP + "kept = []\nfor _ in range(9):\n    step()\n    kept.append(net(torch.zeros(4, 8)))\n"


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_what_was_to_be_run_after_an_interrupt_is_missing_and_leaves_no_verdict(tmp_path: Path) -> None:
    path = script(tmp_path, LEAK)
    leaks = finding(path, "MEM101", "GROWTH", "kept.append(net(torch.zeros(4, 8)))", "pass")
    unseen = finding(path, "MEM201", "PEAK", "kept = []", "kept = [1]")
    interrupt, plans = Interrupt(), []

    def stop(plan: str) -> None:
        plans.append(plan)
        interrupt.number = signal.SIGINT

    replay = Replay(
        target(path), static(path, [leaks, unseen]), tmp_path / "w", announce=stop, interrupt=interrupt
    )
    session = replay.run(fixes=True).session
    assert plans[0].startswith("5 runs, about ")
    assert plans[0].endswith("; --no-fix: 1 run")
    assert [arm.name for arm in session.arms] == ["original"]
    assert len(session.original.steps) == 9
    assert "the same again: interrupted" in session.missing
    assert "all safe fixes: interrupted" in session.missing
    for row in session.findings:
        assert row.verdict.status in ("inconclusive", "host_only")
        assert "interrupted" in row.verdict.reason


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_one_fix_is_not_run_a_second_time_as_all_fixes(tmp_path: Path) -> None:
    path = script(tmp_path, LEAK)
    leaks = finding(path, "MEM101", "GROWTH", "kept.append(net(torch.zeros(4, 8)))", "pass")
    session = Replay(target(path), static(path, [leaks]), tmp_path / "w").run(fixes=True).session
    assert [arm.name for arm in session.arms[:3]] == ["original", "again", "fix-1"]
    assert not {"safe", "all"} & {arm.name for arm in session.arms}
    assert session.missing == ()


SUMS = f"""{LOOP}
running = 0
for _ in range(12):
    loss = net(torch.ones(4, 8)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    running += loss
"""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_where_no_system_call_says_what_a_process_holds_nothing_is_said_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(host, "is_weighed", lambda: False)
    path = script(tmp_path, SUMS)
    sums = finding(path, "MEM101", "GROWTH-HOST", "running += loss", "running += loss.detach()")
    session = replay(path, tmp_path / "w", [sums]).session
    assert not [arm.name for arm in session.arms if arm.name.startswith("host")]
    (row,) = session.findings
    assert (row.verdict.status, row.verdict.reason) == ("not_measurable", "host memory was not sampled")
    assert "this system does not say what host memory a process holds: it is not measured" in session.notes
