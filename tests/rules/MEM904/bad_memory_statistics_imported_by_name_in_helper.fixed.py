# memory statistics imported by name in a helper

import torch
from torch.cuda import max_memory_reserved, memory_allocated


def report(tag):
    print(tag, memory_allocated() >> 20, max_memory_reserved() >> 20)


def main():
    torch.zeros(4, device="cuda")
    report("start")


main()
