"""The sentences of memlint fit about its changes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memlint.report.fit.words import about_together, details, figures, headline, why_unknown
from memlint.runtime.parent.fit.branches import at_a_later_step, worst
from memlint.session import Cut, Decided, Failure, Fit, OnCard, Remedy, Simulation, Together
from memlint.session.fit import BREAKS, FITS, MAY_NOT, UNKNOWN
from tests.runtime.made import arm
from tests.runtime.test_session import a_session

GIB = 1 << 30
CARD = OnCard("T4", "Tesla T4", (7, 5), 16 * GIB, BREAKS, needs=20 * GIB)


def change(parts: int, saved: int, tensors: int = 0) -> Remedy:
    title = f"batches of {8 // parts} instead of 8, and a step after {parts} of them"
    name = "gradient accumulation"
    return Remedy("", name, "", 0, title, "", saved, 20 * GIB - saved, FITS, f"in-{parts}", tensors=tensors)


def test_of_two_changes_of_one_name_it_is_said_which_one_suffices() -> None:
    made = Together(("in-4",), 12 * GIB, FITS, "", "in-4")
    fit = Fit((CARD,), remedies=(change(4, 8 * GIB), change(2, 3 * GIB)), together=made)
    said = "with gradient accumulation (batches of 2 instead of 8) alone it needs 12.0 of 16.0 GiB: fits"
    assert about_together(fit) == said


def test_a_need_above_the_card_fits_while_torch_gives_back_what_it_caches() -> None:
    made = Together(("in-4",), 17 * GIB, FITS, "", "in-4")
    fit = Fit((CARD,), remedies=(change(4, 3 * GIB),), together=made)
    assert about_together(fit).endswith("it needs 17.0 of 16.0 GiB: fits, giving back cached blocks")


@pytest.mark.parametrize(
    ("needs", "retries", "said"),
    [
        (12, 0, "needs 12.0 of 16.0 GiB: fits, 4.0 GiB free"),
        (15, 1, "needs 15.0 of 16.0 GiB: fits, 1.0 GiB free, giving back cached blocks 1 time"),
        (
            17, 2,
            "fits in 16.0 GiB: torch gives back cached blocks 2 times; with more room it takes 17.0 GiB",
        ),
    ],
)  # fmt: skip
def test_the_first_line_of_what_fits(needs: int, retries: int, said: str) -> None:
    need = needs * GIB
    card = replace(CARD, verdict=FITS, needs=need, retries=retries, least=need, most=need)
    assert headline(replace(a_session(), fit=Fit((card,))))[1] == said


def test_a_card_of_which_nothing_is_known_needs_no_zero_bytes() -> None:
    """An interrupted table has such rows."""
    known = replace(CARD, verdict=FITS, needs=12 * GIB)
    fit = Fit((known, replace(CARD, card="L4", verdict=UNKNOWN, needs=0)))
    said = headline(replace(a_session(), fit=fit))[1]
    assert said == "needs 12.0 GiB: fits 1 of 2 cards, the smallest is T4"
    assert [figures(row) for row in fit.cards] == [("12.0", "4.0"), ("", "")]


@pytest.mark.parametrize(
    ("budget", "said"),
    [
        (14, "needs 12.0 GiB: within the budget of 14.0 GiB"),
        (13, "needs 11.0 to 14.0 GiB: may be over the budget of 13.0 GiB"),
        (11, "needs 12.0 GiB: over the budget of 11.0 GiB"),
        (0, "needs 11.0 to 14.0 of 16.0 GiB: may not fit"),
    ],
)
def test_changes_are_held_against_what_was_asked_for(budget: int, said: str) -> None:
    card = replace(CARD, least=19 * GIB, most=22 * GIB)
    made = Together(("in-4",), 12 * GIB, MAY_NOT if not budget else FITS, "", "in-4")
    fit = Fit((card,), budget=budget * GIB, remedies=(change(4, 8 * GIB),), together=made)
    assert about_together(fit) == f"with gradient accumulation alone it {said}"


def test_tensors_are_told_of_where_the_reserve_makes_a_difference() -> None:
    assert list(details(change(2, GIB, GIB + (1 << 20)))) == []
    ((label, text),) = details(change(2, GIB, 2 * GIB))
    assert (label, text) == ("tensors", "2 GiB less at their peak, without the allocator's reserve")
    ((_, text),) = details(change(2, GIB, -(1 << 20)))
    assert text.startswith("1 MiB more")


@pytest.mark.parametrize(
    ("kind", "message", "line", "said"),
    [
        ("ValueError", "bad\nconfig", 3, "the script failed at train.py:3: ValueError: bad"),
        ("AssertionError", "", 3, "the script failed at train.py:3: AssertionError"),
        ("ValueError", "x" * 999, 0, f"the script failed: ValueError: {'x' * 120}..."),
        ("SystemExit", "no data in ./data\n", 9, "the script ended itself at train.py:9: no data in ./data"),
        ("SystemExit", "3", 9, "the script ended itself at train.py:9 with status 3"),
        ("SystemExit", "2", 9, "the script ended itself at train.py:9 with status 2 "
         "(arguments of the script go behind its name)"),
        ("Killed", "the script's process died of SIGABRT, after 0 steps", 0,
         "the script's process died of SIGABRT, after 0 steps"),
        ("Invented", "taken as 1.0", 4, "the script failed at train.py:4: it was given invented values"),
    ],
)  # fmt: skip
def test_why_nothing_is_known_is_said_in_one_line(kind: str, message: str, line: int, said: str) -> None:
    assert why_unknown(arm(failure=Failure(kind, message, "train.py", line, False))) == said


def test_a_run_that_was_cut_off_before_its_gpu_is_not_one_without() -> None:
    stopped = arm(stopped="time limit of 5 s")
    assert why_unknown(stopped) == "stopped by the time limit of 5 s, before anything was put on a GPU"
    assert why_unknown(arm()).startswith("the script puts no tensor on a GPU")


@pytest.mark.parametrize("why", ["its limit of 300 s is over", ""])
def test_why_nothing_is_known_of_another_way_is_said(why: str) -> None:
    ended = f"that ended: {why}" if why else "that came to no end"
    invented = Decided("train.py", 9, "b", False, True, False)
    rows = replace(invented, line=8, key="a", counts=True), invented
    cut = Cut("train.py", 5, 3, 1000, 1, "3 optimizer steps were enough", True)
    original = arm(simulation=Simulation("", decided=rows), cuda={"reserved_peak": 0}, cuts=(cut,))
    (later,) = at_a_later_step(original, lambda turned: why).notes
    (other,) = worst(original, known=True, attempt=lambda turned: why).notes
    assert later.startswith("the condition at train.py:8 came to no other way")
    assert later.endswith(f"(it was simulated, too, but {ended}): what a later step needs is not known")
    assert other.startswith("the condition at train.py:9 hangs on invented values")
    assert other.endswith(f"(the other way was simulated, too, but {ended}): what it needs is not known")
