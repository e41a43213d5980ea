"""The runs of one replay: made one by one, counted against the plan, given up when interrupted."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from memlint.runtime.parent import ahead, arms
from memlint.runtime.parent.arms import Outcome, Request, Target
from memlint.runtime.parent.counterfactual import Variant
from memlint.runtime.parent.interrupt import Interrupt
from memlint.runtime.parent.launcher import Launcher, Process
from memlint.runtime.parent.plan import BARE, HOST, ORIGINAL, Now, Plan
from memlint.session import INTERRUPTED, Arm
from memlint.units import plural

Say = Callable[[Now], None]
"""Told, again and again, what the replay does at the moment."""


class Runs:
    """Makes runs and keeps their measurements.

    `arms` are those of the session, in the order in which they were made; `missing` has the reason for each
    that was to be made and was not, or not to its end, by its title. `raised` are the bytes by which
    following the tensors of the original has raised the peak that CUDA's allocator counts. `held` are those
    of host memory that the original took.
    """

    def __init__(self, target: Target, workshop: Path, say: Say, interrupt: Interrupt) -> None:
        self.target = target
        self.workshop = workshop
        self.say = say
        self.interrupt = interrupt
        self.plan = Plan()
        self.launcher = Launcher()
        self.arms: list[Arm] = []
        self.missing: dict[str, str] = {}
        self._extra: dict[str, Arm | None] = {}
        self.raised = 0
        self.notes: list[str] = []
        self.held = 0
        self._ahead: ahead.Ahead | None = None

    def arm(self, request: Request, *, steps: int = 0, keep: bool = True) -> Outcome:
        """Make a run. Of an interrupted replay only the original is kept, as far as it went.

        `steps` are looked at instead of the target's (0: those); `keep` says whether it is an arm of the
        session.

        Raises:
            MemlintError: what the target asks for cannot be measured on this machine.
        """
        if self.interrupt and request.name != ORIGINAL:
            return self._without(request, Outcome(None, INTERRUPTED, "", ""))
        target = self.target
        if steps and target.schedule is not None:
            target = replace(target, schedule=replace(target.schedule, steps=steps, first=0))
        outcome = self._made(target, request)
        if outcome.arm is not None and request.probe == "tracker" and not target.simulated:
            outcome = replace(outcome, arm=self._counted(target, request, outcome.arm))
        if outcome.arm is None:
            return self._without(request, outcome)
        if outcome.arm.stopped == INTERRUPTED:
            if request.name != ORIGINAL:
                # Held against a whole run, half a run would look like the effect of a fix.
                return self._without(request, replace(outcome, arm=None, problem=INTERRUPTED))
            self.missing[request.title] = f"{INTERRUPTED} after {plural(len(outcome.arm.steps), 'step')}"
        if keep:
            self.arms.append(outcome.arm)
        return outcome

    def begin(self, requests: Sequence[Request]) -> None:
        """Begin simulations that `arm` will be asked for in this order, where that is faster."""
        target = self.target
        if not target.simulated or target.ranks or len(requests) < 2:
            return
        if self._ahead is None:
            if len(requests) * self.plan.mean < ahead.WORTH:
                return
            number = ahead.at_once(self.held, target.memory_limit)
            if number < 2:
                return
            self._ahead = ahead.Ahead(number, self.workshop, lambda: bool(self.interrupt))
        self._ahead.begin(target, requests)

    def close(self) -> None:
        """End what was begun and not asked for."""
        if self._ahead is not None:
            self._ahead.close()

    def forked(self, asked: str, streams: Sequence[int]) -> Process | None:
        """A process that the launcher forks for something else than a run, with these standard streams.

        None where nothing can be forked.
        """
        common = arms.environment(self.target)
        return self.launcher.start(asked, asked, streams, self.target.folder, common, {})

    def _made(self, target: Target, request: Request) -> Outcome:
        self.plan.begin(request.name)
        begun = self._ahead.take(target, request) if self._ahead is not None else None
        if begun is not None:
            outcome = begun.wait(lambda n: self.say(self.plan.now(request.title, n)))
            self.plan.end(request.name)
            return outcome
        outcome = arms.run(
            target,
            request,
            self.workshop,
            lambda n: self.say(self.plan.now(request.title, n)),
            lambda: bool(self.interrupt),
            self.launcher,
        )
        self.plan.end(request.name, self.launcher.took)
        self.held = outcome.held if request.name == ORIGINAL else self.held
        return outcome

    def _counted(self, target: Target, request: Request, arm: Arm) -> Arm:
        """A run on CUDA with what the allocator counts in another one, where nothing is followed.

        Under a dispatch mode autograd sums gradients out of place, and some of its formulas (those of
        gather(), masks, cumprod()) make copies: `isTensorSubclassLike` in torch/csrc/autograd. The
        original always has such a twin; others have one where that of the original counted less.
        """
        first = request.name == ORIGINAL
        if "allocated_peak" not in arm.cuda or self.interrupt or not (first or self.raised):
            return arm
        schedule = target.schedule or arm.schedule
        name = BARE if first else f"{BARE}-{request.name}"
        bare = Request(
            name, f"{request.title}, with nothing followed", "bare", request.overlay,
            truth="history" if first else "",
        )  # fmt: skip
        twin = self._made(replace(target, schedule=schedule, rank=arm.rank), bare).arm
        if twin is None or "allocated_peak" not in twin.cuda or twin.device != arm.device:
            self.notes.append(f"{request.title}: the allocator's peaks are those under memlint's own hooks")
            return arm
        if (twin.failure is None) != (arm.failure is None):
            how = "does not fail" if twin.failure is None else f"fails ({twin.failure.in_short})"
            self.notes.append(f"{request.title}: where nothing follows its tensors, it {how}")
            return arm
        if first:
            self.raised = max(0, arm.cuda["allocated_peak"] - twin.cuda["allocated_peak"])
        outside = twin.cuda["allocated_peak"] - arm.peak.bytes
        return replace(arm, cuda={**arm.cuda, **twin.cuda}, blocks=twin.blocks or arm.blocks, outside=outside)

    def _without(self, request: Request, outcome: Outcome) -> Outcome:
        self.missing[request.title] = outcome.problem
        return outcome

    def overlay(self, variant: Variant) -> tuple[tuple[str, str], ...]:
        """The edited files of a variant by their absolute paths."""
        return tuple((self.absolute(path), text) for path, text in variant.overlay)

    def absolute(self, path: str) -> str:
        """The path that a report shows, as the child sees it."""
        return os.path.join(self.target.folder, path)

    def host(self, variant: Variant | None) -> Arm | None:
        """Host memory of a variant (None: the original), measured once; None when that failed."""
        if variant is None:
            request = Request(HOST, "host memory of the original", "host")
        else:
            title = f"host memory: {variant.title}"
            request = Request(f"{HOST}-{variant.name}", title, "host", self.overlay(variant))
        if request.name not in self._extra:
            self._extra[request.name] = self.arm(request).arm
        return self._extra[request.name]
