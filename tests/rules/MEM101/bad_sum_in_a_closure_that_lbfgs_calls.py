"""One step of LBFGS calls its closure again and again, and the sum lives in the module."""

import torch

net = torch.nn.Linear(3, 1)
x = torch.randn(100, 3)
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=500)
total = 0.0


def closure():
    global total
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    total += loss  #! MEM101 warning
    return loss


optimizer.step(closure)
print(total)
