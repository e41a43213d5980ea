"""MEM502: the allocator's configuration comes after torch has read it, or cannot be parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memlint.analysis.dataflow.constants import constant
from memlint.analysis.dataflow.execution_order import call_trace, ran_before
from memlint.analysis.match import Label, Match, Plan
from memlint.analysis.model import ScriptModel
from memlint.analysis.training.hardware.cuda_starts import puts_on_cuda, starts
from memlint.analysis.training.hardware.environment import (
    Setting,
    first_import,
    hoisted,
    imports_torch,
    is_spawn,
    settings,
)
from memlint.catalogue import Rule
from memlint.finding import Applicability

_CONFIGURES = frozenset({"PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "PYTORCH_HIP_ALLOC_CONF"})
_NAMES = _CONFIGURES | {"PYTORCH_NO_CUDA_MEMORY_CACHING"}
_KEYS = frozenset(
    "backend large_segment_size_mb max_split_size_mb roundup_power2_divisions max_non_split_rounding_mb "
    "garbage_collection_threshold expandable_segments pinned_use_cuda_host_register "
    "pinned_num_register_threads pinned_use_background_threads pinned_reserve_segment_size_mb "
    "pinned_max_round_threshold_mb pinned_max_cached_size_mb graph_capture_record_stream_reuse "
    "per_process_memory_fraction throw_on_cudamalloc_oom release_lock_on_cudamalloc "
    "release_lock_on_hipmalloc pinned_use_hip_host_register".split()
)
_FLAGS = frozenset(
    "expandable_segments pinned_use_cuda_host_register pinned_use_background_threads "
    "graph_capture_record_stream_reuse throw_on_cudamalloc_oom release_lock_on_cudamalloc".split()
)
_SIZES = frozenset({"max_split_size_mb", "max_non_split_rounding_mb", "large_segment_size_mb"})
_SMALLEST_SPLIT = 20
_OPTION = re.compile(r"\s*([\w.]*)\s*:\s*(\[[^\]]*\]|[^,\[\]:]*)\s*(,|$)")


def detect(model: ScriptModel, rule: Rule) -> Iterator[Match]:
    """Settings of the allocator that torch does not see, or does not understand."""
    for setting in settings(model):
        if setting.name not in _NAMES:
            continue
        given = constant(model, setting.value) if setting.name in _CONFIGURES else None
        problem = _problem(given) if isinstance(given, str) else ""
        if problem:
            yield Match(setting.node, {"name": setting.name, "problem": problem}, "value")
        elif not _is_for_children(model, setting):
            yield from _late(model, setting)


def _is_for_children(model: ScriptModel, setting: Setting) -> bool:
    """Whether a process that is started later gets the variable."""
    spawned = (event for event in call_trace(model) if is_spawn(event))
    return any(ran_before(model, setting.event, event) != "no" for event in spawned)


def _late(model: ScriptModel, setting: Setting) -> Iterator[Match]:
    plan = _plan(model, setting)
    plans = (plan,) if plan is not None else ()
    for event, sure in starts(model):
        allocates = puts_on_cuda(model, event) or event.path in _ALLOCATORS
        if sure and allocates and ran_before(model, event, setting.event) == "yes":
            values = {"name": setting.name, "start": model.short(event.node, 32)}
            yield Match(setting.node, values, "default", (Label("first use", event.node),), plans=plans)
            return
    for event in call_trace(model):
        if imports_torch(event) and ran_before(model, event, setting.event) == "yes":
            values = {"name": setting.name, "start": event.path}
            yield Match(setting.node, values, "import", (Label("torch is loaded", event.node),), plans=plans)
            return


_ALLOCATORS = frozenset({"torch.cuda.init", "torch.cuda.synchronize", "torch.cuda.mem_get_info"})


def _plan(model: ScriptModel, setting: Setting) -> Plan | None:
    changes = hoisted(model, setting, first_import(model))
    if changes is None:
        return None
    return Plan(Applicability.SAFE, "set it before torch is imported", changes)


# --- the value ----------------------------------------------------------------------------------------


def _problem(text: str) -> str:
    """What is wrong with a configuration, in words; "" when nothing is."""
    if not text.strip():
        return ""
    options: dict[str, str] = {}
    position = 0
    while position < len(text):
        found = _OPTION.match(text, position)
        if found is None or not found[1] or not found[2].strip():
            return f"`{text[position:].strip()}` is not `option:value`"
        options[found[1]] = found[2].strip()
        position = found.end()
    for key, value in options.items():
        problem = _option_problem(key, value)
        if problem:
            return problem
    if options.get("backend") == "cudaMallocAsync" and "max_split_size_mb" in options:
        return "`max_split_size_mb` is ignored by the backend `cudaMallocAsync`"
    return ""


def _option_problem(key: str, value: str) -> str:
    if key not in _KEYS:
        return f"there is no option `{key}`"
    if key in _FLAGS and value not in ("True", "False"):
        return f"`{key}` takes `True` or `False`, not `{value}`"
    if key in _SIZES and not value.isdecimal():
        return f"`{key}` takes a whole number of megabytes, not `{value}`"
    if key == "max_split_size_mb" and int(value) < _SMALLEST_SPLIT:
        return f"`{key}` must be at least {_SMALLEST_SPLIT}"
    if key == "garbage_collection_threshold" and not _is_share(value):
        return f"`{key}` must lie between 0 and 1, not `{value}`"
    if key == "backend" and value not in ("native", "cudaMallocAsync"):
        return f"there is no backend `{value}`"
    return ""


def _is_share(value: str) -> bool:
    try:
        return 0 < float(value) < 1
    except ValueError:
        return False
