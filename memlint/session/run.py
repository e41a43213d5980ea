"""One run of a script: how it went and ended, and all that was measured in it."""

from __future__ import annotations

from dataclasses import dataclass, field

from memlint.session.memory import Block, Branch, Exhausted, Growth, Held, Holder, Peak, Pile, Step
from memlint.session.words import (
    BACKWARD,
    ENDED,
    INTERRUPTED,
    INVENTED,
    MEMORY_LIMIT,
    STEP,
    TIME_LIMIT,
    WINDOW,
)

SAID = 120
"""Characters that are shown of the message of an exception."""


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
    def said(self) -> str:
        """The first line of its message, which ends after SAID characters."""
        first = self.message.strip().partition("\n")[0]
        return first if len(first) <= SAID else f"{first[:SAID]}..."

    @property
    def is_doubtful(self) -> bool:
        """Whether it may be the simulation's doing and not the script's: `message` says why."""
        return self.type == INVENTED


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
class Decided:
    """A condition of a simulated run that came out one way only; it hangs on invented values or counts steps.

    `key` names it for another run. `held` is how it came out; `other` says that the other way may take
    memory. With `turned`, this run was told to go the other way than the values say. Where it `counts`, a
    later step than those that were simulated may go the other way.
    """

    file: str
    line: int
    key: str
    held: bool
    other: bool
    turned: bool
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Capacity:
    """How a simulated run would have gone with so much memory for torch's allocator.

    `bytes` is that memory (0: no end), `workspace` that of cuBLAS for each thread, and `reserved` the most
    that was taken; `retries` says how often cached blocks had to be given back first. Where it did not
    suffice, `asked` are the bytes that could not be had, `allocated` those that were in use, and `exhausted`
    says where that was.
    """

    bytes: int
    workspace: int
    reserved: int
    retries: int
    asked: int = 0
    allocated: int = 0
    exhausted: Exhausted | None = None


@dataclass(frozen=True, slots=True)
class Simulation:
    """How far the numbers of a simulated run go.

    `gpu` is what was imagined; `modelled` and `unknown` name the terms of a real GPU's memory that are in
    the numbers and those that are not. `unsupported` is why the run could not go on, "" if it could.
    Where that was asked, `capacities` tell how it would have gone with other sizes of memory, and `least` is
    the smallest found with which it runs, in bytes. `asked` is what the script, a library or torch wanted to
    know about the card ("at least 8.0", "capability", "size"): where another one gives other answers, it may
    do something else. `decided` are the conditions that may come out another way on a real GPU. Of one of
    several ranks, `world` is how many there are, `communicators` the groups that
    NCCL would have buffers for, and `peers` the ranks between which tensors were sent one to one;
    `buffers` names the largest of collective operations. `convolutions` are the bytes of what the largest
    convolution reads and writes whose algorithm is searched (`cudnn.benchmark`), 0 where none is.
    `assumed` is how often a size was taken from the share that masks are said to select. `repeats` says that
    the steps ended early, as further ones would do the same to memory.
    """

    gpu: str
    modelled: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    invented: tuple[Invented, ...] = ()
    unsupported: str = ""
    capacities: tuple[Capacity, ...] = ()
    least: int = 0
    asked: tuple[str, ...] = ()
    decided: tuple[Decided, ...] = ()
    world: int = 0
    communicators: int = 0
    peers: tuple[int, ...] = ()
    buffers: tuple[str, ...] = ()
    convolutions: int = 0
    assumed: int = 0
    repeats: bool = False


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
class Lines:
    """Two lines of one function in a file of the project, or one line twice."""

    file: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Batch:
    """A variable that holds a batch: a tensor with so many `rows`, or several in a list or dictionary.

    Of other variables with tensors or several values, `rows` are 0: they cannot be cut like a batch.
    `key` is that of the first of several as a script would write it (`0`, `'input_ids'`), "" for a tensor.
    """

    name: str
    key: str
    rows: int


@dataclass(frozen=True, slots=True)
class Offer:
    """A change that could be made to a script while it runs.

    `change` names it as a run takes it ("checkpoint", "accumulate:0"), `what` is what it is about ("12
    Block"),
    `how` how a line of the script would say it, "" where that is what the change always takes, and `cautions`
    are words for what was seen that the change has an effect on ("BatchNorm"). `regions` go from the first
    forward pass to the backward behind it, () where these are not lines of one function, and `made` are the
    lines that make what it is about (the loaders). `batches` are the variables with tensors where the first
    region begins.
    """

    change: str
    what: str = ""
    how: str = ""
    cautions: tuple[str, ...] = ()
    regions: tuple[Lines, ...] = ()
    made: tuple[Lines, ...] = ()
    batches: tuple[Batch, ...] = ()


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
    `shared` are the most bytes of tensors that lay in shared memory after a step, as batches of workers do.
    `series` is what `steps` counts ("optimizer step at train.py:9"), "" where nothing ran and None in
    sessions of an older memlint; `counts` says how often each unit ran, of backwards only those of a run
    without optimizer steps. `optimizers` is how many the script made, `processes` how many it started with
    multiprocessing, loaders' workers left out: they are not followed. `cuts` are the loops that were
    shortened, `schedule` what another run follows to do the same.
    `phases` says when the bytes at the peak were made, `tops` how many were alive at most within each
    phase, and `ribbon` at which event of the curve which phase began. `growth` is that of the device,
    `host_growth` that of tensors in host memory where the device is another one, and that of arrays, and
    `piles` that of autograd nodes; `holders` are what holds them all, where that was asked. `cuda` are
    counters of CUDA's allocator and the driver, `blocks` what its history says of its peak, and `machine`
    names the GPU.
    `forwards` are bytes of activations at the peak, by the line that called the forward.
    `gathered` are lines of which a pass of too few forwards for a `growth` has kept something of each,
    where what holds it has a name (only of the run in which that was asked).
    `tree` are the modules of the script that hold something at the peak, and those above them. `lost` says
    what failed in memlint itself, from where on; `cut_short` is then where tensors were last followed
    ("step 3"), "" where they were to the end. `offers` are the changes that the script would allow, where
    that was asked. `planned` are the steps that its loops would make at most (0: not known).
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
    shared: int = 0
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
    forwards: dict[str, int] = field(default_factory=dict)
    offers: tuple[Offer, ...] = ()
    planned: int = 0

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
