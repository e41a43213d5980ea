"""Claims that a script fails: does it, with the error that the finding predicts?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memlint.finding import Claim
from memlint.session import Arm, Failure

NAMED = re.compile(r"\b[A-Z]\w*Error\b")
ELSEWHERE = re.compile(r"\bbackward\(\) raises\b")
"""Claims about a line that lets a later backward() fail."""

GRAPH_IS_GONE = ("backward through the graph a second time", "modified by an inplace operation")
ANCESTORS = {"ModuleNotFoundError": "ImportError"}


def expected_errors(claim: Claim) -> frozenset[str]:
    """The exceptions that a claim says its own line raises."""
    return frozenset() if ELSEWHERE.search(claim.formula) else frozenset(NAMED.findall(claim.formula))


def predicts_later_failure(claim: Claim | None) -> bool:
    """Whether the claim is that a later backward() fails, so that a fixed script would go on."""
    return claim is not None and ELSEWHERE.search(claim.formula) is not None


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
    if failure is None or failure.out_of_memory:
        return None
    if predicts_later_failure(claim):
        return _judge_backward(failure, fixed)
    if not failed_at_the_lines(original, lines):
        return None
    said = f"the line raised {failure.type}: {failure.message}"
    expected = expected_errors(claim)
    if {failure.type, ANCESTORS.get(failure.type)} & expected:
        return "confirmed", said
    return "inconclusive", f"{said}; that is not what the rule predicts"


def _judge_backward(failure: Failure, fixed: Arm | None) -> tuple[str, str] | None:
    if failure.type != "RuntimeError" or not any(text in failure.message for text in GRAPH_IS_GONE):
        return None
    where = f"{failure.file}:{failure.line} raised {failure.type}: {failure.message.partition('.')[0]}"
    if fixed is None:
        return "inconclusive", f"{where}; no fixed script was run to compare with"
    if fixed.failure is not None and fixed.failure.message == failure.message:
        return "inconclusive", f"{where}; with the fix it does so too"
    return "confirmed", f"{where}; with the fix the script goes on"
