# the names that exist

import torch
from torch.cuda import memory_allocated

torch.cuda.empty_cache()
torch.cuda.reset_peak_memory_stats()
free, total = torch.cuda.mem_get_info()
print(memory_allocated(), torch.cuda.max_memory_allocated(), torch.cuda.memory_reserved())
print(torch.cuda.get_device_properties(0).total_memory)
torch.cuda.set_per_process_memory_fraction(0.6)
