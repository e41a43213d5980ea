"""Verdicts on what a script computes."""

from __future__ import annotations

import pytest

from memlint.runtime.parent.verdicts.verdict import judge
from memlint.session import Checks
from tests.runtime.made import arm, evidence, finding


@pytest.mark.parametrize(
    ("made", "used", "status"), [(4, 1, "confirmed"), (4, 4, "refuted"), (0, 0, "inconclusive")]
)
def test_gradients_that_a_window_loses(made: int, used: int, status: str) -> None:
    there = evidence(arm(checks=Checks(backwards=made, backwards_used=used)))
    lost = finding("CORRECT", "MEM124", "p.grad is the gradient of the last micro-batch")
    assert judge(lost, there).status == status
    assert judge(finding("CORRECT", "MEM124", check=""), there).status == "not_measurable"


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
