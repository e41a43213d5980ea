# the name is bound again for each checkpoint that is written at once

import os

import torch

net = torch.nn.Linear(8, 2)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best = 1e9
if os.path.exists("ckpt.pt"):
    checkpoint = torch.load("ckpt.pt")
    state = checkpoint["model"]
    net.load_state_dict(state)
    checkpoint = None
for it in range(1000):
    loss = net(torch.randn(4, 8)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if loss.item() < best:
        best = loss.item()
        if it > 0:
            checkpoint = {"model": net.state_dict(), "iter": it}
            torch.save(checkpoint, "ckpt.pt")
