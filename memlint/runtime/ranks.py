"""Several ranks of one script: how torch's launcher starts them, how they end together, what they add up to.

No rank may leave while another still needs it for a collective operation, and none may wait for ever for
one that has left. So a rank that has ended writes its result and stays until all have theirs; the others
end when one has failed, or once nothing happens in them any more.
"""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from memlint.runtime.spec import Spec, of_rank
from memlint.session import Arm, Rank

POLL = 0.05
SETTLE = 10.0
"""Seconds without any operation after which a rank counts as waiting for one that has ended."""

RANK_BYTES = 256 << 20
"""Host memory that a process takes which has done nothing but import torch."""

_CONNECTION = 10 << 20
_CHANNELS = 32
_CONNECTIONS = 2 + 4
NCCL = _CHANNELS * _CONNECTIONS * _CONNECTION
"""Bytes that NCCL's buffers for one communicator take at most, for collectives by rings and trees.

Each connection of a channel has buffers of 4 MiB (Simple), 512 KiB (LL) and 4800 KiB (LL128): the defaults
of computeBuffSizes in NCCL's init.cc, together 10 MiB in allocations of 2 MiB (as its log of allocations
shows in NVIDIA/nccl#1685). A ring has two connections in a channel, a tree at most four (a parent, three
children), and a communicator is taken to have at most 32 channels, as that log shows. Beyond two machines the
number of ranks does not matter (NVIDIA/nccl#864). Sends from rank to rank, all_to_all and NVLink SHARP take
more.
"""

_STATUS = re.compile(r"^\s*rank\s*: (\d+).*\n\s*exitcode\s*: (-?\d+)", re.MULTILINE)
_lstat, _kill, _open = os.lstat, os.kill, open


@dataclass(frozen=True, slots=True)
class Place:
    """One of the ranks that torchrun would start on `nodes` machines with `per_node` GPUs each."""

    rank: int
    per_node: int
    nodes: int

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return self.per_node * self.nodes

    @property
    def environment(self) -> dict[str, str]:
        """What torchrun tells a rank (see torch/distributed/elastic/agent/server/local_elastic_agent.py)."""
        node, local = divmod(self.rank, self.per_node)
        numbers = {
            "RANK": self.rank, "WORLD_SIZE": self.size,
            "LOCAL_RANK": local, "LOCAL_WORLD_SIZE": self.per_node,
            "GROUP_RANK": node, "GROUP_WORLD_SIZE": self.nodes,
            "ROLE_RANK": self.rank, "ROLE_WORLD_SIZE": self.size,
            "TORCHELASTIC_RESTART_COUNT": 0, "TORCHELASTIC_MAX_RESTARTS": 0,
            "MASTER_PORT": 29500,
        }  # fmt: skip
        words = {"MASTER_ADDR": "127.0.0.1", "ROLE_NAME": "default", "TORCHELASTIC_RUN_ID": "none"}
        return {**{name: str(number) for name, number in numbers.items()}, **words}


def launched(command: Sequence[str], ranks: int) -> list[str]:
    """The command under torch's launcher: each of the ranks runs it in a session of its own."""
    launcher = [sys.executable, "-P", "-m", "torch.distributed.run"]
    options = ["--standalone", "--local-addr=127.0.0.1", f"--nproc-per-node={ranks}", "--no-python"]
    return [*launcher, *options, *command]


def pid_file(spec: Spec) -> str:
    """Where the process that works on `spec` says which one it is."""
    return f"{spec.result}.pid"


def output_files(spec: Spec) -> tuple[str, str]:
    """Where a rank's stdout and stderr go."""
    return f"{spec.result}.out", f"{spec.result}.err"


class Company:
    """The other ranks, as one of them sees them: by the files that they leave."""

    def __init__(self, whole: Spec, rank: int) -> None:
        self._others = {n: of_rank(whole, n) for n in range(whole.ranks) if n != rank}
        self._failed: dict[int, bool] = {}
        self._seen = -1
        self._since = 0.0

    def over(self, activity: int) -> str:
        """Why this rank must end although its script goes on; "" where it need not.

        `activity` is any number that changes while the script does something.
        """
        ended = [n for n, other in self._others.items() if self._has_ended(n, other)]
        failed = next((n for n in ended if self._failed[n]), None)
        if failed is not None:
            return f"rank {failed} failed"
        if activity != self._seen or not ended:
            self._seen, self._since = activity, time.monotonic()
        if time.monotonic() - self._since > SETTLE:
            return f"rank {ended[0]} had ended, nothing happened any more"
        return ""

    def wait(self) -> None:
        """Return when all ranks have ended."""
        while not all(self._has_ended(n, other) for n, other in self._others.items()):
            time.sleep(POLL)

    def _has_ended(self, rank: int, other: Spec) -> bool:
        if rank not in self._failed:
            if _exists(other.result):
                with _open(other.result, encoding="utf-8") as file:
                    self._failed[rank] = json.load(file)["failure"] is not None
            elif _is_gone(other):
                self._failed[rank] = False
        return rank in self._failed


def _exists(path: str) -> bool:
    try:
        _lstat(path)
    except FileNotFoundError:
        return False
    return True


def _is_gone(other: Spec) -> bool:
    """Whether a process that had begun is there no more, and has left no result."""
    try:
        with _open(pid_file(other), encoding="ascii") as file:
            _kill(int(file.read()), 0)
    except ProcessLookupError:
        return not _exists(other.result)
    except (FileNotFoundError, ValueError):
        return False
    return False


def chosen(arms: Sequence[Arm], wanted: int | None) -> int:
    """The rank that a report speaks of: `wanted`, else one that failed, else that with the highest peak."""
    if wanted is not None:
        return wanted
    failed = next((n for n, arm in enumerate(arms) if arm.failure is not None), None)
    if failed is not None:
        return failed
    return max(range(len(arms)), key=lambda n: (arms[n].peak.bytes, -n))


def joined(arms: Sequence[Arm], number: int, numbers: Sequence[int] = ()) -> Arm:
    """The arm of one rank, with the others' figures beside it; a failure anywhere is its failure too.

    `number` is its place in `arms`; `numbers` are the ranks of these where not all ranks are among them.
    """
    names = numbers or range(len(arms))
    failed = next(((names[n], arm) for n, arm in enumerate(arms) if arm.failure is not None), None)
    mine = arms[number]
    if mine.failure is None and failed is not None:
        mine = replace(mine, failure=failed[1].failure, stopped=f"rank {failed[0]} failed")
    others = [other for n, other in enumerate(arms) if n != number]
    modules = {path for arm in arms for path in arm.modules}
    return replace(
        mine,
        rank=names[number],
        ranks=tuple(_summary(names[n], arm) for n, arm in enumerate(arms)),
        modules=tuple(sorted(modules)),
        written=tuple(dict.fromkeys(path for arm in (mine, *others) for path in arm.written)),
        refused=tuple(dict.fromkeys(what for arm in (mine, *others) for what in arm.refused)),
        notes=tuple(dict.fromkeys(note for arm in (mine, *others) for note in arm.notes)),
    )


def _summary(number: int, arm: Arm) -> Rank:
    return Rank(
        rank=number,
        device=arm.device,
        stopped=arm.stopped,
        peak=arm.peak,
        steps=arm.steps,
        growth=arm.growth,
        kinds=arm.kinds,
        reached=arm.reached,
        failure=arm.failure,
    )


def statuses(said: str) -> dict[int, int]:
    """The exit statuses of ranks that torch's launcher complains of, the first cause last."""
    return {int(rank): int(status) for rank, status in _STATUS.findall(said)}


def cause(said: str, lost: Sequence[int], status: int) -> str:
    """Why ranks left no result, from what the launcher said on stderr."""
    known = [(n, code) for n, code in statuses(said).items() if n in lost and code != -signal.SIGTERM]
    if known:
        rank, code = known[-1]
        ended = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        return f"rank {rank} {ended} and left no result"
    if status == 0:
        return f"rank {lost[0]} ended by itself and left no result"
    last = said.strip().rpartition("\n")[2]
    return f"torch's launcher ended with status {status}: {last}"
