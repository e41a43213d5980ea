# the input is data, but a dummy or the input itself requires grad

import torch
from torch.utils.checkpoint import checkpoint

layer = torch.nn.Linear(16, 16)
opt = torch.optim.SGD(layer.parameters(), lr=0.01)
dummy = torch.ones(1, requires_grad=True)
for _ in range(100):
    x = torch.randn(8, 16)
    opt.zero_grad()
    out = checkpoint(lambda a, b: layer(a), x, dummy, use_reentrant=True)
    x.requires_grad_()
    out = out + checkpoint(layer, x, use_reentrant=True)
    out.mean().backward()
    opt.step()
