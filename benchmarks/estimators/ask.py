"""Asks one estimator about one model, in the estimator's own environment: prints bytes, "" for no answer.

    python ask.py TOOL NAME
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from benchmarks.estimators.models import CASES


def accelerate(name: str) -> int:
    """accelerate's figure for "training with Adam": the larger of its steps."""
    from accelerate.commands.estimate import estimate_training_usage

    size = sum(4 * parameter.numel() for parameter in CASES[name].make().parameters())
    return int(max(estimate_training_usage(size, "float32").values()))


def deepspeed(name: str) -> int:
    """DeepSpeed's figure for ZeRO 2 on one GPU without offloading; it assumes mixed precision."""
    from deepspeed.runtime.zero.stage_1_and_2 import estimate_zero2_model_states_mem_needs

    count = sum(parameter.numel() for parameter in CASES[name].make().parameters())
    return int(estimate_zero2_model_states_mem_needs(count, 1, 1, cpu_offload=False)[1])


def memtracker(name: str) -> int:
    """torch's MemTracker over a training on fake tensors of a CUDA device, without anything of memlint."""
    from torch._subclasses.fake_tensor import FakeTensorMode

    from benchmarks.estimators.train import Count, train

    with FakeTensorMode(), Count() as counts:
        train(name)
    return counts.peak


TOOLS = {"accelerate": accelerate, "deepspeed": deepspeed, "memtracker": memtracker}

if __name__ == "__main__":
    print(TOOLS[sys.argv[1]](sys.argv[2]))
