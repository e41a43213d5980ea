"""The parent's half: starts one child per arm, watches it, and always ends its whole process group."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from memlint.errors import MemlintError
from memlint.runtime import cards, host, ranks, start
from memlint.runtime.cards import Card, Device
from memlint.runtime.parent import folders
from memlint.runtime.parent.launcher import Launcher, Process
from memlint.runtime.ranks import Place
from memlint.runtime.spec import UNAVAILABLE, Spec, end_file, parts
from memlint.runtime.terminal import Terminal
from memlint.session import INTERRUPTED, LEAST_STEPS, Arm, Schedule
from memlint.source.decoding import decode
from memlint.units import plural, size

POLL = 0.05
GRACE = 60.0
LAST_WORDS = 15.0
"""Seconds that an interrupted child has to write what it measured."""

PATH_LIMIT = 40
PRINTED = 1 << 20
"""Bytes of what a script prints that are kept for a report."""

KILL: signal.Signals = getattr(signal, "SIGKILL", signal.SIGTERM)
SEED = 20_161
DEFAULT_CARD = cards.of_size(140 << 30, bare=True)
"""The simulated GPU unless a replay says otherwise."""


Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Target:
    """What to run and how.

    `arguments` is the script's sys.argv; `root` is the folder whose files count as the user's project,
    with a trailing separator. `timeout` is in seconds per arm, `memory_limit` in bytes. `card` is the GPU
    that is simulated, `device_memory` what torch's allocator can get of it in bytes (0: all but the
    context). With `capacities` it gets whatever it asks for, and the run's result says how it would have gone
    on such devices. `ranks` are started by torch's launcher (0: one process
    without it); arms then speak of `rank`, or, where that is None, of the one that their measurements
    single out. Simulated, they are those of each of `nodes` machines, and only as many run as differ (see
    `imagined_ranks`): `alike` says that one stands for all, `place` is the one that a run is to be. `steps`
    are optimizer steps, 0 lets the first run decide by the clock; its `schedule` holds for those after it,
    which make at least `least_steps`, as many as that one, where their own would repeat before.
    `turned`, `selected` and `iterations` see `Spec`.
    """

    path: str
    is_module: bool
    arguments: tuple[str, ...]
    folder: str
    root: str
    steps: int
    timeout: float
    memory_limit: int
    device: str
    contained: bool
    ranks: int = 0
    rank: int | None = None
    card: Card = DEFAULT_CARD
    device_memory: int = 0
    capacities: tuple[Device, ...] = ()
    schedule: Schedule | None = None
    least_steps: int = 0
    turned: tuple[str, ...] = ()
    selected: int = 100
    iterations: int = 100
    nodes: int = 1
    alike: bool = False
    place: Place | None = None

    @property
    def simulated(self) -> bool:
        """Whether CUDA devices are imagined."""
        return self.device == "simulate"

    @property
    def allocatable(self) -> int:
        """Bytes that torch's allocator can get of the simulated GPU."""
        return self.device_memory or self.card.usable


@dataclass(frozen=True, slots=True)
class Request:
    """One arm to run: see `Spec` for the fields that have the same name; () are the target's arguments."""

    name: str
    title: str
    probe: str = "tracker"
    overlay: tuple[tuple[str, str], ...] = ()
    watch: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    truth: str = ""
    look: bool = False
    arguments: tuple[str, ...] = ()
    offers: bool = False
    changes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of an arm: its measurements, or the reason why there are none; and what it printed.

    `died` says that the reason is the script's process, which ended by itself or had to be killed. `held` is
    the most host memory that it was seen to hold, in bytes.
    """

    arm: Arm | None
    problem: str
    stdout: str
    stderr: str
    died: bool = False
    held: int = 0


@dataclass(slots=True)
class _Seen:
    """What was seen of a child: last its steps and resident bytes, the most of these, why it did not end."""

    seconds: float = 0.0
    steps: int = 0
    bytes: int = host.UNKNOWN
    most: int = 0
    late: bool = False
    asked: bool = False

    def __str__(self) -> str:
        held = f", when it held {size(self.bytes)} of host memory" if self.bytes > 0 else ""
        return f"after {plural(self.steps, 'step')} and {self.seconds:.0f} s{held}"


def run(
    target: Target,
    request: Request,
    workshop: Path,
    progress: Progress,
    is_over: Callable[[], bool] = lambda: False,
    launcher: Launcher | None = None,
) -> Outcome:
    """Run one arm to its end. `progress` is told the number of steps now and then.

    With a `launcher`, its process is forked from that one where it can be.

    Once `is_over` says so, the child is asked to end, and to write what it has measured so far.

    KeyboardInterrupt passes through, after the child and everything it started has ended.

    Raises:
        MemlintError: what the target asks for cannot be measured on this machine.
    """
    if target.simulated and target.ranks:
        from memlint.runtime.parent import imagined_ranks

        return imagined_ranks.run(target, request, workshop, progress, is_over, launcher)
    folder = workshop / request.name
    folder.mkdir(parents=True)
    (workshop / "extensions").mkdir(exist_ok=True)
    with folders.temporary("ml-", _short()) as temporary:
        return _run(target, request, folder, temporary, progress, is_over, launcher)


def _short() -> str:
    """A folder for temporary files: loader workers put sockets there, whose paths hold 100 characters."""
    usual = tempfile.gettempdir()
    return usual if len(usual) <= PATH_LIMIT or not os.access("/tmp", os.W_OK) else "/tmp"


def _run(
    target: Target,
    request: Request,
    folder: Path,
    temporary: str,
    progress: Progress,
    is_over: Callable[[], bool],
    launcher: Launcher | None,
) -> Outcome:
    spec = _spec(target, request, folder, temporary)
    spec.write(folder / "spec.json")
    for part in filter(lambda part: part.scratch, parts(spec)):
        os.mkdir(part.scratch)
    command = [sys.executable, start.__file__, str(folder / "spec.json")]
    stdout, stderr = ranks.output_files(spec)
    with open(stdout, "wb") as out, open(stderr, "wb") as err, closing(Terminal()) as terminal:
        streams = (terminal.theirs, out.fileno(), err.fileno())
        child = None
        if launcher is not None and not target.ranks:
            own = _own_environment(target, temporary, spec.extensions)
            common = environment(target)
            child = launcher.start(command[-1], spec.result, streams, target.folder, common, own)
        if child is None:
            child = _started(target, command, streams, temporary, spec.extensions)
        try:
            seen = _wait(child, terminal, target.timeout + GRACE, spec, progress, is_over)
        finally:
            _end_groups(child, spec)
    return _outcome(target, spec, child.wait(), seen)


def _started(
    target: Target, command: list[str], streams: Sequence[int], temporary: str, extensions: str
) -> Process:
    stdin, stdout, stderr = streams
    return subprocess.Popen(
        ranks.launched(command, target.ranks) if target.ranks else command,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=target.folder,
        env={**environment(target), **_own_environment(target, temporary, extensions)},
        start_new_session=True,
    )


def _outcome(target: Target, spec: Spec, status: int, seen: _Seen) -> Outcome:
    said = _text(ranks.output_files(spec)[1])
    found = parts(spec)
    printed = [(_printed(out), _printed(err)) for out, err in map(ranks.output_files, found)]
    statuses = ranks.statuses(said) if target.ranks else {0: status}
    unable = next((n for n, code in statuses.items() if code == UNAVAILABLE), None)
    if unable is not None:
        raise MemlintError(printed[unable][1].strip().rpartition("\n")[2])
    lost = [n for n, part in enumerate(found) if not Path(part.result).exists()]
    if lost:
        if seen.asked:
            problem = INTERRUPTED
        elif seen.late:
            problem = f"the run did not end within {target.timeout:g} s and had to be killed, {seen}"
        else:
            problem = f"{ranks.cause(said, lost, status) if target.ranks else _cause(status)}, {seen}"
            if status == -KILL:
                problem += " (out of memory? see --memory-limit)"
        return Outcome(None, problem, *printed[lost[-1]], died=not seen.asked)
    done: list[Arm] = [decode(Arm, json.loads(_text(part.result))) for part in found]
    number = ranks.chosen(done, target.rank)
    failed = next((n for n, arm in enumerate(done) if arm.failure is not None), number)
    arm = ranks.joined(done, number) if target.ranks else done[0]
    return Outcome(arm, "", *printed[failed], held=seen.most)


def _spec(target: Target, request: Request, folder: Path, temporary: str) -> Spec:
    return Spec(
        name=request.name,
        title=request.title,
        target=target.path,
        is_module=target.is_module,
        arguments=request.arguments or target.arguments,
        folder=target.folder,
        root=target.root,
        probe="simulate" if target.simulated and request.probe == "tracker" else request.probe,
        # What the clock decides on one rank would not hold on the others.
        schedule=target.schedule or Schedule(steps=target.steps or (LEAST_STEPS if target.ranks else 0)),
        explores=target.schedule is None and not target.ranks,
        least_steps=target.least_steps,
        timeout=target.timeout,
        memory_limit=target.memory_limit,
        device=target.device,
        card=target.card,
        device_memory=0 if target.capacities else target.allocatable,
        capacities=target.capacities,
        seed=SEED,
        scratch=str(folder / "w") if target.contained else "",
        temporary=temporary,
        extensions=str(folder.parent / "extensions"),
        result=str(folder / "result.json"),
        progress=str(folder / "progress"),
        truth=request.truth,
        overlay=dict(request.overlay),
        watch=request.watch,
        checks=request.checks,
        ranks=target.ranks,
        peers=(),
        look=request.look,
        offers=request.offers,
        changes=request.changes,
        turned=target.turned,
        selected=target.selected,
        iterations=target.iterations,
        gpus=target.place.per_node if target.place is not None else 1,
        exchange=str(folder.parent / "exchange") if target.place is not None else "",
    )


def environment(target: Target) -> dict[str, str]:
    """What the runs of a target have in common."""
    changes: Mapping[str, str] = {
        "PYTHONHASHSEED": "0",
        "PYTHONUNBUFFERED": "1",
        "WANDB_MODE": os.environ.get("WANDB_MODE", "offline"),
    }
    if target.contained:
        # Xet downloads in native code, past the scratch tree.
        changes = {**changes, "HF_HUB_DISABLE_XET": "1"}
    if target.device in ("cpu", "simulate"):
        changes = {**changes, "CUDA_VISIBLE_DEVICES": ""}
    return {**os.environ, **changes}


def _own_environment(target: Target, temporary: str, extensions: str) -> dict[str, str]:
    """What one run has besides."""
    place = target.place.environment if target.place is not None else {}
    own = {"TMPDIR": temporary, "TORCH_EXTENSIONS_DIR": extensions} if target.contained else {}
    return {**place, **own}


def _wait(
    child: Process,
    terminal: Terminal,
    limit: float,
    spec: Spec,
    progress: Progress,
    is_over: Callable[[], bool],
) -> _Seen:
    """Wait until the child has ended, or has overrun its own watchdog, or the time for its last words."""
    began = time.monotonic()
    end = began + limit
    files = [Path(part.progress) for part in parts(spec)]
    seen = _Seen()
    while child.poll() is None:
        now = time.monotonic()
        seen.seconds = now - began
        if is_over() and not seen.asked:
            seen.asked = True
            end = min(end, now + LAST_WORDS)
            for part in parts(spec):
                Path(end_file(part)).touch()
        if now > end:
            seen.late = not seen.asked
            break
        # A process that was killed has no memory any more: the last that was seen of it counts. That of
        # torch's launcher says nothing.
        seen.bytes = 0 if spec.ranks else max(host.resident_bytes(child.pid), 0) or seen.bytes
        seen.most = max(seen.most, seen.bytes)
        if shown := [int(file.read_text(encoding="ascii") or 0) for file in files if file.exists()]:
            seen.steps = max(shown)
            progress(seen.steps)
        terminal.drain()
        time.sleep(POLL)
    return seen


def _end_groups(child: Process, spec: Spec) -> None:
    """End the child's process group, and those of the ranks where it is a launcher."""
    # A group outlives its leader where loader workers or subprocesses are left over.
    _end_group(child.pid, signal.SIGTERM)
    time.sleep(POLL)
    _end_group(child.pid, KILL)
    child.wait()
    for part in parts(spec):
        if text := _text(ranks.pid_file(part)):
            _end_group(int(text), KILL)


def _end_group(leader: int, number: signal.Signals) -> None:
    if sys.platform == "win32":
        raise OSError(errno.ENOSYS, "Windows has no process groups")
    try:
        os.killpg(leader, number)
    except ProcessLookupError:
        return


def _cause(status: int) -> str:
    if status < 0:
        return f"the script's process died of {signal.Signals(-status).name}"
    return f"the script's process ended with status {status} and left no result"


def _printed(path: str) -> str:
    """What a script has printed, or the end of it: some print without end."""
    try:
        with open(path, "rb") as file:
            skipped = max(0, file.seek(0, os.SEEK_END) - PRINTED)
            file.seek(skipped)
            text = file.read(PRINTED).decode("utf-8", errors="replace")
    except FileNotFoundError:
        return ""
    return f"[{size(skipped)} before this]\n{text}" if skipped else text


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
