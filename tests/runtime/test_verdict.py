"""Verdicts from measured arms, at and around every threshold."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlint.finding import Applicability, Claim, Edit, Fix, Note, Span
from memlint.runtime.parent.verdicts.doubling import doubled, judge_doubled
from memlint.runtime.parent.verdicts.evidence import in_words
from memlint.runtime.parent.verdicts.mentions import mentions
from memlint.runtime.parent.verdicts.secondary import weightiest
from memlint.runtime.parent.verdicts.thresholds import DEFAULT
from memlint.runtime.parent.verdicts.verdict import judge
from memlint.session import (
    PHASES,
    SIMULATED,
    Arm,
    Checks,
    Failure,
    Growth,
    Held,
    Needless,
    Peak,
    Rank,
    Simulation,
    Verdict,
)
from tests.runtime.made import MIB, arm, claim_of, evidence, finding, hosts, step, verdict


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
    raised = verdict("PEAK", arm(100 * MIB), arm(101 * MIB))
    assert raised.status == "refuted"
    assert raised.reason == "the fix raises the peak by 1 MiB, to 101 MiB in backward()"
    small = verdict("PEAK", arm(100 * MIB), arm(100 * MIB - 5000))
    assert (small.status, small.measured_bytes) == ("refuted", 5000)
    assert "less than counts as an effect (1 % of it, or 1 MiB)" in small.reason
    assert verdict("PEAK", arm(1000 * MIB), arm(998 * MIB)).status == "confirmed"


def test_a_peak_within_the_spread_of_two_runs_is_no_effect() -> None:
    noisy = arm(95 * MIB)
    assert verdict("PEAK", arm(100 * MIB), arm(91 * MIB), again=noisy).status == "refuted"
    assert verdict("PEAK", arm(100 * MIB), arm(89 * MIB), again=noisy).status == "confirmed"


@pytest.mark.parametrize("phase", PHASES)
def test_every_phase_can_be_named(phase: str) -> None:
    there = arm(MIB)
    there = replace(there, peak=replace(there.peak, phase=phase))
    assert f"your peak is in {in_words(phase)}, which" in verdict("PEAK", there, there).reason


def test_what_a_name_alone_keeps_during_a_backward_is_measured_without_a_fix() -> None:
    followed = Needless("bytes-in-backward", "", 0, 0)
    mine = replace(followed, names=("logits",), bytes=20 * MIB, less=15 * MIB)
    shared = replace(mine, names=("kept", "logits"), bytes=70 * MIB, less=60 * MIB)
    logits = replace(finding("PEAK", "MEM112"), message="`logits` stays alive during `loss.backward()`; x")
    of_names = mentions(logits, {"a.py": "loss = f(logits)\n" * 9})
    checks = Checks(needless=(followed, mine, shared))
    there = replace(evidence(replace(arm(100 * MIB), checks=checks)), mentions=of_names)
    found = judge(logits, there)
    assert (found.status, found.measured_bytes) == ("confirmed", 15 * MIB)
    assert "`logits` alone holds 20 MiB" in found.reason
    # What a name holds during a backward may still be there when the optimizer steps.
    later = replace(there.original, peak=replace(there.original.peak, phase="optimizer"))
    assert judge(logits, replace(there, original=later)).status == "confirmed"
    nothing = replace(later, checks=Checks(needless=(followed,)))
    assert judge(logits, replace(there, original=nothing)).status == "refuted"
    # Where nothing was followed, nothing is said.
    assert judge(logits, evidence(arm(100 * MIB))).status == "inconclusive"


def test_a_frozen_forward_is_judged_by_what_the_graph_of_its_line_costs() -> None:
    mine = Needless("activations-of-line", "a.py:7", 40 * MIB, 30 * MIB)
    found = verdict_of_code("MEM203", arm(100 * MIB, checks=Checks(needless=(mine,))))
    assert (found.status, found.measured_bytes) == ("confirmed", 30 * MIB)
    assert "40 MiB were saved by the graph of this line, or made by backward()" in found.reason
    other = replace(mine, line="a.py:8")
    there = arm(100 * MIB, checks=Checks(needless=(other,)))
    assert verdict_of_code("MEM203", there).status == "inconclusive"


def verdict_of_code(code: str, original: Arm) -> Verdict:
    return judge(finding("PEAK", code), evidence(original))


def test_without_a_fix_the_bytes_of_the_line_are_named() -> None:
    held = Held("a.py", 7, "", 0, "activation", "forward", 4096, 1)
    found = verdict("PEAK", arm(lines=(held,)))
    assert found.status == "inconclusive"
    assert "of 100 MiB at the peak, in backward(), its lines made 4 KiB" in found.reason


def test_a_fixed_run_that_fails_or_ends_otherwise_proves_nothing() -> None:
    failed = arm(1, failure=Failure("ValueError", "bad", "a.py", 2, False))
    assert "the fixed script failed: ValueError: bad" in verdict("PEAK", arm(), failed).reason
    assert verdict("PEAK", arm(), arm(1, stopped="time limit of 5 s")).status == "inconclusive"


def test_static_claims_are_about_the_exception() -> None:
    raises = finding("STATIC", raises=("AttributeError",))
    assert judge(raises, evidence(arm())).status == "refuted"
    failed = arm(reached=(), failure=Failure("AttributeError", "no attribute", "a.py", 7, False))
    assert judge(raises, evidence(failed)).status == "confirmed"
    assert judge(finding("STATIC", formula="no effect"), evidence(arm())).status == "not_measurable"


def test_only_the_predicted_error_confirms_a_static_claim() -> None:
    other = arm(reached=(), failure=Failure("FileNotFoundError", "no file", "a.py", 7, False))
    raises = finding("STATIC", raises=("AttributeError", "ImportError", "TypeError"))
    found = judge(raises, evidence(other))
    assert found.status == "inconclusive"
    assert "not what the rule predicts" in found.reason
    missing = arm(reached=(), failure=Failure("ModuleNotFoundError", "no module", "a.py", 7, False))
    assert judge(raises, evidence(missing)).status == "confirmed"


def test_a_second_backward_that_raises_is_held_against_the_fixed_run() -> None:
    claim = finding("GROWTH", check="backward-fails")
    changed = "a variable was modified by an inplace operation: [torch.FloatTensor [4]] is at version 2. Hint"
    inplace = arm(failure=Failure("RuntimeError", changed, "a.py", 9, False))
    assert (
        "[torch.FloatTensor [4]] is at version 2; with the" in judge(claim, evidence(inplace, arm())).reason
    )
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
    claim = finding("CORRECT", check="backward-fails")
    assert judge(claim, evidence(arm(losses=("0x1p+0",) * 2))).status == "refuted"
    assert judge(claim, evidence(arm(losses=("0x1p+0",)))).status == "inconclusive"


def test_a_line_that_another_rank_ran_is_told_with_what_grows_there() -> None:
    claim = finding("GROWTH")
    line = evidence(arm()).lines[0]
    there = Rank(0, "cpu", "", arm().peak, growth=arm(grows=640).growth, reached=(line,))
    mine = arm(reached=(), rank=1, ranks=(there, Rank(1, "cpu", "", arm().peak)))
    found = judge(claim, replace(evidence(mine), again=mine))
    assert found.status == "not_reached"
    assert found.reason.endswith("on rank 1, only on 0 (every step leaves 640 B behind there)")
    alike = judge(replace(claim, claim=Claim("PEAK", "A")), replace(evidence(mine), again=mine))
    assert alike.reason.endswith("on rank 1, only on 0")


def test_what_only_a_gpu_can_show_is_not_judged_on_the_cpu() -> None:
    call = finding("TIME", "MEM501")
    slow, fast = (arm(steps=(step(seconds),) * 50) for seconds in (0.2, 0.1))
    there = replace(evidence(arm(), arm()), rounds=((slow, fast),))
    assert judge(call, there).status == "not_measurable"
    gpu = replace(there, original=arm(device="cuda:0"))
    assert judge(call, gpu).status == "confirmed"
    skipped = judge(call, evidence(arm(reached=())))
    assert skipped.status == "not_reached"
    assert "not executed: the script ran on the CPU, and the claim is about" in skipped.reason


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


@pytest.mark.parametrize("device", ["mps:0", "xpu:0"])
def test_other_accelerators_are_not_measured(device: str) -> None:
    there = arm(device=device)
    for claim in ("GROWTH", "PEAK", "RESERVED", "TIME"):
        found = verdict(claim, there, there)
        assert (found.status, found.reason) == ("not_measurable", f"not measured: the script ran on {device}")
    held = verdict("GROWTH-HOST", there, there, host=(hosts(6000), hosts(0)))
    assert held.status == "confirmed"


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
    assert grows.reason.endswith("becomes 128: 1 MiB for each one more")
    assert judged(arm(100 * MIB)).status == "refuted"
    # Up to some number the evaluation holds more: what one more costs is not a share of the difference.
    other = arm(164 * MIB)
    elsewhere_now = judged(replace(other, peak=replace(other.peak, phase="evaluation")))
    assert elsewhere_now.reason.endswith("becomes 128, then in the evaluation")
    failed = judged(arm(164 * MIB, failure=Failure("ValueError", "bad", "a.py", 2, False)))
    assert (failed.status, failed.reason) == ("inconclusive", "with 128 the script failed: ValueError")


def test_a_phase_below_the_peak_may_fall_all_the_same() -> None:
    before = arm(tops={"setup": 100 * MIB, "evaluation": 40 * MIB})
    after = arm(tops={"setup": 100 * MIB, "evaluation": 10 * MIB})
    falls = "the most alive in the evaluation falls from 40 MiB to 10 MiB"
    assert verdict("PEAK", before, after).reason.endswith(f"which this cannot lower; {falls}")
    assert "falls" not in verdict("PEAK", before, before).reason
    grows = verdict("GROWTH", before, after, host=(hosts(100), hosts(100)))
    assert (grows.status, grows.measured_bytes, grows.bytes_per_step) == ("confirmed", 0, None)
    assert grows.reason == f"no tensor outlives its step; with the fix {falls}"
    assert verdict("GROWTH", before, before, host=(hosts(100), hosts(100))).status == "refuted"


def test_a_script_that_breaks_off_refutes_nothing_and_one_that_leaves_does() -> None:
    for kind, status in (("ValueError", "inconclusive"), ("SystemExit", "refuted")):
        ended = {"failure": Failure(kind, "x", "a.py", 9, False), "stopped": "the script failed"}
        found = verdict("PEAK", arm(**ended), arm(**ended))
        assert found.status == status
        assert found.reason.endswith("; but the script failed after 12 steps") is (kind == "ValueError")
        otherwise = {**ended, "failure": Failure("KeyError", "x", "a.py", 9, False)}
        assert "in another way with the fix" in verdict("PEAK", arm(**ended), arm(1, **otherwise)).reason
        earlier = arm(1, **ended, steps=(step(),) * 3)
        assert verdict("PEAK", arm(**ended), earlier).status == "inconclusive"


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


def test_a_run_whose_tensors_were_lost_on_the_way_confirms_and_refutes_nothing() -> None:
    whole, cut = arm(100 * MIB), arm(60 * MIB, cut_short="step 3")
    for found in (verdict("PEAK", whole, cut), verdict("PEAK", cut, whole)):
        assert found.status == "inconclusive"
        assert "tensors were followed up to step 3 only" in found.reason


@pytest.mark.parametrize(
    ("code", "phase", "gradients", "status"),
    [
        ("MEM122", "forward", 20 * MIB, "confirmed"),
        ("MEM122", "forward", 1000, "refuted"),
        ("MEM122", "backward", 20 * MIB, "refuted"),
        ("MEM112", "optimizer", 0, "inconclusive"),
        ("MEM123", "forward", 20 * MIB, "confirmed"),
        ("MEM123", "backward", 20 * MIB, "inconclusive"),
        ("MEM123", "optimizer", 20 * MIB, "refuted"),
        ("MEM112", "backward", 0, "inconclusive"),
        ("MEM114", "evaluation", 20 * MIB, "confirmed"),
        ("MEM114", "forward", 20 * MIB, "confirmed"),
        ("MEM114", "backward", 20 * MIB, "refuted"),
    ],
)
def test_a_claim_about_one_phase_is_judged_without_a_fix(
    code: str, phase: str, gradients: int, status: str
) -> None:
    original = arm(100 * MIB, kinds={"gradient": gradients})
    original = replace(original, peak=replace(original.peak, phase=phase))
    found = judge(finding("PEAK", code), evidence(original))
    assert found.status == status
    assert ("by attribution" in found.reason) is (status == "confirmed")
    if gradients == 1000:
        assert found.reason.endswith("1000 B are gradients; an effect counts from 1 % of 100 MiB")
    # What is measured holds whether or not a fix was tried.
    skipped = replace(evidence(original), problem="its fix was not tried (--no-fix)")
    assert judge(finding("PEAK", code), skipped).status == status


def test_a_graph_that_a_backward_misses_was_used() -> None:
    """One function for training and evaluation: its fix would break the training."""
    said = "element 0 of tensors does not require grad and does not have a grad_fn"
    broken = arm(80 * MIB, failure=Failure("RuntimeError", said, "a.py", 9, False))
    found = judge(finding("PEAK", "MEM201"), evidence(arm(100 * MIB), broken))
    assert (found.status, found.reason) == (
        "refuted",
        "with the fix a backward() finds no graph and fails: the script uses it",
    )
    other = replace(broken, failure=Failure("ValueError", "bad", "a.py", 9, False))
    assert judge(finding("PEAK", "MEM201"), evidence(arm(100 * MIB), other)).status == "inconclusive"


def test_a_kind_is_held_against_the_peak_that_is_reported() -> None:
    """A simulated allocator's peak has workspaces in it, which no tensor shows."""
    original = arm(100 * MIB, kinds={"gradient": 2 * MIB}, cuda={"allocated_peak": 1000 * MIB})
    original = replace(original, peak=replace(original.peak, phase="forward"))
    found = judge(finding("PEAK", "MEM122"), evidence(original))
    assert (found.status, found.measured_bytes) == ("refuted", 2 * MIB)


def test_one_simulated_gpu_says_nothing_of_several() -> None:
    simulated = arm(100 * MIB, device=SIMULATED, simulation=Simulation("H200"))
    found = judge(finding("PEAK", "MEM601"), evidence(simulated))
    assert found.status == "not_measurable"
    assert found.reason == "one GPU was simulated, and the claim needs several CUDA devices"


def test_graphs_that_wait_for_one_backward_are_counted_where_there_is_no_fix() -> None:
    waits = finding("PEAK", "MEM118")
    row = Growth("a.py", 5, "forward at a.py:5", 5 * MIB, 5 * MIB, 8, 8, 40 * MIB, within=True)
    found = judge(waits, evidence(arm(growth=(row,))))
    assert (found.status, found.measured_bytes) == ("confirmed", 35 * MIB)
    assert "every forward adds 5 MiB, 40 MiB in all" in found.reason
    assert judge(waits, evidence(arm())).status == "inconclusive"


def test_a_kind_counts_down_to_the_phase_that_is_nearly_as_high() -> None:
    peak = Peak(100 * MIB, "forward", 3, 10)
    tops = {"forward": 100 * MIB, "backward": 95 * MIB}
    original = replace(arm(kinds={"gradient": 20 * MIB}, tops=tops), peak=peak)
    found = judge(finding("PEAK", "MEM122"), evidence(original))
    assert (found.status, found.measured_bytes) == ("confirmed", 5 * MIB)
    assert "95 MiB are alive in backward() as well" in found.reason


def test_what_grows_is_judged_before_a_peak_and_with_the_fix_of_the_cause() -> None:
    fix = Fix(Applicability.SAFE, "no_grad", (Edit(Span(7, 1, 7, 1), "x"),))
    grows = replace(finding("GROWTH", "MEM102"), span=Span(9, 1, 9, 5), fingerprint="effect")
    cause = replace(finding("PEAK", "MEM201"), fix=fix, secondary=(finding("PEAK", "MEM902"), grows))
    judged = weightiest(cause)
    assert (judged.code, judged.span.line, judged.fingerprint, judged.fix) == ("MEM102", 9, "f", fix)
    assert [other.code for other in judged.secondary] == ["MEM902"]
    elsewhere = replace(cause, secondary=(replace(grows, path="other.py"),))
    assert weightiest(elsewhere) is elsewhere
    own = replace(finding("GROWTH"), secondary=(grows,))
    assert weightiest(own) is own
    without = weightiest(replace(cause, fix=None, secondary=(replace(grows, fix=fix),)))
    assert (without.code, without.fix) == ("MEM102", fix)


def test_without_a_fix_what_is_left_of_an_evaluation_counts_in_any_phase() -> None:
    """A model that was not told to evaluate runs a forward like any other; a loss keeps its graph."""
    claim = replace(finding("PEAK"), claim=claim_of("MEM201", "PEAK"))
    left = arm(forwards={"a.py:7": 8 * MIB, "a.py:9": 50 * MIB})
    found = judge(claim, evidence(left))
    assert (found.status, found.measured_bytes) == ("confirmed", 8 * MIB)
    assert "8 MiB are activations of forwards that this line called" in found.reason
    elsewhere = {"a.py:7": 0, "a.py:9": 50 * MIB}
    assert judge(claim, evidence(arm(forwards=elsewhere))).status == "refuted"
    # A line that calls a function runs no forward itself: whose those of that function are is not known.
    assert judge(claim, evidence(arm(forwards={"a.py:9": 50 * MIB}))).status == "inconclusive"
