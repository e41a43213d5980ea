"""`python plain.py RESULT SCRIPT ARGS...`: runs a script on the GPU without memlint, and writes what it took.

RESULT is a JSON file of bytes: `allocated` and `reserved` are the peaks of torch's allocator, `context` what
the process held at the end beside what the allocator had reserved then (0 where the driver does not tell),
and `problem` is the exception that ended the script, "" where none did.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Sequence


def held() -> int:
    """Bytes that the driver counts for this process on the first GPU, 0 where it does not say.

    From NVML's nvmlDeviceGetComputeRunningProcesses, which is what `nvidia-smi` shows.
    """
    import pynvml

    pynvml.nvmlInit()
    card = pynvml.nvmlDeviceGetHandleByIndex(0)
    running = pynvml.nvmlDeviceGetComputeRunningProcesses(card)
    mine = [process.usedGpuMemory for process in running if process.pid == os.getpid()]
    return int(mine[0] or 0) if mine else 0


def main(arguments: Sequence[str]) -> None:
    """Run the script to its end, and write the result even where it raises."""
    result, script, *rest = arguments
    sys.argv = [script, *rest]
    sys.path[0] = os.path.dirname(os.path.abspath(script))
    problem = ""
    try:
        runpy.run_path(script, run_name="__main__")
    except Exception as error:
        problem = f"{type(error).__name__}: {error}".splitlines()[0]
    import torch

    torch.cuda.synchronize()
    beside = max(0, held() - torch.cuda.memory_reserved())
    found = {
        "allocated": torch.cuda.max_memory_allocated(),
        "reserved": torch.cuda.max_memory_reserved(),
        "context": beside,
        "torch": torch.__version__,
        "problem": problem,
    }
    with open(result, "w", encoding="utf-8") as file:
        json.dump(found, file)


if __name__ == "__main__":
    main(sys.argv[1:])
