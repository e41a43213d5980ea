# a version check with both names

import torch

if hasattr(torch.cuda, "max_memory_reserved"):
    peak = torch.cuda.max_memory_reserved()
else:
    peak = torch.cuda.max_memory_cached()
print(peak)
