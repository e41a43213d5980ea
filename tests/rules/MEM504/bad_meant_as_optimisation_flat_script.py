# meant as an optimisation, flat script

import torch

# reduce the GPU memory that training needs
torch.cuda.set_per_process_memory_fraction(0.6)  #! MEM504 warning

model = torch.nn.Linear(100, 100).cuda()
model(torch.randn(8, 100).cuda()).sum().backward()
