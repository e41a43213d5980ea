"""The verdict on each finding, with the further runs that only this one finding needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from memlint.finding import Finding
from memlint.runtime import host
from memlint.runtime.parent.arms import Request
from memlint.runtime.parent.counterfactual import Variant, fix_of
from memlint.runtime.parent.rounds import in_turns, joined
from memlint.runtime.parent.runs import Runs
from memlint.runtime.parent.surroundings import seen_lines
from memlint.runtime.parent.verdicts.attribution import values_kept
from memlint.runtime.parent.verdicts.doubling import asks_for_double, doubled, judge_doubled
from memlint.runtime.parent.verdicts.evidence import WARM_STEPS, Evidence, answer
from memlint.runtime.parent.verdicts.failures import failed_at_the_lines, predicts_later_failure
from memlint.runtime.parent.verdicts.leaks import leaks_of
from memlint.runtime.parent.verdicts.mentions import mentions
from memlint.runtime.parent.verdicts.overlap import Case, Judged, lines_of
from memlint.runtime.parent.verdicts.thresholds import DEFAULT
from memlint.runtime.parent.verdicts.timing import waits
from memlint.runtime.parent.verdicts.verdict import ELSEWHERE, is_out_of_reach, judge, wants_host, was_reached
from memlint.session import INTERRUPTED, Arm, Verdict


@dataclass(frozen=True, slots=True)
class Experiments:
    """Judges findings one by one.

    `problems` are the reasons for which fixed scripts could not be run, by variant, `skipped` those for which
    no fix of a finding was tried, by its fingerprint. `steps` were asked for (0: none). `fixes` says whether
    runs with fixes were wanted, `watched` that the first run tells which lines of findings it reached.
    """

    runs: Runs
    problems: Mapping[str, str]
    skipped: Mapping[str, str]
    steps: int
    fixes: bool
    watched: bool

    def judge(self, case: Case, number: int) -> Judged:
        """The verdict on a finding from what its own fix does, or from what the original shows."""
        finding = case.findings[number]
        evidence, variant, arm = self._evidence(case, number)
        lines = evidence.lines
        if case.again is None and not self.watched and finding.claim is not None:
            seen = replace(case.original, reached=seen_lines(case.original))
            evidence = replace(evidence, original=seen)
            if not failed_at_the_lines(seen, lines) and not was_reached(lines, seen, None):
                why = next(reversed(self.runs.missing.values()), "the run that would show it was not made")
                return "", answer(evidence, "inconclusive", f"whether the line ran is not known: {why}")
        verdict = judge(finding, evidence)
        kind = finding.claim.type if finding.claim is not None else ""
        by_bytes = self.runs.target.simulated and not asks_for_double(finding)
        if verdict.status == "not_reached" or by_bytes:
            return arm.name if arm is not None else "", verdict
        if self._wants_host(finding, verdict, arm, case.original):
            after = self.runs.host(variant) if variant is not None and arm is not None else None
            plain = self.runs.host(None)
            if plain is None or (after is None and variant is not None and arm is not None):
                return arm.name if arm is not None else "", self._unfinished(verdict, "host memory")
            verdict = judge(finding, replace(evidence, host=(plain, after)))
        elif kind == "TIME" and (arm is not None or waits(finding)):
            verdict = self._timed(finding, evidence, variant)
        elif asks_for_double(finding):
            verdict = self._doubled(finding, evidence, case.texts[finding.path]) or verdict
        return arm.name if arm is not None else "", verdict

    def judge_values(self, case: Case, number: int, judged: Judged) -> Judged:
        """The verdict once fixes were held together: a fix may leave the values that a line keeps."""
        finding, (arm, verdict) = case.findings[number], judged
        if finding.claim is None or finding.claim.type != "GROWTH" or arm not in case.fixed:
            return judged
        evidence, _, _ = self._evidence(case, number)
        return arm, values_kept(evidence, verdict, DEFAULT)

    def judge_cause(self, case: Case, finding: Finding, number: int, judged: Judged) -> Judged:
        """The verdict on a finding whose secondary place was judged, or on its own claim where that holds."""
        if finding is case.findings[number] or judged[1].status == "confirmed":
            return judged
        findings = [*case.findings[:number], finding, *case.findings[number + 1 :]]
        arm, verdict = self.judge(replace(case, findings=findings), number)
        return (arm, verdict) if verdict.status == "confirmed" else judged

    def _evidence(self, case: Case, number: int) -> tuple[Evidence, Variant | None, Arm | None]:
        """What bears on a finding, the program with its fix, and the run of that (None: there is none)."""
        finding = case.findings[number]
        variant = case.single(number)
        arm = case.alone(number)
        problem = self.problems.get(variant.name, "") if variant is not None else self._why_no_fix(finding)
        leaks = leaks_of(case.original, case.original.holders)
        evidence = Evidence(
            case.original, case.again, arm, lines_of(finding), leaks=leaks,
            mentions=mentions(finding, case.texts), problem=problem,
        )  # fmt: skip
        return evidence, variant, arm

    def _wants_host(self, finding: Finding, verdict: Verdict, fixed: Arm | None, original: Arm) -> bool:
        """Whether the process is to be weighed: without fixes, only for what nothing else shows."""
        if not host.is_weighed():
            return False
        kind = finding.claim.type if finding.claim is not None else ""
        if not wants_host(finding, verdict, original) or kind == "HOST":
            return kind == "HOST"
        return self.fixes and (fixed is not None or kind != "GROWTH")

    def _unfinished(self, verdict: Verdict, what: str) -> Verdict:
        """What is left of a verdict for which a run is missing."""
        why = INTERRUPTED if self.runs.interrupt else "the run failed"
        said = f"{what} was not sampled"
        reason = verdict.reason if said in verdict.reason else f"{verdict.reason}; {said}"
        return replace(verdict, status="inconclusive", reason=f"{reason}: {why}")

    def _why_no_fix(self, finding: Finding) -> str:
        """Why no fixed script was run for a finding; "" when memlint has no fix for it."""
        reason = self.skipped.get(finding.fingerprint, "")
        if asks_for_double(finding):
            return f"twice the number was not tried ({reason})" if reason else ""
        return "" if fix_of(finding) is None else f"its fix was not tried ({reason})" if reason else ""

    def _doubled(self, finding: Finding, evidence: Evidence, text: str) -> Verdict | None:
        """The verdict from a run with twice the number that a finding is about; None without such a run."""
        found = doubled(finding, text) if finding.fingerprint not in self.skipped else None
        if found is None:
            return None
        number, new = found
        title = f"{finding.code} at {finding.path}:{finding.span.line}: {2 * number} instead of {number}"
        overlay = ((self.runs.absolute(finding.path), new),)
        twice = self.runs.arm(Request(f"double-{finding.fingerprint}", title, overlay=overlay)).arm
        return judge_doubled(evidence, number, twice, DEFAULT) if twice is not None else None

    def _timed(self, finding: Finding, evidence: Evidence, variant: Variant | None) -> Verdict:
        """The verdict by the clock, on original and fixed in turns, so that both see the same load."""
        steps = max(self.steps, 2 * (DEFAULT.time_steps + WARM_STEPS))
        plain = Request("clock", "timing the original", "clock")
        if variant is None:
            alone = self.runs.arm(plain, steps=steps).arm
            return judge(finding, replace(evidence, rounds=((alone, None),) if alone is not None else ()))
        plain, edited = (replace(plain, name=f"clock-{variant.name}-{side}") for side in "ab")
        edited = replace(edited, title=f"timing: {variant.title}", overlay=self.runs.overlay(variant))
        found = in_turns(
            lambda request: self.runs.arm(request, steps=steps, keep=False).arm,
            plain,
            edited,
            steps,
            lambda rounds: judge(finding, replace(evidence, rounds=rounds)).status != "inconclusive",
        )
        for request, runs in zip((plain, edited), zip(*found, strict=True), strict=False):
            self.runs.arms.append(joined([arm for arm in runs if arm is not None], request.name))
        return judge(finding, replace(evidence, rounds=found))


def why_no_run_can_tell(finding: Finding, original: Arm) -> str:
    """Why a replay with the fix can tell nothing about a finding, whatever it reaches; "" where it can.

    Of a script that fails, a fix is tried where the failure came later, or is what the finding predicts.
    """
    failed = original.failure is not None and not original.failure.out_of_memory
    if failed and not original.steps and not predicts_later_failure(finding.claim):
        return original.stopped
    if original.device == "cpu" and finding.claim is not None and finding.claim.needs:
        return "it needs a CUDA device"
    return ""


def why_not_worth_a_run(finding: Finding, original: Arm, again: Arm | None) -> str:
    """Why a replay with the fix can tell nothing about a finding; "" where it can.

    `again` is the run that tells which lines were reached; None where there is none.
    """
    if (reason := why_no_run_can_tell(finding, original)) or again is None:
        return reason
    if is_out_of_reach(finding.claim, lines_of(finding), original, again):
        return ELSEWHERE
    return "" if was_reached(lines_of(finding), original, again) else "its line was not executed"
