"""A closure that LBFGS calls several times a step; each call's loss is kept."""

import torch, torch.nn as nn

net = nn.Sequential(nn.Linear(16, 64), nn.Tanh(), nn.Linear(64, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=3, history_size=4)
inputs = torch.randn(128, 16)
targets = inputs.sum(1, keepdim=True)
history = []


def closure():
    opt.zero_grad()
    loss = nn.functional.mse_loss(net(inputs), targets)
    loss.backward()
    history.append(loss)
    return loss


for step in range(20):
    opt.step(closure)
print(len(history), sum(h.item() for h in history))
