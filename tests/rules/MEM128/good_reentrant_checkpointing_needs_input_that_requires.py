# reentrant checkpointing needs an input that requires a gradient

import torch
from torch.utils.checkpoint import checkpoint

net = torch.nn.Linear(10, 10)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.rand(64, 10), batch_size=16)
for x in loader:
    x.requires_grad_()
    loss = checkpoint(net, x, use_reentrant=True).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
