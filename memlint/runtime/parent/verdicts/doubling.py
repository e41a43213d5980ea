"""Claims about a number in the script: what does twice that number cost at the peak?"""

from __future__ import annotations

from memlint.finding import Edit, Finding, Span
from memlint.runtime.parent.verdicts.evidence import Evidence, answer, in_words
from memlint.runtime.parent.verdicts.failures import ran_out
from memlint.runtime.parent.verdicts.thresholds import Thresholds
from memlint.session import Arm, Verdict
from memlint.source.text import apply_edits, line_starts
from memlint.units import change, size


def asks_for_double(finding: Finding) -> bool:
    """Whether the claim is about what twice a number in the script costs at the peak."""
    return finding.claim is not None and finding.claim.check == "peak-at-double"


def doubled(finding: Finding, text: str) -> tuple[int, str] | None:
    """The number that a finding points at, and the text with twice that; None where it points at none."""
    for span in (finding.span, *(note.span for note in finding.notes if note.span is not None)):
        found = _text_at(text, span).replace("_", "")
        if found.isdecimal():
            return int(found), apply_edits(text, [Edit(span, str(2 * int(found)))])
    return None


def _text_at(text: str, span: Span) -> str:
    starts = line_starts(text)
    return text[starts[span.line - 1] + span.column - 1 : starts[span.end_line - 1] + span.end_column - 1]


def judge_doubled(evidence: Evidence, number: int, twice: Arm, limits: Thresholds) -> Verdict:
    """The verdict from a run with twice the number."""
    ended = ran_out(evidence.original, twice)
    if twice.failure is not None or ended:
        failure = twice.failure
        reason = ended or f"with {2 * number} the script failed: {failure.type if failure else ''}"
        return answer(evidence, "inconclusive", reason)
    before, after = evidence.original.top_bytes, twice.top_bytes
    said = f"the peak goes from {change(before, after)} when {number} becomes {2 * number}"
    if after - before <= limits.peak_share * before:
        return answer(evidence, "refuted", f"{said}: the number does not decide it")
    now, then = evidence.original.peak.phase, twice.peak.phase
    if now != then:
        # Up to some number in between, another phase holds more: no rate is that of each one.
        return answer(evidence, "confirmed", f"{said}, then in {in_words(then)}")
    return answer(evidence, "confirmed", f"{said}: {size((after - before) // number)} for each one more")
