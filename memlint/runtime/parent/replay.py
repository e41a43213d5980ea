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
from memlint.finding import Finding, each
from memlint.runtime import host
from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import Outcome, Request, Target
from memlint.runtime.parent.counterfactual import Combine, Variant, first_difference, fix_of, variants
from memlint.runtime.parent.experiments import Experiments, why_no_run_can_tell, why_not_worth_a_run
from memlint.runtime.parent.imagined_ranks import are_alike
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.plan import AGAIN, ORIGINAL, runs_for
from memlint.runtime.parent.runs import Runs, Say
from memlint.runtime.parent.surroundings import LOST, environment, lost, sources, where
from memlint.runtime.parent.verdicts.correctness import question_of
from memlint.runtime.parent.verdicts.growth import may_hold_nodes
from memlint.runtime.parent.verdicts.leaks import Reply, explain, is_known, leaks_of
from memlint.runtime.parent.verdicts.mentions import mentions
from memlint.runtime.parent.verdicts.overlap import JOINT, Case, Overlaps, lines_of
from memlint.runtime.parent.verdicts.secondary import weightiest
from memlint.session import FAILED, INTERRUPTED, OF_GRAPHS, Arm, Judged, Leak, Schedule, Session, Verdict

Announce = Callable[[str], None]
"""Told the plan, in one line, once it is known."""

NO_STEP = "no optimizer step and no call of a model was seen: is there a training loop in it?"
NO_STEP_ELSEWHERE = (
    "to measure what started processes do, let the script call their function itself, for one of them"
)


@dataclass(frozen=True, slots=True)
class Static:
    """The static half, handed in by the command.

    `ahead` gives the files of the project that the script's import statements lead to, itself among them.
    `check` gives a file's text and findings (path as the report shows it), `join` puts those together that
    have one cause, `combine` applies all fixes, `describe` turns findings into the shape of
    `check --output-format json`.
    """

    ahead: Callable[[], Sequence[str]]
    check: Callable[[str], tuple[str, tuple[Finding, ...]]]
    join: Callable[[Sequence[Finding]], list[Finding]]
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
        self._original_run = Request(ORIGINAL, "the script as it is", look=True)
        self._known: dict[str, tuple[str, tuple[Finding, ...]]] = {}
        self._watched = False

    def run(self, *, fixes: bool) -> Replayed:
        """Everything, in order: original, static check of what it imported, again, counterfactuals.

        Raises:
            MemlintError: the original could not be measured at all.
        """
        with self.runs.launcher:
            return self._run(fixes=fixes)

    def _run(self, *, fixes: bool) -> Replayed:
        started = datetime.now().astimezone().isoformat(timespec="seconds")
        if not host.is_weighed():
            self.notes.append("this system does not say what host memory a process holds: it is not measured")
        self._look_ahead(fixes=fixes)
        first = self._original()
        if first.arm is None:
            self.runs.arms.append(lost(self.runs.target, first))
        original = self.runs.arms[0]
        if original.simulation is not None and original.simulation.unsupported:
            raise MemlintError(where(original), "measure it with --device cpu or cuda instead")
        self._speak_of(original)
        if not original.steps and original.failure is None and not self.runs.interrupt:
            self.notes.append(NO_STEP_ELSEWHERE if original.processes else NO_STEP)
        texts, told = self._check(original)
        findings = [weightiest(finding) for finding in told]
        no_fix = "--no-fix" if not fixes else first.problem if first.arm is None else ""
        needs_again = first.arm is not None and not self._foresaw(findings)
        fixable = [a if fix_of(a) is not None else b for a, b in zip(told, findings, strict=True)]
        found = self._plan(original, findings, fixable, texts, no_fix, needs_again)
        original, again = self._again(original, told) if needs_again else (original, None)
        before, self.skipped = (
            self.skipped,
            {
                finding.fingerprint: reason
                for finding in findings
                if (reason := no_fix or why_not_worth_a_run(finding, original, again))
            },
        )
        if self.skipped != before:
            found = self._variants(fixable, texts)
            self.runs.plan.expect(self._runs_for(findings, found, again=False, fixes=not no_fix))
        fixed = self._counterfactuals(original, again, found)
        case = Case(findings, texts, original, again, found, fixed)
        bench = Experiments(
            self.runs, self.problems, self.skipped, self._asked, fixes=not no_fix,
            watched=self._watched and first.arm is not None and original.stopped != INTERRUPTED,
        )  # fmt: skip
        judged = [bench.judge(case, number) for number in range(len(findings))]
        judged = Overlaps(case, self._combine, partial(self._fixed, original, again), self.runs.host).settle(
            judged
        )
        judged = [bench.judge_values(case, number, row) for number, row in enumerate(judged)]
        judged = [bench.judge_cause(case, told[number], number, row) for number, row in enumerate(judged)]
        leaks = self._leaks(case, judged)
        if self.runs.interrupt:
            judged = [self._as_far_as_known(f, row) for f, row in zip(findings, judged, strict=True)]
        session = self._session(started, original, texts, told, judged, leaks, fixes=fixes)
        return Replayed(session, first.stdout, first.stderr, first.arm is None)

    def _look_ahead(self, *, fixes: bool) -> None:
        """Check what the script imports, as far as that is written down; let the first run watch the lines.

        Where fixes are compared with it, the first run is kept exact, and a second one watches.
        """
        self._known = {path: self.static.check(path) for path in self.static.ahead()}
        findings = [finding for _, found in self._known.values() for finding in found]
        if not findings or (fixes and any(fix_of(finding) is not None for finding in findings)):
            return
        self._watched = True
        watch, checks = self._questions(findings)
        self._original_run = replace(self._original_run, watch=watch, checks=checks)

    def _foresaw(self, findings: Sequence[Finding]) -> bool:
        """Whether no further run is needed to know which lines of findings were reached."""
        with_claims = [finding for finding in findings if finding.claim is not None]
        return not with_claims or (self._watched and all(f.path in self._known for f in with_claims))

    def _questions(self, findings: Sequence[Finding]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """What a run is asked about findings: the lines to watch, and the questions about them."""
        members = list(each(findings))
        watch = tuple(self.runs.absolute(line) for f in members for line in lines_of(f))
        of_graphs = {f.claim.check for f in members if f.claim is not None} & OF_GRAPHS
        of_values = {question_of(f) for f in members} - {""} if not self.runs.target.simulated else set()
        return watch, tuple(sorted(of_graphs | of_values))

    def _runs_for(
        self, findings: Sequence[Finding], found: Sequence[Variant], *, again: bool, fixes: bool
    ) -> list[str]:
        names = runs_for(
            findings, found, simulated=self.runs.target.simulated, fixes=fixes,
            nodes_pile=may_hold_nodes(self.runs.arms[0]),
        )  # fmt: skip
        return [AGAIN, *names] if again else names

    def _plan(
        self,
        original: Arm,
        findings: Sequence[Finding],
        fixable: Sequence[Finding],
        texts: Mapping[str, str],
        no_fix: str,
        again: bool,
    ) -> list[Variant]:
        """Say what is still to be run, as if all lines of findings were reached: known only by `again`."""
        self.skipped = {
            finding.fingerprint: reason
            for finding in findings
            if (reason := no_fix or why_no_run_can_tell(finding, original))
        }
        found = self._variants(fixable, texts)
        wanted = self._runs_for(findings, found, again=again, fixes=not no_fix)
        self.runs.plan.expect(wanted)
        if wanted and not self.runs.interrupt and original.device != LOST:
            unforeseen = any(f.path not in self._known and f.claim is not None for f in findings)
            bare = self._runs_for(findings, (), again=unforeseen, fixes=False)
            self.announce(self.runs.plan.in_words(without_fixes=self.runs.plan.made + len(bare)))
        return found

    def _variants(self, findings: Sequence[Finding], texts: Mapping[str, str]) -> list[Variant]:
        if all(finding.fingerprint in self.skipped for finding in findings):
            return []
        return variants(findings, texts, self._combine, lambda f: f.fingerprint not in self.skipped)

    def _original(self) -> Outcome:
        """The script as it is; once more unshortened, or on the CPU, where the first run was wrong for it."""
        first = self.runs.arm(self._original_run)
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
        return self._instead(replace(self.runs.target, schedule=Schedule(arm.schedule.steps, whole=True)))

    def _instead(self, target: Target) -> Outcome:
        """The original again under another target; the first run of it counts for nothing."""
        (self.runs.workshop / ORIGINAL).rename(self.runs.workshop / "discarded")
        self.runs.target = target
        self.runs.arms.clear()
        return self.runs.arm(self._original_run)

    def _again(self, original: Arm, findings: Sequence[Finding]) -> tuple[Arm, Arm | None]:
        """The same once more, with all that would cost the first run its exactness; told to the first."""
        watch, checks = self._questions(findings)
        # What CUDA's allocator records is that of a run in which nothing is followed (see `Runs`).
        truth = "" if original.device.startswith("cuda") else "profiler"
        if self.runs.target.simulated:
            truth = ""
        again = self.runs.arm(Request(AGAIN, "the same again", "tracker", (), watch, checks, truth)).arm
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
        target = replace(self.runs.target, rank=original.rank, alike=are_alike(original))
        if original.schedule.steps:
            target = replace(target, steps=original.schedule.steps, schedule=original.schedule)
        self.runs.target = target
        if original.highest is not None and not self.runs.target.simulated:
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
            self.notes.append("two runs of the script differ in losses: those of fixes are not compared")
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
            texts[path], new = self._known.get(path) or self.static.check(path)
            findings += new
        return texts, sorted(self.static.join(findings), key=lambda finding: finding.sort_key)

    def _as_far_as_known(self, finding: Finding, judged: tuple[str, Verdict]) -> tuple[str, Verdict]:
        """An interrupted replay has not ruled out that other lines hold the same bytes."""
        arm, verdict = judged
        if verdict.status != "refuted" or finding.claim is None or finding.claim.type not in JOINT:
            return judged
        reason = f"{verdict.reason}; {INTERRUPTED} before it was known whether others hold the same bytes"
        return arm, replace(verdict, status="inconclusive", reason=reason)

    def _leaks(self, case: Case, judged: Sequence[tuple[str, Verdict]]) -> tuple[Leak, ...]:
        """What grows from step to step, with the confirmed findings that explain it.

        A secondary place is confirmed with the finding that has its cause.
        """
        replies = [
            Reply(each, verdict, case.alone(number) if each is finding else None, mentions(each, case.texts))
            for number, (finding, (_, verdict)) in enumerate(zip(case.findings, judged, strict=True))
            for each in (finding, *finding.secondary)
        ]
        found = leaks_of(case.original, case.original.holders)
        return tuple(explain(leak, case.original, replies) for leak in found if not is_known(leak, replies))

    # --- the session -------------------------------------------------------------------------------

    def _options(self, fixes: bool) -> dict[str, Any]:
        return {
            "module": self.runs.target.is_module,
            "steps": self._asked,
            "timeout": self.runs.target.timeout,
            "memory_limit": self.runs.target.memory_limit,
            "device": self.runs.target.device,
            "nproc_per_node": self.runs.target.ranks,
            "nnodes": self.runs.target.nodes,
            "card": self.runs.target.card.name if self.runs.target.simulated else "",
            "device_memory": self.runs.target.allocatable if self.runs.target.simulated else 0,
            "fixes": fixes,
            "sandbox": self.runs.target.contained,
            "seed": arms.SEED,
        }
