# the memory function imported as a module

import torch
import torch.cuda.memory_allocated as mem_used  #! MEM902
import torch.cuda.max_memory_allocated as max_memory_allocated  #! MEM902

model = torch.nn.Linear(1024, 1024).cuda()
print(mem_used(), max_memory_allocated())
