"""Verdicts by the clock, on quiet and on noisy machines."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from memlint.runtime.parent.arms import Request
from memlint.runtime.parent.rounds import MOST, in_turns
from memlint.runtime.parent.verdicts.verdict import judge
from memlint.session import Arm
from tests.runtime.made import arm, evidence, finding, step, verdict


def test_time_needs_steps_and_a_difference_above_the_noise() -> None:
    slow, fast = (arm(steps=(step(seconds),) * 50) for seconds in (0.2, 0.1))
    assert verdict("TIME", arm(), arm(), rounds=((slow, fast),)).status == "confirmed"
    assert verdict("TIME", arm(), arm(), rounds=((slow, slow),)).status == "refuted"
    few = arm(steps=(step(0.1),) * 20)
    assert verdict("TIME", arm(), arm(), rounds=((slow, few),)).status == "inconclusive"


def timed(seconds: float, load: Random) -> Arm:
    """Steps on a machine where other work often doubles or triples the time of one."""
    steps = (step(seconds * (1 + load.choice((0, 0, 0.02, 0.1, 1, 2)))) for _ in range(70))
    return arm(steps=tuple(steps))


def test_what_else_runs_on_the_machine_hides_no_large_difference() -> None:
    load = Random(7)
    rounds = tuple((timed(0.049, load), timed(0.028, load)) for _ in range(2))
    found = verdict("TIME", arm(), arm(), rounds=rounds)
    assert (found.status, found.reason.count("49 ms, with the fix 28")) == ("confirmed", 1)


def test_noise_is_no_difference() -> None:
    load = Random(7)
    same = tuple((timed(0.05, load), timed(0.05, load)) for _ in range(5))
    assert verdict("TIME", arm(), arm(), rounds=same).status != "confirmed"
    drifts = ((0.05, 0.03), (0.03, 0.05))
    rounds = tuple((timed(old, load), timed(new, load)) for old, new in drifts)
    found = verdict("TIME", arm(), arm(), rounds=rounds)
    assert found.status == "inconclusive"
    assert "give or take" in found.reason


def test_rounds_go_on_until_the_answer_is_clear() -> None:
    order: list[str] = []

    def run(request: Request) -> Arm:
        order.append(request.name)
        return arm(name=request.name, steps=(step(),) * 9)

    plain, edited = Request("a", "as it is", "clock"), Request("b", "fixed", "clock")
    clear = in_turns(run, plain, edited, 5, lambda rounds: True)
    assert order == ["a-1", "b-1", "b-2", "a-2"]
    assert [(old.name, new.name, len(old.steps)) for old, new in clear if new] == [
        ("a-1", "b-1", 5),
        ("a-2", "b-2", 5),
    ]
    assert len(in_turns(run, plain, edited, 5, lambda rounds: len(rounds) == 3)) == 3
    assert len(in_turns(run, plain, edited, 5, lambda rounds: False)) == MOST
    assert in_turns(lambda request: None, plain, edited, 5, lambda rounds: True) == ()


def test_waiting_for_data_is_a_share_of_the_time() -> None:
    claim = finding("TIME", "MEM401")

    def status(waiting: float, steps: int = 50) -> str:
        timed = arm(steps=(replace(step(0.1), waiting=waiting),) * steps)
        return judge(claim, replace(evidence(arm()), rounds=((timed, None),))).status

    assert [status(0.05), status(0.005), status(0.05, steps=20)] == ["confirmed", "refuted", "inconclusive"]


def test_the_start_of_later_passes_is_timed_not_their_steps() -> None:
    claim = finding("TIME", "MEM406")

    def status(before: tuple[float, ...], after: tuple[float, ...]) -> str:
        rounds = ((arm(starts=before), arm(starts=after)),)
        return judge(claim, replace(evidence(arm(), arm()), rounds=rounds)).status

    slow, quick = (0.3, 0.32, 0.31, 0.3), (0.02, 0.02, 0.03, 0.02)
    assert status(slow, quick) == "confirmed"
    assert status(quick, quick) == status(quick, slow) == "refuted"
    assert status(slow[:2], quick) == "inconclusive"
    assert status((0.1, 0.9, 0.2, 0.8), (0.1, 0.7, 0.05, 0.9)) == "inconclusive"
