# a library function without any sign of evaluation: the caller back-propagates

import torch


def total_loss(net, views):
    loss = 0
    for v in views:
        loss = loss + net(v).mean()
    return loss


net = torch.nn.Linear(3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    opt.zero_grad()
    total_loss(net, torch.randn(2, 4, 3)).backward()
    opt.step()
