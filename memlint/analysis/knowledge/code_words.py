"""Words in a piece of code that say what it is for: a loop, a condition, an `except`, a context manager.

They are for `syntax.expressions.speaks_of`, which looks at names and strings and at nothing else. Like the
name heuristics in `hints`, they settle doubts and never make a finding alone.
"""

from __future__ import annotations

import re

from memlint.analysis.knowledge.patterns import pattern

ON_CPU = pattern("cpu")
"""Devices and options that keep a tensor in host memory."""

SHARED_STORAGE = pattern(
    r"^share_memory_?$|shared_memory|SharedMemory|^(Raw)?Array$|memmap|shelve|diskcache|lmdb|redis"
)
"""Storage that processes share, or that lies on disk."""

MANAGER = pattern("manager$", re.IGNORECASE)
"""Managers of multiprocessing."""

LAUNCH_COMMAND = pattern(r"-m\s+torch\.distributed\.launch\b")
"""Command lines that start torch's old launcher."""

EPOCH = pattern("epoch")
"""Loops over epochs."""

BACKWARD = pattern("backward")
"""Code that differentiates."""

BATCH_COUNT = pattern("batch_idx|batch_nb|global_step|sanity")
"""Conditions that hold for some batches only."""

CPU_OFFLOAD = pattern("cpu_offload")
"""Handlers that move work to the CPU."""

OUT_OF_MEMORY = pattern(
    r"out of memory|out_of_memory|(?<![a-z])oom(?![a-z])|OutOfMemory|empty_cache", re.IGNORECASE
)
"""Handlers of an error of memory."""

PARAMETERS = pattern("param|weights")
"""Loops over the parameters of a model."""

KERAS_TRAINING = pattern(r"GradientTape|apply_gradients|train_step|train_on_batch|train_batch|update_step")
"""Loops that train a Keras model by hand."""

KERAS_CLEANUP = pattern(r"clear_session|reset_(keras|session|tf)|clear_keras|reset_default_graph|cleanup")
"""Calls, out of view perhaps, that clear what Keras keeps."""

STRATEGY_SCOPE = pattern("scope|strategy", re.IGNORECASE)
"""Context managers that may be the scope of a strategy."""

STRATEGY = pattern("strategy", re.IGNORECASE)
"""Objects that may be a `tf.distribute` strategy."""

GPU_MEMORY = pattern(
    r"(gpu|vram|cuda)\w*[ _-]*(memory|mem|ram|cache)|(memory|mem|ram|cache)\w*[ _-](\w+[ _-])?(gpu|cuda)",
    re.IGNORECASE,
)
"""Names and comments about the memory of a GPU."""

WANTS_PRECISION = pattern(
    r"up-?cast|precis|fp32|float32|full float|stab(le|ility)|overflow|underflow|\bnan\b", re.IGNORECASE
)
"""Comments on a conversion to float32 that say that the numbers need it."""
