"""Reads a finished event log: the peak, who held it, the curve and the steps."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

from memlint.runtime.child.attribution.naming import Names, leads_away, library_line
from memlint.runtime.child.log import NO_MODULE, NO_SITE, Exhaustion, Log, Tick
from memlint.session import FORWARD, Exhausted, Held, Peak, Step, is_measured, main_series

BLOCK = 512
OTHER_THREAD = "a thread of its own"
"""Where a script ran whose steps are all made in other threads than the main one."""

CURVE_POINTS = 2000


@dataclass(frozen=True, slots=True)
class Timeline:
    """The log replayed for one device.

    `curve[i]` are the bytes alive after event i; `born` and `died` give each storage's events (died is
    len(curve) for what lives to the end); `sizes` are those of the peak moment, or of the end of life.
    """

    log: Log
    device: str
    curve: list[int]
    born: dict[int, int]
    died: dict[int, int]
    top: int
    at_top: dict[int, int]

    @property
    def end(self) -> int:
        """The event number after the last one."""
        return len(self.curve)


def device_of(log: Log) -> str:
    """The device whose memory matters: the accelerator with the most bytes born on it, else the CPU."""
    bytes_on: Counter[str] = Counter()
    for birth in log.births:
        bytes_on[birth.device] += birth.size
    if log.ticks and log.strayed == len(log.ticks):
        return OTHER_THREAD
    accelerators = [(size, name) for name, size in bytes_on.items() if name not in ("cpu", "meta")]
    return max(accelerators)[1] if accelerators else "cpu"


def remarks(log: Log, device: str, label: str) -> list[str]:
    """What the report must say about the device that was, or was not, measured; `label` is its shown name."""
    if not is_measured(device):
        measures = "CUDA devices and the CPU, and on it the main thread"
        return [f"not measured: the script ran on {device}; memlint measures {measures}"]
    strayed = [f"{log.strayed} steps or forwards ran in other threads, whose tensors are not followed"]
    if device == "cpu":
        return strayed if log.strayed else []
    found = {birth.device for birth in log.births} - {"cpu", "meta", device}
    notes = strayed if log.strayed else []
    if found:
        notes.append(f"tensors on {', '.join(sorted(found))} are not counted: {device} has more")
    return notes


def replay(log: Log, device: str) -> Timeline:
    """Walk through the events once for the curve and once more up to the peak for what was alive then."""
    sizes: dict[int, int] = {}
    born: dict[int, int] = {}
    died: dict[int, int] = {}
    curve: list[int] = []
    now = most = top = 0
    for position, event in enumerate(log.events):
        if isinstance(event, tuple):
            if event[0] in sizes:
                sizes[event[0]] += event[1]
                now += event[1]
        elif event >= 0:
            if log.births[event].device == device:
                sizes[event] = log.births[event].size
                born[event] = position
                now += sizes[event]
        elif ~event in sizes:
            died[~event] = position
            now -= sizes[~event]
        curve.append(now)
        if now > most:
            most, top = now, position
    return Timeline(log, device, curve, born, died, top, alive(log, device, top))


def alive(log: Log, device: str, upto: int) -> dict[int, int]:
    """The storages alive after event `upto`, and their bytes then."""
    found: dict[int, int] = {}
    for event in log.events[: upto + 1]:
        if isinstance(event, tuple):
            if event[0] in found:
                found[event[0]] += event[1]
        elif event >= 0:
            if log.births[event].device == device:
                found[event] = log.births[event].size
        else:
            found.pop(~event, None)
    return found


def kind_of(line: Timeline, index: int) -> str:
    """The role of a storage: as marked by the hooks, else read off its life.

    An activation was made while a graph was built, outside the optimizer, and outlived the next
    boundary (the end of the root forward, the beginning of backward). What of a backward does so without a
    graph is a gradient: of a parameter that no optimizer trains, or of an input.
    """
    marked = line.log.kinds.get(index)
    if marked is not None:
        return marked
    birth = line.log.births[index]
    if birth.phase == "optimizer":
        return "temporary"
    # What never died has crossed a boundary at the very end of the log too.
    start, end = line.born[index], line.died.get(index, line.end + 1)
    crossed = bisect_right(line.log.boundaries, start) < bisect_left(line.log.boundaries, end)
    if birth.recording and crossed and birth.phase != "setup":
        return "activation"
    if not crossed and end <= line.end:
        return "temporary"
    return "gradient" if birth.phase == "backward" else "other"


def peak_of(line: Timeline, name: Callable[[str], str] = str) -> Peak:
    """How high the curve went, at which line, phase and step (steps counted from 1; 0 before the first)."""
    if not line.curve:
        return Peak(0, "setup", 0, 0)
    event = line.log.events[line.top]
    index = event[0] if isinstance(event, tuple) else event
    birth = line.log.births[index]
    step = 0 if birth.phase == "setup" else _step_at(line.log, line.top, birth.phase)
    made = (*place(line.log, birth.site, name), *place(line.log, birth.forward, name))
    return Peak(line.curve[line.top], birth.phase, step, line.top, *made)


def _step_at(log: Log, event: int, phase: str) -> int:
    """The step in which an event is, counted from 1; 0 where the script made none."""
    ticks = steps_of(log)
    before = bisect_right([tick.event for tick in ticks], event)
    # A forward that counts as a step is not over with the forward.
    inside = phase in ("backward", "optimizer") and before and ticks[0].series.startswith(FORWARD)
    return before + (not inside) if ticks else 0


def under_a_mode(line: Timeline) -> int:
    """The peak in bytes with all sums of gradients out of place, as they are while a dispatch mode is active.

    That is what torch's own counters see of a run that the tracker watches.
    """
    # Before the death and the birth, the gradient that the sum replaces was alive.
    both = [line.curve[at - 2] + line.curve[at] - line.curve[at - 1] for at in line.log.sums if at > 1]
    return max([*both, line.curve[line.top]]) if line.curve else 0


def exhausted(line: Timeline, name: Callable[[str], str]) -> Exhausted | None:
    """What was alive when memory last ran out; None where it never did."""
    times = len(line.log.exhausted)
    return _exhausted(line, line.log.exhausted[-1], times, name) if times else None


def exhausted_by(line: Timeline, index: int, name: Callable[[str], str]) -> Exhausted | None:
    """What was alive when a storage was made for which memory would not have sufficed.

    None for a storage of another device.
    """
    if index not in line.born:
        return None
    birth = line.log.births[index]
    row = Exhaustion(line.born[index], birth.site, birth.phase, birth.forward, birth.module, birth.library)
    return _exhausted(line, row, 1, name)


def _exhausted(line: Timeline, last: Exhaustion, times: int, name: Callable[[str], str]) -> Exhausted:
    then = replace(line, at_top=alive(line.log, line.device, last.event - 1))
    forward_file, forward_line = place(line.log, last.forward, name)
    return Exhausted(
        *place(line.log, last.site, name),
        step=_step_at(line.log, last.event, last.phase) or 1,
        times=times,
        bytes=sum(then.at_top.values()),
        kinds=by_kind(then),
        lines=by_line(then, name),
        forward_file=forward_file,
        forward_line=forward_line,
        phase=last.phase,
        module=Names(line.log).of(last.module),
        library=library_line(line.log, last.library),
    )


def rounding(line: Timeline) -> int:
    """Bytes by which CUDA's allocator rounds up what is alive at the peak."""
    return sum(-size % BLOCK for size in line.at_top.values())


def by_kind(line: Timeline) -> dict[str, int]:
    """Bytes alive at the peak by role."""
    return _sum((kind_of(line, index), size) for index, size in line.at_top.items())


def by_phase(line: Timeline) -> dict[str, int]:
    """Bytes alive at the peak by the phase in which they were made."""
    return _sum((line.log.births[index].phase, size) for index, size in line.at_top.items())


def by_forward(line: Timeline) -> dict[str, int]:
    """Bytes of activations at the peak by the line ("path:line") that called the forward which made them; 0
    for a line of whose forwards nothing is left."""
    forwards = [tick for tick in line.log.ticks if tick.series.startswith(FORWARD)]
    ends = [tick.event for tick in forwards]
    found = Counter({tick.series.partition(" at ")[2]: 0 for tick in forwards})
    for index, size in line.at_top.items():
        # What is made between two forwards belongs to neither of them.
        if line.log.births[index].module != NO_MODULE and kind_of(line, index) == "activation":
            number = bisect_right(ends, line.born[index])
            if number < len(ends):
                found[forwards[number].series.partition(" at ")[2]] += size
    return dict(found)


def tops(line: Timeline) -> dict[str, int]:
    """The most bytes alive at once within each phase: only something new can lift the curve that high."""
    found: dict[str, int] = {}
    for position, event in enumerate(line.log.events):
        if isinstance(event, int) and event >= 0 and line.log.births[event].device == line.device:
            phase = line.log.births[event].phase
            found[phase] = max(found.get(phase, 0), line.curve[position])
    return found


def _sum(pairs: Iterable[tuple[str, int]]) -> dict[str, int]:
    total: Counter[str] = Counter()
    for key, size in pairs:
        total[key] += size
    return dict(total.most_common())


def by_line(line: Timeline, name: Callable[[str], str]) -> tuple[Held, ...]:
    """Bytes alive at the peak by source line, forward line, role and phase; the most first.

    A line that calls a library is one row for each module and line of the library which it has led to.
    """
    sums: Counter[tuple[int, int, str, str, int, int]] = Counter()
    counts: Counter[tuple[int, int, str, str, int, int]] = Counter()
    for index, size in line.at_top.items():
        birth = line.log.births[index]
        module = line.log.owners.get(index, birth.module)
        inside = (module, birth.library) if leads_away(line.log, birth) else (NO_MODULE, NO_SITE)
        key = (birth.site, birth.forward, kind_of(line, index), birth.phase, *inside)
        sums[key] += size
        counts[key] += 1
    names = Names(line.log)
    rows = [
        Held(
            *place(line.log, site, name), *place(line.log, forward, name), kind, phase, size, counts[key],
            names.of(module), library_line(line.log, library),
        )
        for key, size in sums.items()
        for site, forward, kind, phase, module, library in [key]
    ]  # fmt: skip
    return tuple(
        sorted(rows, key=lambda row: (-row.bytes, row.file, row.line, row.forward_line, row.kind, row.module))
    )


def place(log: Log, site: int, name: Callable[[str], str]) -> tuple[str, int]:
    """File and line of a site; ("", 0) where no line of the project was on the stack."""
    if site == NO_SITE:
        return ("", 0)
    path, number = log.sites[site]
    return (name(path), number)


def steps_of(log: Log) -> list[Tick]:
    """The ticks that count as steps: see `session.main_series`."""
    chosen = main_series(Counter(tick.series for tick in log.ticks))
    return [tick for tick in log.ticks if tick.series == chosen]


def steps(
    log: Log, line: Timeline | None, allocator: Callable[[int], tuple[int, int]] = lambda event: (0, 0)
) -> tuple[Step, ...]:
    """What was sampled at the end of each step, with the bytes alive then and the most within.

    `allocator` gives what was allocated and reserved at a tick's event.
    """
    found = []
    ticks = steps_of(log)
    for before, tick in zip([None, *ticks], ticks, strict=False):
        start = before.event if before else 0
        within = line.curve[start : tick.event] if line else []
        allocated, reserved = allocator(tick.event)
        found.append(
            Step(
                seconds=tick.clock - before.clock if before else 0.0,
                bytes=within[-1] if within else 0,
                peak=max(within, default=0),
                host_bytes=tick.host_bytes,
                worker_bytes=tick.worker_bytes,
                nodes=tick.sequence - before.sequence if before else 0,
                event=tick.event,
                waiting=tick.waited - (before.waited if before else 0.0),
                allocated=allocated,
                reserved=reserved,
            )
        )
    return tuple(found)


def curve(line: Timeline) -> tuple[tuple[int, int], ...]:
    """The curve thinned to CURVE_POINTS points; each bucket keeps its lowest and its highest value."""
    values = line.curve
    if len(values) <= CURVE_POINTS:
        return tuple(enumerate(values))
    width = -(-len(values) * 2 // CURVE_POINTS)
    points: list[tuple[int, int]] = []
    for start in range(0, len(values), width):
        bucket = range(start, min(start + width, len(values)))
        points += [
            (i, values[i])
            for i in sorted({min(bucket, key=values.__getitem__), max(bucket, key=values.__getitem__)})
        ]
    return tuple(points)


def ribbon(line: Timeline) -> tuple[tuple[int, str], ...]:
    """What the script was doing: (event, phase) wherever a tensor was born in another phase than before.

    Of too many stretches the shortest are left out, as no picture could show them.
    """
    found: list[tuple[int, str]] = []
    for position, event in enumerate(line.log.events):
        if isinstance(event, int) and event >= 0:
            phase = line.log.births[event].phase
            if not found or found[-1][1] != phase:
                found.append((position, phase))
    starts = [start for start, _ in found]
    lengths = [end - start for start, end in pairwise([*starts, line.end])]
    if len(found) > CURVE_POINTS:
        least = sorted(lengths, reverse=True)[CURVE_POINTS]
        found = [row for row, length in zip(found, lengths, strict=True) if length > least]
    return tuple(found)
