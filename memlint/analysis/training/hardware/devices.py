"""On what a script runs: with CUDA or on the CPU alone, and what makes it one of several ranks."""

from __future__ import annotations

import libcst as cst

from memlint.analysis.caching import cached
from memlint.analysis.dataflow.cross_module import unit_behind
from memlint.analysis.knowledge import device_hints
from memlint.analysis.knowledge.patterns import pattern
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.chosen_devices import moves_where_callers_say, takes_chosen_device
from memlint.analysis.training.hardware.environment import settings
from memlint.syntax.arguments import keyword
from memlint.syntax.expressions import is_text

CUDA_STRING = pattern(r"^cuda(:(\d+|\{.*\}|%[ds])?)?$")

# Calls that do no harm without a device, and say nothing about one.
_NEUTRAL = frozenset(
    "is_available device_count empty_cache manual_seed manual_seed_all synchronize seed_all "
    "memory_allocated max_memory_allocated reset_peak_memory_stats memory_reserved".split()
)
# What prepares networks and loaders moves them to the GPU that it finds.
_ACCELERATE = ("accelerate.Accelerator", "accelerate.accelerator.Accelerator")
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
        if type(func) is cst.Name and call.args and device_hints.MOVES_TO_CUDA.match(func.value):
            return True
    below = (n for n in model.names.references("torch.cuda.*") if type(n) is cst.Attribute)
    if any(node.attr.value not in _NEUTRAL for node in below):
        return True
    if any(CUDA_STRING.match(node.value.strip("'\"")) for node in model.names.every(cst.SimpleString)):
        return True
    if any(node.value.startswith("cuda:") for node in model.names.every(cst.FormattedStringText)):
        return True
    return _joins_gpus(model) or (model.cross_module is not None and _takes_cuda(model))


@cached
def may_use_cuda(model: ScriptModel) -> bool:
    """Whether the file works on a CUDA device by what it says, or where whoever starts it wants it to."""
    return uses_cuda(model) or takes_chosen_device(model)


def may_move_to_cuda(model: ScriptModel) -> bool:
    """The same, or where a caller in another file may name a GPU in place of the CPU as the default."""
    return may_use_cuda(model) or moves_where_callers_say(model)


def _joins_gpus(model: ScriptModel) -> bool:
    """Whether the file uses GPUs without their name: by the accelerator, a wrapper, a backend, a trainer."""
    asked = model.names.references("torch.accelerator.*")
    if any(type(node) is cst.Attribute and node.attr.value not in _NEUTRAL for node in asked):
        return True
    prepares = [call for call in model.names.calls if model.names.one(call.func) in _ACCELERATE]
    if any(keyword(call, "cpu") is None for call in prepares):
        return True
    wrappers = ("torch.nn.DataParallel", "torch.nn.parallel.DataParallel")
    if any(model.names.one(call.func) in wrappers for call in model.names.calls):
        return True
    if any(s.name == "CUDA_VISIBLE_DEVICES" and s.literal not in (None, "", "-1") for s in settings(model)):
        return True
    if any(is_text(found, "gpu") for call in model.names.calls if (found := keyword(call, "accelerator"))):
        return True
    backends = (n for n in model.names.every(cst.SimpleString) if n.value.strip("'\"") == "nccl")
    compared = (cst.Comparison, cst.ComparisonTarget)
    return any(not isinstance(model.parent(node), compared) for node in backends)


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
    if may_use_cuda(model):
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
