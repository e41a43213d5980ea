# dead branch

import torch

if False:
    print(torch.cuda.max_memory_cached())
if 0:
    torch.cuda.reset_max_memory_allocated()
