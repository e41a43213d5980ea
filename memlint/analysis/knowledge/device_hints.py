"""What names suggest about devices and memory: ranks, moves, clean-up, what claims to save memory."""

from __future__ import annotations

import re

from memlint.analysis.knowledge.patterns import pattern

SPARE_DEVICE = pattern(r"(^|[^a-z])(stor(e|age)|offload|host|out(put)?_device|save|dump)", re.IGNORECASE)
"""Variables that name a device to store things on, not to compute."""

MOVES_TO_DEVICE = pattern(
    r"(to_?(device|gpu|cuda)|(^|_)cuda|move_(to|data|batch)|send_to|(batch|dict|data)_to|recursive_to"
    r"|prepare_(batch|inputs?|data))",
    re.IGNORECASE,
)
"""Functions out of view that move a batch to the device."""

MOVES_TO_CUDA = pattern(r"^(to_?)?(cuda|gpu)(_?(var|variable|tensor|maybe|if_available))?$", re.IGNORECASE)
"""Functions out of view that move what they are given to a CUDA device: `cuda(net)`, `to_gpu(batch)`."""

DEVICE_VARIABLE = pattern(r"(^|_)(device|dev|gpu|cuda_device)$", re.IGNORECASE)
"""Variables that hold a device."""

SETS_DEVICE_UP = pattern(
    r"(^|_)(set|setup|init|initiali[sz]e|select|choose|prepare|config\w*)_?\w*(device|dist|ddp|gpu|cuda|rank|process|env)",
    re.IGNORECASE,
)
"""Functions out of view that choose the device of a process."""

ASKS_FOR_RANK = pattern(r"is_main|is_master|main_process|world_size|nprocs", re.IGNORECASE)
"""Conditions about the rank of the process or their number, beside comparisons of a `RANK` with 0."""

RANK = pattern(r"rank", re.IGNORECASE)
"""The number of the process."""

DEVICE_TARGET = pattern(r"dev|gpu|cuda", re.IGNORECASE)
"""Variables that are given the name of a device."""

DEVICE_INDEX = pattern(r"rank|gpu|dev", re.IGNORECASE)
"""Variables that hold the index of a device."""

COPIES_WEIGHTS = pattern(r"(load|copy)_state_dict|^deepcopy$", re.IGNORECASE)
"""Functions that copy the weights of a network."""

MAKES_ROOM = pattern(
    r"(offload|unload|wake_up|swap|sync_weights|update_weights|reload|destroy)",
    re.IGNORECASE,
)
"""Calls that make room on the device for something else."""

STUDIES_MEMORY = pattern(
    r"(profil|bench|measur|memory_usage|timing|ablat|(^|_)time_\w*(step|epoch|iter|batch|forward)|autobatch"
    r"|(find|search|tune|probe|scale|auto|max\w*|optimal|largest)_?(the_)?batch_?size|batch_?size_?(find|search|prob))",
    re.IGNORECASE,
)
"""Functions that measure memory or time, or try which batch size fits."""

SAVES_MEMORY = pattern(
    r"(reduce|save|saving|optimi[sz]e|free|shrink)_?(\w*_)?(gpu|cuda|mem|vram)", re.IGNORECASE
)
"""Functions that claim to save device memory."""

CLEANUP_HELPER = pattern(r"(clean|clear|free|empty|flush|gc|collect|release|cache|purge|mem)", re.IGNORECASE)
"""Helpers that clear caches and collect garbage."""

ONE_RANK = pattern(r"rank|is_main|is_master|main_process|master", re.IGNORECASE)
"""Conditions that hold in one process."""

DISTRIBUTED = pattern(r"DistributedDataParallel|\bDDP\b|torch\.distributed|torchrun")
"""What speaks of one process for each GPU, in messages and comments."""
