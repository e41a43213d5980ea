# a meter class that resets one peak and loses the other

import torch
from torch import cuda


class PeakMeter:
    def __init__(self, device):
        self.device = device

    def __enter__(self):
        cuda.reset_peak_memory_stats(self.device)
        cuda.reset_peak_memory_stats(device=self.device)
        return self

    def __exit__(self, *exc):
        self.peak = cuda.max_memory_allocated(self.device)


with PeakMeter(torch.device("cuda")):
    torch.zeros(1, device="cuda")
