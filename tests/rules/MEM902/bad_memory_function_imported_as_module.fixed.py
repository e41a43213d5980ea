# the memory function imported as a module

import torch
from torch.cuda import memory_allocated as mem_used
from torch.cuda import max_memory_allocated

model = torch.nn.Linear(1024, 1024).cuda()
print(mem_used(), max_memory_allocated())
