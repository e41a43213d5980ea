"""What holds memory in a run: tensors by line, what grows, the peak, blocks of the allocator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memlint.session.words import NODES, UNITS


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

    @property
    def made_by(self) -> tuple[str, int]:
        """The file and line that stand for the bytes: of what backward makes, the forward's where known."""
        if self.forward_line:
            return self.forward_file, self.forward_line
        return self.file, self.line


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

    @property
    def own(self) -> int:
        """All bytes of the row."""
        return self.parameters + self.buffers + self.gradients + self.optimizer_state + self.activations


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
    is alive at a time, each larger than the one before: what torch.cat() makes longer, or a batch. `alive`
    are the bytes, in such blocks, of all that the line has made and that is there at the end.
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
    alive: int = 0


@dataclass(frozen=True, slots=True)
class Holder:
    """What holds, at the end of a run or of a loop, tensors that one line has left behind.

    `file`, `line` and `device` are those of a `Growth`. `name` is the way to the object ("net.seen",
    "metrics['loss']"), `scope` whose variable it begins with where that is no module's ("local of main()"),
    and `what` the object: "dict with 25 entries". `bound` says what keeps it from growing for ever ("deque
    of maxlen 10000"), "" for nothing. `bytes` of the line's `of` bytes were found in it: of many tensors a
    sample is looked for. One object may be among several that hold the same bytes. `names` are all ways to
    the object. It has `entries`, and `most` of them when it is full (0: not known, or no container). Where
    the device is NODES, it holds what a `Pile` counts. `series` is what counted as an iteration when it was
    found: the list of an evaluation and what training keeps may hold tensors of one line.
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
    entries: int = 0
    most: int = 0
    series: str = ""


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


def holding(row: Growth | Pile, holders: Iterable[Holder]) -> list[Holder]:
    """Those that hold what a row counts: found while its iterations ran, else any that hold that line's."""
    device = row.device if isinstance(row, Growth) else NODES
    place = (row.file, row.line, device)
    found = [holder for holder in holders if (holder.file, holder.line, holder.device) == place]
    unit = row.series.partition(" at ")[0]
    same = [holder for holder in found if holder.series == row.series]
    return same or [h for h in found if h.series.partition(" at ")[0] == unit] or found


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
