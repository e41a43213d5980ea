"""One step of LBFGS calls its closure hundreds of times: no loop is in view."""

import torch

net = torch.nn.Linear(3, 1)
x, y = torch.randn(100, 3), torch.randn(100, 1)
optimizer = torch.optim.LBFGS(net.parameters(), max_iter=500)
losses, terms = [], {"data": [], "sum": []}


def closure():
    optimizer.zero_grad()
    data = ((net(x) - y) ** 2).mean()
    loss = data + net.weight.abs().sum()
    loss.backward()
    losses.append(loss)  #! MEM102 warning
    terms["data"].append(data)  #! MEM102 warning
    return loss


optimizer.step(closure)
