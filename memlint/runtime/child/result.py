"""What a finished run says: the log, the counters and the answers of its parts, read into one arm.

Each part is asked on its own: where memlint fails at one, the report says so and has all others.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from memlint.runtime.child import torch_names
from memlint.runtime.child.attribution import analyse, growing, module_tree
from memlint.runtime.child.attribution.filled import with_limits
from memlint.runtime.child.log import Log
from memlint.runtime.child.tracking import cuda, guards
from memlint.runtime.child.tracking.truth import EXACT
from memlint.session import (
    NODES,
    Arm,
    Block,
    Capacity,
    Checks,
    Failure,
    Growth,
    Holder,
    Offer,
    Peak,
    Pile,
    Simulation,
    is_measured,
    main_series,
)

if TYPE_CHECKING:
    from memlint.runtime.child.attribution.looks import Looks
    from memlint.runtime.child.run import Run

HOLDERS_ASKED = "what holds the tensors that grow"
"""What the report says where that search has failed."""

OFFERS_ASKED = "which changes the script would allow"

CUTS_SHOWN = 6
"""Loops that were cut of which a note tells; the data name them all."""

T = TypeVar("T")


class Result:
    """Reads a run."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def remains(self, why: str, failure: Failure | None, seconds: float, error: Exception) -> Arm:
        """What is left to say where memlint failed to read the run."""
        run = self.run
        lost = f"no figures could be read from the run: {guards.in_words(error)}"
        return Arm(
            run.spec.name, run.spec.title, run.spec.probe, "cpu", why, seconds, Peak(0, "setup", 0, 0),
            failure=failure, losses=tuple(run.log.losses), lost=(*run.log.lost.values(), lost),
            cut_short="the start",
        )  # fmt: skip

    def asked(self, what: str, question: Callable[[], T]) -> T | None:
        """One part of the result; None where memlint fails at it, which the report then says."""
        try:
            return question()
        except Exception as error:
            self.run.log.lost[what] = f"{what} is missing: {guards.in_words(error)}"
            return None

    def arm(self, why: str, failure: Failure | None, seconds: float, truth: int | None) -> Arm:
        """The whole of it. `seconds` is how long the run took, `truth` is torch's own peak in bytes."""
        run = self.run
        log = self._freeze()
        device = analyse.device_of(log) if run.tracker is not None else run.allocator.fullest()
        line, host_line = self._timelines(log)
        tracked = analyse.peak_of(line, run.project.name) if line else Peak(0, "setup", 0, 0)
        lasting, on_host = (
            self.asked("what grows", partial(self._lasting, row)) or [] for row in (line, host_line)
        )
        looks, holders = run.looks, None
        if looks is not None:
            holders = self.asked(HOLDERS_ASKED, lambda: self._look(looks, log, lasting, on_host))
        label = run.tracker.label(device) if run.tracker is not None else device
        of_allocator = self.asked("what the allocator counted", lambda: self._of_allocator(device, line))
        counted, blocks, unknown = of_allocator or ({}, (), [])
        checks = self.asked("what rules ask about results", lambda: self._checks(line))
        counts = Counter(tick.series for tick in log.ticks)
        of_tensors = self._of_tensors(line, lasting) if line else {}
        growths = (*of_tensors.get("growth", ()), *(row.growth for row in on_host))
        arrays = self.asked("what grows of arrays", lambda: self._arrays(counts)) or []
        piles = tuple(looks.piles.values()) if looks is not None else ()
        gathered = tuple(looks.gathered.values()) if looks is not None else ()
        if log.valid is not None:
            truth, counted = None, {} if run.spec.probe == "simulate" else counted
        return Arm(
            name=run.spec.name,
            title=run.spec.title,
            probe=run.spec.probe,
            device=label,
            stopped=why,
            seconds=seconds,
            peak=tracked,
            steps=analyse.steps(log, line, partial(run.allocator.at, device)),
            failure=failure,
            events=len(log.events),
            losses=tuple(log.losses),
            starts=tuple(log.starts),
            sent=tuple(log.sent),
            shared=log.shared,
            reached=self._lines(run.reached.here()),
            reached_elsewhere=self._lines(run.reached.elsewhere()),
            modules=self._modules(),
            checks=checks or Checks(),
            outside=_outside(line, truth if device == "cpu" else None, counted),
            cuda=counted,
            blocks=blocks,
            machine=run.tracker.machine(device) if run.tracker is not None else "",
            written=tuple(run.project.name(path) for path in run.box.written) if run.box else (),
            refused=tuple(run.box.refused) if run.box else (),
            notes=(*self._notes(log, failure), *analyse.remarks(log, device, label), *unknown),
            simulation=self._simulation(line),
            series=main_series(counts),
            planned=run.bounds.planned(main_series(counts)),
            counts=dict(Counter(tick.series.partition(" at ")[0] for tick in log.ticks)),
            cuts=run.bounds.cuts(run.project.name),
            schedule=run.bounds.decided(),
            **of_tensors,
            host_growth=(*(row.growth for row in on_host), *(growth for growth, _ in arrays)),
            holders=(
                *_of_rows(holders or (), (*growths, *gathered), piles),
                *(holder for _, holder in arrays),
            ),
            gathered=gathered,
            piles=piles,
            lost=tuple(run.log.lost.values()),
            cut_short=f"step {len(analyse.steps_of(log)) + 1}" if log.valid is not None else "",
            optimizers=run.hooks.optimizers_made,
            processes=log.processes,
            offers=self._offers(),
        )

    def _offers(self) -> tuple[Offer, ...]:
        watch = self.run.watch
        return (self.asked(OFFERS_ASKED, watch.offers) or ()) if watch is not None else ()

    def _simulation(self, line: analyse.Timeline | None) -> Simulation | None:
        """How far the numbers go, and what other sizes of memory would have changed."""
        run = self.run
        found = run.tracker.simulation(run.project.name) if run.tracker is not None else None
        if found is None or line is None or run.tracker is None or not run.spec.capacities:
            return found
        rows, least = run.tracker.tried(run.spec.capacities)
        capacities = []
        for row in rows:
            then = analyse.exhausted_by(line, row.purpose, run.project.name) if row.asked else None
            where = replace(then, lines=()) if then is not None else None
            counted = row.capacity, row.workspace, row.reserved, row.retries, row.asked, row.allocated
            capacities.append(Capacity(*counted, where))
        repeats = run.bounds.budget.repeats
        return replace(found, capacities=tuple(capacities), least=least, repeats=repeats)

    def _freeze(self) -> Log:
        run = self.run
        run.log.trained = self.asked("what optimizers train", self._trained) or run.log.trained
        return run.log.freeze()

    def _trained(self) -> set[int]:
        with suppress(RuntimeError):  # where the script goes on in its thread, what is asked may change
            return self.run.hooks.trained()
        return set()

    def _timelines(self, log: Log) -> tuple[analyse.Timeline | None, analyse.Timeline | None]:
        """The log replayed for the device that is measured, and for the host where that is another one."""
        device = analyse.device_of(log)
        if self.run.tracker is None or not is_measured(device):
            return None, None
        return analyse.replay(log, device), analyse.replay(log, "cpu") if device != "cpu" else None

    def _lasting(self, line: analyse.Timeline | None) -> list[growing.Lasting]:
        return growing.from_step_to_step(line, self.run.project.name) if line is not None else []

    def _look(self, looks: Looks, log: Log, *lasting: Sequence[growing.Lasting]) -> tuple[Holder, ...]:
        """What holds the tensors that are left behind, on all devices; () where that cannot be said."""
        rows = [(each.growth, each.storages) for found in lasting for each in found]
        left = {(row.file, row.line, row.device): storages for row, storages in rows}
        try:
            found = looks.at_the_end(left, analyse.steps_of(log))
        except RuntimeError:  # another thread runs on, and has changed what was being read
            return ()
        project = self.run.project
        limited = self.asked(
            "what limits the holders of what grows", lambda: with_limits(found, project, looks.numbers)
        )
        return limited or found

    def _arrays(self, counts: Counter[str]) -> list[tuple[Growth, Holder]]:
        run, series = self.run, main_series(counts)
        rows = run.arrays.rows(series, counts[series], run.project) if run.arrays is not None else []
        limited = with_limits(tuple(holder for _, holder in rows), run.project)
        return [(growth, holder) for (growth, _), holder in zip(rows, limited, strict=True)]

    def _checks(self, line: analyse.Timeline | None) -> Checks:
        run = self.run
        return run.checker.answers(run.bounds.loaders.batches, line) if run.checker is not None else Checks()

    def _of_tensors(self, line: analyse.Timeline, lasting: Sequence[growing.Lasting]) -> dict[str, Any]:
        """What the tracker's log says, by the fields of an arm."""
        name = self.run.project.name
        parts: dict[str, tuple[str, Callable[[], Any]]] = {
            "kinds": ("the peak by kind", lambda: analyse.by_kind(line)),
            "phases": ("the peak by phase", lambda: analyse.by_phase(line)),
            "tops": ("the highest of each phase", lambda: analyse.tops(line)),
            "forwards": ("which forwards hold the peak", lambda: analyse.by_forward(line)),
            "lines": ("who holds the peak", lambda: analyse.by_line(line, name)),
            "growth": ("what grows", lambda: growing.growth(line, name, lasting)),
            "curve": ("the curve of live bytes", lambda: analyse.curve(line)),
            "ribbon": ("when each phase began", lambda: analyse.ribbon(line)),
            "exhausted": ("where memory ran out", lambda: analyse.exhausted(line, name)),
            "tree": ("what belongs to each module", lambda: module_tree.tree(line)),
        }
        found = {field: self.asked(what, question) for field, (what, question) in parts.items()}
        return {field: value for field, value in found.items() if value is not None}

    def _of_allocator(
        self, device: str, line: analyse.Timeline | None
    ) -> tuple[dict[str, int], tuple[Block, ...], list[str]]:
        """Counters of CUDA's allocator and the driver, what its history says, and what is not known."""
        run = self.run
        if not cuda.in_use(device):
            return {}, (), []
        counted, uncounted = run.allocator.statistics(device)
        held, unknown = run.tracker.held(device) if run.tracker is not None else ({}, "")
        if line is not None:
            counted["rounding"] = analyse.rounding(line)
        if run.history is None:
            return {**counted, **held}, (), list(filter(None, [uncounted, unknown]))
        most, blocks, unread = run.history.read(device, self._place)
        if blocks:
            counted["history_peak"] = most
        return {**counted, **held}, blocks, list(filter(None, [uncounted, unknown, unread]))

    def _place(self, path: str) -> str | None:
        run = self.run
        return run.project.name(path) if run.project.owns(path) else None

    def _lines(self, lines: list[tuple[str, int]]) -> tuple[str, ...]:
        return tuple(f"{self.run.project.name(path)}:{number}" for path, number in lines)

    def _modules(self) -> tuple[str, ...]:
        run = self.run
        paths = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
        return tuple(
            sorted(
                run.project.name(path) for path in paths if path.endswith(".py") and run.project.owns(path)
            )
        )

    def _notes(self, log: Log, failure: Failure | None) -> tuple[str, ...]:
        run = self.run
        notes = [*log.notes, *(cut.in_words for cut in run.bounds.cuts(run.project.name)[:CUTS_SHOWN])]
        if run.tracker is not None:
            notes += torch_names.missing(run.spec.probe == "simulate")
            asked = run.spec.device in ("cuda", "simulate")
            # `memlint fit` has it in its first line, and a script that failed had no time for it.
            said = bool(run.spec.capacities) or failure is not None
            if asked and not said and not analyse.device_of(log).startswith("cuda"):
                notes.append(f"--device {run.spec.device}: the script put no tensor on a CUDA device")
        if run.box is not None:
            notes += run.box.remarks(failure)
        return tuple(notes)


def _of_rows(
    holders: Iterable[Holder], growths: Iterable[Growth], piles: Iterable[Pile]
) -> tuple[Holder, ...]:
    """The holders of what grows: a look at the end of a loop also finds those of what is given back later."""
    places = {(row.file, row.line, row.device) for row in growths}
    places |= {(pile.file, pile.line, NODES) for pile in piles}
    return tuple(h for h in holders if (h.file, h.line, h.device) in places)


def _outside(line: analyse.Timeline | None, truth: int | None, counted: Mapping[str, int]) -> int | None:
    """How much more torch's own record says than the tracker; None where there is no such record."""
    if truth is not None:
        tracked = line.curve[line.top] if line and line.curve else 0
        return truth - tracked if abs(truth - tracked) > EXACT else 0
    tracked = analyse.under_a_mode(line) if line else 0
    return counted["allocated_peak"] - tracked if "allocated_peak" in counted else None
