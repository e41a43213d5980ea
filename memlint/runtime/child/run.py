"""One run of the script, measured, in a process of its own, which `start` begins.

The process leaves by os._exit once its result is on disk: every gentler way is swallowed by some script
(a bare `except:`), or runs its `finally:` and writes its checkpoint.
"""

from __future__ import annotations

import contextlib
import faulthandler
import os
import random
import select
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import torch
from torch.optim.optimizer import register_optimizer_step_pre_hook

from memlint.runtime import host, ranks, terminal
from memlint.runtime import spec as specs
from memlint.runtime.child import last_words, launch, launcher, private, probe, tracebacks
from memlint.runtime.child.attribution.arrays import Arrays
from memlint.runtime.child.attribution.looks import Looks
from memlint.runtime.child.changes import make
from memlint.runtime.child.changes.watch import Watch
from memlint.runtime.child.containment.sandbox import Sandbox
from memlint.runtime.child.limits import rewrite
from memlint.runtime.child.limits.bounds import STEPS_AT_MOST, STEPS_BY_THE_CLOCK, Bounds, marker
from memlint.runtime.child.log import Log
from memlint.runtime.child.project import Project
from memlint.runtime.child.result import Result
from memlint.runtime.child.results.checks import Checker
from memlint.runtime.child.tracking import cuda
from memlint.runtime.child.tracking.history import History
from memlint.runtime.child.tracking.hooks import Hooks
from memlint.runtime.child.tracking.sites import Sites
from memlint.runtime.child.tracking.truth import Truth
from memlint.runtime.spec import Spec
from memlint.session import (
    INTERRUPTED,
    INVENTED,
    MEMORY_LIMIT,
    SIMULATION_ENDED,
    TIME_LIMIT,
    Failure,
)
from memlint.units import size

BOUNDS = "the run is bounded by its time limit only"
HOLDERS = "what holds the tensors that grow is not looked for any more"
BATCHES = "batches are not distinguished from other tensors any more"
ARRAYS = "arrays of NumPy that pile up are not looked for any more"
LIMITS = "the limits of time and memory are not watched any more"
PROCESSES = "processes that the script starts are not counted any more"
LOADERS = "passes over loaders are not bounded any more"
WATCHERS = "what rules ask about results is not watched"
RECORDS = "what torch's own allocator and profiler record is missing"
REWRITING = "loops of some files are not bounded, and their asserts end a simulation"
LINES = "which lines ran is not known any more"
OFFERS = "which changes the script would allow is not known"
"""What the report says where a part of memlint has failed."""

POLL = 0.2
EVENTS_AT_MOST = 5_000_000
"""Allocations and releases of tensors that a run records: about 1.4 GB of them, read in some ten seconds."""

_exit, _lstat, _sleep = os._exit, os.lstat, time.sleep
_lseek, _write = os.lseek, os.write


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
            at_least=spec.least_steps,
            leaves=spec.probe == "clock",
            # `memlint fit` has conditions met that count steps.
            waits=not spec.capacities,
        )
        self.looks: Looks | None = None
        if spec.look and self.tracker is not None:
            owns, name = self.project.owns, self.project.name
            self.looks = Looks(self.log, self.tracker, self.hooks.trained, owns, name)
        self.arrays = Arrays(self.project.owns) if self.tracker is not None else None
        self.watch = Watch(self._own_name) if spec.offers else None
        self.checker = Checker(self.hooks, spec.checks) if spec.checks else None
        self.reached = launch.watch(spec, os.getpid())
        self.truth = Truth() if spec.truth == "profiler" else None
        self.history = History() if spec.truth == "history" else None
        bare = cuda.devices if spec.probe == "bare" else tuple
        self.allocator = cuda.Allocator(self.tracker.cuda_devices if self.tracker is not None else bare)
        self.box: Sandbox | None = None
        self.result = Result(self)
        self.began = time.perf_counter()
        self._progress = last_words.opened(spec.progress)
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
        last_words.keep_limits()
        last_words.keep_room(self.spec.result)
        seed(self.spec.seed)
        transformer, names = self.bounds.rewriting()
        more, others = self.tracker.rewriting() if self.tracker is not None else ((), {})
        failed = partial(self.hooks.guards.lose, REWRITING)
        rewrite.Rewriter(self.project.owns, (transformer, *more), {**names, **others}, failed).install()
        launch.overlay(self.spec.overlay)
        self.spec.write(Path(f"{self.spec.result}.spec"))
        launch.pass_on(f"{self.spec.result}.spec")
        around = self.hooks.guards.around
        self.hooks.on_tick = self._on_tick
        self.hooks.is_loading = lambda: bool(self.bounds.loaders.loading)
        self._bound = around(self.bounds.tick, BOUNDS)
        if self.arrays is not None:
            self._look_at_arrays = around(self.arrays.tick, ARRAYS)
        if self.tracker is not None:
            self._stepped = around(self.tracker.stepped, BOUNDS)
        self._sample = around(self.allocator.sample, "the allocator's counters after each step are missing")
        self.hooks.install()
        if self.checker is not None:
            around(self.checker.install, WATCHERS)()
        self.hooks.any_backward = around(self.bounds.backward, BOUNDS)
        self.bounds.evaluations = lambda: self.hooks.evaluations
        if (self.spec.exchange or self.spec.capacities) and self.tracker is not None:
            # Of many ranks, each may take minutes, and `memlint fit` makes many runs.
            self.bounds.repeats = around(self.tracker.repeats, BOUNDS)
        if self.tracker is not None:
            self.bounds.state = around(self.tracker.state, BOUNDS)
        self.bounds.may_train = lambda: self.hooks.optimizers_made > 0
        self.bounds.loaders.on_wait = self._on_wait
        self.bounds.loaders.on_start = self.log.starts.append
        host.weigh_processes(self.log.sent.append)
        host.count_processes(around(self.log.process_began, PROCESSES))
        self.bounds.loaders.guard(partial(around, lost=LOADERS))
        self.bounds.install()
        self._change()
        if self.tracker is not None:
            on_batch = marker(self.tracker.mark, self.tracker.adopt)
            self.bounds.loaders.on_batch = around(on_batch, BATCHES)
        if hasattr(os, "register_at_fork"):
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
            self.box.guard((*own, self.spec.exchange) if self.spec.exchange else own)
        if self.truth is not None:
            around(self.truth.start, RECORDS)()
            if self.tracker is not None:
                self.tracker.addresses = True
        if self.history is not None:
            around(self.history.start, RECORDS)()
        around(self.allocator.install, RECORDS)()
        if self.spec.probe == "clock":
            self.hooks.before_tick = cuda.settle
        if self.looks is not None:
            self.bounds.loops.ended = around(self.looks.loop_ended, HOLDERS)
        self.reached.guard(partial(around, lost=LINES))
        self.reached.install()
        if self.tracker is not None:
            self.tracker.__enter__()

    def _change(self) -> None:
        """Make the changes that were asked for, or look which could be made."""
        around = self.hooks.guards.around
        if self.watch is not None:
            around(self.watch.install, OFFERS)(partial(around, lost=OFFERS))
            stepped = around(self.watch.stepped, OFFERS)
            register_optimizer_step_pre_hook(lambda optimizer, args, kwargs: stepped(optimizer))
            self.hooks.before_training = around(self.watch.enter, OFFERS)
        elif self.spec.changes:
            self.hooks.before_training = make.install(self.spec.changes)

    def _own_name(self, path: str) -> str:
        return self.project.name(path) if self.project.owns(path) else ""

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
        self._count()
        self._sample(self.log.ticks[-1].event)
        if self.looks is not None:
            self.looks.tick()
        if self.arrays is not None:
            self._look_at_arrays(series, count)
        if self.tracker is not None:
            self._stepped()
        self._bound(series, count)

    def _count(self) -> None:
        steps = f"{self.hooks.steps():<12}".encode()
        try:
            _lseek(self._progress, 0, os.SEEK_SET)
            _write(self._progress, steps)
        except OSError:
            # The script closes descriptors that are not its own, as a daemon does.
            self._progress = last_words.opened(self.spec.progress)
            _write(self._progress, steps)

    def _watchdog(self) -> None:
        patrol = self.hooks.guards.around(self._patrol, LIMITS)
        while True:
            if self._is_gone():
                _exit(70)
            patrol()

    def _is_gone(self) -> bool:
        """Whether memlint has gone; answers after a moment."""
        if sys.platform == "win32":
            _sleep(POLL)
            return False
        line = select.poll()
        line.register(self.lifeline, 0)
        told = [event for _, event in line.poll(1000 * POLL)]
        if select.POLLNVAL in told:
            # A system that cannot poll terminals answers so at once.
            _sleep(POLL)
        return any(event & (select.POLLHUP | select.POLLERR) for event in told)

    def _patrol(self) -> None:
        if self._is_asked_to_end():
            self.finish(INTERRUPTED)
        activity = len(self.log.ticks) + len(self.log.events)
        if self.company is not None and (why := self.company.over(activity)):
            self.finish(why)
        if time.perf_counter() - self.began > self.spec.timeout:
            self.finish(f"{TIME_LIMIT} of {self.spec.timeout:g} s")
        if len(self.log.events) > EVENTS_AT_MOST:
            self.finish(f"{EVENTS_AT_MOST:,} allocations and releases of tensors")
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
        self.finish(SIMULATION_ENDED, Failure("Unsimulated", reason, self.project.name(path), line, False))

    def finish(self, why: str, failure: Failure | None = None) -> NoReturn:
        """Write the result and leave."""
        if os.getpid() != self._main:
            _exit(0)
        if not self._over.acquire(blocking=False):
            _sleep(3600)
        seconds = time.perf_counter() - self.began
        last_words.make_way()
        sys.settrace(None)
        mine = threading.current_thread() is threading.main_thread()
        if not mine:
            # The script goes on meanwhile: it is to have little of the interpreter's time.
            sys.setswitchinterval(1.0)
        elif self.tracker is not None:
            self.tracker.__exit__(None, None, None)
        truth = None
        if (recorded := self.truth) is not None and mine:
            counts = partial(recorded.peak, self.log.replaced)
            truth = self.result.asked("what torch's own allocator counted", counts)
        try:
            arm = self.result.arm(why, failure, seconds, truth)
        except Exception as error:
            arm = self.result.remains(why, failure, seconds, error)
        last_words.write(arm, self.spec.result)
        with contextlib.suppress(Exception):
            launcher.note_imports(self.spec.result)
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
        if self.company is not None:
            self.company.wait()
        _exit(0)


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
    lifeline = last_words.out_of_reach(terminal.take(leads=company is None))
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
