# memory statistics imported by name in a helper

import torch
from torch.cuda import max_memory_cached, memory_allocated


def report(tag):
    print(tag, memory_allocated() >> 20, max_memory_cached() >> 20)  #! MEM904


def main():
    torch.zeros(4, device="cuda")
    report("start")


main()
