"""What CUDA's allocator recorded of its own: which lines held its blocks when it was fullest.

torch.cuda.memory keeps a ring of the last events with Python frames. It is switched on when the script
first uses CUDA, not before: to initialise CUDA earlier would change what the script may still set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from memlint.runtime.child import private
from memlint.session import Block

MOST_EVENTS = 200_000
"""Events that the ring holds: at about a kilobyte each, what host memory can spare."""


class Live(NamedTuple):
    """One block of the allocator: the bytes asked for and the frames that asked, innermost first."""

    size: int
    frames: Sequence[Mapping[str, Any]]


class History:
    """Records from the script's first use of CUDA on; `problem` says why there is nothing, if so."""

    def __init__(self) -> None:
        self.problem = "the script did not use CUDA"

    def start(self) -> None:
        """Begin as soon as CUDA is initialised, without initialising it."""
        if not private.when_cuda_starts(self._record):
            self.problem = "this torch cannot say when a script begins to use CUDA"

    def _record(self) -> None:
        # Called by torch while it initialises CUDA: an exception here would be the script's.
        try:
            private.record_history(context="alloc", stacks="python", max_entries=MOST_EVENTS)
            self.problem = ""
        except (AttributeError, RuntimeError, TypeError) as error:
            self.problem = str(error)

    def read(self, device: str, place: Callable[[str], str | None]) -> tuple[int, tuple[Block, ...], str]:
        """(bytes asked for at the peak, who held them by line, why they are not known).

        `place` gives the report's name of a file of the project, None for any other file.
        """
        if self.problem:
            return 0, (), f"the allocator's history was not recorded: {self.problem}"
        try:
            snapshot = private.history()
            index = int(device.partition(":")[2] or 0)
            trace = snapshot["device_traces"][index]
            segments = [seg for seg in snapshot["segments"] if seg.get("device", index) == index]
        except (AttributeError, RuntimeError, KeyError, IndexError) as error:
            return 0, (), f"the allocator's history cannot be read: {type(error).__name__}: {error}"
        if not any(entry["action"] == "alloc" for entry in trace):
            return 0, (), "the allocator's history is empty: the script may have switched it off"
        alive = at_peak(trace, segments)
        cut = len(trace) >= MOST_EVENTS
        note = f"the allocator's history holds its last {MOST_EVENTS:,} events only" if cut else ""
        return sum(held.size for held in alive), by_line(alive, place), note


def at_peak(trace: Sequence[Mapping[str, Any]], segments: Sequence[Mapping[str, Any]]) -> list[Live]:
    """The blocks in use when most bytes were asked for.

    A block counts from `alloc` to `free_requested`, as in the allocator's own allocated_bytes.
    """
    before = _before(trace, segments)
    alive, now = dict(before), sum(held.size for held in before.values())
    most, top = now, 0
    for position, entry in enumerate(trace, 1):
        now += _apply(alive, entry)
        if now > most:
            most, top = now, position
    alive = dict(before)
    for entry in trace[:top]:
        _apply(alive, entry)
    return list(alive.values())


def _apply(alive: dict[int, Live], entry: Mapping[str, Any]) -> int:
    """Do what an event did; the bytes that it added."""
    if entry["action"] == "alloc":
        alive[entry["addr"]] = Live(entry["size"], entry.get("frames", ()))
        return int(entry["size"])
    if entry["action"] == "free_requested" and (freed := alive.pop(entry["addr"], None)) is not None:
        return -freed.size
    return 0


def _before(trace: Sequence[Mapping[str, Any]], segments: Sequence[Mapping[str, Any]]) -> dict[int, Live]:
    """What was in use before the first event: freed in the trace, or still there, but not made in it."""
    found: dict[int, Live] = {}
    made: set[int] = set()
    for entry in trace:
        if entry["action"] == "alloc":
            made.add(entry["addr"])
        elif entry["action"] == "free_requested" and entry["addr"] not in made:
            found.setdefault(entry["addr"], Live(entry["size"], ()))
    for segment in segments:
        for block in segment["blocks"]:
            if block["state"] == "active_allocated" and block["address"] not in made:
                size = block.get("requested_size", block["size"])
                found.setdefault(block["address"], Live(size, block.get("frames", ())))
    return found


def by_line(alive: Iterable[Live], place: Callable[[str], str | None]) -> tuple[Block, ...]:
    """Bytes and blocks by the innermost line of the project, the most first."""
    sums: Counter[tuple[str, int]] = Counter()
    counts: Counter[tuple[str, int]] = Counter()
    for held in alive:
        named = ((place(frame["filename"]), frame["line"]) for frame in held.frames)
        key = next(((name, line) for name, line in named if name is not None), ("", 0))
        sums[key] += held.size
        counts[key] += 1
    rows = [Block(file, line, size, counts[file, line]) for (file, line), size in sums.items()]
    return tuple(sorted(rows, key=lambda row: (-row.bytes, row.file, row.line)))
