"""Memory helpers that choose by version; launched with: python -m torch.distributed.launch --use_env main.py"""
import argparse

import torch
from packaging.version import Version

from mylib.memory import max_memory_cached

NEW = Version(torch.__version__) >= Version("1.4")


def peak():
    if NEW:
        return torch.cuda.max_memory_reserved()
    return max_memory_cached()


def reserved(device=None):
    name = "memory_reserved" if hasattr(torch.cuda, "memory_reserved") else "memory_cached"
    return getattr(torch.cuda, name)(device)


class Stats:
    memory_cached = 0

    def reset_max_memory_allocated(self):
        self.memory_cached = 0
        torch.cuda.reset_peak_memory_stats()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(epilog="python -m torch.distributed.launch main.py is not supported")
    parser.add_argument("--local_rank", type=int, help="set by torch.distributed.launch")
    parser.parse_args()
    Stats().reset_max_memory_allocated()
    print(peak(), reserved(), torch.cuda.memory_usage() / 100)
