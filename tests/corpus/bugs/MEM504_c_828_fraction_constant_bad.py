from torch.cuda import set_per_process_memory_fraction as cap
import torch

FRACTION = 80
cap(FRACTION, 0)  #! MEM504
print(torch.randn(2, device="cuda"))
