"""The options of PYTORCH_CUDA_ALLOC_CONF: the text that torch parses, and what it refuses."""

from __future__ import annotations

import re

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


def problem_of(text: str) -> str:
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
    """What is wrong with one option and its value; "" where nothing is."""
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
