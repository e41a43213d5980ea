"""Verdicts from measured arms, at and around every threshold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlint.finding import Applicability, Claim, Edit, Finding, Fix, Note, Severity, Span
from memlint.runtime.doubling import doubled, judge_doubled
from memlint.runtime.evidence import Evidence
from memlint.runtime.thresholds import DEFAULT
from memlint.runtime.verdict import host_slope, in_words, judge
from memlint.session import PHASES, Arm, Checks, Failure, Growth, Held, Peak, Step, Verdict

MIB = 1 << 20


def arm(peak: int = 100 * MIB, grows: int = 0, **changes: object) -> Arm:
    base = Arm("original", "", "tracker", "cpu", "the script ended", 1.0, Peak(peak, "backward", 3, 10))
    rows = (Growth("a.py", 5, "optimizer step", grows, -(-grows // 512) * 512, 8, 8),) if grows else ()
    values = {"growth": rows, "steps": (step(),) * 12, "reached": ("a.py:7",), **changes}
    return replace(base, **values)  # type: ignore[arg-type]


def step(seconds: float = 0.1, host: int = -1, nodes: int = 10, workers: int = -1) -> Step:
    return Step(seconds, 0, 0, host, workers, nodes, 0)


def finding(claim: str, code: str = "MEM999", formula: str = "bytes") -> Finding:
    return Finding(
        code, "rule", Severity.WARNING, "m", "a.py", Span(7, 1, 7, 5), "f", claim=Claim(claim, formula)
    )


def evidence(original: Arm, fixed: Arm | None = None, again: Arm | None = None) -> Evidence:
    return Evidence(original, again or original, fixed, (None, None), (None, None), ("a.py:7",))


def verdict(claim: str, original: Arm, fixed: Arm | None = None, **changes: object) -> Verdict:
    return judge(finding(claim), replace(evidence(original, fixed), **changes))  # type: ignore[arg-type]


def hosts(per_step: int, nodes: int = 10) -> Arm:
    return arm(steps=tuple(step(host=1000 + i * per_step, nodes=nodes) for i in range(20)))


def test_a_line_that_never_ran_is_not_reached() -> None:
    found = verdict("PEAK", arm(reached=()), arm(1))
    assert found.status == "not_reached"
    assert "ended without it" in found.reason
    failed = Failure("ValueError", "x", "a.py", 2, False)
    assert "failed before" in verdict("PEAK", arm(reached=(), failure=failed)).reason


def test_a_line_that_only_other_processes_ran_is_not_refuted() -> None:
    worker = arm(reached=(), reached_elsewhere=("a.py:7",))
    found = verdict("GROWTH", worker, arm())
    assert found.status == "not_measurable"
    assert "only processes that the script started ran the line" in found.reason
    assert "only processes" not in verdict("HOST", worker, arm()).reason


def test_a_finding_without_a_claim_is_not_measurable() -> None:
    bare = replace(finding("PEAK"), claim=None)
    assert judge(bare, evidence(arm())).status == "not_measurable"


def test_peak_is_confirmed_refuted_and_neither() -> None:
    confirmed = verdict("PEAK", arm(100 * MIB), arm(60 * MIB))
    assert (confirmed.status, confirmed.measured_bytes, confirmed.share_of_peak) == (
        "confirmed",
        40 * MIB,
        0.4,
    )
    refuted = verdict("PEAK", arm(100 * MIB), arm(100 * MIB))
    assert refuted.status == "refuted"
    assert "your peak is in backward()" in refuted.reason
    assert verdict("PEAK", arm(100 * MIB), arm(101 * MIB)).status == "refuted"
    assert verdict("PEAK", arm(100 * MIB), arm(100 * MIB - 5000)).status == "inconclusive"


def test_a_peak_within_the_spread_of_two_runs_is_no_effect() -> None:
    noisy = arm(95 * MIB)
    assert verdict("PEAK", arm(100 * MIB), arm(91 * MIB), again=noisy).status == "refuted"
    assert verdict("PEAK", arm(100 * MIB), arm(89 * MIB), again=noisy).status == "confirmed"


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_can_be_named(phase: str) -> None:
    there = arm(MIB)
    there = replace(there, peak=replace(there.peak, phase=phase))
    assert f"your peak is in {in_words(phase)}, which" in verdict("PEAK", there, there).reason


def test_without_a_fix_the_bytes_of_the_line_are_named() -> None:
    held = Held("a.py", 7, "", 0, "activation", "forward", 4096, 1)
    found = verdict("PEAK", arm(lines=(held,)))
    assert found.status == "inconclusive"
    assert "4,096 B at the peak" in found.reason


def test_growth_counts_from_one_block_per_step() -> None:
    found = verdict("GROWTH", arm(grows=4), arm())
    assert (found.status, found.bytes_per_step) == ("confirmed", 4)
    assert verdict("GROWTH", arm(grows=4), arm(grows=4)).status == "refuted"
    partly = verdict("GROWTH", arm(grows=5000), arm(grows=1000))
    assert (partly.status, partly.bytes_per_step) == ("confirmed", 4000)
    assert "1,000 B remain" in partly.reason


def test_growth_is_compared_step_with_step_and_forward_with_forward() -> None:
    def rows(step: int, forward: int) -> Arm:
        found = arm(grows=step)
        inner = replace(found.growth[0], series="forward at a.py:7", bytes_per_step=forward)
        return replace(found, growth=(replace(inner, block_bytes_per_step=forward), *found.growth))

    found = verdict("GROWTH", rows(3000, 9000), rows(600, 9600))
    assert (found.status, found.bytes_per_step) == ("confirmed", 2400)
    assert "every step leaves 3,000 B behind" in found.reason
    inside = verdict("GROWTH", rows(600, 9000), rows(600, 0))
    assert (inside.status, inside.bytes_per_step) == ("confirmed", 9000)
    assert "every forward leaves 9,000 B behind" in inside.reason


def test_host_memory_that_was_not_seen_long_enough_refutes_nothing() -> None:
    short = arm(steps=(step(host=1),) * 7)
    found = verdict("GROWTH", arm(grows=2048), arm(grows=2048), host=(short, short))
    assert found.status == "inconclusive"
    assert "7 steps are too few to see a growth" in found.reason


def test_growth_of_the_host_alone_is_said_to_be_that() -> None:
    found = verdict("GROWTH", arm(), arm(), host=(hosts(6000), hosts(0)))
    assert (found.status, found.bytes_per_step) == ("host_only", 6000)
    assert verdict("GROWTH", arm(), arm(), host=(hosts(100), hosts(0))).status == "refuted"


def test_host_growth_is_held_against_noise_and_told_in_nodes() -> None:
    part = verdict("GROWTH-HOST", arm(), arm(), host=(hosts(6000, nodes=100), hosts(0)))
    assert (part.status, part.bytes_per_step) == ("confirmed", 6000)
    assert "6,000 B of host memory per step (about 11 of 100 autograd nodes a step)" in part.reason
    whole = verdict("GROWTH-HOST", arm(), arm(), host=(hosts(6000), hosts(0)))
    assert "(10 autograd nodes a step)" in whole.reason
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


def test_a_fixed_run_that_fails_or_ends_otherwise_proves_nothing() -> None:
    failed = arm(1, failure=Failure("ValueError", "bad", "a.py", 2, False))
    assert "the fixed script failed: ValueError: bad" in verdict("PEAK", arm(), failed).reason
    assert verdict("PEAK", arm(), arm(1, stopped="time limit of 5 s")).status == "inconclusive"


def test_static_claims_are_about_the_exception() -> None:
    raises = finding("STATIC", formula="AttributeError when the line runs")
    assert judge(raises, evidence(arm())).status == "refuted"
    failed = arm(reached=(), failure=Failure("AttributeError", "no attribute", "a.py", 7, False))
    assert judge(raises, evidence(failed)).status == "confirmed"
    assert judge(finding("STATIC", formula="no effect"), evidence(arm())).status == "not_measurable"


def test_only_the_predicted_error_confirms_a_static_claim() -> None:
    other = arm(reached=(), failure=Failure("FileNotFoundError", "no file", "a.py", 7, False))
    raises = finding("STATIC", formula="AttributeError, ImportError or TypeError when the line runs")
    found = judge(raises, evidence(other))
    assert found.status == "inconclusive"
    assert "not what the rule predicts" in found.reason
    missing = arm(reached=(), failure=Failure("ModuleNotFoundError", "no module", "a.py", 7, False))
    assert judge(raises, evidence(missing)).status == "confirmed"


def test_a_second_backward_that_raises_is_held_against_the_fixed_run() -> None:
    claim = finding("GROWTH", formula="A per step; CORRECT: the second backward() raises")
    gone = Failure("RuntimeError", "Trying to backward through the graph a second time. X", "a.py", 9, False)
    failed = arm(failure=gone)
    confirmed = judge(claim, evidence(failed, arm()))
    assert confirmed.status == "confirmed"
    assert (
        "a.py:9 raised RuntimeError: Trying to backward through the graph a second time;" in confirmed.reason
    )
    assert judge(claim, evidence(failed, failed)).status == "inconclusive"
    assert judge(claim, evidence(failed)).status == "inconclusive"
    other = arm(failure=Failure("RuntimeError", "size mismatch", "a.py", 9, False))
    assert judge(claim, evidence(other, arm())).status != "confirmed"


def test_a_promised_failure_of_backward_that_does_not_come_is_refuted() -> None:
    claim = finding("CORRECT", formula="the second backward() raises RuntimeError")
    assert judge(claim, evidence(arm(losses=("0x1p+0",) * 2))).status == "refuted"
    assert judge(claim, evidence(arm(losses=("0x1p+0",)))).status == "inconclusive"


def test_what_only_a_gpu_can_show_is_not_judged_on_the_cpu() -> None:
    call = finding("TIME", "MEM501")
    slow, fast = (arm(steps=(step(seconds),) * 50) for seconds in (0.2, 0.1))
    there = replace(evidence(arm(), arm()), clock=(slow, fast))
    assert judge(call, there).status == "not_measurable"
    gpu = replace(there, original=arm(device="cuda:0"))
    assert judge(call, gpu).status == "confirmed"


@pytest.mark.parametrize(
    ("text", "status"),
    [(".cpu()", "not_measurable"), (', map_location="cpu"', "not_measurable"), (".clone()", "refuted")],
)
def test_a_move_to_the_host_does_nothing_on_the_cpu(text: str, status: str) -> None:
    fix = Fix(Applicability.SAFE, "keep it on the host", (Edit(Span(7, 5, 7, 5), text),))
    kept = replace(finding("GROWTH"), fix=fix)
    assert judge(kept, evidence(arm(grows=5000), arm(grows=5000))).status == status
    assert judge(kept, evidence(arm(grows=5000), arm())).status == "confirmed"
    on_gpu = evidence(arm(grows=5000, device="cuda:0"), arm(grows=5000))
    assert judge(kept, on_gpu).status == "refuted"


@pytest.mark.parametrize(
    ("made", "used", "status"), [(4, 1, "confirmed"), (4, 4, "refuted"), (0, 0, "inconclusive")]
)
def test_gradients_that_a_window_loses(made: int, used: int, status: str) -> None:
    there = evidence(arm(checks=Checks(backwards=made, backwards_used=used)))
    lost = finding("CORRECT", "MEM124", "p.grad is the gradient of the last micro-batch")
    assert judge(lost, there).status == status
    assert judge(finding("CORRECT", "MEM124", "no bytes"), there).status == "not_measurable"


@pytest.mark.parametrize(
    ("checks", "status"),
    [
        (Checks(gradients_summed=("a.py:7",)), "confirmed"),
        (Checks(gradients_summed=("a.py:9",), gradients_cleared=("a.py:7",)), "refuted"),
        (Checks(gradients_summed=("a.py:9",)), "inconclusive"),
    ],
)
def test_summed_gradients(checks: Checks, status: str) -> None:
    assert judge(finding("CORRECT", "MEM121"), evidence(arm(checks=checks))).status == status


def test_parameters_that_are_not_finite() -> None:
    nan = arm(losses=((0.5).hex(), float("nan").hex()))
    found = judge(finding("CORRECT", "MEM301"), evidence(nan))
    assert found.status == "confirmed"
    assert "backward 2" in found.reason
    assert judge(finding("CORRECT", "MEM301"), evidence(arm())).status == "inconclusive"
    infinite = arm(checks=Checks(parameters_finite=False))
    assert judge(finding("CORRECT", "MEM301"), evidence(infinite)).status == "confirmed"


def test_a_loss_that_does_not_move() -> None:
    frozen = arm(losses=((4.271).hex(),) * 20)
    moving = arm(losses=tuple((4.271 - i / 10).hex() for i in range(20)))
    claim = finding("CORRECT", "MEM302")
    stale = arm(losses=(moving.losses[0], *[(4.2 + i % 3).hex() for i in range(19)]))
    assert judge(claim, evidence(stale, moving)).status == "confirmed"
    assert judge(claim, evidence(stale, moving, again=moving)).status == "inconclusive"
    other = arm(losses=tuple((4.2 - i / 10).hex() for i in range(20)))
    assert judge(claim, evidence(other, moving)).status == "inconclusive"
    assert judge(claim, evidence(frozen, moving)).status == "confirmed"
    assert judge(claim, evidence(moving, moving)).status == "refuted"
    assert judge(claim, evidence(arm(losses=("0x1p+0",)), moving)).status == "inconclusive"


def test_time_needs_steps_and_a_difference_above_the_noise() -> None:
    slow, fast = (arm(steps=(step(seconds),) * 50) for seconds in (0.2, 0.1))
    assert verdict("TIME", arm(), arm(), clock=(slow, fast)).status == "confirmed"
    assert verdict("TIME", arm(), arm(), clock=(slow, slow)).status == "refuted"
    few = arm(steps=(step(0.1),) * 20)
    assert verdict("TIME", arm(), arm(), clock=(slow, few)).status == "inconclusive"


def test_waiting_for_data_is_a_share_of_the_time() -> None:
    claim = finding("TIME", "MEM401")

    def status(waiting: float, steps: int = 50) -> str:
        timed = arm(steps=(replace(step(0.1), waiting=waiting),) * steps)
        return judge(claim, replace(evidence(arm()), clock=(timed, None))).status

    assert [status(0.05), status(0.005), status(0.05, steps=20)] == ["confirmed", "refuted", "inconclusive"]


@pytest.mark.parametrize("device", ["mps:0", "xpu:0"])
def test_other_accelerators_are_not_measured(device: str) -> None:
    there = arm(device=device)
    for claim in ("GROWTH", "PEAK", "RESERVED", "TIME"):
        found = verdict(claim, there, there)
        assert (found.status, found.reason) == ("not_measurable", f"not measured: the script ran on {device}")
    held = verdict("GROWTH-HOST", there, there, host=(hosts(6000), hosts(0)))
    assert held.status == "confirmed"


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
    assert "2 processes were spawned and given up to 20,971,520 B" in copied.reason
    assert judged(4_000).status == "refuted"
    assert judged().status == "not_measurable"


def test_the_start_of_later_passes_is_timed_not_their_steps() -> None:
    claim = finding("TIME", "MEM406")

    def status(before: tuple[float, ...], after: tuple[float, ...]) -> str:
        clock = (arm(starts=before), arm(starts=after))
        return judge(claim, replace(evidence(arm(), arm()), clock=clock)).status

    slow, quick = (0.3, 0.32, 0.31, 0.3), (0.02, 0.02, 0.03, 0.02)
    assert status(slow, quick) == "confirmed"
    assert status(quick, quick) == status(quick, slow) == "refuted"
    assert status(slow[:2], quick) == "inconclusive"
    assert status((0.1, 0.9, 0.2, 0.8), (0.1, 0.7, 0.05, 0.9)) == "inconclusive"


def test_twice_a_number_shows_what_one_more_costs() -> None:
    claim = finding("PEAK", "MEM413")
    text = "a = 1\n" * 6 + "1_28 + 1\n"
    named = replace(claim, span=Span(7, 1, 7, 5))
    assert doubled(named, text) == (128, text.replace("1_28", "256"))
    elsewhere = replace(claim, span=Span(1, 1, 1, 2), notes=(Note("label", "here", Span(1, 5, 1, 6)),))
    assert doubled(elsewhere, text) == (1, text.replace("a = 1", "a = 2", 1))
    assert doubled(replace(claim, span=Span(7, 6, 7, 7)), text) is None

    def judged(twice: Arm) -> Verdict:
        return judge_doubled(evidence(arm(100 * MIB)), 64, twice, DEFAULT)

    grows = judged(arm(164 * MIB))
    assert grows.status == "confirmed"
    assert grows.reason.endswith("with 128: 1,048,576 B for each one more")
    assert judged(arm(100 * MIB)).status == "refuted"
    failed = judged(arm(164 * MIB, failure=Failure("ValueError", "bad", "a.py", 2, False)))
    assert (failed.status, failed.reason) == ("inconclusive", "with 128 the script failed: ValueError")


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


RAN_OUT = Failure("OutOfMemoryError", "CUDA out of memory. Tried to allocate 2.00 GiB.", "a.py", 9, True)


@pytest.mark.parametrize(
    ("claim", "fixed", "status", "said"),
    [
        (
            "PEAK",
            arm(120 * MIB),
            "confirmed",
            "ran out of memory at a.py:9 after 12 steps; with the fix it made 12",
        ),
        ("GROWTH", arm(steps=(step(),) * 90, stopped="90 forwards"), "confirmed", "it made 90 and did not"),
        (
            "PEAK",
            arm(120 * MIB, failure=RAN_OUT, stopped="the script failed"),
            "inconclusive",
            "neither peak is",
        ),
        ("TIME", arm(120 * MIB), "inconclusive", "ended differently"),
        ("PEAK", None, "inconclusive", "no fix to compare"),
    ],
)
def test_running_out_of_memory_is_held_against_the_fixed_run(
    claim: str, fixed: Arm | None, status: str, said: str
) -> None:
    found = verdict(claim, arm(failure=RAN_OUT, stopped="the script failed"), fixed)
    assert (found.status, found.measured_bytes) == (status, None)
    assert said in found.reason


def test_what_cudas_allocator_counted_decides_on_the_peak() -> None:
    before, after = (arm(100, cuda={"allocated_peak": peak * MIB}) for peak in (100, 60))
    found = verdict("PEAK", before, after)
    assert (found.status, found.measured_bytes, found.share_of_peak) == ("confirmed", 40 * MIB, 0.4)
    assert verdict("PEAK", before, before).status == "refuted"
