"""The event log of one run: append-only lists, written in the hot path, read only afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from memlint.session import BACKWARD, STEP

NO_SITE = -1
NO_MODULE = -1


class Birth(NamedTuple):
    """One storage when it was first seen: sizes in bytes, sites as indices into `Log.sites`.

    `module` is the one whose forward was running, as an index into `Log.modules`, and `library` the line of
    a library that the project's line led to; for what backward makes, both are those of the forward.
    """

    size: int
    site: int
    phase: str
    forward: int
    device: str
    recording: bool
    module: int = NO_MODULE
    library: int = NO_SITE


class Module(NamedTuple):
    """A module of the script: `root` is the index of the outermost one that was called and leads to it.

    `path` is its name below that root ("" for the root), `kind` its class, and `is_own` says whether its
    forward is code of the project. `line` is the source of the call of a root ("netD"), "" where not known.
    """

    root: int
    path: str
    kind: str
    is_own: bool
    line: str = ""


class Exhaustion(NamedTuple):
    """Memory ran out: before event `event`, for a tensor that would have had the fields of a `Birth`."""

    event: int
    site: int
    phase: str
    forward: int
    module: int
    library: int


class Tick(NamedTuple):
    """The end of one iteration of a series: position in the log and the samples taken there.

    `strayed` says that it happened in a thread whose tensors nothing follows.
    """

    event: int
    series: str
    clock: float
    host_bytes: int
    worker_bytes: int
    sequence: int
    waited: float = 0.0
    strayed: bool = False


@dataclass(slots=True)
class Log:
    """What happened, in order. `raw` holds births as plain tuples until the log is frozen.

    `events` holds a birth's index i when it appears, ~i when it dies and (i, delta) when it is resized.
    `waited` are the seconds spent in next(loader), `starts` those until the first batch of each later pass
    over a loader with worker processes, and `sent` the bytes handed to each process that multiprocessing
    spawned; `shared` are the most bytes of tensors in shared memory at a tick; `processes` counts those
    that the script started for work of its own. `kinds` and `boundaries` are written late: a storage's
    role is often known only long after its birth. `sums` are the positions of births that come after the
    death of the gradient which they replace, though under a dispatch mode both were alive for a moment;
    `replaced` are the addresses of both, where that was asked. `owners` are the modules that own
    parameters, and with them gradients and optimizer state, by birth index. `lost` says what failed in
    memlint itself, and `valid` how many events and ticks there were when births and deaths could be
    followed no more (None while they are). `trained` are the storages of the parameters that optimizers
    train at the end, of their gradients and their state: one of each, however late it was made.
    """

    births: list[Birth] = field(default_factory=list)
    raw: list[tuple[Any, ...]] = field(default_factory=list)
    events: list[int | tuple[int, int]] = field(default_factory=list)
    sites: list[tuple[str, int]] = field(default_factory=list)
    kinds: dict[int, str] = field(default_factory=dict)
    boundaries: list[int] = field(default_factory=list)
    ticks: list[Tick] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)
    waited: float = 0.0
    starts: list[float] = field(default_factory=list)
    sent: list[int] = field(default_factory=list)
    shared: int = 0
    processes: int = 0
    exhausted: list[Exhaustion] = field(default_factory=list)
    sums: list[int] = field(default_factory=list)
    replaced: list[tuple[int, int]] = field(default_factory=list)
    notes: dict[str, int] = field(default_factory=dict)
    modules: list[Module] = field(default_factory=list)
    owners: dict[int, int] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    valid: tuple[int, int] | None = None
    trained: set[int] = field(default_factory=set)

    @property
    def strayed(self) -> int:
        """How many ticks there were in threads whose tensors nothing follows."""
        return sum(tick.strayed for tick in self.ticks)

    def process_began(self) -> None:
        """The script has started a process."""
        self.processes += 1

    def note(self, text: str) -> None:
        """Remember a remark for the report once, however often it comes up."""
        self.notes[text] = self.notes.get(text, 0) + 1

    def freeze(self) -> Log:
        """A copy that no later event changes, for the thread that writes the report."""
        # The script may go on meanwhile: what refers to another list is copied before that list.
        ticks, boundaries, exhausted = list(self.ticks), list(self.boundaries), list(self.exhausted)
        sums = list(self.sums)
        events = list(self.events)
        raw = list(self.raw)
        if self.valid is not None:
            # Whatever was noted later would be read against events that are missing.
            last, steps = self.valid
            del events[last:], ticks[steps:]
            boundaries = [event for event in boundaries if event < last]
            exhausted = [row for row in exhausted if row.event < last]
            sums = [event for event in sums if event < last]
        if any(tick.series.startswith(STEP) for tick in ticks):
            # They were counted for want of a step, and only until the first.
            ticks = [tick for tick in ticks if not tick.series.startswith(BACKWARD)]
        return Log(
            births=[*self.births, *(Birth(*fields) for fields in raw)],
            events=events,
            sites=list(self.sites),
            kinds=dict(self.kinds),
            boundaries=boundaries,
            ticks=ticks,
            losses=list(self.losses),
            waited=self.waited,
            starts=list(self.starts),
            sent=list(self.sent),
            shared=self.shared,
            processes=self.processes,
            exhausted=exhausted,
            sums=sums,
            notes=dict(self.notes),
            modules=list(self.modules),
            owners=dict(self.owners),
            lost=dict(self.lost),
            valid=self.valid,
            trained=set(self.trained),
        )
