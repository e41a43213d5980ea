"""Words in a piece of code that say what it is for: a loop, a condition, an `except`, a context manager.

They are for `syntax.expressions.speaks_of`, which looks at names and strings and at nothing else. Like the
name heuristics in `hints`, they settle doubts and never make a finding alone.
"""

from __future__ import annotations

import re

ON_CPU = re.compile("cpu")
"""Devices and options that keep a tensor in host memory."""

SHARED_STORAGE = re.compile(
    r"^share_memory_?$|shared_memory|SharedMemory|^(Raw)?Array$|memmap|shelve|diskcache|lmdb|redis"
)
"""Storage that processes share, or that lies on disk."""

MANAGER = re.compile("manager$", re.IGNORECASE)
"""Managers of multiprocessing."""

LAUNCH_COMMAND = re.compile(r"-m\s+torch\.distributed\.launch\b")
"""Command lines that start torch's old launcher."""

EPOCH = re.compile("epoch")
"""Loops over epochs."""

BACKWARD = re.compile("backward")
"""Code that differentiates."""

BATCH_COUNT = re.compile("batch_idx|batch_nb|global_step|sanity")
"""Conditions that hold for some batches only."""

CPU_OFFLOAD = re.compile("cpu_offload")
"""Handlers that move work to the CPU."""

OUT_OF_MEMORY = re.compile(
    r"out of memory|out_of_memory|\boom\b|oom_|_oom|OutOfMemory|empty_cache", re.IGNORECASE
)
"""Handlers of an error of memory."""

PARAMETERS = re.compile("param|weights")
"""Loops over the parameters of a model."""

KERAS_TRAINING = re.compile(
    r"GradientTape|apply_gradients|train_step|train_on_batch|train_batch|update_step"
)
"""Loops that train a Keras model by hand."""

KERAS_CLEANUP = re.compile(r"clear_session|reset_(keras|session|tf)|clear_keras|reset_default_graph|cleanup")
"""Calls, out of view perhaps, that clear what Keras keeps."""

STRATEGY_SCOPE = re.compile("scope|strategy", re.IGNORECASE)
"""Context managers that may be the scope of a strategy."""

STRATEGY = re.compile("strategy", re.IGNORECASE)
"""Objects that may be a `tf.distribute` strategy."""

GPU_MEMORY = re.compile(
    r"(gpu|vram|cuda)\w*[ _-]*(memory|mem|ram|cache)|(memory|mem|ram|cache)\w*[ _-](\w+[ _-])?(gpu|cuda)",
    re.IGNORECASE,
)
"""Names and comments about the memory of a GPU."""

WANTS_PRECISION = re.compile(
    r"up-?cast|precis|fp32|float32|full float|stab(le|ility)|overflow|underflow|\bnan\b", re.IGNORECASE
)
"""Comments on a conversion to float32 that say that the numbers need it."""
