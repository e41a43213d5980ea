"""One run of the script, measured, in a process of its own, which `start` begins.

The process leaves by os._exit once its result is on disk: every gentler way is swallowed by some script
(a bare `except:`), or runs its `finally:` and writes its checkpoint.
"""

from __future__ import annotations

import faulthandler
import json
import os
import random
import select
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import torch

from memlint.runtime import (
    analyse,
    cuda,
    growing,
    guards,
    host,
    launch,
    module_tree,
    private,
    probe,
    ranks,
    retainers,
    rewrite,
    terminal,
    tracebacks,
)
from memlint.runtime import spec as specs
from memlint.runtime.bounds import STEPS_AT_MOST, STEPS_BY_THE_CLOCK, Bounds, marker
from memlint.runtime.checks import Checker
from memlint.runtime.history import History
from memlint.runtime.hooks import Hooks
from memlint.runtime.kept import Keeper
from memlint.runtime.log import Log
from memlint.runtime.project import Project
from memlint.runtime.sandbox import Sandbox
from memlint.runtime.spec import Spec
from memlint.runtime.tracker import Sites
from memlint.runtime.truth import EXACT, Truth
from memlint.session import (
    INTERRUPTED,
    INVENTED,
    MEMORY_LIMIT,
    SIMULATION_ENDED,
    TIME_LIMIT,
    Arm,
    Block,
    Checks,
    Failure,
    Holder,
    Peak,
    is_measured,
    main_series,
)
from memlint.units import size

BOUNDS = "the run is bounded by its time limit only"
HOLDERS = "what holds the tensors that grow is not looked for any more"
BATCHES = "batches are not told from other tensors any more"
LIMITS = "the limits of time and memory are not watched any more"
LOADERS = "passes over loaders are not bounded any more"
WATCHERS = "what rules ask about results is not watched"
RECORDS = "what torch's own allocator and profiler record is missing"
LINES = "which lines ran is not known any more"
HOLDERS_ASKED = "what holds the tensors that grow"
"""What the report says where a part of memlint has failed."""

POLL = 0.2
CUTS_SHOWN = 6
"""Loops that were cut of which a note tells; the data name them all."""

EVENTS_AT_MOST = 5_000_000
"""Births and releases of tensors that a run records: about 1.4 GB of them, read in some ten seconds."""

T = TypeVar("T")

_open, _replace, _exit, _pwrite, _lstat = open, os.replace, os._exit, os.pwrite, os.lstat


class Run:
    """One measured run. `finish` may be called from any thread, once; it does not return.

    `lifeline` is a descriptor that hangs up when memlint has gone; `company` are the other ranks, if any.
    """

    def __init__(self, spec: Spec, lifeline: int, company: ranks.Company | None) -> None:
        self.spec = spec
        self.lifeline = lifeline
        self.company = company
        self.project = Project(spec.root, spec.folder)
        self.log = Log()
        self.sites = Sites(self.log, self.project.owns)
        self.tracker = probe.make(spec, self.log, self.sites, self._give_up)
        sampler = host.Sampler() if spec.probe == "host" else None
        self.hooks = Hooks(self.log, self.sites, self.tracker, sampler, self.project.name)
        most = STEPS_BY_THE_CLOCK if spec.probe == "clock" else STEPS_AT_MOST
        self.bounds = Bounds(
            spec.schedule,
            self.project.owns,
            self.sites,
            self.log,
            self.finish,
            explores=spec.explores,
            timeout=spec.timeout,
            at_most=most,
            leaves=spec.probe == "clock",
        )
        self.keeper: Keeper | None = None
        if spec.holders and self.tracker is not None:
            self.keeper = Keeper(self.log, self.project.owns, self.tracker.alive)
        self.holders: tuple[Holder, ...] | None = None
        self.checker = Checker(self.hooks, spec.checks) if spec.checks else None
        self.reached = launch.watch(spec, os.getpid())
        self.truth = Truth() if spec.truth == "profiler" else None
        self.history = History() if spec.truth == "history" else None
        self.allocator = cuda.Allocator(self.tracker.cuda_devices if self.tracker is not None else tuple)
        self.box: Sandbox | None = None
        self.began = time.perf_counter()
        self._progress = os.open(spec.progress, os.O_WRONLY | os.O_CREAT, 0o600)
        self._over = threading.Lock()
        self._main = os.getpid()

    # --- setting up --------------------------------------------------------------------------------

    def arm(self) -> None:
        """Seed, contain, bound and watch; from here on every operation counts.

        SystemExit with UNAVAILABLE, after a line on stderr, where the probe cannot start.
        """
        reason = self.tracker.install() if self.tracker is not None else ""
        if reason:
            unavailable(f"--device {self.spec.device}: {reason}")
        seed(self.spec.seed)
        transformer, names = self.bounds.rewriting()
        more, others = self.tracker.rewriting() if self.tracker is not None else ((), {})
        rewrite.Rewriter(self.project.owns, (transformer, *more), {**names, **others}).install()
        launch.overlay(self.spec.overlay)
        self.spec.write(Path(f"{self.spec.result}.spec"))
        launch.pass_on(f"{self.spec.result}.spec")
        around = self.hooks.guards.around
        self.hooks.on_tick = self._on_tick
        self.hooks.is_loading = lambda: bool(self.bounds.loaders.loading)
        self._bound = around(self.bounds.tick, BOUNDS)
        self._sample = around(self.allocator.sample, "the allocator's counters after each step are missing")
        self.hooks.install()
        if self.checker is not None:
            around(self.checker.install, WATCHERS)()
        self.hooks.any_backward = around(self.bounds.backward, BOUNDS)
        self.bounds.evaluations = lambda: self.hooks.evaluations
        self.bounds.may_train = lambda: self.hooks.optimizers_made > 0
        self.bounds.loaders.on_wait = self._on_wait
        self.bounds.loaders.on_start = self.log.starts.append
        host.weigh_processes(self.log.sent.append)
        self.bounds.loaders.guard(partial(around, lost=LOADERS))
        self.bounds.install()
        if self.tracker is not None:
            on_batch = marker(self.tracker.mark, self.tracker.adopt)
            self.bounds.loaders.on_batch = around(on_batch, BATCHES)
        os.register_at_fork(after_in_child=self._disarm)
        setattr(os, "_exit", self._leave)  # noqa: B010 - mypy knows that it does not return
        for name in ("execv", "execve"):
            setattr(os, name, partial(self._replaced, getattr(os, name)))
        threading.Thread(target=self._watchdog, daemon=True).start()
        if self.spec.scratch:
            sys.dont_write_bytecode = True
            cuda.make_device_files()
            self.box = launch.contain(self.spec)
            own = (os.path.dirname(self.spec.result), self.spec.temporary, self.spec.extensions)
            self.box.guard(own)
        if self.truth is not None:
            around(self.truth.start, RECORDS)()
        if self.history is not None:
            around(self.history.start, RECORDS)()
        around(self.allocator.install, RECORDS)()
        if self.spec.probe == "clock":
            self.hooks.before_tick = cuda.settle
        if self.keeper is not None:
            self.keeper.install()
            self.bounds.loaders.on_pass = around(self.keeper.new_pass, HOLDERS)
            self._watch_holders = around(self.keeper.tick, HOLDERS)
        self.reached.guard(partial(around, lost=LINES))
        self.reached.install()
        if self.tracker is not None:
            self.tracker.__enter__()

    def _disarm(self) -> None:
        # A forked loader worker is not the script: it keeps the sandbox, says which lines it reaches,
        # and loses everything else.
        self.hooks.on_tick = lambda series, count: None
        self.hooks.any_backward = lambda: None
        self.bounds.loops.active = False
        if self.tracker is not None:
            self.tracker.__exit__(None, None, None)
            self.tracker = self.hooks.tracker = None

    def _on_wait(self, seconds: float) -> None:
        self.log.waited += seconds

    def _on_tick(self, series: str, count: int) -> None:
        _pwrite(self._progress, f"{self.hooks.steps():<12}".encode(), 0)
        self._sample(self.log.ticks[-1].event)
        if self.keeper is not None:
            self._watch_holders(series)
        if 0 < self.spec.look <= self.hooks.steps() and self.holders is None:
            self.holders = self._asked(HOLDERS_ASKED, self._look_now) or ()
        self._bound(series, count)

    def _watchdog(self) -> None:
        gone = select.poll()
        gone.register(self.lifeline, 0)
        patrol = self.hooks.guards.around(self._patrol, LIMITS)
        while True:
            if gone.poll(1000 * POLL):
                _exit(70)
            patrol()

    def _patrol(self) -> None:
        if self._is_asked_to_end():
            self.finish(INTERRUPTED)
        activity = len(self.log.ticks) + len(self.log.events)
        if self.company is not None and (why := self.company.over(activity)):
            self.finish(why)
        if time.perf_counter() - self.began > self.spec.timeout:
            self.finish(f"{TIME_LIMIT} of {self.spec.timeout:g} s")
        if len(self.log.events) > EVENTS_AT_MOST:
            self.finish(f"{EVENTS_AT_MOST:,} births and releases of tensors")
        if self.spec.memory_limit and host.resident_bytes() > self.spec.memory_limit:
            self.finish(f"{MEMORY_LIMIT} of {size(self.spec.memory_limit)}")

    def _is_asked_to_end(self) -> bool:
        try:
            _lstat(specs.end_file(self.spec))
        except FileNotFoundError:
            return False
        return True

    # --- the end -----------------------------------------------------------------------------------

    def _leave(self, status: int) -> NoReturn:
        """What os._exit does in the script: a forked process goes, the script itself has ended."""
        if os.getpid() != self._main:
            _exit(status)
        if not status:
            self.finish("the script ended")
        path, _, line = self.hooks.caller(sys._getframe(1)).rpartition(":")
        failure = Failure("SystemExit", f"os._exit({status})", path, int(line), False)
        self.finish("the script failed", failure)

    def _replaced(self, real: Callable[..., NoReturn], path: Any, *args: Any) -> NoReturn:
        """What os.exec* does in the script: nothing could be measured in the program that follows."""
        if os.getpid() != self._main:
            real(path, *args)
        reason = f"the script replaces its process by {os.fsdecode(path)}: replay what that runs instead"
        where, _, line = self.hooks.caller(sys._getframe(1)).rpartition(":")
        self.finish("the script failed", Failure("Replaced", reason, where, int(line), False))

    def _give_up(self, reason: str, path: str, line: int) -> NoReturn:
        self.finish(
            SIMULATION_ENDED, Failure("Unsimulated", reason, self.project.name(path), line, False)
        )

    def finish(self, why: str, failure: Failure | None = None) -> NoReturn:
        """Write the result and leave."""
        if os.getpid() != self._main:
            _exit(0)
        if not self._over.acquire(blocking=False):
            time.sleep(3600)
        seconds = time.perf_counter() - self.began
        sys.settrace(None)
        mine = threading.current_thread() is threading.main_thread()
        if not mine:
            # The script goes on meanwhile: it is to have little of the interpreter's time.
            sys.setswitchinterval(1.0)
        elif self.tracker is not None:
            self.tracker.__exit__(None, None, None)
        counts = self.truth.peak if self.truth is not None and mine else lambda: None
        truth = self._asked("what torch's own allocator counted", counts)
        try:
            arm = self._result(why, failure, seconds, truth)
        except Exception as error:
            arm = self._remains(why, failure, seconds, error)
        unfinished = self.spec.result + ".part"
        with _open(unfinished, "w", encoding="utf-8") as file:
            json.dump(asdict(arm), file)
        _replace(unfinished, self.spec.result)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        if self.company is not None:
            self.company.wait()
        _exit(0)

    def _remains(self, why: str, failure: Failure | None, seconds: float, error: Exception) -> Arm:
        """What is left to say where memlint failed to read the run."""
        lost = f"no figures could be read off the run: {guards.in_words(error)}"
        return Arm(
            self.spec.name, self.spec.title, self.spec.probe, "cpu", why, seconds, Peak(0, "setup", 0, 0),
            failure=failure, losses=tuple(self.log.losses), lost=(*self.log.lost.values(), lost),
            cut_short="the start",
        )  # fmt: skip

    def _asked(self, what: str, question: Callable[[], T]) -> T | None:
        """One part of the result; None where memlint fails at it, which the report then says."""
        try:
            return question()
        except Exception as error:
            self.log.lost[what] = f"{what} is missing: {guards.in_words(error)}"
            return None

    def _result(self, why: str, failure: Failure | None, seconds: float, truth: int | None) -> Arm:
        log = self._freeze()
        device = analyse.device_of(log) if self.tracker is not None else "cpu"
        line, host_line = self._timelines(log)
        tracked = analyse.peak_of(line, self.project.name) if line else Peak(0, "setup", 0, 0)
        lasting, on_host = (
            self._asked("what grows", partial(self._lasting, row)) or [] for row in (line, host_line)
        )
        if self.spec.look == 0:
            self.holders = self._asked(HOLDERS_ASKED, lambda: self._look(lasting, on_host))
        label = self.tracker.label(device) if self.tracker is not None else device
        of_allocator = self._asked("what the allocator counted", lambda: self._of_allocator(device, line))
        counted, blocks, unknown = of_allocator or ({}, (), [])
        checks = self._asked("what rules ask about results", self._checks)
        keeper = self.keeper
        kept = self._asked("what holds what grows", lambda: keeper.rows(device) if keeper is not None else ())
        of_tensors = self._of_tensors(line, lasting) if line else {}
        if log.valid is not None:
            truth, counted = None, {} if self.spec.probe == "simulate" else counted
        return Arm(
            name=self.spec.name,
            title=self.spec.title,
            probe=self.spec.probe,
            device=label,
            stopped=why,
            seconds=seconds,
            peak=tracked,
            steps=analyse.steps(log, line, partial(self.allocator.at, device)),
            failure=failure,
            kept=kept or (),
            events=len(log.events),
            losses=tuple(log.losses),
            starts=tuple(log.starts),
            sent=tuple(log.sent),
            reached=self._lines(self.reached.here()),
            reached_elsewhere=self._lines(self.reached.elsewhere()),
            modules=self._modules(),
            checks=checks or Checks(),
            outside=_outside(line, truth if device == "cpu" else None, counted),
            cuda=counted,
            blocks=blocks,
            machine=self.tracker.machine(device) if self.tracker is not None else "",
            written=tuple(self.project.name(path) for path in self.box.written) if self.box else (),
            refused=tuple(self.box.refused) if self.box else (),
            notes=(*self._notes(log, failure), *analyse.remarks(log, device, label), *unknown),
            simulation=self.tracker.simulation(self.project.name) if self.tracker is not None else None,
            series=main_series(Counter(tick.series for tick in log.ticks)),
            counts=dict(Counter(tick.series.partition(" at ")[0] for tick in log.ticks)),
            cuts=self.bounds.cuts(self.project.name),
            schedule=self.bounds.decided(),
            **of_tensors,
            host_growth=tuple(row.growth for row in on_host),
            holders=self.holders or (),
            lost=tuple(self.log.lost.values()),
            cut_short=f"step {len(analyse.steps_of(log)) + 1}" if log.valid is not None else "",
        )

    def _freeze(self) -> Log:
        self.log.trained = self._asked("what optimizers train", self._trained) or self.log.trained
        return self.log.freeze()

    def _trained(self) -> set[int]:
        with suppress(RuntimeError):  # where the script goes on in its thread, what is asked may change
            return self.hooks.trained()
        return set()

    def _timelines(self, log: Log) -> tuple[analyse.Timeline | None, analyse.Timeline | None]:
        """The log replayed for the device that is measured, and for the host where that is another one."""
        device = analyse.device_of(log)
        if self.tracker is None or not is_measured(device):
            return None, None
        return analyse.replay(log, device), analyse.replay(log, "cpu") if device != "cpu" else None

    def _lasting(self, line: analyse.Timeline | None) -> list[growing.Lasting]:
        return growing.from_step_to_step(line, self.project.name) if line is not None else []

    def _look_now(self) -> tuple[Holder, ...]:
        return self._look(*map(self._lasting, self._timelines(self._freeze())))

    def _look(self, *lasting: Sequence[growing.Lasting]) -> tuple[Holder, ...]:
        """What holds the tensors that are left behind, on all devices; () where that cannot be said."""
        rows = [row for rows in lasting for row in rows]
        if not rows or self.tracker is None:
            return ()
        try:
            return retainers.holders_of(
                rows, lambda index: self.log.raw[index][0], self.tracker.alive(), self.project.owns
            )
        except RuntimeError:  # another thread runs on, and has changed what was being read
            return ()

    def _checks(self) -> Checks:
        return self.checker.answers(self.bounds.loaders.batches) if self.checker is not None else Checks()

    def _of_tensors(self, line: analyse.Timeline, lasting: Sequence[growing.Lasting]) -> dict[str, Any]:
        """What the tracker's log says, by the fields of an arm."""
        name = self.project.name
        parts: dict[str, tuple[str, Callable[[], Any]]] = {
            "kinds": ("the peak by kind", lambda: analyse.by_kind(line)),
            "phases": ("the peak by phase", lambda: analyse.by_phase(line)),
            "tops": ("the highest of each phase", lambda: analyse.tops(line)),
            "lines": ("who holds the peak", lambda: analyse.by_line(line, name)),
            "growth": ("what grows", lambda: growing.growth(line, name, lasting)),
            "curve": ("the curve of live bytes", lambda: analyse.curve(line)),
            "ribbon": ("when each phase began", lambda: analyse.ribbon(line)),
            "exhausted": ("where memory ran out", lambda: analyse.exhausted(line, name)),
            "tree": ("what belongs to each module", lambda: module_tree.tree(line)),
        }
        found = {field: self._asked(what, question) for field, (what, question) in parts.items()}
        return {field: value for field, value in found.items() if value is not None}

    def _of_allocator(
        self, device: str, line: analyse.Timeline | None
    ) -> tuple[dict[str, int], tuple[Block, ...], list[str]]:
        """Counters of CUDA's allocator and the driver, what its history says, and what is not known."""
        if not cuda.in_use(device):
            return {}, (), []
        counted, uncounted = self.allocator.statistics(device)
        held, unknown = self.tracker.held(device) if self.tracker is not None else ({}, "")
        if line is not None:
            counted["rounding"] = analyse.rounding(line)
        if self.history is None:
            return {**counted, **held}, (), list(filter(None, [uncounted, unknown]))
        most, blocks, unread = self.history.read(device, self._place)
        if blocks:
            counted["history_peak"] = most
        return {**counted, **held}, blocks, list(filter(None, [uncounted, unknown, unread]))

    def _place(self, path: str) -> str | None:
        return self.project.name(path) if self.project.owns(path) else None

    def _lines(self, lines: list[tuple[str, int]]) -> tuple[str, ...]:
        return tuple(f"{self.project.name(path)}:{number}" for path, number in lines)

    def _modules(self) -> tuple[str, ...]:
        paths = {getattr(module, "__file__", None) or "" for module in list(sys.modules.values())}
        return tuple(
            sorted(
                self.project.name(path) for path in paths if path.endswith(".py") and self.project.owns(path)
            )
        )

    def _notes(self, log: Log, failure: Failure | None) -> tuple[str, ...]:
        notes = [*log.notes, *(cut.in_words for cut in self.bounds.cuts(self.project.name)[:CUTS_SHOWN])]
        if self.tracker is not None:
            notes += private.missing(self.spec.probe == "simulate")
            asked = self.spec.device in ("cuda", "simulate")
            if asked and not analyse.device_of(log).startswith("cuda"):
                notes.append(f"--device {self.spec.device}: the script put no tensor on a CUDA device")
        if self.box is not None:
            notes += self.box.remarks(failure)
        return tuple(notes)


def _outside(line: analyse.Timeline | None, truth: int | None, counted: Mapping[str, int]) -> int | None:
    """How much more torch's own record says than the tracker; None where there is no such record."""
    tracked = analyse.under_a_mode(line) if line else 0
    if truth is not None:
        return truth - tracked if abs(truth - tracked) > EXACT else 0
    return counted["allocated_peak"] - tracked if "allocated_peak" in counted else None


def seed(value: int) -> None:
    """The same random numbers in every arm, until the script seeds for itself."""
    random.seed(value)
    torch.manual_seed(value)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(value)


def describe(error: BaseException, run: Run) -> Failure:
    """The exception, at the innermost line of the project."""
    place = ("", 0)
    for frame, line in traceback.walk_tb(error.__traceback__):
        if run.project.owns(frame.f_code.co_filename):
            place = (run.project.name(frame.f_code.co_filename), line)
    if isinstance(error, SyntaxError) and error.filename:
        place = (run.project.name(error.filename), error.lineno or 0)
    memory = private.is_out_of_memory(error)
    message = error.msg if isinstance(error, SyntaxError) else private.text_of(error)
    return Failure(type(error).__name__, message[:2000], *place, memory)


def unavailable(reason: str) -> NoReturn:
    """End a child that cannot measure what it was asked to."""
    print(reason, file=sys.stderr)
    sys.exit(specs.UNAVAILABLE)


def prepare(path: str) -> Run:
    """Read the spec, and arm a run."""
    faulthandler.enable(all_threads=False)
    spec, company = _take_rank(specs.read(Path(path)))
    lifeline = terminal.take(leads=company is None)
    Path(ranks.pid_file(spec)).write_text(str(os.getpid()), encoding="ascii")
    if spec.device == "cuda" and not torch.cuda.is_available():
        instead = "use --device simulate to predict, or --device cpu"
        unavailable(f"--device cuda: torch {torch.__version__} finds no CUDA device ({instead})")
    run = Run(spec, lifeline, company)
    run.arm()
    return run


def _take_rank(spec: Spec) -> tuple[Spec, ranks.Company | None]:
    """What this process is asked; as one of several ranks, with its stdout and stderr for itself."""
    if not spec.ranks:
        return spec, None
    number = int(os.environ["RANK"])
    mine = specs.of_rank(spec, number)
    for descriptor, name in enumerate(ranks.output_files(mine), 1):
        os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), descriptor)
    return mine, ranks.Company(spec, number)


def conclude(run: Run, error: BaseException | None) -> NoReturn:
    """The script came to its end, by an exception or without one."""
    if error is None or (isinstance(error, SystemExit) and error.code in (None, 0)):
        run.finish("the script ended")
    if run.tracker is not None and error is not None and run.tracker.limit(error):
        run.finish(SIMULATION_ENDED, describe(error, run))
    doubt = run.tracker.doubt(error) if run.tracker is not None and error is not None else ""
    if not isinstance(error, SystemExit):
        tracebacks.show(error)
    elif not isinstance(error.code, int):
        print(error.code, file=sys.stderr)
    failure = describe(error, run)
    if doubt:
        run.finish(SIMULATION_ENDED, replace(failure, type=INVENTED, message=doubt))
    run.finish("the script ran out of memory" if failure.out_of_memory else "the script failed", failure)
