"""Verdicts on what grows from step to step, on the device and on the host."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memlint.runtime.parent.verdicts.attribution import values_kept
from memlint.runtime.parent.verdicts.growth import host_slope
from memlint.runtime.parent.verdicts.thresholds import DEFAULT
from memlint.runtime.parent.verdicts.verdict import judge
from memlint.session import Arm, Verdict
from tests.runtime.made import MIB, arm, evidence, finding, hosts, step, verdict
from tests.runtime.support import measure, needs_torch, script


def test_growth_counts_from_one_block_per_step() -> None:
    found = verdict("GROWTH", arm(grows=4), arm())
    assert (found.status, found.bytes_per_step) == ("confirmed", 4)
    assert verdict("GROWTH", arm(grows=4), arm(grows=4)).status == "refuted"
    partly = verdict("GROWTH", arm(grows=5000), arm(grows=1000))
    assert (partly.status, partly.bytes_per_step) == ("confirmed", 4000)
    assert "1000 B remain" in partly.reason


def test_growth_is_compared_step_with_step_and_forward_with_forward() -> None:
    def rows(step: int, forward: int) -> Arm:
        found = arm(grows=step)
        inner = replace(found.growth[0], series="forward at a.py:7", bytes_per_step=forward)
        return replace(found, growth=(replace(inner, block_bytes_per_step=forward), *found.growth))

    found = verdict("GROWTH", rows(3000, 9000), rows(600, 9600))
    assert (found.status, found.bytes_per_step) == ("confirmed", 2400)
    assert "every step leaves 2.93 KiB behind" in found.reason
    inside = verdict("GROWTH", rows(600, 9000), rows(600, 0))
    assert (inside.status, inside.bytes_per_step) == ("confirmed", 9000)
    assert "every forward leaves 8.789 KiB behind" in inside.reason


def test_what_only_the_fixed_script_gives_up_at_the_end_of_an_epoch_confirms() -> None:
    def epochs(per_step: int, cleared: bool) -> Arm:
        kept = [per_step * (n % 10 if cleared else n) for n in range(20)]
        return arm(grows=per_step, steps=tuple(replace(step(), bytes=5000 + each) for each in kept))

    found = verdict("GROWTH", epochs(1024, cleared=False), epochs(1024, cleared=True))
    assert (found.status, found.bytes_per_step) == ("confirmed", 1024)
    assert found.reason.endswith("with the fix 10 KiB less are alive after the last step")
    # A few bytes can lie elsewhere by chance.
    assert verdict("GROWTH", epochs(8, cleared=False), epochs(8, cleared=True)).status == "refuted"
    same = epochs(1024, cleared=False)
    assert verdict("GROWTH", same, same).status == "refuted"
    # What the fix frees must be what the steps leave: a part of it may have been there from the start.
    less = replace(same, steps=tuple(replace(each, bytes=each.bytes - 3 * 1024) for each in same.steps))
    assert verdict("GROWTH", same, less).status == "refuted"
    shorter = replace(epochs(1024, cleared=True), steps=epochs(1024, cleared=True).steps[:15])
    assert verdict("GROWTH", same, shorter).status == "refuted"


def test_what_comes_once_per_epoch_is_no_rate_per_step() -> None:
    def ends(kept: int) -> Arm:
        return arm(grows=600, steps=tuple(replace(step(), bytes=5000 + n // 10 * kept) for n in range(20)))

    found = verdict("GROWTH", ends(100 << 10), ends(0))
    assert (found.status, found.bytes_per_step) == ("confirmed", None)
    assert found.reason == "with the fix 100 KiB less are alive after the last step"


def test_host_memory_that_was_not_seen_long_enough_refutes_nothing() -> None:
    short = arm(steps=(step(host=1),) * 7)
    found = verdict("GROWTH", arm(grows=2048), arm(grows=2048), host=(short, short))
    assert found.status == "inconclusive"
    assert "too few steps to see a growth: 7" in found.reason


def test_growth_of_the_host_alone_is_said_to_be_that() -> None:
    found = verdict("GROWTH", arm(), arm(), host=(hosts(6000), hosts(0)))
    assert (found.status, found.bytes_per_step) == ("host_only", 6000)
    assert verdict("GROWTH", arm(), arm(), host=(hosts(100), hosts(0))).status == "refuted"


def test_host_growth_is_held_against_noise_and_told_in_nodes() -> None:
    part = verdict("GROWTH-HOST", arm(), arm(), host=(hosts(6000, nodes=100), hosts(0)))
    assert (part.status, part.bytes_per_step) == ("confirmed", 6000)
    assert "5.859 KiB of host memory per step (a step makes 100 autograd nodes)" in part.reason
    whole = verdict("GROWTH-HOST", arm(), arm(), host=(hosts(6000), hosts(0)))
    assert "(a step makes 10 autograd nodes)" in whole.reason
    assert verdict("GROWTH-HOST", arm(), arm(), host=(hosts(1000), hosts(0))).status == "refuted"
    jumps = (0, 9_000, 3_000, 30_000, 5_000, 21_000)
    wild = arm(steps=tuple(step(host=1000 + i * 2000 + jumps[i % 6]) for i in range(20)))
    assert verdict("GROWTH-HOST", arm(), arm(), host=(wild, hosts(0))).status == "inconclusive"
    short = arm(steps=hosts(0).steps[:6])
    assert verdict("GROWTH-HOST", arm(), arm(), host=(hosts(6000), short)).status == "inconclusive"
    assert verdict("GROWTH-HOST", arm(), arm(), host=(hosts(6000), hosts(200))).status == "confirmed"
    assert verdict("GROWTH-HOST", arm(), None, host=(hosts(6000), None)).status == "inconclusive"
    assert verdict("GROWTH-HOST", arm(), arm()).status == "not_measurable"


def test_host_slope_is_the_median_and_wants_steps() -> None:
    spiky = [0] * 4 + [10, 20, 5_000_000, 5_000_010, 5_000_020, 5_000_030]
    assert host_slope(arm(steps=tuple(step(host=value) for value in spiky))) == 10
    assert host_slope(arm(steps=(step(host=1),) * 6)) is None


def test_too_few_steps_see_no_growth() -> None:
    assert verdict("GROWTH", arm(steps=(step(),) * 3), arm()).status == "inconclusive"


def test_host_memory_of_the_process_is_held_against_the_fixed_run() -> None:
    assert verdict("HOST", arm(), arm(), host=(hosts(MIB), hosts(0))).status == "confirmed"
    assert verdict("HOST", arm(), arm(), host=(hosts(100), hosts(0))).status == "inconclusive"
    assert verdict("HOST", arm(), arm(), host=(hosts(0), hosts(0))).status == "refuted"
    assert verdict("HOST", arm(), arm(), host=(hosts(MIB), None)).status == "inconclusive"


def test_what_spawned_workers_are_given_is_their_copy() -> None:
    claim = finding("HOST", "MEM403")

    def judged(*sent: int) -> Verdict:
        return judge(claim, replace(evidence(arm()), host=(arm(sent=sent), None)))

    copied = judged(20 * MIB, 19 * MIB)
    assert copied.status == "confirmed"
    assert "2 processes were spawned and given up to 20 MiB" in copied.reason
    assert judged(4_000).status == "refuted"
    assert judged().status == "not_measurable"


def test_batches_that_wait_are_what_lies_in_shared_memory() -> None:
    claim = finding("HOST", "MEM409")

    def judged(shared: int) -> Verdict:
        return judge(claim, replace(evidence(arm()), host=(arm(shared=shared), None)))

    assert judged(600 * MIB).reason == "up to 600 MiB of batches lay in shared memory"
    assert [judged(n * MIB).status for n in (600, 6, 0)] == ["confirmed", "inconclusive", "not_measurable"]


def test_worker_memory_and_reserve() -> None:
    grown = arm(steps=tuple(step(workers=10 * MIB + i * MIB) for i in range(10)))
    records = finding("HOST", "MEM402")
    assert judge(records, replace(evidence(arm()), host=(grown, None))).status == "confirmed"
    assert "how much of it is data" in verdict("HOST", arm(), host=(grown, None)).reason
    assert verdict("HOST", arm(), host=(hosts(0), None)).status == "not_measurable"
    early = arm(steps=tuple(step(workers=10 * MIB + min(i, 2) * MIB) for i in range(10)))
    assert judge(records, replace(evidence(arm()), host=(early, None))).status == "inconclusive"
    assert "of a CUDA device" in verdict("RESERVED", arm()).reason
    cuda = {"reserved_peak": 100, "allocated_peak": 50, "retries": 0}
    assert verdict("RESERVED", arm(cuda=cuda)).status == "confirmed"


def test_values_that_a_line_keeps_count_although_its_fix_only_detaches_them() -> None:
    both = evidence(arm(grows=4096), arm(grows=4096))
    here = replace(both, lines=("a.py:5",))
    alone = judge(finding("GROWTH"), replace(both, host=(hosts(9000), hosts(1000))))
    assert alone.status == "host_only"
    found = values_kept(here, alone, DEFAULT)
    assert (found.status, found.bytes_per_step) == ("confirmed", 4096)
    assert "leaves 4 KiB behind (made at a.py:5); this is by attribution: on its own" in found.reason
    assert values_kept(both, alone, DEFAULT) == alone
    assert values_kept(replace(here, original=arm(grows=4)), alone, DEFAULT) == alone
    # A number of four bytes, beside what another line leaves behind: what it takes of the host is more.
    (other,) = arm(grows=4096).growth
    number = replace(other, bytes_per_step=4, block_bytes_per_step=512)
    beside = replace(here, original=arm(growth=(replace(other, line=9), number)))
    assert values_kept(beside, alone, DEFAULT) == alone


def test_a_growth_without_nodes_needs_no_weighing_of_the_process() -> None:
    found = verdict("GROWTH", arm(), arm())
    assert (found.status, found.reason) == ("refuted", "no tensor outlives its step")
    gone = judge(finding("GROWTH-HOST", "MEM101"), evidence(arm(), arm()))
    assert gone.status == "refuted"
    assert "no autograd nodes pile up, over 12 steps" in gone.reason


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_loop_that_updates_its_weights_by_hand_is_counted_by_its_backwards(tmp_path: Path) -> None:
    path = script(
        tmp_path,
        """
        import torch
        weight, kept = torch.randn(16, 64).requires_grad_(), []
        for _ in range(30):
            out = (torch.randn(32, 16) @ weight).relu()
            out.mean().backward()
            with torch.no_grad():
                weight -= 0.1 * weight.grad
            weight.grad = None
            kept.append(out.detach())
        """,
    )
    found = measure(path, tmp_path / "w", steps=20)
    assert (found.series, len(found.steps), found.trained) == ("backward at train.py:5", 20, True)
    assert [(cut.line, cut.ran, cut.of) for cut in found.cuts] == [(3, 20, 30)]
    assert [(row.series, row.bytes_per_step) for row in found.growth] == [
        ("backward at train.py:5", 32 * 64 * 4)
    ]
