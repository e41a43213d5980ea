"""From a script and its findings to a session: which arms to run in which order, and the verdicts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from memlint import __version__
from memlint.errors import MemlintError
from memlint.finding import Finding
from memlint.runtime import arms
from memlint.runtime.arms import Outcome, Request, Target
from memlint.runtime.attribution import wants_holders
from memlint.runtime.correctness import question_of
from memlint.runtime.counterfactual import Combine, Variant, first_difference, fix_of, variants
from memlint.runtime.doubling import asks_for_double, doubled, judge_doubled
from memlint.runtime.emptied import emptied, judge_emptied, may_keep_values
from memlint.runtime.evidence import WARM_STEPS, Evidence, answer
from memlint.runtime.failures import failed_at_the_lines, predicts_later_failure
from memlint.runtime.interrupt import Interrupt
from memlint.runtime.leaks import Reply, explain, leaks_of
from memlint.runtime.mentions import Mentions, mentions
from memlint.runtime.overlap import JOINT, Case, Overlaps, lines_of
from memlint.runtime.plan import AGAIN, ORIGINAL, runs_for
from memlint.runtime.rounds import in_turns, joined
from memlint.runtime.runs import Runs, Say
from memlint.runtime.surroundings import LOST, environment, lost, seen_lines, sources, where
from memlint.runtime.thresholds import DEFAULT
from memlint.runtime.timing import waits
from memlint.runtime.verdict import ELSEWHERE, is_out_of_reach, judge, wants_host, was_reached
from memlint.session import FAILED, INTERRUPTED, Arm, Holder, Judged, Leak, Schedule, Session, Verdict

Announce = Callable[[str], None]
"""Told the plan, in one line, once it is known."""




ORIGINAL_RUN = Request(ORIGINAL, "the script as it is", look=0)

@dataclass(frozen=True, slots=True)
class Static:
    """The static half, handed in by the command.

    `check` gives a file's text and findings (path as the report shows it), `combine` applies all fixes,
    `describe` turns findings into the shape of `check --output-format json`.
    """

    check: Callable[[str], tuple[str, tuple[Finding, ...]]]
    combine: Combine
    describe: Callable[[Sequence[Finding]], list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Replayed:
    """The session, and what the original printed (its traceback, if it failed).

    `died` says that the original's process ended without a result: the session holds no measurement.
    """

    session: Session
    stdout: str
    stderr: str
    died: bool = False


class Replay:
    """One replay: runs arms, remembers them, judges findings."""

    def __init__(
        self,
        target: Target,
        static: Static,
        workshop: Path,
        say: Say = lambda now: None,
        announce: Announce = lambda text: None,
        interrupt: Interrupt | None = None,
    ) -> None:
        interrupt = interrupt if interrupt is not None else Interrupt()
        self.runs = Runs(target, workshop, say, interrupt)
        self.static = static
        self.announce = announce
        self.errors: list[str] = []
        self.notes: list[str] = []
        self.problems: dict[str, str] = {}
        self.skipped: dict[str, str] = {}
        self._asked = target.steps

    def run(self, *, fixes: bool) -> Replayed:
        """Everything, in order: original, static check of what it imported, again, counterfactuals.

        Raises:
            MemlintError: the original could not be measured at all.
        """
        started = datetime.now().astimezone().isoformat(timespec="seconds")
        first = self._original()
        if first.arm is None:
            self.runs.arms.append(lost(self.runs.target, first))
        original = self.runs.arms[0]
        if original.simulation is not None and original.simulation.unsupported:
            raise MemlintError(where(original), "measure it with --device cpu or cuda instead")
        self._speak_of(original)
        if not original.steps and original.failure is None and not self.runs.interrupt:
            self.notes.append(
                "no optimizer step and no call of a model was seen: is there a training loop in it?"
            )
        texts, findings = self._check(original)
        no_fix = "--no-fix" if not fixes else first.problem if first.arm is None else ""
        found = self._plan(original, findings, texts, no_fix)
        original, again = self._again(original, findings, is_lost=first.arm is None)
        before, self.skipped = self.skipped, {
            finding.fingerprint: reason
            for finding in findings
            if (reason := no_fix or _why_not_worth_a_run(finding, original, again))
        }
        if self.skipped != before:
            found = self._variants(findings, texts)
            self.runs.plan.expect(
                name
                for name in runs_for(findings, found, DEFAULT, simulated=self.runs.target.simulated)
                if name != AGAIN
            )
        fixed = self._counterfactuals(original, again, found)
        case = Case(findings, texts, original, again, found, fixed)
        judged = [self._judge(case, number) for number in range(len(findings))]
        judged = Overlaps(case, self._combine, partial(self._fixed, original, again), self.runs.host).settle(
            judged
        )
        leaks = self._leaks(case, judged)
        if self.runs.interrupt:
            judged = [self._as_far_as_known(f, row) for f, row in zip(findings, judged, strict=True)]
        session = self._session(started, original, texts, findings, judged, leaks, fixes=fixes)
        return Replayed(session, first.stdout, first.stderr, first.arm is None)

    def _plan(
        self, original: Arm, findings: Sequence[Finding], texts: Mapping[str, str], no_fix: str
    ) -> list[Variant]:
        """Say what is still to be run, as if all lines of findings were reached: known only by `again`."""
        self.skipped = {
            finding.fingerprint: reason
            for finding in findings
            if (reason := no_fix or _why_no_run_can_tell(finding, original))
        }
        found = self._variants(findings, texts)
        wanted = runs_for(findings, found, DEFAULT, simulated=self.runs.target.simulated)
        self.runs.plan.expect(wanted)
        if wanted and not self.runs.interrupt and original.device != LOST:
            self.announce(self.runs.plan.in_words(without_fixes=1 + (AGAIN in wanted)))
        return found

    def _variants(self, findings: Sequence[Finding], texts: Mapping[str, str]) -> list[Variant]:
        if all(finding.fingerprint in self.skipped for finding in findings):
            return []
        return variants(findings, texts, self._combine, lambda f: f.fingerprint not in self.skipped)

    def _original(self) -> Outcome:
        """The script as it is; once more unshortened, or on the CPU, where the first run was wrong for it."""
        first = self.runs.arm(ORIGINAL_RUN)
        arm = first.arm
        if arm is None:
            return first
        if self.runs.target.simulated and arm.device == "cpu" and arm.steps and arm.failure is None:
            self.notes.append("--device simulate: the script puts no tensor on a GPU; measured on the CPU")
            return self._instead(replace(self.runs.target, device="cpu"))
        if arm.failure is None or arm.stopped != FAILED or not arm.cuts:
            return first
        self.notes.append(
            f"with loops cut short the script failed ({arm.failure.in_short}): none is shortened"
        )
        return self._instead(
            replace(self.runs.target, schedule=Schedule(arm.schedule.steps, whole=True))
        )

    def _instead(self, target: Target) -> Outcome:
        """The original again under another target; the first run of it counts for nothing."""
        (self.runs.workshop / ORIGINAL).rename(self.runs.workshop / "discarded")
        self.runs.target = target
        self.runs.arms.clear()
        return self.runs.arm(ORIGINAL_RUN)

    def _again(
        self, original: Arm, findings: Sequence[Finding], *, is_lost: bool
    ) -> tuple[Arm, Arm | None]:
        """The same once more, with all that would cost the first run its exactness; told to the first."""
        watch = tuple(self.runs.absolute(line) for f in findings for line in lines_of(f))
        checks = tuple(sorted({question_of(f) for f in findings} - {""}))
        # What CUDA's allocator records is that of a run in which nothing is followed (see `Runs`).
        truth = "" if original.device.startswith("cuda") else "profiler"
        if self.runs.target.simulated:
            checks, truth = (), ""
        if is_lost or all(finding.claim is None for finding in findings):
            return original, None
        again = self.runs.arm(Request(AGAIN, "the same once more", "tracker", (), watch, checks, truth)).arm
        if again is not None:
            if truth == "profiler" and original.device == "cpu" and again.outside is None:
                failed = "memlint itself failed" if again.lost else "the script profiles itself"
                why = again.stopped if again.was_cut else failed
                self.notes.append(f"what kernels hold beside the tensors was not measured: {why}")
            outside = again.outside if truth else original.outside
            self.runs.arms[0] = replace(original, outside=outside, checks=again.checks)
        return self.runs.arms[0], again

    def _session(
        self,
        started: str,
        original: Arm,
        texts: Mapping[str, str],
        findings: Sequence[Finding],
        judged: Sequence[tuple[str, Verdict]],
        leaks: tuple[Leak, ...],
        *,
        fixes: bool,
    ) -> Session:
        described = self.static.describe(findings)
        return Session(
            memlint=__version__,
            script=self.runs.target.path if self.runs.target.is_module else self.runs.target.arguments[0],
            arguments=self.runs.target.arguments[1:],
            started=started,
            environment=environment(original),
            options=self._options(fixes),
            arms=tuple(self.runs.arms),
            findings=tuple(
                Judged(shape, arm, verdict) for shape, (arm, verdict) in zip(described, judged, strict=True)
            ),
            errors=tuple(self.errors),
            notes=(*self.notes, *self.runs.notes),
            sources=sources(texts, findings, self.runs.arms[0]),
            missing=tuple(f"{title}: {why}" for title, why in self.runs.missing.items()),
            leaks=leaks,
        )

    def _speak_of(self, original: Arm) -> None:
        """Hold all arms to the rank that the original's measurements single out."""
        target = replace(self.runs.target, rank=original.rank)
        if original.schedule.steps:
            target = replace(target, steps=original.schedule.steps, schedule=original.schedule)
        self.runs.target = target
        if original.highest is not None:
            why = "has the highest peak" if original.rank == original.highest.rank else "failed"
            count = len(original.ranks)
            self.notes.append(
                f"figures and verdicts are those of rank {original.rank} of {count}, which {why}"
            )

    # --- arms --------------------------------------------------------------------------------------

    def _counterfactuals(self, original: Arm, again: Arm | None, found: Sequence[Variant]) -> dict[str, Arm]:
        fixed: dict[str, Arm] = {}
        for variant in found:
            arm = self._fixed(original, again, variant)
            if arm is not None:
                fixed[variant.name] = arm
        if again is not None and first_difference(original, None, again):
            self.notes.append("two runs of the script give different losses: arms cannot be held to equality")
        return fixed

    def _fixed(self, original: Arm, again: Arm | None, variant: Variant) -> Arm | None:
        """Run one counterfactual program; None, with the reason in `problems`, when that is impossible."""
        if variant.problem:
            self.problems[variant.name] = variant.problem
            return None
        outcome = self.runs.arm(Request(variant.name, variant.title, overlay=self.runs.overlay(variant)))
        if outcome.arm is None:
            self.problems[variant.name] = outcome.problem
            return None
        difference = first_difference(original, again, outcome.arm) if variant.safe else ""
        if difference:
            self.errors.append(f"a safe fix changed what the script computes: {variant.title}: {difference}")
        return outcome.arm

    def _combine(self, path: str, text: str, unsafe: bool, without: frozenset[str]) -> str:
        return self.static.combine(path, text, unsafe, without | self.skipped.keys())

    # --- findings ----------------------------------------------------------------------------------

    def _check(self, original: Arm) -> tuple[dict[str, str], list[Finding]]:
        """Texts and findings of the script and of every file of the project that it imported."""
        paths = list(original.modules)
        if not self.runs.target.is_module:
            shown = os.path.relpath(self.runs.target.path, self.runs.target.folder)
            script = self.runs.target.path if shown.startswith(os.pardir) else shown
            paths = [script, *(path for path in paths if path != script)]
        texts: dict[str, str] = {}
        findings: list[Finding] = []
        for path in paths:
            texts[path], new = self.static.check(path)
            findings += new
        return texts, sorted(findings, key=lambda finding: finding.sort_key)

    def _judge(self, case: Case, number: int) -> tuple[str, Verdict]:
        finding = case.findings[number]
        variant = case.single(number)
        arm = case.fixed.get(variant.name) if variant is not None else None
        problem = self.problems.get(variant.name, "") if variant is not None else self.why_no_fix(finding)
        lines = lines_of(finding)
        speaks_of = self._speaks_of(case, finding)
        leaks = leaks_of(case.original, case.original.holders)
        evidence = Evidence(
            case.original, case.again, arm, lines, leaks=leaks, mentions=speaks_of, problem=problem
        )
        if case.again is None and finding.claim is not None:
            seen = replace(case.original, reached=seen_lines(case.original))
            evidence = replace(evidence, original=seen)
            if not failed_at_the_lines(seen, lines) and not was_reached(lines, seen, None):
                why = next(reversed(self.runs.missing.values()), "the run that would show it was not made")
                return "", answer(evidence, "inconclusive", f"whether the line ran is not known: {why}")
        verdict = judge(finding, evidence)
        if verdict.status in ("inconclusive", "confirmed") and wants_holders(finding, evidence):
            held = self.runs.holders()
            known = leaks_of(case.original, held.holders) if held is not None else leaks
            verdict = judge(finding, replace(evidence, held=held, leaks=known))
        kind = finding.claim.type if finding.claim is not None else ""
        if verdict.status == "not_reached" or self.runs.target.simulated:
            return arm.name if arm is not None else "", verdict
        if wants_host(finding, verdict):
            after = self.runs.host(variant) if variant is not None and arm is not None else None
            plain = self.runs.host(None)
            if plain is None or (after is None and variant is not None and arm is not None):
                return arm.name if arm is not None else "", self._unfinished(verdict, "host memory")
            verdict = judge(finding, replace(evidence, host=(plain, after)))
            if arm is not None and may_keep_values(finding, case.original, verdict, DEFAULT):
                verdict = self._emptied(finding, evidence, verdict, case.texts[finding.path])
        elif kind == "TIME" and (arm is not None or waits(finding)):
            verdict = self._timed(finding, evidence, variant)
        elif asks_for_double(finding):
            verdict = self._doubled(finding, evidence, case.texts[finding.path]) or verdict
        return arm.name if arm is not None else "", verdict

    def _as_far_as_known(self, finding: Finding, judged: tuple[str, Verdict]) -> tuple[str, Verdict]:
        """An interrupted replay has not ruled out that other lines hold the same bytes."""
        arm, verdict = judged
        if verdict.status != "refuted" or finding.claim is None or finding.claim.type not in JOINT:
            return judged
        reason = f"{verdict.reason}; {INTERRUPTED} before it was known whether others hold the same bytes"
        return arm, replace(verdict, status="inconclusive", reason=reason)

    def _unfinished(self, verdict: Verdict, what: str) -> Verdict:
        """What is left of a verdict for which a run is missing."""
        why = INTERRUPTED if self.runs.interrupt else "the run failed"
        said = f"{what} was not sampled"
        reason = verdict.reason if said in verdict.reason else f"{verdict.reason}; {said}"
        return replace(verdict, status="inconclusive", reason=f"{reason}: {why}")

    def _speaks_of(self, case: Case, finding: Finding) -> Mentions:
        return mentions(finding, case.texts[finding.path], case.texts.values())

    def why_no_fix(self, finding: Finding) -> str:
        """Why no fixed script was run for a finding; "" when memlint has no fix for it."""
        reason = self.skipped.get(finding.fingerprint, "") if fix_of(finding) is not None else ""
        return f"its fix was not tried ({reason})" if reason else ""

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

    def _emptied(self, finding: Finding, evidence: Evidence, alone: Verdict, text: str) -> Verdict:
        """The verdict from a run in which the line keeps empty tensors; `alone` without such a run."""
        new = emptied(finding, text)
        if new is None:
            return alone
        title = f"{finding.code} at {finding.path}:{finding.span.line}: empty tensors kept instead"
        overlay = ((self.runs.absolute(finding.path), new),)
        bare = self.runs.arm(Request(f"empty-{finding.fingerprint}", title, overlay=overlay)).arm
        return judge_emptied(evidence, alone, bare, DEFAULT) if bare is not None else alone

    def _timed(self, finding: Finding, evidence: Evidence, variant: Variant | None) -> Verdict:
        """The verdict by the clock, on original and fixed in turns, so that both see the same load."""
        steps = max(self._asked, 2 * (DEFAULT.time_steps + WARM_STEPS))
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

    def _leaks(self, case: Case, judged: Sequence[tuple[str, Verdict]]) -> tuple[Leak, ...]:
        """What grows from step to step, with the confirmed findings that explain it."""
        arms = {arm.name: arm for arm in self.runs.arms}
        replies = [
            Reply(finding, verdict, arms.get(name), self._speaks_of(case, finding))
            for finding, (name, verdict) in zip(case.findings, judged, strict=True)
        ]

        def explained(holders: tuple[Holder, ...]) -> tuple[Leak, ...]:
            return tuple(
                explain(leak, case.original, replies) for leak in leaks_of(case.original, holders)
            )

        leaks = explained(case.original.holders)
        if all(leak.holders or leak.findings for leak in leaks):
            return leaks
        # What held it may have been a variable of a function that has returned by the end of the run.
        held = self.runs.holders()
        return explained(held.holders) if held is not None else leaks

    # --- the session -------------------------------------------------------------------------------

    def _options(self, fixes: bool) -> dict[str, Any]:
        return {
            "module": self.runs.target.is_module,
            "steps": self._asked,
            "timeout": self.runs.target.timeout,
            "memory_limit": self.runs.target.memory_limit,
            "device": self.runs.target.device,
            "nproc_per_node": self.runs.target.ranks,
            "device_memory": self.runs.target.device_memory if self.runs.target.simulated else 0,
            "fixes": fixes,
            "sandbox": self.runs.target.contained,
            "seed": arms.SEED,
        }


def _why_no_run_can_tell(finding: Finding, original: Arm) -> str:
    """Why a replay with the fix can tell nothing about a finding, whatever it reaches; "" where it can.

    Of a script that fails, a fix is tried where the failure came later, or is what the finding predicts.
    """
    failed = original.failure is not None and not original.failure.out_of_memory
    if failed and not original.steps and not predicts_later_failure(finding.claim):
        return original.stopped
    if original.device == "cpu" and finding.claim is not None and finding.claim.needs:
        return "it needs a CUDA device"
    return ""


def _why_not_worth_a_run(finding: Finding, original: Arm, again: Arm | None) -> str:
    """Why a replay with the fix can tell nothing about a finding; "" where it can."""
    if (reason := _why_no_run_can_tell(finding, original)) or again is None:
        return reason
    if is_out_of_reach(finding.claim, lines_of(finding), original, again):
        return ELSEWHERE
    return "" if was_reached(lines_of(finding), original, again) else "its line was not executed"
