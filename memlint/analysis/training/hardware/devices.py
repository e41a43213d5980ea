"""On what a script runs: with CUDA or on the CPU alone, and what makes it one of several ranks."""

from __future__ import annotations

import re

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.cross_module import unit_behind
from memlint.analysis.model import ScriptModel

CUDA_STRING = re.compile(r"^cuda(:\d+)?$")

# Calls that do no harm without a device, and say nothing about one.
_NEUTRAL = frozenset(
    "is_available device_count empty_cache manual_seed manual_seed_all synchronize seed_all "
    "memory_allocated max_memory_allocated reset_peak_memory_stats memory_reserved".split()
)
DDP_PATHS = (
    "torch.nn.parallel.DistributedDataParallel",
    "torch.nn.parallel.distributed.DistributedDataParallel",
)
JOIN_PATHS = (
    "torch.distributed.init_process_group",
    "torch.distributed.distributed_c10d.init_process_group",
)


@cached
def uses_cuda(model: ScriptModel) -> bool:
    """Whether the file says itself that it works on a CUDA device."""
    for call in model.names.calls:
        func = call.func
        if type(func) is cst.Attribute and func.attr.value == "cuda":
            return True
    below = (n for n in model.names.references("torch.cuda.*") if type(n) is cst.Attribute)
    if any(node.attr.value not in _NEUTRAL for node in below):
        return True
    if any(CUDA_STRING.match(node.value.strip("'\"")) for node in model.names.every(cst.SimpleString)):
        return True
    if any(node.value.startswith("cuda:") for node in model.names.every(cst.FormattedStringText)):
        return True
    return model.cross_module is not None and _takes_cuda(model)


def _takes_cuda(model: ScriptModel) -> bool:
    """Whether something is moved to a device that another file names: `x.to(config.DEVICE)`."""
    for call in model.names.calls:
        moves = type(call.func) is cst.Attribute and call.func.attr.value == "to"
        wanted = call.args[0].value if moves and call.args else None
        unit = unit_behind(model, wanted) if isinstance(wanted, (cst.Name, cst.Attribute)) else None
        strings = unit.names.every(cst.SimpleString, unit.body[0]) if unit is not None else ()
        if any(CUDA_STRING.match(node.value.strip("'\"")) for node in strings):
            return True
    return False


def cpu_only(model: ScriptModel) -> bool:
    """Whether the file names the CPU as its device and never speaks of CUDA."""
    if uses_cuda(model):
        return False
    return any(
        node.value.strip("'\"") == "cpu" and not _is_map(model, node)
        for node in model.names.every(cst.SimpleString)
    )


def _is_map(model: ScriptModel, node: cst.CSTNode) -> bool:
    parent = model.parent(node)
    return (
        isinstance(parent, cst.Arg) and parent.keyword is not None and parent.keyword.value == "map_location"
    )


def wraps_ddp(model: ScriptModel) -> list[cst.Call]:
    """The calls that wrap a module in DistributedDataParallel."""
    return [
        call
        for path in DDP_PATHS
        for node in model.names.references(path)
        if isinstance(call := model.parent(node), cst.Call) and call.func is node
    ]
