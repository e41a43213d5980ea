# a plain dictionary's update() with fixed keys overwrites

import torch


class Args:
    log_every = 10


stats = {}
net = torch.nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters())
for x in torch.randn(20, 8, 4):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    stats.update({"loss": loss})
    stats.update(lr=1e-3)
