# dictionary rebuilt from detached values

import torch
from torch import nn

net = nn.Linear(6, 2)
opt = torch.optim.Adam(net.parameters())
running = {"mse": torch.zeros(()), "l1": torch.zeros(())}
for _ in range(30):
    out, y = net(torch.randn(4, 6)), torch.randn(4, 2)
    losses = {"mse": nn.functional.mse_loss(out, y), "l1": nn.functional.l1_loss(out, y)}
    opt.zero_grad()
    sum(losses.values()).backward()
    opt.step()
    running = {k: running[k] + v.detach() for k, v in losses.items()}
