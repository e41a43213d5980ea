# the reentrant way asked for, in a flat script whose inputs are data

import torch
import torch.utils.checkpoint

layer = torch.nn.Linear(16, 16)
top = torch.nn.Linear(16, 1)
opt = torch.optim.SGD([*layer.parameters(), *top.parameters()], lr=0.01)
for _ in range(100):
    x = torch.randn(8, 16)
    opt.zero_grad()
    hidden = torch.utils.checkpoint.checkpoint(layer, x, use_reentrant=True)  #! MEM905 error
    top(hidden).mean().backward()
    opt.step()
