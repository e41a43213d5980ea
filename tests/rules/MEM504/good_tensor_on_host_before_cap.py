# a tensor on the host does not count against the cap that comes after it

import torch

batch = torch.randn(64, 100)
torch.cuda.set_per_process_memory_fraction(0.5)
model = torch.nn.Linear(100, 100).cuda()
print(model(batch.cuda()).sum())
