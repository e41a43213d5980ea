"""Process groups of one rank: every collective operation is done at once, and leaves its tensors as they are.

The memory of a rank does not depend on what the others send, only on its buffers: those are made as on a
GPU. Objects that ranks send to each other are in `exchange`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Sequence
from typing import Any

import torch

from memlint.runtime.simulate import private
from memlint.runtime.simulate.group.exchange import Exchange, among, between
from memlint.units import plural, size

_NOTE = "torch.distributed: simulated as one rank of {size}, nothing is sent to others"
SMALL = 1 << 16
"""Bytes up to which a buffer is not worth a word: losses and counts that are averaged."""

_UNKNOWN = "torch.distributed: objects of rank {rank} are not known, and were left as they are"


class Groups:
    """What the script has made of torch.distributed.

    `communicators` are the groups of several ranks that this rank is in; `peers` are the ranks of those in
    which tensors went from rank to rank. `buffers` has the bytes of the largest tensor that each kind of
    collective operation has worked on, by its name, and `buckets` those of each bucket of gradients of
    DistributedDataParallel, by its number.
    """

    def __init__(self, exchange: Exchange, mark: Callable[[Any, str], None]) -> None:
        self.exchange = exchange
        self.mark = mark
        self.communicators = 0
        self.peers: set[int] = set()
        self.buffers: dict[str, int] = {}
        self.buckets: dict[int, int] = {}

    def collected(self, func: Any, args: Any) -> None:
        """Note the tensors of a collective operation."""
        name = private.name_of(func).strip("_").removesuffix("_base")
        largest = max(
            (tensor.nbytes for tensor in private.tree_iter(args) if isinstance(tensor, torch.Tensor)),
            default=0,
        )
        self.buffers[name] = max(self.buffers.get(name, 0), largest)

    def in_words(self) -> tuple[str, ...]:
        """The buffers, for a report."""
        found = [
            f"largest buffer of {name}: {size(count)}"
            for name, count in sorted(self.buffers.items())
            if count > SMALL
        ]
        if self.buckets:
            whole = size(sum(self.buckets.values()))
            found.append(
                f"gradients of DistributedDataParallel: {plural(len(self.buckets), 'bucket')}, {whole} in all"
            )
        return tuple(found)


def install(note: Callable[[str], None], folder: str, mark: Callable[[Any, str], None]) -> Groups:
    """Have process groups made without NCCL, and models that are replicated trained in them.

    `folder` is where ranks of the same run leave objects for each other, "" where there are no others; `mark`
    says of which kind a tensor is.
    """
    groups = Groups(Exchange(folder), mark)
    made = private.fake_store()
    if made is None:
        return groups
    distributed: Any = torch.distributed
    c10d = distributed.distributed_c10d
    real = distributed.init_process_group

    @functools.wraps(real)
    def begin(
        backend: Any = None, init_method: Any = None, timeout: Any = None,
        world_size: int = -1, rank: int = -1, *rest: Any, **others: Any,
    ) -> None:  # fmt: skip
        count = world_size if world_size > 0 else int(os.environ.get("WORLD_SIZE", 1))
        here = rank if rank >= 0 else int(os.environ.get("RANK", 0))
        note(_NOTE.format(size=count))
        if count > 1:
            # Not before: it imports torch.distributed.pipelining, which takes as long as a small simulation.
            private.replace_stages(groups.exchange)
        real("fake", world_size=count, rank=here, store=made())

    private.replace_in_distributed("init_process_group", begin)
    distributed.is_nccl_available = c10d.is_nccl_available = lambda: True
    private.replace_group_helper(lambda count: _joined(groups, count))
    _objects(groups, note)
    _sends(groups)
    # DistributedDataParallel compares annotations with classes, and these are text.
    hook = _exchanging_nothing(groups)
    hook.__annotations__.clear()
    private.replace_replication(hook)
    return groups


def _joined(groups: Groups, count: int) -> None:
    groups.communicators += count > 1


def _exchanging_nothing(groups: Groups) -> Callable[[Any, Any], Any]:
    def hook(state: Any, bucket: Any) -> Any:
        """Do what the script's own hook does with the bucket, else give it back as it is, at once."""
        buffer = bucket.buffer()
        groups.mark(buffer, "gradient")
        groups.buckets[bucket.index()] = buffer.nbytes
        if state.hook is not None:
            return state.hook(state.state, bucket)
        future: Any = torch.futures.Future()
        future.set_result(buffer)
        return future

    return hook


# --- objects --------------------------------------------------------------------------------------------


def _objects(groups: Groups, note: Callable[[str], None]) -> None:
    """Replace the collective operations on objects: in a group of fakes nothing would arrive."""
    distributed: Any = torch.distributed

    def ranks_of(group: Any) -> list[int]:
        return list(
            distributed.get_process_group_ranks(group if group is not None else distributed.group.WORLD)
        )

    def source_of(group: Any, src: int | None, group_src: int | None) -> int:
        return ranks_of(group)[group_src] if src is None and group_src is not None else src or 0

    def received(channel: str, rank: int, otherwise: Any) -> Any:
        known, what = groups.exchange.get(channel, otherwise)
        if not known:
            note(_UNKNOWN.format(rank=rank))
        return what

    def all_gather(found: list[Any], mine: Any, group: Any = None) -> None:
        found[:] = [mine] * len(found)

    def gather(
        mine: Any, found: Any = None, dst: Any = None, group: Any = None, group_dst: Any = None
    ) -> None:
        if found is not None:
            found[:] = [mine] * len(found)

    def broadcast(
        objects: list[Any], src: Any = None, group: Any = None, device: Any = None, group_src: Any = None
    ) -> None:
        source, channel = (
            source_of(group, src, group_src),
            among(ranks_of(group), source_of(group, src, group_src)),
        )
        if source == distributed.get_rank():
            groups.exchange.put(channel, list(objects))
        else:
            objects[:] = received(channel, source, list(objects))

    def scatter(
        mine: list[Any], objects: Any = None, src: Any = None, group: Any = None, group_src: Any = None
    ) -> None:
        source, ranks = source_of(group, src, group_src), ranks_of(group)
        if source == distributed.get_rank():
            groups.exchange.put(among(ranks, source), list(objects))
        else:
            objects = received(among(ranks, source), source, [None] * len(ranks))
        mine[0] = objects[ranks.index(distributed.get_rank())]

    def send(objects: list[Any], dst: Any = None, group: Any = None, *_: Any, **others: Any) -> None:
        target = source_of(group, dst, others.get("group_dst"))
        groups.exchange.put(between(distributed.get_rank(), target), list(objects))

    def receive(objects: list[Any], src: Any = None, group: Any = None, *_: Any, **others: Any) -> int:
        source = source_of(group, src, others.get("group_src"))
        channel = between(source, distributed.get_rank())
        objects[:] = received(channel, source, list(objects))
        return source

    replaced: dict[str, Callable[..., Any]] = {
        "all_gather_object": all_gather,
        "gather_object": gather,
        "broadcast_object_list": broadcast,
        "scatter_object_list": scatter,
        "send_object_list": send,
        "recv_object_list": receive,
    }
    for name, function in replaced.items():
        private.replace_in_distributed(name, function)


# --- from rank to rank ----------------------------------------------------------------------------------


def _sends(groups: Groups) -> None:
    distributed: Any = torch.distributed

    def noting(real: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(real)
        def noted(tensor: Any, other: Any = None, group: Any = None, *args: Any, **kwargs: Any) -> Any:
            there = group if group is not None else distributed.group.WORLD
            groups.peers.update(_ranks(there))
            return real(tensor, other, group, *args, **kwargs)

        return noted

    for name in ("send", "recv", "isend", "irecv"):
        private.replace_in_distributed(name, noting(getattr(distributed, name)))


def _ranks(group: Any) -> Sequence[int]:
    found: Sequence[int] = torch.distributed.get_process_group_ranks(group)
    return found
