"""Several ranks of a script on simulated GPUs: one process for those that are alike, one after the other.

Nothing is exchanged, so a rank needs no other one to run. Rank 0 runs first. Where tensors went from rank to
rank, as between the stages of a pipeline, every rank of that group runs; elsewhere the last one, whose shards
may be the smallest. Ranks whose peaks are the same are alike: then rank 0 stands for all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from memlint.runtime import ranks
from memlint.runtime.parent import arms
from memlint.runtime.parent.arms import Outcome, Request, Target
from memlint.runtime.parent.launcher import Launcher
from memlint.runtime.ranks import Place
from memlint.session import Arm

MOST = 16
"""Ranks that are simulated; of more, the first, the last and some between them are."""


def run(
    target: Target,
    request: Request,
    workshop: Path,
    progress: Callable[[int], None],
    is_over: Callable[[], bool],
    launcher: Launcher | None = None,
) -> Outcome:
    """Run an arm on the ranks that may differ; it speaks of the one that takes the most memory.

    Raises:
        MemlintError: what the target asks for cannot be measured on this machine.
    """
    size = target.ranks * target.nodes
    folder = workshop / f"ranks-{request.name}"
    (folder / "exchange").mkdir(parents=True)

    def one(rank: int) -> Outcome:
        place = Place(rank, target.ranks, target.nodes)
        alone = replace(target, ranks=0, rank=None, place=place)
        named = replace(request, name=f"{request.name}-{rank}")
        return arms.run(alone, named, folder, progress, is_over, launcher)

    outcome = one(0)
    found = [(0, outcome)]
    if outcome.arm is not None and outcome.arm.failure is None and not target.alike:
        for rank in others(outcome.arm, size):
            if is_over():
                break
            found.append((rank, one(rank)))
    lost = next((row for _, row in found if row.arm is None), None)
    if lost is not None:
        return lost
    done = [row.arm for _, row in found if row.arm is not None]
    numbers = [rank for rank, _ in found]
    at = largest(done)
    arm = ranks.joined(done, at, numbers)
    assert arm.simulation is not None
    arm = replace(
        arm,
        name=request.name,
        title=request.title,
        simulation=replace(arm.simulation, world=size),
        notes=(*arm.notes, in_words(done, numbers, size), *arm.simulation.buffers),
    )
    failed = next((n for n, row in enumerate(done) if row.failure is not None), at)
    return replace(found[failed][1], arm=arm)


def others(first: Arm, size: int) -> list[int]:
    """The ranks that may differ from rank 0, by what rank 0 did."""
    peers = first.simulation.peers if first.simulation is not None else ()
    found = [rank for rank in peers or (size - 1,) if 0 < rank < size]
    if len(found) < MOST:
        return found
    step = len(found) / (MOST - 2)
    return sorted({*(found[int(n * step)] for n in range(MOST - 2)), found[-1]})


def largest(done: Sequence[Arm]) -> int:
    """The place of the arm to speak of: one that failed, else the one that takes the most memory."""
    failed = next((n for n, arm in enumerate(done) if arm.failure is not None), None)
    if failed is not None:
        return failed
    return max(range(len(done)), key=lambda n: (*_peaks(done[n]), -n))


def are_alike(arm: Arm) -> bool:
    """Whether rank 0 may stand for all: those that were simulated have the same peak."""
    return arm.rank == 0 and len({row.peak.bytes for row in arm.ranks}) == 1 and arm.failure is None


def in_words(done: Sequence[Arm], numbers: Sequence[int], size: int) -> str:
    """Which ranks were simulated, for a note."""
    if size == 1 or len(numbers) == 1:
        return f"rank {numbers[0]} of {size} was simulated"
    which = ", ".join(map(str, numbers[:-1])) + f" and {numbers[-1]}"
    same = (
        "and take the same memory"
        if len({_peaks(arm) for arm in done}) == 1
        else "and differ: the largest is the answer"
    )
    return f"ranks {which} of {size} were simulated {same}"


def _peaks(arm: Arm) -> tuple[int, int]:
    return arm.cuda.get("reserved_peak", 0), arm.cuda.get("allocated_peak", arm.peak.bytes)
