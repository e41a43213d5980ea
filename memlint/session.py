"""What a replay measured: plain frozen data, with no torch in it. `session_file` writes and reads it as JSON.

Bytes are integers, times are seconds, lines start at 1. File names are relative to the folder in which
the replay was started where they lie below it, absolute otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

KINDS = ("parameter", "gradient", "optimizer state", "activation", "input", "temporary", "other")
"""Roles of a tensor; `activation` is what forward made and backward (or a graph) still needs."""

PHASES = ("setup", "forward", "backward", "optimizer", "evaluation", "other")
"""What the script was doing; `other` is everything between the named phases of a step."""

SIMULATED = "simulated cuda:0"
"""The device of a simulated run, as arms and verdicts name it."""

MEASURED = ("cpu", "cuda", "simulated cuda")
"""Kinds of devices whose memory a replay measures, or predicts."""

ENDED, FAILED = "the script ended", "the script failed"
"""Reasons for which most runs end."""

LEAST_STEPS = 25
"""Optimizer steps that a replay looks at unless it is told how many: enough to tell 512 B per step
from warm-up."""

WINDOW = 200
"""Backwards without any step after which a script's optimizers are taken to be no part of its training."""

ENOUGH = 7
"""Iterations from which on a growth can be seen."""

STEP, BACKWARD, FORWARD = UNITS = ("optimizer step", "backward", "forward")
"""How the series of steps begin, the first that a script has counts: optimizer steps, the backwards of one
whose optimizers never step, root forwards. The line follows ("optimizer step at train.py:9")."""

TIME_LIMIT = "time limit"
MEMORY_LIMIT = "memory limit"
"""How the reasons begin for which a run was ended from outside of the script; how much it was follows."""

SIMULATION_ENDED = "the simulation ended"
"""Why a run ended that could not be simulated further."""

INVENTED = "Invented"
"""The type of a failure that may have come of invented values; which they are is its message."""

INTERRUPTED = "interrupted"
"""Why a run ended that was asked to end early, by Ctrl-C or a signal to memlint."""

NODES = "autograd graph"
"""The `device` of what holds autograd nodes."""

STATUSES = ("confirmed", "refuted", "host_only", "not_reached", "inconclusive", "not_measurable")


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes alive at the peak that one source line made.

    `forward_file` and `forward_line` name the forward line whose backward made them; "" and 0 outside
    backward. A `line` of 0 means that no line of the project was on the stack.
    Where the line only calls a library, `module` is the innermost module whose forward made the bytes, or
    which owns the parameter that they belong to ("transformer.h.7.attn", below the module that the script
    calls), and `library` the library's own innermost line ("timm/models/resnet.py:241"); of what backward
    makes, both are those of the forward. "" elsewhere.
    """

    file: str
    line: int
    forward_file: str
    forward_line: int
    kind: str
    phase: str
    bytes: int
    tensors: int
    module: str = ""
    library: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """What belongs to one module at the peak, in bytes, without what belongs to the modules below it.

    `path` is as in `Held`, `kind` the name of the class, and `depth` how many modules there are above. The
    row with an empty `kind`, the last one, is what belongs to no module: so each column adds up to all bytes
    of its kind. `buffers` are among the kind "other".
    """

    path: str
    kind: str
    depth: int = 0
    parameters: int = 0
    buffers: int = 0
    gradients: int = 0
    optimizer_state: int = 0
    activations: int = 0


@dataclass(frozen=True, slots=True)
class Growth:
    """A line that leaves bytes behind, in every iteration or in some.

    `series` names what counts as an iteration. Of the last `of` iterations looked at, `steps` left
    something, `bytes` together; `bytes_per_step` is the mean over all `of` (bytes // of), and
    `block_bytes_per_step` the same with every storage rounded up to the CUDA allocator's 512 bytes.
    `since` is the first of these iterations, counted from 1.

    `within` says that the bytes were gathered within one pass (an evaluation, an epoch, an episode): they
    do not stay from step to step, and the live bytes rise during the pass only. The numbers are medians
    over the iterations of that pass then. `device` is where the bytes are. `replaced` says that one tensor
    is alive at a time, each larger than the one before: what torch.cat() makes longer, or a batch.
    """

    file: str
    line: int
    series: str
    bytes_per_step: int
    block_bytes_per_step: int
    steps: int
    of: int
    bytes: int = 0
    since: int = 0
    within: bool = False
    device: str = ""
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class Holder:
    """What holds, at the end of a run or of a loop, tensors that one line has left behind.

    `file`, `line` and `device` are those of a `Growth`. `name` is the way to the object ("net.seen",
    "metrics['loss']"), `scope` whose variable it begins with where that is no module's ("local of main()"),
    and `what` the object: "dict with 25 entries". `bound` says what keeps it from growing for ever ("deque
    of maxlen 10000"), "" for nothing. `bytes` of the line's `of` bytes were found in it: of many tensors a
    sample is looked for. One object may be among several that hold the same bytes. `names` are all ways to
    the object. Where the device is NODES, it holds what a `Pile` counts.
    """

    file: str
    line: int
    device: str
    name: str
    scope: str
    what: str
    bound: str
    bytes: int
    of: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pile:
    """Autograd nodes that nearly every iteration leaves behind: host memory, and no byte of a tensor.

    `file` and `line` are the forward line that makes most of them (0 where that is not known). Of the last
    `of` iterations of a `series` looked at, `steps` left some; `nodes_per_step` is the mean over all `of`.
    `within` says that they were gathered within one pass, as in `Growth`.
    """

    file: str
    line: int
    series: str
    nodes_per_step: int
    steps: int
    of: int
    within: bool = False


@dataclass(frozen=True, slots=True)
class Leak:
    """Bytes that stay from step to step: what grows, the lines that make it, and the objects that hold it.

    `file` and `line` are the line that makes most of it and `rows` all that end in the same `holders`
    (none where nothing that Python can name holds it). `bytes_per_step` and `bytes` are sums over the rows;
    `steps`, `of`, `series`, `since` and `device` are those of the first row. `bound` is that of the
    holders: such a growth ends by itself and is no leak. `findings` are the fingerprints of confirmed
    findings that explain it. What a `Pile` counts, and no finding explains, has the device NODES, its
    `nodes_per_step`, and no rows and bytes.
    """

    file: str
    line: int
    device: str
    series: str
    bytes_per_step: int
    bytes: int
    steps: int
    of: int
    since: int
    rows: tuple[Growth, ...]
    holders: tuple[Holder, ...] = ()
    bound: str = ""
    findings: tuple[str, ...] = ()
    nodes_per_step: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    """What one source line had been handed out by CUDA's allocator when most bytes were asked for.

    A `line` of 0 means that no line of the project was on the stack (backward, or a library's thread).
    """

    file: str
    line: int
    bytes: int
    blocks: int


@dataclass(frozen=True, slots=True)
class Exhausted:
    """The last moment when memory ran out: the line that asked for more, and what was alive then.

    `times` says how often it ran out; the script may have caught that and gone on. `phase` is what the
    script was doing. In backward, `line` is the one that called it, and `forward_line` the one of whose
    result a gradient was being made (0 where that is not known). `module` and `library` are as in `Held`.
    """

    file: str
    line: int
    step: int
    times: int
    bytes: int
    kinds: dict[str, int]
    lines: tuple[Held, ...]
    forward_file: str = ""
    forward_line: int = 0
    phase: str = ""
    module: str = ""
    library: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One optimizer step (one root forward where the script has no optimizer).

    `bytes` are alive after it and `peak` is the most during it (both 0 without the tracker);
    `host_bytes` is the process's malloc'ed memory and `worker_bytes` the private memory of its child
    processes (-1 where not sampled); `nodes` counts the autograd nodes it made, and `waiting` are the
    seconds of it that the script waited for a DataLoader. `allocated` and `reserved` are what CUDA's
    allocator counts after it (0 elsewhere).
    """

    seconds: float
    bytes: int
    peak: int
    host_bytes: int
    worker_bytes: int
    nodes: int
    event: int
    waiting: float = 0.0
    allocated: int = 0
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class Peak:
    """The most bytes alive at once on the measured device, and when that was.

    `file` and `line` are the line that made the last of them ("" and 0: none of the project); in backward,
    `forward_file` and `forward_line` are the forward line whose backward it was.
    """

    bytes: int
    phase: str
    step: int
    event: int
    file: str = ""
    line: int = 0
    forward_file: str = ""
    forward_line: int = 0


@dataclass(frozen=True, slots=True)
class Failure:
    """How the script ended early: its exception and the last line of the project on the traceback."""

    type: str
    message: str
    file: str
    line: int
    out_of_memory: bool

    @property
    def in_short(self) -> str:
        """The exception and where in the project it left; no place for one from elsewhere."""
        said = "invented values" if self.is_doubtful else self.type
        return f"{said} at {self.file}:{self.line}" if self.line else said

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be the simulation's doing and not the script's: `message` says why."""
        return self.type == INVENTED


KEPT_BY_BACKWARD, FOR_OTHERS, FOR_NO_OPTIMIZER, NAMED, OF_LINE = (
    "kept-by-backward", "saved-for-others", "saved-for-no-optimizer", "bytes-in-backward",
    "activations-of-line",
)  # fmt: skip
"""Questions about bytes that nobody needs: tensors that a backward() leaves in its graph, what is saved for
gradients of parameters that the step which follows, or any optimizer at all, does not train, what only names
of the script hold while a backward() runs, and what the graph of a line costs that no step uses."""

OF_GRAPHS = frozenset({KEPT_BY_BACKWARD, FOR_OTHERS, FOR_NO_OPTIMIZER, NAMED, OF_LINE})
"""All of them: no tensor needs a value for the answer."""


@dataclass(frozen=True, slots=True)
class Needless:
    """The answer to such a question: bytes at the peak, and by how many it would be lower without them.

    `line` is that of the backward(), or of the graph ("path:line"), "" where the answer is of the whole run.
    `names` are the variables and attributes ("self.map") that hold the bytes together, where the question is
    about such.
    """

    question: str
    line: str
    bytes: int
    less: int
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Checks:
    """Answers for the CORRECT claims, and for PEAK claims that ask what nobody needs.

    Lines ("path:line") of backward calls that added to gradients of an earlier step, and of those that
    found them cleared; whether all trained parameters were finite at the end, None if none was trained.
    `backwards` are those that one optimizer step follows, and `backwards_used` those whose gradients it
    finds: medians over its steps, 0 where no optimizer or more than one was watched. `loss_weight` is the
    factor by which backward() roots were multiplied, `batches` the length of the loader that feeds the
    steps (0: unknown). `yes` and `no` hold lines by question (see memlint.runtime.child.results.questions).
    """

    gradients_summed: tuple[str, ...] = ()
    gradients_cleared: tuple[str, ...] = ()
    parameters_finite: bool | None = None
    backwards: int = 0
    backwards_used: int = 0
    loss_weight: float | None = None
    batches: int = 0
    yes: dict[str, tuple[str, ...]] = field(default_factory=dict)
    no: dict[str, tuple[str, ...]] = field(default_factory=dict)
    needless: tuple[Needless, ...] = ()


@dataclass(frozen=True, slots=True)
class Rank:
    """What one of several ranks measured in an arm; the fields are those of `Arm`."""

    rank: int
    device: str
    stopped: str
    peak: Peak
    steps: tuple[Step, ...] = ()
    growth: tuple[Growth, ...] = ()
    kinds: dict[str, int] = field(default_factory=dict)
    reached: tuple[str, ...] = ()
    failure: Failure | None = None


@dataclass(frozen=True, slots=True)
class Invented:
    """A value that a simulated run had to make up where the script asked for it: what, and how often."""

    file: str
    line: int
    what: str
    times: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """How far the numbers of a simulated run go.

    `gpu` is what was imagined; `modelled` and `unknown` name the terms of a real GPU's memory that are in
    the numbers and those that are not. `unsupported` is why the run could not go on, "" if it could.
    """

    gpu: str
    modelled: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    invented: tuple[Invented, ...] = ()
    unsupported: str = ""


@dataclass(frozen=True, slots=True)
class Cut:
    """A loop that was ended early: a `for` statement of the project, or the passes over a loader.

    `ran` are its iterations when that first happened, `of` those that it would have had (0: unknown);
    `times` says how often it happened, `why` for which reason the first time, and `trains` whether steps
    were left out with it.
    """

    file: str
    line: int
    ran: int
    of: int
    times: int
    why: str
    trains: bool = False

    @property
    def in_words(self) -> str:
        """The cut as a clause for a note."""
        ran = f"{self.ran:,} of its {self.of:,} iterations" if self.of else f"{self.ran:,} iterations"
        first = " the first time" if self.times > 1 else ""
        return f"the loop at {self.file}:{self.line} was cut: {ran} ran{first} ({self.why})"


@dataclass(frozen=True, slots=True)
class Schedule:
    """Where a run of a script ends its loops and itself, in numbers, so that other runs do the same.

    `steps` are enough of each series (0: the clock decides), `first` those of the first pass over a
    loader (0: half of them). `forwards` end a script without any step (0: never). `cuts` says after how
    many items a loop ends: by statement, then by which opening of it that is. With `whole` no loop
    is shortened.
    """

    steps: int = 0
    first: int = 0
    forwards: int = 0
    cuts: dict[str, dict[str, int]] = field(default_factory=dict)
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Arm:
    """One run of the script: as it is, or with some fixes.

    `probe` is what was watched: "tracker" (every storage), "simulate" (every storage, those on CUDA
    imagined; then `simulation` says how far the numbers go), "host" (malloc and child processes only),
    "bare" (CUDA's allocator only) or "clock" (times only). `stopped` says why the run ended. `outside` is how
    much higher the peak of torch's own allocator events is than the tracker's (kernel workspaces), None where
    not asked; of CUDA's allocator it is that of a bare run. Where torch's launcher ran several ranks, the
    figures are those of `rank`, and `ranks` holds every rank's.
    Of the watched lines ("path:line"), `reached` are those that the script's process executed, and
    `reached_elsewhere` those that only processes did which it started.
    `starts` are the seconds until the first batch of each pass over a loader with worker processes, the
    first pass left out, and `sent` the bytes of pickled objects that each spawned process was given.
    `series` is what `steps` counts ("optimizer step at train.py:9"), "" where nothing ran and None in
    sessions of an older memlint; `counts` says how often each unit ran, of backwards only those of a run
    without optimizer steps. `optimizers` is how many the script made, `processes` how many it started with
    multiprocessing, loaders' workers left out: they are not followed. `cuts` are the loops that were
    shortened, `schedule` what another run follows to do the same.
    `phases` says when the bytes at the peak were made, `tops` how many were alive at most within each
    phase, and `ribbon` at which event of the curve which phase began. `growth` is that of the device,
    `host_growth` that of tensors in host memory where the device is another one, and `piles` that of autograd
    nodes; `holders` are what holds all three, where that was asked. `cuda` are counters of
    CUDA's allocator and the driver, `blocks` what its history says of its peak, and `machine` names the GPU.
    `gathered` are lines of which a pass of too few forwards for a `growth` has kept something of each,
    where what holds it has a name (only of the run in which that was asked).
    `tree` are the modules of the script that hold something at the peak, and those above them. `lost` says
    what failed in memlint itself, from where on; `cut_short` is then where tensors were last followed
    ("step 3"), "" where they were to the end.
    """

    name: str
    title: str
    probe: str
    device: str
    stopped: str
    seconds: float
    peak: Peak
    steps: tuple[Step, ...] = ()
    failure: Failure | None = None
    kinds: dict[str, int] = field(default_factory=dict)
    phases: dict[str, int] = field(default_factory=dict)
    tops: dict[str, int] = field(default_factory=dict)
    lines: tuple[Held, ...] = ()
    growth: tuple[Growth, ...] = ()
    curve: tuple[tuple[int, int], ...] = ()
    ribbon: tuple[tuple[int, str], ...] = ()
    events: int = 0
    losses: tuple[str, ...] = ()
    starts: tuple[float, ...] = ()
    sent: tuple[int, ...] = ()
    reached: tuple[str, ...] = ()
    reached_elsewhere: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    checks: Checks = Checks()
    outside: int | None = None
    cuda: dict[str, int] = field(default_factory=dict)
    blocks: tuple[Block, ...] = ()
    exhausted: Exhausted | None = None
    machine: str = ""
    written: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    rank: int | None = None
    ranks: tuple[Rank, ...] = ()
    simulation: Simulation | None = None
    host_growth: tuple[Growth, ...] = ()
    holders: tuple[Holder, ...] = ()
    series: str | None = None
    counts: dict[str, int] = field(default_factory=dict)
    cuts: tuple[Cut, ...] = ()
    schedule: Schedule = Schedule()
    tree: tuple[Branch, ...] = ()
    lost: tuple[str, ...] = ()
    cut_short: str = ""
    optimizers: int = 0
    processes: int = 0
    piles: tuple[Pile, ...] = ()
    gathered: tuple[Growth, ...] = ()

    @property
    def unit(self) -> str:
        """What counts as a step: one of UNITS, "" where none of them ran."""
        return STEP if self.series is None else self.series.partition(" at ")[0]

    @property
    def trained(self) -> bool:
        """Whether an optimizer step ran, or backwards in a script whose optimizers make no steps.

        Where it is false, the peak is not that of a training: the first step of an optimizer may have been
        to come, or there was only an inference.
        """
        if self.unit == BACKWARD and self.optimizers:
            return self.stopped == ENDED or self.counts.get(BACKWARD, 0) > WINDOW
        return self.unit in (STEP, BACKWARD)

    @property
    def was_cut(self) -> bool:
        """Whether a limit, or Ctrl-C, ended the run from outside of the script."""
        return self.stopped.startswith((TIME_LIMIT, MEMORY_LIMIT, INTERRUPTED))

    @property
    def top_bytes(self) -> int:
        """The peak that counts: the one of CUDA's allocator where it was asked, else that of the tensors."""
        return self.cuda.get("allocated_peak", self.peak.bytes)

    @property
    def highest(self) -> Rank | None:
        """The rank with the highest peak, the first of equals; None where there was one process."""
        return max(self.ranks, key=lambda row: (row.peak.bytes, -row.rank), default=None)

    @property
    def failed_on(self) -> int | None:
        """The first rank on which the script failed; None where it failed on none, or had no ranks."""
        return next((row.rank for row in self.ranks if row.failure is not None), None)


@dataclass(frozen=True, slots=True)
class Environment:
    """Where the replay ran. `memory` are the bytes of the machine's memory, 0 in older sessions."""

    python: str
    platform: str
    torch: str
    device: str
    device_name: str
    threads: int
    memory: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the measurement says about one finding.

    `measured_bytes` is the effect on the peak, `bytes_per_step` the growth; None where the claim is not
    about them. `share_of_peak` is measured_bytes over the original's peak.
    """

    status: str
    measured_bytes: int | None
    bytes_per_step: int | None
    share_of_peak: float | None
    device: str
    reason: str


@dataclass(frozen=True, slots=True)
class Judged:
    """A finding (in the shape of `check --output-format json`) and the arm that answered for it."""

    finding: dict[str, Any]
    arm: str
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Session:
    """Everything one `memlint replay` found out. `errors` are mistakes of memlint itself, said loudly.

    `missing` names the runs that were to be made and were not, or did not come to an end, each with the
    reason: "all safe fixes: interrupted". `leaks` are what grows in the script as it is, the most bytes per
    step first.
    """

    memlint: str
    script: str
    arguments: tuple[str, ...]
    started: str
    environment: Environment
    options: dict[str, Any]
    arms: tuple[Arm, ...]
    findings: tuple[Judged, ...]
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    sources: dict[str, dict[str, str]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    leaks: tuple[Leak, ...] = ()

    @property
    def unbounded(self) -> tuple[Leak, ...]:
        """The leaks that nothing is known to end: each of them is a verdict of its own."""
        return tuple(leak for leak in self.leaks if not leak.bound)

    @property
    def original(self) -> Arm:
        """The script as it is: always the first arm."""
        return self.arms[0]

    @property
    def spread(self) -> int:
        """Bytes by which the peaks of two runs of the script as it is differ; 0 where it ran once."""
        again = next((arm for arm in self.arms if arm.name == "again"), self.original)
        return abs(self.original.top_bytes - again.top_bytes)


def main_series(counts: Mapping[str, int]) -> str:
    """The series that counts as steps: the busiest of the first unit that there is; "" for none."""
    for unit in UNITS:
        if found := [(count, series) for series, count in counts.items() if series.startswith(unit)]:
            return max(found)[1]
    return ""


def growth_by_unit(rows: Iterable[Growth]) -> dict[str, tuple[int, int]]:
    """(bytes, bytes in allocator blocks) that all lines together leave behind, by what counts as a step.

    What remains of an optimizer step and of a forward are two numbers: their sum would be neither. The
    optimizer step comes first.
    """
    found: dict[str, tuple[int, int]] = {}
    for row in rows:
        unit = row.series.partition(" at ")[0]
        plain, blocks = found.get(unit, (0, 0))
        found[unit] = (plain + row.bytes_per_step, blocks + row.block_bytes_per_step)
    return dict(sorted(found.items(), reverse=True))


def stop_in_words(stopped: str) -> str:
    """Why a run ended, as a clause: "stopped after 25 optimizer steps", or what is a clause already."""
    if stopped.startswith((TIME_LIMIT, MEMORY_LIMIT)):
        return f"stopped by the {stopped}"
    return f"stopped after {stopped}" if stopped[:1].isdigit() else stopped


def is_measured(device: str) -> bool:
    """Whether a replay measures the memory of a device ("cuda:0", "mps:0")."""
    return device.partition(":")[0] in MEASURED
