"""The part of a replay's report that CUDA's allocator and the driver speak for, and what ran out."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memlint.report.layout import clean
from memlint.report.style import Line
from memlint.session import Arm, Exhausted
from memlint.units import plural

ROWS = 8
Size = Callable[[int], str]


def allocator(arm: Arm, size: Size) -> list[Line]:
    """What torch's CUDA allocator counted beside the tensors, and what the driver counts beside that."""
    found = arm.cuda
    if "allocated_peak" not in found:
        return []
    there = " (simulated)" if arm.simulation is not None else ""
    both = f"{size(found['allocated_peak'])} allocated, {size(found['reserved_peak'])} reserved"
    lines: list[Line] = [[(f"torch's allocator{there}, at its own peaks: {both}", "head")]]
    lines += [[(f"  {text}", "dim")] for text in (*_difference(arm, size), *_trouble(arm, size))]
    return lines + [[(f"  {text}", "dim")] for text in _driver(arm, size)]


def _difference(arm: Arm, size: Size) -> Iterable[str]:
    more = arm.cuda["allocated_peak"] - arm.peak.bytes
    if more < 0:
        yield f"{size(-more)} less than the tensors that were followed: another allocator has the rest"
    elif more:
        rounding = min(arm.cuda.get("rounding", 0), more)
        rest = f"{size(more - rounding)} workspaces of kernels and parts of blocks not in use"
        yield f"{size(more)} more than tensors: {size(rounding)} rounding to blocks of 512 B, {rest}"


def top(arm: Arm, size: Size) -> str:
    """The peak that counts, and whose it is where tensors and their allocator have one each."""
    return size(arm.top_bytes) + (" allocated" if "allocated_peak" in arm.cuda else "")


def how(arm: Arm) -> str:
    """What stands before a number that no device has shown."""
    return "simulated " if arm.simulation is not None else ""


def _trouble(arm: Arm, size: Size) -> Iterable[str]:
    found = arm.cuda
    if found.get("workspaces"):
        yield f"{size(found['workspaces'])} of it cuBLAS workspaces, as modelled"
    if found.get("inactive_split_peak"):
        yield f"up to {size(found['inactive_split_peak'])} unused in blocks that are split (not releasable)"
    if found.get("retries") or found.get("out_of_memory"):
        retries, ooms = found.get("retries", 0), found.get("out_of_memory", 0)
        yield f"{retries} allocations succeeded only after the cache was emptied, {ooms} failed"


def _driver(arm: Arm, size: Size) -> Iterable[str]:
    found = arm.cuda
    if "process_now" in found:
        outside = found["process_now"] - found.get("reserved_now", 0)
        held = f"the process held {size(found['process_now'])} at the end"
        yield f"{held}: {size(outside)} of it outside the allocator (CUDA's context, libraries)"
    elif "device_now" in found:
        yield f"{size(found['device_now'])} of the GPU were in use at the end, by all processes together"


def blocks(arm: Arm, size: Size) -> list[Line]:
    """Who had been handed what, by the allocator's own history."""
    if not arm.blocks:
        return []
    lines: list[Line] = [[("the allocator's blocks when most bytes were asked for", "head")]]
    for row in arm.blocks[:ROWS]:
        place = (
            clean(f"{row.file}:{row.line}") if row.line else "(no line of the project: backward, libraries)"
        )
        lines.append([(f"  {size(row.bytes):>10}  {plural(row.blocks, 'block'):<12}  {place}", "")])
    if len(arm.blocks) > ROWS:
        rest = sum(row.bytes for row in arm.blocks[ROWS:])
        lines.append([(f"  {size(rest):>10}  on {plural(len(arm.blocks) - ROWS, 'more line')}", "dim")])
    return lines


def exhausted(arm: Arm, size: Size, details: Callable[[Exhausted], list[Line]]) -> list[Line]:
    """Where memory ran out and what was alive then; `details` renders it where it is not the peak."""
    then = arm.exhausted
    if then is None:
        return []
    caught = "" if arm.failure is not None and arm.failure.out_of_memory else "; the script went on"
    times = f" (the last of {then.times} times)" if then.times > 1 else ""
    place = clean(f"{then.file}:{then.line}") if then.line else "a line of a library"
    is_peak = (then.bytes, then.lines) == (arm.peak.bytes, arm.lines)
    alive = f"{size(then.bytes)} alive{', the peak' if is_peak else ''}"
    head = f"out of memory at {place}{clean(_made(then))} in step {then.step}{times}: {alive}{caught}"
    return [[(head, "error")], *([] if is_peak else details(then))]


def _made(then: Exhausted) -> str:
    """For what the memory was wanted, as far as it was not for the line itself."""
    both = then.module and then.library
    module = f"module {then.module}" if then.module else ""
    inside = f"{module} ({then.library})" if both else module or then.library
    if then.forward_line:
        where = f"{then.forward_file}:{then.forward_line}{f', {inside}' if inside else ''}"
        return f", in the backward of {where},"
    return f", in {inside}," if inside else ""
