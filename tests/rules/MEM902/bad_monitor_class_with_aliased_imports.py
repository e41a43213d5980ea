# a monitor class with aliased imports

import torch
import torch.cuda as cuda
from torch import cuda as tc


class Monitor:
    def __init__(self):
        cuda.reset_memory_stats()  #! MEM902

    def report(self):
        free, total = tc.get_memory_info()  #! MEM902
        peak = cuda.peak_memory_allocated()  #! MEM902
        return free / total, peak

    def cap(self, share):
        tc.set_memory_fraction(share)  #! MEM902
