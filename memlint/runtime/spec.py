"""What the parent asks one child to do, passed as a JSON file."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from memlint.runtime.cards import Card, Device
from memlint.session import Schedule

UNAVAILABLE = 69
"""How a child exits that cannot measure what it was asked to; the last line on its stderr says why."""


@dataclass(frozen=True, slots=True)
class Spec:
    """One arm.

    `overlay` maps absolute paths of source files to the text that runs in their place; `watch` holds
    "path:line" of lines whose execution is reported; `checks` names the CORRECT questions to answer;
    `schedule` says where it ends its loops and itself; with `explores` the clock may decide what that leaves
    open, and `least_steps` are made even where they repeat. `look` asks what holds the tensors that lines
    have left behind, `offers` which changes the script would allow, and `changes` are those to be made while
    it runs (see memlint.runtime.child.changes).
    `turned` are conditions that come out the other way than what was made up for them says (see
    memlint.runtime.simulate.branches), `selected` is the percentage that masks select where that is unknown,
    `iterations` says how many a loop makes that goes on as long as unknown values say.
    `device` is what --device says; `truth` is "profiler" or "history" where torch's own record of
    allocations is wanted beside the tracker's, "" where it is not. `timeout` is in seconds,
    `memory_limit` in bytes (0: none). `card` is the GPU that is simulated and `device_memory` what torch's
    allocator can get of it, in bytes (0: no end); with `capacities`, the same is asked again of allocators
    of such devices. `progress` and
    `result` are files that the child writes; `scratch` takes what the script writes, "" switches
    containment off; `temporary` is its folder for temporary files, `extensions` the one where all arms
    find the C++ extensions that torch compiled. `ranks` says how many processes of torch's launcher run
    it, each with files of its own (see `of_rank`); 0 stands for one process without a launcher. `peers`
    are the scratch trees of the other ranks, whose files can be read. `gpus` are those of the imagined
    machine, and `exchange` the folder where simulated ranks leave objects for those after them, "" for none.
    """

    name: str
    title: str
    target: str
    is_module: bool
    arguments: tuple[str, ...]
    folder: str
    root: str
    probe: str
    schedule: Schedule
    explores: bool
    least_steps: int
    timeout: float
    memory_limit: int
    device: str
    card: Card
    device_memory: int
    capacities: tuple[Device, ...]
    seed: int
    scratch: str
    temporary: str
    extensions: str
    result: str
    progress: str
    truth: str
    overlay: dict[str, str]
    watch: tuple[str, ...]
    checks: tuple[str, ...]
    ranks: int
    peers: tuple[str, ...]
    look: bool
    offers: bool
    changes: tuple[str, ...]
    turned: tuple[str, ...]
    selected: int
    iterations: int
    gpus: int = 1
    exchange: str = ""

    def write(self, path: Path) -> None:
        """Save as JSON."""
        path.write_text(json.dumps(asdict(self)), encoding="utf-8")


def read(path: Path) -> Spec:
    """Load what `Spec.write` saved."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for name in ("arguments", "watch", "checks", "peers", "capacities", "changes", "turned"):
        data[name] = tuple(data[name])
    data["capacities"] = tuple(
        (size, (major, minor), processors) for size, (major, minor), processors in data["capacities"]
    )
    data["schedule"] = Schedule(**data["schedule"])
    card = data["card"]
    data["card"] = Card(**{**card, "capability": tuple(card["capability"])})
    return Spec(**data)


def end_file(spec: Spec) -> str:
    """The file whose appearance asks the process to write what it has measured, and to end."""
    return f"{spec.result}.end"


def of_rank(spec: Spec, rank: int) -> Spec:
    """What one of the ranks is asked: the same, with result, progress and scratch tree of its own."""

    def scratch(number: int) -> str:
        return f"{spec.scratch}.{number}" if spec.scratch else ""

    return replace(
        spec,
        result=f"{spec.result}.{rank}",
        progress=f"{spec.progress}.{rank}",
        scratch=scratch(rank),
        memory_limit=spec.memory_limit // spec.ranks,
        peers=tuple(filter(None, (scratch(n) for n in range(spec.ranks) if n != rank))),
    )


def parts(spec: Spec) -> list[Spec]:
    """What each process is asked: one, or one for each rank."""
    return [of_rank(spec, rank) for rank in range(spec.ranks)] or [spec]
