"""Two lines that keep the same bytes alive: neither fix does anything alone, and neither is refuted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memlint.finding import Claim, Finding, Severity, Span
from memlint.runtime.parent.counterfactual import Variant
from memlint.runtime.parent.verdicts.overlap import MOST, Case, Overlaps
from memlint.session import Arm, Failure, Growth, Peak, Pile, Step, Verdict
from tests.runtime.support import finding, needs_torch, replay, script

EVALUATION = """
import torch, torch.nn as nn
torch.manual_seed(0)
net = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 10))
running, curve = 0, []
for step in range(14):
    loss = net(torch.randn(128, 64)).pow(2).mean()
    running += loss
    curve.append(loss)
"""


@needs_torch
@pytest.mark.usefixtures("torch_once")
def test_a_graph_that_two_lines_hold_is_confirmed_for_both(tmp_path: Path) -> None:
    path = script(tmp_path / "home", EVALUATION)
    holders = [
        finding(path, "MEM101", "GROWTH", "running += loss", "running += loss.detach()"),
        finding(path, "MEM102", "GROWTH", "curve.append(loss)", "curve.append(loss.detach())"),
    ]
    found = replay(path, tmp_path / "w", holders, steps=14).session
    running, curve = (judged.verdict for judged in found.findings)
    assert (running.status, curve.status) == ("confirmed", "confirmed")
    assert running.bytes_per_step == curve.bytes_per_step
    assert (running.bytes_per_step or 0) > 128 * 256 * 4
    assert "shared with train.py:8, so that no single fix frees them" in running.reason
    assert "shared with train.py:7, so" in curve.reason
    assert found.errors == ()
    assert [arm.name for arm in found.arms if "-but-" in arm.name] == ["safe-but-1", "safe-but-2"]


# --- without running anything -----------------------------------------------------------------------

MIB = 1 << 20


def arm(name: str, peak: int, grows: int = 0) -> Arm:
    rows = (Growth("a.py", 5, "optimizer step", grows, grows, 8, 8),) if grows else ()
    steps = (Step(0.1, 0, 0, -1, -1, 1, 0),) * 12
    return Arm(
        name, "", "tracker", "cpu", "the script ended", 1.0, Peak(peak, "backward", 3, 10),
        growth=rows, steps=steps,
    )  # fmt: skip


def hosts(slope: int) -> Arm:
    return replace(arm("host", 0), steps=tuple(Step(0.1, 0, 0, n * slope, -1, 1, 0) for n in range(12)))


def settle(
    peaks: dict[str, int],
    count: int = 2,
    claim: str = "PEAK",
    grows: dict[str, int] | None = None,
    slopes: dict[str, int] | None = None,
) -> list[Verdict]:
    """The verdicts of `count` findings that alone were refuted, when arms have the given peaks in MiB.

    An arm that is not named fails. `grows` and `slopes` are bytes per step of tensors and of the host.
    """
    found = [
        Finding(
            "MEM999", "r", Severity.WARNING, "m", "a.py", Span(n, 1, n, 2), f"f{n}", claim=Claim(claim, "")
        )
        for n in range(1, count + 1)
    ]
    made = {name: arm(name, peak * MIB, (grows or {}).get(name, 0)) for name, peak in peaks.items()}
    if slopes:
        made["original"] = replace(made["original"], piles=(Pile("a.py", 1, "forward", 9, 12, 12),))
    variants = [Variant(f"fix-{n + 1}", "", (("a.py", f"{n}"),), True, (n,)) for n in range(count)]
    variants.append(Variant("all", "all fixes", (("a.py", "all"),), True, ()))
    fixed = {v.name: made[v.name] for v in variants if v.name in made}
    case = Case(found, {"a.py": ""}, made["original"], made["original"], variants, fixed)

    def measure(variant: Variant) -> Arm | None:
        return made.get(variant.name)

    def combine(path: str, text: str, unsafe: bool, without: frozenset[str]) -> str:
        return f"all but {sorted(without)}"

    def host(variant: Variant | None) -> Arm | None:
        name = variant.name if variant is not None else "original"
        return hosts(slopes[name]) if slopes else None

    alone = Verdict("refuted", 0, 0, 0.0, "cpu", "no effect")
    overlaps = Overlaps(case, combine, measure, host)
    return [verdict for _, verdict in overlaps.settle([("fix", alone)] * count)]


def test_two_peaks_of_one_height_are_shared() -> None:
    peaks = {"original": 100, "fix-1": 100, "fix-2": 100, "all": 60, "all-but-1": 100, "all-but-2": 100}
    one, other = settle(peaks)
    assert (one.status, one.measured_bytes, one.share_of_peak) == ("confirmed", 40 * MIB, 0.4)
    assert "shared with a.py:2" in one.reason
    assert "shared with a.py:1" in other.reason


def test_what_all_fixes_do_not_change_stays_refuted() -> None:
    peaks = {"original": 100, "fix-1": 100, "fix-2": 100, "all": 100}
    assert [verdict.status for verdict in settle(peaks)] == ["refuted", "refuted"]


def test_an_effect_that_another_fix_has_alone_is_not_shared_and_costs_no_arm() -> None:
    found = settle({"original": 100, "fix-1": 60, "fix-2": 100, "all": 60})
    assert found[1].status == "refuted"


def test_an_effect_of_all_that_nobody_answers_for_is_undecided() -> None:
    fixes = {"fix-1": 100, "fix-2": 100, "fix-3": 100}
    but = {f"all-but-{n}": 60 for n in (1, 2, 3)}
    found = settle({"original": 100, **fixes, "all": 60, **but}, 3)
    assert {verdict.status for verdict in found} == {"inconclusive"}
    assert "they save as much without this one" in found[0].reason


def test_a_run_that_fails_leaves_it_undecided() -> None:
    found = settle({"original": 100, "fix-1": 100, "fix-2": 100, "all": 60, "all-but-1": 100})
    assert [verdict.status for verdict in found] == ["confirmed", "inconclusive"]
    assert "the run with all fixes but this one failed" in found[1].reason


def test_the_number_of_arms_is_bounded() -> None:
    count = MOST + 2
    peaks = {f"{kind}-{n}": 100 for kind in ("fix", "all-but") for n in range(1, count + 1)}
    found = settle({"original": 100, "all": 60, **peaks}, count)
    assert [verdict.status for verdict in found] == ["confirmed"] * MOST + ["inconclusive"] * 2
    assert f"was tried for {MOST} others already" in found[-1].reason


@pytest.mark.parametrize(("rest", "named"), [(5000, True), (0, False)])
def test_only_findings_that_hold_the_same_tensors_are_named(rest: int, named: bool) -> None:
    names = ["original", "fix-1", "fix-2", "all-but-1", *(["all-but-2"] if named else [])]
    peaks = dict.fromkeys([*names, "all", "all-but-2"], 100)
    found = settle(peaks, claim="GROWTH", grows={**dict.fromkeys(names, 5000), "all-but-2": rest})
    assert found[0].status == "confirmed"
    assert ("shared with a.py:2" in found[0].reason) is named
    assert found[1].status == ("confirmed" if named else "refuted")


def under_no_grad(**changed: Arm) -> list[Verdict]:
    """The verdicts on lines 1 and 3, which hold one graph; under no_grad, the fix of 2, nothing grows."""
    claims = {1: "GROWTH", 2: "PEAK", 3: "GROWTH"}
    found = [
        Finding("MEM999", "r", Severity.WARNING, "m", "a.py", Span(n, 1, n, 2), f"f{n}", claim=Claim(c, ""))
        for n, c in claims.items()
    ]
    grows = {"original": 9000, "fix-1": 9000, "fix-2": 0, "fix-3": 9000, "all": 0, "growth": 0}
    grows |= {"growth-but-1": 9000, "growth-but-3": 9000, "all-but-1": 0, "all-but-3": 0}
    made = {name: arm(name, 100 * MIB, bytes_) for name, bytes_ in grows.items()} | changed
    variants = [Variant(f"fix-{n}", "", (("a.py", f"{n}"),), True, (n - 1,)) for n in claims]
    variants.append(Variant("all", "all fixes", (("a.py", "all"),), True, ()))
    case = Case(
        found, {"a.py": ""}, made["original"], None, variants, {v.name: made[v.name] for v in variants}
    )
    overlaps = Overlaps(
        case, lambda *asked: f"all but {sorted(asked[3])}", lambda v: made.get(v.name), lambda v: None
    )
    alone = Verdict("refuted", 0, 0, 0.0, "cpu", "no effect")
    peak = Verdict("confirmed", 1, None, 0.0, "cpu", "lower")
    first, _, other = (verdict for _, verdict in overlaps.settle([("f", alone), ("f", peak), ("f", alone)]))
    return [first, other]


def test_bytes_that_only_show_behind_another_fix_are_not_called_shared() -> None:
    found = [
        Finding("MEM999", "r", Severity.WARNING, "m", "a.py", Span(n, 1, n, 2), f"f{n}", claim=Claim(c, ""))
        for n, c in ((1, "PEAK"), (2, "GROWTH"))
    ]
    peaks = {"original": 400, "fix-1": 400, "fix-2": 100, "all": 90, "all-but-1": 100}
    made = {
        name: arm(name, peak * MIB, 9000 if name in ("original", "fix-1") else 0)
        for name, peak in peaks.items()
    }
    variants = [Variant(f"fix-{n}", "", (("a.py", f"{n}"),), True, (n - 1,)) for n in (1, 2)]
    variants.append(Variant("all", "all fixes", (("a.py", "all"),), True, ()))
    case = Case(
        found, {"a.py": ""}, made["original"], None, variants, {v.name: made[v.name] for v in variants}
    )
    overlaps = Overlaps(
        case, lambda *asked: f"all but {sorted(asked[3])}", lambda v: made.get(v.name), lambda v: None
    )
    alone = Verdict("refuted", 0, 0, 0.0, "cpu", "no effect")
    growth = Verdict("confirmed", 0, 9000, 0.0, "cpu", "less")
    (_, first), _ = overlaps.settle([("f", alone), ("f", growth)])
    assert (first.status, first.measured_bytes) == ("confirmed", 10 * MIB)
    assert first.reason.startswith("on its own it changes nothing, as what other fixes free is in its way;")


def test_a_fix_that_records_no_graph_does_not_hide_two_lines_that_keep_it() -> None:
    first, other = under_no_grad()
    assert (first.status, first.bytes_per_step) == ("confirmed", 9000)
    assert "shared with a.py:3" in first.reason
    assert "shared with a.py:1" in other.reason


def test_what_such_a_fix_hides_is_not_refuted_where_the_others_fail_together() -> None:
    failed = replace(arm("growth", 0), failure=Failure("AttributeError", "item", "a.py", 9, False))
    for verdict in under_no_grad(growth=failed):
        assert verdict.status == "inconclusive"
        assert "with the fixes of what grows, and no others, the script failed" in verdict.reason


def test_what_another_fix_leaves_counts_only_where_it_is_an_effect() -> None:
    # All fixes together free 1 MiB of 1000 MiB more than the second one alone.
    peaks = {"original": 1000, "fix-1": 1000, "fix-2": 600, "all": 599}
    assert settle(peaks)[0].status == "refuted"


def test_other_claims_are_left_alone() -> None:
    found = settle({"original": 100, "fix-1": 100, "fix-2": 100, "all": 60}, claim="CORRECT")
    assert [verdict.status for verdict in found] == ["refuted", "refuted"]


@pytest.mark.parametrize(("claim", "status"), [("GROWTH-HOST", "confirmed"), ("GROWTH", "host_only")])
def test_host_memory_that_two_lines_hold_is_shared(claim: str, status: str) -> None:
    names = ["original", "fix-1", "fix-2", "all-but-1", "all-but-2"]
    peaks, slopes = dict.fromkeys([*names, "all"], 100), {**dict.fromkeys(names, 6000), "all": 0}
    found = settle(peaks, claim=claim, slopes=slopes)
    assert [verdict.status for verdict in found] == [status, status]
    assert [verdict.bytes_per_step for verdict in found] == [6000, 6000]
    assert "shared with a.py:2" in found[0].reason
