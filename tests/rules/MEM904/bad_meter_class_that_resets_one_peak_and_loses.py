# a meter class that resets one peak and loses the other

import torch
from torch import cuda


class PeakMeter:
    def __init__(self, device):
        self.device = device

    def __enter__(self):
        cuda.reset_max_memory_allocated(self.device)  #! MEM904
        cuda.reset_max_memory_cached(device=self.device)  #! MEM904
        return self

    def __exit__(self, *exc):
        self.peak = cuda.max_memory_allocated(self.device)


with PeakMeter(torch.device("cuda")):
    torch.zeros(1, device="cuda")
