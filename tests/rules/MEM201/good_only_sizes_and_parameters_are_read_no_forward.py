# only sizes and parameters are read; no forward happens

import torch

model = torch.nn.Sequential(torch.nn.Linear(4, 4), torch.nn.Linear(4, 2))
model.eval()
for name, module in model.named_modules():
    print(name, sum(p.numel() for p in module.parameters()))
