# guarded by hasattr or getattr

import torch

if hasattr(torch.cuda, "clear_cache"):
    torch.cuda.clear_cache()
else:
    torch.cuda.empty_cache()
clear = getattr(torch.cuda, "free_memory", torch.cuda.empty_cache)
clear()
