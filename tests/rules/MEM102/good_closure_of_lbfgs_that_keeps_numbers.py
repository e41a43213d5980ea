"""The closure keeps numbers, and a list of terms that lives for one call."""

import torch

net = torch.nn.Linear(3, 1)
x, y = torch.randn(100, 3), torch.randn(100, 1)
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=500)
losses = []


def closure():
    optimizer.zero_grad()
    terms = [((net(x) - y) ** 2).mean()]
    terms.append(net.weight.abs().sum())
    loss = torch.stack(terms).sum()
    loss.backward()
    losses.append(loss.item())
    return loss


optimizer.step(closure)
