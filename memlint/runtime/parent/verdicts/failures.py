"""Claims that a script fails: does it, with the error that the finding predicts?"""

from __future__ import annotations

from collections.abc import Sequence

from memlint.finding import Claim
from memlint.session import Arm, Failure

OF_MEMORY = frozenset({"GROWTH", "PEAK", "RESERVED"})
"""Claims that a script which no longer runs out of memory bears out."""

GRAPH_IS_GONE = ("backward through the graph a second time", "modified by an inplace operation")
ANCESTORS = {"ModuleNotFoundError": "ImportError"}


def expected_errors(claim: Claim) -> frozenset[str]:
    """The exceptions that a claim says its own line raises."""
    return frozenset(claim.raises)


NO_GRAPH = "does not require grad and does not have a grad_fn"
"""What backward() says of a tensor that was made without a graph (torch/csrc/autograd/python_engine.cpp)."""


def predicts_later_failure(claim: Claim | None) -> bool:
    """Whether the claim is that a later backward() fails, so that a fixed script would go on."""
    return claim is not None and claim.fails_later


def failed_at_the_lines(arm: Arm, lines: Sequence[str]) -> bool:
    """Whether the script ended with an exception at one of the lines."""
    return arm.failure is not None and f"{arm.failure.file}:{arm.failure.line}" in lines


def judge_failure(
    claim: Claim, original: Arm, fixed: Arm | None, lines: Sequence[str]
) -> tuple[str, str] | None:
    """(status, reason) from the exception that ended the script; None where that says nothing."""
    failure = original.failure
    if failure is None and claim.type == "CORRECT" and predicts_later_failure(claim):
        count = len(original.losses)
        return "refuted" if count > 1 else "inconclusive", f"{count} backward() calls ran without an error"
    if failure is None:
        return None
    if failure.out_of_memory:
        return _judge_exhausted(claim, original, fixed)
    if predicts_later_failure(claim):
        return _judge_backward(failure, fixed)
    if not failed_at_the_lines(original, lines):
        return None
    said = f"the line raised {failure.type}: {failure.message}"
    expected = expected_errors(claim)
    if {failure.type, ANCESTORS.get(failure.type)} & expected:
        return "confirmed", said
    return "inconclusive", f"{said}; that is not what the rule predicts"


def ran_out(original: Arm, fixed: Arm | None) -> str:
    """That both runs ended for want of memory, in words; "" where it is not so.

    How high either peak would have been is not known then.
    """
    ends = [arm.failure for arm in (original, fixed) if arm is not None]
    if len(ends) < 2 or not all(end is not None and end.out_of_memory for end in ends):
        return ""
    assert fixed is not None
    counts = f"after {len(original.steps)} steps, with the fix after {len(fixed.steps)}"
    return f"the script ran out of memory {counts}: neither peak is known"


def misses_its_graph(original: Arm, fixed: Arm | None) -> bool:
    """Whether only the fixed script ended in a backward() that found no graph: the script uses it then."""
    if fixed is None or fixed.failure is None or original.failure is not None:
        return False
    return fixed.failure.type == "RuntimeError" and NO_GRAPH in fixed.failure.message


def _judge_exhausted(claim: Claim, original: Arm, fixed: Arm | None) -> tuple[str, str] | None:
    """Where a script ran out of memory and its fixed version got further, the fix has shown its effect."""
    failure = original.failure
    if failure is None or fixed is None or fixed.failure is not None or claim.type not in OF_MEMORY:
        return None
    if len(fixed.steps) <= len(original.steps) and fixed.stopped != "the script ended":
        return None
    where = f"the script ran out of memory at {failure.file}:{failure.line} after {len(original.steps)} steps"
    return "confirmed", f"{where}; with the fix it made {len(fixed.steps)} and did not"


def _judge_backward(failure: Failure, fixed: Arm | None) -> tuple[str, str] | None:
    if failure.type != "RuntimeError" or not any(text in failure.message for text in GRAPH_IS_GONE):
        return None
    first = failure.message.partition(". ")[0].rstrip(".")
    where = f"{failure.file}:{failure.line} raised {failure.type}: {first}"
    if fixed is None:
        return "inconclusive", f"{where}; no fixed script was run to compare with"
    if fixed.failure is not None and fixed.failure.message == failure.message:
        return "inconclusive", f"{where}; with the fix it does so too"
    return "confirmed", f"{where}; with the fix the script goes on"
